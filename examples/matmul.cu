/* SPDX-License-Identifier: Apache-2.0
 *
 * c = a * b for square matrices: first the definition, one thread per element of c, then with tiles
 * in shared memory, so that each element of a and b is fetched n / 16 times instead of n times.
 * usage: matmul [N] */
#include "example.h"

enum { TILE = 16 };

__global__ void matmul_naive(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__global__ void matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int m = 0; m < n; m += TILE) {
        /* Threads outside the matrix bring zeros: they must still reach the barriers. */
        tile_a[ty][tx] = y < n && m + tx < n ? a[y * n + m + tx] : 0;
        tile_b[ty][tx] = m + ty < n && x < n ? b[(m + ty) * n + x] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();
    }
    if (x < n && y < n)
        c[y * n + x] = sum;
}

/* Eighths from -1 to 1: every product and sum is exact in float for n below 2^18, so the order of
 * additions does not matter and results can be compared for equality. */
static float eighth(unsigned *seed)
{
    return ((int)(random_bits(seed) % 17) - 8) / 8.0f;
}

static int check(const char *name, const float *device, float *c, const float *expected, int n)
{
    size_t count = (size_t)n * n;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, device, count * sizeof *c, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (size_t i = 0; i < count; ++i)
        if (c[i] != expected[i] && wrong++ < 5)
            printf("%s: wrong at row %zu, column %zu: %g, not %g\n", name, i / n, i % n, c[i],
                   expected[i]);
    printf("%s: %d x %d, %d elements differ from plain C\n", name, n, n, wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 250), wrong = 0; /* not a multiple of the tile, on purpose */
    if (n > 16384) {
        fprintf(stderr, "matmul: N must be at most 16384\n");
        return 2;
    }
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *a = (float *)host_alloc(count, sizeof *a), *b = (float *)host_alloc(count, sizeof *b);
    float *c = (float *)host_alloc(count, sizeof *c);
    float *expected = (float *)host_alloc(count, sizeof *expected);
    unsigned seed = 7;
    for (size_t i = 0; i < count; ++i) {
        a[i] = eighth(&seed);
        b[i] = eighth(&seed);
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                expected[(size_t)i * n + j] += a[(size_t)i * n + k] * b[(size_t)k * n + j];

    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, bytes));
    CHECK(cudaMalloc(&db, bytes));
    CHECK(cudaMalloc(&dc, bytes));
    CHECK(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice));

    dim3 block(TILE, TILE), grid(blocks_for(n, TILE), blocks_for(n, TILE));
    CHECK(cudaMemset(dc, 0xff, bytes));
    matmul_naive<<<grid, block>>>(da, db, dc, n);
    wrong += check("matmul_naive", dc, c, expected, n);
    CHECK(cudaMemset(dc, 0xff, bytes));
    matmul_tiled<<<grid, block>>>(da, db, dc, n);
    wrong += check("matmul_tiled", dc, c, expected, n);

    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    free(a);
    free(b);
    free(c);
    free(expected);
    return wrong ? 1 : 0;
}
