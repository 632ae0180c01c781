/* SPDX-License-Identifier: Apache-2.0
 * The typed routines of cusolverDn, one row each: GK_CALL(prefix, stem, handler, (parameters),
 * (their names)).
 * Included once per element type with GK_T (element), GK_R (its real type), GK_L (its letter), GK_OR
 * (or/un) and GK_SY (sy/he) defined. No include guard: that is its use. */
// clang-format off
GK_CALL(, potrf_bufferSize, size_square, (cublasFillMode_t uplo, int n, GK_T *A, int lda, int *lwork), (uplo, n, A, lda, lwork))
GK_CALL(, potrf, potrf, (cublasFillMode_t uplo, int n, GK_T *A, int lda, GK_T *work, int lwork, int *info), (uplo, n, A, lda, work, lwork, info))
GK_CALL(, potrs, potrs, (cublasFillMode_t uplo, int n, int nrhs, const GK_T *A, int lda, GK_T *B, int ldb, int *info), (uplo, n, nrhs, A, lda, B, ldb, info))
GK_CALL(, potri_bufferSize, size_square, (cublasFillMode_t uplo, int n, GK_T *A, int lda, int *lwork), (uplo, n, A, lda, lwork))
GK_CALL(, potri, potri, (cublasFillMode_t uplo, int n, GK_T *A, int lda, GK_T *work, int lwork, int *info), (uplo, n, A, lda, work, lwork, info))
GK_CALL(, getrf_bufferSize, size_general, (int m, int n, GK_T *A, int lda, int *lwork), (m, n, A, lda, lwork))
GK_CALL(, getrf, getrf, (int m, int n, GK_T *A, int lda, GK_T *work, int *pivots, int *info), (m, n, A, lda, work, pivots, info))
GK_CALL(, getrs, getrs, (cublasOperation_t trans, int n, int nrhs, const GK_T *A, int lda, const int *pivots, GK_T *B, int ldb, int *info), (trans, n, nrhs, A, lda, pivots, B, ldb, info))
GK_CALL(, geqrf_bufferSize, size_general, (int m, int n, GK_T *A, int lda, int *lwork), (m, n, A, lda, lwork))
GK_CALL(, geqrf, geqrf, (int m, int n, GK_T *A, int lda, GK_T *tau, GK_T *work, int lwork, int *info), (m, n, A, lda, tau, work, lwork, info))
GK_CALL(GK_OR, gqr_bufferSize, size_orgqr, (int m, int n, int k, const GK_T *A, int lda, const GK_T *tau, int *lwork), (m, n, k, A, lda, tau, lwork))
GK_CALL(GK_OR, gqr, orgqr, (int m, int n, int k, GK_T *A, int lda, const GK_T *tau, GK_T *work, int lwork, int *info), (m, n, k, A, lda, tau, work, lwork, info))
GK_CALL(GK_OR, mqr_bufferSize, size_ormqr, (cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const GK_T *A, int lda, const GK_T *tau, const GK_T *C, int ldc, int *lwork), (side, trans, m, n, k, A, lda, tau, C, ldc, lwork))
GK_CALL(GK_OR, mqr, ormqr, (cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const GK_T *A, int lda, const GK_T *tau, GK_T *C, int ldc, GK_T *work, int lwork, int *info), (side, trans, m, n, k, A, lda, tau, C, ldc, work, lwork, info))
GK_CALL(, gesvd_bufferSize, size_gesvd, (int m, int n, int *lwork), (m, n, lwork))
GK_CALL(, gesvd, gesvd, (signed char jobu, signed char jobvt, int m, int n, GK_T *A, int lda, GK_R *S, GK_T *U, int ldu, GK_T *VT, int ldvt, GK_T *work, int lwork, GK_R *rwork, int *info), (jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, work, lwork, rwork, info))
GK_CALL(, gesvdj_bufferSize, size_gesvdj, (cusolverEigMode_t jobz, int econ, int m, int n, const GK_T *A, int lda, const GK_R *S, const GK_T *U, int ldu, const GK_T *V, int ldv, int *lwork, gesvdjInfo_t params), (jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, lwork, params))
GK_CALL(, gesvdj, gesvdj, (cusolverEigMode_t jobz, int econ, int m, int n, GK_T *A, int lda, GK_R *S, GK_T *U, int ldu, GK_T *V, int ldv, GK_T *work, int lwork, int *info, gesvdjInfo_t params), (jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, info, params))
GK_CALL(GK_SY, evd_bufferSize, size_syevd, (cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const GK_T *A, int lda, const GK_R *W, int *lwork), (jobz, uplo, n, A, lda, W, lwork))
GK_CALL(GK_SY, evdx_bufferSize, size_syevdx, (cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n, const GK_T *A, int lda, GK_R vl, GK_R vu, int il, int iu, int *meig, const GK_R *W, int *lwork), (jobz, range, uplo, n, A, lda, (double)vl, (double)vu, il, iu, meig, W, lwork))
GK_CALL(GK_SY, evdx, syevdx, (cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n, GK_T *A, int lda, GK_R vl, GK_R vu, int il, int iu, int *meig, GK_R *W, GK_T *work, int lwork, int *info), (jobz, range, uplo, n, A, lda, (double)vl, (double)vu, il, iu, meig, W, work, lwork, info))
GK_CALL(GK_SY, evd, syevd, (cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, GK_T *A, int lda, GK_R *W, GK_T *work, int lwork, int *info), (jobz, uplo, n, A, lda, W, work, lwork, info))
GK_CALL(GK_SY, evj_bufferSize, size_syevj, (cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const GK_T *A, int lda, const GK_R *W, int *lwork, syevjInfo_t params), (jobz, uplo, n, A, lda, W, lwork, params))
GK_CALL(GK_SY, evj, syevj, (cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, GK_T *A, int lda, GK_R *W, GK_T *work, int lwork, int *info, syevjInfo_t params), (jobz, uplo, n, A, lda, W, work, lwork, info, params))
GK_CALL(GK_SY, gvd_bufferSize, size_sygvd, (cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const GK_T *A, int lda, const GK_T *B, int ldb, const GK_R *W, int *lwork), (itype, jobz, uplo, n, A, lda, B, ldb, W, lwork))
GK_CALL(GK_SY, gvd, sygvd, (cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, GK_T *A, int lda, GK_T *B, int ldb, GK_R *W, GK_T *work, int lwork, int *info), (itype, jobz, uplo, n, A, lda, B, ldb, W, work, lwork, info))
#undef GK_CALL
