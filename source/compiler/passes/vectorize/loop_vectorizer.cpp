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
#include "compiler/passes/vectorize/cost.hpp"
#include "compiler/passes/vectorize/fetches.hpp"
#include "compiler/passes/vectorize/loop_time.hpp"
#include "compiler/passes/vectorize/next_turn.hpp"
#include "compiler/passes/vectorize/strides.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"
#include "compiler/passes/vectorize/waits.hpp"
#include "compiler/passes/vectorize/width.hpp"

using namespace llvm;

namespace quern {

/* Most bytes of private variables that all lanes may have on the stack. */
static constexpr uint64_t largest_variables = 64 * 1024;
/* The same where lanes are a sub-group, whose size is not ours to choose. */
static constexpr uint64_t largest_sub_group_variables = 256 * 1024;

/* So few work-items that gathers and scatters, which take their time for lanes that are off too, lose. */
static constexpr uint64_t few_items = 8;

/* What gathers cost hangs on where the elements lie, and on the CPU: so much may the estimate be wrong where they are
 * this share of it, and more where there are no instructions for them. */
static constexpr double unsure_from = 0.8, unsure_from_apart = 0.5, unsure_to = 1.3, unsure_share = 0.3;

bool LoopVectorizer::pays(const PrivateMemory &memory) {
  ItemCost cost = estimate_cost(*analysis_, memory, groups_.get(), functions_, width_, unit(width_), joined_);
  if (!joined_.empty()) cost.scalar = scalar_cost_;
  cost_ = cost.vector;
  double from = unit(width_).gathers ? unsure_from : unsure_from_apart;
  bool is_unsure = cost.gathered > unsure_share * cost.vector && cost.vector > from * cost.scalar &&
                   cost.vector < unsure_to * cost.scalar;
  is_guess_ = may_guess_ && is_unsure;
  is_dear_ = !is_guess_ && cost.vector >= cost.scalar;
  if (is_dear_) cost_ = cost.scalar;
  return !is_dear_;
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
Value *LoopVectorizer::test_premise(const Premise &premise, IRBuilder<> &builder) {
  Value *last = builder.CreateSub(loop_.count, builder.getInt64(1));
  Value *ends[2];
  Value *counters[2] = {builder.getInt64(0), last};
  for (unsigned i = 0; i < 2; i++) {
    DenseMap<Value *, Value *> known;
    Value *end = precompute(premise.value, counters[i], builder, known);
    ends[i] = premise.is_signed ? builder.CreateSExt(end, builder.getInt64Ty())
                                : builder.CreateZExt(end, builder.getInt64Ty());
  }
  Value *steps = builder.CreateMul(last, builder.getInt64(uint64_t(premise.stride)));
  return builder.CreateICmpEQ(builder.CreateSub(ends[1], ends[0]), steps);
}

/* Work-items from a bound on need no turn; without masks the scalar loop, which runs at least once, is told. */
void LoopVectorizer::find_counts(IRBuilder<> &builder, bool masks) {
  Value *holds = nullptr;
  end_ = bound_ ? bound_->count(loop_, builder, holds) : loop_.count;
  for (const Premise &premise : analysis_->premises()) {
    Value *test = test_premise(premise, builder);
    holds = holds ? builder.CreateAnd(holds, test) : test;
  }
  holds_ = holds;
  usable_ = holds ? builder.CreateSelect(holds, end_, builder.getInt64(0)) : end_;
  if (masks) {
    if (holds) end_ = builder.CreateSelect(holds, end_, loop_.count);
  } else if (bound_) {
    limit_turns(end_, holds, builder);
  }
}

/* The scalar loop ends at `end` where `holds`, which may be null. */
void LoopVectorizer::limit_turns(Value *end, Value *holds, IRBuilder<> &builder) {
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
  limit_turns(end, holds, builder);
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

void LoopVectorizer::leave_loop(Widener &widener, BasicBlock *from) {
  for (PHINode &phi : loop_.exit->phis()) {
    phi.addIncoming(last_value(widener, phi.getIncomingValueForBlock(loop_.latch)), from);
  }
}

/* What the body of large results loads, in blocks one behind the other, is on its way some vectors earlier: from memory
 * it comes faster so than processors see to by themselves. */
static void fetch_ahead(BasicBlock *block, const BasicBlock *end) {
  for (; block && block != end; block = block->getSingleSuccessor()) {
    for (const VectorAccess &access :
         find_vectors(*block, [](const VectorAccess &access) { return !access.written; })) {
      IRBuilder<> builder(access.instruction);
      access.fetch(builder.CreatePtrAdd(access.address, builder.getInt64(bytes_ahead)), builder);
    }
  }
}

/* until = from + whole vectors
 * if (from < until) do { the vector form } while ((from += width) < until)
 * if (until == count) goto exit */
void LoopVectorizer::write_vectors(const WidenInput &input) {
  BasicBlock *vectors = add_block("vectors"), *next = add_block("vectors.next"), *done = add_block("vectors.done");
  BasicBlock *rest = add_block("rest");
  IRBuilder<> builder(here_);
  Value *left = builder.CreateSub(usable_, from_);
  Value *whole = builder.CreateAnd(left, builder.getInt64(~uint64_t(input.width - 1)));
  Value *until = builder.CreateAdd(from_, whole, "until", true, true);
  builder.CreateCondBr(builder.CreateICmpEQ(whole, builder.getInt64(0)), rest, vectors);

  builder.SetInsertPoint(vectors);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(from_, here_);
  Widener widener(input, function_);
  widener.write(vectors, next, first, nullptr);
  if (input.streams) fetch_ahead(vectors, next);
  builder.SetInsertPoint(next);
  Value *second = builder.CreateAdd(first, builder.getInt64(input.width), "", true, true);
  first->addIncoming(second, next);
  builder.CreateCondBr(builder.CreateICmpULT(second, until), vectors, done);

  builder.SetInsertPoint(done);
  builder.CreateCondBr(builder.CreateICmpEQ(until, loop_.count), loop_.exit, rest);
  leave_loop(widener, done);
  builder.SetInsertPoint(rest);
  PHINode *from = builder.CreatePHI(builder.getInt64Ty(), 2, "from");
  from->addIncoming(from_, here_);
  from->addIncoming(until, done);
  here_ = rest;
  from_ = from;
}

/* Whether the results are worth it, and each vector of them lies in one register's room of memory. */
Value *LoopVectorizer::is_streaming(IRBuilder<> &builder) {
  Value *may = streams_->is_large(function_, group_layout_, builder);
  if (!may) return nullptr;
  for (const StoreInst *store : streams_->stores) {
    DenseMap<Value *, Value *> known;
    auto *address = const_cast<Value *>(store->getPointerOperand());
    Value *first = builder.CreatePtrToInt(precompute(address, from_, builder, known), builder.getInt64Ty());
    Value *beside = builder.CreateAnd(first, builder.getInt64(streams_->align.value() - 1));
    may = builder.CreateAnd(may, builder.CreateICmpEQ(beside, builder.getInt64(0)));
  }
  return may;
}

/* Whole vectors of large results first. */
void LoopVectorizer::write_streams(const WidenInput &input) {
  IRBuilder<> builder(here_);
  Value *may = is_streaming(builder);
  if (!may) {
    streams_.reset();
    return;
  }
  WidenInput streaming = input;
  streaming.streams = &*streams_;
  Value *usable = usable_;
  usable_ = builder.CreateSelect(may, usable_, builder.getInt64(0));
  write_vectors(streaming);
  usable_ = usable;
}

/* if (condition) { do { the vector form } while ((from += width) < end); goto exit } */
void LoopVectorizer::write_whole(const WidenInput &input, Value *condition, Value *end) {
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
  leave_loop(widener, next);
  here_ = parts;
}

/* A version is for whole vectors, as there are while many work-items have something to do; all else is left to the
 * general form. */
void LoopVectorizer::write_version(const WidenInput &input) {
  here_ = loop_.preheader;
  IRBuilder<> builder(here_);
  find_counts(builder, true);
  Value *rest = builder.CreateAnd(usable_, builder.getInt64(input.width - 1));
  Value *is_whole = builder.CreateICmpEQ(rest, builder.getInt64(0));
  write_whole(input, builder.CreateAnd(is_whole, builder.CreateICmpNE(usable_, builder.getInt64(0))), usable_);
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
  SmallVector<Constant *, 64> numbers;
  for (unsigned i = 0; i < input.width; i++) numbers.push_back(ConstantInt::get(narrow, i));
  Value *left = builder.CreateTrunc(builder.CreateSub(end_, first), narrow), *step = builder.getInt64(input.width);
  if (holds_) {
    left = builder.CreateSelect(holds_, left, builder.getInt32(1));
    step = builder.CreateSelect(holds_, step, builder.getInt64(1));
  }
  Value *mask = builder.CreateICmpULT(ConstantVector::get(numbers), builder.CreateVectorSplat(input.width, left));
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
  leave_loop(widener, next);
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
void LoopVectorizer::write_few() {
  BasicBlock *few = add_block("few"), *many = add_block("many");
  IRBuilder<> builder(here_);
  Value *one_less = builder.CreateSub(end_, builder.getInt64(1));
  builder.CreateCondBr(builder.CreateICmpULT(one_less, builder.getInt64(few_items)), few, many);
  IRBuilder<>(few).CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), few);
  loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.count ? 0 : 1, end_);
  here_ = many;
}

/* Joined turns are much code, and a second copy of it takes longer to compile than masks take to run. The rows of
 * work-groups of several dimensions may be so short that most lanes would be off. */
bool LoopVectorizer::is_always_masked() const {
  const Loop *around = loop_.loop->getParentLoop();
  return vectors_ > 1 && joins_turns() && !(around && is_row_loop(*around));
}

/* With masks the scalar loop has nothing left to do but for few work-items, and there is no form without, but for
 * several vectors a turn: a mask costs little, and another copy much time to compile. */
void LoopVectorizer::write_loop(const WidenInput &input, bool masks, bool whole) {
  here_ = loop_.preheader;
  here_->getTerminator()->eraseFromParent();
  if (whole) write_whole(input, whole_, loop_.count);
  IRBuilder<> builder(here_);
  find_counts(builder, masks || is_sub_group_);
  from_ = builder.getInt64(0);
  WidenInput several = input;
  several.width *= vectors_;
  const bool always_masked = masks && is_always_masked();
  if (streams_) write_streams(input);
  if (!always_masked && (!masks || vectors_ > 1)) write_vectors(several);
  if (!masks && vectors_ > 1) write_vectors(input);
  if (masks || is_sub_group_) {
    const bool few = has_versions_ || always_masked;
    if (few) write_few();
    write_masked(always_masked ? several : input);
    if (!few) loop_.counter->removeIncomingValue(loop_.preheader, false);
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
  body_ = ItemBody::extract(loop_, rows_, why);
  if (!body_) return false;
  drop_bound_test();
  ConstantInt *known = version_ ? factor_->constant(*version_) : nullptr;
  if (known) assume_value(*body_, factor_->value, known);
  if (rows_) merge_rows(body_->function(), body_->other_rows());
  return true;
}

bool LoopVectorizer::analyse_lanes(const char *&why) {
  memory_ = std::make_unique<PrivateMemory>(*body_);
  auto shapes = memory_->shapes();
  shapes[body_->counter()] = {Shape::strided, 1};
  analysis_ = std::make_unique<LaneAnalysis>(body_->function(), shapes, memory_->parameters());
  if (is_sub_group_) {
    analysis_->forbid_premises();
    analysis_->allow_waits();
  }
  if (function_.hasFnAttribute(VectorizeItemsPass::general_images)) analysis_->forbid_limits();
  if (factor_ && factor_->kind == Factor::mask) {
    if (version_) {
      analysis_->assume_whole_blocks(places_in_blocks(*body_, factor_->value));
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

bool LoopVectorizer::reads_apart(const LoadInst &walk) const {
  auto *object = dyn_cast<Argument>(getUnderlyingObject(walk.getPointerOperand()));
  const bool is_private = object && body_->variable(object);
  return !is_private && analysis_->shape(walk.getPointerOperand()).kind == Shape::varying;
}

/* Turns are joined where lanes read apart, known only when the body has been reshaped: another copy is made of it.
 * Private variables stay, as they are interleaved by the size of what is accessed. */
bool LoopVectorizer::join_turns_apart(ArrayRef<WeakVH> walks, const char *&why) {
  SmallVector<bool, 4> apart;
  for (Value *walk : walks) apart.push_back(walk && reads_apart(*cast<LoadInst>(walk)));
  if (!is_contained(apart, true)) return true;
  unsigned width = choose_width(*body_, *analysis_, *memory_, machine_.costs);
  scalar_cost_ = estimate_cost(*analysis_, *memory_, nullptr, functions_, width, unit(width)).scalar;
  if (!extract(why)) return false;
  SmallVector<LoadInst *, 4> chosen;
  for (auto [walk, is_apart] : zip_equal(find_walks(body_->function()), apart)) {
    if (is_apart) chosen.push_back(walk);
  }
  const VectorUnit machine = unit(width);
  Beside beside = machine.masks_words && !machine.takes_lanes_together() ? Beside::windows : Beside::words;
  if (any_of(chosen, [&](const LoadInst *walk) { return may_have_known_size(*walk->getPointerOperand()); })) {
    beside = Beside::nothing;
  }
  joined_ =
      join_turns(body_->function(), chosen, beside, [&](const Value &pointer) { return points_into_array(pointer); });
  return analyse_lanes(why);
}

bool LoopVectorizer::analyse(const char *&why) {
  if (!extract(why)) return false;
  why = "work-items may wait for each other in a function that is called";
  if (!is_sub_group_ && calls_what_waits(body_->function())) return false;
  /* The analysis drops what no lane comes to. */
  const SmallVector<LoadInst *, 4> found = find_walks(body_->function());
  const SmallVector<WeakVH, 4> walks(found.begin(), found.end());
  if (!analyse_lanes(why) || !join_turns_apart(walks, why)) return false;
  layout_ = std::make_unique<Layout>(*analysis_);
  why = "the control flow is too tangled";
  return layout_->run();
}

bool LoopVectorizer::plan(unsigned width, const char *&why) {
  bound_ = ItemBound::find(loop_);
  if (!analyse(why)) return false;
  width_ = width ? width : choose_width(*body_, *analysis_, *memory_, machine_.costs);
  why = "the machine has no vectors";
  if (width_ < 2) return false;
  why = "the machine has no masks";
  bool masks = unit(width_).masks_words;
  if (rows_ && !masks) return false;
  groups_ = std::make_unique<AccessGroups>(*analysis_, *memory_, masks);
  why = "private variables take too much memory";
  if (memory_->size() * width_ > largest_variables) return false;
  why = "work-items cost no less together than one by one";
  if (!pays(*memory_) && !width) return false;
  vectors_ = width || is_rest_ ? 1 : choose_vectors(*analysis_, rows_);
  if (vectors_ == 1 && masks && !width && !is_rest_ && !rows_) {
    vectors_ = choose_waiting_vectors(*analysis_, width_, machine_.costs, joined_);
  }
  if (memory_->size() * width_ * vectors_ > largest_variables || width_ >= largest_width) vectors_ = 1;
  bool passes_caches = Triple(function_.getParent()->getTargetTriple()).isX86();
  if (passes_caches && vectors_ == 1 && !rows_ && may_stream_)
    streams_ = Streams::find(*analysis_, width_, register_bits(machine_.costs) / 8);
  if (masks && vectors_ == 1 && !streams_ && !is_rest_ && !version_) {
    unsigned registers = machine_.costs.getNumberOfRegisters(machine_.costs.getRegisterClassForType(true, lanes()));
    whole_rows_ = WholeRows::find(loop_, *analysis_, rows_ ? merged_rows : 1, registers);
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
  const bool fetches = fetches_next_turn_ && !rows_ && !whole_rows_ && !version_ && analysis_->loops().empty();
  std::optional<NextTurn> next_turn;
  if (fetches) next_turn.emplace(loop_);
  write_forms();
  if (next_turn) next_turn->fetch();
}

void LoopVectorizer::write_forms() {
  bool masks = unit(width_).masks_words;
  WidenInput input = {body_.get(),  analysis_.get(), layout_.get(), memory_.get(),       width_,
                      unit(width_), nullptr,         &functions_,   /*first_runs=*/true, groups_.get()};
  /* Versions are for some of the turns of whole rows, too. */
  if (whole_rows_ && !has_versions_) whole_ = whole_rows_->test(*body_, *analysis_, bound_, width_);
  bool by_rows = whole_ && whole_rows_->may_be_inner();
  if (by_rows) write_whole_rows(input);
  if (rows_) {
    rest_ = loop_;
    loop_.preheader = rows_->divide(rest_);
    body_->place_rows(*rows_, loop_.preheader);
  }
  if (general_) {
    write_version(input);
  } else {
    write_loop(input, masks, whole_ && !by_rows);
  }
}

void LoopVectorizer::find_mask(const LoopInfo &loops) {
  if (unit(register_bits(machine_.costs) / 32).masks_words) factor_ = Factor::find_mask(loop_, loops);
}

std::optional<Factor> LoopVectorizer::find_factor(const LoopInfo &loops) const {
  if (factor_) return factor_;
  bool masks = unit(width_).masks_words;
  return masks && !rows_ && !is_rest_ ? Factor::find(*body_, *analysis_, loop_, loops) : std::nullopt;
}

void LoopVectorizer::divide(LoopVectorizer &general) {
  ItemLoop &loop = general.loop_;
  BasicBlock *version = add_block("version"), *others = add_block("versions");
  Instruction *end = loop.preheader->getTerminator();
  IRBuilder<> builder(end);
  builder.CreateCondBr(factor_->test(*version_, width_, builder), version, others);
  end->eraseFromParent();
  IRBuilder<>(others).CreateBr(loop.header);
  loop.header->replacePhiUsesWith(loop.preheader, others);
  loop.preheader = others;
  loop_.preheader = version;
  general_ = others;
  general.has_versions_ = true;
}

}  // namespace quern
