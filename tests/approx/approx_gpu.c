/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate instructions on a device, point by point against the reference: all 2^32 operands
 * of each f32 form, all 65536 of the half forms, 2^32 scattered ones of the others.
 *
 *   approx_gpu [--device gpu|cpu] [--points N] [--dump DIR] [FORM...]
 *
 * Prints a row for each form (points, differences) and, for some chunks of 2^24, rows `range FORM
 * FIRST COUNT HASH` as tests/golden/approx-*.txt holds them. --dump writes up to 2^20 differing
 * points of each form as operand, operand, result in 64-bit words. Exit status 1 when any differ.
 */
#include "forms.h"

#include "gpukit/gpukit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 1 << 24, MOST_THREADS = 16, BLOCK = 256, KEPT = 1 << 20 };

static GpukitContext *context;
static GpukitKernel *kernel;
static const ApproxForm *form;
static uint64_t points = UINT64_C(1) << 32;
static _Atomic uint64_t next_chunk, differing, kept_count;
static uint64_t (*kept)[3];
static const uint8_t shown_chunks[] = {0x00, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f, 0x40, 0x41, 0xbf, 0xc2};
static uint64_t hashes[sizeof shown_chunks];

static void need(GpukitStatus status)
{
    if (!status)
        return;
    fprintf(stderr, "approx_gpu: error %d: %s\n", status, gpukit_error_text(context));
    exit(3);
}

static uint64_t element(const void *array, uint32_t i)
{
    uint16_t half;
    uint32_t word;
    uint64_t all;
    switch (form->bits) {
    case 16:
        memcpy(&half, (const char *)array + (size_t)i * 2, sizeof half);
        return half;
    case 32:
        memcpy(&word, (const char *)array + (size_t)i * 4, sizeof word);
        return word;
    default:
        memcpy(&all, (const char *)array + (size_t)i * 8, sizeof all);
        return all;
    }
}

static void *checked(void *unused)
{
    (void)unused;
    size_t width = form->bits / 8, count = points < CHUNK ? points : CHUNK;
    void *host[3], *device[3];
    for (int k = 0; k < 3; ++k) {
        need(gpukit_alloc(context, GPUKIT_PINNED_MEMORY, count * width, &host[k]));
        need(gpukit_alloc(context, GPUKIT_DEVICE_MEMORY, count * width, &device[k]));
    }
    GpukitStream *stream;
    need(gpukit_stream_new(context, &stream));
    for (;;) {
        uint64_t chunk = atomic_fetch_add(&next_chunk, 1), first = chunk * CHUNK;
        if (first >= points)
            break;
        for (unsigned k = 0; k < form->args; ++k) {
            for (uint32_t i = 0; i < count; ++i) {
                uint64_t x = approx_operand(form, k, (uint32_t)first + i);
                memcpy((char *)host[k] + i * width, &x, width); /* little-endian */
            }
            need(gpukit_copy_async(stream, device[k], host[k], count * width));
        }
        const uint32_t grid[3] = {(uint32_t)count / BLOCK, 1, 1}, block[3] = {BLOCK, 1, 1};
        void *arguments[3] = {&device[0], &device[form->args - 1], &device[2]};
        need(gpukit_launch(stream, kernel, grid, block, 0, arguments));
        need(gpukit_copy_async(stream, host[2], device[2], count * width));
        need(gpukit_stream_wait(stream));
        uint64_t hash = 14695981039346656037u, wrong = 0;
        for (uint32_t i = 0; i < count; ++i) {
            uint64_t a = approx_operand(form, 0, (uint32_t)first + i),
                     b = form->args > 1 ? approx_operand(form, 1, (uint32_t)first + i) : 0,
                     got = element(host[2], i);
            hash = (hash ^ got) * 1099511628211u;
            if (got == approx_reference(form, a, b))
                continue;
            uint64_t at = wrong++ < KEPT / 256 ? atomic_fetch_add(&kept_count, 1) : KEPT;
            if (at < KEPT) {
                kept[at][0] = a;
                kept[at][1] = b;
                kept[at][2] = got;
            }
        }
        differing += wrong;
        for (size_t k = 0; k < sizeof shown_chunks; ++k)
            if (shown_chunks[k] == chunk)
                hashes[k] = hash;
    }
    gpukit_stream_free(stream);
    for (int k = 0; k < 3; ++k) {
        gpukit_free(context, host[k]);
        gpukit_free(context, device[k]);
    }
    return NULL;
}

