/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusolver for S, D, C and Z by what its results must satisfy: A x = b, A = Q R, A = U S V', A v
 * = w v, orthogonal vectors; LAPACK's verdicts in devInfo; documented statuses. */
#include "device_values.h"

#include <gpukit/gpukit.h>

#include <cusolverDn.h>
#include <dlfcn.h>
#include <stdbool.h>

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

/* Element (i, j) of what lies column by column with LD rows. */
static Number at(const Number *x, int i, int j)
{
    return x[j * LD + i];
}
/* a times column `column` of x is `factor` times that column of y. */
static void expect_scaled(int t, const Number *a, const Number *x, Number factor, const Number *y,
                          int column)
{
    for (int i = 0; i < N; i++) {
        Number sum = 0;
        for (int k = 0; k < N; k++)
            sum += at(a, i, k) * at(x, k, column);
        assert_true(cabs(sum - factor * at(y, i, column)) < 200 * tolerance(t));
    }
}

/* x solves A x = b, both with RIGHT columns. */
static void expect_solution(const char *what, int type, const Number *a, const Array *b)
{
    Number *x = download(b);
    for (int r = 0; r < RIGHT; r++)
        for (int i = 0; i < N; i++) {
            Number sum = 0;
            for (int k = 0; k < N; k++)
                sum += at(a, i, k) * at(x, k, r);
            expect_number(what, type, sum, at(b->host, i, r));
        }
    free(x);
}

