/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Faults in kernels: they end their command, and nothing else; the application's signal handlers go on working. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/printf.h"
#include "kernels.h"
#include "support.h"

#define GROUPS 5000u

static host_test_t test;
static host_test_buffer_t counts;
static mux_kernel_t kernel;

static int begin(void **state) {
  (void)state;
  host_test_begin(&test);
  counts = buffer_create(&test, GROUPS * sizeof(uint32_t));
  kernel = kernel_create(&test, "crash");
  return 0;
}

static int end(void **state) {
  (void)state;
  kernel_destroy(&test, kernel);
  buffer_destroy(&test, &counts);
  host_test_end(&test);
  return 0;
}

/* ---------------------------------------------------------------- helpers */

typedef struct messages_t {
  atomic_int count;
  char last[512];
} messages_t;

static void message_note(void *user_data, const char *message, const void *data, size_t size) {
  messages_t *messages = user_data;
  assert_null(data);
  assert_int_equal(size, 0);
  atomic_fetch_add(&messages->count, 1);
  snprintf(messages->last, sizeof messages->last, "%s", message);
}

typedef struct completion_t {
  atomic_int calls, error;
  mux_command_id_t completed;
} completion_t;

static void completion_note(mux_command_buffer_t command_buffer, mux_result_t error, void *user_data) {
  completion_t *completion = user_data;
  completion->completed = command_buffer->completed_count;
  atomic_store(&completion->error, (int)error);
  atomic_fetch_add(&completion->calls, 1);
}

static mux_command_buffer_t commands_create(messages_t *messages, struct mux_callback_info_s *info) {
  mux_command_buffer_t commands = NULL;
  *info = (struct mux_callback_info_s){.callback = message_note, .user_data = messages};
  assert_int_equal(muxCreateCommandBuffer(test.device, info, allocator, &commands), mux_success);
  return commands;
}

static void crash_record_with(mux_command_buffer_t commands, size_t groups, uint64_t how, uint64_t where,
                              void *buffer) {
  mux_descriptor_info_t args[] = {
      buffer_arg(counts.buffer),
      value_arg(&how, sizeof how),
      value_arg(&where, sizeof where),
      {.type = mux_descriptor_info_type_custom_buffer, .custom_buffer_descriptor = {.data = buffer}},
  };
  assert_int_equal(launch_record(commands, kernel, groups, 1, args, 4), mux_success);
}

static void crash_record(mux_command_buffer_t commands, size_t groups, kernels_crash_e how, uint64_t where) {
  crash_record_with(commands, groups, how, where, NULL);
}

static mux_result_t finish(mux_command_buffer_t commands, completion_t *completion) {
  *completion = (completion_t){0};
  assert_int_equal(muxFinalizeCommandBuffer(commands), mux_success);
  assert_int_equal(muxDispatch(test.queue, commands, NULL, NULL, 0, NULL, 0, completion_note, completion), mux_success);
  assert_int_equal(muxWaitAll(test.queue), mux_success);
  assert_int_equal(atomic_load(&completion->calls), 1);
  return (mux_result_t)atomic_load(&completion->error);
}

static uint32_t count(size_t group) { return ((uint32_t *)counts.data)[group]; }

/* A launch as any other. */
static void check_goes_on(size_t groups) {
  mux_command_buffer_t commands = command_buffer_create(&test);
  memset(counts.data, 0, GROUPS * sizeof(uint32_t));
  crash_record(commands, groups, kernels_crash_never, 0);
  run(&test, commands);
  for (size_t i = 0; i < groups; ++i) assert_int_equal(count(i), 1);
  command_buffer_destroy(&test, commands);
}

/* ---------------------------------------------------------------- faults */

static void check_fault(kernels_crash_e how, size_t groups, uint64_t where, const char *what) {
  messages_t messages = {0};
  completion_t completion;
  struct mux_callback_info_s info;
  mux_command_buffer_t commands = commands_create(&messages, &info);
  char place[64];
  snprintf(place, sizeof place, "kernel 'crash', work-group (%u, 0, 0): ", (unsigned)where);
  for (int round = 1; round <= 3; ++round) {
    assert_int_equal(muxResetCommandBuffer(commands), mux_success);
    crash_record(commands, groups, how, where);
    assert_int_equal(finish(commands, &completion), mux_error_failure);
    assert_int_equal(atomic_load(&messages.count), round);
    if (!strstr(messages.last, place) || !strstr(messages.last, what)) fail_msg("message: %s", messages.last);
    check_goes_on(groups);
  }
  command_buffer_destroy(&test, commands);
}

