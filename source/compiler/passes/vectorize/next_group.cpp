/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prefetches for the next work-group. */
#include "compiler/passes/vectorize/next_group.hpp"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/vectorize/fetches.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"

using namespace llvm;

namespace quern {

/* Around work-items is a loop over both other dimensions, or one over each. */
static const Loop *around_group(const Loop &items) {
  const Loop *rows = items.getParentLoop();
  if (rows && is_row_loop(*rows)) rows = rows->getParentLoop();
  return rows ? rows->getParentLoop() : nullptr;
}

NextGroup::NextGroup(const Loop &items) : function_(*items.getHeader()->getParent()) {
  const Loop *around = around_group(items);
  groups_ = Turns::of_groups(function_);
  if (!around || (groups_ && !groups_->is_made_in(*around))) groups_.reset();
  if (!groups_) return;
  for (const BasicBlock &block : function_) others_.insert(&block);
}

/* A vector in global memory. */
struct NextGroup::Access {
  Instruction *instruction;
  Value *address;
  uint64_t bytes;
  bool written;
};

static std::optional<NextGroup::Access> vector_access(Instruction &instruction) {
  Value *address = nullptr, *stored = nullptr;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) address = load->isSimple() ? load->getPointerOperand() : nullptr;
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    address = store->isSimple() ? store->getPointerOperand() : nullptr;
    stored = store->getValueOperand();
  }
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == Intrinsic::masked_load) address = call->getArgOperand(0);
    if (call->getIntrinsicID() == Intrinsic::masked_store) {
      address = call->getArgOperand(1);
      stored = call->getArgOperand(0);
    }
  }
  if (!address || address->getType()->getPointerAddressSpace() != global_space) return std::nullopt;
  Type *type = stored ? stored->getType() : instruction.getType();
  if (!type->isVectorTy()) return std::nullopt;
  return NextGroup::Access{&instruction, address, instruction.getDataLayout().getTypeStoreSize(type),
                           stored != nullptr};
}

/* True when what the address is a constant from is fetched near there, or else remembers it. */
static bool is_fetched(const NextGroup::Access &access, DenseMap<const Value *, int64_t> &fetched) {
  APInt constant(64, 0);
  const DataLayout &layout = access.instruction->getDataLayout();
  const Value *base = access.address->stripAndAccumulateConstantOffsets(layout, constant, /*AllowNonInbounds=*/true);
  auto [found, is_new] = fetched.try_emplace(base, constant.getSExtValue());
  return !is_new && uint64_t(std::abs(found->second - constant.getSExtValue())) < cache_line;
}

static void fetch_lines(const NextGroup::Access &access, Value *place, IRBuilder<> &builder) {
  for (uint64_t at = 0; at < access.bytes; at += cache_line) {
    Value *line = at ? builder.CreatePtrAdd(place, builder.getInt64(at)) : place;
    fetch_line(line, access.written, builder);
  }
}

/* What one block has of the next group: nothing when that is too much. */
SmallVector<NextGroup::Access, 4> NextGroup::accesses(BasicBlock &block) {
  SmallVector<Access, 4> out;
  DenseMap<const Value *, int64_t> fetched;
  uint64_t lines = 0;
  for (Instruction &instruction : block) {
    std::optional<Access> access = vector_access(instruction);
    if (!access || groups_->change(access->address) == Turns::Change::none || is_fetched(*access, fetched)) continue;
    out.push_back(*access);
    lines += divideCeil(access->bytes, cache_line);
  }
  if (lines > most_lines_fetched) out.clear();
  return out;
}

void NextGroup::fetch() {
  if (!groups_) return;
  for (BasicBlock &block : function_) {
    if (others_.contains(&block)) continue;
    for (const Access &access : accesses(block)) {
      IRBuilder<> builder(access.instruction);
      DenseMap<Value *, Value *> known;
      fetch_lines(access, groups_->next(access.address, known, builder), builder);
    }
  }
}

}  // namespace quern
