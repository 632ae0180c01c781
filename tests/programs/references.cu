// SPDX-License-Identifier: Apache-2.0
// Texture and surface references, as programs for CUDA 11 and before have them: linear and pitched memory,
// arrays, filtering, normalized reads, address modes, constructors with arguments, new bindings.
#include <cmath>
#include <cstdio>
#include <cstring>

texture<float, 1, cudaReadModeElementType> linear_texture;
texture<float4> four;
static texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> bytes;
namespace deep {
texture<int, 2> pitched;
}
texture<float, 2> wrapped(1, cudaFilterModeLinear, cudaAddressModeWrap);
texture<float, 3> volume;
surface<void, 2> written;

template <class T> __device__ T twice(T x)
{
    return x + x;
}
__global__ void read_linear(float *out)
{
    int i = threadIdx.x;
    float4 f = tex1Dfetch(four, i / 4);
    out[i] = twice(tex1Dfetch(linear_texture, i)) + (i % 4 == 0 ? f.x : i % 4 == 1 ? f.y : i % 4 == 2 ? f.z : f.w);
}
__global__ void read_plane(float *out)
{
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    out[threadIdx.x] = tex2D(bytes, x, y) + (tex2D(deep::pitched, x, y) >> 24) * 100;
}
__global__ void read_wrapped(float *out)
{
    out[threadIdx.x] = tex2D(wrapped, (threadIdx.x + 0.25f) / 8 - 1, 0.5f / 8 + 3);
}
__global__ void read_volume(float *out)
{
    out[threadIdx.x] = tex3D(volume, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 % 4 + 0.5f, threadIdx.x / 16 + 0.5f);
}
__global__ void write_surface()
{
    surf2Dwrite((float)threadIdx.x * 3, written, threadIdx.x % 8 * 4, threadIdx.x / 8);
}
// Texels of one byte lie in wider registers.
__global__ void bytes_and_back(cudaSurfaceObject_t s, float *out)
{
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    surf2Dwrite((unsigned char)(threadIdx.x * 3 + 100), s, x, y);
    out[threadIdx.x] = surf2Dread<unsigned char>(s, x, y) + (surf2Dread<signed char>(s, x, y) < 0 ? 1000 : 0);
}

static int wrong;
static void check(const char *what, const float *got, float (*expected)(int), int n)
{
    if (cudaError_t e = cudaDeviceSynchronize())
        printf("%s: %s\n", what, cudaGetErrorString(e)), wrong++;
    for (int i = 0; i < n; ++i)
        if (fabsf(got[i] - expected(i)) > 1e-5f && wrong++ < 8)
            printf("%s %d: %g, not %g\n", what, i, got[i], expected(i));
}
static void good(cudaError_t e, const char *what)
{
    if (e && wrong++ < 8)
        printf("%s: %s\n", what, cudaGetErrorString(e));
}
#define GOOD(call) good(call, #call)

