/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a module lets the compiler know: expectations, lifetimes, aliasing. */
#include "compiler/spirv/importer.h"

static LLVMValueRef expect(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef operands[] = {operand_value(im, in, 3), operand_value(im, in, 4)};
  LLVMTypeRef type = LLVMTypeOf(operands[0]);
  need(im, is_int(type), "integers or bools are wanted");
  need_same(im, type, LLVMTypeOf(operands[1]));
  if (is_vector(type)) return operands[0];
  return call_intrinsic(im, "llvm.expect", &type, 1, operands, 2);
}

static LLVMValueRef assume(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMValueRef condition = operand_value(im, in, 1);
  need(im, LLVMTypeOf(condition) == LLVMInt1TypeInContext(im->context), "a bool is wanted");
  call_intrinsic(im, "llvm.assume", NULL, 0, &condition, 1);
  return NULL;
}

/* LLVM wants to hear of whole variables only. */
static LLVMValueRef lifetime(importer_t *im, const instruction_t *in, uint32_t is_end) {
  LLVMValueRef pointer = operand_value(im, in, 1);
  if (!LLVMIsAAllocaInst(pointer)) return NULL;
  LLVMTypeRef type = LLVMTypeOf(pointer);
  call_intrinsic(im, is_end ? "llvm.lifetime.end" : "llvm.lifetime.start", &type, 1, &pointer, 1);
  return NULL;
}

static LLVMValueRef ignore(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)im, (void)in, (void)data;
  return NULL;
}

static const rule_t table[] = {
    {SpvOpExpectKHR, 5, expect, 0},
    {SpvOpAssumeTrueKHR, 2, assume, 0},
    {SpvOpLifetimeStart, 3, lifetime, false},
    {SpvOpLifetimeStop, 3, lifetime, true},
};
RULES(hint_rules, table);

/* They stand among the types. */
static const rule_t declarations[] = {
    {SpvOpAliasDomainDeclINTEL, 2, ignore, 0},
    {SpvOpAliasScopeDeclINTEL, 3, ignore, 0},
    {SpvOpAliasScopeListDeclINTEL, 2, ignore, 0},
};
RULES(alias_rules, declarations);
