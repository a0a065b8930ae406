/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Walks over bytes where the machine loads lane by lane, even if it has an instruction for that: then 16 bytes of a
 * lane take no more time than 4. */
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/transform/wide_load_unroller.hpp"

using namespace llvm;

namespace quern {

/* Instructions of all turns of a window. */
static constexpr unsigned most_block_instructions = 240;

/* What is loaded besides the walk's bytes lies in the page of the window's first one. Where the last window would leave
 * the page, and the walk does not, it begins earlier, at a multiple of its size. */
WideLoadUnroller::BlockLoad WideLoadUnroller::plan_block(const LoadStream &stream, Value *last) {
  Type *word = builder_.getInt32Ty();
  Value *iteration = builder_.CreateAnd(last, number(~uint64_t(block_size - 1)));
  Value *beyond = builder_.CreateZExtOrTrunc(builder_.CreateAnd(last, number(block_size - 1)), word);
  Value *base = builder_.CreatePtrToInt(stream.group_base, builder_.getInt64Ty());
  Value *low = builder_.CreateAdd(builder_.CreateTrunc(base, word), builder_.CreateTrunc(stream.group_offset, word));
  low = builder_.CreateAdd(low, builder_.CreateZExtOrTrunc(iteration, word));
  Value *room = builder_.CreateSub(builder_.getInt32(page_size), builder_.CreateAnd(low, page_size - 1));
  Value *components = builder_.CreateICmpULT(room, builder_.getInt32(block_size));
  Value *is_moved = builder_.CreateAnd(components, builder_.CreateICmpULT(beyond, room));
  Value *by = builder_.CreateAnd(low, block_size - 1);
  Value *offset = builder_.CreateSub(stream.group_offset, builder_.CreateZExt(by, stream.group_offset->getType()));
  return {builder_.CreateSelect(is_moved, iteration, number(1)), by, offset};
}

/* The bytes from where `base` is in this turn on. */
WideLoadUnroller::Words WideLoadUnroller::read_block(const LoadStream &stream, const BlockLoad &block_load,
                                                     Value *iteration, Value *base) {
  Type *word = builder_.getInt32Ty();
  Value *is_moved = builder_.CreateICmpEQ(iteration, block_load.moved_iteration);
  Value *offset = builder_.CreateSelect(is_moved, block_load.moved_offset, stream.group_offset);
  Value *all = load(stream, builder_.CreatePtrAdd(base, offset), FixedVectorType::get(word, block_words), Align(1));
  cast<Instruction>(all)->setMetadata(block_load_mark, MDNode::get(builder_.getContext(), {}));
  Words words;
  for (unsigned i = 0; i < block_words; i++) words[i] = builder_.CreateExtractElement(all, uint64_t(i));
  BasicBlock *here = builder_.GetInsertBlock(), *moved = add_block("moved"), *on = add_block("window.on");
  builder_.CreateCondBr(is_moved, moved, on);
  builder_.SetInsertPoint(moved);
  Words ordered = words;
  for (unsigned by : {2U, 1U}) {
    Value *skips = builder_.CreateIsNotNull(builder_.CreateAnd(block_load.moved_by, by * 4));
    for (unsigned i = 0; i + by < block_words; i++) {
      ordered[i] = builder_.CreateSelect(skips, ordered[i + by], ordered[i]);
    }
  }
  Value *bits = builder_.CreateShl(block_load.moved_by, 3);
  for (unsigned i = 0; i < block_words; i++) {
    Value *next = i + 1 < block_words ? ordered[i + 1] : ordered[i];
    ordered[i] = builder_.CreateIntrinsic(Intrinsic::fshr, {word}, {next, ordered[i], bits});
  }
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
  for (unsigned i = 0; i < block_words; i++) {
    PHINode *phi = builder_.CreatePHI(word, 2);
    phi->addIncoming(words[i], here);
    phi->addIncoming(ordered[i], moved);
    words[i] = phi;
  }
  return words;
}

/* Each turn is one that all work-items may do, whether they have it or not. */
bool WideLoadUnroller::suits_block_loads() const {
  if (!all_of(streams_, [](const LoadStream &stream) { return stream.size == 1; })) return false;
  if (block_size * block_.size() > most_block_instructions) return false;
  return all_of(block_, [&](const Instruction &instruction) {
    bool is_load_stream = any_of(streams_, [&](const LoadStream &stream) { return stream.load == &instruction; });
    if (is_load_stream || isa<PHINode>(instruction) || instruction.isTerminator()) return true;
    return !instruction.mayReadFromMemory() && isSafeToSpeculativelyExecute(&instruction);
  });
}

/* What is wanted behind the loop hangs on it, but for what the walks' addresses are made of. */
void WideLoadUnroller::find_needed() {
  SmallVector<Value *, 16> open(out_.begin(), out_.end());
  for (PHINode &phi : block_.phis()) {
    if (out_.contains(next(phi))) open.push_back(&phi);
  }
  while (!open.empty()) {
    auto *instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || instruction->getParent() != &block_ || !needed_.insert(instruction).second) continue;
    auto *phi = dyn_cast<PHINode>(instruction);
    if (phi) open.push_back(next(*phi));
    bool is_load_stream = any_of(streams_, [&](const LoadStream &stream) { return stream.load == instruction; });
    if (!phi && !is_load_stream) open.append(instruction->value_op_begin(), instruction->value_op_end());
  }
}

