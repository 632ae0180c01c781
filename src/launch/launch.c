/* SPDX-License-Identifier: Apache-2.0
 *
 * The launcher. The calling thread runs blocks itself; helpers, one per further core, join any open
 * launch. Blocks are claimed in ascending order from an atomic counter. Kernels without suspension
 * points run block by block; the others go through the barrier scheduler, warp by warp, and kernels
 * that spin keep several blocks resident per worker, never more in all than the described device
 * holds.
 *
 * Not here: order between launches (the runtime's streams), device memory (memory.c). */
#include "base/clock.h"
#include "launch/launch.h"

#include "launch/lanes.h"

#include "launch/memory.h"
#include "launch/worker.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 64, STACK_BYTES = 256 << 20, SIGNAL_STACK = 64 << 10 };

/* An open launch that helpers may join. A helper counts itself in `inside` before it looks at
 * `open`; the owner clears `open` before it waits for `inside` to reach zero. */
typedef struct {
    _Alignas(64) _Atomic uint32_t taken;
    _Atomic uint32_t open;
    _Atomic uint32_t inside;
    Job *_Atomic job;
} Slot;

static struct {
    pthread_mutex_t lock;
    Slot slot[SLOTS];
    _Atomic uint32_t wake;     /* changes when a launch opens */
    _Atomic uint32_t sleepers; /* helpers waiting in the kernel */
    _Atomic int threads;       /* 0: not read yet */
    int helpers;
    _Atomic int helper_limit;
    VEC(Worker *) workers;
    double time_limit;
    bool watching;
    bool limit_read;
    _Atomic bool forked;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* --- threads ------------------------------------------------------------------------------- */

static int default_threads(void)
{
    const char *text = getenv("GPUKIT_THREADS");
    int threads = text ? atoi(text) : 0;
    if (threads < 1) {
        cpu_set_t set;
        threads = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    }
    return threads < 1 ? 1 : threads > 1024 ? 1024 : threads;
}

int launch_threads(void)
{
    int threads = atomic_load_explicit(&pool.threads, memory_order_relaxed);
    if (!threads) {
        threads = default_threads();
        atomic_store(&pool.threads, threads);
    }
    return threads;
}

void launch_set_threads(int threads)
{
    atomic_store(&pool.threads, threads > 0 ? threads : default_threads());
}

static void block_signals(void)
{
    sigset_t set;
    sigfillset(&set);
    sigdelset(&set, SIGSEGV);
    sigdelset(&set, SIGBUS);
    sigdelset(&set, SIGFPE);
    sigdelset(&set, SIGILL);
    sigdelset(&set, SIGTRAP);
    sigdelset(&set, SIGPROF); /* profilers of the host program */
    sigdelset(&set, fault_stop_signal());
    pthread_sigmask(SIG_SETMASK, &set, NULL);
}

static pthread_key_t worker_key;
static pthread_once_t worker_once = PTHREAD_ONCE_INIT;

static void resident_free(Resident *resident)
{
    mem_scratch_free(resident->own_shared);
    mem_scratch_free(resident->block.local);
    mem_scratch_free(resident->frames);
    free(resident);
}

static void worker_free(void *value)
{
    Worker *worker = value;
    pthread_mutex_lock(&pool.lock);
    for (size_t i = 0; i < pool.workers.count; i++)
        if (pool.workers.items[i] == worker) {
            pool.workers.items[i] = pool.workers.items[--pool.workers.count];
            break;
        }
    pthread_mutex_unlock(&pool.lock);
    worker_self = NULL;
    for (size_t i = 0; i < worker->residents.count; i++)
        resident_free(worker->residents.items[i]);
    VEC_FREE(worker->residents);
    mem_scratch_free(worker->cluster_shared);
    if (worker->signal_stack) {
        stack_t none = {.ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
        munmap(worker->signal_stack, SIGNAL_STACK);
    }
    free(worker);
}

static void worker_init_once(void)
{
    pthread_key_create(&worker_key, worker_free);
}

Worker *worker_get(void)
{
    if (worker_self)
        return worker_self;
    pthread_once(&worker_once, worker_init_once);
    Worker *worker = xcalloc(1, sizeof *worker);
    worker->thread = pthread_self();
    stack_t old;
    if (!sigaltstack(NULL, &old) && (old.ss_flags & SS_DISABLE)) {
        void *stack = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack != MAP_FAILED) {
            stack_t ours = {.ss_sp = stack, .ss_size = SIGNAL_STACK};
            sigaltstack(&ours, NULL);
            worker->signal_stack = stack;
        }
    }
    pthread_attr_t attr;
    if (!pthread_getattr_np(pthread_self(), &attr)) {
        void *low = NULL;
        size_t bytes = 0;
        pthread_attr_getstack(&attr, &low, &bytes);
        worker->stack_low = low;
        pthread_attr_destroy(&attr);
    }
    pthread_mutex_lock(&pool.lock);
    VEC_PUSH(pool.workers, worker);
    pthread_mutex_unlock(&pool.lock);
    pthread_setspecific(worker_key, worker);
    worker_self = worker;
    return worker;
}

void workers_interrupt(const Job *job)
{
    pthread_mutex_lock(&pool.lock);
    for (size_t i = 0; i < pool.workers.count; i++) {
        Worker *worker = pool.workers.items[i];
        if (worker != worker_self && atomic_load(&worker->job) == job)
            pthread_kill(worker->thread, fault_stop_signal());
    }
    pthread_mutex_unlock(&pool.lock);
}

typedef struct {
    void *(*function)(void *);
    void *argument;
} ThreadStart;

static void *thread_main(void *argument)
{
    ThreadStart start = *(ThreadStart *)argument;
    free(argument);
    block_signals();
    return start.function(start.argument);
}

int launch_thread_start(void *(*function)(void *), void *argument)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    ThreadStart *start = xmalloc(sizeof *start);
    *start = (ThreadStart){function, argument};
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    int error = pthread_create(&thread, &attr, thread_main, start);
    if (error) { /* address space limits: try the default size */
        pthread_attr_setstacksize(&attr, 8 << 20);
        error = pthread_create(&thread, &attr, thread_main, start);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    if (error)
        free(start);
    return error;
}

/* --- failures ------------------------------------------------------------------------------ */

void job_fail(Job *job, const LaunchResult *result)
{
    uint32_t first = 0;
    if (atomic_compare_exchange_strong(&job->failed, &first, 1))
        job->result = *result;
    job->stop = 1;
    workers_interrupt(job);
}

static void where(const Worker *worker, LaunchResult *result)
{
    if (!worker->current)
        return;
    result->has_position = true;
    memcpy(result->ctaid, worker->current->block.ctaid, sizeof result->ctaid);
    result->warp = worker->warp;
}

_Noreturn void service_fail(GkBlock *block, const LaunchResult *result)
{
    Worker *worker = worker_self;
    LaunchResult copy = *result;
    copy.has_position = true;
    memcpy(copy.ctaid, block->ctaid, sizeof copy.ctaid);
    worker->in_kernel = 0;
    job_fail(atomic_load(&worker->job), &copy);
    siglongjmp(worker->escape, ESCAPE_FAILED);
}

/* --- blocks -------------------------------------------------------------------------------- */

/* Shared addresses are 32-bit offsets, and so are most indices of local arrays: whatever lies less than
 * 4 GiB behind must fault. */
static uint8_t *guarded(size_t bytes)
{
    uint8_t *memory = mem_scratch_new(bytes + 64, (size_t)4 << 30);
    return memory ? memory : mem_scratch_new(bytes + 64, 64 << 10);
}

/* Grows the resident's memory to what the launch needs. False when the host has none. */
static bool resident_fit(Resident *resident, const Job *job)
{
    const GkKernel *kernel = job->request->kernel;
    size_t shared = (size_t)job->grid.static_shared + job->grid.dynamic_shared;
    size_t local = (size_t)kernel->local_bytes * GK_WARP * job->grid.warps;
    size_t frames = (size_t)kernel->frame_bytes * job->grid.warps;
    if (!resident->own_shared || shared > resident->shared_room) {
        mem_scratch_free(resident->own_shared);
        resident->shared_room = shared;
        resident->own_shared = guarded(shared);
    }
    resident->block.shared = resident->own_shared;
    if (!resident->block.local || local > resident->local_room) {
        mem_scratch_free(resident->block.local);
        resident->local_room = local;
        resident->block.local = guarded(local);
    }
    if (!resident->frames || frames > resident->frames_room) {
        mem_scratch_free(resident->frames);
        resident->frames_room = frames;
        resident->frames = mem_scratch_new(frames + 64, 4096);
    }
    return resident->block.shared && resident->block.local && resident->frames;
}

static Resident *resident_at(Worker *worker, const Job *job, size_t index)
{
    service_begin();
    Resident *resident;
    if (index < worker->residents.count) {
        resident = worker->residents.items[index];
    } else {
        resident = xcalloc(1, sizeof *resident);
        VEC_PUSH(worker->residents, resident);
    }
    bool fits = resident_fit(resident, job);
    service_end();
    if (!fits) {
        LaunchResult result = {.error = LAUNCH_OUT_OF_MEMORY,
                               .text = "no host memory for the shared and local memory of a block"};
        service_fail(&resident->block, &result);
    }
    return resident;
}

static void resident_start(Resident *resident, const Job *job, uint64_t index)
{
    GkBlock *block = &resident->block;
    const GkGrid *grid = &job->grid;
    block->grid = grid;
    block->local_bytes = job->request->kernel->local_bytes;
    block->ctaid[0] = (uint32_t)(index % grid->nctaid[0]);
    block->ctaid[1] = (uint32_t)(index / grid->nctaid[0] % grid->nctaid[1]);
    block->ctaid[2] = (uint32_t)(index / ((uint64_t)grid->nctaid[0] * grid->nctaid[1]));
    block->smid = (uint32_t)(index % grid->nsmid);
    block->owner = resident;
    block->cluster_rank = 0;
    resident->cluster = NULL;
}

/* The numbers of the blocks of cluster `index`. */
static uint64_t cluster_block(const Job *job, uint64_t index, uint32_t rank)
{
    const GkGrid *g = &job->grid;
    uint64_t at[3], size[3];
    for (int i = 0; i < 3; i++) {
        size[i] = g->nctaid[i] / g->cluster[i];
        at[i] = index % size[i] * g->cluster[i] + rank % g->cluster[i];
        index /= size[i];
        rank /= g->cluster[i];
    }
    return at[0] + g->nctaid[0] * (at[1] + g->nctaid[1] * at[2]);
}

/* Shared memory for every block of a cluster, each at its place; what lies between them faults. */
static bool cluster_fit(Worker *worker, const Job *job)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), stride = (size_t)1 << GK_CLUSTER_SHIFT;
    size_t room =
        ((size_t)job->grid.static_shared + job->grid.dynamic_shared + 64 + page - 1) & ~(page - 1);
    if (!worker->cluster_shared)
        worker->cluster_shared = mem_scratch_new(stride * GK_CLUSTER_MAX, (size_t)4 << 30);
    if (!worker->cluster_shared)
        return false;
    if (room == worker->cluster_room)
        return true;
    worker->cluster_room = room;
    bool good = !mprotect(worker->cluster_shared, stride * GK_CLUSTER_MAX, PROT_NONE);
    for (size_t r = 0; r < GK_CLUSTER_MAX && good; r++)
        good = !mprotect(worker->cluster_shared + r * stride, room, PROT_READ | PROT_WRITE);
    return good;
}

