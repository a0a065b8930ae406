/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Settings of LLVM that only its command-line options reach. */
#ifndef COMPILER_PASSES_LLVM_OPTIONS_H
#define COMPILER_PASSES_LLVM_OPTIONS_H

/** Applies them to the LLVM inside this library; the first call does it. Thread safe. */
void llvm_options_apply(void);

#endif
