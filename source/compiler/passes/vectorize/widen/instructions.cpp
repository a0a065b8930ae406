/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Widening of instructions that do not access memory. */
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/analysis/strides.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

void Widener::write_instruction(Instruction &instruction) {
  if (is_aos(&instruction)) {
    write_aos(instruction);
    return;
  }
  if (auto *call = dyn_cast<CallInst>(&instruction); call && write_sub_group(*call)) return;
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
    if (write_address(*address)) return;
  }
  if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction); cast && input_.memory->interleaved(cast)) {
    if (is_vector_offset(cast->getPointerOperand())) {
      set_vectors(cast, vectors(cast->getPointerOperand()));
    } else {
      set_scalar(cast, scalar(cast->getPointerOperand()));
    }
    return;
  }
  bool is_written = false;
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    is_written = write_store(*store);
  } else if (isa<FenceInst>(instruction)) {
    builder_.Insert(instruction.clone());
    is_written = true;
  } else if (!instruction.getType()->isVoidTy() && analysis_.is_uniform(&instruction)) {
    write_scalar(instruction);
    is_written = true;
  } else if (analysis_.shape(&instruction).kind == Shape::strided) {
    write_strided(instruction);
    is_written = true;
  } else {
    is_written = write_varying(instruction);
  }
  if (!is_written) write_serially(instruction);
  if (input_.layout && input_.layout->is_used_as_aos(&instruction)) make_aos(&instruction);
}

/* A uniform instruction is cloned once, with scalar operands. */
void Widener::write_scalar(Instruction &instruction) {
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands()) {
    auto *called = dyn_cast<CallBase>(copy);
    if (called && called->isCallee(&operand)) continue;
    if (!isa<Constant>(operand) && !isa<MetadataAsValue>(operand)) operand.set(scalar(operand));
  }
  builder_.Insert(copy, instruction.getName());
  copy->setMetadata(LLVMContext::MD_access_group, nullptr);
  set_scalar(&instruction, input_.no_wrap_values ? input_.no_wrap_values->mark(copy, instruction) : copy);
}

/* Lane 0 of a strided value extended to `type`. The other lanes follow by the stride even when lane 0 is inactive and
 * the narrow value wraps there. The no-wrap flags hold for active lanes, so the operands are extended before the
 * operation instead of its result. */
Value *Widener::extend(Value *value, Type *type, bool is_signed, DenseMap<Value *, Value *> &known) {
  if (Value *extended = known.lookup(value)) return extended;
  Value *result;
  auto *operation = dyn_cast<BinaryOperator>(value);
  bool is_lane_index = sub_group_call(value).kind == SubGroup::local_id;
  if (analysis_.is_uniform(value) || analysis_.can_check_at_runtime(value) || is_lane_index) {
    result = is_signed ? builder_.CreateSExt(scalar(value), type) : builder_.CreateZExt(scalar(value), type);
  } else if (operation) {
    auto opcode = operation->getOpcode() == Instruction::Or ? Instruction::Add : operation->getOpcode();
    Value *left = extend(operation->getOperand(0), type, is_signed, known);
    Value *right = extend(operation->getOperand(1), type, is_signed, known);
    result = builder_.CreateBinOp(opcode, left, right);
  } else {
    auto *inner = cast<CastInst>(value);
    bool keeps_sign = isa<SExtInst>(inner) || inner->hasNonNeg();
    DenseMap<Value *, Value *> inner_known;
    result = extend(inner->getOperand(0), type, keeps_sign, inner_known);
  }
  return known[value] = result;
}

