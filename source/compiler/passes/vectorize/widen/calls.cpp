/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vector forms of calls, and the lane-by-lane form of what has no other. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/vectorize/transform/prefetch.hpp"
#include "compiler/passes/vectorize/transform/unroll_wide_loads.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* From so many lanes on memory is fetched ahead. */
static constexpr unsigned fewest_lanes_prefetched = 32;

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

/* Few lanes read little, so that what is before them comes by itself. Nothing is known of a lane that is off. */
void Widener::prefetch_ahead(CallInst &call) {
  if (width_ < fewest_lanes_prefetched) return;
  Value *last = builder_.CreateExtractElement(lane(call.getArgOperand(0)), uint64_t(width_ - 1));
  prefetch_line(builder_.CreateFreeze(last), /*written=*/false, builder_);
}

/* if (any lane is on) call the form; of those at the body's beginning one is on, by what is promised of its mask. */
void Widener::call_variant(CallInst &call, Function &variant, ArrayRef<Value *> arguments) {
  BasicBlock *before = builder_.GetInsertBlock(), *behind = nullptr;
  if (mask_ && mask_ != top_mask_) {
    BasicBlock *some = BasicBlock::Create(context_, "call", &target_, after_);
    behind = BasicBlock::Create(context_, "called", &target_, after_);
    builder_.CreateCondBr(any_lane(mask_), some, behind);
    builder_.SetInsertPoint(some);
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
  if (behind) {
    BasicBlock *some = builder_.GetInsertBlock();
    builder_.CreateBr(behind);
    builder_.SetInsertPoint(behind);
    for (Value *&component : components) {
      PHINode *phi = builder_.CreatePHI(component->getType(), 2, call.getName());
      phi->addIncoming(component, some);
      phi->addIncoming(PoisonValue::get(component->getType()), before);
      component = phi;
    }
  }
  if (!components.empty()) set_lanes(&call, std::move(components));
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
      const Components components = lanes(argument);
      arguments.append(components.begin(), components.end());
    } else {
      arguments.push_back(scalar(argument));
    }
  }
  const bool has_mask = mask_ || plan->always_has_mask(input_.unit);
  if (has_mask) arguments.push_back(mask_or_all());
  call_variant(call, *input_.functions->variant(*plan, input_, target_, has_mask), arguments);
  return true;
}

bool Widener::write_intrinsic(CallInst &call, Intrinsic::ID id) {
  SmallVector<Type *, 4> types;
  append_component_types(call.getType(), types);
  if (call.getType()->isAggregateType()) return false;
  Components results;
  for (unsigned component = 0; component < types.size(); component++) {
    SmallVector<Type *, 4> overloads;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) overloads.push_back(widen(types[component]));
    SmallVector<Value *, 4> arguments;
    for (auto [index, argument] : enumerate(call.args())) {
      bool is_scalar = isVectorIntrinsicWithScalarOpAtArg(id, unsigned(index), nullptr);
      if (is_scalar && !analysis_.is_uniform(argument)) return false;
      arguments.push_back(is_scalar ? scalar(argument) : lanes(argument)[component]);
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(index), nullptr)) {
        overloads.push_back(arguments.back()->getType());
      }
    }
    Function *callee = Intrinsic::getOrInsertDeclaration(target_.getParent(), id, overloads);
    CallInst *wide = builder_.CreateCall(callee, arguments, call.getName());
    if (isa<FPMathOperator>(wide)) wide->copyFastMathFlags(&call);
    results.push_back(wide);
  }
  set_lanes(&call, std::move(results));
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

Value *Widener::pick_lane(Value *value, Value *index) {
  if (analysis_.is_uniform(value)) return scalar(value);
  Components components;
  for (Value *component : lanes(value)) components.push_back(builder_.CreateExtractElement(component, index));
  unsigned next = 0;
  return assemble(value->getType(), components, next, builder_);
}

/* The instruction as it is, with the operands of one lane. */
Instruction *Widener::write_for_lane(Instruction &instruction, Value *index) {
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands()) {
    auto *called = dyn_cast<CallBase>(copy);
    if (called && called->isCallee(&operand)) continue;
    if (!isa<Constant>(operand) && !isa<MetadataAsValue>(operand)) operand.set(pick_lane(operand, index));
  }
  builder_.Insert(copy);
  copy->setMetadata(LLVMContext::MD_access_group, nullptr);
  return copy;
}

/* All lanes are on, and what each does is short. */
void Widener::write_unrolled(Instruction &instruction) {
  SmallVector<Type *, 4> types;
  if (!instruction.getType()->isVoidTy()) append_component_types(instruction.getType(), types);
  Components results;
  for (Type *type : types) results.push_back(PoisonValue::get(widen(type)));
  for (unsigned i = 0; i < width_; i++) {
    Components parts;
    Instruction *copy = write_for_lane(instruction, builder_.getInt64(i));
    if (instruction.use_empty() || types.empty()) continue;
    append_components(copy, builder_, parts);
    for (auto [result, part] : zip(results, parts)) result = builder_.CreateInsertElement(result, part, uint64_t(i));
  }
  if (!types.empty()) set_lanes(&instruction, std::move(results));
}

