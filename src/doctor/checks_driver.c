/* SPDX-License-Identifier: Apache-2.0
 * Checks D01 to D15: the driver, its kernel module and its libraries. */
#include "doctor/checks.h"
#include "doctor/codes.h"
#include "doctor/distro.h"

#include <stdlib.h>
#include <string.h>

enum { TURING_FIRST_ID = 0x1e00, BLACKWELL_FIRST_ID = 0x2900 };

bool has_nvidia(const Doctor *doctor)
{
    /* Jetson boards have no card on PCI; gpukit's own libcuda is not one. */
    const char *library = kv_text(&doctor->cuda, "path");
    if (library && !strstr(library, "gpukit") && kv_int(&doctor->cuda, 0, "count") > 0)
        return true;
    return doctor->nvidia_cards > 0 || doctor->nvml_count > 0 || doctor->driver.loaded ||
           doctor->driver.dxg_node;
}

bool is_explained(const Doctor *doctor)
{
    for (size_t i = 0; i < doctor->findings.count; ++i)
        if (doctor->findings.items[i]->severity == DIAG_ERROR &&
            check_rows[doctor->findings.items[i]->check].area <= AREA_access)
            return true;
    return doctor->found[CHECK_D22];
}

void evidence_init(Doctor *doctor, Finding *finding)
{
    if (doctor->nvml_init >= 0)
        finding_evidence(doctor, finding, "libnvidia-ml.so.1", "nvmlInit_v2 = %d",
                         doctor->nvml_init);
    if (doctor->cuda_init >= 0)
        finding_evidence(doctor, finding, "libcuda.so.1", "cuInit = %d (%s)", doctor->cuda_init,
                         cuda_code_name(doctor->cuda_init));
}

const char *log_line(const Doctor *doctor, const char *text)
{
    for (size_t i = doctor->kernel_log.count; i > 0; --i)
        if (strstr(doctor->kernel_log.items[i - 1], text))
            return doctor->kernel_log.items[i - 1];
    return NULL;
}

static const PciGpu *nvidia_card(const Doctor *doctor)
{
    for (size_t i = 0; i < doctor->gpus.count; ++i)
        if (doctor->gpus.items[i].vendor == 0x10de)
            return &doctor->gpus.items[i];
    return NULL;
}

/* libnvidia-ml.so.580.159.03 -> 580.159.03 */
static const char *library_version(const char *path)
{
    const char *at = path ? strstr(path, ".so.") : NULL;
    return at && strchr(at + 4, '.') ? at + 4 : NULL;
}

void check_D01(Doctor *doctor)
{
    const char *library = library_version(doctor->nvml_path);
    bool differ = doctor->driver.loaded && library && strcmp(doctor->driver.loaded, library) != 0 &&
                  doctor->nvml_init != 0;
    if (doctor->nvml_init != 18 && doctor->cuda_init != 803 && !differ)
        return;
    Finding *finding =
        finding_add(doctor, CHECK_D01, "The kernel module is %s, the libraries are %s.",
                    doctor->driver.loaded ? doctor->driver.loaded : "of another version",
                    library ? library : "not of that version");
    if (doctor->driver.text)
        finding_evidence(doctor, finding, "/proc/driver/nvidia/version", "%.*s",
                         (int)strcspn(doctor->driver.text, "\n"), doctor->driver.text);
    if (doctor->nvml_path)
        finding_evidence(doctor, finding, doctor->nvml_path, "version %s", library ? library : "?");
    evidence_init(doctor, finding);
}

