/* SPDX-License-Identifier: Apache-2.0
 * The typed routines of cuSPARSE, one row each: GK_CALL(stem, handler, (parameters), (their names)). Included
 * once per element type with GK_T (element) and GK_L (its letter) defined. No include guard: that is its use. */
// clang-format off
/* Systems of three or five diagonals. */
GK_CALL(gtsv2_bufferSizeExt, size_gtsv, (int m, int n, const GK_T *dl, const GK_T *d, const GK_T *du, const GK_T *B, int ldb, size_t *bytes), (m, n, dl, d, du, B, ldb, bytes))
GK_CALL(gtsv2, gtsv, (int m, int n, const GK_T *dl, const GK_T *d, const GK_T *du, GK_T *B, int ldb, void *buffer), (m, n, dl, d, du, B, ldb, buffer))
GK_CALL(gtsv2_nopivot_bufferSizeExt, size_gtsv, (int m, int n, const GK_T *dl, const GK_T *d, const GK_T *du, const GK_T *B, int ldb, size_t *bytes), (m, n, dl, d, du, B, ldb, bytes))
GK_CALL(gtsv2_nopivot, gtsv, (int m, int n, const GK_T *dl, const GK_T *d, const GK_T *du, GK_T *B, int ldb, void *buffer), (m, n, dl, d, du, B, ldb, buffer))
GK_CALL(gtsv2StridedBatch_bufferSizeExt, size_gtsv_strided, (int m, const GK_T *dl, const GK_T *d, const GK_T *du, const GK_T *x, int batch, int stride, size_t *bytes), (m, dl, d, du, x, batch, stride, bytes))
GK_CALL(gtsv2StridedBatch, gtsv_strided, (int m, const GK_T *dl, const GK_T *d, const GK_T *du, GK_T *x, int batch, int stride, void *buffer), (m, dl, d, du, x, batch, stride, buffer))
GK_CALL(gtsvInterleavedBatch_bufferSizeExt, size_gtsv_interleaved, (int algo, int m, const GK_T *dl, const GK_T *d, const GK_T *du, const GK_T *x, int batch, size_t *bytes), (algo, m, dl, d, du, x, batch, bytes))
GK_CALL(gtsvInterleavedBatch, gtsv_interleaved, (int algo, int m, GK_T *dl, GK_T *d, GK_T *du, GK_T *x, int batch, void *buffer), (algo, m, dl, d, du, x, batch, buffer))
GK_CALL(gpsvInterleavedBatch_bufferSizeExt, size_gpsv, (int algo, int m, const GK_T *ds, const GK_T *dl, const GK_T *d, const GK_T *du, const GK_T *dw, const GK_T *x, int batch, size_t *bytes), (algo, m, ds, dl, d, du, dw, x, batch, bytes))
GK_CALL(gpsvInterleavedBatch, gpsv, (int algo, int m, GK_T *ds, GK_T *dl, GK_T *d, GK_T *du, GK_T *dw, GK_T *x, int batch, void *buffer), (algo, m, ds, dl, d, du, dw, x, batch, buffer))
/* Incomplete Cholesky factors. */
GK_CALL(csric02_bufferSize, size_ic, (int m, int nnz, const cusparseMatDescr_t descr, GK_T *values, const int *offsets, const int *columns, csric02Info_t info, int *bytes), (m, nnz, descr, values, offsets, columns, info, bytes))
GK_CALL(csric02_analysis, ic_analysis, (int m, int nnz, const cusparseMatDescr_t descr, const GK_T *values, const int *offsets, const int *columns, csric02Info_t info, cusparseSolvePolicy_t policy, void *buffer), (m, nnz, descr, values, offsets, columns, info, policy, buffer))
GK_CALL(csric02, ic, (int m, int nnz, const cusparseMatDescr_t descr, GK_T *values, const int *offsets, const int *columns, csric02Info_t info, cusparseSolvePolicy_t policy, void *buffer), (m, nnz, descr, values, offsets, columns, info, policy, buffer))
/* Sums. */
GK_CALL(csrgeam2_bufferSizeExt, size_geam, (int m, int n, const GK_T *alpha, const cusparseMatDescr_t descrA, int nnzA, const GK_T *valuesA, const int *offsetsA, const int *columnsA, const GK_T *beta, const cusparseMatDescr_t descrB, int nnzB, const GK_T *valuesB, const int *offsetsB, const int *columnsB, const cusparseMatDescr_t descrC, const GK_T *valuesC, const int *offsetsC, const int *columnsC, size_t *bytes), (m, n, alpha, descrA, nnzA, valuesA, offsetsA, columnsA, beta, descrB, nnzB, valuesB, offsetsB, columnsB, descrC, valuesC, offsetsC, columnsC, bytes))
GK_CALL(csrgeam2, geam, (int m, int n, const GK_T *alpha, const cusparseMatDescr_t descrA, int nnzA, const GK_T *valuesA, const int *offsetsA, const int *columnsA, const GK_T *beta, const cusparseMatDescr_t descrB, int nnzB, const GK_T *valuesB, const int *offsetsB, const int *columnsB, const cusparseMatDescr_t descrC, GK_T *valuesC, int *offsetsC, int *columnsC, void *buffer), (m, n, alpha, descrA, nnzA, valuesA, offsetsA, columnsA, beta, descrB, nnzB, valuesB, offsetsB, columnsB, descrC, valuesC, offsetsC, columnsC, buffer))
/* Blocks. */
GK_CALL(bsrmv, bsrmv, (cusparseDirection_t direction, cusparseOperation_t op, int mb, int nb, int nnzb, const GK_T *alpha, const cusparseMatDescr_t descr, const GK_T *values, const int *offsets, const int *columns, int block, const GK_T *x, const GK_T *beta, GK_T *y), (direction, op, mb, nb, nnzb, alpha, descr, values, offsets, columns, block, x, beta, y))
GK_CALL(csr2bsr, csr2bsr, (cusparseDirection_t direction, int m, int n, const cusparseMatDescr_t descrA, const GK_T *values, const int *offsets, const int *columns, int block, const cusparseMatDescr_t descrC, GK_T *valuesC, int *offsetsC, int *columnsC), (direction, m, n, descrA, values, offsets, columns, block, descrC, valuesC, offsetsC, columnsC))
GK_CALL(bsr2csr, bsr2csr, (cusparseDirection_t direction, int mb, int nb, const cusparseMatDescr_t descrA, const GK_T *values, const int *offsets, const int *columns, int block, const cusparseMatDescr_t descrC, GK_T *valuesC, int *offsetsC, int *columnsC), (direction, mb, nb, descrA, values, offsets, columns, block, descrC, valuesC, offsetsC, columnsC))
#undef GK_CALL
