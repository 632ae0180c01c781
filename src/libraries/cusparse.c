/* SPDX-License-Identifier: Apache-2.0
 *
 * libcusparse: the generic interface for CSR, CSC and COO with float, double and complex values.
 * Matrices are read as entries (row, column, value) in double precision, so that one loop serves
 * every format, operation and type, and results are rounded once; the product of a real CSR matrix
 * and a vector, which programs spend their time in, has its own loop. Routines that find out how
 * many entries a result has (SpGEMM, DenseToSparse) wait for it. Blocked formats, half precision
 * and most of the interface with cusparseMatDescr_t are refused (cusparse.def). */
#include "libraries/cusparse.h"

#include "base/arena.h"
#include "libraries/blas.h"

#include <stdlib.h>
#include <string.h>

#ifndef CUDA_MAJOR
#define CUDA_MAJOR 13
#endif

enum { MAGIC = 0x676b7370 };

/* --- elements and places ------------------------------------------------------------------- */

size_t sp_type_bytes(cudaDataType type)
{
    return type == CUDA_R_16F || type == CUDA_R_16BF  ? 2
           : type == CUDA_R_32F                       ? 4
           : type == CUDA_R_64F || type == CUDA_C_32F ? 8
           : type == CUDA_C_64F                       ? 16
                                                      : 0;
}
size_t sp_index_bytes(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_64I ? 8 : type == CUSPARSE_INDEX_32I ? 4 : 0;
}

Number sp_get(cudaDataType type, const void *base, int64_t i)
{
    if (!base) /* a pattern without values */
        return 0;
    switch ((int)type) {
    case CUDA_R_16F:
        return (double)half_to_float(((const uint16_t *)base)[i]);
    case CUDA_R_16BF:
        return (double)bfloat_to_float(((const uint16_t *)base)[i]);
    case CUDA_R_32F:
        return (double)((const float *)base)[i];
    case CUDA_R_64F:
        return ((const double *)base)[i];
    case CUDA_C_32F:
        return (Number)((const float complex *)base)[i];
    default:
        return ((const Number *)base)[i];
    }
}
void sp_put(cudaDataType type, void *base, int64_t i, Number value)
{
    switch ((int)type) {
    case CUDA_R_16F:
        ((uint16_t *)base)[i] = float_to_half((float)creal(value));
        break;
    case CUDA_R_16BF:
        ((uint16_t *)base)[i] = float_to_bfloat((float)creal(value));
        break;
    case CUDA_R_32F:
        ((float *)base)[i] = (float)creal(value);
        break;
    case CUDA_R_64F:
        ((double *)base)[i] = creal(value);
        break;
    case CUDA_C_32F:
        ((float complex *)base)[i] = (float complex)value;
        break;
    default:
        ((Number *)base)[i] = value;
    }
}
int64_t sp_get_index(cusparseIndexType_t type, const void *base, int64_t i)
{
    return type == CUSPARSE_INDEX_64I ? ((const int64_t *)base)[i] : ((const int32_t *)base)[i];
}
static void put_index(cusparseIndexType_t type, void *base, int64_t i, int64_t value)
{
    if (type == CUSPARSE_INDEX_64I)
        ((int64_t *)base)[i] = value;
    else
        ((int32_t *)base)[i] = (int32_t)value;
}

void *sp_values(Job *q, const char *argument, const void *at, cudaDataType type, int64_t count)
{
    return lib_reach(&q->head, argument, at, lib_bytes(count, sp_type_bytes(type)));
}
void *sp_indices(Job *q, const char *argument, const void *at, cusparseIndexType_t type,
                 int64_t count)
{
    return lib_reach(&q->head, argument, at, lib_bytes(count, sp_index_bytes(type)));
}

static Number scalar(Job *q, const char *argument, const void *at, const unsigned char *value)
{
    const void *from = at ? lib_reach(&q->head, argument, at, sp_type_bytes(q->type)) : value;
    return from ? sp_get(q->type, from, 0) : 0;
}
Number sp_alpha(Job *q)
{
    return scalar(q, "alpha", q->alpha_at, q->alpha);
}
Number sp_beta(Job *q)
{
    return scalar(q, "beta", q->beta_at, q->beta);
}
#define ALPHA sp_alpha(q)
#define BETA  sp_beta(q)

/* A fault as of a kernel that followed a wrong index. */
void sp_bad_index(Job *q, int64_t index)
{
    if (!q->head.failed)
        rt_message("%s: index %lld lies outside the matrix or vector", q->head.name,
                   (long long)index);
    q->head.failed = true;
    rt_fault(700);
}

/* --- reading sparse matrices --------------------------------------------------------------- */

typedef struct {
    const void *outer, *inner, *values;
} Parts;

static bool csc(const SpMat *m)
{
    return m->format == CUSPARSE_FORMAT_CSC;
}
/* Block rows, slices, rows or columns: what the outer offsets count. */
static int64_t lines_of(const SpMat *m)
{
    int64_t along = csc(m) ? m->cols : m->rows;
    return m->block_rows ? (along + m->block_rows - 1) / m->block_rows : along;
}
static bool blocked(const SpMat *m)
{
    return m->format == CUSPARSE_FORMAT_BLOCKED_ELL;
}

static bool parts(Job *q, const SpMat *m, int batch, Parts *out)
{
    bool coo = m->format == CUSPARSE_FORMAT_COO, bsr = m->format == CUSPARSE_FORMAT_BSR;
    int64_t outers = coo ? m->nnz : blocked(m) ? 0 : lines_of(m) + 1;
    int64_t inners = bsr          ? m->nnz / (m->block_rows * m->block_cols)
                     : blocked(m) ? lines_of(m) * (m->width / m->block_cols)
                                  : m->nnz;
    int64_t outer_step = coo ? m->value_stride : m->outer_stride;
    int64_t inner_step = bsr ? m->inner_stride : m->value_stride;
    size_t ob = sp_index_bytes(m->outer_index), ib = sp_index_bytes(m->inner_index);
    out->outer =
        sp_indices(q, "offsets or rows", (char *)m->outer + (size_t)(batch * outer_step) * ob,
                   m->outer_index, outers);
    out->inner =
        sp_indices(q, "columns or rows", (char *)m->inner + (size_t)(batch * inner_step) * ib,
                   m->inner_index, inners);
    out->values = NULL;
    if (m->values)
        out->values = sp_values(q, "values",
                                (char *)m->values +
                                    (size_t)(batch * m->value_stride) * sp_type_bytes(m->type),
                                m->type, m->nnz);
    return !q->head.failed;
}

typedef struct {
    Job *job;
    const SpMat *m;
    Parts p;
    Entry *list;
    int64_t count;
} Walk;

static bool add(Walk *w, int64_t row, int64_t col, int64_t at)
{
    const SpMat *m = w->m;
    if (row < 0 || row >= m->rows || col < 0 || col >= m->cols) {
        sp_bad_index(w->job, csc(m) || row < 0 || row >= m->rows ? row : col);
        return false;
    }
    w->list[w->count++] = (Entry){row, col, sp_get(m->type, w->p.values, at), at};
    return true;
}

/* Line `line` has inner indices from..to-1 (those of a slice: one column of its rows after the other). */
static bool walk_line(Walk *w, int64_t line, int64_t from, int64_t to)
{
    const SpMat *m = w->m;
    int64_t base = (int64_t)m->base, rows = m->block_rows, cols = m->block_cols;
    for (int64_t k = from; k < to; k++) {
        int64_t inner = sp_get_index(m->inner_index, w->p.inner, k) - base;
        if (m->format == CUSPARSE_FORMAT_SLICED_ELLPACK) {
            int64_t row = line * rows + (k - from) % rows;
            if (inner >= 0 && row < m->rows && !add(w, row, inner, k)) /* else padding */
                return false;
        } else if (m->format == CUSPARSE_FORMAT_BSR || blocked(m)) {
            if (blocked(m) && inner < 0)
                continue;
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < cols; j++) {
                    int64_t at = blocked(m) ? (line * rows + i) * m->width + (k - from) * cols + j
                                 : m->order == CUSPARSE_ORDER_ROW ? (k * rows + i) * cols + j
                                                                  : (k * cols + j) * rows + i;
                    if (!add(w, line * rows + i, inner * cols + j, at))
                        return false;
                }
        } else if (!add(w, csc(m) ? inner : line, csc(m) ? line : inner, k)) {
            return false;
        }
    }
    return true;
}

int64_t sp_entries(Job *q, const SpMat *m, int batch, Entry **out)
{
    Walk w = {.job = q, .m = m};
    *out = NULL;
    if (!parts(q, m, batch, &w.p))
        return -1;
    w.list = xmalloc(((size_t)m->nnz + 1) * sizeof *w.list);
    int64_t base = (int64_t)m->base, lines = lines_of(m);
    bool good = true;
    if (m->format == CUSPARSE_FORMAT_COO)
        for (int64_t k = 0; good && k < m->nnz; k++)
            good = add(&w, sp_get_index(m->outer_index, w.p.outer, k) - base,
                       sp_get_index(m->inner_index, w.p.inner, k) - base, k);
    else
        for (int64_t line = 0; good && line < lines; line++) {
            int64_t across = blocked(m) ? m->width / m->block_cols : 0;
            int64_t from =
                blocked(m) ? line * across : sp_get_index(m->outer_index, w.p.outer, line) - base;
            int64_t to = blocked(m) ? from + across
                                    : sp_get_index(m->outer_index, w.p.outer, line + 1) - base;
            int64_t most = m->format == CUSPARSE_FORMAT_BSR
                               ? m->nnz / (m->block_rows * m->block_cols)
                               : m->nnz;
            good = from >= 0 && to <= most;
            if (!good)
                sp_bad_index(q, from < 0 ? from : to);
            good = good && walk_line(&w, line, from, to);
        }
    if (q->head.failed) {
        free(w.list);
        return -1;
    }
    *out = w.list;
    return w.count;
}

static void turn(Entry *list, int64_t count, cusparseOperation_t op)
{
    for (int64_t k = 0; op != CUSPARSE_OPERATION_NON_TRANSPOSE && k < count; k++) {
        Entry e = list[k];
        list[k] = (Entry){e.col, e.row,
                          op == CUSPARSE_OPERATION_TRANSPOSE ? e.value : conj(e.value), e.at};
    }
}

static void csr_free(Csr *m)
{
    free(m->start);
    free(m->column);
    free(m->value);
    *m = (Csr){0};
}

/* Entries by rows, each row in the order of the list. */
static Csr csr_of(const Entry *list, int64_t count, int64_t rows, int64_t cols)
{
    Csr m = {.rows = rows, .cols = cols, .count = count};
    m.start = xcalloc((size_t)rows + 2, sizeof *m.start);
    m.column = xmalloc(((size_t)count + 1) * sizeof *m.column);
    m.value = xmalloc(((size_t)count + 1) * sizeof *m.value);
    for (int64_t k = 0; k < count; k++)
        m.start[list[k].row + 2]++;
    for (int64_t i = 2; i <= rows + 1; i++)
        m.start[i] += m.start[i - 1];
    for (int64_t k = 0; k < count; k++) {
        int64_t at = m.start[list[k].row + 1]++;
        m.column[at] = list[k].col;
        m.value[at] = list[k].value;
    }
    return m;
}

