/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The form of a loop over rows of work-items that are whole vectors. */
#include <llvm/IR/MDBuilder.h>

#include "compiler/passes/vectorize/loop_vectorizer.hpp"

using namespace llvm;

namespace quern {

/* Tests in place have been written since it was known that the body is straight. */
static bool leads_straight(const BasicBlock *block, const BasicBlock *last) {
  while (block && block != last) block = block->getSingleSuccessor();
  return block;
}

/* row = 0; do { the vector form } while ((row += merged) < rows)
 * Begins at the end of `begin` and goes on in `after`. */
LoopVectorizer::YLoopEnd LoopVectorizer::write_y_loop(WidenInput input, BasicBlock *begin, Value *first,
                                                      BasicBlock *after) {
  BasicBlock *row = add_block("whole.row"), *next = add_block("whole.row.next");
  IRBuilder<> builder(begin);
  builder.CreateBr(row);
  builder.SetInsertPoint(row);
  PHINode *number = builder.CreatePHI(builder.getInt64Ty(), 2, "row");
  number->addIncoming(builder.getInt64(0), begin);
  const Places places = unmasked_->place(number, row);
  input.places = &places;
  input.exact = &unmasked_->exact();
  Widener widener(input, function_);
  widener.write(row, next, first, nullptr);
  const unsigned jam = unmasked_->jam();
  const bool exchanges = y_loop_ && y_loop_->is_transposed(); /* more addresses than registers as it is */
  const unsigned rows = leads_straight(row, next) && !exchanges ? unmasked_->y_per_iteration() : jam;
  if (rows > jam) unroll_by_two(*number, jam, next, unmasked_->exact());
  builder.SetInsertPoint(next);
  Value *second = builder.CreateAdd(number, builder.getInt64(rows), "", true, true);
  number->addIncoming(second, next);
  builder.CreateCondBr(builder.CreateICmpULT(second, unmasked_->y_loop().count()), row, after);
  reduce_strength(*number, rows, next, unmasked_->exact(), unmasked_->induction(), exchanges);
  YLoopEnd end = {next, {}};
  for (PHINode &phi : unmasked_->loop().getExitBlock()->phis()) {
    Value *value = phi.getIncomingValueForBlock(loop_.exit);
    auto *inside = dyn_cast<PHINode>(value);
    bool is_of_items = inside && inside->getParent() == loop_.exit;
    end.values.push_back(is_of_items ? last_value(widener, inside->getIncomingValue(0)) : value);
  }
  return end;
}

/* Where all rows go the same way at a branch, there is a loop over the rows for each side of it. */
SmallVector<Value *, 2> LoopVectorizer::write_unswitched(WidenInput input, BasicBlock *begin, Value *first,
                                                         BasicBlock *after) {
  input.known_branch = unmasked_->common_branch(*analysis_);
  if (!input.known_branch) return write_y_loop(input, begin, first, after).values;
  auto *branch = cast<BranchInst>(input.known_branch->getTerminator());
  BasicBlock *successors[] = {add_block("whole.side"), add_block("whole.side")};
  IRBuilder<> builder(begin);
  DenseMap<Value *, Value *> known;
  builder.CreateCondBr(precompute(branch->getCondition(), first, builder, known), successors[0], successors[1]);
  SmallVector<YLoopEnd, 2> ends;
  for (unsigned side : {0, 1}) {
    input.known_successor = side;
    ends.push_back(write_y_loop(input, successors[side], first, after));
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

/* if (whole) { first = 0; do { all rows } while ((first += width) < count) } else the loop over rows */
void LoopVectorizer::write_unmasked_y_loops(const WidenInput &input) {
  const Loop &rows = unmasked_->loop();
  BasicBlock *before = rows.getLoopPreheader(), *after = rows.getExitBlock();
  BasicBlock *whole = add_block("whole"), *next = add_block("whole.next");
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  builder.CreateCondBr(whole_, whole, rows.getHeader(), MDBuilder(context_).createLikelyBranchWeights());
  builder.SetInsertPoint(whole);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(builder.getInt64(0), before);
  const SmallVector<Value *, 2> values = write_unswitched(input, whole, first, next);
  builder.SetInsertPoint(next);
  Value *second = builder.CreateAdd(first, builder.getInt64(input.width), "", true, true);
  first->addIncoming(second, next);
  builder.CreateCondBr(builder.CreateICmpULT(second, loop_.count), whole, after);
  for (auto [phi, value] : zip(after->phis(), values)) phi.addIncoming(value, next);
}

}  // namespace quern