void check_D02(Doctor *doctor)
{
    if (!doctor->nvidia_cards || doctor->driver.loaded || doctor->box.name || is_explained(doctor))
        return;
    if (doctor->driver.on_disk) {
        Finding *finding =
            finding_add(doctor, CHECK_D02, "The module for kernel %s is on disk but not loaded.",
                        doctor->driver.release);
        finding_evidence(doctor, finding, doctor->driver.on_disk, "present");
        finding_evidence(doctor, finding, "/sys/module/nvidia", "absent");
        finding_fix(doctor, finding,
                    "sudo modprobe nvidia\n# if that fails: sudo dmesg | tail -20");
    } else if (doctor->driver.elsewhere) {
        Finding *finding =
            finding_add(doctor, CHECK_D02, "Kernel %s has no nvidia module; kernel %s has one.",
                        doctor->driver.release, doctor->driver.elsewhere);
        finding_evidence(doctor, finding,
                         arena_printf(doctor->arena, "/lib/modules/%s", doctor->driver.release),
                         "no nvidia.ko");
        finding_evidence(doctor, finding,
                         arena_printf(doctor->arena, "/lib/modules/%s", doctor->driver.elsewhere),
                         "has nvidia.ko");
    }
}

void check_D03(Doctor *doctor)
{
    const char *line = log_line(doctor, "Key was rejected");
    if (!doctor->nvidia_cards || doctor->driver.loaded || is_explained(doctor) ||
        !doctor->driver.on_disk || !(doctor->driver.secure_boot || line))
        return;
    Finding *finding =
        finding_add(doctor, CHECK_D03, "Secure boot is on and the module on disk is not loaded.");
    finding_evidence(doctor, finding, doctor->driver.on_disk, "present, not loaded");
    if (doctor->driver.secure_boot)
        finding_evidence(doctor, finding, "/sys/firmware/efi/efivars/SecureBoot-*", "1");
    if (line)
        finding_evidence(doctor, finding, "/dev/kmsg", "%s", line);
}

void check_D04(Doctor *doctor)
{
    const PciGpu *card = NULL;
    for (size_t i = 0; i < doctor->gpus.count && !card; ++i) {
        const PciGpu *gpu = &doctor->gpus.items[i];
        if (gpu->vendor == 0x10de && gpu->driver &&
            (strcmp(gpu->driver, "nouveau") == 0 || strcmp(gpu->driver, "nova_core") == 0 ||
             strcmp(gpu->driver, "nvidiafb") == 0 || strcmp(gpu->driver, "vfio-pci") == 0))
            card = gpu;
    }
    /* After a kernel update nouveau takes the card because the module is missing: that is D02. */
    if (!card || (doctor->driver.elsewhere && !doctor->driver.on_disk) || doctor->box.name)
        return;
    Finding *finding =
        finding_add(doctor, CHECK_D04, "Card %s belongs to %s.", card->slot, card->driver);
    finding_evidence(doctor, finding,
                     arena_printf(doctor->arena, "/sys/bus/pci/devices/%s/driver", card->slot),
                     "%s", card->driver);
    if (strcmp(card->driver, "vfio-pci") == 0)
        finding_fix(
            doctor, finding,
            "# vfio-pci keeps the card for a virtual machine. To use it here, remove its id\n"
            "# %04lx:%04lx from /etc/modprobe.d/*vfio* and the kernel command line, then:\n"
            "{initramfs}\n"
            "sudo reboot",
            card->vendor, card->device);
    else if (!doctor->driver.on_disk && !doctor->nvml_path)
        finding_fix(doctor, finding, "%s",
                    "# the NVIDIA driver is not installed; installing it also turns nouveau off\n"
                    "{driver}\n"
                    "{initramfs}\n"
                    "sudo reboot");
}

