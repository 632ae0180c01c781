/* SPDX-License-Identifier: Apache-2.0
 * Included in front of a file that is compiled separately (-rdc): a static variable that host code mentions,
 * so that the PTX tells by what suffix clang makes such variables of this file public. gpukit takes it out
 * (ptx_text.c). A precompiled header would forget that host code mentions it. */
namespace gpukit {
static __device__ char unit;
inline char *unit_of_host()
{
    return &unit;
}
}
