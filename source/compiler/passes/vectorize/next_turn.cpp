/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prefetches for turns to come. */
#include "compiler/passes/vectorize/next_turn.hpp"

#include "compiler/passes/stride_turns.hpp"
#include "compiler/passes/vectorize/fetches.hpp"

using namespace llvm;

namespace quern {

static bool is_stride(const Loop &items) {
  return any_of(items.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) { return instruction.hasMetadata(stride_mark); });
  });
}

NextTurn::NextTurn(const ItemLoop &items)
    : function_(*items.header->getParent()),
      strides_(is_stride(*items.loop)),
      turns_(strides_ ? Turns::find(items) : Turns::of_groups(items)) {
  for (const BasicBlock &block : function_) others_.insert(&block);
}

/* Behind the last turn there is mostly what another group reads. Turns that are further apart, as those of groups which
 * stride through everything together, have nothing in between. */
Value *NextTurn::place(const VectorAccess &access, DenseMap<Value *, Value *> &known, IRBuilder<> &builder) const {
  Value *next = turns_->next(access.address, known, builder);
  if (!strides_ || turns_->are_groups()) return next;
  Value *bytes = builder.CreatePtrDiff(builder.getInt8Ty(), next, access.address);
  Value *ahead = builder.CreateBinaryIntrinsic(Intrinsic::umax, bytes, builder.getInt64(bytes_ahead));
  return builder.CreatePtrAdd(access.address, ahead);
}

void NextTurn::fetch() {
  if (!turns_) return;
  auto counts = [&](const VectorAccess &access) {
    return (!strides_ || !access.written) && turns_->change(access.address) != Turns::Change::none;
  };
  for (BasicBlock &block : function_) {
    if (others_.contains(&block)) continue;
    DenseMap<Value *, Value *> known;
    for (const VectorAccess &access : find_vectors(block, counts)) {
      IRBuilder<> builder(access.instruction);
      access.fetch(place(access, known, builder), builder);
    }
  }
}

}  // namespace quern
