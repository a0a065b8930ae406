/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Cost model. It is coarse: the result depends mostly on how much of a body is scalarized, gathered or scattered.
 * Gathers and scatters take about as long as the scalar loads and stores that they replace. */
#include "compiler/passes/vectorize/cost_model.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/vectorize/analysis/rare_blocks.hpp"
#include "compiler/passes/vectorize/analysis/register_pressure.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"
#include "compiler/passes/vectorize/analysis/vector_layout.hpp"
#include "compiler/passes/vectorize/transform/dynamic_uniformity.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

namespace {

/* In a divergent loop lanes are inactive until the last one exits: its vector cost is multiplied by this factor. */
constexpr double divergent_loop_factor = 1.5;
/* Of an operation that lanes do one by one, per lane. */
constexpr double scalarized = 8;
/* One of several adjacent elements that are accessed per lane: its share of the access, and shuffles. */
constexpr double adjacent_element = 1;
/* A call and its return. */
constexpr double call_overhead = 8;
/* An insertion or extraction of one lane. */
constexpr double lane_transfer = 2;

/* For a value that does not fit the registers: a store and a load. */
constexpr double spill_cost = 2;

/* Work-items along x of the smallest work-groups with two dimensions that are common. */
constexpr unsigned small_tile = 8;

/* How likely a branch to a cold call is (LowerExpectIntrinsic's weight of an unlikely branch). */
constexpr double rare_probability = 1.0 / 2000;

/* How likely all lanes share clamped bounds of a loop. */
constexpr double uniform_probability = 0.5;

/* Between these ratios of vector cost to scalar cost the estimate does not tell which version is faster. */
constexpr double min_uncertain_ratio = 0.75, max_uncertain_ratio = 1.5;
/* The cost of gathers depends on the distance of the elements and on the CPU. Work-items that go through a loop
 * independently of each other take a branch by a probability of which nothing is known, and vectors run its block as
 * soon as one lane does. Where both make up more than `min_unknown_share` of the vector cost, the bounds are wider. */
constexpr double min_uncertain_ratio_of_unknowns = 0.25, max_uncertain_ratio_of_unknowns = 2, min_unknown_share = 0.3;

/* How often a block runs in each version, relative to another block. `assumed` is the part of `vector` that is how
 * likely lanes do not share the bounds of a loop. */
struct Frequency {
  double scalar, vector, assumed = 1;
};

class Estimate {
 public:
  Estimate(const ShapeAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups,
           const VectorLayout *layout, FunctionVariants &functions, unsigned width, const VectorUnit &unit,
           const UnrolledLoops &unrolled)
      : analysis_(analysis),
        memory_(memory),
        groups_(groups),
        layout_(layout),
        functions_(functions),
        width_(width),
        unit_(unit),
        unrolled_(unrolled) {}

  ItemCost body() const;

 private:
  ItemCost instruction(const Instruction &instruction) const;
  ItemCost access(const Instruction &instruction, const Value *address, const Type *type) const;
  double gathered_element(bool is_load, uint64_t size) const;
  ItemCost scattered(bool is_load, Type *type) const;
  bool crosses_block(const Value *address) const;
  bool may_cross_block(const Value *address) const;
  bool has_contention(const Loop &loop) const;
  ItemCost call(const CallBase &call) const;
  ItemCost division_by_uniform(const Instruction &division) const;
  unsigned components(Type *type) const;
  /** Operations of the scalar version on values of `type`: its explicit vectors stay in vector registers. */
  double whole(Type *type) const;
  unsigned scalar_registers(const Instruction &value) const;
  unsigned vector_registers(const Instruction &value) const;
  bool fills_register(const Instruction &instruction) const;
  bool repeats_exit(const BasicBlock *block) const;
  Frequency branch_probability(const BasicBlock *block) const;
  Frequency loop_frequency(const BasicBlock *block) const;
  bool is_in_divergent_loop(const BasicBlock *block) const;
  /** The cost per lane of one vector operation on components of `type`: the number of registers, by the lanes. */
  double share(Type *type) const;
  bool is_uniform(const Value *value) const { return analysis_.is_uniform(value); }

  const ShapeAnalysis &analysis_;
  const PrivateMemory &memory_;
  const AccessGroups *groups_;
  const VectorLayout *layout_;
  FunctionVariants &functions_;
  const unsigned width_;
  const VectorUnit &unit_;
  const UnrolledLoops &unrolled_;
};

unsigned Estimate::components(Type *type) const {
  SmallVector<Type *, 4> types;
  append_component_types(type, types);
  return unsigned(types.size());
}

double Estimate::whole(Type *type) const {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector) return components(type);
  const unsigned bits = vector->getNumElements() * std::max(8u, unsigned(vector->getScalarSizeInBits()));
  return double(divideCeil(bits, unit_.register_bits));
}

