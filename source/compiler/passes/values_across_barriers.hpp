/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Spilling or rematerialization of SSA values that are live across barriers. */
#ifndef COMPILER_PASSES_VALUES_ACROSS_BARRIERS_HPP
#define COMPILER_PASSES_VALUES_ACROSS_BARRIERS_HPP

#include <llvm/IR/Instructions.h>

#include "compiler/passes/divergence.hpp"
#include "compiler/passes/regions.hpp"

namespace quern {

/** Allocas whose contents are live across cut points. The function owns them. */
struct VariablesAcrossBarriers {
  /** Allocas of which every work-item needs its own copy: slots of divergent values and private variables. */
  llvm::SmallVector<llvm::AllocaInst *, 16> per_item;
  /** Slots of uniform values: one copy for the group. A region must read the contents that the slot had when the region
   * began, even after other work-items have written it. */
  llvm::SmallVector<llvm::AllocaInst *, 16> uniform;
};

/** Makes every SSA value local to a region. A value that is live across a cut point is rematerialized where that is
 * cheap; otherwise it is spilled to a slot (an alloca) after its definition and reloaded at its uses. Afterwards only
 * allocas and arguments are used across a cut point. `regions` and `divergence` must describe `function` as it is. */
VariablesAcrossBarriers spill_values_across_barriers(llvm::Function &function, const Regions &regions,
                                                     const Divergence &divergence);

/** Whether a few operations compute a value of each work-item again from ids and uniform values, so that it need not be
 * kept across a cut point. */
bool is_recomputed_across_cut_points(const llvm::Instruction &value, const Divergence &divergence);

}  // namespace quern

#endif
