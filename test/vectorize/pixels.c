/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Components of explicit vectors, of which work-items use a few. Others may be loaded with them, but no page in which
 * no work-item reads. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "item.h"

static const char first_source[] =
    "kernel void first(global const uchar4 *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = in[i].x * 3u;\n"
    "}\n";

static const char three_source[] =
    "kernel void three(global const uchar4 *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  const float sum = in[i].x * 0.25f + in[i].y * 0.5f + in[i].z * 0.125f;\n"
    "  out[i] = (uint)(sum * 8);\n"
    "}\n";

static const char ends_source[] =
    "kernel void ends(global const short4 *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = in[i].x * 5 - in[i].w;\n"
    "}\n";

static const char floats_source[] =
    "kernel void floats(global const float4 *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = as_uint(in[i].x) ^ as_uint(in[i].y) >> 3;\n"
    "}\n";

static const char some_source[] =
    "kernel void some(global const uchar4 *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  uint sum = 7;\n"
    "  if (i % 3) sum += in[i].x * 5u + in[i].z;\n"
    "  out[i] = sum;\n"
    "}\n";

static const char stored_source[] =
    "kernel void stored(global const uchar4 *in, global uchar4 *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  const uchar4 pixel = in[i];\n"
    "  out[i] = (uchar4)(pixel.z * pixel.w / 255, pixel.y / 2.0f, pixel.x * 3, pixel.w);\n"
    "}\n";

static const char half_stored_source[] =
    "kernel void half_stored(global const uchar4 *in, global uchar2 *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[2 * i] = convert_uchar2(convert_float2(in[i].zx) / 2);\n"
    "}\n";

static const char unaligned_source[] =
    "kernel void unaligned(global const uchar *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = in[4 * i] + in[4 * i + 1] * 3u + in[4 * i + 2] * 5u;\n"
    "}\n";

static const char gaps_source[] =
    "kernel void gaps(global const uchar *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = in[8 * i] + in[8 * i + 4] * 3u;\n"
    "}\n";

static const char far_source[] =
    "kernel void far(global const ushort *in, global uint *out) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  out[i] = in[11 * i] * 3u;\n"
    "}\n";

enum { FILLER = 0xa5, MOST_ITEMS = 150 };

static uint byte_at(const unsigned char *in, size_t at) { return in[at]; }

static uint short_at(const unsigned char *in, size_t at) {
  unsigned short value;
  memcpy(&value, in + 2 * at, sizeof(value));
  return value;
}

static uint word_at(const unsigned char *in, size_t at) {
  uint value;
  memcpy(&value, in + 4 * at, sizeof(value));
  return value;
}

static uint first(const unsigned char *in, size_t i) { return byte_at(in, 4 * i) * 3; }

static uint three(const unsigned char *in, size_t i) {
  return byte_at(in, 4 * i) * 2 + byte_at(in, 4 * i + 1) * 4 + byte_at(in, 4 * i + 2);
}

static uint ends(const unsigned char *in, size_t i) {
  return (uint)((short)short_at(in, 4 * i) * 5 - (short)short_at(in, 4 * i + 3));
}

static uint floats(const unsigned char *in, size_t i) { return word_at(in, 4 * i) ^ word_at(in, 4 * i + 1) >> 3; }

static uint some(const unsigned char *in, size_t i) {
  return i % 3 ? 7 + byte_at(in, 4 * i) * 5 + byte_at(in, 4 * i + 2) : 7;
}

static uint stored(const unsigned char *in, size_t i) {
  const uint red = byte_at(in, 4 * i), green = byte_at(in, 4 * i + 1), blue = byte_at(in, 4 * i + 2),
             alpha = byte_at(in, 4 * i + 3);
  return (blue * alpha / 255) | (green / 2) << 8 | (red * 3 & 255) << 16 | alpha << 24;
}

/* Two bytes are as they were. */
static uint half_stored(const unsigned char *in, size_t i) {
  const uint red = byte_at(in, 4 * i), blue = byte_at(in, 4 * i + 2);
  return blue / 2 | red / 2 << 8 | (uint)(FILLER << 8 | FILLER) << 16;
}

static uint unaligned(const unsigned char *in, size_t i) {
  return byte_at(in, 4 * i) + byte_at(in, 4 * i + 1) * 3 + byte_at(in, 4 * i + 2) * 5;
}

static uint gaps(const unsigned char *in, size_t i) { return byte_at(in, 8 * i) + byte_at(in, 8 * i + 4) * 3; }

static uint far(const unsigned char *in, size_t i) { return short_at(in, 11 * i) * 3; }

/* A work-item reads the last of its elements `span` bytes after the first one, and `stride` bytes are between those of
 * two work-items. */
typedef struct pixels_t {
  const char *name, *source;
  uint (*function)(const unsigned char *in, size_t i);
  size_t stride, span;
} pixels_t;

#define PIXELS(NAME, STRIDE, SPAN) {#NAME, NAME##_source, NAME, STRIDE, SPAN}
static const pixels_t all_pixels[] = {
    PIXELS(first, 4, 4), PIXELS(three, 4, 4),  PIXELS(ends, 8, 8),        PIXELS(floats, 16, 16),
    PIXELS(some, 4, 4),  PIXELS(stored, 4, 4), PIXELS(half_stored, 4, 4), PIXELS(unaligned, 4, 3),
    PIXELS(gaps, 8, 5),  PIXELS(far, 22, 2),
};

/* Memory ends, or begins, where that of the buffer does. */
static void run_in_place(cl_kernel kernel, const pixels_t *pixels, unsigned char *in, size_t count,
                         const size_t *local) {
  cl_int status;
  const size_t size = pixels->stride * (count - 1) + pixels->span;
  uint out[MOST_ITEMS];
  memset(out, FILLER, sizeof(out));
  cl_mem buffers[] = {clCreateBuffer(dut.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, size, in, &status),
                      test_buffer(count * sizeof(uint), out)};
  ASSERT_CL(status);
  for (cl_uint i = 0; i < 2; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &count, local, 0, NULL, NULL));
  test_read(buffers[1], count * sizeof(uint), out);
  for (size_t i = 0; i < count; i++) assert_int_equal(out[i], pixels->function(in, i));
  for (unsigned i = 0; i < 2; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
}

static void pages_beside_are_not_read(void **state) {
  (void)state;
  static const size_t counts[] = {1, 37, 64, MOST_ITEMS};
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), local = 32;
  unsigned char *memory = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    fail();
    return;
  }
  assert_int_equal(mprotect(memory + page, page, PROT_READ | PROT_WRITE), 0);
  for (size_t i = 0; i < page; i++) memory[page + i] = (unsigned char)(i * 7 + (i >> 5));
  for (size_t kind = 0; kind < sizeof(all_pixels) / sizeof(*all_pixels); kind++) {
    const pixels_t *pixels = &all_pixels[kind];
    cl_kernel kernel = test_kernel(pixels->source, "-cl-std=CL3.0", pixels->name);
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
      const size_t size = pixels->stride * (counts[i] - 1) + pixels->span;
      run_in_place(kernel, pixels, memory + page, counts[i], counts[i] % local ? NULL : &local);
      run_in_place(kernel, pixels, memory + 2 * page - size, counts[i], counts[i] % local ? NULL : &local);
    }
    ASSERT_CL(clReleaseKernel(kernel));
  }
  munmap(memory, 3 * page);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pages_beside_are_not_read)};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
