/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Interop tasks, statement by statement (T1 to T9), and what goes wrong in them. Argument: the OpenCL platform. */
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "groups.h"

enum { items = 256, bytes = items * sizeof(int) };

#define ASSERT_CL(call) assert_int_equal(call, CL_SUCCESS)

/* Takes the error that must have come, so that the next test begins without. */
static void expect_error(test_place_t *place, quern_result_t result, const char *part) {
  assert_int_equal(atomic_load(&place->errors.count), 1);
  assert_int_equal(place->errors.last, result);
  if (!strstr(place->errors.message, part)) print_error("message: %s\n", place->errors.message);
  assert_non_null(strstr(place->errors.message, part));
  atomic_store(&place->errors.count, 0);
}

static quern_event_t submit_task(quern_queue_t queue, quern_task_t task, void *data) {
  quern_group_t group = test_group(queue);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, task, data));
  return test_submit(group);
}

/* ------------------------------------------------------------ T1, T4: asynchronous */

typedef struct gate_t {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_open;
} gate_t;
#define GATE_INIT {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false}

static void gate_open(gate_t *gate) {
  pthread_mutex_lock(&gate->lock);
  gate->is_open = true;
  pthread_cond_broadcast(&gate->changed);
  pthread_mutex_unlock(&gate->lock);
}

static quern_result_t pass_gate(quern_handle_t handle, void *data) {
  gate_t *gate = data;
  (void)handle;
  pthread_mutex_lock(&gate->lock);
  while (!gate->is_open) pthread_cond_wait(&gate->changed, &gate->lock);
  pthread_mutex_unlock(&gate->lock);
  return quern_success;
}

/* T1: if submission waited for the task, this would never end. */
static void submission_does_not_wait_for_the_task(void **state) {
  (void)state;
  gate_t gate = GATE_INIT;
  quern_event_t task = submit_task(test_on_device.in_order, pass_gate, &gate);
  quern_event_t after = test_submit(test_group(test_on_device.in_order));
  quern_event_status_t status;
  ASSERT_SUCCESS(quern_event_get_status(after, &status));
  assert_int_equal(status, quern_event_submitted);
  gate_open(&gate);
  test_finish(after);
  test_finish(task);
}

typedef struct leftover_t {
  cl_event user, marker;
} leftover_t;

/* Leaves a command that cannot complete before somebody sets the user event. */
static quern_result_t leave_command(quern_handle_t handle, void *data) {
  leftover_t *left = data;
  cl_int error;
  left->user = clCreateUserEvent(quern_opencl_handle_get_context(handle), &error);
  if (error != CL_SUCCESS) return quern_error_task_failed;
  error = clEnqueueMarkerWithWaitList(quern_opencl_handle_get_queue(handle), 1, &left->user, &left->marker);
  return error == CL_SUCCESS ? quern_success : quern_error_task_failed;
}

