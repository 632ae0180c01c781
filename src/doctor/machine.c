/* SPDX-License-Identifier: Apache-2.0
 * Reading a machine, live or recorded: files, links, folders, device nodes, environment. */
#include "doctor/machine.h"
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <dirent.h>
#include <unistd.h>

extern char **environ;

enum { MAX_LINKS = 40, MAX_FILE = 4 << 20 };

void machine_init(Machine *machine, const char *root)
{
    memset(machine, 0, sizeof *machine);
    machine->arena = arena_new();
    char *copy = arena_strdup(machine->arena, root ? root : "");
    for (size_t n = strlen(copy); n && copy[n - 1] == '/'; --n)
        copy[n - 1] = 0;
    machine->root = copy;
}

void machine_fini(Machine *machine)
{
    map_free(&machine->seen_index);
    VEC_FREE(machine->seen);
    VEC_FREE(machine->unreadable);
    arena_free(machine->arena);
}

void machine_record(Machine *machine, char kind, const char *path, const char *text)
{
    if (!machine->recording)
        return;
    Seen *seen = map_get(&machine->seen_index, path);
    if (!seen) {
        seen = ARENA_NEW(machine->arena, Seen);
        seen->path = arena_strdup(machine->arena, path);
        seen->kind = kind;
        map_set(&machine->seen_index, path, seen);
        VEC_PUSH(machine->seen, seen);
    }
    bool more = kind == 's' || kind == 'n' || (text && !seen->text) || strchr("df", seen->kind);
    if (more && !(kind == 'd' || (kind == 'f' && seen->kind == 'x' && !text)))
        seen->kind = kind == 'f' && seen->kind == 'x' ? 'x' : kind;
    if (text)
        seen->text = arena_strdup(machine->arena, text);
}

void machine_note_unreadable(Machine *machine, const char *path, const char *why)
{
    for (size_t i = 0; i < machine->unreadable.count; ++i)
        if (strcmp(machine->unreadable.items[i].path, path) == 0) {
            machine->unreadable.items[i].why = arena_strdup(machine->arena, why);
            return;
        }
    Unreadable one = {arena_strdup(machine->arena, path), arena_strdup(machine->arena, why)};
    VEC_PUSH(machine->unreadable, one);
}

static const char *host_path(Machine *machine, const char *path)
{
    return arena_printf(machine->arena, "%s%s", machine->root, path);
}

/* Follows links by hand, one component at a time, so that an image's absolute links stay inside
 * the image and so that a recording holds every link on the way. */
static const char *walk(Machine *machine, const char *path)
{
    char done[4096] = "", rest[4096], link[4096], next[8192];
    if (strlen(path) >= sizeof rest)
        return NULL;
    strcpy(rest, path);
    int links = 0;
    for (;;) {
        char *start = rest + strspn(rest, "/");
        if (!*start)
            break;
        size_t length = strcspn(start, "/");
        size_t have = strlen(done);
        if (length == 1 && start[0] == '.') {
            memmove(rest, start + length, strlen(start + length) + 1);
            continue;
        }
        if (length == 2 && start[0] == '.' && start[1] == '.') {
            char *slash = strrchr(done, '/');
            if (slash)
                *slash = 0;
            memmove(rest, start + length, strlen(start + length) + 1);
            continue;
        }
        if (have + length + 2 > sizeof done)
            return NULL;
        done[have] = '/';
        memcpy(done + have + 1, start, length);
        done[have + 1 + length] = 0;
        memmove(rest, start + length, strlen(start + length) + 1);
        if (strcmp(done, "/proc/self") == 0) /* its target is another one in the next run */
            continue;
        ssize_t bytes = readlink(host_path(machine, done), link, sizeof link - 1);
        if (bytes < 0)
            continue;
        link[bytes] = 0;
        if (++links > MAX_LINKS)
            return NULL;
        machine_record(machine, 'l', done, link);
        done[link[0] == '/' ? 0 : have] = 0;
        snprintf(next, sizeof next, "%s%s", link, rest);
        if (strlen(next) >= sizeof rest)
            return NULL;
        strcpy(rest, next);
    }
    return arena_strdup(machine->arena, done[0] ? done : "/");
}

const char *machine_host(Machine *machine, const char *path)
{
    if (machine_is_live(machine) && !machine->recording)
        return path;
    const char *real = walk(machine, path);
    return real ? host_path(machine, real) : NULL;
}

const char *machine_real(Machine *machine, const char *path)
{
    const char *real = walk(machine, path);
    return real && access(host_path(machine, real), F_OK) == 0 ? real : NULL;
}