static void resident_reset_warps(Resident *resident, const Job *job)
{
    uint32_t group = job->request->kernel->warps, units = job->grid.warps / (group ? group : 1);
    resident->live = units == GK_WARP ? UINT32_MAX : (1u << units) - 1;
    resident->ready = resident->live;
    resident->spun = 0;
    resident->cluster_arrived = resident->cluster_released = resident->cluster_waiting = 0;
    memset(resident->resume, 0, sizeof resident->resume);
    memset(resident->waiting, 0, sizeof resident->waiting);
    memset(resident->arrived, 0, sizeof resident->arrived);
}

static GkFrame *frame_of(const Resident *resident, const Job *job, uint32_t warp)
{
    return (GkFrame *)(void *)(resident->frames + (size_t)warp * job->request->kernel->frame_bytes);
}

/* --- the barrier scheduler ----------------------------------------------------------------- */

static void barrier_release(Resident *resident, const Job *job, uint32_t barrier)
{
    uint32_t warps = resident->waiting[barrier];
    uint32_t count = 0, all = 1, any = 0;
    bool reduces = false;
    for (uint32_t rest = warps; rest; rest &= rest - 1) {
        const GkFrame *frame = frame_of(resident, job, (uint32_t)__builtin_ctz(rest));
        if (frame->reduce_op) {
            reduces = true;
            count += frame->reduce_value;
            all &= frame->reduce_value != 0;
            any |= frame->reduce_value != 0;
        }
    }
    if (reduces) {
        for (uint32_t rest = warps; rest; rest &= rest - 1) {
            GkFrame *frame = frame_of(resident, job, (uint32_t)__builtin_ctz(rest));
            uint32_t value = frame->reduce_op == 1 ? count : frame->reduce_op == 2 ? all : any;
            frame->reduce_result = value;
            resident->block.reduce = value;
        }
    }
    resident->ready |= warps;
    resident->waiting[barrier] = 0;
    resident->arrived[barrier] = 0;
}

