/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of work and stream capture, above the device interface: an instantiated graph is a copy
 * whose nodes run in an order that respects the edges, one after the other, on the stream that it
 * is launched in. Alloc nodes keep one fixed address for the life of the graph. A conditional node is
 * a host function that reads its word and runs bodies in a stream of its own. Not here: external
 * semaphores. */
#include "runtime/graph.h"

#include "base/arena.h"
#include "base/handles.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_GRAPH = 0x676b6772, MAGIC_NODE = 0x676b6e64 };

struct RtCapture {
    RtGraph *graph;
    RtStream *origin;
    uint64_t id;
    int mode;               /* 0 global, 1 thread local, 2 relaxed */
    bool invalid, into;     /* into: the graph is the program's */
    VEC(RtStream *) joined; /* other streams that take part */
};

static pthread_mutex_t graph_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int active_global;             /* captures that forbid unsafe calls everywhere */
static _Thread_local int active_thread;       /* ... in this thread */
static _Thread_local RtCapture *last_capture; /* of this thread, for invalidation */

/* --- graphs -------------------------------------------------------------------------------- */

RtGraph *rt_graph_new(void)
{
    RtGraph *graph = xcalloc(1, sizeof *graph);
    graph->magic = MAGIC_GRAPH;
    return graph;
}

RtGraph *rt_graph(void *handle)
{
    RtGraph *graph = handle;
    return graph && (uintptr_t)graph % sizeof(void *) == 0 && graph->magic == MAGIC_GRAPH ? graph
                                                                                          : NULL;
}

RtNode *rt_node(void *handle)
{
    RtNode *node = handle;
    return node && (uintptr_t)node % sizeof(void *) == 0 && node->magic == MAGIC_NODE ? node : NULL;
}

int rt_graph_condition(RtGraph *graph, uint32_t first, bool assign, void **address)
{
    int error = rt_device()->mem_alloc(DEV_MEM_PINNED, sizeof(uint32_t), 0, address);
    if (error)
        return error;
    RtCondition *condition = xcalloc(1, sizeof *condition);
    *condition = (RtCondition){.users = 1, .address = *address, .first = first, .assign = assign};
    *(uint32_t *)*address = assign ? first : 0;
    graph->conditions = xrealloc(graph->conditions, (graph->condition_count + 1) * sizeof(void *));
    graph->conditions[graph->condition_count++] = condition;
    return RT_OK;
}

static void conditions_share(RtGraph *copy, const RtGraph *graph)
{
    copy->conditions = xcalloc(graph->condition_count + 1, sizeof *copy->conditions);
    copy->condition_count = graph->condition_count;
    for (size_t i = 0; i < graph->condition_count; i++) {
        copy->conditions[i] = graph->conditions[i];
        atomic_fetch_add(&copy->conditions[i]->users, 1);
    }
}

static void conditions_drop(RtGraph *graph)
{
    for (size_t i = 0; i < graph->condition_count; i++) {
        RtCondition *condition = graph->conditions[i];
        if (atomic_fetch_sub(&condition->users, 1) == 1) {
            rt_device()->mem_free(condition->address, 1u << DEV_MEM_PINNED);
            free(condition);
        }
    }
    free(graph->conditions);
}

/* --- user objects -------------------------------------------------------------------------- */

struct RtObject {
    _Atomic unsigned references;
    void (*destroy)(void *);
    void *argument;
};
static Handles objects = HANDLES_NONE;

int rt_object_new(void *argument, void (*destroy)(void *), unsigned references, void **out)
{
    if (!destroy || !references || references > INT32_MAX || !out)
        return RT_INVALID_VALUE;
    struct RtObject *object = xcalloc(1, sizeof *object);
    *object = (struct RtObject){references, destroy, argument};
    handles_add(&objects, object);
    *out = object;
    return RT_OK;
}

int rt_object_retain(void *handle, unsigned references)
{
    struct RtObject *object = handle;
    if (!references || references > INT32_MAX || !handles_has(&objects, object))
        return RT_INVALID_VALUE;
    atomic_fetch_add(&object->references, references);
    return RT_OK;
}

int rt_object_release(void *handle, unsigned references)
{
    struct RtObject *object = handle;
    if (!references || !handles_has(&objects, object))
        return RT_INVALID_VALUE;
    unsigned now = atomic_load(&object->references);
    do
        if (references > now)
            return RT_INVALID_VALUE;
    while (!atomic_compare_exchange_weak(&object->references, &now, now - references));
    if (references == now && handles_remove(&objects, object)) {
        object->destroy(object->argument);
        free(object);
    }
    return RT_OK;
}

