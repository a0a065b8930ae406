/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random task graphs over queues in order and out of order, several contexts, all platforms and the host give what
 * serial execution gives (T2, T3, B6); several threads make theirs at once, on the same queues. Arguments: how many
 * graphs; the first seed. */
#include "groups.h"

enum { most_places = 5, buffers = 5, items = 64, most_groups = 40, thread_count = 3 };

static test_place_t places[most_places];
static int place_count;
/* A graph is one thread's. */
static _Thread_local quern_memory_t memories[buffers];
static _Thread_local int expected[buffers][items];
static _Thread_local int user_memory[items];
static _Thread_local uint64_t seed, state;

/* xorshift64*: the same everywhere. */
static unsigned random_below(unsigned limit) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (unsigned)((state * 0x2545f4914f6cdd1dull) >> 33) % limit;
}

#define REQUIRE(condition)                                                                                  \
  do {                                                                                                      \
    if (!(condition)) {                                                                                     \
      print_error("seed %llu: %s: %s\n", (unsigned long long)seed, #condition, quern_last_error_message()); \
      fail();                                                                                               \
    }                                                                                                       \
  } while (0)
#define CALL(call) REQUIRE((call) == quern_success)

/* ------------------------------------------------------------ groups */

typedef struct part_t {
  int buffer;
  size_t first, count;
} part_t;

static part_t random_part(void) {
  part_t part = {(int)random_below(buffers), 0, items};
  if (random_below(2)) {
    part.first = random_below(items);
    part.count = 1 + random_below((unsigned)(items - part.first));
  }
  return part;
}

static quern_accessor_t require(quern_group_t group, part_t part, quern_access_t access) {
  quern_accessor_t accessor;
  CALL(quern_group_access(group, memories[part.buffer], access, part.first * sizeof(int), part.count * sizeof(int),
                          &accessor));
  return accessor;
}

static quern_queue_t random_queue(const test_place_t *place) {
  return random_below(2) ? place->in_order : place->out_of_order;
}

typedef struct addition_t {
  quern_accessor_t x;
  int value;
} addition_t;

static quern_result_t add_on_host(quern_handle_t handle, void *data) {
  const addition_t *addition = data;
  void *pointer;
  quern_result_t result = quern_handle_get_pointer(handle, addition->x, &pointer);
  if (result != quern_success) return result;
  for (size_t i = 0; i < addition->x.size / sizeof(int); i++) ((int *)pointer)[i] += addition->value;
  return quern_success;
}

/* By native calls, on the task's own queue: reads, adds, writes. */
static quern_result_t add_natively(quern_handle_t handle, void *data) {
  const addition_t *addition = data;
  cl_command_queue queue = quern_opencl_handle_get_queue(handle);
  cl_mem memory = quern_opencl_handle_get_mem(handle, addition->x);
  int values[items];
  if (!memory || clEnqueueReadBuffer(queue, memory, CL_TRUE, addition->x.offset, addition->x.size, values, 0, NULL,
                                     NULL) != CL_SUCCESS) {
    return quern_error_task_failed;
  }
  for (size_t i = 0; i < addition->x.size / sizeof(int); i++) values[i] += addition->value;
  cl_int error =
      clEnqueueWriteBuffer(queue, memory, CL_TRUE, addition->x.offset, addition->x.size, values, 0, NULL, NULL);
  return error == CL_SUCCESS ? quern_success : quern_error_task_failed;
}

static void set_task(quern_group_t group, part_t part, int value, bool is_native) {
  addition_t *addition = malloc(sizeof(*addition));
  REQUIRE(addition);
  *addition = (addition_t){require(group, part, quern_access_read_write), value};
  CALL(quern_group_set_destructor(group, free, addition));
  CALL(is_native ? quern_group_set_interop_task(group, add_natively, addition)
                 : quern_group_set_host_task(group, add_on_host, addition));
}

static void submit_addition(const test_place_t *place) {
  part_t part = random_part();
  int value = (int)random_below(100);
  quern_group_t group;
  CALL(quern_group_create(random_queue(place), &group));
  unsigned how = random_below(place->add ? 5 : 1);
  if (how < 2) {
    set_task(group, part, value, how == 1);
  } else {
    const quern_range_t range = {.dimensions = 1, .offset = {part.first}, .global = {part.count}};
    quern_accessor_t x = require(group, part, random_below(4) ? quern_access_read_write : quern_access_atomic);
    CALL(quern_group_set_kernel(group, place->add, &range));
    CALL(quern_group_set_argument_accessor(group, 0, x));
    CALL(quern_group_set_argument(group, 1, sizeof(value), &value));
  }
  CALL(quern_group_submit(group, NULL));
  for (size_t i = 0; i < part.count; i++) expected[part.buffer][part.first + i] += value;
}

static void submit_fill(const test_place_t *place) {
  part_t part = random_part();
  int value = (int)random_below(1000);
  quern_group_t group;
  CALL(quern_group_create(random_queue(place), &group));
  quern_accessor_t x = require(group, part, random_below(2) ? quern_access_discard_write : quern_access_write);
  CALL(quern_group_set_fill(group, x, &value, sizeof(value)));
  CALL(quern_group_submit(group, NULL));
  for (size_t i = 0; i < part.count; i++) expected[part.buffer][part.first + i] = value;
}

static void submit_copy(const test_place_t *place) {
  part_t from = random_part(), to = from;
  quern_group_t group;
  to.buffer = (from.buffer + 1 + (int)random_below(buffers - 1)) % buffers;
  to.first = random_below((unsigned)(items - from.count + 1));
  CALL(quern_group_create(random_queue(place), &group));
  quern_accessor_t x = require(group, from, quern_access_read);
  quern_accessor_t y = require(group, to, quern_access_discard_write);
  CALL(quern_group_set_copy(group, x, y));
  CALL(quern_group_submit(group, NULL));
  memcpy(&expected[to.buffer][to.first], &expected[from.buffer][from.first], from.count * sizeof(int));
}

/* One buffer scaled into another, or in a place without kernels nothing. */
static void submit_scaling(const test_place_t *place) {
  if (!place->scale) return;
  part_t from = {(int)random_below(buffers), 0, items}, to = from;
  to.buffer = (from.buffer + 1 + (int)random_below(buffers - 1)) % buffers;
  const int value = (int)random_below(3);
  const quern_range_t range = {.dimensions = 1, .global = {items}};
  quern_group_t group;
  CALL(quern_group_create(random_queue(place), &group));
  quern_accessor_t x = require(group, from, quern_access_read);
  quern_accessor_t y = require(group, to, quern_access_discard_write);
  CALL(quern_group_set_kernel(group, place->scale, &range));
  CALL(quern_group_set_argument_accessor(group, 0, x));
  CALL(quern_group_set_argument_accessor(group, 1, y));
  CALL(quern_group_set_argument(group, 2, sizeof(value), &value));
  CALL(quern_group_submit(group, NULL));
  for (int i = 0; i < items; i++) {
    expected[to.buffer][i] = (int)((unsigned)expected[from.buffer][i] * (unsigned)value) & 0x7fffffff;
  }
}

static void check_part(part_t part, bool is_changed) {
  quern_host_access_t access;
  void *pointer;
  CALL(quern_host_access_begin(memories[part.buffer], is_changed ? quern_access_read_write : quern_access_read,
                               part.first * sizeof(int), part.count * sizeof(int), &pointer, &access));
  int *values = pointer;
  for (size_t i = 0; i < part.count; i++) {
    int *value = &expected[part.buffer][part.first + i];
    if (values[i] != *value) {
      print_error("seed %llu: buffer %d item %zu is %d, not %d\n", (unsigned long long)seed, part.buffer,
                  part.first + i, values[i], *value);
      fail();
    }
    if (is_changed) values[i] = ++*value;
  }
  CALL(quern_host_access_end(access));
}

static void submit_one(void) {
  const test_place_t *place = &places[random_below((unsigned)place_count)];
  switch (random_below(10)) {
    case 0: submit_fill(place); break;
    case 1:
    case 2: submit_copy(place); break;
    case 3: submit_scaling(place); break;
    case 4:
      if (!random_below(4)) check_part(random_part(), random_below(2));
      break;
    default: submit_addition(place);
  }
}

/* ------------------------------------------------------------ graphs */

static void make_memories(void) {
  static const int zero[items];
  quern_memory_options_t options = QUERN_MEMORY_OPTIONS_INIT;
  memset(expected, 0, sizeof(expected));
  memset(user_memory, 0, sizeof(user_memory));
  options.flags = quern_memory_copy_host;
  for (int i = 0; i < buffers; i++) {
    options.flags = i == 1 ? quern_memory_copy_host | quern_memory_separate : quern_memory_copy_host;
    if (i == 2) {
      CALL(quern_buffer_create(sizeof(user_memory), user_memory, NULL, &memories[i]));
    } else {
      CALL(quern_buffer_create(sizeof(zero), (void *)(uintptr_t)zero, &options, &memories[i]));
    }
  }
}

static void run_graph(uint64_t number) {
  seed = number;
  state = number * 0x9e3779b97f4a7c15ull + 1;
  make_memories();
  unsigned groups = 1 + random_below(most_groups);
  for (unsigned i = 0; i < groups; i++) submit_one();
  for (int i = 0; i < buffers; i++) {
    if (i != 2) check_part((part_t){i, 0, items}, false);
    CALL(quern_memory_release(memories[i]));
  }
  for (int i = 0; i < items; i++) REQUIRE(user_memory[i] == expected[2][i]);
}

typedef struct share_t {
  pthread_t thread;
  uint64_t first, end;
} share_t;

static void *run_share(void *data) {
  const share_t *share = data;
  for (uint64_t i = share->first; i < share->end; i += thread_count) run_graph(i);
  return NULL;
}

static void random_graphs_equal_serial_execution(void **test_state) {
  const uint64_t *numbers = *test_state;
  share_t shares[thread_count];
  for (uint64_t i = 0; i < thread_count; i++) {
    shares[i] = (share_t){.first = numbers[1] + i, .end = numbers[1] + numbers[0]};
    assert_int_equal(pthread_create(&shares[i].thread, NULL, run_share, &shares[i]), 0);
  }
  for (int i = 0; i < thread_count; i++) pthread_join(shares[i].thread, NULL);
  for (int i = 0; i < place_count; i++) test_place_close(&places[i]);
}

int main(int argc, char **argv) {
  uint64_t numbers[2] = {argc > 1 ? strtoull(argv[1], NULL, 10) : 300, argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
  quern_device_t device = test_find_device("Quern"), other = test_find_device("Portable Computing Language");
  /* Two contexts of one device, too. */
  if (device) test_place_open(&places[place_count++], device);
  if (device) test_place_open(&places[place_count++], device);
  if (other) test_place_open(&places[place_count++], other);
  test_place_open_host(&places[place_count++]);
  const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(random_graphs_equal_serial_execution, numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
