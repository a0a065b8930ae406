/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the driver says about the machine, the limits of control groups, external symbols, conversions of
 * half and bfloat16. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/abi.h"
#include "host/runtime/device.h"
#include "host/runtime/executable/bfloat.h"
#include "host/runtime/executable/half.h"
#include "host/runtime/executable/symbols.h"
#include "host/runtime/machine/cgroup.h"
#include "host/runtime/machine/instruction_set.h"
#include "host/runtime/machine/machine.h"
#include "support.h"

/* ---------------------------------------------------------------- description */

static void description_is_plausible(void **state) {
  (void)state;
  host_test_t test;
  host_test_begin(&test);
  mux_device_info_t info = test.info;
  assert_int_equal(info->device_type, mux_device_type_cpu);
  assert_int_equal(info->executable_version, HOST_ABI_VERSION);
  assert_true(strlen(info->device_name) > 3);
  assert_null(strstr(info->device_name, "  "));
  /* Behind the processor's name, which other drivers have too. */
  assert_string_equal(info->device_name + strlen(info->device_name) - strlen(" (Quern)"), " (Quern)");
  if (strstr(info->device_name, "Intel(R)")) assert_int_equal(info->khronos_vendor_id, 0x8086);
  if (strstr(info->device_name, "AMD")) assert_int_equal(info->khronos_vendor_id, 0x1022);
  assert_true(info->compute_units >= 1);
  assert_true(info->memory_size >= (uint64_t)64 << 20);
  assert_true(info->allocation_size >= info->memory_size / 10 * 9 && info->allocation_size <= info->memory_size);
  assert_true(info->shared_local_memory_size >= 64 << 10);
  assert_true(info->cacheline_size >= 32 && info->cache_size >= info->cacheline_size);
  assert_true(info->native_vector_width >= 16 && info->native_vector_width <= 64);
  assert_int_equal(info->max_concurrent_work_items, 4096);
  assert_int_equal(info->max_sub_group_count, 4096);
  assert_in_range(info->clock_frequency, 100, 10000);
  /* As many as any program asks for, read and written. */
  assert_int_equal(info->max_sampled_images, 128);
  assert_int_equal(info->max_storage_images, 128);
  /* Powers of two, each once. */
  assert_in_range(info->num_sub_group_sizes, 1, 16);
  for (uint64_t i = 1; i < info->num_sub_group_sizes; ++i)
    assert_int_equal(info->sub_group_sizes[i], 2 * info->sub_group_sizes[i - 1]);
  assert_true(info->supports_generic_address_space && info->supports_sub_devices);
  assert_true(info->supports_work_group_collectives && info->descriptors_updatable && info->can_clone_command_buffers);
  assert_int_equal(info->max_image_dimension_1d, 1 << 27);
  assert_int_equal(info->max_image_dimension_2d, 1 << 14);
  assert_int_equal(info->max_image_dimension_3d, 1 << 11);
  /* Not every result is written past the caches. */
  assert_true(host_device(test.device)->streaming_mib >= 1);
  host_test_end(&test);
}

/* What the system says of the first processor, or an empty line. */
static void cpuinfo_read(const char *key, char *out, size_t size) {
  char line[512];
  FILE *file = fopen("/proc/cpuinfo", "r");
  *out = '\0';
  while (file && !*out && fgets(line, sizeof line, file)) {
    const char *value = strchr(line, ':');
    if (!value || strncmp(line, key, strlen(key)) != 0) continue;
    snprintf(out, size, "%s", value + 1 + strspn(value + 1, " "));
    out[strcspn(out, "\n")] = '\0';
  }
  if (file) fclose(file);
}

