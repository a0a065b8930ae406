/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unrolling of loops with one load for the elements of several iterations. */
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"

#include <cassert>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/passes/function_evolution.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"
#include "compiler/passes/vectorize/transform/wide_load_unroller.hpp"

using namespace llvm;

namespace quern {

/* Sizes in bytes of the widest and the narrowest element that is gathered. */
static constexpr unsigned widest_gathered = 8, narrowest_gathered = 4;

/* Cache lines that each unrolled iteration prefetches. */
static constexpr unsigned lines_prefetched = 2;

/* The middle of the unsigned numbers of 32 bits. */
static constexpr uint32_t middle = 1U << 31;

/* The maximum number of instructions of all copies of an iteration, by how many bytes one of them loads. */
static constexpr unsigned most_with_words = 160, most_with_slices = 256;

unsigned element_size(const LoadInst &load) {
  Type *type = load.getType();
  if (!load.isSimple() || !(type->isIntegerTy() || type->isFloatingPointTy())) return 0;
  uint64_t bits = type->getScalarSizeInBits();
  return bits == 8 || bits == 16 || bits == 32 ? unsigned(bits / 8) : 0;
}

/* Whether a block that is a loop may be unrolled with its loads hoisted to its start: nothing in it writes memory or
 * ends it early, and no live-out of the item loop is its own. Some load must be narrower than what one load gets. */
static bool is_copied(const BasicBlock &block, unsigned bytes) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || !is_contained(branch->successors(), &block)) return false;
  const unsigned narrow = bytes == slice_bytes ? 2 * narrowest_gathered : narrowest_gathered;
  bool may_be_load_stream = false; /* of narrow elements */
  for (const Instruction &instruction : block) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && (call->isConvergent() || call->cannotDuplicate())) return false;
    if (isa<AllocaInst>(instruction) || instruction.getType()->isTokenTy()) return false;
    if (instruction.hasMetadata(live_out_mark)) return false;
    if (instruction.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&instruction)) return false;
    auto *load = dyn_cast<LoadInst>(&instruction);
    unsigned size = load ? element_size(*load) : 0;
    may_be_load_stream |= size && size < narrow;
  }
  return may_be_load_stream;
}

static bool is_load_stream(LoadInst &load, const Loop &loop, ScalarEvolution &SE) {
  unsigned size = element_size(load);
  auto *address = size ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(load.getPointerOperand())) : nullptr;
  if (!address || address->getLoop() != &loop || !address->isAffine()) return false;
  auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(SE));
  return step && step->getAPInt() == size;
}

SmallVector<LoadInst *, 4> find_load_streams(Function &body, unsigned bytes) {
  SmallVector<LoadInst *, 4> streams;
  const auto may_be_unrolled = [bytes](const BasicBlock &block) { return is_copied(block, bytes); };
  if (!body.getDataLayout().isLittleEndian() || none_of(body, may_be_unrolled)) return streams;
  FunctionEvolution evolution(body);
  for (BasicBlock &block : body) {
    Loop *loop = evolution.loops.getLoopFor(&block);
    if (!loop || loop->getNumBlocks() != 1 || !may_be_unrolled(block)) continue;
    const SCEV *last = evolution.SE.getBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(last) || isa<SCEVConstant>(last)) continue;
    for (Instruction &instruction : block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && is_load_stream(*load, *loop, evolution.SE)) streams.push_back(load);
    }
  }
  return streams;
}

/* An instruction gathers twice as many elements when their offsets from a uniform address are signed numbers of 32
 * bits. An unsigned number becomes one as its distance from the middle. */
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

/* The range of a sum of unsigned numbers may include -1. */
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

/* Whether begin and end are adjacent elements of an array of offsets, as in compressed sparse matrices: the streams of
 * neighbouring work-items adjoin. */
static bool find_followed(const SCEV *first, const SCEV *backedges, ScalarEvolution &SE) {
  SmallVector<LoadInst *, 2> begins, ends;
  collect_loads(first, begins);
  collect_loads(backedges, ends);
  for (LoadInst *begin : begins) {
    int64_t size = int64_t(begin->getDataLayout().getTypeStoreSize(begin->getType()));
    for (LoadInst *end : ends) {
      if (end->getType() != begin->getType() || end->getPointerAddressSpace() != begin->getPointerAddressSpace())
        continue;
      auto *distance = dyn_cast<SCEVConstant>(
          SE.getMinusSCEV(SE.getSCEV(end->getPointerOperand()), SE.getSCEV(begin->getPointerOperand())));
      if (distance && distance->getAPInt() == size) return true;
    }
  }
  return false;
}

