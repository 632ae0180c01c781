/* SPDX-License-Identifier: Apache-2.0
 * Kernels written by hand, standing in for compiled ones, and the PTX that declares them: the tests
 * of the runtime need no compiler. */
#ifndef HAND_KERNELS_H
#define HAND_KERNELS_H

#include "launch/abi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define PARAM(block, type, offset) (*(const type *)((block)->grid->params + (offset)))
#define REACH(address)             ((void *)((uint64_t)(address) + GK_DELTA))

static const char hand_ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".visible .const .align 4 .b8 table[64];\n"
                               ".visible .global .align 4 .u32 counter = 7;\n"
                               ".visible .global .align 8 .u64 where = counter;\n"
                               ".visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n)"
                               "{ ret; }\n"
                               ".visible .entry spin(.param .u64 flag, .param .u32 value){ ret; }\n"
                               ".visible .entry set(.param .u64 at, .param .u32 value){ ret; }\n"
                               ".visible .entry empty(){ ret; }\n"
                               ".visible .entry store(.param .u64 at){ ret; }\n"
                               ".visible .entry trap(){ ret; }\n"
                               ".visible .entry bounded() .maxntid 64, 1, 1 { ret; }\n"
                               ".visible .entry big(.param .align 8 .b8 p[1000],"
                               " .param .u64 out){ ret; }\n"
                               ".visible .entry shared(){ .shared .align 4 .b8 s[16384]; ret; }\n";

/* a[i] += b[i] */
static void hand_add(GkBlock *block)
{
    float *a = REACH(PARAM(block, uint64_t, 0));
    const float *b = REACH(PARAM(block, uint64_t, 8));
    uint32_t n = PARAM(block, uint32_t, 16), width = block->grid->ntid[0];
    for (uint32_t t = 0; t < width; t++) {
        uint32_t i = block->ctaid[0] * width + t;
        if (i < n)
            a[i] += b[i];
    }
}

/* Waits until *flag == value. */
static uint64_t hand_spin(GkBlock *block, uint32_t warp, uint8_t *frame, uint32_t resume)
{
    (void)warp, (void)frame, (void)resume;
    const _Atomic uint32_t *flag = REACH(PARAM(block, uint64_t, 0));
    return atomic_load(flag) == PARAM(block, uint32_t, 8) ? 0 : GK_SUSPEND(GK_KIND_YIELD, 1);
}

static void hand_set(GkBlock *block)
{
    atomic_store((_Atomic uint32_t *)REACH(PARAM(block, uint64_t, 0)), PARAM(block, uint32_t, 8));
}

static void hand_empty(GkBlock *block)
{
    (void)block;
}

__attribute__((no_sanitize("address"))) static void hand_store(GkBlock *block)
{
    *(volatile uint32_t *)REACH(PARAM(block, uint64_t, 0)) = 1;
}

static void hand_trap(GkBlock *block)
{
    block->grid->services->fault(block, 0, 1, 719, 0, 0);
}

static void hand_big(GkBlock *block)
{
    uint32_t sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += block->grid->params[i];
    *(uint32_t *)REACH(PARAM(block, uint64_t, 1000)) = sum;
}

static const GkKernel hand_list[] = {
    {.abi_version = GK_ABI_VERSION, .run_block = hand_add, .name = "add"},
    {.abi_version = GK_ABI_VERSION,
     .flags = GK_KERNEL_SUSPENDS | GK_KERNEL_SPINS,
     .frame_bytes = 64,
     .run_warp = hand_spin,
     .name = "spin"},
    {.abi_version = GK_ABI_VERSION, .run_block = hand_set, .name = "set"},
    {.abi_version = GK_ABI_VERSION, .run_block = hand_empty, .name = "empty"},
    {.abi_version = GK_ABI_VERSION, .run_block = hand_store, .name = "store"},
    {.abi_version = GK_ABI_VERSION, .run_block = hand_trap, .name = "trap"},
    {.abi_version = GK_ABI_VERSION, .run_block = hand_empty, .name = "bounded"},
    {.abi_version = GK_ABI_VERSION, .run_block = hand_big, .name = "big"},
    {.abi_version = GK_ABI_VERSION, .run_block = hand_empty, .name = "shared"},
};

static const GkKernel *hand_kernel(const char *name)
{
    for (size_t i = 0; i < sizeof hand_list / sizeof *hand_list; i++)
        if (!strcmp(hand_list[i].name, name))
            return &hand_list[i];
    return NULL;
}

#endif
