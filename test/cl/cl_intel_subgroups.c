/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_intel_subgroups and its kin for long, short and char: shuffles of every type, blocks of buffers and images,
 * reductions and scans of short types, in the versions of OpenCL C that have sub-groups by no other extension. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"
#include "test_il.h"

enum { items = 32, size = 8, width = 16, height = 6 };

#define KERNEL "__attribute__((intel_reqd_sub_group_size(8))) kernel void "

/** Shuffles of T, whose components are E. */
static const char shuffles[] = KERNEL
    "shuffles(global const T *in, global T *out) {\n"
    "  const size_t i = get_global_id(0), n = get_global_size(0);\n"
    "  const uint own = get_sub_group_local_id();\n"
    "  const T value = in[i], other = value + (E)100;\n"
    "  out[i] = intel_sub_group_shuffle(value, 7 - own);\n"
    "  out[n + i] = intel_sub_group_shuffle_xor(value, 3);\n"
    "  out[2 * n + i] = intel_sub_group_shuffle_up(other, value, 3);\n"
    "  out[3 * n + i] = intel_sub_group_shuffle_down(value, other, 2);\n"
    "  out[4 * n + i] = sub_group_broadcast(in[i - own], 0) == in[i - own] ? value : 0;\n"
    "}\n";

static const char vector_shuffles[] = KERNEL
    "shuffles(global const E *in, global E *out) {\n"
    "  const size_t i = get_global_id(0), n = get_global_size(0);\n"
    "  const uint own = get_sub_group_local_id();\n"
    "  const T value = (T)in[i], other = value + (E)100;\n"
    "  out[i] = intel_sub_group_shuffle(value, 7 - own).s1;\n"
    "  out[n + i] = intel_sub_group_shuffle_xor(value, 3).s1;\n"
    "  out[2 * n + i] = intel_sub_group_shuffle_up(other, value, 3).s0;\n"
    "  out[3 * n + i] = intel_sub_group_shuffle_down(value, other, 2).s1;\n"
    "  out[4 * n + i] = value.s1;\n"
    "}\n";

static cl_kernel kernel_with_buffers(cl_program program, const char *name, cl_mem in, cl_mem out) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(in), &in));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(out), &out));
  return kernel;
}

static void run(cl_kernel kernel, size_t count) {
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseKernel(kernel));
}

/** The expected results of a type, made from a double. */
#define CHECK_SHUFFLES(type)                                                                        \
  do {                                                                                              \
    type in[items], out[5 * items];                                                                 \
    for (int i = 0; i < items; i++) in[i] = (type)(i * 3 % 17);                                     \
    cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(out), NULL)};               \
    run(kernel_with_buffers(program, "shuffles", buffers[0], buffers[1]), items);                   \
    test_read(buffers[1], sizeof(out), out);                                                        \
    for (int i = 0; i < items; i++) {                                                               \
      const int lane = i % size, first = i - lane;                                                  \
      assert_true(out[i] == in[first + 7 - lane]);                                                  \
      assert_true(out[items + i] == in[first + (lane ^ 3)]);                                        \
      assert_true(out[2 * items + i] == (type)(lane < 3 ? in[first + lane + 5] + 100 : in[i - 3])); \
      assert_true(out[3 * items + i] == (type)(lane < 6 ? in[i + 2] : in[first + lane - 6] + 100)); \
      assert_true(out[4 * items + i] == in[i]);                                                     \
    }                                                                                               \
    ASSERT_CL(clReleaseMemObject(buffers[0]));                                                      \
    ASSERT_CL(clReleaseMemObject(buffers[1]));                                                      \
    ASSERT_CL(clReleaseProgram(program));                                                           \
  } while (0)

static cl_program build(const char *source, const char *version, const char *type, const char *element) {
  char options[128];
  snprintf(options, sizeof(options), "-cl-std=%s -DT=%s -DE=%s", version, type, element);
  return test_program(source, options);
}

