/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Values that live across barriers. */
#ifndef COMPILER_PASSES_VALUES_ACROSS_BARRIERS_HPP
#define COMPILER_PASSES_VALUES_ACROSS_BARRIERS_HPP

#include <llvm/IR/Instructions.h>

#include "compiler/passes/divergence.hpp"
#include "compiler/passes/regions.hpp"

namespace quern {

/** Private variables that live across stops. */
struct VariablesAcrossBarriers {
  /** Every work-item needs its own copy. */
  llvm::SmallVector<llvm::AllocaInst *, 16> per_item;
  /** Slots of uniform values: one for the group. A region reads what was there when it began, whichever work-item has
   * written since. */
  llvm::SmallVector<llvm::AllocaInst *, 16> uniform;
};

/** Makes every SSA value stay within a region: one that lives across a stop is computed again where that is cheap, else
 * it goes through a slot. Afterwards no value but allocas and arguments is used beyond a stop. */
VariablesAcrossBarriers keep_values_across_barriers(llvm::Function &function, const Regions &regions,
                                                    const Divergence &divergence);

}  // namespace quern

#endif
