/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Platforms and devices of a registered backend, with their facts. */
#include <stdlib.h>
#include <string.h>

#include "interop/vendor/vendor.h"

/* ------------------------------------------------------------ lists */

typedef quern_result_t (*lister_t)(const vendor_t *vendor, void *of, size_t capacity, void **out_items,
                                   size_t *out_count);

static quern_result_t list_platforms(const vendor_t *vendor, void *of, size_t capacity, void **out_items,
                                     size_t *out_count) {
  (void)of;
  return VENDOR_CALL(vendor, list_platforms, capacity, out_items, out_count);
}

static quern_result_t list_devices(const vendor_t *vendor, void *of, size_t capacity, void **out_items,
                                   size_t *out_count) {
  return VENDOR_CALL(vendor, list_devices, of, capacity, out_items, out_count);
}

/* All items, malloc'ed; there may be none. */
static quern_result_t read_list(const vendor_t *vendor, lister_t list, void *of, void ***out_items, size_t *out_count) {
  size_t count = 0, filled = 0;
  quern_result_t result = list(vendor, of, 0, NULL, &count);
  if (result != quern_success) return result;
  void **items = calloc(count + 1, sizeof(void *));
  if (!items) return interop_fail_memory();
  if (count) result = list(vendor, of, count, items, &filled);
  for (size_t i = 0; result == quern_success && i < count; i++) {
    if (!items[i]) result = interop_fail(quern_error_backend_failure, "the vendor's list has null objects");
  }
  if (result != quern_success) {
    free((void *)items);
    return result;
  }
  *out_items = items;
  *out_count = count;
  return quern_success;
}

/* ------------------------------------------------------------ facts */

typedef quern_result_t (*ask_t)(const vendor_t *vendor, void *native, size_t index, size_t size, void *out_value);

static quern_result_t ask_platform(const vendor_t *vendor, void *native, size_t index, size_t size, void *out_value) {
  return vendor->functions.get_platform_info(vendor->data, native, (quern_platform_info_t)index, size, out_value);
}

static quern_result_t ask_device(const vendor_t *vendor, void *native, size_t index, size_t size, void *out_value) {
  return vendor->functions.get_device_info(vendor->data, native, (quern_device_info_t)index, size, out_value);
}

static bool read_text(const vendor_t *vendor, ask_t ask, void *native, const interop_info_table_t *table, size_t index,
                      void *values) {
  const char *text = NULL;
  if (ask(vendor, native, index, sizeof(text), (void *)&text) != quern_success || !text) return true;
  return interop_info_set_text(table, values, index, text);
}

static quern_result_t read_facts(const vendor_t *vendor, ask_t ask, void *native, const interop_info_table_t *table,
                                 void *values) {
  bool fits = true;
  for (size_t i = 0; i < table->count && fits; i++) {
    const interop_info_member_t *member = &table->members[i];
    char *value = (char *)values + member->offset;
    if (member->type == interop_info_text) {
      fits = read_text(vendor, ask, native, table, i, values);
    } else if (ask(vendor, native, i, member->size, value) != quern_success) {
      memset(value, 0, member->size);
    }
  }
  return fits ? quern_success : interop_fail_memory();
}

quern_result_t vendor_read_device(quern_device_t device) {
  const vendor_t *vendor = vendor_of(device->platform->state);
  quern_result_t result = read_facts(vendor, ask_device, device->native, &interop_device_info_table, &device->info);
  if (result != quern_success) return result;
  quern_device_type_t types = quern_device_type_all & ~(quern_device_type_t)quern_device_type_host;
  if (!(device->info.type & types)) device->info.type = quern_device_type_custom;
  device->info.type &= types;
  /* Memory of the library's could end before the buffer over it. */
  if (!vendor->functions.on_destroy) device->info.has_host_unified_memory = false;
  return quern_success;
}

/* ------------------------------------------------------------ opening */

static quern_result_t add_device(quern_platform_t platform, void *native) {
  quern_device_t device = interop_device_create(platform, native);
  if (!device) return interop_fail_memory();
  quern_result_t result = vendor_read_device(device);
  if (result == quern_success && !interop_platform_add_device(platform, device)) result = interop_fail_memory();
  if (result != quern_success) interop_device_destroy(device);
  return result;
}

static quern_result_t add_devices(const vendor_t *vendor, quern_platform_t platform) {
  void **devices;
  size_t count;
  quern_result_t result = read_list(vendor, list_devices, platform->native, &devices, &count);
  if (result != quern_success) return result;
  for (size_t i = 0; i < count && result == quern_success; i++) result = add_device(platform, devices[i]);
  free((void *)devices);
  return result;
}

static quern_result_t add_platform(interop_backend_state_t *state, void *native) {
  const vendor_t *vendor = vendor_of(state);
  quern_platform_t platform = interop_platform_create(state, native);
  if (!platform) return interop_fail_memory();
  quern_result_t result = read_facts(vendor, ask_platform, native, &interop_platform_info_table, &platform->info);
  if (result == quern_success) result = add_devices(vendor, platform);
  if (result == quern_success && !interop_backend_add_platform(state, platform)) result = interop_fail_memory();
  if (result != quern_success) interop_platform_destroy(platform);
  return result;
}

/* A vendor that cannot tell of its platforms is not available. */
quern_result_t vendor_open(interop_backend_state_t *state) {
  void **platforms;
  size_t count;
  quern_result_t result = read_list(vendor_of(state), list_platforms, NULL, &platforms, &count);
  if (result != quern_success && result != quern_error_out_of_memory) return quern_error_backend_not_available;
  if (result != quern_success) return result;
  for (size_t i = 0; i < count && result == quern_success; i++) result = add_platform(state, platforms[i]);
  free((void *)platforms);
  return result == quern_success || result == quern_error_out_of_memory ? result : quern_error_backend_not_available;
}

/* ------------------------------------------------------------ native devices */

quern_result_t vendor_retain_device(interop_backend_state_t *state, void *native) {
  return VENDOR_CALL(vendor_of(state), retain, quern_object_device, native);
}

void vendor_release_device(interop_backend_state_t *state, void *native) {
  const vendor_t *vendor = vendor_of(state);
  vendor->functions.release(vendor->data, quern_object_device, native);
}

quern_result_t vendor_find_platform(interop_backend_state_t *state, void *native, void **out_platform) {
  return VENDOR_CALL(vendor_of(state), find_platform, native, out_platform);
}
