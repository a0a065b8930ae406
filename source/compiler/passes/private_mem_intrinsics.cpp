/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Expansion of memset and memcpy of private variables into loads and stores of elements. */
#include "compiler/passes/private_mem_intrinsics.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace quern {
namespace {

/* More elements are expanded to a loop. */
constexpr uint64_t max_straight_elements = 64;

/* The uses of a variable's address, looked through as by SROA. */
class VariableUses {
 public:
  explicit VariableUses(AllocaInst &variable) : layout_(variable.getDataLayout()), variable_(variable) {}

  /** The memsets and memcpys, none unless all can be expanded. */
  ArrayRef<MemIntrinsic *> find();
  /** Bytes of an element. */
  uint64_t element() const { return element_; }

 private:
  bool visit(const Value &address);
  bool visit_access(const Type &type);
  bool visit_intrinsic(MemIntrinsic &intrinsic);
  bool is_expandable(const MemIntrinsic &intrinsic) const;

  const DataLayout &layout_;
  AllocaInst &variable_;
  uint64_t element_ = 0;
  SmallSetVector<MemIntrinsic *, 4> intrinsics_;
};

/* Not pointers, which a copy as integers would take their provenance from. */
bool VariableUses::visit_access(const Type &type) {
  const Type &scalar = *type.getScalarType();
  if (!scalar.isIntegerTy() && !scalar.isFloatingPointTy()) return false;
  const uint64_t bits = layout_.getTypeSizeInBits(const_cast<Type *>(&scalar));
  if (bits % 8 || (element_ && element_ != bits / 8)) return false;
  element_ = bits / 8;
  return isPowerOf2_64(element_);
}

bool VariableUses::visit_intrinsic(MemIntrinsic &intrinsic) {
  auto *set = dyn_cast<MemSetInst>(&intrinsic);
  if (intrinsic.isVolatile() || !isa<ConstantInt>(intrinsic.getLength())) return false;
  if (set ? !isa<ConstantInt>(set->getValue()) : !isa<MemCpyInst>(intrinsic)) return false;
  intrinsics_.insert(&intrinsic);
  return true;
}

bool VariableUses::visit(const Value &address) {
  return all_of(address.uses(), [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    if (user->isLifetimeStartOrEnd()) return true;
    if (auto *intrinsic = dyn_cast<MemIntrinsic>(user)) return visit_intrinsic(*intrinsic);
    if (auto *load = dyn_cast<LoadInst>(user)) return load->isSimple() && visit_access(*load->getType());
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
             visit_access(*store->getValueOperand()->getType());
    return isa<GetElementPtrInst, AddrSpaceCastInst>(user) && !user->getType()->isVectorTy() && visit(*user);
  });
}

bool VariableUses::is_expandable(const MemIntrinsic &intrinsic) const {
  const auto is_aligned = [&](const Value *pointer, MaybeAlign align) {
    return getUnderlyingObject(pointer) != &variable_ || align.valueOrOne().value() >= std::min<uint64_t>(element_, 8);
  };
  const uint64_t length = cast<ConstantInt>(intrinsic.getLength())->getZExtValue();
  auto *copy = dyn_cast<MemCpyInst>(&intrinsic);
  return length % element_ == 0 && is_aligned(intrinsic.getRawDest(), intrinsic.getDestAlign()) &&
         (!copy || is_aligned(copy->getRawSource(), copy->getSourceAlign()));
}

ArrayRef<MemIntrinsic *> VariableUses::find() {
  if (!visit(variable_) || !element_) return {};
  const bool all = all_of(intrinsics_, [&](const MemIntrinsic *intrinsic) { return is_expandable(*intrinsic); });
  return all ? intrinsics_.getArrayRef() : ArrayRef<MemIntrinsic *>();
}

/* Writes one element of the intrinsic. */
void write_element(IRBuilder<> &builder, MemIntrinsic &intrinsic, uint64_t bytes, Value *index) {
  Type *type = builder.getIntNTy(unsigned(bytes * 8));
  Value *value;
  if (auto *copy = dyn_cast<MemCpyInst>(&intrinsic)) {
    Value *from = builder.CreateInBoundsGEP(type, copy->getRawSource(), index);
    value = builder.CreateAlignedLoad(type, from, commonAlignment(copy->getSourceAlign().valueOrOne(), bytes));
  } else {
    auto *byte = cast<ConstantInt>(cast<MemSetInst>(intrinsic).getValue());
    value = builder.getInt(APInt::getSplat(unsigned(bytes * 8), byte->getValue()));
  }
  Value *to = builder.CreateInBoundsGEP(type, intrinsic.getRawDest(), index);
  builder.CreateAlignedStore(value, to, commonAlignment(intrinsic.getDestAlign().valueOrOne(), bytes));
}

void expand(MemIntrinsic &intrinsic, uint64_t bytes) {
  IRBuilder<> builder(&intrinsic);
  const uint64_t count = cast<ConstantInt>(intrinsic.getLength())->getZExtValue() / bytes;
  if (count <= max_straight_elements) {
    for (uint64_t i = 0; i < count; i++) write_element(builder, intrinsic, bytes, builder.getInt64(i));
  } else {
    auto [body, index] = SplitBlockAndInsertSimpleForLoop(builder.getInt64(count), intrinsic.getIterator());
    builder.SetInsertPoint(body);
    write_element(builder, intrinsic, bytes, index);
  }
  intrinsic.eraseFromParent();
}

}  // namespace

PreservedAnalyses ExpandPrivateMemIntrinsicsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<AllocaInst *, 8> variables;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) variables.push_back(variable);
  bool changed = false;
  for (AllocaInst *variable : variables) {
    VariableUses uses(*variable);
    for (MemIntrinsic *intrinsic : uses.find()) {
      expand(*intrinsic, uses.element());
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern
