/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lanes, operators and conversions. */
#include "arithmetic.h"

#include <math.h>

#include "test_half.h"

wide_t lane_integer(const value_t *value, unsigned lane) {
  scalar_t scalar = value->type->scalar;
  size_t size = scalar_size(scalar);
  uint64_t bits = 0;
  memcpy(&bits, value->bytes + lane * size, size);
  if (!scalar_is_signed(scalar)) return (wide_t)bits;
  unsigned unused = 64 - scalar_bits(scalar);
  return (wide_t)((int64_t)(bits << unused) >> unused);
}

void lane_set_integer(value_t *value, unsigned lane, wide_t integer) {
  size_t size = scalar_size(value->type->scalar);
  uint64_t bits = (uint64_t)integer;
  memcpy(value->bytes + lane * size, &bits, size);
}

double lane_float(const value_t *value, unsigned lane) {
  switch (value->type->scalar) {
    case SCALAR_F16: {
      uint16_t bits;
      memcpy(&bits, value->bytes + lane * 2, 2);
      return test_half_to_double(bits);
    }
    case SCALAR_F32: {
      float number;
      memcpy(&number, value->bytes + lane * 4, 4);
      return (double)number;
    }
    default: {
      double number;
      memcpy(&number, value->bytes + lane * 8, 8);
      return number;
    }
  }
}

bool lane_set_float(value_t *value, unsigned lane, double number) {
  bool is_nan = isnan(number);
  if (is_nan) number = 1;
  if (value->type->scalar == SCALAR_F16) {
    uint16_t bits = test_half_from_double(number);
    memcpy(value->bytes + lane * 2, &bits, 2);
  } else if (value->type->scalar == SCALAR_F32) {
    float single = (float)number;
    memcpy(value->bytes + lane * 4, &single, 4);
  } else {
    memcpy(value->bytes + lane * 8, &number, 8);
  }
  return is_nan;
}

bool value_repair_nan(value_t *value) {
  bool repaired = false;
  if (!type_is_float(value->type)) return false;
  for (unsigned i = 0; i < value->type->width; i++) {
    double number = lane_float(value, i);
    if (isnan(number)) repaired |= lane_set_float(value, i, number);
  }
  return repaired;
}

bool lane_is_true(const value_t *value, unsigned lane) {
  if (type_is_float(value->type)) return lane_float(value, lane) != 0;
  wide_t integer = lane_integer(value, lane);
  return value->type->width == 1 ? integer != 0 : (integer >> (scalar_bits(value->type->scalar) - 1) & 1) != 0;
}

bool value_is_true(const value_t *value) { return lane_is_true(value, 0); }

/* ---------------------------------------------------------------- operators */

static wide_t lowest(scalar_t scalar) {
  return scalar_is_signed(scalar) ? -((wide_t)1 << (scalar_bits(scalar) - 1)) : 0;
}

static wide_t highest(scalar_t scalar) {
  return ((wide_t)1 << (scalar_bits(scalar) - (scalar_is_signed(scalar) ? 1 : 0))) - 1;
}

static bool is_out_of_range(wide_t value, scalar_t scalar) { return value < lowest(scalar) || value > highest(scalar); }

/* Division by zero gives the dividend, and so does the one quotient that does not fit. */
static wide_t divide(operator_t op, wide_t a, wide_t b, scalar_t scalar, bool *repaired) {
  if (b == 0 || (b == -1 && a == lowest(scalar))) {
    *repaired = true;
    b = 1;
  }
  return op == OP_DIVIDE ? a / b : a % b;
}

/* Counts are taken modulo the bits of what is shifted. */
static wide_t shift(operator_t op, wide_t a, wide_t b, scalar_t scalar) {
  unsigned count = (unsigned)b & (scalar_bits(scalar) - 1);
  return op == OP_SHIFT_LEFT ? (wide_t)((unsigned_wide_t)a << count) : a >> count;
}

static wide_t operate_integer(operator_t op, wide_t a, wide_t b, scalar_t scalar, bool *repaired) {
  wide_t result = 0;
  switch (op) {
    case OP_ADD: result = a + b; break;
    case OP_SUBTRACT: result = a - b; break;
    case OP_MULTIPLY: result = scalar == SCALAR_U64 ? (wide_t)((uint64_t)a * (uint64_t)b) : a * b; break;
    case OP_DIVIDE:
    case OP_REMAINDER: return divide(op, a, b, scalar, repaired);
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    default: return shift(op, a, b, scalar);
  }
  if (scalar_is_signed(scalar) && is_out_of_range(result, scalar)) *repaired = true;
  return result;
}

