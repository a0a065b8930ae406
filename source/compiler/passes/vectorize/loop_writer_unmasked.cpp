/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writes the unmasked version of a y loop: interchanged with the item loop, and unswitched. */
#include <cassert>

#include <llvm/IR/MDBuilder.h>

#include "compiler/passes/vectorize/loop_writer.hpp"

using namespace llvm;

namespace quern {

/* True when unconditional branches lead from `block` to `last`. A body without branches may have got some when it was
 * written: runtime checks at accesses. */
static bool is_straight_line(const BasicBlock *block, const BasicBlock *last) {
  while (block && block != last) block = block->getSingleSuccessor();
  return block;
}

/* y = 0; do { the vector code } while ((y += y_per_iteration) < y_count)
 * Starts at the end of `begin` and continues in `after`. `first` is the work-item of lane 0. */
LoopWriter::YLoopEnd LoopWriter::write_y_loop(WidenInput input, BasicBlock *begin, Value *first, BasicBlock *after) {
  BasicBlock *header = add_block("unmasked.y"), *latch = add_block("unmasked.y.latch");
  IRBuilder<> builder(begin);
  builder.CreateBr(header);
  builder.SetInsertPoint(header);
  PHINode *y = builder.CreatePHI(builder.getInt64Ty(), 2, "y");
  y->addIncoming(builder.getInt64(0), begin);
  const ArgumentValues argument_values = planned_.unmasked->argument_values(y, header);
  input.argument_values = &argument_values;
  input.no_wrap_values = &planned_.unmasked->no_wrap_values();
  Widener widener(input, function_);
  widener.write(header, latch, first, nullptr);
  const unsigned jam = planned_.unmasked->jam();
  const bool is_transposed =
      analyses_.y_loop && analyses_.y_loop->is_transposed(); /* already has more addresses than registers */
  const unsigned step = is_straight_line(header, latch) ? planned_.unmasked->y_per_iteration() : jam;
  if (step > jam) unroll_by_two(*y, jam, latch, planned_.unmasked->no_wrap_values());
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(y, builder.getInt64(step), "", true, true);
  y->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, planned_.unmasked->y_loop().trip_count()), header, after);
  reduce_strength(*y, step, latch, planned_.unmasked->no_wrap_values(), planned_.unmasked->enclosing(), is_transposed);
  YLoopEnd end = {latch, {}};
  for (PHINode &phi : planned_.unmasked->loop().getExitBlock()->phis()) {
    Value *value = phi.getIncomingValueForBlock(loop_.exit);
    auto *exit_phi = dyn_cast<PHINode>(value);
    bool is_of_items = exit_phi && exit_phi->getParent() == loop_.exit;
    end.values.push_back(is_of_items ? last_value(widener, exit_phi->getIncomingValue(0)) : value);
  }
  return end;
}

/* Unswitches the y loop on an invariant branch, as SimpleLoopUnswitch does: there is a y loop for each successor. */
SmallVector<Value *, 2> LoopWriter::write_unswitched(WidenInput input, BasicBlock *begin, Value *first,
                                                     BasicBlock *after) {
  input.known_branch = planned_.unmasked->invariant_branch(*analyses_.shapes);
  if (!input.known_branch) return write_y_loop(input, begin, first, after).values;
  auto *branch = cast<BranchInst>(input.known_branch->getTerminator());
  BasicBlock *successors[] = {add_block("unmasked.unswitched"), add_block("unmasked.unswitched")};
  IRBuilder<> builder(begin);
  DenseMap<Value *, Value *> known;
  builder.CreateCondBr(precompute(branch->getCondition(), first, builder, known), successors[0], successors[1]);
  SmallVector<YLoopEnd, 2> ends;
  for (unsigned index : {0, 1}) {
    input.known_successor = index;
    ends.push_back(write_y_loop(input, successors[index], first, after));
  }
  builder.SetInsertPoint(after);
  SmallVector<Value *, 2> values;
  for (auto [value, other] : zip(ends[0].values, ends[1].values)) {
    PHINode *phi = builder.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, ends[0].block);
    phi->addIncoming(other, ends[1].block);
    values.push_back(phi);
  }
  return values;
}

/* The item loop becomes the outer loop, over vectors:
 *   if (condition) { first = 0; do { the y loop } while ((first += width) < count) } else the original y loop */
void LoopWriter::write_interchanged(const WidenInput &input) {
  assert(unmasked_condition_ && "the condition of the unmasked version has been written");
  const Loop &original = planned_.unmasked->loop();
  BasicBlock *preheader = original.getLoopPreheader(), *after = original.getExitBlock();
  BasicBlock *header = add_block("unmasked"), *latch = add_block("unmasked.latch");
  preheader->getTerminator()->eraseFromParent();
  IRBuilder<> builder(preheader);
  builder.CreateCondBr(unmasked_condition_, header, original.getHeader(),
                       MDBuilder(function_.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(header);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(builder.getInt64(0), preheader);
  const SmallVector<Value *, 2> values = write_unswitched(input, header, first, latch);
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(first, builder.getInt64(input.width), "", true, true);
  first->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, loop_.count), header, after);
  for (auto [phi, value] : zip(after->phis(), values)) phi.addIncoming(value, latch);
}

}  // namespace quern
