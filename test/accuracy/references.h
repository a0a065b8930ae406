/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results in a wider format than the one under test: double for float, long double for double. Included once for each,
 * with real_t and R(name), the name of a function for that format.
 *
 * Where C's functions differ from OpenCL C's, or C has none: OpenCL C section 7.5 has the special cases. */

#define REFERENCE_PI ((real_t)3.14159265358979323846264338327950288L)

/* x - 2 k, exactly, in [0, 2), for x >= 0 */
static real_t R(whole_turn)(real_t x) { return x - 2 * R(trunc)(x / 2); }

static real_t R(sine_of_half_turns)(real_t x) {
  real_t y = R(whole_turn)(R(fabs)(x));
  real_t sine = y == 0 || y == 1 ? 0
                : y < 0.25       ? R(sin)(REFERENCE_PI * y)
                : y <= 0.75      ? R(cos)(REFERENCE_PI * (y - (real_t)0.5))
                : y <= 1.25      ? R(sin)(REFERENCE_PI * (1 - y))
                : y <= 1.75      ? -R(cos)(REFERENCE_PI * (y - (real_t)1.5))
                                 : R(sin)(REFERENCE_PI * (y - 2));
  return isfinite(x) ? R(copysign)(1, x) * sine : NAN;
}

static real_t R(cosine_of_half_turns)(real_t x) {
  if (!isfinite(x)) return NAN;
  real_t y = R(whole_turn)(R(fabs)(x));
  if (y == 0.5 || y == 1.5) return 0;
  return R(sine_of_half_turns)(R(fabs)(y - 1) - (real_t)0.5);
}

/* Zeros and infinities alternate in sign. */
static real_t R(tangent_of_half_turns)(real_t x) {
  if (!isfinite(x)) return NAN;
  real_t y = R(whole_turn)(R(fabs)(x)), sign = R(copysign)(1, x);
  if (y == 0 || y == 1) return sign * (y == 0 ? (real_t)0 : -(real_t)0);
  if (y == 0.5 || y == 1.5) return sign * (y == 0.5 ? (real_t)INFINITY : -(real_t)INFINITY);
  return sign * R(sine_of_half_turns)(y) / R(cosine_of_half_turns)(y);
}

/* The power of the magnitude, with the sign of odd powers: the C library's for x87 is wrong about -inf. */
static real_t R(power)(real_t x, real_t y) {
  if (!isinf(x) || x > 0 || isnan(y)) return R(pow)(x, y);
  bool odd = R(fabs)(R(fmod)(y, 2)) == 1;
  return odd ? -R(pow)(-x, y) : R(pow)(-x, y);
}

/* NaN beyond what counts. */
static real_t R(within)(real_t x, real_t most, real_t value) { return R(fabs)(x) <= most ? value : (real_t)NAN; }

/* What the table of relaxed functions leaves undefined of it is NaN. */
static real_t R(relaxed_power)(real_t x, real_t y) {
  return x == 0 || (x < 0 && R(fabs)(y) > 0x1p24f) ? (real_t)NAN : R(power)(x, y);
}

/* Where relaxed quotients are defined: from 2^-62 to 2^62, both. */
static real_t R(quotient_of_ordinary)(real_t x, real_t y) {
  return R(fabs)(x) < 0x1p-62f || R(fabs)(y) < 0x1p-62f ? (real_t)NAN
                                                        : R(within)(x, 0x1p62f, R(within)(y, 0x1p62f, x / y));
}

static real_t R(power_of_positive)(real_t x, real_t y) {
  bool undefined = x < 0 || isnan(x) || isnan(y) || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y));
  return undefined ? (real_t)NAN : R(pow)(R(fabs)(x), y);
}

static real_t R(root_of_degree)(real_t x, int n) {
  if (n == 0 || (n % 2 == 0 && x < 0)) return NAN;
  if (x == 0) return n > 0 ? (n % 2 ? x : 0) : (n % 2 ? 1 / x : (real_t)INFINITY);
  real_t root = R(pow)(R(fabs)(x), 1 / (real_t)n);
  /* one Newton step in the logarithm: 1/n was rounded */
  if (isfinite(root) && root > 0) root *= 1 + R(fma)(-(1 / (real_t)n), n, 1) * R(log)(R(fabs)(x)) / n;
  return x < 0 ? -root : root;
}

/* At the poles C says NaN, or an infinity whose sign follows the zero; so does OpenCL C. */
static real_t R(gamma_function)(real_t x) { return R(tgamma)(x); }

/* The seven low bits of the quotient rounded to nearest, with the quotient's sign. */
static real_t R(low_quotient)(real_t x, real_t y) {
  if (!isfinite(x) || isnan(y) || y == 0 || isinf(y)) return 0;
  real_t ax = R(fabs)(x), ay = R(fabs)(y), rest = R(remainder)(ax, ay);
  /* ax - rest is a multiple of ay; modulo 128 ay it fits the wider format with room to spare */
  real_t modulus = R(fmod)(ax, 128 * ay);
  int quotient = (int)R(rint)((modulus - rest) / ay) & 127;
  return signbit(x) != signbit(y) ? -quotient : quotient;
}

static real_t R(exponent_of)(real_t x) {
  int exponent = 0;
  if (isfinite(x)) (void)R(frexp)(x, &exponent);
  return exponent;
}

/* FP_ILOGB0, FP_ILOGBNAN and what stands for an infinity are OpenCL C's. */
static real_t R(whole_logarithm)(real_t x) {
  if (x == 0) return INT_MIN;
  return isfinite(x) ? R(ilogb)(x) : INT_MAX;
}

static real_t R(fraction_of)(real_t x, real_t below_one) {
  if (isnan(x)) return x;
  if (isinf(x)) return R(copysign)(0, x);
  real_t fraction = x - R(floor)(x);
  return x == 0 ? x : R(fmin)(fraction, below_one);
}
