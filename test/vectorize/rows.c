/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-items of two dimensions: rows that share what they load are merged. */
#include "test_device.h"

typedef unsigned int uint;

enum { PITCH = 64, ELEMENTS = PITCH * PITCH };

/* Every kernel has the numbers of the work-item in `column` and `row`, and an array of results of its own. */
static const char source[] =
    "#define KERNEL(name) kernel void name(global const uint *a, global const uint *b, global uint *out, uint n)\n"
    "#define PLACE const uint column = get_global_id(0), row = get_global_id(1)\n"
    /* Rows share what they load from b. */
    "KERNEL(product) {\n"
    "  PLACE;\n"
    "  uint sum = 0;\n"
    "  for (uint k = 0; k < n; k++) sum += a[row * 64 + k] * b[k * 64 + column];\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    /* Some rows go another way, and the last columns. */
    "KERNEL(bounded) {\n"
    "  PLACE;\n"
    "  if (row >= n || column >= 45) return;\n"
    "  uint sum = row;\n"
    "  for (uint k = 0; k < 7; k++) sum += a[row * 64 + k] ^ b[k * 64 + column];\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    "KERNEL(both_bounds) {\n"
    "  PLACE;\n"
    "  if (row < n && column < 45) {\n"
    "    uint sum = 1;\n"
    "    for (uint k = 0; k < 9; k++) sum = sum * 3 + (a[row * 64 + k] & b[k * 64 + column]);\n"
    "    out[row * 64 + column] = sum;\n"
    "  }\n"
    "}\n"
    /* Loops that the work-items of a row leave at different turns, all rows at the same. */
    "KERNEL(triangle) {\n"
    "  PLACE;\n"
    "  uint sum = 0, shared = 0;\n"
    "  for (uint k = 0; k <= column; k++) {\n"
    "    shared = b[k * 64 + column];\n"
    "    if (shared & 1) sum += a[row * 64 + k] * shared;\n"
    "  }\n"
    "  out[row * 64 + column] = sum + shared;\n"
    "}\n"
    /* Rows that leave their loops at different turns are not merged. */
    "KERNEL(uneven) {\n"
    "  PLACE;\n"
    "  uint sum = 0;\n"
    "  for (uint k = 0; k < row; k++) sum += a[row + k] * b[k * 64 + column];\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    /* More values for each row than there are registers. */
    "KERNEL(unrolled) {\n"
    "  PLACE;\n"
    "  uint sum = n;\n"
    "  for (uint k = 0; k < 12; k++) sum = (sum + a[row * 64 + k]) ^ b[k * 64 + column];\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    /* Indices that are tested in place. */
    "KERNEL(limited) {\n"
    "  PLACE;\n"
    "  uint sum = n;\n"
    "  for (uint k = 0; k < 4; k++) sum = (sum + a[row * 64 + k]) ^ b[min(k * 64 + column + n, 190u)];\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    /* Local memory, and a sum that lives across barriers; any size of work-group up to 16 by 16. */
    "KERNEL(tiles) {\n"
    "  local uint tile[16][16], other[16][16];\n"
    "  PLACE;\n"
    "  const uint x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);\n"
    "  uint sum = 0;\n"
    "  for (uint start = 0; start < n; start += 5) {\n"
    "    tile[y][x] = a[row * 64 + start + x];\n"
    "    other[y][x] = b[(start + y) * 64 + column];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint k = 0; k < min(w, h); k++) sum += tile[y][k] * other[k][x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    /* Tiles of which work-items use what eight of their row and eight of their column have loaded. */
    "KERNEL(eighths) {\n"
    "  local uint tile[16][16], other[16][16];\n"
    "  PLACE;\n"
    "  const uint x = get_local_id(0), y = get_local_id(1);\n"
    "  uint sum = column;\n"
    "  for (uint start = 0; start < n; start += 8) {\n"
    "    tile[y][x] = a[row * 64 + start + x];\n"
    "    other[y][x] = b[(start + y) * n + column];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint k = 0; k < 8; k++) sum += tile[y][k] * other[k][x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    /* The same, with all rows going one way or the other, and a sum that comes out of both. */
    "KERNEL(sides) {\n"
    "  local uint tile[16][16];\n"
    "  PLACE;\n"
    "  const uint x = get_local_id(0), y = get_local_id(1);\n"
    "  uint sum = row;\n"
    "  for (uint start = 0; start < 3; start++) {\n"
    "    uint k = n + start;\n"
    "    if (n > 12) {\n"
    "      tile[y][x] = a[row * n + start + x];\n"
    "    } else {\n"
    "      tile[y][x] = b[(start + y) * 64 + column];\n"
    "      k += 5;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    sum = sum * k + tile[get_local_size(1) - 1 - y][x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[row * 64 + column] = sum;\n"
    "}\n"
    /* What a row reads again it has written itself. */
    "KERNEL(again) {\n"
    "  PLACE;\n"
    "  out[row * 64 + column] = a[row];\n"
    "  for (uint k = 0; k < 6; k++) out[row * 64 + column] += b[k * 64 + column] * (row + k);\n"
    "}\n"
    /* Indices that wrap from row to row, and are right nevertheless. */
    "KERNEL(backwards) {\n"
    "  PLACE;\n"
    "  const uint pitch = (n & 1) - 64, place = 38 * 64 + row * pitch + column;\n"
    "  out[row * 64 + column] = a[place] + b[place + 1];\n"
    "}\n"
    /* The same with a sign. */
    "KERNEL(downwards) {\n"
    "  PLACE;\n"
    "  const int pitch = (int)(n & 1) - 64, place = 38 * 64 + (int)row * pitch + (int)column - 1;\n"
    "  out[row * 64 + column] = a[place + 1] - b[place + 3];\n"
    "}\n"
    /* An array of each work-item's own: also where the loop over rows has become the inner one. */
    "KERNEL(private_array) {\n"
    "  PLACE;\n"
    "  uint own[4] = {1, 2, a[row * 64 + column], n};\n"
    "  out[row * 64 + column] = own[(row + column) & 3] * 3;\n"
    "}\n";

typedef struct launch_t {
  const uint *a, *b;
  uint n;
  size_t width, height, local[2];
} launch_t;

typedef uint expect_t(const launch_t *launch, uint column, uint row, uint before);

static uint expect_product(const launch_t *l, uint column, uint row, uint before) {
  uint sum = 0;
  (void)before;
  for (uint k = 0; k < l->n; k++) sum += l->a[row * 64 + k] * l->b[k * 64 + column];
  return sum;
}

static uint expect_bounded(const launch_t *l, uint column, uint row, uint before) {
  if (row >= l->n || column >= 45) return before;
  uint sum = row;
  for (uint k = 0; k < 7; k++) sum += l->a[row * 64 + k] ^ l->b[k * 64 + column];
  return sum;
}

static uint expect_both_bounds(const launch_t *l, uint column, uint row, uint before) {
  if (row >= l->n || column >= 45) return before;
  uint sum = 1;
  for (uint k = 0; k < 9; k++) sum = sum * 3 + (l->a[row * 64 + k] & l->b[k * 64 + column]);
  return sum;
}

static uint expect_triangle(const launch_t *l, uint column, uint row, uint before) {
  uint sum = 0, shared = 0;
  (void)before;
  for (uint k = 0; k <= column; k++) {
    shared = l->b[k * 64 + column];
    if (shared & 1) sum += l->a[row * 64 + k] * shared;
  }
  return sum + shared;
}

static uint expect_uneven(const launch_t *l, uint column, uint row, uint before) {
  uint sum = 0;
  (void)before;
  for (uint k = 0; k < row; k++) sum += l->a[row + k] * l->b[k * 64 + column];
  return sum;
}

static uint expect_unrolled(const launch_t *l, uint column, uint row, uint before) {
  uint sum = l->n;
  (void)before;
  for (uint k = 0; k < 12; k++) sum = (sum + l->a[row * 64 + k]) ^ l->b[k * 64 + column];
  return sum;
}

static uint expect_limited(const launch_t *l, uint column, uint row, uint before) {
  uint sum = l->n;
  (void)before;
  for (uint k = 0; k < 4; k++) {
    const uint place = k * 64 + column + l->n;
    sum = (sum + l->a[row * 64 + k]) ^ l->b[place < 190 ? place : 190];
  }
  return sum;
}

static uint expect_tiles(const launch_t *l, uint column, uint row, uint before) {
  const uint w = (uint)l->local[0], h = (uint)l->local[1];
  uint sum = 0;
  (void)before;
  for (uint start = 0; start < l->n; start += 5) {
    for (uint k = 0; k < (w < h ? w : h); k++) sum += l->a[row * 64 + start + k] * l->b[(start + k) * 64 + column];
  }
  return sum;
}

static uint expect_eighths(const launch_t *l, uint column, uint row, uint before) {
  uint sum = column;
  (void)before;
  for (uint start = 0; start < l->n; start += 8) {
    for (uint k = 0; k < 8; k++) sum += l->a[row * 64 + start + k] * l->b[(start + k) * l->n + column];
  }
  return sum;
}

static uint expect_sides(const launch_t *l, uint column, uint row, uint before) {
  const uint w = (uint)l->local[0], h = (uint)l->local[1], x = column % w, y = h - 1 - row % h;
  const uint other_row = row - row % h + y;
  uint sum = row;
  (void)before;
  for (uint start = 0; start < 3; start++) {
    if (l->n > 12) {
      sum = sum * (l->n + start) + l->a[other_row * l->n + start + x];
    } else {
      sum = sum * (l->n + start + 5) + l->b[(start + y) * 64 + column];
    }
  }
  return sum;
}

static uint expect_again(const launch_t *l, uint column, uint row, uint before) {
  uint sum = l->a[row];
  (void)before;
  for (uint k = 0; k < 6; k++) sum += l->b[k * 64 + column] * (row + k);
  return sum;
}

static uint expect_backwards(const launch_t *l, uint column, uint row, uint before) {
  const uint place = (38 - row) * 64 + column;
  (void)before;
  return l->a[place] + l->b[place + 1];
}

static uint expect_downwards(const launch_t *l, uint column, uint row, uint before) {
  const uint place = (38 - row) * 64 + column;
  (void)before;
  return l->a[place] - l->b[place + 2];
}

static uint expect_private_array(const launch_t *l, uint column, uint row, uint before) {
  const uint own[4] = {1, 2, l->a[row * 64 + column], l->n};
  (void)before;
  return own[(row + column) & 3] * 3;
}

typedef struct case_t {
  const char *name;
  expect_t *expect;
  /** Work-groups that the kernel is for: at least and at most so many work-items in each dimension. */
  size_t least, most;
} case_t;

static uint a[ELEMENTS * 2], b[ELEMENTS * 2], out[ELEMENTS];

static void run_once(const case_t *one, cl_kernel kernel, const launch_t *launch) {
  const size_t range[2] = {launch->width, launch->height};
  memset(out, 0x55, sizeof(out));
  cl_mem buffers[] = {test_buffer(sizeof(a), a), test_buffer(sizeof(b), b), test_buffer(sizeof(out), out)};
  for (cl_uint i = 0; i < 3; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof(launch->n), &launch->n));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 2, NULL, range, launch->local, 0, NULL, NULL));
  test_read(buffers[2], sizeof(out), out);
  for (int i = 0; i < 3; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  for (uint row = 0; row < launch->height; row++) {
    for (uint column = 0; column < launch->width; column++) {
      const uint expected = one->expect(launch, column, row, 0x55555555), actual = out[row * PITCH + column];
      if (actual == expected) continue;
      fail_msg("%s, n = %u, local size %zu by %zu: column %u, row %u is %#x, should be %#x", one->name, launch->n,
               launch->local[0], launch->local[1], column, row, actual, expected);
    }
  }
}

