/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Strides by data flow. */
#include "compiler/passes/vectorize/analysis/strides.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/operands.hpp"

using namespace llvm;

namespace quern {

/* Shorter blocks have no room for vectors. */
static constexpr unsigned fewest_block_bits = 4;

/* Numbers of so many bits mostly do not wrap. */
static constexpr unsigned fewest_extended_bits = 31;

static constexpr Shape varying = {Shape::varying, 0};

static Shape strided(int64_t stride) { return stride ? Shape{Shape::strided, stride} : varying; }

bool can_precompute(const Value *value) {
  return holds_of_all(value, [](const Value *part) -> std::optional<bool> {
    if (isa<Constant>(part) || isa<Argument>(part)) return true;
    auto *instruction = dyn_cast<Instruction>(part);
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

static unsigned zeros_below(const Value *above) {
  return computeKnownBits(above, cast<Instruction>(above)->getDataLayout()).countMinTrailingZeros();
}

unsigned mask_bits(const Instruction &check, const ShapeAnalysis &analysis) {
  auto *mask = check.getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(check.getOperand(1)) : nullptr;
  if (mask) return mask->getValue().countr_one();
  if (check.getOpcode() != Instruction::Or) return 0;
  return zeros_below(check.getOperand(analysis.is_uniform(check.getOperand(0)) ? 0 : 1));
}

/* True when lanes may come to `block` from different sides. */
bool ShapeAnalysis::StrideSolver::is_join(const BasicBlock *block) const {
  const DomTreeNode *node = analysis_.dominators_.getNode(block);
  if (!node || !node->getIDom()) return false;
  const BasicBlock *top = node->getIDom()->getBlock();
  if (analysis_.has_divergent_branch(top)) return true;
  SmallPtrSet<const BasicBlock *, 16> seen = {top, block};
  SmallVector<const BasicBlock *, 16> stack(predecessors(block));
  while (!stack.empty()) {
    const BasicBlock *reached = stack.pop_back_val();
    if (!seen.insert(reached).second) continue;
    if (analysis_.has_divergent_branch(reached)) return true;
    stack.append(pred_begin(reached), pred_end(reached));
  }
  return false;
}

/* The one value that comes into `phi` from within its loop, whatever else is poison: what lanes that go on carry to the
 * next turn. */
static Value *only_value(const PHINode &phi) {
  Value *only = nullptr;
  for (Value *value : phi.incoming_values()) {
    if (isa<PoisonValue>(value)) continue;
    if (only && only != value) return nullptr;
    only = value;
  }
  return phi.getNumIncomingValues() > 1 && isa_and_nonnull<Instruction>(only) ? only : nullptr;
}

/* A header's phi takes its value for all lanes from one side; elsewhere the sides must not part. Values from a loop
 * that lanes leave at different turns come from different turns. */
Shape ShapeAnalysis::StrideSolver::transfer_phi(PHINode &phi) const {
  if (analysis_.live_outs_.contains(&phi) || analysis_.blended_phi(&phi)) return varying;
  const BasicBlock *block = phi.getParent();
  const Loop *loop = analysis_.loops_->getLoopFor(block);
  if (Value *only = only_value(phi)) return analysis_.no_wrap_checks(only) ? varying : shape(only);
  bool is_header = loop && loop->getHeader() == block;
  if (!is_header && is_join(block)) return varying;
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
  for (auto part = gep_type_begin(address); part != gep_type_end(address); ++part) {
    if (part.isStruct()) continue;
    Shape index = shape(part.getOperand());
    if (index.kind == Shape::uniform) continue;
    bool is_wide = part.getOperand()->getType()->getScalarSizeInBits() >= 64;
    if (index.kind == Shape::varying || !is_wide) return varying;
    stride += index.stride * int64_t(part.getSequentialElementStride(layout));
  }
  return strided(stride);
}

Value *sign_extended_part(const Value *value) {
  auto *right = dyn_cast<BinaryOperator>(value);
  if (!right || right->getOpcode() != Instruction::AShr) return nullptr;
  auto *left = dyn_cast<BinaryOperator>(right->getOperand(0));
  auto *by = dyn_cast<ConstantInt>(right->getOperand(1));
  if (!left || !by || left->getOpcode() != Instruction::Shl) return nullptr;
  auto *first_by = dyn_cast<ConstantInt>(left->getOperand(1));
  return first_by && by->getValue().ule(first_by->getValue()) ? left->getOperand(0) : nullptr;
}

/* What the ends of a row say holds between them only where the operand grows all the way: not only within a vector. */
bool ShapeAnalysis::StrideSolver::may_require(const BinaryOperator &operation, const Value &operand) const {
  return analysis_.can_test(&operation) && !analysis_.no_wrap_checks(&operand);
}

void ShapeAnalysis::StrideSolver::require(BinaryOperator &operation, bool is_signed, int64_t stride) {
  Proof proof;
  proof.runtime_checks.push_back({&operation, is_signed, stride});
  proofs_[{&operation, is_signed}] = proof;
}

/* A place within blocks whose length is a power of two, known at run time: whether a vector's lanes are within one
 * block is tested where they are used. */
Shape ShapeAnalysis::StrideSolver::transfer_runtime_mask(BinaryOperator &operation) {
  Shape left = shape(operation.getOperand(0)), right = shape(operation.getOperand(1));
  if (left.kind == Shape::uniform) std::swap(left, right);
  const bool may = analysis_.may_have_clamps_ && analysis_.may_have_blocks_;
  if (!may || left.kind != Shape::strided || right.kind != Shape::uniform || !isInt<32>(left.stride)) return varying;
  analysis_.no_wrap_checks_[&operation].insert(&operation);
  return left;
}

/* The number of a block above a place in it, when it is not known that they have no bits in common: tested for each
 * vector, as the ends of a row do not tell whether all of it is in one block. */
Shape ShapeAnalysis::StrideSolver::transfer_or(BinaryOperator &operation) {
  Value *moving = operation.getOperand(0), *above = operation.getOperand(1);
  if (shape(moving).kind == Shape::uniform) std::swap(moving, above);
  const bool may = analysis_.may_have_clamps_ && isa<Instruction>(above);
  if (!may || shape(moving).kind != Shape::strided || shape(above).kind != Shape::uniform) return varying;
  if (!isInt<32>(shape(moving).stride) || zeros_below(above) < fewest_block_bits) return varying;
  analysis_.no_wrap_checks_[&operation].insert(&operation);
  return shape(moving);
}

/* The zero extension of a truncation, perhaps scaled, as LLVM likes to write it, which mostly does not wrap; what has
 * fewer bits is to. Low bits that the mask takes away are the same in all lanes. */
Shape ShapeAnalysis::StrideSolver::transfer_mask(BinaryOperator &operation) {
  Shape left = shape(operation.getOperand(0));
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!constant) return transfer_runtime_mask(operation);
  if (left.kind != Shape::strided || !constant->getValue().isShiftedMask()) return varying;
  unsigned low = constant->getValue().countr_zero();
  if (low >= 24 || left.stride % (int64_t(1) << low) || !isInt<32>(left.stride)) return varying;
  const bool is_extension = constant->getValue().getActiveBits() >= fewest_extended_bits;
  if (low == 0 && (!is_extension || !may_require(operation, *operation.getOperand(0)))) {
    analysis_.no_wrap_checks_[&operation].insert(&operation);
  } else if (may_require(operation, *operation.getOperand(0))) {
    require(operation, false, left.stride);
  } else {
    return varying;
  }
  return left;
}

Shape ShapeAnalysis::StrideSolver::transfer_sign_extension(BinaryOperator &operation) {
  Value *part = sign_extended_part(&operation);
  Shape from = part ? shape(part) : varying;
  if (from.kind != Shape::strided || !may_require(operation, *part)) return varying;
  auto *shift = cast<BinaryOperator>(operation.getOperand(0));
  uint64_t scale = cast<ConstantInt>(shift->getOperand(1))->getZExtValue() -
                   cast<ConstantInt>(operation.getOperand(1))->getZExtValue();
  if (scale >= 24) return varying;
  Shape shape = {Shape::strided, from.stride * (int64_t(1) << scale)};
  require(operation, true, shape.stride);
  return shape;
}

Shape ShapeAnalysis::StrideSolver::transfer_binary(BinaryOperator &operation) {
  Shape left = shape(operation.getOperand(0)), right = shape(operation.getOperand(1));
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  bool small = constant && constant->getValue().getSignificantBits() <= 32;
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
      return left.kind == Shape::strided && small ? strided(left.stride * constant->getSExtValue()) : varying;
    case Instruction::Shl:
      return left.kind == Shape::strided && small && constant->getZExtValue() <= 32 && isInt<31>(left.stride)
                 ? strided(left.stride * (int64_t(1) << constant->getZExtValue()))
                 : varying;
    case Instruction::And: return transfer_mask(operation);
    case Instruction::AShr: return transfer_sign_extension(operation);
    default: return varying;
  }
}

bool ShapeAnalysis::StrideSolver::operands_never_wrap(BinaryOperator &operation, bool is_signed, Proof &proof) const {
  bool keeps = false;
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl: keeps = is_signed ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap(); break;
    case Instruction::Or: keeps = cast<PossiblyDisjointInst>(operation).isDisjoint(); break;
    default: break;
  }
  /* By a negative factor the stride shrinks, but not what a factor read as unsigned makes of it. */
  auto *factor = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (operation.getOpcode() == Instruction::Mul && !is_signed && factor && factor->isNegative()) return false;
  if (!keeps) return false;
  return never_wraps(operation.getOperand(0), is_signed, proof) &&
         never_wraps(operation.getOperand(1), is_signed, proof);
}

/* Sound for lanes that run: where a flag is wrong for a lane that does not, its value is not used. Lane 0 may be such a
 * one, so its extended value is made from extended operands (Widener::extend). What a phi was made from is not at hand
 * there, so a phi is tested instead unless lane 0 runs; circles through phis prove themselves: each turn adds only what
 * is proved. */
bool ShapeAnalysis::StrideSolver::never_wraps(Value *value, bool is_signed, Proof &proof) const {
  Shape shape = this->shape(value);
  if (shape.kind == Shape::uniform || !proof.assumed.insert(value).second) return true;
  if (shape.kind == Shape::varying || analysis_.no_wrap_checks(value)) return false;
  if (sub_group_call(value).kind == SubGroup::local_id) return true;
  if (analysis_.can_test(value)) {
    proof.runtime_checks.push_back({value, is_signed, shape.stride});
    return true;
  }
  if (auto *operation = dyn_cast<BinaryOperator>(value)) return operands_never_wrap(*operation, is_signed, proof);
  if (auto *phi = dyn_cast<PHINode>(value)) {
    auto proves = [&](Value *incoming) { return never_wraps(incoming, is_signed, proof); };
    return proof.through_phis && all_of(phi->incoming_values(), proves);
  }
  /* Strided only because its operand does not wrap; but what is extended by sign may still pass from -1 to 0. */
  return isa<ZExtInst>(value) || (isa<SExtInst>(value) && is_signed);
}

Shape ShapeAnalysis::StrideSolver::extend(Instruction &extension, Value *operand, bool is_signed) {
  Shape shape = this->shape(operand);
  if (shape.kind != Shape::strided) return varying;
  auto *limit = dyn_cast<MinMaxIntrinsic>(operand);
  if (limit && limit->isSigned() == is_signed) return shape; /* the test of the limit says so too */
  Proof proof;
  if (never_wraps(operand, is_signed, proof)) {
    proofs_[{operand, is_signed}] = std::move(proof);
  } else {
    analysis_.no_wrap_checks_[&extension].insert(&extension);
    Proof weaker;
    weaker.through_phis = true;
    if (never_wraps(operand, is_signed, weaker)) {
      proofs_[{operand, is_signed}] = std::move(weaker);
      analysis_.kept_by_flags_.insert(&extension);
    }
  }
  return shape;
}

/* An index that is kept within bounds, of an image or an array, mostly is anyway: whether a vector's are is tested
 * where they are used. */
Shape ShapeAnalysis::StrideSolver::transfer_clamp(MinMaxIntrinsic &limit) {
  if (!analysis_.may_have_clamps_) return varying;
  Shape left = shape(limit.getLHS()), right = shape(limit.getRHS());
  if (!limit.getType()->isIntegerTy() || limit.getType()->getIntegerBitWidth() > 32) return varying;
  if (left.kind != Shape::strided || right.kind != Shape::uniform) std::swap(left, right);
  if (left.kind != Shape::strided || right.kind != Shape::uniform || !isInt<32>(left.stride)) return varying;
  analysis_.no_wrap_checks_[&limit].insert(&limit);
  return left;
}

/* What a strided value is made from may wrap: so may it. */
void ShapeAnalysis::StrideSolver::propagate_no_wrap_checks(const Instruction &instruction) {
  NoWrapChecks all;
  for (const Value *operand : instruction.operands()) {
    if (const NoWrapChecks *no_wrap_checks = analysis_.no_wrap_checks(operand))
      all.insert(no_wrap_checks->begin(), no_wrap_checks->end());
  }
  if (!all.empty()) analysis_.no_wrap_checks_[&instruction].insert(all.begin(), all.end());
}

Shape ShapeAnalysis::StrideSolver::transfer(Instruction &instruction) {
  if (instruction.getType()->isVectorTy()) return varying;
  /* Steps are of 64 bits, as addresses are: of what is wider they tell nothing. */
  if (instruction.getType()->getScalarSizeInBits() > 64) return varying;
  if (sub_group_call(&instruction).kind == SubGroup::local_id) return strided(1);
  if (auto *phi = dyn_cast<PHINode>(&instruction)) return transfer_phi(*phi);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) return transfer_address(*address);
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) return transfer_binary(*operation);
  if (auto *limit = dyn_cast<MinMaxIntrinsic>(&instruction)) return transfer_clamp(*limit);
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
    case Instruction::SExt: return extend(instruction, instruction.getOperand(0), true);
    case Instruction::ZExt: return extend(instruction, instruction.getOperand(0), instruction.hasNonNeg());
    case Instruction::Select: {
      Shape first = shape(instruction.getOperand(1)), second = shape(instruction.getOperand(2));
      bool together = shape(instruction.getOperand(0)).kind == Shape::uniform;
      bool may_wrap =
          analysis_.no_wrap_checks(instruction.getOperand(1)) || analysis_.no_wrap_checks(instruction.getOperand(2));
      return together && first.kind == Shape::strided && first == second && !may_wrap ? first : varying;
    }
    default: return varying;
  }
}

