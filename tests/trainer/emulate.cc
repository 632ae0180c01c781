/* SPDX-License-Identifier: Apache-2.0
 * Runs the kernels' own source (train.cu, compiled by emulate_kernels.cc) as C++: a thread block's
 * threads are fibers on one host thread; warp-wide operations wait until all 32 lanes have come.
 * Freshly taken memory and shared memory hold NaNs, so that a value never written shows. No caches,
 * no timing. */
#define GPUKIT_EMULATE
#include "emulate_kernels.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

extern "C" {
#include "emulate.h"
}

enum { MAX_THREADS = 1024, STACK = 64 * 1024, SHARED_BYTES = 232448 };

struct Fiber {
    void *stack_pointer;
    bool done;
};

struct Warp {
    int arrived, lanes;
    unsigned generation;
    const unsigned char *rows[32];
    float values[32];
    const gpu_u32 *a[32];
    gpu_u32 b[32][2];
    float *c[32];
    gpu_u32 *out[32];
};

static Fiber fibers[MAX_THREADS];
static char *stacks;
static Warp warps[MAX_THREADS / 32];
static void *scheduler;
static int current, threads, alive, at_barrier;
static unsigned barrier_generation;
static int block_index[3], grid_size[3];
alignas(16) static unsigned char shared_memory[SHARED_BYTES];
static void (*running)(GpuArgs);
static GpuArgs running_args;
static unsigned shared_limit; /* what the launch asked for */

/* Saves the registers a callee keeps on the old stack and takes them from the new one. */
extern "C" void emulate_switch(void **from, void *to);
#if defined(__x86_64__)
asm(".text\n.globl emulate_switch\nemulate_switch:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");
#else
#error "the kernel emulator is written for x86-64"
#endif

static void yield()
{
    emulate_switch(&fibers[current].stack_pointer, scheduler);
}

static void fiber_main()
{
    running(running_args);
    fibers[current].done = true;
    --alive;
    for (;;)
        yield();
}

int emu_tid(void)
{
    return current;
}

int emu_bid(int axis)
{
    return block_index[axis];
}

int emu_grid(int axis)
{
    return grid_size[axis];
}

unsigned char *emu_shared(void)
{
    return shared_memory;
}

void emu_sync(void)
{
    unsigned generation = barrier_generation;
    if (++at_barrier == threads) {
        at_barrier = 0;
        ++barrier_generation;
        return;
    }
    while (generation == barrier_generation)
        yield();
}

/* True for the lane that came last: it does the work, then all go on. */
template <typename F> static void together(F work)
{
    Warp &w = warps[current / 32];
    unsigned generation = w.generation;
    if (++w.arrived == 32) {
        w.arrived = 0;
        work(w);
        ++w.generation;
        return;
    }
    while (generation == w.generation)
        yield();
}

static gpu_u16 element(const unsigned char *row, int i)
{
    gpu_u16 v;
    memcpy(&v, row + 2 * i, 2);
    return v;
}

void emu_ldmatrix(gpu_u32 out[4], const unsigned char *row, int transposed)
{
    Warp &mine = warps[current / 32];
    if ((uintptr_t)row % 16 || row < shared_memory || row + 16 > shared_memory + shared_limit) {
        fprintf(stderr, "ldmatrix: bad address\n");
        abort();
    }
    mine.rows[current % 32] = row;
    mine.out[current % 32] = out;
    together([transposed](Warp &w) {
        for (int lane = 0; lane < 32; ++lane)
            for (int m = 0; m < 4; ++m) {
                int g = lane / 4, t = lane % 4;
                gpu_u16 low = transposed ? element(w.rows[8 * m + 2 * t], g)
                                         : element(w.rows[8 * m + g], 2 * t);
                gpu_u16 high = transposed ? element(w.rows[8 * m + 2 * t + 1], g)
                                          : element(w.rows[8 * m + g], 2 * t + 1);
                w.out[lane][m] = low | (gpu_u32)high << 16;
            }
    });
}

