/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas against plain loops in double complex, for S, D, C and Z: levels 1 to 3, batches, mixed
 * types; documented statuses for bad arguments; stream order, device pointers, capture, faults. */
#include "device_values.h"

#include <gpukit/gpukit.h>

#include <cublas_v2.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <time.h>

static cublasHandle_t handle;

/* A routine by letter and stem; arguments are ints and pointers, which need no prototype. */
typedef cublasStatus_t (*Routine)();
static Routine routine(const char *format, int type)
{
    char name[64];
    snprintf(name, sizeof name, format, letters[type]);
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (!symbol)
        fail_msg("no %s", name);
    Routine out;
    memcpy(&out, &symbol, sizeof out);
    return out;
}
static Routine named(const char *name)
{
    return routine(name, S);
}

#define OK(call)  assert_int_equal(call, CUBLAS_STATUS_SUCCESS)
#define EACH_TYPE for (int t = 0; t < TYPES; t++)

static Number value_of(int type, const void *at)
{
    return get(type, at, 0);
}
/* A scalar in the type, in host memory. */
static const void *scalar(int type, Number value, void *room)
{
    put(type, room, 0, value);
    return room;
}
static Number element(const Array *a, int ld, int op, int i, int j)
{
    if (op == CUBLAS_OP_N)
        return a->host[(size_t)j * (size_t)ld + (size_t)i];
    Number value = a->host[(size_t)i * (size_t)ld + (size_t)j];
    return op == CUBLAS_OP_C ? conj(value) : value;
}
/* Element i of a vector with a step, as BLAS counts it for negative ones. */
static size_t at(int i, int n, int inc)
{
    return (size_t)(inc > 0 ? i * inc : (1 - n + i) * inc);
}
/* Element (i, j) of a matrix of which one triangle counts. */
static Number half_element(const Array *a, int ld, int upper, int hermitian, int i, int j)
{
    int stored = upper ? i <= j : i >= j;
    Number value = stored ? a->host[j * ld + i] : a->host[i * ld + j];
    if (hermitian && i == j)
        return creal(value);
    return hermitian && !stored ? conj(value) : value;
}
static Number triangle_element(const Array *a, int ld, int upper, int unit, int i, int j)
{
    if (i == j && unit)
        return 1;
    return (upper ? i <= j : i >= j) ? a->host[j * ld + i] : 0;
}
static int real_of(int type)
{
    return type == C ? S : type == Z ? D : type;
}

static void level1(void **state)
{
    (void)state;
    enum { N = 37 };
    EACH_TYPE
    {
        unsigned char room[16], room2[16], result[16];
        Number alpha = t >= C ? 0.75 - 0.5 * I : 0.75;
        int incs[][2] = {{1, 1}, {2, 3}, {-1, 2}};
        for (int v = 0; v < 3; v++) {
            int ix = incs[v][0], iy = incs[v][1];
            Array x = array_new(t, 3 * N), y = array_new(t, 3 * N);
            OK(routine("cublas%caxpy_v2", t)(handle, N, scalar(t, alpha, room), x.device, ix,
                                             y.device, iy));
            for (int i = 0; i < N; i++)
                y.host[at(i, N, iy)] += alpha * x.host[at(i, N, ix)];
            expect_array("axpy", &y, 1);
            /* dot of what is there now */
            Number plain = 0, conjugated = 0;
            for (int i = 0; i < N; i++) {
                plain += x.host[at(i, N, ix)] * y.host[at(i, N, iy)];
                conjugated += conj(x.host[at(i, N, ix)]) * y.host[at(i, N, iy)];
            }
            OK(routine(t >= C ? "cublas%cdotu_v2" : "cublas%cdot_v2", t)(handle, N, x.device, ix,
                                                                         y.device, iy, result));
            expect_number("dot", t, value_of(t, result), plain);
            if (t >= C) {
                OK(routine("cublas%cdotc_v2", t)(handle, N, x.device, ix, y.device, iy, result));
                expect_number("dotc", t, value_of(t, result), conjugated);
            }
            OK(routine("cublas%cswap_v2", t)(handle, N, x.device, ix, y.device, iy));
            for (int i = 0; i < N; i++) {
                Number swap = x.host[at(i, N, ix)];
                x.host[at(i, N, ix)] = y.host[at(i, N, iy)];
                y.host[at(i, N, iy)] = swap;
            }
            expect_array("swap x", &x, 1);
            expect_array("swap y", &y, 1);
            /* rotation: c real, s of the type */
            double c = 0.8;
            Number s = t >= C ? 0.36 + 0.48 * I : 0.6;
            OK(routine("cublas%crot_v2", t)(handle, N, x.device, ix, y.device, iy,
                                            scalar(real_of(t), c, room), scalar(t, s, room2)));
            for (int i = 0; i < N; i++) {
                Number p = x.host[at(i, N, ix)], q = y.host[at(i, N, iy)];
                x.host[at(i, N, ix)] = c * p + s * q;
                y.host[at(i, N, iy)] = c * q - conj(s) * p;
            }
            expect_array("rot x", &x, 2);
            expect_array("rot y", &y, 2);
            OK(routine("cublas%ccopy_v2", t)(handle, N, x.device, ix, y.device, iy));
            for (int i = 0; i < N; i++)
                y.host[at(i, N, iy)] = x.host[at(i, N, ix)];
            expect_array("copy", &y, 2);
            if (ix > 0) {
                OK(routine("cublas%cscal_v2", t)(handle, N, scalar(t, alpha, room), x.device, ix));
                double sum = 0, squares = 0, most = -1, fewest = 1e9;
                int largest = 0, smallest = 0;
                for (int i = 0; i < N; i++) {
                    Number value = x.host[at(i, N, ix)] *= alpha;
                    double size = fabs(creal(value)) + fabs(cimag(value));
                    sum += size;
                    squares += creal(value * conj(value));
                    if (size > most)
                        most = size, largest = i + 1;
                    if (size < fewest)
                        fewest = size, smallest = i + 1;
                }
                expect_array("scal", &x, 2);
                static const char *const norms[] = {"cublasSnrm2_v2", "cublasDnrm2_v2",
                                                    "cublasScnrm2_v2", "cublasDznrm2_v2"};
                static const char *const sums[] = {"cublasSasum_v2", "cublasDasum_v2",
                                                   "cublasScasum_v2", "cublasDzasum_v2"};
                static const char *const amax[] = {"cublasIsamax_v2", "cublasIdamax_v2",
                                                   "cublasIcamax_v2", "cublasIzamax_v2"};
                static const char *const amin[] = {"cublasIsamin_v2", "cublasIdamin_v2",
                                                   "cublasIcamin_v2", "cublasIzamin_v2"};
                int index = 0;
                OK(named(norms[t])(handle, N, x.device, ix, result));
                expect_number("nrm2", t, value_of(real_of(t), result), sqrt(squares));
                OK(named(sums[t])(handle, N, x.device, ix, result));
                expect_number("asum", t, value_of(real_of(t), result), sum);
                OK(named(amax[t])(handle, N, x.device, ix, &index));
                assert_int_equal(index, largest);
                OK(named(amin[t])(handle, N, x.device, ix, &index));
                assert_int_equal(index, smallest);
                OK(named(amax[t])(handle, 0, x.device, ix, &index));
                assert_int_equal(index, 0);
            }
            array_free(&x);
            array_free(&y);
        }
    }
}

