/* SPDX-License-Identifier: Apache-2.0
 * Reading fat binaries. Layout, as nvcc 13.0's products show it (little endian):
 *   container  u32 magic 0xBA55ED50, u16 version, u16 header bytes, u64 bytes that follow
 *   entry      +0 u16 kind (1 PTX, 2 machine code), +4 u32 header bytes, +8 u64 payload bytes,
 *              +16 u32 compressed bytes, +24 u16 minor, +26 u16 major (of PTX: its version),
 *              +28 u32 architecture, +40 u64 flags
 *   flags      0x2000 LZ4, 0x8000 zstd, 0x100000 architecture-specific (sm_90a),
 *              0x200000 family-specific (sm_100f) */
#include "doctor/fatbin.h"

#include <stdint.h>
#include <string.h>

#define FATBIN_MAGIC 0xBA55ED50u
enum {
    HEADER = 16,
    MAX_HEADER = 256,
    ENTRY = 48,
    KIND_PTX = 1,
    KIND_CODE = 2,
    FLAG_COMPRESSED = 0x2000 | 0x8000,
    FLAG_SPECIFIC = 0x100000,
    FLAG_FAMILY = 0x200000,
    MAX_ARCH = 999
};

static uint64_t get(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static bool read_entry(const unsigned char *at, FatbinCode *code)
{
    uint64_t kind = get(at, 2), arch = get(at + 28, 4), flags = get(at + 40, 8);
    if ((kind != KIND_PTX && kind != KIND_CODE) || arch == 0 || arch > MAX_ARCH)
        return false;
    memset(code, 0, sizeof *code);
    code->ptx = kind == KIND_PTX;
    code->arch = (int)arch;
    code->suffix = flags & FLAG_SPECIFIC ? 'a' : flags & FLAG_FAMILY ? 'f' : 0;
    code->compressed = flags & FLAG_COMPRESSED;
    uint64_t minor = get(at + 24, 2), major = get(at + 26, 2);
    if (code->ptx && major < 100 && minor < 10)
        code->ptx_version = (int)(major * 10 + minor);
    return true;
}

size_t fatbin_scan(const void *bytes, size_t count, void (*found)(const FatbinCode *, void *),
                   void *context)
{
    const unsigned char *data = bytes;
    size_t entries = 0, at = 0;
    while (at + HEADER <= count) {
        if (get(data + at, 4) != FATBIN_MAGIC) {
            at += 4; /* aligned to 8 in memory, but a section may start in between */
            continue;
        }
        uint64_t version = get(data + at + 4, 2), head = get(data + at + 6, 2);
        uint64_t body = get(data + at + 8, 8);
        if (version != 1 || head < HEADER || head > MAX_HEADER || body > count ||
            at + head + body > count) {
            at += 4;
            continue;
        }
        size_t entry = at + (size_t)head, end = entry + (size_t)body;
        while (entry + ENTRY <= end) {
            uint64_t size = get(data + entry + 4, 4), payload = get(data + entry + 8, 8);
            FatbinCode code;
            if (size < ENTRY || size > end - entry || payload > end - entry - size)
                break;
            if (read_entry(data + entry, &code)) {
                found(&code, context);
                entries++;
            }
            entry += (size_t)(size + payload);
        }
        at = (end + 3) & ~(size_t)3;
    }
    return entries;
}
