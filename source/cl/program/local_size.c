/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The work-group size of launches that leave it to the driver. */
#include "cl/program/local_size.h"

#include <string.h>

/** Work-items that share a vector along `dimension` where work-groups are large. */
static size_t work_width(mux_kernel_t kernel, mux_device_info_t info, size_t dimension) {
  mux_wfv_status_e status;
  size_t width[3];
  mux_result_t result =
      muxQueryWFVInfoForLocalSize(kernel, info->max_work_group_size_x, info->max_work_group_size_y,
                                  info->max_work_group_size_z, &status, &width[0], &width[1], &width[2]);
  return result == mux_success && status == mux_wfv_status_success && width[dimension] ? width[dimension] : 1;
}

local_size_limits_t local_size_limits(mux_kernel_t kernel, mux_device_info_t info) {
  const size_t preferred[3] = {kernel->preferred_local_size_x, kernel->preferred_local_size_y,
                               kernel->preferred_local_size_z};
  size_t dimension = 0;
  for (size_t i = 1; i < 3; i++) {
    if (preferred[i] > preferred[dimension]) dimension = i;
  }
  return (local_size_limits_t){
      .maximum = {info->max_work_group_size_x, info->max_work_group_size_y, info->max_work_group_size_z},
      .maximum_total = kernel->max_work_group_size ? kernel->max_work_group_size : info->max_concurrent_work_items,
      .dimension = dimension,
      .preferred = preferred[dimension] ? preferred[dimension] : 1,
      .width = work_width(kernel, info, dimension),
      .scalar_items = kernel->scalar_work_items,
      .compute_units = info->compute_units ? info->compute_units : 1,
  };
}

/** Groups per compute unit that even out work of unequal length: as many as must be, and as many as may as well be,
 * from which on groups grow, up to a multiple of the preferred size. Each group costs some time. */
enum { groups_per_unit = 4, enough_groups_per_unit = 64, most_preferred = 8 };

static size_t minimum(size_t a, size_t b) { return a < b ? a : b; }

static size_t saturating_product(const size_t sizes[3]) {
  size_t product;
  if (__builtin_mul_overflow(sizes[0], sizes[1], &product)) return SIZE_MAX;
  if (__builtin_mul_overflow(product, sizes[2], &product)) return SIZE_MAX;
  return product;
}

/** The largest divisor of `number` up to `limit` that is a multiple of `step`, or 0. */
static size_t largest_divisor(size_t number, size_t limit, size_t step) {
  for (size_t divisor = limit - limit % step; divisor; divisor -= step) {
    if (number % divisor == 0) return divisor;
  }
  return 0;
}

/** Work-items that a group should have at most: few enough that every compute unit gets several groups, but a
 * vector. */
static size_t group_limit(const local_size_limits_t *limits, const size_t global[3]) {
  size_t per_unit = saturating_product(global) / limits->compute_units;
  size_t limit = minimum(limits->preferred, per_unit / groups_per_unit);
  size_t large = minimum(limits->preferred * most_preferred, per_unit / enough_groups_per_unit);
  if (limit < large) limit = large;
  if (limit < limits->width) limit = limits->width;
  return minimum(limit, limits->maximum_total);
}

static size_t choose_row(const local_size_limits_t *limits, size_t maximum, size_t global, size_t limit, bool uniform) {
  limit = minimum(limit, maximum);
  if (global <= limit) return global;
  size_t width = minimum(limits->width, limit);
  size_t row = largest_divisor(global, limit, width);
  if (row) return row;
  if (!uniform) return limit - limit % width; /* the last group of a row is smaller */
  row = largest_divisor(global, limit, 1);
  /* Rather one group for all than groups too small for a vector. */
  bool fits = global <= maximum && global <= limits->maximum_total;
  return row < width && fits ? global : row;
}

size_t local_size_dimension(const local_size_limits_t *limits, const size_t global[3]) {
  return global[limits->dimension] >= limits->width ? limits->dimension : 0;
}

/** Rows that kernels may merge, and the vectors that each should have at least. */
enum { rows_together = 4, vectors_in_row = 4 };

/** Whether every compute unit gets so few work-items that scalar code runs. Many programs launch a work-item for each
 * compute unit of a CPU, and each goes over a slice of the data: in one work-group, all would run on one unit. */
static bool has_few_items(const local_size_limits_t *limits, const size_t global[3]) {
  size_t total = saturating_product(global);
  size_t per_unit = total / limits->compute_units + (total % limits->compute_units != 0);
  return per_unit <= limits->scalar_items;
}

static void choose(const local_size_limits_t *limits, const size_t global[3], bool uniform, size_t local[3]) {
  if (has_few_items(limits, global)) {
    for (int i = 0; i < 3; i++) local[i] = 1;
    return;
  }
  /* Rows lie along the first of these. Targets loop over the others from the second outwards. */
  static const size_t orders[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};
  const size_t *order = orders[local_size_dimension(limits, global)], row = order[0];
  size_t limit = group_limit(limits, global);
  bool has_rows = global[order[1]] % rows_together == 0 && limit >= limits->width * rows_together * vectors_in_row;
  local[row] = choose_row(limits, limits->maximum[row], global[row], has_rows ? limit / rows_together : limit, uniform);
  for (int i = 1; i < 3; i++) {
    const size_t d = order[i];
    limit = limit / local[order[i - 1]];
    size_t most = minimum(minimum(limit, limits->maximum[d]), global[d]);
    size_t whole = i == 1 && has_rows && most >= rows_together ? largest_divisor(global[d], most, rows_together) : 0;
    local[d] = whole ? whole : most > 1 ? largest_divisor(global[d], most, 1) : 1;
  }
}

/** Finding divisors may take a microsecond, and applications repeat their launches. */
typedef struct memory_t {
  local_size_limits_t limits;
  size_t global[3];
  size_t local[3];
  bool uniform;
} memory_t;

static bool remembers(const memory_t *memory, const local_size_limits_t *limits, const size_t global[3], bool uniform) {
  return memory->uniform == uniform && memcmp(memory->global, global, sizeof memory->global) == 0 &&
         memcmp(&memory->limits, limits, sizeof *limits) == 0;
}

void local_size_choose(const local_size_limits_t *limits, const size_t global[3], bool uniform, size_t out_local[3]) {
  static _Thread_local memory_t last;
  if (!remembers(&last, limits, global, uniform)) {
    last.limits = *limits;
    memcpy(last.global, global, sizeof last.global);
    last.uniform = uniform;
    choose(limits, global, uniform, last.local);
  }
  memcpy(out_local, last.local, sizeof last.local);
}
