/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The error in units of the last place (OpenCL C section 7.4), over many results at once. */
#include "compare.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "estimates.h"
#include "test_half.h"

enum { MAX_THREADS = 64 };

/* Loops that are compiled for wider vectors too. */
#if defined(__x86_64__) && defined(__GLIBC__)
#define WIDE_CODE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WIDE_CODE
#endif

/* What the specials come to: equal numbers, zeros of the same sign, NaN for NaN. Negative: not special. */
static double special_error(double actual, long double expected, long double largest) {
  if (isnan(expected)) return isnan(actual) ? 0 : (double)INFINITY;
  if (isnan(actual)) return (double)INFINITY;
  if (isinf(expected)) return (long double)actual == expected ? 0 : (double)INFINITY;
  if (expected == 0)
    return actual == 0 && !signbit(actual) == !signbit(expected) ? 0 : (actual == 0 ? (double)INFINITY : -1);
  if (isinf(actual)) return (actual > 0) == (expected > 0) && fabsl(expected) > largest ? 0 : (double)INFINITY;
  return -1;
}

/* 2 to the power of minus the exponent of a normal number. */
static inline double inverse_power_below(double x) {
  const uint64_t exponent = (uint64_t)0x7ff << 52, twice_bias = (uint64_t)2046 << 52;
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  bits = twice_bias - (bits & exponent);
  memcpy(&x, &bits, sizeof(x));
  return x;
}

/* In units of the last place of a float, whatever that place is worth to others. */
static inline double distance_float(double actual, double expected) {
  double size = fabs(expected);
  size = size >= (double)FLT_MIN ? size : (double)FLT_MIN;
  size = size <= (double)FLT_MAX ? size : (double)FLT_MAX;
  return fabs(actual - expected) * 0x1p23 * inverse_power_below(size);
}

/* An infinite result stands for the power of two that would be the next float, as in the conformance suite: it may come
 * too early by as much as the function may be wrong. */
static double finite_of(double actual) { return isinf(actual) ? copysign(0x1p128, actual) : actual; }

static double error_float(float actual, double expected) {
  if (isinf(actual) && fabs(expected) <= (double)FLT_MAX) return distance_float(finite_of((double)actual), expected);
  double special = special_error((double)actual, (long double)expected, (long double)FLT_MAX);
  return special >= 0 ? special : distance_float((double)actual, expected);
}

/* In the function's unit. */
static double error_in_unit(const accuracy_function_t *function, double x, double actual, double expected) {
  double distance = distance_float(actual, expected), limit = function->limit;
  switch (function->unit) {
    case unit_absolute: return fabs(actual - expected) * 0x1p23;
    case unit_exponential: return distance * limit / (limit + floor(fabs(2 * x)));
    case unit_logarithm: return x >= 0.5 && x <= 2 ? fabs(actual - expected) * 0x1p21 * limit : distance;
    default: return distance;
  }
}

/* Whether, of all results that are near enough, one is below the normal range, and may be zero. */
static bool may_be_flushed(const accuracy_function_t *function, double x, double expected) {
  const double largest_subnormal = (double)nextafterf(FLT_MIN, 0);
  return fabs(expected) < (double)FLT_MIN ||
         error_in_unit(function, x, copysign(largest_subnormal, expected), expected) <= function->limit;
}

static double relaxed_error_beside(const accuracy_function_t *function, double x, double actual, double expected) {
  if (!(fabs(expected) < (double)FLT_MAX)) return 0;
  if (isnan(actual)) return (double)INFINITY;
  if (actual == 0 && may_be_flushed(function, x, expected)) return 0;
  return error_in_unit(function, x, finite_of(actual), expected);
}

static double flushed(double x) { return fabs(x) < (double)FLT_MIN ? copysign(0, x) : x; }

/* Of code that may flush: a result that may be below the normal range may be zero, of either sign. */
static double flushed_error_beside(const accuracy_function_t *function, double x, double actual, double expected) {
  if (actual == 0 && may_be_flushed(function, x, expected)) return 0;
  return error_float((float)actual, expected);
}

typedef double error_function_t(const accuracy_function_t *function, double x, double actual, double expected);

/* Subnormal arguments may count as zero, of either sign. */
static double least_error(error_function_t *error_beside, const accuracy_function_t *function, double x, double y,
                          int n, double actual, double expected) {
  double error = error_beside(function, x, actual, expected), x0 = flushed(x), y0 = flushed(y);
  if (x0 == x && y0 == y) return error;
  for (int signs = 0; signs < 4; signs++) {
    double sx = signs & 1 ? -x0 : x0, sy = signs & 2 ? -y0 : y0;
    double xs = x0 == 0 ? sx : x, ys = y0 == 0 ? sy : y;
    error = fmin(error, error_beside(function, xs, actual, function->for_float(xs, ys, n, (double)nextafterf(1, 0))));
  }
  return error;
}

