/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Data-flow analysis of strides. */
#include "compiler/passes/vectorize/analysis/strides.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/operands.hpp"

using namespace llvm;

namespace quern {

/* log2 of the smallest aligned block that has room for a vector. */
static constexpr unsigned min_block_bits = 4;

/* The fewest lanes of a vector. */
static constexpr uint64_t min_lanes = 4;

/* Integers of at least this many bits rarely wrap: a runtime check for the whole loop mostly succeeds. */
static constexpr unsigned min_extension_bits = 31;

static constexpr Shape varying = {Shape::varying, 0};

static Shape strided(int64_t stride) { return {Shape::strided, stride}; }

bool can_precompute(const Value *value) {
  return all_of_operands(value, [](const Value *operand) -> std::optional<bool> {
    if (isa<Constant>(operand) || isa<Argument>(operand)) return true;
    auto *instruction = dyn_cast<Instruction>(operand);
    if (!instruction || !instruction->getType()->isIntegerTy()) return false;
    if (!isa<BinaryOperator>(instruction) && !isa<CastInst>(instruction) && !isa<SelectInst>(instruction) &&
        !isa<ICmpInst>(instruction)) {
      return false;
    }
    if (!isSafeToSpeculativelyExecute(instruction)) return false;
    return std::nullopt;
  });
}

Instruction *copy_strided(const Instruction &instruction) {
  auto *disjoint = dyn_cast<PossiblyDisjointInst>(&instruction);
  if (disjoint && disjoint->isDisjoint()) {
    return BinaryOperator::CreateAdd(instruction.getOperand(0), instruction.getOperand(1));
  }
  if (isa<ZExtInst>(instruction) && instruction.hasNonNeg()) {
    return CastInst::Create(Instruction::SExt, instruction.getOperand(0), instruction.getType());
  }
  Instruction *copy = instruction.clone();
  copy->dropPoisonGeneratingAnnotations();
  return copy;
}

bool is_runtime_mask(const Instruction &check) {
  return check.getOpcode() == Instruction::And && !isa<ConstantInt>(check.getOperand(1));
}

static unsigned known_trailing_zeros(const Value *value) {
  return computeKnownBits(value, cast<Instruction>(value)->getDataLayout()).countMinTrailingZeros();
}

/* log2 of the positive power of two that the operation divides or shifts by, or whose low bits it clears; 0 for another
 * operation. InstCombine makes shifts and masks of unsigned divisions. */
static unsigned match_block_bits(const Instruction &operation) {
  auto *constant = operation.isBinaryOp() ? dyn_cast<ConstantInt>(operation.getOperand(1)) : nullptr;
  if (!constant) return 0;
  const APInt &value = constant->getValue();
  switch (operation.getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr: return value.ult(value.getBitWidth()) ? unsigned(value.getZExtValue()) : 0;
    case Instruction::SDiv:
    case Instruction::SRem: return value.isPowerOf2() && !value.isNegative() ? value.logBase2() : 0;
    case Instruction::And: return value.isZero() ? 0 : value.countr_zero();
    default: return 0;
  }
}

bool needs_non_negative(const Instruction &check) {
  return check.getOpcode() == Instruction::SDiv || check.getOpcode() == Instruction::SRem;
}

int64_t checked_stride(const Instruction &check, const ShapeAnalysis &analysis) {
  if (const Value *extended = match_scaled_sign_extension(&check)) return analysis.shape(extended).stride;
  if (!isa<BinaryOperator>(check)) return analysis.shape(&check).stride;
  return analysis.shape(check.getOperand(analysis.is_uniform(check.getOperand(0)) ? 1 : 0)).stride;
}

unsigned known_mask_bits(const Instruction &check, const ShapeAnalysis &analysis) {
  if (match_scaled_sign_extension(&check)) return 0;
  const unsigned bits = match_block_bits(check);
  auto *mask = check.getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(check.getOperand(1)) : nullptr;
  /* Bits that are the same in all lanes may be cleared. */
  const bool is_index = mask && (!bits || checked_stride(check, analysis) % (int64_t(1) << bits) == 0);
  if (is_index) return mask->getValue().getActiveBits();
  if (bits) return bits;
  if (check.getOpcode() != Instruction::Or) return 0;
  return known_trailing_zeros(check.getOperand(analysis.is_uniform(check.getOperand(0)) ? 0 : 1));
}

/* True when lanes may reach `block` from different predecessors because of a divergent branch. */
bool ShapeAnalysis::StrideSolver::is_divergent_join(const BasicBlock *block) const {
  const DomTreeNode *node = analysis_.dominators_.getNode(block);
  if (!node || !node->getIDom()) return false;
  const BasicBlock *dominator = node->getIDom()->getBlock();
  if (analysis_.has_divergent_branch(dominator)) return true;
  SmallPtrSet<const BasicBlock *, 16> seen = {dominator, block};
  SmallVector<const BasicBlock *, 16> stack(predecessors(block));
  while (!stack.empty()) {
    const BasicBlock *reached = stack.pop_back_val();
    if (!seen.insert(reached).second) continue;
    if (analysis_.has_divergent_branch(reached)) return true;
    stack.append(pred_begin(reached), pred_end(reached));
  }
  return false;
}

/* The only incoming value of `phi` that is not poison, or null. Phis of a divergent latch are like this: they carry a
 * value of the lanes that stay in the loop to the next iteration, and are poison on the exit edges. */
static Value *unique_non_poison_value(const PHINode &phi) {
  Value *unique = nullptr;
  for (Value *value : phi.incoming_values()) {
    if (isa<PoisonValue>(value)) continue;
    if (unique && unique != value) return nullptr;
    unique = value;
  }
  return phi.getNumIncomingValues() > 1 && isa_and_nonnull<Instruction>(unique) ? unique : nullptr;
}

/* All lanes enter a header from the same predecessor; for other blocks no divergent branch may lead to different
 * predecessors. A value from inside an inner loop is varying: lanes may take it from different iterations. */
Shape ShapeAnalysis::StrideSolver::transfer_phi(PHINode &phi) const {
  if (analysis_.live_outs_.contains(&phi) || analysis_.blended_phi(&phi)) return varying;
  const BasicBlock *block = phi.getParent();
  const Loop *loop = analysis_.loops_->getLoopFor(block);
  if (Value *unique = unique_non_poison_value(phi)) return analysis_.no_wrap_checks(unique) ? varying : shape(unique);
  bool is_header = loop && loop->getHeader() == block;
  if (!is_header && is_divergent_join(block)) return varying;
  std::optional<Shape> common;
  for (auto [value, from] : zip(phi.incoming_values(), phi.blocks())) {
    if (isa<UndefValue>(value)) continue;
    auto *source = dyn_cast<Instruction>(value);
    const Loop *source_loop = source ? analysis_.loops_->getLoopFor(source->getParent()) : nullptr;
    if (source_loop && !source_loop->contains(block)) return varying;
    Shape shape = this->shape(value);
    if (shape.kind != Shape::strided || (common && *common != shape) || analysis_.no_wrap_checks(value)) return varying;
    common = shape;
  }
  return common.value_or(varying);
}

Shape ShapeAnalysis::StrideSolver::transfer_address(GetElementPtrInst &address) const {
  if (address.getType()->isVectorTy()) return varying;
  Shape base = shape(address.getPointerOperand());
  if (base.kind == Shape::varying) return varying;
  int64_t stride = base.stride;
  const DataLayout &layout = address.getDataLayout();
  for (auto type = gep_type_begin(address); type != gep_type_end(address); ++type) {
    if (type.isStruct()) continue;
    Shape index = shape(type.getOperand());
    if (index.kind == Shape::uniform) continue;
    bool is_wide = type.getOperand()->getType()->getScalarSizeInBits() >= 64;
    if (index.kind == Shape::varying || !is_wide) return varying;
    stride += index.stride * int64_t(type.getSequentialElementStride(layout));
  }
  return strided(stride);
}

Value *match_scaled_sign_extension(const Value *value) {
  auto *ashr = dyn_cast<BinaryOperator>(value);
  if (!ashr || ashr->getOpcode() != Instruction::AShr) return nullptr;
  auto *shl = dyn_cast<BinaryOperator>(ashr->getOperand(0));
  auto *ashr_amount = dyn_cast<ConstantInt>(ashr->getOperand(1));
  if (!shl || !ashr_amount || shl->getOpcode() != Instruction::Shl) return nullptr;
  auto *shl_amount = dyn_cast<ConstantInt>(shl->getOperand(1));
  return shl_amount && ashr_amount->getValue().ule(shl_amount->getValue()) ? shl->getOperand(0) : nullptr;
}

/* A RuntimeCheck compares the first and the last work-item. That covers the work-items between them only if the operand
 * is strided over the whole loop, and not just within a vector, as an operand with NoWrapChecks is. */
bool ShapeAnalysis::StrideSolver::can_add_runtime_check(const BinaryOperator &operation, const Value &operand) const {
  return analysis_.can_check_at_runtime(&operation) && !analysis_.no_wrap_checks(&operand);
}

void ShapeAnalysis::StrideSolver::add_runtime_check(BinaryOperator &operation, bool is_signed, int64_t stride) {
  Proof proof;
  proof.runtime_checks.push_back({&operation, is_signed, stride});
  proofs_[{&operation, is_signed}] = proof;
}

/* A masked index: `index & mask` with a uniform mask. Each access tests whether a vector's lanes are in one aligned
 * block. */
Shape ShapeAnalysis::StrideSolver::transfer_runtime_mask(BinaryOperator &operation) {
  Shape left = shape(operation.getOperand(0)), right = shape(operation.getOperand(1));
  if (left.kind == Shape::uniform) std::swap(left, right);
  const bool is_allowed = analysis_.may_have_clamps_ && analysis_.may_have_masked_indices_;
  if (!is_allowed || left.kind != Shape::strided || right.kind != Shape::uniform || !isInt<32>(left.stride))
    return varying;
  analysis_.no_wrap_checks_[&operation].insert(&operation);
  return left;
}

/* `block | index` with a uniform block start, where the operands may have bits in common. It is tested for each vector,
 * as a test of the first and last work-item does not tell whether all others are in one aligned block. */
Shape ShapeAnalysis::StrideSolver::transfer_or(BinaryOperator &operation) {
  Value *index = operation.getOperand(0), *block = operation.getOperand(1);
  if (shape(index).kind == Shape::uniform) std::swap(index, block);
  const bool is_allowed = analysis_.may_have_clamps_ && isa<Instruction>(block);
  if (!is_allowed || shape(index).kind != Shape::strided || shape(block).kind != Shape::uniform) return varying;
  if (!isInt<32>(shape(index).stride) || known_trailing_zeros(block) < min_block_bits) return varying;
  analysis_.no_wrap_checks_[&operation].insert(&operation);
  return shape(index);
}

/* The aligned block of two to the power of `bits` that the operand is in, as its number or its start, has the stride 0;
 * the position in the block has the operand's stride. Each access tests whether a vector's lanes are in one block. */
Shape ShapeAnalysis::StrideSolver::transfer_block(BinaryOperator &operation, int64_t scale) {
  Shape index = shape(operation.getOperand(0));
  const unsigned bits = match_block_bits(operation);
  if (!bits || index.kind != Shape::strided || !isInt<32>(index.stride)) return varying;
  if (!isUIntN(bits, uint64_t(std::abs(index.stride)) * (min_lanes - 1))) return varying;
  analysis_.no_wrap_checks_[&operation].insert(&operation);
  return strided(index.stride * scale);
}

/* `and` with a constant. A wide mask is a zero extension of a truncation, perhaps scaled, as InstCombine writes it, and
 * rarely wraps. A narrower one is a masked index, which is meant to wrap. Low bits that the mask clears are the same in
 * all lanes where the stride is a multiple of their power of two; else the result is the start of an aligned block. */
Shape ShapeAnalysis::StrideSolver::transfer_mask(BinaryOperator &operation) {
  Shape left = shape(operation.getOperand(0));
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!constant) return transfer_runtime_mask(operation);
  if (left.kind != Shape::strided || !constant->getValue().isShiftedMask()) return varying;
  unsigned cleared_low_bits = constant->getValue().countr_zero();
  if (cleared_low_bits >= 24 || !isInt<32>(left.stride)) return varying;
  if (left.stride % (int64_t(1) << cleared_low_bits)) return transfer_block(operation, 0);
  const bool is_extension = constant->getValue().getActiveBits() >= min_extension_bits;
  if (is_extension && can_add_runtime_check(operation, *operation.getOperand(0))) {
    add_runtime_check(operation, false, left.stride);
    return left;
  }
  if (is_extension && cleared_low_bits) return varying;
  analysis_.no_wrap_checks_[&operation].insert(&operation);
  return left;
}

