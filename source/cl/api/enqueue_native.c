/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Native kernels: host functions that run in a queue. */
#include <stdlib.h>
#include <string.h>

#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"

typedef void(CL_CALLBACK *native_function_t)(void *arguments);

typedef struct native_task_t {
  native_function_t function;
  atomic_bool *entered;
  /** Null when the application gave none. */
  void *arguments;
  max_align_t storage[];
} native_task_t;

static void run(mux_queue_t queue, mux_command_buffer_t command_buffer, void *data) {
  (void)queue, (void)command_buffer;
  const native_task_t *task = data;
  atomic_store_explicit(task->entered, true, memory_order_relaxed);
  task->function(task->arguments);
}

static void release(void *data, cl_int status) {
  (void)status;
  free(data);
}

/** Handles must lie inside the arguments, which are copied: there they become pointers. */
static bool location_is_inside(const void *location, const void *args, size_t size) {
  uintptr_t start = (uintptr_t)args, at = (uintptr_t)location;
  return at >= start && range_is_inside(at - start, sizeof(cl_mem), size);
}

static cl_int validate_arguments(const char *function, cl_context context, native_function_t user_func,
                                 const void *args, size_t size, cl_uint count, const cl_mem *memories,
                                 const void **locations) {
  bool sizes_agree = (args != NULL) == (size != 0);
  bool lists_agree = (count != 0) == (memories != NULL) && (count != 0) == (locations != NULL);
  if (!user_func || !sizes_agree || !lists_agree || (count && !args)) {
    REFUSE(function, context, CL_INVALID_VALUE, "function, arguments and memory objects do not agree");
  }
  for (cl_uint i = 0; i < count; i++) {
    if (!location_is_inside(locations[i], args, size)) {
      REFUSE(function, context, CL_INVALID_VALUE, "location %u is not inside the arguments", i);
    }
  }
  return CL_SUCCESS;
}

static cl_int validate_memories(const char *function, cl_command_queue queue, cl_uint count, const cl_mem *memories) {
  for (cl_uint i = 0; i < count; i++) {
    if (!memories[i]) continue; /* allowed: becomes a null pointer */
    TRY(validate_buffer(function, queue, memories[i]));
    if (!memory_host_address(memories[i], 0) || !memory_is_coherent(memories[i])) {
      REFUSE(function, memories[i]->context, CL_INVALID_OPERATION, "the host does not see the device's memory");
    }
  }
  return CL_SUCCESS;
}

static native_task_t *create_task(native_function_t function, const void *args, size_t size, cl_uint count,
                                  const cl_mem *memories, const void **locations) {
  if (size > SIZE_MAX - sizeof(native_task_t)) return NULL;
  native_task_t *task = malloc(sizeof *task + size);
  if (!task) return NULL;
  task->function = function;
  task->arguments = args ? task->storage : NULL;
  if (args) memcpy(task->storage, args, size);
  for (cl_uint i = 0; i < count; i++) {
    const void *pointer = memories[i] ? memory_host_address(memories[i], 0) : NULL;
    size_t offset = (size_t)((const char *)locations[i] - (const char *)args);
    memcpy((char *)task->storage + offset, &pointer, sizeof pointer);
  }
  return task;
}

static cl_int record_task(command_t *command, native_task_t *task, cl_uint count, const cl_mem *memories) {
  cl_int error = command_on_completion(command, release, task);
  if (error != CL_SUCCESS) {
    free(task);
    return error;
  }
  for (cl_uint i = 0; i < count; i++) {
    if (memories[i]) TRY(command_hold(command, OBJECT(memories[i])));
  }
  task->entered = command_entered(command);
  return error_from_mux(muxCommandUserCallback(enqueue_command_buffer(command), run, task, 0, NULL, NULL),
                        CL_OUT_OF_RESOURCES);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue command_queue, void(CL_CALLBACK *user_func)(void *),
                                                  void *args, size_t cb_args, cl_uint num_mem_objects,
                                                  const cl_mem *mem_list, const void **args_mem_loc,
                                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                  cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_NATIVE_KERNEL, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  cl_context context = queue_context(command_queue);
  TRY(validate_arguments(__func__, context, user_func, args, cb_args, num_mem_objects, mem_list, args_mem_loc));
  TRY(validate_memories(__func__, command_queue, num_mem_objects, mem_list));
  native_task_t *task = create_task(user_func, args, cb_args, num_mem_objects, mem_list, args_mem_loc);
  REQUIRE(task, __func__, context, CL_OUT_OF_HOST_MEMORY, "out of memory");

  command_t *command;
  cl_int error = enqueue_begin(&enqueue, &command);
  if (error != CL_SUCCESS) {
    free(task);
    return error;
  }
  return enqueue_end(command, record_task(command, task, num_mem_objects, mem_list), CL_FALSE);
}
