/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine: the one way in which doctor looks at a computer. Every read goes through a root prefix,
 * so the same probe runs against this computer (root "") or against a recorded image of another
 * one (a folder with proc/, sys/, dev/, etc/, usr/). Absent files are ordinary; files that exist
 * but cannot be read are remembered by name, so that the report can say so.
 *
 * In an image three things cannot be the real thing and stand as text instead:
 *   device nodes       a file holding "open=ok|EPERM|EACCES|... mode=0666 uid=0 gid=0"
 *   the C library      libc.so.6 holding "stable release version 2.36"
 *   this process       proc/self/environ and proc/self/status
 * Nothing here writes, needs privilege, or follows a link out of an image. */
#ifndef GPUKIT_DOCTOR_MACHINE_H
#define GPUKIT_DOCTOR_MACHINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"

#include <stdbool.h>

typedef struct {
    const char *path;
    const char *why; /* "Permission denied", "not readable without root" */
} Unreadable;

typedef struct {
    const char **items;
    size_t count;
} Names;

typedef struct {
    int error; /* 0 = opened, else errno */
    unsigned mode, uid, gid;
} DeviceNode;

/* What one look at the machine saw; kept only while recording. */
typedef struct {
    char kind; /* 'f'ile, 'x' executable, 'l'ink, 'd'ir, 'n'ode, 's'tub library */
    const char *path;
    const char *text;
} Seen;

typedef struct Machine {
    Arena *arena;
    const char *root; /* "" = this machine; never ends in '/' */
    bool recording;
    Map seen_index;
    VEC(Seen *) seen;
    VEC(Unreadable) unreadable;
    const char **environment; /* NULL-ended, read on first use */
} Machine;

/* root NULL or "" = this machine. */
void machine_init(Machine *machine, const char *root);
void machine_fini(Machine *machine);
static inline bool machine_is_live(const Machine *machine)
{
    return machine->root[0] == 0;
}

/* Paths are absolute inside the machine. Strings belong to the machine's arena. */
const char *machine_real(Machine *machine, const char *path); /* without links; NULL if absent */
const char *machine_host(Machine *machine, const char *path); /* path to give to open(); or NULL */
bool machine_exists(Machine *machine, const char *path);
bool machine_executable(Machine *machine, const char *path);
bool machine_is_dir(Machine *machine, const char *path);
/* Whole text, NUL-ended and without its last newline; NULL when absent or unreadable. */
const char *machine_read(Machine *machine, const char *path);
const char *machine_readf(Machine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool machine_read_long(Machine *machine, const char *path, long *value);
/* First bytes of a big file, for formats that say what they are early on; count is their number. */
const char *machine_read_head(Machine *machine, const char *path, size_t limit, size_t *count);
/* Last component of the link at path, or NULL. */
const char *machine_link_name(Machine *machine, const char *path);
/* Names in a folder that match the shell pattern, sorted. */
Names machine_list(Machine *machine, const char *folder, const char *pattern);
/* Stat, and open when open_it is set. false when the node is absent. */
bool machine_node(Machine *machine, const char *path, bool open_it, DeviceNode *node);
const char *machine_env(Machine *machine, const char *name);
/* NAME on the machine's PATH; NULL when not there. */
const char *machine_which(Machine *machine, const char *name);
void machine_note_unreadable(Machine *machine, const char *path, const char *why);

/* Runs a program of that machine with a time limit; its standard output and error, NULL when it
 * cannot run or does not end in time. While recording the answer becomes a small script. */
const char *machine_run(Machine *machine, double seconds, const char *program, const char *arg);

/* "key=value" lines from a child process that may crash or hang. */
typedef struct {
    Map map;
    Arena *arena;
    const char *failed; /* NULL, "no answer in 10 s", "crashed: signal 11" */
} Kv;

typedef void ChildFn(int out, void *context); /* prints lines to out with kv_line */
void machine_child(Machine *machine, double seconds, ChildFn *run, void *context, Kv *kv);
void kv_line(int out, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void kv_parse(Kv *kv, const char *text);
const char *kv_text(const Kv *kv, const char *key_format, ...)
    __attribute__((format(printf, 2, 3)));
/* fallback when absent or not a number. */
long long kv_int(const Kv *kv, long long fallback, const char *key_format, ...)
    __attribute__((format(printf, 3, 4)));

/* Where the dynamic loader finds a library: LD_LIBRARY_PATH, the loader's cache, the usual
 * folders. extra: folders tried first (an rpath), may be NULL. NULL when it is nowhere. */
const char *machine_library(Machine *machine, const char *soname, const Names *extra);
/* Folders that the loader searches, in order, after LD_LIBRARY_PATH. */
Names machine_library_folders(Machine *machine);

/* Adds to the record what no read can show: a stub library with its answers. */
void machine_record(Machine *machine, char kind, const char *path, const char *text);

bool names_have(const Names *names, const char *name);
/* Parts of text between separators; empty parts kept. */
Names split(Arena *arena, const char *text, char separator);

#endif
