/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Uses the installed interop library: a task on the device that it chooses. */
#include <quern/opencl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(quern_result_t result) {
  if (result == quern_success) return;
  fprintf(stderr, "%s\n", quern_last_error_message());
  exit(EXIT_FAILURE);
}

static quern_result_t count(quern_handle_t handle, void *data) {
  quern_accessor_t accessor = *(const quern_accessor_t *)data;
  void *pointer;
  quern_result_t result = quern_handle_get_pointer(handle, accessor, &pointer);
  if (result == quern_success) ++*(int *)pointer;
  return result;
}

int main(void) {
  int value = 41;
  const char *name;
  quern_device_t device;
  quern_context_t context;
  quern_queue_t queue;
  quern_memory_t memory;
  quern_group_t group;
  quern_accessor_t accessor;
  check(quern_device_select(quern_selector_default, NULL, &device));
  check(quern_device_get_name(device, &name));
  check(quern_context_create(1, &device, NULL, NULL, &context));
  check(quern_queue_create(context, device, 0, NULL, NULL, &queue));
  check(quern_buffer_create(sizeof(value), &value, NULL, &memory));
  check(quern_group_create(queue, &group));
  check(quern_group_access(group, memory, quern_access_read_write, 0, 0, &accessor));
  check(quern_group_set_host_task(group, count, &accessor));
  check(quern_group_submit(group, NULL));
  check(quern_memory_release(memory));
  check(quern_queue_release(queue));
  check(quern_context_release(context));
  printf("%s: the interop library counts to %d\n", name, value);
  return value == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
