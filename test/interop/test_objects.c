/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native objects of what belongs to a context, both ways, with their references (B5); images. Argument: the OpenCL
 * platform. */
#include <sched.h>
#include <unistd.h>

#include "groups.h"

enum { items = 256, bytes = items * sizeof(int) };

static test_place_t place, other, host;
static const char *platform_name;

#define ASSERT_CL(call) assert_int_equal(call, CL_SUCCESS)

static int open_places(void **state) {
  (void)state;
  quern_device_t found = test_find_device(platform_name);
  assert_non_null(found);
  test_place_open(&place, found);
  test_place_open(&other, found);
  test_place_open_host(&host);
  test_company_begin(&other, &host);
  return 0;
}

static int close_places(void **state) {
  (void)state;
  test_company_end();
  test_place_close(&place);
  test_place_close(&other);
  test_place_close(&host);
  return 0;
}

#define REFERENCES(function, object, name)                          \
  static cl_uint object##_references(cl_##object native) {          \
    cl_uint count = 0;                                              \
    ASSERT_CL(function(native, name, sizeof(count), &count, NULL)); \
    return count;                                                   \
  }
REFERENCES(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT)
REFERENCES(clGetCommandQueueInfo, command_queue, CL_QUEUE_REFERENCE_COUNT)
REFERENCES(clGetMemObjectInfo, mem, CL_MEM_REFERENCE_COUNT)
REFERENCES(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT)
REFERENCES(clGetKernelInfo, kernel, CL_KERNEL_REFERENCE_COUNT)
REFERENCES(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT)

