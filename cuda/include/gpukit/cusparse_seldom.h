/* SPDX-License-Identifier: Apache-2.0
 * The rest of cuSPARSE's functions, version 13, as its reference documents them: few programs call them. What the
 * library does not have of them it refuses by name. Part of cusparse.h. */
#ifndef GPUKIT_CUSPARSE_SELDOM_H
#define GPUKIT_CUSPARSE_SELDOM_H

typedef struct bsric02Info *bsric02Info_t;
typedef struct bsrilu02Info *bsrilu02Info_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct csru2csrInfo *csru2csrInfo_t;
typedef struct pruneInfo *pruneInfo_t;
typedef struct cusparseColorInfo *cusparseColorInfo_t;
typedef struct cusparseSpMMOpPlan *cusparseSpMMOpPlan_t;
typedef enum { CUSPARSE_SPMM_OP_ALG_DEFAULT } cusparseSpMMOpAlg_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL = 0, CUSPARSE_SPSV_UPDATE_DIAGONAL = 1 } cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_UPDATE_GENERAL = 0, CUSPARSE_SPSM_UPDATE_DIAGONAL = 1 } cusparseSpSMUpdate_t;

typedef void (*cusparseLoggerCallback_t)(int logLevel, const char *functionName, const char *message);

#define GPUKIT_SELDOM(prefix, number, real) \
    cusparseStatus_t cusparse##prefix##bsric02(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, number *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t, \
        void *); \
    cusparseStatus_t cusparse##prefix##bsric02_analysis(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, int, bsric02Info_t, \
        cusparseSolvePolicy_t, void *); \
    cusparseStatus_t cusparse##prefix##bsric02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, number *, const int *, const int *, int, bsric02Info_t, int *); \
    cusparseStatus_t cusparse##prefix##bsric02_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, number *, const int *, const int *, int, bsric02Info_t, size_t *); \
    cusparseStatus_t cusparse##prefix##bsrilu02(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, number *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t, \
        void *); \
    cusparseStatus_t cusparse##prefix##bsrilu02_analysis(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, number *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t, \
        void *); \
    cusparseStatus_t cusparse##prefix##bsrilu02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, number *, const int *, const int *, int, bsrilu02Info_t, int *); \
    cusparseStatus_t cusparse##prefix##bsrilu02_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, number *, const int *, const int *, int, bsrilu02Info_t, size_t *); \
    cusparseStatus_t cusparse##prefix##bsrilu02_numericBoost(cusparseHandle_t, bsrilu02Info_t, int, double *, \
        number *); \
    cusparseStatus_t cusparse##prefix##bsrmm(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, \
        cusparseOperation_t, int, int, int, int, const number *, const cusparseMatDescr_t, const number *, \
        const int *, const int *, const int, const number *, const int, const number *, number *, int); \
    cusparseStatus_t cusparse##prefix##bsrsm2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, \
        cusparseOperation_t, int, int, int, const cusparseMatDescr_t, const number *, const int *, const int *, int, \
        bsrsm2Info_t, cusparseSolvePolicy_t, void *); \
    cusparseStatus_t cusparse##prefix##bsrsm2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, \
        cusparseOperation_t, int, int, int, const cusparseMatDescr_t, number *, const int *, const int *, int, \
        bsrsm2Info_t, int *); \
    cusparseStatus_t cusparse##prefix##bsrsm2_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, \
        cusparseOperation_t, cusparseOperation_t, int, int, int, const cusparseMatDescr_t, number *, const int *, \
        const int *, int, bsrsm2Info_t, size_t *); \
    cusparseStatus_t cusparse##prefix##bsrsm2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, \
        cusparseOperation_t, int, int, int, const number *, const cusparseMatDescr_t, const number *, const int *, \
        const int *, int, bsrsm2Info_t, const number *, int, number *, int, cusparseSolvePolicy_t, void *); \
    cusparseStatus_t cusparse##prefix##bsrsv2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, \
        int, int, const cusparseMatDescr_t, const number *, const int *, const int *, int, bsrsv2Info_t, \
        cusparseSolvePolicy_t, void *); \
    cusparseStatus_t cusparse##prefix##bsrsv2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, \
        int, int, const cusparseMatDescr_t, number *, const int *, const int *, int, bsrsv2Info_t, int *); \
    cusparseStatus_t cusparse##prefix##bsrsv2_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, \
        cusparseOperation_t, int, int, const cusparseMatDescr_t, number *, const int *, const int *, int, \
        bsrsv2Info_t, size_t *); \
    cusparseStatus_t cusparse##prefix##bsrsv2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, \
        int, const number *, const cusparseMatDescr_t, const number *, const int *, const int *, int, bsrsv2Info_t, \
        const number *, number *, cusparseSolvePolicy_t, void *); \
    cusparseStatus_t cusparse##prefix##bsrxmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, \
        int, int, const number *, const cusparseMatDescr_t, const number *, const int *, const int *, const int *, \
        const int *, int, const number *, const number *, number *); \
    cusparseStatus_t cusparse##prefix##csr2csr_compress(cusparseHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, int, const int *, number *, int *, int *, number); \
    cusparseStatus_t cusparse##prefix##csr2csru(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, number *, \
        const int *, int *, csru2csrInfo_t, void *); \
    cusparseStatus_t cusparse##prefix##csr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, const cusparseMatDescr_t, number *, \
        int *, int *, int, int, void *); \
    cusparseStatus_t cusparse##prefix##csr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, int, int, int *); \
    cusparseStatus_t cusparse##prefix##csr2gebsr_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, int, int, size_t *); \
    cusparseStatus_t cusparse##prefix##csrcolor(cusparseHandle_t, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const real *, int *, int *, int *, const cusparseColorInfo_t); \
    cusparseStatus_t cusparse##prefix##csric02_bufferSizeExt(cusparseHandle_t, int, int, const cusparseMatDescr_t, \
        number *, const int *, const int *, csric02Info_t, size_t *); \
    cusparseStatus_t cusparse##prefix##csrilu02_bufferSizeExt(cusparseHandle_t, int, int, const cusparseMatDescr_t, \
        number *, const int *, const int *, csrilu02Info_t, size_t *); \
    cusparseStatus_t cusparse##prefix##csrilu02_numericBoost(cusparseHandle_t, csrilu02Info_t, int, double *, \
        number *); \
    cusparseStatus_t cusparse##prefix##csru2csr(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, number *, \
        const int *, int *, csru2csrInfo_t, void *); \
    cusparseStatus_t cusparse##prefix##csru2csr_bufferSizeExt(cusparseHandle_t, int, int, int, number *, \
        const int *, int *, csru2csrInfo_t, size_t *); \
    cusparseStatus_t cusparse##prefix##gebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, int, int, const cusparseMatDescr_t, \
        number *, int *, int *); \
    cusparseStatus_t cusparse##prefix##gebsr2gebsc(cusparseHandle_t, int, int, int, const number *, const int *, \
        const int *, int, int, number *, int *, int *, cusparseAction_t, cusparseIndexBase_t, void *); \
    cusparseStatus_t cusparse##prefix##gebsr2gebsc_bufferSize(cusparseHandle_t, int, int, int, const number *, \
        const int *, const int *, int, int, int *); \
    cusparseStatus_t cusparse##prefix##gebsr2gebsc_bufferSizeExt(cusparseHandle_t, int, int, int, const number *, \
        const int *, const int *, int, int, size_t *); \
    cusparseStatus_t cusparse##prefix##gebsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, int, int, const cusparseMatDescr_t, \
        number *, int *, int *, int, int, void *); \
    cusparseStatus_t cusparse##prefix##gebsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, int, int, int, int, int *); \
    cusparseStatus_t cusparse##prefix##gebsr2gebsr_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int, \
        int, const cusparseMatDescr_t, const number *, const int *, const int *, int, int, int, int, size_t *); \
    cusparseStatus_t cusparse##prefix##gemvi(cusparseHandle_t, cusparseOperation_t, int, int, const number *, \
        const number *, int, int, const number *, const int *, const number *, number *, cusparseIndexBase_t, \
        void *); \
    cusparseStatus_t cusparse##prefix##gemvi_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int, int, \
        int *); \
    cusparseStatus_t cusparse##prefix##nnz_compress(cusparseHandle_t, int, const cusparseMatDescr_t, const number *, \
        const int *, int *, int *, number)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
