/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernel objects: creation for all devices of a program, cloning. */
#include "cl/program/kernel.h"

#include <stdlib.h>
#include <string.h>

bool kernel_is_valid(cl_kernel kernel) { return object_is(kernel, object_kind_kernel); }

static void destroy(object_t *object) {
  cl_kernel kernel = (cl_kernel)(void *)object;
  cl_program program = kernel->program;
  for (cl_uint i = 0; i < kernel->device_count; i++) object_drop(OBJECT(kernel->devices[i].executable));
  free(kernel->devices);
  free(kernel->descriptors);
  free(kernel->arguments);
  object_free(OBJECT(kernel), object_kind_kernel);
  pthread_mutex_lock(&program->mutex);
  program->kernel_count--;
  pthread_mutex_unlock(&program->mutex);
  object_drop(OBJECT(program));
}

/** An object that holds its program, of which the caller has counted it as a kernel. Null when out of memory. */
static cl_kernel allocate(cl_program program, cl_uint device_capacity) {
  cl_kernel kernel = calloc(1, sizeof *kernel);
  kernel_device_t *devices = calloc(device_capacity, sizeof *devices);
  if (!kernel || !devices) {
    free(kernel);
    free(devices);
    return NULL;
  }
  object_init(&kernel->object, object_kind_kernel, destroy);
  object_hold(OBJECT(program));
  kernel->program = program;
  kernel->devices = devices;
  return kernel;
}

static void count_kernel(cl_program program) {
  pthread_mutex_lock(&program->mutex);
  program->kernel_count++;
  pthread_mutex_unlock(&program->mutex);
}

/* ------------------------------------------------------------ devices */

static bool same_argument(const program_arg_info_t *a, const program_arg_info_t *b) {
  return a->kind == b->kind && a->size == b->size && a->address_qualifier == b->address_qualifier &&
         strcmp(a->base_type, b->base_type) == 0;
}

static bool same_definition(const program_kernel_info_t *a, const program_kernel_info_t *b) {
  if (a->arg_count != b->arg_count) return false;
  for (uint32_t i = 0; i < a->arg_count; i++) {
    if (!same_argument(&a->args[i], &b->args[i])) return false;
  }
  return true;
}

bool kernel_is_common(cl_program program, const program_kernel_info_t *info) {
  for (cl_uint i = 0; i < program->device_count; i++) {
    const executable_t *executable = program_device_executable(&program->devices[i]);
    if (!executable) continue;
    int64_t index = executable_find_kernel(executable, info->name);
    if (index < 0 || !same_definition(info, &executable->info->kernels[index])) return false;
  }
  return true;
}

/** Adds the kernel for one device. CL_INVALID_KERNEL_NAME when the executable has none of that name. */
static cl_int add_device(cl_kernel kernel, cl_device_id device, executable_t *executable, const char *name) {
  int64_t index = executable_find_kernel(executable, name);
  if (index < 0) return CL_INVALID_KERNEL_NAME;
  const program_kernel_info_t *info = &executable->info->kernels[index];
  if (kernel->info && !same_definition(kernel->info, info)) return CL_INVALID_KERNEL_DEFINITION;

  kernel_device_t *added = &kernel->devices[kernel->device_count];
  TRY(executable_get_kernel(executable, (uint32_t)index, &added->mux_kernel));
  if (info->uses_printf) {
    TRY(executable_get_printf_stream(executable, &kernel->program->context->printf_sink, &added->printf_stream));
  }
  object_hold(OBJECT(executable));
  added->device = device;
  added->executable = executable;
  added->variants = executable_get_variants(executable, (uint32_t)index, added->mux_kernel);
  added->limits = local_size_limits(added->mux_kernel, device->info);
  if (!kernel->info) kernel->info = info;
  kernel->device_count++;
  return CL_SUCCESS;
}