/* Vector registers that a value takes in the scalar version: explicit vectors and floating-point numbers. */
unsigned Estimate::scalar_registers(const Instruction &value) const {
  Type *type = value.getType();
  if (!type->isVectorTy() && !type->isFloatingPointTy()) return 0;
  return type->getScalarSizeInBits() < 8 ? 0 : unsigned(whole(type));
}

/* The same for the vector version, where each component is a vector; masks have registers of their own. */
unsigned Estimate::vector_registers(const Instruction &value) const {
  Type *type = value.getType();
  if (analysis_.shape(&value).kind != Shape::varying || type->getScalarSizeInBits() == 1) return 0;
  const unsigned bits = type->isPtrOrPtrVectorTy() ? 64 : std::max(8u, unsigned(type->getScalarSizeInBits()));
  return components(type) * std::max(1u, width_ * bits / unit_.register_bits);
}

double Estimate::share(Type *type) const {
  unsigned bits = std::max(8u, unsigned(type->getScalarSizeInBits()));
  if (type->isPtrOrPtrVectorTy()) bits = 64;
  unsigned registers = std::max(1u, width_ * bits / unit_.register_bits);
  return double(registers) / width_;
}

/* The cost of an element of `size` bytes that is gathered or scattered. */
double Estimate::gathered_element(bool is_load, uint64_t size) const {
  const lane_costs_t &lanes = unit_.lanes;
  if (!is_load) return unit_.scatters ? lanes.scatter : lanes.emulated_scatter;
  if (!unit_.gathers) return lanes.emulated_gather;
  return size < 4 ? lanes.narrow_gather : lanes.gather;
}

ItemCost Estimate::access(const Instruction &instruction, const Value *address, const Type *type) const {
  Type *accessed = const_cast<Type *>(type);
  const double count = components(accessed), alone = whole(accessed);
  bool is_load = isa<LoadInst>(instruction);
  if (is_uniform(address) && !memory_.interleaved(address)) return {alone, 1.0 / width_};
  if (const AccessGroup *group = groups_ ? groups_->find(&instruction) : nullptr) {
    /* It takes time for each element, and for each cache line, as a gather does. */
    if (group->is_per_lane) return {alone, adjacent_element, adjacent_element};
    /* Its share of the access, and shuffles. */
    return {alone, share(accessed) * group->step * count * (1.0 / group->count() + 0.5)};
  }
  Shape shape = analysis_.shape(address);
  const bool is_masked = analysis_.is_masked(instruction.getParent());
  int64_t size = int64_t(instruction.getDataLayout().getTypeAllocSize(accessed->getScalarType()));
  const bool is_whole = shape.kind == Shape::strided && shape.stride == size * int64_t(count);
  if (instruction.isVolatile() && !is_whole) {
    const double one_by_one = alone + unit_.lanes.emulated_gather;
    return {alone, one_by_one, one_by_one};
  }
  if (is_load && !is_masked && analysis_.is_block_uniform(address) && !crosses_block(address))
    return {alone, 1.0 / width_ + share(accessed) * count};
  const bool is_aos = layout_ && layout_->is_aos(&instruction);
  bool is_contiguous = shape.kind == Shape::strided && shape.stride > 0 &&
                       (is_aos || shape.stride <= size * int64_t(widest_vector_step(*accessed->getScalarType()))) &&
                       (count > 1 || is_dense(instruction, uint64_t(size), uint64_t(shape.stride)));
  if (is_contiguous || (memory_.interleaved(address) && is_uniform(address))) {
    /* In AoS the components of a lane share one mask bit. */
    const int64_t masked_size = is_aos ? shape.stride : size;
    if (is_masked && !(masked_size < 4 ? unit_.masks_bytes : unit_.masks_words)) {
      return {alone, unit_.lanes.emulated_mask * count, unit_.lanes.emulated_mask * count};
    }
    if (is_masked && !is_load && unit_.lanes.masked_store > 0) return {alone, unit_.lanes.masked_store * count};
    /* Several components need shuffles, as do strided elements with gaps. Those of 16 components are of more registers
     * than a shuffle takes. */
    bool has_gaps = is_contiguous && shape.stride > 2 * size;
    const double shuffles = count > widest_group_step ? 6 : count > 1 ? 2 : has_gaps ? 4 : 1;
    ItemCost contiguous = {alone,
                           is_aos ? layout_->operations(instruction) / width_ : share(accessed) * count * shuffles};
    if (crosses_block(address)) return scattered(is_load, accessed);
    if (!may_cross_block(address)) return contiguous;
    /* A test selects one of both at run time: the average. */
    ItemCost fallback = scattered(is_load, accessed);
    return {alone, (contiguous.vector + fallback.vector) / 2, fallback.gathered / 2};
  }
  return scattered(is_load, accessed);
}

