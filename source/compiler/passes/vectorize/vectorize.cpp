/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The pass: all loops over work-items of a function. */
#include "compiler/passes/vectorize/vectorize.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/loop_vectorizer.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

using namespace llvm;

namespace quern {

/* The share of the cost that a version must save. */
static constexpr double worth_a_version = 0.3;

/* True when the order of operations and the form of a division are fixed, so that vectors give the same bits as items
 * one by one: the choice between them may then depend on how long they take. */
static bool has_one_result(Function &function) {
  return none_of(instructions(function), [](const Instruction &instruction) {
    if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) return atomic->isFloatingPointOperation();
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration()) return true; /* not looked into */
    if (instruction.getMetadata(LLVMContext::MD_fpmath)) return true;
    if (!isa<FPMathOperator>(instruction)) return false;
    FastMathFlags flags = instruction.getFastMathFlags();
    return flags.allowReassoc() || flags.allowReciprocal() || flags.allowContract() || flags.approxFunc();
  });
}

namespace {

/* All loops of a function, on their way. */
class FunctionVectorizer {
 public:
  FunctionVectorizer(Function &function, LoopInfo &loops, const VectorTarget &target, const work_group_layout_t &layout)
      : function_(function), loop_info_(loops), target_(target), group_layout_(layout), out_(text_) {
    find_loops(loops);
  }

  /** The widest vector, or 0. */
  unsigned run(unsigned width);
  /** Whether loops were changed that have no vectors. */
  bool has_bounds() const { return has_bounds_; }
  /** `width` is that of all vectors: sub-groups are of one size, or all of one work-item where that cannot be done. */
  unsigned run_sub_groups(unsigned width);

 private:
  void find_loops(LoopInfo &loops);
  void refuse(const char *why);
  unsigned unroll_and_jam(ItemLoop &loop, unsigned width);
  bool may_stay_undecided() const;
  bool write_versions(LoopVectorizer &general, const ItemLoop &loop);
  void report(const LoopVectorizer &vectorizer);

  Function &function_;
  const LoopInfo &loop_info_;
  const VectorTarget target_;
  const work_group_layout_t &group_layout_;
  FunctionVariants functions_;
  SmallVector<ItemLoop, 8> loops_;
  bool lost_loops_ = false, has_bounds_ = false;
  std::string text_;
  raw_string_ostream out_;
};

void FunctionVectorizer::refuse(const char *why) {
  out_ << (text_.empty() ? "" : "; ") << "not vectorized: " << why;
  function_.addFnAttr(VectorizeItemsPass::remarks, text_);
}

void FunctionVectorizer::report(const LoopVectorizer &vectorizer) {
  out_ << (text_.empty() ? "" : "; ");
  if (vectorizer.is_jammed()) out_ << jam_factor << " rows of ";
  out_ << vectorizer.width() << " work-items at once";
  if (vectorizer.vectors() > 1) out_ << ", " << vectorizer.vectors() << " times a turn";
  if (vectorizer.unrolls_wide_loads()) out_ << ", turns of inner loops joined";
  if (vectorizer.has_unmasked_version()) out_ << ", whole rows without masks";
  if (vectorizer.nontemporal_stores()) out_ << ", large results past the caches";
  if (vectorizer.is_undecided()) out_ << ", or one by one, whichever proves faster";
  out_ << functions_.take_remarks();
  function_.addFnAttr(VectorizeItemsPass::remarks, text_);
}

void FunctionVectorizer::find_loops(LoopInfo &loops) {
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const char *why;
    if (auto item_loop = ItemLoop::match(*loop, why)) {
      loops_.push_back(*item_loop);
    } else if (why) {
      lost_loops_ = true;
      refuse(why);
    }
  }
}

/* Several rows at once where that pays; `loop` becomes what is left of it. The width, or 0. */
unsigned FunctionVectorizer::unroll_and_jam(ItemLoop &loop, unsigned width) {
  auto rows = YLoop::match(loop);
  if (!rows || !rows->can_merge(loop_info_)) return 0;
  const char *why;
  LoopVectorizer vectorizer(loop, &*rows, functions_, target_, group_layout_);
  if (!vectorizer.plan(width, why)) return 0;
  vectorizer.write();
  report(vectorizer);
  loop = vectorizer.remainder();
  return vectorizer.width();
}

/* One loop is all that there is, and its results do not hang on the form. */
bool FunctionVectorizer::may_stay_undecided() const {
  return loops_.size() == 1 && !lost_loops_ && has_one_result(function_);
}

