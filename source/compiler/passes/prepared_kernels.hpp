/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels of a module that is prepared already. */
#ifndef COMPILER_PASSES_PREPARED_KERNELS_HPP
#define COMPILER_PASSES_PREPARED_KERNELS_HPP

#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"

namespace quern {

/** Whether the last parameters are those of work_group_parameter_e. */
bool has_work_group_parameters(const llvm::Function &function);

/** Fills `work.kernels` from a module that was written to a file after passes_prepare: what the work-group pass asks
 * for, not the kernels' own parameters, which only a target's entries need. compiler_error_out_of_memory. */
COMPILER_MUST_CHECK compiler_result_t find_prepared_kernels(llvm::Module &module, passes_t &work);

}  // namespace quern

#endif
