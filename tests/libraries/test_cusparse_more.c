/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusparse beyond CSR, CSC and COO: blocks (BSR, blocked ELL) and slices (sliced ELL), half precision, a product
 * whose pattern is used again, systems of three and five diagonals, incomplete Cholesky factors, sums, conversion to
 * blocks and back, sorting of COO, rotation, a dot product in a graph; against dense arithmetic. */
#include "device_values.h"

#include <cusparse.h>
#include <dlfcn.h>
#include <stdbool.h>

#define OK(call)  assert_int_equal(call, CUSPARSE_STATUS_SUCCESS)
#define EACH_TYPE for (int t = 0; t < TYPES; t++)
enum { SIDE = 12 };
#define PLAIN CUSPARSE_OPERATION_NON_TRANSPOSE

static cusparseHandle_t handle;
static cusparseMatDescr_t descr;
static const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

typedef cusparseStatus_t (*Routine)();
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

static int *ints(const int *list, size_t count)
{
    int *device;
    assert_int_equal(cudaMalloc((void **)&device, count * sizeof *list + 4), cudaSuccess);
    cudaMemcpy(device, list, count * sizeof *list, cudaMemcpyHostToDevice);
    return device;
}
static void *scalar(int type, Number value, void *room)
{
    put(type, room, 0, value);
    return room;
}

/* SIDE x SIDE, with zero blocks of 2 x 3 and of 3 x 2, so that rows differ in length. */
static void dense_new(int type, Number dense[SIDE][SIDE])
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            dense[i][j] = (i / 2 + 2 * (j / 3)) % 3 == 0 || i == j ? random_number(type) : 0;
}

typedef struct {
    int outer[SIDE + 1], inner[SIDE * SIDE], count;
    Array values;
    int *outer_at, *inner_at;
} Stored;
static void stored_up(Stored *s, int outers, int inners)
{
    upload(&s->values);
    s->outer_at = ints(s->outer, (size_t)outers);
    s->inner_at = ints(s->inner, (size_t)inners);
}
static void stored_free(Stored *s)
{
    array_free(&s->values);
    cudaFree(s->outer_at);
    cudaFree(s->inner_at);
}

