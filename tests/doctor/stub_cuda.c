/* SPDX-License-Identifier: Apache-2.0
 * A libcuda that answers what a recorded machine's did. */
#include "stub.h"

static const struct {
    int number;
    const char *key;
} attributes[] = {
#define ATTRIBUTE(number, key) {number, #key},
#include "doctor/cuda_attributes.def"
#undef ATTRIBUTE
};
enum { NOT_SUPPORTED = 801 };

STUB int cuInit(unsigned flags)
{
    (void)flags;
    load_facts((void *)cuInit);
    return code_of(fact("init"), 0);
}

STUB int cuDriverGetVersion(int *version)
{
    load_facts((void *)cuInit);
    const char *text = fact("version");
    if (!text)
        return NOT_SUPPORTED;
    *version = atoi(text);
    return 0;
}

STUB int cuDeviceGetCount(int *count)
{
    const char *text = fact("count");
    if (!text)
        return 3;
    *count = atoi(text);
    return 0;
}

STUB int cuDeviceGet(int *device, int index)
{
    *device = index;
    return 0;
}

STUB int cuDeviceGetName(char *name, int room, int device)
{
    const char *text = device_fact(device, "name");
    return text ? snprintf(name, (size_t)room, "%s", text) * 0 : NOT_SUPPORTED;
}

STUB int cuDeviceGetPCIBusId(char *name, int room, int device)
{
    const char *text = device_fact(device, "pci");
    return text ? snprintf(name, (size_t)room, "%s", text) * 0 : NOT_SUPPORTED;
}

STUB int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    const char *text = device_fact(device, "memory_total");
    if (!text)
        return NOT_SUPPORTED;
    *bytes = strtoull(text, NULL, 10);
    return 0;
}

STUB int cuDeviceGetAttribute(int *value, int number, int device)
{
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i) {
        const char *text =
            attributes[i].number == number ? device_fact(device, attributes[i].key) : NULL;
        if (!text)
            continue;
        *value = atoi(text);
        return 0;
    }
    return NOT_SUPPORTED;
}
