/* SPDX-License-Identifier: Apache-2.0
 * libcuda on the CPU engine with hand-written kernels, reached as programs do: by dlopen and
 * cuGetProcAddress. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hand_kernels.h"
#include "runtime/device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define OK(call) assert_int_equal(call, 0)

static void *library;

/* fn(int, "name", (types)): the function as a pointer of that type. */
#define fn(name, types) (*(int(**) types)find(name))
static void *find(const char *name)
{
    static void *slots[64];
    static int next;
    void **slot = &slots[next++ % 64];
    *slot = dlsym(library, name);
    if (!*slot) {
        print_message("%s is missing\n", name);
        fail();
    }
    return slot;
}

typedef unsigned long long Ptr;

static void *module, *context;

static void test_start(void **state)
{
    (void)state;
    int count = 0, device, major;
    char name[100];
    assert_int_equal(fn("cuDeviceGetCount", (int *))(&count), 3); /* not initialised */
    OK(fn("cuInit", (unsigned))(0));
    OK(fn("cuDeviceGetCount", (int *))(&count));
    assert_int_equal(count, 1);
    OK(fn("cuDeviceGet", (int *, int))(&device, 0));
    assert_int_equal(fn("cuDeviceGet", (int *, int))(&device, 7), 101);
    OK(fn("cuDeviceGetName", (char *, int, int))(name, 100, 0));
    assert_string_equal(name, "NVIDIA H200");
    OK(fn("cuDeviceGetAttribute", (int *, int, int))(&major, 75, 0));
    assert_int_equal(major, 9);
    Ptr memory;
    assert_int_equal(fn("cuMemAlloc_v2", (Ptr *, size_t))(&memory, 16), 201); /* no context */
    OK(fn("cuCtxCreate_v2", (void **, unsigned, int))(&context, 0, 0));
    void *now;
    OK(fn("cuCtxGetCurrent", (void **))(&now));
    assert_ptr_equal(now, context);
    const char *text;
    OK(fn("cuGetErrorName", (int, const char **))(700, &text));
    assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_int_equal(fn("cuGetErrorName", (int, const char **))(12345, &text), 1);
}

static void test_module(void **state)
{
    (void)state;
    OK(fn("cuModuleLoadData", (void **, const void *))(&module, hand_ptx));
    void *function;
    OK(fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "add"));
    assert_int_equal(
        fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "no"), 500);
    Ptr address;
    size_t bytes;
    uint32_t value = 0;
    OK(fn("cuModuleGetGlobal_v2", (Ptr *, size_t *, void *, const char *))(&address, &bytes, module,
                                                                           "counter"));
    assert_int_equal(bytes, 4);
    OK(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(&value, address, 4));
    assert_int_equal(value, 7);
    Ptr where, pointed = 0;
    OK(fn("cuModuleGetGlobal_v2", (Ptr *, size_t *, void *, const char *))(&where, &bytes, module,
                                                                           "where"));
    OK(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(&pointed, where, 8));
    assert_true(pointed == address); /* an initialiser that is an address */
    char log[1000] = "";
    int options[] = {5, 6};
    void *values[] = {log, (void *)sizeof log}, *bad;
    assert_int_equal(
        fn("cuModuleLoadDataEx", (void **, const void *, unsigned, int *, void **))(
            &bad, ".version 8.0\n.target sm_80\n.address_size 64\nnonsense", 2, options, values),
        218);
    assert_true(strlen(log) > 10);
}

