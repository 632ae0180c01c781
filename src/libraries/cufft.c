/* SPDX-License-Identifier: Apache-2.0
 *
 * libcufft on FFTW (libfftw3f, libfftw3), opened by the first plan. A plan keeps sizes and layouts;
 * FFTW's own plan for it is made when it is first executed, since only then it is known whether the
 * transform is in place. Transforms run in stream order. Several devices, callbacks and half
 * precision are refused (cufft.def). */
#include "base/arena.h"
#include "libraries/library.h"

#include <cufft.h>
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef CUDA_MAJOR
#define CUDA_MAJOR 13
#endif

#define FAIL_IF(condition, status)                                                                 \
    do {                                                                                           \
        if (condition)                                                                             \
            return status;                                                                         \
    } while (0)

/* --- FFTW ---------------------------------------------------------------------------------- */

typedef struct {
    ptrdiff_t n, in, out; /* fftw_iodim64 */
} Dim;
typedef struct {
    void *(*plan)(int rank, const Dim *dims, int many, const Dim *batch, void *in, void *out,
                  int sign, unsigned flags);
    void *(*plan_r2c)(int rank, const Dim *dims, int many, const Dim *batch, void *in, void *out,
                      unsigned flags);
    void *(*plan_c2r)(int rank, const Dim *dims, int many, const Dim *batch, void *in, void *out,
                      unsigned flags);
    void (*execute)(void *plan, void *in, void *out);
    void (*execute_r2c)(void *plan, void *in, void *out);
    void (*execute_c2r)(void *plan, void *in, void *out);
    void (*destroy)(void *plan);
} Fftw;
enum { FFTW_UNALIGNED = 1 << 1, FFTW_ESTIMATE = 1 << 6 };

static Fftw fftw[2];                                             /* single, double */
static void (*fftw_set_threads[2])(int);                         /* NULL: no threads library */
static pthread_mutex_t planner_lock = PTHREAD_MUTEX_INITIALIZER; /* FFTW's planner is not safe */

static int thread_count(void)
{
    int count = lib_threads();
    cpu_set_t set;
    if (count <= 0)
        count = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return count;
}

static void open_threads(int wide)
{
    static const char *const names[2][3] = {
        {"libfftw3f_threads.so.3", "fftwf_init_threads", "fftwf_plan_with_nthreads"},
        {"libfftw3_threads.so.3", "fftw_init_threads", "fftw_plan_with_nthreads"}};
    void *library = thread_count() > 1 ? dlopen(names[wide][0], RTLD_NOW | RTLD_LOCAL) : NULL;
    void *init = library ? dlsym(library, names[wide][1]) : NULL;
    void *set = library ? dlsym(library, names[wide][2]) : NULL;
    int (*start)(void);
    memcpy(&start, &init, sizeof init);
    if (init && set && start())
        memcpy(&fftw_set_threads[wide], &set, sizeof set);
}

static bool fftw_open(int wide)
{
    static const char *const single_names[] = {"libfftw3f.so.3", NULL};
    static const char *const double_names[] = {"libfftw3.so.3", NULL};
    static LibFile files[2] = {{.purpose = "cuFFT in single precision",
                                .package = "libfftw3-single3",
                                .files = single_names,
                                .lock = PTHREAD_MUTEX_INITIALIZER},
                               {.purpose = "cuFFT in double precision",
                                .package = "libfftw3-double3",
                                .files = double_names,
                                .lock = PTHREAD_MUTEX_INITIALIZER}};
#define SYMBOLS(p, t)                                                                              \
    {                                                                                              \
        {p "_plan_guru64_dft", &t.plan}, {p "_plan_guru64_dft_r2c", &t.plan_r2c},                  \
            {p "_plan_guru64_dft_c2r", &t.plan_c2r}, {p "_execute_dft", &t.execute},               \
            {p "_execute_dft_r2c", &t.execute_r2c}, {p "_execute_dft_c2r", &t.execute_c2r},        \
        {                                                                                          \
            p "_destroy_plan", &t.destroy                                                          \
        }                                                                                          \
    }
    const LibSymbol symbols[2][7] = {SYMBOLS("fftwf", fftw[0]), SYMBOLS("fftw", fftw[1])};
    bool first = files[wide].state == 0;
    if (!lib_open(&files[wide], symbols[wide], 7))
        return false;
    pthread_mutex_lock(&planner_lock);
    if (first && !fftw_set_threads[wide])
        open_threads(wide);
    pthread_mutex_unlock(&planner_lock);
    return true;
}

