/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * muxCommandNDRange. */
#include "support.h"

typedef struct launch_test_t {
  test_kernel_t kernel;
  test_buffer_t buffer;
  mux_command_buffer_t command_buffer;
  test_launch_t launch;
} launch_test_t;

enum { items = 1024 };

/* A launch of copy_id that is right; the tests change one thing. */
static void create_launch(launch_test_t *it) {
  it->kernel = test_kernel_create();
  it->buffer = test_buffer_create(items * sizeof(uint64_t));
  it->command_buffer = test_command_buffer_create();
  test_launch_fill(&it->launch, it->buffer.buffer, 0, items);
}

static void destroy_launch(launch_test_t *it) {
  test_command_buffer_destroy(it->command_buffer);
  test_buffer_destroy(&it->buffer);
  test_kernel_destroy(&it->kernel);
}

static mux_result_t record(launch_test_t *it) {
  return muxCommandNDRange(it->command_buffer, it->kernel.kernel, it->launch.options, NO_SYNC);
}

TEST(runs_every_work_item) {
  launch_test_t it;
  create_launch(&it);
  it.launch.first = 1000;
  ASSERT_SUCCESS(record(&it));
  memset(&it.launch, 0xff, sizeof(it.launch)); /* All of it was copied. */
  ASSERT_SUCCESS(test_command_buffer_run(it.command_buffer));
  test_launch_check(it.buffer.bytes, 1000, items);
  destroy_launch(&it);
}

TEST(runs_in_one_to_three_dimensions) {
  static const size_t sizes[][3] = {{items, 1, 1}, {32, 32, 1}, {16, 8, 8}, {1, 1, items}};
  static const size_t locals[][3] = {{1, 1, 1}, {7, 1, 1}, {4, 3, 2}};
  launch_test_t it;
  create_launch(&it);
  for (size_t dimensions = 1; dimensions <= 3; dimensions++) {
    for (size_t i = 0; i < 12; i++) {
      const size_t *size = sizes[i / 3], count = dimensions == 1   ? size[0]
                                                 : dimensions == 2 ? size[0] * size[1]
                                                                   : items;
      it.launch.options.dimensions = dimensions;
      it.launch.options.global_size = size;
      memcpy(it.launch.options.local_size, locals[i % 3], sizeof(locals[0]));
      for (size_t unused = dimensions; unused < 3; unused++) it.launch.options.local_size[unused] = 1;
      it.launch.first = i + 1;
      ASSERT_SUCCESS(muxResetCommandBuffer(it.command_buffer));
      ASSERT_SUCCESS(record(&it));
      ASSERT_SUCCESS(test_command_buffer_run(it.command_buffer));
      test_launch_check(it.buffer.bytes, i + 1, count);
    }
  }
  destroy_launch(&it);
}

TEST(adds_the_offset_of_the_buffer) {
  launch_test_t it;
  create_launch(&it);
  it.launch.descriptors[0].buffer_descriptor.offset = 64;
  it.launch.global_size = 8;
  ASSERT_SUCCESS(record(&it));
  ASSERT_SUCCESS(test_command_buffer_run(it.command_buffer));
  test_launch_check(it.buffer.bytes + 64, 0, 8);
  for (int i = 0; i < 64; i++) assert_int_equal(it.buffer.bytes[i], 0);
  destroy_launch(&it);
}

TEST(refuses_bad_ranges) {
  launch_test_t it;
  create_launch(&it);
  mux_ndrange_options_t *options = &it.launch.options;
  size_t sizes[3] = {4, 4, 4};
  const size_t offsets[3] = {SIZE_MAX - 3, 0, 0}, huge[3] = {SIZE_MAX, 2, 1};
  options->dimensions = 0;
  ASSERT_INVALID(record(&it));
  options->dimensions = 4;
  ASSERT_INVALID(record(&it));
  options->dimensions = 3;
  options->global_size = NULL;
  ASSERT_INVALID(record(&it));
  options->global_size = sizes;
  for (int i = 0; i < 3; i++) {
    sizes[i] = 0;
    ASSERT_INVALID(record(&it));
    sizes[i] = 4;
  }
  options->global_offset = offsets;
  ASSERT_INVALID(record(&it));
  options->global_offset = NULL;
  options->global_size = huge;
  ASSERT_INVALID(record(&it));
  options->global_size = sizes;
  ASSERT_SUCCESS(record(&it));
  destroy_launch(&it);
}

