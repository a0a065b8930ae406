/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops that others end: there is a way round them on which nothing changes, unless others do something. */
#include "compiler/passes/vectorize/analysis/forward_progress.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/passes/vectorize/analysis/exit_dependences.hpp"
#include "compiler/passes/vectorize/analysis/operands.hpp"

using namespace llvm;

namespace quern {

namespace {

/* All ways round a loop, one after the other, or as many as there is time for. */
class Search {
 public:
  Search(const Loop &loop, function_ref<bool(const Value &)> is_uniform)
      : loop_(loop), is_uniform_(is_uniform), accesses_(loop), path_(loop, most_work) {}

  bool find();

 private:
  bool find_from(const BasicBlock *block);
  bool find_to(const BasicBlock *block);
  bool find_with(ArrayRef<const Value *> choices);
  bool find_both(const Value *condition, function_ref<bool(bool)> find);
  bool spins_on_path();
  bool exits_divergently();

  /* Some milliseconds, and calls within calls. */
  static constexpr unsigned most_work = 100000, most_blocks = 1000;

  const Loop &loop_;
  function_ref<bool(const Value &)> is_uniform_;
  const LoopAccesses accesses_;
  CyclicPath path_;
  std::optional<bool> exits_divergently_;
};

}  // namespace

/* Not when all lanes find the same, in memory as elsewhere. */
static bool exits_divergently(const Loop &loop, const LoopAccesses &accesses,
                              function_ref<bool(const Value &)> is_uniform) {
  auto is_alike = [&](const Value *value) -> std::optional<bool> {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction)) return is_uniform(*value);
    if (is_private(*instruction)) return true;
    const std::optional<Idempotence> kind = accesses.kind(*instruction);
    return kind && kind != Idempotence::reads ? std::optional(false) : std::nullopt;
  };
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    const Instruction *end = block->getTerminator();
    return end->getNumSuccessors() > 1 && !holds_of_all(end->getOperand(0), is_alike);
  });
}

/* Who has left a loop around it does not do what those wait for that are still here. */
bool Search::exits_divergently() {
  if (exits_divergently_) return *exits_divergently_;
  exits_divergently_ = false;
  for (const Loop *loop = &loop_; loop && !*exits_divergently_; loop = loop->getParentLoop()) {
    exits_divergently_ = quern::exits_divergently(*loop, loop == &loop_ ? accesses_ : LoopAccesses(*loop), is_uniform_);
  }
  return *exits_divergently_;
}

/* There must be something that others change, and what may end the loop must hang on nothing else. */
bool Search::spins_on_path() {
  if (!path_.may_go_on()) return false;
  const Writes writes(path_, accesses_);
  bool takes = false, reads = false;
  for (const BasicBlock *block : path_.blocks()) {
    const Instruction *end = block->getTerminator();
    if (end->getNumSuccessors() < 2) continue;
    const ExitDependences dependences(path_, accesses_, writes, end->getOperand(0));
    if (!dependences.go_on()) {
      takes |= dependences.take();
      reads |= dependences.read();
    } else if (path_.may_exit_at(block)) {
      return false;
    }
  }
  return !path_.is_spent() && (takes || (reads && exits_divergently()));
}

bool Search::find_both(const Value *condition, function_ref<bool(bool)> find) {
  if (const std::optional<bool> known = path_.outcome(condition)) return find(*known);
  bool is_found = false;
  for (const bool outcome : {false, true}) {
    const Value *supposed = path_.suppose(condition, outcome);
    is_found = is_found || find(outcome);
    path_.forget(supposed);
  }
  return is_found;
}

bool Search::find_with(ArrayRef<const Value *> choices) {
  if (!path_.spend()) return false;
  if (choices.empty()) return spins_on_path();
  return find_both(choices.front(), [&](bool) { return find_with(choices.drop_front()); });
}

bool Search::find_to(const BasicBlock *block) {
  if (block == loop_.getHeader()) return find_with(path_.open_choices().getArrayRef());
  return loop_.contains(block) && !path_.has(block) && find_from(block);
}

bool Search::find_from(const BasicBlock *block) {
  if (!path_.spend() || path_.blocks().size() == most_blocks) return false;
  path_.enter(block);
  bool is_found = false;
  const Instruction *end = block->getTerminator();
  auto *branch = dyn_cast<BranchInst>(end);
  if (branch && branch->isConditional()) {
    is_found =
        find_both(branch->getCondition(), [&](bool outcome) { return find_to(branch->getSuccessor(outcome ? 0 : 1)); });
  } else if (branch || isa<SwitchInst>(end)) {
    const SmallSetVector<const BasicBlock *, 4> targets(succ_begin(block), succ_end(block));
    is_found = any_of(targets, [&](const BasicBlock *to) { return find_to(to); });
  }
  path_.leave();
  return is_found;
}

bool Search::find() { return !accesses_.empty() && find_from(loop_.getHeader()); }

bool needs_lane_progress(const Loop &loop, function_ref<bool(const Value &)> is_uniform) {
  return Search(loop, is_uniform).find();
}

static bool may_spin(const Function &function) {
  /* The analyses do not change it. */
  DominatorTree dominators(const_cast<Function &>(function));
  LoopInfo loops(dominators);
  auto is_uniform = [](const Value &value) { return isa<Constant>(value); };
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) { return needs_lane_progress(*loop, is_uniform); });
}

/* What waits must make an access somewhere: mostly none does, and nobody's loops have to be found. */
bool calls_spin_loop(const Function &function) {
  const SmallSetVector<const Function *, 8> called = find_called(function);
  const bool have_accesses =
      any_of(called, [](const Function *each) { return any_of(instructions(*each), is_access); });
  return have_accesses && any_of(called, [](const Function *each) { return may_spin(*each); });
}

}  // namespace quern
