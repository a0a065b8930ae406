/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Widening of calls and atomics, and scalarization of instructions that cannot be widened. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/vectorize/transform/prefetch.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* The smallest width at which memory after the last lane is prefetched. */
static constexpr unsigned min_prefetch_width = 32;

bool Widener::write_call(CallInst &call) {
  if (call.getType()->isVoidTy() && isa<IntrinsicInst>(call) && cast<IntrinsicInst>(call).isAssumeLikeIntrinsic()) {
    return true;
  }
  Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic) return write_function(call);
  if (call.hasMetadata(prefetch_mark)) {
    prefetch_ahead(call);
    return true;
  }
  return call.doesNotAccessMemory() && isTriviallyVectorizable(id) && write_intrinsic(call, id);
}

/* Prefetches the line after the last lane's. Few lanes read few lines, for which the hardware prefetcher suffices. The
 * last lane may be inactive and its address poison, hence the freeze. */
void Widener::prefetch_ahead(CallInst &call) {
  if (width_ < min_prefetch_width) return;
  Value *last = builder_.CreateExtractElement(only_vector(call.getArgOperand(0)), uint64_t(width_ - 1));
  prefetch_line(builder_.CreateFreeze(last), /*written=*/false, builder_);
}

/* if (any lane is active) call the variant. The entry block's mask has an active lane by contract, so that calls under
 * that mask need no test. */
void Widener::call_variant(CallInst &call, Function &variant, ArrayRef<Value *> arguments) {
  BasicBlock *before = builder_.GetInsertBlock(), *end = nullptr;
  if (mask_ && mask_ != entry_mask_) {
    BasicBlock *active = BasicBlock::Create(context_, "call", &function_, after_);
    end = BasicBlock::Create(context_, "call.end", &function_, after_);
    builder_.CreateCondBr(any_lane(mask_), active, end);
    builder_.SetInsertPoint(active);
  }
  CallInst *made = builder_.CreateCall(&variant, arguments);
  Components components;
  if (made->getType()->isStructTy()) {
    for (unsigned i = 0; i < made->getType()->getStructNumElements(); i++) {
      components.push_back(builder_.CreateExtractValue(made, i));
    }
  } else if (!made->getType()->isVoidTy()) {
    components.push_back(made);
  }
  if (end) {
    BasicBlock *active = builder_.GetInsertBlock();
    builder_.CreateBr(end);
    builder_.SetInsertPoint(end);
    for (Value *&component : components) {
      PHINode *phi = builder_.CreatePHI(component->getType(), 2, call.getName());
      phi->addIncoming(component, active);
      phi->addIncoming(PoisonValue::get(component->getType()), before);
      component = phi;
    }
  }
  if (!components.empty()) set_vectors(&call, std::move(components));
}

bool Widener::write_function(CallInst &call) {
  const char *why;
  const FunctionPlan *plan = input_.functions->plan(call, analysis_, width_, why);
  if (!plan) {
    input_.functions->note_scalarized(call, why);
    return false;
  }
  SmallVector<Value *, 16> arguments;
  for (auto [argument, shape] : zip(call.args(), plan->shapes)) {
    if (shape.kind == Shape::varying) {
      const Components components = vectors(argument);
      arguments.append(components.begin(), components.end());
    } else {
      arguments.push_back(scalar(argument));
    }
  }
  const bool has_mask = mask_ || plan->always_has_mask(input_.unit);
  if (has_mask) arguments.push_back(mask_or_all());
  call_variant(call, *input_.functions->variant(*plan, input_, function_, has_mask), arguments);
  return true;
}

/* The intrinsic with a result of `type`, a vector, and widened arguments. */
CallInst *Widener::make_intrinsic(CallInst &call, Type &type, ArrayRef<Value *> arguments) {
  const Intrinsic::ID id = call.getIntrinsicID();
  SmallVector<Type *, 4> overloads;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) overloads.push_back(&type);
  for (auto [index, argument] : enumerate(arguments)) {
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(index), nullptr)) overloads.push_back(argument->getType());
  }
  Function *callee = Intrinsic::getOrInsertDeclaration(function_.getParent(), id, overloads);
  CallInst *widened = builder_.CreateCall(callee, arguments, call.getName());
  if (isa<FPMathOperator>(widened)) widened->copyFastMathFlags(&call);
  return widened;
}

