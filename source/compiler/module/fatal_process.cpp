/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The end of a process that only compiles. */
#include <cstdlib>
#include <new>
#include <unistd.h>

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/PrettyStackTrace.h>

#include "compiler/module/fatal.h"

namespace {

/* Nothing can be allocated, and code without exceptions has no other way out. */
[[noreturn]] void leave_without_memory() {
  static const char line[] = "out of memory (QUERN_COMPILER_MEMORY bounds it)\n";
  (void)!write(STDERR_FILENO, line, sizeof line - 1);
  _exit(EXIT_FAILURE);
}

void leave_without_memory_for(void *, const char *, bool) { leave_without_memory(); }

}  // namespace

extern "C" void fatal_own_process(void) {
  std::set_new_handler(leave_without_memory);
  llvm::install_bad_alloc_error_handler(leave_without_memory_for);
  llvm::setBugReportMsg("");
  llvm::EnablePrettyStackTrace();
}
