/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Widening of loads and stores: uniform, contiguous, strided, checked, and of private variables. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/analysis/strides.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

bool is_dense(const Instruction &access, uint64_t size, uint64_t stride) {
  const bool is_part_of_word = isa<LoadInst>(access) && stride == 4;
  return stride <= size * (size == 4 ? 4 : 2) ||
         (is_part_of_word && is_whole_loadable(getLoadStoreAlignment(&access), stride));
}

/* True when the components of `type` have whole bytes and are laid out without padding. */
bool Widener::has_no_padding(Type *type) const {
  if (type->isAggregateType()) return false;
  Type *element = type->getScalarType();
  return data_layout_.getTypeSizeInBits(element) % 8 == 0 &&
         data_layout_.getTypeSizeInBits(element) == data_layout_.getTypeAllocSizeInBits(element);
}

/* The stride in elements when the lanes' accesses are contiguous, or strided with small gaps; else 0. */
unsigned Widener::consecutive_step(const Instruction &access, ArrayRef<Type *> components) const {
  Shape shape = analysis_.shape(getLoadStorePointerOperand(&access));
  if (shape.kind != Shape::strided || shape.stride <= 0) return 0;
  uint64_t size = data_layout_.getTypeAllocSize(components[0]);
  uint64_t stride = uint64_t(shape.stride);
  if (stride % size || stride * width_ > max_access_bytes) return 0;
  uint64_t step = stride / size;
  if (step < components.size() || step > widest_vector_step(*components[0])) return 0;
  return components.size() == 1 && !is_dense(access, size, stride) ? 0 : unsigned(step);
}

/* Replicates each mask bit for the `step` elements of its lane (compare createReplicatedMask), and clears the elements
 * without a bit in `slots`; of the result, the `count` elements from `begin` on. Null when all elements are active. */
Value *Widener::replicate_mask(Value *mask, unsigned step, unsigned slots, unsigned begin, unsigned count) {
  if (step == 1) return mask;
  SmallVector<Constant *, 64> in_use;
  SmallVector<int, 64> lane_of;
  for (unsigned i = begin; i < begin + count; i++) {
    in_use.push_back(builder_.getInt1(slots >> i % step & 1));
    lane_of.push_back(int(i / step));
  }
  Value *gaps = slots != (1U << step) - 1 ? ConstantVector::get(in_use) : nullptr;
  if (!mask) return gaps;
  Value *repeated = builder_.CreateShuffleVector(mask, lane_of);
  return gaps ? builder_.CreateAnd(repeated, gaps) : repeated;
}

/* The code generator builds a mask bit by bit if their number is no power of two: there are as many parts of `width_`
 * elements as a lane has, then, and each part has a mask. */
Components Widener::element_masks(unsigned step, unsigned slots) {
  if (!mask_ && slots == (1U << step) - 1) return {};
  const unsigned parts = isPowerOf2_32(step) ? 1 : step, count = step * width_ / parts;
  Components masks;
  for (unsigned part = 0; part < parts; part++)
    masks.push_back(replicate_mask(mask_, step, slots, part * count, count));
  return masks;
}

/* Where all elements of a lane share its mask bit, they are accessed as words of up to 64 bits: fewer bits to
 * replicate, and processors without byte masks have instructions for these. */
Widener::WideAccess Widener::wide_access(Type *element, unsigned step, unsigned slots) {
  const uint64_t bytes = data_layout_.getTypeAllocSize(element) * step;
  const uint64_t word = std::min<uint64_t>(bytes & -bytes, sizeof(uint64_t));
  if (!mask_ || slots != (1U << step) - 1 || word <= bytes / step)
    return {FixedVectorType::get(element, width_ * step), element_masks(step, slots)};
  const auto words = unsigned(bytes / word);
  return {FixedVectorType::get(builder_.getIntNTy(unsigned(word * 8)), width_ * words),
          element_masks(words, (1U << words) - 1)};
}

/* Part `part` of a wide access in several. */
Widener::WidePart Widener::wide_part(const WideAccess &wide, unsigned part, Value *first, Align align) {
  const auto count = unsigned(wide.type->getNumElements() / wide.masks.size());
  const uint64_t offset = part * count * data_layout_.getTypeAllocSize(wide.type->getElementType());
  Value *address = part ? builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.getInt64(offset)) : first;
  return {FixedVectorType::get(wide.type->getElementType(), count), address, commonAlignment(align, offset),
          strided_indices(1, part * count, count)};
}

