/* SPDX-License-Identifier: Apache-2.0
 *
 * From CUDA C++ to PTX, objects and programs by calling a compiler: clang with gpukit's own
 * headers, or the user's nvcc. Results of whole builds are cached by content. Knows nothing of how
 * kernels are executed. A compiler's own messages go to standard error untouched. */
#ifndef GPUKIT_SOURCE_SOURCE_H
#define GPUKIT_SOURCE_SOURCE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"

#include <stdbool.h>

typedef enum { FRONTEND_AUTO, FRONTEND_CLANG, FRONTEND_NVCC } SourceFrontend;

/* -x: what sources hold, whatever their names say. */
typedef enum { LANGUAGE_BY_NAME, LANGUAGE_CUDA, LANGUAGE_CXX, LANGUAGE_C } SourceLanguage;

typedef VEC(const char *) SourceArgs; /* borrowed strings */

/* How to compile. Zero-initialised means the defaults. */
typedef struct {
    SourceFrontend frontend;
    SourceArgs both;               /* for every compilation: -I -D -U -std= -W... */
    SourceArgs host;               /* for host code only (nvcc's -Xcompiler) */
    SourceArgs device;             /* for device code only */
    SourceArgs link;               /* -L -l -Wl, ... and libraries, in order, behind the objects */
    SourceArgs nvcc;               /* the user's own spelling, for the nvcc front end */
    const char *arch;              /* "sm_80", the newest of several; NULL: SOURCE_DEFAULT_ARCH */
    SourceArgs older;              /* further architectures whose PTX is embedded too */
    const char *newest;            /* in a pass for one of those: what arch was */
    const char *optimise;          /* "-O2" of the host code; NULL: -O2 */
    bool host_debug, device_debug; /* -g, -G */
    bool fast_math, flush_denormals, approximate_division, approximate_sqrt, no_contraction;
    bool per_thread_stream;
    bool relocatable;    /* -rdc=true */
    bool no_device_link, no_runtime, shared_runtime; /* -nodlink, -cudart none, shared */
    SourceLanguage language;
    SourceArgs depends; /* how to write the make rule (-MD -MT ...), when there is a file for it */
    const char *depends_file;
    bool verbose; /* print each command line to standard error */
    bool no_cache;
} SourceOptions;

#define SOURCE_DEFAULT_ARCH "sm_80"

/* Each returns 0, or an exit code (EXIT_FINDINGS: the compiler refused the source and has said so;
 * EXIT_ENVIRONMENT: something is missing, told in diags). */
int source_ptx(const SourceOptions *options, const char *input, const char *output, Diags *diags);
int source_object(const SourceOptions *options, const char *input, const char *output,
                  Diags *diags);
int source_preprocess(const SourceOptions *options, const char *input, const char *output,
                      const char *const *mode, int mode_count, Diags *diags);
int source_link(const SourceOptions *options, const char *const *objects, int count,
                const char *output, bool shared, Diags *diags);

/* What the device linker would make: an object that registers the relocatable inputs as one
 * program. */
int source_device_link(const SourceOptions *options, const char *const *inputs, int count,
                       const char *output, Diags *diags);

/* Compiles and links all inputs (.cu, .c, .cpp, .o, .a) and returns the path of the program, which
 * lies in the cache (or in a fresh temporary folder when the cache cannot be used: *temporary is
 * then that folder, for the caller to remove). Both malloc'd. */
int source_build(const SourceOptions *options, const char *const *inputs, int count, char **program,
                 char **temporary, Diags *diags);

/* What was made of source_ptx, remembered in the cache of builds. source_memo names the place for
 * options and a request, all bytes that decide the result and lie in no file; NULL when there is no
 * cache. A memo holds as long as the files of the compiler's make rule (depends_file) do, those in the
 * folder `except` apart, which the request covers. */
char *source_memo(const SourceOptions *options, const Buf *request); /* malloc'd */
bool source_memo_read(const char *memo, Buf *result);
void source_memo_write(const char *memo, const char *rule, const char *except, const Buf *result);

/* Whether a file is for source_build: it has the suffix of a source, an object or an archive, and is
 * no linked program with such a name ("./app.cc"). */
bool source_is_input(const char *path);

/* Adds an option for host code, and for the linker where it needs it. OpenMP runs on one thread,
 * with a warning, where clang's library for it is missing. word is borrowed; arena keeps what is
 * made. */
void source_host_word(SourceOptions *options, Arena *arena, const char *word, Diags *diags);

/* The compiler that will be used: its path, or NULL with a diagnostic. malloc'd. */
char *source_compiler(SourceFrontend *frontend, Diags *diags);
/* Folder of gpukit's runtime libraries (libcudart.so.N and so on); NULL with a diagnostic. */
char *source_library_dir(Diags *diags);

/* Folder laid out like a CUDA toolkit (bin/nvcc, include, lib64); NULL when it is not installed. */
char *source_toolkit_dir(void);

/* "sm_90a" from sm_90a, compute_90a, 90a, or "lto_90"; NULL when text is none. Static storage. */
const char *source_arch(const char *text);
/* The i-th architecture that can be compiled for, "sm_50" first; NULL behind the last. */
const char *source_arch_name(int i);

#endif
