/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Double-precision transcendental functions. */

#include "builtins.clh"
#include "format_double.clh"

#define DOUBLE_PRECISION
#define SYMBOL(f) #f
#define SYMBOL_R(f) #f "_r"
#include "c_library.clh"

#define PI 3.14159265358979323846
#define SIN_SERIES(x)                                                                                                  \
  POLYNOMIAL8(x, -0x1.5555555555555p-3, 0x1.1111111111111p-7, -0x1.a01a01a01a01ap-13, 0x1.71de3a556c734p-19,           \
              -0x1.ae64567f544e4p-26, 0x1.6124613a86d09p-33, -0x1.ae7f3e733b81fp-41, 0x1.952c77030ad4ap-49)
#define COS_SERIES(x)                                                                                                  \
  POLYNOMIAL8(x, 0x1.5555555555555p-5, -0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-16, -0x1.27e4fb7789f5cp-22,          \
              0x1.1eed8eff8d898p-29, -0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-45, -0x1.6827863b97d97p-53)

#define BODY "math_body.clh"
#include "each_width.clh"
