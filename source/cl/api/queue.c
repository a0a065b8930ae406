/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Command queue entry points. */
#include "cl/queueing/queue.h"

#include "cl/api/entry.h"
#include "cl/api/extension.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/terminate.h"

static const cl_command_queue_properties host_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
static const cl_command_queue_properties device_properties = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

static cl_int check_device(const char *function, cl_context context, cl_device_id device) {
  TRY(context_validate(function, context));
  if (device_is_valid(device) && context_has_device(context, device)) return CL_SUCCESS;
  return refuse(context, function, CL_INVALID_DEVICE, "device is not a device of the context");
}

/* Values that the specification does not have or forbids are CL_INVALID_VALUE; those of queues on the device, which no
 * device supports, CL_INVALID_QUEUE_PROPERTIES (section 5.1). */
static cl_int check_bits(const char *function, cl_context context, cl_command_queue_properties bits, bool has_size) {
  bool on_device = bits & CL_QUEUE_ON_DEVICE, consistent = !(bits & ~(host_properties | device_properties));
  if (bits & CL_QUEUE_ON_DEVICE_DEFAULT && !on_device) consistent = false;
  if (on_device && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) consistent = false;
  if (has_size && !on_device) consistent = false;
  if (!consistent) {
    return refuse(context, function, CL_INVALID_VALUE, "properties 0x%llx are not valid", (unsigned long long)bits);
  }
  if (!on_device) return CL_SUCCESS;
  return refuse(context, function, CL_INVALID_QUEUE_PROPERTIES, "the device has no queues of its own");
}

static cl_int create(cl_context context, cl_device_id device, cl_command_queue_properties bits,
                     const cl_queue_properties *list, cl_command_queue *out_queue) {
  *out_queue = queue_create(context, device, bits, list);
  return *out_queue ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int create_from_bits(const char *function, cl_context context, cl_device_id device,
                               cl_command_queue_properties bits, cl_command_queue *out_queue) {
  TRY(check_device(function, context, device));
  if (bits & ~host_properties) {
    return refuse(context, function, CL_INVALID_VALUE, "properties 0x%llx are not valid", (unsigned long long)bits);
  }
  return create(context, device, bits, NULL, out_queue);
}

CL_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                           cl_command_queue_properties properties,
                                                           cl_int *errcode_ret) {
  cl_command_queue queue = NULL;
  cl_int error = create_from_bits(__func__, context, device, properties, &queue);
  if (errcode_ret) *errcode_ret = error;
  return queue;
}

static bool is_repeated(const cl_queue_properties *list, const cl_queue_properties *entry) {
  for (; list < entry; list += 2) {
    if (*list == *entry) return true;
  }
  return false;
}

/** Hints are checked and kept, and change nothing: all queues of a device share its threads, which run whatever is
 * ready. */
static bool is_hint(cl_queue_properties name) { return name == CL_QUEUE_PRIORITY_KHR || name == CL_QUEUE_THROTTLE_KHR; }

/** Low, medium and high have the same values for both kinds of hints: one bit of three. */
static bool hint_is_valid(cl_queue_properties value) {
  return value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
         value == CL_QUEUE_PRIORITY_LOW_KHR;
}

static bool is_known(cl_queue_properties name) {
  return name == CL_QUEUE_PROPERTIES || name == CL_QUEUE_SIZE || is_hint(name);
}

static cl_int read_list(const char *function, cl_context context, const cl_queue_properties *list,
                        cl_command_queue_properties *out_bits) {
  bool has_size = false;
  *out_bits = 0;
  for (const cl_queue_properties *p = list; p && *p; p += 2) {
    if (!is_known(p[0]) || is_repeated(list, p)) {
      return refuse(context, function, CL_INVALID_VALUE, "property 0x%llx is unknown or given twice",
                    (unsigned long long)*p);
    }
    if (is_hint(p[0]) && !hint_is_valid(p[1])) {
      return refuse(context, function, CL_INVALID_VALUE, "hint 0x%llx cannot be 0x%llx", (unsigned long long)p[0],
                    (unsigned long long)p[1]);
    }
    if (p[0] == CL_QUEUE_PROPERTIES) *out_bits = p[1];
    has_size |= p[0] == CL_QUEUE_SIZE;
  }
  return check_bits(function, context, *out_bits, has_size);
}

