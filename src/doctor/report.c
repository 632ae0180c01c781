/* SPDX-License-Identifier: Apache-2.0
 * Doctor's report for a person: one line an area, then each finding with cause, evidence and the
 * commands that mend it. 80 columns; colour only on a terminal. */
#include "base/table.h"
#include "doctor/checks.h"
#include "doctor/codes.h"
#include "doctor/program.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT = 17 };
static const double GIB = 1024.0 * 1024 * 1024;

typedef enum { MARK_OK, MARK_NONE, MARK_NOTE, MARK_WARNING, MARK_ERROR } Mark;
static const struct {
    const char *text, *colour;
} marks[] = {{"[ok]", "\033[32m"},
             {"[--]", "\033[2m"},
             {"[i ]", "\033[36m"},
             {"[! ]", "\033[33m"},
             {"[!!]", "\033[31m"}};

static Mark mark_of(DiagSeverity severity)
{
    return severity == DIAG_ERROR     ? MARK_ERROR
           : severity == DIAG_WARNING ? MARK_WARNING
                                      : MARK_NOTE;
}

static Mark area_mark(const Doctor *doctor, CheckArea area, Mark mark)
{
    for (size_t i = 0; i < doctor->findings.count; ++i) {
        const Finding *finding = doctor->findings.items[i];
        if (check_rows[finding->check].area == area && mark_of(finding->severity) > MARK_NOTE &&
            mark_of(finding->severity) > mark)
            mark = mark_of(finding->severity);
    }
    return mark;
}

static void print_mark(FILE *out, Mark mark)
{
    if (out_has_colour(out))
        fprintf(out, "%s%s\033[0m", marks[mark].colour, marks[mark].text);
    else
        fputs(marks[mark].text, out);
}