/* c += a * b of a warp: fill puts a lane's part of the operands into place. */
template <int DEPTH, typename F>
static void multiply(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1, F fill)
{
    Warp &mine = warps[current / 32];
    int lane = current % 32;
    mine.a[lane] = a;
    mine.b[lane][0] = b0;
    mine.b[lane][1] = b1;
    mine.c[lane] = c;
    together([fill](Warp &w) {
        float left[16][DEPTH], right[DEPTH][8], product[16][8] = {};
        for (int l = 0; l < 32; ++l)
            fill(w, l, left, right);
        for (int row = 0; row < 16; ++row)
            for (int k = 0; k < DEPTH; ++k)
                for (int column = 0; column < 8; ++column)
                    product[row][column] += left[row][k] * right[k][column];
        for (int l = 0; l < 32; ++l)
            for (int i = 0; i < 4; ++i)
                w.c[l][i] += product[l / 4 + i / 2 * 8][l % 4 * 2 + i % 2];
    });
}

void emu_mma_bf16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    multiply<16>(c, a, b0, b1, [](const Warp &w, int l, float left[16][16], float right[16][8]) {
        int g = l / 4, t = l % 4;
        for (int r = 0; r < 4; ++r) {
            int row = g + r % 2 * 8, k = 2 * t + r / 2 * 8;
            left[row][k] = low_half(w.a[l][r]);
            left[row][k + 1] = high_half(w.a[l][r]);
        }
        for (int r = 0; r < 2; ++r) {
            right[2 * t + 8 * r][g] = low_half(w.b[l][r]);
            right[2 * t + 8 * r + 1][g] = high_half(w.b[l][r]);
        }
    });
}

void emu_mma_fp16(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    multiply<16>(c, a, b0, b1, [](const Warp &w, int l, float left[16][16], float right[16][8]) {
        int g = l / 4, t = l % 4;
        for (int r = 0; r < 4; ++r)
            for (int i = 0; i < 2; ++i)
                left[g + r % 2 * 8][2 * t + r / 2 * 8 + i] = half_value(w.a[l][r] >> 16 * i & 0xffff);
        for (int r = 0; r < 2; ++r)
            for (int i = 0; i < 2; ++i)
                right[2 * t + 8 * r + i][g] = half_value(w.b[l][r] >> 16 * i & 0xffff);
    });
}

/* The unit does not see the lower 13 bits: a kernel that leaves some there is wrong. */
static float tf32_value(gpu_u32 bits)
{
    if ((bits & 0x1fff) && (bits & 0x7f800000) != 0x7f800000) {
        fprintf(stderr, "mma: not a tf32 number: %08x\n", bits);
        abort();
    }
    return bits_float(bits);
}

void emu_mma_tf32(float c[4], const gpu_u32 a[4], gpu_u32 b0, gpu_u32 b1)
{
    multiply<8>(c, a, b0, b1, [](const Warp &w, int l, float left[16][8], float right[8][8]) {
        int g = l / 4, t = l % 4;
        for (int r = 0; r < 4; ++r)
            left[g + r % 2 * 8][t + r / 2 * 4] = tf32_value(w.a[l][r]);
        for (int r = 0; r < 2; ++r)
            right[t + 4 * r][g] = tf32_value(w.b[l][r]);
    });
}

gpu_u32 emu_tf32(float x)
{
    gpu_u32 bits = float_bits(x);
    return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0x1000) & ~(gpu_u32)0x1fff;
}

float emu_shuffle_xor(float v, int mask)
{
    Warp &w = warps[current / 32];
    w.values[current % 32] = v;
    static float results[MAX_THREADS];
    int base = current / 32 * 32;
    together([mask, base](Warp &all) {
        for (int l = 0; l < 32; ++l)
            results[base + l] = all.values[l ^ mask];
    });
    return results[current];
}

