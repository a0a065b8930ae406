/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Slices: the per_lane_bytes bytes of one lane that fill a 128-bit part of a vector register. Transposing slices takes
 * unpack instructions, which stay within these parts. LLVM's code generator finds them in a wide strided shuffle only
 * by combining shuffles recursively: its slowest part, for worse code. */
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>

#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* Shuffle indices that interleave two vectors within blocks of `size` elements, `unit` elements from each alternately.
 * The elements come from the first or the second half of each block, as in unpack instructions. */
static SmallVector<int, 64> halves(unsigned width, unsigned size, unsigned unit, bool second) {
  SmallVector<int, 64> indices;
  for (unsigned block = 0; block < width; block += size) {
    for (unsigned k = 0; k < size / 2; k += unit) {
      for (unsigned source : {0U, width}) {
        for (unsigned i = 0; i < unit; i++) indices.push_back(int(source + block + (second ? size / 2 : 0) + k + i));
      }
    }
  }
  return indices;
}

/* Transposes square blocks: block b of all vectors together is one matrix, with as many elements in a block as there
 * are vectors. All shuffles stay within 16 bytes, which is the cheapest kind. */
Components Widener::transpose(ArrayRef<Value *> sources, unsigned size, unsigned unit) {
  if (sources.size() == 1) return {sources[0]};
  Components low, high;
  for (size_t i = 0; i < sources.size(); i += 2) {
    low.push_back(builder_.CreateShuffleVector(sources[i], sources[i + 1], halves(width_, size, unit, false)));
    high.push_back(builder_.CreateShuffleVector(sources[i], sources[i + 1], halves(width_, size, unit, true)));
  }
  Components all = transpose(low, size, 2 * unit);
  all.append(transpose(high, size, 2 * unit));
  return all;
}

/* Under a mask, the access may be to scratch memory, which is aligned by its size. */
Align Widener::per_lane_align(Align align) const { return mask_ ? std::min(align, Align(per_lane_bytes)) : align; }

/* How many elements a slice has, if the elements in `slots`, of `step` for each lane, fill whole slices; else 0. */
unsigned Widener::slice_elements(const Type &element, unsigned step, unsigned slots) const {
  if (!input_.unit.has_128_bit_parts || !is_per_lane_type(element)) return 0;
  const unsigned count = per_lane_bytes * 8 / element.getScalarSizeInBits(), whole = (1U << count) - 1;
  if (step % count || width_ % count) return 0;
  for (unsigned rest = slots; rest; rest >>= count) {
    if ((rest & whole) && (rest & whole) != whole) return 0;
  }
  return count;
}

/* The address of slice `slice` of each lane, where the lanes' elements follow each other in memory. */
SmallVector<Value *, 16> Widener::slice_addresses(Value *first, uint64_t slices, uint64_t slice) {
  SmallVector<Value *, 16> addresses;
  for (unsigned lane = 0; lane < width_; lane++) {
    Value *offset = builder_.getInt64((lane * slices + slice) * per_lane_bytes);
    addresses.push_back(builder_.CreateGEP(builder_.getInt8Ty(), first, offset));
  }
  return addresses;
}

/* Loads `count` elements for each lane and returns one vector for each element. Before the transposition, vector k has
 * the concatenated loads of lanes k, k + count, k + 2 * count, ... */
Components Widener::load_slices(ArrayRef<Value *> addresses, Type *element, unsigned count, Align align,
                                function_ref<void(Instruction *)> copy_metadata) {
  auto *slice_type = FixedVectorType::get(element, count);
  SmallVector<SmallVector<Value *, 16>, 4> slices(count);
  for (auto [i, address] : enumerate(addresses)) {
    LoadInst *loaded = builder_.CreateAlignedLoad(slice_type, address, per_lane_align(align));
    copy_metadata(loaded);
    slices[i % count].push_back(loaded);
  }
  Components concatenated;
  for (const SmallVector<Value *, 16> &lane_slices : slices)
    concatenated.push_back(concatenateVectors(builder_, lane_slices));
  return transpose(concatenated, count, 1);
}

void Widener::store_slices(ArrayRef<Value *> values, ArrayRef<Value *> addresses, Align align,
                           function_ref<void(Instruction *)> copy_metadata) {
  const auto count = unsigned(values.size());
  const Components transposed = transpose(values, count, 1);
  for (auto [i, address] : enumerate(addresses)) {
    const unsigned begin = unsigned(i) / count * count;
    Value *slice = builder_.CreateShuffleVector(transposed[i % count], strided_indices(1, begin, count));
    copy_metadata(builder_.CreateAlignedStore(slice, address, per_lane_align(align)));
  }
}

/* The vectors of one slice's elements, from a vector in which the lanes' elements follow each other, `step` for each
 * lane. */