static void every_kind_of_fault_ends_its_launch(void **state) {
  static const struct {
    kernels_crash_e how;
    const char *what;
  } cases[] = {
      {kernels_crash_write, "invalid write at address 0x40"},
      {kernels_crash_read, "invalid read at address 0x40"},
      {kernels_crash_divide, "integer division by zero at"},
      {kernels_crash_illegal, "illegal instruction at"},
      {kernels_crash_stack, "stack overflow at"},
      {kernels_crash_break, "breakpoint at"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    check_fault(cases[i].how, 1, 0, cases[i].what);
    check_fault(cases[i].how, 300, 123, cases[i].what);
    check_fault(cases[i].how, GROUPS, GROUPS - 1, cases[i].what);
  }
}

static void faults_of_many_threads_are_told_once(void **state) {
  messages_t messages = {0};
  completion_t completion;
  struct mux_callback_info_s info;
  mux_command_buffer_t commands = commands_create(&messages, &info);
  (void)state;
  for (int round = 1; round <= 200; ++round) {
    assert_int_equal(muxResetCommandBuffer(commands), mux_success);
    crash_record(commands, GROUPS, kernels_crash_write, KERNELS_CRASH_ALL);
    assert_int_equal(finish(commands, &completion), mux_error_failure);
    assert_int_equal(atomic_load(&messages.count), round);
  }
  check_goes_on(GROUPS);
  command_buffer_destroy(&test, commands);
}

static void commands_before_the_fault_are_complete(void **state) {
  messages_t messages = {0};
  completion_t completion;
  struct mux_callback_info_s info;
  mux_command_buffer_t commands = commands_create(&messages, &info);
  (void)state;
  memset(counts.data, 0, GROUPS * sizeof(uint32_t));
  crash_record(commands, 10, kernels_crash_never, 0);
  crash_record(commands, 10, kernels_crash_never, 0);
  crash_record(commands, 10, kernels_crash_write, 0);
  crash_record(commands, 10, kernels_crash_never, 0);
  assert_int_equal(commands->command_count, 4);
  assert_int_equal(finish(commands, &completion), mux_error_failure);
  assert_int_equal(completion.completed, 2);
  assert_int_equal(count(0), 2);
  command_buffer_destroy(&test, commands);
}

static void lock_of_the_printf_buffer_is_given_back(void **state) {
  messages_t messages = {0};
  completion_t completion;
  struct mux_callback_info_s info;
  mux_command_buffer_t commands = commands_create(&messages, &info);
  printf_buffer_t *buffer = calloc(1, sizeof *buffer + 1000);
  (void)state;
  assert_non_null(buffer);
  buffer->capacity = 1000;
  crash_record_with(commands, GROUPS, kernels_crash_print, KERNELS_CRASH_ALL, buffer);
  assert_int_equal(finish(commands, &completion), mux_error_failure);
  assert_int_equal(atomic_load(&messages.count), 1);
  assert_int_equal(__atomic_load_n(&buffer->lock, __ATOMIC_ACQUIRE), 0);
  assert_int_equal(buffer->used, 0);
  free(buffer);
  command_buffer_destroy(&test, commands);
}

/* ---------------------------------------------------------------- the application's handlers */

static sigjmp_buf application_recovery;
static volatile sig_atomic_t application_calls;
static struct sigaction application_previous;

static void application_handle(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  ++application_calls;
  siglongjmp(application_recovery, 1);
}

/* Passes everything on to what was there before it. */
static void application_pass_on(int signal, siginfo_t *info, void *context) {
  ++application_calls;
  if (application_previous.sa_flags & SA_SIGINFO)
    application_previous.sa_sigaction(signal, info, context);
  else
    application_previous.sa_handler(signal);
}

static void handler_install(void (*handler)(int, siginfo_t *, void *), struct sigaction *previous) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  assert_int_equal(sigaction(SIGSEGV, &action, previous), 0);
}

/* A fault of the application's own; returns how many of its handlers saw it. */
static int application_faults(void) {
  volatile uint32_t *volatile nowhere = (uint32_t *)64;
  application_calls = 0;
  if (!sigsetjmp(application_recovery, 1)) *nowhere = 1;
  return application_calls;
}