static int64_t dense_place(const DnMat *m, int64_t i, int64_t j)
{
    return m->order == CUSPARSE_ORDER_ROW ? i * m->ld + j : j * m->ld + i;
}
static void *dense_at(Job *q, const char *argument, const DnMat *m, int batch)
{
    int64_t lines = m->order == CUSPARSE_ORDER_ROW ? m->rows : m->cols;
    int64_t along = m->order == CUSPARSE_ORDER_ROW ? m->cols : m->rows;
    if (!lines || !along)
        return NULL;
    int64_t count;
    if (__builtin_mul_overflow(lines - 1, m->ld, &count) ||
        __builtin_add_overflow(count, along, &count))
        count = INT64_MAX;
    return sp_values(q, argument,
                     (char *)m->values + (size_t)(batch * m->stride) * sp_type_bytes(m->type),
                     m->type, count);
}
static Number dense_get(const DnMat *m, const void *base, cusparseOperation_t op, int64_t i,
                        int64_t j)
{
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return sp_get(m->type, base, dense_place(m, i, j));
    Number value = sp_get(m->type, base, dense_place(m, j, i));
    return op == CUSPARSE_OPERATION_TRANSPOSE ? value : conj(value);
}
static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* --- products ------------------------------------------------------------------------------ */

#define CSR_LOOP(type, Index)                                                                      \
    {                                                                                              \
        const Index *start = p.outer, *column = p.inner;                                           \
        const type *value = p.values, *from = x;                                                   \
        type *to = y;                                                                              \
        for (int64_t i = 0; i < m->rows && !bad; i++) {                                            \
            double sum = 0;                                                                        \
            int64_t first = start[i] - base, last = start[i + 1] - base;                           \
            bad = first < 0 || last > m->nnz;                                                      \
            wrong = bad ? start[i] : 0;                                                            \
            for (int64_t k = first; k < last && !bad; k++) {                                       \
                int64_t j = column[k] - base;                                                      \
                if (j < 0 || j >= m->cols) {                                                       \
                    bad = true;                                                                    \
                    wrong = column[k];                                                             \
                } else {                                                                           \
                    sum += (double)value[k] * (double)from[j];                                     \
                }                                                                                  \
            }                                                                                      \
            to[i] = (type)(a * sum + (b != 0 ? b * (double)to[i] : 0));                            \
        }                                                                                          \
    }

static bool spmv_fast(Job *q, const void *x, void *y)
{
    const SpMat *m = &q->a;
    if (m->format != CUSPARSE_FORMAT_CSR || q->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE ||
        m->outer_index != CUSPARSE_INDEX_32I || m->inner_index != CUSPARSE_INDEX_32I ||
        q->y.type != m->type || q->z.type != m->type ||
        (m->type != CUDA_R_32F && m->type != CUDA_R_64F))
        return false;
    Parts p;
    double a = creal(ALPHA), b = creal(BETA);
    int64_t base = (int64_t)m->base;
    int64_t wrong = 0;
    bool bad = false;
    if (!parts(q, m, 0, &p))
        return true;
    if (m->type == CUDA_R_32F)
        CSR_LOOP(float, int32_t)
    else
        CSR_LOOP(double, int32_t)
    if (bad)
        sp_bad_index(q, wrong);
    return true;
}

void sp_run_spmv(Job *q)
{
    bool plain = q->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE;
    int64_t rows = plain ? q->a.rows : q->a.cols;
    const void *x = sp_values(q, "x", q->y.values, q->y.type, q->y.size);
    void *y = sp_values(q, "y", q->z.values, q->z.type, q->z.size);
    if (q->head.failed || !rows || spmv_fast(q, x, y))
        return;
    Entry *list;
    Number alpha = ALPHA, beta = BETA, *sums = xcalloc((size_t)rows + 1, sizeof *sums);
    int64_t count = sp_entries(q, &q->a, 0, &list);
    turn(list, count, q->op_a);
    for (int64_t k = 0; k < count; k++)
        sums[list[k].row] += list[k].value * sp_get(q->y.type, x, list[k].col);
    for (int64_t i = 0; i < rows && !q->head.failed; i++)
        sp_put(q->z.type, y, i, alpha * sums[i] + (beta != 0 ? beta * sp_get(q->z.type, y, i) : 0));
    free(sums);
    free(list);
}

static void run_spmm(Job *q)
{
    const DnMat *b = &q->b, *c = &q->d;
    Number alpha = ALPHA, beta = BETA;
    int batches = larger(q->a.batch, larger(b->batch, c->batch));
    for (int n = 0; n < batches && !q->head.failed; n++) {
        Entry *list = NULL;
        int64_t count = sp_entries(q, &q->a, q->a.batch > 1 ? n : 0, &list);
        const void *from = dense_at(q, "B", b, b->batch > 1 ? n : 0);
        void *to = dense_at(q, "C", c, n);
        if (q->head.failed || !to) {
            free(list);
            return;
        }
        turn(list, count, q->op_a);
        Csr rows = csr_of(list, count, c->rows, q->op_a ? q->a.rows : q->a.cols);
        Number *sums = xmalloc(((size_t)c->cols + 1) * sizeof *sums);
        for (int64_t i = 0; i < c->rows; i++) {
            memset(sums, 0, (size_t)c->cols * sizeof *sums);
            for (int64_t k = rows.start[i]; k < rows.start[i + 1]; k++)
                for (int64_t j = 0; j < c->cols; j++)
                    sums[j] += rows.value[k] * dense_get(b, from, q->op_b, rows.column[k], j);
            for (int64_t j = 0; j < c->cols; j++) {
                int64_t at = dense_place(c, i, j);
                sp_put(c->type, to, at,
                       alpha * sums[j] + (beta != 0 ? beta * sp_get(c->type, to, at) : 0));
            }
        }
        free(sums);
        csr_free(&rows);
        free(list);
    }
}

/* The entries of C alone, from two dense matrices. */
static void run_sddmm(Job *q)
{
    Number alpha = ALPHA, beta = BETA;
    int64_t depth = q->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE ? q->b.cols : q->b.rows;
    int batches = larger(q->c.batch, larger(q->b.batch, q->d.batch));
    for (int n = 0; n < batches && !q->head.failed; n++) {
        Entry *list = NULL;
        Parts p;
        int64_t count = sp_entries(q, &q->c, q->c.batch > 1 ? n : 0, &list);
        const void *a = dense_at(q, "A", &q->b, q->b.batch > 1 ? n : 0);
        const void *b = dense_at(q, "B", &q->d, q->d.batch > 1 ? n : 0);
        if (count >= 0 && parts(q, &q->c, q->c.batch > 1 ? n : 0, &p))
            for (int64_t e = 0; e < count; e++) {
                Number sum = 0;
                for (int64_t k = 0; k < depth; k++)
                    sum += dense_get(&q->b, a, q->op_a, list[e].row, k) *
                           dense_get(&q->d, b, q->op_b, k, list[e].col);
                sp_put(q->c.type, (void *)(uintptr_t)p.values, list[e].at,
                       alpha * sum + (beta != 0 ? beta * list[e].value : 0));
            }
        free(list);
    }
}

/* --- triangular solutions ------------------------------------------------------------------ */

/* Solves op(A) x = alpha b for one right side; x and b by functions of the place. */
static void solve(Job *q, const Csr *m, bool upper, Number *x)
{
    for (int64_t step = 0; step < m->rows; step++) {
        int64_t i = upper ? m->rows - 1 - step : step;
        Number sum = x[i], diagonal = q->a.diag == CUSPARSE_DIAG_TYPE_UNIT ? 1 : 0;
        for (int64_t k = m->start[i]; k < m->start[i + 1]; k++) {
            int64_t j = m->column[k];
            if (j == i && q->a.diag != CUSPARSE_DIAG_TYPE_UNIT)
                diagonal += m->value[k];
            else if (upper ? j > i : j < i)
                sum -= m->value[k] * x[j];
        }
        x[i] = sum / diagonal;
    }
}

static Csr triangle(Job *q, bool *upper)
{
    Entry *list;
    int64_t count = sp_entries(q, &q->a, 0, &list);
    Csr m = {0};
    *upper =
        (q->a.fill == CUSPARSE_FILL_MODE_UPPER) == (q->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE);
    if (count >= 0) {
        turn(list, count, q->op_a);
        m = csr_of(list, count, q->a.rows, q->a.cols);
    }
    free(list);
    return m;
}

static void run_spsv(Job *q)
{
    bool upper;
    const void *b = sp_values(q, "x", q->y.values, q->y.type, q->y.size);
    void *to = sp_values(q, "y", q->z.values, q->z.type, q->z.size);
    Csr m = triangle(q, &upper);
    if (!q->head.failed) {
        Number alpha = ALPHA, *x = xmalloc(((size_t)m.rows + 1) * sizeof *x);
        for (int64_t i = 0; i < m.rows; i++)
            x[i] = alpha * sp_get(q->y.type, b, i);
        solve(q, &m, upper, x);
        for (int64_t i = 0; i < m.rows; i++)
            sp_put(q->z.type, to, i, x[i]);
        free(x);
    }
    csr_free(&m);
}

static void run_spsm(Job *q)
{
    bool upper;
    const void *b = dense_at(q, "B", &q->b, 0);
    void *c = dense_at(q, "C", &q->d, 0);
    Csr m = triangle(q, &upper);
    if (!q->head.failed) {
        Number alpha = ALPHA, *x = xmalloc(((size_t)m.rows + 1) * sizeof *x);
        for (int64_t j = 0; j < q->d.cols; j++) {
            for (int64_t i = 0; i < m.rows; i++)
                x[i] = alpha * dense_get(&q->b, b, q->op_b, i, j);
            solve(q, &m, upper, x);
            for (int64_t i = 0; i < m.rows; i++)
                sp_put(q->d.type, c, dense_place(&q->d, i, j), x[i]);
        }
        free(x);
    }
    csr_free(&m);
}

/* --- sparse by sparse ---------------------------------------------------------------------- */

