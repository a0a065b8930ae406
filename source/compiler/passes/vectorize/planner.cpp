/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Planning of one item loop. Here alone is known which decisions exclude each other. */
#include "compiler/passes/vectorize/planner.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/cache_footprint.hpp"
#include "compiler/passes/vectorize/analysis/recurrence_latency.hpp"
#include "compiler/passes/vectorize/transform/interleave_scalar.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

using namespace llvm;

namespace quern {

/* The share of the scalar version's cost that the vector version may have at most, where explicit vectors fill
 * registers: they have to be transposed, and what is saved beside their arithmetic keeps other units busy. */
static constexpr double max_full_vector_ratio = 0.75;

/* The maximum number of cache lines that all lanes use again and again in an inner loop. With a power of two between
 * them, all compete for one set of the first cache, 8 to 16 lines; and prefetchers follow 16 to 32 streams. */
static constexpr unsigned max_lines_in_use = 16;
/* More lanes for narrow values may take so many times the operations of fewer lanes. */
static constexpr double max_growth_by_lanes = 1.5;
/* The fewest lanes to which cache lines may reduce a vector, and a small work-group or private memory. */
static constexpr unsigned min_lanes_for_lines = 8, min_lanes_for_size = 4;

/* As many lanes as an item loop has iterations, where a required work-group size bounds them: a power of two. */
static unsigned useful_lanes(const ItemLoop &loop) {
  const SimplifyQuery query(loop.header->getDataLayout());
  const ConstantRange range = computeConstantRangeIncludingKnownBits(loop.count, /*ForSigned=*/false, query);
  const uint64_t most = range.getUnsignedMax().getLimitedValue(largest_width);
  return most < min_lanes_for_size ? largest_width : unsigned(PowerOf2Ceil(most));
}

/* Finds access groups and the layout of explicit vectors, which depend on the blocks that are proved. */
void Planner::group_accesses(PlannedLoop &planned) const {
  LoopAnalyses &analyses = planned.analyses;
  const VectorUnit &unit = planned.unit;
  if (planned.request.options.access_groups)
    analyses.groups = std::make_unique<AccessGroups>(*analyses.shapes, *analyses.memory, unit.masks_words);
  analyses.layout = std::make_unique<VectorLayout>(*analyses.shapes, *analyses.memory, analyses.groups.get(),
                                                   planned.plan.width, unit);
}

void Planner::judge_profitability(PlannedLoop &planned) const {
  LoopAnalyses &analyses = planned.analyses;
  VectorPlan &plan = planned.plan;
  const VectorUnit &unit = planned.unit;
  group_accesses(planned);
  ItemCost &cost = plan.cost;
  cost = estimate_cost(*analyses.shapes, *analyses.memory, analyses.groups.get(), analyses.layout.get(), functions_,
                       plan.width, unit, analyses.unrolled);
  if (analyses.scalar_cost) cost.scalar = *analyses.scalar_cost;
  const double max_ratio = cost.has_full_vectors ? max_full_vector_ratio : 1;
  plan.verdict = planned.request.may_stay_undecided && is_uncertain(cost, planned.request.is_large) ? Verdict::undecided
                 : cost.vector >= max_ratio * cost.scalar ? Verdict::unprofitable
                                                          : Verdict::profitable;
}

/* The number of lanes is that of 32-bit elements where there are some, so that narrow values fill a part of a register.
 * Where these are most, more lanes take hardly more operations. */
void Planner::widen_for_narrow_values(PlannedLoop &planned) const {
  const LoopAnalyses &analyses = planned.analyses;
  const VectorPlan &plan = planned.plan;
  if (!planned.unit.masks_bytes || !has_mostly_narrow_values(*analyses.body, *analyses.shapes)) return;
  const double most_operations = max_growth_by_lanes * plan.cost.vector * plan.width;
  const unsigned most = std::min(largest_width, useful_lanes(analyses.loop));
  while (plan.width < most && analyses.memory->size() * plan.width * 2 <= max_call_private_bytes) {
    set_width(planned, plan.width * 2);
    judge_profitability(planned);
    if (plan.cost.vector * plan.width <= most_operations) continue;
    set_width(planned, plan.width / 2);
    judge_profitability(planned);
    break;
  }
}

/* A gather takes time for each element, so that half a vector loses little by it. */
static bool has_too_many_lines(const PlannedLoop &planned) {
  const VectorPlan &plan = planned.plan;
  return plan.width > min_lanes_for_lines && plan.width * planned.lines_per_lane > max_lines_in_use &&
         2 * plan.cost.gathered > plan.cost.vector;
}

/* True for an access that every work-item makes, contiguous or with small gaps, and that is slow under a mask: of
 * elements for which the target has no masks, or a store where it stores slowly under them. */
static bool is_slow_under_mask(const Instruction &access, const LoopAnalyses &analyses, const VectorUnit &unit) {
  const Value *address = getLoadStorePointerOperand(&access);
  if (!address || analyses.shapes->is_masked(access.getParent())) return false;
  const bool is_wide = analyses.memory->interleaved(address) || analyses.shapes->shape(address).kind == Shape::strided;
  Type *element = getLoadStoreType(const_cast<Instruction *>(&access))->getScalarType();
  const bool is_narrow = access.getDataLayout().getTypeStoreSize(element) < 4;
  const bool is_slow_store = isa<StoreInst>(access) && unit.lanes.masked_store > 0;
  return is_wide && (is_slow_store || !(is_narrow ? unit.masks_bytes : unit.masks_words));
}

/* True for an access of an interleave group that all work-items make, whose lanes are no words, as three bytes are:
 * shuffles repeat each lane's bit of the mask for its elements (wide_access). */
static bool shuffles_mask(const Instruction &access, const LoopAnalyses &analyses) {
  const AccessGroup *group = analyses.groups ? analyses.groups->find(&access) : nullptr;
  if (!group || group->is_per_lane || analyses.shapes->is_masked(access.getParent())) return false;
  const uint64_t bytes = group->step * access.getDataLayout().getTypeStoreSize(group->element);
  return !isPowerOf2_64(bytes) || bytes > sizeof(uint64_t);
}

/* A second copy of a body that is one of several takes longer to compile than its shuffles take to run. */
static bool avoids_masks(const LoopAnalyses &analyses, const VectorUnit &unit, bool is_one_of_several) {
  if (!unit.masks_words) return true;
  const bool masks_all = unit.masks_bytes && !unit.lanes.masked_store;
  return any_of(analyses.shapes->order(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &one) {
      return (!masks_all && is_slow_under_mask(one, analyses, unit)) ||
             (!is_one_of_several && shuffles_mask(one, analyses));
    });
  });
}

