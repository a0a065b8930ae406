/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What begins and ends each test of a program that wants the device and nothing else. */
#ifndef HOST_TEST_FIXTURE_H
#define HOST_TEST_FIXTURE_H

#include "support.h"

static host_test_t test;

static int begin(void **state) {
  (void)state;
  host_test_begin(&test);
  return 0;
}

static int end(void **state) {
  (void)state;
  host_test_end(&test);
  return 0;
}

#endif
