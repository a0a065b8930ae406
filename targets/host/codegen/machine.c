/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The target machine: this computer's CPU, or the one that the environment names. */
#include <pthread.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "base/log.h"
#include "base/options.h"
#include "host/codegen/codegen.h"

static pthread_once_t initialized = PTHREAD_ONCE_INIT;

static void initialize(void) {
#if defined(__x86_64__)
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
#elif defined(__aarch64__)
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
#else
#error "the host target has no code generator for this CPU"
#endif
}

/* The CPU's own features unless another CPU was asked for, then what the environment adds. */
static void choose_features(text_t *features, bool own_cpu) {
  if (own_cpu) {
    char *own = LLVMGetHostCPUFeatures();
    text_append(features, own);
    LLVMDisposeMessage(own);
  }
  const char *extra = options_get()->cpu_features;
  if (*extra) text_appendf(features, "%s%s", features->length ? "," : "", extra);
}

LLVMTargetMachineRef host_machine_create(bool optimize, text_t *log) {
  pthread_once(&initialized, initialize);
  LLVMTargetMachineRef machine = NULL;
  char *triple = LLVMGetDefaultTargetTriple();
  char *own_cpu = LLVMGetHostCPUName();
  char *error = NULL;
  text_t features = {0};
  const char *cpu = options_get()->cpu;
  choose_features(&features, !*cpu);
  LLVMTargetRef target = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &error)) {
    text_appendf(log, "error: no code generator for %s: %s\n", triple, error);
    LLVMDisposeMessage(error);
    goto done;
  }
  if (!*cpu) cpu = own_cpu;
  machine =
      LLVMCreateTargetMachine(target, triple, cpu, text_string(&features),
                              optimize ? LLVMCodeGenLevelLess : LLVMCodeGenLevelNone, LLVMRelocPIC, LLVMCodeModelSmall);
  if (!machine) text_appendf(log, "error: no target machine for %s, CPU %s\n", triple, cpu);
done:
  text_free(&features);
  LLVMDisposeMessage(own_cpu);
  LLVMDisposeMessage(triple);
  return machine;
}

/* The first CPUs with 512-bit vectors lower their clock for them. */
bool host_machine_has_wide_vectors(LLVMTargetMachineRef machine) {
  static const char *const slowed[] = {"skylake-avx512", "cascadelake", "cooperlake", "cannonlake"};
  char *cpu = LLVMGetTargetMachineCPU(machine);
  bool is_slowed = false;
  for (size_t i = 0; i < sizeof(slowed) / sizeof(slowed[0]); i++) is_slowed |= !strcmp(cpu, slowed[i]);
  LLVMDisposeMessage(cpu);
  return !is_slowed;
}
