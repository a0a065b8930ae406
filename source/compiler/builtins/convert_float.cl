/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to float. */

#include "builtins.clh"

#define D float
#define D_I int
#define D_BITS 32
#define D_MANTISSA_BITS 23
#define NAME(suffix) CAT2(VEC(CAT2(convert_, D)), suffix)

#define BODY "narrowing_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "convert_float_to_float.clh"
#include "each_width.clh"
#undef BODY
#define BODY "convert_integer_to_float.clh"
#include "each_integer.clh"
