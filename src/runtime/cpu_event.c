/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of the CPU engine. One that no other process has is a place in a queue. One that was given to other
 * processes counts its records in memory that all of them map: whoever records takes the next number, and
 * the event is done when the count of finished records has reached it. A process that ended has finished
 * what it recorded, as its work on a GPU ends with it. */
#include "runtime/cpu_event.h"

#include "base/arena.h"
#include "base/clock.h"
#include "launch/launch.h"
#include "runtime/queue.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OK = 0, INVALID_HANDLE = 400, NOT_READY = 600 };
enum { HANDOVER_EVENT = 2, SHARED_BYTES = 4096, LOOK_NS = 50000000 };

/* In the file that processes share. */
typedef struct {
    _Atomic uint64_t recorded, done;
    _Atomic uint32_t word, waiters; /* futex: changes when done moves and somebody waits */
    _Atomic int32_t recorder;       /* process of the last record */
} Shared;

struct DevEvent {
    _Atomic uint32_t holders; /* the program, and operations in flight */
    bool timing;
    QueuePoint point;  /* of the last record here; queue NULL: never recorded */
    uint64_t recorded; /* how often, before it was shared */
    _Atomic uint64_t time_ns;
    Shared *_Atomic shared; /* NULL: of this process only */
    HandoverTicket ticket;  /* kind 0: not given */
};

/* An operation that records, or waits until the shared event has done so many. */
typedef struct {
    DevEvent *event;
    uint64_t number;
} EventWork;

int cpu_after_wait(void)
{
    launch_flush_prints();
    return atomic_load(&queue_sticky);
}

static void event_release(DevEvent *event)
{
    if (atomic_fetch_sub(&event->holders, 1) != 1)
        return;
    if (event->shared)
        munmap(event->shared, SHARED_BYTES);
    if (event->ticket.kind)
        close(event->ticket.file);
    free(event);
}

int cpu_event_new(bool timing, bool blocking, DevEvent **out)
{
    (void)blocking;
    DevEvent *event = xcalloc(1, sizeof *event);
    atomic_store(&event->holders, 1);
    event->timing = timing;
    *out = event;
    return OK;
}

int cpu_event_free(DevEvent *event)
{
    event_release(event);
    return OK;
}

/* --- shared ------------------------------------------------------------------------------- */

