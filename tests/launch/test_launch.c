/* SPDX-License-Identifier: Apache-2.0
 * The launcher, with kernels written by hand in C as the code generator would write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "launch/lanes.h"
#include "launch/launch.h"
#include "launch/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void *reach(uint64_t address)
{
    return (void *)(address + GK_DELTA);
}

static uint64_t device_words(size_t count)
{
    uint64_t address;
    assert_int_equal(mem_alloc(MEM_DEVICE, count * 4, 0, 0, &address), 0);
    memset(mem_reach(address), 0, count * 4);
    return address;
}

static uint32_t run(const GkKernel *kernel, uint32_t gx, uint32_t gy, uint32_t bx,
                    const void *params, LaunchResult *result)
{
    LaunchRequest request = {.kernel = kernel,
                             .grid = {gx, gy, 1},
                             .block = {bx, 1, 1},
                             .params = params,
                             .sms = 4,
                             .max_resident = 128};
    return launch_run(&request, result);
}

/* --- blocks, coordinates -------------------------------------------------------------------- */

static void block_count(GkBlock *block)
{
    uint64_t out = *(const uint64_t *)block->grid->params;
    uint32_t index = block->ctaid[1] * block->grid->nctaid[0] + block->ctaid[0];
    atomic_fetch_add((_Atomic uint32_t *)reach(out) + index, 1 + block->smid * 100);
}

static void test_every_block_once(void **state)
{
    (void)state;
    GkKernel kernel = {.abi_version = GK_ABI_VERSION, .run_block = block_count, .name = "count"};
    enum { X = 301, Y = 77 };
    uint64_t out = device_words(X * Y);
    LaunchResult result;
    for (int turn = 0; turn < 3; turn++) {
        memset(reach(out), 0, X * Y * 4);
        assert_int_equal(run(&kernel, X, Y, 64, &out, &result), 0);
        for (uint32_t i = 0; i < X * Y; i++)
            assert_int_equal(((uint32_t *)reach(out))[i], 1 + i % 4 * 100);
    }
    mem_free(out, ~0u);
}

/* --- barriers ------------------------------------------------------------------------------- */

typedef struct {
    GkFrame head;
    uint32_t step;
    uint32_t pad[15];
} Frame;

/* Tree reduction over shared memory, one value per warp; the block's sum goes to out[block]. */
static uint64_t warp_reduce(GkBlock *block, uint32_t warp, uint8_t *memory, uint32_t resume)
{
    Frame *frame = (Frame *)(void *)memory;
    uint32_t *shared = (uint32_t *)(void *)block->shared;
    if (resume == 0) {
        shared[warp] = warp + block->ctaid[0];
        frame->step = block->grid->warps / 2;
    } else {
        if (warp < frame->step)
            shared[warp] += shared[warp + frame->step];
        frame->step /= 2;
    }
    if (frame->step == 0) {
        uint64_t out = *(const uint64_t *)block->grid->params;
        if (warp == 0)
            ((uint32_t *)reach(out))[block->ctaid[0]] = shared[0];
        return 0;
    }
    frame->head = (GkFrame){.mask = ~0u};
    return GK_SUSPEND(GK_KIND_BARRIER, 1);
}

static void test_barriers(void **state)
{
    (void)state;
    GkKernel kernel = {.abi_version = GK_ABI_VERSION,
                       .flags = GK_KERNEL_SUSPENDS,
                       .frame_bytes = sizeof(Frame),
                       .static_shared = 128,
                       .run_warp = warp_reduce,
                       .name = "reduce"};
    uint64_t out = device_words(1000);
    for (int spins = 0; spins < 2; spins++) {
        kernel.flags = GK_KERNEL_SUSPENDS | (spins ? GK_KERNEL_SPINS : 0);
        memset(reach(out), 0, 4000);
        LaunchResult result;
        assert_int_equal(run(&kernel, 1000, 1, 1024, &out, &result), 0);
        for (uint32_t i = 0; i < 1000; i++)
            assert_int_equal(((uint32_t *)reach(out))[i], 32 * i + 31 * 32 / 2);
    }
    mem_free(out, ~0u);
}

