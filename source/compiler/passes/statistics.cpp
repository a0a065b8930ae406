/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's statistics, in the form that its tools print. */
#include "compiler/passes/statistics.hpp"

#include <mutex>

#include <llvm/ADT/Statistic.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/passes/passes.h"

namespace quern {

void enable_statistics() {
  static std::once_flag once;
  std::call_once(once, [] { llvm::EnableStatistics(/*DoPrintOnExit=*/false); });
}

}  // namespace quern

extern "C" void passes_write_statistics(text_t *out) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::PrintStatistics(stream);
  text_append_bytes(out, text.data(), text.size());
}
