/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The option string of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL API section 5.8.6). */
#ifndef COMPILER_BUILD_OPTIONS_H
#define COMPILER_BUILD_OPTIONS_H

#include "base/text.h"
#include "compiler/compiler.h"

/** Options of a compilation or link, parsed. */
typedef struct build_options_t {
  /** Arguments for `clang -cc1`, owned. */
  char **front_end;
  size_t front_end_count, front_end_capacity;
  /** Of OpenCL C, 100 to 300; 120 when -cl-std is absent, as the specification says. Of C++ for OpenCL when `cxx`: 100
   * or 202100. */
  unsigned language_version;
  bool cxx;
  bool optimize;
  bool denorms_are_zero;
  bool exact_division;
  bool strict_aliasing;
  /** Link only. */
  bool create_library;
  bool enable_link_options;
} build_options_t;

typedef enum build_stage_e { build_stage_compile, build_stage_link } build_stage_e;

/** Parses `options` (null is ""); says in `log` what is wrong. Results: compiler_error_invalid_build_options or
 * ..._invalid_link_options by stage, compiler_error_out_of_memory. Free `out` in every case. */
COMPILER_MUST_CHECK compiler_result_t build_options_parse(const char *options, build_stage_e stage,
                                                          build_options_t *out, text_t *log);
void build_options_free(build_options_t *options);

/** Appends one front-end argument (copied). False when out of memory. */
__attribute__((warn_unused_result)) bool build_options_add(build_options_t *options, const char *argument);

#endif