/* Counts a warp at its barrier and lets everyone go when it is complete. */
static void barrier_arrive(Resident *resident, const Job *job, uint32_t warp, bool waits)
{
    const GkFrame *frame = frame_of(resident, job, warp);
    uint32_t barrier = frame->barrier & 15;
    if (waits) {
        resident->ready &= ~(1u << warp);
        resident->waiting[barrier] |= 1u << warp;
    }
    resident->arrived[barrier] += GK_WARP; /* whole warps count, as the manual says */
    resident->expected[barrier] = frame->threads;
    bool complete = frame->threads ? resident->arrived[barrier] >= frame->threads
                                   : resident->arrived[barrier] >=
                                         GK_WARP * (uint32_t)__builtin_popcount(resident->live);
    if (complete)
        barrier_release(resident, job, barrier);
}

/* ---- the cluster's barrier ---- */

static uint32_t cluster_peers(Resident *resident, const Job *job, Resident **peers)
{
    uint32_t count = resident->cluster ? job->cluster_blocks : 1;
    for (uint32_t r = 0; r < count; r++)
        peers[r] = resident->cluster ? resident->cluster->residents.items[r] : resident;
    return count;
}

/* Lets everyone go when every live warp of the cluster has arrived. */
static void cluster_settle(Resident *resident, const Job *job)
{
    Resident *peers[GK_CLUSTER_MAX];
    uint32_t count = cluster_peers(resident, job, peers);
    for (uint32_t r = 0; r < count; r++)
        if (peers[r]->live & ~peers[r]->cluster_arrived)
            return;
    for (uint32_t r = 0; r < count; r++) {
        Resident *p = peers[r];
        p->ready |= p->cluster_waiting;
        p->cluster_released = p->cluster_arrived & ~p->cluster_waiting;
        p->cluster_arrived = p->cluster_waiting = 0;
    }
}

