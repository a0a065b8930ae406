/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to double. */

#include "builtins.clh"

#define D double
#define D_I long
#define D_BITS 64
#define D_MANTISSA_BITS 52
#define NAME(suffix) CAT2(VEC(CAT2(convert_, D)), suffix)

#define BODY "narrowing_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "convert_float_to_float.clh"
#include "each_width.clh"
#undef BODY
#define BODY "convert_integer_to_float.clh"
#include "each_integer.clh"
