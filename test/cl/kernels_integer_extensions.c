/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_extended_bit_ops, cl_khr_integer_dot_product: every function over scalars and vectors of every type, against
 * a reference that goes bit by bit. */
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl_ext.h>

#include "test_device.h"

enum { ITEMS = 256, RESULTS = 4, DOTS = 8 };

static cl_ulong random_state;

static cl_ulong next_random(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return random_state ^ random_state >> 29;
}

/** An integer type, by name, in bits. */
typedef struct type_t {
  const char *name;
  unsigned bits;
} type_t;

static const type_t types[] = {
    {"char", 8}, {"uchar", 8}, {"short", 16}, {"ushort", 16}, {"int", 32}, {"uint", 32}, {"long", 64}, {"ulong", 64},
};

static cl_ulong bit(cl_ulong value, unsigned at) { return value >> at & 1; }

static cl_ulong reference_insert(cl_ulong base, cl_ulong insert, unsigned offset, unsigned count, unsigned bits) {
  cl_ulong result = 0;
  for (unsigned i = 0; i < bits; i++) {
    const bool is_inserted = i >= offset && i < offset + count;
    result |= (is_inserted ? bit(insert, i - offset) : bit(base, i)) << i;
  }
  return result;
}

static cl_ulong reference_extract(cl_ulong base, unsigned offset, unsigned count, unsigned bits, bool is_signed) {
  cl_ulong result = 0;
  for (unsigned i = 0; i < bits && count; i++) {
    if (i < count) {
      result |= bit(base, offset + i) << i;
    } else if (is_signed) {
      result |= bit(base, offset + count - 1) << i;
    }
  }
  return result;
}

static cl_ulong reference_reverse(cl_ulong base, unsigned bits) {
  cl_ulong result = 0;
  for (unsigned i = 0; i < bits; i++) result |= bit(base, i) << (bits - 1 - i);
  return result;
}

static cl_ulong load(const unsigned char *array, size_t index, unsigned bits) {
  cl_ulong value = 0;
  memcpy(&value, array + index * (bits / 8), bits / 8); /* little-endian */
  return value;
}

/** What a work-item inserts and extracts. */
typedef struct field_t {
  cl_uint offset, count;
} field_t;

static void compare_bits(const type_t *type, unsigned width, const unsigned char *in, const field_t *fields,
                         const unsigned char *out) {
  const unsigned bits = type->bits;
  for (size_t i = 0; i < ITEMS; i++) {
    const field_t field = fields[i];
    for (size_t lane = i * width; lane < (i + 1) * width; lane++) {
      const cl_ulong base = load(in, lane, bits), insert = load(in, ITEMS * width - 1 - lane, bits);
      const cl_ulong expected[RESULTS] = {
          reference_insert(base, insert, field.offset, field.count, bits),
          reference_extract(base, field.offset, field.count, bits, true),
          reference_extract(base, field.offset, field.count, bits, false),
          reference_reverse(base, bits),
      };
      for (size_t r = 0; r < RESULTS; r++) {
        const cl_ulong got = load(out, r * ITEMS * width + lane, bits);
        if (got == expected[r]) continue;
        fail_msg("%s%u, result %zu, offset %u, count %u of %llx: %llx, not %llx", type->name, width, r, field.offset,
                 field.count, (unsigned long long)base, (unsigned long long)got, (unsigned long long)expected[r]);
      }
    }
  }
}

static cl_kernel bits_kernel(const type_t *type, unsigned width) {
  static const char *source =
      "kernel void bits(global const T *in, global const uint2 *fields, global T *out) {\n"
      "  size_t i = get_global_id(0), n = get_global_size(0);\n"
      "  T base = in[i], insert = BACKWARDS(in[n - 1 - i]);\n"
      "  uint offset = fields[i].x, count = fields[i].y;\n"
      "  out[i] = bitfield_insert(base, insert, offset, count);\n"
      "  out[n + i] = AS(bitfield_extract_signed(base, offset, count));\n"
      "  out[2 * n + i] = AS(bitfield_extract_unsigned(base, offset, count));\n"
      "  out[3 * n + i] = bit_reverse(base);\n"
      "}\n";
  char options[256], suffix[12] = "";
  if (width > 1) snprintf(suffix, sizeof(suffix), "%u", width);
  snprintf(options, sizeof(options), "-cl-std=CL3.0 -DT=%s%s -DAS=as_%s%s -DBACKWARDS(x)=%s", type->name, suffix,
           type->name, suffix, width == 1 ? "x" : "x.s3210");
  return test_kernel(source, options, "bits");
}

static void run_bits(const type_t *type, unsigned width) {
  const size_t size = (size_t)ITEMS * width * (type->bits / 8), items = ITEMS;
  static unsigned char in[ITEMS * 4 * 8], out[RESULTS * sizeof(in)];
  field_t fields[ITEMS];
  for (size_t i = 0; i < size; i++) in[i] = (unsigned char)next_random();
  for (size_t i = 0; i < ITEMS; i++) {
    fields[i].offset = (cl_uint)(next_random() % (type->bits + 1));
    fields[i].count = (cl_uint)(next_random() % (type->bits - fields[i].offset + 1));
  }
  fields[0] = (field_t){0, type->bits};
  fields[1] = (field_t){0, 0};
  fields[2] = (field_t){type->bits, 0};
  cl_kernel kernel = bits_kernel(type, width);
  cl_mem buffers[3] = {test_buffer(size, in), test_buffer(sizeof(fields), fields), test_buffer(size * RESULTS, NULL)};
  for (cl_uint i = 0; i < 3; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  test_read(buffers[2], size * RESULTS, out);
  compare_bits(type, width, in, fields, out);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

static bool has_extension(const char *name) {
  char names[8192] = "";
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_EXTENSIONS, sizeof(names), names, NULL));
  return strstr(names, name) != NULL;
}

