/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture fetches and surface accesses, lane by lane (see texture.h). Linear filtering uses weights
 * of 8 fractional bits, as the hardware does, between the levels of a mipmapped texture, too. How
 * gradients choose a level is left to the hardware: here as OpenGL's specification has it. */
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

static float srgb_to_linear(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
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
            if (t->srgb && t->bits == 8 && c < 3) /* alpha is linear */
                out->f[c] = srgb_to_linear(out->f[c]);
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

/* The faces of a cube as the programming guide's table has them: the axes (from 1, negative: turned
 * around) of the face's s and t and of the direction that it lies in. */
static const int8_t cube_axes[6][3] = {{-3, -2, 1}, {3, -2, -1}, {1, 3, 2},
                                       {1, -3, -2}, {1, -2, 3},  {-1, -2, -3}};

static void to_face(int face, const float v[3], float out[3])
{
    for (int i = 0; i < 3; i++) {
        int axis = cube_axes[face][i];
        out[i] = axis > 0 ? v[axis - 1] : -v[-axis - 1];
    }
}

static void from_face(int face, const float v[3], float out[3])
{
    for (int i = 0; i < 3; i++) {
        int axis = cube_axes[face][i];
        if (axis > 0)
            out[axis - 1] = v[i];
        else
            out[-axis - 1] = -v[i];
    }
}

static int cube_face(const float v[3])
{
    float x = fabsf(v[0]), y = fabsf(v[1]), z = fabsf(v[2]);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return 2 * axis + !(v[axis] >= 0);
}

/* The texel (x, y) beside face `face` of n x n texels, on the face that continues it there. */
static int cube_neighbour(int face, int64_t n, int64_t *x, int64_t *y)
{
    float size = (float)n,
          at[3] = {(2 * (float)*x + 1) / size - 1, (2 * (float)*y + 1) / size - 1, 1}, v[3];
    from_face(face, at, v);
    face = cube_face(v);
    to_face(face, v, at);
    for (int i = 0; i < 2; i++) {
        int64_t texel = (int64_t)((at[i] / at[2] + 1) / 2 * size);
        *(i ? y : x) = texel < 0 ? 0 : texel >= n ? n - 1 : texel;
    }
    return face;
}

/* What a fetch's coordinates mean. */
typedef struct {
    int64_t index[3]; /* whole coordinates */
    float at[3];
    int64_t layer;     /* -1: none; counts faces */
    int64_t offset[3]; /* texels of the level that is read */
    int face;          /* -1: no cube */
    int dimensions;
} Place;

static Place place_of(const GkTextureOp *op, const uint32_t *all)
{
    const uint32_t *c = all;
    Place p = {.layer = -1, .face = -1, .dimensions = op->dimensions};
    if (op->layered) {
        p.layer = (int32_t)c[0] < 0 ? 0 : (int64_t)c[0];
        c++;
    }
    for (int d = 0; d < 4 - op->layered && d < 3; d++) {
        memcpy(&p.at[d], &c[d], 4);
        p.index[d] = (int32_t)c[d];
    }
    for (int d = 0; op->offset && d < 3; d++)
        p.offset[d] = (int32_t)all[OFFSET_ROW + d];
    if (op->cube) {
        float on[3];
        p.face = cube_face(p.at);
        to_face(p.face, p.at, on);
        p.at[0] = (on[0] / on[2] + 1) / 2;
        p.at[1] = (on[1] / on[2] + 1) / 2;
        p.layer = (p.layer > 0 ? p.layer * 6 : 0) + p.face;
        p.dimensions = 2;
    }
    return p;
}

/* A corner of a filtered fetch: over the edge of a cube's face the next face's texel, where the
 * texture wants that; where three faces meet, their mean. */
static void corner_at(const GkTexture *t, const Place *p, const int64_t index[3], Texel *out)
{
    int64_t n = t->width, x = index[0], y = index[1];
    bool over_x = x < 0 || x >= n, over_y = y < 0 || y >= n;
    if (!t->seamless || p->face < 0 || !(over_x || over_y)) {
        texel_at(t, index, p->layer, p->dimensions, out);
        return;
    }
    int64_t inside_x = x < 0 ? 0 : x >= n ? n - 1 : x, inside_y = y < 0 ? 0 : y >= n ? n - 1 : y;
    int64_t tries[3][2] = {{x, y}, {x, inside_y}, {inside_x, inside_y}};
    int count = 1;
    if (over_x && over_y) {
        tries[0][0] = inside_x;
        count = 3;
    }
    memset(out, 0, sizeof *out);
    for (int k = 0; k < count; k++) {
        int64_t at[3] = {tries[k][0], tries[k][1], 0};
        bool own = at[0] >= 0 && at[0] < n && at[1] >= 0 && at[1] < n;
        int face = own ? p->face : cube_neighbour(p->face, n, &at[0], &at[1]);
        Texel one;
        texel_at(t, at, p->layer - p->face + face, 2, &one);
        for (int c = 0; c < 4; c++) {
            out->f[c] += one.f[c] / (float)count;
            out->raw[c] = one.raw[c];
        }
    }
}

/* One level's answer. */
static void sample_level(const GkTexture *t, const GkTextureOp *op, const Place *p, Texel *out)
{
    int64_t index[3] = {0, 0, 0};
    if (!op->float_coordinates) {
        for (int d = 0; d < p->dimensions; d++)
            index[d] = p->index[d] + p->offset[d];
        texel_at(t, index, p->layer, p->dimensions, out);
        return;
    }
    const uint32_t sizes[3] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
    float at[3] = {0, 0, 0};
    for (int d = 0; d < p->dimensions; d++)
        at[d] = t->coordinates_normalized || op->cube ? p->at[d] * (float)sizes[d] : p->at[d];
    if (op->what == TEXTURE_GATHER) {
        static const int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
        Texel one;
        int64_t x = floor_index(at[0] - 0.5f) + p->offset[0],
                y = floor_index(at[1] - 0.5f) + p->offset[1];
        for (int k = 0; k < 4; k++) {
            int64_t place[3] = {x + order[k][0], y + order[k][1], 0};
            corner_at(t, p, place, &one);
            out->f[k] = one.f[op->component & 3];
            out->raw[k] = one.raw[op->component & 3];
        }
        return;
    }
    if (!t->filter_linear) {
        for (int d = 0; d < p->dimensions; d++)
            index[d] = floor_index(at[d]) + p->offset[d];
        texel_at(t, index, p->layer, p->dimensions, out);
        return;
    }
    float weight[3] = {0, 0, 0};
    for (int d = 0; d < p->dimensions; d++) {
        float place = at[d] - 0.5f;
        index[d] = floor_index(place);
        float low = (float)index[d];
        weight[d] = floorf((place - low) * 256.0f + 0.5f) / 256.0f;
    }
    memset(out, 0, sizeof *out);
    for (int corner = 0; corner < 1 << p->dimensions; corner++) {
        int64_t place[3];
        float w = 1;
        for (int d = 0; d < 3; d++) {
            int up = corner >> d & 1;
            place[d] = index[d] + p->offset[d] + up;
            w *= d >= p->dimensions ? 1 : up ? weight[d] : 1 - weight[d];
        }
        if (w == 0)
            continue;
        Texel one;
        corner_at(t, p, place, &one);
        for (int k = 0; k < 4; k++)
            out->f[k] += w * one.f[k];
    }
    for (int k = 0; k < 4; k++)
        memcpy(&out->raw[k], &out->f[k], 4);
}

/* The level that a number means, and the fraction of the next one. */
static void sample_mipmap(const GkTexture *t, const GkTextureOp *op, const Place *p, float level,
                          Texel *out)
{
    float last = (float)(t->levels - 1);
    level += t->mip_bias;
    level = level < t->mip_least ? t->mip_least : level;
    level = level > t->mip_most ? t->mip_most : level;
    level = !(level > 0) ? 0 : level > last ? last : level;
    if (!t->mip_linear) {
        sample_level(t + (int)(level + 0.5f), op, p, out);
        return;
    }
    int low = (int)level;
    float weight = floorf((level - (float)low) * 256.0f + 0.5f) / 256.0f;
    sample_level(t + low, op, p, out);
    if (weight == 0)
        return;
    Texel next;
    sample_level(t + low + 1, op, p, &next);
    for (int k = 0; k < 4; k++) {
        out->f[k] += weight * (next.f[k] - out->f[k]);
        memcpy(&out->raw[k], &out->f[k], 4);
    }
}

/* A derivative in texels of the first level. */
static void texels_moved(const GkTexture *t, const GkTextureOp *op, const Place *p,
                         const uint32_t *c, const uint32_t *d, float out[3])
{
    const uint32_t sizes[3] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
    memcpy(out, d, 3 * sizeof *out);
    if (op->cube) { /* of s / m */
        float direction[3], on[3], moved[3];
        memcpy(direction, c + op->layered, sizeof direction);
        to_face(p->face, direction, on);
        to_face(p->face, out, moved);
        for (int i = 0; i < 2; i++)
            out[i] = (moved[i] * on[2] - on[i] * moved[2]) / (on[2] * on[2]) / 2;
    }
    for (int i = 0; i < 3; i++)
        out[i] = i >= p->dimensions                      ? 0
                 : t->coordinates_normalized || op->cube ? out[i] * (float)sizes[i]
                                                         : out[i];
}

static float length(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* By derivatives: the level whose texels are as long as the longer one, or with anisotropy the mean
 * of several places along that one. */
static void sample_gradient(const GkTexture *t, const GkTextureOp *op, const uint32_t *c,
                            const Place *p, Texel *out)
{
    float dx[3], dy[3];
    texels_moved(t, op, p, c, c + 4, dx);
    texels_moved(t, op, p, c, c + 7, dy);
    float x = length(dx), y = length(dy), longer = x > y ? x : y, shorter = x > y ? y : x;
    float most = t->anisotropy > 1 && !op->cube ? (float)t->anisotropy : 1;
    float ratio = shorter > 0 ? ceilf(longer / shorter) : most, count = ratio < most ? ratio : most;
    count = !(count > 1) ? 1 : count;
    float level = longer > 0 ? log2f(longer / count) : -INFINITY;
    if (count == 1) {
        sample_mipmap(t, op, p, level, out);
        return;
    }
    float along[3], sum[4] = {0};
    memcpy(along, c + (x > y ? 4 : 7), sizeof along);
    for (int i = 0; i < (int)count; i++) {
        Place place = *p;
        for (int d = 0; d < p->dimensions; d++)
            place.at[d] += along[d] * (((float)i + 0.5f) / count - 0.5f);
        sample_mipmap(t, op, &place, level, out);
        for (int k = 0; k < 4; k++)
            sum[k] += out->f[k] / count;
    }
    memcpy(out->f, sum, sizeof sum);
    memcpy(out->raw, sum, sizeof sum);
}

static void sample(const GkTexture *t, const GkTextureOp *op, const uint32_t *c, Texel *out)
{
    Place p = place_of(op, c);
    float level = 0;
    if (!t->levels) {
        sample_level(t, op, &p, out);
    } else if (op->level == LEVEL_GRADIENT) {
        sample_gradient(t, op, c, &p, out);
    } else {
        if (op->level && op->float_coordinates)
            memcpy(&level, &c[4], 4);
        else if (op->level)
            level = (float)(int32_t)c[4];
        sample_mipmap(t, op, &p, level, out);
    }
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
    if (op->what != TEXTURE_FETCH || op->cube || op->layered || op->offset || t->bits != 32 ||
        t->levels || (op->float_coordinates && t->filter_linear))
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

/* What txq and suq answer; a dimension that the object lacks is 0 (seen on an H200). */
static uint32_t query(const GkTexture *t, const GkTextureOp *op, uint32_t level)
{
    unsigned last = t->levels ? t->levels - 1u : 0;
    if (op->level && op->component <= QUERY_DEPTH)
        t += level < last ? level : last;
    switch (op->component) {
    case QUERY_WIDTH:
        return t->width;
    case QUERY_HEIGHT:
        return t->height;
    default:
        return t->depth;
    }
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
        uint32_t c[ALL_ROWS] = {0};
        for (int k = 0; k < (op->level || op->offset ? ALL_ROWS : 4); k++)
            c[k] = coordinates[k * GK_WARP + (int)lane];
        if (!is_texture(handles[lane]))
            bad(block, lane, "not a texture or surface object");
        if (op->what == TEXTURE_QUERY) {
            ((uint32_t *)values)[lane] = query(t, op, c[0]);
            continue;
        }
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
