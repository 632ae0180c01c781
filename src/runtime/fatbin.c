/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads fat binaries (see fatbin.h). All numbers are little endian.
 *   wrapper  u32 magic 0x466243b1, u32 version (1, 2 relocatable), pointer, pointer
 *   header   u32 magic 0xba55ed50, u16 version, u16 header bytes, u64 bytes of all entries
 *   entry    00 u16 kind (1 PTX, 2 ELF, 8 LTO-IR), 04 u32 header bytes, 08 u64 padded payload
 * bytes, 10 u32 compressed bytes, 18 u16 minor, 1a u16 major, 1c u32 sm, 28 u64 flags (0x2000 LZ4
 * block, 0x8000 zstd), 38 u64 raw bytes Does not read machine code. */
#include "runtime/fatbin.h"

#include <lz4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { WRAPPER_BYTES = 24, HEADER_BYTES = 16, ENTRY_LEAST = 64 };
enum { KIND_PTX = 1, KIND_ELF = 2, FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
static const uint32_t wrapper_magic = 0x466243b1, header_magic = 0xba55ed50;
static const uint64_t most_raw = (uint64_t)1 << 30; /* no PTX is that long; bombs are */

static uint64_t number(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

void fatbin_ptx_free(FatPtx *ptx)
{
    free(ptx->owned);
    *ptx = (FatPtx){0};
}

size_t fatbin_parts(const void *wrapper, const void *const **parts)
{
    const uint8_t *at = wrapper;
    if (number(at, 4) != wrapper_magic || number(at + 4, 4) != 2)
        return 0;
    const void *const *list;
    memcpy(&list, at + 16, sizeof list);
    size_t count = 0;
    while (list && list[count] && count < 65536)
        count++;
    *parts = list;
    return count;
}

static int broken(char *why, size_t room, const char *what)
{
    snprintf(why, room, "the embedded GPU code is damaged: %s", what);
    return FATBIN_BROKEN;
}

/* The text without what surrounds it: newlines in front, NULs behind. */
static void trim(FatPtx *out)
{
    while (out->bytes && out->text[out->bytes - 1] == 0)
        out->bytes--;
    while (out->bytes && (*out->text == '\n' || *out->text == '\r' || *out->text == ' ')) {
        out->text++;
        out->bytes--;
    }
}

static int unpack(const uint8_t *entry, const uint8_t *payload, uint64_t padded, FatPtx *out,
                  char *why, size_t room)
{
    uint64_t flags = number(entry + 0x28, 8), raw = number(entry + 0x38, 8);
    uint64_t packed = number(entry + 0x10, 4);
    out->sm = (int)(number(entry + 0x1c, 4) & 0xffff);
    if (!(flags & (FLAG_LZ4 | FLAG_ZSTD))) {
        out->text = (const char *)payload;
        out->bytes = padded;
        trim(out);
        return FATBIN_OK;
    }
    if (packed == 0)
        packed = padded;
    if (packed > padded)
        return broken(why, room, "an entry is longer than its room");
    if (raw == 0 || raw > most_raw)
        return broken(why, room, "an entry has an impossible size");
    char *text = malloc(raw + 1);
    if (!text)
        return broken(why, room, "no memory to unpack it");
    int64_t got = -1;
    if (flags & FLAG_ZSTD) {
        size_t n = ZSTD_decompress(text, raw, payload, packed);
        got = ZSTD_isError(n) ? -1 : (int64_t)n;
    } else if (packed <= INT32_MAX) {
        got = LZ4_decompress_safe((const char *)payload, text, (int)packed, (int)raw);
    }
    if (got < 0) {
        free(text);
        return broken(why, room, "an entry cannot be unpacked");
    }
    text[got] = 0;
    out->owned = text;
    out->text = text;
    out->bytes = (size_t)got;
    trim(out);
    return FATBIN_OK;
}

/* Whether a beats b for a device of capability cc. */
static bool better(int a, int b, int cc)
{
    if (b < 0)
        return true;
    if ((a <= cc) != (b <= cc))
        return a <= cc;
    return a <= cc ? a >= b : a < b;
}

static int from_entries(const uint8_t *header, size_t limit, int cc, FatPtx *out, char *why,
                        size_t room)
{
    if (limit < HEADER_BYTES)
        return broken(why, room, "it is cut off");
    uint64_t skip = number(header + 6, 2), bytes = number(header + 8, 8);
    if (skip < HEADER_BYTES || skip > limit)
        return broken(why, room, "its header has an impossible size");
    if (bytes > limit - skip) {
        if (limit != SIZE_MAX)
            return broken(why, room, "it is cut off");
        return broken(why, room, "it has an impossible size");
    }
    const uint8_t *best = NULL, *best_payload = NULL;
    uint64_t best_padded = 0;
    int best_sm = -1, machine = 0;
    uint64_t at = 0;
    while (at < bytes) {
        const uint8_t *entry = header + skip + at;
        uint64_t left = bytes - at;
        if (left < ENTRY_LEAST)
            break;
        uint64_t head = number(entry + 4, 4), padded = number(entry + 8, 8);
        unsigned kind = (unsigned)number(entry, 2);
        if (head < ENTRY_LEAST || head > left || padded > left - head)
            return broken(why, room, "an entry has an impossible size");
        int sm = (int)(number(entry + 0x1c, 4) & 0xffff);
        if (kind == KIND_PTX && better(sm, best_sm, cc)) {
            best = entry;
            best_payload = entry + head;
            best_padded = padded;
            best_sm = sm;
        } else if (kind == KIND_ELF) {
            machine = sm;
        }
        at += head + padded;
    }
    if (!best) {
        if (machine)
            snprintf(why, room,
                     "the program holds only machine code (sm_%d) and no PTX; build it again with "
                     "-gencode arch=compute_%d,code=compute_%d (or -arch=compute_%d) or with "
                     "'gpukit cc'",
                     machine, machine, machine, machine);
        else
            snprintf(why, room, "the program's GPU code holds no PTX");
        return FATBIN_NO_PTX;
    }
    return unpack(best, best_payload, best_padded, out, why, room);
}

int fatbin_ptx(const void *image, size_t bytes, int cc, FatPtx *out, char *why, size_t room)
{
    *out = (FatPtx){0};
    const uint8_t *at = image;
    if (!image || bytes < 4)
        return broken(why, room, "it is empty");
    uint32_t magic = (uint32_t)number(at, 4);
    if (magic == wrapper_magic) {
        if (bytes != SIZE_MAX)
            return broken(why, room, "a wrapper points into a program, not into a file");
        memcpy(&at, at + 8, sizeof at);
        if (!at)
            return broken(why, room, "its wrapper points nowhere");
        magic = (uint32_t)number(at, 4);
    }
    if (magic == header_magic)
        return from_entries(at, bytes, cc, out, why, room);
    if (!memcmp(at, "\177ELF", 4)) {
        snprintf(why, room, "the module is machine code (a cubin); gpukit needs PTX");
        return FATBIN_NO_PTX;
    }
    /* Text: clang embeds it bare, cuModuleLoadData takes it. */
    size_t length = bytes == SIZE_MAX ? strlen((const char *)at) : strnlen((const char *)at, bytes);
    for (size_t i = 0; i < length && i < 64; i++) {
        if (at[i] < 9 || (at[i] > 13 && at[i] < 32) || at[i] > 126)
            return broken(why, room, "it is neither PTX nor a fat binary");
    }
    out->text = (const char *)at;
    out->bytes = length;
    trim(out);
    if (!out->bytes)
        return broken(why, room, "it is empty");
    return FATBIN_OK;
}
