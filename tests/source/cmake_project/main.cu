// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include <cstdio>
__device__ int pick(int);
__global__ void remote(int *p) { *p = pick(7); }
int main()
{
    int linked = on_device([](int *p) { remote<<<1, 1>>>(p); });
    printf("%d %d %d %d %d %d %s\n", from_kernels(10), from_parts(1), from_pieces(10), from_dynamic(10),
           from_helper(10), linked, TEXT);
}