static Stored as_csr(int type, Number dense[SIDE][SIDE], int base)
{
    Stored s = {.values = array_new(type, SIDE * SIDE)};
    for (int i = 0; i < SIDE; i++) {
        s.outer[i] = s.count + base;
        for (int j = 0; j < SIDE; j++)
            if (dense[i][j] != 0) {
                s.inner[s.count] = j + base;
                s.values.host[s.count++] = dense[i][j];
            }
    }
    s.outer[SIDE] = s.count + base;
    stored_up(&s, SIDE + 1, s.count);
    return s;
}
static bool block_there(Number dense[SIDE][SIDE], int i, int j, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            if (dense[i * rows + r][j * cols + c] != 0)
                return true;
    return false;
}
static Stored as_bsr(int type, Number dense[SIDE][SIDE], int rows, int cols, bool by_column,
                     int base)
{
    Stored s = {.values = array_new(type, SIDE * SIDE)};
    for (int i = 0; i < SIDE / rows; i++) {
        s.outer[i] = s.count + base;
        for (int j = 0; j < SIDE / cols; j++)
            if (block_there(dense, i, j, rows, cols)) {
                for (int r = 0; r < rows; r++)
                    for (int c = 0; c < cols; c++)
                        s.values.host[s.count * rows * cols +
                                      (by_column ? c * rows + r : r * cols + c)] =
                            dense[i * rows + r][j * cols + c];
                s.inner[s.count++] = j + base;
            }
    }
    s.outer[SIDE / rows] = s.count + base;
    stored_up(&s, SIDE / rows + 1, s.count);
    return s;
}
/* Slices of 5 rows: the last one is cut off by the matrix. */
static Stored as_slices(int type, Number dense[SIDE][SIDE], int *stored)
{
    enum { SLICE = 5 };
    Stored s = {.values = array_new(type, 3 * SLICE * SIDE)};
    int lines[15][SIDE], length[15] = {0}, at = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            if (dense[i][j] != 0) {
                lines[i][length[i]++] = j;
                s.count++;
            }
    for (int slice = 0; slice < 3; slice++) {
        int longest = 0;
        s.outer[slice] = at;
        for (int r = 0; r < SLICE; r++)
            longest = length[slice * SLICE + r] > longest ? length[slice * SLICE + r] : longest;
        for (int k = 0; k < longest; k++)
            for (int r = 0; r < SLICE; r++, at++) {
                int i = slice * SLICE + r;
                s.inner[at] = k < length[i] ? lines[i][k] : -1;
                s.values.host[at] = k < length[i] ? dense[i][lines[i][k]] : NAN;
            }
    }
    s.outer[3] = at;
    *stored = at;
    stored_up(&s, 4, at);
    return s;
}
/* Blocks of 2: as many in each row as the fullest has. */
static Stored as_blocked_ell(int type, Number dense[SIDE][SIDE], int *width)
{
    enum { LINES = SIDE / 2 };
    Stored s = {.values = array_new(type, SIDE * SIDE)};
    int most = 0;
    for (int i = 0; i < LINES; i++) {
        int here = 0;
        for (int j = 0; j < LINES; j++)
            here += block_there(dense, i, j, 2, 2);
        most = here > most ? here : most;
    }
    for (int i = 0; i < LINES; i++) {
        int k = 0;
        for (int j = 0; j < LINES; j++)
            if (block_there(dense, i, j, 2, 2)) {
                for (int r = 0; r < 2; r++)
                    for (int c = 0; c < 2; c++)
                        s.values.host[(i * 2 + r) * most * 2 + k * 2 + c] =
                            dense[i * 2 + r][j * 2 + c];
                s.inner[i * most + k++] = j;
            }
        for (; k < most; k++)
            s.inner[i * most + k] = -1;
    }
    *width = most * 2;
    stored_up(&s, 1, LINES * most);
    return s;
}

