/* SPDX-License-Identifier: Apache-2.0
 * gpukit train: options, progress line and final summary around the training loop. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/table.h"
#include "trainer/ranks.h"
#include "trainer/report.h"
#include "trainer/sample.h"
#include "trainer/train.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <json-c/json.h>

typedef struct {
    const char *device, *precision, *out, *report, *json, *make_sample;
    long size, epochs, batch, seed, early_stop, threads, count, gpus;
    double rate, time_limit, max_bad;
    unsigned long long memory;
    bool resume, compare_cpu, quiet;
} Options;

typedef struct {
    const Options *o;
    FILE *log; /* --json */
    bool live; /* one line, redrawn */
} Screen;

enum { COMPARE_SECONDS = 30 }; /* --compare-cpu measures so long, or the whole run */

static volatile sig_atomic_t stop_request;

/* The first request ends the run at the next step; a second one ends the process. */
static void on_signal(int number)
{
    if (stop_request)
        _exit(128 + number);
    stop_request = number;
}

static void show_progress(void *context, int epoch, int epochs, long step, long steps, double loss,
                          double speed, double left)
{
    Screen *s = context;
    if (s->live)
        fprintf(stderr, "\repoch %d/%d  step %ld/%ld  loss %.4f  %.0f images/s  %.0f s left   ",
                epoch, epochs, step, steps, loss, speed, left);
}

static void show_epoch(void *context, const TrainEpoch *e, int epochs, double left)
{
    Screen *s = context;
    if (s->live)
        fputs("\r\033[K", stderr);
    if (!s->o->quiet)
        fprintf(stderr,
                "epoch %d/%d  loss %.4f  accuracy %.2f%% (training %.2f%%)  %.0f images/s  %.1f s "
                "left\n",
                e->epoch, epochs, e->loss, 100 * e->test_accuracy, 100 * e->train_accuracy,
                e->images_per_second, left);
    if (s->log) {
        fprintf(s->log,
                "{\"epoch\": %d, \"loss\": %.9g, \"train_accuracy\": %.6g, \"test_loss\": %.9g, "
                "\"test_accuracy\": %.6g, \"balanced_accuracy\": %.6g, \"seconds\": %.4f, "
                "\"images_per_second\": %.1f, \"rate\": %.6g}\n",
                e->epoch, e->loss, e->train_accuracy, e->test_loss, e->test_accuracy, e->balanced,
                e->seconds, e->images_per_second, e->rate);
        fflush(s->log);
    }
}

static void show_note(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "gpukit train: %s\n", text);
}

static int make_sample(const Options *o)
{
    char *where;
    int error = sample_write(o->make_sample, (int)o->count, (uint64_t)o->seed, &where);
    if (error) {
        fprintf(stderr, "gpukit train: %s: cannot be written: %s\n", where, strerror(-error));
        free(where);
        return EXIT_ENVIRONMENT;
    }
    printf("wrote %ld drawn faces, half of them cats, to %s\n  next: gpukit train %s\n", o->count,
           o->make_sample, o->make_sample);
    return EXIT_CLEAN;
}