static void handlers_from_before_and_after_are_called(void **state) {
  struct sigaction before;
  (void)state;
  handler_install(application_handle, &before);
  /* From here on, ours is in front of it. */
  check_fault(kernels_crash_write, 300, 7, "invalid write");
  for (int i = 0; i < 3; ++i) assert_int_equal(application_faults(), 1);
  check_fault(kernels_crash_write, 300, 7, "invalid write");
  /* Installed over ours. */
  handler_install(application_handle, NULL);
  for (int i = 0; i < 3; ++i) assert_int_equal(application_faults(), 1);
  check_fault(kernels_crash_write, 300, 7, "invalid write");
  for (int i = 0; i < 3; ++i) assert_int_equal(application_faults(), 1);
  assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

/* Ours, its, ours, the first: nobody calls each other for ever. */
static void handlers_that_pass_on_do_not_go_round(void **state) {
  struct sigaction before;
  (void)state;
  handler_install(application_handle, &before);
  check_goes_on(10);
  handler_install(application_pass_on, &application_previous);
  check_goes_on(10);
  for (int i = 0; i < 3; ++i) assert_int_equal(application_faults(), 2);
  check_fault(kernels_crash_write, 300, 7, "invalid write");
  assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

/* As one that installs handlers now and then, each time others. */
static void any_number_of_handlers_may_come(void **state) {
  static const int flags[] = {SA_RESTART, SA_NODEFER, SA_ONSTACK, SA_NOCLDSTOP};
  struct sigaction before, action = {.sa_sigaction = application_handle};
  (void)state;
  sigemptyset(&action.sa_mask);
  assert_int_equal(sigaction(SIGSEGV, NULL, &before), 0);
  for (unsigned i = 0; i < 16; ++i) {
    action.sa_flags = SA_SIGINFO;
    for (unsigned flag = 0; flag < 4; ++flag)
      if (i >> flag & 1u) action.sa_flags |= flags[flag];
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
    assert_int_equal(application_faults(), 1);
    usleep(100);
    check_fault(kernels_crash_write, 300, 7, "invalid write");
    assert_int_equal(application_faults(), 1);
  }
  assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

/* ---------------------------------------------------------------- threads of the application */

static void *faults_with_signals_blocked(void *unused) {
  sigset_t all, mask;
  sigfillset(&all);
  for (int i = 0; i < 20; ++i) {
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &all, NULL), 0);
    check_fault(kernels_crash_write, 1, 0, "invalid write");
    check_fault(kernels_crash_divide, 300, 7, "division");
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &mask), 0);
    for (int signal = 1; signal < 32; ++signal)
      assert_int_equal(sigismember(&mask, signal), signal != SIGKILL && signal != SIGSTOP);
  }
  return unused;
}

static void threads_may_block_all_signals(void **state) {
  pthread_t thread;
  (void)state;
  assert_int_equal(pthread_create(&thread, NULL, faults_with_signals_blocked, NULL), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
}

/* The smallest that the system takes, which need not hold what it puts there. */
static void *faults_with_a_small_stack(void *unused) {
  static char memory[3 * 2048];
  stack_t small = {.ss_sp = memory + 2048, .ss_size = 2048}, now;
  if (sigaltstack(&small, NULL)) return unused;
  memset(memory, 'x', sizeof memory);
  check_fault(kernels_crash_write, 300, 7, "invalid write");
  check_fault(kernels_crash_stack, 1, 0, "stack overflow");
  assert_int_equal(sigaltstack(NULL, &now), 0);
  assert_ptr_equal(now.ss_sp, small.ss_sp);
  assert_int_equal(now.ss_size, small.ss_size);
  for (int i = 0; i < 2048; ++i) assert_int_equal(memory[i], 'x');
  return unused;
}

static void *faults_without_a_stack(void *unused) {
  const stack_t none = {.ss_flags = SS_DISABLE};
  stack_t now;
  check_fault(kernels_crash_stack, 1, 0, "stack overflow");
  assert_int_equal(sigaltstack(&none, NULL), 0);
  usleep(100);
  check_fault(kernels_crash_stack, 1, 0, "stack overflow");
  assert_int_equal(sigaltstack(NULL, &now), 0);
  assert_true(now.ss_flags & SS_DISABLE);
  return unused;
}

static void threads_may_have_small_signal_stacks_or_none(void **state) {
  void *(*const bodies[])(void *) = {faults_with_a_small_stack, faults_without_a_stack};
  (void)state;
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, bodies[i], NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
  }
}

static void signals_that_were_sent_are_the_applications(void **state) {
  struct sigaction before;
  (void)state;
  handler_install(application_handle, &before);
  check_goes_on(10);
  application_calls = 0;
  if (!sigsetjmp(application_recovery, 1)) raise(SIGSEGV);
  assert_int_equal(application_calls, 1);
  assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_fault_ends_its_launch),
      cmocka_unit_test(faults_of_many_threads_are_told_once),
      cmocka_unit_test(commands_before_the_fault_are_complete),
      cmocka_unit_test(lock_of_the_printf_buffer_is_given_back),
      cmocka_unit_test(handlers_from_before_and_after_are_called),
      cmocka_unit_test(handlers_that_pass_on_do_not_go_round),
      cmocka_unit_test(any_number_of_handlers_may_come),
      cmocka_unit_test(threads_may_block_all_signals),
      cmocka_unit_test(threads_may_have_small_signal_stacks_or_none),
      cmocka_unit_test(signals_that_were_sent_are_the_applications),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
