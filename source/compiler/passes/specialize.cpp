/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Specialization of kernels for known images and samplers. The known values are parameter attributes, which are kept
 * through the passes, and are folded into the kernel's code. */
#include "compiler/passes/specialize.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/local_memory.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/preserved.hpp"
#include "compiler/passes/work_items.hpp"

extern "C" {
#include "compiler/image.h"
}

using namespace llvm;

namespace quern {
namespace {

constexpr const char *known_image = "quern-known-image", *known_sampler = "quern-known-sampler";

/* Members of image_description_t that the format determines, in the order of the attribute's value. */
constexpr unsigned known_members[] = {offsetof(image_description_t, format), offsetof(image_description_t, pixel_size),
                                      offsetof(image_description_t, channel_order),
                                      offsetof(image_description_t, channel_type)};
constexpr unsigned known_member_count = sizeof(known_members) / sizeof(*known_members);

bool is_kernel(const Function &function) { return function.getCallingConv() == CallingConv::SPIR_KERNEL; }

bool is_opaque(const Type *type, StringRef name) {
  auto *target = dyn_cast<TargetExtType>(type);
  return target && target->getName() == name;
}

Attribute attribute_of(const Argument &parameter, StringRef name) {
  return parameter.getParent()->getAttributes().getParamAttr(parameter.getArgNo(), name);
}

void replace_load(LoadInst &load, uint64_t offset, ArrayRef<uint32_t> values) {
  if (!load.isSimple() || !load.getType()->isIntegerTy(32)) return;
  for (unsigned i = 0; i < known_member_count; i++) {
    if (offset == known_members[i]) load.replaceAllUsesWith(ConstantInt::get(load.getType(), values[i]));
  }
}

/* Follows the address from the parameter to the loads, and folds those of known members. */
void fold_image(Argument &parameter) {
  SmallVector<StringRef, 4> fields;
  attribute_of(parameter, known_image).getValueAsString().split(fields, ' ');
  uint32_t values[known_member_count];
  for (unsigned i = 0; i < known_member_count; i++) {
    if (i >= fields.size() || fields[i].getAsInteger(10, values[i])) return;
  }
  const DataLayout &layout = parameter.getParent()->getDataLayout();
  SmallVector<std::pair<Value *, uint64_t>, 16> addresses = {{&parameter, 0}};
  while (!addresses.empty()) {
    auto [address, offset] = addresses.pop_back_val();
    for (User *user : address->users()) {
      if (auto *load = dyn_cast<LoadInst>(user)) {
        replace_load(*load, offset, values);
      } else if (auto *member = dyn_cast<GetElementPtrInst>(user)) {
        APInt member_offset(layout.getIndexTypeSizeInBits(member->getType()), offset);
        if (member->accumulateConstantOffset(layout, member_offset))
          addresses.push_back({member, member_offset.getZExtValue()});
      } else if (isa<AddrSpaceCastInst>(user)) {
        addresses.push_back({user, offset});
      }
    }
  }
}

/* The library functions that switch on a format, which are not inlined while it is unknown (builtins/image.clh). */
bool decides_on_format(const Function &function) {
  return function.getName().contains("decode_any") || function.getName().contains("encode_any");
}

bool is_worth_inlining(const CallBase &call, const Function &callee) {
  if (decides_on_format(callee)) return isa<ConstantInt>(call.getArgOperand(0));
  return any_of(call.args(), [](const Use &argument) {
    auto *parameter = dyn_cast<Argument>(argument->stripPointerCasts());
    return parameter && is_known_image(*parameter);
  });
}

}  // namespace

void fold_known_samplers(Module &module) {
  for (Function &function : module) {
    for (Argument &parameter : function.args()) {
      Attribute bits = attribute_of(parameter, known_sampler);
      uint32_t value;
      if (!bits.isValid() || bits.getValueAsString().getAsInteger(10, value)) continue;
      parameter.replaceAllUsesWith(ConstantInt::get(parameter.getType(), value));
    }
  }
}

bool is_known_image(const Argument &parameter) { return attribute_of(parameter, known_image).isValid(); }

bool knows_images(const Function &function) { return any_of(function.args(), is_known_image); }

bool knows_images(const Module &module) {
  return any_of(module, [](const Function &function) { return knows_images(function); });
}

PreservedAnalyses FoldKnownImagesPass::run(Function &function, FunctionAnalysisManager &) {
  for (Argument &parameter : function.args()) {
    if (is_known_image(parameter)) fold_image(parameter);
  }
  return preserve_blocks(true);
}

bool mark_known_calls(Module &module) {
  bool found = false;
  for (Function &function : module) {
    if (!knows_images(function)) continue;
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || !is_worth_inlining(*call, *callee)) continue;
      callee->removeFnAttr(Attribute::NoInline);
      callee->removeFnAttr(Attribute::OptimizeNone);
      callee->addFnAttr(Attribute::AlwaysInline);
      call->removeFnAttr(Attribute::NoInline);
      found = true;
    }
  }
  return found;
}

}  // namespace quern

