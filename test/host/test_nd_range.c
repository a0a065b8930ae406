/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernel launches: geometry, arguments, and that each work-group runs exactly once. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "host/runtime/device.h"
#include "kernels.h"

static void launch(mux_kernel_t kernel, size_t global, size_t local, const mux_descriptor_info_t *args, size_t count) {
  mux_command_buffer_t commands = command_buffer_create(&test);
  assert_int_equal(launch_record(commands, kernel, global, local, args, count), mux_success);
  run(&test, commands);
  command_buffer_destroy(&test, commands);
}

/* ---------------------------------------------------------------- coverage */

static void every_group_runs_once(void **state) {
  (void)state;
  static const size_t counts[] = {1, 2, 3, 7, 64, 1000, 100003};
  mux_kernel_t kernel = kernel_create(&test, "mark");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    host_test_buffer_t buffer = buffer_create(&test, counts[i] * sizeof(uint32_t));
    mux_descriptor_info_t arg = buffer_arg(buffer.buffer);
    /* Again and again, as the cost that is learnt changes who runs what. */
    for (uint32_t round = 1; round <= 5; ++round) {
      launch(kernel, counts[i] * 4, 4, &arg, 1);
      for (size_t g = 0; g < counts[i]; ++g) assert_int_equal(((uint32_t *)buffer.data)[g], round);
    }
    buffer_destroy(&test, &buffer);
  }
  kernel_destroy(&test, kernel);
}

static void groups_of_uneven_cost_run_once(void **state) {
  (void)state;
  enum { groups = 777 };
  mux_kernel_t kernel = kernel_create(&test, "uneven");
  host_test_buffer_t buffer = buffer_create(&test, groups * sizeof(uint32_t));
  uint64_t work[] = {10, 3000, 0, 500};
  for (uint32_t round = 0; round < 4; ++round) {
    uint64_t period = 100;
    mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer), value_arg(&period, 8), value_arg(&work[round], 8)};
    launch(kernel, groups, 1, args, 3);
    for (size_t g = 0; g < groups; ++g) assert_int_equal(((uint32_t *)buffer.data)[g], round + 1);
  }
  buffer_destroy(&test, &buffer);
  kernel_destroy(&test, kernel);
}

static void vector_add_with_a_last_smaller_group(void **state) {
  (void)state;
  enum { items = 10007 };
  mux_kernel_t kernel = kernel_create(&test, "add");
  host_test_buffer_t a = buffer_create(&test, items * 4), b = buffer_create(&test, items * 4),
                     c = buffer_create(&test, items * 4);
  for (int i = 0; i < items; ++i) ((int *)a.data)[i] = i, ((int *)b.data)[i] = 3 * i;
  mux_descriptor_info_t args[] = {buffer_arg(a.buffer), buffer_arg(b.buffer), buffer_arg(c.buffer)};
  launch(kernel, items, 64, args, 3);
  for (int i = 0; i < items; ++i) assert_int_equal(((int *)c.data)[i], 4 * i);
  buffer_destroy(&test, &a);
  buffer_destroy(&test, &b);
  buffer_destroy(&test, &c);
  kernel_destroy(&test, kernel);
}

static void group_memory_is_private_to_a_group(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "memory");
  host_test_buffer_t bad = buffer_create(&test, 4);
  mux_descriptor_info_t arg = buffer_arg(bad.buffer);
  static const size_t local_sizes[] = {1, 256, 4096, 16};
  for (size_t i = 0; i < 4; ++i) launch(kernel, local_sizes[i] * 300, local_sizes[i], &arg, 1);
  assert_int_equal(*(uint32_t *)bad.data, 0);
  buffer_destroy(&test, &bad);
  kernel_destroy(&test, kernel);
}

/* ---------------------------------------------------------------- arguments */