static void show(const char *dump)
{
    uint64_t count = points;
    printf("form %s %llu points, %llu differ\n", form->text, (unsigned long long)count,
           (unsigned long long)differing);
    for (size_t k = 0; k < sizeof shown_chunks; ++k)
        if ((uint64_t)shown_chunks[k] * CHUNK < points)
            printf("range %s %08x %u %016llx\n", form->text, shown_chunks[k] * CHUNK,
                   count < CHUNK ? (unsigned)count : CHUNK, (unsigned long long)hashes[k]);
    uint64_t n = kept_count < KEPT ? kept_count : KEPT;
    for (uint64_t i = 0; i < n && i < 8; ++i)
        printf("differs %s %llx %llx: %llx, reference %llx\n", form->text,
               (unsigned long long)kept[i][0], (unsigned long long)kept[i][1],
               (unsigned long long)kept[i][2],
               (unsigned long long)approx_reference(form, kept[i][0], kept[i][1]));
    if (dump && n) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.bin", dump, form->text);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(kept, sizeof *kept, n, file) != n || fclose(file))
            perror(path);
    }
    fflush(stdout);
}

static bool check(const char *dump)
{
    uint64_t all = points;
    if (form->bits == 16 && points > 65536)
        points = 65536;
    next_chunk = differing = kept_count = 0;
    memset(hashes, 0, sizeof hashes);
    pthread_t threads[MOST_THREADS];
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count > MOST_THREADS)
        count = MOST_THREADS;
    for (long i = 0; i < count; ++i)
        pthread_create(&threads[i], NULL, checked, NULL);
    for (long i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    show(dump);
    points = all;
    return differing == 0;
}

int main(int argc, char **argv)
{
    const char *device = "gpu", *dump = NULL;
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        if (strcmp(argv[first], "--device") == 0)
            device = argv[first + 1];
        else if (strcmp(argv[first], "--dump") == 0)
            dump = argv[first + 1];
        else if (strcmp(argv[first], "--points") == 0)
            points = strtoull(argv[first + 1], NULL, 0) & ~(uint64_t)(BLOCK - 1);
    }
    if (points > CHUNK)
        points &= ~(uint64_t)(CHUNK - 1);
    char text[APPROX_FORMS * 1024] = ".version 7.8\n.target sm_90\n.address_size 64\n";
    size_t at = strlen(text);
    for (unsigned i = 0; i < APPROX_FORMS; ++i)
        at += (size_t)snprintf(text + at, sizeof text - at, APPROX_KERNEL("k", "%%t"),
                               APPROX_KERNEL_ARGUMENTS(i, &approx_forms[i]));
    GpukitModule *module;
    GpukitDeviceInfo info = {.struct_bytes = sizeof info};
    need(gpukit_open(device, &context));
    need(gpukit_device_info(context, &info));
    need(gpukit_module_load(context, text, at, &module));
    printf("device %s\n", info.name);
    kept = calloc(KEPT, sizeof *kept);
    bool same = kept != NULL;
    for (unsigned i = 0; i < APPROX_FORMS; ++i) {
        bool chosen = first >= argc;
        for (int a = first; a < argc; ++a)
            chosen |= strcmp(argv[a], approx_forms[i].text) == 0;
        char name[16];
        snprintf(name, sizeof name, "k%u", i);
        form = &approx_forms[i];
        if (!chosen)
            continue;
        need(gpukit_module_kernel(module, name, &kernel));
        same &= check(dump);
    }
    free(kept);
    gpukit_module_free(module);
    gpukit_close(context);
    return same ? 0 : 1;
}
