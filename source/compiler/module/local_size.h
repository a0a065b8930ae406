/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels for one local size: what a specialized kernel is told of a launch's work-groups. */
#ifndef COMPILER_MODULE_LOCAL_SIZE_H
#define COMPILER_MODULE_LOCAL_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

/** For programs before passes_prepare, of one kernel: whether a kernel for this local size is possible. One for
 * work-groups of one work-item may do without vectors, from which the size of sub-groups follows: it must not ask. */
bool local_size_is_allowed(LLVMModuleRef module, const uint32_t size[3]);

/** For programs before passes_prepare, of one kernel: puts constants in the place of the local size, and requires it of
 * launches (reqd_work_group_size). All work-groups must have this size. False when the kernel never asks, unless
 * the size is 1. */
bool local_size_know(LLVMModuleRef module, const char *kernel, const uint32_t size[3]);

#endif
