// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays, fetches by level and by derivatives, resource views, sRGB, cubemaps whose faces
// continue each other, layered surfaces and boundary modes, against values worked out by hand from the
// CUDA C++ Programming Guide, "Texture Fetching". Exit status 1 when one differs.
#include <cmath>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void by_level(cudaTextureObject_t t, float x, float y, const float *level, float *out)
{
    out[threadIdx.x] = tex2DLod<float>(t, x, y, level[threadIdx.x]);
}
__global__ void plain(cudaTextureObject_t t, float x, float y, float *out) { out[0] = tex2D<float>(t, x, y); }
__global__ void by_gradient(cudaTextureObject_t t, float x, float y, const float4 *d, float *out)
{
    float4 v = d[threadIdx.x];
    tex2DGrad(&out[threadIdx.x], t, x, y, make_float2(v.x, v.y), make_float2(v.z, v.w));
}
__global__ void volume(cudaTextureObject_t t, const float *level, float *out)
{
    out[threadIdx.x] = tex3DLod<float>(t, 0.5f, 0.5f, 0.5f, level[threadIdx.x]);
}
__global__ void fill_level(cudaSurfaceObject_t s, float value) { surf2Dwrite(value, s, threadIdx.x * 4, threadIdx.y); }
__global__ void colours(cudaTextureObject_t t, float4 *out) { out[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f); }
__global__ void whole(cudaTextureObject_t t, unsigned *out) { out[threadIdx.x] = tex2D<unsigned>(t, threadIdx.x + 0.5f, 0.5f); }
__global__ void layer(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, threadIdx.x);
    out[8 + threadIdx.x] = tex2DLayeredLod<float>(t, 1.5f, 0.5f, threadIdx.x, 3.0f);
}
__global__ void cube(cudaTextureObject_t t, const float3 *at, float *out)
{
    float3 a = at[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(t, a.x, a.y, a.z);
}
__global__ void cubes(cudaTextureObject_t t, const float3 *at, float *out)
{
    float3 a = at[threadIdx.x];
    out[threadIdx.x] = texCubemapLayered<float>(t, a.x, a.y, a.z, 1);
}
__global__ void layers_up(cudaSurfaceObject_t s, int layers)
{
    for (int l = 0; l < layers; l++) {
        float v = surf2DLayeredread<float>(s, threadIdx.x * 4, threadIdx.y, l);
        surf2DLayeredwrite(v + 100, s, threadIdx.x * 4, threadIdx.y, l);
    }
    surfCubemapwrite(-1.0f, s, 0, 0, 1, cudaBoundaryModeZero);
}
__global__ void boundary(cudaSurfaceObject_t s, float *out)
{
    surf2Dread(&out[0], s, -4, 0, cudaBoundaryModeClamp);
    surf2Dread(&out[1], s, 400, 0, cudaBoundaryModeZero);
    surf2Dwrite(77.0f, s, 400, 0, cudaBoundaryModeZero);
    surf2Dwrite(88.0f, s, 400, 1, cudaBoundaryModeClamp);
}
__global__ void outside(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 400, 0); }

static int wrong;
static float *out;
static void expect(const char *what, int k, float value, float wanted)
{
    if (!(fabsf(value - wanted) <= 1e-5f * fabsf(wanted) + 1e-6f)) {
        printf("%s %d: %g, wanted %g\n", what, k, value, wanted);
        wrong++;
    }
}
static void ok(int error, int line)
{
    if (error) {
        printf("line %d: error %d\n", line, error);
        wrong++;
    }
}
/* What may not be true. */
#define NOT(condition)                                                                             \
    do {                                                                                           \
        if (condition) {                                                                           \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            wrong++;                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call) ok((int)(call), __LINE__)
/* A driver function by its name: the program is not linked with libcuda. */
template <class F> static F *driver(const char *name)
{
    void *p = nullptr;
    cudaDriverEntryPointQueryResult result;
    OK(cudaGetDriverEntryPoint(name, &p, cudaEnableDefault, &result));
    return (F *)p;
}
#define DRIVER(name) driver<decltype(name)>(#name)
#define DONE()   OK(cudaDeviceSynchronize())

static void upload(cudaArray_t array, const void *from, size_t row, size_t height, size_t depth, size_t texel)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)from, row, row / texel, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(row / texel, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
}
static cudaTextureObject_t texture(const cudaResourceDesc &r, const cudaTextureDesc &d, const cudaResourceViewDesc *view = nullptr)
{
    cudaTextureObject_t t = 0;
    OK(cudaCreateTextureObject(&t, &r, &d, view));
    return t;
}
static cudaResourceDesc of(cudaArray_t array)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    return r;
}

