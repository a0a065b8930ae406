/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Rounding of halves by roundeven. */
#include "host/codegen/passes/half_rounding.hpp"

#include <llvm/IR/Intrinsics.h>

using namespace llvm;

void quern::round_halves_to_even(Module &module) {
  Function *round = module.getFunction("llvm.rint.f16");
  if (!round) return;
  Type *half = Type::getHalfTy(module.getContext());
  round->replaceAllUsesWith(Intrinsic::getOrInsertDeclaration(&module, Intrinsic::roundeven, {half}));
  round->eraseFromParent();
}
