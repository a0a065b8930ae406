/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL library, whose devices hide cl_intel_unified_shared_memory and some kinds of shared virtual memory. It
 * tells what kernels are told to reach. */
#ifndef TEST_INTEROP_LIMITED_OPENCL_H
#define TEST_INTEROP_LIMITED_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

/** The capabilities that devices show, if they have them. Set before devices are looked at. */
__attribute__((visibility("default"))) extern cl_device_svm_capabilities limited_svm;

/** Of the last clSetKernelExecInfo with CL_KERNEL_EXEC_INFO_SVM_PTRS: how many pointers, and the first one. */
__attribute__((visibility("default"))) extern _Atomic(size_t) limited_told_count;
__attribute__((visibility("default"))) extern _Atomic(const void *) limited_told_first;

#endif
