/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The scalar and vector forms of values. */
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

void append_component_types(Type *type, SmallVectorImpl<Type *> &out) {
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    out.append(vector->getNumElements(), vector->getElementType());
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    for (Type *member : structure->elements()) append_component_types(member, out);
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    for (uint64_t i = 0; i < array->getNumElements(); i++) append_component_types(array->getElementType(), out);
  } else {
    out.push_back(type);
  }
}

Type *Widener::widen(Type *type) const { return FixedVectorType::get(type, width_); }

/* 0, stride, 2 * stride... */
Value *Widener::step_vector(Type *type, int64_t stride) const {
  SmallVector<Constant *, 64> steps;
  for (unsigned i = 0; i < width_; i++) {
    APInt step(64, uint64_t(stride) * i);
    steps.push_back(ConstantInt::get(context_, step.sextOrTrunc(type->getIntegerBitWidth())));
  }
  return ConstantVector::get(steps);
}

/* All lanes of a value from that of lane 0. */
Value *Widener::expand(Value *first, Shape shape, IRBuilder<> &builder) {
  if (shape.kind == Shape::uniform) return builder.CreateVectorSplat(width_, first);
  if (first->getType()->isPointerTy()) {
    return builder.CreateGEP(builder.getInt8Ty(), first, step_vector(builder.getInt64Ty(), shape.stride));
  }
  Value *all = builder.CreateVectorSplat(width_, first);
  return builder.CreateAdd(all, step_vector(first->getType(), shape.stride));
}

/* The value of the kernel that a parameter stands for. A private variable has a new place, with room for all lanes. */
Value *Widener::outside(Argument *argument) {
  if (argument == input_.body->counter()) return counter_;
  if (Value *place = input_.places ? input_.places->lookup(argument) : nullptr) return place;
  auto found = input_.memory->variables().find(argument);
  if (found == input_.memory->variables().end()) return input_.body->outside(argument);
  const PrivateVariable &variable = found->second;
  AllocaInst *&place = variables_[variable.alloca];
  if (!place) {
    BasicBlock &entry = target_.getEntryBlock();
    Type *type = ArrayType::get(Type::getInt8Ty(context_), variable.size * width_);
    place = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, variable.alloca->getName() + ".lanes");
    place->setAlignment(std::max(variable.alloca->getAlign(), Align(64)));
  }
  return variable.element ? static_cast<Value *>(builder_.getInt64(0)) : place;
}

Value *Widener::scalar(Value *value) {
  if (isa<Constant>(value)) return value;
  auto found = scalars_.find(value);
  if (found != scalars_.end()) return found->second;
  Value *result = outside(cast<Argument>(value));
  scalars_[value] = result;
  return result;
}

Components Widener::constant_lanes(Constant *constant) {
  SmallVector<Type *, 4> types;
  append_component_types(constant->getType(), types);
  if (types.size() == 1 && types[0] == constant->getType()) {
    return {ConstantVector::getSplat(ElementCount::getFixed(width_), constant)};
  }
  Components components;
  unsigned count = isa<FixedVectorType>(constant->getType())
                       ? cast<FixedVectorType>(constant->getType())->getNumElements()
                   : constant->getType()->isStructTy() ? constant->getType()->getStructNumElements()
                                                       : unsigned(constant->getType()->getArrayNumElements());
  for (unsigned i = 0; i < count; i++) components.append(constant_lanes(constant->getAggregateElement(i)));
  return components;
}

void append_components(Value *value, IRBuilder<> &builder, Components &out) {
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType())) {
    for (unsigned i = 0; i < vector->getNumElements(); i++) out.push_back(builder.CreateExtractElement(value, i));
  } else if (value->getType()->isAggregateType()) {
    unsigned count = value->getType()->isStructTy() ? value->getType()->getStructNumElements()
                                                    : unsigned(value->getType()->getArrayNumElements());
    for (unsigned i = 0; i < count; i++) append_components(builder.CreateExtractValue(value, i), builder, out);
  } else {
    out.push_back(value);
  }
}

