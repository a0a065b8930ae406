/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The device under test, and objects on it. */
#include "support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "mux/target.h"

test_context_t test;

/* ------------------------------------------------------------ allocator */

static atomic_long live_allocations;
static atomic_long allowed_allocations = -1;

static void *allocate(void *user_data, size_t size, size_t alignment) {
  (void)user_data;
  if (atomic_load(&allowed_allocations) >= 0 && atomic_fetch_sub(&allowed_allocations, 1) <= 0) {
    atomic_store(&allowed_allocations, 0);
    return NULL;
  }
  void *pointer = NULL;
  if (posix_memalign(&pointer, alignment < sizeof(void *) ? sizeof(void *) : alignment, size)) return NULL;
  /* Objects must not rely on storage that happens to be zero. */
  memset(pointer, 0xa5, size);
  atomic_fetch_add(&live_allocations, 1);
  return pointer;
}

static void release(void *user_data, void *pointer) {
  (void)user_data;
  if (pointer) atomic_fetch_sub(&live_allocations, 1);
  free(pointer);
}

void test_allocations_limit(long allowed) { atomic_store(&allowed_allocations, allowed); }

/* ------------------------------------------------------------ device */

static const char *target_name(mux_device_info_t info) { return mux_targets[mux_id_target(info->id) - 1]->name; }

static mux_device_info_t find_info(const char *name) {
  mux_device_info_t infos[16];
  uint64_t count = 0;
  ASSERT_SUCCESS(muxGetDeviceInfos(mux_device_type_all, 16, infos, &count));
  for (uint64_t i = 0; i < count && i < 16; i++) {
    if (!name || !strcmp(target_name(infos[i]), name)) return infos[i];
  }
  return NULL;
}

int test_setup(void **state) {
  (void)state;
  const char *name = getenv("MUX_TEST_TARGET");
  test.info = find_info(name);
  if (!test.info) {
    fprintf(stderr, "no device of target %s\n", name ? name : "(any)");
    return -1;
  }
  test.allocator = (mux_allocator_info_t){.alloc = allocate, .free = release};
  ASSERT_SUCCESS(muxCreateDevices(1, &test.info, test.allocator, &test.device));
  ASSERT_SUCCESS(muxGetQueue(test.device, mux_queue_type_compute, 0, &test.queue));
  return 0;
}

int test_teardown(void **state) {
  (void)state;
  muxDestroyDevice(test.device, test.allocator);
  if (atomic_load(&live_allocations)) {
    fprintf(stderr, "%ld allocations were leaked\n", atomic_load(&live_allocations));
    return -1;
  }
  return 0;
}

void *test_bad_handle(unsigned index, mux_object_id_e kind) {
  /* As large as any object, so that a layer that looks further than the id finds zeros. */
  static uint64_t objects[TEST_BAD_HANDLE_COUNT][64];
  const mux_object_id_e other = kind == mux_object_id_fence ? mux_object_id_buffer : mux_object_id_fence;
  const mux_id_t ids[TEST_BAD_HANDLE_COUNT] = {0, mux_id_make(other, mux_id_target(test.device->id)),
                                               mux_id_make(kind, 0), mux_id_make(kind, mux_targets_length + 1)};
  memcpy(objects[index], &ids[index], sizeof(mux_id_t));
  return index ? objects[index] : NULL;
}

mux_sync_point_t test_foreign_sync_point(mux_command_buffer_t command_buffer) {
  static struct mux_sync_point_s point;
  point.id = mux_id_make(mux_object_id_sync_point, mux_id_target(command_buffer->id));
  point.command_buffer = NULL;
  return &point;
}

/* ------------------------------------------------------------ memory */

mux_memory_t test_memory_create(size_t size) {
  const bool coherent = test.info->allocation_capabilities & mux_allocation_capabilities_coherent_host;
  const uint32_t properties = mux_memory_property_host_visible |
                              (coherent ? mux_memory_property_host_coherent : mux_memory_property_host_cached);
  mux_memory_t memory = NULL;
  ASSERT_SUCCESS(
      muxAllocateMemory(test.device, size, 1, properties, mux_allocation_type_alloc_host, 0, test.allocator, &memory));
  return memory;
}

