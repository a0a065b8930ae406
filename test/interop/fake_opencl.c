/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A small OpenCL library with known platforms and countable devices, for cases that no real driver gives on demand. */
#include "fake_opencl.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct _cl_platform_id {
  const char *name;
  cl_device_id devices;
  cl_uint device_count;
  cl_int error;
};

struct _cl_device_id {
  const char *name;
  cl_device_type type;
  cl_bool is_available;
  cl_platform_id platform;
  bool is_counted;
  atomic_int references;
};

/* The last platform is not listed. */
enum { platform_count = 3 };
static struct _cl_platform_id platforms[platform_count + 1];

static struct _cl_device_id devices[] = {
    {"fake cpu", CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT, CL_TRUE, &platforms[0], false, 1},
    {"fake gpu", CL_DEVICE_TYPE_GPU, CL_TRUE, &platforms[0], false, 1},
    {"fake gpu again", CL_DEVICE_TYPE_GPU, CL_TRUE, &platforms[0], false, 1},
    {"fake accelerator", CL_DEVICE_TYPE_ACCELERATOR, CL_FALSE, &platforms[0], false, 1},
};
static struct _cl_device_id other_device = {"other", CL_DEVICE_TYPE_CUSTOM, CL_TRUE, &platforms[2], false, 1};

static struct _cl_platform_id platforms[platform_count + 1] = {
    {"Fake", devices, 4, CL_SUCCESS},
    {"Broken", NULL, 0, CL_OUT_OF_RESOURCES},
    {"Other", &other_device, 1, CL_SUCCESS},
    {"Unlisted", NULL, 0, CL_SUCCESS},
};
static struct _cl_device_id sub_device = {"fake sub-device", CL_DEVICE_TYPE_CPU, CL_TRUE, &platforms[0], true, 1};
static struct _cl_device_id lost_device = {"lost", CL_DEVICE_TYPE_CPU, CL_TRUE, &platforms[3], true, 1};

EXPORT cl_device_id fake_sub_device(void) { return &sub_device; }
EXPORT cl_device_id fake_lost_device(void) { return &lost_device; }
EXPORT cl_platform_id fake_unlisted_platform(void) { return &platforms[3]; }
EXPORT int fake_references(cl_device_id device) { return atomic_load(&device->references); }

static bool is_asked_for(const char *what) {
  const char *wish = getenv("FAKE_OPENCL");
  return wish && !strcmp(wish, what);
}

static cl_int give(const void *value, size_t value_size, size_t size, void *out_value, size_t *out_size) {
  if (out_value && size < value_size) return CL_INVALID_VALUE;
  if (out_value) memcpy(out_value, value, value_size);
  if (out_size) *out_size = value_size;
  return CL_SUCCESS;
}

#define GIVE(value) give(&(value), sizeof(value), size, out_value, out_size)
#define GIVE_TEXT(text) give(text, strlen(text) + 1, size, out_value, out_size)

EXPORT cl_int clGetPlatformIDs(cl_uint count, cl_platform_id *out_platforms, cl_uint *out_count) {
  if (is_asked_for("error")) return CL_OUT_OF_RESOURCES;
  if (is_asked_for("none")) return CL_PLATFORM_NOT_FOUND_KHR;
  if (is_asked_for("zero")) {
    *out_count = 0;
    return CL_SUCCESS;
  }
  if (out_count) *out_count = platform_count;
  for (cl_uint i = 0; i < count && i < platform_count; i++) out_platforms[i] = &platforms[i];
  return CL_SUCCESS;
}

/* No profile, and a version that lacks its NUL. */
EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *out_value,
                                size_t *out_size) {
  switch (name) {
    case CL_PLATFORM_NAME: return GIVE_TEXT(platform->name);
    case CL_PLATFORM_VERSION: return give("OpenCL 1.2", 10, size, out_value, out_size);
    case CL_PLATFORM_EXTENSIONS: return GIVE_TEXT("cl_khr_icd  cl_fake_one cl_fake_two_more ");
    default: return CL_INVALID_VALUE;
  }
}

EXPORT cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *out_devices,
                             cl_uint *out_count) {
  if (platform->error != CL_SUCCESS) return platform->error;
  if (type != CL_DEVICE_TYPE_ALL) return CL_INVALID_DEVICE_TYPE;
  if (out_count) *out_count = platform->device_count;
  for (cl_uint i = 0; i < count && i < platform->device_count; i++) out_devices[i] = &platform->devices[i];
  return CL_SUCCESS;
}

EXPORT cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *out_value,
                              size_t *out_size) {
  static const cl_uint compute_units = 7;
  static const cl_ulong memory = 1ull << 33;
  static const size_t sizes[] = {64, 32};
  if (device->platform == &platforms[3] && is_asked_for("lost")) return CL_INVALID_DEVICE;
  switch (name) {
    case CL_DEVICE_TYPE: return GIVE(device->type);
    case CL_DEVICE_NAME: return GIVE_TEXT(device->name);
    case CL_DEVICE_AVAILABLE: return GIVE(device->is_available);
    case CL_DEVICE_PLATFORM: return give((void *)&device->platform, sizeof(cl_platform_id), size, out_value, out_size);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return GIVE(compute_units);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return GIVE(memory);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return GIVE(sizes);
    case CL_DEVICE_EXTENSIONS: return GIVE_TEXT("cl_khr_fp64");
    default: return CL_INVALID_VALUE;
  }
}

EXPORT cl_int clRetainDevice(cl_device_id device) {
  if (is_asked_for("no-retain")) return CL_OUT_OF_RESOURCES;
  if (device->is_counted) atomic_fetch_add(&device->references, 1);
  return CL_SUCCESS;
}

EXPORT cl_int clReleaseDevice(cl_device_id device) {
  if (device->is_counted) atomic_fetch_sub(&device->references, 1);
  return CL_SUCCESS;
}
