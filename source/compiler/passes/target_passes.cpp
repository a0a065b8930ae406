/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the target machine has, for the passes that ask. */
#include "compiler/passes/target_passes.hpp"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

namespace quern {

static const TargetMachine &machine_of(const passes_t &work) {
  return *reinterpret_cast<const TargetMachine *>(work.machine);
}

/* True when an x86 target has a subtarget feature, or a tuning flag. */
static bool has_feature(const passes_t &work, const char *feature) {
  const TargetMachine &machine = machine_of(work);
  return machine.getTargetTriple().isX86() && machine.getMCSubtargetInfo()->checkFeatures(feature);
}

bool has_avx512(const passes_t &work) { return has_feature(work, "+avx512f"); }

LowerLdexpPass create_lower_ldexp(const PassContext &context) { return LowerLdexpPass(has_avx512(context.work)); }

VectorizeItemsPass create_vectorize_items(const PassContext &context, unsigned width, bool may_choose) {
  return VectorizeItemsPass(width, may_choose, context.work.target);
}

}  // namespace quern
