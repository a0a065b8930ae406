/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The remarks of the vectorizer, with the loops' places in the source, and its statistics. */
#include "compiler/passes/vectorize/decision_report.hpp"

#include <map>
#include <mutex>
#include <string>

#include <llvm/ADT/Statistic.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/passes/vectorize/vectorize.hpp"

#define DEBUG_TYPE "quern-vectorize"

using namespace llvm;

namespace quern {

ALWAYS_ENABLED_STATISTIC(loops_vectorized, "loops vectorized");
ALWAYS_ENABLED_STATISTIC(loops_jammed, "loops jammed");
ALWAYS_ENABLED_STATISTIC(loops_interleaved, "loops interleaved");
ALWAYS_ENABLED_STATISTIC(scalar_loops_interleaved, "loops of scalar work-items interleaved");
ALWAYS_ENABLED_STATISTIC(loops_mask_free, "loops with a mask-free version");
ALWAYS_ENABLED_STATISTIC(loops_nontemporal, "loops with non-temporal stores");
ALWAYS_ENABLED_STATISTIC(loops_wide_loads, "loops with inner loops unrolled with wide loads");
ALWAYS_ENABLED_STATISTIC(loops_undecided, "loops with a scalar variant to be measured");
ALWAYS_ENABLED_STATISTIC(loops_versioned, "loops with versions for strides");

/* A statistic for each reason, made when it first comes up. LLVM keeps their addresses, so that they live as long as
 * the process. */
static void count_refusal(const char *why) {
  struct Refusal {
    std::string description;
    TrackingStatistic count;
    explicit Refusal(const char *why)
        : description(std::string("loops refused: ") + why), count(DEBUG_TYPE, "loops_refused", description.c_str()) {}
  };
  static std::mutex mutex;
  static auto *const refusals = new std::map<std::string, Refusal>;
  const std::lock_guard<std::mutex> guard(mutex);
  ++refusals->try_emplace(why, why).first->second.count;
}

/* Item loops have no place in the source, but what they run has. */
static DebugLoc find_location(const Loop &loop) {
  for (const BasicBlock *block : loop.blocks()) {
    for (const Instruction &instruction : *block) {
      if (instruction.getDebugLoc() && instruction.getDebugLoc().getLine()) return instruction.getDebugLoc();
    }
  }
  return DebugLoc();
}

void DecisionReport::begin(const Loop &loop) { location_ = find_location(loop); }

/* The code of the loop may be gone by now: the remark is about the function. */
template <class Remark>
Remark DecisionReport::make(StringRef name) const {
  return Remark(vectorizer_name, name, location_, &function_.getEntryBlock());
}

void DecisionReport::planned(const VectorPlan &plan) {
  std::string text;
  raw_string_ostream out(text);
  plan.print(out);
  auto remark = make<OptimizationRemarkAnalysis>("Plan");
  remark << ore::NV("Plan", text);
  emitter_.emit(remark);
}

void DecisionReport::vectorized(const VectorPlan &plan, bool has_unmasked_version, StringRef functions) {
  auto remark = make<OptimizationRemark>("Vectorized");
  remark << "vectorized (vectorization factor " << ore::NV("VectorizationFactor", plan.width);
  if (plan.interleave_count > 1) remark << ", interleave count " << ore::NV("InterleaveCount", plan.interleave_count);
  remark << ")";
  if (plan.jam_factor > 1) remark << ", unroll-and-jam by " << ore::NV("JamFactor", plan.jam_factor) << " over y";
  if (plan.has_wide_loads) remark << ", inner loops unrolled with wide loads";
  if (has_unmasked_version) remark << ", mask-free version";
  if (plan.nontemporal) remark << ", non-temporal stores";
  const bool has_scalar_variant = function_.hasFnAttribute(VectorizeItemsPass::undecided);
  if (has_scalar_variant) remark << ", or scalar, whichever is measured faster";
  if (!functions.empty()) remark << functions;
  emitter_.emit(remark);
  ++loops_vectorized;
  if (plan.jam_factor > 1) ++loops_jammed;
  if (plan.interleave_count > 1) ++loops_interleaved;
  if (has_unmasked_version) ++loops_mask_free;
  if (plan.nontemporal) ++loops_nontemporal;
  if (plan.has_wide_loads) ++loops_wide_loads;
  if (has_scalar_variant) ++loops_undecided;
}

void DecisionReport::refused(const char *why, unsigned interleave_count) {
  auto remark = make<OptimizationRemarkMissed>("NotVectorized");
  remark << "not vectorized: " << ore::NV("Reason", why);
  if (interleave_count > 1)
    remark << ", scalar work-items interleaved (interleave count " << ore::NV("InterleaveCount", interleave_count)
           << ")";
  emitter_.emit(remark);
  count_refusal(why);
  if (interleave_count > 1) ++scalar_loops_interleaved;
}

void DecisionReport::versioned(unsigned versions) {
  auto remark = make<OptimizationRemark>("Versioned");
  remark << ore::NV("Versions", versions) << (versions == 1 ? " loop version" : " loop versions")
         << " for contiguous accesses";
  emitter_.emit(remark);
  ++loops_versioned;
}

}  // namespace quern
