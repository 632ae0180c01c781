/* SPDX-License-Identifier: Apache-2.0
 * Fat binaries: raw, LZ4 and zstd entries, choice of the PTX, clear errors, and a mutation fuzz. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/fatbin.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { RAW, LZ4, ZSTD };

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    memcpy(at, &value, bytes);
}

/* Appends one entry; returns its end. */
static uint8_t *entry(uint8_t *at, unsigned kind, unsigned sm, int packing, const char *text)
{
    size_t raw = strlen(text), packed = raw;
    uint8_t *payload = at + 72;
    memset(at, 0, 72);
    if (packing == LZ4)
        packed = (size_t)LZ4_compress_default(text, (char *)payload, (int)raw, 4096);
    else if (packing == ZSTD)
        packed = ZSTD_compress(payload, 4096, text, raw, 3);
    else
        memcpy(payload, text, raw);
    size_t padded = (packed + 7) / 8 * 8;
    memset(payload + packed, 0, padded - packed);
    put(at, kind, 2);
    put(at + 4, 72, 4);
    put(at + 8, padded, 8);
    put(at + 0x10, packing == RAW ? 0 : packed, 4);
    put(at + 0x18, 0, 2);
    put(at + 0x1a, 8, 2);
    put(at + 0x1c, sm, 4);
    put(at + 0x28, packing == LZ4 ? 0x2000 : packing == ZSTD ? 0x8000 : 0, 8);
    put(at + 0x38, packing == RAW ? 0 : raw, 8);
    return payload + padded;
}

static size_t finish(uint8_t *image, const uint8_t *end)
{
    put(image, 0xba55ed50, 4);
    put(image + 4, 1, 2);
    put(image + 6, 16, 2);
    put(image + 8, (uint64_t)(end - image - 16), 8);
    return (size_t)(end - image);
}

static char why[512];

static void expect(const void *image, size_t bytes, int cc, const char *text, int sm)
{
    FatPtx ptx;
    assert_int_equal(fatbin_ptx(image, bytes, cc, &ptx, why, sizeof why), FATBIN_OK);
    assert_int_equal(ptx.bytes, strlen(text));
    assert_memory_equal(ptx.text, text, ptx.bytes);
    assert_int_equal(ptx.sm, sm);
    fatbin_ptx_free(&ptx);
}

static const char ptx50[] = ".version 8.0 .target sm_50 // the oldest of them";
static const char ptx80[] = ".version 8.0 .target sm_80 // aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char ptx90[] = ".version 8.0 .target sm_90 // bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

static void test_choice(void **state)
{
    (void)state;
    static uint8_t image[16384];
    for (int packing = RAW; packing <= ZSTD; packing++) {
        uint8_t *at = image + 16;
        at = entry(at, 2, 80, RAW, "\177ELF machine code");
        at = entry(at, 1, 80, packing, ptx80);
        at = entry(at, 1, 50, packing, ptx50);
        at = entry(at, 1, 90, packing, ptx90);
        size_t bytes = finish(image, at);
        expect(image, bytes, 90, ptx90, 90);
        expect(image, bytes, 100, ptx90, 90);
        expect(image, bytes, 89, ptx80, 80);
        expect(image, bytes, 75, ptx50, 50);
        expect(image, bytes, 30, ptx50, 50);
        struct {
            uint32_t magic, version;
            const void *data, *unused;
        } wrapper = {0x466243b1, 1, image, NULL};
        expect(&wrapper, SIZE_MAX, 90, ptx90, 90);
        FatPtx ptx;
        assert_int_equal(fatbin_ptx(image, bytes - 1, 90, &ptx, why, sizeof why), FATBIN_BROKEN);
    }
    expect("\n\n  .version 8.0\n", 17, 80, ".version 8.0\n", 0);
}

static void test_errors(void **state)
{
    (void)state;
    static uint8_t image[4096];
    FatPtx ptx;
    size_t bytes = finish(image, entry(image + 16, 2, 90, RAW, "\177ELF machine code"));
    assert_int_equal(fatbin_ptx(image, bytes, 90, &ptx, why, sizeof why), FATBIN_NO_PTX);
    assert_non_null(strstr(why, "sm_90"));
    assert_non_null(strstr(why, "compute_90"));
    assert_int_equal(fatbin_ptx("\177ELF", 4, 90, &ptx, why, sizeof why), FATBIN_NO_PTX);
    assert_int_equal(fatbin_ptx("\1\2\3\4\5\6", 6, 90, &ptx, why, sizeof why), FATBIN_BROKEN);
    assert_int_equal(fatbin_ptx("", 0, 90, &ptx, why, sizeof why), FATBIN_BROKEN);
    bytes = finish(image, entry(image + 16, 1, 90, ZSTD, ptx90));
    put(image + 16 + 0x38, (uint64_t)1 << 40, 8); /* a bomb */
    assert_int_equal(fatbin_ptx(image, bytes, 90, &ptx, why, sizeof why), FATBIN_BROKEN);
}

/* Damaged images give an error or some text, and never read outside. */
static void test_fuzz(void **state)
{
    (void)state;
    uint8_t whole[8192];
    uint64_t seed = 99;
    int good = 0;
    for (int turn = 0; turn < 60000; turn++) {
        uint8_t *at = whole + 16;
        at = entry(at, 2, 80, RAW, "\177ELF machine code");
        at = entry(at, 1, 80, turn % 3, ptx80);
        at = entry(at, 1, 90, (turn + 1) % 3, ptx90);
        size_t bytes = finish(whole, at);
        for (int i = 0; i < 1 + turn % 4; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t where = (seed >> 33) % bytes;
            static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
            whole[where] = seed >> 60 ? values[(seed >> 20) % 5] : (uint8_t)(seed >> 12);
        }
        if (turn % 5 == 0)
            bytes = (seed >> 40) % bytes + 1;
        uint8_t *copy = malloc(bytes); /* an own block, so that sanitizers see strays */
        memcpy(copy, whole, bytes);
        FatPtx ptx;
        if (fatbin_ptx(copy, bytes, 90, &ptx, why, sizeof why) == FATBIN_OK) {
            volatile char sum = 0;
            for (size_t i = 0; i < ptx.bytes; i++)
                sum = (char)(sum + ptx.text[i]);
            good++;
            fatbin_ptx_free(&ptx);
        }
        free(copy);
    }
    assert_true(good > 1000 && good < 60000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_fuzz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
