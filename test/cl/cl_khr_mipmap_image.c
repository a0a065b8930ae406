/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_khr_mipmap_image on the host's side: what images and samplers it makes, and commands that name levels.
 * kernels_images_levels has what kernels see. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <CL/cl_ext.h>

#include "test_command_buffer.h"
#include "test_image.h"

enum { W = 13, H = 6, D = 5, LAYERS = 3, LEVELS = 4, PIXEL = 4, MAX_BYTES = W * H * D * PIXEL };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                           CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
enum { TYPES = sizeof types / sizeof *types };

static int open_device(void **state) {
  int failed = test_device_open(state);
  return failed ? failed : !test_has_extension("cl_khr_mipmap_image");
}

static cl_image_desc describe(cl_mem_object_type type, cl_uint levels) {
  cl_image_desc desc = test_image_desc(type, W, H, D, LAYERS);
  desc.num_mip_levels = levels;
  return desc;
}

static cl_mem make(cl_mem_object_type type) {
  cl_int error;
  const cl_image_desc desc = describe(type, LEVELS);
  cl_mem image = clCreateImage(dut.context, CL_MEM_READ_WRITE, &rgba8, &desc, NULL, &error);
  ASSERT_CL(error);
  return image;
}

/* ------------------------------------------------------------ levels */

static size_t half(size_t size, cl_uint level) { return size >> level ? size >> level : 1; }

/* The member of an origin that names the level. */
static unsigned level_member(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D                                          ? 1
         : type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D ? 2
                                                                                : 3;
}

typedef struct level_t {
  size_t origin[4], region[3], bytes;
} level_t;

static level_t level_of(cl_mem_object_type type, cl_uint level) {
  level_t out = {.region = {half(W, level), 1, 1}};
  out.origin[level_member(type)] = level;
  if (level_member(type) > 1) out.region[1] = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? LAYERS : half(H, level);
  if (level_member(type) > 2) out.region[2] = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? LAYERS : half(D, level);
  out.bytes = out.region[0] * out.region[1] * out.region[2] * PIXEL;
  return out;
}

static void fill_bytes(unsigned char *bytes, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(seed * 61 + i * 7 + i / 256);
}

static void write_level(cl_mem image, const level_t *level, unsigned seed) {
  unsigned char bytes[MAX_BYTES];
  fill_bytes(bytes, level->bytes, seed);
  ASSERT_CL(clEnqueueWriteImage(dut.queue, image, CL_TRUE, level->origin, level->region, 0, 0, bytes, 0, NULL, NULL));
}

static void check_level(cl_mem image, const level_t *level, unsigned seed) {
  unsigned char bytes[MAX_BYTES], expected[MAX_BYTES];
  memset(bytes, 0, sizeof bytes);
  fill_bytes(expected, level->bytes, seed);
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, level->origin, level->region, 0, 0, bytes, 0, NULL, NULL));
  assert_memory_equal(bytes, expected, level->bytes);
}

/* ------------------------------------------------------------ creation */

static cl_mem create(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host,
                     cl_int *error) {
  return clCreateImage(dut.context, flags, format, desc, host, error);
}

static void images_tell_their_levels(void **state) {
  (void)state;
  for (int i = 0; i < TYPES; i++) {
    cl_mem image = make(types[i]);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_NUM_MIP_LEVELS, cl_uint, LEVELS);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_WIDTH, size_t, W);
    ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_ROW_PITCH, size_t, W *PIXEL);
    size_t size = 0, needed = 0;
    for (cl_uint level = 0; level < LEVELS; level++) needed += level_of(types[i], level).bytes;
    ASSERT_CL(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, NULL));
    assert_true(size >= needed);
    ASSERT_CL(clReleaseMemObject(image));
  }
}

