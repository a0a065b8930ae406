/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory, and the commands that read, write, copy and fill it; order, queries and states of command buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fixture.h"
#include "host/runtime/device.h"

/* ---------------------------------------------------------------- memory */

static void allocations_are_aligned_and_counted(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 100, 70000, (size_t)3 << 20};
  static const size_t alignments[] = {128, 128, 4096, (size_t)2 << 20};
  for (size_t i = 0; i < 4; ++i) {
    host_test_buffer_t buffer = buffer_create(&test, sizes[i]);
    assert_int_equal((uintptr_t)buffer.data % alignments[i], 0);
    assert_int_equal(host_device_allocated(test.device), sizes[i]);
    memset(buffer.data, 1, sizes[i]);
    buffer_destroy(&test, &buffer);
    assert_int_equal(host_device_allocated(test.device), 0);
  }
}

static void too_much_memory_is_refused_cleanly(void **state) {
  (void)state;
  mux_memory_t memory = NULL;
  static const uint32_t visible = mux_memory_property_host_visible;
  size_t too_large = test.info->allocation_size + 1;
  assert_int_equal(
      muxAllocateMemory(test.device, too_large, 1, visible, mux_allocation_type_alloc_device, 0, allocator, &memory),
      mux_error_out_of_memory);
  assert_int_equal(
      muxAllocateMemory(test.device, SIZE_MAX, 1, visible, mux_allocation_type_alloc_device, 0, allocator, &memory),
      mux_error_out_of_memory);
  assert_null(memory);
  assert_int_equal(host_device_allocated(test.device), 0);
}

static void host_memory_is_not_copied(void **state) {
  (void)state;
  char storage[256] = {0};
  mux_memory_t memory = NULL;
  mux_buffer_t buffer = NULL;
  void *mapped = NULL;
  assert_int_equal(muxCreateMemoryFromHost(test.device, 256, storage, allocator, &memory), mux_success);
  assert_int_equal(host_device_allocated(test.device), 0);
  assert_int_equal(muxCreateBuffer(test.device, 256, allocator, &buffer), mux_success);
  assert_int_equal(muxBindBufferMemory(test.device, memory, buffer, 0), mux_success);
  assert_int_equal(muxBindBufferMemory(test.device, memory, buffer, 0), mux_error_invalid_value);
  assert_int_equal(muxMapMemory(test.device, memory, 10, 20, &mapped), mux_success);
  assert_ptr_equal(mapped, storage + 10);
  assert_int_equal(muxMapMemory(test.device, memory, 0, 1, &mapped), mux_error_invalid_value);
  assert_int_equal(muxFlushMappedMemoryToDevice(test.device, memory, 10, 20), mux_success);
  assert_int_equal(muxUnmapMemory(test.device, memory), mux_success);
  assert_int_equal(muxUnmapMemory(test.device, memory), mux_error_invalid_value);
  assert_int_equal(muxFlushMappedMemoryFromDevice(test.device, memory, 10, 20), mux_error_invalid_value);
  muxDestroyBuffer(test.device, buffer, allocator);
  muxFreeMemory(test.device, memory, allocator);
}

/* ---------------------------------------------------------------- linear commands */

static void write_copy_read(void **state) {
  (void)state;
  enum { size = 5000 };
  host_test_buffer_t a = buffer_create(&test, size), b = buffer_create(&test, size);
  unsigned char in[size], out[size];
  for (int i = 0; i < size; ++i) in[i] = (unsigned char)(i * 7);
  memset(out, 0, size);
  mux_command_buffer_t commands = command_buffer_create(&test);
  mux_sync_point_t sync = NULL;
  assert_int_equal(muxCommandWriteBuffer(commands, a.buffer, 10, in, size - 10, 0, NULL, &sync), mux_success);
  assert_non_null(sync);
  assert_int_equal(muxCommandCopyBuffer(commands, a.buffer, 20, b.buffer, 5, size - 20, 1, &sync, NULL), mux_success);
  assert_int_equal(muxCommandReadBuffer(commands, b.buffer, 5, out, 100, 0, NULL, NULL), mux_success);
  run(&test, commands);
  assert_memory_equal(out, in + 10, 100);
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &a);
  buffer_destroy(&test, &b);
}

static void fill_with_every_pattern_size(void **state) {
  (void)state;
  unsigned char pattern[128];
  for (int i = 0; i < 128; ++i) pattern[i] = (unsigned char)(i + 1);
  for (size_t size = 1; size <= 128; ++size) {
    size_t total = size * 301;
    host_test_buffer_t buffer = buffer_create(&test, total);
    mux_command_buffer_t commands = command_buffer_create(&test);
    assert_int_equal(
        muxCommandFillBuffer(commands, buffer.buffer, size, total - 2 * size, pattern, size, 0, NULL, NULL),
        mux_success);
    run(&test, commands);
    const unsigned char *data = buffer.data;
    for (size_t i = 0; i < total; ++i) assert_int_equal(data[i], i < size || i >= total - size ? 0 : pattern[i % size]);
    command_buffer_destroy(&test, commands);
    buffer_destroy(&test, &buffer);
  }
}

