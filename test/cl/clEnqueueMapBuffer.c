/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clEnqueueMapBuffer and clEnqueueUnmapMemObject. */
#include "test_device.h"

enum { BYTES = 1024 };

static cl_mem buffer;
static unsigned char data[BYTES];

static int make_buffer(void **state) {
  (void)state;
  for (int i = 0; i < BYTES; i++) data[i] = (unsigned char)(i * 11);
  buffer = test_buffer(BYTES, data);
  return 0;
}

static int release_buffer(void **state) {
  (void)state;
  return clReleaseMemObject(buffer);
}

static unsigned char *map(cl_mem object, cl_map_flags flags, size_t offset, size_t size, cl_int *error) {
  return clEnqueueMapBuffer(dut.queue, object, CL_TRUE, flags, offset, size, 0, NULL, NULL, error);
}

static unsigned char *map_well(cl_map_flags flags, size_t offset, size_t size) {
  cl_int error;
  unsigned char *mapped = map(buffer, flags, offset, size, &error);
  ASSERT_CL(error);
  assert_non_null(mapped);
  return mapped;
}

static void unmap(void *mapped) { ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, buffer, mapped, 0, NULL, NULL)); }

static void shows_the_buffers_contents(void **state) {
  (void)state;
  unsigned char *mapped = map_well(CL_MAP_READ, 100, 200);
  assert_memory_equal(mapped, data + 100, 200);
  unmap(mapped);
  ASSERT_CL(clFinish(dut.queue));
}

static void shows_what_a_kernel_wrote(void **state) {
  (void)state;
  const size_t items = BYTES / 4;
  cl_kernel kernel =
      test_kernel("kernel void ids(global uint *p) { p[get_global_id(0)] = get_global_id(0) + 7; }", NULL, "ids");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  const cl_uint *mapped = (const void *)map_well(CL_MAP_READ, 0, BYTES);
  for (cl_uint i = 0; i < items; i++) assert_int_equal(mapped[i], i + 7);
  ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, buffer, (void *)(uintptr_t)mapped, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void writes_reach_the_buffer_at_unmapping(void **state) {
  (void)state;
  static const cl_map_flags flags[] = {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION};
  unsigned char read[BYTES];
  for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
    unsigned char *mapped = map_well(flags[i], 10 * i, 10);
    memset(mapped, 0xF0 + (int)i, 10);
    memset(data + 10 * i, 0xF0 + (int)i, 10);
    unmap(mapped);
  }
  test_read(buffer, BYTES, read);
  assert_memory_equal(read, data, BYTES);
}

static void counts_its_mappings(void **state) {
  (void)state;
  unsigned char *first = map_well(CL_MAP_READ, 0, 64), *second = map_well(CL_MAP_READ, 0, 64);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT, cl_uint, 2);
  unmap(first);
  unmap(second);
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT, cl_uint, 0);
}

static void mapped_pointer_is_aligned_for_every_type(void **state) {
  (void)state;
  unsigned char *mapped = map_well(CL_MAP_READ, 0, BYTES);
  assert_int_equal((uintptr_t)mapped % 128, 0);
  unmap(mapped);
  ASSERT_CL(clFinish(dut.queue));
}

static void non_blocking_map_is_ready_when_its_event_is(void **state) {
  (void)state;
  cl_int error;
  cl_event event;
  unsigned char *mapped =
      clEnqueueMapBuffer(dut.queue, buffer, CL_FALSE, CL_MAP_READ, 0, BYTES, 0, NULL, &event, &error);
  ASSERT_CL(error);
  ASSERT_CL(clWaitForEvents(1, &event));
  assert_memory_equal(mapped, data, BYTES);
  ASSERT_CL(clReleaseEvent(event));
  unmap(mapped);
  ASSERT_CL(clFinish(dut.queue));
}

