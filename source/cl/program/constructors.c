/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Constructors of program-scope objects are a kernel of their own (program_info_t), which one work-item runs. */
#include "cl/program/constructors.h"

#include "base/options.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/own_dispatch.h"

/* What the device says of a fault. */
static void keep_message(void *user_data, const char *message, const void *data, size_t size) {
  (void)data, (void)size;
  text_appendf(user_data, "error: the constructors of program-scope objects failed: %s\n", message);
}

static mux_result_t record(mux_command_buffer_t command_buffer, mux_kernel_t kernel, printf_stream_t *stream) {
  const size_t one = 1;
  mux_ndrange_options_t options = {.local_size = {1, 1, 1}, .global_size = &one, .dimensions = 1};
  mux_descriptor_info_t descriptor;
  if (stream) {
    descriptor = printf_stream_descriptor(stream);
    options.descriptors = &descriptor;
    options.descriptors_length = 1;
  }
  mux_result_t result = muxCommandNDRange(command_buffer, kernel, options, 0, NULL, NULL);
  return result == mux_success ? muxFinalizeCommandBuffer(command_buffer) : result;
}

static mux_result_t run(mux_device_t device, mux_kernel_t kernel, printf_stream_t *stream, text_t *log) {
  struct mux_callback_info_s callback = {.callback = keep_message, .user_data = log};
  mux_command_buffer_t command_buffer;
  mux_result_t result = muxCreateCommandBuffer(device, &callback, mux_allocator(), &command_buffer);
  if (result != mux_success) return result;
  result = record(command_buffer, kernel, stream);
  if (result == mux_success) result = own_dispatch_run(device, command_buffer);
  muxDestroyCommandBuffer(device, command_buffer, mux_allocator());
  return result;
}

static cl_int construct(executable_t *executable, const printf_sink_t *sink, cl_int failure_code, text_t *log) {
  const uint32_t index = executable->info->kernel_count;
  mux_kernel_t kernel;
  printf_stream_t *stream = NULL;
  TRY(executable_get_kernel(executable, index, &kernel));
  if (executable->info->kernels[index].uses_printf) TRY(executable_get_printf_stream(executable, sink, &stream));
  mux_result_t result = run(executable->device, kernel, stream, log);
  if (stream) printf_stream_drain(stream);
  return error_from_mux(result, failure_code);
}

cl_int constructors_run(executable_t *executable, const printf_sink_t *sink, cl_int failure_code, text_t *log) {
  if (!executable->info->has_constructors || executable->is_constructed) return CL_SUCCESS;
  if (!options_get()->constructors) return CL_SUCCESS;
  if (executable->construction_failed) {
    text_append(log, "error: the constructors of program-scope objects have failed before\n");
    return failure_code;
  }
  cl_int error = construct(executable, sink, failure_code, log);
  executable->is_constructed = error == CL_SUCCESS;
  /* What was constructed by then cannot be taken back. */
  executable->construction_failed = error == failure_code;
  return error;
}
