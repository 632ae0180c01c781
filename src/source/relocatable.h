/* SPDX-License-Identifier: Apache-2.0
 * Separate compilation (-rdc): the registration that joins the parts of a program. */
#ifndef GPUKIT_SOURCE_RELOCATABLE_H
#define GPUKIT_SOURCE_RELOCATABLE_H

#include "source/toolchain.h"

/* An object that defines what the relocatable objects among the inputs call at start; NULL in
 * *object when there are none. False when it cannot be made. */
bool relocatable_stub(Toolchain *tools, const char *const *inputs, int count, const char **object);

#endif