/* Get gives a reference; make with retain takes one, with transfer it is the caller's; release gives it back. */
#define CHECK_ROUND_TRIP(object, native_type, handle, again_type)                                                      \
  do {                                                                                                                 \
    cl_##native_type native = NULL;                                                                                    \
    again_type again = NULL;                                                                                           \
    ASSERT_SUCCESS(quern_opencl_##object##_get_native(handle, &native));                                               \
    cl_uint count = native_type##_references(native);                                                                  \
    ASSERT_SUCCESS(quern_opencl_##object##_make_from_native(place.context, native, quern_ownership_retain, &again));   \
    assert_int_equal(native_type##_references(native), count + 1);                                                     \
    ASSERT_SUCCESS(quern_##object##_release(again));                                                                   \
    assert_int_equal(native_type##_references(native), count);                                                         \
    ASSERT_ERROR(quern_opencl_##object##_make_from_native(other.context, native, quern_ownership_transfer, &again),    \
                 quern_error_wrong_context, "another native context");                                                 \
    ASSERT_SUCCESS(quern_opencl_##object##_make_from_native(place.context, native, quern_ownership_transfer, &again)); \
    assert_int_equal(native_type##_references(native), count);                                                         \
    ASSERT_SUCCESS(quern_##object##_release(again));                                                                   \
  } while (0)

static void objects_go_both_ways(void **state) {
  (void)state;
  CHECK_ROUND_TRIP(queue, command_queue, place.in_order, quern_queue_t);
  CHECK_ROUND_TRIP(program, program, place.program, quern_program_t);
  CHECK_ROUND_TRIP(kernel, kernel, place.scale, quern_kernel_t);
}

static void contexts_go_both_ways(void **state) {
  (void)state;
  cl_context native = NULL;
  quern_context_t context = NULL;
  quern_device_t devices[2] = {NULL};
  size_t count = 0;
  ASSERT_SUCCESS(quern_opencl_context_get_native(place.context, &native));
  cl_uint references = context_references(native);
  ASSERT_SUCCESS(
      quern_opencl_context_make_from_native(native, quern_ownership_retain, test_errors_add, NULL, &context));
  assert_int_equal(context_references(native), references + 1);
  ASSERT_SUCCESS(quern_context_get_devices(context, 2, devices, &count));
  assert_int_equal(count, 1);
  assert_ptr_equal(devices[0], place.device);
  ASSERT_SUCCESS(quern_context_release(context));
  assert_int_equal(context_references(native), references);
  ASSERT_SUCCESS(quern_opencl_context_make_from_native(native, quern_ownership_transfer, NULL, NULL, &context));
  assert_int_equal(context_references(native), references);
  ASSERT_SUCCESS(quern_context_release(context));
}

/* A context, a queue, a program, a kernel and a buffer of the application's own are used as the library's. */
static void native_objects_work_in_groups(void **state) {
  (void)state;
  cl_context native_context = NULL;
  cl_device_id native_device = NULL;
  cl_program native_program = NULL;
  cl_int error;
  ASSERT_SUCCESS(quern_opencl_context_get_native(place.context, &native_context));
  ASSERT_SUCCESS(quern_opencl_device_get_native(place.device, &native_device));
  ASSERT_SUCCESS(quern_opencl_program_get_native(place.program, &native_program));
  cl_command_queue native_queue = clCreateCommandQueueWithProperties(native_context, native_device, NULL, &error);
  ASSERT_CL(error);
  cl_kernel native_kernel = clCreateKernel(native_program, "add", &error);
  ASSERT_CL(error);
  int values[items] = {0}, result[items];
  cl_mem native_buffer =
      clCreateBuffer(native_context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, values, &error);
  ASSERT_CL(error);

  test_place_t made = {.device = place.device};
  quern_memory_t memory = NULL;
  size_t size = 0;
  ASSERT_SUCCESS(quern_opencl_context_make_from_native(native_context, quern_ownership_transfer, test_errors_add,
                                                       &made.errors, &made.context));
  ASSERT_SUCCESS(
      quern_opencl_queue_make_from_native(made.context, native_queue, quern_ownership_transfer, &made.in_order));
  ASSERT_SUCCESS(
      quern_opencl_kernel_make_from_native(made.context, native_kernel, quern_ownership_transfer, &made.add));
  ASSERT_SUCCESS(
      quern_opencl_memory_make_from_native(made.context, native_buffer, quern_ownership_retain, false, &memory));
  ASSERT_SUCCESS(quern_memory_get_size(memory, &size));
  assert_int_equal(size, bytes);
  test_add(&made, made.in_order, memory, 1, items);
  test_add(&other, other.in_order, memory, 10, items);
  test_add_on_host(host.in_order, memory, 100, items);
  test_add(&made, made.in_order, memory, 1000, items);
  test_expect(memory, 1111, items);
  ASSERT_SUCCESS(quern_queue_wait(made.in_order));
  ASSERT_SUCCESS(quern_memory_release(memory));
  /* The thread that learned of a completion may still be dropping what the group had; here and below. */
  for (int i = 0; mem_references(native_buffer) > 1 && i < 1000; i++) usleep(1000);
  assert_int_equal(mem_references(native_buffer), 1);
  ASSERT_CL(clEnqueueReadBuffer(native_queue, native_buffer, CL_TRUE, 0, bytes, result, 0, NULL, NULL));
  for (int i = 0; i < items; i++) assert_int_equal(result[i], 1111);
  assert_int_equal(atomic_load(&made.errors.count), 0);
  ASSERT_CL(clReleaseMemObject(native_buffer));
  ASSERT_CL(clReleaseProgram(native_program));
  ASSERT_SUCCESS(quern_kernel_release(made.add));
  ASSERT_SUCCESS(quern_queue_release(made.in_order));
  ASSERT_SUCCESS(quern_context_release(made.context));
}

static void memory_objects_give_their_native_one(void **state) {
  (void)state;
  quern_memory_t memory = test_buffer(bytes, NULL, NULL);
  cl_mem native = NULL;
  cl_command_queue queue = NULL;
  int result[items];
  const int value = 3;
  quern_group_t group = test_group(host.in_order);
  ASSERT_SUCCESS(quern_group_set_fill(group, test_access(group, memory, quern_access_discard_write), &value, 4));
  test_submit_only(group);
  ASSERT_SUCCESS(quern_opencl_memory_get_native(memory, place.context, &native));
  ASSERT_SUCCESS(quern_opencl_queue_get_native(place.in_order, &queue));
  ASSERT_CL(clEnqueueReadBuffer(queue, native, CL_TRUE, 0, bytes, result, 0, NULL, NULL));
  for (int i = 0; i < items; i++) assert_int_equal(result[i], 3);
  void *none = NULL;
  ASSERT_ERROR(quern_memory_get_native(memory, host.context, &none), quern_error_feature_not_supported, "native");
  ASSERT_CL(clReleaseCommandQueue(queue));
  ASSERT_SUCCESS(quern_memory_release(memory));
  ASSERT_CL(clReleaseMemObject(native));
}

static void bad_handles_have_no_native_object(void **state) {
  (void)state;
  void *none = NULL;
  quern_memory_t memory = test_buffer(bytes, NULL, NULL);
  ASSERT_ERROR(quern_memory_get_native(NULL, place.context, &none), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_memory_get_native(memory, NULL, &none), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_memory_get_native(memory, place.context, NULL), quern_error_invalid_argument, "null");
  ASSERT_ERROR(quern_event_get_native(NULL, quern_backend_opencl, &none), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_program_get_native(NULL, quern_backend_opencl, &none), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_program_get_native(place.program, quern_backend_opencl, NULL), quern_error_invalid_argument,
               "null");
  ASSERT_ERROR(quern_program_get_native(place.program, quern_backend_host, &none), quern_error_backend_mismatch,
               "opencl");
  assert_null(none);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ queues */

static cl_command_queue_properties properties_of(cl_command_queue native) {
  cl_command_queue_properties properties = ~(cl_command_queue_properties)0;
  ASSERT_CL(clGetCommandQueueInfo(native, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL));
  return properties;
}

/* Both ways: what a queue is, its native one is, and the other way round. */
static void native_queues_have_the_properties(void **state) {
  (void)state;
  static const struct {
    quern_queue_flags_t flags;
    cl_command_queue_properties properties;
  } cases[] = {{0, 0},
               {quern_queue_out_of_order, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE},
               {quern_queue_profiling, CL_QUEUE_PROFILING_ENABLE}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    quern_queue_t queue = NULL, again = NULL;
    cl_command_queue native = NULL;
    quern_queue_flags_t flags = 0;
    ASSERT_SUCCESS(quern_queue_create(place.context, place.device, cases[i].flags, NULL, NULL, &queue));
    ASSERT_SUCCESS(quern_opencl_queue_get_native(queue, &native));
    assert_true(properties_of(native) == cases[i].properties);
    ASSERT_SUCCESS(quern_opencl_queue_make_from_native(place.context, native, quern_ownership_transfer, &again));
    ASSERT_SUCCESS(quern_queue_get_flags(again, &flags));
    assert_int_equal(flags, cases[i].flags);
    ASSERT_SUCCESS(quern_queue_release(again));
    ASSERT_SUCCESS(quern_queue_release(queue));
  }
}

/* ------------------------------------------------------------ events */

static quern_result_t wait_for_native(quern_handle_t handle, void *data) {
  (void)handle;
  while (!atomic_load((atomic_bool *)data)) sched_yield();
  return quern_success;
}

static void events_have_native_ones_at_any_time(void **state) {
  (void)state;
  atomic_bool may_end = false;
  cl_event early = NULL, late = NULL, of_kernel = NULL;
  cl_int status = CL_COMPLETE;
  quern_group_t group = test_group(place.in_order);
  ASSERT_SUCCESS(quern_group_set_host_task(group, wait_for_native, &may_end));
  quern_event_t task = test_submit(group), behind = test_submit(test_group(place.in_order));
  ASSERT_SUCCESS(quern_opencl_event_get_native(task, &early));
  ASSERT_SUCCESS(quern_opencl_event_get_native(behind, &of_kernel));
  ASSERT_CL(clGetEventInfo(early, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  assert_true(status > CL_COMPLETE);
  atomic_store(&may_end, true);
  ASSERT_CL(clWaitForEvents(1, &early));
  ASSERT_CL(clWaitForEvents(1, &of_kernel));
  ASSERT_SUCCESS(quern_event_wait(task));
  ASSERT_SUCCESS(quern_opencl_event_get_native(task, &late));
  ASSERT_CL(clWaitForEvents(1, &late));
  test_finish(behind);
  test_finish(task);
  ASSERT_CL(clReleaseEvent(early));
  ASSERT_CL(clReleaseEvent(late));
  ASSERT_CL(clReleaseEvent(of_kernel));
  void *none = NULL;
  task = test_submit(test_group(host.in_order));
  ASSERT_ERROR(quern_event_get_native(task, quern_backend_opencl, &none), quern_error_backend_mismatch, "host");
  test_finish(task);
}

static cl_int status_of(cl_event native) {
  cl_int status = CL_QUEUED;
  ASSERT_CL(clGetEventInfo(native, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  return status;
}

static quern_result_t succeed_or_fail(quern_handle_t handle, void *data) {
  (void)handle;
  return *(quern_result_t *)data;
}

/* Asked for when the group is over, and nobody will complete what stands in for an event that it never had. */
static void complete_groups_have_complete_events(void **state) {
  (void)state;
  quern_result_t results[] = {quern_success, quern_error_task_failed};
  for (int fails = 0; fails < 2; fails++) {
    quern_group_t group = test_group(place.in_order);
    ASSERT_SUCCESS(quern_group_set_host_task(group, succeed_or_fail, &results[fails]));
    quern_event_t event = test_submit(group);
    assert_int_equal(quern_event_wait(event), results[fails]);
    cl_event natives[2] = {NULL};
    for (int i = 0; i < 2; i++) {
      ASSERT_SUCCESS(quern_opencl_event_get_native(event, &natives[i]));
      if (fails) assert_true(status_of(natives[i]) < 0);
      if (!fails) assert_int_equal(status_of(natives[i]), CL_COMPLETE);
    }
    assert_ptr_equal(natives[0], natives[1]);
    for (int i = 0; i < 2; i++) ASSERT_CL(clReleaseEvent(natives[i]));
    assert_int_equal(atomic_exchange(&place.errors.count, 0), fails);
    ASSERT_SUCCESS(quern_event_release(event));
  }
}

static void events_are_counted(void **state) {
  (void)state;
  cl_event native = NULL;
  quern_event_t again = NULL, event = test_submit(test_group(place.in_order));
  ASSERT_SUCCESS(quern_opencl_event_get_native(event, &native));
  test_finish(event);
  ASSERT_SUCCESS(quern_queue_wait(place.in_order));
  ASSERT_SUCCESS(quern_opencl_event_make_from_native(place.context, native, quern_ownership_retain, &again));
  assert_true(event_references(native) >= 2);
  test_finish(again);
  for (int i = 0; event_references(native) > 1 && i < 1000; i++) usleep(1000);
  assert_int_equal(event_references(native), 1);
  ASSERT_CL(clReleaseEvent(native));
}

static void groups_depend_on_native_events(void **state) {
  (void)state;
  cl_context native = NULL;
  cl_int error;
  ASSERT_SUCCESS(quern_opencl_context_get_native(place.context, &native));
  for (int fails = 0; fails < 2; fails++) {
    cl_event user = clCreateUserEvent(native, &error);
    ASSERT_CL(error);
    quern_event_t event = NULL;
    quern_event_status_t status;
    ASSERT_SUCCESS(quern_opencl_event_make_from_native(place.context, user, quern_ownership_retain, &event));
    quern_group_t group = test_group(place.out_of_order), on_host = test_group(host.in_order);
    ASSERT_SUCCESS(quern_group_depend(group, event));
    ASSERT_SUCCESS(quern_group_depend(on_host, event));
    quern_event_t waiting = test_submit(group), host_waiting = test_submit(on_host);
    ASSERT_SUCCESS(quern_event_get_status(host_waiting, &status));
    assert_int_equal(status, quern_event_submitted);
    ASSERT_CL(clSetUserEventStatus(user, fails ? -5 : CL_COMPLETE));
    const quern_result_t result = fails ? quern_error_backend_failure : quern_success;
    assert_int_equal(quern_event_wait(waiting), result);
    assert_int_equal(quern_event_wait(host_waiting), result);
    assert_int_equal(quern_event_wait(event), result);
    assert_int_equal(atomic_exchange(&place.errors.count, 0), fails);
    ASSERT_SUCCESS(quern_event_release(event));
    ASSERT_SUCCESS(quern_event_release(waiting));
    ASSERT_SUCCESS(quern_event_release(host_waiting));
    ASSERT_CL(clReleaseEvent(user));
  }
  ASSERT_CL(clReleaseContext(native));
}

/* ------------------------------------------------------------ images */

enum { width = 16, height = 8 };
static const quern_image_layout_t layout = {2, width, height, 1, CL_RGBA, CL_UNSIGNED_INT32};

static quern_result_t add_to_pixels(quern_handle_t handle, void *data) {
  void *pointer;
  quern_result_t result = quern_handle_get_pointer(handle, *(const quern_accessor_t *)data, &pointer);
  for (int i = 0; result == quern_success && i < 4 * width * height; i++) ((cl_uint *)pointer)[i] += 1000;
  return result;
}

static quern_result_t check_pixels(quern_handle_t handle, void *data) {
  cl_mem image = quern_opencl_handle_get_mem(handle, *(const quern_accessor_t *)data);
  const size_t origin[3] = {0}, region[3] = {width, height, 1};
  cl_uint pixels[4 * width * height];
  cl_int error = clEnqueueReadImage(quern_opencl_handle_get_queue(handle), image, CL_TRUE, origin, region, 0, 0, pixels,
                                    0, NULL, NULL);
  if (error != CL_SUCCESS) return quern_error_task_failed;
  for (cl_uint i = 0; i < 4 * width * height; i++) {
    if (pixels[i] != i + 1000) return quern_error_task_failed;
  }
  return quern_success;
}

static void images_follow_the_work(void **state) {
  (void)state;
  bool has_images = false;
  ASSERT_SUCCESS(quern_device_get_has_images(place.device, &has_images));
  if (!has_images) {
    print_message("the device supports no images: left out\n");
    skip();
  }
  static cl_uint pixels[4 * width * height], copied[4 * width * height];
  for (cl_uint i = 0; i < 4 * width * height; i++) pixels[i] = i;
  quern_memory_t image = NULL, copy = NULL;
  quern_image_layout_t again;
  ASSERT_SUCCESS(quern_image_create(&layout, pixels, NULL, &image));
  ASSERT_SUCCESS(quern_image_create(&layout, NULL, NULL, &copy));
  ASSERT_SUCCESS(quern_image_get_layout(image, &again));
  assert_memory_equal(&again, &layout, sizeof(layout));
  quern_group_t group = test_group(host.in_order);
  quern_accessor_t on_host = test_access(group, image, quern_access_read_write);
  ASSERT_SUCCESS(quern_group_set_host_task(group, add_to_pixels, &on_host));
  test_submit_only(group);
  group = test_group(place.in_order);
  ASSERT_SUCCESS(quern_group_set_copy(group, test_access(group, image, quern_access_read),
                                      test_access(group, copy, quern_access_discard_write)));
  test_submit_only(group);
  group = test_group(other.in_order);
  quern_accessor_t on_device = test_access(group, copy, quern_access_read);
  ASSERT_SUCCESS(quern_group_set_interop_task(group, check_pixels, &on_device));
  test_finish(test_submit(group));
  group = test_group(place.in_order);
  ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, copy, quern_access_read), copied));
  test_finish(test_submit(group));
  cl_mem native = NULL;
  quern_memory_t made = NULL;
  ASSERT_SUCCESS(quern_opencl_memory_get_native(copy, place.context, &native));
  ASSERT_SUCCESS(quern_memory_release(copy));
  ASSERT_SUCCESS(quern_opencl_memory_make_from_native(place.context, native, quern_ownership_transfer, true, &made));
  ASSERT_SUCCESS(quern_image_get_layout(made, &again));
  assert_memory_equal(&again, &layout, sizeof(layout));
  ASSERT_SUCCESS(quern_memory_release(made));
  ASSERT_SUCCESS(quern_memory_release(image));
  for (cl_uint i = 0; i < 4 * width * height; i++) assert_true(copied[i] == i + 1000 && pixels[i] == i + 1000);
}

static void images_have_the_size_of_their_pixels(void **state) {
  (void)state;
  static const struct {
    cl_channel_order order;
    cl_channel_type type;
    size_t size;
  } formats[] = {{CL_R, CL_UNORM_INT8, 1},
                 {CL_RG, CL_SNORM_INT8, 2},
                 {CL_RGBA, CL_UNSIGNED_INT8, 4},
                 {CL_R, CL_HALF_FLOAT, 2},
                 {CL_RGBA, CL_SIGNED_INT16, 8},
                 {CL_RG, CL_UNORM_INT16, 4},
                 {CL_R, CL_FLOAT, 4},
                 {CL_RG, CL_UNSIGNED_INT32, 8},
                 {CL_RGBA, CL_FLOAT, 16},
                 {CL_RGB, CL_UNORM_SHORT_565, 2},
                 {CL_RGB, CL_UNORM_INT_101010, 4},
                 {CL_BGRA, CL_UNORM_INT8, 4}};
  for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
    quern_image_layout_t of_format = layout;
    quern_memory_t image = NULL;
    size_t size = 0;
    of_format.channel_order = formats[i].order;
    of_format.channel_type = formats[i].type;
    ASSERT_SUCCESS(quern_image_create(&of_format, NULL, NULL, &image));
    ASSERT_SUCCESS(quern_memory_get_size(image, &size));
    assert_int_equal(size, (size_t)width * height * formats[i].size);
    ASSERT_SUCCESS(quern_memory_release(image));
  }
}

static void copies_need_equal_sizes_and_layouts(void **state) {
  (void)state;
  quern_memory_t small = test_buffer(bytes / 2, NULL, NULL), large = test_buffer(bytes, NULL, NULL), image = NULL;
  ASSERT_SUCCESS(quern_image_create(&layout, NULL, NULL, &image));
  quern_group_t group = test_group(place.in_order);
  quern_accessor_t from = test_access(group, large, quern_access_read_write);
  quern_accessor_t to = test_access(group, small, quern_access_write);
  quern_accessor_t to_image = test_access(group, image, quern_access_write);
  ASSERT_ERROR(quern_group_set_copy(group, from, to), quern_error_invalid_argument, "equal sizes");
  ASSERT_ERROR(quern_group_set_copy(group, from, to_image), quern_error_invalid_argument, "layouts");
  ASSERT_ERROR(quern_group_set_copy(group, from, from), quern_error_invalid_argument, "overlapping");
  ASSERT_SUCCESS(quern_group_discard(group));
  ASSERT_SUCCESS(quern_memory_release(image));
  ASSERT_SUCCESS(quern_memory_release(small));
  ASSERT_SUCCESS(quern_memory_release(large));
}

static void bad_images_are_refused(void **state) {
  (void)state;
  quern_memory_t image = NULL;
  quern_image_layout_t bad = layout;
  bad.depth = 2;
  ASSERT_ERROR(quern_image_create(&bad, NULL, NULL, &image), quern_error_invalid_argument, "dimensions");
  bad = layout;
  bad.channel_type = 1;
  ASSERT_ERROR(quern_image_create(&bad, NULL, NULL, &image), quern_error_feature_not_supported, "channel");
  quern_accessor_t accessor;
  ASSERT_SUCCESS(quern_image_create(&layout, NULL, NULL, &image));
  ASSERT_ERROR(quern_accessor_make(image, quern_access_read, 0, 4, &accessor), quern_error_invalid_argument, "whole");
  ASSERT_SUCCESS(quern_memory_release(image));
  quern_memory_t buffer = test_buffer(4, NULL, NULL);
  ASSERT_ERROR(quern_image_get_layout(buffer, &bad), quern_error_invalid_operation, "buffer");
  ASSERT_SUCCESS(quern_memory_release(buffer));
}

int main(int argc, char **argv) {
  platform_name = argc > 1 ? argv[1] : "Quern";
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects_go_both_ways),
      cmocka_unit_test(contexts_go_both_ways),
      cmocka_unit_test(native_objects_work_in_groups),
      cmocka_unit_test(memory_objects_give_their_native_one),
      cmocka_unit_test(bad_handles_have_no_native_object),
      cmocka_unit_test(native_queues_have_the_properties),
      cmocka_unit_test(complete_groups_have_complete_events),
      cmocka_unit_test(events_have_native_ones_at_any_time),
      cmocka_unit_test(events_are_counted),
      cmocka_unit_test(groups_depend_on_native_events),
      cmocka_unit_test(images_follow_the_work),
      cmocka_unit_test(images_have_the_size_of_their_pixels),
      cmocka_unit_test(copies_need_equal_sizes_and_layouts),
      cmocka_unit_test(bad_images_are_refused),
  };
  return test_result(cmocka_run_group_tests(tests, open_places, close_places));
}
