/* SPDX-License-Identifier: Apache-2.0
 * Risky work in a child process: a sick driver may hang or crash the caller, never doctor.
 * The child answers in "key=value" lines over a pipe. */
#include "base/clock.h"
#include "doctor/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Reads until the end or the time limit. false: time is up. */
static bool drain(int file, double seconds, Buf *out)
{
    double end = clock_seconds() + seconds;
    char piece[8192];
    for (;;) {
        int left = (int)((end - clock_seconds()) * 1000);
        struct pollfd wait = {.fd = file, .events = POLLIN};
        int ready = left > 0 ? poll(&wait, 1, left) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t bytes = read(file, piece, sizeof piece);
        if (bytes < 0 && errno == EINTR)
            continue;
        if (bytes <= 0)
            return true;
        buf_add(out, piece, (size_t)bytes);
        if (out->count > (16u << 20))
            return true;
    }
}

/* A process stuck in the kernel cannot be reaped: it is left behind after a short wait. */
static int finish(pid_t child, bool in_time)
{
    int status = -1;
    if (!in_time)
        kill(child, SIGKILL);
    for (int i = 0; i < 200; ++i) {
        pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child || (got < 0 && errno != EINTR))
            return status;
        nanosleep(&(struct timespec){.tv_nsec = (i < 20 ? 200 : 5000) * 1000L}, NULL);
    }
    kill(child, SIGKILL);
    return -1;
}

void machine_child(Machine *machine, double seconds, ChildFn *run, void *context, Kv *kv)
{
    kv->arena = machine->arena;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        kv->failed = "no pipe";
        return;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* The driver's libraries may print: the report is not theirs to spoil. */
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0), dup2(null, 1), dup2(null, 2);
        for (int s = 1; s < 32; ++s) /* no crash handler of the parent (sanitizers) in the child */
            signal(s, SIG_DFL);
        run(ends[1], context);
        _exit(0);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        kv->failed = "no process";
        return;
    }
    Buf text = {0};
    bool in_time = drain(ends[0], seconds, &text);
    close(ends[0]);
    int status = finish(child, in_time);
    if (!in_time)
        kv->failed = arena_printf(machine->arena, "no answer in %g s", seconds);
    else if (WIFSIGNALED(status))
        kv->failed = arena_printf(machine->arena, "crashed with signal %d (%s)", WTERMSIG(status),
                                  strsignal(WTERMSIG(status)));
    kv_parse(kv, buf_text(&text));
    buf_free(&text);
}

const char *machine_run(Machine *machine, double seconds, const char *program, const char *arg)
{
    const char *host = machine_host(machine, program);
    int ends[2];
    if (!host || access(host, X_OK) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, 0), dup2(ends[1], 1), dup2(ends[1], 2);
        execl(host, program, arg, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    Buf text = {0};
    bool in_time = child > 0 && drain(ends[0], seconds, &text);
    close(ends[0]);
    if (child > 0)
        finish(child, in_time);
    const char *answer = in_time ? arena_strdup(machine->arena, buf_text(&text)) : NULL;
    buf_free(&text);
    if (answer && machine->recording)
        machine_record(machine, 'x', machine_real(machine, program),
                       arena_printf(machine->arena, "#!/bin/sh\ncat <<'END'\n%sEND", answer));
    return answer;
}

void kv_line(int out, const char *key, const char *format, ...)
{
    char line[2048];
    int n = snprintf(line, sizeof line, "%s=", key);
    va_list args;
    va_start(args, format);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
    va_end(args);
    if (n > (int)sizeof line - 2)
        n = (int)sizeof line - 2;
    for (int i = 0; i < n; ++i)
        if (line[i] == '\n')
            line[i] = ' ';
    line[n] = '\n';
    ssize_t done = write(out, line, (size_t)n + 1);
    (void)done;
}

void kv_parse(Kv *kv, const char *text)
{
    Names lines = split(kv->arena, text, '\n');
    for (size_t i = 0; i < lines.count; ++i) {
        char *line = (char *)lines.items[i], *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = 0;
        map_set(&kv->map, line, equals + 1);
    }
}

const char *kv_text(const Kv *kv, const char *key_format, ...)
{
    char key[128];
    va_list args;
    va_start(args, key_format);
    vsnprintf(key, sizeof key, key_format, args);
    va_end(args);
    return map_get(&kv->map, key);
}

long long kv_int(const Kv *kv, long long fallback, const char *key_format, ...)
{
    char key[128], *end;
    va_list args;
    va_start(args, key_format);
    vsnprintf(key, sizeof key, key_format, args);
    va_end(args);
    const char *text = map_get(&kv->map, key);
    if (!text)
        return fallback;
    long long value = strtoll(text, &end, 0);
    return end == text ? fallback : value;
}
