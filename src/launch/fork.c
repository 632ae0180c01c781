/* SPDX-License-Identifier: Apache-2.0
 *
 * Registered pages are a mapping that a forked process would share: what it writes, to whatever else of the
 * heap lies in the first and the last of these pages, would reach its parent. So it gets copies of its own
 * before it goes on, and its parent waits for that. Pages stay such a mapping when they are not registered
 * any more; the process's list of mappings has them all. */
#include "launch/memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_SECONDS = 5, LINE = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* from before a fork until behind it */
static sem_t *copied;                                    /* in memory that both processes see */

void mem_fork_prepare(void)
{
    pthread_mutex_lock(&lock);
    copied = NULL;
    if (!mem_any_registered())
        return;
    void *page =
        mmap(NULL, sizeof *copied, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && sem_init(page, 1, 0) == 0)
        copied = page;
}

void mem_fork_parent(void)
{
    if (copied) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += WAIT_SECONDS;
        sem_timedwait(copied, &until);
        munmap(copied, sizeof *copied);
    }
    pthread_mutex_unlock(&lock);
}

/* The bare system call, because whole pages hold more than the caller's bytes, which checkers would object to. */
static void own_pages(int memory, uint64_t first, uint64_t bytes)
{
    uint64_t done = 0;
    char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return;
    while (done < bytes) {
        ssize_t got = syscall(SYS_pread64, memory, copy + done, bytes - done, first + done);
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    if (done < bytes ||
        mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)first) == MAP_FAILED)
        munmap(copy, bytes);
}

/* The end of a line "first-end rw-s offset device inode path", without its tail where it is long. */
static void own_mapping(int memory, char *line)
{
    char *rest;
    uint64_t first = strtoull(line, &rest, 16),
             end = *rest == '-' ? strtoull(rest + 1, &rest, 16) : 0;
    if (end > first && strncmp(rest, " rw", 3) == 0 && strstr(rest, "/memfd:" MEM_REGISTERED_FILE))
        own_pages(memory, first, end - first);
}

/* Other threads may have held any lock when the process was copied: nothing here takes one. */
void mem_fork_child(void)
{
    int maps = copied ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;
    int memory = copied ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;
    if (maps >= 0 && memory >= 0) {
        char text[4096], line[LINE];
        size_t at = 0;
        ssize_t got;
        while ((got = read(maps, text, sizeof text)) > 0)
            for (ssize_t i = 0; i < got; i++) {
                if (text[i] == '\n') {
                    line[at] = 0;
                    own_mapping(memory, line);
                    at = 0;
                } else if (at + 1 < sizeof line) {
                    line[at++] = text[i];
                }
            }
    }
    if (maps >= 0)
        close(maps);
    if (memory >= 0)
        close(memory);
    if (copied) {
        sem_post(copied);
        munmap(copied, sizeof *copied);
    }
    pthread_mutex_unlock(&lock);
}
