/* SPDX-License-Identifier: Apache-2.0
 * The training kernels of one precision (TRAIN_BF16, TRAIN_FP16, TRAIN_TF32 or TRAIN_FP32) as C++. */
#define GPUKIT_EMULATE
#include "../../src/trainer/kernels/train.cu"

#include "emulate_kernels.h"

#if defined(TRAIN_TF32)
#define TABLE emulated_tf32
#elif defined(TRAIN_FP32)
#define TABLE emulated_fp32
#elif defined(TRAIN_FP16)
#define TABLE emulated_fp16
#else
#define TABLE emulated_bf16
#endif

#define ALL_KERNELS                                                                                \
    K(choose)                                                                                      \
    K(first)                                                                                       \
    K(norm0)                                                                                       \
    K(conv1)                                                                                       \
    K(norm1) K(conv2) K(norm2) K(conv3) K(head) K(spread3) K(wgrad3) K(dgrad3) K(spread2)          \
        K(wgrad2) K(dgrad2) K(spread1) K(wgrad1) K(dgrad1) K(first_back) K(update) K(pack)

const EmulatedKernel TABLE[] = {
#define K(name) {"k_" #name, k_##name},
    ALL_KERNELS
#undef K
    {nullptr, nullptr},
};
