/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: pipes. Packets of every size, reservations of work-items and work-groups, many writers and readers
 * at once. */
#include <stdio.h>
#include <stdlib.h>

#include "test_device.h"

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_device_number(CL_DEVICE_PIPE_SUPPORT);
}

static cl_mem make(cl_uint size, cl_uint count) {
  cl_int error;
  cl_mem pipe = clCreatePipe(dut.context, 0, size, count, NULL, &error);
  ASSERT_CL(error);
  return pipe;
}

/** Runs `name` of the program with memory objects as arguments. */
static void run(cl_program program, const char *name, cl_uint count, const cl_mem *arguments, size_t global,
                size_t local) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  for (cl_uint i = 0; i < count; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(cl_mem), &arguments[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL));
  ASSERT_CL(clReleaseKernel(kernel));
}

/** One work-item writes until the pipe is full, one reads until it is empty; several times, round the ring. */
static const char order_source[] =
    "kernel void fill(write_only pipe uint p, global uint *out, uint first) {\n"
    "  uint n = 0, x = first;\n"
    "  while (n < 100 && write_pipe(p, &x) == 0) x++, n++;\n"
    "  out[0] = n; out[1] = get_pipe_num_packets(p); out[2] = get_pipe_max_packets(p);\n"
    "}\n"
    "kernel void take(read_only pipe uint p, global uint *out, uint limit) {\n"
    "  uint n = 0, x;\n"
    "  while (n < limit && read_pipe(p, &x) == 0) out[3 + n++] = x;\n"
    "  out[0] = n; out[1] = get_pipe_num_packets(p); out[2] = get_pipe_max_packets(p);\n"
    "}\n";

static void call(cl_program program, const char *name, cl_mem pipe, cl_mem out, cl_uint number, cl_uint answer[64]) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof out, &out));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof number, &number));
  const size_t one = 1;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
  test_read(out, 64 * sizeof(cl_uint), answer);
  ASSERT_CL(clReleaseKernel(kernel));
}

static void packets_come_in_order(void **state) {
  (void)state;
  cl_program program = test_program(order_source, "-cl-std=CL3.0");
  cl_mem out = test_buffer(64 * sizeof(cl_uint), NULL);
  const cl_uint capacities[] = {1, 2, 3, 7, 16, 50};
  for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
    const cl_uint capacity = capacities[i];
    cl_mem pipe = make(sizeof(cl_uint), capacity);
    cl_uint answer[64], written = 0, read = 0;
    for (int turn = 0; turn < 5; turn++) {
      call(program, "fill", pipe, out, written, answer);
      assert_int_equal(answer[0], capacity - (written - read));
      assert_int_equal(answer[1], capacity);
      assert_int_equal(answer[2], capacity);
      written += answer[0];
      const cl_uint limit = turn % 2 ? 100 : capacity / 2 + 1;
      call(program, "take", pipe, out, limit, answer);
      assert_int_equal(answer[0], limit < capacity ? limit : capacity);
      assert_int_equal(answer[1], capacity - answer[0]);
      for (cl_uint k = 0; k < answer[0]; k++) assert_int_equal(answer[3 + k], read + k);
      read += answer[0];
    }
    ASSERT_CL(clReleaseMemObject(pipe));
  }
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseProgram(program));
}

/** Work-items of several work-groups write what they have and read something: all of it arrives once. */
static const char types_source[] =
    "typedef struct { char c[N]; } bytes;\n"
    "kernel void put(global T *in, write_only pipe T p) { write_pipe(p, &in[get_global_id(0)]); }\n"
    "kernel void get(global T *out, read_only pipe T p) {\n"
    "  T x;\n"
    "  if (read_pipe(p, &x) == 0) out[get_global_id(0)] = x;\n"
    "}\n";

static int compare_index(const void *a, const void *b) {
  return (*(const cl_uchar *)a > *(const cl_uchar *)b) - (*(const cl_uchar *)a < *(const cl_uchar *)b);
}