/** Under the program's mutex. A name that only some devices know is a definition that differs. */
static cl_int add_devices(cl_kernel kernel, const char *name) {
  cl_program program = kernel->program;
  cl_uint executables = 0, unknown = 0;
  for (cl_uint i = 0; i < program->device_count; i++) {
    executable_t *executable = program_device_executable(&program->devices[i]);
    if (!executable) continue;
    executables++;
    cl_int error = add_device(kernel, program->devices[i].device, executable, name);
    if (error == CL_INVALID_KERNEL_NAME) {
      unknown++;
    } else if (error != CL_SUCCESS) {
      return error;
    }
  }
  if (!executables) return CL_INVALID_PROGRAM_EXECUTABLE;
  if (unknown == executables) return CL_INVALID_KERNEL_NAME;
  return unknown ? CL_INVALID_KERNEL_DEFINITION : CL_SUCCESS;
}

/* ------------------------------------------------------------ arguments */

static size_t values_size(const program_kernel_info_t *info) {
  size_t size = 0;
  for (uint32_t i = 0; i < info->arg_count; i++) {
    if (info->args[i].kind == program_arg_value) size += info->args[i].size;
  }
  return size;
}

/** Makes room for arguments: their states, and behind them the values. */
static cl_int allocate_arguments(cl_kernel kernel) {
  const program_kernel_info_t *info = kernel->info;
  kernel->descriptors = calloc((size_t)info->arg_count + 1, sizeof *kernel->descriptors);
  kernel->arguments = calloc(1, ((size_t)info->arg_count + 1) * sizeof *kernel->arguments + values_size(info));
  if (!kernel->descriptors || !kernel->arguments) return CL_OUT_OF_HOST_MEMORY;
  kernel->unset_count = info->arg_count;
  unsigned char *value = (unsigned char *)(kernel->arguments + info->arg_count + 1);
  for (uint32_t i = 0; i < info->arg_count; i++) {
    if (info->args[i].kind != program_arg_value) continue;
    kernel->arguments[i].value = value;
    value += info->args[i].size;
  }
  return CL_SUCCESS;
}

cl_int kernel_create(cl_program program, const char *name, cl_kernel *out_kernel) {
  cl_kernel kernel = allocate(program, program->device_count);
  if (!kernel) return CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&program->mutex);
  program->kernel_count++;
  cl_int error = add_devices(kernel, name);
  pthread_mutex_unlock(&program->mutex);
  if (error == CL_SUCCESS) error = allocate_arguments(kernel);
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(kernel));
    return error;
  }
  *out_kernel = kernel;
  return CL_SUCCESS;
}

static void mark_set(cl_kernel kernel, cl_uint index) {
  if (!kernel->arguments[index].is_set) kernel->unset_count--;
  kernel->arguments[index].is_set = true;
}

/* Memory objects are not looked at: the application may have released them (clCloneKernel copies references). */
static void copy_arguments(cl_kernel to, cl_kernel from) {
  for (uint32_t i = 0; i < from->info->arg_count; i++) {
    const kernel_argument_t *argument = &from->arguments[i];
    if (!argument->is_set) continue;
    if (from->info->args[i].kind == program_arg_value) {
      kernel_set_value(to, i, argument->value);
      continue;
    }
    to->descriptors[i] = from->descriptors[i];
    to->arguments[i].memory = argument->memory;
    mark_set(to, i);
  }
  to->local_argument_size = from->local_argument_size;
}

cl_int kernel_clone(cl_kernel source, cl_kernel *out_kernel) {
  cl_kernel kernel = allocate(source->program, source->device_count);
  if (!kernel) return CL_OUT_OF_HOST_MEMORY;
  count_kernel(source->program);
  memcpy(kernel->devices, source->devices, source->device_count * sizeof *kernel->devices);
  for (cl_uint i = 0; i < source->device_count; i++) object_hold(OBJECT(kernel->devices[i].executable));
  kernel->device_count = source->device_count;
  kernel->info = source->info;
  cl_int error = allocate_arguments(kernel);
  if (error != CL_SUCCESS) {
    object_release_external(OBJECT(kernel));
    return error;
  }
  copy_arguments(kernel, source);
  *out_kernel = kernel;
  return CL_SUCCESS;
}

