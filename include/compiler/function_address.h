/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Where the host finds the addresses of functions that are called through pointers. */
#ifndef COMPILER_FUNCTION_ADDRESS_H
#define COMPILER_FUNCTION_ADDRESS_H

/** The address of a function NAME is the value of the program-scope variable FUNCTION_ADDRESS_PREFIX NAME, of the size
 * of a pointer. No variable of the program's own has such a name. */
#define FUNCTION_ADDRESS_PREFIX "quern.function."

#endif