/* T4 */
static void the_event_completes_when_the_function_returns(void **state) {
  (void)state;
  leftover_t left = {NULL, NULL};
  cl_int status = CL_COMPLETE;
  test_finish(submit_task(test_on_device.out_of_order, leave_command, &left));
  ASSERT_CL(clGetEventInfo(left.marker, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  assert_true(status > CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(left.user, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &left.marker));
  ASSERT_CL(clReleaseEvent(left.user));
  ASSERT_CL(clReleaseEvent(left.marker));
}

/* ------------------------------------------------------------ T2, T6: order, alone in the queue */

typedef struct log_t {
  atomic_int next;
  int order[3];
} log_t;

typedef struct entry_t {
  log_t *log;
  int number;
} entry_t;

static quern_result_t note(quern_handle_t handle, void *data) {
  const entry_t *entry = data;
  (void)handle;
  /* Those that should come later have the time to come too early. */
  if (entry->number < 2) usleep(2000);
  entry->log->order[atomic_fetch_add(&entry->log->next, 1)] = entry->number;
  return quern_success;
}

/* T2: also on a queue that is out of order, and without any common memory. */
static void tasks_are_in_order_with_the_groups_of_their_queue(void **state) {
  (void)state;
  const quern_queue_t queues[] = {test_on_device.in_order, test_on_device.out_of_order};
  for (int q = 0; q < 2; q++) {
    log_t log = {0};
    entry_t entries[] = {{&log, 0}, {&log, 1}, {&log, 2}};
    for (int i = 0; i < 3; i++) {
      quern_group_t group = test_group(queues[q]);
      ASSERT_SUCCESS(i == 1 ? quern_group_set_interop_task(group, note, &entries[i])
                            : quern_group_set_host_task(group, note, &entries[i]));
      test_submit_only(group);
    }
    ASSERT_SUCCESS(quern_queue_wait(queues[q]));
    for (int i = 0; i < 3; i++) assert_int_equal(log.order[i], i);
  }
}

typedef struct exclusion_t {
  quern_event_t before[8];
  bool were_complete;
} exclusion_t;

static quern_result_t look_at_queue(quern_handle_t handle, void *data) {
  exclusion_t *exclusion = data;
  (void)handle;
  exclusion->were_complete = true;
  for (int i = 0; i < 8; i++) {
    quern_event_status_t status;
    if (quern_event_get_status(exclusion->before[i], &status) != quern_success) return quern_error_task_failed;
    if (status != quern_event_complete) exclusion->were_complete = false;
  }
  return quern_success;
}

/* T6: kernels enqueued before have completed, those enqueued after have not begun; the queue can be used. */
static void a_task_has_its_queue_for_itself(void **state) {
  (void)state;
  const quern_queue_t queues[] = {test_on_device.in_order, test_on_device.out_of_order};
  for (int q = 0; q < 2; q++) {
    quern_memory_t memories[8];
    exclusion_t exclusion = {.were_complete = false};
    const quern_range_t range = {.dimensions = 1, .global = {1 << 16}};
    const int value = 1;
    for (int i = 0; i < 8; i++) {
      memories[i] = test_buffer(sizeof(int) << 16, NULL, NULL);
      quern_group_t group = test_group(queues[q]);
      quern_accessor_t x = test_access(group, memories[i], quern_access_read_write);
      ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
      ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, x));
      ASSERT_SUCCESS(quern_group_set_argument(group, 1, sizeof(value), &value));
      exclusion.before[i] = test_submit(group);
    }
    test_finish(submit_task(queues[q], look_at_queue, &exclusion));
    assert_true(exclusion.were_complete);
    for (int i = 0; i < 8; i++) {
      ASSERT_SUCCESS(quern_event_release(exclusion.before[i]));
      ASSERT_SUCCESS(quern_memory_release(memories[i]));
    }
  }
}

/* ------------------------------------------------------------ T3, T5: what the handle gives */

typedef struct look_t {
  quern_accessor_t accessor, foreign;
  const test_place_t *place;
  int value;
  bool is_right;
  quern_result_t misuse;
  char message[128];
} look_t;

static quern_result_t look_at_memory(quern_handle_t handle, void *data) {
  look_t *look = data;
  int values[items];
  cl_mem memory = quern_opencl_handle_get_mem(handle, look->accessor);
  cl_command_queue queue = quern_opencl_handle_get_queue(handle);
  cl_context context = NULL, queue_context = NULL;
  cl_device_id queue_device = NULL;
  if (clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof(context), (void *)&context, NULL) != CL_SUCCESS ||
      clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(queue_context), (void *)&queue_context, NULL) !=
          CL_SUCCESS ||
      clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(queue_device), (void *)&queue_device, NULL) != CL_SUCCESS ||
      clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, values, 0, NULL, NULL) != CL_SUCCESS) {
    return quern_error_task_failed;
  }
  look->is_right = context == quern_opencl_handle_get_context(handle) && queue_context == context &&
                   queue_device == quern_opencl_handle_get_device(handle) &&
                   memory == quern_opencl_handle_get_buffer(handle, look->accessor);
  for (int i = 0; i < items; i++) look->is_right &= values[i] == look->value;
  return quern_success;
}