static int by_column(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void run_spgemm(Job *q)
{
    Entry *la = NULL, *lb = NULL;
    int64_t na = sp_entries(q, &q->a, 0, &la), nb = sp_entries(q, &q->c, 0, &lb);
    if (na >= 0 && nb >= 0) {
        Number alpha = ALPHA;
        Csr a = csr_of(la, na, q->a.rows, q->a.cols), b = csr_of(lb, nb, q->c.rows, q->c.cols);
        Csr *out = &q->product->product;
        csr_free(out);
        q->product->products = 0;
        out->rows = a.rows;
        out->cols = b.cols;
        out->start = xcalloc((size_t)a.rows + 1, sizeof *out->start);
        Number *sums = xmalloc(((size_t)b.cols + 1) * sizeof *sums);
        int64_t *touched = xmalloc(((size_t)b.cols + 1) * sizeof *touched), room = 0;
        bool *seen = xcalloc((size_t)b.cols + 1, sizeof *seen);
        for (int64_t i = 0; i < a.rows; i++) {
            int64_t count = 0;
            for (int64_t k = a.start[i]; k < a.start[i + 1]; k++)
                for (int64_t l = b.start[a.column[k]]; l < b.start[a.column[k] + 1]; l++) {
                    int64_t j = b.column[l];
                    if (!seen[j]) {
                        seen[j] = true;
                        sums[j] = 0;
                        touched[count++] = j;
                    }
                    sums[j] += a.value[k] * b.value[l];
                    q->product->products++;
                }
            qsort(touched, (size_t)count, sizeof *touched, by_column);
            if (out->count + count > room) {
                room = 2 * (out->count + count);
                out->column = xrealloc(out->column, (size_t)room * sizeof *out->column);
                out->value = xrealloc(out->value, (size_t)room * sizeof *out->value);
            }
            for (int64_t k = 0; k < count; k++) {
                out->column[out->count] = touched[k];
                out->value[out->count++] = alpha * sums[touched[k]];
                seen[touched[k]] = false;
            }
            out->start[i + 1] = out->count;
        }
        *q->count = out->count;
        free(sums);
        free(touched);
        free(seen);
        csr_free(&a);
        csr_free(&b);
    }
    free(la);
    free(lb);
}

/* A matrix of ours into the program's CSR. */
static void run_store(Job *q)
{
    const Csr *m = &q->product->product;
    void *offsets = sp_indices(q, "offsets", q->c.outer, q->c.outer_index, m->rows + 1);
    void *columns = sp_indices(q, "columns", q->c.inner, q->c.inner_index, m->count);
    void *values = q->c.values ? sp_values(q, "values", q->c.values, q->c.type, m->count) : NULL;
    if (q->head.failed)
        return;
    for (int64_t i = 0; i <= m->rows; i++)
        put_index(q->c.outer_index, offsets, i, m->start[i] + (int64_t)q->c.base);
    for (int64_t k = 0; k < m->count; k++) {
        put_index(q->c.inner_index, columns, k, m->column[k] + (int64_t)q->c.base);
        if (q->c.values)
            sp_put(q->c.type, values, k, m->value[k]);
    }
}

/* --- conversions --------------------------------------------------------------------------- */

static void run_to_dense(Job *q)
{
    Entry *list;
    int64_t count = sp_entries(q, &q->a, 0, &list);
    void *to = dense_at(q, "B", &q->d, 0);
    for (int64_t i = 0; to && count >= 0 && i < q->d.rows; i++)
        for (int64_t j = 0; j < q->d.cols; j++)
            sp_put(q->d.type, to, dense_place(&q->d, i, j), 0);
    for (int64_t k = 0; to && k < count; k++)
        sp_put(q->d.type, to, dense_place(&q->d, list[k].row, list[k].col), list[k].value);
    free(list);
}

/* Counts the entries (count given), or writes them. */
static void run_to_sparse(Job *q)
{
    const DnMat *d = &q->b;
    SpMat *m = &q->c;
    bool columns = csc(m), coo = m->format == CUSPARSE_FORMAT_COO;
    int64_t lines = columns ? d->cols : d->rows, along = columns ? d->rows : d->cols, count = 0;
    const void *from = dense_at(q, "A", d, 0);
    void *outer = coo && q->count ? NULL
                                  : sp_indices(q, "offsets or rows", m->outer, m->outer_index,
                                               coo ? m->nnz : lines + 1);
    void *inner =
        q->count ? NULL : sp_indices(q, "columns or rows", m->inner, m->inner_index, m->nnz);
    void *values = q->count ? NULL : sp_values(q, "values", m->values, m->type, m->nnz);
    if (q->head.failed)
        return;
    for (int64_t line = 0; line < lines; line++) {
        if (!coo)
            put_index(m->outer_index, outer, line, count + (int64_t)m->base);
        for (int64_t k = 0; k < along; k++) {
            Number value =
                sp_get(d->type, from, dense_place(d, columns ? k : line, columns ? line : k));
            if (value == 0)
                continue;
            if (!q->count && count < m->nnz) {
                if (coo)
                    put_index(m->outer_index, outer, count, line + (int64_t)m->base);
                put_index(m->inner_index, inner, count, k + (int64_t)m->base);
                sp_put(m->type, values, count, value);
            }
            count++;
        }
    }
    if (!coo)
        put_index(m->outer_index, outer, lines, count + (int64_t)m->base);
    if (q->count)
        *q->count = count;
}

/* The pattern is given, and what lies outside it is lost; padding is 0. */
static void run_to_blocked_ell(Job *q)
{
    Entry *list;
    const void *from = dense_at(q, "A", &q->b, 0);
    int64_t count = sp_entries(q, &q->c, 0, &list);
    void *values = sp_values(q, "values", q->c.values, q->c.type, q->c.nnz);
    for (int64_t k = 0; count >= 0 && values && k < q->c.nnz; k++)
        sp_put(q->c.type, values, k, 0);
    for (int64_t k = 0; values && k < count; k++)
        sp_put(q->c.type, values, list[k].at,
               sp_get(q->b.type, from, dense_place(&q->b, list[k].row, list[k].col)));
    free(list);
}

/* a: the CSR matrix; c: the CSC one. */
static void run_csr_to_csc(Job *q)
{
    Entry *list;
    SpMat *m = &q->c;
    bool numeric = q->has_beta;
    int64_t count = sp_entries(q, &q->a, 0, &list);
    void *offsets = sp_indices(q, "offsets", m->outer, m->outer_index, m->cols + 1);
    void *rows = sp_indices(q, "rows", m->inner, m->inner_index, m->nnz);
    void *values = numeric ? sp_values(q, "values", m->values, m->type, m->nnz) : NULL;
    if (!q->head.failed) {
        turn(list, count, CUSPARSE_OPERATION_TRANSPOSE);
        Csr t = csr_of(list, count, m->cols, m->rows);
        for (int64_t i = 0; i <= t.rows; i++)
            put_index(m->outer_index, offsets, i, t.start[i] + (int64_t)m->base);
        for (int64_t k = 0; k < t.count; k++) {
            put_index(m->inner_index, rows, k, t.column[k] + (int64_t)m->base);
            if (numeric)
                sp_put(m->type, values, k, t.value[k]);
        }
        csr_free(&t);
    }
    free(list);
}

/* Offsets of m rows from sorted rows of nnz entries, and back. */
static void run_coo_to_csr(Job *q)
{
    const int *rows = lib_reach(&q->head, "rows", q->a.outer, (size_t)q->a.nnz * sizeof *rows);
    int *offsets =
        lib_reach(&q->head, "offsets", q->c.outer, (size_t)(q->a.rows + 1) * sizeof *offsets);
    if (!offsets || q->head.failed)
        return;
    int64_t k = 0;
    for (int64_t i = 0; i <= q->a.rows; i++) {
        while (k < q->a.nnz && rows[k] - (int)q->a.base < i)
            k++;
        offsets[i] = (int)k + (int)q->a.base;
    }
}
static void run_csr_to_coo(Job *q)
{
    const int *offsets =
        lib_reach(&q->head, "offsets", q->a.outer, (size_t)(q->a.rows + 1) * sizeof *offsets);
    int *rows = lib_reach(&q->head, "rows", q->c.outer, (size_t)q->a.nnz * sizeof *rows);
    for (int64_t i = 0; offsets && rows && i < q->a.rows; i++)
        for (int64_t k = offsets[i] - (int)q->a.base; k < offsets[i + 1] - (int)q->a.base; k++) {
            if (k < 0 || k >= q->a.nnz) {
                sp_bad_index(q, k);
                return;
            }
            rows[k] = (int)(i + (int)q->a.base);
        }
}

typedef struct {
    int index, old;
} Moved;
static int by_index(const void *a, const void *b)
{
    const Moved *x = a, *y = b;
    return x->index != y->index ? (x->index > y->index) - (x->index < y->index)
                                : (x->old > y->old) - (x->old < y->old);
}

/* Sorts the inner indices of each line, stably; P, where there is one, moves along. */
static void run_sort(Job *q)
{
    int64_t nnz = q->a.nnz;
    const int *offsets = sp_indices(q, "offsets", q->a.outer, CUSPARSE_INDEX_32I, q->a.rows + 1);
    int *inner = sp_indices(q, "indices", q->a.inner, CUSPARSE_INDEX_32I, nnz);
    int *p = q->result ? sp_indices(q, "P", q->result, CUSPARSE_INDEX_32I, nnz) : NULL;
    if (q->head.failed || !nnz)
        return;
    Moved *list = xmalloc((size_t)nnz * sizeof *list);
    int *old = xmalloc((size_t)nnz * sizeof *old);
    for (int64_t line = 0; line < q->a.rows; line++) {
        int64_t from = offsets[line] - (int)q->a.base, to = offsets[line + 1] - (int)q->a.base;
        if (from < 0 || to > nnz || from > to) {
            sp_bad_index(q, from < 0 ? from : to);
            break;
        }
        for (int64_t k = from; k < to; k++) {
            list[k - from] = (Moved){inner[k], (int)(k - from)};
            old[k - from] = p ? p[k] : 0;
        }
        qsort(list, (size_t)(to - from), sizeof *list, by_index);
        for (int64_t k = from; k < to; k++) {
            inner[k] = list[k - from].index;
            if (p)
                p[k] = old[list[k - from].old];
        }
    }
    free(list);
    free(old);
}

static void run_identity(Job *q)
{
    int *p = sp_indices(q, "p", q->result, CUSPARSE_INDEX_32I, q->a.nnz);
    for (int64_t k = 0; p && k < q->a.nnz; k++)
        p[k] = (int)k;
}

/* Numbers other than zero of a dense matrix, a line each (op_b: 1 for columns) and in all. */
static void run_nnz(Job *q)
{
    bool columns = (int)q->op_b == 1;
    int64_t lines = columns ? q->b.cols : q->b.rows, total = 0;
    const void *dense = dense_at(q, "A", &q->b, 0);
    int *each = sp_indices(q, "nnzPerRowCol", q->result, CUSPARSE_INDEX_32I, lines);
    int *all = q->host_result ? q->total : lib_reach(&q->head, "nnzTotal", q->total, sizeof *all);
    if (q->head.failed)
        return;
    for (int64_t line = 0; line < lines; line++) {
        int found = 0;
        for (int64_t k = 0; k < (columns ? q->b.rows : q->b.cols); k++)
            found += dense_get(&q->b, dense, CUSPARSE_OPERATION_NON_TRANSPOSE, columns ? k : line,
                               columns ? line : k) != 0;
        each[line] = found;
        total += found;
    }
    *all = (int)total;
}

/* --- vectors ------------------------------------------------------------------------------- */

/* kind: what is done with entry k of the sparse vector x and element i of the dense y. */
typedef enum {
    VECTOR_AXPBY,
    VECTOR_GATHER,
    VECTOR_SCATTER,
    VECTOR_DOT,
    VECTOR_ROTATE /* alpha: cosine, beta: sine */
} VectorKind;

static void run_vector(Job *q)
{
    VectorKind kind = (VectorKind)q->op_b;
    const void *indices = sp_indices(q, "indices", q->x.indices, q->x.index, q->x.nnz);
    void *x = sp_values(q, "x", q->x.values, q->x.type, q->x.nnz);
    void *y = sp_values(q, "y", q->y.values, q->y.type, q->y.size);
    void *result = kind != VECTOR_DOT ? NULL
                   : q->host_result
                       ? q->result
                       : lib_reach(&q->head, "result", q->result, sp_type_bytes(q->type));
    Number alpha = kind == VECTOR_AXPBY ? ALPHA : 0, beta = kind == VECTOR_AXPBY ? BETA : 1,
           dot = 0;
    Number cosine = kind == VECTOR_ROTATE ? ALPHA : 0, sine = kind == VECTOR_ROTATE ? BETA : 0;
    for (int64_t i = 0; y && beta != 1 && i < q->y.size; i++)
        sp_put(q->y.type, y, i, beta != 0 ? beta * sp_get(q->y.type, y, i) : 0);
    for (int64_t k = 0; k < q->x.nnz && !q->head.failed; k++) {
        int64_t i = sp_get_index(q->x.index, indices, k) - (int64_t)q->x.base;
        if (i < 0 || i >= q->y.size) {
            sp_bad_index(q, i);
            return;
        }
        Number value = sp_get(q->x.type, x, k), other = sp_get(q->y.type, y, i);
        switch (kind) {
        case VECTOR_AXPBY:
            sp_put(q->y.type, y, i, alpha * value + other);
            break;
        case VECTOR_GATHER:
            sp_put(q->x.type, x, k, other);
            break;
        case VECTOR_SCATTER:
            sp_put(q->y.type, y, i, value);
            break;
        case VECTOR_ROTATE:
            sp_put(q->x.type, x, k, cosine * value + sine * other);
            sp_put(q->y.type, y, i, cosine * other - sine * value);
            break;
        case VECTOR_DOT:
            dot +=
                (q->op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj(value) : value) * other;
        }
    }
    if (result && !q->head.failed)
        sp_put(q->type, result, 0, dot);
}

/* --- submission ---------------------------------------------------------------------------- */

static void run_job(LibCall *head)
{
    Job *q = (Job *)head;
    q->run(q);
}

bool sp_known(cusparseHandle_t handle)
{
    return handle && handle->magic == MAGIC;
}

static cusparseStatus_t status_of(int error)
{
    switch (error) {
    case RT_OK:
        return CUSPARSE_STATUS_SUCCESS;
    case RT_NOT_SUPPORTED:
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    case RT_OUT_OF_MEMORY:
        return CUSPARSE_STATUS_ALLOC_FAILED;
    case RT_NOT_INITIALIZED:
    case RT_NO_DEVICE:
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    default:
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    }
}

void sp_scalars(cusparseHandle_t handle, Job *q, const void *alpha, const void *beta,
                cudaDataType type)
{
    bool device = handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
    q->type = type;
    if (device) {
        q->alpha_at = alpha;
        q->beta_at = beta;
    } else {
        if (alpha)
            memcpy(q->alpha, alpha, sp_type_bytes(type));
        if (beta)
            memcpy(q->beta, beta, sp_type_bytes(type));
    }
}

cusparseStatus_t sp_submit(cusparseHandle_t handle, const char *name, Job *q, void (*run)(Job *),
                           bool wait)
{
    q->head.run = run_job;
    q->head.name = name;
    q->run = run;
    return status_of(lib_submit(rt_stream(handle->stream, false), &q->head, sizeof *q, wait));
}

cusparseStatus_t sp_wait(cusparseHandle_t handle)
{
    RtStream *stream = rt_stream(handle->stream, false);
    return status_of(stream ? rt_stream_wait(stream) : RT_INVALID_HANDLE);
}

static bool good_op(cusparseOperation_t op)
{
    return (unsigned)op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

/* The rest of a set of types that we calculate in. */
#define TYPE_OK(type) FAIL_IF(!sp_type_bytes(type), NOT_SUPPORTED)
/* Of scalars: half precision is only stored. */
static bool computes(cudaDataType type)
{
    return sp_type_bytes(type) >= 4;
}
static cudaDataType scalar_type(cudaDataType type)
{
    return computes(type) ? type : CUDA_R_32F;
}
#define COMPUTE_OK(type) FAIL_IF(!computes(type), NOT_SUPPORTED)

/* --- handle -------------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    FAIL_IF(!handle, INVALID_VALUE);
    int error = lib_begin("cuSPARSE");
    if (error)
        return status_of(error);
    *handle = xcalloc(1, sizeof **handle);
    (*handle)->magic = MAGIC;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    KNOWN;
    handle->magic = 0;
    free(handle);
    return CUSPARSE_STATUS_SUCCESS;
}
/* CUDA 13's is still version 12. */
static const int version_major = CUDA_MAJOR == 11 ? 11 : 12;
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    KNOWN;
    FAIL_IF(!version, INVALID_VALUE);
    *version = version_major * 1000;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
{
    FAIL_IF(!value || (unsigned)type > PATCH_LEVEL, INVALID_VALUE);
    *value = type == MAJOR_VERSION ? version_major : 0;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    KNOWN;
    FAIL_IF(!rt_stream(stream, false), INVALID_VALUE);
    handle->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
    KNOWN;
    FAIL_IF(!stream, INVALID_VALUE);
    *stream = handle->stream;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    KNOWN;
    FAIL_IF((unsigned)mode > 1, INVALID_VALUE);
    handle->mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
    KNOWN;
    FAIL_IF(!mode, INVALID_VALUE);
    *mode = handle->mode;
    return CUSPARSE_STATUS_SUCCESS;
}

static const char *const statuses[][2] = {
#define STATUS(name, text) [CUSPARSE_STATUS_##name] = {"CUSPARSE_STATUS_" #name, text}
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "initialization error"),
    STATUS(ALLOC_FAILED, "out of memory"),
    STATUS(INVALID_VALUE, "invalid value"),
    STATUS(ARCH_MISMATCH, "architecture mismatch"),
    STATUS(MAPPING_ERROR, "texture memory mapping error"),
    STATUS(EXECUTION_FAILED, "kernel launch failure"),
    STATUS(INTERNAL_ERROR, "internal error"),
    STATUS(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported"),
    STATUS(ZERO_PIVOT, "zero pivot"),
    STATUS(NOT_SUPPORTED, "operation not supported"),
    STATUS(INSUFFICIENT_RESOURCES, "insufficient resources"),
};
const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return (unsigned)status < sizeof statuses / sizeof *statuses ? statuses[status][0]
                                                                 : "unrecognized error code";
}
const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return (unsigned)status < sizeof statuses / sizeof *statuses ? statuses[status][1]
                                                                 : "unrecognized error code";
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr)
{
    FAIL_IF(!descr, INVALID_VALUE);
    *descr = xcalloc(1, sizeof **descr);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr)
{
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}
#define MAT_FIELD(name, field, Type, most)                                                         \
    cusparseStatus_t cusparseSetMat##name(cusparseMatDescr_t descr, Type value)                    \
    {                                                                                              \
        FAIL_IF(!descr || (unsigned)value > most, INVALID_VALUE);                                  \
        descr->field = (int)value;                                                                 \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    Type cusparseGetMat##name(const cusparseMatDescr_t descr)                                      \
    {                                                                                              \
        return (Type)(descr ? descr->field : 0);                                                   \
    }
MAT_FIELD(Type, type, cusparseMatrixType_t, 3)
MAT_FIELD(FillMode, fill, cusparseFillMode_t, 1)
MAT_FIELD(DiagType, diag, cusparseDiagType_t, 1)
MAT_FIELD(IndexBase, base, cusparseIndexBase_t, 1)

/* --- descriptors --------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vec, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t index,
                                     cusparseIndexBase_t base, cudaDataType type)
{
    FAIL_IF(!vec || size < 0 || nnz < 0 || nnz > size || (unsigned)base > 1, INVALID_VALUE);
    FAIL_IF(!sp_index_bytes(index) || !sp_type_bytes(type), NOT_SUPPORTED);
    *vec = xmalloc(sizeof **vec);
    **vec = (SpVec){size, nnz, indices, values, index, base, type};
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *vec, int64_t size, int64_t nnz,
                                          const void *indices, const void *values,
                                          cusparseIndexType_t index, cusparseIndexBase_t base,
                                          cudaDataType type)
{
    return cusparseCreateSpVec((cusparseSpVecDescr_t *)(uintptr_t)vec, size, nnz,
                               (void *)(uintptr_t)indices, (void *)(uintptr_t)values, index, base,
                               type);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vec)
{
    free((void *)(uintptr_t)vec);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vec, int64_t *size, int64_t *nnz,
                                  void **indices, void **values, cusparseIndexType_t *index,
                                  cusparseIndexBase_t *base, cudaDataType *type)
{
    FAIL_IF(!vec || !size || !nnz || !indices || !values || !index || !base || !type,
            INVALID_VALUE);
    *size = vec->size, *nnz = vec->nnz, *indices = vec->indices, *values = vec->values;
    *index = vec->index, *base = vec->base, *type = vec->type;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vec, cusparseIndexBase_t *base)
{
    FAIL_IF(!vec || !base, INVALID_VALUE);
    *base = vec->base;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vec, int64_t size, void *values,
                                     cudaDataType type)
{
    FAIL_IF(!vec || size < 0, INVALID_VALUE);
    TYPE_OK(type);
    *vec = xmalloc(sizeof **vec);
    **vec = (DnVec){size, values, type};
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vec, int64_t size,
                                          const void *values, cudaDataType type)
{
    return cusparseCreateDnVec((cusparseDnVecDescr_t *)(uintptr_t)vec, size,
                               (void *)(uintptr_t)values, type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vec)
{
    free((void *)(uintptr_t)vec);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vec, int64_t *size, void **values,
                                  cudaDataType *type)
{
    FAIL_IF(!vec || !size || !values || !type, INVALID_VALUE);
    *size = vec->size, *values = vec->values, *type = vec->type;
    return CUSPARSE_STATUS_SUCCESS;
}
/* Values of any descriptor. */
#define VALUES(Name, Type)                                                                         \
    cusparseStatus_t cusparse##Name##GetValues(Type descr, void **values)                          \
    {                                                                                              \
        FAIL_IF(!descr || !values, INVALID_VALUE);                                                 \
        *values = descr->values;                                                                   \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparse##Name##SetValues(Type descr, void *values)                           \
    {                                                                                              \
        FAIL_IF(!descr, INVALID_VALUE);                                                            \
        descr->values = values;                                                                    \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
VALUES(SpVec, cusparseSpVecDescr_t)
VALUES(DnVec, cusparseDnVecDescr_t)
VALUES(SpMat, cusparseSpMatDescr_t)
VALUES(DnMat, cusparseDnMatDescr_t)

cusparseStatus_t sp_create(cusparseSpMatDescr_t *mat, const SpMat *what)
{
    FAIL_IF(!mat || what->rows < 0 || what->cols < 0 || what->nnz < 0 || (unsigned)what->base > 1,
            INVALID_VALUE);
    FAIL_IF(!sp_index_bytes(what->outer_index) || !sp_index_bytes(what->inner_index) ||
                !sp_type_bytes(what->type),
            NOT_SUPPORTED);
    *mat = xmalloc(sizeof **mat);
    **mat = *what;
    return CUSPARSE_STATUS_SUCCESS;
}
#define CREATE(Name, Format, outer_name, inner_name, types, outer_type, inner_type)                \
    cusparseStatus_t cusparseCreate##Name(                                                         \
        cusparseSpMatDescr_t *mat, int64_t rows, int64_t cols, int64_t nnz, void *outer_name,      \
        void *inner_name, void *values, UNPACK types, cusparseIndexBase_t base, cudaDataType type) \
    {                                                                                              \
        const SpMat what = {.format = Format,                                                      \
                            .rows = rows,                                                          \
                            .cols = cols,                                                          \
                            .nnz = nnz,                                                            \
                            .outer = outer_name,                                                   \
                            .inner = inner_name,                                                   \
                            .values = values,                                                      \
                            .outer_index = outer_type,                                             \
                            .inner_index = inner_type,                                             \
                            .base = base,                                                          \
                            .type = type,                                                          \
                            .batch = 1};                                                           \
        return sp_create(mat, &what);                                                              \
    }                                                                                              \
    cusparseStatus_t cusparse##Name##SetPointers(cusparseSpMatDescr_t mat, void *outer_name,       \
                                                 void *inner_name, void *values)                   \
    {                                                                                              \
        FAIL_IF(!mat || mat->format != Format, INVALID_VALUE);                                     \
        mat->outer = outer_name;                                                                   \
        mat->inner = inner_name;                                                                   \
        mat->values = values;                                                                      \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
#define UNPACK(...) __VA_ARGS__
CREATE(Csr, CUSPARSE_FORMAT_CSR, offsets, columns,
       (cusparseIndexType_t outer, cusparseIndexType_t inner), outer, inner)
CREATE(Csc, CUSPARSE_FORMAT_CSC, offsets, rows_at,
       (cusparseIndexType_t outer, cusparseIndexType_t inner), outer, inner)
CREATE(Coo, CUSPARSE_FORMAT_COO, rows_at, columns, (cusparseIndexType_t index), index, index)

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *mat, int64_t rows, int64_t cols,
                                        int64_t nnz, const void *offsets, const void *columns,
                                        const void *values, cusparseIndexType_t outer,
                                        cusparseIndexType_t inner, cusparseIndexBase_t base,
                                        cudaDataType type)
{
    return cusparseCreateCsr(MUTABLE(mat), rows, cols, nnz, MUTABLE(offsets), MUTABLE(columns),
                             MUTABLE(values), outer, inner, base, type);
}
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *mat, int64_t rows, int64_t cols,
                                        int64_t nnz, const void *offsets, const void *rows_at,
                                        const void *values, cusparseIndexType_t outer,
                                        cusparseIndexType_t inner, cusparseIndexBase_t base,
                                        cudaDataType type)
{
    return cusparseCreateCsc(MUTABLE(mat), rows, cols, nnz, MUTABLE(offsets), MUTABLE(rows_at),
                             MUTABLE(values), outer, inner, base, type);
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *mat, int64_t rows, int64_t cols,
                                        int64_t nnz, const void *rows_at, const void *columns,
                                        const void *values, cusparseIndexType_t index,
                                        cusparseIndexBase_t base, cudaDataType type)
{
    return cusparseCreateCoo(MUTABLE(mat), rows, cols, nnz, MUTABLE(rows_at), MUTABLE(columns),
                             MUTABLE(values), index, base, type);
}
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *mat, int64_t brows, int64_t bcols,
                                   int64_t bnnz, int64_t block_rows, int64_t block_cols,
                                   void *offsets, void *columns, void *values,
                                   cusparseIndexType_t outer, cusparseIndexType_t inner,
                                   cusparseIndexBase_t base, cudaDataType type,
                                   cusparseOrder_t order)
{
    FAIL_IF(brows < 0 || bcols < 0 || bnnz < 0 || block_rows < 1 || block_cols < 1 ||
                (order != CUSPARSE_ORDER_ROW && order != CUSPARSE_ORDER_COL),
            INVALID_VALUE);
    const SpMat what = {.format = CUSPARSE_FORMAT_BSR,
                        .rows = brows * block_rows,
                        .cols = bcols * block_cols,
                        .nnz = bnnz * block_rows * block_cols,
                        .outer = offsets,
                        .inner = columns,
                        .values = values,
                        .outer_index = outer,
                        .inner_index = inner,
                        .base = base,
                        .type = type,
                        .batch = 1,
                        .block_rows = block_rows,
                        .block_cols = block_cols,
                        .order = order};
    return sp_create(mat, &what);
}
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t *mat, int64_t brows,
                                        int64_t bcols, int64_t bnnz, int64_t block_rows,
                                        int64_t block_cols, const void *offsets,
                                        const void *columns, const void *values,
                                        cusparseIndexType_t outer, cusparseIndexType_t inner,
                                        cusparseIndexBase_t base, cudaDataType type,
                                        cusparseOrder_t order)
{
    return cusparseCreateBsr(MUTABLE(mat), brows, bcols, bnnz, block_rows, block_cols,
                             MUTABLE(offsets), MUTABLE(columns), MUTABLE(values), outer, inner,
                             base, type, order);
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t mat, int count, int64_t offsets,
                                            int64_t columns, int64_t values)
{
    FAIL_IF(!mat || mat->format != CUSPARSE_FORMAT_BSR || count < 1 || offsets < 0 || columns < 0 ||
                values < 0,
            INVALID_VALUE);
    mat->batch = count;
    mat->outer_stride = offsets;
    mat->inner_stride = columns;
    mat->value_stride = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t *mat, int64_t rows, int64_t cols,
                                         int64_t nnz, int64_t stored, int64_t slice, void *offsets,
                                         void *columns, void *values, cusparseIndexType_t outer,
                                         cusparseIndexType_t inner, cusparseIndexBase_t base,
                                         cudaDataType type)
{
    FAIL_IF(slice < 1 || nnz < 0 || stored < nnz, INVALID_VALUE);
    const SpMat what = {.format = CUSPARSE_FORMAT_SLICED_ELLPACK,
                        .rows = rows,
                        .cols = cols,
                        .nnz = stored,
                        .told_nnz = nnz,
                        .outer = offsets,
                        .inner = columns,
                        .values = values,
                        .outer_index = outer,
                        .inner_index = inner,
                        .base = base,
                        .type = type,
                        .batch = 1,
                        .block_rows = slice};
    return sp_create(mat, &what);
}
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t *mat, int64_t rows,
                                              int64_t cols, int64_t nnz, int64_t stored,
                                              int64_t slice, const void *offsets,
                                              const void *columns, const void *values,
                                              cusparseIndexType_t outer, cusparseIndexType_t inner,
                                              cusparseIndexBase_t base, cudaDataType type)
{
    return cusparseCreateSlicedEll(MUTABLE(mat), rows, cols, nnz, stored, slice, MUTABLE(offsets),
                                   MUTABLE(columns), MUTABLE(values), outer, inner, base, type);
}
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *mat, int64_t rows, int64_t cols,
                                          int64_t block, int64_t width, void *columns, void *values,
                                          cusparseIndexType_t index, cusparseIndexBase_t base,
                                          cudaDataType type)
{
    FAIL_IF(rows < 0 || cols < 0 || block < 1 || width < 0 || rows % block || cols % block ||
                width % block || width > cols,
            INVALID_VALUE);
    const SpMat what = {.format = CUSPARSE_FORMAT_BLOCKED_ELL,
                        .rows = rows,
                        .cols = cols,
                        .nnz = rows * width,
                        .inner = columns,
                        .values = values,
                        .outer_index = index,
                        .inner_index = index,
                        .base = base,
                        .type = type,
                        .batch = 1,
                        .block_rows = block,
                        .block_cols = block,
                        .width = width};
    return sp_create(mat, &what);
}
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t *mat, int64_t rows,
                                               int64_t cols, int64_t block, int64_t width,
                                               const void *columns, const void *values,
                                               cusparseIndexType_t index, cusparseIndexBase_t base,
                                               cudaDataType type)
{
    return cusparseCreateBlockedEll(MUTABLE(mat), rows, cols, block, width, MUTABLE(columns),
                                    MUTABLE(values), index, base, type);
}
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t mat, int64_t *rows, int64_t *cols,
                                       int64_t *block, int64_t *width, void **columns,
                                       void **values, cusparseIndexType_t *index,
                                       cusparseIndexBase_t *base, cudaDataType *type)
{
    FAIL_IF(!mat || mat->format != CUSPARSE_FORMAT_BLOCKED_ELL || !rows || !cols || !block ||
                !width || !columns || !values || !index || !base || !type,
            INVALID_VALUE);
    *rows = mat->rows, *cols = mat->cols, *block = mat->block_cols, *width = mat->width;
    *columns = mat->inner, *values = mat->values;
    *index = mat->inner_index, *base = mat->base, *type = mat->type;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t mat)
{
    free(MUTABLE(mat));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t mat, int64_t *rows, int64_t *cols,
                                int64_t *nnz, void **offsets, void **columns, void **values,
                                cusparseIndexType_t *outer, cusparseIndexType_t *inner,
                                cusparseIndexBase_t *base, cudaDataType *type)
{
    FAIL_IF(!mat || mat->format != CUSPARSE_FORMAT_CSR || !rows || !cols || !nnz || !offsets ||
                !columns || !values || !outer || !inner || !base || !type,
            INVALID_VALUE);
    *rows = mat->rows, *cols = mat->cols, *nnz = mat->nnz;
    *offsets = mat->outer, *columns = mat->inner, *values = mat->values;
    *outer = mat->outer_index, *inner = mat->inner_index, *base = mat->base, *type = mat->type;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t mat, cusparseFormat_t *format)
{
    FAIL_IF(!mat || !format, INVALID_VALUE);
    *format = mat->format;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t mat, cusparseIndexBase_t *base)
{
    FAIL_IF(!mat || !base, INVALID_VALUE);
    *base = mat->base;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t mat, int64_t *rows, int64_t *cols,
                                      int64_t *nnz)
{
    FAIL_IF(!mat || !rows || !cols || !nnz, INVALID_VALUE);
    *rows = mat->rows, *cols = mat->cols;
    *nnz = mat->format == CUSPARSE_FORMAT_SLICED_ELLPACK ? mat->told_nnz : mat->nnz;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t mat, int *count)
{
    FAIL_IF(!mat || !count, INVALID_VALUE);
    *count = mat->batch;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t mat, int count, int64_t stride)
{
    FAIL_IF(!mat || mat->format != CUSPARSE_FORMAT_COO || count < 1 || stride < 0, INVALID_VALUE);
    mat->batch = count;
    mat->value_stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t mat, int count, int64_t offsets,
                                            int64_t values)
{
    FAIL_IF(!mat || mat->format != CUSPARSE_FORMAT_CSR || count < 1 || offsets < 0 || values < 0,
            INVALID_VALUE);
    mat->batch = count;
    mat->outer_stride = offsets;
    mat->value_stride = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t mat,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes)
{
    FAIL_IF(!mat || !data || bytes != 4 || (unsigned)attribute > 1, INVALID_VALUE);
    int value;
    memcpy(&value, data, sizeof value);
    FAIL_IF((unsigned)value > 1, INVALID_VALUE);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        mat->fill = (cusparseFillMode_t)value;
    else
        mat->diag = (cusparseDiagType_t)value;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t mat,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes)
{
    FAIL_IF(!mat || !data || bytes != 4 || (unsigned)attribute > 1, INVALID_VALUE);
    int value = attribute == CUSPARSE_SPMAT_FILL_MODE ? (int)mat->fill : (int)mat->diag;
    memcpy(data, &value, sizeof value);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *mat, int64_t rows, int64_t cols,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order)
{
    FAIL_IF(!mat || rows < 0 || cols < 0 ||
                (order != CUSPARSE_ORDER_COL && order != CUSPARSE_ORDER_ROW) ||
                ld < (order == CUSPARSE_ORDER_COL ? rows : cols),
            INVALID_VALUE);
    TYPE_OK(type);
    *mat = xmalloc(sizeof **mat);
    **mat = (DnMat){rows, cols, ld, values, type, order, 1, 0};
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *mat, int64_t rows,
                                          int64_t cols, int64_t ld, const void *values,
                                          cudaDataType type, cusparseOrder_t order)
{
    return cusparseCreateDnMat(MUTABLE(mat), rows, cols, ld, MUTABLE(values), type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t mat)
{
    free(MUTABLE(mat));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t mat, int64_t *rows, int64_t *cols,
                                  int64_t *ld, void **values, cudaDataType *type,
                                  cusparseOrder_t *order)
{
    FAIL_IF(!mat || !rows || !cols || !ld || !values || !type || !order, INVALID_VALUE);
    *rows = mat->rows, *cols = mat->cols, *ld = mat->ld;
    *values = mat->values, *type = mat->type, *order = mat->order;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t mat, int count, int64_t stride)
{
    FAIL_IF(!mat || count < 1 || stride < 0, INVALID_VALUE);
    mat->batch = count;
    mat->stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t mat, int *count,
                                              int64_t *stride)
{
    FAIL_IF(!mat || !count || !stride, INVALID_VALUE);
    *count = mat->batch;
    *stride = mat->stride;
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- operations ---------------------------------------------------------------------------- */

cusparseStatus_t sp_size(cusparseHandle_t handle, const void *a, const void *b, size_t *bytes)
{
    KNOWN;
    FAIL_IF(!a || !b || !bytes, INVALID_VALUE);
    *bytes = 256;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y)
{
    KNOWN;
    FAIL_IF(!alpha || !x || !beta || !y || x->size != y->size, INVALID_VALUE);
    Job q = {.x = *x, .y = *y, .op_b = (cusparseOperation_t)VECTOR_AXPBY};
    sp_scalars(handle, &q, alpha, beta, scalar_type(y->type));
    return sp_submit(handle, "cusparseAxpby", &q, run_vector, false);
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x)
{
    KNOWN;
    FAIL_IF(!x || !y || x->size != y->size, INVALID_VALUE);
    Job q = {.x = *x, .y = *y, .op_b = (cusparseOperation_t)VECTOR_GATHER};
    return sp_submit(handle, "cusparseGather", &q, run_vector, false);
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y)
{
    KNOWN;
    FAIL_IF(!x || !y || x->size != y->size, INVALID_VALUE);
    Job q = {.x = *x, .y = *y, .op_b = (cusparseOperation_t)VECTOR_SCATTER};
    return sp_submit(handle, "cusparseScatter", &q, run_vector, false);
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    KNOWN;
    FAIL_IF(!c || !s || !x || !y || x->size != y->size, INVALID_VALUE);
    Job q = {.x = *x, .y = *y, .op_b = (cusparseOperation_t)VECTOR_ROTATE};
    sp_scalars(handle, &q, c, s, scalar_type(y->type));
    return sp_submit(handle, "cusparseRot", &q, run_vector, false);
}
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, UNUSED cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         UNUSED const void *result, UNUSED cudaDataType compute,
                                         size_t *bytes)
{
    return sp_size(handle, x, y, bytes);
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void *result, cudaDataType compute, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!x || !y || !result || x->size != y->size || !good_op(op), INVALID_VALUE);
    COMPUTE_OK(compute);
    bool host = handle->mode == CUSPARSE_POINTER_MODE_HOST;
    Job q = {.x = *x,
             .y = *y,
             .op_a = op,
             .op_b = (cusparseOperation_t)VECTOR_DOT,
             .type = compute,
             .result = result,
             .host_result = host};
    /* In a graph the result is there when the graph has run. */
    bool captured = rt_capture_status(rt_stream(handle->stream, false), NULL, NULL) != 0;
    return sp_submit(handle, "cusparseSpVV", &q, run_vector, host && !captured);
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, UNUSED cusparseOperation_t op,
                                         UNUSED const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, UNUSED const void *beta,
                                         UNUSED cusparseDnVecDescr_t y, UNUSED cudaDataType compute,
                                         UNUSED cusparseSpMVAlg_t alg, size_t *bytes)
{
    return sp_size(handle, a, x, bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, UNUSED cusparseOperation_t op,
                                         UNUSED const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, UNUSED const void *beta,
                                         UNUSED cusparseDnVecDescr_t y, UNUSED cudaDataType compute,
                                         UNUSED cusparseSpMVAlg_t alg, UNUSED void *buffer)
{
    size_t bytes;
    return sp_size(handle, a, x, &bytes);
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                              UNUSED cusparseSpMVAlg_t alg, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!alpha || !a || !x || !beta || !y || !good_op(op), INVALID_VALUE);
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    FAIL_IF(x->size != (plain ? a->cols : a->rows) || y->size != (plain ? a->rows : a->cols),
            INVALID_VALUE);
    COMPUTE_OK(compute);
    Job q = {.op_a = op, .a = *a, .y = *x, .z = *y};
    sp_scalars(handle, &q, alpha, beta, compute);
    return sp_submit(handle, "cusparseSpMV", &q, sp_run_spmv, false);
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, UNUSED cusparseOperation_t op_a,
                                         UNUSED cusparseOperation_t op_b, UNUSED const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         UNUSED const void *beta, UNUSED cusparseDnMatDescr_t c,
                                         UNUSED cudaDataType compute, UNUSED cusparseSpMMAlg_t alg,
                                         size_t *bytes)
{
    return sp_size(handle, a, b, bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, UNUSED cusparseOperation_t op_a,
                                         UNUSED cusparseOperation_t op_b, UNUSED const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         UNUSED const void *beta, UNUSED cusparseDnMatDescr_t c,
                                         UNUSED cudaDataType compute, UNUSED cusparseSpMMAlg_t alg,
                                         UNUSED void *buffer)
{
    size_t bytes;
    return sp_size(handle, a, b, &bytes);
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                              cusparseOperation_t op_b, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              UNUSED cusparseSpMMAlg_t alg, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!alpha || !a || !b || !beta || !c || !good_op(op_a) || !good_op(op_b), INVALID_VALUE);
    int64_t m = op_a ? a->cols : a->rows, k = op_a ? a->rows : a->cols;
    FAIL_IF(m != c->rows || k != (op_b ? b->cols : b->rows) ||
                c->cols != (op_b ? b->rows : b->cols),
            INVALID_VALUE);
    COMPUTE_OK(compute);
    Job q = {.op_a = op_a, .op_b = op_b, .a = *a, .b = *b, .d = *c};
    sp_scalars(handle, &q, alpha, beta, compute);
    return sp_submit(handle, "cusparseSpMM", &q, run_spmm, false);
}