static void level2(void **state)
{
    (void)state;
    enum { M = 13, N = 9, LD = 15 };
    EACH_TYPE
    {
        unsigned char ra[16], rb[16];
        Number alpha = t >= C ? 0.5 + 0.25 * I : 0.5, beta = t >= C ? -0.5 + I : -0.5;
        for (int op = 0; op < 3; op++) {
            Array a = array_new(t, LD * N), x = array_new(t, 2 * M), y = array_new(t, 2 * M);
            int nx = op ? M : N, ny = op ? N : M;
            OK(routine("cublas%cgemv_v2", t)(handle, op, M, N, scalar(t, alpha, ra), a.device, LD,
                                             x.device, 2, scalar(t, beta, rb), y.device, -1));
            for (int i = 0; i < ny; i++) {
                Number sum = 0;
                for (int j = 0; j < nx; j++)
                    sum += element(&a, LD, op, i, j) * x.host[at(j, nx, 2)];
                y.host[at(i, ny, -1)] = alpha * sum + beta * y.host[at(i, ny, -1)];
            }
            expect_array("gemv", &y, 4);
            array_free(&a);
            array_free(&x);
            array_free(&y);
        }
        /* rank one */
        for (int conjugate = 0; conjugate <= (t >= C); conjugate++) {
            Array a = array_new(t, LD * N), x = array_new(t, 2 * M), y = array_new(t, 2 * M);
            OK(routine(t < C       ? "cublas%cger_v2"
                       : conjugate ? "cublas%cgerc_v2"
                                   : "cublas%cgeru_v2",
                       t)(handle, M, N, scalar(t, alpha, ra), x.device, 1, y.device, 2, a.device,
                          LD));
            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++)
                    a.host[j * LD + i] +=
                        alpha * x.host[i] *
                        (conjugate ? conj(y.host[at(j, N, 2)]) : y.host[at(j, N, 2)]);
            expect_array("ger", &a, 2);
            array_free(&a);
            array_free(&x);
            array_free(&y);
        }
        for (int upper = 0; upper < 2; upper++)
            for (int hermitian = 0; hermitian <= (t >= C); hermitian++) {
                Array a = array_new(t, LD * M), x = array_new(t, 2 * M), y = array_new(t, 2 * M);
                OK(routine(hermitian ? "cublas%chemv_v2" : "cublas%csymv_v2",
                           t)(handle, upper, M, scalar(t, alpha, ra), a.device, LD, x.device, 1,
                              scalar(t, beta, rb), y.device, 2));
                for (int i = 0; i < M; i++) {
                    Number sum = 0;
                    for (int j = 0; j < M; j++)
                        sum += half_element(&a, LD, upper, hermitian, i, j) * x.host[j];
                    y.host[at(i, M, 2)] = alpha * sum + beta * y.host[at(i, M, 2)];
                }
                expect_array("symv", &y, 4);
                /* updates of one triangle: x x', then x y' + y x' */
                Number by = hermitian ? 0.5 : alpha;
                OK(routine(hermitian ? "cublas%cher_v2" : "cublas%csyr_v2",
                           t)(handle, upper, M, scalar(hermitian ? real_of(t) : t, by, ra),
                              x.device, 1, a.device, LD));
                for (int j = 0; j < M; j++)
                    for (int i = 0; i < M; i++)
                        if (upper ? i <= j : i >= j) {
                            a.host[j * LD + i] +=
                                by * x.host[i] * (hermitian ? conj(x.host[j]) : x.host[j]);
                            if (hermitian && i == j)
                                a.host[j * LD + i] = creal(a.host[j * LD + i]);
                        }
                expect_array("syr", &a, 2);
                OK(routine(hermitian ? "cublas%cher2_v2" : "cublas%csyr2_v2",
                           t)(handle, upper, M, scalar(t, alpha, ra), x.device, -1, y.device, 2,
                              a.device, LD));
                for (int j = 0; j < M; j++)
                    for (int i = 0; i < M; i++)
                        if (upper ? i <= j : i >= j) {
                            Number xi = x.host[at(i, M, -1)], xj = x.host[at(j, M, -1)];
                            Number yi = y.host[at(i, M, 2)], yj = y.host[at(j, M, 2)];
                            a.host[j * LD + i] +=
                                hermitian ? alpha * xi * conj(yj) + conj(alpha) * yi * conj(xj)
                                          : alpha * (xi * yj + yi * xj);
                            if (hermitian && i == j)
                                a.host[j * LD + i] = creal(a.host[j * LD + i]);
                        }
                expect_array("syr2", &a, 8);
                array_free(&a);
                array_free(&x);
                array_free(&y);
            }
        /* triangular product, then the solution takes it back */
        for (int upper = 0; upper < 2; upper++)
            for (int op = 0; op < 3; op++)
                for (int unit = 0; unit < 2; unit++) {
                    Array a = array_new(t, LD * M), x = array_new(t, 2 * M);
                    for (int i = 0; i < M; i++)
                        a.host[i * LD + i] += 4;
                    for (int i = 0; i < LD * M; i++)
                        if (i % LD != i / LD)
                            a.host[i] *= 0.125;
                    upload(&a);
                    OK(routine("cublas%ctrmv_v2", t)(handle, upper, op, unit, M, a.device, LD,
                                                     x.device, 2));
                    Array before = array_new(t, 2 * M);
                    memcpy(before.host, x.host, sizeof *x.host * 2 * M);
                    for (int i = 0; i < M; i++) {
                        Number sum = 0;
                        for (int j = 0; j < M; j++) {
                            Number value = op ? triangle_element(&a, LD, upper, unit, j, i)
                                              : triangle_element(&a, LD, upper, unit, i, j);
                            sum += (op == 2 ? conj(value) : value) * before.host[2 * j];
                        }
                        x.host[2 * i] = sum;
                    }
                    expect_array("trmv", &x, 8);
                    OK(routine("cublas%ctrsv_v2", t)(handle, upper, op, unit, M, a.device, LD,
                                                     x.device, 2));
                    memcpy(x.host, before.host, sizeof *x.host * 2 * M);
                    expect_array("trsv", &x, 16);
                    array_free(&a);
                    array_free(&x);
                    array_free(&before);
                }
    }
}