/* bar.red: popc, and, or; half of the warps leave early and must not hold the barrier. */
static uint64_t warp_red(GkBlock *block, uint32_t warp, uint8_t *memory, uint32_t resume)
{
    GkFrame *frame = (GkFrame *)(void *)memory;
    uint64_t out = *(const uint64_t *)block->grid->params;
    uint32_t *result = (uint32_t *)reach(out) + block->ctaid[0] * 4;
    if (resume > 0 && warp == 0)
        result[resume - 1] = frame->reduce_result + 1;
    if (resume == 0 && (warp & 1))
        return 0;
    if (resume == 3)
        return 0;
    static const uint32_t ops[] = {1, 2, 3};
    *frame = (GkFrame){.barrier = resume + 1, .reduce_op = ops[resume], .mask = ~0u};
    frame->reduce_value = resume == 0 ? 5 + warp : resume == 1 ? 1 : warp == 30;
    return GK_SUSPEND(GK_KIND_BARRIER, resume + 1);
}

static void test_reductions(void **state)
{
    (void)state;
    GkKernel kernel = {.abi_version = GK_ABI_VERSION,
                       .flags = GK_KERNEL_SUSPENDS,
                       .frame_bytes = 64,
                       .run_warp = warp_red,
                       .name = "red"};
    uint64_t out = device_words(40);
    LaunchResult result;
    assert_int_equal(run(&kernel, 10, 1, 1024, &out, &result), 0);
    for (int i = 0; i < 10; i++) {
        const uint32_t *got = (uint32_t *)reach(out) + i * 4;
        assert_int_equal(got[0], 1 + 16 * 5 + 16 * 15);
        assert_int_equal(got[1], 2);
        assert_int_equal(got[2], 2);
    }
    mem_free(out, ~0u);
}

/* Producer warp 0 fills a slot and arrives at "full"; consumer warp 1 waits there and arrives at
 * "empty". Barriers 1 and 2, 64 threads each; warps 2 and 3 never take part. */
enum { ITEMS = 20 };

static uint64_t warp_producer(GkBlock *block, uint32_t warp, uint8_t *memory, uint32_t resume)
{
    Frame *frame = (Frame *)(void *)memory;
    volatile uint32_t *slot = (uint32_t *)(void *)block->shared;
    if (warp >= 2)
        return 0;
    if (resume == 0)
        frame->step = 0;
    if (warp == 0) {
        if (resume == 1) { /* the slot is empty */
            slot[0] = frame->step++ * 3;
            frame->head = (GkFrame){.barrier = 1, .threads = 64};
            return GK_SUSPEND(GK_KIND_ARRIVE, 2);
        }
        if (frame->step == ITEMS)
            return 0;
        frame->head = (GkFrame){.barrier = 2, .threads = 64};
        return GK_SUSPEND(GK_KIND_BARRIER, 1);
    }
    if (resume == 0) {
        frame->head = (GkFrame){.barrier = 2, .threads = 64};
        return GK_SUSPEND(GK_KIND_ARRIVE, 3);
    }
    if (resume == 4) {
        uint64_t out = *(const uint64_t *)block->grid->params;
        ((uint32_t *)reach(out))[frame->step++] = slot[0] + 1;
        if (frame->step == ITEMS)
            return 0;
        frame->head = (GkFrame){.barrier = 2, .threads = 64};
        return GK_SUSPEND(GK_KIND_ARRIVE, 3);
    }
    frame->head = (GkFrame){.barrier = 1, .threads = 64};
    return GK_SUSPEND(GK_KIND_BARRIER, 4);
}

static void test_producer_consumer(void **state)
{
    (void)state;
    GkKernel kernel = {.abi_version = GK_ABI_VERSION,
                       .flags = GK_KERNEL_SUSPENDS,
                       .frame_bytes = sizeof(Frame),
                       .static_shared = 16,
                       .run_warp = warp_producer,
                       .name = "producer"};
    uint64_t out = device_words(ITEMS);
    LaunchResult result;
    assert_int_equal(run(&kernel, 1, 1, 128, &out, &result), 0);
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_int_equal(((uint32_t *)reach(out))[i], i * 3 + 1);
    mem_free(out, ~0u);
}

static uint64_t warp_stuck(GkBlock *block, uint32_t warp, uint8_t *memory, uint32_t resume)
{
    (void)block;
    (void)resume;
    *(GkFrame *)(void *)memory = (GkFrame){.barrier = warp & 1, .line = 12};
    return GK_SUSPEND(GK_KIND_BARRIER, 1);
}

