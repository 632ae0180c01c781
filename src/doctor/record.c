/* SPDX-License-Identifier: Apache-2.0
 * A machine as one text file: everything that the probes read, with identifiers replaced. The
 * tests rebuild a folder tree from it (tests/doctor/image.c) and probe that.
 *
 *   file PATH            then its text, each line behind "| "
 *   exec PATH            the same, executable
 *   dir PATH
 *   link PATH -> TARGET
 *   node PATH open=ok mode=0666 uid=0 gid=0
 *   stub PATH nvml|cuda  a driver library; the lines are its answers */
#include "doctor/doctor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Long files of which only some lines matter. */
static const struct {
    const char *path_end;
    const char *keep[4];
} trims[] = {
    {"/proc/self/cgroup", {"docker", "kubepods", "libpod", "lxc"}},
    {"/proc/self/status", {"Uid:", "CapEff:"}},
    {"/proc/meminfo", {"MemTotal:", "MemAvailable:", "SwapTotal:"}},
    {"/modules.dep", {"/nvidia"}},
    {"/proc/devices", {"nvidia"}},
    {"/proc/driver/nvidia/params", {"RmProfilingAdminOnly"}},
    {"/etc/os-release", {"ID", "NAME", "CODENAME"}},
    {"/usr/lib/os-release", {"ID", "NAME", "CODENAME"}},
};

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Every processor after the first says the same: only its place is kept. */
static bool keep_cpu_line(const char *line, int *processors)
{
    static const char *const first[] = {"processor", "model name",  "flags",   "Features",
                                        "cpu cores", "physical id", "core id", "vendor_id"};
    if (strncmp(line, "processor", 9) == 0)
        ++*processors;
    for (size_t i = 0; i < sizeof first / sizeof *first; ++i)
        if (strncmp(line, first[i], strlen(first[i])) == 0)
            return *processors <= 1 || i == 0 || i == 5 || i == 6;
    return false;
}

static bool keep_line(const char *path, const char *line, int *processors)
{
    if (strcmp(path, "/proc/cpuinfo") == 0)
        return keep_cpu_line(line, processors);
    for (size_t i = 0; i < sizeof trims / sizeof *trims; ++i) {
        if (!ends_with(path, trims[i].path_end))
            continue;
        for (int k = 0; k < 4 && trims[i].keep[k]; ++k)
            if (strstr(line, trims[i].keep[k]))
                return true;
        return false;
    }
    return true;
}

static void add_text(Buf *out, Arena *arena, const char *path, const char *text)
{
    Names lines = split(arena, text, '\n');
    int processors = 0;
    for (size_t i = 0; i < lines.count; ++i)
        if (keep_line(path, lines.items[i], &processors))
            buf_printf(out, "| %s\n", lines.items[i]);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_answers(Buf *out, Arena *arena, const Kv *kv)
{
    VEC(const char *) lines = {0};
    size_t at = 0;
    const char *key;
    void *value;
    while (map_next(&kv->map, &at, &key, &value))
        if (strcmp(key, "path") != 0 && strcmp(key, "load") != 0)
            VEC_PUSH(lines, arena_printf(arena, "| %s=%s\n", key, (const char *)value));
    if (lines.count)
        qsort(lines.items, lines.count, sizeof *lines.items, by_text);
    for (size_t i = 0; i < lines.count; ++i)
        buf_puts(out, lines.items[i]);
    VEC_FREE(lines);
}

static int by_path(const void *a, const void *b)
{
    return strcmp((*(Seen *const *)a)->path, (*(Seen *const *)b)->path);
}

void record_image(Doctor *doctor, Buf *out)
{
    Machine *machine = doctor->machine;
    Buf raw = {0};
    buf_puts(&raw, "# gpukit machine image, format 1\n");
    if (machine->seen.count)
        qsort(machine->seen.items, machine->seen.count, sizeof *machine->seen.items, by_path);
    for (size_t i = 0; i < machine->seen.count; ++i) {
        const Seen *seen = machine->seen.items[i];
        switch (seen->kind) {
        case 'd':
            buf_printf(&raw, "dir %s\n", seen->path);
            break;
        case 'l':
            buf_printf(&raw, "link %s -> %s\n", seen->path, seen->text);
            break;
        case 'n':
            buf_printf(&raw, "node %s %s\n", seen->path, seen->text);
            break;
        case 's':
            buf_printf(&raw, "stub %s %s\n", seen->path, seen->text);
            add_answers(&raw, doctor->arena,
                        strcmp(seen->text, "nvml") == 0 ? &doctor->nvml : &doctor->cuda);
            break;
        default:
            buf_printf(&raw, "%s %s\n", seen->kind == 'x' ? "exec" : "file", seen->path);
            if (seen->text)
                add_text(&raw, doctor->arena, seen->path, seen->text);
        }
    }
    char *clean = scrub(machine, buf_text(&raw));
    buf_puts(out, clean);
    free(clean);
    buf_free(&raw);
}

/* Scrubbing. */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static size_t hex_run(const char *text)
{
    return strspn(text, "0123456789abcdefABCDEF");
}

static size_t uuid_length(const char *text)
{
    static const size_t parts[] = {8, 4, 4, 4, 12};
    size_t length = 0;
    for (int i = 0; i < 5; ++i) {
        if (hex_run(text + length) != parts[i])
            return 0;
        length += parts[i];
        if (i < 4 && text[length++] != '-')
            return 0;
    }
    return length;
}

static size_t mac_length(const char *text)
{
    for (int i = 0; i < 6; ++i)
        if (hex_run(text + i * 3) != 2 || (i < 5 && text[i * 3 + 2] != ':'))
            return 0;
    return text[17] == ':' ? 0 : 17;
}

static size_t ipv4_length(const char *text)
{
    size_t length = 0;
    for (int i = 0; i < 4; ++i) {
        size_t digits = strspn(text + length, "0123456789");
        if (digits < 1 || digits > 3 || atoi(text + length) > 255)
            return 0;
        length += digits;
        if (i < 3 && text[length++] != '.')
            return 0;
    }
    return is_word(text[length]) ? 0 : length;
}

static size_t mail_length(const char *text)
{
    size_t name = 0, host = 0;
    while (is_word(text[name]) || text[name] == '+')
        ++name;
    if (name == 0 || text[name] != '@')
        return 0;
    while (is_word(text[name + 1 + host]))
        ++host;
    return host ? name + 1 + host : 0;
}

/* "Serial Number : 165..." and the like: where the value starts, 0 when it is no such text. */
static size_t serial_value(const char *text)
{
    if (strncasecmp(text, "serial", 6) != 0)
        return 0;
    size_t at = 6 + strspn(text + 6, "_ abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (at > 24 || !strchr(":=", text[at]) || !text[at])
        return 0;
    at += 1 + strspn(text + at + 1, " \t");
    return is_word(text[at]) ? at : 0;
}

/* A unique id keeps its identity inside one report: the first becomes ...01, the second ...02. */
static void put_uuid(Map *known, Buf *out, const char *text, size_t length)
{
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)length, text);
    size_t number = (size_t)map_get(known, key);
    if (!number) {
        number = known->count + 1;
        map_set(known, key, (void *)number);
    }
    buf_printf(out, "00000000-0000-0000-0000-%012zu", number);
}