/* Down to one pixel of the largest dimension; layers are none. */
static void there_are_as_many_levels_as_halves(void **state) {
  (void)state;
  cl_int error;
  for (int i = 0; i < TYPES; i++) {
    cl_image_desc desc = describe(types[i], LEVELS + 1);
    ASSERT_CL_REFUSED(create(0, &rgba8, &desc, NULL, &error), error, CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 33;
    ASSERT_CL_REFUSED(create(0, &rgba8, &desc, NULL, &error), error, CL_INVALID_IMAGE_DESCRIPTOR);
  }
  cl_image_desc tall = test_image_desc(CL_MEM_OBJECT_IMAGE2D, 1, 32, 1, 1);
  tall.num_mip_levels = 6;
  cl_mem image = create(0, &rgba8, &tall, NULL, &error);
  ASSERT_CL(error);
  ASSERT_CL(clReleaseMemObject(image));
  tall = test_image_desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 1, 1, 64);
  tall.num_mip_levels = 4;
  ASSERT_CL_REFUSED(create(0, &rgba8, &tall, NULL, &error), error, CL_INVALID_IMAGE_DESCRIPTOR);
}

/* One level is no mipmap, as it is for 0: it may have what mipmaps may not. */
static void one_level_is_plain(void **state) {
  (void)state;
  cl_int error;
  unsigned char pixels[MAX_BYTES] = {0}, out[MAX_BYTES];
  fill_bytes(pixels, sizeof pixels, 3);
  const cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, 1);
  const size_t origin[3] = {0, 0, 0}, beyond[3] = {0, 0, 1}, region[3] = {W, H, 1};
  cl_mem image = create(CL_MEM_COPY_HOST_PTR, &rgba8, &desc, pixels, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetImageInfo, image, CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 1);
  ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
  assert_memory_equal(out, pixels, (size_t)W * H * PIXEL);
  ASSERT_CL_ERROR(clEnqueueReadImage(dut.queue, image, CL_TRUE, beyond, region, 0, 0, out, 0, NULL, NULL),
                  CL_INVALID_VALUE);
  ASSERT_CL(clReleaseMemObject(image));
}

static void images_that_have_no_levels(void **state) {
  (void)state;
  cl_int error;
  unsigned char pixels[MAX_BYTES] = {0};
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, 2);
  ASSERT_CL_REFUSED(create(CL_MEM_COPY_HOST_PTR, &rgba8, &desc, pixels, &error), error, CL_INVALID_HOST_PTR);
  ASSERT_CL_REFUSED(create(CL_MEM_USE_HOST_PTR, &rgba8, &desc, pixels, &error), error, CL_INVALID_HOST_PTR);
  ASSERT_CL_REFUSED(create(0, &rgba8, &desc, pixels, &error), error, CL_INVALID_HOST_PTR);
  desc.image_row_pitch = W * PIXEL;
  ASSERT_CL_REFUSED(create(0, &rgba8, &desc, NULL, &error), error, CL_INVALID_IMAGE_DESCRIPTOR);
  desc = describe(CL_MEM_OBJECT_IMAGE2D, 2);
  desc.num_samples = 2;
  ASSERT_CL_REFUSED(create(0, &rgba8, &desc, NULL, &error), error, CL_INVALID_IMAGE_DESCRIPTOR);
  cl_mem buffer = test_buffer(MAX_BYTES, NULL);
  desc = describe(CL_MEM_OBJECT_IMAGE2D, 2);
  desc.mem_object = buffer;
  ASSERT_CL_REFUSED(create(0, &rgba8, &desc, NULL, &error), error, CL_INVALID_IMAGE_DESCRIPTOR);
  desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 2);
  desc.mem_object = buffer;
  ASSERT_CL_REFUSED(create(0, &rgba8, &desc, NULL, &error), error, CL_INVALID_IMAGE_DESCRIPTOR);
  ASSERT_CL(clReleaseMemObject(buffer));
}

