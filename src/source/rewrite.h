/* SPDX-License-Identifier: Apache-2.0
 * What nvcc takes and clang does not: kernel launches in device functions (dynamic parallelism),
 * __cluster_dims__, alignas behind __shared__. */
#ifndef GPUKIT_SOURCE_REWRITE_H
#define GPUKIT_SOURCE_REWRITE_H

#include "source/toolchain.h"

/* Appends the text with each kernel<<<...>>> of a device function written as a call of
 * gpukit::device_launch (cuda/include/gpukit/device_launch.h), if launches says so, and each
 * __cluster_dims__ of a kernel's definition as a call of gpukit::cluster_dims in it, and alignas moved
 * before memory specifiers; lines are kept.
 * False when there is none; out then has the text unchanged. */
bool rewrite_text(const char *text, size_t bytes, bool launches, Buf *out);
/* An overlay file for clang that puts rewritten texts in the place of the source and of the headers
 * that it includes by "..."; NULL when nothing is to rewrite. */
const char *rewrite_overlay(Toolchain *tools, const char *input);

#endif
