/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusparse against dense arithmetic in double complex: every format, operation and type;
 * solutions, products of sparse matrices, sampled products, conversions; documented statuses; wrong
 * indices. */
#include "device_values.h"

#include <gpukit/gpukit.h>

#include <cusparse.h>

#define OK(call) assert_int_equal(call, CUSPARSE_STATUS_SUCCESS)
enum { M = 9, N = 7, K = 5 };

static cusparseHandle_t handle;
static const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

/* A sparse matrix in device memory beside the dense one it stands for. */
typedef struct {
    int rows, cols, nnz;
    Number dense[16 * 16];
    void *outer, *inner;
    Array values;
    cusparseSpMatDescr_t mat;
} Sparse;

static void *upload_ints(const int64_t *list, int count, int wide)
{
    char *staging = malloc((size_t)count * 8 + 8);
    void *device;
    for (int i = 0; i < count; i++)
        if (wide)
            ((int64_t *)(void *)staging)[i] = list[i];
        else
            ((int32_t *)(void *)staging)[i] = (int32_t)list[i];
    cudaMalloc(&device, (size_t)count * 8 + 8);
    cudaMemcpy(device, staging, (size_t)count * (wide ? 8 : 4), cudaMemcpyHostToDevice);
    free(staging);
    return device;
}

/* shape: 0 anything, 1 with a strong diagonal. base: of the indices; wide: of 64 bits. */
static Sparse sparse(int type, cusparseFormat_t format, int rows, int cols, int shape, int base,
                     int wide)
{
    Sparse s = {.rows = rows, .cols = cols};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            int there = (i * 5 + j * 3) % 4 < 2 || (shape && i == j);
            s.dense[i * 16 + j] =
                there ? (i == j && shape ? 4 : 0) + random_number(type) * (shape ? 0.25 : 1) : 0;
            s.nnz += there;
        }
    int64_t outer[300] = {0}, inner[300];
    s.values = array_new(type, (size_t)s.nnz);
    int csc = format == CUSPARSE_FORMAT_CSC, coo = format == CUSPARSE_FORMAT_COO, at = 0;
    for (int line = 0; line < (csc ? cols : rows); line++) {
        for (int k = 0; k < (csc ? rows : cols); k++) {
            int i = csc ? k : line, j = csc ? line : k;
            if ((i * 5 + j * 3) % 4 >= 2 && !(shape && i == j))
                continue;
            s.values.host[at] = s.dense[i * 16 + j];
            inner[at] = k + base;
            if (coo)
                outer[at] = line + base;
            at++;
        }
        if (!coo) {
            outer[0] = base;
            outer[line + 1] = at + base;
        }
    }
    upload(&s.values);
    s.outer = upload_ints(outer, coo ? at : (csc ? cols : rows) + 1, wide);
    s.inner = upload_ints(inner, at, wide);
    cusparseIndexType_t index = wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    if (coo)
        OK(cusparseCreateCoo(&s.mat, rows, cols, s.nnz, s.outer, s.inner, s.values.device, index,
                             (cusparseIndexBase_t)base, types[type]));
    else
        OK((csc ? cusparseCreateCsc : cusparseCreateCsr)(&s.mat, rows, cols, s.nnz, s.outer,
                                                         s.inner, s.values.device, index, index,
                                                         (cusparseIndexBase_t)base, types[type]));
    return s;
}

static void sparse_free(Sparse *s)
{
    OK(cusparseDestroySpMat(s->mat));
    cudaFree(s->outer);
    cudaFree(s->inner);
    array_free(&s->values);
}

static Number element(const Sparse *s, int op, int i, int j)
{
    Number value = op ? s->dense[j * 16 + i] : s->dense[i * 16 + j];
    return op == 2 ? conj(value) : value;
}

