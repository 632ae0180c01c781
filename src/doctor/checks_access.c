/* SPDX-License-Identifier: Apache-2.0
 * Checks D25 to D34: containers, WSL, rights, and which devices a program may see. */
#include "doctor/checks.h"
#include "doctor/codes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The host's side: docker without NVIDIA's toolkit, or docker as a snap, which cannot use it. */
static void check_docker(Doctor *doctor)
{
    const char *docker = doctor->box.docker;
    const char *real = docker ? machine_real(doctor->machine, docker) : NULL;
    bool snap = docker && (strstr(docker, "/snap/") || (real && strstr(real, "/snap")));
    if (!docker || !doctor->driver.loaded || (doctor->box.container_toolkit && !snap))
        return;
    Finding *finding = finding_add(
        doctor, CHECK_D25, "%s",
        snap ? "Docker is the snap package, which does not work with NVIDIA's container toolkit."
             : "Docker is installed, NVIDIA's container toolkit is not: `docker run --gpus all` "
               "fails.");
    finding->severity = DIAG_NOTE;
    finding_evidence(doctor, finding, docker, "present");
    finding_evidence(doctor, finding, "nvidia-ctk",
                     doctor->box.container_toolkit ? "present" : "not on PATH");
    finding_fix(
        doctor, finding, "%s%s",
        snap ? "sudo snap remove docker\n"
               "# install docker from https://docs.docker.com/engine/install, then:\n"
             : "",
        "{container}\n"
        "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker");
}

void check_D25(Doctor *doctor)
{
    if (!doctor->box.name)
        check_docker(doctor);
    if (!doctor->box.name || !doctor->nvidia_cards || doctor->driver.ctl_node ||
        doctor->driver.dxg_node)
        return;
    Finding *finding = finding_add(
        doctor, CHECK_D25,
        "This %s container was started without the GPU: the host has %d NVIDIA card(s), here is no "
        "/dev/nvidiactl.",
        doctor->box.name, doctor->nvidia_cards);
    finding_evidence(doctor, finding, "/sys/bus/pci/devices", "%d NVIDIA card(s)",
                     doctor->nvidia_cards);
    finding_evidence(doctor, finding, "/dev/nvidiactl", "absent");
    if (strcmp(doctor->box.name, "Kubernetes") == 0)
        finding_fix(doctor, finding,
                    "# ask for the GPU in the pod's spec (needs NVIDIA's device plugin):\n"
                    "#   resources: {limits: {nvidia.com/gpu: 1}}");
    else if (strcmp(doctor->box.name, "Podman") == 0)
        finding_fix(doctor, finding,
                    "# on the host, once:\n"
                    "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml\n"
                    "# then: podman run --device nvidia.com/gpu=all ...");
    else if (strcmp(doctor->box.name, "Apptainer") == 0)
        finding_fix(doctor, finding, "apptainer exec --nv IMAGE COMMAND");
}

void check_D26(Doctor *doctor)
{
    const char *node = doctor->driver.bad_node;
    if (!node || doctor->driver.bad.error != EPERM)
        return;
    Finding *finding = finding_add(
        doctor, CHECK_D26, "%s may be opened by its mode (%04o), but the control group forbids it.",
        node, doctor->driver.bad.mode);
    finding_evidence(doctor, finding, node, "open: EPERM, mode %04o", doctor->driver.bad.mode);
    evidence_init(doctor, finding);
}

void check_D27(Doctor *doctor)
{
    const char *node = doctor->driver.bad_node;
    bool denied = node && doctor->driver.bad.error == EACCES;
    if (!denied && !(doctor->nvml_init == 4 && !doctor->found[CHECK_D26]))
        return;
    Finding *finding =
        finding_add(doctor, CHECK_D27, "%s cannot be opened.", node ? node : "The GPU");
    if (node)
        finding_evidence(doctor, finding, node, "open: EACCES, mode %04o, user %u, group %u",
                         doctor->driver.bad.mode, doctor->driver.bad.uid, doctor->driver.bad.gid);
    evidence_init(doctor, finding);
    if (node && (doctor->driver.bad.mode & 060) != 060)
        finding_fix(doctor, finding,
                    "# the node is closed to its group too; open it for all users:\n"
                    "echo 'options nvidia NVreg_DeviceFileMode=0666' | sudo tee "
                    "/etc/modprobe.d/nvidia-nodes.conf\n"
                    "sudo reboot");
    else if (node)
        finding_fix(doctor, finding,
                    "sudo usermod -aG $(stat -c %%G %s) $USER\n# then log out and in", node);
}

