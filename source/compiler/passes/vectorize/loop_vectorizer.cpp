/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Planning for one item loop, and the chain of loops around its vector code. */
#include "compiler/passes/vectorize/loop_vectorizer.hpp"

#include <cassert>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/forward_progress.hpp"
#include "compiler/passes/vectorize/analysis/recurrence_latency.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"
#include "compiler/passes/vectorize/cost_model.hpp"
#include "compiler/passes/vectorize/transform/interleave_scalar.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"
#include "compiler/passes/vectorize/transform/prefetch_next_iteration.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;

namespace quern {

/* The maximum size in bytes of the private variables of all lanes, which are on the stack. */
static constexpr uint64_t max_private_bytes = 64 * 1024;
/* The same for sub-groups, where the kernel gives the number of lanes. */
static constexpr uint64_t max_sub_group_private_bytes = 256 * 1024;

/* Up to this trip count the scalar loop is faster: gathers and scatters take time for inactive lanes too. */
static constexpr uint64_t short_trip_count = 8;

/* The cost of gathers depends on the distance of the elements and on the CPU. Where gathers make up more than
 * `min_gather_share` of the vector cost, the estimate is uncertain. It stays undecided if the ratio of vector cost to
 * scalar cost is between these bounds. The lower one is smaller where gathers are emulated. */
static constexpr double min_undecided_ratio = 0.8, min_undecided_ratio_emulated = 0.5, max_undecided_ratio = 1.3,
                        min_gather_share = 0.3;

/* The share of the scalar version's cost that the vector version may have at most, where explicit vectors fill
 * registers: they have to be transposed, and what is saved beside their arithmetic keeps other units busy. */
static constexpr double max_full_vector_ratio = 0.75;

bool LoopVectorizer::is_profitable(const PrivateMemory &memory) {
  ItemCost cost = estimate_cost(*analysis_, memory, groups_.get(), functions_, width_, unit(width_), unrolled_);
  if (!unrolled_.empty()) cost.scalar = scalar_cost_;
  cost_ = cost.vector;
  double min_ratio = unit(width_).gathers ? min_undecided_ratio : min_undecided_ratio_emulated;
  bool is_uncertain = cost.gathered > min_gather_share * cost.vector && cost.vector > min_ratio * cost.scalar &&
                      cost.vector < max_undecided_ratio * cost.scalar;
  is_undecided_ = may_stay_undecided_ && is_uncertain;
  const double max_ratio = cost.has_full_vectors ? max_full_vector_ratio : 1;
  is_unprofitable_ = !is_undecided_ && cost.vector >= max_ratio * cost.scalar;
  if (is_unprofitable_) cost_ = cost.scalar;
  return !is_unprofitable_;
}

/* Computes, before the loop, the value that `value` of the body has in the work-item `counter`. `known` caches results.
 * Like SCEVExpander, it clones the operations without poison-generating flags, which hold only where the body runs. */
Value *LoopVectorizer::precompute(Value *value, Value *counter, IRBuilder<> &builder,
                                  DenseMap<Value *, Value *> &known) {
  if (isa<Constant>(value)) return value;
  if (value == body_->counter()) return counter;
  if (auto *argument = dyn_cast<Argument>(value)) return body_->outside(argument);
  Value *&result = known[value];
  if (result) return result;
  auto &original = *cast<Instruction>(value);
  const bool is_strided = analysis_->shape(value).kind == Shape::strided;
  Instruction *copy = is_strided ? copy_strided(original) : original.clone();
  for (Use &operand : copy->operands()) operand.set(precompute(operand, counter, builder, known));
  copy->dropPoisonGeneratingAnnotations();
  builder.Insert(copy);
  return known[value] = copy;
}

/* The no-wrap condition of a RuntimeCheck: the difference between the last work-item and the first, extended to 64
 * bits, is (count - 1) * stride. */
Value *LoopVectorizer::write_runtime_check(const RuntimeCheck &runtime_check, IRBuilder<> &builder) {
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
void LoopVectorizer::find_trip_counts(IRBuilder<> &builder, bool masks) {
  Value *checks_pass = nullptr;
  trip_count_ = bound_ ? bound_->count(loop_, builder, checks_pass) : loop_.count;
  for (const RuntimeCheck &runtime_check : analysis_->runtime_checks()) {
    Value *test = write_runtime_check(runtime_check, builder);
    checks_pass = checks_pass ? builder.CreateAnd(checks_pass, test) : test;
  }
  checks_pass_ = checks_pass;
  vector_trip_count_ = checks_pass ? builder.CreateSelect(checks_pass, trip_count_, builder.getInt64(0)) : trip_count_;
  if (masks) {
    if (checks_pass) trip_count_ = builder.CreateSelect(checks_pass, trip_count_, loop_.count);
  } else if (bound_) {
    limit_trip_count(trip_count_, checks_pass, builder);
  }
}

/* Sets the trip count of the scalar loop to max(end, 1) if `checks_pass` (null: always), else does not change it. */
void LoopVectorizer::limit_trip_count(Value *end, Value *checks_pass, IRBuilder<> &builder) {
  Value *trip_count = builder.CreateBinaryIntrinsic(Intrinsic::umax, end, builder.getInt64(1));
  if (checks_pass) trip_count = builder.CreateSelect(checks_pass, trip_count, loop_.count);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, trip_count);
  loop_.count = trip_count;
}

bool LoopVectorizer::write_bound() {
  if (!bound_) return false;
  IRBuilder<> builder(loop_.preheader->getTerminator());
  Value *checks_pass = nullptr;
  Value *end = bound_->count(loop_, builder, checks_pass);
  limit_trip_count(end, checks_pass, builder);
  return true;
}

/* Folds the test of the item bound in the body, which runs only for work-items before it. */
void LoopVectorizer::drop_bound_test() {
  if (!bound_) return;
  auto *branch = cast<BranchInst>(body_->copy_of(bound_->branch->getParent())->getTerminator());
  LLVMContext &context = branch->getContext();
  Value *condition = ConstantInt::getBool(context, bound_->body_successor == 0);
  if (bound_->invariant_condition) {
    condition = branch->getCondition();
    auto *conjunction = cast<Instruction>(condition);
    auto *original = cast<Instruction>(bound_->branch->getCondition());
    unsigned invariant_operand = original->getOperand(0) == bound_->invariant_condition ? 0 : 1;
    condition = conjunction->getOperand(invariant_operand);
  }
  branch->setCondition(condition);
  ConstantFoldTerminator(branch->getParent());
}

/* The value after the vector loop of `value`, an operand of a phi in the exit block. Live-out values are the same for
 * all work-items: that of lane 0 in the last vector stands for the last work-item. */
Value *LoopVectorizer::last_value(Widener &widener, Value *value) {
  for (auto &[outside, inside] : body_->live_out()) {
    if (outside == value) return widener.first_lane(inside);
  }
  return value;
}

void LoopVectorizer::write_exit_values(Widener &widener, BasicBlock *from) {
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
void LoopVectorizer::write_main_loop(unsigned step, WriteBody write_body, ExitValue exit_value) {
  assert(isPowerOf2_32(step) && "multiples are found by a mask");
  BasicBlock *vectors = add_block("vector"), *latch = add_block("vector.latch"), *done = add_block("vector.done");
  BasicBlock *remainder = add_block("remainder");
  IRBuilder<> builder(insert_block_);
  Value *left = builder.CreateSub(vector_trip_count_, first_item_);
  Value *in_vectors = builder.CreateAnd(left, builder.getInt64(~uint64_t(step - 1)));
  Value *until = builder.CreateAdd(first_item_, in_vectors, "until", true, true);
  builder.CreateCondBr(builder.CreateICmpEQ(in_vectors, builder.getInt64(0)), remainder, vectors);

  builder.SetInsertPoint(vectors);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(first_item_, insert_block_);
  write_body(vectors, latch, first);
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(first, builder.getInt64(step), "", true, true);
  first->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, until), vectors, done);

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

void LoopVectorizer::write_vectors(const WidenInput &input) {
  Widener widener(input, function_);
  auto write_body = [&](BasicBlock *vectors, BasicBlock *latch, Value *first) {
    widener.write(vectors, latch, first, nullptr);
    if (input.nontemporal_stores) add_prefetches(vectors, latch);
  };
  write_main_loop(input.width, write_body, [&](Value *value) { return last_value(widener, value); });
}

/* What is left is for the scalar loop. */
void LoopVectorizer::enter_scalar_loop() {
  IRBuilder<>(insert_block_).CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), insert_block_);
  loop_.counter->setIncomingValue(unsigned(index), first_item_);
}