bool Widener::write_intrinsic(CallInst &call, Intrinsic::ID id) {
  SmallVector<Type *, 4> types;
  append_component_types(call.getType(), types);
  if (call.getType()->isAggregateType()) return false;
  Components results;
  for (unsigned component = 0; component < types.size(); component++) {
    SmallVector<Value *, 4> arguments;
    for (auto [index, argument] : enumerate(call.args())) {
      bool is_scalar = isVectorIntrinsicWithScalarOpAtArg(id, unsigned(index), nullptr);
      if (is_scalar && !analysis_.is_uniform(argument)) return false;
      arguments.push_back(is_scalar ? scalar(argument) : vectors(argument)[component]);
    }
    results.push_back(make_intrinsic(call, *widen(types[component]), arguments));
  }
  set_vectors(&call, std::move(results));
  return true;
}

static Value *assemble(Type *type, ArrayRef<Value *> components, unsigned &next, IRBuilder<> &builder) {
  if (!type->isVectorTy() && !type->isAggregateType()) return components[next++];
  Value *result = PoisonValue::get(type);
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); i++)
      result = builder.CreateInsertElement(result, components[next++], i);
    return result;
  }
  unsigned count = type->isStructTy() ? type->getStructNumElements() : unsigned(type->getArrayNumElements());
  for (unsigned i = 0; i < count; i++) {
    Type *member = ExtractValueInst::getIndexedType(type, {i});
    result = builder.CreateInsertValue(result, assemble(member, components, next, builder), i);
  }
  return result;
}

Value *Widener::extract_lane(Value *value, Value *index) {
  if (analysis_.is_uniform(value)) return scalar(value);
  Components components;
  for (Value *component : vectors(value)) components.push_back(builder_.CreateExtractElement(component, index));
  unsigned next = 0;
  return assemble(value->getType(), components, next, builder_);
}

/* Clones the scalar instruction with the operands of lane `index`. */
Instruction *Widener::clone_for_lane(Instruction &instruction, Value *index) {
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands()) {
    bool is_same = isa<Constant>(operand) || isa<MetadataAsValue>(operand) || isa<InlineAsm>(operand);
    if (!is_same) operand.set(extract_lane(operand, index));
  }
  builder_.Insert(copy);
  copy->setMetadata(LLVMContext::MD_access_group, nullptr);
  return copy;
}

/* Scalarizes a short instruction without a loop; all lanes must be active. */
void Widener::write_unrolled(Instruction &instruction) {
  SmallVector<Type *, 4> types;
  if (!instruction.getType()->isVoidTy()) append_component_types(instruction.getType(), types);
  Components results;
  for (Type *type : types) results.push_back(PoisonValue::get(widen(type)));
  for (unsigned i = 0; i < width_; i++) {
    Components elements;
    Instruction *copy = clone_for_lane(instruction, builder_.getInt64(i));
    if (instruction.use_empty() || types.empty()) continue;
    append_components(copy, builder_, elements);
    for (auto [result, element] : zip(results, elements))
      result = builder_.CreateInsertElement(result, element, uint64_t(i));
  }
  if (!types.empty()) set_vectors(&instruction, std::move(results));
}

/* The reduction that an atomic operation of several lanes on one address amounts to. */
static ReductionKind combination_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub: return ReductionKind::add;
    case AtomicRMWInst::And: return ReductionKind::bit_and;
    case AtomicRMWInst::Or: return ReductionKind::bit_or;
    case AtomicRMWInst::Xor: return ReductionKind::bit_xor;
    case AtomicRMWInst::Max: return ReductionKind::smax;
    case AtomicRMWInst::Min: return ReductionKind::smin;
    case AtomicRMWInst::UMax: return ReductionKind::umax;
    case AtomicRMWInst::UMin: return ReductionKind::umin;
    default: return ReductionKind::none;
  }
}

bool is_reducible_atomic(const ShapeAnalysis &analysis, const AtomicRMWInst &atomic) {
  return combination_of(atomic.getOperation()) != ReductionKind::none && !atomic.isVolatile() &&
         analysis.is_uniform(atomic.getPointerOperand());
}

/* Atomics of all lanes on one address become a reduction and one scalar atomic, as if the lanes ran in order. Lane i
 * gets the old value combined with an exclusive scan over the lanes before it. */