/* The cost of an access that is gathered or scattered. Components that fill one or two words are one element. */
ItemCost Estimate::scattered(bool is_load, Type *type) const {
  unsigned count = components(type);
  uint64_t size = analysis_.order().front()->getDataLayout().getTypeAllocSize(type->getScalarType());
  unsigned combined = combined_components(count, size);
  double elements = gathered_element(is_load, size * combined) * count / combined;
  if (!is_load && is_stored_per_lane(type, width_)) elements = unit_.lanes.emulated_scatter;
  return {whole(type), elements + (combined > 1 ? share(type) * count : 0), elements};
}

/* True for an address with a masked index whose aligned block is shorter than a vector: the lanes are in several
 * blocks. */
bool Estimate::crosses_block(const Value *address) const {
  const NoWrapChecks *no_wrap_checks = analysis_.no_wrap_checks(address);
  return no_wrap_checks && any_of(*no_wrap_checks, [&](const Instruction *check) {
           const unsigned bits = known_mask_bits(*check, analysis_);
           return bits && !isUIntN(bits, uint64_t(std::abs(checked_stride(*check, analysis_))) * (width_ - 1));
         });
}

/* True when the mask is known only at run time: the aligned block may be shorter than a vector in some executions. */
bool Estimate::may_cross_block(const Value *address) const {
  const NoWrapChecks *no_wrap_checks = analysis_.no_wrap_checks(address);
  return no_wrap_checks && any_of(*no_wrap_checks, [&](const Instruction *check) {
           return is_runtime_mask(*check) && analysis_.needs_test(check, /*is_lane_zero_active=*/true);
         });
}

ItemCost Estimate::call(const CallBase &call) const {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return {0, 0};
    if (intrinsic->hasMetadata(prefetch_mark)) return {1, 1.0 / width_};
    if (isTriviallyVectorizable(intrinsic->getIntrinsicID())) {
      return {2 * whole(call.getType()), 2 * components(call.getType()) * share(call.getType())};
    }
  }
  const char *why;
  if (const FunctionPlan *plan = functions_.plan(call, analysis_, width_, why)) {
    ItemCost cost = functions_.cost(*plan, width_, unit_);
    cost.scalar += call_overhead;
    cost.vector += call_overhead / width_;
    return cost;
  }
  /* A scalarized call extracts the arguments from vectors, and inserts the results. */
  double values = call.getType()->isVoidTy() ? 0 : components(call.getType());
  for (const Value *argument : call.args()) values += is_uniform(argument) ? 0 : components(argument->getType());
  return {20, 20 + scalarized + lane_transfer * values};
}

/* By one that all lanes share: products with its inverse. */
ItemCost Estimate::division_by_uniform(const Instruction &division) const {
  const double count = components(division.getType()), one = count * share(division.getType());
  if (division.getType()->getScalarSizeInBits() <= 32) return {8 * count, 10 * one};
  return {12 * count, unit_.converts_longs ? 24 * one : 15 * count};
}

