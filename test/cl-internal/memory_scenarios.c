/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pieces of an application that goes on when memory is short. */
#include "memory_scenarios.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cl/program/binary.h"
#include "cl/program/program.h"
#include "compiler/program_info.h"

char scenario_complaint[256];
size_t scenario_failures;
const char *scenario_last_failure = "";

/* ---------------------------------------------------------------- judging */

static void complain(const char *what, cl_int error) {
  if (!scenario_complaint[0]) snprintf(scenario_complaint, sizeof scenario_complaint, "%s: %d", what, (int)error);
}

/** What a call may say when there is no memory. */
static bool is_memory_error(cl_int error) {
  return error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES || error == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static bool judge(cl_int error, bool may_follow, const char *call) {
  if (error == CL_SUCCESS) return true;
  scenario_failures++;
  scenario_last_failure = call;
  bool follows = may_follow && error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (!is_memory_error(error) && !follows) complain(call, error);
  return false;
}

/** True when the call succeeded; false when there was no memory. */
#define DONE(call) judge((call), false, #call)
/** As well for a call that waits, when what it waited for has failed. */
#define WAITED(call) judge((call), true, #call)
#define CHECK_THAT(condition)                  \
  do {                                         \
    if (!(condition)) complain(#condition, 0); \
  } while (0)

/* ---------------------------------------------------------------- objects */

cl_device_id scenario_device(void) {
  cl_platform_id platform;
  cl_device_id device = NULL;
  if (DONE(clGetPlatformIDs(1, &platform, NULL))) DONE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  return device;
}

static void CL_CALLBACK notified(const char *message, const void *data, size_t size, void *user_data) {
  (void)message, (void)data, (void)size, (void)user_data;
}

static cl_context context_of(cl_device_id device) {
  const cl_context_properties properties[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, 0};
  cl_int error = CL_SUCCESS;
  cl_context context = device ? clCreateContext(properties, 1, &device, notified, NULL, &error) : NULL;
  return DONE(error) ? context : NULL;
}

static cl_command_queue queue_of(cl_context context, cl_device_id device, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error = CL_SUCCESS;
  cl_command_queue queue = context ? clCreateCommandQueueWithProperties(context, device, list, &error) : NULL;
  return DONE(error) ? queue : NULL;
}

static cl_mem buffer_of(cl_context context, cl_mem_flags flags, size_t size, void *host) {
  cl_int error = CL_SUCCESS;
  cl_mem buffer = context ? clCreateBuffer(context, flags, size, host, &error) : NULL;
  return DONE(error) ? buffer : NULL;
}

static void buffer_release(cl_mem buffer) {
  if (buffer) CHECK_THAT(clReleaseMemObject(buffer) == CL_SUCCESS);
}

static void event_release(cl_event event) {
  if (event) CHECK_THAT(clReleaseEvent(event) == CL_SUCCESS);
}

enum { BYTES = 256 };

typedef struct world_t {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_mem a, b;
  bool in_order;
  /** Everything is there. */
  bool whole;
} world_t;

static world_t world_open(cl_device_id device, cl_command_queue_properties properties) {
  world_t world = {.device = device, .in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  world.context = context_of(device);
  world.queue = queue_of(world.context, device, properties);
  world.a = buffer_of(world.context, 0, BYTES, NULL);
  world.b = buffer_of(world.context, 0, BYTES, NULL);
  world.whole = world.context && world.queue && world.a && world.b;
  return world;
}

static void world_close(world_t *world) {
  buffer_release(world->a);
  buffer_release(world->b);
  if (world->queue) DONE(clFinish(world->queue));
  if (world->queue) CHECK_THAT(clReleaseCommandQueue(world->queue) == CL_SUCCESS);
  if (world->context) CHECK_THAT(clReleaseContext(world->context) == CL_SUCCESS);
}

/** The final status of an event that was waited for. */
static cl_int status_of(cl_event event) {
  cl_int status = 1;
  CHECK_THAT(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == CL_SUCCESS);
  CHECK_THAT(status == CL_COMPLETE || is_memory_error(status) ||
             status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  return status;
}

/* ---------------------------------------------------------------- contexts and queues */

static void CL_CALLBACK context_gone(cl_context context, void *data) {
  (void)context;
  ++*(int *)data;
}

static void contexts(void) {
  cl_int error = CL_SUCCESS;
  int calls = 0, expected = 0;
  cl_context context = context_of(scenario_device());
  if (context && DONE(clSetContextDestructorCallback(context, context_gone, &calls))) expected = 1;
  if (context) CHECK_THAT(clReleaseContext(context) == CL_SUCCESS);
  CHECK_THAT(calls == expected);
  context = clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &error);
  if (DONE(error)) CHECK_THAT(clReleaseContext(context) == CL_SUCCESS);
}

static void queues(void) {
  cl_device_id device = scenario_device();
  cl_context context = context_of(device);
  cl_command_queue first = queue_of(context, device, 0);
  cl_command_queue second = queue_of(context, device, CL_QUEUE_PROFILING_ENABLE);
  if (first) DONE(clFinish(first));
  if (first) CHECK_THAT(clReleaseCommandQueue(first) == CL_SUCCESS);
  if (second) CHECK_THAT(clReleaseCommandQueue(second) == CL_SUCCESS);
  if (context) CHECK_THAT(clReleaseContext(context) == CL_SUCCESS);
}

/** Texts that are put together when somebody asks. */
static void queries(void) {
  static char text[1 << 16];
  cl_platform_id platform;
  cl_device_id device = scenario_device();
  if (!DONE(clGetPlatformIDs(1, &platform, NULL)) || !device) return;
  static const cl_platform_info platform_names[] = {CL_PLATFORM_EXTENSIONS, CL_PLATFORM_EXTENSIONS_WITH_VERSION};
  static const cl_device_info device_names[] = {CL_DEVICE_EXTENSIONS,         CL_DEVICE_EXTENSIONS_WITH_VERSION,
                                                CL_DEVICE_OPENCL_C_FEATURES,  CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                                                CL_DEVICE_COMPILER_AVAILABLE, CL_DEVICE_NAME};
  for (size_t i = 0; i < sizeof platform_names / sizeof *platform_names; i++)
    DONE(clGetPlatformInfo(platform, platform_names[i], sizeof text, text, NULL));
  for (size_t i = 0; i < sizeof device_names / sizeof *device_names; i++)
    DONE(clGetDeviceInfo(device, device_names[i], sizeof text, text, NULL));
}

/* ---------------------------------------------------------------- memory objects */

static void CL_CALLBACK memory_gone(cl_mem memory, void *data) {
  (void)memory;
  ++*(int *)data;
}

static void sub_buffer(cl_mem buffer) {
  const cl_buffer_region region = {0, BYTES};
  cl_int error;
  cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  if (DONE(error)) buffer_release(sub);
}

static void buffers(void) {
  static unsigned char host[4096];
  int calls = 0, expected = 0;
  const cl_mem_properties none[] = {0};
  cl_int error;
  cl_context context = context_of(scenario_device());
  if (!context) return;
  cl_mem buffer = buffer_of(context, CL_MEM_COPY_HOST_PTR, sizeof host, host);
  if (buffer) sub_buffer(buffer);
  if (buffer && DONE(clSetMemObjectDestructorCallback(buffer, memory_gone, &calls))) expected = 1;
  buffer_release(buffer);
  CHECK_THAT(calls == expected);
  buffer_release(buffer_of(context, CL_MEM_USE_HOST_PTR, sizeof host, host));
  buffer_release(buffer_of(context, CL_MEM_ALLOC_HOST_PTR, (size_t)4 << 20, NULL));
  buffer = clCreateBufferWithProperties(context, none, 0, BYTES, NULL, &error);
  if (DONE(error)) buffer_release(buffer);
  cl_mem pipe = clCreatePipe(context, 0, 4, 16, NULL, &error);
  if (DONE(error)) buffer_release(pipe);
  CHECK_THAT(clReleaseContext(context) == CL_SUCCESS);
}

/** Maps, writes through the mapping, and sees it in the buffer. */
static void map_and_look(const world_t *world, cl_mem buffer) {
  cl_int error;
  unsigned char seen[BYTES] = {0};
  unsigned char *mapped =
      clEnqueueMapBuffer(world->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
  if (!WAITED(error)) return;
  memset(mapped, 42, BYTES);
  cl_event unmapped = NULL;
  while (!DONE(clEnqueueUnmapMemObject(world->queue, buffer, mapped, 0, NULL, &unmapped))) {
    /* A mapping that cannot be given up is no reason to give up: memory may be there again. */
    if (scenario_failures > 1000) return;
  }
  bool worked = WAITED(clWaitForEvents(1, &unmapped)) && status_of(unmapped) == CL_COMPLETE;
  event_release(unmapped);
  if (!WAITED(clEnqueueReadBuffer(world->queue, buffer, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL))) return;
  if (worked) CHECK_THAT(seen[0] == 42 && seen[BYTES - 1] == 42);
}

/** Waits for the map afterwards. */
static void map_without_waiting(const world_t *world, cl_mem buffer) {
  cl_int error;
  cl_event mapped = NULL;
  void *pointer = clEnqueueMapBuffer(world->queue, buffer, CL_FALSE, CL_MAP_READ, 0, BYTES, 0, NULL, &mapped, &error);
  if (!DONE(error)) return;
  (void)WAITED(clWaitForEvents(1, &mapped));
  const bool is_mapped = status_of(mapped) == CL_COMPLETE;
  event_release(mapped);
  while (is_mapped && !DONE(clEnqueueUnmapMemObject(world->queue, buffer, pointer, 0, NULL, NULL))) {
    if (scenario_failures > 1000) return;
  }
}

static void mappings(void) {
  static unsigned char host[BYTES + 1];
  world_t world = world_open(scenario_device(), 0);
  cl_mem used = buffer_of(world.context, CL_MEM_USE_HOST_PTR, BYTES, host + 1);
  if (world.whole) map_and_look(&world, world.a);
  if (world.whole) map_without_waiting(&world, world.a);
  if (world.whole && used) map_and_look(&world, used);
  buffer_release(used);
  world_close(&world);
}

/* ---------------------------------------------------------------- commands */

static const size_t origin[3] = {0, 0, 0}, region[3] = {16, 4, 2};
static unsigned char host_bytes[BYTES];
static void CL_CALLBACK nothing(void *args) { (void)args; }

static cl_int command_enqueue(const world_t *world, int kind, cl_uint count, const cl_event *waits, cl_event *event) {
  const cl_uint pattern = 7;
  cl_command_queue queue = world->queue;
  void *args[2] = {NULL, NULL};
  const void *locations[1] = {&args[1]};
  switch (kind) {
    case 0: return clEnqueueReadBuffer(queue, world->a, CL_FALSE, 0, BYTES, host_bytes, count, waits, event);
    case 1: return clEnqueueWriteBuffer(queue, world->a, CL_FALSE, 0, BYTES, host_bytes, count, waits, event);
    case 2:
      return clEnqueueReadBufferRect(queue, world->a, CL_FALSE, origin, origin, region, 0, 0, 0, 0, host_bytes, count,
                                     waits, event);
    case 3:
      return clEnqueueWriteBufferRect(queue, world->a, CL_FALSE, origin, origin, region, 0, 0, 0, 0, host_bytes, count,
                                      waits, event);
    case 4: return clEnqueueCopyBuffer(queue, world->a, world->b, 0, 0, BYTES, count, waits, event);
    case 5:
      return clEnqueueCopyBufferRect(queue, world->a, world->b, origin, origin, region, 0, 0, 0, 0, count, waits,
                                     event);
    case 6: return clEnqueueFillBuffer(queue, world->a, &pattern, sizeof pattern, 0, BYTES, count, waits, event);
    case 7: return clEnqueueMigrateMemObjects(queue, 1, &world->a, 0, count, waits, event);
    case 8:
      return clEnqueueNativeKernel(queue, nothing, args, sizeof args, 1, &world->a, locations, count, waits, event);
    case 9: return clEnqueueMarkerWithWaitList(queue, count, waits, event);
    default: return clEnqueueBarrierWithWaitList(queue, count, waits, event);
  }
}

enum { COMMAND_KINDS = 11 };

/** Each kind of command without event, then in a chain of events; then the buffer has what the last fill put there. */
static void commands_run(const world_t *world) {
  cl_event events[COMMAND_KINDS] = {NULL};
  cl_uint last = 0, seen[BYTES / sizeof(cl_uint)] = {0}, value = 9;
  /* Out of order these would all write at once. */
  for (int kind = 0; world->in_order && kind < COMMAND_KINDS; kind++) DONE(command_enqueue(world, kind, 0, NULL, NULL));
  for (int kind = 0; kind < COMMAND_KINDS; kind++) {
    if (DONE(command_enqueue(world, kind, last > 0, last ? &events[last - 1] : NULL, &events[last]))) last++;
  }
  DONE(clFlush(world->queue));
  if (last) WAITED(clWaitForEvents(last, events));
  for (cl_uint i = 0; i < last; i++) status_of(events[i]);
  for (cl_uint i = 0; i < last; i++) event_release(events[i]);
  bool filled = DONE(clEnqueueFillBuffer(world->queue, world->a, &value, sizeof value, 0, BYTES, 0, NULL, &events[0]));
  if (!filled) return;
  filled = WAITED(clWaitForEvents(1, &events[0])) && status_of(events[0]) == CL_COMPLETE;
  event_release(events[0]);
  if (!WAITED(clEnqueueReadBuffer(world->queue, world->a, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL))) return;
  if (filled) CHECK_THAT(seen[0] == value && seen[BYTES / sizeof value - 1] == value);
}

static void commands(void) {
  world_t world = world_open(scenario_device(), CL_QUEUE_PROFILING_ENABLE);
  if (world.whole) commands_run(&world);
  world_close(&world);
}

static void commands_out_of_order(void) {
  world_t world = world_open(scenario_device(), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  if (world.whole) commands_run(&world);
  world_close(&world);
}

/* ---------------------------------------------------------------- programs and kernels */

/* Shared with child processes: the first of them fills it. */
typedef struct shared_binary_t {
  size_t size;
  unsigned char bytes[1 << 20];
} shared_binary_t;

static shared_binary_t *binary;

static void *file_read(const char *path, size_t *out_size) {
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file) abort();
  enum { limit = 1 << 20 };
  void *bytes = malloc(limit);
  if (!bytes) abort();
  *out_size = fread(bytes, 1, limit, file);
  fclose(file);
  return bytes;
}

/* The container around the executable that the tests of Mux use, which no compiler of ours is needed for. */
static void binary_make(void) {
  program_arg_info_t args[] = {
      {program_arg_buffer, program_address_global, program_access_none, 0, 8, "ulong*", "ulong*", "out"},
      {program_arg_value, program_address_private, program_access_none, 0, 8, "ulong", "ulong", "first"}};
  program_kernel_info_t kernel = {.name = "copy_id", .attributes = "", .arg_count = 2, .args = args};
  const program_info_t info = {.kernel_count = 1, .kernels = &kernel};
  void *encoded;
  size_t size;
  void *code = file_read(getenv("MUX_TEST_BINARY"), &size);
  binary_content_t content = {.kind = binary_kind_executable, .payload = code, .payload_size = size};
  if (!program_info_encode(&info, &encoded, &content.info_size)) abort();
  content.info = encoded;
  char *target = program_target_text(scenario_device());
  binary_t *made = target ? binary_encode(target, &content) : NULL;
  if (!made || made->size > sizeof binary->bytes) abort();
  binary->size = made->size;
  memcpy(binary->bytes, made->data, made->size);
  binary_drop(made);
  free(target);
  free(encoded);
  free(code);
}

void scenario_binary_make(void) {
  int status = 1;
  binary = mmap(NULL, sizeof *binary, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (binary == MAP_FAILED) abort();
  pid_t child = fork();
  if (!child) {
    binary_make();
    _exit(0);
  }
  if (waitpid(child, &status, 0) != child || status) abort();
}

static cl_program program_of(const world_t *world) {
  const unsigned char *bytes = binary->bytes;
  cl_int error, status;
  cl_program program =
      clCreateProgramWithBinary(world->context, 1, &world->device, &binary->size, &bytes, &status, &error);
  if (!DONE(error)) return NULL;
  /* Where the first one fails, the second may be luckier. */
  for (int i = 0; i < 2; i++) {
    if (DONE(clBuildProgram(program, 0, NULL, "-w", NULL, NULL))) return program;
  }
  CHECK_THAT(clReleaseProgram(program) == CL_SUCCESS);
  return NULL;
}

static void kernel_run(const world_t *world, cl_kernel kernel) {
  const cl_ulong first = 100;
  const size_t items = BYTES / sizeof(cl_ulong);
  cl_ulong seen[BYTES / sizeof(cl_ulong)];
  cl_event event;
  if (!DONE(clSetKernelArg(kernel, 0, sizeof world->a, &world->a))) return;
  if (!DONE(clSetKernelArg(kernel, 1, sizeof first, &first))) return;
  DONE(clEnqueueTask(world->queue, kernel, 0, NULL, NULL));
  if (!DONE(clEnqueueNDRangeKernel(world->queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event))) return;
  bool worked = WAITED(clWaitForEvents(1, &event)) && status_of(event) == CL_COMPLETE;
  event_release(event);
  if (!WAITED(clEnqueueReadBuffer(world->queue, world->a, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL))) return;
  for (size_t i = 0; worked && i < items; i++) CHECK_THAT(seen[i] == first + i);
}

static void kernel_use(const world_t *world, cl_kernel kernel) {
  cl_int error;
  size_t size;
  kernel_run(world, kernel);
  DONE(clGetKernelWorkGroupInfo(kernel, world->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
  cl_kernel clone = clCloneKernel(kernel, &error);
  if (DONE(error)) CHECK_THAT(clReleaseKernel(clone) == CL_SUCCESS);
  CHECK_THAT(clReleaseKernel(kernel) == CL_SUCCESS);
}

static void program_use(const world_t *world, cl_program program) {
  cl_int error;
  size_t size;
  cl_kernel kernel = clCreateKernel(program, "copy_id", &error);
  if (DONE(error)) kernel_use(world, kernel);
  if (DONE(clCreateKernelsInProgram(program, 1, &kernel, NULL))) CHECK_THAT(clReleaseKernel(kernel) == CL_SUCCESS);
  DONE(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size));
  DONE(clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &size));
  DONE(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  CHECK_THAT(clReleaseProgram(program) == CL_SUCCESS);
}

static void programs(void) {
  world_t world = world_open(scenario_device(), 0);
  cl_program program = world.whole ? program_of(&world) : NULL;
  if (program) program_use(&world, program);
  world_close(&world);
}

/* ---------------------------------------------------------------- events */

static atomic_int callback_calls;

static void CL_CALLBACK completed(cl_event event, cl_int status, void *data) {
  (void)event, (void)status, (void)data;
  atomic_fetch_add(&callback_calls, 1);
}

static cl_event user_event_of(cl_context context) {
  cl_int error;
  cl_event event = clCreateUserEvent(context, &error);
  return DONE(error) ? event : NULL;
}

/** Commands that wait for a user event, on two queues, with callbacks; it is set to `status`. */
static void gated_commands(const world_t *world, const world_t *second, cl_int status) {
  cl_event user = user_event_of(world->context), first = NULL, last = NULL;
  int expected = 0;
  static const cl_int types[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};
  atomic_store(&callback_calls, 0);
  if (!user) return;
  DONE(command_enqueue(world, 6, 1, &user, &first));
  if (first) DONE(command_enqueue(second, 4, 1, &first, &last));
  for (int i = 0; i < 3 && last; i++)
    if (DONE(clSetEventCallback(last, types[i], completed, NULL))) expected++;
  DONE(clFlush(second->queue));
  CHECK_THAT(clSetUserEventStatus(user, status) == CL_SUCCESS);
  cl_int error = last ? clWaitForEvents(1, &last) : CL_SUCCESS;
  if (status == CL_COMPLETE) WAITED(error);
  DONE(clFinish(world->queue));
  DONE(clFinish(second->queue));
  if (last && status < 0) CHECK_THAT(status_of(last) < 0);
  CHECK_THAT(atomic_load(&callback_calls) == expected);
  event_release(user);
  event_release(first);
  event_release(last);
}

static void events(void) {
  world_t world = world_open(scenario_device(), 0), second = world;
  second.queue = queue_of(world.context, world.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  if (world.whole && second.queue) {
    gated_commands(&world, &second, CL_COMPLETE);
    gated_commands(&world, &second, CL_OUT_OF_RESOURCES);
    gated_commands(&second, &world, CL_COMPLETE);
  }
  if (second.queue) CHECK_THAT(clReleaseCommandQueue(second.queue) == CL_SUCCESS);
  world_close(&world);
}

/** More than fit into the first arrays, into the command buffer's first piece, and into a queue's lanes. */
static void many_commands(void) {
  enum { MANY = 100 };
  cl_event list[MANY], join = NULL;
  cl_uint count = 0;
  world_t world = world_open(scenario_device(), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (int i = 0; world.whole && i < MANY; i++)
    if (DONE(command_enqueue(&world, 8, 0, NULL, &list[count]))) count++;
  if (count) DONE(command_enqueue(&world, 9, count, list, &join));
  if (world.whole) DONE(clFinish(world.queue));
  for (cl_uint i = 0; i < count; i++) status_of(list[i]);
  if (join) status_of(join);
  for (cl_uint i = 0; i < count; i++) event_release(list[i]);
  event_release(join);
  world_close(&world);
}

static void many_commands_in_order(void) {
  world_t world = world_open(scenario_device(), 0);
  for (int i = 0; world.whole && i < 300; i++) DONE(command_enqueue(&world, 6, 0, NULL, NULL));
  if (world.whole) DONE(clFinish(world.queue));
  world_close(&world);
}

/* ---------------------------------------------------------------- sub-devices */

static void sub_devices(void) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[64], device = scenario_device();
  cl_uint units = 0, count = 0;
  if (!device) return;
  DONE(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  if (units < 2 || units > 64) return;
  if (!DONE(clCreateSubDevices(device, equally, 64, parts, &count))) return;
  world_t world = world_open(parts[0], 0);
  for (cl_uint i = 0; i < count; i++) CHECK_THAT(clReleaseDevice(parts[i]) == CL_SUCCESS);
  if (world.whole) commands_run(&world);
  world_close(&world);
}

/* ---------------------------------------------------------------- building, where the compiler is there */

static const char source[] =
    "#include \"value.h\"\n"
    "kernel void copy_id(global ulong *out, ulong first) {\n"
    "  if (get_global_id(0) == 0) printf(\"%s%d\", \"\", VALUE > 7);\n"
    "  out[get_global_id(0)] = first + get_global_id(0);\n"
    "}\n";
static const char header[] = "#define VALUE 7\n";

static cl_program source_program(const world_t *world, const char *text) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(world->context, 1, &text, NULL, &error);
  return DONE(error) ? program : NULL;
}

static void build_log_read(const world_t *world, cl_program program) {
  static char text[1 << 14];
  DONE(clGetProgramBuildInfo(program, world->device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
  DONE(clGetProgramBuildInfo(program, world->device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
}

static void compile_and_link(const world_t *world, cl_program program, cl_program included) {
  const char *name = "value.h";
  cl_int error;
  if (!DONE(clCompileProgram(program, 0, NULL, "-cl-std=CL3.0", 1, &included, &name, NULL, NULL))) return;
  build_log_read(world, program);
  cl_program linked = clLinkProgram(world->context, 0, NULL, NULL, 1, &program, NULL, NULL, &error);
  if (linked && error != CL_SUCCESS) CHECK_THAT(clReleaseProgram(linked) == CL_SUCCESS);
  cl_int link_error = error;
  if (DONE(link_error)) program_use(world, linked);
}

static void builds(void) {
  world_t world = world_open(scenario_device(), 0);
  cl_program included = world.whole ? source_program(&world, header) : NULL;
  cl_program program = included ? source_program(&world, source) : NULL;
  if (program) compile_and_link(&world, program, included);
  if (included) CHECK_THAT(clReleaseProgram(included) == CL_SUCCESS);
  if (program) CHECK_THAT(clReleaseProgram(program) == CL_SUCCESS);
  program = world.whole ? source_program(&world, source) : NULL;
  if (program) {
    /* The header is missing. */
    cl_int build_error = clBuildProgram(program, 0, NULL, "-w", NULL, NULL);
    if (build_error != CL_BUILD_PROGRAM_FAILURE) CHECK_THAT(!DONE(build_error));
    build_log_read(&world, program);
    CHECK_THAT(clReleaseProgram(program) == CL_SUCCESS);
  }
  world_close(&world);
}

const scenario_t build_scenario = {"builds", builds, false};

const scenario_t scenarios[] = {
    {"contexts", contexts, true},
    {"queues", queues, false},
    {"queries", queries, false},
    {"buffers", buffers, false},
    {"mappings", mappings, false},
    {"commands", commands, true},
    {"commands out of order", commands_out_of_order, false},
    {"programs", programs, true},
    {"events", events, false},
    {"many commands", many_commands, false},
    {"many commands in order", many_commands_in_order, false},
    {"sub-devices", sub_devices, true},
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;
