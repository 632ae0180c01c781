/* SPDX-License-Identifier: Apache-2.0
 * Runs test kernels on the CPU engine: compile, device memory, launch. */
#include "ops.h"

OpsEngineMode ops_engine_mode = OPS_ANY_SHAPE;
unsigned ops_engine_width;

#ifdef OPS_ENGINE
#include "ir/layout.h"
#include "jit/jit.h"
#include "launch/launch.h"
#include "launch/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Device copies of the module's variables; their count is remembered for free_variables. */
typedef struct {
    uint64_t *addresses;
    uint32_t count;
} Variables;

static void new_variables(const JitModule *module, Variables *variables)
{
    IrSymbol **list;
    IrModule *ir = (IrModule *)(uintptr_t)jit_module_ir(module); /* layout numbers its symbols */
    variables->count = ir_layout_variables(ir, &list);
    variables->addresses = xcalloc(variables->count + 1u, sizeof(uint64_t));
    for (uint32_t i = 0; i < variables->count; ++i) {
        uint64_t bytes = list[i]->size ? list[i]->size : 1;
        if (mem_alloc(MEM_DEVICE, bytes, 0, 0, &variables->addresses[i]))
            abort();
        memset(mem_reach(variables->addresses[i]), 0, bytes);
        if (list[i]->init)
            memcpy(mem_reach(variables->addresses[i]), list[i]->init, list[i]->size);
    }
    for (uint32_t i = 0; i < variables->count; ++i)
        for (uint32_t r = 0; r < list[i]->reloc_count; ++r) {
            const IrReloc *reloc = &list[i]->relocs[r];
            uint64_t value = variables->addresses[reloc->symbol->offset] + (uint64_t)reloc->addend;
            memcpy((uint8_t *)mem_reach(variables->addresses[i]) + reloc->at, &value, reloc->size);
        }
}

static void free_variables(Variables *variables)
{
    for (uint32_t i = 0; i < variables->count; ++i)
        mem_free(variables->addresses[i], 1u << MEM_DEVICE);
    free(variables->addresses);
}

static bool launch(const JitModule *module, const GkKernel *kernel, unsigned grid, unsigned block,
                   uint64_t *addresses, char *error, size_t error_bytes)
{
    Variables variables;
    new_variables(module, &variables);
    LaunchRequest request = {.kernel = kernel,
                             .grid = {grid, 1, 1},
                             .block = {ops_engine_width ? ops_engine_width : block,
                                       ops_engine_width ? block / ops_engine_width : 1, 1},
                             .params = addresses,
                             .variables = variables.addresses,
                             .max_resident = 64,
                             .sms = 4};
    LaunchResult result;
    uint32_t failed = launch_run(&request, &result);
    free_variables(&variables);
    if (failed)
        snprintf(error, error_bytes, "launch failed (%u): %s", result.error, result.text);
    return !failed;
}

static bool engine_run(const char *ptx, unsigned grid, unsigned block, OpsBuffer *buffers,
                       unsigned count, char *error, size_t error_bytes)
{
    Diags diags;
    diags_init(&diags);
    mem_init(UINT64_C(1) << 30);
    uint64_t addresses[8] = {0};
    JitModule *module = jit_module_new(ptx, strlen(ptx), "ops.ptx", &diags);
    JitOptions options = {.scalar = ops_engine_mode == OPS_SERIAL};
    if (ops_engine_mode == OPS_SHAPED)
        options = (JitOptions){.ntid = {ops_engine_width ? ops_engine_width : block,
                                        ops_engine_width ? block / ops_engine_width : 1, 1}};
    const GkKernel *kernel = module ? jit_kernel(module, "k", &options, &diags) : NULL;
    bool ok = kernel != NULL;
    if (!ok) {
        char *text = diags_text(&diags);
        snprintf(error, error_bytes, "%s", text);
        free(text);
    }
    for (unsigned i = 0; ok && i < count; ++i) {
        ok = mem_alloc(MEM_DEVICE, buffers[i].bytes, 0, 0, &addresses[i]) == 0;
        if (ok)
            memcpy(mem_reach(addresses[i]), buffers[i].host, buffers[i].bytes);
        else
            snprintf(error, error_bytes, "out of device memory");
    }
    ok = ok && launch(module, kernel, grid, block, addresses, error, error_bytes);
    for (unsigned i = 0; i < count && addresses[i]; ++i) {
        if (ok)
            memcpy(buffers[i].host, mem_reach(addresses[i]), buffers[i].bytes);
        mem_free(addresses[i], 1u << MEM_DEVICE);
    }
    jit_module_free(module);
    diags_fini(&diags);
    return ok;
}

static const OpsRunner engine = {"engine", engine_run};
const OpsRunner *const ops_runner = &engine;
#else
const OpsRunner *const ops_runner = NULL;
#endif
