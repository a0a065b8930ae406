/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Levels of images in SPIR-V, which Clang's back end does not write: Lod and Grad of image instructions, queries of a
 * level; and that what no image here has is refused by name. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_extension.h"
#include "test_il.h"
#include "test_image.h"

enum { SIDE = 8, LEVELS = 4, RESULTS = 4 };

/* Image %image, a sampler, a level, a number, and where four vectors of float go; BODY is put between. */
static const char head[] =
    "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpCapability Int64\n"
    "OpCapability ImageBasic\nOpCapability ImageReadWrite\nOpCapability ImageMipmap\nOpCapability LiteralSampler\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\"\n"
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
    "%uint2 = OpTypeVector %uint 2\n%uint3 = OpTypeVector %uint 3\n%uint4 = OpTypeVector %uint 4\n"
    "%float2 = OpTypeVector %float 2\n%float3 = OpTypeVector %float 3\n%float4 = OpTypeVector %float 4\n"
    "%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n%two = OpConstant %uint 2\n%three = OpConstant %uint 3\n"
    "%none = OpConstant %float 0\n%quarter = OpConstant %float 0.25\n%half = OpConstant %float 0.5\n"
    "%zeros2 = OpConstantNull %uint2\n%zeros3 = OpConstantNull %uint3\n"
    "%middle2 = OpConstantComposite %float2 %half %half\n"
    "%middle3 = OpConstantComposite %float3 %half %half %half\n"
    "%step2 = OpConstantComposite %float2 %quarter %none\n"
    "%step3 = OpConstantComposite %float3 %none %none %quarter\n"
    "%zeros4 = OpConstantNull %float4\n"
    "%i2 = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"
    "%w2 = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n"
    "%i3 = OpTypeImage %void 3D 0 0 0 0 Unknown ReadOnly\n"
    "%s2 = OpTypeSampledImage %i2\n%s3 = OpTypeSampledImage %i3\n"
    "%sampler = OpTypeSampler\n"
    "%to = OpTypePointer CrossWorkgroup %float4\n"
    "%type = OpTypeFunction %void %i2 %w2 %i3 %sampler %uint %float %to\n"
    "%k = OpFunction %void None %type\n"
    "%a = OpFunctionParameter %i2\n"
    "%b = OpFunctionParameter %w2\n"
    "%c = OpFunctionParameter %i3\n"
    "%s = OpFunctionParameter %sampler\n"
    "%level = OpFunctionParameter %uint\n"
    "%lod = OpFunctionParameter %float\n"
    "%out = OpFunctionParameter %to\n"
    "%entry = OpLabel\n"
    "%out1 = OpInBoundsPtrAccessChain %to %out %one\n"
    "%out2 = OpInBoundsPtrAccessChain %to %out %two\n"
    "%out3 = OpInBoundsPtrAccessChain %to %out %three\n"
    "%a_s = OpSampledImage %s2 %a %s\n"
    "%c_s = OpSampledImage %s3 %c %s\n";
static const char tail[] = "OpReturn\nOpFunctionEnd\n";

static cl_program create(const char *body) {
  char text[8192];
  size_t size;
  assert_true((size_t)snprintf(text, sizeof text, "%s%s%s", head, body, tail) < sizeof text);
  void *il = test_assemble_il(text, &size);
  cl_program program = test_create_with_il(il, size);
  free(il);
  return program;
}

static cl_program build(const char *body) {
  cl_program program = create(body);
  test_build(program, NULL);
  return program;
}

/* ------------------------------------------------------------ images whose pixels tell their level */

static cl_mem make(cl_mem_object_type type) {
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc = test_image_desc(type, SIDE, SIDE, SIDE, 1);
  desc.num_mip_levels = LEVELS;
  cl_int error;
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
  ASSERT_CL(error);
  for (unsigned i = 0; i < LEVELS; i++) {
    const bool is_3d = type == CL_MEM_OBJECT_IMAGE3D;
    const size_t side = SIDE >> i, region[3] = {side, side, is_3d ? side : 1};
    const size_t origin[4] = {0, 0, is_3d ? 0 : i, i};
    const cl_float color[4] = {(float)i, (float)i * 10, (float)side, is_3d};
    ASSERT_CL(clEnqueueFillImage(dut.queue, image, color, origin, region, 0, NULL, NULL));
  }
  return image;
}

