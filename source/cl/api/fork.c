/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Locks around fork(), in the order of docs/locking.md. */
#include "cl/api/fork.h"

#include <pthread.h>

#include "cl/device/device.h"
#include "cl/program/specializer.h"
#include "cl/queueing/batch.h"
#include "cl/queueing/context_fork.h"
#include "cl/queueing/implicit_flush.h"
#include "cl/queueing/sub_device.h"
#include "cl/queueing/watch.h"
#include "compiler/compiler.h"

static pthread_once_t install_once = PTHREAD_ONCE_INIT;

static void lock_all(void) {
  specializer_pause();
  contexts_lock();
  platform_lock();
  sub_devices_lock();
  batch_pools_lock();
  watcher_lock();
  implicit_flush_lock();
  compiler_before_fork();
}

static void unlock_all(bool is_child) {
  compiler_after_fork(is_child);
  implicit_flush_unlock();
  watcher_unlock();
  batch_pools_unlock();
  sub_devices_unlock();
  platform_unlock();
  contexts_unlock();
  specializer_resume();
}

static void unlock_parent(void) { unlock_all(false); }

/* The target's handler was installed first, and so is done. */
static void unlock_child(void) {
  specializer_forget();
  watcher_forget();
  implicit_flush_abandon();
  contexts_abandon();
  unlock_all(true);
}

static void install(void) { pthread_atfork(lock_all, unlock_parent, unlock_child); }

void fork_handlers_install(void) { pthread_once(&install_once, install); }
