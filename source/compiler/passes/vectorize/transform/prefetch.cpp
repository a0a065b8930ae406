/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prefetches, and what they are for. */
#include "compiler/passes/vectorize/transform/prefetch.hpp"

#include <cstdlib>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/address_spaces.hpp"

using namespace llvm;

namespace quern {

CallInst *prefetch_line(Value *place, bool written, IRBuilder<> &builder) {
  constexpr unsigned keep_in_all_caches = 3, data = 1;
  return builder.CreateIntrinsic(
      Intrinsic::prefetch, {place->getType()},
      {place, builder.getInt32(written), builder.getInt32(keep_in_all_caches), builder.getInt32(data)});
}

void VectorAccess::prefetch(Value *place, IRBuilder<> &builder) const {
  for (uint64_t at = 0; at < bytes; at += cache_line) {
    Value *line = at ? builder.CreatePtrAdd(place, builder.getInt64(at)) : place;
    prefetch_line(line, written, builder);
  }
}

/* Where a load or a store has its vector, or null, and what is stored. */
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

/* Accesses by what their addresses are a constant from: the first of each. */
class Lines {
 public:
  /* One that is near `access`, which is remembered as number `index` when there is none. */
  std::optional<unsigned> find_or_add(const VectorAccess &access, unsigned index) {
    APInt bytes(64, 0);
    const DataLayout &layout = access.instruction->getDataLayout();
    const Value *base = access.address->stripAndAccumulateConstantOffsets(layout, bytes, /*AllowNonInbounds=*/true);
    auto [found, is_new] = first_.try_emplace(base, Place{bytes.getSExtValue(), index});
    bool is_near = !is_new && uint64_t(std::abs(found->second.bytes - bytes.getSExtValue())) < cache_line;
    return is_near ? std::optional(found->second.index) : std::nullopt;
  }

 private:
  struct Place {
    int64_t bytes;
    unsigned index;
  };
  DenseMap<const Value *, Place> first_;
};

}  // namespace

SmallVector<VectorAccess, 4> find_vectors(BasicBlock &block, function_ref<bool(const VectorAccess &)> counts) {
  SmallVector<VectorAccess, 4> out;
  Lines known;
  uint64_t lines = 0;
  for (Instruction &instruction : block) {
    std::optional<VectorAccess> access = find_vector(instruction);
    if (!access || !counts(*access)) continue;
    if (auto same = known.find_or_add(*access, unsigned(out.size()))) {
      out[*same].written |= access->written;
      continue;
    }
    out.push_back(*access);
    lines += divideCeil(access->bytes, cache_line);
  }
  if (lines > most_lines_prefetched) out.clear();
  return out;
}

}  // namespace quern