static void check_type(const char *type, size_t size) {
  enum { count = 200 };
  char options[96];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s -DN=%zu", type, size);
  cl_program program = test_program(types_source, options);
  cl_uchar *in = malloc(size * count), *out = malloc(size * count);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < size; k++) in[i * size + k] = (cl_uchar)(i * (k + 1) + 3 * k);
  }
  cl_mem from = test_buffer(size * count, in), to = test_buffer(size * count, NULL), pipe = make((cl_uint)size, count);
  run(program, "put", 2, (cl_mem[]){from, pipe}, count, 25);
  run(program, "get", 2, (cl_mem[]){to, pipe}, count, 50);
  test_read(to, size * count, out);
  qsort(out, count, size, compare_index); /* the first byte is the work-item's number */
  assert_memory_equal(in, out, size * count);
  ASSERT_CL(clReleaseMemObject(from));
  ASSERT_CL(clReleaseMemObject(to));
  ASSERT_CL(clReleaseMemObject(pipe));
  ASSERT_CL(clReleaseProgram(program));
  free(in);
  free(out);
}

static void packets_have_any_size(void **state) {
  (void)state;
  check_type("uchar", 1);
  check_type("short", 2);
  check_type("int", 4);
  check_type("float2", 8);
  check_type("short4", 8);
  check_type("float4", 16);
  check_type("ulong16", 128);
  check_type("bytes", 3);
  check_type("bytes", 24);
  check_type("bytes", 1000);
}

/** What is reserved first comes first, whoever commits first; what is not committed cannot be read. */
static const char reservation_source[] =
    "kernel void k(write_only pipe int p, read_only pipe int q, global int *out) {\n"
    "  reserve_id_t many = reserve_write_pipe(p, 9), none = reserve_write_pipe(p, 0);\n"
    "  out[0] = is_valid_reserve_id(many); out[1] = is_valid_reserve_id(none);\n"
    "  reserve_id_t ids[2] = {reserve_write_pipe(p, 3), reserve_write_pipe(p, 5)};\n"
    "  out[2] = is_valid_reserve_id(ids[0]) + is_valid_reserve_id(ids[1]);\n"
    "  out[3] = is_valid_reserve_id(reserve_write_pipe(p, 1));\n"
    "  for (int i = 4; i >= 0; i--) { int x = 103 + i; write_pipe(p, ids[1], i, &x); }\n"
    "  int y = 0;\n"
    "  out[4] = write_pipe(p, ids[1], 5, &y) < 0;\n"
    "  commit_write_pipe(p, ids[1]);\n"
    "  out[5] = get_pipe_num_packets(p);\n"
    "  for (int i = 0; i < 3; i++) { int x = 100 + i; write_pipe(p, ids[0], i, &x); }\n"
    "  commit_write_pipe(p, ids[0]);\n"
    "  out[6] = get_pipe_num_packets(p);\n"
    "  out[7] = is_valid_reserve_id(reserve_read_pipe(q, 1));\n"
    "}\n"
    "kernel void r(read_only pipe int p, global int *out) {\n"
    "  out[0] = is_valid_reserve_id(reserve_read_pipe(p, 9));\n"
    "  reserve_id_t a = reserve_read_pipe(p, 6), b = reserve_read_pipe(p, 2);\n"
    "  out[1] = is_valid_reserve_id(a) && is_valid_reserve_id(b);\n"
    "  for (int i = 0; i < 6; i++) read_pipe(p, a, i, &out[8 + i]);\n"
    "  for (int i = 0; i < 2; i++) read_pipe(p, b, i, &out[14 + i]);\n"
    "  int x;\n"
    "  out[2] = read_pipe(p, a, 6, &x) < 0;\n"
    "  commit_read_pipe(p, b);\n"
    "  commit_read_pipe(p, a);\n"
    "  out[3] = read_pipe(p, &x) < 0;\n"
    "  out[4] = get_pipe_num_packets(p);\n"
    "}\n";