/* How what several lanes do to one place comes together. */
static Combination combination_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub: return Combination::add;
    case AtomicRMWInst::And: return Combination::bit_and;
    case AtomicRMWInst::Or: return Combination::bit_or;
    case AtomicRMWInst::Xor: return Combination::bit_xor;
    case AtomicRMWInst::Max: return Combination::smax;
    case AtomicRMWInst::Min: return Combination::smin;
    case AtomicRMWInst::UMax: return Combination::umax;
    case AtomicRMWInst::UMin: return Combination::umin;
    default: return Combination::none;
  }
}

bool is_done_at_once(const ShapeAnalysis &analysis, const AtomicRMWInst &atomic) {
  return combination_of(atomic.getOperation()) != Combination::none && !atomic.isVolatile() &&
         analysis.is_uniform(atomic.getPointerOperand());
}

/* What lanes do to one place is done to it once, as if they came one after the other: each finds there what was there
 * before, with what the lanes before it have done. */
bool Widener::write_atomic(AtomicRMWInst &atomic) {
  if (!is_done_at_once(analysis_, atomic)) return false;
  const Combination combination = combination_of(atomic.getOperation());
  Value *values = fill_off_lanes(atomic.getValOperand(), combination);
  Value *before = atomic.use_empty() ? nullptr : scan(values, combination, true);
  Value *all = reduce(values, combination);
  Value *found = builder_.CreateAtomicRMW(atomic.getOperation(), scalar(atomic.getPointerOperand()), all,
                                          atomic.getAlign(), atomic.getOrdering(), atomic.getSyncScopeID());
  if (!before) {
    set_scalar(&atomic, found);
    return true;
  }
  found = builder_.CreateVectorSplat(width_, found);
  bool takes_away = atomic.getOperation() == AtomicRMWInst::Sub;
  set_lanes(&atomic, {takes_away ? builder_.CreateSub(found, before) : combine(combination, found, before, builder_)});
  return true;
}

/* The lowest lane that is on; there is one. */
Value *Widener::first_on() {
  Type *bits_type = builder_.getIntNTy(width_);
  Value *bits = builder_.CreateBitCast(mask_or_all(), bits_type);
  Value *zeros = builder_.CreateIntrinsic(Intrinsic::cttz, {bits_type}, {bits, builder_.getTrue()});
  return builder_.CreateZExtOrTrunc(zeros, builder_.getInt64Ty());
}

/* for each lane that is on, the lowest first: the instruction as it is. */
void Widener::write_serially(Instruction &instruction) {
  for (Value *operand : instruction.operands()) {
    if (!isa<Constant>(operand) && !isa<MetadataAsValue>(operand) && !analysis_.is_uniform(operand)) lanes(operand);
  }
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (write_atomic(*atomic)) return;
    if (!mask_ && width_ <= 16) return write_unrolled(instruction);
  }
  Type *bits_type = builder_.getIntNTy(width_);
  Value *bits = builder_.CreateBitCast(mask_or_all(), bits_type);
  BasicBlock *before = builder_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context_, "lane", &target_, after_);
  BasicBlock *behind = BasicBlock::Create(context_, "lanes.end", &target_, after_);
  if (mask_) {
    builder_.CreateCondBr(builder_.CreateICmpNE(bits, ConstantInt::get(bits_type, 0)), loop, behind);
  } else {
    builder_.CreateBr(loop);
  }
  builder_.SetInsertPoint(loop);
  PHINode *left = builder_.CreatePHI(bits_type, 2, "left");
  left->addIncoming(bits, before);
  SmallVector<Type *, 4> types;
  if (!instruction.getType()->isVoidTy()) append_component_types(instruction.getType(), types);
  SmallVector<PHINode *, 4> results;
  for (Type *type : types) {
    results.push_back(builder_.CreatePHI(widen(type), 2));
    results.back()->addIncoming(PoisonValue::get(widen(type)), before);
  }
  Value *index = builder_.CreateZExtOrTrunc(
      builder_.CreateIntrinsic(Intrinsic::cttz, {bits_type}, {left, builder_.getTrue()}), builder_.getInt64Ty());
  Instruction *copy = write_for_lane(instruction, index);
  Components parts;
  if (!types.empty()) append_components(copy, builder_, parts);
  Components done;
  for (auto [phi, part] : zip(results, parts)) done.push_back(builder_.CreateInsertElement(phi, part, index));
  Value *rest = builder_.CreateAnd(left, builder_.CreateSub(left, ConstantInt::get(bits_type, 1)));
  BasicBlock *end = builder_.GetInsertBlock();
  left->addIncoming(rest, end);
  for (auto [phi, value] : zip(results, done)) phi->addIncoming(value, end);
  builder_.CreateCondBr(builder_.CreateICmpNE(rest, ConstantInt::get(bits_type, 0)), loop, behind);
  builder_.SetInsertPoint(behind);
  if (types.empty()) return;
  Components out;
  for (auto [phi, value] : zip(results, done)) {
    PHINode *merged = builder_.CreatePHI(phi->getType(), 2, instruction.getName());
    merged->addIncoming(value, end);
    if (mask_) merged->addIncoming(PoisonValue::get(phi->getType()), before);
    out.push_back(merged);
  }
  set_lanes(&instruction, std::move(out));
}

}  // namespace quern
