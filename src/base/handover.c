/* SPDX-License-Identifier: Apache-2.0
 *
 * A ticket names a process and a file that it has open; /proc opens it again, for those whom the system lets
 * look at that process. The file's name holds a secret, which the ticket must know: no number that was
 * made up or has become old opens anything. Not here: processes that see another /proc (containers). */
#include "base/handover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 0x676b686f, NAME_ROOM = 64 };
static const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

static void file_name(const HandoverTicket *ticket, char name[NAME_ROOM])
{
    int at = snprintf(name, NAME_ROOM, "gpukit-%x-", ticket->kind);
    for (size_t i = 0; i < sizeof ticket->secret; i++)
        at += snprintf(name + at, NAME_ROOM - (size_t)at, "%02x", ticket->secret[i]);
}

int handover_new(uint32_t kind, uint64_t room, HandoverTicket *ticket)
{
    *ticket = (HandoverTicket){.magic = MAGIC, .kind = kind, .process = getpid(), .room = room};
    if (room > INT64_MAX)
        return -EINVAL;
    if (getrandom(ticket->secret, sizeof ticket->secret, 0) != sizeof ticket->secret)
        return -EAGAIN;
    char name[NAME_ROOM];
    file_name(ticket, name);
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -errno;
    if (ftruncate(file, (off_t)room) < 0 || fcntl(file, F_ADD_SEALS, seals) < 0) {
        int error = -errno;
        close(file);
        return error;
    }
    ticket->file = file;
    return file;
}

int handover_open(const HandoverTicket *ticket, uint32_t kind)
{
    char path[64], wanted[NAME_ROOM + 32], found[NAME_ROOM + 32], name[NAME_ROOM];
    if (ticket->magic != MAGIC || ticket->kind != kind || ticket->process <= 0 ||
        ticket->file < 0 || ticket->start > ticket->room ||
        ticket->bytes > ticket->room - ticket->start)
        return -EINVAL;
    if (ticket->process == getpid())
        return -EALREADY;
    file_name(ticket, name);
    snprintf(wanted, sizeof wanted, "/memfd:%s (deleted)", name);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", ticket->process, ticket->file);
    ssize_t length = readlink(path, found, sizeof found);
    if (length != (ssize_t)strlen(wanted) || memcmp(found, wanted, (size_t)length) != 0)
        return -ENOENT;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return -ENOENT;
    struct stat about;
    if (fstat(file, &about) < 0 || (uint64_t)about.st_size != ticket->room ||
        (fcntl(file, F_GET_SEALS) & seals) != seals) {
        close(file);
        return -EINVAL;
    }
    return file;
}
