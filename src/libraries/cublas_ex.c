/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: vectors whose element types are data (rotation, copies, extremes), groups of batches of products,
 * complex products and updates with types as data, products of half-precision matrices and vectors. */
#include "libraries/cublas.h"

#include <math.h>
#include <string.h>

/* --- vectors -------------------------------------------------------------------------------- */

typedef enum { EX_ROT, EX_ROTM, EX_COPY, EX_SWAP, EX_AMAX, EX_AMIN } Ex;

static void run_pairs(Call *q)
{
    void *x = mixed_elements(q, "x", q->a, q->type_a, q->incx);
    void *y = mixed_elements(q, "y", q->c, q->type_c, q->incy);
    size_t bytes = mixed_bytes(q->type_scalar);
    double complex h[4] = {1, 0, 0, 1};
    if (q->kl == EX_ROT) {
        const void *c = scalar_get(q, "c", &q->alpha, bytes),
                   *s = scalar_get(q, "s", &q->beta, bytes);
        if (!c || !s)
            return;
        double complex sine = mixed_load(q->type_scalar, s, 0);
        h[0] = h[3] = creal(mixed_load(q->type_scalar, c, 0));
        h[2] = sine;
        h[1] = -conj(sine);
    } else if (q->kl == EX_ROTM) {
        const void *param = q->b ? lib_reach(&q->head, "param", q->b, 5 * bytes) : q->param;
        if (!param)
            return;
        double flag = creal(mixed_load(q->type_scalar, param, 0));
        for (int i = 0; i < 4; i++) {
            bool given =
                flag == -1 || (flag == 0 ? i == 1 || i == 2 : flag == 1 && (i == 0 || i == 3));
            if (given)
                h[i] = mixed_load(q->type_scalar, param, i + 1);
        }
        if (flag == 1) {
            h[1] = -1;
            h[2] = 1;
        }
    } else {
        h[0] = h[3] = 0;
        h[1] = h[2] = 1;
    }
    int64_t ix = mixed_start(q, q->incx), iy = mixed_start(q, q->incy);
    for (int i = 0; i < q->n && !q->head.failed; i++, ix += q->incx, iy += q->incy) {
        double complex v = mixed_load(q->type_a, x, ix), w = mixed_load(q->type_c, y, iy);
        if (q->kl != EX_COPY)
            mixed_save(q->type_a, x, ix, q->kl == EX_SWAP ? w : h[0] * v + h[2] * w);
        mixed_save(q->type_c, y, iy,
                   q->kl == EX_COPY || q->kl == EX_SWAP ? v : h[1] * v + h[3] * w);
    }
}

static cublasStatus_t pairs(const Entry *entry, cublasHandle_t handle, Ex kind, Int n, In x,
                            int type_x, Int incx, In y, int type_y, Int incy, In c, In s,
                            int type_scalar)
{
    START(run_pairs);
    if (!mixed_vector(type_x) || !mixed_vector(type_y) || !mixed_vector(type_scalar))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    call.kl = (int)kind;
    call.n = n > 0 ? dim(&call, n) : 0;
    call.incx = dim(&call, incx);
    call.incy = dim(&call, incy);
    call.a = x;
    call.c = (void *)(uintptr_t)y;
    call.type_a = type_x;
    call.type_c = type_y;
    call.type_scalar = type_scalar;
    if (kind == EX_ROT) {
        INVALID_IF(!c || !s);
        scalar_set(handle, &call.alpha, c, mixed_bytes(type_scalar));
        scalar_set(handle, &call.beta, s, mixed_bytes(type_scalar));
    } else if (kind == EX_ROTM) {
        INVALID_IF(!c);
        if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
            call.b = c;
        else
            memcpy(call.param, c, 5 * mixed_bytes(type_scalar));
    }
    return call.n ? call_submit(handle, &call) : CUBLAS_STATUS_SUCCESS;
}

