/* SPDX-License-Identifier: Apache-2.0
 * An older name of cusparse.h. */
#include "cusparse.h"
