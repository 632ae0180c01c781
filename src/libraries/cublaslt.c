/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublasLt: matrix products whose operands, types and epilogue are described by data. There is
 * one algorithm: widened to float where elements are narrower, one OpenBLAS product, then scales,
 * C, bias and activation in float and one rounding. Column and row order; tiled orders are not
 * supported. */
#include "libraries/cublas.h"

#include "base/arena.h"

#include <cublasLt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cublasLtContext {
    int unused;
};

/* What lies in the opaque structures of the program. */
typedef struct {
    uint32_t type, order;
    uint64_t rows, cols;
    int64_t ld, batch_stride, plane_offset;
    int32_t batch_count;
} Layout;
typedef struct {
    int32_t compute, scale, pointer_mode, transa, transb, transc, fill;
    uint32_t epilogue;
    const void *bias, *a_scale, *b_scale, *c_scale, *d_scale, *aux_scale;
    void *aux, *amax_d, *aux_amax;
    int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
    int32_t sm_count, aux_type, bias_type, scale_mode[5];
    int8_t fast_accumulation;
} Desc;
typedef struct {
    uint32_t search, reduction_mask, alignment[4];
    uint64_t workspace, implementations;
    float waves;
} Preference;
_Static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "fits the program's");
_Static_assert(sizeof(Desc) <= sizeof(cublasLtMatmulDescOpaque_t), "fits the program's");
_Static_assert(sizeof(Preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t), "fits");

/* --- attributes ---------------------------------------------------------------------------- */

typedef struct {
    int attribute;
    size_t offset, bytes;
} Field;
#define FIELD(attribute, type, member)                                                             \
    {                                                                                              \
        attribute, offsetof(type, member), sizeof(((type *)0)->member)                             \
    }
static const Field layout_fields[] = {
    FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, Layout, cols),
    FIELD(CUBLASLT_MATRIX_LAYOUT_LD, Layout, ld),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, batch_count),
    FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout, batch_stride),
    FIELD(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, Layout, plane_offset),
};
static const Field desc_fields[] = {
    FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Desc, compute),
    FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, Desc, scale),
    FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, Desc, pointer_mode),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSA, Desc, transa),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSB, Desc, transb),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSC, Desc, transc),
    FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, Desc, fill),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, Desc, epilogue),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Desc, bias),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Desc, bias_stride),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Desc, aux),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Desc, aux_ld),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Desc, aux_stride),
    FIELD(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, Desc, alpha_stride),
    FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Desc, sm_count),
    FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, Desc, a_scale),
    FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, Desc, b_scale),
    FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, Desc, c_scale),
    FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, Desc, d_scale),
    FIELD(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, Desc, amax_d),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, Desc, aux_type),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, Desc, aux_scale),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, Desc, aux_amax),
    FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, Desc, fast_accumulation),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Desc, bias_type),
    FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, Desc, scale_mode[0]),
    FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, Desc, scale_mode[1]),
    FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_MODE, Desc, scale_mode[2]),
    FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_MODE, Desc, scale_mode[3]),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, Desc, scale_mode[4]),
};
static const Field preference_fields[] = {
    FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, search),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference, workspace),
    FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, Preference, reduction_mask),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, Preference, alignment[0]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, Preference, alignment[1]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, Preference, alignment[2]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, Preference, alignment[3]),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, Preference, waves),
    FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, Preference, implementations),
};

static const Field *find_field(const Field *fields, size_t count, int attribute)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].attribute == attribute)
            return &fields[i];
    return NULL;
}

