/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Preparation: kernels become functions with the work-group's parameters, and functions that need those are inlined. */
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "base/options.h"
#include "compiler/passes/address_queries.hpp"
#include "compiler/passes/byval_arguments.hpp"
#include "compiler/passes/division.hpp"
#include "compiler/passes/function_bodies.hpp"
#include "compiler/passes/group_functions.hpp"
#include "compiler/passes/indirect_calls.hpp"
#include "compiler/passes/local_memory.hpp"
#include "compiler/passes/opaque_types.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/printf.hpp"
#include "compiler/passes/recompose_divisions.hpp"
#include "compiler/passes/single_item_groups.hpp"
#include "compiler/passes/specialize.hpp"
#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/work_item_arguments.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

namespace {

void force_inline(Function &function) {
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::AlwaysInline);
  /* [[clang::noinline]] at a call site would override alwaysinline. */
  for (User *user : function.users()) {
    if (auto *call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::NoInline);
  }
}

bool contains_call(Function &function, bool (*matches)(const Function *)) {
  return any_of(instructions(function), [&](Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && matches(call->getCalledFunction());
  });
}

/* Barriers, and sub-group functions: the work-items of a sub-group run in lockstep there, and may communicate through
 * memory. */
bool is_group_synchronization(const Function *function) {
  return is_barrier(function) || is_sub_group_function(function);
}

/* `restrict` holds for the pointers of one work-item. After a barrier, other work-items have written through their own
 * copies of the pointer, so noalias would be wrong. */
void drop_restrict(Function &function, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (function.getArg(i)->getType()->isPointerTy() && !function.getArg(i)->hasAttribute(Attribute::ReadOnly)) {
      function.removeParamAttr(i, Attribute::NoAlias);
    }
  }
}

/* Marks for inlining every function that needs the work-group or calls one that does. Recursion is not allowed in
 * OpenCL C (section 6.11 i) and would make that impossible. */
compiler_result_t mark_inlined(Module &module, text_t *log) {
  CallGraph graph(module);
  SmallPtrSet<Function *, 16> group_functions, synchronizing_functions;
  for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    bool needs_group = false, synchronizes = false;
    for (CallGraphNode *node : *scc) {
      Function *function = node->getFunction();
      if (!function || function->isDeclaration()) continue;
      needs_group |= needs_work_group(*function);
      synchronizes |= contains_call(*function, is_group_synchronization);
      for (auto &edge : *node) {
        needs_group |= group_functions.contains(edge.second->getFunction());
        synchronizes |= synchronizing_functions.contains(edge.second->getFunction());
      }
    }
    for (CallGraphNode *node : *scc) {
      Function *function = node->getFunction();
      if (!needs_group || !function || function->isDeclaration()) continue;
      if (scc.hasCycle()) {
        std::string name = source_name(*function).str();
        text_appendf(log, "error: recursive function '%s' uses work-item functions, barriers or local memory\n",
                     name.c_str());
        return compiler_error_link_failure;
      }
      group_functions.insert(function);
      if (synchronizes) {
        synchronizing_functions.insert(function);
        drop_restrict(*function, function->arg_size());
      }
      if (!is_kernel(*function)) force_inline(*function);
    }
  }
  return compiler_success;
}

/* The most instructions of a module's kernels, not yet optimized, with what is inlined into them for its position.
 * Beyond, compiling takes minutes: calls that are made lane by lane cost less. */
constexpr uint64_t most_inlined_instructions = 200000;

void run_inliner(Module &module) {
  PassBuilder builder;
  ModuleAnalysisManager modules;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  LoopAnalysisManager loops;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.run(module, modules);
}

/* A kernel may be called like a function: these calls go to a copy that is inlined. */
void split_called_kernels(Module &module) {
  SmallVector<Function *, 16> kernels;
  for (Function &function : module) {
    if (is_kernel(function) && !function.use_empty()) kernels.push_back(&function);
  }
  for (Function *kernel : kernels) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(kernel, map);
    copy->setCallingConv(CallingConv::C);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setName(kernel->getName() + ".called");
    kernel->replaceUsesWithIf(copy, [](Use &use) { return isa<CallBase>(use.getUser()); });
    force_inline(*copy);
  }
}

/* SPIR conventions mean nothing to a CPU back end. */
void use_c_convention(Module &module) {
  for (Function &function : module) {
    if (!is_kernel(function) && !function.isIntrinsic()) function.setCallingConv(CallingConv::C);
    for (Instruction &instruction : instructions(function)) {
      if (auto *call = dyn_cast<CallBase>(&instruction)) call->setCallingConv(CallingConv::C);
    }
  }
}

/* Only kernels are called from outside: other functions become internal, and may be specialised, inlined and deleted.
 * Host-visible variables stay external, since the host may read and write them between two kernels. Comdats are not
 * needed any more: linking has merged C++ definitions of several modules. */
