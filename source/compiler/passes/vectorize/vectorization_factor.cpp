/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Choice of the vectorization factor and the interleave count. */
#include "compiler/passes/vectorize/vectorization_factor.hpp"

#include <algorithm>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/group_stride_interchange.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/rare_blocks.hpp"

using namespace llvm;

namespace quern {

/* A body without loops is interleaved by two from this number of divisions and square roots on. */
static constexpr unsigned min_divisions = 3;

/* The most that a conversion costs which is an instruction, in units of TargetTransformInfo. */
static constexpr unsigned max_conversion_cost = 2;

/* The maximum number of varying operations in a loop that is interleaved by four, and by two. Outside of loops there
 * may be as many as for two. */
static constexpr unsigned max_operations_for_four = 8, max_operations_for_two = 20;

unsigned register_bits(const TargetTransformInfo &tti) {
  return unsigned(tti.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
}

unsigned register_count_for(const TargetTransformInfo &tti, LLVMContext &context, unsigned width) {
  auto *words = FixedVectorType::get(Type::getInt32Ty(context), width);
  return tti.getNumberOfRegisters(tti.getRegisterClassForType(true, words));
}

/* In a register of 64-bit lanes. An emulated conversion takes many instructions, in LLVM's tables too. */
static bool converts_longs(const TargetTransformInfo &tti, LLVMContext &context) {
  const unsigned lanes = std::max(2U, register_bits(tti) / 64);
  auto *longs = FixedVectorType::get(Type::getInt64Ty(context), lanes);
  auto *doubles = FixedVectorType::get(Type::getDoubleTy(context), lanes);
  return tti.getCastInstrCost(Instruction::UIToFP, doubles, longs, TargetTransformInfo::CastContextHint::None,
                              TargetTransformInfo::TCK_RecipThroughput) <= max_conversion_cost;
}

VectorUnit vector_unit(const VectorTarget &tti, LLVMContext &context, unsigned width) {
  const TargetTransformInfo &costs = tti.costs;
  auto *words = FixedVectorType::get(Type::getInt32Ty(context), width);
  auto *bytes = FixedVectorType::get(Type::getInt8Ty(context), width);
  return {register_bits(costs),
          register_count_for(costs, context, width),
          costs.isLegalMaskedGather(words, Align(4)),
          costs.isLegalMaskedScatter(words, Align(4)),
          costs.isLegalMaskedLoad(words, Align(4), 0),
          costs.isLegalMaskedLoad(bytes, Align(1), 0),
          converts_longs(costs, context),
          tti.table.has_128_bit_parts,
          tti.table.lanes};
}

/* True for an access whose elements are not consecutive in memory: its cost grows with the lanes, active or
 * inactive. */
static bool is_not_consecutive(const ShapeAnalysis &analysis, const Instruction &instruction) {
  const Value *address = getLoadStorePointerOperand(&instruction);
  if (!address) return false;
  Shape shape = analysis.shape(address);
  auto size = int64_t(instruction.getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction)));
  return shape.kind == Shape::varying || (shape.kind == Shape::strided && shape.stride != size);
}

/* The size in bits of the widest vector element, without masks and addresses, or of the widest uniform value that is
 * stored where there is none. 64 where narrow vectors are of no use: accesses that are not consecutive, vector values,
 * calls. */
static unsigned widest_element(const ItemBody &body, const ShapeAnalysis &analysis) {
  unsigned varying = 0, uniform = 0;
  auto count = [&](const Value *value) {
    unsigned &widest = analysis.is_uniform(value) ? uniform : varying;
    Type *type = value->getType()->getScalarType();
    if (type->isIntegerTy() || type->isFloatingPointTy()) widest = std::max({widest, 8U, type->getScalarSizeInBits()});
  };
  for (Instruction &instruction : instructions(body.function())) {
    if (instruction.use_empty() && !instruction.mayHaveSideEffects()) continue; /* dead, as the latch's condition is */
    bool is_call = isa<CallInst>(instruction) && may_be_scalarized(instruction);
    if (is_call || instruction.getType()->isVectorTy() || is_not_consecutive(analysis, instruction)) return 64;
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      count(store->getValueOperand());
      continue;
    }
    if (analysis.shape(&instruction).kind != Shape::varying) continue;
    count(&instruction);
    if (isa<LoadInst>(instruction) || isa<GetElementPtrInst>(instruction) || instruction.isTerminator()) continue;
    for (const Value *operand : instruction.operands()) {
      if (!analysis.is_uniform(operand)) count(operand);
    }
  }
  return varying ? varying : uniform;
}

