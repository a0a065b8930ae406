/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Several turns of a loop as one, with one load for all. */
#include "compiler/passes/vectorize/joined_turns.hpp"

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

#include "compiler/passes/vectorize/fetches.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/turn_joiner.hpp"

using namespace llvm;

namespace quern {

/* Bytes of the widest and of the narrowest element that is gathered. */
static constexpr unsigned widest_gathered = 8, narrowest_gathered = 4;

/* Lines that are fetched ahead in each group. */
static constexpr unsigned lines_ahead = 2;

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
  bool may_walk = false; /* over narrow elements */
  for (const Instruction &instruction : block) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && (call->isConvergent() || call->cannotDuplicate())) return false;
    if (isa<AllocaInst>(instruction) || instruction.getType()->isTokenTy()) return false;
    if (instruction.hasMetadata(leaving_mark)) return false;
    if (instruction.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&instruction)) return false;
    auto *load = dyn_cast<LoadInst>(&instruction);
    unsigned size = load ? element_size(*load) : 0;
    may_walk |= size && size < narrowest_gathered;
  }
  return may_walk;
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
        numbers(body, library_, assumptions_, dominators, info) {}

  DominatorTree dominators;
  LoopInfo info;

 private:
  AssumptionCache assumptions_;
  TargetLibraryInfoImpl functions_;
  TargetLibraryInfo library_;

 public:
  ScalarEvolution numbers;
};

}  // namespace

static bool is_walk(LoadInst &load, const Loop &loop, ScalarEvolution &numbers) {
  unsigned size = element_size(load);
  auto *place = size ? dyn_cast<SCEVAddRecExpr>(numbers.getSCEV(load.getPointerOperand())) : nullptr;
  if (!place || place->getLoop() != &loop || !place->isAffine()) return false;
  auto *step = dyn_cast<SCEVConstant>(place->getStepRecurrence(numbers));
  return step && step->getAPInt() == size;
}

SmallVector<LoadInst *, 4> find_walks(Function &body) {
  SmallVector<LoadInst *, 4> walks;
  if (!body.getDataLayout().isLittleEndian() || none_of(body, is_copied)) return walks;
  Loops loops(body);
  for (BasicBlock &block : body) {
    Loop *loop = loops.info.getLoopFor(&block);
    if (!loop || loop->getNumBlocks() != 1 || !is_copied(block)) continue;
    const SCEV *last = loops.numbers.getBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(last) || isa<SCEVConstant>(last)) continue;
    for (Instruction &instruction : block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && is_walk(*load, *loop, loops.numbers)) walks.push_back(load);
    }
  }
  return walks;
}

/* An instruction gathers twice as many elements when 32 bits, with a sign, say how far from a common address each is. A
 * number without a sign becomes one as its distance from the middle. */
Value *TurnJoiner::address(const Walk &walk, Value *base, Value *offset) {
  if (!offset->getType()->isIntegerTy(32)) return builder_.CreatePtrAdd(base, offset);
  if (!walk.is_signed) {
    base = builder_.CreatePtrAdd(base, builder_.getInt64(middle));
    offset = builder_.CreateXor(offset, builder_.getInt32(middle));
  }
  return builder_.CreatePtrAdd(base, builder_.CreateSExt(offset, builder_.getInt64Ty()));
}

static bool fits_signed(const SCEV *number, ScalarEvolution &numbers) {
  return numbers.getSignedRangeMin(number).isSignedIntN(32) && numbers.getSignedRangeMax(number).isSignedIntN(32);
}