static void test_stuck(void **state)
{
    (void)state;
    GkKernel kernel = {.abi_version = GK_ABI_VERSION,
                       .flags = GK_KERNEL_SUSPENDS,
                       .frame_bytes = 64,
                       .run_warp = warp_stuck,
                       .name = "stuck"};
    LaunchResult result;
    assert_int_equal(run(&kernel, 3, 1, 64, NULL, &result), LAUNCH_TIMEOUT);
    assert_int_equal(result.line, 12);
    assert_non_null(strstr(result.text, "barrier"));
}

/* --- forward progress ----------------------------------------------------------------------- */

/* Block i waits for block i + 1 (the last waits for nobody): only residency of all gets through. */
static uint64_t warp_backwards(GkBlock *block, uint32_t warp, uint8_t *memory, uint32_t resume)
{
    (void)warp;
    (void)memory;
    (void)resume;
    uint64_t out = *(const uint64_t *)block->grid->params;
    _Atomic uint32_t *flag = reach(out);
    uint32_t i = block->ctaid[0];
    if (i + 1 < block->grid->nctaid[0] && !atomic_load(&flag[i + 1]))
        return GK_SUSPEND(GK_KIND_YIELD, 1);
    atomic_store(&flag[i], 1);
    return 0;
}

static GkKernel backwards = {.abi_version = GK_ABI_VERSION,
                             .flags = GK_KERNEL_SUSPENDS | GK_KERNEL_SPINS,
                             .frame_bytes = 64,
                             .run_warp = warp_backwards,
                             .name = "backwards"};

static void test_residency(void **state)
{
    (void)state;
    uint64_t out = device_words(1000);
    LaunchResult result;
    assert_int_equal(run(&backwards, 128, 1, 32, &out, &result), 0);
    for (int i = 0; i < 128; i++)
        assert_int_equal(((uint32_t *)reach(out))[i], 1);
    /* One block more than the device holds: a GPU hangs, and so do we, until the time limit. */
    launch_set_time_limit(0.2);
    memset(reach(out), 0, 4000);
    assert_int_equal(run(&backwards, 129, 1, 32, &out, &result), LAUNCH_TIMEOUT);
    launch_set_time_limit(0);
    /* A cooperative launch keeps all of them resident. */
    memset(reach(out), 0, 4000);
    LaunchRequest request = {.kernel = &backwards,
                             .grid = {1000, 1, 1},
                             .block = {32, 1, 1},
                             .params = &out,
                             .cooperative = true,
                             .max_resident = 2000,
                             .sms = 4};
    assert_int_equal(launch_run(&request, &result), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(((uint32_t *)reach(out))[i], 1);
    mem_free(out, ~0u);
}

/* Two launches from two threads that wait for each other. */
static uint64_t warp_peer(GkBlock *block, uint32_t warp, uint8_t *memory, uint32_t resume)
{
    (void)warp;
    (void)memory;
    const uint64_t *params = (const void *)block->grid->params;
    _Atomic uint32_t *flag = reach(params[0]);
    if (!resume)
        atomic_fetch_add(&flag[params[1]], 1);
    if (atomic_load(&flag[1 - params[1]]) < 1)
        return GK_SUSPEND(GK_KIND_YIELD, 1);
    return 0;
}

static void *peer_main(void *argument)
{
    GkKernel kernel = {.abi_version = GK_ABI_VERSION,
                       .flags = GK_KERNEL_SUSPENDS | GK_KERNEL_SPINS,
                       .frame_bytes = 64,
                       .run_warp = warp_peer,
                       .name = "peer"};
    LaunchResult result;
    return (void *)(intptr_t)run(&kernel, 64, 1, 32, argument, &result);
}

static void test_two_launches(void **state)
{
    (void)state;
    uint64_t flag = device_words(2);
    uint64_t params[2][2] = {{flag, 0}, {flag, 1}};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, peer_main, params[0]), 0);
    assert_null(peer_main(params[1]));
    void *other;
    pthread_join(thread, &other);
    assert_null(other);
    mem_free(flag, ~0u);
}

/* What sanitizers would report is what these are for. */
#define FAULTY __attribute__((no_sanitize("address", "undefined")))
/* ThreadSanitizer does not follow a kernel that is left by a signal. */
#ifdef __SANITIZE_THREAD__
#define LEAVES_BY_SIGNAL() skip()
#else
#define LEAVES_BY_SIGNAL() (void)0
#endif

/* --- faults --------------------------------------------------------------------------------- */

FAULTY static void block_store(GkBlock *block)
{
    uint64_t out = *(const uint64_t *)block->grid->params;
    if (block->ctaid[0] == block->grid->nctaid[0] - 1)
        *(volatile uint32_t *)reach(out) = 1;
}