Value *Widener::load_wide(const WideAccess &wide, Value *first, Align align,
                          function_ref<void(Instruction *)> copy_metadata) {
  if (wide.masks.empty()) {
    LoadInst *loaded = builder_.CreateAlignedLoad(wide.type, first, align);
    copy_metadata(loaded);
    return loaded;
  }
  SmallVector<Value *, 8> parts;
  for (auto [i, mask] : enumerate(wide.masks)) {
    const WidePart part = wide_part(wide, unsigned(i), first, align);
    CallInst *loaded = builder_.CreateMaskedLoad(part.type, part.address, part.align, mask);
    copy_metadata(loaded);
    parts.push_back(loaded);
  }
  return concatenateVectors(builder_, parts);
}

/* An element may be poison, as those are that a program has not set: the others of its word are not. */
void Widener::store_wide(const WideAccess &wide, Value *all, Value *first, Align align,
                         function_ref<void(Instruction *)> copy_metadata) {
  const bool is_in_words = all->getType() != wide.type;
  Value *stored = is_in_words ? builder_.CreateBitCast(builder_.CreateFreeze(all), wide.type) : all;
  if (wide.masks.empty()) copy_metadata(builder_.CreateAlignedStore(stored, first, align));
  for (auto [i, mask] : enumerate(wide.masks)) {
    const WidePart part = wide_part(wide, unsigned(i), first, align);
    Value *value = wide.masks.size() > 1 ? builder_.CreateShuffleVector(stored, part.indices) : stored;
    copy_metadata(builder_.CreateMaskedStore(value, part.address, part.align, mask));
  }
}

SmallVector<int, 64> strided_indices(unsigned step, unsigned first, unsigned count) {
  SmallVector<int, 64> indices;
  for (unsigned i = 0; i < count; i++) indices.push_back(int(first + i * step));
  return indices;
}

void copy_access_metadata(Instruction *to, const Instruction &from) {
  if (auto *load = dyn_cast<LoadInst>(to)) load->setVolatile(from.isVolatile());
  if (auto *store = dyn_cast<StoreInst>(to)) store->setVolatile(from.isVolatile());
  to->copyMetadata(from, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                          LLVMContext::MD_nontemporal, LLVMContext::MD_invariant_load});
}

Align Widener::contiguous_align(Align align, const Value *address) const {
  int64_t stride = analysis_.shape(address).stride;
  return mask_ ? commonAlignment(align, uint64_t(stride < 0 ? -stride : stride)) : align;
}

Components Widener::load_consecutive(LoadInst &load, ArrayRef<Type *> types, unsigned step) {
  const uint64_t lane_bytes = data_layout_.getTypeAllocSize(types[0]) * step;
  const unsigned slots = (1U << (is_whole_loadable(load.getAlign(), lane_bytes) ? step : types.size())) - 1;
  Value *first = scalar(load.getPointerOperand());
  const Align align = contiguous_align(load.getAlign(), load.getPointerOperand());
  auto copy_metadata = [&](Instruction *loaded) { copy_access_metadata(loaded, load); };
  const unsigned count = slice_elements(*types[0], step, slots);
  Components components;
  if (count && !mask_) {
    components = load_deinterleaved(first, types[0], step, slots, count, align, copy_metadata);
  } else {
    Value *loaded = load_wide(wide_access(types[0], step, slots), first, align, copy_metadata);
    if (step == 1) return {loaded};
    Value *all = builder_.CreateBitCast(loaded, FixedVectorType::get(types[0], width_ * step));
    components = deinterleave(all, step, slots, count, is_converted(load));
  }
  components.truncate(types.size());
  return components;
}

/* The no-wrap checks that must be tested at run time for an access. */
NoWrapChecks Widener::required_no_wrap_checks(const Instruction &access, const Value *pointer) const {
  NoWrapChecks required;
  const NoWrapChecks *all = analysis_.no_wrap_checks(pointer);
  const bool is_lane_zero_active = input_.is_lane_zero_active && !analysis_.is_masked(access.getParent());
  for (Instruction *check : all ? all->getArrayRef() : ArrayRef<Instruction *>()) {
    if (analysis_.needs_test(check, is_lane_zero_active)) required.insert(check);
  }
  return required;
}

