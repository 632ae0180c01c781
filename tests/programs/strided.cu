/* SPDX-License-Identifier: Apache-2.0
 * Elements of a tensor with strides, by a kernel that learns the number of dimensions at run time: 64-bit
 * quotients in a loop, inside a branch that warps leave at different times, then several accesses. */
#include <cstdio>
#include <cstdlib>

enum { MOST = 4 };

struct Tensor {
    const long long *data;
    int dimensions;
    long long sizes[MOST], strides[MOST];
};

__host__ __device__ static long long offset_of(long long i, const Tensor &t)
{
    long long offset = 0;
    for (int d = t.dimensions - 1; d > 0; --d) {
        offset += i % t.sizes[d] * t.strides[d];
        i /= t.sizes[d];
    }
    return offset + i * t.strides[0];
}

__global__ void scatter(const int *in, Tensor t, int *out, int row, int rows, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, block = i / (rows * row), column = i % row;
    if (i < count) {
        int offset = (int)offset_of(i, t);
        long long at = t.data[offset];
        atomicMin(out + block * rows * row + at * row + column, in[i]);
    }
}

int main()
{
    enum { ROW = 6, ROWS = 25, BLOCKS = 9, COUNT = ROW * ROWS * BLOCKS };
    static long long index[2 * COUNT];
    static int in[COUNT], got[COUNT], want[COUNT];
    for (int i = 0; i < 2 * COUNT; ++i)
        index[i] = i * 7 % ROWS;
    for (int i = 0; i < COUNT; ++i) {
        in[i] = i * 31 % 101 - 50;
        want[i] = 1000;
    }
    Tensor t = {index, 3, {BLOCKS, ROWS, ROW}, {2 * ROWS * ROW, 2 * ROW, 2}};
    for (int i = 0; i < COUNT; ++i) {
        int *o = &want[i / (ROWS * ROW) * ROWS * ROW + index[offset_of(i, t)] * ROW + i % ROW];
        *o = in[i] < *o ? in[i] : *o;
    }
    for (int i = 0; i < COUNT; ++i)
        got[i] = 1000;
    int *device_in, *device_out;
    long long *device_index;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof got);
    cudaMalloc(&device_index, sizeof index);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(device_out, got, sizeof got, cudaMemcpyHostToDevice);
    cudaMemcpy(device_index, index, sizeof index, cudaMemcpyHostToDevice);
    t.data = device_index;
    scatter<<<(COUNT + 255) / 256, 256>>>(device_in, t, device_out, ROW, ROWS, COUNT);
    cudaError_t error = cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < COUNT; ++i)
        wrong += got[i] != want[i];
    std::printf("%s, %d of %d wrong\n", cudaGetErrorString(error), wrong, COUNT);
    return error || wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
