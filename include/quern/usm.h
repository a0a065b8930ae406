/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Unified shared memory: allocations that have one address on the host and on devices, and groups that work with
 * addresses. Include quern/interop.h. */
#ifndef QUERN_USM_H
#define QUERN_USM_H

#include "quern/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A command group while it is being made; see quern/group.h. */
typedef struct quern_group_s *quern_group_t;

/** Who uses an allocation, as SYCL 2020 has it (section 4.8.2). Kernels of its context use all kinds. */
typedef enum quern_usm_kind_e {
  /** One device alone. */
  quern_usm_device,
  /** The host, and all devices of the context. */
  quern_usm_host,
  /** The host and one device, or all devices of the context. */
  quern_usm_shared,
  quern_usm_total
} quern_usm_kind_t;

/** What is known of an address. */
typedef struct quern_usm_facts_t {
  quern_usm_kind_t kind;
  /** The allocation's first byte and its size. */
  void *base;
  size_t size;
  /** Not retained for the caller. Device: null when the allocation is for all devices of the context. */
  quern_context_t context;
  quern_device_t device;
} quern_usm_facts_t;

/* ------------------------------------------------------------ allocations */

/** Allocates `size` bytes with undefined contents. `device`: one of the context; may be null but for quern_usm_device.
 * `alignment`: a power of two, or 0: enough for every type of OpenCL C.
 * Over OpenCL it is an allocation of cl_intel_unified_shared_memory where all devices of the platform have that.
 * Otherwise it is shared virtual memory: coarse-grained for quern_usm_device, fine-grained for the other kinds, since
 * the host uses them without mapping.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: size 0, no power of two, unlisted kind, a device
 * that is not the context's, null; quern_error_feature_not_supported: the devices have no such memory;
 * quern_error_backend_failure; quern_error_invalid_operation: called in an interop task. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_usm_allocate(quern_context_t context, quern_device_t device,
                                                             quern_usm_kind_t kind, size_t size, size_t alignment,
                                                             void **out_pointer);

/** Ends an allocation, of which `pointer` is the first byte; null does nothing. It does not wait: the memory goes when
 * the groups that require it are complete. Whoever uses it without a requirement waits for those groups first.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: no allocation of the context begins there. */
QUERN_API quern_result_t quern_usm_free(quern_context_t context, void *pointer);

/** The allocation of the context, or one that the host uses of another context, that has the address.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: null; quern_error_not_found: there is none. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_usm_find(quern_context_t context, const void *pointer,
                                                         quern_usm_facts_t *out_facts);

/** Waits until the host may use the range as `access` says: for the groups that require it. A failure to write it is
 * forgotten, as by quern_host_access_begin. Which groups come later is the caller's business. `size` 0: to the end of
 * the allocation.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: beyond the end, unlisted access, null;
 * quern_error_wrong_context: memory of one device; quern_error_invalid_operation: called in a function that the library
 * runs. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_usm_wait(quern_context_t context, const void *pointer, size_t size,
                                                         quern_access_t access);

/** The address of a buffer with unified storage (quern_memory_unified), or of a part of one. Constant until the last
 * release. Kernels of its context use it; the host does in host accesses and tasks that have the buffer.
 * Errors: quern_error_invalid_object; quern_error_invalid_argument: null; quern_error_invalid_operation: its storage is
 * not unified. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_memory_get_pointer(quern_memory_t memory, void **out_pointer);

/* ------------------------------------------------------------ groups
 * Errors as for other functions on groups: quern_error_invalid_object; quern_error_invalid_argument: null. */

/** Makes a range of memory a requirement of the group, as an accessor does: it runs when earlier groups have completed
 * that require an overlapping range and not both only read. A kernel may reach it by any way, also by addresses that it
 * finds in memory. `size` 0: to the end of the allocation.
 * - In an allocation of the queue's context, or a buffer with unified storage, failures are passed on as for memory
 *   objects, and the memory is kept until the group completes. On queues of the host, also in allocations of other
 *   contexts that the host uses.
 * - Any other memory of the host, the kind that quern_group_set_read writes and that tasks use: only the order is kept,
 *   and the memory is the caller's to keep.
 * Errors also: quern_error_invalid_argument: beyond the end of the allocation, unlisted access, size 0 of memory that
 * is no allocation; quern_error_wrong_context: an allocation of another context than that of the queue or the fallback
 * queue. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_require_pointer(quern_group_t group, const void *pointer,
                                                                      size_t size, quern_access_t access);

/** An address as argument `index` of the kernel; null is one. It is not required by that.
 * Errors also: quern_error_invalid_operation: the action is no kernel. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_argument_pointer(quern_group_t group, uint32_t index,
                                                                           const void *pointer);

/* Actions, one per group. They require nothing by themselves: order is by quern_group_require_pointer, by
 * quern_group_depend, or by an in-order queue. Addresses are of the queue's context, or of the host's memory.
 * Errors of all: quern_error_invalid_operation: the group has an action. */

/** Copies `size` bytes.
 * Errors also: quern_error_invalid_argument: no bytes, overlapping ranges. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_usm_copy(quern_group_t group, void *to, const void *from,
                                                                   size_t size);
/** Fills `size` bytes of an allocation with a pattern of 1, 2, 4, ... 128 bytes, a divisor of address and size; copied.
 * Errors also: quern_error_invalid_argument: another size of pattern, no bytes. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_usm_fill(quern_group_t group, void *to, const void *pattern,
                                                                   size_t pattern_size, size_t size);
/** Asks for `size` bytes of an allocation to be brought to the queue's device; where the backend has no such request,
 * nothing. Errors also: quern_error_invalid_argument: no bytes. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_prefetch(quern_group_t group, const void *pointer,
                                                                   size_t size);
/** Tells how `size` bytes of an allocation will be used; `advice` is the backend's number, 0: the default. Nothing
 * where the backend has no such request. Errors also: quern_error_invalid_argument: no bytes. */
QUERN_API QUERN_MUST_CHECK quern_result_t quern_group_set_advice(quern_group_t group, const void *pointer, size_t size,
                                                                 uint32_t advice);

#ifdef __cplusplus
}
#endif

#endif
