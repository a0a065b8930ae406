/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels that fault: what becomes of their command, of what waits for it and of what does not, who is told, and that
 * the application's signal handlers go on working. The specification leaves all of it open. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test_device.h"
#include "test_process.h"

static const char source[] =
    "kernel void null_write(global int *out, int where, int zero) {\n"
    "  if (get_group_id(0) == where) *(volatile global int *)(size_t)zero = 1;\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void far_write(global int *out, int where, int zero) {\n"
    "  if (get_group_id(0) == where) out[-(1l << (42 + zero))] = 1;\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void far_read(global int *out, int where, int zero) {\n"
    "  int value = 1;\n"
    "  if (get_group_id(0) == where) value = out[-(1l << (42 + zero))];\n"
    "  out[get_global_id(0)] = value;\n"
    "}\n"
    "kernel void overflow(global int *out, int where, int zero) {\n"
    "  if (get_group_id(0) == where) {\n"
    "    volatile int hole[1 << 25];\n"
    "    for (int i = 0; i < (1 << 25); i += 512) hole[i + zero] = i;\n"
    "    out[0] = hole[zero + get_global_id(0)];\n"
    "  }\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n"
    "__attribute__((noinline)) int use_hole(int id, int zero) {\n"
    "  volatile int hole[1 << 25];\n"
    "  for (int i = 0; i < (1 << 25); i += 512) hole[i + zero] = i;\n"
    "  return hole[zero + id];\n"
    "}\n"
    "kernel void overflow_in_call(global int *out, int where, int zero) {\n"
    "  if (get_group_id(0) == where) out[0] = use_hole(get_global_id(0), zero);\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void trap(global int *out, int where, int zero) {\n"
    "  if (get_group_id(0) == where) __builtin_trap();\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void fill(global int *out, int value) { out[get_global_id(0)] = value; }\n"
    "kernel void speak(global int *out, int where, int zero) {\n"
    "  printf(\"%d\\n\", (int)get_global_id(0));\n"
    "  if (get_group_id(0) == where) *(volatile global int *)(size_t)zero = 1;\n"
    "}\n"
    "kernel void speak_of_nothing(global int *out, int where, int zero) {\n"
    "  if (get_group_id(0) == where) printf(\"%d %s\\n\", where, (global char *)(size_t)(zero + 64));\n"
    "  out[get_global_id(0)] = 1;\n"
    "}\n";

enum { ITEMS = 4096, LOCAL = 4, TRUNCATED_BYTES = ITEMS * sizeof(cl_int) };

typedef struct fixture_t {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_mem buffer;
} fixture_t;

static fixture_t fixture;
static atomic_int notes;
static char noted[1024];

static void CL_CALLBACK note(const char *message, const void *data, size_t size, void *user_data) {
  (void)data, (void)size, (void)user_data;
  snprintf(noted, sizeof noted, "%s", message);
  atomic_fetch_add(&notes, 1);
}

static cl_command_queue queue_create(cl_command_queue_properties properties) {
  cl_int error = CL_SUCCESS;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(fixture.context, dut.device, list, &error);
  ASSERT_CL(error);
  return queue;
}

static int set_up(void **state) {
  cl_int error;
  const char *text = source;
  if (test_device_open(state)) return -1;
  fixture.context = clCreateContext(NULL, 1, &dut.device, note, NULL, &error);
  ASSERT_CL(error);
  fixture.queue = queue_create(0);
  fixture.program = clCreateProgramWithSource(fixture.context, 1, &text, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(fixture.program, 1, &dut.device, "-cl-std=CL3.0", NULL, NULL));
  fixture.buffer = clCreateBuffer(fixture.context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL, &error);
  ASSERT_CL(error);
  return 0;
}

static int tear_down(void **state) {
  ASSERT_CL(clReleaseMemObject(fixture.buffer));
  ASSERT_CL(clReleaseProgram(fixture.program));
  ASSERT_CL(clReleaseCommandQueue(fixture.queue));
  ASSERT_CL(clReleaseContext(fixture.context));
  return test_device_close(state);
}

