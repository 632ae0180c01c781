/* SPDX-License-Identifier: Apache-2.0
 * clang's intrinsics header includes a file of this name for __match_any_sync and
 * __match_all_sync, which gpukit/device_functions.h defines. */
