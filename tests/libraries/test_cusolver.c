/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusolver for S, D, C and Z by what its results must satisfy: A x = b, A = Q R, A = U S V', A v
 * = w v, orthogonal vectors; LAPACK's verdicts in devInfo; documented statuses. */
#include "device_values.h"

#include <gpukit/gpukit.h>

#include <cusolverDn.h>
#include <dlfcn.h>

#define OK(call) assert_int_equal(call, CUSOLVER_STATUS_SUCCESS)
enum { M = 9, N = 6, LD = 10, RIGHT = 2 };

static cusolverDnHandle_t handle;
static int *device_ints; /* pivots from 0, info at 32 */

typedef cusolverStatus_t (*Routine)();
/* real_part, complex_part: what stands before the stem for S and D, for C and Z. */
static Routine routine(int type, const char *real_part, const char *complex_part, const char *stem)
{
    char name[64];
    snprintf(name, sizeof name, "cusolverDn%c%s%s", letters[type],
             type >= C ? complex_part : real_part, stem);
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (!symbol)
        fail_msg("no %s", name);
    Routine out;
    memcpy(&out, &symbol, sizeof out);
    return out;
}

static int info(void)
{
    int value = -99;
    cudaMemcpy(&value, device_ints + 32, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

/* Element of op(x) times op(y): sum over k of x(i, k) y(k, j), each conjugate transposed if asked.
 */
static Number product(const Number *x, int ldx, int hx, const Number *y, int ldy, int hy, int i,
                      int j, int count)
{
    Number sum = 0;
    for (int k = 0; k < count; k++)
        sum += (hx ? conj(x[i * ldx + k]) : x[k * ldx + i]) *
               (hy ? conj(y[k * ldy + j]) : y[j * ldy + k]);
    return sum;
}

static void solutions(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++)
        for (int pivoting = 0; pivoting < 2; pivoting++)
            for (int op = 0; op < 3; op++) {
                Array a = array_new(t, LD * N), b = array_new(t, LD * RIGHT);
                for (int i = 0; i < N; i++)
                    a.host[i * LD + i] += 3;
                upload(&a);
                int lwork = 0, *pivots = pivoting ? device_ints : NULL;
                OK(routine(t, "", "", "getrf_bufferSize")(handle, N, N, a.device, LD, &lwork));
                assert_true(lwork > 0);
                OK(routine(t, "", "", "getrf")(handle, N, N, a.device, LD, a.device, pivots,
                                               device_ints + 32));
                assert_int_equal(info(), 0);
                OK(routine(t, "", "", "getrs")(handle, op, N, RIGHT, a.device, LD, pivots, b.device,
                                               LD, device_ints + 32));
                Number *x = download(&b);
                for (int r = 0; r < RIGHT; r++)
                    for (int i = 0; i < N; i++) {
                        Number sum = 0;
                        for (int k = 0; k < N; k++) {
                            Number value = op ? a.host[i * LD + k] : a.host[k * LD + i];
                            sum += (op == 2 ? conj(value) : value) * x[r * LD + k];
                        }
                        expect_number("getrs", t, sum, b.host[r * LD + i]);
                    }
                free(x);
                array_free(&a);
                array_free(&b);
            }
}

static void cholesky(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++)
        for (int upper = 0; upper < 2; upper++) {
            Array g = array_new(t, LD * N), a = array_new(t, LD * N), b = array_new(t, LD * RIGHT);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    a.host[j * LD + i] = product(g.host, LD, 1, g.host, LD, 0, i, j, N) + (i == j);
            upload(&a);
            OK(routine(t, "", "", "potrf")(handle, upper, N, a.device, LD, a.device, 64,
                                           device_ints + 32));
            assert_int_equal(info(), 0);
            OK(routine(t, "", "", "potrs")(handle, upper, N, RIGHT, a.device, LD, b.device, LD,
                                           device_ints + 32));
            Number *x = download(&b);
            for (int r = 0; r < RIGHT; r++)
                for (int i = 0; i < N; i++)
                    expect_number("potrs", t, product(a.host, LD, 0, x, LD, 0, i, r, N),
                                  b.host[r * LD + i]);
            free(x);
            /* not positive definite: the minor that shows it */
            a.host[3 * LD + 3] = -50;
            upload(&a);
            OK(routine(t, "", "", "potrf")(handle, upper, N, a.device, LD, a.device, 64,
                                           device_ints + 32));
            assert_int_equal(info(), 4);
            array_free(&g);
            array_free(&a);
            array_free(&b);
        }
}

