/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reads what OpenCL platforms and devices tell of themselves, member by member of the tables of facts. */
#include <stdlib.h>
#include <string.h>

#include "interop/opencl/opencl.h"

#define OPENCL_NAME(name, type, opencl) opencl,
static const cl_uint platform_names[] = {QUERN_PLATFORM_INFO_LIST(OPENCL_NAME)};
static const cl_uint device_names[] = {QUERN_DEVICE_INFO_LIST(OPENCL_NAME)};
#undef OPENCL_NAME

/** clGetPlatformInfo or clGetDeviceInfo of one object. */
typedef struct source_t {
  const opencl_api_t *api;
  cl_platform_id platform;
  /** Null: the platform is asked. */
  cl_device_id device;
} source_t;

static cl_int ask(const source_t *source, cl_uint name, size_t size, void *value, size_t *out_size) {
  if (source->device) return source->api->GetDeviceInfo(source->device, name, size, value, out_size);
  return source->api->GetPlatformInfo(source->platform, name, size, value, out_size);
}

/* Foreign drivers are not trusted to end their texts. */
static char *read_text(const source_t *source, cl_uint name, bool *out_of_memory) {
  size_t size = 0;
  if (ask(source, name, 0, NULL, &size) != CL_SUCCESS || !size || size == SIZE_MAX) return NULL;
  char *text = calloc(1, size + 1);
  if (!text) {
    *out_of_memory = true;
  } else if (ask(source, name, size, text, NULL) != CL_SUCCESS) {
    free(text);
    text = NULL;
  }
  return text;
}

/* Dimensions beyond the third are rare, and have no place; missing ones have one point. */
static quern_sizes_t read_sizes(const source_t *source, cl_uint name) {
  size_t values[16] = {0}, size = 0;
  quern_sizes_t sizes = {{1, 1, 1}};
  if (ask(source, name, sizeof(values), values, &size) != CL_SUCCESS) return (quern_sizes_t){0};
  for (size_t i = 0; i < 3 && i < size / sizeof(values[0]); i++) sizes.sizes[i] = values[i];
  return sizes;
}

/* A scalar of at most eight bytes goes to `out_value` as it is; 0 if the driver does not know it. */
static void read_scalar(const source_t *source, cl_uint name, size_t size, void *out_value) {
  uint64_t value = 0;
  if (ask(source, name, size, &value, NULL) != CL_SUCCESS) value = 0;
  memcpy(out_value, &value, size);
}

static cl_bool read_flag(const source_t *source, cl_uint name) {
  cl_bool value;
  read_scalar(source, name, sizeof(value), &value);
  return value;
}

/* A device's type may also say that it is the platform's default, which is no type of ours. */
static quern_device_type_t read_device_type(const source_t *source, cl_uint name) {
  cl_device_type type;
  read_scalar(source, name, sizeof(type), &type);
  type &= quern_device_type_all & ~quern_device_type_host;
  return type ? (quern_device_type_t)type : (quern_device_type_t)quern_device_type_custom;
}

/* Our bits are OpenCL's. */
_Static_assert((int)quern_device_type_cpu == CL_DEVICE_TYPE_CPU && (int)quern_device_type_gpu == CL_DEVICE_TYPE_GPU &&
                   (int)quern_device_type_accelerator == CL_DEVICE_TYPE_ACCELERATOR &&
                   (int)quern_device_type_custom == CL_DEVICE_TYPE_CUSTOM,
               "device types have OpenCL's values");

static bool read_member(const source_t *source, cl_uint name, const interop_info_member_t *member, void *out_value) {
  bool out_of_memory = false;
  switch (member->type) {
    case interop_info_text: *(const char **)out_value = read_text(source, name, &out_of_memory); break;
    case interop_info_sizes: *(quern_sizes_t *)out_value = read_sizes(source, name); break;
    case interop_info_flag: *(bool *)out_value = read_flag(source, name) != CL_FALSE; break;
    case interop_info_device_type: *(quern_device_type_t *)out_value = read_device_type(source, name); break;
    case interop_info_uint32:
    case interop_info_uint64:
    case interop_info_size: read_scalar(source, name, member->size, out_value); break;
  }
  return !out_of_memory;
}

static quern_result_t read_all(const source_t *source, const cl_uint *names, const interop_info_table_t *table,
                               void *values) {
  for (size_t i = 0; i < table->count; i++) {
    const interop_info_member_t *member = &table->members[i];
    if (!read_member(source, names[i], member, (char *)values + member->offset)) return interop_fail_memory();
  }
  return quern_success;
}

quern_result_t opencl_platform_read(quern_platform_t platform) {
  source_t source = {opencl_api_of(platform->state), platform->native, NULL};
  return read_all(&source, platform_names, &interop_platform_info_table, &platform->info);
}

quern_result_t opencl_device_read(quern_device_t device) {
  source_t source = {opencl_api_of(device->platform->state), NULL, device->native};
  return read_all(&source, device_names, &interop_device_info_table, &device->info);
}
