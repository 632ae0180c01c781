/* SPDX-License-Identifier: Apache-2.0
 * Host compilers (gcc, clang) with their versions. The version is read off the file's real name
 * where the distribution puts it there, because asking costs a process each. */
#include "doctor/doctor.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static int version_in_name(const char *real, bool clang)
{
    const char *at = clang ? strstr(real, "/llvm-") : NULL;
    if (at)
        return atoi(at + 6);
    const char *dash = strrchr(real, '-');
    return dash && isdigit((unsigned char)dash[1]) ? atoi(dash + 1) : 0;
}

static void add_compiler(Doctor *doctor, const char *path, const char *command, bool is_default)
{
    const char *real = machine_real(doctor->machine, path);
    if (!real)
        return;
    Compiler one = {.command = command, .path = path, .is_default = is_default};
    one.clang = strstr(real, "clang") != NULL;
    one.major = version_in_name(real, one.clang);
    if (!one.major && one.clang) {
        const char *text = machine_run(doctor->machine, 3, path, "--version");
        const char *at = text ? strstr(text, "clang version ") : NULL;
        one.major = at ? atoi(at + 14) : 0;
    } else if (!one.major) {
        const char *text = machine_run(doctor->machine, 3, path, "-dumpversion");
        one.major = text ? atoi(text) : 0;
    }
    for (size_t i = 0; i < doctor->compilers.count; ++i) {
        Compiler *old = &doctor->compilers.items[i];
        if (old->clang == one.clang && old->major == one.major && !is_default && !old->is_default)
            return;
    }
    VEC_PUSH(doctor->compilers, one);
}

void probe_compilers(Doctor *doctor)
{
    static const char *const defaults[] = {"gcc", "g++", "clang"};
    Machine *machine = doctor->machine;
    for (int i = 0; i < 3; ++i) {
        const char *path = machine_which(machine, defaults[i]);
        if (path)
            add_compiler(doctor, path, defaults[i], true);
    }
    const char *chosen = machine_env(machine, "NVCC_CCBIN");
    if (chosen && chosen[0] == '/')
        add_compiler(doctor, chosen, chosen, false);
    size_t unreadable = machine->unreadable.count;
    Names folders =
        split(doctor->arena,
              machine_env(machine, "PATH") ? machine_env(machine, "PATH") : "/usr/bin", ':');
    for (size_t i = 0; i < folders.count; ++i) {
        static const char *const patterns[] = {"g++-[0-9]*", "clang-[0-9]*"};
        if (folders.items[i][0] != '/')
            continue;
        for (int k = 0; k < 2; ++k) {
            Names names = machine_list(machine, folders.items[i], patterns[k]);
            for (size_t n = 0; n < names.count; ++n)
                if (strspn(strchr(names.items[n], '-') + 1, "0123456789.") ==
                    strlen(strchr(names.items[n], '-') + 1))
                    add_compiler(
                        doctor,
                        arena_printf(doctor->arena, "%s/%s", folders.items[i], names.items[n]),
                        names.items[n], false);
        }
    }
    machine->unreadable.count = unreadable; /* a folder on PATH that one may not read is no news */
}