ItemCost Estimate::instruction(const Instruction &instruction) const {
  if (isa<PHINode>(instruction) || isa<GetElementPtrInst>(instruction)) return {0, 0};
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return access(*load, load->getPointerOperand(), load->getType());
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    return access(*store, store->getPointerOperand(), store->getValueOperand()->getType());
  }
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    double alone = atomic->getPointerAddressSpace() == 3 ? 2 : 20;
    if (!is_reducible_atomic(analysis_, *atomic)) return {alone, alone + scalarized};
    double scan = atomic->use_empty() ? 0 : 2 * Log2_32(width_) * share(atomic->getType());
    return {alone, (alone + 5) / width_ + scan};
  }
  if (instruction.isTerminator()) {
    if (instruction.getNumSuccessors() < 2) return {0, 0};
    /* The scalar variant mispredicts divergent branches, but not the latches of divergent loops. */
    if (analysis_.divergent_latch(instruction.getParent())) return {1, 4.0 / width_};
    return analysis_.has_divergent_branch(instruction.getParent()) ? ItemCost{3, 3.0 / width_}
                                                                   : ItemCost{1, 1.0 / width_};
  }
  if (is_uniform(&instruction)) return {1, 1.0 / width_};
  if (layout_ && layout_->is_aos(&instruction)) {
    const double factor = isa<CallInst>(instruction) ? 2 : 1;
    return {factor * whole(instruction.getType()), factor * layout_->operations(instruction) / width_};
  }
  if (auto *called = dyn_cast<CallBase>(&instruction)) return call(*called);
  const double alone = whole(instruction.getType()), count = components(instruction.getType());
  const double one = count * share(instruction.getType());
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      if (isa<Constant>(instruction.getOperand(1))) return {4 * count, 8 * one};
      if (is_uniform(instruction.getOperand(1))) return division_by_uniform(instruction);
      return instruction.getType()->getScalarSizeInBits() > 32 ? ItemCost{12 * count, 15 * count}
                                                               : ItemCost{8 * count, 40 * one};
    case Instruction::FDiv: return {4 * alone, 8 * one};
    case Instruction::FRem:
    case Instruction::AtomicCmpXchg: return {20, 20 + scalarized};
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
      /* A scalar conversion is part of another instruction. */
      return {instruction.getType()->isVectorTy() ? alone : 0, one};
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector: return {1, 0};
    default: return {alone, one};
  }
}

/* True for a loop with a compare-exchange at a uniform address. Its lanes run serially, and all but the first one fail:
 * in each iteration a single lane succeeds and exits. */
bool Estimate::has_contention(const Loop &loop) const {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
      return exchange && is_uniform(exchange->getPointerOperand());
    });
  });
}

/* True for arithmetic on an explicit vector that has the size of a register. */
bool Estimate::fills_register(const Instruction &instruction) const {
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!type || !isa<BinaryOperator>(instruction) || is_uniform(&instruction)) return false;
  return type->getNumElements() * type->getScalarSizeInBits() >= unit_.register_bits;
}

/* The block that an edge leads to: without phis and more than a branch, a block is part of the edge. */
static const BasicBlock *target_of_edge(const BasicBlock *block) {
  const BasicBlock *next = block->getUniqueSuccessor();
  return next && &*block->getFirstNonPHIOrDbg() == block->getTerminator() ? next : block;
}

/* True for an exit to a block that a branch above exits to already, as in an unrolled loop with a break. */
bool Estimate::repeats_exit(const BasicBlock *block) const {
  const BasicBlock *before = block->getSinglePredecessor();
  auto *branch = dyn_cast<BranchInst>(before->getTerminator());
  if (!branch || branch->isUnconditional()) return false;
  const BasicBlock *exit = target_of_edge(branch->getSuccessor(branch->getSuccessor(0) == block));
  if (exit == block || analysis_.dominators().dominates(block, exit)) return false;
  return any_of(predecessors(exit), [&](const BasicBlock *other) {
    if (other->getUniqueSuccessor() && other->getSinglePredecessor()) other = other->getSinglePredecessor();
    return analysis_.dominators().properlyDominates(other, before);
  });
}

/* How often a block runs, relative to its immediate dominator, without a profile. Each successor of a uniform branch is
 * as likely as the others. A successor of a divergent branch is run by half of the work-items, but the vector version
 * runs it for all lanes (LoopVectorize: getReciprocalPredBlockProb). Guards of loops are mostly passed, and so are the
 * exits of an unrolled loop but for the first one. Around a rare block both versions have a branch. */
Frequency Estimate::branch_probability(const BasicBlock *block) const {
  const BasicBlock *before = block->getSinglePredecessor();
  const unsigned successors = before ? before->getTerminator()->getNumSuccessors() : 1;
  if (successors < 2) return {1, 1};
  if (is_rare(*block)) return {rare_probability, rare_probability};
  if (is_uniformity_test(*before->getTerminator())) {
    const bool is_uniform = before->getTerminator()->getSuccessor(0) == block;
    if (is_uniform) return {uniform_probability, uniform_probability};
    return {1 - uniform_probability, 1 - uniform_probability, 1 - uniform_probability};
  }
  const Loop *loop = analysis_.loops().getLoopFor(before);
  const bool is_loop_exit = loop && (!loop->contains(block) || loop->isLoopExiting(before));
  const bool guards_loop = any_of(analysis_.loops().getLoopsInPreorder(), [&](const Loop *inner) {
    return inner->getParentLoop() == analysis_.loops().getLoopFor(block) &&
           analysis_.dominators().dominates(block, inner->getHeader());
  });
  if (is_loop_exit || guards_loop || repeats_exit(block)) return {1, 1};
  const double probability = 1.0 / successors;
  return {probability, analysis_.has_divergent_branch(before) ? 1 : probability};
}

