/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the library costs over OpenCL written by hand. Each bar is held by the least or the median of several times,
 * taken in turn, so that other load of the machine does not count. Arguments: the OpenCL platform, and a pattern of the
 * names of tests to run. */
#include <stdlib.h>

#include "base/clock.h"
#include "groups.h"

/* Of which the least counts: a chain and its kernels take both processors, and a shared machine seldom has both for
 * long. */
enum { rounds = 60, least_rounds = 5 };

static test_place_t place;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static const char *platform_name;

#define ASSERT_CL(call) assert_int_equal(call, CL_SUCCESS)

static int open_all(void **state) {
  (void)state;
  quern_device_t device = test_find_device(platform_name);
  cl_device_id native = NULL;
  cl_int error;
  assert_non_null(device);
  test_place_open(&place, device);
  ASSERT_SUCCESS(quern_opencl_context_get_native(place.context, &context));
  ASSERT_SUCCESS(quern_opencl_device_get_native(device, &native));
  /* A kernel of its own: by hand, arguments are set once. */
  cl_program program = NULL;
  ASSERT_SUCCESS(quern_opencl_program_get_native(place.program, &program));
  kernel = clCreateKernel(program, "add", &error);
  ASSERT_CL(error);
  queue = clCreateCommandQueueWithProperties(context, native, NULL, &error);
  ASSERT_CL(error);
  clReleaseProgram(program);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  test_place_close(&place);
  return 0;
}

/* Where memory is slow, a chain takes half a second: fewer rounds then. */
static bool wants_round(int round, uint64_t begin) {
  const uint64_t enough_ns = 4000000000;
  return round < least_rounds || (round < rounds && clock_now_ns() - begin < enough_ns);
}

static void keep_least(uint64_t *least, uint64_t time) {
  if (time < *least) *least = time;
}

static int compare_times(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static uint64_t median(uint64_t *times, size_t count) {
  qsort(times, count, sizeof(*times), compare_times);
  return times[count / 2];
}

/** Chains of both kinds, timed in turn. */
typedef struct rounds_t {
  uint64_t by_hand, groups;
  /** Of each round, in millionths. */
  uint64_t ratios[rounds];
  size_t count;
} rounds_t;

static void add_round(rounds_t *all, uint64_t by_hand, uint64_t groups) {
  keep_least(&all->by_hand, by_hand);
  keep_least(&all->groups, groups);
  all->ratios[all->count++] = groups * 1000000 / by_hand;
}

/* The median of the rounds' ratios: other load of the machine comes and goes, and both chains of a round have it. */
static double ratio_of(rounds_t *all, const char *what, size_t items, size_t links) {
  const double ratio = (double)median(all->ratios, all->count) / 1e6;
  print_message("chain of kernels over %zu items%s: groups %.0f ns, by hand %.0f ns each; %.2f in the median\n", items,
                what, (double)all->groups / (double)links, (double)all->by_hand / (double)links, ratio);
  return ratio;
}

/* ------------------------------------------------------------ submission */

enum { submissions = 2000 };

static uint64_t time_markers(void) {
  uint64_t begin = clock_now_ns();
  for (int i = 0; i < submissions; i++) ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
  uint64_t time = clock_now_ns() - begin;
  ASSERT_CL(clFinish(queue));
  return time;
}

static uint64_t time_empty_groups(void) {
  uint64_t begin = clock_now_ns();
  for (int i = 0; i < submissions; i++) {
    quern_group_t group;
    if (quern_group_create(place.in_order, &group) != quern_success) abort();
    if (quern_group_submit(group, NULL) != quern_success) abort();
  }
  uint64_t time = clock_now_ns() - begin;
  ASSERT_SUCCESS(quern_queue_wait(place.in_order));
  return time;
}

static void submitting_an_empty_group_costs_little(void **state) {
  (void)state;
  uint64_t bare = UINT64_MAX, group = UINT64_MAX;
  for (int i = 0; i < rounds; i++) {
    keep_least(&bare, time_markers());
    keep_least(&group, time_empty_groups());
  }
  print_message("empty group: %.0f ns, bare enqueue: %.0f ns\n", (double)group / submissions,
                (double)bare / submissions);
  assert_true(group <= bare + submissions * 1500ull);
}

/* ------------------------------------------------------------ chains */

enum { links = 10000 };

/* What a chain of groups may take, in times of the same calls made by hand. */
static const double most_over_by_hand = 1.3;

static uint64_t time_chain_by_hand(cl_mem memory, size_t items) {
  const int value = 1;
  cl_event previous = NULL, event;
  uint64_t begin = clock_now_ns();
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), (void *)&memory));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  for (int i = 0; i < links; i++) {
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, previous != NULL, previous ? &previous : NULL,
                               &event) != CL_SUCCESS) {
      abort();
    }
    if (previous) clReleaseEvent(previous);
    previous = event;
  }
  ASSERT_CL(clWaitForEvents(1, &previous));
  uint64_t time = clock_now_ns() - begin;
  clReleaseEvent(previous);
  return time;
}