/* The interface with 64-bit sizes and types as arguments. */
static void wide_sizes(void **state)
{
    (void)state;
    static const cudaDataType data_type[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    int *verdict = device_ints + 32;
    cusolverDnParams_t params;
    OK(cusolverDnCreateParams(&params));
    OK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1));
    for (int t = 0; t < TYPES; t++) {
        int real = t == C ? S : t == Z ? D : t;
        cudaDataType type = data_type[t], of_reals = data_type[real];
        size_t device_bytes = 0, host_bytes = 99;
        int64_t *pivots, rows[N], found = 0;
        int narrow[N];
        cudaMalloc((void **)&pivots, sizeof rows);

        /* LU, its pivots as the narrow form has them */
        Array a = array_new(t, LD * N), b = array_new(t, LD * RIGHT), same = array_new(t, LD * N);
        memcpy(same.host, a.host, LD * N * sizeof *a.host);
        upload(&same);
        OK(cusolverDnXgetrf_bufferSize(handle, params, N, N, type, a.device, LD, type,
                                       &device_bytes, &host_bytes));
        assert_true(device_bytes > 0 && host_bytes == 0);
        OK(cusolverDnXgetrf(handle, params, N, N, type, a.device, LD, pivots, type, b.device, 0,
                            NULL, 0, verdict));
        assert_int_equal(info(), 0);
        OK(cusolverDnXgetrs(handle, params, CUBLAS_OP_N, N, RIGHT, type, a.device, LD, pivots, type,
                            b.device, LD, verdict));
        expect_solution("Xgetrs", t, a.host, &b);
        OK(routine(t, "", "", "getrf")(handle, N, N, same.device, LD, same.device, device_ints,
                                       verdict));
        cudaMemcpy(rows, pivots, sizeof rows, cudaMemcpyDeviceToHost);
        cudaMemcpy(narrow, device_ints, sizeof narrow, cudaMemcpyDeviceToHost);
        for (int i = 0; i < N; i++)
            assert_true(rows[i] == narrow[i] && narrow[i] > 0);

        /* Cholesky, and the inverse of the triangle */
        Array h = array_new(t, LD * N), c = array_new(t, LD * RIGHT);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                h.host[j * LD + i] = product(a.host, LD, 1, a.host, LD, 0, i, j, N) + 2 * (i == j);
        upload(&h);
        OK(cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_UPPER, N, type, h.device, LD, type,
                            NULL, 0, NULL, 0, verdict));
        OK(cusolverDnXpotrs(handle, params, CUBLAS_FILL_MODE_UPPER, N, RIGHT, type, h.device, LD,
                            type, c.device, LD, verdict));
        assert_int_equal(info(), 0);
        expect_solution("Xpotrs", t, h.host, &c);
        Number *upper = download(&h);
        OK(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT, N, type, h.device,
                            LD, NULL, 0, NULL, 0, verdict));
        assert_int_equal(info(), 0);
        Number *inverse = download(&h);
        for (int j = 0; j < N; j++)
            for (int i = 0; i <= j; i++) {
                Number sum = 0;
                for (int k = i; k <= j; k++)
                    sum += at(upper, i, k) * at(inverse, k, j);
                expect_number("Xtrtri", t, sum, i == j);
            }
        free(upper);
        free(inverse);

        /* eigenvalues 2 to 4 of 6 by number, then by value */
        Array w = array_new(real, N), few = array_new(real, N), v = array_new(t, LD * N);
        upload(&h);
        OK(cusolverDnXsyevd(handle, params, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, N,
                            type, h.device, LD, of_reals, w.device, type, NULL, 0, NULL, 0,
                            verdict));
        Number *all = download(&w);
        for (int by_value = 0; by_value < 2; by_value++) {
            double between[2] = {creal(all[0] + all[1]) / 2, creal(all[3] + all[4]) / 2};
            float narrow_between[2] = {(float)between[0], (float)between[1]};
            void *low = real == S ? (void *)&narrow_between[0] : (void *)&between[0];
            void *high = real == S ? (void *)&narrow_between[1] : (void *)&between[1];
            memcpy(v.host, h.host, LD * N * sizeof *h.host);
            upload(&v);
            OK(cusolverDnXsyevdx(handle, params, CUSOLVER_EIG_MODE_VECTOR,
                                 by_value ? CUSOLVER_EIG_RANGE_V : CUSOLVER_EIG_RANGE_I,
                                 CUBLAS_FILL_MODE_LOWER, N, type, v.device, LD, low, high, 2, 4,
                                 &found, of_reals, few.device, type, NULL, 0, NULL, 0, verdict));
            assert_int_equal(info(), 0);
            assert_int_equal(found, 3);
            Number *values = download(&few), *vectors = download(&v);
            for (int e = 0; e < 3; e++) {
                assert_true(cabs(values[e] - all[e + 1]) < 100 * tolerance(t));
                expect_scaled(t, h.host, vectors, values[e], vectors, e);
            }
            free(values);
            free(vectors);
        }
        free(all);

        /* the three largest singular values: A v = s u */
        Array u = array_new(t, LD * N);
        double error = 1;
        upload(&a);
        OK(cusolverDnXgesvdp(handle, params, CUSOLVER_EIG_MODE_VECTOR, 0, N, N, type, a.device, LD,
                             of_reals, w.device, type, u.device, LD, type, v.device, LD, type, NULL,
                             0, NULL, 0, verdict, &error));
        all = download(&w);
        assert_true(error == 0);
        upload(&a);
        OK(cusolverDnXgesvdr(handle, params, 'S', 'S', N, N, 3, 1, 2, type, a.device, LD, of_reals,
                             few.device, type, u.device, LD, type, v.device, LD, type, NULL, 0,
                             NULL, 0, verdict));
        assert_int_equal(info(), 0);
        Number *s = download(&few), *left = download(&u), *right = download(&v);
        for (int e = 0; e < 3; e++) {
            assert_true(creal(s[e]) > 0 && cabs(s[e] - all[e]) < 100 * tolerance(t));
            expect_scaled(t, a.host, right, s[e], left, e);
        }
        free(s);
        free(left);
        free(right);
        free(all);

        assert_int_equal(cusolverDnXgetrf(handle, params, N, N, CUDA_R_16F, a.device, LD, pivots,
                                          CUDA_R_16F, NULL, 0, NULL, 0, verdict),
                         CUSOLVER_STATUS_NOT_SUPPORTED);
        assert_int_equal(cusolverDnXgetrf(handle, params, (int64_t)1 << 33, N, type, a.device,
                                          (int64_t)1 << 33, pivots, type, NULL, 0, NULL, 0,
                                          verdict),
                         CUSOLVER_STATUS_NOT_SUPPORTED);
        assert_int_equal(cusolverDnXgetrf(handle, params, N, N, type, a.device, N - 1, pivots, type,
                                          NULL, 0, NULL, 0, verdict),
                         CUSOLVER_STATUS_INVALID_VALUE);
        cudaFree(pivots);
        Array *const used[] = {&a, &b, &same, &h, &c, &w, &few, &v, &u};
        for (size_t i = 0; i < sizeof used / sizeof *used; i++)
            array_free(used[i]);
    }
    OK(cusolverDnDestroyParams(params));
}

