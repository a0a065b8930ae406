/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Special arguments first, then some from where users' arguments are, then some from everywhere. */
#include "arguments.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "test_half.h"

/* Both signs of each are taken, with the numbers next to it. */
static const double magnitudes[] = {
    0,       FLT_TRUE_MIN, FLT_MIN,  FLT_MAX, DBL_TRUE_MIN, DBL_MIN,  DBL_MAX,  INFINITY,
    0x1p-30, 0x1p-24,      0x1p-12,  0.25,    0.5,          M_PI / 4, 0.75,     1,
    1.25,    1.5,          M_PI / 2, 2,       2.5,          3,        M_PI,     4,
    5,       10,           33,       34,      35,           36,       88.72284, 89,
    103.97,  104,          127,      128,     129,          149,      150,      171,
    709.78,  745.13,       1000,     1023,    1024,         1074,     1075,     0x1p15,
    0x1p16,  0x1p17,       0x1p22,   0x1p23,  0x1p24,       0x1p25,   0x1p31,   0x1p52,
    0x1p53,  0x1p54,       0x1p63,   0x1p100, 0x1p126,      0x1p127};
static const int integers[] = {0,     1,        -1,       2,       -2,      3,           -3,    4,           5,
                               7,     10,       -10,      24,      127,     128,         149,   150,         -126,
                               -1022, 16777217, 16777219, INT_MAX, INT_MIN, INT_MAX - 1, 23,    25,          -24,
                               -25,   300,      -300,     2100,    -2100,   1023,        -1074, INT_MIN + 1, 1024};
enum {
  MAGNITUDES = sizeof(magnitudes) / sizeof(magnitudes[0]),
  INTEGERS = sizeof(integers) / sizeof(integers[0]),
  /* with both neighbours, both signs, and NaN */
  SPECIALS = MAGNITUDES * 3 * 2 + 1,
  /* for second arguments: without neighbours */
  SECOND_SPECIALS = MAGNITUDES * 2 + 1,
  PAIR_KINDS = 11
};

/* A well-mixed number for each index (the finalizer of splitmix64). */
static uint64_t scramble(uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

static double from_bits(accuracy_format_e format, uint64_t bits) {
  if (format == format_half) return test_half_to_double((uint16_t)bits);
  if (format == format_float) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof(value));
    return (double)value;
  }
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static double neighbour(accuracy_format_e format, double x, int direction) {
  if (format == format_half) {
    uint16_t bits = test_half_from_double(x);
    bool is_last = direction < 0 ? bits == 0 : isinf(test_half_to_double(bits));
    return test_half_to_double(is_last ? bits : (uint16_t)(bits + direction));
  }
  if (format == format_float) x = (double)(float)x;
  if (direction == 0) return x;
  double to = direction < 0 ? 0 : INFINITY;
  return format == format_float ? (double)nextafterf((float)x, (float)to) : nextafter(x, to);
}

static double special(accuracy_format_e format, uint64_t i) {
  if (i == SPECIALS - 1) return NAN;
  double x = neighbour(format, magnitudes[i / 6], (int)(i % 3) - 1);
  return i % 6 < 3 ? x : -x;
}

static double second_special(accuracy_format_e format, uint64_t i) {
  return special(format, i == SECOND_SPECIALS - 1 ? SPECIALS - 1 : 3 * i + 1);
}

static double in_range(const accuracy_function_t *function, uint64_t random) {
  return function->low + (function->high - function->low) * (double)(random >> 11) * 0x1p-53;
}

/* 2 to the power of an exponent. */
static double power_of_two(int exponent) {
  if (exponent < DBL_MIN_EXP || exponent >= DBL_MAX_EXP) return ldexp(1, exponent);
  const uint64_t bits = (uint64_t)(exponent + DBL_MAX_EXP - 1) << (DBL_MANT_DIG - 1);
  double power;
  memcpy(&power, &bits, sizeof(power));
  return power;
}

/* A float or double as near in size to x as its exponent's `distance` says, with some other fraction. */
static double near_in_size(double x, uint64_t random, int distance) {
  const double fraction = copysign(1 + (double)(random >> 11) * 0x1p-53, x);
  return fraction * power_of_two((isfinite(x) && x != 0 ? ilogb(x) : 0) + distance);
}

/* Pairs: both ordinary, one or both anything, one near the other in size, x near 1, x to the power of y at the ends of
 * the normal range, one special and the other anything. */
static void fill_pair(const accuracy_sequence_t *sequence, uint64_t i, double *x, double *y) {
  uint64_t a = scramble(2 * i), b = scramble(2 * i + 1);
  *x = in_range(sequence->function, a);
  *y = in_range(sequence->function, b);
  if (sequence->function->in_range) return;
  const unsigned mode = i % PAIR_KINDS;
  if (mode == 1 || mode == 3 || (mode >= 4 && mode != 9)) *x = from_bits(sequence->format, a);
  if (mode == 2 || mode == 3 || mode == 9) *y = from_bits(sequence->format, b);
  if (mode == 4) *y = near_in_size(*x, b, (int)(b % 64) - 32);
  if (mode == 5)
    *x = 1 + (int32_t)a * power_of_two(-31 - (int)(b % 20)), *y = (int32_t)b * power_of_two((int)(a % 20) - 31 + 7);
  if (mode == 6) *y = rint(*y);
  if (mode == 7) *x = rint(in_range(sequence->function, a)), *y = rint(*y);
  if (mode == 8) *y = copysign(119 + 31 * ((double)(b >> 11) * 0x1p-53), (double)(int64_t)(b << 60)) / log2(fabs(*x));
  if (mode == 9) *x = special(sequence->format, a % SPECIALS);
  if (mode == 10) *y = special(sequence->format, b % SPECIALS);
}

