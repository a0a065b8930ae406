/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choice between the layouts of explicit vectors. */
#include "compiler/passes/vectorize/analysis/vector_layout.hpp"

#include <cmath>

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/cost_model.hpp"

using namespace llvm;

namespace quern {

/* The most components of a lane, as OpenCL C has them, and of all lanes in one vector: LLVM's code generator splits
 * larger ones slowly. */
static constexpr unsigned max_components = 16, max_aos_elements = 512;

unsigned aos_stride(const Type &type) { return unsigned(PowerOf2Ceil(cast<FixedVectorType>(type).getNumElements())); }

/* True for an operation that computes each component of its result from the same components of its operands. */
static bool is_componentwise(const Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    return call->doesNotAccessMemory() && isTriviallyVectorizable(call->getIntrinsicID()) &&
           !call->getType()->isAggregateType();
  }
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
    return !operation->isIntDivRem() && operation->getOpcode() != Instruction::FRem;
  return isa<UnaryOperator, CmpInst, FreezeInst>(instruction) ||
         (isa<CastInst>(instruction) && !isa<BitCastInst>(instruction));
}

Value *splatted_value(const Instruction &instruction) {
  return isa<ShuffleVectorInst>(instruction) ? const_cast<Value *>(getSplatValue(&instruction)) : nullptr;
}

namespace {

/** The search for connected values, and their costs in both layouts. */
class LayoutSearch {
 public:
  LayoutSearch(const ShapeAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups, unsigned width,
               unsigned register_bits)
      : analysis_(analysis), memory_(memory), groups_(groups), width_(width), register_bits_(register_bits) {}

  void run(DenseSet<const Value *> &aos, DenseSet<const Value *> &used_as_aos);

 private:
  struct Costs {
    double soa = 0, aos = 0;
  };

  bool is_vector(const Value *value) const;
  bool is_varying_vector(const Value *value) const { return is_vector(value) && !analysis_.is_uniform(value); }
  bool is_contiguous(const Instruction &access) const;
  bool is_candidate(const Instruction &instruction) const;
  bool has_splittable_lanes(const Instruction &cast) const;
  double soa_operations(const Type &type) const;
  double transposition(const Type &type) const;
  Costs costs(const Instruction &instruction) const;
  double conversions(const Instruction &instruction) const;
  double frequency(const Instruction &instruction) const;

  const ShapeAnalysis &analysis_;
  const PrivateMemory &memory_;
  const AccessGroups *groups_;
  const unsigned width_, register_bits_;
  DenseSet<const Value *> candidates_;
};

}  // namespace

static Type *vector_type(const Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  return store ? store->getValueOperand()->getType() : instruction.getType();
}

static unsigned element_bits(const Type &type) { return std::max(8u, unsigned(type.getScalarSizeInBits())); }

/* Registers for `elements` of one type; a mask counts as bytes. */
static double registers(uint64_t elements, const Type &type, unsigned register_bits) {
  return double(std::max<uint64_t>(1, elements * element_bits(type) / register_bits));
}

/* Registers for all components of all lanes. */
static double aos_registers(const Type &type, unsigned width, unsigned register_bits) {
  return registers(uint64_t(aos_stride(type)) * width, type, register_bits);
}

bool LayoutSearch::is_vector(const Value *value) const {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  return type && !type->getElementType()->isPointerTy() && type->getNumElements() <= max_components &&
         aos_stride(*type) * width_ <= max_aos_elements;
}

/* An access whose lanes follow each other in memory without gaps, on its own. */
bool LayoutSearch::is_contiguous(const Instruction &access) const {
  const Value *address = getLoadStorePointerOperand(&access);
  auto *load = dyn_cast<LoadInst>(&access);
  if (!(load ? load->isSimple() : cast<StoreInst>(access).isSimple())) return false;
  if (memory_.interleaved(address)) return false;
  if (groups_ && groups_->find(&access)) return false;
  const Type &type = *vector_type(access);
  const DataLayout &layout = access.getDataLayout();
  const uint64_t size = layout.getTypeAllocSize(type.getScalarType());
  const Shape shape = analysis_.shape(address);
  return size * 8 == type.getScalarSizeInBits() && shape.kind == Shape::strided &&
         shape.stride == int64_t(size * aos_stride(type));
}

/* A bitcast that keeps the bits of each lane together. */
bool LayoutSearch::has_splittable_lanes(const Instruction &cast) const {
  const Value *from = cast.getOperand(0);
  if (!is_vector(from)) return false;
  return aos_stride(*from->getType()) * from->getType()->getScalarSizeInBits() ==
         aos_stride(*cast.getType()) * cast.getType()->getScalarSizeInBits();
}

/* An instruction that can be written in AoS. Components of varying scalars are put together in SoA. */
bool LayoutSearch::is_candidate(const Instruction &instruction) const {
  if (isa<LoadInst, StoreInst>(instruction)) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    return is_vector(store ? store->getValueOperand() : &instruction) && is_contiguous(instruction);
  }
  if (!is_vector(&instruction) || analysis_.shape(&instruction).kind != Shape::varying) return false;
  if (isa<PHINode, SelectInst>(instruction)) return true;
  if (isa<BitCastInst>(instruction)) return has_splittable_lanes(instruction);
  if (isa<ShuffleVectorInst>(instruction)) return splatted_value(instruction) || is_vector(instruction.getOperand(0));
  if (!is_componentwise(instruction)) return false;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return all_of(enumerate(call ? iterator_range(call->args()) : instruction.operands()), [&](auto operand) {
    const Value *value = operand.value();
    if (call && isVectorIntrinsicWithScalarOpAtArg(call->getIntrinsicID(), unsigned(operand.index()), nullptr))
      return analysis_.is_uniform(value);
    return is_vector(value);
  });
}

