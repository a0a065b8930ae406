/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions of half precision under the older calling convention, in which a half travels as an integer. */
#ifndef HOST_RUNTIME_EXECUTABLE_HALF_H
#define HOST_RUNTIME_EXECUTABLE_HALF_H

#include <stdint.h>

/** Exact. */
float host_half_to_float(uint16_t half);

/** Rounds to nearest, ties to even; a NaN stays one. */
uint16_t host_half_from_float(float value);

#endif