static void test_launch(void **state)
{
    (void)state;
    enum { N = 1000 };
    float a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 1;
    }
    Ptr da, db;
    uint32_t n = N;
    void *function, *stream, *start, *end;
    OK(fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "add"));
    OK(fn("cuMemAlloc_v2", (Ptr *, size_t))(&da, sizeof a));
    OK(fn("cuMemAlloc_v2", (Ptr *, size_t))(&db, sizeof b));
    OK(fn("cuMemcpyHtoD_v2", (Ptr, const void *, size_t))(da, a, sizeof a));
    OK(fn("cuMemcpyHtoD_v2", (Ptr, const void *, size_t))(db, b, sizeof b));
    OK(fn("cuStreamCreate", (void **, unsigned))(&stream, 1));
    OK(fn("cuEventCreate", (void **, unsigned))(&start, 0));
    OK(fn("cuEventCreate", (void **, unsigned))(&end, 0));
    OK(fn("cuEventRecord", (void *, void *))(start, stream));
    void *params[] = {&da, &db, &n};
    typedef int Launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void *, void **, void **);
    Launch *launch = *(Launch **)find("cuLaunchKernel");
    OK(launch(function, 4, 1, 1, 256, 1, 1, 0, stream, params, NULL));
    struct {
        Ptr a, b;
        uint32_t n;
    } packed = {da, db, N};
    size_t bytes = 20;
    void *extra[] = {(void *)1, &packed, (void *)2, &bytes, NULL};
    OK(launch(function, 4, 1, 1, 256, 1, 1, 0, stream, NULL, extra));
    assert_int_equal(launch(function, 4, 1, 1, 2000, 1, 1, 0, stream, params, NULL), 1);
    assert_int_equal(launch(NULL, 4, 1, 1, 256, 1, 1, 0, stream, params, NULL), 400);
    struct {
        unsigned grid[3], block[3], shared;
        void *stream, *attributes;
        unsigned count;
    } config = {{4, 1, 1}, {256, 1, 1}, 0, stream, NULL, 0};
    OK(fn("cuLaunchKernelEx", (const void *, void *, void **, void **))(&config, function, params,
                                                                        NULL));
    OK(fn("cuEventRecord", (void *, void *))(end, stream));
    OK(fn("cuStreamSynchronize", (void *))(stream));
    float ms = -1;
    OK(fn("cuEventElapsedTime", (float *, void *, void *))(&ms, start, end));
    assert_true(ms >= 0);
    OK(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(a, da, sizeof a));
    for (int i = 0; i < N; i++)
        assert_true(a[i] == (float)(i + 3));
    int blocks;
    OK(fn("cuOccupancyMaxActiveBlocksPerMultiprocessor",
          (int *, void *, int, size_t))(&blocks, function, 128, 0));
    assert_int_equal(blocks, 16);
    size_t base_bytes;
    Ptr base;
    OK(fn("cuMemGetAddressRange_v2", (Ptr *, size_t *, Ptr))(&base, &base_bytes, da + 100));
    assert_true(base == da && base_bytes == sizeof a);
    OK(fn("cuMemFree_v2", (Ptr))(da));
    assert_int_equal(fn("cuMemFree_v2", (Ptr))(da), 1);
    OK(fn("cuMemFree_v2", (Ptr))(db));
}

/* Addresses and memory apart: two pieces of memory side by side are one array to a kernel and to
 * copies; the same memory shows at two places; what is not mapped, or not accessible, is refused;
 * another handle to it comes through a file descriptor. */
/* A launch in the steps of CUDA before 4, and calls that few programs make. */
static void test_steps(void **state)
{
    (void)state;
    enum { N = 300 };
    void *function;
    float a[N], b[N];
    Ptr da, db;
    for (uint32_t i = 0; i < N; i++)
        a[i] = (float)(3 * i), b[i] = (float)(1000 + i);
    OK(fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "add"));
    OK(fn("cuMemAlloc_v2", (Ptr *, size_t))(&da, sizeof a));
    OK(fn("cuMemAlloc_v2", (Ptr *, size_t))(&db, sizeof b));
    OK(fn("cuMemcpyHtoD_v2", (Ptr, const void *, size_t))(da, a, sizeof a));
    OK(fn("cuMemcpyHtoD_v2", (Ptr, const void *, size_t))(db, b, sizeof b));
    OK(fn("cuFuncSetBlockShape", (void *, int, int, int))(function, 64, 1, 1));
    OK(fn("cuParamSetv", (void *, int, const void *, unsigned))(function, 0, &da, sizeof da));
    OK(fn("cuParamSetv", (void *, int, const void *, unsigned))(function, 8, &db, sizeof db));
    OK(fn("cuParamSeti", (void *, int, unsigned))(function, 16, N));
    OK(fn("cuParamSetSize", (void *, unsigned))(function, 20));
    assert_int_equal(fn("cuParamSeti", (void *, int, unsigned))(function, 4094, N), 1);
    assert_int_equal(fn("cuParamSetSize", (void *, unsigned))(NULL, 20), 400);
    OK(fn("cuLaunchGrid", (void *, int, int))(function, 5, 1));
    OK(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(a, da, sizeof a));
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal((int)a[i], 1000 + 4 * i);
    OK(fn("cuMemFree_v2", (Ptr))(da));
    OK(fn("cuMemFree_v2", (Ptr))(db));
    unsigned flags = 0;
    OK(fn("cuCtxSetFlags", (unsigned))(4));
    OK(fn("cuCtxGetFlags", (unsigned *))(&flags));
    assert_int_equal(flags, 4);
    assert_int_equal(fn("cuCtxSetFlags", (unsigned))(3), 1);
    OK(fn("cuCtxSetFlags", (unsigned))(0));
    void *notice;
    OK(fn("cuDeviceRegisterAsyncNotification", (int, void *, void *, void **))(0, &flags, NULL,
                                                                               &notice));
    OK(fn("cuDeviceUnregisterAsyncNotification", (int, void *))(0, notice));
    assert_int_equal(fn("cuDeviceUnregisterAsyncNotification", (int, void *))(0, notice), 1);
}

