/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Half precision in integer arithmetic, whatever the processor and its rounding mode. */
#include "host/runtime/executable/half.h"

#include <string.h>

#define HALF_INFINITY 0x7c00u
#define FLOAT_INFINITY 0x7f800000u
/* 2^16 and 2^-14 as float bits: from the first on all is infinite, below the second subnormal. */
#define FLOAT_TOO_LARGE 0x47800000u
#define FLOAT_NORMAL 0x38800000u
/* Difference of the exponents' biases, at their place in a float. */
#define BIAS_DIFFERENCE (112u << 23)

static float float_from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float host_half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000u) << 16, magnitude = half & 0x7fffu;
  if (magnitude >= HALF_INFINITY) return float_from_bits(sign | FLOAT_INFINITY | (magnitude & 0x3ffu) << 13);
  if (magnitude >= 0x400u) return float_from_bits(sign | ((magnitude << 13) + BIAS_DIFFERENCE));
  /* Subnormal: an integer number of 2^-24. */
  float value = (float)magnitude * 0x1p-24f;
  return sign ? -value : value;
}

/* Drops `shift` bits, rounding to nearest, ties to even. */
static uint32_t shift_rounding(uint32_t value, uint32_t shift) {
  uint32_t half = 1u << (shift - 1), rest = value & ((1u << shift) - 1), result = value >> shift;
  return result + (rest > half || (rest == half && (result & 1u)));
}

uint16_t host_half_from_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > FLOAT_INFINITY) return (uint16_t)(sign | HALF_INFINITY | 0x200u | (magnitude >> 13 & 0x3ffu));
  if (magnitude >= FLOAT_TOO_LARGE) return (uint16_t)(sign | HALF_INFINITY);
  if (magnitude >= FLOAT_NORMAL) return (uint16_t)(sign | shift_rounding(magnitude - BIAS_DIFFERENCE, 13));
  /* Subnormal or zero: the significand in units of 2^-24; below half of one everything is zero. */
  uint32_t exponent = magnitude >> 23, significand = (magnitude & 0x7fffffu) | 0x800000u;
  if (exponent < 102) return (uint16_t)sign;
  return (uint16_t)(sign | shift_rounding(significand, 126 - exponent));
}
