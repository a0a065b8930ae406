/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What cl_mem_flags become: the allocation type and the memory properties that muxAllocateMemory is given, on this
 * device and on devices with less. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "cl/device/device.h"
#include "cl/queueing/context.h"
#include "cl/queueing/shared_memory.h"
#include "mux/mux.h"

enum {
  visible = mux_memory_property_host_visible,
  coherent = visible | mux_memory_property_host_coherent,
  cached = visible | mux_memory_property_host_cached,
  local = mux_memory_property_device_local,
  has_coherent = mux_allocation_capabilities_coherent_host,
  has_cached = mux_allocation_capabilities_cached_host,
  has_device = mux_allocation_capabilities_alloc_device,
};

static const mux_allocation_type_e of_host = mux_allocation_type_alloc_host;
static const mux_allocation_type_e of_device = mux_allocation_type_alloc_device;

/* What was asked for last. Where the real device should not be asked, `is_refused`. */
static struct {
  int allocations, from_host;
  uint32_t properties;
  mux_allocation_type_e type;
  bool is_refused;
} asked;

mux_result_t __real_muxAllocateMemory(mux_device_t device, size_t size, uint32_t heap, uint32_t properties,
                                      mux_allocation_type_e type, uint32_t alignment, mux_allocator_info_t allocator,
                                      mux_memory_t *out_memory);
mux_result_t __wrap_muxAllocateMemory(mux_device_t device, size_t size, uint32_t heap, uint32_t properties,
                                      mux_allocation_type_e type, uint32_t alignment, mux_allocator_info_t allocator,
                                      mux_memory_t *out_memory);
mux_result_t __real_muxCreateMemoryFromHost(mux_device_t device, size_t size, void *pointer,
                                            mux_allocator_info_t allocator, mux_memory_t *out_memory);
mux_result_t __wrap_muxCreateMemoryFromHost(mux_device_t device, size_t size, void *pointer,
                                            mux_allocator_info_t allocator, mux_memory_t *out_memory);

mux_result_t __wrap_muxAllocateMemory(mux_device_t device, size_t size, uint32_t heap, uint32_t properties,
                                      mux_allocation_type_e type, uint32_t alignment, mux_allocator_info_t allocator,
                                      mux_memory_t *out_memory) {
  asked.allocations++;
  asked.properties = properties;
  asked.type = type;
  if (asked.is_refused) return mux_error_out_of_memory;
  return __real_muxAllocateMemory(device, size, heap, properties, type, alignment, allocator, out_memory);
}

mux_result_t __wrap_muxCreateMemoryFromHost(mux_device_t device, size_t size, void *pointer,
                                            mux_allocator_info_t allocator, mux_memory_t *out_memory) {
  asked.from_host++;
  return __real_muxCreateMemoryFromHost(device, size, pointer, allocator, out_memory);
}

static cl_context context;

static int begin(void **state) {
  (void)state;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return -1;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  asked.is_refused = false;
  return error;
}

static int end(void **state) {
  (void)state;
  return clReleaseContext(context);
}

static void assert_asked(mux_allocation_type_e type, uint32_t properties) {
  assert_int_equal(asked.allocations, 1);
  assert_int_equal(asked.from_host, 0);
  assert_int_equal(asked.type, type);
  assert_int_equal(asked.properties, properties);
}

static void forget(void) { asked.allocations = asked.from_host = 0; }

static void assert_buffer(cl_mem_flags flags, mux_allocation_type_e type, uint32_t properties) {
  cl_int error;
  forget();
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_asked(type, properties);
  assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

static void assert_image(cl_mem_flags flags, mux_allocation_type_e type, uint32_t properties) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
  cl_int error;
  forget();
  cl_mem image = clCreateImage(context, flags, &format, &desc, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_asked(type, properties);
  assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

static void memory_is_the_devices_unless_the_host_wants_it(void **state) {
  (void)state;
  assert_buffer(0, of_device, local | coherent);
  assert_buffer(CL_MEM_READ_ONLY, of_device, local | coherent);
  assert_buffer(CL_MEM_HOST_WRITE_ONLY, of_device, local | coherent);
  assert_buffer(CL_MEM_ALLOC_HOST_PTR, of_host, coherent);
  assert_image(CL_MEM_READ_WRITE, of_device, local | coherent);
  assert_image(CL_MEM_ALLOC_HOST_PTR, of_host, coherent);
}

/* Native kernels and addresses on the device need it, and the two have one memory. */
static void memory_without_host_access_is_visible_all_the_same(void **state) {
  (void)state;
  assert_buffer(CL_MEM_HOST_NO_ACCESS, of_device, local | coherent);
}

static void memory_of_the_application_is_used_in_place(void **state) {
  (void)state;
  static cl_uint words[1024] = {7};
  cl_int error;
  forget();
  cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof words, words, &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_int_equal(asked.from_host, 1);
  assert_int_equal(asked.allocations, 0);
  assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
  forget();
  buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
  assert_int_equal(error, CL_SUCCESS);
  assert_asked(of_device, local | coherent);
  assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

static void shared_memory_is_the_devices_unless_it_is_the_hosts(void **state) {
  (void)state;
  forget();
  void *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  assert_non_null(pointer);
  assert_asked(of_device, coherent);
  clSVMFree(context, pointer);
  const shared_memory_t of_kind[] = {{.kind = shared_memory_host, .size = 4096},
                                     {.kind = shared_memory_device, .size = 4096},
                                     {.kind = shared_memory_migrating, .size = 4096}};
  for (int i = 0; i < 3; i++) {
    forget();
    assert_int_equal(shared_memory_allocate(context, &of_kind[i], 0, &pointer), CL_SUCCESS);
    assert_asked(i ? of_device : of_host, coherent);
    clSVMFree(context, pointer);
  }
}

/** What a device with these capabilities would be asked for, with and without the host's memory. */
static void assert_on(uint32_t capabilities, bool shares, cl_mem_flags flags, mux_allocation_type_e type,
                      uint32_t properties) {
  mux_device_t device = context->mux_device;
  mux_device_info_t real = device->info;
  struct mux_device_info_s info = *real;
  cl_int error;
  info.allocation_capabilities = capabilities;
  info.shares_host_memory = shares;
  forget();
  asked.is_refused = true;
  device->info = &info;
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  device->info = real;
  asked.is_refused = false;
  assert_null(buffer);
  assert_int_equal(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  assert_asked(type, properties);
}

static void devices_with_less_are_asked_for_less(void **state) {
  (void)state;
  assert_on(has_device, false, 0, of_device, local);
  assert_on(has_device, false, CL_MEM_ALLOC_HOST_PTR, of_device, local);
  assert_on(has_device | has_cached, false, 0, of_device, local | cached);
  assert_on(has_device | has_cached, false, CL_MEM_ALLOC_HOST_PTR, of_host, cached);
  assert_on(has_device | has_cached | has_coherent, false, CL_MEM_ALLOC_HOST_PTR, of_host, coherent);
  assert_on(has_coherent, false, 0, of_host, coherent);
  assert_on(has_device | has_coherent, false, CL_MEM_HOST_NO_ACCESS, of_device, local);
  assert_on(has_device | has_coherent, true, CL_MEM_HOST_NO_ACCESS, of_device, local | coherent);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_the_devices_unless_the_host_wants_it),
      cmocka_unit_test(memory_without_host_access_is_visible_all_the_same),
      cmocka_unit_test(memory_of_the_application_is_used_in_place),
      cmocka_unit_test(shared_memory_is_the_devices_unless_it_is_the_hosts),
      cmocka_unit_test(devices_with_less_are_asked_for_less),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