static void matrix_vector(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++)
        for (int f = CUSPARSE_FORMAT_CSR; f <= CUSPARSE_FORMAT_COO; f++)
            for (int op = 0; op < 3; op++)
                for (int form = 0; form < 4; form++) {
                    unsigned char ra[16], rb[16];
                    Sparse a = sparse(t, (cusparseFormat_t)f, M, N, 0, form & 1, form >> 1);
                    int nx = op ? M : N, ny = op ? N : M;
                    Array x = array_new(t, (size_t)nx), y = array_new(t, (size_t)ny);
                    cusparseDnVecDescr_t vx, vy;
                    OK(cusparseCreateDnVec(&vx, nx, x.device, types[t]));
                    OK(cusparseCreateDnVec(&vy, ny, y.device, types[t]));
                    put(t, ra, 0, 0.5);
                    put(t, rb, 0, form ? -2 : 0);
                    size_t bytes = 0;
                    OK(cusparseSpMV_bufferSize(handle, (cusparseOperation_t)op, ra, a.mat, vx, rb,
                                               vy, types[t], CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
                    OK(cusparseSpMV(handle, (cusparseOperation_t)op, ra, a.mat, vx, rb, vy,
                                    types[t], CUSPARSE_SPMV_ALG_DEFAULT, NULL));
                    for (int i = 0; i < ny; i++) {
                        Number sum = 0;
                        for (int j = 0; j < nx; j++)
                            sum += element(&a, op, i, j) * x.host[j];
                        y.host[i] = 0.5 * sum + (form ? -2 * y.host[i] : 0);
                    }
                    expect_array("SpMV", &y, 2);
                    cusparseDestroyDnVec(vx);
                    cusparseDestroyDnVec(vy);
                    array_free(&x);
                    array_free(&y);
                    sparse_free(&a);
                }
}

static void matrix_matrix(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++)
        for (int f = CUSPARSE_FORMAT_CSR; f <= CUSPARSE_FORMAT_COO; f++)
            for (int op = 0; op < 9; op++)
                for (int order = 0; order < 2; order++) {
                    unsigned char ra[16], rb[16];
                    int oa = op / 3, ob = op % 3;
                    Sparse a = sparse(t, (cusparseFormat_t)f, M, N, 0, 0, 0);
                    int m = oa ? N : M, k = oa ? M : N, br = ob ? K : k, bc = ob ? k : K;
                    Array b = array_new(t, 400), c = array_new(t, 400);
                    cusparseDnMatDescr_t mb, mc;
                    OK(cusparseCreateDnMat(&mb, br, bc, 18, b.device, types[t],
                                           CUSPARSE_ORDER_COL));
                    OK(cusparseCreateDnMat(&mc, m, K, 17, c.device, types[t],
                                           order ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
                    put(t, ra, 0, 0.5);
                    put(t, rb, 0, 2);
                    OK(cusparseSpMM(handle, (cusparseOperation_t)oa, (cusparseOperation_t)ob, ra,
                                    a.mat, mb, rb, mc, types[t], CUSPARSE_SPMM_ALG_DEFAULT, NULL));
                    for (int i = 0; i < m; i++)
                        for (int j = 0; j < K; j++) {
                            Number sum = 0, *to = &c.host[order ? i * 17 + j : j * 17 + i];
                            for (int l = 0; l < k; l++) {
                                Number value = b.host[ob ? l * 18 + j : j * 18 + l];
                                sum += element(&a, oa, i, l) * (ob == 2 ? conj(value) : value);
                            }
                            *to = 0.5 * sum + 2 * *to;
                        }
                    expect_array("SpMM", &c, 4);
                    cusparseDestroyDnMat(mb);
                    cusparseDestroyDnMat(mc);
                    array_free(&b);
                    array_free(&c);
                    sparse_free(&a);
                }
}

static void solutions(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++)
        for (int form = 0; form < 24; form++) {
            unsigned char ra[16];
            int f = form / 12 ? CUSPARSE_FORMAT_COO : CUSPARSE_FORMAT_CSR, op = form % 3;
            cusparseFillMode_t fill = (cusparseFillMode_t)(form / 3 % 2);
            cusparseDiagType_t diag = (cusparseDiagType_t)(form / 6 % 2);
            Sparse a = sparse(t, (cusparseFormat_t)f, M, M, 1, 0, 0);
            OK(cusparseSpMatSetAttribute(a.mat, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
            OK(cusparseSpMatSetAttribute(a.mat, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
            for (int i = 0; i < M; i++)
                for (int j = 0; j < M; j++)
                    if (i == j ? diag == CUSPARSE_DIAG_TYPE_UNIT
                               : (fill == CUSPARSE_FILL_MODE_LOWER ? j > i : j < i))
                        a.dense[i * 16 + j] = i == j;
            Array x = array_new(t, M), y = array_new(t, M), b = array_new(t, M * 2),
                  c = array_new(t, M * 2);
            cusparseDnVecDescr_t vx, vy;
            cusparseDnMatDescr_t mb, mc;
            cusparseSpSVDescr_t descr;
            cusparseSpSMDescr_t descr2;
            OK(cusparseCreateDnVec(&vx, M, x.device, types[t]));
            OK(cusparseCreateDnVec(&vy, M, y.device, types[t]));
            OK(cusparseCreateDnMat(&mb, M, 2, M, b.device, types[t], CUSPARSE_ORDER_COL));
            OK(cusparseCreateDnMat(&mc, M, 2, M, c.device, types[t], CUSPARSE_ORDER_COL));
            OK(cusparseSpSV_createDescr(&descr));
            OK(cusparseSpSM_createDescr(&descr2));
            put(t, ra, 0, 2);
            OK(cusparseSpSV_analysis(handle, (cusparseOperation_t)op, ra, a.mat, vx, vy, types[t],
                                     CUSPARSE_SPSV_ALG_DEFAULT, descr, NULL));
            OK(cusparseSpSV_solve(handle, (cusparseOperation_t)op, ra, a.mat, vx, vy, types[t],
                                  CUSPARSE_SPSV_ALG_DEFAULT, descr));
            OK(cusparseSpSM_solve(handle, (cusparseOperation_t)op, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                  ra, a.mat, mb, mc, types[t], CUSPARSE_SPSM_ALG_DEFAULT, descr2));
            Number *got = download(&y), *many = download(&c);
            for (int i = 0; i < M; i++)
                for (int r = 0; r < 3; r++) {
                    Number sum = 0;
                    for (int j = 0; j < M; j++)
                        sum += element(&a, op, i, j) * (r < 2 ? many[r * M + j] : got[j]);
                    expect_number("A y", t, sum, 2 * (r < 2 ? b.host[r * M + i] : x.host[i]));
                }
            free(got);
            free(many);
            cusparseSpSV_destroyDescr(descr);
            cusparseSpSM_destroyDescr(descr2);
            cusparseDestroyDnVec(vx);
            cusparseDestroyDnVec(vy);
            cusparseDestroyDnMat(mb);
            cusparseDestroyDnMat(mc);
            Array *all[] = {&x, &y, &b, &c};
            for (int i = 0; i < 4; i++)
                array_free(all[i]);
            sparse_free(&a);
        }
}

/* C = alpha A B in the three documented steps, read back as dense. */
static void sparse_products(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        unsigned char ra[16], rb[16];
        Sparse a = sparse(t, CUSPARSE_FORMAT_CSR, M, N, 0, 0, 0),
               b = sparse(t, CUSPARSE_FORMAT_CSR, N, K, 0, 0, 0);
        int *offsets, *columns;
        cusparseSpMatDescr_t c;
        cusparseSpGEMMDescr_t descr;
        cudaMalloc((void **)&offsets, 64);
        OK(cusparseCreateCsr(&c, M, K, 0, offsets, NULL, NULL, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, types[t]));
        OK(cusparseSpGEMM_createDescr(&descr));
        put(t, ra, 0, 3);
        put(t, rb, 0, 0);
        size_t bytes = 0;
        OK(cusparseSpGEMM_workEstimation(handle, 0, 0, ra, a.mat, b.mat, rb, c, types[t],
                                         CUSPARSE_SPGEMM_DEFAULT, descr, &bytes, NULL));
        OK(cusparseSpGEMM_compute(handle, 0, 0, ra, a.mat, b.mat, rb, c, types[t],
                                  CUSPARSE_SPGEMM_DEFAULT, descr, &bytes, NULL));
        OK(cusparseSpGEMM_compute(handle, 0, 0, ra, a.mat, b.mat, rb, c, types[t],
                                  CUSPARSE_SPGEMM_DEFAULT, descr, &bytes, offsets));
        int64_t rows, cols, nnz;
        OK(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
        assert_true(rows == M && cols == K && nnz > 0 && nnz <= M * K);
        Array values = array_new(t, (size_t)nnz), dense = array_new(t, M * K);
        cudaMalloc((void **)&columns, (size_t)nnz * 4);
        OK(cusparseCsrSetPointers(c, offsets, columns, values.device));
        OK(cusparseSpGEMM_copy(handle, 0, 0, ra, a.mat, b.mat, rb, c, types[t],
                               CUSPARSE_SPGEMM_DEFAULT, descr));
        cusparseDnMatDescr_t out;
        OK(cusparseCreateDnMat(&out, M, K, M, dense.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseSparseToDense(handle, c, out, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
        for (int i = 0; i < M; i++)
            for (int j = 0; j < K; j++) {
                dense.host[j * M + i] = 0;
                for (int k = 0; k < N; k++)
                    dense.host[j * M + i] += 3 * element(&a, 0, i, k) * element(&b, 0, k, j);
            }
        expect_array("SpGEMM", &dense, 8);
        cusparseSpGEMM_destroyDescr(descr);
        cusparseDestroySpMat(c);
        cusparseDestroyDnMat(out);
        cudaFree(offsets);
        cudaFree(columns);
        array_free(&values);
        array_free(&dense);
        sparse_free(&a);
        sparse_free(&b);
    }
}

static void sampled_and_converted(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        unsigned char ra[16], rb[16];
        Sparse c = sparse(t, CUSPARSE_FORMAT_CSR, M, N, 0, 0, 0);
        Array a = array_new(t, M * K), b = array_new(t, K * N);
        cusparseDnMatDescr_t ma, mb;
        OK(cusparseCreateDnMat(&ma, M, K, M, a.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseCreateDnMat(&mb, K, N, N, b.device, types[t], CUSPARSE_ORDER_ROW));
        put(t, ra, 0, 0.5);
        put(t, rb, 0, 2);
        OK(cusparseSDDMM(handle, 0, 0, ra, ma, mb, rb, c.mat, types[t], CUSPARSE_SDDMM_ALG_DEFAULT,
                         NULL));
        for (int i = 0, at = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                if ((i * 5 + j * 3) % 4 >= 2)
                    continue;
                Number sum = 0;
                for (int k = 0; k < K; k++)
                    sum += a.host[k * M + i] * b.host[k * N + j];
                c.values.host[at] = 0.5 * sum + 2 * c.values.host[at];
                c.dense[i * 16 + j] = c.values.host[at++];
            }
        expect_array("SDDMM", &c.values, 4);
        /* CSR to CSC, and dense to sparse and back */
        int *offsets, *rows, host_offsets[N + 1];
        Array turned = array_new(t, (size_t)c.nnz);
        cudaMalloc((void **)&offsets, 64);
        cudaMalloc((void **)&rows, (size_t)c.nnz * 4);
        OK(cusparseCsr2cscEx2(handle, M, N, c.nnz, c.values.device, c.outer, c.inner, turned.device,
                              offsets, rows, types[t], CUSPARSE_ACTION_NUMERIC,
                              CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, NULL));
        cudaMemcpy(host_offsets, offsets, sizeof host_offsets, cudaMemcpyDeviceToHost);
        for (int j = 0, at = 0; j < N; j++) {
            assert_int_equal(host_offsets[j], at);
            for (int i = 0; i < M; i++)
                if ((i * 5 + j * 3) % 4 < 2)
                    turned.host[at++] = c.dense[i * 16 + j];
        }
        expect_array("csr2csc", &turned, 4);
        Array full = array_new(t, M * N), again = array_new(t, M * N),
              packed = array_new(t, (size_t)c.nnz);
        cusparseDnMatDescr_t mf, mg;
        cusparseSpMatDescr_t found;
        OK(cusparseCreateDnMat(&mf, M, N, M, full.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseCreateDnMat(&mg, M, N, M, again.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseSparseToDense(handle, c.mat, mf, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
        OK(cusparseCreateCsr(&found, M, N, 0, offsets, NULL, NULL, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, types[t]));
        OK(cusparseDenseToSparse_analysis(handle, mf, found, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                          NULL));
        int64_t m, n, nnz;
        OK(cusparseSpMatGetSize(found, &m, &n, &nnz));
        assert_int_equal(nnz, c.nnz);
        OK(cusparseCsrSetPointers(found, offsets, rows, packed.device));
        OK(cusparseDenseToSparse_convert(handle, mf, found, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         NULL));
        OK(cusparseSparseToDense(handle, found, mg, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++)
                again.host[j * M + i] = c.dense[i * 16 + j];
        expect_array("dense to sparse to dense", &again, 4);
        cusparseDestroySpMat(found);
        cudaFree(offsets);
        cudaFree(rows);
        Array *all[] = {&a, &b, &turned, &full, &again, &packed};
        for (int i = 0; i < 6; i++)
            array_free(all[i]);
        sparse_free(&c);
    }
}

/* L U has the values of A wherever A has entries; a missing pivot is named. */
static void incomplete_lu(void **state)
{
    (void)state;
    for (int base = 0; base < 2; base++) {
        Sparse a = sparse(D, CUSPARSE_FORMAT_CSR, M, M, 1, base, 0);
        cusparseMatDescr_t descr;
        csrilu02Info_t info;
        int bytes, position = 5;
        OK(cusparseCreateMatDescr(&descr));
        OK(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base));
        OK(cusparseCreateCsrilu02Info(&info));
        OK(cusparseDcsrilu02_bufferSize(handle, M, a.nnz, descr, a.values.device, a.outer, a.inner,
                                        info, &bytes));
        OK(cusparseDcsrilu02_analysis(handle, M, a.nnz, descr, a.values.device, a.outer, a.inner,
                                      info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL));
        OK(cusparseDcsrilu02(handle, M, a.nnz, descr, a.values.device, a.outer, a.inner, info,
                             CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL));
        OK(cusparseXcsrilu02_zeroPivot(handle, info, &position));
        assert_int_equal(position, -1);
        Number *got = download(&a.values), factors[16 * 16] = {0};
        for (int i = 0, at = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                if ((i * 5 + j * 3) % 4 < 2 || i == j)
                    factors[i * 16 + j] = got[at++];
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++) {
                Number sum = 0;
                for (int k = 0; k <= i && k <= j; k++)
                    sum += (k == i ? 1 : factors[i * 16 + k]) * factors[k * 16 + j];
                if ((i * 5 + j * 3) % 4 < 2 || i == j)
                    expect_number("L U", D, sum, a.dense[i * 16 + j]);
            }
        free(got);
        /* rows of zeros have no pivot */
        memset(a.values.host, 0, sizeof *a.values.host * (size_t)a.nnz);
        upload(&a.values);
        OK(cusparseDcsrilu02(handle, M, a.nnz, descr, a.values.device, a.outer, a.inner, info,
                             CUSPARSE_SOLVE_POLICY_NO_LEVEL, NULL));
        assert_int_equal(cusparseXcsrilu02_zeroPivot(handle, info, &position),
                         CUSPARSE_STATUS_ZERO_PIVOT);
        assert_int_equal(position, base);
        OK(cusparseDestroyCsrilu02Info(info));
        OK(cusparseDestroyMatDescr(descr));
        sparse_free(&a);
    }
}

static void vectors(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        unsigned char ra[16], rb[16], result[16];
        static const int64_t places[4] = {1, 3, 4, 8};
        void *indices = upload_ints(places, 4, 0);
        Array x = array_new(t, 4), y = array_new(t, 9);
        cusparseSpVecDescr_t sx;
        cusparseDnVecDescr_t dy;
        OK(cusparseCreateSpVec(&sx, 9, 4, indices, x.device, CUSPARSE_INDEX_32I, 0, types[t]));
        OK(cusparseCreateDnVec(&dy, 9, y.device, types[t]));
        put(t, ra, 0, 0.5);
        put(t, rb, 0, -1);
        OK(cusparseAxpby(handle, ra, sx, rb, dy));
        for (int i = 0; i < 9; i++)
            y.host[i] = -y.host[i];
        for (int k = 0; k < 4; k++)
            y.host[places[k]] += 0.5 * x.host[k];
        expect_array("axpby", &y, 2);
        OK(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sx, dy, result, types[t], NULL));
        Number dot = 0;
        for (int k = 0; k < 4; k++)
            dot += x.host[k] * y.host[places[k]];
        expect_number("SpVV", t, get(t, result, 0), dot);
        OK(cusparseGather(handle, dy, sx));
        for (int k = 0; k < 4; k++)
            x.host[k] = y.host[places[k]];
        expect_array("gather", &x, 2);
        put(t, rb, 0, 0);
        OK(cusparseAxpby(handle, ra, sx, rb, dy));
        OK(cusparseScatter(handle, sx, dy));
        for (int i = 0; i < 9; i++)
            y.host[i] = 0;
        for (int k = 0; k < 4; k++)
            y.host[places[k]] = x.host[k];
        expect_array("scatter", &y, 2);
        cusparseDestroySpVec(sx);
        cusparseDestroyDnVec(dy);
        cudaFree(indices);
        array_free(&x);
        array_free(&y);
    }
}

/* Rows with equal and unsorted columns, base 1; P carries what it held. Counts by rows and columns. */
static void sorted_and_counted(void **state)
{
    (void)state;
    static const int64_t offsets[] = {1, 4, 4, 9}, columns[] = {3, 1, 3, 5, 2, 2, 5, 1};
    static const int sorted[] = {1, 3, 3, 1, 2, 2, 5, 5}, moved[] = {1, 0, 2, 7, 4, 5, 3, 6};
    int *outer = upload_ints(offsets, 4, 0), *inner = upload_ints(columns, 8, 0), *p, got[8], total;
    size_t bytes;
    cusparseMatDescr_t descr;
    OK(cusparseCreateMatDescr(&descr));
    OK(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
    cudaMalloc((void **)&p, sizeof got);
    OK(cusparseCreateIdentityPermutation(handle, 8, p));
    OK(cusparseXcsrsort_bufferSizeExt(handle, 3, 5, 8, outer, inner, &bytes));
    OK(cusparseXcsrsort(handle, 3, 5, 8, descr, outer, inner, p, NULL));
    cudaMemcpy(got, inner, sizeof got, cudaMemcpyDeviceToHost);
    assert_memory_equal(got, sorted, sizeof got);
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    assert_memory_equal(got, moved, sizeof got);
    /* a column-major 2 x 3 matrix with a gap in each column */
    const double dense[] = {1, 0, 9, 0, 0, 9, -2, 3, 9};
    double *a;
    cudaMalloc((void **)&a, sizeof dense);
    cudaMemcpy(a, dense, sizeof dense, cudaMemcpyHostToDevice);
    OK(cusparseDnnz(handle, CUSPARSE_DIRECTION_COLUMN, 2, 3, descr, a, 3, p, &total));
    assert_int_equal(total, 3);
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    assert_true(got[0] == 1 && got[1] == 0 && got[2] == 2);
    OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    OK(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, 2, 3, descr, a, 3, p, p + 2));
    OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    assert_true(got[0] == 2 && got[1] == 1 && got[2] == 3);
    assert_int_equal(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, 4, 3, descr, a, 3, p, &total),
                     CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseDestroyMatDescr(descr));
    cudaFree(outer);
    cudaFree(inner);
    cudaFree(p);
    cudaFree(a);
}

static void statuses(void **state)
{
    (void)state;
    cusparseDnVecDescr_t x, y;
    float one = 1, *p;
    cudaMalloc((void **)&p, 256);
    Sparse a = sparse(S, CUSPARSE_FORMAT_CSR, M, N, 0, 0, 0);
    OK(cusparseCreateDnVec(&x, N, p, CUDA_R_32F));
    OK(cusparseCreateDnVec(&y, M, p + 16, CUDA_R_32F));
    assert_int_equal(cusparseSpMV(handle, 0, &one, a.mat, y, &one, x, CUDA_R_32F, 0, NULL),
                     CUSPARSE_STATUS_INVALID_VALUE);
    assert_int_equal(cusparseSpMV(NULL, 0, &one, a.mat, x, &one, y, CUDA_R_32F, 0, NULL),
                     CUSPARSE_STATUS_NOT_INITIALIZED);
    assert_int_equal(cusparseSpMV(handle, 0, &one, a.mat, x, &one, y, CUDA_R_16F, 0, NULL),
                     CUSPARSE_STATUS_NOT_SUPPORTED);
    assert_string_equal(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT),
                        "CUSPARSE_STATUS_ZERO_PIVOT");
    /* a column index outside the matrix is a fault, not a read beyond x */
    int wrong = 4000;
    cudaMemcpy((char *)a.inner + 8, &wrong, sizeof wrong, cudaMemcpyHostToDevice);
    OK(cusparseSpMV(handle, 0, &one, a.mat, x, &one, y, CUDA_R_32F, 0, NULL));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(gpukit_reset(NULL));
}

static int create(void **state)
{
    (void)state;
    return cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matrix_vector),
                                       cmocka_unit_test(matrix_matrix),
                                       cmocka_unit_test(solutions),
                                       cmocka_unit_test(sparse_products),
                                       cmocka_unit_test(sampled_and_converted),
                                       cmocka_unit_test(vectors),
                                       cmocka_unit_test(incomplete_lu),
                                       cmocka_unit_test(sorted_and_counted),
                                       cmocka_unit_test(statuses)};
    return cmocka_run_group_tests(tests, create, NULL);
}