bool WideLoadUnroller::find_address(LoadStream &stream, ScalarEvolution &SE, SCEVExpander &expander, Instruction *end) {
  auto *address = cast<SCEVAddRecExpr>(SE.getSCEV(stream.load->getPointerOperand()));
  const SCEV *base = SE.getPointerBase(address->getStart()), *first = SE.removePointerBase(address->getStart());
  if (isa<SCEVCouldNotCompute>(first) || !SE.getTypeSizeInBits(first->getType())) return false;
  if (!expander.isSafeToExpandAt(base, end) || !expander.isSafeToExpandAt(first, end)) return false;
  const SCEV *backedges = SE.getNoopOrZeroExtend(SE.getBackedgeTakenCount(address->getLoop()), first->getType());
  const SCEV *steps = SE.getMulExpr(backedges, SE.getConstant(first->getType(), stream.size));
  const SCEV *last = SE.getAddExpr(first, steps);
  stream.base = expander.expandCodeFor(base, nullptr, end);
  stream.offset = expander.expandCodeFor(first, nullptr, end);
  stream.is_followed = find_followed(first, backedges, SE);
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

unsigned WideLoadUnroller::choose_factor(const WideLoadOptions &options) const {
  const bool has_bytes_only = all_of(streams_, [](const LoadStream &stream) { return stream.size == 1; });
  const bool takes_slices = options.bytes == slice_bytes && options.may_over_read && has_bytes_only;
  if (takes_slices && (slice_bytes + 1) * block_.size() <= most_with_slices) return slice_bytes;
  return word_bytes;
}

/* Each iteration reads another element, so that the trip count is no more than there are addresses: if it fits 32 bits
 * or may be negative, it fits them. */
bool WideLoadUnroller::plan(const Loop &loop, const WideLoadOptions &options, PointsIntoArray points_into_array,
                            ScalarEvolution &SE, SCEVExpander &expander) {
  const SCEV *last = SE.getBackedgeTakenCount(&loop);
  Instruction *end = before_.getTerminator();
  if (isa<SCEVCouldNotCompute>(last) || !expander.isSafeToExpandAt(last, end)) return false;
  may_over_read_ = options.may_over_read;
  loads_slices_ = options.bytes == slice_bytes;
  factor_ = SE.getTypeSizeInBits(last->getType()) >= 8 ? choose_factor(options) : word_bytes;
  if (factor_ == word_bytes && (word_bytes + 1) * block_.size() > most_with_words) return false;
  if (!all_of(streams_, [&](LoadStream &stream) { return find_address(stream, SE, expander, end); })) return false;
  for (LoadStream &stream : streams_) stream.is_in_array = points_into_array(*stream.base);
  APInt most = SE.getTypeSizeInBits(last->getType()) > 32 ? SE.getSignedRangeMax(last) : SE.getUnsignedRangeMax(last);
  bool is_narrowed = most.getBitWidth() > 32 && most.isSignedIntN(33);
  if (is_narrowed) last = SE.getTruncateExpr(last, Type::getInt32Ty(block_.getContext()));
  trip_count_ = expander.expandCodeFor(SE.getAddExpr(last, SE.getOne(last->getType())), nullptr, end);
  bool may_wrap = (is_narrowed || most.getBitWidth() <= 32) &&
                  most.trunc(trip_count_->getType()->getIntegerBitWidth()).isMaxValue();
  if (may_wrap) last_ = expander.expandCodeFor(last, nullptr, end);
  return true;
}

void WideLoadUnroller::find_live_outs() {
  for (PHINode &phi : after_.phis()) {
    Value *value = phi.getIncomingValueForBlock(&block_);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && instruction->getParent() == &block_) out_.insert(value);
  }
}

