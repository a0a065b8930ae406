/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Payloads and fences behind file descriptors. */
#include "cl/semaphore/payload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/log.h"

/* ------------------------------------------------------------ payloads */

int payload_create(void) { return eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC); }

bool payload_adopt(int descriptor) {
  static const char kind[] = "anon_inode:[eventfd]";
  char path[32], target[sizeof kind] = "";
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (readlink(path, target, sizeof target) != sizeof kind - 1 || memcmp(target, kind, sizeof kind - 1)) return false;
  int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK || !fcntl(descriptor, F_SETFL, flags | O_NONBLOCK));
}

int payload_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

void payload_signal(int descriptor) {
  ssize_t written;
  do written = eventfd_write(descriptor, 1);
  while (written < 0 && errno == EINTR);
  if (written < 0) log_write(log_error, "a semaphore's payload cannot be signalled: %s", strerror(errno));
}

bool payload_take(int descriptor) {
  eventfd_t value;
  int error;
  do error = eventfd_read(descriptor, &value);
  while (error < 0 && errno == EINTR);
  return !error;
}

static bool is_readable(int descriptor) {
  struct pollfd poll_descriptor = {.fd = descriptor, .events = POLLIN};
  return poll(&poll_descriptor, 1, 0) > 0;
}

bool payload_is_signalled(int descriptor) { return is_readable(descriptor); }

/* ------------------------------------------------------------ fences */

struct fence_t {
  /** The importer's, and the watch's while that is armed or under way. */
  _Atomic uint32_t references;
  watch_t watch;
  /** Held. */
  cl_event event;
};

bool fence_is_valid(int descriptor) { return descriptor == -1 || fcntl(descriptor, F_GETFD) >= 0; }

static void drop(fence_t *fence) {
  if (atomic_fetch_sub(&fence->references, 1) != 1) return;
  if (fence->watch.descriptor >= 0) close(fence->watch.descriptor);
  object_drop(OBJECT(fence->event));
  free(fence);
}

static void fence_signalled(void *data) {
  fence_t *fence = data;
  (void)event_set_user(fence->event, CL_COMPLETE);
  drop(fence);
}

static fence_t *fence_create(cl_context context, int descriptor) {
  fence_t *fence = calloc(1, sizeof *fence);
  if (!fence) return NULL;
  fence->event = event_create_user(context);
  if (!fence->event) {
    free(fence);
    return NULL;
  }
  /* The application never sees the event. */
  object_hold(OBJECT(fence->event));
  (void)object_release_external(OBJECT(fence->event));
  atomic_init(&fence->references, 1);
  fence->watch = (watch_t){.descriptor = descriptor, .ready = fence_signalled, .data = fence};
  return fence;
}

fence_t *fence_import(cl_context context, int descriptor, cl_event *out_event) {
  fence_t *fence = fence_create(context, descriptor);
  if (!fence) return NULL;
  if (descriptor < 0 || is_readable(descriptor)) {
    (void)event_set_user(fence->event, CL_COMPLETE);
  } else {
    bool fresh;
    atomic_fetch_add(&fence->references, 1);
    if (!watch_arm(&fence->watch, &fresh)) {
      fence->watch.descriptor = -1;
      drop(fence);
      drop(fence);
      return NULL;
    }
  }
  object_hold(OBJECT(fence->event));
  *out_event = fence->event;
  return fence;
}

void fence_release(fence_t *fence, bool give_up) {
  if (give_up && watch_disarm(&fence->watch)) drop(fence);
  drop(fence);
}
