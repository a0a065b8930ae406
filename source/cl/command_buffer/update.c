/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clUpdateMutableCommandsKHR: all configurations are made and checked beside the ones in use, and then take their
 * places at once, or none does. Instances that are under way keep what they were recorded with. */
#include <stdlib.h>

#include "cl/api/kernel_arg.h"
#include "cl/api/kernel_pointer.h"
#include "cl/api/validate.h"
#include "cl/command_buffer/dispatch_command.h"
#include "cl/command_buffer/entry.h"
#include "cl/queueing/refuse.h"

/** A command and what it shall become. */
typedef struct candidate_t {
  dispatch_command_t *command;
  dispatch_t *dispatch;
  bool was_uniform;
} candidate_t;

typedef struct update_t {
  const char *function;
  cl_command_buffer_khr command_buffer;
  cl_context context;
  uint64_t version;
  candidate_t *candidates;
  size_t count;
} update_t;

static bool is_uniform(const launch_t *launch) {
  for (int i = 0; i < 3; i++) {
    if (!launch->is_empty && launch->global[i] % launch->local[i]) return false;
  }
  return true;
}

/* Where nobody has said how large work-groups are, whether all are of one size is the driver's choice. */
static bool keeps_uniformity(const candidate_t *candidate) {
  const dispatch_t *dispatch = candidate->dispatch;
  bool is_said = dispatch->has_local || dispatch->launch.kernel->info->reqd_work_group_size[0];
  return !is_said || is_uniform(&dispatch->launch) == candidate->was_uniform;
}

/* ------------------------------------------------------------ candidates */

static candidate_t *find_candidate(update_t *update, const dispatch_command_t *command) {
  for (size_t i = update->count; i--;) {
    if (update->candidates[i].command == command) return &update->candidates[i];
  }
  return NULL;
}

/** The candidate of a command: a copy of its configuration, or what an earlier element of the list made of it. */
static cl_int get_candidate(update_t *update, dispatch_command_t *command, candidate_t **out_candidate) {
  *out_candidate = find_candidate(update, command);
  if (*out_candidate) return CL_SUCCESS;
  candidate_t *candidate = &update->candidates[update->count];
  pthread_mutex_lock(&update->command_buffer->mutex);
  candidate->command = command;
  candidate->was_uniform = is_uniform(&command->dispatch->launch);
  cl_int error = dispatch_clone(command->dispatch, &candidate->dispatch);
  pthread_mutex_unlock(&update->command_buffer->mutex);
  if (error != CL_SUCCESS) return error;
  update->count++;
  *out_candidate = candidate;
  return CL_SUCCESS;
}

static void drop_candidates(update_t *update) {
  for (size_t i = 0; i < update->count; i++) dispatch_destroy(update->candidates[i].dispatch);
  update->count = 0;
}

/* ------------------------------------------------------------ one configuration */

static bool list_agrees(cl_uint count, const void *list) { return !count == !list; }

/** CL_INVALID_OPERATION: a field that was not declared updatable. */
static cl_int validate_field(const update_t *update, const dispatch_command_t *command, bool is_updated,
                             cl_mutable_dispatch_fields_khr field) {
  REQUIRE(!is_updated || (command->fields & field), update->function, update->context, CL_INVALID_OPERATION,
          "the command was recorded without the updatable field 0x%llx", (unsigned long long)field);
  return CL_SUCCESS;
}

static cl_int validate_config(const update_t *update, const dispatch_command_t *command,
                              const quern_mutable_dispatch_config *config) {
  REQUIRE(config->work_dim == 0 || config->work_dim == command->dimensions, update->function, update->context,
          CL_INVALID_OPERATION, "%u dimensions, recorded were %u", config->work_dim, command->dimensions);
  TRY(validate_field(update, command, config->global_work_offset, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR));
  TRY(validate_field(update, command, config->global_work_size, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR));
  TRY(validate_field(update, command, config->local_work_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR));
  TRY(validate_field(update, command, config->num_args || config->num_svm_args, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR));
  TRY(validate_field(update, command, config->num_exec_infos, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR));
  REQUIRE(list_agrees(config->num_args, config->arg_list) && list_agrees(config->num_svm_args, config->arg_svm_list) &&
              list_agrees(config->num_exec_infos, config->exec_info_list),
          update->function, update->context, CL_INVALID_VALUE, "a list is null and its length is not 0, or vice versa");
  return CL_SUCCESS;
}

