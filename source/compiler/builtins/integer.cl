/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Integer built-in functions. */

#include "builtins.clh"
#define BODY "integer_body.clh"
#include "each_integer.clh"
#undef BODY
#define BODY "mul24_body.clh"
#include "each_width.clh"
