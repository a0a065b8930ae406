/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The kernel test helper: a kernel, its inputs, its sizes and the output it must give, stated in one place.
 *
 *   const float in[64] = {...}, twice[64] = {...};
 *   kernel_case_run(&(kernel_case_t){
 *       .name = "scale",
 *       .source = "kernel void scale(global const float *in, global float *out, float by) {\n"
 *                 "  out[get_global_id(0)] = in[get_global_id(0)] * by;\n"
 *                 "}\n",
 *       .global = {64},
 *       .args = {KERNEL_IN(in), KERNEL_OUT(twice), KERNEL_VALUE(cl_float, 2.0f)},
 *   });
 *
 * A kernel whose result depends on its work-group size states `.local` and runs with that one. Every other kernel runs
 * several times: the size left to the driver, 1, a power of two, odd sizes (which do not divide the range where the
 * language allows it), and the whole range as one work-group where the device allows that.
 *
 * Buffers that are only written start with a pattern, and every buffer is followed by a guard that must stay intact.
 * The first difference fails the test, naming the case, the local size, the argument and the element. */
#ifndef SUPPORT_KERNEL_CASE_H
#define SUPPORT_KERNEL_CASE_H

#include "test_device.h"

#define KERNEL_CASE_MAX_ARGS 12

typedef enum kernel_arg_kind_t {
  KERNEL_ARG_NONE,
  KERNEL_ARG_BUFFER,
  KERNEL_ARG_VALUE,
  KERNEL_ARG_LOCAL
} kernel_arg_kind_t;

/** How elements of an expected output are compared and printed. The last two compare what the kernel wrote (float,
 * double) with a reference of higher precision (double, long double), in units of the last place. */
typedef enum kernel_element_t {
  KERNEL_I8,
  KERNEL_I16,
  KERNEL_I32,
  KERNEL_I64,
  KERNEL_U8,
  KERNEL_U16,
  KERNEL_U32,
  KERNEL_U64,
  KERNEL_F32,
  KERNEL_F64,
  KERNEL_F32_BY_F64,
  KERNEL_F64_BY_LONG,
} kernel_element_t;

/** One argument; made by the macros below. */
typedef struct kernel_arg_t {
  kernel_arg_kind_t kind;
  kernel_element_t element;
  size_t size;          /**< in bytes: of the buffer, the value or the local memory */
  const void *initial;  /**< the buffer's first contents, or the value */
  const void *expected; /**< the buffer's contents after the run; null: not looked at */
} kernel_arg_t;

#define KERNEL_ELEMENT_OF(array) \
  _Generic((array)[0],           \
      cl_char: KERNEL_I8,        \
      cl_short: KERNEL_I16,      \
      cl_int: KERNEL_I32,        \
      cl_long: KERNEL_I64,       \
      cl_uchar: KERNEL_U8,       \
      cl_ushort: KERNEL_U16,     \
      cl_uint: KERNEL_U32,       \
      cl_ulong: KERNEL_U64,      \
      cl_float: KERNEL_F32,      \
      cl_double: KERNEL_F64)

/** A buffer the kernel reads. */
#define KERNEL_IN(array) {.kind = KERNEL_ARG_BUFFER, .size = sizeof(array), .initial = (array)}
/** A buffer the kernel writes whole; it must end up as `array`, an array of an OpenCL scalar type. */
#define KERNEL_OUT(array) \
  {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_ELEMENT_OF(array), .size = sizeof(array), .expected = (array)}
/** A buffer that starts as `before` and must end up as `after`. */
#define KERNEL_INOUT(before, after)     \
  {.kind = KERNEL_ARG_BUFFER,           \
   .element = KERNEL_ELEMENT_OF(after), \
   .size = sizeof(after),               \
   .initial = (before),                 \
   .expected = (after)}
/** Buffers of floats (doubles) compared with an array of doubles (long doubles) within the case's `ulp`. */
#define KERNEL_OUT_FLOATS(doubles) \
  {.kind = KERNEL_ARG_BUFFER, .element = KERNEL_F32_BY_F64, .size = sizeof(doubles) / 2, .expected = (doubles)}
#define KERNEL_OUT_DOUBLES(long_doubles)                                   \
  {.kind = KERNEL_ARG_BUFFER,                                              \
   .element = KERNEL_F64_BY_LONG,                                          \
   .size = sizeof(long_doubles) / sizeof(long double) * sizeof(cl_double), \
   .expected = (long_doubles)}
/** An argument passed by value: KERNEL_VALUE(cl_int, 3), KERNEL_VALUE(cl_float4, .s = {1, 2, 3, 4}). */
#define KERNEL_VALUE(type, ...)                                                              \
  {                                                                                          \
    .kind = KERNEL_ARG_VALUE, .size = sizeof(type), .initial = &(const type) { __VA_ARGS__ } \
  }
/** `bytes` of local memory. */
#define KERNEL_LOCAL(bytes) {.kind = KERNEL_ARG_LOCAL, .size = (bytes)}

typedef struct kernel_case_t {
  const char *name;   /**< names the case in messages */
  const char *kernel; /**< the kernel's name in the source; null: the case's name */
  const char *source;
  const char *options; /**< null: "-cl-std=CL3.0" */
  size_t global[3];    /**< the range; trailing zeros: fewer dimensions */
  size_t offset[3];
  size_t local[3]; /**< zeros: the result must not depend on it, and several are tried */
  kernel_arg_t args[KERNEL_CASE_MAX_ARGS];
  double ulp; /**< allowed error of floating-point outputs; 0: equal (NaN equals NaN) */
} kernel_case_t;

/** Runs the case; the test fails at the first difference. */
void kernel_case_run(const kernel_case_t *kernel_case);

/** The error of `actual` in units of the last place of `expected` rounded to the type. Infinite where one is NaN or
 * infinite and the other is not the same; 0 for a zero or denormal result flushed where the device may. */
double test_ulp_error_float(float actual, double expected);
double test_ulp_error_double(double actual, long double expected);

#endif
