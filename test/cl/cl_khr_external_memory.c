/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_external_memory and cl_khr_external_memory_opaque_fd: memory that other contexts and processes have too, who
 * owns the descriptor, and every error. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "test_extension.h"
#include "test_image.h"
#include "test_process.h"

enum { DEVICE_LIST = 0x2051, LINEAR_TYPES = 0x2052, COUNT = 1024, BYTES = COUNT * 4 };
enum { OPAQUE = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR };

#define FUNCTIONS(X)                       \
  X(clEnqueueAcquireExternalMemObjectsKHR) \
  X(clEnqueueReleaseExternalMemObjectsKHR)
TEST_EXTENSION_FUNCTIONS(external, FUNCTIONS)

static int open_device(void **state) {
  bool listed = !test_device_open(state) && test_has_extension("cl_khr_external_memory") &&
                test_has_extension("cl_khr_external_memory_opaque_fd");
  return !listed || !external_load();
}

/** Memory of a file without a name, zeros at first. */
static int memory_file(size_t size) {
  int descriptor = memfd_create("test-external-memory", 0);
  assert_true(descriptor >= 0);
  assert_int_equal(ftruncate(descriptor, (off_t)size), 0);
  return descriptor;
}

static cl_uint *memory_map(int descriptor, size_t size) {
  void *address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  assert_true(address != MAP_FAILED);
  return address;
}

static bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

static cl_mem import_into(cl_context context, int descriptor, size_t size) {
  cl_int error;
  const cl_mem_properties properties[] = {OPAQUE, (cl_mem_properties)descriptor, 0};
  cl_mem memory = clCreateBufferWithProperties(context, properties, 0, size, NULL, &error);
  ASSERT_CL(error);
  return memory;
}

static void acquire(cl_command_queue queue, cl_mem memory) {
  ASSERT_CL(external.clEnqueueAcquireExternalMemObjectsKHR(queue, 1, &memory, 0, NULL, NULL));
}

static void give_back(cl_command_queue queue, cl_mem memory) {
  ASSERT_CL(external.clEnqueueReleaseExternalMemObjectsKHR(queue, 1, &memory, 0, NULL, NULL));
}

/** Adds `value` to every element. */
static void add(cl_mem memory, cl_uint value) {
  const size_t items = COUNT;
  cl_kernel kernel =
      test_kernel("kernel void add(global uint *p, uint value) { p[get_global_id(0)] += value; }", NULL, "add");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(memory), &memory));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  acquire(dut.queue, memory);
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  give_back(dut.queue, memory);
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseKernel(kernel));
}

/* ---------------------------------------------------------------- sharing */

static void kernels_and_other_mappings_see_the_same_bytes(void **state) {
  (void)state;
  int descriptor = memory_file(BYTES);
  cl_uint *seen = memory_map(descriptor, BYTES);
  for (cl_uint i = 0; i < COUNT; i++) seen[i] = i;
  cl_mem memory = import_into(dut.context, descriptor, BYTES);
  add(memory, 7);
  for (cl_uint i = 0; i < COUNT; i++) assert_int_equal(seen[i], i + 7);
  seen[5] = 99;
  cl_uint read[COUNT];
  test_read(memory, BYTES, read);
  assert_int_equal(read[5], 99);
  ASSERT_INFO(clGetMemObjectInfo, memory, CL_MEM_HOST_PTR, void *, NULL);
  ASSERT_INFO(clGetMemObjectInfo, memory, CL_MEM_SIZE, size_t, BYTES);
  ASSERT_CL(clReleaseMemObject(memory));
  munmap(seen, BYTES);
}

