/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * See support.h. */
#include "support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/runtime/device.h"

static atomic_long live;

static void *counting_alloc(void *user_data, size_t size, size_t alignment) {
  void *pointer = NULL;
  (void)user_data;
  if (posix_memalign(&pointer, alignment < sizeof(void *) ? sizeof(void *) : alignment, size)) return NULL;
  atomic_fetch_add(&live, 1);
  return pointer;
}

static void counting_free(void *user_data, void *pointer) {
  (void)user_data;
  if (pointer) atomic_fetch_sub(&live, 1);
  free(pointer);
}

const mux_allocator_info_t allocator = {.alloc = counting_alloc, .free = counting_free};

long allocator_live(void) { return atomic_load(&live); }

static mux_device_info_t host_info_find(void) {
  mux_device_info_t infos[8];
  uint64_t count = 0;
  assert_int_equal(muxGetDeviceInfos(mux_device_type_all, 8, infos, &count), mux_success);
  for (uint64_t i = 0; i < count; ++i)
    if (infos[i]->queue_types[mux_queue_type_compute] == HOST_QUEUE_COUNT) return infos[i];
  fail_msg("no host device");
  return NULL;
}

const char *kernels_path(const char *model) { return strcmp(model, "large") ? TEST_KERNELS_SMALL : TEST_KERNELS_LARGE; }

void *file_load(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  void *bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

void host_test_begin(host_test_t *test) {
  size_t size;
  void *bytes = file_load(kernels_path("small"), &size);
  test->info = host_info_find();
  assert_int_equal(muxCreateDevices(1, &test->info, allocator, &test->device), mux_success);
  assert_int_equal(muxGetQueue(test->device, mux_queue_type_compute, 0, &test->queue), mux_success);
  assert_int_equal(muxCreateExecutable(test->device, bytes, size, allocator, &test->executable), mux_success);
  free(bytes);
}

void host_test_end(host_test_t *test) {
  muxDestroyExecutable(test->device, test->executable, allocator);
  assert_int_equal(host_device_allocated(test->device), 0);
  muxDestroyDevice(test->device, allocator);
  assert_int_equal(allocator_live(), 0);
}

host_test_buffer_t buffer_create(host_test_t *test, size_t size) {
  host_test_buffer_t buffer;
  uint32_t properties = mux_memory_property_host_visible | mux_memory_property_host_coherent;
  assert_int_equal(muxAllocateMemory(test->device, size, 1, properties, mux_allocation_type_alloc_host, 0, allocator,
                                     &buffer.memory),
                   mux_success);
  assert_int_equal(muxCreateBuffer(test->device, size, allocator, &buffer.buffer), mux_success);
  assert_int_equal(muxBindBufferMemory(test->device, buffer.memory, buffer.buffer, 0), mux_success);
  assert_int_equal(muxMapMemory(test->device, buffer.memory, 0, size, &buffer.data), mux_success);
  memset(buffer.data, 0, size);
  return buffer;
}

void buffer_destroy(host_test_t *test, host_test_buffer_t *buffer) {
  assert_int_equal(muxUnmapMemory(test->device, buffer->memory), mux_success);
  muxDestroyBuffer(test->device, buffer->buffer, allocator);
  muxFreeMemory(test->device, buffer->memory, allocator);
}

mux_kernel_t kernel_create(host_test_t *test, const char *name) {
  mux_kernel_t kernel = NULL;
  assert_int_equal(muxCreateKernel(test->device, test->executable, name, strlen(name), allocator, &kernel),
                   mux_success);
  return kernel;
}

void kernel_destroy(host_test_t *test, mux_kernel_t kernel) { muxDestroyKernel(test->device, kernel, allocator); }

mux_command_buffer_t command_buffer_create(host_test_t *test) {
  mux_command_buffer_t command_buffer = NULL;
  assert_int_equal(muxCreateCommandBuffer(test->device, NULL, allocator, &command_buffer), mux_success);
  return command_buffer;
}

void command_buffer_destroy(host_test_t *test, mux_command_buffer_t command_buffer) {
  muxDestroyCommandBuffer(test->device, command_buffer, allocator);
}

mux_descriptor_info_t buffer_arg(mux_buffer_t buffer) {
  return (mux_descriptor_info_t){.type = mux_descriptor_info_type_buffer, .buffer_descriptor = {.buffer = buffer}};
}

mux_descriptor_info_t value_arg(const void *data, size_t length) {
  return (mux_descriptor_info_t){.type = mux_descriptor_info_type_plain_old_data,
                                 .plain_old_data_descriptor = {.data = data, .length = length}};
}

mux_descriptor_info_t local_arg(size_t size) {
  return (mux_descriptor_info_t){.type = mux_descriptor_info_type_shared_local_buffer,
                                 .shared_local_buffer_descriptor = {.size = size}};
}

mux_result_t launch_record(mux_command_buffer_t command_buffer, mux_kernel_t kernel, size_t global, size_t local,
                           const mux_descriptor_info_t *args, size_t arg_count) {
  mux_ndrange_options_t options = {.descriptors = args,
                                   .descriptors_length = arg_count,
                                   .local_size = {local, 1, 1},
                                   .global_size = &global,
                                   .dimensions = 1};
  return muxCommandNDRange(command_buffer, kernel, options, 0, NULL, NULL);
}

mux_result_t dispatch(mux_queue_t queue, mux_command_buffer_t command_buffer) {
  return muxDispatch(queue, command_buffer, NULL, NULL, 0, NULL, 0, NULL, NULL);
}

void run(host_test_t *test, mux_command_buffer_t command_buffer) {
  assert_int_equal(muxFinalizeCommandBuffer(command_buffer), mux_success);
  assert_int_equal(dispatch(test->queue, command_buffer), mux_success);
  assert_int_equal(muxWaitAll(test->queue), mux_success);
}