/* Band and packed forms hold the same matrix as a full one: the results must agree. */
static void band_and_packed(void **state)
{
    (void)state;
    enum { N = 11, KL = 2, KU = 3, LD = 7 };
    EACH_TYPE
    {
        unsigned char ra[16], rb[16];
        Array band = array_new(t, LD * N), full = array_new(t, N * N), x = array_new(t, N);
        Array y = array_new(t, N), z = array_new(t, N);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                full.host[j * N + i] =
                    i - j <= KL && j - i <= KU ? band.host[j * LD + KU + i - j] : 0;
        upload(&full);
        memcpy(z.host, y.host, sizeof *y.host * N);
        upload(&z);
        for (int op = 0; op < 3; op++) {
            OK(routine("cublas%cgbmv_v2", t)(handle, op, N, N, KL, KU, scalar(t, 0.5, ra),
                                             band.device, LD, x.device, 1, scalar(t, 0.5, rb),
                                             y.device, 1));
            OK(routine("cublas%cgemv_v2", t)(handle, op, N, N, scalar(t, 0.5, ra), full.device, N,
                                             x.device, 1, scalar(t, 0.5, rb), z.device, 1));
            free(z.host);
            z.host = download(&z);
            memcpy(y.host, z.host, sizeof *y.host * N);
            expect_array("gbmv", &y, 4);
        }
        for (int upper = 0; upper < 2; upper++) {
            Array packed = array_new(t, N * (N + 1) / 2), again = array_new(t, N * N);
            for (int i = 0; i < N; i++)
                full.host[i * N + i] = creal(full.host[i * N + i]) + 3;
            upload(&full);
            OK(routine("cublas%ctrttp", t)(handle, upper, N, full.device, N, packed.device));
            OK(routine("cublas%ctpttr", t)(handle, upper, N, packed.device, again.device, N));
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    if (upper ? i <= j : i >= j)
                        again.host[j * N + i] = full.host[j * N + i];
            expect_array("tpttr", &again, 1);
            OK(routine(t >= C ? "cublas%chpmv_v2" : "cublas%cspmv_v2",
                       t)(handle, upper, N, scalar(t, 0.5, ra), packed.device, x.device, 1,
                          scalar(t, 0.5, rb), y.device, 1));
            for (int i = 0; i < N; i++) {
                Number sum = 0;
                for (int j = 0; j < N; j++)
                    sum += half_element(&full, N, upper, t >= C, i, j) * x.host[j];
                y.host[i] = 0.5 * sum + 0.5 * z.host[i];
            }
            expect_array("spmv", &y, 8);
            OK(routine("cublas%ctpsv_v2", t)(handle, upper, 0, 0, N, packed.device, y.device, 1));
            OK(routine("cublas%ctpmv_v2", t)(handle, upper, 0, 0, N, packed.device, y.device, 1));
            expect_array("tpmv of tpsv", &y, 64);
            memcpy(z.host, y.host, sizeof *y.host * N);
            array_free(&packed);
            array_free(&again);
        }
        array_free(&band);
        array_free(&full);
        array_free(&x);
        array_free(&y);
        array_free(&z);
    }
}