static bool compare(operator_t op, bool is_less, bool is_equal) {
  switch (op) {
    case OP_EQUAL: return is_equal;
    case OP_NOT_EQUAL: return !is_equal;
    case OP_LESS: return is_less;
    case OP_LESS_EQUAL: return is_less || is_equal;
    case OP_GREATER: return !is_less && !is_equal;
    default: return !is_less;
  }
}

static double operate_float(operator_t op, double a, double b) {
  switch (op) {
    case OP_ADD: return a + b;
    case OP_SUBTRACT: return a - b;
    case OP_MULTIPLY: return a * b;
    default: return a / b;
  }
}

/* Vectors have all bits set where a comparison holds. */
static wide_t truth(const type_t *type, bool holds) { return holds ? type->width == 1 ? 1 : -1 : 0; }

static bool is_nonzero(const value_t *value, unsigned lane) {
  return type_is_float(value->type) ? lane_float(value, lane) != 0 : lane_integer(value, lane) != 0;
}

static bool lane_compare(operator_t op, const value_t *left, const value_t *right, unsigned lane) {
  if (op == OP_LOGICAL_AND) return is_nonzero(left, lane) && is_nonzero(right, lane);
  if (op == OP_LOGICAL_OR) return is_nonzero(left, lane) || is_nonzero(right, lane);
  if (type_is_float(left->type)) {
    double a = lane_float(left, lane), b = lane_float(right, lane);
    return compare(op, a < b, a == b);
  }
  wide_t a = lane_integer(left, lane), b = lane_integer(right, lane);
  return compare(op, a < b, a == b);
}

bool operate(operator_t op, const value_t *left, const value_t *right, value_t *out) {
  bool repaired = false;
  scalar_t scalar = left->type->scalar;
  for (unsigned i = 0; i < left->type->width; i++) {
    if (op >= OP_EQUAL && op <= OP_LOGICAL_OR) {
      lane_set_integer(out, i, truth(out->type, lane_compare(op, left, right, i)));
    } else if (type_is_float(left->type)) {
      repaired |= lane_set_float(out, i, operate_float(op, lane_float(left, i), lane_float(right, i)));
    } else {
      wide_t result = operate_integer(op, lane_integer(left, i), lane_integer(right, i), scalar, &repaired);
      lane_set_integer(out, i, result);
    }
  }
  return repaired;
}

bool operate_unary(operator_t op, const value_t *operand, value_t *out) {
  bool repaired = false;
  for (unsigned i = 0; i < operand->type->width; i++) {
    if (op == OP_NOT) {
      lane_set_integer(out, i, truth(out->type, !is_nonzero(operand, i)));
    } else if (type_is_float(operand->type)) {
      lane_set_float(out, i, -lane_float(operand, i));
    } else {
      wide_t value = lane_integer(operand, i);
      wide_t result = op == OP_NEGATE ? -value : ~value;
      scalar_t scalar = operand->type->scalar;
      if (scalar_is_signed(scalar) && is_out_of_range(result, scalar)) repaired = true;
      lane_set_integer(out, i, result);
    }
  }
  return repaired;
}

/* ---------------------------------------------------------------- conversions */

static double round_to_integer(double number, rounding_t rounding) {
  switch (rounding) {
    case ROUND_EVEN: return rint(number);
    case ROUND_UP: return ceil(number);
    case ROUND_DOWN: return floor(number);
    default: return trunc(number);
  }
}

/* Powers of two are exact in double; every float in between fits. */
static bool to_integer(double number, rounding_t rounding, bool is_saturating, value_t *out, unsigned lane) {
  scalar_t scalar = out->type->scalar;
  double rounded = round_to_integer(number, rounding);
  bool is_low = rounded < (double)lowest(scalar), is_high = rounded >= (double)highest(scalar) + 1;
  if (scalar_bits(scalar) < 64) is_high = rounded > (double)highest(scalar);
  lane_set_integer(out, lane, is_low ? lowest(scalar) : is_high ? highest(scalar) : (wide_t)rounded);
  return !is_saturating && (is_low || is_high);
}

/* A float beside the nearest one where that lies on the wrong side; `error` is the sign of nearest - exact. */
static float directed(float nearest, int error, rounding_t rounding, bool is_negative) {
  if (rounding == ROUND_ZERO) rounding = is_negative ? ROUND_UP : ROUND_DOWN;
  if (rounding == ROUND_UP && error < 0) return nextafterf(nearest, INFINITY);
  if (rounding == ROUND_DOWN && error > 0) return nextafterf(nearest, -INFINITY);
  return nearest;
}

