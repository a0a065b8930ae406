/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Distribution of the sign extensions of indices over sums. */
#include "compiler/passes/distribute_extensions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
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
    case Instruction::Or: return cast<PossiblyDisjointInst>(operation)->isDisjoint();
    case Instruction::Add:
    case Instruction::Sub: return operation->hasNoSignedWrap();
    case Instruction::Mul:
    case Instruction::Shl: return operation->hasNoSignedWrap() && isa<Constant>(operation->getOperand(1));
    default: return false;
  }
}

/* True where a sum has a term from memory. Over work-items such a sum mostly has no stride: it is the index of a
 * gather, and gathers with 32-bit indices are faster. */
static bool has_loaded_term(const Value *value, unsigned depth = max_depth) {
  if (!depth || !can_distribute(value)) return isa<LoadInst>(value);
  const auto *operation = cast<BinaryOperator>(value);
  return has_loaded_term(operation->getOperand(0), depth - 1) || has_loaded_term(operation->getOperand(1), depth - 1);
}

namespace {

/* Writes what replaces one extension, in front of it. What its sums share is written once. */
class Distribution {
 public:
  explicit Distribution(SExtInst &extension) : type_(extension.getType()), builder_(&extension) {}

  Value *extend(Value *value, unsigned depth = max_depth);

 private:
  Value *distribute(BinaryOperator &operation, unsigned depth);

  Type *type_;
  IRBuilder<> builder_;
  SmallDenseMap<Value *, Value *> extended_;
};

}  // namespace

Value *Distribution::distribute(BinaryOperator &operation, unsigned depth) {
  Value *left = extend(operation.getOperand(0), depth), *right = extend(operation.getOperand(1), depth);
  const auto opcode = operation.getOpcode();
  /* A disjoint or is a sum. */
  Value *wide = builder_.CreateBinOp(opcode == Instruction::Or ? Instruction::Add : opcode, left, right);
  if (auto *instruction = dyn_cast<BinaryOperator>(wide)) instruction->setHasNoSignedWrap();
  return wide;
}

Value *Distribution::extend(Value *value, unsigned depth) {
  if (Value *known = extended_.lookup(value)) return known;
  Value *wide = depth && can_distribute(value) ? distribute(*cast<BinaryOperator>(value), depth - 1)
                                               : builder_.CreateSExt(value, type_);
  return extended_[value] = wide;
}

PreservedAnalyses DistributeExtensionsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<WeakTrackingVH, 16> replaced;
  for (Instruction &instruction : instructions(function)) {
    auto *extension = dyn_cast<SExtInst>(&instruction);
    if (!extension || !is_index(*extension) || !can_distribute(extension->getOperand(0)) ||
        has_loaded_term(extension->getOperand(0)))
      continue;
    Value *wide = Distribution(*extension).extend(extension->getOperand(0));
    wide->takeName(extension);
    extension->replaceAllUsesWith(wide);
    replaced.push_back(extension);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return preserve_blocks(!replaced.empty());
}

}  // namespace quern
