/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusparse: what came before the generic interface, a function for all element types each (the table is
 * gpukit/cusparse_calls.h): banded systems, incomplete Cholesky factors, sums, blocks; sorting of COO. */
#include "libraries/cusparse.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    cudaDataType type;
} Typed;
#define HANDLER(name, ...)                                                                         \
    static cusparseStatus_t sparse_##name(const Typed *entry, cusparseHandle_t handle, __VA_ARGS__)

/* --- banded systems ------------------------------------------------------------------------- */

/* Of `band` diagonals on either side, ab in LAPACK's order: (i, j) at [2 band + i - j] of column j. Solves for
 * x, with exchanged rows. */
static void solve_band(Number *ab, int n, int band, Number *x)
{
    int height = 3 * band + 1;
#define AB(i, j) ab[(int64_t)(j)*height + 2 * band + (i) - (j)]
    for (int k = 0; k < n; k++) {
        int last = k + band < n - 1 ? k + band : n - 1,
            right = k + 2 * band < n - 1 ? k + 2 * band : n - 1;
        int pivot = k;
        for (int i = k + 1; i <= last; i++)
            if (cabs(AB(i, k)) > cabs(AB(pivot, k)))
                pivot = i;
        for (int j = k; j <= right && pivot != k; j++) {
            Number other = AB(pivot, j);
            AB(pivot, j) = AB(k, j);
            AB(k, j) = other;
        }
        Number other = x[pivot];
        x[pivot] = x[k];
        x[k] = other;
        for (int i = k + 1; i <= last; i++) {
            Number factor = AB(i, k) / AB(k, k);
            for (int j = k + 1; j <= right && factor != 0; j++)
                AB(i, j) -= factor * AB(k, j);
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j <= k + 2 * band && j < n; j++)
            x[k] -= AB(k, j) * x[j];
        x[k] /= AB(k, k);
    }
#undef AB
}

/* band: diagonals from the lowest to the highest, an element for each row; the elements of one system are `step`
 * apart, the systems a.rows in the diagonals and ld in the right sides. */
static void run_band(Job *q)
{
    int band = q->band[3] ? 2 : 1, all = 2 * band + 1;
    int64_t extent = q->n ? (int64_t)(q->n - 1) * q->step + 1 : 0;
    int64_t between = q->batches ? q->batches - 1 : 0;
    const void *diagonals[5];
    for (int d = 0; d < all; d++)
        diagonals[d] =
            sp_values(q, "a diagonal", q->band[d], q->type, extent + between * q->a.rows);
    void *right = sp_values(q, "the right side", q->right, q->type, extent + between * q->ld);
    if (q->head.failed || !q->n)
        return;
    Number *x = xmalloc((size_t)q->n * sizeof *x);
    Number *ab = xmalloc((size_t)q->n * (size_t)(3 * band + 1) * sizeof *ab);
    for (int64_t s = 0; s < q->batches; s++) {
        memset(ab, 0, (size_t)q->n * (size_t)(3 * band + 1) * sizeof *ab);
        for (int i = 0; i < q->n; i++) {
            x[i] = sp_get(q->type, right, (int64_t)i * q->step + s * q->ld);
            for (int d = 0; d < all; d++) {
                int j = i + d - band;
                if (j >= 0 && j < q->n)
                    ab[(int64_t)j * (3 * band + 1) + 2 * band + i - j] =
                        sp_get(q->type, diagonals[d], (int64_t)i * q->step + s * q->a.rows);
            }
        }
        solve_band(ab, q->n, band, x);
        for (int i = 0; i < q->n; i++)
            sp_put(q->type, right, (int64_t)i * q->step + s * q->ld, x[i]);
    }
    free(x);
    free(ab);
}