static void a_part_of_the_file_is_enough(void **state) {
  (void)state;
  int descriptor = memory_file(BYTES);
  cl_uint *seen = memory_map(descriptor, BYTES), value = 0x12345678;
  cl_mem memory = import_into(dut.context, descriptor, 12);
  ASSERT_CL(clEnqueueFillBuffer(dut.queue, memory, &value, 4, 0, 12, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  for (int i = 0; i < 4; i++) assert_int_equal(seen[i], i < 3 ? value : 0);
  ASSERT_CL(clReleaseMemObject(memory));
  munmap(seen, BYTES);
}

static void two_contexts_share_it(void **state) {
  (void)state;
  int descriptor = memory_file(BYTES), second = dup(descriptor);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  cl_mem here = import_into(dut.context, descriptor, BYTES), there = import_into(context, second, BYTES);
  cl_uint read[COUNT];
  add(here, 3);
  acquire(queue, there);
  ASSERT_CL(clEnqueueReadBuffer(queue, there, CL_TRUE, 0, BYTES, read, 0, NULL, NULL));
  for (cl_uint i = 0; i < COUNT; i++) assert_int_equal(read[i], 3);
  ASSERT_CL(clReleaseMemObject(here));
  ASSERT_CL(clEnqueueReadBuffer(queue, there, CL_TRUE, 0, BYTES, read, 0, NULL, NULL));
  assert_int_equal(read[COUNT - 1], 3);
  ASSERT_CL(clReleaseMemObject(there));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

/** The role of the other process: adds 5. */
static int other_process(const char *descriptor) {
  void *state = NULL;
  if (open_device(&state)) return 2;
  cl_mem memory = import_into(dut.context, atoi(descriptor), BYTES);
  add(memory, 5);
  ASSERT_CL(clReleaseMemObject(memory));
  return test_device_close(&state);
}

static void two_processes_share_it(void **state) {
  (void)state;
  char role[16], output[256];
  int descriptor = memory_file(BYTES), inherited = dup(descriptor);
  cl_mem memory = import_into(dut.context, descriptor, BYTES);
  cl_uint read[COUNT];
  add(memory, 20);
  snprintf(role, sizeof(role), "%d", inherited);
  assert_int_equal(test_run_self(role, output, sizeof(output)), 0);
  close(inherited);
  add(memory, 100);
  test_read(memory, BYTES, read);
  for (cl_uint i = 0; i < COUNT; i++) assert_int_equal(read[i], 125);
  ASSERT_CL(clReleaseMemObject(memory));
}

static void images_have_the_pitch_of_their_description(void **state) {
  (void)state;
  enum { WIDTH = 5, HEIGHT = 3, PITCH = 64 };
  SKIP_UNLESS_QUERN();
  cl_int error;
  int descriptor = memory_file(PITCH * HEIGHT);
  cl_uint *seen = memory_map(descriptor, PITCH * HEIGHT);
  const cl_mem_properties properties[] = {
      OPAQUE, (cl_mem_properties)descriptor, DEVICE_LIST, (cl_mem_properties)(uintptr_t)dut.device, 0, 0};
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 1, 1);
  desc.image_row_pitch = PITCH;
  cl_mem image = clCreateImageWithProperties(dut.context, properties, 0, &format, &desc, NULL, &error);
  ASSERT_CL(error);
  assert_false(is_open(descriptor));
  const cl_uint color[4] = {1, 2, 3, 4};
  const size_t origin[3] = {1, 2, 0}, region[3] = {WIDTH - 1, 1, 1};
  acquire(dut.queue, image);
  ASSERT_CL(clEnqueueFillImage(dut.queue, image, color, origin, region, 0, NULL, NULL));
  give_back(dut.queue, image);
  ASSERT_CL(clFinish(dut.queue));
  for (size_t i = 0; i < PITCH * HEIGHT / 4; i++) {
    bool is_filled = i > 2 * PITCH / 4 && i < 2 * PITCH / 4 + WIDTH;
    assert_int_equal(seen[i], is_filled ? 0x04030201 : 0);
  }
  ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_ROW_PITCH, size_t, PITCH);
  ASSERT_CL(clReleaseMemObject(image));
  munmap(seen, PITCH * HEIGHT);
}

/* ---------------------------------------------------------------- ownership, queries */

static void the_descriptor_becomes_the_drivers(void **state) {
  (void)state;
  int descriptor = memory_file(BYTES);
  cl_mem memory = import_into(dut.context, descriptor, BYTES);
  assert_false(is_open(descriptor));
  assert_true(test_is_mapped("test-external-memory"));
  ASSERT_CL(clReleaseMemObject(memory));
  assert_false(test_is_mapped("test-external-memory"));
}

static void commands_have_their_types(void **state) {
  (void)state;
  cl_event events[2];
  cl_mem memory = import_into(dut.context, memory_file(BYTES), BYTES);
  ASSERT_CL(external.clEnqueueAcquireExternalMemObjectsKHR(dut.queue, 1, &memory, 0, NULL, &events[0]));
  ASSERT_CL(external.clEnqueueReleaseExternalMemObjectsKHR(dut.queue, 0, NULL, 1, &events[0], &events[1]));
  ASSERT_INFO(clGetEventInfo, events[0], CL_EVENT_COMMAND_TYPE, cl_command_type,
              CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
  ASSERT_INFO(clGetEventInfo, events[1], CL_EVENT_COMMAND_TYPE, cl_command_type,
              CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
  ASSERT_CL(clReleaseMemObject(memory));
  ASSERT_CL(clWaitForEvents(2, events));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(events[i]));
}

static void properties_are_kept(void **state) {
  (void)state;
  const cl_mem_properties properties[] = {
      OPAQUE, (cl_mem_properties)memory_file(BYTES), DEVICE_LIST, (cl_mem_properties)(uintptr_t)dut.device, 0, 0};
  cl_mem_properties answer[8];
  size_t size;
  cl_int error;
  cl_mem memory = clCreateBufferWithProperties(dut.context, properties, CL_MEM_READ_ONLY, BYTES, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clGetMemObjectInfo(memory, CL_MEM_PROPERTIES, sizeof(answer), answer, &size));
  assert_int_equal(size, sizeof(properties));
  assert_memory_equal(answer, properties, size);
  ASSERT_CL(clReleaseMemObject(memory));
}

static void handle_types_are_listed(void **state) {
  (void)state;
  ASSERT_INFO(clGetDeviceInfo, dut.device, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
              cl_external_memory_handle_type_khr, OPAQUE);
  ASSERT_INFO(clGetDeviceInfo, dut.device, LINEAR_TYPES, cl_external_memory_handle_type_khr, OPAQUE);
  ASSERT_INFO(clGetPlatformInfo, dut.platform, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
              cl_external_memory_handle_type_khr, OPAQUE);
}

/* ---------------------------------------------------------------- errors */

static void assert_refused(const cl_mem_properties *properties, cl_mem_flags flags, size_t size, void *host_pointer,
                           cl_int expected) {
  cl_int error;
  ASSERT_CL_REFUSED(clCreateBufferWithProperties(dut.context, properties, flags, size, host_pointer, &error), error,
                    expected);
}

static void bad_properties_are_refused(void **state) {
  (void)state;
  cl_int error;
  int descriptor = memory_file(BYTES), pipes[2], read_only = open("/proc/self/exe", O_RDONLY);
  assert_int_equal(pipe(pipes), 0);
  const cl_mem_properties fd = (cl_mem_properties)descriptor, device = (cl_mem_properties)(uintptr_t)dut.device;
  assert_refused((const cl_mem_properties[]){OPAQUE, fd, OPAQUE, fd, 0}, 0, BYTES, NULL, CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){OPAQUE, (cl_mem_properties)-1, 0}, 0, BYTES, NULL, CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){OPAQUE, 123456, 0}, 0, BYTES, NULL, CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){OPAQUE, (cl_mem_properties)pipes[0], 0}, 0, BYTES, NULL,
                 CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){OPAQUE, (cl_mem_properties)read_only, 0}, 0, 64, NULL,
                 CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, fd, 0}, 0, BYTES, NULL,
                 CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){DEVICE_LIST, device, 0, 0}, 0, BYTES, NULL, CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){OPAQUE, fd, DEVICE_LIST, device, 0, DEVICE_LIST, device, 0, 0}, 0, BYTES,
                 NULL, CL_INVALID_PROPERTY);
  assert_refused((const cl_mem_properties[]){OPAQUE, fd, DEVICE_LIST, (cl_mem_properties)(uintptr_t)dut.queue, 0, 0}, 0,
                 BYTES, NULL, CL_INVALID_DEVICE);
  assert_refused((const cl_mem_properties[]){OPAQUE, fd, 0}, 0, BYTES + 1, NULL, CL_INVALID_BUFFER_SIZE);
  assert_refused((const cl_mem_properties[]){OPAQUE, fd, 0}, 0, 0, NULL, CL_INVALID_BUFFER_SIZE);
  static const cl_mem_flags pointers[] = {CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR};
  char memory[64];
  for (int i = 0; i < 3; i++) {
    assert_refused((const cl_mem_properties[]){OPAQUE, fd, 0}, pointers[i], 64, i == 1 ? NULL : memory,
                   CL_INVALID_VALUE);
  }
  assert_refused((const cl_mem_properties[]){OPAQUE, fd, 0}, 0, 64, memory, CL_INVALID_HOST_PTR);
  const cl_mem_properties good[] = {OPAQUE, fd, 0};
  ASSERT_CL_REFUSED(clCreateBufferWithProperties(NULL, good, 0, 64, NULL, &error), error, CL_INVALID_CONTEXT);
  assert_true(is_open(descriptor));
  close(descriptor);
  close(read_only);
  for (int i = 0; i < 2; i++) close(pipes[i]);
}

