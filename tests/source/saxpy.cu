// SPDX-License-Identifier: Apache-2.0
// Compiled, not run, by test_source.c: one kernel, one launch.
__constant__ float scale[4];
__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i] * scale[i & 3] + expf(x[i]);
}

int main()
{
    float *x;
    if (cudaMalloc(&x, 1024) != cudaSuccess)
        return 1;
    saxpy<<<1, 128>>>(2.0f, x, x + 128, 128);
    return cudaDeviceSynchronize() != cudaSuccess;
}
