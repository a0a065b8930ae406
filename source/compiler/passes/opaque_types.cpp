/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of opaque types: a ValueMapTypeRemapper maps each to a plain type in cloned functions. */
#include "compiler/passes/opaque_types.hpp"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

extern "C" {
#include "compiler/image.h"
}

using namespace llvm;

namespace quern {
namespace {

constexpr const char *image_attribute = "quern-image", *sampler_attribute = "quern-sampler",
                     *pipe_attribute = "quern-pipe";

/* Image descriptions are in constant memory, since nothing writes them while a kernel runs. A pipe is global memory. */
constexpr unsigned description_space = 2, pipe_space = 1;

bool is_target_type(Type *type, StringRef name) {
  auto *target = dyn_cast<TargetExtType>(type);
  return target && target->getName() == name;
}

/* Maps a type and everything built from it. Named structs keep their identity unless they hold an opaque type. */
class OpaqueTypeRemapper : public ValueMapTypeRemapper {
 public:
  /* No reference into the map is held over `rebuild`, which inserts the parts of the type. */
  Type *remapType(Type *type) override {
    if (Type *mapped = map_.lookup(type)) return mapped;
    Type *mapped = rebuild(type);
    map_.try_emplace(type, mapped);
    return mapped;
  }

 private:
  Type *rebuild(Type *type) {
    if (is_target_type(type, "spirv.Sampler")) return Type::getInt32Ty(type->getContext());
    if (is_target_type(type, "spirv.Image")) return PointerType::get(type->getContext(), description_space);
    if (is_target_type(type, "spirv.Pipe")) return PointerType::get(type->getContext(), pipe_space);
    if (is_target_type(type, "spirv.ReserveId")) return Type::getInt64Ty(type->getContext());
    if (isa<TargetExtType>(type)) return PointerType::get(type->getContext(), 0);
    if (auto *array = dyn_cast<ArrayType>(type)) {
      return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    }
    if (auto *function = dyn_cast<FunctionType>(type)) return rebuild_function(function);
    if (auto *structure = dyn_cast<StructType>(type)) return rebuild_struct(structure);
    return type;
  }

  Type *rebuild_function(FunctionType *type) {
    SmallVector<Type *, 8> parameters;
    for (Type *parameter : type->params()) parameters.push_back(remapType(parameter));
    return FunctionType::get(remapType(type->getReturnType()), parameters, type->isVarArg());
  }

  Type *rebuild_struct(StructType *type) {
    SmallVector<Type *, 8> elements;
    bool changed = false;
    for (Type *element : type->elements()) {
      elements.push_back(remapType(element));
      changed |= elements.back() != element;
    }
    return changed ? StructType::get(type->getContext(), elements, type->isPacked()) : type;
  }

  DenseMap<Type *, Type *> map_;
};

bool uses_opaque_types(OpaqueTypeRemapper &types, Function &function) {
  auto changes = [&](Type *type) { return types.remapType(type) != type; };
  if (changes(function.getFunctionType())) return true;
  return any_of(instructions(function), [&](Instruction &instruction) {
    if (changes(instruction.getType())) return true;
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) return changes(variable->getAllocatedType());
    if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) return changes(address->getSourceElementType());
    if (auto *call = dyn_cast<CallBase>(&instruction)) return changes(call->getFunctionType());
    return any_of(instruction.operand_values(), [&](Value *operand) { return changes(operand->getType()); });
  });
}

/* Adds attributes for the original type of a kernel's parameters, and for images those of the description pointer. */
void mark_parameters(const Function &from, Function &to) {
  LLVMContext &context = to.getContext();
  for (unsigned i = 0; i < from.arg_size(); i++) {
    Type *type = from.getArg(i)->getType();
    if (is_target_type(type, "spirv.Sampler")) to.addParamAttr(i, Attribute::get(context, sampler_attribute));
    if (is_target_type(type, "spirv.Pipe")) to.addParamAttr(i, Attribute::get(context, pipe_attribute));
    if (!is_target_type(type, "spirv.Image")) continue;
    to.addParamAttr(i, Attribute::get(context, image_attribute));
    to.addParamAttr(i, Attribute::NoAlias);
    to.addParamAttr(i, Attribute::ReadOnly);
    to.addParamAttr(i, Attribute::getWithAlignment(context, Align(alignof(image_description_t))));
    to.addParamAttr(i, Attribute::getWithDereferenceableBytes(context, sizeof(image_description_t)));
  }
}

Function *declare_rewritten(OpaqueTypeRemapper &types, Function &function) {
  auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
  Function *rewritten = Function::Create(type, function.getLinkage(), function.getAddressSpace(), "");
  function.getParent()->getFunctionList().insert(function.getIterator(), rewritten);
  rewritten->copyAttributesFrom(&function);
  rewritten->takeName(&function);
  function.replaceAllUsesWith(rewritten);
  return rewritten;
}

void clone_body(OpaqueTypeRemapper &types, Function &from, Function &to) {
  ValueToValueMapTy map;
  for (auto [old_parameter, parameter] : zip(from.args(), to.args())) map[&old_parameter] = &parameter;
  SmallVector<ReturnInst *, 8> returns;
  CloneFunctionInto(&to, &from, map, CloneFunctionChangeType::LocalChangesOnly, returns, "", nullptr, &types);
}

/* Replaces accessor calls by their argument, which has the type of the result now. */
void remove_accessors(Module &module) {
  for (Function &function : module) {
    if (!is_opaque_accessor(&function)) continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
  }
}

}  // namespace

bool is_opaque_accessor(const Function *function) {
  if (!function || !function->isDeclaration()) return false;
  StringRef name = function->getName();
  return name == "__translate_sampler_initializer" || name.starts_with("_Z13__quern_image") ||
         name.starts_with("_Z15__quern_sampler") || name.starts_with("__quern_pipe_") ||
         name == "__quern_reservation" || name == "__quern_reserve_id";
}

bool is_image(const Argument &parameter) {
  return parameter.getParent()->getAttributes().hasParamAttr(parameter.getArgNo(), image_attribute);
}

bool is_sampler(const Argument &parameter) {
  return parameter.getParent()->getAttributes().hasParamAttr(parameter.getArgNo(), sampler_attribute);
}

bool is_pipe(const Argument &parameter) {
  return parameter.getParent()->getAttributes().hasParamAttr(parameter.getArgNo(), pipe_attribute);
}

void lower_opaque_types(Module &module) {
  OpaqueTypeRemapper types;
  SmallVector<std::pair<Function *, Function *>, 8> rewritten;
  for (Function &function : make_early_inc_range(module)) {
    if (uses_opaque_types(types, function)) rewritten.push_back({&function, nullptr});
  }
  for (auto &[old_function, function] : rewritten) function = declare_rewritten(types, *old_function);
  for (auto &[old_function, function] : rewritten) {
    if (!old_function->isDeclaration()) clone_body(types, *old_function, *function);
    if (function->getCallingConv() == CallingConv::SPIR_KERNEL) mark_parameters(*old_function, *function);
  }
  for (auto &[old_function, function] : rewritten) old_function->eraseFromParent();
  remove_accessors(module);
}

}  // namespace quern