/* Existence only; what it is goes into the record. */
static bool look(Machine *machine, const char *path, struct stat *info)
{
    const char *host = machine_host(machine, path);
    if (!host || stat(host, info) != 0)
        return false;
    if (machine->recording) {
        const char *real = walk(machine, path);
        bool run = S_ISREG(info->st_mode) && (info->st_mode & 0111);
        machine_record(machine, S_ISDIR(info->st_mode) ? 'd' : run ? 'x' : 'f', real, NULL);
    }
    return true;
}

bool machine_exists(Machine *machine, const char *path)
{
    struct stat info;
    return look(machine, path, &info);
}

bool machine_is_dir(Machine *machine, const char *path)
{
    struct stat info;
    return look(machine, path, &info) && S_ISDIR(info.st_mode);
}

bool machine_executable(Machine *machine, const char *path)
{
    struct stat info;
    return look(machine, path, &info) && S_ISREG(info.st_mode) && (info.st_mode & 0111);
}

const char *machine_read_head(Machine *machine, const char *path, size_t limit, size_t *count)
{
    *count = 0;
    const char *host = machine_host(machine, path);
    int file = host ? open(host, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file < 0) {
        if (host && errno != ENOENT && errno != ENOTDIR && errno != ENXIO)
            machine_note_unreadable(machine, path, strerror(errno));
        return NULL;
    }
    Buf text = {0};
    char piece[16384];
    while (text.count < limit) {
        size_t want = limit - text.count < sizeof piece ? limit - text.count : sizeof piece;
        ssize_t bytes = read(file, piece, want);
        if (bytes < 0 && errno == EINTR)
            continue;
        if (bytes < 0 && errno != EAGAIN && text.count == 0) {
            if (errno != EISDIR && errno != ENODEV && errno != EINVAL)
                machine_note_unreadable(machine, path, strerror(errno));
            close(file);
            buf_free(&text);
            return NULL;
        }
        if (bytes <= 0)
            break;
        buf_add(&text, piece, (size_t)bytes);
    }
    close(file);
    char *copy = arena_alloc(machine->arena, text.count + 1);
    if (text.count)
        memcpy(copy, text.data, text.count);
    *count = text.count;
    buf_free(&text);
    return copy;
}

const char *machine_read(Machine *machine, const char *path)
{
    size_t count;
    char *text = (char *)machine_read_head(machine, path, MAX_FILE, &count);
    if (!text)
        return NULL;
    while (count && (text[count - 1] == '\n' || text[count - 1] == 0))
        text[--count] = 0;
    if (machine->recording && strlen(text) == count)
        machine_record(machine, 'f', walk(machine, path), text);
    return text;
}

