/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one kernel launch over the processor's cores and waits for it. Which thread calls, and in
 * which order, is the runtime's business: several launches may run at the same time, each from its
 * own thread. */
#ifndef GPUKIT_LAUNCH_LAUNCH_H
#define GPUKIT_LAUNCH_LAUNCH_H

#include "launch/abi.h"

#include <stdbool.h>
#include <stdio.h>

/* CUDA error codes that a kernel can end with. */
enum {
    LAUNCH_OK = 0,
    LAUNCH_OUT_OF_MEMORY = 2,
    LAUNCH_ILLEGAL_ADDRESS = 700,
    LAUNCH_TIMEOUT = 702,
    LAUNCH_ASSERT = 710,
    LAUNCH_HARDWARE_STACK = 714,
    LAUNCH_ILLEGAL_INSTRUCTION = 715,
    LAUNCH_MISALIGNED = 716,
    LAUNCH_ADDRESS_SPACE = 717,
    LAUNCH_FAILURE = 719,
};

/* What earlier launches of a kernel cost; zero at first. Owned by the caller, one per kernel. */
typedef struct {
    _Atomic double ns_per_block;
} LaunchHint;

typedef struct {
    const GkKernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t cluster[3]; /* blocks of a cluster; 0 or 1: none */
    bool explicit_cluster;
    uint32_t dynamic_shared;
    const void *params;        /* must stay until launch_run returns */
    const uint64_t *variables; /* likewise */
    bool cooperative;          /* every block must be resident at once */
    uint32_t max_resident;     /* blocks that the described device holds; 0 = no limit */
    uint32_t sms;              /* of the described device, for %smid and %nsmid; at least 1 */
    LaunchHint *hint;          /* may be NULL */
} LaunchRequest;

/* A grid that a kernel launched (dynamic parallelism). */
typedef struct LaunchChild {
    struct LaunchChild *next, *after;
    uint64_t function; /* ir_function_number of its kernel */
    uint32_t grid[3], block[3], shared;
    bool launched;
    uint64_t stream;
    _Alignas(16) unsigned char params[4096];
} LaunchChild;

typedef struct {
    LaunchChild
        *children;    /* in order of launch; for the caller to run, with their own, and to free */
    uint32_t error;   /* LAUNCH_* */
    uint64_t address; /* device address of a bad access, 0 unknown */
    bool has_position;
    uint32_t ctaid[3], warp, mask; /* mask 0: lanes unknown */
    uint32_t line;
    char text[384]; /* one sentence about an error, without the newline */
} LaunchResult;

/* Returns result->error. */
uint32_t launch_run(const LaunchRequest *request, LaunchResult *result);

/* Worker threads, the calling one included: GPUKIT_THREADS, else every core this process may use.
 */
int launch_threads(void);
/* Takes effect for later launches; 0 = the default. */
void launch_set_threads(int threads);
/* Seconds one kernel may run; 0 = no limit. The first value is GPUKIT_TIME_LIMIT. */
void launch_set_time_limit(double seconds);

/* Starts a thread that is fit for launch_run: big stack, asynchronous signals blocked.
 * 0 or an errno value. */
int launch_thread_start(void *(*function)(void *), void *argument);

/* Floating-point operations so far of kernels that were compiled to count them. */
void launch_operations(uint64_t *f32, uint64_t *f64);

/* Device printf and assert output since the last flush, to stdout and stderr. */
void launch_flush_prints(void);
bool launch_has_prints(void);
void launch_discard_prints(void);
void launch_set_print_fifo(size_t bytes); /* cudaLimitPrintfFifoSize */
size_t launch_print_fifo(void);
void launch_set_malloc_heap(size_t bytes); /* cudaLimitMallocHeapSize; before the first malloc */
size_t launch_malloc_heap(void);
/* Forgets threads of the parent; every later launch_run fails. Called in a forked child. */
void launch_after_fork(void);

#endif
