/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops with a step, as loops of the group. */
#ifndef COMPILER_PASSES_STRIDE_TURNS_HPP
#define COMPILER_PASSES_STRIDE_TURNS_HPP

#include "compiler/passes/stride_gain.hpp"
#include "compiler/passes/stride_loop.hpp"

namespace quern {

/** In the metadata of what a turn loads and stores. */
constexpr const char *stride_mark = "quern.stride";

/** Gives the loop a second form with a barrier in each turn, which runs where numbers are small and what `gain` asks
 * for is there. The loop must be in simplified form, and left through phis. */
void stride_in_turns(const StrideLoop &stride, const StrideGain &gain);

}  // namespace quern

#endif
