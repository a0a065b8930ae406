/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Reads the parameters of vectorize-items. */
#include "compiler/passes/vectorize/plan_options.hpp"

#include <llvm/ADT/SmallVector.h>

using namespace llvm;

namespace quern {

/* Powers of two, as every other number of lanes or vectors is. */
static bool read_number(StringRef text, unsigned &number) {
  return !text.getAsInteger(10, number) && (number & (number - 1)) == 0;
}

/* The member that `no-NAME` clears, or null. */
static bool PlanOptions::*find_member(StringRef name) {
  static constexpr struct {
    const char *name;
    bool PlanOptions::*member;
  } members[] = {{"jam", &PlanOptions::jam},
                 {"versions", &PlanOptions::versions},
                 {"mask-free", &PlanOptions::mask_free},
                 {"nontemporal", &PlanOptions::nontemporal},
                 {"prefetch", &PlanOptions::prefetch},
                 {"wide-loads", &PlanOptions::wide_loads},
                 {"uniform-bounds", &PlanOptions::uniform_bounds},
                 {"access-groups", &PlanOptions::access_groups},
                 {"item-bound", &PlanOptions::item_bound}};
  for (const auto &one : members) {
    if (name == one.name) return one.member;
  }
  return nullptr;
}

static bool read_option(StringRef text, PlanOptions &options) {
  if (text.consume_front("width=")) return read_number(text, options.width);
  if (text.consume_front("interleave=")) return read_number(text, options.interleave_count);
  if (text == "scalar") {
    options.stays_scalar = true;
    return true;
  }
  bool PlanOptions::*member = text.consume_front("no-") ? find_member(text) : nullptr;
  if (!member) return false;
  options.*member = false;
  return true;
}

std::optional<PlanOptions> PlanOptions::parse(StringRef text) {
  PlanOptions options;
  SmallVector<StringRef, 8> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    if (!read_option(part, options)) return std::nullopt;
  }
  return options;
}

}  // namespace quern
