/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Expansion of short memmoves within a private variable into loads and stores of its elements. */
#include "compiler/passes/private_memmoves.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {
namespace {

constexpr size_t max_elements = 64;

/* A scalar element of a variable. */
struct Element {
  uint64_t offset;
  Type *type;
};
using Elements = SmallVector<Element, max_elements>;

/* Collects the scalar elements of a type. A vector of three has space for four. Returns false for more than
 * max_elements or an element type with padding bits, or another one than integer, float and pointer. */
bool collect_elements(Type *type, uint64_t offset, const DataLayout &layout, Elements &elements) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *struct_layout = layout.getStructLayout(structure);
    return all_of(enumerate(structure->elements()), [&](auto member) {
      return collect_elements(member.value(), offset + struct_layout->getElementOffset(unsigned(member.index())),
                              layout, elements);
    });
  }
  uint64_t bytes = layout.getTypeAllocSize(type).getFixedValue();
  Type *inner = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
  uint64_t size = layout.getTypeAllocSize(inner).getFixedValue();
  if (inner == type) {
    elements.push_back({offset, type});
    bool is_plain = type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
    return is_plain && layout.typeSizeEqualsStoreSize(type) && elements.size() <= max_elements;
  }
  for (uint64_t at = 0; size && at + size <= bytes; at += size) {
    if (!collect_elements(inner, offset + at, layout, elements)) return false;
  }
  return true;
}

/* Selects the elements in the byte range, with offsets relative to its begin. Returns false unless they cover the
 * range: a union may store something in other bytes. */
bool select_range(const Elements &all, uint64_t begin, uint64_t bytes, const DataLayout &layout, Elements &elements) {
  uint64_t end = begin;
  for (const Element &element : all) {
    if (element.offset != end || end == begin + bytes) continue;
    elements.push_back({element.offset - begin, element.type});
    end += layout.getTypeAllocSize(element.type).getFixedValue();
  }
  return end == begin + bytes;
}

struct Location {
  AllocaInst *variable;
  uint64_t offset;
};

Location resolve_address(Value *address, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  Value *base = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {dyn_cast<AllocaInst>(base), offset.getZExtValue()};
}

/* The elements that a memmove within one variable moves. Empty if an offset is not constant or the types of source and
 * destination elements differ. */
Elements find_elements(const MemTransferInst &copy) {
  const DataLayout &layout = copy.getDataLayout();
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  Location to = resolve_address(copy.getRawDest(), layout), from = resolve_address(copy.getRawSource(), layout);
  Elements all, written, read;
  if (!length || copy.isVolatile() || !to.variable || to.variable != from.variable) return {};
  if (to.variable->isArrayAllocation() || !collect_elements(to.variable->getAllocatedType(), 0, layout, all)) return {};
  bool fits = select_range(all, to.offset, length->getZExtValue(), layout, written) &&
              select_range(all, from.offset, length->getZExtValue(), layout, read);
  auto same = [](const Element &a, const Element &b) { return a.offset == b.offset && a.type == b.type; };
  return fits && equal(written, read, same) ? read : Elements();
}

bool expand(MemTransferInst &copy) {
  const Elements elements = find_elements(copy);
  IRBuilder<> builder(&copy);
  SmallVector<Value *, max_elements> values;
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