void ShapeAnalysis::StrideSolver::solve() {
  /* Optimistically every divergent phi of a loop has the stride that it starts with. */
  DenseMap<const Value *, Shape> &shapes = analysis_.shapes_;
  bool changed = true;
  DenseSet<const PHINode *> fallen;
  while (changed) {
    changed = false;
    proofs_.clear();
    shapes.clear();
    analysis_.no_wrap_checks_.clear();
    analysis_.kept_by_flags_.clear();
    SmallVector<PHINode *, 8> optimistic;
    for (BasicBlock *block : analysis_.order_) {
      for (Instruction &instruction : *block) {
        if (!analysis_.uniformity_->isDivergent(&instruction)) continue;
        auto *phi = dyn_cast<PHINode>(&instruction);
        Loop *loop = phi ? analysis_.loops_->getLoopFor(block) : nullptr;
        if (phi && loop && loop->getHeader() == block && !fallen.contains(phi)) {
          Shape start = shape(phi->getIncomingValueForBlock(loop->getLoopPreheader()));
          shapes[phi] = start.kind == Shape::strided ? start : varying;
          if (start.kind == Shape::strided) optimistic.push_back(phi);
          continue;
        }
        Shape shape = phi && fallen.contains(phi) ? varying : transfer(instruction);
        shapes[&instruction] = shape;
        if (shape.kind == Shape::strided) propagate_no_wrap_checks(instruction);
      }
    }
    for (PHINode *phi : optimistic) {
      if (transfer_phi(*phi) == shapes[phi]) continue;
      fallen.insert(phi);
      changed = true;
    }
  }
  for (auto &[key, proof] : proofs_) {
    for (const RuntimeCheck &runtime_check : proof.runtime_checks) {
      bool known = any_of(analysis_.runtime_checks_, [&](const RuntimeCheck &other) {
        return other.value == runtime_check.value && other.is_signed == runtime_check.is_signed;
      });
      if (!known) analysis_.runtime_checks_.push_back(runtime_check);
    }
  }
}

}  // namespace quern