static void *pointers(char *base, size_t step)
{
    void *list[2] = {base, base + step}, *device;
    assert_int_equal(cudaMalloc(&device, sizeof list), cudaSuccess);
    cudaMemcpy(device, list, sizeof list, cudaMemcpyHostToDevice);
    return device;
}

/* Two matrices at once: Cholesky, eigenvalues, singular values, each as A x = b, A v = w v, A = U S V'. */
static void batches(void **state)
{
    (void)state;
    enum { EACH = LD * N };
    int *verdicts = device_ints + 32;
    for (int t = 0; t < TYPES; t++) {
        int real = t == C ? S : t == Z ? D : t, lwork;
        Array g = array_new(t, 2 * EACH), a = array_new(t, 2 * EACH), b = array_new(t, 2 * LD);
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    const Number *one = g.host + k * EACH;
                    a.host[k * EACH + j * LD + i] =
                        product(one, LD, 1, one, LD, 0, i, j, N) + (k + 1) * (i == j);
                }
        upload(&a);
        void *as = pointers(a.device, EACH * bytes_of(t)),
             *bs = pointers(b.device, LD * bytes_of(t));
        OK(routine(t, "", "", "potrfBatched")(handle, CUBLAS_FILL_MODE_LOWER, N, as, LD, verdicts,
                                              2));
        OK(routine(t, "", "", "potrsBatched")(handle, CUBLAS_FILL_MODE_LOWER, N, 1, as, LD, bs, LD,
                                              verdicts + 2, 2));
        int got[3] = {-1, -1, -1};
        cudaMemcpy(got, verdicts, sizeof got, cudaMemcpyDeviceToHost);
        assert_true(got[0] == 0 && got[1] == 0 && got[2] == 0);
        Number *x = download(&b);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < N; i++)
                expect_number("potrsBatched", t,
                              product(a.host + k * EACH, LD, 0, x + k * LD, LD, 0, i, 0, N),
                              b.host[k * LD + i]);
        free(x);
        /* the second is not positive definite */
        a.host[EACH + 2 * LD + 2] = -9;
        upload(&a);
        OK(routine(t, "", "", "potrfBatched")(handle, CUBLAS_FILL_MODE_LOWER, N, as, LD, verdicts,
                                              2));
        cudaMemcpy(got, verdicts, sizeof got, cudaMemcpyDeviceToHost);
        assert_true(got[0] == 0 && got[1] == 3);

        Array w = array_new(real, 2 * N);
        upload(&a);
        OK(routine(t, "sy", "he", "evjBatched_bufferSize")(handle, CUSOLVER_EIG_MODE_VECTOR,
                                                           CUBLAS_FILL_MODE_UPPER, N, a.device, LD,
                                                           w.device, &lwork, NULL, 2));
        OK(routine(t, "sy", "he", "evjBatched")(handle, CUSOLVER_EIG_MODE_VECTOR,
                                                CUBLAS_FILL_MODE_UPPER, N, a.device, LD, w.device,
                                                a.device, lwork, verdicts, NULL, 2));
        Number *v = download(&a), *values = download(&w);
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    expect_number("evjBatched", t,
                                  product(a.host + k * EACH, LD, 0, v + k * EACH, LD, 0, i, j, N),
                                  values[k * N + j] * v[k * EACH + j * LD + i]);
        free(v);
        free(values);

        /* singular values: all of M x N, and the largest two with the norm of what they leave */
        Array u = array_new(t, 2 * LD * M), vs = array_new(t, 2 * EACH);
        upload(&g);
        OK(routine(t, "", "", "gesvdjBatched_bufferSize")(handle, CUSOLVER_EIG_MODE_VECTOR, M, N,
                                                          g.device, LD, w.device, u.device, LD,
                                                          vs.device, LD, &lwork, NULL, 2));
        OK(routine(t, "", "", "gesvdjBatched")(handle, CUSOLVER_EIG_MODE_VECTOR, M, N, g.device, LD,
                                               w.device, u.device, LD, vs.device, LD, g.device,
                                               lwork, verdicts, NULL, 2));
        Number *left = download(&u), *right = download(&vs);
        values = download(&w);
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++) {
                    Number sum = 0;
                    for (int e = 0; e < N; e++)
                        sum += left[k * LD * M + e * LD + i] * values[k * N + e] *
                               conj(right[k * EACH + e * LD + j]);
                    expect_number("gesvdjBatched", t, sum, g.host[k * EACH + j * LD + i]);
                }
        free(left);
        free(right);
        upload(&g);
        Array few = array_new(real, 8);
        double norms[2] = {-1, -1};
        OK(routine(t, "", "", "gesvdaStridedBatched_bufferSize")(
            handle, CUSOLVER_EIG_MODE_VECTOR, 2, M, N, g.device, LD, (long long)EACH, few.device,
            4LL, u.device, LD, (long long)(2 * LD), vs.device, LD, (long long)(2 * LD), &lwork, 2));
        OK(routine(t, "", "", "gesvdaStridedBatched")(
            handle, CUSOLVER_EIG_MODE_VECTOR, 2, M, N, g.device, LD, (long long)EACH, few.device,
            4LL, u.device, LD, (long long)(2 * LD), vs.device, LD, (long long)(2 * LD), g.device,
            lwork, verdicts, norms, 2));
        expect_array("gesvda keeps A", &g, 0);
        Number *two = download(&few);
        for (int k = 0; k < 2; k++) {
            double rest = 0;
            for (int e = 2; e < N; e++)
                rest += creal(values[k * N + e]) * creal(values[k * N + e]);
            for (int e = 0; e < 2; e++)
                expect_number("gesvda", real, two[4 * k + e], values[k * N + e]);
            assert_true(fabs(norms[k] - sqrt(rest)) < 100 * tolerance(t));
        }
        free(two);
        free(values);
        cudaFree(as);
        cudaFree(bs);
        Array *const used[] = {&g, &a, &b, &w, &u, &vs, &few};
        for (size_t i = 0; i < sizeof used / sizeof *used; i++)
            array_free(used[i]);
    }
}

