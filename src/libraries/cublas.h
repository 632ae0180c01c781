/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to libcublas: the handle, a call with everything that any routine takes, and its checks.
 * A routine checks its arguments, describes them in a Call and submits it; its run_* function does
 * the work in stream order with OpenBLAS, for all element types. */
#ifndef GPUKIT_LIBRARIES_CUBLAS_H
#define GPUKIT_LIBRARIES_CUBLAS_H

#include "libraries/blas.h"
#include "libraries/library.h"

#include <complex.h>
#include <cublas_api.h>

enum { HANDLE_MAGIC = 0x676b6262 };
struct cublasContext {
    uint32_t magic;
    void *stream; /* the program's handle */
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    int sm_count;
    /* Emulation of wide types by narrow ones: kept for queries only. */
    cublasEmulationStrategy_t emulation_strategy;
    cudaEmulationSpecialValuesSupport emulation_special;
    cudaEmulationMantissaControl emulation_control;
    int emulation_most_bits, emulation_bit_offset, *emulation_bits_used;
};

/* Which entry was called. */
typedef struct {
    const char *name;
    int type;
    bool wide; /* integers of 64 bits */
} Entry;

/* A scalar: its value, or where the device has it. */
typedef struct {
    const void *device;
    unsigned char value[16];
} Scalar;

typedef struct Call Call;
struct Call {
    LibCall head;
    void (*run)(Call *call);
    int type;
    char side, uplo, ta, tb, diag; /* as Fortran has them */
    bool too_large, wide, conjugate, strided, host_result;
    int m, n, k, kl, ku, lda, ldb, ldc, incx, incy, batch;
    long long stride_a, stride_b, stride_c; /* elements */
    const void *a, *b;
    void *c, *d, *result;
    const int *pivots;
    int *info, *pivots_out;
    Scalar alpha, beta;
    int type_a, type_b, type_c, type_scalar, compute; /* mixed routines: cudaDataType */
    unsigned char param[40];                          /* of rotm, when it is on the host */
};

/* Begins a call; false: the handle is none. */
bool call_begin(Call *call, const Entry *entry, cublasHandle_t handle, void (*run)(Call *));
cublasStatus_t call_submit(cublasHandle_t handle, Call *call);
bool handle_known(cublasHandle_t handle);
cublasStatus_t status_of(int error); /* a CUDA error as a status */
const char *status_name(cublasStatus_t status);
const char *status_text(cublasStatus_t status);
int dim(Call *call, int64_t value);
void scalar_set(cublasHandle_t handle, Scalar *scalar, const void *value, size_t bytes);
/* In run functions: the scalar's place, or NULL after a fault. */
const void *scalar_get(Call *call, const char *argument, const Scalar *scalar, size_t bytes);
/* A result of `bytes`: where to write it now, and the submission that makes it so. */
void *result_place(Call *call, size_t bytes);
cublasStatus_t call_submit_result(cublasHandle_t handle, Call *call, void *result);

/* The host's view of a vector or column-major matrix of the call's type; NULL for none or a fault.
 */
void *vector(Call *call, const char *argument, const void *at, int64_t n, int inc);
void *matrix(Call *call, const char *argument, const void *at, int64_t rows, int64_t cols,
             int64_t ld);
void *packed(Call *call, const char *argument, const void *at, int64_t n);

bool op_char(cublasOperation_t op, int type, char *out);
bool fill_char(cublasFillMode_t fill, char *out);
bool diag_char(cublasDiagType_t diag, char *out);
bool side_char(cublasSideMode_t side, char *out);

typedef const void *In;
typedef void *Out;
typedef int64_t Int;
typedef cublasOperation_t Op;
typedef cublasFillMode_t Fill;
typedef cublasDiagType_t Diag;
typedef cublasSideMode_t Side;

#define START(run)                                                                                 \
    Call call;                                                                                     \
    if (!call_begin(&call, entry, handle, run))                                                    \
    return CUBLAS_STATUS_NOT_INITIALIZED
#define INVALID_IF(condition)                                                                      \
    do {                                                                                           \
        if (condition)                                                                             \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
    } while (0)
/* The scalars: in run functions, and when a call is made. */
#define ALPHA const void *alpha = scalar_get(q, "alpha", &q->alpha, blas_bytes(q->type))
#define BETA  const void *beta = scalar_get(q, "beta", &q->beta, blas_bytes(q->type))
#define BOTH_SCALARS                                                                               \
    do {                                                                                           \
        scalar_set(handle, &call.alpha, alpha, blas_bytes(call.type));                             \
        scalar_set(handle, &call.beta, beta, blas_bytes(call.type));                               \
    } while (0)

