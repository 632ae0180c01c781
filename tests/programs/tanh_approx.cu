// SPDX-License-Identifier: Apache-2.0
// htanh_approx is the instruction tanh.approx, not the rounded tanh: every f16, and pairs of them.
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void all(float *one, float *two, float *rounded, float *narrow)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half x = __ushort_as_half((unsigned short)i);
    __half2 pair = h2tanh_approx(__half2(x, __hneg(x)));
    one[i] = __half2float(htanh_approx(x));
    two[i] = __half2float(pair.x) - __half2float(pair.y);
    rounded[i] = __half2float(htanh(x));
    narrow[i] = __bfloat162float(htanh_approx(__float2bfloat16(__half2float(x))));
}
int main()
{
    enum { ALL = 1 << 16 };
    float *v[4];
    for (float *&p : v)
        cudaMallocManaged(&p, ALL * sizeof(float));
    all<<<ALL / 256, 256>>>(v[0], v[1], v[2], v[3]);
    int error = cudaDeviceSynchronize(), wrong = error != 0, differ = 0;
    for (int i = 0; i < ALL && !error; i++) {
        float x = __half2float(__ushort_as_half((unsigned short)i)), y = std::tanh(x);
        bool good = std::isnan(x) ? std::isnan(v[0][i]) && std::isnan(v[3][i])
                                  : std::fabs(v[0][i] - y) <= std::ldexp(1.0f, -10) && // PTX: 2^-10.987
                                        v[1][i] == 2 * v[0][i] && std::fabs(v[3][i] - y) <= std::ldexp(1.0f, -7);
        wrong += !good;
        differ += !std::isnan(x) && v[0][i] != v[2][i];
    }
    printf("%d wrong, %s\n", wrong, differ > 1000 ? "approximate" : "not approximate");
    return wrong || differ <= 1000;
}
