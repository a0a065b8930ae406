/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Operators, conversions and functions of OpenCL C, a lane at a time, from the specification's words (OpenCL C sections
 * 6.3.2, 6.4 and 6.15). What is undefined gets a value, and is told. */
#ifndef KERNELS_GRAMMAR_ARITHMETIC_H
#define KERNELS_GRAMMAR_ARITHMETIC_H

#include "program.h"

/** Holds each integer type, and sums and differences of them. */
__extension__ typedef __int128 wide_t;
__extension__ typedef unsigned __int128 unsigned_wide_t;

wide_t lane_integer(const value_t *value, unsigned lane);
double lane_float(const value_t *value, unsigned lane);
/** Keeps the low bits. */
void lane_set_integer(value_t *value, unsigned lane, wide_t integer);
/** Rounds to the type; a NaN becomes 1, and true is returned. */
bool lane_set_float(value_t *value, unsigned lane, double number);

/** `out` (whose type is set: the operator's result) = left op right, of operands of one type. True where the plain
 * operator would be undefined. */
bool operate(operator_t op, const value_t *left, const value_t *right, value_t *out);
bool operate_unary(operator_t op, const value_t *operand, value_t *out);

/** `out`, whose type is set, = `in` converted. True where only a saturating conversion has a defined result, which is
 * what is given. */
bool convert(const value_t *in, rounding_t rounding, bool is_saturating, value_t *out);

/** A function of up to three operands; `out`'s type is set. True where a NaN was met. */
bool call_builtin(builtin_t builtin, const value_t *operands, value_t *out);

/** Whether a scalar is true; of vectors, whether the lane is (its highest bit). */
bool value_is_true(const value_t *value);
bool lane_is_true(const value_t *value, unsigned lane);

/** Replaces NaN by 1 in every lane; true when there was one. */
bool value_repair_nan(value_t *value);

#endif
