/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The passes of the work-item vectorizer: all item loops of a function, with versions and remarks. */
#include "compiler/passes/vectorize/vectorize.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/target_costs.hpp"
#include "compiler/passes/vectorize/analysis/idempotence.hpp"
#include "compiler/passes/vectorize/decision_report.hpp"
#include "compiler/passes/vectorize/loop_writer.hpp"
#include "compiler/passes/vectorize/planner.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

using namespace llvm;

namespace quern {

/* The share of the general cost that a version must save to be profitable. */
static constexpr double min_version_saving = 0.3;

/* Blocks of a function that may have a scalar variant: a larger one is not compiled twice. */
static constexpr size_t max_measured_blocks = 512;

/* Instructions of a function, with those that it calls, above which no vectors are tried that are estimated to be
 * slower. */
static constexpr size_t max_tried_instructions = 3000;

/* Work-items add to global memory in an order that differs from run to run, and with it the bits of the sums. */
static bool is_unordered_addition(const Instruction &instruction) {
  auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
  if (!atomic || atomic->getPointerAddressSpace() != global_space) return false;
  return atomic->getOperation() == AtomicRMWInst::FAdd || atomic->getOperation() == AtomicRMWInst::FSub;
}

/* True for an operation of doubles whose only flag is arcp, as those of rsqrt() are: leave_undecided() drops it. */
static bool may_lose_reciprocal(const Instruction &instruction) {
  FastMathFlags flags = instruction.getFastMathFlags();
  flags.setAllowReciprocal(false);
  return instruction.getType()->getScalarType()->isDoubleTy() && flags.none();
}

/* Operations that the vector and the scalar variant may round differently: what their flags permit to reassociate, to
 * contract or to approximate, and floating-point atomics in local memory, whose order the work-group has. */
static bool may_round_differently(const Instruction &instruction) {
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) return atomic->isFloatingPointOperation();
  if (!isa<FPMathOperator>(instruction)) return false;
  FastMathFlags flags = instruction.getFastMathFlags();
  return flags.allowReassoc() || flags.allowReciprocal() || flags.allowContract() || flags.approxFunc();
}

/* True when the choice between the vector and the scalar variant may depend on measured time: both give the same bits,
 * or no two runs do anyway. */
static bool may_be_chosen_by_time(Function &function) {
  if (any_of(instructions(function), is_unordered_addition)) return true;
  auto rounds_differently = [](const Function *one) { return any_of(instructions(*one), may_round_differently); };
  return all_of(instructions(function),
                [](const Instruction &one) {
                  return !may_round_differently(one) || (isa<FPMathOperator>(one) && may_lose_reciprocal(one));
                }) &&
         none_of(find_callees(function), rounds_differently);
}

/* Whether the loop runs instead of another one. */
static bool is_alternative(const ItemLoop &loop) {
  return is_border_loop(*loop.loop) || is_unswitched_loop(*loop.loop);
}

static bool is_large(const Function &function) {
  size_t count = function.getInstructionCount();
  for (const Function *callee : find_callees(function)) count += callee->getInstructionCount();
  return count > max_tried_instructions;
}

namespace {

/* Vectorizes all item loops of a function, and tells of it. */
class FunctionVectorizer {
 public:
  FunctionVectorizer(Function &function, LoopInfo &loops, const VectorTarget &target, const work_group_layout_t &layout,
                     const PlanOptions &options)
      : function_(function),
        loop_info_(loops),
        target_(target),
        layout_(layout),
        options_(options),
        planner_(functions_, target),
        is_large_(is_large(function)),
        report_(function) {
    find_loops(loops);
  }

  /** Vectorizes the profitable loops. Returns the largest vectorization factor, or 0. */
  unsigned run(unsigned width);
  /** Whether loops that stay scalar were modified (LoopWriter::write_scalar). */
  bool modifies_scalar() const { return modifies_scalar_; }
  /** Vectorizes all loops with factor `width`, as all sub-groups have one size. Where a loop cannot be vectorized, all
   * sub-groups have one work-item. Returns the factor, or 0. */
  unsigned run_sub_groups(unsigned width);
  /** Makes the plans an attribute of the function. */
  void publish() const;

