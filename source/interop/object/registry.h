/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The one process-wide object: the configuration, and each backend opened at its first use. */
#ifndef INTEROP_OBJECT_REGISTRY_H
#define INTEROP_OBJECT_REGISTRY_H

#include "interop/object/error.h"
#include "interop/object/object.h"
#include "quern/native.h"

typedef struct interop_backend_state_s interop_backend_state_t;
struct interop_runtime_s;

/** What a backend implements; `interop_backend_<name>` in a folder of that name, listed in registry.c. Functions set
 * the calling thread's message when they fail. */
typedef struct interop_backend_s {
  /** Finds the platforms and adds them with interop_backend_add_platform; called once, under the registry's lock for
   * this backend. On failure what was added is freed by the caller. No platform at all is not a failure. */
  quern_result_t (*open)(interop_backend_state_t *state);
  /** Kinds of objects that have native ones. */
  bool has_native[quern_object_total];
  /** The rest is for backends with native devices, and null in others.
   * Takes and gives back a reference to a native device. */
  quern_result_t (*retain_device)(interop_backend_state_t *state, void *native);
  void (*release_device)(interop_backend_state_t *state, void *native);
  /** The native platform of a native device. */
  quern_result_t (*find_platform)(interop_backend_state_t *state, void *native, void **out_platform);
  /** Fills in the facts of a new device. Only running out of memory is a failure. */
  quern_result_t (*read_device)(quern_device_t device);
  /** What executes command groups (runtime.h). Null: the library itself does, on the host. */
  const struct interop_runtime_s *runtime;
} interop_backend_t;

/** The library's own; each is in a folder of its name, and which are linked is the build's choice. */
#define INTEROP_BACKEND_DECLARATION(name) extern const interop_backend_t interop_backend_##name;
QUERN_BACKEND_LIST(INTEROP_BACKEND_DECLARATION)
#undef INTEROP_BACKEND_DECLARATION

/** Constant once the backend is open. */
struct interop_backend_state_s {
  quern_backend_t id;
  const interop_backend_t *backend;
  /** Success when the backend is available; otherwise why not, with the message. */
  quern_result_t result;
  char reason[interop_message_capacity];
  quern_platform_t *platforms;
  size_t platform_count, platform_capacity;
  /** The backend's own. */
  void *data;
};

/** The state of a listed backend, opened if it was not. `result` in it tells how that went; the thread's message is
 * left alone. What failed to open is not tried again. Never null. Thread safe; cheap after the first call. */
interop_backend_state_t *interop_backend_open(quern_backend_t backend);

/** The state of a backend that is available; otherwise the error of quern_backend_check. Thread safe. */
QUERN_MUST_CHECK quern_result_t interop_backend_require(quern_backend_t backend, interop_backend_state_t **out_state);

/** Success for a backend that may be passed over when all are asked: an available or an absent one. */
QUERN_MUST_CHECK quern_result_t interop_backend_tolerate(const interop_backend_state_t *state);

/** Number of backends: values below it are backends. Grows. */
unsigned interop_backend_count(void);
/** Adds one; `name` and `backend` live as long as the process. quern_error_invalid_argument: the name is taken;
 * quern_error_invalid_operation: there is no place. */
QUERN_MUST_CHECK quern_result_t interop_backend_add(const char *name, const interop_backend_t *backend,
                                                    quern_backend_t *out_backend);

/** The backend's interface, whether it is active or not; null when it is not compiled in. */
const interop_backend_t *interop_backend_find(quern_backend_t backend);

/** Checks that the value is listed. */
QUERN_MUST_CHECK quern_result_t interop_backend_check(quern_backend_t backend);

/** Hands a platform to the state while the backend is being opened. False when out of memory; the platform is then
 * still the caller's. */
QUERN_MUST_CHECK bool interop_backend_add_platform(interop_backend_state_t *state, quern_platform_t platform);

/** The configured OpenCL library; constant once a backend is being opened. */
const char *interop_opencl_library(void);

#endif