/* 8 x 4 texels: level k holds 10^k everywhere, written by a copy, by a surface. */
static void mipmaps()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mip;
    OK(cudaMallocMipmappedArray(&mip, &format, make_cudaExtent(8, 4, 0), 99, cudaArraySurfaceLoadStore));
    for (int k = 0, w = 8, h = 4; k < 4; k++, w = w / 2, h = h > 1 ? h / 2 : 1) {
        cudaArray_t level;
        cudaExtent size;
        OK(cudaGetMipmappedArrayLevel(&level, mip, k));
        OK(cudaArrayGetInfo(nullptr, &size, nullptr, level));
        NOT(size.width != (size_t)w || size.height != (size_t)h);
        OK(cudaFreeArray(level)); /* does nothing: it is the mipmapped array's */
        cudaResourceDesc r = of(level);
        cudaSurfaceObject_t s;
        OK(cudaCreateSurfaceObject(&s, &r));
        fill_level<<<1, dim3(w, h)>>>(s, powf(10, k));
        DONE();
        OK(cudaDestroySurfaceObject(s));
    }
    cudaArray_t none;
    NOT(cudaGetMipmappedArrayLevel(&none, mip, 4) != cudaErrorInvalidValue); /* 8, 4, 2, 1 */
    cudaGetLastError();
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = mip;
    cudaTextureDesc d = {};
    d.normalizedCoords = 1;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    d.filterMode = d.mipmapFilterMode = cudaFilterModeLinear;
    d.maxMipmapLevelClamp = 100;
    float *level;
    OK(cudaMallocManaged(&level, 64));
    const float at[6] = {-3, 0, 0.25f, 1.5f, 3, 7};
    for (int i = 0; i < 6; i++)
        level[i] = at[i];
    cudaTextureObject_t t = texture(r, d);
    by_level<<<1, 6>>>(t, 0.4f, 0.6f, level, out);
    DONE();
    const float between[6] = {1, 1, 1 + 0.25f * 9, 10 + 0.5f * 90, 1000, 1000};
    for (int i = 0; i < 6; i++)
        expect("linear between levels", i, out[i], between[i]);
    plain<<<1, 1>>>(t, 0.4f, 0.6f, out);
    DONE();
    expect("the first level", 0, out[0], 1);

    float4 *moved; /* one texel, two and four texels in x or y of the first level */
    OK(cudaMallocManaged(&moved, 5 * sizeof *moved));
    moved[0] = make_float4(1 / 8.0f, 0, 0, 0);
    moved[1] = make_float4(2 / 8.0f, 0, 0, 1 / 4.0f);
    moved[2] = make_float4(0, 0, 0, 4 / 4.0f);
    moved[3] = make_float4(0, 0, 0, 0);
    by_gradient<<<1, 4>>>(t, 0.4f, 0.6f, moved, out);
    DONE();
    const float steps[4] = {1, 10, 100, 1};
    for (int i = 0; i < 4; i++)
        expect("gradient", i, out[i], steps[i]);
    OK(cudaDestroyTextureObject(t));

    d.mipmapFilterMode = cudaFilterModePoint;
    d.mipmapLevelBias = 1;
    d.maxMipmapLevelClamp = 2;
    d.minMipmapLevelClamp = 1;
    t = texture(r, d);
    by_level<<<1, 6>>>(t, 0.4f, 0.6f, level, out);
    DONE();
    const float near[6] = {10, 10, 10, 100, 100, 100};
    for (int i = 0; i < 6; i++)
        expect("nearest level, bias, clamps", i, out[i], near[i]);
    OK(cudaDestroyTextureObject(t));

    /* a view of two levels */
    cudaResourceViewDesc view = {}, back;
    view.format = cudaResViewFormatFloat1;
    view.width = 8;
    view.height = 4;
    view.firstMipmapLevel = 1;
    view.lastMipmapLevel = 2;
    d = {};
    d.normalizedCoords = 1;
    d.maxMipmapLevelClamp = 100;
    t = texture(r, d, &view);
    OK(cudaGetTextureObjectResourceViewDesc(&back, t));
    NOT(back.lastMipmapLevel != 2);
    by_level<<<1, 6>>>(t, 0.4f, 0.6f, level, out);
    DONE();
    const float seen[6] = {10, 10, 10, 100, 100, 100};
    for (int i = 0; i < 6; i++)
        if (i != 3) /* half way */
            expect("view of levels", i, out[i], seen[i]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeMipmappedArray(mip));

    /* a volume through libcuda: its depth is halved, too */
    CUDA_ARRAY3D_DESCRIPTOR box = {4, 4, 8, CU_AD_FORMAT_FLOAT, 1, 0};
    CUmipmappedArray own;
    OK(DRIVER(cuMipmappedArrayCreate)(&own, &box, 3));
    for (int k = 0; k < 3; k++) {
        CUarray part;
        CUDA_ARRAY3D_DESCRIPTOR size;
        OK(DRIVER(cuMipmappedArrayGetLevel)(&part, own, k));
        OK(driver<decltype(cuArray3DGetDescriptor)>("cuArray3DGetDescriptor")(&size, part));
        NOT(size.Depth != (size_t)(8 >> k));
        float values[128];
        for (float &v : values)
            v = k + 1;
        upload((cudaArray_t)part, values, 4 * (4 >> k), 4 >> k, 8 >> k, 4);
    }
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = own;
    CUDA_TEXTURE_DESC desc = {};
    desc.flags = CU_TRSF_NORMALIZED_COORDINATES;
    desc.maxMipmapLevelClamp = 9;
    CUtexObject object;
    OK(DRIVER(cuTexObjectCreate)(&object, &resource, &desc, nullptr));
    for (int i = 0; i < 3; i++)
        level[i] = i;
    volume<<<1, 3>>>(object, level, out);
    DONE();
    for (int i = 0; i < 3; i++)
        expect("volume", i, out[i], i + 1);
    OK(DRIVER(cuTexObjectDestroy)(object));
    OK(DRIVER(cuMipmappedArrayDestroy)(own));
}