 private:
  void find_loops(LoopInfo &loops);
  unsigned unroll_and_jam(ItemLoop &loop, unsigned width);
  bool may_stay_undecided() const;
  using Plans = SmallVector<std::unique_ptr<PlannedLoop>, 8>;
  bool has_one_unswitched() const;
  std::optional<ItemCost> undecided_sum(const Plans &plans) const;
  void leave_undecided(const ItemCost &cost);
  PlanRequest request(const ItemLoop &loop, unsigned width, bool is_remainder) const;
  std::unique_ptr<PlannedLoop> plan(const ItemLoop &loop, unsigned width, bool is_remainder);
  bool write_versions(const PlannedLoop &general, LoopWriter &general_writer);
  unsigned write_scalar(const PlannedLoop &planned, LoopWriter &writer);
  unsigned vectorize(ItemLoop &loop, unsigned width, std::unique_ptr<PlannedLoop> planned);
  void record(const VectorPlan &plan);

  Function &function_;
  const LoopInfo &loop_info_;
  const VectorTarget &target_;
  const work_group_layout_t &layout_;
  const PlanOptions options_;
  FunctionVariants functions_;
  const Planner planner_;
  const bool is_large_;
  SmallVector<ItemLoop, 8> loops_;
  bool lost_loops_ = false, modifies_scalar_ = false;
  /* Of the vectors that are planned, on the stack. */
  uint64_t private_bytes_ = 0;
  DecisionReport report_;
  std::string plans_;
};

void FunctionVectorizer::record(const VectorPlan &plan) {
  raw_string_ostream out(plans_);
  plan.print(out);
  out << "\n";
  report_.planned(plan);
}

void FunctionVectorizer::publish() const {
  if (!plans_.empty()) function_.addFnAttr(VectorizeItemsPass::plans, plans_);
}

void FunctionVectorizer::find_loops(LoopInfo &loops) {
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const char *why;
    if (auto item_loop = ItemLoop::match(*loop, why)) {
      loops_.push_back(*item_loop);
    } else if (why) {
      lost_loops_ = true;
      report_.begin(*loop);
      report_.refused(why);
    }
  }
}

/* Vectorizes with unroll-and-jam of the y loop where it is profitable; `loop` becomes the remainder loop. Returns the
 * vectorization factor, or 0. */
unsigned FunctionVectorizer::unroll_and_jam(ItemLoop &loop, unsigned width) {
  auto y_loop = options_.jam ? YLoop::match(loop) : std::nullopt;
  if (!y_loop || !y_loop->can_unroll_and_jam(loop_info_)) return 0;
  PlanRequest request;
  request.options = options_;
  request.width = width;
  request.max_private_bytes = max_call_private_bytes;
  const auto planned = planner_.plan(loop, &*y_loop, request);
  if (!planned->plan.has_vectors) return 0;
  record(planned->plan);
  LoopWriter writer(*planned, functions_, layout_);
  writer.write();
  report_.vectorized(planned->plan, writer.has_unmasked_version(), functions_.take_remarks());
  loop = writer.remainder();
  return planned->plan.width;
}

/* True when both variants may be kept: all item loops are known, and results do not depend on the choice. */
bool FunctionVectorizer::may_stay_undecided() const {
  return !lost_loops_ && !function_.hasFnAttribute(VectorizeItemsPass::undecided) &&
         function_.size() <= max_measured_blocks && may_be_chosen_by_time(function_);
}

/* True when the function's loops are copies of one, of which each launch runs the same one. */
bool FunctionVectorizer::has_one_unswitched() const {
  return count_if(loops_, [](const ItemLoop &it) { return !is_unswitched_loop(*it.loop); }) == 1;
}

/* The cost of a function with several item loops if the estimate of those with vectors is uncertain, and they matter.
 * What the scalar variant competes with is what the cost model chooses for each of them. Tiles of two dimensions are
 * the program's choice, and may have fewer work-items along x than a vector has lanes. Of copies, each matters. */
std::optional<ItemCost> FunctionVectorizer::undecided_sum(const Plans &plans) const {
  ItemCost sum;
  double vector_in_tiles = 0;
  bool has_uncertain = false;
  for (const auto &planned : plans) {
    const VectorPlan &plan = planned->plan;
    if (plan.verdict == Verdict::impossible) continue;
    const Loop *outer = planned->analyses.loop.loop->getParentLoop();
    const ItemCost in_tiles = outer && is_y_loop(*outer) ? cost_in_small_tile(plan.cost, plan.width) : plan.cost;
    const bool is_candidate = plan.has_vectors || has_one_unswitched();
    has_uncertain |= is_candidate && (is_uncertain(plan.cost, is_large_) || is_uncertain(in_tiles, is_large_));
    sum.scalar += plan.cost.scalar;
    sum.vector += plan.chosen_cost();
    vector_in_tiles += plan.has_vectors ? in_tiles.vector : plan.chosen_cost();
    if (!plan.has_vectors) continue;
    sum.gathered += plan.cost.gathered;
    sum.divergent += plan.cost.divergent;
  }
  ItemCost sum_in_tiles = sum;
  sum_in_tiles.vector = vector_in_tiles;
  const bool matters = has_one_unswitched() || is_uncertain(sum, is_large_) || is_uncertain(sum_in_tiles, is_large_);
  return has_uncertain && matters ? std::optional(sum) : std::nullopt;
}