/* gesv and gels: X solves, A and B stay. */
static void refined(void **state)
{
    (void)state;
    static const char *const pairs[] = {"SS", "DD", "CC", "ZZ", "SH", "DS", "CK", "ZC"};
    for (size_t p = 0; p < 8; p++) {
        int t = (int)(p % 4), steps = -1;
        char name[64];
        Array a = array_new(t, LD * N), b = array_new(t, LD * RIGHT), x = array_new(t, LD * RIGHT);
        for (int i = 0; i < N; i++)
            a.host[i * LD + i] += 3;
        upload(&a);
        snprintf(name, sizeof name, "cusolverDn%sgesv", pairs[p]);
        void *symbol = dlsym(RTLD_DEFAULT, name);
        assert_non_null(symbol);
        cusolverStatus_t (*solve)(cusolverDnHandle_t, int, int, void *, int, int *, void *, int,
                                  void *, int, void *, size_t, int *, int *);
        memcpy(&solve, &symbol, sizeof solve);
        OK(solve(handle, N, RIGHT, a.device, LD, device_ints, b.device, LD, x.device, LD, NULL, 0,
                 &steps, device_ints + 32));
        assert_true(info() == 0 && steps == 0);
        Number *got = download(&x);
        for (int r = 0; r < RIGHT; r++)
            for (int i = 0; i < N; i++)
                expect_number("gesv", t, product(a.host, LD, 0, got, LD, 0, i, r, N),
                              b.host[r * LD + i]);
        free(got);
        expect_array("gesv keeps A", &a, 1);
        expect_array("gesv keeps B", &b, 0);
        array_free(&a);

        /* more equations than unknowns: what is left is orthogonal to every column */
        snprintf(name, sizeof name, "cusolverDn%sgels", pairs[p]);
        symbol = dlsym(RTLD_DEFAULT, name);
        assert_non_null(symbol);
        cusolverStatus_t (*least_squares)(cusolverDnHandle_t, int, int, int, void *, int, void *,
                                          int, void *, int, void *, size_t, int *, int *);
        memcpy(&least_squares, &symbol, sizeof least_squares);
        a = array_new(t, LD * N);
        OK(least_squares(handle, M, N, RIGHT, a.device, LD, b.device, LD, x.device, LD, NULL, 0,
                         &steps, device_ints + 32));
        assert_int_equal(info(), 0);
        got = download(&x);
        for (int r = 0; r < RIGHT; r++) {
            Number rest[M];
            for (int i = 0; i < M; i++)
                rest[i] = b.host[r * LD + i] - product(a.host, LD, 0, got, LD, 0, i, r, N);
            for (int j = 0; j < N; j++) {
                Number sum = 0;
                for (int i = 0; i < M; i++)
                    sum += conj(a.host[j * LD + i]) * rest[i];
                expect_number("gels", t, sum, 0);
            }
        }
        free(got);
        array_free(&a);
        array_free(&b);
        array_free(&x);
    }
}

