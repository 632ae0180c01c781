/* SPDX-License-Identifier: Apache-2.0
 * Lists of copies through both interfaces, what was advised of managed memory, pools by place.
 * Needs --arch sm_90 */
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static int wrong;
#define IS(call, expected)                                                                         \
    do {                                                                                           \
        long long got = (long long)(call), want = (long long)(expected);                           \
        if (got != want)                                                                           \
            printf("line %d: %s gives %lld, not %lld\n", __LINE__, #call, got, want), wrong++;     \
    } while (0)

/* The driver's functions, found as programs without libcuda find them. */
template <class F> static F *driver(const char *name)
{
    void *found = nullptr;
    cudaDriverEntryPointQueryResult status;
    cudaGetDriverEntryPointByVersion(name, &found, 13000, cudaEnableDefault, &status);
    return (F *)found;
}
#define DRIVER(name, symbol) driver<decltype(symbol)>(#name)

__global__ void triple(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 3;
}

static void copies(cudaStream_t stream)
{
    enum { N = 256, BYTES = N * sizeof(int) };
    int from[2][N], back[2][N], *device[2];
    for (int i = 0; i < 2 * N; i++)
        from[0][i] = i + 7;
    cudaMalloc(&device[0], BYTES), cudaMalloc(&device[1], BYTES);
    CUdeviceptr there[2] = {(CUdeviceptr)device[0], (CUdeviceptr)device[1]};
    CUdeviceptr here[2] = {(CUdeviceptr)from[0], (CUdeviceptr)from[1]};
    CUdeviceptr home[2] = {(CUdeviceptr)back[0], (CUdeviceptr)back[1]};
    size_t sizes[2] = {BYTES, BYTES}, first[2] = {0, 0};
    CUmemcpyAttributes order = {};
    order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    auto *batch = DRIVER(cuMemcpyBatchAsync, cuMemcpyBatchAsync_v2);
    IS(batch(there, here, sizes, 2, &order, first, 1, stream), 0);
    triple<<<1, N, 0, stream>>>(device[1], N);
    IS(batch(home, there, sizes, 2, &order, first, 1, stream), 0);
    IS(cudaStreamSynchronize(stream), 0);
    for (int i = 0; i < N; i++)
        if (back[0][i] != from[0][i] || back[1][i] != 3 * from[1][i])
            wrong++;
    IS(batch(there, here, sizes, 2, &order, first, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
    first[0] = 1;
    IS(batch(there, here, sizes, 2, &order, first, 1, stream), CUDA_ERROR_INVALID_VALUE);
    first[0] = 0, order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    IS(batch(there, here, sizes, 2, &order, first, 1, stream), CUDA_ERROR_INVALID_VALUE);
    order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY, here[1] = 0;
    IS(batch(there, here, sizes, 2, &order, first, 1, stream), CUDA_ERROR_INVALID_VALUE);
    cudaFree(device[0]), cudaFree(device[1]);
}

/* A box of shorts out of memory whose rows are longer, into an array, and from there into memory without gaps. */
template <class Op, class Batch> static void boxes(cudaStream_t stream, Batch *batch)
{
    enum { W = 10, H = 6, D = 3, w = 4, h = 3, d = 2 };
    short from[D][H][W], back[d][h][w], *device;
    for (int i = 0; i < W * H * D; i++)
        from[0][0][i] = (short)(i * 5);
    memset(back, 0, sizeof back);
    cudaMalloc(&device, sizeof from);
    cudaMemcpy(device, from, sizeof from, cudaMemcpyHostToDevice);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<short>();
    cudaArray_t array;
    cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 5, 4));
    static_assert(sizeof(Op) == sizeof(cudaMemcpy3DBatchOp), "one layout");
    cudaMemcpy3DBatchOp ops[2] = {};
    ops[0].src.type = cudaMemcpyOperandTypePointer;
    ops[0].src.op.ptr.ptr = device + W * H + 2 * W + 1; /* z 1, y 2, x 1 */
    ops[0].src.op.ptr.rowLength = W, ops[0].src.op.ptr.layerHeight = H;
    ops[0].dst.type = cudaMemcpyOperandTypeArray;
    ops[0].dst.op.array.array = array;
    ops[0].dst.op.array.offset = {2, 1, 1};
    ops[0].extent = make_cudaExtent(w, h, d);
    ops[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    ops[1] = ops[0];
    ops[1].src = ops[0].dst;
    ops[1].dst = {};
    ops[1].dst.type = cudaMemcpyOperandTypePointer;
    ops[1].dst.op.ptr.ptr = back;
    IS(batch(1, (Op *)ops, 0, stream), 0);
    IS(batch(1, (Op *)ops + 1, 0, stream), 0);
    IS(cudaStreamSynchronize(stream), 0);
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                if (back[z][y][x] != from[z + 1][y + 2][x + 1])
                    wrong++;
    ops[0].extent.width = 7; /* from element 2 of 8 */
    IS(batch(1, (Op *)ops, 0, stream), cudaErrorInvalidValue);
    ops[0].extent.width = 0;
    IS(batch(1, (Op *)ops, 0, stream), cudaErrorInvalidValue);
    ops[0].extent.width = w;
    IS(batch(1, (Op *)ops, 1, stream), cudaErrorInvalidValue);
    ops[0].src.op.ptr.rowLength = w - 1;
    IS(batch(1, (Op *)ops, 0, stream), cudaErrorInvalidValue);
    cudaFreeArray(array), cudaFree(device);
    cudaGetLastError();
}

static int said(cudaMemRangeAttribute attribute, const char *p, size_t bytes)
{
    int value = 77;
    IS(cudaMemRangeGetAttribute(&value, sizeof value, attribute, p, bytes), 0);
    return value;
}

static void ranges()
{
    enum { PAGE = 4096, PAGES = 8 };
    char *p;
    cudaMallocManaged(&p, PAGES * PAGE);
    IS(said(cudaMemRangeAttributeReadMostly, p, PAGE), 0);
    IS(said(cudaMemRangeAttributePreferredLocation, p, PAGE), cudaInvalidDeviceId);
    IS(said(cudaMemRangeAttributeLastPrefetchLocation, p, PAGE), cudaInvalidDeviceId);
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    /* Pages 2 to 4. */
    IS(cudaMemAdvise(p + 2 * PAGE, 3 * PAGE, cudaMemAdviseSetReadMostly, device), 0);
    IS(said(cudaMemRangeAttributeReadMostly, p + 2 * PAGE, 3 * PAGE), 1);
    IS(said(cudaMemRangeAttributeReadMostly, p + 2 * PAGE, 4 * PAGE), 0);
    IS(said(cudaMemRangeAttributeReadMostly, p + 1 * PAGE, 2 * PAGE), 0);
    IS(said(cudaMemRangeAttributeReadMostly, p + 3 * PAGE + 5, 1), 1);
    IS(cudaMemAdvise(p + 3 * PAGE, 1, cudaMemAdviseUnsetReadMostly, device), 0);
    IS(said(cudaMemRangeAttributeReadMostly, p + 2 * PAGE, 3 * PAGE), 0);
    IS(said(cudaMemRangeAttributeReadMostly, p + 4 * PAGE, PAGE), 1);
    IS(cudaMemAdvise(p, 4 * PAGE, cudaMemAdviseSetPreferredLocation, device), 0);
    IS(cudaMemAdvise(p + 4 * PAGE, 4 * PAGE, cudaMemAdviseSetPreferredLocation, host), 0);
    IS(said(cudaMemRangeAttributePreferredLocation, p, 4 * PAGE), 0);
    IS(said(cudaMemRangeAttributePreferredLocation, p + 5 * PAGE, 2 * PAGE), cudaCpuDeviceId);
    IS(said(cudaMemRangeAttributePreferredLocation, p, PAGES * PAGE), cudaInvalidDeviceId);
    IS(said(cudaMemRangeAttributePreferredLocationType, p, 4 * PAGE), cudaMemLocationTypeDevice);
    IS(said(cudaMemRangeAttributePreferredLocationType, p + 4 * PAGE, PAGE), cudaMemLocationTypeHost);
    IS(cudaMemAdvise(p, PAGES * PAGE, cudaMemAdviseSetAccessedBy, device), 0);
    IS(cudaMemAdvise(p, PAGE, cudaMemAdviseSetAccessedBy, host), 0);
    int list[4];
    IS(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy, p, PAGE), 0);
    IS(list[0] + list[1], cudaCpuDeviceId + 0);
    IS(list[2] == cudaInvalidDeviceId && list[3] == cudaInvalidDeviceId, 1);
    IS(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy, p, 2 * PAGE), 0);
    IS(list[0], 0);
    IS(list[1], cudaInvalidDeviceId);
    IS(cudaMemPrefetchAsync(p, PAGES * PAGE, device, 0, nullptr), 0);
    IS(said(cudaMemRangeAttributeLastPrefetchLocation, p, PAGES * PAGE), 0);
    /* The driver's, and lists of both. */
    void *addresses[] = {p, p + PAGE};
    size_t sizes[] = {PAGE, PAGE}, from[] = {0, 1};
    cudaMemLocation places[] = {device, host};
    auto *prefetch = DRIVER(cuMemPrefetchBatchAsync, cuMemPrefetchBatchAsync);
    IS(prefetch((CUdeviceptr *)addresses, sizes, 2, (CUmemLocation *)places, from, 2, 0, cudaStreamPerThread), 0);
    for (CUstream legacy : {(CUstream) nullptr, (CUstream)cudaStreamLegacy})
        IS(prefetch((CUdeviceptr *)addresses, sizes, 2, (CUmemLocation *)places, from, 2, 0, legacy),
           CUDA_ERROR_INVALID_VALUE);
    int mostly = -1, where = -1;
    void *outs[] = {&mostly, &where};
    size_t rooms[] = {4, 4};
    CUmem_range_attribute asked[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                     CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
    auto *get = DRIVER(cuMemRangeGetAttributes, cuMemRangeGetAttributes);
    IS(get(outs, rooms, asked, 2, (CUdeviceptr)(p + PAGE), PAGE), 0);
    IS(mostly, 0);
    IS(where, -1);
    auto *discard = DRIVER(cuMemDiscardAndPrefetchBatchAsync, cuMemDiscardAndPrefetchBatchAsync);
    IS(discard((CUdeviceptr *)addresses + 1, sizes, 1, (CUmemLocation *)places, from, 1, 0, cudaStreamPerThread), 0);
    IS(said(cudaMemRangeAttributeLastPrefetchLocation, p, 2 * PAGE), 0);
    /* What is none. */
    rooms[0] = 8;
    IS(get(outs, rooms, asked, 2, (CUdeviceptr)p, PAGE), CUDA_ERROR_INVALID_VALUE);
    device.id = 99;
    IS(cudaMemAdvise(p, PAGE, cudaMemAdviseSetPreferredLocation, device), cudaErrorInvalidValue);
    IS(cudaMemAdvise(p, PAGE, cudaMemAdviseSetReadMostly, device), 0);
    IS(cudaMemPrefetchAsync(p, PAGE, device, 0, nullptr), cudaErrorInvalidDevice);
    IS(cudaMemAdvise(p, PAGES * PAGE + 1, cudaMemAdviseSetReadMostly, host), cudaErrorInvalidValue);
    char *plain;
    cudaMalloc(&plain, PAGE);
    IS(cudaMemRangeGetAttribute(list, 4, cudaMemRangeAttributeReadMostly, plain, PAGE), cudaErrorInvalidValue);
    cudaFree(plain);
    /* Memory that comes to lie at the same address knows nothing of it. */
    for (int i = 0; i < 3; i++) {
        cudaFree(p);
        cudaMallocManaged(&p, PAGES * PAGE);
        IS(said(cudaMemRangeAttributePreferredLocation, p, PAGE), cudaInvalidDeviceId);
        IS(cudaMemAdvise(p, PAGE, cudaMemAdviseSetPreferredLocation, host), 0);
    }
    cudaFree(p);
    cudaGetLastError();
}

static void pools(cudaStream_t stream)
{
    CUmemLocation where = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemoryPool pool, made;
    cudaMemPool_t same;
    IS(DRIVER(cuMemGetDefaultMemPool, cuMemGetDefaultMemPool)(&pool, &where, CU_MEM_ALLOCATION_TYPE_PINNED), 0);
    cudaDeviceGetDefaultMemPool(&same, 0);
    IS((void *)same == (void *)pool, 1);
    CUmemPoolProps props = {};
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, props.location = where;
    IS(DRIVER(cuMemPoolCreate, cuMemPoolCreate)(&made, &props), 0);
    IS(DRIVER(cuMemSetMemPool, cuMemSetMemPool)(&where, CU_MEM_ALLOCATION_TYPE_PINNED, made), 0);
    IS(cudaDeviceGetMemPool(&same, 0), 0);
    IS((void *)same == (void *)made, 1);
    IS(DRIVER(cuMemGetMemPool, cuMemGetMemPool)(&pool, &where, CU_MEM_ALLOCATION_TYPE_PINNED), 0);
    IS(pool == made, 1);
    cuuint64_t keep = 12345;
    IS(DRIVER(cuMemPoolSetAttribute, cuMemPoolSetAttribute)(made, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep), 0);
    keep = 0;
    IS(cudaMemPoolGetAttribute(same, cudaMemPoolAttrReleaseThreshold, &keep), 0);
    IS(keep, 12345);
    int reuses = 0, off = 0;
    IS(cudaMemPoolSetAttribute(same, cudaMemPoolReuseAllowOpportunistic, &off), 0);
    IS(cudaMemPoolGetAttribute(same, cudaMemPoolReuseAllowOpportunistic, &reuses), 0);
    IS(reuses, 0);
    IS(cudaMemPoolGetAttribute(same, cudaMemPoolReuseFollowEventDependencies, &reuses), 0);
    IS(reuses, 1);
    CUmemAccess_flags access;
    IS(DRIVER(cuMemPoolGetAccess, cuMemPoolGetAccess)(&access, made, &where), 0);
    IS(access, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    int *p, value = 0;
    IS(cudaMallocFromPoolAsync((void **)&p, 4, same, stream), 0);
    cudaMemsetAsync(p, 1, 4, stream);
    cudaMemcpyAsync(&value, p, 4, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(p, stream);
    cudaStreamSynchronize(stream);
    IS(value, 0x01010101);
    IS(DRIVER(cuMemPoolDestroy, cuMemPoolDestroy)(made), 0);
    IS(cudaMemPoolDestroy(same), cudaErrorInvalidValue);
    cudaDeviceGetMemPool(&same, 0);
    IS((void *)same != (void *)made, 1);
    cudaGetLastError();
}

/* Clusters by the driver's launch. */
__global__ void rank_in_cluster(unsigned *out)
{
    unsigned rank, size;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    if (!threadIdx.x)
        out[blockIdx.x] = rank * 100 + size;
}

static void clusters()
{
    unsigned *device, out[16];
    cudaMalloc(&device, sizeof out);
    cudaFunction_t function;
    cudaGetFuncBySymbol(&function, (const void *)rank_in_cluster);
    CUlaunchAttribute shape = {};
    shape.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    shape.value.clusterDim.x = 4, shape.value.clusterDim.y = shape.value.clusterDim.z = 1;
    CUlaunchConfig config = {};
    config.gridDimX = 16, config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 64, config.blockDimY = config.blockDimZ = 1;
    config.attrs = &shape, config.numAttrs = 1;
    void *arguments[] = {&device};
    auto *launch = DRIVER(cuLaunchKernelEx, cuLaunchKernelEx);
    IS(launch(&config, (CUfunction)function, arguments, nullptr), 0);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 16; i++)
        if (out[i] != i % 4 * 100 + 4)
            wrong++;
    config.gridDimX = 6;
    IS(launch(&config, (CUfunction)function, arguments, nullptr), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    config.gridDimX = 16;
    /* More than 8 blocks are for who says that it knows they may not fit everywhere. */
    int value = 1;
    auto *set = DRIVER(cuFuncSetAttribute, cuFuncSetAttribute);
    auto *get = DRIVER(cuFuncGetAttribute, cuFuncGetAttribute);
    IS(get(&value, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, (CUfunction)function), 0);
    IS(value, 0);
    shape.value.clusterDim.x = 16;
    IS(launch(&config, (CUfunction)function, arguments, nullptr), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    IS(set((CUfunction)function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1), 0);
    IS(get(&value, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, (CUfunction)function), 0);
    IS(value, 1);
    IS(launch(&config, (CUfunction)function, arguments, nullptr), 0);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 16; i++)
        if (out[i] != i * 100 + 16)
            wrong++;
    cudaFree(device);
}

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    copies(stream);
    boxes<cudaMemcpy3DBatchOp>(stream, cudaMemcpy3DBatchAsync);
    boxes<CUDA_MEMCPY3D_BATCH_OP>(stream, DRIVER(cuMemcpy3DBatchAsync, cuMemcpy3DBatchAsync_v2));
    ranges(), pools(stream), clusters();
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