bool LoopVectorizer::write_scalar() {
  assert(is_unprofitable_ && "only a loop that was analysed, and has no vectors, stays scalar");
  interleave_count_ = choose_scalar_interleave_count(*body_, *analysis_, *memory_, target_.costs);
  if (interleave_count_ == 1) return write_bound();
  interleave_items(*body_, interleave_count_);
  insert_block_ = loop_.preheader;
  insert_block_->getTerminator()->eraseFromParent();
  IRBuilder<> builder(insert_block_);
  first_item_ = builder.getInt64(0);
  vector_trip_count_ = loop_.count;
  if (bound_) {
    Value *checks_pass = nullptr, *end = bound_->count(loop_, builder, checks_pass);
    vector_trip_count_ = checks_pass ? builder.CreateSelect(checks_pass, end, first_item_) : end;
    limit_trip_count(end, checks_pass, builder);
  }
  auto write_body = [&](BasicBlock *items, BasicBlock *latch, Value *first) {
    write_scalar_body(*body_, first, items, latch);
  };
  write_main_loop(interleave_count_, write_body, [](Value *value) { return value; });
  enter_scalar_loop();
  return true;
}

/* The condition for non-temporal stores: the results are large enough, and each stored vector is aligned to the size of
 * a register. Null when there is none. */
