/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Entry points of cl_khr_command_buffer on command buffers as a whole. */
#include "cl/command_buffer/entry.h"

#include "cl/api/command_buffer_queries.h"
#include "cl/api/validate.h"
#include "cl/command_buffer/command_buffer.h"
#include "cl/queueing/refuse.h"

/** CL_INVALID_VALUE: a property that is unknown or given twice, or flags or assertions that are unknown. */
static cl_int read_properties(const char *function, cl_context context,
                              const cl_command_buffer_properties_khr *properties,
                              cl_command_buffer_flags_khr *out_flags) {
  bool has_flags = false, has_asserts = false;
  for (; properties && properties[0]; properties += 2) {
    bool *given = properties[0] == CL_COMMAND_BUFFER_FLAGS_KHR                      ? &has_flags
                  : properties[0] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR ? &has_asserts
                                                                                    : NULL;
    REQUIRE(given && !*given, function, context, CL_INVALID_VALUE, "property 0x%llx is unknown or given twice",
            (unsigned long long)properties[0]);
    *given = true;
    cl_bitfield known = given == &has_flags ? CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR
                                            : CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    REQUIRE(!(properties[1] & ~known), function, context, CL_INVALID_VALUE, "property 0x%llx has unknown bits 0x%llx",
            (unsigned long long)properties[0], (unsigned long long)properties[1]);
    if (given == &has_flags) *out_flags = properties[1];
  }
  return CL_SUCCESS;
}