void check_D28(Doctor *doctor)
{
    const char *path = kv_text(&doctor->cuda, "path");
    if (!path)
        path = doctor->cuda_path;
    const char *real = path ? machine_real(doctor->machine, path) : NULL;
    if (!doctor->box.wsl || !real || strstr(real, "/wsl/"))
        return;
    Finding *finding = finding_add(doctor, CHECK_D28,
                                   "libcuda.so.1 is %s, not /usr/lib/wsl/lib/libcuda.so.1.", real);
    finding_evidence(doctor, finding, "/proc/version", "names Microsoft");
    finding_evidence(doctor, finding, "libcuda.so.1", "loaded from %s", real);
    evidence_init(doctor, finding);
}

/* One entry of the list: the index it names, -1 when it names nothing. */
static int entry_index(const Doctor *doctor, const char *entry)
{
    entry += strspn(entry, " ");
    if (strncasecmp(entry, "GPU-", 4) == 0 || strncasecmp(entry, "MIG-", 4) == 0) {
        if (strncasecmp(entry, "MIG-", 4) == 0)
            return 0; /* instances are not listed: given the benefit of the doubt */
        for (int i = 0; i < doctor->nvml_count; ++i) {
            const char *uuid = kv_text(&doctor->nvml, "%d.uuid", i);
            size_t length = strcspn(entry, " ");
            if (uuid && length > 4 && strncasecmp(uuid, entry, length) == 0)
                return i;
        }
        return -1;
    }
    if (!isdigit((unsigned char)entry[0]))
        return -1;
    int index = atoi(entry);
    return index < doctor->nvml_count ? index : -1;
}

void check_D29(Doctor *doctor)
{
    const char *value = machine_env(doctor->machine, "CUDA_VISIBLE_DEVICES");
    if (!value || doctor->nvml_count <= 0)
        return;
    Names entries = split(doctor->arena, value, ',');
    size_t good = 0;
    bool doubled = false;
    for (size_t i = 0; i < entries.count; ++i) {
        int index = entry_index(doctor, entries.items[i]);
        if (index < 0)
            break;
        for (size_t k = 0; k < i; ++k)
            doubled |= entry_index(doctor, entries.items[k]) == index &&
                       strncasecmp(entries.items[i], "MIG-", 4) != 0;
        good++;
    }
    if (doubled)
        good = 0;
    if (good == entries.count)
        return;
    Finding *finding =
        good ? finding_add(doctor, CHECK_D29,
                           "\"%s\": only the first %zu of %zu entries count; '%s' names no GPU.",
                           value, good, entries.count, entries.items[good])
        : doubled
            ? finding_add(doctor, CHECK_D29, "\"%s\" names a GPU twice: no GPU is visible.", value)
            : finding_add(doctor, CHECK_D29, "\"%s\" hides every GPU from CUDA programs.", value);
    finding->severity = good ? DIAG_WARNING : DIAG_ERROR;
    finding_evidence(doctor, finding, "$CUDA_VISIBLE_DEVICES", "\"%s\"", value);
    finding_evidence(doctor, finding, "libnvidia-ml.so.1", "%d GPU(s)", doctor->nvml_count);
    if (doctor->cuda_init >= 0)
        evidence_init(doctor, finding);
    if (doctor->nvml_count > 1)
        finding_fix(
            doctor, finding,
            "unset CUDA_VISIBLE_DEVICES\n# or name existing ones: export CUDA_VISIBLE_DEVICES=0,%d",
            doctor->nvml_count - 1);
}

/* "00000000:01:00.0" and "0000:01:00.0" name the same slot. */
static bool same_slot(const char *a, const char *b)
{
    size_t x = strlen(a), y = strlen(b);
    return x >= 12 && y >= 12 && strcasecmp(a + x - 12, b + y - 12) == 0;
}

void check_D30(Doctor *doctor)
{
    const char *order = machine_env(doctor->machine, "CUDA_DEVICE_ORDER");
    const char *visible = machine_env(doctor->machine, "CUDA_VISIBLE_DEVICES");
    long long cuda = kv_int(&doctor->cuda, -1, "count");
    if (doctor->nvml_count < 2 || visible || (order && strcmp(order, "PCI_BUS_ID") == 0) ||
        cuda != doctor->nvml_count)
        return;
    for (int i = 0; i < doctor->nvml_count; ++i) {
        const char *there = kv_text(&doctor->nvml, "%d.pci", i),
                   *here = kv_text(&doctor->cuda, "%d.pci", i);
        const char *smi = kv_text(&doctor->nvml, "%d.name", i),
                   *name = kv_text(&doctor->cuda, "%d.name", i);
        if (!there || !here || same_slot(there, here))
            continue;
        Finding *finding =
            finding_add(doctor, CHECK_D30, "nvidia-smi's GPU %d is %s, CUDA's device %d is %s.", i,
                        smi ? smi : there, i, name ? name : here);
        finding_evidence(doctor, finding, "libnvidia-ml.so.1", "GPU %d at %s", i, there);
        finding_evidence(doctor, finding, "libcuda.so.1", "device %d at %s", i, here);
        finding_evidence(doctor, finding, "$CUDA_DEVICE_ORDER", "%s", order ? order : "(unset)");
        return;
    }
}

