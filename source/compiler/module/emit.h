/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Machine code of a module. */
#ifndef COMPILER_MODULE_EMIT_H
#define COMPILER_MODULE_EMIT_H

#include <stdint.h>

#include <llvm-c/TargetMachine.h>

/** Assembly or an object; null where the target has none. The module is no longer good for anything else then. Unlike
 * LLVM's own function for it, in time that is close to linear in the size of blocks. */
LLVMMemoryBufferRef emit_code(LLVMTargetMachineRef machine, LLVMModuleRef ir, LLVMCodeGenFileType type);

/** Bytes of the module's constants, which an object holds, also those of zeros; at most UINT64_MAX. */
uint64_t emit_constants_size(LLVMModuleRef ir);

#endif