void test_memory_destroy(mux_memory_t memory) { muxFreeMemory(test.device, memory, test.allocator); }

test_buffer_t test_buffer_create(size_t size) {
  test_buffer_t buffer = {.memory = test_memory_create(size)};
  void *data = NULL;
  ASSERT_SUCCESS(muxCreateBuffer(test.device, size, test.allocator, &buffer.buffer));
  ASSERT_SUCCESS(muxBindBufferMemory(test.device, buffer.memory, buffer.buffer, 0));
  ASSERT_SUCCESS(muxMapMemory(test.device, buffer.memory, 0, size, &data));
  memset(data, 0, size);
  buffer.bytes = data;
  return buffer;
}

void test_buffer_destroy(test_buffer_t *buffer) {
  ASSERT_SUCCESS(muxUnmapMemory(test.device, buffer->memory));
  muxDestroyBuffer(test.device, buffer->buffer, test.allocator);
  test_memory_destroy(buffer->memory);
}

mux_image_format_e test_image_format(void) {
  mux_image_format_e format = 0;
  ASSERT_SUCCESS(
      muxGetSupportedImageFormats(test.device, mux_image_type_2d, mux_allocation_type_alloc_device, 1, &format, NULL));
  return format;
}

test_image_t test_image_create(mux_image_type_e type, mux_extent_3d_t size, uint32_t layers) {
  test_image_t image;
  ASSERT_SUCCESS(muxCreateImage(test.device, type, test_image_format(), (uint32_t)size.x, (uint32_t)size.y,
                                (uint32_t)size.z, layers, 0, 0, test.allocator, &image.image));
  image.memory = test_memory_create(image.image->memory_requirements.size);
  ASSERT_SUCCESS(muxBindImageMemory(test.device, image.memory, image.image, 0));
  return image;
}

void test_image_destroy(test_image_t *image) {
  muxDestroyImage(test.device, image->image, test.allocator);
  test_memory_destroy(image->memory);
}

/* ------------------------------------------------------------ execution */

mux_command_buffer_t test_command_buffer_create(void) {
  mux_command_buffer_t command_buffer = NULL;
  ASSERT_SUCCESS(muxCreateCommandBuffer(test.device, NULL, test.allocator, &command_buffer));
  return command_buffer;
}

void test_command_buffer_destroy(mux_command_buffer_t command_buffer) {
  muxDestroyCommandBuffer(test.device, command_buffer, test.allocator);
}

static void keep_result(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)command_buffer;
  *(mux_result_t *)user_data = error;
}

mux_result_t test_command_buffer_run_again(mux_command_buffer_t command_buffer) {
  mux_result_t result = mux_error_internal;
  mux_fence_t fence = NULL;
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  ASSERT_SUCCESS(muxDispatch(test.queue, command_buffer, fence, NULL, 0, NULL, 0, keep_result, &result));
  const mux_result_t waited = muxWait(test.queue, fence);
  ASSERT_RESULT(result ? mux_error_fence_failure : mux_success, waited);
  muxDestroyFence(test.device, fence, test.allocator);
  return result;
}

mux_result_t test_command_buffer_run(mux_command_buffer_t command_buffer) {
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(command_buffer));
  return test_command_buffer_run_again(command_buffer);
}

test_gate_t test_gate_create(void) {
  test_gate_t gate = {.command_buffer = test_command_buffer_create()};
  ASSERT_SUCCESS(muxFinalizeCommandBuffer(gate.command_buffer));
  ASSERT_SUCCESS(muxCreateSemaphore(test.device, test.allocator, &gate.semaphore));
  return gate;
}

void test_gate_open(test_gate_t *gate) {
  ASSERT_SUCCESS(muxDispatch(test.queue, gate->command_buffer, NULL, NULL, 0, &gate->semaphore, 1, NULL, NULL));
}

void test_gate_destroy(test_gate_t *gate) {
  ASSERT_SUCCESS(muxWaitAll(test.queue));
  test_command_buffer_destroy(gate->command_buffer);
  muxDestroySemaphore(test.device, gate->semaphore, test.allocator);
}

mux_fence_t test_fence_create(void) {
  mux_fence_t fence = NULL;
  ASSERT_SUCCESS(muxCreateFence(test.device, test.allocator, &fence));
  return fence;
}