/* What the Jacobi forms report: a small residual, and a large one after the matrix's other triangle counts. */
static void residuals(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        int real = t == C ? S : t == Z ? D : t, sweeps = -1;
        Array a = array_new(t, LD * N), w = array_new(real, N), u = array_new(t, LD * M),
              v = array_new(t, LD * N);
        syevjInfo_t eigen;
        gesvdjInfo_t singular;
        double left = -1;
        OK(cusolverDnCreateSyevjInfo(&eigen));
        OK(cusolverDnCreateGesvdjInfo(&singular));
        OK(routine(t, "sy", "he", "evj")(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                                         N, a.device, LD, w.device, a.device, 64, device_ints + 32,
                                         eigen));
        OK(cusolverDnXsyevjGetResidual(handle, eigen, &left));
        OK(cusolverDnXsyevjGetSweeps(handle, eigen, &sweeps));
        assert_true(left > 0 && left < 10 * tolerance(t) && sweeps == 0);
        for (int economy = 0; economy < 2; economy++) {
            upload(&a);
            left = -1;
            OK(routine(t, "", "", "gesvdj")(handle, CUSOLVER_EIG_MODE_VECTOR, economy, M, N,
                                            a.device, LD, w.device, u.device, LD, v.device, LD,
                                            a.device, 64, device_ints + 32, singular));
            OK(cusolverDnXgesvdjGetResidual(handle, singular, &left));
            assert_true(left > 0 && left < 10 * tolerance(t));
        }
        OK(cusolverDnDestroySyevjInfo(eigen));
        OK(cusolverDnDestroyGesvdjInfo(singular));
        Array *const used[] = {&a, &w, &u, &v};
        for (size_t i = 0; i < sizeof used / sizeof *used; i++)
            array_free(used[i]);
    }
}

