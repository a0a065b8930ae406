/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One loop over work-items: whether it is vectorized, how wide, and what is around the vector form. */
#include "compiler/passes/vectorize/loop_vectorizer.hpp"

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
#include "compiler/passes/vectorize/transform/prefetch.hpp"
#include "compiler/passes/vectorize/transform/prefetch_next_iteration.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;

namespace quern {

/* Most bytes of private variables that all lanes may have on the stack. */
static constexpr uint64_t largest_variables = 64 * 1024;
/* The same where lanes are a sub-group, whose size is not ours to choose. */
static constexpr uint64_t largest_sub_group_variables = 256 * 1024;

/* So few work-items that gathers and scatters, which take their time for lanes that are off too, lose. */
static constexpr uint64_t short_trip_count = 8;

/* What gathers cost hangs on where the elements lie, and on the CPU: so much may the estimate be wrong where they are
 * this share of it, and more where there are no instructions for them. */
static constexpr double unsure_from = 0.8, unsure_from_emulated = 0.5, unsure_to = 1.3, unsure_share = 0.3;

bool LoopVectorizer::is_profitable(const PrivateMemory &memory) {
  ItemCost cost = estimate_cost(*analysis_, memory, groups_.get(), functions_, width_, unit(width_), unrolled_);
  if (!unrolled_.empty()) cost.scalar = scalar_cost_;
  cost_ = cost.vector;
  double from = unit(width_).gathers ? unsure_from : unsure_from_emulated;
  bool is_unsure = cost.gathered > unsure_share * cost.vector && cost.vector > from * cost.scalar &&
                   cost.vector < unsure_to * cost.scalar;
  is_undecided_ = may_stay_undecided_ && is_unsure;
  is_unprofitable_ = !is_undecided_ && cost.vector >= cost.scalar;
  if (is_unprofitable_) cost_ = cost.scalar;
  return !is_unprofitable_;
}

/* What `value` of the body is for the work-item `counter`. */
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

/* From the first work-item to the last the value grows by as much as the steps between them come to. */
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

/* Work-items from a bound on need no turn; without masks the scalar loop, which runs at least once, is told. */
void LoopVectorizer::find_trip_counts(IRBuilder<> &builder, bool masks) {
  Value *holds = nullptr;
  end_ = bound_ ? bound_->count(loop_, builder, holds) : loop_.count;
  for (const RuntimeCheck &runtime_check : analysis_->runtime_checks()) {
    Value *test = write_runtime_check(runtime_check, builder);
    holds = holds ? builder.CreateAnd(holds, test) : test;
  }
  holds_ = holds;
  usable_ = holds ? builder.CreateSelect(holds, end_, builder.getInt64(0)) : end_;
  if (masks) {
    if (holds) end_ = builder.CreateSelect(holds, end_, loop_.count);
  } else if (bound_) {
    limit_trip_count(end_, holds, builder);
  }
}

/* The scalar loop ends at `end` where `holds`, which may be null. */
void LoopVectorizer::limit_trip_count(Value *end, Value *holds, IRBuilder<> &builder) {
  Value *turns = builder.CreateBinaryIntrinsic(Intrinsic::umax, end, builder.getInt64(1));
  if (holds) turns = builder.CreateSelect(holds, turns, loop_.count);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, turns);
  loop_.count = turns;
}

bool LoopVectorizer::write_bound() {
  if (!bound_) return false;
  IRBuilder<> builder(loop_.preheader->getTerminator());
  Value *holds = nullptr;
  Value *end = bound_->count(loop_, builder, holds);
  limit_trip_count(end, holds, builder);
  return true;
}

/* The body of work-items before the bound, which do not ask for it. */
void LoopVectorizer::drop_bound_test() {
  if (!bound_) return;
  auto *branch = cast<BranchInst>(body_->copy_of(bound_->branch->getParent())->getTerminator());
  LLVMContext &context = branch->getContext();
  Value *condition = ConstantInt::getBool(context, bound_->inside == 0);
  if (bound_->rest) {
    condition = branch->getCondition();
    auto *both = cast<Instruction>(condition);
    auto *original = cast<Instruction>(bound_->branch->getCondition());
    unsigned kept = original->getOperand(0) == bound_->rest ? 0 : 1;
    condition = both->getOperand(kept);
  }
  branch->setCondition(condition);
  ConstantFoldTerminator(branch->getParent());
}

