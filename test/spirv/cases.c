/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Runs the cases of one file (case_file.h) on the device: cases FILE. */
#include <stdio.h>
#include <stdlib.h>

#include "case_file.h"
#include "test_il.h"

static size_t stride(const case_buffer_t *buffer) {
  return buffer->size * (buffer->components == 3 ? 4 : buffer->components);
}

static size_t byte_count(const case_buffer_t *buffer) {
  return buffer->value_count / buffer->components * stride(buffer);
}

static size_t value_offset(const case_buffer_t *buffer, size_t index) {
  return index / buffer->components * stride(buffer) + index % buffer->components * buffer->size;
}

/* ------------------------------------------------------------ images */

static cl_channel_type channel_type(const case_buffer_t *image) {
  if (strstr(image->type, "float")) return CL_FLOAT;
  if (strstr(image->type, "half")) return CL_HALF_FLOAT;
  return image->size == 1 ? CL_UNSIGNED_INT8 : image->size == 2 ? CL_UNSIGNED_INT16 : CL_UNSIGNED_INT32;
}

static cl_mem make_image(const case_buffer_t *image, void *bytes) {
  const size_t *size = image->image_size;
  const cl_image_format format = {image->components == 1   ? CL_R
                                  : image->components == 2 ? CL_RG
                                                           : CL_RGBA,
                                  channel_type(image)};
  const cl_image_desc desc = {.image_type = image->image_kind,
                              .image_width = size[0],
                              .image_height = size[1],
                              .image_depth = size[2],
                              .image_array_size = image->image_kind == CL_MEM_OBJECT_IMAGE1D_ARRAY ? size[1] : size[2]};
  cl_int error;
  assert_int_equal(size[0] * size[1] * size[2] * image->components, image->value_count);
  cl_mem memory = clCreateImage(dut.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, bytes, &error);
  ASSERT_CL(error);
  return memory;
}

static void read_image(const case_buffer_t *image, cl_mem memory, void *bytes) {
  const size_t origin[3] = {0};
  ASSERT_CL(clEnqueueReadImage(dut.queue, memory, CL_TRUE, origin, image->image_size, 0, 0, bytes, 0, NULL, NULL));
}

/* ------------------------------------------------------------ arguments */

static cl_mem make_argument(const case_buffer_t *buffer) {
  unsigned char *bytes = calloc(1, byte_count(buffer));
  assert_non_null(bytes);
  for (size_t i = 0; i < buffer->value_count; i++) {
    memcpy(bytes + value_offset(buffer, i), &buffer->before[i], buffer->size);
  }
  cl_mem memory = buffer->image_kind ? make_image(buffer, bytes) : test_buffer(byte_count(buffer), bytes);
  free(bytes);
  return memory;
}

static void check_argument(const case_t *test, size_t index, cl_mem memory) {
  const case_buffer_t *buffer = &test->buffers[index];
  unsigned char *bytes = malloc(byte_count(buffer));
  assert_non_null(bytes);
  if (buffer->image_kind) {
    read_image(buffer, memory, bytes);
  } else {
    test_read(memory, byte_count(buffer), bytes);
  }
  bool is_right = true;
  for (size_t i = 0; i < buffer->value_count && buffer->is_checked; i++) {
    uint64_t got = 0, wanted = 0;
    memcpy(&got, bytes + value_offset(buffer, i), buffer->size);
    memcpy(&wanted, &buffer->after[i], buffer->size);
    if (got == wanted) continue;
    print_error("buffer %zu, value %zu is 0x%llx, should be 0x%llx\n", index, i, (unsigned long long)got,
                (unsigned long long)wanted);
    is_right = false;
  }
  free(bytes);
  assert_true(is_right);
}

static void run_kernel(const case_t *test, cl_program program) {
  cl_int error;
  cl_mem memory[case_max_buffers];
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  ASSERT_CL(error);
  for (size_t i = 0; i < test->buffer_count; i++) {
    memory[i] = make_argument(&test->buffers[i]);
    ASSERT_CL(clSetKernelArg(kernel, (cl_uint)i, sizeof(memory[i]), &memory[i]));
  }
  const size_t *group = test->group ? &test->group : NULL;
  ASSERT_CL(clEnqueueNDRangeKernel(dut.queue, kernel, 1, NULL, &test->items, group, 0, NULL, NULL));
  for (size_t i = 0; i < test->buffer_count; i++) {
    check_argument(test, i, memory[i]);
    ASSERT_CL(clReleaseMemObject(memory[i]));
  }
  ASSERT_CL(clReleaseKernel(kernel));
}

static void check_build(const case_t *test, cl_program program) {
  cl_int error = clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL);
  char *log = test_build_log(program);
  bool is_expected = test->refusal ? error == CL_BUILD_PROGRAM_FAILURE && strstr(log, test->refusal) : !error;
  if (!is_expected) print_error("the build gave %s: %s\n", test_error_name(error), log);
  free(log);
  assert_true(is_expected);
}

static void run_case(void **state) {
  const case_t *test = *state;
  size_t size = 0;
  void *il = test_assemble_il(test->text, &size);
  cl_program program = test_create_with_il(il, size);
  for (size_t i = 0; i < test->setting_count; i++) {
    const case_setting_t *setting = &test->settings[i];
    ASSERT_CL(clSetProgramSpecializationConstant(program, setting->id, setting->size, &setting->value));
  }
  check_build(test, program);
  if (!test->refusal) run_kernel(test, program);
  free(il);
  ASSERT_CL(clReleaseProgram(program));
}

int main(int argc, char **argv) {
  case_file_t file;
  if (argc != 2 || !case_file_read(argv[1], &file)) return EXIT_FAILURE;
  struct CMUnitTest *tests = calloc(file.count, sizeof(*tests));
  for (size_t i = 0; tests && i < file.count; i++) {
    tests[i] = (struct CMUnitTest){file.cases[i].name, run_case, NULL, NULL, &file.cases[i]};
  }
  int failed = _cmocka_run_group_tests(argv[1], tests, file.count, test_device_open, test_device_close);
  free(tests);
  case_file_free(&file);
  return failed;
}
