/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Context entry points. */
#include "cl/queueing/context.h"

#include "cl/api/device_type.h"
#include "cl/api/entry.h"
#include "cl/api/platform.h"
#include "cl/api/terminate.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

typedef void(CL_CALLBACK *notify_t)(const char *error_info, const void *private_info, size_t cb, void *user_data);

enum { device_limit = 64 };

static cl_int check_property(const char *function, cl_context_properties name, cl_context_properties value) {
  switch (name) {
    case CL_CONTEXT_PLATFORM:
      if (object_is((const void *)value, object_kind_platform)) return CL_SUCCESS;
      return refuse(NULL, function, CL_INVALID_PLATFORM, "CL_CONTEXT_PLATFORM is not a platform");
    case CL_CONTEXT_INTEROP_USER_SYNC:
      if (value == CL_TRUE || value == CL_FALSE) return CL_SUCCESS;
      return refuse(NULL, function, CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is neither true nor false");
    case CL_CONTEXT_TERMINATE_KHR:
      if (value == CL_TRUE || value == CL_FALSE) return CL_SUCCESS;
      return refuse(NULL, function, CL_INVALID_PROPERTY, "CL_CONTEXT_TERMINATE_KHR is neither true nor false");
    /* The buffer's size is a hint: output has no limit. */
    case CL_PRINTF_CALLBACK_ARM:
    case CL_PRINTF_BUFFERSIZE_ARM: return CL_SUCCESS;
    default: return refuse(NULL, function, CL_INVALID_PROPERTY, "property 0x%llx is unknown", (unsigned long long)name);
  }
}

static cl_int check_properties(const char *function, const cl_context_properties *properties) {
  if (!properties) return CL_SUCCESS;
  for (const cl_context_properties *p = properties; *p; p += 2) {
    TRY(check_property(function, p[0], p[1]));
    for (const cl_context_properties *before = properties; before < p; before += 2) {
      if (*before != *p) continue;
      return refuse(NULL, function, CL_INVALID_PROPERTY, "property 0x%llx is given twice", (unsigned long long)*p);
    }
  }
  return CL_SUCCESS;
}

static bool has_property(const cl_context_properties *properties, cl_context_properties name) {
  for (const cl_context_properties *p = properties; p && *p; p += 2) {
    if (*p == name) return true;
  }
  return false;
}

/* Data is for the notify function, or for the function of cl_arm_printf. */
static cl_int check_notify(const char *function, const cl_context_properties *properties, notify_t notify,
                           const void *user_data) {
  if (notify || !user_data || has_property(properties, CL_PRINTF_CALLBACK_ARM)) return CL_SUCCESS;
  return refuse(NULL, function, CL_INVALID_VALUE, "user_data is given without pfn_notify");
}

static bool contains(const cl_device_id *devices, cl_uint count, cl_device_id device) {
  for (cl_uint i = 0; i < count; i++) {
    if (devices[i] == device) return true;
  }
  return false;
}

/* Copies the list without duplicates, which are to be ignored (section 4.4). */
static cl_int take_devices(const char *function, const cl_device_id *list, cl_uint count, cl_device_id *out_devices,
                           cl_uint *out_count) {
  *out_count = 0;
  for (cl_uint i = 0; i < count; i++) {
    if (!device_is_valid(list[i])) return refuse(NULL, function, CL_INVALID_DEVICE, "devices[%u] is not a device", i);
    if (contains(out_devices, *out_count, list[i])) continue;
    if (*out_count == device_limit) return refuse(NULL, function, CL_OUT_OF_RESOURCES, "there are too many devices");
    out_devices[(*out_count)++] = list[i];
  }
  return CL_SUCCESS;
}

static cl_int create(cl_uint count, const cl_device_id *devices, const cl_context_properties *properties,
                     notify_t notify, void *user_data, cl_context *out_context) {
  *out_context = context_create(count, devices, properties, notify, user_data);
  return *out_context ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int create_from_list(const char *function, const cl_context_properties *properties, cl_uint num_devices,
                               const cl_device_id *devices, notify_t notify, void *user_data, cl_context *out_context) {
  cl_device_id distinct[device_limit];
  cl_uint count;
  TRY(check_properties(function, properties));
  if (!devices || !num_devices) return refuse(NULL, function, CL_INVALID_VALUE, "there are no devices");
  TRY(check_notify(function, properties, notify, user_data));
  TRY(take_devices(function, devices, num_devices, distinct, &count));
  return create(count, distinct, properties, notify, user_data, out_context);
}

CL_ENTRY cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                                const cl_device_id *devices, notify_t pfn_notify, void *user_data,
                                                cl_int *errcode_ret) {
  cl_context context = NULL;
  cl_int error = create_from_list(__func__, properties, num_devices, devices, pfn_notify, user_data, &context);
  if (errcode_ret) *errcode_ret = error;
  return context;
}

static cl_int create_from_type(const char *function, const cl_context_properties *properties, cl_device_type type,
                               notify_t notify, void *user_data, cl_context *out_context) {
  TRY(check_properties(function, properties));
  TRY(check_notify(function, properties, notify, user_data));
  if (!device_type_is_valid(type)) return refuse(NULL, function, CL_INVALID_DEVICE_TYPE, "device_type is no type");
  cl_platform_id platform = platform_open();
  if (!platform) return CL_OUT_OF_HOST_MEMORY;
  cl_uint count = device_type_count(platform, type);
  if (!count) return refuse(NULL, function, CL_DEVICE_NOT_FOUND, "there is no device of that type");
  return create(count, platform->devices, properties, notify, user_data, out_context);
}

CL_ENTRY cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
                                                        cl_device_type device_type, notify_t pfn_notify,
                                                        void *user_data, cl_int *errcode_ret) {
  cl_context context = NULL;
  cl_int error = create_from_type(__func__, properties, device_type, pfn_notify, user_data, &context);
  if (errcode_ret) *errcode_ret = error;
  return context;
}

