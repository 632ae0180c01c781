/* SPDX-License-Identifier: Apache-2.0
 * gpukit classify: one line per image: file, class, probability. */
#include "base/diag.h"
#include "base/options.h"
#include "base/utf8.h"
#include "trainer/cpu.h"
#include "trainer/image.h"
#include "trainer/model.h"
#include "trainer/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

enum { BATCH = 32 };

typedef struct {
    Model model;
    char **files;
    int side;
    uint8_t *pixels;
    ImageStatus status[BATCH];
    char error[BATCH][IMAGE_ERROR_SIZE];
    int from;
} Work;

static void decode(void *context, int job, int thread)
{
    (void)thread;
    Work *w = context;
    uint8_t *out = w->pixels + (size_t)job * (size_t)w->side * (size_t)w->side * 3;
    w->status[job] = image_load(w->files[w->from + job], w->side, out, w->error[job]);
    if (w->status[job] != IMAGE_OK)
        memset(out, 0, (size_t)w->side * (size_t)w->side * 3);
}

static void print_one(const Work *w, int i, const float *logits, bool json)
{
    const char *file = w->files[w->from + i];
    double p[NET_MAX_CLASSES];
    int best = 0;
    train_softmax(logits, w->model.net.classes, p);
    for (int k = 1; k < w->model.net.classes; ++k)
        best = p[k] > p[best] ? k : best;
    bool ok = w->status[i] == IMAGE_OK;
    if (!json) {
        if (ok)
            printf("%s\t%s\t%.4f\n", file, w->model.names[best], p[best]);
        else
            fprintf(stderr, "gpukit classify: %s: %s\n", file, w->error[i]);
        return;
    }
    struct json_object *o = json_object_new_object(), *all = json_object_new_object();
    char *name = utf8_clean(file);
    json_object_object_add(o, "file", json_object_new_string(name));
    free(name);
    if (ok) {
        json_object_object_add(o, "class", json_object_new_string(w->model.names[best]));
        json_object_object_add(o, "probability", json_object_new_double(p[best]));
        for (int k = 0; k < w->model.net.classes; ++k)
            json_object_object_add(all, w->model.names[k], json_object_new_double(p[k]));
        json_object_object_add(o, "probabilities", all);
    } else {
        json_object_object_add(o, "error", json_object_new_string(w->error[i]));
        json_object_put(all);
    }
    puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
    json_object_put(o);
}

/* The middle of the stored picture, as in testing: stored side = size + size / 8. */
static int classify(Work *w, int count, bool json, int threads)
{
    int size = w->model.net.size, middle = (w->side - size) / 2, bad = 0;
    size_t need, bytes = (size_t)w->side * (size_t)w->side * 3;
    Pool *pool = pool_new(threads);
    CpuNet *cpu = cpu_new(&w->model.net, count < BATCH ? count : BATCH, pool, cpu_kernels(NULL),
                          &w->model.state, &need);
    if (!cpu) {
        fprintf(stderr, "gpukit classify: no memory: %zu MiB are needed\n", need >> 20);
        pool_free(pool);
        return EXIT_ENVIRONMENT;
    }
    w->pixels = malloc(BATCH * bytes);
    float *logits = malloc(sizeof(float) * BATCH * (size_t)w->model.net.classes);
    for (w->from = 0; w->pixels && logits && w->from < count; w->from += BATCH) {
        int here = count - w->from < BATCH ? count - w->from : BATCH;
        CpuPicture pictures[BATCH];
        pool_run(pool, here, decode, w);
        for (int i = 0; i < here; ++i)
            pictures[i] =
                (CpuPicture){w->pixels + (size_t)i * bytes, w->side, middle, middle, 0, 0};
        cpu_predict(cpu, pictures, here, logits);
        for (int i = 0; i < here; ++i) {
            print_one(w, i, logits + (size_t)i * (size_t)w->model.net.classes, json);
            bad += w->status[i] != IMAGE_OK;
        }
    }
    free(w->pixels);
    free(logits);
    cpu_free(cpu);
    pool_free(pool);
    return bad ? EXIT_FINDINGS : EXIT_CLEAN;
}

int cmd_classify(int argc, char **argv)
{
    bool json = false;
    long threads = 0;
    const Option options[] = {
        {0, "json", OPT_FLAG, &json, NULL, "one JSON object a line, with all probabilities"},
        {0, "threads", OPT_COUNT, &threads, "1-1024", "CPU threads (default: all processors)"},
    };
    const Command command = {
        .command = "classify",
        .usage = "MODEL IMAGE...",
        .summary = "Name the class of each image: file, class, probability.",
        .details =
            "Exits with 1 if any file could not be read as a picture; the others are answered.\n\n"
            "example: gpukit classify model.safetensors cat.jpg dog.png",
        .options = options,
        .option_count = 2,
    };
    int count, done = options_parse(&command, argc, argv, &count, NULL);
    if (done)
        return done == 1 ? EXIT_CLEAN : EXIT_USAGE;
    if (count < 2) {
        fprintf(stderr, "gpukit classify: a MODEL and at least one IMAGE are needed\n"
                        "  help: gpukit classify --help\n");
        return EXIT_USAGE;
    }
    Diags diags;
    Work *w = calloc(1, sizeof *w);
    int code = EXIT_FINDINGS;
    diags_init(&diags);
    if (w && model_load(argv[1], &w->model, NULL, &diags)) {
        w->files = argv + 2;
        w->side = w->model.net.size + w->model.net.size / 8;
        code = classify(w, count - 1, json, (int)threads);
        model_free(&w->model);
    }
    diags_print(&diags, stderr);
    diags_fini(&diags);
    free(w);
    return code;
}
