/* SPDX-License-Identifier: Apache-2.0
 * The table of devices.def and its look-up by name. */
#include "catalogue/devices.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const CatalogueDevice devices[] = {
#define DEVICE(id, name, arch, cc_major, cc_minor, sms, cores, clock_mhz, mem_bytes, bus_bits,     \
               mem_mhz, l2_bytes, shared_per_sm, shared_per_block, regs_per_sm, threads_per_sm,    \
               blocks_per_sm, gb_s, fp32, fp64, fp16_tensor, source)                               \
    {id,                                                                                           \
     name,                                                                                         \
     arch,                                                                                         \
     cc_major,                                                                                     \
     cc_minor,                                                                                     \
     sms,                                                                                          \
     cores,                                                                                        \
     clock_mhz,                                                                                    \
     mem_bytes,                                                                                    \
     bus_bits,                                                                                     \
     mem_mhz,                                                                                      \
     l2_bytes,                                                                                     \
     shared_per_sm,                                                                                \
     shared_per_block,                                                                             \
     regs_per_sm,                                                                                  \
     threads_per_sm,                                                                               \
     blocks_per_sm,                                                                                \
     gb_s,                                                                                         \
     fp32,                                                                                         \
     fp64,                                                                                         \
     fp16_tensor,                                                                                  \
     source},
#include "catalogue/devices.def"
#undef DEVICE
};

enum { DEVICE_COUNT = sizeof devices / sizeof *devices };

/* Lower case without spaces, '-', '_' and maker's words, so that spellings compare equal. */
static void plain_name(const char *name, char *out, size_t room)
{
    static const char *const words[] = {"nvidia", "tesla", "geforce"};
    size_t n = 0;
    while (*name && n + 1 < room) {
        bool skipped = false;
        for (size_t w = 0; w < sizeof words / sizeof *words && !skipped; ++w)
            if (strncasecmp(name, words[w], strlen(words[w])) == 0) {
                name += strlen(words[w]);
                skipped = true;
            }
        if (skipped)
            continue;
        if (*name != ' ' && *name != '-' && *name != '_')
            out[n++] = (char)tolower((unsigned char)*name);
        ++name;
    }
    out[n] = 0;
}

const CatalogueDevice *catalogue_device(const char *name)
{
    char wanted[96], have[96];
    plain_name(name ? name : CATALOGUE_DEFAULT_DEVICE, wanted, sizeof wanted);
    for (int i = 0; i < DEVICE_COUNT; ++i) {
        plain_name(devices[i].id, have, sizeof have);
        if (strcmp(have, wanted) == 0)
            return &devices[i];
        plain_name(devices[i].name, have, sizeof have);
        if (strcmp(have, wanted) == 0)
            return &devices[i];
    }
    return NULL;
}

const CatalogueDevice *catalogue_devices(int *count)
{
    *count = DEVICE_COUNT;
    return devices;
}

const char *catalogue_device_names(void)
{
    static const char names[] =
#define DEVICE(id, ...) ", " id
#include "catalogue/devices.def"
#undef DEVICE
        ;
    return names + 2;
}