/* What a value that the loop leaves to the code behind it was for the last work-item. */
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

/* What the body of large results loads, in blocks one behind the other, is on its way some vectors earlier: from memory
 * it comes faster so than processors see to by themselves. */
static void prefetch_ahead(BasicBlock *block, const BasicBlock *end) {
  for (; block && block != end; block = block->getSingleSuccessor()) {
    for (const VectorAccess &access :
         find_vectors(*block, [](const VectorAccess &access) { return !access.written; })) {
      IRBuilder<> builder(access.instruction);
      access.prefetch(builder.CreatePtrAdd(access.address, builder.getInt64(prefetch_distance)), builder);
    }
  }
}

/* until = from + whole vectors
 * if (from < until) do { the vector form } while ((from += width) < until)
 * if (until == count) goto exit */
void LoopVectorizer::write_vectors(const WidenInput &input) {
  BasicBlock *vectors = add_block("vectors"), *next = add_block("vectors.next"), *done = add_block("vectors.done");
  BasicBlock *remainder = add_block("rest");
  IRBuilder<> builder(here_);
  Value *left = builder.CreateSub(usable_, from_);
  Value *whole = builder.CreateAnd(left, builder.getInt64(~uint64_t(input.width - 1)));
  Value *until = builder.CreateAdd(from_, whole, "until", true, true);
  builder.CreateCondBr(builder.CreateICmpEQ(whole, builder.getInt64(0)), remainder, vectors);

  builder.SetInsertPoint(vectors);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(from_, here_);
  Widener widener(input, function_);
  widener.write(vectors, next, first, nullptr);
  if (input.nontemporal_stores) prefetch_ahead(vectors, next);
  builder.SetInsertPoint(next);
  Value *second = builder.CreateAdd(first, builder.getInt64(input.width), "", true, true);
  first->addIncoming(second, next);
  builder.CreateCondBr(builder.CreateICmpULT(second, until), vectors, done);

  builder.SetInsertPoint(done);
  builder.CreateCondBr(builder.CreateICmpEQ(until, loop_.count), loop_.exit, remainder);
  write_exit_values(widener, done);
  builder.SetInsertPoint(remainder);
  PHINode *from = builder.CreatePHI(builder.getInt64Ty(), 2, "from");
  from->addIncoming(from_, here_);
  from->addIncoming(until, done);
  here_ = remainder;
  from_ = from;
}

/* Whether the results are worth it, and each vector of them lies in one register's room of memory. */
Value *LoopVectorizer::is_nontemporal_profitable(IRBuilder<> &builder) {
  Value *may = nontemporal_->is_large(function_, group_layout_, builder);
  if (!may) return nullptr;
  for (const StoreInst *store : nontemporal_->stores) {
    DenseMap<Value *, Value *> known;
    auto *address = const_cast<Value *>(store->getPointerOperand());
    Value *first = builder.CreatePtrToInt(precompute(address, from_, builder, known), builder.getInt64Ty());
    Value *over_read = builder.CreateAnd(first, builder.getInt64(nontemporal_->align.value() - 1));
    may = builder.CreateAnd(may, builder.CreateICmpEQ(over_read, builder.getInt64(0)));
  }
  return may;
}

/* Whole vectors of large results first. */
void LoopVectorizer::write_nontemporal(const WidenInput &input) {
  IRBuilder<> builder(here_);
  Value *may = is_nontemporal_profitable(builder);
  if (!may) {
    nontemporal_.reset();
    return;
  }
  WidenInput streaming = input;
  streaming.nontemporal_stores = &*nontemporal_;
  Value *usable = usable_;
  usable_ = builder.CreateSelect(may, usable_, builder.getInt64(0));
  write_vectors(streaming);
  usable_ = usable;
}

/* if (condition) { do { the vector form } while ((from += width) < end); goto exit } */
void LoopVectorizer::write_unmasked(const WidenInput &input, Value *condition, Value *end) {
  BasicBlock *whole = add_block("whole"), *next = add_block("whole.next"), *parts = add_block("parts");
  IRBuilder<> builder(here_);
  builder.CreateCondBr(condition, whole, parts, MDBuilder(context_).createLikelyBranchWeights());
  builder.SetInsertPoint(whole);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(builder.getInt64(0), here_);
  Widener widener(input, function_);
  widener.write(whole, next, first, nullptr);
  builder.SetInsertPoint(next);
  Value *second = builder.CreateAdd(first, builder.getInt64(input.width), "", true, true);
  first->addIncoming(second, next);
  builder.CreateCondBr(builder.CreateICmpULT(second, end), whole, loop_.exit);
  write_exit_values(widener, next);
  here_ = parts;
}