int rt_graph_keep(RtGraph *graph, void *handle, unsigned references, bool move)
{
    if (!references || !handles_has(&objects, handle))
        return RT_INVALID_VALUE;
    int error = move ? RT_OK : rt_object_retain(handle, references);
    if (error)
        return error;
    size_t at = 0;
    while (at < graph->object_count && graph->objects[at].object != handle)
        at++;
    if (at == graph->object_count) {
        graph->objects = xrealloc(graph->objects, (at + 1) * sizeof *graph->objects);
        graph->objects[at].object = handle;
        graph->objects[at].references = 0;
        graph->object_count++;
    }
    graph->objects[at].references += references;
    return RT_OK;
}

int rt_graph_give(RtGraph *graph, void *handle, unsigned references)
{
    size_t at = 0;
    while (at < graph->object_count && graph->objects[at].object != handle)
        at++;
    if (at == graph->object_count || !references || references > graph->objects[at].references)
        return RT_INVALID_VALUE;
    graph->objects[at].references -= references;
    if (!graph->objects[at].references)
        graph->objects[at] = graph->objects[--graph->object_count];
    return rt_object_release(handle, references);
}

static void objects_drop(RtGraph *graph)
{
    for (size_t i = 0; i < graph->object_count; i++)
        rt_object_release(graph->objects[i].object, graph->objects[i].references);
    free(graph->objects);
}

/* --- memory of graphs ---------------------------------------------------------------------- */

/* An allocation node's memory keeps its address while a graph has the node, whoever frees it: a free
 * node, or the program between two launches. What is in use when the last graph goes stays, as memory
 * like any other. */
