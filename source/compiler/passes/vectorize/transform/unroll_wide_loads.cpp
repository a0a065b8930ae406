/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Several turns of a loop as one, with one load for all. */
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"
#include "compiler/passes/vectorize/transform/wide_load_unroller.hpp"

using namespace llvm;

namespace quern {

/* Bytes of the widest and of the narrowest element that is gathered. */
static constexpr unsigned widest_gathered = 8, narrowest_gathered = 4;

/* Lines that are fetched ahead in each group. */
static constexpr unsigned lines_prefetched = 2;

/* The middle of the numbers of 32 bits without a sign. */
static constexpr uint32_t middle = 1U << 31;

/* Instructions that a loop may have when all its copies are made. */
static constexpr unsigned most_instructions = 160;

unsigned element_size(const LoadInst &load) {
  Type *type = load.getType();
  if (!load.isSimple() || !(type->isIntegerTy() || type->isFloatingPointTy())) return 0;
  uint64_t bits = type->getScalarSizeInBits();
  return bits == 8 || bits == 16 || bits == 32 ? unsigned(bits / 8) : 0;
}

/* The one block of a loop that may be copied, with its loads moved up in it: it runs to its end, nothing in it changes
 * what they read, and what is wanted behind the work-items' loop is not its own. */
static bool is_copied(const BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || !is_contained(branch->successors(), &block)) return false;
  bool may_be_load_stream = false; /* over narrow elements */
  for (const Instruction &instruction : block) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && (call->isConvergent() || call->cannotDuplicate())) return false;
    if (isa<AllocaInst>(instruction) || instruction.getType()->isTokenTy()) return false;
    if (instruction.hasMetadata(live_out_mark)) return false;
    if (instruction.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&instruction)) return false;
    auto *load = dyn_cast<LoadInst>(&instruction);
    unsigned size = load ? element_size(*load) : 0;
    may_be_load_stream |= size && size < narrowest_gathered;
  }
  return may_be_load_stream;
}

namespace {

/** What is known of the loops of a body. */
class Loops {
 public:
  explicit Loops(Function &body)
      : dominators(body),
        info(dominators),
        assumptions_(body),
        functions_(Triple(body.getParent()->getTargetTriple())),
        library_(functions_, &body),
        SE(body, library_, assumptions_, dominators, info) {}

  DominatorTree dominators;
  LoopInfo info;

 private:
  AssumptionCache assumptions_;
  TargetLibraryInfoImpl functions_;
  TargetLibraryInfo library_;

 public:
  ScalarEvolution SE;
};

}  // namespace

static bool is_load_stream(LoadInst &load, const Loop &loop, ScalarEvolution &SE) {
  unsigned size = element_size(load);
  auto *place = size ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(load.getPointerOperand())) : nullptr;
  if (!place || place->getLoop() != &loop || !place->isAffine()) return false;
  auto *step = dyn_cast<SCEVConstant>(place->getStepRecurrence(SE));
  return step && step->getAPInt() == size;
}

SmallVector<LoadInst *, 4> find_load_streams(Function &body) {
  SmallVector<LoadInst *, 4> streams;
  if (!body.getDataLayout().isLittleEndian() || none_of(body, is_copied)) return streams;
  Loops loops(body);
  for (BasicBlock &block : body) {
    Loop *loop = loops.info.getLoopFor(&block);
    if (!loop || loop->getNumBlocks() != 1 || !is_copied(block)) continue;
    const SCEV *last = loops.SE.getBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(last) || isa<SCEVConstant>(last)) continue;
    for (Instruction &instruction : block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && is_load_stream(*load, *loop, loops.SE)) streams.push_back(load);
    }
  }
  return streams;
}

/* An instruction gathers twice as many elements when 32 bits, with a sign, say how far from a common address each is. A
 * number without a sign becomes one as its distance from the middle. */
Value *WideLoadUnroller::address(const LoadStream &stream, Value *base, Value *offset) {
  if (!offset->getType()->isIntegerTy(32)) return builder_.CreatePtrAdd(base, offset);
  if (!stream.is_signed) {
    base = builder_.CreatePtrAdd(base, builder_.getInt64(middle));
    offset = builder_.CreateXor(offset, builder_.getInt32(middle));
  }
  return builder_.CreatePtrAdd(base, builder_.CreateSExt(offset, builder_.getInt64Ty()));
}

