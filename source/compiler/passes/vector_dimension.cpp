/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Compares what accesses would cost if the work-items of each dimension were lanes. */
#include "compiler/passes/vector_dimension.hpp"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

namespace {

/* The cost of an access whose lanes have one address or are contiguous, have gaps of a few elements, and have any. A
 * scattered vector writes as many cache lines as it has lanes, each of which is read first: of a transposition, the
 * loads are gathered rather than the stores scattered. */
constexpr unsigned contiguous_cost = 1, near_cost = 2, far_load_cost = 6, far_store_cost = 14;
/* The largest number of elements from lane to lane that counts as a few. */
constexpr int64_t max_near_elements = 4;
/* The assumed trip count of a loop, and the depth of the innermost loops that count as such. */
constexpr unsigned trip_count = 8, max_loop_depth = 3;
/* Lanes along another dimension than 0 must cost so many times less. */
constexpr uint64_t min_gain = 2;
/* Most operations between an address and an id. */
constexpr unsigned max_depth = 24;
constexpr unsigned dimensions = 3;

/* The constant by which a value grows from work-item to work-item along one dimension. Casts of integers are taken not
 * to wrap. Empty when the value depends on the id and is not affine. */
class DimensionStride {
 public:
  using Stride = std::optional<int64_t>;

  DimensionStride(int dimension, const DominatorTree &dominators) : dimension_(dimension), dominators_(dominators) {}

  Stride of(const Value *value, unsigned depth = 0);

 private:
  Stride compute(const Instruction &value, unsigned depth);
  Stride of_call(const CallBase &call, unsigned depth);
  Stride of_phi(const PHINode &phi, unsigned depth);
  Stride of_address(const GetElementPtrInst &address, unsigned depth);
  Stride of_operation(const BinaryOperator &operation, unsigned depth);
  Stride independent(const Instruction &value, unsigned depth);

  const int dimension_;
  const DominatorTree &dominators_;
  DenseMap<const Value *, Stride> known_;
};

DimensionStride::Stride DimensionStride::of(const Value *value, unsigned depth) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction) return 0;
  auto found = known_.find(value);
  if (found != known_.end()) return found->second;
  if (depth == max_depth) return std::nullopt;
  const Stride stride = compute(*instruction, depth + 1);
  known_[value] = stride;
  return stride;
}

/* 0 where no operand depends on the id. */
DimensionStride::Stride DimensionStride::independent(const Instruction &value, unsigned depth) {
  return all_of(value.operands(), [&](const Use &operand) { return of(operand, depth) == 0; }) ? Stride(0)
                                                                                               : std::nullopt;
}

/* The bound of a minimum or maximum is rarely reached. */
DimensionStride::Stride DimensionStride::of_call(const CallBase &call, unsigned depth) {
  const WorkItem which = work_item_call(&call);
  if (which == WorkItem::global_id || which == WorkItem::local_id) return constant_dimension(call) == dimension_;
  if (which != WorkItem::none) return 0;
  if (!isa<MinMaxIntrinsic>(call)) return independent(call, depth);
  const Stride left = of(call.getArgOperand(0), depth), right = of(call.getArgOperand(1), depth);
  return left == 0 ? right : right == 0 || left == right ? left : std::nullopt;
}

/* A recurrence is taken to keep the stride that it begins with, which is checked. */
DimensionStride::Stride DimensionStride::of_phi(const PHINode &phi, unsigned depth) {
  std::optional<Stride> common;
  for (bool is_back_edge : {false, true}) {
    for (auto [value, from] : zip(phi.incoming_values(), phi.blocks())) {
      if (dominators_.dominates(phi.getParent(), from) != is_back_edge || isa<UndefValue>(value)) continue;
      const Stride stride = of(value, depth);
      if (!stride || (common && *common != stride)) return std::nullopt;
      common = stride;
    }
    known_[&phi] = common.value_or(0);
  }
  return common.value_or(0);
}

DimensionStride::Stride DimensionStride::of_address(const GetElementPtrInst &address, unsigned depth) {
  Stride sum = of(address.getPointerOperand(), depth);
  const DataLayout &layout = address.getDataLayout();
  for (auto index = gep_type_begin(address); sum && index != gep_type_end(address); ++index) {
    if (index.isStruct()) continue;
    const Stride stride = of(index.getOperand(), depth);
    if (!stride) return std::nullopt;
    *sum = int64_t(uint64_t(*sum) + uint64_t(*stride) * index.getSequentialElementStride(layout));
  }
  return sum;
}

