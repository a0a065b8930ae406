/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * clSVMAlloc and clSVMFree, and buffers over such memory. */
#include <stdlib.h>

#include "test_device.h"

static int needs_svm(void **state) {
  return test_device_open(state) || !test_device_number(CL_DEVICE_SVM_CAPABILITIES);
}

static void device_shares_all_memory(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  assert_int_equal(test_device_number(CL_DEVICE_SVM_CAPABILITIES),
                   CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                       CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS);
}

static void allocates_with_all_flags(void **state) {
  (void)state;
  static const cl_svm_mem_flags access[] = {0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY};
  static const cl_svm_mem_flags sharing[] = {0, CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                             CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS};
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 3; j++) {
      void *pointer = clSVMAlloc(dut.context, access[i] | sharing[j], 1000, 0);
      assert_non_null(pointer);
      assert_int_equal((uintptr_t)pointer % sizeof(cl_long16), 0);
      memset(pointer, 0x5A, 1000);
      clSVMFree(dut.context, pointer);
    }
  }
}

static void honours_alignments(void **state) {
  (void)state;
  for (cl_uint alignment = 1; alignment <= sizeof(cl_long16); alignment *= 2) {
    void *pointer = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 24, alignment);
    assert_non_null(pointer);
    assert_int_equal((uintptr_t)pointer % alignment, 0);
    clSVMFree(dut.context, pointer);
  }
}

static void gives_null_for_bad_arguments(void **state) {
  (void)state;
  const size_t most = (size_t)test_device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  assert_null(clSVMAlloc(NULL, CL_MEM_READ_WRITE, 64, 0));
  assert_null(clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 0, 0));
  assert_null(clSVMAlloc(dut.context, CL_MEM_READ_WRITE, most + 1, 0));
  assert_null(clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 3));
  assert_null(clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 1u << 31));
  assert_null(clSVMAlloc(dut.context, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, 0));
  assert_null(clSVMAlloc(dut.context, CL_MEM_SVM_ATOMICS, 64, 0));
  assert_null(clSVMAlloc(dut.context, CL_MEM_USE_HOST_PTR, 64, 0));
}

static void freeing_ignores_what_was_not_allocated(void **state) {
  (void)state;
  SKIP_UNLESS_QUERN();
  char *pointer = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0);
  int host = 7;
  clSVMFree(dut.context, NULL);
  clSVMFree(dut.context, &host);
  clSVMFree(dut.context, pointer + 1);
  clSVMFree(NULL, pointer);
  pointer[0] = 1;
  clSVMFree(dut.context, pointer);
  clSVMFree(dut.context, pointer);
  assert_int_equal(host, 7);
}

static void many_allocations_are_told_apart(void **state) {
  (void)state;
  enum { count = 500 };
  char *pointers[count];
  cl_int error;
  for (size_t i = 0; i < count; i++) {
    pointers[i] = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64 + i, 0);
    assert_non_null(pointers[i]);
  }
  for (size_t i = 0; i < count; i += 2) clSVMFree(dut.context, pointers[i]);
  for (size_t i = 1; i < count; i += 2) {
    cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, 64 + i, pointers[i], &error);
    ASSERT_CL(error);
    ASSERT_INFO(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER, cl_bool, CL_TRUE);
    ASSERT_CL(clReleaseMemObject(buffer));
    clSVMFree(dut.context, pointers[i]);
  }
}