/* An image of an image has its levels, all of them. */
static void images_of_images_share_levels(void **state) {
  (void)state;
  cl_int error;
  const cl_image_format linear = {CL_RGBA, CL_UNORM_INT8}, srgb = {CL_sRGBA, CL_UNORM_INT8};
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, LEVELS);
  cl_mem parent = create(0, &linear, &desc, NULL, &error);
  ASSERT_CL(error);
  desc.mem_object = parent;
  cl_mem image = create(0, &srgb, &desc, NULL, &error);
  ASSERT_CL(error);
  for (cl_uint i = 0; i < LEVELS; i++) {
    const level_t level = level_of(CL_MEM_OBJECT_IMAGE2D, i);
    write_level(image, &level, i);
    check_level(parent, &level, i);
  }
  desc.num_mip_levels = LEVELS - 1;
  ASSERT_CL_REFUSED(create(0, &srgb, &desc, NULL, &error), error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.num_mip_levels = 0;
  ASSERT_CL_REFUSED(create(0, &srgb, &desc, NULL, &error), error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  ASSERT_CL(clReleaseMemObject(image));
  ASSERT_CL(clReleaseMemObject(parent));
}

/* ------------------------------------------------------------ commands */

static void levels_are_written_and_read_apart(void **state) {
  (void)state;
  for (int i = 0; i < TYPES; i++) {
    cl_mem image = make(types[i]);
    for (cl_uint level = 0; level < LEVELS; level++) {
      const level_t of = level_of(types[i], level);
      write_level(image, &of, level);
    }
    for (cl_uint level = 0; level < LEVELS; level++) {
      const level_t of = level_of(types[i], level);
      check_level(image, &of, level);
    }
    ASSERT_CL(clReleaseMemObject(image));
  }
}

/* The last pixel of a level, through host memory with pitches. */
static void boxes_lie_in_their_level(void **state) {
  (void)state;
  const unsigned char mark[PIXEL] = {250, 251, 252, 253};
  for (int i = 0; i < TYPES; i++) {
    cl_mem image = make(types[i]);
    level_t level = level_of(types[i], 1), last = level;
    write_level(image, &level, 9);
    for (unsigned j = 0; j < 3; j++) {
      if (level.region[j] > 1) last.origin[j] = level.region[j] - 1;
      last.region[j] = 1;
    }
    ASSERT_CL(clEnqueueWriteImage(dut.queue, image, CL_TRUE, last.origin, last.region, 0, 0, mark, 0, NULL, NULL));
    unsigned char out[MAX_BYTES], expected[MAX_BYTES];
    fill_bytes(expected, level.bytes, 9);
    memcpy(expected + level.bytes - PIXEL, mark, PIXEL);
    ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, level.origin, level.region, 0, 0, out, 0, NULL, NULL));
    assert_memory_equal(out, expected, level.bytes);
    ASSERT_CL(clReleaseMemObject(image));
  }
}

