/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Semaphores and fences. */
#ifndef HOST_RUNTIME_SCHEDULING_SYNC_H
#define HOST_RUNTIME_SCHEDULING_SYNC_H

#include <stdbool.h>

#include "base/list.h"
#include "mux/mux.h"

struct host_device_t;

/** The device's scheduler guards all but `base` and `device`. */
typedef struct host_semaphore_t {
  struct mux_semaphore_s base;
  struct host_device_t *device;
  bool signalled;
  /** How the work behind it ended; valid when signalled. */
  mux_result_t result;
  /** Dispatches that wait (host_wait_node_t.link): empty once signalled, so that nothing refers to it any more. */
  list_t waits;
} host_semaphore_t;

typedef struct host_fence_t {
  struct mux_fence_s base;
  struct host_device_t *device;
  bool signalled;
  mux_result_t result;
  /** Of the dispatch that signals it, in that dispatch's queue; 0 before. */
  uint64_t ticket;
} host_fence_t;

static inline host_semaphore_t *host_semaphore(mux_semaphore_t semaphore) { return (host_semaphore_t *)semaphore; }
static inline host_fence_t *host_fence(mux_fence_t fence) { return (host_fence_t *)fence; }
/** Scheduler locked. */
static inline bool host_fence_is_signalled(const host_fence_t *fence) { return fence->signalled; }

/* Operations of mux_target_t. */
mux_result_t host_create_fence(mux_device_t device, mux_allocator_info_t allocator, mux_fence_t *out_fence);
void host_destroy_fence(mux_device_t device, mux_fence_t fence, mux_allocator_info_t allocator);
mux_result_t host_reset_fence(mux_fence_t fence);
mux_result_t host_create_semaphore(mux_device_t device, mux_allocator_info_t allocator, mux_semaphore_t *out_semaphore);
void host_destroy_semaphore(mux_device_t device, mux_semaphore_t semaphore, mux_allocator_info_t allocator);
mux_result_t host_reset_semaphore(mux_semaphore_t semaphore);

#endif
