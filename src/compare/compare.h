/* SPDX-License-Identifier: Apache-2.0
 *
 * The same program run in several modes, traced (runtime/trace.c), its times taken apart and the
 * bytes that it copied back from the device compared between the modes. */
#ifndef GPUKIT_COMPARE_COMPARE_H
#define GPUKIT_COMPARE_COMPARE_H

#include "base/arena.h"
#include "base/diag.h"
#include "catalogue/devices.h"

#include <stdbool.h>
#include <stdint.h>

/* One row per mode, in order of parallelism. */
#define COMPARE_MODES(X)                                                                           \
    X(serial, "serial, 1 core", "one lane after the other, scalar code")                           \
    X(simd, "SIMD, 1 core", "32 lanes in vector registers")                                        \
    X(cores, "SIMD, all cores", "vector registers on every core")                                  \
    X(gpu, "GPU", "measured on the GPU of this machine")
typedef enum {
#define X(id, label, text) MODE_##id,
    COMPARE_MODES(X)
#undef X
        MODE_COUNT
} CompareMode;
extern const char *const compare_mode_names[MODE_COUNT];  /* "serial", ... */
extern const char *const compare_mode_labels[MODE_COUNT]; /* "serial, 1 core", ... */

typedef struct {
    uint64_t bytes, hash, offset;
} TraceBytes; /* one copy from device to host */

typedef struct {
    char *name;
    uint64_t launches;
    double ms;
} TraceKernel;

/* A trace summed up. Times are milliseconds. */
typedef struct {
    char *gpu; /* name of the device as the program saw it */
    int driver, threads;
    int error; /* of a kernel, which ends everything on the device: 700...; 0: none */
    double context, module, compile, htod, dtoh, dtod, kernels, wall;
    uint64_t htod_bytes, dtoh_bytes, launches;
    uint64_t f32, f64;        /* floating-point operations, when they were counted */
    unsigned copies, untimed; /* untimed: launches and copies without a time */
    VEC(TraceBytes) back;
    VEC(TraceKernel) by_kernel;
} Trace;

/* 0, or -1 with a diagnostic: missing, damaged, cut short. */
int trace_read(const char *path, Trace *out, Diags *diags);
void trace_fini(Trace *trace);

typedef struct {
    bool ran;
    int status;        /* exit status of the program; 128 + signal */
    double first_wall; /* of the run that had to compile */
    Trace first, best; /* best: least time of each part over the warm runs */
    char *bytes_file;
    char *why; /* when it did not run or failed */
} ModeResult;

/* How the bytes of one mode differ from the reference mode's. */
typedef struct {
    bool compared, equal;
    bool shape;                /* another number or size of copies */
    uint64_t bytes, different; /* bytes in all, and those that differ */
    const char *type;          /* what the differing words look like: "float", "double", "int" */
    uint64_t words;            /* differing words of that type */
    double most;               /* float, double: largest ULP difference; int: largest difference */
} BytesDifference;

void bytes_compare(const ModeResult *reference, const ModeResult *other, BytesDifference *out);

typedef struct {
    const char *gpu;            /* id in the catalogue */
    double htod, kernels, dtoh; /* least possible, ms */
    double pcie_gb_s, memory_gb_s, fp32_tflops, fp64_tflops;
    uint64_t f32, f64;
} CompareBound;

typedef struct {
    char *gpu, *driver, *date, *hash;
    double context, compile, htod, kernels, dtoh;
    uint64_t htod_bytes, dtoh_bytes;
    bool present;
} CompareRecord;

typedef struct {
    char *program;    /* as given, or the name in the built-in set */
    char *arguments;  /* joined by blanks */
    double front_end; /* ms of clang; 0: it came from the cache */
    ModeResult modes[MODE_COUNT];
    BytesDifference difference[MODE_COUNT]; /* against modes[reference] */
    CompareMode reference;
    CompareBound bound;
    CompareRecord recorded;
    bool recorded_equal; /* recorded.hash is that of this machine's bytes */
    bool failed;
} CompareResult;

typedef struct {
    const char *gpu;    /* whose bound is shown */
    const char *folder; /* scratch, exists */
    int input; /* descriptor of a file that each run reads as its standard input; -1: none */
    int repeat;
    bool try_gpu;
    void (*progress)(const char *text); /* may be NULL */
    double tolerance;                   /* ULP that are no failure */
} CompareOptions;

/* Runs an executable in every mode. 0, or an exit code with a diagnostic. */
int compare_program(const char *path, char *const *arguments, int count,
                    const CompareOptions *options, CompareResult *out, Diags *diags);
void compare_result_fini(CompareResult *result);
uint64_t compare_hash(const Trace *trace); /* of all that came back */

/* Recorded figures, a TSV table: see data/compare/recorded.tsv. */
int record_find(const char *path, const char *program, const char *arguments, CompareRecord *out,
                Diags *diags);
int record_add(const char *path, const CompareResult *result, const char *date, Diags *diags);

/* The sentence about what the processor gave, what the GPU adds and when it pays. malloc'd. */
char *compare_sentence(const CompareResult *result);

#endif
