/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Outlines the body of an item loop and runs the analyses in their order. */
#include "compiler/passes/vectorize/loop_analyses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/passes/address_spaces.hpp"
#include "compiler/passes/block_count.hpp"
#include "compiler/passes/private_volatile.hpp"
#include "compiler/passes/vectorize/analysis/forward_progress.hpp"
#include "compiler/passes/vectorize/cost_model.hpp"
#include "compiler/passes/vectorize/vectorize.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* Folds the test of the item bound in the body, which runs only for work-items before it. */
void LoopAnalyses::drop_bound_test() {
  if (!bound) return;
  auto *branch = cast<BranchInst>(body->copy_of(bound->branch->getParent())->getTerminator());
  LLVMContext &context = branch->getContext();
  Value *condition = ConstantInt::getBool(context, bound->body_successor == 0);
  if (bound->invariant_condition) {
    condition = branch->getCondition();
    auto *conjunction = cast<Instruction>(condition);
    auto *original = cast<Instruction>(bound->branch->getCondition());
    unsigned invariant_operand = original->getOperand(0) == bound->invariant_condition ? 0 : 1;
    condition = conjunction->getOperand(invariant_operand);
  }
  branch->setCondition(condition);
  ConstantFoldTerminator(branch->getParent());
  drop_redundant_masks();
}

/* Behind a test that the local id is below 128, InstCombine has made `id & 127` of `(uint)id`. In the loop that ends
 * there this is the counter: contiguous, without a check at the access. */
void LoopAnalyses::drop_redundant_masks() {
  const APInt *end, *mask;
  const bool is_counter = bound->operations.empty() ||
                          (bound->operations.size() == 1 && isa<TruncInst>(bound->operations.front().instruction));
  if (!is_counter || !match(bound->bound, m_APInt(end)) || end->isNegative()) return;
  Argument *counter = body->counter();
  for (User *user : make_early_inc_range(counter->users())) {
    if (!match(user, m_And(m_Specific(counter), m_APInt(mask))) || !mask->isMask()) continue;
    if (end->getZExtValue() - 1 <= mask->getZExtValue()) user->replaceAllUsesWith(counter);
  }
}

/* InstCombine makes `(x >> 1) & ~7` of `(x >> 4) << 3`. With the mask before the shift it is the start of an aligned
 * block of work-items. */
static void mask_before_shifting(Function &body) {
  Value *index;
  const APInt *shift, *mask;
  for (Instruction &instruction : make_early_inc_range(instructions(body))) {
    if (!match(&instruction, m_And(m_LShr(m_Value(index), m_APInt(shift)), m_APInt(mask)))) continue;
    if (index->getType()->isVectorTy() || !mask->countr_zero() || shift->uge(shift->getBitWidth())) continue;
    IRBuilder<> builder(&instruction);
    Value *block = builder.CreateAnd(index, ConstantInt::get(index->getType(), mask->shl(*shift)));
    Value *shifted = builder.CreateLShr(block, ConstantInt::get(index->getType(), *shift));
    if (auto *made = dyn_cast<Instruction>(shifted)) made->copyMetadata(instruction); /* live_out_mark, too */
    shifted->takeName(&instruction);
    instruction.replaceAllUsesWith(shifted);
    instruction.eraseFromParent();
  }
}

bool LoopAnalyses::extract(const PlanRequest &request, const char *&why) {
  shapes.reset();
  body = ItemBody::extract(loop, y_loop, why);
  if (!body) return false;
  drop_bound_test();
  mask_before_shifting(body->function());
  ConstantInt *known = request.version ? request.versioned_stride->constant(*request.version) : nullptr;
  if (known) assume_value(*body, request.versioned_stride->value, known);
  if (y_loop) unroll_and_jam(body->function(), body->jammed_copies());
  if (!shared_bounds_.empty()) version_counted_loops();
  return true;
}

