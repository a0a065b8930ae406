/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Shared virtual memory. Devices that share the host's memory have all of it, up to fine-grain system sharing with
 * atomics: mapping and migrating keep their place in the queue and do nothing. On other devices, allocation gives null
 * and commands are refused with CL_INVALID_OPERATION. */
#include <stdlib.h>
#include <string.h>

#include "cl/api/entry.h"
#include "cl/api/pointer.h"
#include "cl/api/validate.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/refuse.h"
#include "cl/queueing/shared_memory.h"
#include "cl/queueing/terminate.h"

/* ------------------------------------------------------------ allocation */

static bool flags_are_valid(cl_svm_mem_flags flags) {
  const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const cl_svm_mem_flags known = access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  if ((flags & ~known) || ((flags & access) & ((flags & access) - 1))) return false;
  return !(flags & CL_MEM_SVM_ATOMICS) || (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER);
}

static cl_int allocate(const char *function, cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment,
                       void **out_pointer) {
  TRY(context_validate(function, context));
  TRY(validate_sharing(function, context));
  REQUIRE(flags_are_valid(flags), function, context, CL_INVALID_VALUE, "flags 0x%llx are unknown or exclude each other",
          (unsigned long long)flags);
  REQUIRE(shared_memory_size_is_valid(context, size), function, context, CL_INVALID_BUFFER_SIZE,
          "not every device can allocate %zu bytes", size);
  REQUIRE(shared_memory_alignment_is_valid(alignment), function, context, CL_INVALID_VALUE,
          "an alignment of %u bytes is no power of two or too large", alignment);
  const shared_memory_t wanted = {.kind = shared_memory_svm, .size = size, .flags = flags};
  cl_int error = shared_memory_allocate(context, &wanted, alignment, out_pointer);
  REQUIRE(error == CL_SUCCESS, function, context, error, "%zu bytes could not be allocated", size);
  return CL_SUCCESS;
}

CL_ENTRY void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  void *pointer = NULL;
  return allocate(__func__, context, flags, size, alignment, &pointer) == CL_SUCCESS ? pointer : NULL;
}

CL_ENTRY void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer) {
  if (context_is_valid(context)) (void)shared_memory_free(context, svm_pointer, true);
}

/* ------------------------------------------------------------ enqueued freeing */

typedef void(CL_CALLBACK *free_function_t)(cl_command_queue queue, cl_uint count, void *pointers[], void *user_data);

/** What clEnqueueSVMFree has to do when its turn comes. */
typedef struct free_task_t {
  cl_command_queue queue;
  /** Null: the driver frees. */
  free_function_t function;
  void *user_data;
  atomic_bool *entered;
  cl_uint count;
  void *pointers[];
} free_task_t;

static void run_free_task(mux_queue_t mux_queue, mux_command_buffer_t commands, void *data) {
  (void)mux_queue, (void)commands;
  free_task_t *task = data;
  if (task->function) {
    atomic_store_explicit(task->entered, true, memory_order_relaxed);
    task->function(task->queue, task->count, task->pointers, task->user_data);
    return;
  }
  for (cl_uint i = 0; i < task->count; i++) {
    (void)shared_memory_free(queue_context(task->queue), task->pointers[i], true);
  }
}

static void release_task(void *data, cl_int status) {
  (void)status;
  free(data);
}