static bool is_precision(const char *name)
{
#define PRECISION(known, bytes, capability, shared, slice)                                         \
    if (strcmp(name, #known) == 0)                                                                 \
        return true;
#include "trainer/precision.def"
#undef PRECISION
    return false;
}

/* What the options allow; a sentence on stderr otherwise. */
static bool valid(Options *o)
{
    const char *wrong = NULL;
    if (strcmp(o->device, "cpu") != 0 && strcmp(o->device, "gpu") != 0 &&
        strcmp(o->device, "auto") != 0)
        wrong = "--device must be gpu, cpu or auto";
    else if (o->size % NET_MULTIPLE)
        wrong = "--size must be a multiple of 16";
    else if (o->gpus > 1 && strcmp(o->device, "cpu") == 0)
        wrong = "--gpus: the device is the CPU";
    else if (o->precision && !is_precision(o->precision))
        wrong = "--precision must be one of bf16, fp16, tf32, fp32";
    else if (o->precision && strcmp(o->precision, "fp32") != 0 && strcmp(o->device, "cpu") == 0)
        wrong = "--precision: the CPU trains in fp32 only";
    if (wrong)
        fprintf(stderr, "gpukit train: %s\n  help: gpukit train --help\n", wrong);
    return !wrong;
}

/* Whether a file can be made there: asked before training, not after it. */
static bool can_write(const char *path)
{
    char *folder = xstrdup(path), *slash = strrchr(folder, '/');
    struct stat st;
    if (slash)
        slash[slash == folder] = 0;
    int error = access(slash ? folder : ".", W_OK | X_OK) != 0 ? errno
                : stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? EISDIR
                                                              : 0;
    free(folder);
    if (error)
        fprintf(stderr, "gpukit train: %s: cannot be written: %s\n", path, strerror(error));
    return !error;
}

/* A batch that leaves ten steps an epoch or more, and a peak rate that goes with it. */
static void choose_batch(Options *o, size_t pictures)
{
    if (o->batch == 0) {
        o->batch = 128;
        while (o->batch > 16 && pictures / (size_t)o->batch < 10)
            o->batch /= 2;
    }
    if (o->rate == 0)
        o->rate = 0.2 * (o->batch < 128 ? (double)o->batch / 128 : 1);
}

static void print_confusion(const Dataset *data, const TrainResult *r)
{
    char align[NET_MAX_CLASSES + 2] = "l";
    memset(align + 1, 'r', (size_t)data->classes);
    Table *t = table_new(align);
    table_cell(t, "truth \\ answer");
    for (int k = 0; k < data->classes; ++k)
        table_cell(t, "%s", data->names[k]);
    table_end_row(t);
    for (int i = 0; i < data->classes; ++i) {
        table_cell(t, "%s", data->names[i]);
        for (int k = 0; k < data->classes; ++k)
            table_cell(t, "%zu", r->confusion[i][k]);
        table_end_row(t);
    }
    table_print(t, stdout);
    table_free(t);
}

static void print_wrong(const Dataset *data, const TrainResult *r)
{
    double p[NET_MAX_CLASSES];
    size_t shown = r->wrong_count < 5 ? r->wrong_count : 5;
    if (shown)
        printf("most confidently wrong of %zu:\n", r->wrong_count);
    for (size_t i = 0; i < shown; ++i) {
        const DataFile *f = &data->set[SET_TEST].files[r->wrong[i]];
        int best = 0;
        train_softmax(r->logits + r->wrong[i] * (size_t)data->classes, data->classes, p);
        for (int k = 1; k < data->classes; ++k)
            best = p[k] > p[best] ? k : best;
        printf("  %s: %s at %.1f%%, is %s\n", f->path, data->names[best], 100 * p[best],
               data->names[f->label]);
    }
}

static double best_speed(const TrainResult *r)
{
    double speed = 0;
    for (size_t i = 0; i < r->history.count; ++i)
        if (r->history.items[i].images_per_second > speed)
            speed = r->history.items[i].images_per_second;
    return speed;
}

static void print_summary(const TrainOptions *t, const Dataset *data, const TrainResult *r,
                          const TrainCpuTime *cpu)
{
    if (r->end == TRAIN_EARLY)
        printf("stopped early: no better test accuracy since epoch %d\n", r->best_epoch);
    if (r->end == TRAIN_TIME)
        printf("stopped by --time-limit after epoch %zu\n", r->history.count);
    printf("test accuracy %.2f%% (95%% interval %.2f to %.2f%%, %zu of %zu); balanced %.2f%%; best "
           "epoch %d\n",
           100 * r->accuracy, 100 * r->low, 100 * r->high, r->right, r->tested, 100 * r->balanced,
           r->best_epoch);
    print_confusion(data, r);
    print_wrong(data, r);
    printf("decoding %.2f s, device start-up %.2f s", data->seconds, r->start_seconds);
    if (t->warm_seconds > 0)
        printf(" (%.2f s of it while decoding)", t->warm_seconds);
    printf(", training and testing %.2f s, %.0f images/s on %s, %s, %.0f MiB\n", r->seconds,
           best_speed(r), r->device, t->precision, (double)r->device_memory / 1048576);
    for (int i = 0; i < 2; ++i)
        if (r->to_accuracy[i] > 0)
            printf("to %d%% test accuracy: %.2f s\n", i ? 90 : 85, r->to_accuracy[i]);
    if (cpu) {
        printf("the same work on %s: %s%.1f s, %.0f images/s", cpu->device,
               cpu->steps < cpu->total ? "about " : "", cpu->seconds, cpu->images_per_second);
        if (cpu->steps < cpu->total)
            printf(" (%ld of %ld steps measured, the rest estimated from them)", cpu->steps,
                   cpu->total);
        printf("; the GPU took 1/%.0f of it\n", cpu->seconds / r->seconds);
    }
    printf("model: %s (Python: safetensors.torch.load_file; ONNX: gpukit export %s --onnx FILE)\n",
           t->out, t->out);
}

static void log_summary(FILE *log, const TrainOptions *t, const Dataset *data, const TrainResult *r,
                        const TrainCpuTime *cpu)
{
    static const char *const ends[] = {"done", "early-stop", "time-limit", "signal", "failed"};
    fprintf(log,
            "{\"end\": \"%s\", \"device\": \"%s\", \"precision\": \"%s\", \"batch\": %d, "
            "\"test_accuracy\": %.6g, "
            "\"interval\": [%.6g, %.6g], \"balanced_accuracy\": %.6g, \"tested\": %zu, "
            "\"trained_on\": %zu, "
            "\"bad_files\": %zu, \"decode_seconds\": %.4f, \"start_seconds\": %.4f, "
            "\"train_seconds\": %.4f, "
            "\"to_85_seconds\": %.4f, \"to_90_seconds\": %.4f, \"images_per_second\": %.1f, "
            "\"device_bytes\": %zu, \"cpu_images_per_second\": %.1f, \"cpu_seconds\": %.2f, "
            "\"cpu_steps_measured\": %ld, \"steps\": %ld, \"confusion\": [",
            ends[r->end], r->device ? r->device : "", t->precision, r->batch, r->accuracy, r->low,
            r->high, r->balanced, r->tested, data->set[SET_TRAIN].count, data->bad.count,
            data->seconds, r->start_seconds, r->seconds, r->to_accuracy[0], r->to_accuracy[1],
            best_speed(r), r->device_memory, cpu ? cpu->images_per_second : 0,
            cpu ? cpu->seconds : 0, cpu ? cpu->steps : 0,
            (long)(data->set[SET_TRAIN].count / (size_t)r->batch) * t->epochs);
    for (int i = 0; i < data->classes; ++i) {
        fputs(i ? ", [" : "[", log);
        for (int k = 0; k < data->classes; ++k)
            fprintf(log, "%s%zu", k ? ", " : "", r->confusion[i][k]);
        fputs("]", log);
    }
    fputs("]}\n", log);
}

static int finish(const Options *o, const TrainOptions *t, const Dataset *data, Pool *pool,
                  const TrainResult *r, Screen *screen, Diags *diags)
{
    TrainCpuTime time, *cpu = NULL;
    TrainOptions same = *t;
    same.batch = r->batch;
    if (t->gpu && (o->compare_cpu || o->report) &&
        train_time_cpu(&same, data, pool, o->compare_cpu ? COMPARE_SECONDS : 1, &time, diags))
        cpu = &time;
    if (o->compare_cpu && !t->gpu)
        fputs("gpukit train: --compare-cpu: this run was on the CPU, there is nothing to compare\n",
              stderr);
    if (screen->log != stdout)
        print_summary(t, data, r, cpu);
    if (screen->log)
        log_summary(screen->log, t, data, r, cpu);
    if (!o->report)
        return EXIT_CLEAN;
    int error = report_write(o->report, t, data, r, cpu);
    if (!error)
        return EXIT_CLEAN;
    diag_add(diags, DIAG_ERROR, o->report, 0, 0, "the report cannot be written: %s",
             strerror(-error));
    return EXIT_ENVIRONMENT;
}

typedef struct {
    int device;
    double seconds;
} Warmer;

static void *warm_up(void *context)
{
    Warmer *w = context;
    w->seconds = backend_gpu_warm(w->device);
    return NULL;
}

/* This process's first GPU: the host's processes share its GPUs out, one after the other. */
static int first_gpu(const Options *o, const Ranks *ranks)
{
    int all = ranks->locals > 1 ? backend_gpu_count() : 0;
    return all > 0 ? ranks->local * (int)o->gpus % all : 0;
}

/* Prints the diagnostics that came since the last call. */
static void print_new(const Diags *diags, size_t *printed)
{
    Diags rest = *diags;
    rest.list.items += *printed;
    rest.list.count -= *printed;
    diags_print(&rest, stderr);
    *printed = diags->list.count;
}

static int run(Options *o, const char *dir, const Ranks *ranks, Diags *diags)
{
    /* Buffers of pictures and checkpoints come again and again: malloc keeps their pages. */
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    Pool *pool = pool_new((int)o->threads);
    Dataset data;
    DatasetOptions load = {.side = (int)(o->size + o->size / 8),
                           .max_bad = o->max_bad / 100,
                           .memory_limit = o->memory,
                           .progress = isatty(2) && !o->quiet};
    int code = EXIT_FINDINGS;
    Screen screen = {.o = o, .live = isatty(2) && !o->quiet};
    if (o->json && ranks->rank == 0) {
        screen.log = strcmp(o->json, "-") == 0 ? stdout : fopen(o->json, o->resume ? "a" : "w");
        if (!screen.log) {
            fprintf(stderr, "gpukit train: %s: cannot be written: %s\n", o->json, strerror(errno));
            pool_free(pool);
            return EXIT_ENVIRONMENT;
        }
    }
    pthread_t thread;
    bool gpu = strcmp(o->device, "cpu") != 0;
    Warmer warmer = {.device = gpu ? first_gpu(o, ranks) : 0};
    bool warming = gpu && pthread_create(&thread, NULL, warm_up, &warmer) == 0;
    bool loaded = dataset_load(dir, &load, pool, &data, diags);
    if (warming)
        pthread_join(thread, NULL);
    size_t printed = 0;
    print_new(diags, &printed);
    if (loaded) {
        choose_batch(o, data.set[SET_TRAIN].count);
        if (o->batch % ranks->ranks) {
            diag_add(diags, DIAG_ERROR, NULL, 0, 0, "a batch of %ld cannot be shared by %d ranks",
                     o->batch, ranks->ranks);
            loaded = false;
        }
    }
    if (loaded) {
        if (!o->quiet)
            fprintf(stderr,
                    "%zu training and %zu test pictures in %d classes, decoded in %.2f s%s; batch "
                    "%ld\n",
                    data.set[SET_TRAIN].count, data.set[SET_TEST].count, data.classes, data.seconds,
                    data.on_disk ? " to a cache file" : "", o->batch);
        TrainOptions t = {.out = o->out,
                          .size = (int)o->size,
                          .epochs = (int)o->epochs,
                          .batch = (int)o->batch,
                          .seed = (uint64_t)o->seed,
                          .rate = o->rate,
                          .resume = o->resume,
                          .early_stop = o->early_stop,
                          .time_limit = o->time_limit,
                          .warm_seconds = warmer.seconds,
                          .gpu = gpu,
                          .device_index = warmer.device,
                          .gpus = (int)o->gpus,
                          .precision = o->precision ? o->precision
                                       : gpu        ? backend_gpu_precision(warmer.device)
                                                    : "fp32",
                          .ranks = *ranks,
                          .stop = &stop_request};
        TrainEvents events = {&screen, show_epoch, show_progress, show_note};
        TrainResult result;
        bool ok = train_run(&t, &data, pool, &events, &result, diags);
        if (result.no_device && gpu && strcmp(o->device, "auto") == 0) {
            fprintf(stderr, "gpukit train: %s; training on the CPU\n",
                    diags->list.count > printed ? diags->list.items[printed].text
                                                : "no usable GPU");
            printed = diags->list.count;
            train_result_free(&result);
            t.gpu = false;
            t.warm_seconds = 0;
            t.precision = "fp32";
            ok = train_run(&t, &data, pool, &events, &result, diags);
        }
        if (screen.live)
            fputs("\r\033[K", stderr);
        if (!ok && result.no_device)
            code = EXIT_ENVIRONMENT;
        if (ok && result.end == TRAIN_SIGNAL) {
            if (!ranks->rank)
                fprintf(stderr,
                        "gpukit train: stopped; the checkpoint is %s.checkpoint (go on with "
                        "--resume)\n",
                        o->out);
            code = 128 + result.signal;
        } else if (ok && ranks->rank) {
            code = EXIT_CLEAN;
        } else if (ok) {
            code = finish(o, &t, &data, pool, &result, &screen, diags);
        }
        train_result_free(&result);
    }
    print_new(diags, &printed);
    if (screen.log && screen.log != stdout)
        fclose(screen.log);
    dataset_free(&data);
    pool_free(pool);
    return code;
}

int cmd_train(int argc, char **argv)
{
    Options o = {.device = "auto",
                 .out = "model.safetensors",
                 .size = 64,
                 .epochs = 40,
                 .seed = 1,
                 .count = 200,
                 .max_bad = 10,
                 .gpus = 1};
    const Option options[] = {
        {0, "make-sample", OPT_TEXT, &o.make_sample, "DIR",
         "draw cat and dog faces into DIR and stop"},
        {0, "count", OPT_INT, &o.count, "2-100000",
         "number of faces for --make-sample (default 200)"},
        {0, "device", OPT_TEXT, &o.device, "WHICH",
         "gpu, cpu or auto (default: a GPU if there is one)"},
        {0, "gpus", OPT_COUNT, &o.gpus, "1-64",
         "GPUs of each process (default 1); sums by NCCL if there"},
        {0, "size", OPT_COUNT, &o.size, "16-1024",
         "side of the pictures in pixels, a multiple of 16 (default 64)"},
        {0, "epochs", OPT_COUNT, &o.epochs, "1-100000",
         "passes over the training pictures (default 40)"},
        {0, "batch", OPT_COUNT, &o.batch, "1-65536",
         "pictures per step (default 128, fewer for small sets)"},
        {0, "rate", OPT_POSITIVE, &o.rate, "R", "peak learning rate (default 0.2 at batch 128)"},
        {0, "seed", OPT_INT, &o.seed, "N", "for weights, order, crops and drawn faces (default 1)"},
        {0, "precision", OPT_TEXT, &o.precision, "P",
         "bf16, fp16, tf32 or fp32 (default: what the GPU takes, bf16 first; CPU: fp32)"},
        {'o', "out", OPT_TEXT, &o.out, "FILE", "the model (default model.safetensors)"},
        {0, "resume", OPT_FLAG, &o.resume, NULL, "go on from FILE.checkpoint"},
        {0, "early-stop", OPT_COUNT, &o.early_stop, "N",
         "stop after N epochs without a better accuracy"},
        {0, "time-limit", OPT_SECONDS, &o.time_limit, "TIME",
         "stop after this time, with a usable model"},
        {0, "max-bad", OPT_REAL, &o.max_bad, "0-100",
         "percentage of files that may be unusable (default 10)"},
        {0, "memory", OPT_SIZE, &o.memory, "SIZE",
         "pictures beyond this go to a cache file (default: half)"},
        {0, "report", OPT_TEXT, &o.report, "FILE", "write an HTML report"},
        {0, "json", OPT_TEXT, &o.json, "FILE",
         "one JSON object per epoch and a last one; - for stdout"},
        {0, "compare-cpu", OPT_FLAG, &o.compare_cpu, NULL,
         "measure the CPU on the same work, at most 30 s; the rest is estimated"},
        {0, "threads", OPT_COUNT, &o.threads, "1-1024", "CPU threads (default: all processors)"},
        {'q', "quiet", OPT_FLAG, &o.quiet, NULL, "no progress"},
    };
    const Command command = {
        .command = "train",
        .usage = "DIR | --make-sample DIR",
        .summary = "Train an image classifier from a folder of pictures, on the GPU or the CPU.",
        .details =
            "DIR holds one folder per class (a fifth of the files is kept for testing), or "
            "DIR/train and\n"
            "DIR/test with the class folders below. JPEG and PNG files of any size and colour "
            "type.\n"
            "Ctrl-C saves a checkpoint; --resume goes on with the same bits as an unbroken run.\n\n"
            "example: gpukit train --make-sample faces && gpukit train faces --epochs 10 --report "
            "r.html",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int count, done = options_parse(&command, argc, argv, &count, NULL);
    if (done)
        return done == 1 ? EXIT_CLEAN : EXIT_USAGE;
    if (!valid(&o))
        return EXIT_USAGE;
    if (o.make_sample)
        return make_sample(&o);
    if (count != 1) {
        fprintf(stderr, "gpukit train: one DIR is needed\n  help: gpukit train --help\n");
        return EXIT_USAGE;
    }
    if (!can_write(o.out) || (o.report && !can_write(o.report)))
        return EXIT_ENVIRONMENT;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    Diags diags;
    diags_init(&diags);
    Ranks ranks;
    int code = EXIT_ENVIRONMENT;
    if (ranks_open(&ranks, &diags)) {
        o.quiet = o.quiet || ranks.rank;
        code = run(&o, argv[1], &ranks, &diags);
        ranks_close(code > EXIT_CLEAN && code < 128);
    } else {
        diags_print(&diags, stderr);
    }
    diags_fini(&diags);
    return code;
}
