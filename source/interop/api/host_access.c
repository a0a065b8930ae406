/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The host's access to memory objects: a node that is running from begin to end. */
#include <stdlib.h>

#include "base/clock.h"
#include "interop/execution/progress.h"
#include "interop/execution/wait.h"
#include "interop/execution/worker.h"
#include "interop/graph/placement.h"
#include "interop/object/trace.h"

struct quern_host_access_s {
  interop_object_t object;
  /** It has the requirement, and holds the memory object. */
  interop_node_t *node;
  interop_requirement_t requirement;
  /** The node's queue, which is in no context of the application. */
  quern_queue_t queue;
};

/* ------------------------------------------------------------ what went before */

/* One node that the access will wait for in any case; held. Null when all are complete. Under the lock. */
static interop_node_t *find_user(const interop_segments_t *segments, size_t begin, size_t end) {
  for (size_t i = 0; i < segments->count; i++) {
    const interop_segment_t *segment = &segments->items[i];
    if (segment->end <= begin || segment->begin >= end) continue;
    interop_node_t *writer = segment->writer;
    if (writer && writer->state != interop_state_complete) return writer;
    for (size_t j = 0; j < segment->reader_count; j++) {
      interop_node_t *reader = segment->readers[j];
      if (reader->action == interop_action_transfer && reader->state != interop_state_complete) return reader;
    }
  }
  return NULL;
}

/* Waits for those who write the contents now. What they failed to do concerns nobody behind this access, which takes
 * the contents as they are; and an event that failed must not be waited for natively, since that would fail, too.
 * Writers that come meanwhile are not waited for here, but as everybody waits for them. */
static void wait_for_writers(quern_memory_t memory, size_t begin, size_t end) {
  enum { most = 64 };
  interop_graph_lock();
  for (int i = 0; i < most; i++) {
    interop_node_t *user = find_user(&memory->segments, begin, end);
    if (!user) break;
    interop_node_hold(user);
    interop_graph_unlock();
    interop_graph_wait(user);
    interop_node_drop(user);
    interop_graph_lock();
  }
  if (!find_user(&memory->segments, begin, end)) interop_placement_forgive(memory, begin, end);
  interop_graph_unlock();
}

/* ------------------------------------------------------------ begin */

/* Any context does: the node runs on no device. The host's own one always can be made. */
static quern_result_t host_queue(quern_queue_t *out_queue) {
  quern_device_t device = interop_backend_open(quern_backend_host)->platforms[0]->devices[0];
  quern_context_t context;
  quern_result_t result = quern_context_create(1, &device, NULL, NULL, &context);
  if (result != quern_success) return result;
  result = quern_queue_create(context, device, quern_queue_out_of_order, NULL, NULL, out_queue);
  quern_context_release(context);
  return result;
}

static quern_result_t check_begin(quern_memory_t memory, quern_access_t access, size_t offset, size_t *size,
                                  void *const *out_pointer, const void *out_host_access) {
  quern_result_t result = interop_task_check_wait();
  if (result == quern_success) result = interop_memory_check(memory);
  if (result == quern_success) result = interop_access_check(access);
  if (result == quern_success) result = interop_memory_range(memory, offset, size);
  if (result == quern_success && (!out_pointer || !out_host_access)) {
    result = interop_fail(quern_error_invalid_argument, "null pointer for the address or the access");
  }
  return result;
}

static quern_result_t create(const quern_accessor_t *accessor, quern_host_access_t *out_access) {
  quern_host_access_t access = calloc(1, sizeof(*access));
  if (!access) return interop_fail_memory();
  quern_result_t result = host_queue(&access->queue);
  if (result != quern_success) goto free_access;
  access->node = interop_node_create(access->queue, interop_action_host_access);
  result = access->node ? quern_success : interop_fail_memory();
  if (result != quern_success) goto release_queue;
  access->object.tag = interop_tag_host_access;
  access->requirement.accessor = *accessor;
  access->node->object.tag = interop_tag_event;
  access->node->on_host = true;
  access->node->requirements.items[access->node->requirements.count++] = (interop_requirement_t){.accessor = *accessor};
  interop_memory_hold(accessor->memory);
  *out_access = access;
  return quern_success;

release_queue:
  quern_queue_release(access->queue);
free_access:
  free(access);
  return result;
}

static void destroy(quern_host_access_t access) {
  interop_node_drop(access->node);
  quern_queue_release(access->queue);
  access->object.tag = interop_tag_none;
  free(access);
}

static quern_result_t start(quern_host_access_t access) {
  interop_node_t *node = access->node;
  interop_node_hold(node);
  interop_graph_submit(node);
  interop_graph_wait_running(node);
  interop_graph_lock();
  bool has_failed = node->state == interop_state_complete;
  interop_graph_unlock();
  if (has_failed) {
    return interop_fail(node->result, "%s", node->message ? node->message : quern_result_text(node->result));
  }
  quern_result_t result = interop_host_open(&access->requirement);
  if (result != quern_success) interop_graph_complete(node, result);
  return result;
}

quern_result_t quern_host_access_begin(quern_memory_t memory, quern_access_t access_kind, size_t offset, size_t size,
                                       void **out_pointer, quern_host_access_t *out_host_access) {
  quern_host_access_t access;
  quern_result_t result = check_begin(memory, access_kind, offset, &size, out_pointer, (const void *)out_host_access);
  if (result != quern_success) return result;
  offset += memory->whole_offset;
  memory = interop_memory_whole(memory);
  wait_for_writers(memory, offset, offset + size);
  const quern_accessor_t accessor = {memory, access_kind, offset, size, 0, quern_target_host};
  result = create(&accessor, &access);
  if (result != quern_success) return result;
  result = start(access);
  if (result != quern_success) {
    destroy(access);
    return result;
  }
  /* Of memory that the library does not know, the offset is the address. */
  *out_pointer = (void *)((uintptr_t)access->requirement.host + offset);
  *out_host_access = access;
  return quern_success;
}

/* ------------------------------------------------------------ end */

quern_result_t quern_host_access_end(quern_host_access_t access) {
  quern_result_t result = interop_object_check(access, interop_tag_host_access, "host access");
  if (result != quern_success) return result;
  result = interop_host_close(&access->requirement);
  if (interop_trace_is_on()) access->node->ended_ns = clock_now_ns();
  interop_graph_complete(access->node, result);
  destroy(access);
  return result;
}
