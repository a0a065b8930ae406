/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Storage of batches. They are kept and used again, with their command buffer, semaphore, fence and arrays. */
#include "cl/queueing/batch.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cl/object/mux_error.h"
#include "cl/queueing/queue.h"

enum {
  /** More unused batches than this are destroyed. */
  pool_limit = 1024,
  /** Oldest batches that Mux has not signalled yet, of which a pool that is too full keeps so many. */
  most_passed_over = 16,
  /** Arrays larger than this are not kept with an unused batch. */
  kept_notes = 16384,
  kept_edges = 1024,
};

/* All pools, for fork. */
static struct {
  pthread_mutex_t mutex;
  list_t list;
} pools = {.mutex = PTHREAD_MUTEX_INITIALIZER, .list = {&pools.list, &pools.list}};

struct batch_pool_t {
  /** Among all pools. */
  list_t link;
  pthread_mutex_t mutex;
  /** Batches that nobody refers to, the one used last at the end. Mux may still be about to signal the last ones. */
  list_t retired;
  size_t count;
  /** Batches that somebody refers to. */
  size_t used;
};

static struct batch_pool_t *pool_create(void) {
  struct batch_pool_t *pool = malloc(sizeof *pool);
  if (!pool) return NULL;
  pthread_mutex_init(&pool->mutex, NULL);
  list_init(&pool->retired);
  pool->count = pool->used = 0;
  list_append(&pools.list, &pool->link);
  return pool;
}

/* The device's pool, made by whoever comes first; null when out of memory. */
static struct batch_pool_t *pool_of(cl_device_id device) {
  struct batch_pool_t *pool = atomic_load_explicit(&device->batches, memory_order_acquire);
  if (pool) return pool;
  pthread_mutex_lock(&pools.mutex);
  pool = atomic_load_explicit(&device->batches, memory_order_relaxed);
  if (!pool) {
    pool = pool_create();
    atomic_store_explicit(&device->batches, pool, memory_order_release);
  }
  pthread_mutex_unlock(&pools.mutex);
  return pool;
}

/* A kernel fault or the like; the target says it while the batch runs, so its queue lives. */
static void report_diagnostic(void *user_data, const char *message, const void *data, size_t size) {
  batch_t *batch = user_data;
  context_notify(queue_context(batch->queue), message, data, size);
}

static void batch_destroy(batch_t *batch) {
  mux_device_t device = batch->device->mux_device;
  if (batch->fence) muxDestroyFence(device, batch->fence, mux_allocator());
  if (batch->semaphore) muxDestroySemaphore(device, batch->semaphore, mux_allocator());
  if (batch->commands) muxDestroyCommandBuffer(device, batch->commands, mux_allocator());
  free(batch->edges);
  free(batch->semaphores);
  free(batch->notes);
  free(batch);
}

static batch_t *batch_create(cl_device_id device) {
  batch_t *batch = calloc(1, sizeof *batch);
  if (!batch) return NULL;
  batch->device = device;
  batch->diagnostics = (struct mux_callback_info_s){.callback = report_diagnostic, .user_data = batch};
  list_init(&batch->link);
  list_init(&batch->ready_link);
  list_init(&batch->dependents);
  mux_device_t mux_device = device->mux_device;
  if (muxCreateCommandBuffer(mux_device, &batch->diagnostics, mux_allocator(), &batch->commands)) goto err_create;
  if (muxCreateSemaphore(mux_device, mux_allocator(), &batch->semaphore)) goto err_create;
  if (muxCreateFence(mux_device, mux_allocator(), &batch->fence)) goto err_create;
  return batch;

err_create:
  batch_destroy(batch);
  return NULL;
}

/* The completion callback comes before the signals: until the fence is signalled, Mux still touches the three. */
static bool is_quiescent(const batch_t *batch) {
  return !batch->launched || muxTryWait(batch->mux_queue->queue, 0, batch->fence) != mux_fence_not_ready;
}

/* Counts one as used, whether there is one or not. */
static batch_t *take_retired(struct batch_pool_t *pool) {
  pthread_mutex_lock(&pool->mutex);
  pool->used++;
  list_t *node = list_last(&pool->retired);
  if (node && !is_quiescent(LIST_ENTRY(node, batch_t, link))) {
    node = list_first(&pool->retired);
    if (!is_quiescent(LIST_ENTRY(node, batch_t, link))) node = NULL;
  }
  if (node) {
    list_remove(node);
    pool->count--;
  }
  pthread_mutex_unlock(&pool->mutex);
  return node ? LIST_ENTRY(node, batch_t, link) : NULL;
}

bool batch_pool_is_idle(cl_device_id device) {
  struct batch_pool_t *pool = atomic_load_explicit(&device->batches, memory_order_acquire);
  if (!pool) return true;
  pthread_mutex_lock(&pool->mutex);
  bool idle = !pool->used;
  LIST_FOR_EACH(node, &pool->retired) {
    if (idle) idle = is_quiescent(LIST_ENTRY(node, batch_t, link));
  }
  pthread_mutex_unlock(&pool->mutex);
  return idle;
}

