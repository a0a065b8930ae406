/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choice of the layout of private variables. */
#include "compiler/passes/vectorize/analysis/private_memory.hpp"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

using namespace llvm;

namespace quern {

namespace {

/* Visits all uses of a variable's address. It succeeds if all are simple accesses to elements of one size, at multiples
 * of that size. */
class ElementFinder {
 public:
  explicit ElementFinder(const DataLayout &layout) : layout_(layout) {}

  /** Bytes of an element, or 0 if the variable cannot be interleaved. */
  uint64_t find(const Value &address) { return visit_uses(address) && are_offsets_aligned() ? element_ : 0; }

 private:
  bool visit_uses(const Value &address);
  bool visit_access(const Type *type, Align align);
  bool visit_gep(const GetElementPtrInst &address);
  bool are_offsets_aligned() const {
    return element_ && all_of(offsets_, [&](uint64_t offset) { return offset % element_ == 0; });
  }

  const DataLayout &layout_;
  uint64_t element_ = 0;
  /** Constant offsets, and the strides of variable indices. */
  SmallVector<uint64_t, 8> offsets_;
};

bool ElementFinder::visit_access(const Type *type, Align align) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  Type *element = vector ? vector->getElementType() : const_cast<Type *>(type);
  if (!element->isIntOrPtrTy() && !element->isFloatingPointTy()) return false;
  uint64_t bits = layout_.getTypeSizeInBits(element);
  if (bits % 8 || layout_.getTypeAllocSizeInBits(element) != bits || (element_ && element_ != bits / 8)) return false;
  element_ = bits / 8;
  return align.value() >= std::min<uint64_t>(element_, 8);
}

bool ElementFinder::visit_gep(const GetElementPtrInst &address) {
  for (auto type = gep_type_begin(address); type != gep_type_end(address); ++type) {
    if (StructType *structure = type.getStructTypeOrNull()) {
      auto member = cast<ConstantInt>(type.getOperand())->getZExtValue();
      offsets_.push_back(layout_.getStructLayout(structure)->getElementOffset(unsigned(member)));
    } else if (auto *constant = dyn_cast<ConstantInt>(type.getOperand())) {
      offsets_.push_back(uint64_t(constant->getSExtValue()) * type.getSequentialElementStride(layout_));
    } else {
      offsets_.push_back(type.getSequentialElementStride(layout_));
    }
  }
  return !address.getType()->isVectorTy();
}

bool ElementFinder::visit_uses(const Value &address) {
  for (const User *user : address.users()) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (!load->isSimple() || !visit_access(load->getType(), load->getAlign())) return false;
    } else if (auto *store = dyn_cast<StoreInst>(user)) {
      if (!store->isSimple() || store->getValueOperand() == &address) return false;
      if (!visit_access(store->getValueOperand()->getType(), store->getAlign())) return false;
    } else if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      if (gep->getPointerOperand() != &address || !visit_gep(*gep) || !visit_uses(*gep)) return false;
    } else if (isa<AddrSpaceCastInst>(user)) {
      if (!visit_uses(*user)) return false;
    } else {
      return false;
    }
  }
  return true;
}

/* Computes the addresses that are made of `address` again before each use outside of the innermost cycle that makes
 * them: a phi at the cycle's exit would hold an address, and not know of which variable. */
void recompute_outside_cycles(Value &address, const CycleInfo &cycles) {
  for (User *user : make_early_inc_range(address.users())) {
    if (isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user)) recompute_outside_cycles(*user, cycles);
  }
  auto *instruction = dyn_cast<Instruction>(&address);
  const Cycle *cycle = instruction ? cycles.getCycle(instruction->getParent()) : nullptr;
  if (!cycle) return;
  for (Use &use : make_early_inc_range(address.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (cycle->contains(user->getParent())) continue;
    Instruction *again = instruction->clone();
    again->insertBefore(user->getIterator());
    use.set(again);
  }
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
  CycleInfo cycles;
  cycles.compute(body.function());
  for (Argument &argument : body.function().args()) {
    if (interleaved(&argument)) recompute_outside_cycles(argument, cycles);
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
    if (auto *gep = dyn_cast<GetElementPtrInst>(address)) {
      address = gep->getPointerOperand();
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
