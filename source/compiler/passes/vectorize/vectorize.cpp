/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The passes of the work-item vectorizer: all item loops of a function, with versions and remarks. */
#include "compiler/passes/vectorize/vectorize.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/sub_groups.hpp"
#include "compiler/passes/vectorize/loop_vectorizer.hpp"
#include "compiler/passes/vectorize/vectorization_factor.hpp"

using namespace llvm;

namespace quern {

/* The share of the general cost that a version must save to be profitable. */
static constexpr double min_version_saving = 0.3;

/* True when the vector and the scalar variant give the same bits: no floating-point operation may be reassociated,
 * contracted or approximated. Only then the choice between the variants may depend on measured time. */
static bool is_bitwise_reproducible(Function &function) {
  return none_of(instructions(function), [](const Instruction &instruction) {
    if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) return atomic->isFloatingPointOperation();
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration()) return true; /* its body is not examined */
    if (instruction.getMetadata(LLVMContext::MD_fpmath)) return true;
    if (!isa<FPMathOperator>(instruction)) return false;
    FastMathFlags flags = instruction.getFastMathFlags();
    return flags.allowReassoc() || flags.allowReciprocal() || flags.allowContract() || flags.approxFunc();
  });
}

namespace {

/* Vectorizes all item loops of a function, and collects the remarks. */
class FunctionVectorizer {
 public:
  FunctionVectorizer(Function &function, LoopInfo &loops, const VectorTarget &target, const work_group_layout_t &layout)
      : function_(function), loop_info_(loops), target_(target), group_layout_(layout), out_(text_) {
    find_loops(loops);
  }

  /** Vectorizes the profitable loops. Returns the largest vectorization factor, or 0. */
  unsigned run(unsigned width);
  /** Whether loops that stay scalar were modified (LoopVectorizer::write_scalar). */
  bool modifies_scalar() const { return modifies_scalar_; }
  /** Vectorizes all loops with factor `width`, as all sub-groups have one size. Where a loop cannot be vectorized, all
   * sub-groups have one work-item. Returns the factor, or 0. */
  unsigned run_sub_groups(unsigned width);

 private:
  void find_loops(LoopInfo &loops);
  void refuse(const char *why);
  unsigned unroll_and_jam(ItemLoop &loop, unsigned width);
  bool may_stay_undecided() const;
  bool write_versions(LoopVectorizer &general, const ItemLoop &loop);
  void report(const LoopVectorizer &vectorizer);
  void report_scalar(const LoopVectorizer &vectorizer);

