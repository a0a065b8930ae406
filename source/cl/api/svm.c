/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Shared virtual memory. No device offers it yet: allocation gives null, freeing does nothing, and commands are refused
 * with CL_INVALID_OPERATION, as OpenCL 3.0 prescribes for such devices. */
#include "cl/api/entry.h"
#include "cl/api/validate.h"

CL_ENTRY void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  (void)flags, (void)alignment;
  if (!context_is_valid(context)) return NULL;
  refuse(context, __func__, CL_INVALID_OPERATION, "no device of the context supports SVM (%zu bytes asked)", size);
  return NULL;
}

CL_ENTRY void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer) { (void)context, (void)svm_pointer; }

static cl_int refuse_command(const char *function, cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                             const cl_event *wait_list, cl_event *event) {
  const enqueue_t enqueue = {queue, type, wait_count, wait_list, event};
  TRY(enqueue_validate(&enqueue));
  REFUSE(function, queue_context(queue), CL_INVALID_OPERATION, "the device does not support SVM");
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                             void *svm_pointers[],
                                             void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue,
                                                                              cl_uint num_svm_pointers,
                                                                              void *svm_pointers[], void *user_data),
                                             void *user_data, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event) {
  (void)num_svm_pointers, (void)svm_pointers, (void)pfn_free_func, (void)user_data;
  return refuse_command(__func__, command_queue, CL_COMMAND_SVM_FREE, num_events_in_wait_list, event_wait_list, event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr,
                                               const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
  (void)blocking_copy, (void)dst_ptr, (void)src_ptr, (void)size;
  return refuse_command(__func__, command_queue, CL_COMMAND_SVM_MEMCPY, num_events_in_wait_list, event_wait_list,
                        event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr, const void *pattern,
                                                size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
  (void)svm_ptr, (void)pattern, (void)pattern_size, (void)size;
  return refuse_command(__func__, command_queue, CL_COMMAND_SVM_MEMFILL, num_events_in_wait_list, event_wait_list,
                        event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags,
                                            void *svm_ptr, size_t size, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
  (void)blocking_map, (void)flags, (void)svm_ptr, (void)size;
  return refuse_command(__func__, command_queue, CL_COMMAND_SVM_MAP, num_events_in_wait_list, event_wait_list, event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr,
                                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                              cl_event *event) {
  (void)svm_ptr;
  return refuse_command(__func__, command_queue, CL_COMMAND_SVM_UNMAP, num_events_in_wait_list, event_wait_list, event);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                                   const void **svm_pointers, const size_t *sizes,
                                                   cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list, cl_event *event) {
  (void)num_svm_pointers, (void)svm_pointers, (void)sizes, (void)flags;
  return refuse_command(__func__, command_queue, CL_COMMAND_SVM_MIGRATE_MEM, num_events_in_wait_list, event_wait_list,
                        event);
}
