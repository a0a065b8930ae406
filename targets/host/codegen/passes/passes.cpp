/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The passes for x86 CPUs, and where the pipelines run them. */
#include "host/codegen/passes/passes.h"

#include "compiler/passes/required_module_pass.hpp"
#include "compiler/passes/target_passes.hpp"
#include "host/codegen/features.hpp"
#include "host/codegen/passes/byte_shuffles.hpp"
#include "host/codegen/passes/gather_indices.hpp"
#include "host/codegen/passes/half_rounding.hpp"
#include "host/codegen/passes/ldexp_to_scalef.hpp"
#include "host/codegen/passes/mask_phis.hpp"
#include "host/codegen/passes/masked_elements.hpp"
#include "host/codegen/passes/masked_stores.hpp"
#include "host/codegen/passes/reciprocal_estimates.hpp"
#include "host/codegen/passes/reciprocals.hpp"
#include "host/codegen/passes/uses.hpp"

using namespace llvm;
using namespace quern;

namespace {

class RoundHalvesToEvenPass : public RequiredModulePass<RoundHalvesToEvenPass, round_halves_to_even> {};
class ForbidReciprocalEstimatesPass
    : public RequiredModulePass<ForbidReciprocalEstimatesPass, forbid_reciprocal_estimates> {};
class FixByteShufflesPass : public RequiredModulePass<FixByteShufflesPass, fix_byte_shuffles> {};

class DivideUsesPass : public PassInfoMixin<DivideUsesPass> {
 public:
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    divide_uses(module);
    return PreservedAnalyses::none();
  }
};

}  // namespace

static constexpr TargetPass list[] = {
#define MODULE_PASS(NAME, CLASS) target_module_pass<CLASS>(NAME),
#define FUNCTION_PASS(NAME, CLASS) target_function_pass<CLASS>(NAME),
#include "host/codegen/passes/passes.def"
};

static void lower(FunctionPassManager &passes, const TargetMachine &machine) {
  if (host_has_avx512(machine)) passes.addPass(LdexpToScalefPass());
}

static void finish_function(FunctionPassManager &passes, const TargetMachine &machine) {
  passes.addPass(NarrowGatherIndicesPass());
  if (host_has_avx512(machine)) passes.addPass(ReciprocalsPass());
  if (host_lacks_narrow_masks(machine)) passes.addPass(WidenMaskedElementsPass());
  if (host_has_slow_masked_stores(machine)) passes.addPass(TestMaskedStoresPass());
  if (machine.getTargetTriple().isX86() && !host_has_avx512(machine)) passes.addPass(WidenMaskPhisPass());
}

static void finish_module(ModulePassManager &passes, const TargetMachine &machine) {
  passes.addPass(RoundHalvesToEvenPass());
  passes.addPass(ForbidReciprocalEstimatesPass());
  passes.addPass(FixByteShufflesPass());
  if (machine.getTargetTriple().isX86()) passes.addPass(DivideUsesPass());
}

const target_passes_t host_passes = {list, lower, finish_function, finish_module};
