// SPDX-License-Identifier: Apache-2.0
// cuda_fp4.h against the definition of E2M1: the nearest of eight sizes for every bfloat16 and every half.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp4.h>

__global__ void convert(unsigned char *of_float, unsigned char *of_half, unsigned char *pairs, unsigned short *back)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, bits = i << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    of_float[i] = __nv_cvt_float_to_fp4(f, __NV_E2M1, cudaRoundNearest);
    __half_raw h;
    h.x = i;
    of_half[i] = __nv_cvt_halfraw_to_fp4(h, __NV_E2M1, cudaRoundNearest);
    pairs[i] = __nv_cvt_float2_to_fp4x2(make_float2(f, -f), __NV_E2M1, cudaRoundNearest);
    back[i] = __nv_cvt_fp4_to_halfraw(i & 15, __NV_E2M1).x;
}
static const float sizes[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
static unsigned nearest(float x)
{
    if (std::isnan(x))
        return 7;
    unsigned best = 0;
    for (unsigned k = 1; k < 8; ++k) { // of two at the same distance the even one
        double size = fmin(fabs((double)x), 8), now = fabs(size - sizes[k]), then = fabs(size - sizes[best]);
        if (now < then || (now == then && k % 2 == 0))
            best = k;
    }
    return best | (std::signbit(x) ? 8 : 0);
}

int main()
{
    unsigned char *a, *b, *c;
    unsigned short *d;
    int wrong = 0;
    cudaMallocManaged(&a, 65536), cudaMallocManaged(&b, 65536), cudaMallocManaged(&c, 65536);
    cudaMallocManaged(&d, 2 * 65536);
    memset(c, 255, 65536);
    convert<<<256, 256>>>(a, b, c, d);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (unsigned i = 0; i < 65536; ++i) {
        unsigned bits = i << 16, x;
        float f;
        __half_raw raw;
        memcpy(&f, &bits, sizeof f);
        raw.x = (unsigned short)i;
        x = nearest(f);
        wrong += a[i] != x || b[i] != nearest(__half2float(__half(raw)));
        wrong += c[i] != (x | (std::isnan(f) ? 7 : x ^ 8) << 4);
        raw.x = d[i];
        float size = sizes[i & 7], got = __half2float(__half(raw));
        wrong += got != (i & 8 ? -size : size) || std::signbit(got) != (bool)(i & 8);
    }
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