static void reservations_keep_their_order(void **state) {
  (void)state;
  cl_program program = test_program(reservation_source, "-cl-std=CL3.0");
  cl_mem out = test_buffer(64, NULL), pipe = make(4, 8), empty = make(4, 8);
  cl_int answer[16];
  for (int turn = 0; turn < 3; turn++) {
    run(program, "k", 3, (cl_mem[]){pipe, empty, out}, 1, 1);
    test_read(out, sizeof answer, answer);
    static const cl_int written[] = {0, 0, 2, 0, 1, 5, 8, 0};
    assert_memory_equal(answer, written, sizeof written);
    run(program, "r", 2, (cl_mem[]){pipe, out}, 1, 1);
    test_read(out, sizeof answer, answer);
    static const cl_int read[] = {0, 1, 1, 1, 0};
    assert_memory_equal(answer, read, sizeof read);
    for (int i = 0; i < 8; i++) assert_int_equal(answer[8 + i], 100 + i);
  }
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseMemObject(pipe));
  ASSERT_CL(clReleaseMemObject(empty));
  ASSERT_CL(clReleaseProgram(program));
}

/** A packet of another size than the kernel's cannot be moved: nothing beyond it is touched. */
static void another_size_is_refused(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  cl_program program = test_program(
      "kernel void k(write_only pipe int4 p, read_only pipe int q, global int *out) {\n"
      "  int4 x = 1; int y = 5;\n"
      "  out[0] = write_pipe(p, &x); out[1] = read_pipe(q, &y); out[2] = y;\n"
      "}\n",
      "-cl-std=CL3.0");
  cl_mem out = test_buffer(12, NULL), narrow = make(4, 8), wide = make(16, 8);
  cl_int answer[3];
  run(program, "k", 3, (cl_mem[]){narrow, wide, out}, 1, 1);
  test_read(out, sizeof answer, answer);
  assert_true(answer[0] < 0 && answer[1] < 0 && answer[2] == 5);
  ASSERT_CL(clReleaseMemObject(out));
  ASSERT_CL(clReleaseMemObject(narrow));
  ASSERT_CL(clReleaseMemObject(wide));
  ASSERT_CL(clReleaseProgram(program));
}

/** Each work-group reserves for all of its work-items, several times. */
static const char group_source[] =
    "kernel void put(write_only pipe uint2 p, global uint *failures) {\n"
    "  uint l = get_local_id(0), n = get_local_size(0);\n"
    "  for (uint turn = 0; turn < 4; turn++) {\n"
    "    reserve_id_t id = work_group_reserve_write_pipe(p, n);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "      uint2 x = (uint2)(turn, get_global_id(0));\n"
    "      if (write_pipe(p, id, n - 1 - l, &x)) atomic_inc(failures);\n"
    "      work_group_commit_write_pipe(p, id);\n"
    "    } else atomic_inc(failures);\n"
    "  }\n"
    "}\n"
    "kernel void get(read_only pipe uint2 p, global uint *failures, global uint *seen) {\n"
    "  uint l = get_local_id(0), n = get_local_size(0);\n"
    "  for (uint turn = 0; turn < 4; turn++) {\n"
    "    reserve_id_t id = work_group_reserve_read_pipe(p, n);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "      uint2 x;\n"
    "      if (read_pipe(p, id, l, &x)) atomic_inc(failures);\n"
    "      else atomic_inc(&seen[x.x * get_global_size(0) + x.y]);\n"
    "      work_group_commit_read_pipe(p, id);\n"
    "    } else atomic_inc(failures);\n"
    "  }\n"
    "}\n";

