/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The list of passes. */
#include "compiler/passes/registry.hpp"

#include <optional>

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "compiler/passes/adapters.hpp"
#include "compiler/passes/analysis_printers.hpp"
#include "compiler/passes/assumptions.hpp"
#include "compiler/passes/constant_divisions.hpp"
#include "compiler/passes/distinct_arguments.hpp"
#include "compiler/passes/distribute_extensions.hpp"
#include "compiler/passes/divide_functions.hpp"
#include "compiler/passes/induction_variables.hpp"
#include "compiler/passes/item_passes.hpp"
#include "compiler/passes/ldexp.hpp"
#include "compiler/passes/library_calls.hpp"
#include "compiler/passes/limit_unroll.hpp"
#include "compiler/passes/local_atomics.hpp"
#include "compiler/passes/narrow_recurrences.hpp"
#include "compiler/passes/optimize.hpp"
#include "compiler/passes/or_to_add.hpp"
#include "compiler/passes/private_arguments.hpp"
#include "compiler/passes/private_arrays.hpp"
#include "compiler/passes/private_mem_intrinsics.hpp"
#include "compiler/passes/private_memmoves.hpp"
#include "compiler/passes/private_volatile.hpp"
#include "compiler/passes/rare_calls.hpp"
#include "compiler/passes/recompose_divisions.hpp"
#include "compiler/passes/rematerialize_loads.hpp"
#include "compiler/passes/sign_extensions.hpp"
#include "compiler/passes/target_passes.hpp"
#include "compiler/passes/vectorize/transform/first_items.hpp"
#include "compiler/passes/vectorize/transform/lower_bounds.hpp"
#include "compiler/passes/vectorize/transform/masked_loads.hpp"
#include "compiler/passes/vectorize/transform/redundant_selects.hpp"
#include "compiler/passes/vectorize/transform/split_guards.hpp"
#include "compiler/passes/vectorize/transform/trip_count_masks.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/transform/unswitch_items.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"
#include "compiler/passes/work_item_ranges.hpp"

using namespace llvm;