static cl_int create(const char *function, cl_uint count, const cl_command_queue *queues,
                     const cl_command_buffer_properties_khr *properties, cl_command_buffer_khr *out_command_buffer) {
  cl_command_buffer_flags_khr flags = 0;
  REQUIRE(count == 1 && queues, function, NULL, CL_INVALID_VALUE, "queues is null, or num_queues %u and not 1", count);
  REQUIRE(queue_is_valid(queues[0]), function, NULL, CL_INVALID_COMMAND_QUEUE, "queues[0] is not a command queue");
  cl_context context = queue_context(queues[0]);
  TRY(read_properties(function, context, properties, &flags));
  *out_command_buffer = command_buffer_create(queues[0], flags, properties);
  REQUIRE(*out_command_buffer, function, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  return CL_SUCCESS;
}

cl_command_buffer_khr CL_API_CALL create_command_buffer_khr(cl_uint num_queues, const cl_command_queue *queues,
                                                            const cl_command_buffer_properties_khr *properties,
                                                            cl_int *errcode_ret) {
  cl_command_buffer_khr command_buffer = NULL;
  error_answer(errcode_ret, create("clCreateCommandBufferKHR", num_queues, queues, properties, &command_buffer));
  return command_buffer;
}

cl_int CL_API_CALL retain_command_buffer_khr(cl_command_buffer_khr command_buffer) {
  REQUIRE(command_buffer_is_valid(command_buffer) && object_retain_external(OBJECT(command_buffer)),
          "clRetainCommandBufferKHR", NULL, CL_INVALID_COMMAND_BUFFER_KHR, "not a command buffer");
  return CL_SUCCESS;
}

cl_int CL_API_CALL release_command_buffer_khr(cl_command_buffer_khr command_buffer) {
  REQUIRE(command_buffer_is_valid(command_buffer) && object_release_external(OBJECT(command_buffer)),
          "clReleaseCommandBufferKHR", NULL, CL_INVALID_COMMAND_BUFFER_KHR, "not a command buffer");
  return CL_SUCCESS;
}

cl_int CL_API_CALL finalize_command_buffer_khr(cl_command_buffer_khr command_buffer) {
  static const char function[] = "clFinalizeCommandBufferKHR";
  REQUIRE(command_buffer_is_valid(command_buffer), function, NULL, CL_INVALID_COMMAND_BUFFER_KHR,
          "not a command buffer");
  pthread_mutex_lock(&command_buffer->mutex);
  bool was_finalized = command_buffer->is_finalized;
  command_buffer->is_finalized = true;
  command_buffer_settle(command_buffer);
  pthread_mutex_unlock(&command_buffer->mutex);
  REQUIRE(!was_finalized, function, queue_context(command_buffer->queue), CL_INVALID_OPERATION,
          "the command buffer is finalized already");
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ enqueuing */

/** The queue that takes the place of the command buffer's. */
static cl_int validate_queue(const char *function, cl_command_buffer_khr command_buffer, cl_command_queue queue) {
  cl_context context = queue_context(command_buffer->queue);
  REQUIRE(queue_is_valid(queue), function, context, CL_INVALID_COMMAND_QUEUE, "queues[0] is not a command queue");
  REQUIRE(queue_context(queue) == context, function, context, CL_INVALID_CONTEXT,
          "queues[0] is of another context than the command buffer");
  REQUIRE(queue_device(queue) == queue_device(command_buffer->queue), function, context, CL_INVALID_DEVICE,
          "queues[0] is of another device than the command buffer");
  REQUIRE(!(atomic_load(&queue->properties) & ~(cl_command_queue_properties)COMMAND_BUFFER_QUEUE_PROPERTIES), function,
          context, CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, "queues[0] has properties that command buffers do not support");
  return CL_SUCCESS;
}

cl_int CL_API_CALL enqueue_command_buffer_khr(cl_uint num_queues, cl_command_queue *queues,
                                              cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event) {
  static const char function[] = "clEnqueueCommandBufferKHR";
  REQUIRE(command_buffer_is_valid(command_buffer), function, NULL, CL_INVALID_COMMAND_BUFFER_KHR,
          "not a command buffer");
  cl_context context = queue_context(command_buffer->queue);
  REQUIRE(command_buffer_is_executable(command_buffer), function, context, CL_INVALID_OPERATION,
          "the command buffer is not finalized, or arguments of a kernel are missing");
  REQUIRE(!queues == !num_queues && num_queues <= 1, function, context, CL_INVALID_VALUE,
          "queues is null and num_queues is not 0, or the other way round, or num_queues %u is not 1", num_queues);
  if (num_queues) TRY(validate_queue(function, command_buffer, queues[0]));
  const enqueue_t enqueue = {num_queues ? queues[0] : command_buffer->queue, CL_COMMAND_COMMAND_BUFFER_KHR,
                             num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  return command_buffer_enqueue(command_buffer, &enqueue);
}

/* ------------------------------------------------------------ queries */

static cl_command_buffer_state_khr state_of(cl_command_buffer_khr command_buffer) {
  if (command_buffer_is_executable(command_buffer)) return CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
  return command_buffer_is_finalized(command_buffer) ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
                                                     : CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
}

static cl_int answer(cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr name, size_t capacity,
                     void *out_value, size_t *out_size) {
#define ANSWER(type, expression)                                               \
  do {                                                                         \
    type answer_ = (expression);                                               \
    return info_answer(capacity, out_value, out_size, &answer_, sizeof(type)); \
  } while (0)
  switch (name) {
    case CL_COMMAND_BUFFER_NUM_QUEUES_KHR: ANSWER(cl_uint, 1);
    case CL_COMMAND_BUFFER_QUEUES_KHR: ANSWER(cl_command_queue, command_buffer->queue);
    case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR: ANSWER(cl_uint, OBJECT(command_buffer)->external_count);
    case CL_COMMAND_BUFFER_STATE_KHR: ANSWER(cl_command_buffer_state_khr, state_of(command_buffer));
    case CL_COMMAND_BUFFER_CONTEXT_KHR: ANSWER(cl_context, queue_context(command_buffer->queue));
    case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
      return info_answer(capacity, out_value, out_size, command_buffer->properties,
                         command_buffer->property_count * sizeof *command_buffer->properties);
    default: return CL_INVALID_VALUE;
  }
#undef ANSWER
}

cl_int CL_API_CALL get_command_buffer_info_khr(cl_command_buffer_khr command_buffer,
                                               cl_command_buffer_info_khr param_name, size_t param_value_size,
                                               void *param_value, size_t *param_value_size_ret) {
  static const char function[] = "clGetCommandBufferInfoKHR";
  REQUIRE(command_buffer_is_valid(command_buffer), function, NULL, CL_INVALID_COMMAND_BUFFER_KHR,
          "not a command buffer");
  cl_int error = answer(command_buffer, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(error == CL_SUCCESS, function, queue_context(command_buffer->queue), error,
          "query 0x%x is unknown, or its answer needs more than %zu bytes", param_name, param_value_size);
  return CL_SUCCESS;
}
