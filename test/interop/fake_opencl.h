/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the fake OpenCL library shows to tests beside OpenCL's functions. */
#ifndef TEST_INTEROP_FAKE_OPENCL_H
#define TEST_INTEROP_FAKE_OPENCL_H

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

/* Platforms: "Fake" (a cpu, two gpus, an accelerator that is not available), "Broken" (its devices cannot be asked
 * for), "Other" (a custom device). The environment variable FAKE_OPENCL makes clGetPlatformIDs fail ("error"), find
 * nothing ("none"), give zero platforms ("zero"), or clRetainDevice fail ("no-retain"), or the lost device unknown
 * ("lost"). */

/** A sub-device of the cpu; counted, with one reference at first. */
cl_device_id fake_sub_device(void);
/** A device of a platform that is not listed, and that platform. */
cl_device_id fake_lost_device(void);
cl_platform_id fake_unlisted_platform(void);
int fake_references(cl_device_id device);

#endif
