/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * ScalarEvolution of a function that no pass manager knows. */
#ifndef COMPILER_PASSES_FUNCTION_EVOLUTION_HPP
#define COMPILER_PASSES_FUNCTION_EVOLUTION_HPP

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

namespace quern {

/** ScalarEvolution of a function, with the analyses that it needs. It becomes invalid when the function changes. */
class FunctionEvolution {
 public:
  explicit FunctionEvolution(llvm::Function &function)
      : dominators(function),
        loops(dominators),
        assumptions_(function),
        functions_(llvm::Triple(function.getParent()->getTargetTriple())),
        library_(functions_, &function),
        SE(function, library_, assumptions_, dominators, loops) {}

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;

 private:
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl functions_;
  llvm::TargetLibraryInfo library_;

 public:
  llvm::ScalarEvolution SE;
};

}  // namespace quern

#endif