/* ---------------------------------------------------------------- regions */

static void region_copy_naively(const mux_buffer_region_info_t *r, const unsigned char *from, unsigned char *to) {
  for (size_t z = 0; z < r->region.z; ++z)
    for (size_t y = 0; y < r->region.y; ++y)
      for (size_t x = 0; x < r->region.x; ++x)
        to[(r->dst_origin.z + z) * r->dst_desc.y + (r->dst_origin.y + y) * r->dst_desc.x + r->dst_origin.x + x] =
            from[(r->src_origin.z + z) * r->src_desc.y + (r->src_origin.y + y) * r->src_desc.x + r->src_origin.x + x];
}

static const mux_buffer_region_info_t regions[] = {
    {{3, 4, 5}, {1, 2, 3}, {4, 0, 1}, {10, 60}, {8, 50}},
    /* Rows without gaps, then slices without gaps as well. */
    {{10, 4, 5}, {0, 1, 0}, {0, 0, 1}, {10, 60}, {10, 40}},
    {{10, 6, 3}, {0, 0, 2}, {0, 0, 1}, {10, 60}, {10, 60}},
    {{1, 1, 1}, {9, 5, 7}, {0, 0, 0}, {10, 60}, {1, 1}},
    {{7, 1, 4}, {2, 3, 1}, {1, 1, 0}, {10, 60}, {7, 7 * 3}},
};

static void regions_agree_with_the_naive_copy(void **state) {
  (void)state;
  enum { size = 600 };
  const uint64_t count = sizeof regions / sizeof *regions;
  unsigned char in[size], out[size], expected[size];
  host_test_buffer_t a = buffer_create(&test, size), b = buffer_create(&test, size);
  for (int i = 0; i < size; ++i) in[i] = (unsigned char)(i * 13 + i / 256);
  memset(expected, 0, size);
  memset(out, 0, size);
  for (uint64_t i = 0; i < count; ++i) region_copy_naively(&regions[i], in, expected);

  mux_command_buffer_t commands = command_buffer_create(&test);
  memcpy(a.data, in, size);
  assert_int_equal(muxCommandReadBufferRegions(commands, a.buffer, out, regions, count, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandCopyBufferRegions(commands, a.buffer, b.buffer, regions, count, 0, NULL, NULL),
                   mux_success);
  run(&test, commands);
  assert_memory_equal(out, expected, size);
  assert_memory_equal(b.data, expected, size);

  assert_int_equal(muxResetCommandBuffer(commands), mux_success);
  memset(b.data, 0, size);
  assert_int_equal(muxCommandWriteBufferRegions(commands, b.buffer, in, regions, count, 0, NULL, NULL), mux_success);
  run(&test, commands);
  assert_memory_equal(b.data, expected, size);
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &a);
  buffer_destroy(&test, &b);
}

/* ---------------------------------------------------------------- order, callbacks, queries */

typedef struct order_t {
  int next;
} order_t;

static void order_note(mux_queue_t queue, mux_command_buffer_t command_buffer, void *user_data) {
  order_t *order = user_data;
  assert_ptr_equal(queue, test.queue);
  assert_non_null(command_buffer);
  ++order->next;
}

