/* SPDX-License-Identifier: Apache-2.0
 * What this system runs in: distribution, container, WSL, virtual machine, C library. */
#include "doctor/doctor.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *os_field(Doctor *doctor, const char *text, const char *name)
{
    Names lines = split(doctor->arena, text ? text : "", '\n');
    size_t length = strlen(name);
    for (size_t i = 0; i < lines.count; ++i)
        if (strncmp(lines.items[i], name, length) == 0 && lines.items[i][length] == '=') {
            const char *value = lines.items[i] + length + 1;
            value += *value == '"';
            return arena_strndup(doctor->arena, value, strcspn(value, "\""));
        }
    return NULL;
}

static void find_libc(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    const char *path = machine_library(machine, "libc.so.6", NULL);
    if (machine_is_live(machine)) {
        sscanf(gnu_get_libc_version(), "%d.%d", &doctor->glibc_major, &doctor->glibc_minor);
        if (path)
            machine_record(
                machine, 'f', machine_real(machine, path),
                arena_printf(doctor->arena, "stable release version %s", gnu_get_libc_version()));
        return;
    }
    const char *text = path ? machine_read(machine, path) : NULL;
    const char *at = text ? strstr(text, "release version ") : NULL;
    if (at)
        sscanf(at + 16, "%d.%d", &doctor->glibc_major, &doctor->glibc_minor);
}

static const char *container(Doctor *doctor)
{
    static const struct {
        const char *mark, *name;
    } marks[] = {{"kubepods", "Kubernetes"},
                 {"docker", "Docker"},
                 {"libpod", "Podman"},
                 {"/lxc/", "LXC"},
                 {"containerd", "containerd"}};
    Machine *machine = doctor->machine;
    if (machine_env(machine, "KUBERNETES_SERVICE_HOST"))
        return "Kubernetes";
    if (machine_exists(machine, "/.dockerenv"))
        return "Docker";
    if (machine_exists(machine, "/run/.containerenv"))
        return "Podman";
    if (machine_env(machine, "APPTAINER_CONTAINER") ||
        machine_env(machine, "SINGULARITY_CONTAINER"))
        return "Apptainer";
    const char *text = machine_read(machine, "/proc/self/cgroup");
    for (size_t i = 0; text && i < sizeof marks / sizeof *marks; ++i)
        if (strstr(text, marks[i].mark))
            return marks[i].name;
    return NULL;
}

void probe_box(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    const char *release = machine_read(machine, "/etc/os-release");
    if (!release)
        release = machine_read(machine, "/usr/lib/os-release");
    doctor->os.id = os_field(doctor, release, "ID");
    doctor->os.like = os_field(doctor, release, "ID_LIKE");
    doctor->os.version = os_field(doctor, release, "VERSION_ID");
    doctor->os.codename = os_field(doctor, release, "UBUNTU_CODENAME");
    doctor->os.name = os_field(doctor, release, "PRETTY_NAME");
    doctor->kernel = machine_read(machine, "/proc/sys/kernel/osrelease");
    doctor->box.name = container(doctor);
    const char *version = machine_read(machine, "/proc/version");
    doctor->box.wsl = version && strcasestr(version, "microsoft");
    const char *vendor = machine_read(machine, "/sys/class/dmi/id/sys_vendor");
    const char *product = machine_read(machine, "/sys/class/dmi/id/product_name");
    if (vendor && product)
        doctor->box.virtual_machine = arena_printf(doctor->arena, "%s %s", vendor, product);
    doctor->box.docker = machine_which(machine, "docker");
    doctor->box.container_toolkit = machine_which(machine, "nvidia-ctk") ||
                                    machine_which(machine, "nvidia-container-runtime") ||
                                    machine_exists(machine, "/etc/cdi/nvidia.yaml");
    find_libc(doctor);
}
