/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vector forms of loads and stores, by what the addresses of the lanes have to do with each other. */
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/analysis/strides.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* Most elements from one lane to the next. */
static constexpr unsigned widest_step = 8;

unsigned single_step(uint64_t size) { return size == 4 ? 4 : 2; }

/* True when the leaves of `type` are whole bytes and lie one behind the other without gaps. */
bool Widener::is_plain(Type *type) const {
  if (type->isAggregateType()) return false;
  Type *element = type->getScalarType();
  return data_.getTypeSizeInBits(element) % 8 == 0 &&
         data_.getTypeSizeInBits(element) == data_.getTypeAllocSizeInBits(element);
}

/* When the lanes' elements lie in a row, or rows with small gaps: elements from one lane's first to the next lane's;
 * else 0. */
unsigned Widener::consecutive_step(Value *pointer, ArrayRef<Type *> components) const {
  Shape shape = analysis_.shape(pointer);
  if (shape.kind != Shape::strided || shape.stride <= 0) return 0;
  uint64_t size = data_.getTypeAllocSize(components[0]);
  uint64_t stride = uint64_t(shape.stride);
  if (stride % size || stride * width_ > widest_access) return 0;
  uint64_t step = stride / size;
  if (step < components.size() || step > widest_step) return 0;
  return components.size() == 1 && step > single_step(size) ? 0 : unsigned(step);
}

/* `step` elements for each lane, those of them on that have a bit in `slots`, where the lane is. */
Value *Widener::repeat_mask(Value *mask, unsigned step, unsigned slots) {
  if (step == 1) return mask;
  unsigned count = width_ * step;
  SmallVector<Constant *, 64> in_use;
  SmallVector<int, 64> lane_of;
  for (unsigned i = 0; i < count; i++) {
    in_use.push_back(builder_.getInt1(slots >> i % step & 1));
    lane_of.push_back(int(i / step));
  }
  Value *gaps = slots != (1U << step) - 1 ? ConstantVector::get(in_use) : nullptr;
  if (!mask) return gaps;
  Value *repeated = builder_.CreateShuffleVector(mask, lane_of);
  return gaps ? builder_.CreateAnd(repeated, gaps) : repeated;
}

SmallVector<int, 64> every(unsigned step, unsigned first, unsigned count) {
  SmallVector<int, 64> indices;
  for (unsigned i = 0; i < count; i++) indices.push_back(int(first + i * step));
  return indices;
}

void keep_metadata(Instruction *to, const Instruction &from) {
  to->copyMetadata(from, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                          LLVMContext::MD_nontemporal, LLVMContext::MD_invariant_load});
}

Align Widener::contiguous_align(Align align, const Value *address) const {
  int64_t stride = analysis_.shape(address).stride;
  return mask_ ? commonAlignment(align, uint64_t(stride < 0 ? -stride : stride)) : align;
}

Components Widener::load_consecutive(LoadInst &load, ArrayRef<Type *> types, unsigned step) {
  auto *type = FixedVectorType::get(types[0], width_ * step);
  Value *mask = repeat_mask(mask_, step, (1U << types.size()) - 1);
  Value *first = scalar(load.getPointerOperand());
  Align align = contiguous_align(load.getAlign(), load.getPointerOperand());
  Instruction *all = mask ? static_cast<Instruction *>(builder_.CreateMaskedLoad(type, first, align, mask))
                          : builder_.CreateAlignedLoad(type, first, align);
  keep_metadata(all, load);
  if (step == 1) return {all};
  Components components;
  for (unsigned i = 0; i < types.size(); i++)
    components.push_back(builder_.CreateShuffleVector(all, every(step, i, width_)));
  return components;
}

/* What may wrap for the lanes that make an access. */
NoWrapChecks Widener::no_wrap_checks_to_test(const Instruction &access, const Value *pointer) const {
  NoWrapChecks doubtful;
  const NoWrapChecks *all = analysis_.no_wrap_checks(pointer);
  bool first_runs = input_.first_runs && analysis_.block(access.getParent()).root == analysis_.order().front();
  for (Instruction *extension : all ? all->getArrayRef() : ArrayRef<Instruction *>()) {
    bool is_kept = first_runs && analysis_.is_kept_by_flags(extension);
    if (!is_kept && !analysis_.is_assumed_block(extension)) doubtful.insert(extension);
  }
  return doubtful;
}

