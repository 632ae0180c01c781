/* SPDX-License-Identifier: Apache-2.0
 * Separate compilation (-rdc): the registration that joins the parts of a program. */
#ifndef GPUKIT_SOURCE_RELOCATABLE_H
#define GPUKIT_SOURCE_RELOCATABLE_H

#include "source/toolchain.h"

/* Writes an object that defines what the relocatable objects among the inputs call at start
 * (archives too, named by path or by -l). *found tells whether there are any; without any nothing
 * is written. wanted, unless NULL, gets linker options: device code of an archive may be needed
 * where no host code asks for its member. Its functions are weak: a program that was device-linked
 * before keeps what it has, when the object stands last on the command line. False when it cannot
 * be made. */
bool relocatable_stub(Toolchain *tools, const char *const *inputs, int count, const char *object,
                      bool *found, SourceArgs *wanted);

#endif