/* From a level of one image to another level of a smaller one, whose sizes are the same; and through a buffer. */
static void levels_are_copied(void **state) {
  (void)state;
  for (int i = 0; i < TYPES; i++) {
    cl_int error;
    cl_image_desc small = test_image_desc(types[i], half(W, 1), half(H, 1), half(D, 1), LAYERS);
    cl_mem image = make(types[i]), buffer = test_buffer(MAX_BYTES, NULL);
    cl_mem other = create(0, &rgba8, &small, NULL, &error);
    ASSERT_CL(error);
    const level_t level = level_of(types[i], 1), deeper = level_of(types[i], 2);
    level_t plain = level;
    plain.origin[level_member(types[i])] = 0;
    write_level(image, &level, 5);
    ASSERT_CL(clEnqueueCopyImage(dut.queue, image, other, level.origin, plain.origin, level.region, 0, NULL, NULL));
    check_level(other, &plain, 5);
    write_level(other, &plain, 6);
    ASSERT_CL(clEnqueueCopyImage(dut.queue, other, image, plain.origin, level.origin, level.region, 0, NULL, NULL));
    check_level(image, &level, 6);
    /* Level to level, where boxes at the same place are not the same pixels. */
    write_level(image, &deeper, 7);
    ASSERT_CL(clEnqueueCopyImage(dut.queue, image, image, deeper.origin, level.origin, deeper.region, 0, NULL, NULL));
    level_t corner = level;
    memcpy(corner.region, deeper.region, sizeof corner.region);
    corner.bytes = deeper.bytes;
    check_level(image, &corner, 7);
    ASSERT_CL_ERROR(
        clEnqueueCopyImage(dut.queue, image, image, level.origin, level.origin, level.region, 0, NULL, NULL),
        CL_MEM_COPY_OVERLAP);

    unsigned char bytes[MAX_BYTES], expected[MAX_BYTES];
    write_level(image, &level, 8);
    fill_bytes(expected, level.bytes, 8);
    ASSERT_CL(clEnqueueCopyImageToBuffer(dut.queue, image, buffer, level.origin, level.region, PIXEL, 0, NULL, NULL));
    test_read(buffer, level.bytes + PIXEL, bytes);
    assert_memory_equal(bytes + PIXEL, expected, level.bytes);
    ASSERT_CL(clEnqueueCopyBufferToImage(dut.queue, buffer, image, PIXEL, deeper.origin, deeper.region, 0, NULL, NULL));
    check_level(image, &deeper, 8);
    ASSERT_CL(clReleaseMemObject(other));
    ASSERT_CL(clReleaseMemObject(buffer));
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void levels_are_filled(void **state) {
  (void)state;
  const cl_uint color[4] = {1, 2, 3, 4};
  for (int i = 0; i < TYPES; i++) {
    cl_mem image = make(types[i]);
    for (cl_uint level = 0; level < LEVELS; level++) {
      const level_t of = level_of(types[i], level);
      write_level(image, &of, level);
    }
    const level_t filled = level_of(types[i], 2);
    unsigned char out[MAX_BYTES];
    ASSERT_CL(clEnqueueFillImage(dut.queue, image, color, filled.origin, filled.region, 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, filled.origin, filled.region, 0, 0, out, 0, NULL, NULL));
    for (size_t j = 0; j < filled.bytes; j++) assert_int_equal(out[j], j % 4 + 1);
    for (cl_uint level = 0; level < LEVELS; level++) {
      const level_t of = level_of(types[i], level);
      if (level != 2) check_level(image, &of, level);
    }
    ASSERT_CL(clReleaseMemObject(image));
  }
}

/* Two levels at once, both for writing; the same one twice is refused. */
static void levels_are_mapped(void **state) {
  (void)state;
  for (int i = 0; i < TYPES; i++) {
    cl_int error;
    size_t row, slice;
    cl_mem image = make(types[i]);
    const level_t level = level_of(types[i], 1), deeper = level_of(types[i], 2);
    bool is_1d_array = types[i] == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    write_level(image, &level, 4);
    unsigned char expected[MAX_BYTES],
        *bytes = clEnqueueMapImage(dut.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, level.origin, level.region,
                                   &row, &slice, 0, NULL, NULL, &error);
    ASSERT_CL(error);
    fill_bytes(expected, level.bytes, 4);
    const size_t packed = level.region[0] * PIXEL;
    for (size_t z = 0; z < level.region[2]; z++) {
      for (size_t y = 0; y < level.region[1]; y++) {
        size_t place = is_1d_array ? y * slice : z * slice + y * row;
        assert_memory_equal(bytes + place, expected + (z * level.region[1] + y) * packed, packed);
      }
    }
    size_t second_row, second_slice;
    void *second = clEnqueueMapImage(dut.queue, image, CL_TRUE, CL_MAP_WRITE, deeper.origin, deeper.region, &second_row,
                                     &second_slice, 0, NULL, NULL, &error);
    ASSERT_CL(error);
    ASSERT_CL_REFUSED(clEnqueueMapImage(dut.queue, image, CL_TRUE, CL_MAP_WRITE, level.origin, deeper.region,
                                        &second_row, &second_slice, 0, NULL, NULL, &error),
                      error, CL_INVALID_OPERATION);
    bytes[0] = 77;
    ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, image, bytes, 0, NULL, NULL));
    ASSERT_CL(clEnqueueUnmapMemObject(dut.queue, image, second, 0, NULL, NULL));
    const size_t one[3] = {1, 1, 1};
    unsigned char pixel[PIXEL];
    ASSERT_CL(clEnqueueReadImage(dut.queue, image, CL_TRUE, level.origin, one, 0, 0, pixel, 0, NULL, NULL));
    assert_int_equal(pixel[0], 77);
    ASSERT_CL(clReleaseMemObject(image));
  }
}