/* As many lanes as a vector register has 32-bit elements, or 64-bit elements if most loads, stores and floating-point
 * operations are that wide. If all elements are narrower than 32 bits and narrow masked accesses are legal, as many as
 * it has elements of the widest size. Values that only become addresses do not count. */
unsigned choose_width(const ItemBody &body, const ShapeAnalysis &analysis, const PrivateMemory &memory,
                      const TargetTransformInfo &tti) {
  unsigned wide = 0, narrow = 0;
  unsigned widest = widest_element(body, analysis);
  auto *bytes = FixedVectorType::get(Type::getInt8Ty(body.function().getContext()), register_bits(tti) / 8);
  if (widest && widest < 32 && memory.variables().empty() && tti.isLegalMaskedLoad(bytes, Align(1), 0)) {
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

bool has_mostly_narrow_values(const ItemBody &body, const ShapeAnalysis &analysis) {
  unsigned wide = 0, narrow = 0;
  for (const Instruction &instruction : instructions(body.function())) {
    Type *type = instruction.getType()->getScalarType();
    if (type->isIntegerTy(1) || !(type->isIntegerTy() || type->isFloatingPointTy())) continue;
    if (isa<PHINode>(instruction) || analysis.shape(&instruction).kind != Shape::varying) continue;
    (type->getScalarSizeInBits() < 32 ? narrow : wide)++;
  }
  return narrow > 2 * wide;
}

/* Operations of sub-groups are vector code of their own: those of version_uniform_loops. */
bool may_be_scalarized(const Instruction &instruction) {
  if (sub_group_call(&instruction).kind != SubGroup::none) return false;
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) return true;
  return isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
}

/* Operations of the vector code: one for each component of an explicit vector. Components are chosen without any. */
static unsigned operation_count(const Instruction &instruction) {
  if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction)) return 0;
  auto *store = dyn_cast<StoreInst>(&instruction);
  auto *type = dyn_cast<FixedVectorType>(store ? store->getValueOperand()->getType() : instruction.getType());
  return type ? type->getNumElements() : 1;
}

/* Divisions and square roots have long latency and low throughput. In a body without loops they wait for the code
 * before them, and the code after waits for them: a second vector overlaps them. The body of a group-stride loop stores
 * what the next iteration loads, which is faster without masks; a loop that is not interleaved is masked. */
static unsigned choose_interleave_count_without_loops(const ShapeAnalysis &analysis) {
  unsigned divisions = 0, work = 0;
  bool is_group_stride = false;
  for (BasicBlock *block : analysis.order()) {
    if (has_likely_divergence(analysis, *block)) return 1;
    if (is_rare(*block)) continue;
    for (const Instruction &instruction : *block) {
      is_group_stride |= instruction.hasMetadata(group_stride_metadata);
      if (isa<StoreInst>(instruction)) work += operation_count(instruction);
      if (analysis.shape(&instruction).kind != Shape::varying) continue;
      if (may_be_scalarized(instruction)) return 1;
      if (!isa<GetElementPtrInst>(instruction)) work += operation_count(instruction);
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      bool is_root = call && call->getIntrinsicID() == Intrinsic::sqrt;
      if (is_root || instruction.getOpcode() == Instruction::FDiv) divisions++;
    }
  }
  if (is_group_stride && work <= max_operations_for_four) return 4;
  return divisions >= min_divisions ? 2 : 1;
}

/* Short inner loops are bound by the latency of memory and arithmetic rather than by throughput, and interleaved
 * vectors share the uniform instructions. Divergent or scalarized code gains nothing. */
unsigned choose_interleave_count(const ShapeAnalysis &analysis, bool is_jammed) {
  if (analysis.loops().empty()) return choose_interleave_count_without_loops(analysis);
  unsigned most = 0, outside = 0;
  DenseMap<const Loop *, unsigned> work;
  for (BasicBlock *block : analysis.order()) {
    if (has_likely_divergence(analysis, *block)) return 1;
    if (is_rare(*block)) continue;
    const Loop *loop = analysis.loops().getLoopFor(block);
    for (Instruction &instruction : *block) {
      if (may_be_scalarized(instruction)) return 1;
      bool is_work = analysis.shape(&instruction).kind == Shape::varying || isa<StoreInst>(instruction);
      if (is_jammed && isa<PHINode>(instruction))
        continue; /* accumulators of the jammed iterations, the purpose of the jam */
      if (!is_work || isa<GetElementPtrInst>(instruction)) continue;
      if (loop) {
        most = std::max(most, work[loop] += operation_count(instruction));
      } else {
        outside += operation_count(instruction);
      }
    }
  }
  if (most > max_operations_for_two || outside > max_operations_for_two) return 1;
  return most <= max_operations_for_four ? 4 : 2;
}

}  // namespace quern
