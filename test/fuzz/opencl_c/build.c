/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds programs, and tells what their logs say. */
#include "build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { frame_count = 5, cause_limit = 600 };

bool builder_open(builder_t *builder) {
  cl_platform_id platform;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  if (!error) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &builder->device, NULL);
  if (!error) builder->context = clCreateContext(NULL, 1, &builder->device, NULL, NULL, &error);
  if (error) fprintf(stderr, "no OpenCL device: %d\n", error);
  return !error;
}

void builder_close(builder_t *builder) { clReleaseContext(builder->context); }

/* ------------------------------------------------------------ building */

static void append_log(const builder_t *builder, cl_program program, text_t *out) {
  size_t size = 0;
  if (clGetProgramBuildInfo(program, builder->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || !size) return;
  char *log = calloc(1, size + 1);
  if (log && !clGetProgramBuildInfo(program, builder->device, CL_PROGRAM_BUILD_LOG, size, log, NULL)) {
    text_append(out, log);
  }
  free(log);
}

/* The first failure of what a program's kernels must be able to tell. */
static cl_int ask_kernels(const builder_t *builder, cl_program program) {
  cl_uint count = 0;
  cl_int error = clCreateKernelsInProgram(program, 0, NULL, &count);
  cl_kernel *kernels = calloc(count + 1, sizeof(cl_kernel));
  if (!error && count && kernels) error = clCreateKernelsInProgram(program, count, kernels, NULL);
  for (cl_uint i = 0; !error && kernels && i < count; i++) {
    size_t size;
    cl_uint arguments;
    error = clGetKernelWorkGroupInfo(kernels[i], builder->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL);
    if (!error) error = clGetKernelInfo(kernels[i], CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL);
  }
  for (cl_uint i = 0; kernels && i < count; i++) {
    if (kernels[i]) clReleaseKernel(kernels[i]);
  }
  free(kernels);
  return error;
}

static build_result_e judge(cl_int error, cl_int kernel_error, const char *log) {
  if (strstr(log, "out of memory (QUERN_COMPILER_MEMORY")) return build_too_large;
  if (strstr(log, "the compiler's process ended")) return build_crashed;
  if (strstr(log, "the compiler was stopped")) return build_too_slow;
  if (strstr(log, "the compiler gave up") || strstr(log, "error: internal")) return build_gave_up;
  if (strstr(log, "error: out of memory") || strstr(log, "the compiler gave more than") ||
      strstr(log, "error: constants take")) {
    return build_too_large;
  }
  if (error == CL_SUCCESS) return kernel_error ? build_odd : build_done;
  if (error == CL_INVALID_BUILD_OPTIONS) return build_refused;
  return error == CL_BUILD_PROGRAM_FAILURE && strstr(log, "error") ? build_refused : build_odd;
}

build_result_e builder_run(const builder_t *builder, const char *source, const char *options, text_t *out_log) {
  cl_int error, kernel_error = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(builder->context, 1, &source, NULL, &error);
  if (error) return build_odd;
  error = clBuildProgram(program, 1, &builder->device, options, NULL, NULL);
  append_log(builder, program, out_log);
  if (!error) kernel_error = ask_kernels(builder, program);
  clReleaseProgram(program);
  const build_result_e result = judge(error, kernel_error, text_string(out_log));
  if (result == build_odd) text_appendf(out_log, "\nerror: build %d, kernels %d\n", error, kernel_error);
  return result;
}

/* ------------------------------------------------------------ causes */

const char *build_result_name(build_result_e result) {
  static const char *const names[build_result_count] = {"done",     "refused",   "crashed", "gave-up",
                                                        "too-slow", "too-large", "odd"};
  return names[result];
}

/* Without numbers, and without what is quoted: names of the program. */
static void append_plain(const char *line, size_t length, text_t *out) {
  char quote = 0;
  for (size_t i = 0; i < length && out->length < cause_limit; i++) {
    const char c = line[i];
    const bool is_digit = isdigit((unsigned char)c) != 0;
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (is_digit) {
      if (!i || !isdigit((unsigned char)line[i - 1])) text_append(out, "N");
    } else if (!iscntrl((unsigned char)c)) {
      text_append_bytes(out, &c, 1);
    }
  }
}

/* The line in which some words are, from those on. */
static bool append_line(const char *log, const char *words, text_t *out) {
  const char *found = strstr(log, words);
  if (!found) return false;
  append_plain(found, strcspn(found, "\n"), out);
  text_append(out, "; ");
  return true;
}

static void append_word(const char *log, const char *begin, text_t *out) {
  const char *found = strstr(log, begin);
  if (found) text_append_bytes(out, found, strcspn(found, ", \n"));
}

/* "at: NAME+OFFSET NAME+OFFSET ...", the innermost function first; the signal's own frames are not among them. */
static bool append_frames(const char *log, text_t *out) {
  const char *at = strstr(log, "\nat: ");
  if (!at) return false;
  at += strlen("\nat: ");
  const char *end = at + strcspn(at, "\n");
  for (int i = 0; i < frame_count && at < end; i++) {
    const size_t length = strcspn(at, " \n");
    text_append(out, " ");
    text_append_bytes(out, at, length);
    at += length + 1;
  }
  return true;
}

static void crash_cause(const char *log, text_t *out) {
  append_word(log, "SIG", out);
  text_append(out, " ");
  const bool is_told = append_line(log, "Assertion ", out) || append_line(log, "LLVM ERROR", out);
  if (!append_frames(log, out) && !is_told) append_line(log, "Running pass", out);
  if (out->length < 2) append_line(log, "the compiler's process ended", out);
}

void build_cause(build_result_e result, const char *log, text_t *out) {
  text_appendf(out, "%s: ", build_result_name(result));
  if (result == build_crashed) {
    crash_cause(log, out);
    return;
  }
  const char *error = strstr(log, "the compiler ");
  if (!error) error = strstr(log, "error: ");
  if (error) append_plain(error, strcspn(error, "\n"), out);
}