typedef struct {
    void *address;
    int users; /* nodes */
    bool live; /* allocated by a launch, not freed since */
    bool held; /* live since the last trim */
    int device;
    size_t bytes;
} Memory;
/* Bytes in use and held by devices, and the most that they were. */
typedef struct {
    uint64_t now, high;
} Mark;
static struct {
    pthread_mutex_t lock;
    VEC(Memory) items;
    struct {
        Mark used, held;
    } of[64];
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

static Memory *memory_find(const void *address)
{
    for (size_t i = 0; i < memory.items.count; i++)
        if (memory.items.items[i].address == address)
            return &memory.items.items[i];
    return NULL;
}

static void mark(Mark *mark, int64_t change)
{
    mark->now += (uint64_t)change;
    mark->high = mark->now > mark->high ? mark->now : mark->high;
}

static void set_live(Memory *m, bool live)
{
    int64_t bytes = (int64_t)m->bytes;
    if (live != m->live)
        mark(&memory.of[m->device].used, live ? bytes : -bytes);
    if (live && !m->held)
        mark(&memory.of[m->device].held, bytes);
    m->held |= live;
    m->live = live;
}

static void set_held_off(Memory *m)
{
    if (m->held)
        mark(&memory.of[m->device].held, -(int64_t)m->bytes);
    m->held = false;
}

int rt_graph_memory_get(int device, int attribute, uint64_t *value)
{
    int error = rt_place_check((RtPlace){RT_PLACE_DEVICE, device});
    if (error || !value || attribute < 0 || attribute > 3)
        return error ? error : RT_INVALID_VALUE;
    pthread_mutex_lock(&memory.lock);
    const Mark *m = attribute < 2 ? &memory.of[device].used : &memory.of[device].held;
    *value = attribute % 2 ? m->high : m->now;
    pthread_mutex_unlock(&memory.lock);
    return RT_OK;
}

int rt_graph_memory_set_high(int device, int attribute, uint64_t value)
{
    int error = rt_place_check((RtPlace){RT_PLACE_DEVICE, device});
    if (error || value || (attribute != 1 && attribute != 3))
        return error ? error : RT_INVALID_VALUE;
    pthread_mutex_lock(&memory.lock);
    Mark *m = attribute < 2 ? &memory.of[device].used : &memory.of[device].held;
    m->high = m->now;
    pthread_mutex_unlock(&memory.lock);
    return RT_OK;
}

int rt_graph_memory_trim(int device)
{
    int error = rt_place_check((RtPlace){RT_PLACE_DEVICE, device});
    pthread_mutex_lock(&memory.lock);
    for (size_t i = 0; i < memory.items.count && !error; i++)
        if (memory.items.items[i].device == device && !memory.items.items[i].live)
            set_held_off(&memory.items.items[i]);
    pthread_mutex_unlock(&memory.lock);
    return error;
}

static void memory_share(void *address, size_t bytes)
{
    DevMemInfo info = {0};
    rt_device()->mem_find(address, &info);
    pthread_mutex_lock(&memory.lock);
    Memory *found = memory_find(address);
    if (found)
        found->users++;
    else
        VEC_PUSH(
            memory.items,
            ((Memory){.address = address, .users = 1, .device = info.device % 64, .bytes = bytes}));
    pthread_mutex_unlock(&memory.lock);
}

static void memory_drop(void *address)
{
    bool unused = false;
    pthread_mutex_lock(&memory.lock);
    Memory *found = memory_find(address);
    if (found && --found->users == 0) {
        unused = !found->live;
        set_live(found, false);
        set_held_off(found);
        *found = memory.items.items[--memory.items.count];
    }
    pthread_mutex_unlock(&memory.lock);
    if (unused && !rt_device_wait())
        rt_device()->mem_free(address, 1u << DEV_MEM_DEVICE);
}

static bool memory_set(const void *address, bool live, bool *was)
{
    pthread_mutex_lock(&memory.lock);
    Memory *found = memory_find(address);
    if (found) {
        *was = found->live;
        set_live(found, live);
    }
    pthread_mutex_unlock(&memory.lock);
    return found != NULL;
}

bool rt_graph_memory_free(const void *address, int *error)
{
    bool was = false, found = memory_set(address, false, &was);
    *error = found && !was ? RT_INVALID_VALUE : RT_OK;
    return found;
}

static void node_release(RtNode *node)
{
    if (node->type == RT_NODE_ALLOC && node->address)
        memory_drop(node->address);
    for (unsigned i = 0; node->bodies && i < node->body_count; i++)
        rt_graph_free(node->bodies[i]);
    free(node->bodies);
    node->bodies = NULL;
    free(node->ops);
    node->ops = NULL;
    if (node->type == RT_NODE_KERNEL)
        free((void *)(uintptr_t)node->launch.packed);
    if (node->type == RT_NODE_CHILD && node->child)
        rt_graph_free(node->child);
    node->launch.packed = NULL;
    node->child = NULL;
}

static void node_free(RtNode *node)
{
    node_release(node);
    if (node->stream)
        rt_stream_free(node->stream);
    node->magic = 0;
    free(node->needs);
    free(node);
}

void rt_graph_free(RtGraph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        node_free(graph->nodes[i]);
    free(graph->nodes);
    conditions_drop(graph);
    objects_drop(graph);
    graph->magic = 0;
    free(graph);
}

/* Packs the launch's parameters into one block that the node owns. */
static int take_params(RtNode *node, const DevLaunch *launch)
{
    int error = rt_kernel_load(node->kernel);
    if (error)
        return error;
    DevFunction *function = node->kernel->function;
    size_t bytes = 0, offset, size;
    for (unsigned i = 0; !rt_device()->function_param(function, i, &offset, &size); i++)
        bytes = offset + size > bytes ? offset + size : bytes;
    if (!launch->params && bytes > launch->packed_bytes)
        return RT_INVALID_VALUE;
    unsigned char *packed = xcalloc(1, bytes ? bytes : 1);
    if (!launch->params && bytes) {
        memcpy(packed, launch->packed, bytes);
    } else {
        for (unsigned i = 0; !rt_device()->function_param(function, i, &offset, &size); i++)
            memcpy(packed + offset, launch->params[i], size);
    }
    node->launch = *launch;
    node->launch.function = function;
    node->launch.params = NULL;
    node->launch.packed = packed;
    node->launch.packed_bytes = bytes;
    return RT_OK;
}

static bool has_condition(const RtGraph *graph)
{
    bool found = graph->condition_count != 0;
    for (size_t i = 0; i < graph->count && !found; i++)
        found = graph->nodes[i]->type == RT_NODE_CONDITIONAL;
    return found;
}

int rt_node_set(RtNode *node, const RtNode *what)
{
    RtNode next = *node;
    next.kernel = what->kernel;
    next.copy = what->copy;
    next.copy_kind = what->copy_kind;
    next.fill = what->fill;
    next.function = what->function;
    next.argument = what->argument;
    next.event = what->event;
    next.address = what->address;
    next.bytes = what->bytes;
    next.child = NULL;
    next.condition = what->condition;
    next.condition_kind = what->condition_kind;
    next.body_count = what->body_count;
    next.bodies = NULL;
    if (node->type == RT_NODE_KERNEL) {
        int error = take_params(&next, &what->launch);
        if (error)
            return error;
    }
    if (node->type == RT_NODE_CHILD && what->child && has_condition(what->child)) {
        rt_message("a graph with conditional nodes cannot be a child of another");
        return RT_NOT_SUPPORTED;
    }
    if (node->type == RT_NODE_CHILD && what->child)
        next.child = rt_graph_clone(what->child);
    if (node->type == RT_NODE_CONDITIONAL) {
        next.bodies = xcalloc(next.body_count, sizeof *next.bodies);
        for (unsigned i = 0; i < next.body_count; i++)
            next.bodies[i] = what->bodies ? rt_graph_clone(what->bodies[i]) : rt_graph_new();
    }
    if (node->type == RT_NODE_ALLOC)
        memory_share(next.address, next.bytes);
    next.ops = NULL;
    next.op_count = what->op_count;
    next.ops_context = what->ops_context;
    if (node->type == RT_NODE_MEMORY_OPS) {
        next.ops = xmalloc(what->op_count * sizeof *next.ops);
        memcpy(next.ops, what->ops, what->op_count * sizeof *next.ops);
    }
    node_release(node);
    *node = next;
    return RT_OK;
}

int rt_graph_add(RtGraph *graph, const RtNode *what, RtNode *const *needs, size_t count,
                 RtNode **out)
{
    for (size_t i = 0; i < count; i++)
        if (!rt_node(needs[i]) || needs[i]->graph != graph)
            return RT_INVALID_VALUE;
    RtNode *node = xcalloc(1, sizeof *node);
    node->type = what->type;
    int error = rt_node_set(node, what);
    if (error) {
        free(node);
        return error;
    }
    node->magic = MAGIC_NODE;
    node->graph = graph;
    node->needs = xcalloc(count + 1, sizeof *node->needs);
    for (size_t i = 0; i < count; i++)
        node->needs[i] = needs[i];
    node->need_count = count;
    if (graph->count == graph->room) {
        graph->room = graph->room ? graph->room * 2 : 16;
        graph->nodes = xrealloc(graph->nodes, graph->room * sizeof(RtNode *));
    }
    node->index = graph->count;
    graph->nodes[graph->count++] = node;
    if (out)
        *out = node;
    return RT_OK;
}

static int link_nodes(RtNode *from, RtNode *to, bool remove)
{
    if (from->graph != to->graph || from == to)
        return RT_INVALID_VALUE;
    for (size_t i = 0; i < to->need_count; i++)
        if (to->needs[i] == from) {
            if (!remove)
                return RT_INVALID_VALUE;
            to->needs[i] = to->needs[--to->need_count];
            return RT_OK;
        }
    if (remove)
        return RT_INVALID_VALUE;
    to->needs = xrealloc(to->needs, (to->need_count + 1) * sizeof(RtNode *));
    to->needs[to->need_count++] = from;
    return RT_OK;
}

int rt_graph_link(void *graph, void *const *from, void *const *to, size_t count, bool remove)
{
    const RtGraph *own = rt_graph(graph);
    int error = own && (!count || (from && to)) ? RT_OK : RT_INVALID_VALUE;
    for (size_t i = 0; i < count && !error; i++) {
        RtNode *a = rt_node(from[i]), *b = rt_node(to[i]);
        error = a && b && a->graph == own ? link_nodes(a, b, remove) : RT_INVALID_VALUE;
    }
    return error;
}

RtNode *rt_graph_find(void *graph, void *node, RtNodeType type)
{
    const RtGraph *own = rt_graph(graph);
    const RtNode *original = rt_node(node);
    for (size_t i = 0; own && original && original->type == type && i < own->count; i++)
        if (own->nodes[i]->index == original->index && own->nodes[i]->type == type)
            return own->nodes[i];
    return NULL;
}

typedef struct {
    void **list;
    size_t room, count;
} Listing;

static void list_add(Listing *listing, void *node)
{
    if (listing->list && listing->count < listing->room)
        listing->list[listing->count] = node;
    listing->count++;
}

static int list_end(const Listing *listing, size_t *count)
{
    for (size_t i = listing->count; listing->list && i < listing->room; i++)
        listing->list[i] = NULL;
    *count = listing->list && listing->count > listing->room ? listing->room : listing->count;
    return RT_OK;
}

int rt_graph_nodes(void *graph, bool roots, void **list, size_t *count)
{
    const RtGraph *own = rt_graph(graph);
    if (!own || !count)
        return RT_INVALID_VALUE;
    Listing listing = {list, *count, 0};
    for (size_t i = 0; i < own->count; i++)
        if (!roots || !own->nodes[i]->need_count)
            list_add(&listing, own->nodes[i]);
    return list_end(&listing, count);
}

int rt_graph_edges(void *graph, void **from, void **to, size_t *count)
{
    const RtGraph *own = rt_graph(graph);
    if (!own || !count || !from != !to)
        return RT_INVALID_VALUE;
    Listing sources = {from, *count, 0}, ends = {to, *count, 0};
    for (size_t i = 0; i < own->count; i++)
        for (size_t k = 0; k < own->nodes[i]->need_count; k++) {
            list_add(&sources, own->nodes[i]->needs[k]);
            list_add(&ends, own->nodes[i]);
        }
    list_end(&sources, count);
    return list_end(&ends, count);
}

int rt_node_needs(void *node, void **list, size_t *count)
{
    const RtNode *own = rt_node(node);
    if (!own || !count)
        return RT_INVALID_VALUE;
    Listing listing = {list, *count, 0};
    for (size_t i = 0; i < own->need_count; i++)
        list_add(&listing, own->needs[i]);
    return list_end(&listing, count);
}

int rt_node_users(void *node, void **list, size_t *count)
{
    const RtNode *own = rt_node(node);
    if (!own || !count)
        return RT_INVALID_VALUE;
    Listing listing = {list, *count, 0};
    const RtGraph *graph = own->graph;
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->need_count; k++)
            if (graph->nodes[i]->needs[k] == own)
                list_add(&listing, graph->nodes[i]);
    return list_end(&listing, count);
}

