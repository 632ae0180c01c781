/* SPDX-License-Identifier: Apache-2.0
 * What gpukit's own CPU engine needs: a clang that compiles CUDA, LLVM, and gpukit's headers.
 * Nothing is loaded; only where the files lie is looked at. */
#include "base/fs.h"
#include "doctor/doctor.h"

#include <stdlib.h>

void probe_engine(Doctor *doctor)
{
    static const char *const clangs[] = {"clang-19", "clang-20", "clang-18"};
    static const char *const libraries[] = {"libLLVM-19.so.1", "libLLVM.so.19.1", "libLLVM-19.so"};
    for (int i = 0; i < 3 && !doctor->engine.clang; ++i)
        doctor->engine.clang = machine_which(doctor->machine, clangs[i]);
    for (int i = 0; i < 3 && !doctor->engine.llvm; ++i)
        doctor->engine.llvm = machine_library(doctor->machine, libraries[i], NULL);
    if (machine_is_live(doctor->machine)) {
        char *headers = fs_resource("cuda/include");
        doctor->engine.headers = headers != NULL;
        free(headers);
    } else {
        doctor->engine.headers = true; /* they come with gpukit, not with the machine */
    }
}