static void work_groups_reserve_together(void **state) {
  (void)state;
  enum { items = 2048 };
  static cl_uint seen[4 * items];
  memset(seen, 0, sizeof seen);
  cl_program program = test_program(group_source, "-cl-std=CL3.0");
  cl_uint failures = 0;
  cl_mem pipe = make(sizeof(cl_uint2), 4 * items), bad = test_buffer(sizeof failures, &failures);
  cl_mem counts = test_buffer(sizeof seen, seen);
  run(program, "put", 2, (cl_mem[]){pipe, bad}, items, 64);
  run(program, "get", 3, (cl_mem[]){pipe, bad, counts}, items, 32);
  test_read(bad, sizeof failures, &failures);
  test_read(counts, sizeof seen, seen);
  assert_int_equal(failures, 0);
  for (size_t i = 0; i < 4 * items; i++) assert_int_equal(seen[i], 1);
  ASSERT_CL(clReleaseMemObject(pipe));
  ASSERT_CL(clReleaseMemObject(bad));
  ASSERT_CL(clReleaseMemObject(counts));
  ASSERT_CL(clReleaseProgram(program));
}

/** Two kernels at once on two queues, over a pipe that is much too short: each packet that was written is read once.
 * Both take turns of a fixed number, so that neither waits for the other. */
static const char stress_source[] =
    "kernel void put(write_only pipe uint p, global uint *sent) {\n"
    "  for (int turn = 0; turn < 200; turn++) {\n"
    "    uint x = get_global_id(0) * 200 + turn;\n"
    "    if (turn % 4) { if (write_pipe(p, &x) == 0) sent[x] = 1; continue; }\n"
    "    reserve_id_t id = reserve_write_pipe(p, 2);\n"
    "    if (!is_valid_reserve_id(id)) continue;\n"
    "    uint y = x + 1;\n"
    "    write_pipe(p, id, 0, &x); write_pipe(p, id, 1, &y);\n"
    "    commit_write_pipe(p, id);\n"
    "    sent[x] = sent[y] = 1;\n"
    "    turn++;\n"
    "  }\n"
    "}\n"
    "kernel void get(read_only pipe uint p, global uint *received) {\n"
    "  for (int turn = 0; turn < 300; turn++) {\n"
    "    uint x;\n"
    "    if (turn % 3) { if (read_pipe(p, &x) == 0) atomic_inc(&received[x]); continue; }\n"
    "    reserve_id_t id = reserve_read_pipe(p, 3);\n"
    "    if (!is_valid_reserve_id(id)) continue;\n"
    "    for (int i = 0; i < 3; i++) if (read_pipe(p, id, i, &x) == 0) atomic_inc(&received[x]);\n"
    "    commit_read_pipe(p, id);\n"
    "  }\n"
    "}\n";

/* What a reservation gives is used after the group has done something together again; sub-groups, which have as many
 * work-items as the compiler chooses, reserve for themselves. */
static const char together_source[] =
    "#define WRITE(r, i) if (is_valid_reserve_id(r)) write_pipe(p, r, i, &v)\n"
    "kernel void reducing(write_only pipe uint p) {\n"
    "  reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));\n"
    "  uint v = get_global_id(0) + work_group_reduce_add(1) - get_local_size(0);\n"
    "  WRITE(r, get_local_id(0));\n"
    "  work_group_commit_write_pipe(p, r);\n"
    "}\n"
    "kernel void broadcasting(write_only pipe uint p) {\n"
    "  reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));\n"
    "  uint v = get_global_id(0) + work_group_broadcast(0u, 3);\n"
    "  WRITE(r, get_local_id(0));\n"
    "  work_group_commit_write_pipe(p, r);\n"
    "}\n"
    "kernel void in_sub_groups(write_only pipe uint p) {\n"
    "  reserve_id_t r = sub_group_reserve_write_pipe(p, get_sub_group_size());\n"
    "  uint v = get_global_id(0);\n"
    "  WRITE(r, get_sub_group_local_id());\n"
    "  sub_group_commit_write_pipe(p, r);\n"
    "}\n"
    "kernel void take(read_only pipe uint p, global uint *seen) {\n"
    "  uint v = ~0u;\n"
    "  reserve_id_t r = sub_group_reserve_read_pipe(p, get_sub_group_size());\n"
    "  if (is_valid_reserve_id(r) && read_pipe(p, r, get_sub_group_local_id(), &v) == 0 && v < 96) seen[v]++;\n"
    "  sub_group_commit_read_pipe(p, r);\n"
    "}\n";