int rt_graph_dot(void *graph, const char *path)
{
    const RtGraph *own = rt_graph(graph);
    if (!own || !path)
        return RT_INVALID_VALUE;
    FILE *file = fopen(path, "we");
    if (!file)
        return RT_OPERATING_SYSTEM;
    static const char *const names[] = {[RT_NODE_KERNEL] = "kernel",
                                        [RT_NODE_COPY] = "memcpy",
                                        [RT_NODE_FILL] = "memset",
                                        [RT_NODE_HOST] = "host",
                                        [RT_NODE_CHILD] = "graph",
                                        [RT_NODE_EMPTY] = "empty",
                                        [RT_NODE_EVENT_WAIT] = "wait",
                                        [RT_NODE_EVENT_RECORD] = "record",
                                        [RT_NODE_ALLOC] = "alloc",
                                        [RT_NODE_FREE] = "free",
                                        [RT_NODE_MEMORY_OPS] = "memory operations",
                                        [RT_NODE_CONDITIONAL] = "conditional"};
    fprintf(file, "digraph graph_1 {\n");
    for (size_t i = 0; i < own->count; i++) {
        const RtNode *node = own->nodes[i];
        fprintf(file, "  node_%zu [label=\"%s%s%s\"];\n", i, names[node->type],
                node->type == RT_NODE_KERNEL ? " " : "",
                node->type == RT_NODE_KERNEL ? node->kernel->name : "");
        for (size_t k = 0; k < node->need_count; k++)
            fprintf(file, "  node_%zu -> node_%zu;\n", node->needs[k]->index, i);
    }
    fprintf(file, "}\n");
    bool failed = ferror(file) != 0;
    return fclose(file) || failed ? RT_OPERATING_SYSTEM : RT_OK;
}

