/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Values that live across barriers. */
#ifndef COMPILER_PASSES_CROSSING_HPP
#define COMPILER_PASSES_CROSSING_HPP

#include <llvm/IR/Instructions.h>

#include "compiler/passes/divergence.hpp"
#include "compiler/passes/regions.hpp"

namespace quern {

/** Makes every SSA value stay within a region: one that lives across a stop is computed again where that is cheap, kept
 * once for the group where it is uniform, and else kept per work-item. Afterwards no value but allocas and arguments
 * is used beyond a stop.
 * Returns the allocas, old and new, that every work-item needs its own copy of across stops. */
llvm::SmallVector<llvm::AllocaInst *, 16> keep_crossing_values(llvm::Function &function, const Regions &regions,
                                                               const Divergence &divergence);

}  // namespace quern

#endif
