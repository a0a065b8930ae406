/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Divisions that must be correctly rounded. */
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/passes.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/* Whether the division must be correctly rounded: halves, and floats without !fpmath. */
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