/* How often a block runs by the loops around it. */
Frequency Estimate::loop_frequency(const BasicBlock *block) const {
  double frequency = 1, inactive_factor = 1;
  for (const Loop *loop = analysis_.loops().getLoopFor(block); loop; loop = loop->getParentLoop()) {
    frequency *= inner_trip_count / unrolled_.lookup(loop->getHeader()).factor;
    if (!analysis_.is_divergent_header(loop->getHeader())) continue;
    inactive_factor = std::max(inactive_factor, has_contention(*loop) ? width_ / 2.0 : divergent_loop_factor);
  }
  return {frequency, frequency * inactive_factor};
}

bool Estimate::is_in_divergent_loop(const BasicBlock *block) const {
  for (const Loop *loop = analysis_.loops().getLoopFor(block); loop; loop = loop->getParentLoop())
    if (analysis_.is_divergent_header(loop->getHeader())) return true;
  return false;
}

ItemCost Estimate::body() const {
  ItemCost sum;
  DenseMap<const BasicBlock *, Frequency> branch_frequencies;
  const RegisterPressure scalar(analysis_.order(), [this](const Instruction &one) { return scalar_registers(one); });
  const RegisterPressure vector(analysis_.order(), [this](const Instruction &one) { return vector_registers(one); });
  const unsigned available = unit_.registers - spare_registers;
  for (const BasicBlock *block : analysis_.order()) {
    Frequency frequency = branch_probability(block);
    if (const DomTreeNode *dominator = analysis_.dominators().getNode(block)->getIDom()) {
      const Frequency above = branch_frequencies.lookup(dominator->getBlock());
      frequency = {frequency.scalar * above.scalar, frequency.vector * above.vector, frequency.assumed * above.assumed};
    }
    branch_frequencies[block] = frequency;
    const bool is_divergent = frequency.vector > frequency.scalar && is_in_divergent_loop(block);
    const Frequency by_loops = loop_frequency(block);
    frequency.scalar *= by_loops.scalar * (1 + spill_cost * scalar.spilled_share(block, available));
    frequency.vector *= by_loops.vector;
    const double spills = spill_cost * vector.spilled_share(block, available);
    for (const Instruction &member : *block) {
      const ItemCost cost = instruction(member);
      sum.has_full_vectors |= cost.has_full_vectors || fills_register(member);
      sum.scalar += frequency.scalar * cost.scalar;
      /* The elements of a gather are in registers once, as the result of another operation is. */
      const double registers = cost.vector - cost.gathered + (cost.gathered > 0 ? 1.0 / width_ : 0);
      sum.vector += frequency.vector * (cost.vector + spills * registers);
      /* What is not known counts as if lanes never shared bounds, so that the kernel is undecided sooner. */
      const double unknown = frequency.vector / frequency.assumed;
      sum.gathered += unknown * cost.gathered;
      sum.divergent += unknown * (is_divergent ? cost.vector : cost.divergent);
    }
  }
  return sum;
}

}  // namespace

ItemCost cost_in_small_tile(ItemCost cost, unsigned width) {
  if (width > small_tile) cost.vector += (cost.vector - cost.gathered) * (double(width) / small_tile - 1);
  return cost;
}

bool is_uncertain(const ItemCost &cost, bool is_large) {
  if (cost.has_full_vectors && cost.gathered <= min_unknown_share * cost.vector) return false;
  const bool is_unknown = cost.gathered + cost.divergent > min_unknown_share * cost.vector;
  const double min_ratio = is_unknown ? min_uncertain_ratio_of_unknowns : min_uncertain_ratio;
  const double max_ratio = is_large ? 1 : is_unknown ? max_uncertain_ratio_of_unknowns : max_uncertain_ratio;
  return cost.vector > min_ratio * cost.scalar && cost.vector < max_ratio * cost.scalar;
}

ItemCost estimate_cost(const ShapeAnalysis &analysis, const PrivateMemory &memory, const AccessGroups *groups,
                       const VectorLayout *layout, FunctionVariants &functions, unsigned width, const VectorUnit &unit,
                       const UnrolledLoops &unrolled) {
  return Estimate(analysis, memory, groups, layout, functions, width, unit, unrolled).body();
}

}  // namespace quern