/* EnclosingInduction of the loops around in which the lanes' elements lie in rows have a form of their own, if there are any. */
bool FunctionVectorizer::write_versions(LoopVectorizer &general, const ItemLoop &loop) {
  const auto factor = general.find_versioned_stride(loop_info_);
  if (!factor) return false;
  SmallVector<std::unique_ptr<LoopVectorizer>, 3> versions;
  for (unsigned i = 0; i < factor->versions(); i++) {
    const char *why;
    auto version = std::make_unique<LoopVectorizer>(loop, nullptr, functions_, target_, group_layout_);
    version->assume(*factor, i);
    version->forbid_nontemporal_stores();
    if (!version->plan(general.width(), why)) continue;
    if (version->cost() > (1 - worth_a_version) * general.cost()) continue;
    version->divide(general);
    versions.push_back(std::move(version));
  }
  for (auto &version : versions) version->write();
  if (!versions.empty())
    out_ << (text_.empty() ? "" : "; ") << versions.size() << (versions.size() == 1 ? " version" : " versions")
         << " for indices in rows";
  return !versions.empty();
}

unsigned FunctionVectorizer::run(unsigned width) {
  bool is_second = function_.hasFnAttribute(VectorizeItemsPass::undecided);
  unsigned widest = 0;
  for (ItemLoop &loop : loops_) {
    const char *why;
    unsigned merged = unroll_and_jam(loop, width);
    widest = std::max(widest, merged);
    LoopVectorizer vectorizer(loop, nullptr, functions_, target_, group_layout_);
    if (merged) {
      vectorizer.set_remainder();
    } else {
      vectorizer.find_mask(loop_info_);
    }
    if (loops_.size() > 1) {
      vectorizer.forbid_nontemporal_stores();
      vectorizer.prefetch_next_iteration();
    }
    if (is_second || (!merged && !width && may_stay_undecided())) vectorizer.may_stay_undecided();
    if (!vectorizer.plan(width, why)) {
      /* Where vectors pay for such turns alone, work-items go one by one in the others. */
      if (vectorizer.is_unprofitable() && write_versions(vectorizer, loop))
        widest = std::max(widest, vectorizer.width());
      if (vectorizer.is_unprofitable()) has_bounds_ |= vectorizer.write_bound();
      refuse(why);
      continue;
    }
    if (vectorizer.is_undecided() && !is_second) {
      function_.addFnAttr(VectorizeItemsPass::undecided);
      continue;
    }
    write_versions(vectorizer, loop);
    vectorizer.write();
    widest = std::max(widest, vectorizer.width());
    report(vectorizer);
  }
  return widest;
}

unsigned FunctionVectorizer::run_sub_groups(unsigned width) {
  SmallVector<std::unique_ptr<LoopVectorizer>, 8> vectorizers;
  bool can = width > 1 && !lost_loops_;
  for (const ItemLoop &loop : loops_) {
    const char *why;
    vectorizers.push_back(std::make_unique<LoopVectorizer>(loop, nullptr, functions_, target_, group_layout_));
    if (!can || vectorizers.back()->plan_sub_groups(width, why)) continue;
    refuse(why);
    can = false;
  }
  for (auto &vectorizer : vectorizers) {
    if (!can) break;
    vectorizer->write();
    report(*vectorizer);
  }
  vectorizers.clear();
  replace_sub_group_width(function_, can ? width : 1);
  if (!can) make_sub_groups_single(function_);
  return can ? width : 0;
}

}  // namespace

unsigned choose_sub_group_size(unsigned width, const TargetTransformInfo &target) {
  if (width) return std::min(width, largest_sub_group);
  auto bits = unsigned(target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  return std::clamp(bits / 32, 8u, 16u);
}

PreservedAnalyses VectorizeItemsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  Attribute sub_groups = function.getFnAttribute(sub_groups_attribute);
  if (function.hasFnAttribute(scalar_variant)) return PreservedAnalyses::all();
  if (!sub_groups.isValid() && !may_choose_) return PreservedAnalyses::all();
  const VectorTarget target = {analyses.getResult<TargetIRAnalysis>(function), gathers_fast_, scatters_fast_};
  FunctionVectorizer vectorizer(function, analyses.getResult<LoopAnalysis>(function), target, linearization_);
  unsigned widest = 0;
  if (sub_groups.isValid()) {
    unsigned size = 0;
    if (sub_groups.getValueAsString().getAsInteger(10, size) || !size) {
      size = may_choose_ ? choose_sub_group_size(width_, target.costs) : 1;
    }
    widest = vectorizer.run_sub_groups(size);
  } else {
    widest = vectorizer.run(width_);
  }
  if (widest) function.addFnAttr(done, std::to_string(widest));
  return widest || vectorizer.has_bounds() || sub_groups.isValid() ? PreservedAnalyses::none()
                                                                   : PreservedAnalyses::all();
}

}  // namespace quern
