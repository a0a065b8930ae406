/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Many threads that create, record, dispatch, wait, reset and destroy at once. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "support.h"

enum { threads = 8, rounds = 200, buffer_size = 512, mappings = 5000 };

typedef struct worker_t {
  pthread_t thread;
  test_buffer_t buffer;
  atomic_int completed;
  int failures;
  uint8_t value;
} worker_t;

/* cmocka's assertions belong to the main thread. */
static void expect(worker_t *worker, bool condition) { worker->failures += !condition; }

static void count_completion(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  (void)command_buffer;
  worker_t *worker = user_data;
  if (!error) atomic_fetch_add(&worker->completed, 1);
}

/* Fills, and copies what was filled, in two command buffers that a semaphore orders. */
static void run_round(worker_t *worker, mux_command_buffer_t first, mux_command_buffer_t second,
                      mux_semaphore_t semaphore) {
  mux_fence_t fence = NULL;
  uint8_t out = 0;
  worker->value++;
  expect(worker, !muxCreateFence(test.device, test.allocator, &fence));
  expect(worker, !muxResetCommandBuffer(first) && !muxResetCommandBuffer(second) && !muxResetSemaphore(semaphore));
  expect(worker, !muxCommandFillBuffer(first, worker->buffer.buffer, 0, 256, &worker->value, 1, NO_SYNC));
  expect(worker, !muxCommandCopyBuffer(second, worker->buffer.buffer, 0, worker->buffer.buffer, 256, 256, NO_SYNC));
  expect(worker, !muxCommandReadBuffer(second, worker->buffer.buffer, 511, &out, 1, NO_SYNC));
  expect(worker, !muxFinalizeCommandBuffer(first) && !muxFinalizeCommandBuffer(second));
  expect(worker, !muxDispatch(test.queue, second, fence, &semaphore, 1, NULL, 0, count_completion, worker));
  expect(worker, !muxDispatch(test.queue, first, NULL, NULL, 0, &semaphore, 1, count_completion, worker));
  expect(worker, worker->value % 3 ? !muxWait(test.queue, fence) : !muxTryWait(test.queue, UINT64_MAX, fence));
  /* The fence speaks for the second; the first may still be about to return from its signals. */
  expect(worker, !muxWaitAll(test.queue));
  expect(worker, out == worker->value);
  muxDestroyFence(test.device, fence, test.allocator);
}

static void *work(void *argument) {
  worker_t *worker = argument;
  mux_command_buffer_t first = NULL, second = NULL;
  mux_semaphore_t semaphore = NULL;
  expect(worker, !muxCreateCommandBuffer(test.device, NULL, test.allocator, &first));
  expect(worker, !muxCreateCommandBuffer(test.device, NULL, test.allocator, &second));
  expect(worker, !muxCreateSemaphore(test.device, test.allocator, &semaphore));
  for (int i = 0; i < rounds && !worker->failures; i++) run_round(worker, first, second, semaphore);
  muxDestroySemaphore(test.device, semaphore, test.allocator);
  muxDestroyCommandBuffer(test.device, second, test.allocator);
  muxDestroyCommandBuffer(test.device, first, test.allocator);
  return NULL;
}

TEST(use_one_queue) {
  static worker_t workers[threads];
  for (int i = 0; i < threads; i++) {
    workers[i].buffer = test_buffer_create(buffer_size);
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < threads; i++) {
    assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    assert_int_equal(workers[i].failures, 0);
    assert_int_equal(atomic_load(&workers[i].completed), 2 * rounds);
    test_buffer_destroy(&workers[i].buffer);
  }
}

static void *create_and_destroy(void *argument) {
  mux_device_t device = NULL;
  mux_device_info_t infos[16];
  uint64_t count = 0;
  int *failures = argument;
  for (int i = 0; i < 20; i++) {
    *failures += muxGetDeviceInfos(mux_device_type_all, 16, infos, &count) != mux_success;
    if (muxCreateDevices(1, &test.info, test.allocator, &device))
      ++*failures;
    else
      muxDestroyDevice(device, test.allocator);
  }
  return NULL;
}

TEST(create_devices) {
  pthread_t ids[threads];
  int failures[threads] = {0};
  for (int i = 0; i < threads; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, create_and_destroy, &failures[i]), 0);
  for (int i = 0; i < threads; i++) {
    assert_int_equal(pthread_join(ids[i], NULL), 0);
    assert_int_equal(failures[i], 0);
  }
}

/* One mapping at a time: whoever has it counts, without any other lock, in the memory. */
typedef struct mapper_t {
  pthread_t thread;
  mux_memory_t memory;
  uint32_t mapped;
  int failures;
} mapper_t;

static void *map_and_count(void *argument) {
  mapper_t *mapper = argument;
  while (mapper->mapped < mappings) {
    void *data = NULL;
    if (muxMapMemory(test.device, mapper->memory, 0, 64, &data)) {
      sched_yield(); /* somebody else has it */
      continue;
    }
    volatile uint32_t *count = data;
    const uint32_t before = *count;
    if (before % 16 == 0) sched_yield();
    *count = before + 1;
    mapper->failures += muxFlushMappedMemoryToDevice(test.device, mapper->memory, 0, 64) != mux_success;
    mapper->failures += muxUnmapMemory(test.device, mapper->memory) != mux_success;
    mapper->mapped++;
  }
  return NULL;
}

TEST(map_one_memory) {
  mapper_t mappers[threads] = {0};
  mux_memory_t memory = test_memory_create(64);
  void *data = NULL;
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 0, 64, &data));
  *(uint32_t *)data = 0;
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
  for (int i = 0; i < threads; i++) {
    mappers[i].memory = memory;
    assert_int_equal(pthread_create(&mappers[i].thread, NULL, map_and_count, &mappers[i]), 0);
  }
  for (int i = 0; i < threads; i++) {
    assert_int_equal(pthread_join(mappers[i].thread, NULL), 0);
    assert_int_equal(mappers[i].failures, 0);
  }
  ASSERT_SUCCESS(muxMapMemory(test.device, memory, 0, 64, &data));
  assert_int_equal(*(uint32_t *)data, threads * mappings);
  ASSERT_SUCCESS(muxUnmapMemory(test.device, memory));
  test_memory_destroy(memory);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(use_one_queue),
    cmocka_unit_test(create_devices),
    cmocka_unit_test(map_one_memory),
};

TEST_MAIN(tests)