/* The arguments that all forms of gemm have; C may be written, or hold pointers. */
typedef struct {
    Op transa, transb;
    Int m, n, k;
    In alpha, a;
    Int lda;
    long long stride_a;
    In b;
    Int ldb;
    long long stride_b;
    In beta, c;
    Int ldc;
    long long stride_c;
    Int batch;
    bool strided;
} Gemm;
/* Into the call, the scalars left out; false when one is invalid. type: the transpositions' one. */
bool gemm_set(Call *call, int type, const Gemm *g);

/* gemm of one pair of types in memory that the host can see; shared with cuBLASLt. */
typedef struct {
    int type_a, type_b, type_c, type_scalar, compute;
    char ta, tb;
    int m, n, k, lda, ldb, ldc;
} MixedGemm;
bool mixed_supported(int type_a, int type_b, int type_c, int compute, int *type_scalar);
size_t mixed_bytes(int type);
void mixed_widen(int type, const void *from, float *to, int64_t count);
void mixed_narrow(int type, void *to, float value); /* rounds; 8-bit floats saturate */
bool mixed_gemm(const MixedGemm *gemm, const void *alpha, const void *a, const void *b,
                const void *beta, void *c);

/* The element types of a product, and the product of matrices, or of arrays of pointers to them. */
typedef struct {
    int a, b, c, compute;
} Types;
cublasStatus_t mixed(const Entry *entry, cublasHandle_t handle, Types types, Op transa, Op transb,
                     Int m, Int n, Int k, In alpha, In A, Int lda, long long stride_a, In B,
                     Int ldb, long long stride_b, In beta, In C, Int ldc, long long stride_c,
                     Int batch, bool strided);
/* Vectors whose element type is data, real or complex, in memory that the host can see. */
bool mixed_vector(int type);
double complex mixed_load(int type, const void *base, int64_t i);
void mixed_save(int type, void *base, int64_t i, double complex number);
void *mixed_elements(Call *q, const char *argument, const void *at, int type, int inc);
int64_t mixed_start(const Call *q, int inc);

#define HANDLER(name, ...)                                                                         \
    cublasStatus_t blas_##name(const Entry *entry, cublasHandle_t handle, __VA_ARGS__)
HANDLER(amax, Int n, In x, Int incx, Out result);
HANDLER(amin, Int n, In x, Int incx, Out result);
HANDLER(asum, Int n, In x, Int incx, Out result);
HANDLER(nrm2, Int n, In x, Int incx, Out result);
HANDLER(axpy, Int n, In alpha, In x, Int incx, Out y, Int incy);
HANDLER(copy, Int n, In x, Int incx, Out y, Int incy);
HANDLER(swap, Int n, Out x, Int incx, Out y, Int incy);
HANDLER(scal, Int n, In alpha, Out x, Int incx);
HANDLER(scal_real, Int n, In alpha, Out x, Int incx);
HANDLER(rot, Int n, Out x, Int incx, Out y, Int incy, In c, In s);
HANDLER(rot_real, Int n, Out x, Int incx, Out y, Int incy, In c, In s);
HANDLER(rotm, Int n, Out x, Int incx, Out y, Int incy, In param);
HANDLER(rotg, Out a, Out b, Out c, Out s);
HANDLER(rotmg, Out d1, Out d2, Out x1, In y1, Out param);
HANDLER(dotu, Int n, In x, Int incx, In y, Int incy, Out result);
HANDLER(dotc, Int n, In x, Int incx, In y, Int incy, Out result);
HANDLER(gemv, Op trans, Int m, Int n, In alpha, In A, Int lda, In x, Int incx, In beta, Out y,
        Int incy);
HANDLER(gbmv, Op trans, Int m, Int n, Int kl, Int ku, In alpha, In A, Int lda, In x, Int incx,
        In beta, Out y, Int incy);
HANDLER(trmv, Fill uplo, Op trans, Diag diag, Int n, In A, Int lda, Out x, Int incx);
HANDLER(trsv, Fill uplo, Op trans, Diag diag, Int n, In A, Int lda, Out x, Int incx);
HANDLER(tbmv, Fill uplo, Op trans, Diag diag, Int n, Int k, In A, Int lda, Out x, Int incx);
HANDLER(tbsv, Fill uplo, Op trans, Diag diag, Int n, Int k, In A, Int lda, Out x, Int incx);
HANDLER(tpmv, Fill uplo, Op trans, Diag diag, Int n, In AP, Out x, Int incx);
HANDLER(tpsv, Fill uplo, Op trans, Diag diag, Int n, In AP, Out x, Int incx);
HANDLER(symv, Fill uplo, Int n, In alpha, In A, Int lda, In x, Int incx, In beta, Out y, Int incy);
HANDLER(hemv, Fill uplo, Int n, In alpha, In A, Int lda, In x, Int incx, In beta, Out y, Int incy);
HANDLER(sbmv, Fill uplo, Int n, Int k, In alpha, In A, Int lda, In x, Int incx, In beta, Out y,
        Int incy);
