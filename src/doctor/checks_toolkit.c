/* SPDX-License-Identifier: Apache-2.0
 * Checks D16 to D24: toolkits, host compilers, libraries. Those about one program (D20, D23) are
 * made in program.c, when a program is given. */
#include "doctor/checks.h"
#include "doctor/codes.h"

#include <stdlib.h>
#include <string.h>

static const Toolkit *first_with_nvcc(const Doctor *doctor)
{
    for (size_t i = 0; i < doctor->toolkits.count; ++i)
        if (doctor->toolkits.items[i].nvcc)
            return &doctor->toolkits.items[i];
    return NULL;
}

static bool found_by(const Toolkit *kit, const char *how)
{
    size_t length = strlen(how);
    for (const char *at = kit->found_by; (at = strstr(at, how)); at += length)
        if ((at == kit->found_by || at[-1] == ' ') && (at[length] == ',' || at[length] == 0))
            return true;
    return false;
}

void check_D16(Doctor *doctor)
{
    const Toolkit *kit = first_with_nvcc(doctor);
    if (!kit || machine_which(doctor->machine, "nvcc"))
        return;
    const char *path = machine_env(doctor->machine, "PATH");
    Finding *finding =
        finding_add(doctor, CHECK_D16, "%s exists, PATH does not name its folder.", kit->nvcc);
    finding_evidence(doctor, finding, kit->nvcc, "CUDA %d.%d", kit->major, kit->minor);
    finding_evidence(doctor, finding, "$PATH", "%s", path ? path : "(unset)");
    finding_fix(doctor, finding, "export PATH=%s/bin:$PATH", kit->folder);
}

void check_D17(Doctor *doctor)
{
    static const char *const ways[] = {"CUDA_HOME", "CUDA_PATH", "conda", "/usr/local/cuda"};
    const Toolkit *chosen = NULL, *other = NULL;
    const char *how = NULL;
    for (size_t i = 0; i < doctor->toolkits.count && !chosen; ++i)
        if (found_by(&doctor->toolkits.items[i], "PATH"))
            chosen = &doctor->toolkits.items[i];
    for (size_t w = 0; chosen && w < 4 && !other; ++w)
        for (size_t i = 0; i < doctor->toolkits.count && !other; ++i) {
            const Toolkit *kit = &doctor->toolkits.items[i];
            bool same = kit->major == chosen->major && kit->minor == chosen->minor;
            if (kit != chosen && !same && kit->major && found_by(kit, ways[w]))
                other = kit, how = ways[w];
        }
    if (!other)
        return;
    Finding *finding =
        finding_add(doctor, CHECK_D17, "nvcc on PATH is CUDA %d.%d, %s is CUDA %d.%d.",
                    chosen->major, chosen->minor, how, other->major, other->minor);
    for (size_t i = 0; i < doctor->toolkits.count; ++i) {
        const Toolkit *kit = &doctor->toolkits.items[i];
        finding_evidence(doctor, finding, kit->folder, "CUDA %d.%d, found by %s", kit->major,
                         kit->minor, kit->found_by);
    }
    finding_fix(
        doctor, finding,
        "export CUDA_HOME=%s PATH=%s/bin:$PATH\n# or, for the other one: export CUDA_HOME=%s "
        "PATH=%s/bin:$PATH",
        chosen->folder, chosen->folder, other->folder, other->folder);
}

static const Compiler *host_compiler(const Doctor *doctor)
{
    const char *chosen = machine_env(doctor->machine, "NVCC_CCBIN");
    const Compiler *found = NULL;
    for (size_t i = 0; i < doctor->compilers.count; ++i) {
        const Compiler *one = &doctor->compilers.items[i];
        if (chosen && (strcmp(one->path, chosen) == 0 || strcmp(one->command, chosen) == 0))
            return one;
        bool standard = one->is_default && !one->clang;
        if (!found && standard)
            found = one;
    }
    return found;
}

void check_D18(Doctor *doctor)
{
    const Toolkit *kit = first_with_nvcc(doctor);
    const Compiler *host = host_compiler(doctor);
    if (!kit || !host || !host->major)
        return;
    int limit = host->clang ? kit->clang_limit : kit->gcc_limit;
    if (!limit || host->major <= limit)
        return;
    const Compiler *good = NULL;
    for (size_t i = 0; i < doctor->compilers.count; ++i) {
        const Compiler *one = &doctor->compilers.items[i];
        if (!one->clang && one->major && one->major <= kit->gcc_limit &&
            (!good || one->major > good->major))
            good = one;
    }
    Finding *finding = finding_add(
        doctor, CHECK_D18, "%s is version %d; CUDA %d.%d accepts %s up to %d.", host->path,
        host->major, kit->major, kit->minor, host->clang ? "clang" : "gcc", limit);
    finding_evidence(doctor, finding, kit->host_config,
                     host->clang ? "#if (__clang_major__ >= %d)" : "#if __GNUC__ > %d",
                     host->clang ? limit + 1 : limit);
    finding_evidence(doctor, finding, host->path, "version %d", host->major);
    if (good)
        finding_fix(doctor, finding,
                    "nvcc -ccbin %s ...\n# or for every build: export NVCC_CCBIN=%s", good->command,
                    good->path);
    else
        finding_fix(doctor, finding, "{install} g++-%d\nexport NVCC_CCBIN=g++-%d", kit->gcc_limit,
                    kit->gcc_limit);
}