/* Solutions keep nothing between the steps. */
struct cusparseSpSVDescr {
    int unused;
};
struct cusparseSpSMDescr {
    int unused;
};
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr)
{
    FAIL_IF(!descr, INVALID_VALUE);
    *descr = xcalloc(1, sizeof **descr);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr)
{
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, UNUSED cusparseOperation_t op,
                                         UNUSED const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, UNUSED cusparseDnVecDescr_t y,
                                         UNUSED cudaDataType compute, UNUSED cusparseSpSVAlg_t alg,
                                         UNUSED cusparseSpSVDescr_t descr, size_t *bytes)
{
    return sp_size(handle, a, x, bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, UNUSED cusparseOperation_t op,
                                       UNUSED const void *alpha, cusparseConstSpMatDescr_t a,
                                       UNUSED cusparseConstDnVecDescr_t x,
                                       UNUSED cusparseDnVecDescr_t y, UNUSED cudaDataType compute,
                                       UNUSED cusparseSpSVAlg_t alg, cusparseSpSVDescr_t descr,
                                       UNUSED void *buffer)
{
    size_t bytes;
    return sp_size(handle, a, descr, &bytes);
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void *alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute, UNUSED cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t descr)
{
    KNOWN;
    FAIL_IF(!alpha || !a || !x || !y || !descr || !good_op(op) || a->rows != a->cols ||
                x->size != a->rows || y->size != a->rows,
            INVALID_VALUE);
    COMPUTE_OK(compute);
    Job q = {.op_a = op, .a = *a, .y = *x, .z = *y};
    sp_scalars(handle, &q, alpha, NULL, compute);
    return sp_submit(handle, "cusparseSpSV_solve", &q, run_spsv, false);
}
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr)
{
    return cusparseSpSV_createDescr((cusparseSpSVDescr_t *)(void *)descr);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr)
{
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, UNUSED cusparseOperation_t op_a,
                                         UNUSED cusparseOperation_t op_b, UNUSED const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         UNUSED cusparseDnMatDescr_t c, UNUSED cudaDataType compute,
                                         UNUSED cusparseSpSMAlg_t alg,
                                         UNUSED cusparseSpSMDescr_t descr, size_t *bytes)
{
    return sp_size(handle, a, b, bytes);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, UNUSED cusparseOperation_t op_a,
                                       UNUSED cusparseOperation_t op_b, UNUSED const void *alpha,
                                       cusparseConstSpMatDescr_t a,
                                       UNUSED cusparseConstDnMatDescr_t b,
                                       UNUSED cusparseDnMatDescr_t c, UNUSED cudaDataType compute,
                                       UNUSED cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                       UNUSED void *buffer)
{
    size_t bytes;
    return sp_size(handle, a, descr, &bytes);
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, const void *alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType compute,
                                    UNUSED cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr)
{
    KNOWN;
    FAIL_IF(!alpha || !a || !b || !c || !descr || !good_op(op_a) || !good_op(op_b) ||
                a->rows != a->cols || c->rows != a->rows || (op_b ? b->cols : b->rows) != a->rows ||
                (op_b ? b->rows : b->cols) != c->cols,
            INVALID_VALUE);
    COMPUTE_OK(compute);
    Job q = {.op_a = op_a, .op_b = op_b, .a = *a, .b = *b, .d = *c};
    sp_scalars(handle, &q, alpha, NULL, compute);
    return sp_submit(handle, "cusparseSpSM_solve", &q, run_spsm, false);
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr)
{
    FAIL_IF(!descr, INVALID_VALUE);
    *descr = xcalloc(1, sizeof **descr);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr)
{
    FAIL_IF(!descr, INVALID_VALUE);
    csr_free(&descr->product);
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t spgemm_check(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void *alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *beta, cusparseConstSpMatDescr_t c,
                                     cudaDataType compute, cusparseSpGEMMAlg_t alg,
                                     const void *descr)
{
    KNOWN;
    FAIL_IF(!alpha || !a || !b || !beta || !c || !descr || a->cols != b->rows ||
                c->rows != a->rows || c->cols != b->cols,
            INVALID_VALUE);
    FAIL_IF(op_a || op_b || c->format != CUSPARSE_FORMAT_CSR ||
                (unsigned)alg > CUSPARSE_SPGEMM_ALG3 || !computes(compute) ||
                handle->mode == CUSPARSE_POINTER_MODE_DEVICE || sp_get(compute, beta, 0) != 0,
            NOT_SUPPORTED);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void *alpha,
                                               cusparseConstSpMatDescr_t a,
                                               cusparseConstSpMatDescr_t b, const void *beta,
                                               cusparseSpMatDescr_t c, cudaDataType compute,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                               size_t *bytes, void *buffer)
{
    (void)buffer;
    FAIL_IF(!bytes, INVALID_VALUE);
    *bytes = 256;
    return spgemm_check(handle, op_a, op_b, alpha, a, b, beta, c, compute, alg, descr);
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void *alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c,
                                        cudaDataType compute, cusparseSpGEMMAlg_t alg,
                                        cusparseSpGEMMDescr_t descr, size_t *bytes, void *buffer)
{
    FAIL_IF(!bytes, INVALID_VALUE);
    *bytes = 256;
    cusparseStatus_t status =
        spgemm_check(handle, op_a, op_b, alpha, a, b, beta, c, compute, alg, descr);
    if (status != CUSPARSE_STATUS_SUCCESS || !buffer)
        return status;
    int64_t found = 0;
    Job q = {.a = *a, .c = *b, .count = &found, .product = descr};
    sp_scalars(handle, &q, alpha, beta, compute);
    status = sp_submit(handle, "cusparseSpGEMM_compute", &q, run_spgemm, true);
    c->nnz = found;
    return status;
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void *alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                     cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr)
{
    cusparseStatus_t status =
        spgemm_check(handle, op_a, op_b, alpha, a, b, beta, c, compute, alg, descr);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    FAIL_IF(!descr->product.start, INVALID_VALUE);
    Job q = {.c = *c, .product = descr};
    return sp_submit(handle, "cusparseSpGEMM_copy", &q, run_store, true);
}

/* The product's size is known once it was computed; estimates are the same small size. */
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *products)
{
    FAIL_IF(!descr || !products, INVALID_VALUE);
    *products = descr->products;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void *alpha,
                                               cusparseConstSpMatDescr_t a,
                                               cusparseConstSpMatDescr_t b, const void *beta,
                                               cusparseSpMatDescr_t c, cudaDataType compute,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                               float fraction, size_t *bytes3, UNUSED void *buffer3,
                                               size_t *bytes2)
{
    FAIL_IF(!bytes3 || !(fraction > 0 && fraction <= 1), INVALID_VALUE);
    *bytes3 = 256;
    if (bytes2)
        *bytes2 = 256;
    return spgemm_check(handle, op_a, op_b, alpha, a, b, beta, c, compute, alg, descr);
}