int main()
{
    float *in, *out, plane[64];
    GOOD(cudaMallocManaged(&in, 192 * sizeof *in));
    GOOD(cudaMallocManaged(&out, 64 * sizeof *out));
    memset(out, 0, 64 * sizeof *out);
    for (int i = 0; i < 192; ++i)
        in[i] = i * 1.5f;
    size_t offset = 7;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    GOOD(cudaBindTexture(&offset, linear_texture, in, channels, 64 * sizeof *in));
    GOOD(cudaBindTexture(NULL, four, in, 64 * sizeof *in));
    wrong += offset != 0;
    read_linear<<<1, 64>>>(out);
    check("linear", out, [](int i) { return i * 4.5f; }, 64);
    GOOD(cudaBindTexture(0, &linear_texture, in + 128, &channels, 64 * sizeof *in));
    read_linear<<<1, 64>>>(out);
    check("bound anew", out, [](int i) { return (i + 128) * 3 + i * 1.5f; }, 64);
    GOOD(cudaUnbindTexture(linear_texture));

    unsigned char pixels[64];
    int *whole;
    size_t pitch;
    for (int i = 0; i < 64; ++i)
        pixels[i] = i * 4, plane[i] = i;
    cudaArray_t array, floats;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<unsigned char>();
    GOOD(cudaMallocArray(&array, &one, 8, 8));
    GOOD(cudaMemcpy2DToArray(array, 0, 0, pixels, 8, 8, 8, cudaMemcpyHostToDevice));
    GOOD(cudaBindTextureToArray(bytes, array));
    GOOD(cudaMallocPitch(&whole, &pitch, 8 * sizeof(int), 8));
    GOOD(cudaMemcpy2D(whole, pitch, in, 8 * sizeof(int), 8 * sizeof(int), 8, cudaMemcpyDefault));
    for (int y = 0; y < 8; ++y)
        GOOD(cudaMemset((char *)whole + y * pitch, y, 8 * sizeof(int)));
    GOOD(cudaBindTexture2D(0, deep::pitched, whole, 8, 8, pitch));
    read_plane<<<1, 64>>>(out);
    check("plane", out, [](int i) { return i * 4 / 255.0f + i / 8 * 100.0f; }, 64);

    GOOD(cudaMallocArray(&floats, &wrapped.channelDesc, 8, 8, cudaArraySurfaceLoadStore));
    cudaChannelFormatDesc read = volume.channelDesc;
    wrong += read.x != 32 || read.y != 0 || read.f != cudaChannelFormatKindFloat;
    GOOD(cudaMemcpy2DToArray(floats, 0, 0, plane, 32, 32, 8, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy2DToArray(floats, 0, 3, plane + 24, 0, 32, 1, cudaMemcpyHostToDevice)); // one row, no pitch
    GOOD(cudaBindTextureToArray(wrapped, floats, channels)); // as its constructor said
    read_wrapped<<<1, 32>>>(out);
    check("constructed", out, [](int i) { return i % 8 ? i % 8 - 0.25f : 1.75f; }, 32);
    wrapped.addressMode[0] = wrapped.addressMode[1] = cudaAddressModeClamp;
    wrapped.filterMode = cudaFilterModePoint;
    GOOD(cudaBindTextureToArray(wrapped, floats, channels));
    read_wrapped<<<1, 32>>>(out);
    check("set", out, [](int i) { return 56 + (i < 8 ? 0.0f : i < 16 ? i - 8.0f : 7.0f); }, 32);

    GOOD(cudaBindSurfaceToArray(written, floats));
    write_surface<<<1, 64>>>();
    GOOD(cudaMemcpy2DFromArray(plane, 32, floats, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    check("surface", plane, [](int i) { return i * 3.0f; }, 64);

    cudaArray_t small;
    cudaSurfaceObject_t object;
    cudaResourceDesc resource = {};
    GOOD(cudaMallocArray(&small, &one, 8, 8, cudaArraySurfaceLoadStore));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = small;
    GOOD(cudaCreateSurfaceObject(&object, &resource));
    bytes_and_back<<<1, 64>>>(object, out);
    check("bytes", out, [](int i) { int v = (i * 3 + 100) % 256; return v + (v > 127 ? 1000.0f : 0); }, 64);

    cudaArray_t cube;
    cudaMemcpy3DParms copy = {};
    GOOD(cudaMalloc3DArray(&cube, &channels, make_cudaExtent(4, 4, 4)));
    copy.srcPtr = make_cudaPitchedPtr(in, 16, 4, 4);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(4, 4, 4);
    copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&copy));
    volume.normalized = false;
    volume.channelDesc = channels;
    volume.filterMode = cudaFilterModeLinear;
    const textureReference *reference;
    GOOD(cudaGetTextureReference(&reference, &volume));
    GOOD(cudaBindTextureToArray(reference, cube, &channels));
    read_volume<<<1, 64>>>(out);
    check("volume", out, [](int i) { return i * 1.5f; }, 64);
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
