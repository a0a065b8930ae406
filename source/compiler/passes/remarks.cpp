/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Collects remarks by a diagnostic handler, and writes them as YAML by LLVM's streamer. */
#include "compiler/passes/remarks.hpp"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMRemarkStreamer.h>

#include "base/log.h"
#include "compiler/passes/vectorize/decision_report.hpp"

using namespace llvm;

namespace quern {

/* Passes on what is not the vectorizer's. */
class RemarkCollector::Handler : public DiagnosticHandler {
 public:
  explicit Handler(RemarkCollector &collector) : collector_(collector) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
    if (!remark || remark->getPassName() != vectorizer_name) return collector_.previous_->handleDiagnostics(info);
    if (isa<OptimizationRemarkAnalysis>(remark)) return true;
    std::string location = remark->isLocationAvailable() ? remark->getLocationStr() : "";
    collector_.remarks_.push_back({remark->getFunction().getName().str(), remark->getMsg(), std::move(location)});
    return true;
  }

 private:
  RemarkCollector &collector_;
};

RemarkCollector::RemarkCollector(LLVMContext &context, text_t *yaml)
    : context_(context), yaml_(yaml), yaml_stream_(yaml_text_), previous_(context.getDiagnosticHandler()) {
  context_.setDiagnosticHandler(std::make_unique<Handler>(*this));
  if (!yaml_) return;
  Error problem =
      setupLLVMOptimizationRemarks(context_, yaml_stream_, vectorizer_name, "yaml", /*RemarksWithHotness=*/false);
  if (!problem) return;
  log_warning("remarks: %s", toString(std::move(problem)).c_str());
  yaml_ = nullptr;
}

RemarkCollector::~RemarkCollector() {
  if (yaml_) {
    finalizeLLVMOptimizationRemarks(context_);
    text_append_bytes(yaml_, yaml_text_.data(), yaml_text_.size());
  }
  context_.setDiagnosticHandler(std::move(previous_));
}

SmallVector<Remark, 4> RemarkCollector::of_function(StringRef function) const {
  SmallVector<Remark, 4> found;
  for (const Remark &remark : remarks_) {
    if (remark.function == function) found.push_back(remark);
  }
  return found;
}

}  // namespace quern