static void shuffles_every_type(void **state) {
  (void)state;
  cl_program program = build(shuffles, "CL3.0", "int", "int");
  CHECK_SHUFFLES(cl_int);
  program = build(shuffles, "CL1.2", "uint", "uint");
  CHECK_SHUFFLES(cl_uint);
  program = build(shuffles, "CL2.0", "float", "float");
  CHECK_SHUFFLES(cl_float);
  program = build(shuffles, "CL3.0", "long", "long");
  CHECK_SHUFFLES(cl_long);
  program = build(shuffles, "CL1.2", "ulong", "ulong");
  CHECK_SHUFFLES(cl_ulong);
  program = build(shuffles, "CL3.0", "double", "double");
  CHECK_SHUFFLES(cl_double);
  program = build(shuffles, "CL1.2", "short", "short");
  CHECK_SHUFFLES(cl_short);
  program = build(shuffles, "CL2.0", "ushort", "ushort");
  CHECK_SHUFFLES(cl_ushort);
  program = build(shuffles, "CL3.0", "char", "char");
  CHECK_SHUFFLES(cl_char);
  program = build(shuffles, "CL1.2", "uchar", "uchar");
  CHECK_SHUFFLES(cl_uchar);
  static const char *const vectors[] = {"2", "3", "4", "8", "16"};
  for (int i = 0; i < 5; i++) {
    char type[16];
    snprintf(type, sizeof(type), "int%s", vectors[i]);
    program = build(vector_shuffles, "CL2.0", type, "int");
    CHECK_SHUFFLES(cl_int);
    snprintf(type, sizeof(type), "uint%s", vectors[i]);
    program = build(vector_shuffles, "CL3.0", type, "uint");
    CHECK_SHUFFLES(cl_uint);
    snprintf(type, sizeof(type), "float%s", vectors[i]);
    program = build(vector_shuffles, "CL1.2", type, "float");
    CHECK_SHUFFLES(cl_float);
    snprintf(type, sizeof(type), "short%s", vectors[i]);
    program = build(vector_shuffles, "CL1.2", type, "short");
    CHECK_SHUFFLES(cl_short);
    snprintf(type, sizeof(type), "uchar%s", vectors[i]);
    program = build(vector_shuffles, "CL3.0", type, "uchar");
    CHECK_SHUFFLES(cl_uchar);
  }
}

/** Two sub-groups copy 8 * COUNT elements each, and then each component is one more than it was. */
static const char blocks[] =
    "#define CAT_(a, b) a##b\n"
    "#define CAT(a, b) CAT_(a, b)\n" KERNEL
    "copy(global const E *in, global E *out) {\n"
    "  const size_t first = get_sub_group_id() * 8 * COUNT;\n"
    "  CAT(intel_sub_group_block_write, NAME)(out + first, CAT(intel_sub_group_block_read, NAME)(in + first) + (E)1);\n"
    "}\n" KERNEL
    "spread(global const E *in, global T *out) {\n"
    "  out[get_global_id(0)] = CAT(intel_sub_group_block_read, NAME)(in + get_sub_group_id() * 8 * COUNT);\n"
    "}\n";

static cl_ulong load(const cl_uchar *array, int index, size_t bytes) {
  cl_ulong value = 0;
  memcpy(&value, array + (size_t)index * bytes, bytes);
  return value;
}

/** `bytes` of an element. */
static void check_blocks(const char *type, const char *element, const char *name, int count, size_t bytes) {
  char options[160];
  cl_uchar in[1024], out[1024];
  const int total = 2 * size * count;
  const size_t length = (size_t)total * bytes;
  const cl_ulong mask = ~(cl_ulong)0 >> (64 - 8 * bytes);
  for (int i = 0; i < total; i++) {
    const cl_ulong value = (cl_ulong)i * 0x010000070003u + 5;
    memcpy(in + (size_t)i * bytes, &value, bytes);
  }
  snprintf(options, sizeof(options), "-cl-std=CL1.2 -DT=%s -DE=%s -DNAME=%s -DCOUNT=%d", type, element, name, count);
  cl_program program = test_program(blocks, options);
  cl_mem buffers[] = {test_buffer(length, in), test_buffer(length, NULL)};
  run(kernel_with_buffers(program, "copy", buffers[0], buffers[1]), 2 * size);
  test_read(buffers[1], length, out);
  for (int i = 0; i < total; i++) assert_true(load(out, i, bytes) == ((load(in, i, bytes) + 1) & mask));
  run(kernel_with_buffers(program, "spread", buffers[0], buffers[1]), 2 * size);
  test_read(buffers[1], length, out);
  for (int i = 0; i < total; i++) {
    const int item = i / count, component = i % count;
    const int from = (item / size * count + component) * size + item % size;
    assert_true(load(out, i, bytes) == load(in, from, bytes));
  }
  ASSERT_CL(clReleaseMemObject(buffers[0]));
  ASSERT_CL(clReleaseMemObject(buffers[1]));
  ASSERT_CL(clReleaseProgram(program));
}

