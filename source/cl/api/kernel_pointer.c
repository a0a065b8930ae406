/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Kernels and addresses: pointer arguments, and what a kernel may reach without an argument. */
#include "cl/api/kernel_pointer.h"

#include <string.h>

#include "cl/api/device_address.h"
#include "cl/api/entry.h"
#include "cl/api/extension.h"
#include "cl/api/pointer.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"

cl_int set_kernel_pointer(const char *function, cl_kernel kernel, cl_uint index, const void *pointer) {
  REQUIRE(kernel_is_valid(kernel), function, NULL, CL_INVALID_KERNEL, "not a kernel");
  cl_context context = kernel->program->context;
  TRY(validate_sharing(function, context));
  REQUIRE(index < kernel->info->arg_count, function, context, CL_INVALID_ARG_INDEX,
          "kernel %s has %u arguments, none is %u", kernel->info->name, kernel->info->arg_count, index);
  REQUIRE(kernel->info->args[index].kind == program_arg_buffer, function, context, CL_INVALID_ARG_VALUE,
          "argument %u is no pointer to global or constant memory", index);
  kernel_set_pointer(kernel, index, pointer);
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
  return set_kernel_pointer(__func__, kernel, arg_index, arg_value);
}

/** Has its own error for arguments that are no pointers, and takes none to constant memory. */
cl_int CL_API_CALL set_kernel_arg_device_pointer_ext(cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value) {
  static const char function[] = "clSetKernelArgDevicePointerEXT";
  bool is_constant = kernel_is_valid(kernel) && arg_index < kernel->info->arg_count &&
                     kernel->info->args[arg_index].address_qualifier == program_address_constant;
  REQUIRE(!is_constant, function, kernel->program->context, CL_INVALID_ARG_INDEX,
          "argument %u is a pointer to constant memory", arg_index);
  cl_int error = set_kernel_pointer(function, kernel, arg_index, (void *)(uintptr_t)arg_value);
  return error == CL_INVALID_ARG_VALUE ? CL_INVALID_ARG_INDEX : error;
}

static bool exec_info_is_valid(cl_kernel_exec_info name, size_t size, const void *value) {
  switch (name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL: return size % sizeof(void *) == 0 && (value || size == 0);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL: return size == sizeof(cl_bool) && value;
    default: return false;
  }
}

static bool asks_for_nothing(cl_kernel_exec_info name, size_t size, const void *value) {
  if (size != sizeof(cl_bool) || name == CL_KERNEL_EXEC_INFO_SVM_PTRS || name == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL ||
      name == CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT) {
    return false;
  }
  cl_bool asks;
  memcpy(&asks, value, sizeof asks);
  return !asks;
}

cl_int validate_exec_info(const char *function, cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                          const void *value) {
  cl_context context = kernel->program->context;
  REQUIRE(exec_info_is_valid(name, size, value), function, context, CL_INVALID_VALUE,
          "0x%x with %zu bytes is not known", name, size);
  return asks_for_nothing(name, size, value) ? CL_SUCCESS : validate_sharing(function, context);
}

/** Kernels of a device that shares the host's memory reach all of it anyway: there is nothing to remember. */
CL_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                                size_t param_value_size, const void *param_value) {
  REQUIRE(kernel_is_valid(kernel), __func__, NULL, CL_INVALID_KERNEL, "not a kernel");
  return validate_exec_info(__func__, kernel, param_name, param_value_size, param_value);
}
