// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cstdio>
int main()
{
    int count = 0, version = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    printf("%d %d %d\n", error, count, cuDriverGetVersion(&version));
}
