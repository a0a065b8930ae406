/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What maps and unmaps become: nothing where the host sees the device's memory as it is; where it has to be flushed, a
 * flush of just the mapped bytes; a copy where the host does not see it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cl/memory/mapping.h"
#include "cl/memory/memory.h"
#include "mux/mux.h"

enum { ORIGIN = 4096, OFFSET = 100, SIZE = 28 };

/** What the device is told to do. */
typedef enum command_e { no_command, flush_from_device, flush_to_device, read_buffer, write_buffer } command_e;

static struct {
  command_e command;
  uint64_t offset, size;
  const void *pointer;
} told;

static void tell(command_e command, uint64_t offset, const void *pointer, uint64_t size) {
  told.command = command;
  told.offset = offset;
  told.pointer = pointer;
  told.size = size;
}

/* ---------------------------------------------------------------- in front of Mux */

static struct mux_queue_s mux_queue;

mux_result_t __wrap_muxFlushMappedMemoryFromDevice(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                   uint64_t size);
mux_result_t __wrap_muxFlushMappedMemoryToDevice(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                 uint64_t size);
mux_result_t __wrap_muxCommandReadBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                         void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS);
mux_result_t __wrap_muxCommandWriteBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                          const void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS);
mux_result_t __wrap_muxCommandUserCallback(mux_command_buffer_t command_buffer,
                                           mux_command_user_callback_t user_function, void *user_data,
                                           MUX_SYNC_PARAMETERS);

mux_result_t __wrap_muxFlushMappedMemoryFromDevice(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                   uint64_t size) {
  (void)device, (void)memory;
  tell(flush_from_device, offset, NULL, size);
  return mux_success;
}

mux_result_t __wrap_muxFlushMappedMemoryToDevice(mux_device_t device, mux_memory_t memory, uint64_t offset,
                                                 uint64_t size) {
  (void)device, (void)memory;
  tell(flush_to_device, offset, NULL, size);
  return mux_success;
}

mux_result_t __wrap_muxCommandReadBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                         void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  (void)command_buffer, (void)buffer;
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list, (void)out_sync_point;
  tell(read_buffer, offset, host_pointer, size);
  return mux_success;
}

mux_result_t __wrap_muxCommandWriteBuffer(mux_command_buffer_t command_buffer, mux_buffer_t buffer, uint64_t offset,
                                          const void *host_pointer, uint64_t size, MUX_SYNC_PARAMETERS) {
  (void)command_buffer, (void)buffer;
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list, (void)out_sync_point;
  tell(write_buffer, offset, host_pointer, size);
  return mux_success;
}

/** At once: these are the flushes. */
mux_result_t __wrap_muxCommandUserCallback(mux_command_buffer_t command_buffer,
                                           mux_command_user_callback_t user_function, void *user_data,
                                           MUX_SYNC_PARAMETERS) {
  (void)num_sync_points_in_wait_list, (void)sync_point_wait_list, (void)out_sync_point;
  user_function(&mux_queue, command_buffer, user_data);
  return mux_success;
}

/* ---------------------------------------------------------------- tests */

static unsigned char copy[SIZE];

/** A mapping of a sub-buffer of memory with these properties. */
typedef struct scene_t {
  struct mux_memory_s memory;
  struct _cl_mem root, part;
  mapping_t mapping;
} scene_t;

static void scene_make(scene_t *scene, uint32_t properties, cl_map_flags flags, bool is_copy) {
  *scene = (scene_t){.memory = {.properties = properties},
                     .root = {.memory = &scene->memory},
                     .part = {.parent = &scene->root, .origin = ORIGIN},
                     .mapping = {.memory = &scene->part, .offset = OFFSET, .size = SIZE, .flags = flags}};
  scene->mapping.is_copy = is_copy;
  scene->mapping.pointer = copy;
}

static void expect(const scene_t *scene, command_e on_map, command_e on_unmap) {
  const uint64_t offset = scene->mapping.is_copy ? OFFSET : ORIGIN + OFFSET;
  mapping_t mapping = scene->mapping;
  for (int unmaps = 0; unmaps < 2; unmaps++) {
    const command_e command = unmaps ? on_unmap : on_map;
    tell(no_command, offset, mapping.is_copy ? copy : NULL, SIZE);
    if (command != no_command) memset(&told, 0xff, sizeof told);
    assert_int_equal(unmaps ? mapping_record_unmap(&mapping, NULL) : mapping_record_map(&mapping, NULL), mux_success);
    assert_int_equal(told.command, command);
    assert_int_equal(told.offset, offset);
    assert_int_equal(told.size, SIZE);
    assert_ptr_equal(told.pointer, mapping.is_copy ? copy : NULL);
  }
}

static void expect_for(uint32_t properties, bool is_copy, const command_e commands[2]) {
  const struct {
    cl_map_flags flags;
    bool reads, writes;
  } rows[] = {{CL_MAP_READ, true, false},
              {CL_MAP_WRITE, true, true},
              {CL_MAP_READ | CL_MAP_WRITE, true, true},
              {CL_MAP_WRITE_INVALIDATE_REGION, false, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    scene_t scene;
    scene_make(&scene, properties, rows[i].flags, is_copy);
    expect(&scene, rows[i].reads ? commands[0] : no_command, rows[i].writes ? commands[1] : no_command);
  }
}

static void coherent_memory_needs_nothing(void **state) {
  (void)state;
  const command_e nothing[2] = {no_command, no_command};
  expect_for(mux_memory_property_host_visible | mux_memory_property_host_coherent, false, nothing);
}

static void other_memory_is_flushed(void **state) {
  (void)state;
  const command_e flushes[2] = {flush_from_device, flush_to_device};
  expect_for(mux_memory_property_host_visible, false, flushes);
}

static void what_the_host_does_not_see_is_copied(void **state) {
  (void)state;
  const command_e copies[2] = {read_buffer, write_buffer};
  expect_for(mux_memory_property_device_local, true, copies);
}

static void a_part_lies_at_its_origin(void **state) {
  (void)state;
  static unsigned char bytes[2 * ORIGIN];
  scene_t scene;
  scene_make(&scene, mux_memory_property_host_visible, CL_MAP_READ, false);
  assert_null(memory_host_address(&scene.part, OFFSET));
  scene.root.host_base = bytes;
  assert_ptr_equal(memory_host_address(&scene.part, OFFSET), bytes + ORIGIN + OFFSET);
  assert_ptr_equal(memory_host_address(&scene.root, OFFSET), bytes + OFFSET);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coherent_memory_needs_nothing),
      cmocka_unit_test(other_memory_is_flushed),
      cmocka_unit_test(what_the_host_does_not_see_is_copied),
      cmocka_unit_test(a_part_lies_at_its_origin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
