/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The head of every OpenCL object, its two reference counts, and the checks of handles. */
#ifndef CL_OBJECT_OBJECT_H
#define CL_OBJECT_OBJECT_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

/** Kind of an object; the value is its magic word while it lives. */
typedef enum object_kind_e {
  object_kind_platform = 0x516e5001,
  object_kind_device = 0x516e5002,
  object_kind_context = 0x516e5003,
  object_kind_queue = 0x516e5004,
  object_kind_event = 0x516e5005,
  object_kind_memory = 0x516e5006,
  object_kind_sampler = 0x516e5007,
  object_kind_program = 0x516e5008,
  object_kind_kernel = 0x516e5009,
  object_kind_command_buffer = 0x516e5010,
  object_kind_semaphore = 0x516e5012,
  /** A command in a command buffer. */
  object_kind_command = 0x516e5011,
  /** Freed: no handle check accepts it. */
  object_kind_dead = 0x516edead,
} object_kind_e;

typedef struct object_t object_t;

/** The first word of every object points here: the table of entry points (icd/dispatch.c). */
extern const struct _cl_icd_dispatch icd_dispatch;

/** First member of every `_cl_*` struct. The ICD contract asks for the dispatch table in the first word. */
struct object_t {
  const struct _cl_icd_dispatch *dispatch;
  /** The second word of the contract's version 2: the loader's own. */
  void *dispatch_data;
  _Atomic uint32_t kind;
  /** What the application holds (clRetain*, clRelease*, CL_*_REFERENCE_COUNT). All of it together owns one internal
   * reference. */
  _Atomic uint32_t external_count;
  /** What the driver holds. The object is destroyed when this falls to zero. */
  _Atomic uint32_t internal_count;
  /** Frees the object and what it holds; called once, with no lock held. */
  void (*destroy)(object_t *object);
};

/** Initialises the head with external and internal count 1. */
void object_init(object_t *object, object_kind_e kind, void (*destroy)(object_t *object));

/** What `dispatch_data` of objects that are made from now on shall be (cl_khr_icd 2); of an object that exists. */
void object_set_dispatch_data(void *dispatch_data);
void object_adopt_dispatch_data(object_t *object);

/** True when `handle` is not null and its head says that it is a living object of this kind. It lives while the
 * application or another object refers to it: a context until its objects are gone (4.4, clReleaseContext), a program
 * until its kernels are (5.8.2, clReleaseProgram), a buffer until its sub-buffers are; queries give such handles out.
 * Best effort: reading a freed handle is undefined, but says no as long as object_free() keeps it. */
bool object_is(const void *handle, object_kind_e kind);

/** Application-side counts. Retain refuses an object that is being destroyed, and a count that would overflow (false).
 * An object that only others refer to becomes the application's again. */
bool object_retain_external(object_t *object);
/** False when the external count was zero already. The last one drops the internal reference behind it. */
bool object_release_external(object_t *object);

/** Driver-side counts. */
void object_hold(object_t *object);
void object_drop(object_t *object);
/** Frees the memory of an object that is destroyed, when some more of its kind have been: programs release objects once
 * too often, mostly at their end, and loaders jump through an object's first word before it can be checked. Thread
 * safe. */
void object_free(object_t *object, object_kind_e kind);
/** Frees what object_free() still keeps; for who counts memory. Thread safe. */
void object_free_kept(void);
/** Holds an object that is found through a list which does not hold it; false when it is being destroyed. */
bool object_try_hold(object_t *object);

#define OBJECT(handle) (&(handle)->object)

/** Symbolic name of an OpenCL error code. */
const char *error_name(cl_int code);

/** Passes an error on. */
#define TRY(expression)                              \
  do {                                               \
    cl_int try_error_ = (expression);                \
    if (try_error_ != CL_SUCCESS) return try_error_; \
  } while (0)

/** Answers one clGet*Info query: copies `size` bytes of `value` if the application's buffer holds them.
 * CL_INVALID_VALUE when it is too small. `out_value` and `out_size` may be null. */
cl_int info_answer(size_t capacity, void *out_value, size_t *out_size, const void *value, size_t size);
/** The same for a string, its NUL included. */
cl_int info_answer_string(size_t capacity, void *out_value, size_t *out_size, const char *string);

#endif