void emu_copy16(unsigned char *to, const void *from, int valid)
{
    if ((uintptr_t)to % 16 || (uintptr_t)from % 16 || to < shared_memory ||
        to + 16 > shared_memory + shared_limit) {
        fprintf(stderr, "cp.async: bad address\n");
        abort();
    }
    if (valid)
        memcpy(to, from, 16);
    else
        memset(to, 0, 16);
}

static void run_block(int count)
{
    if (!stacks)
        stacks = (char *)malloc((size_t)MAX_THREADS * STACK);
    memset(shared_memory, 0xff, shared_limit); /* NaN */
    memset(warps, 0, sizeof warps);
    threads = alive = count;
    at_barrier = 0;
    for (int i = 0; i < count; ++i) {
        void **top = (void **)(stacks + (size_t)(i + 1) * STACK);
        *--top = nullptr;
        *--top = (void *)fiber_main;
        top -= 6;
        memset(top, 0, 6 * sizeof *top);
        fibers[i] = {top, false};
    }
    while (alive)
        for (current = 0; current < count; ++current)
            if (!fibers[current].done)
                emulate_switch(&scheduler, fibers[current].stack_pointer);
}

struct Launch {
    void (*function)(GpuArgs);
    GpuArgs args;
    unsigned grid[3], count, shared;
};

static void run_grid(const Launch &l)
{
    running = l.function;
    running_args = l.args;
    shared_limit = l.shared;
    for (int i = 0; i < 3; ++i)
        grid_size[i] = (int)l.grid[i];
    for (unsigned y = 0; y < l.grid[1]; ++y)
        for (unsigned x = 0; x < l.grid[0]; ++x) {
            block_index[0] = (int)x;
            block_index[1] = (int)y;
            block_index[2] = 0;
            run_block((int)l.count);
        }
}

/* ---- the driver ---- */

static std::vector<Launch> *capturing;

