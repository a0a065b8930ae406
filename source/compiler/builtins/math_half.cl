/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Half-precision transcendental functions; needs the single-precision modules. */

#include "builtins.clh"
#define BODY "narrowing_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_half_body.clh"
#include "each_width.clh"