/* True when the value does not wrap from the first lane to the last. */
Value *Widener::test_extension(Instruction &extension, int64_t span) {
  Value *narrow = scalar(extension.getOperand(0));
  const unsigned bits = narrow->getType()->getIntegerBitWidth();
  bool is_signed = isa<SExtInst>(extension) || (isa<ZExtInst>(extension) && extension.hasNonNeg());
  if (!isUIntN(bits, uint64_t(span < 0 ? -span : span))) return builder_.getFalse();
  /* The last value of lane 0 from which the others do not get over the edge. */
  APInt edge = span > 0    ? is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)
               : is_signed ? APInt::getSignedMinValue(bits)
                           : APInt::getMinValue(bits);
  Value *limit = ConstantInt::get(context_, edge - APInt(bits, uint64_t(span), true, true));
  CmpInst::Predicate predicate = span > 0    ? is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE
                                 : is_signed ? CmpInst::ICMP_SGE
                                             : CmpInst::ICMP_UGE;
  return builder_.CreateICmp(predicate, narrow, limit);
}

/* True when the limit is reached by no lane, and none wraps: computed in 64 bits, of values of at most 32. */
Value *Widener::test_clamp(MinMaxIntrinsic &limit, int64_t span) {
  bool left_moves = !analysis_.is_uniform(limit.getLHS());
  auto extend = [&](Value *value) {
    return builder_.CreateIntCast(scalar(value), builder_.getInt64Ty(), limit.isSigned());
  };
  Value *first = extend(left_moves ? limit.getLHS() : limit.getRHS());
  Value *bound = extend(left_moves ? limit.getRHS() : limit.getLHS());
  Value *last = builder_.CreateNSWAdd(first, builder_.getInt64(uint64_t(span)));
  bool is_minimum = limit.getIntrinsicID() == Intrinsic::smin || limit.getIntrinsicID() == Intrinsic::umin;
  unsigned bits = limit.getType()->getIntegerBitWidth();
  bool is_signed = limit.isSigned();
  APInt highest = is_signed ? APInt::getSignedMaxValue(bits).sext(64) : APInt::getMaxValue(bits).zext(64);
  APInt lowest = is_signed ? APInt::getSignedMinValue(bits).sext(64) : APInt(64, 0);
  Value *top = is_minimum ? bound : ConstantInt::get(context_, highest);
  Value *bottom = is_minimum ? ConstantInt::get(context_, lowest) : bound;
  Value *below = builder_.CreateICmpSLE(span > 0 ? last : first, top);
  return builder_.CreateAnd(below, builder_.CreateICmpSGE(span > 0 ? first : last, bottom));
}

/* True when the lanes are in one block, whose length is that of the ones that the mask ends with: what each adds to the
 * number of lane 0 is not carried beyond these. */
Value *Widener::test_aligned_block(Value *number, Value *mask, int64_t span) {
  const uint64_t distance = uint64_t(span < 0 ? -span : span);
  if (!isUIntN(mask->getType()->getIntegerBitWidth(), distance)) return builder_.getFalse();
  Value *next = builder_.CreateAdd(mask, ConstantInt::get(mask->getType(), 1));
  Value *last = builder_.CreateAnd(mask, builder_.CreateNot(next));
  Value *first = builder_.CreateAnd(number, last);
  Value *room = span > 0 ? builder_.CreateSub(last, first) : first;
  return builder_.CreateICmpUGE(room, ConstantInt::get(room->getType(), distance));
}

/* The mask is the uniform operand, or that of the bits below it. */
Value *Widener::test_masked_index(Instruction &place, int64_t span) {
  const bool left_moves = !analysis_.is_uniform(place.getOperand(0));
  Value *number = scalar(place.getOperand(left_moves ? 0 : 1)), *other = scalar(place.getOperand(left_moves ? 1 : 0));
  if (place.getOpcode() == Instruction::And) return test_aligned_block(number, other, span);
  return test_aligned_block(
      number, ConstantInt::get(place.getType(), maskTrailingOnes<uint64_t>(mask_bits(place, analysis_))), span);
}

Value *Widener::test_no_wrap(const NoWrapChecks &no_wrap_checks) {
  Value *all = nullptr;
  for (Instruction *check : no_wrap_checks) {
    int64_t span = analysis_.shape(check).stride * int64_t(width_ - 1);
    auto *limit = dyn_cast<MinMaxIntrinsic>(check);
    Value *fits = limit                        ? test_clamp(*limit, span)
                  : isa<BinaryOperator>(check) ? test_masked_index(*check, span)
                                               : test_extension(*check, span);
    all = all ? builder_.CreateAnd(all, fits) : fits;
  }
  return all;
}

