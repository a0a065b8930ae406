/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Short copies within a private variable, element by element. */
#include "compiler/passes/private_memmoves.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {
namespace {

constexpr size_t most_elements = 64;

/* A part of a variable that is no aggregate of others. */
struct Element {
  uint64_t offset;
  Type *type;
};
using Elements = SmallVector<Element, most_elements>;

/* The elements of a type. A vector of three has the room of four. False where there are too many. */
bool collect(Type *type, uint64_t offset, const DataLayout &layout, Elements &elements) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *places = layout.getStructLayout(structure);
    return all_of(enumerate(structure->elements()), [&](auto member) {
      return collect(member.value(), offset + places->getElementOffset(unsigned(member.index())), layout, elements);
    });
  }
  uint64_t bytes = layout.getTypeAllocSize(type).getFixedValue();
  Type *inner = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
  uint64_t size = layout.getTypeAllocSize(inner).getFixedValue();
  if (inner == type) {
    elements.push_back({offset, type});
    bool is_plain = type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
    return is_plain && layout.typeSizeEqualsStoreSize(type) && elements.size() <= most_elements;
  }
  for (uint64_t at = 0; size && at + size <= bytes; at += size) {
    if (!collect(inner, offset + at, layout, elements)) return false;
  }
  return true;
}

/* Those within these bytes, counted from there. False where there are others: a union may keep something in them. */
bool cut(const Elements &all, uint64_t begin, uint64_t bytes, const DataLayout &layout, Elements &elements) {
  uint64_t reached = begin;
  for (const Element &element : all) {
    if (element.offset != reached || reached == begin + bytes) continue;
    elements.push_back({element.offset - begin, element.type});
    reached += layout.getTypeAllocSize(element.type).getFixedValue();
  }
  return reached == begin + bytes;
}

struct Place {
  AllocaInst *variable;
  uint64_t offset;
};

Place place_of(Value *address, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  Value *base = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {dyn_cast<AllocaInst>(base), offset.getZExtValue()};
}

/* The elements that a copy within a variable moves; none where it is not at constant places, or they are not alike. */
Elements find_elements(const MemTransferInst &copy) {
  const DataLayout &layout = copy.getDataLayout();
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  Place to = place_of(copy.getRawDest(), layout), from = place_of(copy.getRawSource(), layout);
  Elements all, written, read;
  if (!length || copy.isVolatile() || !to.variable || to.variable != from.variable) return {};
  if (to.variable->isArrayAllocation() || !collect(to.variable->getAllocatedType(), 0, layout, all)) return {};
  bool fits = cut(all, to.offset, length->getZExtValue(), layout, written) &&
              cut(all, from.offset, length->getZExtValue(), layout, read);
  auto same = [](const Element &a, const Element &b) { return a.offset == b.offset && a.type == b.type; };
  return fits && equal(written, read, same) ? read : Elements();
}

bool expand(MemTransferInst &copy) {
  const Elements elements = find_elements(copy);
  IRBuilder<> builder(&copy);
  SmallVector<Value *, most_elements> values;
  for (const Element &element : elements) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawSource(), element.offset);
    Align alignment = commonAlignment(copy.getSourceAlign().valueOrOne(), element.offset);
    values.push_back(builder.CreateAlignedLoad(element.type, address, alignment));
  }
  for (auto [element, value] : zip_equal(elements, values)) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), element.offset);
    builder.CreateAlignedStore(value, address, commonAlignment(copy.getDestAlign().valueOrOne(), element.offset));
  }
  if (!elements.empty()) copy.eraseFromParent();
  return !elements.empty();
}

}  // namespace

PreservedAnalyses ExpandPrivateMemmovesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) changed |= expand(*copy);
  }
  return preserve_blocks(changed);
}

}  // namespace quern
