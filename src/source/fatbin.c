/* SPDX-License-Identifier: Apache-2.0
 * Writes the fat binary container around PTX text. The layout is the one that nvcc's products
 * show: a 16-byte header, then entries of a 64-byte header and their (padded) payload. */
#include "source/source.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FATBIN_HEADER = 16, FATBIN_ENTRY = 64, FATBIN_PTX = 1 };
#define FATBIN_MAGIC 0xBA55ED50u

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

void source_fatbin(Buf *out, const char *ptx, size_t bytes, const char *arch)
{
    size_t padded = (bytes + 1 + 7) & ~(size_t)7; /* with the NUL that ends the text */
    unsigned char head[FATBIN_HEADER + FATBIN_ENTRY] = {0}, *entry = head + FATBIN_HEADER;
    int minor, major = version_of(ptx, bytes, &minor);
    put(head, FATBIN_MAGIC, 4);
    put(head + 4, 1, 2);
    put(head + 6, FATBIN_HEADER, 2);
    put(head + 8, FATBIN_ENTRY + padded, 8);
    put(entry, FATBIN_PTX, 2);
    put(entry + 2, 0x0101, 2);
    put(entry + 4, FATBIN_ENTRY, 4);
    put(entry + 8, padded, 8);
    put(entry + 0x18, (uint64_t)minor, 2);
    put(entry + 0x1a, (uint64_t)major, 2);
    put(entry + 0x1c, (uint64_t)strtol(arch + 3, NULL, 10), 4);
    put(entry + 0x28, 0x11, 8); /* 64-bit, Linux host */
    put(entry + 0x38, 0, 8);    /* not compressed */
    buf_add(out, head, sizeof head);
    buf_add(out, ptx, bytes);
    static const char zeros[16];
    buf_add(out, zeros, padded - bytes);
}

static const char *const architectures[] = {"sm_50", "sm_52", "sm_53", "sm_60", "sm_61",
                                            "sm_62", "sm_70", "sm_72", "sm_75", "sm_80",
                                            "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a"};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

const char *source_arch_name(int i)
{
    return i >= 0 && i < ARCHITECTURES ? architectures[i] : NULL;
}

const char *source_arch(const char *text)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_", ""};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; ++p) {
        size_t length = strlen(prefixes[p]);
        if (strncmp(text, prefixes[p], length) != 0)
            continue;
        for (int k = 0; k < ARCHITECTURES; ++k)
            if (strcmp(text + length, architectures[k] + 3) == 0)
                return architectures[k];
        /* Newer than this clang knows: the newest PTX it can write runs there as well. */
        long number = strtol(text + length, NULL, 10);
        if (number >= 100 && number < 200)
            return "sm_90";
    }
    return NULL;
}
