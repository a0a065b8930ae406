/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recording kernel launches into command buffers. */
#include "cl/command_buffer/dispatch_command.h"

#include <stdlib.h>
#include <string.h>

#include "cl/api/command_buffer_queries.h"
#include "cl/api/validate.h"
#include "cl/command_buffer/entry.h"
#include "cl/command_buffer/instance.h"
#include "cl/queueing/refuse.h"

/* ------------------------------------------------------------ configurations */

static void for_each_memory(const dispatch_t *dispatch, void (*function)(object_t *object)) {
  cl_kernel kernel = dispatch->launch.kernel;
  for (uint32_t i = 0; i < kernel->info->arg_count; i++) {
    if (kernel->arguments[i].memory) function(OBJECT(kernel->arguments[i].memory));
  }
}

void dispatch_hold_arguments(dispatch_t *dispatch) { for_each_memory(dispatch, object_hold); }

void dispatch_release_arguments(dispatch_t *dispatch) { for_each_memory(dispatch, object_drop); }

cl_int dispatch_create(cl_kernel kernel, cl_uint dimensions, dispatch_t **out_dispatch) {
  dispatch_t *dispatch = calloc(1, sizeof *dispatch);
  if (!dispatch) return CL_OUT_OF_HOST_MEMORY;
  cl_int error = kernel_clone(kernel, &dispatch->launch.kernel);
  if (error != CL_SUCCESS) {
    free(dispatch);
    return error;
  }
  dispatch->launch.context = kernel->program->context;
  dispatch->launch.dimensions = dimensions;
  *out_dispatch = dispatch;
  return CL_SUCCESS;
}

cl_int dispatch_clone(const dispatch_t *dispatch, dispatch_t **out_dispatch) {
  cl_kernel copy;
  dispatch_t *clone = malloc(sizeof *clone);
  if (!clone) return CL_OUT_OF_HOST_MEMORY;
  cl_int error = kernel_clone(dispatch->launch.kernel, &copy);
  if (error != CL_SUCCESS) {
    free(clone);
    return error;
  }
  *clone = *dispatch;
  clone->launch.kernel = copy;
  *out_dispatch = clone;
  return CL_SUCCESS;
}

void dispatch_destroy(dispatch_t *dispatch) {
  object_release_external(OBJECT(dispatch->launch.kernel));
  free(dispatch);
}

static void keep_given(size_t given[3], const size_t *sizes, cl_uint dimensions) {
  if (sizes) memcpy(given, sizes, dimensions * sizeof *sizes);
}

cl_int dispatch_set_sizes(const char *function, cl_command_queue queue, const size_t *offset, const size_t *global,
                          const size_t *local, dispatch_t *dispatch) {
  launch_t *launch = &dispatch->launch;
  cl_uint dimensions = launch->dimensions <= 3 ? launch->dimensions : 0;
  keep_given(dispatch->given_offset, offset, dimensions);
  keep_given(dispatch->given_global, global, dimensions);
  keep_given(dispatch->given_local, local, dimensions);
  if (local) dispatch->has_local = true;
  for (int i = 0; i < 3; i++) launch->local[i] = 1;
  return launch_validate(function, queue_device(queue), dispatch->given_offset, dispatch->given_global,
                         dispatch->has_local ? dispatch->given_local : NULL, launch);
}

bool dispatch_is_complete(const dispatch_t *dispatch) { return dispatch->launch.kernel->unset_count == 0; }

/* ------------------------------------------------------------ commands */

static cl_int hold(void *instance, object_t *object) { return instance_hold(instance, object); }

static cl_int record(cl_mutable_command_khr command, instance_t *instance) {
  launch_t launch = ((dispatch_command_t *)command)->dispatch->launch;
  if (launch.is_empty) return CL_SUCCESS;
  launch_choose_code(&launch);
  TRY(launch_for_each_object(&launch, hold, instance));
  if (launch.on->printf_stream) TRY(instance_add_stream(instance, launch.on->printf_stream));
  return launch_record(instance_commands(instance), &launch);
}

static bool is_complete(cl_mutable_command_khr command) {
  return dispatch_is_complete(((dispatch_command_t *)command)->dispatch);
}

static void release(cl_mutable_command_khr head) {
  dispatch_command_t *command = (dispatch_command_t *)head;
  if (command->dispatch) {
    dispatch_release_arguments(command->dispatch);
    dispatch_destroy(command->dispatch);
  }
  if (command->kernel) object_drop(OBJECT(command->kernel));
}

static const command_kind_t dispatch_kind = {
    .type = CL_COMMAND_NDRANGE_KERNEL, .record = record, .is_complete = is_complete, .release = release};

dispatch_command_t *dispatch_command_find(cl_mutable_command_khr command) {
  if (!object_is(command, object_kind_command) || command->kind != &dispatch_kind) return NULL;
  return (dispatch_command_t *)command;
}

/** CL_INVALID_VALUE: properties that are unknown or given twice, or have unknown bits. */
static cl_int read_properties(const recording_t *recording, cl_mutable_dispatch_fields_khr *out_fields) {
  cl_context context = queue_context(recording->command_buffer->queue);
  bool has_fields = false, has_asserts = false;
  for (const quern_command_properties *p = recording->properties; p && p[0]; p += 2) {
    bool *given = p[0] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR ? &has_fields
                  : p[0] == CL_MUTABLE_DISPATCH_ASSERTS_KHR        ? &has_asserts
                                                                   : NULL;
    REQUIRE(given && !*given, recording->function, context, CL_INVALID_VALUE,
            "property 0x%llx is unknown or given twice", (unsigned long long)p[0]);
    *given = true;
    cl_bitfield known =
        given == &has_fields ? DISPATCH_FIELDS : CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    REQUIRE(!(p[1] & ~known), recording->function, context, CL_INVALID_VALUE, "property 0x%llx has unknown bits 0x%llx",
            (unsigned long long)p[0], (unsigned long long)p[1]);
    if (given == &has_fields) *out_fields = p[1];
  }
  return CL_SUCCESS;
}