static cl_int create_from_list(const char *function, cl_context context, cl_device_id device,
                               const cl_queue_properties *list, cl_command_queue *out_queue) {
  cl_command_queue_properties bits;
  TRY(check_device(function, context, device));
  TRY(read_list(function, context, list, &bits));
  return create(context, device, bits, list, out_queue);
}

CL_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                         const cl_queue_properties *properties,
                                                                         cl_int *errcode_ret) {
  cl_command_queue queue = NULL;
  cl_int error = create_from_list(__func__, context, device, properties, &queue);
  if (errcode_ret) *errcode_ret = error;
  return queue;
}

/* cl_khr_create_command_queue: the same for OpenCL 1.x programs; found by name. */
cl_command_queue CL_API_CALL create_command_queue_with_properties_khr(cl_context context, cl_device_id device,
                                                                      const cl_queue_properties_khr *properties,
                                                                      cl_int *errcode_ret) {
  return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

CL_ENTRY cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  REQUIRE(queue_is_valid(command_queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  REQUIRE(object_retain_external(OBJECT(command_queue)), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is released already");
  return CL_SUCCESS;
}

/* With an implicit flush (section 5.1); the queue lives until its commands are complete. */
CL_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  REQUIRE(queue_is_valid(command_queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  queue_flush(command_queue);
  REQUIRE(object_release_external(OBJECT(command_queue)), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is released already");
  return CL_SUCCESS;
}

static cl_int answer(cl_command_queue queue, cl_command_queue_info name, size_t capacity, void *out_value,
                     size_t *out_size) {
  const cl_uint references = atomic_load(&OBJECT(queue)->external_count);
  const cl_command_queue_properties properties = atomic_load(&queue->properties);
  const cl_command_queue none = NULL;
  switch (name) {
    case CL_QUEUE_CONTEXT: return info_answer(capacity, out_value, out_size, &queue->context, sizeof(cl_context));
    case CL_QUEUE_DEVICE: return info_answer(capacity, out_value, out_size, &queue->device, sizeof(cl_device_id));
    case CL_QUEUE_REFERENCE_COUNT: return info_answer(capacity, out_value, out_size, &references, sizeof references);
    case CL_QUEUE_PROPERTIES: return info_answer(capacity, out_value, out_size, &properties, sizeof properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
      return info_answer(capacity, out_value, out_size, queue->property_list,
                         queue->property_count * sizeof *queue->property_list);
    case CL_QUEUE_DEVICE_DEFAULT: return info_answer(capacity, out_value, out_size, &none, sizeof(cl_command_queue));
    /* Asked of a queue that is not on the device (section 5.1). */
    case CL_QUEUE_SIZE: return CL_INVALID_COMMAND_QUEUE;
    default: return CL_INVALID_VALUE;
  }
}

CL_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                                                  size_t param_value_size, void *param_value,
                                                  size_t *param_value_size_ret) {
  REQUIRE(queue_is_valid(command_queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  cl_int error = answer(command_queue, param_name, param_value_size, param_value, param_value_size_ret);
  REQUIRE(!error, __func__, queue_context(command_queue), error, "query 0x%x cannot be answered, or not in %zu bytes",
          param_name, param_value_size);
  return CL_SUCCESS;
}

/* Deprecated by OpenCL 1.1: blocks until the commands before the change are complete. */
CL_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue,
                                                      cl_command_queue_properties properties, cl_bool enable,
                                                      cl_command_queue_properties *old_properties) {
  REQUIRE(queue_is_valid(command_queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  REQUIRE(!(properties & ~host_properties), __func__, queue_context(command_queue), CL_INVALID_VALUE,
          "properties 0x%llx are not valid", (unsigned long long)properties);
  cl_command_queue_properties old = queue_change_properties(command_queue, properties, enable);
  if (old_properties) *old_properties = old;
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                           cl_command_queue command_queue) {
  TRY(check_device(__func__, context, device));
  (void)command_queue;
  return refuse(context, __func__, CL_INVALID_OPERATION, "the device has no queues of its own");
}

CL_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  REQUIRE(queue_is_valid(command_queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  queue_flush(command_queue);
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  REQUIRE(queue_is_valid(command_queue), __func__, NULL, CL_INVALID_COMMAND_QUEUE,
          "command_queue is not a command queue");
  queue_finish(command_queue);
  return CL_SUCCESS;
}