/* A strided instruction is cloned for lane 0, without the flags that hold for active lanes only (copy_strided). */
void Widener::write_strided(Instruction &instruction) {
  if ((isa<SExtInst>(instruction) || isa<ZExtInst>(instruction)) && !analysis_.no_wrap_checks(&instruction)) {
    bool is_signed = isa<SExtInst>(instruction) || instruction.hasNonNeg();
    DenseMap<Value *, Value *> known;
    set_scalar(&instruction, extend(instruction.getOperand(0), instruction.getType(), is_signed, known));
    return;
  }
  if (Value *part = match_scaled_sign_extension(&instruction)) {
    auto *shift = cast<BinaryOperator>(instruction.getOperand(0));
    Value *shifted = builder_.CreateShl(scalar(part), shift->getOperand(1));
    set_scalar(&instruction, builder_.CreateAShr(shifted, instruction.getOperand(1)));
    return;
  }
  Instruction *copy = copy_strided(instruction);
  for (Use &operand : copy->operands()) {
    if (!isa<Constant>(operand)) operand.set(scalar(operand));
  }
  builder_.Insert(copy, instruction.getName());
  set_scalar(&instruction, input_.no_wrap_values ? input_.no_wrap_values->mark(copy, instruction) : copy);
}

/* Widens an instruction with a varying result. All such functions return false when it must be scalarized. */
bool Widener::write_varying(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return write_load(*load);
  if (auto *call = dyn_cast<CallInst>(&instruction)) return write_call(*call);
  if (auto *select = dyn_cast<SelectInst>(&instruction)) return write_select(*select);
  if (auto *cast = dyn_cast<BitCastInst>(&instruction)) return write_bitcast(*cast);
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction); operation && operation->isIntDivRem()) {
    return write_division(*operation);
  }
  if (isa<ExtractElementInst>(instruction) || isa<InsertElementInst>(instruction) ||
      isa<ShuffleVectorInst>(instruction) || isa<ExtractValueInst>(instruction) || isa<InsertValueInst>(instruction)) {
    return write_element_access(instruction);
  }
  return write_elementwise(instruction);
}

/* The same operation on widened operands, which have one number of elements. */
Instruction *Widener::make_elementwise(Instruction &instruction, ArrayRef<Value *> operands) {
  Instruction *copy = nullptr;
  if (auto *conversion = dyn_cast<CastInst>(&instruction)) {
    const ElementCount count = cast<VectorType>(operands[0]->getType())->getElementCount();
    Type *type = VectorType::get(conversion->getType()->getScalarType(), count);
    copy = CastInst::Create(conversion->getOpcode(), operands[0], type);
  } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    copy = CmpInst::Create(compare->getOpcode(), compare->getPredicate(), operands[0], operands[1]);
  } else if (isa<FreezeInst>(instruction)) {
    copy = new FreezeInst(operands[0]);
  } else if (isa<UnaryOperator>(instruction)) {
    copy = UnaryOperator::CreateFNeg(operands[0]);
  } else {
    copy = BinaryOperator::Create(cast<BinaryOperator>(instruction).getOpcode(), operands[0], operands[1]);
    copy->copyMetadata(instruction, {LLVMContext::MD_fpmath});
  }
  copy->copyIRFlags(&instruction);
  return builder_.Insert(copy, instruction.getName());
}

bool Widener::write_elementwise(Instruction &instruction) {
  bool is_elementwise = isa<BinaryOperator>(instruction) || isa<UnaryOperator>(instruction) ||
                        isa<CmpInst>(instruction) || isa<CastInst>(instruction) || isa<FreezeInst>(instruction);
  if (!is_elementwise || instruction.getType()->isAggregateType() || instruction.getOpcode() == Instruction::FRem) {
    return false;
  }
  SmallVector<Components, 2> operands;
  for (Value *operand : instruction.operands()) operands.push_back(vectors(operand));
  Components results;
  for (unsigned component = 0; component < operands[0].size(); component++) {
    SmallVector<Value *, 2> of_component;
    for (const Components &operand : operands) of_component.push_back(operand[component]);
    results.push_back(make_elementwise(instruction, of_component));
  }
  set_vectors(&instruction, std::move(results));
  return true;
}

bool Widener::write_select(SelectInst &select) {
  Value *condition = select.getCondition();
  bool is_componentwise = condition->getType()->isVectorTy();
  bool is_uniform = analysis_.is_uniform(condition);
  const Components true_values = vectors(select.getTrueValue()), false_values = vectors(select.getFalseValue());
  Components conditions;
  if (is_componentwise) {
    conditions = vectors(condition);
  } else {
    conditions.assign(true_values.size(), is_uniform ? scalar(condition) : only_vector(condition));
  }
  Components results;
  for (unsigned i = 0; i < true_values.size(); i++) {
    results.push_back(builder_.CreateSelect(conditions[i], true_values[i], false_values[i], select.getName()));
    if (auto *made = dyn_cast<SelectInst>(results.back()); made && isa<FPMathOperator>(made)) {
      made->copyIRFlags(&select);
    }
  }
  set_vectors(&select, std::move(results));
  return true;
}

