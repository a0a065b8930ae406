/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reading IR, running a pipeline for the target's machine, writing IR. */
#include "compiler/module/run_passes.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "compiler/module/diagnostics.h"
#include "compiler/module/dump.h"
#include "compiler/module/generate.h"
#include "compiler/passes/passes.h"

/* Null, and a line in the log, when it is none that LLVM would take. */
static LLVMModuleRef read_ir(LLVMContextRef context, const pass_input_t *input, text_t *log) {
  LLVMModuleRef ir = NULL;
  char *problem = NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(input->ir, input->length, "input");
  bool is_read = !LLVMParseIRInContext(context, buffer, &ir, &problem); /* takes the buffer */
  bool is_valid = is_read && !LLVMVerifyModule(ir, LLVMReturnStatusAction, &problem);
  if (!is_valid) {
    text_appendf(log, "error: %s\n", problem ? problem : "the IR cannot be read");
    if (is_read) LLVMDisposeModule(ir);
  }
  LLVMDisposeMessage(problem);
  return is_valid ? ir : NULL;
}

static compiler_result_t run(const compiler_codegen_t *codegen, LLVMModuleRef ir, const pass_input_t *input,
                             text_t *log) {
  passes_t passes = {
      .module = ir, .target_passes = codegen->passes, .optimize = true, .machine = codegen->create_machine(true, log)};
  if (!passes.machine) return compiler_error_internal;
  generate_retarget(ir, passes.machine);
  codegen->describe(passes.machine, &passes.target);
  text_t remarks = {0};
  if (dump_wanted(dump_stage_remarks)) passes.remarks = &remarks;
  compiler_result_t result = passes_check_options(&passes, log);
  if (result == compiler_success) result = passes_run(&passes, input->passes, input->verify_each, log);
  if (result == compiler_success) dump_bytes(dump_stage_remarks, text_string(&remarks), remarks.length);
  text_free(&remarks);
  LLVMDisposeTargetMachine(passes.machine);
  passes_free(&passes);
  return result;
}

compiler_result_t run_passes(const compiler_codegen_t *codegen, LLVMContextRef context, const pass_input_t *input,
                             text_t *out, text_t *log) {
  diagnostics_t diagnostics = {.log = log};
  diagnostics_begin(context, &diagnostics);
  compiler_result_t result = compiler_error_compile_failure;
  LLVMModuleRef ir = read_ir(context, input, log);
  if (ir) {
    result = run(codegen, ir, input, log);
    char *text = LLVMPrintModuleToString(ir);
    if (result == compiler_success) text_append(out, text);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(ir);
  }
  diagnostics_end(context);
  if (result == compiler_success && diagnostics.has_errors) result = compiler_error_link_failure;
  return result == compiler_success && out->failed ? compiler_error_out_of_memory : result;
}