static void orthogonal(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        Array a = array_new(t, LD * N), c = array_new(t, LD * N), tau = array_new(t, N);
        OK(routine(t, "", "", "geqrf")(handle, M, N, a.device, LD, tau.device, a.device, 64,
                                       device_ints + 32));
        Number *factors = download(&a), r[N * N] = {0};
        for (int j = 0; j < N; j++)
            for (int i = 0; i <= j; i++)
                r[j * N + i] = factors[j * LD + i];
        OK(routine(t, "or", "un", "mqr")(handle, CUBLAS_SIDE_LEFT,
                                         t >= C ? CUBLAS_OP_C : CUBLAS_OP_T, M, N, N, a.device, LD,
                                         tau.device, c.device, LD, a.device, 64, device_ints + 32));
        assert_int_equal(info(), 0);
        Number *turned = download(&c);
        OK(routine(t, "or", "un", "gqr")(handle, M, N, N, a.device, LD, tau.device, a.device, 64,
                                         device_ints + 32));
        Number *q = download(&a);
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < M; i++)
                expect_number("Q R", t, product(q, LD, 0, r, N, 0, i, j, N), a.host[j * LD + i]);
            for (int i = 0; i < N; i++) {
                expect_number("Q' Q", t, product(q, LD, 1, q, LD, 0, i, j, M), i == j);
                expect_number("Q' C", t, product(q, LD, 1, c.host, LD, 0, i, j, M),
                              turned[j * LD + i]);
            }
        }
        free(factors);
        free(turned);
        free(q);
        array_free(&a);
        array_free(&c);
        array_free(&tau);
    }
}

static void singular_values(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++)
        for (int jacobi = 0; jacobi < 2; jacobi++) {
            int real = t == C ? S : t == Z ? D : t;
            Array a = array_new(t, LD * N), u = array_new(t, LD * M), v = array_new(t, LD * N);
            Array s = array_new(real, N);
            if (jacobi) {
                gesvdjInfo_t params;
                OK(cusolverDnCreateGesvdjInfo(&params));
                OK(cusolverDnXgesvdjSetTolerance(params, 1e-7));
                OK(routine(t, "", "", "gesvdj")(handle, CUSOLVER_EIG_MODE_VECTOR, 1, M, N, a.device,
                                                LD, s.device, u.device, LD, v.device, LD, a.device,
                                                64, device_ints + 32, params));
                OK(cusolverDnDestroyGesvdjInfo(params));
            } else {
                OK(routine(t, "", "", "gesvd")(handle, 'A', 'A', M, N, a.device, LD, s.device,
                                               u.device, LD, v.device, LD, a.device, 64, NULL,
                                               device_ints + 32));
            }
            assert_int_equal(info(), 0);
            Number *left = download(&u), *right = download(&v), *values = download(&s);
            for (int i = 1; i < N; i++)
                assert_true(creal(values[i]) <= creal(values[i - 1]) && creal(values[i]) >= 0);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++) {
                    Number sum = 0;
                    for (int k = 0; k < N; k++)
                        sum += left[k * LD + i] * values[k] *
                               (jacobi ? conj(right[k * LD + j]) : right[j * LD + k]);
                    expect_number("U S V'", t, sum, a.host[j * LD + i]);
                }
            free(left);
            free(right);
            free(values);
            array_free(&a);
            array_free(&u);
            array_free(&v);
            array_free(&s);
        }
}