static void images_that_do_not_fit_are_refused(void **state) {
  (void)state;
  cl_int error;
  int descriptor = memory_file(64 * 3);
  const cl_mem_properties properties[] = {OPAQUE, (cl_mem_properties)descriptor, 0};
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, 16, 4, 1, 1);
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, properties, 0, &format, &desc, NULL, &error), error,
                    CL_INVALID_IMAGE_SIZE);
  desc.image_height = 3;
  desc.image_row_pitch = 63;
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, properties, 0, &format, &desc, NULL, &error), error,
                    CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_row_pitch = 0;
  unsigned char host[64 * 3];
  const cl_mem_properties no_device[] = {
      OPAQUE, (cl_mem_properties)descriptor, DEVICE_LIST, (cl_mem_properties)(uintptr_t)dut.queue, 0, 0};
  const cl_mem_properties no_memory[] = {DEVICE_LIST, (cl_mem_properties)(uintptr_t)dut.device, 0, 0};
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, no_device, 0, &format, &desc, NULL, &error), error,
                    CL_INVALID_DEVICE);
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, no_memory, 0, &format, &desc, NULL, &error), error,
                    CL_INVALID_PROPERTY);
  ASSERT_CL_REFUSED(
      clCreateImageWithProperties(dut.context, properties, CL_MEM_COPY_HOST_PTR, &format, &desc, host, &error), error,
      CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, properties, 0, &format, &desc, host, &error), error,
                    CL_INVALID_HOST_PTR);
  cl_mem buffer = test_buffer(1024, NULL);
  desc.mem_object = buffer;
  ASSERT_CL_REFUSED(clCreateImageWithProperties(dut.context, properties, 0, &format, &desc, NULL, &error), error,
                    CL_INVALID_PROPERTY);
  ASSERT_CL(clReleaseMemObject(buffer));
  assert_true(is_open(descriptor));
  close(descriptor);
}

