/* SPDX-License-Identifier: Apache-2.0
 * Texture and surface references of CUDA 11 and before, made of objects: texture<T, type, mode> and
 * surface<void, type> at file scope, the functions that bind them, and the fetches by name. gpukit's
 * source rewriting (src/source/rewrite.c) turns `texture<...> name` into
 * `__device__ gpukit_texture<...> name`, so that a program may call anything else a texture.
 * Not here: gathers, levels of detail of references, and references in the driver interface.
 *
 * The variable exists twice. The device's holds the object and what the constructor said; the host's
 * starts as zeros and holds what the program sets later. Binding makes an object of both. */
#ifndef GPUKIT_TEXTURE_REFERENCE_H
#define GPUKIT_TEXTURE_REFERENCE_H

#include <stddef.h>

namespace gpukit {
/* A setting that is 0 until somebody sets it; until then another value holds. */
template <class Value, int otherwise> struct Setting {
    int plus_one;
    __host__ __device__ constexpr Setting(int value_plus_one = 0) : plus_one(value_plus_one) {}
    __host__ __device__ Setting &operator=(Value value)
    {
        plus_one = (int)value + 1;
        return *this;
    }
    __host__ __device__ operator Value() const { return (Value)(plus_one ? plus_one - 1 : otherwise); }
    Value over(const Setting &constructed) const { return plus_one ? *this : constructed; }
};
/* A variable's channels: its type's until the program says otherwise. */
template <class T> struct Channels {
    mutable cudaChannelFormatDesc set;
    const cudaChannelFormatDesc &get() const
    {
        if (set.x == 0)
            set = cudaCreateChannelDesc<T>();
        return set;
    }
    operator cudaChannelFormatDesc() const { return get(); }
    const cudaChannelFormatDesc *operator&() const { return __builtin_addressof(get()); }
    cudaChannelFormatDesc *operator&() { return get(), __builtin_addressof(set); }
    Channels &operator=(const cudaChannelFormatDesc &channels)
    {
        set = channels;
        return *this;
    }
};
}

struct textureReference {
    gpukit::Setting<int, 0> normalized;
    gpukit::Setting<cudaTextureFilterMode, cudaFilterModePoint> filterMode;
    gpukit::Setting<cudaTextureAddressMode, cudaAddressModeClamp> addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    cudaTextureReadMode gpukit_mode; /* as constructed */
    mutable cudaTextureObject_t gpukit_object;
};
struct gpukit_surface_reference : surfaceReference {
    mutable cudaSurfaceObject_t gpukit_object;
};

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct gpukit_texture : textureReference {
    gpukit::Channels<T> channelDesc;
    __host__ __device__ constexpr gpukit_texture(int normalized = 0,
                                                 cudaTextureFilterMode filter = cudaFilterModePoint,
                                                 cudaTextureAddressMode address = cudaAddressModeClamp)
        : textureReference{{normalized + 1},
                           {(int)filter + 1},
                           {{(int)address + 1}, {(int)address + 1}, {(int)address + 1}},
                           {},
                           0,
                           0,
                           cudaFilterModePoint,
                           0,
                           0,
                           0,
                           mode,
                           0},
          channelDesc{}
    {
    }
};
template <class T, int type = cudaSurfaceType1D> struct gpukit_surface : gpukit_surface_reference {
    __host__ __device__ constexpr gpukit_surface() : gpukit_surface_reference{} {}
};

namespace gpukit {
template <class T, cudaTextureReadMode mode> struct Fetched {
    typedef T type;
};
template <class T> struct Fetched<T, cudaReadModeNormalizedFloat> {
    template <int n, class Unused> struct Floats {
        typedef float4 type;
    };
    template <class Unused> struct Floats<1, Unused> {
        typedef float type;
    };
    template <class Unused> struct Floats<2, Unused> {
        typedef float2 type;
    };
    typedef typename Floats<Texel<T>::count, void>::type type;
};
}

#define GPUKIT_FETCH(name, geometry, parameters, arguments)                                        \
    template <class T, cudaTextureReadMode mode>                                                   \
    static __device__ __forceinline__ typename gpukit::Fetched<T, mode>::type name(                \
        const gpukit_texture<T, geometry, mode> &texture, parameters)                              \
    {                                                                                              \
        return name<typename gpukit::Fetched<T, mode>::type>(texture.gpukit_object, arguments);    \
    }
#define GPUKIT_AND ,
GPUKIT_FETCH(tex1Dfetch, cudaTextureType1D, int x, x)
GPUKIT_FETCH(tex1D, cudaTextureType1D, float x, x)
GPUKIT_FETCH(tex2D, cudaTextureType2D, float x GPUKIT_AND float y, x GPUKIT_AND y)
GPUKIT_FETCH(tex3D, cudaTextureType3D, float x GPUKIT_AND float y GPUKIT_AND float z, x GPUKIT_AND y GPUKIT_AND z)
GPUKIT_FETCH(texCubemap, cudaTextureTypeCubemap, float x GPUKIT_AND float y GPUKIT_AND float z,
             x GPUKIT_AND y GPUKIT_AND z)
