/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Vector forms of the functions that stay calls. */
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

/** A function as it is called with parameters of certain shapes: what is uniform is passed as it is, what is strided as
 * that of lane 0, all else as a vector for each leaf. */
struct FunctionPlan {
  llvm::Function *function;
  llvm::SmallVector<Shape, 8> shapes;
  std::unique_ptr<ItemBody> body;
  std::unique_ptr<PrivateMemory> memory;
  std::unique_ptr<ShapeAnalysis> analysis;
  std::unique_ptr<Linearization> layout;
  /** Not null: why there is none. */
  const char *why = nullptr;

  /** Whether all calls have a mask, even one with all lanes on. */
  bool always_has_mask(const VectorUnit &unit) const;
};

/** The vector forms that the calls of one kernel want. A form has the leaves of all parameters in order, then perhaps a
 * mask of the lanes that are on, of which there must be one; it returns the leaves of its result. */
class FunctionVariants {
 public:
  /** How `call`, in a body that `analysis` is of, may be done for `width` lanes at once; null when it has to be done
   * for one after the other, `why` tells. */
  const FunctionPlan *plan(const llvm::CallBase &call, const ShapeAnalysis &analysis, unsigned width, const char *&why);

  /** What the function costs one lane; see estimate_cost. The unit is that of the first time. */
  ItemCost cost(const FunctionPlan &plan, unsigned width, const VectorUnit &unit);

  /** The form for `input.width` lanes, written when it is first asked for. What does not depend on the function is as
   * in `input`, which is of a caller with the attributes of `caller`. */
  llvm::Function *variant(const FunctionPlan &plan, const WidenInput &input, llvm::Function &caller, bool has_mask);

  /** Notes that a call is made lane by lane. */
  void note_scalarized(const llvm::CallBase &call, const char *why);

  /** Which functions were called how since this was last asked for. */
  std::string take_remarks();

 private:
  FunctionPlan &find_plan(llvm::Function &function, llvm::ArrayRef<Shape> shapes);
  void make_plan(FunctionPlan &plan);

  /** Plans stay where they are. */
  std::vector<std::unique_ptr<FunctionPlan>> plans_;
  llvm::DenseMap<std::pair<const FunctionPlan *, unsigned>, ItemCost> costs_;
  llvm::SmallPtrSet<const llvm::Function *, 4> under_way_;
  llvm::SmallSetVector<const llvm::Function *, 4> vectorized_;
  llvm::MapVector<const llvm::Function *, const char *> scalarized_;
};

}  // namespace quern

#endif