/* The same product several times: its pattern first, then its numbers, beta times the old ones included. */
static cusparseStatus_t reuse_check(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                    cusparseConstSpMatDescr_t b, cusparseConstSpMatDescr_t c,
                                    const void *descr)
{
    KNOWN;
    FAIL_IF(!a || !b || !c || !descr || a->cols != b->rows || c->rows != a->rows ||
                c->cols != b->cols,
            INVALID_VALUE);
    FAIL_IF(op_a || op_b || c->format != CUSPARSE_FORMAT_CSR, NOT_SUPPORTED);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
    UNUSED cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr, size_t *bytes, UNUSED void *buffer)
{
    FAIL_IF(!bytes, INVALID_VALUE);
    *bytes = 256;
    return reuse_check(handle, op_a, op_b, a, b, c, descr);
}
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                         cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                         UNUSED cusparseSpGEMMAlg_t alg,
                                         cusparseSpGEMMDescr_t descr, size_t *bytes2, void *buffer2,
                                         size_t *bytes3, void *buffer3, size_t *bytes4,
                                         void *buffer4)
{
    FAIL_IF(!bytes2 || !bytes3 || !bytes4, INVALID_VALUE);
    *bytes2 = *bytes3 = *bytes4 = 256;
    cusparseStatus_t status = reuse_check(handle, op_a, op_b, a, b, c, descr);
    if (status != CUSPARSE_STATUS_SUCCESS || !buffer2 || !buffer3 || !buffer4)
        return status;
    int64_t found = 0;
    const double one = 1;
    Job q = {.a = *a, .c = *b, .count = &found, .product = descr, .type = CUDA_R_64F};
    memcpy(q.alpha, &one, sizeof one);
    status = sp_submit(handle, "cusparseSpGEMMreuse_nnz", &q, run_spgemm, true);
    c->nnz = found;
    return status;
}
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                          cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                          UNUSED cusparseSpGEMMAlg_t alg,
                                          cusparseSpGEMMDescr_t descr, size_t *bytes,
                                          UNUSED void *buffer)
{
    FAIL_IF(!bytes, INVALID_VALUE);
    *bytes = 256;
    cusparseStatus_t status = reuse_check(handle, op_a, op_b, a, b, c, descr);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    FAIL_IF(!descr->product.start, INVALID_VALUE);
    Job q = {.c = *c, .product = descr};
    q.c.values = NULL;
    return sp_submit(handle, "cusparseSpGEMMreuse_copy", &q, run_store, true);
}