static void cluster_arrive(Resident *resident, const Job *job, uint32_t warp)
{
    resident->cluster_arrived |= 1u << warp;
    cluster_settle(resident, job);
}

static void cluster_wait(Resident *resident, uint32_t warp)
{
    uint32_t bit = 1u << warp;
    if (resident->cluster_released & bit) {
        resident->cluster_released &= ~bit;
        return;
    }
    resident->cluster_waiting |= bit;
    resident->ready &= ~bit;
}

/* A warp has ended: barriers of the whole block no longer wait for it. */
static void warp_end(Resident *resident, const Job *job, uint32_t warp)
{
    resident->live &= ~(1u << warp);
    resident->ready &= ~(1u << warp);
    resident->cluster_arrived &= ~(1u << warp);
    cluster_settle(resident, job);
    if (resident->ready == resident->live)
        return; /* nobody waits */
    uint32_t threads = GK_WARP * (uint32_t)__builtin_popcount(resident->live);
    for (uint32_t barrier = 0; barrier < 16; barrier++)
        if (resident->waiting[barrier] && !resident->expected[barrier] &&
            resident->arrived[barrier] >= threads)
            barrier_release(resident, job, barrier);
}

typedef enum { STEP_DONE, STEP_YIELDED, STEP_STUCK } Step;

/* Runs the block until it ends, or until every warp that can run has only yielded. */
static Step block_step(Worker *worker, Resident *resident, const Job *job)
{
    const GkKernel *kernel = job->request->kernel;
    worker->current = resident;
    while (resident->live) {
        bool progress = false;
        if (!resident->ready)
            return STEP_STUCK;
        for (uint32_t rest = resident->ready, bit; rest; rest &= ~bit) {
            uint32_t warp = lanes_next(rest, resident->spun);
            bit = 1u << warp;
            if (!(resident->ready & bit))
                continue;
            worker->warp = warp;
            resident->spun &= ~bit;
            uint8_t *frame = (uint8_t *)frame_of(resident, job, warp);
            uint64_t state =
                kernel->flags & GK_KERNEL_LANES
                    ? lanes_run_warp(kernel, &resident->block, warp, frame, resident->resume[warp])
                    : kernel->run_warp(&resident->block, warp, frame, resident->resume[warp]);
            resident->resume[warp] = (uint32_t)state;
            switch (state >> 32) {
            case 0:
                warp_end(resident, job, warp);
                progress = true;
                break;
            case GK_KIND_BARRIER:
                barrier_arrive(resident, job, warp, true);
                progress = true;
                break;
            case GK_KIND_ARRIVE:
                barrier_arrive(resident, job, warp, false);
                progress = true;
                break;
            case GK_KIND_CLUSTER_ARRIVE:
                cluster_arrive(resident, job, warp);
                progress = true;
                break;
            case GK_KIND_CLUSTER_WAIT:
                cluster_wait(resident, warp);
                progress = true;
                break;
            default:
                resident->spun |= bit;
                break;
            }
        }
        if (!progress)
            return STEP_YIELDED;
        if (job->stop)
            return STEP_YIELDED;
    }
    return STEP_DONE;
}

