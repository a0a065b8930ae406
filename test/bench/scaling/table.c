/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The table: a block of rows for each measurement, a row for each participant, a column for each number of threads. */
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test_process.h"

static const struct {
  const char *what;
  const char *unit;
  double factor; /**< microseconds to the unit */
} rows[VALUES] = {
    [VALUE_CHAIN_2] = {"chain of kernels of 2 µs, each", "µs", 1},
    [VALUE_CHAIN_10] = {"chain of kernels of 10 µs, each", "µs", 1},
    [VALUE_CHAIN_50] = {"chain of kernels of 50 µs, each", "µs", 1},
    [VALUE_CHAIN_500] = {"chain of kernels of 500 µs, each", "µs", 1},
    [VALUE_FORK_JOIN] = {"fork and join, beyond the work of 10 µs", "µs", 1},
    [VALUE_FINISH] = {"an empty kernel and finish", "µs", 1},
    [VALUE_EMPTY] = {"16,384 empty groups and finish", "µs", 1},
    [VALUE_UNEVEN] = {"uneven groups, 5 ms", "ms", 1e-3},
    [VALUE_COMPUTE] = {"kernel of 10 ms", "ms", 1e-3},
    [VALUE_COMPUTE_MANY] = {"kernel of 10 ms, 1,024 groups", "ms", 1e-3},
    [VALUE_COPY_64K] = {"copy of 64 KiB", "µs", 1},
    [VALUE_COPY_1M] = {"copy of 1 MiB", "µs", 1},
    [VALUE_COPY_16M] = {"copy of 16 MiB", "ms", 1e-3},
    [VALUE_COPY_64M] = {"copy of 64 MiB", "ms", 1e-3},
    [VALUE_READ_64M] = {"read of 64 MiB", "ms", 1e-3},
    [VALUE_WRITE_64M] = {"write of 64 MiB", "ms", 1e-3},
    [VALUE_COPY_256M] = {"copy of 256 MiB", "ms", 1e-3},
    [VALUE_COPY_1G] = {"copy of 1 GiB", "ms", 1e-3},
    [VALUE_STREAM] = {"triad, 3 times 64 MiB", "ms", 1e-3},
    [VALUE_QUEUES] = {"two queues, kernels of 50 µs, each", "µs", 1},
    [VALUE_INDEPENDENT] = {"64 kernels of one group and 50 µs, out of order, each", "µs", 1},
};

static const char pair_row[] = "two processes at once";
static const char singles_row[] = "one process with all threads";

void scaling_results_init(scaling_results_t *results) {
  memset(results, 0, sizeof(*results));
  for (size_t who = 0; who < SCALING_MAX_PARTICIPANTS; who++)
    for (size_t round = 0; round < SCALING_MAX_ROUNDS; round++) {
      results->pairs[who][round] = results->singles[who][round] = NAN;
      for (size_t column = 0; column < SCALING_MAX_COLUMNS; column++)
        for (int i = 0; i < VALUES; i++) results->values[who][column][i][round] = NAN;
    }
  strcpy(results->participants[WHO_QUERN].label, "quern");
  strcpy(results->participants[WHO_OPENMP].label, "openmp");
  results->count = WHO_OTHERS;
}

static double median(const double *values, size_t count) {
  double sorted[SCALING_MAX_ROUNDS];
  size_t present = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(values[i])) sorted[present++] = values[i];
  return present > 0 ? test_median(sorted, present) : NAN;
}

static double cell(const scaling_results_t *results, size_t who, size_t column, size_t value) {
  return median(results->values[who][column][value], results->rounds);
}

scaling_rows_t scaling_rows_find(const char *prefix, size_t length) {
  scaling_rows_t found = 0;
  if (length == 0) return 0;
  for (scaling_value_e i = 0; i < VALUES; i++)
    if (strncmp(rows[i].what, prefix, length) == 0) found |= SCALING_ROW(i);
  if (strncmp(pair_row, prefix, length) == 0) found |= SCALING_ROW_PAIR;
  if (strncmp(singles_row, prefix, length) == 0) found |= SCALING_ROW_SINGLES;
  return found;
}

static void number_print(double value) { printf(" %.*f", value < 10 ? 2 : value < 100 ? 1 : 0, value); }

/** The median, and the ends behind it where `spread` says so. */
static void values_print(const double *values, size_t count, double factor, bool spread) {
  double lowest = INFINITY, highest = -INFINITY;
  const double middle = median(values, count);
  if (isnan(middle)) {
    printf(" –");
    return;
  }
  number_print(middle * factor);
  if (!spread) return;
  for (size_t i = 0; i < count; i++) {
    lowest = fmin(lowest, values[i]);
    highest = fmax(highest, values[i]);
  }
  printf(" (");
  number_print(lowest * factor);
  printf(" to");
  number_print(highest * factor);
  printf(" )");
}

