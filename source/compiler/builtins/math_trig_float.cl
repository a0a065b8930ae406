/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Single-precision trigonometric functions and their inverses. */

#include "builtins.clh"
#include "format_float.clh"
#include "math_series_float.clh"
#include "math.clh"
#include "math_trig_large_float.clh"
#define BODY "math_pi_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_trig_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_inverse_body.clh"
#include "each_width.clh"