/* Word by word, as it has spaces where others have none. */
static void the_processor_has_its_name(void **state) {
  (void)state;
  char known[256], *rest = NULL;
  host_test_t test;
  cpuinfo_read("model name", known, sizeof known);
  if (!*known) skip();
  host_test_begin(&test);
  const char *name = test.info->device_name;
  for (char *word = strtok_r(known, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    assert_memory_equal(name, word, strlen(word));
    name += strlen(word);
    assert_int_equal(*name++, ' ');
  }
  assert_string_equal(name, "(Quern)");
  host_test_end(&test);
}

/* The same each time: programs are kept under it. */
static void the_instruction_set_is_a_word(void **state) {
  (void)state;
  char first[host_instruction_set_size], second[host_instruction_set_size];
  host_instruction_set_read(first);
  memset(second, 'x', sizeof second);
  host_instruction_set_read(second);
  assert_string_equal(first, second);
  assert_in_range(strlen(first), 1, host_instruction_set_size - 1);
#if defined(__x86_64__)
  assert_memory_equal(first, "x86-64 ", 7);
  assert_int_equal(strlen(first), 7 + 32);
  assert_int_equal(strspn(first + 7, "0123456789abcdef"), 32);
#endif
}

static void number_of_threads_is_an_option(void **state) {
  (void)state;
  host_test_t test;
  const char *wanted = getenv("QUERN_NUM_THREADS");
  host_test_begin(&test);
  if (wanted && atoi(wanted)) assert_int_equal(test.info->compute_units, atoi(wanted));
  host_test_end(&test);
}

/* ---------------------------------------------------------------- control groups */

static void the_clock_is_the_first_that_is_told(void **state) {
  (void)state;
  const uint32_t none[3] = {0}, counter[3] = {2, 168, 25000000}, no_crystal[3] = {2, 168, 0};
  const char *name = "Some CPU @ 2.60GHz";
  assert_int_equal(host_nominal_mhz(1800, counter, name), 1800);
  assert_int_equal(host_nominal_mhz(0x10000 + 1800, counter, name), 1800);
  assert_int_equal(host_nominal_mhz(0, counter, name), 2100);
  assert_int_equal(host_nominal_mhz(0x10000, counter, name), 2100);
  assert_int_equal(host_nominal_mhz(0, no_crystal, name), 2600);
  assert_int_equal(host_nominal_mhz(0, none, name), 2600);
  assert_int_equal(host_nominal_mhz(0, none, "Some CPU"), 0);
}

static char root[] = "/tmp/quern-cgroup-XXXXXX";

static void file_write(const char *path, const char *text) {
  char whole[512];
  snprintf(whole, sizeof whole, "%s/%s", root, path);
  for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
    *at = '\0';
    mkdir(whole, 0700);
  }
  FILE *file = fopen(whole, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static int root_create(void **state) {
  (void)state;
  strcpy(root + strlen(root) - 6, "XXXXXX");
  return mkdtemp(root) ? 0 : -1;
}

static int root_remove(void **state) {
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "rm -r '%s'", root);
  return system(command);
}

static void no_control_group_is_no_limit(void **state) {
  (void)state;
  host_cgroup_limits_t limits = host_cgroup_limits_read(root);
  assert_true(limits.memory == UINT64_MAX && limits.processors == UINT32_MAX);
}

static void smallest_limit_of_version_2_counts(void **state) {
  (void)state;
  file_write("proc/self/cgroup", "0::/outer/inner\n");
  file_write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  file_write("sys/fs/cgroup/outer/memory.max", "1073741824\n");
  file_write("sys/fs/cgroup/outer/inner/cpu.max", "250000 100000\n");
  file_write("sys/fs/cgroup/outer/cpu.max", "max 100000\n");
  host_cgroup_limits_t limits = host_cgroup_limits_read(root);
  assert_true(limits.memory == 1u << 30);
  assert_int_equal(limits.processors, 3);
}

/* What is said of processors is no limit of memory, and the other way round; nor is what is not there at all. */
static void each_limit_stands_for_itself(void **state) {
  (void)state;
  file_write("proc/self/cgroup", "0::/outer/inner\n");
  file_write("sys/fs/cgroup/outer/inner/cpu.max", "200000 100000\n");
  host_cgroup_limits_t limits = host_cgroup_limits_read(root);
  assert_true(limits.memory == UINT64_MAX);
  assert_int_equal(limits.processors, 2);
  file_write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  file_write("sys/fs/cgroup/memory.max", "4096\n");
  limits = host_cgroup_limits_read(root);
  assert_true(limits.memory == 4096);
  assert_int_equal(limits.processors, UINT32_MAX);
}

static void limits_of_version_1_count(void **state) {
  (void)state;
  file_write("proc/self/cgroup", "4:memory:/job\n3:cpuset:/\n2:cpu,cpuacct:/job\n");
  file_write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "536870912\n");
  file_write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  file_write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "100000\n");
  file_write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  file_write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  file_write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  host_cgroup_limits_t limits = host_cgroup_limits_read(root);
  assert_true(limits.memory == 512u << 20);
  assert_int_equal(limits.processors, 1);
  /* Controllers whose names begin alike have groups of their own. */
  file_write("proc/self/cgroup", "3:cpuset:/other\n1:cpu:/job\n");
  file_write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "300000\n");
  file_write("sys/fs/cgroup/cpu/other/cpu.cfs_quota_us", "100000\n");
  file_write("sys/fs/cgroup/cpu/other/cpu.cfs_period_us", "100000\n");
  limits = host_cgroup_limits_read(root);
  assert_int_equal(limits.processors, 3);
}

static void damaged_control_group_files_are_ignored(void **state) {
  (void)state;
  file_write("proc/self/cgroup", "nonsense\n0:\n:::\n0::relative\n0::/\n");
  file_write("sys/fs/cgroup/memory.max", "many\n");
  file_write("sys/fs/cgroup/cpu.max", "-5 0\n");
  host_cgroup_limits_t limits = host_cgroup_limits_read(root);
  assert_true(limits.memory == UINT64_MAX && limits.processors == UINT32_MAX);
}

/* ---------------------------------------------------------------- symbols */