/* Bytes as sRGB colours, and as words through a view. */
static void formats()
{
    const unsigned char texels[2][4] = {{0, 10, 128, 128}, {255, 188, 5, 0}};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    OK(cudaMallocArray(&array, &format, 2, 1));
    upload(array, texels, 8, 1, 1, 4);
    cudaResourceDesc r = of(array);
    cudaTextureDesc d = {};
    d.readMode = cudaReadModeNormalizedFloat;
    d.sRGB = 1;
    cudaTextureObject_t t = texture(r, d);
    colours<<<1, 2>>>(t, (float4 *)out);
    DONE();
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 4; c++) {
            float v = texels[i][c] / 255.0f, linear = v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
            if (fabsf(out[4 * i + c] - (c < 3 ? linear : v)) > 0.002f) /* the hardware has a table */
                expect("sRGB", 4 * i + c, out[4 * i + c], c < 3 ? linear : v);
        }
    OK(cudaDestroyTextureObject(t));
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatUnsignedInt1;
    view.width = 2;
    view.height = 1;
    d = {};
    t = texture(r, d, &view);
    whole<<<1, 2>>>(t, (unsigned *)out);
    DONE();
    NOT(((unsigned *)out)[0] != 0x80800a00u || ((unsigned *)out)[1] != 0x0005bcffu);
    OK(cudaDestroyTextureObject(t));
    view.format = cudaResViewFormatUnsignedInt2; /* another size */
    NOT(cudaCreateTextureObject(&t, &r, &d, &view) == cudaSuccess);
    cudaGetLastError();
    OK(cudaFreeArray(array));
}