static volatile int seven = 7, zero;
static volatile uintptr_t near_null = 8;

FAULTY static void block_divide(GkBlock *block)
{
    block->reduce = (uint32_t)(seven / zero);
}

static void block_trap_instruction(GkBlock *block)
{
    (void)block;
#if defined __x86_64__
    __asm__ volatile("ud2");
#else
    __builtin_trap();
#endif
}

static volatile uint64_t sink;

static void block_endless(GkBlock *block)
{
    if (block->ctaid[0] % 2 == 0)
        for (;;)
            sink++;
}

static void block_fault_beside_endless(GkBlock *block)
{
    if (block->ctaid[0] == 1)
        block->grid->services->fault(block, 3, 0xf0, LAUNCH_MISALIGNED, 0x1234, 77);
    for (;;)
        sink++;
}

FAULTY static int deep(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return n == 0 ? frame[0] : deep(n - 1) + frame[0];
}

static void block_overflow(GkBlock *block)
{
    block->reduce = (uint32_t)deep(100000000);
}

static void test_faults(void **state)
{
    (void)state;
    LEAVES_BY_SIGNAL();
    GkKernel kernel = {.abi_version = GK_ABI_VERSION, .run_block = block_store, .name = "store"};
    LaunchResult result;
    uint64_t at = 0;
    for (int turn = 0; turn < 20; turn++) {
        at = (uint64_t)turn * 8;
        assert_int_equal(run(&kernel, 50, 1, 32, &at, &result), LAUNCH_ILLEGAL_ADDRESS);
        assert_int_equal(result.address, at);
        assert_true(result.has_position);
        assert_int_equal(result.ctaid[0], 49);
        assert_non_null(strstr(result.text, "null"));
    }
    at = 0x0123456789abcdef; /* not canonical */
    assert_int_equal(run(&kernel, 50, 1, 32, &at, &result), LAUNCH_ILLEGAL_ADDRESS);
    uint64_t freed = device_words(1 << 20);
    mem_free(freed, ~0u);
    assert_int_equal(run(&kernel, 50, 1, 32, &freed, &result), LAUNCH_ILLEGAL_ADDRESS);
    assert_int_equal(result.address, freed);

    kernel.run_block = block_divide;
    assert_int_equal(run(&kernel, 1, 1, 32, &at, &result), LAUNCH_FAILURE);
    kernel.run_block = block_trap_instruction;
    assert_int_equal(run(&kernel, 5, 1, 32, &at, &result), LAUNCH_ILLEGAL_INSTRUCTION);
    kernel.run_block = block_fault_beside_endless;
    assert_int_equal(run(&kernel, 8, 1, 32, &at, &result), LAUNCH_MISALIGNED);
    assert_int_equal(result.line, 77);
    assert_int_equal(result.warp, 3);
    assert_int_equal(result.mask, 0xf0);

    uint64_t good = device_words(16); /* and the machine still works */
    kernel.run_block = block_store;
    assert_int_equal(run(&kernel, 50, 1, 32, &good, &result), 0);
    assert_int_equal(*(uint32_t *)reach(good), 1);
    mem_free(good, ~0u);
}

static void *overflow_main(void *argument)
{
    GkKernel kernel = {.abi_version = GK_ABI_VERSION, .run_block = block_overflow, .name = "deep"};
    run(&kernel, 1, 1, 32, NULL, argument);
    return NULL;
}

static void test_stack_overflow(void **state)
{
    (void)state;
    LEAVES_BY_SIGNAL();
    LaunchResult result;
    pthread_t thread;
    pthread_create(&thread, NULL, overflow_main, &result);
    pthread_join(thread, NULL);
    assert_int_equal(result.error, LAUNCH_ILLEGAL_ADDRESS);
    assert_non_null(strstr(result.text, "stack"));
}

static void test_time_limit(void **state)
{
    (void)state;
    LEAVES_BY_SIGNAL();
    GkKernel kernel = {
        .abi_version = GK_ABI_VERSION, .run_block = block_endless, .name = "endless"};
    LaunchResult result;
    launch_set_time_limit(0.1);
    double start = now_us();
    for (uint32_t blocks = 1; blocks < 9; blocks *= 8)
        assert_int_equal(run(&kernel, blocks, 1, 32, NULL, &result), LAUNCH_TIMEOUT);
    assert_true(now_us() - start < 3e6);
    assert_non_null(strstr(result.text, "0.1 s"));
    launch_set_time_limit(0);
}

