/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The random calls. Arguments may be wrong in every way that a driver can tell; released handles and memory that is not
 * there are not passed, nor work that would never end. */
#include "external_calls.h"
#include "test_command_buffer.h"
#include "world.h"

bool calls_load(void) { return cb_load() && external_calls_load(); }

static cl_int note(world_t *world, cl_int error) {
  world->calls++;
  world->accepted += error == CL_SUCCESS;
  return error;
}

/* Blocking calls need nothing that blocks them. */
static cl_bool blocking(world_t *world) {
  if (!world_chance(world, 20)) return CL_FALSE;
  world_settle(world);
  return CL_TRUE;
}

static void CL_CALLBACK ignore_event(cl_event event, cl_int status, void *data) {
  (void)event, (void)status, (void)data;
}
static void CL_CALLBACK ignore_memory(cl_mem memory, void *data) { (void)memory, (void)data; }
static void CL_CALLBACK native(void *data) { (void)data; }

/* ------------------------------------------------------------ creation and release */

static void create_queue(world_t *world) {
  cl_int error;
  const cl_queue_properties list[] = {world_flags(world, CL_QUEUE_PROPERTIES, 0x7FFF),
                                      world_flags(world, world_random(world, 4), 16),
                                      world_flags(world, 0, CL_QUEUE_PRIORITY_KHR), world_random(world, 6), 0};
  cl_queue_properties two[] = {list[0], list[1], 0};
  world_add(
      world, QUEUE,
      clCreateCommandQueueWithProperties(world->context, dut.device, world_chance(world, 50) ? two : list, &error));
  note(world, error);
}

