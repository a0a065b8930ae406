/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Keys of special kernels in the cache of compiled programs: the same for the same, others for whatever differs;
 * and that a build is there under its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "cl/program/program_cache.h"

static cl_device_id device;

/** All that can be told about a launch. */
enum { image, sampler, local_size, known_count };

static const compiler_known_argument_t known[known_count] = {
    {.kind = compiler_known_image, .index = 1, .format = 3},
    {.kind = compiler_known_sampler,
     .index = 2,
     .sampler = {.address_mode = 1, .filter_mode = 1, .mip_filter_mode = 1, .min_lod = 0.25F, .max_lod = 4}},
    {.kind = compiler_known_local_size, .local_size = {16, 4, 2}},
};

/** The same memory each time, and something constant behind it: what is read by mistake is no difference. */
static program_key_t key_of(const char *kernel, const char *portable, const compiler_known_argument_t *told) {
  static compiler_known_argument_t launch[known_count + 1];
  memcpy(launch, told, known_count * sizeof *told);
  program_key_t key = program_key_for_variant(device, portable, strlen(portable), kernel, launch, known_count);
  assert_true(key.is_usable);
  return key;
}

static bool is_same(program_key_t a, program_key_t b) { return memcmp(&a.hash, &b.hash, sizeof a.hash) == 0; }

static void what_is_the_same_has_one_key(void **state) {
  (void)state;
  assert_true(is_same(key_of("k", "bytes", known), key_of("k", "bytes", known)));
  assert_false(is_same(key_of("k", "bytes", known), key_of("l", "bytes", known)));
  assert_false(is_same(key_of("k", "bytes", known), key_of("k", "other", known)));
}

/** Changes one thing of a launch. */
typedef void (*change_t)(compiler_known_argument_t *launch);

static void other_argument(compiler_known_argument_t *launch) { launch[image].index = 0; }
static void other_format(compiler_known_argument_t *launch) { launch[image].format = 4; }
static void other_address(compiler_known_argument_t *launch) { launch[sampler].sampler.address_mode = 2; }
static void other_filter(compiler_known_argument_t *launch) { launch[sampler].sampler.filter_mode = 0; }
static void other_coordinates(compiler_known_argument_t *launch) { launch[sampler].sampler.normalize_coords = true; }
static void other_mip_filter(compiler_known_argument_t *launch) { launch[sampler].sampler.mip_filter_mode = 0; }
static void other_least_level(compiler_known_argument_t *launch) { launch[sampler].sampler.min_lod = 0.5F; }
static void other_last_level(compiler_known_argument_t *launch) { launch[sampler].sampler.max_lod = 5; }
static void other_width(compiler_known_argument_t *launch) { launch[local_size].local_size[0] = 8; }
static void other_height(compiler_known_argument_t *launch) { launch[local_size].local_size[1] = 8; }
static void other_depth(compiler_known_argument_t *launch) { launch[local_size].local_size[2] = 8; }

static void whatever_is_known_counts(void **state) {
  (void)state;
  const change_t changes[] = {other_argument,    other_format,     other_address,    other_filter,
                              other_coordinates, other_mip_filter, other_width,      other_height,
                              other_depth,       other_last_level, other_least_level};
  const program_key_t key = key_of("k", "bytes", known);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    compiler_known_argument_t launch[known_count];
    memcpy(launch, known, sizeof launch);
    changes[i](launch);
    if (is_same(key, key_of("k", "bytes", launch))) fail_msg("change %zu does not count", i);
  }
}

/* Kept under the program's lock (test/support/locks), as constants may be set meanwhile. */
static void what_is_built_is_kept(void **state) {
  (void)state;
  char text[128];
  const char *source = text;
  cl_int error;
  snprintf(text, sizeof text, "kernel void k(global int *p) { *p = %ld; }", (long)getpid());
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  const program_key_t key = program_key_for_build(program, device, "");
  program_result_t result = {0};
  assert_true(key.is_usable);
  assert_int_equal(clBuildProgram(program, 1, &device, "", NULL, NULL), CL_SUCCESS);
  assert_true(program_cache_find(&key, device, &result));
  assert_int_equal(result.error, CL_SUCCESS);
  assert_non_null(result.binary);
  binary_drop(result.binary);
  object_drop(OBJECT(result.executable));
  free(result.log);
  text_free(&result.dependencies);
  assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
  assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

static int begin(void **state) {
  (void)state;
  cl_platform_id platform;
  return clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_the_same_has_one_key),
      cmocka_unit_test(whatever_is_known_counts),
      cmocka_unit_test(what_is_built_is_kept),
  };
  return cmocka_run_group_tests(tests, begin, NULL);
}
