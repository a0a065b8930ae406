/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The chain of loops that replaces an item loop. */
#include "compiler/passes/vectorize/loop_writer.hpp"

#include <cassert>

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/passes/vectorize/analysis/strides.hpp"
#include "compiler/passes/vectorize/transform/interleave_scalar.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"
#include "compiler/passes/vectorize/transform/prefetch_next_iteration.hpp"

using namespace llvm;

namespace quern {

/* Up to this trip count the scalar loop is faster: gathers and scatters take time for inactive lanes too. */
static constexpr uint64_t short_trip_count = 8;

/* Computes, before the loop, the value that `value` of the body has in the work-item `counter`. `known` caches results.
 * Like SCEVExpander, it clones the operations without poison-generating flags, which hold only where the body runs. */
Value *LoopWriter::precompute(Value *value, Value *counter, IRBuilder<> &builder, DenseMap<Value *, Value *> &known) {
  if (isa<Constant>(value)) return value;
  if (value == analyses_.body->counter()) return counter;
  if (auto *argument = dyn_cast<Argument>(value)) return analyses_.body->outside(argument);
  Value *&result = known[value];
  if (result) return result;
  auto &original = *cast<Instruction>(value);
  const bool is_strided = analyses_.shapes->shape(value).kind == Shape::strided;
  Instruction *copy = is_strided ? copy_strided(original) : original.clone();
  for (Use &operand : copy->operands()) operand.set(precompute(operand, counter, builder, known));
  copy->dropPoisonGeneratingAnnotations();
  builder.Insert(copy);
  return known[value] = copy;
}

/* The no-wrap condition of a RuntimeCheck: the difference between the last work-item and the first, extended to 64
 * bits, is (count - 1) * stride. */
Value *LoopWriter::write_runtime_check(const RuntimeCheck &runtime_check, IRBuilder<> &builder) {
  Value *last = builder.CreateSub(loop_.count, builder.getInt64(1));
  Value *ends[2];
  Value *counters[2] = {builder.getInt64(0), last};
  for (unsigned i = 0; i < 2; i++) {
    DenseMap<Value *, Value *> known;
    Value *end = precompute(runtime_check.value, counters[i], builder, known);
    ends[i] = runtime_check.is_signed ? builder.CreateSExt(end, builder.getInt64Ty())
                                      : builder.CreateZExt(end, builder.getInt64Ty());
  }
  Value *steps = builder.CreateMul(last, builder.getInt64(uint64_t(runtime_check.stride)));
  return builder.CreateICmpEQ(builder.CreateSub(ends[1], ends[0]), steps);
}

/* Computes the trip counts. Work-items from the item bound on are not run. With masks a loop that fails its checks runs
 * all work-items; without masks the trip count of the scalar loop is limited, and the loop runs at least once. */
void LoopWriter::find_trip_counts(IRBuilder<> &builder, bool masks) {
  Value *checks_pass = nullptr;
  trip_counts_.all = analyses_.bound ? analyses_.bound->count(loop_, builder, checks_pass) : loop_.count;
  for (const RuntimeCheck &runtime_check : analyses_.shapes->runtime_checks()) {
    Value *test = write_runtime_check(runtime_check, builder);
    checks_pass = checks_pass ? builder.CreateAnd(checks_pass, test) : test;
  }
  trip_counts_.checks_pass = checks_pass;
  trip_counts_.in_vectors =
      checks_pass ? builder.CreateSelect(checks_pass, trip_counts_.all, builder.getInt64(0)) : trip_counts_.all;
  if (masks) {
    if (checks_pass) trip_counts_.all = builder.CreateSelect(checks_pass, trip_counts_.all, loop_.count);
  } else if (analyses_.bound) {
    limit_trip_count(trip_counts_.all, checks_pass, builder);
  }
}

/* Sets the trip count of the scalar loop to max(end, 1) if `checks_pass` (null: always), else does not change it. */
void LoopWriter::limit_trip_count(Value *end, Value *checks_pass, IRBuilder<> &builder) {
  Value *trip_count = builder.CreateBinaryIntrinsic(Intrinsic::umax, end, builder.getInt64(1));
  if (checks_pass) trip_count = builder.CreateSelect(checks_pass, trip_count, loop_.count);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, trip_count);
  loop_.count = trip_count;
}