static void moves_blocks_of_buffers(void **state) {
  (void)state;
  check_blocks("uint", "uint", "", 1, 4);
  check_blocks("uint2", "uint", "2", 2, 4);
  check_blocks("uint4", "uint", "4", 4, 4);
  check_blocks("uint8", "uint", "8", 8, 4);
  check_blocks("uint4", "uint", "_ui4", 4, 4);
  check_blocks("ulong", "ulong", "_ul", 1, 8);
  check_blocks("ulong2", "ulong", "_ul2", 2, 8);
  check_blocks("ulong4", "ulong", "_ul4", 4, 8);
  check_blocks("ulong8", "ulong", "_ul8", 8, 8);
  static const int counts[] = {1, 2, 4, 8, 16};
  for (int i = 0; i < 5; i++) {
    char number[12] = "", type[24], name[24];
    if (counts[i] > 1) snprintf(number, sizeof(number), "%d", counts[i]);
    snprintf(type, sizeof(type), "ushort%s", number);
    snprintf(name, sizeof(name), "_us%s", number);
    check_blocks(type, "ushort", name, counts[i], 2);
    snprintf(type, sizeof(type), "uchar%s", number);
    snprintf(name, sizeof(name), "_uc%s", number);
    check_blocks(type, "uchar", name, counts[i], 1);
  }
}

/** Reductions and scans have names of their own for short types. */
static const char arithmetic[] = KERNEL
    "combine(global const T *in, global T *out) {\n"
    "  const size_t i = get_global_id(0), n = get_global_size(0);\n"
    "  const T x = in[i];\n"
    "  out[i] = intel_sub_group_reduce_add(x);\n"
    "  out[n + i] = intel_sub_group_reduce_min(x);\n"
    "  out[2 * n + i] = intel_sub_group_reduce_max(x);\n"
    "  out[3 * n + i] = intel_sub_group_scan_inclusive_add(x);\n"
    "  out[4 * n + i] = intel_sub_group_scan_inclusive_min(x);\n"
    "  out[5 * n + i] = intel_sub_group_scan_inclusive_max(x);\n"
    "  out[6 * n + i] = intel_sub_group_scan_exclusive_add(x);\n"
    "  out[7 * n + i] = intel_sub_group_scan_exclusive_min(x);\n"
    "  out[8 * n + i] = intel_sub_group_scan_exclusive_max(x);\n"
    "  out[9 * n + i] = intel_sub_group_broadcast(x, 5);\n"
    "}\n";

#define CHECK_ARITHMETIC(name, type, least_value, greatest_value)                                \
  do {                                                                                           \
    type in[items], out[10 * items];                                                             \
    cl_program program = build(arithmetic, "CL1.2", name, name);                                 \
    for (int i = 0; i < items; i++) in[i] = (type)(i * 12347 + 93);                              \
    cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(sizeof(out), NULL)};            \
    run(kernel_with_buffers(program, "combine", buffers[0], buffers[1]), items);                 \
    test_read(buffers[1], sizeof(out), out);                                                     \
    type sum = 0, least = 0, greatest = 0;                                                       \
    for (int i = 0; i < items; i++) {                                                            \
      if (i % size == 0) sum = 0, least = (greatest_value), greatest = (least_value);            \
      assert_true(out[6 * items + i] == sum && out[7 * items + i] == least);                     \
      assert_true(out[8 * items + i] == greatest && out[9 * items + i] == in[i - i % size + 5]); \
      sum = (type)(sum + in[i]);                                                                 \
      least = in[i] < least ? in[i] : least;                                                     \
      greatest = in[i] > greatest ? in[i] : greatest;                                            \
      assert_true(out[3 * items + i] == sum && out[4 * items + i] == least);                     \
      assert_true(out[5 * items + i] == greatest);                                               \
      for (int lane = 0; i % size == size - 1 && lane < size; lane++) {                          \
        assert_true(out[i - lane] == sum && out[items + i - lane] == least);                     \
        assert_true(out[2 * items + i - lane] == greatest);                                      \
      }                                                                                          \
    }                                                                                            \
    ASSERT_CL(clReleaseMemObject(buffers[0]));                                                   \
    ASSERT_CL(clReleaseMemObject(buffers[1]));                                                   \
    ASSERT_CL(clReleaseProgram(program));                                                        \
  } while (0)