const char *machine_readf(Machine *machine, const char *format, ...)
{
    char path[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(path, sizeof path, format, args);
    va_end(args);
    return machine_read(machine, path);
}

bool machine_read_long(Machine *machine, const char *path, long *value)
{
    const char *text = machine_read(machine, path);
    char *end;
    if (!text)
        return false;
    long number = strtol(text, &end, 0);
    if (end == text)
        return false;
    *value = number;
    return true;
}

const char *machine_link_name(Machine *machine, const char *path)
{
    /* The folder's own links are followed, the last component is not. */
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return NULL;
    *slash = 0;
    const char *real = walk(machine, folder);
    if (!real)
        return NULL;
    const char *whole = arena_printf(machine->arena, "%s/%s", real, slash + 1);
    char link[4096];
    ssize_t bytes = readlink(host_path(machine, whole), link, sizeof link - 1);
    if (bytes <= 0)
        return NULL;
    link[bytes] = 0;
    machine_record(machine, 'l', whole, link);
    const char *name = strrchr(link, '/');
    return arena_strdup(machine->arena, name ? name + 1 : link);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

Names machine_list(Machine *machine, const char *folder, const char *pattern)
{
    Names names = {0};
    const char *host = machine_host(machine, folder);
    DIR *dir = host ? opendir(host) : NULL;
    if (!dir) {
        if (host && errno != ENOENT && errno != ENOTDIR)
            machine_note_unreadable(machine, folder, strerror(errno));
        return names;
    }
    VEC(const char *) found = {0};
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && fnmatch(pattern, entry->d_name, 0) == 0)
            VEC_PUSH(found, arena_strdup(machine->arena, entry->d_name));
    closedir(dir);
    if (found.count) {
        qsort(found.items, found.count, sizeof *found.items, by_name);
        names.items = ARENA_ARRAY(machine->arena, const char *, found.count);
        memcpy(names.items, found.items, found.count * sizeof *found.items);
        names.count = found.count;
    }
    VEC_FREE(found);
    for (size_t i = 0; machine->recording && i < names.count; ++i) {
        struct stat info;
        look(machine, arena_printf(machine->arena, "%s/%s", folder, names.items[i]), &info);
    }
    return names;
}

static const struct {
    const char *name;
    int number;
} open_errors[] = {{"ok", 0},          {"EPERM", EPERM}, {"EACCES", EACCES}, {"EIO", EIO},
                   {"ENODEV", ENODEV}, {"ENXIO", ENXIO}, {"EBUSY", EBUSY},   {"ENOENT", ENOENT}};

static void recorded_node(const char *text, DeviceNode *node)
{
    char name[16] = "ok";
    sscanf(text, "open=%15s mode=%o uid=%u gid=%u", name, &node->mode, &node->uid, &node->gid);
    node->error = EIO;
    for (size_t i = 0; i < sizeof open_errors / sizeof *open_errors; ++i)
        if (strcmp(name, open_errors[i].name) == 0)
            node->error = open_errors[i].number;
}

bool machine_node(Machine *machine, const char *path, bool open_it, DeviceNode *node)
{
    memset(node, 0, sizeof *node);
    if (!machine_is_live(machine)) {
        const char *text = machine_read(machine, path);
        if (text)
            recorded_node(text, node);
        return text != NULL;
    }
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    node->mode = info.st_mode & 07777;
    node->uid = info.st_uid;
    node->gid = info.st_gid;
    if (open_it) {
        int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
        node->error = file < 0 ? errno : 0;
        if (file >= 0)
            close(file);
    } else if (access(path, R_OK | W_OK) != 0) {
        node->error = errno;
    }
    const char *name = "EIO";
    for (size_t i = 0; i < sizeof open_errors / sizeof *open_errors; ++i)
        if (open_errors[i].number == node->error)
            name = open_errors[i].name;
    if (machine->recording)
        machine_record(machine, 'n', path,
                       arena_printf(machine->arena, "open=%s mode=%04o uid=%u gid=%u", name,
                                    node->mode, node->uid, node->gid));
    return true;
}

static void load_environment(Machine *machine)
{
    VEC(const char *) list = {0};
    if (machine_is_live(machine)) {
        for (char **e = environ; *e; ++e)
            VEC_PUSH(list, *e);
    } else {
        size_t count;
        char *text = (char *)machine_read_head(machine, "/proc/self/environ", MAX_FILE, &count);
        for (size_t i = 0; text && i < count; ++i) {
            size_t start = i;
            while (i < count && text[i] && text[i] != '\n')
                ++i;
            text[i] = 0;
            if (i > start)
                VEC_PUSH(list, text + start);
        }
    }
    machine->environment = ARENA_ARRAY(machine->arena, const char *, list.count + 1);
    if (list.count)
        memcpy(machine->environment, list.items, list.count * sizeof *list.items);
    VEC_FREE(list);
}

const char *machine_env(Machine *machine, const char *name)
{
    if (!machine->environment)
        load_environment(machine);
    size_t length = strlen(name);
    for (const char **e = machine->environment; *e; ++e)
        if (strncmp(*e, name, length) == 0 && (*e)[length] == '=') {
            const char *value = *e + length + 1;
            if (machine->recording) {
                Seen *seen = map_get(&machine->seen_index, "/proc/self/environ");
                const char *old = seen && seen->text ? seen->text : "";
                const char *line = arena_printf(machine->arena, "%s=%s", name, value);
                if (!strstr(old, line))
                    machine_record(
                        machine, 'f', "/proc/self/environ",
                        arena_printf(machine->arena, "%s%s%s", old, *old ? "\n" : "", line));
            }
            return value;
        }
    return NULL;
}

Names split(Arena *arena, const char *text, char separator)
{
    Names names = {0};
    size_t room = 1;
    for (const char *p = text; *p; ++p)
        room += *p == separator;
    names.items = ARENA_ARRAY(arena, const char *, room);
    for (const char *p = text;; ++p) {
        const char *end = strchr(p, separator);
        if (!end)
            end = p + strlen(p);
        names.items[names.count++] = arena_strndup(arena, p, (size_t)(end - p));
        p = end;
        if (!*p)
            return names;
    }
}

bool names_have(const Names *names, const char *name)
{
    for (size_t i = 0; i < names->count; ++i)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

const char *machine_which(Machine *machine, const char *name)
{
    const char *path = machine_env(machine, "PATH");
    Names folders = split(machine->arena, path ? path : "/usr/local/bin:/usr/bin:/bin", ':');
    for (size_t i = 0; i < folders.count; ++i) {
        if (folders.items[i][0] != '/')
            continue;
        const char *whole = arena_printf(machine->arena, "%s/%s", folders.items[i], name);
        if (machine_executable(machine, whole))
            return whole;
    }
    return NULL;
}
