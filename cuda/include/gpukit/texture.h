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
    typedef typename Texel<T>::element Element;
    const unsigned raw[4] = {a, b, c, d};
    Element v[Texel<T>::count];
    for (int i = 0; i < Texel<T>::count; ++i) {
        if constexpr (Texel<T>::is_float)
            v[i] = __builtin_bit_cast(float, raw[i]);
        else
            v[i] = (Element)raw[i];
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
#define GPUKIT_T1I(t) "tex.1d.v4." #t ".s32"
#define GPUKIT_TEX    template <class T> GPUKIT_DEVICE T
GPUKIT_TEX tex1Dfetch(cudaTextureObject_t texture, int x)
{
    GPUKIT_FETCH(GPUKIT_T1I, "{%5}", "", "r"(x))
}
#undef GPUKIT_T1I
template <class T> GPUKIT_DEVICE void tex1Dfetch(T *out, cudaTextureObject_t texture, int x)
{
    *out = tex1Dfetch<T>(texture, x);
}

/* A kind of texture: its plain fetch and those at a level and by derivatives, each with its form
 * that writes through a pointer. parameters, arguments: of the plain fetch, behind the object; at:
 * the coordinates as PTX has them; level, x and y: the next operands; D: the derivatives' type. */
#define GPUKIT_COMMA ,
#define GPUKIT_TEXTURE(name, lod, grad, geometry, parameters, arguments, at, level, dx, dy, D,     \
                       derivatives, ...)                                                           \
    GPUKIT_TEX name(cudaTextureObject_t texture, parameters)                                       \
    {                                                                                              \
        GPUKIT_FETCH(GPUKIT_PLAIN_##geometry, at, "", __VA_ARGS__)                                 \
    }                                                                                              \
    GPUKIT_TEX lod(cudaTextureObject_t texture, parameters, float l)                               \
    {                                                                                              \
        GPUKIT_FETCH(GPUKIT_LEVEL_##geometry, at, ", " level, __VA_ARGS__, "f"(l))                 \
    }                                                                                              \
    GPUKIT_TEX grad(cudaTextureObject_t texture, parameters, D dx_, D dy_)                         \
    {                                                                                              \
        GPUKIT_FETCH(GPUKIT_GRAD_##geometry, at, ", " dx ", " dy, __VA_ARGS__, derivatives)        \
    }                                                                                              \
    template <class T> GPUKIT_DEVICE void name(T *out, cudaTextureObject_t texture, parameters)    \
    {                                                                                              \
        *out = name<T>(texture, arguments);                                                        \
    }                                                                                              \
    template <class T>                                                                             \
    GPUKIT_DEVICE void lod(T *out, cudaTextureObject_t texture, parameters, float l)               \
    {                                                                                              \
        *out = lod<T>(texture, arguments, l);                                                      \
    }                                                                                              \
    template <class T>                                                                             \
    GPUKIT_DEVICE void grad(T *out, cudaTextureObject_t texture, parameters, D dx_, D dy_)         \
    {                                                                                              \
        *out = grad<T>(texture, arguments, dx_, dy_);                                              \
    }
#define GPUKIT_PLAIN_1D(t)     "tex.1d.v4." #t ".f32"
#define GPUKIT_LEVEL_1D(t)     "tex.level.1d.v4." #t ".f32"
#define GPUKIT_GRAD_1D(t)      "tex.grad.1d.v4." #t ".f32"
#define GPUKIT_PLAIN_2D(t)     "tex.2d.v4." #t ".f32"
#define GPUKIT_LEVEL_2D(t)     "tex.level.2d.v4." #t ".f32"
#define GPUKIT_GRAD_2D(t)      "tex.grad.2d.v4." #t ".f32"
#define GPUKIT_PLAIN_3D(t)     "tex.3d.v4." #t ".f32"
#define GPUKIT_LEVEL_3D(t)     "tex.level.3d.v4." #t ".f32"
#define GPUKIT_GRAD_3D(t)      "tex.grad.3d.v4." #t ".f32"
#define GPUKIT_PLAIN_A1D(t)    "tex.a1d.v4." #t ".f32"
#define GPUKIT_LEVEL_A1D(t)    "tex.level.a1d.v4." #t ".f32"
#define GPUKIT_GRAD_A1D(t)     "tex.grad.a1d.v4." #t ".f32"
#define GPUKIT_PLAIN_A2D(t)    "tex.a2d.v4." #t ".f32"
#define GPUKIT_LEVEL_A2D(t)    "tex.level.a2d.v4." #t ".f32"
#define GPUKIT_GRAD_A2D(t)     "tex.grad.a2d.v4." #t ".f32"
#define GPUKIT_PLAIN_CUBE(t)   "tex.cube.v4." #t ".f32"
#define GPUKIT_LEVEL_CUBE(t)   "tex.level.cube.v4." #t ".f32"
#define GPUKIT_GRAD_CUBE(t)    "tex.grad.cube.v4." #t ".f32"
#define GPUKIT_PLAIN_ACUBE(t)  "tex.acube.v4." #t ".f32"
#define GPUKIT_LEVEL_ACUBE(t)  "tex.level.acube.v4." #t ".f32"
#define GPUKIT_GRAD_ACUBE(t)   "tex.grad.acube.v4." #t ".f32"
GPUKIT_TEXTURE(tex1D, tex1DLod, tex1DGrad, 1D, float x, x, "{%5}", "%6", "%6", "%7", float,
               "f"(dx_) GPUKIT_COMMA "f"(dy_), "f"(x))
GPUKIT_TEXTURE(tex2D, tex2DLod, tex2DGrad, 2D, float x GPUKIT_COMMA float y, x GPUKIT_COMMA y,
               "{%5, %6}", "%7", "{%7, %8}", "{%9, %10}", float2,
               "f"(dx_.x) GPUKIT_COMMA "f"(dx_.y) GPUKIT_COMMA "f"(dy_.x) GPUKIT_COMMA "f"(dy_.y),
               "f"(x), "f"(y))
GPUKIT_TEXTURE(tex1DLayered, tex1DLayeredLod, tex1DLayeredGrad, A1D, float x GPUKIT_COMMA int layer,
               x GPUKIT_COMMA layer, "{%5, %6}", "%7", "%7", "%8", float,
               "f"(dx_) GPUKIT_COMMA "f"(dy_), "r"(layer), "f"(x))
GPUKIT_TEXTURE(tex2DLayered, tex2DLayeredLod, tex2DLayeredGrad, A2D,
               float x GPUKIT_COMMA float y GPUKIT_COMMA int layer,
               x GPUKIT_COMMA y GPUKIT_COMMA layer, "{%5, %6, %7, %7}", "%8", "{%8, %9}",
               "{%10, %11}", float2,
               "f"(dx_.x) GPUKIT_COMMA "f"(dx_.y) GPUKIT_COMMA "f"(dy_.x) GPUKIT_COMMA "f"(dy_.y),
               "r"(layer), "f"(x), "f"(y))
#define GPUKIT_XYZ    float x GPUKIT_COMMA float y GPUKIT_COMMA float z
#define GPUKIT_SPACE_DERIVATIVES                                                                   \
    "f"(dx_.x) GPUKIT_COMMA "f"(dx_.y) GPUKIT_COMMA "f"(dx_.z) GPUKIT_COMMA                        \
    "f"(dy_.x) GPUKIT_COMMA "f"(dy_.y) GPUKIT_COMMA "f"(dy_.z)
GPUKIT_TEXTURE(tex3D, tex3DLod, tex3DGrad, 3D, GPUKIT_XYZ, x GPUKIT_COMMA y GPUKIT_COMMA z,
               "{%5, %6, %7, %7}", "%8", "{%8, %9, %10, %10}", "{%11, %12, %13, %13}", float4,
               GPUKIT_SPACE_DERIVATIVES, "f"(x), "f"(y), "f"(z))
GPUKIT_TEXTURE(texCubemap, texCubemapLod, texCubemapGrad, CUBE, GPUKIT_XYZ,
               x GPUKIT_COMMA y GPUKIT_COMMA z, "{%5, %6, %7, %7}", "%8", "{%8, %9, %10, %10}",
               "{%11, %12, %13, %13}", float4, GPUKIT_SPACE_DERIVATIVES, "f"(x), "f"(y), "f"(z))
GPUKIT_TEXTURE(texCubemapLayered, texCubemapLayeredLod, texCubemapLayeredGrad, ACUBE,
               GPUKIT_XYZ GPUKIT_COMMA int layer,
               x GPUKIT_COMMA y GPUKIT_COMMA z GPUKIT_COMMA layer, "{%5, %6, %7, %8}", "%9",
               "{%9, %10, %11, %11}", "{%12, %13, %14, %14}", float4, GPUKIT_SPACE_DERIVATIVES,
               "r"(layer), "f"(x), "f"(y), "f"(z))
#undef GPUKIT_SPACE_DERIVATIVES
#undef GPUKIT_XYZ
#undef GPUKIT_TEXTURE
#undef GPUKIT_PLAIN_1D
#undef GPUKIT_LEVEL_1D
#undef GPUKIT_GRAD_1D
#undef GPUKIT_PLAIN_2D
#undef GPUKIT_LEVEL_2D
#undef GPUKIT_GRAD_2D
#undef GPUKIT_PLAIN_3D
#undef GPUKIT_LEVEL_3D
#undef GPUKIT_GRAD_3D
#undef GPUKIT_PLAIN_A1D
#undef GPUKIT_LEVEL_A1D
#undef GPUKIT_GRAD_A1D
#undef GPUKIT_PLAIN_A2D
#undef GPUKIT_LEVEL_A2D
#undef GPUKIT_GRAD_A2D
#undef GPUKIT_PLAIN_CUBE
#undef GPUKIT_LEVEL_CUBE
#undef GPUKIT_GRAD_CUBE
#undef GPUKIT_PLAIN_ACUBE
#undef GPUKIT_LEVEL_ACUBE
#undef GPUKIT_GRAD_ACUBE
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
template <class T>
GPUKIT_DEVICE void tex2Dgather(T *out, cudaTextureObject_t texture, float x, float y, int component = 0)
{
    *out = tex2Dgather<T>(texture, x, y, component);
}
#undef GPUKIT_TEX
#undef GPUKIT_FETCH
#undef GPUKIT_G0
#undef GPUKIT_G1
#undef GPUKIT_G2
#undef GPUKIT_G3

/* Surfaces: x in bytes. Elements of 1, 2, 4 and 8 bytes move as one word, of 16 as four. Outside the
 * surface a boundary mode clamps, reads zero and writes nothing, or traps. */
#define GPUKIT_LOAD(instruction, out, at, ...)                                                     \
    switch (mode) {                                                                                \
    case cudaBoundaryModeClamp:                                                                    \
        asm volatile(instruction ".clamp " at : out(v) : "l"(surface), __VA_ARGS__ : "memory");    \
        break;                                                                                     \
    case cudaBoundaryModeZero:                                                                     \
        asm volatile(instruction ".zero " at : out(v) : "l"(surface), __VA_ARGS__ : "memory");     \
        break;                                                                                     \
    default:                                                                                       \
        asm volatile(instruction ".trap " at : out(v) : "l"(surface), __VA_ARGS__ : "memory");     \
    }
#define GPUKIT_STORE(instruction, in, at, ...)                                                     \
    switch (mode) {                                                                                \
    case cudaBoundaryModeClamp:                                                                    \
        asm volatile(instruction ".clamp " at :: in(v), "l"(surface), __VA_ARGS__ : "memory");     \
        break;                                                                                     \
    case cudaBoundaryModeZero:                                                                     \
        asm volatile(instruction ".zero " at :: in(v), "l"(surface), __VA_ARGS__ : "memory");      \
        break;                                                                                     \
    default:                                                                                       \
        asm volatile(instruction ".trap " at :: in(v), "l"(surface), __VA_ARGS__ : "memory");      \
    }
#define GPUKIT_FOUR_OUT(v) "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
#define GPUKIT_FOUR_IN(v)  "r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3])
namespace gpukit {
struct Four {
    unsigned w[4];
};
template <unsigned bytes> struct Moved;
template <> struct Moved<1> { typedef unsigned short type; };
template <> struct Moved<2> { typedef unsigned short type; };
template <> struct Moved<4> { typedef unsigned type; };
template <> struct Moved<8> { typedef unsigned long long type; };
template <> struct Moved<16> { typedef Four type; };
}
/* at1 and at4: the coordinates behind one register of data and the object, and behind four. */
#define GPUKIT_SURFACE(name, geometry, parameters, arguments, at1, at4, ...)                       \
    template <class T>                                                                             \
    GPUKIT_DEVICE T name##read(cudaSurfaceObject_t surface, parameters,                            \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                \
    {                                                                                              \
        typename gpukit::Moved<sizeof(T)>::type v;                                                 \
        if constexpr (sizeof(T) == 1) {                                                            \
            GPUKIT_LOAD("suld.b." geometry ".b8", "=h", "%0, [%1, " at1 "];", __VA_ARGS__)         \
        } else if constexpr (sizeof(T) == 2) {                                                     \
            GPUKIT_LOAD("suld.b." geometry ".b16", "=h", "%0, [%1, " at1 "];", __VA_ARGS__)        \
        } else if constexpr (sizeof(T) == 4) {                                                     \
            GPUKIT_LOAD("suld.b." geometry ".b32", "=r", "%0, [%1, " at1 "];", __VA_ARGS__)        \
        } else if constexpr (sizeof(T) == 8) {                                                     \
            GPUKIT_LOAD("suld.b." geometry ".b64", "=l", "%0, [%1, " at1 "];", __VA_ARGS__)        \
        } else {                                                                                   \
            GPUKIT_LOAD("suld.b." geometry ".v4.b32", GPUKIT_FOUR_OUT,                             \
                        "{%0, %1, %2, %3}, [%4, " at4 "];", __VA_ARGS__)                           \
        }                                                                                          \
        T value;                                                                                   \
        __builtin_memcpy((void *)&value, &v, sizeof(T));                                           \
        return value;                                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    GPUKIT_DEVICE void name##read(T *out, cudaSurfaceObject_t surface, parameters,                 \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)             \
    {                                                                                              \
        *out = name##read<T>(surface, arguments, mode);                                            \
    }                                                                                              \
    template <class T>                                                                             \
    GPUKIT_DEVICE void name##write(T value, cudaSurfaceObject_t surface, parameters,               \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
    {                                                                                              \
        typename gpukit::Moved<sizeof(T)>::type v = {};                                            \
        __builtin_memcpy((void *)&v, &value, sizeof(T));                                           \
        if constexpr (sizeof(T) == 1) {                                                            \
            GPUKIT_STORE("sust.b." geometry ".b8", "h", "[%1, " at1 "], %0;", __VA_ARGS__)         \
        } else if constexpr (sizeof(T) == 2) {                                                     \
            GPUKIT_STORE("sust.b." geometry ".b16", "h", "[%1, " at1 "], %0;", __VA_ARGS__)        \
        } else if constexpr (sizeof(T) == 4) {                                                     \
            GPUKIT_STORE("sust.b." geometry ".b32", "r", "[%1, " at1 "], %0;", __VA_ARGS__)        \
        } else if constexpr (sizeof(T) == 8) {                                                     \
            GPUKIT_STORE("sust.b." geometry ".b64", "l", "[%1, " at1 "], %0;", __VA_ARGS__)        \
        } else {                                                                                   \
            GPUKIT_STORE("sust.b." geometry ".v4.b32", GPUKIT_FOUR_IN,                             \
                         "[%4, " at4 "], {%0, %1, %2, %3};", __VA_ARGS__)                          \
        }                                                                                          \
    }
GPUKIT_SURFACE(surf1D, "1d", int x, x, "{%2}", "{%5}", "r"(x))
GPUKIT_SURFACE(surf2D, "2d", int x GPUKIT_COMMA int y, x GPUKIT_COMMA y, "{%2, %3}", "{%5, %6}",
               "r"(x), "r"(y))
GPUKIT_SURFACE(surf3D, "3d", int x GPUKIT_COMMA int y GPUKIT_COMMA int z,
               x GPUKIT_COMMA y GPUKIT_COMMA z, "{%2, %3, %4, %4}", "{%5, %6, %7, %7}", "r"(x),
               "r"(y), "r"(z))
GPUKIT_SURFACE(surf1DLayered, "a1d", int x GPUKIT_COMMA int layer, x GPUKIT_COMMA layer,
               "{%2, %3}", "{%5, %6}", "r"(layer), "r"(x))
#define GPUKIT_LAYERS(name, parameter)                                                             \
    GPUKIT_SURFACE(name, "a2d", int x GPUKIT_COMMA int y GPUKIT_COMMA int parameter,               \
                   x GPUKIT_COMMA y GPUKIT_COMMA parameter, "{%2, %3, %4, %4}",                    \
                   "{%5, %6, %7, %7}", "r"(parameter), "r"(x), "r"(y))
GPUKIT_LAYERS(surf2DLayered, layer)
GPUKIT_LAYERS(surfCubemap, face)
GPUKIT_LAYERS(surfCubemapLayered, layer_face)
#undef GPUKIT_LAYERS
#undef GPUKIT_SURFACE
#undef GPUKIT_LOAD
#undef GPUKIT_STORE
#undef GPUKIT_FOUR_OUT
#undef GPUKIT_FOUR_IN
#undef GPUKIT_COMMA

#endif
