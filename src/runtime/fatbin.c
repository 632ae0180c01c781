/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses and unpacks PTX (see fatbin.h; the container is source/fatbin.h's). Around it lies, in a
 * program, a wrapper: u32 magic, u32 version (1, 2 relocatable), pointer, pointer. Does not read
 * machine code. */
#include "runtime/fatbin.h"

#include "source/fatbin.h"

#include <lz4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static const uint32_t wrapper_magic = 0x466243b1;
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

static int unpack(const FatbinEntry *entry, FatPtx *out, char *why, size_t room)
{
    uint64_t raw = entry->raw, packed = entry->packed ? entry->packed : entry->padded;
    out->sm = entry->arch;
    if (!entry->lz4 && !entry->zstd) {
        out->text = (const char *)entry->payload;
        out->bytes = entry->padded;
        trim(out);
        return FATBIN_OK;
    }
    if (packed > entry->padded)
        return broken(why, room, "an entry is longer than its room");
    if (raw == 0 || raw > most_raw)
        return broken(why, room, "an entry has an impossible size");
    char *text = malloc(raw + 1);
    if (!text)
        return broken(why, room, "no memory to unpack it");
    int64_t got = -1;
    if (entry->zstd) {
        size_t n = ZSTD_decompress(text, raw, entry->payload, packed);
        got = ZSTD_isError(n) ? -1 : (int64_t)n;
    } else if (packed <= INT32_MAX) {
        got = LZ4_decompress_safe((const char *)entry->payload, text, (int)packed, (int)raw);
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

/* Whether the PTX suits a device of capability cc: that of sm_90a runs on 9.0 only. */
static bool suits(const FatbinEntry *entry, int cc)
{
    return entry->suffix == 'a' ? entry->arch == cc : entry->arch <= cc;
}

/* Whether a beats b (arch -1: none) there: the newest that suits, else the oldest. */
static bool better(const FatbinEntry *a, const FatbinEntry *b, int cc)
{
    if (b->arch < 0)
        return true;
    if (suits(a, cc) != suits(b, cc))
        return suits(a, cc);
    if (a->arch == b->arch)
        return a->suffix >= b->suffix;
    return (a->arch > b->arch) == suits(a, cc);
}

static int from_entries(const uint8_t *header, size_t limit, int cc, FatPtx *out, char *why,
                        size_t room)
{
    FatbinCursor cursor;
    const char *wrong = fatbin_open(header, limit, &cursor);
    if (wrong)
        return broken(why, room, wrong);
    FatbinEntry entry, best = {.arch = -1};
    int machine = 0, more;
    while ((more = fatbin_next(&cursor, &entry)) > 0) {
        if (entry.kind == FATBIN_PTX && better(&entry, &best, cc))
            best = entry;
        else if (entry.kind == FATBIN_MACHINE_CODE)
            machine = entry.arch;
    }
    if (more < 0)
        return broken(why, room, "an entry has an impossible size");
    if (best.arch >= 0)
        return unpack(&best, out, why, room);
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

bool fatbin_mentions(const void *image, const char *word)
{
    const uint8_t *at = image;
    if (number(at, 4) == wrapper_magic)
        memcpy(&at, at + 8, sizeof at);
    FatbinCursor cursor;
    FatbinEntry entry;
    if (!at || number(at, 4) != FATBIN_MAGIC || fatbin_open(at, SIZE_MAX, &cursor))
        return false;
    while (fatbin_next(&cursor, &entry) > 0)
        if (entry.kind == FATBIN_PTX && !entry.lz4 && !entry.zstd &&
            memmem(entry.payload, entry.padded, word, strlen(word)))
            return true;
    return false;
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
    if (magic == FATBIN_MAGIC)
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
