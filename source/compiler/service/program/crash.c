/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The signals that end the process. */
#include "compiler/service/program/crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* LLVM writes what it was at on this stack too. */
enum {
  stack_size = 512 << 10,
  frame_limit = 24,
  line_limit = 1024,
  entry_limit = 64,
};

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

/* A signal that LLVM has seen comes a second time: what is behind the last return from a signal is what was at
 * fault. */
static int first_frame(void *const *frames, int count, const void *return_from_signal) {
  int first = 0;
  for (int i = 0; i < count; i++) {
    if (frames[i] == return_from_signal) first = i + 1;
  }
  return first;
}

/* The innermost functions, as a library's name and an offset in it, which tell one fault from another, and which
 * addr2line turns into names. A stack that cannot be walked ends the process here, with all else said. */
static void tell_frames(const void *return_from_signal) {
  void *frames[frame_limit];
  char line[line_limit] = "at:";
  size_t length = strlen(line);
  const int count = backtrace(frames, frame_limit);
  for (int i = first_frame(frames, count, return_from_signal); i < count && length < line_limit - entry_limit; i++) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || !info.dli_fname) continue;
    const char *slash = strrchr(info.dli_fname, '/');
    const size_t offset = (size_t)((uintptr_t)frames[i] - (uintptr_t)info.dli_fbase);
    const int added = snprintf(line + length, entry_limit, " %.31s+0x%zx", slash ? slash + 1 : info.dli_fname, offset);
    if (added > 0) length += (size_t)added;
  }
  line[length] = '\n';
  (void)!write(STDERR_FILENO, line, length + 1);
}

static void leave(int number) {
  for (size_t i = 0; i < signal_count; i++) {
    if (signals[i].number == number) (void)!write(STDERR_FILENO, signals[i].text, strlen(signals[i].text));
  }
  tell_frames(__builtin_return_address(0));
  _exit(EXIT_FAILURE);
}

void crash_install(void) {
  /* The first call opens a library, which the sandbox will not allow. */
  void *frame;
  backtrace(&frame, 1);
  struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < signal_count; i++) sigaction(signals[i].number, &action, NULL);
}

void crash_use_stack(void) {
  const stack_t stack = {.ss_sp = malloc(stack_size), .ss_size = stack_size};
  if (stack.ss_sp) sigaltstack(&stack, NULL);
}