bool LoopWriter::write_bound() {
  if (!analyses_.bound) return false;
  IRBuilder<> builder(loop_.preheader->getTerminator());
  Value *checks_pass = nullptr;
  Value *end = analyses_.bound->count(loop_, builder, checks_pass);
  limit_trip_count(end, checks_pass, builder);
  return true;
}

/* The value after the vector loop of `value`, an operand of a phi in the exit block. Any work-item's live-out values
 * will do (ItemBody::live_out): those of lane 0 in the last vector stand for the last work-item's. */
Value *LoopWriter::last_value(Widener &widener, Value *value) {
  for (auto &[outside, inside] : analyses_.body->live_out()) {
    if (outside == value) return widener.first_lane(inside);
  }
  return value;
}

void LoopWriter::write_exit_values(Widener &widener, BasicBlock *from) {
  for (PHINode &phi : loop_.exit->phis()) {
    phi.addIncoming(last_value(widener, phi.getIncomingValueForBlock(loop_.latch)), from);
  }
}

/* Prefetches the vectors that a loop with non-temporal stores loads, some iterations ahead; `block` begins its
 * straight-line body. From memory the data comes faster than with the hardware prefetchers alone. */
static void add_prefetches(BasicBlock *block, const BasicBlock *end) {
  for (; block && block != end; block = block->getSingleSuccessor()) {
    for (const VectorAccess &access :
         find_vector_accesses(*block, [](const VectorAccess &access) { return !access.written; })) {
      IRBuilder<> builder(access.instruction);
      access.prefetch(builder.CreatePtrAdd(access.address, builder.getInt64(prefetch_distance)), builder);
    }
  }
}

/* until = first_item_ + the largest multiple of `step` that is left
 * if (first_item_ < until) do { `step` work-items } while ((first += step) < until)
 * if (until == count) goto exit, with the values that `exit_value` gives */
void LoopWriter::write_main_loop(unsigned step, WriteBody write_body, ExitValue exit_value) {
  assert(isPowerOf2_32(step) && "multiples are found by a mask");
  BasicBlock *vectors = add_block("vector"), *latch = add_block("vector.latch"), *done = add_block("vector.done");
  BasicBlock *remainder = add_block("remainder");
  IRBuilder<> builder(insert_block_);
  Value *left = builder.CreateSub(trip_counts_.in_vectors, first_item_);
  Value *in_vectors = builder.CreateAnd(left, builder.getInt64(~uint64_t(step - 1)));
  Value *until = builder.CreateAdd(first_item_, in_vectors, "until", true, true);
  builder.CreateCondBr(builder.CreateICmpEQ(in_vectors, builder.getInt64(0)), remainder, vectors);

  builder.SetInsertPoint(vectors);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(first_item_, insert_block_);
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(first, builder.getInt64(step), "", true, true);
  first->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, until), vectors, done);
  /* The phi is complete: InlineFunction simplifies the body, and an operation on a phi of one value alone is one on
   * that value (ThreadBinOpOverPHI). */
  write_body(vectors, latch, first);

  builder.SetInsertPoint(done);
  builder.CreateCondBr(builder.CreateICmpEQ(until, loop_.count), loop_.exit, remainder);
  for (PHINode &phi : loop_.exit->phis()) {
    phi.addIncoming(exit_value(phi.getIncomingValueForBlock(loop_.latch)), done);
  }
  builder.SetInsertPoint(remainder);
  PHINode *first_item = builder.CreatePHI(builder.getInt64Ty(), 2, "first.item");
  first_item->addIncoming(first_item_, insert_block_);
  first_item->addIncoming(until, done);
  insert_block_ = remainder;
  first_item_ = first_item;
}

void LoopWriter::write_vectors(const WidenInput &input) {
  Widener widener(input, function_);
  auto write_body = [&](BasicBlock *vectors, BasicBlock *latch, Value *first) {
    widener.write(vectors, latch, first, nullptr);
    if (input.nontemporal_stores) add_prefetches(vectors, latch);
  };
  write_main_loop(input.width, write_body, [&](Value *value) { return last_value(widener, value); });
}

/* What is left is for the scalar loop. */
void LoopWriter::enter_scalar_loop() {
  IRBuilder<>(insert_block_).CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), insert_block_);
  loop_.counter->setIncomingValue(unsigned(index), first_item_);
}

