// SPDX-License-Identifier: Apache-2.0
// What a kernel can do wrong: the error, whether it stays, the next five calls, and that the host lives on.
// Each case runs in a process of its own, which this program starts with the case's number. The numbers
// are an H200's; what ends without an error there, or never, is for the engine alone.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

__global__ void store(int *p, long at) { p[at] = 3; }
__global__ void load(int *p, long at) { *p = p[at]; }
__global__ void misaligned(char *p, long at) { *(int *)(p + at) = 3; }
__global__ void trap() { __trap(); }
__global__ void stop() { asm volatile("brkpt;"); }
__global__ void check(int n) { assert((int)threadIdx.x < n); }
__global__ void endless(volatile int *p) { while (*p == 0) ; }
__global__ void nothing() {}
__global__ void set(int *p) { *p = 42; }

__global__ void beyond_shared(long at)
{
    __shared__ int s[32];
    s[at] = 1;
    if (s[threadIdx.x] == 77)
        printf("never\n");
}

__global__ void beyond_local(long at, int *out)
{
    int l[8];
    for (int i = 0; i < 8; i++)
        l[i] = i;
    l[at] = 5;
    *out = l[at & 7];
}

__global__ void local_atomic(int n, int *out)
{
    int l[4] = {n, 2, 3, 4};
    int *p = n ? l : out;
    atomicAdd(p + threadIdx.x % 4, 1);
    *out = l[n & 3];
}

__device__ __noinline__ int deep(int n, volatile int *keep)
{
    volatile int l[16];
    l[n % 16] = n;
    return n ? 1 + deep(n - 1, keep) + (l[n % 16] - n) : *keep;
}
__global__ void recurse(int *p) { *p = deep(1000000, p + 1); }

enum { STORE_NULL, LOAD_NULL, FAR, SHARED, LOCAL, MISALIGNED, ATOMIC, TRAP, BREAK, ASSERT, STACK, ENDLESS, MEMORY, THREADS, GRID, LARGE_SHARED, CASES };

static const struct Case {
    const char *name;
    int at_call, at_sync;
    bool stays, engine_only;
} cases[CASES] = {
    {"store to null", 0, 700, true},
    {"load from null", 0, 700, true},
    {"store far behind an allocation", 0, 700, true},
    {"store behind shared memory", 0, 700, true},
    {"store behind a local array", 0, 700, true, true},
    {"misaligned store", 0, 716, true},
    {"atomic operation on local memory", 0, 717, true, true},
    {"trap", 0, 719, true},
    {"breakpoint", 0, 719, true},
    {"assertion", 0, 710, true},
    {"recursion without end", 0, 700, true},
    {"endless kernel", 0, 702, true, true},
    {"more memory than there is", 2, 0, false},
    {"2000 threads in a block", 9, 0, false},
    {"a grid of no blocks", 9, 0, false},
    {"60,000 bytes of shared memory", 1, 0, false},
};

static int failures;

static void expect(const Case &c, const char *what, int got, int wanted)
{
    if (got == wanted)
        return;
    std::printf("%s: %s gave %d, expected %d\n", c.name, what, got, wanted);
    failures++;
}

static int run(int number)
{
    const Case &c = cases[number];
    int *p, *q, h = 0, at_call = 0;
    size_t unused, total;
    cudaMalloc(&p, 1024);
    cudaMemset(p, 0, 1024);
    switch (number) {
    case STORE_NULL: store<<<2, 64>>>(nullptr, 0); break;
    case LOAD_NULL: load<<<2, 64>>>(nullptr, 0); break;
    case FAR: store<<<1, 32>>>(p, 1l << 32); break;
    case SHARED: beyond_shared<<<1, 32>>>(1 << 20); break;
    case LOCAL: beyond_local<<<1, 32>>>(100000, p); break;
    case MISALIGNED: misaligned<<<1, 1>>>((char *)p, 2); break;
    case ATOMIC: local_atomic<<<1, 32>>>(1, p); break;
    case TRAP: trap<<<1, 32>>>(); break;
    case BREAK: stop<<<1, 32>>>(); break;
    case ASSERT: check<<<1, 64>>>(63); break;
    case STACK: recurse<<<1, 1>>>(p); break;
    case ENDLESS: endless<<<1, 1>>>(p); break;
    case MEMORY: at_call = cudaMalloc(&q, (size_t)1 << 46); break;
    case THREADS: nothing<<<1, 2000>>>(); break;
    case GRID: nothing<<<0, 32>>>(); break;
    case LARGE_SHARED: nothing<<<1, 32, 60000>>>(); break;
    }
    if (at_call)
        cudaGetLastError(), expect(c, "the call", at_call, c.at_call);
    else
        expect(c, "cudaGetLastError after the launch", cudaGetLastError(), c.at_call);
    expect(c, "cudaDeviceSynchronize", cudaDeviceSynchronize(), c.at_sync);
    int later = c.stays ? c.at_sync : 0;
    expect(c, "cudaMemcpy", cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost), later);
    expect(c, "cudaMalloc", cudaMalloc(&q, 4), later);
    nothing<<<1, 32>>>();
    expect(c, "the next launch", cudaGetLastError(), later);
    expect(c, "cudaMemGetInfo", cudaMemGetInfo(&unused, &total), later);
    expect(c, "cudaDeviceSynchronize", cudaDeviceSynchronize(), later);
    if (c.stays) { // for the whole process: a reset frees the device, which is not to be had again
        expect(c, "cudaDeviceReset", cudaDeviceReset(), 0);
        expect(c, "cudaGetLastError after it", cudaGetLastError(), c.at_sync);
        expect(c, "cudaMalloc after it", cudaMalloc(&q, 4), cudaErrorDevicesUnavailable);
        return failures != 0;
    }
    set<<<1, 1>>>(p);
    expect(c, "a copy in the end", cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost), 0);
    expect(c, "the value in the end", h, 42);
    return failures != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run(std::atoi(argv[1]));
    setenv("GPUKIT_TIME_LIMIT", "1", 1);
    char self[4096] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    const char *device = std::getenv("GPUKIT_DEVICE");
    bool engine = !device || !std::strcmp(device, "cpu");
    for (int i = 0; i < CASES; i++) {
        if (cases[i].engine_only && !engine)
            continue;
        pid_t child = fork();
        if (child == 0) {
            char number[8];
            std::snprintf(number, sizeof number, "%d", i);
            if (i == ASSERT || i == ENDLESS)
                std::freopen("/dev/null", "w", stderr);
            execl(self, self, number, (char *)nullptr);
            _exit(127);
        }
        int status;
        waitpid(child, &status, 0);
        if (status)
            std::printf("%s: the process ended with status 0x%x\n", cases[i].name, status);
        failures += status != 0;
    }
    std::printf("%s\n", failures ? "FAILED" : "passed");
    return failures != 0;
}
