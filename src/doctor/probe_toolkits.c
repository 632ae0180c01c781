/* SPDX-License-Identifier: Apache-2.0
 * CUDA toolkits: every place where one usually lies, which one a build would take, what is
 * missing in it, and the newest host compiler that its own headers accept. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_LIMIT = 512 << 10, SCRIPT_LIMIT = 4096 };

/* Value of "#define NAME 123" in text; 0 when absent. */
static int defined(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; at && (at = strstr(at, name)); at += length) {
        const char *before = at;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            --before;
        if (before - text >= 6 && strncmp(before - 6, "define", 6) == 0 &&
            strchr(" \t", at[length]))
            return atoi(at + length);
    }
    return 0;
}

static const char *head(Doctor *doctor, const char *folder, const char *name)
{
    /* Only the lines that carry facts go into a recording, never a whole header. */
    size_t count;
    const char *path = arena_printf(doctor->arena, "%s/%s", folder, name);
    const char *text = machine_read_head(doctor->machine, path, HEADER_LIMIT, &count);
    if (!text || !doctor->machine->recording)
        return text;
    static const char *const keep[] = {"define CUDART_VERSION ",
                                       "define CUDA_VERSION ",
                                       "CUDNN_MAJOR ",
                                       "CUDNN_MINOR ",
                                       "CUDNN_PATCH",
                                       "NCCL_MAJOR ",
                                       "NCCL_MINOR ",
                                       "NCCL_PATCH ",
                                       "__GNUC__ >",
                                       "(__clang_major__ >=",
                                       " cospi(double"};
    Buf facts = {0};
    Names lines = split(doctor->arena, text, '\n');
    for (size_t i = 0; i < lines.count; ++i)
        for (size_t k = 0; k < sizeof keep / sizeof *keep; ++k)
            if (strstr(lines.items[i], keep[k]) && strlen(lines.items[i]) < 200) {
                buf_printf(&facts, "%s%s", facts.count ? "\n" : "", lines.items[i]);
                break;
            }
    machine_record(doctor->machine, 'f', machine_real(doctor->machine, path), buf_text(&facts));
    buf_free(&facts);
    return text;
}

static const char *first_head(Doctor *doctor, const char *folder, const char *const *names)
{
    for (; *names; ++names) {
        const char *text = head(doctor, folder, *names);
        if (text)
            return text;
    }
    return NULL;
}

static const char *three(Doctor *doctor, const char *text, const char *prefix, const char *patch)
{
    if (!text)
        return NULL;
    int numbers[3];
    const char *const ends[3] = {"_MAJOR", "_MINOR", patch};
    for (int i = 0; i < 3; ++i)
        numbers[i] = defined(text, arena_printf(doctor->arena, "%s%s", prefix, ends[i]));
    return numbers[0] ? arena_printf(doctor->arena, "%d.%d.%d", numbers[0], numbers[1], numbers[2])
                      : NULL;
}

/* "Cuda compilation tools, release 12.4, V12.4.131" */
static void version_from_text(const char *text, const char *mark, Toolkit *kit)
{
    const char *at = text ? strstr(text, mark) : NULL;
    if (at)
        sscanf(at + strlen(mark), "%d.%d", &kit->major, &kit->minor);
}

static void find_version(Doctor *doctor, Toolkit *kit, const char *include)
{
    static const char *const names[] = {"cuda_runtime_api.h", "cuda.h", NULL};
    const char *text = first_head(doctor, include, names);
    int packed = text ? defined(text, "CUDART_VERSION") : 0;
    if (!packed && text)
        packed = defined(text, "CUDA_VERSION");
    kit->major = packed / 1000;
    kit->minor = packed % 1000 / 10;
    if (!kit->major)
        version_from_text(machine_readf(doctor->machine, "%s/version.json", kit->folder),
                          "\"version\" : \"", kit);
    if (!kit->major)
        version_from_text(machine_readf(doctor->machine, "%s/version.txt", kit->folder),
                          "CUDA Version ", kit);
    if (!kit->major && kit->nvcc)
        version_from_text(machine_run(doctor->machine, 3, kit->nvcc, "--version"), "release ", kit);
}

