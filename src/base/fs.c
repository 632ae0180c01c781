/* SPDX-License-Identifier: Apache-2.0
 * Files and folders. */
#include "base/fs.h"
#include "base/arena.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int fs_read(const char *path, Buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    char block[65536];
    ssize_t got;
    while ((got = read(fd, block, sizeof block)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int error = errno;
            close(fd);
            return -error;
        }
        buf_add(out, block, (size_t)got);
    }
    close(fd);
    return 0;
}

int fs_write_atomic(const char *path, const void *bytes, size_t count)
{
    char *temporary = xasprintf("%s.%ld.XXXXXX", path, (long)getpid());
    int fd = mkostemp(temporary, O_CLOEXEC), error = 0;
    if (fd < 0) {
        error = errno;
        free(temporary);
        return -error;
    }
    if (fd >= 0) { /* mkostemp makes it private; the file shall have the usual mode */
        mode_t mask = umask(0);
        umask(mask);
        fchmod(fd, 0666 & ~mask);
    }
    for (size_t done = 0; done < count && !error;) {
        ssize_t wrote = write(fd, (const char *)bytes + done, count - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR)
            error = errno;
    }
    if (!error && fsync(fd) != 0)
        error = errno;
    if (close(fd) != 0 && !error)
        error = errno;
    if (!error && rename(temporary, path) != 0)
        error = errno;
    if (error)
        unlink(temporary);
    free(temporary);
    return -error;
}

void fs_drop_leftovers(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *folder = slash ? xasprintf("%.*s", (int)(slash - path) + 1, path) : xasprintf("./");
    size_t length = strlen(base);
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        char *end;
        if (strncmp(e->d_name, base, length) != 0 || e->d_name[length] != '.')
            continue;
        long owner = strtol(e->d_name + length + 1, &end, 10);
        if (owner < 2 || *end != '.' || strlen(end) != strlen(".XXXXXX") ||
            kill((pid_t)owner, 0) == 0 || errno != ESRCH)
            continue;
        char *whole = xasprintf("%s%s", folder, e->d_name);
        unlink(whole);
        free(whole);
    }
    if (dir)
        closedir(dir);
    free(folder);
}

int fs_mkdirs(const char *path, unsigned mode)
{
    char *copy = xstrdup(path);
    int error = 0;
    for (char *p = copy + 1; !error; ++p) {
        if (*p != '/' && *p != 0)
            continue;
        char keep = *p;
        *p = 0;
        if (mkdir(copy, mode) != 0 && errno != EEXIST)
            error = errno;
        *p = keep;
        if (!keep)
            break;
    }
    free(copy);
    return -error;
}

bool fs_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static char *private_dir(const char *root, const char *below)
{
    char *path = below ? xasprintf("%s/%s", root, below) : xstrdup(root);
    struct stat st;
    if (fs_mkdirs(path, 0700) != 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode) ||
        st.st_uid != geteuid() || (st.st_mode & 022) != 0 || access(path, W_OK) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

static char *xdg_dir(const char *variable, const char *fallback, const char *below)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    char *root;
    if (base && base[0] == '/')
        root = xasprintf("%s/gpukit", base);
    else if (home && home[0] == '/')
        root = xasprintf("%s/%s/gpukit", home, fallback);
    else
        return NULL;
    char *path = private_dir(root, below);
    free(root);
    return path;
}

char *fs_cache_dir(const char *below)
{
    const char *own = getenv("GPUKIT_CACHE");
    if (own && own[0])
        return private_dir(own, below);
    return xdg_dir("XDG_CACHE_HOME", ".cache", below);
}

char *fs_data_dir(const char *below)
{
    return xdg_dir("XDG_DATA_HOME", ".local/share", below);
}

char *fs_own_image(void)
{
    Dl_info info;
    if (!dladdr((void *)(size_t)fs_resource, &info))
        return NULL;
    /* A program found through PATH knows itself by a name without a folder. */
    char *real = strchr(info.dli_fname, '/') ? realpath(info.dli_fname, NULL) : NULL;
    return real ? real : realpath("/proc/self/exe", NULL);
}

char *fs_resource(const char *name)
{
    /* This code lies in PREFIX/bin/gpukit, PREFIX/lib/libgpukit.so, or build/ and build/lib/. */
    static const char *const places[] = {
        "", "/share", "/..", "/../share/gpukit", "/../../share/gpukit", "/../share"};
    char *own = fs_own_image(), *clean = NULL;
    const char *folder = own ? dirname(own) : NULL;
    for (size_t i = 0; folder && !clean && i < sizeof places / sizeof *places; ++i) {
        char *path = xasprintf("%s%s/%s", folder, places[i], name);
        clean = realpath(path, NULL);
        free(path);
    }
    free(own);
    return clean;
}

char *fs_which(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? xstrdup(name) : NULL;
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *candidate = xasprintf("%.*s/%s", (int)length, path, name);
        struct stat st;
        if (access(candidate, X_OK) == 0 && stat(candidate, &st) == 0 && S_ISREG(st.st_mode))
            return candidate;
        free(candidate);
        path += length + (path[length] == ':');
    }
    return NULL;
}
