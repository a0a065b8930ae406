/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * VectorPlan: all decisions about the code of one item loop. */
#ifndef COMPILER_PASSES_VECTORIZE_PLAN_HPP
#define COMPILER_PASSES_VECTORIZE_PLAN_HPP

#include <optional>

#include <llvm/Support/raw_ostream.h>

#include "compiler/passes/vectorize/cost_model.hpp"
#include "compiler/passes/vectorize/plan_options.hpp"
#include "compiler/passes/vectorize/transform/nontemporal_stores.hpp"
#include "compiler/passes/vectorize/transform/stride_versions.hpp"

namespace quern {

/** The constraints under which a loop is planned. They come from the function around it, not from its body. */
struct PlanRequest {
  /** What the pass was asked for. */
  PlanOptions options;
  /** The vectorization factor; 0: the planner chooses it, and plans only what is profitable. */
  unsigned width = 0;
  /** The vectors are sub-groups of `width` work-items: they cannot be serialized, and there is no scalar loop to fall
   * back to. Profitability does not count. */
  bool is_sub_group = false;
  /** The loop is the remainder of unroll-and-jam and runs for few y: its code is kept small. */
  bool is_remainder = false;
  /** Both the scalar and the vector variant may be kept, and timed, where the cost model cannot tell which is
   * faster. */
  bool may_stay_undecided = false;
  /** The function is large, with those that it calls: vectors that are estimated to be slower are not worth the time to
   * compile them. */
  bool is_large = false;
  /** There is code before or after the loop, as in a kernel with barriers. That code may tell other work-groups that
   * the results are there, and non-temporal stores are not ordered with it. The code before has time to prefetch. */
  bool is_one_of_several = false;
  /** The most bytes of private variables of all lanes. */
  uint64_t max_private_bytes = quern::max_private_bytes;
  /** The value on which the loop has versions, and the number of the version to plan; empty for the general version. */
  std::optional<VersionedStride> versioned_stride;
  std::optional<unsigned> version;
};

/** What the cost model says about vectors for a loop. */
enum class Verdict : uint8_t {
  /** The loop cannot be vectorized. */
  impossible,
  /** The scalar loop is faster. */
  unprofitable,
  /** The cost model cannot tell. */
  undecided,
  profitable
};

/** Which loop runs the work-items that fill no vector. */
enum class TailPolicy : uint8_t {
  /** The scalar loop: the target has no masks. */
  scalar_remainder,
  /** One more vector, masked (tail folding). */
  masked,
  /** The only vector loop is masked and interleaved; few work-items run in the scalar loop. */
  masked_interleaved
};

/** How the code of one item loop is to be written: the counterpart of VPlan, for loops over work-items. It is a value;
 * only the planner makes and changes it. */
struct VectorPlan {
  Verdict verdict = Verdict::impossible;
  /** Vectors are written: the verdict does not speak against them, or the request asked for them. */
  bool has_vectors = false;
  /** The reason why there are no vectors. */
  const char *why = nullptr;
  /** The vectorization factor (VF), and the number of vectors in one iteration (IC). Without vectors IC is the number
   * of scalar work-items. */
  unsigned width = 0, interleave_count = 1;
  /** Iterations of the y loop in one iteration of the item loop; 1 without unroll-and-jam. */
  unsigned jam_factor = 1;
  TailPolicy tail = TailPolicy::scalar_remainder;
  bool is_sub_group = false;
  /** The target emulates masks for some access of the body, lane by lane, or stores slowly under them. Work-items that
   * fill vectors run in unmasked loops, whatever runs the others. */
  bool avoids_masks = false;
  /** Loads of the next iteration of an enclosing loop are prefetched. */
  bool prefetches_next_iteration = false;
  /** A version without masks, for work-groups that whole vectors fill, is to be tried (UnmaskedVersion). */
  bool has_unmasked_version = false;
  /** Inner loops of the body are unrolled with wide loads. */
  bool has_wide_loads = false;
  /** Inner loops of the body have versions for bounds that all lanes share (version_uniform_loops). */
  bool has_uniform_versions = false;
  /** The stores that bypass the caches where the results are large, or empty. */
  std::optional<NonTemporalStores> nontemporal;
  /** The estimated cost of one work-item. */
  ItemCost cost;

  /** The cost of one work-item in the cheaper form. */
  double chosen_cost() const { return verdict == Verdict::unprofitable ? cost.scalar : cost.vector; }
  /** Prints the plan in one line, for `quernc --emit=plan`. */
  void print(llvm::raw_ostream &out) const;
};

}  // namespace quern

#endif
