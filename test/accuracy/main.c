/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Measures the error and the speed of the math functions; fails when an error is beyond what OpenCL C allows.
 *
 * accuracy [--format float|double|half] [--function NAME] [--exhaustive] [--sample COUNT] [--width N] [--threads N]
 *          [--options BUILD-OPTIONS] [--all-code] [--part I/N] [--benchmark] [--table] [--verbose]
 * accuracy [--relaxed] --list
 *
 * --all-code: code for many work-items, for one, and for vectors; floats with -cl-denorms-are-zero and without.
 * --part I/N: of all arguments the I-th N-th, from 0 on. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>

#include "compare.h"
#include "device.h"
#include "report.h"
#include "test_half.h"
#include "test_process.h"

/* Arguments and results of a batch stay in the cache between the kernels. */
enum { CAPACITY = 1 << 17, BENCHMARK_COUNT = 1 << 15 };

typedef struct settings_t {
  bool formats[format_count];
  const char *function;
  const char *options;
  bool exhaustive, all_code, benchmark, relaxed, table, verbose, list;
  uint64_t sample, part, parts;
  size_t width;
  unsigned threads;
} settings_t;

/* Memory for one batch, shared by all functions. */
typedef struct memory_t {
  accuracy_buffers_t buffers;
  double *expected;
} memory_t;

/* One function in several kinds of code. Results of the first are all compared, of others those that differ. */
typedef struct variants_t {
  size_t count;
  accuracy_kernel_t kernels[6];
  bool flushes[6];
} variants_t;

static size_t vector_width(size_t function);

static void add_variant(variants_t *variants, const settings_t *settings, const accuracy_result_t *result,
                        accuracy_shape_t shape, bool flushes) {
  char options[256];
  snprintf(options, sizeof(options), "%s %s", flushes ? "-cl-denorms-are-zero" : "",
           settings->options ? settings->options : "");
  variants->flushes[variants->count] = flushes;
  variants->kernels[variants->count++] = kernel_create(result->function, result->format, shape, options);
}

/* Relaxed functions of floats are measured with -cl-denorms-are-zero too. */
static variants_t create_variants(const settings_t *settings, size_t width, const accuracy_result_t *result) {
  variants_t out = {0};
  bool has_flushing = result->format == format_float && (result->function->relaxed || settings->all_code);
  for (int flushes = 0; flushes <= has_flushing; flushes++) {
    add_variant(&out, settings, result, (accuracy_shape_t){width, false}, flushes);
    if (!settings->all_code) continue;
    size_t index = (size_t)(result->function - accuracy_functions);
    add_variant(&out, settings, result, (accuracy_shape_t){1, true}, flushes);
    add_variant(&out, settings, result, (accuracy_shape_t){vector_width(index), true}, flushes);
  }
  return out;
}

static void measure_batch(const settings_t *settings, const accuracy_sequence_t *sequence, memory_t *memory,
                          const variants_t *variants, accuracy_worst_t *worst) {
  static const size_t sizes[format_count] = {sizeof(cl_float), sizeof(cl_double), sizeof(cl_half)};
  const accuracy_batch_t *batch = &memory->buffers.batch;
  void *const *values = memory->buffers.results;
  for (size_t i = 0; i < variants->count; i++) {
    const unsigned set = i == 0 ? 0 : 1;
    kernel_run(&variants->kernels[i], &memory->buffers, set);
    if (i > 0 && !memcmp(values[0], values[1], batch->count * sizes[sequence->format])) continue;
    accuracy_results_t results = {values[set], variants->flushes[i], i == 0 ? NULL : values[0], memory->expected};
    compare_batch(sequence, batch, &results, settings->threads, worst);
  }
}