static bool fits_signed(const SCEV *number, ScalarEvolution &SE) {
  return SE.getSignedRangeMin(number).isSignedIntN(32) && SE.getSignedRangeMax(number).isSignedIntN(32);
}

/* A sum of what has no sign may be -1 as far as its range tells. */
static bool fits_unsigned(const SCEV *number, ScalarEvolution &SE) {
  return SE.getSignedRangeMax(number).isSignedIntN(33);
}

static void collect_loads(const SCEV *number, SmallVectorImpl<LoadInst *> &loads) {
  struct {
    SmallVectorImpl<LoadInst *> &loads;
    bool follow(const SCEV *part) {
      auto *unknown = dyn_cast<SCEVUnknown>(part);
      if (auto *load = unknown ? dyn_cast<LoadInst>(unknown->getValue()) : nullptr) loads.push_back(load);
      return true;
    }
    bool isDone() const { return false; }
  } collector{loads};
  visitAll(number, collector);
}

/* Begin and end are neighbours in an array, as those of words or of a matrix's rows are, one behind the other. */
static bool find_followed(const SCEV *first, const SCEV *turns, ScalarEvolution &SE) {
  SmallVector<LoadInst *, 2> begins, ends;
  collect_loads(first, begins);
  collect_loads(turns, ends);
  for (LoadInst *begin : begins) {
    int64_t size = int64_t(begin->getDataLayout().getTypeStoreSize(begin->getType()));
    for (LoadInst *end : ends) {
      if (end->getType() != begin->getType() || end->getPointerAddressSpace() != begin->getPointerAddressSpace())
        continue;
      auto *apart = dyn_cast<SCEVConstant>(
          SE.getMinusSCEV(SE.getSCEV(end->getPointerOperand()), SE.getSCEV(begin->getPointerOperand())));
      if (apart && apart->getAPInt() == size) return true;
    }
  }
  return false;
}

bool WideLoadUnroller::find_place(LoadStream &stream, ScalarEvolution &SE, SCEVExpander &expander, Instruction *end) {
  auto *place = cast<SCEVAddRecExpr>(SE.getSCEV(stream.load->getPointerOperand()));
  const SCEV *base = SE.getPointerBase(place->getStart()), *first = SE.removePointerBase(place->getStart());
  if (isa<SCEVCouldNotCompute>(first) || !SE.getTypeSizeInBits(first->getType())) return false;
  if (!expander.isSafeToExpandAt(base, end) || !expander.isSafeToExpandAt(first, end)) return false;
  const SCEV *turns = SE.getNoopOrZeroExtend(SE.getBackedgeTakenCount(place->getLoop()), first->getType());
  const SCEV *steps = SE.getMulExpr(turns, SE.getConstant(first->getType(), stream.size));
  const SCEV *last = SE.getAddExpr(first, steps);
  stream.base = expander.expandCodeFor(base, nullptr, end);
  stream.offset = expander.expandCodeFor(first, nullptr, end);
  stream.is_followed = find_followed(first, turns, SE);
  builder_.SetInsertPoint(end);
  stream.is_signed = fits_signed(first, SE);
  bool first_fits = stream.is_signed || (SE.getSignedRangeMin(first).isNonNegative() && fits_unsigned(first, SE));
  bool last_fits = stream.is_signed ? fits_signed(last, SE) : fits_unsigned(last, SE);
  Value *narrow = first_fits ? builder_.CreateTrunc(stream.offset, builder_.getInt32Ty()) : nullptr;
  stream.group_base = stream.base;
  stream.group_offset = stream.offset;
  if (narrow && !stream.is_signed) {
    stream.group_base = builder_.CreatePtrAdd(stream.base, builder_.getInt64(middle));
    stream.group_offset =
        builder_.CreateSExt(builder_.CreateXor(narrow, builder_.getInt32(middle)), builder_.getInt64Ty());
  } else if (narrow) {
    stream.group_offset = builder_.CreateSExt(narrow, builder_.getInt64Ty());
  }
  if (first_fits && last_fits) stream.offset = narrow;
  return true;
}

/* Each turn reads another element, so that there are fewer than addresses: what fits
 * 32 bits or may be negative as well fits them. */