HANDLER(size_gtsv, int m, int n, UNUSED const void *dl, UNUSED const void *d, UNUSED const void *du,
        UNUSED const void *B, int ldb, size_t *bytes)
{
    FAIL_IF(m < 3 || n < 0 || ldb < m, INVALID_VALUE);
    return sp_size(handle, entry, entry, bytes);
}
HANDLER(gtsv, int m, int n, const void *dl, const void *d, const void *du, void *B, int ldb,
        UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(m < 3 || n < 0 || ldb < m || !dl || !d || !du || !B, INVALID_VALUE);
    Job q = {.n = m,
             .batches = n,
             .step = 1,
             .ld = ldb,
             .band = {dl, d, du},
             .right = B,
             .type = entry->type};
    return sp_submit(handle, entry->name, &q, run_band, false);
}
HANDLER(size_gtsv_strided, int m, UNUSED const void *dl, UNUSED const void *d,
        UNUSED const void *du, UNUSED const void *x, int batch, int stride, size_t *bytes)
{
    FAIL_IF(m < 3 || batch < 0 || stride < m, INVALID_VALUE);
    return sp_size(handle, entry, entry, bytes);
}
HANDLER(gtsv_strided, int m, const void *dl, const void *d, const void *du, void *x, int batch,
        int stride, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(m < 3 || batch < 0 || stride < m || !dl || !d || !du || !x, INVALID_VALUE);
    Job q = {.n = m,
             .batches = batch,
             .step = 1,
             .ld = stride,
             .a = {.rows = stride},
             .band = {dl, d, du},
             .right = x,
             .type = entry->type};
    return sp_submit(handle, entry->name, &q, run_band, false);
}
/* algo: which way there; the results are the same. */
HANDLER(size_gpsv, int algo, int m, UNUSED const void *ds, UNUSED const void *dl,
        UNUSED const void *d, UNUSED const void *du, UNUSED const void *dw, UNUSED const void *x,
        int batch, size_t *bytes)
{
    FAIL_IF(algo < 0 || algo > 2 || m < 1 || batch < 0, INVALID_VALUE);
    return sp_size(handle, entry, entry, bytes);
}
HANDLER(gpsv, int algo, int m, const void *ds, const void *dl, const void *d, const void *du,
        const void *dw, void *x, int batch, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(algo < 0 || algo > 2 || m < 1 || batch < 0 || !dl || !d || !du || !x || !ds != !dw,
            INVALID_VALUE);
    Job q = {.n = m,
             .batches = batch,
             .step = batch,
             .ld = 1,
             .a = {.rows = 1},
             .band = {dl, d, du},
             .right = x,
             .type = entry->type};
    const void *five[5] = {ds, dl, d, du, dw};
    if (ds)
        memcpy(q.band, five, sizeof five);
    return sp_submit(handle, entry->name, &q, run_band, false);
}
HANDLER(size_gtsv_interleaved, int algo, int m, const void *dl, const void *d, const void *du,
        const void *x, int batch, size_t *bytes)
{
    return sparse_size_gpsv(entry, handle, algo, m, NULL, dl, d, du, NULL, x, batch, bytes);
}
HANDLER(gtsv_interleaved, int algo, int m, const void *dl, const void *d, const void *du, void *x,
        int batch, void *buffer)
{
    return sparse_gpsv(entry, handle, algo, m, NULL, dl, d, du, NULL, x, batch, buffer);
}

/* --- matrices as they were described --------------------------------------------------------- */

static SpMat old_csr(int m, int n, int nnz, const cusparseMatDescr_t descr, const void *values,
                     const int *offsets, const int *columns, cudaDataType type)
{
    return (SpMat){.format = CUSPARSE_FORMAT_CSR,
                   .rows = m,
                   .cols = n,
                   .nnz = nnz,
                   .outer = MUTABLE(offsets),
                   .inner = MUTABLE(columns),
                   .values = MUTABLE(values),
                   .outer_index = CUSPARSE_INDEX_32I,
                   .inner_index = CUSPARSE_INDEX_32I,
                   .base = (cusparseIndexBase_t)descr->base,
                   .type = type,
                   .batch = 1};
}
static SpMat old_bsr(cusparseDirection_t direction, int mb, int nb, int nnzb,
                     const cusparseMatDescr_t descr, const void *values, const int *offsets,
                     const int *columns, int block, cudaDataType type)
{
    SpMat m = old_csr(mb * block, nb * block, nnzb * block * block, descr, values, offsets, columns,
                      type);
    m.format = CUSPARSE_FORMAT_BSR;
    m.block_rows = m.block_cols = block;
    m.order = direction == CUSPARSE_DIRECTION_ROW ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    return m;
}
/* How many entries (blocks) a matrix has, which its last offset tells when its turn comes. */
static bool count_entries(Job *q, SpMat *m, int64_t lines)
{
    const int *offsets = sp_indices(q, "offsets", m->outer, CUSPARSE_INDEX_32I, lines + 1);
    int64_t each = m->block_rows ? m->block_rows * m->block_cols : 1;
    m->nnz = offsets ? (offsets[lines] - (int)m->base) * each : 0;
    if (m->nnz < 0)
        sp_bad_index(q, m->nnz);
    return !q->head.failed;
}

