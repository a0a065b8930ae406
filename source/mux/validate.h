/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Shared validation of the Mux entry points: refuse with a reason, or go on. */
#ifndef MUX_VALIDATE_H
#define MUX_VALIDATE_H

#include "base/memory.h"
#include "mux/mux.h"
#include "mux/target.h"

/** Notes why `function` is refused (category `api` of QUERN_DEBUG) and returns `result`. */
__attribute__((cold, noinline)) mux_result_t mux_refuse(const char *function, mux_result_t result, const char *reason);

/** Leaves the entry point with `result` unless `condition` holds. */
#define MUX_REQUIRE_OR(condition, result, reason)                                           \
  do {                                                                                      \
    if (__builtin_expect(!(condition), 0)) return mux_refuse(__func__, (result), (reason)); \
  } while (0)
#define MUX_REQUIRE(condition, reason) MUX_REQUIRE_OR(condition, mux_error_invalid_value, reason)
#define MUX_REQUIRE_OUTPUT(pointer) MUX_REQUIRE_OR((pointer) != NULL, mux_error_null_out_parameter, #pointer " is null")
#define MUX_REQUIRE_FEATURE(condition, reason) MUX_REQUIRE_OR(condition, mux_error_feature_unsupported, reason)
#define MUX_REQUIRE_ALLOCATOR(allocator) \
  MUX_REQUIRE_OR((allocator).alloc && (allocator).free, mux_error_null_allocator_callback, "alloc or free is null")

/** `handle` is of the kind and of any target. */
#define MUX_REQUIRE_HANDLE(handle, kind) \
  MUX_REQUIRE(mux_handle_is((handle), mux_object_id_##kind), #handle " is no valid " #kind)
/** `handle` is of the kind and of the same target as the handle `other`, which was checked. */
#define MUX_REQUIRE_PEER(handle, kind, other) \
  MUX_REQUIRE(mux_handle_is_peer((handle), mux_object_id_##kind, (other)->id), #handle " is no valid " #kind)

/** In a destroy function, which has no result: ignores the call unless `object` may be destroyed through `owner`. */
#define MUX_REQUIRE_DESTROYABLE(owner, owner_kind, object, kind, allocator)                   \
  do {                                                                                        \
    if (mux_handle_is((owner), mux_object_id_##owner_kind) &&                                 \
        mux_handle_is_peer((object), mux_object_id_##kind, (owner)->id) && (allocator).free)  \
      break;                                                                                  \
    mux_refuse(__func__, mux_error_invalid_value, #owner ", " #object " or free is invalid"); \
    return;                                                                                   \
  } while (0)

/** The wait list of a muxCommand function, whose parameters have the names of MUX_SYNC_PARAMETERS. */
#define MUX_REQUIRE_SYNC_POINTS(command_buffer)                                                                \
  MUX_REQUIRE(mux_sync_points_are_valid((command_buffer), num_sync_points_in_wait_list, sync_point_wait_list), \
              "the sync-point wait list is invalid")

/** The target of an id whose low half was checked. */
static inline const mux_target_t *mux_target_find(mux_id_t id) { return mux_targets[mux_id_target(id) - 1]; }

/* Every object begins with its id, whatever else it is: that is all these two look at. */

static inline bool mux_handle_is(const void *handle, mux_object_id_e kind) {
  if (!handle) return false;
  const mux_id_t id = *(const mux_id_t *)handle;
  return mux_id_object(id) == (mux_object_id_t)kind && mux_id_target(id) - 1 < mux_targets_length;
}

static inline bool mux_handle_is_peer(const void *handle, mux_object_id_e kind, mux_id_t other) {
  return handle && *(const mux_id_t *)handle == mux_id_make(kind, mux_id_target(other));
}

static inline bool mux_sync_points_are_valid(mux_command_buffer_t command_buffer, uint32_t length,
                                             const mux_sync_point_t *list) {
  if (!length || !list) return !length && !list;
  for (uint32_t i = 0; i < length; i++) {
    if (!mux_handle_is_peer(list[i], mux_object_id_sync_point, command_buffer->id)) return false;
    if (list[i]->command_buffer != command_buffer) return false;
  }
  return true;
}

/** `[offset, offset + size)` is not empty and lies inside `[0, limit)`. */
static inline bool mux_range_is_inside(uint64_t offset, uint64_t size, uint64_t limit) {
  return size && size <= limit && offset <= limit - size;
}

/** What an object requires fits into `memory` at `offset`. */
static inline bool mux_requirements_are_met(const mux_memory_requirements_s *requirements, mux_memory_t memory,
                                            uint64_t offset) {
  return offset % requirements->alignment == 0 && mux_range_is_inside(offset, requirements->size, memory->size);
}

/** Extents and pitches of the region are sane and its source box lies inside `src_size` bytes, its destination box
 * inside `dst_size`. A side that is host memory has UINT64_MAX. */
bool mux_region_is_valid(const mux_buffer_region_info_t *region, uint64_t src_size, uint64_t dst_size);

/** Source and destination box, taken to be in one buffer, share a byte. With pitches that differ, their spans. */
bool mux_region_overlaps(const mux_buffer_region_info_t *region);

#endif
