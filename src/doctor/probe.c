/* SPDX-License-Identifier: Apache-2.0
 * The order of the probes, cheap to dear: each explains the failures of the next. */
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>

enum { DRIVER_LIMIT_SECONDS = 30 };

void doctor_init(Doctor *doctor, Machine *machine)
{
    memset(doctor, 0, sizeof *doctor);
    doctor->machine = machine;
    doctor->arena = machine->arena;
    doctor->limit = DRIVER_LIMIT_SECONDS;
    doctor->nvml.arena = doctor->cuda.arena = machine->arena;
    doctor->nvml_init = doctor->cuda_init = doctor->nvml_count = -1;
}

void doctor_fini(Doctor *doctor)
{
    map_free(&doctor->nvml.map);
    map_free(&doctor->cuda.map);
    for (size_t i = 0; i < doctor->findings.count; ++i)
        VEC_FREE(doctor->findings.items[i]->evidence);
    VEC_FREE(doctor->findings);
    VEC_FREE(doctor->gpus);
    VEC_FREE(doctor->toolkits);
    VEC_FREE(doctor->compilers);
    VEC_FREE(doctor->kernel_log);
    VEC_FREE(doctor->holders);
}

void doctor_probe(Doctor *doctor)
{
    probe_cpu(doctor);
    probe_memory(doctor);
    probe_box(doctor);
    probe_pci(doctor);
    probe_driver(doctor);
    probe_rights(doctor);
    probe_toolkits(doctor);
    probe_compilers(doctor);
    probe_engine(doctor);
    probe_nvml(doctor);
    probe_cuda(doctor);
    probe_processes(doctor);
    probe_kernel_log(doctor);
}

int version_pack(int major, int minor)
{
    return major * 1000 + minor * 10;
}

const char *version_text(Arena *arena, int packed)
{
    return packed > 0 ? arena_printf(arena, "%d.%d", packed / 1000, packed % 1000 / 10) : "-";
}
