// SPDX-License-Identifier: Apache-2.0
// The driver API's arrays, texture and surface objects: filtering, addressing, gather, layers and cube
// faces against a plain implementation of the CUDA C++ Programming Guide, "Texture Fetching" (weights of
// 8 fractional bits). Exit status 1 when a value differs.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fetch_2d(CUtexObject t, const float2 *at, float *out) { out[threadIdx.x] = tex2D<float>(t, at[threadIdx.x].x, at[threadIdx.x].y); }
__global__ void fetch_level(CUtexObject t, const float2 *at, float *out)
{
    out[threadIdx.x] = tex2DLod<float>(t, at[threadIdx.x].x, at[threadIdx.x].y, 2.0f);
}
__global__ void fetch_layer(CUtexObject t, const float2 *at, float *out, int layer)
{
    out[threadIdx.x] = tex2DLayered<float>(t, at[threadIdx.x].x, at[threadIdx.x].y, layer);
}
__global__ void gather(CUtexObject t, const float2 *at, float4 *out, int component)
{
    out[threadIdx.x] = tex2Dgather<float4>(t, at[threadIdx.x].x, at[threadIdx.x].y, component);
}
__global__ void fetch_cube(CUtexObject t, const float3 *at, float *out)
{
    out[threadIdx.x] = texCubemap<float>(t, at[threadIdx.x].x, at[threadIdx.x].y, at[threadIdx.x].z);
}
__global__ void increment(CUsurfObject s)
{
    float v;
    surf2Dread(&v, s, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(v + 1, s, threadIdx.x * 4, threadIdx.y);
}

static int wrong;
static void ok(int error, int line)
{
    if (error) {
        printf("line %d: error %d\n", line, error);
        wrong++;
    }
}
#define OK(call) ok((int)(call), __LINE__)

/* A driver function by its name. */
template <class F> static F *driver(const char *name)
{
    void *p = nullptr;
    cudaDriverEntryPointQueryResult result;
    OK(cudaGetDriverEntryPoint(name, &p, cudaEnableDefault, &result));
    return (F *)p;
}
#define DRIVER(name) driver<decltype(name)>(#name)

enum { W = 8, H = 4, N = 64 };
static float texels[6][H][W];
static float2 *places;
static float *out;

static int wrap(int i, int n, int mode)
{
    if (mode == CU_TR_ADDRESS_MODE_WRAP)
        return ((i % n) + n) % n;
    if (mode == CU_TR_ADDRESS_MODE_MIRROR) {
        int r = ((i % (2 * n)) + 2 * n) % (2 * n);
        return r < n ? r : 2 * n - 1 - r;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
static float filtered(int layer, float x, float y, int mode)
{
    x -= 0.5f, y -= 0.5f;
    int i = (int)floorf(x), j = (int)floorf(y);
    float a = floorf((x - i) * 256 + 0.5f) / 256, b = floorf((y - j) * 256 + 0.5f) / 256;
    auto T = [&](int p, int q) { return texels[layer][wrap(q, H, mode)][wrap(p, W, mode)]; };
    return (1 - a) * (1 - b) * T(i, j) + a * (1 - b) * T(i + 1, j) + (1 - a) * b * T(i, j + 1) + a * b * T(i + 1, j + 1);
}
static void expect(const char *what, int k, float value, float wanted)
{
    if (!(fabsf(value - wanted) <= 1e-5f * fabsf(wanted) + 1e-6f)) {
        printf("%s %d: %g, wanted %g\n", what, k, value, wanted);
        wrong++;
    }
}

static CUtexObject texture(CUarray array, CUfilter_mode filter, CUaddress_mode mode, unsigned flags)
{
    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC desc = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    for (int i = 0; i < 3; i++)
        desc.addressMode[i] = mode;
    desc.filterMode = filter;
    desc.flags = flags;
    CUtexObject t = 0;
    OK(DRIVER(cuTexObjectCreate)(&t, &resource, &desc, nullptr));
    CUDA_TEXTURE_DESC back;
    OK(DRIVER(cuTexObjectGetTextureDesc)(&back, t));
    wrong += memcmp(&back, &desc, sizeof desc) != 0;
    return t;
}

static CUarray array_of(int depth, unsigned flags, unsigned channels = 1)
{
    CUDA_ARRAY3D_DESCRIPTOR desc = {W, H, (size_t)depth, CU_AD_FORMAT_FLOAT, channels, flags};
    CUarray array = nullptr;
    OK(driver<decltype(cuArray3DCreate)>("cuArray3DCreate")(&array, &desc));
    return array;
}
static void fill(CUarray array, const void *from, int depth, int width = W)
{
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = from;
    copy.srcPitch = width * 4;
    copy.srcHeight = H;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = width * 4;
    copy.Height = H;
    copy.Depth = depth;
    OK(driver<decltype(cuMemcpy3D)>("cuMemcpy3D")(&copy));
}

int main()
{
    OK(cudaFree(nullptr));
    OK(cudaMallocManaged(&places, 3 * N * sizeof(float2)));
    OK(cudaMallocManaged(&out, 4 * N * sizeof(float)));
    for (int l = 0; l < 6; l++)
        for (int j = 0; j < H; j++)
            for (int i = 0; i < W; i++)
                texels[l][j][i] = (float)((i * 7 + j * 13 + l * 29) % 31);
    for (int k = 0; k < N; k++)
        places[k] = make_float2(-3 + k * 0.219f, 6 - k * 0.171f);

    CUarray flat = array_of(0, CUDA_ARRAY3D_TEXTURE_GATHER);
    fill(flat, texels[0], 1);
    CUtexObject t = texture(flat, CU_TR_FILTER_MODE_LINEAR, CU_TR_ADDRESS_MODE_CLAMP, 0);
    fetch_2d<<<1, N>>>(t, places, out);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < N; k++)
        expect("linear", k, out[k], filtered(0, places[k].x, places[k].y, CU_TR_ADDRESS_MODE_CLAMP));
    fetch_level<<<1, N>>>(t, places, out);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < N; k++)
        expect("level", k, out[k], filtered(0, places[k].x, places[k].y, CU_TR_ADDRESS_MODE_CLAMP));
    gather<<<1, N>>>(t, places, (float4 *)out, 0);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < N; k++) { /* from below left, against the clock */
        int i = (int)floorf(places[k].x - 0.5f), j = (int)floorf(places[k].y - 0.5f);
        static const int step[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
        for (int q = 0; q < 4; q++)
            expect("gather", k, out[4 * k + q], texels[0][wrap(j + step[q][1], H, 1)][wrap(i + step[q][0], W, 1)]);
    }
    OK(DRIVER(cuTexObjectDestroy)(t));
    wrong += DRIVER(cuTexObjectDestroy)(t) == CUDA_SUCCESS;
    for (int mode : {CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_MIRROR}) {
        t = texture(flat, CU_TR_FILTER_MODE_LINEAR, (CUaddress_mode)mode, CU_TRSF_NORMALIZED_COORDINATES);
        for (int k = 0; k < N; k++)
            places[N + k] = make_float2(places[k].x / W, places[k].y / H);
        fetch_2d<<<1, N>>>(t, places + N, out);
        OK(cudaDeviceSynchronize());
        for (int k = 0; k < N; k++)
            expect(mode ? "mirror" : "wrap", k, out[k], filtered(0, places[N + k].x * W, places[N + k].y * H, mode));
        OK(DRIVER(cuTexObjectDestroy)(t));
    }

    /* the second component of four */
    static float four[H][W][4];
    for (int i = 0; i < H * W * 4; i++)
        (&four[0][0][0])[i] = (float)i;
    CUarray wide = array_of(0, CUDA_ARRAY3D_TEXTURE_GATHER, 4);
    fill(wide, four, 1, 4 * W);
    t = texture(wide, CU_TR_FILTER_MODE_POINT, CU_TR_ADDRESS_MODE_CLAMP, 0);
    places[N] = make_float2(3.0f, 2.0f);
    gather<<<1, 1>>>(t, places + N, (float4 *)out, 1);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    expect("component", 0, out[0], four[2][2][1]);
    expect("component", 1, out[1], four[2][3][1]);
    expect("component", 2, out[2], four[1][3][1]);
    expect("component", 3, out[3], four[1][2][1]);

    CUarray layers = array_of(3, CUDA_ARRAY3D_LAYERED);
    fill(layers, texels, 3);
    t = texture(layers, CU_TR_FILTER_MODE_LINEAR, CU_TR_ADDRESS_MODE_CLAMP, 0);
    for (int l = 0; l < 3; l++) {
        fetch_layer<<<1, N>>>(t, places, out, l);
        OK(cudaDeviceSynchronize());
        for (int k = 0; k < N; k++)
            expect("layer", k, out[k], filtered(l, places[k].x, places[k].y, CU_TR_ADDRESS_MODE_CLAMP));
    }

    /* the middle of each face, and a corner of one */
    CUDA_ARRAY3D_DESCRIPTOR square = {4, 4, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP};
    CUarray cube = nullptr;
    OK(driver<decltype(cuArray3DCreate)>("cuArray3DCreate")(&cube, &square));
    fill(cube, texels, 6, 4);
    const float *faces = &texels[0][0][0];
    t = texture(cube, CU_TR_FILTER_MODE_POINT, CU_TR_ADDRESS_MODE_CLAMP, CU_TRSF_NORMALIZED_COORDINATES);
    float3 *rays = (float3 *)(places + N);
    const float3 to[6] = {{1, 0.1f, 0.1f}, {-1, 0.1f, 0.1f}, {0.1f, 1, 0.1f}, {0.1f, -1, 0.1f}, {0.1f, 0.1f, 1}, {0.1f, 0.1f, -1}};
    for (int f = 0; f < 6; f++)
        rays[f] = to[f];
    fetch_cube<<<1, 6>>>(t, rays, out);
    OK(cudaDeviceSynchronize());
    for (int f = 0; f < 6; f++) { /* s and t of the guide's table, in fours */
        float x = to[f].x, y = to[f].y, z = to[f].z;
        float s = f == 0 ? -z : f == 1 ? z : f == 5 ? -x : x, u = f == 2 ? z : f == 3 ? -z : -y;
        expect("face", f, out[f], faces[f * 16 + (int)((u + 1) * 2) * 4 + (int)((s + 1) * 2)]);
    }

    CUDA_RESOURCE_DESC resource = {};
    resource.res.array.hArray = flat;
    CUsurfObject s = 0;
    OK(DRIVER(cuSurfObjectCreate)(&s, &resource));
    increment<<<1, dim3(W, H)>>>(s);
    float row[W];
    OK(driver<decltype(cuMemcpyAtoH)>("cuMemcpyAtoH")(row, flat, 0, sizeof row));
    for (int i = 0; i < W; i++)
        expect("surface", i, row[i], texels[0][0][i] + 1);
    OK(DRIVER(cuSurfObjectDestroy)(s));
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    CUDA_TEXTURE_DESC desc = {};
    wrong += DRIVER(cuTexObjectCreate)(&t, &resource, &desc, nullptr) != CUDA_ERROR_INVALID_HANDLE;
    OK(DRIVER(cuArrayDestroy)(flat));
    wrong += DRIVER(cuArrayDestroy)(nullptr) == CUDA_SUCCESS;
    puts(wrong ? "FAILED" : "passed");
    return wrong != 0;
}
