/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The pipelines of the driver, for pass managers. */
#ifndef COMPILER_PASSES_OPTIMIZE_HPP
#define COMPILER_PASSES_OPTIMIZE_HPP

#include "compiler/passes/registry.hpp"

namespace quern {

/** What passes_optimize_scalar runs. */
void add_scalar_optimization(llvm::ModulePassManager &manager, PassContext &context);

/** What passes_optimize_final runs. */
void add_final_optimization(llvm::ModulePassManager &manager, PassContext &context);

}  // namespace quern

#endif
