/* SPDX-License-Identifier: Apache-2.0
 *
 * Each queue has a thread that runs its operations in order, so that a kernel that spins leaves the
 * host and the other streams free. Order between queues: an operation of the legacy default stream
 * waits for all earlier work of blocking streams, and theirs for its; everything else goes through
 * explicit waits (events). Finished points stay valid for ever: queues are reused, never freed, and
 * count on. */
#include "runtime/queue.h"

#include "base/arena.h"
#include "base/clock.h"
#include "launch/launch.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { QUEUE_DEPTH = 16384 }; /* operations that may wait before the host has to */

struct DevQueue {
    pthread_mutex_t lock;
    Op *head, *tail, *spare;
    bool started, blocking, unused;
    unsigned number;       /* counts the queues; the legacy one is 0 */
    _Atomic uint64_t last; /* seq of the newest operation */
    _Alignas(64) _Atomic uint64_t done;
    _Atomic uint32_t done_word; /* futex: changes when done moves and somebody waits */
    _Atomic uint32_t waiters;
    _Alignas(64) _Atomic uint32_t posted; /* futex: changes with each post */
    _Atomic uint32_t sleeping;
    DevQueue *next; /* all queues */
};

_Atomic int queue_sticky;
unsigned queue_late_us;

static DevQueue legacy = {.lock = PTHREAD_MUTEX_INITIALIZER, .blocking = true};
static DevQueue *_Atomic all_queues = &legacy;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static bool after_fork;

