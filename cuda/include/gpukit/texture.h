/* SPDX-License-Identifier: Apache-2.0
 * Texture and surface objects: tex1Dfetch ... tex3D, layered and cube forms, gather, and
 * surf*read/write, as PTX tex and suld/sust instructions on the object. A fetch yields four
 * components of the element's 32-bit class (float, signed, unsigned); T picks its own. */
#ifndef GPUKIT_TEXTURE_H
#define GPUKIT_TEXTURE_H

namespace gpukit {
template <class T> struct Texel;
#define GPUKIT_TEXEL(T, E, kind, n)                                                                \
    template <> struct Texel<T> {                                                                  \
        typedef E element;                                                                         \
        enum { is_float = kind == 0, is_signed = kind == 1, count = n };                           \
    };
#define GPUKIT_TEXELS(name, E, kind)                                                               \
    GPUKIT_TEXEL(E, E, kind, 1)                                                                    \
    GPUKIT_TEXEL(name##1, E, kind, 1)                                                              \
    GPUKIT_TEXEL(name##2, E, kind, 2)                                                              \
    GPUKIT_TEXEL(name##4, E, kind, 4)
GPUKIT_TEXELS(float, float, 0)
GPUKIT_TEXELS(int, int, 1)
GPUKIT_TEXELS(short, short, 1)
GPUKIT_TEXELS(char, signed char, 1)
GPUKIT_TEXELS(uint, unsigned int, 2)
GPUKIT_TEXELS(ushort, unsigned short, 2)
GPUKIT_TEXELS(uchar, unsigned char, 2)
GPUKIT_TEXEL(char, char, 1, 1)
#undef GPUKIT_TEXELS
#undef GPUKIT_TEXEL

template <class T> GPUKIT_DEVICE T texel(unsigned a, unsigned b, unsigned c, unsigned d)
{
    typedef typename Texel<T>::element E;
    const unsigned raw[4] = {a, b, c, d};
    E v[Texel<T>::count];
    for (int i = 0; i < Texel<T>::count; ++i) {
        if constexpr (Texel<T>::is_float)
            v[i] = __builtin_bit_cast(float, raw[i]);
        else
            v[i] = (E)raw[i];
    }
    T result;
    __builtin_memcpy((void *)&result, v, sizeof(T));
    return result;
}
}

/* One fetch: geometry, coordinate type and text of the coordinates as in the PTX manual. The
 * component type follows T at compile time. */
#define GPUKIT_FETCH(instruction, coordinates, tail, ...)                                          \
    unsigned a, b, c, d;                                                                           \
    if constexpr (gpukit::Texel<T>::is_float)                                                      \
        asm volatile(instruction(f32) " {%0, %1, %2, %3}, [%4, " coordinates "]" tail ";"          \
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(texture), __VA_ARGS__);            \
    else if constexpr (gpukit::Texel<T>::is_signed)                                                \
        asm volatile(instruction(s32) " {%0, %1, %2, %3}, [%4, " coordinates "]" tail ";"          \
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(texture), __VA_ARGS__);            \
    else                                                                                           \
        asm volatile(instruction(u32) " {%0, %1, %2, %3}, [%4, " coordinates "]" tail ";"          \
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(texture), __VA_ARGS__);            \
    return gpukit::texel<T>(a, b, c, d);
#define GPUKIT_T1I(t)  "tex.1d.v4." #t ".s32"
#define GPUKIT_T1(t)   "tex.1d.v4." #t ".f32"
#define GPUKIT_T1L(t)  "tex.level.1d.v4." #t ".f32"
#define GPUKIT_T2(t)   "tex.2d.v4." #t ".f32"
#define GPUKIT_T2L(t)  "tex.level.2d.v4." #t ".f32"
#define GPUKIT_T3(t)   "tex.3d.v4." #t ".f32"
#define GPUKIT_T3L(t)  "tex.level.3d.v4." #t ".f32"
#define GPUKIT_TA1(t)  "tex.a1d.v4." #t ".f32"
#define GPUKIT_TA2(t)  "tex.a2d.v4." #t ".f32"
#define GPUKIT_TC(t)   "tex.cube.v4." #t ".f32"
#define GPUKIT_TEX template <class T> GPUKIT_DEVICE T
GPUKIT_TEX tex1Dfetch(cudaTextureObject_t texture, int x)
{
    GPUKIT_FETCH(GPUKIT_T1I, "{%5}", "", "r"(x))
}
GPUKIT_TEX tex1D(cudaTextureObject_t texture, float x)
{
    GPUKIT_FETCH(GPUKIT_T1, "{%5}", "", "f"(x))
}
GPUKIT_TEX tex1DLod(cudaTextureObject_t texture, float x, float level)
{
    GPUKIT_FETCH(GPUKIT_T1L, "{%5}", ", %6", "f"(x), "f"(level))
}
GPUKIT_TEX tex2D(cudaTextureObject_t texture, float x, float y)
{
    GPUKIT_FETCH(GPUKIT_T2, "{%5, %6}", "", "f"(x), "f"(y))
}
GPUKIT_TEX tex2DLod(cudaTextureObject_t texture, float x, float y, float level)
{
    GPUKIT_FETCH(GPUKIT_T2L, "{%5, %6}", ", %7", "f"(x), "f"(y), "f"(level))
}
GPUKIT_TEX tex3D(cudaTextureObject_t texture, float x, float y, float z)
{
    GPUKIT_FETCH(GPUKIT_T3, "{%5, %6, %7, %7}", "", "f"(x), "f"(y), "f"(z))
}
GPUKIT_TEX tex3DLod(cudaTextureObject_t texture, float x, float y, float z, float level)
{
    GPUKIT_FETCH(GPUKIT_T3L, "{%5, %6, %7, %7}", ", %8", "f"(x), "f"(y), "f"(z), "f"(level))
}
GPUKIT_TEX tex1DLayered(cudaTextureObject_t texture, float x, int layer)
{
    GPUKIT_FETCH(GPUKIT_TA1, "{%5, %6}", "", "r"(layer), "f"(x))
}
GPUKIT_TEX tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer)
{
    GPUKIT_FETCH(GPUKIT_TA2, "{%5, %6, %7, %7}", "", "r"(layer), "f"(x), "f"(y))
}
GPUKIT_TEX texCubemap(cudaTextureObject_t texture, float x, float y, float z)
{
    GPUKIT_FETCH(GPUKIT_TC, "{%5, %6, %7, %7}", "", "f"(x), "f"(y), "f"(z))
}
#define GPUKIT_G0(t) "tld4.r.2d.v4." #t ".f32"
#define GPUKIT_G1(t) "tld4.g.2d.v4." #t ".f32"
#define GPUKIT_G2(t) "tld4.b.2d.v4." #t ".f32"
#define GPUKIT_G3(t) "tld4.a.2d.v4." #t ".f32"
namespace gpukit {
template <class T, int component> GPUKIT_DEVICE T gather(cudaTextureObject_t texture, float x, float y)
{
    if constexpr (component == 0) {
        GPUKIT_FETCH(GPUKIT_G0, "{%5, %6}", "", "f"(x), "f"(y))
    } else if constexpr (component == 1) {
        GPUKIT_FETCH(GPUKIT_G1, "{%5, %6}", "", "f"(x), "f"(y))
    } else if constexpr (component == 2) {
        GPUKIT_FETCH(GPUKIT_G2, "{%5, %6}", "", "f"(x), "f"(y))
    } else {
        GPUKIT_FETCH(GPUKIT_G3, "{%5, %6}", "", "f"(x), "f"(y))
    }
}
}
/* T is the vector of four: the component of the four texels that filtering would use. */
GPUKIT_TEX tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0)
{
    switch (component) {
    case 1: return gpukit::gather<T, 1>(texture, x, y);
    case 2: return gpukit::gather<T, 2>(texture, x, y);
    case 3: return gpukit::gather<T, 3>(texture, x, y);
    default: return gpukit::gather<T, 0>(texture, x, y);
    }
}
/* The forms that write through a pointer. */
template <class T> GPUKIT_DEVICE void tex1Dfetch(T *out, cudaTextureObject_t t, int x) { *out = tex1Dfetch<T>(t, x); }
template <class T> GPUKIT_DEVICE void tex1D(T *out, cudaTextureObject_t t, float x) { *out = tex1D<T>(t, x); }
template <class T> GPUKIT_DEVICE void tex2D(T *out, cudaTextureObject_t t, float x, float y)
{
    *out = tex2D<T>(t, x, y);
}
template <class T> GPUKIT_DEVICE void tex3D(T *out, cudaTextureObject_t t, float x, float y, float z)
{
    *out = tex3D<T>(t, x, y, z);
}
#undef GPUKIT_TEX
#undef GPUKIT_FETCH

/* Surfaces: x in bytes. Elements of 1 to 16 bytes move as one to four words. */
#define GPUKIT_SURFACE(name, geometry, parameters, coordinates, c4, ...)                           \
    template <class T>                                                                             \
    GPUKIT_DEVICE T name##read(cudaSurfaceObject_t surface, parameters,                            \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                \
    {                                                                                              \
        T value;                                                                                   \
        unsigned v[4] = {};                                                                        \
        unsigned short h = 0;                                                                      \
        (void)mode;                                                                                \
        if constexpr (sizeof(T) == 1) {                                                            \
            asm volatile("suld.b." geometry ".b8.clamp %0, [%1, " coordinates "];"                 \
                         : "=h"(h) : "l"(surface), __VA_ARGS__ : "memory");                        \
            __builtin_memcpy((void *)&value, &h, 1);                                               \
        } else if constexpr (sizeof(T) == 2) {                                                     \
            asm volatile("suld.b." geometry ".b16.clamp %0, [%1, " coordinates "];"                \
                         : "=h"(h) : "l"(surface), __VA_ARGS__ : "memory");                        \
            __builtin_memcpy((void *)&value, &h, 2);                                               \
        } else if constexpr (sizeof(T) == 4) {                                                     \
            asm volatile("suld.b." geometry ".b32.clamp %0, [%1, " coordinates "];"                \
                         : "=r"(v[0]) : "l"(surface), __VA_ARGS__ : "memory");                     \
            __builtin_memcpy((void *)&value, v, 4);                                                \
        } else if constexpr (sizeof(T) == 8) {                                                     \
            unsigned long long w;                                                                  \
            asm volatile("suld.b." geometry ".b64.clamp %0, [%1, " coordinates "];"                \
                         : "=l"(w) : "l"(surface), __VA_ARGS__ : "memory");                        \
            __builtin_memcpy((void *)&value, &w, 8);                                               \
        } else {                                                                                   \
            static_assert(sizeof(T) == 16, "a surface element has 1, 2, 4, 8 or 16 bytes");        \
            asm volatile("suld.b." geometry ".v4.b32.clamp {%0, %1, %2, %3}, [%4, " c4 "];"        \
                         : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                          \
                         : "l"(surface), __VA_ARGS__ : "memory");                                  \
            __builtin_memcpy((void *)&value, v, 16);                                               \
        }                                                                                          \
        return value;                                                                              \
    }
#define GPUKIT_COMMA ,
GPUKIT_SURFACE(surf1D, "1d", int x, "{%2}", "{%5}", "r"(x))
GPUKIT_SURFACE(surf2D, "2d", int x GPUKIT_COMMA int y, "{%2, %3}", "{%5, %6}", "r"(x), "r"(y))
GPUKIT_SURFACE(surf3D, "3d", int x GPUKIT_COMMA int y GPUKIT_COMMA int z, "{%2, %3, %4, %4}",
               "{%5, %6, %7, %7}", "r"(x), "r"(y), "r"(z))
#undef GPUKIT_SURFACE
#define GPUKIT_SURFACE(name, geometry, parameters, coordinates, ...)                               \
    template <class T>                                                                             \
    GPUKIT_DEVICE void name##write(T value, cudaSurfaceObject_t surface, parameters,               \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
    {                                                                                              \
        unsigned v[4] = {};                                                                        \
        __builtin_memcpy(v, &value, sizeof(T));                                                    \
        (void)mode;                                                                                \
        if constexpr (sizeof(T) == 1)                                                              \
            asm volatile("sust.b." geometry ".b8.clamp [%4, " coordinates "], %0;" ::              \
                         "h"((unsigned short)v[0]), "r"(0), "r"(0), "r"(0), "l"(surface),          \
                         __VA_ARGS__ : "memory");                                                  \
        else if constexpr (sizeof(T) == 2)                                                         \
            asm volatile("sust.b." geometry ".b16.clamp [%4, " coordinates "], %0;" ::             \
                         "h"((unsigned short)v[0]), "r"(0), "r"(0), "r"(0), "l"(surface),          \
                         __VA_ARGS__ : "memory");                                                  \
        else if constexpr (sizeof(T) == 4)                                                         \
            asm volatile("sust.b." geometry ".b32.clamp [%4, " coordinates "], %0;" ::             \
                         "r"(v[0]), "r"(0), "r"(0), "r"(0), "l"(surface), __VA_ARGS__ : "memory"); \
        else if constexpr (sizeof(T) == 8)                                                         \
            asm volatile("sust.b." geometry ".b64.clamp [%4, " coordinates "], %0;" ::             \
                         "l"((unsigned long long)v[1] << 32 | v[0]), "r"(0), "r"(0), "r"(0),       \
                         "l"(surface), __VA_ARGS__ : "memory");                                    \
        else                                                                                       \
            asm volatile("sust.b." geometry ".v4.b32.clamp [%4, " coordinates "], {%0, %1, %2, %3};" ::\
                         "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "l"(surface),                 \
                         __VA_ARGS__ : "memory");                                                  \
    }
GPUKIT_SURFACE(surf1D, "1d", int x, "{%5}", "r"(x))
GPUKIT_SURFACE(surf2D, "2d", int x GPUKIT_COMMA int y, "{%5, %6}", "r"(x), "r"(y))
GPUKIT_SURFACE(surf3D, "3d", int x GPUKIT_COMMA int y GPUKIT_COMMA int z, "{%5, %6, %7, %7}", "r"(x), "r"(y), "r"(z))
#undef GPUKIT_SURFACE
#undef GPUKIT_COMMA
template <class T>
GPUKIT_DEVICE void surf2Dread(T *out, cudaSurfaceObject_t s, int x, int y,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    *out = surf2Dread<T>(s, x, y, mode);
}

#endif
