/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Memory objects: buffers and images whose data follow the work between contexts and the host. Include
 * quern/interop.h. */
#ifndef QUERN_MEMORY_H
#define QUERN_MEMORY_H

#include "quern/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A buffer or an image. It has one logical content. Each context that works with it has a copy, which is brought up to
 * date when a command group needs it and only then; where a device shares the host's memory, all copies are the same
 * bytes, and bringing up to date is mapping. Counted. */
typedef struct quern_memory_s *quern_memory_t;

/** How a group, or the host, uses a range of a memory object. Groups that only read a range run together; any other use
 * excludes. */
typedef enum quern_access_e {
  quern_access_read,
  /** What is not written keeps its value. */
  quern_access_write,
  quern_access_read_write,
  /** The old contents are not needed: nothing is moved for them. */
  quern_access_discard_write,
  /** Like read_write. */
  quern_access_atomic,
  quern_access_total
} quern_access_t;

enum {
  /** The initial contents are copied when the object is made; the host memory is the caller's again, and nothing is
   * written back to it. */
  quern_memory_copy_host = 1 << 0,
  /** Copies of contexts never share the host's memory, even if they could. */
  quern_memory_separate = 1 << 1,
  /** The storage of a context-bound buffer is unified memory, whose address kernels and the host share; see
   * quern_memory_get_pointer. Only with a bound context. */
  quern_memory_unified = 1 << 2
};
typedef uint32_t quern_memory_flags_t;

/** Begin with QUERN_MEMORY_OPTIONS_INIT. */
typedef struct quern_memory_options_t {
  /** sizeof(quern_memory_options_t) as the program was compiled. */
  size_t size;
  quern_memory_flags_t flags;
  /** The one context in which the object may be used: its data is never moved to another one. Null: any. */
  quern_context_t bound_context;
} quern_memory_options_t;

#define QUERN_MEMORY_OPTIONS_INIT {sizeof(quern_memory_options_t), 0, NULL}

/** Layout of an image; host data are tight rows, then tight slices. */
typedef struct quern_image_layout_t {
  /** 1, 2 or 3; sizes beyond them are 1. */
  uint32_t dimensions;
  size_t width, height, depth;
  /** OpenCL's values: CL_RGBA, CL_FLOAT and so on, on every backend. */
  uint32_t channel_order, channel_type;
} quern_image_layout_t;

/** How often data had to move; see quern_memory_get_statistics. */
typedef struct quern_memory_statistics_t {
  /** Transfers that copied, and their bytes. */
  uint64_t copies, copied_bytes;
  /** Transfers that only mapped: the memory is shared. */
  uint64_t maps;
} quern_memory_statistics_t;

/** A buffer of `size` bytes. `options` may be null.
 * `host_memory` null: the library owns the memory, whose contents are undefined at first. Otherwise it has the initial
 * contents, and (unless copied, see the flags) is the library's to use until the last release, which writes the final
 * contents to it; it must stay readable and writable until then. A context-bound buffer's data is always in the
 * context: host memory is read when it is made, and written back.
 * Errors: quern_error_invalid_argument: size 0, unknown flags, copy_host without memory, unified storage of an image or
 * without a bound context, `out_buffer` null; quern_error_feature_not_supported: the context has no unified memory;
 * quern_error_invalid_object: bad bound context; quern_error_backend_failure: of a bound buffer;
 * quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_buffer_create(size_t size, void *host_memory,
                                                              const quern_memory_options_t *options,
                                                              quern_memory_t *out_buffer);

/** An image; as quern_buffer_create. Copies of contexts are always separate. Whether a device can have such an image
 * shows when a group needs it: the group then fails.
 * Errors also: quern_error_feature_not_supported: a layout whose size is not known. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_image_create(const quern_image_layout_t *layout, void *host_memory,
                                                             const quern_memory_options_t *options,
                                                             quern_memory_t *out_image);

/** A part of a buffer as a buffer: the same contents, storage and history, so that groups conflict where the ranges
 * overlap. Its native object is a sub-buffer of the buffer's. It keeps the buffer, and a part of a part is one of the
 * buffer. `size` 0: to the end.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: an image, beyond the end, null;
 * quern_error_invalid_operation: called in an interop task. Where a device cannot have a sub-buffer at that offset, the
 * groups fail that need the native object. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_buffer_create_part(quern_memory_t buffer, size_t offset, size_t size,
                                                                   quern_memory_t *out_part);
/** The buffer that it is a part of, and where; null and 0 for others. Not retained for the caller. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_get_whole(quern_memory_t memory, quern_memory_t *out_whole,
                                                                 size_t *out_offset);
/** Contexts in which it has a native object now; outputs as for quern_platform_list. Not retained for the caller: they
 * live as long as the memory object does. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_get_contexts(quern_memory_t memory, size_t capacity,
                                                                    quern_context_t *out_contexts, size_t *out_count);

QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_retain(quern_memory_t memory);

/** Gives a reference back. The last one waits for the groups that use the object if it has host memory of the caller or
 * has to write back, and writes back; otherwise it waits for nothing.
 * Errors: quern_error_invalid_object; quern_error_invalid_operation: it would have to wait, in a function that the
 * library runs: the reference is then kept; the error of a failed write-back: the object is released all the same. */
QUERN_API quern_result_t quern_memory_release(quern_memory_t memory);

/** Where the last release writes the final contents: memory of the object's size, or null for nowhere.
 * Errors also: quern_error_invalid_operation: it is a part of a buffer. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_set_write_back(quern_memory_t memory, void *destination);

/** Size of the contents in bytes. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_get_size(quern_memory_t memory, size_t *out_size);
/** The context that it is bound to, not retained for the caller; null when it is not bound. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_get_bound_context(quern_memory_t memory,
                                                                         quern_context_t *out_context);
/** Errors also: quern_error_invalid_operation: it is a buffer. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_image_get_layout(quern_memory_t image,
                                                                 quern_image_layout_t *out_layout);
/** Counts since the object was made; those of the whole buffer for a part. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_get_statistics(quern_memory_t memory,
                                                                      quern_memory_statistics_t *out_statistics);

/* ------------------------------------------------------------ access of the host */

/** The host's use of a range, from begin to end. */
typedef struct quern_host_access_s *quern_host_access_t;

/** Waits until the range may be used by the host as `access` says, and gives its address. Groups submitted meanwhile
 * wait where they conflict. Contents that a failed group left are given as they are, and its failure is forgotten:
 * later groups do not fail for it. `size` 0: to the end.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: beyond the end, unlisted access, null; part of an
 * image; quern_error_invalid_operation: called in a function that the library runs; quern_error_backend_failure: the
 * contents cannot be brought to the host. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_host_access_begin(quern_memory_t memory, quern_access_t access,
                                                                  size_t offset, size_t size, void **out_pointer,
                                                                  quern_host_access_t *out_host_access);

/** Ends it: the address is not to be used any more, and the handle neither.
 * Errors: quern_error_invalid_object; quern_error_backend_failure: what was written did not reach the context. */
QUERN_API quern_result_t quern_host_access_end(quern_host_access_t host_access);

#ifdef __cplusplus
}
#endif

#endif