static void refuses_ranges_that_end_outside_and_size_zero(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(map(buffer, CL_MAP_READ, 1, BYTES, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(map(buffer, CL_MAP_READ, BYTES, 1, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(map(buffer, CL_MAP_READ, 8, SIZE_MAX - 4, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(map(buffer, CL_MAP_READ, 0, 0, &error), error, CL_INVALID_VALUE);
}

/* Two for writing, one of them perhaps of a part of the buffer: apart they may be, overlapping they may not. */
static void refuses_overlapping_maps_for_writing(void **state) {
  (void)state;
  cl_int error;
  const cl_buffer_region region = {256, 512};
  cl_mem part = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  ASSERT_CL(error);
  unsigned char *first = map_well(CL_MAP_WRITE, 256, 256), *second = map_well(CL_MAP_WRITE_INVALIDATE_REGION, 512, 64);
  static const size_t overlapping[][2] = {{256, 256}, {511, 1}, {511, 100}, {0, 257}, {300, 10}, {0, BYTES}};
  for (size_t i = 0; i < sizeof overlapping / sizeof *overlapping; i++) {
    ASSERT_CL_REFUSED(map(buffer, CL_MAP_READ | CL_MAP_WRITE, overlapping[i][0], overlapping[i][1], &error), error,
                      CL_INVALID_OPERATION);
  }
  ASSERT_CL_REFUSED(map(part, CL_MAP_WRITE, 0, 16, &error), error, CL_INVALID_OPERATION);
  unmap(map_well(CL_MAP_READ, 256, 256));
  unmap(map_well(CL_MAP_WRITE, 0, 256));
  unmap(map_well(CL_MAP_WRITE, 576, 16));
  unmap(first);
  unmap(second);
  ASSERT_CL(clFinish(dut.queue));
  unmap(map_well(CL_MAP_WRITE, 300, 10));
  ASSERT_CL(clReleaseMemObject(part));
}

static void refuses_flags_that_are_unknown_or_exclude_each_other(void **state) {
  (void)state;
  cl_int error;
  ASSERT_CL_REFUSED(map(buffer, 1 << 20, 0, 1, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(map(buffer, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, &error), error, CL_INVALID_VALUE);
  ASSERT_CL_REFUSED(map(buffer, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, &error), error, CL_INVALID_VALUE);
}

static void refuses_null_and_foreign_objects(void **state) {
  (void)state;
  cl_int error;
  cl_context context = test_other_context();
  cl_mem foreign = clCreateBuffer(context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL_REFUSED(map(NULL, CL_MAP_READ, 0, 1, &error), error, CL_INVALID_MEM_OBJECT);
  ASSERT_CL_REFUSED(map(foreign, CL_MAP_READ, 0, 1, &error), error, CL_INVALID_CONTEXT);
  ASSERT_CL_REFUSED(clEnqueueMapBuffer(NULL, buffer, CL_TRUE, CL_MAP_READ, 0, 1, 0, NULL, NULL, &error), error,
                    CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL(clReleaseMemObject(foreign));
  ASSERT_CL(clReleaseContext(context));
}

static void host_access_flags_are_obeyed(void **state) {
  (void)state;
  static const struct {
    cl_mem_flags flags;
    cl_map_flags map;
  } refused[] = {
      {CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ}, {CL_MEM_HOST_NO_ACCESS, CL_MAP_READ},
      {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE}, {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION},
      {CL_MEM_HOST_NO_ACCESS, CL_MAP_WRITE},
  };
  cl_int error;
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
    cl_mem limited = clCreateBuffer(dut.context, refused[i].flags, 16, NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_REFUSED(map(limited, refused[i].map, 0, 16, &error), error, CL_INVALID_OPERATION);
    ASSERT_CL(clReleaseMemObject(limited));
  }
}

static void unmap_refuses_pointers_that_are_not_mapped(void **state) {
  (void)state;
  int elsewhere;
  unsigned char *mapped = map_well(CL_MAP_READ, 0, 16);
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(dut.queue, buffer, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(dut.queue, buffer, &elsewhere, 0, NULL, NULL), CL_INVALID_VALUE);
  unmap(mapped);
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(dut.queue, buffer, mapped, 0, NULL, NULL), CL_INVALID_VALUE);
}

static void unmap_refuses_null_and_foreign_objects(void **state) {
  (void)state;
  unsigned char *mapped = map_well(CL_MAP_READ, 0, 16);
  cl_context context = test_other_context();
  cl_command_queue queue = test_other_queue(context);
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(NULL, buffer, mapped, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(dut.queue, NULL, mapped, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  ASSERT_CL_ERROR(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL), CL_INVALID_CONTEXT);
  unmap(mapped);
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_CL(clReleaseContext(context));
}

/** The map command fails: before its mapping is unmapped, or after. */
static void unmap_fails_with_its_map(void **state) {
  (void)state;
  static const cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
  for (int i = 0; i < 4; i++) {
    cl_int error;
    bool wants_event = i / 2;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, orders[i % 2], 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(dut.context, dut.device, properties, &error);
    ASSERT_CL(error);
    cl_event gate = clCreateUserEvent(dut.context, &error), mapping = NULL, unmapping;
    ASSERT_CL(error);
    void *mapped = clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_WRITE, 0, BYTES, 1, &gate,
                                      wants_event ? &mapping : NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, &unmapping));
    void *again = clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_WRITE, 0, BYTES, 1, &gate, NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL(clSetUserEventStatus(gate, -77));
    ASSERT_CL(clFinish(queue));
    ASSERT_INFO(clGetEventInfo, unmapping, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, -77);
    ASSERT_CL_ERROR(clEnqueueUnmapMemObject(queue, buffer, again, 0, NULL, NULL), CL_INVALID_VALUE);
    ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT, cl_uint, 0);
    if (wants_event) ASSERT_CL(clReleaseEvent(mapping));
    ASSERT_CL(clReleaseEvent(unmapping));
    ASSERT_CL(clReleaseEvent(gate));
    ASSERT_CL(clReleaseCommandQueue(queue));
  }
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_buffer, release_buffer)
  const struct CMUnitTest tests[] = {
      CASE(shows_the_buffers_contents),
      CASE(shows_what_a_kernel_wrote),
      CASE(writes_reach_the_buffer_at_unmapping),
      CASE(counts_its_mappings),
      CASE(mapped_pointer_is_aligned_for_every_type),
      CASE(non_blocking_map_is_ready_when_its_event_is),
      CASE(refuses_ranges_that_end_outside_and_size_zero),
      CASE(refuses_overlapping_maps_for_writing),
      CASE(refuses_flags_that_are_unknown_or_exclude_each_other),
      CASE(refuses_null_and_foreign_objects),
      CASE(host_access_flags_are_obeyed),
      CASE(unmap_refuses_pointers_that_are_not_mapped),
      CASE(unmap_refuses_null_and_foreign_objects),
      CASE(unmap_fails_with_its_map),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