static void run_extreme(Call *q)
{
    const void *x = mixed_elements(q, "x", q->a, q->type_a, q->incx);
    char *result = result_place(q, q->wide ? 8 : 4);
    if (!result || q->head.failed)
        return;
    int64_t best = 0;
    double of_best = 0;
    for (int i = 0; i < q->n; i++) {
        double complex v = mixed_load(q->type_a, x, (int64_t)i * q->incx);
        double size = fabs(creal(v)) + fabs(cimag(v));
        if (!best || (q->kl == EX_AMAX ? size > of_best : size < of_best)) {
            best = i + 1;
            of_best = size;
        }
    }
    int narrow = (int)best;
    memcpy(result, q->wide ? (void *)&best : (void *)&narrow, q->wide ? 8 : 4);
}

static cublasStatus_t extreme(const Entry *entry, cublasHandle_t handle, Ex kind, Int n, In x,
                              int type, Int incx, Out result)
{
    START(run_extreme);
    INVALID_IF(!result);
    if (!mixed_vector(type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    call.kl = (int)kind;
    call.n = incx > 0 && n > 0 ? dim(&call, n) : 0;
    call.incx = dim(&call, incx);
    call.a = x;
    call.type_a = type;
    return call_submit_result(handle, &call, result);
}

/* --- products ------------------------------------------------------------------------------- */

/* Group after group, each a batch; the scalars are one per group, on the host. */
#define GROUPS(INT, name)                                                                          \
    static cublasStatus_t name(                                                                    \
        const Entry *entry, cublasHandle_t handle, Types types, const Op *transa,                  \
        const Op *transb, const INT *m, const INT *n, const INT *k, const char *alpha,             \
        const void *const *A, const INT *lda, const void *const *B, const INT *ldb,                \
        const char *beta, void *const *C, const INT *ldc, INT count, const INT *size)              \
    {                                                                                              \
        int scalar;                                                                                \
        if (!handle_known(handle))                                                                 \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        INVALID_IF(count < 0 || (count && (!transa || !transb || !m || !n || !k || !alpha ||       \
                                           !beta || !lda || !ldb || !ldc || !size)));              \
        if (!mixed_supported(types.a, types.b, types.c, types.compute, &scalar))                   \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                    \
        int64_t first = 0;                                                                         \
        for (INT g = 0; g < count; g++) {                                                          \
            INVALID_IF(size[g] < 0);                                                               \
            size_t at = (size_t)g * mixed_bytes(scalar);                                           \
            cublasStatus_t status =                                                                \
                size[g] ? mixed(entry, handle, types, transa[g], transb[g], m[g], n[g], k[g],      \
                                alpha + at, A + first, lda[g], 0, B + first, ldb[g], 0, beta + at, \
                                C + first, ldc[g], 0, size[g], false)                              \
                        : CUBLAS_STATUS_SUCCESS;                                                   \
            if (status != CUBLAS_STATUS_SUCCESS)                                                   \
                return status;                                                                     \
            first += size[g];                                                                      \
        }                                                                                          \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
GROUPS(int, groups)
GROUPS(int64_t, groups_64)

/* A vector with a step is a matrix of one row: y' = x' op(A)'. */
static cublasStatus_t vectors(const Entry *entry, cublasHandle_t handle, Types types, Op trans,
                              Int m, Int n, In alpha, In A, Int lda, long long stride_a, In x,
                              Int incx, long long stride_x, In beta, In y, Int incy,
                              long long stride_y, Int batch, bool strided)
{
    INVALID_IF(m < 0 || n < 0 || lda < least(m) || !incx || !incy);
    if (incx < 0 || incy < 0) {
        rt_refuse("cublas gemv in half precision with a negative increment");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    bool plain = trans == CUBLAS_OP_N;
    return mixed(entry, handle, types, CUBLAS_OP_N, plain ? CUBLAS_OP_T : CUBLAS_OP_N, 1,
                 plain ? m : n, plain ? n : m, alpha, x, incx, stride_x, A, lda, stride_a, beta, y,
                 incy, stride_y, batch, strided);
}

/* --- entries, for both widths of integers ---------------------------------------------------- */

#define ENTRY(name, type, wide)                                                                    \
    static const Entry own = {name, type, wide};                                                   \
    const Entry *entry = &own
/* Rank-k updates of complex numbers that are not 8 bits each. */
#define UPDATE(name, Scalar, handler, INT, suffix, wide)                                           \
    cublasStatus_t name##suffix(cublasHandle_t handle, Fill uplo, Op trans, INT n, INT k,          \
                                const Scalar *alpha, In A, cudaDataType Atype, INT lda,            \
                                const Scalar *beta, Out C, cudaDataType Ctype, INT ldc)            \
    {                                                                                              \
        ENTRY(#name, TYPE_C, wide);                                                                \
        if (Atype != CUDA_C_32F || Ctype != CUDA_C_32F)                                            \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                    \
        return blas_##handler(entry, handle, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);      \
    }
#define COMPLEX_PRODUCT(name, INT, suffix, wide)                                                   \
    cublasStatus_t name##suffix(cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k,  \
                                const cuComplex *alpha, In A, cudaDataType Atype, INT lda, In B,   \
                                cudaDataType Btype, INT ldb, const cuComplex *beta, Out C,         \
                                cudaDataType Ctype, INT ldc)                                       \
    {                                                                                              \
        ENTRY(#name, TYPE_C, wide);                                                                \
        if (Atype != CUDA_C_32F)                                                                   \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                    \
        return mixed(entry, handle, (Types){Atype, Btype, Ctype, CUBLAS_COMPUTE_32F}, transa,      \
                     transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1, true);      \
    }
#define EX(INT, suffix, wide, groups)                                                              \
    cublasStatus_t cublasRotEx##suffix(cublasHandle_t handle, INT n, Out x, cudaDataType xtype,    \
                                       INT incx, Out y, cudaDataType ytype, INT incy, In c, In s,  \
                                       cudaDataType cstype, cudaDataType execution)                \
    {                                                                                              \
        ENTRY("cublasRotEx", TYPE_S, wide);                                                        \
        (void)execution;                                                                           \
        return pairs(entry, handle, EX_ROT, n, x, xtype, incx, y, ytype, incy, c, s, cstype);      \
    }                                                                                              \
    cublasStatus_t cublasRotmEx##suffix(cublasHandle_t handle, INT n, Out x, cudaDataType xtype,   \
                                        INT incx, Out y, cudaDataType ytype, INT incy, In param,   \
                                        cudaDataType param_type, cudaDataType execution)           \
    {                                                                                              \
        ENTRY("cublasRotmEx", TYPE_S, wide);                                                       \
        (void)execution;                                                                           \
        return pairs(entry, handle, EX_ROTM, n, x, xtype, incx, y, ytype, incy, param, NULL,       \
                     param_type);                                                                  \
    }                                                                                              \
    cublasStatus_t cublasCopyEx##suffix(cublasHandle_t handle, INT n, In x, cudaDataType xtype,    \
                                        INT incx, Out y, cudaDataType ytype, INT incy)             \
    {                                                                                              \
        ENTRY("cublasCopyEx", TYPE_S, wide);                                                       \
        return pairs(entry, handle, EX_COPY, n, x, xtype, incx, y, ytype, incy, NULL, NULL,        \
                     ytype);                                                                       \
    }                                                                                              \
    cublasStatus_t cublasSwapEx##suffix(cublasHandle_t handle, INT n, Out x, cudaDataType xtype,   \
                                        INT incx, Out y, cudaDataType ytype, INT incy)             \
    {                                                                                              \
        ENTRY("cublasSwapEx", TYPE_S, wide);                                                       \
        return pairs(entry, handle, EX_SWAP, n, x, xtype, incx, y, ytype, incy, NULL, NULL,        \
                     ytype);                                                                       \
    }                                                                                              \
    cublasStatus_t cublasIamaxEx##suffix(cublasHandle_t handle, INT n, In x, cudaDataType xtype,   \
                                         INT incx, INT *result)                                    \
    {                                                                                              \
        ENTRY("cublasIamaxEx", TYPE_S, wide);                                                      \
        return extreme(entry, handle, EX_AMAX, n, x, xtype, incx, result);                         \
    }                                                                                              \
    cublasStatus_t cublasIaminEx##suffix(cublasHandle_t handle, INT n, In x, cudaDataType xtype,   \
                                         INT incx, INT *result)                                    \
    {                                                                                              \
        ENTRY("cublasIaminEx", TYPE_S, wide);                                                      \
        return extreme(entry, handle, EX_AMIN, n, x, xtype, incx, result);                         \
    }                                                                                              \
    UPDATE(cublasCsyrkEx, cuComplex, syrk, INT, suffix, wide)                                      \
    UPDATE(cublasCsyrk3mEx, cuComplex, syrk, INT, suffix, wide)                                    \
    UPDATE(cublasCherkEx, float, herk, INT, suffix, wide)                                          \
    UPDATE(cublasCherk3mEx, float, herk, INT, suffix, wide)                                        \
    COMPLEX_PRODUCT(cublasCgemmEx, INT, suffix, wide)                                              \
    COMPLEX_PRODUCT(cublasCgemm3mEx, INT, suffix, wide)                                            \
    cublasStatus_t cublasCgemm3mBatched##suffix(                                                   \
        cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k, const cuComplex *alpha,  \
        const cuComplex *const *A, INT lda, const cuComplex *const *B, INT ldb,                    \
        const cuComplex *beta, cuComplex *const *C, INT ldc, INT batch)                            \
    {                                                                                              \
        ENTRY("cublasCgemm3mBatched", TYPE_C, wide);                                               \
        return blas_gemm_batched(entry, handle, transa, transb, m, n, k, alpha, A, lda, B, ldb,    \
                                 beta, C, ldc, batch);                                             \
    }                                                                                              \
    cublasStatus_t cublasCgemm3mStridedBatched##suffix(                                            \
        cublasHandle_t handle, Op transa, Op transb, INT m, INT n, INT k, const cuComplex *alpha,  \
        const cuComplex *A, INT lda, long long sa, const cuComplex *B, INT ldb, long long sb,      \
        const cuComplex *beta, cuComplex *C, INT ldc, long long sc, INT batch)                     \
    {                                                                                              \
        ENTRY("cublasCgemm3mStridedBatched", TYPE_C, wide);                                        \
        return blas_gemm_strided(entry, handle, transa, transb, m, n, k, alpha, A, lda, sa, B,     \
                                 ldb, sb, beta, C, ldc, sc, batch);                                \
    }                                                                                              \
    cublasStatus_t cublasSgemmGroupedBatched##suffix(                                              \
        cublasHandle_t handle, const Op *transa, const Op *transb, const INT *m, const INT *n,     \
        const INT *k, const float *alpha, const float *const *A, const INT *lda,                   \
        const float *const *B, const INT *ldb, const float *beta, float *const *C, const INT *ldc, \
        INT count, const INT *size)                                                                \
    {                                                                                              \
        ENTRY("cublasSgemmGroupedBatched", TYPE_S, wide);                                          \
        return groups(                                                                             \
            entry, handle, (Types){CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},        \
            transa, transb, m, n, k, (const void *)alpha, (const void *const *)A, lda,             \
            (const void *const *)B, ldb, (const void *)beta, (void *const *)C, ldc, count, size);  \
    }                                                                                              \
    cublasStatus_t cublasDgemmGroupedBatched##suffix(                                              \
        cublasHandle_t handle, const Op *transa, const Op *transb, const INT *m, const INT *n,     \
        const INT *k, const double *alpha, const double *const *A, const INT *lda,                 \
        const double *const *B, const INT *ldb, const double *beta, double *const *C,              \
        const INT *ldc, INT count, const INT *size)                                                \
    {                                                                                              \
        ENTRY("cublasDgemmGroupedBatched", TYPE_D, wide);                                          \
        return groups(                                                                             \
            entry, handle, (Types){CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F},        \
            transa, transb, m, n, k, (const void *)alpha, (const void *const *)A, lda,             \
            (const void *const *)B, ldb, (const void *)beta, (void *const *)C, ldc, count, size);  \
    }                                                                                              \
    cublasStatus_t cublasGemmGroupedBatchedEx##suffix(                                             \
        cublasHandle_t handle, const Op *transa, const Op *transb, const INT *m, const INT *n,     \
        const INT *k, In alpha, const void *const *A, cudaDataType_t Atype, const INT *lda,        \
        const void *const *B, cudaDataType_t Btype, const INT *ldb, In beta, void *const *C,       \
        cudaDataType_t Ctype, const INT *ldc, INT count, const INT *size,                          \
        cublasComputeType_t compute)                                                               \
    {                                                                                              \
        ENTRY("cublasGemmGroupedBatchedEx", TYPE_S, wide);                                         \
        return groups(entry, handle, (Types){Atype, Btype, Ctype, compute}, transa, transb, m, n,  \
                      k, alpha, A, lda, B, ldb, beta, C, ldc, count, size);                        \
    }
