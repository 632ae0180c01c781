/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library shims (cuBLAS, cuFFT, ...) share: work in stream order on the host, device
 * addresses, CPU libraries opened when first needed. A call of theirs becomes a host function of
 * its stream, so it runs after the kernels before it and before those behind it, and the caller
 * goes on. They compute for the CPU engine; on a real GPU NVIDIA's own libraries do. */
#ifndef GPUKIT_LIBRARIES_LIBRARY_H
#define GPUKIT_LIBRARIES_LIBRARY_H

#include "runtime/rt.h"

/* The head of every piece of work; what it works on stands behind it. */
typedef struct LibCall LibCall;
struct LibCall {
    void (*run)(LibCall *call);
    const char *name;            /* of the API function, for messages */
    void (*drop)(LibCall *call); /* frees what the call owns, after it ran; may be NULL */
    bool kept;                   /* part of a graph: runs again, never freed */
    bool failed;
};

/* Opens the runtime; 0, or a CUDA error. On a GPU it says whose library is needed there. */
int lib_begin(const char *library);
/* Copies the call (bytes: with what stands behind the head) and runs it on the stream; wait:
 * returns when it ran, with the device's error. A captured stream gets a host node. */
int lib_submit(RtStream *stream, const LibCall *call, size_t bytes, bool wait);
/* The host's view of device memory; NULL for no bytes. Memory that is not all there fails the call
 * and is the error 700 of a kernel that touched it; the message names the call and the argument. */
void *lib_reach(LibCall *call, const char *argument, const void *address, size_t bytes);
/* Bytes of so many elements; what cannot be counted is more than any memory has. */
static inline size_t lib_bytes(int64_t count, size_t width)
{
    size_t bytes;
    return count < 0 || __builtin_mul_overflow((size_t)count, width, &bytes) ? SIZE_MAX : bytes;
}
/* For the caller's side: readable now (host memory, or memory of the device). */
const void *lib_peek(const void *address, size_t bytes);

/* A CPU library's functions: rows of names and places, filled once. */
typedef struct {
    const char *symbol;
    void *place; /* of a function pointer */
} LibSymbol;
/* Opens the first library that is there and fills the rows. On failure one message that names the
 * purpose and the package; false ever after. */
typedef struct {
    const char *purpose, *package;
    const char *const *files; /* NULL behind the last */
    pthread_mutex_t lock;
    int state; /* 0 untried, 1 there, 2 missing */
    void *handle;
} LibFile;
bool lib_open(LibFile *file, const LibSymbol *symbols, size_t count);

/* Threads that a CPU library may use: GPUKIT_THREADS, else 0 (its own choice). */
int lib_threads(void);

#endif
