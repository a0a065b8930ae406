/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Transfers as jobs: bytes in pieces, boxes in rows. Whatever may overlap is left to one thread, in the order in which
 * that is right. */
#include "host/runtime/commands/transfer.h"

#include "host/runtime/commands/copy.h"
#include "host/runtime/faults/guard.h"
#include "host/runtime/scheduling/plan.h"
#include "host/runtime/scheduling/region.h"
#include "host/runtime/scheduling/scheduler.h"

/* Smaller ones are over before anybody could help. */
#define SHARED_SIZE ((uint64_t)128 << 10)
#define PIECE_SIZE ((uint64_t)16 << 10)
/* What one thread transfers in a tick, about. */
#define BYTES_PER_TICK 8u

typedef struct transfer_t {
  host_job_t job;
  /** Transfers parts. */
  void (*touch)(const struct transfer_t *transfer, uint64_t first, uint64_t count);
  uint64_t parts, part_size;
  char *destination;
  const char *source;
  uint64_t size;
  const unsigned char *pattern;
  uint64_t pattern_size;
  /** Of a box: rows and pitches. */
  mux_buffer_region_info_t box;
  bool streams;
} transfer_t;

/* ---------------------------------------------------------------- parts */

typedef struct part_run_t {
  const transfer_t *transfer;
  uint64_t first, count;
} part_run_t;

static void run_touch(const void *argument) {
  const part_run_t *run = argument;
  run->transfer->touch(run->transfer, run->first, run->count);
}

static bool parts_run(const host_job_t *job, host_thread_t *thread, uint64_t first, uint64_t count) {
  const part_run_t run = {(const transfer_t *)(const void *)job, first, count};
  return host_guard_call(thread, run_touch, &run);
}

static void parts_help(const host_job_t *job, host_helper_t *helper) {
  (void)job;
  host_thread_prepare(helper->thread);
  host_helper_work(helper);
}

static const host_job_t transfer_job = {.run = parts_run, .help = parts_help};

/* ---------------------------------------------------------------- bytes */

/* Pieces end where cache lines of the destination do. */
static uint64_t piece_begin(const transfer_t *transfer, uint64_t piece) {
  if (!piece) return 0;
  const uint64_t begin = piece * PIECE_SIZE - (uintptr_t)transfer->destination % HOST_LINE_SIZE;
  return begin < transfer->size ? begin : transfer->size;
}

static void pieces_copy(const transfer_t *transfer, uint64_t first, uint64_t count) {
  const uint64_t begin = piece_begin(transfer, first), end = piece_begin(transfer, first + count);
  host_copy_bytes(transfer->destination + begin, transfer->source + begin, end - begin, transfer->streams);
}

static void pieces_fill(const transfer_t *transfer, uint64_t first, uint64_t count) {
  const uint64_t begin = first * transfer->part_size, rest = transfer->size - begin;
  const uint64_t length = count * transfer->part_size;
  host_fill_bytes(transfer->destination + begin, length < rest ? length : rest, transfer->pattern,
                  transfer->pattern_size);
}

static bool ranges_overlap(const char *a, uint64_t a_size, const char *b, uint64_t b_size) {
  const uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
  return first < second + b_size && second < first + a_size;
}

/* One piece more than fits, as the first one ends early. */
static bool copy_prepare(const host_command_copy_t *command, transfer_t *transfer) {
  if (ranges_overlap(command->source, command->size, command->destination, command->size)) return false;
  transfer->touch = pieces_copy;
  transfer->destination = command->destination;
  transfer->source = command->source;
  transfer->size = command->size;
  transfer->part_size = PIECE_SIZE;
  transfer->parts = command->size / PIECE_SIZE + 2;
  return true;
}

static bool fill_prepare(const host_command_fill_t *command, transfer_t *transfer) {
  if (command->pattern_size > PIECE_SIZE) return false;
  transfer->touch = pieces_fill;
  transfer->destination = command->destination;
  transfer->size = command->size;
  transfer->pattern = command->pattern;
  transfer->pattern_size = command->pattern_size;
  transfer->part_size = PIECE_SIZE - PIECE_SIZE % command->pattern_size;
  transfer->parts = (command->size + transfer->part_size - 1) / transfer->part_size;
  return true;
}

/* ---------------------------------------------------------------- rows */

static uint64_t row_offset(mux_extent_2d_t pitch, uint64_t rows, uint64_t row) {
  return row / rows * pitch.y + row % rows * pitch.x;
}