static void gemm(void **state)
{
    (void)state;
    enum { M = 13, N = 9, K = 7, LD = 16, BATCH = 3 };
    EACH_TYPE for (int opa = 0; opa < 3; opa++) for (int opb = 0; opb < 3; opb++)
    {
        unsigned char ra[16], rb[16];
        Number alpha = t >= C ? 0.5 + 0.25 * I : 0.5, beta = t >= C ? -0.5 + I : -0.5;
        Array a = array_new(t, LD * LD * BATCH), b = array_new(t, LD * LD * BATCH);
        Array c = array_new(t, LD * LD * BATCH), d = array_new(t, LD * LD * BATCH);
        memcpy(d.host, c.host, sizeof *c.host * c.count);
        upload(&d);
        OK(routine("cublas%cgemmStridedBatched", t)(handle, opa, opb, M, N, K, scalar(t, alpha, ra),
                                                    a.device, LD, (long long)LD * LD, b.device, LD,
                                                    (long long)LD * LD, scalar(t, beta, rb),
                                                    c.device, LD, (long long)LD * LD, BATCH));
        for (int p = 0; p < BATCH; p++) {
            Array pa = a, pb = b;
            pa.host += p * LD * LD;
            pb.host += p * LD * LD;
            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++) {
                    Number sum = 0;
                    for (int k = 0; k < K; k++)
                        sum += element(&pa, LD, opa, i, k) * element(&pb, LD, opb, k, j);
                    Number *to = &c.host[p * LD * LD + j * LD + i];
                    *to = alpha * sum + beta * *to;
                }
        }
        expect_array("gemmStridedBatched", &c, 4);
        /* the same through arrays of pointers, the scalars in device memory */
        void *pointers[3][BATCH], *lists[3], *scalars;
        for (int p = 0; p < BATCH; p++) {
            size_t step = (size_t)(p * LD * LD) * bytes_of(t);
            pointers[0][p] = (char *)a.device + step;
            pointers[1][p] = (char *)b.device + step;
            pointers[2][p] = (char *)d.device + step;
        }
        for (int i = 0; i < 3; i++) {
            cudaMalloc(&lists[i], sizeof pointers[i]);
            cudaMemcpy(lists[i], pointers[i], sizeof pointers[i], cudaMemcpyHostToDevice);
        }
        cudaMalloc(&scalars, 32);
        cudaMemcpy(scalars, ra, 16, cudaMemcpyHostToDevice);
        cudaMemcpy((char *)scalars + 16, rb, 16, cudaMemcpyHostToDevice);
        OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
        OK(routine("cublas%cgemmBatched", t)(handle, opa, opb, M, N, K, scalars, lists[0], LD,
                                             lists[1], LD, (char *)scalars + 16, lists[2], LD,
                                             BATCH));
        OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
        memcpy(d.host, c.host, sizeof *c.host * c.count);
        expect_array("gemmBatched", &d, 4);
        for (int i = 0; i < 3; i++)
            cudaFree(lists[i]);
        cudaFree(scalars);
        /* one product, without reading what is multiplied by zero */
        OK(routine("cublas%cgemm_v2", t)(handle, opa, opb, M, N, K, scalar(t, 1, ra), a.device, LD,
                                         b.device, LD, scalar(t, 0, rb), d.device, LD));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                d.host[j * LD + i] = 0;
                for (int k = 0; k < K; k++)
                    d.host[j * LD + i] += element(&a, LD, opa, i, k) * element(&b, LD, opb, k, j);
            }
        expect_array("gemm", &d, 4);
        array_free(&a);
        array_free(&b);
        array_free(&c);
        array_free(&d);
    }
}