/* Of kernels that are held to the bar: so many that one takes 7 us, as it does with data of some 200 KiB, or fewer. */
static size_t barred_items(void) {
  enum { bar_ns = 7000, fewest = 1 << 14, most = 1 << 16, times = 10 };
  cl_int error;
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, most * sizeof(int), NULL, &error);
  ASSERT_CL(error);
  size_t items = fewest / 2;
  uint64_t least = 0;
  while (least < (uint64_t)links * bar_ns && items < most) {
    items *= 2;
    least = UINT64_MAX;
    for (int i = 0; i < times; i++) keep_least(&least, time_chain_by_hand(memory, items));
  }
  clReleaseMemObject(memory);
  return items;
}

static uint64_t time_chain_of_groups(quern_queue_t to, quern_memory_t memory, size_t items) {
  const int value = 1;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  uint64_t begin = clock_now_ns();
  for (int i = 0; i < links; i++) {
    quern_group_t group;
    quern_accessor_t x;
    if (quern_group_create(to, &group) != quern_success ||
        quern_group_access(group, memory, quern_access_read_write, 0, 0, &x) != quern_success ||
        quern_group_set_kernel(group, place.add, &range) != quern_success ||
        quern_group_set_argument_accessor(group, 0, x) != quern_success ||
        quern_group_set_argument(group, 1, sizeof(value), &value) != quern_success ||
        quern_group_submit(group, NULL) != quern_success) {
      abort();
    }
  }
  ASSERT_SUCCESS(quern_queue_wait(to));
  return clock_now_ns() - begin;
}

static double chain_ratio(quern_queue_t to, size_t items) {
  cl_int error;
  rounds_t all = {.by_hand = UINT64_MAX, .groups = UINT64_MAX};
  cl_mem native = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(int), NULL, &error);
  ASSERT_CL(error);
  quern_memory_t memory = test_buffer(items * sizeof(int), NULL, NULL);
  const uint64_t begin = clock_now_ns();
  for (int i = 0; wants_round(i, begin); i++) {
    const uint64_t by_hand = time_chain_by_hand(native, items);
    add_round(&all, by_hand, time_chain_of_groups(to, memory, items));
  }
  ASSERT_SUCCESS(quern_memory_release(memory));
  clReleaseMemObject(native);
  return ratio_of(&all, "", items, links);
}

/* Other load of the machine makes a chain slower, and never faster: the least of some measurements. */
static double least_ratio(double (*measure)(quern_queue_t to, size_t items), quern_queue_t to, size_t items) {
  enum { attempts = 3 };
  double least = measure(to, items);
  for (int i = 1; i < attempts && least > most_over_by_hand; i++) {
    double ratio = measure(to, items);
    if (ratio < least) least = ratio;
  }
  return least;
}

