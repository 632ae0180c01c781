/* SPDX-License-Identifier: Apache-2.0
 *
 * libcublas: the typed entries of cublas_calls.h, each a call of its family's function. */
#include "libraries/cublas.h"

#define TYPE_OF_(letter) TYPE_##letter
#define TYPE_OF(letter)  TYPE_OF_(letter)
#define TEXT_(...)       #__VA_ARGS__
#define TEXT(...)        TEXT_(__VA_ARGS__)
#undef GPUKIT_OPEN
#define GPUKIT_OPEN(...) __VA_ARGS__
#define GPUKIT_ROW(prefix, stem, version, handler, params, names)                                  \
    cublasStatus_t GPUKIT_CAT(prefix, stem, version, GK_SUFFIX)(cublasHandle_t handle,             \
                                                                GPUKIT_OPEN params)                \
    {                                                                                              \
        static const Entry entry = {TEXT(GPUKIT_CAT(prefix, stem, , )), TYPE_OF(GK_L), GK_WIDE};   \
        return blas_##handler(&entry, handle, GPUKIT_OPEN names);                                  \
    }
#include "gpukit/cublas_types.h"
