/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Single-precision transcendental functions, with the half_ and native_ forms. */

#include "builtins.clh"
#include "format_float.clh"

#define SYMBOL(f) #f "f"
#define SYMBOL_R(f) #f "f_r"
#include "c_library.clh"

#define PI 3.14159265358979323846f
#define SIN_SERIES(x) POLYNOMIAL4(x, -0x1.555556p-3f, 0x1.111112p-7f, -0x1.a01a02p-13f, 0x1.71de3ap-19f)
#define COS_SERIES(x) POLYNOMIAL4(x, 0x1.555556p-5f, -0x1.6c16c2p-10f, 0x1.a01a02p-16f, -0x1.27e4fcp-22f)

#define BODY "math_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_fast_body.clh"
#include "each_width.clh"
