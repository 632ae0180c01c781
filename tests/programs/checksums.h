/* SPDX-License-Identifier: Apache-2.0
 * Many results as one number, and their comparison: for programs whose expected numbers were printed by the same
 * program when nvcc had compiled it. The program has a function group(which, rounds), on host and device. */
#pragma once
#include <cstdio>
#include <cstring>

struct Sum {
    unsigned value;
    template <class T> __host__ __device__ void add(T x)
    {
        const unsigned char *bytes = (const unsigned char *)&x;
        for (unsigned i = 0; i < sizeof x; i++)
            value = value * 31 + bytes[i];
    }
};

template <class To> __host__ __device__ To from_bits(unsigned bits)
{
    To x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

__host__ __device__ unsigned group(int which, int rounds);

/* How many of the groups are not as expected, on the device (`sums`, in its memory) or here. */
template <int GROUPS> int wrong_groups(const unsigned *sums, const unsigned (&expected)[GROUPS], int rounds)
{
    unsigned out[GROUPS] = {0};
    int bad = 0;
    cudaMemcpy(out, sums, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < GROUPS; i++) {
        unsigned host = group(i, rounds);
        bool wrong = out[i] != expected[i] || host != expected[i];
        printf("group %2d: device %08x, host %08x, expected %08x%s\n", i, out[i], host, expected[i],
               wrong ? "  WRONG" : "");
        bad += wrong;
    }
    return bad;
}