void check_D05(Doctor *doctor)
{
    const PciGpu *card = nvidia_card(doctor);
    if (!card || doctor->nvml_init != 0 || doctor->nvml_count != 0 || is_explained(doctor))
        return;
    const char *flavour = doctor->driver.flavour ? doctor->driver.flavour : "unknown";
    Finding *finding = finding_add(
        doctor, CHECK_D05, "PCI lists %d NVIDIA card(s), the driver %s (%s module) none.",
        doctor->nvidia_cards, doctor->driver.loaded ? doctor->driver.loaded : "", flavour);
    finding_evidence(doctor, finding,
                     arena_printf(doctor->arena, "/sys/bus/pci/devices/%s", card->slot),
                     "%04lx:%04lx", card->vendor, card->device);
    finding_evidence(doctor, finding, "libnvidia-ml.so.1", "nvmlDeviceGetCount_v2 = 0");
    const char *line = log_line(doctor, "RmInitAdapter");
    if (line)
        finding_evidence(doctor, finding, "/dev/kmsg", "%s", line);
    if (card->device >= BLACKWELL_FIRST_ID && strcmp(flavour, "closed") == 0)
        finding_fix(doctor, finding,
                    "# this card (Blackwell or newer) needs the open kernel module:\n"
                    "{install} %s\nsudo reboot",
                    strcmp(distro_family(doctor), "ubuntu") == 0 ? "nvidia-driver-{version}-open"
                                                                 : "nvidia-open");
    else if (card->device < TURING_FIRST_ID && strcmp(flavour, "open") == 0)
        finding_fix(
            doctor, finding,
            "# this card (older than Turing) needs the closed kernel module, branch 580 or\n"
            "# older: install the driver package without 'open' in its name\n"
            "sudo reboot");
    else
        finding_fix(doctor, finding, "%s",
                    "# try another driver branch, then power, BIOS (Above 4G decoding), reseating\n"
                    "{driver}\n"
                    "sudo reboot");
}

void check_D06(Doctor *doctor)
{
    int lost = -1;
    for (int i = 0; i < doctor->nvml_count && lost < 0; ++i)
        if (kv_int(&doctor->nvml, 0, "%d.handle", i) == 15)
            lost = i;
    const char *line = log_line(doctor, "fallen off the bus");
    bool fewer = doctor->nvml_count > 0 && doctor->nvml_count < doctor->nvidia_cards &&
                 !doctor->box.name && line;
    if ((lost < 0 && !fewer && !line) || !doctor->driver.loaded)
        return;
    Finding *finding = finding_add(
        doctor, CHECK_D06, "PCI lists %d NVIDIA card(s), the driver %d%s.", doctor->nvidia_cards,
        doctor->nvml_count, lost >= 0 ? ", one of them does not answer" : "");
    if (lost >= 0)
        finding_evidence(doctor, finding, "libnvidia-ml.so.1",
                         "nvmlDeviceGetHandleByIndex_v2(%d) = 15 (GPU is lost)", lost);
    if (line)
        finding_evidence(doctor, finding, "/dev/kmsg", "%s", line);
}

/* "NVRM: Xid (PCI:0000:01:00): 31, pid=..." */
static int xid_number(const char *line)
{
    const char *at = strstr(line, "Xid (");
    at = at ? strstr(at, "): ") : NULL;
    return at ? atoi(at + 3) : 0;
}

void check_D07(Doctor *doctor)
{
    const char *worst = NULL;
    XidBlame blame = XID_PROGRAM;
    int number = 0, count = 0;
    for (size_t i = 0; i < doctor->kernel_log.count; ++i) {
        int xid = xid_number(doctor->kernel_log.items[i]);
        const XidCode *code = xid_code(xid);
        XidBlame this_blame = code ? code->blame : XID_DRIVER;
        if (xid <= 0 || (xid == 79 && doctor->found[CHECK_D06]))
            continue;
        count++;
        if (!worst || this_blame >= blame) {
            worst = doctor->kernel_log.items[i];
            blame = this_blame;
            number = xid;
        }
    }
    if (!worst)
        return;
    const XidCode *code = xid_code(number);
    static const char *const blames[] = {"the program that ran, not the GPU", "the driver",
                                         "the hardware"};
    Finding *finding =
        finding_add(doctor, CHECK_D07, "%d line(s); worst: Xid %d, %s. Cause: %s.", count, number,
                    code ? code->meaning : "not in gpukit's list", blames[blame]);
    finding_evidence(doctor, finding, "/dev/kmsg", "%s", worst);
    if (blame == XID_PROGRAM)
        finding->severity = DIAG_NOTE;
    if (code)
        finding_fix(doctor, finding, "# %s\ngpukit doctor --explain 'Xid %d'", code->fix, number);
}