void batch_pools_lock(void) {
  pthread_mutex_lock(&pools.mutex);
  LIST_FOR_EACH(node, &pools.list) pthread_mutex_lock(&LIST_ENTRY(node, struct batch_pool_t, link)->mutex);
}

void batch_pools_unlock(void) {
  LIST_FOR_EACH(node, &pools.list) pthread_mutex_unlock(&LIST_ENTRY(node, struct batch_pool_t, link)->mutex);
  pthread_mutex_unlock(&pools.mutex);
}

void batch_pool_destroy(cl_device_id device) {
  struct batch_pool_t *pool = atomic_exchange(&device->batches, NULL);
  if (!pool) return;
  pthread_mutex_lock(&pools.mutex);
  list_remove(&pool->link);
  pthread_mutex_unlock(&pools.mutex);
  LIST_FOR_EACH_SAFE(node, &pool->retired) batch_destroy(LIST_ENTRY(node, batch_t, link));
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}

static bool reset_mux_objects(batch_t *batch) {
  if (muxResetCommandBuffer(batch->commands)) return false;
  if (!batch->launched) return true;
  return !muxResetSemaphore(batch->semaphore) && !muxResetFence(batch->fence);
}

static void reset_fields(batch_t *batch) {
  atomic_store_explicit(&batch->references, 1, memory_order_relaxed);
  atomic_store_explicit(&batch->early_callbacks, false, memory_order_relaxed);
  atomic_store_explicit(&batch->running, false, memory_order_relaxed);
  atomic_store_explicit(&batch->entered, false, memory_order_relaxed);
  batch->lane = batch->conditional = batch->launched = false;
  batch->user = NULL;
  batch->state = batch_open;
  batch->blockers = 0;
  atomic_store_explicit(&batch->doom, CL_COMPLETE, memory_order_relaxed);
  batch->status = CL_COMPLETE;
  batch->submit_time = 0;
}

batch_t *batch_acquire(cl_device_id device) {
  struct batch_pool_t *pool = pool_of(device);
  if (!pool) return NULL;
  batch_t *batch = take_retired(pool);
  if (batch && !reset_mux_objects(batch)) {
    batch_destroy(batch);
    batch = NULL;
  }
  if (!batch) batch = batch_create(device);
  if (!batch) {
    pthread_mutex_lock(&pool->mutex);
    pool->used--;
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
  }
  reset_fields(batch);
  device_hold(device);
  return batch;
}

void batch_ref(batch_t *batch) { atomic_fetch_add_explicit(&batch->references, 1, memory_order_relaxed); }

static void trim_arrays(batch_t *batch) {
  batch->note_count = batch->edge_count = 0;
  if (batch->note_capacity > kept_notes) {
    free(batch->notes);
    batch->notes = NULL;
    batch->note_capacity = 0;
  }
  if (batch->edge_capacity > kept_edges) {
    free(batch->edges);
    free(batch->semaphores);
    batch->edges = NULL;
    batch->semaphores = NULL;
    batch->edge_capacity = batch->semaphore_capacity = 0;
  }
}

/* Puts the batch into the pool. What is too much for it is moved to `surplus`, the oldest ones first, except for those
 * that Mux is about to signal: a thread may be held up just there, while others retire all batches that there are. */
static void retire(struct batch_pool_t *pool, batch_t *batch, list_t *surplus) {
  unsigned passed_over = 0;
  pthread_mutex_lock(&pool->mutex);
  list_append(&pool->retired, &batch->link);
  pool->used--;
  pool->count++;
  LIST_FOR_EACH_SAFE(node, &pool->retired) {
    if (pool->count <= pool_limit || passed_over == most_passed_over) break;
    if (!is_quiescent(LIST_ENTRY(node, batch_t, link))) {
      passed_over++;
      continue;
    }
    list_remove(node);
    list_append(surplus, node);
    pool->count--;
  }
  pthread_mutex_unlock(&pool->mutex);
}

void batch_unref(batch_t *batch) {
  if (atomic_fetch_sub_explicit(&batch->references, 1, memory_order_acq_rel) != 1) return;
  trim_arrays(batch);
  cl_device_id device = batch->device;
  list_t surplus;
  list_init(&surplus);
  retire(device->batches, batch, &surplus);
  LIST_FOR_EACH_SAFE(node, &surplus) batch_destroy(LIST_ENTRY(node, batch_t, link));
  device_drop(device);
}

bool batch_reserve_notes(batch_t *batch, size_t count) {
  return array_reserve(&batch->notes, &batch->note_capacity, batch->note_count + count, sizeof *batch->notes);
}

void batch_add_note(batch_t *batch, void (*function)(void *data, cl_int status), void *data) {
  batch->notes[batch->note_count++] = (note_t){.function = function, .data = data, .status = CL_COMPLETE};
}

bool batch_reserve_edges(batch_t *batch, size_t count) {
  return array_reserve(&batch->edges, &batch->edge_capacity, count, sizeof *batch->edges) &&
         array_reserve(&batch->semaphores, &batch->semaphore_capacity, count, sizeof(mux_semaphore_t));
}