/* A version is for whole vectors, as there are while many work-items have something to do; all else is left to the
 * general form. */
void LoopVectorizer::write_version(const WidenInput &input) {
  here_ = loop_.preheader;
  IRBuilder<> builder(here_);
  find_trip_counts(builder, true);
  Value *remainder = builder.CreateAnd(usable_, builder.getInt64(input.width - 1));
  Value *is_whole = builder.CreateICmpEQ(remainder, builder.getInt64(0));
  write_unmasked(input, builder.CreateAnd(is_whole, builder.CreateICmpNE(usable_, builder.getInt64(0))), usable_);
  IRBuilder<>(here_).CreateBr(general_);
}

/* if (from < end) do { the vector form, lanes beyond the last work-item off } while ((from += width) < end); goto exit
 *
 * Where the premises do not hold, lane 0 alone is on and the loop goes on by one: of a single lane everything holds. */
void LoopVectorizer::write_masked(const WidenInput &input) {
  BasicBlock *head = add_block("masked.head"), *masked = add_block("masked"), *next = add_block("masked.next");
  IRBuilder<> builder(here_);
  builder.CreateCondBr(builder.CreateICmpULT(from_, end_), head, loop_.exit);
  add_nothing_done();
  builder.SetInsertPoint(head);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(from_, here_);
  Type *narrow = builder.getInt32Ty();
  SmallVector<Constant *, 64> step_values;
  for (unsigned i = 0; i < input.width; i++) step_values.push_back(ConstantInt::get(narrow, i));
  Value *left = builder.CreateTrunc(builder.CreateSub(end_, first), narrow), *step = builder.getInt64(input.width);
  if (holds_) {
    left = builder.CreateSelect(holds_, left, builder.getInt32(1));
    step = builder.CreateSelect(holds_, step, builder.getInt64(1));
  }
  Value *mask = builder.CreateICmpULT(ConstantVector::get(step_values), builder.CreateVectorSplat(input.width, left));
  if (holds_ && bound_) {
    builder.CreateCondBr(builder.CreateOr(holds_, bound_->test(first, builder)), masked, next);
  } else {
    builder.CreateBr(masked);
  }
  builder.SetInsertPoint(masked);
  Widener widener(input, function_);
  widener.write(masked, next, first, mask);
  builder.SetInsertPoint(next);
  Value *second = builder.CreateAdd(first, step, "", true, true);
  first->addIncoming(second, next);
  builder.CreateCondBr(builder.CreateICmpULT(second, end_), head, loop_.exit);
  write_exit_values(widener, next);
}

/* No work-item ran, or all have: what comes out of the loop then is not used, or was set by them. */
void LoopVectorizer::add_nothing_done() {
  for (PHINode &phi : loop_.exit->phis()) {
    auto *inside = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop_.latch));
    bool is_outside = !inside || !loop_.loop->contains(inside);
    phi.addIncoming(is_outside ? phi.getIncomingValueForBlock(loop_.latch) : PoisonValue::get(phi.getType()), here_);
  }
}

/* if (end <= few) do { one work-item } while (++counter < end) */
void LoopVectorizer::write_short_trip() {
  BasicBlock *short_trip = add_block("few"), *long_trip = add_block("many");
  IRBuilder<> builder(here_);
  Value *one_less = builder.CreateSub(end_, builder.getInt64(1));
  builder.CreateCondBr(builder.CreateICmpULT(one_less, builder.getInt64(short_trip_count)), short_trip, long_trip);
  IRBuilder<>(short_trip).CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), short_trip);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, end_);
  here_ = long_trip;
}

/* Joined turns are much code, and a second copy of it takes longer to compile than masks take to run. The rows of
 * work-groups of several dimensions may be so short that most lanes would be off. */