/* Both variants of an undecided function round divisions and roots alike: none may be approximated. */
void FunctionVectorizer::leave_undecided(const ItemCost &cost) {
  for (Instruction &instruction : instructions(function_)) {
    instruction.setMetadata(LLVMContext::MD_fpmath, nullptr);
    if (isa<FPMathOperator>(instruction) && may_lose_reciprocal(instruction)) instruction.setHasAllowReciprocal(false);
  }
  function_.addFnAttr(VectorizeItemsPass::undecided,
                      cost.vector > cost.scalar ? VectorizeItemsPass::expects_scalar : "");
}

/* Versions the loop for the values of a stride or mask for which the lanes' elements are contiguous. False if there is
 * no profitable version. */
bool FunctionVectorizer::write_versions(const PlannedLoop &general, LoopWriter &general_writer) {
  if (!options_.versions) return false;
  PlanRequest request;
  request.options = options_;
  request.width = general.plan.width;
  request.max_private_bytes = max_call_private_bytes;
  request.versioned_stride = planner_.find_versioned_stride(general, loop_info_);
  if (!request.versioned_stride) return false;
  SmallVector<std::unique_ptr<PlannedLoop>, 3> versions;
  SmallVector<std::unique_ptr<LoopWriter>, 3> writers;
  const ItemLoop loop = general.analyses.loop;
  for (unsigned i = 0; i < request.versioned_stride->versions(); i++) {
    request.version = i;
    auto version = planner_.plan(loop, nullptr, request);
    if (!version->plan.has_vectors) continue;
    if (version->plan.chosen_cost() > (1 - min_version_saving) * general.plan.chosen_cost()) continue;
    writers.push_back(std::make_unique<LoopWriter>(*version, functions_, layout_));
    writers.back()->split_version(general_writer);
    versions.push_back(std::move(version));
  }
  for (auto &writer : writers) writer->write();
  if (!versions.empty()) report_.versioned(unsigned(versions.size()));
  return !versions.empty();
}

PlanRequest FunctionVectorizer::request(const ItemLoop &loop, unsigned width, bool is_remainder) const {
  const bool was_undecided = function_.hasFnAttribute(VectorizeItemsPass::undecided);
  PlanRequest request;
  request.options = options_;
  request.width = width;
  request.is_remainder = is_remainder;
  request.is_large = is_large_;
  request.is_one_of_several = count_if(loops_, [](const ItemLoop &it) { return !is_alternative(it); }) > 1;
  request.may_stay_undecided =
      was_undecided ? has_one_unswitched() : loops_.size() == 1 && !is_remainder && !width && may_stay_undecided();
  if (!is_remainder && options_.versions) request.versioned_stride = planner_.find_mask(loop, loop_info_);
  return request;
}

/* Plans a loop, and counts the private memory of its vectors. */
std::unique_ptr<PlannedLoop> FunctionVectorizer::plan(const ItemLoop &loop, unsigned width, bool is_remainder) {
  PlanRequest asked = request(loop, width, is_remainder);
  const uint64_t left = max_function_private_bytes - std::min(max_function_private_bytes, private_bytes_);
  asked.max_private_bytes = std::clamp(left, max_call_private_bytes, max_private_bytes);
  auto planned = planner_.plan(loop, nullptr, asked);
  if (planned->plan.has_vectors) private_bytes_ += planned->analyses.memory->size() * planned->plan.width;
  return planned;
}

/* Vectors may be profitable in the versions of a loop only; the general version then stays scalar. */
unsigned FunctionVectorizer::write_scalar(const PlannedLoop &planned, LoopWriter &writer) {
  const VectorPlan &plan = planned.plan;
  unsigned widest = 0;
  if (plan.verdict == Verdict::unprofitable) {
    if (write_versions(planned, writer)) widest = plan.width;
    modifies_scalar_ |= writer.write_scalar();
  }
  report_.refused(plan.why, plan.interleave_count);
  return plan.interleave_count == 1 ? widest : std::max(widest, plan.interleave_count);
}

