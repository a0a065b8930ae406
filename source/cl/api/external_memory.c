/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Giving external memory to OpenCL and back. The processes share pages, so that there is nothing to do: an empty
 * command, which keeps its place in the queue. */
#include "cl/api/external_memory.h"

#include "cl/api/validate.h"
#include "cl/queueing/event.h"
#include "cl/queueing/refuse.h"

static cl_int validate_object(const char *function, cl_command_queue queue, cl_uint index, cl_mem memory) {
  cl_context context = queue_context(queue);
  REQUIRE(memory_is_valid(memory) && memory->external_base, function, context, CL_INVALID_MEM_OBJECT,
          "mem_objects[%u] was not made of external memory", index);
  REQUIRE(memory->context == context && external_memory_is_for(memory->properties, queue_device(queue)), function,
          context, CL_INVALID_COMMAND_QUEUE, "mem_objects[%u] is of another context, or not for the queue's device",
          index);
  return CL_SUCCESS;
}

static cl_int validate_events(const char *function, const enqueue_t *enqueue) {
  for (cl_uint i = 0; i < enqueue->wait_count; i++) {
    REQUIRE(event_status(enqueue->wait_list[i]) >= 0, function, queue_context(enqueue->queue),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "event_wait_list[%u] has failed", i);
  }
  return CL_SUCCESS;
}

static cl_int hand_over(const char *function, const enqueue_t *enqueue, cl_uint count, const cl_mem *memory) {
  TRY(enqueue_validate(enqueue));
  REQUIRE(!count == !memory, function, queue_context(enqueue->queue), CL_INVALID_VALUE,
          "num_mem_objects is 0 and mem_objects is not null, or the other way round");
  for (cl_uint i = 0; i < count; i++) TRY(validate_object(function, enqueue->queue, i, memory[i]));
  TRY(validate_events(function, enqueue));
  command_t *command;
  TRY(enqueue_begin(enqueue, &command));
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) error = command_hold(command, OBJECT(memory[i]));
  return enqueue_end(command, error, CL_FALSE);
}

cl_int CL_API_CALL enqueue_acquire_external_mem_objects_khr(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                            const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                            const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, num_events_in_wait_list,
                             event_wait_list, event};
  return hand_over("clEnqueueAcquireExternalMemObjectsKHR", &enqueue, num_mem_objects, mem_objects);
}

cl_int CL_API_CALL enqueue_release_external_mem_objects_khr(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                            const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                                            const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, num_events_in_wait_list,
                             event_wait_list, event};
  return hand_over("clEnqueueReleaseExternalMemObjectsKHR", &enqueue, num_mem_objects, mem_objects);
}
