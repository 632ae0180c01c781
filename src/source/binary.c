/* SPDX-License-Identifier: Apache-2.0
 * Reads ELF section headers and the dynamic section. Input is foreign: every
 * offset is checked against the file's size. */
#include "source/binary.h"
#include "source/fatbin.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    const unsigned char *data;
    size_t bytes;
} Image;

static bool inside(const Image *image, uint64_t at, uint64_t count)
{
    return at <= image->bytes && count <= image->bytes - at;
}

static uint64_t number(const Image *image, uint64_t at, int bytes)
{
    uint64_t value = 0;
    if (inside(image, at, (uint64_t)bytes))
        for (int i = bytes; i-- > 0;)
            value = value << 8 | image->data[at + (uint64_t)i];
    return value;
}

bool binary_is_linked(const char *path)
{
    unsigned char head[sizeof(Elf64_Ehdr)] = {0};
    struct stat st; /* a pipe is left for its reader */
    FILE *file = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
    size_t bytes = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    const Image image = {head, bytes};
    uint64_t type = number(&image, offsetof(Elf64_Ehdr, e_type), 2);
    return bytes >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0 &&
           (type == ET_EXEC || type == ET_DYN);
}

static void count_entry(const FatbinEntry *entry, void *context)
{
    BinaryFacts *facts = context;
    facts->ptx += entry->kind == FATBIN_PTX;
    facts->cubin += entry->kind == FATBIN_MACHINE_CODE;
}

static void copy_string(const Image *image, uint64_t at, char *out, size_t room)
{
    size_t n = 0;
    while (n + 1 < room && inside(image, at + n, 1) && image->data[at + n])
        out[n] = (char)image->data[at + n], ++n;
    out[n] = 0;
}

bool binary_is_compute(const char *name)
{
    static const char *const names[] = {"cublas",   "cublasLt", "cufft",    "cufftw",
                                        "cusolver", "curand",   "cusparse", "cudnn"};
    size_t length = strcspn(name, ".");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !memcmp(name, names[i], length))
            return true;
    return false;
}

static void read_dynamic(const Image *image, uint64_t at, uint64_t size, uint64_t strings,
                         BinaryFacts *facts)
{
    for (uint64_t i = 0; i + 16 <= size && inside(image, at + i, 16); i += 16) {
        uint64_t tag = number(image, at + i, 8), value = number(image, at + i + 8, 8);
        char name[64];
        if (tag == DT_NULL)
            return;
        if (tag == DT_RPATH)
            copy_string(image, strings + value, facts->rpath, sizeof facts->rpath);
        if (tag != DT_NEEDED)
            continue;
        copy_string(image, strings + value, name, sizeof name);
        if (strncmp(name, "libcudart.so", 12) == 0) {
            facts->needs_cudart = true;
            memcpy(facts->cudart, name, sizeof name);
        }
        facts->needs_driver |= strncmp(name, "libcuda.so", 10) == 0;
        if (!facts->compute[0] && !strncmp(name, "lib", 3) && binary_is_compute(name + 3))
            memcpy(facts->compute, name, sizeof name);
    }
}

void binary_inspect(const void *data, size_t bytes, BinaryFacts *facts)
{
    const Image image = {data, bytes};
    *facts = (BinaryFacts){0};
    if (bytes < sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0)
        return;
    facts->elf = true;
    static const char registers[] = "__cudaRegisterFunction";
    facts->kernels = memmem(data, bytes, registers, sizeof registers - 1) != NULL;
    uint64_t machine = number(&image, offsetof(Elf64_Ehdr, e_machine), 2);
#if defined(__x86_64__)
    uint64_t ours = EM_X86_64;
#elif defined(__aarch64__)
    uint64_t ours = EM_AARCH64;
#else
    uint64_t ours = machine;
#endif
    if (image.data[EI_CLASS] != ELFCLASS64 || machine != ours) {
        facts->foreign = true;
        return;
    }
    uint64_t table = number(&image, offsetof(Elf64_Ehdr, e_shoff), 8),
             count = number(&image, offsetof(Elf64_Ehdr, e_shnum), 2),
             names = number(&image, offsetof(Elf64_Ehdr, e_shstrndx), 2);
    if (!inside(&image, table, count * sizeof(Elf64_Shdr)) || names >= count)
        return;
    uint64_t name_data =
        number(&image, table + names * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_offset), 8);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t section = table + i * sizeof(Elf64_Shdr);
        uint64_t at = number(&image, section + offsetof(Elf64_Shdr, sh_offset), 8),
                 size = number(&image, section + offsetof(Elf64_Shdr, sh_size), 8),
                 type = number(&image, section + offsetof(Elf64_Shdr, sh_type), 4);
        char name[32];
        copy_string(&image, name_data + number(&image, section, 4), name, sizeof name);
        facts->ours |= strcmp(name, ".gpukit.runtime") == 0;
        bool relocatable = strcmp(name, "__nv_relfatbin") == 0;
        if ((relocatable || strcmp(name, ".nv_fatbin") == 0) && inside(&image, at, size)) {
            facts->fatbin = true;
            fatbin_scan(image.data + at, size, count_entry, facts);
        }
        if (type == SHT_DYNAMIC && inside(&image, at, size)) {
            uint64_t link = number(&image, section + offsetof(Elf64_Shdr, sh_link), 4);
            if (link < count)
                read_dynamic(
                    &image, at, size,
                    number(&image,
                           table + link * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_offset), 8),
                    facts);
        }
    }
}
