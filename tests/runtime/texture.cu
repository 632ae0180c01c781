// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces against values worked out by hand; exit status 1 when one differs.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fetch_1d(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
__global__ void fetch_2d(cudaTextureObject_t t, float *out, float sx, float sy)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * 8 + x] = tex2D<float>(t, x * sx + 0.5f, y * sy + 0.5f);
}
__global__ void fetch_row(cudaTextureObject_t t, float4 *out, float shift)
{
    out[threadIdx.x] = tex2D<float4>(t, (threadIdx.x + 0.5f + shift) / 4, 0.5f);
}
__global__ void fetch_3d(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex3D<float>(t, threadIdx.x + 0.5f, 1.5f, 2.5f); }
// the texel (x + 3, y - 2) by an offset, of which only lanes with x < 4 move in x; sizes
__global__ void fetch_offset(cudaTextureObject_t t, float *out)
{
    int x = threadIdx.x, y = threadIdx.y, dx = x < 4 ? 3 : 0;
    float v[4];
    asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {%7,-2};"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                 : "l"(t), "f"(x + 0.5f), "f"(y + 0.5f), "r"(dx));
    out[y * 8 + x] = v[0];
}
__global__ void gather_offset(cudaTextureObject_t t, float *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v[4];
    asm volatile("tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {1,1};"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                 : "l"(t), "f"(x + 1.0f), "f"(y + 1.0f));
    out[y * 8 + x] = v[3];
}
__global__ void sizes(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out)
{
    int w, h, depth, sw, sh;
    asm volatile("txq.width.b32 %0, [%3];\n\ttxq.height.b32 %1, [%3];\n\t"
                 "txq.depth.b32 %2, [%3];"
                 : "=r"(w), "=r"(h), "=r"(depth)
                 : "l"(t));
    asm volatile("suq.width.b32 %0, [%2];\n\tsuq.height.b32 %1, [%2];" : "=r"(sw), "=r"(sh) : "l"(s));
    out[0] = w, out[1] = h, out[2] = depth, out[3] = sw, out[4] = sh;
}
__global__ void double_all(cudaSurfaceObject_t s)
{
    float v;
    surf2Dread(&v, s, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(v * 2, s, threadIdx.x * 4, threadIdx.y);
}

static int wrong;
static float got[64], *device;
static void expect(const char *what, float value, float wanted)
{
    if (value != wanted) {
        printf("%s: %g, wanted %g\n", what, value, wanted);
        wrong++;
    }
}
static void ok(cudaError_t error, int line)
{
    if (error) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        wrong++;
    }
}
#define OK(call) ok(call, __LINE__)
static void take() { OK(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost)); }

int main()
{
    float host[64], *linear;
    for (int i = 0; i < 64; i++)
        host[i] = (float)i;
    OK(cudaMalloc(&device, 1024));
    OK(cudaMalloc(&linear, 256));
    OK(cudaMemcpy(linear, host, 256, cudaMemcpyHostToDevice));

    // linear memory, one texel beyond the end reads zero
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 63 * 4;
    OK(cudaCreateTextureObject(&texture, &resource, &desc, 0));
    fetch_1d<<<1, 64>>>(texture, device);
    take();
    for (int i = 0; i < 64; i++)
        expect("tex1Dfetch", got[i], i < 63 ? (float)i : 0);
    OK(cudaDestroyTextureObject(texture));

    // a two-dimensional array: filtering, clamping, a surface on the same memory
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 8, cudaMemcpyHostToDevice));
    resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    desc.filterMode = cudaFilterModeLinear;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    OK(cudaCreateTextureObject(&texture, &resource, &desc, 0));
    fetch_2d<<<1, dim3(8, 8)>>>(texture, device, 0.5f, 1.25f);
    take();
    expect("half a texel", got[1], 0.5f);
    expect("both directions", got[8 + 1], 0.5f + 10);
    expect("clamped", got[7 * 8 + 2], 56 + 1);
    cudaSurfaceObject_t surface;
    OK(cudaCreateSurfaceObject(&surface, &resource));
    double_all<<<1, dim3(8, 8)>>>(surface);
    fetch_2d<<<1, dim3(8, 8)>>>(texture, device, 1, 1);
    take();
    for (int i = 0; i < 64; i++)
        expect("surface", got[i], 2 * (float)i);
    fetch_offset<<<1, dim3(8, 8)>>>(texture, device);
    take();
    for (int i = 0; i < 64; i++) {
        int x = i % 8 + (i % 8 < 4 ? 3 : 0), y = i / 8 - 2;
        expect("offset", got[i], 2 * (float)((y < 0 ? 0 : y) * 8 + x));
    }
    gather_offset<<<1, dim3(8, 8)>>>(texture, device);
    take();
    for (int i = 0; i < 64; i++) {
        int x = i % 8 + 1, y = i / 8 + 1;
        expect("gather with an offset", got[i], 2 * (float)((y > 7 ? 7 : y) * 8 + (x > 7 ? 7 : x)));
    }
    sizes<<<1, 1>>>(texture, surface, device);
    take();
    const float asked[5] = {8, 8, 0, 8, 8};
    for (int i = 0; i < 5; i++)
        expect("size", got[i], asked[i]);
    OK(cudaMemcpy2DFromArray(got, 32, array, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    expect("copy from the array", got[63], 126);
    OK(cudaDestroySurfaceObject(surface));
    OK(cudaDestroySurfaceObject(0));
    OK(cudaDestroyTextureObject(0));
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeArray(array));

    // bytes read as normalised floats, with wrapping and mirroring
    unsigned char bytes[16] = {0, 255, 51, 102, 10, 20, 30, 40, 1, 2, 3, 4, 255, 0, 255, 0};
    cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
    OK(cudaMallocArray(&array, &four, 4, 1));
    OK(cudaMemcpy2DToArray(array, 0, 0, bytes, 16, 16, 1, cudaMemcpyHostToDevice));
    resource.res.array.array = array;
    desc = {};
    desc.readMode = cudaReadModeNormalizedFloat;
    desc.normalizedCoords = 1;
    desc.addressMode[0] = cudaAddressModeWrap;
    OK(cudaCreateTextureObject(&texture, &resource, &desc, 0));
    fetch_row<<<1, 4>>>(texture, (float4 *)device, 4);
    take();
    expect("normalised", got[1], 1);
    expect("normalised", got[2], 51 / 255.0f);
    expect("second texel", got[4], 10 / 255.0f);
    OK(cudaDestroyTextureObject(texture));
    desc.addressMode[0] = cudaAddressModeMirror;
    OK(cudaCreateTextureObject(&texture, &resource, &desc, 0));
    fetch_row<<<1, 4>>>(texture, (float4 *)device, 4);
    take();
    expect("mirrored", got[0], 1);
    expect("mirrored", got[12], 0);
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeArray(array));

    // a volume
    OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 4)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 16, 4, 4);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 4, 4);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    resource.res.array.array = array;
    desc = {};
    OK(cudaCreateTextureObject(&texture, &resource, &desc, 0));
    fetch_3d<<<1, 4>>>(texture, device);
    take();
    for (int i = 0; i < 4; i++)
        expect("tex3D", got[i], (float)(2 * 16 + 4 + i));
    printf(wrong ? "%d wrong\n" : "textures and surfaces agree\n", wrong);
    return wrong != 0;
}