static void measure_error(const settings_t *settings, size_t width, memory_t *memory, accuracy_result_t *result) {
  const accuracy_function_t *function = result->function;
  accuracy_sequence_t sequence = arguments_sequence(function, result->format, settings->exhaustive, settings->sample);
  result->exhaustive = sequence.exhaustive;
  variants_t variants = create_variants(settings, width, result);
  uint64_t end = sequence.total * (settings->part + 1) / settings->parts;
  uint64_t first = sequence.total * settings->part / settings->parts;
  for (; first < end; first += memory->buffers.batch.count) {
    buffers_fill(&memory->buffers, &sequence, first, end - first);
    measure_batch(settings, &sequence, memory, &variants, &result->worst);
  }
  for (size_t i = 0; i < variants.count; i++) kernel_release(&variants.kernels[i]);
}

static double library_run(const accuracy_function_t *function, accuracy_format_e format,
                          const accuracy_batch_t *batch) {
  double sum = 0;
  for (size_t i = 0; i < batch->count; i++) {
    if (format == format_half) {
      /* C has none. */
      const uint16_t *xs = batch->x, *ys = batch->y;
      sum += (double)function->in_float((float)test_half_to_double(xs[i]), (float)test_half_to_double(ys[i]),
                                        batch->n[i], 1);
    } else if (format == format_float) {
      sum += (double)function->in_float(((float *)batch->x)[i], ((float *)batch->y)[i], batch->n[i], 1);
    } else {
      sum += function->for_float(((double *)batch->x)[i], ((double *)batch->y)[i], batch->n[i], 1);
    }
  }
  return sum;
}

/* Nanoseconds per call of the C library's function. */
static double library_time(const accuracy_function_t *function, accuracy_format_e format,
                           const accuracy_batch_t *batch) {
  double best = 1e9;
  for (int run = 0; run < 15; run++) {
    double begin = test_seconds();
    volatile double sink = library_run(function, format, batch);
    (void)sink;
    double time = test_seconds() - begin;
    if (time < best) best = time;
  }
  return best / (double)batch->count * 1e9;
}

static void measure_speed(const settings_t *settings, accuracy_result_t *result) {
  accuracy_function_t ordinary = *result->function;
  ordinary.in_range = true;
  accuracy_sequence_t sequence = arguments_sequence(&ordinary, result->format, false, BENCHMARK_COUNT);
  test_device_t whole = device_use_one_unit();
  accuracy_kernel_t kernel =
      kernel_create(result->function, result->format, (accuracy_shape_t){settings->width, false}, settings->options);
  accuracy_buffers_t buffers = buffers_create(BENCHMARK_COUNT);
  buffers_fill(&buffers, &sequence, 0, BENCHMARK_COUNT);
  result->device_time = kernel_time(&kernel, &buffers);
  result->library_time = library_time(result->function, result->format, &buffers.batch);
  buffers_release(&buffers);
  kernel_release(&kernel);
  device_use_whole(whole);
}

static bool is_wanted(const settings_t *settings, size_t function, accuracy_format_e format) {
  const accuracy_function_t *wanted = &accuracy_functions[function];
  return settings->formats[format] && wanted->has_format[format] && (wanted->relaxed || !settings->relaxed) &&
         (!settings->function || !strcmp(settings->function, wanted->name));
}

/* Which vectors are tried beside scalars differs by function: all widths come from the same text. */
static size_t vector_width(size_t function) {
  static const size_t widths[] = {4, 2, 3, 8, 16};
  return widths[function % (sizeof(widths) / sizeof(widths[0]))];
}

static accuracy_result_t measure(const settings_t *settings, size_t index, accuracy_format_e format, memory_t *memory) {
  accuracy_result_t result = {.function = &accuracy_functions[index], .format = format, .worst.error = -1};
  measure_error(settings, settings->width, memory, &result);
  if (settings->width == 1 && !settings->exhaustive && !settings->benchmark && !settings->all_code) {
    measure_error(settings, vector_width(index), memory, &result);
  }
  if (settings->benchmark) measure_speed(settings, &result);
  return result;
}

static int usage(void) {
  fprintf(
      stderr,
      "usage: accuracy [--format float|double|half] [--function NAME] [--exhaustive] [--sample COUNT] [--width N]\n"
      "                [--threads N] [--options BUILD-OPTIONS] [--all-code] [--part I/N] [--relaxed] [--benchmark]\n"
      "                [--table] [--verbose]\n"
      "       accuracy [--relaxed] --list\n");
  return 2;
}

