/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * fork(): the child has the forking thread alone. All locks are taken before, so that no state is half changed, and
 * given back on both sides. In the child each scheduler forgets its threads, and creates new ones when needed. It
 * forgets what was dispatched too: that is the parent's to execute and to complete. Another thread may be anywhere in
 * it, also in the callbacks, which are not called a second time; and what such a thread wrote while it held no lock may
 * have reached the child in part. Only what the forking thread itself executes, as it forks in a callback, goes on. */
#include "host/runtime/fork.h"

#include <pthread.h>

#include "host/runtime/faults/signals.h"
#include "host/runtime/faults/stop.h"
#include "host/runtime/faults/thread.h"
#include "host/runtime/machine/topology.h"
#include "host/runtime/scheduling/dispatch.h"
#include "host/runtime/scheduling/worker.h"

static pthread_mutex_t devices_mutex = PTHREAD_MUTEX_INITIALIZER;
static list_t devices = {&devices, &devices};
static pthread_once_t handlers_once = PTHREAD_ONCE_INIT;

static host_device_t *device_at(list_t *node) { return LIST_ENTRY(node, host_device_t, link); }

/* A sub-device has none of its own. */
static pthread_mutex_t *own_mutex(host_device_t *device) {
  host_scheduler_t *scheduler = &device->scheduler;
  return scheduler->mutex == &scheduler->own_mutex ? scheduler->mutex : NULL;
}

/* Nor this one. */
static host_block_cache_t *own_cache(host_device_t *device) {
  return device == device->root ? &device->block_cache : NULL;
}

static void devices_lock(void) {
  pthread_mutex_lock(&devices_mutex);
  LIST_FOR_EACH(node, &devices) {
    pthread_mutex_t *mutex = own_mutex(device_at(node));
    if (mutex) pthread_mutex_lock(mutex);
  }
  LIST_FOR_EACH(node, &devices) {
    host_block_cache_t *cache = own_cache(device_at(node));
    if (cache) host_block_cache_lock(cache);
  }
}

static void devices_unlock(void) {
  LIST_FOR_EACH(node, &devices) {
    host_block_cache_t *cache = own_cache(device_at(node));
    if (cache) host_block_cache_unlock(cache);
  }
  LIST_FOR_EACH(node, &devices) {
    pthread_mutex_t *mutex = own_mutex(device_at(node));
    if (mutex) pthread_mutex_unlock(mutex);
  }
  pthread_mutex_unlock(&devices_mutex);
}

static void fork_prepare(void) {
  host_topology_lock();
  devices_lock();
  host_stop_lock();
  host_signals_lock();
}

static void fork_parent(void) {
  host_signals_unlock();
  host_stop_unlock();
  devices_unlock();
  host_topology_unlock();
}

static void queue_after_fork(host_queue_t *queue) {
  const host_thread_t *thread = host_thread_get();
  list_init(&queue->waiters);
  LIST_FOR_EACH_SAFE(node, &queue->incomplete) {
    host_dispatch_t *dispatch = LIST_ENTRY(node, host_dispatch_t, order_link);
    if (dispatch->thread != thread) host_dispatch_drop(dispatch);
  }
}

static void device_after_fork(host_device_t *device) {
  for (uint32_t i = 0; i < HOST_QUEUE_COUNT; ++i) queue_after_fork(&device->queues[i]);
  host_scheduler_after_fork(&device->scheduler);
}

static void fork_child(void) {
  host_stop_after_fork(&host_thread_get()->guard);
  LIST_FOR_EACH(node, &devices) device_after_fork(device_at(node));
  fork_parent();
}

/* At the end of the process, which does not end its threads. */
__attribute__((destructor)) static void devices_report(void) {
  pthread_mutex_lock(&devices_mutex);
  LIST_FOR_EACH(node, &devices) host_workers_report(&device_at(node)->scheduler);
  pthread_mutex_unlock(&devices_mutex);
}

static void handlers_install(void) { pthread_atfork(fork_prepare, fork_parent, fork_child); }

void host_fork_register(host_device_t *device) {
  pthread_once(&handlers_once, handlers_install);
  pthread_mutex_lock(&devices_mutex);
  list_append(&devices, &device->link);
  pthread_mutex_unlock(&devices_mutex);
}

void host_fork_unregister(host_device_t *device) {
  pthread_mutex_lock(&devices_mutex);
  list_remove(&device->link);
  pthread_mutex_unlock(&devices_mutex);
}