static void chains_cost_little(void **state) {
  (void)state;
  /* Kernels that take nothing, some 1 and 7 us. A group may cost 1.5 us, which cannot hide behind the first two
   * (docs/interop.md): these are told, the last is held to the bar. */
  const size_t sizes[] = {1, 1 << 12}, items = barred_items();
  for (int i = 0; i < 2; i++) {
    (void)chain_ratio(place.out_of_order, sizes[i]);
    (void)chain_ratio(place.in_order, sizes[i]);
  }
  assert_true(least_ratio(chain_ratio, place.out_of_order, items) <= most_over_by_hand);
  assert_true(least_ratio(chain_ratio, place.in_order, items) <= most_over_by_hand);
}

/* ------------------------------------------------------------ addresses */

static cl_int (*set_pointer)(cl_kernel, cl_uint, const void *);

/* By hand as with buffers: each launch waits for the one before. */
static uint64_t time_pointers_by_hand(const int *pointer, size_t items) {
  const int value = 1;
  cl_event previous = NULL, event;
  uint64_t begin = clock_now_ns();
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(value), &value));
  for (int i = 0; i < links; i++) {
    if (set_pointer(kernel, 0, pointer) != CL_SUCCESS ||
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, previous != NULL, previous ? &previous : NULL,
                               &event) != CL_SUCCESS) {
      abort();
    }
    if (previous) clReleaseEvent(previous);
    previous = event;
  }
  ASSERT_CL(clWaitForEvents(1, &previous));
  uint64_t time = clock_now_ns() - begin;
  clReleaseEvent(previous);
  return time;
}

static uint64_t time_pointers_of_groups(quern_queue_t to, int *pointer, size_t items) {
  const int value = 1;
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  uint64_t begin = clock_now_ns();
  for (int i = 0; i < links; i++) {
    quern_group_t group;
    if (quern_group_create(to, &group) != quern_success ||
        quern_group_require_pointer(group, pointer, 0, quern_access_read_write) != quern_success ||
        quern_group_set_kernel(group, place.add, &range) != quern_success ||
        quern_group_set_argument_pointer(group, 0, pointer) != quern_success ||
        quern_group_set_argument(group, 1, sizeof(value), &value) != quern_success ||
        quern_group_submit(group, NULL) != quern_success) {
      abort();
    }
  }
  ASSERT_SUCCESS(quern_queue_wait(to));
  return clock_now_ns() - begin;
}

static double pointers_ratio(quern_queue_t to, size_t items) {
  rounds_t all = {.by_hand = UINT64_MAX, .groups = UINT64_MAX};
  void *pointer = NULL;
  ASSERT_SUCCESS(quern_usm_allocate(place.context, place.device, quern_usm_shared, items * sizeof(int), 0, &pointer));
  memset(pointer, 0, items * sizeof(int));
  const uint64_t begin = clock_now_ns();
  for (int i = 0; wants_round(i, begin); i++) {
    const uint64_t by_hand = time_pointers_by_hand(pointer, items);
    add_round(&all, by_hand, time_pointers_of_groups(to, pointer, items));
  }
  ASSERT_SUCCESS(quern_usm_free(place.context, pointer));
  return ratio_of(&all, " by address", items, links);
}

/* Held to the bar as the chains of buffers are. */
static void groups_of_addresses_cost_little(void **state) {
  (void)state;
  cl_platform_id platform = NULL;
  cl_device_id native = NULL;
  ASSERT_SUCCESS(quern_opencl_device_get_native(place.device, &native));
  ASSERT_CL(clGetDeviceInfo(native, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), (void *)&platform, NULL));
  void *address = clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgMemPointerINTEL");
  if (!address) skip(); /* The bar is for the driver's own way; PoCL is not timed at all. */
  memcpy((void *)&set_pointer, (const void *)&address, sizeof(address));
  (void)pointers_ratio(place.in_order, 1);
  const size_t items = barred_items();
  assert_true(least_ratio(pointers_ratio, place.out_of_order, items) <= most_over_by_hand);
  assert_true(least_ratio(pointers_ratio, place.in_order, items) <= most_over_by_hand);
}

/* ------------------------------------------------------------ tasks */

static quern_result_t do_nothing(quern_handle_t handle, void *data) {
  (void)handle;
  (void)data;
  return quern_success;
}

/* An interop task between two kernels on its buffer: how long from the first submission to the end. Told, not held to
 * a bar: most of it is the waking of threads. */
