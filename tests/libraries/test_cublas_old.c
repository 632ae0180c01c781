/* SPDX-License-Identifier: Apache-2.0
 * cublas.h: the interface without handles, against loops. */
#include <assert.h>
#include <cublas.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { N = 7 };

static void test_old(void **state)
{
    (void)state;
    float a[N * N], b[N * N], c[N * N], *da, *db, *dc;
    for (int i = 0; i < N * N; i++)
        a[i] = (float)(i % 11) - 3, b[i] = (float)(i % 5) + 1, c[i] = 2;
    assert_int_equal(cublasInit(), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasAlloc(N * N, sizeof *a, (void **)&da), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasAlloc(N * N, sizeof *a, (void **)&db), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasAlloc(N * N, sizeof *a, (void **)&dc), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasAlloc(-1, 4, (void **)&dc), CUBLAS_STATUS_INVALID_VALUE);
    cublasSetMatrix(N, N, sizeof *a, a, N, da, N);
    cublasSetMatrix(N, N, sizeof *b, b, N, db, N);
    cublasSetVector(N * N, sizeof *c, c, 1, dc, 1);
    cublasSgemm('n', 'T', N, N, N, 2, da, N, db, N, 3, dc, N);
    assert_int_equal(cublasGetError(), CUBLAS_STATUS_SUCCESS);
    cublasGetMatrix(N, N, sizeof *c, dc, N, c, N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 6;
            for (int k = 0; k < N; k++)
                sum += 2 * a[i + k * N] * b[j + k * N];
            assert_float_equal(c[i + j * N], sum, 1e-3);
        }
    float dot = 0, norm = 0;
    for (int i = 0; i < N * N; i++)
        dot += a[i] * b[i], norm += a[i] * a[i];
    assert_float_equal(cublasSdot(N * N, da, 1, db, 1), dot, 1e-2);
    assert_float_equal(cublasSnrm2(N * N, da, 1), sqrtf(norm), 1e-3);
    assert_int_equal(cublasIsamax(N * N, da, 1), 11); /* counted from 1: the first 7 */
    cublasSaxpy(N * N, 0.5f, da, 1, db, 1);
    cublasGetVector(N * N, sizeof *c, db, 1, c, 1);
    for (int i = 0; i < N * N; i++)
        assert_float_equal(c[i], b[i] + 0.5f * a[i], 1e-5);
    cublasSgemm('x', 'n', N, N, N, 1, da, N, db, N, 0, dc, N); /* waits until somebody asks */
    assert_int_equal(cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasGetError(), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasFree(da), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasFree(db), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasFree(dc), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasShutdown(), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasShutdown(), CUBLAS_STATUS_NOT_INITIALIZED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_old)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