using namespace quern;

/* Makes the kernel a plain function, since others may call it. */
static void drop_kernel(Function &kernel) {
  kernel.setCallingConv(CallingConv::SPIR_FUNC);
  for (User *user : kernel.users()) {
    if (auto *call = dyn_cast<CallBase>(user)) call->setCallingConv(CallingConv::SPIR_FUNC);
  }
}

extern "C" bool passes_have_images(LLVMModuleRef module) {
  return any_of(*unwrap(module), [](const Function &function) {
    return is_kernel(function) && !function.isDeclaration() &&
           any_of(function.args(), [](const Argument &it) { return is_opaque(it.getType(), "spirv.Image"); });
  });
}

extern "C" bool passes_have_local_memory(LLVMModuleRef module) {
  const Module &program = *unwrap(module);
  return any_of(program.globals(), [](const GlobalVariable &it) { return it.getAddressSpace() == local_space; }) ||
         any_of(program, [](const Function &function) {
           return is_kernel(function) && !function.isDeclaration() && any_of(function.args(), is_local_pointer);
         });
}

/* What a work-item that is alone in its work-group does without. The builtins' library, which makes more of these calls
 * of some of them, is not linked yet. */
static bool is_group_function(const Function &function) {
  if (function.getName().contains("get_local_linear_id") || function.getName().contains("work_group_")) return true;
  switch (work_item_function(&function)) {
    case WorkItem::local_id:
    case WorkItem::group_id:
    case WorkItem::local_size:
    case WorkItem::enqueued_local_size:
    case WorkItem::num_groups: return true;
    default: return is_barrier(&function);
  }
}

extern "C" bool passes_have_group_functions(LLVMModuleRef module) {
  return any_of(*unwrap(module),
                [](const Function &function) { return !function.use_empty() && is_group_function(function); });
}

extern "C" bool passes_keep_kernel(LLVMModuleRef handle, const char *name) {
  Module &module = *unwrap(handle);
  const Function *kept_kernel = module.getFunction(name);
  if (!kept_kernel || kept_kernel->isDeclaration() || !is_kernel(*kept_kernel)) return false;
  for (Function &function : module) {
    if (function.isDeclaration() || &function == kept_kernel) continue;
    if (is_kernel(function)) drop_kernel(function);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
  ModuleAnalysisManager modules;
  FunctionAnalysisManager functions;
  modules.registerPass([&] { return PassInstrumentationAnalysis(); });
  modules.registerPass([&] { return FunctionAnalysisManagerModuleProxy(functions); });
  functions.registerPass([&] { return PassInstrumentationAnalysis(); });
  GlobalDCEPass().run(module, modules);
  return true;
}

static Argument *find_parameter(LLVMModuleRef module, const char *kernel, uint32_t index, StringRef type) {
  Function *function = unwrap(module)->getFunction(kernel);
  if (!function || index >= function->arg_size()) return nullptr;
  Argument *parameter = function->getArg(index);
  return is_opaque(parameter->getType(), type) ? parameter : nullptr;
}

extern "C" bool passes_know_image(LLVMModuleRef module, const char *kernel, uint32_t index,
                                  const image_description_t *image) {
  Argument *parameter = find_parameter(module, kernel, index, "spirv.Image");
  if (!parameter) return false;
  std::string value;
  for (unsigned member : known_members) {
    uint32_t number;
    memcpy(&number, reinterpret_cast<const char *>(image) + member, sizeof(number));
    value += std::to_string(number) + " ";
  }
  value.pop_back();
  parameter->addAttr(Attribute::get(parameter->getContext(), known_image, value));
  return true;
}

extern "C" bool passes_know_sampler(LLVMModuleRef module, const char *kernel, uint32_t index, uint32_t bits) {
  Argument *parameter = find_parameter(module, kernel, index, "spirv.Sampler");
  if (!parameter) return false;
  parameter->addAttr(Attribute::get(parameter->getContext(), known_sampler, std::to_string(bits)));
  return true;
}
