/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A list in unified memory: the host builds it, a kernel walks it by its addresses, the host goes on. */
#include <quern/opencl.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTS = 256, LENGTH = 8 };

typedef struct element_t {
  struct element_t *next;
  int value;
} element_t;

static const char *const source =
    "typedef struct element { global struct element *next; int value; } element;\n"
    "kernel void sum(global element *global *lists, global int *sums) {\n"
    "  size_t i = get_global_id(0);\n"
    "  int sum = 0;\n"
    "  for (global element *e = lists[i]; e; e = e->next) sum += e->value;\n"
    "  sums[i] = sum;\n"
    "}\n";

static void check(quern_result_t result) {
  if (result == quern_success) return;
  fprintf(stderr, "%s\n", quern_last_error_message());
  exit(EXIT_FAILURE);
}

static void *allocate(quern_context_t context, size_t size) {
  void *pointer;
  check(quern_usm_allocate(context, NULL, quern_usm_shared, size, 0, &pointer));
  return pointer;
}

int main(void) {
  quern_platform_t platform;
  quern_device_t device;
  quern_context_t context;
  quern_queue_t queue;
  quern_program_t program;
  quern_kernel_t kernel;
  quern_group_t group;
  const char *name;
  const quern_range_t range = {.dimensions = 1, .global = {LISTS}};
  check(quern_platform_make(quern_backend_opencl, &platform));
  check(quern_platform_get_devices(platform, quern_device_type_all, 1, &device, NULL));
  check(quern_device_get_name(device, &name));
  check(quern_context_create(1, &device, NULL, NULL, &context));
  check(quern_queue_create(context, device, quern_queue_out_of_order, NULL, NULL, &queue));
  check(quern_program_create_from_source(context, source, "-cl-std=CL2.0", &program));
  check(quern_kernel_create(program, "sum", &kernel));

  element_t *elements = allocate(context, sizeof(element_t[LISTS][LENGTH]));
  element_t **lists = allocate(context, sizeof(element_t *[LISTS]));
  int *sums = allocate(context, sizeof(int[LISTS]));
  for (int i = 0; i < LISTS; i++) {
    lists[i] = NULL;
    for (int j = 0; j < LENGTH; j++) {
      element_t *element = &elements[i * LENGTH + j];
      *element = (element_t){lists[i], i + j};
      lists[i] = element;
    }
  }

  /* The elements are no argument: the requirement is what makes them the kernel's. */
  check(quern_group_create(queue, &group));
  check(quern_group_require_pointer(group, elements, 0, quern_access_read));
  check(quern_group_require_pointer(group, lists, 0, quern_access_read));
  check(quern_group_require_pointer(group, sums, 0, quern_access_discard_write));
  check(quern_group_set_kernel(group, kernel, &range));
  check(quern_group_set_argument_pointer(group, 0, lists));
  check(quern_group_set_argument_pointer(group, 1, sums));
  check(quern_group_submit(group, NULL));

  /* Waits for the groups that write the sums, and for no others. */
  check(quern_usm_wait(context, sums, 0, quern_access_read));
  int wrong = 0;
  for (int i = 0; i < LISTS; i++) wrong += sums[i] != LENGTH * i + LENGTH * (LENGTH - 1) / 2;
  printf("%s: %d sums wrong\n", name, wrong);

  check(quern_usm_free(context, elements));
  check(quern_usm_free(context, lists));
  check(quern_usm_free(context, sums));
  check(quern_kernel_release(kernel));
  check(quern_program_release(program));
  check(quern_queue_release(queue));
  check(quern_context_release(context));
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