static void arguments_and_geometry_arrive(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "inspect");
  host_test_buffer_t buffer = buffer_create(&test, sizeof(kernels_inspected_t) + 128);
  unsigned char byte = 42, wide[32];
  memset(wide, 7, sizeof wide);
  mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer), local_arg(10), value_arg(&byte, 1), value_arg(wide, 32),
                                  local_arg(100)};
  args[0].buffer_descriptor.offset = 128;
  size_t global[] = {10, 6, 5}, offset[] = {1, 2, 3};
  mux_ndrange_options_t options = {.descriptors = args,
                                   .descriptors_length = 5,
                                   .local_size = {4, 3, 2},
                                   .global_offset = offset,
                                   .global_size = global,
                                   .dimensions = 3};
  mux_command_buffer_t commands = command_buffer_create(&test);
  assert_int_equal(muxCommandNDRange(commands, kernel, options, 0, NULL, NULL), mux_success);
  run(&test, commands);
  const kernels_inspected_t *out = (void *)((char *)buffer.data + 128);
  assert_int_equal(out->block % 128, 0);
  assert_int_equal(out->local % 128, 0);
  assert_int_equal(out->scratch % 128, 0);
  assert_int_equal(out->first_local, 128);
  assert_int_equal(out->second_local, 144);
  assert_int_equal(out->byte, 42);
  assert_memory_equal(out->wide, wide, 32);
  const uint32_t streaming_mib = host_device(test.device)->streaming_mib;
  assert_true(streaming_mib > 0);
  const host_ndrange_t expected = {{10, 6, 5}, {1, 2, 3}, {4, 3, 2}, {3, 2, 3}, 3, streaming_mib, 0, 0};
  assert_memory_equal(&out->ndrange, &expected, sizeof expected);
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &buffer);
  kernel_destroy(&test, kernel);
}

static void null_and_custom_buffers_are_addresses(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "add");
  int a[] = {1, 2}, b[] = {10, 20}, c[2];
  mux_descriptor_info_t args[3];
  const void *pointers[] = {a, b, c};
  for (int i = 0; i < 3; ++i)
    args[i] = (mux_descriptor_info_t){.type = mux_descriptor_info_type_custom_buffer,
                                      .custom_buffer_descriptor = {.data = pointers[i]}};
  launch(kernel, 2, 2, args, 3);
  assert_int_equal(c[0], 11);
  assert_int_equal(c[1], 22);
  kernel_destroy(&test, kernel);
  kernel = kernel_create(&test, "print");
  mux_descriptor_info_t nothing = {.type = mux_descriptor_info_type_null_buffer};
  launch(kernel, 3, 1, &nothing, 1);
  kernel_destroy(&test, kernel);
}

static mux_image_t image_create(mux_memory_t *memory) {
  mux_image_t image;
  assert_int_equal(muxCreateImage(test.device, mux_image_type_3d, MUX_IMAGE_FORMAT(0xb6, 0xd2), 5, 4, 3, 0, 24, 100,
                                  allocator, &image),
                   mux_success);
  if (!memory) return image;
  assert_int_equal(muxAllocateMemory(test.device, image->memory_requirements.size, 1, mux_memory_property_device_local,
                                     mux_allocation_type_alloc_device, 0, allocator, memory),
                   mux_success);
  assert_int_equal(muxBindImageMemory(test.device, *memory, image, 0), mux_success);
  return image;
}

