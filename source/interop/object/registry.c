/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The backend registry: configuration, and opening each backend once. */
#include "interop/object/registry.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "interop/object/trace.h"
#include "quern/vendor.h"

/** Those of vendors come behind, and stay once they are there. */
enum { most_backends = quern_backend_total + quern_vendor_capacity };

static const interop_backend_t *const own_backends[quern_backend_total] = {
    [quern_backend_host] = &interop_backend_host,
#ifdef QUERN_BACKEND_OPENCL
    [quern_backend_opencl] = &interop_backend_opencl,
#endif
};

typedef struct slot_t {
  pthread_mutex_t lock;
  /** Set last, so that readers need no lock. */
  atomic_bool is_open;
  interop_backend_state_t state;
} slot_t;

/* Lives as long as the process: handles into it are everywhere. The library is linked so that it is never unloaded. */
static struct {
  slot_t slots[most_backends];
  /** Number of backends; guards what is below for readers. */
  atomic_uint count;
  const interop_backend_t *vendors[quern_vendor_capacity];
  const char *vendor_names[quern_vendor_capacity];
  /** Guards the configuration until it is `fixed`; then it is constant. */
  pthread_mutex_t lock;
  bool fixed;
  /** Set of backends; 0 (the host's bit is implied) only when configured so. */
  atomic_uint backends;
  char *opencl_library;
} registry = {
    .slots =
        {
#define SLOT(name) [quern_backend_##name] = {.lock = PTHREAD_MUTEX_INITIALIZER},
            QUERN_BACKEND_LIST(SLOT)
#undef SLOT
        },
    .count = quern_backend_total,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .backends = QUERN_ACTIVE_BACKENDS,
};

/* ------------------------------------------------------------ configuration */

static bool is_empty(const char *text) { return text && !text[0]; }

static quern_result_t check_configuration(const quern_configuration_t *configuration) {
  if (!configuration) return interop_fail(quern_error_invalid_argument, "the configuration is null");
  if (configuration->size != sizeof(*configuration)) {
    return interop_fail(quern_error_invalid_argument, "a configuration has %zu bytes, not %zu", sizeof(*configuration),
                        configuration->size);
  }
  if (is_empty(configuration->opencl_library)) {
    return interop_fail(quern_error_invalid_argument, "the name of the OpenCL library is empty");
  }
  if (is_empty(configuration->graph_file) || is_empty(configuration->timeline_file)) {
    return interop_fail(quern_error_invalid_argument, "the name of the file for graph or timeline is empty");
  }
  return quern_success;
}

quern_result_t quern_configure(const quern_configuration_t *configuration) {
  quern_result_t result = check_configuration(configuration);
  if (result != quern_success) return result;
  char *library = NULL;
  if (configuration->opencl_library && !(library = strdup(configuration->opencl_library))) return interop_fail_memory();

  pthread_mutex_lock(&registry.lock);
  if (registry.fixed) {
    result = interop_fail(quern_error_invalid_operation, "a backend is open; configure before anything else");
  } else {
    result = interop_trace_open(configuration->graph_file, configuration->timeline_file);
  }
  if (result == quern_success) {
    char *previous = registry.opencl_library;
    registry.opencl_library = library;
    library = previous;
    atomic_store(&registry.backends, configuration->backends);
  }
  pthread_mutex_unlock(&registry.lock);
  free(library);
  return result;
}

static void fix_configuration(void) {
  pthread_mutex_lock(&registry.lock);
  registry.fixed = true;
  pthread_mutex_unlock(&registry.lock);
}

const char *interop_opencl_library(void) {
  return registry.opencl_library ? registry.opencl_library : "libOpenCL.so.1";
}

bool quern_backend_is_active(quern_backend_t backend) {
  if (!interop_backend_find(backend)) return false;
  return backend == quern_backend_host || backend >= quern_backend_total ||
         (atomic_load(&registry.backends) >> backend & 1);
}

/* ------------------------------------------------------------ opening */

static void close_platforms(interop_backend_state_t *state) {
  for (size_t i = 0; i < state->platform_count; i++) interop_platform_destroy(state->platforms[i]);
  free(state->platforms);
  state->platforms = NULL;
  state->platform_count = state->platform_capacity = 0;
}

static quern_result_t open_active(interop_backend_state_t *state) {
  const char *name = quern_backend_name(state->id);
  if (!quern_backend_is_active(state->id)) {
    return interop_fail(quern_error_backend_not_active, "backend %s is not active", name);
  }
  quern_result_t result = state->backend->open(state);
  if (result == quern_success && !state->platform_count) {
    result = interop_fail(quern_error_backend_not_available, "backend %s has no platforms", name);
  }
  if (result != quern_success) close_platforms(state);
  return result;
}

