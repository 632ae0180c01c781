/* SPDX-License-Identifier: Apache-2.0
 * Integer minimum and maximum of words and of pairs of halves: all functions on 500 triples, as one
 * number. The expected one is what the same program printed when nvcc 13 had compiled it. */
#include <cstdio>

__global__ void all(unsigned *r, unsigned a, unsigned b, unsigned c)
{
    int i = 0;
    bool p, q;
#define THREE(name) r[i++] = name(a, b, c)
#define TWO(name)   r[i++] = name(a, b)
#define PAIR(name)  r[i++] = name(a, b, &p, &q) + p + 2 * q
#define WORD(name)  r[i++] = name(a, b, &p) + p
    THREE(__viaddmax_s16x2), THREE(__viaddmax_s16x2_relu), THREE(__viaddmax_s32);
    THREE(__viaddmax_s32_relu), THREE(__viaddmax_u16x2), THREE(__viaddmax_u32);
    THREE(__viaddmin_s16x2), THREE(__viaddmin_s16x2_relu), THREE(__viaddmin_s32);
    THREE(__viaddmin_s32_relu), THREE(__viaddmin_u16x2), THREE(__viaddmin_u32);
    PAIR(__vibmax_s16x2), WORD(__vibmax_s32), PAIR(__vibmax_u16x2), WORD(__vibmax_u32);
    PAIR(__vibmin_s16x2), WORD(__vibmin_s32), PAIR(__vibmin_u16x2), WORD(__vibmin_u32);
    THREE(__vimax3_s16x2), THREE(__vimax3_s16x2_relu), THREE(__vimax3_s32);
    THREE(__vimax3_s32_relu), THREE(__vimax3_u16x2), THREE(__vimax3_u32);
    TWO(__vimax_s16x2_relu), TWO(__vimax_s32_relu);
    THREE(__vimin3_s16x2), THREE(__vimin3_s16x2_relu), THREE(__vimin3_s32);
    THREE(__vimin3_s32_relu), THREE(__vimin3_u16x2), THREE(__vimin3_u32);
    TWO(__vimin_s16x2_relu), TWO(__vimin_s32_relu);
    r[39] = i;
}

int main()
{
    unsigned *d, h[40], sum = 0, s = 1;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    for (int n = 0; n < 500; n++) {
        unsigned v[3];
        for (int j = 0; j < 3; j++) {
            s = s * 1664525 + 1013904223;
            v[j] = s ^ (s >> 13);
            if (n % 5 == j)
                v[j] = n % 3 ? v[j] & 0xff00ff : 0x80007fff;
        }
        all<<<1, 1>>>(d, v[0], v[1], v[2]);
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
        for (unsigned j = 0; j < h[39]; j++)
            sum = sum * 31 + h[j];
    }
    printf("%u functions: %08x, expected ee897294\n", h[39], sum);
    return h[39] != 36 || sum != 0xee897294;
}
