/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Atomic operations of many work-items on one place: what each finds there must be what some order of them leaves. */
#include <stdio.h>

#include "test_device.h"

enum { ITEMS = 210 };

/* A third of the work-items keep out of it. */
static const char source[] =
    "#define VALUE ((TYPE)in[g] << (sizeof(TYPE) * 8 - 32) ^ (TYPE)(g * 5 + 1))\n"
    "#define KERNELS(OP)                                                                                            "
    "\\\n"
    "  kernel void OP##_global(global const uint *in, global ATOMIC *place, global TYPE *values, global TYPE *found) "
    "{\\\n"
    "    const uint g = get_global_id(0);                                                                          \\\n"
    "    values[g] = VALUE;                                                                                        \\\n"
    "    if (in[g] % 3) found[g] = atomic_fetch_##OP##_explicit(place, values[g], memory_order_relaxed,            \\\n"
    "                                                           memory_scope_device);                              \\\n"
    "  }                                                                                                           \\\n"
    "  kernel void OP##_all(global const uint *in, global ATOMIC *place, global TYPE *values, global TYPE *found) { "
    "\\\n"
    "    const uint g = get_global_id(0);                                                                          \\\n"
    "    values[g] = VALUE;                                                                                        \\\n"
    "    found[g] = atomic_fetch_##OP(place, values[g]);                                                           \\\n"
    "  }                                                                                                           \\\n"
    "  kernel void OP##_local(global const uint *in, global ATOMIC *place, global TYPE *values, global TYPE *found) "
    "{\\\n"
    "    local ATOMIC mine;                                                                                        \\\n"
    "    const uint g = get_global_id(0);                                                                          \\\n"
    "    if (g == 0) atomic_init(&mine, *(global TYPE *)place);                                                    \\\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);                                                                             \\\n"
    "    values[g] = VALUE;                                                                                        \\\n"
    "    if (in[g] % 3) found[g] = atomic_fetch_##OP##_explicit(&mine, values[g], memory_order_relaxed,            \\\n"
    "                                                           memory_scope_work_group);                          \\\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);                                                                             \\\n"
    "    if (g == 0) *(global TYPE *)place = atomic_load(&mine);                                                   \\\n"
    "  }\n"
    "KERNELS(add) KERNELS(sub) KERNELS(and) KERNELS(or) KERNELS(xor) KERNELS(min) KERNELS(max)\n";

typedef struct type_t {
  const char *name;
  size_t size;
  bool is_signed;
} type_t;

static const type_t types[] = {{"int", 4, true}, {"uint", 4, false}, {"long", 8, true}, {"ulong", 8, false}};
static const char *const operations[] = {"add", "sub", "and", "or", "xor", "min", "max"};
static const char *const forms[] = {"global", "all", "local"};

/* A number of the type in 64 bits. */
static uint64_t extend(const type_t *type, uint64_t value) {
  if (type->size == 8) return value;
  return type->is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
}

