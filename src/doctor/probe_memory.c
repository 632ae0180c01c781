/* SPDX-License-Identifier: Apache-2.0
 * Main memory and swap, from /proc/meminfo. */
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>

static long long kib_line(const char *text, const char *name)
{
    const char *at = text ? strstr(text, name) : NULL;
    return at ? strtoll(at + strlen(name), NULL, 10) * 1024 : -1;
}

void probe_memory(Doctor *doctor)
{
    const char *info = machine_read(doctor->machine, "/proc/meminfo");
    doctor->memory.total = kib_line(info, "MemTotal:");
    doctor->memory.available = kib_line(info, "MemAvailable:");
    doctor->memory.swap = kib_line(info, "SwapTotal:");
}
