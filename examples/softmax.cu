/* SPDX-License-Identifier: Apache-2.0
 *
 * Softmax of each row of a matrix, one block per row: the largest value (so that exp cannot
 * overflow), the sum of the exponentials, the quotients. Checked against plain C in double.
 * usage: softmax [ROWS [COLUMNS]] */
#include "example.h"

#include <math.h>

enum { BLOCK = 256 };

__global__ void softmax(const float *in, float *out, int columns)
{
    __shared__ float part[BLOCK];
    const float *row = in + (size_t)blockIdx.x * columns;
    float *result = out + (size_t)blockIdx.x * columns;
    int t = threadIdx.x;

    float largest = -INFINITY;
    for (int i = t; i < columns; i += BLOCK)
        largest = fmaxf(largest, row[i]);
    part[t] = largest;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }
    largest = part[0];
    __syncthreads(); /* everyone has read part[0] before it is overwritten */

    float sum = 0;
    for (int i = t; i < columns; i += BLOCK)
        sum += expf(row[i] - largest);
    part[t] = sum;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    sum = part[0];
    for (int i = t; i < columns; i += BLOCK)
        result[i] = expf(row[i] - largest) / sum;
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 256), columns = argument(argc, argv, 2, 1000), wrong = 0;
    size_t count = (size_t)rows * columns, bytes = count * sizeof(float);
    float *in = (float *)host_alloc(count, sizeof *in), *out = (float *)host_alloc(count, sizeof *out);
    unsigned seed = 23;
    for (size_t i = 0; i < count; ++i)
        in[i] = 20.0f * random_unit(&seed) + 90.0f; /* exp(110) alone would overflow a float */
    float *din, *dout;
    CHECK(cudaMalloc(&din, bytes));
    CHECK(cudaMalloc(&dout, bytes));
    CHECK(cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dout, 0, bytes));
    softmax<<<rows, BLOCK>>>(din, dout, columns);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost));

    double worst = 0;
    for (int r = 0; r < rows; ++r) {
        const float *row = in + (size_t)r * columns;
        double sum = 0;
        for (int i = 0; i < columns; ++i)
            sum += exp((double)row[i] - 110);
        for (int i = 0; i < columns; ++i) {
            double expected = exp((double)row[i] - 110) / sum;
            double error = fabs(out[(size_t)r * columns + i] / expected - 1);
            worst = fmax(worst, error);
            wrong += !(error < 1e-5);
        }
    }
    printf("softmax: %d rows of %d, largest relative error %.2g, %d of %zu beyond 1e-5\n", rows,
           columns, worst, wrong, count);
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    free(in);
    free(out);
    return wrong ? 1 : 0;
}