void Planner::choose_interleaving(PlannedLoop &planned) const {
  const PlanRequest &request = planned.request;
  const LoopAnalyses &analyses = planned.analyses;
  VectorPlan &plan = planned.plan;
  const unsigned asked = request.options.interleave_count;
  if (!asked && (request.width || request.is_remainder)) return;
  plan.interleave_count = asked ? asked
                                : limit_interleave_count(choose_interleave_count(*analyses.shapes, analyses.y_loop),
                                                         *analyses.shapes, plan.width, target_);
  if (!asked && plan.interleave_count == 1 && plan.tail != TailPolicy::scalar_remainder && !analyses.y_loop) {
    plan.interleave_count = choose_latency_interleave_count(*analyses.shapes, plan.width, target_, analyses.unrolled);
  }
  const uint64_t lines = plan.width * planned.lines_per_lane;
  /* What a single vector accesses at once, several would gather. */
  const uint64_t bytes = plan.width * widest_lane_access(*analyses.shapes, analyses.groups.get());
  const uint64_t most_bytes = std::max(bytes, max_access_bytes);
  auto is_too_wide = [&](uint64_t count) { return lines * count > max_lines_in_use || bytes * count > most_bytes; };
  while (!asked && plan.interleave_count > 1 && is_too_wide(plan.interleave_count)) plan.interleave_count /= 2;
  /* A ballot has a bit for each lane of all vectors. */
  while (analyses.has_uniform_versions && plan.width * plan.interleave_count > largest_sub_group)
    plan.interleave_count /= 2;
  /* Interleaved vectors are widened as one, so that blocks must hold all of them. Else the accesses are gathered, which
   * costs more in a loop than interleaving gains. */
  while (plan.interleave_count > 1 && !analyses.shapes->are_loop_blocks_proved(plan.width * plan.interleave_count))
    plan.interleave_count /= 2;
  const uint64_t private_bytes = analyses.memory->size() * plan.width * plan.interleave_count;
  if (private_bytes > max_call_private_bytes || plan.width >= largest_width) plan.interleave_count = 1;
  /* What holds for interleaved vectors holds for each: proofs are lost at most. */
  if (plan.interleave_count > 1 && analyses.shapes->prove_blocks(plan.width, plan.interleave_count))
    group_accesses(planned);
}

