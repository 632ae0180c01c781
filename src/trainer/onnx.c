/* SPDX-License-Identifier: Apache-2.0
 * ONNX export: a small protobuf writer and the graph Sub, Div, four times Conv-Relu-MaxPool,
 * GlobalAveragePool, Flatten, Gemm, Softmax (IR version 8, opset 13). Field numbers are those of
 * onnx.proto. */
#include "trainer/model.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };
enum { ONNX_FLOAT = 1 };
enum { ATTRIBUTE_INT = 2, ATTRIBUTE_INTS = 7 };

static void put_varint(Buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_putc(b, (char)((v & 0x7f) | 0x80));
    buf_putc(b, (char)v);
}

static void put_int(Buf *b, int field, uint64_t v)
{
    put_varint(b, (uint64_t)field << 3 | WIRE_VARINT);
    put_varint(b, v);
}

static void put_bytes(Buf *b, int field, const void *bytes, size_t count)
{
    put_varint(b, (uint64_t)field << 3 | WIRE_BYTES);
    put_varint(b, count);
    buf_add(b, bytes, count);
}

static void put_text(Buf *b, int field, const char *text)
{
    put_bytes(b, field, text, strlen(text));
}

/* A nested message, which is emptied. */
static void put_message(Buf *b, int field, Buf *message)
{
    put_bytes(b, field, message->data, message->count);
    buf_free(message);
}

/* TensorProto: dims 1, data_type 2, name 8, raw_data 9; GraphProto.initializer is 5. */
static void put_tensor(Buf *graph, const char *name, int dims, const int *shape,
                       const float *values)
{
    Buf t = {0};
    size_t count = 1;
    for (int i = 0; i < dims; ++i) {
        put_int(&t, 1, (uint64_t)shape[i]);
        count *= (size_t)shape[i];
    }
    put_int(&t, 2, ONNX_FLOAT);
    put_text(&t, 8, name);
    put_bytes(&t, 9, values, count * sizeof(float));
    put_message(graph, 5, &t);
}

/* AttributeProto: name 1, i 3, ints 8, type 20. */
static void put_attribute(Buf *node, const char *name, const int *values, int count)
{
    Buf a = {0};
    put_text(&a, 1, name);
    if (count) {
        for (int i = 0; i < count; ++i)
            put_int(&a, 8, (uint64_t)values[i]);
    } else {
        put_int(&a, 3, (uint64_t)values[0]);
    }
    put_int(&a, 20, count ? ATTRIBUTE_INTS : ATTRIBUTE_INT);
    put_message(node, 5, &a);
}

/* NodeProto: input 1, output 2, op_type 4, attribute 5; GraphProto.node is 1. in: NULL-ended. */
static void put_node(Buf *graph, const char *op, const char *const *in, const char *out,
                     Buf *attributes)
{
    Buf n = {0};
    for (; *in; ++in)
        put_text(&n, 1, *in);
    put_text(&n, 2, out);
    put_text(&n, 4, op);
    if (attributes) {
        buf_add(&n, attributes->data, attributes->count);
        buf_free(attributes);
    }
    put_message(graph, 1, &n);
}

/* ValueInfoProto: name 1, type 2 { tensor_type 1 { elem_type 1, shape 2 { dim 1 {value 1, param
 * 2}}}} */
static void put_value(Buf *graph, int field, const char *name, int dims, const int *shape)
{
    Buf sizes = {0}, tensor = {0}, type = {0}, value = {0};
    for (int i = 0; i < dims; ++i) {
        Buf dim = {0};
        if (shape[i] < 0)
            put_text(&dim, 2, "N");
        else
            put_int(&dim, 1, (uint64_t)shape[i]);
        put_message(&sizes, 1, &dim);
    }
    put_int(&tensor, 1, ONNX_FLOAT);
    put_message(&tensor, 2, &sizes);
    put_message(&type, 1, &tensor);
    put_text(&value, 1, name);
    put_message(&value, 2, &type);
    put_message(graph, field, &value);
}