static void read_2d(cl_mem image, unsigned level, cl_float out[4]) {
  const size_t origin[3] = {0, 0, level}, region[3] = {1, 1, 1};
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
}

typedef struct images_t {
  cl_mem read, written, deep;
} images_t;

/** Runs a kernel of this body at a level; gives its results. */
static void run(const char *body, const images_t *images, cl_uint level, cl_float lod, cl_float4 out[RESULTS]) {
  cl_program program = build(body);
  cl_int error;
  const size_t one = 1;
  cl_sampler sampler = clCreateSampler(dut.context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
  ASSERT_CL(error);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  memset(out, 0xff, RESULTS * sizeof *out);
  cl_mem buffer = test_buffer(RESULTS * sizeof *out, out);
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images->read));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &images->written));
  ASSERT_CL(clSetKernelArg(kernel, 2, sizeof(cl_mem), &images->deep));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof(cl_sampler), &sampler));
  ASSERT_CL(clSetKernelArg(kernel, 4, sizeof level, &level));
  ASSERT_CL(clSetKernelArg(kernel, 5, sizeof lod, &lod));
  ASSERT_CL(clSetKernelArg(kernel, 6, sizeof(cl_mem), &buffer));
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  test_read(buffer, RESULTS * sizeof *out, out);
  ASSERT_CL(clReleaseMemObject(buffer));
  ASSERT_CL(clReleaseKernel(kernel));
  ASSERT_CL(clReleaseSampler(sampler));
  ASSERT_CL(clReleaseProgram(program));
}

static int open_device(void **state) {
  if (test_device_open(state)) return 1;
  return !test_has_extension("cl_khr_mipmap_image") || !test_has_extension("cl_khr_il_program");
}

static images_t images_create(void) {
  return (images_t){make(CL_MEM_OBJECT_IMAGE2D), make(CL_MEM_OBJECT_IMAGE2D), make(CL_MEM_OBJECT_IMAGE3D)};
}

static void images_release(const images_t *images) {
  ASSERT_CL(clReleaseMemObject(images->read));
  ASSERT_CL(clReleaseMemObject(images->written));
  ASSERT_CL(clReleaseMemObject(images->deep));
}

/* ------------------------------------------------------------ cases */

static void samples_have_levels(void **state) {
  (void)state;
  const images_t images = images_create();
  cl_float4 out[RESULTS];
  run("%r0 = OpImageSampleExplicitLod %float4 %a_s %middle2 Lod %lod\nOpStore %out %r0 Aligned 16\n"
      "%r1 = OpImageSampleExplicitLod %float4 %c_s %middle3 Lod %lod\nOpStore %out1 %r1 Aligned 16\n"
      "%r2 = OpImageSampleExplicitLod %float4 %a_s %middle2 Grad %step2 %step2\nOpStore %out2 %r2 Aligned 16\n"
      "%r3 = OpImageSampleExplicitLod %float4 %c_s %middle3 Grad %step3 %step3\nOpStore %out3 %r3 Aligned 16\n",
      &images, 0, 2.0F, out);
  /* Steps of a quarter are two pixels of eight. */
  const float expected[RESULTS][4] = {{2, 20, 2, 0}, {2, 20, 2, 1}, {1, 10, 4, 0}, {1, 10, 4, 1}};
  assert_memory_equal(out, expected, sizeof expected);
  run("%r0 = OpImageSampleExplicitLod %float4 %a_s %middle2 Lod %none\nOpStore %out %r0 Aligned 16\n", &images, 0, 2.0F,
      out);
  assert_true(out[0].s[0] == 0 && out[0].s[2] == SIDE);
  images_release(&images);
}

static void reads_and_writes_have_levels(void **state) {
  (void)state;
  const images_t images = images_create();
  cl_float4 out[RESULTS];
  cl_float pixel[4];
  run("%r0 = OpImageRead %float4 %a %zeros2 Lod %level\nOpStore %out %r0 Aligned 16\n"
      "%r1 = OpImageRead %float4 %c %zeros3 Lod %level\nOpStore %out1 %r1 Aligned 16\n"
      "OpImageWrite %b %zeros2 %zeros4 Lod %level\n",
      &images, 3, 0, out);
  const float expected[2][4] = {{3, 30, 1, 0}, {3, 30, 1, 1}};
  assert_memory_equal(out, expected, sizeof expected);
  for (unsigned i = 0; i < LEVELS; i++) {
    read_2d(images.written, i, pixel);
    assert_true(pixel[2] == (i == 3 ? 0.0F : (float)(SIDE >> i)));
  }
  images_release(&images);
}

