/* SPDX-License-Identifier: Apache-2.0
 * Processor: model, cores, SIMD level, caches, NUMA nodes. From /proc/cpuinfo and sysfs. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of the first "name : value" line, or NULL. */
static const char *field(Arena *arena, const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line && *line;) {
        size_t bytes = strcspn(line, "\n");
        if (strncmp(line, name, length) == 0 &&
            line[length + strspn(line + length, " \t")] == ':') {
            const char *value = memchr(line, ':', bytes);
            value += 1 + strspn(value + 1, " \t");
            return value > line + bytes
                       ? ""
                       : arena_strndup(arena, value, (size_t)(line + bytes - value));
        }
        line += bytes + (line[bytes] == '\n');
    }
    return NULL;
}

static bool has_flag(const char *flags, const char *flag)
{
    size_t length = strlen(flag);
    for (const char *at = flags; (at = strstr(at, flag)); at += length)
        if ((at == flags || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

static const struct {
    const char *flag, *text;
    bool level; /* the highest level found is named; the others are listed as extras */
} simd_flags[] = {
    {"avx512f", "AVX-512", true},   {"avx2", "AVX2", true},         {"avx", "AVX", true},
    {"sse4_2", "SSE4.2", true},     {"sse2", "SSE2", true},         {"sve2", "SVE2", true},
    {"sve", "SVE", true},           {"asimd", "NEON", true},        {"avx512_bf16", "BF16", false},
    {"avx512_fp16", "FP16", false}, {"avx512_vnni", "VNNI", false}, {"amx_tile", "AMX", false},
    {"fma", "FMA", false},
};

static const char *simd(Arena *arena, const char *flags)
{
    Buf text = {0};
    bool have_level = false;
    for (size_t i = 0; i < sizeof simd_flags / sizeof *simd_flags; ++i) {
        if (!has_flag(flags, simd_flags[i].flag) || (simd_flags[i].level && have_level))
            continue;
        have_level |= simd_flags[i].level;
        buf_printf(&text, "%s%s", text.count ? " " : "", simd_flags[i].text);
    }
    const char *copy = arena_strdup(arena, text.count ? buf_text(&text) : "no SIMD known");
    buf_free(&text);
    return copy;
}

static const char *caches(Doctor *doctor)
{
    const char *folder = "/sys/devices/system/cpu/cpu0/cache";
    Names names = machine_list(doctor->machine, folder, "index*");
    Buf text = {0};
    for (size_t i = 0; i < names.count; ++i) {
        const char *level = machine_readf(doctor->machine, "%s/%s/level", folder, names.items[i]);
        const char *type = machine_readf(doctor->machine, "%s/%s/type", folder, names.items[i]);
        const char *size = machine_readf(doctor->machine, "%s/%s/size", folder, names.items[i]);
        if (!level || !type || !size || strcmp(type, "Instruction") == 0)
            continue;
        long kib = strtol(size, NULL, 10);
        buf_printf(&text, "%sL%s ", text.count ? ", " : "", level);
        buf_printf(&text, kib % 1024 ? "%ld KiB" : "%ld MiB", kib % 1024 ? kib : kib / 1024);
    }
    const char *copy = text.count ? arena_strdup(doctor->arena, buf_text(&text)) : NULL;
    buf_free(&text);
    return copy;
}

void probe_cpu(Doctor *doctor)
{
    const char *info = machine_read(doctor->machine, "/proc/cpuinfo");
    if (!info)
        info = "";
    Arena *arena = doctor->arena;
    doctor->cpu.model = field(arena, info, "model name");
    const char *flags = field(arena, info, "flags");
    if (!flags)
        flags = field(arena, info, "Features");
    doctor->cpu.simd = simd(arena, flags ? flags : "");
    doctor->cpu.caches = caches(doctor);

    Map sockets = {0};
    for (const char *at = info; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        if (strncmp(at, "processor", 9) == 0)
            doctor->cpu.threads++;
        if (strncmp(at, "physical id", 11) == 0)
            map_set(&sockets, arena_strndup(arena, at, strcspn(at, "\n")), doctor);
    }
    doctor->cpu.sockets = sockets.count ? (int)sockets.count : 1;
    map_free(&sockets);
    const char *per_socket = field(arena, info, "cpu cores");
    doctor->cpu.cores = per_socket ? atoi(per_socket) * doctor->cpu.sockets : doctor->cpu.threads;
    /* Virtual machines may claim more cores than they have processors. */
    if (doctor->cpu.cores > doctor->cpu.threads || doctor->cpu.cores < 1)
        doctor->cpu.cores = doctor->cpu.threads;
    Names nodes = machine_list(doctor->machine, "/sys/devices/system/node", "node[0-9]*");
    doctor->cpu.nodes = (int)nodes.count;
}
