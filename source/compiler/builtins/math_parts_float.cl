/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Single-precision functions on the parts of a number: rounding, exponents, fractions, neighbours. */

#include "builtins.clh"
#include "format_float.clh"
#define BODY "math_parts_body.clh"
#include "each_width.clh"