GPUKIT_SELDOM(C, cuComplex, float);
GPUKIT_SELDOM(Z, cuDoubleComplex, double);
#undef GPUKIT_SELDOM

#define GPUKIT_SELDOM(prefix, number, real) \
    cusparseStatus_t cusparse##prefix##pruneCsr2csr(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, const cusparseMatDescr_t, number *, const int *, \
        int *, void *); \
    cusparseStatus_t cusparse##prefix##pruneCsr2csrByPercentage(cusparseHandle_t, int, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, float, const cusparseMatDescr_t, \
        number *, const int *, int *, pruneInfo_t, void *); \
    cusparseStatus_t cusparse##prefix##pruneCsr2csrByPercentage_bufferSizeExt(cusparseHandle_t, int, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, float, const cusparseMatDescr_t, \
        const number *, const int *, const int *, pruneInfo_t, size_t *); \
    cusparseStatus_t cusparse##prefix##pruneCsr2csrNnz(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, \
        const number *, const int *, const int *, const number *, const cusparseMatDescr_t, int *, int *, void *); \
    cusparseStatus_t cusparse##prefix##pruneCsr2csrNnzByPercentage(cusparseHandle_t, int, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, float, const cusparseMatDescr_t, int *, \
        int *, pruneInfo_t, void *); \
    cusparseStatus_t cusparse##prefix##pruneCsr2csr_bufferSizeExt(cusparseHandle_t, int, int, int, \
        const cusparseMatDescr_t, const number *, const int *, const int *, const number *, \
        const cusparseMatDescr_t, const number *, const int *, const int *, size_t *); \
    cusparseStatus_t cusparse##prefix##pruneDense2csr(cusparseHandle_t, int, int, const number *, int, \
        const number *, const cusparseMatDescr_t, number *, const int *, int *, void *); \
    cusparseStatus_t cusparse##prefix##pruneDense2csrByPercentage(cusparseHandle_t, int, int, const number *, int, \
        float, const cusparseMatDescr_t, number *, const int *, int *, pruneInfo_t, void *); \
    cusparseStatus_t cusparse##prefix##pruneDense2csrByPercentage_bufferSizeExt(cusparseHandle_t, int, int, \
        const number *, int, float, const cusparseMatDescr_t, const number *, const int *, const int *, pruneInfo_t, \
        size_t *); \
    cusparseStatus_t cusparse##prefix##pruneDense2csrNnz(cusparseHandle_t, int, int, const number *, int, \
        const number *, const cusparseMatDescr_t, int *, int *, void *); \
    cusparseStatus_t cusparse##prefix##pruneDense2csrNnzByPercentage(cusparseHandle_t, int, int, const number *, \
        int, float, const cusparseMatDescr_t, int *, int *, pruneInfo_t, void *); \
    cusparseStatus_t cusparse##prefix##pruneDense2csr_bufferSizeExt(cusparseHandle_t, int, int, const number *, int, \
        const number *, const cusparseMatDescr_t, const number *, const int *, const int *, size_t *)