/* 2 cubes of 4 x 4 texels: texel (x, y) of face f holds 100 f + 10 y + x, the second cube 1000 more. */
static void cubemaps()
{
    static float texels[12][4][4];
    for (int f = 0; f < 12; f++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                texels[f][y][x] = (f >= 6) * 1000 + f % 6 * 100 + 10 * y + x;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore));
    upload(array, texels, 16, 4, 12, 4);
    cudaResourceDesc r = of(array);
    cudaTextureDesc d = {};
    d.normalizedCoords = 1;
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    cudaTextureObject_t t = texture(r, d);
    float3 *at;
    OK(cudaMallocManaged(&at, 6 * sizeof *at));
    const float3 middle[6] = {{1, 0.1f, 0.1f}, {-1, 0.1f, 0.1f}, {0.1f, 1, 0.1f}, {0.1f, -1, 0.1f}, {0.1f, 0.1f, 1}, {0.1f, 0.1f, -1}};
    const int place[6] = {11, 12, 22, 12, 12, 11}; /* 10 y + x by the guide's table */
    for (int f = 0; f < 6; f++)
        at[f] = middle[f];
    cubes<<<1, 6>>>(t, at, out);
    DONE();
    for (int f = 0; f < 6; f++)
        expect("cubemap of the second layer", f, out[f], 1000 + 100 * f + place[f]);
    OK(cudaDestroyTextureObject(t));

    cudaSurfaceObject_t s;
    OK(cudaCreateSurfaceObject(&s, &r));
    layers_up<<<1, dim3(4, 4)>>>(s, 12);
    DONE();
    OK(cudaDestroySurfaceObject(s));
    float got[12][4][4];
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(got, 16, 4, 4);
    copy.extent = make_cudaExtent(4, 4, 12);
    copy.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&copy));
    for (int f = 0; f < 12; f++)
        expect("layered surface", f, got[f][2][3], texels[f][2][3] + 100);
    expect("cubemap surface", 1, got[1][0][0], -1);
    OK(cudaFreeArray(array));

    /* Faces that continue each other: half way over the edge between +x and +z the mean of both
     * faces' texels, at the corner of three faces that of their three. */
    OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
    upload(array, texels, 16, 4, 6, 4);
    r = of(array);
    d.filterMode = cudaFilterModeLinear;
    d.seamlessCubemap = 1;
    t = texture(r, d);
    at[0] = make_float3(1, 0.25f, 0.99999f); /* +x, s = 0, t at the middle of its second row */
    at[1] = make_float3(1, 1, 0.99999f);
    at[2] = make_float3(1, 0.25f, 0.25f);    /* inside */
    cube<<<1, 3>>>(t, at, out);
    DONE();
    expect("over the edge", 0, out[0], (10 + 413) / 2.0f);
    if (fabsf(out[1] - (texels[0][0][0] + texels[2][3][3] + texels[4][0][3]) / 3) > 1)
        expect("corner", 1, out[1], (texels[0][0][0] + texels[2][3][3] + texels[4][0][3]) / 3);
    expect("inside", 2, out[2], 11);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
}

static void layers_and_bounds()
{
    static float texels[4][2][2];
    for (int i = 0; i < 16; i++)
        (&texels[0][0][0])[i] = (float)i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 4), cudaArrayLayered));
    upload(array, texels, 8, 2, 4, 4);
    cudaResourceDesc r = of(array);
    cudaTextureDesc d = {};
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatFloat1;
    view.width = view.height = 2;
    view.depth = 4;
    view.firstLayer = 1;
    view.lastLayer = 2;
    cudaTextureObject_t t = texture(r, d, &view);
    layer<<<1, 3>>>(t, out);
    DONE();
    for (int i = 0; i < 3; i++) /* the third is the last once more */
        expect("view of layers", i, out[i], texels[i == 0 ? 1 : 2][0][1]),
            expect("at a level", i, out[8 + i], out[i]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));

    OK(cudaMallocArray(&array, &format, 8, 2, cudaArraySurfaceLoadStore));
    float values[16], back[16];
    for (int i = 0; i < 16; i++)
        values[i] = (float)(i + 1);
    upload(array, values, 32, 2, 1, 4);
    r = of(array);
    cudaSurfaceObject_t s;
    OK(cudaCreateSurfaceObject(&s, &r));
    out[1] = 5;
    boundary<<<1, 1>>>(s, out);
    DONE();
    expect("clamped", 0, out[0], 1);
    expect("zero", 1, out[1], 0);
    OK(cudaMemcpy2DFromArray(back, 32, array, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
    expect("not written", 0, back[7], 8);
    expect("written at the edge", 0, back[15], 88);
    outside<<<1, 1>>>(s); /* traps: an error that stays */
    if (cudaDeviceSynchronize() == cudaSuccess) {
        puts("a surface write outside its bounds was let through");
        wrong++;
    }
}

int main()
{
    OK(cudaFree(nullptr));
    OK(cudaMallocManaged(&out, 1024));
    mipmaps();
    formats();
    cubemaps();
    layers_and_bounds();
    puts(wrong ? "FAILED" : "mipmaps, views, cubemaps and surfaces agree");
    return wrong != 0;
}
