/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Conversions to half. */

#include "builtins.clh"

#define D half
#define D_I short
#define D_BITS 16
#define D_MANTISSA_BITS 10
#define NAME(suffix) CAT2(VEC(CAT2(convert_, D)), suffix)

#define BODY "narrowing_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "convert_float_to_float.clh"
#include "each_width.clh"
#undef BODY
#define BODY "convert_integer_to_half.clh"
#include "each_integer.clh"