/* Of work-items that stay scalar. */
void Planner::choose_scalar_interleaving(PlannedLoop &planned) const {
  const LoopAnalyses &analyses = planned.analyses;
  if (!can_interleave_items(*analyses.body, *analyses.shapes, *analyses.memory)) return;
  const unsigned asked = planned.request.options.interleave_count;
  planned.plan.interleave_count =
      asked ? asked : choose_latency_interleave_count(*analyses.shapes, /*width=*/1, target_, UnrolledLoops());
}

/* Inner loops unrolled with wide loads are much code, and a second copy takes longer to compile than the masks take to
 * run. Not inside a y loop: in work-groups of several dimensions, the size in x may be so small that most lanes would
 * be inactive. */
static bool is_always_masked(const LoopAnalyses &analyses, const VectorPlan &plan) {
  const Loop *parent = analyses.loop.loop->getParentLoop();
  return plan.interleave_count > 1 && !analyses.unrolled.empty() && !(parent && is_y_loop(*parent));
}

/* Non-temporal stores, the mask-free version, and the interleaving of bodies with loops exclude each other, and so do
 * jam and the first two. */
void Planner::choose_versions(PlannedLoop &planned) const {
  const PlanRequest &request = planned.request;
  const LoopAnalyses &analyses = planned.analyses;
  VectorPlan &plan = planned.plan;
  const Function &function = *analyses.loop.header->getParent();
  const bool has_masks = plan.tail != TailPolicy::scalar_remainder;
  if (has_masks && is_always_masked(analyses, plan)) plan.tail = TailPolicy::masked_interleaved;
  if (plan.interleave_count > 1 && !analyses.shapes->loops().empty()) return;
  if (request.options.nontemporal && target_.table.has_nontemporal_stores && !analyses.y_loop &&
      !request.is_one_of_several && !request.version) {
    plan.nontemporal = NonTemporalStores::find(function, *analyses.shapes, plan.width, planned.unit.register_bits / 8);
  }
  if (request.options.mask_free && has_masks && !plan.nontemporal && plan.interleave_count == 1 &&
      !request.is_remainder && !request.version) {
    /* Transposed bodies have more addresses than registers, and are not jammed further. */
    const bool is_transposed = analyses.y_loop && analyses.y_loop->is_transposed();
    planned.unmasked = UnmaskedVersion::find(analyses.loop, *analyses.shapes, plan.jam_factor,
                                             is_transposed ? 0 : planned.unit.registers);
  }
  plan.has_unmasked_version = planned.unmasked != nullptr;
}

/* Sets the vectorization factor, with what depends on it alone. */
void Planner::set_width(PlannedLoop &planned, unsigned width) const {
  planned.plan.width = width;
  planned.unit = vector_unit(target_, planned.analyses.body->function().getContext(), width);
  planned.analyses.shapes->prove_blocks(width);
}

