/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * bfloat16 in integer arithmetic: the upper half of a float. */
#include "host/runtime/executable/bfloat.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define QUIET_NAN 0x40u

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float with_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* What is cut off rounds up when it is more than a half, or a half of an odd number. */
float host_bfloat_from_float(float value) {
  uint32_t bits = bits_of(value), upper = bits >> 16;
  if (isnan(value)) return with_bits(upper | QUIET_NAN);
  return with_bits((bits + 0x7fffu + (upper & 1)) >> 16);
}

/* By a float that is odd where it is not exact, so that nothing is rounded twice. */
float host_bfloat_from_double(double value) {
  float near = (float)value;
  if (isnan(value) || (double)near == value) return host_bfloat_from_float(near);
  uint32_t bits = bits_of(near);
  if (fabs((double)near) > fabs(value)) bits--;
  return host_bfloat_from_float(with_bits(bits | 1));
}