static void rows_copy(const transfer_t *transfer, uint64_t first, uint64_t count) {
  const mux_buffer_region_info_t *box = &transfer->box;
  for (uint64_t row = first; row < first + count; ++row)
    host_copy_bytes(transfer->destination + row_offset(box->dst_desc, box->region.y, row),
                    transfer->source + row_offset(box->src_desc, box->region.y, row), box->region.x, transfer->streams);
}

/* The first row of a run is made, the others are copies of it. */
static void rows_fill(const transfer_t *transfer, uint64_t first, uint64_t count) {
  const mux_buffer_region_info_t *box = &transfer->box;
  char *made = transfer->destination + row_offset(box->dst_desc, box->region.y, first);
  host_fill_bytes(made, box->region.x, transfer->pattern, transfer->pattern_size);
  for (uint64_t row = first + 1; row < first + count; ++row)
    host_copy_bytes(transfer->destination + row_offset(box->dst_desc, box->region.y, row), made, box->region.x, false);
}

/* Bytes from the first to the last one of a side of a box. */
static uint64_t box_span(mux_extent_3d_t extent, mux_extent_2d_t pitch) {
  return (extent.z - 1) * pitch.y + (extent.y - 1) * pitch.x + extent.x;
}

static bool box_prepare(transfer_t *transfer, mux_extent_3d_t extent) {
  transfer->part_size = extent.x;
  transfer->parts = extent.y * extent.z;
  transfer->size = transfer->parts * extent.x;
  return transfer->parts != 0;
}

static bool regions_prepare(const host_command_copy_regions_t *command, transfer_t *transfer) {
  if (command->count != 1) return false;
  transfer->box = host_region_merge(&command->regions[0]);
  const mux_buffer_region_info_t *box = &transfer->box;
  transfer->source = command->source + host_origin_offset(box->src_origin, box->src_desc);
  transfer->destination = command->destination + host_origin_offset(box->dst_origin, box->dst_desc);
  transfer->touch = rows_copy;
  if (!box_prepare(transfer, box->region)) return false;
  if (transfer->parts == 1) {
    const host_command_copy_t copy = {
        .source = transfer->source, .destination = transfer->destination, .size = box->region.x};
    return copy_prepare(&copy, transfer);
  }
  return !ranges_overlap(transfer->source, box_span(box->region, box->src_desc), transfer->destination,
                         box_span(box->region, box->dst_desc));
}

static bool fill_box_prepare(const host_command_fill_box_t *command, transfer_t *transfer) {
  transfer->box =
      (mux_buffer_region_info_t){.region = command->extent, .dst_desc = {command->row_pitch, command->slice_pitch}};
  transfer->destination = command->destination;
  transfer->pattern = command->pattern;
  transfer->pattern_size = command->pattern_size;
  transfer->touch = rows_fill;
  return box_prepare(transfer, command->extent);
}

/* ---------------------------------------------------------------- execution */

static bool transfer_prepare(const host_command_t *command, transfer_t *transfer) {
  switch (command->kind) {
    case host_command_kind_copy: return copy_prepare((const host_command_copy_t *)command, transfer);
    case host_command_kind_copy_regions: return regions_prepare((const host_command_copy_regions_t *)command, transfer);
    case host_command_kind_fill: return fill_prepare((const host_command_fill_t *)command, transfer);
    default: return fill_box_prepare((const host_command_fill_box_t *)command, transfer);
  }
}

static void command_touch(const void *argument) {
  const host_command_t *command = argument;
  switch (command->kind) {
    case host_command_kind_copy: host_copy((const host_command_copy_t *)command); break;
    case host_command_kind_copy_regions: host_copy_regions((const host_command_copy_regions_t *)command); break;
    case host_command_kind_fill_box: host_fill_box((const host_command_fill_box_t *)command); break;
    default: host_fill((const host_command_fill_t *)command); break;
  }
}

static mux_result_t transfer_share(transfer_t *transfer, host_scheduler_t *scheduler, host_thread_t *thread) {
  host_plan_t plan = {.end = transfer->parts};
  uint64_t ticks;
  host_plan_make(&plan, scheduler, thread->team, transfer->size / BYTES_PER_TICK);
  return host_region_run(scheduler, thread->team, &transfer->job, &plan, thread, &ticks);
}

mux_result_t host_transfer_execute(const host_command_t *command, host_scheduler_t *scheduler, uint32_t streaming_mib,
                                   host_thread_t *thread) {
  transfer_t transfer = {.job = transfer_job};
  if (thread->team && transfer_prepare(command, &transfer) && transfer.size >= SHARED_SIZE && transfer.parts > 1) {
    transfer.streams = transfer.size >> 20 >= streaming_mib;
    return transfer_share(&transfer, scheduler, thread);
  }
  return host_guard_call(thread, command_touch, command) ? mux_success : mux_error_failure;
}
