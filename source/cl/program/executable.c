/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Executables as loaded for a device. */
#include "cl/program/executable.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "cl/cache/store.h"
#include "cl/object/mux_error.h"

/** A kind that no handle check asks for: no application sees an executable. */
static const object_kind_e executable_kind = (object_kind_e)0x516e500a;  // NOLINT(*-EnumCastOutOfRange)

static void destroy(object_t *object) {
  executable_t *executable = (executable_t *)(void *)object;
  for (uint32_t i = 0; executable->kernels && i <= executable->info->kernel_count; i++) {
    if (executable->kernels[i]) muxDestroyKernel(executable->device, executable->kernels[i], mux_allocator());
  }
  for (uint32_t i = 0; executable->variants && i < executable->info->kernel_count; i++) {
    variants_clear(&executable->variants[i]);
  }
  if (executable->code) muxDestroyExecutable(executable->device, executable->code, mux_allocator());
  printf_stream_destroy(executable->printf_stream);
  pthread_mutex_destroy(&executable->mutex);
  free(executable->kernels);
  free(executable->tunings);
  free(executable->variants);
  free(executable->portable);
  program_info_free(executable->info);
  free(executable);
}

/** Without memory for it kernels stay general. A variable of the program can only be in one executable. */
static void keep_portable(executable_t *executable, const binary_content_t *content) {
  const program_info_t *info = executable->info;
  if (!content->portable_size || info->global_variable_size || info->has_constructors) return;
  void *portable = malloc(content->portable_size);
  variants_t *variants = calloc((size_t)executable->info->kernel_count + 1, sizeof *variants);
  if (portable && variants) {
    memcpy(portable, content->portable, content->portable_size);
    executable->portable = portable;
    executable->portable_size = content->portable_size;
    executable->variants = variants;
  } else {
    free(portable);
    free(variants);
  }
}

static cl_int load(executable_t *executable, const binary_content_t *content) {
  executable->info = program_info_decode(content->info, content->info_size);
  if (!executable->info) {
    return program_info_is_valid(content->info, content->info_size) ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_BINARY;
  }
  executable->kernels = calloc((size_t)executable->info->kernel_count + 1, sizeof *executable->kernels);
  executable->tunings = calloc((size_t)executable->info->kernel_count + 1, sizeof *executable->tunings);
  if (!executable->kernels || !executable->tunings) return CL_OUT_OF_HOST_MEMORY;
  if (content->payload_size == 0) return CL_INVALID_BINARY;
  if (store_is_enabled()) executable->code_hash = hash_bytes_128(content->payload, content->payload_size);
  keep_portable(executable, content);
  return error_from_mux(muxCreateExecutable(executable->device, content->payload, content->payload_size,
                                            mux_allocator(), &executable->code),
                        CL_OUT_OF_RESOURCES);
}

cl_int executable_create(mux_device_t device, const binary_content_t *content, executable_t **out_executable) {
  executable_t *executable = calloc(1, sizeof *executable);
  if (!executable) return CL_OUT_OF_HOST_MEMORY;
  object_init(&executable->object, executable_kind, destroy);
  pthread_mutex_init(&executable->mutex, NULL);
  executable->device = device;
  executable->uniform_work_groups = (content->flags & BINARY_UNIFORM_WORK_GROUPS) != 0;
  cl_int error = load(executable, content);
  if (error != CL_SUCCESS) {
    object_drop(OBJECT(executable));
    return error;
  }
  *out_executable = executable;
  return CL_SUCCESS;
}

int64_t executable_find_kernel(const executable_t *executable, const char *name) {
  for (uint32_t i = 0; i < executable->info->kernel_count; i++) {
    if (strcmp(executable->info->kernels[i].name, name) == 0) return i;
  }
  return -1;
}

static cl_int create_kernel(executable_t *executable, uint32_t index, mux_kernel_t *out_kernel) {
  const char *name = executable->info->kernels[index].name;
  size_t length = strlen(name);
  if (length == 0) return CL_INVALID_KERNEL_NAME;
  TRY(error_from_mux(muxCreateKernel(executable->device, executable->code, name, length, mux_allocator(), out_kernel),
                     CL_OUT_OF_RESOURCES));
  tuning_begin(&executable->tunings[index], executable, *out_kernel, name, executable->code_hash);
  return CL_SUCCESS;
}

cl_int executable_get_kernel(executable_t *executable, uint32_t index, mux_kernel_t *out_kernel) {
  cl_int error = CL_SUCCESS;
  pthread_mutex_lock(&executable->mutex);
  mux_kernel_t *kernel = &executable->kernels[index];
  if (!*kernel) error = create_kernel(executable, index, kernel);
  *out_kernel = *kernel;
  pthread_mutex_unlock(&executable->mutex);
  return error;
}

static bool shares_memory(const program_kernel_info_t *info) {
  bool has_local = info->local_memory_size != 0;
  for (uint32_t i = 0; !has_local && i < info->arg_count; i++) has_local = info->args[i].kind == program_arg_local;
  return has_local;
}

bool kernel_varies_with_local_size(const program_kernel_info_t *info, mux_kernel_t kernel, bool is_single) {
  return shares_memory(info) || (is_single && !kernel->ignores_work_groups);
}

/* What a kernel prints has its formats in the executable's own information. */
variants_t *executable_get_variants(executable_t *executable, uint32_t index, mux_kernel_t kernel) {
  const program_kernel_info_t *info = &executable->info->kernels[index];
  if (!executable->variants || info->uses_printf || !options_get()->specialize) return NULL;
  bool is_wanted = kernel_varies_with_local_size(info, kernel, /*is_single=*/true);
  for (uint32_t i = 0; !is_wanted && i < info->arg_count; i++) is_wanted = info->args[i].kind == program_arg_image;
  return is_wanted ? &executable->variants[index] : NULL;
}

cl_int executable_get_printf_stream(executable_t *executable, const printf_sink_t *sink, printf_stream_t **out_stream) {
  cl_int error = CL_SUCCESS;
  pthread_mutex_lock(&executable->mutex);
  printf_stream_t **stream = &executable->printf_stream;
  if (!*stream) error = printf_stream_create(executable->device, executable->info, sink, stream);
  *out_stream = *stream;
  pthread_mutex_unlock(&executable->mutex);
  return error;
}
