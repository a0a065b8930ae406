/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reads, writes, copies and fills of memory that is gone: the rest of a mapped file that somebody has cut. They end
 * with an error as a kernel does that faults, and the process goes on. */
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

enum { BYTES = 64 << 10, ROW = 4096 };

typedef struct fixture_t {
  cl_context context;
  cl_command_queue queue;
  /** Over memory that is gone, and one that is well. */
  cl_mem gone, sound;
  /** Of pixels that are gone: the same memory. */
  cl_mem gone_image;
  void *pages;
} fixture_t;

static fixture_t fixture;
static atomic_int notes;
static char noted[1024];
static char host[BYTES];

static void CL_CALLBACK note(const char *message, const void *data, size_t size, void *user_data) {
  (void)data, (void)size, (void)user_data;
  snprintf(noted, sizeof noted, "%s", message);
  atomic_fetch_add(&notes, 1);
}

static void *truncated_pages(void) {
  int file = memfd_create("truncated", MFD_CLOEXEC);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, BYTES), 0);
  void *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert_true(pages != MAP_FAILED);
  assert_int_equal(ftruncate(file, 0), 0);
  close(file);
  return pages;
}

static int set_up(void **state) {
  cl_int error;
  if (test_device_open(state)) return -1;
  fixture.pages = truncated_pages();
  fixture.context = clCreateContext(NULL, 1, &dut.device, note, NULL, &error);
  ASSERT_CL(error);
  fixture.queue = clCreateCommandQueueWithProperties(fixture.context, dut.device, NULL, &error);
  ASSERT_CL(error);
  fixture.gone = clCreateBuffer(fixture.context, CL_MEM_USE_HOST_PTR, BYTES, fixture.pages, &error);
  ASSERT_CL(error);
  fixture.sound = clCreateBuffer(fixture.context, 0, BYTES, NULL, &error);
  ASSERT_CL(error);
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc shape = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = ROW / 4, .image_height = BYTES / ROW};
  fixture.gone_image = clCreateImage(fixture.context, CL_MEM_USE_HOST_PTR, &format, &shape, fixture.pages, &error);
  ASSERT_CL(error);
  return 0;
}

static int tear_down(void **state) {
  ASSERT_CL(clReleaseMemObject(fixture.gone_image));
  ASSERT_CL(clReleaseMemObject(fixture.gone));
  ASSERT_CL(clReleaseMemObject(fixture.sound));
  ASSERT_CL(clReleaseCommandQueue(fixture.queue));
  ASSERT_CL(clReleaseContext(fixture.context));
  munmap(fixture.pages, BYTES);
  return test_device_close(state);
}

/* ---------------------------------------------------------------- commands */

static cl_int read_gone(cl_event *event) {
  return clEnqueueReadBuffer(fixture.queue, fixture.gone, CL_FALSE, 0, BYTES, host, 0, NULL, event);
}

static cl_int write_gone(cl_event *event) {
  return clEnqueueWriteBuffer(fixture.queue, fixture.gone, CL_FALSE, 0, BYTES, host, 0, NULL, event);
}

static cl_int read_to_gone(cl_event *event) {
  return clEnqueueReadBuffer(fixture.queue, fixture.sound, CL_FALSE, 0, BYTES, fixture.pages, 0, NULL, event);
}

static cl_int copy_from_gone(cl_event *event) {
  return clEnqueueCopyBuffer(fixture.queue, fixture.gone, fixture.sound, 0, 0, BYTES, 0, NULL, event);
}

static cl_int read_rectangle(cl_event *event) {
  const size_t origin[3] = {0}, region[3] = {ROW / 2, 4, 1};
  return clEnqueueReadBufferRect(fixture.queue, fixture.gone, CL_FALSE, origin, origin, region, ROW, 0, ROW, 0, host, 0,
                                 NULL, event);
}

static cl_int fill_gone(cl_event *event) {
  const cl_uint pattern = 3;
  return clEnqueueFillBuffer(fixture.queue, fixture.gone, &pattern, sizeof pattern, 0, BYTES, 0, NULL, event);
}