/* A bitcast between OpenCL C vectors: element bits are concatenated or split, low bits first (little endian). */
bool Widener::write_bitcast(CastInst &cast) {
  const Components from = vectors(cast.getOperand(0));
  SmallVector<Type *, 4> types;
  append_component_types(cast.getType(), types);
  uint64_t from_bits = data_layout_.getTypeSizeInBits(from[0]->getType()->getScalarType());
  uint64_t to_bits = data_layout_.getTypeSizeInBits(types[0]);
  Components to;
  if (from.size() == types.size()) {
    for (Value *component : from) to.push_back(builder_.CreateBitCast(component, widen(types[0])));
    set_vectors(&cast, std::move(to));
    return true;
  }
  if (std::max(from_bits, to_bits) % std::min(from_bits, to_bits) ||
      from[0]->getType()->getScalarType()->isPointerTy()) {
    return false;
  }
  Type *from_integer = widen(builder_.getIntNTy(unsigned(from_bits)));
  Type *to_integer = widen(builder_.getIntNTy(unsigned(to_bits)));
  Components bits;
  for (Value *component : from) bits.push_back(builder_.CreateBitCast(component, from_integer));
  for (unsigned i = 0; i < types.size(); i++) {
    Value *value = nullptr;
    if (to_bits > from_bits) {
      unsigned ratio = unsigned(to_bits / from_bits);
      for (unsigned j = 0; j < ratio; j++) {
        Value *slice = builder_.CreateZExt(bits[i * ratio + j], to_integer);
        if (j) slice = builder_.CreateShl(slice, j * from_bits);
        value = value ? builder_.CreateOr(value, slice) : slice;
      }
    } else {
      unsigned ratio = unsigned(from_bits / to_bits);
      value = bits[i / ratio];
      if (i % ratio) value = builder_.CreateLShr(value, (i % ratio) * to_bits);
      value = builder_.CreateTrunc(value, to_integer);
    }
    to.push_back(builder_.CreateBitCast(value, widen(types[i])));
  }
  set_vectors(&cast, std::move(to));
  return true;
}

/* The range of components that the member of `type` at `indices` has. */
static void find_member(Type *type, ArrayRef<unsigned> indices, unsigned &first, unsigned &count) {
  first = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i < index; i++) {
      SmallVector<Type *, 4> before;
      append_component_types(ExtractValueInst::getIndexedType(type, {i}), before);
      first += unsigned(before.size());
    }
    type = ExtractValueInst::getIndexedType(type, {index});
  }
  SmallVector<Type *, 4> member;
  append_component_types(type, member);
  count = unsigned(member.size());
}

