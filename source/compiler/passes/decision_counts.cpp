/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Counters of the vectorizer's decisions, for the whole process.
 *
 * They are read from its remarks, which are parts with ';' between them, one for a loop. LLVM's STATISTIC has no names
 * that are found at run time, as reasons are, and counts nothing in sources that are compiled with NDEBUG. */
#include "compiler/passes/decision_counts.hpp"

#include <map>
#include <mutex>
#include <string>

#include "compiler/passes/passes.h"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;

namespace quern {

static std::mutex mutex;

static std::map<std::string, uint64_t> &counts() {
  static std::map<std::string, uint64_t> all;
  return all;
}

static void add_loop(StringRef remark) {
  StringRef reason = remark;
  if (reason.consume_front("not vectorized: ")) {
    auto [why, interleaved] = reason.split(", scalar work-items interleaved");
    counts()["loops refused: " + why.str()]++;
    if (!interleaved.empty()) counts()["loops of scalar work-items interleaved"]++;
    return;
  }
  if (remark.contains("loop version")) counts()["loops with versions for strides"]++;
  if (!remark.starts_with("vectorized (")) return;
  counts()["loops vectorized"]++;
  if (remark.contains("unroll-and-jam")) counts()["loops jammed"]++;
  if (remark.contains("interleave count")) counts()["loops interleaved"]++;
  if (remark.contains("mask-free version")) counts()["loops with a mask-free version"]++;
  if (remark.contains("non-temporal stores")) counts()["loops with non-temporal stores"]++;
}

void decision_counts_add(const Function &function) {
  StringRef remarks = function.getFnAttribute(VectorizeItemsPass::remarks).getValueAsString();
  SmallVector<StringRef, 4> loops;
  remarks.split(loops, "; ", -1, /*KeepEmpty=*/false);
  std::lock_guard<std::mutex> guard(mutex);
  for (StringRef loop : loops) add_loop(loop);
}

}  // namespace quern

extern "C" void passes_write_statistics(text_t *out) {
  std::lock_guard<std::mutex> guard(quern::mutex);
  for (const auto &[name, count] : quern::counts()) {
    text_appendf(out, "%s: %llu\n", name.c_str(), (unsigned long long)count);
  }
}
