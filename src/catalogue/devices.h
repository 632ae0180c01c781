/* SPDX-License-Identifier: Apache-2.0
 *
 * Described devices: the limits and rates of the GPUs that gpukit can pretend to be (`--as T4`).
 * A small table compiled in, without the catalogue database; prices and the other cards are in
 * catalogue.h. */
#ifndef GPUKIT_CATALOGUE_DEVICES_H
#define GPUKIT_CATALOGUE_DEVICES_H

#include <stddef.h>

typedef struct {
    const char *id;   /* "H200" */
    const char *name; /* as cudaDeviceProp.name */
    const char *arch; /* "Hopper" */
    int cc_major, cc_minor;
    int sms, cores;
    int clock_mhz; /* boost */
    size_t mem_bytes;
    int bus_bits, mem_mhz; /* two transfers per clock */
    size_t l2_bytes;
    int shared_per_sm, shared_per_block; /* bytes; per block after opting in */
    int regs_per_sm, threads_per_sm, blocks_per_sm;
    double gb_s;                                         /* 1e9 bytes/s, data sheet */
    double fp32_tflops, fp64_tflops, fp16_tensor_tflops; /* dense; 0 = unknown */
    const char *source;
} CatalogueDevice;

#define CATALOGUE_DEFAULT_DEVICE "H200"

/* The device of that id or full name; letter case, spaces, '-' and '_' do not matter and "NVIDIA",
 * "Tesla" and "GeForce" may be left out. NULL asks for the default, H200. NULL when unknown. */
const CatalogueDevice *catalogue_device(const char *name);
/* All of them, in order of age. */
const CatalogueDevice *catalogue_devices(int *count);
/* "P100, V100, ..." for an error message; static. */
const char *catalogue_device_names(void);

#endif
