/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to bfloat16, for processors without an instruction for them. */
#ifndef HOST_RUNTIME_EXECUTABLE_BFLOAT_H
#define HOST_RUNTIME_EXECUTABLE_BFLOAT_H

/** Round to nearest, ties to even; a NaN stays one. Generated code has the result in the low 16 bits of the register
 * that floats are returned in (x86-64 and AArch64 alike), which C of this age cannot say: only these bits of what is
 * returned count. */
float host_bfloat_from_float(float value);
float host_bfloat_from_double(double value);

#endif
