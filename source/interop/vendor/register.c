/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Registering a table of functions as a backend. */
#include <stdlib.h>
#include <string.h>

#include "interop/object/task.h"
#include "interop/vendor/vendor.h"

/* ------------------------------------------------------------ messages */

void quern_vendor_set_message(const char *message) {
  char line[interop_message_capacity];
  size_t length = 0;
  for (; message && message[length] && length < sizeof(line) - 1; length++) {
    line[length] = message[length] == '\n' || message[length] == '\r' ? ' ' : message[length];
  }
  line[length] = 0;
  interop_message_set("%s", line);
}

void vendor_begin(void) { interop_message_set("%s", ""); }

quern_result_t vendor_end(quern_result_t result, const char *function) {
  if (result == quern_success) return result;
  if ((unsigned)result >= quern_result_total) result = quern_error_backend_failure;
  if (quern_last_error_message()[0]) return result;
  return interop_fail(result, "the vendor's %s: %s", function, quern_result_text(result));
}

/* ------------------------------------------------------------ checks */

static quern_result_t fail_function(const char *name) {
  return interop_fail(quern_error_invalid_argument, "the vendor's table has no %s", name);
}

static quern_result_t check_required(const quern_vendor_functions_t *functions) {
#define REQUIRED(name) \
  if (!functions->name) return fail_function(#name);
  REQUIRED(list_platforms)
  REQUIRED(list_devices)
  REQUIRED(get_platform_info)
  REQUIRED(get_device_info)
  REQUIRED(retain)
  REQUIRED(release)
  REQUIRED(create_context)
  REQUIRED(create_queue)
  REQUIRED(create_buffer)
  REQUIRED(map)
  REQUIRED(unmap)
  REQUIRED(enqueue)
  REQUIRED(get_status)
  REQUIRED(wait)
#undef REQUIRED
  return quern_success;
}

static quern_result_t check_pairs(const quern_vendor_functions_t *functions) {
  if (!functions->create_program != !functions->create_kernel) return fail_function("create_program or create_kernel");
  if (!functions->allocate != !functions->deallocate) return fail_function("allocate or deallocate");
  if (!functions->create_event != !functions->complete_event) return fail_function("create_event or complete_event");
  return quern_success;
}

static bool has(const quern_vendor_functions_t *functions, quern_object_t object) {
  return functions->natives >> object & 1;
}

static quern_result_t check_natives(const quern_vendor_functions_t *functions) {
  bool has_owned = has(functions, quern_object_event) || has(functions, quern_object_buffer) ||
                   has(functions, quern_object_program) || has(functions, quern_object_kernel) ||
                   has(functions, quern_object_sampler);
  if (functions->natives >> quern_object_total || has(functions, quern_object_image)) {
    return interop_fail(quern_error_invalid_argument, "0x%x has native objects that no vendor has", functions->natives);
  }
  bool finds_platform = has(functions, quern_object_device) || has(functions, quern_object_context);
  if (finds_platform && !functions->find_platform) return fail_function("find_platform");
  if (has(functions, quern_object_context) && !functions->list_context_devices) {
    return fail_function("list_context_devices");
  }
  if (has(functions, quern_object_queue) && !functions->read_queue) return fail_function("read_queue");
  if (has_owned && !functions->find_context) return fail_function("find_context");
  if (has(functions, quern_object_buffer) && !functions->get_buffer_size) return fail_function("get_buffer_size");
  return quern_success;
}

static quern_result_t check_register(const char *name, const quern_vendor_functions_t *functions,
                                     const quern_backend_t *out_backend) {
  quern_result_t result = interop_task_check_make();
  if (result != quern_success) return result;
  if (!name || !name[0]) return interop_fail(quern_error_invalid_argument, "a backend has a name");
  if (!functions || !out_backend) return interop_fail(quern_error_invalid_argument, "null pointer");
  if (functions->size != sizeof(*functions)) {
    return interop_fail(quern_error_invalid_argument, "the table of a vendor has %zu bytes, not %zu",
                        sizeof(*functions), functions->size);
  }
  result = check_required(functions);
  if (result == quern_success) result = check_pairs(functions);
  return result == quern_success ? check_natives(functions) : result;
}

/* ------------------------------------------------------------ registering */

quern_result_t quern_vendor_register(const char *name, const quern_vendor_functions_t *functions, void *data,
                                     quern_backend_t *out_backend) {
  quern_result_t result = check_register(name, functions, out_backend);
  if (result != quern_success) return result;
  vendor_t *vendor = calloc(1, sizeof(*vendor));
  if (!vendor) return interop_fail_memory();
  vendor->functions = *functions;
  vendor->data = data;
  vendor->backend = (interop_backend_t){.open = vendor_open,
                                        .retain_device = vendor_retain_device,
                                        .release_device = vendor_release_device,
                                        .find_platform = vendor_find_platform,
                                        .read_device = vendor_read_device,
                                        .runtime = &vendor_runtime};
  for (int i = 0; i < quern_object_total; i++) vendor->backend.has_native[i] = has(functions, (quern_object_t)i);
  vendor->name = strdup(name);
  result = vendor->name ? interop_backend_add(vendor->name, &vendor->backend, out_backend) : interop_fail_memory();
  if (result == quern_success) return quern_success;
  free(vendor->name);
  free(vendor);
  return result;
}
