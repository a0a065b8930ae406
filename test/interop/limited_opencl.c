/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL library with devices that have less unified memory. */
#include "limited_opencl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

cl_device_svm_capabilities limited_svm;

/* The extension's name stays as long as it was. */
static void hide_extension(char *extensions) {
  char *found = strstr(extensions, "cl_intel_unified_shared_memory");
  if (found) *found = 'x';
}

__attribute__((visibility("default"))) cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size,
                                                              void *value, size_t *out_size) {
  cl_int (*next)(cl_device_id, cl_device_info, size_t, void *, size_t *);
  *(void **)&next = dlsym(RTLD_NEXT, "clGetDeviceInfo");
  cl_int error = next(device, name, size, value, out_size);
  if (error != CL_SUCCESS || !value) return error;
  if (name == CL_DEVICE_EXTENSIONS) hide_extension(value);
  if (name == CL_DEVICE_SVM_CAPABILITIES) *(cl_device_svm_capabilities *)value &= limited_svm;
  return error;
}
