/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Options of LLVM's for who looks for an error. */
#ifndef COMPILER_PASSES_DEBUG_OPTIONS_H
#define COMPILER_PASSES_DEBUG_OPTIONS_H

/** Sets LLVM's options that the environment asks for, at the first call. They are the process's. Thread safe. */
void debug_options_apply(void);

#endif
