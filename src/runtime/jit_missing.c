/* SPDX-License-Identifier: Apache-2.0
 * Stands in for jit/ while it is not in the build: modules are parsed, kernels cannot be compiled.
 */
#include "jit/jit.h"

#include "ptx/ptx.h"

#include <stdlib.h>

struct JitModule {
    IrModule *ir;
};

JitModule *jit_module_new(const char *text, size_t bytes, const char *name, Diags *diags)
{
    IrModule *ir = ptx_parse(text, bytes, name, diags);
    if (!ir)
        return NULL;
    JitModule *module = xcalloc(1, sizeof *module);
    module->ir = ir;
    return module;
}

void jit_module_free(JitModule *module)
{
    if (module)
        ir_module_free(module->ir);
    free(module);
}

const IrModule *jit_module_ir(const JitModule *module)
{
    return module->ir;
}

const GkKernel *jit_kernel(JitModule *module, const char *kernel, const JitOptions *options,
                           Diags *diags)
{
    (void)module;
    (void)options;
    diag_add(diags, DIAG_ERROR, NULL, 0, 0, "kernel %s: this build has no compiler for kernels",
             kernel);
    return NULL;
}
