/* SPDX-License-Identifier: Apache-2.0
 * What a built program brings along: CUDA code of which kind, and which CUDA runtime it wants. */
#ifndef GPUKIT_SOURCE_BINARY_H
#define GPUKIT_SOURCE_BINARY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool elf;
    bool foreign;   /* not for this machine: 32-bit or another processor */
    bool fatbin;    /* has a .nv_fatbin section */
    int ptx, cubin; /* entries found in it */
    bool kernels;   /* it names __cudaRegisterFunction; nvcc links some machine code without any */
    bool needs_cudart, needs_driver;
    bool ours;        /* linked with gpukit's libcudart_static.a */
    char cudart[64];  /* "libcudart.so.13" */
    char compute[64]; /* the first of cuBLAS, cuFFT and so on that it links: "libcublas.so.13" */
    char rpath[256];  /* DT_RPATH, which the loader prefers to LD_LIBRARY_PATH */
} BinaryFacts;

/* Never fails: what cannot be read is left unset. Any bytes are safe input. */
void binary_inspect(const void *image, size_t bytes, BinaryFacts *facts);

/* Whether the file is an ELF program or shared library: linked, nothing that a linker takes whole. */
bool binary_is_linked(const char *path);

/* Whether a library, "cublas" or "cublas.so.13", computes on the device with its runtime. */
bool binary_is_compute(const char *name);

#endif
