/* SPDX-License-Identifier: Apache-2.0
 * The old place of this header. */
#include "../host_config.h"