/* T3, T5: whoever wrote last, and wherever. */
static void the_handle_gives_the_newest_contents(void **state) {
  (void)state;
  static int values[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.flags = quern_memory_copy_host;
  quern_memory_t memory = test_buffer(bytes, values, &options);
  look_t look = {.place = &test_on_device};
  for (int i = 1; i <= 20; i++) {
    test_add(&test_on_device, test_on_device.out_of_order, memory, 1, items);
    test_add_on_host(test_on_host.in_order, memory, 10, items);
    look.value = 11 * i;
    quern_group_t group = test_group(i % 2 ? test_on_device.in_order : test_on_device.out_of_order);
    look.accessor = test_access(group, memory, quern_access_read);
    ASSERT_SUCCESS(quern_group_set_interop_task(group, look_at_memory, &look));
    test_finish(test_submit(group));
    assert_true(look.is_right);
  }
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ T7, T8, T9: misuse */

static quern_result_t ask_for_foreign_memory(quern_handle_t handle, void *data) {
  look_t *look = data;
  void *native;
  look->misuse = quern_handle_get_mem(handle, look->foreign, &native);
  return quern_success;
}

/* T7: a placeholder that was not registered, even of a memory object that the group requires. */
static void memory_that_is_not_required_is_an_invalid_object(void **state) {
  (void)state;
  quern_memory_t memory = test_buffer(bytes, NULL, NULL);
  look_t look = {.misuse = quern_success};
  quern_group_t group = test_group(test_on_device.in_order);
  look.accessor = test_access(group, memory, quern_access_read);
  ASSERT_SUCCESS(quern_accessor_make(memory, quern_access_read, 0, 0, &look.foreign));
  ASSERT_SUCCESS(quern_group_set_interop_task(group, ask_for_foreign_memory, &look));
  quern_event_t event = test_submit(group);
  ASSERT_ERROR(quern_event_wait(event), quern_error_invalid_object, "does not require");
  assert_int_equal(look.misuse, quern_error_invalid_object);
  expect_error(&test_on_device, quern_error_invalid_object, "does not require");
  ASSERT_SUCCESS(quern_event_release(event));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static quern_result_t never(quern_handle_t handle, void *data) {
  (void)handle;
  *(bool *)data = true;
  return quern_success;
}

/* T8 */
static void the_host_has_no_interop_tasks(void **state) {
  (void)state;
  bool has_run = false;
  quern_event_t event = submit_task(test_on_host.in_order, never, &has_run);
  ASSERT_ERROR(quern_event_wait(event), quern_error_feature_not_supported, "interop tasks");
  expect_error(&test_on_host, quern_error_feature_not_supported, "interop tasks");
  assert_false(has_run);
  ASSERT_SUCCESS(quern_event_release(event));
}

static quern_result_t make_everything(quern_handle_t handle, void *data) {
  look_t *look = data;
  const test_place_t *place = look->place;
  quern_context_t context = NULL;
  quern_queue_t queue = NULL;
  quern_memory_t memory = NULL;
  quern_program_t program = NULL;
  quern_kernel_t kernel = NULL;
  quern_group_t group = NULL;
  quern_accessor_t accessor;
  const quern_image_layout_t layout = {2, 1, 1, 1, CL_RGBA, CL_FLOAT};
  const quern_result_t results[] = {
      quern_context_create(1, &place->device, NULL, NULL, &context),
      quern_queue_create(place->context, place->device, 0, NULL, NULL, &queue),
      quern_buffer_create(4, NULL, NULL, &memory),
      quern_image_create(&layout, NULL, NULL, &memory),
      quern_program_create_from_source(place->context, "", NULL, &program),
      quern_kernel_create(place->program, "add", &kernel),
      quern_group_create(place->in_order, &group),
      quern_accessor_make(look->accessor.memory, quern_access_read, 0, 0, &accessor),
      quern_opencl_queue_make_from_native(place->context, quern_opencl_handle_get_queue(handle), quern_ownership_retain,
                                          &queue),
      quern_queue_wait(place->in_order),
  };
  look->is_right = true;
  for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
    if (results[i] != quern_error_invalid_operation) look->is_right = false;
  }
  snprintf(look->message, sizeof(look->message), "%s", quern_last_error_message());
  return quern_success;
}

/* T9; and nothing may be waited for, since that could be the task itself. */
static void no_objects_are_made_in_a_task(void **state) {
  (void)state;
  quern_memory_t memory = test_buffer(bytes, NULL, NULL);
  look_t look = {.place = &test_on_device};
  quern_group_t group = test_group(test_on_device.in_order);
  look.accessor = test_access(group, memory, quern_access_read);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, make_everything, &look));
  test_finish(test_submit(group));
  assert_true(look.is_right);
  assert_non_null(strstr(look.message, "function that the library runs"));
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static quern_result_t make_device(quern_handle_t handle, void *data) {
  quern_device_t device = NULL;
  *(quern_result_t *)data =
      quern_opencl_device_make_from_native(quern_opencl_handle_get_device(handle), quern_ownership_retain, &device);
  return quern_success;
}

static void no_devices_are_made_in_a_task(void **state) {
  (void)state;
  quern_result_t result = quern_success;
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, make_device, &result));
  test_finish(test_submit(group));
  assert_int_equal(result, quern_error_invalid_operation);
}

/* ------------------------------------------------------------ T6: retries */

typedef struct retry_t {
  quern_accessor_t accessor;
  cl_command_queue first;
  atomic_int calls;
  bool is_on_fallback;
} retry_t;

/* Fails at first; then adds natively. */
static quern_result_t fail_once(quern_handle_t handle, void *data) {
  retry_t *retry = data;
  cl_command_queue queue = quern_opencl_handle_get_queue(handle);
  int values[items];
  if (atomic_fetch_add(&retry->calls, 1) == 0) {
    retry->first = queue;
    return quern_error_task_failed;
  }
  retry->is_on_fallback = queue != retry->first;
  cl_mem memory = quern_opencl_handle_get_mem(handle, retry->accessor);
  if (clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, values, 0, NULL, NULL) != CL_SUCCESS) {
    return quern_error_task_failed;
  }
  for (int i = 0; i < items; i++) values[i] += 5;
  cl_int error = clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, values, 0, NULL, NULL);
  return error == CL_SUCCESS ? quern_success : quern_error_task_failed;
}