Value *LoopVectorizer::is_nontemporal_profitable(IRBuilder<> &builder) {
  Value *condition = nontemporal_->write_size_check(function_, group_layout_, builder);
  if (!condition) return nullptr;
  for (const StoreInst *store : nontemporal_->stores) {
    DenseMap<Value *, Value *> known;
    auto *address = const_cast<Value *>(store->getPointerOperand());
    Value *first = builder.CreatePtrToInt(precompute(address, first_item_, builder, known), builder.getInt64Ty());
    Value *misalignment = builder.CreateAnd(first, builder.getInt64(nontemporal_->align.value() - 1));
    condition = builder.CreateAnd(condition, builder.CreateICmpEQ(misalignment, builder.getInt64(0)));
  }
  return condition;
}

/* The unmasked vector loop with non-temporal stores. Where its condition does not hold, it runs no work-items. */
void LoopVectorizer::write_nontemporal(const WidenInput &input) {
  IRBuilder<> builder(insert_block_);
  Value *condition = is_nontemporal_profitable(builder);
  if (!condition) {
    nontemporal_.reset();
    return;
  }
  WidenInput nontemporal_input = input;
  nontemporal_input.nontemporal_stores = &*nontemporal_;
  Value *vector_trip_count = vector_trip_count_;
  vector_trip_count_ = builder.CreateSelect(condition, vector_trip_count_, builder.getInt64(0));
  write_vectors(nontemporal_input);
  vector_trip_count_ = vector_trip_count;
}

/* The unmasked vector loop, for all work-items: `condition` says that they fill vectors.
 *   if (condition) { first = 0; do { the vector code } while ((first += width) < end); goto exit } */
