/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prefetches for turns to come. */
#include "compiler/passes/vectorize/transform/prefetch_next_iteration.hpp"

#include "compiler/passes/group_stride_interchange.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"

using namespace llvm;

namespace quern {

static bool is_stride(const Loop &items) {
  return any_of(items.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) { return instruction.hasMetadata(group_stride_mark); });
  });
}

NextIterationPrefetch::NextIterationPrefetch(const ItemLoop &items)
    : function_(*items.header->getParent()),
      strides_(is_stride(*items.loop)),
      induction_(strides_ ? EnclosingInduction::find(items) : EnclosingInduction::of_groups(items)) {
  for (const BasicBlock &block : function_) others_.insert(&block);
}

/* Behind the last turn there is mostly what another group reads. EnclosingInduction that are further apart, as those of groups which
 * stride through everything together, have nothing in between. */
Value *NextIterationPrefetch::place(const VectorAccess &access, DenseMap<Value *, Value *> &known,
                                    IRBuilder<> &builder) const {
  Value *next = induction_->next(access.address, known, builder);
  if (!strides_ || induction_->are_groups()) return next;
  Value *bytes = builder.CreatePtrDiff(builder.getInt8Ty(), next, access.address);
  Value *ahead = builder.CreateBinaryIntrinsic(Intrinsic::umax, bytes, builder.getInt64(prefetch_distance));
  return builder.CreatePtrAdd(access.address, ahead);
}

void NextIterationPrefetch::prefetch() {
  if (!induction_) return;
  auto counts = [&](const VectorAccess &access) {
    return (!strides_ || !access.written) && induction_->change(access.address) != EnclosingInduction::Change::none;
  };
  for (BasicBlock &block : function_) {
    if (others_.contains(&block)) continue;
    DenseMap<Value *, Value *> known;
    for (const VectorAccess &access : find_vectors(block, counts)) {
      IRBuilder<> builder(access.instruction);
      access.prefetch(place(access, known, builder), builder);
    }
  }
}

}  // namespace quern
