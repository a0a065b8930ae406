/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Relational functions. */

#include "builtins.clh"
#define BODY "relational_integer_body.clh"
#include "each_integer.clh"
#undef BODY

#define BODY "relational_body.clh"
#include "format_half.clh"
#include "each_width.clh"
#include "format_float.clh"
#include "each_width.clh"
#include "format_double.clh"
#include "each_width.clh"