/* Multiplies into a matrix of its own, and adds beta times what C holds. */
static void run_reuse(Job *q)
{
    SpMat out = q->out;
    Csr *m = &q->product->product;
    int64_t found = 0;
    q->count = &found;
    run_spgemm(q);
    void *values = sp_values(q, "values of C", out.values, out.type, out.nnz);
    if (q->head.failed || !values || found != out.nnz) {
        if (!q->head.failed && found != out.nnz)
            sp_bad_index(q, found);
        return;
    }
    Number beta = sp_beta(q);
    for (int64_t k = 0; k < found; k++)
        sp_put(out.type, values, k,
               m->value[k] + (beta != 0 ? beta * sp_get(out.type, values, k) : 0));
}
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                             cusparseOperation_t op_b, const void *alpha,
                                             cusparseConstSpMatDescr_t a,
                                             cusparseConstSpMatDescr_t b, const void *beta,
                                             cusparseSpMatDescr_t c, cudaDataType compute,
                                             UNUSED cusparseSpGEMMAlg_t alg,
                                             cusparseSpGEMMDescr_t descr)
{
    cusparseStatus_t status = reuse_check(handle, op_a, op_b, a, b, c, descr);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    FAIL_IF(!alpha || !beta || !descr->product.start, INVALID_VALUE);
    COMPUTE_OK(compute);
    Job q = {.a = *a, .c = *b, .product = descr, .out = *c};
    sp_scalars(handle, &q, alpha, beta, compute);
    return sp_submit(handle, "cusparseSpGEMMreuse_compute", &q, run_reuse, false);
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, UNUSED cusparseOperation_t op_a,
                                          UNUSED cusparseOperation_t op_b, UNUSED const void *alpha,
                                          cusparseConstDnMatDescr_t a,
                                          UNUSED cusparseConstDnMatDescr_t b,
                                          UNUSED const void *beta, cusparseSpMatDescr_t c,
                                          UNUSED cudaDataType compute,
                                          UNUSED cusparseSDDMMAlg_t alg, size_t *bytes)
{
    return sp_size(handle, a, c, bytes);
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, UNUSED cusparseOperation_t op_a,
                                          UNUSED cusparseOperation_t op_b, UNUSED const void *alpha,
                                          cusparseConstDnMatDescr_t a,
                                          UNUSED cusparseConstDnMatDescr_t b,
                                          UNUSED const void *beta, cusparseSpMatDescr_t c,
                                          UNUSED cudaDataType compute,
                                          UNUSED cusparseSDDMMAlg_t alg, UNUSED void *buffer)
{
    size_t bytes;
    return sp_size(handle, a, c, &bytes);
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                               cusparseOperation_t op_b, const void *alpha,
                               cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                               UNUSED cusparseSDDMMAlg_t alg, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!alpha || !a || !b || !beta || !c || !good_op(op_a) || !good_op(op_b), INVALID_VALUE);
    FAIL_IF((op_a ? a->cols : a->rows) != c->rows || (op_b ? b->rows : b->cols) != c->cols ||
                (op_a ? a->rows : a->cols) != (op_b ? b->cols : b->rows),
            INVALID_VALUE);
    FAIL_IF(!computes(compute) ||
                (c->format != CUSPARSE_FORMAT_CSR && c->format != CUSPARSE_FORMAT_BSR),
            NOT_SUPPORTED);
    Job q = {.op_a = op_a, .op_b = op_b, .b = *a, .d = *b, .c = *c};
    sp_scalars(handle, &q, alpha, beta, compute);
    return sp_submit(handle, "cusparseSDDMM", &q, run_sddmm, false);
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  UNUSED cusparseSparseToDenseAlg_t alg,
                                                  size_t *bytes)
{
    return sp_size(handle, a, b, bytes);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b,
                                       UNUSED cusparseSparseToDenseAlg_t alg, UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!a || !b || a->rows != b->rows || a->cols != b->cols, INVALID_VALUE);
    Job q = {.a = *a, .d = *b};
    return sp_submit(handle, "cusparseSparseToDense", &q, run_to_dense, false);
}
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  UNUSED cusparseDenseToSparseAlg_t alg,
                                                  size_t *bytes)
{
    return sp_size(handle, a, b, bytes);
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                UNUSED cusparseDenseToSparseAlg_t alg,
                                                UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!a || !b || a->rows != b->rows || a->cols != b->cols, INVALID_VALUE);
    if (b->format == CUSPARSE_FORMAT_BLOCKED_ELL)
        return CUSPARSE_STATUS_SUCCESS;
    FAIL_IF(b->block_rows, NOT_SUPPORTED);
    int64_t found = 0;
    Job q = {.b = *a, .c = *b, .count = &found};
    cusparseStatus_t status =
        sp_submit(handle, "cusparseDenseToSparse_analysis", &q, run_to_sparse, true);
    b->nnz = found;
    return status;
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               UNUSED cusparseDenseToSparseAlg_t alg,
                                               UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(!a || !b || a->rows != b->rows || a->cols != b->cols, INVALID_VALUE);
    FAIL_IF(b->block_rows && b->format != CUSPARSE_FORMAT_BLOCKED_ELL, NOT_SUPPORTED);
    Job q = {.b = *a, .c = *b};
    return sp_submit(handle, "cusparseDenseToSparse_convert", &q,
                     b->format == CUSPARSE_FORMAT_BLOCKED_ELL ? run_to_blocked_ell : run_to_sparse,
                     false);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               UNUSED const void *values, UNUSED const int *offsets,
                                               UNUSED const int *columns, UNUSED void *out_values,
                                               UNUSED int *out_offsets, UNUSED int *out_rows,
                                               cudaDataType type, UNUSED cusparseAction_t action,
                                               UNUSED cusparseIndexBase_t base,
                                               UNUSED cusparseCsr2CscAlg_t alg, size_t *bytes)
{
    FAIL_IF(m < 0 || n < 0 || nnz < 0, INVALID_VALUE);
    TYPE_OK(type);
    return sp_size(handle, handle, handle, bytes);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *values, const int *offsets, const int *columns,
                                    void *out_values, int *out_offsets, int *out_rows,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, UNUSED cusparseCsr2CscAlg_t alg,
                                    UNUSED void *buffer)
{
    KNOWN;
    FAIL_IF(m < 0 || n < 0 || nnz < 0 || (unsigned)action > 1 || (unsigned)base > 1, INVALID_VALUE);
    TYPE_OK(type);
    const SpMat a = {.format = CUSPARSE_FORMAT_CSR,
                     .rows = m,
                     .cols = n,
                     .nnz = nnz,
                     .outer = MUTABLE(offsets),
                     .inner = MUTABLE(columns),
                     .values = MUTABLE(values),
                     .outer_index = CUSPARSE_INDEX_32I,
                     .inner_index = CUSPARSE_INDEX_32I,
                     .base = base,
                     .type = type,
                     .batch = 1};
    SpMat c = a;
    c.format = CUSPARSE_FORMAT_CSC;
    c.outer = out_offsets;
    c.inner = out_rows;
    c.values = out_values;
    Job q = {.a = a, .c = c, .has_beta = action == CUSPARSE_ACTION_NUMERIC};
    return sp_submit(handle, "cusparseCsr2cscEx2", &q, run_csr_to_csc, false);
}
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base)
{
    KNOWN;
    FAIL_IF(nnz < 0 || m < 0 || (unsigned)base > 1, INVALID_VALUE);
    Job q = {.a = {.rows = m, .nnz = nnz, .outer = MUTABLE(rows), .base = base},
             .c = {.outer = offsets}};
    return sp_submit(handle, "cusparseXcoo2csr", &q, run_coo_to_csr, false);
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base)
{
    KNOWN;
    FAIL_IF(nnz < 0 || m < 0 || (unsigned)base > 1, INVALID_VALUE);
    Job q = {.a = {.rows = m, .nnz = nnz, .outer = MUTABLE(offsets), .base = base},
             .c = {.outer = rows}};
    return sp_submit(handle, "cusparseXcsr2coo", &q, run_csr_to_coo, false);
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p)
{
    KNOWN;
    FAIL_IF(n < 0 || (n && !p), INVALID_VALUE);
    Job q = {.a = {.nnz = n}, .result = p};
    return sp_submit(handle, "cusparseCreateIdentityPermutation", &q, run_identity, false);
}

