/* SPDX-License-Identifier: Apache-2.0
 * The CUDA driver library: does it load, does cuInit work, which devices does it show. Done in a
 * child process with a time limit. The unversioned name is never opened: that is how the linker's
 * stub gets in. Written from the CUDA driver API reference. */
#include "doctor/doctor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_GPUS = 64 };

typedef struct {
    const char *library;
    size_t root_length;
    const char *visible, *order; /* CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER of that machine */
} Request;

static const struct {
    int number;
    const char *key;
} attributes[] = {
#define ATTRIBUTE(number, key) {number, #key},
#include "doctor/cuda_attributes.def"
#undef ATTRIBUTE
};

static void say_device(int out, void *library, int index, int device)
{
    char key[64], text[128] = "";
    int (*name)(char *, int, int) = dlsym(library, "cuDeviceGetName");
    int (*bus)(char *, int, int) = dlsym(library, "cuDeviceGetPCIBusId");
    int (*memory)(size_t *, int) = dlsym(library, "cuDeviceTotalMem_v2");
    int (*attribute)(int *, int, int) = dlsym(library, "cuDeviceGetAttribute");
    size_t bytes = 0;
    if (name && name(text, sizeof text, device) == 0) {
        snprintf(key, sizeof key, "%d.name", index);
        kv_line(out, key, "%s", text);
    }
    if (bus && bus(text, sizeof text, device) == 0) {
        snprintf(key, sizeof key, "%d.pci", index);
        kv_line(out, key, "%s", text);
    }
    if (memory && memory(&bytes, device) == 0) {
        snprintf(key, sizeof key, "%d.memory_total", index);
        kv_line(out, key, "%zu", bytes);
    }
    for (size_t i = 0; attribute && i < sizeof attributes / sizeof *attributes; ++i) {
        int value = 0;
        if (attribute(&value, attributes[i].number, device) != 0)
            continue;
        snprintf(key, sizeof key, "%d.%s", index, attributes[i].key);
        kv_line(out, key, "%d", value);
    }
}

static void child(int out, void *context)
{
    const Request *request = context;
    if (request->visible)
        setenv("CUDA_VISIBLE_DEVICES", request->visible, 1);
    if (request->order)
        setenv("CUDA_DEVICE_ORDER", request->order, 1);
    void *library = dlopen(request->library, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        kv_line(out, "load", "%s", dlerror());
        return;
    }
    kv_line(out, "load", "ok");
    int (*init)(unsigned) = dlsym(library, "cuInit");
    Dl_info info;
    if (!init) {
        kv_line(out, "load", "no cuInit in it");
        return;
    }
    if (dladdr((void *)init, &info) && info.dli_fname)
        kv_line(out, "path", "%s", info.dli_fname + request->root_length);
    int version = 0, count = 0, device = 0;
    int (*number)(int *) = dlsym(library, "cuDriverGetVersion");
    if (number && number(&version) == 0)
        kv_line(out, "version", "%d", version);
    kv_line(out, "init", "%d", init(0));
    int (*how_many)(int *) = dlsym(library, "cuDeviceGetCount");
    int (*get)(int *, int) = dlsym(library, "cuDeviceGet");
    if (!how_many || how_many(&count) != 0)
        return;
    count = count < 0 ? 0 : count > MAX_GPUS ? MAX_GPUS : count;
    kv_line(out, "count", "%d", count);
    for (int i = 0; get && i < count; ++i)
        if (get(&device, i) == 0)
            say_device(out, library, i, device);
}

void probe_cuda(Doctor *doctor)
{
    Machine *machine = doctor->machine;
    doctor->cuda_init = -1;
    const char *path = machine_library(machine, "libcuda.so.1", NULL);
    doctor->cuda_path = path;
    Request request = {"libcuda.so.1", strlen(machine->root),
                       machine_env(machine, "CUDA_VISIBLE_DEVICES"),
                       machine_env(machine, "CUDA_DEVICE_ORDER")};
    if (!path || (doctor->nvidia_asleep && !doctor->wake))
        return;
    if (!machine_is_live(machine))
        request.library = arena_printf(doctor->arena, "%s%s", machine->root, path);
    machine_child(machine, doctor->limit, child, &request, &doctor->cuda);
    doctor->cuda_init = (int)kv_int(&doctor->cuda, -1, "init");
    doctor->cuda_version = (int)kv_int(&doctor->cuda, kv_int(&doctor->nvml, 0, "cuda"), "version");
    machine_record(machine, 's', machine_real(machine, path), "cuda");
}
