/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Printers of analyses: for each item loop, the body is outlined and analysed as the planner does it. */
#include "compiler/passes/analysis_printers.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/passes/adapters.hpp"
#include "compiler/passes/target_costs.hpp"
#include "compiler/passes/vectorize/analysis/access_groups.hpp"
#include "compiler/passes/vectorize/analysis/forward_progress.hpp"
#include "compiler/passes/vectorize/analysis/item_bound.hpp"
#include "compiler/passes/vectorize/analysis/private_memory.hpp"
#include "compiler/passes/vectorize/analysis/recurrence_latency.hpp"
#include "compiler/passes/vectorize/analysis/register_pressure.hpp"
#include "compiler/passes/vectorize/analysis/shape_analysis.hpp"
#include "compiler/passes/vectorize/analysis/vector_layout.hpp"
#include "compiler/passes/vectorize/item_loop.hpp"
#include "compiler/passes/vectorize/transform/linearize.hpp"

using namespace llvm;

namespace quern {

static void for_each_item_loop(Function &function, FunctionAnalysisManager &analyses,
                               function_ref<void(const ItemLoop &)> print) {
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    const char *why;
    if (auto item_loop = ItemLoop::match(*loop, why)) print(*item_loop);
  }
}

/* For the body of each item loop, with its shapes; says why where there are none. */
static void for_each_body(Function &function, FunctionAnalysisManager &analyses,
                          function_ref<void(const PrivateMemory &, const ShapeAnalysis &)> print) {
  for_each_item_loop(function, analyses, [&](const ItemLoop &loop) {
    const char *why = "";
    const auto body = ItemBody::extract(loop, nullptr, why);
    if (body) {
      const PrivateMemory memory(*body);
      auto parameter_shapes = memory.shapes();
      parameter_shapes[body->counter()] = {Shape::strided, 1};
      ShapeAnalysis shapes(body->function(), parameter_shapes, memory.parameters());
      if (shapes.run(why)) return print(memory, shapes);
    }
    errs() << "refused: " << why << "\n";
  });
}

void print_divergence(Function &function, FunctionAnalysisManager &analyses) {
  const Divergence &divergence = analyses.getResult<DivergenceAnalysis>(function);
  errs() << "Divergence of '" << function.getName() << "':\n";
  for (const BasicBlock &block : function) {
    errs() << "block " << block.getName() << (divergence.is_executed_uniformly(&block) ? "\n" : " (divergent)\n");
    for (const Instruction &instruction : block) {
      if (divergence.is_divergent(&instruction)) errs() << "DIVERGENT: " << instruction << "\n";
    }
  }
}

static void print_body_shapes(const PrivateMemory &, const ShapeAnalysis &analysis) {
  for (const BasicBlock *block : analysis.order()) {
    for (const Instruction &instruction : *block) {
      if (instruction.getType()->isVoidTy()) continue;
      Shape shape = analysis.shape(&instruction);
      if (shape.kind == Shape::uniform) errs() << "UNIFORM: ";
      if (shape.kind == Shape::strided) errs() << "STRIDED " << shape.stride << ": ";
      if (shape.kind == Shape::varying) errs() << "VARYING: ";
      errs() << instruction << "\n";
    }
  }
  for (const RuntimeCheck &check : analysis.runtime_checks()) {
    errs() << "CHECK that it grows by " << check.stride << (check.is_signed ? ", signed: " : ", unsigned: ")
           << *check.value << "\n";
  }
}

void print_shapes(Function &function, FunctionAnalysisManager &analyses) {
  errs() << "Shapes of '" << function.getName() << "':\n";
  for_each_body(function, analyses, print_body_shapes);
}

static void print_routes(const PrivateMemory &, const ShapeAnalysis &analysis) {
  Linearization linearization(analysis);
  if (!linearization.run()) {
    errs() << "refused: the control flow cannot be linearized\n";
    return;
  }
  for (const BasicBlock *block : analysis.order()) {
    const BlockRoute &route = linearization.route(block);
    errs() << block->getName() << ":";
    for (const BasicBlock *next : route.next) errs() << " -> " << next->getName();
    if (route.next.empty()) errs() << " end";
    for (const BasicBlock *deferred : route.deferred) errs() << ", deferred " << deferred->getName();
    if (route.skip_to) errs() << ", with no active lane -> " << route.skip_to->getName();
    if (analysis.block(block).root == block) errs() << ", own mask";
    errs() << "\n";
  }
}

void print_linearization(Function &function, FunctionAnalysisManager &analyses) {
  errs() << "Linearization of '" << function.getName() << "':\n";
  for_each_body(function, analyses, print_routes);
}

static void print_bound(const ItemLoop &loop) {
  const auto bound = ItemBound::find(loop);
  if (!bound) {
    errs() << "no bound\n";
    return;
  }
  errs() << "bound " << (bound->is_signed ? "(signed) " : "(unsigned) ");
  bound->bound->printAsOperand(errs());
  errs() << ", stride " << bound->stride << ", body on " << (bound->body_successor == 0 ? "true" : "false");
  for (const ItemBound::Operation &operation : bound->operations) errs() << ", by" << *operation.instruction;
  if (bound->invariant_condition) errs() << ", if" << *bound->invariant_condition;
  errs() << "\n";
}

void print_item_bound(Function &function, FunctionAnalysisManager &analyses) {
  errs() << "Item bound of '" << function.getName() << "':\n";
  for_each_item_loop(function, analyses, print_bound);
}