static double relaxed_error(const accuracy_function_t *function, double x, double y, int n, double actual,
                            double expected) {
  if (!isfinite(x) || !isfinite(y)) return 0;
  return least_error(relaxed_error_beside, function, x, y, n, actual, expected);
}

static double error_double(double actual, long double expected) {
  double special = special_error(actual, expected, (long double)DBL_MAX);
  if (special >= 0) return special;
  int exponent = expected == 0 ? DBL_MIN_EXP : ilogbl(expected);
  if (exponent < DBL_MIN_EXP - 1) exponent = DBL_MIN_EXP - 1;
  if (exponent > DBL_MAX_EXP - 1) exponent = DBL_MAX_EXP - 1;
  return (double)fabsl(ldexpl((long double)actual - expected, DBL_MANT_DIG - 1 - exponent));
}

static double error_half(double actual, double expected) {
  enum { digits = 11, least = -14, largest = 15 };
  double special = special_error(actual, (long double)expected, 65504);
  if (special >= 0) return special;
  int exponent = expected == 0 ? least : ilogb(expected);
  if (exponent < least) exponent = least;
  if (exponent > largest) exponent = largest;
  return fabs(ldexp(actual - expected, digits - 1 - exponent));
}

typedef struct slice_t {
  const accuracy_sequence_t *sequence;
  const accuracy_batch_t *batch;
  const accuracy_results_t *results;
  size_t begin, end;
  accuracy_worst_t worst;
  pthread_t thread;
} slice_t;

static void keep_worst(accuracy_worst_t *worst, const accuracy_worst_t *other) {
  if (other->error > worst->error) *worst = *other;
}

static double any_float_error(const slice_t *slice, double x, double y, int n, float actual, double expected) {
  const accuracy_function_t *function = slice->sequence->function;
  if (function->relaxed) return relaxed_error(function, x, y, n, (double)actual, expected);
  if (!slice->results->flushed) return error_float(actual, expected);
  /* The long division of fmod and its kind is not exact where its steps are flushed. */
  if (function->limit == 0 && function->arguments == arguments_xy && fabs(y) < 0x1p-101) return 0;
  return least_error(flushed_error_beside, function, x, y, n, (double)actual, expected);
}

/* How many results are looked at together. */
enum { BLOCK = 512 };

static inline uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

static inline int are_same(float a, float b) {
  const uint32_t infinity = 0x7f800000, no_sign = 0x7fffffff;
  uint32_t x = bits_of(a), y = bits_of(b);
  return (x == y) | (((x & no_sign) > infinity) & ((y & no_sign) > infinity));
}

/* At least the error of a result, or infinity where only a closer look can tell. Without branches, as all four billion
 * floats come by here: the limit may grow with the argument, and arguments may count as zero, which makes errors
 * smaller. */
static inline double error_at_most(accuracy_unit_e unit, bool relaxed, double x, float actual, double expected) {
  const double size = fabs(expected), apart = fabs((double)actual - expected);
  double error = distance_float((double)actual, expected);
  error = unit == unit_absolute ? apart * 0x1p23 : error;
  error = (unit == unit_logarithm) & (x >= 0.5) & (x <= 2) ? (double)INFINITY : error;
  /* not-a-number of either, and infinite results */
  error = apart <= DBL_MAX ? error : (double)INFINITY;
  const double of_special = are_same(actual, (float)expected) ? 0 : (double)INFINITY;
  error = (size > 0) & (size < 0x1p128) ? error : of_special;
  return relaxed & !(size < (double)FLT_MAX) ? 0 : error;
}

/* The most that each result of a block may be wrong. */
WIDE_CODE static void bound_errors(const slice_t *slice, size_t begin, size_t count, double *errors) {
  const accuracy_function_t function = *slice->sequence->function;
  const float *xs = (const float *)slice->batch->x + begin, *results = (const float *)slice->results->values + begin;
  const double *expected = slice->results->expected + begin;
  for (size_t i = 0; i < count; i++) {
    errors[i] = error_at_most(function.unit, function.relaxed, (double)xs[i], results[i], expected[i]);
  }
}

