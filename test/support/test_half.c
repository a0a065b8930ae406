/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Half precision on the host, by the definition of the format and not by what is under test. */
#include "test_half.h"

#include <math.h>

enum { mantissa_bits = 10, least_exponent = -14, exponent_bias = 15, infinity_bits = 0x7c00, quiet_nan_bits = 0x7e00 };

double test_half_to_double(uint16_t bits) {
  int exponent = bits >> mantissa_bits & 0x1f, mantissa = bits & 0x3ff;
  double magnitude;
  if (exponent == 0x1f) {
    magnitude = mantissa ? (double)NAN : (double)INFINITY;
  } else if (exponent == 0) {
    magnitude = ldexp(mantissa, least_exponent - mantissa_bits);
  } else {
    magnitude = ldexp(mantissa | 0x400, exponent - exponent_bias - mantissa_bits);
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

uint16_t test_half_from_double(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double magnitude = fabs(value);
  if (isnan(value)) return sign | quiet_nan_bits;
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return sign | infinity_bits;
  int exponent = ilogb(magnitude);
  if (exponent < least_exponent) exponent = least_exponent;
  /* In units of the last place, so that a carry moves on into the exponent. */
  int units = (int)rint(ldexp(magnitude, mantissa_bits - exponent));
  return (uint16_t)(sign | (((exponent - least_exponent) << mantissa_bits) + units));
}
