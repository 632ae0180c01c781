/* SPDX-License-Identifier: Apache-2.0
 * memcpy_async, wait and wait_prior stand in cooperative_groups.h. */
#include "../cooperative_groups.h"