static volatile sig_atomic_t handled;
static sigjmp_buf handler_jump;

static void own_handler(int signal)
{
    (void)signal;
    handled++;
    siglongjmp(handler_jump, 1);
}

/* A fault of the host program reaches the program's own handler, or kills it. */
static void test_foreign_fault(void **state)
{
    (void)state;
    LEAVES_BY_SIGNAL();
    GkKernel kernel = {.abi_version = GK_ABI_VERSION, .run_block = block_store, .name = "store"};
    LaunchResult result;
    pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, SIG_DFL);
        uint64_t bad = 0;
        if (run(&kernel, 1, 1, 32, &bad, &result) != LAUNCH_ILLEGAL_ADDRESS)
            _exit(1);
        *(volatile int *)near_null = 1;
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);

    signal(SIGSEGV, own_handler);
    uint64_t good = device_words(1), bad = 0;
    for (int i = 0; i < 3; i++)
        assert_int_equal(run(&kernel, 2, 1, 32, &good, &result), 0);
    assert_int_equal(run(&kernel, 2, 1, 32, &bad, &result), LAUNCH_ILLEGAL_ADDRESS);
    assert_int_equal(handled, 0);
    if (!sigsetjmp(handler_jump, 1))
        *(volatile int *)near_null = 1;
    assert_int_equal(handled, 1);
    mem_free(good, ~0u);
}

/* --- services ------------------------------------------------------------------------------- */

static void block_print(GkBlock *block)
{
    static const char format[] =
        "%d|%5u|%-6x|%lld|%c|%s|%.3f|%*d|%g|%%|%hd|%llu|%5.1e|%p|%i|%o|%X|%z\n";
    struct {
        int d;
        unsigned u, x;
        long long lld;
        int c;
        const char *s;
        double f;
        int width, star;
        double g;
        int hd;
        unsigned long long llu;
        double e;
        uint64_t p;
        int i;
        unsigned o, X;
    } args = {-5,   42,    0xab,       -1234567890123, 'z',    NULL, 3.14159, 6,     77,
              1e10, 70000, 1ull << 63, 12345.678,      0xdead, -9,   8,       0xBEEF};
    args.s = (const char *)((uint64_t) "text" - GK_DELTA);
    uint64_t formats[32], lists[32];
    int32_t results[32];
    for (int lane = 0; lane < 32; lane++) {
        formats[lane] = (uint64_t)format - GK_DELTA;
        lists[lane] = (uint64_t)&args - GK_DELTA;
    }
    block->grid->services->vprintf(block, 0, 0x80000001, formats, lists, results);
    block->reduce = (uint32_t)results[31];
    if (results[0] != 17)
        block->grid->services->fault(block, 0, 1, 719, 0, 0);
}

static void block_assert(GkBlock *block)
{
    uint64_t message[32], file[32], function[32];
    uint32_t line[32];
    for (int lane = 0; lane < 32; lane++) {
        message[lane] = (uint64_t) "x > 0" - GK_DELTA;
        file[lane] = (uint64_t) "k.cu" - GK_DELTA;
        function[lane] = (uint64_t) "void k(int)" - GK_DELTA;
        line[lane] = 9;
    }
    block->grid->services->assertfail(block, 1, 2, message, file, line, function);
}

static char *captured(FILE *stream, int fd, const GkKernel *kernel, LaunchResult *result)
{
    static char text[4096];
    fflush(stream);
    int saved = dup(fd);
    FILE *file = tmpfile();
    dup2(fileno(file), fd);
    run(kernel, 1, 1, 64, NULL, result);
    fflush(stream);
    assert_int_equal(lseek(fileno(file), 0, SEEK_CUR), 0); /* nothing before the flush */
    launch_flush_prints();
    fflush(stream);
    dup2(saved, fd);
    close(saved);
    ssize_t bytes = pread(fileno(file), text, sizeof text - 1, 0);
    text[bytes] = 0;
    fclose(file);
    return text;
}

