/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposes a matrix. The plain way writes with a stride of a whole row, which wastes most of each
 * memory transaction; through a tile in shared memory both reads and writes are contiguous. The
 * extra column of the tile keeps its columns in different banks.
 * usage: transpose [WIDTH [HEIGHT]] */
#include "example.h"

enum { TILE = 32, ROWS = 8 };

__global__ void transpose_plain(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += ROWS) {
        int y = blockIdx.y * TILE + j;
        if (x < width && y < height)
            out[(size_t)x * height + y] = in[(size_t)y * width + x];
    }
}

__global__ void transpose_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y0 = blockIdx.y * TILE;
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (x < width && y0 + j < height)
            tile[j][threadIdx.x] = in[(size_t)(y0 + j) * width + x];
    __syncthreads();
    int y = y0 + threadIdx.x, x0 = blockIdx.x * TILE;
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (y < height && x0 + j < width)
            out[(size_t)(x0 + j) * height + y] = tile[threadIdx.x][j];
}

static int check(const char *name, const float *device, float *out, const float *in, int width,
                 int height)
{
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, device, (size_t)width * height * sizeof *out, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (out[(size_t)x * height + y] != in[(size_t)y * width + x] && wrong++ < 5)
                printf("%s: wrong at row %d, column %d\n", name, x, y);
    printf("%s: %d x %d, %d elements differ from plain C\n", name, width, height, wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 1000), height = argument(argc, argv, 2, 700), wrong = 0;
    size_t count = (size_t)width * height, bytes = count * sizeof(float);
    float *in = (float *)host_alloc(count, sizeof *in), *out = (float *)host_alloc(count, sizeof *out);
    for (size_t i = 0; i < count; ++i)
        in[i] = 1.0f + (float)(i % 16777213); /* every value once, none zero */
    float *din, *dout;
    CHECK(cudaMalloc(&din, bytes));
    CHECK(cudaMalloc(&dout, bytes));
    CHECK(cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice));
    dim3 block(TILE, ROWS), grid(blocks_for(width, TILE), blocks_for(height, TILE));

    CHECK(cudaMemset(dout, 0, bytes));
    transpose_plain<<<grid, block>>>(din, dout, width, height);
    wrong += check("transpose_plain", dout, out, in, width, height);
    CHECK(cudaMemset(dout, 0, bytes));
    transpose_tile<<<grid, block>>>(din, dout, width, height);
    wrong += check("transpose_tile", dout, out, in, width, height);

    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    free(in);
    free(out);
    return wrong ? 1 : 0;
}