/* --- incomplete Cholesky --------------------------------------------------------------------- */

struct csric02Info {
    int position; /* as of csrilu02Info */
};

/* Row by row, of the lower triangle: L(i, k) = (A(i, k) - sum over j of L(i, j) conj L(k, j)) / L(k, k). */
static void run_ic(Job *q)
{
    const SpMat *m = &q->a;
    struct csric02Info *info = q->result;
    Entry *list;
    int64_t count = sp_entries(q, m, 0, &list);
    info->position = -1;
    if (count < 0)
        return;
    void *values = sp_values(q, "values", m->values, m->type, m->nnz);
    int64_t *start = xcalloc((size_t)m->rows + 1, sizeof *start),
            *pivot = xmalloc(((size_t)m->rows + 1) * sizeof *pivot);
    for (int64_t k = 0; k < count; k++)
        start[list[k].row + 1]++;
    for (int64_t i = 0; i < m->rows; i++)
        start[i + 1] += start[i];
    Number *row = xcalloc((size_t)m->cols + 1, sizeof *row);
    for (int64_t i = 0; i < m->rows; i++) {
        double square = 0;
        pivot[i] = -1;
        for (int64_t k = start[i]; k < start[i + 1] && list[k].col <= i; k++) {
            int64_t col = list[k].col;
            if (col == i) {
                pivot[i] = k;
                double rest = creal(list[k].value) - square;
                list[k].value = sqrt(rest);
                if (!(rest > 0) && info->position < 0)
                    info->position = (int)i + (int)m->base;
                continue;
            }
            Number sum = list[k].value;
            for (int64_t l = start[col]; l < start[col + 1] && list[l].col < col; l++)
                sum -= row[list[l].col] * conj(list[l].value);
            row[col] = list[k].value = pivot[col] < 0 ? 0 : sum / list[pivot[col]].value;
            square += creal(row[col] * conj(row[col]));
        }
        if (pivot[i] < 0 && info->position < 0)
            info->position = (int)i + (int)m->base;
        for (int64_t k = start[i]; k < start[i + 1] && list[k].col <= i; k++) {
            row[list[k].col] = 0;
            sp_put(m->type, values, list[k].at, list[k].value);
        }
    }
    free(start);
    free(pivot);
    free(row);
    free(list);
}

cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info)
{
    FAIL_IF(!info, INVALID_VALUE);
    *info = xcalloc(1, sizeof **info);
    (*info)->position = -1;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info)
{
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}
/* Waits for the factorisation, as documented. */
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int *position)
{
    KNOWN;
    FAIL_IF(!info, INVALID_VALUE);
    return sp_zero_pivot(handle, &info->position, position);
}

HANDLER(ic_analysis, int m, int nnz, const cusparseMatDescr_t descr, UNUSED const void *values,
        UNUSED const int *offsets, UNUSED const int *columns, csric02Info_t info,
        UNUSED cusparseSolvePolicy_t policy, UNUSED void *buffer)
{
    KNOWN;
    (void)entry;
    FAIL_IF(m < 0 || nnz < 0 || !descr || !info, INVALID_VALUE);
    FAIL_IF(descr->type != CUSPARSE_MATRIX_TYPE_GENERAL, MATRIX_TYPE_NOT_SUPPORTED);
    return CUSPARSE_STATUS_SUCCESS;
}
HANDLER(size_ic, int m, int nnz, const cusparseMatDescr_t descr, void *values, const int *offsets,
        const int *columns, csric02Info_t info, int *bytes)
{
    FAIL_IF(!bytes, INVALID_VALUE);
    *bytes = 256;
    return sparse_ic_analysis(entry, handle, m, nnz, descr, values, offsets, columns, info,
                              CUSPARSE_SOLVE_POLICY_NO_LEVEL, NULL);
}
HANDLER(ic, int m, int nnz, const cusparseMatDescr_t descr, void *values, const int *offsets,
        const int *columns, csric02Info_t info, cusparseSolvePolicy_t policy, void *buffer)
{
    cusparseStatus_t status = sparse_ic_analysis(entry, handle, m, nnz, descr, values, offsets,
                                                 columns, info, policy, buffer);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    Job q = {.a = old_csr(m, m, nnz, descr, values, offsets, columns, entry->type), .result = info};
    return sp_submit(handle, entry->name, &q, run_ic, false);
}