void LoopVectorizer::write_unmasked(const WidenInput &input, Value *condition, Value *end) {
  BasicBlock *unmasked = add_block("unmasked"), *latch = add_block("unmasked.latch"), *others = add_block("general");
  IRBuilder<> builder(insert_block_);
  builder.CreateCondBr(condition, unmasked, others, MDBuilder(context_).createLikelyBranchWeights());
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
void LoopVectorizer::write_version(const WidenInput &input) {
  insert_block_ = loop_.preheader;
  IRBuilder<> builder(insert_block_);
  find_trip_counts(builder, true);
  Value *remainder = builder.CreateAnd(vector_trip_count_, builder.getInt64(input.width - 1));
  Value *fills_vectors = builder.CreateICmpEQ(remainder, builder.getInt64(0));
  Value *is_nonzero = builder.CreateICmpNE(vector_trip_count_, builder.getInt64(0));
  write_unmasked(input, builder.CreateAnd(fills_vectors, is_nonzero), vector_trip_count_);
  IRBuilder<>(insert_block_).CreateBr(general_);
}

/* The masked vector loop (tail folding), for all work-items that are left:
 *   if (first_item < trip_count) {
 *     do { the vector code, lanes beyond the last work-item inactive } while ((first_item += width) < trip_count)
 *   }
 *   goto exit
 * Where a runtime check fails, only lane 0 is active and the step is 1: for a single lane all conditions hold. */
void LoopVectorizer::write_masked(const WidenInput &input) {
  BasicBlock *header = add_block("masked.header"), *masked = add_block("masked"), *latch = add_block("masked.latch");
  IRBuilder<> builder(insert_block_);
  builder.CreateCondBr(builder.CreateICmpULT(first_item_, trip_count_), header, loop_.exit);
  add_skipped_exit_values();
  builder.SetInsertPoint(header);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(first_item_, insert_block_);
  Type *i32 = builder.getInt32Ty();
  SmallVector<Constant *, 64> lanes;
  for (unsigned i = 0; i < input.width; i++) lanes.push_back(ConstantInt::get(i32, i));
  Value *left = builder.CreateTrunc(builder.CreateSub(trip_count_, first), i32), *step = builder.getInt64(input.width);
  if (checks_pass_) {
    left = builder.CreateSelect(checks_pass_, left, builder.getInt32(1));
    step = builder.CreateSelect(checks_pass_, step, builder.getInt64(1));
  }
  Value *mask = builder.CreateICmpULT(ConstantVector::get(lanes), builder.CreateVectorSplat(input.width, left));
  if (checks_pass_ && bound_) {
    builder.CreateCondBr(builder.CreateOr(checks_pass_, bound_->test(first, builder)), masked, latch);
  } else {
    builder.CreateBr(masked);
  }
  builder.SetInsertPoint(masked);
  Widener widener(input, function_);
  widener.write(masked, latch, first, mask);
  builder.SetInsertPoint(latch);
  Value *next = builder.CreateAdd(first, step, "", true, true);
  first->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, trip_count_), header, loop_.exit);
  write_exit_values(widener, latch);
}

/* Adds incoming values to the phis of the exit block for the edge that skips the masked loop. It is taken only if the
 * item bound excludes all work-items that are left. A loop with an item bound has no live-out values, so that they may
 * be poison here. */
void LoopVectorizer::add_skipped_exit_values() {
  for (PHINode &phi : loop_.exit->phis()) {
    auto *inside = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop_.latch));
    bool is_outside = !inside || !loop_.loop->contains(inside);
    phi.addIncoming(is_outside ? phi.getIncomingValueForBlock(loop_.latch) : PoisonValue::get(phi.getType()),
                    insert_block_);
  }
}

/* Keeps the scalar loop for short trip counts: if (trip_count <= short_trip_count) goto the scalar loop.
 * The subtraction wraps for a trip count of 0, which does not go there, as the scalar loop runs at least once. */
void LoopVectorizer::write_short_trip() {
  BasicBlock *short_trip = add_block("short.trip"), *long_trip = add_block("long.trip");
  IRBuilder<> builder(insert_block_);
  Value *last_item = builder.CreateSub(trip_count_, builder.getInt64(1));
  builder.CreateCondBr(builder.CreateICmpULT(last_item, builder.getInt64(short_trip_count)), short_trip, long_trip);
  IRBuilder<>(short_trip).CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), short_trip);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, trip_count_);
  insert_block_ = long_trip;
}