CL_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context) {
  REQUIRE(context_is_valid(context), __func__, NULL, CL_INVALID_CONTEXT, "context is not a context");
  REQUIRE(object_retain_external(OBJECT(context)), __func__, NULL, CL_INVALID_CONTEXT, "context is released already");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context) {
  REQUIRE(context_is_valid(context), __func__, NULL, CL_INVALID_CONTEXT, "context is not a context");
  REQUIRE(object_release_external(OBJECT(context)), __func__, NULL, CL_INVALID_CONTEXT, "context is released already");
  return CL_SUCCESS;
}

static cl_int answer(cl_context context, cl_context_info name, size_t capacity, void *out_value, size_t *out_size) {
  const cl_uint references = atomic_load(&OBJECT(context)->external_count);
  switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT: return info_answer(capacity, out_value, out_size, &references, sizeof references);
    case CL_CONTEXT_NUM_DEVICES:
      return info_answer(capacity, out_value, out_size, &context->device_count, sizeof context->device_count);
    case CL_CONTEXT_DEVICES:
      return info_answer(capacity, out_value, out_size, context->devices,
                         context->device_count * sizeof *context->devices);
    case CL_CONTEXT_PROPERTIES:
      return info_answer(capacity, out_value, out_size, context->properties,
                         context->property_count * sizeof *context->properties);
    default: return CL_INVALID_VALUE;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                                             void *param_value, size_t *param_value_size_ret) {
  REQUIRE(context_is_valid(context), __func__, NULL, CL_INVALID_CONTEXT, "context is not a context");
  cl_int error = answer(context, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(!error, __func__, context, error, "query 0x%x is unknown, or its answer needs more than %zu bytes",
          param_name, param_value_size);
  return CL_SUCCESS;
}

static bool may_be_terminated(cl_context context) {
  for (const cl_context_properties *p = context->properties; p && *p; p += 2) {
    if (p[0] == CL_CONTEXT_TERMINATE_KHR) return p[1];
  }
  return false;
}

cl_int CL_API_CALL terminate_context_khr(cl_context context) {
  static const char function[] = "clTerminateContextKHR";
  REQUIRE(context_is_valid(context), function, NULL, CL_INVALID_CONTEXT, "context is not a context");
  REQUIRE(may_be_terminated(context), function, context, CL_INVALID_OPERATION,
          "the context was made without CL_CONTEXT_TERMINATE_KHR");
  REQUIRE(context_terminate(context), function, context, CL_CONTEXT_TERMINATED_KHR,
          "the context is terminated already");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                           void(CL_CALLBACK *pfn_notify)(cl_context, void *),
                                                           void *user_data) {
  REQUIRE(context_is_valid(context), __func__, NULL, CL_INVALID_CONTEXT, "context is not a context");
  REQUIRE(pfn_notify, __func__, context, CL_INVALID_VALUE, "pfn_notify is null");
  return context_add_destructor(context, pfn_notify, user_data);
}