static int sign_of(bool is_positive, bool is_negative) { return is_positive ? 1 : is_negative ? -1 : 0; }

static double integer_to_float(wide_t integer, rounding_t rounding, scalar_t scalar) {
  if (scalar == SCALAR_F64) return (double)integer;
  if (scalar == SCALAR_F16) return (double)(long double)integer;
  float nearest = (float)integer;
  wide_t back = (wide_t)nearest;
  return (double)directed(nearest, sign_of(back > integer, back < integer), rounding, integer < 0);
}

static double float_to_float(double number, rounding_t rounding, scalar_t scalar) {
  if (scalar != SCALAR_F32 || isinf(number)) return number;
  float nearest = (float)number;
  return (double)directed(nearest, sign_of((double)nearest > number, (double)nearest < number), rounding, number < 0);
}

static wide_t saturate(wide_t integer, scalar_t scalar) {
  wide_t low = lowest(scalar), high = highest(scalar);
  return integer < low ? low : integer > high ? high : integer;
}

bool convert(const value_t *in, rounding_t rounding, bool is_saturating, value_t *out) {
  bool repaired = false;
  scalar_t scalar = out->type->scalar;
  for (unsigned i = 0; i < in->type->width; i++) {
    if (type_is_float(in->type)) {
      double number = lane_float(in, i);
      if (scalar_is_float(scalar)) {
        lane_set_float(out, i, float_to_float(number, rounding, scalar));
      } else {
        repaired |= to_integer(number, rounding, is_saturating, out, i);
      }
    } else if (scalar_is_float(scalar)) {
      lane_set_float(out, i, integer_to_float(lane_integer(in, i), rounding, scalar));
    } else {
      wide_t integer = lane_integer(in, i);
      lane_set_integer(out, i, is_saturating ? saturate(integer, scalar) : integer);
    }
  }
  return repaired;
}

/* ---------------------------------------------------------------- functions */

static wide_t count_bits(builtin_t builtin, wide_t integer, unsigned bits) {
  uint64_t value = (uint64_t)integer & (bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1);
  if (builtin == BUILTIN_POPCOUNT) return __builtin_popcountll(value);
  if (!value) return bits;
  return builtin == BUILTIN_CLZ ? (unsigned)__builtin_clzll(value) - (64 - bits) : (unsigned)__builtin_ctzll(value);
}

static wide_t multiply_high(wide_t a, wide_t b, scalar_t scalar) {
  unsigned bits = scalar_bits(scalar);
  if (scalar == SCALAR_U64) return (wide_t)(((unsigned_wide_t)a * (unsigned_wide_t)b) >> 64);
  return (a * b) >> bits;
}

static wide_t multiply_add_saturated(wide_t a, wide_t b, wide_t c, scalar_t scalar) {
  if (scalar != SCALAR_U64) return saturate(a * b + c, scalar);
  unsigned_wide_t sum = (unsigned_wide_t)a * (unsigned_wide_t)b + (unsigned_wide_t)c;
  return sum > UINT64_MAX ? (wide_t)UINT64_MAX : (wide_t)sum;
}

static wide_t rotate(wide_t a, wide_t b, unsigned bits) {
  uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1, value = (uint64_t)a & mask;
  unsigned count = (unsigned)b & (bits - 1);
  return (wide_t)(count ? (value << count | value >> (bits - count)) & mask : value);
}

static wide_t integer_function(builtin_t builtin, wide_t a, wide_t b, wide_t c, scalar_t scalar) {
  unsigned bits = scalar_bits(scalar);
  switch (builtin) {
    case BUILTIN_ABS: return a < 0 ? -a : a;
    case BUILTIN_ABS_DIFF: return a > b ? a - b : b - a;
    case BUILTIN_ADD_SAT: return saturate(a + b, scalar);
    case BUILTIN_SUB_SAT: return saturate(a - b, scalar);
    case BUILTIN_HADD: return (a + b) >> 1;
    case BUILTIN_RHADD: return (a + b + 1) >> 1;
    case BUILTIN_MAX: return a > b ? a : b;
    case BUILTIN_MIN: return a < b ? a : b;
    case BUILTIN_CLAMP: {
      wide_t low = b < c ? b : c, high = b < c ? c : b;
      return a < low ? low : a > high ? high : a;
    }
    case BUILTIN_MUL_HI: return multiply_high(a, b, scalar);
    case BUILTIN_MAD_SAT: return multiply_add_saturated(a, b, c, scalar);
    case BUILTIN_ROTATE: return rotate(a, b, bits);
    case BUILTIN_UPSAMPLE: return (wide_t)((uint64_t)a << bits | ((uint64_t)b & (((uint64_t)1 << bits) - 1)));
    case BUILTIN_BITSELECT: return (a & ~c) | (b & c);
    default: return count_bits(builtin, a, bits);
  }
}

