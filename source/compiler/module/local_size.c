/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels for one local size. Loops over a constant number of steps unroll, and strides in local memory become
 * constants, before the loops over work-items are made; those keep the run-time size, which the vectorizer plans
 * for. */
#include "compiler/module/local_size.h"

#include <string.h>

#include <llvm-c/Core.h>

/* Names as Clang mangles them. The enqueued size is the same where all work-groups are. */
static const char *const questions[] = {"_Z14get_local_sizej", "_Z23get_enqueued_local_sizej"};

/* The constant that a call gives; null when it is no call, or for a dimension that is known at run time only. */
static LLVMValueRef answer(LLVMValueRef call, LLVMValueRef function, const uint32_t size[3]) {
  if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function || LLVMGetNumArgOperands(call) != 1) return NULL;
  LLVMValueRef dimension = LLVMIsAConstantInt(LLVMGetOperand(call, 0));
  if (!dimension) return NULL;
  unsigned long long d = LLVMConstIntGetZExtValue(dimension);
  return LLVMConstInt(LLVMTypeOf(call), d < 3 ? size[d] : 1, false);
}

static bool answer_all(LLVMValueRef function, const uint32_t size[3]) {
  bool found = false;
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use), constant = answer(call, function, size);
    if (!constant) continue;
    LLVMReplaceAllUsesWith(call, constant);
    LLVMInstructionEraseFromParent(call);
    found = true;
  }
  return found;
}

static void require(LLVMModuleRef module, LLVMValueRef kernel, const uint32_t size[3]) {
  static const char name[] = "reqd_work_group_size";
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef sizes[3];
  for (int d = 0; d < 3; d++) {
    sizes[d] = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), size[d], false));
  }
  LLVMGlobalSetMetadata(kernel, LLVMGetMDKindIDInContext(context, name, sizeof name - 1),
                        LLVMMDNodeInContext2(context, sizes, 3));
}

static bool is_single(const uint32_t size[3]) { return size[0] == 1 && size[1] == 1 && size[2] == 1; }

static bool asks_for_sub_groups(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMGetFirstUse(function) && strstr(LLVMGetValueName2(function, &(size_t){0}), "sub_group")) return true;
  }
  return false;
}

bool local_size_is_allowed(LLVMModuleRef module, const uint32_t size[3]) {
  return !is_single(size) || !asks_for_sub_groups(module);
}

bool local_size_know(LLVMModuleRef module, const char *kernel, const uint32_t size[3]) {
  LLVMValueRef function = LLVMGetNamedFunction(module, kernel);
  bool found = false;
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    LLVMValueRef question = LLVMGetNamedFunction(module, questions[i]);
    if (question && answer_all(question, size)) found = true;
  }
  /* Kernels of such groups change without asking (single_item_groups.hpp). */
  found |= is_single(size);
  if (function && found) require(module, function, size);
  return function && found;
}
