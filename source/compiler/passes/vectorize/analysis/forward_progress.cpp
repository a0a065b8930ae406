/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Detection of spin loops by a bounded search over the cyclic paths of a loop. */
#include "compiler/passes/vectorize/analysis/forward_progress.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/passes/vectorize/analysis/exit_dependences.hpp"
#include "compiler/passes/vectorize/analysis/operands.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Depth-first search over the cyclic paths of a loop for one that spins. The budget bounds the number of paths. */
class PathSearch {
 public:
  PathSearch(const Loop &loop, function_ref<bool(const Value &)> is_uniform)
      : loop_(loop), is_uniform_(is_uniform), accesses_(loop), path_(loop, max_visits) {}

  bool run();

 private:
  bool search_from(const BasicBlock *block);
  bool search_edge(const BasicBlock *to);
  bool search_outcomes(ArrayRef<const Value *> conditions);
  bool search_both(const Value *condition, function_ref<bool(bool)> search);
  bool spins_on_path();
  bool exits_divergently();

  /* The first takes some milliseconds. The second limits the depth of the recursion. */
  static constexpr unsigned max_visits = 100000, max_blocks = 1000;

  const Loop &loop_;
  function_ref<bool(const Value &)> is_uniform_;
  const LoopAccesses accesses_;
  CyclicPath path_;
  std::optional<bool> exits_divergently_;
};

}  // namespace

/* True if a branch condition in the loop may differ between lanes. Atomic and volatile reads of one address are assumed
 * to return the same value to all lanes, other atomics are not. Private memory differs between lanes. */
static bool exits_divergently(const Loop &loop, const LoopAccesses &accesses,
                              function_ref<bool(const Value &)> is_uniform) {
  auto is_same_for_all = [&](const Value *value) -> std::optional<bool> {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction)) return is_uniform(*value);
    if (is_private_access(*instruction)) return false;
    const std::optional<AccessKind> kind = accesses.kind(*instruction);
    return kind && kind != AccessKind::read_only ? std::optional(false) : std::nullopt;
  };
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    const Instruction *end = block->getTerminator();
    return end->getNumSuccessors() > 1 && !all_of_operands(end->getOperand(0), is_same_for_all);
  });
}

/* Checks the enclosing loops as well: a lane that has left one of them cannot do what lanes in this loop wait for. */
bool PathSearch::exits_divergently() {
  if (exits_divergently_) return *exits_divergently_;
  exits_divergently_ = false;
  for (const Loop *loop = &loop_; loop && !*exits_divergently_; loop = loop->getParentLoop()) {
    exits_divergently_ = quern::exits_divergently(*loop, loop == &loop_ ? accesses_ : LoopAccesses(*loop), is_uniform_);
  }
  return *exits_divergently_;
}

/* True if a condition on the path depends on memory that other work-items may change, and no branch that may exit
 * depends on a value that changes between iterations. */
bool PathSearch::spins_on_path() {
  if (!path_.may_repeat()) return false;
  const PathWrites writes(path_, accesses_);
  bool has_idempotent_atomic = false, has_read = false;
  for (const BasicBlock *block : path_.blocks()) {
    const Instruction *end = block->getTerminator();
    if (end->getNumSuccessors() < 2) continue;
    const ExitDependences dependences(path_, accesses_, writes, end->getOperand(0));
    if (!dependences.has_progress()) {
      has_idempotent_atomic |= dependences.has_idempotent_atomic();
      has_read |= dependences.has_read();
    } else if (path_.may_exit_at(block)) {
      return false;
    }
  }
  return !path_.is_budget_exhausted() && (has_idempotent_atomic || (has_read && exits_divergently()));
}

bool PathSearch::search_both(const Value *condition, function_ref<bool(bool)> search) {
  if (const std::optional<bool> known = path_.outcome(condition)) return search(*known);
  bool is_found = false;
  for (const bool outcome : {false, true}) {
    const Value *assumed = path_.assume(condition, outcome);
    is_found = is_found || search(outcome);
    path_.drop_assumption(assumed);
  }
  return is_found;
}

/* Searches all outcomes of the conditions that are undecided on a complete path. */
bool PathSearch::search_outcomes(ArrayRef<const Value *> conditions) {
  if (!path_.consume_budget()) return false;
  if (conditions.empty()) return spins_on_path();
  return search_both(conditions.front(), [&](bool) { return search_outcomes(conditions.drop_front()); });
}

/* Searches along an edge from the last block of the path. A back edge completes the path. */
bool PathSearch::search_edge(const BasicBlock *to) {
  if (to == loop_.getHeader()) return search_outcomes(path_.undecided_conditions().getArrayRef());
  return loop_.contains(to) && !path_.contains(to) && search_from(to);
}

bool PathSearch::search_from(const BasicBlock *block) {
  if (!path_.consume_budget() || path_.blocks().size() == max_blocks) return false;
  path_.push(block);
  bool is_found = false;
  const Instruction *end = block->getTerminator();
  auto *branch = dyn_cast<BranchInst>(end);
  if (branch && branch->isConditional()) {
    is_found = search_both(branch->getCondition(),
                           [&](bool outcome) { return search_edge(branch->getSuccessor(outcome ? 0 : 1)); });
  } else if (branch || isa<SwitchInst>(end)) {
    const SmallSetVector<const BasicBlock *, 4> targets(succ_begin(block), succ_end(block));
    is_found = any_of(targets, [&](const BasicBlock *to) { return search_edge(to); });
  }
  path_.pop();
  return is_found;
}

bool PathSearch::run() { return !accesses_.empty() && search_from(loop_.getHeader()); }

bool needs_lane_progress(const Loop &loop, function_ref<bool(const Value &)> is_uniform) {
  return PathSearch(loop, is_uniform).run();
}

static bool has_spin_loop(const Function &function) {
  /* The analyses take a mutable function, but do not change it. */
  DominatorTree dominators(const_cast<Function &>(function));
  LoopInfo loops(dominators);
  auto is_uniform = [](const Value &value) { return isa<Constant>(value); };
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) { return needs_lane_progress(*loop, is_uniform); });
}

/* A spin loop needs an atomic or volatile read. Most functions have none, which saves the analyses of their loops. */
bool calls_spin_loop(const Function &function) {
  const SmallSetVector<const Function *, 8> callees = find_callees(function);
  const bool have_accesses =
      any_of(callees, [](const Function *callee) { return any_of(instructions(*callee), is_atomic_or_volatile_read); });
  return have_accesses && any_of(callees, [](const Function *callee) { return has_spin_loop(*callee); });
}

}  // namespace quern
