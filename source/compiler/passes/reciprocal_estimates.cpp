/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divisions that LLVM takes for less than they are. */
#include "compiler/passes/reciprocal_estimates.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/passes.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace quern;

static bool is_exact(const Instruction &division) {
  const Type *type = division.getType()->getScalarType();
  return type->isHalfTy() || (type->isFloatTy() && !division.getMetadata(LLVMContext::MD_fpmath));
}

extern "C" void passes_keep_exact_divisions(LLVMModuleRef module) {
  for (Function &function : *unwrap(module)) {
    for (Instruction &instruction : instructions(function)) {
      if (match(&instruction, m_FDiv(m_Value(), m_Value())) && is_exact(instruction)) {
        instruction.setHasAllowReciprocal(false);
      }
    }
  }
}

/* LLVM 22 does not ask whether x may be zero before it makes y / sqrt(x) from an estimate, which is no number then. */
static void keep_zeros(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    if (match(&instruction, m_FDiv(m_Value(), m_Intrinsic<Intrinsic::sqrt>())) && !instruction.hasNoInfs()) {
      instruction.setHasAllowReciprocal(false);
    }
  }
}

/* LLVM 22 makes divisions of floats from x86's estimate of 12 bits and one step of Newton's: up to 2.8 ulp, where
 * OpenCL C allows 2.5 (section 7.4). Of halves it takes the estimates as they are, of 11 bits. */
void quern::forbid_reciprocal_estimates(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("reciprocal-estimates", "!div,!vec-div,!sqrth,!vec-sqrth");
    keep_zeros(function);
  }
}
