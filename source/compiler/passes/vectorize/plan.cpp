/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prints vector plans. */
#include "compiler/passes/vectorize/plan.hpp"

#include <llvm/Support/Format.h>

using namespace llvm;

namespace quern {

static const char *name_of(TailPolicy policy) {
  switch (policy) {
    case TailPolicy::scalar_remainder: return "scalar remainder";
    case TailPolicy::masked: return "masked";
    case TailPolicy::masked_interleaved: return "masked and interleaved";
  }
  return "";
}

void VectorPlan::print(raw_ostream &out) const {
  if (verdict == Verdict::impossible) {
    out << "no vectors: " << why;
    return;
  }
  out << "VF=" << width << ", IC=" << interleave_count;
  if (jam_factor > 1) out << ", jam=" << jam_factor;
  out << ", tail=" << name_of(tail);
  if (is_sub_group) out << ", sub-groups";
  if (avoids_masks && tail != TailPolicy::scalar_remainder) out << ", unmasked loop";
  if (has_wide_loads) out << ", wide loads";
  if (has_uniform_versions) out << ", versions for uniform bounds";
  if (has_unmasked_version) out << ", mask-free version";
  if (nontemporal) out << ", non-temporal stores=" << nontemporal->stores.size();
  if (prefetches_next_iteration) out << ", prefetch of the next iteration";
  if (!is_sub_group)
    out << ", cost scalar=" << format("%.2f", cost.scalar) << " vector=" << format("%.2f", cost.vector);
  if (verdict == Verdict::unprofitable) out << ", unprofitable";
  if (verdict == Verdict::undecided) out << ", undecided";
}

}  // namespace quern