/* Versions the loops that version_for_uniform_bounds has chosen in another copy of the body. */
void LoopAnalyses::version_counted_loops() {
  SmallVector<std::pair<CountedLoop, SharedBounds>, 2> chosen;
  for (const auto &[counted, shared] : zip_equal(find_counted_loops(body->function()), shared_bounds_)) {
    if (shared != SharedBounds::none) chosen.emplace_back(counted, shared);
  }
  has_uniform_versions = version_uniform_loops(body->function(), chosen);
}

/* Versions loops with bounds that lanes mostly share (version_uniform_loops). As by unroll_divergent_loads, the body is
 * extracted again for it. */
bool LoopAnalyses::version_for_uniform_bounds(ArrayRef<CountedLoop> counted, const PlanRequest &request,
                                              FunctionVariants &functions, const VectorTarget &target,
                                              const char *&why) {
  SmallVector<SharedBounds, 4> shared;
  for (const CountedLoop &one : counted) shared.push_back(find_clamped_bounds(one, *shapes));
  if (all_of(shared, [](SharedBounds bounds) { return bounds == SharedBounds::none; })) return true;
  keep_scalar_cost(functions, target);
  shared_bounds_ = std::move(shared);
  if (!extract(request, why)) return false;
  find_streams(target);
  return find_shapes(request, why);
}

/* Notes what the loop costs that is not transformed, as the scalar loop is not. */
void LoopAnalyses::keep_scalar_cost(FunctionVariants &functions, const VectorTarget &target) {
  if (scalar_cost) return;
  const unsigned width = choose_width(*body, *shapes, *memory, target.costs);
  const VectorUnit unit = vector_unit(target, body->function().getContext(), width);
  scalar_cost = estimate_cost(*shapes, *memory, nullptr, nullptr, functions, width, unit).scalar;
}

bool LoopAnalyses::find_shapes(const PlanRequest &request, const char *&why) {
  memory = std::make_unique<PrivateMemory>(*body);
  auto parameter_shapes = memory->shapes();
  parameter_shapes[body->counter()] = {Shape::strided, 1};
  shapes = std::make_unique<ShapeAnalysis>(body->function(), parameter_shapes, memory->parameters());
  for (const Argument &parameter : body->function().args()) {
    const Value *outside = body->outside(&parameter);
    if (!outside || !outside->getType()->isIntegerTy()) continue;
    const DataLayout &layout = loop.header->getDataLayout();
    shapes->set_trailing_zeros(&parameter, computeKnownBits(outside, layout).countMinTrailingZeros());
  }
  if (request.is_sub_group) {
    shapes->forbid_runtime_checks();
    shapes->allow_spin_loops();
  }
  if (loop.header->getParent()->hasFnAttribute(VectorizeItemsPass::general_images)) shapes->forbid_clamps();
  if (request.versioned_stride && request.versioned_stride->kind == VersionedStride::mask) {
    if (request.version) {
      shapes->assume_single_block(masked_indices(*body, request.versioned_stride->value));
    } else {
      shapes->forbid_runtime_masks();
    }
  }
  return shapes->run(why);
}

/* How many bytes of a stream one iteration loads, where it is unrolled. */
unsigned LoopAnalyses::stream_bytes(const VectorTarget &target) const {
  return vector_unit(target, loop.header->getContext(), register_bits(target.costs) / 32).wide_load_bytes();
}

/* The analysis deletes unreachable code, which may contain load streams. */
void LoopAnalyses::find_streams(const VectorTarget &target) {
  const SmallVector<LoadInst *, 4> found = find_load_streams(body->function(), stream_bytes(target));
  streams_.assign(found.begin(), found.end());
}

/* True when LLVM may know the size of the object at an address: a global variable, or an unknown base. A load beyond
 * its end would be undefined to LLVM, even if it stays in the page. */
bool LoopAnalyses::may_have_known_size(const Value &address) const {
  auto *parameter = dyn_cast<Argument>(getUnderlyingObject(&address));
  const Value *outside = parameter ? body->outside(parameter) : nullptr;
  if (!outside) return true;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(outside, objects);
  return any_of(objects, [](const Value *object) { return isa<GlobalVariable>(object); });
}

/* True when a pointer from outside the body is one that the program made. A getelementptr without "inbounds" may come
 * from LLVM, which has reassociated the parts of several addresses. */
