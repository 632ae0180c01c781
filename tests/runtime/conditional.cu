/* SPDX-License-Identifier: Apache-2.0
 * Conditional graph nodes: if with else, while, switch, one within another's body, first values,
 * several launches; user objects; and what is refused. Prints nothing and returns 0 when all is right. */
#include <cstdio>

__global__ void set(cudaGraphConditionalHandle handle, const unsigned *value)
{
    cudaGraphSetConditional(handle, *value);
}
__global__ void add(int *sum, int what) { *sum += what; }
/* Counts down; the loop goes on while something is left. */
__global__ void count_down(cudaGraphConditionalHandle handle, int *left)
{
    cudaGraphSetConditional(handle, --*left > 0);
}

static int bad;
#define OK(call)                                                                                   \
    do {                                                                                           \
        int error_ = (call);                                                                       \
        if (error_)                                                                                \
            bad = (std::printf("line %d: error %d\n", __LINE__, error_), 1);                       \
    } while (0)
#define IS(value, right)                                                                           \
    do {                                                                                           \
        long got_ = (long)(value);                                                                 \
        if (got_ != (right))                                                                       \
            bad = (std::printf("line %d: %ld, not %ld\n", __LINE__, got_, (long)(right)), 1);      \
    } while (0)

template <typename K> static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t *after, K *k,
                                                    void *first, void *second)
{
    void *arguments[] = {first, second};
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = (void *)k;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    OK(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &p));
    return node;
}

static cudaGraph_t *conditional(cudaGraph_t graph, cudaGraphNode_t *after,
                                cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, unsigned size,
                                cudaGraphNode_t *out)
{
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    OK(cudaGraphAddNode(out, graph, after, nullptr, after ? 1 : 0, &p));
    return p.conditional.phGraph_out;
}

/* An object's function is called once, when program, graph and executable graph have let it go. */
static void user_objects()
{
    int calls = 0;
    cudaUserObject_t object;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaHostFn_t count = [](void *p) { ++*static_cast<int *>(p); };
    IS(cudaUserObjectCreate(&object, &calls, count, 0, cudaUserObjectNoDestructorSync),
       cudaErrorInvalidValue);
    OK(cudaUserObjectCreate(&object, &calls, count, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaUserObjectRetain(object, 2));
    OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    OK(cudaGraphRetainUserObject(graph, object, 2));
    OK(cudaUserObjectRelease(object, 2));
    OK(cudaGraphReleaseUserObject(graph, object, 2));
    IS(cudaGraphReleaseUserObject(graph, object, 2), cudaErrorInvalidValue);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));
    IS(calls, 0);
    OK(cudaGraphExecDestroy(exec));
    IS(calls, 1);
    IS(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);
}

int main()
{
    user_objects();
    int *sum, *left;
    unsigned *value;
    OK(cudaMallocManaged(&sum, sizeof *sum));
    OK(cudaMallocManaged(&left, sizeof *left));
    OK(cudaMallocManaged(&value, sizeof *value));
    cudaGraph_t graph, loop;
    cudaGraphExec_t exec, looping;
    cudaGraphConditionalHandle which, again, inner, never;
    cudaGraphNode_t node, last;
    int one = 1, ten = 10, hundred = 100, thousand = 1000;

    /* set; if (value) +1 else +10; switch: case 1: if (never, 0) else +100; case 2: +1000 */
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&which, graph));
    node = kernel(graph, nullptr, set, &which, &value);
    cudaGraph_t *arms = conditional(graph, &node, which, cudaGraphCondTypeIf, 2, &last);
    kernel(arms[0], nullptr, add, &sum, &one);
    kernel(arms[1], nullptr, add, &sum, &ten);
    cudaGraph_t *cases = conditional(graph, &last, which, cudaGraphCondTypeSwitch, 3, &last);
    OK(cudaGraphConditionalHandleCreate(&never, cases[1], 0, cudaGraphCondAssignDefault));
    kernel(conditional(cases[1], nullptr, never, cudaGraphCondTypeIf, 2, &node)[1], nullptr, add,
           &sum, &hundred);
    kernel(cases[2], nullptr, add, &sum, &thousand);
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(last, &type));
    IS(type, cudaGraphNodeTypeConditional);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph)); /* the executable graph stands alone */
    static const int right[] = {10, 1 + 100, 1 + 1000, 1};
    for (unsigned v = 0; v < 4; v++) {
        *value = v;
        *sum = 0;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        IS(*sum, right[v]);
    }

    /* do { +1; while (inner) count down; } once, since `again` is set by its body's last kernel. */
    OK(cudaGraphCreate(&loop, 0));
    OK(cudaGraphConditionalHandleCreate(&again, loop, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = conditional(loop, nullptr, again, cudaGraphCondTypeWhile, 1, &node)[0];
    OK(cudaGraphConditionalHandleCreate(&inner, body, 1, cudaGraphCondAssignDefault));
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(sum, 1);
    OK(cudaStreamEndCapture(stream, nullptr));
    size_t count = 1;
    OK(cudaGraphGetNodes(body, &node, &count));
    kernel(conditional(body, &node, inner, cudaGraphCondTypeWhile, 1, &last)[0], nullptr, count_down,
           &inner, &left);
    kernel(body, &last, count_down, &again, &left);
    OK(cudaGraphInstantiate(&looping, loop, 0));
    for (int launch = 0; launch < 2; launch++) {
        *sum = 0;
        *left = 5;
        OK(cudaGraphLaunch(looping, stream));
        OK(cudaStreamSynchronize(stream));
        IS(*sum, 1);
        IS(*left, -1);
    }

    /* a handle of another graph, a while with two bodies, a child that holds conditions */
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = again;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 2;
    IS(cudaGraphAddNode(&node, loop, nullptr, nullptr, 0, &p), cudaErrorInvalidValue);
    p.conditional.size = 1;
    IS(cudaGraphAddNode(&node, body, nullptr, nullptr, 0, &p), cudaErrorInvalidValue);
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    IS(cudaGraphLaunch(looping, stream), cudaErrorNotSupported);
    IS(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    OK(cudaGraphCreate(&graph, 0));
    IS(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, loop), cudaErrorNotSupported);
    OK(cudaGraphDestroy(graph));
    (void)cudaGetLastError();
    OK(cudaGraphExecDestroy(looping));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(loop));
    return bad;
}