EX(int, , false, groups)
EX(int64_t, _64, true, groups_64)

/* H: half, T: bfloat16, S: float; of A and x, of the computation, of y. */
#define GEMV(letters, in, out, INT, suffix, wide)                                                  \
    cublasStatus_t cublas##letters##gemvBatched##suffix(                                           \
        cublasHandle_t handle, Op trans, INT m, INT n, const float *alpha, const void *const *A,   \
        INT lda, const void *const *x, INT incx, const float *beta, void *const *y, INT incy,      \
        INT batch);                                                                                \
    cublasStatus_t cublas##letters##gemvBatched##suffix(                                           \
        cublasHandle_t handle, Op trans, INT m, INT n, const float *alpha, const void *const *A,   \
        INT lda, const void *const *x, INT incx, const float *beta, void *const *y, INT incy,      \
        INT batch)                                                                                 \
    {                                                                                              \
        ENTRY("cublas" #letters "gemvBatched", TYPE_S, wide);                                      \
        return vectors(entry, handle, (Types){in, in, out, CUBLAS_COMPUTE_32F}, trans, m, n,       \
                       alpha, A, lda, 0, x, incx, 0, beta, y, incy, 0, batch, false);              \
    }                                                                                              \
    cublasStatus_t cublas##letters##gemvStridedBatched##suffix(                                    \
        cublasHandle_t handle, Op trans, INT m, INT n, const float *alpha, In A, INT lda,          \
        long long sa, In x, INT incx, long long sx, const float *beta, Out y, INT incy,            \
        long long sy, INT batch);                                                                  \
    cublasStatus_t cublas##letters##gemvStridedBatched##suffix(                                    \
        cublasHandle_t handle, Op trans, INT m, INT n, const float *alpha, In A, INT lda,          \
        long long sa, In x, INT incx, long long sx, const float *beta, Out y, INT incy,            \
        long long sy, INT batch)                                                                   \
    {                                                                                              \
        ENTRY("cublas" #letters "gemvStridedBatched", TYPE_S, wide);                               \
        return vectors(entry, handle, (Types){in, in, out, CUBLAS_COMPUTE_32F}, trans, m, n,       \
                       alpha, A, lda, sa, x, incx, sx, beta, y, incy, sy, batch, true);            \
    }
#define GEMVS(INT, suffix, wide)                                                                   \
    GEMV(HSH, CUDA_R_16F, CUDA_R_16F, INT, suffix, wide)                                           \
    GEMV(HSS, CUDA_R_16F, CUDA_R_32F, INT, suffix, wide)                                           \
    GEMV(TST, CUDA_R_16BF, CUDA_R_16BF, INT, suffix, wide)                                         \
    GEMV(TSS, CUDA_R_16BF, CUDA_R_32F, INT, suffix, wide)
GEMVS(int, , false)
GEMVS(int64_t, _64, true)

/* --- emulation ------------------------------------------------------------------------------- */

/* Products that a GPU may make of narrower ones are made in full here: settings are kept, no more. */
#define SETTING(name, Type, field)                                                                 \
    cublasStatus_t cublasSet##name(cublasHandle_t handle, Type value)                              \
    {                                                                                              \
        if (!handle_known(handle))                                                                 \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->field = value;                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasGet##name(cublasHandle_t handle, Type *value)                             \
    {                                                                                              \
        if (!handle_known(handle))                                                                 \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        INVALID_IF(!value);                                                                        \
        *value = handle->field;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SETTING(EmulationStrategy, cublasEmulationStrategy_t, emulation_strategy)
SETTING(EmulationSpecialValuesSupport, cudaEmulationSpecialValuesSupport, emulation_special)
SETTING(FixedPointEmulationMantissaControl, cudaEmulationMantissaControl, emulation_control)
SETTING(FixedPointEmulationMaxMantissaBitCount, int, emulation_most_bits)
SETTING(FixedPointEmulationMantissaBitOffset, int, emulation_bit_offset)
SETTING(FixedPointEmulationMantissaBitCountPointer, int *, emulation_bits_used)
