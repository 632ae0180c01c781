// SPDX-License-Identifier: Apache-2.0
__constant__ int table[2] = {100, 200};
__device__ int pick(int x) { return table[0] + x; }