/* True when the masked loop is interleaved and the only vector loop. Inner loops unrolled with wide loads are much
 * code, and a second copy takes longer to compile than the masks take to run. Not inside a y loop: in work-groups of
 * several dimensions, the size in x may be so small that most lanes would be inactive. */
bool LoopVectorizer::is_always_masked() const {
  const Loop *parent = loop_.loop->getParentLoop();
  return interleave_count_ > 1 && unrolls_wide_loads() && !(parent && is_y_loop(*parent));
}

/* The chain of loops that replaces the item loop. Each one runs work-items that fill its vectors, and the next one runs
 * the others.
 *
 * With masks, and for sub-groups, the masked loop is the last of the chain. The scalar loop becomes dead code, or runs
 * short trip counts. An unmasked loop comes before the masked one only if it is interleaved: a mask costs little at run
 * time, and a further copy of the body much compile time. Without masks, the scalar loop is the last. */
void LoopVectorizer::write_loop(const WidenInput &input, bool masks, bool unmasked) {
  insert_block_ = loop_.preheader;
  insert_block_->getTerminator()->eraseFromParent();
  if (unmasked) write_unmasked(input, unmasked_condition_, loop_.count);
  IRBuilder<> builder(insert_block_);
  find_trip_counts(builder, masks || is_sub_group_);
  first_item_ = builder.getInt64(0);
  /* Interleaving is a wider vector type, which the backend splits into registers. */
  WidenInput interleaved = input;
  interleaved.width *= interleave_count_;
  const bool always_masked = masks && is_always_masked();
  if (nontemporal_) write_nontemporal(input);
  if (!always_masked && (!masks || interleave_count_ > 1)) write_vectors(interleaved);
  if (!masks && interleave_count_ > 1) write_vectors(input);
  if (masks || is_sub_group_) {
    const bool short_trip = has_versions_ || always_masked;
    if (short_trip) write_short_trip();
    write_masked(always_masked ? interleaved : input);
    if (!short_trip) loop_.counter->removeIncomingValue(loop_.preheader, false);
    return;
  }
  enter_scalar_loop();
}

bool LoopVectorizer::extract(const char *&why) {
  analysis_.reset();
  body_ = ItemBody::extract(loop_, y_loop_, why);
  if (!body_) return false;
  drop_bound_test();
  ConstantInt *known = version_ ? versioned_stride_->constant(*version_) : nullptr;
  if (known) assume_value(*body_, versioned_stride_->value, known);
  if (y_loop_) unroll_and_jam(body_->function(), body_->jammed_copies());
  return true;
}

bool LoopVectorizer::analyse_lanes(const char *&why) {
  memory_ = std::make_unique<PrivateMemory>(*body_);
  auto shapes = memory_->shapes();
  shapes[body_->counter()] = {Shape::strided, 1};
  analysis_ = std::make_unique<ShapeAnalysis>(body_->function(), shapes, memory_->parameters());
  if (is_sub_group_) {
    analysis_->forbid_runtime_checks();
    analysis_->allow_spin_loops();
  }
  if (function_.hasFnAttribute(VectorizeItemsPass::general_images)) analysis_->forbid_clamps();
  if (versioned_stride_ && versioned_stride_->kind == VersionedStride::mask) {
    if (version_) {
      analysis_->assume_single_block(masked_indices(*body_, versioned_stride_->value));
    } else {
      analysis_->forbid_runtime_masks();
    }
  }
  return analysis_->run(why);
}

/* True when LLVM may know the size of the object at an address: a global variable, or an unknown base. A load beyond
 * its end would be undefined to LLVM, even if it stays in the page. */
bool LoopVectorizer::may_have_known_size(const Value &address) const {
  auto *parameter = dyn_cast<Argument>(getUnderlyingObject(&address));
  const Value *outside = parameter ? body_->outside(parameter) : nullptr;
  if (!outside) return true;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(outside, objects);
  return any_of(objects, [](const Value *object) { return isa<GlobalVariable>(object); });
}