static cl_int apply_config(const update_t *update, const quern_mutable_dispatch_config *config, dispatch_t *dispatch) {
  cl_kernel kernel = dispatch->launch.kernel;
  for (cl_uint i = 0; i < config->num_args; i++) {
    const cl_mutable_dispatch_arg_khr *arg = &config->arg_list[i];
    TRY(set_kernel_argument(update->function, kernel, arg->arg_index, arg->arg_size, arg->arg_value));
  }
  for (cl_uint i = 0; i < config->num_svm_args; i++) {
    const cl_mutable_dispatch_arg_khr *arg = &config->arg_svm_list[i];
    TRY(set_kernel_pointer(update->function, kernel, arg->arg_index, arg->arg_value));
  }
  for (cl_uint i = 0; i < config->num_exec_infos; i++) {
    const cl_mutable_dispatch_exec_info_khr *info = &config->exec_info_list[i];
    TRY(validate_exec_info(update->function, kernel, info->param_name, info->param_value_size, info->param_value));
  }
  return dispatch_set_sizes(update->function, update->command_buffer->queue, config->global_work_offset,
                            config->global_work_size, config->local_work_size, dispatch);
}

static cl_int add_config(update_t *update, const quern_mutable_dispatch_config *config) {
  candidate_t *candidate;
  REQUIRE(config, update->function, update->context, CL_INVALID_VALUE, "a configuration is null");
  dispatch_command_t *command = dispatch_command_find(config->command);
  REQUIRE(command && command->head.command_buffer == update->command_buffer, update->function, update->context,
          CL_INVALID_MUTABLE_COMMAND_KHR, "not a kernel command of the command buffer");
  TRY(validate_config(update, command, config));
  TRY(get_candidate(update, command, &candidate));
  TRY(apply_config(update, config, candidate->dispatch));
  REQUIRE(keeps_uniformity(candidate), update->function, update->context, CL_INVALID_OPERATION,
          "work-groups would become %suniform", candidate->was_uniform ? "non-" : "");
  return CL_SUCCESS;
}

/* ------------------------------------------------------------ all of them */

static cl_int validate_candidates(const update_t *update) {
  for (size_t i = 0; i < update->count; i++) {
    const dispatch_t *dispatch = update->candidates[i].dispatch;
    if (dispatch_is_complete(dispatch)) TRY(launch_validate_arguments(update->function, &dispatch->launch));
  }
  return CL_SUCCESS;
}

/** False when another thread has updated the command buffer since this update began. */
static bool commit(update_t *update) {
  pthread_mutex_lock(&update->command_buffer->mutex);
  bool is_current = update->command_buffer->version == update->version;
  if (is_current) {
    for (size_t i = 0; i < update->count; i++) {
      candidate_t *candidate = &update->candidates[i];
      dispatch_t *old = candidate->command->dispatch;
      dispatch_hold_arguments(candidate->dispatch);
      candidate->command->dispatch = candidate->dispatch;
      candidate->dispatch = old;
    }
    update->command_buffer->version++;
    command_buffer_settle(update->command_buffer);
  }
  pthread_mutex_unlock(&update->command_buffer->mutex);
  return is_current;
}

static cl_int try_update(update_t *update, cl_uint count, const void **configs, bool *out_done) {
  pthread_mutex_lock(&update->command_buffer->mutex);
  update->version = update->command_buffer->version;
  pthread_mutex_unlock(&update->command_buffer->mutex);
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) error = add_config(update, configs[i]);
  if (error == CL_SUCCESS) error = validate_candidates(update);
  *out_done = error != CL_SUCCESS || commit(update);
  if (error == CL_SUCCESS && *out_done) {
    for (size_t i = 0; i < update->count; i++) dispatch_release_arguments(update->candidates[i].dispatch);
  }
  drop_candidates(update);
  return error;
}

cl_int CL_API_CALL update_mutable_commands_khr(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                               const quern_command_buffer_update_type *config_types,
                                               const void **configs) {
  static const char function[] = "clUpdateMutableCommandsKHR";
  REQUIRE(command_buffer_is_valid(command_buffer), function, NULL, CL_INVALID_COMMAND_BUFFER_KHR,
          "not a command buffer");
  update_t update = {function, command_buffer, queue_context(command_buffer->queue), 0, NULL, 0};
  REQUIRE(command_buffer_is_finalized(command_buffer), function, update.context, CL_INVALID_OPERATION,
          "the command buffer is not finalized");
  REQUIRE(command_buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR, function, update.context, CL_INVALID_OPERATION,
          "the command buffer was created without CL_COMMAND_BUFFER_MUTABLE_KHR");
  REQUIRE(list_agrees(num_configs, config_types) && list_agrees(num_configs, configs), function, update.context,
          CL_INVALID_VALUE, "a list is null and num_configs is not 0, or the other way round");
  for (cl_uint i = 0; i < num_configs; i++) {
    REQUIRE(config_types[i] == QUERN_UPDATE_MUTABLE_DISPATCH_CONFIG, function, update.context, CL_INVALID_VALUE,
            "config_types[%u], %u, is unknown", i, config_types[i]);
  }
  if (num_configs == 0) return CL_SUCCESS;
  update.candidates = calloc(num_configs, sizeof *update.candidates);
  REQUIRE(update.candidates, function, update.context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  cl_int error = CL_SUCCESS;
  for (bool done = false; !done;) error = try_update(&update, num_configs, configs, &done);
  free(update.candidates);
  return error;
}