static cublasStatus_t attribute_set(const Field *fields, size_t count, void *object, int attribute,
                                    const void *value, size_t bytes)
{
    const Field *field = find_field(fields, count, attribute);
    INVALID_IF(!object || !value || !field || bytes != field->bytes);
    memcpy((char *)object + field->offset, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t attribute_get(const Field *fields, size_t count, const void *object,
                                    int attribute, void *value, size_t bytes, size_t *written)
{
    const Field *field = find_field(fields, count, attribute);
    INVALID_IF(!object || !field || (bytes && bytes != field->bytes) || (bytes && !value) ||
               (!bytes && !written));
    if (written)
        *written = field->bytes;
    if (bytes)
        memcpy(value, (const char *)object + field->offset, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* Set and get of one kind of object. */
#define ATTRIBUTES(Kind, kind)                                                                     \
    cublasStatus_t cublasLt##Kind##SetAttribute(                                                   \
        cublasLt##Kind##_t object, Attribute_##kind attribute, const void *value, size_t bytes)    \
    {                                                                                              \
        return attribute_set(kind##_fields, sizeof kind##_fields / sizeof *kind##_fields, object,  \
                             (int)attribute, value, bytes);                                        \
    }                                                                                              \
    cublasStatus_t cublasLt##Kind##GetAttribute(cublasLt##Kind##_t object,                         \
                                                Attribute_##kind attribute, void *value,           \
                                                size_t bytes, size_t *written)                     \
    {                                                                                              \
        return attribute_get(kind##_fields, sizeof kind##_fields / sizeof *kind##_fields, object,  \
                             (int)attribute, value, bytes, written);                               \
    }                                                                                              \
    cublasStatus_t cublasLt##Kind##Destroy(cublasLt##Kind##_t object)                              \
    {                                                                                              \
        free(object);                                                                              \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
typedef cublasLtMatrixLayoutAttribute_t Attribute_layout;
typedef cublasLtMatmulDescAttributes_t Attribute_desc;
typedef cublasLtMatmulPreferenceAttributes_t Attribute_preference;
ATTRIBUTES(MatrixLayout, layout)
ATTRIBUTES(MatmulDesc, desc)
ATTRIBUTES(MatmulPreference, preference)

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t object, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld)
{
    INVALID_IF(!object || size < sizeof *object);
    memset(object, 0, size);
    const Layout layout = {
        .type = (uint32_t)type, .rows = rows, .cols = cols, .ld = ld, .batch_count = 1};
    memcpy(object, &layout, sizeof layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *object, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld)
{
    INVALID_IF(!object);
    *object = xcalloc(1, sizeof **object);
    return cublasLtMatrixLayoutInit_internal(*object, sizeof **object, type, rows, cols, ld);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t object, size_t size,
                                               cublasComputeType_t compute, cudaDataType_t scale)
{
    INVALID_IF(!object || size < sizeof *object);
    memset(object, 0, size);
    const Desc desc = {.compute = (int32_t)compute,
                       .scale = (int32_t)scale,
                       .fill = CUBLAS_FILL_MODE_FULL,
                       .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                       .aux_type = -1,
                       .bias_type = -1};
    memcpy(object, &desc, sizeof desc);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *object, cublasComputeType_t compute,
                                        cudaDataType_t scale)
{
    INVALID_IF(!object);
    *object = xcalloc(1, sizeof **object);
    return cublasLtMatmulDescInit_internal(*object, sizeof **object, compute, scale);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t object, size_t size)
{
    INVALID_IF(!object || size < sizeof *object);
    memset(object, 0, size);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *object)
{
    INVALID_IF(!object);
    *object = xcalloc(1, sizeof **object);
    return CUBLAS_STATUS_SUCCESS;
}

/* --- the work ------------------------------------------------------------------------------ */

typedef struct {
    LibCall head;
    Desc desc;
    Layout a, b, c, d;
    MixedGemm gemm;
    const void *at_a, *at_b, *at_c;
    void *at_d;
    Scalar alpha, beta;
} Matmul;

/* Number of elements from the first to behind the last. */
static size_t layout_span(const Layout *l)
{
    uint64_t lines = l->order == CUBLASLT_ORDER_ROW ? l->rows : l->cols;
    uint64_t along = l->order == CUBLASLT_ORDER_ROW ? l->cols : l->rows;
    return lines && along ? (size_t)((lines - 1) * (uint64_t)l->ld + along) : 0;
}

static void *operand(Matmul *w, const char *name, const void *base, const Layout *l, int batch)
{
    size_t bytes = mixed_bytes((int)l->type);
    return lib_reach(&w->head, name, (const char *)base + batch * l->batch_stride * (int64_t)bytes,
                     lib_bytes((int64_t)layout_span(l), bytes));
}

static int64_t place(const Layout *l, int i, int j)
{
    return l->order == CUBLASLT_ORDER_ROW ? (int64_t)i * l->ld + j : (int64_t)j * l->ld + i;
}

static float load(int type, const void *base, int64_t i)
{
    float value;
    mixed_widen(type, (const char *)base + i * (int64_t)mixed_bytes(type), &value, 1);
    return value;
}

/* Scales are single floats in device memory; none means 1. */
static float device_scale(Matmul *w, const char *name, const void *at)
{
    const float *scale = at ? lib_reach(&w->head, name, at, sizeof *scale) : NULL;
    return scale ? *scale : 1;
}

/* The approximation by tanh, as cuBLASLt's. */
static float gelu(float x)
{
    return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}
static float gelu_gradient(float x)
{
    float inner = 0.7978845608f * (x + 0.044715f * x * x * x), t = tanhf(inner);
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 0.134145f * x * x);
}

enum {
    BIAS = 4,
    RELU = 2,
    DRELU = 8,
    BGRAD = 16,
    GELU = 32,
    DGELU = 64,
    AUX = 128,
    BGRADA = 256,
    BGRADB = 512
};

static bool float_epilogue(uint32_t epilogue)
{
    return epilogue != CUBLASLT_EPILOGUE_DEFAULT;
}

/* Element of the auxiliary matrix: bits for relu, numbers for gelu. */
static void aux_access(const Desc *d, void *aux, int i, int j, float *value)
{
    int64_t at = (int64_t)j * d->aux_ld + i;
    if (d->epilogue & RELU) {
        unsigned char *byte = (unsigned char *)aux + at / 8, bit = (unsigned char)(1 << at % 8);
        *byte = (unsigned char)(*value > 0 ? *byte | bit : *byte & ~bit);
    } else if (d->epilogue & DRELU) {
        *value = ((unsigned char *)aux)[at / 8] >> at % 8 & 1 ? *value : 0;
    } else if (d->epilogue & GELU) {
        mixed_narrow(d->aux_type, (char *)aux + at * (int64_t)mixed_bytes(d->aux_type), *value);
    } else {
        *value *= gelu_gradient(load(d->aux_type, aux, at));
    }
}

/* Sums of op(A)'s rows or op(B)'s columns over k: the gradient of a bias. */
static void operand_sums(Matmul *w, const void *base, bool of_a, float *sums)
{
    const MixedGemm *g = &w->gemm;
    int count = of_a ? g->m : g->n;
    bool k_along = of_a ? g->ta != 'N' : g->tb == 'N'; /* k runs along the memory's columns */
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int k = 0; k < g->k; k++)
            sum += (double)load(of_a ? g->type_a : g->type_b, base,
                                k_along ? (int64_t)i * (of_a ? g->lda : g->ldb) + k
                                        : (int64_t)k * (of_a ? g->lda : g->ldb) + i);
        sums[i] = (float)sum;
    }
}

static void finish(Matmul *w, const float *product, const void *a, const void *b, const void *c,
                   void *d, int batch)
{
    const Desc *desc = &w->desc;
    const MixedGemm *g = &w->gemm;
    uint32_t e = float_epilogue(desc->epilogue) ? desc->epilogue : 0;
    float alpha = load(
        g->type_scalar,
        w->alpha.device ? lib_reach(&w->head, "alpha", w->alpha.device, mixed_bytes(g->type_scalar))
                        : w->alpha.value,
        0);
    float beta = load(g->type_scalar,
                      w->beta.device
                          ? lib_reach(&w->head, "beta", w->beta.device, mixed_bytes(g->type_scalar))
                          : w->beta.value,
                      0);
    alpha *= device_scale(w, "A scale", desc->a_scale) * device_scale(w, "B scale", desc->b_scale);
    beta *= device_scale(w, "C scale", desc->c_scale);
    float d_scale = device_scale(w, "D scale", desc->d_scale), most = 0;
    int bias_type = desc->bias_type >= 0 ? desc->bias_type : (int)w->d.type;
    size_t bias_bytes = mixed_bytes(bias_type);
    int bias_count = e & BGRADB ? g->n : g->m;
    void *bias =
        e & (BIAS | BGRAD | BGRADA | BGRADB)
            ? lib_reach(&w->head, "bias",
                        (const char *)desc->bias + batch * desc->bias_stride * (int64_t)bias_bytes,
                        (size_t)bias_count * bias_bytes)
            : NULL;
    void *aux = NULL;
    if (e & AUX) {
        size_t elements = (size_t)((g->n - 1) * desc->aux_ld + g->m);
        bool bits = e & (RELU | DRELU);
        size_t width = bits ? 1 : mixed_bytes(desc->aux_type);
        aux =
            lib_reach(&w->head, "auxiliary matrix",
                      (const char *)desc->aux + (bits ? batch * desc->aux_stride / 8
                                                      : batch * desc->aux_stride * (int64_t)width),
                      bits ? (elements + 7) / 8 : elements * width);
    }
    if (w->head.failed)
        return;
    float *sums = xcalloc((size_t)(g->m > g->n ? g->m : g->n) + 1, sizeof *sums);
    for (int j = 0; j < g->n; j++)
        for (int i = 0; i < g->m; i++) {
            float value = alpha * product[(int64_t)j * g->m + i];
            if (beta != 0)
                value += beta * load((int)w->c.type, c, place(&w->c, i, j));
            if (e & BIAS)
                value += load(bias_type, bias, i);
            if (aux)
                aux_access(desc, aux, i, j, &value);
            if (e & RELU)
                value = value > 0 ? value : 0;
            else if (e & GELU)
                value = gelu(value);
            if (e & BGRAD)
                sums[i] += value;
            most = fabsf(value) > most ? fabsf(value) : most;
            int64_t at = place(&w->d, i, j);
            mixed_narrow((int)w->d.type, (char *)d + at * (int64_t)mixed_bytes((int)w->d.type),
                         value * d_scale);
        }
    if (e & (BGRADA | BGRADB))
        operand_sums(w, e & BGRADA ? a : b, e & BGRADA, sums);
    if (e & (BGRAD | BGRADA | BGRADB))
        for (int i = 0; i < bias_count; i++)
            mixed_narrow(bias_type, (char *)bias + (size_t)i * bias_bytes, sums[i]);
    free(sums);
    float *amax = desc->amax_d ? lib_reach(&w->head, "amax", desc->amax_d, sizeof *amax) : NULL;
    if (amax && (batch == 0 || most > *amax))
        *amax = most;
}

static void run_matmul(LibCall *head)
{
    Matmul *w = (Matmul *)head;
    const MixedGemm *g = &w->gemm;
    /* Types that are multiplied as they are: BLAS finishes the work itself. */
    bool direct = g->type_a == CUDA_R_64F || g->type_a == CUDA_C_32F || g->type_a == CUDA_C_64F ||
                  g->type_c == CUDA_R_32I;
    float *product = direct ? NULL : malloc(((size_t)g->m * (size_t)g->n + 1) * sizeof *product);
    if (!direct && !product) {
        rt_fault(RT_OUT_OF_MEMORY);
        return;
    }
    for (int i = 0; i < w->d.batch_count && !head->failed; i++) {
        const void *a = operand(w, "A", w->at_a, &w->a, i), *b = operand(w, "B", w->at_b, &w->b, i);
        const void *c = w->at_c ? operand(w, "C", w->at_c, &w->c, i) : NULL;
        void *d = operand(w, "D", w->at_d, &w->d, i);
        const void *alpha =
            w->alpha.device ? lib_reach(head, "alpha", w->alpha.device, mixed_bytes(g->type_scalar))
                            : w->alpha.value;
        const void *beta =
            w->beta.device ? lib_reach(head, "beta", w->beta.device, mixed_bytes(g->type_scalar))
                           : w->beta.value;
        if (head->failed)
            break;
        if (direct) {
            size_t bytes = mixed_bytes(g->type_c);
            for (int j = 0; c && c != d && j < g->n; j++)
                memmove((char *)d + (size_t)((int64_t)j * w->d.ld) * bytes,
                        (const char *)c + (size_t)((int64_t)j * w->c.ld) * bytes,
                        (size_t)g->m * bytes);
            if (!mixed_gemm(g, alpha, a, b, beta, d))
                rt_fault(RT_OUT_OF_MEMORY);
            continue;
        }
        MixedGemm wide = *g;
        wide.type_c = CUDA_R_32F;
        wide.type_scalar = CUDA_R_32F;
        wide.ldc = g->m;
        static const float one = 1, zero = 0;
        if (!mixed_gemm(&wide, &one, a, b, &zero, product)) {
            rt_fault(RT_OUT_OF_MEMORY);
            break;
        }
        finish(w, product, a, b, c, d, i);
    }
    free(product);
}

/* --- checks -------------------------------------------------------------------------------- */

static int64_t least_ld(const Layout *l)
{
    return (int64_t)(l->order == CUBLASLT_ORDER_ROW ? l->cols : l->rows);
}

static bool fp8(uint32_t type)
{
    return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

/* Fills w->gemm and the layouts; what is wrong with the description otherwise. */
static cublasStatus_t describe(Matmul *w, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                               cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                               cublasLtMatrixLayout_t d)
{
    INVALID_IF(!desc || !a || !b || !d);
    memcpy(&w->desc, desc, sizeof w->desc);
    memcpy(&w->a, a, sizeof w->a);
    memcpy(&w->b, b, sizeof w->b);
    memcpy(&w->c, c ? c : d, sizeof w->c);
    memcpy(&w->d, d, sizeof w->d);
    const Layout *all[] = {&w->a, &w->b, &w->c, &w->d};
    for (int i = 0; i < 4; i++) {
        if (all[i]->order > CUBLASLT_ORDER_ROW || all[i]->plane_offset)
            return CUBLAS_STATUS_NOT_SUPPORTED;
        INVALID_IF(all[i]->ld < least_ld(all[i]) || all[i]->rows > INT_MAX ||
                   all[i]->cols > INT_MAX || all[i]->ld > INT_MAX || all[i]->batch_count < 1);
        INVALID_IF(all[i]->batch_count != w->d.batch_count);
    }
    Desc *e = &w->desc;
    MixedGemm *g = &w->gemm;
    bool is_complex = w->a.type == CUDA_C_32F || w->a.type == CUDA_C_64F;
    INVALID_IF(!op_char((cublasOperation_t)e->transa, is_complex ? TYPE_Z : TYPE_S, &g->ta) ||
               !op_char((cublasOperation_t)e->transb, is_complex ? TYPE_Z : TYPE_S, &g->tb));
    uint64_t m = g->ta == 'N' ? w->a.rows : w->a.cols, k = g->ta == 'N' ? w->a.cols : w->a.rows;
    uint64_t n = g->tb == 'N' ? w->b.cols : w->b.rows, k2 = g->tb == 'N' ? w->b.rows : w->b.cols;
    INVALID_IF(k != k2 || w->d.rows != m || w->d.cols != n || w->c.rows != m || w->c.cols != n);
    /* A row-major matrix is the transposed column-major one. */
    if (w->a.order == CUBLASLT_ORDER_ROW)
        g->ta = g->ta == 'N' ? 'T' : 'N';
    if (w->b.order == CUBLASLT_ORDER_ROW)
        g->tb = g->tb == 'N' ? 'T' : 'N';
    g->m = (int)m;
    g->n = (int)n;
    g->k = (int)k;
    g->lda = (int)w->a.ld;
    g->ldb = (int)w->b.ld;
    g->ldc = (int)w->d.ld;
    g->type_a = (int)w->a.type;
    g->type_b = (int)w->b.type;
    g->type_c = (int)w->d.type;
    g->compute = e->compute;
    int as_c = fp8(w->d.type) ? CUDA_R_16BF : g->type_c;
    bool row_order = w->c.order == CUBLASLT_ORDER_ROW || w->d.order == CUBLASLT_ORDER_ROW;
    bool row_input = w->a.order == CUBLASLT_ORDER_ROW || w->b.order == CUBLASLT_ORDER_ROW;
    if (!mixed_supported(g->type_a, g->type_b, as_c, g->compute, &g->type_scalar) ||
        e->pointer_mode > CUBLASLT_POINTER_MODE_DEVICE || e->transc ||
        e->fill != CUBLAS_FILL_MODE_FULL || (fp8(w->d.type) && !fp8(w->a.type)) ||
        (w->c.type != w->d.type && !fp8(w->d.type)))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    /* Narrow types may name float scalars with 16F results, too; the described type counts. */
    if (g->type_scalar == CUDA_R_16F && e->scale == CUDA_R_32F)
        g->type_scalar = CUDA_R_32F;
    for (int i = 0; i < 5; i++)
        if (e->scale_mode[i] != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F)
            return CUBLAS_STATUS_NOT_SUPPORTED;
    bool direct = g->type_a == CUDA_R_64F || is_complex || g->type_c == CUDA_R_32I;
    if (direct && (float_epilogue(e->epilogue) || row_order || (row_input && is_complex)))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (e->epilogue != CUBLASLT_EPILOGUE_DEFAULT && (e->epilogue & ~(uint32_t)1022 || !e->epilogue))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (e->aux_type < 0)
        e->aux_type = (int32_t)w->d.type;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t Adesc, const void *B,
                              cublasLtMatrixLayout_t Bdesc, const void *beta, const void *C,
                              cublasLtMatrixLayout_t Cdesc, void *D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t *algo, void *workspace, size_t bytes,
                              cudaStream_t stream)
{
    (void)algo, (void)workspace, (void)bytes;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    Matmul w = {.head = {.run = run_matmul, .name = "cublasLtMatmul"}};
    cublasStatus_t status = describe(&w, desc, Adesc, Bdesc, Cdesc, Ddesc);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    uint32_t e = w.desc.epilogue;
    INVALID_IF(!alpha || !beta || !D ||
               (float_epilogue(e) && (((e & (BIAS | BGRAD | BGRADA | BGRADB)) && !w.desc.bias) ||
                                      ((e & AUX) && (!w.desc.aux || w.desc.aux_ld < w.gemm.m)))));
    w.at_a = A;
    w.at_b = B;
    w.at_c = C;
    w.at_d = D;
    struct cublasContext mode = {.pointer_mode = w.desc.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE
                                                     ? CUBLAS_POINTER_MODE_DEVICE
                                                     : CUBLAS_POINTER_MODE_HOST};
    scalar_set(&mode, &w.alpha, alpha, mixed_bytes(w.gemm.type_scalar));
    scalar_set(&mode, &w.beta, beta, mixed_bytes(w.gemm.type_scalar));
    RtStream *own = rt_stream(stream, false);
    INVALID_IF(!own);
    return status_of(lib_submit(own, &w.head, sizeof w, false));
}

/* --- algorithms: there is one -------------------------------------------------------------- */

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                       cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                       const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    INVALID_IF(!algo || !result);
    Matmul w = {.head = {.run = run_matmul}};
    cublasStatus_t status = describe(&w, desc, Adesc, Bdesc, Cdesc, Ddesc);
    *result = (cublasLtMatmulHeuristicResult_t){.algo = *algo, .state = status, .wavesCount = 1};
    return status;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t Adesc,
                                              cublasLtMatrixLayout_t Bdesc,
                                              cublasLtMatrixLayout_t Cdesc,
                                              cublasLtMatrixLayout_t Ddesc,
                                              cublasLtMatmulPreference_t preference, int asked,
                                              cublasLtMatmulHeuristicResult_t results[], int *found)
{
    INVALID_IF(!preference || asked <= 0 || !results || !found);
    *found = 0;
    const cublasLtMatmulAlgo_t algo = {{0}};
    cublasStatus_t status =
        cublasLtMatmulAlgoCheck(handle, desc, Adesc, Bdesc, Cdesc, Ddesc, &algo, &results[0]);
    *found = status == CUBLAS_STATUS_SUCCESS;
    return status;
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t scale, cudaDataType_t Atype,
                                        cudaDataType_t Btype, cudaDataType_t Ctype,
                                        cudaDataType_t Dtype, int asked, int ids[], int *found)
{
    (void)scale, (void)Ctype;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    INVALID_IF(asked <= 0 || !ids);
    int type;
    bool there = mixed_supported(Atype, Btype, Dtype, (int)compute, &type);
    ids[0] = 0;
    if (found)
        *found = there;
    return there ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

/* A program may have kept the number of one of a GPU's algorithms; here there is one. */
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t scale, cudaDataType_t Atype,
                                      cudaDataType_t Btype, cudaDataType_t Ctype,
                                      cudaDataType_t Dtype, int id, cublasLtMatmulAlgo_t *algo)
{
    int ids[1];
    INVALID_IF(!algo || id < 0);
    memset(algo, 0, sizeof *algo);
    return cublasLtMatmulAlgoGetIds(handle, compute, scale, Atype, Btype, Ctype, Dtype, 1, ids,
                                    NULL);
}

/* Settings of tiles and stages: kept, without effect. */
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *value, size_t bytes)
{
    INVALID_IF(!algo || !value || attribute == CUBLASLT_ALGO_CONFIG_ID ||
               (unsigned)attribute > CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID ||
               (bytes != 2 && bytes != 4));
    memcpy((char *)algo + 4 * (size_t)attribute, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void *value, size_t bytes, size_t *written)
{
    INVALID_IF(!algo || (unsigned)attribute > CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID ||
               (bytes && bytes != 2 && bytes != 4) || (bytes && !value));
    if (written)
        *written = attribute >= CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID ? 2 : 4;
    if (bytes)
        memcpy(value, (const char *)algo + 4 * (size_t)attribute, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* --- handle and versions ------------------------------------------------------------------- */

/* Programs also pass cuBLAS handles here. */
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    INVALID_IF(!handle);
    int error = lib_begin("cuBLASLt");
    if (error)
        return status_of(error);
    if (!blas_open("cuBLASLt"))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = xcalloc(1, sizeof **handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

static size_t capacity = 8192;
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *out)
{
    INVALID_IF(!out);
    *out = capacity;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t value)
{
    capacity = value;
    return CUBLAS_STATUS_SUCCESS;
}
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned mask)
{
    (void)mask;
    return 0;
}

const char *cublasLtGetStatusName(cublasStatus_t status)
{
    return status_name(status);
}
const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return status_text(status);
}
size_t cublasLtGetVersion(void)
{
    return CUDA_MAJOR * 10000;
}
size_t cublasLtGetCudartVersion(void)
{
    return CUDA_MAJOR * 1000;
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value)
{
    INVALID_IF(!value || (unsigned)type > PATCH_LEVEL);
    *value = type == MAJOR_VERSION ? CUDA_MAJOR : 0;
    return CUBLAS_STATUS_SUCCESS;
}

/* Nothing is logged. */
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback)
{
    (void)callback;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetFile(FILE *file)
{
    (void)file;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerOpenFile(const char *file)
{
    (void)file;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetLevel(int level)
{
    (void)level;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetMask(int mask)
{
    (void)mask;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerForceDisable(void)
{
    return CUBLAS_STATUS_SUCCESS;
}
