/* SPDX-License-Identifier: Apache-2.0
 *
 * gpukit-jit: reads requests from standard input (a socket), compiles one kernel each and writes a
 * shared object. LLVM lives only here. Also by hand, for a look inside:
 *   gpukit-jit FILE.ptx KERNEL [X Y Z] [--dump=flow|llvm|opt|asm]  */
#include "jit/protocol.h"

#include "base/fs.h"
#include "codegen/emit.h"
#include "ptx/ptx.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct {
    const char *cpu, *more;
    uint32_t features; /* EMIT_AVX512... */
} levels[JIT_LEVEL_COUNT] = {
#if defined(__aarch64__)
    [JIT_LEVEL_PORTABLE] = {"generic", "", 0}, /* with NEON; client.c asks for no other */
#else
    [JIT_LEVEL_PORTABLE] = {"x86-64-v2", "", 0},
    [JIT_LEVEL_AVX2] = {"x86-64-v3", "+f16c,+fast-gather", EMIT_AVX2 | EMIT_F16C},
    [JIT_LEVEL_AVX512] = {"x86-64-v4", "+f16c,+fast-gather", EMIT_AVX512 | EMIT_AVX2 | EMIT_F16C},
    [JIT_LEVEL_AVX512_VBMI] = {"x86-64-v4",
                               "+f16c,+fast-gather,+avx512vbmi,+avx512vbmi2,+avx512vnni",
                               EMIT_AVX512 | EMIT_AVX2 | EMIT_F16C | EMIT_VBMI},
#endif
};
#if defined(__aarch64__)
static const char triple[] = "aarch64-linux-gnu";
#define MULTIARCH "aarch64-linux-gnu"
#else
static const char triple[] = "x86_64-pc-linux-gnu";
#define MULTIARCH "x86_64-linux-gnu"
#endif

static LLVMTargetMachineRef machine_for(unsigned level, Diags *diags)
{
    static LLVMTargetMachineRef machines[JIT_LEVEL_COUNT];
    if (level >= JIT_LEVEL_COUNT)
        level = JIT_LEVEL_PORTABLE;
    if (machines[level])
        return machines[level];
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "LLVM: %s", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    machines[level] =
        LLVMCreateTargetMachine(target, triple, levels[level].cpu, levels[level].more,
                                LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
    return machines[level];
}

/* The pass list, top to bottom. */
static const char pipeline[] = "always-inline,globaldce,"
                               "function(sroa,early-cse,instcombine<no-verify-fixpoint>,"
                               "simplifycfg,loop-simplify,lcssa,loop-mssa(loop-rotate,licm),"
                               "gvn,instcombine<no-verify-fixpoint>,simplifycfg,dse,adce)";

static bool optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, Diags *diags)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *text = LLVMGetErrorMessage(error);
    diag_add(diags, DIAG_ERROR, NULL, 0, 0, "LLVM: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* LLVM's selection and its schedulers take time that grows with the square of a block's length, and
 * kernels that were unrolled have blocks of thousands of instructions. Cuts are free at run time. */
enum { BLOCK_MAX = 2000, BLOCK_PIECE = 300 };

/* Goes on at `to`, by an empty `asm goto`: CodeGenPrepare would join blocks again that a plain
 * branch links. */
static void fall_into(LLVMContextRef cx, LLVMBuilderRef b, LLVMBasicBlockRef to)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(cx), NULL, 0, false);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCallBr(b, type, nothing, to, NULL, 0, NULL, 0, NULL, 0, "");
}

static void cut_block(LLVMContextRef cx, LLVMBuilderRef b, LLVMBasicBlockRef rest)
{
    size_t count = 0,
           whole = 0; /* stack slots stay in the first block: elsewhere they grow the stack */
    for (LLVMValueRef i = LLVMGetFirstInstruction(rest); i; i = LLVMGetNextInstruction(i)) {
        ++count;
        if (LLVMIsAAllocaInst(i))
            whole = count;
    }
    if (count <= BLOCK_MAX)
        return;
    /* the first piece comes off in front, so that what follows the block need not know */
    while (count > 2 * BLOCK_PIECE && count > whole) {
        LLVMBasicBlockRef piece = LLVMInsertBasicBlockInContext(cx, rest, "piece");
        /* without its end the block has no successors: only branches to it change, not their phis */
        LLVMValueRef end = LLVMGetBasicBlockTerminator(rest);
        LLVMInstructionRemoveFromParent(end);
        LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(rest), LLVMBasicBlockAsValue(piece));
        LLVMPositionBuilderAtEnd(b, rest);
        LLVMInsertIntoBuilder(b, end);
        LLVMPositionBuilderAtEnd(b, piece);
        LLVMValueRef i = LLVMGetFirstInstruction(rest);
        for (size_t n = 0; n < BLOCK_PIECE || n < whole || LLVMIsAPHINode(i); ++n) {
            LLVMValueRef next = LLVMGetNextInstruction(i);
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(b, i);
            --count;
            i = next;
        }
        whole = 0;
        fall_into(cx, b, rest);
    }
}

