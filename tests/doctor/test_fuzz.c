/* SPDX-License-Identifier: Apache-2.0
 * Damaged input: programs, fat binaries, loader caches and the files of /proc and /sys with bytes
 * changed, cut and repeated. Nothing may crash or read out of bounds (run it under the address
 * sanitizer); the same seed gives the same inputs. */
#include "image.h"
#include "base/fs.h"
#include "doctor/doctor.h"
#include "source/fatbin.h"
#include "doctor/codes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FOLDER BUILD_DIR "/tests/doctor/images/fuzz"

static uint64_t state = 20261201;

static uint32_t next(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static size_t mutate(unsigned char *bytes, size_t count)
{
    static const unsigned char odd[] = {0, 1, 0x7f, 0x80, 0xff, '\n', '=', '(', ':', '9', '-'};
    for (uint32_t n = 1 + next(6); n > 0 && count; --n)
        switch (next(4)) {
        case 0:
            bytes[next((uint32_t)count)] = odd[next(sizeof odd)];
            break;
        case 1:
            bytes[next((uint32_t)count)] ^= (unsigned char)(1u << next(8));
            break;
        case 2: { /* a run of the same byte */
            size_t at = next((uint32_t)count), run = 1 + next(8);
            memset(bytes + at, odd[next(sizeof odd)], at + run > count ? count - at : run);
            break;
        }
        default:
            if (next(4) == 0)
                count = next((uint32_t)count + 1);
        }
    return count;
}

static void write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void build(const char *base)
{
    Image image = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/tests/doctor/base/%s.img", SOURCE_DIR, base);
    fs_mkdirs(BUILD_DIR "/tests/doctor/images", 0755);
    remove_tree(FOLDER);
    image_load(&image, path, NULL);
    image_write(&image, FOLDER);
    image_free(&image);
}

static void count_code(const FatbinEntry *code, void *context)
{
    assert_true(code->arch > 0 && code->arch < 1000);
    assert_true(code->ptx_version >= 0 && code->ptx_version < 1000);
    *(int *)context += 1;
}

static void test_fat_binaries(void **cmocka)
{
    (void)cmocka;
    Arena *arena = arena_new();
    Buf elf = {0};
    image_elf(arena, &elf, "libc.so.6", NULL, "sm_90a,sm_80,compute_90@9.0,compute_100f@9.0");
    int found = 0;
    assert_int_equal(fatbin_scan(elf.data, elf.count & ~7u, count_code, &found), 4);
    for (int i = 0; i < 10000; ++i) {
        /* An exact copy, so that the sanitizer sees one byte too far. */
        unsigned char *copy = malloc(elf.count);
        memcpy(copy, elf.data, elf.count);
        size_t count = mutate(copy, elf.count);
        unsigned char *exact = malloc(count ? count : 1);
        memcpy(exact, copy, count);
        fatbin_scan(exact, count, count_code, &found);
        free(exact);
        free(copy);
    }
    buf_free(&elf);
    arena_free(arena);
}

static void test_programs(void **cmocka)
{
    (void)cmocka;
    build("host");
    Arena *arena = arena_new();
    Buf elf = {0};
    image_elf(arena, &elf, "libc.so.6,libcudart.so.13,libcuda.so.1",
              "$ORIGIN:/usr/lib/x86_64-linux-gnu", "sm_90a,compute_90@9.0");
    int accepted = 0;
    for (int i = 0; i < 1200; ++i) {
        unsigned char *copy = malloc(elf.count);
        memcpy(copy, elf.data, elf.count);
        size_t count = i ? mutate(copy, elf.count) : elf.count;
        write_bytes(FOLDER "/program", copy, count);
        free(copy);
        Machine machine;
        Doctor doctor;
        machine_init(&machine, FOLDER);
        doctor_init(&doctor, &machine);
        const char *problem = NULL;
        bool good = program_inspect(&doctor, FOLDER "/program", &problem);
        assert_true(good || problem);
        accepted += good;
        if (good)
            free(report_json(&doctor));
        program_fini(&doctor);
        doctor_fini(&doctor);
        machine_fini(&machine);
    }
    assert_true(accepted > 100 && accepted < 1200);
    buf_free(&elf);
    arena_free(arena);
}

/* A valid cache with one entry, as ldconfig writes it. */
static size_t loader_cache(unsigned char *out)
{
    static const char strings[] = "libx.so.1\0/usr/lib/libx.so.1";
    memset(out, 0, 256);
    memcpy(out, "glibc-ld.so.cache1.1", 20);
    out[20] = 1;
    out[24] = sizeof strings;
#if defined(__aarch64__)
    out[48] = 0x03, out[49] = 0x0a;
#else
    out[48] = 0x03, out[49] = 0x03;
#endif
    out[52] = 72;
    out[56] = 72 + 10;
    memcpy(out + 72, strings, sizeof strings);
    return 72 + sizeof strings;
}

static void test_loader_cache(void **cmocka)
{
    (void)cmocka;
    build("host");
    unsigned char cache[256];
    write_bytes(FOLDER "/usr/lib/libx.so.1", "x", 1);
    for (int i = 0; i < 1000; ++i) {
        size_t count = loader_cache(cache);
        write_bytes(FOLDER "/etc/ld.so.cache", cache, i ? mutate(cache, count) : count);
        Machine machine;
        machine_init(&machine, FOLDER);
        const char *path = machine_library(&machine, "libx.so.1", NULL);
        if (i == 0)
            assert_string_equal(path, "/usr/lib/libx.so.1");
        machine_library(&machine, "liby.so.1", NULL);
        machine_fini(&machine);
    }
}

static void test_machine_files(void **cmocka)
{
    (void)cmocka;
    static const char *const files[] = {"/proc/cpuinfo",
                                        "/proc/meminfo",
                                        "/proc/self/status",
                                        "/proc/self/environ",
                                        "/proc/version",
                                        "/etc/os-release",
                                        "/etc/ld.so.conf",
                                        "/dev/kmsg",
                                        "/dev/nvidiactl",
                                        "/proc/driver/nvidia/version",
                                        "/proc/driver/nvidia/params",
                                        "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/device",
                                        "/usr/local/cuda-13.0/include/crt/host_config.h",
                                        "/usr/local/cuda-13.0/include/cuda_runtime_api.h",
                                        "/proc/devices"};
    build("server");
    /* The driver libraries are left out: a child process each would cost seconds. */
    remove_tree(FOLDER "/usr/lib/x86_64-linux-gnu/libcuda.so.1");
    remove_tree(FOLDER "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1");
    for (int i = 0; i < 300; ++i) {
        const char *name = files[i % (sizeof files / sizeof *files)];
        char path[512];
        Buf old = {0};
        snprintf(path, sizeof path, "%s%s", FOLDER, name);
        assert_int_equal(fs_read(path, &old), 0);
        unsigned char *copy = malloc(old.count + 1);
        memcpy(copy, old.data, old.count);
        write_bytes(path, copy, mutate(copy, old.count));
        free(copy);
        Machine machine;
        Doctor doctor;
        machine_init(&machine, FOLDER);
        machine.recording = i % 3 == 0;
        doctor_init(&doctor, &machine);
        doctor_probe(&doctor);
        doctor_check(&doctor);
        char *json = report_json(&doctor);
        Buf image = {0};
        if (machine.recording)
            record_image(&doctor, &image);
        free(json);
        buf_free(&image);
        doctor_fini(&doctor);
        machine_fini(&machine);
        write_bytes(path, old.data, old.count);
        buf_free(&old);
    }
}

static void test_pasted_noise(void **cmocka)
{
    (void)cmocka;
    FILE *null = fopen("/dev/null", "w");
    for (int i = 0; i < 1000; ++i) {
        char text[128];
        const CudaCode *code = &cuda_codes[next((uint32_t)cuda_code_count)];
        snprintf(text, sizeof text, "Xid (PCI:0000:01:00): %u error %u %s", next(200), next(1000),
                 code->fragment ? code->fragment : "(");
        size_t count = mutate((unsigned char *)text, strlen(text));
        text[count] = 0;
        explain(text, null, i & 1);
    }
    fclose(null);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fat_binaries), cmocka_unit_test(test_programs),
        cmocka_unit_test(test_loader_cache), cmocka_unit_test(test_machine_files),
        cmocka_unit_test(test_pasted_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
