/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Ranges of a memory object: dividing, joining, remembering users and places. */
#include "interop/object/segment.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "interop/object/lock.h"

bool interop_segments_init(interop_segments_t *segments, size_t size) {
  if (!array_reserve(&segments->items, &segments->capacity, 1, sizeof(interop_segment_t))) return false;
  segments->items[0] = (interop_segment_t){.end = size};
  segments->count = 1;
  return true;
}

static void drop(interop_node_t *node) {
  if (node) interop_graph_drop(node);
}

static void segment_clear(interop_segment_t *segment) {
  drop(segment->writer);
  for (size_t i = 0; i < segment->reader_count; i++) drop(segment->readers[i]);
  for (size_t i = 0; i < segment->place_count; i++) drop(segment->places[i].producer);
  segment->writer = NULL;
  segment->reader_count = segment->place_count = 0;
  segment->is_forgiven = false;
}

static void segment_free(interop_segment_t *segment) {
  segment_clear(segment);
  free((void *)segment->readers);
  free(segment->places);
}

void interop_segments_free(interop_segments_t *segments) {
  for (size_t i = 0; i < segments->count; i++) segment_free(&segments->items[i]);
  free(segments->items);
  *segments = (interop_segments_t){NULL, 0, 0};
}

/* ------------------------------------------------------------ dividing and joining */

static bool segment_copy(const interop_segment_t *from, interop_segment_t *to) {
  *to = (interop_segment_t){
      .begin = from->begin, .end = from->end, .writer = from->writer, .is_forgiven = from->is_forgiven};
  if (!array_reserve((void *)&to->readers, &to->reader_capacity, from->reader_count, sizeof(interop_node_t *)) ||
      !array_reserve(&to->places, &to->place_capacity, from->place_count, sizeof(interop_place_t))) {
    free((void *)to->readers);
    free(to->places);
    return false;
  }
  if (from->writer) interop_node_hold(from->writer);
  for (size_t i = 0; i < from->reader_count; i++) {
    to->readers[to->reader_count++] = from->readers[i];
    interop_node_hold(from->readers[i]);
  }
  for (size_t i = 0; i < from->place_count; i++) {
    to->places[to->place_count++] = from->places[i];
    if (from->places[i].producer) interop_node_hold(from->places[i].producer);
  }
  return true;
}

static bool divide(interop_segments_t *segments, size_t index, size_t at) {
  interop_segment_t second;
  if (!array_reserve(&segments->items, &segments->capacity, segments->count + 1, sizeof(interop_segment_t)) ||
      !segment_copy(&segments->items[index], &second)) {
    return false;
  }
  second.begin = segments->items[index].end = at;
  memmove(&segments->items[index + 2], &segments->items[index + 1],
          (segments->count - index - 1) * sizeof(interop_segment_t));
  segments->items[index + 1] = second;
  segments->count++;
  return true;
}