static void combines_short_types(void **state) {
  (void)state;
  CHECK_ARITHMETIC("short", cl_short, CL_SHRT_MIN, CL_SHRT_MAX);
  CHECK_ARITHMETIC("ushort", cl_ushort, 0, CL_USHRT_MAX);
  CHECK_ARITHMETIC("char", cl_char, CL_CHAR_MIN, CL_CHAR_MAX);
  CHECK_ARITHMETIC("uchar", cl_uchar, 0, CL_UCHAR_MAX);
}

/** Reads at a place given in bytes and rows, and writes the same there. */
static const char images[] = KERNEL
    "fetch(read_only image2d_t image, global uint4 *out, int2 place) {\n"
    "  out[get_global_id(0)] = intel_sub_group_block_read4(image, place);\n"
    "}\n" KERNEL
    "put(write_only image2d_t image, global const uint4 *in, int2 place) {\n"
    "  intel_sub_group_block_write4(image, place, in[get_global_id(0)]);\n"
    "}\n" KERNEL
    "fetch_long(read_only image2d_t image, global ulong2 *out, int2 place) {\n"
    "  out[get_global_id(0)] = intel_sub_group_block_read_ul2(image, place);\n"
    "}\n" KERNEL
    "fetch_short(read_only image2d_t image, global ushort8 *out, int2 place) {\n"
    "  out[get_global_id(0)] = intel_sub_group_block_read_us8(image, place);\n"
    "}\n" KERNEL
    "fetch_char(read_only image2d_t image, global uchar16 *out, int2 place) {\n"
    "  out[get_global_id(0)] = intel_sub_group_block_read_uc16(image, place);\n"
    "}\n" KERNEL
    "put_short(write_only image2d_t image, global const ushort8 *in, int2 place) {\n"
    "  intel_sub_group_block_write_us8(image, place, in[get_global_id(0)]);\n"
    "}\n" KERNEL
    "put_char(write_only image2d_t image, global const uchar16 *in, int2 place) {\n"
    "  intel_sub_group_block_write_uc16(image, place, in[get_global_id(0)]);\n"
    "}\n";

static int clamped(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

static cl_mem make_image(const cl_uchar *pixels, cl_channel_type type) {
  cl_int error;
  const cl_image_format format = {CL_R, type};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = type == CL_UNSIGNED_INT8 ? 4 * width : width,
                              .image_height = height};
  cl_mem image = clCreateImage(dut.context, CL_MEM_COPY_HOST_PTR, &format, &desc, (void *)(size_t)pixels, &error);
  ASSERT_CL(error);
  return image;
}

static void run_on_image(cl_program program, const char *name, cl_mem image, cl_mem buffer, int x, int y) {
  cl_kernel kernel = kernel_with_buffers(program, name, image, buffer);
  const cl_int2 place = {{x, y}};
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(place), &place));
  run(kernel, size);
}

/** Blocks inside of the image, and beyond each of its edges, where they are clamped. */
static void check_image(cl_program program, cl_channel_type type) {
  static const int places[][2] = {{0, 0}, {8, 1}, {32, 2}, {40, 1}, {-12, 0}, {0, 4}, {0, -2}, {56, 5}};
  cl_uint pixels[height][width], fetched[size][4];
  for (int i = 0; i < width * height; i++) pixels[i / width][i % width] = (cl_uint)i * 0x1010305u;
  cl_mem image = make_image((const cl_uchar *)pixels, type), buffer = test_buffer(sizeof(fetched), NULL);
  for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
    const int x = places[p][0] / 4, y = places[p][1];
    run_on_image(program, "fetch", image, buffer, places[p][0], y);
    test_read(buffer, sizeof(fetched), fetched);
    for (int lane = 0; lane < size; lane++) {
      for (int row = 0; row < 4; row++) {
        assert_int_equal(fetched[lane][row], pixels[clamped(y + row, height - 1)][clamped(x + lane, width - 1)]);
      }
    }
  }
  run_on_image(program, "fetch_long", image, buffer, 0, 2);
  test_read(buffer, sizeof(fetched), fetched);
  for (int lane = 0; lane < size; lane++) {
    for (int part = 0; part < 4; part++) {
      assert_int_equal(fetched[lane][part], pixels[2 + part / 2][2 * lane + part % 2]);
    }
  }
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
}