/* --- sums ------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                            : (x->col > y->col) - (x->col < y->col);
}

/* Sorts by rows and columns and adds up what falls on one place. How many remain. */
static int64_t merge(Entry *list, int64_t count)
{
    int64_t kept = 0;
    qsort(list, (size_t)count, sizeof *list, by_place);
    for (int64_t k = 0; k < count; k++)
        if (kept && by_place(&list[kept - 1], &list[k]) == 0)
            list[kept - 1].value += list[k].value;
        else
            list[kept++] = list[k];
    return kept;
}

static void put_offsets(int *offsets, int64_t lines, const Entry *list, int64_t count, int base)
{
    int64_t k = 0;
    for (int64_t i = 0; i <= lines; i++) {
        while (k < count && list[k].row < i)
            k++;
        offsets[i] = (int)k + base;
    }
}

/* a + b into c; only the offsets and the number of entries (total) when there are no columns. */
static void run_geam(Job *q)
{
    Entry *la = NULL, *lb = NULL;
    SpMat b = q->c, *out = &q->c;
    b.outer = (void *)(uintptr_t)q->band[0], b.inner = (void *)(uintptr_t)q->band[1];
    b.values = (void *)(uintptr_t)q->band[2], b.nnz = q->n, b.base = (cusparseIndexBase_t)q->step;
    int64_t na = sp_entries(q, &q->a, 0, &la), nb = na < 0 ? -1 : sp_entries(q, &b, 0, &lb);
    Number alpha = q->has_beta ? sp_alpha(q) : 1, beta = q->has_beta ? sp_beta(q) : 1;
    int *offsets = sp_indices(q, "offsets of C", out->outer, CUSPARSE_INDEX_32I, out->rows + 1);
    if (nb >= 0 && !q->head.failed) {
        la = xrealloc(la, ((size_t)(na + nb) + 1) * sizeof *la);
        for (int64_t k = 0; k < na; k++)
            la[k].value *= alpha;
        for (int64_t k = 0; k < nb; k++) {
            la[na + k] = lb[k];
            la[na + k].value *= beta;
        }
        int64_t count = merge(la, na + nb);
        put_offsets(offsets, out->rows, la, count, (int)out->base);
        if (q->has_beta) {
            int *columns = sp_indices(q, "columns of C", out->inner, CUSPARSE_INDEX_32I, count);
            void *values = sp_values(q, "values of C", out->values, out->type, count);
            for (int64_t k = 0; k < count && !q->head.failed; k++) {
                columns[k] = (int)la[k].col + (int)out->base;
                sp_put(out->type, values, k, la[k].value);
            }
        } else {
            int *total = q->host_result ? q->total
                         : q->total     ? lib_reach(&q->head, "nnz", q->total, sizeof *total)
                                        : NULL;
            if (total)
                *total = (int)count;
        }
    }
    free(la);
    free(lb);
}

/* b travels in the fields of a banded system. */
static cusparseStatus_t sum_of(cusparseHandle_t handle, const char *name, int m, int n,
                               const SpMat *a, const SpMat *b, SpMat c, const void *alpha,
                               const void *beta, int *total)
{
    FAIL_IF(m < 0 || n < 0 || a->nnz < 0 || b->nnz < 0, INVALID_VALUE);
    bool host = total && handle->mode == CUSPARSE_POINTER_MODE_HOST;
    Job q = {.a = *a,
             .c = c,
             .band = {b->outer, b->inner, b->values},
             .n = (int)b->nnz,
             .step = (int)b->base,
             .total = total,
             .host_result = host,
             .has_beta = alpha != NULL};
    if (alpha)
        sp_scalars(handle, &q, alpha, beta, a->type);
    return sp_submit(handle, name, &q, run_geam, host);
}

