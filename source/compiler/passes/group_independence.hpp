/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels that compute the same however the ND-range is divided into work-groups. */
#ifndef COMPILER_PASSES_GROUP_INDEPENDENCE_HPP
#define COMPILER_PASSES_GROUP_INDEPENDENCE_HPP

#include "compiler/passes/passes.h"

namespace quern {

/** Whether the runtime may divide the ND-range of the kernel as it likes, whatever local size the program chose. To be
 * asked before the work-group pass. */
bool ignores_groups(const kernel_work_t &kernel);

}  // namespace quern

#endif
