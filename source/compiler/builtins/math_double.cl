/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Double-precision transcendental functions. */

#include "builtins.clh"
#include "format_double.clh"
#include "math_series_double.clh"
#include "math.clh"

#define SYMBOL(f) #f
#define SYMBOL_R(f) #f "_r"
#include "c_library.clh"

#define BODY "math_body.clh"
#include "each_width.clh"
