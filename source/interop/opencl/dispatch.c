/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Enqueuing the actions of nodes, behind the events that they wait for. */
#include "interop/opencl/dispatch.h"

#include <string.h>

#include "interop/object/addresses.h"
#include "interop/opencl/image.h"

/* The native memory object behind a requirement. */
static quern_result_t native_of(const interop_node_t *node, size_t index, cl_mem *out_native) {
  const interop_requirement_t *requirement = &node->requirements.items[index];
  void *native;
  quern_result_t result = interop_copy_native(requirement->accessor.memory, requirement->copy, &native, NULL);
  if (result == quern_success) *out_native = native;
  return result;
}

static const quern_accessor_t *accessor_of(const interop_node_t *node, size_t index) {
  return &node->requirements.items[index].accessor;
}

/* ------------------------------------------------------------ kernels */

/* Whether the kernel has the value already, as most of a kernel's arguments have from launch to launch; if not, it is
 * noted that it will. Only for kernels that nobody else can set arguments of. */
static bool has_argument(quern_kernel_t kernel, uint32_t index, size_t size, const void *identity) {
  if (kernel->is_shared || index >= interop_kept_arguments || size > sizeof(kernel->kept[0].bytes)) return false;
  interop_kept_argument_t *kept = &kernel->kept[index];
  if (kept->size == size && !memcmp(kept->bytes, identity, size)) return true;
  kept->size = size;
  memcpy(kept->bytes, identity, size);
  return false;
}

/* Whatever the kernel has there, it is set the next time. */
static void forget_argument(quern_kernel_t kernel, uint32_t index) {
  if (index < interop_kept_arguments) kernel->kept[index].size = 0;
}

static quern_result_t set_native_argument(const opencl_target_t *target, quern_kernel_t kernel, uint32_t index,
                                          size_t size, const void *bytes) {
  cl_int error = target->api->SetKernelArg(kernel->native, index, size, bytes);
  if (error == CL_SUCCESS) return quern_success;
  forget_argument(kernel, index);
  return interop_fail(quern_error_backend_failure, "clSetKernelArg %u: %s (%d)", index, opencl_error_name(error),
                      error);
}

static quern_result_t set_memory_argument(const opencl_target_t *target, const interop_node_t *node,
                                          const interop_argument_t *argument) {
  const interop_requirement_t *requirement = &node->requirements.items[argument->requirement];
  void *native = NULL;
  quern_result_t result = interop_requirement_native(requirement, &native);
  if (result != quern_success) return result;
  /* Another memory object may come to be where one was. */
  const struct {
    cl_mem native;
    uint64_t id;
  } identity = {native, interop_requirement_memory(requirement)->id};
  _Static_assert(sizeof(identity) <= sizeof(node->kernel->kept[0].bytes), "fits");
  if (has_argument(node->kernel, argument->index, sizeof(identity), (const void *)&identity)) return quern_success;
  return set_native_argument(target, node->kernel, argument->index, sizeof(cl_mem), (const void *)&identity.native);
}

/* Another allocation may come to be where one was. */
static quern_result_t set_pointer_argument(const opencl_target_t *target, quern_kernel_t kernel, uint32_t index,
                                           const void *pointer) {
  const struct {
    const void *pointer;
    uint64_t generation;
  } identity = {pointer, interop_addresses_generation()};
  _Static_assert(sizeof(identity) <= sizeof(kernel->kept[0].bytes), "fits");
  if (has_argument(kernel, index, sizeof(identity), (const void *)&identity)) return quern_success;
  cl_int error = opencl_set_pointer(target->api, kernel, index, pointer);
  if (error == CL_SUCCESS) return quern_success;
  forget_argument(kernel, index);
  return interop_fail(quern_error_backend_failure, "the address as argument %u: %s (%d)", index,
                      opencl_error_name(error), error);
}

static quern_result_t set_argument(const opencl_target_t *target, const interop_node_t *node,
                                   const interop_argument_t *argument) {
  quern_kernel_t kernel = node->kernel;
  if (argument->requirement != UINT32_MAX) return set_memory_argument(target, node, argument);
  if (argument->offset == SIZE_MAX) {
    forget_argument(kernel, argument->index);
    return set_native_argument(target, kernel, argument->index, argument->size, NULL);
  }
  const void *bytes = node->argument_bytes.items + argument->offset;
  if (argument->is_pointer) {
    const void *pointer;
    memcpy((void *)&pointer, bytes, sizeof(pointer));
    return set_pointer_argument(target, kernel, argument->index, pointer);
  }
  /* Another sampler may come to be where one was. */
  if (argument->is_sampler) forget_argument(kernel, argument->index);
  if (has_argument(kernel, argument->index, argument->size, bytes)) return quern_success;
  return set_native_argument(target, kernel, argument->index, argument->size, bytes);
}

