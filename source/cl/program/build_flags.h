/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the runtime itself must know of build options. */
#ifndef CL_PROGRAM_BUILD_FLAGS_H
#define CL_PROGRAM_BUILD_FLAGS_H

#include <stdbool.h>

/** True when work-groups of a program compiled with `options` must be uniform: OpenCL C 1.x, which is the default, or
 * -cl-uniform-work-group-size (OpenCL specification, clEnqueueNDRangeKernel). */
bool build_options_need_uniform_groups(const char *options);

/** True when `options` has -cl-uniform-work-group-size: of a link, whose inputs have a language version of their
 * own. */
bool build_options_ask_uniform_groups(const char *options);

#endif