int rt_condition_node(void *graph, uint64_t handle, unsigned kind, unsigned bodies, RtNode *out)
{
    const RtGraph *own = rt_graph(graph);
    unsigned most = kind == RT_IF ? 2 : kind == RT_WHILE ? 1 : 1u << 20;
    if (!own || kind > RT_SWITCH || !bodies || bodies > most)
        return RT_INVALID_VALUE;
    *out = (RtNode){
        .type = RT_NODE_CONDITIONAL, .condition_kind = (RtConditionKind)kind, .body_count = bodies};
    for (size_t i = 0; i < own->condition_count; i++)
        if ((uintptr_t)own->conditions[i]->address == handle)
            out->condition = own->conditions[i]->address;
    return out->condition ? RT_OK : RT_INVALID_VALUE; /* a handle of this graph */
}

int rt_graph_remove(RtNode *node)
{
    RtGraph *graph = node->graph;
    size_t at = node->index;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i] != node)
            link_nodes(node, graph->nodes[i], true);
    memmove(graph->nodes + at, graph->nodes + at + 1, (graph->count - at - 1) * sizeof(RtNode *));
    graph->count--;
    for (size_t i = at; i < graph->count; i++)
        graph->nodes[i]->index = i;
    node_free(node);
    return RT_OK;
}

RtGraph *rt_graph_clone(const RtGraph *graph)
{
    RtGraph *copy = rt_graph_new();
    RtNode **by_index = xcalloc(graph->count + 1, sizeof *by_index);
    for (size_t i = 0; i < graph->count; i++) {
        const RtNode *node = graph->nodes[i];
        RtNode *mine = NULL;
        if (rt_graph_add(copy, node, NULL, 0, &mine)) {
            rt_graph_free(copy);
            free(by_index);
            return NULL;
        }
        mine->disabled = node->disabled;
        by_index[node->index] = mine;
    }
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->need_count; k++)
            link_nodes(by_index[graph->nodes[i]->needs[k]->index], copy->nodes[i], false);
    free(by_index);
    conditions_share(copy, graph);
    for (size_t i = 0; i < graph->object_count; i++)
        rt_graph_keep(copy, graph->objects[i].object, graph->objects[i].references, false);
    return copy;
}

