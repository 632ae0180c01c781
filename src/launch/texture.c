/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture fetches and surface accesses, lane by lane (see texture.h). Linear filtering uses weights
 * of 8 fractional bits, as the hardware does. No mipmaps, no anisotropy, no sRGB. */
#include "launch/texture.h"

#include "launch/launch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    float f[4];
    uint32_t raw[4]; /* integers, sign-extended */
} Texel;

static float half_to_float(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    float v = exponent == 31 ? (fraction ? NAN : INFINITY)
              : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
                             : ldexpf((float)fraction, -24);
    return h >> 15 ? -v : v;
}

static void read_texel(const GkTexture *t, const uint8_t *at, Texel *out)
{
    memset(out, 0, sizeof *out);
    for (int c = 0; c < t->channels; c++) {
        uint32_t raw = 0;
        memcpy(&raw, at + c * (t->bits / 8), t->bits / 8);
        if (t->kind == TEXEL_FLOAT) {
            if (t->bits == 16)
                out->f[c] = half_to_float((uint16_t)raw);
            else
                memcpy(&out->f[c], &raw, 4);
            memcpy(&out->raw[c], &out->f[c], 4);
        } else if (t->kind == TEXEL_SIGNED) {
            int32_t v = t->bits == 8 ? (int8_t)raw : t->bits == 16 ? (int16_t)raw : (int32_t)raw;
            out->raw[c] = (uint32_t)v;
            float most = t->bits == 8 ? 127.0f : 32767.0f;
            out->f[c] = (float)v / most < -1.0f ? -1.0f : (float)v / most;
        } else {
            out->raw[c] = raw;
            out->f[c] = (float)raw / (t->bits == 8 ? 255.0f : 65535.0f);
        }
    }
}

/* An index brought into [0, size), or -1: outside. */
static int64_t wrap(int64_t i, int64_t size, int mode)
{
    if (i >= 0 && i < size)
        return i;
    switch (mode) {
    case ADDRESS_WRAP: {
        int64_t r = i % size;
        return r < 0 ? r + size : r;
    }
    case ADDRESS_MIRROR: {
        int64_t r = i % (2 * size);
        r = r < 0 ? r + 2 * size : r;
        return r < size ? r : 2 * size - 1 - r;
    }
    case ADDRESS_CLAMP:
        return i < 0 ? 0 : size - 1;
    default:
        return -1;
    }
}

/* floorf as an index, without a call; what no texture holds becomes a large number. */
static inline int64_t floor_index(float x)
{
    if (!(x > -1e15f && x < 1e15f))
        return x > 0 ? INT64_C(1) << 50 : -(INT64_C(1) << 50);
    int64_t i = (int64_t)x;
    return i - (x < (float)i);
}

/* Wrapping exists for normalised coordinates only; else it clamps. */
static int address_mode(const GkTexture *t, int d)
{
    int mode = t->linear ? ADDRESS_BORDER : t->address[d];
    bool repeats = mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR;
    return repeats && !t->coordinates_normalized ? ADDRESS_CLAMP : mode;
}

static void texel_at(const GkTexture *t, const int64_t index[3], int64_t layer, int dimensions,
                     Texel *out)
{
    const int64_t sizes[3] = {t->width, t->height, t->depth};
    int64_t at[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; d++) {
        at[d] = wrap(index[d], sizes[d] ? sizes[d] : 1, address_mode(t, d));
        if (at[d] < 0) {
            for (int c = 0; c < 4; c++) {
                out->f[c] = t->linear ? 0 : t->border[c];
                memcpy(&out->raw[c], &out->f[c], 4);
                if (t->kind != TEXEL_FLOAT)
                    out->raw[c] = (uint32_t)out->f[c];
            }
            return;
        }
    }
    if (layer >= 0) {
        int64_t layers = t->depth ? t->depth : 1;
        at[2] = layer >= layers ? layers - 1 : layer;
    }
    read_texel(t,
               t->data + (uint64_t)at[2] * t->slice + (uint64_t)at[1] * t->pitch +
                   (uint64_t)at[0] * t->texel_bytes,
               out);
}

/* The cube face and the place on it; directions as the programming guide's table has them. */
static int64_t cube_face(float x, float y, float z, float *s, float *u)
{
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m;
    int64_t face;
    if (ax >= ay && ax >= az)
        m = ax, face = x >= 0 ? 0 : 1, *s = x >= 0 ? -z : z, *u = -y;
    else if (ay >= az)
        m = ay, face = y >= 0 ? 2 : 3, *s = x, *u = y >= 0 ? z : -z;
    else
        m = az, face = z >= 0 ? 4 : 5, *s = z >= 0 ? x : -x, *u = -y;
    *s = (*s / m + 1) / 2;
    *u = (*u / m + 1) / 2;
    return face;
}

