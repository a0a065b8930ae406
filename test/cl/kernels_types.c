/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: vector types, swizzles, vload and vstore, conversions, structs by value. */
#include "kernel_case.h"
#include "test_il.h"

enum { ITEMS = 48 };

static void swizzles_read_and_write_components(void **state) {
  (void)state;
  cl_float in[ITEMS * 4], out[ITEMS * 4];
  for (int i = 0; i < ITEMS * 4; i++) in[i] = (cl_float)i * 0.5f;
  for (int i = 0; i < ITEMS; i++) {
    const cl_float *v = in + 4 * i;
    const cl_float r[4] = {v[3] + 1, v[2] + v[0], v[1] * 2, v[0] - v[3]};
    memcpy(out + 4 * i, r, sizeof(r));
  }
  kernel_case_run(&(kernel_case_t){
      .name = "swizzle",
      .source = "kernel void swizzle(global const float4 *in, global float4 *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  float4 v = in[i], r;\n"
                "  r.xy = v.wz + (float2)(1.0f, v.s0);\n"
                "  r.hi = (float2)(v.y * 2, v.x - v.w);\n"
                "  out[i].wzyx = r.s3210;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

static void wide_vectors_add_by_halves_evens_and_odds(void **state) {
  (void)state;
  cl_int in[ITEMS * 16], out[ITEMS];
  for (int i = 0; i < ITEMS * 16; i++) in[i] = (i * 31) % 97;
  for (int i = 0; i < ITEMS; i++) {
    out[i] = 0;
    for (int k = 0; k < 16; k++) out[i] += in[16 * i + k] * (k % 2 == 0 ? 1 : 3) * (k < 8 ? 1 : 2);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "fold",
      .source = "kernel void fold(global const int16 *in, global int *out) {\n"
                "  int16 v = in[get_global_id(0)];\n"
                "  int8 h = v.lo + 2 * v.hi;\n"
                "  int4 q = h.even + 3 * h.odd;\n"
                "  int2 p = q.lo + q.hi;\n"
                "  out[get_global_id(0)] = p.x + p.y;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

static void vectors_of_three_occupy_four_and_load_packed(void **state) {
  (void)state;
  cl_float packed[ITEMS * 3], padded[ITEMS * 4], sums[ITEMS * 3];
  for (int i = 0; i < ITEMS * 4; i++) padded[i] = (cl_float)i;
  for (int i = 0; i < ITEMS * 3; i++) {
    packed[i] = (cl_float)(i * i % 50);
    sums[i] = packed[i] + padded[i / 3 * 4 + i % 3];
  }
  kernel_case_run(&(kernel_case_t){
      .name = "threes",
      .source = "kernel void threes(global const float *packed, global const float3 *padded, global float *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  float3 sum = vload3(i, packed) + padded[i];\n"
                "  vstore3(sum, i, out);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(packed), KERNEL_IN(padded), KERNEL_OUT(sums)},
  });
}

static void vload_and_vstore_need_only_element_alignment(void **state) {
  (void)state;
  cl_short in[ITEMS * 8 + 1], out[ITEMS * 8 + 1];
  for (int i = 0; i < ITEMS * 8 + 1; i++) in[i] = (cl_short)(i * 3);
  cl_short before[ITEMS * 8 + 1] = {0};
  out[0] = 0;
  for (int i = 1; i < ITEMS * 8 + 1; i++) out[i] = (cl_short)(in[i] + 1);
  kernel_case_run(&(kernel_case_t){
      .name = "unaligned",
      .source = "kernel void unaligned(global const short *in, global short *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  vstore8(vload8(i, in + 1) + (short8)(1), i, out + 1);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_INOUT(before, out)},
  });
}

static void comparisons_give_minus_one_and_select_chooses(void **state) {
  (void)state;
  cl_int in[ITEMS * 4], out[ITEMS * 4], masks[ITEMS * 4];
  for (int i = 0; i < ITEMS * 4; i++) {
    in[i] = (i * 7) % 20 - 10;
    masks[i] = in[i] > 0 ? -1 : 0;
    out[i] = in[i] > 0 ? in[i] : 100 - in[i];
  }
  kernel_case_run(&(kernel_case_t){
      .name = "masks",
      .source = "kernel void masks(global const int4 *in, global int4 *masks, global int4 *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  int4 v = in[i], m = v > 0;\n"
                "  masks[i] = m;\n"
                "  int4 chosen = select(100 - v, v, m), ternary = m ? v : 100 - v;\n"
                "  out[i] = any(chosen != ternary) ? (int4)(-1) : chosen;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_OUT(masks), KERNEL_OUT(out)},
  });
}

static void shuffles_take_components_by_index(void **state) {
  (void)state;
  cl_uint in[ITEMS * 4], out[ITEMS * 4], two[ITEMS * 4];
  for (cl_uint i = 0; i < ITEMS * 4; i++) in[i] = i * 5 + 1;
  for (cl_uint i = 0; i < ITEMS; i++) {
    for (cl_uint k = 0; k < 4; k++) {
      const cl_uint index = (i + k * 3) % 8;
      out[4 * i + k] = in[4 * i + index % 4];
      two[4 * i + k] = index < 4 ? in[4 * i + index] : in[4 * i + index - 4] + 1000;
    }
  }
  kernel_case_run(&(kernel_case_t){
      .name = "shuffles",
      .source = "kernel void shuffles(global const uint4 *in, global uint4 *out, global uint4 *two) {\n"
                "  uint i = get_global_id(0);\n"
                "  uint4 index = (i + (uint4)(0, 3, 6, 9)) % 8;\n"
                "  out[i] = shuffle(in[i], index);\n"
                "  two[i] = shuffle2(in[i], in[i] + 1000, index);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_OUT(out), KERNEL_OUT(two)},
  });
}

static void conversions_saturate_and_round_as_named(void **state) {
  (void)state;
  const cl_float in[8] = {-300.7f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 254.6f, 1e9f};
  const cl_uchar saturated[8] = {0, 0, 0, 0, 2, 2, 255, 255};
  const cl_int down[8] = {-301, -2, -1, 0, 1, 2, 254, 1000000000}, up[8] = {-300, -1, 0, 1, 2, 3, 255, 1000000000};
  const cl_int zero[8] = {-300, -1, 0, 0, 1, 2, 254, 1000000000}, even[8] = {-301, -2, 0, 0, 2, 2, 255, 1000000000};
  kernel_case_run(&(kernel_case_t){
      .name = "converts",
      .source = "kernel void converts(global const float *in, global uchar *sat, global int *down, global int *up,\n"
                "                     global int *zero, global int *even) {\n"
                "  size_t i = get_global_id(0);\n"
                "  sat[i] = convert_uchar_sat_rte(in[i]);\n"
                "  down[i] = convert_int_rtn(in[i]); up[i] = convert_int_rtp(in[i]);\n"
                "  zero[i] = convert_int(in[i]); even[i] = convert_int_rte(in[i]);\n"
                "}\n",
      .global = {8},
      .args = {KERNEL_IN(in), KERNEL_OUT(saturated), KERNEL_OUT(down), KERNEL_OUT(up), KERNEL_OUT(zero),
               KERNEL_OUT(even)},
  });
}

static void vectors_convert_componentwise(void **state) {
  (void)state;
  SKIP_WITH_IL("Clang 22 takes what a vector's saturating conversion comes from for unsigned");
  cl_short in[ITEMS * 4];
  cl_float floats[ITEMS * 4];
  cl_char chars[ITEMS * 4];
  for (int i = 0; i < ITEMS * 4; i++) {
    in[i] = (cl_short)((i * 37) % 400 - 200);
    floats[i] = (cl_float)in[i];
    chars[i] = (cl_char)(in[i] > 127 ? 127 : in[i] < -128 ? -128 : in[i]);
  }
  kernel_case_run(&(kernel_case_t){
      .name = "convert_vectors",
      .source = "kernel void convert_vectors(global const short4 *in, global float4 *floats, global char4 *chars) {\n"
                "  size_t i = get_global_id(0);\n"
                "  floats[i] = convert_float4(in[i]);\n"
                "  chars[i] = convert_char4_sat(in[i]);\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_IN(in), KERNEL_OUT(floats), KERNEL_OUT(chars)},
  });
}

static void bits_are_reinterpreted_by_as_type(void **state) {
  (void)state;
  const cl_float in[4] = {1.0f, -2.0f, 0.0f, 0.1f};
  const cl_uint out[4] = {0x3F800000, 0xC0000000, 0, 0x3DCCCCCD};
  kernel_case_run(&(kernel_case_t){
      .name = "bits",
      .source = "kernel void bits(global const float *in, global uint *out) {\n"
                "  size_t i = get_global_id(0);\n"
                "  uchar4 bytes = as_uchar4(in[i]);\n"
                "  out[i] = as_uint(bytes) == as_uint(in[i]) ? as_uint(in[i]) : 77;\n"
                "}\n",
      .global = {4},
      .args = {KERNEL_IN(in), KERNEL_OUT(out)},
  });
}

typedef struct material_t {
  cl_char kind;
  cl_float4 colour;
  cl_int counts[3];
  struct {
    cl_short low, high;
  } range;
} material_t;

static void structs_pass_by_value_and_in_buffers(void **state) {
  (void)state;
  material_t given[8];
  cl_float out[8];
  memset(given, 0, sizeof(given));
  for (int i = 0; i < 8; i++) {
    given[i] = (material_t){(cl_char)i, {.s = {1, 2, (cl_float)i, 4}}, {i, i + 1, i + 2}, {(cl_short)-i, (cl_short)i}};
    out[i] = (cl_float)(i + i + (i + 2) - -i) + 3 + 0.5f + 9 + 300;
  }
  kernel_case_run(&(kernel_case_t){
      .name = "structs",
      .source =
          "typedef struct { char kind; float4 colour; int counts[3]; struct { short low, high; } range; } material_t;\n"
          "float weigh(material_t m) { return m.colour.y + m.range.high + m.counts[2]; }\n"
          "kernel void structs(global const material_t *in, global float *out, material_t extra) {\n"
          "  material_t m = in[get_global_id(0)];\n"
          "  out[get_global_id(0)] = m.kind + m.colour.z + m.counts[2] - m.range.low + extra.kind +\n"
          "      extra.colour.w + weigh(extra);\n"
          "}\n",
      .global = {8},
      .args = {KERNEL_IN(given), KERNEL_OUT(out),
               KERNEL_VALUE(material_t, 3, {.s = {0, 4, 0, 0.5f}}, {0, 0, 5}, {0, 300})},
  });
}

static void unions_and_arrays_of_structs_work(void **state) {
  (void)state;
  cl_uint out[ITEMS];
  for (cl_uint i = 0; i < ITEMS; i++) out[i] = (0x3F800000u ^ i) + i * 3 + (i + 1) * 3;
  kernel_case_run(&(kernel_case_t){
      .name = "unions",
      .source = "typedef union { float f; uint u; } both_t;\n"
                "typedef struct { uint a, b; } pair_t;\n"
                "kernel void unions(global uint *out) {\n"
                "  uint i = get_global_id(0);\n"
                "  both_t x; x.f = 1.0f;\n"
                "  pair_t pairs[4];\n"
                "  for (uint k = 0; k < 4; k++) { pairs[k].a = i * k; pairs[k].b = (i + 1) * k; }\n"
                "  pair_t copy = pairs[3];\n"
                "  out[i] = (x.u ^ i) + copy.a + copy.b;\n"
                "}\n",
      .global = {ITEMS},
      .args = {KERNEL_OUT(out)},
  });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(swizzles_read_and_write_components),
      cmocka_unit_test(wide_vectors_add_by_halves_evens_and_odds),
      cmocka_unit_test(vectors_of_three_occupy_four_and_load_packed),
      cmocka_unit_test(vload_and_vstore_need_only_element_alignment),
      cmocka_unit_test(comparisons_give_minus_one_and_select_chooses),
      cmocka_unit_test(shuffles_take_components_by_index),
      cmocka_unit_test(conversions_saturate_and_round_as_named),
      cmocka_unit_test(vectors_convert_componentwise),
      cmocka_unit_test(bits_are_reinterpreted_by_as_type),
      cmocka_unit_test(structs_pass_by_value_and_in_buffers),
      cmocka_unit_test(unions_and_arrays_of_structs_work),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