static void queries_have_levels(void **state) {
  (void)state;
  const images_t images = images_create();
  cl_float4 out[RESULTS];
  run("%q0 = OpImageQuerySizeLod %uint2 %a %level\n%r0 = OpVectorShuffle %uint4 %q0 %q0 0 1 2 3\n"
      "%f0 = OpConvertUToF %float4 %r0\nOpStore %out %f0 Aligned 16\n"
      "%q1 = OpImageQuerySizeLod %uint3 %c %level\n%r1 = OpVectorShuffle %uint4 %q1 %q1 0 1 2 3\n"
      "%f1 = OpConvertUToF %float4 %r1\nOpStore %out1 %f1 Aligned 16\n"
      "%q2 = OpImageQueryLevels %uint %b\n%f2 = OpConvertUToF %float %q2\n"
      "%v2 = OpCompositeConstruct %float4 %f2 %f2 %f2 %f2\nOpStore %out2 %v2 Aligned 16\n"
      "%q3 = OpImageQuerySizeLod %uint2 %a %zero\n%r3 = OpVectorShuffle %uint4 %q3 %q3 0 1 2 3\n"
      "%f3 = OpConvertUToF %float4 %r3\nOpStore %out3 %f3 Aligned 16\n",
      &images, 2, 0, out);
  const float expected[RESULTS][4] = {{2, 2, 2, 2}, {2, 2, 2, 2}, {4, 4, 4, 4}, {8, 8, 8, 8}};
  assert_memory_equal(out, expected, sizeof expected);
  images_release(&images);
}

static void what_there_is_not_is_named(void **state) {
  (void)state;
  static const char *const refused[][2] = {
      {"%r = OpImageSampleExplicitLod %float4 %a_s %middle2 Lod|ConstOffset %lod %zeros2\n", "ConstOffset"},
      {"%r = OpImageSampleExplicitLod %float4 %a_s %middle2 Bias|Lod %lod %lod\n", "Bias"},
      {"%r = OpImageSampleExplicitLod %float4 %a_s %zeros2 Lod %lod\n", "coordinates of float"},
      {"%r = OpImageSampleExplicitLod %float4 %a_s %middle2 Grad %none %none\n", "components"},
      {"%r = OpImageRead %float4 %a %zeros2 Sample %one\n", "Sample"},
      {"%r = OpImageRead %float4 %a %zeros2 Grad %step2 %step2\n", "Grad"},
      {"%r = OpImageRead %float4 %a %zeros2 Lod %lod\n", "level of detail"},
      {"%r = OpImageQuerySamples %uint %a\n", "multisampled"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    cl_program program = create(refused[i][0]);
    ASSERT_CL_ERROR(clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    char *log = test_build_log(program);
    if (!strstr(log, refused[i][1])) fail_msg("%s: the log does not say '%s': %s", refused[i][0], refused[i][1], log);
    free(log);
    ASSERT_CL(clReleaseProgram(program));
  }
}

static void multisampled_images_are_refused(void **state) {
  (void)state;
  static const char text[] =
      "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpCapability ImageBasic\n"
      "OpMemoryModel Physical64 OpenCL\n"
      "OpEntryPoint Kernel %k \"k\"\n"
      "%void = OpTypeVoid\n"
      "%image = OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly\n"
      "%type = OpTypeFunction %void %image\n"
      "%k = OpFunction %void None %type\n"
      "%a = OpFunctionParameter %image\n"
      "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  size_t size;
  void *il = test_assemble_il(text, &size);
  cl_program program = test_create_with_il(il, size);
  free(il);
  ASSERT_CL_ERROR(clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  char *log = test_build_log(program);
  assert_non_null(strstr(log, "multisampled"));
  free(log);
  ASSERT_CL(clReleaseProgram(program));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_have_levels),
      cmocka_unit_test(reads_and_writes_have_levels),
      cmocka_unit_test(queries_have_levels),
      cmocka_unit_test(what_there_is_not_is_named),
      cmocka_unit_test(multisampled_images_are_refused),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
