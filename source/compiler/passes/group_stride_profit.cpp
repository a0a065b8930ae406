/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cost model of the interchange of group-stride loops.
 *
 * The benefit: in each iteration the group's accesses are contiguous, where each work-item alone accesses memory at a
 * stride. The cost: loop-carried values are stored and reloaded in each iteration. With few vectors of work-items in a
 * group, the load soon follows the store of the same vector and waits for it. */
#include "compiler/passes/group_stride_profit.hpp"

#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {
namespace {

/* Most loop-carried and live-in values that each work-item reloads in each iteration. */
constexpr size_t max_slot_accesses = 4;

constexpr size_t max_instructions = 64;

/* Most bytes between the elements of adjacent work-items: few iterations then use a cache line completely. */
constexpr int64_t max_item_stride = 16;

constexpr unsigned max_address_depth = 6, max_recompute_depth = 8;

/* Most values that are live across the loop. With barriers in the loop they are stored before and loaded after it,
 * whichever version runs. */
constexpr size_t max_live_values = 16;

/* Approximate size of the private caches of a core. */
constexpr uint64_t core_cache_bytes = 1 << 20;

/* Measured with a vectorization factor of 16. With values in slots, eight vectors of work-items lose little at worst.
 * Four vectors lose up to a quarter when the data are in a cache, and are more than twice as fast otherwise. One or two
 * only wait for their own stores. An index that may wrap makes the original version gather, which is slower still. */
constexpr GroupStrideProfit profit_with_values = {128, 64, 0}, profit_with_values_wrapping = {64, 64, 0},
                            profit_without_values = {32, 32, 0}, profit_without_values_wrapping = {16, 16, 0};

class ProfitEstimate {
 public:
  ProfitEstimate(const GroupStrideLoop &stride, const DominatorTree &dominators)
      : stride_(stride), dominators_(dominators) {}

  std::optional<GroupStrideProfit> find() const;

 private:
  bool is_cheap_to_recompute(const Value *value, unsigned depth = max_recompute_depth) const;
  void collect_carried(SmallPtrSetImpl<const Value *> &values) const;
  void collect_live_in(SmallPtrSetImpl<const Value *> &values) const;
  size_t count_live_across_loop() const;
  std::optional<int64_t> stride_of_sum(const Value *value, unsigned depth) const;
  std::optional<int64_t> stride_of_address(const GEPOperator &address, unsigned depth) const;
  std::optional<int64_t> stride_per_item(const Value *value, unsigned depth = max_address_depth) const;
  int64_t contiguous_stride(const Instruction &instruction) const;
  bool is_outermost_or_in_barrier_loop() const;

  const GroupStrideLoop &stride_;
  const DominatorTree &dominators_;
};

/* Whether the value is computed again in each iteration rather than stored in a slot. */
bool ProfitEstimate::is_cheap_to_recompute(const Value *value, unsigned depth) const {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || stride_.divergence->is_uniform(value) || work_item_call(value) != WorkItem::none) return true;
  if (!depth || !(isa<BinaryOperator>(value) || isa<CastInst>(value) || isa<GetElementPtrInst>(value))) return false;
  return all_of(instruction->operands(), [&](const Use &operand) { return is_cheap_to_recompute(operand, depth - 1); });
}

/* Collects loop-carried and live-out values. */
void ProfitEstimate::collect_carried(SmallPtrSetImpl<const Value *> &values) const {
  const Loop &loop = stride_.loop;
  for (const PHINode &phi : loop.getHeader()->phis()) {
    if (!stride_.is_index(&phi)) values.insert(phi.getIncomingValueForBlock(stride_.latch));
  }
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      auto is_outside = [&](const User *user) { return !loop.contains(cast<Instruction>(user)); };
      if (any_of(instruction.users(), is_outside)) values.insert(&instruction);
    }
  }
}

/* Collects live-in values that each work-item would have to reload in each iteration. */
void ProfitEstimate::collect_live_in(SmallPtrSetImpl<const Value *> &values) const {
  const Loop &loop = stride_.loop;
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      if (isa<PHINode>(instruction) && block == loop.getHeader()) continue;
      for (const Value *operand : instruction.operands()) {
        if (isa<Instruction>(operand) && loop.isLoopInvariant(operand) && !is_cheap_to_recompute(operand))
          values.insert(operand);
      }
    }
  }
}

/* Counts the values, by vector elements, that are defined above the guard and used after it outside of the loop. */
size_t ProfitEstimate::count_live_across_loop() const {
  BasicBlock *guard = stride_.guard->getParent();
  auto is_after_loop = [&](const User *user) {
    const BasicBlock *block = cast<Instruction>(user)->getParent();
    return !stride_.loop.contains(block) && dominators_.properlyDominates(guard, block);
  };
  size_t live = 0;
  for (const DomTreeNode *node = dominators_.getNode(guard); node; node = node->getIDom()) {
    for (const Instruction &instruction : *node->getBlock()) {
      if (none_of(instruction.users(), is_after_loop) || is_cheap_to_recompute(&instruction)) continue;
      auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
      live += vector ? vector->getNumElements() : 1;
    }
  }
  return live;
}

