/* SPDX-License-Identifier: Apache-2.0
 * Checks D35 to D42: what works, but slowly, short of memory, or differently than one expects. */
#include "doctor/checks.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MIB = 1 << 20, HIDDEN_LIMIT_MIB = 500 };

static const char *gpu_name(const Doctor *doctor, int index)
{
    const char *name = kv_text(&doctor->nvml, "%d.name", index);
    return name ? name : "GPU";
}

void check_D35(Doctor *doctor)
{
    for (int i = 0; i < doctor->nvml_count; ++i) {
        long long hidden = hidden_memory(doctor, i);
        /* The older question counts the driver's own reserve as used: allow it 1 % of the card. */
        long long reserve = kv_text(&doctor->nvml, "%d.memory_reserved", i)
                                ? 0
                                : kv_int(&doctor->nvml, 0, "%d.memory_total", i) / 100;
        if (hidden - reserve <= (long long)HIDDEN_LIMIT_MIB * MIB ||
            kv_int(&doctor->nvml, 0, "%d.processes_hidden", i) > 0 ||
            kv_int(&doctor->nvml, 0, "%d.mig", i) == 1 || doctor->box.wsl)
            continue;
        Finding *finding = finding_add(
            doctor, CHECK_D35, "GPU %d: %lld MiB are in use, listed processes own %lld MiB.", i,
            kv_int(&doctor->nvml, 0, "%d.memory_used", i) / MIB,
            kv_int(&doctor->nvml, 0, "%d.processes_bytes", i) / MIB);
        finding_evidence(doctor, finding, "libnvidia-ml.so.1", "used %lld MiB, %lld process(es)",
                         kv_int(&doctor->nvml, 0, "%d.memory_used", i) / MIB,
                         kv_int(&doctor->nvml, 0, "%d.processes", i));
        for (size_t k = 0; k < doctor->holders.count; ++k)
            finding_evidence(
                doctor, finding,
                arena_printf(doctor->arena, "/proc/%ld/fd", doctor->holders.items[k].pid),
                "%s has the GPU open", doctor->holders.items[k].command);
        if (!doctor->root_user)
            finding_fix(doctor, finding,
                        "sudo gpukit doctor   # names other users' processes too\nsudo fuser -v "
                        "/dev/nvidia*");
        return;
    }
}

static const struct {
    unsigned long long bit;
    const char *text;
} slowdowns[] = {
    {0x08, "the board's slowdown signal"},
    {0x20, "software thermal limit"},
    {0x40, "hardware thermal limit"},
    {0x80, "power brake (the power supply asked for it)"},
};

void check_D36(Doctor *doctor)
{
    for (int i = 0; i < doctor->nvml_count; ++i) {
        unsigned long long bits = (unsigned long long)kv_int(&doctor->nvml, 0, "%d.throttle", i);
        Buf text = {0};
        for (size_t k = 0; k < sizeof slowdowns / sizeof *slowdowns; ++k)
            if (bits & slowdowns[k].bit)
                buf_printf(&text, "%s%s", text.count ? ", " : "", slowdowns[k].text);
        if (text.count) {
            Finding *finding = finding_add(doctor, CHECK_D36, "GPU %d (%s): %s.", i,
                                           gpu_name(doctor, i), text.data);
            finding_evidence(doctor, finding, "libnvidia-ml.so.1", "clock event reasons 0x%llx",
                             bits);
            finding_evidence(doctor, finding, "libnvidia-ml.so.1",
                             "%lld C, SM clock %lld of %lld MHz",
                             kv_int(&doctor->nvml, 0, "%d.temperature", i),
                             kv_int(&doctor->nvml, 0, "%d.clock_sm", i),
                             kv_int(&doctor->nvml, 0, "%d.clock_sm_max", i));
        }
        buf_free(&text);
    }
}

static bool busy(const Doctor *doctor, const PciGpu *gpu)
{
    for (int i = 0; i < doctor->nvml_count; ++i) {
        const char *pci = kv_text(&doctor->nvml, "%d.pci", i);
        size_t length = pci ? strlen(pci) : 0;
        if (length >= 12 && strcasecmp(pci + length - 12, gpu->slot) == 0)
            return kv_int(&doctor->nvml, 0, "%d.busy_percent", i) > 0;
    }
    return false;
}

