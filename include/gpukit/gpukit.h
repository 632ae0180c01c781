/* SPDX-License-Identifier: Apache-2.0
 *
 * gpukit as a C library: load a module from PTX or a fat binary, launch its kernels on the CPU or
 * on a GPU, move memory, wait. Link with -lgpukit.
 *
 *     GpukitContext *context;
 *     if (gpukit_open("cpu", &context)) puts(gpukit_error_text(NULL));
 *
 * Every function that can fail returns a GpukitStatus: 0, or a CUDA error number (2 out of memory,
 * 218 bad PTX, 500 no such kernel, 700 illegal address ...); gpukit_error_text says more. Kernel
 * errors come with a later call, as on a GPU, and stay until gpukit_reset. All functions may be
 * called from several threads. Sizes count bytes. */
#ifndef GPUKIT_GPUKIT_H
#define GPUKIT_GPUKIT_H

#include <stddef.h>
#include <stdint.h>

#ifndef GPUKIT_API
#define GPUKIT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GPUKIT_VERSION_MAJOR 0
#define GPUKIT_VERSION_MINOR 1

typedef int GpukitStatus; /* 0: success */
typedef struct GpukitContext GpukitContext;
typedef struct GpukitModule GpukitModule;
typedef struct GpukitKernel GpukitKernel;
typedef struct GpukitStream GpukitStream;

/* "0.1.0", of the library that is loaded. Static. */
GPUKIT_API const char *gpukit_version(void);

/* device: "cpu", "gpu" (the real one), "auto" (a GPU if there is one), NULL: what the environment
 * variable GPUKIT_DEVICE says, else "cpu". A process has one device: a second open of another kind
 * gives 101. Close what you open; the last close waits for all work. */
GPUKIT_API GpukitStatus gpukit_open(const char *device, GpukitContext **out);
GPUKIT_API void gpukit_close(GpukitContext *context);
/* Waits for everything and clears an error that a kernel left. Memory and modules stay. On a GPU such
 * an error is final to the process: it is returned. */
GPUKIT_API GpukitStatus gpukit_reset(GpukitContext *context);

/* Name of an error: "CUDA_ERROR_ILLEGAL_ADDRESS"; NULL for a number that is none. Static. */
GPUKIT_API const char *gpukit_status_name(GpukitStatus status);
/* What went wrong in this thread's last failing call, with kernel, block and address where they are
 * known; "" when nothing has. Valid until the thread's next call. */
GPUKIT_API const char *gpukit_error_text(GpukitContext *context);

typedef struct {
    size_t struct_bytes; /* set it to sizeof(GpukitDeviceInfo) */
    char name[256];      /* of the GPU, or of the one that the CPU engine describes */
    const char *kind;    /* "cpu" or "gpu" */
    int cc_major, cc_minor, multiprocessors, max_threads_per_block;
    size_t memory, shared_per_block; /* bytes */
} GpukitDeviceInfo;
GPUKIT_API GpukitStatus gpukit_device_info(GpukitContext *context, GpukitDeviceInfo *out);

/* image: PTX text or a fat binary of `bytes` bytes; copied. */
GPUKIT_API GpukitStatus gpukit_module_load(GpukitContext *context, const void *image, size_t bytes,
                                           GpukitModule **out);
GPUKIT_API GpukitStatus gpukit_module_load_file(GpukitContext *context, const char *path,
                                                GpukitModule **out);
/* Waits for the module's kernels; its kernels and variables end with it. NULL is allowed. */
GPUKIT_API void gpukit_module_free(GpukitModule *module);
/* Borrowed from the module. name: as in the PTX. */
GPUKIT_API GpukitStatus gpukit_module_kernel(GpukitModule *module, const char *name,
                                             GpukitKernel **out);
GPUKIT_API GpukitStatus gpukit_module_variable(GpukitModule *module, const char *name,
                                               void **address, size_t *bytes);

typedef enum {
    GPUKIT_DEVICE_MEMORY, /* for kernels only: the host's own use faults */
    GPUKIT_MANAGED_MEMORY,
    GPUKIT_PINNED_MEMORY,
} GpukitMemoryKind;
GPUKIT_API GpukitStatus gpukit_alloc(GpukitContext *context, GpukitMemoryKind kind, size_t bytes,
                                     void **out);
GPUKIT_API GpukitStatus gpukit_free(GpukitContext *context, void *address);
/* Between any two addresses; returns when it is done. */
GPUKIT_API GpukitStatus gpukit_copy(GpukitContext *context, void *dst, const void *src,
                                    size_t bytes);
/* In the stream's order; pageable host memory may be used again on return. */
GPUKIT_API GpukitStatus gpukit_copy_async(GpukitStream *stream, void *dst, const void *src,
                                          size_t bytes);
GPUKIT_API GpukitStatus gpukit_fill(GpukitStream *stream, void *dst, int byte, size_t bytes);

/* A stream does its work in order and beside others. */
GPUKIT_API GpukitStatus gpukit_stream_new(GpukitContext *context, GpukitStream **out);
GPUKIT_API void gpukit_stream_free(GpukitStream *stream); /* its work still runs; NULL is allowed */
GPUKIT_API GpukitStatus gpukit_stream_wait(GpukitStream *stream);
GPUKIT_API GpukitStatus gpukit_wait(GpukitContext *context); /* for everything */

/* grid, block: x, y, z. arguments: one pointer per kernel parameter, read before the call returns.
 * Returns at once; the kernel's own errors come with a wait. 9: impossible grid or block. */
GPUKIT_API GpukitStatus gpukit_launch(GpukitStream *stream, GpukitKernel *kernel,
                                      const uint32_t grid[3], const uint32_t block[3],
                                      size_t shared_bytes, void *const *arguments);

#ifdef __cplusplus
}
#endif

#endif
