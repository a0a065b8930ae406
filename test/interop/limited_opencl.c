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

_Atomic(size_t) limited_told_count;
_Atomic(const void *) limited_told_first;

__attribute__((visibility("default"))) cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name,
                                                                  size_t size, const void *value) {
  cl_int (*next)(cl_kernel, cl_kernel_exec_info, size_t, const void *);
  *(void **)&next = dlsym(RTLD_NEXT, "clSetKernelExecInfo");
  if (name == CL_KERNEL_EXEC_INFO_SVM_PTRS) {
    const void *first = NULL;
    if (size >= sizeof(first)) memcpy((void *)&first, value, sizeof(first));
    limited_told_first = first;
    limited_told_count = size / sizeof(first);
  }
  return next(kernel, name, size, value);
}