/** Arguments may be missing when they can be set later. */
static cl_int validate_arguments(const recording_t *recording, cl_mutable_dispatch_fields_khr fields,
                                 const dispatch_t *dispatch) {
  bool may_be_missing = (recording->command_buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR) &&
                        (fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
  if (may_be_missing && !dispatch_is_complete(dispatch)) return CL_SUCCESS;
  return launch_validate_arguments(recording->function, &dispatch->launch);
}

static cl_int make_dispatch(const recording_t *recording, cl_mutable_dispatch_fields_khr fields, cl_kernel kernel,
                            cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
                            dispatch_t **out_dispatch) {
  cl_command_queue queue = recording->command_buffer->queue;
  cl_context context = queue_context(queue);
  REQUIRE(kernel_is_valid(kernel), recording->function, context, CL_INVALID_KERNEL, "not a kernel");
  REQUIRE(kernel->program->context == context, recording->function, context, CL_INVALID_CONTEXT,
          "kernel and command buffer are of different contexts");
  TRY(dispatch_create(kernel, dimensions, out_dispatch));
  cl_int error = dispatch_set_sizes(recording->function, queue, offset, global, local, *out_dispatch);
  if (error == CL_SUCCESS) error = validate_arguments(recording, fields, *out_dispatch);
  if (error != CL_SUCCESS) dispatch_destroy(*out_dispatch);
  return error;
}

cl_int CL_API_CALL command_nd_range_kernel_khr(QUERN_COMMAND_HEAD, cl_kernel kernel, cl_uint work_dim,
                                               const size_t *global_work_offset, const size_t *global_work_size,
                                               const size_t *local_work_size, QUERN_COMMAND_TAIL) {
  const recording_t recording = RECORDING("clCommandNDRangeKernelKHR");
  cl_mutable_dispatch_fields_khr fields = DISPATCH_FIELDS;
  dispatch_t *dispatch;
  TRY(recording_validate(&recording));
  TRY(read_properties(&recording, &fields));
  TRY(make_dispatch(&recording, fields, kernel, work_dim, global_work_offset, global_work_size, local_work_size,
                    &dispatch));
  dispatch_command_t *command = command_allocate(&recording, sizeof *command, &dispatch_kind);
  if (!command) {
    dispatch_destroy(dispatch);
    REFUSE(recording.function, queue_context(command_buffer->queue), CL_OUT_OF_HOST_MEMORY, "out of memory");
  }
  dispatch_hold_arguments(dispatch);
  object_hold(OBJECT(kernel));
  command->kernel = kernel;
  command->fields = fields;
  command->dimensions = work_dim;
  command->dispatch = dispatch;
  cl_mutable_command_khr handle = &command->head;
  TRY(command_append(&recording, handle));
  if (mutable_handle) *mutable_handle = handle;
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ queries */

/** The sizes as they are now. */
static dispatch_t read_dispatch(dispatch_command_t *command) {
  pthread_mutex_t *mutex = &command->head.command_buffer->mutex;
  pthread_mutex_lock(mutex);
  dispatch_t dispatch = *command->dispatch;
  pthread_mutex_unlock(mutex);
  return dispatch;
}

static cl_int answer(dispatch_command_t *command, cl_mutable_command_info_khr name, size_t capacity, void *out_value,
                     size_t *out_size) {
  cl_mutable_command_khr head = &command->head;
  const dispatch_t dispatch = read_dispatch(command);
  size_t list_size = dispatch.launch.dimensions * sizeof(size_t);
#define ANSWER(type, expression)                                               \
  do {                                                                         \
    type answer_ = (expression);                                               \
    return info_answer(capacity, out_value, out_size, &answer_, sizeof(type)); \
  } while (0)
  switch (name) {
    case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR: ANSWER(cl_command_queue, head->command_buffer->queue);
    case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR: ANSWER(cl_command_buffer_khr, head->command_buffer);
    case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR: ANSWER(cl_command_type, head->kind->type);
    case CL_MUTABLE_DISPATCH_KERNEL_KHR: ANSWER(cl_kernel, command->kernel);
    case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR: ANSWER(cl_uint, dispatch.launch.dimensions);
    case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR:
      return info_answer(capacity, out_value, out_size, head->properties,
                         head->property_count * sizeof *head->properties);
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
      return info_answer(capacity, out_value, out_size, dispatch.given_offset, list_size);
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
      return info_answer(capacity, out_value, out_size, dispatch.given_global, list_size);
    case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
      return info_answer(capacity, out_value, out_size, dispatch.given_local, list_size);
    default: return CL_INVALID_VALUE;
  }
#undef ANSWER
}

cl_int CL_API_CALL get_mutable_command_info_khr(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                                size_t param_value_size, void *param_value,
                                                size_t *param_value_size_ret) {
  static const char function[] = "clGetMutableCommandInfoKHR";
  dispatch_command_t *dispatch_command = dispatch_command_find(command);
  REQUIRE(dispatch_command, function, NULL, CL_INVALID_MUTABLE_COMMAND_KHR, "not a command");
  cl_int error = answer(dispatch_command, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(error == CL_SUCCESS, function, queue_context(command->command_buffer->queue), error,
          "query 0x%x is unknown, or its answer needs more than %zu bytes", param_name, param_value_size);
  return CL_SUCCESS;
}
