/* SPDX-License-Identifier: Apache-2.0
 *
 * Work in stream order, device addresses and CPU libraries for the shims (library.h). */
#include "libraries/library.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int lib_begin(const char *library)
{
    int error = rt_init();
    if (error || strcmp(rt_device()->kind, "cpu") == 0)
        return error;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool told;
    pthread_mutex_lock(&lock);
    if (!told)
        rt_message("%s: gpukit's own computes for the CPU engine only; for a GPU link the program "
                   "with -cudart shared and start it by gpukit run --device gpu, which then takes "
                   "NVIDIA's libraries",
                   library);
    told = true;
    pthread_mutex_unlock(&lock);
    return RT_NOT_SUPPORTED;
}

static void run(void *argument)
{
    LibCall *call = argument;
    call->failed = false;
    if (!rt_device()->sticky(0))
        call->run(call);
    if (call->kept)
        return;
    if (call->drop)
        call->drop(call);
    free(call);
}

int lib_submit(RtStream *stream, const LibCall *call, size_t bytes, bool wait)
{
    if (!stream)
        return RT_INVALID_HANDLE;
    int error = rt_device()->sticky(0);
    if (error)
        return error;
    bool captured = rt_capture_status(stream, NULL, NULL) != 0;
    if (captured && wait)
        return RT_CAPTURE_UNSUPPORTED;
    LibCall *own = xmalloc(bytes);
    memcpy(own, call, bytes);
    own->kept = captured;
    if (wait &&
        rt_stream_query(stream) == RT_OK) { /* no other thread for what is waited for at once */
        run(own);
        return rt_device()->sticky(0);
    }
    error = rt_stream_call(stream, run, own);
    if (error) {
        free(own);
        return error;
    }
    if (!wait)
        return RT_OK;
    error = rt_stream_wait(stream);
    return error ? error : rt_device()->sticky(0);
}

void *lib_reach(LibCall *call, const char *argument, const void *address, size_t bytes)
{
    if (!bytes || call->failed)
        return NULL;
    void *at = rt_reach(address, bytes);
    if (!at) {
        call->failed = true;
        rt_message("%s: %s = %p: %zu bytes from there are not in one allocation of device memory",
                   call->name, argument, address, bytes);
        rt_fault(700);
    }
    return at;
}

const void *lib_peek(const void *address, size_t bytes)
{
    const void *at = rt_reach(address, bytes);
    return at ? at : address;
}

bool lib_open(LibFile *file, const LibSymbol *symbols, size_t count)
{
    pthread_mutex_lock(&file->lock);
    if (!file->state) {
        file->state = 2;
        for (const char *const *name = file->files; *name && !file->handle; name++)
            file->handle = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        const char *missing = NULL;
        for (size_t i = 0; file->handle && !missing && i < count; i++) {
            void *symbol = dlsym(file->handle, symbols[i].symbol);
            if (symbol)
                memcpy(symbols[i].place, &symbol, sizeof symbol);
            else
                missing = symbols[i].symbol;
        }
        if (!file->handle)
            rt_message("%s needs %s, which was not found: apt install %s", file->purpose,
                       file->files[0], file->package);
        else if (missing)
            rt_message("%s: %s has no %s: apt install %s", file->purpose, file->files[0], missing,
                       file->package);
        else
            file->state = 1;
    }
    bool there = file->state == 1;
    pthread_mutex_unlock(&file->lock);
    return there;
}

int lib_threads(void)
{
    const char *text = getenv("GPUKIT_THREADS");
    return text ? atoi(text) : 0;
}