static void test_virtual_memory(void **state)
{
    (void)state;
    struct {
        int type, handle_types, where, device;
        void *none;
        unsigned char flags[8];
    } prop = {1, 1, 1, 0, NULL, {0}}, read_back;
    struct {
        int type, id, flags;
    } both = {1, 0, 3}, readable = {1, 0, 1};
    typedef unsigned long long Handle;
    size_t page, used_before, used, total;
    OK(fn("cuMemGetInfo_v2", (size_t *, size_t *))(&used_before, &total));
    OK(fn("cuMemGetAllocationGranularity", (size_t *, const void *, int))(&page, &prop, 0));
    prop.where = 2; /* the host */
    assert_int_equal(
        fn("cuMemGetAllocationGranularity", (size_t *, const void *, int))(&page, &prop, 0), 801);
    prop.where = 1;
    Ptr at, other;
    Handle one, two, again;
    typedef int Reserve(Ptr *, size_t, size_t, Ptr, unsigned long long);
    typedef int Create(Handle *, size_t, const void *, unsigned long long);
    typedef int Map(Ptr, size_t, size_t, Handle, unsigned long long);
    typedef int Access(Ptr, size_t, const void *, size_t);
    Reserve *reserve = *(Reserve **)find("cuMemAddressReserve");
    Create *create = *(Create **)find("cuMemCreate");
    Map *map = *(Map **)find("cuMemMap");
    Access *access = *(Access **)find("cuMemSetAccess");
    assert_int_equal(reserve(&at, page / 2, 0, 0, 0), 1);
    OK(reserve(&at, 4 * page, 4 * page, 0, 0));
    assert_true(at % (4 * page) == 0);
    OK(create(&one, page, &prop, 0));
    OK(create(&two, 2 * page, &prop, 0));
    assert_int_equal(create(&again, page + 1, &prop, 0), 1);
    assert_int_equal(map(at, page, 0, 77, 0), 1);
    assert_int_equal(map(at, 2 * page, 0, one, 0), 1); /* longer than the memory */
    OK(map(at, page, 0, one, 0));
    OK(map(at + page, 2 * page, 0, two, 0));
    assert_int_equal(map(at, page, 0, two, 0), 1); /* taken */
    float data[2] = {3, 4};
    assert_int_not_equal(fn("cuMemcpyHtoD_v2", (Ptr, const void *, size_t))(at, data, 8), 0);
    assert_int_equal(access(at, 4 * page, &both, 1), 1); /* the last page has no memory */
    OK(access(at, 3 * page, &both, 1));
    /* across the seam: add 1 to 3 and 4 */
    Ptr seam = at + page - 4, ones;
    OK(fn("cuMemcpyHtoD_v2", (Ptr, const void *, size_t))(seam, data, 8));
    OK(reserve(&other, page, 0, 0, 0));
    OK(map(other, page, 0, two, 0));
    OK(access(other, page, &readable, 1));
    OK(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(data, other, 4));
    assert_true(data[0] == 4);
    OK(fn("cuMemAlloc_v2", (Ptr *, size_t))(&ones, 8));
    OK(fn("cuMemsetD32_v2", (Ptr, unsigned, size_t))(ones, 0x3f800000, 2));
    void *function;
    uint32_t n = 2;
    void *params[] = {&seam, &ones, &n};
    typedef int Launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void *, void **, void **);
    OK(fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "add"));
    OK((*(Launch **)find("cuLaunchKernel"))(function, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(data, seam, 8));
    assert_true(data[0] == 4 && data[1] == 5);
    unsigned long long flags;
    OK(fn("cuMemGetAccess", (unsigned long long *, const void *, Ptr))(&flags, &readable, other));
    assert_int_equal(flags, 1);
    /* a file descriptor, and the handle behind an address */
    int file;
    OK(fn("cuMemExportToShareableHandle", (void *, Handle, int, unsigned long long))(&file, two, 1,
                                                                                     0));
    OK(fn("cuMemImportFromShareableHandle", (Handle *, void *, int))(&again, (void *)(intptr_t)file,
                                                                     1));
    close(file);
    typedef int Unmap(Ptr, size_t);
    Unmap *unmap = *(Unmap **)find("cuMemUnmap"), *give = *(Unmap **)find("cuMemAddressFree");
    OK(unmap(other, page));
    OK(map(other, page, 0, again, 0));
    OK(access(other, page, &both, 1));
    OK(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(data, other, 4));
    assert_true(data[0] == 5);
    typedef int Release(Handle);
    Release *release = *(Release **)find("cuMemRelease");
    OK(release(again));
    OK(fn("cuMemRetainAllocationHandle", (Handle *, void *))(&again, (void *)(uintptr_t)at));
    assert_int_equal(again, one);
    OK(fn("cuMemGetAllocationPropertiesFromHandle", (void *, Handle))(&read_back, one));
    assert_true(read_back.type == 1 && read_back.where == 1 && read_back.device == 0);
    OK(release(again));
    OK(release(one));
    OK(release(two));
    assert_int_equal(release(two), 1);
    assert_int_equal(give(at, 4 * page), 1); /* still mapped */
    OK(unmap(at, 3 * page));
    OK(unmap(other, page));
    assert_int_not_equal(fn("cuMemcpyDtoH_v2", (void *, Ptr, size_t))(data, at, 4), 0);
    OK(give(at, 4 * page));
    OK(give(other, page));
    assert_int_equal(give(other, page), 1);
    OK(fn("cuMemFree_v2", (Ptr))(ones));
    OK(fn("cuMemGetInfo_v2", (size_t *, size_t *))(&used, &total));
    assert_int_equal(used, used_before);
}