static void level3(void **state)
{
    (void)state;
    enum { M = 13, N = 9, K = 7, LD = 16 };
    EACH_TYPE for (int upper = 0; upper < 2; upper++)
    {
        unsigned char ra[16], rb[16];
        Number alpha = t >= C ? 0.5 + 0.25 * I : 0.5, beta = t >= C ? -0.5 + I : -0.5;
        for (int hermitian = 0; hermitian <= (t >= C); hermitian++) {
            for (int right = 0; right < 2; right++) {
                Array a = array_new(t, LD * LD), b = array_new(t, LD * LD),
                      c = array_new(t, LD * LD);
                OK(routine(hermitian ? "cublas%chemm_v2" : "cublas%csymm_v2",
                           t)(handle, right, upper, M, N, scalar(t, alpha, ra), a.device, LD,
                              b.device, LD, scalar(t, beta, rb), c.device, LD));
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < M; i++) {
                        Number sum = 0;
                        for (int k = 0; k < (right ? N : M); k++)
                            sum += right ? b.host[k * LD + i] *
                                               half_element(&a, LD, upper, hermitian, k, j)
                                         : half_element(&a, LD, upper, hermitian, i, k) *
                                               b.host[j * LD + k];
                        c.host[j * LD + i] = alpha * sum + beta * c.host[j * LD + i];
                    }
                expect_array("symm", &c, 4);
                array_free(&a);
                array_free(&b);
                array_free(&c);
            }
            /* rank updates: k, 2k, kx (of which only one triangle counts) */
            for (int trans = 0; trans < 2; trans++)
                for (int kind = 0; kind < 3; kind++) {
                    static const char *const names[2][3] = {
                        {"cublas%csyrk_v2", "cublas%csyr2k_v2", "cublas%csyrkx"},
                        {"cublas%cherk_v2", "cublas%cher2k_v2", "cublas%cherkx"}};
                    Array a = array_new(t, LD * LD), b = array_new(t, LD * LD),
                          c = array_new(t, LD * LD);
                    if (kind == 2) { /* B = A times a real number: the product is symmetric */
                        for (size_t i = 0; i < a.count; i++)
                            b.host[i] = 2 * a.host[i];
                        upload(&b);
                    }
                    int op = !trans ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
                    bool real_alpha = hermitian && kind == 0;
                    Number by = real_alpha || (hermitian && kind == 2) ? 0.5 : alpha;
                    Number old = hermitian ? -0.5 : beta;
                    scalar(real_alpha ? real_of(t) : t, by, ra);
                    scalar(hermitian ? real_of(t) : t, old, rb);
                    if (kind == 0)
                        OK(routine(names[hermitian][0], t)(handle, upper, op, N, K, ra, a.device,
                                                           LD, rb, c.device, LD));
                    else
                        OK(routine(names[hermitian][kind], t)(handle, upper, op, N, K, ra, a.device,
                                                              LD, b.device, LD, rb, c.device, LD));
                    for (int j = 0; j < N; j++)
                        for (int i = 0; i < N; i++) {
                            if (!(upper ? i <= j : i >= j))
                                continue;
                            Number sum = 0;
                            for (int k = 0; k < K; k++) {
                                Number ai = trans ? a.host[i * LD + k] : a.host[k * LD + i];
                                Number aj = trans ? a.host[j * LD + k] : a.host[k * LD + j];
                                Number bi = trans ? b.host[i * LD + k] : b.host[k * LD + i];
                                Number bj = trans ? b.host[j * LD + k] : b.host[k * LD + j];
                                if (hermitian && trans)
                                    ai = conj(ai), bi = conj(bi);
                                else if (hermitian)
                                    aj = conj(aj), bj = conj(bj);
                                sum += kind == 0   ? by * ai * aj
                                       : kind == 2 ? by * ai * bj
                                       : hermitian ? by * ai * bj + conj(by) * bi * aj
                                                   : by * (ai * bj + bi * aj);
                            }
                            Number before = c.host[j * LD + i];
                            if (hermitian && i == j)
                                before = creal(before);
                            c.host[j * LD + i] = sum + old * before;
                        }
                    /* kx leaves the imaginary part of the diagonal to rounding and beta */
                    if (hermitian && kind == 2) {
                        Number *got = download(&c);
                        for (int i = 0; i < N; i++)
                            c.host[i * LD + i] =
                                creal(c.host[i * LD + i]) + I * cimag(got[i * LD + i]);
                        free(got);
                    }
                    expect_array(names[hermitian][kind], &c, 8);
                    array_free(&a);
                    array_free(&b);
                    array_free(&c);
                }
        }
        for (int right = 0; right < 2; right++)
            for (int op = 0; op < 3; op++)
                for (int unit = 0; unit < 2; unit++) {
                    int order = right ? N : M;
                    Array a = array_new(t, LD * LD), b = array_new(t, LD * LD),
                          c = array_new(t, LD * LD);
                    for (int i = 0; i < LD * LD; i++)
                        a.host[i] = i % LD == i / LD ? a.host[i] + 4 : 0.125 * a.host[i];
                    upload(&a);
                    OK(routine("cublas%ctrmm_v2", t)(handle, right, upper, op, unit, M, N,
                                                     scalar(t, alpha, ra), a.device, LD, b.device,
                                                     LD, c.device, LD));
                    for (int j = 0; j < N; j++)
                        for (int i = 0; i < M; i++) {
                            Number sum = 0;
                            for (int k = 0; k < order; k++) {
                                int row = right ? k : i, col = right ? j : k;
                                Number value = op ? triangle_element(&a, LD, upper, unit, col, row)
                                                  : triangle_element(&a, LD, upper, unit, row, col);
                                value = op == 2 ? conj(value) : value;
                                sum +=
                                    right ? b.host[k * LD + i] * value : value * b.host[j * LD + k];
                            }
                            c.host[j * LD + i] = alpha * sum;
                        }
                    expect_array("trmm", &c, 8);
                    OK(routine("cublas%ctrsm_v2", t)(handle, right, upper, op, unit, M, N,
                                                     scalar(t, 1 / alpha, ra), a.device, LD,
                                                     c.device, LD));
                    for (int j = 0; j < N; j++)
                        for (int i = 0; i < M; i++)
                            c.host[j * LD + i] = b.host[j * LD + i];
                    expect_array("trsm", &c, 32);
                    array_free(&a);
                    array_free(&b);
                    array_free(&c);
                }
    }
}

static void extensions(void **state)
{
    (void)state;
    enum { M = 8, N = 6, LD = 9 };
    EACH_TYPE
    {
        unsigned char ra[16], rb[16];
        Number alpha = t >= C ? 0.5 + 0.25 * I : 0.5, beta = t >= C ? -0.5 + I : -0.5;
        for (int opa = 0; opa < 3; opa++)
            for (int opb = 0; opb < 3; opb++) {
                Array a = array_new(t, LD * LD), b = array_new(t, LD * LD),
                      c = array_new(t, LD * LD);
                OK(routine("cublas%cgeam", t)(handle, opa, opb, M, N, scalar(t, alpha, ra),
                                              a.device, LD, scalar(t, beta, rb), b.device, LD,
                                              c.device, LD));
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < M; i++)
                        c.host[j * LD + i] =
                            alpha * element(&a, LD, opa, i, j) + beta * element(&b, LD, opb, i, j);
                expect_array("geam", &c, 4);
                array_free(&a);
                array_free(&b);
                array_free(&c);
            }
        for (int right = 0; right < 2; right++) {
            Array a = array_new(t, LD * LD), x = array_new(t, 2 * M), c = array_new(t, LD * LD);
            OK(routine("cublas%cdgmm", t)(handle, right, M, N, a.device, LD, x.device, 2, c.device,
                                          LD));
            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++)
                    c.host[j * LD + i] = a.host[j * LD + i] * x.host[2 * (right ? j : i)];
            expect_array("dgmm", &c, 2);
            array_free(&a);
            array_free(&x);
            array_free(&c);
        }
    }
}