static void every_promised_function_is_found(void **state) {
  (void)state;
  static const char *const names[] = {
#define C_FUNCTION(name) #name, #name "f",
#include "host/c_library.def"
#undef C_FUNCTION
      "memcpy",        "memset",       "memmove",        "memcmp",        "__udivti3",
      "__extendhfsf2", "__truncdfhf2", "__gnu_h2f_ieee", "__quern_printf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!host_symbol_find(names[i])) fail_msg("%s is missing", names[i]);
  float (*found)(float) = (float (*)(float))host_symbol_find("floorf");
  assert_true(found(4.5f) == 4.0f);
}

static void all_else_is_not_found(void **state) {
  (void)state;
  static const char *const names[] = {"", "system", "floor2", "flo", "sinf", "_ZGVbN4v_sinf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) assert_int_equal(host_symbol_find(names[i]), 0);
}

/* ---------------------------------------------------------------- half precision */

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void every_half_survives_the_round_trip(void **state) {
  (void)state;
  for (uint32_t half = 0; half <= 0xffff; ++half) {
    float value = host_half_to_float((uint16_t)half);
    if ((half & 0x7fff) > 0x7c00) {
      assert_true(isnan(value));
      assert_true((host_half_from_float(value) & 0x7fff) > 0x7c00);
      continue;
    }
    assert_int_equal(host_half_from_float(value), half);
    if ((half & 0x7c00) == 0x7c00) continue;
    /* Against the definition. */
    int exponent = (int)(half >> 10 & 31);
    float expected =
        exponent ? ldexpf((float)(1024 + (half & 1023)), exponent - 25) : ldexpf((float)(half & 1023), -24);
    assert_int_equal(float_bits(value), float_bits(half & 0x8000 ? -expected : expected));
  }
}

static void rounding_is_to_nearest_even(void **state) {
  (void)state;
  for (uint32_t half = 0; half < 0x7c00; ++half) {
    float low = host_half_to_float((uint16_t)half);
    float high = half == 0x7bff ? 65536.0f : host_half_to_float((uint16_t)(half + 1));
    float middle = (low + high) / 2;
    assert_int_equal(host_half_from_float(middle), half + (half & 1));
    assert_int_equal(host_half_from_float(nextafterf(middle, 0)), half);
    assert_int_equal(host_half_from_float(nextafterf(middle, 1e9f)), half + 1);
    assert_int_equal(host_half_from_float(-middle), 0x8000 | (half + (half & 1)));
  }
  assert_int_equal(host_half_from_float(1e-30f), 0);
  assert_int_equal(host_half_from_float(1e30f), 0x7c00);
}

/* ---------------------------------------------------------------- bfloat16 */

static uint32_t bfloat_of(float value) { return float_bits(host_bfloat_from_float(value)) & 0xffff; }
static uint32_t bfloat_of_double(double value) { return float_bits(host_bfloat_from_double(value)) & 0xffff; }

static float float_of(uint32_t bfloat) {
  float value;
  const uint32_t bits = bfloat << 16;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void bfloats_round_to_nearest(void **state) {
  (void)state;
  for (uint32_t bfloat = 0; bfloat < 0x7f80; ++bfloat) {
    const double low = float_of(bfloat), high = bfloat == 0x7f7f ? 0x1p128 : (double)float_of(bfloat + 1);
    const double middle = (low + high) / 2;
    assert_int_equal(bfloat_of((float)low), bfloat);
    assert_int_equal(bfloat_of((float)-low), 0x8000 | bfloat);
    assert_int_equal(bfloat_of((float)middle), bfloat + (bfloat & 1));
    assert_int_equal(bfloat_of(nextafterf((float)middle, 0)), bfloat);
    assert_int_equal(bfloat_of(nextafterf((float)middle, INFINITY)), bfloat + 1);
    /* As floats these are all the middle. */
    assert_int_equal(bfloat_of_double(middle), bfloat + (bfloat & 1));
    assert_int_equal(bfloat_of_double(nextafter(middle, 0)), bfloat);
    assert_int_equal(bfloat_of_double(nextafter(-middle, -INFINITY)), 0x8000 | (bfloat + 1));
  }
  assert_int_equal(bfloat_of(INFINITY), 0x7f80);
  assert_int_equal(bfloat_of_double(-1e300), 0xff80);
  assert_true((bfloat_of(NAN) & 0x7fff) > 0x7f80);
  assert_true((bfloat_of_double(NAN) & 0x7fff) > 0x7f80);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bfloats_round_to_nearest),
      cmocka_unit_test(description_is_plausible),
      cmocka_unit_test(the_processor_has_its_name),
      cmocka_unit_test(the_instruction_set_is_a_word),
      cmocka_unit_test(number_of_threads_is_an_option),
      cmocka_unit_test(the_clock_is_the_first_that_is_told),
      cmocka_unit_test_setup_teardown(no_control_group_is_no_limit, root_create, root_remove),
      cmocka_unit_test_setup_teardown(smallest_limit_of_version_2_counts, root_create, root_remove),
      cmocka_unit_test_setup_teardown(each_limit_stands_for_itself, root_create, root_remove),
      cmocka_unit_test_setup_teardown(limits_of_version_1_count, root_create, root_remove),
      cmocka_unit_test_setup_teardown(damaged_control_group_files_are_ignored, root_create, root_remove),
      cmocka_unit_test(every_promised_function_is_found),
      cmocka_unit_test(all_else_is_not_found),
      cmocka_unit_test(every_half_survives_the_round_trip),
      cmocka_unit_test(rounding_is_to_nearest_even),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
