/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Geometric functions. */

#include "builtins.clh"
#define BODY "geometric_body.clh"

#define E float
#include "format_half.clh"
#include "each_width.clh"
#undef E

#define E double
#define FAST
#include "format_float.clh"
#include "each_width.clh"
#undef FAST

#define DOUBLE_PRECISION
#include "format_double.clh"
#include "each_width.clh"