/* True when a pointer from outside the body is one that the program made. A getelementptr without "inbounds" may come
 * from LLVM, which has reassociated the parts of several addresses. */
bool LoopVectorizer::points_into_array(const Value &pointer) const {
  auto *parameter = dyn_cast<Argument>(&pointer);
  const Value *outside = parameter ? body_->outside(parameter) : nullptr;
  return outside && isa<Argument, LoadInst, GlobalVariable>(outside->stripInBoundsOffsets());
}

bool LoopVectorizer::loads_divergently(const LoadInst &stream) const {
  auto *object = dyn_cast<Argument>(getUnderlyingObject(stream.getPointerOperand()));
  const bool is_private = object && body_->variable(object);
  return !is_private && analysis_->shape(stream.getPointerOperand()).kind == Shape::varying;
}

/* Unrolls the inner loops around divergent ones of the load streams (unroll_wide_loads). The analysis has transformed
 * the body when it tells which are divergent, so that the body is extracted again. Private variables stay as they are,
 * since their interleaving depends on the size of the accesses. */
bool LoopVectorizer::unroll_divergent_loads(ArrayRef<WeakVH> streams, const char *&why) {
  SmallVector<bool, 4> is_divergent;
  for (Value *stream : streams) is_divergent.push_back(stream && loads_divergently(*cast<LoadInst>(stream)));
  if (!is_contained(is_divergent, true)) return true;
  unsigned width = choose_width(*body_, *analysis_, *memory_, target_.costs);
  scalar_cost_ = estimate_cost(*analysis_, *memory_, nullptr, functions_, width, unit(width)).scalar;
  if (!extract(why)) return false;
  SmallVector<LoadInst *, 4> chosen;
  for (auto [stream, divergent] : zip_equal(find_load_streams(body_->function()), is_divergent)) {
    if (divergent) chosen.push_back(stream);
  }
  const VectorUnit target = unit(width);
  OverRead over_read = target.masks_words && !target.prefers_gathers() ? OverRead::blocks : OverRead::words;
  if (any_of(chosen, [&](const LoadInst *stream) { return may_have_known_size(*stream->getPointerOperand()); })) {
    over_read = OverRead::nothing;
  }
  unrolled_ = unroll_wide_loads(body_->function(), chosen, over_read,
                                [&](const Value &pointer) { return points_into_array(pointer); });
  return analyse_lanes(why);
}

bool LoopVectorizer::analyse(const char *&why) {
  if (!extract(why)) return false;
  why = "a called function may spin until another work-item makes progress";
  if (!is_sub_group_ && calls_spin_loop(body_->function())) return false;
  /* The analysis deletes unreachable code, which may contain load streams. */
  const SmallVector<LoadInst *, 4> found = find_load_streams(body_->function());
  const SmallVector<WeakVH, 4> streams(found.begin(), found.end());
  if (!analyse_lanes(why) || !unroll_divergent_loads(streams, why)) return false;
  linearization_ = std::make_unique<Linearization>(*analysis_);
  why = "the control flow cannot be linearized";
  return linearization_->run();
}

