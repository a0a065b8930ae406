/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes of a target's own, and where the pipelines run them. */
#ifndef COMPILER_PASSES_TARGET_PASSES_HPP
#define COMPILER_PASSES_TARGET_PASSES_HPP

#include <type_traits>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/passes/registry.hpp"

namespace quern {

/** A pass that a target has beside those of passes.def; pipelines in text form know it by its name. */
struct TargetPass {
  const char *name;
  /** Correct code needs it. */
  bool is_required;
  llvm::StringRef (*class_name)();
  /** One of them is null. */
  void (*add_to_function)(llvm::FunctionPassManager &passes);
  void (*add_to_module)(llvm::ModulePassManager &passes);
};

/** Whether a class is compiled to be required. */
template <class Pass, class = void>
struct IsRequired : std::false_type {};
template <class Pass>
struct IsRequired<Pass, std::void_t<decltype(Pass::isRequired())>> : std::true_type {};

template <class Pass>
constexpr TargetPass target_function_pass(const char *name) {
  return {name, IsRequired<Pass>::value, Pass::name, [](llvm::FunctionPassManager &passes) { passes.addPass(Pass()); },
          nullptr};
}

template <class Pass>
constexpr TargetPass target_module_pass(const char *name) {
  return {name, IsRequired<Pass>::value, Pass::name, nullptr,
          [](llvm::ModulePassManager &passes) { passes.addPass(Pass()); }};
}

}  // namespace quern

/** What compiler_codegen_t.passes points to. Any of the functions may be null. */
struct target_passes_t {
  llvm::ArrayRef<quern::TargetPass> list;
  /** Before operations that processors have instructions for, like llvm.ldexp, are expanded for all of them. */
  void (*lower)(llvm::FunctionPassManager &passes, const llvm::TargetMachine &machine);
  /** The last passes of a function, after LICM; those of the module. */
  void (*finish_function)(llvm::FunctionPassManager &passes, const llvm::TargetMachine &machine);
  void (*finish_module)(llvm::ModulePassManager &passes, const llvm::TargetMachine &machine);
};

namespace quern {

/** The passes that the target has, none for a target without. */
inline llvm::ArrayRef<TargetPass> target_passes(const PassContext &context) {
  const target_passes_t *target = context.work.target_passes;
  return target ? target->list : llvm::ArrayRef<TargetPass>();
}

/** Adds what the target runs in one place of the pipeline. */
template <class Manager>
void add_target_passes(void (*target_passes_t::*place)(Manager &, const llvm::TargetMachine &), Manager &passes,
                       const PassContext &context) {
  const target_passes_t *target = context.work.target_passes;
  if (!target || !(target->*place)) return;
  (target->*place)(passes, *reinterpret_cast<const llvm::TargetMachine *>(context.work.machine));
}

}  // namespace quern

#endif
