/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: routines on vectors whose element types are data, groups of batches, updates and products of complex
 * numbers by type, half-precision matrices times vectors; against plain loops. */
#include "device_values.h"

#include <cublas_v2.h>
#include <stdbool.h>

#define OK(call) assert_int_equal(call, CUBLAS_STATUS_SUCCESS)
static cublasHandle_t handle;
static const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

static Number with_type(int type, Number v)
{
    return type >= C ? v : creal(v);
}
static void *scalar(int type, Number value, void *room)
{
    put(type, room, 0, value);
    return room;
}

/* Every second element of x, y from its end. */
static void vectors(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    for (int t = 0; t < TYPES; t++) {
        Array x = array_new(t, 2 * COUNT), y = array_new(t, COUNT);
        double rc[2], rs[2], result[2] = {0, 0};
        Number sine = with_type(t, 0.25 - 0.5 * I), alpha = with_type(t, 0.5 + 0.25 * I);
        int real = t == C ? S : t == Z ? D : t;
#define X(i) x.host[2 * (i)]
#define Y(i) y.host[COUNT - 1 - (i)]
        OK(cublasRotEx(handle, COUNT, x.device, types[t], 2, y.device, types[t], -1,
                       scalar(t, 0.75, rc), scalar(t, sine, rs), types[t], types[t]));
        for (int i = 0; i < COUNT; i++) {
            Number v = X(i), w = Y(i);
            X(i) = 0.75 * v + sine * w;
            Y(i) = 0.75 * w - conj(sine) * v;
        }
        expect_array("RotEx: x", &x, 4);
        expect_array("RotEx: y", &y, 4);
        OK(cublasAxpyEx(handle, COUNT, scalar(t, alpha, rc), types[t], x.device, types[t], 2,
                        y.device, types[t], -1, types[t]));
        OK(cublasScalEx(handle, COUNT, scalar(t, alpha, rc), types[t], x.device, types[t], 2,
                        types[t]));
        Number dot = 0, conjugate = 0;
        double square = 0;
        for (int i = 0; i < COUNT; i++) {
            Y(i) += alpha * X(i);
            X(i) *= alpha;
            dot += X(i) * Y(i);
            conjugate += conj(X(i)) * Y(i);
            square += creal(X(i) * conj(X(i)));
        }
        expect_array("ScalEx", &x, 4);
        expect_array("AxpyEx", &y, 4);
        OK(cublasDotEx(handle, COUNT, x.device, types[t], 2, y.device, types[t], -1, result,
                       types[t], types[t]));
        expect_number("DotEx", t, get(t, result, 0), dot);
        OK(cublasDotcEx(handle, COUNT, x.device, types[t], 2, y.device, types[t], -1, result,
                        types[t], types[t]));
        expect_number("DotcEx", t, get(t, result, 0), conjugate);
        OK(cublasNrm2Ex(handle, COUNT, x.device, types[t], 2, result, types[real], types[real]));
        expect_number("Nrm2Ex", real, get(real, result, 0), sqrt(square));
        int most = 0, least = 0, got = -1;
        for (int i = 1; i < COUNT; i++) {
            double size = fabs(creal(X(i))) + fabs(cimag(X(i)));
            most = size > fabs(creal(X(most))) + fabs(cimag(X(most))) ? i : most;
            least = size < fabs(creal(X(least))) + fabs(cimag(X(least))) ? i : least;
        }
        OK(cublasIamaxEx(handle, COUNT, x.device, types[t], 2, &got));
        assert_int_equal(got, most + 1);
        OK(cublasIaminEx(handle, COUNT, x.device, types[t], 2, &got));
        assert_int_equal(got, least + 1);
        OK(cublasSwapEx(handle, COUNT, x.device, types[t], 2, y.device, types[t], -1));
        for (int i = 0; i < COUNT; i++) {
            Number v = X(i);
            X(i) = Y(i);
            Y(i) = v;
        }
        expect_array("SwapEx: x", &x, 4);
        expect_array("SwapEx: y", &y, 4);
        OK(cublasCopyEx(handle, COUNT, x.device, types[t], 2, y.device, types[t], -1));
        for (int i = 0; i < COUNT; i++)
            Y(i) = X(i);
        expect_array("CopyEx", &y, 4);
        for (int flag = -2; flag <= 1 && t < C; flag++) {
            const double numbers[5] = {flag, 0.5, -0.25, 0.75, 1.5};
            double h[4] = {numbers[1], numbers[2], numbers[3], numbers[4]};
            char typed[40];
            for (size_t i = 0; i < 5; i++)
                put(t, typed, i, numbers[i]);
            if (flag == -2 || flag == 0)
                h[0] = h[3] = 1;
            if (flag == -2)
                h[1] = h[2] = 0;
            if (flag == 1)
                h[1] = -1, h[2] = 1;
            OK(cublasRotmEx(handle, COUNT, x.device, types[t], 2, y.device, types[t], -1, typed,
                            types[t], types[t]));
            for (int i = 0; i < COUNT; i++) {
                Number v = X(i), w = Y(i);
                X(i) = h[0] * v + h[2] * w;
                Y(i) = h[1] * v + h[3] * w;
            }
            expect_array("RotmEx: x", &x, 4);
            expect_array("RotmEx: y", &y, 4);
        }
        array_free(&x);
        array_free(&y);
    }
    int *p;
    assert_int_equal(cublasRotEx(handle, 1, (void *)&p, CUDA_R_8I, 1, (void *)&p, CUDA_R_8I, 1, &p,
                                 &p, CUDA_R_32F, CUDA_R_32F),
                     CUBLAS_STATUS_NOT_SUPPORTED);
}

