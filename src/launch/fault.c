/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults inside kernels: SIGSEGV, SIGBUS, SIGFPE and SIGILL raised by kernel code leave the kernel
 * through siglongjmp and become a CUDA error. The same signals from anywhere else go to the handler
 * that the program had, or to the default action. One more signal stops workers that do not look at
 * the stop flag. */
#include "launch/worker.h"

#include "launch/memory.h"

#include <pthread.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

_Thread_local Worker *worker_self __attribute__((tls_model("initial-exec")));

static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FAULT_SIGNALS = sizeof fault_signals / sizeof *fault_signals };
static struct sigaction previous[FAULT_SIGNALS];
static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;

int fault_stop_signal(void)
{
    return SIGRTMIN + 11;
}

static void chain(int signal, siginfo_t *info, void *context)
{
    /* The program's handler may call ours again, taking it for its own predecessor: the mark, in a
     * field that the kernel leaves empty, ends that. */
    static ucontext_t mark;
    ucontext_t *frame = context;
    bool again = frame->uc_link == &mark;
    frame->uc_link = &mark;
    for (int i = 0; i < FAULT_SIGNALS && !again; i++) {
        if (fault_signals[i] != signal)
            continue;
        const struct sigaction *old = &previous[i];
        if (old->sa_flags & SA_SIGINFO && old->sa_sigaction) {
            old->sa_sigaction(signal, info, context);
            return;
        }
        if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
            old->sa_handler(signal);
            return;
        }
    }
    /* The default action: the faulting instruction runs again without our handler. */
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(signal, &plain, NULL);
    if (info->si_code <= 0) /* sent by kill() or raise(): it would not come again by itself */
        raise(signal);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    Worker *worker = worker_self;
    if (!worker || !worker->in_kernel || worker->in_service == SERVICE_LOCKED ||
        info->si_code <= 0) {
        chain(signal, info, context);
        return;
    }
    worker->fault_signal = signal;
    worker->fault_code = info->si_code;
    worker->fault_address = (uint64_t)info->si_addr;
    worker->in_kernel = 0;
    worker->in_service = 0;
    siglongjmp(worker->escape, ESCAPE_SIGNAL);
}

static void on_stop(int signal)
{
    (void)signal;
    Worker *worker = worker_self;
    if (!worker || !worker->in_kernel)
        return;
    Job *job = atomic_load_explicit(&worker->job, memory_order_relaxed);
    if (!job || !job->stop)
        return;
    if (worker->in_service) {
        worker->pending = 1;
        return;
    }
    worker->in_kernel = 0;
    siglongjmp(worker->escape, ESCAPE_ABORT);
}

void fault_install(void)
{
    struct sigaction first; /* asked at each launch: programs put their own handlers over ours */
    if (!sigaction(SIGSEGV, NULL, &first) && (first.sa_flags & SA_SIGINFO) &&
        first.sa_sigaction == on_fault)
        return;
    /* SA_NODEFER with an empty mask: leaving by siglongjmp needs no mask restored. */
    struct sigaction ours = {.sa_sigaction = on_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    pthread_mutex_lock(&install_lock);
    for (int i = 0; i < FAULT_SIGNALS; i++) {
        struct sigaction now;
        sigaction(fault_signals[i], NULL, &now);
        if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault)
            continue;
        previous[i] = now;
        sigaction(fault_signals[i], &ours, NULL);
    }
    struct sigaction stop = {.sa_handler = on_stop, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(fault_stop_signal(), &stop, NULL);
    pthread_mutex_unlock(&install_lock);
}

void fault_describe(const Worker *worker, LaunchResult *result)
{
    uint64_t at = worker->fault_address;
    switch (worker->fault_signal) {
    case SIGFPE:
        result->error = LAUNCH_FAILURE;
        snprintf(result->text, sizeof result->text, "arithmetic fault in the kernel");
        return;
    case SIGILL:
        result->error = LAUNCH_ILLEGAL_INSTRUCTION;
        snprintf(result->text, sizeof result->text, "illegal instruction in the kernel");
        return;
    case SIGBUS:
        result->error = LAUNCH_ILLEGAL_ADDRESS;
        break;
    default:
        result->error = LAUNCH_ILLEGAL_ADDRESS;
    }
    if (worker->stack_low && at - (uint64_t)(worker->stack_low - (1 << 20)) < (2 << 20)) {
        snprintf(result->text, sizeof result->text, "the kernel's call stack overflowed");
        return;
    }
    if (worker->fault_code == SI_KERNEL) { /* not a canonical address: the processor gives none */
        snprintf(result->text, sizeof result->text,
                 "read or write of an address outside the address space");
        return;
    }
    result->address = at - GK_DELTA;
    snprintf(result->text, sizeof result->text, "read or write of address 0x%llx, %s",
             (unsigned long long)result->address,
             result->address < 1 << 20 ? "a null pointer or near it"
                                       : "where no device memory is allocated");
}

void service_begin(void)
{
    Worker *worker = worker_self;
    if (worker) {
        worker->in_service = SERVICE_LOCKED;
        atomic_signal_fence(memory_order_seq_cst);
    }
}

void service_end(void)
{
    Worker *worker = worker_self;
    if (!worker)
        return;
    atomic_signal_fence(memory_order_seq_cst);
    worker->in_service = 0;
    if (worker->pending) {
        worker->pending = 0;
        if (worker->in_kernel) {
            worker->in_kernel = 0;
            siglongjmp(worker->escape, ESCAPE_ABORT);
        }
    }
}
