/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_devicelib_assert: what SYCL's assert() calls in kernels. The runtime ends the command. */

#include "builtins.clh"

void __quern_assert_fail(const generic char *expression, const generic char *file, int line,
                         const generic char *function, ulong global_x, ulong global_y, ulong global_z, ulong local_x,
                         ulong local_y, ulong local_z);

void __devicelib_assert_fail(const generic char *expression, const generic char *file, int line,
                             const generic char *function, ulong global_x, ulong global_y, ulong global_z,
                             ulong local_x, ulong local_y, ulong local_z) {
  __quern_assert_fail(expression, file, line, function, global_x, global_y, global_z, local_x, local_y, local_z);
}
