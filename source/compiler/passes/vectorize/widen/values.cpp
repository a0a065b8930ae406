/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Scalar and widened values. */
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

/* The constant vector 0, stride, 2 * stride, ... */
Value *Widener::step_vector(Type *type, int64_t stride) const {
  SmallVector<Constant *, 64> steps;
  for (unsigned i = 0; i < width_; i++) {
    APInt step(64, uint64_t(stride) * i);
    steps.push_back(ConstantInt::get(context_, step.sextOrTrunc(type->getIntegerBitWidth())));
  }
  return ConstantVector::get(steps);
}

/* Expands lane 0 of a uniform or strided value to a vector: a splat, plus the step vector. */
Value *Widener::expand(Value *first, Shape shape, IRBuilder<> &builder) {
  if (shape.kind == Shape::uniform) return builder.CreateVectorSplat(width_, first);
  if (first->getType()->isPointerTy()) {
    return builder.CreateGEP(builder.getInt8Ty(), first, step_vector(builder.getInt64Ty(), shape.stride));
  }
  Value *all = builder.CreateVectorSplat(width_, first);
  return builder.CreateAdd(all, step_vector(first->getType(), shape.stride));
}

/* The value of the surrounding function that a parameter of the body stands for. A private variable gets a new alloca
 * with room for all lanes; an address in an interleaved variable is an offset, which starts at 0. */
Value *Widener::live_in(Argument *argument) {
  if (argument == input_.body->counter()) return induction_;
  if (Value *place = input_.argument_values ? input_.argument_values->lookup(argument) : nullptr) return place;
  auto found = input_.memory->variables().find(argument);
  if (found == input_.memory->variables().end()) return input_.body->outside(argument);
  const PrivateVariable &variable = found->second;
  AllocaInst *&place = variables_[variable.alloca];
  if (!place) {
    BasicBlock &entry = function_.getEntryBlock();
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
  Value *result = live_in(cast<Argument>(value));
  scalars_[value] = result;
  return result;
}

Components Widener::constant_vectors(Constant *constant) {
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
  for (unsigned i = 0; i < count; i++) {
    /* Expressions, as of addresses, have no elements before they are taken from them. */
    Constant *element = constant->getAggregateElement(i);
    if (!element) element = ConstantExpr::getExtractElement(constant, builder_.getInt32(i));
    components.append(constant_vectors(element));
  }
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

/* A strided value with no-wrap checks may wrap between lanes: its vector is computed elementwise, not expanded. */
Value *Widener::make_wrapping_vector(Instruction &value, IRBuilder<> &builder) {
  auto operand_of = [&](Value *operand) {
    return analysis_.is_uniform(operand) ? scalar(operand) : only_vector(operand);
  };
  if (auto *address = dyn_cast<GetElementPtrInst>(&value)) {
    SmallVector<Value *, 4> indices;
    for (Value *index : address->indices()) indices.push_back(operand_of(index));
    return builder.CreateGEP(address->getSourceElementType(), operand_of(address->getPointerOperand()), indices);
  }
  if (auto *conversion = dyn_cast<CastInst>(&value)) {
    return builder.CreateCast(conversion->getOpcode(), only_vector(value.getOperand(0)), widen(value.getType()));
  }
  if (auto *clamp = dyn_cast<MinMaxIntrinsic>(&value)) {
    return builder.CreateBinaryIntrinsic(clamp->getIntrinsicID(), only_vector(clamp->getLHS()),
                                         only_vector(clamp->getRHS()));
  }
  if (isa<FreezeInst>(value)) return builder.CreateFreeze(only_vector(value.getOperand(0)));
  return builder.CreateBinOp(cast<BinaryOperator>(value).getOpcode(), only_vector(value.getOperand(0)),
                             only_vector(value.getOperand(1)));
}

/* Right after `made`, which stands for `value`, or in the block before the generated code: what is made there dominates
 * all uses. */
void Widener::set_insert_point_after(Value *made, const Value *value, IRBuilder<> &builder) const {
  auto *instruction = isa<Argument>(value) ? nullptr : dyn_cast<Instruction>(made);
  if (!instruction) {
    builder.SetInsertPoint(before_->getTerminator());
    return;
  }
  BasicBlock *block = instruction->getParent();
  const bool is_phi = isa<PHINode>(instruction);
  builder.SetInsertPoint(block, is_phi ? block->getFirstInsertionPt() : std::next(instruction->getIterator()));
}

Components Widener::make_vectors(Value *value) {
  if (auto *constant = dyn_cast<Constant>(value)) return constant_vectors(constant);
  Value *first = scalar(value);
  IRBuilder<> builder(context_);
  set_insert_point_after(first, value, builder);
  if (analysis_.no_wrap_checks(value)) return {make_wrapping_vector(*cast<Instruction>(value), builder)};
  Shape shape = analysis_.shape(value);
  Components scalars, components;
  append_components(first, builder, scalars);
  for (Value *component : scalars) components.push_back(expand(component, shape, builder));
  return components;
}

const Components &Widener::vectors(Value *value) {
  auto found = vectors_.find(value);
  if (found != vectors_.end()) return found->second;
  Components components = is_aos(value) ? components_of_aos(value) : make_vectors(value);
  return vectors_[value] = std::move(components);
}

void Widener::write_return(BasicBlock *end) {
  Value *result = nullptr;
  for (BasicBlock *block : analysis_.order()) {
    if (auto *return_inst = dyn_cast<ReturnInst>(block->getTerminator())) result = return_inst->getReturnValue();
  }
  builder_.SetInsertPoint(end);
  if (!result) {
    builder_.CreateRetVoid();
    return;
  }
  const Components components = vectors(result);
  if (components.size() == 1) {
    builder_.CreateRet(components[0]);
  } else {
    builder_.CreateAggregateRet(components.data(), unsigned(components.size()));
  }
}

Value *Widener::first_lane(Value *value) {
  if (analysis_.shape(value).kind != Shape::varying) return scalar(value);
  builder_.SetInsertPoint(last_->getTerminator());
  const Components &components = vectors(value);
  if (components.size() == 1 && !value->getType()->isVectorTy())
    return builder_.CreateExtractElement(components[0], uint64_t(0));
  Value *result = PoisonValue::get(value->getType());
  for (auto [i, component] : enumerate(components)) {
    result = builder_.CreateInsertElement(result, builder_.CreateExtractElement(component, uint64_t(0)), i);
  }
  return result;
}

}  // namespace quern
