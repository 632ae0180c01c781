/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU device's arrays, texture and surface objects: entries of its table (device.h). */
#ifndef GPUKIT_RUNTIME_CPU_ARRAY_H
#define GPUKIT_RUNTIME_CPU_ARRAY_H

#include "runtime/device.h"

int cpu_array_new(const DevArrayShape *shape, DevArray **out);
int cpu_array_free(DevArray *array);
int cpu_mipmap_new(const DevArrayShape *shape, unsigned levels, DevMipmap **out);
int cpu_mipmap_level(DevMipmap *mipmap, unsigned level, DevArray **out);
int cpu_mipmap_free(DevMipmap *mipmap);
/* Puts addresses in place of arrays; false: the copy leaves an array. */
bool cpu_array_flat(DevCopy *copy);
int cpu_texture_new(const DevTexels *texels, const DevSampler *sampler, uint64_t *handle);
int cpu_texture_free(uint64_t handle, bool surface);

#endif