static void check_image_writes(cl_program program) {
  static const int places[][2] = {{0, 0}, {16, 1}, {40, 0}, {-8, 2}, {4, 4}, {8, -1}};
  cl_uint pixels[height][width], values[size][4], written[height][width];
  for (int i = 0; i < size * 4; i++) values[i / 4][i % 4] = 1000 + (cl_uint)i;
  cl_mem buffer = test_buffer(sizeof(values), values);
  for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
    const size_t origin[3] = {0}, region[3] = {width, height, 1};
    for (int i = 0; i < width * height; i++) pixels[i / width][i % width] = (cl_uint)i;
    cl_mem image = make_image((const cl_uchar *)pixels, CL_UNSIGNED_INT32);
    run_on_image(program, "put", image, buffer, places[p][0], places[p][1]);
    for (int i = 0; i < size * 4; i++) {
      const int x = places[p][0] / 4 + i / 4, y = places[p][1] + i % 4;
      if (x >= 0 && x < width && y >= 0 && y < height) pixels[y][x] = values[i / 4][i % 4];
    }
    ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, written, 0, NULL, NULL));
    assert_memory_equal(written, pixels, sizeof(pixels));
    ASSERT_CL(clReleaseMemObject(image));
  }
  ASSERT_CL(clReleaseMemObject(buffer));
}

/** Sixteen bytes of each work-item: as 8 rows of short elements, or 16 of bytes. The image has as many rows. */
static void check_short_images(cl_program program, const char *name, size_t bytes, bool writes) {
  enum { row_bytes = 32, rows = 16 };
  static cl_uchar pixels[rows][row_bytes], values[size][16], written[rows][row_bytes];
  const size_t origin[3] = {0}, region[3] = {row_bytes, rows, 1};
  for (int i = 0; i < rows * row_bytes; i++) pixels[i / row_bytes][i % row_bytes] = (cl_uchar)(i * 7 + i / 256);
  for (int i = 0; i < size * 16; i++) values[i / 16][i % 16] = (cl_uchar)(i * 5 + 1);
  cl_int error;
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = row_bytes, .image_height = rows};
  cl_mem image = clCreateImage(dut.context, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &error);
  ASSERT_CL(error);
  cl_mem buffer = test_buffer(sizeof(values), values);
  run_on_image(program, name, image, buffer, 4, 0);
  test_read(buffer, sizeof(values), values);
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, written, 0, NULL, NULL));
  for (int lane = 0; lane < size; lane++) {
    for (size_t i = 0; i < 16; i++) {
      const size_t row = i / bytes, x = 4 + (size_t)lane * bytes + i % bytes;
      assert_int_equal(values[lane][i], writes ? written[row][x] : pixels[row][x]);
    }
  }
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseMemObject(image));
}

static void moves_blocks_of_images(void **state) {
  (void)state;
  cl_program program = test_program(images, "-cl-std=CL3.0");
  check_short_images(program, "fetch_short", 2, false);
  check_short_images(program, "fetch_char", 1, false);
  check_short_images(program, "put_short", 2, true);
  check_short_images(program, "put_char", 1, true);
  check_image(program, CL_UNSIGNED_INT32);
  check_image(program, CL_UNSIGNED_INT8);
  check_image_writes(program);
  ASSERT_CL(clReleaseProgram(program));
}