bool Widener::write_atomic(AtomicRMWInst &atomic) {
  if (!is_reducible_atomic(analysis_, atomic)) return false;
  const ReductionKind combination = combination_of(atomic.getOperation());
  Value *values = fill_inactive_lanes(atomic.getValOperand(), combination);
  Value *prefix = atomic.use_empty() ? nullptr : scan(values, combination, true);
  Value *all = reduce(values, combination);
  Value *old = builder_.CreateAtomicRMW(atomic.getOperation(), scalar(atomic.getPointerOperand()), all,
                                        atomic.getAlign(), atomic.getOrdering(), atomic.getSyncScopeID());
  if (!prefix) {
    set_scalar(&atomic, old);
    return true;
  }
  old = builder_.CreateVectorSplat(width_, old);
  bool is_subtraction = atomic.getOperation() == AtomicRMWInst::Sub;
  set_vectors(&atomic,
              {is_subtraction ? builder_.CreateSub(old, prefix) : combine(combination, old, prefix, builder_)});
  return true;
}

/* The index of the first active lane; at least one lane must be active. */
Value *Widener::first_active_lane() {
  Type *bits_type = builder_.getIntNTy(width_);
  Value *bits = builder_.CreateBitCast(mask_or_all(), bits_type);
  Value *zeros = builder_.CreateIntrinsic(Intrinsic::cttz, {bits_type}, {bits, builder_.getTrue()});
  return builder_.CreateZExtOrTrunc(zeros, builder_.getInt64Ty());
}

/* Scalarizes an instruction: a loop over the active lanes in ascending order runs a clone for each. */
void Widener::write_serially(Instruction &instruction) {
  for (Value *operand : instruction.operands()) {
    if (!isa<Constant>(operand) && !isa<MetadataAsValue>(operand) && !analysis_.is_uniform(operand)) vectors(operand);
  }
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (write_atomic(*atomic)) return;
    if (!mask_ && width_ <= 16) return write_unrolled(instruction);
  }
  Type *bits_type = builder_.getIntNTy(width_);
  Value *bits = builder_.CreateBitCast(mask_or_all(), bits_type);
  BasicBlock *before = builder_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context_, "lane.loop", &function_, after_);
  BasicBlock *exit = BasicBlock::Create(context_, "lane.exit", &function_, after_);
  if (mask_) {
    builder_.CreateCondBr(builder_.CreateICmpNE(bits, ConstantInt::get(bits_type, 0)), loop, exit);
  } else {
    builder_.CreateBr(loop);
  }
  builder_.SetInsertPoint(loop);
  PHINode *remaining = builder_.CreatePHI(bits_type, 2, "remaining");
  remaining->addIncoming(bits, before);
  SmallVector<Type *, 4> types;
  if (!instruction.getType()->isVoidTy()) append_component_types(instruction.getType(), types);
  SmallVector<PHINode *, 4> results;
  for (Type *type : types) {
    results.push_back(builder_.CreatePHI(widen(type), 2));
    results.back()->addIncoming(PoisonValue::get(widen(type)), before);
  }
  Value *index = builder_.CreateZExtOrTrunc(
      builder_.CreateIntrinsic(Intrinsic::cttz, {bits_type}, {remaining, builder_.getTrue()}), builder_.getInt64Ty());
  Instruction *copy = clone_for_lane(instruction, index);
  Components components;
  if (!types.empty()) append_components(copy, builder_, components);
  Components inserted;
  for (auto [phi, component] : zip(results, components))
    inserted.push_back(builder_.CreateInsertElement(phi, component, index));
  Value *next_remaining = builder_.CreateAnd(remaining, builder_.CreateSub(remaining, ConstantInt::get(bits_type, 1)));
  BasicBlock *latch = builder_.GetInsertBlock();
  remaining->addIncoming(next_remaining, latch);
  for (auto [phi, value] : zip(results, inserted)) phi->addIncoming(value, latch);
  builder_.CreateCondBr(builder_.CreateICmpNE(next_remaining, ConstantInt::get(bits_type, 0)), loop, exit);
  builder_.SetInsertPoint(exit);
  if (types.empty()) return;
  Components exit_values;
  for (auto [phi, value] : zip(results, inserted)) {
    PHINode *merged = builder_.CreatePHI(phi->getType(), 2, instruction.getName());
    merged->addIncoming(value, latch);
    if (mask_) merged->addIncoming(PoisonValue::get(phi->getType()), before);
    exit_values.push_back(merged);
  }
  set_vectors(&instruction, std::move(exit_values));
}

}  // namespace quern
