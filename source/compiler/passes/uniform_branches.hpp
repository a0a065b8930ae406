/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cut points around uniform branches that decide on the next barrier. */
#ifndef COMPILER_PASSES_UNIFORM_BRANCHES_HPP
#define COMPILER_PASSES_UNIFORM_BRANCHES_HPP

#include "compiler/passes/divergence.hpp"
#include "compiler/passes/regions.hpp"

namespace quern {

/** Makes regions of their own of uniform branches that decide on the next barrier, with what is uniform in front of
 * them. The group runs such a region once (is_group_region), and the item loops around it have no live-out values: what
 * is left in the loops may then be bounded by the guard around it, as in each step of a tree reduction. True when cut
 * points were added: then `divergence` describes another function. */
bool cut_at_uniform_branches(Regions &regions, const Divergence &divergence);

/** Whether the blocks of a region compute nothing that differs between work-items, and write nothing but
 * `uniform_slots`. One run for the group is then enough. Valid when every value is local to a region. */
bool is_group_region(const BlockSet &region, llvm::function_ref<bool(const llvm::Value *)> is_uniform_slot);

}  // namespace quern

#endif