static cusparseStatus_t sort_lines(const char *name, cusparseHandle_t handle, int lines, int across,
                                   int nnz, const cusparseMatDescr_t descr, const int *offsets,
                                   int *inner, int *p)
{
    KNOWN;
    FAIL_IF(lines < 0 || across < 0 || nnz < 0 || !descr || !offsets || (nnz && !inner),
            INVALID_VALUE);
    FAIL_IF(descr->type != CUSPARSE_MATRIX_TYPE_GENERAL, MATRIX_TYPE_NOT_SUPPORTED);
    Job q = {.a = {.rows = lines,
                   .nnz = nnz,
                   .outer = MUTABLE(offsets),
                   .inner = inner,
                   .base = (cusparseIndexBase_t)descr->base},
             .result = p};
    return sp_submit(handle, name, &q, run_sort, false);
}
#define SORT(name, lines, across)                                                                  \
    cusparseStatus_t name##_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,          \
                                          const int *offsets, UNUSED const int *inner,             \
                                          size_t *bytes)                                           \
    {                                                                                              \
        FAIL_IF(m < 0 || n < 0 || nnz < 0, INVALID_VALUE);                                         \
        return sp_size(handle, offsets, offsets, bytes);                                           \
    }                                                                                              \
    cusparseStatus_t name(cusparseHandle_t handle, int m, int n, int nnz,                          \
                          const cusparseMatDescr_t descr, const int *offsets, int *inner, int *p,  \
                          UNUSED void *buffer)                                                     \
    {                                                                                              \
        return sort_lines(#name, handle, lines, across, nnz, descr, offsets, inner, p);            \
    }
SORT(cusparseXcsrsort, m, n)
SORT(cusparseXcscsort, n, m)

static cusparseStatus_t dense_nnz(const char *name, cusparseHandle_t handle,
                                  cusparseDirection_t direction, int m, int n,
                                  const cusparseMatDescr_t descr, const void *values, int lda,
                                  int *each, int *total, cudaDataType type)
{
    KNOWN;
    FAIL_IF((unsigned)direction > 1 || m < 0 || n < 0 || !descr || lda < larger(1, m) || !total,
            INVALID_VALUE);
    FAIL_IF(descr->type != CUSPARSE_MATRIX_TYPE_GENERAL, MATRIX_TYPE_NOT_SUPPORTED);
    bool host = handle->mode == CUSPARSE_POINTER_MODE_HOST;
    Job q = {.b = {.rows = m,
                   .cols = n,
                   .ld = lda,
                   .values = MUTABLE(values),
                   .type = type,
                   .order = CUSPARSE_ORDER_COL,
                   .batch = 1},
             .op_b = (cusparseOperation_t)direction,
             .result = each,
             .total = total,
             .host_result = host};
    return sp_submit(handle, name, &q, run_nnz, host);
}
#define NNZ(letter, Type, type)                                                                    \
    cusparseStatus_t cusparse##letter##nnz(cusparseHandle_t handle, cusparseDirection_t direction, \
                                           int m, int n, const cusparseMatDescr_t descr,           \
                                           const Type *values, int lda, int *each, int *total)     \
    {                                                                                              \
        return dense_nnz("cusparse" #letter "nnz", handle, direction, m, n, descr, values, lda,    \
                         each, total, type);                                                       \
    }
