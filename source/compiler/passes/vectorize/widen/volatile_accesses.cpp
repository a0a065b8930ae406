/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Volatile loads and stores of contiguous elements. Each lane's accesses stay in their order, and none is added or left
 * out; between the lanes there is no order. One volatile access of a vector is as good as one of each lane, then. The
 * intrinsics with masks and gathers cannot be volatile: unless all lanes are active, and their elements are contiguous,
 * they access memory one after the other. */
#include <utility>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

bool Widener::is_wide_volatile(const Instruction &access) const {
  const Type *type = getLoadStoreType(&access);
  if (!access.isVolatile() || access.isAtomic() || !has_no_padding(const_cast<Type *>(type))) return false;
  SmallVector<Type *, 4> types;
  append_component_types(const_cast<Type *>(type), types);
  return consecutive_step(access, types) == types.size();
}

/* The condition for one access of all lanes: null when it always holds. */
Value *Widener::is_access_of_all(const Instruction &access) {
  Value *holds = nullptr;
  if (mask_) {
    Type *bits = builder_.getIntNTy(width_);
    holds = builder_.CreateICmpEQ(builder_.CreateBitCast(mask_, bits), Constant::getAllOnesValue(bits));
  }
  const NoWrapChecks no_wrap_checks = required_no_wrap_checks(access, getLoadStorePointerOperand(&access));
  if (no_wrap_checks.empty()) return holds;
  Value *is_contiguous = test_no_wrap(no_wrap_checks);
  return holds ? builder_.CreateAnd(holds, is_contiguous) : is_contiguous;
}

void Widener::load_volatile(LoadInst &load) {
  SmallVector<Type *, 4> types;
  append_component_types(load.getType(), types);
  auto load_all = [&] {
    Value *mask = std::exchange(mask_, nullptr);
    Components loaded = load_consecutive(load, types, unsigned(types.size()));
    mask_ = mask;
    return loaded;
  };
  auto load_active = [&] {
    write_serially(load);
    return vectors(&load);
  };
  Value *is_contiguous = is_access_of_all(load);
  set_vectors(&load, is_contiguous ? load_checked(is_contiguous, load_all, load_active) : load_all());
}

void Widener::store_volatile(StoreInst &store) {
  const Components values = vectors(store.getValueOperand());
  auto store_all = [&] {
    Value *mask = std::exchange(mask_, nullptr);
    store_consecutive(store, values, unsigned(values.size()));
    mask_ = mask;
  };
  if (Value *is_contiguous = is_access_of_all(store)) {
    store_checked(is_contiguous, store_all, [&] { write_serially(store); });
  } else {
    store_all();
  }
}

}  // namespace quern