/* Register operations on a value in SoA, and on all its components for a transposition. */
double LayoutSearch::soa_operations(const Type &type) const {
  return double(cast<FixedVectorType>(type).getNumElements()) * registers(width_, type, register_bits_);
}

double LayoutSearch::transposition(const Type &type) const {
  return soa_operations(type) * Log2_32_Ceil(cast<FixedVectorType>(type).getNumElements());
}

/* Shuffles, per register, for a shuffle of components. Those that move no component are free. */
static double shuffle_cost(const ShuffleVectorInst &shuffle) {
  if (splatted_value(shuffle)) return 1;
  const auto count = int(cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  const bool keeps_places = all_of(enumerate(shuffle.getShuffleMask()), [&](auto index) {
    return index.value() < 0 || index.value() == int(index.index());
  });
  const bool is_same_stride = aos_stride(*shuffle.getType()) == aos_stride(*shuffle.getOperand(0)->getType());
  if (keeps_places && is_same_stride) return 0;
  const bool has_two_sources = any_of(shuffle.getShuffleMask(), [&](int index) { return index >= count; });
  return is_same_stride ? (has_two_sources ? 2 : 1) : 3;
}

LayoutSearch::Costs LayoutSearch::costs(const Instruction &instruction) const {
  const Type &type = *vector_type(instruction);
  const double soa = soa_operations(type), aos = aos_registers(type, width_, register_bits_);
  if (isa<LoadInst, StoreInst>(instruction)) return {transposition(type), 0};
  if (isa<PHINode>(instruction)) return {0, 0};
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) return {0, aos * shuffle_cost(*shuffle)};
  if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    const bool has_mask =
        !select->getCondition()->getType()->isVectorTy() && !analysis_.is_uniform(select->getCondition());
    return {soa, has_mask ? 2 * aos : aos};
  }
  if (isa<BitCastInst>(instruction)) {
    /* Each component is split by shifts, or put together (Widener::write_bitcast). */
    const bool keeps_size = type.getScalarSizeInBits() == instruction.getOperand(0)->getType()->getScalarSizeInBits();
    return {keeps_size ? 0 : 2 * soa, 0};
  }
  return {soa, aos};
}

/* Operations for what AoS values of a candidate are converted from and to: operands and users that have SoA. An
 * extraction takes a component from all registers. */
double LayoutSearch::conversions(const Instruction &instruction) const {
  double sum = 0;
  if (!splatted_value(instruction)) {
    for (const Value *operand : instruction.operands()) {
      if (!is_varying_vector(operand) || candidates_.contains(operand)) continue;
      sum += transposition(*operand->getType());
    }
  }
  if (instruction.getType()->isVoidTy()) return sum;
  const Type &type = *instruction.getType();
  bool is_transposed = false;
  for (const User *user : instruction.users()) {
    if (candidates_.contains(user)) continue;
    auto *extract = dyn_cast<ExtractElementInst>(user);
    if (extract && isa<Constant>(extract->getIndexOperand())) {
      sum += aos_registers(type, width_, register_bits_);
    } else {
      is_transposed = true;
    }
  }
  return is_transposed ? sum + transposition(type) : sum;
}

/* How often an instruction runs, as in the cost model. */
double LayoutSearch::frequency(const Instruction &instruction) const {
  return std::pow(inner_trip_count, analysis_.loops().getLoopDepth(instruction.getParent()));
}

void LayoutSearch::run(DenseSet<const Value *> &aos, DenseSet<const Value *> &used_as_aos) {
  for (const BasicBlock *block : analysis_.order()) {
    for (const Instruction &instruction : *block) {
      if (is_candidate(instruction)) candidates_.insert(&instruction);
    }
  }
  if (candidates_.empty()) return;
  EquivalenceClasses<const Instruction *> connected;
  for (const BasicBlock *block : analysis_.order()) {
    for (const Instruction &instruction : *block) {
      if (!candidates_.contains(&instruction)) continue;
      connected.insert(&instruction);
      if (splatted_value(instruction)) continue;
      for (const Value *operand : instruction.operands()) {
        if (candidates_.contains(operand)) connected.unionSets(&instruction, cast<Instruction>(operand));
      }
    }
  }
  for (const auto *leader : connected) {
    if (!leader->isLeader()) continue;
    Costs sum;
    for (const Instruction *member : connected.members(*leader)) {
      const Costs one = costs(*member);
      sum.soa += frequency(*member) * one.soa;
      sum.aos += frequency(*member) * (one.aos + conversions(*member));
    }
    if (sum.aos >= sum.soa) continue;
    for (const Instruction *member : connected.members(*leader)) aos.insert(member);
  }
  for (const Value *member : aos) {
    auto *instruction = cast<Instruction>(member);
    if (splatted_value(*instruction)) continue;
    for (const Value *operand : instruction->operands()) {
      if (is_varying_vector(operand) && !aos.contains(operand)) used_as_aos.insert(operand);
    }
  }
}

VectorLayout::VectorLayout(const ShapeAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups,
                           unsigned width, const VectorUnit &unit)
    : width_(width), register_bits_(unit.register_bits) {
  LayoutSearch(analysis, memory, groups, width, unit.register_bits).run(aos_, used_as_aos_);
}

double VectorLayout::operations(const Instruction &instruction) const {
  const Type &type = *vector_type(instruction);
  const double all = aos_registers(type, width_, register_bits_);
  auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
  if (shuffle) return all * shuffle_cost(*shuffle);
  return isa<BitCastInst, PHINode>(instruction) ? 0 : all;
}

}  // namespace quern