static void create_buffer(world_t *world) {
  cl_int error;
  const cl_mem_flags access[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
  const cl_mem_flags host[] = {0, CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR};
  cl_mem_flags flags = access[world_random(world, 4)] | host[world_random(world, 4)];
  size_t size = world_size(world);
  /* Sizes that a device could have, but the scratch area has not. */
  if (size > WORLD_BYTES && size < SIZE_MAX / 4) size = 0;
  void *pointer = world_chance(world, 50) ? world->scratch : NULL;
  cl_mem buffer =
      clCreateBuffer(world->context, world_flags(world, flags, flags | CL_MEM_HOST_NO_ACCESS), size, pointer, &error);
  world_add(world, BUFFER, buffer);
  note(world, error);
}

static void create_sub_buffer(world_t *world) {
  cl_int error;
  const cl_buffer_region region = {world_chance(world, 70) ? 0 : world_size(world), world_size(world)};
  world_add(world, BUFFER,
            clCreateSubBuffer(world_pick(world, BUFFER), world_flags(world, 0, CL_MEM_USE_HOST_PTR),
                              CL_BUFFER_CREATE_TYPE_REGION, world_chance(world, 95) ? &region : NULL, &error));
  note(world, error);
}

static void create_kernel(world_t *world) {
  static const char *const names[] = {"touch", "local_sum", "nothing", "missing", ""};
  cl_int error;
  world_add(world, KERNEL, clCreateKernel(world->program, names[world_random(world, 5)], &error));
  note(world, error);
}

static void clone_kernel(world_t *world) {
  cl_int error;
  world_add(world, KERNEL, clCloneKernel(world_pick(world, KERNEL), &error));
  note(world, error);
}

static void create_program(world_t *world) {
  cl_int error;
  const char *source = "kernel void k() {}";
  const size_t length = world_random(world, 18);
  cl_program program = clCreateProgramWithSource(world->context, (cl_uint)world_random(world, 2), &source,
                                                 world_chance(world, 50) ? &length : NULL, &error);
  world_add(world, PROGRAM, program);
  note(world, error);
}

static void create_user_event(world_t *world) {
  cl_int error;
  world_add(world, USER_EVENT, clCreateUserEvent(world_chance(world, 95) ? world->context : NULL, &error));
  note(world, error);
}

static void set_user_event(world_t *world) {
  note(world, clSetUserEventStatus(world_pick(world, USER_EVENT), (cl_int)world_random(world, 4) - 2));
}

static void create_sampler(world_t *world) {
  cl_int error;
  world_add(world, SAMPLER,
            clCreateSampler(world->context, (cl_bool)world_random(world, 3),
                            (cl_addressing_mode)(CL_ADDRESS_NONE + world_random(world, 6)),
                            (cl_filter_mode)(CL_FILTER_NEAREST + world_random(world, 3)), &error));
  note(world, error);
}

static void allocate_svm(world_t *world) {
  void *pointer = clSVMAlloc(world->context, world_flags(world, world_random(world, 2) << 10, 1 << 3),
                             world_chance(world, 90) ? WORLD_BYTES : 0, (cl_uint)world_random(world, 130));
  if (pointer) memset(pointer, 0, WORLD_BYTES);
  world_add(world, SVM, pointer);
  note(world, pointer ? CL_SUCCESS : CL_INVALID_VALUE);
}

static void create_sub_devices(world_t *world) {
  const cl_device_partition_property list[] = {
      (cl_device_partition_property)world_flags(world, CL_DEVICE_PARTITION_EQUALLY, 0x7FFF),
      (cl_device_partition_property)world_random(world, 3), 0};
  cl_device_id devices[4];
  cl_uint count = 0;
  cl_device_id parent = world_chance(world, 50) ? dut.device : world_pick(world, DEVICE);
  if (note(world, clCreateSubDevices(parent, list, 4, devices, &count))) return;
  for (cl_uint i = 0; i < count && i < 4; i++) world_add(world, DEVICE, devices[i]);
}

static void release_something(world_t *world) {
  kind_t kind = (kind_t)world_random(world, KINDS);
  void *object = world_any(world, kind);
  if (!object) return;
  world_remove(world, kind, object);
  note(world, world_release(world, kind, object));
}

/* Of the right kind or not, but never the last reference. */
static void retain_and_release(world_t *world) {
  void *object = world_pick(world, (kind_t)world_random(world, KINDS));
  for (const pool_t *svm = &world->pools[SVM]; object;) {
    for (size_t i = 0; i < svm->count; i++) {
      if (svm->objects[i] == object) return;
    }
    break;
  }
  switch (world_random(world, 6)) {
    case 0:
      if (!note(world, clRetainMemObject(object))) clReleaseMemObject(object);
      break;
    case 1:
      if (!note(world, clRetainCommandQueue(object))) clReleaseCommandQueue(object);
      break;
    case 2:
      if (!note(world, clRetainEvent(object))) clReleaseEvent(object);
      break;
    case 3:
      if (!note(world, clRetainKernel(object))) clReleaseKernel(object);
      break;
    case 4:
      if (!note(world, clRetainProgram(object))) clReleaseProgram(object);
      break;
    default:
      if (!note(world, clRetainContext(object))) clReleaseContext(object);
      break;
  }
}

/* ------------------------------------------------------------ commands */

#define WAITS wait_count, list, out
/* Most commands give an event, which is kept. */
#define COMMAND(name, ...)                                                    \
  static void name(world_t *world) {                                          \
    const cl_event *list;                                                     \
    const cl_uint wait_count = world_waits(world, &list);                     \
    cl_event event = NULL, *out = world_chance(world, 70) ? &event : NULL;    \
    cl_command_queue queue = world_pick(world, QUEUE);                        \
    cl_mem a = world_pick(world, BUFFER), b = world_pick(world, BUFFER);      \
    (void)a, (void)b, (void)queue;                                            \
    if (!note(world, (__VA_ARGS__)) && event) world_add(world, EVENT, event); \
  }

static void *scratch(world_t *world) { return world_chance(world, 95) ? world->scratch : NULL; }

/* Into memory of at most WORLD_BYTES, or beyond the address space. */
static size_t pointer_size(world_t *world) {
  size_t size = world_size(world);
  return size > WORLD_BYTES / 2 && size < SIZE_MAX - WORLD_BYTES ? 0 : size;
}

static size_t pattern_size(world_t *world) { return world_chance(world, 90) ? 4 : world_random(world, 200); }

static const size_t *triple(world_t *world, size_t *out, bool is_region) {
  for (int i = 0; i < 3; i++) {
    out[i] = world_chance(world, 95) ? world_random(world, 8) + is_region : world_size(world);
  }
  return world_chance(world, 97) ? out : NULL;
}

COMMAND(read_buffer,
        clEnqueueReadBuffer(queue, a, blocking(world), world_size(world), world_size(world), scratch(world), WAITS))
COMMAND(write_buffer,
        clEnqueueWriteBuffer(queue, a, blocking(world), world_size(world), world_size(world), scratch(world), WAITS))
COMMAND(copy_buffer, clEnqueueCopyBuffer(queue, a, b, world_size(world), world_size(world), world_size(world), WAITS))
COMMAND(fill_buffer,
        clEnqueueFillBuffer(queue, a, scratch(world), pattern_size(world), world_size(world), world_size(world), WAITS))
COMMAND(marker, clEnqueueMarkerWithWaitList(queue, WAITS))
COMMAND(barrier, clEnqueueBarrierWithWaitList(queue, WAITS))
COMMAND(migrate, clEnqueueMigrateMemObjects(queue, (cl_uint)world_random(world, 2), &a,
                                            world_flags(world, 0, CL_MIGRATE_MEM_OBJECT_HOST), WAITS))
COMMAND(native_kernel, clEnqueueNativeKernel(queue, world_chance(world, 95) ? native : NULL, scratch(world),
                                             world_random(world, 64), 0, NULL, NULL, WAITS))
COMMAND(svm_memcpy,
        clEnqueueSVMMemcpy(queue, blocking(world), world_any(world, SVM), world->scratch, pointer_size(world), WAITS))
COMMAND(svm_fill, clEnqueueSVMMemFill(queue, world_any(world, SVM), scratch(world), pattern_size(world),
                                      pointer_size(world), WAITS))
COMMAND(svm_map, clEnqueueSVMMap(queue, blocking(world), world_flags(world, CL_MAP_READ, 8), world_any(world, SVM),
                                 world_size(world), WAITS))
COMMAND(svm_unmap, clEnqueueSVMUnmap(queue, world_any(world, SVM), WAITS))
COMMAND(task, clEnqueueTask(queue, world_pick(world, KERNEL), WAITS))
COMMAND(enqueue_command_buffer,
        cb.clEnqueueCommandBufferKHR((cl_uint)world_chance(world, 50), world_chance(world, 50) ? &queue : NULL,
                                     world_pick(world, COMMAND_BUFFER), WAITS))

/* Ranges beyond the scratch area are not for the driver to find. */
static bool rects_fit(const size_t *origin, const size_t *region) {
  for (int i = 0; i < 3; i++) {
    if ((origin && origin[i] > 8) || (region && region[i] > 8)) return false;
  }
  return true;
}

static void rectangles(world_t *world) {
  size_t buffer_origin[3], host_origin[3], region[3];
  const cl_event *list;
  const cl_uint wait_count = world_waits(world, &list);
  cl_event event = NULL, *out = NULL;
  const size_t *from = triple(world, buffer_origin, false), *to = triple(world, host_origin, false),
               *size = triple(world, region, true);
  size_t row = world_chance(world, 70) ? 0 : 8 + world_random(world, 9);
  size_t slice = row && world_chance(world, 50) ? row * 9 : 0;
  cl_command_queue queue = world_pick(world, QUEUE);
  cl_mem a = world_pick(world, BUFFER), b = world_pick(world, BUFFER);
  switch (world_random(world, 3)) {
    case 0:
      if (!rects_fit(to, size)) return;
      note(world, clEnqueueReadBufferRect(queue, a, blocking(world), from, to, size, row, slice, row, slice,
                                          scratch(world), WAITS));
      break;
    case 1:
      if (!rects_fit(to, size)) return;
      note(world, clEnqueueWriteBufferRect(queue, a, blocking(world), from, to, size, row, slice, row, slice,
                                           scratch(world), WAITS));
      break;
    default:
      out = &event;
      if (!note(world, clEnqueueCopyBufferRect(queue, a, b, from, to, size, row, slice, row, slice, WAITS))) {
        world_add(world, EVENT, event);
      }
  }
}

/* Mapped ranges are unmapped at once. */
static void map_and_unmap(world_t *world) {
  const cl_event *list;
  const cl_uint wait_count = world_waits(world, &list);
  cl_event *out = NULL;
  cl_int error;
  cl_command_queue queue = world_pick(world, QUEUE);
  cl_mem buffer = world_pick(world, BUFFER);
  cl_bool is_blocking = blocking(world);
  void *pointer = clEnqueueMapBuffer(queue, buffer, is_blocking, world_flags(world, 1 + world_random(world, 3), 12),
                                     world_size(world), world_size(world), WAITS, &error);
  if (note(world, error)) return;
  note(world,
       clEnqueueUnmapMemObject(queue, buffer, world_chance(world, 10) ? world->scratch : pointer, 0, NULL, NULL));
}

static size_t global_size(world_t *world) {
  static const size_t sizes[] = {0, 1, 3, 16, 64, 100};
  return sizes[world_random(world, 6)];
}

static void launch(world_t *world) {
  const cl_event *list;
  const cl_uint wait_count = world_waits(world, &list);
  cl_event event = NULL, *out = &event;
  size_t global[3], offset[3], local[3];
  for (int i = 0; i < 3; i++) {
    global[i] = global_size(world);
    offset[i] = world_chance(world, 95) ? world_random(world, 5) : SIZE_MAX;
    local[i] = world_chance(world, 90) ? (size_t)1 << world_random(world, 3) : world_size(world);
  }
  cl_uint dimensions = world_chance(world, 95) ? 1 + (cl_uint)world_random(world, 3) : (cl_uint)world_random(world, 9);
  if (!note(world,
            clEnqueueNDRangeKernel(world_pick(world, QUEUE), world_pick(world, KERNEL), dimensions,
                                   world_chance(world, 50) ? offset : NULL, world_chance(world, 97) ? global : NULL,
                                   world_chance(world, 50) ? local : NULL, WAITS))) {
    world_add(world, EVENT, event);
  }
}

static void set_argument(world_t *world) {
  cl_kernel kernel = world_pick(world, KERNEL);
  cl_mem buffer = world_pick(world, BUFFER);
  cl_uint index = (cl_uint)world_random(world, 4), value = 7;
  switch (world_random(world, 5)) {
    case 0: note(world, clSetKernelArg(kernel, index, sizeof(buffer), &buffer)); break;
    case 1: note(world, clSetKernelArg(kernel, index, sizeof(value), &value)); break;
    case 2: note(world, clSetKernelArg(kernel, index, world_chance(world, 90) ? 64 : world_size(world), NULL)); break;
    case 3: note(world, clSetKernelArgSVMPointer(kernel, index, world_any(world, SVM))); break;
    /* Eight bytes would be read as a handle, which must be one. */
    default: note(world, clSetKernelArg(kernel, index, world_random(world, sizeof(buffer)), world->scratch)); break;
  }
}

static void flush_or_finish(world_t *world) {
  cl_command_queue queue = world_pick(world, QUEUE);
  if (world_chance(world, 70)) {
    note(world, clFlush(queue));
    return;
  }
  world_settle(world);
  note(world, clFinish(queue));
}

static void wait_for_events(world_t *world) {
  const cl_event *list;
  const cl_uint wait_count = world_waits(world, &list);
  world_settle(world);
  note(world, clWaitForEvents(wait_count, list));
}

static void set_callback(world_t *world) {
  static const cl_int types[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE, CL_QUEUED, 17};
  if (world_chance(world, 50)) {
    note(world, clSetEventCallback(world_pick(world, EVENT), types[world_random(world, 5)],
                                   world_chance(world, 95) ? ignore_event : NULL, NULL));
  } else {
    note(world, clSetMemObjectDestructorCallback(world_pick(world, BUFFER),
                                                 world_chance(world, 95) ? ignore_memory : NULL, NULL));
  }
}

/* ------------------------------------------------------------ command buffers */

static void create_command_buffer(world_t *world) {
  cl_int error;
  cl_command_queue queue = world_pick(world, QUEUE);
  const cl_command_buffer_properties_khr list[] = {world_flags(world, CL_COMMAND_BUFFER_FLAGS_KHR, 0x7FFF),
                                                   world_random(world, 5), 0};
  world_add(
      world, COMMAND_BUFFER,
      cb.clCreateCommandBufferKHR(world_chance(world, 97), &queue, world_chance(world, 70) ? list : NULL, &error));
  note(world, error);
}

static void record_command(world_t *world) {
  cl_command_buffer_khr buffer = world_pick(world, COMMAND_BUFFER);
  const cl_sync_point_khr points[] = {(cl_sync_point_khr)world_random(world, 4)};
  cl_uint count = world_chance(world, 20);
  const cl_sync_point_khr *waits = count || world_chance(world, 3) ? points : NULL;
  cl_mem a = world_pick(world, BUFFER), b = world_pick(world, BUFFER);
  const size_t global = global_size(world);
  cl_mutable_command_khr handle = NULL;
  switch (world_random(world, 5)) {
    case 0:
      note(world, cb.clCommandCopyBufferKHR(buffer, NULL, NULL, a, b, world_size(world), world_size(world),
                                            world_size(world), count, waits, NULL, NULL));
      break;
    case 1:
      note(world, cb.clCommandFillBufferKHR(buffer, NULL, NULL, a, scratch(world), pattern_size(world),
                                            world_size(world), world_size(world), count, waits, NULL, NULL));
      break;
    case 2: note(world, cb.clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, count, waits, NULL, NULL)); break;
    default:
      note(world, cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, world_pick(world, KERNEL), 1, NULL, &global, NULL,
                                               count, waits, NULL, &handle));
      if (!handle) break;
      const cl_mutable_dispatch_arg_khr arg = {(cl_uint)world_random(world, 3), sizeof(a), &a};
      const quern_mutable_dispatch_config config = {.command = handle, .num_args = 1, .arg_list = &arg};
      const quern_command_buffer_update_type type = 0;
      const void *configs[] = {&config};
      if (world_chance(world, 30)) note(world, cb.clFinalizeCommandBufferKHR(buffer));
      note(world, cb.clUpdateMutableCommandsKHR(buffer, 1, &type, configs));
  }
}

