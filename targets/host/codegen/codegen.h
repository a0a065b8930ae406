/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Code-generation half of the host target: parts of its compiler_codegen_t. */
#ifndef HOST_CODEGEN_CODEGEN_H
#define HOST_CODEGEN_CODEGEN_H

#include "compiler/codegen.h"
#include "compiler/passes/passes.h"

/** compiler_codegen_t operations; see there. */
LLVMTargetMachineRef host_machine_create(bool optimize, text_t *log);
bool host_has_symbol(const char *name);
COMPILER_MUST_CHECK compiler_result_t host_add_entries(passes_t *passes, text_t *log);
COMPILER_MUST_CHECK compiler_result_t host_add_table(passes_t *passes, text_t *log);

/** How the arguments of a kernel lie in its packed argument block. */
typedef struct host_args_layout_t {
  /** One per parameter, then one for the printf buffer when the kernel uses it; owned. */
  struct host_arg_record_t *records;
  uint32_t count;
  /** Bytes of the block. */
  uint32_t size;
} host_args_layout_t;

/** False when out of memory; the caller frees `records`. */
__attribute__((warn_unused_result)) bool host_args_layout(const kernel_work_t *kernel, host_args_layout_t *out);

/** Adds the function that the runtime calls (host_kernel_entry_t) for `kernel`, and returns it. */
LLVMValueRef host_entry_add(LLVMModuleRef module, const kernel_work_t *kernel, const host_args_layout_t *layout);

/** Has the frames of all functions of the module that are of more than a page touch each of theirs in turn, so that one
 * that does not fit meets the guard page, and not what lies behind it. */
void host_entry_probe_stacks(LLVMModuleRef module);

/** Sets `out` to the bytes on the stack of each kernel's entry in `module`: what the variables take of that version of
 * it which has most, with the pieces that it is divided into, and of all functions that it may call. False when out of
 * memory. In one pass over the module, as a program may have thousands of kernels. */
__attribute__((warn_unused_result)) bool host_stack_sizes(LLVMModuleRef module, const kernel_work_t *kernels,
                                                          size_t kernel_count, uint64_t *out);

/** Appends the kernel's host_kernel_record_t to `table`. */
void host_table_append(text_t *table, const kernel_work_t *kernel, const host_args_layout_t *layout,
                       uint64_t stack_size);

#endif
