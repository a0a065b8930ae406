/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Removal of the qualifier volatile. */
#include "compiler/passes/private_volatile.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

namespace {

using Accesses = SmallVector<Instruction *, 16>;

/* Adds the loads and stores of the variable to `out_accesses`. False if it is written twice, or more is done with its
 * address. */
bool collect_accesses(AllocaInst &variable, Accesses &out_accesses) {
  unsigned stores = 0;
  for (User *user : variable.users()) {
    auto *instruction = cast<Instruction>(user);
    if (instruction->isLifetimeStartOrEnd()) continue;
    if (getLoadStorePointerOperand(instruction) != &variable || instruction->isAtomic()) return false;
    auto *store = dyn_cast<StoreInst>(instruction);
    if (store && (store->getValueOperand() == &variable || ++stores > 1)) return false;
    if (instruction->isVolatile()) out_accesses.push_back(instruction);
  }
  return true;
}

}  // namespace

void drop_volatile(Instruction &access) {
  if (auto *load = dyn_cast<LoadInst>(&access))
    load->setVolatile(false);
  else
    cast<StoreInst>(access).setVolatile(false);
}

PreservedAnalyses DropPrivateVolatilePass::run(Function &function, FunctionAnalysisManager &) {
  bool has_changed = false;
  for (Instruction &instruction : instructions(function)) {
    Accesses accesses;
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable || !collect_accesses(*variable, accesses)) continue;
    for (Instruction *access : accesses) drop_volatile(*access);
    has_changed |= !accesses.empty();
  }
  return preserve_blocks(has_changed);
}

}  // namespace quern
