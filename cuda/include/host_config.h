/* SPDX-License-Identifier: Apache-2.0
 * Nothing: gpukit needs no settings of the host compiler. */
#include "host_defines.h"