static void test_printf_and_assert(void **state)
{
    (void)state;
    LEAVES_BY_SIGNAL();
    GkKernel kernel = {.abi_version = GK_ABI_VERSION, .run_block = block_print, .name = "print"};
    LaunchResult result;
    const char *line = "-5|   42|ab    |-1234567890123|z|text|3.142|    77|1e+10|%|4464|"
                       "9223372036854775808|1.2e+04|0xdead|-9|10|BEEF|%z\n";
    char *text = captured(stdout, 1, &kernel, &result);
    assert_int_equal(result.error, 0);
    assert_int_equal(strlen(text), 2 * strlen(line));
    assert_memory_equal(text, line, strlen(line));
    kernel.run_block = block_assert;
    text = captured(stderr, 2, &kernel, &result);
    assert_int_equal(result.error, LAUNCH_ASSERT);
    assert_string_equal(
        text, "k.cu:9: void k(int): block: [0,0,0], thread: [33,0,0] Assertion `x > 0` failed.\n");
}

static void block_heap(GkBlock *block)
{
    uint64_t bytes[32], got[32];
    const GkServices *services = block->grid->services;
    for (int round = 0; round < 20; round++) {
        for (unsigned lane = 0; lane < 32; lane++)
            bytes[lane] = 8 + lane * (round % 2 ? 16 : 300) + block->ctaid[0] % 7;
        services->malloc(block, 0xffffffff, bytes, got);
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!got[lane])
                services->fault(block, 0, 1u << lane, 719, 0, 1);
            memset(reach(got[lane]), (int)lane, bytes[lane]);
        }
        for (unsigned lane = 0; lane < 32; lane++) {
            const uint8_t *at = reach(got[lane]);
            for (uint64_t i = 0; i < bytes[lane]; i++)
                if (at[i] != lane)
                    services->fault(block, 0, 1u << lane, 719, 0, 2);
        }
        services->free(block, 0xffffffff, got);
    }
    bytes[0] = 9 << 20; /* more than the heap */
    services->malloc(block, 1, bytes, got);
    if (got[0])
        services->fault(block, 0, 1, 719, 0, 3);
}

static void block_double_free(GkBlock *block)
{
    uint64_t bytes[32] = {64}, got[32];
    block->grid->services->malloc(block, 1, bytes, got);
    block->grid->services->free(block, 1, got);
    block->grid->services->free(block, 1, got);
}

static void test_heap(void **state)
{
    (void)state;
    GkKernel kernel = {.abi_version = GK_ABI_VERSION, .run_block = block_heap, .name = "heap"};
    LaunchResult result;
    run(&kernel, 200, 1, 32, NULL, &result);
    assert_int_equal(result.line, 0);
    assert_int_equal(result.error, 0);
    kernel.run_block = block_double_free;
    assert_int_equal(run(&kernel, 1, 1, 32, NULL, &result), LAUNCH_FAILURE);
}

/* --- cost ----------------------------------------------------------------------------------- */

static void block_empty(GkBlock *block)
{
    (void)block;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_latency(void **state)
{
    (void)state;
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
    skip();
#endif
    GkKernel kernel = {.abi_version = GK_ABI_VERSION, .run_block = block_empty, .name = "empty"};
    static const uint32_t grids[] = {1, 8, 1000};
    for (int g = 0; g < 3; g++) {
        enum { RUNS = 2000 };
        static double us[RUNS];
        LaunchHint hint = {0};
        LaunchRequest request = {.kernel = &kernel,
                                 .grid = {grids[g], 1, 1},
                                 .block = {32, 1, 1},
                                 .sms = 1,
                                 .hint = &hint};
        LaunchResult result;
        for (int i = 0; i < RUNS; i++) {
            double start = now_us();
            launch_run(&request, &result);
            us[i] = now_us() - start;
        }
        qsort(us, RUNS, sizeof *us, by_value);
        print_message("launch and join of %u empty blocks: median %.2f us\n", grids[g],
                      us[RUNS / 2]);
        assert_true(us[RUNS / 2] < 50);
    }
}

/* Ascending, but those that gave up their turn from the last to the first, and before the others. */
static void test_order(void **state)
{
    (void)state;
    static const uint32_t right[] = {31, 5, 2, 0, 1, 7};
    uint32_t set = 1u << 31 | 0xa7, spun = 1u << 31 | 0x25;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        assert_int_equal(lanes_next(set, spun), right[i]);
        set &= ~(1u << right[i]);
    }
    assert_int_equal(set, 0);
}

int main(void)
{
    if (mem_init((uint64_t)1 << 30))
        return 1;
    setenv("GPUKIT_THREADS", "2", 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_block_once),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_producer_consumer),
        cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_residency),
        cmocka_unit_test(test_two_launches),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_stack_overflow),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_foreign_fault),
        cmocka_unit_test(test_printf_and_assert),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
