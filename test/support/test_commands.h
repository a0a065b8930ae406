/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Every command that can be put on a queue, as a table: rules that hold for all of them are tested for all of them. */
#ifndef SUPPORT_TEST_COMMANDS_H
#define SUPPORT_TEST_COMMANDS_H

#include "test_device.h"

enum { TEST_COMMAND_BYTES = 256 };

/** What the commands work on: two buffers of TEST_COMMAND_BYTES, host and shared virtual memory, a kernel whose
 * argument is set, a mapping of buffer `b` for the command that ends it; and two images of as many bytes, null without
 * image support. */
typedef struct test_command_objects_t {
  cl_mem a, b;
  cl_mem image, other_image;
  cl_kernel kernel;
  void *mapped;
  void *svm;
  unsigned char host[TEST_COMMAND_BYTES];
} test_command_objects_t;

typedef struct test_command_t {
  const char *name;
  cl_command_type type; /**< what CL_EVENT_COMMAND_TYPE says of its event */
  cl_int (*enqueue)(cl_command_queue queue, test_command_objects_t *objects, cl_uint wait_count, const cl_event *waits,
                    cl_event *event);
} test_command_t;

/** All commands that the device has; ended by a null name. Those on images come first. */
const test_command_t *test_commands_of_device(void);

/** Objects in the fixture's context. */
void test_command_objects_create(test_command_objects_t *objects);
void test_command_objects_release(test_command_objects_t *objects);

#endif