  Function &function_;
  const LoopInfo &loop_info_;
  const VectorTarget target_;
  const work_group_layout_t &group_layout_;
  FunctionVariants functions_;
  SmallVector<ItemLoop, 8> loops_;
  bool lost_loops_ = false, modifies_scalar_ = false;
  std::string text_;
  raw_string_ostream out_;
};

void FunctionVectorizer::refuse(const char *why) {
  out_ << (text_.empty() ? "" : "; ") << "not vectorized: " << why;
  function_.addFnAttr(VectorizeItemsPass::remarks, text_);
}

void FunctionVectorizer::report(const LoopVectorizer &vectorizer) {
  out_ << (text_.empty() ? "" : "; ");
  out_ << "vectorized (vectorization factor " << vectorizer.width();
  if (vectorizer.interleave_count() > 1) out_ << ", interleave count " << vectorizer.interleave_count();
  out_ << ")";
  if (vectorizer.is_jammed()) out_ << ", unroll-and-jam by " << jam_factor << " over y";
  if (vectorizer.unrolls_wide_loads()) out_ << ", inner loops unrolled with wide loads";
  if (vectorizer.has_unmasked_version()) out_ << ", mask-free version";
  if (vectorizer.nontemporal_stores()) out_ << ", non-temporal stores";
  if (vectorizer.is_undecided()) out_ << ", or scalar, whichever is measured faster";
  out_ << functions_.take_remarks();
  function_.addFnAttr(VectorizeItemsPass::remarks, text_);
}

/* After the reason why the loop stays scalar. */
void FunctionVectorizer::report_scalar(const LoopVectorizer &vectorizer) {
  if (vectorizer.interleave_count() == 1) return;
  out_ << ", scalar work-items interleaved (interleave count " << vectorizer.interleave_count() << ")";
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

/* Vectorizes with unroll-and-jam of the y loop where it is profitable; `loop` becomes the remainder loop. Returns the
 * vectorization factor, or 0. */
unsigned FunctionVectorizer::unroll_and_jam(ItemLoop &loop, unsigned width) {
  auto y_loop = YLoop::match(loop);
  if (!y_loop || !y_loop->can_unroll_and_jam(loop_info_)) return 0;
  const char *why;
  LoopVectorizer vectorizer(loop, &*y_loop, functions_, target_, group_layout_);
  if (!vectorizer.plan(width, why)) return 0;
  vectorizer.write();
  report(vectorizer);
  loop = vectorizer.remainder();
  return vectorizer.width();
}

/* True when both variants may be kept: the function has a single item loop, and both give the same results. */
bool FunctionVectorizer::may_stay_undecided() const {
  return loops_.size() == 1 && !lost_loops_ && is_bitwise_reproducible(function_);
}

/* Versions the loop for the values of a stride or mask for which the lanes' elements are contiguous. False if there is
 * no profitable version. */
bool FunctionVectorizer::write_versions(LoopVectorizer &general, const ItemLoop &loop) {
  const auto stride = general.find_versioned_stride(loop_info_);
  if (!stride) return false;
  SmallVector<std::unique_ptr<LoopVectorizer>, 3> versions;
  for (unsigned i = 0; i < stride->versions(); i++) {
    const char *why;
    auto version = std::make_unique<LoopVectorizer>(loop, nullptr, functions_, target_, group_layout_);
    version->assume(*stride, i);
    version->forbid_nontemporal_stores();
    if (!version->plan(general.width(), why)) continue;
    if (version->cost() > (1 - min_version_saving) * general.cost()) continue;
    version->split_version(general);
    versions.push_back(std::move(version));
  }
  for (auto &version : versions) version->write();
  if (!versions.empty())
    out_ << (text_.empty() ? "" : "; ") << versions.size()
         << (versions.size() == 1 ? " loop version" : " loop versions") << " for contiguous accesses";
  return !versions.empty();
}

unsigned FunctionVectorizer::run(unsigned width) {
  bool was_undecided = function_.hasFnAttribute(VectorizeItemsPass::undecided);
  unsigned widest = 0;
  for (ItemLoop &loop : loops_) {
    const char *why;
    unsigned jammed_width = unroll_and_jam(loop, width);
    widest = std::max(widest, jammed_width);
    LoopVectorizer vectorizer(loop, nullptr, functions_, target_, group_layout_);
    if (jammed_width) {
      vectorizer.set_remainder();
    } else {
      vectorizer.find_mask(loop_info_);
    }
    if (loops_.size() > 1) {
      vectorizer.forbid_nontemporal_stores();
      vectorizer.prefetch_next_iteration();
    }
    if (was_undecided || (!jammed_width && !width && may_stay_undecided())) vectorizer.may_stay_undecided();
    if (!vectorizer.plan(width, why)) {
      /* Vectors may be profitable in the versions only; the general version then stays scalar. */
      if (vectorizer.is_unprofitable() && write_versions(vectorizer, loop))
        widest = std::max(widest, vectorizer.width());
      if (vectorizer.is_unprofitable()) modifies_scalar_ |= vectorizer.write_scalar();
      refuse(why);
      if (vectorizer.is_unprofitable()) report_scalar(vectorizer);
      if (vectorizer.interleave_count() > 1) widest = std::max(widest, vectorizer.interleave_count());
      continue;
    }
    if (vectorizer.is_undecided() && !was_undecided) {
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
  if (!can) lower_single_item_sub_groups(function_);
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
  FunctionVectorizer vectorizer(function, analyses.getResult<LoopAnalysis>(function), target, layout_);
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
  return widest || vectorizer.modifies_scalar() || sub_groups.isValid() ? PreservedAnalyses::none()
                                                                        : PreservedAnalyses::all();
}

}  // namespace quern