static void sample(const GkTexture *t, const GkTextureOp *op, const uint32_t c[4], Texel *out)
{
    int64_t layer = -1, index[3] = {0, 0, 0};
    float at[3] = {0, 0, 0};
    int first = 0, dimensions = op->dimensions;
    if (op->layered) {
        layer = (int32_t)c[0] < 0 ? 0 : (int64_t)c[0];
        first = 1;
    }
    for (int d = 0; d < 3 && first + d < 4; d++) {
        memcpy(&at[d], &c[first + d], 4);
        index[d] = (int32_t)c[first + d];
    }
    if (op->cube) {
        float s, u;
        int64_t face = cube_face(at[0], at[1], at[2], &s, &u);
        layer = (layer > 0 ? layer * 6 : 0) + face;
        at[0] = s;
        at[1] = u;
        dimensions = 2;
    }
    if (!op->float_coordinates) {
        texel_at(t, index, layer, dimensions, out);
        return;
    }
    const uint32_t sizes[3] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
    for (int d = 0; d < dimensions; d++)
        if (t->coordinates_normalized || op->cube)
            at[d] *= (float)sizes[d];
    if (op->what == TEXTURE_GATHER) {
        static const int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
        Texel one;
        int64_t x = floor_index(at[0] - 0.5f), y = floor_index(at[1] - 0.5f);
        for (int k = 0; k < 4; k++) {
            int64_t place[3] = {x + order[k][0], y + order[k][1], 0};
            texel_at(t, place, layer, 2, &one);
            out->f[k] = one.f[op->component & 3];
            out->raw[k] = one.raw[op->component & 3];
        }
        return;
    }
    if (!t->filter_linear) {
        for (int d = 0; d < dimensions; d++)
            index[d] = floor_index(at[d]);
        texel_at(t, index, layer, dimensions, out);
        return;
    }
    float weight[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; d++) {
        float place = at[d] - 0.5f;
        index[d] = floor_index(place);
        float low = (float)index[d];
        weight[d] = floorf((place - low) * 256.0f + 0.5f) / 256.0f;
    }
    memset(out, 0, sizeof *out);
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        int64_t place[3];
        float w = 1;
        for (int d = 0; d < 3; d++) {
            int up = corner >> d & 1;
            place[d] = index[d] + up;
            w *= d >= dimensions ? 1 : up ? weight[d] : 1 - weight[d];
        }
        if (w == 0)
            continue;
        Texel one;
        texel_at(t, place, layer, dimensions, &one);
        for (int k = 0; k < 4; k++)
            out->f[k] += w * one.f[k];
    }
    for (int k = 0; k < 4; k++)
        memcpy(&out->raw[k], &out->f[k], 4);
}

static void bad(GkBlock *block, unsigned lane, const char *text)
{
    (void)text;
    block->grid->services->fault(block, 0, 1u << lane, LAUNCH_ILLEGAL_ADDRESS, 0, 0);
}

static void surface(GkBlock *block, unsigned lane, const GkTexture *t, const GkTextureOp *op,
                    const uint32_t c[4], uint64_t (*values)[GK_WARP])
{
    int first = op->layered ? 1 : 0;
    int64_t x = (int32_t)c[first], y = op->dimensions > 1 ? (int32_t)c[first + 1] : 0;
    int64_t z = op->layered ? (int32_t)c[0] : op->dimensions > 2 ? (int32_t)c[2] : 0;
    int64_t bytes = (int64_t)op->bytes * op->count;
    int64_t row = (int64_t)t->width * t->texel_bytes, height = t->height ? t->height : 1;
    int64_t depth = t->depth ? t->depth : 1;
    bool inside = x >= 0 && x + bytes <= row && y >= 0 && y < height && z >= 0 && z < depth;
    if (!inside && op->clamp == 0)
        bad(block, lane, "surface access outside its bounds");
    if (!inside && op->clamp == 2) {
        for (int k = 0; k < op->count && op->what == SURFACE_LOAD; k++)
            values[k][lane] = 0;
        return;
    }
    x = x < 0 ? 0 : x + bytes > row ? row - bytes : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
    uint8_t *at = t->data + (uint64_t)z * t->slice + (uint64_t)y * t->pitch + (uint64_t)x;
    for (int k = 0; k < op->count; k++) {
        if (op->what == SURFACE_STORE) {
            memcpy(at + k * op->bytes, &values[k][lane], op->bytes);
        } else {
            values[k][lane] = 0;
            memcpy(&values[k][lane], at + k * op->bytes, op->bytes);
        }
    }
}

