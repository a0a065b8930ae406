/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Loops that others end: there is a way round them on which nothing changes, unless others do something. */
#include "compiler/passes/vectorize/waits.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/passes/vectorize/operands.hpp"
#include "compiler/passes/vectorize/reasons.hpp"

using namespace llvm;

namespace quern {

namespace {

/* All ways round a loop, one after the other, or as many as there is time for. */
class Search {
 public:
  Search(const Loop &loop, function_ref<bool(const Value &)> is_uniform)
      : loop_(loop), is_uniform_(is_uniform), accesses_(loop), way_(loop, most_work) {}

  bool find();

 private:
  bool find_from(const BasicBlock *block);
  bool find_to(const BasicBlock *block);
  bool find_with(ArrayRef<const Value *> choices);
  bool find_both(const Value *condition, function_ref<bool(bool)> find);
  bool waits_on_way();
  bool leave_apart();

  /* Some milliseconds, and calls within calls. */
  static constexpr unsigned most_work = 100000, most_blocks = 1000;

  const Loop &loop_;
  function_ref<bool(const Value &)> is_uniform_;
  const LoopAccesses accesses_;
  WayRound way_;
  std::optional<bool> leave_apart_;
};

}  // namespace

/* Not when all lanes find the same, in memory as elsewhere. */
static bool leave_apart(const Loop &loop, const LoopAccesses &accesses, function_ref<bool(const Value &)> is_uniform) {
  auto is_alike = [&](const Value *value) -> std::optional<bool> {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction)) return is_uniform(*value);
    if (is_private(*instruction)) return true;
    const std::optional<Repeated> kind = accesses.kind(*instruction);
    return kind && kind != Repeated::reads ? std::optional(false) : std::nullopt;
  };
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    const Instruction *end = block->getTerminator();
    return end->getNumSuccessors() > 1 && !holds_of_all(end->getOperand(0), is_alike);
  });
}

/* Who has left a loop around it does not do what those wait for that are still here. */
bool Search::leave_apart() {
  if (leave_apart_) return *leave_apart_;
  leave_apart_ = false;
  for (const Loop *loop = &loop_; loop && !*leave_apart_; loop = loop->getParentLoop()) {
    leave_apart_ = quern::leave_apart(*loop, loop == &loop_ ? accesses_ : LoopAccesses(*loop), is_uniform_);
  }
  return *leave_apart_;
}

/* There must be something that others change, and what may end the loop must hang on nothing else. */
bool Search::waits_on_way() {
  if (!way_.may_go_on()) return false;
  const Writes writes(way_, accesses_);
  bool takes = false, reads = false;
  for (const BasicBlock *block : way_.blocks()) {
    const Instruction *end = block->getTerminator();
    if (end->getNumSuccessors() < 2) continue;
    const Reasons reasons(way_, accesses_, writes, end->getOperand(0));
    if (!reasons.go_on()) {
      takes |= reasons.take();
      reads |= reasons.read();
    } else if (way_.may_leave_at(block)) {
      return false;
    }
  }
  return !way_.is_spent() && (takes || (reads && leave_apart()));
}

bool Search::find_both(const Value *condition, function_ref<bool(bool)> find) {
  if (const std::optional<bool> known = way_.outcome(condition)) return find(*known);
  bool is_found = false;
  for (const bool outcome : {false, true}) {
    const Value *supposed = way_.suppose(condition, outcome);
    is_found = is_found || find(outcome);
    way_.forget(supposed);
  }
  return is_found;
}

bool Search::find_with(ArrayRef<const Value *> choices) {
  if (!way_.spend()) return false;
  if (choices.empty()) return waits_on_way();
  return find_both(choices.front(), [&](bool) { return find_with(choices.drop_front()); });
}

bool Search::find_to(const BasicBlock *block) {
  if (block == loop_.getHeader()) return find_with(way_.open_choices().getArrayRef());
  return loop_.contains(block) && !way_.has(block) && find_from(block);
}

bool Search::find_from(const BasicBlock *block) {
  if (!way_.spend() || way_.blocks().size() == most_blocks) return false;
  way_.enter(block);
  bool is_found = false;
  const Instruction *end = block->getTerminator();
  auto *branch = dyn_cast<BranchInst>(end);
  if (branch && branch->isConditional()) {
    is_found =
        find_both(branch->getCondition(), [&](bool outcome) { return find_to(branch->getSuccessor(outcome ? 0 : 1)); });
  } else if (branch || isa<SwitchInst>(end)) {
    const SmallSetVector<const BasicBlock *, 4> ways(succ_begin(block), succ_end(block));
    is_found = any_of(ways, [&](const BasicBlock *to) { return find_to(to); });
  }
  way_.leave();
  return is_found;
}

bool Search::find() { return !accesses_.empty() && find_from(loop_.getHeader()); }

bool waits_for_lanes(const Loop &loop, function_ref<bool(const Value &)> is_uniform) {
  return Search(loop, is_uniform).find();
}

static bool waits(const Function &function) {
  /* The analyses do not change it. */
  DominatorTree dominators(const_cast<Function &>(function));
  LoopInfo loops(dominators);
  auto is_uniform = [](const Value &value) { return isa<Constant>(value); };
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) { return waits_for_lanes(*loop, is_uniform); });
}

/* What waits must make an access somewhere: mostly none does, and nobody's loops have to be found. */
bool calls_what_waits(const Function &function) {
  const SmallSetVector<const Function *, 8> called = find_called(function);
  const bool have_accesses =
      any_of(called, [](const Function *each) { return any_of(instructions(*each), is_access); });
  return have_accesses && any_of(called, [](const Function *each) { return waits(*each); });
}

}  // namespace quern
