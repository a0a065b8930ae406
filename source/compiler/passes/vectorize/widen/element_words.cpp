/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Elements of 8 and 16 bits, several of each lane in a 32-bit word. Where they are extended, shifts extract them from
 * words, and where they are truncated, shifts insert them: a shuffle of bytes takes more instructions for each element,
 * and the extension or truncation is one more. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

static constexpr unsigned word_bits = 32;

/* How many elements a word has, if the `step` elements of a lane fill whole words; else 0. */
static unsigned word_elements(const Type &element, unsigned step, const DataLayout &layout) {
  const unsigned bits = element.getScalarSizeInBits();
  if (!element.isIntegerTy() || bits < 8 || bits >= word_bits || word_bits % bits || layout.isBigEndian()) return 0;
  return step % (word_bits / bits) ? 0 : word_bits / bits;
}

bool is_converted(const Value &value) {
  return any_of(value.users(), [](const User *user) {
    if (isa<ExtractElementInst, ShuffleVectorInst>(user)) return any_of(user->users(), IsaPred<CastInst>);
    return isa<CastInst>(user);
  });
}

/* deinterleave() of all elements, for conversions: trunc (lshr %word, bits). Empty where there are no words. An element
 * may be poison, which must not spread to the others of its word. */
Components Widener::deinterleave_words(Value *all, unsigned step) {
  Type *element = all->getType()->getScalarType();
  const unsigned count = word_elements(*element, step, data_layout_);
  if (!count) return {};
  const unsigned words = step / count;
  Value *in_words = builder_.CreateBitCast(builder_.CreateFreeze(all),
                                           FixedVectorType::get(builder_.getIntNTy(word_bits), width_ * words));
  Components elements;
  for (unsigned i = 0; i < words; i++) {
    Value *word = words == 1 ? in_words : builder_.CreateShuffleVector(in_words, strided_indices(words, i, width_));
    split_components(word, count, element, elements);
  }
  return elements;
}

/* Whether an element's value is found by truncation from a word or more. */
static bool is_truncated(const Value &value) {
  auto *cast = dyn_cast<CastInst>(&value);
  if (!cast || !isa<TruncInst, FPToUIInst, FPToSIInst>(cast)) return isa<Constant>(value);
  return cast->getSrcTy()->getScalarSizeInBits() >= word_bits;
}

/* An element as the truncation of a word, also where it is converted from a floating-point number. */
Value *Widener::truncated_word(Value *value) {
  auto *conversion = dyn_cast<CastInst>(value);
  if (!conversion || isa<TruncInst>(conversion)) return value;
  Value *converted = builder_.CreateFPToSI(conversion->getOperand(0), widen(builder_.getIntNTy(word_bits)));
  return builder_.CreateTrunc(builder_.CreateFreeze(converted), value->getType());
}

/* interleave() for elements that are truncated: or %word, (shl (zext %element), bits). Null where there are no words,
 * or no elements like these. There may be fewer values than slots. */
Value *Widener::interleave_words(ArrayRef<Value *> values, unsigned step) {
  auto is_found = [](const Value *value) { return value != nullptr; };
  Type *element = (*find_if(values, is_found))->getType()->getScalarType();
  const unsigned count = word_elements(*element, step, data_layout_);
  auto is_candidate = [](const Value *value) { return !value || is_truncated(*value); };
  auto is_cast = [](const Value *value) { return value && isa<CastInst>(value); };
  if (!count || !all_of(values, is_candidate) || count_if(values, is_cast) < 2) return nullptr;
  Components words;
  for (size_t first = 0; first < values.size(); first += count) {
    const ArrayRef<Value *> word = values.drop_front(first).take_front(count);
    Components elements;
    for (Value *value : word)
      elements.push_back(value ? truncated_word(value) : Constant::getNullValue(widen(element)));
    words.push_back(any_of(word, is_found) ? combine_components(elements) : nullptr);
  }
  return builder_.CreateBitCast(interleave(words, step / count, 0), FixedVectorType::get(element, width_ * step));
}

}  // namespace quern
