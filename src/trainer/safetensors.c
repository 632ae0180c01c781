/* SPDX-License-Identifier: Apache-2.0
 * Writer and checked reader of safetensors files. */
#include "trainer/safetensors.h"
#include "base/arena.h"
#include "base/fs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

enum { HEADER_LIMIT = 16 << 20 };

void safe_writer_init(SafeWriter *writer)
{
    memset(writer, 0, sizeof *writer);
    writer->header = json_object_new_object();
    struct json_object *meta = json_object_new_object();
    json_object_object_add(meta, "format", json_object_new_string("pt"));
    json_object_object_add(writer->header, "__metadata__", meta);
}

void safe_writer_meta(SafeWriter *writer, const char *key, const char *value)
{
    struct json_object *meta = json_object_object_get(writer->header, "__metadata__");
    json_object_object_add(meta, key, json_object_new_string(value));
}

void safe_writer_add(SafeWriter *writer, const char *name, int dims, const int *shape,
                     const float *values)
{
    size_t count = 1;
    struct json_object *tensor = json_object_new_object(), *dim = json_object_new_array(),
                       *offsets = json_object_new_array();
    for (int i = 0; i < dims; ++i) {
        count *= (size_t)shape[i];
        json_object_array_add(dim, json_object_new_int(shape[i]));
    }
    json_object_array_add(offsets, json_object_new_int64((int64_t)writer->data.count));
    buf_add(&writer->data, values, count * sizeof(float));
    json_object_array_add(offsets, json_object_new_int64((int64_t)writer->data.count));
    json_object_object_add(tensor, "dtype", json_object_new_string("F32"));
    json_object_object_add(tensor, "shape", dim);
    json_object_object_add(tensor, "data_offsets", offsets);
    json_object_object_add(writer->header, name, tensor);
}

int safe_writer_save(SafeWriter *writer, const char *path)
{
    Buf file = {0};
    const char *header = json_object_to_json_string_ext(writer->header, JSON_C_TO_STRING_PLAIN);
    size_t length = (strlen(header) + 7) / 8 * 8;
    for (int i = 0; i < 8; ++i)
        buf_putc(&file, (char)(length >> 8 * i));
    buf_puts(&file, header);
    while (file.count < 8 + length)
        buf_putc(&file, ' ');
    buf_add(&file, writer->data.data, writer->data.count);
    int error = fs_write_atomic(path, file.data, file.count);
    buf_free(&file);
    buf_free(&writer->data);
    json_object_put(writer->header);
    memset(writer, 0, sizeof *writer);
    return error;
}

int safe_open(const char *path, SafeFile *out, char **error)
{
    memset(out, 0, sizeof *out);
    int failed = fs_read(path, &out->bytes);
    if (failed) {
        *error = xasprintf("cannot be read: %s", strerror(-failed));
        return -1;
    }
    uint64_t length = 0;
    for (int i = 0; i < 8 && out->bytes.count >= 8; ++i)
        length |= (uint64_t)(uint8_t)out->bytes.data[i] << 8 * i;
    if (out->bytes.count < 10 || length < 2 || length > HEADER_LIMIT ||
        length > out->bytes.count - 8) {
        *error =
            xasprintf("is not a safetensors file, or is cut short (%zu bytes)", out->bytes.count);
        safe_close(out);
        return -1;
    }
    struct json_tokener *tokener = json_tokener_new();
    out->header = json_tokener_parse_ex(tokener, out->bytes.data + 8, (int)length);
    json_tokener_free(tokener);
    out->data = 8 + (size_t)length;
    if (!json_object_is_type(out->header, json_type_object)) {
        *error = xstrdup("has a damaged header");
        safe_close(out);
        return -1;
    }
    return 0;
}

void safe_close(SafeFile *file)
{
    if (file->header)
        json_object_put(file->header);
    buf_free(&file->bytes);
    memset(file, 0, sizeof *file);
}

const char *safe_meta(const SafeFile *file, const char *key)
{
    struct json_object *meta, *value;
    if (!json_object_object_get_ex(file->header, "__metadata__", &meta) ||
        !json_object_is_type(meta, json_type_object) ||
        !json_object_object_get_ex(meta, key, &value) ||
        !json_object_is_type(value, json_type_string))
        return NULL;
    return json_object_get_string(value);
}

static struct json_object *array_of(struct json_object *tensor, const char *key, size_t count)
{
    struct json_object *array;
    if (!json_object_object_get_ex(tensor, key, &array) ||
        !json_object_is_type(array, json_type_array) || json_object_array_length(array) != count)
        return NULL;
    return array;
}

int safe_read(const SafeFile *file, const char *name, int dims, const int *shape, float *out)
{
    struct json_object *tensor, *dtype;
    if (!json_object_object_get_ex(file->header, name, &tensor) ||
        !json_object_is_type(tensor, json_type_object) ||
        !json_object_object_get_ex(tensor, "dtype", &dtype) ||
        !json_object_is_type(dtype, json_type_string) ||
        strcmp(json_object_get_string(dtype), "F32") != 0)
        return -1;
    struct json_object *dim = array_of(tensor, "shape", (size_t)dims);
    struct json_object *offsets = array_of(tensor, "data_offsets", 2);
    if (!dim || !offsets)
        return -1;
    size_t bytes = sizeof(float);
    for (int i = 0; i < dims; ++i) {
        if (json_object_get_int64(json_object_array_get_idx(dim, (size_t)i)) != shape[i])
            return -1;
        bytes *= (size_t)shape[i];
    }
    int64_t from = json_object_get_int64(json_object_array_get_idx(offsets, 0));
    int64_t to = json_object_get_int64(json_object_array_get_idx(offsets, 1));
    size_t room = file->bytes.count - file->data;
    if (from < 0 || to < from || (uint64_t)to > room || (uint64_t)(to - from) != bytes)
        return -1;
    memcpy(out, file->bytes.data + file->data + from, bytes);
    return 0;
}
