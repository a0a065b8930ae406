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

/* CPUs whose gathers leak what other threads loaded ("gather data sampling", CVE-2022-40982). LLVM knows them as fast;
 * with the microcode that closes the leak, one takes some 30 cycles, however few its elements. A guest does not see
 * whether its machine has that microcode: all machines that are cared for have. */
static bool has_slowed_gathers(const char *cpu) {
  static const char *const slowed[] = {"skylake",        "skylake-avx512", "cascadelake", "cooperlake", "cannonlake",
                                       "icelake-client", "icelake-server", "tigerlake",   "rocketlake"};
  for (size_t i = 0; i < sizeof(slowed) / sizeof(slowed[0]); i++) {
    if (!strcmp(cpu, slowed[i])) return true;
  }
  return false;
}

static void add_features(text_t *features, const char *more) {
  if (*more) text_appendf(features, "%s%s", features->length ? "," : "", more);
}

/* A guest may be shown the model of another CPU than it runs on. This feature came after all that leak. */
static bool is_newer_than_shown(const char *features) { return strstr(features, "+avx512fp16"); }

/* The CPU's own features unless another CPU was asked for, what is known of it better, then what the environment
 * adds. */
static void choose_features(text_t *features, const char *cpu, bool own_cpu) {
  if (own_cpu) {
    char *own = LLVMGetHostCPUFeatures();
    add_features(features, own);
    LLVMDisposeMessage(own);
  }
  const char *more = options_get()->cpu_features;
  bool is_newer = is_newer_than_shown(text_string(features)) || is_newer_than_shown(more);
  if (has_slowed_gathers(cpu) && !is_newer) add_features(features, "-fast-gather");
  add_features(features, more);
}

LLVMTargetMachineRef host_machine_create(bool optimize, text_t *log) {
  pthread_once(&initialized, initialize);
  LLVMTargetMachineRef machine = NULL;
  char *triple = LLVMGetDefaultTargetTriple();
  char *own_cpu = LLVMGetHostCPUName();
  char *error = NULL;
  text_t features = {0};
  const char *cpu = *options_get()->cpu ? options_get()->cpu : own_cpu;
  choose_features(&features, cpu, cpu == own_cpu);
  LLVMTargetRef target = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &error)) {
    text_appendf(log, "error: no code generator for %s: %s\n", triple, error);
    LLVMDisposeMessage(error);
    goto done;
  }
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
