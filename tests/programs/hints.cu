// SPDX-License-Identifier: Apache-2.0
// Hints for several ranges, pools by location, copies between arrays, resident clusters.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static int wrong;
#define IS(call, expected)                                                                         \
    do {                                                                                           \
        int got = (int)(call);                                                                     \
        if (got != (int)(expected))                                                                \
            printf("line %d: %s gives %d\n", __LINE__, #call, got), wrong++;                       \
    } while (0)

__global__ void scale(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 3;
}

static void batches()
{
    int *a, *b, *device;
    cudaMallocManaged(&a, 4096), cudaMallocManaged(&b, 4096), cudaMalloc(&device, 4096);
    for (int i = 0; i < 1024; i++)
        a[i] = b[i] = i;
    void *list[] = {a, b};
    size_t sizes[] = {4096, 4096}, from[] = {0, 1};
    cudaMemLocation where[2] = {};
    where[0].type = cudaMemLocationTypeDevice, where[1].type = cudaMemLocationTypeHost;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    IS(cudaMemPrefetchBatchAsync(list, sizes, 2, where, from, 2, 0, stream), cudaSuccess);
    scale<<<4, 256, 0, stream>>>(a, 1024);
    IS(cudaMemDiscardBatchAsync(list + 1, sizes, 1, 0, stream), cudaSuccess);
    IS(cudaMemDiscardAndPrefetchBatchAsync(list + 1, sizes, 1, where, from, 1, 0, stream), cudaSuccess);
    IS(cudaStreamSynchronize(stream), cudaSuccess);
    for (int i = 0; i < 1024; i++)
        wrong += a[i] != 3 * i;
    from[0] = 1;
    IS(cudaMemPrefetchBatchAsync(list, sizes, 2, where, from, 1, 0, stream), cudaErrorInvalidValue);
    from[0] = 0;
    IS(cudaMemPrefetchBatchAsync(list, sizes, 2, where, from, 2, 1, stream), cudaErrorInvalidValue);
    sizes[1] = 8192;
    IS(cudaMemPrefetchBatchAsync(list, sizes, 2, where, from, 2, 0, stream), cudaErrorInvalidValue);
    list[0] = device;
    IS(cudaMemDiscardBatchAsync(list, sizes, 1, 0, stream), cudaErrorInvalidValue);
}
static void pools()
{
    cudaMemPool_t by_device, by_place, made;
    cudaMemLocation where = {};
    where.type = cudaMemLocationTypeDevice;
    cudaDeviceGetDefaultMemPool(&by_device, 0);
    IS(cudaMemGetDefaultMemPool(&by_place, &where, cudaMemAllocationTypePinned), cudaSuccess);
    IS(by_place == by_device, 1);
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned, props.location = where;
    cudaMemPoolCreate(&made, &props);
    IS(cudaMemSetMemPool(&where, cudaMemAllocationTypePinned, made), cudaSuccess);
    cudaDeviceGetMemPool(&by_device, 0);
    IS(by_device == made, 1);
    IS(cudaMemGetMemPool(&by_place, &where, cudaMemAllocationTypePinned), cudaSuccess);
    IS(by_place == made, 1);
    cudaMemPoolDestroy(made);
    where.id = 99;
    IS(cudaMemGetMemPool(&by_place, &where, cudaMemAllocationTypePinned), cudaErrorInvalidValue);
}
static void arrays()
{
    enum { W = 10, H = 6, V = 7, PART = 29 };
    int from[H][W], to[H][V], back[H][V];
    for (int i = 0; i < W * H; i++)
        (&from[0][0])[i] = i + 1;
    memset(to, 0, sizeof to);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t a, b;
    cudaMallocArray(&a, &format, W, H), cudaMallocArray(&b, &format, V, H);
    cudaMemcpy2DToArray(a, 0, 0, from, sizeof from[0], sizeof from[0], H, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(b, 0, 0, to, sizeof to[0], sizeof to[0], H, cudaMemcpyHostToDevice);
    /* From the fourth texel of row 1 to the third of row 1, over the ends of the rows of both. */
    IS(cudaMemcpyArrayToArray(b, 2 * 4, 1, a, 3 * 4, 1, PART * 4, cudaMemcpyDeviceToDevice), cudaSuccess);
    for (int i = 0; i < PART; i++)
        (&to[0][0])[V + 2 + i] = (&from[0][0])[W + 3 + i];
    cudaMemcpy2DFromArray(back, sizeof back[0], b, 0, 0, sizeof back[0], H, cudaMemcpyDeviceToHost);
    IS(memcmp(back, to, sizeof to), 0);
    /* Behind the last row another array may lie: nothing is copied. */
    for (int row : {H + 0, H + 1, H + 5, 9999}) {
        IS(cudaMemcpyArrayToArray(b, 0, row, a, 0, 0, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
        IS(cudaMemcpyArrayToArray(b, 0, 0, a, 0, row, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
        IS(cudaMemcpy2DToArray(b, 0, row, from, sizeof from[0], 4, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
        IS(cudaMemcpy2DFromArray(back, sizeof back[0], a, 0, row, 4, 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    }
    IS(cudaMemcpy2DToArray(b, 0, 1, from, sizeof from[0], 4, H, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpyArrayToArray(b, 99 * 4, 1, a, 0, 0, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
}
/* The driver's forms, found as programs without libcuda find them. */
template <class F> static F *driver(const char *name)
{
    void *found = nullptr;
    cudaDriverEntryPointQueryResult status;
    cudaGetDriverEntryPointByVersion(name, &found, 13000, cudaEnableDefault, &status);
    return (F *)found;
}
static void driver_forms()
{
    int bytes[64], back[64], *managed;
    for (int i = 0; i < 64; i++)
        bytes[i] = 7 * i;
    cudaMallocManaged(&managed, 4096);
    CUarray a, b;
    CUDA_ARRAY_DESCRIPTOR shape = {};
    shape.Width = 64, shape.Format = CU_AD_FORMAT_SIGNED_INT32, shape.NumChannels = 1;
    auto *create = driver<decltype(cuArrayCreate)>("cuArrayCreate");
    IS(create(&a, &shape), 0);
    IS(create(&b, &shape), 0);
    CUarray rows; /* a linear copy stays in the first one */
    shape.Width = 16, shape.Height = 4;
    IS(create(&rows, &shape), 0);
    IS(driver<decltype(cuMemcpyHtoA)>("cuMemcpyHtoA")(rows, 0, bytes, 64), 0);
    IS(driver<decltype(cuMemcpyHtoA)>("cuMemcpyHtoA")(rows, 4, bytes, 64), CUDA_ERROR_INVALID_VALUE);
    IS(driver<decltype(cuMemcpyHtoA)>("cuMemcpyHtoA")(a, 0, bytes, sizeof bytes), 0);
    IS(driver<decltype(cuMemcpyAtoA)>("cuMemcpyAtoA")(b, 5 * 4, a, 9 * 4, 50 * 4), 0);
    IS(driver<decltype(cuMemcpyAtoH)>("cuMemcpyAtoH")(back, b, 0, sizeof back), 0);
    IS(memcmp(back + 5, bytes + 9, 50 * 4), 0);
    CUdeviceptr list[] = {(CUdeviceptr)managed};
    size_t sizes[] = {4096};
    auto *discard = driver<decltype(cuMemDiscardBatchAsync)>("cuMemDiscardBatchAsync");
    IS(discard(list, sizes, 1, 0, cudaStreamPerThread), 0);
    sizes[0] = 8192;
    IS(discard(list, sizes, 1, 0, cudaStreamPerThread), CUDA_ERROR_INVALID_VALUE);
}
static void clusters()
{
    cudaLaunchAttribute shape = {};
    shape.id = cudaLaunchAttributeClusterDimension;
    shape.val.clusterDim.x = 4, shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1024), config.blockDim = dim3(256), config.attrs = &shape, config.numAttrs = 1;
    int n = 0, fits = 0, size = 0, sms = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, scale, 256, 0);
    IS(cudaOccupancyMaxActiveClusters(&n, (const void *)scale, &config), cudaSuccess);
    IS(n, fits * sms / 4);
    config.dynamicSmemBytes = 40000;
    int fewer = 0;
    IS(cudaOccupancyMaxActiveClusters(&fewer, (const void *)scale, &config), cudaSuccess);
    IS(fewer > 0 && fewer < n, 1);
    IS(cudaOccupancyMaxPotentialClusterSize(&size, (const void *)scale, &config), cudaSuccess);
    IS(size, 8);
    config.gridDim = dim3(1023);
    IS(cudaOccupancyMaxActiveClusters(&n, (const void *)scale, &config), cudaErrorInvalidClusterSize);
}

int main()
{
    batches(), pools(), arrays(), driver_forms(), clusters();
    cudaGetLastError();
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
