/* SPDX-License-Identifier: Apache-2.0
 * gpukit doctor ./program: can it run on this machine? Reads the ELF file (needed libraries, run
 * paths, .nv_fatbin) without running it, and holds that against driver and cards. */
#include "doctor/program.h"
#include "doctor/checks.h"
#include "doctor/codes.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LIBRARIES = 400, MAX_DEPTH = 8 };

/* PTX version (times ten) and the CUDA release that brought it. Source: PTX ISA, release notes. */
static const struct {
    int ptx, cuda;
} ptx_versions[] = {{60, 9000},  {61, 9010},  {62, 9020},  {63, 10000}, {64, 10010}, {65, 10020},
                    {70, 11000}, {71, 11010}, {72, 11020}, {73, 11030}, {74, 11040}, {75, 11050},
                    {76, 11060}, {77, 11070}, {78, 11080}, {80, 12000}, {81, 12010}, {82, 12020},
                    {83, 12030}, {84, 12040}, {85, 12050}, {86, 12070}, {87, 12080}, {88, 12090},
                    {90, 13000}, {91, 13010}};

int ptx_cuda_version(int ptx)
{
    for (size_t i = 0; i < sizeof ptx_versions / sizeof *ptx_versions; ++i)
        if (ptx_versions[i].ptx == ptx)
            return ptx_versions[i].cuda;
    return 0;
}

typedef struct {
    const unsigned char *data;
    size_t count;
    const char *origin; /* folder of the file inside the machine */
} Image;

static bool map_file(const char *path, Image *image)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    image->data = MAP_FAILED;
    if (good) {
        image->count = (size_t)info.st_size;
        image->data = mmap(NULL, image->count, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0)
        close(file);
    return image->data != MAP_FAILED;
}

/* Copies size bytes at offset; false when the file is shorter. */
static bool take(const Image *image, uint64_t offset, void *to, size_t size)
{
    if (offset > image->count || size > image->count - offset)
        return false;
    memcpy(to, image->data + offset, size);
    return true;
}

static const char *string_at(const Image *image, uint64_t offset)
{
    if (offset >= image->count || !memchr(image->data + offset, 0, image->count - offset))
        return NULL;
    return (const char *)image->data + offset;
}

static bool elf_header(const Image *image, Elf64_Ehdr *header)
{
    return take(image, 0, header, sizeof *header) &&
           memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB;
}

/* File offset of a virtual address; the file's size when it is not in it. */
static uint64_t file_offset(const Image *image, const Elf64_Ehdr *header, uint64_t address)
{
    for (unsigned i = 0; i < header->e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!take(image, header->e_phoff + (uint64_t)i * sizeof segment, &segment, sizeof segment))
            break;
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz)
            return segment.p_offset + (address - segment.p_vaddr);
    }
    return image->count;
}

typedef struct {
    VEC(const char *) needed;
    const char *run_path;
} Dynamic;

static void read_dynamic(const Image *image, const Elf64_Ehdr *header, Dynamic *dynamic)
{
    Elf64_Phdr segment = {0};
    unsigned i = 0;
    for (; i < header->e_phnum; ++i)
        if (take(image, header->e_phoff + (uint64_t)i * sizeof segment, &segment, sizeof segment) &&
            segment.p_type == PT_DYNAMIC)
            break;
    if (i == header->e_phnum)
        return;
    uint64_t strings = 0, count = segment.p_filesz / sizeof(Elf64_Dyn);
    Elf64_Dyn one;
    for (int pass = 0; pass < 2; ++pass)
        for (uint64_t k = 0; k < count; ++k) {
            if (!take(image, segment.p_offset + k * sizeof one, &one, sizeof one) ||
                one.d_tag == DT_NULL)
                break;
            if (pass == 0 && one.d_tag == DT_STRTAB)
                strings = file_offset(image, header, one.d_un.d_ptr);
            if (pass == 0 || !strings || one.d_un.d_val > image->count)
                continue;
            const char *text = string_at(image, strings + one.d_un.d_val);
            if (text && one.d_tag == DT_NEEDED && dynamic->needed.count < MAX_LIBRARIES)
                VEC_PUSH(dynamic->needed, text);
            else if (text &&
                     (one.d_tag == DT_RUNPATH || (one.d_tag == DT_RPATH && !dynamic->run_path)))
                dynamic->run_path = text;
        }
}

