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

static bool is_masked_load(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::masked_load;
}

static Value *vector_address(Instruction &instruction) {
  Value *address = nullptr;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) address = load->isSimple() ? load->getPointerOperand() : nullptr;
  if (is_masked_load(instruction)) address = cast<CallInst>(instruction).getArgOperand(0);
  bool is_global =
      address && address->getType()->isPointerTy() && address->getType()->getPointerAddressSpace() == global_space;
  return is_global && instruction.getType()->isVectorTy() ? address : nullptr;
}

/* True when what `address` is a constant from has been fetched near there, or else remembers it. */
static bool is_fetched(Value *address, DenseMap<const Value *, int64_t> &fetched, const DataLayout &layout) {
  APInt constant(64, 0);
  const Value *base = address->stripAndAccumulateConstantOffsets(layout, constant, /*AllowNonInbounds=*/true);
  auto [found, is_new] = fetched.try_emplace(base, constant.getSExtValue());
  return !is_new && uint64_t(std::abs(found->second - constant.getSExtValue())) < cache_line;
}

static void fetch_lines(Value *place, uint64_t bytes, IRBuilder<> &builder) {
  for (uint64_t at = 0; at < bytes; at += cache_line) {
    Value *line = at ? builder.CreatePtrAdd(place, builder.getInt64(at)) : place;
    fetch_line(line, /*written=*/false, builder);
  }
}

void NextGroup::fetch() {
  if (!groups_) return;
  for (BasicBlock &block : function_) {
    if (others_.contains(&block)) continue;
    SmallVector<Instruction *, 4> loads;
    DenseMap<const Value *, int64_t> fetched;
    uint64_t lines = 0;
    for (Instruction &instruction : block) {
      Value *address = vector_address(instruction);
      if (!address || groups_->change(address) == Turns::Change::none) continue;
      if (is_fetched(address, fetched, block.getDataLayout())) continue;
      loads.push_back(&instruction);
      lines += divideCeil(block.getDataLayout().getTypeStoreSize(instruction.getType()), cache_line);
    }
    if (lines > most_lines_fetched) continue;
    for (Instruction *load : loads) {
      IRBuilder<> builder(load);
      DenseMap<Value *, Value *> known;
      Value *place = groups_->next(vector_address(*load), known, builder);
      fetch_lines(place, block.getDataLayout().getTypeStoreSize(load->getType()), builder);
    }
  }
}

}  // namespace quern