Shape ShapeAnalysis::StrideSolver::transfer_sign_extension(BinaryOperator &operation) {
  Value *source = match_scaled_sign_extension(&operation);
  Shape from = source ? shape(source) : varying;
  if (from.kind != Shape::strided) return varying;
  auto *shift = cast<BinaryOperator>(operation.getOperand(0));
  const uint64_t truncated = cast<ConstantInt>(shift->getOperand(1))->getZExtValue();
  const uint64_t scale = truncated - cast<ConstantInt>(operation.getOperand(1))->getZExtValue();
  if (scale >= 24) return varying;
  Shape shape = {Shape::strided, from.stride * (int64_t(1) << scale)};
  if (can_add_runtime_check(operation, *source)) {
    add_runtime_check(operation, true, shape.stride);
    return shape;
  }
  /* The checks of the source come by the inner shift. */
  const bool is_wide = operation.getType()->getIntegerBitWidth() - truncated >= min_extension_bits;
  if (!is_wide || !isInt<32>(from.stride) || this->shape(shift).kind != Shape::strided) return varying;
  analysis_.no_wrap_checks_[&operation].insert(&operation);
  return shape;
}

Shape ShapeAnalysis::StrideSolver::transfer_binary(BinaryOperator &operation) {
  Shape left = shape(operation.getOperand(0)), right = shape(operation.getOperand(1));
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  bool is_small = constant && constant->getValue().getSignificantBits() <= 32;
  switch (operation.getOpcode()) {
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(operation).isDisjoint()) return transfer_or(operation);
      [[fallthrough]];
    case Instruction::Add:
      if (left.kind == Shape::varying || right.kind == Shape::varying) return varying;
      return strided(left.stride + right.stride);
    case Instruction::Sub:
      if (left.kind == Shape::varying || right.kind == Shape::varying) return varying;
      return strided(left.stride - right.stride);
    case Instruction::Mul:
      return left.kind == Shape::strided && is_small ? strided(left.stride * constant->getSExtValue()) : varying;
    case Instruction::Shl:
      return left.kind == Shape::strided && is_small && constant->getZExtValue() <= 32 && isInt<31>(left.stride)
                 ? strided(left.stride * (int64_t(1) << constant->getZExtValue()))
                 : varying;
    case Instruction::And: return transfer_mask(operation);
    case Instruction::AShr: {
      Shape extended = transfer_sign_extension(operation);
      return extended.kind == Shape::strided ? extended : transfer_block(operation, 0);
    }
    case Instruction::LShr:
    case Instruction::SDiv: return transfer_block(operation, 0);
    case Instruction::SRem: return transfer_block(operation, 1);
    default: return varying;
  }
}