static double float_function(builtin_t builtin, double a, double b, double c, scalar_t scalar) {
  switch (builtin) {
    case BUILTIN_FABS: return fabs(a);
    case BUILTIN_FLOOR: return floor(a);
    case BUILTIN_CEIL: return ceil(a);
    case BUILTIN_TRUNC: return trunc(a);
    case BUILTIN_RINT: return rint(a);
    case BUILTIN_ROUND: return round(a);
    case BUILTIN_COPYSIGN: return copysign(a, b);
    case BUILTIN_MAX: return a < b ? b : a;
    case BUILTIN_MIN: return b < a ? b : a;
    default: return scalar == SCALAR_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
  }
}

static bool float_test(builtin_t builtin, const value_t *operands, unsigned lane) {
  double a = lane_float(&operands[0], lane);
  switch (builtin) {
    case BUILTIN_SIGNBIT: return signbit(a) != 0;
    case BUILTIN_ISINF: return isinf(a) != 0;
    case BUILTIN_ISLESS: return a < lane_float(&operands[1], lane);
    default: return a >= lane_float(&operands[1], lane);
  }
}

/* Indices count over both vectors, as far as the mask's low bits say. */
static void shuffle(builtin_t builtin, const value_t *operands, value_t *out) {
  const value_t *mask = &operands[builtin == BUILTIN_SHUFFLE ? 1 : 2];
  unsigned width = operands[0].type->width;
  unsigned count = builtin == BUILTIN_SHUFFLE ? width : 2 * width;
  size_t size = scalar_size(out->type->scalar);
  for (unsigned i = 0; i < out->type->width; i++) {
    unsigned from = (unsigned)lane_integer(mask, i) & (count - 1);
    memcpy(out->bytes + i * size, operands[from / width].bytes + from % width * size, size);
  }
}

static void select_lanes(const value_t *operands, value_t *out) {
  size_t size = scalar_size(out->type->scalar);
  for (unsigned i = 0; i < out->type->width; i++) {
    memcpy(out->bytes + i * size, operands[lane_is_true(&operands[2], i) ? 1 : 0].bytes + i * size, size);
  }
}

static void any_or_all(builtin_t builtin, const value_t *operand, value_t *out) {
  bool any = false, all = true;
  for (unsigned i = 0; i < operand->type->width; i++) {
    bool is_set = (lane_integer(operand, i) >> (scalar_bits(operand->type->scalar) - 1) & 1) != 0;
    any |= is_set;
    all &= is_set;
  }
  lane_set_integer(out, 0, builtin == BUILTIN_ANY ? any : all);
}

static bool call_by_lane(builtin_t builtin, const value_t *operands, value_t *out) {
  bool repaired = false;
  scalar_t scalar = operands[0].type->scalar;
  for (unsigned i = 0; i < out->type->width; i++) {
    if (builtin >= BUILTIN_SIGNBIT) {
      lane_set_integer(out, i, truth(out->type, float_test(builtin, operands, i)));
    } else if (scalar_is_float(scalar)) {
      double number = float_function(builtin, lane_float(&operands[0], i), lane_float(&operands[1], i),
                                     lane_float(&operands[2], i), scalar);
      repaired |= lane_set_float(out, i, number);
    } else {
      wide_t integer = integer_function(builtin, lane_integer(&operands[0], i), lane_integer(&operands[1], i),
                                        lane_integer(&operands[2], i), scalar);
      lane_set_integer(out, i, integer);
    }
  }
  return repaired;
}

bool call_builtin(builtin_t builtin, const value_t *operands, value_t *out) {
  switch (builtin) {
    case BUILTIN_SHUFFLE:
    case BUILTIN_SHUFFLE2: shuffle(builtin, operands, out); return false;
    case BUILTIN_SELECT: select_lanes(operands, out); return false;
    case BUILTIN_ANY:
    case BUILTIN_ALL: any_or_all(builtin, &operands[0], out); return false;
    default: return call_by_lane(builtin, operands, out);
  }
}
