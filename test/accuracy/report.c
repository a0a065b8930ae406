/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What is printed: a line per function, or a Markdown table. */
#include "report.h"

#include <stdio.h>

static const char *format_name(accuracy_format_e format) {
  static const char *const names[format_count] = {"float", "double", "half"};
  return names[format];
}

static void print_worst(const accuracy_result_t *result) {
  const accuracy_worst_t *worst = &result->worst;
  printf("    x = %.17g (%a)", worst->x, worst->x);
  if (result->function->arguments == arguments_xy) printf(", y = %.17g (%a)", worst->y, worst->y);
  if (result->function->arguments == arguments_xn) printf(", n = %d", worst->n);
  printf(": %.17g (%a), not %.20Lg\n", worst->actual, worst->actual, worst->expected);
}

void report_line(const accuracy_result_t *result, bool verbose) {
  double limit = function_limit(result->function, result->format);
  bool is_wrong = result->worst.error > limit;
  printf("%-16s %-6s %10.3f ulp of %g", result->function->name, format_name(result->format), result->worst.error,
         limit);
  if (result->device_time > 0) {
    printf("  %7.3f ns, C library %7.3f ns", result->device_time, result->library_time);
  }
  printf("%s%s\n", result->exhaustive ? "  (all arguments)" : "", is_wrong ? "  TOO LARGE" : "");
  if (is_wrong || verbose) print_worst(result);
  fflush(stdout);
}

/* The result for `format` of the function that results[i] is about, or null. */
static const accuracy_result_t *find(const accuracy_result_t *results, size_t count,
                                     const accuracy_function_t *function, accuracy_format_e format) {
  for (size_t i = 0; i < count; i++) {
    if (results[i].function == function && results[i].format == format) return &results[i];
  }
  return NULL;
}

static void print_cells(const accuracy_result_t *result) {
  if (!result) {
    printf(" | | |");
    return;
  }
  printf(" %.2f%s |", result->worst.error, result->exhaustive ? "" : " *");
  if (result->device_time > 0) {
    printf(" %.2f | %.1f |", result->device_time, result->library_time / result->device_time);
  } else {
    printf(" | |");
  }
}

/* Without a comparison: C has nothing to compare with. */
static void print_half_cells(const accuracy_result_t *result) {
  if (!result) {
    printf(" | | |");
    return;
  }
  printf(" %g | %.2f%s |", function_limit(result->function, format_half), result->worst.error,
         result->exhaustive ? "" : " *");
  if (result->device_time > 0) {
    printf(" %.2f |", result->device_time);
  } else {
    printf(" |");
  }
}

void report_table(const accuracy_result_t *results, size_t count) {
  printf("| function | limit | float: ulp | ns | times C | double: ulp | ns | times C | half: limit | ulp | ns |\n");
  printf("|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < accuracy_function_count; i++) {
    const accuracy_function_t *function = &accuracy_functions[i];
    const accuracy_result_t *for_float = find(results, count, function, format_float);
    const accuracy_result_t *for_double = find(results, count, function, format_double);
    const accuracy_result_t *for_half = find(results, count, function, format_half);
    if (!for_float && !for_double && !for_half) continue;
    printf("| `%s` | %g |", function->name, function->limit);
    print_cells(for_float);
    print_cells(for_double);
    print_half_cells(for_half);
    printf("\n");
  }
}