static void buffers_say_whether_they_use_it(void **state) {
  (void)state;
  cl_int error;
  int host[16];
  char *pointer = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 4096, 0);
  const cl_buffer_region region = {1024, 64};
  cl_mem svm = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, 4096, pointer, &error);
  ASSERT_CL(error);
  cl_mem part = clCreateSubBuffer(svm, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  ASSERT_CL(error);
  cl_mem other = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, sizeof(host), host, &error);
  ASSERT_CL(error);
  cl_mem own = test_buffer(64, NULL);
  if (test_device_number(CL_DEVICE_IMAGE_SUPPORT)) {
    /* "CL_TRUE if memobj is a buffer object that", "otherwise CL_FALSE". */
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image = clCreateImage(dut.context, CL_MEM_USE_HOST_PTR, &format, &desc, pointer, &error);
    ASSERT_CL(error);
    ASSERT_INFO(clGetMemObjectInfo, image, CL_MEM_USES_SVM_POINTER, cl_bool, CL_FALSE);
    ASSERT_CL(clReleaseMemObject(image));
  }
  ASSERT_INFO(clGetMemObjectInfo, svm, CL_MEM_USES_SVM_POINTER, cl_bool, CL_TRUE);
  ASSERT_INFO(clGetMemObjectInfo, part, CL_MEM_USES_SVM_POINTER, cl_bool, CL_TRUE);
  ASSERT_INFO(clGetMemObjectInfo, other, CL_MEM_USES_SVM_POINTER, cl_bool, CL_FALSE);
  ASSERT_INFO(clGetMemObjectInfo, own, CL_MEM_USES_SVM_POINTER, cl_bool, CL_FALSE);
  ASSERT_CL(clReleaseMemObject(own));
  ASSERT_CL(clReleaseMemObject(other));
  ASSERT_CL(clReleaseMemObject(part));
  ASSERT_CL(clReleaseMemObject(svm));
  clSVMFree(dut.context, pointer);
}

static void buffers_share_its_bytes(void **state) {
  (void)state;
  cl_int error;
  cl_uint *pointer = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0);
  const cl_uint value = 0x12345678;
  cl_mem buffer = clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, 64, pointer, &error);
  ASSERT_CL(error);
  ASSERT_CL(clEnqueueWriteBuffer(dut.queue, buffer, CL_TRUE, 8, sizeof(value), &value, 0, NULL, NULL));
  ASSERT_CL(clEnqueueSVMMap(dut.queue, CL_TRUE, CL_MAP_READ, pointer, 64, 0, NULL, NULL));
  assert_int_equal(pointer[2], value);
  ASSERT_CL(clEnqueueSVMUnmap(dut.queue, pointer, 0, NULL, NULL));
  ASSERT_CL(clFinish(dut.queue));
  ASSERT_CL(clReleaseMemObject(buffer));
  clSVMFree(dut.context, pointer);
}

static void buffers_must_fit_into_it(void **state) {
  (void)state;
  cl_int error;
  char *pointer = clSVMAlloc(dut.context, CL_MEM_READ_WRITE, 64, 0);
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, 65, pointer, &error), error,
                    CL_INVALID_BUFFER_SIZE);
  ASSERT_CL_REFUSED(clCreateBuffer(dut.context, CL_MEM_USE_HOST_PTR, 64, pointer + 1, &error), error,
                    CL_INVALID_BUFFER_SIZE);
  clSVMFree(dut.context, pointer);
}

/* The leak checker, in builds that have it, says when this is not so. */
static void a_context_frees_what_was_not_freed(void **state) {
  (void)state;
  cl_context context = test_other_context();
  for (size_t i = 0; i < 20; i++) assert_non_null(clSVMAlloc(context, CL_MEM_READ_WRITE, (size_t)100 << i, 0));
  ASSERT_CL(clReleaseContext(context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(device_shares_all_memory),
      cmocka_unit_test(allocates_with_all_flags),
      cmocka_unit_test(honours_alignments),
      cmocka_unit_test(gives_null_for_bad_arguments),
      cmocka_unit_test(freeing_ignores_what_was_not_allocated),
      cmocka_unit_test(many_allocations_are_told_apart),
      cmocka_unit_test(buffers_say_whether_they_use_it),
      cmocka_unit_test(buffers_share_its_bytes),
      cmocka_unit_test(buffers_must_fit_into_it),
      cmocka_unit_test(a_context_frees_what_was_not_freed),
  };
  return cmocka_run_group_tests(tests, needs_svm, test_device_close);
}
