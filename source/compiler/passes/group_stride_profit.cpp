/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * In each turn a group reads side by side what its work-items would have read at a stride, one after the other. For
 * that, what goes from turn to turn is stored and loaded again, and a vector that comes round soon waits for it. */
#include "compiler/passes/group_stride_profit.hpp"

#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {
namespace {

/* Per-item values that each turn loads. */
constexpr size_t most_values = 4;

constexpr size_t most_instructions = 64;

/* Bytes from one work-item's element to that of the next: what a cache line holds is then used soon. */
constexpr int64_t widest_element = 16;

constexpr unsigned deepest_address = 6, deepest_cheap = 8;

/* Values that all work-items keep over the loop: where it has barriers, they are stored before and loaded behind it,
 * whichever form runs. */
constexpr size_t most_live = 16;

/* About what a core's own caches hold. */
constexpr uint64_t far_bytes = 1 << 20;

/* Measured with 16 lanes: with values to keep, eight vectors of work-items lose little at worst, four lose up to a
 * quarter where the data lie in a cache, and are more than twice as fast where not. One or two only wait for what they
 * have stored. An index that may wrap makes vectors gather, which is slower still. */
constexpr GroupStrideProfit gain_with_values = {128, 64, 0}, gain_with_values_wrapping = {64, 64, 0},
                            gain_without_values = {32, 32, 0}, gain_without_values_wrapping = {16, 16, 0};

class ProfitEstimate {
 public:
  ProfitEstimate(const GroupStrideLoop &stride, const DominatorTree &dominators)
      : stride_(stride), dominators_(dominators) {}

  std::optional<GroupStrideProfit> find() const;

 private:
  bool is_cheap(const Value *value, unsigned depth = deepest_cheap) const;
  void collect_carried(SmallPtrSetImpl<const Value *> &values) const;
  void collect_kept(SmallPtrSetImpl<const Value *> &values) const;
  size_t count_live() const;
  std::optional<int64_t> bytes_of_sum(const Value *value, unsigned depth) const;
  std::optional<int64_t> bytes_of_address(const GEPOperator &address, unsigned depth) const;
  std::optional<int64_t> bytes_per_item(const Value *value, unsigned depth = deepest_address) const;
  int64_t element_size(const Instruction &instruction) const;
  bool is_met_around() const;

  const GroupStrideLoop &stride_;
  const DominatorTree &dominators_;
};

/* What is made again in each turn rather than kept. */
bool ProfitEstimate::is_cheap(const Value *value, unsigned depth) const {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || stride_.divergence->is_uniform(value) || work_item_call(value) != WorkItem::none) return true;
  if (!depth || !(isa<BinaryOperator>(value) || isa<CastInst>(value) || isa<GetElementPtrInst>(value))) return false;
  return all_of(instruction->operands(), [&](const Use &operand) { return is_cheap(operand, depth - 1); });
}

/* What goes from turn to turn, or out of the loop. */
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

/* Values from before the loop that each work-item would have to fetch in each turn. */
void ProfitEstimate::collect_kept(SmallPtrSetImpl<const Value *> &values) const {
  const Loop &loop = stride_.loop;
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      if (isa<PHINode>(instruction) && block == loop.getHeader()) continue;
      for (const Value *operand : instruction.operands()) {
        if (isa<Instruction>(operand) && loop.isLoopInvariant(operand) && !is_cheap(operand)) values.insert(operand);
      }
    }
  }
}

/* Values made before the guard, and used behind it outside of the loop. */
size_t ProfitEstimate::count_live() const {
  BasicBlock *guard = stride_.guard->getParent();
  auto is_behind = [&](const User *user) {
    const BasicBlock *block = cast<Instruction>(user)->getParent();
    return !stride_.loop.contains(block) && dominators_.properlyDominates(guard, block);
  };
  size_t live = 0;
  for (const DomTreeNode *node = dominators_.getNode(guard); node; node = node->getIDom()) {
    for (const Instruction &instruction : *node->getBlock()) {
      if (none_of(instruction.users(), is_behind) || is_cheap(&instruction)) continue;
      auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
      live += vector ? vector->getNumElements() : 1;
    }
  }
  return live;
}