NNZ(S, float, CUDA_R_32F)
NNZ(D, double, CUDA_R_64F)
NNZ(C, cuComplex, CUDA_C_32F)
NNZ(Z, cuDoubleComplex, CUDA_C_64F)

/* --- incomplete LU, of the interface before the generic one -------------------------------- */

/* position: of the first pivot that is missing or zero, -1 when there is none. */
struct csrilu02Info {
    int position;
};

/* Row by row: each entry left of the diagonal is divided by the pivot of its column and subtracts
 * its multiple of that row where this one has entries. Columns of a row ascend, as documented. */
static void run_ilu(Job *q)
{
    const SpMat *m = &q->a;
    Parts p;
    q->ilu->position = -1;
    Entry *list; /* checks the indices */
    int64_t count = sp_entries(q, m, 0, &list);
    free(list);
    if (count < 0 || !parts(q, m, 0, &p))
        return;
    const int *start = p.outer, *column = p.inner, base = (int)m->base;
    void *values = (void *)(uintptr_t)p.values;
    int64_t *place = xmalloc(((size_t)m->cols + 1) * sizeof *place),
            *pivot = xmalloc(((size_t)m->rows + 1) * sizeof *pivot);
    for (int64_t j = 0; j < m->cols; j++)
        place[j] = -1;
    for (int64_t i = 0; i < m->rows; i++) {
        int64_t first = start[i] - base, last = start[i + 1] - base;
        pivot[i] = -1;
        for (int64_t k = first; k < last; k++)
            place[column[k] - base] = k;
        for (int64_t k = first; k < last && column[k] - base < i; k++) {
            int64_t row = column[k] - base;
            Number by = pivot[row] < 0 ? 0 : sp_get(m->type, values, pivot[row]);
            if (by == 0)
                continue; /* told already, when that row was done */
            Number factor = sp_get(m->type, values, k) / by;
            sp_put(m->type, values, k, factor);
            for (int64_t l = pivot[row] + 1; l < start[row + 1] - base; l++) {
                int64_t at = place[column[l] - base];
                if (at >= 0)
                    sp_put(m->type, values, at,
                           sp_get(m->type, values, at) - factor * sp_get(m->type, values, l));
            }
        }
        pivot[i] = place[i];
        if ((pivot[i] < 0 || sp_get(m->type, values, pivot[i]) == 0) && q->ilu->position < 0)
            q->ilu->position = (int)i + base;
        for (int64_t k = first; k < last; k++)
            place[column[k] - base] = -1;
    }
    free(place);
    free(pivot);
}

cusparseStatus_t sp_zero_pivot(cusparseHandle_t handle, const int *found, int *position)
{
    FAIL_IF(!position, INVALID_VALUE);
    cusparseStatus_t status = sp_wait(handle);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    int *to = handle->mode == CUSPARSE_POINTER_MODE_DEVICE ? rt_reach(position, sizeof *position)
                                                           : position;
    FAIL_IF(!to, INVALID_VALUE);
    *to = *found;
    return *found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    FAIL_IF(!info, INVALID_VALUE);
    *info = xcalloc(1, sizeof **info);
    (*info)->position = -1;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}
/* Waits for the factorisation, as documented. */
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position)
{
    KNOWN;
    FAIL_IF(!info, INVALID_VALUE);
    return sp_zero_pivot(handle, &info->position, position);
}

static cusparseStatus_t ilu(const char *name, cusparseHandle_t handle, int m, int nnz,
                            const cusparseMatDescr_t descr, const void *values, const int *offsets,
                            const int *columns, csrilu02Info_t info, cudaDataType type, bool run)
{
    KNOWN;
    FAIL_IF(m < 0 || nnz < 0 || !descr || !info, INVALID_VALUE);
    FAIL_IF(descr->type != CUSPARSE_MATRIX_TYPE_GENERAL, MATRIX_TYPE_NOT_SUPPORTED);
    Job q = {.a = {.format = CUSPARSE_FORMAT_CSR,
                   .rows = m,
                   .cols = m,
                   .nnz = nnz,
                   .outer = MUTABLE(offsets),
                   .inner = MUTABLE(columns),
                   .values = MUTABLE(values),
                   .outer_index = CUSPARSE_INDEX_32I,
                   .inner_index = CUSPARSE_INDEX_32I,
                   .base = (cusparseIndexBase_t)descr->base,
                   .type = type,
                   .batch = 1},
             .ilu = info};
    return run ? sp_submit(handle, name, &q, run_ilu, false) : CUSPARSE_STATUS_SUCCESS;
}
#define ILU(letter, Type, type)                                                                    \
    cusparseStatus_t cusparse##letter##csrilu02_bufferSize(                                        \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, Type *values,     \
        const int *offsets, const int *columns, csrilu02Info_t info, int *bytes)                   \
    {                                                                                              \
        FAIL_IF(!bytes, INVALID_VALUE);                                                            \
        *bytes = 256;                                                                              \
        return ilu("", handle, m, nnz, descr, values, offsets, columns, info, type, false);        \
    }                                                                                              \
    cusparseStatus_t cusparse##letter##csrilu02_analysis(                                          \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr,                   \
        const Type *values, const int *offsets, const int *columns, csrilu02Info_t info,           \
        UNUSED cusparseSolvePolicy_t policy, UNUSED void *buffer)                                  \
    {                                                                                              \
        return ilu("", handle, m, nnz, descr, values, offsets, columns, info, type, false);        \
    }                                                                                              \
    cusparseStatus_t cusparse##letter##csrilu02(                                                   \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, Type *values,     \
        const int *offsets, const int *columns, csrilu02Info_t info,                               \
        UNUSED cusparseSolvePolicy_t policy, UNUSED void *buffer)                                  \
    {                                                                                              \
        return ilu("cusparse" #letter "csrilu02", handle, m, nnz, descr, values, offsets, columns, \
                   info, type, true);                                                              \
    }
ILU(S, float, CUDA_R_32F)
ILU(D, double, CUDA_R_64F)
ILU(C, cuComplex, CUDA_C_32F)
ILU(Z, cuDoubleComplex, CUDA_C_64F)