/* Two groups: two products of 3 x 2 x 4, one of 2 x 5 x 3 with B transposed. */
static void groups(void **state)
{
    (void)state;
    static const int m[] = {3, 2}, n[] = {2, 5}, k[] = {4, 3}, size[] = {2, 1}, lda[] = {3, 2},
                     ldb[] = {4, 5}, ldc[] = {3, 2};
    static const cublasOperation_t ta[] = {CUBLAS_OP_N, CUBLAS_OP_N},
                                   tb[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    for (int t = S; t <= D; t++)
        for (int form = 0; form < 2; form++) {
            Array a[3], b[3], c[3];
            void *as[3], *bs[3], *cs[3], **device;
            double alphas[2], betas[2];
            for (size_t g = 0; g < 2; g++) {
                put(t, alphas, g, g ? -0.5 : 2);
                put(t, betas, g, g ? 1 : 0.25);
            }
            for (int i = 0; i < 3; i++) {
                int g = i / 2;
                a[i] = array_new(t, (size_t)(m[g] * k[g]));
                b[i] = array_new(t, (size_t)(k[g] * n[g]));
                c[i] = array_new(t, (size_t)(m[g] * n[g]));
                as[i] = a[i].device, bs[i] = b[i].device, cs[i] = c[i].device;
            }
            cudaMalloc((void **)&device, 9 * sizeof *device);
            cudaMemcpy(device, as, sizeof as, cudaMemcpyHostToDevice);
            cudaMemcpy(device + 3, bs, sizeof bs, cudaMemcpyHostToDevice);
            cudaMemcpy(device + 6, cs, sizeof cs, cudaMemcpyHostToDevice);
            const void *const *pa = (const void *const *)device, *const *pb = pa + 3;
            if (form)
                OK(cublasGemmGroupedBatchedEx(handle, ta, tb, m, n, k, alphas, pa, types[t], lda,
                                              pb, types[t], ldb, betas, device + 6, types[t], ldc,
                                              2, size,
                                              t == S ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F));
            else if (t == S)
                OK(cublasSgemmGroupedBatched(handle, ta, tb, m, n, k, (const float *)alphas,
                                             (const float *const *)pa, lda,
                                             (const float *const *)pb, ldb, (const float *)betas,
                                             (float *const *)(device + 6), ldc, 2, size));
            else
                OK(cublasDgemmGroupedBatched(handle, ta, tb, m, n, k, alphas,
                                             (const double *const *)pa, lda,
                                             (const double *const *)pb, ldb, betas,
                                             (double *const *)(device + 6), ldc, 2, size));
            for (int i = 0; i < 3; i++) {
                int g = i / 2;
                for (int row = 0; row < m[g]; row++)
                    for (int col = 0; col < n[g]; col++) {
                        Number sum = 0, *to = &c[i].host[col * m[g] + row];
                        for (int l = 0; l < k[g]; l++)
                            sum += a[i].host[l * m[g] + row] *
                                   b[i].host[g ? l * ldb[g] + col : col * ldb[g] + l];
                        *to = (g ? -0.5 : 2) * sum + (g ? 1 : 0.25) * *to;
                    }
                expect_array("a group", &c[i], 10);
                array_free(&a[i]);
                array_free(&b[i]);
                array_free(&c[i]);
            }
            cudaFree(device);
        }
}

static void complex_by_type(void **state)
{
    (void)state;
    enum { N = 4, K = 3 };
    Array a = array_new(C, N * K), c = array_new(C, N * N), d = array_new(C, N * N);
    const cuComplex one = {1, 0}, zero = {0, 0};
    const float real_one = 1, real_zero = 0;
    for (int form = 0; form < 4; form++) {
        bool hermitian = form & 1;
        if (form == 0)
            OK(cublasCsyrkEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &one, a.device,
                             CUDA_C_32F, N, &zero, c.device, CUDA_C_32F, N));
        else if (form == 1)
            OK(cublasCherkEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &real_one, a.device,
                             CUDA_C_32F, N, &real_zero, c.device, CUDA_C_32F, N));
        else if (form == 2)
            OK(cublasCsyrk3mEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &one, a.device,
                               CUDA_C_32F, N, &zero, c.device, CUDA_C_32F, N));
        else
            OK(cublasCherk3mEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &real_one,
                               a.device, CUDA_C_32F, N, &real_zero, c.device, CUDA_C_32F, N));
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                Number sum = 0;
                for (int k = 0; k < K; k++)
                    sum += a.host[k * N + i] *
                           (hermitian ? conj(a.host[k * N + j]) : a.host[k * N + j]);
                d.host[j * N + i] = sum;
                if (i >= j)
                    c.host[j * N + i] = sum;
            }
        expect_array("a rank-k update", &c, 10);
        if (hermitian)
            OK(cublasCgemm3mEx(handle, CUBLAS_OP_N, CUBLAS_OP_C, N, N, K, &one, a.device,
                               CUDA_C_32F, N, a.device, CUDA_C_32F, N, &zero, d.device, CUDA_C_32F,
                               N));
        else
            OK(cublasCgemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, N, N, K, &one, a.device, CUDA_C_32F,
                             N, a.device, CUDA_C_32F, N, &zero, d.device, CUDA_C_32F, N));
        expect_array("a product", &d, 10);
    }
    assert_int_equal(cublasCherkEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &real_one,
                                   a.device, CUDA_C_8I, N, &real_zero, c.device, CUDA_C_32F, N),
                     CUBLAS_STATUS_NOT_SUPPORTED);
    array_free(&a);
    array_free(&c);
    array_free(&d);
}

