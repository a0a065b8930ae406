/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Short copies within a private variable, element by element. */
#include "compiler/passes/private_moves.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace quern {
namespace {

constexpr uint64_t most_elements = 64, widest_element = 8;

bool is_within_variable(const MemTransferInst &copy) {
  auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(copy.getRawDest()));
  return variable && getUnderlyingObject(copy.getRawSource()) == variable;
}

/* The bytes of the largest elements that both sides and the length are made of. */
uint64_t element_size(const MemTransferInst &copy, uint64_t bytes) {
  uint64_t both = std::min(copy.getDestAlign().valueOrOne(), copy.getSourceAlign().valueOrOne()).value();
  return MinAlign(MinAlign(both, bytes), widest_element);
}

bool expand(MemTransferInst &copy) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile() || !is_within_variable(copy)) return false;
  uint64_t bytes = length->getZExtValue(), size = element_size(copy, bytes);
  if (bytes == 0 || bytes / size > most_elements) return false;
  IRBuilder<> builder(&copy);
  Type *type = builder.getIntNTy(unsigned(8 * size));
  SmallVector<Value *, most_elements> elements;
  for (uint64_t at = 0; at < bytes; at += size) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawSource(), at);
    elements.push_back(builder.CreateAlignedLoad(type, address, Align(size)));
  }
  for (auto [index, element] : enumerate(elements)) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), index * size);
    builder.CreateAlignedStore(element, address, Align(size));
  }
  copy.eraseFromParent();
  return true;
}

}  // namespace

PreservedAnalyses PrivateMovesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) changed |= expand(*copy);
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace quern