HANDLER(geam, int m, int n, const void *alpha, const cusparseMatDescr_t descrA, int nnzA,
        const void *valuesA, const int *offsetsA, const int *columnsA, const void *beta,
        const cusparseMatDescr_t descrB, int nnzB, const void *valuesB, const int *offsetsB,
        const int *columnsB, const cusparseMatDescr_t descrC, void *valuesC, int *offsetsC,
        int *columnsC, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!descrA || !descrB || !descrC || !alpha || !beta, INVALID_VALUE);
    SpMat a = old_csr(m, n, nnzA, descrA, valuesA, offsetsA, columnsA, entry->type);
    SpMat b = old_csr(m, n, nnzB, descrB, valuesB, offsetsB, columnsB, entry->type);
    SpMat c = old_csr(m, n, 0, descrC, valuesC, offsetsC, columnsC, entry->type);
    return sum_of(handle, entry->name, m, n, &a, &b, c, alpha, beta, NULL);
}
HANDLER(size_geam, int m, int n, UNUSED const void *alpha, UNUSED const cusparseMatDescr_t descrA,
        int nnzA, UNUSED const void *valuesA, UNUSED const int *offsetsA,
        UNUSED const int *columnsA, UNUSED const void *beta, UNUSED const cusparseMatDescr_t descrB,
        int nnzB, UNUSED const void *valuesB, UNUSED const int *offsetsB,
        UNUSED const int *columnsB, UNUSED const cusparseMatDescr_t descrC,
        UNUSED const void *valuesC, UNUSED const int *offsetsC, UNUSED const int *columnsC,
        size_t *bytes)
{
    FAIL_IF(m < 0 || n < 0 || nnzA < 0 || nnzB < 0, INVALID_VALUE);
    return sp_size(handle, entry, entry, bytes);
}
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t descrA, int nnzA,
                                      const int *offsetsA, const int *columnsA,
                                      const cusparseMatDescr_t descrB, int nnzB,
                                      const int *offsetsB, const int *columnsB,
                                      const cusparseMatDescr_t descrC, int *offsetsC, int *total,
                                      UNUSED void *workspace)
{
    KNOWN;
    FAIL_IF(!descrA || !descrB || !descrC || !total, INVALID_VALUE);
    SpMat a = old_csr(m, n, nnzA, descrA, NULL, offsetsA, columnsA, CUDA_R_32F);
    SpMat b = old_csr(m, n, nnzB, descrB, NULL, offsetsB, columnsB, CUDA_R_32F);
    SpMat c = old_csr(m, n, 0, descrC, NULL, offsetsC, NULL, CUDA_R_32F);
    return sum_of(handle, "cusparseXcsrgeam2Nnz", m, n, &a, &b, c, NULL, NULL, total);
}

/* --- blocks ---------------------------------------------------------------------------------- */

HANDLER(bsrmv, cusparseDirection_t direction, cusparseOperation_t op, int mb, int nb, int nnzb,
        const void *alpha, const cusparseMatDescr_t descr, const void *values, const int *offsets,
        const int *columns, int block, const void *x, const void *beta, void *y)
{
    KNOWN;
    FAIL_IF(mb < 0 || nb < 0 || nnzb < 0 || block < 1 || !descr || !alpha || !beta ||
                (unsigned)op > 2,
            INVALID_VALUE);
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    Job q = {
        .op_a = op,
        .a = old_bsr(direction, mb, nb, nnzb, descr, values, offsets, columns, block, entry->type),
        .y = {(int64_t)(plain ? nb : mb) * block, MUTABLE(x), entry->type},
        .z = {(int64_t)(plain ? mb : nb) * block, y, entry->type}};
    sp_scalars(handle, &q, alpha, beta, entry->type);
    return sp_submit(handle, entry->name, &q, sp_run_spmv, false);
}