/* The value of lane 0 that is extended. A pair of shifts extends the low bits of its source. */
Value *Widener::extended_value(Instruction &extension) {
  Value *source = match_scaled_sign_extension(&extension);
  if (!source) return scalar(extension.getOperand(0));
  const auto *shift = cast<BinaryOperator>(extension.getOperand(0));
  const uint64_t truncated = cast<ConstantInt>(shift->getOperand(1))->getZExtValue();
  return builder_.CreateTrunc(scalar(source),
                              builder_.getIntNTy(unsigned(source->getType()->getIntegerBitWidth() - truncated)));
}

/* The condition under which the extended value does not wrap between the first and the last lane. */
Value *Widener::test_extension(Instruction &extension, int64_t span) {
  Value *narrow = extended_value(extension);
  const unsigned bits = narrow->getType()->getIntegerBitWidth();
  bool is_signed = !isa<ZExtInst>(extension) || extension.hasNonNeg();
  if (!isUIntN(bits, uint64_t(span < 0 ? -span : span))) return builder_.getFalse();
  /* The extreme value of lane 0 for which no other lane wraps. */
  APInt extreme = span > 0    ? is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)
                  : is_signed ? APInt::getSignedMinValue(bits)
                              : APInt::getMinValue(bits);
  Value *bound = ConstantInt::get(context_, extreme - APInt(bits, uint64_t(span), true, true));
  CmpInst::Predicate predicate = span > 0    ? is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE
                                 : is_signed ? CmpInst::ICMP_SGE
                                             : CmpInst::ICMP_UGE;
  return builder_.CreateICmp(predicate, narrow, bound);
}

/* The condition under which no lane is clamped and none wraps. Computed in 64 bits, on values of at most 32 bits. */
Value *Widener::test_clamp(MinMaxIntrinsic &clamp, int64_t span) {
  bool is_left_strided = !analysis_.is_uniform(clamp.getLHS());
  auto extend = [&](Value *value) {
    return builder_.CreateIntCast(scalar(value), builder_.getInt64Ty(), clamp.isSigned());
  };
  Value *first = extend(is_left_strided ? clamp.getLHS() : clamp.getRHS());
  Value *bound = extend(is_left_strided ? clamp.getRHS() : clamp.getLHS());
  Value *last = builder_.CreateNSWAdd(first, builder_.getInt64(uint64_t(span)));
  bool is_minimum = clamp.getIntrinsicID() == Intrinsic::smin || clamp.getIntrinsicID() == Intrinsic::umin;
  unsigned bits = clamp.getType()->getIntegerBitWidth();
  bool is_signed = clamp.isSigned();
  APInt highest = is_signed ? APInt::getSignedMaxValue(bits).sext(64) : APInt::getMaxValue(bits).zext(64);
  APInt lowest = is_signed ? APInt::getSignedMinValue(bits).sext(64) : APInt(64, 0);
  Value *top = is_minimum ? bound : ConstantInt::get(context_, highest);
  Value *bottom = is_minimum ? ConstantInt::get(context_, lowest) : bound;
  Value *below = builder_.CreateICmpSLE(span > 0 ? last : first, top);
  return builder_.CreateAnd(below, builder_.CreateICmpSGE(span > 0 ? first : last, bottom));
}

/* The condition under which the masked indices of all lanes are in one aligned block. The block size is given by the
 * trailing ones of the mask: adding `span` to the index of lane 0 carries no further than these bits. */
Value *Widener::test_aligned_block(Value *index, Value *mask, int64_t span) {
  const uint64_t distance = uint64_t(span < 0 ? -span : span);
  if (!isUIntN(mask->getType()->getIntegerBitWidth(), distance)) return builder_.getFalse();
  Value *carry = builder_.CreateAdd(mask, ConstantInt::get(mask->getType(), 1));
  Value *block_mask = builder_.CreateAnd(mask, builder_.CreateNot(carry));
  Value *position = builder_.CreateAnd(index, block_mask);
  Value *room = span > 0 ? builder_.CreateSub(block_mask, position) : position;
  return builder_.CreateICmpUGE(room, ConstantInt::get(room->getType(), distance));
}

