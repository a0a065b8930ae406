/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The signals that end the process. */
#include "compiler/service/program/crash.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* LLVM writes what it was at on this stack too. */
enum { stack_size = 512 << 10 };

static const struct {
  int number;
  const char *text;
} signals[] = {
    {SIGSEGV, "SIGSEGV, an access to memory that is not there, or a stack that is full\n"},
    {SIGBUS, "SIGBUS, an access to memory that is not there\n"},
    {SIGABRT, "SIGABRT, the compiler gave up\n"},
    {SIGILL, "SIGILL, the compiler met what it takes for impossible\n"},
    {SIGTRAP, "SIGTRAP, the compiler met what it takes for impossible\n"},
    {SIGFPE, "SIGFPE, a division by zero\n"},
    {SIGSYS, "SIGSYS, a system call that is not allowed\n"},
    {SIGXCPU, "SIGXCPU, no processor time is left\n"},
};
enum { signal_count = sizeof signals / sizeof signals[0] };

static void leave(int number) {
  for (size_t i = 0; i < signal_count; i++) {
    if (signals[i].number == number) (void)!write(STDERR_FILENO, signals[i].text, strlen(signals[i].text));
  }
  _exit(EXIT_FAILURE);
}

void crash_install(void) {
  struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < signal_count; i++) sigaction(signals[i].number, &action, NULL);
}

void crash_use_stack(void) {
  const stack_t stack = {.ss_sp = malloc(stack_size), .ss_size = stack_size};
  if (stack.ss_sp) sigaltstack(&stack, NULL);
}