/* Factors, solutions and inverses of a batch, with and without exchanged rows. */
static void batched_solvers(void **state)
{
    (void)state;
    enum { N = 6, BATCH = 4, RIGHT = 2 };
    EACH_TYPE for (int pivoting = 0; pivoting < 2; pivoting++)
    {
        Array a = array_new(t, N * N * BATCH), b = array_new(t, N * RIGHT * BATCH);
        Array inverse = array_new(t, N * N * BATCH);
        for (int i = 0; i < N * N * BATCH; i++)
            if (i % (N * N) % (N + 1) == 0)
                a.host[i] += 3;
        upload(&a);
        void *list[3][BATCH], *lists[3];
        for (int p = 0; p < BATCH; p++) {
            list[0][p] = (char *)a.device + (size_t)(p * N * N) * bytes_of(t);
            list[1][p] = (char *)b.device + (size_t)(p * N * RIGHT) * bytes_of(t);
            list[2][p] = (char *)inverse.device + (size_t)(p * N * N) * bytes_of(t);
        }
        for (int i = 0; i < 3; i++) {
            cudaMalloc(&lists[i], sizeof list[i]);
            cudaMemcpy(lists[i], list[i], sizeof list[i], cudaMemcpyHostToDevice);
        }
        int *pivots, *info, infos[BATCH], host_info = 7;
        cudaMalloc((void **)&pivots, sizeof(int) * N * BATCH);
        cudaMalloc((void **)&info, sizeof infos);
        int *used = pivoting ? pivots : NULL;
        OK(routine("cublas%cgetrfBatched", t)(handle, N, lists[0], N, used, info, BATCH));
        OK(routine("cublas%cgetrsBatched", t)(handle, 0, N, RIGHT, lists[0], N, used, lists[1], N,
                                              &host_info, BATCH));
        assert_int_equal(host_info, 0);
        OK(routine("cublas%cgetriBatched", t)(handle, N, lists[0], N, used, lists[2], N, info,
                                              BATCH));
        cudaMemcpy(infos, info, sizeof infos, cudaMemcpyDeviceToHost);
        Number *x = download(&b), *inv = download(&inverse);
        for (int p = 0; p < BATCH; p++) {
            assert_int_equal(infos[p], 0);
            const Number *m = a.host + p * N * N;
            for (int i = 0; i < N; i++) {
                for (int r = 0; r < RIGHT; r++) {
                    Number sum = 0;
                    for (int k = 0; k < N; k++)
                        sum += m[k * N + i] * x[p * N * RIGHT + r * N + k];
                    expect_number("A x", t, sum, b.host[p * N * RIGHT + r * N + i]);
                }
                for (int j = 0; j < N; j++) {
                    Number sum = 0;
                    for (int k = 0; k < N; k++)
                        sum += m[k * N + i] * inv[p * N * N + j * N + k];
                    expect_number("A inverse", t, sum, i == j);
                }
            }
        }
        free(x);
        /* matinv does both steps */
        upload(&a);
        OK(routine("cublas%cmatinvBatched", t)(handle, N, lists[0], N, lists[2], N, info, BATCH));
        memcpy(inverse.host, inv, sizeof *inv * N * N * BATCH);
        expect_array("matinv", &inverse, 20);
        free(inv);
        /* a singular matrix: its first empty pivot, the others unharmed */
        for (int i = 0; i < N; i++)
            a.host[N * N + 2 * N + i] = 0;
        upload(&a);
        OK(routine("cublas%cgetrfBatched", t)(handle, N, lists[0], N, used, info, BATCH));
        cudaMemcpy(infos, info, sizeof infos, cudaMemcpyDeviceToHost);
        assert_int_equal(infos[0], 0);
        assert_int_equal(infos[1], 3);
        /* triangular solutions by the factors' lists */
        unsigned char one[16];
        upload(&b);
        cudaMemcpy(list[0], lists[0], sizeof list[0], cudaMemcpyDeviceToHost);
        OK(routine("cublas%ctrsmBatched", t)(handle, 0, 0, 0, CUBLAS_DIAG_UNIT, N, RIGHT,
                                             scalar(t, 1, one), lists[0], N, lists[1], N, BATCH));
        Number *factors = download(&a);
        for (int p = 0; p < BATCH; p++)
            for (int r = 0; r < RIGHT; r++)
                for (int i = 0; i < N; i++)
                    for (int k = 0; k < i; k++)
                        b.host[(p * RIGHT + r) * N + i] -=
                            factors[p * N * N + k * N + i] * b.host[(p * RIGHT + r) * N + k];
        expect_array("trsmBatched", &b, 16);
        free(factors);
        for (int i = 0; i < 3; i++)
            cudaFree(lists[i]);
        cudaFree(pivots);
        cudaFree(info);
        array_free(&a);
        array_free(&b);
        array_free(&inverse);
    }
}

/* --- mixed types --------------------------------------------------------------------------- */

