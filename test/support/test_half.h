/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Half precision on the host. */
#ifndef SUPPORT_TEST_HALF_H
#define SUPPORT_TEST_HALF_H

#include <stdint.h>

/** Exact. */
double test_half_to_double(uint16_t bits);

/** Rounded to nearest, ties to even; a NaN stays one. */
uint16_t test_half_from_double(double value);

#endif