/* A sum of what has no sign may be -1 as far as its range tells. */
static bool fits_unsigned(const SCEV *number, ScalarEvolution &numbers) {
  return numbers.getSignedRangeMax(number).isSignedIntN(33);
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
static bool find_followed(const SCEV *first, const SCEV *turns, ScalarEvolution &numbers) {
  SmallVector<LoadInst *, 2> begins, ends;
  collect_loads(first, begins);
  collect_loads(turns, ends);
  for (LoadInst *begin : begins) {
    int64_t size = int64_t(begin->getDataLayout().getTypeStoreSize(begin->getType()));
    for (LoadInst *end : ends) {
      if (end->getType() != begin->getType() || end->getPointerAddressSpace() != begin->getPointerAddressSpace())
        continue;
      auto *apart = dyn_cast<SCEVConstant>(
          numbers.getMinusSCEV(numbers.getSCEV(end->getPointerOperand()), numbers.getSCEV(begin->getPointerOperand())));
      if (apart && apart->getAPInt() == size) return true;
    }
  }
  return false;
}

bool TurnJoiner::find_place(Walk &walk, ScalarEvolution &numbers, SCEVExpander &expander, Instruction *end) {
  auto *place = cast<SCEVAddRecExpr>(numbers.getSCEV(walk.load->getPointerOperand()));
  const SCEV *base = numbers.getPointerBase(place->getStart()), *first = numbers.removePointerBase(place->getStart());
  if (isa<SCEVCouldNotCompute>(first) || !numbers.getTypeSizeInBits(first->getType())) return false;
  if (!expander.isSafeToExpandAt(base, end) || !expander.isSafeToExpandAt(first, end)) return false;
  const SCEV *turns = numbers.getNoopOrZeroExtend(numbers.getBackedgeTakenCount(place->getLoop()), first->getType());
  const SCEV *steps = numbers.getMulExpr(turns, numbers.getConstant(first->getType(), walk.size));
  const SCEV *last = numbers.getAddExpr(first, steps);
  walk.base = expander.expandCodeFor(base, nullptr, end);
  walk.offset = expander.expandCodeFor(first, nullptr, end);
  walk.is_followed = find_followed(first, turns, numbers);
  builder_.SetInsertPoint(end);
  walk.is_signed = fits_signed(first, numbers);
  bool first_fits =
      walk.is_signed || (numbers.getSignedRangeMin(first).isNonNegative() && fits_unsigned(first, numbers));
  bool last_fits = walk.is_signed ? fits_signed(last, numbers) : fits_unsigned(last, numbers);
  Value *narrow = first_fits ? builder_.CreateTrunc(walk.offset, builder_.getInt32Ty()) : nullptr;
  walk.group_base = walk.base;
  walk.group_offset = walk.offset;
  if (narrow && !walk.is_signed) {
    walk.group_base = builder_.CreatePtrAdd(walk.base, builder_.getInt64(middle));
    walk.group_offset =
        builder_.CreateSExt(builder_.CreateXor(narrow, builder_.getInt32(middle)), builder_.getInt64Ty());
  } else if (narrow) {
    walk.group_offset = builder_.CreateSExt(narrow, builder_.getInt64Ty());
  }
  if (first_fits && last_fits) walk.offset = narrow;
  return true;
}

/* Each turn reads another element, so that there are fewer than addresses: what fits
 * 32 bits or may be negative as well fits them. */
bool TurnJoiner::plan(const Loop &loop, Beside beside, PointsIntoArray points_into_array, ScalarEvolution &numbers,
                      SCEVExpander &expander) {
  const SCEV *last = numbers.getBackedgeTakenCount(&loop);
  Instruction *end = before_.getTerminator();
  in_windows_ = beside == Beside::windows && suits_windows();
  reads_words_ = beside != Beside::nothing;
  if ((group_turns + 1) * block_.size() > most_instructions) return false;
  if (isa<SCEVCouldNotCompute>(last) || !expander.isSafeToExpandAt(last, end)) return false;
  if (!all_of(walks_, [&](Walk &walk) { return find_place(walk, numbers, expander, end); })) return false;
  for (Walk &walk : walks_) walk.is_in_array = points_into_array(*walk.base);
  APInt most = numbers.getTypeSizeInBits(last->getType()) > 32 ? numbers.getSignedRangeMax(last)
                                                               : numbers.getUnsignedRangeMax(last);
  bool is_narrowed = most.getBitWidth() > 32 && most.isSignedIntN(33);
  if (is_narrowed) last = numbers.getTruncateExpr(last, Type::getInt32Ty(block_.getContext()));
  turns_ = expander.expandCodeFor(numbers.getAddExpr(last, numbers.getOne(last->getType())), nullptr, end);
  bool may_wrap =
      (is_narrowed || most.getBitWidth() <= 32) && most.trunc(turns_->getType()->getIntegerBitWidth()).isMaxValue();
  in_windows_ &= turns_->getType()->getIntegerBitWidth() >= 8;
  if (may_wrap) last_ = expander.expandCodeFor(last, nullptr, end);
  return true;
}

void TurnJoiner::find_out() {
  for (PHINode &phi : after_.phis()) {
    Value *value = phi.getIncomingValueForBlock(&block_);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && instruction->getParent() == &block_) out_.insert(value);
  }
}

