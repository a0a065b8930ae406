/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random calls of extensions: memory and semaphores behind descriptors, variables of programs. */
#include "external_calls.h"

#include <sys/mman.h>
#include <unistd.h>

typedef cl_int(CL_API_CALL *read_variable_fn)(cl_command_queue queue, cl_program program, const char *name,
                                              cl_bool blocking, size_t size, size_t offset, void *data,
                                              cl_uint wait_count, const cl_event *waits, cl_event *event);
typedef cl_int(CL_API_CALL *write_variable_fn)(cl_command_queue queue, cl_program program, const char *name,
                                               cl_bool blocking, size_t size, size_t offset, const void *data,
                                               cl_uint wait_count, const cl_event *waits, cl_event *event);
typedef cl_int(CL_API_CALL *variable_pointer_fn)(cl_device_id device, cl_program program, const char *name,
                                                 size_t *size, void **pointer);

#define FUNCTIONS(X)                                                                 \
  X(clEnqueueAcquireExternalMemObjectsKHR, clEnqueueAcquireExternalMemObjectsKHR_fn) \
  X(clEnqueueReleaseExternalMemObjectsKHR, clEnqueueReleaseExternalMemObjectsKHR_fn) \
  X(clCreateSemaphoreWithPropertiesKHR, clCreateSemaphoreWithPropertiesKHR_fn)       \
  X(clReleaseSemaphoreKHR, clReleaseSemaphoreKHR_fn)                                 \
  X(clGetSemaphoreHandleForTypeKHR, clGetSemaphoreHandleForTypeKHR_fn)               \
  X(clEnqueueReadGlobalVariableINTEL, read_variable_fn)                              \
  X(clEnqueueWriteGlobalVariableINTEL, write_variable_fn)                            \
  X(clGetDeviceGlobalVariablePointerINTEL, variable_pointer_fn)
TEST_EXTENSION_FUNCTIONS_OF(external, FUNCTIONS)

bool external_calls_load(void) { return external_load(); }

cl_int external_release_semaphore(void *semaphore) { return external.clReleaseSemaphoreKHR(semaphore); }

static cl_int note(world_t *world, cl_int error) {
  world->calls++;
  world->accepted += error == CL_SUCCESS;
  return error;
}

/* Behind the call: where `event` is, it has an event unless the call failed. */
static void note_event(world_t *world, cl_int error, const cl_event *event) {
  if (!note(world, error)) world_add(world, EVENT, *event);
}

void import_buffer(world_t *world) {
  cl_int error = CL_SUCCESS;
  int descriptor = memfd_create("random-calls", MFD_CLOEXEC);
  if (descriptor < 0 || ftruncate(descriptor, WORLD_BYTES)) return;
  size_t size = world_size(world);
  const cl_mem_properties properties[] = {
      world_flags(world, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR),
      world_flags(world, (cl_ulong)descriptor, 0), 0, 0, 0};
  cl_mem buffer = clCreateBufferWithProperties(world->context, properties, world_flags(world, 0, CL_MEM_USE_HOST_PTR),
                                               size, NULL, &error);
  if (note(world, error)) {
    close(descriptor);
  } else {
    world_add(world, BUFFER, buffer);
  }
}

void hand_over_memory(world_t *world) {
  const cl_event *waits;
  const cl_uint count = world_waits(world, &waits);
  cl_event event = NULL;
  cl_mem buffer = world_pick(world, BUFFER);
  clEnqueueAcquireExternalMemObjectsKHR_fn call = world_chance(world, 50)
                                                      ? external.clEnqueueAcquireExternalMemObjectsKHR
                                                      : external.clEnqueueReleaseExternalMemObjectsKHR;
  note_event(world, call(world_pick(world, QUEUE), world_chance(world, 95), &buffer, count, waits, &event), &event);
}

void create_semaphore(world_t *world) {
  cl_int error;
  const cl_semaphore_properties_khr properties[] = {
      CL_SEMAPHORE_TYPE_KHR,
      world_flags(world, CL_SEMAPHORE_TYPE_BINARY_KHR, 7),
      world_flags(world, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, 0),
      world_flags(world, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR),
      0,
      0,
      0,
      0};
  world_add(world, SEMAPHORE, external.clCreateSemaphoreWithPropertiesKHR(world->context, properties, &error));
  note(world, error);
}

/** Another semaphore with the payload of one; given up at once, as two that wait for one payload may wait for ever. */
void share_semaphore(world_t *world) {
  cl_int error;
  int descriptor = -1;
  cl_external_semaphore_handle_type_khr type =
      (cl_external_semaphore_handle_type_khr)world_flags(world, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0);
  if (note(world, external.clGetSemaphoreHandleForTypeKHR(world_pick(world, SEMAPHORE), dut.device, type,
                                                          sizeof(descriptor), &descriptor, NULL))) {
    return;
  }
  const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                    (cl_semaphore_properties_khr)descriptor, 0};
  cl_semaphore_khr shared = external.clCreateSemaphoreWithPropertiesKHR(world->context, properties, &error);
  if (note(world, error)) {
    close(descriptor);
  } else {
    note(world, external.clReleaseSemaphoreKHR(shared));
  }
}

void access_variable(world_t *world) {
  static const char *const names[] = {"words", "word", "touch", "", "words.program"};
  const char *name = names[world_chance(world, 80) ? 0 : world_random(world, 5)];
  const cl_event *waits;
  cl_event event = NULL;
  void *address;
  const cl_uint count = world_waits(world, &waits);
  cl_command_queue queue = world_pick(world, QUEUE);
  cl_program program = world_chance(world, 80) ? world->program : world_pick(world, PROGRAM);
  size_t size = world_size(world), offset = world_chance(world, 60) ? 0 : world_size(world), found;
  switch (world_random(world, 3)) {
    case 0:
      note_event(world,
                 external.clEnqueueReadGlobalVariableINTEL(queue, program, name, CL_FALSE, size, offset, world->scratch,
                                                           count, waits, &event),
                 &event);
      break;
    case 1:
      note_event(world,
                 external.clEnqueueWriteGlobalVariableINTEL(queue, program, name, CL_FALSE, size, offset,
                                                            world->scratch, count, waits, &event),
                 &event);
      break;
    default: note(world, external.clGetDeviceGlobalVariablePointerINTEL(dut.device, program, name, &found, &address));
  }
}
