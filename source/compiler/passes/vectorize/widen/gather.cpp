/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loads and stores of lanes whose addresses have nothing to do with each other. */
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

unsigned combined_components(unsigned count, uint64_t size) {
  for (unsigned joined : {8U, 4U, 2U}) {
    uint64_t bytes = joined * size;
    if (joined <= count && (bytes == 4 || bytes == 8)) return joined;
  }
  return 1;
}

/* Bytes of room that is nobody's, and its alignment: no element is larger. */
static constexpr unsigned nobodys_size = 16;

/* Where the machine takes the lanes one by one, those that are off access what is nobody's: jumping over each of them
 * is foretold badly. */
Widener::Reach Widener::reach(Value *addresses, bool at_once) {
  if (at_once || !mask_) return {addresses, mask_or_all()};
  if (!nobodys_) {
    nobodys_ = slot(ArrayType::get(builder_.getInt8Ty(), nobodys_size), "nobodys");
    nobodys_->setAlignment(Align(nobodys_size));
  }
  Value *room = builder_.CreateAddrSpaceCast(nobodys_, addresses->getType()->getScalarType());
  return {builder_.CreateSelect(mask_, addresses, builder_.CreateVectorSplat(width_, room)), all_lanes()};
}

CallInst *Widener::gather_from(Type *type, Value *addresses, Align align) {
  Reach from = reach(addresses, input_.unit.gathers);
  return builder_.CreateMaskedGather(widen(type), from.addresses, std::min(align, Align(nobodys_size)), from.mask);
}

CallInst *Widener::scatter_to(Value *value, Value *addresses, Align align) {
  Reach to = reach(addresses, input_.unit.scatters);
  return builder_.CreateMaskedScatter(value, to.addresses, std::min(align, Align(nobodys_size)), to.mask);
}

/* CPUs gather no element of less than 32 bits: the aligned word around each is gathered, which is as readable as the
 * element, and the element shifted out of it. */
Value *Widener::gather_words(Type *type, Value *addresses) {
  auto *word = cast<FixedVectorType>(widen(builder_.getInt32Ty()));
  Type *whole = widen(builder_.getInt64Ty());
  Value *number = builder_.CreatePtrToInt(addresses, whole);
  Value *offset = builder_.CreateAnd(number, ConstantInt::get(whole, 3));
  Value *aligned = builder_.CreateGEP(builder_.getInt8Ty(), addresses, builder_.CreateNeg(offset));
  Value *words = builder_.CreateMaskedGather(word, aligned, Align(4), mask_or_all());
  Value *bits = builder_.CreateShl(builder_.CreateTrunc(offset, word), 3);
  unsigned size = unsigned(data_.getTypeSizeInBits(type));
  Value *narrow = builder_.CreateTrunc(builder_.CreateLShr(words, bits), widen(builder_.getIntNTy(size)));
  return builder_.CreateBitCast(narrow, widen(type));
}

/* Components of `type` that lie side by side in the 32 or 64 bits of each element of `joined`. */
void Widener::split_components(Value *joined, unsigned count, Type *type, Components &out) {
  unsigned bits = unsigned(data_.getTypeSizeInBits(type));
  if (bits * count == 64) {
    auto *halves = FixedVectorType::get(builder_.getInt32Ty(), 2 * width_);
    Value *all = builder_.CreateBitCast(joined, halves);
    for (int half : {0, 1}) {
      SmallVector<int, 64> indices;
      for (int i = 0; i < int(width_); i++) indices.push_back(2 * i + half);
      split_components(builder_.CreateShuffleVector(all, indices), count / 2, type, out);
    }
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    Value *part = i ? builder_.CreateLShr(joined, i * bits) : joined;
    part = builder_.CreateTrunc(part, widen(builder_.getIntNTy(bits)));
    out.push_back(builder_.CreateBitCast(part, widen(type)));
  }
}

/* The opposite. */
Value *Widener::combine_components(ArrayRef<Value *> components) {
  unsigned bits = unsigned(data_.getTypeSizeInBits(components[0]->getType()->getScalarType()));
  if (bits * components.size() == 64) {
    size_t half = components.size() / 2;
    Value *low = combine_components(components.take_front(half)),
          *high = combine_components(components.drop_front(half));
    SmallVector<int, 64> indices;
    for (int i = 0; i < int(width_); i++) indices.append({i, i + int(width_)});
    return builder_.CreateBitCast(builder_.CreateShuffleVector(low, high, indices), widen(builder_.getInt64Ty()));
  }
  Type *word = widen(builder_.getInt32Ty());
  Value *joined = nullptr;
  for (auto [i, component] : enumerate(components)) {
    Value *part = builder_.CreateZExt(builder_.CreateBitCast(component, widen(builder_.getIntNTy(bits))), word);
    if (i) part = builder_.CreateShl(part, i * bits);
    joined = joined ? builder_.CreateOr(joined, part) : part;
  }
  return joined;
}

/* Neighbouring leaves that fill 32 or 64 bits together are one element: an instruction takes its time for each. */
Components Widener::gather(LoadInst &load, ArrayRef<Type *> types) {
  if (is_part(load, width_)) {
    return load_parts(load.getPointerOperand(), types[0], unsigned(types.size()), load.getAlign(),
                      [&](Instruction *part) { keep_metadata(part, load); });
  }
  Value *addresses = lane(load.getPointerOperand());
  uint64_t size = data_.getTypeAllocSize(types[0]);
  bool is_narrow = (size == 1 || (size == 2 && load.getAlign() >= 2)) && input_.unit.gathers;
  Components components;
  for (unsigned i = 0; i < types.size();) {
    Value *from = i ? builder_.CreateGEP(builder_.getInt8Ty(), addresses, builder_.getInt64(i * size)) : addresses;
    Align align = commonAlignment(load.getAlign(), i * size);
    unsigned joined = types[0]->isPointerTy() ? 1 : combined_components(unsigned(types.size()) - i, size);
    if (joined == 1 && is_narrow && !types[0]->isPointerTy()) {
      components.push_back(gather_words(types[i], from));
    } else {
      Type *type = joined > 1 ? builder_.getIntNTy(unsigned(joined * size * 8)) : types[i];
      CallInst *part = gather_from(type, from, align);
      keep_metadata(part, load);
      if (joined > 1) {
        split_components(part, joined, types[i], components);
      } else {
        components.push_back(part);
      }
    }
    i += joined;
  }
  return components;
}

void Widener::scatter(StoreInst &store, const Components &values) {
  if (is_stored_whole(store.getValueOperand()->getType(), width_)) {
    store_parts(values, store.getPointerOperand(), store.getAlign(),
                [&](Instruction *stored) { keep_metadata(stored, store); });
    return;
  }
  Value *addresses = lane(store.getPointerOperand());
  Type *type = values[0]->getType()->getScalarType();
  uint64_t size = data_.getTypeAllocSize(type);
  for (unsigned i = 0; i < values.size();) {
    Value *to = i ? builder_.CreateGEP(builder_.getInt8Ty(), addresses, builder_.getInt64(i * size)) : addresses;
    unsigned joined = type->isPointerTy() ? 1 : combined_components(unsigned(values.size()) - i, size);
    Value *value = joined > 1 ? combine_components(ArrayRef(values).slice(i, joined)) : values[i];
    Align align = commonAlignment(store.getAlign(), i * size);
    keep_metadata(scatter_to(value, to, align), store);
    i += joined;
  }
}

}  // namespace quern
