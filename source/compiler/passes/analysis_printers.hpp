/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Passes that print what the analyses say to stderr, as LLVM's print<...> do. */
#ifndef COMPILER_PASSES_ANALYSIS_PRINTERS_HPP
#define COMPILER_PASSES_ANALYSIS_PRINTERS_HPP

#include <llvm/IR/PassManager.h>

#include "compiler/passes/registry.hpp"

namespace quern {

/** A pass that changes nothing: `print` writes. */
template <void (*print)(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)>
class PrinterPass : public llvm::PassInfoMixin<PrinterPass<print>> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    print(function, analyses);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/** Each divergent instruction, and the blocks that are executed divergently. */
void print_divergence(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using DivergencePrinterPass = PrinterPass<print_divergence>;

/** How the values of each loop over work-items change from one to the next (ShapeAnalysis), and on which runtime checks
 * that relies. */
void print_shapes(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using ShapePrinterPass = PrinterPass<print_shapes>;

/** The blocks of each item loop's body in the order in which vectors run them (Linearization). */
void print_linearization(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using LinearizationPrinterPass = PrinterPass<print_linearization>;

/** The bound from which on the work-items of an item loop do nothing (ItemBound). */
void print_item_bound(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using ItemBoundPrinterPass = PrinterPass<print_item_bound>;

/** The accesses of each item loop that become one (AccessGroups), on a target with masks. */
void print_access_groups(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using AccessGroupsPrinterPass = PrinterPass<print_access_groups>;

/** The layout of the explicit vectors of each item loop (VectorLayout), for 128-bit registers of 32-bit lanes. */
void print_vector_layout(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using VectorLayoutPrinterPass = PrinterPass<print_vector_layout>;

/** The most registers that are live at once in each block (RegisterPressure), where every value takes the registers of
 * its type on this machine. */
void print_register_pressure(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using RegisterPressurePrinterPass = PrinterPass<print_register_pressure>;

/** The loops that work-items may not run together, and whether a callee has one (needs_lane_progress). Constants and
 * parameters count as uniform. */
void print_forward_progress(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using ForwardProgressPrinterPass = PrinterPass<print_forward_progress>;

/** How the private variables of an item loop lie in the memory of all lanes (PrivateMemory). */
void print_private_memory(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
using PrivateMemoryPrinterPass = PrinterPass<print_private_memory>;

/** Recurrences against resources in the inner loops of each item loop, for vectors of 32-bit lanes that fill a register
 * (RecurrenceLatency). */
class RecurrenceLatencyPrinterPass : public llvm::PassInfoMixin<RecurrenceLatencyPrinterPass> {
 public:
  explicit RecurrenceLatencyPrinterPass(PassContext &context) : context_(&context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }

 private:
  PassContext *context_;
};

}  // namespace quern

#endif
