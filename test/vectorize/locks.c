/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-items that wait for each other: they get on, though OpenCL C does not promise it, as those of a work-group run
 * one after the other. What they protect has to be right. */
#include <stdio.h>

#include "test_device.h"

enum { ITEMS = 256, LOCAL = 64, PLACES = 4 };

/* Work that is worth vectors, and then the part that one work-item may run at a time. */
static const char source[] =
    "#define CHANGE(PLACE) (counts[PLACE]++, sums[PLACE] += in[g])\n"
    "void lock_place(volatile global uint *place);\n"
    "bool try_place(volatile global uint *place, volatile local uint *tries);\n"
    "void unlock_place(volatile global uint *place);\n"
    "__attribute__((noinline)) void lock_place(volatile global uint *place) {\n"
    "  while (atomic_cmpxchg(place, 0, 1) != 0) {}\n"
    "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "}\n"
    "__attribute__((noinline)) bool try_place(volatile global uint *place, volatile local uint *tries) {\n"
    "  atomic_inc(tries);\n"
    "  return atomic_cmpxchg(place, 0, 1) == 0;\n"
    "}\n"
    "__attribute__((noinline)) void unlock_place(volatile global uint *place) {\n"
    "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "  atomic_xchg(place, 0);\n"
    "}\n"
    "kernel void run(global const uint *in, volatile global uint *locks, volatile global uint *counts,\n"
    "                volatile global uint *sums, global float *out) {\n"
    "  local uint mine, tries;\n"
    "  volatile local uint done[64];\n"
    "  const uint g = get_global_id(0);\n"
    "  if (get_local_id(0) == 0) mine = tries = 0;\n"
    "  done[get_local_id(0)] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  float x = in[g] * 0x1p-32f;\n"
    "  for (int i = 0; i < 40; i++) x = x * sqrt(x * 0.75f + 0.125f) + fabs(sin(x));\n"
    "  out[g] = x;\n"
    "  WAIT\n"
    "}\n";

typedef struct lock_t {
  const char *name, *text;
  /* Those of one work-group alone, or only a part of them. */
  bool is_local, is_for_odd;
} lock_t;

/* Those of a work-group one after the other, doing something else until then. */
#define TURN(MEANWHILE)                                                           \
  "const uint group = get_group_id(0);"                                           \
  "while (locks[group] != get_local_id(0)) { " MEANWHILE                          \
  " }"                                                                            \
  "atomic_inc(counts); atomic_add(sums, in[g]); mem_fence(CLK_GLOBAL_MEM_FENCE);" \
  "locks[group] = get_local_id(0) + 1;"

