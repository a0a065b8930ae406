/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The OpenCL library, whose devices hide cl_intel_unified_shared_memory and some kinds of shared virtual memory. */
#ifndef TEST_INTEROP_LIMITED_OPENCL_H
#define TEST_INTEROP_LIMITED_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

/** The capabilities that devices show, if they have them. Set before devices are looked at. */
__attribute__((visibility("default"))) extern cl_device_svm_capabilities limited_svm;

#endif