/* A value that may wrap from one lane to the next is computed for each. */
Value *Widener::make_exact_lanes(Instruction &value, IRBuilder<> &builder) {
  auto variant = [&](Value *operand) { return analysis_.is_uniform(operand) ? scalar(operand) : lane(operand); };
  if (auto *address = dyn_cast<GetElementPtrInst>(&value)) {
    SmallVector<Value *, 4> indices;
    for (Value *index : address->indices()) indices.push_back(variant(index));
    return builder.CreateGEP(address->getSourceElementType(), variant(address->getPointerOperand()), indices);
  }
  if (auto *conversion = dyn_cast<CastInst>(&value)) {
    return builder.CreateCast(conversion->getOpcode(), lane(value.getOperand(0)), widen(value.getType()));
  }
  if (auto *limit = dyn_cast<MinMaxIntrinsic>(&value)) {
    return builder.CreateBinaryIntrinsic(limit->getIntrinsicID(), lane(limit->getLHS()), lane(limit->getRHS()));
  }
  if (isa<FreezeInst>(value)) return builder.CreateFreeze(lane(value.getOperand(0)));
  return builder.CreateBinOp(cast<BinaryOperator>(value).getOpcode(), lane(value.getOperand(0)),
                             lane(value.getOperand(1)));
}

/* The vector is made right behind the scalar, or before all blocks, so that it serves all uses. */
Components Widener::make_lanes(Value *value) {
  if (auto *constant = dyn_cast<Constant>(value)) return constant_lanes(constant);
  Value *first = scalar(value);
  auto *instruction = isa<Argument>(value) ? nullptr : dyn_cast<Instruction>(first);
  IRBuilder<> builder(before_->getTerminator());
  if (instruction) {
    bool is_phi = isa<PHINode>(instruction);
    BasicBlock *block = instruction->getParent();
    builder.SetInsertPoint(block, is_phi ? block->getFirstInsertionPt() : std::next(instruction->getIterator()));
  }
  if (analysis_.no_wrap_checks(value)) return {make_exact_lanes(*cast<Instruction>(value), builder)};
  Shape shape = analysis_.shape(value);
  Components scalars, components;
  append_components(first, builder, scalars);
  for (Value *component : scalars) components.push_back(expand(component, shape, builder));
  return components;
}

const Components &Widener::lanes(Value *value) {
  auto found = lanes_.find(value);
  if (found != lanes_.end()) return found->second;
  Components components = make_lanes(value);
  return lanes_[value] = std::move(components);
}

void Widener::return_lanes(BasicBlock *end) {
  Value *result = nullptr;
  for (BasicBlock *block : analysis_.order()) {
    if (auto *given = dyn_cast<ReturnInst>(block->getTerminator())) result = given->getReturnValue();
  }
  builder_.SetInsertPoint(end);
  if (!result) {
    builder_.CreateRetVoid();
    return;
  }
  const Components components = lanes(result);
  if (components.size() == 1) {
    builder_.CreateRet(components[0]);
  } else {
    builder_.CreateAggregateRet(components.data(), unsigned(components.size()));
  }
}

Value *Widener::first_lane(Value *value) {
  if (analysis_.shape(value).kind != Shape::varying) return scalar(value);
  builder_.SetInsertPoint(last_->getTerminator());
  const Components &components = lanes(value);
  if (components.size() == 1 && !value->getType()->isVectorTy())
    return builder_.CreateExtractElement(components[0], uint64_t(0));
  Value *result = PoisonValue::get(value->getType());
  for (auto [i, component] : enumerate(components)) {
    result = builder_.CreateInsertElement(result, builder_.CreateExtractElement(component, uint64_t(0)), i);
  }
  return result;
}

}  // namespace quern