TEST(refuses_bad_local_sizes) {
  launch_test_t it;
  create_launch(&it);
  size_t *local = it.launch.options.local_size;
  const size_t limits[3] = {test.info->max_work_group_size_x, test.info->max_work_group_size_y,
                            test.info->max_work_group_size_z};
  for (int i = 0; i < 3; i++) {
    local[i] = 0;
    ASSERT_INVALID(record(&it));
    local[i] = limits[i] + 1;
    ASSERT_INVALID(record(&it));
    local[i] = limits[i];
    ASSERT_SUCCESS(record(&it));
    local[i] = 1;
  }
  local[0] = test.info->max_concurrent_work_items < limits[0] ? test.info->max_concurrent_work_items : limits[0];
  local[1] = test.info->max_concurrent_work_items / local[0] + 1;
  ASSERT_INVALID(record(&it));
  destroy_launch(&it);
}

TEST(refuses_descriptors_that_do_not_fit_the_kernel) {
  launch_test_t it;
  create_launch(&it);
  mux_descriptor_info_t *descriptors = it.launch.descriptors;
  const mux_descriptor_info_t good[2] = {descriptors[0], descriptors[1]};
  it.launch.options.descriptors_length = 1;
  ASSERT_INVALID(record(&it));
  it.launch.options.descriptors_length = 0;
  ASSERT_INVALID(record(&it));
  it.launch.options.descriptors_length = 2;
  descriptors[0] = good[1];
  ASSERT_INVALID(record(&it));
  descriptors[0] = good[0];
  descriptors[1] = good[0];
  ASSERT_INVALID(record(&it));
  descriptors[1] = good[1];
  descriptors[1].plain_old_data_descriptor.length = 4;
  ASSERT_INVALID(record(&it));
  destroy_launch(&it);
}

/* Whatever the kernel's first argument is. */
static mux_result_t record_with(launch_test_t *it, mux_descriptor_info_t descriptor) {
  const mux_descriptor_info_t good = it->launch.descriptors[0];
  it->launch.descriptors[0] = descriptor;
  const mux_result_t result = record(it);
  it->launch.descriptors[0] = good;
  return result;
}

TEST(refuses_malformed_descriptors) {
  launch_test_t it;
  create_launch(&it);
  mux_buffer_t unbound = NULL;
  mux_descriptor_info_t bad = it.launch.descriptors[0];
  ASSERT_SUCCESS(muxCreateBuffer(test.device, 64, test.allocator, &unbound));
  bad.buffer_descriptor.buffer = unbound;
  ASSERT_INVALID(record_with(&it, bad));
  for (unsigned i = 0; i < TEST_BAD_HANDLE_COUNT; i++) {
    bad.type = mux_descriptor_info_type_buffer;
    bad.buffer_descriptor.buffer = test_bad_handle(i, mux_object_id_buffer);
    ASSERT_INVALID(record_with(&it, bad));
    bad.type = mux_descriptor_info_type_image;
    bad.image_descriptor.image = test_bad_handle(i, mux_object_id_image);
    ASSERT_INVALID(record_with(&it, bad));
  }
  bad = it.launch.descriptors[0];
  bad.buffer_descriptor.offset = items * sizeof(uint64_t);
  ASSERT_INVALID(record_with(&it, bad));
  bad.type = (mux_descriptor_info_type_e)7;
  ASSERT_INVALID(record_with(&it, bad));
  bad = it.launch.descriptors[1];
  bad.plain_old_data_descriptor.length = 0;
  ASSERT_INVALID(record_with(&it, bad));
  bad.plain_old_data_descriptor.length = 8;
  bad.plain_old_data_descriptor.data = NULL;
  ASSERT_INVALID(record_with(&it, bad));
  bad = (mux_descriptor_info_t){.type = mux_descriptor_info_type_shared_local_buffer};
  ASSERT_INVALID(record_with(&it, bad));
  bad = (mux_descriptor_info_t){.type = mux_descriptor_info_type_sampler};
  bad.sampler_descriptor.sampler.address_mode = (mux_address_mode_e)5;
  ASSERT_INVALID(record_with(&it, bad));
  bad.sampler_descriptor.sampler.address_mode = mux_address_mode_none;
  bad.sampler_descriptor.sampler.filter_mode = (mux_filter_mode_e)2;
  ASSERT_INVALID(record_with(&it, bad));
  muxDestroyBuffer(test.device, unbound, test.allocator);
  destroy_launch(&it);
}

