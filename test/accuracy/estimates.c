/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The functions for vectors are those of glibc's libmvec (since 2.35), whose errors are less than 4 units of the last
 * place of a double. */
#include "estimates.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GLIBC__)
#include <immintrin.h>
#define HAS_VECTORS 1
#define VECTOR_CODE __attribute__((target("avx2")))
#else
#define HAS_VECTORS 0
#endif

/* What follows relaxed_, half_ or native_ in a function's name, and what of libmvec it is a multiple of. */
typedef struct estimate_t {
  const char *name, *of;
  bool is_over_pi;
} estimate_t;

static const estimate_t estimates[] = {
    {"exp", "v_exp", false},           {"exp2", "v_exp2", false},       {"exp10", "v_exp10", false},
    {"expm1", "v_expm1", false},       {"log", "v_log", false},         {"log2", "v_log2", false},
    {"log10", "v_log10", false},       {"log1p", "v_log1p", false},     {"sin", "v_sin", false},
    {"sin_large", "v_sin", false},     {"sincos_sine", "v_sin", false}, {"cos", "v_cos", false},
    {"sincos_cosine", "v_cos", false}, {"tan", "v_tan", false},         {"asin", "v_asin", false},
    {"asinpi", "v_asin", true},        {"acos", "v_acos", false},       {"acospi", "v_acos", true},
    {"atan", "v_atan", false},         {"atanpi", "v_atan", true},      {"sinh", "v_sinh", false},
    {"cosh", "v_cosh", false},         {"tanh", "v_tanh", false},       {"asinh", "v_asinh", false},
    {"acosh", "v_acosh", false},       {"atanh", "v_atanh", false},     {"cbrt", "v_cbrt", false},
    {"erf", "v_erf", false},           {"erfc", "v_erfc", false},       {"atan2", "vv_atan2", false},
    {"atan2pi", "vv_atan2", true},     {"hypot", "vv_hypot", false},
};

static const estimate_t *find(const char *name) {
  static const char *const prefixes[] = {"relaxed_", "half_", "native_"};
  for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
    const size_t length = strlen(prefixes[i]);
    if (!strncmp(name, prefixes[i], length)) name += length;
  }
  for (size_t i = 0; i < sizeof(estimates) / sizeof(estimates[0]); i++) {
    if (!strcmp(name, estimates[i].name)) return &estimates[i];
  }
  return NULL;
}

static double reference(const accuracy_function_t *function, const accuracy_batch_t *batch, size_t i) {
  const double x = (double)((const float *)batch->x)[i], y = (double)((const float *)batch->y)[i];
  return function->for_float(x, y, batch->n[i], (double)0x1.fffffep-1f);
}

#if HAS_VECTORS

enum { LANES = 4, ALL_LANES = 15 };

typedef __m256d unary_t(__m256d);
typedef __m256d binary_t(__m256d, __m256d);

/* libmvec's function for four doubles, or null. */
static void *find_vector_function(const estimate_t *estimate) {
  static void *library;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  if (!estimate || !__builtin_cpu_supports("avx2")) return NULL;
  char symbol[32];
  snprintf(symbol, sizeof(symbol), "_ZGVdN4%s", estimate->of);
  pthread_mutex_lock(&mutex);
  if (!library) library = dlopen("libmvec.so.1", RTLD_NOW);
  pthread_mutex_unlock(&mutex);
  return library ? dlsym(library, symbol) : NULL;
}

VECTOR_CODE static __m256d four_floats(const void *values, size_t i) {
  return _mm256_cvtps_pd(_mm_loadu_ps((const float *)values + i));
}

VECTOR_CODE static __m256d second_argument(const accuracy_function_t *function, const accuracy_batch_t *batch,
                                           size_t i) {
  if (function->arguments == arguments_xy) return four_floats(batch->y, i);
  return _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(batch->n + i)));
}

VECTOR_CODE static __m256d is_between(double low, __m256d x, double high) {
  const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
  return _mm256_and_pd(_mm256_cmp_pd(size, _mm256_set1_pd(low), _CMP_GT_OQ),
                       _mm256_cmp_pd(size, _mm256_set1_pd(high), _CMP_LT_OQ));
}

/* Where an estimate is as good as the reference: not at zeros, infinities, and what the function leaves undefined. */
VECTOR_CODE static int ordinary_lanes(__m256d x, __m256d y, __m256d result) {
  const __m256d arguments = _mm256_and_pd(is_between(0, x, 0x1p1000), is_between(-1, y, 0x1p1000));
  return _mm256_movemask_pd(_mm256_and_pd(arguments, is_between(0x1p-1000, result, 0x1p1000)));
}

VECTOR_CODE static void estimate_four(const accuracy_function_t *function, const accuracy_batch_t *batch, size_t i,
                                      void *vector_function, bool is_over_pi, double *expected) {
  const __m256d x = four_floats(batch->x, i);
  __m256d y = _mm256_set1_pd(1), result;
  if (function->arguments == arguments_x) {
    unary_t *unary;
    memcpy(&unary, &vector_function, sizeof(unary));
    result = unary(x);
  } else {
    binary_t *binary;
    memcpy(&binary, &vector_function, sizeof(binary));
    y = second_argument(function, batch, i);
    result = binary(x, y);
  }
  if (is_over_pi) result = _mm256_mul_pd(result, _mm256_set1_pd(1 / M_PI));
  _mm256_storeu_pd(expected, result);
  const int ordinary = ordinary_lanes(x, y, result);
  for (size_t lane = 0; ordinary != ALL_LANES && lane < LANES; lane++) {
    if (!(ordinary >> lane & 1)) expected[lane] = reference(function, batch, i + lane);
  }
}

static size_t estimate(const accuracy_function_t *function, const accuracy_batch_t *batch, size_t begin, size_t count,
                       double *expected) {
  const estimate_t *by = find(function->name);
  void *vector_function = find_vector_function(by);
  size_t done = 0;
  for (; vector_function && done + LANES <= count; done += LANES) {
    estimate_four(function, batch, begin + done, vector_function, by->is_over_pi, expected + done);
  }
  return done;
}

#else

static size_t estimate(const accuracy_function_t *function, const accuracy_batch_t *batch, size_t begin, size_t count,
                       double *expected) {
  (void)batch, (void)begin, (void)count, (void)expected;
  (void)find(function->name);
  return 0;
}

#endif

void estimate_references(const accuracy_function_t *function, const accuracy_batch_t *batch, size_t begin, size_t count,
                         double *expected) {
  for (size_t i = estimate(function, batch, begin, count, expected); i < count; i++) {
    expected[i] = reference(function, batch, begin + i);
  }
}