/* The mask of the position in a block is known but for an `and` with a uniform value (known_mask_bits). */
Value *Widener::test_masked_index(Instruction &operation, int64_t span) {
  const bool is_left_strided = !analysis_.is_uniform(operation.getOperand(0));
  Value *index = scalar(operation.getOperand(is_left_strided ? 0 : 1)),
        *uniform = scalar(operation.getOperand(is_left_strided ? 1 : 0));
  const unsigned bits = known_mask_bits(operation, analysis_);
  Value *mask = bits ? ConstantInt::get(operation.getType(), maskTrailingOnes<uint64_t>(bits)) : uniform;
  Value *is_in_block = test_aligned_block(index, mask, span);
  if (!needs_non_negative(operation)) return is_in_block;
  return builder_.CreateAnd(is_in_block, builder_.CreateIsNotNeg(index));
}

Value *Widener::test_no_wrap(const NoWrapChecks &no_wrap_checks) {
  Value *all = nullptr;
  for (Instruction *check : no_wrap_checks) {
    int64_t span = checked_stride(*check, analysis_) * int64_t(width_ - 1);
    auto *clamp = dyn_cast<MinMaxIntrinsic>(check);
    const bool is_extension = isa<CastInst>(check) || match_scaled_sign_extension(check);
    Value *holds = clamp          ? test_clamp(*clamp, span)
                   : is_extension ? test_extension(*check, span)
                                  : test_masked_index(*check, span);
    all = all ? builder_.CreateAnd(all, holds) : holds;
  }
  return all;
}

Components Widener::load_checked(Value *is_contiguous, function_ref<Components()> load_contiguous,
                                 function_ref<Components()> load_gathered) {
  BasicBlock *contiguous = BasicBlock::Create(context_, "contiguous", &function_, after_);
  BasicBlock *gathered = BasicBlock::Create(context_, "gather", &function_, after_);
  BasicBlock *end = BasicBlock::Create(context_, "load.end", &function_, after_);
  builder_.CreateCondBr(is_contiguous, contiguous, gathered);
  builder_.SetInsertPoint(contiguous);
  const Components contiguous_values = load_contiguous();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(gathered);
  const Components gathered_values = load_gathered();
  gathered = builder_.GetInsertBlock();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  Components components;
  for (auto [left, right] : zip(contiguous_values, gathered_values)) {
    PHINode *phi = builder_.CreatePHI(left->getType(), 2);
    phi->addIncoming(left, contiguous);
    phi->addIncoming(right, gathered);
    components.push_back(phi);
  }
  return components;
}

void Widener::store_checked(Value *is_contiguous, function_ref<void()> store_contiguous,
                            function_ref<void()> store_scattered) {
  BasicBlock *contiguous = BasicBlock::Create(context_, "contiguous", &function_, after_);
  BasicBlock *scattered = BasicBlock::Create(context_, "scatter", &function_, after_);
  BasicBlock *end = BasicBlock::Create(context_, "store.end", &function_, after_);
  builder_.CreateCondBr(is_contiguous, contiguous, scattered);
  builder_.SetInsertPoint(contiguous);
  store_contiguous();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(scattered);
  store_scattered();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
}

/* One load for all lanes, where their addresses are the same: not under a mask, as it may have no active lane. */
bool Widener::is_block_uniform(const LoadInst &load) const {
  return input_.is_lane_zero_active && !analysis_.is_masked(load.getParent()) &&
         analysis_.is_block_uniform(load.getPointerOperand());
}

Components Widener::load_broadcast(LoadInst &load) {
  Instruction *copy = load.clone();
  copy->setOperand(LoadInst::getPointerOperandIndex(), scalar(load.getPointerOperand()));
  builder_.Insert(copy);
  Components components;
  append_components(copy, builder_, components);
  for (Value *&component : components) component = builder_.CreateVectorSplat(width_, component);
  return components;
}

bool Widener::write_load(LoadInst &load) {
  if (is_wide_volatile(load)) {
    load_volatile(load);
    return true;
  }
  if (!load.isSimple() || !has_no_padding(load.getType())) return false;
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
  const unsigned step = consecutive_step(load, types);
  const bool is_broadcast = is_block_uniform(load);
  const NoWrapChecks no_wrap_checks = required_no_wrap_checks(load, load.getPointerOperand());
  auto load_wide = [&] { return is_broadcast ? load_broadcast(load) : load_consecutive(load, types, step); };
  auto load_lanes = [&] { return gather(load, types); };
  if (!step && !is_broadcast) {
    set_vectors(&load, load_lanes());
  } else {
    set_vectors(&load, no_wrap_checks.empty() ? load_wide()
                                              : load_checked(test_no_wrap(no_wrap_checks), load_wide, load_lanes));
  }
  return true;
}