static void fill_with_int(const accuracy_sequence_t *sequence, uint64_t i, double *x, int *n) {
  uint64_t a = scramble(2 * i), b = scramble(2 * i + 1);
  *x = i % 2 ? from_bits(sequence->format, a) : in_range(sequence->function, a);
  *n = (b >> 40) % 8 ? (int)(uint32_t)b >> (b >> 32) % 32 : integers[b % INTEGERS];
}

static uint64_t special_count(const accuracy_function_t *function) {
  if (function->in_range) return 0;
  switch (function->arguments) {
    case arguments_x: return SPECIALS;
    case arguments_xy: return (uint64_t)SPECIALS * SECOND_SPECIALS;
    default: return (uint64_t)SPECIALS * INTEGERS;
  }
}

static uint32_t float_bits(double x) {
  float value = (float)x;
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/* How many floats there are from `from` to `to`. */
static uint64_t every_count(const accuracy_function_t *function) {
  if (function->in_range || function->from == 0) return 0;
  uint32_t from = float_bits(function->from), to = float_bits(function->to);
  return (uint64_t)(from < to ? to - from : from - to) + 1;
}

static double every_argument(const accuracy_function_t *function, uint64_t i) {
  uint32_t from = float_bits(function->from), to = float_bits(function->to);
  return from_bits(format_float, (from < to ? from : to) + i);
}

accuracy_sequence_t arguments_sequence(const accuracy_function_t *function, accuracy_format_e format, bool exhaustive,
                                       uint64_t size) {
  accuracy_sequence_t out = {.function = function, .format = format};
  bool is_simple = function->arguments == arguments_x && !function->in_range;
  out.exhaustive = exhaustive && format != format_double && is_simple;
  uint64_t all = (uint64_t)1 << (format == format_half ? 16 : 32);
  out.total = out.exhaustive ? all : special_count(function) + every_count(function) + size;
  return out;
}

static void make_special(const accuracy_sequence_t *sequence, uint64_t i, double *x, double *y, int *n) {
  *x = special(sequence->format, i % SPECIALS);
  if (sequence->function->arguments == arguments_xy) *y = second_special(sequence->format, i / SPECIALS);
  if (sequence->function->arguments == arguments_xn) *n = integers[i / SPECIALS];
}

static void make_sample(const accuracy_sequence_t *sequence, uint64_t i, double *x, double *y, int *n) {
  bool anywhere = !sequence->function->in_range && i % 2 == 0;
  switch (sequence->function->arguments) {
    case arguments_x:
      *x = anywhere ? from_bits(sequence->format, scramble(i)) : in_range(sequence->function, scramble(i));
      break;
    case arguments_xy: fill_pair(sequence, i, x, y); break;
    case arguments_xn: fill_with_int(sequence, i, x, n); break;
  }
}

static void store(accuracy_format_e format, void *array, size_t i, double value) {
  if (format == format_float) {
    ((float *)array)[i] = (float)value;
  } else if (format == format_half) {
    ((uint16_t *)array)[i] = test_half_from_double(value);
  } else {
    ((double *)array)[i] = value;
  }
}

static void fill_exhaustive(const accuracy_sequence_t *sequence, uint64_t first, accuracy_batch_t *batch) {
  for (size_t k = 0; k < batch->count; k++) {
    if (sequence->format == format_half) {
      ((uint16_t *)batch->x)[k] = (uint16_t)(first + k);
    } else {
      ((uint32_t *)batch->x)[k] = (uint32_t)(first + k);
    }
  }
}

static void fill_at(const accuracy_sequence_t *sequence, uint64_t i, accuracy_batch_t *batch, size_t k) {
  const uint64_t specials = special_count(sequence->function), every = every_count(sequence->function);
  double x = 0, y = 0;
  int n = 0;
  if (i < specials) {
    make_special(sequence, i, &x, &y, &n);
  } else if (i < specials + every) {
    x = every_argument(sequence->function, i - specials);
  } else {
    make_sample(sequence, i - specials - every, &x, &y, &n);
  }
  batch->n[k] = n;
  store(sequence->format, batch->x, k, x);
  store(sequence->format, batch->y, k, y);
}

/* Arguments of one kind follow each other, so that branches are predicted, here and in what is measured. */
void arguments_fill(const accuracy_sequence_t *sequence, uint64_t first, size_t capacity, accuracy_batch_t *batch) {
  enum { KINDS = 2 * PAIR_KINDS };
  batch->count = sequence->total - first < capacity ? (size_t)(sequence->total - first) : capacity;
  if (sequence->exhaustive) {
    fill_exhaustive(sequence, first, batch);
    return;
  }
  size_t k = 0;
  for (size_t kind = 0; kind < KINDS; kind++) {
    for (size_t i = kind; i < batch->count; i += KINDS) fill_at(sequence, first + i, batch, k++);
  }
}