std::optional<int64_t> ProfitEstimate::stride_of_address(const GEPOperator &address, unsigned depth) const {
  auto sum = stride_per_item(address.getPointerOperand(), depth - 1);
  SmallMapVector<Value *, APInt, 4> terms;
  APInt constant(64, 0);
  if (!sum || !address.collectOffset(stride_.latch->getDataLayout(), 64, terms, constant)) return std::nullopt;
  for (const auto &[term, size] : terms) {
    auto inner = stride_per_item(term, depth - 1);
    if (!inner) return std::nullopt;
    *sum = int64_t(uint64_t(*sum) + uint64_t(*inner) * uint64_t(size.getSExtValue()));
  }
  return sum;
}

std::optional<int64_t> ProfitEstimate::stride_of_sum(const Value *value, unsigned depth) const {
  const Value *a, *b;
  const bool is_difference = match(value, m_Sub(m_Value(a), m_Value(b)));
  if (!is_difference && !match(value, m_AddLike(m_Value(a), m_Value(b)))) return std::nullopt;
  auto first = stride_per_item(a, depth - 1), second = stride_per_item(b, depth - 1);
  if (!first || !second) return std::nullopt;
  const uint64_t other = uint64_t(*second);
  return int64_t(uint64_t(*first) + (is_difference ? -other : other));
}

/* Difference of an address, in bytes, or of an integer between adjacent work-items, modulo 2^64. Empty when it is not
 * known to be constant. */
std::optional<int64_t> ProfitEstimate::stride_per_item(const Value *value, unsigned depth) const {
  if (stride_.is_index(value)) return 1;
  if (stride_.loop.isLoopInvariant(value)) return 0;
  if (!depth) return std::nullopt;
  const Value *inner;
  uint64_t factor;
  auto product = [&](uint64_t by) -> std::optional<int64_t> {
    auto bytes = stride_per_item(inner, depth - 1);
    return bytes ? std::optional<int64_t>(int64_t(uint64_t(*bytes) * by)) : std::nullopt;
  };
  if (match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner)))) return product(1);
  if (match(value, m_Mul(m_Value(inner), m_ConstantInt(factor)))) return product(factor);
  if (match(value, m_Shl(m_Value(inner), m_ConstantInt(factor))) && factor < 64) return product(uint64_t(1) << factor);
  auto *address = dyn_cast<GEPOperator>(value);
  if (address && address->getType()->isPointerTy()) return stride_of_address(*address, depth);
  return stride_of_sum(value, depth);
}

/* Bytes between the elements of a buffer that adjacent work-items access; 0 when the stride is unknown, not positive
 * or above max_item_stride, and for other instructions. */
int64_t ProfitEstimate::contiguous_stride(const Instruction &instruction) const {
  const Value *address = getLoadStorePointerOperand(&instruction);
  if (!address) return 0;
  const unsigned space = address->getType()->getPointerAddressSpace();
  if (space != global_space && space != constant_space) return 0;
  auto bytes = stride_per_item(address);
  return bytes && *bytes > 0 && *bytes <= max_item_stride ? *bytes : 0;
}

/* Whether the loop is outermost or the outermost loop around it has a barrier already. Otherwise the interchange would
 * split each iteration of the outer loop into several regions, which is unprofitable for short inner trip counts. */
bool ProfitEstimate::is_outermost_or_in_barrier_loop() const {
  const Loop *outer = stride_.loop.getOutermostLoop();
  return outer == &stride_.loop || any_of(outer->blocks(), [](const BasicBlock *block) {
           return any_of(*block, [](const Instruction &instruction) { return is_barrier_call(instruction); });
         });
}

std::optional<GroupStrideProfit> ProfitEstimate::find() const {
  size_t instructions = 0;
  int64_t widest = 0;
  for (const BasicBlock *block : stride_.loop.blocks()) {
    instructions += block->size();
    for (const Instruction &instruction : *block) widest = std::max(widest, contiguous_stride(instruction));
  }
  SmallPtrSet<const Value *, 8> carried, live_in;
  collect_carried(carried);
  collect_live_in(live_in);
  const size_t values = carried.size() + live_in.size();
  if (!widest || instructions > max_instructions || values > max_slot_accesses || !is_outermost_or_in_barrier_loop())
    return std::nullopt;
  if (count_live_across_loop() > max_live_values) return std::nullopt;
  GroupStrideProfit profit = values ? (stride_.may_wrap ? profit_with_values_wrapping : profit_with_values)
                                    : (stride_.may_wrap ? profit_without_values_wrapping : profit_without_values);
  profit.min_elements_uncached = core_cache_bytes / uint64_t(widest);
  return profit;
}

}  // namespace

std::optional<GroupStrideProfit> estimate_group_stride_profit(const GroupStrideLoop &stride,
                                                              const DominatorTree &dominators) {
  return ProfitEstimate(stride, dominators).find();
}

}  // namespace quern
