/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvJitLink for programs that link PTX before they load it (numba, cuda.core): the "cubin" that
 * comes out is the linked PTX, which gpukit's libcuda takes. Machine code and LTO-IR of NVIDIA's
 * are refused by name; gpukit's own libnvrtc gives PTX in their place, which is taken. Options are
 * NVIDIA's compiler's and change nothing here. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/handles.h"
#include "runtime/rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID_INPUT = 3, INTERNAL = 6, UNRECOGNIZED_INPUT = 8, NULL_INPUT = 10 };
enum { INPUT_CUBIN = 1, INPUT_PTX, INPUT_LTOIR, INPUT_FATBIN, INPUT_ANY = 10 };

typedef struct {
    VEC(char *) texts;
    VEC(size_t) sizes;
    char *linked;
    char log[512];
} Link;

static Handles links = HANDLES_NONE;

static bool known(const Link *link)
{
    return handles_has(&links, link);
}

/* Each function has its plain name and the versioned one that the toolkit's header calls. */
#define API(name, ...)                                                                             \
    RT_API int nvJitLink##name(__VA_ARGS__);                                                       \
    RT_API int __nvJitLink##name##_13_0(__VA_ARGS__) __attribute__((alias("nvJitLink" #name)));    \
    RT_API int __nvJitLink##name##_12_0(__VA_ARGS__) __attribute__((alias("nvJitLink" #name)));    \
    int nvJitLink##name(__VA_ARGS__)

API(Create, Link **out, uint32_t count, const char **options)
{
    (void)count, (void)options;
    if (!out)
        return NULL_INPUT;
    if (rt_init())
        return INTERNAL;
    Link *link = xcalloc(1, sizeof *link);
    handles_add(&links, link);
    *out = link;
    return OK;
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
    if (!known(link) || !data || !bytes)
        return NULL_INPUT;
    /* NVIDIA's device runtime (grid barriers, launches in kernels): the engine has its own */
    if (bytes > 8 && !memcmp(data, "!<arch>\n", 8) && name && strstr(name, "cudadevrt"))
        return OK;
    char *text;
    size_t length;
    bool may_be_text = (type >= INPUT_CUBIN && type <= INPUT_FATBIN) || type == INPUT_ANY;
    if (!may_be_text || rt_image_text(data, bytes, &text, &length)) {
        snprintf(link->log, sizeof link->log,
                 "gpukit: nvJitLinkAddData: input of type %d%s: only PTX and fat binaries with PTX "
                 "are supported",
                 type,
                 type == INPUT_LTOIR                          ? " (LTO-IR)"
                 : type == INPUT_CUBIN                        ? " (machine code)"
                 : bytes > 8 && !memcmp(data, "!<arch>\n", 8) ? " (an archive)"
                                                              : "");
        return UNRECOGNIZED_INPUT;
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
    if (!link->texts.count)
        return INVALID_INPUT;
    return rt_ptx_link((const char *const *)link->texts.items, link->sizes.items, link->texts.count,
                       &link->linked, link->log, sizeof link->log)
               ? INVALID_INPUT
               : OK;
}

API(GetLinkedPtxSize, Link *link, size_t *bytes)
{
    if (!known(link) || !link->linked || !bytes)
        return NULL_INPUT;
    *bytes = strlen(link->linked) + 1;
    return OK;
}

API(GetLinkedPtx, Link *link, char *out)
{
    if (!known(link) || !link->linked || !out)
        return NULL_INPUT;
    strcpy(out, link->linked);
    return OK;
}

API(GetLinkedCubinSize, Link *link, size_t *bytes)
{
    return nvJitLinkGetLinkedPtxSize(link, bytes);
}

API(GetLinkedCubin, Link *link, void *out)
{
    return nvJitLinkGetLinkedPtx(link, out);
}

API(GetErrorLogSize, Link *link, size_t *bytes)
{
    if (!known(link) || !bytes)
        return NULL_INPUT;
    *bytes = strlen(link->log) + 1;
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
    *bytes = 1;
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