/* In the same context, and in another one, to which the contents go and from which they come back. */
static void a_failed_task_is_tried_on_the_fallback_queue(void **state) {
  (void)state;
  retry_t retry = {.is_on_fallback = false};
  quern_queue_t queues[2];
  test_place_t other;
  test_place_open(&other, test_on_device.device);
  queues[0] = test_on_device.out_of_order;
  queues[1] = other.in_order;
  for (int q = 0; q < 2; q++) {
    static int values[items];
    quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
    options.flags = quern_memory_copy_host | (q ? quern_memory_separate : 0);
    quern_memory_t memory = test_buffer(bytes, values, &options);
    memset(&retry, 0, sizeof(retry));
    test_add(&test_on_device, test_on_device.out_of_order, memory, 1, items);
    quern_group_t group = test_group(test_on_device.in_order);
    retry.accessor = test_access(group, memory, quern_access_read_write);
    ASSERT_SUCCESS(quern_group_set_fallback(group, queues[q]));
    ASSERT_SUCCESS(quern_group_set_interop_task(group, fail_once, &retry));
    quern_event_t event = test_submit(group);
    test_add(&test_on_device, test_on_device.in_order, memory, 100, items);
    test_finish(event);
    assert_true(retry.is_on_fallback);
    assert_int_equal(atomic_load(&retry.calls), 2);
    test_expect(memory, 106, items);
    ASSERT_SUCCESS(quern_memory_release(memory));
  }
  test_place_close(&other);
}

static quern_result_t always_fail(quern_handle_t handle, void *data) {
  (void)handle;
  atomic_fetch_add((atomic_int *)data, 1);
  return quern_error_task_failed;
}

static void a_retry_that_fails_fails_the_group(void **state) {
  (void)state;
  atomic_int calls = 0;
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_fallback(group, test_on_device.out_of_order));
  ASSERT_SUCCESS(quern_group_set_host_task(group, always_fail, &calls));
  quern_event_t event = test_submit(group);
  ASSERT_ERROR(quern_event_wait(event), quern_error_task_failed, "a task returned");
  assert_int_equal(atomic_load(&calls), 2);
  expect_error(&test_on_device, quern_error_task_failed, "a task returned");
  ASSERT_SUCCESS(quern_event_release(event));
}

/* ------------------------------------------------------------ threads */

/* Whether the thread is one of the library's, which have names. */
static bool is_own_thread(const char *thread, bool *takes_signals) {
  char path[320], line[256];
  unsigned long long blocked = 0;
  bool is_own = false;
  snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    is_own = is_own || strncmp(line, "Name:\tquern-", 12) == 0;
    if (sscanf(line, "SigBlk: %llx", &blocked) == 1) break;
  }
  if (file) fclose(file);
  *takes_signals = !(blocked >> (SIGUSR1 - 1) & 1);
  return is_own;
}

/* The application's signals are for its own threads. */
static void threads_take_no_signals(void **state) {
  (void)state;
  int count = 0;
  gate_t gate = GATE_INIT;
  gate_open(&gate);
  test_finish(submit_task(test_on_device.in_order, pass_gate, &gate));
  DIR *folder = opendir("/proc/self/task");
  if (!folder) skip();
  for (struct dirent *entry; (entry = readdir(folder));) {
    bool takes_signals;
    if (!is_own_thread(entry->d_name, &takes_signals)) continue;
    count++;
    assert_false(takes_signals);
  }
  closedir(folder);
  /* One that runs tasks and the one that watches events. */
  assert_in_range(count, 2, 1000);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(submission_does_not_wait_for_the_task),
      cmocka_unit_test(the_event_completes_when_the_function_returns),
      cmocka_unit_test(tasks_are_in_order_with_the_groups_of_their_queue),
      cmocka_unit_test(a_task_has_its_queue_for_itself),
      cmocka_unit_test(the_handle_gives_the_newest_contents),
      cmocka_unit_test(memory_that_is_not_required_is_an_invalid_object),
      cmocka_unit_test(the_host_has_no_interop_tasks),
      cmocka_unit_test(no_objects_are_made_in_a_task),
      cmocka_unit_test(no_devices_are_made_in_a_task),
      cmocka_unit_test(a_failed_task_is_tried_on_the_fallback_queue),
      cmocka_unit_test(a_retry_that_fails_fails_the_group),
      cmocka_unit_test(threads_take_no_signals),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
