/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * References for many arguments at once, nearly as exact as the others. */
#ifndef ACCURACY_ESTIMATES_H
#define ACCURACY_ESTIMATES_H

#include "arguments.h"

/** How far from a reference an estimate may be, in units of the last place of a float: of a double it is some units. */
#define ESTIMATE_ERROR 0x1p-20

/** Sets `expected` to the references of a batch of floats from number `begin` on, or to estimates where the processor
 * and the C library have the function for vectors. Any thread may call it. */
void estimate_references(const accuracy_function_t *function, const accuracy_batch_t *batch, size_t begin, size_t count,
                         double *expected);

#endif
