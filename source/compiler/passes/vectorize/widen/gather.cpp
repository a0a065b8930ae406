/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Gathers and scatters: loads and stores at varying addresses. */
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

unsigned combined_components(unsigned count, uint64_t size) {
  for (unsigned combined : {8U, 4U, 2U}) {
    uint64_t bytes = combined * size;
    if (combined <= count && (bytes == 4 || bytes == 8)) return combined;
  }
  return 1;
}

/* Bytes and alignment of the scratch memory of inactive lanes; no element is larger. */
static constexpr unsigned scratch_size = 16;

/* The memory for loads is zero: inactive lanes compute with what they load, and CPUs compute slowly with subnormal
 * numbers. Stores have memory of their own. */
AllocaInst *Widener::scratch(bool is_store) {
  AllocaInst *&slot = is_store ? store_scratch_ : load_scratch_;
  if (slot) return slot;
  slot = make_slot(ArrayType::get(builder_.getInt8Ty(), scratch_size), is_store ? "store.scratch" : "load.scratch");
  slot->setAlignment(Align(scratch_size));
  if (!is_store)
    IRBuilder<>(slot->getNextNode()).CreateMemSet(slot, builder_.getInt8(0), scratch_size, slot->getAlign());
  return slot;
}

/* CPUs gather and scatter no elements below 32 bits. */
bool Widener::is_below_word(const Type &element) const {
  return data_layout_.getTypeSizeInBits(const_cast<Type *>(&element)) < 32;
}

/* Where the target has no gather or scatter instruction, LLVM scalarizes the access with one branch for each mask bit,
 * and these branches are mispredicted. Inactive lanes access scratch memory instead, without a mask. */
Widener::MaskedAddresses Widener::redirect_inactive_lanes(Value *addresses, bool is_native, bool is_store) {
  if (is_native || !mask_) return {addresses, mask_or_all()};
  Value *instead = builder_.CreateAddrSpaceCast(scratch(is_store), addresses->getType()->getScalarType());
  return {builder_.CreateSelect(mask_, addresses, builder_.CreateVectorSplat(width_, instead)), all_lanes()};
}

CallInst *Widener::gather_from(Type *type, Value *addresses, Align align) {
  MaskedAddresses from =
      redirect_inactive_lanes(addresses, input_.unit.gathers && !is_below_word(*type), /*is_store=*/false);
  return builder_.CreateMaskedGather(widen(type), from.addresses, std::min(align, Align(scratch_size)), from.mask);
}

CallInst *Widener::scatter_to(Value *value, Value *addresses, Align align) {
  const bool is_native = input_.unit.scatters && !is_below_word(*value->getType()->getScalarType());
  MaskedAddresses to = redirect_inactive_lanes(addresses, is_native, /*is_store=*/true);
  return builder_.CreateMaskedScatter(value, to.addresses, std::min(align, Align(scratch_size)), to.mask);
}

/* Splits each element of 32 or 64 bits into `count` adjacent components of `type`, appended to `out`. */
void Widener::split_components(Value *combined, unsigned count, Type *type, Components &out) {
  unsigned bits = unsigned(data_layout_.getTypeSizeInBits(type));
  if (bits * count == 64) {
    auto *halves = FixedVectorType::get(builder_.getInt32Ty(), 2 * width_);
    Value *all = builder_.CreateBitCast(combined, halves);
    for (int half : {0, 1}) {
      SmallVector<int, 64> indices;
      for (int i = 0; i < int(width_); i++) indices.push_back(2 * i + half);
      split_components(builder_.CreateShuffleVector(all, indices), count / 2, type, out);
    }
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    Value *component = i ? builder_.CreateLShr(combined, i * bits) : combined;
    component = builder_.CreateTrunc(component, widen(builder_.getIntNTy(bits)));
    out.push_back(builder_.CreateBitCast(component, widen(type)));
  }
}

/* The inverse of split_components: combines adjacent components into elements of 32 or 64 bits. A component may be
 * poison, as those are that a program has not set: its neighbours are not. */
Value *Widener::combine_components(ArrayRef<Value *> components) {
  unsigned bits = unsigned(data_layout_.getTypeSizeInBits(components[0]->getType()->getScalarType()));
  if (bits * components.size() == 64) {
    size_t half = components.size() / 2;
    Value *low = combine_components(components.take_front(half)),
          *high = combine_components(components.drop_front(half));
    SmallVector<int, 64> indices;
    for (int i = 0; i < int(width_); i++) indices.append({i, i + int(width_)});
    return builder_.CreateBitCast(builder_.CreateShuffleVector(low, high, indices), widen(builder_.getInt64Ty()));
  }
  Type *word = widen(builder_.getInt32Ty());
  Value *combined = nullptr;
  for (auto [i, component] : enumerate(components)) {
    Value *defined = isGuaranteedNotToBePoison(component) ? component : builder_.CreateFreeze(component);
    Value *bits_of_component =
        builder_.CreateZExt(builder_.CreateBitCast(defined, widen(builder_.getIntNTy(bits))), word);
    if (i) bits_of_component = builder_.CreateShl(bits_of_component, i * bits);
    combined = combined ? builder_.CreateOr(combined, bits_of_component) : bits_of_component;
  }
  return combined;
}

