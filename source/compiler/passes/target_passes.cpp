/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the target machine has, for the passes that ask. */
#include "compiler/passes/target_passes.hpp"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
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

/* True when the CPU model has the fast-gather tuning by default. The features of this target may have it removed, where
 * microcode made gathers slow. That does not apply to scatters. */
static bool has_fast_scatters(const passes_t &work) {
  const TargetMachine &machine = machine_of(work);
  if (!machine.getTargetTriple().isX86()) return false;
  const std::unique_ptr<MCSubtargetInfo> own(
      machine.getTarget().createMCSubtargetInfo(machine.getTargetTriple(), machine.getTargetCPU(), ""));
  return own->checkFeatures("+fast-gather");
}

bool has_avx512(const passes_t &work) { return has_feature(work, "+avx512f"); }

LowerLdexpPass create_lower_ldexp(const PassContext &context) { return LowerLdexpPass(has_avx512(context.work)); }

VectorizeItemsPass create_vectorize_items(const PassContext &context, unsigned width, bool may_choose) {
  return VectorizeItemsPass(width, may_choose, context.work.layout, has_feature(context.work, "+fast-gather"),
                            has_fast_scatters(context.work));
}

}  // namespace quern
