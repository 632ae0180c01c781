/* SPDX-License-Identifier: Apache-2.0
 * These types stand in driver_types.h. */
#include "driver_types.h"
