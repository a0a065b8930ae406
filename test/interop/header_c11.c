/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The public header is C11 without extensions, and enough for a program. Prints platforms, devices and their facts. */
#include <stdio.h>
#include <stdlib.h>

#include "quern/interop.h"
#include "quern/vendor.h"

static void print_text(const char *value) { printf("%s\n", value); }
static void print_number(uint64_t value) { printf("%llu\n", (unsigned long long)value); }
static void print_sizes(quern_sizes_t value) {
  printf("%zu %zu %zu\n", value.sizes[0], value.sizes[1], value.sizes[2]);
}

#define PRINT_text print_text
#define PRINT_flag print_number
#define PRINT_uint32 print_number
#define PRINT_uint64 print_number
#define PRINT_size print_number
#define PRINT_sizes print_sizes
#define PRINT_device_type print_number

#define PRINT_FACT(what, type, opencl)                                      \
  {                                                                         \
    QUERN_INFO_TYPE_##type value;                                           \
    printf("    %-32s", #what);                                             \
    if (quern_device_get_##what(device, &value) != quern_success) return 1; \
    PRINT_##type(value);                                                    \
  }

static int print_device(quern_device_t device) {
  QUERN_DEVICE_INFO_LIST(PRINT_FACT)
  return 0;
}

static int print_platform(quern_platform_t platform) {
  const char *name;
  quern_device_t devices[16];
  size_t count;
  if (quern_platform_get_name(platform, &name) != quern_success) return 1;
  if (quern_platform_get_devices(platform, quern_device_type_all, 16, devices, &count) != quern_success) return 1;
  printf("%s\n", name);
  for (size_t i = 0; i < count && i < 16; i++) {
    printf("  device %zu\n", i);
    if (print_device(devices[i])) return 1;
  }
  return 0;
}

int main(void) {
  quern_platform_t platforms[16];
  size_t count;
  if (quern_platform_list(16, platforms, &count) != quern_success) return EXIT_FAILURE;
  for (size_t i = 0; i < count && i < 16; i++) {
    if (print_platform(platforms[i])) {
      fprintf(stderr, "%s\n", quern_last_error_message());
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