static void add_code(const FatbinEntry *code, void *context)
{
    Program *program = context;
    for (size_t i = 0; i < program->codes.count; ++i) {
        const FatbinEntry *old = &program->codes.items[i];
        if (old->kind == code->kind && old->arch == code->arch && old->suffix == code->suffix)
            return;
    }
    VEC_PUSH(program->codes, *code);
    if (code->ptx_version > program->ptx)
        program->ptx = code->ptx_version;
}

/* nvcc uses .nv_fatbin and __nv_relfatbin, NVIDIA's own libraries other data sections too. */
static void read_fat_binaries(const Image *image, const Elf64_Ehdr *header, Program *program)
{
    Elf64_Shdr section;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        if (!take(image, header->e_shoff + (uint64_t)i * sizeof section, &section, sizeof section))
            return;
        if (section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_EXECINSTR))
            continue;
        if (section.sh_offset <= image->count &&
            section.sh_size <= image->count - section.sh_offset)
            fatbin_scan(image->data + section.sh_offset, section.sh_size, add_code, program);
    }
}

/* Machine code first, then PTX, each from the oldest architecture on. */
static int by_arch(const void *a, const void *b)
{
    const FatbinEntry *x = a, *y = b;
    return x->kind != y->kind   ? (int)y->kind - (int)x->kind
           : x->arch != y->arch ? x->arch - y->arch
                                : x->suffix - y->suffix;
}

/* The folders of an rpath with $ORIGIN filled in. */
static Names run_folders(Doctor *doctor, const char *path, const char *origin)
{
    Names folders = split(doctor->arena, path ? path : "", ':');
    for (size_t i = 0; i < folders.count; ++i) {
        const char *one = folders.items[i];
        size_t skip = strncmp(one, "$ORIGIN", 7) == 0     ? 7
                      : strncmp(one, "${ORIGIN}", 9) == 0 ? 9
                                                          : 0;
        if (skip)
            folders.items[i] = arena_printf(doctor->arena, "%s%s", origin, one + skip);
    }
    return folders;
}

/* libcudart.so.12 -> "libcudart.so" */
static const char *stem(Arena *arena, const char *soname)
{
    const char *end = strstr(soname, ".so");
    return end ? arena_strndup(arena, soname, (size_t)(end - soname) + 3) : soname;
}