void check_D31(Doctor *doctor)
{
    for (int i = 0; i < doctor->nvml_count; ++i) {
        long long mig = kv_int(&doctor->nvml, 0, "%d.mig", i);
        long long instances = kv_int(&doctor->nvml, -1, "%d.mig_instances", i);
        const char *visible = machine_env(doctor->machine, "CUDA_VISIBLE_DEVICES");
        if (mig != 1 || instances == 1 || instances < 0 || (instances > 1 && visible))
            continue;
        const char *name = kv_text(&doctor->nvml, "%d.name", i);
        Finding *finding =
            instances == 0
                ? finding_add(doctor, CHECK_D31, "GPU %d (%s) is in MIG mode without an instance.",
                              i, name ? name : "?")
                : finding_add(doctor, CHECK_D31,
                              "GPU %d (%s) has %lld instances: a program sees the first one only.",
                              i, name ? name : "?", instances);
        finding_evidence(doctor, finding, "libnvidia-ml.so.1", "MIG mode 1, %lld instance(s)",
                         instances);
        evidence_init(doctor, finding);
        if (instances > 1) {
            finding->severity = DIAG_NOTE;
            finding_fix(doctor, finding, "nvidia-smi -L\nexport CUDA_VISIBLE_DEVICES=MIG-...");
        }
        return;
    }
}

void check_D32(Doctor *doctor)
{
    for (int i = 0; i < doctor->nvml_count; ++i) {
        long long mode = kv_int(&doctor->nvml, 0, "%d.compute_mode", i);
        long long processes = kv_int(&doctor->nvml, 0, "%d.processes", i);
        if (mode != 2 && !((mode == 1 || mode == 3) && processes > 0))
            continue;
        Finding *finding =
            mode == 2
                ? finding_add(doctor, CHECK_D32, "GPU %d is in compute mode 'prohibited'.", i)
                : finding_add(doctor, CHECK_D32,
                              "GPU %d serves one process and %lld hold it already.", i, processes);
        finding_evidence(doctor, finding, "libnvidia-ml.so.1",
                         "compute mode %lld, %lld process(es)", mode, processes);
        finding_fix(doctor, finding, "sudo nvidia-smi -i %d -c 0", i);
        return;
    }
}

void check_D33(Doctor *doctor)
{
    if (!doctor->admin_only_counters || doctor->cap_sys_admin || !doctor->driver.loaded)
        return;
    Finding *finding =
        finding_add(doctor, CHECK_D33, "Only administrators may read the GPU's counters.");
    finding_evidence(doctor, finding, "/proc/driver/nvidia/params", "RmProfilingAdminOnly: 1");
    finding_evidence(doctor, finding, "/proc/self/status", "no CAP_SYS_ADMIN");
}

static const char *maker(long vendor)
{
    return vendor == 0x1002 ? "AMD" : vendor == 0x8086 ? "Intel" : NULL;
}

void check_D34(Doctor *doctor)
{
    if (doctor->nvidia_cards)
        return;
    for (size_t i = 0; i < doctor->gpus.count; ++i) {
        const PciGpu *gpu = &doctor->gpus.items[i];
        if (!maker(gpu->vendor))
            continue;
        Finding *finding =
            finding_add(doctor, CHECK_D34, "Card %s is made by %s%s%s.", gpu->slot,
                        maker(gpu->vendor), gpu->name ? ": " : "", gpu->name ? gpu->name : "");
        finding_evidence(doctor, finding,
                         arena_printf(doctor->arena, "/sys/bus/pci/devices/%s/vendor", gpu->slot),
                         "0x%04lx", gpu->vendor);
        const char *product = machine_read(doctor->machine, "/sys/class/dmi/id/product_name");
        if (product && strncmp(product, "g4ad.", 5) == 0)
            finding_fix(doctor, finding,
                        "# EC2's g4ad has AMD cards; the NVIDIA ones of that size are g4dn:\n"
                        "gpukit instances g4dn");
        return;
    }
}