/* a: CSR; c: BSR, whose offsets and number of blocks (total) are found, or whose columns and values are written. */
static void run_to_blocks(Job *q)
{
    Entry *list;
    SpMat *m = &q->c;
    int64_t block = m->block_rows, lines = m->rows / block;
    if (!count_entries(q, &q->a, q->a.rows))
        return;
    int64_t count = sp_entries(q, &q->a, 0, &list);
    int *offsets = sp_indices(q, "offsets of C", m->outer, CUSPARSE_INDEX_32I, lines + 1);
    if (count < 0 || q->head.failed) {
        free(list);
        return;
    }
    Entry *blocks = xmalloc(((size_t)count + 1) * sizeof *blocks);
    for (int64_t k = 0; k < count; k++)
        blocks[k] = (Entry){list[k].row / block, list[k].col / block, 0, 0};
    int64_t found = merge(blocks, count);
    put_offsets(offsets, lines, blocks, found, (int)m->base);
    if (q->has_beta) {
        int *columns = sp_indices(q, "columns of C", m->inner, CUSPARSE_INDEX_32I, found);
        char *values = sp_values(q, "values of C", m->values, m->type, found * block * block);
        if (values)
            memset(values, 0, (size_t)(found * block * block) * sp_type_bytes(m->type));
        for (int64_t b = 0; b < found && !q->head.failed; b++)
            columns[b] = (int)blocks[b].col + (int)m->base;
        for (int64_t k = 0; k < count && !q->head.failed; k++) {
            Entry key = {list[k].row / block, list[k].col / block, 0, 0};
            const Entry *at = bsearch(&key, blocks, (size_t)found, sizeof *blocks, by_place);
            int64_t i = list[k].row % block, j = list[k].col % block;
            sp_put(m->type, values,
                   (at - blocks) * block * block +
                       (m->order == CUSPARSE_ORDER_ROW ? i * block + j : j * block + i),
                   list[k].value);
        }
    } else {
        int *total =
            q->host_result ? q->total : lib_reach(&q->head, "nnz", q->total, sizeof *total);
        if (total)
            *total = (int)found;
    }
    free(blocks);
    free(list);
}

static cusparseStatus_t to_blocks(cusparseHandle_t handle, const char *name,
                                  cusparseDirection_t direction, int m, int n,
                                  const cusparseMatDescr_t descrA, const void *values,
                                  const int *offsets, const int *columns, int block,
                                  const cusparseMatDescr_t descrC, void *valuesC, int *offsetsC,
                                  int *columnsC, int *total, cudaDataType type)
{
    KNOWN;
    FAIL_IF(m < 0 || n < 0 || block < 1 || !descrA || !descrC || (unsigned)direction > 1,
            INVALID_VALUE);
    bool host = total && handle->mode == CUSPARSE_POINTER_MODE_HOST;
    Job q = {.a = old_csr(m, n, 0, descrA, values, offsets, columns, type),
             .c = old_bsr(direction, (m + block - 1) / block, (n + block - 1) / block, 0, descrC,
                          valuesC, offsetsC, columnsC, block, type),
             .total = total,
             .host_result = host,
             .has_beta = !total};
    return sp_submit(handle, name, &q, run_to_blocks, host);
}
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t direction, int m,
                                     int n, const cusparseMatDescr_t descrA, const int *offsets,
                                     const int *columns, int block, const cusparseMatDescr_t descrC,
                                     int *offsetsC, int *total)
{
    FAIL_IF(!total, INVALID_VALUE);
    return to_blocks(handle, "cusparseXcsr2bsrNnz", direction, m, n, descrA, NULL, offsets, columns,
                     block, descrC, NULL, offsetsC, NULL, total, CUDA_R_32F);
}
HANDLER(csr2bsr, cusparseDirection_t direction, int m, int n, const cusparseMatDescr_t descrA,
        const void *values, const int *offsets, const int *columns, int block,
        const cusparseMatDescr_t descrC, void *valuesC, int *offsetsC, int *columnsC)
{
    return to_blocks(handle, entry->name, direction, m, n, descrA, values, offsets, columns, block,
                     descrC, valuesC, offsetsC, columnsC, NULL, entry->type);
}

/* Every number of every block, zeros too. */
static void run_from_blocks(Job *q)
{
    Entry *list;
    const SpMat *m = &q->c;
    if (!count_entries(q, &q->a, q->a.rows / q->a.block_rows))
        return;
    int64_t count = sp_entries(q, &q->a, 0, &list);
    int *offsets = sp_indices(q, "offsets of C", m->outer, CUSPARSE_INDEX_32I, m->rows + 1);
    int *columns =
        sp_indices(q, "columns of C", m->inner, CUSPARSE_INDEX_32I, count < 0 ? 0 : count);
    void *values = sp_values(q, "values of C", m->values, m->type, count < 0 ? 0 : count);
    if (!q->head.failed) {
        count = merge(list, count);
        put_offsets(offsets, m->rows, list, count, (int)m->base);
        for (int64_t k = 0; k < count; k++) {
            columns[k] = (int)list[k].col + (int)m->base;
            sp_put(m->type, values, k, list[k].value);
        }
    }
    free(list);
}
HANDLER(bsr2csr, cusparseDirection_t direction, int mb, int nb, const cusparseMatDescr_t descrA,
        const void *values, const int *offsets, const int *columns, int block,
        const cusparseMatDescr_t descrC, void *valuesC, int *offsetsC, int *columnsC)
{
    KNOWN;
    FAIL_IF(mb < 0 || nb < 0 || block < 1 || !descrA || !descrC || (unsigned)direction > 1,
            INVALID_VALUE);
    Job q = {
        .a = old_bsr(direction, mb, nb, 0, descrA, values, offsets, columns, block, entry->type),
        .c = old_csr(mb * block, nb * block, 0, descrC, valuesC, offsetsC, columnsC, entry->type)};
    return sp_submit(handle, entry->name, &q, run_from_blocks, false);
}