bool LoopAnalyses::points_into_array(const Value &pointer) const {
  auto *parameter = dyn_cast<Argument>(&pointer);
  const Value *outside = parameter ? body->outside(parameter) : nullptr;
  return outside && isa<Argument, LoadInst, GlobalVariable>(outside->stripInBoundsOffsets());
}

bool LoopAnalyses::loads_divergently(const LoadInst &stream) const {
  auto *object = dyn_cast<Argument>(getUnderlyingObject(stream.getPointerOperand()));
  const bool is_private = object && body->variable(object);
  return !is_private && shapes->shape(stream.getPointerOperand()).kind == Shape::varying;
}

/* Unrolls the inner loops around divergent ones of the load streams (unroll_wide_loads). The analysis has transformed
 * the body when it tells which are divergent, so that the body is extracted again. Private variables stay as they are,
 * since their interleaving depends on the size of the accesses. */
bool LoopAnalyses::unroll_divergent_loads(const PlanRequest &request, FunctionVariants &functions,
                                          const VectorTarget &target, const char *&why) {
  SmallVector<bool, 4> is_divergent;
  for (Value *stream : streams_) is_divergent.push_back(stream && loads_divergently(*cast<LoadInst>(stream)));
  if (!is_contained(is_divergent, true)) return true;
  keep_scalar_cost(functions, target);
  if (!extract(request, why)) return false;
  const unsigned bytes = stream_bytes(target);
  SmallVector<LoadInst *, 4> chosen;
  for (auto [stream, divergent] : zip_equal(find_load_streams(body->function(), bytes), is_divergent)) {
    if (divergent) chosen.push_back(stream);
  }
  WideLoadOptions options;
  options.may_over_read =
      none_of(chosen, [&](const LoadInst *stream) { return may_have_known_size(*stream->getPointerOperand()); });
  options.bytes = bytes;
  unrolled = unroll_wide_loads(body->function(), chosen, options,
                               [&](const Value &pointer) { return points_into_array(pointer); });
  return find_shapes(request, why);
}

/* Also through a pointer to the generic address space. */
static bool is_local(const Value &pointer) {
  return getUnderlyingObject(&pointer)->getType()->getPointerAddressSpace() == local_space;
}

/* Other work-items see what is written to local memory at the next barrier, and not before, volatile or not (OpenCL C
 * section 6.15.8). No lane waits for another one here, or the loop was refused. Lanes would do volatile accesses one by
 * one. Atomics stay: others see their order. */
static void make_local_accesses_plain(Function &body) {
  for (Instruction &instruction : instructions(body)) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || !instruction.isVolatile() || instruction.isAtomic() || !is_local(*pointer)) continue;
    drop_volatile(instruction);
  }
}

/* The most blocks of a body, with those that its switches are lowered to. The time of the analyses grows as the square
 * of their number, and code with so many branches gains little from vectors. */
static constexpr size_t most_blocks = 1024;

bool LoopAnalyses::run(const PlanRequest &request, FunctionVariants &functions, const VectorTarget &target,
                       const char *&why) {
  why = "it has too many blocks";
  if (!request.is_sub_group && count_blocks(*loop.loop) > most_blocks) return false;
  if (!request.is_sub_group && request.options.item_bound) bound = ItemBound::find(loop);
  if (!extract(request, why)) return false;
  why = "a called function may spin until another work-item makes progress";
  if (!request.is_sub_group && calls_spin_loop(body->function())) return false;
  find_streams(target);
  SmallVector<CountedLoop, 4> counted;
  if (!request.is_sub_group && request.options.uniform_bounds) counted = find_counted_loops(body->function());
  if (!find_shapes(request, why)) return false;
  if (!version_for_uniform_bounds(counted, request, functions, target, why)) return false;
  if (request.options.wide_loads && !unroll_divergent_loads(request, functions, target, why)) return false;
  linearization = std::make_unique<Linearization>(*shapes);
  why = "the control flow cannot be linearized";
  if (!linearization->run()) return false;
  if (!request.is_sub_group) make_local_accesses_plain(body->function());
  return true;
}

}  // namespace quern
