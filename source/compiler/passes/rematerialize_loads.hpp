/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rematerialization of broadcast loads in loops that have more live vectors than registers. */
#ifndef COMPILER_PASSES_REMATERIALIZE_LOADS_HPP
#define COMPILER_PASSES_REMATERIALIZE_LOADS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Moves loads of scalars that were hoisted out of an innermost loop, and their broadcasts to vectors, back to the one
 * instruction that uses them, where more vectors live through the loop than the target has registers. The register
 * allocator would store and reload a whole vector instead (compare rematerialization, Briggs et al., 1992; LLVM's takes
 * no loads that are not invariant), whereas a load that is broadcast is an operand of the instruction that uses it.
 * Matrix products keep a block of sums in registers and have such loads. Nothing that the loop writes may overlap what
 * is loaded. Runs after LICM. */
class RematerializeLoadsPass : public llvm::PassInfoMixin<RematerializeLoadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
