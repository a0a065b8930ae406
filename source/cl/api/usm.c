/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Intel's unified shared memory. All kinds of allocation are the same memory here, at the same address for host and
 * devices; what differs is what their queries say. Commands take any address of the process. */
#include "cl/api/usm.h"

#include <string.h>

#include "cl/api/kernel_pointer.h"
#include "cl/api/pointer.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/shared_memory.h"
#include "cl/queueing/terminate.h"

/* ------------------------------------------------------------ allocation */

static const cl_mem_alloc_flags_intel placement_flags =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

static bool alloc_flags_are_valid(shared_memory_kind_e kind, cl_mem_alloc_flags_intel flags) {
  const cl_mem_alloc_flags_intel placement = flags & placement_flags;
  if (flags & ~(placement_flags | CL_MEM_ALLOC_WRITE_COMBINED_INTEL)) return false;
  return kind == shared_memory_migrating ? placement != placement_flags : placement == 0;
}

/** CL_INVALID_PROPERTY: not known, given twice, or flags that do not go with the kind of memory. */
static cl_int read_properties(const char *function, cl_context context, const cl_mem_properties_intel *properties,
                              shared_memory_t *wanted) {
  bool has_flags = false;
  for (; properties && properties[0]; properties += 2) {
    REQUIRE(properties[0] == CL_MEM_ALLOC_FLAGS_INTEL && !has_flags, function, context, CL_INVALID_PROPERTY,
            "property 0x%llx is unknown or given twice", (unsigned long long)properties[0]);
    has_flags = true;
    wanted->flags = properties[1];
  }
  REQUIRE(alloc_flags_are_valid(wanted->kind, wanted->flags), function, context, CL_INVALID_PROPERTY,
          "flags 0x%llx are unknown or do not go with this kind of memory", (unsigned long long)wanted->flags);
  return CL_SUCCESS;
}

static cl_int allocate(const char *function, cl_context context, shared_memory_t wanted,
                       const cl_mem_properties_intel *properties, cl_uint alignment, void **out_pointer) {
  TRY(context_validate(function, context));
  TRY(validate_sharing(function, context));
  bool device_is_optional = wanted.kind != shared_memory_device && !wanted.device;
  REQUIRE(device_is_optional || context_has_device(context, wanted.device), function, context, CL_INVALID_DEVICE,
          "not a device of the context");
  TRY(read_properties(function, context, properties, &wanted));
  REQUIRE(shared_memory_size_is_valid(context, wanted.size), function, context, CL_INVALID_BUFFER_SIZE,
          "not every device can allocate %zu bytes", wanted.size);
  REQUIRE(shared_memory_alignment_is_valid(alignment), function, context, CL_INVALID_VALUE,
          "an alignment of %u bytes is no power of two or too large", alignment);
  cl_int error = shared_memory_allocate(context, &wanted, alignment, out_pointer);
  REQUIRE(error == CL_SUCCESS, function, context, error, "%zu bytes could not be allocated", wanted.size);
  return CL_SUCCESS;
}

void *CL_API_CALL host_mem_alloc_intel(cl_context context, const cl_mem_properties_intel *properties, size_t size,
                                       cl_uint alignment, cl_int *errcode_ret) {
  const shared_memory_t wanted = {.kind = shared_memory_host, .size = size};
  void *pointer = NULL;
  error_answer(errcode_ret, allocate("clHostMemAllocINTEL", context, wanted, properties, alignment, &pointer));
  return pointer;
}

void *CL_API_CALL device_mem_alloc_intel(cl_context context, cl_device_id device,
                                         const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                                         cl_int *errcode_ret) {
  const shared_memory_t wanted = {.kind = shared_memory_device, .size = size, .device = device};
  void *pointer = NULL;
  error_answer(errcode_ret, allocate("clDeviceMemAllocINTEL", context, wanted, properties, alignment, &pointer));
  return pointer;
}

void *CL_API_CALL shared_mem_alloc_intel(cl_context context, cl_device_id device,
                                         const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                                         cl_int *errcode_ret) {
  const shared_memory_t wanted = {.kind = shared_memory_migrating, .size = size, .device = device};
  void *pointer = NULL;
  error_answer(errcode_ret, allocate("clSharedMemAllocINTEL", context, wanted, properties, alignment, &pointer));
  return pointer;
}

static cl_int free_memory(const char *function, cl_context context, void *pointer) {
  REQUIRE(!pointer || shared_memory_free(context, pointer, false), function, context, CL_INVALID_VALUE,
          "%p is not the begin of an allocation", pointer);
  return CL_SUCCESS;
}

cl_int CL_API_CALL mem_free_intel(cl_context context, void *ptr) {
  static const char function[] = "clMemFreeINTEL";
  REQUIRE(context_is_valid(context), function, NULL, CL_INVALID_CONTEXT, "not a context");
  return free_memory(function, context, ptr);
}

cl_int CL_API_CALL mem_blocking_free_intel(cl_context context, void *ptr) {
  static const char function[] = "clMemBlockingFreeINTEL";
  REQUIRE(context_is_valid(context), function, NULL, CL_INVALID_CONTEXT, "not a context");
  if (ptr) context_finish(context);
  return free_memory(function, context, ptr);
}

/* ------------------------------------------------------------ queries */

