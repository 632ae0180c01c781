/* SPDX-License-Identifier: Apache-2.0
 * Training loop. The run's position is (epoch, step); order, crops and learning rate are functions
 * of it, so a resumed run continues with the same bits. */
#include "trainer/train.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

typedef struct {
    TrainOptions own;            /* the caller's, with the batch and the rate of this run */
    const TrainOptions *options; /* the same */
    int asked_batch, halvings;
    double asked_rate;
    const Dataset *data;
    const TrainEvents *events;
    TrainResult *result;
    Diags *diags;
    Backend *backend;
    char *checkpoint, *best_path;
    long steps, total; /* of an epoch, of the run */
    int epoch;         /* next to run, from 0 */
    long step;         /* next within it */
    BackendSums sums;  /* of the epoch so far */
    double epoch_seconds, peak, best;
    double started;
} Run;

void train_softmax(const float *logits, int classes, double *probabilities)
{
    double top = (double)logits[0], sum = 0;
    for (int k = 1; k < classes; ++k)
        top = (double)logits[k] > top ? (double)logits[k] : top;
    for (int k = 0; k < classes; ++k)
        sum += probabilities[k] = exp((double)logits[k] - top);
    for (int k = 0; k < classes; ++k)
        probabilities[k] /= sum;
}

static int answer(const float *logits, int classes)
{
    int best = 0;
    for (int k = 1; k < classes; ++k)
        best = logits[k] > logits[best] ? k : best;
    return best;
}

/* ---- checkpoints ---- */

static void add_double(struct json_object *o, const char *key, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    json_object_object_add(o, key, json_object_new_double_s(value, text));
}

static struct json_object *epoch_json(const TrainEpoch *e)
{
    struct json_object *o = json_object_new_object();
    json_object_object_add(o, "epoch", json_object_new_int(e->epoch));
    add_double(o, "loss", e->loss);
    add_double(o, "train_accuracy", e->train_accuracy);
    add_double(o, "test_loss", e->test_loss);
    add_double(o, "test_accuracy", e->test_accuracy);
    add_double(o, "balanced", e->balanced);
    add_double(o, "seconds", e->seconds);
    add_double(o, "images_per_second", e->images_per_second);
    add_double(o, "rate", e->rate);
    return o;
}

