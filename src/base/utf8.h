/* SPDX-License-Identifier: Apache-2.0
 *
 * UTF-8: names from the file system may hold any bytes; JSON, HTML and model files may not. */
#ifndef GPUKIT_BASE_UTF8_H
#define GPUKIT_BASE_UTF8_H

#include <stdbool.h>

bool utf8_valid(const char *text);
/* A copy with U+FFFD for each byte that belongs to no character; malloc'd. */
char *utf8_clean(const char *text);

#endif