static int d_ok_init(unsigned)
{
    return 0;
}
static int d_version(int *v)
{
    return *v = 13000, 0;
}
static int d_count(int *n)
{
    return *n = 4, 0;
}
static int d_get(int *d, int n)
{
    return *d = n, 0;
}
static int d_name(char *name, int room, int)
{
    return snprintf(name, (size_t)room, "emulated GPU"), 0;
}
int emulated_capability = 90;
static int d_attribute(int *value, int attribute, int)
{
    *value = attribute == CUDA_MAJOR             ? emulated_capability / 10
             : attribute == CUDA_MINOR           ? emulated_capability % 10
             : attribute == CUDA_SHARED_LIMIT    ? SHARED_BYTES
             : attribute == CUDA_MULTIPROCESSORS ? 2
                                                 : 0;
    return 0;
}
static int d_retain(void **c, int)
{
    return *c = &scheduler, 0;
}
static int d_int(int)
{
    return 0;
}
static int d_pointer(void *)
{
    return 0;
}
static int d_load(void **m, const void *image)
{
    return *m = (void *)image, 0;
}
static int d_function(void **f, void *module, const char *name)
{
    for (const EmulatedKernel *k = (const EmulatedKernel *)module; k->name; ++k)
        if (strcmp(k->name, name) == 0)
            return *f = (void *)k, 0;
    return 500;
}
static int d_set(void *, int, int value)
{
    return value > SHARED_BYTES;
}
size_t emulated_memory_limit = (size_t)1 << 40;
static size_t memory_taken;
static std::map<uint64_t, size_t> pieces;
static int d_alloc(uint64_t *address, size_t bytes)
{
    if (memory_taken + bytes > emulated_memory_limit)
        return CUDA_ERROR_MEMORY;
    void *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!p)
        return CUDA_ERROR_MEMORY;
    *address = (uint64_t)(uintptr_t)p;
    memory_taken += pieces[*address] = bytes;
    return 0;
}
static int d_free(uint64_t address)
{
    memory_taken -= pieces[address];
    pieces.erase(address);
    return free((void *)(uintptr_t)address), 0;
}
size_t emulated_free_memory = (size_t)1 << 30;
static int d_info(size_t *a, size_t *b)
{
    return *a = *b = emulated_free_memory, 0;
}
static int d_up(uint64_t to, const void *from, size_t bytes)
{
    return memcpy((void *)(uintptr_t)to, from, bytes), 0;
}
static int d_down(void *to, uint64_t from, size_t bytes)
{
    return memcpy(to, (const void *)(uintptr_t)from, bytes), 0;
}
static int d_fill(uint64_t to, unsigned char v, size_t bytes)
{
    return memset((void *)(uintptr_t)to, v, bytes), 0;
}
static int d_new(void **s, unsigned)
{
    return *s = malloc(1), 0;
}
static int d_delete(void *s)
{
    return free(s), 0;
}
static int d_launch(void *f, unsigned gx, unsigned gy, unsigned, unsigned bx, unsigned, unsigned,
                    unsigned shared, void *, void **params, void **)
{
    Launch l;
    if (bx > MAX_THREADS || bx % 32 || !gx || !gy || shared > SHARED_BYTES)
        return 1;
    l.function = ((const EmulatedKernel *)f)->function;
    memcpy(&l.args, params[0], sizeof l.args);
    l.grid[0] = gx, l.grid[1] = gy, l.grid[2] = 1, l.count = bx, l.shared = shared;
    if (capturing)
        capturing->push_back(l);
    else
        run_grid(l);
    return 0;
}
static int d_record(void *, void *)
{
    return 0;
}
static int d_time(float *ms, void *, void *)
{
    return *ms = 1, 0;
}
static int d_wait_event(void *, void *, unsigned)
{
    return 0;
}
static int d_begin(void *, int)
{
    return capturing = new std::vector<Launch>, 0;
}
static int d_end(void *, void **graph)
{
    return *graph = capturing, capturing = nullptr, 0;
}
static int d_ready(void **ready, void *graph, unsigned long long)
{
    return *ready = new std::vector<Launch>(*(std::vector<Launch> *)graph), 0;
}
int emulated_poison;
static int d_graph(void *ready, void *)
{
    if (emulated_poison && --emulated_poison == 0)
        (*(std::vector<Launch> *)ready)[0].args.params[0] = __builtin_inff();
    for (auto &l : *(std::vector<Launch> *)ready)
        run_grid(l);
    return 0;
}
static int d_graph_free(void *g)
{
    return delete (std::vector<Launch> *)g, 0;
}
static int d_error(int, const char **name)
{
    return *name = "emulated error", 0;
}

const CudaDriver *emulated_driver(void)
{
    static CudaDriver d;
    d.init = d_ok_init, d.version = d_version, d.device_count = d_count, d.device_get = d_get;
    d.device_name = d_name, d.device_attribute = d_attribute, d.context_retain = d_retain;
    d.context_release = d_int, d.context_set = d_pointer, d.module_load = d_load;
    d.module_unload = d_pointer, d.module_function = d_function, d.function_set = d_set;
    d.alloc = d_alloc, d.free = d_free, d.memory_info = d_info, d.to_device = d_up,
    d.to_host = d_down;
    d.fill = d_fill;
    d.stream_new = d_new, d.stream_free = d_delete, d.stream_wait = d_pointer;
    d.launch = d_launch, d.event_new = d_new, d.event_free = d_delete, d.event_record = d_record;
    d.event_time = d_time, d.stream_wait_event = d_wait_event, d.capture_begin = d_begin;
    d.capture_end = d_end, d.graph_ready = d_ready, d.graph_launch = d_graph;
    d.graph_ready_free = d_graph_free, d.graph_free = d_graph_free, d.error_name = d_error;
    return &d;
}

const void *const emulated_modules[CUDA_PRECISIONS] = {
#define PRECISION(name, bytes, capability, shared, slice) emulated_##name,
#include "trainer/precision.def"
#undef PRECISION
};