typedef struct {
    const char *from, *to;
} Replacement;

static size_t replace_names(const Replacement *list, const char *start, const char *text, Buf *out)
{
    for (; list->from; ++list) {
        size_t length = strlen(list->from);
        if (strncmp(text, list->from, length) != 0 || is_word(text[length]))
            continue;
        if (text > start && is_word(text[-1]))
            continue;
        buf_puts(out, list->to);
        return length;
    }
    return 0;
}

static void name_list(Machine *machine, Replacement list[8])
{
    int n = 0;
    const char *home = machine_env(machine, "HOME");
    if (home && strlen(home) > 1 && home[0] == '/')
        list[n++] = (Replacement){home, "/home/user"};
    const char *host = machine_read(machine, "/proc/sys/kernel/hostname");
    if (!host)
        host = machine_read(machine, "/etc/hostname");
    if (host && strlen(host) > 1 && strcmp(host, "localhost") != 0) {
        list[n++] = (Replacement){host, "host"};
        if (strchr(host, '.'))
            list[n++] =
                (Replacement){arena_strndup(machine->arena, host, strcspn(host, ".")), "host"};
    }
    static const char *const users[] = {"USER", "LOGNAME", "SUDO_USER"};
    for (int i = 0; i < 3; ++i) {
        const char *user = machine_env(machine, users[i]);
        if (user && strlen(user) > 1 && strcmp(user, "root") != 0 && strcmp(user, "user") != 0)
            list[n++] = (Replacement){user, "user"};
    }
    list[n] = (Replacement){NULL, NULL};
}

char *scrub(Machine *machine, const char *text)
{
    bool recording = machine->recording;
    machine->recording = false; /* looking names up must not put them into the record */
    Replacement names[8];
    name_list(machine, names);
    machine->recording = recording;
    Map known = {0};
    Buf out = {0};
    for (const char *p = text; *p;) {
        bool start = p == text || !is_word(p[-1]);
        size_t length = replace_names(names, text, p, &out);
        if (length) {
            p += length;
        } else if (strncmp(p, "/home/", 6) == 0 && is_word(p[6])) {
            buf_puts(&out, "/home/user");
            p += 6;
            while (is_word(*p))
                ++p;
        } else if ((p == text || !isxdigit((unsigned char)p[-1])) && (length = uuid_length(p))) {
            put_uuid(&known, &out, p, length);
            p += length;
        } else if (start && (length = mac_length(p))) {
            buf_puts(&out, "00:00:00:00:00:00");
            p += length;
        } else if (start && (p == text || p[-1] != '/') && (length = ipv4_length(p))) {
            buf_puts(&out, "0.0.0.0");
            p += length;
        } else if (start && (length = mail_length(p))) {
            buf_puts(&out, "name@example.org");
            p += length;
        } else if (start && (length = serial_value(p))) {
            buf_add(&out, p, length);
            buf_puts(&out, "removed");
            p += length;
            while (is_word(*p))
                ++p;
        } else if ((p == text || !isalnum((unsigned char)p[-1])) && hex_run(p) >= 32 &&
                   !isalnum((unsigned char)p[hex_run(p)])) {
            buf_puts(&out, "0");
            p += hex_run(p);
        } else {
            buf_putc(&out, *p++);
        }
    }
    map_free(&known);
    char *clean = xstrdup(buf_text(&out));
    buf_free(&out);
    return clean;
}