bool WideLoadUnroller::plan(const Loop &loop, OverRead over_read, PointsIntoArray points_into_array,
                            ScalarEvolution &SE, SCEVExpander &expander) {
  const SCEV *last = SE.getBackedgeTakenCount(&loop);
  Instruction *end = before_.getTerminator();
  uses_block_loads_ = over_read == OverRead::blocks && suits_block_loads();
  reads_words_ = over_read != OverRead::nothing;
  if ((unroll_factor + 1) * block_.size() > most_instructions) return false;
  if (isa<SCEVCouldNotCompute>(last) || !expander.isSafeToExpandAt(last, end)) return false;
  if (!all_of(streams_, [&](LoadStream &stream) { return find_place(stream, SE, expander, end); })) return false;
  for (LoadStream &stream : streams_) stream.is_in_array = points_into_array(*stream.base);
  APInt most = SE.getTypeSizeInBits(last->getType()) > 32 ? SE.getSignedRangeMax(last) : SE.getUnsignedRangeMax(last);
  bool is_narrowed = most.getBitWidth() > 32 && most.isSignedIntN(33);
  if (is_narrowed) last = SE.getTruncateExpr(last, Type::getInt32Ty(block_.getContext()));
  induction_ = expander.expandCodeFor(SE.getAddExpr(last, SE.getOne(last->getType())), nullptr, end);
  bool may_wrap =
      (is_narrowed || most.getBitWidth() <= 32) && most.trunc(induction_->getType()->getIntegerBitWidth()).isMaxValue();
  uses_block_loads_ &= induction_->getType()->getIntegerBitWidth() >= 8;
  if (may_wrap) last_ = expander.expandCodeFor(last, nullptr, end);
  return true;
}

void WideLoadUnroller::find_out() {
  for (PHINode &phi : after_.phis()) {
    Value *value = phi.getIncomingValueForBlock(&block_);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && instruction->getParent() == &block_) out_.insert(value);
  }
}

/* One turn at the end of the builder's block. */
WideLoadUnroller::State WideLoadUnroller::copy(const Elements &elements, unsigned iteration, State state) {
  DenseMap<const Value *, Value *> copies;
  auto now = [&](Value *value) {
    Value *copy = copies.lookup(value);
    return copy ? copy : value;
  };
  for (auto [phi, value] : zip(block_.phis(), state.phis)) copies[&phi] = value;
  for (Instruction &instruction : block_) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    if (uses_block_loads_ && !needed_.contains(&instruction)) continue;
    auto stream = elements.find(&instruction);
    if (stream != elements.end()) {
      copies[&instruction] = stream->second[iteration];
      continue;
    }
    Instruction *copy = instruction.clone();
    for (Use &operand : copy->operands()) operand.set(now(operand));
    builder_.Insert(copy, instruction.getName());
    copies[&instruction] = copy;
  }
  for (auto [phi, value] : zip(block_.phis(), state.phis)) value = now(next(phi));
  for (auto [value, out] : zip(out_, state.out)) out = now(value);
  return state;
}

