/* SPDX-License-Identifier: Apache-2.0
 * Processes that matter to a GPU: the fabric manager, and, when a card's memory is in use and
 * nobody owns up to it, those that hold one of its device nodes open. Only one's own processes
 * show their files without root. */
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>

enum { HIDDEN_MIB = 500 };

long long hidden_memory(const Doctor *doctor, int index)
{
    long long used = kv_int(&doctor->nvml, -1, "%d.memory_used", index);
    long long listed = kv_int(&doctor->nvml, -1, "%d.processes_bytes", index);
    if (used < 0 || listed < 0)
        return -1;
    /* The driver's own reserve counts as used in the older question only. */
    return used - listed;
}

static bool memory_is_missing(const Doctor *doctor)
{
    for (int i = 0; i < doctor->nvml_count; ++i)
        if (hidden_memory(doctor, i) > (long long)HIDDEN_MIB << 20)
            return true;
    return false;
}

static bool holds_gpu(Machine *machine, const char *folder)
{
    Names files = machine_list(machine, folder, "*");
    for (size_t i = 0; i < files.count; ++i) {
        const char *name = machine_link_name(
            machine, arena_printf(machine->arena, "%s/%s", folder, files.items[i]));
        if (name && strncmp(name, "nvidia", 6) == 0 && name[6] >= '0' && name[6] <= '9')
            return true;
    }
    return false;
}

void probe_processes(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    bool holders = memory_is_missing(doctor);
    if (!holders && !doctor->driver.switch_node)
        return;
    /* A record names only what was looked for, not everything that runs. */
    bool recording = machine->recording;
    machine->recording = false;
    size_t unreadable = machine->unreadable.count;
    Names pids = machine_list(machine, "/proc", "[0-9]*");
    for (size_t i = 0; i < pids.count; ++i) {
        const char *command = machine_readf(machine, "/proc/%s/comm", pids.items[i]);
        if (!command)
            continue;
        bool fabric = strncmp(command, "nv-fabricmanage", 15) == 0;
        doctor->driver.fabric_manager |= fabric;
        const char *folder = arena_printf(doctor->arena, "/proc/%s/fd", pids.items[i]);
        bool holds = holders && holds_gpu(machine, folder);
        if (holds) {
            Process process = {atol(pids.items[i]), command};
            VEC_PUSH(doctor->holders, process);
        }
        machine->recording = recording;
        if (fabric || holds)
            machine_record(machine, 'f',
                           arena_printf(doctor->arena, "/proc/%s/comm", pids.items[i]), command);
        if (holds)
            machine_record(machine, 'l', arena_printf(doctor->arena, "%s/3", folder),
                           "/dev/nvidia0");
        machine->recording = false;
    }
    machine->recording = recording;
    if (machine->unreadable.count > unreadable) {
        machine->unreadable.count = unreadable; /* one line instead of one a process */
        machine_note_unreadable(machine, "/proc/*/fd",
                                "open files of other users' processes need root");
    }
}