static cl_int record_free(command_t *command, free_task_t *task) {
  cl_int error = command_on_completion(command, release_task, task);
  if (error != CL_SUCCESS) {
    free(task);
    return error;
  }
  task->entered = command_entered(command);
  return error_from_mux(muxCommandUserCallback(enqueue_command_buffer(command), run_free_task, task, 0, NULL, NULL),
                        CL_OUT_OF_RESOURCES);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                             void *svm_pointers[],
                                             void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue,
                                                                              cl_uint num_svm_pointers,
                                                                              void *svm_pointers[], void *user_data),
                                             void *user_data, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SVM_FREE, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  cl_context context = queue_context(command_queue);
  TRY(validate_sharing(__func__, context));
  REQUIRE(!num_svm_pointers == !svm_pointers, __func__, context, CL_INVALID_VALUE,
          "svm_pointers is null and num_svm_pointers is not 0, or the other way round");
  free_task_t *task = malloc(sizeof *task + num_svm_pointers * sizeof *svm_pointers);
  REQUIRE(task, __func__, context, CL_OUT_OF_HOST_MEMORY, "out of memory");
  *task = (free_task_t){
      .queue = command_queue, .function = pfn_free_func, .user_data = user_data, .count = num_svm_pointers};
  if (num_svm_pointers) memcpy(task->pointers, svm_pointers, num_svm_pointers * sizeof *svm_pointers);

  command_t *command;
  cl_int error = enqueue_begin(&enqueue, &command);
  if (error != CL_SUCCESS) {
    free(task);
    return error;
  }
  return enqueue_end(command, record_free(command, task), CL_FALSE);
}

/* ------------------------------------------------------------ copies and fills */

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr,
                                               const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SVM_MEMCPY, num_events_in_wait_list, event_wait_list, event};
  return enqueue_pointer_copy(__func__, &enqueue, blocking_copy, dst_ptr, src_ptr, size);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr, const void *pattern,
                                                size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SVM_MEMFILL, num_events_in_wait_list, event_wait_list, event};
  return enqueue_pointer_fill(__func__, &enqueue, svm_ptr, pattern, pattern_size, size);
}

/* ------------------------------------------------------------ mapping and migration */

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags,
                                            void *svm_ptr, size_t size, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SVM_MAP, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  cl_context context = queue_context(command_queue);
  TRY(validate_sharing(__func__, context));
  REQUIRE(svm_ptr && size, __func__, context, CL_INVALID_VALUE, "svm_ptr is null or size is 0");
  REQUIRE(map_flags_are_valid(flags), __func__, context, CL_INVALID_VALUE,
          "map flags 0x%llx are unknown or exclude each other", (unsigned long long)flags);
  return enqueue_nothing(&enqueue, blocking_map);
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr,
                                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                              cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SVM_UNMAP, num_events_in_wait_list, event_wait_list, event};
  TRY(enqueue_validate(&enqueue));
  cl_context context = queue_context(command_queue);
  TRY(validate_sharing(__func__, context));
  REQUIRE(svm_ptr, __func__, context, CL_INVALID_VALUE, "svm_ptr is null");
  return enqueue_nothing(&enqueue, CL_FALSE);
}

/** CL_INVALID_VALUE: bytes that no allocation has. */
static cl_int validate_migration(const char *function, cl_context context, cl_uint index, const void *pointer,
                                 size_t size) {
  shared_memory_t memory;
  REQUIRE(shared_memory_find(context, pointer, &memory), function, context, CL_INVALID_VALUE,
          "entry %u, %p, is in no allocation", index, pointer);
  size_t offset = (size_t)((const char *)pointer - memory.base);
  REQUIRE(range_is_inside(offset, size, memory.size), function, context, CL_INVALID_VALUE,
          "the %zu bytes of entry %u leave its allocation", size, index);
  return CL_SUCCESS;
}

CL_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                                   const void **svm_pointers, const size_t *sizes,
                                                   cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list, cl_event *event) {
  const enqueue_t enqueue = {command_queue, CL_COMMAND_SVM_MIGRATE_MEM, num_events_in_wait_list, event_wait_list,
                             event};
  TRY(enqueue_validate(&enqueue));
  cl_context context = queue_context(command_queue);
  TRY(validate_sharing(__func__, context));
  REQUIRE(num_svm_pointers && svm_pointers, __func__, context, CL_INVALID_VALUE, "no pointers are given");
  REQUIRE(migration_flags_are_valid(flags), __func__, context, CL_INVALID_VALUE, "unknown flags 0x%llx",
          (unsigned long long)flags);
  for (cl_uint i = 0; i < num_svm_pointers; i++) {
    TRY(validate_migration(__func__, context, i, svm_pointers[i], sizes ? sizes[i] : 0));
  }
  return enqueue_nothing(&enqueue, CL_FALSE);
}