static quern_result_t count_arguments(const opencl_target_t *target, quern_kernel_t kernel) {
  cl_uint count = 0;
  if (kernel->is_counted) return quern_success;
  cl_int error = target->api->GetKernelInfo(kernel->native, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL);
  if (error != CL_SUCCESS) return opencl_fail("clGetKernelInfo", error);
  kernel->argument_count = count;
  kernel->is_counted = true;
  return quern_success;
}

static bool sets_argument(const interop_node_t *node, uint32_t index) {
  const interop_argument_t *arguments = node->arguments.items;
  /* Most set them one after the other. */
  if (index < node->arguments.count && arguments[index].index == index) return true;
  for (size_t i = 0; i < node->arguments.count; i++) {
    if (arguments[i].index == index) return true;
  }
  return false;
}

/* The native kernel has what the group before set for one that this group does not set. */
static quern_result_t check_arguments(const opencl_target_t *target, const interop_node_t *node) {
  quern_result_t result = count_arguments(target, node->kernel);
  for (uint32_t i = 0; i < node->kernel->argument_count && result == quern_success; i++) {
    if (!sets_argument(node, i)) {
      result = interop_fail(quern_error_invalid_argument, "argument %u of the kernel is not set", i);
    }
  }
  return result;
}

/* Arguments and launch in one: a kernel object is for one thread at a time (OpenCL 3.0, section 5.9,
 * clSetKernelArg). */
static quern_result_t enqueue_kernel(opencl_target_t *target, const interop_node_t *node) {
  quern_result_t result = quern_success;
  const quern_range_t *range = &node->range;
  interop_indirect_t old = {NULL, 0};
  pthread_mutex_lock(&node->kernel->lock);
  for (size_t i = 0; i < node->arguments.count && result == quern_success; i++) {
    result = set_argument(target, node, &node->arguments.items[i]);
  }
  if (result == quern_success) result = check_arguments(target, node);
  if (result == quern_success) result = opencl_tell_indirect(target->api, node, &old);
  if (result == quern_success) {
    cl_int error =
        target->api->EnqueueNDRangeKernel(target->queue, node->kernel->native, range->dimensions, range->offset,
                                          range->global, range->local[0] ? range->local : NULL, OPENCL_WAITS(target));
    result = opencl_check("clEnqueueNDRangeKernel", error);
  }
  pthread_mutex_unlock(&node->kernel->lock);
  opencl_drop_indirect(&old);
  return result;
}

/* ------------------------------------------------------------ memory */

static quern_result_t enqueue_copy(opencl_target_t *target, const interop_node_t *node) {
  const quern_accessor_t *from = accessor_of(node, node->from), *to = accessor_of(node, node->to);
  cl_mem from_native = NULL, to_native = NULL;
  quern_result_t result = native_of(node, node->from, &from_native);
  if (result == quern_success) result = native_of(node, node->to, &to_native);
  if (result != quern_success) return result;
  if (from->memory->is_image) {
    const opencl_region_t region = opencl_region_of(from->memory);
    return opencl_check("clEnqueueCopyImage",
                        target->api->EnqueueCopyImage(target->queue, from_native, to_native, region.origin,
                                                      region.origin, region.size, OPENCL_WAITS(target)));
  }
  return opencl_check("clEnqueueCopyBuffer",
                      target->api->EnqueueCopyBuffer(target->queue, from_native, to_native, from->offset, to->offset,
                                                     from->size, OPENCL_WAITS(target)));
}

static quern_result_t enqueue_read(opencl_target_t *target, const quern_memory_t memory, cl_mem native, size_t offset,
                                   size_t size, void *host) {
  const opencl_region_t region = opencl_region_of(memory);
  if (memory->is_image) {
    return opencl_check("clEnqueueReadImage",
                        target->api->EnqueueReadImage(target->queue, native, CL_FALSE, region.origin, region.size, 0, 0,
                                                      host, OPENCL_WAITS(target)));
  }
  return opencl_check("clEnqueueReadBuffer", target->api->EnqueueReadBuffer(target->queue, native, CL_FALSE, offset,
                                                                            size, host, OPENCL_WAITS(target)));
}

static quern_result_t enqueue_write(opencl_target_t *target, const quern_memory_t memory, cl_mem native, size_t offset,
                                    size_t size, const void *host) {
  const opencl_region_t region = opencl_region_of(memory);
  if (memory->is_image) {
    return opencl_check("clEnqueueWriteImage",
                        target->api->EnqueueWriteImage(target->queue, native, CL_FALSE, region.origin, region.size, 0,
                                                       0, host, OPENCL_WAITS(target)));
  }
  return opencl_check("clEnqueueWriteBuffer", target->api->EnqueueWriteBuffer(target->queue, native, CL_FALSE, offset,
                                                                              size, host, OPENCL_WAITS(target)));
}

static quern_result_t enqueue_read_action(opencl_target_t *target, const interop_node_t *node) {
  const quern_accessor_t *from = accessor_of(node, node->from);
  cl_mem native = NULL;
  quern_result_t result = native_of(node, node->from, &native);
  if (result != quern_success) return result;
  return enqueue_read(target, from->memory, native, from->offset, from->size, node->host_memory);
}