static cl_unified_shared_memory_type_intel memory_type(const shared_memory_t *memory) {
  switch (memory->kind) {
    case shared_memory_host: return CL_MEM_TYPE_HOST_INTEL;
    case shared_memory_device: return CL_MEM_TYPE_DEVICE_INTEL;
    case shared_memory_migrating: return CL_MEM_TYPE_SHARED_INTEL;
    default: return CL_MEM_TYPE_UNKNOWN_INTEL;
  }
}

cl_int CL_API_CALL get_mem_alloc_info_intel(cl_context context, const void *ptr, cl_mem_info_intel param_name,
                                            size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  static const char function[] = "clGetMemAllocInfoINTEL";
  REQUIRE(context_is_valid(context), function, NULL, CL_INVALID_CONTEXT, "not a context");
  /* What is no such allocation is of unknown type, with zeros for all else. */
  shared_memory_t memory = {.kind = shared_memory_svm};
  bool found = shared_memory_find(context, ptr, &memory);
  if (!found || memory.kind == shared_memory_svm) memory = (shared_memory_t){.kind = shared_memory_svm};
#define ANSWER(type, expression)                                                                     \
  do {                                                                                               \
    type answer_ = (expression);                                                                     \
    return info_answer(param_value_size, param_value, param_value_size_ret, &answer_, sizeof(type)); \
  } while (0)
  switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL: ANSWER(cl_unified_shared_memory_type_intel, memory_type(&memory));
    case CL_MEM_ALLOC_BASE_PTR_INTEL: ANSWER(void *, memory.base);
    case CL_MEM_ALLOC_SIZE_INTEL: ANSWER(size_t, memory.size);
    case CL_MEM_ALLOC_DEVICE_INTEL: ANSWER(cl_device_id, memory.device);
    case CL_MEM_ALLOC_FLAGS_INTEL: ANSWER(cl_mem_alloc_flags_intel, memory.flags);
    default: return refuse(context, function, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
#undef ANSWER
}

/* ------------------------------------------------------------ kernels and commands */

cl_int CL_API_CALL set_kernel_arg_mem_pointer_intel(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
  return set_kernel_pointer("clSetKernelArgMemPointerINTEL", kernel, arg_index, arg_value);
}

cl_int CL_API_CALL enqueue_mem_fill_intel(cl_command_queue queue, void *dst_ptr, const void *pattern,
                                          size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {queue, CL_COMMAND_MEMFILL_INTEL, num_events_in_wait_list, event_wait_list, event};
  return enqueue_pointer_fill("clEnqueueMemFillINTEL", &enqueue, dst_ptr, pattern, pattern_size, size);
}

cl_int CL_API_CALL enqueue_memset_intel(cl_command_queue queue, void *dst_ptr, cl_int value, size_t size,
                                        cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                        cl_event *event) {
  const enqueue_t enqueue = {queue, CL_COMMAND_MEMFILL_INTEL, num_events_in_wait_list, event_wait_list, event};
  const unsigned char byte = (unsigned char)value;
  return enqueue_pointer_fill("clEnqueueMemsetINTEL", &enqueue, dst_ptr, &byte, 1, size);
}

cl_int CL_API_CALL enqueue_memcpy_intel(cl_command_queue queue, cl_bool blocking, void *dst_ptr, const void *src_ptr,
                                        size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                        cl_event *event) {
  const enqueue_t enqueue = {queue, CL_COMMAND_MEMCPY_INTEL, num_events_in_wait_list, event_wait_list, event};
  return enqueue_pointer_copy("clEnqueueMemcpyINTEL", &enqueue, blocking, dst_ptr, src_ptr, size);
}

/** A hint about the bytes at `ptr`: a command that does nothing. */
static cl_int enqueue_hint(const char *function, const enqueue_t *enqueue, const void *ptr, bool is_known) {
  TRY(enqueue_validate(enqueue));
  cl_context context = queue_context(enqueue->queue);
  TRY(validate_sharing(function, context));
  REQUIRE(ptr, function, context, CL_INVALID_VALUE, "the pointer is null");
  REQUIRE(is_known, function, context, CL_INVALID_VALUE, "unknown flags or advice");
  return enqueue_nothing(enqueue, CL_FALSE);
}

cl_int CL_API_CALL enqueue_migrate_mem_intel(cl_command_queue queue, const void *ptr, size_t size,
                                             cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event) {
  (void)size;
  const enqueue_t enqueue = {queue, CL_COMMAND_MIGRATEMEM_INTEL, num_events_in_wait_list, event_wait_list, event};
  return enqueue_hint("clEnqueueMigrateMemINTEL", &enqueue, ptr, migration_flags_are_valid(flags));
}

/** The extension defines no advice of its own, and reserves 0x4208 to 0x420F for advice of vendors: 0 and those are
 * taken, and none changes anything. */
cl_int CL_API_CALL enqueue_mem_advise_intel(cl_command_queue queue, const void *ptr, size_t size,
                                            cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
  (void)size;
  const enqueue_t enqueue = {queue, CL_COMMAND_MEMADVISE_INTEL, num_events_in_wait_list, event_wait_list, event};
  bool is_known = advice == 0 || (advice >= 0x4208 && advice <= 0x420F);
  return enqueue_hint("clEnqueueMemAdviseINTEL", &enqueue, ptr, is_known);
}