static void fail_stuck(Worker *worker, Resident *resident, Job *job)
{
    LaunchResult result = {.error = LAUNCH_TIMEOUT};
    uint32_t barrier = 0, first = 0;
    while (barrier < 15 && !resident->waiting[barrier])
        barrier++;
    if (resident->waiting[barrier])
        first = (uint32_t)__builtin_ctz(resident->waiting[barrier]);
    worker->warp = first;
    result.line = frame_of(resident, job, first)->line;
    if (resident->cluster_waiting)
        snprintf(result.text, sizeof result.text,
                 "the block can never go on: %d of its %d running warps wait at the barrier of the "
                 "cluster, "
                 "which not every warp will reach (a GPU would hang here)",
                 __builtin_popcount(resident->cluster_waiting), __builtin_popcount(resident->live));
    else
        snprintf(result.text, sizeof result.text,
                 "the block can never go on: %d of its %d running warps wait at barrier %u, which "
                 "nobody else will reach (a GPU would hang here)",
                 __builtin_popcount(resident->waiting[barrier]), __builtin_popcount(resident->live),
                 barrier);
    where(worker, &result);
    worker->in_kernel = 0;
    job_fail(job, &result);
    siglongjmp(worker->escape, ESCAPE_FAILED);
}

/* --- a worker's part of a launch ------------------------------------------------------------ */

static bool claim(Job *job, uint64_t *index)
{
    if (atomic_load_explicit(&job->next, memory_order_relaxed) >= job->total)
        return false;
    *index = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    return *index < job->total;
}

static bool claim_resident(Job *job, uint64_t *index)
{
    if (job->max_resident) {
        if (atomic_fetch_add(&job->resident, 1) >= job->max_resident) {
            atomic_fetch_sub(&job->resident, 1);
            return false;
        }
    }
    if (claim(job, index))
        return true;
    if (job->max_resident)
        atomic_fetch_sub(&job->resident, 1);
    return false;
}

/* Nothing moves: leave the processor to whoever could move it. */
static void back_off(uint32_t idle_rounds)
{
    if (idle_rounds < 16)
        relax();
    else if (idle_rounds < 4096)
        sched_yield();
    else
        nanosleep(&(struct timespec){0, 50000}, NULL);
}

/* Blocks that wait for other blocks: several are resident, each gets its turn. */
static void work_spinning(Worker *worker, Job *job)
{
    size_t active = 0; /* residents 0..active-1 run a block */
    uint32_t idle = 0, next_growth = 8;
    uint64_t index;
    uint32_t wanted = job->share ? job->share : 1;
    while (active < wanted && claim_resident(job, &index)) {
        Resident *resident = resident_at(worker, job, active++);
        resident_start(resident, job, index);
        resident_reset_warps(resident, job);
    }
    while (active && !job->stop) {
        bool progress = false;
        for (size_t i = 0; i < active && !job->stop;) {
            Resident *resident = worker->residents.items[i];
            uint32_t before = resident->live;
            uint32_t ready = resident->ready;
            Step step = block_step(worker, resident, job);
            if (step == STEP_STUCK)
                fail_stuck(worker, resident, job);
            progress |= resident->live != before || resident->ready != ready;
            if (step == STEP_DONE) {
                if (claim(job, &index)) {
                    resident_start(resident, job, index);
                    resident_reset_warps(resident, job);
                } else {
                    if (job->max_resident)
                        atomic_fetch_sub(&job->resident, 1);
                    active--;
                    worker->residents.items[i] = worker->residents.items[active];
                    worker->residents.items[active] = resident;
                    continue;
                }
            }
            i++;
        }
        if (progress) {
            idle = 0;
            continue;
        }
        if (++idle >= next_growth && claim_resident(job, &index)) {
            Resident *resident = resident_at(worker, job, active++);
            resident_start(resident, job, index);
            resident_reset_warps(resident, job);
            next_growth = next_growth < 64 ? next_growth * 2 : next_growth;
            idle = 0;
        } else {
            back_off(idle);
        }
    }
}

static void work_suspending(Worker *worker, Job *job, Resident *resident)
{
    for (;;) {
        uint64_t first = atomic_fetch_add_explicit(&job->next, job->chunk, memory_order_relaxed);
        uint64_t end = first + job->chunk < job->total ? first + job->chunk : job->total;
        for (uint64_t index = first; index < end && !job->stop; index++) {
            resident_start(resident, job, index);
            resident_reset_warps(resident, job);
            uint32_t idle = 0;
            Step step;
            while ((step = block_step(worker, resident, job)) != STEP_DONE && !job->stop) {
                if (step == STEP_STUCK)
                    fail_stuck(worker, resident, job);
                back_off(idle++);
            }
        }
        if (end >= job->total || job->stop)
            return;
    }
}

