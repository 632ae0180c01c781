/* SPDX-License-Identifier: Apache-2.0
 *
 * libcudart_static.a: every runtime function as a jump into gpukit's libcudart, which is opened
 * before the program's own constructors run. nvcc's objects and build systems that ask for the
 * static runtime link with it; the engine itself stays a shared library. Where that cannot be
 * found, the first call says so and each returns cudaErrorInsufficientDriver, as NVIDIA's static
 * runtime does without a driver. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libcudart.so.13"

#if defined(__x86_64__)
#define JUMP(name) "\tendbr64\n\tjmp *gk_slot_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name)                                                                                 \
    "\tadrp x16, gk_slot_" #name "\n\tldr x16, [x16, #:lo12:gk_slot_" #name "]\n\tbr x16\n"
#else
#error "libcudart_static.a: no jumps for this processor"
#endif

#define FULL(name)                                                                                 \
    __attribute__((used)) static void *gk_slot_##name;                                             \
    __asm__(".text\n\t.globl " #name "\n\t.hidden " #name "\n\t.type " #name ", @function\n" #name \
            ":\n" JUMP(name) "\t.size " #name ", .-" #name "\n");
#define HINT(name)    FULL(name)
#define REFUSED(name) FULL(name)
#include "runtime/api.def"
#undef FULL

static const struct {
    const char *name;
    void **slot;
} functions[] = {
#define FULL(name) {#name, &gk_slot_##name},
#include "runtime/api.def"
#undef FULL
#undef HINT
#undef REFUSED
};

/* By this gpukit run knows the program. */
__attribute__((used, section(".gpukit.runtime"))) static const char library_dir[] = GK_LIBRARY_DIR;

static int absent(void)
{
    static int said;
    if (!said++)
        fputs("gpukit: gpukit's " LIBRARY " was not found, neither in " GK_LIBRARY_DIR
              " nor on LD_LIBRARY_PATH\n  help: set GPUKIT_LIBRARY_DIR to its folder, or start the "
              "program by: gpukit run\n",
              stderr);
    return 35; /* cudaErrorInsufficientDriver */
}

static const char *absent_text(void)
{
    absent();
    return "gpukit's libcudart was not found";
}

/* Another vendor's library of the same name will not do. */
static void *open_ours(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (library && !dlsym(library, "gpukit_alloc")) {
        dlclose(library);
        library = NULL;
    }
    return library;
}

static void *open_runtime(void)
{
    char path[4096];
    const char *chosen = getenv("GPUKIT_LIBRARY_DIR");
    snprintf(path, sizeof path, "%s/" LIBRARY, chosen && chosen[0] ? chosen : library_dir);
    void *library = open_ours(path);
    return library ? library : open_ours(LIBRARY);
}

__attribute__((constructor(101))) static void connect_all(void)
{
    void *library = open_runtime();
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        void *found = library ? dlsym(library, functions[i].name) : NULL;
        if (!found)
            found = strncmp(functions[i].name, "cudaGetError", 12) == 0
                        ? (void *)(size_t)absent_text
                        : (void *)(size_t)absent;
        *functions[i].slot = found;
    }
}