bool LoopWriter::write_scalar() {
  assert(plan_.verdict == Verdict::unprofitable && "only a loop that was analysed, and has no vectors, stays scalar");
  if (plan_.interleave_count == 1) return write_bound();
  interleave_items(*analyses_.body, plan_.interleave_count);
  insert_block_ = loop_.preheader;
  insert_block_->getTerminator()->eraseFromParent();
  IRBuilder<> builder(insert_block_);
  first_item_ = builder.getInt64(0);
  trip_counts_.in_vectors = loop_.count;
  if (analyses_.bound) {
    Value *checks_pass = nullptr, *end = analyses_.bound->count(loop_, builder, checks_pass);
    trip_counts_.in_vectors = checks_pass ? builder.CreateSelect(checks_pass, end, first_item_) : end;
    limit_trip_count(end, checks_pass, builder);
  }
  auto write_body = [&](BasicBlock *items, BasicBlock *latch, Value *first) {
    write_scalar_body(*analyses_.body, first, items, latch);
  };
  write_main_loop(plan_.interleave_count, write_body, [](Value *value) { return value; });
  enter_scalar_loop();
  return true;
}

/* The condition for non-temporal stores: the results are large enough, and each stored vector is aligned to the size of
 * a register. */
Value *LoopWriter::is_nontemporal_profitable(IRBuilder<> &builder) {
  Value *condition = plan_.nontemporal->write_size_check(function_, layout_, builder);
  for (const StoreInst *store : plan_.nontemporal->stores) {
    DenseMap<Value *, Value *> known;
    auto *address = const_cast<Value *>(store->getPointerOperand());
    Value *first = builder.CreatePtrToInt(precompute(address, first_item_, builder, known), builder.getInt64Ty());
    Value *misalignment = builder.CreateAnd(first, builder.getInt64(plan_.nontemporal->align.value() - 1));
    condition = builder.CreateAnd(condition, builder.CreateICmpEQ(misalignment, builder.getInt64(0)));
  }
  return condition;
}

/* The unmasked vector loop with non-temporal stores. Where its condition does not hold, it runs no work-items. */
void LoopWriter::write_nontemporal(const WidenInput &input) {
  IRBuilder<> builder(insert_block_);
  Value *condition = is_nontemporal_profitable(builder);
  WidenInput nontemporal_input = input;
  nontemporal_input.nontemporal_stores = &*plan_.nontemporal;
  Value *vector_trip_count = trip_counts_.in_vectors;
  trip_counts_.in_vectors = builder.CreateSelect(condition, trip_counts_.in_vectors, builder.getInt64(0));
  write_vectors(nontemporal_input);
  trip_counts_.in_vectors = vector_trip_count;
}

/* The unmasked vector loop, for all work-items: `condition` says that they fill vectors.
 *   if (condition) { first = 0; do { the vector code } while ((first += width) < end); goto exit } */
void LoopWriter::write_unmasked(const WidenInput &input, Value *condition, Value *end) {
  BasicBlock *unmasked = add_block("unmasked"), *latch = add_block("unmasked.latch"), *others = add_block("general");
  IRBuilder<> builder(insert_block_);
  builder.CreateCondBr(condition, unmasked, others, MDBuilder(function_.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(unmasked);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(builder.getInt64(0), insert_block_);
  Widener widener(input, function_);
  widener.write(unmasked, latch, first, nullptr);
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(first, builder.getInt64(input.width), "", true, true);
  first->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, end), unmasked, loop_.exit);
  write_exit_values(widener, latch);
  insert_block_ = others;
}

/* The loop of a version. It has unmasked vectors only, and runs if the active work-items fill them, as they do while
 * many are active. Else control continues in the general version. */
void LoopWriter::write_version(const WidenInput &input) {
  insert_block_ = loop_.preheader;
  IRBuilder<> builder(insert_block_);
  find_trip_counts(builder, true);
  Value *remainder = builder.CreateAnd(trip_counts_.in_vectors, builder.getInt64(input.width - 1));
  Value *fills_vectors = builder.CreateICmpEQ(remainder, builder.getInt64(0));
  Value *is_nonzero = builder.CreateICmpNE(trip_counts_.in_vectors, builder.getInt64(0));
  write_unmasked(input, builder.CreateAnd(fills_vectors, is_nonzero), trip_counts_.in_vectors);
  IRBuilder<>(insert_block_).CreateBr(general_);
}