Components Widener::load_tested(LoadInst &load, ArrayRef<Type *> types, unsigned step,
                                const NoWrapChecks &no_wrap_checks) {
  BasicBlock *row = BasicBlock::Create(context_, "row", &target_, after_);
  BasicBlock *apart = BasicBlock::Create(context_, "apart", &target_, after_);
  BasicBlock *behind = BasicBlock::Create(context_, "loaded", &target_, after_);
  builder_.CreateCondBr(test_no_wrap(no_wrap_checks), row, apart);
  builder_.SetInsertPoint(row);
  Components from_row = load_consecutive(load, types, step);
  builder_.CreateBr(behind);
  builder_.SetInsertPoint(apart);
  Components from_apart = gather(load, types);
  builder_.CreateBr(behind);
  builder_.SetInsertPoint(behind);
  Components components;
  for (auto [first, second] : zip(from_row, from_apart)) {
    PHINode *phi = builder_.CreatePHI(first->getType(), 2, load.getName());
    phi->addIncoming(first, row);
    phi->addIncoming(second, apart);
    components.push_back(phi);
  }
  return components;
}

void Widener::store_tested(StoreInst &store, const Components &values, unsigned step,
                           const NoWrapChecks &no_wrap_checks) {
  BasicBlock *row = BasicBlock::Create(context_, "row", &target_, after_);
  BasicBlock *apart = BasicBlock::Create(context_, "apart", &target_, after_);
  BasicBlock *behind = BasicBlock::Create(context_, "stored", &target_, after_);
  builder_.CreateCondBr(test_no_wrap(no_wrap_checks), row, apart);
  builder_.SetInsertPoint(row);
  store_consecutive(store, values, step);
  builder_.CreateBr(behind);
  builder_.SetInsertPoint(apart);
  scatter(store, values);
  builder_.CreateBr(behind);
  builder_.SetInsertPoint(behind);
}

bool Widener::write_load(LoadInst &load) {
  if (!load.isSimple() || !is_plain(load.getType())) return false;
  if (const PrivateVariable *variable = input_.memory->interleaved(load.getPointerOperand())) {
    return load_variable(load, *variable);
  }
  if (analysis_.is_uniform(load.getPointerOperand())) return false;
  if (const AccessGroup *group = group_of(load)) {
    if (group->place() == &load) load_group(*group);
    return true;
  }
  SmallVector<Type *, 4> types;
  append_component_types(load.getType(), types);
  unsigned step = consecutive_step(load.getPointerOperand(), types);
  const NoWrapChecks no_wrap_checks = no_wrap_checks_to_test(load, load.getPointerOperand());
  if (step && !no_wrap_checks.empty()) {
    set_lanes(&load, load_tested(load, types, step, no_wrap_checks));
  } else {
    set_lanes(&load, step ? load_consecutive(load, types, step) : gather(load, types));
  }
  return true;
}

void Widener::store_consecutive(StoreInst &store, const Components &values, unsigned step) {
  Value *all = values[0];
  unsigned used = unsigned(values.size());
  if (step > 1) {
    /* One behind the other, then woven. */
    Type *element = all->getType()->getScalarType();
    auto *joined_type = FixedVectorType::get(element, width_ * used);
    Value *joined = PoisonValue::get(joined_type);
    for (unsigned i = 0; i < used; i++)
      joined = builder_.CreateInsertVector(joined_type, joined, values[i], uint64_t(i * width_));
    SmallVector<int, 64> interleave;
    for (unsigned i = 0; i < width_ * step; i++) {
      interleave.push_back(i % step < used ? int((i % step) * width_ + i / step) : PoisonMaskElem);
    }
    all = builder_.CreateShuffleVector(joined, interleave);
  }
  Value *mask = repeat_mask(mask_, step, (1U << used) - 1);
  Value *first = scalar(store.getPointerOperand());
  Align align = contiguous_align(store.getAlign(), store.getPointerOperand());
  Instruction *made = mask ? static_cast<Instruction *>(builder_.CreateMaskedStore(all, first, align, mask))
                           : builder_.CreateAlignedStore(all, first, align);
  keep_metadata(made, store);
  if (!mask && input_.nontemporal_stores && input_.nontemporal_stores->stores.contains(&store)) {
    cast<StoreInst>(made)->setAlignment(input_.nontemporal_stores->align);
    made->setMetadata(LLVMContext::MD_nontemporal,
                      MDNode::get(context_, ConstantAsMetadata::get(builder_.getInt32(1))));
  }
}

