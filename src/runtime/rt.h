/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's core, shared by libcudart, libcuda and the C library: which device, streams and
 * events with capture, graphs, images and kernels. Functions return CUDA error numbers.
 * Lives in libgpukit.so; the symbols carry the version GPUKIT_PRIVATE and are nobody else's. */
#ifndef GPUKIT_RUNTIME_RT_H
#define GPUKIT_RUNTIME_RT_H

#include "runtime/device.h"

#include <pthread.h>

#define RT_API __attribute__((visibility("default")))

/* Error numbers that the core itself gives. */
enum {
    RT_OK = 0,
    RT_INVALID_VALUE = 1,
    RT_OUT_OF_MEMORY = 2,
    RT_NOT_INITIALIZED = 3,
    RT_DEINITIALIZED = 4,
    RT_INVALID_CONFIGURATION = 9,
    RT_INVALID_SYMBOL = 13,
    RT_INVALID_DEVICE_FUNCTION = 98,
    RT_DEVICES_UNAVAILABLE = 46,
    RT_NO_DEVICE = 100,
    RT_INVALID_DEVICE = 101,
    RT_INVALID_IMAGE = 200,
    RT_INVALID_CONTEXT = 201,
    RT_NO_BINARY = 209,
    RT_INVALID_PTX = 218,
    RT_OPERATING_SYSTEM = 304,
    RT_INVALID_HANDLE = 400,
    RT_NOT_FOUND = 500,
    RT_DRIVER_MISMATCH = 803,
    RT_NOT_READY = 600,
    RT_NOT_PERMITTED = 800,
    RT_NOT_SUPPORTED = 801,
    RT_CAPTURE_UNSUPPORTED = 900,
    RT_CAPTURE_INVALIDATED = 901,
    RT_CAPTURE_MERGE = 902,
    RT_CAPTURE_UNMATCHED = 903,
    RT_CAPTURE_UNJOINED = 904,
    RT_CAPTURE_ISOLATION = 905,
    RT_CAPTURE_IMPLICIT = 906,
    RT_GRAPH_EXEC_UPDATE_FAILURE = 910,
    RT_INVALID_CLUSTER = 912,
};

/* Opens the device on the first call: GPUKIT_DEVICE = cpu (default), gpu, auto. After a failure a
 * sentence goes to stderr once and every call returns the error. */
RT_API int rt_init(void);
/* The runtime API is at work on this thread with this device: the driver API then finds its context.
 * rt_runtime_device: -1 where it is not. */
RT_API void rt_runtime_enter(int device);
RT_API int rt_runtime_device(void);
RT_API bool rt_runtime_used(void); /* on any thread */
/* The same with a device by name instead of the environment's; NULL as rt_init. */
int rt_init_as(const char *device);
RT_API const Device *rt_device(void); /* after rt_init() == 0 */
/* Resets the device as the CUDA libraries do: after a fault it is lost to this process, as a GPU is:
 * rt_lost() is cudaErrorDevicesUnavailable then, else 0. */
