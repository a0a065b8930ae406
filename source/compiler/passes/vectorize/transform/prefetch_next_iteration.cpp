/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prefetches for later iterations of the enclosing loop. */
#include "compiler/passes/vectorize/transform/prefetch_next_iteration.hpp"

#include "compiler/passes/group_stride_interchange.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"

using namespace llvm;

namespace quern {

/* True for the item loop of an interchanged group-stride loop. */
static bool is_in_group_stride_loop(const Loop &items) {
  return any_of(items.blocks(), [](const BasicBlock *block) {
    return any_of(*block,
                  [](const Instruction &instruction) { return instruction.hasMetadata(group_stride_metadata); });
  });
}

NextIterationPrefetch::NextIterationPrefetch(const ItemLoop &items)
    : function_(*items.header->getParent()),
      is_group_stride_(is_in_group_stride_loop(*items.loop)),
      enclosing_(is_group_stride_ ? EnclosingInduction::find(items) : EnclosingInduction::of_groups(items)),
      first_new_block_(function_.getMaxBlockNumber()) {}

/* A group-stride loop prefetches at least `prefetch_distance` ahead, also past its last iteration: there lies, mostly,
 * what another group reads. With a larger step, as when all groups stride through the data together, the lines between
 * two iterations are not the group's own. Then the next iteration itself is prefetched. */
Value *NextIterationPrefetch::prefetch_address(const VectorAccess &access, DenseMap<Value *, Value *> &known,
                                               IRBuilder<> &builder) const {
  Value *next = enclosing_->next(access.address, known, builder);
  if (!is_group_stride_ || enclosing_->is_group_loop()) return next;
  Value *bytes = builder.CreatePtrDiff(builder.getInt8Ty(), next, access.address);
  Value *ahead = builder.CreateBinaryIntrinsic(Intrinsic::umax, bytes, builder.getInt64(prefetch_distance));
  return builder.CreatePtrAdd(access.address, ahead);
}

void NextIterationPrefetch::prefetch() {
  if (!enclosing_) return;
  auto is_wanted = [&](const VectorAccess &access) {
    return (!is_group_stride_ || !access.written) &&
           enclosing_->change(access.address) != EnclosingInduction::Change::none;
  };
  for (BasicBlock &block : function_) {
    if (block.getNumber() < first_new_block_) continue;
    DenseMap<Value *, Value *> known;
    for (const VectorAccess &access : find_vector_accesses(block, is_wanted)) {
      IRBuilder<> builder(access.instruction);
      access.prefetch(prefetch_address(access, known, builder), builder);
    }
  }
}

}  // namespace quern
