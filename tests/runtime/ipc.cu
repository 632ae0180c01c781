// SPDX-License-Identifier: Apache-2.0
//
// Memory and events of another process: a forked one and one that was started anew, which write where this
// one reads, in an order that only the event keeps; handles that are wrong, old, or this process's own; a
// process that dies with its work in flight. Exit status 1 and a line for each thing that is not so.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;
#define IS(call, wanted)                                                                           \
    do {                                                                                           \
        int got_ = (int)(call);                                                                    \
        if (got_ != (int)(wanted)) {                                                               \
            fprintf(stderr, "%s:%d: %s gives %d, not %d\n", __FILE__, __LINE__, #call, got_,       \
                    (int)(wanted));                                                                \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define OK(call) IS(call, cudaSuccess)

enum { SMALL = 100, LARGE = 3 << 20 };

struct Handles {
    cudaIpcMemHandle_t small, large, freed;
    cudaIpcEventHandle_t event;
};

// Adds only when somebody has set the flag, which lies behind the numbers.
__global__ void add_when_told(volatile int *small, int *large)
{
    while (!small[SMALL])
        ;
    for (int i = threadIdx.x; i < SMALL; i += blockDim.x)
        small[i] += 1000;
    for (int i = threadIdx.x; i < LARGE; i += blockDim.x)
        large[i] ^= 0x5555;
}

static void send(int file, const void *data, size_t bytes)
{
    if (write(file, data, bytes) != (ssize_t)bytes)
        exit(3);
}

static void receive(int file, void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = read(file, (char *)data + done, bytes - done);
        if (got <= 0)
            exit(3);
        done += (size_t)got;
    }
}

// The other process: opens, starts the kernel, tells so, and ends when it may.
static int other(int in, int out)
{
    Handles handles;
    receive(in, &handles, sizeof handles);
    int *small = NULL, *again = NULL, *large = NULL, first[2], garbage;
    cudaEvent_t event;
    OK(cudaIpcOpenMemHandle((void **)&small, handles.small, cudaIpcMemLazyEnablePeerAccess));
    OK(cudaIpcOpenMemHandle((void **)&again, handles.small, cudaIpcMemLazyEnablePeerAccess));
    IS(small == again, true);
    OK(cudaIpcOpenMemHandle((void **)&large, handles.large, cudaIpcMemLazyEnablePeerAccess));
    OK(cudaIpcOpenEventHandle(&event, handles.event));
    OK(cudaMemcpy(&first[0], small + SMALL - 1, sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&first[1], large + LARGE - 1, sizeof(int), cudaMemcpyDeviceToHost));
    IS(first[0], SMALL - 1);
    IS(first[1], LARGE - 1);

    void *none = &garbage;
    IS(cudaIpcOpenMemHandle(&none, handles.freed, 1), cudaErrorInvalidResourceHandle);
    cudaIpcMemHandle_t wrong = handles.small;
    wrong.reserved[20] ^= 1; // in the secret
    IS(cudaIpcOpenMemHandle(&none, wrong, 1), cudaErrorInvalidResourceHandle);
    memset(&wrong, 0x5a, sizeof wrong);
    IS(cudaIpcOpenMemHandle(&none, wrong, 1), cudaErrorInvalidResourceHandle);
    memcpy(&wrong, &handles.event, sizeof wrong);
    IS(cudaIpcOpenMemHandle(&none, wrong, 1), cudaErrorInvalidResourceHandle);
    cudaEvent_t no_event;
    cudaIpcEventHandle_t wrong_event;
    memset(&wrong_event, 0x5a, sizeof wrong_event);
    IS(cudaIpcOpenEventHandle(&no_event, wrong_event), cudaErrorInvalidResourceHandle);
    IS(cudaIpcOpenMemHandle(&none, handles.small, 8), cudaErrorInvalidValue);
    IS(none == &garbage, true);
    IS(cudaFree(small), cudaErrorInvalidValue);
    IS(cudaIpcCloseMemHandle(small + 1), cudaErrorInvalidValue);
    OK(cudaIpcCloseMemHandle(small)); // once of two

    IS(cudaGetLastError(), cudaErrorInvalidValue); // of the wrong calls above
    add_when_told<<<1, 64>>>(small, large);
    OK(cudaGetLastError());
    OK(cudaEventRecord(event));
    send(out, &failures, sizeof failures);
    char go;
    receive(in, &go, 1);
    OK(cudaDeviceSynchronize());
    OK(cudaIpcCloseMemHandle(small));
    IS(cudaIpcCloseMemHandle(small), cudaErrorInvalidValue);
    OK(cudaIpcCloseMemHandle(large));
    OK(cudaEventDestroy(event));
    OK(cudaIpcOpenMemHandle((void **)&small, handles.small, 1)); // and open again
    OK(cudaMemcpy(first, small, sizeof(int), cudaMemcpyDeviceToHost));
    IS(first[0], 1000);
    return failures != 0;
}

struct Peer {
    pid_t process;
    int in, out;
};

static Peer start(const char *self, bool anew)
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        exit(3);
    Peer peer = {fork(), from[0], to[1]};
    if (peer.process == 0) {
        close(to[1]);
        close(from[0]);
        if (!anew)
            exit(other(to[0], from[1]));
        char in[16], out[16];
        snprintf(in, sizeof in, "%d", to[0]);
        snprintf(out, sizeof out, "%d", from[1]);
        execl(self, self, in, out, (char *)NULL);
        _exit(3);
    }
    close(to[0]);
    close(from[1]);
    return peer;
}