/* One cluster after the other, its blocks in turns. */
static void work_clusters(Worker *worker, Job *job)
{
    uint32_t count = job->cluster_blocks;
    for (uint32_t r = 0; r < count; r++)
        resident_at(worker, job, r);
    if (!cluster_fit(worker, job)) {
        LaunchResult result = {.error = LAUNCH_OUT_OF_MEMORY,
                               .text = "no host memory for the shared memory of a cluster"};
        service_fail(&worker->residents.items[0]->block, &result);
    }
    uint64_t index;
    while (claim(job, &index) && !job->stop) {
        for (uint32_t r = 0; r < count; r++) {
            Resident *resident = worker->residents.items[r];
            resident->block.shared = worker->cluster_shared + ((size_t)r << GK_CLUSTER_SHIFT);
            resident_start(resident, job, cluster_block(job, index, r));
            resident_reset_warps(resident, job);
            resident->cluster = worker;
            resident->block.cluster_rank = r;
        }
        uint32_t idle = 0;
        for (uint32_t done = 0; done != (1u << count) - 1 && !job->stop;) {
            uint32_t stuck = 0, ready = 0;
            for (uint32_t r = 0; r < count && !job->stop; r++) {
                Resident *resident = worker->residents.items[r];
                if (done >> r & 1)
                    continue;
                worker->current = resident;
                Step step = STEP_DONE;
                if (job->request->kernel->flags & GK_KERNEL_SUSPENDS)
                    step = block_step(worker, resident, job);
                else
                    job->request->kernel->run_block(&resident->block);
                done |= step == STEP_DONE ? 1u << r : 0;
                stuck |= step == STEP_STUCK ? 1u << r : 0;
            }
            for (uint32_t r = 0; r < count; r++)
                ready |= worker->residents.items[r]->ready;
            if ((stuck | done) == (1u << count) - 1 && stuck && !ready)
                fail_stuck(worker, worker->residents.items[__builtin_ctz(stuck)], job);
            if (stuck && (stuck | done) != (1u << count) - 1)
                back_off(idle++);
        }
    }
}

static void work_plain(Worker *worker, Job *job, Resident *resident)
{
    void (*run)(GkBlock *) = job->request->kernel->run_block;
    worker->current = resident;
    for (;;) {
        uint64_t first = atomic_fetch_add_explicit(&job->next, job->chunk, memory_order_relaxed);
        if (first >= job->total || job->stop)
            return;
        uint64_t end = first + job->chunk < job->total ? first + job->chunk : job->total;
        resident_start(resident, job, first);
        GkBlock *block = &resident->block;
        for (uint64_t index = first; index < end && !job->stop; index++) {
            run(block);
            if (++block->ctaid[0] == job->grid.nctaid[0]) {
                block->ctaid[0] = 0;
                if (++block->ctaid[1] == job->grid.nctaid[1]) {
                    block->ctaid[1] = 0;
                    block->ctaid[2]++;
                }
            }
            if (++block->smid == job->grid.nsmid)
                block->smid = 0;
        }
    }
}

/* Stores past the caches (codegen/memory.c, streams) are ordered before whatever says that the blocks
 * are done. */
static void streaming_end(void)
{
#if defined __x86_64__
    __builtin_ia32_sfence();
#endif
}

static void job_work(Worker *worker, Job *job)
{
    worker->current = NULL;
    worker->warp = 0;
    worker->pending = 0;
    atomic_store(&worker->job, job);
    int how = sigsetjmp(worker->escape, 0);
    if (how == 0) {
        worker->in_kernel = 1;
        atomic_signal_fence(memory_order_seq_cst);
        uint32_t flags = job->request->kernel->flags;
        if (job->cluster_blocks > 1)
            work_clusters(worker, job);
        else if (flags & GK_KERNEL_SPINS)
            work_spinning(worker, job);
        else if (flags & GK_KERNEL_SUSPENDS)
            work_suspending(worker, job, resident_at(worker, job, 0));
        else
            work_plain(worker, job, resident_at(worker, job, 0));
        atomic_signal_fence(memory_order_seq_cst);
        streaming_end();
        worker->in_kernel = 0;
    } else if (how == ESCAPE_SIGNAL) {
        LaunchResult result = {0};
        where(worker, &result);
        fault_describe(worker, &result);
        job_fail(job, &result);
    }
    worker->in_service = 0;
    atomic_store(&worker->job, NULL);
}

/* --- helpers ------------------------------------------------------------------------------- */

static bool help_once(Worker *worker)
{
    bool helped = false;
    for (int i = 0; i < SLOTS; i++) {
        Slot *slot = &pool.slot[i];
        if (!atomic_load_explicit(&slot->open, memory_order_relaxed))
            continue;
        atomic_fetch_add(&slot->inside, 1);
        if (atomic_load(&slot->open)) {
            Job *job = atomic_load(&slot->job);
            if (atomic_load_explicit(&job->next, memory_order_relaxed) < job->total) {
                helped = true;
                job_work(worker, job);
            }
        }
        if (atomic_fetch_sub(&slot->inside, 1) == 1 && !atomic_load(&slot->open))
            futex_wake(&slot->inside, INT_MAX);
    }
    return helped;
}

