/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interleaving of work-items that stay scalar. */
#include "compiler/passes/vectorize/transform/interleave_scalar.hpp"

#include <cassert>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

using namespace llvm;

namespace quern {

/* Larger bodies have enough independent operations of their own, and would take long to compile. */
static constexpr size_t max_interleaved_instructions = 400;

bool can_interleave_items(const ItemBody &body, const ShapeAnalysis &analysis, const PrivateMemory &memory) {
  if (!memory.variables().empty() || !body.live_out().empty()) return false;
  if (body.function().getInstructionCount() > max_interleaved_instructions) return false;
  return !analysis.has_divergent_branches() && all_of(instructions(body.function()), can_jam);
}

void interleave_items(ItemBody &body, unsigned count) {
  assert(count > 1 && "one work-item needs no interleaving");
  BasicBlock &entry = body.function().getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  JammedCopies counters;
  for (unsigned item = 1; item < count; item++) {
    counters[body.counter()].push_back(builder.CreateAdd(body.counter(), builder.getInt64(item), "", true, true));
  }
  unroll_and_jam(body.function(), std::move(counters));
}

void write_scalar_body(const ItemBody &body, Value *counter, BasicBlock *block, BasicBlock *after) {
  IRBuilder<> builder(block);
  SmallVector<Value *, 16> arguments;
  for (Argument &parameter : body.function().args()) {
    arguments.push_back(&parameter == body.counter() ? counter : body.outside(&parameter));
  }
  CallInst *call = builder.CreateCall(&body.function(), arguments);
  builder.CreateBr(after);
  InlineFunctionInfo info;
  const bool is_inlined = InlineFunction(*call, info).isSuccess();
  assert(is_inlined && "a body of our own can be inlined");
  (void)is_inlined;
}

}  // namespace quern
