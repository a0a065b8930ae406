/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds prefetches, and finds the vector accesses that are worth one. */
#include "compiler/passes/vectorize/transform/prefetch.hpp"

#include <cstdlib>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/address_spaces.hpp"

using namespace llvm;

namespace quern {

CallInst *prefetch_line(Value *address, bool written, IRBuilder<> &builder) {
  constexpr unsigned locality = 3 /* keep in all levels */, data_cache = 1;
  return builder.CreateIntrinsic(
      Intrinsic::prefetch, {address->getType()},
      {address, builder.getInt32(written), builder.getInt32(locality), builder.getInt32(data_cache)});
}

void VectorAccess::prefetch(Value *start, IRBuilder<> &builder) const {
  for (uint64_t offset = 0; offset < bytes; offset += cache_line_bytes) {
    Value *line = offset ? builder.CreatePtrAdd(start, builder.getInt64(offset)) : start;
    prefetch_line(line, written, builder);
  }
}

/* The address of a simple or masked load or store, or null; sets `stored` to the value of a store. */
static Value *vector_address(Instruction &instruction, Value *&stored) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return load->isSimple() ? load->getPointerOperand() : nullptr;
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    stored = store->getValueOperand();
    return store->isSimple() ? store->getPointerOperand() : nullptr;
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == Intrinsic::masked_load) return call->getArgOperand(0);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_store) return nullptr;
  stored = call->getArgOperand(0);
  return call->getArgOperand(1);
}

static std::optional<VectorAccess> find_vector(Instruction &instruction) {
  Value *stored = nullptr, *address = vector_address(instruction, stored);
  if (!address || address->getType()->getPointerAddressSpace() != global_space) return std::nullopt;
  Type *type = stored ? stored->getType() : instruction.getType();
  if (!type->isVectorTy()) return std::nullopt;
  return VectorAccess{&instruction, address, instruction.getDataLayout().getTypeStoreSize(type), stored != nullptr};
}

namespace {

/* The first access for each base, where an address is a base plus a constant offset. */
class FirstAccesses {
 public:
  /* The index of the first access with the same base, if it is less than a cache line from `access`. Otherwise, the
   * first access for a base is recorded under `index`. */
  std::optional<unsigned> find_or_add(const VectorAccess &access, unsigned index) {
    APInt offset(64, 0);
    const DataLayout &layout = access.instruction->getDataLayout();
    const Value *base = access.address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    auto [found, is_new] = first_.try_emplace(base, First{offset.getSExtValue(), index});
    bool is_near = !is_new && uint64_t(std::abs(found->second.offset - offset.getSExtValue())) < cache_line_bytes;
    return is_near ? std::optional(found->second.index) : std::nullopt;
  }

 private:
  struct First {
    int64_t offset;
    unsigned index;
  };
  DenseMap<const Value *, First> first_;
};

}  // namespace

SmallVector<VectorAccess, 4> find_vector_accesses(BasicBlock &block, function_ref<bool(const VectorAccess &)> filter) {
  SmallVector<VectorAccess, 4> out;
  FirstAccesses first_accesses;
  uint64_t lines = 0;
  for (Instruction &instruction : block) {
    std::optional<VectorAccess> access = find_vector(instruction);
    if (!access || !filter(*access)) continue;
    if (auto first = first_accesses.find_or_add(*access, unsigned(out.size()))) {
      out[*first].written |= access->written;
      continue;
    }
    out.push_back(*access);
    lines += divideCeil(access->bytes, cache_line_bytes);
  }
  if (lines > max_prefetched_lines) out.clear();
  return out;
}

}  // namespace quern
