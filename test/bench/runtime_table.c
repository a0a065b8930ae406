/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The rows of the benchmark's table, their bars, and how it is printed: Markdown that is also readable as it is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime.h"
#include "test_process.h"

typedef enum cell_e { CELL_WHAT, CELL_OURS, CELL_POCL, CELL_RATIO, CELL_BAR, CELL_VERDICT, CELLS } cell_e;
enum { CELL_SIZE = 96 };

typedef struct row_t {
  const char *what;
  bench_measurement_e measurement;
  size_t value; /**< which one of the measurement's */
  const char *unit;
  bool at_least;   /**< the bar is a lower bound, otherwise an upper one */
  double bar;      /**< in the unit */
  double pocl_bar; /**< upper bound of ours divided by PoCL's; 0: none */
} row_t;

/* The bar is none at all. What the reading of clocks adds stays below this. */
static const double idle_error_us = 1;

static const row_t rows[] = {
    {"one empty kernel and clFinish", MEASURE_FINISH, 0, " µs", false, 3, 0.1},
    {"20,000 empty kernels, then clFinish, each", MEASURE_BATCH, 0, " µs", false, 0.3, 0},
    {"the same, out of order, an event each", MEASURE_EVENTS, 0, " µs", false, 1, 0},
    {"the same, each waiting for the one before", MEASURE_EVENTS, 1, " µs", false, 1, 0},
    {"read of 64 MiB, speed by memcpy's", MEASURE_TRANSFER, 0, "", true, 0.95, 0},
    {"write of 64 MiB, speed by memcpy's", MEASURE_TRANSFER, 1, "", true, 0.95, 0},
    {"copy of 64 MiB, speed by memcpy's", MEASURE_TRANSFER, 2, "", true, 0.95, 0},
    {"compute-bound kernel, speed of 2 threads by 1's", MEASURE_COMPUTE, 0, "", true, 1.9, 0},
    {"uneven work-groups, last ones heavy, of ideal", MEASURE_BALANCE, 0, "", true, 0.9, 0},
    {"uneven work-groups, cost rising, of ideal", MEASURE_BALANCE, 1, "", true, 0.9, 0},
    {"uneven work-groups, heavy ones scattered, of ideal", MEASURE_BALANCE, 2, "", true, 0.9, 0},
    {"idle driver, processor time in a second", MEASURE_IDLE, 0, " µs", false, idle_error_us, 0},
    {"idle driver, wake-ups in a second", MEASURE_IDLE, 1, "", false, 0, 0},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char *const headings[CELLS] = {"what", "ours", "PoCL", "ours / PoCL", "bar", "result"};

/** Of those values that there are: NaN are left out, and the result is NaN when all are. A round that the other driver
 * could not measure was told of, and does not spoil the others; when it is one of ours, the program fails. */
static double median(const double *values, size_t count) {
  double sorted[BENCH_MAX_ROUNDS];
  size_t present = 0;
  for (size_t i = 0; i < count; i++) {
    if (!isnan(values[i])) sorted[present++] = values[i];
  }
  return present > 0 ? test_median(sorted, present) : NAN;
}

static double row_median(const bench_results_t *results, const row_t *row, bench_driver_e driver) {
  return median(results->values[driver][row->measurement][row->value], results->rounds);
}

/** Ours by PoCL's, round by round: what disturbs the machine for some rounds disturbs both. NaN where PoCL has 0. */
static double row_ratio(const bench_results_t *results, const row_t *row) {
  const double *ours = results->values[DRIVER_OURS][row->measurement][row->value];
  const double *pocl = results->values[DRIVER_POCL][row->measurement][row->value];
  double ratios[BENCH_MAX_ROUNDS];
  for (size_t i = 0; i < results->rounds; i++) ratios[i] = pocl[i] > 0 ? ours[i] / pocl[i] : NAN;
  return median(ratios, results->rounds);
}

static const char *row_verdict(const row_t *row, double ours, double ratio) {
  if (isnan(ours)) return "not measured";
  const bool holds = row->at_least ? ours >= row->bar : ours <= row->bar;
  const bool holds_by_pocl = row->pocl_bar <= 0 || isnan(ratio) || ratio <= row->pocl_bar;
  return holds && holds_by_pocl ? "ok" : "missed";
}

static void value_print(char *cell, double value, const char *unit) {
  if (isnan(value)) {
    snprintf(cell, CELL_SIZE, "-");
  } else {
    snprintf(cell, CELL_SIZE, "%.*f%s", value == 0 ? 0 : value < 0.1 ? 3 : 2, value, unit);
  }
}

static void bar_print(char *cell, const row_t *row) {
  int length = snprintf(cell, CELL_SIZE, "at %s %g%s", row->at_least ? "least" : "most", row->bar, row->unit);
  if (row->pocl_bar > 0) {
    snprintf(cell + length, CELL_SIZE - (size_t)length, " and %g of PoCL's", row->pocl_bar);
  }
}

/** Returns whether the row's bar is missed. */
static bool row_fill(char cells[CELLS][CELL_SIZE], const row_t *row, const bench_results_t *results) {
  const bool beside_pocl = results->names[DRIVER_POCL][0] != '\0';
  const double ours = row_median(results, row, DRIVER_OURS), ratio = beside_pocl ? row_ratio(results, row) : NAN;
  const char *verdict = row_verdict(row, ours, ratio);
  snprintf(cells[CELL_WHAT], CELL_SIZE, "%s", row->what);
  value_print(cells[CELL_OURS], ours, row->unit);
  value_print(cells[CELL_POCL], beside_pocl ? row_median(results, row, DRIVER_POCL) : NAN, row->unit);
  value_print(cells[CELL_RATIO], ratio, "");
  bar_print(cells[CELL_BAR], row);
  snprintf(cells[CELL_VERDICT], CELL_SIZE, "%s", verdict);
  return strcmp(verdict, "missed") == 0;
}

/** Characters of a text in UTF-8: bytes that continue one do not count. */
static size_t text_width(const char *text) {
  size_t width = 0;
  for (; *text != '\0'; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

/** Numbers are aligned on the right. */
static void line_print(char cells[CELLS][CELL_SIZE], const size_t widths[CELLS]) {
  for (int c = 0; c < CELLS; c++) {
    const int blanks = (int)(widths[c] - text_width(cells[c]));
    const bool right = c == CELL_OURS || c == CELL_POCL || c == CELL_RATIO;
    printf("| %*s%s%*s ", right ? blanks : 0, "", cells[c], right ? 0 : blanks, "");
  }
  printf("|\n");
}

static void table_print(char lines[ROWS + 2][CELLS][CELL_SIZE]) {
  size_t widths[CELLS] = {0};
  for (int l = 0; l < ROWS + 2; l++) {
    for (int c = 0; c < CELLS; c++) {
      if (text_width(lines[l][c]) > widths[c]) widths[c] = text_width(lines[l][c]);
    }
  }
  for (int l = 0; l < ROWS + 2; l++) line_print(lines[l], widths);
}

size_t bench_table_print(const bench_results_t *results) {
  static char lines[ROWS + 2][CELLS][CELL_SIZE];
  size_t missed = 0;
  for (int c = 0; c < CELLS; c++) {
    const bool right = c == CELL_OURS || c == CELL_POCL || c == CELL_RATIO;
    snprintf(lines[0][c], CELL_SIZE, "%s", headings[c]);
    snprintf(lines[1][c], CELL_SIZE, "%s", right ? "--:" : "---");
  }
  for (int r = 0; r < ROWS; r++) missed += row_fill(lines[r + 2], &rows[r], results);
  printf("Medians over %zu round%s; ours is %s", results->rounds, results->rounds == 1 ? "" : "s",
         results->names[DRIVER_OURS]);
  if (results->names[DRIVER_POCL][0] != '\0') printf(", PoCL is %s", results->names[DRIVER_POCL]);
  printf(".\n\n");
  table_print(lines);
  return missed;
}