bool ShapeAnalysis::StrideSolver::operands_never_wrap(BinaryOperator &operation, bool is_signed, Proof &proof) const {
  bool has_no_wrap = false;
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl: has_no_wrap = is_signed ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap(); break;
    case Instruction::Or: has_no_wrap = cast<PossiblyDisjointInst>(operation).isDisjoint(); break;
    default: break;
  }
  /* A negative factor makes the stride negative. With the factor read as unsigned, as `nuw` does, the product would
   * grow instead. */
  auto *factor = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (operation.getOpcode() == Instruction::Mul && !is_signed && factor && factor->isNegative()) return false;
  if (!has_no_wrap) return false;
  return never_wraps(operation.getOperand(0), is_signed, proof) &&
         never_wraps(operation.getOperand(1), is_signed, proof);
}

/* Whether the test of a NoWrapCheck excludes that the value wraps between lanes, however it is extended: all lanes are
 * in one aligned block that does not hold both negative values and others. */
bool ShapeAnalysis::StrideSolver::stays_in_block(const Instruction &check) const {
  if (!isa<BinaryOperator>(check)) return false;
  const unsigned bits = known_mask_bits(check, analysis_);
  return bits && bits < check.getType()->getIntegerBitWidth();
}

/* Whether `value` does not wrap between active lanes when it is extended. No-wrap flags are sound for active lanes; the
 * value of an inactive lane is not used. Lane 0 may be inactive, so its extended value is computed from extended
 * operands (Widener::extend). The operands of a phi are not available there: an extended phi is tested unless lane 0 is
 * active. A cyclic recurrence through phis is proved by induction: each iteration adds only proved operations. What is
 * made from a value in an aligned block has that value's test at each access anyway. */