static void groups_do_more_than_reserve(void **state) {
  (void)state;
  enum { COUNT = 96 };
  static const char *const writers[] = {"reducing", "broadcasting", "in_sub_groups"};
  cl_program program = test_program(together_source, "-cl-std=CL3.0");
  for (size_t i = 0; i < sizeof(writers) / sizeof(*writers); i++) {
    cl_uint seen[COUNT] = {0};
    cl_mem arguments[] = {make(sizeof(cl_uint), COUNT), test_buffer(sizeof(seen), seen)};
    run(program, writers[i], 1, arguments, COUNT, COUNT / 2);
    run(program, "take", 2, arguments, COUNT, COUNT / 2);
    test_read(arguments[1], sizeof(seen), seen);
    for (int k = 0; k < COUNT; k++) {
      if (seen[k] != 1) fail_msg("%s: packet %d was read %u times", writers[i], k, seen[k]);
    }
    for (int k = 0; k < 2; k++) ASSERT_CL(clReleaseMemObject(arguments[k]));
  }
  ASSERT_CL(clReleaseProgram(program));
}

static void start(cl_command_queue queue, cl_kernel kernel, cl_mem pipe, cl_mem data, size_t items) {
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof data, &data));
  const size_t local = 16;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
  ASSERT_CL(clFlush(queue));
}

static void writers_and_readers_at_once(void **state) {
  (void)state;
  enum { items = 512, packets = items * 200 };
  static cl_uint sent[packets], received[packets];
  cl_int error;
  memset(sent, 0, sizeof sent);
  cl_program program = test_program(stress_source, "-cl-std=CL3.0");
  cl_kernel put = clCreateKernel(program, "put", &error), get = clCreateKernel(program, "get", &error);
  cl_command_queue other = test_other_queue(dut.context);
  const cl_uint capacities[] = {1, 5, 64, 1000};
  for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
    cl_mem pipe = make(sizeof(cl_uint), capacities[i]);
    cl_mem from = test_buffer(sizeof sent, NULL), to = test_buffer(sizeof received, NULL);
    const cl_uint zero = 0;
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, from, &zero, 4, 0, sizeof sent, 0, NULL, NULL));
    ASSERT_CL(clEnqueueFillBuffer(dut.queue, to, &zero, 4, 0, sizeof received, 0, NULL, NULL));
    ASSERT_CL(clFinish(dut.queue));
    start(dut.queue, put, pipe, from, items);
    start(other, get, pipe, to, items);
    ASSERT_CL(clFinish(dut.queue));
    ASSERT_CL(clFinish(other));
    start(other, get, pipe, to, items); /* what is left */
    ASSERT_CL(clFinish(other));
    test_read(from, sizeof sent, sent);
    test_read(to, sizeof received, received);
    assert_memory_equal(sent, received, sizeof sent);
    cl_uint total = 0;
    for (size_t k = 0; k < packets; k++) total += sent[k];
    assert_true(total >= capacities[i]);
    ASSERT_CL(clReleaseMemObject(pipe));
    ASSERT_CL(clReleaseMemObject(from));
    ASSERT_CL(clReleaseMemObject(to));
  }
  ASSERT_CL(clReleaseCommandQueue(other));
  ASSERT_CL(clReleaseKernel(put));
  ASSERT_CL(clReleaseKernel(get));
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_come_in_order),         cmocka_unit_test(packets_have_any_size),
      cmocka_unit_test(reservations_keep_their_order), cmocka_unit_test(another_size_is_refused),
      cmocka_unit_test(groups_do_more_than_reserve),   cmocka_unit_test(work_groups_reserve_together),
      cmocka_unit_test(writers_and_readers_at_once),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