namespace quern {

/* The number of NAME<PARAMETER=number>, 0 of NAME; none when `text` is neither. */
static std::optional<uint64_t> parse_number(StringRef text, StringRef name, StringRef parameter) {
  if (!text.consume_front(name)) return std::nullopt;
  uint64_t number = 0;
  if (text.empty()) return number;
  if (!text.consume_front("<") || !text.consume_back(">") || !text.consume_front(parameter)) return std::nullopt;
  if (!text.consume_front("=") || text.getAsInteger(10, number)) return std::nullopt;
  return number;
}

/* The options of NAME<options>, the default ones of NAME; none when `text` is neither. */
static std::optional<PlanOptions> parse_plan_options(StringRef text, StringRef name) {
  if (!text.consume_front(name)) return std::nullopt;
  if (text.empty()) return PlanOptions();
  return text.consume_front("<") && text.consume_back(">") ? PlanOptions::parse(text) : std::nullopt;
}

static const TargetPass *find_target_pass(StringRef name, const PassContext &context) {
  const ArrayRef<TargetPass> list = target_passes(context);
  const auto *found = find_if(list, [&](const TargetPass &pass) { return name == pass.name; });
  return found == list.end() ? nullptr : found;
}

/* In a function with a `name` and a `manager`. */
#define ADD_PASS(NAME, CREATE_PASS) \
  if (name == NAME) {               \
    manager.addPass(CREATE_PASS);   \
    return true;                    \
  }
#define ADD_PASS_WITH_NUMBER(NAME, PARAMETER, CREATE_PASS) \
  if (auto parsed = parse_number(name, NAME, PARAMETER)) { \
    [[maybe_unused]] const uint64_t number = *parsed;      \
    manager.addPass(CREATE_PASS);                          \
    return true;                                           \
  }

bool add_module_pass(StringRef name, ModulePassManager &manager, PassContext &context) {
#define MODULE_PASS(NAME, CREATE_PASS) ADD_PASS(NAME, CREATE_PASS)
#define MODULE_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) ADD_PASS_WITH_NUMBER(NAME, PARAMETER, CREATE_PASS)
#define MODULE_PIPELINE(NAME, ADD_PASSES) \
  if (name == NAME) {                     \
    ADD_PASSES(manager, context);         \
    return true;                          \
  }
#include "compiler/passes/passes.def"
#define MODULE_PASS(NAME, CREATE_PASS) ADD_PASS(NAME, CREATE_PASS)
#include "compiler/passes/llvm_passes.def"
  const TargetPass *pass = find_target_pass(name, context);
  if (!pass || !pass->add_to_module) return false;
  pass->add_to_module(manager);
  return true;
}

bool add_function_pass(StringRef name, FunctionPassManager &manager, PassContext &context) {
#define FUNCTION_PASS(NAME, CREATE_PASS) ADD_PASS(NAME, CREATE_PASS)
#define FUNCTION_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) ADD_PASS_WITH_NUMBER(NAME, PARAMETER, CREATE_PASS)
#define FUNCTION_PASS_WITH_PLAN_OPTIONS(NAME, CREATE_PASS) \
  if (auto parsed = parse_plan_options(name, NAME)) {      \
    const PlanOptions &plan_options = *parsed;             \
    manager.addPass(CREATE_PASS);                          \
    return true;                                           \
  }
#define FUNCTION_ANALYSIS(NAME, CREATE_PASS)                                 \
  if (name == "require<" NAME ">") {                                         \
    manager.addPass(RequireAnalysisPass<decltype(CREATE_PASS), Function>()); \
    return true;                                                             \
  }                                                                          \
  if (name == "invalidate<" NAME ">") {                                      \
    manager.addPass(InvalidateAnalysisPass<decltype(CREATE_PASS)>());        \
    return true;                                                             \
  }
#include "compiler/passes/passes.def"
#define FUNCTION_PASS(NAME, CREATE_PASS) ADD_PASS(NAME, CREATE_PASS)
#include "compiler/passes/llvm_passes.def"
  const TargetPass *pass = find_target_pass(name, context);
  if (!pass || !pass->add_to_function) return false;
  pass->add_to_function(manager);
  return true;
}

bool add_loop_pass(StringRef name, LoopPassManager &manager) {
#define LOOP_PASS(NAME, CREATE_PASS) ADD_PASS(NAME, CREATE_PASS)
#include "compiler/passes/passes.def"
#define LOOP_PASS(NAME, CREATE_PASS) ADD_PASS(NAME, CREATE_PASS)
#include "compiler/passes/llvm_passes.def"
  return false;
}

/* What instrumentation calls the passes that it knows by their classes. `number` is not evaluated. */
static void name_classes(PassInstrumentationCallbacks &callbacks, PassContext &context) {
  [[maybe_unused]] constexpr uint64_t number = 0;
  [[maybe_unused]] const PlanOptions plan_options;
#define NAME_CLASS(NAME, CREATE_PASS) callbacks.addClassToPassName(decltype(CREATE_PASS)::name(), NAME);
#define MODULE_PASS(NAME, CREATE_PASS) NAME_CLASS(NAME, CREATE_PASS)
#define MODULE_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) NAME_CLASS(NAME, CREATE_PASS)
#define FUNCTION_PASS(NAME, CREATE_PASS) NAME_CLASS(NAME, CREATE_PASS)
#define LOOP_PASS(NAME, CREATE_PASS) NAME_CLASS(NAME, CREATE_PASS)
#define FUNCTION_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) NAME_CLASS(NAME, CREATE_PASS)
#define FUNCTION_PASS_WITH_PLAN_OPTIONS(NAME, CREATE_PASS) NAME_CLASS(NAME, CREATE_PASS)
#define FUNCTION_ANALYSIS(NAME, CREATE_PASS) NAME_CLASS(NAME, CREATE_PASS)
#include "compiler/passes/passes.def"
#undef NAME_CLASS
  for (const TargetPass &pass : target_passes(context)) callbacks.addClassToPassName(pass.class_name(), pass.name);
}

bool is_required_pass(StringRef name, PassContext &context) {
  [[maybe_unused]] constexpr uint64_t number = 0;
  [[maybe_unused]] const PlanOptions plan_options;
#define ANSWER(NAME, CREATE_PASS) \
  if (name == NAME) return IsRequired<decltype(CREATE_PASS)>::value;
#define MODULE_PASS(NAME, CREATE_PASS) ANSWER(NAME, CREATE_PASS)
#define MODULE_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) ANSWER(NAME, CREATE_PASS)
#define FUNCTION_PASS(NAME, CREATE_PASS) ANSWER(NAME, CREATE_PASS)
#define LOOP_PASS(NAME, CREATE_PASS) ANSWER(NAME, CREATE_PASS)
#define FUNCTION_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) ANSWER(NAME, CREATE_PASS)
#define FUNCTION_PASS_WITH_PLAN_OPTIONS(NAME, CREATE_PASS) ANSWER(NAME, CREATE_PASS)
#include "compiler/passes/passes.def"
#undef ANSWER
  const TargetPass *pass = find_target_pass(name, context);
  return pass && pass->is_required;
}

void register_passes(PassBuilder &builder, PassInstrumentationCallbacks &callbacks, PassContext &context) {
  builder.registerAnalysisRegistrationCallback([](FunctionAnalysisManager &analyses) {
#define FUNCTION_ANALYSIS(NAME, CREATE_PASS) analyses.registerPass([] { return CREATE_PASS; });
#include "compiler/passes/passes.def"
  });
  callbacks.registerClassToPassNameCallback([&] { name_classes(callbacks, context); });
}

}  // namespace quern

extern "C" void passes_write_names(const target_passes_t *target, text_t *out) {
#define MODULE_PASS(NAME, CREATE_PASS) text_append(out, NAME "\n");
#define MODULE_PIPELINE(NAME, ADD_PASSES) text_append(out, NAME "\n");
#define MODULE_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) text_append(out, NAME "<" PARAMETER "=N>\n");
#define FUNCTION_PASS(NAME, CREATE_PASS) text_append(out, NAME "\n");
#define LOOP_PASS(NAME, CREATE_PASS) text_append(out, NAME "\n");
#define FUNCTION_PASS_WITH_PARAMS(NAME, PARAMETER, CREATE_PASS) text_append(out, NAME "<" PARAMETER "=N>\n");
#define FUNCTION_PASS_WITH_PLAN_OPTIONS(NAME, CREATE_PASS) text_appendf(out, NAME "<%s>\n", quern::plan_options_syntax);
#include "compiler/passes/passes.def"
  if (!target) return;
  for (const quern::TargetPass &pass : target->list) text_appendf(out, "%s\n", pass.name);
}