static void images_are_descriptions_and_samplers_bits(void **state) {
  (void)state;
  mux_memory_t memory;
  mux_kernel_t kernel = kernel_create(&test, "picture");
  host_test_buffer_t buffer = buffer_create(&test, sizeof(kernels_pictured_t));
  mux_image_t image = image_create(&memory), unbound = image_create(NULL);
  mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer),
                                  {.type = mux_descriptor_info_type_image, .image_descriptor = {image}},
                                  {.type = mux_descriptor_info_type_sampler,
                                   .sampler_descriptor = {{.address_mode = mux_address_mode_repeat_mirror,
                                                           .filter_mode = mux_filter_mode_linear,
                                                           .normalize_coords = true,
                                                           .max_lod = FLT_MAX}}}};
  launch(kernel, 1, 1, args, 3);
  const kernels_pictured_t *out = buffer.data;
  assert_non_null(out->image.data);
  assert_int_equal(out->image.width, 5);
  assert_int_equal(out->image.height, 4);
  assert_int_equal(out->image.depth, 3);
  assert_int_equal(out->image.layers, 1);
  assert_int_equal(out->image.row_pitch, 24);
  assert_int_equal(out->image.slice_pitch, 100);
  assert_int_equal(out->image.pixel_size, 4);
  assert_int_equal(out->image.channel_order, 0x10b6);
  assert_int_equal(out->image.channel_type, 0x10d2);
  assert_int_equal(out->image.format, IMAGE_FORMAT(image_component_unorm8, 4, image_order_bgra, true));
  assert_int_equal(out->sampler,
                   IMAGE_SAMPLER_NORMALIZED | IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT | IMAGE_SAMPLER_LINEAR);
  args[2].sampler_descriptor.sampler.mip_filter_mode = mux_filter_mode_linear;
  args[2].sampler_descriptor.sampler.min_lod = 1.25F;
  args[2].sampler_descriptor.sampler.max_lod = 3;
  launch(kernel, 1, 1, args, 3);
  assert_true(out->sampler & IMAGE_SAMPLER_LEVELS_LINEAR);
  assert_int_equal(IMAGE_SAMPLER_LOD_MIN(out->sampler), 5 * 64);
  assert_int_equal(IMAGE_SAMPLER_LOD_MAX(out->sampler), 3 * 256);

  mux_command_buffer_t recording = command_buffer_create(&test);
  mux_descriptor_info_t wrong[] = {args[0], args[0], args[2]}, swapped[] = {args[0], args[1], args[1]};
  assert_int_equal(launch_record(recording, kernel, 1, 1, wrong, 3), mux_error_invalid_value);
  assert_int_equal(launch_record(recording, kernel, 1, 1, swapped, 3), mux_error_invalid_value);
  args[1].image_descriptor.image = unbound;
  assert_int_equal(launch_record(recording, kernel, 1, 1, args, 3), mux_error_invalid_value);
  command_buffer_destroy(&test, recording);
  muxDestroyImage(test.device, unbound, allocator);
  muxDestroyImage(test.device, image, allocator);
  muxFreeMemory(test.device, memory, allocator);
  buffer_destroy(&test, &buffer);
  kernel_destroy(&test, kernel);
}

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "uneven");
  host_test_buffer_t buffer = buffer_create(&test, 64);
  mux_command_buffer_t commands = command_buffer_create(&test);
  mux_buffer_t unbound = NULL;
  assert_int_equal(muxCreateBuffer(test.device, 64, allocator, &unbound), mux_success);
  uint64_t value = 1;
  const mux_descriptor_info_t good[] = {buffer_arg(buffer.buffer), value_arg(&value, 8), value_arg(&value, 8)};
  const mux_descriptor_info_t bad[] = {value_arg(&value, 8), local_arg(8), buffer_arg(unbound)};
  mux_descriptor_info_t args[4];
  assert_int_equal(launch_record(commands, kernel, 1, 1, good, 2), mux_error_invalid_value);
  memcpy(args, good, sizeof good);
  args[3] = good[2];
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 4), mux_error_invalid_value);
  for (int i = 0; i < 3; ++i) {
    args[0] = bad[i];
    assert_int_equal(launch_record(commands, kernel, 1, 1, args, 3), mux_error_invalid_value);
  }
  args[0] = good[0];
  args[1] = value_arg(&value, 4);
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 3), mux_error_invalid_value);
  args[1] = good[0];
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 3), mux_error_invalid_value);
  /* What was refused left no trace. */
  run(&test, commands);
  assert_int_equal(*(uint32_t *)buffer.data, 0);
  muxDestroyBuffer(test.device, unbound, allocator);
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &buffer);
  kernel_destroy(&test, kernel);
}

static void required_local_size_is_required(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "required");
  mux_command_buffer_t commands = command_buffer_create(&test);
  size_t global[] = {8, 8};
  mux_ndrange_options_t options = {.local_size = {4, 2, 1}, .global_size = global, .dimensions = 2};
  assert_int_equal(muxCommandNDRange(commands, kernel, options, 0, NULL, NULL), mux_success);
  options.local_size[0] = 8;
  assert_int_equal(muxCommandNDRange(commands, kernel, options, 0, NULL, NULL), mux_error_invalid_value);
  command_buffer_destroy(&test, commands);
  kernel_destroy(&test, kernel);
}

