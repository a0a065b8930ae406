/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A shuffle that says what it has in all places is no extension. */
#include "compiler/passes/byte_shuffles.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

/* Bytes of the widest register. */
static constexpr size_t most_bytes = 64;

/* Nothing in particular, whatever it came through. */
static bool is_nothing(const Value *vector, int place) {
  while (auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
    const int from = shuffle->getMaskValue(unsigned(place));
    if (from == PoisonMaskElem) return true;
    const int count = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    vector = shuffle->getOperand(from < count ? 0 : 1);
    place = from % count;
  }
  auto *constant = dyn_cast<Constant>(vector);
  const Constant *element = constant ? constant->getAggregateElement(unsigned(place)) : nullptr;
  return element && isa<UndefValue>(element);
}

/* Every other place holds nothing. */
static bool is_zero_extending_shuffle(const ShuffleVectorInst &shuffle) {
  auto *type = dyn_cast<FixedVectorType>(shuffle.getType());
  if (!type || !type->getElementType()->isIntegerTy(8)) return false;
  const unsigned count = type->getNumElements();
  if (count <= most_bytes || count % 2) return false;
  for (unsigned i = 1; i < count; i += 2) {
    if (!is_nothing(&shuffle, int(i))) return false;
  }
  return true;
}

void quern::fix_byte_shuffles(Module &module) {
  for (Function &function : module) {
    for (Instruction &instruction : instructions(function)) {
      auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
      if (!shuffle || !is_zero_extending_shuffle(*shuffle)) continue;
      SmallVector<int, 2 * most_bytes> twice(shuffle->getShuffleMask());
      for (size_t i = 0; i < twice.size(); i += 2) twice[i + 1] = twice[i];
      shuffle->setShuffleMask(twice);
    }
  }
}
