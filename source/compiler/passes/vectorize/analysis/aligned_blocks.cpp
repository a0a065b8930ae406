/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Proofs by trailing zeros of the first lane's values, as KnownBits has them. */
#include "compiler/passes/vectorize/analysis/aligned_blocks.hpp"

#include <cassert>

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"

using namespace llvm;

namespace quern {

/* The most operations from a value to the id of a work-item. */
static constexpr unsigned max_depth = 8;

/* Known trailing zeros of the value of lane 0. */
static unsigned first_lane_zeros(const Value *value, const ShapeAnalysis &analysis, unsigned lanes, unsigned depth) {
  auto zeros = [&](const Value *operand) { return first_lane_zeros(operand, analysis, lanes, depth + 1); };
  if (value == analysis.counter()) return Log2_32(lanes);
  if (sub_group_call(value).kind == SubGroup::local_id) return value->getType()->getIntegerBitWidth();
  auto *parameter = dyn_cast<Argument>(value);
  if (parameter && analysis.is_uniform(value)) return analysis.trailing_zeros(parameter);
  if (analysis.is_uniform(value)) return computeKnownBits(value, analysis.data_layout()).countMinTrailingZeros();
  auto *operation = dyn_cast<Instruction>(value);
  if (!operation || depth == max_depth) return 0;
  if (isa<TruncInst, ZExtInst, SExtInst, FreezeInst>(operation)) return zeros(operation->getOperand(0));
  if (!isa<BinaryOperator>(operation)) return 0;
  const Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  switch (operation->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
    case Instruction::Xor: return std::min(zeros(left), zeros(right));
    case Instruction::And: return std::max(zeros(left), zeros(right));
    case Instruction::Mul: return zeros(left) + zeros(right);
    case Instruction::Shl: {
      auto *amount = dyn_cast<ConstantInt>(right);
      return zeros(left) + (amount ? unsigned(amount->getLimitedValue(64)) : 0);
    }
    default: return 0;
  }
}

/* Lane 0 is at the start of a block of 2^zeros. The smaller of this one and the block of 2^bits has to hold all
 * lanes. */
bool is_aligned_block(const Instruction &check, const ShapeAnalysis &analysis, unsigned lanes) {
  assert(isPowerOf2_32(lanes));
  if (!isa<BinaryOperator>(check) || needs_non_negative(check)) return false;
  const unsigned bits = known_mask_bits(check, analysis);
  const int64_t stride = checked_stride(check, analysis);
  if (!bits || stride < 0 || !isInt<32>(stride)) return false;
  const Value *index = check.getOperand(analysis.is_uniform(check.getOperand(0)) ? 1 : 0);
  const unsigned zeros = first_lane_zeros(index, analysis, lanes, /*depth=*/0);
  return isUIntN(std::min({bits, zeros, 32U}), uint64_t(stride) * (lanes - 1));
}

}  // namespace quern