bool ShapeAnalysis::StrideSolver::never_wraps(Value *value, bool is_signed, Proof &proof) const {
  Shape shape = this->shape(value);
  if (shape.kind == Shape::uniform || !proof.assumed.insert(value).second) return true;
  if (shape.kind == Shape::varying) return false;
  const NoWrapChecks *checks = analysis_.no_wrap_checks(value);
  if (checks && !proof.needs_lane_zero) return false;
  if (checks && checks->contains(cast<Instruction>(value))) return stays_in_block(*cast<Instruction>(value));
  if (sub_group_call(value).kind == SubGroup::local_id) return true;
  auto *operation = dyn_cast<BinaryOperator>(value);
  /* Checks of the operands come first: all indices that are made of an id share them. What was assumed of them does not
   * hold where they prove nothing. */
  if (operation) {
    const Proof before = proof;
    if (operands_never_wrap(*operation, is_signed, proof)) return true;
    proof = before;
  }
  if (!checks && analysis_.can_check_at_runtime(value)) {
    proof.runtime_checks.push_back({value, is_signed, shape.stride});
    return true;
  }
  if (operation) return false;
  if (auto *phi = dyn_cast<PHINode>(value)) {
    auto proves = [&](Value *incoming) { return never_wraps(incoming, is_signed, proof); };
    return proof.needs_lane_zero && all_of(phi->incoming_values(), proves);
  }
  /* An extension is strided only because its operand does not wrap. A sign extension may still step from -1 to 0, which
   * wraps as an unsigned value. */
  return isa<ZExtInst>(value) || (isa<SExtInst>(value) && is_signed);
}