/* The reason why a loop cannot be vectorized, or null. Sets the vectorization factor. Which work-items form a sub-group
 * does not depend on the kernel's control flow, so that its loop has no item bound. */
const char *Planner::refuse(PlannedLoop &planned) const {
  const PlanRequest &request = planned.request;
  LoopAnalyses &analyses = planned.analyses;
  VectorPlan &plan = planned.plan;
  const char *why = nullptr;
  if (!analyses.run(request, functions_, target_, why)) return why;
  unsigned width = request.width;
  auto fits_stack = [&] { return analyses.memory->size() * width <= request.max_private_bytes; };
  if (!width) {
    width = std::min(choose_width(*analyses.body, *analyses.shapes, *analyses.memory, target_.costs),
                     useful_lanes(analyses.loop));
    while (!fits_stack() && width > min_lanes_for_size) width /= 2;
  }
  set_width(planned, width);
  if (!fits_stack()) return "private variables take too much memory";
  if (request.is_sub_group) return nullptr;
  if (plan.width < 2) return "the target has no vectors";
  return analyses.y_loop && !planned.unit.masks_words ? "the target has no masked memory operations" : nullptr;
}

std::unique_ptr<PlannedLoop> Planner::plan(const ItemLoop &loop, YLoop *y_loop, const PlanRequest &request) const {
  auto planned = std::make_unique<PlannedLoop>(loop, y_loop, request);
  LoopAnalyses &analyses = planned->analyses;
  VectorPlan &plan = planned->plan;
  plan.is_sub_group = request.is_sub_group;
  plan.jam_factor = y_loop ? jam_factor : 1;
  plan.why = refuse(*planned);
  if (plan.why) return planned;
  const bool has_masks = planned->unit.masks_words;
  plan.tail = has_masks || request.is_sub_group ? TailPolicy::masked : TailPolicy::scalar_remainder;
  plan.verdict = Verdict::profitable;
  if (!request.is_sub_group) {
    planned->lines_per_lane = count_lines_per_lane(analyses.body->function(), *analyses.shapes);
    judge_profitability(*planned);
    if (!request.width && has_too_many_lines(*planned)) {
      set_width(*planned, plan.width / 2);
      judge_profitability(*planned);
    } else if (!request.width) {
      widen_for_narrow_values(*planned);
    }
    if (request.options.stays_scalar) plan.verdict = Verdict::unprofitable;
    if (plan.verdict == Verdict::unprofitable && (!request.width || request.options.stays_scalar)) {
      plan.why = "the scalar version is estimated to be faster";
      choose_scalar_interleaving(*planned);
      return planned;
    }
    choose_interleaving(*planned);
    choose_versions(*planned);
  }
  plan.has_vectors = true;
  plan.avoids_masks = avoids_masks(analyses, planned->unit, request.is_one_of_several);
  plan.has_wide_loads = !analyses.unrolled.empty();
  plan.has_uniform_versions = analyses.has_uniform_versions;
  plan.prefetches_next_iteration = request.options.prefetch && request.is_one_of_several && !y_loop &&
                                   !plan.has_unmasked_version && !request.version && analyses.shapes->loops().empty();
  return planned;
}

std::optional<VersionedStride> Planner::find_mask(const ItemLoop &loop, const LoopInfo &loops) const {
  const VectorUnit unit = vector_unit(target_, loop.header->getContext(), register_bits(target_.costs) / 32);
  return unit.masks_words ? VersionedStride::find_mask(loop, loops) : std::nullopt;
}

std::optional<VersionedStride> Planner::find_versioned_stride(const PlannedLoop &planned, const LoopInfo &loops) const {
  const LoopAnalyses &analyses = planned.analyses;
  if (planned.request.versioned_stride) return planned.request.versioned_stride;
  if (analyses.y_loop || planned.request.is_remainder || !planned.unit.masks_words) return std::nullopt;
  return VersionedStride::find_stride(*analyses.body, *analyses.shapes, analyses.loop, loops);
}

}  // namespace quern