void internalize(Module &module) {
  for (Function &function : module) {
    if (!function.isDeclaration() && !is_kernel(function)) function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
  for (GlobalVariable &variable : module.globals()) {
    variable.setComdat(nullptr);
    if (variable.isDeclaration() || variable.hasAppendingLinkage()) continue;
    variable.setLinkage(is_host_visible(variable) ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
  }
}

/* Work-item functions are pure; a barrier must neither be duplicated nor moved. */
void mark_special_declarations(Module &module) {
  for (Function &function : module) {
    if (work_item_function(&function) != WorkItem::none || is_address_query(&function)) {
      function.setDoesNotAccessMemory();
      function.setDoesNotThrow();
      function.setWillReturn();
      function.addFnAttr(Attribute::Speculatable);
      function.removeFnAttr(Attribute::Convergent);
    } else if (is_barrier(&function)) {
      function.addFnAttr(Attribute::Convergent);
      function.addFnAttr(Attribute::NoDuplicate);
    } else if (is_sub_group_function(&function)) {
      mark_sub_group_function(function);
    }
  }
}

FunctionType *work_group_type(Function &kernel, bool uses_printf) {
  LLVMContext &context = kernel.getContext();
  SmallVector<Type *, 24> types(kernel.getFunctionType()->params());
  Type *pointer = PointerType::get(context, 0);
  if (uses_printf) types.push_back(PointerType::get(context, 1));
  types.push_back(pointer);
  types.push_back(PointerType::get(context, 3));
  types.append(2, pointer);
  types.append(6, Type::getInt64Ty(context));
  return FunctionType::get(Type::getVoidTy(context), types, false);
}

void add_work_group_attributes(Function &function, unsigned first, const work_group_layout_t &layout) {
  function.addParamAttr(first + work_group_ndrange, Attribute::ReadOnly);
  function.addParamAttr(first + work_group_ndrange, Attribute::NoAlias);
  function.addParamAttr(first + work_group_ndrange,
                        Attribute::getWithDereferenceableBytes(function.getContext(), layout.ndrange.size));
  function.addParamAttr(first + work_group_scratch, Attribute::NoAlias);
  function.addParamAttr(first + work_group_memory, Attribute::NoAlias);
  function.addParamAttr(first + work_group_memory, Attribute::ReadOnly);
  for (unsigned i = 0; i < work_group_parameter_count; i++) function.addParamAttr(first + i, Attribute::NoUndef);
}

/* Moves the kernel's body into a function with the work-group's parameters, which takes the kernel's name. */
Function *make_work_group_function(Function &kernel, bool uses_printf, const work_group_layout_t &layout) {
  Function *function =
      Function::Create(work_group_type(kernel, uses_printf), GlobalValue::ExternalLinkage, "", kernel.getParent());
  move_body(kernel, *function);
  function->setCallingConv(CallingConv::C);
  unsigned count = kernel.arg_size();
  for (unsigned i = 0; i < count; i++) {
    Argument *parameter = function->getArg(i);
    if (parameter->hasByValAttr()) {
      copy_by_value_argument(*parameter, Align(PASSES_MEMORY_ALIGNMENT));
      parameter->addAttr(Attribute::NoAlias);
    }
  }
  add_work_group_attributes(*function, count + uses_printf, layout);
  return function;
}

/* Describes how an argument for a parameter of the source kernel is passed. */
kernel_parameter_t describe_parameter(const Argument &parameter) {
  const DataLayout &layout = parameter.getParent()->getDataLayout();
  kernel_parameter_t out = {};
  Type *type = parameter.getType();
  out.size = out.alignment = 8;
  if (is_image(parameter)) {
    out.kind = program_arg_image;
  } else if (is_sampler(parameter)) {
    out.kind = program_arg_sampler;
  } else if (is_pipe(parameter)) {
    out.kind = program_arg_pipe;
  } else if (Type *value = parameter.getParamByValType()) {
    out.kind = program_arg_value;
    out.by_reference = true;
    out.size = uint32_t(layout.getTypeAllocSize(value));
    Align alignment = std::max(layout.getABITypeAlign(value), parameter.getParamAlign().valueOrOne());
    out.alignment = uint32_t(std::min<uint64_t>(alignment.value(), PASSES_MEMORY_ALIGNMENT));
  } else if (type->isPointerTy()) {
    bool is_local = type->getPointerAddressSpace() == 3;
    out.kind = is_local ? program_arg_local : program_arg_buffer;
    /* Wide enough for any type that the memory may be used as (OpenCL C section 6.3.5). */
    out.pointee_alignment = is_local ? 128 : 1;
  } else {
    out.kind = program_arg_value;
    out.size = uint32_t(layout.getTypeAllocSize(type));
    out.alignment = uint32_t(layout.getABITypeAlign(type).value());
  }
  return out;
}

compiler_result_t describe_parameters(const Function &kernel, kernel_work_t &out) {
  out.parameters = static_cast<kernel_parameter_t *>(calloc(kernel.arg_size() + 1, sizeof(kernel_parameter_t)));
  if (!out.parameters) return compiler_error_out_of_memory;
  for (const Argument &parameter : kernel.args()) out.parameters[out.parameter_count++] = describe_parameter(parameter);
  return compiler_success;
}

/* Reserves two arrays of 8 bytes per work-item at the beginning of the barrier context. Other work-items read
 * them after a barrier, so the context pointer is not noalias then. Returns the bytes per work-item. */
uint64_t place_collective_memory(Function &function, Argument &scratch) {
  if (!replace_collective_memory(function, scratch)) return 0;
  scratch.removeAttr(Attribute::NoAlias);
  return collective_bytes_per_item;
}

void read_required_size(Function &function, kernel_work_t &kernel) {
  MDNode *node = function.getMetadata("reqd_work_group_size");
  for (unsigned i = 0; node && i < 3 && i < node->getNumOperands(); i++) {
    kernel.reqd_local_size[i] = mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue();
  }
}

compiler_result_t read_sub_group_size(Function &function, kernel_work_t &kernel, text_t *log) {
  MDNode *node = function.getMetadata("intel_reqd_sub_group_size");
  if (!node) return compiler_success;
  uint64_t size = mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
  if (isPowerOf2_64(size) && size <= largest_sub_group) {
    kernel.reqd_sub_group_size = uint32_t(size);
    return compiler_success;
  }
  text_appendf(log, "error: kernel '%s': sub-group size %llu is not supported\n", kernel.name,
               (unsigned long long)size);
  return compiler_error_link_failure;
}

compiler_result_t prepare_kernel(passes_t *passes, Function &kernel, kernel_work_t &out, text_t *log) {
  out.name = strdup(source_name(kernel).str().c_str());
  out.uses_printf = contains_call(kernel, is_printf);
  out.flushes_denormals = passes->denorms_are_zero || kernel.hasFnAttribute("quern-flush-denormals");
  unsigned count = kernel.arg_size();
  compiler_result_t result = describe_parameters(kernel, out);
  if (result != compiler_success) return result;
  Function *function = make_work_group_function(kernel, out.uses_printf, passes->target.layout);
  kernel.eraseFromParent();
  if (contains_call(*function, is_group_synchronization)) drop_restrict(*function, count);
  out.uses_sub_groups = contains_call(*function, is_sub_group_function);
  if (out.uses_printf) {
    result = lower_printf(*function, *function->getArg(count), passes, log);
    if (result != compiler_success) return result;
  }
  out.local_size = place_local_variables(*function, *function->getArg(count + out.uses_printf + work_group_local),
                                         out.memory_alignment);
  out.collective_size =
      place_collective_memory(*function, *function->getArg(count + out.uses_printf + work_group_scratch));
  lower_address_queries(*function, passes->target.layout);
  read_required_size(*function, out);
  result = read_sub_group_size(*function, out, log);
  if (result != compiler_success) return result;
  out.function = wrap(function);
  out.symbol = strdup(function->getName().str().c_str());
  return out.name && out.symbol ? compiler_success : compiler_error_out_of_memory;
}

void recompose_all_divisions(Module &module) {
  if (options_set_has(options_get()->disable_passes, "recompose-divisions")) return;
  for (Function &function : module) {
    if (!function.isDeclaration() && !function.hasOptNone()) recompose_divisions(function);
  }
}

}  // namespace

extern "C" compiler_result_t passes_prepare(passes_t *passes, text_t *log) {
  Module &module = *unwrap(passes->module);
  lower_opaque_types(module);
  fold_known_samplers(module);
  if (passes->optimize) recompose_all_divisions(module);
  make_divisions_defined(module);
  unify_printf(module);
  mark_special_declarations(module);
  split_called_kernels(module);
  use_c_convention(module);
  internalize(module);
  compiler_result_t result = call_group_functions_directly(module, needs_work_group, log);
  if (count_inlined_instructions(module) > most_inlined_instructions) add_work_item_arguments(module);
  if (result == compiler_success) result = mark_inlined(module, log);
  if (result != compiler_success) return result;
  run_inliner(module);
  trap_in_group_functions(module);
  expand_local_variable_uses(module); /* after inlining, which folds these uses into constants again */
  make_local_memory_private(module);

  SmallVector<Function *, 32> kernels;
  Function *constructors = passes->constructors ? unwrap<Function>(passes->constructors) : nullptr;
  for (Function &function : module) {
    if (is_kernel(function) && &function != constructors) kernels.push_back(&function);
  }
  if (constructors) kernels.push_back(constructors);
  passes->has_constructors = constructors;
  passes->kernels = static_cast<kernel_work_t *>(calloc(kernels.size() + 1, sizeof(kernel_work_t)));
  if (!passes->kernels) return compiler_error_out_of_memory;
  for (Function *kernel : kernels) {
    kernel_work_t &work = passes->kernels[passes->kernel_count];
    work.index = passes->kernel_count++;
    result = prepare_kernel(passes, *kernel, work, log);
    if (result != compiler_success) return result;
  }
  return compiler_success;
}

extern "C" void passes_free(passes_t *passes) {
  for (size_t i = 0; i < passes->kernel_count; i++) {
    free(passes->kernels[i].name);
    free(passes->kernels[i].symbol);
    free(passes->kernels[i].parameters);
  }
  free(passes->kernels);
  for (size_t i = 0; i < passes->printf_string_count; i++) free(passes->printf_strings[i]);
  free(passes->printf_strings);
  *passes = {};
}
