/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Versions of inner loops for vectors whose lanes agree on the bounds. */
#ifndef COMPILER_PASSES_VECTORIZE_TRANSFORM_DYNAMIC_UNIFORMITY_HPP
#define COMPILER_PASSES_VECTORIZE_TRANSFORM_DYNAMIC_UNIFORMITY_HPP

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

namespace quern {

class ShapeAnalysis;

/** A loop that counts by a constant from `start`, until the counter, before or after its step, is compared with `end`.
 * The handles are null for what was deleted. */
struct CountedLoop {
  llvm::WeakVH counter, start, end;
};

/** Canonicalizes the body of a work-item, if it has an operation that may clamp a bound, and finds the loops that count
 * by constants. The order is the same for each copy of a body. */
llvm::SmallVector<CountedLoop, 4> find_counted_loops(llvm::Function &body);

/** Which bounds of a loop differ between the lanes by what is known, but are mostly shared. */
enum class SharedBounds : uint8_t { none, start, both };

/** Finds these bounds by the shapes of the body that has the loop: each is a minimum, maximum, select or saturating
 * difference, one of whose operands is uniform. The taps of a filter are cut like this at the border of the data:
 * `start = x + r >= n ? x + r + 1 - n : 0`. `none` where another bound varies. Also where the start is uniform, as the
 * counter is then, and where it is the work-item's id less a uniform value, which lanes share at the border alone. */
SharedBounds find_clamped_bounds(const CountedLoop &loop, const ShapeAnalysis &shapes);

/** Versions loops of a body that find_counted_loops has found, but none inside another one, for bounds that all active
 * lanes share, which a test before the loop finds out: bounds that are dynamically uniform, in the terms of SPIR-V. In
 * the version the loop has no masks, and its counter is uniform, so that addresses made of it and of the work-item's id
 * are contiguous. RV has such versions; the test is the counterpart of BOSCC for all lanes (Shin, "Introducing Control
 * Flow into Vectorized Code", PACT 2007). Returns whether there is a version. */
bool version_uniform_loops(llvm::Function &body, llvm::ArrayRef<std::pair<CountedLoop, SharedBounds>> chosen);

/** Whether the branch chooses between a loop and its version for uniform bounds, the first successor. */
bool is_uniformity_test(const llvm::Instruction &branch);

}  // namespace quern

#endif
