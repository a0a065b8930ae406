/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Families of builtins are bitcode; only those that a program calls are opened, and of those only the functions
 * called. */
#include "compiler/library/builtins.h"

#include <zstd.h>

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/Internalize.h>

extern "C" {
#include "compiler/frontend/resources.h"
}

using namespace llvm;

namespace {

StringRef as_text(const resource_t &resource) { return StringRef(resource.data, resource.size); }

/* Binary search in the sorted lines of the index; -1 when no family defines the symbol. */
int find_family(StringRef symbol) {
  StringRef index = as_text(resource_builtin_index());
  size_t low = 0, high = index.size();
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    size_t begin = index.rfind('\n', middle);
    begin = begin == StringRef::npos || begin < low ? low : begin + 1;
    size_t end = std::min(index.find('\n', begin), index.size());
    auto [name, number] = index.slice(begin, end).split(' ');
    int order = symbol.compare(name);
    if (order == 0) {
      int family = -1;
      return number.getAsInteger(10, family) ? -1 : family;
    }
    if (order < 0) {
      high = begin;
    } else {
      low = end + 1;
    }
  }
  return -1;
}

SmallBitVector needed_families(const Module &module) {
  SmallBitVector families(resource_builtin_count());
  for (const Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    int family = find_family(function.getName());
    if (family >= 0) families.set(family);
  }
  return families;
}

/* The mangled name of relaxed_f for that of f: _Z3sinf, _Z11relaxed_sinf. Empty for a name that is not of this form. */
std::string relaxed_name(StringRef symbol) {
  unsigned length = 0;
  if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length)) return "";
  return ("_Z" + Twine(length + strlen("relaxed_")) + "relaxed_" + symbol).str();
}

/* Calls that may be approximate (-cl-unsafe-math-optimizations) get the relaxed form of a function that has one. */
void relax_calls(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic() || find_family(function.getName()) < 0) continue;
    std::string relaxed = relaxed_name(function.getName());
    if (find_family(relaxed) < 0) continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != &function || !isa<FPMathOperator>(call) || !call->hasApproxFunc()) {
        continue;
      }
      call->setCalledFunction(
          module.getOrInsertFunction(relaxed, function.getFunctionType(), function.getAttributes()));
      cast<Function>(call->getCalledOperand())->setCallingConv(function.getCallingConv());
    }
  }
}

/* Null when memory ran out. */
std::unique_ptr<MemoryBuffer> expand(const resource_t &resource) {
  const size_t size = size_t(ZSTD_getFrameContentSize(resource.data, resource.size));
  auto buffer = WritableMemoryBuffer::getNewUninitMemBuffer(size, resource.name);
  if (!buffer || ZSTD_decompress(buffer->getBufferStart(), size, resource.data, resource.size) != size) return nullptr;
  return buffer;
}

Error link_family(Module &module, size_t family) {
  resource_t resource = resource_builtin(family);
  std::unique_ptr<MemoryBuffer> bitcode = expand(resource);
  if (!bitcode) return createStringError("no memory for builtins '%s'", resource.name);
  Expected<std::unique_ptr<Module>> library =
      getOwningLazyBitcodeModule(std::move(bitcode), module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!library) return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*library), Linker::Flags::LinkOnlyNeeded)) {
    return createStringError("cannot link builtins '%s'", resource.name);
  }
  return Error::success();
}

/* What the program defines. The library's is what else is defined once all is linked: names would not tell, as the
 * library has functions of its own, too, that may be renamed. */
using Definitions = SmallPtrSet<const GlobalValue *, 32>;

Definitions find_definitions(const Module &module) {
  Definitions found;
  for (const GlobalValue &value : module.global_values()) {
    if (!value.isDeclaration()) found.insert(&value);
  }
  return found;
}

/* A call that stays one is made lane by lane in a vectorized kernel, which costs several times what the function does.
 * LLVM's own limit, for scalar code, leaves out what has more than some forty instructions; this one takes in pow. */
void favour_inlining(Function &function) {
  if (function.hasFnAttribute(Attribute::NoInline)) {
    function.addFnAttr(BUILTINS_OUTLINED_ATTRIBUTE);
  } else {
    function.addFnAttr("function-inline-threshold", "600");
  }
}

/* The library's become internal, so that unused ones vanish. Not before all are linked: families call each other, and a
 * second one that calls a function would get another. */
void internalize_library(Module &module, const Definitions &own) {
  for (Function &function : module) {
    if (!function.isDeclaration() && !function.hasLocalLinkage() && !own.contains(&function)) {
      favour_inlining(function);
    }
  }
  internalizeModule(module, [&](const GlobalValue &value) { return own.contains(&value); });
}

bool is_division_of_floats(const Instruction &instruction) {
  return instruction.getOpcode() == Instruction::FDiv && instruction.getType()->getScalarType()->isFloatTy();
}

/* Divisions of floats that may be less accurate, among the library's functions. */
SmallVector<Instruction *> find_estimates(Module &module, const Definitions &own) {
  SmallVector<Instruction *> estimates;
  for (Function &function : module) {
    if (own.contains(&function)) continue;
    for (Instruction &instruction : instructions(function)) {
      if (is_division_of_floats(instruction) && instruction.getMetadata(LLVMContext::MD_fpmath)) {
        estimates.push_back(&instruction);
      }
    }
  }
  return estimates;
}

/* Whether the program itself divides floats, and has to get what is rounded correctly. */
bool divides_exactly(const Module &module, const Definitions &own) {
  return any_of(module, [&](const Function &function) {
    return own.contains(&function) && any_of(instructions(function), [](const Instruction &instruction) {
             return is_division_of_floats(instruction) && !instruction.getMetadata(LLVMContext::MD_fpmath);
           });
  });
}

/* LLVM may take one division for another one that is the same but for its accuracy (EarlyCSE): where the program's own
 * are exact, the library's all are. */
void keep_divisions_exact(Module &module, const Definitions &own) {
  const SmallVector<Instruction *> estimates = find_estimates(module, own);
  if (estimates.empty() || !divides_exactly(module, own)) return;
  for (Instruction *estimate : estimates) estimate->setMetadata(LLVMContext::MD_fpmath, nullptr);
}

}  // namespace

extern "C" compiler_result_t builtins_link(LLVMModuleRef handle, text_t *log) {
  Module &module = *unwrap(handle);
  const Definitions own = find_definitions(module);
  relax_calls(module);
  /* A family may call another; each round links what the last one left open. A family can be wanted twice. */
  for (SmallBitVector families = needed_families(module); families.any(); families = needed_families(module)) {
    for (unsigned family : families.set_bits()) {
      if (Error error = link_family(module, family)) {
        std::string message = toString(std::move(error));
        text_appendf(log, "error: %s\n", message.c_str());
        return compiler_error_internal;
      }
    }
  }
  internalize_library(module, own);
  keep_divisions_exact(module, own);
  return compiler_success;
}