/** The same three kernels, as OpenCL C compilers that know the functions write them. */
static const char images_il[] =
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability ImageBasic\n"
    "OpCapability SubgroupDispatch\nOpCapability SubgroupImageBlockIOINTEL\n"
    "OpExtension \"SPV_INTEL_subgroups\"\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %fetch \"fetch\" %ids\n"
    "OpEntryPoint Kernel %put \"put\" %ids\n"
    "OpEntryPoint Kernel %fetch_long \"fetch_long\" %ids\n"
    "OpExecutionMode %fetch SubgroupSize 8\n"
    "OpExecutionMode %put SubgroupSize 8\n"
    "OpExecutionMode %fetch_long SubgroupSize 8\n"
    "OpDecorate %ids BuiltIn GlobalInvocationId\n"
    "OpDecorate %ids Constant\n"
    "%void = OpTypeVoid\n"
    "%uint = OpTypeInt 32 0\n"
    "%ulong = OpTypeInt 64 0\n"
    "%uint4 = OpTypeVector %uint 4\n"
    "%int2 = OpTypeVector %uint 2\n"
    "%ulong2 = OpTypeVector %ulong 2\n"
    "%ulong3 = OpTypeVector %ulong 3\n"
    "%input = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"
    "%output = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n"
    "%to_uint4 = OpTypePointer CrossWorkgroup %uint4\n"
    "%to_ulong2 = OpTypePointer CrossWorkgroup %ulong2\n"
    "%to_ids = OpTypePointer Input %ulong3\n"
    "%reads = OpTypeFunction %void %input %to_uint4 %int2\n"
    "%writes = OpTypeFunction %void %output %to_uint4 %int2\n"
    "%reads_long = OpTypeFunction %void %input %to_ulong2 %int2\n"
    "%ids = OpVariable %to_ids Input\n"
    "%fetch = OpFunction %void None %reads\n"
    "%f_image = OpFunctionParameter %input\n"
    "%f_out = OpFunctionParameter %to_uint4\n"
    "%f_place = OpFunctionParameter %int2\n"
    "%f_entry = OpLabel\n"
    "%f_ids = OpLoad %ulong3 %ids\n"
    "%f_id = OpCompositeExtract %ulong %f_ids 0\n"
    "%f_to = OpInBoundsPtrAccessChain %to_uint4 %f_out %f_id\n"
    "%f_block = OpSubgroupImageBlockReadINTEL %uint4 %f_image %f_place\n"
    "OpStore %f_to %f_block Aligned 16\n"
    "OpReturn\n"
    "OpFunctionEnd\n"
    "%put = OpFunction %void None %writes\n"
    "%p_image = OpFunctionParameter %output\n"
    "%p_in = OpFunctionParameter %to_uint4\n"
    "%p_place = OpFunctionParameter %int2\n"
    "%p_entry = OpLabel\n"
    "%p_ids = OpLoad %ulong3 %ids\n"
    "%p_id = OpCompositeExtract %ulong %p_ids 0\n"
    "%p_from = OpInBoundsPtrAccessChain %to_uint4 %p_in %p_id\n"
    "%p_block = OpLoad %uint4 %p_from Aligned 16\n"
    "OpSubgroupImageBlockWriteINTEL %p_image %p_place %p_block\n"
    "OpReturn\n"
    "OpFunctionEnd\n"
    "%fetch_long = OpFunction %void None %reads_long\n"
    "%l_image = OpFunctionParameter %input\n"
    "%l_out = OpFunctionParameter %to_ulong2\n"
    "%l_place = OpFunctionParameter %int2\n"
    "%l_entry = OpLabel\n"
    "%l_ids = OpLoad %ulong3 %ids\n"
    "%l_id = OpCompositeExtract %ulong %l_ids 0\n"
    "%l_to = OpInBoundsPtrAccessChain %to_ulong2 %l_out %l_id\n"
    "%l_block = OpSubgroupImageBlockReadINTEL %ulong2 %l_image %l_place\n"
    "OpStore %l_to %l_block Aligned 16\n"
    "OpReturn\n"
    "OpFunctionEnd\n";

static void moves_blocks_of_images_in_il(void **state) {
  (void)state;
  size_t length;
  cl_int error;
  void *il = test_assemble_il(images_il, &length);
  cl_program program = clCreateProgramWithIL(dut.context, il, length, &error);
  ASSERT_CL(error);
  free(il);
  ASSERT_CL(clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL));
  check_image(program, CL_UNSIGNED_INT32);
  check_image(program, CL_UNSIGNED_INT8);
  check_image_writes(program);
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shuffles_every_type),          cmocka_unit_test(moves_blocks_of_buffers),
      cmocka_unit_test(combines_short_types),         cmocka_unit_test(moves_blocks_of_images),
      cmocka_unit_test(moves_blocks_of_images_in_il),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
