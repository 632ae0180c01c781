/* SPDX-License-Identifier: Apache-2.0
 * Fat binary containers: see fatbin.h. */
#include "source/fatbin.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 16, ENTRY = 64, MOST_ARCH = 999 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, FLAG_SPECIFIC = 0x100000, FLAG_FAMILY = 0x200000 };

/* --- reading ------------------------------------------------------------------------------- */

static uint64_t get(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

const char *fatbin_open(const void *header, size_t limit, FatbinCursor *cursor)
{
    const uint8_t *at = header;
    if (limit < HEADER)
        return "it is cut off";
    if (get(at, 4) != FATBIN_MAGIC)
        return "it does not begin as one";
    uint64_t skip = get(at + 6, 2), bytes = get(at + 8, 8);
    if (skip < HEADER || skip > limit)
        return "its header has an impossible size";
    if (bytes > limit - skip)
        return limit == SIZE_MAX ? "it has an impossible size" : "it is cut off";
    *cursor = (FatbinCursor){at + skip, at + skip + bytes};
    return NULL;
}

int fatbin_next(FatbinCursor *cursor, FatbinEntry *entry)
{
    const uint8_t *at = cursor->at;
    uint64_t left = (uint64_t)(cursor->end - at);
    if (left < ENTRY)
        return 0;
    uint64_t head = get(at + 4, 4), padded = get(at + 8, 8), arch = get(at + 0x1c, 4),
             flags = get(at + 0x28, 8), minor = get(at + 0x18, 2), major = get(at + 0x1a, 2);
    if (head < ENTRY || head > left || padded > left - head)
        return -1;
    *entry = (FatbinEntry){.kind = (unsigned)get(at, 2),
                           .arch = arch <= MOST_ARCH ? (int)arch : 0,
                           .suffix = flags & FLAG_SPECIFIC ? 'a'
                                     : flags & FLAG_FAMILY ? 'f'
                                                           : 0,
                           .lz4 = flags & FLAG_LZ4,
                           .zstd = flags & FLAG_ZSTD,
                           .payload = at + head,
                           .padded = padded,
                           .packed = get(at + 0x10, 4),
                           .raw = get(at + 0x38, 8)};
    if (entry->kind == FATBIN_PTX && major < 100 && minor < 10)
        entry->ptx_version = (int)(major * 10 + minor);
    cursor->at = at + head + padded;
    return 1;
}

size_t fatbin_scan(const void *bytes, size_t count, void (*found)(const FatbinEntry *, void *),
                   void *context)
{
    const uint8_t *data = bytes;
    size_t entries = 0, at = 0;
    while (at + HEADER <= count) {
        FatbinCursor cursor;
        FatbinEntry entry;
        if (fatbin_open(data + at, count - at, &cursor)) {
            at += 4; /* aligned to 8 in memory, but a section may start in between */
            continue;
        }
        at = ((size_t)(cursor.end - data) + 3) & ~(size_t)3;
        while (fatbin_next(&cursor, &entry) > 0)
            if (entry.arch && (entry.kind == FATBIN_PTX || entry.kind == FATBIN_MACHINE_CODE)) {
                found(&entry, context);
                entries++;
            }
    }
    return entries;
}

/* --- writing ------------------------------------------------------------------------------- */

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        at[i] = (unsigned char)(value >> (8 * i));
}

static int version_of(const char *ptx, size_t bytes, int *minor)
{
    static const char word[] = ".version";
    const char *at = memmem(ptx, bytes, word, sizeof word - 1);
    int major = 7;
    *minor = 8;
    if (at) {
        char text[16] = {0};
        size_t left = (size_t)(ptx + bytes - at) - (sizeof word - 1);
        memcpy(text, at + sizeof word - 1, left < 15 ? left : 15);
        char *end;
        major = (int)strtol(text, &end, 10);
        if (*end == '.')
            *minor = (int)strtol(end + 1, NULL, 10);
    }
    return major;
}

/* Bytes of an entry's text with the NUL that ends it. */
static size_t padded_bytes(const FatbinPtx *part)
{
    return (part->text.count + 1 + 7) & ~(size_t)7;
}

static void write_entry(Buf *out, const FatbinPtx *part)
{
    size_t padded = padded_bytes(part);
    unsigned char entry[ENTRY] = {0};
    char *suffix;
    long arch = strtol(part->arch + 3, &suffix, 10);
    int minor, major = version_of(part->text.data, part->text.count, &minor);
    put(entry, FATBIN_PTX, 2);
    put(entry + 2, 0x0101, 2);
    put(entry + 4, ENTRY, 4);
    put(entry + 8, padded, 8);
    put(entry + 0x18, (uint64_t)minor, 2);
    put(entry + 0x1a, (uint64_t)major, 2);
    put(entry + 0x1c, (uint64_t)arch, 4);
    put(entry + 0x28, 0x11 | (*suffix == 'a' ? FLAG_SPECIFIC : 0), 8); /* 64-bit, Linux host */
    put(entry + 0x38, 0, 8);                                           /* not compressed */
    buf_add(out, entry, sizeof entry);
    buf_add(out, part->text.data, part->text.count);
    static const char zeros[16];
    buf_add(out, zeros, padded - part->text.count);
}

void fatbin_write(Buf *out, const FatbinPtx *parts, size_t count)
{
    unsigned char head[HEADER] = {0};
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i)
        bytes += ENTRY + padded_bytes(&parts[i]);
    put(head, FATBIN_MAGIC, 4);
    put(head + 4, 1, 2);
    put(head + 6, HEADER, 2);
    put(head + 8, bytes, 8);
    buf_add(out, head, sizeof head);
    for (size_t i = 0; i < count; ++i)
        write_entry(out, &parts[i]);
}