static const kernel_device_t *find_exactly(cl_kernel kernel, cl_device_id device) {
  for (cl_uint i = 0; i < kernel->device_count; i++) {
    if (kernel->devices[i].device == device) return &kernel->devices[i];
  }
  return NULL;
}

/* What was built for a device serves its sub-devices too. */
const kernel_device_t *kernel_find_device(cl_kernel kernel, cl_device_id device) {
  const kernel_device_t *found = NULL;
  for (; device && !found; device = device->parent) found = find_exactly(kernel, device);
  return found;
}

const kernel_device_t *kernel_queried_device(cl_kernel kernel, cl_device_id device) {
  if (!device) return kernel->device_count == 1 ? kernel->devices : NULL;
  return kernel_find_device(kernel, device);
}

void kernel_set_buffer(cl_kernel kernel, cl_uint index, cl_mem memory) {
  mux_descriptor_info_t descriptor = {.type = mux_descriptor_info_type_null_buffer};
  if (memory) {
    descriptor.type = mux_descriptor_info_type_buffer;
    descriptor.buffer_descriptor.buffer = memory->buffer;
    descriptor.buffer_descriptor.offset = 0;
  }
  kernel->descriptors[index] = descriptor;
  kernel->arguments[index].memory = memory;
  mark_set(kernel, index);
}

void kernel_set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  kernel->descriptors[index] = (mux_descriptor_info_t){
      .type = mux_descriptor_info_type_custom_buffer,
      .custom_buffer_descriptor = {.data = pointer, .size = sizeof pointer},
  };
  kernel->arguments[index].memory = NULL;
  mark_set(kernel, index);
}

void kernel_set_image(cl_kernel kernel, cl_uint index, cl_mem image) {
  kernel->descriptors[index] = (mux_descriptor_info_t){.type = mux_descriptor_info_type_image};
  kernel->descriptors[index].image_descriptor.image = image->image;
  kernel->arguments[index].memory = image;
  mark_set(kernel, index);
}

void kernel_set_sampler(cl_kernel kernel, cl_uint index, mux_sampler_t sampler) {
  kernel->descriptors[index] = (mux_descriptor_info_t){.type = mux_descriptor_info_type_sampler};
  kernel->descriptors[index].sampler_descriptor.sampler = sampler;
  mark_set(kernel, index);
}

static size_t saturating_sum(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

void kernel_set_local(cl_kernel kernel, cl_uint index, size_t size) {
  kernel->descriptors[index].type = mux_descriptor_info_type_shared_local_buffer;
  kernel->descriptors[index].shared_local_buffer_descriptor.size = size;
  mark_set(kernel, index);
  kernel->local_argument_size = 0;
  for (uint32_t i = 0; i < kernel->info->arg_count; i++) {
    if (kernel->info->args[i].kind != program_arg_local || !kernel->arguments[i].is_set) continue;
    kernel->local_argument_size =
        saturating_sum(kernel->local_argument_size, kernel->descriptors[i].shared_local_buffer_descriptor.size);
  }
}

void kernel_set_value(cl_kernel kernel, cl_uint index, const void *value) {
  size_t size = kernel->info->args[index].size;
  mux_descriptor_info_t *descriptor = &kernel->descriptors[index];
  memcpy(kernel->arguments[index].value, value, size);
  descriptor->type = mux_descriptor_info_type_plain_old_data;
  descriptor->plain_old_data_descriptor.data = kernel->arguments[index].value;
  descriptor->plain_old_data_descriptor.length = size;
  mark_set(kernel, index);
}

size_t kernel_local_memory_size(cl_kernel kernel) {
  return saturating_sum(kernel->info->local_memory_size, kernel->local_argument_size);
}