/* ---------------------------------------------------------------- helpers */

static cl_kernel kernel_create(const char *name) {
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(fixture.program, name, &error);
  ASSERT_CL(error);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &fixture.buffer));
  return kernel;
}

static void enqueue_crash_on(cl_command_queue queue, const char *name, cl_int where, cl_event *event) {
  const cl_int zero = 0;
  const size_t items = ITEMS, local = LOCAL;
  cl_kernel kernel = kernel_create(name);
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof where, &where));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof zero, &zero));
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, event));
  ASSERT_CL(clReleaseKernel(kernel));
}

static void enqueue_crash(const char *name, cl_int where, cl_event *event) {
  enqueue_crash_on(fixture.queue, name, where, event);
}

static void enqueue_fill(cl_command_queue queue, cl_mem buffer, cl_int value, cl_uint wait_count, const cl_event *waits,
                         cl_event *event) {
  const size_t items = ITEMS;
  cl_kernel kernel = kernel_create("fill");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof value, &value));
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, wait_count, waits, event));
  ASSERT_CL(clReleaseKernel(kernel));
}

static cl_int status_of(cl_event event) {
  cl_int status = 99;
  ASSERT_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

static void release(cl_event *events, int count) {
  for (int i = 0; i < count; i++) ASSERT_CL(clReleaseEvent(events[i]));
}

/** A queue as good as new, in order or not. */
static void check_goes_on_with(cl_command_queue queue, cl_int value) {
  static cl_int out[ITEMS];
  cl_event filled;
  enqueue_fill(queue, fixture.buffer, value, 0, NULL, &filled);
  ASSERT_CL(clEnqueueReadBuffer(queue, fixture.buffer, CL_TRUE, 0, sizeof out, out, 1, &filled, NULL));
  ASSERT_CL(clReleaseEvent(filled));
  for (int i = 0; i < ITEMS; i++) assert_int_equal(out[i], value);
}

static void check_goes_on(cl_int value) { check_goes_on_with(fixture.queue, value); }

/** Two pages of a file that has since become shorter: who touches them gets SIGBUS. */
static void *truncated_pages(void) {
  int file = memfd_create("truncated", MFD_CLOEXEC);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, TRUNCATED_BYTES), 0);
  void *pages = mmap(NULL, TRUNCATED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert_true(pages != MAP_FAILED);
  assert_int_equal(ftruncate(file, 0), 0);
  close(file);
  return pages;
}

/* ---------------------------------------------------------------- the command */

static void expect(char *text, size_t size, const char *name, cl_int where, const char *what) {
  /* A stack that is too small is so for the first work-group. */
  if (strcmp(name, "overflow") == 0)
    snprintf(text, size, "): %s", what);
  else
    snprintf(text, size, "kernel '%s', work-group (%d, 0, 0): %s", name, (int)where, what);
}