HANDLER(spmv, Fill uplo, Int n, In alpha, In AP, In x, Int incx, In beta, Out y, Int incy);
HANDLER(syr, Fill uplo, Int n, In alpha, In x, Int incx, Out A, Int lda);
HANDLER(her, Fill uplo, Int n, In alpha, In x, Int incx, Out A, Int lda);
HANDLER(syr2, Fill uplo, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda);
HANDLER(her2, Fill uplo, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda);
HANDLER(spr, Fill uplo, Int n, In alpha, In x, Int incx, Out AP);
HANDLER(spr2, Fill uplo, Int n, In alpha, In x, Int incx, In y, Int incy, Out AP);
HANDLER(geru, Int m, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda);
HANDLER(gerc, Int m, Int n, In alpha, In x, Int incx, In y, Int incy, Out A, Int lda);
HANDLER(gemv_batched, Op trans, Int m, Int n, In alpha, In A, Int lda, In x, Int incx, In beta,
        In y, Int incy, Int batch);
HANDLER(gemv_strided, Op trans, Int m, Int n, In alpha, In A, Int lda, long long stride_a, In x,
        Int incx, long long stride_x, In beta, Out y, Int incy, long long stride_y, Int batch);
HANDLER(gemm, Op transa, Op transb, Int m, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb,
        In beta, Out C, Int ldc);
HANDLER(gemm_batched, Op transa, Op transb, Int m, Int n, Int k, In alpha, In A, Int lda, In B,
        Int ldb, In beta, In C, Int ldc, Int batch);
HANDLER(gemm_strided, Op transa, Op transb, Int m, Int n, Int k, In alpha, In A, Int lda,
        long long stride_a, In B, Int ldb, long long stride_b, In beta, Out C, Int ldc,
        long long stride_c, Int batch);
HANDLER(symm, Side side, Fill uplo, Int m, Int n, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc);
HANDLER(hemm, Side side, Fill uplo, Int m, Int n, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc);
HANDLER(syrk, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In beta, Out C, Int ldc);
HANDLER(herk, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In beta, Out C, Int ldc);
HANDLER(syr2k, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc);
HANDLER(her2k, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc);
HANDLER(syrkx, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc);
HANDLER(herkx, Fill uplo, Op trans, Int n, Int k, In alpha, In A, Int lda, In B, Int ldb, In beta,
        Out C, Int ldc);
HANDLER(trmm, Side side, Fill uplo, Op trans, Diag diag, Int m, Int n, In alpha, In A, Int lda,
        In B, Int ldb, Out C, Int ldc);
HANDLER(trsm, Side side, Fill uplo, Op trans, Diag diag, Int m, Int n, In alpha, In A, Int lda,
        Out B, Int ldb);
HANDLER(trsm_batched, Side side, Fill uplo, Op trans, Diag diag, Int m, Int n, In alpha, In A,
        Int lda, In B, Int ldb, Int batch);
HANDLER(geam, Op transa, Op transb, Int m, Int n, In alpha, In A, Int lda, In beta, In B, Int ldb,
        Out C, Int ldc);
HANDLER(dgmm, Side mode, Int m, Int n, In A, Int lda, In x, Int incx, Out C, Int ldc);
HANDLER(getrf_batched, int n, In A, int lda, int *pivots, int *info, int batch);
HANDLER(getri_batched, int n, In A, int lda, const int *pivots, In C, int ldc, int *info,
        int batch);
HANDLER(getrs_batched, Op trans, int n, int nrhs, In A, int lda, const int *pivots, In B, int ldb,
        int *info, int batch);
HANDLER(matinv_batched, int n, In A, int lda, In inverse, int lda_inverse, int *info, int batch);
HANDLER(geqrf_batched, int m, int n, In A, int lda, In tau, int *info, int batch);
HANDLER(gels_batched, Op trans, int m, int n, int nrhs, In A, int lda, In C, int ldc, int *info,
        int *device_info, int batch);
HANDLER(tpttr, Fill uplo, int n, In AP, Out A, int lda);
HANDLER(trttp, Fill uplo, int n, In A, int lda, Out AP);

#endif