/* --- sorting --------------------------------------------------------------------------------- */

/* op_b: 1 for columns first. Equal places keep their order; P, where there is one, moves along. */
static int by_origin(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    int place = by_place(a, b);
    return place ? place : (x->at > y->at) - (x->at < y->at);
}
static void run_coosort(Job *q)
{
    int64_t nnz = q->a.nnz;
    bool columns_first = (int)q->op_b == 1;
    int *rows = sp_indices(q, "rows", q->a.outer, CUSPARSE_INDEX_32I, nnz);
    int *columns = sp_indices(q, "columns", q->a.inner, CUSPARSE_INDEX_32I, nnz);
    int *p = q->result ? sp_indices(q, "P", q->result, CUSPARSE_INDEX_32I, nnz) : NULL;
    if (q->head.failed || !nnz)
        return;
    Entry *list = xmalloc((size_t)nnz * sizeof *list);
    int *old = xmalloc((size_t)nnz * sizeof *old), *first = columns_first ? columns : rows,
        *second = columns_first ? rows : columns;
    for (int64_t k = 0; k < nnz; k++) {
        list[k] = (Entry){first[k], second[k], 0, k};
        old[k] = p ? p[k] : 0;
    }
    qsort(list, (size_t)nnz, sizeof *list, by_origin);
    for (int64_t k = 0; k < nnz; k++) {
        first[k] = (int)list[k].row;
        second[k] = (int)list[k].col;
        if (p)
            p[k] = old[list[k].at];
    }
    free(list);
    free(old);
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                UNUSED const int *rows, UNUSED const int *columns,
                                                size_t *bytes)
{
    FAIL_IF(m < 0 || n < 0 || nnz < 0, INVALID_VALUE);
    return sp_size(handle, handle, handle, bytes);
}
#define COOSORT(name, columns_first)                                                               \
    cusparseStatus_t name(cusparseHandle_t handle, int m, int n, int nnz, int *rows, int *columns, \
                          int *p, UNUSED void *buffer)                                             \
    {                                                                                              \
        KNOWN;                                                                                     \
        FAIL_IF(m < 0 || n < 0 || nnz < 0, INVALID_VALUE);                                         \
        Job q = {.a = {.nnz = nnz, .outer = rows, .inner = columns},                               \
                 .result = p,                                                                      \
                 .op_b = (cusparseOperation_t)columns_first};                                      \
        return sp_submit(handle, #name, &q, run_coosort, false);                                   \
    }
COOSORT(cusparseXcoosortByRow, 0)
COOSORT(cusparseXcoosortByColumn, 1)

/* --- the entries ------------------------------------------------------------------------------ */

#define UNPACK(...) __VA_ARGS__
#define TEXT_(...)  #__VA_ARGS__
#define TEXT(...)   TEXT_(__VA_ARGS__)
enum { TYPE_S = CUDA_R_32F, TYPE_D = CUDA_R_64F, TYPE_C = CUDA_C_32F, TYPE_Z = CUDA_C_64F };
#define TYPE_OF_(letter) (cudaDataType) TYPE_##letter
#define TYPE_OF(letter)  TYPE_OF_(letter)
#define GPUKIT_SPARSE(stem, handler, params, names)                                                \
    cusparseStatus_t GPUKIT_SPARSE_CAT(GK_L, stem)(cusparseHandle_t handle, UNPACK params)         \
    {                                                                                              \
        static const Typed entry = {TEXT(GPUKIT_SPARSE_CAT(GK_L, stem)), TYPE_OF(GK_L)};           \
        return sparse_##handler(&entry, handle, UNPACK names);                                     \
    }
#include "gpukit/cusparse_types.h"
