/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Compares the address spaces of pointers. */
#include "compiler/passes/address_space_aa.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Passes/PassBuilder.h>

#include "compiler/passes/address_spaces.hpp"

using namespace llvm;

namespace quern {

AnalysisKey AddressSpaceAA::Key;

static unsigned space_of(const Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == generic_space ? getUnderlyingObject(&pointer)->getType()->getPointerAddressSpace() : space;
}

/* A buffer may be an argument as global and as constant memory. Private memory is left to LLVM: what the host passes,
 * like the range of the launch, is in its address space too. */
static bool is_device_space(unsigned space) { return space == global_space || space == constant_space; }

AliasResult AddressSpaceAAResult::alias(const MemoryLocation &one, const MemoryLocation &other, AAQueryInfo &,
                                        const Instruction *) {
  const unsigned first = space_of(*one.Ptr), second = space_of(*other.Ptr);
  const bool is_disjoint =
      (first == local_space && is_device_space(second)) || (second == local_space && is_device_space(first));
  return is_disjoint ? AliasResult::NoAlias : AliasResult::MayAlias;
}

void register_alias_analyses(PassBuilder &builder, FunctionAnalysisManager &analyses) {
  analyses.registerPass([] { return AddressSpaceAA(); });
  analyses.registerPass([&] {
    AAManager aliases = builder.buildDefaultAAPipeline();
    aliases.registerFunctionAnalysis<AddressSpaceAA>();
    return aliases;
  });
}

}  // namespace quern