GPUKIT_FETCH(tex1DLayered, cudaTextureType1DLayered, float x GPUKIT_AND int layer, x GPUKIT_AND layer)
GPUKIT_FETCH(tex2DLayered, cudaTextureType2DLayered, float x GPUKIT_AND float y GPUKIT_AND int layer,
             x GPUKIT_AND y GPUKIT_AND layer)
GPUKIT_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered,
             float x GPUKIT_AND float y GPUKIT_AND float z GPUKIT_AND int layer,
             x GPUKIT_AND y GPUKIT_AND z GPUKIT_AND layer)
#undef GPUKIT_FETCH
#define GPUKIT_SURFACE(name, geometry, parameters, arguments)                                      \
    template <class T>                                                                             \
    static __device__ __forceinline__ T name##read(const gpukit_surface<void, geometry> &surface, parameters,   \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)         \
    {                                                                                              \
        return name##read<T>(surface.gpukit_object, arguments, mode);                              \
    }                                                                                              \
    template <class T>                                                                             \
    static __device__ __forceinline__ void name##read(T *out, const gpukit_surface<void, geometry> &surface,    \
                                                      parameters,                                  \
                                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)      \
    {                                                                                              \
        *out = name##read<T>(surface.gpukit_object, arguments, mode);                              \
    }                                                                                              \
    template <class T>                                                                             \
    static __device__ __forceinline__ void name##write(T value, const gpukit_surface<void, geometry> &surface,  \
                                                       parameters,                                 \
                                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)     \
    {                                                                                              \
        name##write(value, surface.gpukit_object, arguments, mode);                                \
    }
GPUKIT_SURFACE(surf1D, cudaSurfaceType1D, int x, x)
GPUKIT_SURFACE(surf2D, cudaSurfaceType2D, int x GPUKIT_AND int y, x GPUKIT_AND y)
GPUKIT_SURFACE(surf3D, cudaSurfaceType3D, int x GPUKIT_AND int y GPUKIT_AND int z, x GPUKIT_AND y GPUKIT_AND z)
GPUKIT_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, int x GPUKIT_AND int layer, x GPUKIT_AND layer)
GPUKIT_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, int x GPUKIT_AND int y GPUKIT_AND int layer,
               x GPUKIT_AND y GPUKIT_AND layer)
#undef GPUKIT_SURFACE
#undef GPUKIT_AND

/* --- binding: host ------------------------------------------------------------------------------ */

namespace gpukit {
/* The new object takes the place of the last one on the device, then that one goes. */
inline cudaError_t bind(const textureReference *host, const cudaResourceDesc &resource)
{
    char raw[sizeof(textureReference)];
    cudaError_t error = cudaMemcpyFromSymbol(raw, (const void *)host, sizeof raw, 0, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        return error;
    textureReference device;
    __builtin_memcpy((void *)&device, raw, sizeof raw);
    cudaTextureDesc how = {};
    for (int i = 0; i < 3; ++i)
        how.addressMode[i] = host->addressMode[i].over(device.addressMode[i]);
    how.filterMode = host->filterMode.over(device.filterMode);
    how.normalizedCoords = host->normalized.over(device.normalized);
    how.readMode = device.gpukit_mode;
    how.sRGB = host->sRGB;
    how.maxAnisotropy = host->maxAnisotropy;
    how.mipmapFilterMode = host->mipmapFilterMode;
    how.mipmapLevelBias = host->mipmapLevelBias;
    how.minMipmapLevelClamp = host->minMipmapLevelClamp;
    how.maxMipmapLevelClamp = host->maxMipmapLevelClamp;
    cudaTextureObject_t object, last = host->gpukit_object;
    error = cudaCreateTextureObject(&object, &resource, &how, NULL);
    if (error != cudaSuccess)
        return error;
    host->gpukit_object = object;
    error = cudaMemcpyToSymbol((const void *)host, &object, sizeof object, offsetof(textureReference, gpukit_object),
                               cudaMemcpyHostToDevice);
    if (last)
        cudaDestroyTextureObject(last);
    return error;
}
template <class T, int type, cudaTextureReadMode mode>
inline cudaChannelFormatDesc channels(const gpukit_texture<T, type, mode> &)
{
    return cudaCreateChannelDesc<T>();
}
}

static inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *texture, const void *pointer,
                                          const cudaChannelFormatDesc *channels, size_t size = 0xffffffffu)
{
    cudaResourceDesc resource = {};
    size_t texel = (size_t)(channels->x + channels->y + channels->z + channels->w) / 8, most = texel << 27;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)pointer;
    resource.res.linear.desc = *channels;
    resource.res.linear.sizeInBytes = size < most ? size : most;
    if (offset)
        *offset = 0;
    return gpukit::bind(texture, resource);
}
static inline cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *texture, const void *pointer,
                                            const cudaChannelFormatDesc *channels, size_t width, size_t height,
                                            size_t pitch)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = (void *)pointer;
    resource.res.pitch2D.desc = *channels;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    if (offset)
        *offset = 0;
    return gpukit::bind(texture, resource);
}
static inline cudaError_t cudaBindTextureToArray(const textureReference *texture, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = (cudaArray_t)array;
    return gpukit::bind(texture, resource);
}
static inline cudaError_t cudaBindTextureToMipmappedArray(const textureReference *texture,
                                                          cudaMipmappedArray_const_t array,
                                                          const cudaChannelFormatDesc *)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = (cudaMipmappedArray_t)array;
    return gpukit::bind(texture, resource);
}
static inline cudaError_t cudaUnbindTexture(const textureReference *texture)
{
    cudaTextureObject_t last = texture->gpukit_object;
    texture->gpukit_object = 0;
    return last ? cudaDestroyTextureObject(last) : cudaSuccess;
}
static inline cudaError_t cudaGetTextureReference(const textureReference **out, const void *symbol)
{
    *out = (const textureReference *)symbol;
    return cudaSuccess;
}
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *texture)
{
    *offset = 0;
    return texture->gpukit_object ? cudaSuccess : cudaErrorInvalidTextureBinding;
}