static uint16_t to_half(double value) /* exact for the small multiples of 1/64 used here */
{
    if (value == 0)
        return 0;
    int exponent;
    double fraction = frexp(fabs(value), &exponent);
    return (uint16_t)((value < 0 ? 0x8000 : 0) | (exponent + 14) << 10 |
                      ((int)(fraction * 2048) & 0x3ff));
}
static uint16_t to_bfloat(double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    return (uint16_t)(bits >> 16);
}
static double from_half(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double value = ldexp((bits & 0x3ff) + (exponent ? 1024 : 0), (exponent ? exponent : 1) - 25);
    return bits & 0x8000 ? -value : value;
}

static void gemm_mixed(void **state)
{
    (void)state;
    enum { M = 17, N = 12, K = 33 };
    static const struct {
        cudaDataType in, out;
        cublasComputeType_t compute;
    } cases[] = {{CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F},
                 {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
                 {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F},
                 {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
                 {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16BF},
                 {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F}};
    for (size_t v = 0; v < sizeof cases / sizeof *cases; v++) {
        cudaDataType in = cases[v].in, out = cases[v].out;
        size_t in_bytes = in == CUDA_R_8I ? 1 : 2, out_bytes = out == CUDA_R_32F ? 4 : 2;
        unsigned char a[M * K * 2], b[K * N * 2], c[M * N * 4];
        double da[M * K], db[K * N];
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < (side ? K * N : M * K); i++) {
                double value = in == CUDA_R_8I ? floor(random_unit() * 127)
                                               : floor(random_unit() * 8) / (side ? 8 : 4);
                (side ? db : da)[i] = value;
                unsigned char *to = (side ? b : a) + (size_t)i * in_bytes;
                uint16_t bits = in == CUDA_R_16F ? to_half(value) : to_bfloat(value);
                if (in == CUDA_R_8I)
                    *to = (unsigned char)(signed char)value;
                else
                    memcpy(to, &bits, 2);
            }
        void *pa, *pb, *pc;
        cudaMalloc(&pa, sizeof a);
        cudaMalloc(&pb, sizeof b);
        cudaMalloc(&pc, sizeof c);
        cudaMemcpy(pa, a, sizeof a, cudaMemcpyHostToDevice);
        cudaMemcpy(pb, b, sizeof b, cudaMemcpyHostToDevice);
        float one = 1, zero = 0;
        uint16_t half_one = 0x3c00, half_zero = 0;
        bool half = cases[v].compute == CUBLAS_COMPUTE_16F;
        OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K,
                        half ? (void *)&half_one : (void *)&one, pa, in, M, pb, in, K,
                        half ? (void *)&half_zero : (void *)&zero, pc, out, M, cases[v].compute,
                        CUBLAS_GEMM_DEFAULT));
        cudaMemcpy(c, pc, sizeof c, cudaMemcpyDeviceToHost);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                double sum = 0, got;
                for (int k = 0; k < K; k++)
                    sum += da[k * M + i] * db[j * K + k];
                unsigned char *from = c + (size_t)(j * M + i) * out_bytes;
                float single;
                uint16_t bits;
                memcpy(&bits, from, 2);
                memcpy(&single, from, 4 - (out_bytes == 2 ? 2 : 0));
                if (out == CUDA_R_16BF) {
                    uint32_t wide = (uint32_t)bits << 16;
                    memcpy(&single, &wide, 4);
                }
                got = out == CUDA_R_16F ? from_half(bits) : (double)single;
                /* sums are multiples of 1/32 below 2^11: exact in float, rounded once in 16 bits */
                double bound = out == CUDA_R_32F   ? 0
                               : out == CUDA_R_16F ? fabs(sum) * 0x1p-11
                                                   : fabs(sum) * 0x1p-8;
                if (!(fabs(got - sum) <= bound))
                    fail_msg("case %zu: %g, expected %g", v, got, sum);
            }
        cudaFree(pa);
        cudaFree(pb);
        cudaFree(pc);
    }
}

/* Long sums of extreme bytes are exact, and wrap as 32-bit integers do. */
static void gemm_int8(void **state)
{
    (void)state;
    enum { K = 5000 };
    signed char *a = malloc(4 * K), *b = malloc(4 * K);
    int64_t sums[16] = {0};
    for (int i = 0; i < 4 * K; i++) {
        a[i] = i % 3 ? -128 : (signed char)(i * 37);
        b[i] = i % 5 ? -128 : (signed char)(i * 11);
    }
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < K; k++)
                sums[j * 4 + i] += a[i * K + k] * b[j * K + k];
    void *pa, *pb, *pc;
    int got[16], alpha = 3, beta = 2, old[16];
    for (int i = 0; i < 16; i++)
        old[i] = i * 1000;
    cudaMalloc(&pa, 4 * K);
    cudaMalloc(&pb, 4 * K);
    cudaMalloc(&pc, sizeof got);
    cudaMemcpy(pa, a, 4 * K, cudaMemcpyHostToDevice);
    cudaMemcpy(pb, b, 4 * K, cudaMemcpyHostToDevice);
    cudaMemcpy(pc, old, sizeof old, cudaMemcpyHostToDevice);
    OK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, K, &alpha, pa, CUDA_R_8I, K, pb,
                    CUDA_R_8I, K, &beta, pc, CUDA_R_32I, 4, CUBLAS_COMPUTE_32I,
                    CUBLAS_GEMM_DEFAULT));
    cudaMemcpy(got, pc, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        assert_int_equal((uint32_t)got[i], (uint32_t)(3 * sums[i] + 2 * old[i]));
    cudaFree(pa);
    cudaFree(pb);
    cudaFree(pc);
    free(a);
    free(b);
}

