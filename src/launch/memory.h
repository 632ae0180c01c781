/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory of the CPU engine: a window of addresses that programs use as device pointers and
 * that the host may not touch; the engine reaches the same memory at address + GK_DELTA. Managed
 * and pinned memory is mapped at both places. Knows nothing about streams or errors of the API. */
#ifndef GPUKIT_LAUNCH_MEMORY_H
#define GPUKIT_LAUNCH_MEMORY_H

#include "base/handover.h"
#include "launch/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    MEM_DEVICE,     /* cudaMalloc: the host's own use faults */
    MEM_MANAGED,    /* both sides, same address */
    MEM_PINNED,     /* cudaMallocHost, cudaHostAlloc: both sides, same address */
    MEM_REGISTERED, /* cudaHostRegister: the user's pages, made shared */
    MEM_RANGE,      /* addresses only, for mem_map; mem_find gives what can be used as MEM_DEVICE */
} MemKind;

/* A flag: the engine's own, which mem_free_all leaves. */
#define MEM_KEPT (1u << 31)

typedef struct {
    uint64_t address; /* what kernels use */
    uint64_t bytes;   /* as asked for */
    void *host;       /* what the host uses; NULL for MEM_DEVICE */
    MemKind kind;
    int device;
    unsigned flags; /* the caller's; MEM_KEPT */
    uint64_t id;    /* counts allocations from 1 */
} MemInfo;

/* Reserves the window; limit: bytes of device memory that may be allocated at once.
 * 0, or -errno when no window can be had. Further calls only change the limit. */
int mem_init(uint64_t limit);

/* 0, -ENOMEM (over the limit or no room), -EINVAL (0 bytes). Aligned to at least 256 bytes, to a
 * 2 MiB page when larger than 1 MiB. Device memory is not cleared when it is used again. */
int mem_alloc(MemKind kind, uint64_t bytes, int device, unsigned flags, uint64_t *address);

/* address must be what mem_alloc gave. -EINVAL: not the start of a live allocation, or one of
 * another kind than `kinds` (bit per MemKind) allows. Kernels must not use it any more. */
int mem_free(uint64_t address, unsigned kinds);

/* Frees what mem_alloc gave without MEM_KEPT. */
void mem_free_all(void);

/* The allocation that holds the address (of either side for registered memory). */
bool mem_find(uint64_t address, MemInfo *out);
/* Whether [address, address + bytes) lies in one allocation. */
bool mem_covers(uint64_t address, uint64_t bytes);

/* Makes the user's pages reachable for kernels, as MEM_REGISTERED or MEM_MANAGED. -EEXIST: overlaps registered pages;
 * -EINVAL: not ordinary readable and writable memory; -ENOMEM. */
int mem_register(void *host, size_t bytes, MemKind kind, unsigned flags, uint64_t *address);
int mem_unregister(void *host, MemKind kind);
/* Were pages ever registered? And what to do about them in front of a fork and behind it (fork.c). */
bool mem_any_registered(void);
void mem_fork_prepare(void);
void mem_fork_parent(void);
void mem_fork_child(void);
#define MEM_REGISTERED_FILE "gpukit-registered"

/* Addresses and memory apart, as cuMemMap has them, in pages of MEM_PAGE bytes: all sizes, offsets and
 * addresses are multiples of it, else -EINVAL. A handle (never 0) keeps its memory until it is released
 * and nothing maps it. */
#define MEM_PAGE ((uint64_t)1 << 21)
int mem_range_new(uint64_t bytes, uint64_t alignment, uint64_t *address);
int mem_range_free(uint64_t address, uint64_t bytes); /* -EBUSY while something is mapped */
int mem_physical_new(uint64_t bytes, int device, uint64_t *handle);
int mem_physical_import(int file, int device, uint64_t *handle); /* takes a duplicate */
int mem_physical_file(uint64_t handle);                          /* a duplicate for the caller */
int mem_physical_at(uint64_t address, uint64_t *handle);         /* one more reference */
int mem_physical_release(uint64_t handle);
int mem_physical_device(uint64_t handle, int *device);
int mem_map(uint64_t address, uint64_t bytes, uint64_t offset, uint64_t handle);
int mem_unmap(uint64_t address, uint64_t bytes);
/* access: 0 none, 1 read, 3 read and write; of pages that are mapped. */
int mem_access_set(uint64_t address, uint64_t bytes, unsigned access);
int mem_access(uint64_t address, unsigned *access);

/* Device memory of mem_alloc for other processes. The first time its pages move into a memory file, with all
 * that lies in them: kernels must not use them meanwhile. The ticket holds until the memory is freed.
 * An address inside stands for the allocation. -EINVAL: not such an allocation; -ENOMEM. */
int mem_give(uint64_t address, HandoverTicket *ticket);
/* The same memory in this process, as MEM_DEVICE that only mem_close frees; once more: the same address, and one
 * more mem_close. Errors of handover_open, -ENOMEM. */
int mem_open(const HandoverTicket *ticket, int device, uint64_t *address);
int mem_close(uint64_t address);

bool mem_in_window(uint64_t address);
void mem_usage(uint64_t *used, uint64_t *limit);

/* Host memory of the machine or of its control group, whichever is less. */
uint64_t mem_host_bytes(void);

/* Where the engine reaches an address that a program passed: device addresses through the window's
 * other side, anything else as it is. */
static inline void *mem_reach(uint64_t address)
{
    return (void *)(uintptr_t)(mem_in_window(address) ? address + GK_DELTA : address);
}

/* Scratch memory with inaccessible ranges around it, for shared and local memory of blocks.
 * guard: bytes of address space behind it that must fault. NULL when the system has no more. */
void *mem_scratch_new(size_t bytes, size_t guard);
void mem_scratch_free(void *scratch);

#endif