/* One turn at the end of the builder's block. */
TurnJoiner::State TurnJoiner::copy(const Elements &elements, unsigned turn, State state) {
  DenseMap<const Value *, Value *> copies;
  auto now = [&](Value *value) {
    Value *copy = copies.lookup(value);
    return copy ? copy : value;
  };
  for (auto [phi, value] : zip(block_.phis(), state.phis)) copies[&phi] = value;
  for (Instruction &instruction : block_) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    if (in_windows_ && !needed_.contains(&instruction)) continue;
    auto walk = elements.find(&instruction);
    if (walk != elements.end()) {
      copies[&instruction] = walk->second[turn];
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

Value *TurnJoiner::load(const Walk &walk, Value *address, Type *type, Align align) {
  LoadInst *load = builder_.CreateAlignedLoad(type, address, align);
  load->copyMetadata(*walk.load,
                     {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
  return load;
}

/* The first `count` elements in `all`: words, that parts may be shifted out of 32 bits. */
void TurnJoiner::part(const Walk &walk, Value *all, unsigned count, Elements &elements) {
  for (unsigned i = 0; i < count; i++) {
    unsigned offset = i * walk.size;
    bool is_word = all->getType()->isIntegerTy();
    Value *part = is_word ? all : builder_.CreateExtractElement(all, uint64_t(offset / 4));
    if (offset % 4) part = builder_.CreateLShr(part, offset % 4 * 8);
    part = builder_.CreateTrunc(part, builder_.getIntNTy(walk.size * 8));
    elements[walk.load].push_back(builder_.CreateBitCast(part, walk.load->getType()));
  }
}

/* `base` is what the walk's is in this turn. */
void TurnJoiner::load_group(const Walk &walk, Value *base, Elements &elements) {
  unsigned count = std::min(group_turns, widest_gathered / walk.size), words = count * walk.size / 4;
  Type *type = builder_.getInt32Ty();
  if (words > 1) type = FixedVectorType::get(type, words);
  for (unsigned i = 0; i < group_turns; i += count) {
    Value *from = i ? builder_.CreatePtrAdd(base, builder_.getInt64(i * walk.size)) : base;
    Value *address = builder_.CreatePtrAdd(from, walk.group_offset);
    part(walk, load(walk, address, type, walk.load->getAlign()), count, elements);
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
Value *TurnJoiner::load_odd_word(const Walk &walk, Value *offset, Value *odd) {
  Type *word = builder_.getInt32Ty();
  const bool is_limited = offset->getType()->isIntegerTy(32) && walk.is_in_array;
  if (!is_limited) offset = builder_.CreateIntCast(offset, builder_.getInt64Ty(), walk.is_signed);
  Type *type = offset->getType();
  Value *most = builder_.getInt32(group_turns - 1);
  Value *low = builder_.CreateTrunc(builder_.CreatePtrToInt(walk.base, builder_.getInt64Ty()), word);
  low = builder_.CreateAnd(builder_.CreateAdd(low, builder_.CreateZExtOrTrunc(offset, word)), page_size - 1);
  Value *rest = builder_.CreateSub(builder_.getInt32(group_turns), builder_.CreateZExtOrTrunc(odd, word));
  Value *behind = builder_.CreateSub(most, builder_.CreateBinaryIntrinsic(Intrinsic::umin, low, rest));
  behind = builder_.CreateZExtOrTrunc(behind, type);
  Value *place =
      is_limited ? add_limited(offset, behind, walk.is_signed, builder_) : builder_.CreateAdd(offset, behind);
  Value *base = builder_.CreatePtrAdd(walk.base, builder_.getInt64(-int64_t(group_turns - 1)));
  Value *all = load(walk, address(walk, base, place), word, Align(1));
  Value *before = builder_.CreateSub(most, builder_.CreateZExtOrTrunc(builder_.CreateSub(place, offset), word));
  return builder_.CreateLShr(all, builder_.CreateShl(before, 3));
}

/* What is carried to the next turn needs no other name behind the loop. */
void TurnJoiner::use_carried_values(State &state) const {
  for (auto [value, out] : zip(out_, state.out)) {
    for (auto [phi, carried] : zip(block_.phis(), state.phis)) {
      if (next(phi) == value) out = carried;
    }
  }
}

/* What is the case where `from` and `other` meet, in the builder's block. */
TurnJoiner::State TurnJoiner::merge(BasicBlock *from, const State &first, BasicBlock *other, const State &second) {
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
TurnJoiner::State TurnJoiner::write_odd(Value *odd, const State &state, JoinedTurns &joined) {
  BasicBlock *here = builder_.GetInsertBlock(), *some = add_block("odd.turns"), *one = add_block("odd.turn"),
             *on = add_block("turns.on");
  builder_.CreateCondBr(builder_.CreateIsNotNull(odd), some, on);
  builder_.SetInsertPoint(some);
  SmallVector<Value *, 4> offsets, firsts;
  for (const Walk &walk : walks_) {
    Type *type = walk.offset->getType();
    Value *bytes = builder_.CreateMul(builder_.CreateZExtOrTrunc(whole_, type), ConstantInt::get(type, walk.size));
    offsets.push_back(builder_.CreateAdd(walk.offset, bytes));
    firsts.push_back(has_odd_word(walk) ? load_odd_word(walk, offsets.back(), odd) : walk.base);
  }
  builder_.CreateBr(one);
  builder_.SetInsertPoint(one);
  State start;
  SmallVector<PHINode *, 4> places; /* what is left of the word, or the base */
  for (Value *value : state.phis) start.phis.push_back(add_phi(value, some));
  PHINode *turn = add_phi(number(0), some);
  for (Value *first : firsts) places.push_back(add_phi(first, some));
  start.out.append(state.out.begin(), state.out.end());
  Elements elements;
  for (auto [walk, offset, place] : zip_equal(walks_, offsets, places)) {
    LoadInst *old = walk.load;
    if (has_odd_word(walk)) {
      part(walk, place, 1, elements);
      place->addIncoming(builder_.CreateLShr(place, 8), one);
    } else {
      elements[old].push_back(load(walk, address(walk, place, offset), old->getType(), old->getAlign()));
      place->addIncoming(builder_.CreatePtrAdd(place, builder_.getInt64(walk.size)), one);
    }
  }
  State done = copy(elements, 0, start);
  for (auto [phi, value] : zip(start.phis, done.phis)) cast<PHINode>(phi)->addIncoming(value, one);
  Value *next = builder_.CreateAdd(turn, number(1));
  turn->addIncoming(next, one);
  builder_.CreateCondBr(builder_.CreateICmpUGE(next, odd), on, one);
  joined[one] = {group_turns, true};
  builder_.SetInsertPoint(on);
  return merge(here, state, one, done);
}

/* What the next vectors of work-items read is fetched while these go on: lines behind where the last lane began. About
 * as many as several vectors get through in a group. */
void TurnJoiner::fetch_ahead(const Walk &walk, BasicBlock *before) {
  BasicBlock *group = builder_.GetInsertBlock();
  PHINode *ahead = builder_.CreatePHI(walk.base->getType(), 2, "ahead");
  IRBuilder<> outside(before->getTerminator());
  ahead->addIncoming(outside.CreatePtrAdd(walk.group_base, outside.getInt64(cache_line)), before);
  for (unsigned i = 0; i < lines_ahead; i++) {
    Value *line = builder_.CreatePtrAdd(ahead, builder_.getInt64(i * cache_line));
    CallInst *fetch = fetch_line(builder_.CreatePtrAdd(line, walk.group_offset), /*written=*/false, builder_);
    fetch->setMetadata(ahead_mark, MDNode::get(builder_.getContext(), {}));
  }
  ahead->addIncoming(builder_.CreatePtrAdd(ahead, builder_.getInt64(lines_ahead * cache_line)), group);
}

/* if (turns > 3) for (turn = 0;; turn += 4) { a group; if (turn >= whole - 4) break; }
 *
 * The number of turns may be one too large for its type; the last one's number is not. Turns are counted alike by all
 * work-items, and what a walk's address has in common grows, so that neither takes a vector. */
TurnJoiner::State TurnJoiner::write_groups(const State &state) {
  BasicBlock *here = builder_.GetInsertBlock(), *group = add_block("turns"), *on = add_block("groups.on");
  Value *end = builder_.CreateSub(whole_, number(group_turns));
  Value *has_group = last_ ? builder_.CreateICmpUGE(last_, number(group_turns - 1))
                           : builder_.CreateICmpUGE(turns_, number(group_turns));
  builder_.CreateCondBr(has_group, group, on);
  builder_.SetInsertPoint(group);
  State start;
  for (Value *value : state.phis) start.phis.push_back(add_phi(value, here));
  PHINode *turn = add_phi(number(0), here);
  start.out.append(state.out.begin(), state.out.end());
  SmallVector<PHINode *, 4> bases;
  for (const Walk &walk : walks_) bases.push_back(add_phi(walk.group_base, here));
  auto followed = find_if(walks_, [](const Walk &walk) { return walk.is_followed; });
  if (followed != walks_.end()) fetch_ahead(*followed, here);
  Elements elements;
  for (auto [walk, base] : zip_equal(walks_, bases)) load_group(walk, base, elements);
  State done = start;
  for (unsigned i = 0; i < group_turns; i++) done = copy(elements, i, done);
  for (auto [phi, value] : zip(start.phis, done.phis)) cast<PHINode>(phi)->addIncoming(value, group);
  turn->addIncoming(builder_.CreateAdd(turn, number(group_turns)), group);
  for (auto [walk, base] : zip_equal(walks_, bases)) {
    base->addIncoming(builder_.CreatePtrAdd(base, builder_.getInt64(group_turns * walk.size)), group);
  }
  builder_.CreateCondBr(builder_.CreateICmpUGE(turn, end), on, group);
  builder_.SetInsertPoint(on);
  return merge(here, state, group, done);
}

void TurnJoiner::run(JoinedTurns &joined) {
  find_out();
  before_.getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(&before_);
  State state;
  for (PHINode &phi : block_.phis()) state.phis.push_back(phi.getIncomingValueForBlock(&before_));
  for (Value *value : out_) state.out.push_back(PoisonValue::get(value->getType()));
  if (in_windows_) {
    state = write_windows(state);
  } else {
    Value *odd = builder_.CreateAnd(turns_, number(group_turns - 1));
    whole_ = builder_.CreateAnd(turns_, number(~uint64_t(group_turns - 1)));
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
  joined[made_.front()] = {in_windows_ ? window_size : group_turns, false};
}

/* Drops what nobody wants of the blocks made, phis that keep themselves alive among it. What these alone used stays:
 * it may leave the body. */
void TurnJoiner::clean() {
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

JoinedTurns join_turns(Function &body, ArrayRef<LoadInst *> walks, Beside beside, PointsIntoArray points_into_array) {
  SmallMapVector<Loop *, SmallVector<LoadInst *, 4>, 2> chosen;
  SmallVector<std::unique_ptr<TurnJoiner>, 2> joiners;
  Loops loops(body);
  SCEVExpander expander(loops.numbers, "turns");
  for (LoadInst *walk : walks) chosen[loops.info.getLoopFor(walk->getParent())].push_back(walk);
  for (auto &[loop, own] : chosen) {
    simplifyLoop(loop, &loops.dominators, &loops.info, &loops.numbers, nullptr, nullptr, false);
    if (!loop->isLoopSimplifyForm() || loop->getNumBlocks() != 1 || !loop->getExitBlock()) continue;
    formLCSSA(*loop, loops.dominators, &loops.info, &loops.numbers);
    auto joiner = std::make_unique<TurnJoiner>(*loop, own);
    if (joiner->plan(*loop, beside, points_into_array, loops.numbers, expander)) joiners.push_back(std::move(joiner));
  }
  expander.clear();
  JoinedTurns joined;
  for (auto &joiner : joiners) joiner->run(joined);
  for (auto &joiner : joiners) joiner->clean();
  return joined;
}

}  // namespace quern
