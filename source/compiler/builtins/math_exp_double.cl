/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Double-precision exponentials, logarithms, powers, hyperbolic, error and gamma functions. */

#include "builtins.clh"
#include "format_double.clh"
#include "math_series_double.clh"
#include "math.clh"
#define BODY "math_exp_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_log_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_pow_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_hyperbolic_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_erf_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_pi_body.clh"
#include "each_width.clh"
#undef BODY
#define BODY "math_gamma_body.clh"
#include "each_width.clh"