static void finalize_command_buffer(world_t *world) {
  note(world, cb.clFinalizeCommandBufferKHR(world_pick(world, COMMAND_BUFFER)));
}

/* ------------------------------------------------------------ queries */

static void query(world_t *world) {
  unsigned char answer[256];
  size_t size, capacity = world_chance(world, 80) ? sizeof(answer) : world_random(world, 16);
  void *value = world_chance(world, 80) ? answer : NULL;
  cl_uint offset = (cl_uint)world_random(world, 40);
#define QUERY(function, object, first) note(world, function(object, first + offset, capacity, value, &size))
  switch (world_random(world, 9)) {
    case 0: QUERY(clGetMemObjectInfo, world_pick(world, BUFFER), CL_MEM_TYPE); break;
    case 1: QUERY(clGetCommandQueueInfo, world_pick(world, QUEUE), CL_QUEUE_CONTEXT); break;
    case 2: QUERY(clGetEventInfo, world_pick(world, EVENT), CL_EVENT_COMMAND_QUEUE); break;
    case 3: QUERY(clGetEventProfilingInfo, world_pick(world, EVENT), CL_PROFILING_COMMAND_QUEUED); break;
    case 4: QUERY(clGetKernelInfo, world_pick(world, KERNEL), CL_KERNEL_FUNCTION_NAME); break;
    case 5: QUERY(clGetProgramInfo, world_pick(world, PROGRAM), CL_PROGRAM_REFERENCE_COUNT); break;
    case 6: QUERY(clGetSamplerInfo, world_pick(world, SAMPLER), CL_SAMPLER_REFERENCE_COUNT); break;
    case 7: QUERY(clGetDeviceInfo, world_pick(world, DEVICE), CL_DEVICE_TYPE); break;
    default:
      note(world, clGetKernelWorkGroupInfo(world_pick(world, KERNEL), world_chance(world, 80) ? dut.device : NULL,
                                           CL_KERNEL_WORK_GROUP_SIZE + offset % 8, capacity, value, &size));
  }
}

