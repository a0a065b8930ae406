/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * An estimate of 14 bits, and a step of Newton's. */
#include "compiler/passes/inverse_roots.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static constexpr unsigned lanes = 16;

/* OpenCL C section 7.4: what a division of floats may be off by, unless it was built to be exact. */
static constexpr float division_accuracy = 2.5f;

/* The x of 1 / sqrt(x), or null. */
static Value *find_square(Instruction &instruction) {
  Value *root, *square;
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!type || !type->getElementType()->isFloatTy() || type->getNumElements() % lanes) return nullptr;
  if (!match(&instruction, m_FDiv(m_FPOne(), m_Value(root))) || !root->hasOneUse()) return nullptr;
  if (cast<FPMathOperator>(instruction).getFPAccuracy() < division_accuracy) return nullptr;
  return match(root, m_Intrinsic<Intrinsic::sqrt>(m_Value(square))) ? square : nullptr;
}

/* y + y/2 * (1 - x y^2). Where y is infinite or zero, x y^2 is no number, and y stays. */
static Value *inverse_root(Value *x, IRBuilder<> &builder) {
  Type *type = x->getType();
  Value *y = builder.CreateIntrinsic(Intrinsic::x86_avx512_rsqrt14_ps_512, {},
                                     {x, Constant::getNullValue(type), builder.getInt16(0xffff)});
  auto fused = [&](Value *a, Value *b, Value *c) { return builder.CreateIntrinsic(Intrinsic::fma, {type}, {a, b, c}); };
  Value *rest = fused(builder.CreateFNeg(builder.CreateFMul(x, y)), y, ConstantFP::get(type, 1));
  Value *better = fused(builder.CreateFMul(y, ConstantFP::get(type, 0.5)), rest, y);
  return builder.CreateSelect(builder.CreateFCmpORD(rest, rest), better, y);
}

static void replace(Instruction &division, Value *square) {
  IRBuilder<> builder(&division);
  unsigned count = cast<FixedVectorType>(square->getType())->getNumElements();
  Value *all = nullptr;
  for (unsigned first = 0; first < count; first += lanes) {
    Value *part = square;
    if (count > lanes)
      part = builder.CreateExtractVector(FixedVectorType::get(builder.getFloatTy(), lanes), square, first);
    Value *done = inverse_root(part, builder);
    if (count > lanes && !all) all = PoisonValue::get(square->getType());
    all = all ? builder.CreateInsertVector(square->getType(), all, done, uint64_t(first)) : done;
  }
  auto *root = cast<Instruction>(division.getOperand(1));
  division.replaceAllUsesWith(all);
  division.eraseFromParent();
  root->eraseFromParent();
}

PreservedAnalyses InverseRootsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  (void)analyses;
  SmallVector<std::pair<Instruction *, Value *>, 4> found;
  for (Instruction &instruction : instructions(function)) {
    if (Value *square = find_square(instruction)) found.emplace_back(&instruction, square);
  }
  for (auto [division, square] : found) replace(*division, square);
  if (found.empty()) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace quern