bool LoopVectorizer::is_always_masked() const {
  const Loop *around = loop_.loop->getParentLoop();
  return interleave_count_ > 1 && unrolls_wide_loads() && !(around && is_y_loop(*around));
}

/* With masks the scalar loop has nothing left to do but for few work-items, and there is no form without, but for
 * several vectors a turn: a mask costs little, and another copy much time to compile. */
void LoopVectorizer::write_loop(const WidenInput &input, bool masks, bool whole) {
  here_ = loop_.preheader;
  here_->getTerminator()->eraseFromParent();
  if (whole) write_unmasked(input, whole_, loop_.count);
  IRBuilder<> builder(here_);
  find_trip_counts(builder, masks || is_sub_group_);
  from_ = builder.getInt64(0);
  WidenInput several = input;
  several.width *= interleave_count_;
  const bool always_masked = masks && is_always_masked();
  if (nontemporal_) write_nontemporal(input);
  if (!always_masked && (!masks || interleave_count_ > 1)) write_vectors(several);
  if (!masks && interleave_count_ > 1) write_vectors(input);
  if (masks || is_sub_group_) {
    const bool short_trip = has_versions_ || always_masked;
    if (short_trip) write_short_trip();
    write_masked(always_masked ? several : input);
    if (!short_trip) loop_.counter->removeIncomingValue(loop_.preheader, false);
    return;
  }
  builder.SetInsertPoint(here_);
  builder.CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), here_);
  loop_.counter->setIncomingValue(unsigned(index), from_);
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
      analysis_->assume_blocks(masked_indices(*body_, versioned_stride_->value));
    } else {
      analysis_->forbid_blocks();
    }
  }
  return analysis_->run(why);
}

/* Whether LLVM may know how much memory there is at an address, and that more than that is never loaded. */
bool LoopVectorizer::may_have_known_size(const Value &address) const {
  auto *parameter = dyn_cast<Argument>(getUnderlyingObject(&address));
  const Value *outside = parameter ? body_->outside(parameter) : nullptr;
  if (!outside) return true;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(outside, objects);
  return any_of(objects, [](const Value *object) { return isa<GlobalVariable>(object); });
}

/* A sum without "inbounds" may be one that LLVM has put together from parts of others. */
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

/* EnclosingInduction are joined where lanes read apart, known only when the body has been reshaped: another copy is made of it.
 * Private variables stay, as they are interleaved by the size of what is accessed. */
bool LoopVectorizer::unroll_divergent_loads(ArrayRef<WeakVH> streams, const char *&why) {
  SmallVector<bool, 4> apart;
  for (Value *stream : streams) apart.push_back(stream && loads_divergently(*cast<LoadInst>(stream)));
  if (!is_contained(apart, true)) return true;
  unsigned width = choose_width(*body_, *analysis_, *memory_, target_.costs);
  scalar_cost_ = estimate_cost(*analysis_, *memory_, nullptr, functions_, width, unit(width)).scalar;
  if (!extract(why)) return false;
  SmallVector<LoadInst *, 4> chosen;
  for (auto [stream, is_per_lane] : zip_equal(find_load_streams(body_->function()), apart)) {
    if (is_per_lane) chosen.push_back(stream);
  }
  const VectorUnit target = unit(width);
  OverRead over_read = target.masks_words && !target.takes_lanes_together() ? OverRead::windows : OverRead::words;
  if (any_of(chosen, [&](const LoadInst *stream) { return may_have_known_size(*stream->getPointerOperand()); })) {
    over_read = OverRead::nothing;
  }
  unrolled_ = unroll_wide_loads(body_->function(), chosen, over_read,
                                [&](const Value &pointer) { return points_into_array(pointer); });
  return analyse_lanes(why);
}

bool LoopVectorizer::analyse(const char *&why) {
  if (!extract(why)) return false;
  why = "work-items may wait for each other in a function that is called";
  if (!is_sub_group_ && calls_spin_loop(body_->function())) return false;
  /* The analysis drops what no lane comes to. */
  const SmallVector<LoadInst *, 4> found = find_load_streams(body_->function());
  const SmallVector<WeakVH, 4> streams(found.begin(), found.end());
  if (!analyse_lanes(why) || !unroll_divergent_loads(streams, why)) return false;
  linearization_ = std::make_unique<Linearization>(*analysis_);
  why = "the control flow is too tangled";
  return linearization_->run();
}