void check_D37(Doctor *doctor)
{
    for (size_t i = 0; i < doctor->gpus.count; ++i) {
        const PciGpu *gpu = &doctor->gpus.items[i];
        if (gpu->vendor != 0x10de || !gpu->narrow_at || doctor->nvidia_asleep)
            continue;
        Finding *finding = finding_add(doctor, CHECK_D37, "%s runs with %ld of %ld lanes.",
                                       gpu->narrow_at, gpu->narrow_width, gpu->narrow_max);
        finding_evidence(doctor, finding,
                         arena_printf(doctor->arena, "/sys/bus/pci/devices/%s/current_link_width",
                                      gpu->narrow_at),
                         "%ld (max_link_width %ld)", gpu->narrow_width, gpu->narrow_max);
        /* Some boards also give up lanes to save power: only a card at work proves the fault. */
        if (!busy(doctor, gpu)) {
            finding->severity = DIAG_NOTE;
            finding_fix(doctor, finding,
                        "# seen while the card idles; look again while a program uses it:\ngpukit "
                        "doctor\n%s",
                        check_rows[CHECK_D37].fix);
        }
        return;
    }
}

void check_D38(Doctor *doctor)
{
    for (int i = 0; i < doctor->nvml_count; ++i) {
        long long pending = kv_int(&doctor->nvml, 0, "%d.rows_pending", i);
        long long failed = kv_int(&doctor->nvml, 0, "%d.rows_failed", i);
        long long errors = kv_int(&doctor->nvml, 0, "%d.ecc_uncorrected", i);
        if (!pending && !failed && !errors)
            continue;
        Finding *finding =
            finding_add(doctor, CHECK_D38, "GPU %d (%s): %s.", i, gpu_name(doctor, i),
                        failed    ? "a bad memory row could not be replaced"
                        : pending ? "a bad memory row waits for a reset"
                                  : "uncorrected memory errors since boot");
        finding_evidence(doctor, finding, "libnvidia-ml.so.1",
                         "remapping pending %lld, failed %lld", pending, failed);
        finding_evidence(doctor, finding, "libnvidia-ml.so.1", "uncorrected errors since boot %lld",
                         errors);
        if (failed)
            finding_fix(doctor, finding,
                        "# the card needs replacing; until then keep work off it:\nexport "
                        "CUDA_VISIBLE_DEVICES=...");
        return;
    }
}

void check_D39(Doctor *doctor)
{
    bool battery = machine_list(doctor->machine, "/sys/class/power_supply", "BAT*").count > 0;
    for (int i = 0; i < doctor->nvml_count; ++i) {
        if (kv_int(&doctor->nvml, 1, "%d.persistence", i) != 0 ||
            kv_int(&doctor->nvml, 0, "%d.display", i) != 0 || battery || doctor->box.wsl)
            continue;
        Finding *finding =
            finding_add(doctor, CHECK_D39, "GPU %d (%s) has persistence off and no display.", i,
                        gpu_name(doctor, i));
        finding_evidence(doctor, finding, "libnvidia-ml.so.1", "persistence mode 0");
        if (doctor->box.name)
            finding_fix(doctor, finding,
                        "# on the host: sudo systemctl enable --now nvidia-persistenced");
        return;
    }
}

void check_D40(Doctor *doctor)
{
    for (size_t i = 0; i < doctor->gpus.count; ++i) {
        const PciGpu *gpu = &doctor->gpus.items[i];
        if (gpu->vendor != 0x10de || !gpu->runtime_status ||
            strcmp(gpu->runtime_status, "suspended") != 0)
            continue;
        Finding *finding = finding_add(doctor, CHECK_D40, "Card %s is suspended.", gpu->slot);
        finding_evidence(
            doctor, finding,
            arena_printf(doctor->arena, "/sys/bus/pci/devices/%s/power/runtime_status", gpu->slot),
            "suspended");
        return;
    }
}

static void attribute_note(Doctor *doctor, CheckId id, const char *key, const char *name)
{
    long long count = kv_int(&doctor->cuda, 0, "count");
    for (int i = 0; i < count; ++i) {
        if (kv_int(&doctor->cuda, 1, "%d.%s", i, key) != 0)
            continue;
        const char *device = kv_text(&doctor->cuda, "%d.name", i);
        Finding *finding =
            finding_add(doctor, id, "Device %d (%s): %s is 0.", i, device ? device : "?", name);
        finding_evidence(doctor, finding, "libcuda.so.1", "%s = 0", name);
        return;
    }
}

void check_D41(Doctor *doctor)
{
    attribute_note(doctor, CHECK_D41, "concurrent_managed", "concurrentManagedAccess");
}

void check_D42(Doctor *doctor)
{
    attribute_note(doctor, CHECK_D42, "pageable_access", "pageableMemoryAccess");
}