/* Programs have no binary while they are not built, and clGetProgramInfo is given no array of pointers. */
void call_anything(world_t *world) {
  static void (*const calls[])(world_t *) = {create_queue,
                                             create_buffer,
                                             create_buffer,
                                             create_sub_buffer,
                                             create_kernel,
                                             clone_kernel,
                                             create_program,
                                             create_user_event,
                                             set_user_event,
                                             set_user_event,
                                             create_sampler,
                                             allocate_svm,
                                             create_sub_devices,
                                             release_something,
                                             release_something,
                                             retain_and_release,
                                             read_buffer,
                                             write_buffer,
                                             copy_buffer,
                                             fill_buffer,
                                             marker,
                                             barrier,
                                             migrate,
                                             native_kernel,
                                             svm_memcpy,
                                             svm_fill,
                                             svm_map,
                                             svm_unmap,
                                             task,
                                             rectangles,
                                             map_and_unmap,
                                             launch,
                                             launch,
                                             launch,
                                             set_argument,
                                             set_argument,
                                             set_argument,
                                             set_argument,
                                             flush_or_finish,
                                             wait_for_events,
                                             set_callback,
                                             create_command_buffer,
                                             record_command,
                                             record_command,
                                             finalize_command_buffer,
                                             enqueue_command_buffer,
                                             enqueue_command_buffer,
                                             import_buffer,
                                             hand_over_memory,
                                             create_semaphore,
                                             share_semaphore,
                                             access_variable,
                                             query,
                                             query,
                                             query};
  calls[world_random(world, sizeof(calls) / sizeof(*calls))](world);
}