static void *helper_main(void *argument)
{
    int number = (int)(intptr_t)argument;
    Worker *worker = worker_get();
    for (;;) {
        uint32_t seen = atomic_load(&pool.wake);
        bool allowed = number < atomic_load(&pool.helper_limit);
        if (allowed && help_once(worker))
            continue;
        uint64_t until = clock_ns() + 30000;
        bool woken = false;
        for (uint32_t spins = 0; allowed && !woken; spins++) {
            woken = atomic_load_explicit(&pool.wake, memory_order_relaxed) != seen;
            relax();
            if ((spins & 63) == 63 && clock_ns() > until)
                break;
        }
        if (!woken) {
            atomic_fetch_add(&pool.sleepers, 1);
            futex_wait(&pool.wake, seen);
            atomic_fetch_sub(&pool.sleepers, 1);
        }
    }
    return NULL;
}

/* Sees to it that threads - 1 helpers exist; fewer when the system gives no more. */
static void helpers_start(int threads)
{
    if (atomic_load_explicit(&pool.helper_limit, memory_order_relaxed) == threads - 1)
        return;
    pthread_mutex_lock(&pool.lock);
    while (pool.helpers < threads - 1) {
        int number = pool.helpers++;
        pthread_mutex_unlock(&pool.lock);
        int error = launch_thread_start(helper_main, (void *)(intptr_t)number);
        pthread_mutex_lock(&pool.lock);
        if (error) {
            pool.helpers--;
            break;
        }
    }
    atomic_store(&pool.helper_limit, threads - 1);
    pthread_mutex_unlock(&pool.lock);
}

/* --- the time limit ------------------------------------------------------------------------- */

static void *watch_main(void *argument)
{
    (void)argument;
    for (;;) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        uint64_t now = clock_ns();
        for (int i = 0; i < SLOTS; i++) {
            Slot *slot = &pool.slot[i];
            if (!atomic_load_explicit(&slot->taken, memory_order_relaxed))
                continue;
            /* Counting itself keeps the owner from ending the job meanwhile. */
            atomic_fetch_add(&slot->inside, 1);
            Job *job = atomic_load(&slot->job);
            if (job && job->deadline && now > job->deadline) {
                LaunchResult result = {.error = LAUNCH_TIMEOUT};
                snprintf(result.text, sizeof result.text,
                         "it ran longer than the time limit of %g s", pool.time_limit);
                job_fail(job, &result); /* again while workers are still inside */
            } else if (job && job->stop) {
                workers_interrupt(job);
            }
            if (atomic_fetch_sub(&slot->inside, 1) == 1)
                futex_wake(&slot->inside, INT_MAX);
        }
    }
    return NULL;
}

void launch_set_time_limit(double seconds)
{
    pthread_mutex_lock(&pool.lock);
    pool.limit_read = true;
    pool.time_limit = seconds;
    bool start = seconds > 0 && !pool.watching;
    pool.watching |= start;
    pthread_mutex_unlock(&pool.lock);
    if (start)
        launch_thread_start(watch_main, NULL);
}

static void time_limit_init(void)
{
    if (pool.limit_read)
        return;
    const char *text = getenv("GPUKIT_TIME_LIMIT");
    launch_set_time_limit(text ? strtod(text, NULL) : 0);
}

/* --- launches ------------------------------------------------------------------------------ */

static Slot *slot_take(void)
{
    for (uint32_t turn = 0;; turn++) {
        for (int i = 0; i < SLOTS; i++) {
            uint32_t free_slot = 0;
            if (!atomic_load_explicit(&pool.slot[i].taken, memory_order_relaxed) &&
                atomic_compare_exchange_strong(&pool.slot[i].taken, &free_slot, 1))
                return &pool.slot[i];
        }
        back_off(turn + 16);
    }
}

/* Waits until no helper is inside. With stop set, helpers that do not look get another signal. */
static void slot_close(Slot *slot, const Job *job)
{
    atomic_store(&slot->open, 0);
    for (uint32_t spins = 0;; spins++) {
        uint32_t inside = atomic_load(&slot->inside);
        if (!inside)
            break;
        if (job->stop) {
            workers_interrupt(job);
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        } else if (spins < 2000) {
            relax();
        } else {
            futex_wait(&slot->inside, inside);
        }
    }
    atomic_store(&slot->job, NULL);
    /* The watchdog may have looked in between; it leaves at once. */
    while (atomic_load(&slot->inside))
        relax();
}