/* Not in the header, which knows no half precision on the host. */
cublasStatus_t cublasHSSgemvStridedBatched(cublasHandle_t, cublasOperation_t, int, int,
                                           const float *, const void *, int, long long,
                                           const void *, int, long long, const float *, float *,
                                           int, long long, int);

static void halves(void **state)
{
    (void)state;
    /* small whole numbers as halves */
    static const uint16_t half[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
    enum { M = 2, N = 3, STEP = 2 };
    uint16_t a[2 * M * N], x[2 * N * STEP], *device;
    float y[2 * N * STEP], *out;
    for (int i = 0; i < 2 * M * N; i++)
        a[i] = half[(i * 5) % 7];
    for (int i = 0; i < 2 * N * STEP; i++)
        x[i] = half[(i * 3 + 1) % 7];
    cudaMalloc((void **)&device, sizeof a + sizeof x);
    cudaMalloc((void **)&out, sizeof y);
    cudaMemcpy(device, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(device + 2 * M * N, x, sizeof x, cudaMemcpyHostToDevice);
    const float two = 2, zero = 0;
    for (int op = 0; op < 2; op++) {
        int rows = op ? N : M, terms = op ? M : N;
        cudaMemset(out, 0xff, sizeof y);
        OK(cublasHSSgemvStridedBatched(handle, op ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, &two, device,
                                       M, M * N, device + 2 * M * N, STEP, N * STEP, &zero, out,
                                       STEP, N * STEP, 2));
        cudaMemcpy(y, out, sizeof y, cudaMemcpyDeviceToHost);
        for (int b = 0; b < 2; b++)
            for (int i = 0; i < rows; i++) {
                int sum = 0;
                for (int j = 0; j < terms; j++)
                    sum += (((op ? i * M + j : j * M + i) + b * M * N) * 5) % 7 *
                           (((b * N + j) * STEP * 3 + 1) % 7);
                assert_true(y[(b * N + i) * STEP] == 2 * (float)sum);
            }
    }
    cudaFree(device);
    cudaFree(out);
}

static int start(void **state)
{
    (void)state;
    return cublasCreate_v2(&handle) != CUBLAS_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors), cmocka_unit_test(groups),
                                       cmocka_unit_test(complex_by_type), cmocka_unit_test(halves)};
    return cmocka_run_group_tests(tests, start, NULL);
}
