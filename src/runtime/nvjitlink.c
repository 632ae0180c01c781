/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvJitLink for programs that link PTX before they load it (numba, cuda.core): the "cubin" that
 * comes out is the linked PTX, which gpukit's libcuda takes. Machine code and LTO-IR of NVIDIA's
 * are refused by name; gpukit's own libnvrtc gives PTX in their place, which is taken. Options are
 * NVIDIA's compiler's: they are checked and change nothing here. What each call returns is what version 13.0 of
 * NVIDIA's does, except that wrong handles are an error. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/handles.h"
#include "runtime/rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OK = 0,
    UNRECOGNIZED_OPTION = 1,
    MISSING_ARCH = 2,
    INVALID_INPUT = 3,
    INTERNAL = 6,
    UNRECOGNIZED_INPUT = 8,
    NULL_INPUT = 10,
    INCOMPATIBLE_OPTIONS = 11,
    INCORRECT_INPUT_TYPE = 12,
    UNRECOGNIZED_ARCH = 16
};
enum { INPUT_CUBIN = 1, INPUT_PTX, INPUT_LTOIR, INPUT_FATBIN, INPUT_INDEX = 7, INPUT_ANY = 10 };

typedef struct {
    VEC(char *) texts;
    VEC(size_t) sizes;
    char *linked;
    bool gives_ptx;
    char log[512];
} Link;

static Handles links = HANDLES_NONE;

static bool known(const Link *link)
{
    return handles_has(&links, link);
}

/* Each function has its plain name and those that the toolkits' headers call, one per version. */
#define VERSIONED(name, version, ...)                                                              \
    RT_API int __nvJitLink##name##_##version(__VA_ARGS__) __attribute__((alias("nvJitLin"          \
                                                                               "k" #name)));
#define API(name, ...)                                                                             \
    RT_API int nvJitLink##name(__VA_ARGS__);                                                       \
    VERSIONED(name, 12_0, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_1, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_2, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_3, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_4, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_5, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_6, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_7, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_8, __VA_ARGS__)                                                             \
    VERSIONED(name, 12_9, __VA_ARGS__)                                                             \
    VERSIONED(name, 13_0, __VA_ARGS__)                                                             \
    VERSIONED(name, 13_1, __VA_ARGS__)                                                             \
    VERSIONED(name, 13_2, __VA_ARGS__)                                                             \
    int nvJitLink##name(__VA_ARGS__)

/* Options as documented; with '=' something must follow. */
static const char *const known_options[] = {
    "-arch=",
    "-maxrregcount=",
    "-time",
    "-verbose",
    "-lto",
    "-ptx",
    "-O",
    "-O0",
    "-O3",
    "-O=0",
    "-O=3",
    "-g",
    "-lineinfo",
    "-ftz=",
    "-prec-div=",
    "-prec-sqrt=",
    "-fma=",
    "-kernels-used=",
    "-variables-used=",
    "-optimize-unused-variables",
    "-Xptxas=",
    "-Xnvvm=",
    "-split-compile=",
    "-split-compile-extended=",
    "-jump-table-density=",
    "-no-cache",
    "-device-stack-protector=",
};

static bool is_option(const char *text)
{
    for (size_t i = 0; i < sizeof known_options / sizeof *known_options; i++) {
        const char *option = known_options[i];
        size_t length = strlen(option);
        bool takes = option[length - 1] == '=';
        if (takes ? !strncmp(text, option, length) && text[length] : !strcmp(text, option))
            return true;
    }
    return false;
}

static int options_check(Link *link, uint32_t count, const char **options)
{
    const char *arch = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!options[i] || !is_option(options[i])) {
            snprintf(link->log, sizeof link->log, "unrecognized option: %s\n",
                     options[i] ? options[i] : "");
            return UNRECOGNIZED_OPTION;
        }
        if (!strncmp(options[i], "-arch=", 6))
            arch = options[i] + 6;
        link->gives_ptx |= !strcmp(options[i], "-ptx");
    }
    if (!arch)
        return MISSING_ARCH;
    bool is_virtual = !strncmp(arch, "compute_", 8), real = !strncmp(arch, "sm_", 3);
    char *end = NULL;
    long number = is_virtual || real ? strtol(strchr(arch, '_') + 1, &end, 10) : 0;
    if (number < 50 || number > 199 || (*end && strcmp(end, "a") != 0 && strcmp(end, "f") != 0)) {
        snprintf(link->log, sizeof link->log, "unrecognized architecture: %s\n", arch);
        return UNRECOGNIZED_ARCH;
    }
    if (is_virtual && !link->gives_ptx) {
        snprintf(link->log, sizeof link->log, "-arch=%s needs -ptx\n", arch);
        return INCOMPATIBLE_OPTIONS;
    }
    return OK;
}

/* The handle is there also with options that are wrong: the log says which. */
API(Create, Link **out, uint32_t count, const char **options)
{
    if (!out || (count && !options))
        return NULL_INPUT;
    if (rt_init())
        return INTERNAL;
    Link *link = xcalloc(1, sizeof *link);
    handles_add(&links, link);
    *out = link;
    return options_check(link, count, options);
}