/* The masked vector loop (tail folding), for all work-items that are left:
 *   if (first_item < trip_count) {
 *     do { the vector code, lanes beyond the last work-item inactive } while ((first_item += width) < trip_count)
 *   }
 *   goto exit
 * Where a runtime check fails, only lane 0 is active and the step is 1: for a single lane all conditions hold. */
void LoopWriter::write_masked(const WidenInput &input) {
  BasicBlock *header = add_block("masked.header"), *masked = add_block("masked"), *latch = add_block("masked.latch");
  IRBuilder<> builder(insert_block_);
  builder.CreateCondBr(builder.CreateICmpULT(first_item_, trip_counts_.all), header, loop_.exit);
  add_skipped_exit_values();
  builder.SetInsertPoint(header);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(first_item_, insert_block_);
  Type *i32 = builder.getInt32Ty();
  SmallVector<Constant *, 64> lanes;
  for (unsigned i = 0; i < input.width; i++) lanes.push_back(ConstantInt::get(i32, i));
  Value *left = builder.CreateTrunc(builder.CreateSub(trip_counts_.all, first), i32),
        *step = builder.getInt64(input.width);
  if (trip_counts_.checks_pass) {
    left = builder.CreateSelect(trip_counts_.checks_pass, left, builder.getInt32(1));
    step = builder.CreateSelect(trip_counts_.checks_pass, step, builder.getInt64(1));
  }
  Value *mask = builder.CreateICmpULT(ConstantVector::get(lanes), builder.CreateVectorSplat(input.width, left));
  if (trip_counts_.checks_pass && analyses_.bound) {
    builder.CreateCondBr(builder.CreateOr(trip_counts_.checks_pass, analyses_.bound->test(first, builder)), masked,
                         latch);
  } else {
    builder.CreateBr(masked);
  }
  builder.SetInsertPoint(masked);
  Widener widener(input, function_);
  widener.write(masked, latch, first, mask);
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(first, step, "", true, true);
  first->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, trip_counts_.all), header, loop_.exit);
  write_exit_values(widener, latch);
}

/* Adds incoming values to the phis of the exit block for the edge that skips the masked loop. It is taken only if the
 * item bound excludes all work-items that are left. A loop with an item bound has no live-out values, so that they may
 * be poison here. */
void LoopWriter::add_skipped_exit_values() {
  for (PHINode &phi : loop_.exit->phis()) {
    auto *inside = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop_.latch));
    bool is_outside = !inside || !loop_.loop->contains(inside);
    phi.addIncoming(is_outside ? phi.getIncomingValueForBlock(loop_.latch) : PoisonValue::get(phi.getType()),
                    insert_block_);
  }
}

/* Keeps the scalar loop for short trip counts: if (trip_count <= short_trip_count) goto the scalar loop.
 * The subtraction wraps for a trip count of 0, which does not go there, as the scalar loop runs at least once. */
void LoopWriter::write_short_trip() {
  BasicBlock *short_trip = add_block("short.trip"), *long_trip = add_block("long.trip");
  IRBuilder<> builder(insert_block_);
  Value *last_item = builder.CreateSub(trip_counts_.all, builder.getInt64(1));
  builder.CreateCondBr(builder.CreateICmpULT(last_item, builder.getInt64(short_trip_count)), short_trip, long_trip);
  IRBuilder<>(short_trip).CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), short_trip);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, trip_counts_.all);
  insert_block_ = long_trip;
}

/* Whether the scalar loop is worth keeping for a runtime check that fails. An unsigned index is often negative for the
 * first work-items, which a condition excludes: `if (x - 2 < n) a[x - 2]`. A signed one rarely wraps. The scalar loop
 * of a jammed loop is that of one iteration of the y loop. */
bool LoopWriter::keeps_scalar_loop() const {
  if (!trip_counts_.checks_pass || plan_.tail != TailPolicy::masked || plan_.is_sub_group || analyses_.y_loop)
    return false;
  return any_of(analyses_.shapes->runtime_checks(), [](const RuntimeCheck &check) { return !check.is_signed; });
}

/* Runs all work-items in the scalar loop if a runtime check fails: in a vector loop only lane 0 would be active.
 *   if (!checks_pass) goto the scalar loop */
void LoopWriter::write_failed_checks() {
  BasicBlock *passed = add_block("passed");
  IRBuilder<> builder(insert_block_);
  builder.CreateCondBr(trip_counts_.checks_pass, passed, loop_.header,
                       MDBuilder(function_.getContext()).createLikelyBranchWeights());
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), insert_block_);
  insert_block_ = passed;
  trip_counts_.checks_pass = nullptr;
}