static void print_group(const AccessGroup &group) {
  errs() << (group.is_per_lane ? "per-lane" : "interleaved") << " group, step " << group.step
         << (group.has_all_slots() ? "" : ", gaps") << (group.is_own ? ", own memory" : "")
         << (group.gaps ? ", gaps loaded before" : "") << ", made at" << *group.place() << "\n";
  for (const AccessGroup::Member &member : group.members) {
    errs() << "  element" << (member.count > 1 ? "s " : " ") << member.slot;
    if (member.count > 1) errs() << " to " << member.slot + member.count - 1;
    errs() << ":" << *member.access << "\n";
  }
}

static void print_groups(const PrivateMemory &memory, const ShapeAnalysis &analysis) {
  const AccessGroups groups(analysis, memory, /*has_masks=*/true);
  if (groups.empty()) errs() << "no groups\n";
  for (const BasicBlock *block : analysis.order()) {
    for (const Instruction &instruction : *block) {
      const AccessGroup *group = groups.find(&instruction);
      if (group && group->members.front().access == &instruction) print_group(*group);
    }
  }
}

void print_access_groups(Function &function, FunctionAnalysisManager &analyses) {
  errs() << "Access groups of '" << function.getName() << "':\n";
  for_each_body(function, analyses, print_groups);
}

static void print_layout(const PrivateMemory &memory, const ShapeAnalysis &analysis) {
  VectorUnit unit = {};
  unit.register_bits = 128;
  const AccessGroups groups(analysis, memory, /*has_masks=*/true);
  const VectorLayout layout(analysis, memory, &groups, /*width=*/4, unit);
  for (const BasicBlock *block : analysis.order()) {
    for (const Instruction &instruction : *block) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      const Type *type = store ? store->getValueOperand()->getType() : instruction.getType();
      if (!type->isVectorTy() && !layout.is_aos(&instruction)) continue;
      errs() << (layout.is_aos(&instruction)           ? "AOS:"
                 : layout.is_used_as_aos(&instruction) ? "BOTH:"
                                                       : "SOA:")
             << instruction << "\n";
    }
  }
}

void print_vector_layout(Function &function, FunctionAnalysisManager &analyses) {
  errs() << "Vector layout of '" << function.getName() << "':\n";
  for_each_body(function, analyses, print_layout);
}

void print_register_pressure(Function &function, FunctionAnalysisManager &analyses) {
  const TargetTransformInfo &target = analyses.getResult<TargetIRAnalysis>(function);
  const unsigned bits = register_bits(target);
  SmallVector<BasicBlock *, 16> blocks;
  for (BasicBlock &block : function) blocks.push_back(&block);
  const RegisterPressure pressure(blocks, [bits](const Instruction &instruction) {
    if (instruction.getType()->isVoidTy()) return 0U;
    const uint64_t size = instruction.getType()->getPrimitiveSizeInBits().getFixedValue();
    return std::max(1U, unsigned(divideCeil(size, bits)));
  });
  const unsigned available = target.getNumberOfRegisters(target.getRegisterClassForType(/*Vector=*/true));
  errs() << "Register pressure of '" << function.getName() << "', " << available << " vector registers:\n";
  for (const BasicBlock *block : blocks) {
    errs() << block->getName() << ": " << pressure.most_live(block) << " live, "
           << unsigned(100 * pressure.spilled_share(block, available)) << " % of operands spilled\n";
  }
}

void print_forward_progress(Function &function, FunctionAnalysisManager &analyses) {
  errs() << "Forward progress of '" << function.getName() << "':\n";
  auto is_uniform = [](const Value &value) { return isa<Constant, Argument>(value); };
  for (const Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    errs() << "loop " << loop->getHeader()->getName()
           << (needs_lane_progress(*loop, is_uniform) ? ": may spin until another work-item makes progress\n"
                                                      : ": progresses\n");
  }
  if (calls_spin_loop(function)) errs() << "a callee may spin\n";
}

PreservedAnalyses RecurrenceLatencyPrinterPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const TargetTransformInfo &costs = analyses.getResult<TargetIRAnalysis>(function);
  const VectorTarget target = {costs, complete_target_costs(context_->work.target.costs, costs, function.getContext())};
  errs() << "Recurrence latency of '" << function.getName() << "':\n";
  for_each_body(function, analyses, [&](const PrivateMemory &, const ShapeAnalysis &analysis) {
    print_recurrence_latency(analysis, register_bits(costs) / 32, target, errs());
  });
  return PreservedAnalyses::all();
}

static void print_variables(const ItemLoop &loop) {
  const char *why;
  const auto body = ItemBody::extract(loop, nullptr, why);
  if (!body) {
    errs() << "refused: " << why << "\n";
    return;
  }
  const PrivateMemory memory(*body);
  for (const Argument &parameter : body->function().args()) {
    auto found = memory.variables().find(&parameter);
    if (found == memory.variables().end()) continue;
    const PrivateVariable &variable = found->second;
    errs() << *variable.alloca << ": " << variable.size << " bytes, ";
    if (variable.element)
      errs() << "elements of " << variable.element << " bytes interleaved\n";
    else
      errs() << "one lane after the other\n";
  }
  errs() << "all variables of one lane: " << memory.size() << " bytes\n";
}

void print_private_memory(Function &function, FunctionAnalysisManager &analyses) {
  errs() << "Private memory of '" << function.getName() << "':\n";
  for_each_item_loop(function, analyses, print_variables);
}

}  // namespace quern
