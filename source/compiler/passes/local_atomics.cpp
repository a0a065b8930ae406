/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of atomics on local memory to plain loads and stores. */
#include "compiler/passes/local_atomics.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/preserved.hpp"

using namespace llvm;

namespace quern {

PreservedAnalyses LowerLocalAtomicsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction)) {
      if (operation->getPointerAddressSpace() == local_space) changed |= lowerAtomicRMWInst(operation);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      if (exchange->getPointerAddressSpace() == local_space) changed |= lowerAtomicCmpXchgInst(exchange);
    } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (!load->isAtomic() || load->getPointerAddressSpace() != local_space) continue;
      load->setAtomic(AtomicOrdering::NotAtomic);
      changed = true;
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      if (!store->isAtomic() || store->getPointerAddressSpace() != local_space) continue;
      store->setAtomic(AtomicOrdering::NotAtomic);
      changed = true;
    }
  }
  return preserve_blocks(changed);
}

}  // namespace quern