static void job_init(Job *job, const LaunchRequest *request, int threads)
{
    const GkKernel *kernel = request->kernel;
    uint64_t threads_per_block =
        (uint64_t)request->block[0] * request->block[1] * request->block[2];
    static _Atomic uint64_t next_grid = 1;
    job->request = request;
    job->grid = (GkGrid){
        .params = request->params,
        .variables = request->variables,
        .services = &gk_services,
        .nctaid = {request->grid[0], request->grid[1], request->grid[2]},
        .ntid = {request->block[0], request->block[1], request->block[2]},
        .warps = (uint32_t)((threads_per_block + GK_WARP - 1) / GK_WARP),
        .static_shared = (kernel->static_shared + 15) & ~15u,
        .dynamic_shared = request->dynamic_shared,
        .nsmid = request->sms ? request->sms : 1,
        .gridid = atomic_fetch_add(&next_grid, 1),
        .stop = (volatile uint32_t *)&job->stop,
        .launch = job,
        .workspace = {sizeof job->grid.workspace, 0},
    };
    job->total = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
    job->grid.threads = job->total * threads_per_block;
    job->cluster_blocks = 1;
    for (int i = 0; i < 3; i++) {
        job->grid.cluster[i] = request->cluster[i] ? request->cluster[i] : 1;
        job->cluster_blocks *= job->grid.cluster[i];
    }
    job->total /= job->cluster_blocks;
    job->grid.explicit_cluster = request->explicit_cluster;
    uint64_t chunk = job->total / ((uint64_t)threads * 32);
    job->chunk = (uint32_t)(chunk < 1 ? 1 : chunk > 1024 ? 1024 : chunk);
    job->max_resident = request->max_resident;
    if (request->cooperative) {
        job->max_resident = 0;
        job->share = (uint32_t)((job->total + (uint64_t)threads - 1) / (uint64_t)threads);
    }
    if (pool.time_limit > 0)
        job->deadline = clock_ns() + (uint64_t)(pool.time_limit * 1e9);
}

/* Whether helpers are worth waking, and at all worth opening the launch to. */
static bool is_short(const LaunchRequest *request, uint64_t total, double limit_ns)
{
    if (total <= 1)
        return true;
    double each = request->hint ? request->hint->ns_per_block : 0;
    return each > 0 && each * (double)total < limit_ns;
}

/* The launched grids in order of launch; frees the buffers of those that never were. */
static LaunchChild *job_children(Job *job)
{
    LaunchChild *list = NULL;
    for (LaunchChild *c = atomic_load(&job->launched), *after; c; c = after) {
        after = c->after;
        c->after = list;
        list = c;
    }
    for (LaunchChild *c = atomic_load(&job->buffers), *next; c; c = next) {
        next = c->next;
        if (!c->launched)
            free(c);
    }
    for (LaunchChild *c = list; c; c = c->next)
        c->next = c->after;
    return list;
}

uint32_t launch_run(const LaunchRequest *request, LaunchResult *result)
{
    *result = (LaunchResult){0};
    if (atomic_load_explicit(&pool.forked, memory_order_relaxed)) {
        result->error = LAUNCH_FAILURE;
        snprintf(result->text, sizeof result->text, "kernels cannot run in a forked child");
        return result->error;
    }
    fault_install();
    time_limit_init();
    int threads = launch_threads();
    Worker *worker = worker_get();
    Job job;
    memset(&job, 0, sizeof job);
    job_init(&job, request, threads);
    if (!job.total || !job.grid.warps)
        return 0;
    Slot *slot = NULL;
    bool alone = threads == 1 || is_short(request, job.total, 2000);
    if (!alone || job.deadline) {
        slot = slot_take();
        atomic_store(&slot->job, &job);
    }
    if (!alone) {
        helpers_start(threads);
        atomic_store(&slot->open, 1);
        atomic_fetch_add(&pool.wake, 1);
        if (atomic_load(&pool.sleepers) && !is_short(request, job.total, 6000)) {
            uint64_t useful =
                job.total - 1 < (uint64_t)threads - 1 ? job.total - 1 : (uint64_t)threads - 1;
            futex_wake(&pool.wake, (int)useful);
        }
    }
    uint64_t started = request->hint ? clock_ns() : 0;
    job_work(worker, &job);
    if (slot) {
        slot_close(slot, &job);
        atomic_store(&slot->taken, 0);
    }
    if (request->hint) {
        double used = (double)(clock_ns() - started) * (alone ? 1 : threads) / (double)job.total;
        double old = request->hint->ns_per_block;
        request->hint->ns_per_block = old > 0 ? old * 0.75 + used * 0.25 : used;
    }
    if (atomic_load(&job.failed))
        *result = job.result;
    result->children = job_children(&job);
    return result->error;
}

void launch_after_fork(void)
{
    atomic_store(&pool.forked, true);
}