/* At an offset from one address, or from a vector of them. */
Value *Widener::address_of_component(Value *addresses, uint64_t offset) {
  return offset ? builder_.CreateGEP(builder_.getInt8Ty(), addresses, builder_.getInt64(offset)) : addresses;
}

/* An element of each lane, at an offset from its address. */
Value *Widener::load_lanes(const LoadInst &load, Type *type, ArrayRef<Value *> addresses, uint64_t offset) {
  Value *all = PoisonValue::get(widen(type));
  for (auto [lane, address] : enumerate(addresses)) {
    Value *from = address_of_component(address, offset);
    LoadInst *loaded = builder_.CreateAlignedLoad(type, from, commonAlignment(load.getAlign(), offset));
    copy_access_metadata(loaded, load);
    all = builder_.CreateInsertElement(all, loaded, lane);
  }
  return all;
}

void Widener::store_lanes(const StoreInst &store, Value *value, ArrayRef<Value *> addresses, uint64_t offset) {
  for (auto [lane, address] : enumerate(addresses)) {
    Value *element = builder_.CreateExtractElement(value, lane);
    Value *to = address_of_component(address, offset);
    copy_access_metadata(builder_.CreateAlignedStore(element, to, commonAlignment(store.getAlign(), offset)), store);
  }
}

Value *Widener::gather_component(const LoadInst &load, Type *type, Value *addresses, uint64_t offset) {
  CallInst *loaded =
      gather_from(type, address_of_component(addresses, offset), commonAlignment(load.getAlign(), offset));
  copy_access_metadata(loaded, load);
  return loaded;
}

/* Adjacent components that together fill 32 or 64 bits are gathered as one element: the cost of a gather is per
 * element. Where gathers are slow, affine addresses are computed for each lane. Where the target has no gathers, any
 * other address of a lane is extracted once for all of its elements. */
Components Widener::gather(LoadInst &load, ArrayRef<Type *> types) {
  uint64_t size = data_layout_.getTypeAllocSize(types[0]);
  SmallVector<Value *, 16> lanes;
  if (!input_.unit.prefers_gathers()) lanes = affine_addresses(load.getPointerOperand());
  if (lanes.empty() && !input_.unit.gathers && types.size() > 1 && types.size() * size <= scratch_size &&
      combined_components(unsigned(types.size()), size) < types.size())
    lanes = lane_addresses(load);
  const bool is_per_lane = !lanes.empty();
  Value *addresses = is_per_lane ? nullptr : only_vector(load.getPointerOperand());
  bool is_narrow = (size == 1 || (size == 2 && load.getAlign() >= 2)) && input_.unit.gathers;
  Components components;
  for (unsigned i = 0; i < types.size();) {
    unsigned combined = types[0]->isPointerTy() ? 1 : combined_components(unsigned(types.size()) - i, size);
    if (combined == 1 && is_narrow && !is_per_lane && !types[0]->isPointerTy()) {
      components.push_back(gather_words(types[i], address_of_component(addresses, i * size)));
    } else {
      Type *type = combined > 1 ? builder_.getIntNTy(unsigned(combined * size * 8)) : types[i];
      Value *loaded =
          is_per_lane ? load_lanes(load, type, lanes, i * size) : gather_component(load, type, addresses, i * size);
      if (combined > 1) {
        split_components(loaded, combined, types[i], components);
      } else {
        components.push_back(loaded);
      }
    }
    i += combined;
  }
  return components;
}

void Widener::scatter(StoreInst &store, const Components &values) {
  if (is_stored_per_lane(store.getValueOperand()->getType(), width_)) {
    store_slices(values, lane_addresses(store), store.getAlign(),
                 [&](Instruction *stored) { copy_access_metadata(stored, store); });
    return;
  }
  Type *type = values[0]->getType()->getScalarType();
  uint64_t size = data_layout_.getTypeAllocSize(type);
  const bool is_native = input_.unit.scatters && size * combined_components(unsigned(values.size()), size) >= 4;
  SmallVector<Value *, 16> lanes;
  if (!is_native) lanes = affine_addresses(store.getPointerOperand());
  Value *addresses = lanes.empty() ? only_vector(store.getPointerOperand()) : nullptr;
  for (unsigned i = 0; i < values.size();) {
    unsigned combined = type->isPointerTy() ? 1 : combined_components(unsigned(values.size()) - i, size);
    Value *value = combined > 1 ? combine_components(ArrayRef(values).slice(i, combined)) : values[i];
    if (lanes.empty()) {
      Align align = commonAlignment(store.getAlign(), i * size);
      copy_access_metadata(scatter_to(value, address_of_component(addresses, i * size), align), store);
    } else {
      store_lanes(store, value, lanes, i * size);
    }
    i += combined;
  }
}

}  // namespace quern