void check_D08(Doctor *doctor)
{
    if (!doctor->driver.loaded || !doctor->driver.ctl_node || doctor->cuda_init == 0 ||
        doctor->box.wsl || is_explained(doctor))
        return;
    if (doctor->driver.uvm_node && doctor->driver.uvm_loaded)
        return;
    Finding *finding = finding_add(doctor, CHECK_D08,
                                   doctor->driver.uvm_node ? "The module nvidia_uvm is not loaded."
                                                           : "/dev/nvidia-uvm does not exist.");
    finding_evidence(doctor, finding, "/dev/nvidia-uvm",
                     doctor->driver.uvm_node ? "present" : "absent");
    finding_evidence(doctor, finding, "/proc/devices",
                     doctor->driver.uvm_loaded ? "lists nvidia-uvm" : "no nvidia-uvm");
    evidence_init(doctor, finding);
    if (doctor->box.name)
        finding_fix(doctor, finding,
                    "# on the host: sudo nvidia-modprobe -u -c=0\n"
                    "# then start the container again with --gpus all");
}

void check_D09(Doctor *doctor)
{
    if (doctor->cuda_init != 999 || doctor->nvml_init != 0 || doctor->driver.suspends <= 0)
        return;
    Finding *finding = finding_add(doctor, CHECK_D09,
                                   "cuInit answers 999, NVML works, and the machine was suspended "
                                   "%ld time(s).",
                                   doctor->driver.suspends);
    evidence_init(doctor, finding);
    finding_evidence(doctor, finding, "/sys/power/suspend_stats/success", "%ld",
                     doctor->driver.suspends);
}

void check_D10(Doctor *doctor)
{
    const char *value = doctor->driver.uvm_disable_hmm;
    if (doctor->cuda_init != 3 || !value || value[0] != 'N')
        return;
    Finding *finding = finding_add(doctor, CHECK_D10, "cuInit answers 3 and HMM is on.");
    evidence_init(doctor, finding);
    finding_evidence(doctor, finding, "/sys/module/nvidia_uvm/parameters/uvm_disable_hmm", "%s",
                     value);
}

void check_D11(Doctor *doctor)
{
    bool idle = doctor->driver.switch_node && !doctor->driver.fabric_manager &&
                doctor->nvml_count > 1 && doctor->cuda_init > 0 && !doctor->box.name;
    if (doctor->cuda_init != 802 && !idle)
        return;
    Finding *finding = finding_add(doctor, CHECK_D11, "cuInit answers %d%s.", doctor->cuda_init,
                                   doctor->driver.fabric_manager
                                       ? " although nv-fabricmanager runs: its version may "
                                         "differ from the driver's"
                                       : " and no process nv-fabricmanager runs");
    evidence_init(doctor, finding);
    finding_evidence(doctor, finding, "/dev/nvidia-nvswitch*",
                     doctor->driver.switch_node ? "present" : "absent");
    finding_evidence(doctor, finding, "/proc/*/comm",
                     doctor->driver.fabric_manager ? "nv-fabricmanager" : "no nv-fabricmanager");
    if (!doctor->driver.switch_node)
        finding_fix(
            doctor, finding,
            "# no NVSwitch is visible here: in a virtual machine or container the fabric is\n"
            "# the host's; ask its administrator for the state of nvidia-fabricmanager");
}

static const Toolkit *building_toolkit(const Doctor *doctor)
{
    for (size_t i = 0; i < doctor->toolkits.count; ++i)
        if (doctor->toolkits.items[i].nvcc && doctor->toolkits.items[i].major)
            return &doctor->toolkits.items[i];
    return NULL;
}

static Finding *versions(Doctor *doctor, CheckId id, const Toolkit *kit, const char *effect)
{
    Finding *finding =
        finding_add(doctor, id, "The toolkit is CUDA %d.%d, the driver serves %s: %s", kit->major,
                    kit->minor, version_text(doctor->arena, doctor->cuda_version), effect);
    finding_evidence(doctor, finding, kit->folder, "CUDA %d.%d", kit->major, kit->minor);
    finding_evidence(doctor, finding, "libcuda.so.1", "cuDriverGetVersion = %d",
                     doctor->cuda_version);
    return finding;
}

void check_D12(Doctor *doctor)
{
    const Toolkit *kit = building_toolkit(doctor);
    if (kit && doctor->cuda_version > 0 && kit->major > doctor->cuda_version / 1000)
        versions(doctor, CHECK_D12, kit, "what it builds fails with error 35.");
}

