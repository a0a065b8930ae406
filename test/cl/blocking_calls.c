/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Every blocking command behind an event that has failed: it returns the error, gives no event out, and changes
 * nothing. */
#include "test_device.h"
#include "test_image.h"

enum { BYTES = 256, WIDTH = 8, PATTERN = 0x5a };

static cl_mem buffer, image;
static unsigned char host[BYTES];
static void *svm;

static const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, WIDTH, 1};

typedef cl_int (*call_t)(cl_uint count, const cl_event *waits, cl_event *event);

#define CALL(name, expression) \
  static cl_int name(cl_uint n, const cl_event *waits, cl_event *event) { return expression; }

CALL(read_buffer, clEnqueueReadBuffer(dut.queue, buffer, CL_TRUE, 0, BYTES, host, n, waits, event))
CALL(write_buffer, clEnqueueWriteBuffer(dut.queue, buffer, CL_TRUE, 0, BYTES, host, n, waits, event))
CALL(read_rect,
     clEnqueueReadBufferRect(dut.queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, host, n, waits, event))
CALL(write_rect,
     clEnqueueWriteBufferRect(dut.queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, host, n, waits, event))
CALL(read_image, clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, host, n, waits, event))
CALL(write_image, clEnqueueWriteImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, host, n, waits, event))
CALL(svm_memcpy, clEnqueueSVMMemcpy(dut.queue, CL_TRUE, svm, host, 64, n, waits, event))
CALL(svm_map, clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_WRITE, svm, 64, n, waits, event))

static cl_int map_buffer(cl_uint count, const cl_event *waits, cl_event *event) {
  cl_int error = CL_SUCCESS;
  void *mapped = clEnqueueMapBuffer(dut.queue, buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, count, waits, event, &error);
  assert_null(mapped);
  return error;
}

static cl_int map_image(cl_uint count, const cl_event *waits, cl_event *event) {
  cl_int error = CL_SUCCESS;
  size_t pitch = 0;
  void *mapped = clEnqueueMapImage(dut.queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, count, waits,
                                   event, &error);
  assert_null(mapped);
  return error;
}

static const struct {
  const char *name;
  call_t call;
  bool of_image, of_svm;
} calls[] = {
    {"clEnqueueReadBuffer", read_buffer, false, false},   {"clEnqueueWriteBuffer", write_buffer, false, false},
    {"clEnqueueReadBufferRect", read_rect, false, false}, {"clEnqueueWriteBufferRect", write_rect, false, false},
    {"clEnqueueMapBuffer", map_buffer, false, false},     {"clEnqueueReadImage", read_image, true, false},
    {"clEnqueueWriteImage", write_image, true, false},    {"clEnqueueMapImage", map_image, true, false},
    {"clEnqueueSVMMemcpy", svm_memcpy, false, true},      {"clEnqueueSVMMap", svm_map, false, true},
};

static int make_objects(void **state) {
  unsigned char pattern[BYTES];
  if (test_device_open(state)) return 1;
  memset(pattern, PATTERN, sizeof(pattern));
  buffer = test_buffer(BYTES, pattern);
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = test_image_desc(CL_MEM_OBJECT_IMAGE2D, WIDTH, WIDTH, 1, 1);
  cl_int error;
  image = clCreateImage(dut.context, 0, &format, &desc, NULL, &error);
  if (error) image = NULL;
  svm = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0);
  if (svm) memset(svm, PATTERN, 64);
  return 0;
}

static int release_objects(void **state) {
  if (svm) clSVMFree(dut.context, svm);
  if (image) ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(buffer));
  return test_device_close(state);
}

static void a_failed_event_fails_the_call(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
    if ((calls[i].of_image && !image) || (calls[i].of_svm && !svm)) continue;
    cl_int error;
    cl_event failed = clCreateUserEvent(dut.context, &error), event = NULL;
    ASSERT_CL(error);
    ASSERT_CL(clSetUserEventStatus(failed, -1));
    cl_int result = calls[i].call(1, &failed, &event);
    if (result != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
      fail_msg("%s gives %s", calls[i].name, test_error_name(result));
    }
    assert_null(event);
    ASSERT_CL(clReleaseEvent(failed));
  }
  for (int i = 0; i < BYTES; i++) assert_int_equal(host[i], 0);
  ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT, cl_uint, 0);
  test_read(buffer, BYTES, host);
  for (int i = 0; i < BYTES; i++) assert_int_equal(host[i], PATTERN);
  for (int i = 0; svm && i < 64; i++) assert_int_equal(((unsigned char *)svm)[i], PATTERN);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_failed_event_fails_the_call)};
  return cmocka_run_group_tests(tests, make_objects, release_objects);
}