Shape ShapeAnalysis::StrideSolver::transfer_extension(Instruction &extension, Value *operand, bool is_signed) {
  Shape shape = this->shape(operand);
  if (shape.kind != Shape::strided) return varying;
  auto *clamp = dyn_cast<MinMaxIntrinsic>(operand);
  if (clamp && clamp->isSigned() == is_signed) return shape; /* the test of the clamp excludes wrapping too */
  Proof proof;
  if (never_wraps(operand, is_signed, proof)) {
    proofs_[{operand, is_signed}] = std::move(proof);
  } else {
    analysis_.no_wrap_checks_[&extension].insert(&extension);
    Proof with_lane_zero;
    with_lane_zero.needs_lane_zero = true;
    if (never_wraps(operand, is_signed, with_lane_zero)) {
      proofs_[{operand, is_signed}] = std::move(with_lane_zero);
      analysis_.no_wrap_by_flags_.insert(&extension);
    }
  }
  return shape;
}

/* An index clamped to the bounds of an image or array is mostly within them. Each access tests whether a vector's lanes
 * are. */
Shape ShapeAnalysis::StrideSolver::transfer_clamp(MinMaxIntrinsic &clamp) {
  if (!analysis_.may_have_clamps_) return varying;
  Shape left = shape(clamp.getLHS()), right = shape(clamp.getRHS());
  if (!clamp.getType()->isIntegerTy() || clamp.getType()->getIntegerBitWidth() > 32) return varying;
  if (left.kind != Shape::strided || right.kind != Shape::uniform) std::swap(left, right);
  if (left.kind != Shape::strided || right.kind != Shape::uniform || !isInt<32>(left.stride)) return varying;
  analysis_.no_wrap_checks_[&clamp].insert(&clamp);
  return left;
}

/* A strided value depends on the checks of all its operands. */
void ShapeAnalysis::StrideSolver::propagate_no_wrap_checks(const Instruction &instruction) {
  NoWrapChecks all;
  for (const Value *operand : instruction.operands()) {
    if (const NoWrapChecks *checks = analysis_.no_wrap_checks(operand)) all.insert(checks->begin(), checks->end());
  }
  if (!all.empty()) analysis_.no_wrap_checks_[&instruction].insert(all.begin(), all.end());
}

