/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to launch/: what a thread that runs kernel code knows about itself. */
#ifndef GPUKIT_LAUNCH_WORKER_H
#define GPUKIT_LAUNCH_WORKER_H

#include "base/arena.h"
#include "launch/launch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

typedef struct Job {
    const LaunchRequest *request;
    GkGrid grid;
    _Atomic uint32_t stop;
    uint64_t total; /* blocks; clusters of them when cluster_blocks > 1 */
    uint32_t cluster_blocks;
    uint32_t chunk;
    _Alignas(64) _Atomic uint64_t next;
    _Alignas(64) _Atomic uint32_t resident;
    uint32_t max_resident;
    uint32_t share; /* cooperative: blocks a worker makes resident at once */
    _Atomic uint32_t failed;
    LaunchResult result;
    LaunchChild *_Atomic buffers;  /* every parameter buffer, newest first */
    LaunchChild *_Atomic launched; /* newest first */
    uint64_t deadline;             /* ns of CLOCK_MONOTONIC; 0 = none */
} Job;

/* Memory and progress of one block that has begun. */
typedef struct {
    GkBlock block;
    uint8_t *frames;
    size_t shared_room, local_room, frames_room;
    uint32_t resume[GK_WARP]; /* a block has at most 32 warps */
    uint32_t live, ready;     /* bit per warp */
    uint32_t spun;            /* warps that gave up their turn when they last ran */
    uint32_t waiting[16];     /* warps at each barrier */
    uint32_t arrived[16];     /* threads that arrived, bar.arrive included */
    uint32_t expected[16];    /* threads; 0 = every live warp */
    uint8_t *own_shared;      /* block.shared, unless that lies in the cluster's */
    struct Worker
        *cluster; /* whose residents 0..cluster_blocks-1 are this block's cluster; NULL: alone */
    uint32_t cluster_arrived, cluster_released,
        cluster_waiting; /* warps at the cluster's barrier */
} Resident;

typedef struct Worker {
    sigjmp_buf escape;
    volatile sig_atomic_t in_kernel;  /* a fault now belongs to the kernel */
    volatile sig_atomic_t in_service; /* SERVICE_*: an abort must wait */
    volatile sig_atomic_t pending;    /* an abort came during a service */
    Job *_Atomic job;
    Resident *current;
    uint32_t warp;
    /* the fault, filled in by the signal handler */
    int fault_signal, fault_code;
    uint64_t fault_address;
    uint8_t *cluster_shared; /* shared memory of a whole cluster: one block each GK_CLUSTER_SHIFT */
    size_t cluster_room;     /* bytes of each that may be used */
    char *stack_low;         /* lowest address of the thread's stack */
    VEC(Resident *) residents;
    pthread_t thread;
    void *signal_stack;
} Worker;

/* DEFER: uses malloc, may still fault on the kernel's pointers. LOCKED: holds a lock of ours. */
enum { SERVICE_NONE, SERVICE_DEFER, SERVICE_LOCKED };
enum { ESCAPE_ABORT = 1, ESCAPE_SIGNAL = 2, ESCAPE_FAILED = 3 };

extern _Thread_local Worker *worker_self __attribute__((tls_model("initial-exec")));

/* The calling thread's worker, made at the first call: alternate stack, signal mask. */
Worker *worker_get(void);
/* Interrupts every other worker that runs the job. */
void workers_interrupt(const Job *job);
/* Records the first failure of the job and stops it. */
void job_fail(Job *job, const LaunchResult *result);

/* fault.c: installs the handlers if they are not (or no longer) ours. */
void fault_install(void);
int fault_stop_signal(void);
/* Fills result from the signal that the worker caught. */
void fault_describe(const Worker *worker, LaunchResult *result);

/* Between these the worker cannot be interrupted; end leaves the kernel when it was asked to. */
void service_begin(void);
void service_end(void);
/* Leaves the kernel with the result. */
_Noreturn void service_fail(GkBlock *block, const LaunchResult *result);

extern const GkServices gk_services;

#endif
