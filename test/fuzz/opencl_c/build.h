/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Builds a program over the driver that the ICD loader finds, as any application does. */
#ifndef OPENCL_C_BUILD_H
#define OPENCL_C_BUILD_H

#include "base/text.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

/** What became of a build. Those from build_crashed on are findings. */
typedef enum build_result_e {
  build_done,
  /** The program is wrong, and the log says where. */
  build_refused,
  build_crashed,
  /** A fatal error of LLVM, or code that a pass broke. */
  build_gave_up,
  build_too_slow,
  build_too_large,
  /** An error that no build may give, or a failure without a reason. */
  build_odd,
  build_result_count,
} build_result_e;

/** A device, and a context with it alone. */
typedef struct builder_t {
  cl_device_id device;
  cl_context context;
} builder_t;

/** False, with the reason on stderr, where no device is. */
bool builder_open(builder_t *builder);
void builder_close(builder_t *builder);
/** Builds, makes all kernels of what was built, and asks about each. The log is appended to `out_log`. */
build_result_e builder_run(const builder_t *builder, const char *source, const char *options, text_t *out_log);

const char *build_result_name(build_result_e result);
/** What findings of one cause have in common: for a crash the signal and the innermost functions, or what was asserted,
 * or, where those are not told, the pass; otherwise the reason. Numbers and names of the program are left out. */
void build_cause(build_result_e result, const char *log, text_t *out);

#endif
