/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The functions under test and their references, made from functions.def. */
#include "functions.h"

#include <limits.h>
#include <math.h>

#define real_t double
#define R(name) name
#include "references.h"
#define FUNCTION(name, formats, arguments, limit, low, high, code, reference)   \
  static double name##_for_float(double x, double y, int n, double below_one) { \
    (void)x, (void)y, (void)n, (void)below_one;                                 \
    return reference;                                                           \
  }
#include "functions.def"
#undef FUNCTION
#undef REFERENCE_PI
#undef real_t
#undef R

#define real_t long double
#define R(name) name##l
#include "references.h"
#define FUNCTION(name, formats, arguments, limit, low, high, code, reference)                        \
  static long double name##_for_double(long double x, long double y, int n, long double below_one) { \
    (void)x, (void)y, (void)n, (void)below_one;                                                      \
    return reference;                                                                                \
  }
#include "functions.def"
#undef FUNCTION

#undef REFERENCE_PI
#undef real_t
#undef R

#define real_t float
#define R(name) name##f
#include "references.h"
#define FUNCTION(name, formats, arguments, limit, low, high, code, reference) \
  static float name##_in_float(float x, float y, int n, float below_one) {    \
    (void)x, (void)y, (void)n, (void)below_one;                               \
    return reference;                                                         \
  }
#include "functions.def"
#undef FUNCTION

#define FLOAT {true, false, false}, false
#define ALL {true, true, true}, false
#define HALF {false, false, true}, false
#define RELAXED {true, false, false}, true
#define RELAXED_HALF {false, false, true}, true
#define X arguments_x, false, false
#define XY arguments_xy, false, false
#define XN arguments_xn, false, false
#define X_IN_RANGE arguments_x, true, false
#define XY_IN_RANGE arguments_xy, true, false
#define X_ABSOLUTE arguments_x, true, true

const accuracy_function_t accuracy_functions[] = {
#define FUNCTION(name, formats, arguments, limit, low, high, code, reference) \
  {#name, formats, arguments, limit, low, high, code, name##_for_float, name##_for_double, name##_in_float},
#include "functions.def"
#undef FUNCTION
};
const size_t accuracy_function_count = sizeof(accuracy_functions) / sizeof(accuracy_functions[0]);

double function_limit(const accuracy_function_t *function, accuracy_format_e format) {
  double limit = function->limit;
  if (format != format_half || limit < 1) return limit;
  return limit <= 2 ? 1 : limit < 16 ? 2 : 4;
}
