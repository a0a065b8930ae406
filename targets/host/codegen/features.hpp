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

/** AVX and AVX2 load and store elements of 32 and 64 bits under a mask, AVX-512BW of 8 and 16 bits, too. */
inline bool host_lacks_narrow_masks(const llvm::TargetMachine &machine) {
  return host_has_feature(machine, "+avx") && !host_has_feature(machine, "+avx512bw");
}

/** AMD's CPUs without AVX-512 store a vector under a mask in some 14 cycles, by microcode (measured on Zen 3: 4.1 ns
 * instead of 0.3; loads under a mask take no longer than others). SSE4A is what no other CPU has. */
inline bool host_has_slow_masked_stores(const llvm::TargetMachine &machine) {
  return host_has_feature(machine, "+sse4a") && host_has_feature(machine, "+avx") && !host_has_avx512(machine);
}

#endif
