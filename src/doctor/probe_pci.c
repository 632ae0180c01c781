/* SPDX-License-Identifier: Apache-2.0
 * Graphics and compute cards on the PCI bus: who made them, which driver owns them, whether they
 * sleep. sysfs answers without waking a card. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASS_DISPLAY = 0x03, CLASS_ACCELERATOR = 0x12, PCI_IDS_LIMIT = 4 << 20 };

/* Name from the list of PCI ids that many distributions install; NULL without it. */
static const char *card_name(Doctor *doctor, long vendor, long device)
{
    size_t count;
    static const char *const lists[] = {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"};
    const char *text = NULL;
    for (int i = 0; i < 2 && !text; ++i)
        text = machine_read_head(doctor->machine, lists[i], PCI_IDS_LIMIT, &count);
    if (!text)
        return NULL;
    const char *start = strstr(text, arena_printf(doctor->arena, "\n%04lx  ", vendor));
    const char *wanted = arena_printf(doctor->arena, "\t%04lx  ", device);
    for (const char *line = start ? start + 1 : NULL; line;) {
        const char *next = strchr(line, '\n');
        if (!next)
            break;
        line = next + 1;
        if (*line != '\t' && *line != '#')
            break;
        if (strncmp(line, wanted, strlen(wanted)) == 0)
            return arena_strndup(doctor->arena, line + strlen(wanted),
                                 strcspn(line + strlen(wanted), "\n"));
    }
    return NULL;
}

static long number(Machine *machine, const char *base, const char *name)
{
    const char *text = machine_readf(machine, "%s/%s", base, name);
    return text ? strtol(text, NULL, 10) : 0;
}

/* A slot or riser with fewer lanes shows at the card or at any bridge above it. */
static void probe_link(Doctor *doctor, const char *base, PciGpu *gpu)
{
    Machine *machine = doctor->machine;
    gpu->width = number(machine, base, "current_link_width");
    gpu->width_max = number(machine, base, "max_link_width");
    gpu->speed = machine_readf(machine, "%s/current_link_speed", base);
    const char *real = machine_real(machine, base);
    char path[4096];
    snprintf(path, sizeof path, "%s", real ? real : "");
    for (char *slash; (slash = strrchr(path, '/')) && slash > path; *slash = 0) {
        if (strlen(slash + 1) != strlen("0000:00:00.0") || slash[5] != ':')
            break;
        long now = number(machine, path, "current_link_width");
        long best = number(machine, path, "max_link_width");
        /* A bridge's best may be more than the card can use: the card's best is what counts. */
        long wanted = gpu->width_max && best > gpu->width_max ? gpu->width_max : best;
        if (now > 0 && wanted > 0 && wanted <= 32 && now < wanted && !gpu->narrow_at) {
            gpu->narrow_at = arena_strdup(doctor->arena, slash + 1);
            gpu->narrow_width = now;
            gpu->narrow_max = wanted;
        }
    }
}

void probe_pci(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    const char *folder = "/sys/bus/pci/devices";
    Names slots = machine_list(machine, folder, "*");
    for (size_t i = 0; i < slots.count; ++i) {
        const char *base = arena_printf(doctor->arena, "%s/%s", folder, slots.items[i]);
        const char *class_text = machine_readf(machine, "%s/class", base);
        long class_code = class_text ? strtol(class_text, NULL, 16) : 0;
        if (class_code >> 16 != CLASS_DISPLAY && class_code >> 16 != CLASS_ACCELERATOR)
            continue;
        PciGpu gpu = {.slot = slots.items[i], .class_code = class_code};
        const char *text = machine_readf(machine, "%s/vendor", base);
        gpu.vendor = text ? strtol(text, NULL, 16) : 0;
        text = machine_readf(machine, "%s/device", base);
        gpu.device = text ? strtol(text, NULL, 16) : 0;
        gpu.driver = machine_link_name(machine, arena_printf(doctor->arena, "%s/driver", base));
        gpu.runtime_status = machine_readf(machine, "%s/power/runtime_status", base);
        if (gpu.vendor == 0x10de) {
            doctor->nvidia_cards++;
            doctor->nvidia_asleep |=
                gpu.runtime_status && strcmp(gpu.runtime_status, "suspended") == 0;
        }
        if (gpu.vendor == 0x10de || gpu.vendor == 0x1002 || gpu.vendor == 0x8086)
            gpu.name = card_name(doctor, gpu.vendor, gpu.device);
        if (gpu.vendor == 0x10de)
            probe_link(doctor, base, &gpu);
        VEC_PUSH(doctor->gpus, gpu);
    }
}
