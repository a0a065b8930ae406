/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Costs of a target that its code generator does not give. */
#ifndef COMPILER_PASSES_TARGET_COSTS_HPP
#define COMPILER_PASSES_TARGET_COSTS_HPP

#include <llvm/Analysis/TargetTransformInfo.h>

#include "compiler/target_description.h"

namespace quern {

/** `given` with each group whose first number is zero derived from TargetTransformInfo. */
target_costs_t complete_target_costs(const target_costs_t &given, const llvm::TargetTransformInfo &tti,
                                     llvm::LLVMContext &context);

}  // namespace quern

#endif