static size_t find(const interop_segments_t *segments, size_t at) {
  size_t low = 0, high = segments->count - 1;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (segments->items[middle].end > at) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

bool interop_segments_cut(interop_segments_t *segments, size_t begin, size_t end, size_t *out_first,
                          size_t *out_count) {
  size_t first = find(segments, begin);
  if (segments->items[first].begin < begin) {
    if (!divide(segments, first, begin)) return false;
    first++;
  }
  size_t last = find(segments, end - 1);
  if (segments->items[last].end > end && !divide(segments, last, end)) return false;
  *out_first = first;
  *out_count = last - first + 1;
  return true;
}

void interop_segments_replace(interop_segments_t *segments, size_t first, size_t count, interop_node_t *writer,
                              size_t location) {
  interop_segment_t *kept = &segments->items[first];
  size_t end = segments->items[first + count - 1].end;
  for (size_t i = 1; i < count; i++) segment_free(&segments->items[first + i]);
  if (count > 1) {
    memmove(kept + 1, kept + count, (segments->count - first - count) * sizeof(interop_segment_t));
    segments->count -= count - 1;
  }
  interop_node_hold(writer);
  segment_clear(kept);
  kept->end = end;
  kept->writer = writer;
  /* Whoever plans a write has made room for one place. */
  kept->places[kept->place_count++] = (interop_place_t){location, NULL};
}

/* ------------------------------------------------------------ places and readers */

interop_place_t *interop_segment_place(const interop_segment_t *segment, size_t location) {
  for (size_t i = 0; i < segment->place_count; i++) {
    if (segment->places[i].location == location) return &segment->places[i];
  }
  return NULL;
}

bool interop_segment_add_place(interop_segment_t *segment, size_t location, interop_node_t *producer) {
  size_t needed = segment->place_count + 1;
  if (!array_reserve(&segment->places, &segment->place_capacity, needed, sizeof(interop_place_t))) return false;
  segment->places[segment->place_count++] = (interop_place_t){location, producer};
  if (producer) interop_node_hold(producer);
  return true;
}

static bool is_over(const interop_node_t *node) {
  return node->state == interop_state_complete && node->result == quern_success;
}

static void forget_complete_readers(interop_segment_t *segment) {
  size_t kept = 0;
  for (size_t i = 0; i < segment->reader_count; i++) {
    if (is_over(segment->readers[i])) {
      drop(segment->readers[i]);
    } else {
      segment->readers[kept++] = segment->readers[i];
    }
  }
  segment->reader_count = kept;
}

bool interop_segment_add_reader(interop_segment_t *segment, interop_node_t *reader) {
  if (segment->reader_count && segment->readers[segment->reader_count - 1] == reader) return true;
  if (segment->reader_count == segment->reader_capacity) forget_complete_readers(segment);
  size_t needed = segment->reader_count + 1;
  if (!array_reserve((void *)&segment->readers, &segment->reader_capacity, needed, sizeof(interop_node_t *))) {
    return false;
  }
  segment->readers[segment->reader_count++] = reader;
  interop_node_hold(reader);
  return true;
}

void interop_segment_forget_failed(interop_segment_t *segment) {
  for (size_t i = 0; i < segment->place_count && segment->place_count > 1;) {
    interop_node_t *producer = segment->places[i].producer;
    if (producer && producer->state == interop_state_complete && producer->result != quern_success) {
      segment->places[i] = segment->places[--segment->place_count];
      drop(producer);
    } else {
      i++;
    }
  }
}

/* Keeps what is not complete; whether anything is left. */
static bool forget_complete(interop_segment_t *segment) {
  size_t kept = 0;
  for (size_t i = 0; i < segment->reader_count; i++) {
    if (segment->readers[i]->state == interop_state_complete) {
      drop(segment->readers[i]);
    } else {
      segment->readers[kept++] = segment->readers[i];
    }
  }
  segment->reader_count = kept;
  bool has_writer = segment->writer && segment->writer->state != interop_state_complete;
  if (!kept && !has_writer) segment_clear(segment);
  return kept || has_writer;
}

void interop_segments_forget(interop_segments_t *segments, size_t begin, size_t end) {
  size_t first = find(segments, begin), last = find(segments, end - 1), kept = first;
  bool joins = first > 0 && !forget_complete(&segments->items[first - 1]);
  for (size_t i = first; i < segments->count && i <= last + 1; i++) {
    interop_segment_t *segment = &segments->items[i];
    bool is_idle = !forget_complete(segment);
    if (joins && is_idle) {
      segments->items[kept - 1].end = segment->end;
      segment_free(segment);
    } else {
      segments->items[kept++] = *segment;
    }
    joins = is_idle;
  }
  size_t next = last + 2 < segments->count ? last + 2 : segments->count;
  memmove(&segments->items[kept], &segments->items[next], (segments->count - next) * sizeof(interop_segment_t));
  segments->count -= next - kept;
}