#define GPUKIT_REFERENCE                                                                           \
    template <class T, int type, cudaTextureReadMode mode> static inline cudaError_t
#define GPUKIT_OF const gpukit_texture<T, type, mode> &texture
GPUKIT_REFERENCE cudaBindTexture(size_t *offset, GPUKIT_OF, const void *pointer,
                                 const cudaChannelFormatDesc &channels, size_t size = 0xffffffffu)
{
    return cudaBindTexture(offset, &texture, pointer, &channels, size);
}
GPUKIT_REFERENCE cudaBindTexture(size_t *offset, GPUKIT_OF, const void *pointer, size_t size = 0xffffffffu)
{
    return cudaBindTexture(offset, texture, pointer, gpukit::channels(texture), size);
}
GPUKIT_REFERENCE cudaBindTexture2D(size_t *offset, GPUKIT_OF, const void *pointer,
                                   const cudaChannelFormatDesc &channels, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &texture, pointer, &channels, width, height, pitch);
}
GPUKIT_REFERENCE cudaBindTexture2D(size_t *offset, GPUKIT_OF, const void *pointer, size_t width, size_t height,
                                   size_t pitch)
{
    return cudaBindTexture2D(offset, texture, pointer, gpukit::channels(texture), width, height, pitch);
}
GPUKIT_REFERENCE cudaBindTextureToArray(GPUKIT_OF, cudaArray_const_t array, const cudaChannelFormatDesc &channels)
{
    return cudaBindTextureToArray(&texture, array, &channels);
}
GPUKIT_REFERENCE cudaBindTextureToArray(GPUKIT_OF, cudaArray_const_t array)
{
    return cudaBindTextureToArray(&texture, array, NULL);
}
GPUKIT_REFERENCE cudaBindTextureToMipmappedArray(GPUKIT_OF, cudaMipmappedArray_const_t array)
{
    return cudaBindTextureToMipmappedArray(&texture, array, NULL);
}
GPUKIT_REFERENCE cudaBindTextureToMipmappedArray(GPUKIT_OF, cudaMipmappedArray_const_t array,
                                                 const cudaChannelFormatDesc &channels)
{
    return cudaBindTextureToMipmappedArray(&texture, array, &channels);
}
GPUKIT_REFERENCE cudaUnbindTexture(GPUKIT_OF) { return cudaUnbindTexture(&texture); }
GPUKIT_REFERENCE cudaGetTextureAlignmentOffset(size_t *offset, GPUKIT_OF)
{
    return cudaGetTextureAlignmentOffset(offset, &texture);
}
#undef GPUKIT_REFERENCE
#undef GPUKIT_OF

static inline cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *)
{
    const gpukit_surface_reference *surface = static_cast<const gpukit_surface_reference *>(reference);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = (cudaArray_t)array;
    cudaSurfaceObject_t object, last = surface->gpukit_object;
    cudaError_t error = cudaCreateSurfaceObject(&object, &resource);
    if (error != cudaSuccess)
        return error;
    surface->gpukit_object = object;
    error = cudaMemcpyToSymbol((const void *)surface, &object, sizeof object,
                               (const char *)&surface->gpukit_object - (const char *)surface, cudaMemcpyHostToDevice);
    if (last)
        cudaDestroySurfaceObject(last);
    return error;
}
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(const gpukit_surface<T, type> &surface, cudaArray_const_t array)
{
    return cudaBindSurfaceToArray(&surface, array, NULL);
}
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(const gpukit_surface<T, type> &surface, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &)
{
    return cudaBindSurfaceToArray(&surface, array, NULL);
}
static inline cudaError_t cudaGetSurfaceReference(const surfaceReference **out, const void *symbol)
{
    *out = (const surfaceReference *)symbol;
    return cudaSuccess;
}

#endif