bool Widener::write_element_access(Instruction &instruction) {
  Components result;
  if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
    unsigned first, count;
    find_member(extract->getAggregateOperand()->getType(), extract->getIndices(), first, count);
    const Components all = vectors(extract->getAggregateOperand());
    result.append(all.begin() + first, all.begin() + first + count);
  } else if (auto *insert = dyn_cast<InsertValueInst>(&instruction)) {
    unsigned first, count;
    find_member(insert->getType(), insert->getIndices(), first, count);
    result = vectors(insert->getAggregateOperand());
    const Components inserted = vectors(insert->getInsertedValueOperand());
    copy(inserted, result.begin() + first);
  } else if (auto *one = dyn_cast<ExtractElementInst>(&instruction);
             one && is_aos(one->getVectorOperand()) && isa<ConstantInt>(one->getIndexOperand())) {
    const uint64_t index = cast<ConstantInt>(one->getIndexOperand())->getZExtValue();
    const bool is_inside = index < cast<FixedVectorType>(one->getVectorOperandType())->getNumElements();
    result = {is_inside ? extract_component(*one, unsigned(index)) : PoisonValue::get(widen(one->getType()))};
  } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    Components all = vectors(shuffle->getOperand(0));
    const Components second = vectors(shuffle->getOperand(1));
    all.append(second);
    Type *type = widen(shuffle->getType()->getElementType());
    for (int index : shuffle->getShuffleMask())
      result.push_back(index < 0 ? PoisonValue::get(type) : all[unsigned(index)]);
  } else {
    auto *insert_element = dyn_cast<InsertElementInst>(&instruction);
    Value *index = instruction.getOperand(insert_element ? 2 : 1);
    Components all = vectors(instruction.getOperand(0));
    Value *element = insert_element ? only_vector(insert_element->getOperand(1)) : nullptr;
    auto *constant = dyn_cast<ConstantInt>(index);
    if (constant && constant->getZExtValue() >= all.size()) {
      result.assign(insert_element ? all.size() : 1, PoisonValue::get(all[0]->getType()));
    } else if (constant && insert_element) {
      result = all;
      result[constant->getZExtValue()] = element;
    } else if (constant) {
      result = {all[constant->getZExtValue()]};
    } else {
      Value *element_index = only_vector(index);
      Value *selected = all[0];
      for (unsigned i = 0; i < all.size(); i++) {
        Value *is_selected = builder_.CreateICmpEQ(element_index, ConstantInt::get(element_index->getType(), i));
        if (insert_element) {
          result.push_back(builder_.CreateSelect(is_selected, element, all[i]));
        } else if (i) {
          selected = builder_.CreateSelect(is_selected, all[i], selected);
        }
      }
      if (!insert_element) result = {selected};
    }
  }
  set_vectors(&instruction, std::move(result));
  return true;
}

/* Offsets in an interleaved variable are vectors when varying, and also when strided under a no-wrap check. */
bool Widener::is_vector_offset(const Value *address) const {
  return analysis_.shape(address).kind == Shape::varying || analysis_.no_wrap_checks(address);
}

/* The address in an interleaved variable as an offset in bytes, scalar or vector. */
Value *Widener::offset_in_variable(GetElementPtrInst &address, bool &is_vector) {
  is_vector = is_vector_offset(&address);
  auto operand_of = [&](Value *value) { return is_vector ? only_vector(value) : scalar(value); };
  Value *offset = operand_of(address.getPointerOperand());
  Type *type = offset->getType();
  for (auto index = gep_type_begin(address); index != gep_type_end(address); ++index) {
    Value *step;
    if (StructType *structure = index.getStructTypeOrNull()) {
      auto member = unsigned(cast<ConstantInt>(index.getOperand())->getZExtValue());
      step = ConstantInt::get(type, data_layout_.getStructLayout(structure)->getElementOffset(member));
    } else {
      Value *element_index = builder_.CreateSExtOrTrunc(operand_of(index.getOperand()), type);
      step = builder_.CreateMul(element_index, ConstantInt::get(type, index.getSequentialElementStride(data_layout_)));
    }
    offset = builder_.CreateAdd(offset, step);
  }
  return offset;
}

bool Widener::write_address(GetElementPtrInst &address) {
  if (input_.memory->interleaved(&address)) {
    bool is_vector;
    Value *offset = offset_in_variable(address, is_vector);
    if (is_vector) {
      set_vectors(&address, {offset});
    } else {
      set_scalar(&address, offset);
    }
    return true;
  }
  if (analysis_.shape(&address).kind != Shape::varying) return false;
  if (address.getType()->isVectorTy()) {
    write_serially(address);
    return true;
  }
  /* A uniform base stays scalar: the target's gathers take a scalar base and a vector of indices. */
  auto operand_of = [&](Value *value) { return analysis_.is_uniform(value) ? scalar(value) : only_vector(value); };
  Value *base = operand_of(address.getPointerOperand());
  SmallVector<Value *, 4> indices;
  for (Value *index : address.indices()) indices.push_back(operand_of(index));
  Value *result = builder_.CreateGEP(address.getSourceElementType(), base, indices, address.getName());
  if (auto *made = dyn_cast<GetElementPtrInst>(result)) made->setNoWrapFlags(address.getNoWrapFlags());
  set_vectors(&address, {result});
  return true;
}

}  // namespace quern