/* Sorts the nodes so that each stands behind what it needs. False when there is a cycle. */
static bool sort_nodes(RtGraph *graph)
{
    RtNode **sorted = xcalloc(graph->count + 1, sizeof *sorted);
    char *placed = xcalloc(graph->count + 1, 1);
    size_t count = 0;
    bool moved = true;
    while (moved && count < graph->count) {
        moved = false;
        for (size_t i = 0; i < graph->count; i++) {
            const RtNode *node = graph->nodes[i];
            bool ready = !placed[i];
            for (size_t k = 0; ready && k < node->need_count; k++)
                ready = placed[node->needs[k]->index];
            if (ready) {
                sorted[count++] = graph->nodes[i];
                placed[i] = 1;
                moved = true;
            }
        }
    }
    bool whole = count == graph->count;
    if (whole)
        memcpy(graph->nodes, sorted,
               count * sizeof *sorted); /* indices stay those of the original */
    free(sorted);
    free(placed);
    for (size_t i = 0; whole && i < graph->count; i++) {
        const RtNode *node = graph->nodes[i];
        if (node->child)
            whole = sort_nodes(node->child);
        for (unsigned b = 0; whole && node->bodies && b < node->body_count; b++)
            whole = sort_nodes(node->bodies[b]);
    }
    return whole;
}

int rt_graph_instantiate(const RtGraph *graph, unsigned flags, RtGraph **exec)
{
    RtGraph *copy = rt_graph_clone(graph);
    if (!copy)
        return RT_INVALID_VALUE;
    if (!sort_nodes(copy)) {
        rt_graph_free(copy);
        return RT_INVALID_VALUE;
    }
    copy->is_exec = true;
    copy->flags = flags;
    *exec = copy;
    return RT_OK;
}

static RtNode *node_by_index(const RtGraph *graph, size_t index)
{
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->index == index)
            return graph->nodes[i];
    return NULL;
}

int rt_graph_update(RtGraph *exec, const RtGraph *graph, RtNode **bad)
{
    *bad = NULL;
    if (exec->count != graph->count)
        return RT_GRAPH_EXEC_UPDATE_FAILURE;
    for (size_t i = 0; i < graph->count; i++) {
        RtNode *node = graph->nodes[i];
        RtNode *mine = node_by_index(exec, node->index);
        if (!mine || mine->type != node->type || mine->need_count != node->need_count) {
            *bad = node;
            return RT_GRAPH_EXEC_UPDATE_FAILURE;
        }
    }
    for (size_t i = 0; i < graph->count; i++) {
        int error = rt_node_set(node_by_index(exec, graph->nodes[i]->index), graph->nodes[i]);
        if (error) {
            *bad = graph->nodes[i];
            return error;
        }
    }
    return sort_nodes(exec) ? RT_OK : RT_INVALID_VALUE;
}

static int nodes_run(const RtGraph *graph, RtStream *stream);

/* Runs in the thread of the stream that the node stands in. An error of a body has become the
 * device's, or there was no memory for its work: either way the loop ends. */
static void run_condition(void *argument)
{
    const RtNode *node = argument;
    int error;
    do {
        uint32_t value = *(volatile uint32_t *)node->condition;
        uint32_t body = node->condition_kind == RT_SWITCH ? value : value ? 0 : 1;
        if (body >= node->body_count)
            return;
        error = nodes_run(node->bodies[body], node->stream);
        int waited = rt_stream_wait(node->stream);
        error = error ? error : waited;
    } while (!error && node->condition_kind == RT_WHILE);
}

static int node_condition(RtNode *node, RtStream *stream)
{
    int error = node->stream ? RT_OK : rt_stream_new(DEV_QUEUE_NON_BLOCKING, 0, &node->stream);
    return error ? error : rt_stream_call(stream, run_condition, node);
}

/* Words that have a first value get it. */
static int conditions_assign(const RtGraph *graph, RtStream *stream)
{
    int error = RT_OK;
    for (size_t i = 0; i < graph->condition_count && !error; i++) {
        const RtCondition *c = graph->conditions[i];
        const DevFill fill = {.dst = c->address,
                              .value = c->first,
                              .element = sizeof c->first,
                              .width = 1,
                              .height = 1,
                              .depth = 1};
        error = c->assign ? rt_fill(&fill, stream, false) : RT_OK;
    }
    for (size_t i = 0; i < graph->count && !error; i++)
        for (unsigned b = 0; graph->nodes[i]->bodies && b < graph->nodes[i]->body_count && !error;
             b++)
            error = conditions_assign(graph->nodes[i]->bodies[b], stream);
    return error;
}