static char *progress_json(const Run *run)
{
    const TrainOptions *options = run->options;
    struct json_object *o = json_object_new_object(), *history = json_object_new_array();
    char split[32];
    snprintf(split, sizeof split, "%016llx", (unsigned long long)run->data->split_hash);
    json_object_object_add(o, "epoch", json_object_new_int(run->epoch));
    json_object_object_add(o, "step", json_object_new_int64(run->step));
    json_object_object_add(o, "epochs", json_object_new_int(options->epochs));
    json_object_object_add(o, "batch", json_object_new_int(run->asked_batch));
    json_object_object_add(o, "halvings", json_object_new_int(run->halvings));
    json_object_object_add(o, "seed", json_object_new_int64((int64_t)options->seed));
    json_object_object_add(o, "precision", json_object_new_string(options->precision));
    json_object_object_add(o, "split", json_object_new_string(split));
    add_double(o, "rate", run->asked_rate);
    add_double(o, "peak", run->peak);
    add_double(o, "loss_sum", run->sums.loss);
    add_double(o, "right_sum", run->sums.right);
    json_object_object_add(o, "retries", json_object_new_int(run->result->retries));
    for (size_t i = 0; i < run->result->history.count; ++i)
        json_object_array_add(history, epoch_json(&run->result->history.items[i]));
    json_object_object_add(o, "history", history);
    char *text = xstrdup(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
    json_object_put(o);
    return text;
}

static bool is_leader(const Run *run)
{
    return run->options->ranks.rank == 0;
}

/* Of the state that was fetched from the device. */
static bool save_checkpoint(Run *run)
{
    if (!is_leader(run))
        return true;
    char *progress = progress_json(run);
    int error = model_save(run->checkpoint, &run->result->model, progress);
    free(progress);
    if (error) {
        diag_add(run->diags, DIAG_ERROR, run->checkpoint, 0, 0,
                 "the checkpoint cannot be written: %s", strerror(-error));
        diag_help(run->diags, "the previous checkpoint is kept; make room, then --resume");
    }
    return error == 0;
}

static double get_double(struct json_object *o, const char *key, double otherwise)
{
    struct json_object *v;
    return json_object_object_get_ex(o, key, &v) ? json_object_get_double(v) : otherwise;
}

static const char *get_text(struct json_object *o, const char *key)
{
    struct json_object *v;
    return json_object_object_get_ex(o, key, &v) ? json_object_get_string(v) : "";
}

/* The checkpoint must be of this very run: names what differs. */
static bool same_run(Run *run, struct json_object *o)
{
    const TrainOptions *options = run->options;
    char split[32];
    snprintf(split, sizeof split, "%016llx", (unsigned long long)run->data->split_hash);
    const char *what = NULL;
    if (get_double(o, "epochs", -1) != options->epochs)
        what = "--epochs";
    else if (get_double(o, "batch", -1) != run->asked_batch)
        what = "--batch";
    else if (get_double(o, "seed", -1) != (double)options->seed)
        what = "--seed";
    else if (get_double(o, "rate", -1) != run->asked_rate)
        what = "--rate";
    else if (strcmp(get_text(o, "precision"), options->precision) != 0)
        what = "--precision";
    else if (strcmp(get_text(o, "split"), split) != 0)
        what = "the pictures (files added, removed or changed)";
    if (!what)
        return true;
    diag_add(run->diags, DIAG_ERROR, run->checkpoint, 0, 0,
             "this checkpoint belongs to another run: %s differs", what);
    diag_help(run->diags, "give the options of that run, or start anew without --resume");
    return false;
}

static void read_history(Run *run, struct json_object *o)
{
    struct json_object *list;
    if (!json_object_object_get_ex(o, "history", &list) ||
        !json_object_is_type(list, json_type_array))
        return;
    for (size_t i = 0; i < json_object_array_length(list); ++i) {
        struct json_object *e = json_object_array_get_idx(list, i);
        TrainEpoch epoch = {
            .epoch = (int)get_double(e, "epoch", 0),
            .loss = get_double(e, "loss", 0),
            .train_accuracy = get_double(e, "train_accuracy", 0),
            .test_loss = get_double(e, "test_loss", 0),
            .test_accuracy = get_double(e, "test_accuracy", 0),
            .balanced = get_double(e, "balanced", 0),
            .seconds = get_double(e, "seconds", 0),
            .images_per_second = get_double(e, "images_per_second", 0),
            .rate = get_double(e, "rate", 0),
        };
        VEC_PUSH(run->result->history, epoch);
        run->result->seconds += epoch.seconds;
        if (epoch.test_accuracy > run->best) {
            run->best = epoch.test_accuracy;
            run->result->best_epoch = epoch.epoch;
        }
    }
}

/* The run with a batch halved so often; the learning rate goes with the batch. */
static void set_halvings(Run *run, int halvings)
{
    run->halvings = halvings;
    run->own.batch = run->result->batch = run->asked_batch >> halvings;
    run->own.rate = run->peak = ldexp(run->asked_rate, -halvings);
    run->steps = (long)(run->data->set[SET_TRAIN].count / (size_t)run->own.batch);
    run->total = run->steps * run->own.epochs;
}

/* Reads the checkpoint into the model and the run's position. */
static bool load_checkpoint(Run *run)
{
    Model model;
    char *progress;
    if (!model_load(run->checkpoint, &model, &progress, run->diags))
        return false;
    struct json_object *o = progress ? json_tokener_parse(progress) : NULL;
    bool ok = o != NULL;
    if (!ok)
        diag_add(run->diags, DIAG_ERROR, run->checkpoint, 0, 0,
                 "holds a model but no training state");
    if (ok && (model.net.size != run->options->size || model.net.classes != run->data->classes)) {
        diag_add(run->diags, DIAG_ERROR, run->checkpoint, 0, 0,
                 "this checkpoint belongs to another run: size %d with %d classes", model.net.size,
                 model.net.classes);
        ok = false;
    }
    ok = ok && same_run(run, o);
    if (ok) {
        net_state_free(&run->result->model.state);
        run->result->model.state = model.state;
        memset(&model.state, 0, sizeof model.state);
        run->epoch = (int)get_double(o, "epoch", 0);
        run->step = (long)get_double(o, "step", 0);
        set_halvings(run, (int)get_double(o, "halvings", 0));
        run->peak = get_double(o, "peak", run->options->rate);
        run->sums =
            (BackendSums){get_double(o, "loss_sum", 0), get_double(o, "right_sum", 0), run->step};
        run->result->retries = (int)get_double(o, "retries", 0);
        run->result->history.count = 0;
        run->result->seconds = 0;
        read_history(run, o);
        ok = run->epoch >= 0 && run->step >= 0 && run->step < run->steps;
    }
    json_object_put(o);
    free(progress);
    model_free(&model);
    return ok;
}

/* ---- results ---- */

static double balanced_accuracy(const TrainResult *r, int classes)
{
    double sum = 0;
    int used = 0;
    for (int i = 0; i < classes; ++i) {
        size_t all = 0;
        for (int k = 0; k < classes; ++k)
            all += r->confusion[i][k];
        if (all) {
            sum += (double)r->confusion[i][i] / (double)all;
            ++used;
        }
    }
    return used ? sum / used : 0;
}

/* Wilson's interval at 95%. */
static void interval(TrainResult *r)
{
    double n = (double)r->tested, p = r->accuracy, z = 1.959964;
    double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    r->low = middle - half;
    r->high = middle + half;
}

/* All ranks take the leader's answers, so that they decide alike whatever their devices are. */
static void leaders_logits(const Run *run)
{
    const Ranks *ranks = &run->options->ranks;
    size_t count = run->data->set[SET_TEST].count * (size_t)run->data->classes;
    if (!ranks->reduce)
        return;
    double *wide = xcalloc(count + 1, sizeof *wide);
    for (size_t i = 0; i < count && ranks->rank == 0; ++i)
        wide[i] = (double)run->result->logits[i];
    ranks->reduce(ranks->context, wide, count);
    for (size_t i = 0; i < count; ++i)
        run->result->logits[i] = (float)wide[i];
    free(wide);
}

/* *loss is NaN when an answer is no number: the weights are broken then. */
static bool test(Run *run, double *loss)
{
    TrainResult *r = run->result;
    const DataSet *set = &run->data->set[SET_TEST];
    int classes = run->data->classes;
    double p[NET_MAX_CLASSES];
    if (run->backend->ops->predict(run->backend, SET_TEST, r->logits) != 0)
        return false;
    leaders_logits(run);
    memset(r->confusion, 0, sizeof r->confusion);
    r->right = 0;
    r->tested = set->count;
    *loss = 0;
    for (size_t i = 0; i < set->count; ++i) {
        const float *z = r->logits + i * (size_t)classes;
        int got = answer(z, classes);
        train_softmax(z, classes, p);
        if (!isfinite(p[0]))
            *loss = NAN;
        ++r->confusion[set->files[i].label][got];
        r->right += got == set->files[i].label;
        *loss -= log(p[set->files[i].label] > 1e-300 ? p[set->files[i].label] : 1e-300) /
                 (double)set->count;
    }
    r->accuracy = (double)r->right / (double)r->tested;
    r->balanced = balanced_accuracy(r, classes);
    interval(r);
    return true;
}

typedef struct {
    size_t picture;
    double confidence;
} Wrong;

static int by_confidence(const void *a, const void *b)
{
    const Wrong *x = a, *y = b;
    return x->confidence > y->confidence   ? -1
           : x->confidence < y->confidence ? 1
           : x->picture < y->picture       ? -1
                                           : 1;
}

static void find_wrong(Run *run)
{
    TrainResult *r = run->result;
    const DataSet *set = &run->data->set[SET_TEST];
    int classes = run->data->classes;
    double p[NET_MAX_CLASSES];
    Wrong *list = xcalloc(set->count + 1, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < set->count; ++i) {
        int got = answer(r->logits + i * (size_t)classes, classes);
        train_softmax(r->logits + i * (size_t)classes, classes, p);
        if (got != set->files[i].label)
            list[n++] = (Wrong){i, p[got]};
    }
    qsort(list, n, sizeof *list, by_confidence);
    r->wrong = xcalloc(n + 1, sizeof *r->wrong);
    r->wrong_count = n;
    for (size_t i = 0; i < n; ++i)
        r->wrong[i] = list[i].picture;
    free(list);
}

/* ---- loop ---- */

/* All ranks must take the same turn: true when one of them says so. */
static bool any_rank(const Run *run, bool here)
{
    double value = here ? 1 : 0;
    if (run->options->ranks.reduce)
        run->options->ranks.reduce(run->options->ranks.context, &value, 1);
    return value != 0;
}

/* A signal that any rank has got is all ranks' signal: SIGTERM before SIGINT. */
static bool stop_signal(Run *run)
{
    int here = run->options->stop ? *run->options->stop : 0;
    bool terminate = any_rank(run, here == SIGTERM), interrupt = any_rank(run, here == SIGINT);
    run->result->signal = terminate ? SIGTERM : interrupt ? SIGINT : 0;
    return run->result->signal;
}

static void note(const Run *run, const char *text)
{
    if (run->events && run->events->note && is_leader(run))
        run->events->note(run->events->context, text);
}

/* A loss that is no number: back to the last checkpoint once, with half the rate. */
static bool recover(Run *run)
{
    TrainResult *r = run->result;
    if (r->retries || run->options->ranks.ranks > 1) {
        diag_add(run->diags, DIAG_ERROR, NULL, 0, 0, "the loss is not finite in epoch %d%s",
                 run->epoch + 1, r->retries ? ", again with half the learning rate" : "");
        diag_help(run->diags, "try a smaller --rate; the last checkpoint is %s", run->checkpoint);
        return false;
    }
    note(run,
         "the loss is not finite: going back to the last checkpoint with half the learning rate");
    if (fs_exists(run->checkpoint) && !r->model.state.params)
        return false;
    double half = run->peak / 2;
    if (r->history.count && fs_exists(run->checkpoint)) {
        if (!load_checkpoint(run))
            return false;
    } else {
        net_state_init(&r->model.net, &r->model.state, run->options->seed);
        run->epoch = 0;
        run->step = 0;
        run->sums = (BackendSums){0};
    }
    run->peak = half;
    ++r->retries;
    return run->backend->ops->put(run->backend, &r->model.state) == 0;
}

static double images(const Run *run, double steps)
{
    return steps * run->options->batch;
}

/* One epoch from run->step on. False on failure or when a signal stopped it (result->end set). */
static bool run_epoch(Run *run)
{
    long steps_here = 0;
    double start = clock_seconds(), shown = start;
    while (run->step < run->steps) {
        long count = run->steps - run->step < run->backend->part ? run->steps - run->step
                                                                 : run->backend->part;
        BackendPart part = {run->epoch, run->step, count, (long)run->epoch * run->steps + run->step,
                            run->total, run->peak};
        if (run->backend->ops->run(run->backend, &part, &run->sums) != 0)
            return false;
        run->step += count;
        steps_here += count;
        if (!isfinite(run->sums.loss)) {
            if (!recover(run))
                return false;
            return run_epoch(run);
        }
        double t = clock_seconds(), speed = images(run, (double)steps_here) / (t - start);
        if (run->events && run->events->progress && is_leader(run) && t - shown > 0.1) {
            shown = t;
            double left =
                images(run, (double)(run->total - (long)run->epoch * run->steps - run->step)) /
                speed;
            run->events->progress(run->events->context, run->epoch + 1, run->options->epochs,
                                  run->step, run->steps, run->sums.loss / (double)run->sums.steps,
                                  speed, left);
        }
        if (run->step < run->steps && stop_signal(run)) {
            run->result->seconds += clock_seconds() - start;
            if (run->backend->ops->get(run->backend, &run->result->model.state) == 0 &&
                save_checkpoint(run))
                run->result->end = TRAIN_SIGNAL;
            return false;
        }
    }
    run->epoch_seconds = clock_seconds() - start;
    return true;
}

static bool save_model(Run *run, const char *path)
{
    if (!is_leader(run))
        return true;
    int error = model_save(path, &run->result->model, NULL);
    if (error) {
        diag_add(run->diags, DIAG_ERROR, path, 0, 0, "the model cannot be written: %s",
                 strerror(-error));
        diag_help(run->diags, "an older file of this name is kept as it was");
    }
    return error == 0;
}

/* Tests, records, checkpoints. */
static bool end_epoch(Run *run)
{
    TrainResult *r = run->result;
    double start = clock_seconds();
    TrainEpoch e = {.epoch = run->epoch + 1, .images_per_second = images(run, (double)run->steps)};
    e.images_per_second /= run->epoch_seconds > 0 ? run->epoch_seconds : 1;
    e.loss = run->sums.loss / (double)run->steps;
    e.train_accuracy = run->sums.right / images(run, (double)run->steps);
    e.rate = net_rate(run->peak, (long)(run->epoch + 1) * run->steps - 1, run->total);
    if (!test(run, &e.test_loss))
        return false;
    if (!isfinite(e.test_loss)) /* before a checkpoint keeps it */
        return recover(run);
    e.test_accuracy = r->accuracy;
    e.balanced = r->balanced;
    e.seconds = run->epoch_seconds + clock_seconds() - start;
    r->seconds += e.seconds;
    VEC_PUSH(r->history, e);
    static const double marks[2] = {0.85, 0.90};
    for (int i = 0; i < 2; ++i)
        if (r->to_accuracy[i] == 0 && e.test_accuracy >= marks[i])
            r->to_accuracy[i] = r->seconds;
    ++run->epoch;
    run->step = 0;
    run->sums = (BackendSums){0};
    bool best = e.test_accuracy > run->best;
    if (best) {
        run->best = e.test_accuracy;
        r->best_epoch = e.epoch;
    }
    if (run->backend->ops->get(run->backend, &r->model.state) != 0)
        return false;
    /* the best model first: a run killed between the two does this epoch again */
    if ((best && !save_model(run, run->best_path)) || !save_checkpoint(run))
        return false;
    if (run->events && run->events->epoch && is_leader(run))
        run->events->epoch(run->events->context, &e, run->options->epochs,
                           (run->options->epochs - run->epoch) * e.seconds);
    return true;
}

static bool loop(Run *run)
{
    TrainResult *r = run->result;
    const TrainOptions *options = run->options;
    while (run->epoch < options->epochs) {
        if (!run_epoch(run) || !end_epoch(run))
            return r->end == TRAIN_SIGNAL;
        if (stop_signal(run)) {
            r->end = TRAIN_SIGNAL;
            return true;
        }
        if (options->early_stop && run->epoch - r->best_epoch >= options->early_stop) {
            r->end = TRAIN_EARLY;
            return true;
        }
        if (options->time_limit > 0 &&
            any_rank(run, clock_seconds() - run->started >= options->time_limit)) {
            r->end = TRAIN_TIME;
            return true;
        }
    }
    return true;
}

static bool open_backend(Run *run, Pool *pool, bool *no_memory)
{
    const TrainOptions *options = run->options;
    BackendConfig config = {
        .net = &run->result->model.net,
        .data = run->data,
        .state = &run->result->model.state,
        .batch = options->batch / options->ranks.ranks,
        .seed = options->seed,
        .precision = options->precision,
        .device_index = options->device_index,
        .gpus = options->gpus,
        .pool = pool,
        .ranks = options->ranks,
        .diags = run->diags,
        .no_memory = no_memory,
    };
    double start = clock_seconds();
    run->backend = options->gpu ? backend_gpu_open(&config) : backend_cpu_open(&config);
    if (!run->backend)
        return false;
    run->result->device = arena_strdup(run->diags->arena, run->backend->device);
    run->result->device_memory = run->backend->memory;
    run->result->start_seconds = clock_seconds() - start + options->warm_seconds;
    return true;
}

/* Whether all ranks found the same pictures and the same checkpoint: they would wait for each other
 * for ever otherwise. */
static bool same_start(Run *run)
{
    const Ranks *ranks = &run->options->ranks;
    double here[3] = {(double)(run->data->split_hash & 0xffffffff),
                      (double)(run->data->split_hash >> 32),
                      (double)((long)run->epoch * run->steps + run->step)};
    double sum[3] = {here[0], here[1], here[2]};
    if (!ranks->reduce)
        return true;
    ranks->reduce(ranks->context, sum, 3);
    const char *what = NULL;
    if (any_rank(run, sum[0] != here[0] * ranks->ranks || sum[1] != here[1] * ranks->ranks))
        what = "the same pictures";
    else if (any_rank(run, sum[2] != here[2] * ranks->ranks))
        what = "the same checkpoint";
    if (!what)
        return true;
    diag_add(run->diags, DIAG_ERROR, NULL, 0, 0, "the processes do not find %s", what);
    diag_help(run->diags, "give them all the same files, or a folder that all hosts share");
    return false;
}

/* Opens the device on all ranks or on none; a new run whose batch does not fit the GPU's memory
 * takes half of it. */
static bool open_device(Run *run, Pool *pool)
{
    for (;;) {
        size_t before = run->diags->list.count;
        bool no_memory = false, opened = open_backend(run, pool, &no_memory);
        bool failed = any_rank(run, !opened && !no_memory);
        bool too_large = any_rank(run, no_memory);
        if (!failed && !too_large)
            return true;
        if (opened)
            run->backend->ops->close(run->backend);
        run->backend = NULL;
        run->result->device = NULL;
        const TrainOptions *o = run->options;
        int half = o->batch / 2, each = (o->gpus > 1 ? o->gpus : 1) * o->ranks.ranks;
        if (failed || run->epoch || run->step || half < 4 * o->ranks.ranks || o->batch % 2 ||
            half % each)
            return false;
        const char *why = "the GPU of another process has no memory left";
        if (run->diags->list.count > before) {
            why = run->diags->list.items[before].text;
            run->diags->list.count = before;
            --run->diags->errors;
        }
        set_halvings(run, run->halvings + 1);
        char *text =
            xasprintf("%s; going on with --batch %d and a rate of %.3g", why, half, run->own.rate);
        note(run, text);
        free(text);
    }
}

bool train_run(const TrainOptions *options, const Dataset *data, Pool *pool,
               const TrainEvents *events, TrainResult *result, Diags *diags)
{
    Run run = {.own = *options,
               .asked_batch = options->batch,
               .asked_rate = options->rate,
               .data = data,
               .events = events,
               .result = result,
               .diags = diags,
               .best = -1,
               .started = clock_seconds()};
    memset(result, 0, sizeof *result);
    options = run.options = &run.own;
    set_halvings(&run, 0);
    if (run.steps < 1) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "%zu training pictures do not fill one batch of %d",
                 data->set[SET_TRAIN].count, options->batch);
        diag_help(diags, "use a smaller --batch");
        return false;
    }
    run.checkpoint = xasprintf("%s.checkpoint", options->out);
    run.best_path = xasprintf("%s.best", options->out);
    if (is_leader(&run)) {
        fs_drop_leftovers(options->out);
        fs_drop_leftovers(run.checkpoint);
        fs_drop_leftovers(run.best_path);
    }
    model_init(&result->model, options->size, data->classes, data->names);
    net_state_init(&result->model.net, &result->model.state, options->seed);
    result->logits = xcalloc(data->set[SET_TEST].count * (size_t)data->classes + 1, sizeof(float));
    bool ok = true;
    if (options->resume && fs_exists(run.checkpoint)) {
        ok = load_checkpoint(&run);
        if (ok)
            note(&run, "resuming from the checkpoint");
    } else if (options->resume) {
        note(&run, "there is no checkpoint yet: starting anew");
    }
    double loss;
    ok = ok && same_start(&run);
    if (ok && !open_device(&run, pool)) {
        result->no_device = true;
        ok = false;
    }
    ok = ok && loop(&run);
    ok = ok && (result->end == TRAIN_SIGNAL || test(&run, &loss));
    ok = ok && run.backend->ops->get(run.backend, &result->model.state) == 0;
    if (ok && result->end != TRAIN_SIGNAL)
        ok = save_model(&run, options->out);
    if (ok && result->end != TRAIN_SIGNAL)
        find_wrong(&run);
    if (!ok)
        result->end = TRAIN_FAILED;
    if (run.backend)
        run.backend->ops->close(run.backend);
    free(run.checkpoint);
    free(run.best_path);
    return ok;
}

