/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Workaround for zero-extending byte shuffles: a shuffle without undefined elements is not taken for an extension. */
#include "host/codegen/passes/byte_shuffles.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

/* Bytes of the widest register. */
static constexpr size_t register_bytes = 64;

/* Whether the element is undefined, looking through shuffles. */
static bool is_undefined_element(const Value *vector, int index) {
  while (auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
    const int from = shuffle->getMaskValue(unsigned(index));
    if (from == PoisonMaskElem) return true;
    const int count = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    vector = shuffle->getOperand(from < count ? 0 : 1);
    index = from % count;
  }
  auto *constant = dyn_cast<Constant>(vector);
  const Constant *element = constant ? constant->getAggregateElement(unsigned(index)) : nullptr;
  return element && isa<UndefValue>(element);
}

/* Whether the shuffle is wider than a register and all its odd elements are undefined. */
static bool is_zero_extending_shuffle(const ShuffleVectorInst &shuffle) {
  auto *type = dyn_cast<FixedVectorType>(shuffle.getType());
  if (!type || !type->getElementType()->isIntegerTy(8)) return false;
  const unsigned count = type->getNumElements();
  if (count <= register_bytes || count % 2) return false;
  for (unsigned i = 1; i < count; i += 2) {
    if (!is_undefined_element(&shuffle, int(i))) return false;
  }
  return true;
}

void quern::fix_byte_shuffles(Module &module) {
  for (Function &function : module) {
    for (Instruction &instruction : instructions(function)) {
      auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
      if (!shuffle || !is_zero_extending_shuffle(*shuffle)) continue;
      SmallVector<int, 2 * register_bytes> mask(shuffle->getShuffleMask());
      for (size_t i = 0; i < mask.size(); i += 2) mask[i + 1] = mask[i];
      shuffle->setShuffleMask(mask);
    }
  }
}
