// SPDX-License-Identifier: Apache-2.0
int from_helper(int x) { return 5 * x; }
