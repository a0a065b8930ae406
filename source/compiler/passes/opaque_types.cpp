/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Type rewriting: functions are cloned with each opaque type mapped to a pointer. */
#include "compiler/passes/opaque_types.hpp"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace quern {
namespace {

/* Maps a type and everything built from it. Named structs keep their identity unless they hold an opaque type. */
class OpaqueTypes : public ValueMapTypeRemapper {
 public:
  Type *remapType(Type *type) override {
    Type *&mapped = map_[type];
    if (!mapped) mapped = rebuild(type);
    return map_[type];
  }

 private:
  Type *rebuild(Type *type) {
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

bool mentions(OpaqueTypes &types, Function &function) {
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

Function *declare_rewritten(OpaqueTypes &types, Function &function) {
  auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
  Function *rewritten = Function::Create(type, function.getLinkage(), function.getAddressSpace(), "");
  function.getParent()->getFunctionList().insert(function.getIterator(), rewritten);
  rewritten->copyAttributesFrom(&function);
  rewritten->takeName(&function);
  function.replaceAllUsesWith(rewritten);
  return rewritten;
}

void clone_body(OpaqueTypes &types, Function &from, Function &to) {
  ValueToValueMapTy map;
  for (auto [old_parameter, parameter] : zip(from.args(), to.args())) map[&old_parameter] = &parameter;
  SmallVector<ReturnInst *, 8> returns;
  CloneFunctionInto(&to, &from, map, CloneFunctionChangeType::LocalChangesOnly, returns, "", nullptr, &types);
}

}  // namespace

void lower_opaque_types(Module &module) {
  OpaqueTypes types;
  SmallVector<std::pair<Function *, Function *>, 8> rewritten;
  for (Function &function : make_early_inc_range(module)) {
    if (mentions(types, function)) rewritten.push_back({&function, nullptr});
  }
  for (auto &[old_function, function] : rewritten) function = declare_rewritten(types, *old_function);
  for (auto &[old_function, function] : rewritten) {
    if (!old_function->isDeclaration()) clone_body(types, *old_function, *function);
  }
  for (auto &[old_function, function] : rewritten) old_function->eraseFromParent();
}

}  // namespace quern
