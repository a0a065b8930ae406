/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxUpdateDescriptors. */
#include "support.h"

typedef struct update_test_t {
  test_kernel_t kernel;
  test_buffer_t a, b;
  mux_command_buffer_t command_buffer;
  test_launch_t launch;
} update_test_t;

enum { items = 16, launch_id = 1 };

/* Command 0 is a fill, command 1 the launch. */
static void create_update(update_test_t *it) {
  TEST_NEEDS(test.info->descriptors_updatable, "a device that updates descriptors");
  it->kernel = test_kernel_create();
  it->a = test_buffer_create(items * sizeof(uint64_t));
  it->b = test_buffer_create(items * sizeof(uint64_t));
  it->command_buffer = test_command_buffer_create();
  const uint8_t zero = 0;
  test_launch_fill(&it->launch, it->a.buffer, 10, items);
  ASSERT_SUCCESS(muxCommandFillBuffer(it->command_buffer, it->a.buffer, 0, 8, &zero, 1, NO_SYNC));
  ASSERT_SUCCESS(muxCommandNDRange(it->command_buffer, it->kernel.kernel, it->launch.options, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(it->command_buffer));
}

static void destroy_update(update_test_t *it) {
  test_command_buffer_destroy(it->command_buffer);
  test_buffer_destroy(&it->b);
  test_buffer_destroy(&it->a);
  test_kernel_destroy(&it->kernel);
}

TEST(replaces_one_argument_or_several) {
  update_test_t it;
  create_update(&it);
  const uint64_t indices[] = {1, 0};
  it.launch.first = 20;
  ASSERT_SUCCESS(muxUpdateDescriptors(it.command_buffer, launch_id, 1, indices, &it.launch.descriptors[1]));
  ASSERT_SUCCESS(test_command_buffer_run_again(it.command_buffer));
  test_launch_check(it.a.bytes, 20, items);

  mux_descriptor_info_t swapped[2] = {it.launch.descriptors[1], it.launch.descriptors[0]};
  it.launch.first = 30;
  swapped[1].buffer_descriptor.buffer = it.b.buffer;
  ASSERT_SUCCESS(muxUpdateDescriptors(it.command_buffer, launch_id, 2, indices, swapped));
  it.launch.first = 0; /* It was copied. */
  ASSERT_SUCCESS(test_command_buffer_run_again(it.command_buffer));
  test_launch_check(it.b.bytes, 30, items);
  test_launch_check(it.a.bytes + 8, 21, items - 1);
  destroy_update(&it);
}

TEST(replaces_all_or_nothing) {
  update_test_t it;
  create_update(&it);
  const uint64_t indices[] = {0, 1};
  mux_descriptor_info_t descriptors[2] = {it.launch.descriptors[0], it.launch.descriptors[1]};
  descriptors[0].buffer_descriptor.buffer = it.b.buffer;
  descriptors[1].plain_old_data_descriptor.length = 4;
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 2, indices, descriptors));
  ASSERT_SUCCESS(test_command_buffer_run_again(it.command_buffer));
  test_launch_check(it.a.bytes, 10, items);
  for (size_t i = 0; i < items * sizeof(uint64_t); i++) assert_int_equal(it.b.bytes[i], 0);
  destroy_update(&it);
}

TEST(needs_a_command_buffer_that_is_finalized_and_idle) {
  update_test_t it;
  create_update(&it);
  const uint64_t index = 1;
  const mux_descriptor_info_t *value = &it.launch.descriptors[1];
  test_gate_t gate = test_gate_create();
  ASSERT_SUCCESS(muxDispatch(test.queue, it.command_buffer, NULL, &gate.semaphore, 1, NULL, 0, NULL, NULL));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 1, &index, value));
  test_gate_open(&gate);
  test_gate_destroy(&gate);
  ASSERT_SUCCESS(muxUpdateDescriptors(it.command_buffer, launch_id, 1, &index, value));
  ASSERT_SUCCESS(muxResetCommandBuffer(it.command_buffer));
  ASSERT_SUCCESS(muxCommandNDRange(it.command_buffer, it.kernel.kernel, it.launch.options, NO_SYNC));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, 0, 1, &index, value));
  destroy_update(&it);
}

TEST(refuses_bad_arguments) {
  update_test_t it;
  create_update(&it);
  const uint64_t zero = 0, one = 1, two = 2;
  const mux_descriptor_info_t *buffer = &it.launch.descriptors[0], *value = &it.launch.descriptors[1];
  mux_descriptor_info_t malformed = *buffer;
  malformed.buffer_descriptor.buffer = NULL;
  ASSERT_REFUSES_BAD(mux_command_buffer_t, command_buffer, muxUpdateDescriptors(bad, launch_id, 1, &one, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, 0, 1, &one, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, 2, 1, &one, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, UINT32_MAX, 1, &one, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 0, &one, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 1, NULL, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 1, &one, NULL));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 1, &two, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 1, &zero, value));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 1, &one, buffer));
  ASSERT_INVALID(muxUpdateDescriptors(it.command_buffer, launch_id, 1, &zero, &malformed));
  ASSERT_UNSUPPORTED_WITH(descriptors_updatable, false,
                          muxUpdateDescriptors(it.command_buffer, launch_id, 1, &one, value));
  malformed.type = mux_descriptor_info_type_custom_buffer;
  ASSERT_UNSUPPORTED_WITH(custom_buffer_capabilities, 0,
                          muxUpdateDescriptors(it.command_buffer, launch_id, 1, &zero, &malformed));
  destroy_update(&it);
}

TEST(needs_as_much_local_memory_as_there_is) {
  test_kernel_t kernel = test_kernel_load("strict");
  TEST_NEEDS(test.info->descriptors_updatable, "a device that updates descriptors");
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_descriptor_info_t local = {.type = mux_descriptor_info_type_shared_local_buffer};
  const size_t global_size = 8;
  const uint64_t index = 0;
  const mux_ndrange_options_t options = {.descriptors = &local,
                                         .descriptors_length = 1,
                                         .local_size = {4, 1, 1},
                                         .global_size = &global_size,
                                         .dimensions = 1};
  local.shared_local_buffer_descriptor.size = 16;
  ASSERT_SUCCESS(muxCommandNDRange(command_buffer, kernel.kernel, options, NO_SYNC));
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  local.shared_local_buffer_descriptor.size = test.info->shared_local_memory_size;
  ASSERT_SUCCESS(muxUpdateDescriptors(command_buffer, 0, 1, &index, &local));
  local.shared_local_buffer_descriptor.size++;
  ASSERT_RESULT(mux_error_out_of_memory, muxUpdateDescriptors(command_buffer, 0, 1, &index, &local));
  ASSERT_SUCCESS(test_command_buffer_run_again(command_buffer));
  test_command_buffer_destroy(command_buffer);
  test_kernel_destroy(&kernel);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(replaces_one_argument_or_several),
    cmocka_unit_test(replaces_all_or_nothing),
    cmocka_unit_test(needs_a_command_buffer_that_is_finalized_and_idle),
    cmocka_unit_test(refuses_bad_arguments),
    cmocka_unit_test(needs_as_much_local_memory_as_there_is),
};

TEST_MAIN(tests)
