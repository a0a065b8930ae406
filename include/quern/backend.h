/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Backends: which are listed, active and available; configuring the library. Include quern/interop.h. */
#ifndef QUERN_BACKEND_H
#define QUERN_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quern/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ at compile time
 * A macro per active backend. The host backend is always active. A program that does not want another one, or
 * that is built for a library without it, defines QUERN_WITHOUT_BACKEND_<NAME>; the library's CMake target does so. */

#define QUERN_BACKEND_HOST 1
#define QUERN_ACTIVE_host 1

#ifndef QUERN_WITHOUT_BACKEND_OPENCL
#define QUERN_BACKEND_OPENCL 1
#define QUERN_ACTIVE_opencl 1
#else
#define QUERN_ACTIVE_opencl 0
#endif

/** 1 or 0 for the name of every listed backend; may be used in `#if`: `#if QUERN_IS_ACTIVE(opencl)`. */
#define QUERN_IS_ACTIVE(name) QUERN_ACTIVE_##name

/** X(name): every backend that this version knows, active or not. Platforms are listed in this order. */
#define QUERN_BACKEND_LIST(X) X(host) X(opencl)

typedef enum quern_backend_e {
#define QUERN_BACKEND_ENUM(name) quern_backend_##name,
  QUERN_BACKEND_LIST(QUERN_BACKEND_ENUM)
#undef QUERN_BACKEND_ENUM
      quern_backend_total
} quern_backend_t;

/** Bit of a backend in a set of backends, and the set of those active at compile time. */
#define QUERN_BACKEND_BIT(name) ((uint32_t)QUERN_IS_ACTIVE(name) << quern_backend_##name) |
#define QUERN_ACTIVE_BACKENDS ((uint32_t)(QUERN_BACKEND_LIST(QUERN_BACKEND_BIT) 0u))

/* ------------------------------------------------------------ configuration */

/** How the library is to work. Begin with QUERN_CONFIGURATION_INIT, so that members added later have their default. */
typedef struct quern_configuration_t {
  /** sizeof(quern_configuration_t) as the program was compiled. */
  size_t size;
  /** Set of backends that this process may use: bits 1 << quern_backend_<name>. The host backend is always in it;
   * backends that are not compiled into the library are ignored. */
  uint32_t backends;
  /** The library that has the OpenCL entry points: a file name or a path, as dlopen takes it. Null: libOpenCL.so.1,
   * the ICD loader. A driver's own library can be named, too. */
  const char *opencl_library;
  /** A file that gets the task graph, in Graphviz's language: every command group and every transfer that the library
   * adds, with what it waited for. Written as groups complete. Null: none. */
  const char *graph_file;
  /** A file that gets a timeline of groups and transfers, in the trace event format that Perfetto and Chrome open; a
   * row per queue. Null: none. Both files are closed when the process ends. */
  const char *timeline_file;
} quern_configuration_t;

#define QUERN_CONFIGURATION_INIT {sizeof(quern_configuration_t), QUERN_ACTIVE_BACKENDS, NULL, NULL, NULL}

/** Sets how the library works; without this call it uses all backends compiled into it, and the ICD loader.
 * `configuration` is copied. May be called several times; the last call counts.
 * Errors: quern_error_invalid_argument: null, a size that no version has, an empty name;
 * quern_error_not_found: a file cannot be written;
 * quern_error_invalid_operation: some backend was opened already, by any function that looks at platforms, devices or
 * availability. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_configure(const quern_configuration_t *configuration);

/* ------------------------------------------------------------ at run time */

/** The backend's name, "opencl"; "unknown" for a value that is not listed. Lives as long as the process. */
QUERN_API const char *quern_backend_name(quern_backend_t backend);

/** True when the backend is compiled into the library and the configuration has it; false for a value that is not
 * listed. Opens nothing. */
QUERN_API bool quern_backend_is_active(quern_backend_t backend);

/** True when the backend is active and has at least one platform on this machine. The first call opens the backend,
 * as every function that looks at platforms does. quern_backend_check tells why not. */
QUERN_API bool quern_backend_is_available(quern_backend_t backend);

/** Success when the backend is available.
 * Errors: quern_error_invalid_argument: not listed; quern_error_backend_not_active;
 * quern_error_backend_not_available: for OpenCL, no loader, or a loader without platforms; the message tells. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_backend_check(quern_backend_t backend);

#ifdef __cplusplus
}
#endif

#endif
