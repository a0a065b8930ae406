/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of bodies that mostly store. */
#include "compiler/passes/vectorize/transform/nontemporal_stores.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/analysis/operands.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"

using namespace llvm;

namespace quern {

/* The whole body is written once more: this many instructions at most. */
static constexpr unsigned most_instructions = 40;

bool can_compute_before(const Value *value) {
  return holds_of_all(value, [](const Value *part) -> std::optional<bool> {
    if (isa<Constant>(part) || isa<Argument>(part)) return true;
    auto *instruction = dyn_cast<Instruction>(part);
    if (!instruction || isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
    if (!isSafeToSpeculativelyExecute(instruction)) return false;
    return std::nullopt;
  });
}

static bool is_stream(const ShapeAnalysis &analysis, const StoreInst &store, unsigned width, uint64_t register_bytes) {
  const Value *address = store.getPointerOperand();
  Shape shape = analysis.shape(address);
  uint64_t size = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  return store.isSimple() && store.getPointerAddressSpace() == global_space && shape.kind == Shape::strided &&
         shape.stride > 0 && uint64_t(shape.stride) == size && size * width % register_bytes == 0 &&
         !analysis.no_wrap_checks(address) && can_compute_before(address);
}

std::optional<NonTemporalStores> NonTemporalStores::find(const ShapeAnalysis &analysis, unsigned width,
                                                         uint64_t register_bytes) {
  NonTemporalStores out = {{}, Align(register_bytes), 0};
  SmallPtrSet<const Value *, 4> written, read;
  unsigned count = 0;
  for (const BasicBlock *block : analysis.order()) {
    if (block->getTerminator()->getNumSuccessors() > 1) return std::nullopt;
    for (const Instruction &instruction : *block) {
      count++;
      if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        if (!is_stream(analysis, *store, width, register_bytes)) return std::nullopt;
        out.stores.insert(store);
        out.bytes += uint64_t(analysis.shape(store->getPointerOperand()).stride);
        written.insert(getUnderlyingObject(store->getPointerOperand(), 0));
      } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        read.insert(getUnderlyingObject(load->getPointerOperand(), 0));
      } else if (instruction.mayReadOrWriteMemory()) {
        return std::nullopt;
      }
    }
  }
  bool reads_own = any_of(written, [&](const Value *object) { return read.contains(object); });
  if (out.stores.empty() || count > most_instructions || reads_own) return std::nullopt;
  return out;
}

static LoadInst *load_field(Value *range, unsigned offset, Type *type, IRBuilder<> &builder) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), range, offset);
  LoadInst *field = builder.CreateAlignedLoad(type, address, Align(type->getIntegerBitWidth() / 8));
  field->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return field;
}

Value *NonTemporalStores::is_large(Function &function, const work_group_layout_t &layout, IRBuilder<> &builder) const {
  auto *range = find_if(function.args(),
                        [](const Argument &argument) { return argument.hasAttribute(PASSES_NDRANGE_ATTRIBUTE); });
  if (range == function.arg_end()) return nullptr;
  Value *stored = builder.getInt64(bytes);
  for (unsigned d = 0; d < 3; d++) {
    stored =
        builder.CreateMul(stored, load_field(range, layout.ndrange.global_size + 8 * d, builder.getInt64Ty(), builder));
  }
  Value *megabytes = load_field(range, layout.ndrange.streaming_mib, builder.getInt32Ty(), builder);
  Value *least = builder.CreateShl(builder.CreateZExt(megabytes, builder.getInt64Ty()), 20);
  return builder.CreateICmpUGE(stored, least);
}

}  // namespace quern
