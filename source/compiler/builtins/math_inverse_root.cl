/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The inverse of the square root of half, float and double. */

#include "builtins.clh"
#define BODY "math_inverse_root_body.clh"

#include "format_half.clh"
#include "each_width.clh"
#include "format_float.clh"
#include "each_width.clh"
#include "format_double.clh"
#include "each_width.clh"