/* --- plans --------------------------------------------------------------------------------- */

enum { MAX_RANK = 3 };

typedef struct {
    _Atomic int users; /* the handle, and work that is under way */
    bool made, wide;
    int direction; /* of a plan by data types (cufftXtExec): the kind alone may decide */
    cufftType type;
    int rank;
    int64_t n[MAX_RANK], batch;
    bool basic;
    int64_t in_embed[MAX_RANK], out_embed[MAX_RANK], in_stride, out_stride, in_dist, out_dist;
    void *stream;
    void *own[2][2]; /* FFTW's plans: out of place or in place, forward or inverse */
} Plan;

static struct {
    pthread_mutex_t lock;
    Plan **plans; /* handle: index + 1 */
    int count;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void release(Plan *plan)
{
    if (atomic_fetch_sub(&plan->users, 1) != 1)
        return;
    pthread_mutex_lock(&planner_lock);
    for (int i = 0; i < 4; i++)
        if (plan->own[i / 2][i % 2])
            fftw[plan->wide].destroy(plan->own[i / 2][i % 2]);
    pthread_mutex_unlock(&planner_lock);
    free(plan);
}

/* The plan of a handle, held for the caller; NULL when there is none. */
static Plan *hold(cufftHandle handle)
{
    pthread_mutex_lock(&table.lock);
    Plan *plan = handle >= 1 && handle <= table.count ? table.plans[handle - 1] : NULL;
    if (plan)
        atomic_fetch_add(&plan->users, 1);
    pthread_mutex_unlock(&table.lock);
    return plan;
}

cufftResult cufftCreate(cufftHandle *handle)
{
    FAIL_IF(!handle, CUFFT_INVALID_VALUE);
    *handle = CUFFT_PLAN_NULL;
    FAIL_IF(lib_begin("cuFFT"), CUFFT_SETUP_FAILED);
    Plan *plan = xcalloc(1, sizeof *plan);
    plan->users = 1;
    pthread_mutex_lock(&table.lock);
    int index = 0;
    while (index < table.count && table.plans[index])
        index++;
    if (index == table.count) {
        table.count = table.count ? table.count * 2 : 16;
        table.plans = xrealloc(table.plans, (size_t)table.count * sizeof *table.plans);
        memset(table.plans + index, 0, (size_t)(table.count - index) * sizeof *table.plans);
    }
    table.plans[index] = plan;
    pthread_mutex_unlock(&table.lock);
    *handle = index + 1;
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    pthread_mutex_lock(&table.lock);
    Plan *plan = handle >= 1 && handle <= table.count ? table.plans[handle - 1] : NULL;
    if (plan)
        table.plans[handle - 1] = NULL;
    pthread_mutex_unlock(&table.lock);
    FAIL_IF(!plan, CUFFT_INVALID_PLAN);
    release(plan);
    return CUFFT_SUCCESS;
}

/* What a plan describes. Widths in elements of the side's own type. */
typedef struct {
    int rank;
    const long long *n, *in_embed, *out_embed;
    long long in_stride, in_dist, out_stride, out_dist, batch;
    cufftType type;
} Shape;

static bool from_real(cufftType type)
{
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}
static bool to_real(cufftType type)
{
    return type == CUFFT_C2R || type == CUFFT_Z2D;
}

static cufftResult shape_check(const Shape *s)
{
    switch ((int)s->type) {
    case CUFFT_R2C:
    case CUFFT_C2R:
    case CUFFT_C2C:
    case CUFFT_D2Z:
    case CUFFT_Z2D:
    case CUFFT_Z2Z:
        break;
    default:
        return CUFFT_INVALID_TYPE;
    }
    FAIL_IF(s->rank < 1 || s->rank > MAX_RANK || !s->n, CUFFT_INVALID_VALUE);
    FAIL_IF(s->batch < 1, CUFFT_INVALID_SIZE);
    for (int i = 0; i < s->rank; i++)
        FAIL_IF(s->n[i] < 1, CUFFT_INVALID_SIZE);
    if (s->in_embed && s->out_embed)
        for (int i = 0; i < s->rank; i++)
            FAIL_IF(s->in_embed[i] < 0 || s->out_embed[i] < 0 || s->in_stride < 1 ||
                        s->out_stride < 1,
                    CUFFT_INVALID_VALUE);
    return CUFFT_SUCCESS;
}

/* FFTW keeps its scratch memory itself: the program's is not needed. */
static cufftResult shape_size(const Shape *s, size_t *work)
{
    FAIL_IF(!work, CUFFT_INVALID_VALUE);
    *work = 0;
    return shape_check(s);
}

static cufftResult make(cufftHandle handle, const Shape *s, size_t *work)
{
    Plan *plan = hold(handle);
    FAIL_IF(!plan, CUFFT_INVALID_PLAN);
    cufftResult status = plan->made ? CUFFT_INVALID_PLAN : shape_check(s);
    if (status == CUFFT_SUCCESS && !fftw_open((s->type & 0x40) != 0))
        status = CUFFT_MISSING_DEPENDENCY;
    if (status == CUFFT_SUCCESS) {
        plan->made = true;
        plan->wide = (s->type & 0x40) != 0;
        plan->type = s->type;
        plan->rank = s->rank;
        plan->batch = s->batch;
        plan->basic = !s->in_embed || !s->out_embed;
        for (int i = 0; i < s->rank; i++) {
            plan->n[i] = s->n[i];
            plan->in_embed[i] = plan->basic ? s->n[i] : s->in_embed[i];
            plan->out_embed[i] = plan->basic ? s->n[i] : s->out_embed[i];
        }
        plan->in_stride = s->in_stride;
        plan->out_stride = s->out_stride;
        plan->in_dist = s->in_dist;
        plan->out_dist = s->out_dist;
        if (work)
            *work = 0;
    }
    release(plan);
    return status;
}

/* a + b * c, or more than there can be. */
static int64_t add_product(int64_t a, int64_t b, int64_t c)
{
    int64_t out;
    return __builtin_mul_overflow(b, c, &out) || __builtin_add_overflow(out, a, &out) ? INT64_MAX
                                                                                      : out;
}

/* The basic layout: packed, except that real data in place leave room for the complex result. */
static void basic_layout(Plan *p, bool in_place)
{
    int last = p->rank - 1;
    int64_t half = p->n[last] / 2 + 1, in = 1, out = 1;
    p->in_stride = p->out_stride = 1;
    for (int i = 0; i < p->rank; i++) {
        bool padded = i == last && in_place;
        p->in_embed[i] = i == last && to_real(p->type)  ? half
                         : padded && from_real(p->type) ? 2 * half
                                                        : p->n[i];
        p->out_embed[i] = i == last && from_real(p->type) ? half
                          : padded && to_real(p->type)    ? 2 * half
                                                          : p->n[i];
        in = add_product(0, in, p->in_embed[i]);
        out = add_product(0, out, p->out_embed[i]);
    }
    p->in_dist = in;
    p->out_dist = out;
}

/* Strides of each dimension; the elements from the first to behind the last of either side. */
static void strides(const Plan *p, Dim dims[MAX_RANK], Dim *batch, int64_t *in_span,
                    int64_t *out_span)
{
    int64_t in = p->in_stride, out = p->out_stride;
    *in_span = add_product(1, p->batch - 1, p->in_dist);
    *out_span = add_product(1, p->batch - 1, p->out_dist);
    for (int i = p->rank - 1; i >= 0; i--) {
        int64_t half = p->n[i] / 2 + 1;
        bool last = i == p->rank - 1;
        dims[i] = (Dim){p->n[i], in, out};
        *in_span = add_product(*in_span, (last && to_real(p->type) ? half : p->n[i]) - 1, in);
        *out_span = add_product(*out_span, (last && from_real(p->type) ? half : p->n[i]) - 1, out);
        in = add_product(0, in, p->in_embed[i]);
        out = add_product(0, out, p->out_embed[i]);
    }
    *batch = (Dim){p->batch, p->in_dist, p->out_dist};
}

/* --- execution ----------------------------------------------------------------------------- */

typedef struct {
    LibCall head;
    Plan *plan;
    void *in, *out;
    int direction;
} Exec;

static void *own_plan(Plan *p, bool in_place, int direction, const Dim *dims, const Dim *batch)
{
    void **place = &p->own[in_place][direction == CUFFT_INVERSE];
    if (*place)
        return *place;
    const Fftw *f = &fftw[p->wide];
    /* Estimating looks at no data, only at whether the arrays are the same one. */
    static char here[64], there[64];
    void *in = here, *out = in_place ? here : there;
    unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    int64_t points = p->batch;
    for (int i = 0; i < p->rank; i++)
        points = add_product(0, points, p->n[i]);
    if (fftw_set_threads[p->wide])
        fftw_set_threads[p->wide](points >= 65536 ? thread_count() : 1);
    *place = from_real(p->type) ? f->plan_r2c(p->rank, dims, 1, batch, in, out, flags)
             : to_real(p->type) ? f->plan_c2r(p->rank, dims, 1, batch, in, out, flags)
                                : f->plan(p->rank, dims, 1, batch, in, out, direction, flags);
    return *place;
}

static void run_exec(LibCall *head)
{
    Exec *e = (Exec *)head;
    Plan layout = *e->plan, *p = &layout;
    bool in_place = e->in == e->out;
    if (p->basic)
        basic_layout(p, in_place);
    Dim dims[MAX_RANK], batch;
    int64_t in_span, out_span;
    strides(p, dims, &batch, &in_span, &out_span);
    size_t real = p->wide ? 8 : 4;
    void *in =
        lib_reach(head, "input", e->in, lib_bytes(in_span, (from_real(p->type) ? 1 : 2) * real));
    void *out =
        lib_reach(head, "output", e->out, lib_bytes(out_span, (to_real(p->type) ? 1 : 2) * real));
    if (!in || !out)
        return;
    pthread_mutex_lock(&planner_lock);
    void *own = own_plan(e->plan, in_place, e->direction, dims, &batch);
    pthread_mutex_unlock(&planner_lock);
    const Fftw *f = &fftw[p->wide];
    if (!own)
        rt_fault(RT_OUT_OF_MEMORY);
    else
        (from_real(p->type) ? f->execute_r2c
         : to_real(p->type) ? f->execute_c2r
                            : f->execute)(own, in, out);
}

static void drop_exec(LibCall *head)
{
    release(((Exec *)head)->plan);
}

/* type: what the function executes; 0: whatever the plan is. */
static cufftResult execute(const char *name, cufftHandle handle, int type, void *in, void *out,
                           int direction)
{
    Plan *plan = hold(handle);
    FAIL_IF(!plan, CUFFT_INVALID_PLAN);
    cufftResult status = !plan->made || (type && (int)plan->type != type) ? CUFFT_INVALID_PLAN
                         : !in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
                             ? CUFFT_INVALID_VALUE
                             : CUFFT_SUCCESS;
    if (status == CUFFT_SUCCESS) {
        const Exec exec = {.head = {.run = run_exec, .drop = drop_exec, .name = name},
                           .plan = plan,
                           .in = in,
                           .out = out,
                           .direction = direction};
        if (lib_submit(rt_stream(plan->stream, false), &exec.head, sizeof exec, false) == RT_OK)
            return CUFFT_SUCCESS;
        status = CUFFT_EXEC_FAILED;
    }
    release(plan);
    return status;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
    return execute("cufftExecC2C", plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction)
{
    return execute("cufftExecZ2Z", plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return execute("cufftExecR2C", plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return execute("cufftExecC2R", plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return execute("cufftExecD2Z", plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return execute("cufftExecZ2D", plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction)
{
    return execute("cufftXtExec", plan, 0, in, out, direction);
}

/* --- the many ways to describe a plan ------------------------------------------------------ */

#define WIDEN(array, rank)                                                                         \
    long long wide_##array[MAX_RANK] = {0};                                                        \
    for (int i = 0; array && i < rank && i < MAX_RANK; i++)                                        \
        wide_##array[i] = array[i];

/* Each as a plan, as part of a plan that exists, as an estimate and as a size. */
#define FORMS(suffix, shape, params, names)                                                        \
    cufftResult cufftMakePlan##suffix(cufftHandle plan, UNPACK params, size_t *work)               \
    {                                                                                              \
        shape;                                                                                     \
        return make(plan, &s, work);                                                               \
    }                                                                                              \
    cufftResult cufftPlan##suffix(cufftHandle *plan, UNPACK params)                                \
    {                                                                                              \
        cufftResult status = cufftCreate(plan);                                                    \
        if (status == CUFFT_SUCCESS) {                                                             \
            status = cufftMakePlan##suffix(*plan, UNPACK names, NULL);                             \
            if (status != CUFFT_SUCCESS)                                                           \
                cufftDestroy(*plan);                                                               \
        }                                                                                          \
        return status;                                                                             \
    }                                                                                              \
    cufftResult cufftEstimate##suffix(UNPACK params, size_t *work)                                 \
    {                                                                                              \
        shape;                                                                                     \
        return shape_size(&s, work);                                                               \
    }                                                                                              \
    cufftResult cufftGetSize##suffix(cufftHandle plan, UNPACK params, size_t *work)                \
    {                                                                                              \
        shape;                                                                                     \
        (void)plan;                                                                                \
        return shape_size(&s, work);                                                               \
    }
#define UNPACK(...) __VA_ARGS__
#define SHAPE_1D                                                                                   \
    const long long n[] = {nx};                                                                    \
    const Shape s = {.rank = 1, .n = n, .type = type, .batch = batch}
#define SHAPE_2D                                                                                   \
    const long long n[] = {nx, ny};                                                                \
    const Shape s = {.rank = 2, .n = n, .type = type, .batch = 1}
#define SHAPE_3D                                                                                   \
    const long long n[] = {nx, ny, nz};                                                            \
    const Shape s = {.rank = 3, .n = n, .type = type, .batch = 1}
#define SHAPE_MANY                                                                                 \
    WIDEN(n, rank)                                                                                 \
    WIDEN(inembed, rank)                                                                           \
    WIDEN(onembed, rank)                                                                           \
    const Shape s = {.rank = rank,                                                                 \
                     .n = n ? wide_n : NULL,                                                       \
                     .in_embed = inembed ? wide_inembed : NULL,                                    \
                     .out_embed = onembed ? wide_onembed : NULL,                                   \
                     .in_stride = istride,                                                         \
                     .in_dist = idist,                                                             \
                     .out_stride = ostride,                                                        \
                     .out_dist = odist,                                                            \
                     .type = type,                                                                 \
                     .batch = batch}
FORMS(1d, SHAPE_1D, (int nx, cufftType type, int batch), (nx, type, batch))
FORMS(2d, SHAPE_2D, (int nx, int ny, cufftType type), (nx, ny, type))
FORMS(3d, SHAPE_3D, (int nx, int ny, int nz, cufftType type), (nx, ny, nz, type))
FORMS(Many, SHAPE_MANY,
      (int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist,
       cufftType type, int batch),
      (rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch))

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                long long int *onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t *work)
{
    SHAPE_MANY;
    return make(plan, &s, work);
}

cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                               long long int istride, long long int idist, long long int *onembed,
                               long long int ostride, long long int odist, cufftType type,
                               long long int batch, size_t *work)
{
    SHAPE_MANY;
    (void)plan;
    return shape_size(&s, work);
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                cudaDataType inputtype, long long int *onembed,
                                long long int ostride, long long int odist, cudaDataType outputtype,
                                long long int batch, size_t *work, cudaDataType executiontype)
{
    static const struct {
        cudaDataType in, out;
        cufftType type;
    } types[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
                 {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                 {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
    (void)executiontype;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].in == inputtype && types[i].out == outputtype)
            return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride,
                                       odist, types[i].type, batch, work);
    rt_refuse("cufftXtMakePlanMany in half precision");
    return CUFFT_NOT_SUPPORTED;
}

/* --- the rest ------------------------------------------------------------------------------ */

cufftResult cufftGetSize(cufftHandle handle, size_t *work)
{
    Plan *plan = hold(handle);
    FAIL_IF(!plan, CUFFT_INVALID_PLAN);
    release(plan);
    FAIL_IF(!work, CUFFT_INVALID_VALUE);
    *work = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    Plan *plan = hold(handle);
    FAIL_IF(!plan, CUFFT_INVALID_PLAN);
    bool known = rt_stream(stream, false) != NULL;
    if (known)
        plan->stream = stream;
    release(plan);
    return known ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    (void)area;
    Plan *plan = hold(handle);
    FAIL_IF(!plan, CUFFT_INVALID_PLAN);
    release(plan);
    return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic)
{
    (void)automatic;
    return cufftSetWorkArea(handle, NULL);
}

/* cuFFT counts its own versions: 10 with CUDA 11, 11 with 12, 12 with 13. */
cufftResult cufftGetVersion(int *version)
{
    FAIL_IF(!version, CUFFT_INVALID_VALUE);
    *version = (CUDA_MAJOR - 1) * 1000;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    FAIL_IF(!value || (unsigned)type > PATCH_LEVEL, CUFFT_INVALID_VALUE);
    *value = type == MAJOR_VERSION ? CUDA_MAJOR - 1 : 0;
    return CUFFT_SUCCESS;
}