Value *WideLoadUnroller::load(const LoadStream &stream, Value *address, Type *type, Align align) {
  LoadInst *load = builder_.CreateAlignedLoad(type, address, align);
  load->copyMetadata(*stream.load,
                     {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
  return load;
}

/* The first `count` elements in `all`: words, that parts may be shifted out of 32 bits. */
void WideLoadUnroller::part(const LoadStream &stream, Value *all, unsigned count, Elements &elements) {
  for (unsigned i = 0; i < count; i++) {
    unsigned offset = i * stream.size;
    bool is_word = all->getType()->isIntegerTy();
    Value *part = is_word ? all : builder_.CreateExtractElement(all, uint64_t(offset / 4));
    if (offset % 4) part = builder_.CreateLShr(part, offset % 4 * 8);
    part = builder_.CreateTrunc(part, builder_.getIntNTy(stream.size * 8));
    elements[stream.load].push_back(builder_.CreateBitCast(part, stream.load->getType()));
  }
}

/* `base` is what the walk's is in this turn. */
void WideLoadUnroller::load_group(const LoadStream &stream, Value *base, Elements &elements) {
  unsigned count = std::min(unroll_factor, widest_gathered / stream.size), words = count * stream.size / 4;
  Type *type = builder_.getInt32Ty();
  if (words > 1) type = FixedVectorType::get(type, words);
  for (unsigned i = 0; i < unroll_factor; i += count) {
    Value *from = i ? builder_.CreatePtrAdd(base, builder_.getInt64(i * stream.size)) : base;
    Value *address = builder_.CreatePtrAdd(from, stream.group_offset);
    part(stream, load(stream, address, type, stream.load->getAlign()), count, elements);
  }
}

/* The sum, or the highest number of its type where that would be exceeded. */
static Value *add_limited(Value *value, Value *more, bool is_signed, IRBuilder<> &builder) {
  Type *type = value->getType();
  unsigned bits = type->getIntegerBitWidth();
  Value *most = ConstantInt::get(type, is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits));
  Intrinsic::ID lesser = is_signed ? Intrinsic::smin : Intrinsic::umin;
  return builder.CreateAdd(builder.CreateBinaryIntrinsic(lesser, value, builder.CreateSub(most, more)), more);
}

/* `odd` bytes are one word, which ends with the last of them, or begins with their page: it is as readable as they are.
 * The first one comes first in the result; what else is in it is not used. The word's place is counted from three bytes
 * before the base, so that it is no less than `offset`. In 32 bits it stops at the highest number: what a walk that
 * comes so far forward in an array has before it is that array, whatever the page. */
Value *WideLoadUnroller::load_odd_word(const LoadStream &stream, Value *offset, Value *odd) {
  Type *word = builder_.getInt32Ty();
  const bool is_limited = offset->getType()->isIntegerTy(32) && stream.is_in_array;
  if (!is_limited) offset = builder_.CreateIntCast(offset, builder_.getInt64Ty(), stream.is_signed);
  Type *type = offset->getType();
  Value *most = builder_.getInt32(unroll_factor - 1);
  Value *low = builder_.CreateTrunc(builder_.CreatePtrToInt(stream.base, builder_.getInt64Ty()), word);
  low = builder_.CreateAnd(builder_.CreateAdd(low, builder_.CreateZExtOrTrunc(offset, word)), page_size - 1);
  Value *rest = builder_.CreateSub(builder_.getInt32(unroll_factor), builder_.CreateZExtOrTrunc(odd, word));
  Value *behind = builder_.CreateSub(most, builder_.CreateBinaryIntrinsic(Intrinsic::umin, low, rest));
  behind = builder_.CreateZExtOrTrunc(behind, type);
  Value *place =
      is_limited ? add_limited(offset, behind, stream.is_signed, builder_) : builder_.CreateAdd(offset, behind);
  Value *base = builder_.CreatePtrAdd(stream.base, builder_.getInt64(-int64_t(unroll_factor - 1)));
  Value *all = load(stream, address(stream, base, place), word, Align(1));
  Value *before = builder_.CreateSub(most, builder_.CreateZExtOrTrunc(builder_.CreateSub(place, offset), word));
  return builder_.CreateLShr(all, builder_.CreateShl(before, 3));
}

/* What is carried to the next turn needs no other name behind the loop. */
void WideLoadUnroller::use_carried_values(State &state) const {
  for (auto [value, out] : zip(out_, state.out)) {
    for (auto [phi, carried] : zip(block_.phis(), state.phis)) {
      if (next(phi) == value) out = carried;
    }
  }
}

/* What is the case where `from` and `other` meet, in the builder's block. */
WideLoadUnroller::State WideLoadUnroller::merge(BasicBlock *from, const State &first, BasicBlock *other,
                                                const State &second) {
  State state;
  auto merge_values = [&](ArrayRef<Value *> values, ArrayRef<Value *> others, SmallVector<Value *, 8> &merged) {
    for (auto [value, other_value] : zip(values, others)) {
      PHINode *phi = builder_.CreatePHI(value->getType(), 2);
      phi->addIncoming(value, from);
      phi->addIncoming(other_value, other);
      merged.push_back(phi);
    }
  };
  merge_values(first.phis, second.phis, state.phis);
  merge_values(first.out, second.out, state.out);
  use_carried_values(state);
  return state;
}

/* if (odd != 0) for (turn = 0;; turn++) { a turn; if (turn + 1 >= odd) break; } */
WideLoadUnroller::State WideLoadUnroller::write_odd(Value *odd, const State &state, UnrolledLoops &joined) {
  BasicBlock *here = builder_.GetInsertBlock(), *some = add_block("odd.turns"), *one = add_block("odd.turn"),
             *on = add_block("turns.on");
  builder_.CreateCondBr(builder_.CreateIsNotNull(odd), some, on);
  builder_.SetInsertPoint(some);
  SmallVector<Value *, 4> offsets, firsts;
  for (const LoadStream &stream : streams_) {
    Type *type = stream.offset->getType();
    Value *bytes = builder_.CreateMul(builder_.CreateZExtOrTrunc(whole_, type), ConstantInt::get(type, stream.size));
    offsets.push_back(builder_.CreateAdd(stream.offset, bytes));
    firsts.push_back(has_odd_word(stream) ? load_odd_word(stream, offsets.back(), odd) : stream.base);
  }
  builder_.CreateBr(one);
  builder_.SetInsertPoint(one);
  State start;
  SmallVector<PHINode *, 4> places; /* what is left of the word, or the base */
  for (Value *value : state.phis) start.phis.push_back(add_phi(value, some));
  PHINode *iteration = add_phi(number(0), some);
  for (Value *first : firsts) places.push_back(add_phi(first, some));
  start.out.append(state.out.begin(), state.out.end());
  Elements elements;
  for (auto [stream, offset, place] : zip_equal(streams_, offsets, places)) {
    LoadInst *old = stream.load;
    if (has_odd_word(stream)) {
      part(stream, place, 1, elements);
      place->addIncoming(builder_.CreateLShr(place, 8), one);
    } else {
      elements[old].push_back(load(stream, address(stream, place, offset), old->getType(), old->getAlign()));
      place->addIncoming(builder_.CreatePtrAdd(place, builder_.getInt64(stream.size)), one);
    }
  }
  State done = copy(elements, 0, start);
  for (auto [phi, value] : zip(start.phis, done.phis)) cast<PHINode>(phi)->addIncoming(value, one);
  Value *next = builder_.CreateAdd(iteration, number(1));
  iteration->addIncoming(next, one);
  builder_.CreateCondBr(builder_.CreateICmpUGE(next, odd), on, one);
  joined[one] = {unroll_factor, true};
  builder_.SetInsertPoint(on);
  return merge(here, state, one, done);
}

/* What the next vectors of work-items read is fetched while these go on: lines behind where the last lane began. About
 * as many as several vectors get through in a group. */
void WideLoadUnroller::prefetch_ahead(const LoadStream &stream, BasicBlock *before) {
  BasicBlock *group = builder_.GetInsertBlock();
  PHINode *ahead = builder_.CreatePHI(stream.base->getType(), 2, "ahead");
  IRBuilder<> outside(before->getTerminator());
  ahead->addIncoming(outside.CreatePtrAdd(stream.group_base, outside.getInt64(cache_line_bytes)), before);
  for (unsigned i = 0; i < lines_prefetched; i++) {
    Value *line = builder_.CreatePtrAdd(ahead, builder_.getInt64(i * cache_line_bytes));
    CallInst *prefetch = prefetch_line(builder_.CreatePtrAdd(line, stream.group_offset), /*written=*/false, builder_);
    prefetch->setMetadata(prefetch_mark, MDNode::get(builder_.getContext(), {}));
  }
  ahead->addIncoming(builder_.CreatePtrAdd(ahead, builder_.getInt64(lines_prefetched * cache_line_bytes)), group);
}

/* if (turns > 3) for (turn = 0;; turn += 4) { a group; if (turn >= whole - 4) break; }
 *
 * The number of turns may be one too large for its type; the last one's number is not. Iterations are counted
 * alike by all work-items, and what a walk's address has in common grows, so that neither takes a vector. */
WideLoadUnroller::State WideLoadUnroller::write_groups(const State &state) {
  BasicBlock *here = builder_.GetInsertBlock(), *group = add_block("turns"), *on = add_block("groups.on");
  Value *end = builder_.CreateSub(whole_, number(unroll_factor));
  Value *has_group = last_ ? builder_.CreateICmpUGE(last_, number(unroll_factor - 1))
                           : builder_.CreateICmpUGE(induction_, number(unroll_factor));
  builder_.CreateCondBr(has_group, group, on);
  builder_.SetInsertPoint(group);
  State start;
  for (Value *value : state.phis) start.phis.push_back(add_phi(value, here));
  PHINode *iteration = add_phi(number(0), here);
  start.out.append(state.out.begin(), state.out.end());
  SmallVector<PHINode *, 4> bases;
  for (const LoadStream &stream : streams_) bases.push_back(add_phi(stream.group_base, here));
  auto followed = find_if(streams_, [](const LoadStream &stream) { return stream.is_followed; });
  if (followed != streams_.end()) prefetch_ahead(*followed, here);
  Elements elements;
  for (auto [stream, base] : zip_equal(streams_, bases)) load_group(stream, base, elements);
  State done = start;
  for (unsigned i = 0; i < unroll_factor; i++) done = copy(elements, i, done);
  for (auto [phi, value] : zip(start.phis, done.phis)) cast<PHINode>(phi)->addIncoming(value, group);
  iteration->addIncoming(builder_.CreateAdd(iteration, number(unroll_factor)), group);
  for (auto [stream, base] : zip_equal(streams_, bases)) {
    base->addIncoming(builder_.CreatePtrAdd(base, builder_.getInt64(unroll_factor * stream.size)), group);
  }
  builder_.CreateCondBr(builder_.CreateICmpUGE(iteration, end), on, group);
  builder_.SetInsertPoint(on);
  return merge(here, state, group, done);
}

void WideLoadUnroller::run(UnrolledLoops &joined) {
  find_out();
  before_.getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(&before_);
  State state;
  for (PHINode &phi : block_.phis()) state.phis.push_back(phi.getIncomingValueForBlock(&before_));
  for (Value *value : out_) state.out.push_back(PoisonValue::get(value->getType()));
  if (uses_block_loads_) {
    state = write_block_loads(state);
  } else {
    Value *odd = builder_.CreateAnd(induction_, number(unroll_factor - 1));
    whole_ = builder_.CreateAnd(induction_, number(~uint64_t(unroll_factor - 1)));
    state = write_groups(state);
    state = write_odd(odd, state, joined);
  }
  for (PHINode &phi : after_.phis()) {
    Value *value = phi.getIncomingValueForBlock(&block_);
    auto found = find(out_, value);
    phi.addIncoming(found == out_.end() ? value : state.out[size_t(found - out_.begin())], builder_.GetInsertBlock());
  }
  builder_.CreateBr(&after_);
  DeleteDeadBlock(&block_);
  joined[made_.front()] = {uses_block_loads_ ? block_size : unroll_factor, false};
}

/* Drops what nobody wants of the blocks made, phis that keep themselves alive among it. What these alone used stays:
 * it may leave the body. */
void WideLoadUnroller::clean() {
  SmallPtrSet<const BasicBlock *, 16> made(made_.begin(), made_.end());
  SmallSetVector<Instruction *, 32> wanted;
  SmallVector<Instruction *, 16> dead;
  auto is_outside = [&](const User *user) { return !made.contains(cast<Instruction>(user)->getParent()); };
  for (BasicBlock *block : made_) {
    for (Instruction &instruction : *block) {
      if (!wouldInstructionBeTriviallyDead(&instruction) || any_of(instruction.users(), is_outside)) {
        wanted.insert(&instruction);
      }
    }
  }
  for (size_t i = 0; i < wanted.size(); i++) {
    for (Value *operand : wanted[i]->operands()) {
      auto *used = dyn_cast<Instruction>(operand);
      if (used && made.contains(used->getParent())) wanted.insert(used);
    }
  }
  for (BasicBlock *block : made_) {
    for (Instruction &instruction : *block) {
      if (!wanted.contains(&instruction)) dead.push_back(&instruction);
    }
  }
  for (Instruction *instruction : dead) instruction->dropAllReferences();
  for (Instruction *instruction : dead) instruction->eraseFromParent();
}

UnrolledLoops unroll_wide_loads(Function &body, ArrayRef<LoadInst *> streams, OverRead over_read,
                                PointsIntoArray points_into_array) {
  SmallMapVector<Loop *, SmallVector<LoadInst *, 4>, 2> chosen;
  SmallVector<std::unique_ptr<WideLoadUnroller>, 2> unrollers;
  Loops loops(body);
  SCEVExpander expander(loops.SE, "turns");
  for (LoadInst *stream : streams) chosen[loops.info.getLoopFor(stream->getParent())].push_back(stream);
  for (auto &[loop, own] : chosen) {
    simplifyLoop(loop, &loops.dominators, &loops.info, &loops.SE, nullptr, nullptr, false);
    if (!loop->isLoopSimplifyForm() || loop->getNumBlocks() != 1 || !loop->getExitBlock()) continue;
    formLCSSA(*loop, loops.dominators, &loops.info, &loops.SE);
    auto unroller = std::make_unique<WideLoadUnroller>(*loop, own);
    if (unroller->plan(*loop, over_read, points_into_array, loops.SE, expander))
      unrollers.push_back(std::move(unroller));
  }
  expander.clear();
  UnrolledLoops joined;
  for (auto &unroller : unrollers) unroller->run(joined);
  for (auto &unroller : unrollers) unroller->clean();
  return joined;
}

}  // namespace quern
