/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects of the CPU engine. An object's handle is the host address of its
 * GkTexture. Fetches follow the CUDA C++ Programming Guide, "Texture Fetching". */
#ifndef GPUKIT_LAUNCH_TEXTURE_H
#define GPUKIT_LAUNCH_TEXTURE_H

#include "launch/abi.h"

#include <stdbool.h>

enum { GK_TEXTURE_MAGIC = 0x676b7478 };
enum { TEXTURE_FETCH, TEXTURE_GATHER, TEXTURE_QUERY, SURFACE_LOAD, SURFACE_STORE };
/* What TEXTURE_QUERY asks for. */
enum { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH };
enum { TEXEL_SIGNED = 0, TEXEL_UNSIGNED = 1, TEXEL_FLOAT = 2 }; /* as cudaChannelFormatKind */
/* How the level of a mipmapped texture is chosen: the first, by row 4 of the coordinates, by the
 * derivatives in rows 4 to 6 (x) and 7 to 9 (y). Rows 10 to 12: an offset in texels. */
enum { LEVEL_FIRST, LEVEL_GIVEN, LEVEL_GRADIENT, OFFSET_ROW = 10, ALL_ROWS = 13 };
enum { ADDRESS_WRAP = 0, ADDRESS_CLAMP = 1, ADDRESS_MIRROR = 2, ADDRESS_BORDER = 3 };

/* Constant per instruction. */
typedef struct {
    uint8_t what;       /* TEXTURE_*, SURFACE_* */
    uint8_t dimensions; /* 1, 2, 3 */
    uint8_t layered;    /* the first coordinate is the layer */
    uint8_t cube;
    uint8_t float_coordinates;
    uint8_t result;    /* TEXEL_*: what kind of 32-bit value the instruction wants */
    uint8_t component; /* gather; query: QUERY_* */
    uint8_t bytes;     /* surface: of one element of the vector */
    uint8_t count;     /* surface: elements */
    uint8_t clamp;     /* surface: 0 trap, 1 clamp, 2 zero */
    uint8_t level;     /* LEVEL_* */
    uint8_t offset;    /* an offset is given */
    uint8_t pad[4];
} GkTextureOp;

/* A mipmapped texture is an array of these: the first is the object and its level 0. */
typedef struct {
    uint32_t magic;
    bool linear;                   /* plain memory: outside is zero */
    uint8_t *data;                 /* engine's side */
    uint32_t width, height, depth; /* texels; depth counts layers and faces too */
    uint64_t pitch, slice;         /* bytes */
    uint32_t texel_bytes;
    uint8_t channels, bits, kind; /* bits of one channel */
    uint8_t address[3], filter_linear, read_normalized, coordinates_normalized;
    uint8_t srgb, seamless, anisotropy;
    float border[4];
    uint8_t levels, mip_linear; /* levels 0: no mipmaps */
    float mip_bias, mip_least, mip_most;
} GkTexture;

/* coordinates: [4][32], or [ALL_ROWS][32] where op->level or op->offset says so; values: [4][32], results of loads, sources of stores (64 bits each for
 * surfaces, else 32). */
void texture_access(struct GkBlock *block, uint32_t mask, const void *op, const uint64_t *handles,
                    const uint32_t *coordinates, void *values);

#endif