void train_result_free(TrainResult *result)
{
    VEC_FREE(result->history);
    model_free(&result->model);
    free(result->logits);
    free(result->wrong);
    memset(result, 0, sizeof *result);
}

/* The run's steps and tests, one after the other, until the limit; then at the pace so far. */
static void time_cpu(Backend *cpu, const TrainOptions *options, const Dataset *data, double limit,
                     TrainCpuTime *out)
{
    long steps = (long)(data->set[SET_TRAIN].count / (size_t)options->batch);
    float *logits = xcalloc(data->set[SET_TEST].count * (size_t)data->classes + 1, sizeof(float));
    double begun = clock_seconds(), training = 0, testing = 0;
    long tests = 0;
    out->total = steps * options->epochs;
    while (out->steps < out->total && (!out->steps || clock_seconds() - begun < limit)) {
        BackendSums sums = {0};
        BackendPart part = {(int)(out->steps / steps),
                            out->steps % steps,
                            1,
                            out->steps,
                            out->total,
                            options->rate};
        double start = clock_seconds();
        cpu->ops->run(cpu, &part, &sums);
        training += clock_seconds() - start;
        if (++out->steps % steps == 0 || out->steps == 1) {
            start = clock_seconds();
            cpu->ops->predict(cpu, SET_TEST, logits);
            testing += clock_seconds() - start;
            ++tests;
        }
    }
    out->images_per_second = (double)out->steps * options->batch / training;
    out->seconds = training / (double)out->steps * (double)out->total +
                   testing / (double)tests * options->epochs;
    free(logits);
}

bool train_time_cpu(const TrainOptions *options, const Dataset *data, Pool *pool, double limit,
                    TrainCpuTime *out, Diags *diags)
{
    Net net;
    NetState state;
    memset(out, 0, sizeof *out);
    net_init(&net, options->size, data->classes);
    net_state_new(&net, &state);
    net_state_init(&net, &state, options->seed);
    BackendConfig config = {.net = &net,
                            .data = data,
                            .state = &state,
                            .batch = options->batch,
                            .seed = options->seed,
                            .precision = "fp32",
                            .pool = pool,
                            .ranks = {.ranks = 1},
                            .diags = diags};
    Backend *cpu = backend_cpu_open(&config);
    if (cpu) {
        out->device = arena_strdup(diags->arena, cpu->device);
        time_cpu(cpu, options, data, limit, out);
        cpu->ops->close(cpu);
    }
    net_state_free(&state);
    return cpu != NULL;
}
