/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Single-precision functions that may be approximate, with the half_ and native_ forms. */

#include "builtins.clh"
#include "format_float.clh"
#include "math_series_float.clh"
#include "math.clh"
#define BODY "math_relaxed_body.clh"
#include "each_width.clh"
