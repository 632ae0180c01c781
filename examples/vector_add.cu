/* SPDX-License-Identifier: Apache-2.0
 *
 * The first CUDA program: c = a + b, one thread per element.
 * usage: vector_add [ELEMENTS] */
#include "example.h"

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) /* the last block may reach beyond the end */
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1 << 20);
    size_t bytes = (size_t)n * sizeof(float);
    float *a = (float *)host_alloc(n, sizeof *a);
    float *b = (float *)host_alloc(n, sizeof *b);
    float *c = (float *)host_alloc(n, sizeof *c);
    unsigned seed = 1;
    for (int i = 0; i < n; ++i) {
        a[i] = random_unit(&seed);
        b[i] = 1.0f + random_unit(&seed);
    }

    /* The device has its own memory: allocate there, copy in, compute, copy out. */
    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, bytes));
    CHECK(cudaMalloc(&db, bytes));
    CHECK(cudaMalloc(&dc, bytes));
    CHECK(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dc, 0, bytes));
    vector_add<<<blocks_for(n, 256), 256>>>(da, db, dc, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < n; ++i)
        if (c[i] != a[i] + b[i] && wrong++ < 5)
            printf("wrong: c[%d] = %g, not %g\n", i, c[i], a[i] + b[i]);
    printf("vector_add: %d sums, %d differ from plain C\n", n, wrong);

    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    free(a);
    free(b);
    free(c);
    return wrong ? 1 : 0;
}
