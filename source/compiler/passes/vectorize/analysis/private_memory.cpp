/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choosing the layout of private variables. */
#include "compiler/passes/vectorize/analysis/private_memory.hpp"

#include <llvm/IR/GetElementPtrTypeIterator.h>

using namespace llvm;

namespace quern {

namespace {

/* Looks at every use of a variable's address; succeeds when all are plain accesses to elements of one size. */
class ElementFinder {
 public:
  explicit ElementFinder(const DataLayout &layout) : linearization_(layout) {}

  /** Bytes of an element, or 0. */
  uint64_t find(const Value &address) { return visit(address) && all_steps_fit() ? element_ : 0; }

 private:
  bool visit(const Value &address);
  bool access(const Type *type, Align align);
  bool step(const GetElementPtrInst &address);
  bool all_steps_fit() const {
    return element_ && all_of(steps_, [&](uint64_t step) { return step % element_ == 0; });
  }

  const DataLayout &linearization_;
  uint64_t element_ = 0;
  SmallVector<uint64_t, 8> steps_;
};

bool ElementFinder::access(const Type *type, Align align) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  Type *element = vector ? vector->getElementType() : const_cast<Type *>(type);
  if (!element->isIntOrPtrTy() && !element->isFloatingPointTy()) return false;
  uint64_t bits = linearization_.getTypeSizeInBits(element);
  if (bits % 8 || linearization_.getTypeAllocSizeInBits(element) != bits || (element_ && element_ != bits / 8))
    return false;
  element_ = bits / 8;
  return align.value() >= std::min<uint64_t>(element_, 8);
}

bool ElementFinder::step(const GetElementPtrInst &address) {
  for (auto part = gep_type_begin(address); part != gep_type_end(address); ++part) {
    if (StructType *type = part.getStructTypeOrNull()) {
      auto index = cast<ConstantInt>(part.getOperand())->getZExtValue();
      steps_.push_back(linearization_.getStructLayout(type)->getElementOffset(unsigned(index)));
    } else if (auto *constant = dyn_cast<ConstantInt>(part.getOperand())) {
      steps_.push_back(uint64_t(constant->getSExtValue()) * part.getSequentialElementStride(linearization_));
    } else {
      steps_.push_back(part.getSequentialElementStride(linearization_));
    }
  }
  return !address.getType()->isVectorTy();
}

bool ElementFinder::visit(const Value &address) {
  for (const User *user : address.users()) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (!load->isSimple() || !access(load->getType(), load->getAlign())) return false;
    } else if (auto *store = dyn_cast<StoreInst>(user)) {
      if (!store->isSimple() || store->getValueOperand() == &address) return false;
      if (!access(store->getValueOperand()->getType(), store->getAlign())) return false;
    } else if (auto *part = dyn_cast<GetElementPtrInst>(user)) {
      if (part->getPointerOperand() != &address || !step(*part) || !visit(*part)) return false;
    } else if (isa<AddrSpaceCastInst>(user)) {
      if (!visit(*user)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

PrivateMemory::PrivateMemory(const ItemBody &body) {
  const DataLayout &layout = body.function().getDataLayout();
  for (const Argument &argument : body.function().args()) {
    AllocaInst *alloca = body.variable(&argument);
    if (!alloca) continue;
    uint64_t size = alloca->getAllocationSize(layout)->getFixedValue();
    size = alignTo(size, alloca->getAlign());
    variables_[&argument] = {alloca, size, ElementFinder(layout).find(argument)};
  }
}

DenseMap<const Argument *, Shape> PrivateMemory::shapes() const {
  DenseMap<const Argument *, Shape> shapes;
  for (auto &[argument, variable] : variables_) {
    shapes[argument] = variable.element ? Shape{Shape::uniform, 0} : Shape{Shape::strided, int64_t(variable.size)};
  }
  return shapes;
}

SmallPtrSet<const Argument *, 8> PrivateMemory::parameters() const {
  SmallPtrSet<const Argument *, 8> parameters;
  for (auto &entry : variables_) parameters.insert(entry.first);
  return parameters;
}

uint64_t PrivateMemory::size() const {
  uint64_t size = 0;
  for (auto &entry : variables_) size += entry.second.size;
  return size;
}

const PrivateVariable *PrivateMemory::interleaved(const Value *address) const {
  while (true) {
    if (auto *part = dyn_cast<GetElementPtrInst>(address)) {
      address = part->getPointerOperand();
    } else if (auto *cast = dyn_cast<AddrSpaceCastInst>(address)) {
      address = cast->getPointerOperand();
    } else {
      break;
    }
  }
  auto *argument = dyn_cast<Argument>(address);
  auto found = argument ? variables_.find(argument) : variables_.end();
  return found == variables_.end() || !found->second.element ? nullptr : &found->second;
}

}  // namespace quern