/* The texel that each lane's coordinate means, before wrapping. */
__attribute__((optimize("O3"))) static void lane_indices(const uint32_t *coordinates, bool is_float,
                                                         float scale, int32_t *index)
{
    if (!is_float) {
        memcpy(index, coordinates, GK_WARP * sizeof *index);
        return;
    }
    float at[GK_WARP];
    memcpy(at, coordinates, sizeof at);
    for (int lane = 0; lane < GK_WARP; lane++) {
        float f = at[lane] * scale;
        f = f > 1e9f ? 1e9f : f;
        f = f < -1e9f ? -1e9f : f;
        int32_t i = (int32_t)f;
        index[lane] = i - (f < (float)i);
    }
}

/* The common case at its own speed: one texture for all lanes, no filter, words of 32 bits, which
 * are the result as they stand. False when it is another one. */
static bool nearest_words(const GkTextureOp *op, uint32_t mask, const uint64_t *handles,
                          const uint32_t *coordinates, uint32_t (*out)[GK_WARP])
{
    const GkTexture *t = (const GkTexture *)(uintptr_t)handles[__builtin_ctz(mask)];
    if (op->what != TEXTURE_FETCH || op->cube || op->layered || t->bits != 32 ||
        (op->float_coordinates && t->filter_linear))
        return false;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (handles[__builtin_ctz(rest)] != (uint64_t)(uintptr_t)t)
            return false;
    const uint32_t sizes[3] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
    const uint64_t strides[3] = {t->texel_bytes, t->pitch, t->slice};
    uint64_t place[GK_WARP] = {0};
    uint32_t outside = 0; /* lanes that see the border */
    for (int d = 0; d < op->dimensions; d++) {
        int32_t index[GK_WARP];
        lane_indices(coordinates + d * GK_WARP, op->float_coordinates,
                     t->coordinates_normalized ? (float)sizes[d] : 1.0f, index);
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            int64_t i = index[lane];
            if ((uint32_t)index[lane] >= sizes[d])
                i = wrap(i, sizes[d], address_mode(t, d));
            outside |= (uint32_t)(i < 0) << lane;
            place[lane] += (uint64_t)i * strides[d];
        }
    }
    memset(out, 0, 4 * sizeof *out);
    for (int k = 0; k < t->channels; k++)
        for (uint32_t rest = mask & ~outside; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            memcpy(&out[k][lane], t->data + place[lane] + 4 * k, 4);
        }
    for (int k = 0; k < 4; k++)
        for (uint32_t rest = mask & outside; rest; rest &= rest - 1) {
            float border = t->linear ? 0 : t->border[k];
            uint32_t word = (uint32_t)border;
            if (t->kind == TEXEL_FLOAT)
                memcpy(&word, &border, 4);
            out[k][__builtin_ctz(rest)] = word;
        }
    return true;
}

static bool is_texture(uint64_t handle)
{
    const GkTexture *t = (const GkTexture *)(uintptr_t)handle;
    return t && !(handle & 7) && t->magic == GK_TEXTURE_MAGIC;
}

void texture_access(GkBlock *block, uint32_t mask, const void *constant, const uint64_t *handles,
                    const uint32_t *coordinates, void *values)
{
    const GkTextureOp *op = constant;
    if (mask && is_texture(handles[__builtin_ctz(mask)]) &&
        nearest_words(op, mask, handles, coordinates, values))
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const GkTexture *t = (const GkTexture *)(uintptr_t)handles[lane];
        uint32_t c[4];
        for (int k = 0; k < 4; k++)
            c[k] = coordinates[k * GK_WARP + (int)lane];
        if (!is_texture(handles[lane]))
            bad(block, lane, "not a texture or surface object");
        if (op->what >= SURFACE_LOAD) {
            surface(block, lane, t, op, c, values);
            continue;
        }
        Texel texel;
        sample(t, op, c, &texel);
        uint32_t(*out)[GK_WARP] = values;
        bool as_float = op->result == TEXEL_FLOAT && (t->kind == TEXEL_FLOAT || t->read_normalized);
        for (int k = 0; k < 4; k++) {
            if (as_float)
                memcpy(&out[k][lane], &texel.f[k], 4);
            else
                out[k][lane] = texel.raw[k];
        }
    }
}
