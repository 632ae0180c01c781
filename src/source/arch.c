/* SPDX-License-Identifier: Apache-2.0
 * Names of GPU architectures as compilers take them. */
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

static const char *const architectures[] = {"sm_50", "sm_52", "sm_53", "sm_60", "sm_61",
                                            "sm_62", "sm_70", "sm_72", "sm_75", "sm_80",
                                            "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a"};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

const char *source_arch_name(int i)
{
    return i >= 0 && i < ARCHITECTURES ? architectures[i] : NULL;
}

const char *source_arch(const char *text)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_", ""};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; ++p) {
        size_t length = strlen(prefixes[p]);
        if (strncmp(text, prefixes[p], length) != 0)
            continue;
        for (int k = 0; k < ARCHITECTURES; ++k)
            if (strcmp(text + length, architectures[k] + 3) == 0)
                return architectures[k];
        /* Newer than this clang knows: the newest PTX it can write runs there as well. */
        long number = strtol(text + length, NULL, 10);
        if (number >= 100 && number < 200)
            return "sm_90";
    }
    return NULL;
}
