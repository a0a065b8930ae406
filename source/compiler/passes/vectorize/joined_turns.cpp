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

#include "compiler/passes/vectorize/item_loop.hpp"

using namespace llvm;

namespace quern {

/* Bytes of the widest and of the narrowest element that is gathered. */
static constexpr unsigned widest_gathered = 8, narrowest_gathered = 4;

/* Turns for which it pays to make copies. */
static constexpr unsigned fewest_turns = 4;

/* Instructions that a loop may have when all its copies are made. */
static constexpr unsigned most_instructions = 160;

/* Bytes that an element of `load` takes; 0 when it cannot be a part of an integer. */
static unsigned element_size(const LoadInst &load) {
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

namespace {

/** One loop of one block. */
class TurnJoiner {
 public:
  TurnJoiner(Loop &loop, ArrayRef<LoadInst *> walks)
      : block_(*loop.getHeader()),
        before_(*loop.getLoopPreheader()),
        after_(*loop.getExitBlock()),
        walks_(walks),
        data_(block_.getDataLayout()),
        builder_(block_.getContext()) {}

  /** Chooses how many turns a group has; false when there should be no groups. To be followed by `run` when no other
   * loop needs what is known of the loops any more. */
  bool plan(const Loop &loop, ScalarEvolution &numbers, SCEVExpander &expander);
  /** The header of the loop over groups. */
  BasicBlock *run();
  unsigned turns() const { return turns_; }

 private:
  struct State {
    /** Of the header's phis, at the start of a turn, and of what is used behind the loop, at its end. */
    SmallVector<Value *, 8> phis, out;
  };

  BasicBlock *add_block(const Twine &name) {
    return BasicBlock::Create(block_.getContext(), name, block_.getParent(), &block_);
  }
  unsigned choose_turns() const;
  void find_out();
  State copy(unsigned turns, State state);
  void join(const LoadInst &walk, ArrayRef<LoadInst *> copies);
  void join_group(unsigned size, ArrayRef<LoadInst *> copies);
  State merge(BasicBlock *from, const State &first, BasicBlock *other, const State &second);
  BasicBlock *write_groups(Value *extra, const State &state);
  Value *next(const PHINode &phi) const { return phi.getIncomingValueForBlock(&block_); }

  BasicBlock &block_, &before_, &after_;
  ArrayRef<LoadInst *> walks_;
  const DataLayout &data_;
  IRBuilder<> builder_;
  /** What is used behind the loop. */
  SmallSetVector<Value *, 4> out_;
  unsigned turns_ = 1;
  /** The number of the last turn. */
  Value *last_ = nullptr;
};

unsigned TurnJoiner::choose_turns() const {
  unsigned narrowest = widest_gathered;
  for (const LoadInst *walk : walks_) narrowest = std::min(narrowest, element_size(*walk));
  auto length = unsigned(block_.size());
  unsigned turns = widest_gathered / narrowest;
  while (turns > 1 && (2 * turns - 1) * length > most_instructions) turns /= 2;
  return turns;
}

/* Each turn reads another element, so that there are fewer than addresses: what fits
 * 32 bits or may be negative as well fits them. */
bool TurnJoiner::plan(const Loop &loop, ScalarEvolution &numbers, SCEVExpander &expander) {
  turns_ = choose_turns();
  const SCEV *last = numbers.getBackedgeTakenCount(&loop);
  Instruction *end = before_.getTerminator();
  if (turns_ < fewest_turns || isa<SCEVCouldNotCompute>(last) || !expander.isSafeToExpandAt(last, end)) return false;
  bool is_wide = numbers.getTypeSizeInBits(last->getType()) > 32;
  if (is_wide && numbers.getSignedRangeMax(last).isSignedIntN(33)) {
    last = numbers.getTruncateExpr(last, Type::getInt32Ty(block_.getContext()));
  }
  last_ = expander.expandCodeFor(last, nullptr, end);
  return true;
}

void TurnJoiner::find_out() {
  for (PHINode &phi : after_.phis()) {
    Value *value = phi.getIncomingValueForBlock(&block_);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && instruction->getParent() == &block_) out_.insert(value);
  }
}

/* Turns one after the other at the end of the builder's block. */
TurnJoiner::State TurnJoiner::copy(unsigned turns, State state) {
  SmallMapVector<const LoadInst *, SmallVector<LoadInst *, 8>, 4> walks;
  for (unsigned i = 0; i < turns; i++) {
    DenseMap<const Value *, Value *> copies;
    auto now = [&](Value *value) {
      Value *copy = copies.lookup(value);
      return copy ? copy : value;
    };
    for (auto [phi, value] : zip(block_.phis(), state.phis)) copies[&phi] = value;
    for (Instruction &instruction : block_) {
      if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
      Instruction *copy = instruction.clone();
      for (Use &operand : copy->operands()) operand.set(now(operand));
      builder_.Insert(copy, instruction.getName());
      copies[&instruction] = copy;
      auto *walk = dyn_cast<LoadInst>(&instruction);
      if (is_contained(walks_, walk)) walks[walk].push_back(cast<LoadInst>(copy));
    }
    for (auto [phi, value] : zip(block_.phis(), state.phis)) value = now(next(phi));
    for (auto [value, out] : zip(out_, state.out)) out = now(value);
  }
  for (auto &[walk, copies] : walks) join(*walk, copies);
  return state;
}

void TurnJoiner::join(const LoadInst &walk, ArrayRef<LoadInst *> copies) {
  unsigned size = element_size(walk);
  while (copies.size() * size >= narrowest_gathered) {
    size_t count = std::min<size_t>(copies.size(), widest_gathered / size);
    if (count > 1) join_group(size, copies.take_front(count));
    copies = copies.drop_front(count);
  }
}

/* Words, that parts may be shifted out of 32 bits. */
void TurnJoiner::join_group(unsigned size, ArrayRef<LoadInst *> copies) {
  IRBuilder<>::InsertPointGuard guard(builder_);
  LoadInst *first = copies[0];
  builder_.SetInsertPoint(first);
  Type *word = builder_.getInt32Ty();
  auto count = unsigned(copies.size() * size / 4);
  Type *type = count > 1 ? FixedVectorType::get(word, count) : word;
  LoadInst *all = builder_.CreateAlignedLoad(type, first->getPointerOperand(), first->getAlign());
  all->copyMetadata(*first, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
  for (auto [i, load] : enumerate(copies)) {
    unsigned offset = unsigned(i) * size;
    Value *part = count > 1 ? builder_.CreateExtractElement(all, uint64_t(offset / 4)) : all;
    if (offset % 4) part = builder_.CreateLShr(part, offset % 4 * 8);
    part = builder_.CreateTrunc(part, builder_.getIntNTy(size * 8));
    load->replaceAllUsesWith(builder_.CreateBitCast(part, load->getType()));
  }
  for (LoadInst *load : copies) load->eraseFromParent();
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
  return state;
}

/* left = (last - extra) / turns
 * if (last >= turns - 1) do { a group } while (left-- != 0) */
BasicBlock *TurnJoiner::write_groups(Value *extra, const State &state) {
  BasicBlock *here = builder_.GetInsertBlock(), *group = add_block("turns");
  Value *count = builder_.CreateLShr(builder_.CreateSub(last_, extra), Log2_32(turns_));
  Value *any = builder_.CreateICmpUGE(last_, ConstantInt::get(last_->getType(), turns_ - 1));
  builder_.CreateCondBr(any, group, &after_);
  builder_.SetInsertPoint(group);
  State start;
  for (Value *value : state.phis) {
    PHINode *phi = builder_.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, here);
    start.phis.push_back(phi);
  }
  PHINode *left = builder_.CreatePHI(count->getType(), 2, "left");
  left->addIncoming(count, here);
  start.out.append(state.out.begin(), state.out.end());
  State end = copy(turns_, start);
  for (auto [phi, value] : zip(start.phis, end.phis)) cast<PHINode>(phi)->addIncoming(value, group);
  left->addIncoming(builder_.CreateAdd(left, Constant::getAllOnesValue(left->getType())), group);
  builder_.CreateCondBr(builder_.CreateICmpEQ(left, Constant::getNullValue(left->getType())), &after_, group);
  for (PHINode &phi : after_.phis()) {
    Value *value = phi.getIncomingValueForBlock(&block_), *others = value;
    auto found = find(out_, value);
    if (found != out_.end()) {
      value = state.out[size_t(found - out_.begin())];
      others = end.out[size_t(found - out_.begin())];
    }
    phi.addIncoming(value, here);
    phi.addIncoming(others, group);
  }
  return group;
}

/* What is carried to the next turn needs no other name behind the loop. */
static void use_carried_values(BasicBlock &block, SmallVectorImpl<Value *> &out, ArrayRef<Value *> values,
                               ArrayRef<Value *> phis) {
  for (auto [value, place] : zip(values, out)) {
    for (auto [phi, carried] : zip(block.phis(), phis)) {
      if (phi.getIncomingValueForBlock(&block) == value) place = carried;
    }
  }
}

BasicBlock *TurnJoiner::run() {
  find_out();
  before_.getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(&before_);
  State state;
  for (PHINode &phi : block_.phis()) state.phis.push_back(phi.getIncomingValueForBlock(&before_));
  for (Value *value : out_) state.out.push_back(PoisonValue::get(value->getType()));
  Value *count = builder_.CreateAdd(last_, ConstantInt::get(last_->getType(), 1));
  Value *extra = builder_.CreateAnd(count, ConstantInt::get(count->getType(), turns_ - 1));
  for (unsigned some = 1; some < turns_; some *= 2) {
    BasicBlock *here = builder_.GetInsertBlock(), *group = add_block("some.turns"), *on = add_block("turns.on");
    Value *bit = builder_.CreateAnd(extra, ConstantInt::get(extra->getType(), some));
    builder_.CreateCondBr(builder_.CreateIsNotNull(bit), group, on);
    builder_.SetInsertPoint(group);
    State done = copy(some, state);
    builder_.CreateBr(on);
    builder_.SetInsertPoint(on);
    state = merge(here, state, group, done);
    use_carried_values(block_, state.out, out_.getArrayRef(), state.phis);
  }
  BasicBlock *groups = write_groups(extra, state);
  DeleteDeadBlock(&block_);
  return groups;
}

}  // namespace

JoinedTurns join_turns(Function &body, ArrayRef<LoadInst *> walks) {
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
    if (joiner->plan(*loop, loops.numbers, expander)) joiners.push_back(std::move(joiner));
  }
  expander.clear();
  JoinedTurns joined;
  for (auto &joiner : joiners) joined[joiner->run()] = joiner->turns();
  for (BasicBlock &block : body) {
    for (Instruction &instruction : make_early_inc_range(reverse(block))) {
      bool leaves = instruction.hasMetadata(leaving_mark);
      if (!leaves && isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
    }
  }
  return joined;
}

}  // namespace quern
