/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vector variants of functions that are not inlined. */
#ifndef COMPILER_PASSES_VECTORIZE_FUNCTION_VARIANTS_HPP
#define COMPILER_PASSES_VECTORIZE_FUNCTION_VARIANTS_HPP

#include <string>
#include <vector>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/cost_model.hpp"
#include "compiler/passes/vectorize/transform/linearize.hpp"

namespace quern {

struct WidenInput;

/** The analyses of one function for given parameter shapes. A uniform argument is passed as a scalar and a strided one
 * as the scalar of lane 0; a varying one is passed as one vector for each component (compare llvm::VFInfo). */
struct FunctionPlan {
  llvm::Function *function;
  llvm::SmallVector<Shape, 8> shapes;
  std::unique_ptr<ItemBody> body;
  std::unique_ptr<PrivateMemory> memory;
  std::unique_ptr<ShapeAnalysis> analysis;
  std::unique_ptr<Linearization> linearization;
  /** The reason why the function has no vector variant, or null. */
  const char *why = nullptr;

  /** True when only the masked variant is generated; calls with all lanes active then pass an all-true mask. */
  bool always_has_mask(const VectorUnit &unit) const;
};

/** Plans and generates the vector variants of functions called by one kernel. The parameters of a variant are those of
 * FunctionPlan in order, then for a masked variant the mask of active lanes, of which there must be one. The result is
 * one vector, or a structure of one vector for each component. */
class FunctionVariants {
 public:
  /** The plan of the vector variant for `call` in the body that `analysis` describes, for `width` lanes. Null when the
   * call must be scalarized; `why` is then the reason. The plan is owned by this object. */
  const FunctionPlan *plan(const llvm::CallBase &call, const ShapeAnalysis &analysis, unsigned width, const char *&why);

  /** The cost of the function for one lane; see estimate_cost. Cached by plan and width, so that `unit` counts in the
   * first call only. */
  ItemCost cost(const FunctionPlan &plan, unsigned width, const VectorUnit &unit);

  /** The variant for `input.width` lanes, generated on first use and found by name in the module afterwards. Settings
   * that do not depend on the function are taken from the caller's `input`, target attributes from `caller`. */
  llvm::Function *variant(const FunctionPlan &plan, const WidenInput &input, llvm::Function &caller, bool has_mask);

  /** Records for the remarks that a call is scalarized. */
  void note_scalarized(const llvm::CallBase &call, const char *why);

  /** The remarks on vectorized and scalarized functions since the last call; clears them. */
  std::string take_remarks();

 private:
  FunctionPlan &find_plan(llvm::Function &function, llvm::ArrayRef<Shape> shapes);
  void make_plan(FunctionPlan &plan);

  /** Plans have stable addresses: they are keys of costs_. */
  std::vector<std::unique_ptr<FunctionPlan>> plans_;
  llvm::DenseMap<std::pair<const FunctionPlan *, unsigned>, ItemCost> costs_;
  llvm::SmallPtrSet<const llvm::Function *, 4> in_progress_;
  llvm::SmallSetVector<const llvm::Function *, 4> vectorized_;
  llvm::MapVector<const llvm::Function *, const char *> scalarized_;
};

}  // namespace quern

#endif