/* mat times a vector and two columns, plain and transposed, is what the dense one gives. */
static void expect_products(const char *what, int t, cusparseSpMatDescr_t mat,
                            Number dense[SIDE][SIDE])
{
    double ra[2], rb[2];
    Number alpha = t < C ? 0.75 : 0.75 - 0.5 * I, beta = 0.5;
    for (int op = 0; op < (t < C ? 2 : 3); op++) {
        Array x = array_new(t, 2 * SIDE), y = array_new(t, 2 * SIDE);
        cusparseDnMatDescr_t from, to;
        cusparseDnVecDescr_t one_from, one_to;
        OK(cusparseCreateDnMat(&from, SIDE, 2, SIDE, x.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseCreateDnMat(&to, SIDE, 2, SIDE, y.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseCreateDnVec(&one_from, SIDE, x.device, types[t]));
        OK(cusparseCreateDnVec(&one_to, SIDE, y.device, types[t]));
        for (int vector = 0; vector < 2; vector++) {
            if (vector)
                OK(cusparseSpMV(handle, (cusparseOperation_t)op, scalar(t, alpha, ra), mat,
                                one_from, scalar(t, beta, rb), one_to, types[t],
                                CUSPARSE_SPMV_ALG_DEFAULT, NULL));
            else
                OK(cusparseSpMM(handle, (cusparseOperation_t)op, PLAIN, scalar(t, alpha, ra), mat,
                                from, scalar(t, beta, rb), to, types[t], CUSPARSE_SPMM_ALG_DEFAULT,
                                NULL));
            for (int c = 0; c < (vector ? 1 : 2); c++)
                for (int i = 0; i < SIDE; i++) {
                    Number sum = 0;
                    for (int j = 0; j < SIDE; j++) {
                        Number v = op ? dense[j][i] : dense[i][j];
                        sum += (op == 2 ? conj(v) : v) * x.host[c * SIDE + j];
                    }
                    y.host[c * SIDE + i] = alpha * sum + beta * y.host[c * SIDE + i];
                }
            expect_array(what, &y, 20);
        }
        OK(cusparseDestroyDnMat(from));
        OK(cusparseDestroyDnMat(to));
        OK(cusparseDestroyDnVec(one_from));
        OK(cusparseDestroyDnVec(one_to));
        array_free(&x);
        array_free(&y);
    }
}

static void formats(void **state)
{
    (void)state;
    EACH_TYPE
    {
        Number dense[SIDE][SIDE];
        dense_new(t, dense);
        cusparseSpMatDescr_t mat;
        for (int form = 0; form < 4; form++) {
            int rows = form & 1 ? 3 : 2, cols = form & 1 ? 2 : 3;
            bool by_column = form & 2;
            Stored s = as_bsr(t, dense, rows, cols, by_column, form & 1);
            OK(cusparseCreateBsr(&mat, SIDE / rows, SIDE / cols, s.count, rows, cols, s.outer_at,
                                 s.inner_at, s.values.device, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, (cusparseIndexBase_t)(form & 1), types[t],
                                 by_column ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW));
            expect_products("BSR", t, mat, dense);
            OK(cusparseDestroySpMat(mat));
            stored_free(&s);
        }
        int stored, width;
        int64_t rows, cols, nnz;
        Stored s = as_slices(t, dense, &stored);
        OK(cusparseCreateSlicedEll(&mat, SIDE, SIDE, s.count, stored, 5, s.outer_at, s.inner_at,
                                   s.values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, types[t]));
        OK(cusparseSpMatGetSize(mat, &rows, &cols, &nnz));
        assert_int_equal(nnz, s.count);
        expect_products("sliced ELL", t, mat, dense);
        OK(cusparseDestroySpMat(mat));
        stored_free(&s);

        s = as_blocked_ell(t, dense, &width);
        OK(cusparseCreateBlockedEll(&mat, SIDE, SIDE, 2, width, s.inner_at, s.values.device,
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, types[t]));
        expect_products("blocked ELL", t, mat, dense);
        /* filled from a dense one: what the pattern has */
        Array whole = array_new(t, SIDE * SIDE);
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                whole.host[i * SIDE + j] = 2 * dense[i][j];
                dense[i][j] *= 2;
            }
        upload(&whole);
        cusparseDnMatDescr_t from;
        OK(cusparseCreateDnMat(&from, SIDE, SIDE, SIDE, whole.device, types[t],
                               CUSPARSE_ORDER_ROW));
        OK(cusparseDenseToSparse_analysis(handle, from, mat, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                          NULL));
        OK(cusparseDenseToSparse_convert(handle, from, mat, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         NULL));
        expect_products("blocked ELL from dense", t, mat, dense);
        OK(cusparseDestroySpMat(mat));
        OK(cusparseDestroyDnMat(from));
        assert_int_equal(cusparseCreateBlockedEll(&mat, SIDE, SIDE, 5, 5, s.inner_at,
                                                  s.values.device, CUSPARSE_INDEX_32I,
                                                  CUSPARSE_INDEX_BASE_ZERO, types[t]),
                         CUSPARSE_STATUS_INVALID_VALUE);
        array_free(&whole);
        stored_free(&s);
    }
}

/* Halves are read and written; sums are not of halves: 2048 + 1 + 1 is 2050. */
static void halves(void **state)
{
    (void)state;
    const float numbers[] = {2048, 1, 1};
    uint16_t list[3], *values, *x;
    const int outer[] = {0, 3}, inner[] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        list[i] = numbers[i] == 1 ? 0x3c00 : 0x6800;
    cudaMalloc((void **)&values, sizeof list);
    cudaMalloc((void **)&x, 4 * sizeof *x);
    cudaMemcpy(values, list, sizeof list, cudaMemcpyHostToDevice);
    const uint16_t ones[4] = {0x3c00, 0x3c00, 0x3c00, 0};
    cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
    int *o = ints(outer, 2), *i = ints(inner, 3);
    cusparseSpMatDescr_t mat;
    cusparseDnVecDescr_t from, to;
    float one = 1, zero = 0;
    OK(cusparseCreateCsr(&mat, 1, 3, 3, o, i, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F));
    OK(cusparseCreateDnVec(&from, 3, x, CUDA_R_16F));
    OK(cusparseCreateDnVec(&to, 1, x + 3, CUDA_R_16F));
    OK(cusparseSpMV(handle, PLAIN, &one, mat, from, &zero, to, CUDA_R_32F,
                    CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    uint16_t got = 0;
    cudaMemcpy(&got, x + 3, sizeof got, cudaMemcpyDeviceToHost);
    assert_int_equal(got, 0x6801); /* the half after 2048 */
    OK(cusparseDestroySpMat(mat));
    OK(cusparseDestroyDnVec(from));
    OK(cusparseDestroyDnVec(to));
    cudaFree(values);
    cudaFree(x);
    cudaFree(o);
    cudaFree(i);
}

/* C = A A, twice, the second time added to the first; then the pattern of a sampled product in blocks. */
static void reuse(void **state)
{
    (void)state;
    double ra[2], rb[2];
    EACH_TYPE
    {
        Number dense[SIDE][SIDE];
        dense_new(t, dense);
        Stored a = as_csr(t, dense, 0);
        int *offsets = ints(a.outer, SIDE + 1);
        cusparseSpMatDescr_t mat, product;
        cusparseSpGEMMDescr_t work;
        OK(cusparseCreateCsr(&mat, SIDE, SIDE, a.count, a.outer_at, a.inner_at, a.values.device,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                             types[t]));
        OK(cusparseCreateCsr(&product, SIDE, SIDE, 0, offsets, NULL, NULL, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, types[t]));
        OK(cusparseSpGEMM_createDescr(&work));
        size_t s1, s2, s3, s4, s5;
        char *room;
        cudaMalloc((void **)&room, 4096);
        OK(cusparseSpGEMMreuse_workEstimation(handle, PLAIN, PLAIN, mat, mat, product,
                                              CUSPARSE_SPGEMM_DEFAULT, work, &s1, room));
        OK(cusparseSpGEMMreuse_nnz(handle, PLAIN, PLAIN, mat, mat, product, CUSPARSE_SPGEMM_DEFAULT,
                                   work, &s2, room, &s3, room, &s4, room));
        int64_t rows, cols, nnz;
        OK(cusparseSpMatGetSize(product, &rows, &cols, &nnz));
        int64_t wanted = 0;
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                bool there = false;
                for (int k = 0; k < SIDE; k++)
                    there = there || (dense[i][k] != 0 && dense[k][j] != 0);
                wanted += there;
            }
        assert_int_equal(nnz, wanted);
        Array values = array_new(t, (size_t)nnz);
        int *columns;
        cudaMalloc((void **)&columns, (size_t)nnz * sizeof *columns);
        OK(cusparseCsrSetPointers(product, offsets, columns, values.device));
        OK(cusparseSpGEMMreuse_copy(handle, PLAIN, PLAIN, mat, mat, product,
                                    CUSPARSE_SPGEMM_DEFAULT, work, &s5, room));
        for (int turn = 0; turn < 2; turn++)
            OK(cusparseSpGEMMreuse_compute(handle, PLAIN, PLAIN, scalar(t, turn ? 2 : 1, ra), mat,
                                           mat, scalar(t, turn ? 0.5 : 0, rb), product, types[t],
                                           CUSPARSE_SPGEMM_DEFAULT, work));
        int *at = malloc(((size_t)nnz + SIDE + 1) * sizeof *at), *places = at + SIDE + 1;
        cudaMemcpy(at, offsets, (SIDE + 1) * sizeof *at, cudaMemcpyDeviceToHost);
        cudaMemcpy(places, columns, (size_t)nnz * sizeof *at, cudaMemcpyDeviceToHost);
        for (int i = 0; i < SIDE; i++)
            for (int k = at[i]; k < at[i + 1]; k++) {
                Number sum = 0;
                for (int l = 0; l < SIDE; l++)
                    sum += dense[i][l] * dense[l][places[k]];
                values.host[k] = 2.5 * sum;
            }
        expect_array("reuse", &values, 20);
        free(at);
        OK(cusparseSpGEMM_destroyDescr(work));
        OK(cusparseDestroySpMat(product));
        OK(cusparseDestroySpMat(mat));
        array_free(&values);
        stored_free(&a);
        cudaFree(room);
        cudaFree(columns);
        cudaFree(offsets);

        Stored b = as_bsr(t, dense, 2, 3, true, 0);
        Array left = array_new(t, SIDE * 4), right = array_new(t, SIDE * 4);
        cusparseDnMatDescr_t l, r;
        OK(cusparseCreateDnMat(&l, SIDE, 4, SIDE, left.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseCreateDnMat(&r, 4, SIDE, 4, right.device, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseCreateBsr(&mat, SIDE / 2, SIDE / 3, b.count, 2, 3, b.outer_at, b.inner_at,
                             b.values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, types[t], CUSPARSE_ORDER_COL));
        OK(cusparseSDDMM(handle, PLAIN, PLAIN, scalar(t, 1, ra), l, r, scalar(t, 1, rb), mat,
                         types[t], CUSPARSE_SDDMM_ALG_DEFAULT, NULL));
        for (int i = 0; i < SIDE / 2; i++)
            for (int k = b.outer[i]; k < b.outer[i + 1]; k++)
                for (int e = 0; e < 6; e++) {
                    int row = i * 2 + e % 2, col = b.inner[k] * 3 + e / 2;
                    for (int d = 0; d < 4; d++)
                        b.values.host[k * 6 + e] +=
                            left.host[d * SIDE + row] * right.host[col * 4 + d];
                }
        expect_array("sampled product in blocks", &b.values, 20);
        OK(cusparseDestroySpMat(mat));
        OK(cusparseDestroyDnMat(l));
        OK(cusparseDestroyDnMat(r));
        array_free(&left);
        array_free(&right);
        stored_free(&b);
    }
}

/* What is solved for times the matrix is the right side again. Diagonals from the lowest to the highest. */
static void banded(void **state)
{
    (void)state;
    enum { N = 9, SYSTEMS = 3, STRIDE = 11 };
    EACH_TYPE for (int form = 0; form < 4;
                   form++) /* several right sides, strided, interleaved by three and by five */
    {
        int all = form == 3 ? 5 : 3, middle = all / 2, step = form < 2 ? 1 : SYSTEMS,
            next = form < 2 ? STRIDE : 1;
        Array d[5], x = array_new(t, SYSTEMS * STRIDE);
        for (int k = 0; k < all; k++)
            d[k] = array_new(t, SYSTEMS * STRIDE);
        /* a zero on the diagonal asks for an exchange of rows */
        d[middle].host[0] = 0;
        upload(&d[middle]);
        Routine call = routine(form == 0   ? "cusparse%cgtsv2"
                               : form == 1 ? "cusparse%cgtsv2StridedBatch"
                               : form == 2 ? "cusparse%cgtsvInterleavedBatch"
                                           : "cusparse%cgpsvInterleavedBatch",
                               t);
        if (form == 0)
            OK(call(handle, N, SYSTEMS, d[0].device, d[1].device, d[2].device, x.device, STRIDE,
                    NULL));
        else if (form == 1)
            OK(call(handle, N, d[0].device, d[1].device, d[2].device, x.device, SYSTEMS, STRIDE,
                    NULL));
        else if (form == 2)
            OK(call(handle, 0, N, d[0].device, d[1].device, d[2].device, x.device, SYSTEMS, NULL));
        else
            OK(call(handle, 0, N, d[0].device, d[1].device, d[2].device, d[3].device, d[4].device,
                    x.device, SYSTEMS, NULL));
        Number *got = download(&x);
        for (int s = 0; s < SYSTEMS; s++)
            for (int i = 0; i < N; i++) {
                Number sum = 0;
                double size = 1;
                for (int k = 0; k < all; k++) {
                    int j = i + k - middle;
                    if (j < 0 || j >= N)
                        continue;
                    Number part =
                        d[k].host[i * step + (form ? s * next : 0)] * got[j * step + s * next];
                    sum += part;
                    size += cabs(part);
                }
                if (!(cabs(sum - x.host[i * step + s * next]) <= size * 20 * tolerance(t)))
                    fail_msg("form %d, type %c, system %d, row %d: %g, expected %g", form,
                             letters[t], s, i, creal(sum), creal(x.host[i * step + s * next]));
            }
        free(got);
        for (int k = 0; k < all; k++)
            array_free(&d[k]);
        array_free(&x);
    }
}

/* L L' is A where A has entries; the upper triangle stays. */
static void incomplete_cholesky(void **state)
{
    (void)state;
    EACH_TYPE
    {
        Number dense[SIDE][SIDE];
        dense_new(t, dense);
        for (int i = 0; i < SIDE; i++) {
            dense[i][i] = 4;
            for (int j = 0; j < i; j++)
                dense[i][j] = 0.25 * dense[i][j], dense[j][i] = conj(dense[i][j]);
        }
        Stored a = as_csr(t, dense, 0);
        csric02Info_t info;
        int position = 0;
        OK(cusparseCreateCsric02Info(&info));
        OK(routine("cusparse%ccsric02_analysis", t)(handle, SIDE, a.count, descr, a.values.device,
                                                    a.outer_at, a.inner_at, info,
                                                    CUSPARSE_SOLVE_POLICY_NO_LEVEL, NULL));
        OK(routine("cusparse%ccsric02", t)(handle, SIDE, a.count, descr, a.values.device,
                                           a.outer_at, a.inner_at, info,
                                           CUSPARSE_SOLVE_POLICY_NO_LEVEL, NULL));
        OK(cusparseXcsric02_zeroPivot(handle, info, &position));
        assert_int_equal(position, -1);
        Number *got = download(&a.values), lower[SIDE][SIDE] = {{0}};
        for (int i = 0; i < SIDE; i++)
            for (int k = a.outer[i]; k < a.outer[i + 1]; k++)
                if (a.inner[k] <= i)
                    lower[i][a.inner[k]] = got[k];
                else
                    assert_true(got[k] == a.values.host[k]);
        for (int i = 0; i < SIDE; i++)
            for (int k = a.outer[i]; k < a.outer[i + 1] && a.inner[k] <= i; k++) {
                Number sum = 0;
                for (int l = 0; l < SIDE; l++)
                    sum += lower[i][l] * conj(lower[a.inner[k]][l]);
                expect_number("L L'", t, sum, dense[i][a.inner[k]]);
            }
        free(got);
        stored_free(&a);
        dense[3][3] = -1;
        a = as_csr(t, dense, 0);
        OK(routine("cusparse%ccsric02", t)(handle, SIDE, a.count, descr, a.values.device,
                                           a.outer_at, a.inner_at, info,
                                           CUSPARSE_SOLVE_POLICY_NO_LEVEL, NULL));
        assert_int_equal(cusparseXcsric02_zeroPivot(handle, info, &position),
                         CUSPARSE_STATUS_ZERO_PIVOT);
        assert_int_equal(position, 3);
        OK(cusparseDestroyCsric02Info(info));
        stored_free(&a);
    }
}

/* CSR in device memory is the dense matrix; zeros may be stored. */
static void expect_csr(const char *what, int t, const int *offsets, const int *columns,
                       const Array *values, int count, Number dense[SIDE][SIDE])
{
    int outer[SIDE + 1], inner[SIDE * SIDE];
    cudaMemcpy(outer, offsets, sizeof outer, cudaMemcpyDeviceToHost);
    cudaMemcpy(inner, columns, (size_t)count * sizeof *inner, cudaMemcpyDeviceToHost);
    Number *got = download(values), all[SIDE][SIDE] = {{0}};
    assert_int_equal(outer[SIDE], count);
    for (int i = 0; i < SIDE; i++)
        for (int k = outer[i]; k < outer[i + 1]; k++) {
            assert_true(k == outer[i] || inner[k] > inner[k - 1]);
            all[i][inner[k]] = got[k];
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            expect_number(what, t, all[i][j], dense[i][j]);
    free(got);
}

static void sums_and_blocks(void **state)
{
    (void)state;
    double ra[2], rb[2];
    EACH_TYPE
    {
        Number x[SIDE][SIDE], y[SIDE][SIDE], sum[SIDE][SIDE];
        dense_new(t, x);
        dense_new(t, y);
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                y[i][j] = j > 8 ? 0 : y[i][j];
                sum[i][j] = 0.5 * x[i][j] - 2 * y[i][j];
            }
        Stored a = as_csr(t, x, 0), b = as_csr(t, y, 0);
        int total = 0, *offsets = ints(a.outer, SIDE + 1), *columns = ints(a.inner, SIDE * SIDE);
        Array values = array_new(t, SIDE * SIDE);
        OK(cusparseXcsrgeam2Nnz(handle, SIDE, SIDE, descr, a.count, a.outer_at, a.inner_at, descr,
                                b.count, b.outer_at, b.inner_at, descr, offsets, &total, NULL));
        OK(routine("cusparse%ccsrgeam2",
                   t)(handle, SIDE, SIDE, scalar(t, 0.5, ra), descr, a.count, a.values.device,
                      a.outer_at, a.inner_at, scalar(t, -2, rb), descr, b.count, b.values.device,
                      b.outer_at, b.inner_at, descr, values.device, offsets, columns, NULL));
        expect_csr("geam", t, offsets, columns, &values, total, sum);

        for (int direction = 0; direction < 2; direction++) {
            int blocks = 0, *block_offsets = ints(a.outer, SIDE / 3 + 1),
                *block_columns = ints(a.inner, 16);
            Array block_values = array_new(t, SIDE * SIDE), v = array_new(t, SIDE),
                  w = array_new(t, SIDE);
            OK(cusparseXcsr2bsrNnz(handle, direction, SIDE, SIDE, descr, a.outer_at, a.inner_at, 3,
                                   descr, block_offsets, &blocks));
            OK(routine("cusparse%ccsr2bsr", t)(handle, direction, SIDE, SIDE, descr,
                                               a.values.device, a.outer_at, a.inner_at, 3, descr,
                                               block_values.device, block_offsets, block_columns));
            OK(routine("cusparse%cbsr2csr", t)(handle, direction, SIDE / 3, SIDE / 3, descr,
                                               block_values.device, block_offsets, block_columns, 3,
                                               descr, values.device, offsets, columns));
            expect_csr("to blocks and back", t, offsets, columns, &values, blocks * 9, x);
            OK(routine("cusparse%cbsrmv", t)(handle, direction, PLAIN, SIDE / 3, SIDE / 3, blocks,
                                             scalar(t, 1, ra), descr, block_values.device,
                                             block_offsets, block_columns, 3, v.device,
                                             scalar(t, -1, rb), w.device));
            for (int i = 0; i < SIDE; i++) {
                w.host[i] = -w.host[i];
                for (int j = 0; j < SIDE; j++)
                    w.host[i] += x[i][j] * v.host[j];
            }
            expect_array("bsrmv", &w, 20);
            cudaFree(block_offsets);
            cudaFree(block_columns);
            array_free(&block_values);
            array_free(&v);
            array_free(&w);
        }
        array_free(&values);
        stored_free(&a);
        stored_free(&b);
        cudaFree(offsets);
        cudaFree(columns);
    }
}

static void sorted_coo(void **state)
{
    (void)state;
    const int rows[] = {2, 0, 2, 1, 0, 2}, columns[] = {1, 3, 0, 2, 1, 1},
              by_row[] = {4, 1, 3, 2, 0, 5}, by_column[] = {2, 4, 0, 5, 3, 1},
              start[] = {0, 1, 2, 3, 4, 5};
    for (int columns_first = 0; columns_first < 2; columns_first++) {
        int *r = ints(rows, 6), *c = ints(columns, 6), *p = ints(start, 6), got[6];
        size_t bytes = 0;
        OK(cusparseXcoosort_bufferSizeExt(handle, 3, 4, 6, r, c, &bytes));
        OK((columns_first ? cusparseXcoosortByColumn : cusparseXcoosortByRow)(handle, 3, 4, 6, r, c,
                                                                              p, NULL));
        const int *wanted = columns_first ? by_column : by_row;
        cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
        assert_memory_equal(got, wanted, sizeof got);
        cudaMemcpy(got, r, sizeof got, cudaMemcpyDeviceToHost);
        for (int k = 0; k < 6; k++)
            assert_int_equal(got[k], rows[wanted[k]]);
        cudaFree(r);
        cudaFree(c);
        cudaFree(p);
    }
}

/* A rotation, and a dot product that a graph computes when it is launched. */
static void vectors(void **state)
{
    (void)state;
    const int places[] = {1, 3, 4};
    EACH_TYPE
    {
        double rc[2], rs[2];
        Array x = array_new(t, 3), y = array_new(t, 6);
        int *at = ints(places, 3);
        cusparseSpVecDescr_t few;
        cusparseDnVecDescr_t all;
        OK(cusparseCreateSpVec(&few, 6, 3, at, x.device, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, types[t]));
        OK(cusparseCreateDnVec(&all, 6, y.device, types[t]));
        OK(cusparseRot(handle, scalar(t, 0.6, rc), scalar(t, 0.8, rs), few, all));
        Number dot = 0;
        for (int k = 0; k < 3; k++) {
            Number a = x.host[k], b = y.host[places[k]];
            x.host[k] = 0.6 * a + 0.8 * b;
            y.host[places[k]] = 0.6 * b - 0.8 * a;
            dot += x.host[k] * y.host[places[k]];
        }
        expect_array("Rot: x", &x, 4);
        expect_array("Rot: y", &y, 4);

        double result[2] = {77, 77};
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        cudaStreamCreate(&stream);
        OK(cusparseSetStream(handle, stream));
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        OK(cusparseSpVV(handle, PLAIN, few, all, result, types[t], NULL));
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        assert_true(result[0] == 77);
        assert_int_equal(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
        assert_int_equal(cudaGraphLaunch(ready, stream), cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
        expect_number("SpVV in a graph", t, get(t, result, 0), dot);
        OK(cusparseSetStream(handle, NULL));
        cudaGraphExecDestroy(ready);
        cudaGraphDestroy(graph);
        cudaStreamDestroy(stream);
        OK(cusparseDestroySpVec(few));
        OK(cusparseDestroyDnVec(all));
        array_free(&x);
        array_free(&y);
        cudaFree(at);
    }
}

static int start(void **state)
{
    (void)state;
    return cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS ||
           cusparseCreateMatDescr(&descr) != CUSPARSE_STATUS_SUCCESS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(halves),
        cmocka_unit_test(reuse),
        cmocka_unit_test(banded),
        cmocka_unit_test(incomplete_cholesky),
        cmocka_unit_test(sums_and_blocks),
        cmocka_unit_test(sorted_coo),
        cmocka_unit_test(vectors),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