Components Widener::deinterleave_slice(Value *all, unsigned step, unsigned count, unsigned slice) {
  Components blocks;
  for (unsigned k = 0; k < count; k++) {
    SmallVector<int, 64> indices;
    for (unsigned lane = k; lane < width_; lane += count) {
      for (unsigned i = 0; i < count; i++) indices.push_back(int(lane * step + slice * count + i));
    }
    blocks.push_back(builder_.CreateShuffleVector(all, indices));
  }
  return transpose(blocks, count, 1);
}

/* The inverse: one vector in which the lanes' elements follow each other. It is made of pairs of slices, a shuffle of
 * two registers each: of a single shuffle of all, LLVM makes several times as many. */
Value *Widener::interleave_slices(ArrayRef<Value *> values, unsigned count) {
  const auto slices = unsigned(values.size()) / count;
  SmallVector<Value *, 8> transposed;
  for (unsigned slice = 0; slice < slices; slice++)
    transposed.append(transpose(values.slice(slice * count, count), count, 1));
  SmallVector<Value *, 16> pairs;
  for (unsigned i = 0; i < width_ * slices; i += 2) {
    auto source = [&](unsigned slice) { return transposed[slice % slices * count + slice / slices % count]; };
    auto begin = [&](unsigned slice) { return slice / slices / count * count; };
    SmallVector<int, 64> indices = strided_indices(1, begin(i), count);
    indices.append(strided_indices(1, width_ + begin(i + 1), count));
    pairs.push_back(builder_.CreateShuffleVector(source(i), source(i + 1), indices));
  }
  return concatenateVectors(builder_, pairs);
}

/* One vector with `step` elements for each lane: those of the values by slot, poison where there is none. `count` is
 * that of slice_elements(), or 0 for one shuffle of all values. */
Value *Widener::interleave(ArrayRef<Value *> values, unsigned step, unsigned count) {
  Components sources;
  SmallVector<int, 64> indices(step * width_, PoisonMaskElem);
  for (auto [slot, value] : enumerate(values)) {
    if (!value) continue;
    for (unsigned i = 0; i < width_; i++) indices[i * step + slot] = int(sources.size() * width_ + i);
    sources.push_back(value);
  }
  if (step == 1) return sources[0];
  if (Value *words = interleave_words(values, step)) return words;
  if (count && sources.size() == step) return interleave_slices(values, count);
  auto *type = FixedVectorType::get(sources[0]->getType()->getScalarType(), unsigned(sources.size()) * width_);
  Value *concatenated = PoisonValue::get(type);
  for (auto [i, value] : enumerate(sources))
    concatenated = builder_.CreateInsertVector(type, concatenated, value, i * width_);
  return builder_.CreateShuffleVector(concatenated, indices);
}

/* The vectors of the elements in `slots`, null for others, from a vector with `step` elements for each lane. `count` is
 * that of slice_elements(), or 0 for one shuffle for each element. `converts`: the elements are for conversions. */
Components Widener::deinterleave(Value *all, unsigned step, unsigned slots, unsigned count, bool converts) {
  if (converts) {
    if (Components elements = deinterleave_words(all, step); !elements.empty()) return elements;
  }
  Components elements(step);
  for (unsigned slot = 0; slot < step; slot += std::max(count, 1U)) {
    if (!(slots >> slot & 1)) continue;
    if (count) {
      copy(deinterleave_slice(all, step, count, slot / count), elements.begin() + slot);
    } else {
      elements[slot] = builder_.CreateShuffleVector(all, strided_indices(step, slot, width_));
    }
  }
  return elements;
}

/* Stores slices between which nothing is stored, as no vector store does without a mask. `values` are by slot, null in
 * the gaps. */
void Widener::store_with_gaps(const Components &values, Value *first, unsigned step, unsigned count, Align align,
                              function_ref<void(Instruction *)> copy_metadata) {
  for (unsigned slot = 0; slot < values.size(); slot += count) {
    if (!values[slot]) continue;
    store_slices(ArrayRef(values).slice(slot, count), slice_addresses(first, step / count, slot / count),
                 commonAlignment(align, per_lane_bytes), copy_metadata);
  }
}

/* deinterleave() of memory, without a mask. Slices of several lanes are loaded into one register, which takes no
 * shuffles that cross its 128-bit parts. */
Components Widener::load_deinterleaved(Value *first, Type *element, unsigned step, unsigned slots, unsigned count,
                                       Align align, function_ref<void(Instruction *)> copy_metadata) {
  Components elements(step);
  for (unsigned slot = 0; slot < step; slot += count) {
    if (!(slots >> slot & 1)) continue;
    const auto addresses = slice_addresses(first, step / count, slot / count);
    copy(load_slices(addresses, element, count, commonAlignment(align, per_lane_bytes), copy_metadata),
         elements.begin() + slot);
  }
  return elements;
}

}  // namespace quern
