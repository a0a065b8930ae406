/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a test of one program has: its device, context, queue, program and a buffer. One file of a test includes it. */
#ifndef CL_INTERNAL_PROGRAM_FIXTURE_H
#define CL_INTERNAL_PROGRAM_FIXTURE_H

#include "device_fixture.h"

static cl_program program;
static cl_mem buffer;

/** Builds `text`, and makes a buffer of `items` uints. What a set-up of CMocka returns. */
static inline int fixture_open(const char *text, size_t items) {
  cl_int error = device_fixture_open();
  if (!error) buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_uint), NULL, &error);
  if (!error) program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  if (!error) error = clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
  return error;
}

/** Releases all of it. What a tear-down of CMocka returns. */
static inline int fixture_close(void) {
  return clReleaseProgram(program) || clReleaseMemObject(buffer) || device_fixture_close();
}

#endif