RT_API int rt_reset(int device);
RT_API int rt_lost(void);
RT_API bool rt_is_closing(void); /* the process is exiting, or was forked */
/* "gpukit: NAME is not supported", once per name. */
RT_API void rt_refuse(const char *name);
RT_API void rt_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The error log (log.c): what both interfaces' calls on it do. rt_log_call: a call that returns an error. */
enum { RT_LOG_ERROR };
typedef void (*RtLogFunction)(void *data, int level, char *message, size_t length);
RT_API void rt_log(const char *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
RT_API void rt_log_call(const char *source, int error, const char *name, const char *function);
RT_API int rt_log_callback_add(RtLogFunction function, void *data, void **handle);
RT_API int rt_log_callback_remove(void *handle);
RT_API int rt_log_current(uint32_t *iterator, unsigned flags);
RT_API int rt_log_dump(uint32_t *iterator, char *buffer, size_t *bytes, unsigned flags);
RT_API int rt_log_dump_file(uint32_t *iterator, const char *path, unsigned flags);
/* An instruction or call that gpukit lacks ends the process (exit 3) instead of being an error that
 * the program might not look at. */
RT_API void rt_set_exit_on_unsupported(bool exits);

/* For libraries that compute on the host (src/libraries), in functions of rt_stream_call: where the
 * bytes behind a device address lie; NULL when they are not all in one live allocation, or the device
 * is a GPU. */
RT_API void *rt_reach(const void *address, size_t bytes);
/* A failed piece of work becomes the device's sticky error, as a kernel's fault does. */
RT_API void rt_fault(int error);

/* --- streams and events -------------------------------------------------------------------- */

typedef struct RtGraph RtGraph;
typedef struct RtNode RtNode;
typedef struct RtCapture RtCapture;

typedef struct RtStream {
    uint32_t magic;
    DevQueue *queue;
    unsigned flags; /* as created: 1 = non-blocking */
    int priority, device;
    int waiting; /* how the host waits, as set: nothing here depends on it */
    uint64_t id;
    void *context; /* the driver's, that was current; NULL: the device's own */
    RtCapture *capture;
    RtNode **last; /* capture: what the next node depends on */
    size_t last_count;
} RtStream;

typedef struct RtEvent {
    uint32_t magic;
    DevEvent *event;
    unsigned flags;
    int device;
    RtCapture *capture; /* recorded in a capture */
    RtNode **nodes;
    size_t node_count;
} RtEvent;

RT_API int rt_stream_new(unsigned flags, int priority, RtStream **out);
RT_API int rt_stream_free(RtStream *stream);
/* handle: NULL or 1 legacy, 2 per-thread, else what rt_stream_new gave. per_thread: what NULL
 * means. NULL for a handle that is none. */
RT_API RtStream *rt_stream(void *handle, bool per_thread);
RT_API int rt_stream_wait(RtStream *stream);
RT_API int rt_stream_query(RtStream *stream);
RT_API int rt_stream_wait_event(RtStream *stream, RtEvent *event);
RT_API int rt_stream_call(RtStream *stream, void (*function)(void *), void *argument);
RT_API int rt_device_wait(void);

RT_API int rt_event_new(unsigned flags,
                        RtEvent **out); /* 1 blocking, 2 no timing, 4 interprocess */
RT_API int rt_event_free(RtEvent *event);
RT_API RtEvent *rt_event(void *handle); /* NULL when it is none */
RT_API int rt_event_record(RtEvent *event, RtStream *stream);
RT_API int rt_event_query(RtEvent *event);
RT_API int rt_event_wait(RtEvent *event);
RT_API int rt_event_elapsed(RtEvent *start, RtEvent *end, float *ms);

/* --- for other processes -------------------------------------------------------------------- */

/* Handles are DEV_IPC_BYTES. Memory opens where nobody else frees it; the same handle again gives the same
 * address and wants one more close. A handle of this process gives RT_INVALID_CONTEXT, one that is none,
 * or whose memory or process is gone, RT_INVALID_HANDLE. */
RT_API int rt_ipc_memory(void *address, void *handle);
RT_API int rt_ipc_memory_open(const void *handle, int device, void **address);
RT_API int rt_ipc_memory_close(void *address);
RT_API int rt_ipc_event(void *event, void *handle); /* made with 4 | 2 */
RT_API int rt_ipc_event_open(const void *handle, RtEvent **out);

/* --- places, hints, pools (batch.c, pools.c) ------------------------------------------------ */

/* Where memory may lie: cudaMemLocation. */
typedef struct {
    int type, id;
} RtPlace;
enum { RT_PLACE_NONE, RT_PLACE_DEVICE, RT_PLACE_HOST, RT_PLACE_NUMA, RT_PLACE_NUMA_CURRENT };
RT_API RtPlace rt_place(int device); /* of calls that know devices only: -1 is the host */
RT_API int rt_place_check(RtPlace place);
/* A device that is none is an invalid value to calls that name a place, as an H200's driver has it. */
static inline int rt_of_place(int error)
{
    return error == RT_INVALID_DEVICE ? RT_INVALID_VALUE : error;
}

/* Prefetch, advice (cudaMemoryAdvise), discard of managed, pinned or registered memory: only the checks, and a
 * record of what was said of managed memory. */
RT_API int rt_prefetch(const void *address, size_t bytes, RtPlace to);
RT_API int rt_advise(const void *address, size_t bytes, int advice, RtPlace where);
RT_API int rt_range_attribute(void *out, size_t room, int attribute, const void *address,
                              size_t bytes);
RT_API int rt_range_attributes(void **outs, const size_t *rooms, const int *attributes,
                               size_t count, const void *address, size_t bytes);
/* Whether a device's stream takes lists of copies and hints: NULL and the legacy default one do not. */
RT_API int rt_list_check(const RtStream *stream, int device);
/* Lists; the k-th of the places (below: attributes) holds from the indices[k]-th element on. */
RT_API int rt_prefetch_batch(void *const *addresses, const size_t *sizes, size_t count,
                             const RtPlace *places, const size_t *indices, size_t place_count,
                             uint64_t flags);
RT_API int rt_discard_batch(void *const *addresses, const size_t *sizes, size_t count,
                            uint64_t flags);

/* Handles are checked; numbers are those of cudaMemAllocationType, cudaMemPoolAttr. */
typedef struct RtPool RtPool;
RT_API RtPool *rt_pool(void *handle); /* NULL when it is none */
RT_API int rt_pool_default(RtPlace where, int type, void **out);
RT_API int rt_pool_current(RtPlace where, int type, void **out);
RT_API int rt_pool_choose(RtPlace where, int type, void *handle);
RT_API int rt_pool_new(RtPlace where, int type, int handle_types, void **out);
RT_API int rt_pool_free(void *handle);
RT_API int rt_pool_set(void *handle, int attribute, const void *value);
RT_API int rt_pool_get(void *handle, int attribute, void *value);
RT_API int rt_pool_access(void *handle, RtPlace where, int *access);

/* --- work ---------------------------------------------------------------------------------- */

RT_API int rt_copy(const DevCopy *copy, RtStream *stream, bool host_waits);
/* One end of a copy without pitches: memory, or an array from byte `offset` of its rows of `row` bytes on. */
typedef struct {
    char *memory;
    DevArray *array;
    size_t row, offset;
} RtEnd;
RT_API int rt_copy_linear(RtEnd dst, RtEnd src, size_t bytes, RtStream *stream, bool host_waits);
RT_API int rt_copy_bytes(void *dst, const void *src, size_t bytes, RtStream *stream,
                         bool host_waits);
/* Lists of copies: all are looked at before anything is copied. failed: the first that was refused, SIZE_MAX for
 * another error. Laid out as the API's own: cudaMemcpyAttributes, cudaMemcpy3DBatchOp. */
typedef struct {
    int order; /* cudaMemcpySrcAccessOrder */
    RtPlace src, dst;
    unsigned flags;
} RtCopyAttributes;
RT_API int rt_copy_batch(void *const *dsts, const void *const *srcs, const size_t *sizes,
                         size_t count, const RtCopyAttributes *attributes, const size_t *indices,
                         size_t attribute_count, RtStream *stream, size_t *failed);
enum { RT_BOX_MEMORY = 1, RT_BOX_ARRAY = 2 };
typedef struct {
    int type;
    union {
        struct {
            void *address;
            size_t row, height; /* elements; 0: as the box is */
            RtPlace hint;
        } memory;
        struct {
            void *handle;
            size_t at[3]; /* elements */
        } array;
    };
} RtBoxEnd;
typedef struct {
    RtBoxEnd src, dst;
    size_t extent[3]; /* elements: an array's, else bytes */
    int order;
    unsigned flags;
} RtBoxCopy;
RT_API int rt_copy_boxes(const RtBoxCopy *boxes, size_t count, uint64_t flags, RtStream *stream,
                         size_t *failed);
/* Words that are written and waited for in stream order: CUstreamBatchMemOpParams. Run after the check. */
typedef struct {
    int operation;
    uint64_t address, value;
    unsigned flags;
    uint64_t alias, pad;
} RtMemoryOp;
RT_API int rt_memory_ops_check(const RtMemoryOp *ops, unsigned count, unsigned flags);
RT_API int rt_memory_ops(const RtMemoryOp *ops, unsigned count, unsigned flags, RtStream *stream);
int rt_memory_ops_run(const RtMemoryOp *ops, unsigned count, RtStream *stream);

RT_API int rt_fill(const DevFill *fill, RtStream *stream, bool synchronous);
RT_API int rt_malloc_async(size_t bytes, RtStream *stream, void **address);
RT_API int rt_free_async(void *address, RtStream *stream);

/* --- arrays, textures, surfaces ------------------------------------------------------------- */

typedef struct {
    uint32_t magic;
    DevArrayShape shape;
    uint32_t texel_bytes;
    DevArray *array;
    bool is_level; /* of a mipmapped array, which owns it */
} RtArray;

typedef struct {
    uint32_t magic;
    unsigned levels;
    DevMipmap *mipmap;
    RtArray level[];
} RtMipmap;

RT_API int rt_array_new(const DevArrayShape *shape, RtArray **out);
RT_API RtArray *rt_array(const void *handle); /* NULL when it is none */
RT_API int rt_array_free(RtArray *array);     /* waits for the device */
RT_API int rt_mipmap_new(const DevArrayShape *shape, unsigned levels, RtMipmap **out);
RT_API RtMipmap *rt_mipmap(const void *handle);
RT_API int rt_mipmap_free(RtMipmap *mipmap);
/* sampler NULL: a surface. about: what the object was made from, for rt_texture_about, which finds
 * it again by the same size only. */
RT_API int rt_texture_new(const DevTexels *texels, const DevSampler *sampler, const void *about,
                          size_t bytes, uint64_t *handle);
RT_API int rt_texture_about(uint64_t handle, bool surface, void *about, size_t bytes);
RT_API int rt_texture_free(uint64_t handle, bool surface);

/* --- images and kernels -------------------------------------------------------------------- */

typedef struct RtImage RtImage;

typedef struct RtKernel {
    uint32_t magic;
    RtImage *image;
    char *name;
    DevFunction *function; /* NULL until first used */
    struct RtKernel *next;
} RtKernel;

/* Data of a fat binary or PTX, loaded when first needed. copy: keep an own copy of the data (whose
 * length must then be in it). file: for messages. */
RT_API int rt_image_new(const void *data, size_t bytes, RtImage **out);
RT_API void rt_image_free(RtImage *image);
/* Loads it if it is not yet. log (may be NULL) receives compiler messages, else stderr does. */
RT_API int rt_image_load(RtImage *image, char *log, size_t log_room);
/* Tells where the program keeps a variable, before the image is loaded (the name is borrowed). */
RT_API void rt_image_shadow(RtImage *image, const char *name, void *host, size_t bytes);
/* Whether the image has managed variables that lie in the program: it must be loaded at once. */
RT_API bool rt_image_is_managed(RtImage *image);
RT_API DevModule *rt_image_module(RtImage *image);
RT_API int rt_image_kernel(RtImage *image, const char *name, RtKernel **out);
/* The first count of the image's kernels, loaded; an error where there are fewer. */
RT_API int rt_image_kernels(RtImage *image, void **list, unsigned count);
/* Dynamic shared memory that a block may have while so many of them are on a multiprocessor. */
RT_API int rt_shared_left(const RtKernel *kernel, int device, int blocks, int block, size_t *bytes);
/* As Device.clusters: an upper bound, since the groups of multiprocessors that clusters stay in are not modelled. */
RT_API int rt_clusters(RtKernel *kernel, DevLaunch *launch, int *size, int *fit);
RT_API int rt_image_variable(RtImage *image, const char *name, void **address, size_t *bytes);
/* Loads the image and finds the device's function. */
RT_API int rt_kernel_load(RtKernel *kernel);
/* For a program with kernels of its own: where the error says that one has an instruction that
 * gpukit lacks, or PTX that is none, ends the program, which may not look at its errors. */
RT_API void rt_stop_unless_sound(const RtKernel *kernel, int error);
RT_API RtKernel *rt_kernel(const void *handle); /* NULL when it is none */
RT_API int rt_launch(const DevLaunch *launch, RtKernel *kernel, RtStream *stream);

/* Notices that memory goes over a budget: there is none, so they never come. */
RT_API int rt_notice_add(int device, void **handle);
RT_API int rt_notice_remove(int device, void *handle);

/* The PTX in an image (text or fat binary): a malloc'd copy that ends in NUL. */
RT_API int rt_image_text(const void *data, size_t bytes, char **text, size_t *length);
/* Links PTX texts (ptxlink.h) for cuLink*; *out is malloc'd and NUL-terminated. */
RT_API int rt_ptx_link(const char *const *texts, const size_t *bytes, size_t count, char **out,
                       char *why, size_t room);

/* --- graphs -------------------------------------------------------------------------------- */

typedef enum {
    RT_NODE_KERNEL = 0, /* numbers of cudaGraphNodeType */
    RT_NODE_COPY = 1,
    RT_NODE_FILL = 2,
    RT_NODE_HOST = 3,
    RT_NODE_CHILD = 4,
    RT_NODE_EMPTY = 5,
    RT_NODE_EVENT_WAIT = 6,
    RT_NODE_EVENT_RECORD = 7,
    RT_NODE_ALLOC = 10,
    RT_NODE_FREE = 11,
    RT_NODE_MEMORY_OPS = 12,
    RT_NODE_CONDITIONAL = 13,
} RtNodeType;

/* The word that kernels set and conditional nodes read; shared by a graph and what was made of it. */
typedef struct {
    _Atomic unsigned users;
    void *address; /* pinned: also the handle */
    uint32_t first;
    bool assign; /* at each launch */
} RtCondition;
typedef enum { RT_IF, RT_WHILE, RT_SWITCH } RtConditionKind; /* cudaGraphConditionalNodeType */

struct RtNode {
    uint32_t magic;
    RtNodeType type;
    RtGraph *graph;
    RtNode **needs;
    size_t need_count;
    bool disabled;
    size_t index; /* in the graph; kept by clones */
    RtKernel *kernel;
    DevLaunch launch; /* params: owned copy in packed */
    DevCopy copy;
    DevFill fill;
    void (*function)(void *);
    void *argument; /* RT_NODE_HOST; RT_NODE_FREE: the address */
    RtEvent *event;
    RtGraph *child;
    void *address;   /* RT_NODE_ALLOC */
    RtMemoryOp *ops; /* RT_NODE_MEMORY_OPS: the node's own */
    unsigned op_count;
    void *ops_context; /* the driver's, borrowed */
    size_t bytes;
    unsigned copy_kind; /* as the API gave it, to give back */
    RtConditionKind condition_kind;
    uint32_t *condition; /* RT_NODE_CONDITIONAL: the word */
    RtGraph **bodies;
    unsigned body_count;
    RtStream *stream; /* of the bodies */
};

struct RtGraph {
    uint32_t magic;
    RtNode **nodes;
    size_t count, room;
    bool is_exec;
    unsigned flags;
    RtCondition **conditions;
    size_t condition_count;
    struct {
        struct RtObject *object;
        unsigned references;
    } * objects; /* that the program gave it to keep */
    size_t object_count;
};

/* User objects: a function that is called when the program, graphs and executable graphs have all
 * given up their references. Handles are checked. */
RT_API int rt_object_new(void *argument, void (*destroy)(void *), unsigned references, void **out);
RT_API int rt_object_retain(void *handle, unsigned references);
RT_API int rt_object_release(void *handle, unsigned references);
/* move: the caller's references become the graph's. */
RT_API int rt_graph_keep(RtGraph *graph, void *handle, unsigned references, bool move);
RT_API int rt_graph_give(RtGraph *graph, void *handle, unsigned references);

/* Frees memory of these kinds (bits of DEV_MEM_*), a graph's included, after everything in flight. */
RT_API int rt_free(void *address, unsigned kinds);
/* What nodes that allocate have of a device, in bytes (cudaGraphMemAttributeType); the high marks can be set back. */
RT_API int rt_graph_memory_get(int device, int attribute, uint64_t *value);
RT_API int rt_graph_memory_set_high(int device, int attribute, uint64_t value);
RT_API int rt_graph_memory_trim(int device);
/* Frees what an allocation node of a graph made; false when the address is no such node's. */
RT_API bool rt_graph_memory_free(const void *address, int *error);
RT_API int rt_graph_condition(RtGraph *graph, uint32_t first, bool assign, void **address);
RT_API RtGraph *rt_graph_new(void);
RT_API RtGraph *rt_graph(void *handle);
RT_API RtNode *rt_node(void *handle);
RT_API void rt_graph_free(RtGraph *graph);
RT_API RtGraph *rt_graph_clone(const RtGraph *graph);
/* Adds a copy of what (type and its fields); needs are nodes of the same graph. */
RT_API int rt_graph_add(RtGraph *graph, const RtNode *what, RtNode *const *needs, size_t count,
                        RtNode **out);
/* Adds or removes count edges; the handles are checked. */
RT_API int rt_graph_link(void *graph, void *const *from, void *const *to, size_t count,
                         bool remove);
/* The node of a graph, or of an executable one, that came from the given node; NULL: none of the type. */
RT_API RtNode *rt_graph_find(void *graph, void *node, RtNodeType type);
/* What a graph or a node is joined to: up to *count handles into the list, the rest of it NULL;
 * *count becomes how many those are, or for a NULL list how many there are. Handles are checked. */
RT_API int rt_graph_nodes(void *graph, bool roots, void **list, size_t *count);
RT_API int rt_graph_edges(void *graph, void **from, void **to, size_t *count);
RT_API int rt_node_needs(void *node, void **list, size_t *count);
RT_API int rt_node_users(void *node, void **list, size_t *count);
/* Writes the graph in Graphviz's language. */
RT_API int rt_graph_dot(void *graph, const char *path);
/* A conditional node of a graph whose handle is given. */
RT_API int rt_condition_node(void *graph, uint64_t handle, unsigned kind, unsigned bodies,
                             RtNode *out);
RT_API int rt_graph_remove(RtNode *node);
/* Copies the type's fields of what into the node. */
RT_API int rt_node_set(RtNode *node, const RtNode *what);
RT_API int rt_graph_instantiate(const RtGraph *graph, unsigned flags, RtGraph **exec);
/* Same shape: takes the graph's parameters over; else RT_GRAPH_EXEC_UPDATE_FAILURE. */
RT_API int rt_graph_update(RtGraph *exec, const RtGraph *graph, RtNode **bad);
RT_API int rt_graph_launch(RtGraph *exec, RtStream *stream);

/* What the next captured operation follows; add: beside what it is. */
RT_API int rt_capture_follow(RtStream *stream, RtNode *const *nodes, size_t count, bool add);
RT_API int rt_capture_begin(RtStream *stream, int mode, RtGraph *into);
RT_API int rt_capture_end(RtStream *stream, RtGraph **out);
/* 0 none, 1 active, 2 invalidated. */
RT_API int rt_capture_status(const RtStream *stream, uint64_t *id, RtGraph **graph);
/* A call that a capture in this thread or process does not allow: 0, or the error after
 * invalidating it. */
RT_API int rt_capture_forbids(void);

#endif
