/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Phis rewritten as expressions that can be rematerialized behind barriers. */
#ifndef COMPILER_PASSES_PHIS_ACROSS_BARRIERS_HPP
#define COMPILER_PASSES_PHIS_ACROSS_BARRIERS_HPP

#include <llvm/IR/Function.h>

#include "compiler/passes/divergence.hpp"
#include "compiler/passes/regions.hpp"

namespace quern {

/** Replaces phis whose incoming values are all the same expression of the same values by that expression. These come
 * from code motion into the arms of a branch, and hide that a value is, for instance, an address made from ids. */
void replace_redundant_phis(llvm::Function &function);

/** Brings loops without cut points into LCSSA form. What is kept of their results across a barrier is then the phi at
 * the exit, stored once, and not the value in the loop. */
void form_lcssa_between_barriers(llvm::Function &function, const Regions &regions);

/** Divides induction variables of loops with cut points that differ between work-items, but grow by the same for all of
 * them: `p = phi(p0, p + step)` becomes `p0 + u`, where `u = phi(0, u + step)` is uniform. Only `u` changes in the
 * loop, and one slot for the group keeps it. True when there was one: then
 * `divergence` does not know the new values. */
bool divide_inductions(llvm::Function &function, const Regions &regions, const Divergence &divergence);

}  // namespace quern

#endif