/* A kernel that spins leaves the host free; cuStreamSynchronize waits for it. */
static void test_asynchronous(void **state)
{
    (void)state;
    void *function, *memory;
    OK(fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "spin"));
    OK(fn("cuMemHostAlloc", (void **, size_t, unsigned))(&memory, 64, 2));
    volatile uint32_t *flag = memory;
    *flag = 0;
    uint32_t value = 1;
    void *params[] = {&memory, &value};
    typedef int Launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void *, void **, void **);
    Launch *launch = *(Launch **)find("cuLaunchKernel");
    OK(launch(function, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    assert_int_equal(fn("cuStreamQuery", (void *))(NULL), 600);
    *flag = 1;
    OK(fn("cuCtxSynchronize", (void))());
    OK(fn("cuStreamQuery", (void *))(NULL));
    OK(fn("cuMemFreeHost", (void *))(memory));
}

/* What wrappers set and read back, and handles that know their context when none is current. */
static void test_handles(void **state)
{
    (void)state;
    void *first, *second, *stream, *popped, *pool;
    float ms = -1;
    int value = 0, device = -1, policy[16] = {2}, read[16] = {0};
    OK(fn("cuCtxSetCacheConfig", (int))(2));
    OK(fn("cuCtxGetCacheConfig", (int *))(&value));
    assert_int_equal(value, 2);
    static const char *const ids[] = {"0000:01:00.0", "0:1:0.0", "0:1:0", "01:0.0"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++, device = -1) {
        OK(fn("cuDeviceGetByPCIBusId", (int *, const char *))(&device, ids[i]));
        assert_int_equal(device, 0);
    }
    assert_int_equal(fn("cuDeviceGetByPCIBusId", (int *, const char *))(&device, "0:2:0.0"), 101);
    assert_int_equal(fn("cuDeviceGetByPCIBusId", (int *, const char *))(&device, "first"), 1);
    OK(fn("cuStreamCreate", (void **, unsigned))(&stream, 1));
    OK(fn("cuEventCreate", (void **, unsigned))(&first, 0));
    OK(fn("cuEventCreate", (void **, unsigned))(&second, 0));
    OK(fn("cuCtxPopCurrent_v2", (void **))(&popped));
    OK(fn("cuCtxGetCurrent", (void **))(&pool));
    assert_null(pool);
    OK(fn("cuStreamSetAttribute", (void *, int, const int *))(stream, 3, policy));
    OK(fn("cuStreamGetAttribute", (void *, int, int *))(stream, 3, read));
    assert_int_equal(read[0], 2);
    OK(fn("cuEventRecord", (void *, void *))(first, stream));
    OK(fn("cuEventRecord", (void *, void *))(second, stream));
    OK(fn("cuStreamSynchronize", (void *))(stream));
    OK(fn("cuEventQuery", (void *))(second));
    OK(fn("cuEventElapsedTime", (float *, void *, void *))(&ms, first, second));
    assert_true(ms >= 0);
    assert_int_equal(fn("cuStreamQuery", (void *))(NULL), 201); /* of which context? */
    assert_int_equal(fn("cuStreamGetCtx", (void *, void **))(NULL, &pool), 201);
    OK(fn("cuStreamGetCtx", (void *, void **))(stream, &pool));
    assert_ptr_equal(pool, popped);
    OK(fn("cuStreamIsCapturing", (void *, int *))(stream, &value));
    assert_int_equal(value, 0);
    static const int where[22] = {1, 0, 1};                     /* pinned, on device 0 */
    OK(fn("cuMemPoolCreate", (void **, const void *))(&pool, where));
    uint64_t address;
    OK(fn("cuMemAllocFromPoolAsync", (uint64_t *, size_t, void *, void *))(&address, 64, pool, stream));
    OK(fn("cuMemFreeAsync", (uint64_t, void *))(address, stream));
    OK(fn("cuMemAllocAsync", (uint64_t *, size_t, void *))(&address, 64, stream));
    OK(fn("cuMemFreeAsync", (uint64_t, void *))(address, stream));
    assert_int_equal(fn("cuMemAllocAsync", (uint64_t *, size_t, void *))(&address, 64, NULL), 201);
    OK(fn("cuMemPoolDestroy", (void *))(pool));
    OK(fn("cuEventDestroy_v2", (void *))(first));
    OK(fn("cuEventDestroy_v2", (void *))(second));
    OK(fn("cuStreamDestroy_v2", (void *))(stream));
    OK(fn("cuCtxPushCurrent_v2", (void *))(popped));
}

static void test_names(void **state)
{
    (void)state;
    void *found;
    int status;
    typedef int Get(const char *, void **, int, uint64_t, int *);
    Get *get = *(Get **)find("cuGetProcAddress_v2");
    OK(get("cuMemAlloc", &found, 12000, 0, &status));
    assert_ptr_equal(found, dlsym(library, "cuMemAlloc_v2"));
    OK(get("cuLaunchKernel", &found, 12000, 2, &status));
    assert_ptr_equal(found, dlsym(library, "cuLaunchKernel_ptsz"));
    assert_int_equal(get("cuNoSuchThing", &found, 12000, 0, &status), 500);
    assert_int_equal(status, 1);
    assert_null(found);
    /* Plain names that dlsym finds: first forms with the same arguments; those with 32-bit addresses
     * are there and refuse. */
    static const char *const firsts[] = {"cuMemHostRegister", "cuMemAllocHost",
                                         "cuLinkCreate",      "cuLinkAddData",
                                         "cuLinkAddFile",     "cuGraphInstantiate"};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        assert_non_null(dlsym(library, firsts[i]));
    void *page = aligned_alloc(4096, 4096), *pinned = NULL;
    OK(fn("cuMemHostRegister", (void *, size_t, unsigned))(page, 4096, 0));
    OK(fn("cuMemHostUnregister", (void *))(page));
    free(page);
    OK(fn("cuMemAllocHost", (void **, unsigned))(&pinned, 64));
    OK(fn("cuMemFreeHost", (void *))(pinned));
    void *stream, *graph = NULL;
    OK(fn("cuStreamCreate", (void **, unsigned))(&stream, 1));
    OK(fn("cuStreamBeginCapture", (void *))(stream));
    OK(fn("cuStreamEndCapture", (void *, void **))(stream, &graph));
    OK(fn("cuGraphDestroy", (void *))(graph));
    OK(fn("cuStreamDestroy_v2", (void *))(stream));
    unsigned narrow = 0;
    assert_int_equal(fn("cuMemAlloc", (unsigned *, unsigned))(&narrow, 64), 801);
    int (*refused)(void) = *(int (**)(void))find("cuMemMapArrayAsync");
    assert_int_equal(refused(), 801);
}

static void test_graph(void **state)
{
    (void)state;
    void *graph, *exec, *node, *second, *function, *memory;
    OK(fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "set"));
    OK(fn("cuMemHostAlloc", (void **, size_t, unsigned))(&memory, 64, 2));
    volatile uint32_t *at = memory;
    at[0] = 0;
    uint32_t value = 41;
    void *args[] = {&memory, &value};
    struct {
        void *function;
        unsigned grid[3], block[3], shared;
        void **params, **extra;
    } params = {function, {1, 1, 1}, {32, 1, 1}, 0, args, NULL};
    OK(fn("cuGraphCreate", (void **, unsigned))(&graph, 0));
    OK(fn("cuGraphAddKernelNode",
          (void **, void *, void *, size_t, const void *))(&node, graph, NULL, 0, &params));
    OK(fn("cuGraphAddEmptyNode", (void **, void *, void **, size_t))(&second, graph, &node, 1));
    OK(fn("cuGraphInstantiateWithFlags", (void **, void *, unsigned long long))(&exec, graph, 0));
    value = 42; /* the node has its own copy */
    OK(fn("cuGraphLaunch", (void *, void *))(exec, NULL));
    OK(fn("cuCtxSynchronize", (void))());
    assert_int_equal(at[0], 41);
    OK(fn("cuGraphExecKernelNodeSetParams", (void *, void *, const void *))(exec, node, &params));
    OK(fn("cuGraphLaunch", (void *, void *))(exec, NULL));
    OK(fn("cuCtxSynchronize", (void))());
    assert_int_equal(at[0], 42);
    OK(fn("cuGraphExecDestroy", (void *))(exec));
    OK(fn("cuGraphDestroy", (void *))(graph));
}