Shape ShapeAnalysis::StrideSolver::transfer(Instruction &instruction) {
  if (instruction.getType()->isVectorTy()) return varying;
  /* Strides have 64 bits, as addresses have: they cannot describe wider values. */
  if (instruction.getType()->getScalarSizeInBits() > 64) return varying;
  if (sub_group_call(&instruction).kind == SubGroup::local_id) return strided(1);
  if (auto *phi = dyn_cast<PHINode>(&instruction)) return transfer_phi(*phi);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) return transfer_address(*address);
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) return transfer_binary(*operation);
  if (auto *clamp = dyn_cast<MinMaxIntrinsic>(&instruction)) return transfer_clamp(*clamp);
  switch (instruction.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::Freeze:
    case Instruction::AddrSpaceCast:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr: {
      bool keeps_width = instruction.getOpcode() == Instruction::Trunc ||
                         instruction.getOperand(0)->getType()->isPointerTy() == instruction.getType()->isPointerTy() ||
                         instruction.getOperand(0)->getType()->getScalarSizeInBits() == 64 ||
                         instruction.getType()->getScalarSizeInBits() == 64;
      Shape shape = this->shape(instruction.getOperand(0));
      return shape.kind == Shape::strided && keeps_width && !instruction.getType()->isIntegerTy(1) ? shape : varying;
    }
    case Instruction::SExt: return transfer_extension(instruction, instruction.getOperand(0), true);
    case Instruction::ZExt: return transfer_extension(instruction, instruction.getOperand(0), instruction.hasNonNeg());
    case Instruction::Select: {
      Shape first = shape(instruction.getOperand(1)), second = shape(instruction.getOperand(2));
      bool has_uniform_condition = shape(instruction.getOperand(0)).kind == Shape::uniform;
      bool may_wrap =
          analysis_.no_wrap_checks(instruction.getOperand(1)) || analysis_.no_wrap_checks(instruction.getOperand(2));
      return has_uniform_condition && first.kind == Shape::strided && first == second && !may_wrap ? first : varying;
    }
    default: return varying;
  }
}

void ShapeAnalysis::StrideSolver::solve() {
  /* Optimistic start: each divergent header phi has the shape of its value from the preheader. Phis for which that is
   * disproved are varying in the next round. */
  DenseMap<const Value *, Shape> &shapes = analysis_.shapes_;
  bool changed = true;
  DenseSet<const PHINode *> disproved;
  while (changed) {
    changed = false;
    proofs_.clear();
    shapes.clear();
    analysis_.no_wrap_checks_.clear();
    analysis_.no_wrap_by_flags_.clear();
    SmallVector<PHINode *, 8> optimistic;
    for (BasicBlock *block : analysis_.order_) {
      for (Instruction &instruction : *block) {
        if (!analysis_.uniformity_->isDivergent(&instruction)) continue;
        auto *phi = dyn_cast<PHINode>(&instruction);
        Loop *loop = phi ? analysis_.loops_->getLoopFor(block) : nullptr;
        if (phi && loop && loop->getHeader() == block && !disproved.contains(phi)) {
          Shape start = shape(phi->getIncomingValueForBlock(loop->getLoopPreheader()));
          shapes[phi] = start.kind == Shape::strided ? start : varying;
          if (start.kind == Shape::strided) optimistic.push_back(phi);
          continue;
        }
        Shape shape = phi && disproved.contains(phi) ? varying : transfer(instruction);
        shapes[&instruction] = shape;
        if (shape.kind == Shape::strided) propagate_no_wrap_checks(instruction);
      }
    }
    for (PHINode *phi : optimistic) {
      if (transfer_phi(*phi) == shapes[phi]) continue;
      disproved.insert(phi);
      changed = true;
    }
  }
  for (auto &[key, proof] : proofs_) {
    for (const RuntimeCheck &runtime_check : proof.runtime_checks) {
      bool is_known = any_of(analysis_.runtime_checks_, [&](const RuntimeCheck &other) {
        return other.value == runtime_check.value && other.is_signed == runtime_check.is_signed;
      });
      if (!is_known) analysis_.runtime_checks_.push_back(runtime_check);
    }
  }
}

}  // namespace quern