/* All lanes that are on store to one place; the last of them stays, as it would if they ran one by one. */
void Widener::store_uniform(StoreInst &store) {
  Value *value = store.getValueOperand();
  Value *kept;
  if (analysis_.is_uniform(value)) {
    kept = scalar(value);
  } else {
    Type *bits_type = builder_.getIntNTy(width_);
    Value *index = builder_.getInt64(width_ - 1);
    if (mask_) {
      Value *bits = builder_.CreateBitCast(mask_, bits_type);
      Value *zeros = builder_.CreateIntrinsic(Intrinsic::ctlz, {bits_type}, {bits, builder_.getTrue()});
      index = builder_.CreateSub(index, builder_.CreateZExtOrTrunc(zeros, builder_.getInt64Ty()));
    }
    kept = pick_lane(value, index);
  }
  StoreInst *made = builder_.CreateAlignedStore(kept, scalar(store.getPointerOperand()), store.getAlign());
  keep_metadata(made, store);
}

bool Widener::write_store(StoreInst &store) {
  Value *value = store.getValueOperand();
  if (!store.isSimple() || !is_plain(value->getType())) return false;
  if (const PrivateVariable *variable = input_.memory->interleaved(store.getPointerOperand())) {
    return store_variable(store, *variable);
  }
  if (analysis_.is_uniform(store.getPointerOperand())) {
    store_uniform(store);
    return true;
  }
  if (const AccessGroup *group = group_of(store)) {
    if (group->place() == &store) store_group(*group);
    return true;
  }
  SmallVector<Type *, 4> types;
  append_component_types(value->getType(), types);
  const Components values = lanes(value);
  const NoWrapChecks no_wrap_checks = no_wrap_checks_to_test(store, store.getPointerOperand());
  unsigned step = consecutive_step(store.getPointerOperand(), types);
  if (step && !no_wrap_checks.empty()) {
    store_tested(store, values, step, no_wrap_checks);
  } else if (step) {
    store_consecutive(store, values, step);
  } else {
    scatter(store, values);
  }
  return true;
}

/* Where the element at `offset` bytes behind `pointer` is: of lane 0, the others behind it, or of each lane. */
Value *Widener::variable_address(const Value *pointer, const PrivateVariable &variable, uint64_t offset,
                                 bool &is_vector) {
  auto *address = const_cast<Value *>(pointer);
  is_vector = !analysis_.is_uniform(address);
  Value *from = is_vector ? lane(address) : scalar(address);
  Value *scaled = builder_.CreateMul(builder_.CreateAdd(from, ConstantInt::get(from->getType(), offset)),
                                     ConstantInt::get(from->getType(), width_));
  if (is_vector) scaled = builder_.CreateAdd(scaled, step_vector(builder_.getInt64Ty(), int64_t(variable.element)));
  return builder_.CreateGEP(builder_.getInt8Ty(), variables_.lookup(variable.alloca), scaled);
}

/* Lanes that are off have room of their own, so that no mask is needed where the index is that of a lane that is on. */
bool Widener::load_variable(LoadInst &load, const PrivateVariable &variable) {
  SmallVector<Type *, 4> types;
  append_component_types(load.getType(), types);
  Components components;
  for (auto [i, type] : enumerate(types)) {
    bool is_vector;
    Value *from = variable_address(load.getPointerOperand(), variable, i * variable.element, is_vector);
    Align align(variable.element);
    components.push_back(is_vector ? static_cast<Value *>(gather_from(type, from, align))
                         : mask_   ? static_cast<Value *>(builder_.CreateMaskedLoad(widen(type), from, align, mask_))
                                   : builder_.CreateAlignedLoad(widen(type), from, align));
  }
  set_lanes(&load, std::move(components));
  return true;
}

bool Widener::store_variable(StoreInst &store, const PrivateVariable &variable) {
  const Components values = lanes(store.getValueOperand());
  for (auto [i, value] : enumerate(values)) {
    bool is_vector;
    Value *to = variable_address(store.getPointerOperand(), variable, i * variable.element, is_vector);
    Align align(variable.element);
    if (is_vector) {
      scatter_to(value, to, align);
    } else if (mask_) {
      builder_.CreateMaskedStore(value, to, align, mask_);
    } else {
      builder_.CreateAlignedStore(value, to, align);
    }
  }
  return true;
}

}  // namespace quern