bool LoopVectorizer::plan(unsigned width, const char *&why) {
  bound_ = ItemBound::find(loop_);
  if (!analyse(why)) return false;
  width_ = width ? width : choose_width(*body_, *analysis_, *memory_, target_.costs);
  why = "the target has no vectors";
  if (width_ < 2) return false;
  why = "the target has no masked memory operations";
  bool masks = unit(width_).masks_words;
  if (y_loop_ && !masks) return false;
  groups_ = std::make_unique<AccessGroups>(*analysis_, *memory_, masks);
  why = "private variables take too much memory";
  if (memory_->size() * width_ > max_private_bytes) return false;
  why = "the scalar version is estimated to be faster";
  if (!is_profitable(*memory_) && !width) return false;
  interleave_count_ = width || is_remainder_ ? 1 : choose_interleave_count(*analysis_, y_loop_);
  if (interleave_count_ == 1 && masks && !width && !is_remainder_ && !y_loop_) {
    interleave_count_ = choose_latency_interleave_count(*analysis_, width_, target_.costs, unrolled_);
  }
  if (memory_->size() * width_ * interleave_count_ > max_private_bytes || width_ >= largest_width)
    interleave_count_ = 1;
  bool has_nontemporal_stores = Triple(function_.getParent()->getTargetTriple()).isX86();
  if (has_nontemporal_stores && interleave_count_ == 1 && !y_loop_ && may_be_nontemporal_)
    nontemporal_ = NonTemporalStores::find(*analysis_, width_, register_bits(target_.costs) / 8);
  if (masks && interleave_count_ == 1 && !nontemporal_ && !is_remainder_ && !version_) {
    unsigned registers = target_.costs.getNumberOfRegisters(target_.costs.getRegisterClassForType(true, vector_type()));
    unmasked_ = UnmaskedVersion::find(loop_, *analysis_, y_loop_ ? jam_factor : 1, registers);
  }
  return true;
}

/* The item bound is not used: which work-items form a sub-group does not depend on the kernel's control flow. */
bool LoopVectorizer::plan_sub_groups(unsigned width, const char *&why) {
  is_sub_group_ = true;
  width_ = width;
  if (!analyse(why)) return false;
  why = "private variables take too much memory";
  return memory_->size() * width_ <= max_sub_group_private_bytes;
}

void LoopVectorizer::write() {
  const bool prefetches =
      prefetches_next_iteration_ && !y_loop_ && !unmasked_ && !version_ && analysis_->loops().empty();
  std::optional<NextIterationPrefetch> next_iteration;
  if (prefetches) next_iteration.emplace(loop_);
  write_variants();
  if (next_iteration) next_iteration->prefetch();
}

void LoopVectorizer::write_variants() {
  bool masks = unit(width_).masks_words;
  WidenInput input = {body_.get(), analysis_.get(), linearization_.get(),         memory_.get(), width_, unit(width_),
                      nullptr,     &functions_,     /*is_lane_zero_active=*/true, groups_.get()};
  /* An unmasked version would bypass the versions of split_version(), which are faster where they apply. */
  if (unmasked_ && !has_versions_) unmasked_condition_ = unmasked_->write_condition(*body_, *analysis_, bound_, width_);
  bool is_interchanged = unmasked_condition_ && unmasked_->may_interchange();
  if (is_interchanged) write_interchanged(input);
  if (y_loop_) {
    remainder_ = loop_;
    loop_.preheader = y_loop_->split_for_jam(remainder_);
    body_->place_jammed_copies(*y_loop_, loop_.preheader);
  }
  if (general_) {
    write_version(input);
  } else {
    write_loop(input, masks, unmasked_condition_ && !is_interchanged);
  }
}

void LoopVectorizer::find_mask(const LoopInfo &loops) {
  if (unit(register_bits(target_.costs) / 32).masks_words) versioned_stride_ = VersionedStride::find_mask(loop_, loops);
}

std::optional<VersionedStride> LoopVectorizer::find_versioned_stride(const LoopInfo &loops) const {
  if (versioned_stride_) return versioned_stride_;
  bool masks = unit(width_).masks_words;
  return masks && !y_loop_ && !is_remainder_ ? VersionedStride::find_stride(*body_, *analysis_, loop_, loops)
                                             : std::nullopt;
}

void LoopVectorizer::split_version(LoopVectorizer &general) {
  ItemLoop &loop = general.loop_;
  BasicBlock *version = add_block("version"), *others = add_block("general");
  Instruction *terminator = loop.preheader->getTerminator();
  IRBuilder<> builder(terminator);
  builder.CreateCondBr(versioned_stride_->write_condition(*version_, width_, builder), version, others);
  terminator->eraseFromParent();
  IRBuilder<>(others).CreateBr(loop.header);
  loop.header->replacePhiUsesWith(loop.preheader, others);
  loop.preheader = others;
  loop_.preheader = version;
  general_ = others;
  general.has_versions_ = true;
}

}  // namespace quern
