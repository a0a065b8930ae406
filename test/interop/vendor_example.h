/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * An example of a backend that is not OpenCL: threads that run functions of C, with memory of their own. */
#ifndef TEST_INTEROP_VENDOR_EXAMPLE_H
#define TEST_INTEROP_VENDOR_EXAMPLE_H

#include "quern/vendor.h"

/** The backend's functions: all that there are. It has one platform with two devices; the second one uses the host's
 * memory. Its programs are lists of names, of which "add", "scale", "chase", "fault" and "late" are kernels:
 * "fault" fails, and "late" is an "add" that takes its time. */
extern const quern_vendor_functions_t example_functions;

/** Its data: what tests look at, and what they change before the backend is opened. */
typedef struct example_t {
  /** Objects that are alive. */
  _Atomic long objects;
  /** No platform is found. */
  bool is_absent;
} example_t;

/** Waits until its threads are idle. */
void example_finish(void);

#endif
