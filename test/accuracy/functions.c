/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The functions under test and their references, made from functions.def. */
#include "functions.h"

#include <limits.h>
#include <math.h>

/* For their references, relaxed functions are like others. */
#define RELAXED_FUNCTION(name, arguments, unit, limit, low, high, from, to, code, reference) \
  FUNCTION(relaxed_##name, RELAXED, arguments, limit, low, high, code, reference)

#define real_t double
#define R(name) name
#include "references.h"
#define FUNCTION(name, formats, arguments, limit, low, high, code, reference)   \
  static double name##_for_float(double x, double y, int n, double below_one) { \
    (void)x, (void)y, (void)n, (void)below_one;                                 \
    return reference;                                                           \
  }
#include "functions.def"
#include "functions_relaxed.def"
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
#include "functions_relaxed.def"
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
#include "functions_relaxed.def"
#undef FUNCTION

#define FLOAT {true, false, false}, false
#define ALL {true, true, true}, false
#define HALF {false, false, true}, false
#define RELAXED {true, false, false}, true
#define RELAXED_HALF {false, false, true}, true
#define X arguments_x, false, unit_ulp
#define XY arguments_xy, false, unit_ulp
#define XN arguments_xn, false, unit_ulp
#define X_IN_RANGE arguments_x, true, unit_ulp
#define XY_IN_RANGE arguments_xy, true, unit_ulp
#define X_ABSOLUTE arguments_x, true, unit_absolute

#define REFERENCES(name) name##_for_float, name##_for_double, name##_in_float

const accuracy_function_t accuracy_functions[] = {
#define FUNCTION(name, formats, arguments, limit, low, high, code, reference) \
  {#name, formats, arguments, limit, low, high, 0, 0, code, REFERENCES(name)},
#include "functions.def"
#undef FUNCTION
#undef RELAXED_FUNCTION
#undef X
#undef XY
#undef XN
#define X arguments_x
#define XY arguments_xy
#define XN arguments_xn
#define ULP unit_ulp
#define ABSOLUTE unit_absolute
#define EXPONENTIAL unit_exponential
#define LOGARITHM unit_logarithm
#define RELAXED_FUNCTION(name, arguments, unit, limit, low, high, from, to, code, reference) \
  {"relaxed_" #name, RELAXED, arguments, false, unit, limit, low, high, from, to, code, REFERENCES(relaxed_##name)},
#include "functions_relaxed.def"
#undef RELAXED_FUNCTION
};
const size_t accuracy_function_count = sizeof(accuracy_functions) / sizeof(accuracy_functions[0]);

double function_limit(const accuracy_function_t *function, accuracy_format_e format) {
  double limit = function->limit;
  if (format != format_half || limit < 1) return limit;
  return limit <= 2 ? 1 : limit < 16 ? 2 : 4;
}
