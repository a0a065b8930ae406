/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Diagnostics by category, switched by QUERN_DEBUG. */
#include "base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/options.h"
#include "base/text.h"
#include "base/thread.h"

/* Marks the mask below as computed; no category has this bit. */
#define MASK_READY (1u << 31)
_Static_assert(log_category_count < 31, "one bit per category, and one for MASK_READY");

static const char *const category_names[] = {
#define LOG_CATEGORY_NAME(name, text) #name,
    LOG_CATEGORY_LIST(LOG_CATEGORY_NAME)
#undef LOG_CATEGORY_NAME
};

static unsigned read_mask(void) {
  unsigned mask = MASK_READY;
  const char *set = options_get()->debug;
  for (unsigned i = 0; i < log_category_count; i++) {
    if (options_set_has(set, category_names[i])) mask |= 1u << i;
  }
  return mask;
}

bool log_enabled(log_category_e category) {
  /* Two threads may both compute it, and store the same value. */
  static _Atomic unsigned cached;
  unsigned mask = atomic_load_explicit(&cached, memory_order_relaxed);
  if (!mask) {
    mask = read_mask();
    atomic_store_explicit(&cached, mask, memory_order_relaxed);
  }
  return mask >> category & 1u;
}

static void print_on_stderr(const char *line, size_t length) { fwrite(line, 1, length, stderr); }

/* Set before there are other threads. */
static void (*printer)(const char *line, size_t length) = print_on_stderr;

void log_redirect(void (*print)(const char *line, size_t length)) { printer = print; }

/* One write for the whole line, so that lines of several threads and processes do not mix. Callers may hold locks. */
static void print_line(const char *category, const char *format, va_list arguments) {
  const int saved_errno = errno, cancel_state = thread_cancel_hold();
  text_t line = {0};
  text_append(&line, "quern: ");
  if (category) text_appendf(&line, "%s: ", category);
  text_appendf_v(&line, format, arguments);
  text_append(&line, "\n");
  if (line.failed) {
    fputs("quern: out of memory while writing a message\n", stderr);
  } else {
    printer(line.data, line.length);
  }
  text_free(&line);
  thread_cancel_release(cancel_state);
  errno = saved_errno;
}

void log_write_v(log_category_e category, const char *format, va_list arguments) {
  int saved_errno = errno;
  if (log_enabled(category)) print_line(category_names[category], format, arguments);
  errno = saved_errno;
}

void log_write(log_category_e category, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  log_write_v(category, format, arguments);
  va_end(arguments);
}

void log_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line(NULL, format, arguments);
  va_end(arguments);
}
