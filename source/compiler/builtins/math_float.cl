/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Single-precision roots, remainders and gamma functions. */

#include "builtins.clh"
#include "format_float.clh"
#include "math_series_float.clh"
#include "math.clh"

#include "math_remainder.clh"

#define BODY "math_root_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_remainder_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_body.clh"
#include "each_width.clh"