static void cut_blocks(LLVMContextRef cx, LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            cut_block(cx, b, block);
    LLVMDisposeBuilder(b);
}

/* Two segments instead of four: a process may have so many kernels loaded that it meets the system's
 * limit on maps (vm.max_map_count). Nothing is writable and executable at once. */
static bool run_linker(const char *object, const char *out, Diags *diags)
{
    bool gnu = fs_exists("/usr/bin/ld");
    const char *linker = gnu ? "ld" : "ld.lld-19";
    char *argv[] = {(char *)linker,
                    "-shared",
                    "-z",
                    "now",
                    "-z",
                    "norelro",
                    gnu ? "-znoseparate-code" : "--no-rosegment",
                    "--build-id=none",
                    "-o",
                    (char *)out,
                    (char *)object,
                    "--as-needed",
                    "-L/usr/lib/" MULTIARCH,
                    "-L/lib/" MULTIARCH,
                    "-L/usr/lib64",
                    "-l:libm.so.6",
                    "-l:libgcc_s.so.1",
                    "-l:libc.so.6",
                    NULL};
    /* what it says belongs to the message, not to the program's standard error */
    int said = memfd_create("ld", MFD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (said >= 0)
        posix_spawn_file_actions_adddup2(&actions, said, 2);
    pid_t pid;
    int error = posix_spawnp(&pid, linker, &actions, NULL, argv, environ), status = 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!error)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    char text[400] = "";
    ssize_t n = said >= 0 ? pread(said, text, sizeof text - 1, 0) : 0;
    text[n > 0 ? n : 0] = 0;
    if (said >= 0)
        close(said);
    if (error) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "cannot start the linker %s: %s", linker,
                 strerror(error));
        diag_help(diags, "install binutils");
    } else if (status) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "cannot write %s: the linker failed: %s", out,
                 text);
    }
    return !error && !status;
}

/* Adds the trailer that says the file is whole, and gives it its name. */
static bool finish(const char *temporary, const char *path, Diags *diags)
{
    Buf file = {0};
    int error = fs_read(temporary, &file);
    if (!error) {
        uint64_t hash = hash_bytes(file.data, file.count, 3);
        buf_add(&file, JIT_TRAILER, 8);
        buf_add(&file, &hash, 8);
        error = fs_write_atomic(path, file.data, file.count);
    }
    buf_free(&file);
    unlink(temporary);
    if (error)
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "cannot write %s: %s", path, strerror(-error));
    return !error;
}

typedef struct {
    const char *dump; /* NULL, "llvm", "opt", "asm" */
    const char *path; /* output; NULL when dumping */
} Output;

static bool build(IrModule *ir, const char *kernel, const CodegenOptions *options, unsigned level,
                  const Output *output, Diags *diags)
{
    LLVMTargetMachineRef machine = machine_for(level, diags);
    CodegenResult code;
    if (!machine || !codegen_kernel(ir, kernel, options, &code, diags))
        return false;
    char *triple = LLVMGetTargetMachineTriple(machine), *message = NULL;
    LLVMSetTarget(code.module, triple);
    LLVMDisposeMessage(triple);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(code.module, layout);
    LLVMDisposeTargetData(layout);
    bool good = false;
    if (output->dump && strcmp(output->dump, "llvm") == 0) {
        char *text = LLVMPrintModuleToString(code.module);
        fputs(text, stdout);
        LLVMDisposeMessage(text);
    }
    if (LLVMVerifyModule(code.module, LLVMReturnStatusAction, &message)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "internal: kernel %s does not verify: %.2000s",
                 kernel, message);
        goto done;
    }
    if (!optimise(code.module, machine, diags))
        goto done;
    cut_blocks(code.context, code.module);
    if (output->dump) {
        if (strcmp(output->dump, "opt") == 0) {
            char *text = LLVMPrintModuleToString(code.module);
            fputs(text, stdout);
            LLVMDisposeMessage(text);
        } else if (strcmp(output->dump, "asm") == 0) {
            LLVMMemoryBufferRef text;
            char *why = NULL;
            if (!LLVMTargetMachineEmitToMemoryBuffer(machine, code.module, LLVMAssemblyFile, &why,
                                                     &text)) {
                fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), stdout);
                LLVMDisposeMemoryBuffer(text);
            }
        }
        good = true;
        goto done;
    }
    LLVMMemoryBufferRef object;
    char *why = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, code.module, LLVMObjectFile, &why, &object)) {
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "LLVM: %s", why);
        LLVMDisposeMessage(why);
        goto done;
    }
    char *object_path = xasprintf("%s.%ld.o", output->path, (long)getpid());
    char *library_path = xasprintf("%s.%ld.tmp", output->path, (long)getpid());
    int error = fs_write_atomic(object_path, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    LLVMDisposeMemoryBuffer(object);
    if (error)
        diag_add(diags, DIAG_ERROR, NULL, 0, 0, "cannot write %s: %s", object_path,
                 strerror(-error));
    else
        good = run_linker(object_path, library_path, diags) &&
               finish(library_path, output->path, diags);
    unlink(object_path);
    unlink(library_path);
    free(object_path);
    free(library_path);
done:
    if (message)
        LLVMDisposeMessage(message);
    LLVMDisposeModule(code.module);
    LLVMContextDispose(code.context);
    return good;
}

