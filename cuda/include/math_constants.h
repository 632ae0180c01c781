/* SPDX-License-Identifier: Apache-2.0
 * CUDART_* constants of mathematics: each is the nearest value of its type. */
#ifndef GPUKIT_MATH_CONSTANTS_H
#define GPUKIT_MATH_CONSTANTS_H
#include "gpukit/letters_push.h"

#if defined(__CUDA_ARCH__) || defined(__clang__)
#define CUDART_INF_F  __builtin_inff()
#define CUDART_NAN_F  __builtin_nanf("")
#define CUDART_INF    __builtin_inf()
#define CUDART_NAN    __builtin_nan("")
#else
#define CUDART_INF_F  __builtin_huge_valf()
#define CUDART_NAN_F  __builtin_nanf("")
#define CUDART_INF    __builtin_huge_val()
#define CUDART_NAN    __builtin_nan("")
#endif
#define CUDART_MIN_DENORM_F 0x1p-149f
#define CUDART_MAX_NORMAL_F 0x1.fffffep+127f
#define CUDART_NEG_ZERO_F -0.0f
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_TWO_F 0x1.6a09e60000000p+0f
#define CUDART_SQRT_HALF_F 0x1.6a09e60000000p-1f
#define CUDART_THIRD_F 0x1.5555560000000p-2f
#define CUDART_PIO4_F 0x1.921fb60000000p-1f
#define CUDART_PIO2_F 0x1.921fb60000000p+0f
#define CUDART_3PIO4_F 0x1.2d97c80000000p+1f
#define CUDART_2_OVER_PI_F 0x1.45f3060000000p-1f
#define CUDART_SQRT_2_OVER_PI_F 0x1.9884540000000p-1f
#define CUDART_PI_F 0x1.921fb60000000p+1f
#define CUDART_L2E_F 0x1.7154760000000p+0f
#define CUDART_L2T_F 0x1.a934f00000000p+1f
#define CUDART_LG2_F 0x1.3441360000000p-2f
#define CUDART_LGE_F 0x1.bcb7b20000000p-2f
#define CUDART_LN2_F 0x1.62e4300000000p-1f
#define CUDART_LNT_F 0x1.26bb1c0000000p+1f
#define CUDART_LNPI_F 0x1.250d040000000p+0f
#define CUDART_SQRT_2PI_F 0x1.40d9320000000p+1f
#define CUDART_SQRT_PIO2_F 0x1.40d9320000000p+0f
#define CUDART_SQRT_2OPI_F 0x1.9884540000000p-1f
#define CUDART_PIO3_F 0x1.0c15240000000p+0f
#define CUDART_CBRT_TWO_F 0x1.428a300000000p+0f
#define CUDART_CBRT_THIRD_F 0x1.6300400000000p-1f
#define CUDART_TWO_TO_126_F 0x1p126f
#define CUDART_TWO_TO_23_F 0x1p23f
#define CUDART_MIN_DENORM 0x1p-1074
#define CUDART_MAX_NORMAL 0x1.fffffffffffffp+1023
#define CUDART_NEG_ZERO -0.0
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO 0x1.6a09e667f3bcdp+0
#define CUDART_SQRT_HALF 0x1.6a09e667f3bcdp-1
#define CUDART_THIRD 0x1.5555555555555p-2
#define CUDART_PIO4 0x1.921fb54442d18p-1
#define CUDART_PIO2 0x1.921fb54442d18p+0
#define CUDART_3PIO4 0x1.2d97c7f3321d2p+1
#define CUDART_2_OVER_PI 0x1.45f306dc9c883p-1
#define CUDART_SQRT_2_OVER_PI 0x1.9884533d43651p-1
#define CUDART_PI 0x1.921fb54442d18p+1
#define CUDART_L2E 0x1.71547652b82fep+0
#define CUDART_L2T 0x1.a934f0979a371p+1
#define CUDART_LG2 0x1.34413509f79ffp-2
#define CUDART_LGE 0x1.bcb7b1526e50ep-2
#define CUDART_LN2 0x1.62e42fefa39efp-1
#define CUDART_LNT 0x1.26bb1bbb55516p+1
#define CUDART_LNPI 0x1.250d048e7a1bdp+0
#define CUDART_SQRT_2PI 0x1.40d931ff62706p+1
#define CUDART_SQRT_PIO2 0x1.40d931ff62706p+0
#define CUDART_SQRT_2OPI 0x1.9884533d43651p-1
#define CUDART_PIO3 0x1.0c152382d7366p+0
#define CUDART_CBRT_TWO 0x1.428a2f98d728bp+0
#define CUDART_CBRT_THIRD 0x1.63003fbb4c375p-1
#define CUDART_TWO_TO_1023 0x1p1023
#define CUDART_TWO_TO_52 0x1p52

#include "gpukit/letters_pop.h"
#endif