static void extended_bit_operations(void **state) {
  (void)state;
  if (!has_extension("cl_khr_extended_bit_ops")) skip();
  random_state = 1;
  for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
    run_bits(&types[t], 1);
    run_bits(&types[t], 4);
  }
}

/** dot(a, b), each of four bytes that are signed or not. */
static cl_long reference_dot(cl_uint a, cl_uint b, bool a_signed, bool b_signed) {
  cl_long sum = 0;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned char x = (unsigned char)(a >> 8 * i), y = (unsigned char)(b >> 8 * i);
    sum += (a_signed ? (cl_long)(signed char)x : x) * (b_signed ? (cl_long)(signed char)y : y);
  }
  return sum;
}

static cl_uint saturate(cl_long value, bool is_signed) {
  const cl_long least = is_signed ? CL_INT_MIN : 0, greatest = is_signed ? CL_INT_MAX : (cl_long)CL_UINT_MAX;
  return (cl_uint)(value < least ? least : value > greatest ? greatest : value);
}

static const char dots_source[] =
    "#define BOTH(A, B, R, name, at) \\\n"
    "  out[at] = (uint)dot(as_##A##4(a), as_##B##4(b)); \\\n"
    "  out[at + 1] = (uint)dot_acc_sat(as_##A##4(a), as_##B##4(b), as_##R(c)); \\\n"
    "  out[at + 8] = (uint)dot_4x8packed_##name(a, b); \\\n"
    "  out[at + 9] = (uint)dot_acc_sat_4x8packed_##name(a, b, as_##R(c));\n"
    "kernel void dots(global const uint *in, global uint *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  uint a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];\n"
    "  out += 16 * i;\n"
    "  BOTH(uchar, uchar, uint, uu_uint, 0)\n"
    "  BOTH(char, char, int, ss_int, 2)\n"
    "  BOTH(uchar, char, int, us_int, 4)\n"
    "  BOTH(char, uchar, int, su_int, 6)\n"
    "}\n";

static void compare_dots(const cl_uint *in, const cl_uint *out) {
  static const bool a_signed[] = {false, true, false, true}, b_signed[] = {false, true, true, false};
  for (size_t i = 0; i < ITEMS; i++) {
    const cl_uint a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    for (int kind = 0; kind < 4; kind++) {
      const bool is_signed = a_signed[kind] || b_signed[kind];
      const cl_long sum = reference_dot(a, b, a_signed[kind], b_signed[kind]);
      const cl_uint accumulated = saturate(sum + (is_signed ? (cl_long)(cl_int)c : (cl_long)c), is_signed);
      for (int packed = 0; packed < 2; packed++) {
        assert_int_equal(out[16 * i + (size_t)(DOTS * packed + 2 * kind)], (cl_uint)sum);
        assert_int_equal(out[16 * i + (size_t)(DOTS * packed + 2 * kind + 1)], accumulated);
      }
    }
  }
}

static void integer_dot_products(void **state) {
  (void)state;
  if (!has_extension("cl_khr_integer_dot_product")) skip();
  const size_t items = ITEMS;
  cl_uint in[3 * ITEMS], out[2 * DOTS * ITEMS];
  random_state = 2;
  for (size_t i = 0; i < 3 * ITEMS; i++) in[i] = (cl_uint)next_random();
  const cl_uint extremes[] = {0x80808080u, 0x80808080u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
                              0xFFFFFFFFu, 0x7F7F7F7Fu, 0x80808080u, 0x80000000u};
  memcpy(in, extremes, sizeof(extremes));
  cl_kernel kernel = test_kernel(dots_source, "-cl-std=CL3.0", "dots");
  cl_mem source = test_buffer(sizeof(in), in), target = test_buffer(sizeof(out), NULL);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(source), &source));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(target), &target));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  test_read(target, sizeof(out), out);
  compare_dots(in, out);
  ASSERT_CL(clReleaseMemObject(source));
  ASSERT_CL(clReleaseMemObject(target));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void dot_products_agree_with_their_queries(void **state) {
  (void)state;
  if (!has_extension("cl_khr_integer_dot_product")) skip();
  cl_device_integer_dot_product_capabilities_khr capabilities = 0;
  cl_device_integer_dot_product_acceleration_properties_khr properties;
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, sizeof(capabilities),
                            &capabilities, NULL));
  assert_true(capabilities & CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR);
  assert_int_equal((capabilities & CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR) != 0,
                   test_device_has_feature("__opencl_c_integer_dot_product_input_4x8bit"));
  assert_true(test_device_has_feature("__opencl_c_integer_dot_product_input_4x8bit_packed"));
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                            sizeof(properties), &properties, NULL));
  ASSERT_CL(clGetDeviceInfo(dut.device, CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
                            sizeof(properties), &properties, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extended_bit_operations),
      cmocka_unit_test(integer_dot_products),
      cmocka_unit_test(dot_products_agree_with_their_queries),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