static void row_print(const scaling_results_t *results, size_t value, size_t who, bool spread) {
  bool any = false;
  for (size_t column = 0; column < results->columns; column++) any = any || !isnan(cell(results, who, column, value));
  if (!any) return;
  printf("| %s, %s | %s |", rows[value].what, rows[value].unit, results->participants[who].label);
  for (size_t column = 0; column < results->columns; column++) {
    values_print(results->values[who][column][value], results->rounds, rows[value].factor, spread);
    printf(" |");
  }
  printf("\n");
}

/** A line of all participants' values; nothing when there are none. */
static void ratios_print(const scaling_results_t *results, const double (*values)[SCALING_MAX_ROUNDS], const char *what,
                         bool spread) {
  bool any = false;
  for (size_t who = 0; who < results->count; who++) {
    if (isnan(median(values[who], results->rounds))) continue;
    if (!any) printf("\n%s:", what);
    printf(" %s", results->participants[who].label);
    values_print(values[who], results->rounds, 1, spread);
    any = true;
  }
  if (any) printf("\n");
}

void scaling_table_print(const scaling_results_t *results, bool spread) {
  printf("Medians over %zu rounds, by the number of threads.\n\n| what | who |", results->rounds);
  for (size_t column = 0; column < results->columns; column++) printf(" %u |", results->threads[column]);
  printf("\n|---|---|");
  for (size_t column = 0; column < results->columns; column++) printf("--:|");
  printf("\n");
  for (size_t value = 0; value < VALUES; value++)
    for (size_t who = 0; who < results->count; who++) row_print(results, value, who, spread);
  ratios_print(results, results->pairs,
               "Two processes at once, kernels of 50 µs: the slower one's speed by its speed alone", spread);
  ratios_print(results, results->singles,
               "One process with all threads, kernels of 10 ms: its speed by that of as many processes of one thread",
               spread);
}

/* ---- the chart: speed of 1 thread divided by time, of the chains */

enum { WIDTH = 960, PANEL = 220, HEIGHT = 280, MARGIN = 40 };
static const char *const colours[SCALING_MAX_PARTICIPANTS] = {"#0b559f", "#777777", "#d55e00",
                                                              "#009e73", "#cc79a7", "#8a6d00"};

static double x_of(const scaling_results_t *results, int panel, size_t column) {
  const double last = log2(results->threads[results->columns - 1]) + 1e-9;
  return MARGIN + panel * (PANEL + 8) + log2(results->threads[column]) / last * (PANEL - MARGIN);
}

static double y_of(const scaling_results_t *results, double speed) {
  const double last = log2(results->threads[results->columns - 1]) + 1;
  return HEIGHT - MARGIN - (log2(speed) + 1) / (last + 1e-9) * (HEIGHT - 2 * MARGIN);
}

static void line_draw(FILE *file, const scaling_results_t *results, int panel, size_t who) {
  fprintf(file, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"", colours[who]);
  for (size_t column = 0; column < results->columns; column++) {
    const double speed = cell(results, who, 0, (size_t)panel) / cell(results, who, column, (size_t)panel);
    if (isfinite(speed)) fprintf(file, "%.1f,%.1f ", x_of(results, panel, column), y_of(results, speed));
  }
  fprintf(file, "\"/>\n");
}

static void panel_draw(FILE *file, const scaling_results_t *results, int panel) {
  fprintf(file, "<text x=\"%d\" y=\"20\">%s</text>\n", MARGIN + panel * (PANEL + 8), rows[panel].what);
  for (size_t column = 0; column < results->columns; column++) {
    const double y = y_of(results, results->threads[column]);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u</text>\n", x_of(results, panel, column),
            HEIGHT - MARGIN + 16, results->threads[column]);
    fprintf(file, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x_of(results, panel, 0),
            x_of(results, panel, results->columns - 1), y, y);
    if (panel == 0) fprintf(file, "<text x=\"%d\" y=\"%.1f\">%u</text>\n", 8, y + 4, results->threads[column]);
  }
  for (size_t who = 0; who < results->count; who++)
    if (results->participants[who].takes_part) line_draw(file, results, panel, who);
}

bool scaling_chart_write(const scaling_results_t *results, const char *path) {
  FILE *file = fopen(path, "w");
  if (file == NULL) return false;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
          "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          WIDTH, HEIGHT);
  for (int panel = 0; panel < 4; panel++) panel_draw(file, results, panel);
  for (size_t who = 0; who < results->count; who++)
    fprintf(file, "<text x=\"%zu\" y=\"%d\" fill=\"%s\">%s</text>\n", MARGIN + who * 120, HEIGHT - 4, colours[who],
            results->participants[who].label);
  fprintf(file, "</svg>\n");
  return fclose(file) == 0;
}
