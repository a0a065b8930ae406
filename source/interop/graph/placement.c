/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Placement: which copies are stale, and bringing them up to date. */
#include "interop/graph/placement.h"

#include "base/memory.h"

/* ------------------------------------------------------------ transfers */

/* A transfer of the segment to or from the host, which others can then wait for; null when out of memory. */
static interop_node_t *transfer_create(quern_memory_t memory, const interop_segment_t *segment, size_t location,
                                       interop_direction_t direction) {
  interop_copy_t *copy = memory->copies[location - 1];
  interop_node_t *node = interop_node_create(copy->context->transfers, interop_action_transfer);
  if (!node) return NULL;
  node->object.tag = interop_tag_event;
  node->is_native = true;
  node->memory = memory;
  interop_memory_hold(memory);
  node->copy = copy;
  node->direction = direction;
  node->begin = segment->begin;
  node->end = segment->end;
  interop_graph_begin(node);
  return node;
}

static interop_node_t *producer_of(const interop_segment_t *segment, const interop_place_t *place) {
  return place->producer ? place->producer : segment->writer;
}

/* Whether a failure to provide the contents is one of those who need them: not when the host has seen what the writer
 * left. Transfers that failed then are forgotten, so one that is here is newer. What is in memory that the library does
 * not know, and what comes to be there later, it cannot tell. */
static bool is_strict(const struct quern_memory_s *memory, const interop_segment_t *segment,
                      const interop_place_t *place) {
  if (interop_memory_is_unknown(memory)) return false;
  return place->producer || !segment->is_forgiven;
}

/* Makes `to` current from `from`; one of them is the host. */
static bool add_transfer(interop_work_t *work, quern_memory_t memory, interop_segment_t *segment, size_t from,
                         size_t to) {
  interop_direction_t direction = to ? interop_from_host : interop_to_host;
  interop_node_t *node = transfer_create(memory, segment, to ? to : from, direction);
  if (!node) return false;
  const interop_place_t *place = interop_segment_place(segment, from);
  interop_node_t *producer = producer_of(segment, place);
  if (producer) interop_graph_connect(work, producer, node, is_strict(memory, segment, place));
  bool is_kept = interop_segment_add_reader(segment, node) && interop_segment_add_place(segment, to, node);
  if (!is_kept) interop_graph_poison(node, interop_fail_memory());
  interop_graph_end(work, node);
  return is_kept;
}

/* Makes `location` one of the segment's places. */
static bool bring(interop_work_t *work, quern_memory_t memory, interop_segment_t *segment, size_t location) {
  interop_segment_forget_failed(segment);
  if (interop_segment_place(segment, location)) return true;
  if (!segment->place_count) return interop_segment_add_place(segment, location, NULL);
  if (!interop_segment_place(segment, 0) && !add_transfer(work, memory, segment, segment->places[0].location, 0)) {
    return false;
  }
  return !location || add_transfer(work, memory, segment, 0, location);
}

/* ------------------------------------------------------------ requirements */

static bool plan_read(interop_work_t *work, interop_node_t *node, quern_memory_t memory, interop_segment_t *segment,
                      size_t location) {
  if (!bring(work, memory, segment, location)) return false;
  const interop_place_t *place = interop_segment_place(segment, location);
  interop_node_t *producer = producer_of(segment, place);
  if (producer) interop_graph_connect(work, producer, node, is_strict(memory, segment, place));
  return interop_segment_add_reader(segment, node);
}

/* It comes behind those who used the range, whatever became of them: what it needs of their contents, it also reads. */
static bool plan_write(interop_work_t *work, interop_node_t *node, interop_segment_t *segment) {
  if (segment->writer) interop_graph_connect(work, segment->writer, node, false);
  for (size_t i = 0; i < segment->reader_count; i++) interop_graph_connect(work, segment->readers[i], node, false);
  return array_reserve(&segment->places, &segment->place_capacity, 1, sizeof(interop_place_t));
}

static bool plan_accessor(interop_work_t *work, interop_node_t *node, interop_requirement_t *requirement, bool writes) {
  const quern_accessor_t *accessor = &requirement->accessor;
  quern_memory_t memory = accessor->memory;
  bool on_host = memory->is_addressed || (interop_node_uses_on_host(node, requirement) && !memory->bound);
  size_t location = on_host ? 0 : interop_memory_locate(memory, memory->bound ? memory->bound : node->context);
  size_t first, count;
  if (location == SIZE_MAX) return false;
  if (interop_memory_is_unknown(memory)) node->has_unknown = true;
  requirement->copy = location ? memory->copies[location - 1] : NULL;
  if (location && requirement->part) {
    size_t part_location = interop_memory_locate(requirement->part, requirement->copy->context);
    if (part_location == SIZE_MAX) return false;
    requirement->part_copy = requirement->part->copies[part_location - 1];
  }
  if (!interop_segments_cut(&memory->segments, accessor->offset, accessor->offset + accessor->size, &first, &count)) {
    return false;
  }
  for (size_t i = first; i < first + count; i++) {
    interop_segment_t *segment = &memory->segments.items[i];
    if (!(writes ? plan_write(work, node, segment) : plan_read(work, node, memory, segment, location))) return false;
  }
  if (writes) {
    interop_segments_replace(&memory->segments, first, count, node, location);
    memory->was_written = true;
  }
  return true;
}

void interop_placement_plan(interop_work_t *work, interop_node_t *node) {
  bool fits = true;
  /* All reads first: what one accessor reads, another one of the same group may overwrite. */
  for (int writes = 0; writes < 2; writes++) {
    for (size_t i = 0; i < node->requirements.count && fits; i++) {
      const quern_accessor_t *accessor = &node->requirements.items[i].accessor;
      bool counts = writes ? interop_access_writes(accessor->access) : interop_access_reads(accessor->access);
      if (counts) fits = plan_accessor(work, node, &node->requirements.items[i], writes);
    }
  }
  if (!fits) interop_graph_poison(node, interop_fail_memory());
}

void interop_placement_forgive(quern_memory_t memory, size_t begin, size_t end) {
  size_t first, count;
  /* Without memory for it, the failure stays one. */
  if (!interop_segments_cut(&memory->segments, begin, end, &first, &count)) return;
  for (size_t i = first; i < first + count; i++) memory->segments.items[i].is_forgiven = true;
}

void interop_placement_leave(interop_node_t *node) {
  for (size_t i = 0; i < node->requirements.count; i++) {
    const quern_accessor_t *accessor = &node->requirements.items[i].accessor;
    if (!interop_memory_is_unknown(accessor->memory)) continue;
    interop_segments_forget(&accessor->memory->segments, accessor->offset, accessor->offset + accessor->size);
  }
}
