/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Finds bodies that mostly store, and builds the test of the size of their results. */
#include "compiler/passes/vectorize/transform/nontemporal_stores.hpp"

#include <cassert>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/analysis/operands.hpp"

using namespace llvm;

namespace quern {

/* Most instructions of the body, all of which is written once more. */
static constexpr unsigned max_instructions = 40;

/* True when a value, which may be an address, can be computed for any work-item in the preheader of the item loop. */
static bool can_compute_in_preheader(const Value *value) {
  return all_of_operands(value, [](const Value *operand) -> std::optional<bool> {
    if (isa<Constant>(operand) || isa<Argument>(operand)) return true;
    auto *instruction = dyn_cast<Instruction>(operand);
    if (!instruction || isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
    if (!isSafeToSpeculativelyExecute(instruction)) return false;
    return std::nullopt;
  });
}

/* True for a simple store to global memory whose elements are contiguous and fill whole registers. The address must be
 * strided without a runtime check, and available in the preheader, where its alignment is tested. */
static bool can_be_nontemporal(const ShapeAnalysis &analysis, const StoreInst &store, unsigned width,
                               uint64_t register_bytes) {
  const Value *address = store.getPointerOperand();
  Shape shape = analysis.shape(address);
  uint64_t size = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  return store.isSimple() && store.getPointerAddressSpace() == global_space && shape.kind == Shape::strided &&
         shape.stride > 0 && uint64_t(shape.stride) == size && size * width % register_bytes == 0 &&
         !analysis.no_wrap_checks(address) && can_compute_in_preheader(address);
}

/* The pointer to the ND-range, or null. */
static const Argument *find_ndrange(const Function &function) {
  auto *found = find_if(function.args(),
                        [](const Argument &argument) { return argument.hasAttribute(PASSES_NDRANGE_ATTRIBUTE); });
  return found == function.arg_end() ? nullptr : found;
}

std::optional<NonTemporalStores> NonTemporalStores::find(const Function &function, const ShapeAnalysis &analysis,
                                                         unsigned width, uint64_t register_bytes) {
  if (!find_ndrange(function)) return std::nullopt;
  NonTemporalStores out = {{}, Align(register_bytes), 0};
  SmallPtrSet<const Value *, 4> written, read;
  unsigned count = 0;
  for (const BasicBlock *block : analysis.order()) {
    if (block->getTerminator()->getNumSuccessors() > 1) return std::nullopt;
    for (const Instruction &instruction : *block) {
      count++;
      if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        if (!can_be_nontemporal(analysis, *store, width, register_bytes)) return std::nullopt;
        out.stores.insert(store);
        out.bytes_per_item += uint64_t(analysis.shape(store->getPointerOperand()).stride);
        written.insert(getUnderlyingObject(store->getPointerOperand(), 0));
      } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        read.insert(getUnderlyingObject(load->getPointerOperand(), 0));
      } else if (instruction.mayReadOrWriteMemory()) {
        return std::nullopt;
      }
    }
  }
  bool reads_written = any_of(written, [&](const Value *object) { return read.contains(object); });
  if (out.stores.empty() || count > max_instructions || reads_written) return std::nullopt;
  return out;
}

/* Loads a field of the ND-range, which does not change while the function runs. */
static LoadInst *load_field(Value *ndrange, unsigned offset, Type *type, IRBuilder<> &builder) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ndrange, offset);
  LoadInst *field = builder.CreateAlignedLoad(type, address, Align(type->getIntegerBitWidth() / 8));
  field->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return field;
}

Value *NonTemporalStores::write_size_check(Function &function, const work_group_layout_t &layout,
                                           IRBuilder<> &builder) const {
  auto *ndrange = const_cast<Argument *>(find_ndrange(function));
  assert(ndrange && "find() has seen the ND-range");
  Value *stored = builder.getInt64(bytes_per_item);
  for (unsigned d = 0; d < 3; d++) {
    stored = builder.CreateMul(stored,
                               load_field(ndrange, layout.ndrange.global_size + 8 * d, builder.getInt64Ty(), builder));
  }
  Value *megabytes = load_field(ndrange, layout.ndrange.streaming_mib, builder.getInt32Ty(), builder);
  Value *threshold = builder.CreateShl(builder.CreateZExt(megabytes, builder.getInt64Ty()), 20);
  return builder.CreateICmpUGE(stored, threshold);
}

}  // namespace quern