static void open_slot(slot_t *slot, quern_backend_t backend) {
  /* Opening may fail without the caller's call failing: its message is not this thread's. */
  char message[interop_message_capacity];
  snprintf(message, sizeof(message), "%s", quern_last_error_message());
  interop_backend_state_t *state = &slot->state;
  fix_configuration();
  state->id = backend;
  state->backend = interop_backend_find(backend);
  state->result = open_active(state);
  if (state->result != quern_success) {
    snprintf(state->reason, sizeof(state->reason), "%s", quern_last_error_message());
    log_write(log_loader, "interop: %s", state->reason);
  }
  interop_message_set("%s", message);
}

interop_backend_state_t *interop_backend_open(quern_backend_t backend) {
  slot_t *slot = &registry.slots[backend];
  if (atomic_load_explicit(&slot->is_open, memory_order_acquire)) return &slot->state;
  pthread_mutex_lock(&slot->lock);
  if (!atomic_load_explicit(&slot->is_open, memory_order_relaxed)) {
    open_slot(slot, backend);
    atomic_store_explicit(&slot->is_open, true, memory_order_release);
  }
  pthread_mutex_unlock(&slot->lock);
  return &slot->state;
}

bool interop_backend_add_platform(interop_backend_state_t *state, quern_platform_t platform) {
  size_t needed = state->platform_count + 1;
  if (!array_reserve(&state->platforms, &state->platform_capacity, needed, sizeof(quern_platform_t))) return false;
  state->platforms[state->platform_count++] = platform;
  return true;
}

/* ------------------------------------------------------------ vendors */

unsigned interop_backend_count(void) { return atomic_load_explicit(&registry.count, memory_order_acquire); }

const char *quern_backend_name(quern_backend_t backend) {
  static const char *const names[quern_backend_total] = {
#define NAME(name) [quern_backend_##name] = #name,
      QUERN_BACKEND_LIST(NAME)
#undef NAME
  };
  if ((unsigned)backend >= interop_backend_count()) return "unknown";
  return backend < quern_backend_total ? names[backend] : registry.vendor_names[backend - quern_backend_total];
}

/* With the lock. */
static quern_result_t check_add(const char *name, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (!strcmp(quern_backend_name((quern_backend_t)i), name)) {
      return interop_fail(quern_error_invalid_argument, "there is a backend %s already", name);
    }
  }
  if (count < most_backends) return quern_success;
  return interop_fail(quern_error_invalid_operation, "there are %d backends of vendors already", quern_vendor_capacity);
}

quern_result_t interop_backend_add(const char *name, const interop_backend_t *backend, quern_backend_t *out_backend) {
  pthread_mutex_lock(&registry.lock);
  unsigned count = atomic_load(&registry.count);
  quern_result_t result = check_add(name, count);
  if (result == quern_success) {
    pthread_mutex_init(&registry.slots[count].lock, NULL);
    registry.vendors[count - quern_backend_total] = backend;
    registry.vendor_names[count - quern_backend_total] = name;
    *out_backend = (quern_backend_t)count;
    atomic_store_explicit(&registry.count, count + 1, memory_order_release);
  }
  pthread_mutex_unlock(&registry.lock);
  return result;
}

/* ------------------------------------------------------------ looking up */

const interop_backend_t *interop_backend_find(quern_backend_t backend) {
  if ((unsigned)backend >= interop_backend_count()) return NULL;
  return backend < quern_backend_total ? own_backends[backend] : registry.vendors[backend - quern_backend_total];
}

quern_result_t interop_backend_check(quern_backend_t backend) {
  if ((unsigned)backend < interop_backend_count()) return quern_success;
  return interop_fail(quern_error_invalid_argument, "%d is not a backend", (int)backend);
}

static quern_result_t fail_as_opened(const interop_backend_state_t *state) {
  return interop_fail(state->result, "%s", state->reason);
}

quern_result_t interop_backend_require(quern_backend_t backend, interop_backend_state_t **out_state) {
  quern_result_t result = interop_backend_check(backend);
  if (result != quern_success) return result;
  interop_backend_state_t *state = interop_backend_open(backend);
  if (state->result != quern_success) return fail_as_opened(state);
  *out_state = state;
  return quern_success;
}

quern_result_t interop_backend_tolerate(const interop_backend_state_t *state) {
  switch (state->result) {
    case quern_success:
    case quern_error_backend_not_active:
    case quern_error_backend_not_available: return quern_success;
    default: return fail_as_opened(state);
  }
}