bool LoopVectorizer::plan(unsigned width, const char *&why) {
  bound_ = ItemBound::find(loop_);
  if (!analyse(why)) return false;
  width_ = width ? width : choose_width(*body_, *analysis_, *memory_, target_.costs);
  why = "the machine has no vectors";
  if (width_ < 2) return false;
  why = "the machine has no masks";
  bool masks = unit(width_).masks_words;
  if (y_loop_ && !masks) return false;
  groups_ = std::make_unique<AccessGroups>(*analysis_, *memory_, masks);
  why = "private variables take too much memory";
  if (memory_->size() * width_ > largest_variables) return false;
  why = "work-items cost no less together than one by one";
  if (!is_profitable(*memory_) && !width) return false;
  interleave_count_ = width || is_remainder_ ? 1 : choose_interleave_count(*analysis_, y_loop_);
  if (interleave_count_ == 1 && masks && !width && !is_remainder_ && !y_loop_) {
    interleave_count_ = choose_latency_interleave_count(*analysis_, width_, target_.costs, unrolled_);
  }
  if (memory_->size() * width_ * interleave_count_ > largest_variables || width_ >= largest_width)
    interleave_count_ = 1;
  bool passes_caches = Triple(function_.getParent()->getTargetTriple()).isX86();
  if (passes_caches && interleave_count_ == 1 && !y_loop_ && may_be_nontemporal_)
    nontemporal_ = NonTemporalStores::find(*analysis_, width_, register_bits(target_.costs) / 8);
  if (masks && interleave_count_ == 1 && !nontemporal_ && !is_remainder_ && !version_) {
    unsigned registers = target_.costs.getNumberOfRegisters(target_.costs.getRegisterClassForType(true, lanes()));
    unmasked_ = UnmaskedVersion::find(loop_, *analysis_, y_loop_ ? jam_factor : 1, registers);
  }
  return true;
}

/* No bound: who is in a sub-group does not depend on what the kernel does. */
bool LoopVectorizer::plan_sub_groups(unsigned width, const char *&why) {
  is_sub_group_ = true;
  width_ = width;
  if (!analyse(why)) return false;
  why = "private variables take too much memory";
  return memory_->size() * width_ <= largest_sub_group_variables;
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
  WidenInput input = {body_.get(),  analysis_.get(), linearization_.get(), memory_.get(),       width_,
                      unit(width_), nullptr,         &functions_,          /*first_runs=*/true, groups_.get()};
  /* Versions are for some of the turns of whole rows, too. */
  if (unmasked_ && !has_versions_) whole_ = unmasked_->test(*body_, *analysis_, bound_, width_);
  bool y_inner = whole_ && unmasked_->may_be_inner();
  if (y_inner) write_unmasked_y_loops(input);
  if (y_loop_) {
    remainder_ = loop_;
    loop_.preheader = y_loop_->divide(remainder_);
    body_->place_jammed_copies(*y_loop_, loop_.preheader);
  }
  if (general_) {
    write_version(input);
  } else {
    write_loop(input, masks, whole_ && !y_inner);
  }
}

void LoopVectorizer::find_mask(const LoopInfo &loops) {
  if (unit(register_bits(target_.costs) / 32).masks_words) versioned_stride_ = VersionedStride::find_mask(loop_, loops);
}

std::optional<VersionedStride> LoopVectorizer::find_versioned_stride(const LoopInfo &loops) const {
  if (versioned_stride_) return versioned_stride_;
  bool masks = unit(width_).masks_words;
  return masks && !y_loop_ && !is_remainder_ ? VersionedStride::find(*body_, *analysis_, loop_, loops) : std::nullopt;
}

void LoopVectorizer::divide(LoopVectorizer &general) {
  ItemLoop &loop = general.loop_;
  BasicBlock *version = add_block("version"), *others = add_block("versions");
  Instruction *end = loop.preheader->getTerminator();
  IRBuilder<> builder(end);
  builder.CreateCondBr(versioned_stride_->test(*version_, width_, builder), version, others);
  end->eraseFromParent();
  IRBuilder<>(others).CreateBr(loop.header);
  loop.header->replacePhiUsesWith(loop.preheader, others);
  loop.preheader = others;
  loop_.preheader = version;
  general_ = others;
  general.has_versions_ = true;
}

}  // namespace quern