static int node_run(RtNode *node, RtStream *stream)
{
    bool was;
    if (node->disabled)
        return RT_OK;
    switch (node->type) {
    case RT_NODE_ALLOC:
        memory_set(node->address, true, &was);
        return RT_OK;
    case RT_NODE_FREE:
        memory_set(node->argument, false, &was);
        return RT_OK;
    case RT_NODE_KERNEL:
        return rt_launch(&node->launch, node->kernel, stream);
    case RT_NODE_COPY:
        return rt_copy(&node->copy, stream, false);
    case RT_NODE_FILL:
        return rt_fill(&node->fill, stream, false);
    case RT_NODE_HOST:
        return rt_stream_call(stream, node->function, node->argument);
    case RT_NODE_CHILD:
        return nodes_run(node->child, stream);
    case RT_NODE_CONDITIONAL:
        return node_condition(node, stream);
    case RT_NODE_MEMORY_OPS:
        return rt_memory_ops_run(node->ops, node->op_count, stream);
    case RT_NODE_EVENT_WAIT:
        return rt_stream_wait_event(stream, node->event);
    case RT_NODE_EVENT_RECORD:
        return rt_event_record(node->event, stream);
    default:
        return RT_OK;
    }
}

static int nodes_run(const RtGraph *graph, RtStream *stream)
{
    int error = RT_OK;
    for (size_t i = 0; i < graph->count && !error; i++)
        error = node_run(graph->nodes[i], stream);
    return error;
}

int rt_graph_launch(RtGraph *exec, RtStream *stream)
{
    if (stream->capture) {
        RtNode node = {.type = RT_NODE_CHILD, .child = exec};
        return capture_add(stream, &node, NULL);
    }
    int error = conditions_assign(exec, stream);
    return error ? error : nodes_run(exec, stream);
}

/* --- capture ------------------------------------------------------------------------------- */