static bool is_less(const type_t *type, uint64_t a, uint64_t b) {
  return type->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t apply(const type_t *type, const char *operation, uint64_t a, uint64_t b) {
  if (!strcmp(operation, "add")) return extend(type, a + b);
  if (!strcmp(operation, "sub")) return extend(type, a - b);
  if (!strcmp(operation, "and")) return a & b;
  if (!strcmp(operation, "or")) return a | b;
  if (!strcmp(operation, "xor")) return a ^ b;
  if (!strcmp(operation, "min")) return is_less(type, b, a) ? b : a;
  return is_less(type, a, b) ? b : a;
}

typedef struct result_t {
  uint64_t before, after, values[ITEMS], found[ITEMS];
  bool takes_part[ITEMS];
} result_t;

/* Follows the work-items from what was there before: of those who found the same, one may have changed it. */
static void check_order(const char *name, const type_t *type, const char *operation, const result_t *result) {
  bool done[ITEMS] = {0};
  uint64_t now = result->before;
  for (bool goes_on = true; goes_on;) {
    uint64_t next = now;
    goes_on = false;
    for (int i = 0; i < ITEMS; i++) {
      if (!result->takes_part[i] || done[i] || result->found[i] != now) continue;
      const uint64_t left = apply(type, operation, now, result->values[i]);
      if (left != now && goes_on) fail_msg("%s of %s: two found %#llx", name, type->name, (unsigned long long)now);
      goes_on = goes_on || left != now;
      if (left != now) next = left;
      done[i] = true;
    }
    now = next;
  }
  for (int i = 0; i < ITEMS; i++) {
    if (result->takes_part[i] && !done[i]) {
      fail_msg("%s of %s: work-item %d found %#llx, which nobody left", name, type->name, i,
               (unsigned long long)result->found[i]);
    }
  }
  if (now != result->after) fail_msg("%s of %s left %#llx", name, type->name, (unsigned long long)result->after);
}

static uint64_t number_at(const type_t *type, const void *numbers, size_t index) {
  uint64_t value = 0;
  memcpy(&value, (const char *)numbers + index * type->size, type->size);
  return extend(type, value);
}

static void run(cl_program program, const type_t *type, const char *operation, const char *form, size_t local) {
  cl_uint in[ITEMS];
  uint64_t place = !strcmp(operation, "and") ? UINT64_MAX : 12345, values[ITEMS], found[ITEMS];
  char name[32];
  cl_int error;
  const size_t items = ITEMS;
  result_t result = {.before = extend(type, place)};
  snprintf(name, sizeof(name), "%s_%s", operation, form);
  for (cl_uint i = 0; i < ITEMS; i++) {
    in[i] = i * 2654435761u;
    result.takes_part[i] = in[i] % 3 || !strcmp(form, "all");
  }
  cl_kernel kernel = clCreateKernel(program, name, &error);
  ASSERT_CL(error);
  cl_mem buffers[] = {test_buffer(sizeof(in), in), test_buffer(type->size, &place),
                      test_buffer(ITEMS * type->size, NULL), test_buffer(ITEMS * type->size, NULL)};
  for (cl_uint i = 0; i < 4; i++) ASSERT_CL(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
  test_read(buffers[1], type->size, &place);
  test_read(buffers[2], ITEMS * type->size, values);
  test_read(buffers[3], ITEMS * type->size, found);
  for (int i = 0; i < 4; i++) ASSERT_CL(clReleaseMemObject(buffers[i]));
  ASSERT_CL(clReleaseKernel(kernel));
  result.after = number_at(type, &place, 0);
  for (size_t i = 0; i < ITEMS; i++) {
    result.values[i] = number_at(type, values, i);
    result.found[i] = number_at(type, found, i);
  }
  check_order(name, type, operation, &result);
}

static void every_work_item_finds_what_another_left(void **state) {
  static const size_t locals[] = {1, 35, 70, ITEMS};
  const type_t *type = *state;
  char options[128];
  snprintf(options, sizeof(options), "-cl-std=CL3.0 -DTYPE=%s -DATOMIC=atomic_%s", type->name, type->name);
  cl_program program = test_program(source, options);
  for (size_t o = 0; o < sizeof(operations) / sizeof(*operations); o++) {
    for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
      for (size_t i = 0; i < sizeof(locals) / sizeof(*locals); i++) {
        if (strcmp(forms[f], "local") || locals[i] == ITEMS) run(program, type, operations[o], forms[f], locals[i]);
      }
    }
  }
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
#define CASE(INDEX, NAME)                                                                       \
  {                                                                                             \
    NAME, every_work_item_finds_what_another_left, NULL, NULL, (void *)(uintptr_t)&types[INDEX] \
  }
  const struct CMUnitTest tests[] = {CASE(0, "int"), CASE(1, "uint"), CASE(2, "long"), CASE(3, "ulong")};
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
