/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unified memory over OpenCL: cl_intel_unified_shared_memory, or shared virtual memory. */
#include <stdlib.h>
#include <string.h>

#include "interop/object/addresses.h"
#include "interop/opencl/dispatch.h"

/* ------------------------------------------------------------ which it is */

#define USM_FUNCTION_LIST(X) \
  X(HostMemAlloc)            \
  X(DeviceMemAlloc)          \
  X(SharedMemAlloc)          \
  X(MemFree)                 \
  X(SetKernelArgMemPointer)  \
  X(EnqueueMemFill)          \
  X(EnqueueMemcpy)           \
  X(EnqueueMigrateMem)       \
  X(EnqueueMemAdvise)

static bool have_extension(const struct quern_platform_s *platform) {
  for (size_t i = 0; i < platform->device_count; i++) {
    bool has = false;
    const char *extensions = platform->devices[i]->info.extensions;
    if (interop_extensions_have(extensions, "cl_intel_unified_shared_memory", &has) != quern_success || !has)
      return false;
  }
  return platform->device_count != 0;
}

static bool find_functions(const opencl_api_t *api, cl_platform_id platform, opencl_usm_t *usm) {
  void *address;
#define FIND(name)                                                                                          \
  if (!(address = api->GetExtensionFunctionAddressForPlatform(platform, "cl" #name "INTEL"))) return false; \
  memcpy((void *)&usm->name, (const void *)&address, sizeof(address));
  USM_FUNCTION_LIST(FIND)
#undef FIND
  return true;
}

quern_result_t opencl_find_usm(quern_platform_t platform) {
  const opencl_api_t *api = opencl_api_of(platform->state);
  if (!api->GetExtensionFunctionAddressForPlatform || !have_extension(platform)) return quern_success;
  opencl_usm_t *usm = calloc(1, sizeof(*usm));
  if (!usm) return interop_fail_memory();
  if (find_functions(api, platform->native, usm)) {
    platform->backend_data = usm;
  } else {
    free(usm);
  }
  return quern_success;
}

static cl_device_svm_capabilities svm_of(const struct quern_context_s *context) {
  const opencl_api_t *api = opencl_api_of(context->state);
  bool has_functions = api->SVMAlloc && api->SVMFree && api->SetKernelArgSVMPointer && api->SetKernelExecInfo &&
                       api->EnqueueSVMMemcpy && api->EnqueueSVMMemFill;
  cl_device_svm_capabilities all = has_functions ? ~(cl_device_svm_capabilities)0 : 0;
  for (size_t i = 0; i < context->device_count; i++) all &= context->devices[i]->info.svm_capabilities;
  return all;
}

/* ------------------------------------------------------------ allocations */

static quern_result_t allocate_usm(const opencl_usm_t *usm, quern_context_t context, quern_device_t device, int kind,
                                   size_t size, cl_uint alignment, void **out_pointer) {
  cl_device_id native = device ? device->native : NULL;
  cl_int error = CL_SUCCESS;
  const char *function = "clSharedMemAllocINTEL";
  switch (kind) {
    case quern_usm_device:
      function = "clDeviceMemAllocINTEL";
      *out_pointer = usm->DeviceMemAlloc(context->native, native, NULL, size, alignment, &error);
      break;
    case quern_usm_host:
      function = "clHostMemAllocINTEL";
      *out_pointer = usm->HostMemAlloc(context->native, NULL, size, alignment, &error);
      break;
    default: *out_pointer = usm->SharedMemAlloc(context->native, native, NULL, size, alignment, &error);
  }
  return opencl_check(function, error);
}

static quern_result_t allocate_svm(quern_context_t context, int kind, size_t size, cl_uint alignment,
                                   void **out_pointer) {
  cl_device_svm_capabilities svm = svm_of(context);
  bool is_fine = svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER,
       is_for_host = kind == quern_usm_host || kind == quern_usm_shared;
  if (!(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) || (is_for_host && !is_fine)) {
    return interop_fail(quern_error_feature_not_supported, "the devices have no %s memory with the host",
                        is_for_host ? "fine-grained shared virtual" : "shared virtual");
  }
  cl_svm_mem_flags flags = CL_MEM_READ_WRITE | (is_fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
  *out_pointer = opencl_api_of(context->state)->SVMAlloc(context->native, flags, size, alignment);
  return *out_pointer ? quern_success
                      : interop_fail(quern_error_backend_failure, "clSVMAlloc of %zu bytes, aligned to %u, gives none",
                                     size, alignment);
}

quern_result_t opencl_allocate(quern_context_t context, quern_device_t device, int kind, size_t size, size_t alignment,
                               void **out_pointer) {
  const opencl_usm_t *usm = opencl_usm_of(context);
  if (alignment > (cl_uint)1 << 31) {
    return interop_fail(quern_error_invalid_argument, "an alignment of %zu is too large", alignment);
  }
  if (usm) return allocate_usm(usm, context, device, kind, size, (cl_uint)alignment, out_pointer);
  return allocate_svm(context, kind, size, (cl_uint)alignment, out_pointer);
}

void opencl_deallocate(quern_context_t context, void *pointer) {
  const opencl_usm_t *usm = opencl_usm_of(context);
  if (usm) {
    (void)usm->MemFree(context->native, pointer);
  } else {
    opencl_api_of(context->state)->SVMFree(context->native, pointer);
  }
}

/* ------------------------------------------------------------ kernels */

cl_int opencl_set_pointer(const opencl_api_t *api, quern_kernel_t kernel, uint32_t index, const void *pointer) {
  const opencl_usm_t *usm = opencl_usm_of(kernel->context);
  if (usm) return usm->SetKernelArgMemPointer(kernel->native, index, pointer);
  if (api->SetKernelArgSVMPointer) return api->SetKernelArgSVMPointer(kernel->native, index, pointer);
  return CL_INVALID_OPERATION;
}

static bool is_argument(const interop_node_t *node, const struct quern_memory_s *memory) {
  for (size_t i = 0; i < node->arguments.count; i++) {
    const interop_argument_t *argument = &node->arguments.items[i];
    uintptr_t pointer;
    if (!argument->is_pointer) continue;
    memcpy(&pointer, node->argument_bytes.items + argument->offset, sizeof(pointer));
    if (pointer - (uintptr_t)memory->storage->bytes < memory->size) return true;
  }
  return false;
}

static bool is_indirect(const interop_node_t *node, const struct quern_memory_s *memory) {
  return memory->storage && memory->storage->context == node->context && !is_argument(node, memory);
}

static quern_result_t collect_indirect(const interop_node_t *node, interop_indirect_t *indirect) {
  *indirect = (interop_indirect_t){NULL, 0};
  for (size_t i = 0; i < node->requirements.count; i++) {
    quern_memory_t memory = node->requirements.items[i].accessor.memory;
    if (!is_indirect(node, memory)) continue;
    if (!indirect->items) indirect->items = calloc(node->requirements.count, sizeof(quern_memory_t));
    if (!indirect->items) return interop_fail_memory();
    interop_memory_hold(memory);
    indirect->items[indirect->count++] = memory;
  }
  return quern_success;
}

static quern_result_t tell(const opencl_api_t *api, quern_kernel_t kernel, const interop_indirect_t *indirect) {
  cl_kernel_exec_info name =
      opencl_usm_of(kernel->context) ? CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL : CL_KERNEL_EXEC_INFO_SVM_PTRS;
  void **pointers = calloc(indirect->count, sizeof(void *));
  if (!pointers) return interop_fail_memory();
  for (size_t i = 0; i < indirect->count; i++) pointers[i] = indirect->items[i]->storage->bytes;
  cl_int error = api->SetKernelExecInfo
                     ? api->SetKernelExecInfo(kernel->native, name, indirect->count * sizeof(void *), (void *)pointers)
                     : CL_INVALID_OPERATION;
  free((void *)pointers);
  return opencl_check("clSetKernelExecInfo", error);
}

static bool is_same(const interop_indirect_t *one, const interop_indirect_t *other) {
  return one->count == other->count &&
         !memcmp((const void *)one->items, (const void *)other->items, one->count * sizeof(quern_memory_t));
}

quern_result_t opencl_tell_indirect(const opencl_api_t *api, const interop_node_t *node, interop_indirect_t *out_old) {
  quern_kernel_t kernel = node->kernel;
  quern_result_t result = collect_indirect(node, out_old);
  if (result != quern_success || !out_old->count || is_same(out_old, &kernel->indirect)) return result;
  result = tell(api, kernel, out_old);
  if (result != quern_success) return result;
  const interop_indirect_t before = kernel->indirect;
  kernel->indirect = *out_old;
  *out_old = before;
  return quern_success;
}

void opencl_drop_indirect(interop_indirect_t *indirect) {
  for (size_t i = 0; i < indirect->count; i++) interop_memory_drop(indirect->items[i]);
  free((void *)indirect->items);
}

/* ------------------------------------------------------------ actions */

static quern_result_t enqueue_copy(opencl_target_t *target, const opencl_usm_t *usm, const interop_node_t *node) {
  void *to = node->host_memory;
  const void *from = node->source_memory;
  if (usm) {
    return opencl_check("clEnqueueMemcpyINTEL",
                        usm->EnqueueMemcpy(target->queue, CL_FALSE, to, from, node->usm_size, OPENCL_WAITS(target)));
  }
  return opencl_check("clEnqueueSVMMemcpy", target->api->EnqueueSVMMemcpy(target->queue, CL_FALSE, to, from,
                                                                          node->usm_size, OPENCL_WAITS(target)));
}

static quern_result_t enqueue_fill(opencl_target_t *target, const opencl_usm_t *usm, const interop_node_t *node) {
  const void *pattern = node->argument_bytes.items;
  size_t pattern_size = node->argument_bytes.count;
  if (usm) {
    return opencl_check("clEnqueueMemFillINTEL",
                        usm->EnqueueMemFill(target->queue, node->host_memory, pattern, pattern_size, node->usm_size,
                                            OPENCL_WAITS(target)));
  }
  return opencl_check("clEnqueueSVMMemFill",
                      target->api->EnqueueSVMMemFill(target->queue, node->host_memory, pattern, pattern_size,
                                                     node->usm_size, OPENCL_WAITS(target)));
}

static quern_result_t enqueue_prefetch(opencl_target_t *target, const opencl_usm_t *usm, const interop_node_t *node) {
  const void *pointer = node->source_memory;
  if (usm) {
    return opencl_check("clEnqueueMigrateMemINTEL",
                        usm->EnqueueMigrateMem(target->queue, pointer, node->usm_size, 0, OPENCL_WAITS(target)));
  }
  if (!target->api->EnqueueSVMMigrateMem) return opencl_enqueue_marker(target);
  return opencl_check(
      "clEnqueueSVMMigrateMem",
      target->api->EnqueueSVMMigrateMem(target->queue, 1, &pointer, &node->usm_size, 0, OPENCL_WAITS(target)));
}

static quern_result_t enqueue_advice(opencl_target_t *target, const opencl_usm_t *usm, const interop_node_t *node) {
  if (!usm) return opencl_enqueue_marker(target);
  return opencl_check(
      "clEnqueueMemAdviseINTEL",
      usm->EnqueueMemAdvise(target->queue, node->source_memory, node->usm_size, node->advice, OPENCL_WAITS(target)));
}

quern_result_t opencl_enqueue_usm(opencl_target_t *target, const struct quern_context_s *context,
                                  const interop_node_t *node) {
  const opencl_usm_t *usm = opencl_usm_of(context);
  if (!usm && !svm_of(context)) {
    return interop_fail(quern_error_feature_not_supported, "the devices have no unified memory");
  }
  switch (node->action) {
    case interop_action_usm_copy: return enqueue_copy(target, usm, node);
    case interop_action_usm_fill: return enqueue_fill(target, usm, node);
    case interop_action_prefetch: return enqueue_prefetch(target, usm, node);
    default: return enqueue_advice(target, usm, node);
  }
}