void Widener::store_consecutive(StoreInst &store, const Components &values, unsigned step) {
  const unsigned slots = (1U << values.size()) - 1;
  Value *first = scalar(store.getPointerOperand());
  const Align align = contiguous_align(store.getAlign(), store.getPointerOperand());
  auto copy_metadata = [&](Instruction *stored) { copy_access_metadata(stored, store); };
  Type *element = values[0]->getType()->getScalarType();
  const unsigned count = slice_elements(*element, step, slots);
  if (count && !mask_ && values.size() < step) {
    store_with_gaps(values, first, step, count, align, copy_metadata);
    return;
  }
  const WideAccess wide = wide_access(element, step, slots);
  store_wide(wide, interleave(values, step, count), first, align, [&](Instruction *stored) {
    copy_metadata(stored);
    if (wide.masks.empty()) mark_nontemporal(*stored, store);
  });
}

void Widener::mark_nontemporal(Instruction &made, const StoreInst &store) {
  if (!input_.nontemporal_stores || !input_.nontemporal_stores->stores.contains(&store)) return;
  cast<StoreInst>(made).setAlignment(input_.nontemporal_stores->align);
  made.setMetadata(LLVMContext::MD_nontemporal, MDNode::get(context_, ConstantAsMetadata::get(builder_.getInt32(1))));
}

/* All active lanes store to one address: the value of the last active lane is stored, as in serial execution. */
void Widener::store_uniform(StoreInst &store) {
  Value *value = store.getValueOperand();
  Value *last_value;
  if (analysis_.is_uniform(value)) {
    last_value = scalar(value);
  } else {
    Type *bits_type = builder_.getIntNTy(width_);
    Value *index = builder_.getInt64(width_ - 1);
    if (mask_) {
      Value *bits = builder_.CreateBitCast(mask_, bits_type);
      Value *zeros = builder_.CreateIntrinsic(Intrinsic::ctlz, {bits_type}, {bits, builder_.getTrue()});
      index = builder_.CreateSub(index, builder_.CreateZExtOrTrunc(zeros, builder_.getInt64Ty()));
    }
    last_value = extract_lane(value, index);
  }
  StoreInst *made = builder_.CreateAlignedStore(last_value, scalar(store.getPointerOperand()), store.getAlign());
  copy_access_metadata(made, store);
}

bool Widener::write_store(StoreInst &store) {
  Value *value = store.getValueOperand();
  if (is_wide_volatile(store)) {
    store_volatile(store);
    return true;
  }
  if (!store.isSimple() || !has_no_padding(value->getType())) return false;
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
  const Components values = vectors(value);
  const NoWrapChecks no_wrap_checks = required_no_wrap_checks(store, store.getPointerOperand());
  unsigned step = consecutive_step(store, types);
  if (step && !no_wrap_checks.empty()) {
    store_checked(
        test_no_wrap(no_wrap_checks), [&] { store_consecutive(store, values, step); }, [&] { scatter(store, values); });
  } else if (step) {
    store_consecutive(store, values, step);
  } else {
    scatter(store, values);
  }
  return true;
}

/* The address of the element `offset` bytes after `pointer` in an interleaved variable. A uniform offset gives the
 * address of lane 0, after which the other lanes are contiguous; otherwise a vector of addresses. */
Value *Widener::variable_address(const Value *pointer, const PrivateVariable &variable, uint64_t offset,
                                 bool &is_vector) {
  auto *address = const_cast<Value *>(pointer);
  is_vector = !analysis_.is_uniform(address);
  Value *from = is_vector ? only_vector(address) : scalar(address);
  Value *scaled = builder_.CreateMul(builder_.CreateAdd(from, ConstantInt::get(from->getType(), offset)),
                                     ConstantInt::get(from->getType(), width_));
  if (is_vector) scaled = builder_.CreateAdd(scaled, step_vector(builder_.getInt64Ty(), int64_t(variable.element)));
  return builder_.CreateGEP(builder_.getInt8Ty(), variables_.lookup(variable.alloca), scaled);
}

/* Every lane has its own elements, so inactive lanes never alias active ones. The mask is still needed: a block may run
 * with an empty mask, and its index is then undefined. */
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
  set_vectors(&load, std::move(components));
  return true;
}

bool Widener::store_variable(StoreInst &store, const PrivateVariable &variable) {
  const Components values = vectors(store.getValueOperand());
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
