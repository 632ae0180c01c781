/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: routines with element types as data (the Ex functions) and the half-precision gemm. */
#include "libraries/cublas.h"

#include <math.h>
#include <string.h>

/* --- products ------------------------------------------------------------------------------ */

static void *place(Call *q, const char *argument, const void *base, void *const *array, int i,
                   long long stride, int type, int64_t rows, int64_t cols, int64_t ld)
{
    const char *at =
        array ? array[i] : (const char *)base + i * stride * (long long)mixed_bytes(type);
    if (!rows || !cols)
        return NULL;
    return lib_reach(&q->head, argument, at, lib_bytes((cols - 1) * ld + rows, mixed_bytes(type)));
}

static void run_mixed(Call *q)
{
    const void *alpha = scalar_get(q, "alpha", &q->alpha, mixed_bytes(q->type_scalar));
    const void *beta = scalar_get(q, "beta", &q->beta, mixed_bytes(q->type_scalar));
    void *const *as = NULL, *const *bs = NULL, *const *cs = NULL;
    if (!q->strided) {
        size_t bytes = (size_t)q->batch * sizeof(void *);
        as = lib_reach(&q->head, "Aarray", q->a, bytes);
        bs = lib_reach(&q->head, "Barray", q->b, bytes);
        cs = lib_reach(&q->head, "Carray", q->c, bytes);
    }
    const MixedGemm gemm = {.type_a = q->type_a,
                            .type_b = q->type_b,
                            .type_c = q->type_c,
                            .type_scalar = q->type_scalar,
                            .compute = q->compute,
                            .ta = q->ta,
                            .tb = q->tb,
                            .m = q->m,
                            .n = q->n,
                            .k = q->k,
                            .lda = q->lda,
                            .ldb = q->ldb,
                            .ldc = q->ldc};
    for (int i = 0; i < q->batch && !q->head.failed; i++) {
        const void *a = place(q, "A", q->a, as, i, q->stride_a, q->type_a,
                              q->ta == 'N' ? q->m : q->k, q->ta == 'N' ? q->k : q->m, q->lda);
        const void *b = place(q, "B", q->b, bs, i, q->stride_b, q->type_b,
                              q->tb == 'N' ? q->k : q->n, q->tb == 'N' ? q->n : q->k, q->ldb);
        void *c = place(q, "C", q->c, cs, i, q->stride_c, q->type_c, q->m, q->n, q->ldc);
        if (!q->head.failed && !mixed_gemm(&gemm, alpha, a, b, beta, c))
            rt_fault(RT_OUT_OF_MEMORY);
    }
}