static void look_elsewhere(Doctor *doctor, Needed *needed)
{
    const char *pattern = arena_printf(doctor->arena, "%s.*", stem(doctor->arena, needed->soname));
    Names folders = machine_library_folders(doctor->machine);
    static const char *const below[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
    for (size_t i = 0; i < doctor->toolkits.count; ++i)
        for (int k = 0; k < 3; ++k) {
            const char *folder =
                arena_printf(doctor->arena, "%s/%s", doctor->toolkits.items[i].folder, below[k]);
            const char *path = arena_printf(doctor->arena, "%s/%s", folder, needed->soname);
            if (!needed->elsewhere && machine_exists(doctor->machine, path))
                needed->elsewhere = path;
            Names other = machine_list(doctor->machine, folder, pattern);
            if (!needed->other && other.count)
                needed->other = arena_printf(doctor->arena, "%s/%s", folder, other.items[0]);
        }
    for (size_t i = 0; i < folders.count && !needed->other; ++i) {
        Names other = machine_list(doctor->machine, folders.items[i], pattern);
        if (other.count)
            needed->other = arena_printf(doctor->arena, "%s/%s", folders.items[i], other.items[0]);
    }
}

static void add_needed(Doctor *doctor, const Image *image, int depth);

static void add_library(Doctor *doctor, const char *soname, const Names *folders, int depth)
{
    Program *program = doctor->program;
    for (size_t i = 0; i < program->libraries.count; ++i)
        if (strcmp(program->libraries.items[i].soname, soname) == 0)
            return;
    Needed needed = {.soname = arena_strdup(doctor->arena, soname)};
    needed.path = machine_library(doctor->machine, soname, folders);
    if (!needed.path)
        look_elsewhere(doctor, &needed);
    if (program->libraries.count < MAX_LIBRARIES)
        VEC_PUSH(program->libraries, needed);
    if (strncmp(soname, "libcudart.so.", 13) == 0) {
        program->runtime = atoi(soname + 13);
        program->uses_cuda = true;
    }
    program->uses_cuda |= strcmp(soname, "libcuda.so.1") == 0;
    Image image;
    const char *host = needed.path ? machine_host(doctor->machine, needed.path) : NULL;
    if (!host || depth >= MAX_DEPTH || !map_file(host, &image))
        return;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", needed.path);
    *strrchr(folder, '/') = 0;
    image.origin = folder;
    add_needed(doctor, &image, depth + 1);
    munmap((void *)image.data, image.count);
}

static void add_needed(Doctor *doctor, const Image *image, int depth)
{
    Elf64_Ehdr header;
    Dynamic dynamic = {0};
    if (!elf_header(image, &header))
        return;
    read_dynamic(image, &header, &dynamic);
    Names folders = run_folders(doctor, dynamic.run_path, image->origin);
    for (size_t i = 0; i < dynamic.needed.count; ++i)
        add_library(doctor, dynamic.needed.items[i], &folders, depth);
    VEC_FREE(dynamic.needed);
}

static const char *processor(unsigned machine)
{
    return machine == EM_X86_64    ? "x86-64"
           : machine == EM_AARCH64 ? "aarch64"
           : machine == EM_PPC64   ? "ppc64"
           : machine == EM_CUDA    ? "CUDA machine code"
                                   : "another processor";
}

#if defined(__aarch64__)
enum { HERE = EM_AARCH64 };
#else
enum { HERE = EM_X86_64 };
#endif

static bool code_fits(const FatbinEntry *code, int cc, int driver)
{
    int major = code->arch / 10, minor = code->arch % 10;
    if (code->kind == FATBIN_PTX) {
        int needs = ptx_cuda_version(code->ptx_version);
        if (driver > 0 && needs > driver)
            return false;
        if (code->suffix == 'a')
            return code->arch == cc;
        return code->suffix == 'f' ? major == cc / 10 && code->arch <= cc : code->arch <= cc;
    }
    return code->suffix == 'a' ? code->arch == cc : major == cc / 10 && minor <= cc % 10;
}

static const char *code_list(Doctor *doctor, const Program *program)
{
    Buf text = {0};
    for (size_t i = 0; i < program->codes.count; ++i) {
        const FatbinEntry *code = &program->codes.items[i];
        buf_printf(&text, "%s%s%d", text.count ? ", " : "",
                   code->kind == FATBIN_PTX ? "compute_" : "sm_", code->arch);
        if (code->suffix)
            buf_putc(&text, code->suffix);
        if (code->ptx_version)
            buf_printf(&text, " (PTX %d.%d)", code->ptx_version / 10, code->ptx_version % 10);
    }
    const char *copy = text.count ? arena_strdup(doctor->arena, text.data) : "none";
    buf_free(&text);
    return copy;
}

/* NULL when none is missing. */
static Finding *check_libraries(Doctor *doctor)
{
    Program *program = doctor->program;
    Finding *finding = NULL;
    for (size_t i = 0; i < program->libraries.count; ++i) {
        const Needed *needed = &program->libraries.items[i];
        if (needed->path || strcmp(needed->soname, "libcuda.so.1") == 0)
            continue; /* a missing driver is D13's */
        if (!finding)
            finding = finding_add(doctor, CHECK_D23, "%s needs %s, which the loader does not find.",
                                  program->path, needed->soname);
        finding_evidence(doctor, finding, needed->soname, "%s%s",
                         needed->elsewhere ? "lies in "
                         : needed->other   ? "another version is there: "
                                           : "not on this machine",
                         needed->elsewhere ? needed->elsewhere
                         : needed->other   ? needed->other
                                           : "");
        if (needed->elsewhere) {
            char folder[4096];
            snprintf(folder, sizeof folder, "%s", needed->elsewhere);
            *strrchr(folder, '/') = 0;
            finding_fix(doctor, finding,
                        "echo %s | sudo tee /etc/ld.so.conf.d/cuda.conf && sudo ldconfig\n"
                        "# or for this shell: export LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH\n"
                        "# or when building: nvcc -cudart static, or -Xlinker -rpath=%s",
                        folder, folder, folder);
        } else if (needed->other) {
            finding_fix(
                doctor, finding,
                "# the program was built with another version: rebuild it with the toolkit here,\n"
                "# or install the one it wants (%s)",
                needed->soname);
        }
    }
    return finding;
}

/* NULL when the program has code for this card. */
static Finding *check_code(Doctor *doctor, int cc, const char *name)
{
    Program *program = doctor->program;
    bool fits = false, but_for_driver = false;
    for (size_t i = 0; i < program->codes.count; ++i) {
        fits |= code_fits(&program->codes.items[i], cc, doctor->cuda_version);
        but_for_driver |= code_fits(&program->codes.items[i], cc, 0);
    }
    if (fits || !program->codes.count)
        return NULL;
    CheckId id = but_for_driver ? CHECK_D14 : CHECK_D20;
    Finding *finding =
        but_for_driver
            ? finding_add(
                  doctor, id,
                  "For %s it holds only PTX %d.%d, which needs CUDA %s; the driver serves %s.",
                  name, program->ptx / 10, program->ptx % 10,
                  version_text(doctor->arena, program->built_by),
                  version_text(doctor->arena, doctor->cuda_version))
            : finding_add(doctor, id, "%s is sm_%d; the program holds %s.", name, cc,
                          code_list(doctor, program));
    finding->severity = DIAG_ERROR;
    finding_evidence(doctor, finding, program->path, "%s", code_list(doctor, program));
    finding_evidence(doctor, finding, "libcuda.so.1",
                     "%s, compute capability %d.%d, driver serves CUDA %s", name, cc / 10, cc % 10,
                     version_text(doctor->arena, doctor->cuda_version));
    finding_fix(doctor, finding,
                "nvcc -arch=sm_%d ...\n# or, to serve later cards too: -gencode "
                "arch=compute_%d,code=[sm_%d,compute_%d]",
                cc, cc, cc, cc);
    return finding;
}

/* false: the driver is too old for the program's runtime. */
static bool check_driver(Doctor *doctor)
{
    const Program *program = doctor->program;
    int needs = program->runtime ? program->runtime * 1000 : program->built_by / 1000 * 1000;
    if (doctor->cuda_version <= 0 || needs <= doctor->cuda_version)
        return true;
    Finding *finding =
        finding_add(doctor, CHECK_D12, "The program wants CUDA %d, the driver serves %s: error 35.",
                    needs / 1000, version_text(doctor->arena, doctor->cuda_version));
    finding_evidence(doctor, finding, program->path,
                     program->runtime ? "needs libcudart.so.%d" : "PTX written by CUDA %d",
                     needs / 1000);
    finding_evidence(doctor, finding, "libcuda.so.1", "cuDriverGetVersion = %d",
                     doctor->cuda_version);
    return false;
}

/* true: at least one card can run it. One that cannot, beside one that can, is a warning. */
static bool check_cards(Doctor *doctor)
{
    long long count = doctor->cuda_init == 0 ? kv_int(&doctor->cuda, 0, "count") : 0;
    Finding *bad = NULL;
    bool good = false;
    for (int i = 0; i < count; ++i) {
        const char *name = kv_text(&doctor->cuda, "%d.name", i);
        int cc = (int)(kv_int(&doctor->cuda, 0, "%d.cc_major", i) * 10 +
                       kv_int(&doctor->cuda, 0, "%d.cc_minor", i));
        Finding *finding = !cc || bad ? NULL : check_code(doctor, cc, name ? name : "the card");
        good |= cc && !finding && !bad;
        bad = finding ? finding : bad;
    }
    if (bad && good)
        bad->severity = DIAG_WARNING;
    return good;
}

/* gpukit brings libcudart and libcuda itself; everything else must be there. */
static bool engine_can(const Program *program)
{
    bool others = true, driver_needed = false;
    for (size_t i = 0; i < program->libraries.count; ++i) {
        const Needed *one = &program->libraries.items[i];
        driver_needed |= strcmp(one->soname, "libcuda.so.1") == 0;
        others &= one->path || strncmp(one->soname, "libcudart.so.", 13) == 0 ||
                  strcmp(one->soname, "libcuda.so.1") == 0;
    }
    return program->uses_cuda && program->ptx && (program->runtime || driver_needed) && others &&
           !program->foreign;
}

static const char *verdict(Doctor *doctor, bool missing, bool gpu)
{
    const Program *program = doctor->program;
    if (program->foreign)
        return arena_printf(doctor->arena, "no: it is built for %s", program->machine);
    if (program->runs_here)
        return program->uses_cuda ? "yes, on the GPU" : "yes; it holds no CUDA code";
    if (program->runs_on_engine)
        return "not on a GPU here, but on the CPU engine: gpukit run PROGRAM";
    if (missing)
        return "no: a library is missing";
    if (gpu)
        return "no: its GPU code does not fit card and driver";
    return program->ptx ? "no: no usable GPU, and the CPU engine needs the shared runtime (rebuild "
                          "with -cudart shared)"
                        : "no: no usable GPU, and the CPU engine needs PTX inside (rebuild with "
                          "-gencode arch=compute_75,code=compute_75)";
}

static void judge(Doctor *doctor)
{
    Program *program = doctor->program;
    bool gpu = doctor->cuda_init == 0 && kv_int(&doctor->cuda, 0, "count") > 0;
    Finding *missing = check_libraries(doctor);
    bool fits = !program->uses_cuda || (check_driver(doctor) && check_cards(doctor));
    program->runs_on_engine = engine_can(program);
    program->runs_here = !program->foreign && !missing && (!program->uses_cuda || (gpu && fits));
    if (missing && program->runs_on_engine && !gpu)
        missing->severity = DIAG_NOTE;
    program->verdict = verdict(doctor, missing != NULL, gpu);
}

bool program_inspect(Doctor *doctor, const char *path, const char **problem)
{
    Image image;
    Elf64_Ehdr header;
    *problem = NULL;
    errno = 0;
    if (!map_file(path, &image)) {
        *problem = errno ? strerror(errno) : "not a file with contents";
        return false;
    }
    if (!elf_header(&image, &header)) {
        bool script = image.count > 2 && memcmp(image.data, "#!", 2) == 0;
        bool elf = image.count > SELFMAG && memcmp(image.data, ELFMAG, SELFMAG) == 0;
        *problem = script ? "a script; give the program that it starts"
                   : elf  ? "a 32-bit or big-endian program, which CUDA does not support"
                          : "not a program (ELF file); for source text use gpukit run";
        munmap((void *)image.data, image.count);
        return false;
    }
    Program *program = doctor->program = ARENA_NEW(doctor->arena, Program);
    program->path = path;
    program->machine = processor(header.e_machine);
    program->foreign = header.e_machine != HERE;
    size_t root = strlen(doctor->machine->root);
    const char *inside =
        root && strncmp(path, doctor->machine->root, root) == 0 ? path + root : NULL;
    char folder[PATH_MAX + 1];
    if (!inside && realpath(path, folder))
        inside = folder;
    char *origin = arena_strdup(doctor->arena, inside ? inside : path);
    if (strrchr(origin, '/'))
        *strrchr(origin, '/') = 0;
    image.origin = origin;
    read_fat_binaries(&image, &header, program);
    program->uses_cuda = program->codes.count > 0;
    if (program->uses_cuda)
        qsort(program->codes.items, program->codes.count, sizeof *program->codes.items, by_arch);
    program->built_by = ptx_cuda_version(program->ptx);
    if (!program->foreign)
        add_needed(doctor, &image, 0);
    munmap((void *)image.data, image.count);
    judge(doctor);
    return true;
}

bool program_runs(const Doctor *doctor)
{
    const Program *program = doctor->program;
    return program &&
           (program->runs_here || (program->runs_on_engine && !doctor_has_problem(doctor)));
}

void program_fini(Doctor *doctor)
{
    if (!doctor->program)
        return;
    VEC_FREE(doctor->program->libraries);
    VEC_FREE(doctor->program->codes);
}

const char *program_version_text(Doctor *doctor)
{
    const Program *program = doctor->program;
    if (!program)
        return "-";
    if (program->built_by)
        return version_text(doctor->arena, program->built_by);
    return program->runtime ? arena_printf(doctor->arena, "%d.x", program->runtime) : "-";
}

void report_program(Doctor *doctor, FILE *out)
{
    const Program *program = doctor->program;
    fprintf(out, "\nProgram          %s (%s)\n", program->path, program->machine);
    fprintf(out, "  GPU code       %s\n", code_list(doctor, program));
    if (program->built_by)
        fprintf(out, "  newest PTX     that of CUDA %s\n",
                version_text(doctor->arena, program->built_by));
    if (program->uses_cuda)
        fprintf(out, "  runtime        %s\n",
                program->runtime
                    ? arena_printf(doctor->arena, "libcudart.so.%d, shared", program->runtime)
                    : "linked in statically, or driver API only");
    int others = 0;
    for (size_t i = 0; i < program->libraries.count; ++i) {
        const Needed *one = &program->libraries.items[i];
        bool told = !one->path || strncmp(one->soname, "libcu", 5) == 0 ||
                    strncmp(one->soname, "libnv", 5) == 0 ||
                    strncmp(one->soname, "libnccl", 7) == 0;
        others += !told;
        if (told)
            fprintf(out, "  library        %-24s %s\n", one->soname,
                    one->path ? one->path : "NOT FOUND");
    }
    if (others)
        fprintf(out, "  library        %d system librar%s, all found\n", others,
                others == 1 ? "y" : "ies");
    fprintf(out, "  runs here?     %s\n", program->verdict);
}
