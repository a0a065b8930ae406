/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Samplers: what kernels read with them, and their native objects. Argument: the OpenCL platform. */
#include "groups.h"

enum { width = 4, reads = 8 };

#define ASSERT_CL(call) assert_int_equal(call, CL_SUCCESS)

static const char *const source =
    "kernel void sample(read_only image2d_t image, sampler_t with, global float *out, float scale) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = read_imagef(image, with, (float2)((i - 2 + 0.25f) * scale, 0.5f * scale)).x;\n"
    "}\n";

/* What each read of a row 1, 2, 3, 4 gives, at -1.75, -0.75, 0.25, ... 5.25 pixels; 99: any. */
static const struct {
  quern_sampler_description_t description;
  float expected[reads];
} cases[] = {
    {{false, quern_addressing_clamp_to_edge, false}, {1, 1, 1, 2, 3, 4, 4, 4}},
    {{false, quern_addressing_clamp, false}, {0, 0, 1, 2, 3, 4, 0, 0}},
    {{false, quern_addressing_none, false}, {99, 99, 1, 2, 3, 4, 99, 99}},
    {{false, quern_addressing_clamp_to_edge, true}, {1, 1, 1, 1.75f, 2.75f, 3.75f, 4, 4}},
    {{true, quern_addressing_repeat, false}, {3, 4, 1, 2, 3, 4, 1, 2}},
    {{true, quern_addressing_mirrored_repeat, false}, {2, 1, 1, 2, 3, 4, 4, 3}},
};

static bool has_images(void) {
  bool has = false;
  ASSERT_SUCCESS(quern_device_get_has_images(test_on_device.device, &has));
  if (!has) print_message("the device supports no images: left out\n");
  return has;
}

static quern_sampler_t make(const quern_sampler_description_t *description) {
  quern_sampler_t sampler = NULL;
  ASSERT_SUCCESS(quern_sampler_create(test_on_device.context, description, &sampler));
  return sampler;
}

/* The sampler is released at once: the group keeps it. */
static void read_with(quern_kernel_t kernel, quern_memory_t image, quern_sampler_t sampler, bool is_normalized,
                      const float *expected) {
  const quern_range_t range = {.dimensions = 1, .global = {reads}};
  float out[reads], scale = is_normalized ? 1.0f / width : 1.0f;
  quern_memory_t memory = test_buffer(sizeof(out), NULL, NULL);
  quern_group_t group = test_group(test_on_device.in_order);
  quern_accessor_t from = test_access(group, image, quern_access_read);
  quern_accessor_t to = test_access(group, memory, quern_access_discard_write);
  ASSERT_SUCCESS(quern_group_set_kernel(group, kernel, &range));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 0, from));
  ASSERT_SUCCESS(quern_group_set_argument_sampler(group, 1, sampler));
  ASSERT_SUCCESS(quern_group_set_argument_accessor(group, 2, to));
  ASSERT_SUCCESS(quern_group_set_argument(group, 3, sizeof(scale), &scale));
  ASSERT_SUCCESS(quern_sampler_release(sampler));
  test_submit_only(group);
  group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_read(group, test_access(group, memory, quern_access_read), out));
  test_finish(test_submit(group));
  for (int i = 0; i < reads; i++) {
    if (expected[i] != 99) assert_float_equal(out[i], expected[i], 1e-5);
  }
  ASSERT_SUCCESS(quern_memory_release(memory));
}

static void kernels_read_with_samplers(void **state) {
  (void)state;
  if (!has_images()) return;
  quern_program_t program = NULL;
  quern_kernel_t kernel = NULL;
  quern_memory_t image = NULL;
  const quern_image_layout_t layout = {2, width, 1, 1, CL_RGBA, CL_FLOAT};
  float pixels[width][4];
  for (int i = 0; i < width; i++) {
    for (int j = 0; j < 4; j++) pixels[i][j] = (float)(i + 1);
  }
  ASSERT_SUCCESS(quern_program_create_from_source(test_on_device.context, source, NULL, &program));
  ASSERT_SUCCESS(quern_kernel_create(program, "sample", &kernel));
  ASSERT_SUCCESS(quern_image_create(&layout, pixels, NULL, &image));
  for (int again = 0; again < 2; again++) {
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const quern_sampler_description_t *description = &cases[i].description;
      read_with(kernel, image, make(description), description->is_normalized, cases[i].expected);
    }
  }
  ASSERT_SUCCESS(quern_memory_release(image));
  ASSERT_SUCCESS(quern_kernel_release(kernel));
  ASSERT_SUCCESS(quern_program_release(program));
}

