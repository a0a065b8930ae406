/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Mapped ranges of buffers and boxes of images: which exist, and what mapping and unmapping must copy or flush. */
#ifndef CL_MEMORY_MAPPING_H
#define CL_MEMORY_MAPPING_H

#include "cl/memory/image.h"
#include "cl/queueing/event.h"

typedef struct mapping_t {
  /** In the root buffer's list, or alone once unmapping is enqueued; so are the other members under its mutex. */
  list_t node;
  /** The list owns one use, each command that works on the mapping another. */
  uint32_t uses;
  /** What it was mapped through (not held: who has a use and is no list holds it), and the range in that; of an image,
   * from the first byte of the box to the last. */
  cl_mem memory;
  size_t offset, size;
  /** Of an image: the box, and the bytes from y to y + 1 and z to z + 1 at `pointer`. */
  image_box_t box;
  size_t row, slice;
  cl_map_flags flags;
  void *pointer;
  /** Of the map command, held, as long as that is not complete; null when the application waited in the call. */
  cl_event mapped;
  /** `pointer` is a copy of the bytes, read when mapping and written back when unmapping. */
  bool is_copy;
  /** `pointer` was allocated for this mapping. */
  bool owns_pointer;
} mapping_t;

/** Registers a mapping of a range inside `memory` and gives the caller a use of it. CL_INVALID_OPERATION when a range
 * would be mapped for writing twice, CL_OUT_OF_HOST_MEMORY, CL_MAP_FAILURE. */
cl_int memory_map_range(cl_mem memory, cl_map_flags flags, size_t offset, size_t size, mapping_t **out_mapping);

/** The same for a box inside an image. */
cl_int image_map_box(cl_mem image, cl_map_flags flags, const image_box_t *box, mapping_t **out_mapping);

/** Takes the latest mapping of `memory` at `pointer` out of the list; the caller owns the use that the list had. Null
 * when there is none. `out_mapped` gets the event of the map command if that may not be complete, held for the caller,
 * else null. */
mapping_t *memory_unmap_pointer(cl_mem memory, const void *pointer, cl_event *out_mapped);

/** Puts back what memory_unmap_pointer took, with its use. */
void mapping_restore(mapping_t *mapping);
/** The map command has this event; the mapping holds it until mapping_end_map. */
void mapping_begin_map(mapping_t *mapping, cl_event mapped);
/** The map command ended. A negative status removes the mapping, unless it is unmapped already. Keeps the caller's
 * use. */
void mapping_end_map(mapping_t *mapping, cl_int status);
/** One more use. */
void mapping_hold(mapping_t *mapping);
/** Gives a use back. */
void mapping_drop(mapping_t *mapping);

/** Forgets the mappings of `memory`, which is being destroyed: no command works on them, as commands hold it. */
void memory_drop_mappings(cl_mem memory);

/** Records into `command_buffer` what makes the device's bytes visible at the mapping's pointer. */
mux_result_t mapping_record_map(mapping_t *mapping, mux_command_buffer_t command_buffer);
/** Records what makes the bytes that the host wrote visible to the device. */
mux_result_t mapping_record_unmap(mapping_t *mapping, mux_command_buffer_t command_buffer);

#endif
