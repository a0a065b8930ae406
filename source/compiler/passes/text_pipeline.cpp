/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pipelines in text form. */
#include "compiler/passes/text_pipeline.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

using namespace llvm;

namespace quern {

namespace {

using Names = ArrayRef<StringRef>;

Error unknown(StringRef name) { return createStringError("unknown pass name '" + name + "'"); }

/* The parts between commas that are outside of all brackets; an error where brackets do not match. */
Expected<SmallVector<StringRef, 8>> split_names(StringRef text) {
  SmallVector<StringRef, 8> names;
  SmallVector<char, 8> closing;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); i++) {
    const char character = text[i];
    if (character == '(') closing.push_back(')');
    if (character == '<') closing.push_back('>');
    if (character == ')' || character == '>') {
      if (closing.empty() || closing.pop_back_val() != character)
        return createStringError("invalid pipeline '" + text + "'");
    }
    if (character != ',' || !closing.empty()) continue;
    names.push_back(text.slice(start, i));
    start = i + 1;
  }
  if (!closing.empty()) return createStringError("invalid pipeline '" + text + "'");
  names.push_back(text.substr(start));
  return names;
}

/* The text inside of WORD(...); none where `name` is something else. */
std::optional<StringRef> inside(StringRef name, StringRef word) {
  if (!name.consume_front(word) || !name.consume_front("(") || !name.consume_back(")")) return std::nullopt;
  return name;
}

Error add_loop_passes(LoopPassManager &manager, Names names) {
  for (StringRef name : names) {
    if (!add_loop_pass(name, manager)) return unknown(name);
  }
  return Error::success();
}

bool is_loop_pass(StringRef name) {
  LoopPassManager ignored;
  return add_loop_pass(name, ignored);
}

Error add_loops(FunctionPassManager &manager, Names names, bool use_memory_ssa) {
  LoopPassManager passes;
  if (Error problem = add_loop_passes(passes, names)) return problem;
  manager.addPass(createFunctionToLoopPassAdaptor(std::move(passes), use_memory_ssa));
  return Error::success();
}

Error parse_loops(FunctionPassManager &manager, StringRef text, bool use_memory_ssa) {
  Expected<SmallVector<StringRef, 8>> names = split_names(text);
  return names ? add_loops(manager, *names, use_memory_ssa) : names.takeError();
}

Error add_function_passes(FunctionPassManager &manager, Names names, PassContext &context) {
  while (!names.empty()) {
    const Names loops = names.take_while(is_loop_pass);
    if (!loops.empty()) {
      if (Error problem = add_loops(manager, loops, false)) return problem;
      names = names.drop_front(loops.size());
      continue;
    }
    const StringRef name = names.consume_front();
    const std::optional<StringRef> plain = inside(name, "loop"), memory_ssa = inside(name, "loop-mssa");
    if (plain || memory_ssa) {
      if (Error problem = parse_loops(manager, plain ? *plain : *memory_ssa, memory_ssa.has_value())) return problem;
    } else if (!add_function_pass(name, manager, context)) {
      return unknown(name);
    }
  }
  return Error::success();
}

Error add_functions(ModulePassManager &manager, Names names, PassContext &context) {
  FunctionPassManager passes;
  if (Error problem = add_function_passes(passes, names, context)) return problem;
  manager.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  return Error::success();
}

Error parse_functions(ModulePassManager &manager, StringRef text, PassContext &context) {
  Expected<SmallVector<StringRef, 8>> names = split_names(text);
  return names ? add_functions(manager, *names, context) : names.takeError();
}

bool is_of_modules(StringRef name, PassContext &context) {
  ModulePassManager ignored;
  return inside(name, "function") || add_module_pass(name, ignored, context);
}

}  // namespace

Error parse_pipeline(ModulePassManager &manager, StringRef text, PassContext &context) {
  Expected<SmallVector<StringRef, 8>> split = split_names(text);
  if (!split) return split.takeError();
  Names names = *split;
  while (!names.empty()) {
    const Names functions = names.take_until([&](StringRef name) { return is_of_modules(name, context); });
    if (!functions.empty()) {
      if (Error problem = add_functions(manager, functions, context)) return problem;
      names = names.drop_front(functions.size());
      continue;
    }
    const StringRef name = names.consume_front();
    if (const std::optional<StringRef> inner = inside(name, "function")) {
      if (Error problem = parse_functions(manager, *inner, context)) return problem;
    } else {
      add_module_pass(name, manager, context);
    }
  }
  return Error::success();
}

}  // namespace quern