static void put_block(Buf *graph, const Model *model, int i, const char *in, const char *out)
{
    const NetBlock *b = &model->net.block[i];
    size_t per = (size_t)9 * (size_t)b->cin;
    float *weight = xmalloc(sizeof(float) * per * (size_t)b->cout);
    float *bias = xmalloc(sizeof(float) * (size_t)b->cout);
    for (int o = 0; o < b->cout; ++o) {
        double slope = (double)model->state.params[b->gamma + (size_t)o] /
                       sqrt((double)model->state.running[b->running_var + (size_t)o] + NET_EPS);
        bias[o] = (float)((double)model->state.params[b->beta + (size_t)o] -
                          slope * (double)model->state.running[b->running_mean + (size_t)o]);
        for (int c = 0; c < b->cin; ++c)
            for (int k = 0; k < 9; ++k)
                weight[(size_t)o * per + (size_t)(c * 9 + k)] =
                    (float)(slope *
                            (double)model->state
                                .params[b->weight + (size_t)((k * b->cin + c) * b->cout + o)]);
    }
    char *names[4];
    static const char *const parts[4] = {"weight", "bias", "conv", "relu"};
    for (int k = 0; k < 4; ++k)
        names[k] = xasprintf("block%d.%s", i + 1, parts[k]);
    put_tensor(graph, names[0], 4, (int[]){b->cout, b->cin, 3, 3}, weight);
    put_tensor(graph, names[1], 1, &b->cout, bias);
    Buf conv = {0}, pool = {0};
    put_attribute(&conv, "kernel_shape", (int[]){3, 3}, 2);
    put_attribute(&conv, "pads", (int[]){1, 1, 1, 1}, 4);
    put_node(graph, "Conv", (const char *[]){in, names[0], names[1], NULL}, names[2], &conv);
    put_node(graph, "Relu", (const char *[]){names[2], NULL}, names[3], NULL);
    put_attribute(&pool, "kernel_shape", (int[]){2, 2}, 2);
    put_attribute(&pool, "strides", (int[]){2, 2}, 2);
    put_node(graph, "MaxPool", (const char *[]){names[3], NULL}, out, &pool);
    for (int k = 0; k < 4; ++k)
        free(names[k]);
    free(weight);
    free(bias);
}

int model_export_onnx(const char *path, const Model *model)
{
    const Net *net = &model->net;
    Buf graph = {0}, file = {0}, gemm = {0}, opset = {0};
    float mean[3], deviation[3];
    for (int c = 0; c < 3; ++c)
        mean[c] = (float)net_mean[c], deviation[c] = (float)net_deviation[c];
    put_node(&graph, "Sub", (const char *[]){"image", "mean", NULL}, "centred", NULL);
    put_node(&graph, "Div", (const char *[]){"centred", "deviation", NULL}, "block0", NULL);
    for (int i = 0; i < NET_BLOCKS; ++i) {
        char *in = xasprintf("block%d", i), *out = xasprintf("block%d", i + 1);
        put_block(&graph, model, i, in, out);
        free(in);
        free(out);
    }
    char *last = xasprintf("block%d", NET_BLOCKS);
    put_node(&graph, "GlobalAveragePool", (const char *[]){last, NULL}, "average", NULL);
    free(last);
    put_node(&graph, "Flatten", (const char *[]){"average", NULL}, "features", NULL);
    put_attribute(&gemm, "transB", (int[]){1}, 0);
    put_node(&graph, "Gemm", (const char *[]){"features", "fc.weight", "fc.bias", NULL}, "logits",
             &gemm);
    put_node(&graph, "Softmax", (const char *[]){"logits", NULL}, "probabilities", NULL);
    put_text(&graph, 2, "gpukit_small");
    put_tensor(&graph, "mean", 4, (int[]){1, 3, 1, 1}, mean);
    put_tensor(&graph, "deviation", 4, (int[]){1, 3, 1, 1}, deviation);
    put_tensor(&graph, "fc.weight", 2, (int[]){net->classes, net->features},
               model->state.params + net->fc_weight);
    put_tensor(&graph, "fc.bias", 1, &net->classes, model->state.params + net->fc_bias);
    put_value(&graph, 11, "image", 4, (int[]){-1, 3, net->size, net->size});
    put_value(&graph, 12, "logits", 2, (int[]){-1, net->classes});
    put_value(&graph, 12, "probabilities", 2, (int[]){-1, net->classes});

    put_int(&file, 1, 8); /* ModelProto: ir_version 1, producer_name 2, graph 7, opset_import 8 */
    put_text(&file, 2, "gpukit");
    put_message(&file, 7, &graph);
    put_int(&opset, 2, 13);
    put_message(&file, 8, &opset);
    Buf classes = {0}; /* metadata_props 14: key 1, value 2 */
    Buf names = {0};
    for (int i = 0; i < net->classes; ++i)
        buf_printf(&names, "%s%s", i ? "\n" : "", model->names[i]);
    put_text(&classes, 1, "classes");
    put_text(&classes, 2, buf_text(&names));
    put_message(&file, 14, &classes);
    buf_free(&names);
    int error = fs_write_atomic(path, file.data, file.count);
    buf_free(&file);
    return error;
}
