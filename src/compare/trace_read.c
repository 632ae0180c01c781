/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the JSON lines that runtime/trace.c writes. */
#include "compare/compare.h"

#include "base/buf.h"
#include "base/fs.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(json_object *o, const char *key)
{
    json_object *v;
    return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_string)
               ? json_object_get_string(v)
               : "";
}

static double number_of(json_object *o, const char *key)
{
    json_object *v;
    return json_object_object_get_ex(o, key, &v) ? json_object_get_double(v) : 0;
}

static uint64_t count_of(json_object *o, const char *key)
{
    json_object *v;
    int64_t n = json_object_object_get_ex(o, key, &v) ? json_object_get_int64(v) : 0;
    return n < 0 ? 0 : (uint64_t)n;
}

static bool has_time(json_object *o)
{
    json_object *v;
    return json_object_object_get_ex(o, "ms", &v) && v;
}

static void add_kernel(Trace *out, const char *name, double ms)
{
    for (size_t i = 0; i < out->by_kernel.count; ++i) {
        TraceKernel *k = &out->by_kernel.items[i];
        if (strcmp(k->name, name) == 0) {
            k->ms += ms;
            ++k->launches;
            return;
        }
    }
    VEC_PUSH(out->by_kernel, ((TraceKernel){xstrdup(name), 1, ms}));
}

static void add_copy(Trace *out, json_object *o)
{
    const char *kind = text_of(o, "kind");
    double ms = number_of(o, "ms");
    uint64_t bytes = count_of(o, "bytes");
    ++out->copies;
    out->untimed += !has_time(o);
    if (strcmp(kind, "HtoD") == 0) {
        out->htod += ms;
        out->htod_bytes += bytes;
    } else if (strcmp(kind, "DtoH") == 0) {
        out->dtoh += ms;
        out->dtoh_bytes += bytes;
        uint64_t hash = strtoull(text_of(o, "hash"), NULL, 16);
        VEC_PUSH(out->back, ((TraceBytes){bytes, hash, count_of(o, "offset")}));
    } else {
        out->dtod += ms;
    }
}

/* false when the line is no event. */
static bool add_line(Trace *out, json_object *o, bool *ended)
{
    const char *event = text_of(o, "event");
    double ms = number_of(o, "ms");
    if (strcmp(event, "context") == 0) {
        out->context += ms;
        if (!out->gpu && text_of(o, "name")[0]) {
            out->gpu = xstrdup(text_of(o, "name"));
            out->driver = (int)number_of(o, "driver");
            out->threads = (int)number_of(o, "threads");
        }
    } else if (strcmp(event, "module") == 0) {
        out->module += ms;
    } else if (strcmp(event, "compile") == 0) {
        out->compile += ms;
    } else if (strcmp(event, "copy") == 0) {
        add_copy(out, o);
    } else if (strcmp(event, "launch") == 0) {
        out->untimed += !has_time(o);
        out->kernels += ms;
        add_kernel(out, text_of(o, "kernel"), ms);
    } else if (strcmp(event, "end") == 0) {
        out->wall = ms;
        out->launches = count_of(o, "launches");
        out->f32 = count_of(o, "f32");
        out->f64 = count_of(o, "f64");
        out->error = (int)number_of(o, "error");
        out->untimed += (unsigned)count_of(o, "lost");
        *ended = true;
    } else {
        return false;
    }
    return true;
}

int trace_read(const char *path, Trace *out, Diags *diags)
{
    Buf text = {0};
    memset(out, 0, sizeof *out);
    int status = fs_read(path, &text);
    if (status) {
        diag_add(diags, DIAG_ERROR, path, 0, 0,
                 "no trace: the program made no CUDA call, or ended "
                 "without leaving through exit");
        buf_free(&text);
        return -1;
    }
    bool ended = false;
    int line = 0;
    char *rest = text.data;
    for (char *start; !status && rest && (start = strsep(&rest, "\n")) && *start;) {
        ++line;
        json_object *o = json_tokener_parse(start);
        if (!json_object_is_type(o, json_type_object) || !add_line(out, o, &ended)) {
            diag_add(diags, DIAG_ERROR, path, line, 0, "not a line of a trace");
            status = -1;
        }
        json_object_put(o);
    }
    if (!status && !ended) {
        diag_add(diags, DIAG_ERROR, path, line, 0, "the trace has no end: the disk may be full");
        status = -1;
    }
    buf_free(&text);
    if (status)
        trace_fini(out);
    return status;
}

void trace_fini(Trace *trace)
{
    for (size_t i = 0; i < trace->by_kernel.count; ++i)
        free(trace->by_kernel.items[i].name);
    VEC_FREE(trace->by_kernel);
    VEC_FREE(trace->back);
    free(trace->gpu);
    memset(trace, 0, sizeof *trace);
}
