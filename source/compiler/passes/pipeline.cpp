/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Analyses and instrumentation. */
#include "compiler/passes/pipeline.hpp"

#include <cassert>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "base/options.h"
#include "compiler/passes/address_space_aa.hpp"
#include "compiler/passes/remarks.hpp"
#include "compiler/passes/statistics.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/text_pipeline.hpp"

using namespace llvm;

namespace quern {

static constexpr StringRef vectorizer = "vectorize-items";

static PipelineTuningOptions tuning_options() {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  tuning.LoopInterleaving = true;
  return tuning;
}

Pipeline::Pipeline(PassContext &context, bool verify_each)
    : context_(context),
      machine_(reinterpret_cast<TargetMachine *>(context.work.machine)),
      verify_(/*DebugLogging=*/false),
      builder_(machine_, tuning_options(), std::nullopt, &callbacks_),
      library_(machine_->getTargetTriple()) {
  register_passes(builder_, callbacks_, context_);
  functions_.registerPass([&] { return TargetLibraryAnalysis(library_); });
  register_alias_analyses(builder_, functions_);
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(sccs_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  print_.registerCallbacks(callbacks_);
  if (verify_each) verify_.registerCallbacks(callbacks_, &modules_);
  if (*options_get()->disable_passes) disable_passes();
  enable_statistics();
  note_passes();
}

/* Kernels with sub-groups have no other form than vectors. */
static bool must_vectorize(StringRef name, const Any &ir) {
  auto *function = any_cast<const Function *>(&ir);
  return name == vectorizer && function && (*function)->hasFnAttribute(sub_groups_attribute);
}

void Pipeline::disable_passes() {
  callbacks_.registerShouldRunOptionalPassCallback([this](StringRef id, Any ir) {
    StringRef name = callbacks_.getPassNameForClassName(id);
    return name.empty() || must_vectorize(name, ir) ||
           !options_set_has(options_get()->disable_passes, name.str().c_str());
  });
}

void Pipeline::note_passes() {
  callbacks_.registerBeforeNonSkippedPassCallback([this](StringRef id, Any ir) {
    if (trace_) trace_->note(id, ir);
  });
}

PreservedAnalyses Pipeline::run(ModulePassManager &passes, LLVMModuleRef module) {
  Trace trace;
  trace_ = &trace;
  PreservedAnalyses preserved = passes.run(*unwrap(module), modules_);
  trace_ = nullptr;
  return preserved;
}

void Pipeline::Trace::note(StringRef pass, const Any &ir) {
  pass_ = pass;
  function_ = {};
  if (auto *function = any_cast<const Function *>(&ir)) function_ = (*function)->getName();
  if (auto *loop = any_cast<const Loop *>(&ir)) function_ = (*loop)->getHeader()->getParent()->getName();
}

void Pipeline::Trace::print(raw_ostream &out) const {
  out << "Running pass " << (pass_.empty() ? "manager" : pass_);
  if (!function_.empty()) out << " on function '" << function_ << "'";
  out << "\n";
}

}  // namespace quern

using namespace quern;

/* LLVM lists its passes, with an example of their parameters, one a line, under headings. */
static bool is_known_to_llvm(StringRef name, PassBuilder &builder) {
  std::string list;
  raw_string_ostream stream(list);
  builder.printPassNames(stream);
  SmallVector<StringRef, 0> lines;
  StringRef(list).split(lines, '\n');
  return any_of(lines, [&](StringRef line) { return line.consume_front("  ") && line.split('<').first == name; });
}

/* Of a pass that may run, whether or not a pipeline in text form may name it. */
static bool is_known(StringRef name, PassBuilder &builder, PassContext &context) {
  ModulePassManager modules;
  FunctionPassManager functions;
  LoopPassManager loops;
  return add_module_pass(name, modules, context) || add_function_pass(name, functions, context) ||
         add_loop_pass(name, loops) || is_known_to_llvm(name, builder);
}

static bool check_names(const char *option, StringRef names, bool disables, Pipeline &pipeline, PassContext &context) {
  SmallVector<StringRef, 8> list;
  names.split(list, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : list) {
    const bool is_refused = disables && is_required_pass(name, context);
    if (!is_refused && is_known(name, pipeline.builder(), context)) continue;
    text_appendf(context.log, "error: %s: %s '%.*s'\n", option, is_refused ? "correct code needs" : "there is no pass",
                 int(name.size()), name.data());
    context.result = compiler_error_invalid_value;
  }
  return context.result == compiler_success;
}

extern "C" compiler_result_t passes_check_options(passes_t *passes, text_t *log) {
  const options_t *options = options_get();
  const StringRef disabled = options->disable_passes, printed = options->print_after;
  if (disabled.empty() && printed.empty()) return compiler_success;
  PassContext context = {*passes, log};
  Pipeline pipeline(context);
  check_names("QUERN_DISABLE_PASSES", disabled, true, pipeline, context);
  if (printed != "all") check_names("QUERN_PRINT_AFTER", printed, false, pipeline, context);
  return context.result;
}

extern "C" compiler_result_t passes_run(passes_t *passes, const char *text, bool verify_each, text_t *log) {
  assert(passes->module && passes->machine && "a pipeline runs on a module for a machine");
  PassContext context = {*passes, log};
  const RemarkCollector remarks(unwrap(passes->module)->getContext(), passes->remarks);
  Pipeline pipeline(context, verify_each);
  ModulePassManager manager;
  if (Error problem = parse_pipeline(manager, text, context)) {
    text_appendf(log, "error: %s\n", toString(std::move(problem)).c_str());
    return compiler_error_invalid_value;
  }
  pipeline.run(manager, passes->module);
  return context.result;
}
