/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is known of CPUs beyond LLVM's tables. */
#ifndef HOST_CODEGEN_COSTS_H
#define HOST_CODEGEN_COSTS_H

#include <llvm-c/TargetMachine.h>

#include "compiler/target_description.h"

#ifdef __cplusplus
extern "C" {
#endif

target_costs_t host_costs(LLVMTargetMachineRef machine);

#ifdef __cplusplus
}
#endif

#endif
