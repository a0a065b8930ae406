/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prefetches for turns to come. */
#include "compiler/passes/vectorize/next_turn.hpp"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/stride_turns.hpp"
#include "compiler/passes/vectorize/fetches.hpp"

using namespace llvm;

namespace quern {

/* As many as are read while one comes from memory. */
static constexpr uint64_t fetched_bytes = 8192;

static bool is_stride(const Loop &items) {
  return any_of(items.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) { return instruction.hasMetadata(stride_mark); });
  });
}

NextTurn::NextTurn(const Loop &items)
    : function_(*items.getHeader()->getParent()),
      strides_(is_stride(items)),
      turns_(strides_ ? Turns::find(items) : Turns::of_groups(items)) {
  for (const BasicBlock &block : function_) others_.insert(&block);
}

/* A vector in global memory. */
struct NextTurn::Access {
  Instruction *instruction;
  Value *address;
  uint64_t bytes;
  bool written;
};

static std::optional<NextTurn::Access> vector_access(Instruction &instruction) {
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
  return NextTurn::Access{&instruction, address, instruction.getDataLayout().getTypeStoreSize(type), stored != nullptr};
}

/* True when what the address is a constant from is fetched near there, or else remembers it. */
static bool is_fetched(const NextTurn::Access &access, DenseMap<const Value *, int64_t> &fetched) {
  APInt constant(64, 0);
  const DataLayout &layout = access.instruction->getDataLayout();
  const Value *base = access.address->stripAndAccumulateConstantOffsets(layout, constant, /*AllowNonInbounds=*/true);
  auto [found, is_new] = fetched.try_emplace(base, constant.getSExtValue());
  return !is_new && uint64_t(std::abs(found->second - constant.getSExtValue())) < cache_line;
}

static void fetch_lines(const NextTurn::Access &access, Value *place, IRBuilder<> &builder) {
  for (uint64_t at = 0; at < access.bytes; at += cache_line) {
    Value *line = at ? builder.CreatePtrAdd(place, builder.getInt64(at)) : place;
    fetch_line(line, access.written, builder);
  }
}

/* What one block has of the next turn: nothing when that is too much. */
SmallVector<NextTurn::Access, 4> NextTurn::accesses(BasicBlock &block) {
  SmallVector<Access, 4> out;
  DenseMap<const Value *, int64_t> fetched;
  uint64_t lines = 0;
  for (Instruction &instruction : block) {
    std::optional<Access> access = vector_access(instruction);
    if (!access || turns_->change(access->address) == Turns::Change::none || is_fetched(*access, fetched)) continue;
    if (strides_ && access->written) continue;
    out.push_back(*access);
    lines += divideCeil(access->bytes, cache_line);
  }
  if (lines > most_lines_fetched) out.clear();
  return out;
}

/* Behind the last turn there is mostly what another group reads. Turns that are further apart, as those of groups which
 * stride through everything together, have nothing in between. */
Value *NextTurn::place(const Access &access, IRBuilder<> &builder) {
  DenseMap<Value *, Value *> known;
  Value *next = turns_->next(access.address, known, builder);
  if (!strides_ || turns_->are_groups()) return next;
  Value *bytes = builder.CreatePtrDiff(builder.getInt8Ty(), next, access.address);
  Value *ahead = builder.CreateBinaryIntrinsic(Intrinsic::umax, bytes, builder.getInt64(fetched_bytes));
  return builder.CreatePtrAdd(access.address, ahead);
}

void NextTurn::fetch() {
  if (!turns_) return;
  for (BasicBlock &block : function_) {
    if (others_.contains(&block)) continue;
    for (const Access &access : accesses(block)) {
      IRBuilder<> builder(access.instruction);
      fetch_lines(access, place(access, builder), builder);
    }
  }
}

}  // namespace quern