/* for (turn = 0;; turn += 16) {
 *   windows; a turn; if (beyond >= 1) a turn; if (beyond >= 2) a turn...
 *   if (beyond < 16) break;
 * }
 *
 * where `beyond` is last - turn. */
WideLoadUnroller::State WideLoadUnroller::write_block_loads(const State &state) {
  BasicBlock *here = builder_.GetInsertBlock(), *head = add_block("windows"), *on = add_block("windows.on");
  Value *last = last_ ? last_ : builder_.CreateSub(induction_, number(1));
  SmallVector<BlockLoad, 2> windows;
  for (const LoadStream &stream : streams_) windows.push_back(plan_block(stream, last));
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  find_needed();
  /* What is carried to the next turn needs no other name. */
  auto is_carried = [&](const Value *value) {
    return any_of(block_.phis(), [&](const PHINode &phi) { return next(phi) == value; });
  };
  SmallVector<bool, 8> are_phis, are_out;
  for (PHINode &phi : block_.phis()) are_phis.push_back(needed_.contains(&phi));
  for (Value *value : out_) are_out.push_back(!is_carried(value));
  State start, now;
  SmallVector<PHINode *, 4> bases;
  auto begin = [&](ArrayRef<Value *> values, ArrayRef<bool> are_kept, SmallVector<Value *, 8> &into) {
    for (auto [value, is_kept] : zip_equal(values, are_kept)) {
      into.push_back(is_kept ? static_cast<Value *>(add_phi(value, here)) : PoisonValue::get(value->getType()));
    }
  };
  begin(state.phis, are_phis, start.phis);
  begin(state.out, are_out, start.out);
  PHINode *iteration = add_phi(number(0), here);
  for (const LoadStream &stream : streams_) bases.push_back(add_phi(stream.group_base, here));
  Value *beyond = builder_.CreateSub(last, iteration);
  Elements elements;
  for (auto [stream, block_load, base] : zip_equal(streams_, windows, bases)) {
    for (Value *word : read_block(stream, block_load, iteration, base)) part(stream, word, 4, elements);
  }
  auto choose = [&](Value *is_on, ArrayRef<Value *> values, ArrayRef<bool> are_kept, SmallVector<Value *, 8> &into) {
    for (auto [value, is_kept, old] : zip_equal(values, are_kept, into)) {
      if (is_kept) old = is_on ? builder_.CreateSelect(is_on, value, old) : value;
    }
  };
  now = start;
  for (unsigned i = 0; i < block_size; i++) {
    const State next = copy(elements, i, now);
    Value *is_on = i ? builder_.CreateICmpUGE(beyond, number(i)) : nullptr;
    choose(is_on, next.phis, are_phis, now.phis);
    choose(is_on, next.out, are_out, now.out);
  }
  use_carried_values(now);
  BasicBlock *latch = builder_.GetInsertBlock();
  auto end = [&](ArrayRef<Value *> phis, ArrayRef<bool> are_kept, ArrayRef<Value *> values) {
    for (auto [phi, is_kept, value] : zip_equal(phis, are_kept, values)) {
      if (is_kept) cast<PHINode>(phi)->addIncoming(value, latch);
    }
  };
  end(start.phis, are_phis, now.phis);
  end(start.out, are_out, now.out);
  iteration->addIncoming(builder_.CreateAdd(iteration, number(block_size)), latch);
  for (PHINode *base : bases) {
    base->addIncoming(builder_.CreatePtrAdd(base, builder_.getInt64(block_size)), latch);
  }
  builder_.CreateCondBr(builder_.CreateICmpUGE(beyond, number(block_size)), head, on);
  builder_.SetInsertPoint(on);
  return now;
}

}  // namespace quern
