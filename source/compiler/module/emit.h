/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Machine code of a module. */
#ifndef COMPILER_MODULE_EMIT_H
#define COMPILER_MODULE_EMIT_H

#include <llvm-c/TargetMachine.h>

/** Assembly or an object; null where the target has none. The module is no longer good for anything else then. Unlike
 * LLVM's own function for it, in time that is close to linear in the size of blocks. */
LLVMMemoryBufferRef emit_code(LLVMTargetMachineRef machine, LLVMModuleRef ir, LLVMCodeGenFileType type);

#endif