void test_fence_destroy(mux_fence_t fence) { muxDestroyFence(test.device, fence, test.allocator); }

void test_refuses_bad_dispatches(mux_result_t (*function)(mux_queue_t queue, mux_fence_t fence)) {
  mux_fence_t fence = test_fence_create();
  ASSERT_REFUSES_BAD(mux_queue_t, queue, function(bad, fence));
  ASSERT_REFUSES_BAD(mux_fence_t, fence, function(test.queue, bad));
  assert_true(function(test.queue, fence) != mux_success);
  test_fence_destroy(fence);
}

/* ------------------------------------------------------------ kernels */

void *test_binary_read(size_t *size) {
  const char *path = getenv("MUX_TEST_BINARY");
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file) return NULL;
  enum { limit = 1 << 20 };
  void *data = malloc(limit);
  assert_non_null(data);
  *size = fread(data, 1, limit, file);
  fclose(file);
  return data;
}

test_kernel_t test_kernel_load(const char *name) {
  test_kernel_t kernel = {0};
  size_t size = 0;
  void *binary = test_binary_read(&size);
  TEST_NEEDS(binary, "an executable for this target");
  ASSERT_SUCCESS(muxCreateExecutable(test.device, binary, size, test.allocator, &kernel.executable));
  free(binary);
  ASSERT_SUCCESS(muxCreateKernel(test.device, kernel.executable, name, strlen(name), test.allocator, &kernel.kernel));
  return kernel;
}

test_kernel_t test_kernel_create(void) {
  static const char name[] = "copy_id";
  if (!test.info->supports_builtin_kernels || !strstr(test.info->builtin_kernel_declarations, name))
    return test_kernel_load(name);
  test_kernel_t kernel = {0};
  ASSERT_SUCCESS(muxCreateBuiltInKernel(test.device, name, strlen(name), test.allocator, &kernel.kernel));
  return kernel;
}

void test_kernel_destroy(test_kernel_t *kernel) {
  muxDestroyKernel(test.device, kernel->kernel, test.allocator);
  if (kernel->executable) muxDestroyExecutable(test.device, kernel->executable, test.allocator);
}

void test_launch_fill(test_launch_t *launch, mux_buffer_t out, uint64_t first, size_t work_items) {
  memset(launch, 0, sizeof(*launch));
  launch->first = first;
  launch->global_size = work_items;
  launch->descriptors[0].type = mux_descriptor_info_type_buffer;
  launch->descriptors[0].buffer_descriptor.buffer = out;
  launch->descriptors[1].type = mux_descriptor_info_type_plain_old_data;
  launch->descriptors[1].plain_old_data_descriptor.data = &launch->first;
  launch->descriptors[1].plain_old_data_descriptor.length = sizeof(launch->first);
  launch->options = (mux_ndrange_options_t){.descriptors = launch->descriptors,
                                            .descriptors_length = 2,
                                            .local_size = {1, 1, 1},
                                            .global_size = &launch->global_size,
                                            .dimensions = 1};
}

void test_launch_check(const void *bytes, uint64_t first, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t value;
    memcpy(&value, (const uint8_t *)bytes + i * sizeof(value), sizeof(value));
    assert_int_equal(value, first + i);
  }
}

/* ------------------------------------------------------------ failures */

/* The null target checks where copy_id writes; the host target has a kernel that asks for more memory than there is. */
static bool target_checks_bounds(void) { return !strcmp(target_name(test.info), "null"); }

test_failure_t test_failure_create(void) {
  test_failure_t failure = {.kernel = target_checks_bounds() ? test_kernel_create() : test_kernel_load("fail")};
  failure.buffer = test_buffer_create(64);
  return failure;
}

void test_failure_record(test_failure_t *failure, mux_command_buffer_t command_buffer) {
  test_launch_t launch;
  test_launch_fill(&launch, failure->buffer.buffer, 0, 1000);
  if (!target_checks_bounds()) launch.options.descriptors_length = 0;
  ASSERT_SUCCESS(muxCommandNDRange(command_buffer, failure->kernel.kernel, launch.options, NO_SYNC));
}

void test_failure_destroy(test_failure_t *failure) {
  test_buffer_destroy(&failure->buffer);
  test_kernel_destroy(&failure->kernel);
}