/* Vectorizes one loop, with unroll-and-jam and versions. `planned` is its plan, unless it becomes a remainder of
 * unroll-and-jam; or null. Returns the largest vectorization factor, or 0. */
unsigned FunctionVectorizer::vectorize(ItemLoop &loop, unsigned width, std::unique_ptr<PlannedLoop> planned) {
  report_.begin(*loop.loop);
  const unsigned jammed_width = unroll_and_jam(loop, width);
  if (!planned || jammed_width) planned = plan(loop, width, jammed_width);
  const VectorPlan &plan = planned->plan;
  record(plan);
  LoopWriter writer(*planned, functions_, layout_);
  if (!plan.has_vectors) return std::max(jammed_width, write_scalar(*planned, writer));
  if (plan.verdict == Verdict::undecided && !function_.hasFnAttribute(VectorizeItemsPass::undecided)) {
    leave_undecided(plan.cost);
    return jammed_width;
  }
  write_versions(*planned, writer);
  writer.write();
  report_.vectorized(plan, writer.has_unmasked_version(), functions_.take_remarks());
  return std::max(jammed_width, plan.width);
}

unsigned FunctionVectorizer::run(unsigned width) {
  unsigned widest = 0;
  Plans plans(loops_.size());
  if (!width && loops_.size() > 1 && may_stay_undecided()) {
    for (auto [planned, loop] : zip(plans, loops_)) planned = plan(loop, 0, false);
    if (const auto sum = undecided_sum(plans)) {
      leave_undecided(*sum);
      return 0;
    }
  }
  for (auto [plan, loop] : zip(plans, loops_)) widest = std::max(widest, vectorize(loop, width, std::move(plan)));
  return widest;
}

unsigned FunctionVectorizer::run_sub_groups(unsigned width) {
  Plans planned;
  PlanRequest request;
  request.options = options_;
  request.width = width;
  request.is_sub_group = true;
  bool can = width > 1 && !lost_loops_;
  for (const ItemLoop &loop : loops_) {
    if (!can) break;
    report_.begin(*loop.loop);
    planned.push_back(planner_.plan(loop, nullptr, request));
    can = planned.back()->plan.has_vectors;
    record(planned.back()->plan);
    if (!can) report_.refused(planned.back()->plan.why);
  }
  for (auto &one : planned) {
    if (!can) break;
    report_.begin(*one->analyses.loop.loop);
    LoopWriter(*one, functions_, layout_).write();
    report_.vectorized(one->plan, /*has_unmasked_version=*/false, functions_.take_remarks());
  }
  planned.clear();
  replace_sub_group_width(function_, can ? width : 1);
  if (!can) lower_single_item_sub_groups(function_);
  return can ? width : 0;
}

}  // namespace

unsigned choose_sub_group_size(unsigned width) { return width ? std::min(width, largest_sub_group) : usual_sub_group; }

PreservedAnalyses VectorizeItemsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  Attribute sub_groups = function.getFnAttribute(sub_groups_attribute);
  if (function.hasFnAttribute(scalar_variant)) return PreservedAnalyses::all();
  if (!sub_groups.isValid() && !may_choose_) return PreservedAnalyses::all();
  const TargetTransformInfo &costs = analyses.getResult<TargetIRAnalysis>(function);
  const VectorTarget target = {costs, complete_target_costs(target_->costs, costs, function.getContext())};
  FunctionVectorizer vectorizer(function, analyses.getResult<LoopAnalysis>(function), target, target_->layout,
                                options_);
  unsigned widest = 0;
  if (sub_groups.isValid()) {
    unsigned size = 0;
    if (sub_groups.getValueAsString().getAsInteger(10, size) || !size) {
      size = may_choose_ ? choose_sub_group_size(options_.width) : 1;
    }
    replace_may_follow_lines(function);
    widest = vectorizer.run_sub_groups(size);
  } else {
    widest = vectorizer.run(options_.width);
  }
  vectorizer.publish();
  if (widest) function.addFnAttr(done, std::to_string(widest));
  return widest || vectorizer.modifies_scalar() || sub_groups.isValid() ? PreservedAnalyses::none()
                                                                        : PreservedAnalyses::all();
}

}  // namespace quern