static void line(FILE *out, Mark mark, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void line(FILE *out, Mark mark, const char *name, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    print_mark(out, mark);
    fprintf(out, " %-*s", LEFT - 5, name);
    print_wrapped(out, text, LEFT, LEFT);
}

static void more(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void more(FILE *out, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(out, "%*s", LEFT, "");
    print_wrapped(out, text, LEFT, LEFT);
}

static void print_host(Doctor *doctor, FILE *out)
{
    line(out, MARK_OK, "CPU", "%s, %d core%s",
         doctor->cpu.model ? doctor->cpu.model : "unknown model", doctor->cpu.cores,
         doctor->cpu.cores == 1 ? "" : "s");
    Buf text = {0};
    if (doctor->cpu.threads > doctor->cpu.cores)
        buf_printf(&text, "%d threads, ", doctor->cpu.threads);
    if (doctor->cpu.sockets > 1)
        buf_printf(&text, "%d sockets, ", doctor->cpu.sockets);
    buf_puts(&text, doctor->cpu.simd);
    if (doctor->cpu.caches)
        buf_printf(&text, "; caches %s", doctor->cpu.caches);
    if (doctor->cpu.nodes > 0)
        buf_printf(&text, "; %d NUMA node%s", doctor->cpu.nodes, doctor->cpu.nodes == 1 ? "" : "s");
    more(out, "%s", buf_text(&text));
    buf_free(&text);
    if (doctor->memory.total > 0)
        line(out, MARK_OK, "Memory", "%.1f GiB, %.1f GiB available, %s",
             (double)doctor->memory.total / GIB, (double)doctor->memory.available / GIB,
             doctor->memory.swap > 0 ? "with swap" : "no swap");
    else
        line(out, MARK_NONE, "Memory", "unknown: /proc/meminfo is not readable");
}

static const char *clock_reason(unsigned long long bits)
{
    if (bits & 0xe8)
        return "slowed down (D36)";
    return bits & 0x04 ? "at its power limit" : bits & 0x01 ? "idle clocks" : "not throttled";
}

static void print_gpu(Doctor *doctor, FILE *out, int i, bool details)
{
    const Kv *nvml = &doctor->nvml;
    const char *name = kv_text(nvml, "%d.name", i), *cc = kv_text(nvml, "%d.cc", i);
    if (!name) {
        line(out, MARK_ERROR, "GPU", "%d does not answer: NVML code %lld", i,
             kv_int(nvml, -1, "%d.handle", i));
        return;
    }
    line(out, area_mark(doctor, AREA_speed, MARK_OK), "GPU",
         "%d %s, capability %s, %.1f GiB, %.1f in use", i, name, cc ? cc : "?",
         (double)kv_int(nvml, 0, "%d.memory_total", i) / GIB,
         (double)kv_int(nvml, 0, "%d.memory_used", i) / GIB);
    if (!details)
        return;
    Buf text = {0};
    long long ecc = kv_int(nvml, -1, "%d.ecc", i), mig = kv_int(nvml, -1, "%d.mig", i);
    buf_printf(&text, "ECC %s, MIG %s",
               ecc < 0 ? "none"
               : ecc   ? "on"
                       : "off",
               mig < 0 ? "none"
               : mig   ? "on"
                       : "off");
    if (kv_text(nvml, "%d.clock_sm", i))
        buf_printf(&text, ", SM %lld of %lld MHz (%s)", kv_int(nvml, 0, "%d.clock_sm", i),
                   kv_int(nvml, 0, "%d.clock_sm_max", i),
                   clock_reason((unsigned long long)kv_int(nvml, 0, "%d.throttle", i)));
    if (kv_text(nvml, "%d.temperature", i))
        buf_printf(&text, ", %lld C", kv_int(nvml, 0, "%d.temperature", i));
    if (kv_text(nvml, "%d.power_mw", i))
        buf_printf(&text, ", %lld of %lld W", kv_int(nvml, 0, "%d.power_mw", i) / 1000,
                   kv_int(nvml, 0, "%d.power_limit_mw", i) / 1000);
    more(out, "%s", buf_text(&text));
    buf_free(&text);
    long long gen = kv_int(nvml, 0, "%d.pcie_gen", i), best = kv_int(nvml, 0, "%d.pcie_gen_max", i);
    if (gen > 0)
        more(out, "PCIe gen %lld of %lld%s, x%lld of x%lld", gen, best,
             gen < best ? " (normal while idle)" : "", kv_int(nvml, 0, "%d.pcie_width", i),
             kv_int(nvml, 0, "%d.pcie_width_max", i));
}

static void print_gpus(Doctor *doctor, FILE *out, bool verbose)
{
    int shown = 0;
    for (int i = 0; i < doctor->nvml_count; ++i, ++shown)
        print_gpu(doctor, out, i, doctor->nvml_count <= 2 || verbose);
    for (size_t i = 0; i < doctor->gpus.count; ++i) {
        const PciGpu *gpu = &doctor->gpus.items[i];
        bool nvidia = gpu->vendor == 0x10de;
        if (nvidia && doctor->nvml_count > 0)
            continue;
        if (!nvidia && gpu->vendor != 0x1002 && gpu->vendor != 0x8086)
            continue; /* the display chips of servers and virtual machines */
        line(out, nvidia ? MARK_NOTE : MARK_NONE, "GPU", "%s %s %04lx:%04lx%s%s, %s%s%s", gpu->slot,
             nvidia                  ? "NVIDIA"
             : gpu->vendor == 0x1002 ? "AMD"
                                     : "Intel",
             gpu->vendor, gpu->device, gpu->name ? " " : "", gpu->name ? gpu->name : "",
             gpu->driver ? "driven by " : "no kernel driver", gpu->driver ? gpu->driver : "",
             gpu->runtime_status && strcmp(gpu->runtime_status, "suspended") == 0 ? ", asleep"
                                                                                  : "");
        shown++;
    }
    if (!shown && !doctor->driver.dxg_node)
        line(out, MARK_NONE, "GPU", "none on the PCI bus");
    else if (!shown)
        line(out, MARK_NONE, "GPU", "passed through by WSL (/dev/dxg), but NVML shows none");
}

static void print_driver(Doctor *doctor, FILE *out)
{
    Mark mark = area_mark(doctor, AREA_driver, has_nvidia(doctor) ? MARK_OK : MARK_NONE);
    mark = area_mark(doctor, AREA_access, mark);
    if (!has_nvidia(doctor) && !doctor->cuda_path) {
        line(out, mark, "Driver", "none, and none needed without an NVIDIA card");
        return;
    }
    Buf text = {0};
    if (doctor->driver.loaded)
        buf_printf(&text, "%s, %s kernel module", doctor->driver.loaded,
                   doctor->driver.flavour ? doctor->driver.flavour : "NVIDIA");
    else
        buf_puts(&text,
                 doctor->driver.dxg_node ? "Windows' own, through WSL" : "no kernel module loaded");
    if (doctor->nvml.failed)
        buf_printf(&text, "; NVML: %s", doctor->nvml.failed);
    if (doctor->nvml_init >= 0)
        buf_printf(&text, "; NVML %s", doctor->nvml_init == 0 ? "ok" : "fails");
    if (doctor->nvml_init > 0)
        buf_printf(&text, " (%d)", doctor->nvml_init);
    if (!doctor->cuda_path)
        buf_puts(&text, "; libcuda.so.1 not found");
    else if (doctor->cuda.failed)
        buf_printf(&text, "; libcuda: %s", doctor->cuda.failed);
    else if (doctor->cuda_init >= 0)
        buf_printf(&text, "; cuInit %s",
                   doctor->cuda_init == 0 ? "ok" : cuda_code_name(doctor->cuda_init));
    else if (doctor->nvidia_asleep && !doctor->wake)
        buf_puts(&text, "; not asked, because the card sleeps (--wake asks)");
    line(out, mark, "Driver", "%s", buf_text(&text));
    buf_free(&text);
}

static void print_toolkits(Doctor *doctor, FILE *out)
{
    if (!doctor->toolkits.count)
        line(out, area_mark(doctor, AREA_toolkit, MARK_NONE), "Toolkit",
             "none; `gpukit cc` compiles CUDA without one, `gpukit doctor --install` tells how to "
             "get one");
    for (size_t i = 0; i < doctor->toolkits.count; ++i) {
        const Toolkit *kit = &doctor->toolkits.items[i];
        Buf text = {0};
        buf_printf(&text, "CUDA %d.%d %s (%s)", kit->major, kit->minor, kit->folder, kit->found_by);
        if (!kit->nvcc)
            buf_puts(&text, ", without nvcc");
        if (kit->nvrtc)
            buf_printf(&text, ", NVRTC %s", kit->nvrtc);
        if (kit->cudnn)
            buf_printf(&text, ", cuDNN %s", kit->cudnn);
        if (kit->nccl)
            buf_printf(&text, ", NCCL %s", kit->nccl);
        line(out, i ? MARK_OK : area_mark(doctor, AREA_toolkit, MARK_OK), i ? "" : "Toolkit", "%s",
             buf_text(&text));
        buf_free(&text);
    }
    Buf text = {0};
    for (int clang = 0; clang < 2; ++clang)
        for (size_t i = 0; i < doctor->compilers.count; ++i) {
            const Compiler *one = &doctor->compilers.items[i];
            bool said = strcmp(one->command, "g++") == 0;
            for (size_t k = 0; k < i && !said; ++k)
                said = doctor->compilers.items[k].clang == one->clang &&
                       doctor->compilers.items[k].major == one->major;
            if (one->clang == (clang == 1) && !said)
                buf_printf(&text, "%s%s %d", text.count ? ", " : "",
                           one->is_default ? one->command
                           : clang         ? "clang"
                                           : "g++",
                           one->major);
        }
    if (doctor->toolkits.count && doctor->toolkits.items[0].gcc_limit)
        buf_printf(&text, "; CUDA %d.%d takes gcc up to %d, clang up to %d",
                   doctor->toolkits.items[0].major, doctor->toolkits.items[0].minor,
                   doctor->toolkits.items[0].gcc_limit, doctor->toolkits.items[0].clang_limit);
    line(out, doctor->compilers.count ? MARK_OK : MARK_WARNING, "Compilers", "%s",
         text.count ? buf_text(&text) : "no gcc, g++ or clang on PATH");
    buf_free(&text);
}

static void print_engine(Doctor *doctor, FILE *out)
{
    bool good = doctor->engine.clang && doctor->engine.headers;
    if (good)
        line(out, MARK_OK, "CPU engine", "ready: %s%s%s", doctor->engine.clang,
             doctor->engine.llvm ? ", " : "", doctor->engine.llvm ? doctor->engine.llvm : "");
    else
        line(out, MARK_NOTE, "CPU engine", "%s",
             !doctor->engine.clang
                 ? distro_expand(doctor, "not ready: no clang-19. {install} clang-19")
                 : "not ready: gpukit's CUDA headers are not beside the program (run it from its "
                   "build tree or install it)");
}

static void print_system(Doctor *doctor, FILE *out)
{
    line(out, MARK_OK, "System", "%s, Linux %s, glibc %d.%d; %s%s",
         doctor->os.name ? doctor->os.name : "unknown distribution",
         doctor->kernel ? doctor->kernel : "?", doctor->glibc_major, doctor->glibc_minor,
         doctor->box.wsl ? "WSL, " : "",
         doctor->box.name ? arena_printf(doctor->arena, "in %s", doctor->box.name)
                          : "no container");
    static const char *const names[] = {"CUDA_VISIBLE_DEVICES",
                                        "CUDA_DEVICE_ORDER",
                                        "CUDA_HOME",
                                        "CUDA_PATH",
                                        "CONDA_PREFIX",
                                        "LD_LIBRARY_PATH",
                                        "LD_PRELOAD",
                                        "NVCC_CCBIN",
                                        "CUDA_LAUNCH_BLOCKING",
                                        "CUDA_MODULE_LOADING",
                                        "NVIDIA_VISIBLE_DEVICES"};
    Buf text = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const char *value = machine_env(doctor->machine, names[i]);
        if (value)
            buf_printf(&text, "%s%s=%s", text.count ? " " : "", names[i], *value ? value : "\"\"");
    }
    line(out, text.count ? MARK_OK : MARK_NONE, "Environment", "%s",
         text.count ? buf_text(&text) : "no CUDA variable is set");
    buf_free(&text);
}

static void print_rights(Doctor *doctor, FILE *out)
{
    Buf text = {0};
    buf_puts(&text, doctor->root_user ? "root" : "ordinary user");
    if (doctor->driver.bad_node)
        buf_printf(&text, "; %s cannot be opened: %s", doctor->driver.bad_node,
                   strerror(doctor->driver.bad.error));
    else if (doctor->driver.ctl_node)
        buf_puts(&text, "; GPU nodes can be opened");
    if (doctor->knows_admin_only)
        buf_printf(&text, "; counters for %s",
                   doctor->admin_only_counters ? "administrators only" : "everyone");
    line(out, doctor->driver.bad_node ? MARK_ERROR : MARK_OK, "Rights", "%s", buf_text(&text));
    buf_free(&text);
}

static void print_versions(Doctor *doctor, FILE *out)
{
    const Toolkit *kit = doctor->toolkits.count ? &doctor->toolkits.items[0] : NULL;
    fprintf(out, "\nCUDA versions    driver serves %s   toolkit %s   program %s\n",
            version_text(doctor->arena, doctor->cuda_version),
            kit ? version_text(doctor->arena, version_pack(kit->major, kit->minor)) : "-",
            program_version_text(doctor));
    print_wrapped(out,
                  "rule: driver >= the toolkit that built the program (for machine code the major "
                  "number is enough, for PTX not). nvidia-smi shows the first, nvcc the second.",
                  0, 6);
}

static void print_finding(Doctor *doctor, FILE *out, const Finding *finding, bool verbose)
{
    const CheckRow *row = &check_rows[finding->check];
    fputc('\n', out);
    print_mark(out, mark_of(finding->severity));
    fprintf(out, " %s ", row->id);
    print_wrapped(out, row->title, 9, 9);
    fputs("     ", out);
    print_wrapped(out, finding->seen, 5, 5);
    fputs("     ", out);
    print_wrapped(out, row->cause, 5, 5);
    for (size_t i = 0; i < finding->evidence.count; ++i)
        fprintf(out, "     seen: %s: %s\n", finding->evidence.items[i].file,
                finding->evidence.items[i].value);
    fputs("     fix:\n", out);
    Names lines = split(doctor->arena, finding->fix, '\n');
    for (size_t i = 0; i < lines.count; ++i)
        fprintf(out, "       %s\n", lines.items[i]);
    if (verbose)
        fprintf(out, "     see: %s\n", row->reported);
}

static int by_severity(const void *a, const void *b)
{
    const Finding *x = *(Finding *const *)a, *y = *(Finding *const *)b;
    return x->severity != y->severity ? (int)y->severity - (int)x->severity
                                      : (int)x->check - (int)y->check;
}

static void print_end(Doctor *doctor, FILE *out)
{
    int problems = 0, notes = 0;
    for (size_t i = 0; i < doctor->findings.count; ++i)
        *(doctor->findings.items[i]->severity > DIAG_NOTE ? &problems : &notes) += 1;
    for (size_t i = 0; i < doctor->machine->unreadable.count; ++i)
        fprintf(out, "%snot read: %s: %s\n", i ? "" : "\n",
                doctor->machine->unreadable.items[i].path,
                doctor->machine->unreadable.items[i].why);
    bool usable =
        has_nvidia(doctor) && doctor->cuda_init == 0 && kv_int(&doctor->cuda, 0, "count") > 0;
    fputc('\n', out);
    if (!has_nvidia(doctor))
        print_wrapped(out,
                      "No GPU for CUDA here, and that is no fault: `gpukit run`, `check`, "
                      "`profile` and `learn` use the "
                      "CPU engine; `gpukit pick` tells which GPU to rent or buy.",
                      0, 0);
    else if (usable)
        print_wrapped(out,
                      arena_printf(doctor->arena, "CUDA works: %lld device(s).",
                                   kv_int(&doctor->cuda, 0, "count")),
                      0, 0);
    else
        print_wrapped(out,
                      "CUDA does not work here now; `gpukit run`, `check`, `profile` and `learn` "
                      "use the CPU engine.",
                      0, 0);
    if (problems == 0 && notes == 0)
        fputs("No problem found.\n", out);
    else
        fprintf(out, "%d problem%s, %d note%s. If all works for you, notes need no action.\n",
                problems, problems == 1 ? "" : "s", notes, notes == 1 ? "" : "s");
}

void report_text(Doctor *doctor, FILE *out, bool verbose)
{
    print_host(doctor, out);
    print_gpus(doctor, out, verbose);
    print_driver(doctor, out);
    print_toolkits(doctor, out);
    print_engine(doctor, out);
    print_rights(doctor, out);
    print_system(doctor, out);
    if (doctor->program)
        report_program(doctor, out);
    print_versions(doctor, out);
    if (doctor->findings.count)
        qsort(doctor->findings.items, doctor->findings.count, sizeof *doctor->findings.items,
              by_severity);
    for (size_t i = 0; i < doctor->findings.count; ++i)
        print_finding(doctor, out, doctor->findings.items[i], verbose);
    print_end(doctor, out);
}
