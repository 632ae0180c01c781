/* SPDX-License-Identifier: Apache-2.0
 *
 * y = A * x for a sparse matrix in compressed rows (CSR): one thread per row, whose neighbours read
 * far apart, and one warp per row, which reads contiguously and adds up by shuffles.
 * usage: spmv [ROWS] */
#include "example.h"

__global__ void spmv_thread(const int *start, const int *column, const float *value, const float *x,
                            float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; ++k)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

__global__ void spmv_warp(const int *start, const int *column, const float *value, const float *x,
                          float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) /* the same for all lanes of a warp */
        return;
    float sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        y[row] = sum;
}

static int check(const char *name, const float *device, float *y, const float *expected, int rows)
{
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y, device, rows * sizeof *y, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < rows; ++i)
        if (y[i] != expected[i] && wrong++ < 5)
            printf("%s: wrong: y[%d] = %g, not %g\n", name, i, y[i], expected[i]);
    printf("%s: %d rows, %d differ from plain C\n", name, rows, wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 20000), count = 0, wrong = 0;
    if (rows > 1 << 24) {
        fprintf(stderr, "spmv: ROWS must be at most %d\n", 1 << 24);
        return 2;
    }
    /* Rows of 0 to 79 entries; eighths as values, so that sums are exact in any order. */
    int *start = (int *)host_alloc((size_t)rows + 1, sizeof *start);
    unsigned seed = 17;
    for (int i = 0; i < rows; ++i)
        start[i + 1] = start[i] + (int)(random_bits(&seed) % 80);
    count = start[rows];
    int *column = (int *)host_alloc(count + 1, sizeof *column);
    float *value = (float *)host_alloc(count + 1, sizeof *value);
    float *x = (float *)host_alloc(rows, sizeof *x), *y = (float *)host_alloc(rows, sizeof *y);
    float *expected = (float *)host_alloc(rows, sizeof *expected);
    for (int k = 0; k < count; ++k) {
        column[k] = (int)(random_bits(&seed) % (unsigned)rows);
        value[k] = (float)(random_bits(&seed) % 64 + 1) / 8.0f;
    }
    for (int i = 0; i < rows; ++i)
        x[i] = (float)(random_bits(&seed) % 64 + 1) / 8.0f;
    for (int i = 0; i < rows; ++i)
        for (int k = start[i]; k < start[i + 1]; ++k)
            expected[i] += value[k] * x[column[k]];

    int *dstart, *dcolumn;
    float *dvalue, *dx, *dy;
    CHECK(cudaMalloc(&dstart, (rows + 1) * sizeof *start));
    CHECK(cudaMalloc(&dcolumn, (count + 1) * sizeof *column));
    CHECK(cudaMalloc(&dvalue, (count + 1) * sizeof *value));
    CHECK(cudaMalloc(&dx, rows * sizeof *x));
    CHECK(cudaMalloc(&dy, rows * sizeof *y));
    CHECK(cudaMemcpy(dstart, start, (rows + 1) * sizeof *start, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dcolumn, column, count * sizeof *column, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dvalue, value, count * sizeof *value, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dx, x, rows * sizeof *x, cudaMemcpyHostToDevice));

    CHECK(cudaMemset(dy, 0xff, rows * sizeof *y));
    spmv_thread<<<blocks_for(rows, 256), 256>>>(dstart, dcolumn, dvalue, dx, dy, rows);
    wrong += check("spmv_thread", dy, y, expected, rows);
    CHECK(cudaMemset(dy, 0xff, rows * sizeof *y));
    spmv_warp<<<blocks_for(rows, 8), 256>>>(dstart, dcolumn, dvalue, dx, dy, rows);
    wrong += check("spmv_warp", dy, y, expected, rows);

    CHECK(cudaFree(dstart));
    CHECK(cudaFree(dcolumn));
    CHECK(cudaFree(dvalue));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
    free(expected);
    return wrong ? 1 : 0;
}