static void commands_refuse_bad_arguments(void **state) {
  (void)state;
  cl_mem memory = import_into(dut.context, memory_file(BYTES), BYTES), plain = test_buffer(64, NULL), null = NULL;
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  cl_int error;
  cl_event failed = clCreateUserEvent(dut.context, &error), foreign = clCreateUserEvent(context, &error);
  ASSERT_CL(clSetUserEventStatus(failed, -5));
  ASSERT_CL(clSetUserEventStatus(foreign, CL_COMPLETE));
  clEnqueueAcquireExternalMemObjectsKHR_fn calls[] = {external.clEnqueueAcquireExternalMemObjectsKHR,
                                                      external.clEnqueueReleaseExternalMemObjectsKHR};
  for (int i = 0; i < 2; i++) {
    ASSERT_CL_ERROR(calls[i](NULL, 1, &memory, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    ASSERT_CL_ERROR(calls[i](queue, 1, &memory, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    ASSERT_CL_ERROR(calls[i](dut.queue, 0, &memory, 0, NULL, NULL), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(calls[i](dut.queue, 1, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    ASSERT_CL_ERROR(calls[i](dut.queue, 1, &null, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    ASSERT_CL_ERROR(calls[i](dut.queue, 1, &plain, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    ASSERT_CL_ERROR(calls[i](dut.queue, 1, &memory, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    ASSERT_CL_ERROR(calls[i](dut.queue, 1, &memory, 0, &failed, NULL), CL_INVALID_EVENT_WAIT_LIST);
    ASSERT_CL_ERROR(calls[i](dut.queue, 1, &memory, 1, &foreign, NULL), CL_INVALID_CONTEXT);
    ASSERT_CL_ERROR(calls[i](dut.queue, 1, &memory, 1, &failed, NULL), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  ASSERT_CL(clReleaseEvent(failed));
  ASSERT_CL(clReleaseEvent(foreign));
  ASSERT_CL(clReleaseMemObject(memory));
  ASSERT_CL(clReleaseMemObject(plain));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

/** Half of the device's threads may use the memory. */
static void the_device_list_is_obeyed(void **state) {
  (void)state;
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  cl_int error;
  if (clCreateSubDevices(dut.device, halves, 2, parts, NULL)) skip();
  cl_context context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
  ASSERT_CL(error);
  const cl_mem_properties properties[] = {
      OPAQUE, (cl_mem_properties)memory_file(BYTES), DEVICE_LIST, (cl_mem_properties)(uintptr_t)parts[1], 0, 0};
  cl_mem memory = clCreateBufferWithProperties(context, properties, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  for (int i = 0; i < 2; i++) {
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, parts[i], NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_ERROR(external.clEnqueueAcquireExternalMemObjectsKHR(queue, 1, &memory, 0, NULL, NULL),
                    i ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE);
    ASSERT_CL(clReleaseCommandQueue(queue));
  }
  ASSERT_CL(clReleaseMemObject(memory));
  ASSERT_CL(clReleaseContext(context));
  for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseDevice(parts[i]));
}

int main(int count, char **arguments) {
  if (count > 1) return other_process(arguments[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_other_mappings_see_the_same_bytes),
      cmocka_unit_test(a_part_of_the_file_is_enough),
      cmocka_unit_test(two_contexts_share_it),
      cmocka_unit_test(two_processes_share_it),
      cmocka_unit_test(images_have_the_pitch_of_their_description),
      cmocka_unit_test(the_descriptor_becomes_the_drivers),
      cmocka_unit_test(commands_have_their_types),
      cmocka_unit_test(properties_are_kept),
      cmocka_unit_test(handle_types_are_listed),
      cmocka_unit_test(bad_properties_are_refused),
      cmocka_unit_test(images_that_do_not_fit_are_refused),
      cmocka_unit_test(commands_refuse_bad_arguments),
      cmocka_unit_test(the_device_list_is_obeyed),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