/* A v = w v with any A: real ones give pairs, as complex numbers or as parts. And sygvdx: of A v = w B v some. */
static void general_eigenvalues(void **state)
{
    (void)state;
    static const cudaDataType data_type[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    int *verdict = device_ints + 32;
    for (int t = 0; t < TYPES; t++)
        for (int parts = 0; parts < (t < C ? 2 : 1); parts++) {
            int wide = t >= C ? t : t == S ? C : Z;
            Array a = array_new(t, LD * N), v = array_new(t, LD * N), w = array_new(wide, N);
            size_t device_bytes, host_bytes;
            cudaDataType type = data_type[t], values_type = parts ? type : data_type[wide];
            /* a turn by 90 degrees in the first two rows, so that some values are not real */
            for (int j = 0; j < N; j++)
                a.host[j * LD] = a.host[j * LD + 1] = 0;
            a.host[LD] = -2;
            a.host[1] = 2;
            upload(&a);
            OK(cusolverDnXgeev_bufferSize(handle, NULL, CUSOLVER_EIG_MODE_NOVECTOR,
                                          CUSOLVER_EIG_MODE_VECTOR, N, type, a.device, LD,
                                          values_type, w.device, type, NULL, 1, type, v.device, LD,
                                          type, &device_bytes, &host_bytes));
            OK(cusolverDnXgeev(handle, NULL, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR,
                               N, type, a.device, LD, values_type, w.device, type, NULL, 1, type,
                               v.device, LD, type, NULL, 0, NULL, 0, verdict));
            assert_int_equal(info(), 0);
            Number values[N], *vectors = download(&v);
            char raw[2 * N * 16];
            cudaMemcpy(raw, w.device, N * bytes_of(wide), cudaMemcpyDeviceToHost);
            int turned = 0;
            for (int i = 0; i < N; i++) {
                values[i] = parts ? get(t, raw, (size_t)i) + I * get(t, raw, (size_t)(N + i))
                                  : get(wide, raw, (size_t)i);
                turned += fabs(fabs(cimag(values[i])) - 2) < 1e-3 && fabs(creal(values[i])) < 1e-3;
            }
            assert_int_equal(turned, 2);
            for (int j = 0; j < N; j++) {
                bool pair = t < C && cimag(values[j]) != 0, second = pair && cimag(values[j]) < 0;
                for (int i = 0; i < N; i++) {
                    Number sum = 0, own = 0;
                    for (int k = 0; k <= N; k++) { /* the row's product, then the element itself */
                        int row = k < N ? k : i;
                        Number part = at(vectors, row, second ? j - 1 : j);
                        if (pair)
                            part += (second ? -I : I) * at(vectors, row, second ? j : j + 1);
                        if (k < N)
                            sum += at(a.host, i, k) * part;
                        else
                            own = part;
                    }
                    expect_number("Xgeev", t, sum, values[j] * own);
                }
            }
            free(vectors);
            array_free(&a);
            array_free(&v);
            array_free(&w);
        }
    for (int t = 0; t < TYPES; t++) {
        int real = t == C ? S : t == Z ? D : t, found = 0;
        Array g = array_new(t, LD * N), a = array_new(t, LD * N), b = array_new(t, LD * N),
              w = array_new(real, N);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                a.host[j * LD + i] = g.host[j * LD + i] + conj(g.host[i * LD + j]);
                b.host[j * LD + i] = product(g.host, LD, 1, g.host, LD, 0, i, j, N) + (i == j);
            }
        upload(&a);
        upload(&b);
        typedef cusolverStatus_t Single(cusolverDnHandle_t, int, int, int, int, int, void *, int,
                                        void *, int, float, float, int, int, int *, void *, void *,
                                        int, int *);
        typedef cusolverStatus_t Double(cusolverDnHandle_t, int, int, int, int, int, void *, int,
                                        void *, int, double, double, int, int, int *, void *,
                                        void *, int, int *);
        Routine call = routine(t, "sy", "he", "gvdx");
        if (real == S)
            OK(((Single *)call)(handle, 1, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_I,
                                CUBLAS_FILL_MODE_UPPER, N, a.device, LD, b.device, LD, 0, 0, 2, 4,
                                &found, w.device, a.device, 64, verdict));
        else
            OK(((Double *)call)(handle, 1, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_I,
                                CUBLAS_FILL_MODE_UPPER, N, a.device, LD, b.device, LD, 0, 0, 2, 4,
                                &found, w.device, a.device, 64, verdict));
        assert_int_equal(info(), 0);
        assert_int_equal(found, 3);
        Number *v = download(&a), *values = download(&w);
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < N; i++)
                expect_number("gvdx", t, product(a.host, LD, 0, v, LD, 0, i, j, N),
                              values[j] * product(b.host, LD, 0, v, LD, 0, i, j, N));
        free(v);
        free(values);
        Array *const used[] = {&g, &a, &b, &w};
        for (size_t i = 0; i < sizeof used / sizeof *used; i++)
            array_free(used[i]);
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
        cmocka_unit_test(eigenvalues), cmocka_unit_test(wide_sizes),
        cmocka_unit_test(batches),     cmocka_unit_test(refined),
        cmocka_unit_test(residuals),   cmocka_unit_test(general_eigenvalues),
        cmocka_unit_test(statuses)};
    return cmocka_run_group_tests(tests, create, destroy);
}
