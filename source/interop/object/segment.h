/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A memory object's ranges: who used them last, and where their newest contents are. Under the graph's lock. */
#ifndef INTEROP_OBJECT_SEGMENT_H
#define INTEROP_OBJECT_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>

struct quern_event_s;
typedef struct quern_event_s interop_node_t;

/** A location that has the newest contents. */
typedef struct interop_place_t {
  size_t location;
  /** The transfer that brought them, held; null: the segment's writer, or always there. */
  interop_node_t *producer;
} interop_place_t;

/** A range of bytes all of which have the same history. */
typedef struct interop_segment_t {
  size_t begin, end;
  /** Who wrote last, and who read since then, transfers included; held. */
  interop_node_t *writer;
  interop_node_t **readers;
  size_t reader_count, reader_capacity;
  /** None: the contents are undefined. */
  interop_place_t *places;
  size_t place_count, place_capacity;
  /** The host has seen what failed nodes left; their failure concerns nobody any more. */
  bool is_forgiven;
} interop_segment_t;

/** All of an object, by address, without gaps. */
typedef struct interop_segments_t {
  interop_segment_t *items;
  size_t count, capacity;
} interop_segments_t;

/** One segment of `size` bytes, with undefined contents. False when out of memory. */
bool interop_segments_init(interop_segments_t *segments, size_t size);
void interop_segments_free(interop_segments_t *segments);

/** Makes [begin, end) consist of whole segments, and tells the first one's index and their number. False when out of
 * memory: nothing has changed then but divisions. */
bool interop_segments_cut(interop_segments_t *segments, size_t begin, size_t end, size_t *out_first, size_t *out_count);
/** Replaces `count` segments from `first` on by one that `writer` wrote, with its contents at `location`. Cannot
 * fail. */
void interop_segments_replace(interop_segments_t *segments, size_t first, size_t count, interop_node_t *writer,
                              size_t location);

/** Forgets users that are complete in [begin, end), whatever their outcome, and joins segments next to each other there
 * that have none left: for objects that only order. */
void interop_segments_forget(interop_segments_t *segments, size_t begin, size_t end);

/** The place at `location`, or null. */
interop_place_t *interop_segment_place(const interop_segment_t *segment, size_t location);
/** False when out of memory. */
bool interop_segment_add_place(interop_segment_t *segment, size_t location, interop_node_t *producer);
bool interop_segment_add_reader(interop_segment_t *segment, interop_node_t *reader);
/** Forgets copies whose transfer failed, as long as there are others. */
void interop_segment_forget_failed(interop_segment_t *segment);

#endif