cublasStatus_t mixed(const Entry *entry, cublasHandle_t handle, Types types, Op transa, Op transb,
                     Int m, Int n, Int k, In alpha, In A, Int lda, long long stride_a, In B,
                     Int ldb, long long stride_b, In beta, In C, Int ldc, long long stride_c,
                     Int batch, bool strided)
{
    START(run_mixed);
    int kind = types.a == CUDA_C_32F || types.a == CUDA_C_64F ? TYPE_Z : TYPE_S;
    const Gemm g = {transa, transb, m,        n,    k, alpha, A,        lda,   stride_a,
                    B,      ldb,    stride_b, beta, C, ldc,   stride_c, batch, strided};
    INVALID_IF(!gemm_set(&call, kind, &g));
    if (!mixed_supported(types.a, types.b, types.c, types.compute, &call.type_scalar))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    call.type_a = types.a;
    call.type_b = types.b;
    call.type_c = types.c;
    call.compute = types.compute;
    scalar_set(handle, &call.alpha, alpha, mixed_bytes(call.type_scalar));
    scalar_set(handle, &call.beta, beta, mixed_bytes(call.type_scalar));
    return m && n ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

/* --- vectors ------------------------------------------------------------------------------- */

/* Numbers as double complex: sums keep more digits than any of the types asks for. */
bool mixed_vector(int type)
{
    return type == CUDA_R_16F || type == CUDA_R_16BF || type == CUDA_R_32F || type == CUDA_R_64F ||
           type == CUDA_C_32F || type == CUDA_C_64F;
}

double complex mixed_load(int type, const void *base, int64_t i)
{
    const char *at = (const char *)base + i * (int64_t)mixed_bytes(type);
    uint16_t bits;
    float value[2];
    double wide[2];
    switch (type) {
    case CUDA_R_16F:
        memcpy(&bits, at, 2);
        return (double)half_to_float(bits);
    case CUDA_R_16BF:
        memcpy(&bits, at, 2);
        return (double)bfloat_to_float(bits);
    case CUDA_R_32F:
        memcpy(value, at, 4);
        return (double)value[0];
    case CUDA_C_32F:
        memcpy(value, at, 8);
        return CMPLX((double)value[0], (double)value[1]);
    case CUDA_C_64F:
        memcpy(wide, at, 16);
        return CMPLX(wide[0], wide[1]);
    default:
        memcpy(wide, at, 8);
        return wide[0];
    }
}

void mixed_save(int type, void *base, int64_t i, double complex number)
{
    char *at = (char *)base + i * (int64_t)mixed_bytes(type);
    const double wide[2] = {creal(number), cimag(number)};
    const float value[2] = {(float)wide[0], (float)wide[1]};
    uint16_t bits = type == CUDA_R_16F ? float_to_half(value[0]) : float_to_bfloat(value[0]);
    bool narrow = type == CUDA_R_32F || type == CUDA_C_32F;
    if (type == CUDA_R_16F || type == CUDA_R_16BF)
        memcpy(at, &bits, 2);
    else
        memcpy(at, narrow ? (const void *)value : (const void *)wide, mixed_bytes(type));
}

void *mixed_elements(Call *q, const char *argument, const void *at, int type, int inc)
{
    int64_t step = inc < 0 ? -(int64_t)inc : inc;
    return q->n <= 0 ? NULL
                     : lib_reach(&q->head, argument, at,
                                 lib_bytes((q->n - 1) * step + 1, mixed_bytes(type)));
}

int64_t mixed_start(const Call *q, int inc)
{
    return inc < 0 ? (int64_t)(1 - q->n) * inc : 0;
}

typedef enum { SUM_NRM2, SUM_ASUM, SUM_DOT, SUM_DOTC } Sum;

static void run_sum(Call *q)
{
    const void *x = mixed_elements(q, "x", q->a, q->type_a, q->incx);
    bool two = q->kl >= SUM_DOT;
    const void *y = two ? mixed_elements(q, "y", q->b, q->type_b, q->incy) : NULL;
    void *result = result_place(q, mixed_bytes(q->type_c));
    if (!result || q->head.failed)
        return;
    double complex sum = 0;
    int64_t ix = mixed_start(q, q->incx), iy = mixed_start(q, q->incy);
    for (int i = 0; i < q->n; i++, ix += q->incx, iy += q->incy) {
        double complex v = mixed_load(q->type_a, x, ix);
        if (two)
            sum += (q->kl == SUM_DOTC ? conj(v) : v) * mixed_load(q->type_b, y, iy);
        else
            sum += q->kl == SUM_ASUM ? fabs(creal(v)) + fabs(cimag(v))
                                     : creal(v) * creal(v) + cimag(v) * cimag(v);
    }
    mixed_save(q->type_c, result, 0, q->kl == SUM_NRM2 ? sqrt(creal(sum)) : sum);
}

static cublasStatus_t sum(const Entry *entry, cublasHandle_t handle, Sum kind, Int n, In x,
                          int type_x, Int incx, In y, int type_y, Int incy, Out result,
                          int type_result)
{
    START(run_sum);
    INVALID_IF(!result);
    if (!mixed_vector(type_x) || !mixed_vector(type_y) || !mixed_vector(type_result))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    call.kl = (int)kind;
    call.n = incx > 0 || kind >= SUM_DOT ? dim(&call, n) : 0;
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.b = y;
    call.type_a = type_x;
    call.type_b = type_y;
    call.type_c = type_result;
    return call_submit_result(handle, &call, result);
}

static void run_axpy(Call *q)
{
    const void *alpha = scalar_get(q, "alpha", &q->alpha, mixed_bytes(q->type_scalar));
    const void *x = q->a ? mixed_elements(q, "x", q->a, q->type_a, q->incx) : NULL;
    void *y = mixed_elements(q, "y", q->c, q->type_c, q->incy);
    if (!alpha || !y || q->head.failed)
        return;
    double complex by = mixed_load(q->type_scalar, alpha, 0);
    int64_t ix = mixed_start(q, q->incx), iy = mixed_start(q, q->incy);
    for (int i = 0; i < q->n; i++, ix += q->incx, iy += q->incy)
        mixed_save(q->type_c, y, iy,
                   x ? by * mixed_load(q->type_a, x, ix) + mixed_load(q->type_c, y, iy)
                     : by * mixed_load(q->type_c, y, iy));
}

static cublasStatus_t axpy(const Entry *entry, cublasHandle_t handle, Int n, In alpha,
                           int type_alpha, In x, int type_x, Int incx, Out y, int type_y, Int incy)
{
    START(run_axpy);
    INVALID_IF(!alpha);
    if (!mixed_vector(type_alpha) || !mixed_vector(type_x) || !mixed_vector(type_y))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    call.n = dim(&call, n);
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.c = y;
    call.type_a = type_x;
    call.type_c = type_y;
    call.type_scalar = type_alpha;
    scalar_set(handle, &call.alpha, alpha, mixed_bytes(type_alpha));
    return call_submit(handle, &call);
}

/* --- entries, for both widths of integers -------------------------------------------------- */

#define ENTRY(name, wide)                                                                          \
    static const Entry own = {name, TYPE_S, wide};                                                 \
    const Entry *entry = &own
#define MIXED(INT, suffix, wide)                                                                   \
    cublasStatus_t cublasGemmEx##suffix(                                                           \
        cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k, In alpha, In A,          \
        cudaDataType Atype, INT lda, In B, cudaDataType Btype, INT ldb, In beta, Out C,            \
        cudaDataType Ctype, INT ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo)           \
    {                                                                                              \
        ENTRY("cublasGemmEx", wide);                                                               \
        (void)algo;                                                                                \
        return mixed(entry, handle, (Types){Atype, Btype, Ctype, compute}, transa, transb, m, n,   \
                     k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1, true);                    \
    }                                                                                              \
    cublasStatus_t cublasGemmStridedBatchedEx##suffix(                                             \
        cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k, In alpha, In A,          \
        cudaDataType Atype, INT lda, long long sa, In B, cudaDataType Btype, INT ldb,              \
        long long sb, In beta, Out C, cudaDataType Ctype, INT ldc, long long sc, INT batch,        \
        cublasComputeType_t compute, cublasGemmAlgo_t algo)                                        \
    {                                                                                              \
        ENTRY("cublasGemmStridedBatchedEx", wide);                                                 \
        (void)algo;                                                                                \
        return mixed(entry, handle, (Types){Atype, Btype, Ctype, compute}, transa, transb, m, n,   \
                     k, alpha, A, lda, sa, B, ldb, sb, beta, C, ldc, sc, batch, true);             \
    }                                                                                              \
    cublasStatus_t cublasGemmBatchedEx##suffix(                                                    \
        cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k, In alpha,                \
        const void *const A[], cudaDataType Atype, INT lda, const void *const B[],                 \
        cudaDataType Btype, INT ldb, In beta, void *const C[], cudaDataType Ctype, INT ldc,        \
        INT batch, cublasComputeType_t compute, cublasGemmAlgo_t algo)                             \
    {                                                                                              \
        ENTRY("cublasGemmBatchedEx", wide);                                                        \
        (void)algo;                                                                                \
        return mixed(entry, handle, (Types){Atype, Btype, Ctype, compute}, transa, transb, m, n,   \
                     k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, batch, false);               \
    }                                                                                              \
    cublasStatus_t cublasSgemmEx##suffix(                                                          \
        cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k, const float *alpha,      \
        In A, cudaDataType Atype, INT lda, In B, cudaDataType Btype, INT ldb, const float *beta,   \
        Out C, cudaDataType Ctype, INT ldc)                                                        \
    {                                                                                              \
        ENTRY("cublasSgemmEx", wide);                                                              \
        return mixed(entry, handle, (Types){Atype, Btype, Ctype, CUBLAS_COMPUTE_32F}, transa,      \
                     transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1, true);      \
    }                                                                                              \
    cublasStatus_t cublasHgemm##suffix(cublasHandle_t handle, Op transa, Op transb, INT m, INT n,  \
                                       INT k, In alpha, In A, INT lda, In B, INT ldb, In beta,     \
                                       Out C, INT ldc)                                             \
    {                                                                                              \
        ENTRY("cublasHgemm", wide);                                                                \
        return mixed(entry, handle, half_types, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, \
                     0, beta, C, ldc, 0, 1, true);                                                 \
    }                                                                                              \
    cublasStatus_t cublasHgemmBatched##suffix(cublasHandle_t handle, Op transa, Op transb, INT m,  \
                                              INT n, INT k, In alpha, const void *const A[],       \
                                              INT lda, const void *const B[], INT ldb, In beta,    \
                                              void *const C[], INT ldc, INT batch)                 \
    {                                                                                              \
        ENTRY("cublasHgemmBatched", wide);                                                         \
        return mixed(entry, handle, half_types, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, \
                     0, beta, C, ldc, 0, batch, false);                                            \
    }                                                                                              \
    cublasStatus_t cublasHgemmStridedBatched##suffix(                                              \
        cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k, In alpha, In A, INT lda, \
        long long sa, In B, INT ldb, long long sb, In beta, Out C, INT ldc, long long sc,          \
        INT batch)                                                                                 \
    {                                                                                              \
        ENTRY("cublasHgemmStridedBatched", wide);                                                  \
        return mixed(entry, handle, half_types, transa, transb, m, n, k, alpha, A, lda, sa, B,     \
                     ldb, sb, beta, C, ldc, sc, batch, true);                                      \
    }                                                                                              \
    cublasStatus_t cublasNrm2Ex##suffix(cublasHandle_t handle, INT n, In x, cudaDataType type,     \
                                        INT incx, Out result, cudaDataType result_type,            \
                                        cudaDataType execution)                                    \
    {                                                                                              \
        ENTRY("cublasNrm2Ex", wide);                                                               \
        (void)execution;                                                                           \
        return sum(entry, handle, SUM_NRM2, n, x, type, incx, x, type, incx, result, result_type); \
    }                                                                                              \
    cublasStatus_t cublasAsumEx##suffix(cublasHandle_t handle, INT n, In x, cudaDataType type,     \
                                        INT incx, Out result, cudaDataType result_type,            \
                                        cudaDataType execution)                                    \
    {                                                                                              \
        ENTRY("cublasAsumEx", wide);                                                               \
        (void)execution;                                                                           \
        return sum(entry, handle, SUM_ASUM, n, x, type, incx, x, type, incx, result, result_type); \
    }                                                                                              \
    cublasStatus_t cublasDotEx##suffix(cublasHandle_t handle, INT n, In x, cudaDataType xtype,     \
                                       INT incx, In y, cudaDataType ytype, INT incy, Out result,   \
                                       cudaDataType result_type, cudaDataType execution)           \
    {                                                                                              \
        ENTRY("cublasDotEx", wide);                                                                \
        (void)execution;                                                                           \
        return sum(entry, handle, SUM_DOT, n, x, xtype, incx, y, ytype, incy, result,              \
                   result_type);                                                                   \
    }                                                                                              \
    cublasStatus_t cublasDotcEx##suffix(cublasHandle_t handle, INT n, In x, cudaDataType xtype,    \
                                        INT incx, In y, cudaDataType ytype, INT incy, Out result,  \
                                        cudaDataType result_type, cudaDataType execution)          \
    {                                                                                              \
        ENTRY("cublasDotcEx", wide);                                                               \
        (void)execution;                                                                           \
        return sum(entry, handle, SUM_DOTC, n, x, xtype, incx, y, ytype, incy, result,             \
                   result_type);                                                                   \
    }                                                                                              \
    cublasStatus_t cublasAxpyEx##suffix(                                                           \
        cublasHandle_t handle, INT n, In alpha, cudaDataType alpha_type, In x, cudaDataType xtype, \
        INT incx, Out y, cudaDataType ytype, INT incy, cudaDataType execution)                     \
    {                                                                                              \
        ENTRY("cublasAxpyEx", wide);                                                               \
        (void)execution;                                                                           \
        return axpy(entry, handle, n, alpha, alpha_type, x, xtype, incx, y, ytype, incy);          \
    }                                                                                              \
    cublasStatus_t cublasScalEx##suffix(cublasHandle_t handle, INT n, In alpha,                    \
                                        cudaDataType alpha_type, Out x, cudaDataType xtype,        \
                                        INT incx, cudaDataType execution)                          \
    {                                                                                              \
        ENTRY("cublasScalEx", wide);                                                               \
        (void)execution;                                                                           \
        return incx > 0                                                                            \
                   ? axpy(entry, handle, n, alpha, alpha_type, NULL, xtype, 1, x, xtype, incx)     \
                   : CUBLAS_STATUS_SUCCESS;                                                        \
    }
static const Types half_types = {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F};
MIXED(int, , false)
MIXED(int64_t, _64, true)
