/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Planning and generation of vector variants of functions. */
#include "compiler/passes/vectorize/function_variants.hpp"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/library/builtins.h"
#include "compiler/passes/vectorize/vectorize.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

/* Upper bound on the plans for one function, by parameter shapes. Further shapes share one with all parameters
 * varying. */
static constexpr size_t max_plans = 4;

/* Above this number of instructions a function has a masked variant only: a second, unmasked variant would cost more
 * compile time than the masks cost at run time. Functions of this size that are not inlined are for rare cases, such as
 * an image format unknown at compile time. */
static constexpr unsigned max_size_for_two_variants = 128;

/* A strided argument with no-wrap checks may wrap between lanes and is passed as varying. */
static Shape parameter_shape(const Value *value, const ShapeAnalysis &analysis) {
  Shape shape = analysis.shape(value);
  return shape.kind == Shape::strided && analysis.no_wrap_checks(value) ? Shape{Shape::varying, 0} : shape;
}

/* The reason why a call must be scalarized, judged by the call alone; null when there is none. */
static const char *why_scalarized(const CallBase &call) {
  const Function *function = call.getCalledFunction();
  if (!function || function->isDeclaration()) return "the callee is not defined in the program";
  if (function->hasFnAttribute(BUILTINS_OUTLINED_ATTRIBUTE)) return "the callee is outlined as rarely called";
  if (call.hasOperandBundles() || function->isVarArg() || !isa<CallInst>(call)) {
    return "the call has operand bundles, is variadic or is not a plain call";
  }
  return nullptr;
}

bool FunctionPlan::always_has_mask(const VectorUnit &unit) const {
  return unit.masks_words && function->getInstructionCount() > max_size_for_two_variants;
}

void FunctionVariants::make_plan(FunctionPlan &plan) {
  plan.body = ItemBody::of_function(*plan.function, plan.why);
  if (!plan.body) return;
  plan.memory = std::make_unique<PrivateMemory>(*plan.body);
  auto shapes = plan.memory->shapes();
  for (auto [index, shape] : enumerate(plan.shapes)) {
    if (shape.kind != Shape::uniform) shapes[plan.body->parameter(unsigned(index))] = shape;
  }
  plan.analysis = std::make_unique<ShapeAnalysis>(plan.body->function(), shapes, plan.memory->parameters());
  plan.analysis->forbid_runtime_checks();
  /* Spin loops reach this only in sub-group kernels: other kernels with spin loops are not vectorized. */
  plan.analysis->allow_spin_loops();
  if (!plan.analysis->run(plan.why)) return;
  plan.linearization = std::make_unique<Linearization>(*plan.analysis);
  plan.why = plan.linearization->run() ? nullptr : "the control flow cannot be linearized";
}

FunctionPlan &FunctionVariants::find_plan(Function &function, ArrayRef<Shape> shapes) {
  size_t count = 0;
  for (auto &plan : plans_) {
    if (plan->function != &function) continue;
    if (ArrayRef<Shape>(plan->shapes) == shapes) return *plan;
    count++;
  }
  if (count == max_plans) {
    SmallVector<Shape, 8> all(shapes.size(), Shape{Shape::varying, 0});
    if (shapes != ArrayRef<Shape>(all)) return find_plan(function, all);
  }
  plans_.push_back(std::make_unique<FunctionPlan>());
  FunctionPlan &plan = *plans_.back();
  plan.function = &function;
  plan.shapes.assign(shapes.begin(), shapes.end());
  make_plan(plan);
  return plan;
}

const FunctionPlan *FunctionVariants::plan(const CallBase &call, const ShapeAnalysis &analysis, unsigned width,
                                           const char *&why) {
  why = why_scalarized(call);
  if (why) return nullptr;
  why = "it is recursive";
  if (in_progress_.contains(call.getCalledFunction())) return nullptr;
  SmallVector<Shape, 8> shapes;
  for (const Value *argument : call.args()) shapes.push_back(parameter_shape(argument, analysis));
  const FunctionPlan &plan = find_plan(*call.getCalledFunction(), shapes);
  why = plan.why;
  if (why) return nullptr;
  why = "its private variables take too much memory";
  return plan.memory->size() * width > max_call_private_bytes ? nullptr : &plan;
}

ItemCost FunctionVariants::cost(const FunctionPlan &plan, unsigned width, const VectorUnit &unit) {
  auto known = costs_.find({&plan, width});
  if (known != costs_.end()) return known->second;
  in_progress_.insert(plan.function);
  ItemCost cost = estimate_cost(*plan.analysis, *plan.memory, nullptr, nullptr, *this, width, unit);
  in_progress_.erase(plan.function);
  costs_[{&plan, width}] = cost;
  return cost;
}

void FunctionVariants::note_scalarized(const CallBase &call, const char *why) {
  const Function *function = call.getCalledFunction();
  if (function && !function->isIntrinsic()) scalarized_.insert({function, why});
}