/* The chain of loops that replaces the item loop. Each one runs work-items that fill its vectors, and the next one runs
 * the others.
 *
 * With masks, and for sub-groups, the masked loop is the last of the chain. The scalar loop becomes dead code, or runs
 * short trip counts, or all work-items where a runtime check fails. An unmasked loop comes before the masked one only
 * if it is interleaved, or if the target emulates masks: else a mask costs little at run time, and a further copy of
 * the body much compile time. Without masks, the scalar loop is the last. */
void LoopWriter::write_loop(const WidenInput &input, bool unmasked) {
  insert_block_ = loop_.preheader;
  insert_block_->getTerminator()->eraseFromParent();
  if (unmasked) write_unmasked(input, unmasked_condition_, loop_.count);
  IRBuilder<> builder(insert_block_);
  find_trip_counts(builder, plan_.tail != TailPolicy::scalar_remainder);
  first_item_ = builder.getInt64(0);
  const bool always_masked = plan_.tail == TailPolicy::masked_interleaved;
  const bool short_trip = has_versions_ || always_masked;
  const bool has_scalar_loop = short_trip || keeps_scalar_loop();
  if (has_scalar_loop && !short_trip) write_failed_checks();
  /* Interleaving is a wider vector type, which the backend splits into registers. */
  WidenInput interleaved = input;
  interleaved.width *= plan_.interleave_count;
  if (plan_.nontemporal) write_nontemporal(input);
  if (!always_masked && (plan_.avoids_masks || plan_.interleave_count > 1)) write_vectors(interleaved);
  if (plan_.avoids_masks && plan_.interleave_count > 1) write_vectors(input);
  if (plan_.tail != TailPolicy::scalar_remainder) {
    if (short_trip) write_short_trip();
    write_masked(always_masked ? interleaved : input);
    if (!has_scalar_loop) loop_.counter->removeIncomingValue(loop_.preheader, false);
    return;
  }
  enter_scalar_loop();
}

void LoopWriter::write() {
  assert(plan_.has_vectors && "there is something to write");
  std::optional<NextIterationPrefetch> next_iteration;
  if (plan_.prefetches_next_iteration) next_iteration.emplace(loop_);
  write_variants();
  if (next_iteration) next_iteration->prefetch();
}

void LoopWriter::write_variants() {
  WidenInput input = {analyses_.body.get(),
                      analyses_.shapes.get(),
                      analyses_.linearization.get(),
                      analyses_.memory.get(),
                      plan_.width,
                      planned_.unit,
                      nullptr,
                      &functions_,
                      /*is_lane_zero_active=*/true,
                      analyses_.groups.get(),
                      analyses_.layout.get()};
  /* An unmasked version would bypass the versions of split_version(), which are faster where they apply. */
  if (planned_.unmasked && !has_versions_)
    unmasked_condition_ =
        planned_.unmasked->write_condition(*analyses_.body, *analyses_.shapes, analyses_.bound, plan_.width);
  bool is_interchanged = unmasked_condition_ && planned_.unmasked->may_interchange();
  if (is_interchanged) write_interchanged(input);
  if (analyses_.y_loop) {
    remainder_ = loop_;
    loop_.preheader = analyses_.y_loop->split_for_jam(remainder_);
    analyses_.body->place_jammed_copies(*analyses_.y_loop, loop_.preheader);
  }
  if (general_) {
    write_version(input);
  } else {
    write_loop(input, unmasked_condition_ && !is_interchanged);
  }
}

void LoopWriter::split_version(LoopWriter &general) {
  ItemLoop &loop = general.loop_;
  BasicBlock *version = add_block("version"), *others = add_block("general");
  Instruction *terminator = loop.preheader->getTerminator();
  IRBuilder<> builder(terminator);
  builder.CreateCondBr(
      planned_.request.versioned_stride->write_condition(*planned_.request.version, plan_.width, builder), version,
      others);
  terminator->eraseFromParent();
  IRBuilder<>(others).CreateBr(loop.header);
  loop.header->replacePhiUsesWith(loop.preheader, others);
  loop.preheader = others;
  loop_.preheader = version;
  general_ = others;
  general.has_versions_ = true;
}

}  // namespace quern