static void too_much_local_memory_is_refused(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "inspect");
  host_test_buffer_t buffer = buffer_create(&test, sizeof(kernels_inspected_t));
  unsigned char bytes[32] = {0};
  mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer), local_arg(1), value_arg(bytes, 1), value_arg(bytes, 32),
                                  local_arg(1)};
  mux_command_buffer_t commands = command_buffer_create(&test);
  args[4] = local_arg(test.info->shared_local_memory_size - 144);
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 5), mux_success);
  args[4] = local_arg(test.info->shared_local_memory_size - 143);
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 5), mux_error_out_of_memory);
  args[4] = local_arg(SIZE_MAX);
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 5), mux_error_out_of_memory);
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &buffer);
  kernel_destroy(&test, kernel);
}

/* ---------------------------------------------------------------- updating */

static void descriptors_are_updated_all_or_none(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "add");
  host_test_buffer_t buffers[4];
  for (int i = 0; i < 4; ++i) buffers[i] = buffer_create(&test, 4), *(int *)buffers[i].data = 1 << i;
  mux_descriptor_info_t args[] = {buffer_arg(buffers[0].buffer), buffer_arg(buffers[1].buffer),
                                  buffer_arg(buffers[2].buffer)};
  mux_command_buffer_t commands = command_buffer_create(&test), clone = NULL;
  int host;
  assert_int_equal(muxCommandReadBuffer(commands, buffers[0].buffer, 0, &host, 4, 0, NULL, NULL), mux_success);
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 3), mux_success);
  run(&test, commands);
  assert_int_equal(*(int *)buffers[2].data, 3);
  assert_int_equal(muxCloneCommandBuffer(test.device, allocator, commands, &clone), mux_success);

  const uint64_t indices[] = {0, 1};
  const mux_descriptor_info_t news[] = {buffer_arg(buffers[3].buffer), buffer_arg(buffers[3].buffer)};
  const mux_descriptor_info_t bad[] = {buffer_arg(buffers[3].buffer), local_arg(4)};
  const uint64_t bad_index = 3;
  assert_int_equal(muxUpdateDescriptors(commands, 1, 2, indices, bad), mux_error_invalid_value);
  assert_int_equal(muxUpdateDescriptors(commands, 1, 1, &bad_index, news), mux_error_invalid_value);
  assert_int_equal(muxUpdateDescriptors(commands, 0, 2, indices, news), mux_error_invalid_value);
  assert_int_equal(muxUpdateDescriptors(commands, 2, 2, indices, news), mux_error_invalid_value);
  assert_int_equal(dispatch(test.queue, commands), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(*(int *)buffers[2].data, 3);

  assert_int_equal(muxUpdateDescriptors(commands, 1, 2, indices, news), mux_success);
  assert_int_equal(dispatch(test.queue, commands), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(*(int *)buffers[2].data, 16);
  /* The clone is as it was. */
  assert_int_equal(dispatch(test.queue, clone), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(*(int *)buffers[2].data, 3);

  command_buffer_destroy(&test, commands);
  command_buffer_destroy(&test, clone);
  for (int i = 0; i < 4; ++i) buffer_destroy(&test, &buffers[i]);
  kernel_destroy(&test, kernel);
}

static void updated_local_arguments_move(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "inspect");
  host_test_buffer_t buffer = buffer_create(&test, sizeof(kernels_inspected_t));
  unsigned char bytes[32] = {0};
  mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer), local_arg(10), value_arg(bytes, 1), value_arg(bytes, 32),
                                  local_arg(100)};
  mux_command_buffer_t commands = command_buffer_create(&test), clone = NULL;
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 5), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  assert_int_equal(muxCloneCommandBuffer(test.device, allocator, commands, &clone), mux_success);
  uint64_t index = 1;
  mux_descriptor_info_t larger = local_arg(1000);
  assert_int_equal(muxUpdateDescriptors(clone, 0, 1, &index, &larger), mux_success);
  assert_int_equal(dispatch(test.queue, clone), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(((kernels_inspected_t *)buffer.data)->second_local, 128 + 1008);
  /* Sizes of the original are not those of its clone. */
  index = 4;
  assert_int_equal(muxUpdateDescriptors(commands, 0, 1, &index, &larger), mux_success);
  assert_int_equal(dispatch(test.queue, commands), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(((kernels_inspected_t *)buffer.data)->second_local, 144);
  command_buffer_destroy(&test, commands);
  command_buffer_destroy(&test, clone);
  buffer_destroy(&test, &buffer);
  kernel_destroy(&test, kernel);
}

/* What a clone knows of the sizes of all local arguments, when one of them grows. */
static void a_clone_counts_all_local_arguments(void **state) {
  (void)state;
  mux_kernel_t kernel = kernel_create(&test, "inspect");
  host_test_buffer_t buffer = buffer_create(&test, sizeof(kernels_inspected_t));
  unsigned char bytes[32] = {0};
  const uint64_t limit = test.device->info->shared_local_memory_size;
  mux_descriptor_info_t args[] = {buffer_arg(buffer.buffer), local_arg(10), value_arg(bytes, 1), value_arg(bytes, 32),
                                  local_arg(limit - 1024)};
  mux_command_buffer_t commands = command_buffer_create(&test), clone = NULL;
  assert_int_equal(launch_record(commands, kernel, 1, 1, args, 5), mux_success);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  assert_int_equal(muxCloneCommandBuffer(test.device, allocator, commands, &clone), mux_success);
  uint64_t index = 1;
  const mux_descriptor_info_t little = local_arg(500), much = local_arg(1000);
  assert_int_equal(muxUpdateDescriptors(clone, 0, 1, &index, &little), mux_success);
  assert_int_not_equal(muxUpdateDescriptors(clone, 0, 1, &index, &much), mux_success);
  command_buffer_destroy(&test, commands);
  command_buffer_destroy(&test, clone);
  buffer_destroy(&test, &buffer);
  kernel_destroy(&test, kernel);
}

/* A run may begin at any work-group; the next one is the neighbour in the dimension of the lanes. */
static void groups_follow_each_other_in_the_dimension_of_lanes(void **state) {
  (void)state;
  static const unsigned orders[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};
  for (uint32_t dimension = 0; dimension < 3; ++dimension) {
    const unsigned *order = orders[dimension];
    host_ndrange_t ndrange = {
        .global_size = {10, 6, 5}, .local_size = {4, 3, 2}, .num_groups = {3, 2, 3}, .group_dimension = dimension};
    host_group_t run;
    host_group_first(&ndrange, 0, 18, &run);
    for (uint64_t i = 0; i < 18; ++i) {
      host_group_t group;
      host_group_first(&ndrange, i, 1, &group);
      uint64_t rest = i;
      for (int level = 0; level < 3; ++level) {
        const unsigned d = order[level];
        const uint64_t id = rest % ndrange.num_groups[d];
        rest /= ndrange.num_groups[d];
        assert_int_equal(group.id[d], id);
        assert_int_equal(run.id[d], id);
        const uint64_t left = ndrange.global_size[d] - id * ndrange.local_size[d];
        assert_int_equal(run.size[d], left < ndrange.local_size[d] ? left : ndrange.local_size[d]);
      }
      assert_int_equal(host_group_next(&ndrange, &group), 0);
      assert_int_equal(host_group_next(&ndrange, &run), i < 17);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_follow_each_other_in_the_dimension_of_lanes),
      cmocka_unit_test(every_group_runs_once),
      cmocka_unit_test(groups_of_uneven_cost_run_once),
      cmocka_unit_test(vector_add_with_a_last_smaller_group),
      cmocka_unit_test(group_memory_is_private_to_a_group),
      cmocka_unit_test(arguments_and_geometry_arrive),
      cmocka_unit_test(null_and_custom_buffers_are_addresses),
      cmocka_unit_test(images_are_descriptions_and_samplers_bits),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(required_local_size_is_required),
      cmocka_unit_test(too_much_local_memory_is_refused),
      cmocka_unit_test(descriptors_are_updated_all_or_none),
      cmocka_unit_test(updated_local_arguments_move),
      cmocka_unit_test(a_clone_counts_all_local_arguments),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