static FunctionType *variant_type(const FunctionPlan &plan, unsigned width, bool has_mask) {
  SmallVector<Type *, 16> parameters, results;
  for (auto [parameter, shape] : zip(plan.function->args(), plan.shapes)) {
    SmallVector<Type *, 4> components;
    append_component_types(parameter.getType(), components);
    if (shape.kind != Shape::varying) components = {parameter.getType()};
    for (Type *component : components) {
      parameters.push_back(shape.kind == Shape::varying ? FixedVectorType::get(component, width) : component);
    }
  }
  LLVMContext &context = plan.function->getContext();
  if (has_mask) parameters.push_back(FixedVectorType::get(Type::getInt1Ty(context), width));
  if (plan.function->getReturnType()->isVoidTy()) {
    return FunctionType::get(plan.function->getReturnType(), parameters, false);
  }
  append_component_types(plan.function->getReturnType(), results);
  for (Type *&type : results) type = FixedVectorType::get(type, width);
  Type *result = results.size() == 1 ? results[0] : StructType::get(context, results);
  return FunctionType::get(result, parameters, false);
}

/* Variants are shared by the kernels of a module, by name. f.16.uv4_m: 16 lanes, a uniform, a varying and a strided
 * parameter (stride 4), and a mask. Compare the Vector Function ABI. */
static std::string variant_name(const FunctionPlan &plan, unsigned width, bool has_mask) {
  std::string name = plan.function->getName().str() + "." + std::to_string(width) + ".";
  for (Shape shape : plan.shapes) {
    name += shape.kind == Shape::uniform   ? "u"
            : shape.kind == Shape::varying ? "v"
                                           : std::to_string(shape.stride) + "_";
  }
  return has_mask ? name + "m" : name;
}

static Function *declare_variant(const FunctionPlan &plan, StringRef name, unsigned width, Function &caller,
                                 bool has_mask) {
  const Function &scalar = *plan.function;
  Function *variant =
      Function::Create(variant_type(plan, width, has_mask), GlobalValue::InternalLinkage, name, caller.getParent());
  /* Attributes for the code generator: vector width, stack probes. */
  for (Attribute attribute : caller.getAttributes().getFnAttrs()) {
    if (attribute.isStringAttribute() && !attribute.getKindAsString().starts_with("quern-"))
      variant->addFnAttr(attribute);
  }
  variant->addFnAttr(VectorizeItemsPass::done, std::to_string(width));
  variant->setDoesNotThrow();
  if (scalar.hasFnAttribute(Attribute::Cold)) variant->addFnAttr(Attribute::Cold);
  if (scalar.willReturn()) variant->setWillReturn();
  /* Argument memory effects (argmemonly) are not copied: varying addresses become vectors. */
  if (scalar.doesNotAccessMemory()) {
    variant->setDoesNotAccessMemory();
  } else if (scalar.onlyReadsMemory()) {
    variant->setOnlyReadsMemory();
  }
  return variant;
}

Function *FunctionVariants::variant(const FunctionPlan &plan, const WidenInput &input, Function &caller,
                                    bool has_mask) {
  vectorized_.insert(plan.function);
  std::string name = variant_name(plan, input.width, has_mask);
  if (Function *existing = caller.getParent()->getFunction(name)) return existing;
  Function *variant = declare_variant(plan, name, input.width, caller, has_mask);
  BasicBlock *entry = BasicBlock::Create(variant->getContext(), "entry", variant);
  BasicBlock *end = BasicBlock::Create(variant->getContext(), "end", variant);
  WidenInput variant_input = input;
  variant_input.body = plan.body.get();
  variant_input.analysis = plan.analysis.get();
  variant_input.linearization = plan.linearization.get();
  variant_input.memory = plan.memory.get();
  variant_input.nontemporal_stores = nullptr;
  variant_input.groups = nullptr;
  variant_input.layout = nullptr;
  variant_input.is_lane_zero_active = !has_mask;
  Widener widener(variant_input, *variant);
  unsigned next_argument = 0;
  for (auto [index, shape] : enumerate(plan.shapes)) {
    Argument *parameter = plan.body->parameter(unsigned(index));
    if (shape.kind != Shape::varying) {
      widener.bind_scalar(parameter, variant->getArg(next_argument++));
      continue;
    }
    SmallVector<Type *, 4> types;
    append_component_types(parameter->getType(), types);
    Components components;
    for (size_t i = 0; i < types.size(); i++) components.push_back(variant->getArg(next_argument++));
    widener.bind_vectors(parameter, std::move(components));
  }
  in_progress_.insert(plan.function);
  widener.write(entry, end, nullptr, has_mask ? variant->getArg(next_argument) : nullptr);
  in_progress_.erase(plan.function);
  widener.write_return(end);
  return variant;
}

std::string FunctionVariants::take_remarks() {
  std::string text;
  for (const Function *function : vectorized_) text += ", function '" + source_name(*function).str() + "' vectorized";
  for (auto [function, why] : scalarized_) {
    text += ", function '" + source_name(*function).str() + "' scalarized: " + why;
  }
  vectorized_.clear();
  scalarized_.clear();
  return text;
}

}  // namespace quern
