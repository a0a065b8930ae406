/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The chart: for each kernel the speeds relative to C, on a logarithmic axis, as SVG. */
#include <math.h>
#include <stdio.h>

#include "results.h"

enum { WIDTH = 960, LEFT = 150, RIGHT = 30, TOP = 84, ROW = 20, BOTTOM = 34 };

/* What is drawn beside the bar of the class; the colours can be told apart by everybody, and on paper. */
static const char *const colours[BENCH_MAX_PARTICIPANTS] = {
    [WHO_QUERN] = "#0b559f", [WHO_QUERN_SCALAR] = "#7fb2dd", [WHO_POCL] = "#d55e00", "#009e73", "#cc79a7", "#8a6d00"};

typedef struct chart_t {
  FILE *file;
  const bench_results_t *results;
  double low, high; /**< powers of ten: the ends of the axis */
} chart_t;

static bool is_drawn(const bench_results_t *results, size_t who) {
  return colours[who] != NULL && results->names[who][0] != '\0';
}

static double speed(const chart_t *chart, size_t row, size_t who) {
  return bench_result_speed(chart->results, &chart->results->cases[row], who, WHO_C);
}

static double x_of(const chart_t *chart, double value) {
  const double share = (log10(value) - chart->low) / (chart->high - chart->low);
  return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static int y_of(size_t row) { return TOP + (int)row * ROW + ROW / 2; }

/** The axis has room for every value; 0.1 to 10 at least. */
static void axis_choose(chart_t *chart) {
  chart->low = -1;
  chart->high = 1;
  for (size_t row = 0; row < chart->results->case_count; row++) {
    for (size_t who = 0; who < chart->results->participant_count; who++) {
      const double value = log10(speed(chart, row, who));
      if (!is_drawn(chart->results, who) || !isfinite(value)) continue;
      chart->low = fmin(chart->low, floor(value * 2) / 2);
      chart->high = fmax(chart->high, ceil(value * 2) / 2);
    }
  }
}

static void text_draw(const chart_t *chart, double x, int y, const char *anchor, const char *text) {
  fprintf(chart->file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
}

static void line_draw(const chart_t *chart, double x, int from, int to, const char *style) {
  fprintf(chart->file, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" %s/>\n", x, x, from, to, style);
}

static void axis_draw(const chart_t *chart) {
  static const double steps[] = {1, 2, 5};
  const int bottom = TOP + (int)chart->results->case_count * ROW;
  for (int power = (int)floor(chart->low); power <= (int)ceil(chart->high); power++) {
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
      const double value = steps[i] * pow(10, power), exponent = log10(value);
      char label[32];
      if (exponent < chart->low - 1e-9 || exponent > chart->high + 1e-9) continue;
      const bool is_one = power == 0 && i == 0;
      line_draw(chart, x_of(chart, value), TOP, bottom,
                is_one ? "stroke=\"#444\" stroke-width=\"1.5\"" : "stroke=\"#ddd\"");
      snprintf(label, sizeof(label), "%g", value);
      text_draw(chart, x_of(chart, value), bottom + 16, "middle", label);
    }
  }
}

static void dot_draw(const chart_t *chart, double x, int y, size_t who) {
  fprintf(chart->file, "<circle cx=\"%.1f\" cy=\"%d\" r=\"%s\" fill=\"%s\"/>\n", x, y, who == WHO_QUERN ? "5" : "3.5",
          colours[who]);
}

/** Quern's speed as a line from C's, everybody's as a dot, and the bar as a short stroke. */
static void row_draw(const chart_t *chart, size_t row) {
  const bench_result_t *result = &chart->results->cases[row];
  const double quern = speed(chart, row, WHO_QUERN);
  const int y = y_of(row);
  text_draw(chart, LEFT - 8, y + 4, "end", result->bench_case->name);
  if (isfinite(quern)) {
    fprintf(chart->file, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"/>\n",
            x_of(chart, 1), x_of(chart, quern), y, y, colours[WHO_QUERN]);
    line_draw(chart, x_of(chart, bench_result_bar(chart->results, result)), y - 8, y + 8,
              "stroke=\"#000\" stroke-width=\"2\"");
  }
  for (size_t who = chart->results->participant_count; who-- > 0;) {
    const double value = speed(chart, row, who);
    if (is_drawn(chart->results, who) && isfinite(value)) dot_draw(chart, x_of(chart, value), y, who);
  }
}

static void legend_draw(const chart_t *chart) {
  double x = LEFT;
  text_draw(chart, LEFT, 24, "start", "Speed relative to the same work in C with OpenMP; the stroke is the bar");
  for (size_t who = 0; who < chart->results->participant_count; who++) {
    if (!is_drawn(chart->results, who)) continue;
    dot_draw(chart, x, 48, who);
    text_draw(chart, x + 10, 52, "start", chart->results->labels[who]);
    x += 130;
  }
}

bool bench_chart_write(const bench_results_t *results, const char *file) {
  chart_t chart = {.file = fopen(file, "w"), .results = results};
  const int height = TOP + (int)results->case_count * ROW + BOTTOM;
  if (chart.file == NULL) return false;
  axis_choose(&chart);
  fprintf(chart.file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n"
          "<!-- SPDX-License-Identifier: Apache-2.0\n"
          "     SPDX-FileCopyrightText: The Quern authors\n"
          "     Speeds of kernels relative to C; scripts/bench-kernels writes this file. -->\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
          WIDTH, height, WIDTH, height);
  legend_draw(&chart);
  axis_draw(&chart);
  for (size_t row = 0; row < results->case_count; row++) row_draw(&chart, row);
  fprintf(chart.file, "</svg>\n");
  return fclose(chart.file) == 0;
}