TEST(takes_custom_buffers_where_the_device_has_them) {
  launch_test_t it;
  create_launch(&it);
  mux_descriptor_info_t custom = {.type = mux_descriptor_info_type_custom_buffer};
  custom.custom_buffer_descriptor.data = it.buffer.bytes;
  ASSERT_UNSUPPORTED_WITH(custom_buffer_capabilities, 0, record_with(&it, custom));
  if (test.info->custom_buffer_capabilities & mux_custom_buffer_capabilities_data) {
    ASSERT_SUCCESS(record_with(&it, custom));
    ASSERT_SUCCESS(test_command_buffer_run(it.command_buffer));
    test_launch_check(it.buffer.bytes, 0, items);
  }
  destroy_launch(&it);
}

TEST(checks_the_required_local_size_and_local_memory) {
  test_kernel_t kernel = test_kernel_load("strict");
  mux_command_buffer_t command_buffer = test_command_buffer_create();
  mux_descriptor_info_t local = {.type = mux_descriptor_info_type_shared_local_buffer};
  local.shared_local_buffer_descriptor.size = test.info->shared_local_memory_size;
  const size_t global_size = 8;
  mux_ndrange_options_t options = {.descriptors = &local,
                                   .descriptors_length = 1,
                                   .local_size = {4, 1, 1},
                                   .global_size = &global_size,
                                   .dimensions = 1};
  ASSERT_SUCCESS(muxCommandNDRange(command_buffer, kernel.kernel, options, NO_SYNC));
  options.local_size[0] = 2;
  ASSERT_INVALID(muxCommandNDRange(command_buffer, kernel.kernel, options, NO_SYNC));
  options.local_size[0] = 4;
  local.shared_local_buffer_descriptor.size++;
  ASSERT_RESULT(mux_error_out_of_memory, muxCommandNDRange(command_buffer, kernel.kernel, options, NO_SYNC));
  local.shared_local_buffer_descriptor.size = SIZE_MAX;
  ASSERT_RESULT(mux_error_out_of_memory, muxCommandNDRange(command_buffer, kernel.kernel, options, NO_SYNC));
  ASSERT_SUCCESS(test_command_buffer_run(command_buffer));
  test_command_buffer_destroy(command_buffer);
  test_kernel_destroy(&kernel);
}

TEST(refuses_bad_arguments) {
  launch_test_t it;
  create_launch(&it);
  const mux_ndrange_options_t options = it.launch.options;
  ASSERT_CHECKS_COMMAND_BUFFER(muxCommandNDRange(command_buffer, it.kernel.kernel, options, NO_SYNC));
  ASSERT_REFUSES_BAD(mux_kernel_t, kernel, muxCommandNDRange(it.command_buffer, bad, options, NO_SYNC));
  it.launch.options.descriptors = NULL;
  ASSERT_INVALID(record(&it));
  ASSERT_CHECKS_SYNC(it.command_buffer, muxCommandNDRange(it.command_buffer, it.kernel.kernel, options, CHECKED_SYNC));
  ASSERT_RECORDS_WITHOUT_MEMORY(muxCommandNDRange(it.command_buffer, it.kernel.kernel, options, NO_SYNC));
  destroy_launch(&it);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(runs_every_work_item),
    cmocka_unit_test(runs_in_one_to_three_dimensions),
    cmocka_unit_test(adds_the_offset_of_the_buffer),
    cmocka_unit_test(refuses_bad_ranges),
    cmocka_unit_test(refuses_bad_local_sizes),
    cmocka_unit_test(refuses_descriptors_that_do_not_fit_the_kernel),
    cmocka_unit_test(refuses_malformed_descriptors),
    cmocka_unit_test(takes_custom_buffers_where_the_device_has_them),
    cmocka_unit_test(checks_the_required_local_size_and_local_memory),
    cmocka_unit_test(refuses_bad_arguments),
};

TEST_MAIN(tests)
