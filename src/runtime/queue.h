/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams of the CPU engine: queues of operations, each with its own thread. */
#ifndef GPUKIT_RUNTIME_QUEUE_H
#define GPUKIT_RUNTIME_QUEUE_H

#include "runtime/device.h"

#include <stdatomic.h>

/* A point in a queue: everything up to and including operation seq. */
typedef struct {
    DevQueue *queue;
    uint64_t seq;
} QueuePoint;

typedef struct Op Op;
struct Op {
    Op *next;
    /* Runs on the queue's thread; not called once the device has a sticky error, unless always. */
    void (*run)(Op *op);
    void (*drop)(Op *op); /* frees what the operation holds; may be NULL */
    bool always;
    uint64_t seq;
    QueuePoint *waits;
    uint32_t wait_count, wait_room;
    _Alignas(16) unsigned char data[448]; /* the operation's own */
};

DevQueue *queue_legacy(void);
int queue_new(unsigned flags, DevQueue **out);
void queue_free(DevQueue *queue); /* its operations still run */

/* An empty operation of the queue, to be filled in and posted. */
Op *queue_op(DevQueue *queue);
/* Adds an explicit wait to an operation that is not posted yet. */
void op_wait_for(Op *op, QueuePoint point);
/* Posts with the waits that the default-stream rules demand. Returns its place. */
QueuePoint queue_post(DevQueue *queue, Op *op);

QueuePoint queue_last(DevQueue *queue);
bool point_done(QueuePoint point);
void point_wait(QueuePoint point);
/* Everything in this queue, and what an operation posted now would have to wait for. */
bool queue_idle(DevQueue *queue);
void queue_wait(DevQueue *queue);
void queue_wait_all(void);
void queues_after_fork(void);

/* The sticky error: set by the first failed kernel, cleared by a reset. */
extern _Atomic int queue_sticky;
/* GPUKIT_LATE: microseconds by which operations start late; 0: as soon as they can. Set at the
 * start. */
extern unsigned queue_late_us;

#endif
