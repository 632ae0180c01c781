/* SPDX-License-Identifier: Apache-2.0
 * The NVIDIA kernel modules: loaded or not, which version and flavour, on disk for which kernels,
 * the device nodes, secure boot. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <string.h>

/* "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.03  Release Build" */
static const char *version_in(Arena *arena, const char *text)
{
    for (const char *p = text; *p; ++p) {
        size_t digits = strspn(p, "0123456789");
        if (digits >= 3 && p[digits] == '.' && (p == text || p[-1] == ' '))
            return arena_strndup(arena, p, strspn(p, "0123456789."));
        if (digits)
            p += digits - 1;
    }
    return NULL;
}

static const char *module_file(Doctor *doctor, const char *release)
{
    /* dkms, Debian and the runfile each have their own place; compressed modules have a suffix. */
    static const char *const places[] = {"updates/dkms",
                                         "updates",
                                         "extra",
                                         "extra/nvidia",
                                         "kernel/drivers/video",
                                         "kernel/nvidia-580-open",
                                         "kernel/nvidia",
                                         "weak-updates",
                                         "extramodules"};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        const char *folder = arena_printf(doctor->arena, "/lib/modules/%s/%s", release, places[i]);
        Names names = machine_list(doctor->machine, folder, "nvidia*.ko*");
        for (size_t k = 0; k < names.count; ++k)
            if (strncmp(names.items[k], "nvidia.ko", 9) == 0 ||
                strncmp(names.items[k], "nvidia-current.ko", 17) == 0)
                return arena_printf(doctor->arena, "%s/%s", folder, names.items[k]);
    }
    /* modules.dep lists every module of that kernel, wherever a distribution put it. */
    const char *dep = machine_readf(doctor->machine, "/lib/modules/%s/modules.dep", release);
    for (const char *at = dep; at && (at = strstr(at, "/nvidia.ko")); ++at) {
        const char *start = at;
        while (start > dep && start[-1] != '\n')
            --start;
        if (memchr(start, ':', (size_t)(at - start)) == NULL)
            return arena_printf(doctor->arena, "/lib/modules/%s/%.*s", release,
                                (int)(at - start) + (int)strcspn(at, ":\n"), start);
    }
    return NULL;
}

static void open_node(Doctor *doctor, const char *path, bool open_it, DeviceNode *node, bool *there)
{
    *there = machine_node(doctor->machine, path, open_it, node);
    if (*there && node->error && !doctor->driver.bad_node) {
        doctor->driver.bad_node = path;
        doctor->driver.bad = *node;
    }
}

static void probe_nodes(Doctor *doctor)
{
    DeviceNode node;
    bool there;
    open_node(doctor, "/dev/nvidiactl", true, &doctor->driver.ctl, &doctor->driver.ctl_node);
    open_node(doctor, "/dev/nvidia-uvm", true, &doctor->driver.uvm, &doctor->driver.uvm_node);
    /* Opening /dev/nvidia0 wakes the card: its rights are read instead. */
    Names cards = machine_list(doctor->machine, "/dev", "nvidia[0-9]*");
    for (size_t i = 0; i < cards.count; ++i)
        open_node(doctor, arena_printf(doctor->arena, "/dev/%s", cards.items[i]), false, &node,
                  &there);
    doctor->driver.dxg_node = machine_node(doctor->machine, "/dev/dxg", false, &node);
    doctor->driver.switch_node =
        machine_node(doctor->machine, "/dev/nvidia-nvswitchctl", false, &node) ||
        machine_list(doctor->machine, "/dev", "nvidia-nvswitch*").count > 0;
}

void probe_driver(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    doctor->driver.text = machine_read(machine, "/proc/driver/nvidia/version");
    if (doctor->driver.text) {
        doctor->driver.loaded = version_in(doctor->arena, doctor->driver.text);
        doctor->driver.flavour =
            strstr(doctor->driver.text, "Open Kernel Module") ? "open" : "closed";
    }
    if (!doctor->driver.loaded)
        doctor->driver.loaded = machine_read(machine, "/sys/module/nvidia/version");
    doctor->driver.release = machine_read(machine, "/proc/sys/kernel/osrelease");

    const char *devices = machine_read(machine, "/proc/devices");
    doctor->driver.uvm_loaded = machine_exists(machine, "/sys/module/nvidia_uvm") ||
                                (devices && strstr(devices, " nvidia-uvm"));
    probe_nodes(doctor);
    if (doctor->nvidia_cards || doctor->driver.loaded) {
        doctor->driver.uvm_disable_hmm =
            machine_read(machine, "/sys/module/nvidia_uvm/parameters/uvm_disable_hmm");
        machine_read_long(machine, "/sys/power/suspend_stats/success", &doctor->driver.suspends);
    }
    if (doctor->nvidia_cards && !doctor->driver.loaded && doctor->driver.release) {
        doctor->driver.on_disk = module_file(doctor, doctor->driver.release);
        Names releases = machine_list(machine, "/lib/modules", "*");
        for (size_t i = 0; i < releases.count && !doctor->driver.on_disk; ++i)
            if (strcmp(releases.items[i], doctor->driver.release) != 0 &&
                module_file(doctor, releases.items[i]))
                doctor->driver.elsewhere = releases.items[i];
        size_t count;
        const char *boot = machine_read_head(
            machine, "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
            16, &count);
        /* Four bytes of attributes, then the value; an image may hold the digit as text. */
        doctor->driver.secure_boot =
            boot && count && (boot[count - 1] == 1 || boot[strspn(boot, "\n\r ")] == '1');
        if (machine->recording && boot)
            machine_record(machine, 'f',
                           "/sys/firmware/efi/efivars/"
                           "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
                           doctor->driver.secure_boot ? "1" : "0");
    }
}

void probe_rights(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    const char *status = machine_read(machine, "/proc/self/status");
    unsigned uid = 0;
    unsigned long long caps = 0;
    const char *line = status ? strstr(status, "Uid:") : NULL;
    if (line)
        sscanf(line, "Uid: %*u %u", &uid);
    line = status ? strstr(status, "CapEff:") : NULL;
    if (line)
        sscanf(line, "CapEff: %llx", &caps);
    doctor->root_user = status && uid == 0;
    doctor->cap_sys_admin = caps >> 21 & 1;
    const char *params = machine_read(machine, "/proc/driver/nvidia/params");
    line = params ? strstr(params, "RmProfilingAdminOnly:") : NULL;
    if (line) {
        doctor->knows_admin_only = true;
        doctor->admin_only_counters = strstr(line, ": 1") == line + strlen("RmProfilingAdminOnly");
    }
}