static void set_last(RtStream *stream, RtNode *const *nodes, size_t count)
{
    RtNode **copy = xcalloc(count + 1, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = nodes[i];
    free(stream->last);
    stream->last = copy;
    stream->last_count = count;
}

int capture_add(RtStream *stream, const RtNode *what, RtNode **out)
{
    if (stream->capture->invalid)
        return RT_CAPTURE_INVALIDATED;
    RtNode *node = NULL;
    pthread_mutex_lock(&graph_lock);
    int error = rt_graph_add(stream->capture->graph, what, stream->last, stream->last_count, &node);
    if (!error)
        set_last(stream, &node, 1);
    pthread_mutex_unlock(&graph_lock);
    if (error)
        stream->capture->invalid = true;
    if (out)
        *out = node;
    return error;
}

int rt_capture_follow(RtStream *stream, RtNode *const *nodes, size_t count, bool add)
{
    if (!stream->capture || stream->capture->invalid)
        return stream->capture ? RT_CAPTURE_INVALIDATED : RT_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (!rt_node(nodes[i]) || nodes[i]->graph != stream->capture->graph)
            return RT_INVALID_VALUE;
    size_t kept = add ? stream->last_count : 0;
    RtNode **all = xcalloc(kept + count + 1, sizeof(RtNode *));
    for (size_t i = 0; i < kept; i++)
        all[i] = stream->last[i];
    for (size_t i = 0; i < count; i++)
        all[kept + i] = nodes[i];
    set_last(stream, all, kept + count);
    free(all);
    return RT_OK;
}

int capture_record(RtStream *stream, RtEvent *event)
{
    free(event->nodes);
    event->nodes = xcalloc(stream->last_count + 1, sizeof(RtNode *));
    if (stream->last_count)
        memcpy(event->nodes, stream->last, stream->last_count * sizeof(RtNode *));
    event->node_count = stream->last_count;
    event->capture = stream->capture;
    return RT_OK;
}

int capture_wait_event(RtStream *stream, RtEvent *event)
{
    if (!event->capture) /* an event from outside a capture */
        return capture_invalidate(stream, RT_CAPTURE_ISOLATION);
    if (stream->capture && stream->capture != event->capture)
        return capture_invalidate(stream, RT_CAPTURE_MERGE);
    if (!stream->capture) {
        stream->capture = event->capture;
        VEC_PUSH(stream->capture->joined, stream);
        set_last(stream, NULL, 0);
    }
    size_t count = stream->last_count;
    RtNode **nodes = xcalloc(count + event->node_count + 1, sizeof *nodes);
    for (size_t i = 0; i < count; i++)
        nodes[i] = stream->last[i];
    for (size_t i = 0; i < event->node_count; i++) {
        bool known = false;
        for (size_t k = 0; k < count; k++)
            known |= nodes[k] == event->nodes[i];
        if (!known)
            nodes[count++] = event->nodes[i];
    }
    set_last(stream, nodes, count);
    free(nodes);
    return RT_OK;
}

int capture_invalidate(RtStream *stream, int error)
{
    if (stream->capture)
        stream->capture->invalid = true;
    return error;
}

int capture_legacy_used(void)
{
    if (!atomic_load_explicit(&active_global, memory_order_relaxed) && !active_thread)
        return RT_OK;
    if (last_capture)
        last_capture->invalid = true;
    return RT_CAPTURE_IMPLICIT;
}

int rt_capture_forbids(void)
{
    if (!atomic_load_explicit(&active_global, memory_order_relaxed) && !active_thread)
        return RT_OK;
    if (last_capture)
        last_capture->invalid = true;
    return RT_CAPTURE_UNSUPPORTED;
}

void capture_drop(RtStream *stream)
{
    RtCapture *capture = stream->capture;
    for (size_t i = 0; capture && i < capture->joined.count; i++)
        if (capture->joined.items[i] == stream)
            capture->joined.items[i] = capture->joined.items[--capture->joined.count];
    stream->capture = NULL;
    free(stream->last);
    stream->last = NULL;
    stream->last_count = 0;
}

int rt_capture_begin(RtStream *stream, int mode, RtGraph *into)
{
    static _Atomic uint64_t next_id = 1;
    if (stream->capture)
        return RT_INVALID_VALUE;
    if (stream->id == 1) /* the legacy stream cannot be captured */
        return RT_CAPTURE_UNSUPPORTED;
    if (mode < 0 || mode > 2)
        return RT_INVALID_VALUE;
    RtCapture *capture = xcalloc(1, sizeof *capture);
    *capture = (RtCapture){.graph = into ? into : rt_graph_new(),
                           .into = into != NULL,
                           .origin = stream,
                           .id = atomic_fetch_add(&next_id, 1),
                           .mode = mode};
    if (mode == 0)
        atomic_fetch_add(&active_global, 1);
    else if (mode == 1)
        active_thread++;
    last_capture = capture;
    stream->capture = capture;
    set_last(stream, NULL, 0);
    return RT_OK;
}

/* Whether every node leads to one of the stream's last nodes: other streams have been joined. */
static bool joined(const RtCapture *capture, const RtStream *stream)
{
    const RtGraph *graph = capture->graph;
    char *reached = xcalloc(graph->count + 1, 1);
    for (size_t i = 0; i < stream->last_count; i++)
        reached[stream->last[i]->index] = 1;
    bool all = true;
    for (size_t i = graph->count; i-- > 0;) {
        const RtNode *node = graph->nodes[i];
        all &= reached[i] != 0;
        for (size_t k = 0; k < node->need_count; k++)
            reached[node->needs[k]->index] = 1;
    }
    free(reached);
    return all;
}

int rt_capture_end(RtStream *stream, RtGraph **out)
{
    RtCapture *capture = stream->capture;
    *out = NULL;
    if (!capture)
        return RT_INVALID_VALUE;
    if (capture->origin != stream)
        return capture_invalidate(stream, RT_CAPTURE_UNMATCHED);
    int error = capture->invalid ? RT_CAPTURE_INVALIDATED
                : capture->joined.count && !capture->into && !joined(capture, stream)
                    ? RT_CAPTURE_UNJOINED
                    : RT_OK;
    if (capture->mode == 0)
        atomic_fetch_sub(&active_global, 1);
    else if (capture->mode == 1)
        active_thread--;
    if (last_capture == capture)
        last_capture = NULL;
    if (!error)
        *out = capture->graph;
    else if (!capture->into)
        rt_graph_free(capture->graph);
    stream->capture = NULL;
    set_last(stream, NULL, 0);
    for (size_t i = 0; i < capture->joined.count; i++) {
        capture->joined.items[i]->capture = NULL;
        set_last(capture->joined.items[i], NULL, 0);
    }
    VEC_FREE(capture->joined); /* the head stays: events still point at it */
    return error;
}

int rt_capture_status(const RtStream *stream, uint64_t *id, RtGraph **graph)
{
    if (!stream->capture)
        return 0;
    if (id)
        *id = stream->capture->id;
    if (graph)
        *graph = stream->capture->graph;
    return stream->capture->invalid ? 2 : 1;
}