/* I/N; N of 0 when it is something else. */
static void parse_part(const char *text, settings_t *out) {
  char *end;
  out->part = strtoull(text, &end, 10);
  out->parts = *end == '/' ? strtoull(end + 1, NULL, 10) : 0;
}

static bool parse(int argc, char **argv, settings_t *out) {
  static const struct option options[] = {{"format", required_argument, NULL, 'f'},
                                          {"function", required_argument, NULL, 'n'},
                                          {"exhaustive", no_argument, NULL, 'e'},
                                          {"sample", required_argument, NULL, 's'},
                                          {"width", required_argument, NULL, 'w'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"options", required_argument, NULL, 'o'},
                                          {"all-code", no_argument, NULL, 'a'},
                                          {"part", required_argument, NULL, 'p'},
                                          {"benchmark", no_argument, NULL, 'b'},
                                          {"table", no_argument, NULL, 'm'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"list", no_argument, NULL, 'l'},
                                          {"relaxed", no_argument, NULL, 'r'},
                                          {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (option) {
      case 'f':
        out->formats[format_float] = !strcmp(optarg, "float");
        out->formats[format_double] = !strcmp(optarg, "double");
        out->formats[format_half] = !strcmp(optarg, "half");
        break;
      case 'n': out->function = optarg; break;
      case 'o': out->options = optarg; break;
      case 'e': out->exhaustive = true; break;
      case 'a': out->all_code = true; break;
      case 'p': parse_part(optarg, out); break;
      case 'b': out->benchmark = true; break;
      case 'v': out->verbose = true; break;
      case 'l': out->list = true; break;
      case 'r': out->relaxed = true; break;
      case 'm': out->table = true; break;
      case 's': out->sample = strtoull(optarg, NULL, 0); break;
      case 'w': out->width = strtoull(optarg, NULL, 0); break;
      case 't': out->threads = (unsigned)strtoul(optarg, NULL, 0); break;
      default: return false;
    }
  }
  return optind == argc && out->part < out->parts && out->threads > 0 && out->width > 0 && out->width <= 16;
}

static int list_functions(bool only_relaxed) {
  for (size_t i = 0; i < accuracy_function_count; i++) {
    if (accuracy_functions[i].relaxed || !only_relaxed) printf("%s\n", accuracy_functions[i].name);
  }
  return 0;
}

int main(int argc, char **argv) {
  settings_t settings = {.formats = {true, true, true}, .sample = 1 << 15, .parts = 1, .width = 1, .threads = 1};
  if (!parse(argc, argv, &settings)) return usage();
  if (settings.list) return list_functions(settings.relaxed);
  if (test_device_open(NULL)) return 2;
  settings.formats[format_double] &= test_device_has_feature("__opencl_c_fp64");
  settings.formats[format_half] &= test_device_number(CL_DEVICE_HALF_FP_CONFIG) != 0;
  memory_t memory = {.buffers = buffers_create(CAPACITY), .expected = calloc(CAPACITY, sizeof(double))};
  accuracy_result_t *results = calloc(accuracy_function_count * format_count, sizeof(*results));
  if (!memory.expected || !results) exit(2);
  size_t count = 0, wrong = 0;
  for (size_t i = 0; i < accuracy_function_count * format_count; i++) {
    accuracy_format_e format = (accuracy_format_e)(i / accuracy_function_count);
    size_t function = i % accuracy_function_count;
    if (!is_wanted(&settings, function, format)) continue;
    results[count] = measure(&settings, function, format, &memory);
    wrong += results[count].worst.error > function_limit(results[count].function, format);
    if (!settings.table) report_line(&results[count], settings.verbose);
    count++;
  }
  if (settings.table) report_table(results, count);
  free(results);
  free(memory.expected);
  buffers_release(&memory.buffers);
  if (test_device_close(NULL)) return 2;
  return wrong > 0 || count == 0;
}
