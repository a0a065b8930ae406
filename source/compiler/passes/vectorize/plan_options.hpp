/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * PlanOptions: what the parameters of vectorize-items ask of the planner. */
#ifndef COMPILER_PASSES_VECTORIZE_PLAN_OPTIONS_HPP
#define COMPILER_PASSES_VECTORIZE_PLAN_OPTIONS_HPP

#include <optional>

#include <llvm/ADT/StringRef.h>

namespace quern {

/** Decisions that are taken from the planner, as `vectorize-items<width=8;no-jam;interleave=2>` does for tests, which
 * then see one transformation alone. A value; the default takes nothing from the planner. */
struct PlanOptions {
  /** The vectorization factor; 0: the planner chooses it, and plans only what is profitable. */
  unsigned width = 0;
  /** The interleave count, of vectors or of scalar work-items, where the code permits it; 0: the planner chooses. */
  unsigned interleave_count = 0;
  /** Work-items stay scalar, as if that were always faster. */
  bool stays_scalar = false;
  /** Transformations that the planner may choose: unroll-and-jam over y, versions for strides, the mask-free version,
   * non-temporal stores, prefetches of the next iteration, inner loops unrolled with wide loads, versions of inner
   * loops for uniform bounds, access groups, the bound on work-items. */
  bool jam = true, versions = true, mask_free = true, nontemporal = true, prefetch = true, wide_loads = true,
       uniform_bounds = true, access_groups = true, item_bound = true;

  /** Reads `width=N`, `interleave=N`, `scalar` and `no-NAME` with `;` between them; empty for anything else. */
  static std::optional<PlanOptions> parse(llvm::StringRef text);
};

/** What parse() reads, for lists of passes. */
inline constexpr char plan_options_syntax[] =
    "width=N;interleave=N;scalar;no-jam;no-versions;no-mask-free;no-nontemporal;no-prefetch;no-wide-loads;"
    "no-uniform-bounds;no-access-groups;no-item-bound";

}  // namespace quern

#endif
