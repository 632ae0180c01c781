/* SPDX-License-Identifier: Apache-2.0
 * Prints a hash of each function's results on the host; device_math.cu prints the same on the
 * device, and both must agree to the bit. */
#include "gpukit/math_base.h"

#include "gpukit/math_coefficients.h"

#include "gpukit/math_double.h"

#include "gpukit/math_float.h"

#include "device_inputs.h"

#include <inttypes.h>
#include <stdio.h>

#define PRINT(name, call, callf)                                                                   \
    {                                                                                              \
        uint64_t h = 1469598103934665603u, g = h;                                                  \
        for (int i = 0; i < INPUTS; ++i) {                                                         \
            h = hash_double(h, call);                                                              \
            g = hash_float(g, callf);                                                              \
        }                                                                                          \
        printf("%s %016" PRIx64 " %016" PRIx64 "\n", name, h, g);                                  \
    }
#define ONE(fn, ...) PRINT(#fn, gk_##fn(input_double(i, 0)), gk_##fn##f(input_float(i, 0)))
#define TWO(fn, ...)                                                                               \
    PRINT(#fn, gk_##fn(input_double(i, 0), input_double(i, 5)),                                    \
          gk_##fn##f(input_float(i, 0), input_float(i, 5)))

int main(void)
{
#include "functions.def"
    return 0;
}