static void relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static void futex(_Atomic uint32_t *word, int operation, uint32_t value)
{
    syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

DevQueue *queue_legacy(void)
{
    return &legacy;
}

int queue_new(unsigned flags, DevQueue **out)
{
    bool blocking = !(flags & DEV_QUEUE_NON_BLOCKING);
    pthread_mutex_lock(&list_lock);
    DevQueue *queue = NULL;
    for (DevQueue *q = atomic_load(&all_queues); q; q = q->next)
        if (q->unused && atomic_load(&q->done) == atomic_load(&q->last)) {
            queue = q;
            break;
        }
    if (queue) {
        queue->unused = false;
        queue->blocking = blocking;
    } else {
        queue = aligned_alloc(64, (sizeof *queue + 63) & ~(size_t)63);
        if (!queue) {
            pthread_mutex_unlock(&list_lock);
            return 2;
        }
        memset(queue, 0, sizeof *queue);
        pthread_mutex_init(&queue->lock, NULL);
        queue->blocking = blocking;
        queue->next = atomic_load(&all_queues);
        queue->number = queue->next->number + 1;
        atomic_store(&all_queues, queue);
    }
    pthread_mutex_unlock(&list_lock);
    *out = queue;
    return 0;
}

void queue_free(DevQueue *queue)
{
    pthread_mutex_lock(&list_lock);
    queue->unused = true;
    pthread_mutex_unlock(&list_lock);
}

/* --- waiting ------------------------------------------------------------------------------- */

bool point_done(QueuePoint point)
{
    return !point.queue || atomic_load(&point.queue->done) >= point.seq;
}

void point_wait(QueuePoint point)
{
    if (point_done(point))
        return;
    DevQueue *queue = point.queue;
    uint64_t until = clock_ns() + 20000;
    for (uint32_t spins = 1;; spins++) {
        relax();
        if (atomic_load_explicit(&queue->done, memory_order_acquire) >= point.seq)
            return;
        if ((spins & 63) == 0 && clock_ns() > until)
            break;
    }
    atomic_fetch_add(&queue->waiters, 1);
    for (;;) {
        uint32_t word = atomic_load(&queue->done_word);
        if (atomic_load(&queue->done) >= point.seq)
            break;
        futex(&queue->done_word, FUTEX_WAIT_PRIVATE, word);
    }
    atomic_fetch_sub(&queue->waiters, 1);
}

QueuePoint queue_last(DevQueue *queue)
{
    return (QueuePoint){queue, atomic_load(&queue->last)};
}

static bool drained(DevQueue *queue)
{
    return atomic_load(&queue->done) >= atomic_load(&queue->last);
}

bool queue_idle(DevQueue *queue)
{
    if (!drained(queue))
        return false;
    if (queue == &legacy) {
        for (DevQueue *q = atomic_load(&all_queues); q; q = q->next)
            if (q->blocking && !drained(q))
                return false;
    } else if (queue->blocking && !drained(&legacy)) {
        return false;
    }
    return true;
}

void queue_wait(DevQueue *queue)
{
    if (queue == &legacy)
        for (DevQueue *q = atomic_load(&all_queues); q; q = q->next)
            if (q->blocking)
                point_wait(queue_last(q));
    point_wait(queue_last(queue));
}

void queue_wait_all(void)
{
    for (DevQueue *q = atomic_load(&all_queues); q; q = q->next)
        point_wait(queue_last(q));
}

/* --- running ------------------------------------------------------------------------------- */

static void finish(DevQueue *queue, uint64_t seq)
{
    atomic_store(&queue->done, seq);
    if (atomic_load(&queue->waiters)) {
        atomic_fetch_add(&queue->done_word, 1);
        futex(&queue->done_word, FUTEX_WAKE_PRIVATE, INT_MAX);
    }
}

/* Takes everything that was posted; gives the finished operations back for reuse. */
static Op *take(DevQueue *queue, Op **finished)
{
    pthread_mutex_lock(&queue->lock);
    Op *list = queue->head;
    queue->head = queue->tail = NULL;
    while (*finished) {
        Op *op = *finished;
        *finished = op->next;
        op->next = queue->spare;
        queue->spare = op;
    }
    pthread_mutex_unlock(&queue->lock);
    return list;
}

/* With queue_late_us every second operation starts late, by a hash of its number in its queue, so
 * that two queues seldom agree and the same program meets the same delays. */
static void be_late(const DevQueue *queue, uint64_t seq)
{
    uint64_t hash = (seq + queue->number * 7919u) * 0x9e3779b97f4a7c15u;
    struct timespec t = {queue_late_us / 1000000, queue_late_us % 1000000 * 1000L};
    if (hash >> 63)
        nanosleep(&t, NULL);
}

static void *queue_main(void *argument)
{
    DevQueue *queue = argument;
    Op *finished = NULL;
    for (;;) {
        uint32_t seen = atomic_load(&queue->posted);
        Op *list = take(queue, &finished);
        while (list) {
            Op *op = list;
            list = op->next;
            for (uint32_t i = 0; i < op->wait_count; i++)
                point_wait(op->waits[i]);
            op->wait_count = 0;
            if (queue_late_us)
                be_late(queue, op->seq);
            if (op->always || !atomic_load_explicit(&queue_sticky, memory_order_relaxed))
                op->run(op);
            if (op->drop)
                op->drop(op);
            uint64_t seq = op->seq;
            op->next = finished;
            finished = op;
            finish(queue, seq);
        }
        uint64_t until = clock_ns() + 40000;
        bool more = false;
        for (uint32_t spins = 1; !more; spins++) {
            more = atomic_load_explicit(&queue->posted, memory_order_relaxed) != seen;
            relax();
            if ((spins & 63) == 0 && clock_ns() > until)
                break;
        }
        if (!more) {
            atomic_store(&queue->sleeping, 1);
            if (atomic_load(&queue->posted) == seen)
                futex(&queue->posted, FUTEX_WAIT_PRIVATE, seen);
            atomic_store(&queue->sleeping, 0);
        }
    }
    return NULL;
}

/* --- posting ------------------------------------------------------------------------------- */

Op *queue_op(DevQueue *queue)
{
    pthread_mutex_lock(&queue->lock);
    Op *op = queue->spare;
    if (op)
        queue->spare = op->next;
    pthread_mutex_unlock(&queue->lock);
    if (!op) {
        op = aligned_alloc(64, (sizeof *op + 63) & ~(size_t)63);
        if (!op)
            abort();
        memset(op, 0, sizeof *op);
    }
    op->run = NULL;
    op->drop = NULL;
    op->always = false;
    op->wait_count = 0;
    return op;
}

void op_wait_for(Op *op, QueuePoint point)
{
    if (point_done(point))
        return;
    if (op->wait_count == op->wait_room) {
        op->wait_room = op->wait_room ? op->wait_room * 2 : 4;
        op->waits = xrealloc(op->waits, op->wait_room * sizeof *op->waits);
    }
    op->waits[op->wait_count++] = point;
}

QueuePoint queue_post(DevQueue *queue, Op *op)
{
    if (queue == &legacy) {
        for (DevQueue *q = atomic_load(&all_queues); q; q = q->next)
            if (q->blocking && q != queue)
                op_wait_for(op, queue_last(q));
    } else if (queue->blocking) {
        op_wait_for(op, queue_last(&legacy));
    }
    while (atomic_load_explicit(&queue->last, memory_order_relaxed) -
               atomic_load_explicit(&queue->done, memory_order_relaxed) >
           QUEUE_DEPTH)
        sched_yield();
    pthread_mutex_lock(&queue->lock);
    op->seq = atomic_load_explicit(&queue->last, memory_order_relaxed) + 1;
    op->next = NULL;
    uint64_t seq = op->seq;
    if (queue->tail)
        queue->tail->next = op;
    else
        queue->head = op;
    queue->tail = op;
    atomic_store(&queue->last, seq);
    bool start = !queue->started;
    queue->started = true;
    pthread_mutex_unlock(&queue->lock);
    if (start && !after_fork && launch_thread_start(queue_main, queue)) {
        /* No thread to be had: the operation cannot run, and nobody may wait for it. */
        atomic_store(&queue_sticky, 2);
        finish(queue, seq);
        queue->started = false;
    }
    atomic_fetch_add(&queue->posted, 1);
    if (atomic_load(&queue->sleeping))
        futex(&queue->posted, FUTEX_WAKE_PRIVATE, 1);
    return (QueuePoint){queue, seq};
}

/* In a forked child there are no queue threads: nothing is pending and nothing will run. */
void queues_after_fork(void)
{
    after_fork = true;
    for (DevQueue *q = atomic_load(&all_queues); q; q = q->next)
        atomic_store(&q->done, UINT64_MAX);
}
