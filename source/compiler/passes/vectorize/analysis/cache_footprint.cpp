/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Search for gathers and scatters with spatial locality from one iteration to the next. */
#include "compiler/passes/vectorize/analysis/cache_footprint.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/function_evolution.hpp"
#include "compiler/passes/vectorize/transform/prefetch.hpp"

using namespace llvm;

namespace quern {

static bool is_shorter_than_line(const APInt &bytes) { return bytes.abs().ult(cache_line_bytes); }

/* True when each lane has lines of its own. Local memory is small, and its lines stay in the cache. */
static bool is_spread(const Value &address, const ShapeAnalysis &analysis) {
  if (address.getType()->getPointerAddressSpace() == local_space) return false;
  const Shape shape = analysis.shape(&address);
  return shape.kind == Shape::varying ||
         (shape.kind == Shape::strided && uint64_t(std::abs(shape.stride)) >= cache_line_bytes);
}

/* True for a stream that begins where the program has read that it does, as in a sparse matrix or a list of words. Most
 * are short, and each begins in the line where another ends. */
static bool starts_where_loaded(const SCEVAddRecExpr &address, const ShapeAnalysis &analysis) {
  return SCEVExprContains(address.getStart(), [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && isa<LoadInst>(unknown->getValue()) && !analysis.is_uniform(unknown->getValue());
  });
}

/* The address as a recurrence of the innermost loop around it, or null when an iteration is further than a line from
 * the last one. */
static const SCEV *find_stream(Instruction &access, const ShapeAnalysis &analysis, FunctionEvolution &evolution) {
  Value *address = getLoadStorePointerOperand(&access);
  const Loop *loop = evolution.loops.getLoopFor(access.getParent());
  if (!address || !loop->isInnermost() || !is_spread(*address, analysis)) return nullptr;
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.SE.getSCEV(address));
  if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine()) return nullptr;
  if (starts_where_loaded(*recurrence, analysis)) return nullptr;
  auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution.SE));
  return step && !step->isZero() && is_shorter_than_line(step->getAPInt()) ? recurrence : nullptr;
}

static bool is_near(const SCEV *first, const SCEV *second, ScalarEvolution &SE) {
  if (first->getType() != second->getType()) return false;
  auto *distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(first, second));
  return distance && is_shorter_than_line(distance->getAPInt());
}

unsigned count_lines_per_lane(Function &body, const ShapeAnalysis &analysis) {
  if (analysis.loops().empty()) return 0;
  FunctionEvolution evolution(body);
  size_t most = 0;
  for (const Loop *loop : evolution.loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    SmallVector<const SCEV *, 8> lines;
    for (BasicBlock *block : loop->blocks()) {
      for (Instruction &instruction : *block) {
        const SCEV *stream = find_stream(instruction, analysis, evolution);
        const auto shares_line = [&](const SCEV *line) { return is_near(line, stream, evolution.SE); };
        if (stream && none_of(lines, shares_line)) lines.push_back(stream);
      }
    }
    most = std::max(most, lines.size());
  }
  return unsigned(most);
}

}  // namespace quern