static void test_end(void **state)
{
    (void)state;
    void *function;
    OK(fn("cuModuleGetFunction", (void **, void *, const char *))(&function, module, "trap"));
    typedef int Launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void *, void **, void **);
    Launch *launch = *(Launch **)find("cuLaunchKernel");
    OK(launch(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    assert_int_equal(fn("cuCtxSynchronize", (void))(), 719);
    Ptr memory;
    assert_int_equal(fn("cuMemAlloc_v2", (Ptr *, size_t))(&memory, 16), 719); /* sticky */
    OK(fn("cuCtxDestroy_v2", (void *))(context));
    assert_int_equal(fn("cuCtxSynchronize", (void))(), 201);
    void *other; /* nor is another context to be had */
    assert_int_equal(fn("cuCtxCreate_v2", (void **, unsigned, int))(&other, 0, 0), 719);
    assert_int_equal(fn("cuDevicePrimaryCtxRetain", (void **, int))(&other, 0), 719);
}

int main(void)
{
    setenv("GPUKIT_TIME_LIMIT", "20", 0);
    cpu_device_set_hook(hand_kernel);
    library = dlopen(BUILD_DIR "/lib/libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),        cmocka_unit_test(test_module),
        cmocka_unit_test(test_launch),       cmocka_unit_test(test_steps),
        cmocka_unit_test(test_asynchronous), cmocka_unit_test(test_virtual_memory),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_graph),        cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
