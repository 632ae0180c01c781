/* SPDX-License-Identifier: Apache-2.0
 * The typed routines of cuBLAS, one row each:
 *   GK_CALL(prefix, stem, version, handler, (parameters), (their names))
 * Included once per element type and width of integers, with GK_T (element), GK_R (its real type), GK_L (its
 * letter), GK_INDEX (its I?amax), GK_NORM (in ?nrm2), GK_COMPLEX and GK_INT defined. The header makes prototypes
 * of it, the library its entries; handler names the function that does the work for all types. No
 * include guard: that is its use. */
// clang-format off
/* level 1 */
GK_CALL(GK_INDEX, amax, _v2, amax, (GK_INT n, const GK_T *x, GK_INT incx, GK_INT *result), (n, x, incx, result))
GK_CALL(GK_INDEX, amin, _v2, amin, (GK_INT n, const GK_T *x, GK_INT incx, GK_INT *result), (n, x, incx, result))
GK_CALL(GK_NORM, asum, _v2, asum, (GK_INT n, const GK_T *x, GK_INT incx, GK_R *result), (n, x, incx, result))
GK_CALL(GK_NORM, nrm2, _v2, nrm2, (GK_INT n, const GK_T *x, GK_INT incx, GK_R *result), (n, x, incx, result))
GK_CALL(GK_L, axpy, _v2, axpy, (GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, GK_T *y, GK_INT incy), (n, alpha, x, incx, y, incy))
GK_CALL(GK_L, copy, _v2, copy, (GK_INT n, const GK_T *x, GK_INT incx, GK_T *y, GK_INT incy), (n, x, incx, y, incy))
GK_CALL(GK_L, swap, _v2, swap, (GK_INT n, GK_T *x, GK_INT incx, GK_T *y, GK_INT incy), (n, x, incx, y, incy))
GK_CALL(GK_L, scal, _v2, scal, (GK_INT n, const GK_T *alpha, GK_T *x, GK_INT incx), (n, alpha, x, incx))
GK_CALL(GK_L, rot, _v2, rot, (GK_INT n, GK_T *x, GK_INT incx, GK_T *y, GK_INT incy, const GK_R *c, const GK_T *s), (n, x, incx, y, incy, c, s))
#if GK_COMPLEX
GK_CALL(GK_L, dotu, _v2, dotu, (GK_INT n, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *result), (n, x, incx, y, incy, result))
GK_CALL(GK_L, dotc, _v2, dotc, (GK_INT n, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *result), (n, x, incx, y, incy, result))
GK_CALL(GK_MIXED, scal, _v2, scal_real, (GK_INT n, const GK_R *alpha, GK_T *x, GK_INT incx), (n, alpha, x, incx))
GK_CALL(GK_MIXED, rot, _v2, rot_real, (GK_INT n, GK_T *x, GK_INT incx, GK_T *y, GK_INT incy, const GK_R *c, const GK_R *s), (n, x, incx, y, incy, c, s))
#else
GK_CALL(GK_L, dot, _v2, dotu, (GK_INT n, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *result), (n, x, incx, y, incy, result))
GK_CALL(GK_L, rotm, _v2, rotm, (GK_INT n, GK_T *x, GK_INT incx, GK_T *y, GK_INT incy, const GK_T *param), (n, x, incx, y, incy, param))
#endif
#if !GK_WIDE
GK_CALL(GK_L, rotg, _v2, rotg, (GK_T *a, GK_T *b, GK_R *c, GK_T *s), (a, b, c, s))
#if !GK_COMPLEX
GK_CALL(GK_L, rotmg, _v2, rotmg, (GK_T *d1, GK_T *d2, GK_T *x1, const GK_T *y1, GK_T *param), (d1, d2, x1, y1, param))
#endif
#endif
/* level 2 */
GK_CALL(GK_L, gemv, _v2, gemv, (cublasOperation_t trans, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (trans, m, n, alpha, A, lda, x, incx, beta, y, incy))
GK_CALL(GK_L, gbmv, _v2, gbmv, (cublasOperation_t trans, GK_INT m, GK_INT n, GK_INT kl, GK_INT ku, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (trans, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy))
GK_CALL(GK_L, trmv, _v2, trmv, (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT n, const GK_T *A, GK_INT lda, GK_T *x, GK_INT incx), (uplo, trans, diag, n, A, lda, x, incx))
GK_CALL(GK_L, trsv, _v2, trsv, (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT n, const GK_T *A, GK_INT lda, GK_T *x, GK_INT incx), (uplo, trans, diag, n, A, lda, x, incx))
GK_CALL(GK_L, tbmv, _v2, tbmv, (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT n, GK_INT k, const GK_T *A, GK_INT lda, GK_T *x, GK_INT incx), (uplo, trans, diag, n, k, A, lda, x, incx))
GK_CALL(GK_L, tbsv, _v2, tbsv, (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT n, GK_INT k, const GK_T *A, GK_INT lda, GK_T *x, GK_INT incx), (uplo, trans, diag, n, k, A, lda, x, incx))
GK_CALL(GK_L, tpmv, _v2, tpmv, (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT n, const GK_T *AP, GK_T *x, GK_INT incx), (uplo, trans, diag, n, AP, x, incx))
GK_CALL(GK_L, tpsv, _v2, tpsv, (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT n, const GK_T *AP, GK_T *x, GK_INT incx), (uplo, trans, diag, n, AP, x, incx))
GK_CALL(GK_L, symv, _v2, symv, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (uplo, n, alpha, A, lda, x, incx, beta, y, incy))
GK_CALL(GK_L, syr, _v2, syr, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, GK_T *A, GK_INT lda), (uplo, n, alpha, x, incx, A, lda))
GK_CALL(GK_L, syr2, _v2, syr2, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *A, GK_INT lda), (uplo, n, alpha, x, incx, y, incy, A, lda))
#if GK_COMPLEX
GK_CALL(GK_L, geru, _v2, geru, (GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *A, GK_INT lda), (m, n, alpha, x, incx, y, incy, A, lda))
GK_CALL(GK_L, gerc, _v2, gerc, (GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *A, GK_INT lda), (m, n, alpha, x, incx, y, incy, A, lda))
GK_CALL(GK_L, hemv, _v2, hemv, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (uplo, n, alpha, A, lda, x, incx, beta, y, incy))
GK_CALL(GK_L, hbmv, _v2, sbmv, (cublasFillMode_t uplo, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (uplo, n, k, alpha, A, lda, x, incx, beta, y, incy))
GK_CALL(GK_L, hpmv, _v2, spmv, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *AP, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (uplo, n, alpha, AP, x, incx, beta, y, incy))
GK_CALL(GK_L, her, _v2, her, (cublasFillMode_t uplo, GK_INT n, const GK_R *alpha, const GK_T *x, GK_INT incx, GK_T *A, GK_INT lda), (uplo, n, alpha, x, incx, A, lda))
GK_CALL(GK_L, her2, _v2, her2, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *A, GK_INT lda), (uplo, n, alpha, x, incx, y, incy, A, lda))
GK_CALL(GK_L, hpr, _v2, spr, (cublasFillMode_t uplo, GK_INT n, const GK_R *alpha, const GK_T *x, GK_INT incx, GK_T *AP), (uplo, n, alpha, x, incx, AP))
GK_CALL(GK_L, hpr2, _v2, spr2, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *AP), (uplo, n, alpha, x, incx, y, incy, AP))
#else
GK_CALL(GK_L, ger, _v2, geru, (GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *A, GK_INT lda), (m, n, alpha, x, incx, y, incy, A, lda))
GK_CALL(GK_L, sbmv, _v2, sbmv, (cublasFillMode_t uplo, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (uplo, n, k, alpha, A, lda, x, incx, beta, y, incy))
GK_CALL(GK_L, spmv, _v2, spmv, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *AP, const GK_T *x, GK_INT incx, const GK_T *beta, GK_T *y, GK_INT incy), (uplo, n, alpha, AP, x, incx, beta, y, incy))
GK_CALL(GK_L, spr, _v2, spr, (cublasFillMode_t uplo, GK_INT n, const GK_R *alpha, const GK_T *x, GK_INT incx, GK_T *AP), (uplo, n, alpha, x, incx, AP))
GK_CALL(GK_L, spr2, _v2, spr2, (cublasFillMode_t uplo, GK_INT n, const GK_T *alpha, const GK_T *x, GK_INT incx, const GK_T *y, GK_INT incy, GK_T *AP), (uplo, n, alpha, x, incx, y, incy, AP))
#endif
GK_CALL(GK_L, gemvBatched,, gemv_batched, (cublasOperation_t trans, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *const Aarray[], GK_INT lda, const GK_T *const xarray[], GK_INT incx, const GK_T *beta, GK_T *const yarray[], GK_INT incy, GK_INT batch), (trans, m, n, alpha, Aarray, lda, xarray, incx, beta, yarray, incy, batch))
GK_CALL(GK_L, gemvStridedBatched,, gemv_strided, (cublasOperation_t trans, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, long long strideA, const GK_T *x, GK_INT incx, long long stridex, const GK_T *beta, GK_T *y, GK_INT incy, long long stridey, GK_INT batch), (trans, m, n, alpha, A, lda, strideA, x, incx, stridex, beta, y, incy, stridey, batch))
/* level 3 */
GK_CALL(GK_L, gemm, _v2, gemm, (cublasOperation_t transa, cublasOperation_t transb, GK_INT m, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_T *beta, GK_T *C, GK_INT ldc), (transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc))
GK_CALL(GK_L, gemmBatched,, gemm_batched, (cublasOperation_t transa, cublasOperation_t transb, GK_INT m, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *const Aarray[], GK_INT lda, const GK_T *const Barray[], GK_INT ldb, const GK_T *beta, GK_T *const Carray[], GK_INT ldc, GK_INT batch), (transa, transb, m, n, k, alpha, Aarray, lda, Barray, ldb, beta, Carray, ldc, batch))
GK_CALL(GK_L, gemmStridedBatched,, gemm_strided, (cublasOperation_t transa, cublasOperation_t transb, GK_INT m, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, long long strideA, const GK_T *B, GK_INT ldb, long long strideB, const GK_T *beta, GK_T *C, GK_INT ldc, long long strideC, GK_INT batch), (transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C, ldc, strideC, batch))
GK_CALL(GK_L, symm, _v2, symm, (cublasSideMode_t side, cublasFillMode_t uplo, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_T *beta, GK_T *C, GK_INT ldc), (side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc))
GK_CALL(GK_L, syrk, _v2, syrk, (cublasFillMode_t uplo, cublasOperation_t trans, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *beta, GK_T *C, GK_INT ldc), (uplo, trans, n, k, alpha, A, lda, beta, C, ldc))
GK_CALL(GK_L, syr2k, _v2, syr2k, (cublasFillMode_t uplo, cublasOperation_t trans, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_T *beta, GK_T *C, GK_INT ldc), (uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc))
GK_CALL(GK_L, syrkx,, syrkx, (cublasFillMode_t uplo, cublasOperation_t trans, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_T *beta, GK_T *C, GK_INT ldc), (uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc))
GK_CALL(GK_L, trmm, _v2, trmm, (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, GK_T *C, GK_INT ldc), (side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C, ldc))
GK_CALL(GK_L, trsm, _v2, trsm, (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, GK_T *B, GK_INT ldb), (side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb))
GK_CALL(GK_L, trsmBatched,, trsm_batched, (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *const A[], GK_INT lda, GK_T *const B[], GK_INT ldb, GK_INT batch), (side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, batch))
#if GK_COMPLEX
GK_CALL(GK_L, gemm3m,, gemm, (cublasOperation_t transa, cublasOperation_t transb, GK_INT m, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_T *beta, GK_T *C, GK_INT ldc), (transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc))
GK_CALL(GK_L, hemm, _v2, hemm, (cublasSideMode_t side, cublasFillMode_t uplo, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_T *beta, GK_T *C, GK_INT ldc), (side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc))
GK_CALL(GK_L, herk, _v2, herk, (cublasFillMode_t uplo, cublasOperation_t trans, GK_INT n, GK_INT k, const GK_R *alpha, const GK_T *A, GK_INT lda, const GK_R *beta, GK_T *C, GK_INT ldc), (uplo, trans, n, k, alpha, A, lda, beta, C, ldc))
GK_CALL(GK_L, her2k, _v2, her2k, (cublasFillMode_t uplo, cublasOperation_t trans, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_R *beta, GK_T *C, GK_INT ldc), (uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc))
GK_CALL(GK_L, herkx,, herkx, (cublasFillMode_t uplo, cublasOperation_t trans, GK_INT n, GK_INT k, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *B, GK_INT ldb, const GK_R *beta, GK_T *C, GK_INT ldc), (uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc))
#endif
/* extensions */
GK_CALL(GK_L, geam,, geam, (cublasOperation_t transa, cublasOperation_t transb, GK_INT m, GK_INT n, const GK_T *alpha, const GK_T *A, GK_INT lda, const GK_T *beta, const GK_T *B, GK_INT ldb, GK_T *C, GK_INT ldc), (transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc))
GK_CALL(GK_L, dgmm,, dgmm, (cublasSideMode_t mode, GK_INT m, GK_INT n, const GK_T *A, GK_INT lda, const GK_T *x, GK_INT incx, GK_T *C, GK_INT ldc), (mode, m, n, A, lda, x, incx, C, ldc))
#if !GK_WIDE
GK_CALL(GK_L, getrfBatched,, getrf_batched, (int n, GK_T *const A[], int lda, int *pivots, int *info, int batch), (n, A, lda, pivots, info, batch))
GK_CALL(GK_L, getriBatched,, getri_batched, (int n, const GK_T *const A[], int lda, const int *pivots, GK_T *const C[], int ldc, int *info, int batch), (n, A, lda, pivots, C, ldc, info, batch))
GK_CALL(GK_L, getrsBatched,, getrs_batched, (cublasOperation_t trans, int n, int nrhs, const GK_T *const A[], int lda, const int *pivots, GK_T *const B[], int ldb, int *info, int batch), (trans, n, nrhs, A, lda, pivots, B, ldb, info, batch))
GK_CALL(GK_L, matinvBatched,, matinv_batched, (int n, const GK_T *const A[], int lda, GK_T *const inverse[], int lda_inverse, int *info, int batch), (n, A, lda, inverse, lda_inverse, info, batch))
GK_CALL(GK_L, geqrfBatched,, geqrf_batched, (int m, int n, GK_T *const A[], int lda, GK_T *const tau[], int *info, int batch), (m, n, A, lda, tau, info, batch))
GK_CALL(GK_L, gelsBatched,, gels_batched, (cublasOperation_t trans, int m, int n, int nrhs, GK_T *const A[], int lda, GK_T *const C[], int ldc, int *info, int *device_info, int batch), (trans, m, n, nrhs, A, lda, C, ldc, info, device_info, batch))
GK_CALL(GK_L, tpttr,, tpttr, (cublasFillMode_t uplo, int n, const GK_T *AP, GK_T *A, int lda), (uplo, n, AP, A, lda))
GK_CALL(GK_L, trttp,, trttp, (cublasFillMode_t uplo, int n, const GK_T *A, int lda, GK_T *AP), (uplo, n, A, lda, AP))
#endif
#undef GK_CALL