static void shared_finish(Shared *s, uint64_t number)
{
    uint64_t done = atomic_load(&s->done);
    while (done < number && !atomic_compare_exchange_weak(&s->done, &done, number))
        ;
    if (atomic_load(&s->waiters)) {
        atomic_fetch_add(&s->word, 1);
        syscall(SYS_futex, &s->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
}

/* Ended, whether its parent knows it yet or not. */
static bool process_ended(int process)
{
    char path[32], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "re");
    if (!file)
        return kill(process, 0) < 0 && errno == ESRCH;
    bool read = fscanf(file, "%*d (%*[^)]%*[)] %c", &state) == 1;
    fclose(file);
    return read && (state == 'Z' || state == 'X');
}

static void shared_wait(Shared *s, uint64_t number)
{
    static const struct timespec look = {0, LOOK_NS};
    atomic_fetch_add(&s->waiters, 1);
    for (;;) {
        uint32_t word = atomic_load(&s->word);
        if (atomic_load(&s->done) >= number)
            break;
        syscall(SYS_futex, &s->word, FUTEX_WAIT, word, &look, NULL, 0);
        if (atomic_load(&s->done) < number && process_ended(atomic_load(&s->recorder)))
            shared_finish(s, number);
    }
    atomic_fetch_sub(&s->waiters, 1);
}

static Shared *shared_map(int file)
{
    void *map = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return map == MAP_FAILED ? NULL : map;
}

/* Records in flight finish their numbers in the shared memory, too: it starts with theirs. */
int cpu_event_give(DevEvent *event, HandoverTicket *ticket)
{
    if (!event->ticket.kind) {
        HandoverTicket new;
        int file = handover_new(HANDOVER_EVENT, SHARED_BYTES, &new);
        Shared *shared = file < 0 ? NULL : shared_map(file);
        if (!shared) {
            if (file >= 0)
                close(file);
            return -ENOMEM;
        }
        atomic_store(&shared->recorded, event->recorded);
        atomic_store(&shared->recorder, getpid());
        atomic_store(&event->shared, shared);
        if (point_done(event->point))
            shared_finish(shared, event->recorded);
        new.bytes = sizeof *shared;
        event->ticket = new;
    }
    *ticket = event->ticket;
    return 0;
}

int cpu_event_open(const HandoverTicket *ticket, DevEvent **out)
{
    int file = handover_open(ticket, HANDOVER_EVENT);
    if (file < 0)
        return file;
    Shared *shared = ticket->room == SHARED_BYTES ? shared_map(file) : NULL;
    close(file);
    if (!shared)
        return -ENOMEM;
    cpu_event_new(false, false, out);
    atomic_store(&(*out)->shared, shared);
    return 0;
}

/* --- either ------------------------------------------------------------------------------- */

static void run_record(Op *op)
{
    const EventWork *work = (const EventWork *)(const void *)op->data;
    atomic_store(&work->event->time_ns, clock_ns());
}

static void run_wait(Op *op)
{
    const EventWork *work = (const EventWork *)(const void *)op->data;
    shared_wait(work->event->shared, work->number);
}

static void drop_wait(Op *op)
{
    event_release(((const EventWork *)(const void *)op->data)->event);
}

/* Behind the record, and in its place after a fault. */
static void drop_record(Op *op)
{
    const EventWork *work = (const EventWork *)(const void *)op->data;
    if (work->event->shared)
        shared_finish(work->event->shared, work->number);
    event_release(work->event);
}

static QueuePoint post(DevEvent *event, uint64_t number, DevQueue *queue, void (*run)(Op *),
                       void (*drop)(Op *))
{
    Op *op = queue_op(queue);
    op->run = run;
    op->drop = drop;
    *(EventWork *)(void *)op->data = (EventWork){event, number};
    atomic_fetch_add(&event->holders, 1);
    return queue_post(queue, op);
}

int cpu_event_record(DevEvent *event, DevQueue *queue)
{
    int sticky = atomic_load(&queue_sticky);
    if (sticky)
        return sticky;
    Shared *s = event->shared;
    if (s)
        atomic_store(&s->recorder, getpid());
    uint64_t number = s ? atomic_fetch_add(&s->recorded, 1) + 1 : ++event->recorded;
    event->point = post(event, number, queue, run_record, drop_record);
    return OK;
}

static bool is_done(DevEvent *event)
{
    const Shared *s = event->shared;
    if (!s)
        return point_done(event->point);
    return atomic_load(&s->done) >= atomic_load(&s->recorded) ||
           process_ended(atomic_load(&s->recorder));
}

int cpu_event_query(DevEvent *event)
{
    int sticky = atomic_load(&queue_sticky);
    return sticky ? sticky : is_done(event) ? OK : NOT_READY;
}

int cpu_event_wait(DevEvent *event)
{
    if (event->shared)
        shared_wait(event->shared, atomic_load(&event->shared->recorded));
    else
        point_wait(event->point);
    return cpu_after_wait();
}

int cpu_event_elapsed(DevEvent *start, DevEvent *end, float *ms)
{
    if (!start->timing || !end->timing || !start->point.queue || !end->point.queue)
        return INVALID_HANDLE;
    if (!point_done(start->point) || !point_done(end->point))
        return NOT_READY;
    int64_t ns = (int64_t)(atomic_load(&end->time_ns) - atomic_load(&start->time_ns));
    *ms = (float)((double)ns * 1e-6);
    return OK;
}

static void run_nothing(Op *op)
{
    (void)op;
}

int cpu_queue_wait_event(DevQueue *queue, DevEvent *event)
{
    if (is_done(event))
        return OK;
    if (event->shared) {
        post(event, atomic_load(&event->shared->recorded), queue, run_wait, drop_wait);
    } else {
        Op *op = queue_op(queue);
        op->run = run_nothing;
        op_wait_for(op, event->point);
        queue_post(queue, op);
    }
    return OK;
}
