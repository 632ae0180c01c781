/* SPDX-License-Identifier: Apache-2.0
 * doctor-record: probes this machine and prints it as an image (see src/doctor/record.c). Needs
 * the C library only, so that it runs on a machine where gpukit's other libraries are missing.
 * With --try it answers, on a machine with a GPU, what cuInit does with odd selections. */
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>

static int try_selections(void)
{
    static const char *const values[] = {
        NULL,   "",     "-1",  "0",
        "0,99", "99,0", "0,0", "GPU-ffffffff-0000-0000-0000-000000000000",
        "none", "0 ",   " 0",  "0x0",
        "00",   "1,0"};
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        if (values[i])
            setenv("CUDA_VISIBLE_DEVICES", values[i], 1);
        else
            unsetenv("CUDA_VISIBLE_DEVICES");
        Machine machine;
        Doctor doctor;
        machine_init(&machine, "");
        doctor_init(&doctor, &machine);
        probe_cuda(&doctor);
        printf("CUDA_VISIBLE_DEVICES=%-42s cuInit %d, devices %lld%s%s\n",
               values[i] ? values[i] : "(unset)", doctor.cuda_init,
               kv_int(&doctor.cuda, -1, "count"), doctor.cuda.failed ? ", " : "",
               doctor.cuda.failed ? doctor.cuda.failed : "");
        doctor_fini(&doctor);
        machine_fini(&machine);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--try") == 0)
        return try_selections();
    Machine machine;
    Doctor doctor;
    Buf out = {0};
    machine_init(&machine, "");
    machine.recording = true;
    doctor_init(&doctor, &machine);
    doctor.wake = true;
    doctor_probe(&doctor);
    record_image(&doctor, &out);
    fputs(buf_text(&out), stdout);
    fprintf(stderr, "doctor-record: %d NVIDIA card(s) on PCI, nvmlInit %d, cuInit %d, %zu items\n",
            doctor.nvidia_cards, doctor.nvml_init, doctor.cuda_init, machine.seen.count);
    for (size_t i = 0; i < machine.unreadable.count; ++i)
        fprintf(stderr, "doctor-record: not readable: %s (%s)\n", machine.unreadable.items[i].path,
                machine.unreadable.items[i].why);
    buf_free(&out);
    doctor_fini(&doctor);
    machine_fini(&machine);
    return 0;
}