static void find_limits(Doctor *doctor, Toolkit *kit, const char *include)
{
    static const char *const names[] = {"crt/host_config.h", "host_config.h", NULL};
    const char *text = first_head(doctor, include, names);
    if (!text)
        return;
    kit->host_config = arena_printf(doctor->arena, "%s/crt/host_config.h", include);
    const char *at = strstr(text, "__GNUC__ >");
    if (at && at[10] != '=')
        kit->gcc_limit = atoi(at + 10);
    /* The last such line is the general one; Grace and HOS have their own before it. */
    for (at = text; (at = strstr(at, "(__clang_major__ >= ")); at += 10)
        kit->clang_limit = atoi(at + 20) - 1;
    if (doctor->glibc_major == 2 && doctor->glibc_minor < 41)
        return;
    static const char *const math[] = {"crt/math_functions.h", "math_functions.h", NULL};
    at = first_head(doctor, include, math);
    at = at ? strstr(at, " cospi(") : NULL;
    kit->plain_cospi = at && !memmem(at, strcspn(at, "\n"), "SPECIFIER", 9) &&
                       !memmem(at, strcspn(at, "\n"), "noexcept", 8);
}

/* The tools that nvcc calls; without one of them it fails half-way. */
static void find_missing(Doctor *doctor, Toolkit *kit, const char *include)
{
    static const char *const tools[] = {"ptxas", "fatbinary", "cudafe++"};
    Machine *machine = doctor->machine;
    Buf text = {0};
    for (int i = 0; i < 3; ++i)
        if (!machine_exists(machine,
                            arena_printf(doctor->arena, "%s/bin/%s", kit->folder, tools[i])))
            buf_printf(&text, "%s ", tools[i]);
    static const char *const cicc[] = {"nvvm/bin/cicc", "bin/cicc"};
    static const char *const device[] = {"nvvm/libdevice", "libdevice"};
    bool have_cicc = false, have_device = false;
    for (int i = 0; i < 2; ++i) {
        have_cicc |=
            machine_exists(machine, arena_printf(doctor->arena, "%s/%s", kit->folder, cicc[i]));
        have_device |=
            machine_list(machine, arena_printf(doctor->arena, "%s/%s", kit->folder, device[i]),
                         "libdevice*.bc")
                .count > 0;
    }
    buf_puts(&text, have_cicc ? "" : "cicc ");
    buf_puts(&text, have_device ? "" : "libdevice ");
    if (!machine_exists(machine, arena_printf(doctor->arena, "%s/cuda_runtime.h", include)))
        buf_puts(&text, "cuda_runtime.h ");
    if (text.count)
        kit->missing = arena_strndup(doctor->arena, text.data, text.count - 1);
    buf_free(&text);
}

static const char *include_folder(Doctor *doctor, const char *folder)
{
    const char *const places[] = {
        arena_printf(doctor->arena, "%s/include", folder),
        arena_printf(doctor->arena, "%s/targets/x86_64-linux/include", folder),
        arena_printf(doctor->arena, "%s/targets/sbsa-linux/include", folder),
        strstr(folder, "nvidia-cuda-toolkit") ? "/usr/include" : NULL};
    for (int i = 0; i < 4 && places[i]; ++i)
        if (machine_exists(doctor->machine,
                           arena_printf(doctor->arena, "%s/cuda_runtime_api.h", places[i])) ||
            machine_exists(doctor->machine, arena_printf(doctor->arena, "%s/cuda.h", places[i])))
            return places[i];
    return strstr(folder, "nvidia-cuda-toolkit") ? "/usr/include" : places[0];
}