/* Appends an iteration to the builder's block. */
WideLoadUnroller::State WideLoadUnroller::copy(const Elements &elements, unsigned iteration, State state) {
  DenseMap<const Value *, Value *> copies;
  auto now = [&](Value *value) {
    Value *copy = copies.lookup(value);
    return copy ? copy : value;
  };
  for (auto [phi, value] : zip(block_.phis(), state.phis)) copies[&phi] = value;
  for (Instruction &instruction : block_) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
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

/* Appends the first `count` elements of `all`, a word or a vector of words. */
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

/* Loads adjacent words: together they are a per-lane access group (analysis/access_groups.hpp). */
WideLoadUnroller::Words WideLoadUnroller::load_words(const LoadStream &stream, Value *address, Align align) {
  Words words;
  for (unsigned i = 0; i < factor_ * stream.size; i += word_bytes) {
    Value *from = i ? builder_.CreatePtrAdd(address, builder_.getInt64(i)) : address;
    words.push_back(load(stream, from, builder_.getInt32Ty(), align));
  }
  return words;
}

/* `base` is the stream's in this iteration. */
void WideLoadUnroller::load_group(const LoadStream &stream, Value *base, Elements &elements) {
  if (loads_slices_ && factor_ * stream.size == slice_bytes) {
    Value *address = builder_.CreatePtrAdd(base, stream.group_offset);
    for (Value *word : load_words(stream, address, stream.load->getAlign())) {
      part(stream, word, word_bytes / stream.size, elements);
    }
    return;
  }
  unsigned count = std::min(factor_, widest_gathered / stream.size), words = count * stream.size / word_bytes;
  Type *type = builder_.getInt32Ty();
  if (words > 1) type = FixedVectorType::get(type, words);
  for (unsigned i = 0; i < factor_; i += count) {
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

/* The words without their first bytes, fewer than there are. */
WideLoadUnroller::Words WideLoadUnroller::skip_bytes(Words words, Value *bytes) {
  if (words.size() == 1) return {builder_.CreateLShr(words[0], builder_.CreateShl(bytes, 3))};
  const auto count = unsigned(words.size());
  for (unsigned by = count / 2; by > 0; by /= 2) {
    Value *skips = builder_.CreateIsNotNull(builder_.CreateAnd(bytes, by * word_bytes));
    for (unsigned i = 0; i + by < count; i++) words[i] = builder_.CreateSelect(skips, words[i + by], words[i]);
  }
  Value *bits = builder_.CreateShl(bytes, 3); /* modulo 32 */
  for (unsigned i = 0; i < count; i++) {
    Value *next = i + 1 < count ? words[i + 1] : words[i];
    words[i] = builder_.CreateIntrinsic(Intrinsic::fshr, {builder_.getInt32Ty()}, {next, words[i], bits});
  }
  return words;
}

/* The remaining bytes are in words that end with the last of them, or begin with their page: these are as readable as
 * they are. The first byte comes first in the result; what else is in it is not used. The address is counted from
 * `factor_ - 1` bytes before the base, so that it is no less than `offset`. In 32 bits it is limited to the highest
 * number: a stream that comes so far in an array has that array before it, whatever the page. */
WideLoadUnroller::Words WideLoadUnroller::load_last_words(const LoadStream &stream, Value *offset, Value *rest) {
  Type *word = builder_.getInt32Ty();
  const bool is_limited = offset->getType()->isIntegerTy(32) && stream.is_in_array;
  if (!is_limited) offset = builder_.CreateIntCast(offset, builder_.getInt64Ty(), stream.is_signed);
  Type *type = offset->getType();
  Value *most = builder_.getInt32(factor_ - 1);
  Value *low = builder_.CreateTrunc(builder_.CreatePtrToInt(stream.base, builder_.getInt64Ty()), word);
  low = builder_.CreateAnd(builder_.CreateAdd(low, builder_.CreateZExtOrTrunc(offset, word)), page_size - 1);
  Value *missing = builder_.CreateSub(builder_.getInt32(factor_), builder_.CreateZExtOrTrunc(rest, word));
  Value *after = builder_.CreateSub(most, builder_.CreateBinaryIntrinsic(Intrinsic::umin, low, missing));
  after = builder_.CreateZExtOrTrunc(after, type);
  Value *place =
      is_limited ? add_limited(offset, after, stream.is_signed, builder_) : builder_.CreateAdd(offset, after);
  Value *base = builder_.CreatePtrAdd(stream.base, builder_.getInt64(-int64_t(factor_ - 1)));
  Value *before = builder_.CreateSub(most, builder_.CreateZExtOrTrunc(builder_.CreateSub(place, offset), word));
  return skip_bytes(load_words(stream, address(stream, base, place), Align(1)), before);
}

/* A carried value needs no other name after the loop. */
void WideLoadUnroller::use_carried_values(State &state) const {
  for (auto [value, out] : zip(out_, state.out)) {
    for (auto [phi, carried] : zip(block_.phis(), state.phis)) {
      if (next(phi) == value) out = carried;
    }
  }
}

/* Merges the states at the ends of `from` and `other`, in the builder's block. */
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

/* if (rest != 0) for (i = 0;; i++) { an iteration; if (i + 1 >= rest) break; } */
WideLoadUnroller::State WideLoadUnroller::write_remainder(Value *rest, const State &state, UnrolledLoops &unrolled) {
  BasicBlock *here = builder_.GetInsertBlock(), *some = add_block("remainder.some"), *one = add_block("remainder"),
             *on = add_block("remainder.end");
  builder_.CreateCondBr(builder_.CreateIsNotNull(rest), some, on);
  builder_.SetInsertPoint(some);
  SmallVector<Value *, 4> offsets;
  SmallVector<Words, 4> firsts;
  for (const LoadStream &stream : streams_) {
    Type *type = stream.offset->getType();
    Value *bytes =
        builder_.CreateMul(builder_.CreateZExtOrTrunc(unrolled_count_, type), ConstantInt::get(type, stream.size));
    offsets.push_back(builder_.CreateAdd(stream.offset, bytes));
    firsts.push_back(has_last_words(stream) ? load_last_words(stream, offsets.back(), rest) : Words{stream.base});
  }
  builder_.CreateBr(one);
  builder_.SetInsertPoint(one);
  State start;
  for (Value *value : state.phis) start.phis.push_back(add_phi(value, some));
  PHINode *iteration = add_phi(number(0), some);
  SmallVector<SmallVector<PHINode *, 4>, 4> currents; /* what is left of the words, or the base */
  for (const Words &first : firsts) {
    SmallVector<PHINode *, 4> &current = currents.emplace_back();
    for (Value *value : first) current.push_back(add_phi(value, some));
  }
  start.out.append(state.out.begin(), state.out.end());
  Elements elements;
  for (auto [stream, offset, current] : zip_equal(streams_, offsets, currents)) {
    LoadInst *old = stream.load;
    if (has_last_words(stream)) {
      part(stream, current[0], 1, elements);
      for (auto [i, word] : enumerate(current)) {
        Value *next = i + 1 < current.size() ? builder_.CreateIntrinsic(Intrinsic::fshr, {word->getType()},
                                                                        {current[i + 1], word, builder_.getInt32(8)})
                                             : builder_.CreateLShr(word, 8);
        word->addIncoming(next, one);
      }
    } else {
      elements[old].push_back(load(stream, address(stream, current[0], offset), old->getType(), old->getAlign()));
      current[0]->addIncoming(builder_.CreatePtrAdd(current[0], builder_.getInt64(stream.size)), one);
    }
  }
  State done = copy(elements, 0, start);
  for (auto [phi, value] : zip(start.phis, done.phis)) cast<PHINode>(phi)->addIncoming(value, one);
  Value *next = builder_.CreateAdd(iteration, number(1));
  iteration->addIncoming(next, one);
  builder_.CreateCondBr(builder_.CreateICmpUGE(next, rest), on, one);
  unrolled[one] = {factor_, true};
  builder_.SetInsertPoint(on);
  return merge(here, state, one, done);
}

/* Prefetches what the next vectors of work-items read: lines after the start of the last lane's stream. They are about
 * as many as several vectors read in an unrolled iteration. */
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

/* if (trip_count >= factor) for (i = 0;; i += factor) { `factor` iterations; if (i >= unrolled_count - factor) break; }
 *
 * The trip count may wrap; the backedge-taken count does not. The counter is uniform, and the uniform part of a
 * stream's address grows, so that neither takes a vector. */
WideLoadUnroller::State WideLoadUnroller::write_unrolled(const State &state) {
  BasicBlock *here = builder_.GetInsertBlock(), *group = add_block("unrolled"), *on = add_block("unrolled.end");
  Value *end = builder_.CreateSub(unrolled_count_, number(factor_));
  Value *has_group =
      last_ ? builder_.CreateICmpUGE(last_, number(factor_ - 1)) : builder_.CreateICmpUGE(trip_count_, number(factor_));
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
  for (unsigned i = 0; i < factor_; i++) done = copy(elements, i, done);
  for (auto [phi, value] : zip(start.phis, done.phis)) cast<PHINode>(phi)->addIncoming(value, group);
  iteration->addIncoming(builder_.CreateAdd(iteration, number(factor_)), group);
  for (auto [stream, base] : zip_equal(streams_, bases)) {
    base->addIncoming(builder_.CreatePtrAdd(base, builder_.getInt64(factor_ * stream.size)), group);
  }
  builder_.CreateCondBr(builder_.CreateICmpUGE(iteration, end), on, group);
  builder_.SetInsertPoint(on);
  return merge(here, state, group, done);
}

void WideLoadUnroller::run(UnrolledLoops &unrolled) {
  find_live_outs();
  before_.getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(&before_);
  State state;
  for (PHINode &phi : block_.phis()) state.phis.push_back(phi.getIncomingValueForBlock(&before_));
  for (Value *value : out_) state.out.push_back(PoisonValue::get(value->getType()));
  Value *rest = builder_.CreateAnd(trip_count_, number(factor_ - 1));
  unrolled_count_ = builder_.CreateAnd(trip_count_, number(~uint64_t(factor_ - 1)));
  state = write_unrolled(state);
  state = write_remainder(rest, state, unrolled);
  for (PHINode &phi : after_.phis()) {
    Value *value = phi.getIncomingValueForBlock(&block_);
    auto found = find(out_, value);
    phi.addIncoming(found == out_.end() ? value : state.out[size_t(found - out_.begin())], builder_.GetInsertBlock());
  }
  builder_.CreateBr(&after_);
  DeleteDeadBlock(&block_);
  unrolled[made_.front()] = {factor_, false};
}

/* Removes dead instructions of the new blocks, cycles of phis among them. What only these used stays: it may be outside
 * of the body. */
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

UnrolledLoops unroll_wide_loads(Function &body, ArrayRef<LoadInst *> streams, const WideLoadOptions &options,
                                PointsIntoArray points_into_array) {
  assert((options.bytes == word_bytes || options.bytes == slice_bytes) && "words or slices");
  SmallMapVector<Loop *, SmallVector<LoadInst *, 4>, 2> chosen;
  SmallVector<std::unique_ptr<WideLoadUnroller>, 2> unrollers;
  FunctionEvolution evolution(body);
  SCEVExpander expander(evolution.SE, "unroll");
  for (LoadInst *stream : streams) chosen[evolution.loops.getLoopFor(stream->getParent())].push_back(stream);
  for (auto &[loop, own] : chosen) {
    simplifyLoop(loop, &evolution.dominators, &evolution.loops, &evolution.SE, nullptr, nullptr, false);
    if (!loop->isLoopSimplifyForm() || loop->getNumBlocks() != 1 || !loop->getExitBlock()) continue;
    formLCSSA(*loop, evolution.dominators, &evolution.loops, &evolution.SE);
    auto unroller = std::make_unique<WideLoadUnroller>(*loop, own);
    if (unroller->plan(*loop, options, points_into_array, evolution.SE, expander))
      unrollers.push_back(std::move(unroller));
  }
  expander.clear();
  UnrolledLoops unrolled;
  for (auto &unroller : unrollers) unroller->run(unrolled);
  for (auto &unroller : unrollers) unroller->clean();
  return unrolled;
}

PreservedAnalyses UnrollWideLoadsPass::run(Function &function, FunctionAnalysisManager &) {
  const SmallVector<LoadInst *, 4> streams = find_load_streams(function, bytes_);
  auto is_parameter = [](const Value &pointer) { return isa<Argument>(getUnderlyingObject(&pointer)); };
  WideLoadOptions options;
  options.bytes = bytes_ == slice_bytes ? slice_bytes : word_bytes;
  options.may_over_read =
      all_of(streams, [&](const LoadInst *stream) { return is_parameter(*stream->getPointerOperand()); });
  const UnrolledLoops unrolled = unroll_wide_loads(function, streams, options, is_parameter);
  return unrolled.empty() && streams.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace quern
