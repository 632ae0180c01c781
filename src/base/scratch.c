/* SPDX-License-Identifier: Apache-2.0
 * Folders for temporary files, see scratch.h. The lock is flock's: it ends with the process, however
 * that ends, and holds between containers that share the place. */
#include "base/scratch.h"

#include "base/arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "gpukit."

typedef struct {
    char *path; /* the caller's */
    int lock;   /* -1: the place knows no locks */
} Scratch;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static VEC(Scratch) open_folders;
static char *swept; /* the last place that was, once per process */

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    remove(path);
    return 0;
}

void folder_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Opens and locks a folder of this user's; -1 when it is another's or in use. */
static int lock_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 077) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Removes what processes left in `base` that are gone. */
static void sweep(const char *base)
{
    pthread_mutex_lock(&mutex);
    bool done = swept && strcmp(swept, base) == 0;
    if (!done) {
        free(swept);
        swept = xstrdup(base);
    }
    pthread_mutex_unlock(&mutex);
    if (done)
        return;
    DIR *dir = opendir(base);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0 ||
            strlen(e->d_name) != strlen(PREFIX "XXXXXX"))
            continue;
        char *path = xasprintf("%s/%s", base, e->d_name);
        int lock = lock_folder(path);
        if (lock >= 0) {
            folder_remove(path);
            close(lock);
        }
        free(path);
    }
    if (dir)
        closedir(dir);
}

/* Locked before it has a name that sweep looks at. */
static char *make_folder(const char *base, int *lock)
{
    char *fresh = xasprintf("%s/gpukit-new.XXXXXX", base), *path = NULL;
    if (mkdtemp(fresh)) {
        *lock = lock_folder(fresh);
        path = xasprintf("%s/" PREFIX "%s", base, fresh + strlen(fresh) - 6);
        struct stat st;
        if (lstat(path, &st) == 0 || rename(fresh, path) != 0) { /* the old name will do */
            free(path);
            path = xstrdup(fresh);
        }
    }
    free(fresh);
    return path;
}

char *scratch_new(const char *base)
{
    const char *place = base && base[0] ? base : getenv("TMPDIR");
    if (!place || !place[0])
        place = "/tmp";
    sweep(place);
    Scratch s = {.lock = -1};
    s.path = make_folder(place, &s.lock);
    if (s.path) {
        pthread_mutex_lock(&mutex);
        VEC_PUSH(open_folders, s);
        pthread_mutex_unlock(&mutex);
    }
    return s.path;
}

void scratch_remove(char *path)
{
    int lock = -1;
    if (!path)
        return;
    folder_remove(path);
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < open_folders.count; ++i)
        if (open_folders.items[i].path == path) {
            lock = open_folders.items[i].lock;
            open_folders.items[i] = open_folders.items[--open_folders.count];
        }
    if (!open_folders.count)
        VEC_FREE(open_folders);
    pthread_mutex_unlock(&mutex);
    if (lock >= 0)
        close(lock);
    free(path);
}
