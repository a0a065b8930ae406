/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The benchmark's table: Markdown that is also readable as it is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results.h"

/* The bars that hold for every kernel, and for all together. */
static const double scalar_bar = 0.95, pocl_bar = 6, compile_bar = 3;

enum { CELL_SIZE = 96, MAX_CELLS = 12 + BENCH_MAX_PARTICIPANTS, LEFT_CELLS = 2 };

typedef struct line_t {
  size_t count;
  char cells[MAX_CELLS][CELL_SIZE];
} line_t;

static void cell_add(line_t *line, const char *text) { snprintf(line->cells[line->count++], CELL_SIZE, "%s", text); }

/** A number with two or three significant digits and what follows it; "-" for NaN. */
static void cell_add_number(line_t *line, double value, const char *unit) {
  const int decimals = fabs(value) < 10 ? 2 : fabs(value) < 100 ? 1 : 0;
  if (isnan(value)) {
    cell_add(line, "-");
  } else {
    snprintf(line->cells[line->count++], CELL_SIZE, "%.*f%s", decimals, value, unit);
  }
}

/** Bold where the bar is missed. */
static void cell_add_checked(line_t *line, double value, double bar, bool at_least, size_t *missed) {
  char *cell = line->cells[line->count];
  const bool holds = isnan(value) || (at_least ? value >= bar : value <= bar);
  cell_add_number(line, value, "");
  if (holds) return;
  (*missed)++;
  char number[CELL_SIZE - 4];
  snprintf(number, sizeof(number), "%s", cell);
  snprintf(cell, CELL_SIZE, "**%s**", number);
}

static void heading_fill(line_t *line, const bench_results_t *results) {
  static const char *const headings[] = {"kernel",    "class",   "Quern",       "by C", "bar",    "C's vectors gain",
                                         "by scalar", "compile", "by scalar's", "C",    "by PoCL"};
  for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) cell_add(line, headings[i]);
  for (size_t who = WHO_OTHERS; who < results->participant_count; who++) {
    snprintf(line->cells[line->count++], CELL_SIZE, "by %s", results->labels[who]);
  }
}

/** Returns how many bars the case misses. */
static size_t row_fill(line_t *line, const bench_results_t *results, const bench_result_t *result) {
  size_t missed = 0;
  const double bar = bench_result_bar(results, result), compile = result->compile_seconds[WHO_QUERN];
  cell_add(line, result->bench_case->name);
  cell_add(line, bench_classes[result->bench_case->class].name);
  cell_add_number(line, bench_result_seconds(results, result, WHO_QUERN) * 1e3, " ms");
  cell_add_checked(line, bench_result_speed(results, result, WHO_QUERN, WHO_C), bar, true, &missed);
  cell_add_number(line, bar, "");
  cell_add_number(line, bench_result_c_gain(results, result), "");
  cell_add_checked(line, bench_result_speed(results, result, WHO_QUERN, WHO_QUERN_SCALAR), scalar_bar, true, &missed);
  cell_add_number(line, compile * 1e3, " ms");
  cell_add_checked(line, compile / result->compile_seconds[WHO_QUERN_SCALAR], compile_bar, false, &missed);
  cell_add_number(line, bench_result_seconds(results, result, WHO_C) * 1e3, " ms");
  for (size_t who = WHO_POCL; who < results->participant_count; who++) {
    cell_add_number(line, bench_result_speed(results, result, WHO_QUERN, who), "");
  }
  return missed;
}

static void line_print(const line_t *line, const size_t *widths) {
  for (size_t i = 0; i < line->count; i++) {
    printf(i < LEFT_CELLS ? "| %-*s " : "| %*s ", (int)widths[i], line->cells[i]);
  }
  printf("|\n");
}

static void lines_print(const line_t *lines, size_t count) {
  size_t widths[MAX_CELLS] = {0};
  for (size_t l = 0; l < count; l++) {
    for (size_t i = 0; i < lines[l].count; i++) {
      const size_t width = strlen(lines[l].cells[i]);
      if (width > widths[i]) widths[i] = width;
    }
  }
  for (size_t l = 0; l < count; l++) line_print(&lines[l], widths);
}

/** Geometric mean of Quern's speed relative to another participant; NaN when no case has both. */
static double mean_speed(const bench_results_t *results, size_t other, size_t *count) {
  double sum = 0;
  *count = 0;
  for (size_t i = 0; i < results->case_count; i++) {
    const double speed = bench_result_speed(results, &results->cases[i], WHO_QUERN, other);
    if (isnan(speed)) continue;
    sum += log(speed);
    (*count)++;
  }
  return *count > 0 ? exp(sum / (double)*count) : NAN;
}

/** Returns whether the bar over PoCL is missed. */
static bool means_print(const bench_results_t *results) {
  bool missed = false;
  printf("\nGeometric means of Quern's speed:\n\n");
  for (size_t who = WHO_QUERN_SCALAR; who < results->participant_count; who++) {
    size_t count;
    const double mean = mean_speed(results, who, &count);
    if (isnan(mean)) continue;
    printf("- relative to %s: %.2f (%zu kernels)", results->labels[who], mean, count);
    if (who == WHO_POCL) {
      missed = mean < pocl_bar;
      printf("; the bar is %g: %s", pocl_bar, missed ? "missed" : "ok");
    }
    printf("\n");
  }
  return missed;
}

static void names_print(const bench_results_t *results) {
  printf("%s over %zu round%s.", results->by_lowest ? "Lowest times" : "Medians", results->rounds,
         results->rounds == 1 ? "" : "s");
  for (size_t who = 0; who < results->participant_count; who++) {
    const bool named = who != WHO_QUERN_SCALAR && who != WHO_C_SCALAR;
    if (named && results->names[who][0] != '\0') printf(" %s is %s.", results->labels[who], results->names[who]);
  }
  printf("\n\n");
}

size_t bench_table_print(const bench_results_t *results) {
  static line_t lines[BENCH_MAX_CASES + 2];
  size_t missed = 0;
  heading_fill(&lines[0], results);
  for (size_t i = 0; i < lines[0].count; i++) cell_add(&lines[1], i < LEFT_CELLS ? "---" : "--:");
  for (size_t i = 0; i < results->case_count; i++) missed += row_fill(&lines[i + 2], results, &results->cases[i]);
  names_print(results);
  lines_print(lines, results->case_count + 2);
  missed += means_print(results);
  return missed;
}
