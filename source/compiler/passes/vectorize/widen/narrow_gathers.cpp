/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Gathers of elements below 32 bits, which CPUs do not have. The aligned word that contains an element is gathered: it
 * is in the same page, so that it is readable too. The element is then shifted out of the word. */
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

namespace {

constexpr unsigned word_bytes = 4, word_bits = 32;

/* Addresses that are a scalar base and indices of at most 32 bits. One instruction gathers from twice as many of them
 * as from 64-bit addresses. */
struct IndexedAddresses {
  Value *base;
  CastInst *extension;
  /** Bytes from one index to the next: 1 or 2. */
  unsigned scale;

  Value *indices() const { return extension->getOperand(0); }
  bool is_signed() const { return isa<SExtInst>(extension); }
  /** Sums of an index and a few units do not wrap in 32 bits, signed or unsigned as the index is. */
  bool has_spare_bits() const {
    return indices()->getType()->getScalarSizeInBits() < word_bits || (!is_signed() && extension->hasNonNeg());
  }
};

/* The gathered words, and the first bit of each lane's element in its word. */
struct Words {
  Value *words, *bits;
};

}  // namespace

/* The address to which a scalar index is added behind the lanes' indices, or null. */
static GetElementPtrInst *address_before_scalar_index(const GetElementPtrInst &address) {
  if (address.getNumIndices() != 1 || address.getOperand(1)->getType()->isVectorTy()) return nullptr;
  return dyn_cast<GetElementPtrInst>(address.getOperand(0));
}

/* `size` bytes is what an element has, and what its address is aligned to. */
static std::optional<IndexedAddresses> indexed_addresses(Value *addresses, uint64_t size, IRBuilder<> &builder,
                                                         const DataLayout &layout) {
  auto *last = dyn_cast<GetElementPtrInst>(addresses);
  if (!last) return std::nullopt;
  auto *before = address_before_scalar_index(*last), *address = before ? before : last;
  if (address->getNumIndices() != 1 || address->getPointerOperandType()->isVectorTy()) return std::nullopt;
  auto *extension = dyn_cast<CastInst>(address->getOperand(1));
  const uint64_t scale = layout.getTypeAllocSize(address->getSourceElementType());
  if (!extension || !isa<SExtInst, ZExtInst>(extension) || !extension->getType()->isVectorTy()) return std::nullopt;
  if (!scale || scale > size || extension->getSrcTy()->getScalarSizeInBits() > word_bits) return std::nullopt;
  IndexedAddresses out = {address->getPointerOperand(), extension, unsigned(scale)};
  /* The index of a word is signed: of unsigned indices of halves, one more than the largest does not fit. */
  if (!out.is_signed() && !out.has_spare_bits() && scale > 1) return std::nullopt;
  if (before) out.base = builder.CreateGEP(last->getSourceElementType(), out.base, last->getOperand(1));
  return out;
}

static Value *clear_offset_in_word(Value *base, Value *offset, IRBuilder<> &builder) {
  return builder.CreateGEP(builder.getInt8Ty(), base, builder.CreateNeg(offset));
}

/* The base may lie inside of a word: its offset counts in elements. */
static Words gather_indexed_words(const IndexedAddresses &from, FixedVectorType *type, Value *mask,
                                  IRBuilder<> &builder) {
  const unsigned elements_log2 = Log2_32(word_bytes / from.scale);
  Value *offset = builder.CreateAnd(builder.CreatePtrToInt(from.base, builder.getInt64Ty()), word_bytes - 1);
  Value *aligned = clear_offset_in_word(from.base, offset, builder);
  Value *first = builder.CreateTrunc(builder.CreateLShr(offset, Log2_32(from.scale)), builder.getInt32Ty());
  Value *firsts = builder.CreateVectorSplat(type->getNumElements(), first);
  Value *indices = builder.CreateIntCast(from.indices(), type, from.is_signed());
  auto divide = [&](Value *value) {
    return from.is_signed() ? builder.CreateAShr(value, elements_log2) : builder.CreateLShr(value, elements_log2);
  };
  Constant *low_bits = ConstantInt::get(type, (1U << elements_log2) - 1);
  Value *sum, *word;
  if (from.has_spare_bits()) {
    sum = builder.CreateAdd(indices, firsts);
    word = divide(sum);
  } else {
    sum = builder.CreateAdd(builder.CreateAnd(indices, low_bits), firsts);
    Value *carry = builder.CreateLShr(sum, elements_log2);
    word = builder.CreateAdd(divide(indices), carry);
  }
  Value *addresses = builder.CreateGEP(builder.getInt32Ty(), aligned, word);
  Value *words = builder.CreateMaskedGather(type, addresses, Align(word_bytes), mask);
  return {words, builder.CreateShl(builder.CreateAnd(sum, low_bits), Log2_32(8 * from.scale))};
}

static Words gather_addressed_words(Value *addresses, FixedVectorType *type, Value *mask, IRBuilder<> &builder) {
  auto *integers = VectorType::get(builder.getInt64Ty(), type->getElementCount());
  Value *offset = builder.CreateAnd(builder.CreatePtrToInt(addresses, integers), word_bytes - 1);
  Value *aligned = clear_offset_in_word(addresses, offset, builder);
  Value *words = builder.CreateMaskedGather(type, aligned, Align(word_bytes), mask);
  return {words, builder.CreateShl(builder.CreateTrunc(offset, type), 3)};
}

Value *Widener::gather_words(Type *type, Value *addresses) {
  auto *vector = cast<FixedVectorType>(widen(builder_.getInt32Ty()));
  const unsigned size = unsigned(data_layout_.getTypeSizeInBits(type));
  const auto indexed = indexed_addresses(addresses, size / 8, builder_, data_layout_);
  const Words gathered = indexed ? gather_indexed_words(*indexed, vector, mask_or_all(), builder_)
                                 : gather_addressed_words(addresses, vector, mask_or_all(), builder_);
  Value *shifted = builder_.CreateLShr(gathered.words, gathered.bits);
  return builder_.CreateBitCast(builder_.CreateTrunc(shifted, widen(builder_.getIntNTy(size))), widen(type));
}

}  // namespace quern
