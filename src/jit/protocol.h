/* SPDX-License-Identifier: Apache-2.0
 * What the client (in the user's process) and the compiler (gpukit-jit) say to each other over a
 * socket. One request, one reply, in order. */
#ifndef GPUKIT_JIT_PROTOCOL_H
#define GPUKIT_JIT_PROTOCOL_H

#include <stdint.h>

/* In hooks, with a lane's number: that lane of every warp never runs. Tests use it to see that a
 * comparison notices. */
#define JIT_BREAK_LANE 0x80000000u
/* In hooks: count floating-point operations (launch_operations). */
#define JIT_COUNT 0x40000000u

enum {
    JIT_MAGIC = 0x6a6b7067 /* "gpkj" */,
    JIT_NAME_MAX = 4096,
    JIT_PATH_MAX = 4096,
    JIT_SECONDS = 300 /* of processor time for one kernel */
};

typedef enum {
    JIT_LEVEL_PORTABLE,
    JIT_LEVEL_AVX2,
    JIT_LEVEL_AVX512,      /* the first processors with it */
    JIT_LEVEL_AVX512_VBMI, /* Ice Lake, Zen 4 and later: VBMI, VBMI2 and VNNI too */
    JIT_LEVEL_COUNT
} JitLevel;

typedef struct {
    uint32_t magic;
    uint32_t ntid[3];
    uint32_t level; /* JitLevel */
    uint32_t hooks;
    uint32_t scalar;
    uint32_t stack;
    uint32_t name_bytes; /* kernel name, module name, output path and PTX follow */
    uint32_t module_bytes;
    uint32_t path_bytes;
    uint64_t ptx_bytes;
} JitRequest;

typedef struct {
    uint32_t magic;
    uint32_t ok;         /* the output file is there */
    uint32_t text_bytes; /* diagnostics follow */
} JitReply;

/* The last 16 bytes of a finished kernel object: this text and a hash of all before. */
#define JIT_TRAILER "GPUKITOK"

#endif