static void look_closely(slice_t *slice, size_t i) {
  const float *xs = slice->batch->x, *ys = slice->batch->y, *results = slice->results->values;
  const double x = (double)xs[i], y = (double)ys[i], actual = (double)results[i];
  const int n = slice->batch->n[i];
  const double expected = slice->sequence->function->for_float(x, y, n, (double)nextafterf(1, 0));
  const double error = any_float_error(slice, x, y, n, results[i], expected);
  if (error > slice->worst.error) slice->worst = (accuracy_worst_t){error, x, y, n, actual, (long double)expected};
}

static void compare_block(slice_t *slice, size_t begin, size_t count) {
  double errors[BLOCK];
  estimate_references(slice->sequence->function, slice->batch, begin, count, slice->results->expected + begin);
  bound_errors(slice, begin, count, errors);
  for (size_t i = 0; i < count; i++) {
    if (errors[i] + ESTIMATE_ERROR > slice->worst.error) look_closely(slice, begin + i);
  }
}

WIDE_CODE static bool is_known(const slice_t *slice, size_t begin, size_t count) {
  const float *known = (const float *)slice->results->known + begin;
  const float *results = (const float *)slice->results->values + begin;
  int same = 1;
  for (size_t i = 0; i < count; i++) same &= are_same(known[i], results[i]);
  return same;
}

/* What differs from results that were compared before. */
static void compare_different(slice_t *slice, size_t begin, size_t count) {
  if (is_known(slice, begin, count)) return;
  const float *known = slice->results->known, *results = slice->results->values;
  uint32_t different[BLOCK];
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    different[found] = (uint32_t)i;
    found += !are_same(known[begin + i], results[begin + i]);
  }
  for (size_t k = 0; k < found; k++) {
    double error;
    bound_errors(slice, begin + different[k], 1, &error);
    if (error + ESTIMATE_ERROR > slice->worst.error) look_closely(slice, begin + different[k]);
  }
}

static void compare_floats(slice_t *slice) {
  for (size_t begin = slice->begin; begin < slice->end; begin += BLOCK) {
    const size_t count = slice->end - begin < BLOCK ? slice->end - begin : BLOCK;
    if (slice->results->known) {
      compare_different(slice, begin, count);
    } else {
      compare_block(slice, begin, count);
    }
  }
}

static void compare_doubles(slice_t *slice) {
  const double *xs = slice->batch->x, *ys = slice->batch->y, *results = slice->results->values;
  for (size_t i = slice->begin; i < slice->end; i++) {
    int n = slice->batch->n[i];
    long double expected =
        slice->sequence->function->for_double((long double)xs[i], (long double)ys[i], n, (long double)nextafter(1, 0));
    double error = error_double(results[i], expected);
    if (error > slice->worst.error) slice->worst = (accuracy_worst_t){error, xs[i], ys[i], n, results[i], expected};
  }
}

static void compare_halves(slice_t *slice) {
  const uint16_t *xs = slice->batch->x, *ys = slice->batch->y, *results = slice->results->values;
  for (size_t i = slice->begin; i < slice->end; i++) {
    double x = test_half_to_double(xs[i]), y = test_half_to_double(ys[i]), actual = test_half_to_double(results[i]);
    int n = slice->batch->n[i];
    double expected = slice->sequence->function->for_float(x, y, n, 1 - 0x1p-11);
    double error = error_half(actual, expected);
    if (error > slice->worst.error) slice->worst = (accuracy_worst_t){error, x, y, n, actual, (long double)expected};
  }
}

static void *slice_run(void *data) {
  slice_t *slice = data;
  switch (slice->sequence->format) {
    case format_float: compare_floats(slice); break;
    case format_double: compare_doubles(slice); break;
    default: compare_halves(slice); break;
  }
  return NULL;
}

void compare_batch(const accuracy_sequence_t *sequence, const accuracy_batch_t *batch,
                   const accuracy_results_t *results, unsigned threads, accuracy_worst_t *worst) {
  slice_t slices[MAX_THREADS];
  bool started[MAX_THREADS] = {false};
  if (threads > MAX_THREADS) threads = MAX_THREADS;
  for (unsigned t = 0; t < threads; t++) {
    slices[t] = (slice_t){.sequence = sequence, .batch = batch, .results = results, .worst = *worst};
    slices[t].begin = batch->count * t / threads;
    slices[t].end = batch->count * (t + 1) / threads;
    started[t] = t > 0 && pthread_create(&slices[t].thread, NULL, slice_run, &slices[t]) == 0;
    if (t > 0 && !started[t]) slice_run(&slices[t]);
  }
  slice_run(&slices[0]);
  for (unsigned t = 0; t < threads; t++) {
    if (started[t]) pthread_join(slices[t].thread, NULL);
    keep_worst(worst, &slices[t].worst);
  }
}