void check_D19(Doctor *doctor)
{
    const Toolkit *kit = first_with_nvcc(doctor);
    bool new_libc =
        doctor->glibc_major > 2 || (doctor->glibc_major == 2 && doctor->glibc_minor >= 41);
    if (!kit || !new_libc || !kit->plain_cospi)
        return;
    Finding *finding =
        finding_add(doctor, CHECK_D19, "glibc is %d.%d, the toolkit is CUDA %d.%d.",
                    doctor->glibc_major, doctor->glibc_minor, kit->major, kit->minor);
    finding_evidence(doctor, finding,
                     arena_printf(doctor->arena, "%s/include/crt/math_functions.h", kit->folder),
                     "cospi without an exception specification");
    finding_evidence(doctor, finding, "libc.so.6", "version %d.%d", doctor->glibc_major,
                     doctor->glibc_minor);
}

void check_D20(Doctor *doctor)
{
    (void)doctor; /* needs a program: program.c */
}

static const struct {
    int toolkit, oldest; /* compute capability times ten */
    const char *last;
} dropped[] = {{13, 75, "12.9"}, {12, 50, "11.8"}, {11, 35, "10.2"}};

void check_D21(Doctor *doctor)
{
    const Toolkit *kit = first_with_nvcc(doctor);
    for (size_t i = 0; kit && i < sizeof dropped / sizeof *dropped; ++i) {
        if (kit->major != dropped[i].toolkit)
            continue;
        for (int g = 0; g < doctor->nvml_count; ++g) {
            const char *text = kv_text(&doctor->nvml, "%d.cc", g);
            int cc = text && strchr(text, '.') ? atoi(text) * 10 + atoi(strchr(text, '.') + 1) : 0;
            if (!cc || cc >= dropped[i].oldest)
                continue;
            const char *name = kv_text(&doctor->nvml, "%d.name", g);
            Finding *finding = finding_add(
                doctor, CHECK_D21, "%s has compute capability %s; CUDA %d.%d starts at %d.%d.",
                name ? name : "The card", text, kit->major, kit->minor, dropped[i].oldest / 10,
                dropped[i].oldest % 10);
            finding_evidence(doctor, finding, "libnvidia-ml.so.1", "compute capability %s", text);
            finding_evidence(doctor, finding, kit->folder, "CUDA %d.%d", kit->major, kit->minor);
            finding_fix(doctor, finding,
                        "# CUDA %s is the last toolkit for this card:\n"
                        "# https://developer.nvidia.com/cuda-toolkit-archive\n"
                        "export PATH=/usr/local/cuda-%s/bin:$PATH",
                        dropped[i].last, dropped[i].last);
            return;
        }
    }
}

void check_D22(Doctor *doctor)
{
    const char *path = kv_text(&doctor->cuda, "path");
    const char *real = path ? machine_real(doctor->machine, path) : NULL;
    bool stub = (path && strstr(path, "/stubs/")) || (real && strstr(real, "/stubs/"));
    const char *variable = machine_env(doctor->machine, "LD_LIBRARY_PATH");
    if (!stub && doctor->cuda_init != 34) {
        /* Programs that open the unversioned name get the stub through this variable. */
        Names folders = split(doctor->arena, variable ? variable : "", ':');
        for (size_t i = 0; i < folders.count; ++i) {
            const char *file = arena_printf(doctor->arena, "%s/libcuda.so", folders.items[i]);
            if (!strstr(folders.items[i], "stubs") || !machine_exists(doctor->machine, file))
                continue;
            Finding *finding =
                finding_add(doctor, CHECK_D22,
                            "LD_LIBRARY_PATH names a stubs folder: programs that open "
                            "\"libcuda.so\" get the stub.");
            finding->severity = DIAG_WARNING;
            finding_evidence(doctor, finding, "$LD_LIBRARY_PATH", "%s", folders.items[i]);
            return;
        }
        return;
    }
    Finding *finding = finding_add(doctor, CHECK_D22, "libcuda.so.1 comes from %s.",
                                   real   ? real
                                   : path ? path
                                          : "a stub");
    finding_evidence(doctor, finding, "libcuda.so.1", "loaded from %s", path ? path : "?");
    evidence_init(doctor, finding);
    if (variable)
        finding_evidence(doctor, finding, "$LD_LIBRARY_PATH", "%s", variable);
}

void check_D23(Doctor *doctor)
{
    (void)doctor; /* needs a program: program.c */
}

void check_D24(Doctor *doctor)
{
    const Toolkit *kit = first_with_nvcc(doctor);
    if (!kit || !kit->missing)
        return;
    Finding *finding = finding_add(doctor, CHECK_D24, "%s lacks: %s.", kit->folder, kit->missing);
    Names names = split(doctor->arena, kit->missing, ' ');
    for (size_t i = 0; i < names.count; ++i)
        finding_evidence(doctor, finding, kit->folder, "no %s", names.items[i]);
    if (strstr(kit->folder, "site-packages"))
        finding_fix(doctor, finding,
                    "# this nvcc came from pip: it needs these beside it\n"
                    "pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime");
}
