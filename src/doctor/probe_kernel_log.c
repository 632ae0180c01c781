/* SPDX-License-Identifier: Apache-2.0
 * What the kernel wrote about the NVIDIA driver. Reading it may need root: then the report says
 * so instead of keeping silent. */
#include "doctor/doctor.h"

#include <string.h>

static bool about_driver(const char *line)
{
    return strstr(line, "NVRM") || strstr(line, "nvidia") || strstr(line, "Key was rejected");
}

void probe_kernel_log(Doctor *doctor)
{
    if (!doctor->nvidia_cards && !doctor->driver.loaded && doctor->nvml_count <= 0)
        return;
    size_t count;
    const char *text = machine_read_head(doctor->machine, "/dev/kmsg", 4 << 20, &count);
    doctor->kernel_log_readable = text != NULL;
    if (!text) {
        machine_note_unreadable(
            doctor->machine, "/dev/kmsg",
            "the kernel log needs root here: `sudo gpukit doctor` reads it too");
        return;
    }
    Buf kept = {0};
    Names lines = split(doctor->arena, text, '\n');
    for (size_t i = 0; i < lines.count; ++i) {
        const char *line = lines.items[i];
        if (!about_driver(line))
            continue;
        buf_printf(&kept, "%s%s", kept.count ? "\n" : "", line);
        const char *message = strchr(line, ';'); /* "6,339,5140900,-;NVRM: ..." */
        VEC_PUSH(doctor->kernel_log, message ? message + 1 : line);
    }
    machine_record(doctor->machine, 'f', "/dev/kmsg", buf_text(&kept));
    buf_free(&kept);
}
