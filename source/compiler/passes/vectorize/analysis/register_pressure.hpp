/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Register pressure: how many registers the values of a body occupy at once. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_REGISTER_PRESSURE_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_REGISTER_PRESSURE_HPP

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/BasicBlock.h>

namespace quern {

/** The most registers that are live at once, for each block of a function. */
class RegisterPressure {
 public:
  /** Computes it for `blocks`, which are all of a function's. `registers` tells how many registers a value occupies in
   * the form that is asked about, 0 for values that are not in registers of this class. Unlike
   * LoopVectorizationCostModel::calculateRegisterUsage it follows SSA liveness through branches, since bodies here have
   * any control flow. */
  RegisterPressure(llvm::ArrayRef<llvm::BasicBlock *> blocks,
                   llvm::function_ref<unsigned(const llvm::Instruction &)> registers);

  unsigned most_live(const llvm::BasicBlock *block) const { return most_live_.lookup(block); }

  /** The share of a block's register operands that is in memory, when there are `available` registers: 0 to 1. */
  double spilled_share(const llvm::BasicBlock *block, unsigned available) const;

 private:
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> most_live_;
};

}  // namespace quern

#endif