static void add_toolkit(Doctor *doctor, const char *folder, const char *found_by)
{
    const char *real = folder && folder[0] == '/' ? machine_real(doctor->machine, folder) : NULL;
    if (!real)
        return;
    for (size_t i = 0; i < doctor->toolkits.count; ++i) {
        Toolkit *kit = &doctor->toolkits.items[i];
        if (strcmp(kit->folder, real) == 0) {
            kit->found_by = arena_printf(doctor->arena, "%s, %s", kit->found_by, found_by);
            return;
        }
    }
    Toolkit kit = {.folder = real, .found_by = found_by};
    const char *nvcc = arena_printf(doctor->arena, "%s/bin/nvcc", real);
    kit.nvcc = machine_executable(doctor->machine, nvcc) ? nvcc : NULL;
    const char *include = include_folder(doctor, real);
    find_version(doctor, &kit, include);
    if (!kit.nvcc && !kit.major)
        return; /* an empty or foreign folder */
    find_limits(doctor, &kit, include);
    if (kit.nvcc)
        find_missing(doctor, &kit, include);
    static const char *const cudnn[] = {"cudnn_version.h", "cudnn_version_v9.h", NULL};
    static const char *const nccl[] = {"nccl.h", NULL};
    const char *text = first_head(doctor, include, cudnn);
    kit.cudnn = three(doctor, text ? text : first_head(doctor, "/usr/include", cudnn), "CUDNN",
                      "_PATCHLEVEL");
    text = first_head(doctor, include, nccl);
    kit.nccl =
        three(doctor, text ? text : first_head(doctor, "/usr/include", nccl), "NCCL", "_PATCH");
    const char *const libraries[] = {arena_printf(doctor->arena, "%s/lib64", real),
                                     arena_printf(doctor->arena, "%s/lib", real),
                                     "/usr/lib/x86_64-linux-gnu"};
    for (int i = 0; i < 3 && !kit.nvrtc; ++i) {
        Names found = machine_list(doctor->machine, libraries[i], "libnvrtc.so.*");
        if (found.count)
            kit.nvrtc = found.items[0] + strlen("libnvrtc.so.");
    }
    VEC_PUSH(doctor->toolkits, kit);
}

/* nvcc on PATH may be a script that starts the real one; follow an absolute path in it. */
static const char *folder_of_nvcc(Doctor *doctor, const char *nvcc)
{
    const char *real = machine_real(doctor->machine, nvcc);
    size_t count;
    const char *text = machine_read_head(doctor->machine, nvcc, SCRIPT_LIMIT, &count);
    if (text && strncmp(text, "#!", 2) == 0) {
        if (doctor->machine->recording)
            machine_record(doctor->machine, 'x', real, text);
        const char *at = strstr(text + 2, "/bin/nvcc");
        while (at && at > text && !strchr(" \t\n\"'=", at[-1]))
            --at;
        if (at && *at == '/')
            real = machine_real(doctor->machine,
                                arena_strndup(doctor->arena, at, strcspn(at, " \t\n\"'")));
    }
    const char *end = real ? strstr(real, "/bin/nvcc") : NULL;
    return end ? arena_strndup(doctor->arena, real, (size_t)(end - real)) : NULL;
}

void probe_toolkits(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    const char *nvcc = machine_which(machine, "nvcc");
    if (nvcc) {
        add_toolkit(doctor, folder_of_nvcc(doctor, nvcc), "PATH");
    }
    add_toolkit(doctor, machine_env(machine, "CUDA_HOME"), "CUDA_HOME");
    add_toolkit(doctor, machine_env(machine, "CUDA_PATH"), "CUDA_PATH");
    doctor->conda = machine_env(machine, "CONDA_PREFIX");
    if (doctor->conda &&
        machine_exists(machine, arena_printf(doctor->arena, "%s/bin/nvcc", doctor->conda)))
        add_toolkit(doctor, doctor->conda, "conda");
    add_toolkit(doctor, "/usr/local/cuda", "/usr/local/cuda");
    add_toolkit(doctor, "/opt/cuda", "/opt/cuda");
    if (machine_exists(machine, "/usr/lib/nvidia-cuda-toolkit/bin/nvcc"))
        add_toolkit(doctor, "/usr/lib/nvidia-cuda-toolkit", "distribution package");
    Names others = machine_list(machine, "/usr/local", "cuda-[0-9]*");
    for (size_t i = others.count; i > 0; --i)
        add_toolkit(doctor, arena_printf(doctor->arena, "/usr/local/%s", others.items[i - 1]),
                    "/usr/local");
}