static void run_case(void **state) {
  const case_t *one = *state;
  /* Ranges and their work-groups: with rows that are whole vectors, and with others; with as many rows as are merged,
   * and with others. */
  static const struct {
    size_t width, height, local[2];
  } shapes[] = {{52, 39, {52, 39}}, {52, 39, {26, 13}}, {52, 39, {13, 3}},  {52, 39, {1, 39}},  {52, 39, {4, 1}},
                {52, 39, {13, 13}}, {52, 39, {4, 13}},  {64, 39, {64, 39}}, {64, 39, {32, 13}}, {64, 39, {16, 13}},
                {64, 39, {16, 3}},  {64, 39, {8, 13}},  {64, 36, {16, 12}}, {64, 36, {32, 4}},  {64, 32, {16, 16}},
                {64, 36, {64, 36}}, {48, 8, {16, 8}}};
  for (uint i = 0; i < ELEMENTS * 2; i++) {
    a[i] = i * 2654435761u >> 7;
    b[i] = i * 2246822519u >> 5;
  }
  cl_kernel kernel = test_kernel(source, "-cl-std=CL3.0", one->name);
  for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
    const size_t *local = shapes[i].local;
    if (local[0] < one->least || local[1] < one->least || local[0] > one->most || local[1] > one->most) continue;
    for (uint n = 0; n <= 36; n += 12) {
      const launch_t launch = {a, b, n, shapes[i].width, shapes[i].height, {local[0], local[1]}};
      run_once(one, kernel, &launch);
    }
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

/* An index that is made from itself again and again, each time from two: what it is in all rows is asked once of each.
 * Where it leads nobody knows, so that it is only built. */
static void long_sums_take_no_time(void **state) {
  (void)state;
  cl_kernel kernel = test_kernel(
      "#define STEPS h = h * h + 3; h = h * h + 5; h = h * h + 7; h = h * h + 9;\n"
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint h = get_global_id(1) + 5;\n"
      "  STEPS STEPS STEPS STEPS STEPS STEPS\n"
      "  out[h + (uint)get_global_id(0)] = in[get_global_id(0)];\n"
      "}\n",
      "-cl-std=CL3.0", "k");
  ASSERT_CL(clReleaseKernel(kernel));
}

#define CASE(NAME, LEAST, MOST)                                                          \
  {                                                                                      \
    #NAME, run_case, NULL, NULL, (void *)&(case_t) { #NAME, expect_##NAME, LEAST, MOST } \
  }

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(product, 1, PITCH),
      CASE(bounded, 1, PITCH),
      CASE(both_bounds, 1, PITCH),
      CASE(triangle, 1, PITCH),
      CASE(uneven, 1, PITCH),
      CASE(unrolled, 1, PITCH),
      CASE(limited, 1, PITCH),
      CASE(tiles, 1, 16),
      CASE(eighths, 8, 16),
      CASE(sides, 1, 16),
      CASE(again, 1, PITCH),
      CASE(backwards, 1, PITCH),
      CASE(downwards, 1, PITCH),
      CASE(private_array, 1, PITCH),
      cmocka_unit_test(long_sums_take_no_time),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
