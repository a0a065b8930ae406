/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Configuring the library: before anything is opened, and not after. Argument: the fake library. */
#include "support.h"

static const char *fake_library;

static void bad_configurations_are_refused(void **state) {
  (void)state;
  quern_configuration_t configuration = QUERN_CONFIGURATION_INIT;
  assert_int_equal(configuration.backends, QUERN_ACTIVE_BACKENDS);
  ASSERT_ERROR(quern_configure(NULL), quern_error_invalid_argument, "null");
  configuration.opencl_library = "";
  ASSERT_ERROR(quern_configure(&configuration), quern_error_invalid_argument, "empty");
  configuration.opencl_library = NULL;
  configuration.size = 1;
  ASSERT_ERROR(quern_configure(&configuration), quern_error_invalid_argument, "bytes");
}

static void the_last_one_counts(void **state) {
  (void)state;
  quern_configuration_t configuration = QUERN_CONFIGURATION_INIT;
  char library[4096];
  configuration.backends = 0;
  ASSERT_SUCCESS(quern_configure(&configuration));
  assert_true(quern_backend_is_active(quern_backend_host));
  assert_false(quern_backend_is_active(quern_backend_opencl));
  /* All bits: those of unknown backends are ignored. */
  configuration.backends = UINT32_MAX;
  snprintf(library, sizeof(library), "%s", fake_library);
  configuration.opencl_library = library;
  ASSERT_SUCCESS(quern_configure(&configuration));
  memset(library, 'x', sizeof(library) - 1);
  assert_true(quern_backend_is_active(quern_backend_opencl));
  assert_false(quern_backend_is_active(quern_backend_total));
}

static void open_backends_end_it(void **state) {
  (void)state;
  quern_configuration_t configuration = QUERN_CONFIGURATION_INIT;
  assert_true(quern_backend_is_available(quern_backend_host));
  configuration.backends = 0;
  ASSERT_ERROR(quern_configure(&configuration), quern_error_invalid_operation, "open");
  /* What was configured before the first backend was opened holds for the others. */
  assert_true(quern_backend_is_available(quern_backend_opencl));
}

int main(int argc, char **argv) {
  fake_library = argc > 1 ? argv[1] : "";
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_configurations_are_refused),
      cmocka_unit_test(the_last_one_counts),
      cmocka_unit_test(open_backends_end_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