static cl_uint references(cl_sampler native) {
  cl_uint count = 0;
  ASSERT_CL(clGetSamplerInfo(native, CL_SAMPLER_REFERENCE_COUNT, sizeof(count), &count, NULL));
  return count;
}

static void samplers_go_both_ways(void **state) {
  (void)state;
  if (!has_images()) return;
  cl_sampler native = NULL;
  quern_sampler_t sampler = make(&cases[0].description), again = NULL;
  ASSERT_SUCCESS(quern_opencl_sampler_get_native(sampler, &native));
  assert_int_equal(references(native), 2);
  ASSERT_SUCCESS(quern_opencl_sampler_make_from_native(test_on_device.context, native, quern_ownership_retain, &again));
  assert_int_equal(references(native), 3);
  ASSERT_SUCCESS(quern_sampler_release(again));
  ASSERT_SUCCESS(quern_sampler_release(sampler));
  assert_int_equal(references(native), 1);
  ASSERT_CL(clRetainSampler(native));
  ASSERT_SUCCESS(
      quern_opencl_sampler_make_from_native(test_on_device.context, native, quern_ownership_transfer, &again));
  assert_int_equal(references(native), 2);
  ASSERT_SUCCESS(quern_sampler_retain(again));
  ASSERT_SUCCESS(quern_sampler_release(again));
  ASSERT_SUCCESS(quern_sampler_release(again));
  assert_int_equal(references(native), 1);
  ASSERT_CL(clReleaseSampler(native));
}

static void misuse_is_refused(void **state) {
  (void)state;
  quern_sampler_t sampler = NULL;
  quern_sampler_description_t description = cases[0].description;
  const quern_result_t refused = quern_error_invalid_argument;
  ASSERT_ERROR(quern_sampler_create(NULL, &description, &sampler), quern_error_invalid_object, "null");
  ASSERT_ERROR(quern_sampler_create(test_on_device.context, NULL, &sampler), refused, "null");
  ASSERT_ERROR(quern_sampler_create(test_on_device.context, &description, NULL), refused, "null");
  ASSERT_ERROR(quern_sampler_create(test_on_host.context, &description, &sampler), quern_error_feature_not_supported,
               "host");
  description.addressing = (quern_addressing_t)test_unlisted();
  ASSERT_ERROR(quern_sampler_create(test_on_device.context, &description, &sampler), refused, "-1");
  assert_null(sampler);
  if (!has_images()) return;
  sampler = make(&cases[0].description);
  quern_context_t other = NULL;
  quern_queue_t queue = NULL;
  ASSERT_SUCCESS(quern_context_create(1, &test_on_device.device, NULL, NULL, &other));
  ASSERT_SUCCESS(quern_queue_create(other, test_on_device.device, 0, NULL, NULL, &queue));
  quern_group_t group = test_group(test_on_device.in_order);
  ASSERT_SUCCESS(quern_group_set_argument_sampler(group, 0, sampler));
  const quern_range_t range = {.dimensions = 1, .global = {1}};
  ASSERT_SUCCESS(quern_group_set_kernel(group, test_on_device.add, &range));
  ASSERT_ERROR(quern_group_set_argument_sampler(group, 0, NULL), quern_error_invalid_object, "null");
  quern_sampler_t foreign = NULL;
  ASSERT_SUCCESS(quern_sampler_create(other, &cases[0].description, &foreign));
  ASSERT_ERROR(quern_group_set_argument_sampler(group, 0, foreign), quern_error_wrong_context, "another context");
  void *native = NULL;
  ASSERT_ERROR(quern_sampler_get_native(sampler, quern_backend_host, &native), quern_error_backend_mismatch, "host");
  ASSERT_ERROR(quern_sampler_get_native(sampler, quern_backend_opencl, NULL), refused, "null");
  ASSERT_ERROR(quern_sampler_get_native(NULL, quern_backend_opencl, &native), quern_error_invalid_object, "null");
  assert_null(native);
  ASSERT_SUCCESS(quern_group_discard(group));
  ASSERT_SUCCESS(quern_sampler_release(foreign));
  ASSERT_SUCCESS(quern_sampler_release(sampler));
  ASSERT_SUCCESS(quern_queue_release(queue));
  ASSERT_SUCCESS(quern_context_release(other));
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_read_with_samplers),
      cmocka_unit_test(samplers_go_both_ways),
      cmocka_unit_test(misuse_is_refused),
  };
  return TEST_RUN_OVER_PLACES(argc, argv, tests);
}