/* `(value << 32) >> 28` is what InstCombine makes of a product with 16 of the sign-extended lower half. */
DimensionStride::Stride DimensionStride::of_operation(const BinaryOperator &operation, unsigned depth) {
  Value *value;
  uint64_t up, down;
  if (match(&operation, m_Shr(m_Shl(m_Value(value), m_ConstantInt(up)), m_ConstantInt(down))) && up < 64 &&
      down <= up) {
    const Stride stride = of(value, depth);
    return stride ? Stride(int64_t(uint64_t(*stride) << (up - down))) : std::nullopt;
  }
  const Stride left = of(operation.getOperand(0), depth), right = of(operation.getOperand(1), depth);
  if (!left || !right) return std::nullopt;
  if (*left == 0 && *right == 0) return 0;
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  const bool is_small = constant && constant->getValue().getSignificantBits() <= 32;
  switch (operation.getOpcode()) {
    case Instruction::Or:
    case Instruction::Add: return int64_t(uint64_t(*left) + uint64_t(*right));
    case Instruction::Sub: return int64_t(uint64_t(*left) - uint64_t(*right));
    case Instruction::Mul:
      return is_small ? Stride(int64_t(uint64_t(*left) * uint64_t(constant->getSExtValue()))) : std::nullopt;
    case Instruction::Shl:
      return is_small && constant->getZExtValue() < 32 ? Stride(int64_t(uint64_t(*left) << constant->getZExtValue()))
                                                       : std::nullopt;
    default: return std::nullopt;
  }
}

DimensionStride::Stride DimensionStride::compute(const Instruction &value, unsigned depth) {
  if (auto *call = dyn_cast<CallBase>(&value)) return of_call(*call, depth);
  if (auto *phi = dyn_cast<PHINode>(&value)) return of_phi(*phi, depth);
  if (auto *address = dyn_cast<GetElementPtrInst>(&value)) return of_address(*address, depth);
  if (auto *operation = dyn_cast<BinaryOperator>(&value)) return of_operation(*operation, depth);
  if (isa<CastInst, FreezeInst>(value)) return of(value.getOperand(0), depth);
  if (auto *select = dyn_cast<SelectInst>(&value)) {
    const Stride first = of(select->getTrueValue(), depth), second = of(select->getFalseValue(), depth);
    return first == second ? first : std::nullopt;
  }
  return independent(value, depth);
}

unsigned access_cost(DimensionStride::Stride stride, int64_t size, bool is_store) {
  if (stride == 0 || stride == size) return contiguous_cost;
  if (stride && *stride > 0 && *stride <= size * max_near_elements) return near_cost;
  return is_store ? far_store_cost : far_load_cost;
}

/* True for memory that work-items share. */
bool is_shared(const Value *address) { return !isa<AllocaInst>(getUnderlyingObject(address)); }

/* What the accesses of a kernel cost, by the dimension whose work-items are lanes. Inner loops count more. */
struct AccessCosts {
  explicit AccessCosts(Function &kernel);

  /** Whether lanes along `dimension` are much better than lanes along dimension 0. */
  bool is_better(unsigned dimension) const {
    return has_contiguous[dimension] && cost[dimension] * min_gain <= cost[0];
  }

  uint64_t cost[dimensions] = {};
  bool has_contiguous[dimensions] = {};
};

AccessCosts::AccessCosts(Function &kernel) {
  const DominatorTree dominators(kernel);
  const LoopInfo loops(dominators);
  DimensionStride strides[dimensions] = {{0, dominators}, {1, dominators}, {2, dominators}};
  for (const Instruction &instruction : instructions(kernel)) {
    const Value *address = getLoadStorePointerOperand(&instruction);
    if (!address || !is_shared(address)) continue;
    Type *type = getLoadStoreType(const_cast<Instruction *>(&instruction));
    const auto size = int64_t(instruction.getDataLayout().getTypeAllocSize(type));
    uint64_t weight = 1;
    const unsigned depth = std::min(loops.getLoopDepth(instruction.getParent()), max_loop_depth);
    for (unsigned i = 0; i < depth; i++) weight *= trip_count;
    for (unsigned d = 0; d < dimensions; d++) {
      const DimensionStride::Stride stride = strides[d].of(address);
      has_contiguous[d] |= stride == size;
      cost[d] += weight * access_cost(stride, size, isa<StoreInst>(instruction));
    }
  }
}

/* An id whose dimension is not constant may be the one in any. */
bool may_read_id(const Function &kernel, int dimension) {
  return reads_id(kernel, [&](int read) { return read == dimension || read < 0; });
}

}  // namespace

VectorDimension choose_vector_dimension(Function &kernel, const uint32_t *reqd_local_size, bool ignores_groups) {
  const bool is_known = reqd_local_size[0];
  SmallVector<unsigned, 2> candidates;
  for (unsigned d : {1U, 2U}) {
    if (may_read_id(kernel, int(d)) && !(is_known && reqd_local_size[d] < min_lanes)) candidates.push_back(d);
  }
  if (candidates.empty()) return {};
  const AccessCosts costs(kernel);
  const unsigned best = *min_element(candidates, [&](unsigned a, unsigned b) { return costs.cost[a] < costs.cost[b]; });
  const bool is_single = is_known && reqd_local_size[0] == 1 && !ignores_groups;
  if (is_single || !may_read_id(kernel, 0)) return {best, false};
  return costs.is_better(best) ? VectorDimension{best, !is_known} : VectorDimension{};
}

}  // namespace quern
