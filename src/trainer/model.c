/* SPDX-License-Identifier: Apache-2.0
 * Model and checkpoint files. Reading checks every tensor; a damaged file is named, never trusted.
 */
#include "trainer/model.h"
#include "base/arena.h"
#include "trainer/safetensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

void model_init(Model *model, int size, int classes, const char *const *names)
{
    memset(model, 0, sizeof *model);
    net_init(&model->net, size, classes);
    net_state_new(&model->net, &model->state);
    for (int i = 0; i < classes; ++i)
        model->names[i] = xstrdup(names[i]);
}

void model_free(Model *model)
{
    net_state_free(&model->state);
    for (int i = 0; i < NET_MAX_CLASSES; ++i)
        free(model->names[i]);
    memset(model, 0, sizeof *model);
}

/* [ky][kx][in][out] to [out][in][ky][kx], or back. */
static void reorder(const NetTensor *t, const float *from, float *to, bool to_file)
{
    int out = t->shape[0], in = t->shape[1];
    for (int i = 0; i < in; ++i)
        for (int o = 0; o < out; ++o)
            for (int k = 0; k < 9; ++k) {
                size_t file = (size_t)((o * in + i) * 9 + k),
                       here = (size_t)((k * in + i) * out + o);
                if (to_file)
                    to[file] = from[here];
                else
                    to[here] = from[file];
            }
}

static void add_tensor(SafeWriter *writer, const NetTensor *t, const char *prefix,
                       const float *values)
{
    float *copy = xmalloc(sizeof(float) * t->count);
    if (t->conv)
        reorder(t, values, copy, true);
    else
        memcpy(copy, values, sizeof(float) * t->count);
    char *name = xasprintf("%s%s", prefix, t->name);
    safe_writer_add(writer, name, t->dims, t->shape, copy);
    free(name);
    free(copy);
}

static void add_meta(SafeWriter *writer, const Model *model, const char *progress)
{
    struct json_object *names = json_object_new_array();
    for (int i = 0; i < model->net.classes; ++i)
        json_object_array_add(names, json_object_new_string(model->names[i]));
    char *size = xasprintf("%d", model->net.size);
    char *mean = xasprintf("[%g, %g, %g]", net_mean[0], net_mean[1], net_mean[2]);
    char *deviation =
        xasprintf("[%g, %g, %g]", net_deviation[0], net_deviation[1], net_deviation[2]);
    safe_writer_meta(writer, "gpukit.network", "small");
    safe_writer_meta(writer, "gpukit.classes",
                     json_object_to_json_string_ext(names, JSON_C_TO_STRING_PLAIN));
    safe_writer_meta(writer, "gpukit.size", size);
    safe_writer_meta(writer, "gpukit.mean", mean);
    safe_writer_meta(writer, "gpukit.deviation", deviation);
    if (progress)
        safe_writer_meta(writer, "gpukit.progress", progress);
    json_object_put(names);
    free(size);
    free(mean);
    free(deviation);
}

int model_save(const char *path, const Model *model, const char *progress)
{
    SafeWriter writer;
    NetTensor tensors[NET_ALL_TENSORS];
    net_tensors(&model->net, tensors);
    safe_writer_init(&writer);
    add_meta(&writer, model, progress);
    for (int i = 0; i < NET_ALL_TENSORS; ++i) {
        const NetTensor *t = &tensors[i];
        add_tensor(&writer, t, "",
                   (t->running ? model->state.running : model->state.params) + t->offset);
        if (progress && !t->running)
            add_tensor(&writer, t, "momentum.", model->state.momentum + t->offset);
    }
    return safe_writer_save(&writer, path);
}

static bool load_tensor(const SafeFile *file, const NetTensor *t, const char *prefix, float *values)
{
    float *copy = xmalloc(sizeof(float) * t->count);
    char *name = xasprintf("%s%s", prefix, t->name);
    bool ok = safe_read(file, name, t->dims, t->shape, copy) == 0;
    for (size_t i = 0; ok && i < t->count; ++i)
        ok = isfinite(copy[i]);
    if (ok && t->conv)
        reorder(t, copy, values, false);
    else if (ok)
        memcpy(values, copy, sizeof(float) * t->count);
    free(name);
    free(copy);
    return ok;
}

static bool load_meta(const SafeFile *file, Model *model)
{
    const char *network = safe_meta(file, "gpukit.network"), *size = safe_meta(file, "gpukit.size"),
               *classes = safe_meta(file, "gpukit.classes");
    if (!network || strcmp(network, "small") != 0 || !size || !classes)
        return false;
    char *end;
    long side = strtol(size, &end, 10);
    struct json_object *names = json_tokener_parse(classes);
    size_t count =
        json_object_is_type(names, json_type_array) ? json_object_array_length(names) : 0;
    bool ok = !*end && side >= NET_MULTIPLE && side <= 4096 && side % NET_MULTIPLE == 0 &&
              count >= 2 && count <= NET_MAX_CLASSES;
    const char *list[NET_MAX_CLASSES];
    for (size_t i = 0; ok && i < count; ++i) {
        struct json_object *name = json_object_array_get_idx(names, i);
        ok = json_object_is_type(name, json_type_string);
        list[i] = ok ? json_object_get_string(name) : NULL;
    }
    if (ok)
        model_init(model, (int)side, (int)count, list);
    json_object_put(names);
    return ok;
}

bool model_load(const char *path, Model *model, char **progress, Diags *diags)
{
    SafeFile file;
    char *error = NULL;
    memset(model, 0, sizeof *model);
    if (progress)
        *progress = NULL;
    if (safe_open(path, &file, &error) != 0) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "%s", error);
        diag_help(diags, "name a model that `gpukit train` wrote (model.safetensors)");
        free(error);
        return false;
    }
    bool ok = load_meta(&file, model);
    if (!ok)
        diag_add(diags, DIAG_ERROR, path, 0, 0,
                 "is no model of gpukit: its metadata lack gpukit.network, gpukit.size or "
                 "gpukit.classes");
    const char *text = safe_meta(&file, "gpukit.progress");
    NetTensor tensors[NET_ALL_TENSORS];
    if (ok)
        net_tensors(&model->net, tensors);
    for (int i = 0; ok && i < NET_ALL_TENSORS; ++i) {
        const NetTensor *t = &tensors[i];
        ok = load_tensor(&file, t, "",
                         (t->running ? model->state.running : model->state.params) + t->offset);
        if (ok && progress && text && !t->running)
            ok = load_tensor(&file, t, "momentum.", model->state.momentum + t->offset);
        if (!ok)
            diag_add(diags, DIAG_ERROR, path, 0, 0,
                     "tensor %s is missing, damaged or of another shape", t->name);
    }
    if (ok && progress && text)
        *progress = xstrdup(text);
    if (!ok)
        model_free(model);
    safe_close(&file);
    return ok;
}