static cl_int fill_gone_with_bytes(cl_event *event) {
  return clEnqueueFillBuffer(fixture.queue, fixture.gone, "x", 1, 0, BYTES, 0, NULL, event);
}

static const size_t no_origin[3], whole_image[3] = {ROW / 4, BYTES / ROW, 1};

static cl_int fill_gone_image(cl_event *event) {
  const cl_uint color[4] = {1, 2, 3, 4};
  return clEnqueueFillImage(fixture.queue, fixture.gone_image, color, no_origin, whole_image, 0, NULL, event);
}

static cl_int read_gone_image(cl_event *event) {
  return clEnqueueReadImage(fixture.queue, fixture.gone_image, CL_FALSE, no_origin, whole_image, 0, 0, host, 0, NULL,
                            event);
}

static cl_int copy_gone_image(cl_event *event) {
  return clEnqueueCopyImageToBuffer(fixture.queue, fixture.gone_image, fixture.sound, no_origin, whole_image, 0, 0,
                                    NULL, event);
}

/* Any memory of the process is shared virtual memory. */
static cl_int copy_shared(cl_event *event) {
  return clEnqueueSVMMemcpy(fixture.queue, CL_FALSE, host, fixture.pages, BYTES, 0, NULL, event);
}

/* ---------------------------------------------------------------- cases */

static void check_goes_on(cl_uchar value) {
  ASSERT_CL(clEnqueueFillBuffer(fixture.queue, fixture.sound, &value, 1, 0, BYTES, 0, NULL, NULL));
  ASSERT_CL(clEnqueueReadBuffer(fixture.queue, fixture.sound, CL_TRUE, 0, BYTES, host, 0, NULL, NULL));
  for (int i = 0; i < BYTES; i++) assert_int_equal((cl_uchar)host[i], value);
}

static void check_fault(cl_int (*enqueue)(cl_event *event), const char *what) {
  char errors[4096];
  test_capture_t capture;
  cl_event event;
  cl_int status = CL_QUEUED;
  atomic_store(&notes, 0);
  test_capture_begin(&capture, 2);
  cl_int enqueued = enqueue(&event), finished = clFinish(fixture.queue);
  test_capture_end(&capture, errors, sizeof errors);
  ASSERT_CL(enqueued);
  ASSERT_CL(finished);
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  assert_int_equal(status, CL_OUT_OF_RESOURCES);
  assert_int_equal(atomic_load(&notes), 1);
  if (!strstr(noted, what)) fail_msg("notified of: %s", noted);
  if (!strstr(errors, what)) fail_msg("printed: %s", errors);
  ASSERT_CL(clReleaseEvent(event));
}

static void every_command_ends_with_an_error(void **state) {
  (void)state;
  static const struct {
    cl_int (*enqueue)(cl_event *event);
    const char *what;
  } cases[] = {
      {read_gone, "copy command: bus error at "},       {write_gone, "copy command: bus error at "},
      {read_to_gone, "copy command: bus error at "},    {copy_from_gone, "copy command: bus error at "},
      {read_rectangle, "copy command: bus error at "},  {fill_gone, "fill command: bus error at "},
      {copy_shared, "copy command: bus error at "},     {fill_gone_with_bytes, "fill command: bus error at "},
      {read_gone_image, "copy command: bus error at "}, {copy_gone_image, "copy command: bus error at "},
      {fill_gone_image, "fill command: bus error at "},
  };
  for (int round = 0; round < 3; round++) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      check_fault(cases[i].enqueue, cases[i].what);
      check_goes_on((cl_uchar)(i + 1));
    }
  }
}

static void blocking_read_returns_an_error(void **state) {
  (void)state;
  char errors[4096];
  test_capture_t capture;
  test_capture_begin(&capture, 2);
  cl_int error = clEnqueueReadBuffer(fixture.queue, fixture.gone, CL_TRUE, 0, BYTES, host, 0, NULL, NULL);
  test_capture_end(&capture, errors, sizeof errors);
  assert_int_equal(error, CL_OUT_OF_RESOURCES);
  check_goes_on(9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_command_ends_with_an_error),
      cmocka_unit_test(blocking_read_returns_an_error),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
