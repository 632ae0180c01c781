/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program in every mode: once with an empty cache of kernels, which gives the compile time,
 * then some times more, of which the least time of each part counts. */
#include "compare/compare.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/map.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const compare_mode_names[MODE_COUNT] = {
#define X(id, label, text) #id,
    COMPARE_MODES(X)
#undef X
};
const char *const compare_mode_labels[MODE_COUNT] = {
#define X(id, label, text) label,
    COMPARE_MODES(X)
#undef X
};

typedef struct {
    const char *program, *folder;
    char *const *arguments;
    int count, input;
    char *libraries;
} Job;

static void set_mode(CompareMode mode)
{
    setenv("GPUKIT_DEVICE", mode == MODE_gpu ? "gpu" : "cpu", 1);
    if (mode == MODE_serial)
        setenv("GPUKIT_SCALAR", "1", 1);
    else
        unsetenv("GPUKIT_SCALAR");
    if (mode == MODE_serial || mode == MODE_simd)
        setenv("GPUKIT_THREADS", "1", 1);
    const char *broken = getenv("GPUKIT_COMPARE_BREAK"); /* for tests: MODE:LANE */
    size_t name = strlen(compare_mode_names[mode]);
    if (broken && strncmp(broken, compare_mode_names[mode], name) == 0 && broken[name] == ':')
        setenv("GPUKIT_BREAK_LANE", broken + name + 1, 1);
}

/* In the child: what it prints goes to a file, what it did into the trace. */
static void become(const Job *job, CompareMode mode, const char *output, const char *trace,
                   const char *bytes)
{
    set_mode(mode);
    char *cache = xasprintf("%s/cache-%s", job->folder, compare_mode_names[mode]);
    setenv("GPUKIT_CACHE", cache, 1);
    setenv("GPUKIT_TRACE", trace, 1);
    if (bytes)
        setenv("GPUKIT_TRACE_BYTES", bytes, 1);
    else
        unsetenv("GPUKIT_TRACE_BYTES");
    const char *old = getenv("LD_LIBRARY_PATH");
    char *path = old && *old ? xasprintf("%s:%s", job->libraries, old) : xstrdup(job->libraries);
    setenv("LD_LIBRARY_PATH", path, 1);
    int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int in = job->input < 0 ? open("/dev/null", O_RDONLY) : job->input;
    if (job->input >= 0)
        lseek(in, 0, SEEK_SET);
    dup2(in, 0);
    dup2(out, 1);
    dup2(out, 2);
    char **argv = xcalloc((size_t)job->count + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t)job->program;
    memcpy(argv + 1, job->arguments, sizeof *argv * (size_t)job->count);
    execv(job->program, argv);
    fprintf(stderr, "%s: %s\n", job->program, strerror(errno));
    _exit(127);
}

