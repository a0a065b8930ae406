/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Which calls have vector forms, and writing these. */
#include "compiler/passes/vectorize/function_variants.hpp"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/library/builtins.h"
#include "compiler/passes/vectorize/vectorize.hpp"
#include "compiler/passes/vectorize/widen/widener.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;

namespace quern {

/* Ways in which one function is called, as to its parameters' shapes, before all parameters are vectors. */
static constexpr size_t most_plans = 4;

/* Most bytes of private variables of all lanes in one function. */
static constexpr uint64_t largest_variables = 64 * 1024;

/* Instructions from which on another form of a function, without a mask, takes longer to compile than masks do to run:
 * what is as long and could not be inlined is for the rarer cases, as an image's format that is not known. */
static constexpr unsigned most_variants = 128;

/* Strides that may break are computed for each lane. */
static Shape parameter_shape(const Value *value, const ShapeAnalysis &analysis) {
  Shape shape = analysis.shape(value);
  return shape.kind == Shape::strided && analysis.no_wrap_checks(value) ? Shape{Shape::varying, 0} : shape;
}

/* Null when calls of `function` may have a form. */
static const char *why_scalarized(const CallBase &call) {
  const Function *function = call.getCalledFunction();
  if (!function || function->isDeclaration()) return "it is no function of the program";
  if (function->hasFnAttribute(BUILTINS_OUTLINED_ATTRIBUTE)) return "it is seldom called";
  if (call.hasOperandBundles() || function->isVarArg() || !isa<CallInst>(call)) return "of the way it is called";
  return nullptr;
}

bool FunctionPlan::always_has_mask(const VectorUnit &unit) const {
  return unit.masks_words && function->getInstructionCount() > most_variants;
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
  /* Only of sub-groups, or the kernel would not have vectors. */
  plan.analysis->allow_spin_loops();
  if (!plan.analysis->run(plan.why)) return;
  plan.layout = std::make_unique<Linearization>(*plan.analysis);
  plan.why = plan.layout->run() ? nullptr : "the control flow is too tangled";
}

FunctionPlan &FunctionVariants::find_plan(Function &function, ArrayRef<Shape> shapes) {
  size_t count = 0;
  for (auto &plan : plans_) {
    if (plan->function != &function) continue;
    if (ArrayRef<Shape>(plan->shapes) == shapes) return *plan;
    count++;
  }
  if (count == most_plans) {
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
  if (under_way_.contains(call.getCalledFunction())) return nullptr;
  SmallVector<Shape, 8> shapes;
  for (const Value *argument : call.args()) shapes.push_back(parameter_shape(argument, analysis));
  const FunctionPlan &plan = find_plan(*call.getCalledFunction(), shapes);
  why = plan.why;
  if (why) return nullptr;
  why = "its private variables take too much memory";
  return plan.memory->size() * width > largest_variables ? nullptr : &plan;
}

ItemCost FunctionVariants::cost(const FunctionPlan &plan, unsigned width, const VectorUnit &unit) {
  auto known = costs_.find({&plan, width});
  if (known != costs_.end()) return known->second;
  under_way_.insert(plan.function);
  ItemCost cost = estimate_cost(*plan.analysis, *plan.memory, nullptr, *this, width, unit);
  under_way_.erase(plan.function);
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

/* Forms are shared by the kernels of a module. f.16.uv4m: 16 lanes, one parameter uniform, one varying, one with a
 * stride of 4, a mask. */
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
  /* What the code generator is to know: width of vectors, probes of the stack. */
  for (Attribute attribute : caller.getAttributes().getFnAttrs()) {
    if (attribute.isStringAttribute() && !attribute.getKindAsString().starts_with("quern-"))
      variant->addFnAttr(attribute);
  }
  variant->addFnAttr(VectorizeItemsPass::done, std::to_string(width));
  variant->setDoesNotThrow();
  if (scalar.willReturn()) variant->setWillReturn();
  /* Not what it says of its arguments' memory: addresses of several lanes are vectors. */
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
  if (Function *known = caller.getParent()->getFunction(name)) return known;
  Function *variant = declare_variant(plan, name, input.width, caller, has_mask);
  BasicBlock *entry = BasicBlock::Create(variant->getContext(), "entry", variant);
  BasicBlock *end = BasicBlock::Create(variant->getContext(), "end", variant);
  WidenInput own = input;
  own.body = plan.body.get();
  own.analysis = plan.analysis.get();
  own.layout = plan.layout.get();
  own.memory = plan.memory.get();
  own.nontemporal_stores = nullptr;
  own.groups = nullptr;
  own.first_runs = !has_mask;
  Widener widener(own, *variant);
  unsigned next = 0;
  for (auto [index, shape] : enumerate(plan.shapes)) {
    Argument *parameter = plan.body->parameter(unsigned(index));
    if (shape.kind != Shape::varying) {
      widener.give_scalar(parameter, variant->getArg(next++));
      continue;
    }
    SmallVector<Type *, 4> types;
    append_component_types(parameter->getType(), types);
    Components components;
    for (size_t i = 0; i < types.size(); i++) components.push_back(variant->getArg(next++));
    widener.give_lanes(parameter, std::move(components));
  }
  under_way_.insert(plan.function);
  widener.write(entry, end, nullptr, has_mask ? variant->getArg(next) : nullptr);
  under_way_.erase(plan.function);
  widener.return_lanes(end);
  return variant;
}

std::string FunctionVariants::take_remarks() {
  std::string text;
  for (const Function *function : vectorized_) text += ", function '" + source_name(*function).str() + "' too";
  for (auto [function, why] : scalarized_) {
    text += ", function '" + source_name(*function).str() + "' lane by lane: " + why;
  }
  vectorized_.clear();
  scalarized_.clear();
  return text;
}

}  // namespace quern
