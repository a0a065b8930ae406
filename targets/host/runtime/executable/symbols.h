/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The external functions that kernels may call. */
#ifndef HOST_RUNTIME_EXECUTABLE_SYMBOLS_H
#define HOST_RUNTIME_EXECUTABLE_SYMBOLS_H

#include <stdint.h>

/** Address of a function of this set: some of the C library's math functions, memory functions, the compiler's helpers,
 * `__quern_printf`, `__quern_clock`. 0 for all other names. Thread safe. */
uint64_t host_symbol_find(const char *name);

#endif
