/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Removal of the qualifier volatile. */
#include "compiler/passes/private_volatile.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

namespace {

using Accesses = SmallVector<Instruction *, 16>;

/* Adds the volatile loads and stores through `address` to `out_accesses`. False if the address goes elsewhere. */
bool collect_accesses(Value &address, Accesses &out_accesses) {
  for (User *user : address.users()) {
    auto *instruction = cast<Instruction>(user);
    if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(instruction)) {
      if (!collect_accesses(*instruction, out_accesses)) return false;
    } else if (isa<LoadInst>(instruction) || getLoadStorePointerOperand(instruction) == &address) {
      if (isa<StoreInst>(instruction) && instruction->getOperand(0) == &address) return false;
      if (!instruction->isAtomic() && instruction->isVolatile()) out_accesses.push_back(instruction);
    } else if (!instruction->isLifetimeStartOrEnd()) {
      return false;
    }
  }
  return true;
}

void drop_volatile(Instruction &access) {
  if (auto *load = dyn_cast<LoadInst>(&access))
    load->setVolatile(false);
  else
    cast<StoreInst>(access).setVolatile(false);
}

}  // namespace

PreservedAnalyses DropPrivateVolatilePass::run(Function &function, FunctionAnalysisManager &) {
  bool has_changed = false;
  for (Instruction &instruction : instructions(function)) {
    Accesses accesses;
    if (!isa<AllocaInst>(instruction) || !collect_accesses(instruction, accesses)) continue;
    for (Instruction *access : accesses) drop_volatile(*access);
    has_changed |= !accesses.empty();
  }
  return preserve_blocks(has_changed);
}

}  // namespace quern
