/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs by way of SPIR-V: tests written in OpenCL C run again through an intermediate language.
 *
 * With OPENCL_TEST_IL in the environment ("-O0" or "-O2"), test_program compiles its source with the Clang that
 * OPENCL_TEST_CLANG names, for the device's extensions and features, and gives the driver SPIR-V. */
#ifndef SUPPORT_TEST_IL_H
#define SUPPORT_TEST_IL_H

#include "test_device.h"

/** True when programs go through SPIR-V. */
bool test_uses_il(void);

/** For cases about what SPIR-V does not carry (the sign of integers in kernels' signatures), or what the packaged Clang
 * cannot write: the reason is printed. */
#define SKIP_WITH_IL(reason)                         \
  do {                                               \
    if (test_uses_il()) {                            \
      print_message("not through IL: %s\n", reason); \
      skip();                                        \
    }                                                \
  } while (0)

/** SPIR-V of OpenCL C source; `options` as for clBuildProgram, null or not. free() it. The test fails when Clang does,
 * and prints what it says. */
void *test_compile_il(const char *source, const char *options, const char *level, size_t *out_size);

/** SPIR-V of an assembly text, through spirv-as (OPENCL_TEST_SPIRV_AS). free() it. */
void *test_assemble_il(const char *text, size_t *out_size);

/** A program made from IL, not built. */
cl_program test_create_with_il(const void *il, size_t size);

#endif
