/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program did with its device, as a file of JSON lines: a device wrapped around another. */
#ifndef GPUKIT_RUNTIME_TRACE_H
#define GPUKIT_RUNTIME_TRACE_H

#include "runtime/device.h"

/* With GPUKIT_TRACE=FILE set: the same device with every call of interest timed, else the device
 * itself. open_ms: what opening it took. */
const Device *trace_device(const Device *device, double open_ms);

#endif