void check_D14(Doctor *doctor)
{
    const Toolkit *kit = building_toolkit(doctor);
    if (kit && doctor->cuda_version > 0 && kit->major == doctor->cuda_version / 1000 &&
        version_pack(kit->major, kit->minor) > doctor->cuda_version)
        versions(doctor, CHECK_D14, kit, "machine code runs, PTX does not.");
}

void check_D13(Doctor *doctor)
{
    if (!has_nvidia(doctor) || is_explained(doctor) || (doctor->nvidia_asleep && !doctor->wake))
        return;
    const char *load = kv_text(&doctor->cuda, "load");
    if (!doctor->cuda_path) {
        Finding *finding = finding_add(doctor, CHECK_D13, "%s",
                                       doctor->driver.loaded
                                           ? "The kernel module is loaded, but libcuda.so.1 is not "
                                             "where the loader looks."
                                           : "The NVIDIA driver is not installed.");
        finding_evidence(doctor, finding, "libcuda.so.1", "not found by the loader");
        if (doctor->nvidia_cards)
            finding_evidence(doctor, finding, "/sys/bus/pci/devices", "%d NVIDIA card(s)",
                             doctor->nvidia_cards);
        static const char *const places[] = {"/usr/lib/wsl/lib", "/usr/local/nvidia/lib64",
                                             "/usr/lib/nvidia", "/usr/local/lib"};
        for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
            const char *path = arena_printf(doctor->arena, "%s/libcuda.so.1", places[i]);
            if (!machine_exists(doctor->machine, path))
                continue;
            finding_evidence(doctor, finding, path, "present, outside the loader's folders");
            finding_fix(doctor, finding,
                        "echo %s | sudo tee /etc/ld.so.conf.d/nvidia.conf && sudo ldconfig",
                        places[i]);
        }
    } else if (load && strcmp(load, "ok") != 0) {
        Finding *finding = finding_add(doctor, CHECK_D13, "libcuda.so.1 does not load.");
        finding_evidence(doctor, finding, doctor->cuda_path, "%s", load);
    } else if (doctor->cuda.failed || doctor->nvml.failed) {
        const char *how = doctor->cuda.failed ? doctor->cuda.failed : doctor->nvml.failed;
        Finding *finding =
            finding_add(doctor, CHECK_D13, "The driver library does not answer: %s.", how);
        finding_evidence(doctor, finding,
                         doctor->cuda.failed ? doctor->cuda_path : doctor->nvml_path, "%s", how);
        finding_fix(doctor, finding, "sudo dmesg | grep -iE 'xid|nvrm' | tail\nsudo reboot");
    } else if (doctor->cuda_init > 0 && !doctor->found[CHECK_D09] && !doctor->found[CHECK_D10]) {
        Finding *finding = finding_add(doctor, CHECK_D13, "cuInit fails: %d, %s.",
                                       doctor->cuda_init, cuda_code_name(doctor->cuda_init));
        evidence_init(doctor, finding);
        finding_fix(doctor, finding,
                    "gpukit doctor --explain %d\nsudo dmesg | grep -iE 'xid|nvrm' | tail",
                    doctor->cuda_init);
    }
}

void check_D15(Doctor *doctor)
{
    const char *path = kv_text(&doctor->cuda, "path");
    const char *real = path ? machine_real(doctor->machine, path) : NULL;
    bool compat = (path && strstr(path, "/compat/")) || (real && strstr(real, "/compat/"));
    if (doctor->cuda_init != 804 && !(compat && doctor->cuda_init > 0))
        return;
    Finding *finding = finding_add(doctor, CHECK_D15, "cuInit answers %d with %s.",
                                   doctor->cuda_init, real ? real : "that library");
    evidence_init(doctor, finding);
    finding_evidence(doctor, finding, "libcuda.so.1", "loaded from %s", path ? path : "?");
    const char *name = kv_text(&doctor->nvml, "0.name");
    if (name)
        finding_evidence(doctor, finding, "libnvidia-ml.so.1", "%s", name);
}