static uint32_t features_of(unsigned level)
{
    return level < JIT_LEVEL_COUNT ? levels[level].features : 0;
}

static bool read_all(void *data, size_t bytes)
{
    char *p = data;
    while (bytes) {
        ssize_t n = read(0, p, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool write_all(const void *data, size_t bytes)
{
    const char *p = data;
    while (bytes) {
        ssize_t n = send(0, p, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static char *read_text(uint64_t bytes)
{
    char *text = xmalloc(bytes + 1);
    if (!read_all(text, bytes)) {
        free(text);
        return NULL;
    }
    text[bytes] = 0;
    return text;
}

static int serve(void)
{
    JitRequest request;
    while (read_all(&request, sizeof request)) {
        if (request.magic != JIT_MAGIC || request.name_bytes > JIT_NAME_MAX * 16 ||
            request.path_bytes > JIT_PATH_MAX || request.ptx_bytes > (uint64_t)1 << 31)
            return EXIT_USAGE;
        char *kernel = read_text(request.name_bytes), *name = read_text(request.module_bytes),
             *path = read_text(request.path_bytes);
        char *ptx = read_text(request.ptx_bytes);
        if (!kernel || !name || !path || !ptx)
            return EXIT_ENVIRONMENT;
        Diags diags;
        diags_init(&diags);
        CodegenOptions options = {{request.ntid[0], request.ntid[1], request.ntid[2]},
                                  features_of(request.level),
                                  request.scalar != 0,
                                  false,
                                  0,
                                  (request.hooks & JIT_COUNT) != 0,
                                  0,
                                  request.stack};
        if (request.hooks & JIT_BREAK_LANE)
            options.without_lane = 1u << (request.hooks & 31);
        Output output = {NULL, path};
        /* LLVM has loops of its own without end: the timer's signal ends this process */
        setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value = {JIT_SECONDS, 0}}, NULL);
        IrModule *ir = ptx_parse(ptx, request.ptx_bytes, name, &diags);
        bool good = ir && build(ir, kernel, &options, request.level, &output, &diags);
        setitimer(ITIMER_VIRTUAL, &(struct itimerval){0}, NULL);
        if (ir)
            ir_module_free(ir);
        char *text = diags_text(&diags);
        JitReply reply = {JIT_MAGIC, good, (uint32_t)strlen(text)};
        bool sent = write_all(&reply, sizeof reply) && write_all(text, reply.text_bytes);
        free(text);
        diags_fini(&diags);
        free(kernel);
        free(name);
        free(path);
        free(ptx);
        if (!sent)
            return EXIT_ENVIRONMENT;
    }
    return EXIT_CLEAN;
}

static int by_hand(int argc, char **argv)
{
    CodegenOptions options = {.ntid = {256, 1, 1}};
    Output output = {"asm", NULL};
    unsigned level = JIT_LEVEL_COUNT - 1, number = 0;
    const char *words[8] = {0};
    for (int i = 1; i < argc; ++i) {
        if (strncmp(argv[i], "--dump=", 7) == 0)
            output.dump = argv[i] + 7;
        else if (strcmp(argv[i], "--serial") == 0)
            options.by_lane = true;
        else if (strncmp(argv[i], "--level=", 8) == 0)
            level = (unsigned)atoi(argv[i] + 8);
        else if (strncmp(argv[i], "--group=", 8) == 0)
            options.group = (uint32_t)atoi(argv[i] + 8);
        else if (number < 8)
            words[number++] = argv[i];
    }
    if (number < 2) {
        fprintf(stderr, "usage: gpukit-jit FILE.ptx KERNEL [X Y Z] [--dump=flow|llvm|opt|asm] "
                        "[--level=0|1|2|3] [--group=WARPS] [--serial]\n");
        return EXIT_USAGE;
    }
    for (unsigned c = 0; c < 3 && number >= 5; ++c)
        options.ntid[c] = (uint32_t)atoi(words[2 + c]);
    options.features = features_of(level);
    options.dump_flow = strcmp(output.dump, "flow") == 0;
    Buf text = {0};
    int error = fs_read(words[0], &text);
    if (error) {
        fprintf(stderr, "gpukit-jit: %s: %s\n", words[0], strerror(-error));
        return EXIT_USAGE;
    }
    Diags diags;
    diags_init(&diags);
    IrModule *ir = ptx_parse(text.data, text.count, words[0], &diags);
    bool good = ir && build(ir, words[1], &options, level, &output, &diags);
    diags_print(&diags, stderr);
    diags_fini(&diags);
    buf_free(&text);
    return good ? EXIT_CLEAN : EXIT_FINDINGS;
}

int main(int argc, char **argv)
{
    return argc > 1 ? by_hand(argc, argv) : serve();
}