API(Destroy, Link **link)
{
    if (!link || !handles_remove(&links, *link))
        return NULL_INPUT;
    for (size_t i = 0; i < (*link)->texts.count; i++)
        free((*link)->texts.items[i]);
    VEC_FREE((*link)->texts);
    VEC_FREE((*link)->sizes);
    free((*link)->linked);
    free(*link);
    *link = NULL;
    return OK;
}

API(AddData, Link *link, int type, const void *data, size_t bytes, const char *name)
{
    if (!known(link))
        return NULL_INPUT;
    if (!data || !bytes)
        return INVALID_INPUT;
    /* NVIDIA's device runtime (grid barriers, launches in kernels): the engine has its own */
    if (bytes > 8 && !memcmp(data, "!<arch>\n", 8) && name && strstr(name, "cudadevrt"))
        return OK;
    char *text;
    size_t length;
    if (type < INPUT_CUBIN || (type > INPUT_INDEX && type != INPUT_ANY))
        return INCORRECT_INPUT_TYPE;
    bool may_be_text = type <= INPUT_FATBIN || type == INPUT_ANY;
    int error = may_be_text ? rt_image_text(data, bytes, &text, &length) : RT_INVALID_IMAGE;
    if (!error && !strstr(text, ".version")) {
        free(text);
        error = RT_INVALID_IMAGE;
    }
    if (error) {
        snprintf(link->log, sizeof link->log,
                 "gpukit: nvJitLinkAddData: input of type %d%s: only PTX and fat binaries with PTX "
                 "are supported",
                 type,
                 type == INPUT_LTOIR                          ? " (LTO-IR)"
                 : type == INPUT_CUBIN                        ? " (machine code)"
                 : bytes > 8 && !memcmp(data, "!<arch>\n", 8) ? " (an archive)"
                                                              : "");
        return may_be_text ? INCORRECT_INPUT_TYPE : UNRECOGNIZED_INPUT;
    }
    VEC_PUSH(link->texts, text);
    VEC_PUSH(link->sizes, length);
    return OK;
}

API(AddFile, Link *link, int type, const char *path)
{
    Buf text = {0};
    int error = path && !fs_read(path, &text)
                    ? nvJitLinkAddData(link, type, buf_text(&text), text.count, path)
                    : INVALID_INPUT;
    buf_free(&text);
    return error;
}

API(Complete, Link *link)
{
    if (!known(link))
        return NULL_INPUT;
    free(link->linked);
    link->linked = NULL;
    if (!link->texts.count) {
        link->linked = xstrdup(".version 8.0\n.target sm_50\n.address_size 64\n");
        return OK;
    }
    return rt_ptx_link((const char *const *)link->texts.items, link->sizes.items, link->texts.count,
                       &link->linked, link->log, sizeof link->log)
               ? INTERNAL
               : OK;
}

static int size_of_linked(const Link *link, size_t *bytes)
{
    if (!known(link) || !link->linked || !bytes)
        return NULL_INPUT;
    *bytes = strlen(link->linked) + 1;
    return OK;
}

static int linked(const Link *link, char *out)
{
    if (!known(link) || !link->linked || !out)
        return NULL_INPUT;
    strcpy(out, link->linked);
    return OK;
}

API(GetLinkedPtxSize, Link *link, size_t *bytes)
{
    int error = size_of_linked(link, bytes);
    return error ? error : link->gives_ptx ? OK : INVALID_INPUT;
}

API(GetLinkedPtx, Link *link, char *out)
{
    return known(link) && !link->gives_ptx ? INVALID_INPUT : linked(link, out);
}

API(GetLinkedCubinSize, Link *link, size_t *bytes)
{
    return size_of_linked(link, bytes);
}

API(GetLinkedCubin, Link *link, void *out)
{
    return linked(link, out);
}

API(GetErrorLogSize, Link *link, size_t *bytes)
{
    if (!known(link) || !bytes)
        return NULL_INPUT;
    *bytes = *link->log ? strlen(link->log) + 1 : 0;
    return OK;
}

API(GetErrorLog, Link *link, char *out)
{
    if (!known(link) || !out)
        return NULL_INPUT;
    strcpy(out, link->log);
    return OK;
}

API(GetInfoLogSize, Link *link, size_t *bytes)
{
    if (!known(link) || !bytes)
        return NULL_INPUT;
    *bytes = 0;
    return OK;
}

API(GetInfoLog, Link *link, char *out)
{
    if (!known(link) || !out)
        return NULL_INPUT;
    *out = 0;
    return OK;
}

/* 12.0: callers use LTO-IR from 12.3 on, and the driver's linker below. */
RT_API int nvJitLinkVersion(unsigned *major, unsigned *minor);
int nvJitLinkVersion(unsigned *major, unsigned *minor)
{
    if (!major || !minor)
        return NULL_INPUT;
    *major = 12;
    *minor = 0;
    return OK;
}
