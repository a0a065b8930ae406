/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Restriction of LLVM's reciprocal estimates to divisions that allow them. */
#include "host/codegen/passes/reciprocal_estimates.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

/* LLVM 22 computes y / sqrt(x) from an estimate without a check for x = 0, where the result is NaN. */
static void forbid_inverse_root_of_zero(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    if (match(&instruction, m_FDiv(m_Value(), m_Intrinsic<Intrinsic::sqrt>())) && !instruction.hasNoInfs()) {
      instruction.setHasAllowReciprocal(false);
    }
  }
}

/* LLVM 22 computes divisions of floats from x86's 12-bit estimate and one Newton-Raphson step: up to 2.8 ulp, where
 * OpenCL C allows 2.5 (section 7.4). For halves it uses the 11-bit estimates unrefined. */
void quern::forbid_reciprocal_estimates(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("reciprocal-estimates", "!div,!vec-div,!sqrth,!vec-sqrth");
    forbid_inverse_root_of_zero(function);
  }
}
