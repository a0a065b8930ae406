/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Clang's recursion, and that of LLVM, on a stack that the application did not choose. */
#ifndef COMPILER_LOADER_LARGE_STACK_H
#define COMPILER_LOADER_LARGE_STACK_H

#include <stddef.h>

/** Bytes of a stack for the deepest programs; what is not used takes address space alone. */
#define LARGE_STACK_SIZE ((size_t)256 << 20)

/** Runs `body` on a thread with such a stack and waits for it; where there can be none, with a smaller one, and on the
 * caller's in the end. Thread safe. */
void large_stack_run(void (*body)(void *data), void *data);

#endif