static int run_once(const Job *job, CompareMode mode, const char *output, const char *trace,
                    const char *bytes, double *wall)
{
    unlink(trace);
    fflush(NULL);
    double start = clock_ms();
    pid_t child = fork();
    if (child == 0)
        become(job, mode, output, trace, bytes);
    int status = 127 << 8;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    *wall = clock_ms() - start;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The last lines of what the program printed, for a message. malloc'd. */
static char *last_words(const char *path)
{
    Buf text = {0};
    if (fs_read(path, &text) || !text.count) {
        buf_free(&text);
        return xstrdup("it printed nothing");
    }
    while (text.count && text.data[text.count - 1] == '\n')
        text.data[--text.count] = 0;
    const char *start = text.data + text.count;
    for (int lines = 0; start > text.data && (start[-1] != '\n' || ++lines < 3);)
        --start;
    char *words = xstrdup(start);
    buf_free(&text);
    return words;
}

static void keep_least(Trace *best, const Trace *other)
{
    double *const mine[] = {&best->context, &best->module, &best->compile, &best->htod,
                            &best->dtoh,    &best->dtod,   &best->kernels, &best->wall};
    const double theirs[] = {other->context, other->module, other->compile, other->htod,
                             other->dtoh,    other->dtod,   other->kernels, other->wall};
    for (size_t i = 0; i < sizeof mine / sizeof *mine; ++i)
        *mine[i] = fmin(*mine[i], theirs[i]);
    for (size_t i = 0; i < best->by_kernel.count && i < other->by_kernel.count; ++i)
        best->by_kernel.items[i].ms =
            fmin(best->by_kernel.items[i].ms, other->by_kernel.items[i].ms);
}

/* false: it failed, and r->why says how. */
static bool run_mode(const Job *job, CompareMode mode, const CompareOptions *options, ModeResult *r)
{
    const char *name = compare_mode_names[mode];
    char *output = xasprintf("%s/%s.out", job->folder, name);
    char *trace = xasprintf("%s/%s.trace", job->folder, name);
    r->bytes_file = xasprintf("%s/%s.bytes", job->folder, name);
    Diags diags;
    diags_init(&diags);
    for (int run = 0; run <= options->repeat && (!r->why || run == 1); ++run) {
        double wall;
        Trace t;
        r->status = run_once(job, mode, output, trace, run ? NULL : r->bytes_file, &wall);
        if (r->status && !r->why) {
            char *words = last_words(output);
            r->why = xasprintf("the program ended with status %d: %s", r->status, words);
            free(words);
        }
        if (trace_read(trace, &t, &diags)) {
            if (!r->why)
                r->why = xstrdup(diags.list.items[0].text);
            break;
        }
        if (t.error && !r->why)
            r->why = xasprintf("a kernel failed with CUDA error %d (gpukit doctor --explain %d)",
                               t.error, t.error);
        if (run == 0) {
            r->ran = true;
            r->first = t;
            r->first_wall = wall;
        } else if (run == 1) {
            r->best = t;
        } else {
            keep_least(&r->best, &t);
            trace_fini(&t);
        }
    }
    diags_fini(&diags);
    free(output);
    free(trace);
    return !r->why;
}

/* Bytes a second that a link or memory can carry at most, in both directions apart.
 * PCI Express base specifications: 8, 16, 32 GT/s a lane, 16 lanes, 128 of 130 bits. */
static double pcie_gb_s(const CatalogueDevice *card)
{
    double per_lane = card->cc_major >= 9 ? 32 : card->cc_major == 8 ? 16 : 8;
    return per_lane * 16 * 128 / 130 / 8;
}

/* Floating-point operations, from one more run with counting kernels; zeros when it fails. */
static void count_operations(const Job *job, CompareBound *out)
{
    char *output = xasprintf("%s/count.out", job->folder);
    char *trace = xasprintf("%s/count.trace", job->folder);
    double wall;
    Trace t;
    Diags diags;
    diags_init(&diags);
    setenv("GPUKIT_COUNT", "1", 1);
    int status = run_once(job, MODE_cores, output, trace, NULL, &wall);
    unsetenv("GPUKIT_COUNT");
    if (!status && !trace_read(trace, &t, &diags)) {
        out->f32 = t.f32;
        out->f64 = t.f64;
        trace_fini(&t);
    }
    diags_fini(&diags);
    free(output);
    free(trace);
}

static void find_bound(const CatalogueDevice *card, const Trace *t, CompareBound *out)
{
    out->gpu = card->id;
    out->pcie_gb_s = pcie_gb_s(card);
    out->memory_gb_s = card->gb_s;
    out->htod = (double)t->htod_bytes / out->pcie_gb_s * 1e-6;
    out->dtoh = (double)t->dtoh_bytes / out->pcie_gb_s * 1e-6;
    /* whatever was copied back was written to the GPU's memory by somebody, and read for the copy
     */
    out->kernels = (double)t->dtoh_bytes / card->gb_s * 1e-6;
    out->fp32_tflops = card->fp32_tflops;
    out->fp64_tflops = card->fp64_tflops;
    if (card->fp32_tflops > 0)
        out->kernels = fmax(out->kernels, (double)out->f32 / card->fp32_tflops * 1e-9);
    if (card->fp64_tflops > 0)
        out->kernels = fmax(out->kernels, (double)out->f64 / card->fp64_tflops * 1e-9);
}

uint64_t compare_hash(const Trace *trace)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < trace->back.count; ++i)
        hash = hash_bytes(&trace->back.items[i].hash, sizeof trace->back.items[i].hash, hash);
    return hash;
}

int compare_program(const char *path, char *const *arguments, int count,
                    const CompareOptions *options, CompareResult *out, Diags *diags)
{
    const CatalogueDevice *card = catalogue_device(options->gpu);
    if (!card) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "--gpu: unknown GPU '%s'", options->gpu);
        diag_help(diags, "known: %s", catalogue_device_names());
        return EXIT_USAGE;
    }
    Job job = {path, options->folder, arguments, count, options->input, source_library_dir(diags)};
    if (!job.libraries)
        return EXIT_ENVIRONMENT;
    for (int m = 0; m < MODE_COUNT; ++m) {
        ModeResult *r = &out->modes[m];
        if (m == MODE_gpu && !options->try_gpu)
            continue;
        if (options->progress)
            options->progress(compare_mode_labels[m]);
        if (!run_mode(&job, (CompareMode)m, options, r))
            out->failed = true;
    }
    if (!out->modes[MODE_gpu].ran && out->modes[MODE_cores].ran && !out->failed)
        count_operations(&job, &out->bound);
    free(job.libraries);
    out->reference = MODE_cores;
    const ModeResult *reference = &out->modes[out->reference];
    for (int m = 0; m < MODE_COUNT; ++m) {
        ModeResult *r = &out->modes[m];
        if (m == (int)out->reference || !r->ran || !reference->ran)
            continue;
        bytes_compare(reference, r, &out->difference[m]);
        const BytesDifference *d = &out->difference[m];
        bool near = !d->shape && d->words && d->most <= options->tolerance;
        if (!d->equal && !near)
            out->failed = true;
    }
    if (reference->ran)
        find_bound(card, &reference->first, &out->bound);
    return 0;
}

void compare_result_fini(CompareResult *result)
{
    for (int m = 0; m < MODE_COUNT; ++m) {
        ModeResult *r = &result->modes[m];
        trace_fini(&r->first);
        trace_fini(&r->best);
        free(r->bytes_file);
        free(r->why);
    }
    free(result->program);
    free(result->arguments);
    free(result->recorded.gpu);
    free(result->recorded.driver);
    free(result->recorded.date);
    free(result->recorded.hash);
    memset(result, 0, sizeof *result);
}