static void check_fault(const char *name, cl_int where, const char *what) {
  cl_event event;
  char expected[128], errors[4096];
  test_capture_t capture;
  expect(expected, sizeof expected, name, where, what);
  atomic_store(&notes, 0);
  test_capture_begin(&capture, 2);
  enqueue_crash(name, where, &event);
  cl_int finished = clFinish(fixture.queue);
  test_capture_end(&capture, errors, sizeof errors);
  ASSERT_CL(finished);
  assert_true(status_of(event) < 0);
  assert_int_equal(atomic_load(&notes), 1);
  if (!strstr(noted, expected)) fail_msg("notified of: %s", noted);
  const char *line = strstr(errors, expected);
  if (!line || strstr(line + 1, expected)) fail_msg("printed: %s", errors);
  ASSERT_CL_ERROR(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  ASSERT_CL(clReleaseEvent(event));
  check_goes_on(where + 5);
}

static void every_fault_ends_its_command(void **state) {
  (void)state;
  static const struct {
    const char *name, *what;
  } cases[] = {
      {"null_write", "invalid write at address 0x0;"},
      {"far_write", "invalid write at "},
      {"far_read", "invalid read at "},
      {"speak_of_nothing", "invalid read at address 0x40;"},
      {"trap", "illegal instruction at "},
      {"overflow", "stack overflow at "},
      {"overflow_in_call", "stack overflow at "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int round = 0; round < 3; round++) {
      check_fault(cases[i].name, 0, cases[i].what);
      check_fault(cases[i].name, 77, cases[i].what);
      check_fault(cases[i].name, ITEMS / LOCAL - 1, cases[i].what);
    }
  }
}

/** The application's own memory may fail it: a file that is mapped, and cut by somebody else. */
static void memory_of_a_truncated_file_is_a_bus_error(void **state) {
  (void)state;
  cl_int error;
  cl_event events[4];
  char errors[4096];
  test_capture_t capture;
  void *pages = truncated_pages();
  cl_command_queue other = queue_create(0), third = queue_create(0);
  cl_mem buffer = clCreateBuffer(fixture.context, CL_MEM_USE_HOST_PTR, TRUNCATED_BYTES, pages, &error);
  ASSERT_CL(error);
  atomic_store(&notes, 0);
  test_capture_begin(&capture, 2);
  enqueue_fill(third, fixture.buffer, 3, 0, NULL, &events[3]);
  enqueue_fill(fixture.queue, buffer, 1, 0, NULL, &events[0]);
  enqueue_fill(fixture.queue, fixture.buffer, 1, 1, &events[0], &events[1]);
  enqueue_fill(other, fixture.buffer, 1, 1, &events[0], &events[2]);
  ASSERT_CL(clFinish(other));
  ASSERT_CL(clFinish(fixture.queue));
  ASSERT_CL(clFinish(third));
  test_capture_end(&capture, errors, sizeof errors);
  for (int i = 0; i < 3; i++) assert_int_equal(status_of(events[i]), CL_OUT_OF_RESOURCES);
  assert_int_equal(status_of(events[3]), CL_COMPLETE);
  assert_int_equal(atomic_load(&notes), 1);
  if (!strstr(noted, "kernel 'fill', work-group (") || !strstr(noted, "bus error at "))
    fail_msg("notified of: %s", noted);
  const char *line = strstr(errors, "bus error at ");
  if (!line || strstr(line + 1, "bus error")) fail_msg("printed: %s", errors);
  check_goes_on(4);
  check_goes_on_with(other, 5);
  check_goes_on_with(third, 6);
  release(events, 4);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseCommandQueue(other));
  ASSERT_CL(clReleaseCommandQueue(third));
  munmap(pages, TRUNCATED_BYTES);
}

static void faults_in_a_row_are_all_told(void **state) {
  (void)state;
  enum { COUNT = 100 };
  cl_event events[COUNT];
  atomic_store(&notes, 0);
  for (int i = 0; i < COUNT; i++) {
    enqueue_crash("null_write", i, &events[i]);
    ASSERT_CL(clFinish(fixture.queue));
  }
  for (int i = 0; i < COUNT; i++) assert_true(status_of(events[i]) < 0);
  assert_int_equal(atomic_load(&notes), COUNT);
  release(events, COUNT);
  check_goes_on(1);
}

/* ---------------------------------------------------------------- commands around it */