static void an_empty_interop_task_is_told(void **state) {
  (void)state;
  enum { chains = 200 };
  uint64_t least = UINT64_MAX;
  quern_memory_t memory = test_buffer(4096, NULL, NULL);
  for (int i = 0; i < rounds; i++) {
    uint64_t begin = clock_now_ns();
    for (int j = 0; j < chains; j++) {
      test_add(&place, place.out_of_order, memory, 1, 1);
      quern_group_t group = test_group(place.out_of_order);
      (void)test_access(group, memory, quern_access_read_write);
      ASSERT_SUCCESS(quern_group_set_interop_task(group, do_nothing, NULL));
      test_submit_only(group);
      test_add(&place, place.out_of_order, memory, 1, 1);
      ASSERT_SUCCESS(quern_queue_wait(place.out_of_order));
    }
    keep_least(&least, (clock_now_ns() - begin) / chains);
  }
  print_message("empty interop task between two kernels: %.1f us\n", (double)least / 1000);
  ASSERT_SUCCESS(quern_memory_release(memory));
}

/* ------------------------------------------------------------ bound buffers */

enum { large = 4 << 20 };

/* The same group uses either buffer: what submitting it costs has its own bar, and depends on whether the driver's
 * threads are asleep. */
static void use_and_wait(quern_memory_t memory) {
  const int zero = 0;
  quern_group_t group = test_group(place.in_order);
  quern_accessor_t accessor;
  ASSERT_SUCCESS(quern_group_access(group, memory, quern_access_discard_write, 0, 64, &accessor));
  ASSERT_SUCCESS(quern_group_set_fill(group, accessor, &zero, sizeof(zero)));
  test_submit_only(group);
  ASSERT_SUCCESS(quern_queue_wait(place.in_order));
}

static uint64_t time_plain_buffer(void) {
  cl_int error;
  quern_memory_t memory;
  uint64_t begin = clock_now_ns();
  cl_mem native = clCreateBuffer(context, CL_MEM_READ_WRITE, large, NULL, &error);
  ASSERT_CL(error);
  ASSERT_SUCCESS(quern_opencl_memory_make_from_native(place.context, native, quern_ownership_transfer, true, &memory));
  use_and_wait(memory);
  uint64_t time = clock_now_ns() - begin;
  ASSERT_SUCCESS(quern_memory_release(memory));
  return time;
}

static uint64_t time_bound_buffer(void) {
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  options.bound_context = place.context;
  uint64_t begin = clock_now_ns();
  quern_memory_t memory = test_buffer(large, NULL, &options);
  use_and_wait(memory);
  uint64_t time = clock_now_ns() - begin;
  ASSERT_SUCCESS(quern_memory_release(memory));
  return time;
}

static void the_first_use_of_a_bound_buffer_costs_what_a_plain_one_does(void **state) {
  (void)state;
  enum { count = 40 * rounds };
  static uint64_t plain[count], bound[count];
  for (int i = 0; i < count; i++) {
    plain[i] = time_plain_buffer();
    bound[i] = time_bound_buffer();
  }
  double of_plain = (double)median(plain, count), of_bound = (double)median(bound, count);
  print_message("bound buffer: %.0f ns, plain: %.0f ns; at least %.0f ns, %.0f ns\n", of_bound, of_plain,
                (double)bound[0], (double)plain[0]);
  /* A twentieth is what two runs of the same differ by. */
  assert_true(of_bound <= of_plain * 1.05);
}

int main(int argc, char **argv) {
  platform_name = argc > 1 ? argv[1] : "Quern";
  if (argc > 2) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(submitting_an_empty_group_costs_little),
      cmocka_unit_test(chains_cost_little),
      cmocka_unit_test(groups_of_addresses_cost_little),
      cmocka_unit_test(an_empty_interop_task_is_told),
      cmocka_unit_test(the_first_use_of_a_bound_buffer_costs_what_a_plain_one_does),
  };
  return test_result(cmocka_run_group_tests(tests, open_all, close_all));
}