static void eigenvalues(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++)
        for (int form = 0; form < 3; form++) { /* plain, Jacobi, with a second matrix */
            int real = t == C ? S : t == Z ? D : t;
            Array g = array_new(t, LD * N), a = array_new(t, LD * N), b = array_new(t, LD * N);
            Array w = array_new(real, N);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    a.host[j * LD + i] = g.host[j * LD + i] + conj(g.host[i * LD + j]);
                    b.host[j * LD + i] = product(g.host, LD, 1, g.host, LD, 0, i, j, N) + (i == j);
                }
            upload(&a);
            upload(&b);
            if (form == 2)
                OK(routine(t, "sy", "he", "gvd")(
                    handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER,
                    N, a.device, LD, b.device, LD, w.device, a.device, 64, device_ints + 32));
            else if (form == 1)
                OK(routine(t, "sy", "he", "evj")(handle, CUSOLVER_EIG_MODE_VECTOR,
                                                 CUBLAS_FILL_MODE_UPPER, N, a.device, LD, w.device,
                                                 a.device, 64, device_ints + 32, NULL));
            else
                OK(routine(t, "sy", "he", "evd")(handle, CUSOLVER_EIG_MODE_VECTOR,
                                                 CUBLAS_FILL_MODE_LOWER, N, a.device, LD, w.device,
                                                 a.device, 64, device_ints + 32));
            assert_int_equal(info(), 0);
            Number *v = download(&a), *values = download(&w);
            for (int j = 0; j < N; j++) {
                assert_true(j == 0 || creal(values[j]) >= creal(values[j - 1]));
                for (int i = 0; i < N; i++) {
                    Number right =
                        form == 2 ? product(b.host, LD, 0, v, LD, 0, i, j, N) : v[j * LD + i];
                    expect_number("A v", t, product(a.host, LD, 0, v, LD, 0, i, j, N),
                                  values[j] * right);
                }
            }
            free(v);
            free(values);
            array_free(&g);
            array_free(&a);
            array_free(&b);
            array_free(&w);
        }
}

static void statuses(void **state)
{
    (void)state;
    double *p;
    cudaMalloc((void **)&p, 4096);
    int lwork;
    assert_int_equal(cusolverDnDgetrf(NULL, 2, 2, p, 2, p, NULL, device_ints),
                     CUSOLVER_STATUS_NOT_INITIALIZED);
    assert_int_equal(cusolverDnDgetrf(handle, 4, 2, p, 2, p, NULL, device_ints),
                     CUSOLVER_STATUS_INVALID_VALUE);
    assert_int_equal(cusolverDnDgetrf_bufferSize(handle, -1, 2, p, 2, &lwork),
                     CUSOLVER_STATUS_INVALID_VALUE);
    assert_int_equal(
        cusolverDnDgesvd(handle, 'Q', 'A', 2, 2, p, 2, p, p, 2, p, 2, p, 9, p, device_ints),
        CUSOLVER_STATUS_INVALID_VALUE);
    /* a column of zeros */
    double zero[4] = {0, 0, 0, 0};
    cudaMemcpy(p, zero, sizeof zero, cudaMemcpyHostToDevice);
    OK(cusolverDnDgetrf(handle, 2, 2, p, 2, p, device_ints, device_ints + 32));
    assert_int_equal(info(), 1);
    OK(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 64, p, 64, p, 64, device_ints + 32));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(gpukit_reset(NULL));
}

static int create(void **state)
{
    (void)state;
    return cudaMalloc((void **)&device_ints, 1024) != cudaSuccess ||
           cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS;
}
static int destroy(void **state)
{
    (void)state;
    return cusolverDnDestroy(handle) != CUSOLVER_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions),   cmocka_unit_test(cholesky),
        cmocka_unit_test(orthogonal),  cmocka_unit_test(singular_values),
        cmocka_unit_test(eigenvalues), cmocka_unit_test(statuses)};
    return cmocka_run_group_tests(tests, create, destroy);
}