/* --- behaviour ----------------------------------------------------------------------------- */

static void bad_arguments(void **state)
{
    (void)state;
    float one = 1, *p;
    cudaMalloc((void **)&p, 4096);
    assert_int_equal(cublasCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSgemm(NULL, 0, 0, 2, 2, 2, &one, p, 2, p, 2, &one, p, 2),
                     CUBLAS_STATUS_NOT_INITIALIZED);
    assert_int_equal(cublasSgemm(handle, 0, 0, -1, 2, 2, &one, p, 2, p, 2, &one, p, 2),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSgemm(handle, 0, 0, 4, 2, 2, &one, p, 2, p, 2, &one, p, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSgemm(handle, 9, 0, 2, 2, 2, &one, p, 2, p, 2, &one, p, 2),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSgemv(handle, 0, 2, 2, &one, p, 2, p, 0, &one, p, 1),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSdgmm(handle, CUBLAS_SIDE_LEFT, 4, 2, p, 2, p, 1, p, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasGemmEx(handle, 0, 0, 2, 2, 2, &one, p, CUDA_R_16F, 2, p, CUDA_R_32F, 2,
                                  &one, p, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                     CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(cublasSetMatrix(4, 4, 4, p, 2, p, 4), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSetStream(handle, (cudaStream_t)(uintptr_t)&one),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_string_equal(cublasGetStatusName(CUBLAS_STATUS_ARCH_MISMATCH),
                        "CUBLAS_STATUS_ARCH_MISMATCH");
    int version = 0;
    OK(cublasGetVersion(handle, &version));
    assert_int_equal(version / 10000, 13);
    cudaFree(p);
}

static void copies(void **state)
{
    (void)state;
    float host[35], back[35] = {0}, *device;
    for (int i = 0; i < 35; i++)
        host[i] = (float)i;
    cudaMalloc((void **)&device, 4096);
    OK(cublasSetMatrix(3, 5, 4, host, 7, device, 4));
    OK(cublasGetMatrix(3, 5, 4, device, 4, back, 7));
    for (int i = 0; i < 35; i++)
        assert_true(back[i] == (i % 7 < 3 ? host[i] : 0));
    OK(cublasSetVector(5, 4, host, 2, device, 3));
    memset(back, 0, sizeof back);
    OK(cublasGetVector(5, 4, device, 3, back, 1));
    for (int i = 0; i < 5; i++)
        assert_true(back[i] == host[2 * i]);
    cudaFree(device);
}

static void slow(void *argument)
{
    struct timespec t = {.tv_nsec = 100000000};
    nanosleep(&t, NULL);
    *(volatile float *)argument = 3;
}

/* A product waits for what is before it on its stream; the caller does not wait for the product. */
static void stream_order(void **state)
{
    (void)state;
    cudaStream_t stream;
    float *managed, alpha = 2;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMallocManaged((void **)&managed, 64, cudaMemAttachGlobal);
    managed[0] = 1;
    managed[1] = 10;
    OK(cublasSetStream(handle, stream));
    cudaLaunchHostFunc(stream, slow, managed);
    OK(cublasSaxpy(handle, 1, &alpha, managed, 1, managed + 1, 1));
    alpha = 100; /* the value was taken at the call */
    assert_int_equal(cudaStreamQuery(stream), cudaErrorNotReady);
    assert_true(managed[1] == 10);
    cudaStreamSynchronize(stream);
    assert_true(managed[1] == 16);

    /* captured: nothing runs now, each launch runs it */
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    alpha = 1;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    OK(cublasSaxpy(handle, 1, &alpha, managed, 1, managed + 1, 1));
    float result;
    assert_int_equal(cublasSdot(handle, 1, managed, 1, managed, 1, &result),
                     CUBLAS_STATUS_EXECUTION_FAILED);
    cudaStreamEndCapture(stream, &graph);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    OK(cublasSaxpy(handle, 1, &alpha, managed, 1, managed + 1, 1));
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_true(managed[1] == 16);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    assert_true(managed[1] == 25);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    OK(cublasSetStream(handle, NULL));
    cudaStreamDestroy(stream);
    cudaFree(managed);
}

/* A matrix that is not all in its allocation ends like a kernel that touches such memory. */
static void fault(void **state)
{
    (void)state;
    float one = 1, *p;
    cudaMalloc((void **)&p, 4096);
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, p, 64, p, 64, &one, p, 64));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    assert_int_equal(cublasSscal(handle, 1, &one, p, 1), CUBLAS_STATUS_EXECUTION_FAILED);
    /* neither do sizes that no address can hold get past the check */
    OK(gpukit_reset(NULL));
    cuDoubleComplex unit = {1, 0};
    cudaMalloc((void **)&p, 4096);
    OK(cublasZgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1 << 30, 1, &unit, (void *)p, INT_MAX,
                   (void *)p, INT_MAX, &unit, (void *)p, INT_MAX));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(gpukit_reset(NULL));
}

static int create(void **state)
{
    (void)state;
    return cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS;
}
static int destroy(void **state)
{
    (void)state;
    return cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level1),          cmocka_unit_test(level2),
        cmocka_unit_test(band_and_packed), cmocka_unit_test(gemm),
        cmocka_unit_test(level3),          cmocka_unit_test(extensions),
        cmocka_unit_test(batched_solvers), cmocka_unit_test(gemm_mixed),
        cmocka_unit_test(gemm_int8),       cmocka_unit_test(bad_arguments),
        cmocka_unit_test(copies),          cmocka_unit_test(stream_order),
        cmocka_unit_test(fault),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