/* The error of each command for a box that none can have. */
static void check_refused(cl_mem image, const size_t *origin, const size_t *region, cl_int expected) {
  const cl_uint color[4] = {0};
  static unsigned char bytes[MAX_BYTES];
  size_t row, slice;
  cl_int error;
  cl_mem buffer = test_buffer(MAX_BYTES, NULL);
  const size_t zero[4] = {0};
  cl_command_queue queue = dut.queue;
  ASSERT_CL_ERROR(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueFillImage(queue, image, color, origin, region, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueCopyImage(queue, image, image, origin, zero, region, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueCopyImage(queue, image, image, zero, origin, (const size_t[]){1, 1, 1}, 0, NULL, NULL),
                  expected == CL_INVALID_MIP_LEVEL ? expected : CL_MEM_COPY_OVERLAP);
  ASSERT_CL_ERROR(clEnqueueCopyImageToBuffer(queue, image, buffer, origin, region, 0, 0, NULL, NULL), expected);
  ASSERT_CL_ERROR(clEnqueueCopyBufferToImage(queue, buffer, image, 0, origin, region, 0, NULL, NULL), expected);
  ASSERT_CL_REFUSED(
      clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row, &slice, 0, NULL, NULL, &error), error,
      expected);
  ASSERT_CL(clReleaseMemObject(buffer));
}

static void commands_check_the_level(void **state) {
  (void)state;
  unsigned char bytes[MAX_BYTES];
  for (int i = 0; i < TYPES; i++) {
    cl_mem image = make(types[i]);
    level_t none = level_of(types[i], LEVELS), first = level_of(types[i], 0);
    check_refused(image, none.origin, none.region, CL_INVALID_MIP_LEVEL);
    /* A pixel more than the level has, in each of its dimensions, though the first has it. */
    for (unsigned j = 0; j < 3; j++) {
      level_t level = level_of(types[i], 1);
      level.region[j]++;
      ASSERT_CL_ERROR(
          clEnqueueReadImage(dut.queue, image, CL_TRUE, level.origin, level.region, 0, 0, bytes, 0, NULL, NULL),
          CL_INVALID_VALUE);
    }
    first.region[0]++;
    check_refused(image, first.origin, first.region, CL_INVALID_VALUE);
    /* What is behind the level is none of the image's dimensions. */
    level_t level = level_of(types[i], 1);
    if (types[i] == CL_MEM_OBJECT_IMAGE1D) {
      level.origin[2] = 1;
      ASSERT_CL_ERROR(
          clEnqueueReadImage(dut.queue, image, CL_TRUE, level.origin, level.region, 0, 0, bytes, 0, NULL, NULL),
          CL_INVALID_VALUE);
    }
    ASSERT_CL(clReleaseMemObject(image));
  }
}

static void command_buffers_name_levels(void **state) {
  (void)state;
  if (!test_has_extension("cl_khr_command_buffer") || !cb_load()) skip();
  const cl_uint color[4] = {1, 2, 3, 4};
  const level_t level = level_of(CL_MEM_OBJECT_IMAGE3D, 2), first = level_of(CL_MEM_OBJECT_IMAGE3D, 0);
  cl_mem a = make(CL_MEM_OBJECT_IMAGE3D), b = make(CL_MEM_OBJECT_IMAGE3D), memory = test_buffer(MAX_BYTES, NULL);
  write_level(a, &first, 1);
  write_level(b, &first, 1);
  cl_command_buffer_khr buffer = test_command_buffer(NULL);
  ASSERT_CL(cb.clCommandFillImageKHR(buffer, NULL, NULL, a, color, level.origin, level.region, NO_SYNC));
  ASSERT_CL(cb.clCommandCopyImageKHR(buffer, NULL, NULL, a, b, level.origin, level.origin, level.region, NO_SYNC));
  ASSERT_CL(cb.clCommandCopyImageToBufferKHR(buffer, NULL, NULL, b, memory, level.origin, level.region, 0, NO_SYNC));
  ASSERT_CL(cb.clCommandCopyBufferToImageKHR(buffer, NULL, NULL, memory, a, 0, first.origin, level.region, NO_SYNC));
  ASSERT_CL_ERROR(
      cb.clCommandFillImageKHR(buffer, NULL, NULL, a, color, (const size_t[]){0, 0, 0, LEVELS}, level.region, NO_SYNC),
      CL_INVALID_MIP_LEVEL);
  ASSERT_CL(cb.clFinalizeCommandBufferKHR(buffer));
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
  unsigned char bytes[MAX_BYTES];
  ASSERT_CL(clEnqueueReadImage(dut.queue, a, CL_TRUE, first.origin, level.region, 0, 0, bytes, 0, NULL, NULL));
  for (size_t i = 0; i < level.bytes; i++) assert_int_equal(bytes[i], i % 4 + 1);
  check_level(b, &first, 1);
  ASSERT_CL(cb.clReleaseCommandBufferKHR(buffer));
  ASSERT_CL(clReleaseMemObject(a));
  ASSERT_CL(clReleaseMemObject(b));
  ASSERT_CL(clReleaseMemObject(memory));
}

/* ------------------------------------------------------------ samplers */

static cl_sampler_properties lod_bits(float lod) {
  cl_uint bits;
  memcpy(&bits, &lod, sizeof bits);
  return bits;
}

static float lod_of(cl_sampler sampler, cl_sampler_info name) {
  cl_float lod = NAN;
  size_t size = 0;
  ASSERT_CL(clGetSamplerInfo(sampler, name, sizeof lod, &lod, &size));
  assert_int_equal(size, sizeof lod);
  return lod;
}

static void samplers_have_limits(void **state) {
  (void)state;
  cl_int error;
  const cl_sampler_properties all[] = {CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                       CL_FILTER_LINEAR,
                                       CL_SAMPLER_LOD_MIN_KHR,
                                       lod_bits(0.75f),
                                       CL_SAMPLER_LOD_MAX_KHR,
                                       lod_bits(4.5f),
                                       CL_SAMPLER_NORMALIZED_COORDS,
                                       CL_TRUE,
                                       CL_SAMPLER_ADDRESSING_MODE,
                                       CL_ADDRESS_REPEAT,
                                       CL_SAMPLER_FILTER_MODE,
                                       CL_FILTER_LINEAR,
                                       0};
  cl_sampler_properties answer[13];
  cl_sampler sampler = clCreateSamplerWithProperties(dut.context, all, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR, cl_filter_mode, CL_FILTER_LINEAR);
  assert_true(lod_of(sampler, CL_SAMPLER_LOD_MIN_KHR) == 0.75f);
  assert_true(lod_of(sampler, CL_SAMPLER_LOD_MAX_KHR) == 4.5f);
  ASSERT_CL(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof answer, answer, NULL));
  assert_memory_equal(answer, all, sizeof all);
  ASSERT_CL(clReleaseSampler(sampler));
  sampler = clCreateSamplerWithProperties(dut.context, NULL, &error);
  ASSERT_CL(error);
  ASSERT_INFO(clGetSamplerInfo, sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR, cl_filter_mode, CL_FILTER_NEAREST);
  assert_true(lod_of(sampler, CL_SAMPLER_LOD_MIN_KHR) == 0.0f);
  assert_true(lod_of(sampler, CL_SAMPLER_LOD_MAX_KHR) == FLT_MAX);
  ASSERT_CL(clReleaseSampler(sampler));
}

