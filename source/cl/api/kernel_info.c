/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Queries of kernels, their arguments, and their work-groups. */
#include "cl/api/entry.h"
#include "cl/program/kernel.h"
#include "cl/queueing/refuse.h"

#define ANSWER(type, expression)                                                                     \
  do {                                                                                               \
    type answer_ = (expression);                                                                     \
    return info_answer(param_value_size, param_value, param_value_size_ret, &answer_, sizeof(type)); \
  } while (0)
#define ANSWER_STRING(string) return info_answer_string(param_value_size, param_value, param_value_size_ret, (string))

/* Empty unless the kernel is made from source (OpenCL API section 5.9.4). */
static const char *source_attributes(cl_kernel kernel) {
  return kernel->program->origin == program_origin_il ? "" : kernel->info->attributes;
}

CL_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                                            void *param_value, size_t *param_value_size_ret) {
  REQUIRE(kernel_is_valid(kernel), __func__, NULL, CL_INVALID_KERNEL, "not a kernel");
  switch (param_name) {
    case CL_KERNEL_FUNCTION_NAME: ANSWER_STRING(kernel->info->name);
    case CL_KERNEL_NUM_ARGS: ANSWER(cl_uint, kernel->info->arg_count);
    case CL_KERNEL_REFERENCE_COUNT: ANSWER(cl_uint, kernel->object.external_count);
    case CL_KERNEL_CONTEXT: ANSWER(cl_context, kernel->program->context);
    case CL_KERNEL_PROGRAM: ANSWER(cl_program, kernel->program);
    case CL_KERNEL_ATTRIBUTES: ANSWER_STRING(source_attributes(kernel));
    default: return refuse(kernel->program->context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
}

static cl_kernel_arg_address_qualifier address_qualifier(const program_arg_info_t *arg) {
  switch (arg->address_qualifier) {
    case program_address_global: return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case program_address_local: return CL_KERNEL_ARG_ADDRESS_LOCAL;
    case program_address_constant: return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    default: return CL_KERNEL_ARG_ADDRESS_PRIVATE;
  }
}

static cl_kernel_arg_access_qualifier access_qualifier(const program_arg_info_t *arg) {
  switch (arg->access_qualifier) {
    case program_access_read_only: return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    case program_access_write_only: return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    case program_access_read_write: return CL_KERNEL_ARG_ACCESS_READ_WRITE;
    default: return CL_KERNEL_ARG_ACCESS_NONE;
  }
}

static cl_kernel_arg_type_qualifier type_qualifier(const program_arg_info_t *arg) {
  cl_kernel_arg_type_qualifier qualifier = CL_KERNEL_ARG_TYPE_NONE;
  if (arg->type_qualifiers & program_type_qualifier_const) qualifier |= CL_KERNEL_ARG_TYPE_CONST;
  if (arg->type_qualifiers & program_type_qualifier_restrict) qualifier |= CL_KERNEL_ARG_TYPE_RESTRICT;
  if (arg->type_qualifiers & program_type_qualifier_volatile) qualifier |= CL_KERNEL_ARG_TYPE_VOLATILE;
  if (arg->type_qualifiers & program_type_qualifier_pipe) qualifier |= CL_KERNEL_ARG_TYPE_PIPE;
  return qualifier;
}

CL_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name,
                                               size_t param_value_size, void *param_value,
                                               size_t *param_value_size_ret) {
  REQUIRE(kernel_is_valid(kernel), __func__, NULL, CL_INVALID_KERNEL, "not a kernel");
  cl_context context = kernel->program->context;
  REQUIRE(arg_index < kernel->info->arg_count, __func__, context, CL_INVALID_ARG_INDEX,
          "kernel %s has %u arguments, none is %u", kernel->info->name, kernel->info->arg_count, arg_index);
  const program_arg_info_t *arg = &kernel->info->args[arg_index];
  REQUIRE(arg->type_name[0], __func__, context, CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
          "compiled without -cl-kernel-arg-info");
  REQUIRE(kernel->program->origin != program_origin_il, __func__, context, CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
          "only kernels made from source have information about arguments");
  switch (param_name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: ANSWER(cl_kernel_arg_address_qualifier, address_qualifier(arg));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER: ANSWER(cl_kernel_arg_access_qualifier, access_qualifier(arg));
    case CL_KERNEL_ARG_TYPE_NAME: ANSWER_STRING(arg->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: ANSWER(cl_kernel_arg_type_qualifier, type_qualifier(arg));
    case CL_KERNEL_ARG_NAME: ANSWER_STRING(arg->name);
    default: return refuse(context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
}

CL_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                     cl_kernel_work_group_info param_name, size_t param_value_size,
                                                     void *param_value, size_t *param_value_size_ret) {
  REQUIRE(kernel_is_valid(kernel), __func__, NULL, CL_INVALID_KERNEL, "not a kernel");
  const kernel_device_t *on = kernel_queried_device(kernel, device);
  REQUIRE(on, __func__, kernel->program->context, CL_INVALID_DEVICE,
          "the kernel is not built for that device, or for several");
  const program_kernel_info_t *info = kernel->info;
  switch (param_name) {
    case CL_KERNEL_WORK_GROUP_SIZE: ANSWER(size_t, on->limits.maximum_total);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
      const size_t size[3] = {info->reqd_work_group_size[0], info->reqd_work_group_size[1],
                              info->reqd_work_group_size[2]};
      return info_answer(param_value_size, param_value, param_value_size_ret, size, sizeof size);
    }
    case CL_KERNEL_LOCAL_MEM_SIZE: ANSWER(cl_ulong, kernel_local_memory_size(kernel));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: ANSWER(size_t, on->limits.width);
    case CL_KERNEL_PRIVATE_MEM_SIZE: ANSWER(cl_ulong, info->private_memory_size);
    /* 0 would promise that no register is spilled, which the compiler does not tell: "the meaning will vary". */
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:
      ANSWER(cl_ulong, info->private_memory_size ? info->private_memory_size : sizeof(cl_ulong));
    case CL_KERNEL_GLOBAL_WORK_SIZE: /* for built-in kernels only */
    default: return refuse(kernel->program->context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
}