static void with(Peer peer, bool dies)
{
    static int numbers[LARGE];
    int *small, *large, *freed, *beside, *managed, at_once, yes = 1;
    Handles handles;
    for (int i = 0; i < LARGE; i++)
        numbers[i] = i;
    OK(cudaMalloc(&freed, 4000));
    OK(cudaMalloc(&small, (SMALL + 1) * sizeof(int)));
    OK(cudaMalloc(&beside, sizeof(int))); // in the same page
    OK(cudaMalloc(&large, sizeof numbers));
    OK(cudaMallocManaged(&managed, sizeof(int)));
    OK(cudaMemset(small, 0, (SMALL + 1) * sizeof(int)));
    OK(cudaMemcpy(small, numbers, SMALL * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(large, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(beside, &yes, sizeof yes, cudaMemcpyHostToDevice));

    cudaEvent_t event, plain;
    OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    OK(cudaEventCreate(&plain));
    OK(cudaIpcGetMemHandle(&handles.freed, freed));
    OK(cudaIpcGetMemHandle(&handles.small, small));
    OK(cudaIpcGetMemHandle(&handles.large, large));
    OK(cudaIpcGetEventHandle(&handles.event, event));
    OK(cudaFree(freed));
    cudaIpcMemHandle_t same;
    OK(cudaIpcGetMemHandle(&same, small));
    IS(memcmp(&same, &handles.small, sizeof same), 0);
    OK(cudaIpcGetMemHandle(&same, small + 1)); // the whole allocation's, as on an H200
    IS(memcmp(&same, &handles.small, sizeof same), 0);
    IS(cudaIpcGetMemHandle(&same, managed), cudaErrorInvalidValue);
    IS(cudaIpcGetMemHandle(&same, numbers), cudaErrorInvalidValue);
    IS(cudaIpcGetMemHandle(NULL, small), cudaErrorInvalidValue);
    IS(cudaIpcGetEventHandle(&handles.event, plain), cudaErrorInvalidResourceHandle);
    IS(cudaEventCreateWithFlags(&plain, cudaEventInterprocess), cudaErrorInvalidValue);
    void *own;
    IS(cudaIpcOpenMemHandle(&own, handles.small, 1), cudaErrorDeviceUninitialized);
    IS(cudaIpcOpenEventHandle(&plain, handles.event), cudaErrorDeviceUninitialized);
    IS(cudaIpcCloseMemHandle(small), cudaErrorInvalidValue);
    OK(cudaEventQuery(event)); // never recorded

    send(peer.out, &handles, sizeof handles);
    int theirs = 1, status = 1;
    receive(peer.in, &theirs, sizeof theirs);
    IS(theirs, 0);
    IS(cudaEventQuery(event), cudaErrorNotReady); // their kernel waits
    cudaStream_t behind, beyond;
    OK(cudaStreamCreateWithFlags(&behind, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&beyond, cudaStreamNonBlocking));
    OK(cudaStreamWaitEvent(behind, event, 0));
    int *result;
    OK(cudaMallocHost(&result, SMALL * sizeof(int)));
    OK(cudaMemcpyAsync(result, small, SMALL * sizeof(int), cudaMemcpyDeviceToHost, behind));
    IS(cudaStreamQuery(behind), cudaErrorNotReady);
    if (dies) {
        kill(peer.process, SIGKILL);
    } else {
        OK(cudaMemcpyAsync(small + SMALL, &yes, sizeof yes, cudaMemcpyHostToDevice, beyond));
    }
    OK(cudaEventSynchronize(event));
    OK(cudaStreamSynchronize(behind));
    OK(cudaEventQuery(event));
    for (int i = 0, wrong = 0; i < SMALL && !wrong; i++)
        IS((wrong = result[i] != i + (dies ? 0 : 1000)), 0);
    if (!dies) {
        static int large_now[LARGE];
        OK(cudaMemcpy(large_now, large, sizeof large_now, cudaMemcpyDeviceToHost));
        for (int i = 0, wrong = 0; i < LARGE && !wrong; i++)
            IS((wrong = large_now[i] != (i ^ 0x5555)), 0);
        send(peer.out, "g", 1);
    }
    OK(cudaMemcpy(&at_once, beside, sizeof at_once, cudaMemcpyDeviceToHost));
    IS(at_once, 1);
    waitpid(peer.process, &status, 0);
    IS(status, dies ? SIGKILL : 0);
    OK(cudaFree(small));
    OK(cudaFree(beside));
    OK(cudaFree(large));
    OK(cudaEventDestroy(event));
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return other(atoi(argv[1]), atoi(argv[2]));
    // All before the first call: a process with CUDA at work cannot give it to its child.
    Peer forked = start(argv[0], false), anew = start("/proc/self/exe", true);
    Peer dying = start("/proc/self/exe", true);
    with(forked, false);
    with(anew, false);
    with(dying, true);
    printf(failures ? "%d failures\n" : "memory and events went through three processes\n", failures);
    return failures != 0;
}
