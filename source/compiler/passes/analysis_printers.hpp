/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes that print what the analyses say to stderr, as LLVM's print<...> do. */
#ifndef COMPILER_PASSES_ANALYSIS_PRINTERS_HPP
#define COMPILER_PASSES_ANALYSIS_PRINTERS_HPP

#include <llvm/IR/PassManager.h>

#include "compiler/passes/registry.hpp"

namespace quern {

/** A pass that changes nothing; `Derived::print` writes. */
template <class Derived>
class PrinterPass : public llvm::PassInfoMixin<Derived> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    static_cast<Derived *>(this)->print(function, analyses);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/** Each divergent instruction, and the blocks that are executed divergently. */
class DivergencePrinterPass : public PrinterPass<DivergencePrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** How the values of each loop over work-items change from one to the next (ShapeAnalysis), and on which runtime checks
 * that relies. */
class ShapePrinterPass : public PrinterPass<ShapePrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** The blocks of each item loop's body in the order in which vectors run them (Linearization). */
class LinearizationPrinterPass : public PrinterPass<LinearizationPrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** The bound from which on the work-items of an item loop do nothing (ItemBound). */
class ItemBoundPrinterPass : public PrinterPass<ItemBoundPrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** The accesses of each item loop that become one (AccessGroups), on a target with masks. */
class AccessGroupsPrinterPass : public PrinterPass<AccessGroupsPrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** The most registers that are live at once in each block (RegisterPressure), where every value takes the registers of
 * its type on this machine. */
class RegisterPressurePrinterPass : public PrinterPass<RegisterPressurePrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** The loops that work-items may not run together, and whether a callee has one (needs_lane_progress). Constants and
 * parameters count as uniform. */
class ForwardProgressPrinterPass : public PrinterPass<ForwardProgressPrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/** Recurrences against resources in the inner loops of each item loop, for vectors of 32-bit lanes that fill a register
 * (RecurrenceLatency). */
class RecurrenceLatencyPrinterPass : public PrinterPass<RecurrenceLatencyPrinterPass> {
 public:
  explicit RecurrenceLatencyPrinterPass(PassContext &context) : context_(&context) {}
  void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) const;

 private:
  PassContext *context_;
};

/** How the private variables of an item loop lie in the memory of all lanes (PrivateMemory). */
class PrivateMemoryPrinterPass : public PrinterPass<PrivateMemoryPrinterPass> {
 public:
  static void print(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace quern

#endif
