/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the CPU of a machine has. */
#ifndef HOST_CODEGEN_FEATURES_HPP
#define HOST_CODEGEN_FEATURES_HPP

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

/** True when an x86 machine has a subtarget feature, or a tuning flag: "+avx512f". */
inline bool host_has_feature(const llvm::TargetMachine &machine, const char *feature) {
  return machine.getTargetTriple().isX86() && machine.getMCSubtargetInfo()->checkFeatures(feature);
}

inline bool host_has_avx512(const llvm::TargetMachine &machine) { return host_has_feature(machine, "+avx512f"); }

#endif
