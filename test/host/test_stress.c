/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Many threads that record, dispatch and wait at the same time, on one queue and on several. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "support.h"

#define THREADS 6
#define ROUNDS 300
#define GROUPS 200

typedef struct client_t {
  host_test_t *test;
  mux_queue_t queue;
  mux_kernel_t kernel;
  uint32_t number;
  atomic_int completions;
} client_t;

static void completion_count(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  client_t *client = user_data;
  (void)command_buffer;
  if (error == mux_success) atomic_fetch_add(&client->completions, 1);
}

/* Two command buffers in a chain over one buffer, waited for in one of three ways. */
static void round_run(client_t *client, int round, mux_command_buffer_t *commands, mux_semaphore_t semaphore,
                      mux_fence_t fence) {
  assert_int_equal(muxDispatch(client->queue, commands[0], NULL, NULL, 0, &semaphore, 1, completion_count, client),
                   mux_success);
  assert_int_equal(muxDispatch(client->queue, commands[1], fence, &semaphore, 1, NULL, 0, completion_count, client),
                   mux_success);
  switch (round % 3) {
    case 0: assert_int_equal(muxWaitAll(client->queue), mux_success); break;
    case 1: assert_int_equal(muxWait(client->queue, fence), mux_success); break;
    default:
      while (muxTryWait(client->queue, 50000, fence) != mux_success) continue;
  }
  assert_int_equal(muxTryWait(client->queue, 0, fence), mux_success);
  assert_int_equal(muxResetFence(fence), mux_success);
  assert_int_equal(muxResetSemaphore(semaphore), mux_success);
}

static void *client_main(void *argument) {
  client_t *client = argument;
  host_test_t *test = client->test;
  host_test_buffer_t counts = buffer_create(test, GROUPS * sizeof(uint32_t));
  mux_descriptor_info_t arg = buffer_arg(counts.buffer);
  mux_command_buffer_t commands[] = {command_buffer_create(test), command_buffer_create(test)};
  mux_semaphore_t semaphore = NULL;
  mux_fence_t fence = NULL;
  assert_int_equal(muxCreateSemaphore(test->device, allocator, &semaphore), mux_success);
  assert_int_equal(muxCreateFence(test->device, allocator, &fence), mux_success);
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < 2; ++i) {
      assert_int_equal(muxResetCommandBuffer(commands[i]), mux_success);
      assert_int_equal(launch_record(commands[i], client->kernel, GROUPS, 1, &arg, 1), mux_success);
      assert_int_equal(muxFinalizeCommandBuffer(commands[i]), mux_success);
    }
    round_run(client, round, commands, semaphore, fence);
    for (int i = 0; i < GROUPS; ++i) assert_int_equal(((uint32_t *)counts.data)[i], 2 * (round + 1));
  }
  for (int i = 0; i < 2; ++i) command_buffer_destroy(test, commands[i]);
  muxDestroySemaphore(test->device, semaphore, allocator);
  muxDestroyFence(test->device, fence, allocator);
  buffer_destroy(test, &counts);
  return NULL;
}

static void clients_run(uint32_t queues) {
  host_test_t test;
  pthread_t threads[THREADS];
  client_t clients[THREADS];
  host_test_begin(&test);
  mux_kernel_t kernel = kernel_create(&test, "mark");
  for (uint32_t i = 0; i < THREADS; ++i) {
    clients[i] = (client_t){.test = &test, .kernel = kernel, .number = i};
    assert_int_equal(muxGetQueue(test.device, mux_queue_type_compute, i % queues, &clients[i].queue), mux_success);
    assert_int_equal(pthread_create(&threads[i], NULL, client_main, &clients[i]), 0);
  }
  for (uint32_t i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&clients[i].completions), 2 * ROUNDS);
  }
  kernel_destroy(&test, kernel);
  host_test_end(&test);
}

static void many_threads_on_one_queue(void **state) {
  (void)state;
  clients_run(1);
}

static void many_threads_on_several_queues(void **state) {
  (void)state;
  clients_run(4);
}

/* Devices come and go while their workers are just starting or ending. */
static void devices_come_and_go(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    host_test_t test;
    host_test_begin(&test);
    mux_kernel_t kernel = kernel_create(&test, "empty");
    mux_command_buffer_t commands = command_buffer_create(&test);
    assert_int_equal(launch_record(commands, kernel, (size_t)(i % 4) * 500 + 1, 1, NULL, 0), mux_success);
    run(&test, commands);
    command_buffer_destroy(&test, commands);
    kernel_destroy(&test, kernel);
    host_test_end(&test);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_threads_on_one_queue),
      cmocka_unit_test(many_threads_on_several_queues),
      cmocka_unit_test(devices_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
