/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The functions of cl_khr_command_buffer and its mutable dispatch, for the tests of both. */
#ifndef SUPPORT_TEST_COMMAND_BUFFER_H
#define SUPPORT_TEST_COMMAND_BUFFER_H

/* In this order: the first chooses what the OpenCL headers declare. */
/* clang-format off */
#include "test_extension.h"
#include "cl/api/command_buffer_declarations.h"
/* clang-format on */

#define TEST_COMMAND_BUFFER_FUNCTIONS(X)                                       \
  X(clCreateCommandBufferKHR, clCreateCommandBufferKHR_fn)                     \
  X(clFinalizeCommandBufferKHR, clFinalizeCommandBufferKHR_fn)                 \
  X(clRetainCommandBufferKHR, clRetainCommandBufferKHR_fn)                     \
  X(clReleaseCommandBufferKHR, clReleaseCommandBufferKHR_fn)                   \
  X(clEnqueueCommandBufferKHR, clEnqueueCommandBufferKHR_fn)                   \
  X(clGetCommandBufferInfoKHR, clGetCommandBufferInfoKHR_fn)                   \
  X(clCommandBarrierWithWaitListKHR, quern_clCommandBarrierWithWaitListKHR_fn) \
  X(clCommandCopyBufferKHR, quern_clCommandCopyBufferKHR_fn)                   \
  X(clCommandCopyBufferRectKHR, quern_clCommandCopyBufferRectKHR_fn)           \
  X(clCommandFillBufferKHR, quern_clCommandFillBufferKHR_fn)                   \
  X(clCommandSVMMemcpyKHR, quern_clCommandSVMMemcpyKHR_fn)                     \
  X(clCommandSVMMemFillKHR, quern_clCommandSVMMemFillKHR_fn)                   \
  X(clCommandCopyBufferToImageKHR, quern_clCommandCopyBufferToImageKHR_fn)     \
  X(clCommandCopyImageKHR, quern_clCommandCopyImageKHR_fn)                     \
  X(clCommandCopyImageToBufferKHR, quern_clCommandCopyImageToBufferKHR_fn)     \
  X(clCommandFillImageKHR, quern_clCommandFillImageKHR_fn)                     \
  X(clCommandNDRangeKernelKHR, quern_clCommandNDRangeKernelKHR_fn)             \
  X(clUpdateMutableCommandsKHR, quern_clUpdateMutableCommandsKHR_fn)           \
  X(clGetMutableCommandInfoKHR, clGetMutableCommandInfoKHR_fn)

/** The functions are the members of `cb`. */
TEST_EXTENSION_FUNCTIONS_OF(cb, TEST_COMMAND_BUFFER_FUNCTIONS)

/** The end of a recording call that has nothing to do with sync points and handles. */
#define NO_SYNC 0, NULL, NULL, NULL

static inline cl_command_buffer_khr test_command_buffer(const cl_command_buffer_properties_khr *properties) {
  cl_int error;
  cl_command_buffer_khr buffer = cb.clCreateCommandBufferKHR(1, &dut.queue, properties, &error);
  ASSERT_CL(error);
  assert_non_null(buffer);
  return buffer;
}

static inline void test_command_buffer_enqueue(cl_command_buffer_khr buffer) {
  ASSERT_CL(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
}

#endif