static void commands_before_it_are_complete_and_those_after_it_not(void **state) {
  (void)state;
  cl_event events[4];
  cl_int value = 0;
  enqueue_fill(fixture.queue, fixture.buffer, 8, 0, NULL, &events[0]);
  enqueue_fill(fixture.queue, fixture.buffer, 9, 0, NULL, &events[1]);
  enqueue_crash("null_write", 0, &events[2]);
  enqueue_fill(fixture.queue, fixture.buffer, 10, 0, NULL, &events[3]);
  ASSERT_CL(clFinish(fixture.queue));
  assert_int_equal(status_of(events[0]), CL_COMPLETE);
  assert_int_equal(status_of(events[1]), CL_COMPLETE);
  assert_true(status_of(events[2]) < 0);
  assert_true(status_of(events[3]) < 0);
  /* The first work-group never wrote. */
  ASSERT_CL(clEnqueueReadBuffer(fixture.queue, fixture.buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  assert_int_equal(value, 9);
  release(events, 4);
  check_goes_on(11);
}

static void blocking_read_behind_it_returns_an_error(void **state) {
  (void)state;
  cl_int value = 0;
  enqueue_crash("null_write", 3, NULL);
  assert_true(clEnqueueReadBuffer(fixture.queue, fixture.buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) < 0);
  check_goes_on(12);
}

static void dependants_on_all_queues_are_terminated(void **state) {
  (void)state;
  cl_command_queue other = queue_create(0), out_of_order = queue_create(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event events[5];
  cl_int error;
  cl_mem free_buffer = clCreateBuffer(fixture.context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL, &error);
  ASSERT_CL(error);
  for (int round = 0; round < 50; round++) {
    enqueue_crash("far_write", round, &events[0]);
    enqueue_fill(other, fixture.buffer, 1, 1, &events[0], &events[1]);
    enqueue_fill(out_of_order, fixture.buffer, 1, 1, &events[1], &events[2]);
    enqueue_fill(out_of_order, free_buffer, 1, 0, NULL, &events[3]);
    if (round % 2) ASSERT_CL(clFlush(fixture.queue));
    ASSERT_CL(clFinish(other));
    ASSERT_CL(clFinish(out_of_order));
    ASSERT_CL(clFinish(fixture.queue));
    /* Told too late to terminate it by its edges. */
    enqueue_fill(other, fixture.buffer, 1, 1, &events[2], &events[4]);
    ASSERT_CL(clFinish(other));
    for (int i = 0; i < 5; i++) {
      if (i == 3) {
        assert_int_equal(status_of(events[i]), CL_COMPLETE);
      } else {
        assert_true(status_of(events[i]) < 0);
      }
    }
    release(events, 5);
    check_goes_on_with(other, round);
    check_goes_on(round + 1);
  }
  ASSERT_CL(clReleaseMemObject(free_buffer));
  ASSERT_CL(clReleaseCommandQueue(other));
  ASSERT_CL(clReleaseCommandQueue(out_of_order));
}

/** Enqueued while the failure spreads, each command waiting for the one before, kernels and markers in turn. */
static void a_chain_that_grows_behind_it_fails_as_a_whole(void **state) {
  (void)state;
  enum { LENGTH = 50 };
  cl_command_queue queue = queue_create(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (int round = 0; round < 100; round++) {
    cl_event events[LENGTH];
    enqueue_crash_on(queue, "null_write", round, &events[0]);
    ASSERT_CL(clFlush(queue));
    for (int i = 1; i < LENGTH; i++) {
      if (i % 2)
        enqueue_fill(queue, fixture.buffer, 1, 1, &events[i - 1], &events[i]);
      else
        ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 1, &events[i - 1], &events[i]));
      ASSERT_CL(clFlush(queue));
    }
    ASSERT_CL(clFinish(queue));
    for (int i = 0; i < LENGTH; i++) {
      if (status_of(events[i]) >= 0) fail_msg("round %d: command %d has status %d", round, i, status_of(events[i]));
    }
    release(events, LENGTH);
  }
  check_goes_on_with(queue, 1);
  ASSERT_CL(clReleaseCommandQueue(queue));
}

static void CL_CALLBACK sleep_long(cl_event event, cl_int status, void *user_data) {
  (void)event, (void)status, (void)user_data;
  usleep(50000);
}

/** What waited for it is not seen to end before it is, however long it takes to tell: a callback of the command before
 * delays that. One dependant is given to the device before the fault, one is blocked until then, one comes after it. */
static void dependants_do_not_end_before_the_cause(void **state) {
  (void)state;
  enum { EARLY = 2, BLOCKED, LATE, EVENTS };
  cl_command_queue other = queue_create(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (int round = 0; round < 20; round++) {
    cl_int error;
    cl_event events[EVENTS], gate = clCreateUserEvent(fixture.context, &error);
    ASSERT_CL(error);
    enqueue_fill(fixture.queue, fixture.buffer, 1, 0, NULL, &events[0]);
    ASSERT_CL(clSetEventCallback(events[0], CL_COMPLETE, sleep_long, NULL));
    enqueue_crash("null_write", round, &events[1]);
    const cl_event blocked_by[] = {events[1], gate};
    ASSERT_CL(clFlush(fixture.queue));
    enqueue_fill(other, fixture.buffer, 1, 1, &events[1], &events[EARLY]);
    enqueue_fill(other, fixture.buffer, 1, 2, blocked_by, &events[BLOCKED]);
    ASSERT_CL(clFlush(other));
    usleep(1000 * (round % 3));
    enqueue_fill(other, fixture.buffer, 1, 1, &events[1], &events[LATE]);
    ASSERT_CL(clFlush(other));
    for (int i = LATE; i > 1; i--) {
      (void)clWaitForEvents(1, &events[i]);
      if (status_of(events[i]) >= 0) fail_msg("round %d: command %d has status %d", round, i, status_of(events[i]));
      if (status_of(events[1]) >= 0) fail_msg("round %d: command %d ended before its cause", round, i);
    }
    release(events, EVENTS);
    ASSERT_CL(clReleaseEvent(gate));
    check_goes_on(round);
  }
  ASSERT_CL(clReleaseCommandQueue(other));
}

/** Whoever has seen the failure, in whatever way, may go on: here as early as can be, with more behind the fault. */
static void what_is_enqueued_after_seeing_it_runs(void **state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    cl_event events[3];
    enqueue_crash("null_write", round, &events[0]);
    ASSERT_CL(clFlush(fixture.queue));
    enqueue_fill(fixture.queue, fixture.buffer, 1, 0, NULL, &events[1]);
    ASSERT_CL(clFlush(fixture.queue));
    while (status_of(events[0]) > CL_COMPLETE) usleep(10);
    enqueue_fill(fixture.queue, fixture.buffer, 2, 0, NULL, &events[2]);
    ASSERT_CL(clFinish(fixture.queue));
    assert_true(status_of(events[0]) < 0);
    assert_int_equal(status_of(events[2]), CL_COMPLETE);
    release(events, 3);
    check_goes_on(round);
  }
}

static cl_event from_callback;

static void CL_CALLBACK enqueue_more(cl_event event, cl_int status, void *user_data) {
  (void)event;
  if (status < 0) enqueue_fill(fixture.queue, fixture.buffer, 42, 0, NULL, &from_callback);
  atomic_store((atomic_bool *)user_data, true);
}

static void callback_of_the_failed_event_may_enqueue(void **state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    atomic_bool called = false;
    cl_event event;
    from_callback = NULL;
    enqueue_crash("null_write", round, &event);
    ASSERT_CL(clSetEventCallback(event, CL_COMPLETE, enqueue_more, &called));
    ASSERT_CL(clFinish(fixture.queue));
    while (!atomic_load(&called)) usleep(10);
    assert_non_null(from_callback);
    ASSERT_CL(clFinish(fixture.queue));
    assert_int_equal(status_of(from_callback), CL_COMPLETE);
    release(&event, 1);
    release(&from_callback, 1);
  }
}

static void printed_output_is_not_lost(void **state) {
  (void)state;
  static char text[1 << 20];
  test_capture_t capture;
  test_capture_begin(&capture, 1);
  enqueue_crash("speak", 50, NULL);
  cl_int error = clFinish(fixture.queue);
  enqueue_crash("speak", -1, NULL);
  if (!error) error = clFinish(fixture.queue);
  test_capture_end(&capture, text, sizeof text);
  ASSERT_CL(error);
  assert_non_null(strstr(text, "4095\n"));
}

/* ---------------------------------------------------------------- the application's handlers */

static sigjmp_buf recovery;
static volatile sig_atomic_t handled;

static void handle(int signal) {
  (void)signal;
  handled++;
  siglongjmp(recovery, 1);
}

/** A fault of the application's own; returns how many of its handlers saw it. */
__attribute__((no_sanitize("undefined"))) static int application_faults(int signal) {
  volatile int *volatile nowhere = NULL;
  volatile int zero = 0, hundred = 100;
  void *pages = signal == SIGBUS ? truncated_pages() : NULL;
  handled = 0;
  if (!sigsetjmp(recovery, 1)) {
    switch (signal) {
      case SIGBUS: *(volatile int *)pages = 1; break;
      case SIGFPE: hundred /= zero; break;
      case SIGILL: __builtin_trap();
      default: *nowhere = 1; break;
    }
  }
  if (pages) munmap(pages, TRUNCATED_BYTES);
  return handled;
}

static void application_handlers_go_on(void **state) {
  (void)state;
  static const struct {
    int signal;
    const char *name, *what;
  } cases[] = {
      {SIGSEGV, "null_write", "invalid write"},
      {SIGFPE, "null_write", "invalid write"}, /* no kernel divides by zero (test/cl/kernels_division.c) */
      {SIGILL, "trap", "illegal instruction"},
      {SIGBUS, "null_write", "invalid write"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sigaction action = {.sa_handler = handle}, before;
    sigemptyset(&action.sa_mask);
    ASSERT_CL(sigaction(cases[i].signal, &action, &before));
    /* Handlers of other signals than SIGSEGV are looked for every fifty microseconds. */
    usleep(1000);
    assert_int_equal(application_faults(cases[i].signal), 1);
    for (int round = 0; round < 3; round++) {
      check_fault(cases[i].name, 5, cases[i].what);
      assert_int_equal(application_faults(cases[i].signal), 1);
    }
    ASSERT_CL(sigaction(cases[i].signal, &before, NULL));
  }
}

static void end_process(int signal) {
  (void)signal;
  static const char words[] = "the application's handler saw a kernel's fault\n";
  ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
  _exit(written == sizeof words - 1 ? 1 : 2);
}

/* The copy ends right before the kernel begins: nobody has looked after the handlers for a while nevertheless. */
static void handlers_may_come_before_a_copy_and_a_kernel(void **state) {
  (void)state;
  const cl_int zero = 0;
  struct sigaction action = {.sa_handler = end_process}, before;
  sigemptyset(&action.sa_mask);
  ASSERT_CL(sigaction(SIGSEGV, NULL, &before));
  for (int round = 0; round < 100; round++) {
    cl_event event;
    ASSERT_CL(sigaction(SIGSEGV, &action, NULL));
    for (int copy = 0; copy < 3; copy++) {
      ASSERT_CL(clEnqueueFillBuffer(fixture.queue, fixture.buffer, &zero, sizeof zero, 0, 64, 0, NULL, NULL));
      ASSERT_CL(clFlush(fixture.queue));
    }
    enqueue_crash("null_write", 0, &event);
    (void)clFinish(fixture.queue);
    assert_true(status_of(event) < 0);
    release(&event, 1);
  }
  ASSERT_CL(sigaction(SIGSEGV, &before, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_fault_ends_its_command),
      cmocka_unit_test(memory_of_a_truncated_file_is_a_bus_error),
      cmocka_unit_test(faults_in_a_row_are_all_told),
      cmocka_unit_test(commands_before_it_are_complete_and_those_after_it_not),
      cmocka_unit_test(blocking_read_behind_it_returns_an_error),
      cmocka_unit_test(dependants_on_all_queues_are_terminated),
      cmocka_unit_test(a_chain_that_grows_behind_it_fails_as_a_whole),
      cmocka_unit_test(dependants_do_not_end_before_the_cause),
      cmocka_unit_test(what_is_enqueued_after_seeing_it_runs),
      cmocka_unit_test(callback_of_the_failed_event_may_enqueue),
      cmocka_unit_test(printed_output_is_not_lost),
      cmocka_unit_test(application_handlers_go_on),
      cmocka_unit_test(handlers_may_come_before_a_copy_and_a_kernel),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
