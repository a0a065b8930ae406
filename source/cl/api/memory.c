/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What all memory objects have in common: references, destructor callbacks, queries. */
#include "cl/memory/memory.h"

#include "cl/api/device_address.h"
#include "cl/api/entry.h"
#include "cl/api/validate.h"
#include "cl/queueing/refuse.h"

CL_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  REQUIRE(memory_is_valid(memobj) && object_retain_external(OBJECT(memobj)), __func__, NULL, CL_INVALID_MEM_OBJECT,
          "not a memory object");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  REQUIRE(memory_is_valid(memobj) && object_release_external(OBJECT(memobj)), __func__, NULL, CL_INVALID_MEM_OBJECT,
          "not a memory object");
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(
    cl_mem memobj, void(CL_CALLBACK *pfn_notify)(cl_mem memobj, void *user_data), void *user_data) {
  REQUIRE(memory_is_valid(memobj), __func__, NULL, CL_INVALID_MEM_OBJECT, "not a memory object");
  REQUIRE(pfn_notify, __func__, memobj->context, CL_INVALID_VALUE, "the callback is null");
  REQUIRE(memory_add_destructor(memobj, pfn_notify, user_data) == CL_SUCCESS, __func__, memobj->context,
          CL_OUT_OF_HOST_MEMORY, "out of memory");
  return CL_SUCCESS;
}

static cl_uint map_count(cl_mem memory) {
  cl_mem root = memory_root(memory);
  pthread_mutex_lock(&root->mutex);
  cl_uint count = memory->map_count;
  pthread_mutex_unlock(&root->mutex);
  return count;
}

static bool has_device_address(cl_mem memory) {
  const cl_mem_properties *p = memory->properties;
  for (; p && p[0]; p += 2) {
    if (p[0] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT) return p[1] == CL_TRUE;
  }
  return false;
}

/** One address for each device of the context: all have the same. */
static cl_int answer_addresses(cl_mem memory, size_t capacity, void *out_value, size_t *out_size) {
  static const char function[] = "clGetMemObjectInfo";
  cl_ulong addresses[64];
  cl_uint count = memory->context->device_count;
  REQUIRE(has_device_address(memory), function, memory->context, CL_INVALID_OPERATION,
          "the buffer was created without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  REQUIRE(count <= sizeof addresses / sizeof *addresses, function, memory->context, CL_OUT_OF_RESOURCES,
          "too many devices");
  for (cl_uint i = 0; i < count; i++) addresses[i] = (uintptr_t)memory_host_address(memory, 0);
  return info_answer(capacity, out_value, out_size, addresses, count * sizeof *addresses);
}

/** Only buffers, and only what clSVMAlloc gave counts: with fine-grain system sharing every host pointer would. */
static bool uses_svm_pointer(cl_mem memory) {
  shared_memory_t allocation;
  return memory_is_buffer(memory) && memory->host_pointer &&
         shared_memory_find(memory->context, memory->host_pointer, &allocation) && allocation.kind == shared_memory_svm;
}

CL_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size,
                                               void *param_value, size_t *param_value_size_ret) {
  REQUIRE(memory_is_valid(memobj), __func__, NULL, CL_INVALID_MEM_OBJECT, "not a memory object");
#define ANSWER(type, expression)                                                                     \
  do {                                                                                               \
    type answer_ = (expression);                                                                     \
    return info_answer(param_value_size, param_value, param_value_size_ret, &answer_, sizeof(type)); \
  } while (0)
  switch (param_name) {
    case CL_MEM_TYPE: ANSWER(cl_mem_object_type, memobj->type);
    case CL_MEM_FLAGS: ANSWER(cl_mem_flags, memobj->flags);
    case CL_MEM_SIZE: ANSWER(size_t, memobj->size);
    case CL_MEM_HOST_PTR: ANSWER(void *, memobj->host_pointer);
    case CL_MEM_MAP_COUNT: ANSWER(cl_uint, map_count(memobj));
    case CL_MEM_REFERENCE_COUNT: ANSWER(cl_uint, memobj->object.external_count);
    case CL_MEM_CONTEXT: ANSWER(cl_context, memobj->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT: ANSWER(cl_mem, memobj->parent);
    case CL_MEM_OFFSET: ANSWER(size_t, memobj->image ? 0 : memobj->origin);
    case CL_MEM_USES_SVM_POINTER: ANSWER(cl_bool, uses_svm_pointer(memobj));
    case CL_MEM_PROPERTIES:
      return info_answer(param_value_size, param_value, param_value_size_ret, memobj->properties,
                         memobj->property_count * sizeof *memobj->properties);
    case CL_MEM_DEVICE_ADDRESS_EXT:
      return answer_addresses(memobj, param_value_size, param_value, param_value_size_ret);
    default: return refuse(memobj->context, __func__, CL_INVALID_VALUE, "unknown query 0x%x", param_name);
  }
#undef ANSWER
}
