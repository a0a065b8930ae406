/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Makes a program that fails smaller. */
#ifndef KERNELS_GRAMMAR_REDUCE_H
#define KERNELS_GRAMMAR_REDUCE_H

#include "program.h"

/** Drops statements, and makes constants of expressions, as long as `fails` says that the program still does. */
void reduce(program_t *program, bool (*fails)(program_t *program, void *data), void *data);

#endif