static const lock_t kinds[] = {
    {.name = "exchanged", .text = "while (atomic_xchg(locks, 1)) {} CHANGE(0); atomic_xchg(locks, 0);"},
    {.name = "waits for a number in private memory",
     .text = "const uint group = get_group_id(0); volatile uint own = get_local_id(0);"
             "while (locks[group] != own) {}"
             "atomic_inc(counts); atomic_add(sums, in[g]); mem_fence(CLK_GLOBAL_MEM_FENCE); locks[group] = own + 1;"},
    {.name = "released in the turn it was taken in",
     .text = "for (bool goes_on = true; goes_on;) if (atomic_cmpxchg(locks, 0, 1) == 0) {"
             "  CHANGE(0); atomic_xchg(locks, 0); goes_on = false; }"},
    {.name = "one of several",
     .text = "for (bool goes_on = true; goes_on;) if (atomic_cmpxchg(&locks[in[g] % 4], 0, 1) == 0) {"
             "  CHANGE(in[g] % 4); atomic_xchg(&locks[in[g] % 4], 0); goes_on = false; }"},
    {.name = "given up when told",
     .text = "while (atomic_cmpxchg(&locks[in[g] % 4], 0, 1) != 0) { if (done[63]) return; }"
             "CHANGE(in[g] % 4); atomic_xchg(&locks[in[g] % 4], 0);"},
    {.name = "taken by some",
     .text = "if (in[g] % 2) { while (atomic_or(locks, 4) & 4) {} CHANGE(0); atomic_and(locks, ~4u); }",
     .is_for_odd = true},
    {.name = "a flag",
     .text = "volatile global atomic_flag *flag = (volatile global atomic_flag *)locks;"
             "while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire, memory_scope_device)) {}"
             "CHANGE(0); atomic_flag_clear_explicit(flag, memory_order_release, memory_scope_device);"},
    {.name = "looked at first",
     .text = "for (;;) { while (*locks) {} if (atomic_xchg(locks, 1) == 0) break; }"
             "CHANGE(0); mem_fence(CLK_GLOBAL_MEM_FENCE); *locks = 0;"},
    {.name = "tried less and less often",
     .text = "uint wait = 1; while (atomic_max(locks, 1)) { for (volatile uint i = 0; i < wait; i++) {} wait *= 2; }"
             "CHANGE(0); atomic_xchg(locks, 0);"},
    {.name = "by number",
     .text = "const uint number = atomic_inc(&locks[0]); while (atomic_or(&locks[1], 0) != number) {}"
             "CHANGE(0); mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(&locks[1]);"},
    {.name = "free, as it is read",
     .text = "uint seen; do { seen = *locks; } while ((seen & 1) || atomic_cmpxchg(locks, seen, seen + 1) != seen);"
             "CHANGE(0); mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(locks);"},
    {.name = "exchanged for a bit",
     .text = "uint free; do { free = *locks & ~1u; } while (atomic_cmpxchg(locks, free, free | 1) != free);"
             "CHANGE(0); mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(locks);"},
    /* Work-groups might never see each other's counts at zero. */
    {.name = "counted up and down",
     .text = "while (atomic_inc(&mine)) atomic_dec(&mine); CHANGE(get_group_id(0)); atomic_dec(&mine);",
     .is_local = true},
    {.name = "taken until nothing is left",
     .text = "for (bool is_done = false; !is_done;) if (atomic_cmpxchg(locks, 0, 1) == 0) {"
             "  const uint next = *counts; if (next < 256) *sums += in[next], *counts = next + 1; else is_done = true;"
             "  mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(locks, 0); }"},
    {.name = "taken several times",
     .text = "for (uint taken = 0; taken < 3;) if (atomic_cmpxchg(locks, 0, 1) == 0) {"
             "  if (taken++ == 0) CHANGE(0); mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(locks, 0); }"},
    {.name = "behind two others",
     .text = "const uint l = get_local_id(0);"
             "for (uint i = max(l, 2u) - 2; i < l;) if (done[i]) i++;"
             "atomic_inc(counts); atomic_add(sums, in[g]); mem_fence(CLK_LOCAL_MEM_FENCE); done[l] = 1;"},
    {.name = "one's own turn", .text = TURN("")},
    {.name = "one's own turn, looking less often", .text = TURN("for (volatile uint i = 0; i < 3; i++) {}")},
    {.name = "of a work-group",
     .text = "while (atomic_cmpxchg(&mine, 0, 1)) {} CHANGE(get_group_id(0)); atomic_xchg(&mine, 0);",
     .is_local = true},
    {.name = "in a function that counts how often it is tried",
     .text = "while (!try_place(locks, &tries)) {} CHANGE(0); unlock_place(locks);"},
    {.name = "in functions", .text = "lock_place(locks); CHANGE(0); unlock_place(locks);"},
};

static cl_kernel make_kernel(const lock_t *kind, cl_mem buffers[5], const cl_uint in[ITEMS]) {
  const cl_uint zeros[PLACES] = {0};
  char options[512];
  cl_int error;
  /* Spaces would end the option. */
  const int length = snprintf(options, sizeof(options), "-cl-std=CL3.0 \"-DWAIT=%s\"", kind->text);
  assert_true(length < (int)sizeof(options));
  cl_program program = test_program(source, options);
  cl_kernel kernel = clCreateKernel(program, "run", &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseProgram(program));
  buffers[0] = test_buffer(ITEMS * sizeof(*in), in);
  for (int i = 1; i < 4; i++) buffers[i] = test_buffer(sizeof(zeros), zeros);
  buffers[4] = test_buffer(ITEMS * sizeof(cl_float), NULL);
  for (cl_uint i = 0; i < 5; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  return kernel;
}

static cl_uint sum_of(const cl_uint values[PLACES]) { return values[0] + values[1] + values[2] + values[3]; }

static void everyone_has_a_turn(void **state) {
  const lock_t *kind = *state;
  const size_t items = ITEMS, local = LOCAL;
  cl_uint in[ITEMS], counts[PLACES], sums[PLACES], count = 0, sum = 0;
  cl_mem buffers[5];
  for (cl_uint i = 0; i < ITEMS; i++) {
    in[i] = i * 2654435761u >> 3;
    if (kind->is_for_odd && in[i] % 2 == 0) continue;
    count++;
    sum += in[i];
  }
  cl_kernel kernel = make_kernel(kind, buffers, in);
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
  test_read(buffers[2], sizeof(counts), counts);
  test_read(buffers[3], sizeof(sums), sums);
  assert_int_equal(sum_of(counts), count);
  assert_int_equal(sum_of(sums), sum);
  if (kind->is_local) {
    for (int i = 0; i < PLACES; i++) assert_int_equal(counts[i], LOCAL);
  }
  for (int i = 0; i < 5; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
}

int main(void) {
  struct CMUnitTest tests[sizeof(kinds) / sizeof(*kinds)];
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
    tests[i] = (struct CMUnitTest){kinds[i].name, everyone_has_a_turn, NULL, NULL, (void *)(uintptr_t)&kinds[i]};
  }
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
