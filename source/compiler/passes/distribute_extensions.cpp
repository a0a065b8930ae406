/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Distribution of the sign extensions of indices over sums. */
#include "compiler/passes/distribute_extensions.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

/* Nested operations that an extension is distributed over. */
static constexpr unsigned max_depth = 8;

static bool is_index(const SExtInst &extension) {
  return any_of(extension.users(), [](const User *user) { return isa<GetElementPtrInst>(user); });
}

/* An operation that gives the same in more bits. A product of two variables does so too, but wide products of vectors
 * are slow. */
static bool can_distribute(const Value *value) {
  const auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation) return false;
  switch (operation->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub: return operation->hasNoSignedWrap();
    case Instruction::Mul:
    case Instruction::Shl: return operation->hasNoSignedWrap() && isa<Constant>(operation->getOperand(1));
    default: return false;
  }
}

static Value *extend(Value *value, Type *type, IRBuilder<> &builder, unsigned depth = max_depth) {
  if (!depth || !can_distribute(value)) return builder.CreateSExt(value, type);
  auto *operation = cast<BinaryOperator>(value);
  Value *left = extend(operation->getOperand(0), type, builder, depth - 1),
        *right = extend(operation->getOperand(1), type, builder, depth - 1);
  Value *wide = builder.CreateBinOp(operation->getOpcode(), left, right);
  if (auto *instruction = dyn_cast<BinaryOperator>(wide)) instruction->setHasNoSignedWrap();
  return wide;
}

PreservedAnalyses DistributeExtensionsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<WeakTrackingVH, 16> replaced;
  for (Instruction &instruction : instructions(function)) {
    auto *extension = dyn_cast<SExtInst>(&instruction);
    if (!extension || !is_index(*extension) || !can_distribute(extension->getOperand(0))) continue;
    IRBuilder<> builder(extension);
    Value *wide = extend(extension->getOperand(0), extension->getType(), builder);
    wide->takeName(extension);
    extension->replaceAllUsesWith(wide);
    replaced.push_back(extension);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return preserve_blocks(!replaced.empty());
}

}  // namespace quern
