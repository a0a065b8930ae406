/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The context-bound buffer document's example (C4): a reduction whose intermediate results are in a bound buffer, of
 * data that another queue wrote. Argument: the OpenCL platform. */
#include "groups.h"

enum { count = 27 * 64, local = 16 };

static const char *const source =
    "kernel void reduce(global const float *in, global float *out, local float *scratch, uint length) {\n"
    "  size_t item = get_local_id(0), all = get_global_id(0);\n"
    "  scratch[item] = all < length ? in[all] : 0.0f;\n"
    "  for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (item < half_size) scratch[item] += scratch[item + half_size];\n"
    "  }\n"
    "  if (item == 0) out[get_group_id(0)] = scratch[0];\n"
    "}\n";

static void set_one(quern_handle_t handle, const size_t point[3], void *data) {
  void *pointer;
  if (quern_handle_get_pointer(handle, *(const quern_accessor_t *)data, &pointer) == quern_success) {
    ((float *)pointer)[point[0]] = 1.0f;
  }
}

/* for_each of the example, on a queue of another context. */
static void set_all_to_one(quern_memory_t memory, quern_accessor_t *accessor) {
  const quern_range_t range = {.dimensions = 1, .global = {count}};
  quern_group_t group = test_group(test_on_host.in_order);
  *accessor = test_access(group, memory, quern_access_discard_write);
  ASSERT_SUCCESS(quern_group_set_host_kernel(group, set_one, accessor, &range));
  test_submit_only(group);
}

/* One step: `length` values of `in` become a value for each work-group in `out`. Steps after the first have two
 * halves of the bound buffer in turn, since a work-group may not overwrite what another one still reads. */
static void reduce(quern_kernel_t kernel, quern_accessor_t in, quern_accessor_t out, quern_group_t group,
                   cl_uint length) {
  const quern_range_t range = {.dimensions = 1, .global = {(length + local - 1) / local * local}, .local = {local}};
  ASSERT_SUCCESS(quern_group_set_kernel(group, kernel, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, in));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 1, out));
  ASSERT_SUCCESS(quern_group_set_argument(group, 2, local * sizeof(float), NULL));
  ASSERT_SUCCESS(quern_group_set_argument(group, 3, sizeof(length), &length));
  test_submit_only(group);
}

static void the_reduction_runs_in_a_bound_buffer(void **state) {
  (void)state;
  static float values[count];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.bound_context = test_on_device.context;
  quern_program_t program = NULL;
  quern_kernel_t kernel = NULL;
  quern_accessor_t written;
  ASSERT_SUCCESS(quern_program_create_from_source(test_on_device.context, source, NULL, &program));
  ASSERT_SUCCESS(quern_kernel_create(program, "reduce", &kernel));
  quern_memory_t memory = test_buffer(sizeof(values), values, NULL);
  quern_memory_t temporaries[] = {test_buffer(sizeof(values), NULL, &options),
                                  test_buffer(sizeof(values), NULL, &options)};
  set_all_to_one(memory, &written);
  int steps = 0;
  for (cl_uint length = count; length > 1; length = (length + local - 1) / local, steps++) {
    quern_group_t group = test_group(test_on_device.out_of_order);
    quern_accessor_t in = test_access(group, steps ? temporaries[(steps + 1) % 2] : memory, quern_access_read);
    quern_accessor_t out = test_access(group, temporaries[steps % 2], quern_access_read_write);
    reduce(kernel, in, out, group, length);
  }
  assert_true(steps > 1);
  quern_host_access_t access = NULL;
  void *pointer = NULL;
  ASSERT_SUCCESS(
      quern_host_access_begin(temporaries[(steps + 1) % 2], quern_access_read, 0, sizeof(float), &pointer, &access));
  assert_true(*(const float *)pointer == (float)count);
  ASSERT_SUCCESS(quern_host_access_end(access));
  for (int i = 0; i < 2; i++) {
    quern_memory_statistics_t statistics;
    ASSERT_SUCCESS(quern_memory_get_statistics(temporaries[i], &statistics));
    assert_int_equal(statistics.copies + statistics.maps, 0);
    ASSERT_SUCCESS(quern_memory_release(temporaries[i]));
  }
  ASSERT_SUCCESS(quern_memory_release(memory));
  assert_true(values[count - 1] == 1.0f);
  ASSERT_SUCCESS(quern_kernel_release(kernel));
  ASSERT_SUCCESS(quern_program_release(program));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_reduction_runs_in_a_bound_buffer)};
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