static void samplers_refuse_other_values(void **state) {
  (void)state;
  cl_int error;
  const cl_sampler_properties lists[][5] = {
      {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR + 1, 0},
      {CL_SAMPLER_LOD_MIN_KHR, lod_bits(NAN), 0},
      {CL_SAMPLER_LOD_MAX_KHR, lod_bits(NAN), 0},
      {CL_SAMPLER_LOD_MAX_KHR, lod_bits(1), CL_SAMPLER_LOD_MAX_KHR, lod_bits(2), 0},
      {CL_SAMPLER_LOD_MAX_KHR + 1, 0, 0}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    ASSERT_CL_REFUSED(clCreateSamplerWithProperties(dut.context, lists[i], &error), error, CL_INVALID_VALUE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(images_tell_their_levels),
      cmocka_unit_test(there_are_as_many_levels_as_halves),
      cmocka_unit_test(one_level_is_plain),
      cmocka_unit_test(images_that_have_no_levels),
      cmocka_unit_test(images_of_images_share_levels),
      cmocka_unit_test(levels_are_written_and_read_apart),
      cmocka_unit_test(boxes_lie_in_their_level),
      cmocka_unit_test(levels_are_copied),
      cmocka_unit_test(levels_are_filled),
      cmocka_unit_test(levels_are_mapped),
      cmocka_unit_test(commands_check_the_level),
      cmocka_unit_test(command_buffers_name_levels),
      cmocka_unit_test(samplers_have_limits),
      cmocka_unit_test(samplers_refuse_other_values),
  };
  return cmocka_run_group_tests(tests, open_device, test_device_close);
}
