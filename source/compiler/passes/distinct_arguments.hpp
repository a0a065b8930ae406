/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A version of kernels for launches whose buffers do not overlap. */
#ifndef COMPILER_PASSES_DISTINCT_ARGUMENTS_HPP
#define COMPILER_PASSES_DISTINCT_ARGUMENTS_HPP

#include <llvm/IR/PassManager.h>

namespace quern {

/** Versions the entries of a module for arguments that point into buffers which do not overlap, as if each were
 * `restrict`. LLVM's LoopVersioningLICM does this for a loop, with runtime checks before it. Here the target checks the
 * buffers once for each launch, so the condition is the same for all work-items.
 *
 * The version is a clone of the entry with the prefix PASSES_DISTINCT_PREFIX. It has scoped noalias metadata on the
 * accesses, and LICM has hoisted loads and promoted stores out of the loops of a work-item. A clone that LICM does not
 * improve is dropped. Arguments are the loads with PASSES_ARGUMENT_METADATA. */
class VersionDistinctArgumentsPass : public llvm::PassInfoMixin<VersionDistinctArgumentsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

}  // namespace quern

#endif