static quern_result_t enqueue_write_action(opencl_target_t *target, const interop_node_t *node) {
  const quern_accessor_t *to = accessor_of(node, node->to);
  cl_mem native = NULL;
  quern_result_t result = native_of(node, node->to, &native);
  if (result != quern_success) return result;
  return enqueue_write(target, to->memory, native, to->offset, to->size, node->source_memory);
}

static quern_result_t enqueue_fill(opencl_target_t *target, const interop_node_t *node) {
  const quern_accessor_t *to = accessor_of(node, node->to);
  cl_mem native = NULL;
  quern_result_t result = native_of(node, node->to, &native);
  if (result != quern_success) return result;
  return opencl_check(
      "clEnqueueFillBuffer",
      target->api->EnqueueFillBuffer(target->queue, native, node->argument_bytes.items, node->argument_bytes.count,
                                     to->offset, to->size, OPENCL_WAITS(target)));
}

/* ------------------------------------------------------------ transfers */

/* The storage is the host's: a mapping makes what the device wrote visible, or the device see what the host has
 * (OpenCL 3.0, section 5.2.1, CL_MEM_USE_HOST_PTR). What is mapped for writing only is not read from the device. */
static quern_result_t enqueue_mapping(opencl_target_t *target, interop_node_t *node, cl_mem native) {
  cl_map_flags flags = node->direction == interop_to_host ? CL_MAP_READ : CL_MAP_WRITE_INVALIDATE_REGION;
  cl_int error;
  void *pointer = target->api->EnqueueMapBuffer(target->queue, native, CL_FALSE, flags, node->begin,
                                                node->end - node->begin, OPENCL_WAITS(target), &error);
  if (error != CL_SUCCESS) return opencl_fail("clEnqueueMapBuffer", error);
  cl_event mapped = target->event;
  target->event = NULL;
  node->companion = mapped;
  error = target->api->EnqueueUnmapMemObject(target->queue, native, pointer, 1, &mapped, &target->event);
  atomic_fetch_add_explicit(&node->memory->map_total, 1, memory_order_relaxed);
  return opencl_check("clEnqueueUnmapMemObject", error);
}

static void count_copy(const interop_node_t *node) {
  atomic_fetch_add_explicit(&node->memory->copy_total, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&node->memory->copied_bytes, node->end - node->begin, memory_order_relaxed);
}

static quern_result_t enqueue_transfer(opencl_target_t *target, interop_node_t *node) {
  size_t size = node->end - node->begin;
  void *native, *host;
  bool is_fresh;
  quern_result_t result = interop_memory_host(node->memory, &host);
  if (result == quern_success) result = interop_copy_native(node->memory, node->copy, &native, &is_fresh);
  if (result != quern_success) return result;
  /* Made of the host's storage just now, it has its contents. */
  if (is_fresh && node->direction == interop_from_host) return quern_success;
  if (node->copy->is_shared) return enqueue_mapping(target, node, native);
  count_copy(node);
  host = (char *)host + node->begin;
  if (node->direction == interop_to_host) return enqueue_read(target, node->memory, native, node->begin, size, host);
  return enqueue_write(target, node->memory, native, node->begin, size, host);
}

/* ------------------------------------------------------------ all */

quern_result_t opencl_enqueue_marker(opencl_target_t *target) {
  return opencl_check("clEnqueueMarkerWithWaitList",
                      target->api->EnqueueMarkerWithWaitList(target->queue, OPENCL_WAITS(target)));
}

/* Nothing to do, but to be complete in its turn; out of order and with nobody to wait for, that is now. */
static quern_result_t enqueue_nothing(opencl_target_t *target, const struct quern_queue_s *queue) {
  if (!target->wait_count && !interop_queue_is_in_order(queue)) return quern_success;
  return opencl_enqueue_marker(target);
}

static quern_result_t enqueue(opencl_target_t *target, interop_node_t *node, const struct quern_queue_s *queue) {
  switch (node->action) {
    case interop_action_kernel: return enqueue_kernel(target, node);
    case interop_action_copy: return enqueue_copy(target, node);
    case interop_action_read: return enqueue_read_action(target, node);
    case interop_action_write: return enqueue_write_action(target, node);
    case interop_action_fill: return enqueue_fill(target, node);
    case interop_action_transfer: return enqueue_transfer(target, node);
    case interop_action_usm_copy:
    case interop_action_usm_fill:
    case interop_action_prefetch:
    case interop_action_advise: return opencl_enqueue_usm(target, queue->context, node);
    default: return enqueue_nothing(target, queue);
  }
}

quern_result_t opencl_dispatch(interop_node_t *node, quern_queue_t queue) {
  opencl_target_t target = {.api = opencl_api_of(queue->context->state),
                            .queue = queue->native,
                            .wait_count = (cl_uint)node->waits.count,
                            .waits = node->waits.count ? (const cl_event *)(void *)node->waits.items : NULL};
  quern_result_t result = enqueue(&target, node, queue);
  if (result == quern_success) node->native = target.event;
  return result;
}