std::optional<int64_t> ProfitEstimate::bytes_of_address(const GEPOperator &address, unsigned depth) const {
  auto sum = bytes_per_item(address.getPointerOperand(), depth - 1);
  SmallMapVector<Value *, APInt, 4> terms;
  APInt constant(64, 0);
  if (!sum || !address.collectOffset(stride_.latch->getDataLayout(), 64, terms, constant)) return std::nullopt;
  for (const auto &[term, size] : terms) {
    auto inner = bytes_per_item(term, depth - 1);
    if (!inner) return std::nullopt;
    *sum = int64_t(uint64_t(*sum) + uint64_t(*inner) * uint64_t(size.getSExtValue()));
  }
  return sum;
}

std::optional<int64_t> ProfitEstimate::bytes_of_sum(const Value *value, unsigned depth) const {
  const Value *a, *b;
  const bool is_difference = match(value, m_Sub(m_Value(a), m_Value(b)));
  if (!is_difference && !match(value, m_AddLike(m_Value(a), m_Value(b)))) return std::nullopt;
  auto first = bytes_per_item(a, depth - 1), second = bytes_per_item(b, depth - 1);
  if (!first || !second) return std::nullopt;
  const uint64_t other = uint64_t(*second);
  return int64_t(uint64_t(*first) + (is_difference ? -other : other));
}

/* How far apart neighbours are in an address, or an index. */
std::optional<int64_t> ProfitEstimate::bytes_per_item(const Value *value, unsigned depth) const {
  if (stride_.is_index(value)) return 1;
  if (stride_.loop.isLoopInvariant(value)) return 0;
  if (!depth) return std::nullopt;
  const Value *inner;
  uint64_t factor;
  auto product = [&](uint64_t by) -> std::optional<int64_t> {
    auto bytes = bytes_per_item(inner, depth - 1);
    return bytes ? std::optional<int64_t>(int64_t(uint64_t(*bytes) * by)) : std::nullopt;
  };
  if (match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner)))) return product(1);
  if (match(value, m_Mul(m_Value(inner), m_ConstantInt(factor)))) return product(factor);
  if (match(value, m_Shl(m_Value(inner), m_ConstantInt(factor))) && factor < 64) return product(uint64_t(1) << factor);
  auto *address = dyn_cast<GEPOperator>(value);
  if (address && address->getType()->isPointerTy()) return bytes_of_address(*address, depth);
  return bytes_of_sum(value, depth);
}

/* Bytes from one neighbour's element of a buffer to the next one's, or 0 when they do not lie side by side. */
int64_t ProfitEstimate::element_size(const Instruction &instruction) const {
  const Value *address = getLoadStorePointerOperand(&instruction);
  if (!address) return 0;
  const unsigned space = address->getType()->getPointerAddressSpace();
  if (space != global_space && space != constant_space) return 0;
  auto bytes = bytes_per_item(address);
  return bytes && *bytes > 0 && *bytes <= widest_element ? *bytes : 0;
}

/* Whether the loops around, if any, have the work-items meet anyway: each of their turns would else become several
 * regions, which costs much where this loop has few turns. */
bool ProfitEstimate::is_met_around() const {
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
    for (const Instruction &instruction : *block) widest = std::max(widest, element_size(instruction));
  }
  SmallPtrSet<const Value *, 8> carried, kept;
  collect_carried(carried);
  collect_kept(kept);
  const size_t values = carried.size() + kept.size();
  if (!widest || instructions > most_instructions || values > most_values || !is_met_around()) return std::nullopt;
  if (count_live() > most_live) return std::nullopt;
  GroupStrideProfit gain = values ? (stride_.may_wrap ? gain_with_values_wrapping : gain_with_values)
                                  : (stride_.may_wrap ? gain_without_values_wrapping : gain_without_values);
  gain.far_elements = far_bytes / uint64_t(widest);
  return gain;
}

}  // namespace

std::optional<GroupStrideProfit> estimate_group_stride_profit(const GroupStrideLoop &stride,
                                                              const DominatorTree &dominators) {
  return ProfitEstimate(stride, dominators).find();
}

}  // namespace quern