static void commands_run_in_order_with_durations(void **state) {
  (void)state;
  mux_query_pool_t pool = NULL;
  struct mux_query_duration_result_s results[3];
  order_t order = {0};
  unsigned char from = 1, to = 0;
  host_test_buffer_t buffer = buffer_create(&test, 1);
  assert_int_equal(muxCreateQueryPool(test.queue, mux_query_type_duration, 3, NULL, allocator, &pool), mux_success);
  mux_command_buffer_t commands = command_buffer_create(&test);
  uint64_t before = clock_now_ns();
  assert_int_equal(muxCommandBeginQuery(commands, pool, 0, 2, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandUserCallback(commands, order_note, &order, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandBeginQuery(commands, pool, 2, 1, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandWriteBuffer(commands, buffer.buffer, 0, &from, 1, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandReadBuffer(commands, buffer.buffer, 0, &to, 1, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandEndQuery(commands, pool, 2, 1, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandUserCallback(commands, order_note, &order, 0, NULL, NULL), mux_success);
  assert_int_equal(muxCommandEndQuery(commands, pool, 0, 1, 0, NULL, NULL), mux_error_invalid_value);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_error_invalid_value);
  assert_int_equal(muxCommandEndQuery(commands, pool, 0, 2, 0, NULL, NULL), mux_success);
  run(&test, commands);
  uint64_t after = clock_now_ns();
  assert_int_equal(to, 1);
  assert_int_equal(order.next, 2);
  assert_int_equal(muxGetQueryPoolResults(test.queue, pool, 0, 3, sizeof results, results, sizeof *results),
                   mux_success);
  assert_true(before <= results[0].start && results[0].start <= results[2].start);
  assert_true(results[2].start <= results[2].end && results[2].end <= results[0].end && results[0].end <= after);
  assert_memory_equal(&results[0], &results[1], sizeof *results);

  assert_int_equal(muxResetCommandBuffer(commands), mux_success);
  assert_int_equal(muxCommandResetQueryPool(commands, pool, 1, 1, 0, NULL, NULL), mux_success);
  run(&test, commands);
  assert_int_equal(muxGetQueryPoolResults(test.queue, pool, 1, 1, sizeof *results, results, sizeof *results),
                   mux_success);
  assert_int_equal(results[0].start, 0);
  assert_int_equal(results[0].end, 0);
  command_buffer_destroy(&test, commands);
  muxDestroyQueryPool(test.queue, pool, allocator);
  buffer_destroy(&test, &buffer);
}

/* ---------------------------------------------------------------- states */

static void states_are_kept(void **state) {
  (void)state;
  unsigned char byte = 0;
  host_test_buffer_t buffer = buffer_create(&test, 1);
  mux_command_buffer_t commands = command_buffer_create(&test), clone = NULL;
  assert_int_equal(dispatch(test.queue, commands), mux_error_invalid_value);
  assert_int_equal(muxCloneCommandBuffer(test.device, allocator, commands, &clone), mux_error_invalid_value);
  run(&test, commands);
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_error_invalid_value);
  assert_int_equal(muxCommandReadBuffer(commands, buffer.buffer, 0, &byte, 1, 0, NULL, NULL), mux_error_invalid_value);
  assert_int_equal(muxCommandFillBuffer(commands, buffer.buffer, 0, 1, &byte, 1, 0, NULL, NULL),
                   mux_error_invalid_value);
  assert_int_equal(muxResetCommandBuffer(commands), mux_success);
  assert_int_equal(muxCommandReadBuffer(commands, buffer.buffer, 0, &byte, 1, 0, NULL, NULL), mux_success);
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &buffer);
}

static void many_commands_of_many_sizes(void **state) {
  (void)state;
  enum { size = 1000, count = 3000 };
  host_test_buffer_t buffer = buffer_create(&test, size);
  mux_command_buffer_t commands = command_buffer_create(&test), clone = NULL;
  mux_buffer_region_info_t many[64];
  for (int i = 0; i < 64; ++i)
    many[i] = (mux_buffer_region_info_t){{1, 1, 1}, {0, 0, 0}, {(size_t)i, 0, 0}, {1, 1}, {size, size}};
  for (int round = 0; round < 3; ++round) {
    long live = allocator_live();
    for (int i = 0; i < count; ++i) {
      unsigned char value = (unsigned char)i;
      assert_int_equal(muxCommandFillBuffer(commands, buffer.buffer, (uint64_t)(i % size), 1, &value, 1, 0, NULL, NULL),
                       mux_success);
      if (i % 100 == 0)
        assert_int_equal(
            muxCommandCopyBufferRegions(commands, buffer.buffer, buffer.buffer, many + 1, 63, 0, NULL, NULL),
            mux_success);
    }
    if (round) assert_int_equal(allocator_live(), live);
    run(&test, commands);
    assert_int_equal(muxCloneCommandBuffer(test.device, allocator, commands, &clone), mux_success);
    assert_int_equal(dispatch(test.queue, clone), mux_success);
    assert_int_equal(muxWaitAll(test.queue), mux_success);
    command_buffer_destroy(&test, clone);
    for (int i = 64; i < size; ++i) assert_int_equal(((unsigned char *)buffer.data)[i], (2000 + i) & 0xff);
    assert_int_equal(muxResetCommandBuffer(commands), mux_success);
  }
  command_buffer_destroy(&test, commands);
  buffer_destroy(&test, &buffer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allocations_are_aligned_and_counted),
      cmocka_unit_test(too_much_memory_is_refused_cleanly),
      cmocka_unit_test(host_memory_is_not_copied),
      cmocka_unit_test(write_copy_read),
      cmocka_unit_test(fill_with_every_pattern_size),
      cmocka_unit_test(regions_agree_with_the_naive_copy),
      cmocka_unit_test(commands_run_in_order_with_durations),
      cmocka_unit_test(states_are_kept),
      cmocka_unit_test(many_commands_of_many_sizes),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