GPUKIT_SELDOM(S, float, float);
GPUKIT_SELDOM(D, double, double);
#undef GPUKIT_SELDOM

cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *, int64_t *,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *, const void **,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *, const void **,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexType_t *, cusparseIndexBase_t *,
    cudaDataType *);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *, const void **,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexType_t *, cusparseIndexBase_t *,
    cudaDataType *);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t, int64_t *, int64_t *, int64_t *, const void **,
    cudaDataType *, cusparseOrder_t *);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t, const void **);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t, int64_t *, const void **, cudaDataType *);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t, const void **);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t, const void **);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t, int64_t *, int64_t *, const void **,
    const void **, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t, const void **);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *, void **, void **, void **,
    cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t *);
cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t *);
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *);
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *);
cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t *);
cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t *);
cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t *);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *, void **, void **, void **,
    cusparseIndexType_t *, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t);
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t);
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t);
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t);
cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t);
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t);
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t);
cusparseStatus_t cusparseLoggerForceDisable(void);
cusparseStatus_t cusparseLoggerOpenFile(const char *);
cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t);
cusparseStatus_t cusparseLoggerSetFile(FILE *);
cusparseStatus_t cusparseLoggerSetLevel(int);
cusparseStatus_t cusparseLoggerSetMask(int);
cusparseStatus_t cusparseSpMMOp(cusparseSpMMOpPlan_t, void *);
cusparseStatus_t cusparseSpMMOp_createPlan(cusparseHandle_t, cusparseSpMMOpPlan_t *, cusparseOperation_t,
    cusparseOperation_t, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
    cusparseSpMMOpAlg_t, const void *, size_t, const void *, size_t, const void *, size_t, size_t *);
cusparseStatus_t cusparseSpMMOp_destroyPlan(cusparseSpMMOpPlan_t);
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t, cusparseSpSMDescr_t, void *, cusparseSpSMUpdate_t);
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t, cusparseSpSVDescr_t, void *, cusparseSpSVUpdate_t);
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t, bsric02Info_t, int *);
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t, bsrilu02Info_t, int *);
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t, bsrsm2Info_t, int *);
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t, bsrsv2Info_t, int *);
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t,
    const int *, const int *, const cusparseMatDescr_t, int *, int, int, int *, void *);
cusparseStatus_t cusparseXgebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t,
    const int *, const int *, int, int, const cusparseMatDescr_t, int *, int *);
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, int,
    const cusparseMatDescr_t, const int *, const int *, int, int, const cusparseMatDescr_t, int *, int, int, int *,
    void *);
#endif
