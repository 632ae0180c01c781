/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory file that another process of the same user may open by a ticket: a few bytes that can be
 * sent in any way. The file goes when its last holder does; nothing is left in a file system. */
#ifndef GPUKIT_BASE_HANDOVER_H
#define GPUKIT_BASE_HANDOVER_H

#include <stdint.h>

/* Plain bytes. start, bytes: the owner's, the part of the file that is meant. */
typedef struct {
    uint32_t magic, kind; /* kind: the owner's, of what the file holds */
    int32_t process, file;
    uint8_t secret[16]; /* part of the file's name */
    uint64_t start, bytes;
    uint64_t room; /* bytes of the file */
} HandoverTicket;

/* A new file of `room` bytes that never changes its size, and its ticket. The file, or -errno. The ticket
 * holds as long as this process keeps the file open. */
int handover_new(uint32_t kind, uint64_t room, HandoverTicket *ticket);

/* The file of a ticket from another process, for the caller to close. -EINVAL: no ticket of that kind;
 * -EALREADY: this process's own; -ENOENT: its file or its process is gone, or out of reach. */
int handover_open(const HandoverTicket *ticket, uint32_t kind);

#endif
