/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * How many lanes, and how many vectors of them a turn. */
#include "compiler/passes/vectorize/vectorization_factor.hpp"

#include <algorithm>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/group_stride_interchange.hpp"

using namespace llvm;

namespace quern {

/* Divisions and roots in a body without loops that runs two vectors a turn. */
static constexpr unsigned some_divisions = 3;

/* Varying instructions in a loop that still runs four vectors a turn, and two. */
static constexpr unsigned few_instructions = 8, some_instructions = 20;

unsigned register_bits(const TargetTransformInfo &tti) {
  return unsigned(tti.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
}

VectorUnit vector_unit(const VectorTarget &tti, LLVMContext &context, unsigned width) {
  const TargetTransformInfo &costs = tti.costs;
  auto *words = FixedVectorType::get(Type::getInt32Ty(context), width);
  auto *bytes = FixedVectorType::get(Type::getInt8Ty(context), width);
  return {register_bits(costs),
          costs.isLegalMaskedGather(words, Align(4)),
          costs.isLegalMaskedScatter(words, Align(4)),
          tti.gathers_fast,
          tti.scatters_fast,
          costs.isLegalMaskedLoad(words, Align(4), 0),
          costs.isLegalMaskedLoad(bytes, Align(1), 0)};
}

/* True for an access of lanes whose elements do not lie in a row: each lane costs, whether it is on or off. */
static bool is_per_lane(const ShapeAnalysis &analysis, const Instruction &instruction) {
  const Value *address = getLoadStorePointerOperand(&instruction);
  if (!address) return false;
  Shape shape = analysis.shape(address);
  auto size = int64_t(instruction.getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction)));
  return shape.kind == Shape::varying || (shape.kind == Shape::strided && shape.stride != size);
}

/* Bits of the widest element that is in vectors, but for masks and addresses. */
static unsigned widest_element(const ItemBody &body, const ShapeAnalysis &analysis) {
  unsigned widest = 8; /* not so where lanes are woven or gathered, and calls pass what they like */
  auto count = [&](const Value *value) {
    Type *type = value->getType()->getScalarType();
    if (type->isIntegerTy() || type->isFloatingPointTy()) widest = std::max(widest, type->getScalarSizeInBits());
  };
  for (Instruction &instruction : instructions(body.function())) {
    if (instruction.use_empty() && !instruction.mayHaveSideEffects()) continue; /* the end of the turn is left of it */
    bool is_call = isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
    if (is_call || instruction.getType()->isVectorTy() || is_per_lane(analysis, instruction)) return 64;
    bool is_varying = analysis.shape(&instruction).kind == Shape::varying;
    if (is_varying) count(&instruction);
    if (isa<LoadInst>(instruction) || isa<GetElementPtrInst>(instruction) || instruction.isTerminator()) continue;
    for (const Value *operand : instruction.operands()) {
      bool is_address = isa<StoreInst>(instruction) && operand == instruction.getOperand(1);
      bool in_vectors = is_varying || isa<StoreInst>(instruction);
      if (in_vectors && !is_address && !analysis.is_uniform(operand)) count(operand);
    }
  }
  return widest;
}

/* Lanes of 32 bits in a vector register, or of 64 where most of what is loaded, stored and computed is that wide, or of
 * fewer where nothing is wider and the last lanes can be masked. What only becomes an address does not count. */
unsigned choose_width(const ItemBody &body, const ShapeAnalysis &analysis, const PrivateMemory &memory,
                      const TargetTransformInfo &tti) {
  unsigned wide = 0, narrow = 0;
  unsigned widest = widest_element(body, analysis);
  auto *bytes = FixedVectorType::get(Type::getInt8Ty(body.function().getContext()), register_bits(tti) / 8);
  if (widest < 32 && memory.variables().empty() && tti.isLegalMaskedLoad(bytes, Align(1), 0)) {
    return std::min(register_bits(tti) / widest, largest_width);
  }
  for (Instruction &instruction : instructions(body.function())) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    Type *type = (store ? store->getValueOperand()->getType() : instruction.getType())->getScalarType();
    bool counts = store || isa<LoadInst>(instruction) || type->isFloatingPointTy() || isa<AtomicRMWInst>(instruction);
    if (!counts || (!store && analysis.shape(&instruction).kind != Shape::varying)) continue;
    (type->isPointerTy() || type->getScalarSizeInBits() > 32 ? wide : narrow)++;
  }
  return register_bits(tti) / (wide > narrow ? 64 : 32);
}

bool may_be_scalarized(const Instruction &instruction) {
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) return true;
  return isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
}

/* Divisions and roots have units of their own, which wait for what comes before in a body without loops, as what comes
 * behind waits for them. A turn in which all work-items store what the next one loads is faster without masks, which
 * single vectors have. */
static unsigned choose_interleave_count_without_loops(const ShapeAnalysis &analysis) {
  unsigned divisions = 0, work = 0;
  bool is_stride = false;
  for (BasicBlock *block : analysis.order()) {
    if (analysis.has_divergent_branch(block)) return 1;
    for (const Instruction &instruction : *block) {
      is_stride |= instruction.hasMetadata(group_stride_mark);
      if (isa<StoreInst>(instruction)) work++;
      if (analysis.shape(&instruction).kind != Shape::varying) continue;
      if (may_be_scalarized(instruction)) return 1;
      if (!isa<GetElementPtrInst>(instruction)) work++;
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      bool is_root = call && call->getIntrinsicID() == Intrinsic::sqrt;
      if (is_root || instruction.getOpcode() == Instruction::FDiv) divisions++;
    }
  }
  if (is_stride && work <= few_instructions) return 4;
  return divisions >= some_divisions ? 2 : 1;
}

/* Vectors per turn: short inner loops wait for memory and for results rather than for the arithmetic units, and share
 * what is uniform. Lanes that part, or go one by one, gain nothing. */
unsigned choose_interleave_count(const ShapeAnalysis &analysis, bool is_jammed) {
  if (analysis.loops().empty()) return choose_interleave_count_without_loops(analysis);
  unsigned most = 0;
  DenseMap<const Loop *, unsigned> work;
  for (BasicBlock *block : analysis.order()) {
    if (analysis.has_divergent_branch(block)) return 1;
    const Loop *loop = analysis.loops().getLoopFor(block);
    for (Instruction &instruction : *block) {
      if (may_be_scalarized(instruction)) return 1;
      bool is_work = analysis.shape(&instruction).kind == Shape::varying || isa<StoreInst>(instruction);
      if (is_jammed && isa<PHINode>(instruction)) continue; /* the sums of a tile, which it exists for */
      if (is_work && !isa<GetElementPtrInst>(instruction)) most = std::max(most, ++work[loop]);
    }
  }
  return most <= few_instructions ? 4 : most <= some_instructions ? 2 : 1;
}

}  // namespace quern
