/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Recognition of item loops, and outlining of their bodies. */
#include "compiler/passes/vectorize/item_loop.hpp"

#include <cassert>

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/passes/vectorize/transform/unroll_and_jam.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

static const char item_loop_mark[] = "quern.item-loop", border_loop_mark[] = "quern.border-loop",
                  unswitched_loop_mark[] = "quern.unswitched-loop", y_loop_mark[] = "quern.y-loop";

static void mark_loop(Instruction *latch_branch, StringRef mark) {
  LLVMContext &context = latch_branch->getContext();
  SmallVector<Metadata *, 4> operands = {nullptr};
  if (MDNode *old = latch_branch->getMetadata(LLVMContext::MD_loop)) {
    operands.append(std::next(old->op_begin()), old->op_end());
  }
  operands.push_back(MDNode::get(context, MDString::get(context, mark)));
  MDNode *loop = MDNode::getDistinct(context, operands);
  loop->replaceOperandWith(0, loop);
  latch_branch->setMetadata(LLVMContext::MD_loop, loop);
}

void mark_item_loop(Instruction *latch_branch) { mark_loop(latch_branch, item_loop_mark); }
void mark_border_loop(Instruction *latch_branch) { mark_loop(latch_branch, border_loop_mark); }
void mark_unswitched_loop(Instruction *latch_branch) { mark_loop(latch_branch, unswitched_loop_mark); }
void mark_y_loop(Instruction *latch_branch) { mark_loop(latch_branch, y_loop_mark); }

namespace {

bool is_marked(const Loop &loop, StringRef mark) {
  const BasicBlock *latch = loop.getLoopLatch();
  MDNode *node = latch ? latch->getTerminator()->getMetadata(LLVMContext::MD_loop) : nullptr;
  return node && any_of(node->operands(), [&](const MDOperand &operand) {
           auto *entry = dyn_cast_or_null<MDNode>(operand);
           auto *name = entry && entry->getNumOperands() ? dyn_cast<MDString>(entry->getOperand(0)) : nullptr;
           return name && name->getString() == mark;
         });
}

}  // namespace

bool is_item_id(const Value &value, const Value &counter, function_ref<bool(const Value *)> is_uniform) {
  const Value *left, *right;
  if (!match(&value, m_NUWAdd(m_Value(left), m_Value(right)))) return &value == &counter;
  return (left == &counter && is_uniform(right)) || (right == &counter && is_uniform(left));
}

Value *loop_bound(const BranchInst &branch, const BasicBlock *header, const Value *next) {
  auto *compare = branch.isConditional() ? dyn_cast<ICmpInst>(branch.getCondition()) : nullptr;
  if (!compare) return nullptr;
  ICmpInst::Predicate predicate = compare->getPredicate();
  Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if (right == next) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if (branch.getSuccessor(0) != header) predicate = ICmpInst::getInversePredicate(predicate);
  bool continues = predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_NE;
  return left == next && continues ? right : nullptr;
}

bool is_item_loop(const Loop &loop) { return is_marked(loop, item_loop_mark); }
bool is_border_loop(const Loop &loop) { return is_marked(loop, border_loop_mark); }
bool is_unswitched_loop(const Loop &loop) { return is_marked(loop, unswitched_loop_mark); }
bool is_y_loop(const Loop &loop) { return is_marked(loop, y_loop_mark); }

std::optional<ItemLoop> ItemLoop::match(Loop &loop, const char *&why) {
  why = nullptr;
  if (!is_item_loop(loop)) return std::nullopt;
  why = "the loop over work-items is no longer in canonical form";
  ItemLoop out = {&loop,   nullptr, loop.getLoopPreheader(), loop.getHeader(), loop.getLoopLatch(), nullptr,
                  nullptr, nullptr};
  if (!out.preheader || loop.getExitingBlock() != out.latch) return std::nullopt;
  out.exit = loop.getExitBlock();
  auto *branch = dyn_cast<BranchInst>(out.latch->getTerminator());
  if (!out.exit || !branch) return std::nullopt;
  for (PHINode &phi : out.header->phis()) {
    if (out.counter) {
      why = "the loop over work-items has a loop-carried value";
      return std::nullopt;
    }
    out.counter = &phi;
  }
  if (!out.counter || !out.counter->getType()->isIntegerTy(64)) return std::nullopt;
  auto *first = dyn_cast<ConstantInt>(out.counter->getIncomingValueForBlock(out.preheader));
  auto *next = dyn_cast<BinaryOperator>(out.counter->getIncomingValueForBlock(out.latch));
  auto *step = next && next->getOpcode() == Instruction::Add && next->getOperand(0) == out.counter
                   ? dyn_cast<ConstantInt>(next->getOperand(1))
                   : nullptr;
  if (!first || !first->isZero() || !step || !step->isOne()) return std::nullopt;
  out.count = loop_bound(*branch, out.header, next);
  if (!out.count || !loop.isLoopInvariant(out.count)) return std::nullopt;
  out.compare = cast<ICmpInst>(branch->getCondition());
  if (!out.compare->hasOneUse()) return std::nullopt;
  return out;
}

/* Copies the blocks of a loop. An outside value that they use becomes a parameter. If it is computed from the address
 * of a private variable it is copied instead, so that the base of each private address is the variable itself. */
class ItemBody::Extractor {
 public:
  Extractor(const ItemLoop &loop, const YLoop *y_loop) : loop_(loop), y_loop_(y_loop) {}

  bool collect();
  std::unique_ptr<ItemBody> build();

 private:
  bool add(Value *value);
  bool add_sunk_load(LoadInst &load);
  void copy_sunk_loads(ValueToValueMapTy &map);
  bool is_outside(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return isa<Argument>(value) || (instruction && !loop_.loop->contains(instruction));
  }

  const ItemLoop &loop_;
  const YLoop *y_loop_;
  SmallSetVector<Value *, 16> parameters_;
  /** Loads of the y loop's header that are sunk into the body, each with its only user there. */
  SmallVector<std::pair<LoadInst *, Instruction *>, 8> sunk_loads_;
  /** Private addresses computed outside the loop, in topological order: each after its operands. */
  SmallSetVector<Instruction *, 8> addresses_;
};

/* True when `value` is computed from the address of a private variable, possibly through integers. Loads are not
 * followed, as a loaded value is not computed from its address. */
static bool has_private_address(const Value *value) {
  SmallVector<const Value *, 8> stack = {value};
  SmallPtrSet<const Value *, 16> seen;
  while (!stack.empty()) {
    const Value *source = stack.pop_back_val();
    if (isa<AllocaInst>(source)) return true;
    auto *instruction = dyn_cast<Instruction>(source);
    if (!instruction || instruction->mayReadOrWriteMemory() || !seen.insert(source).second) continue;
    stack.append(instruction->value_op_begin(), instruction->value_op_end());
  }
  return false;
}

bool ItemBody::Extractor::add(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || isa<AllocaInst>(value) || !has_private_address(value)) {
    parameters_.insert(value);
    return true;
  }
  if (isa<PHINode>(value) || !isSafeToSpeculativelyExecute(instruction)) return false;
  for (Value *operand : instruction->operands()) {
    if (is_outside(operand) && !add(operand)) return false;
  }
  addresses_.insert(instruction);
  return true;
}

bool ItemBody::Extractor::collect() {
  for (BasicBlock *block : loop_.loop->blocks()) {
    for (Instruction &instruction : *block) {
      for (Value *operand : instruction.operands()) {
        if (!is_outside(operand)) continue;
        bool sinks_load = y_loop_ && y_loop_->sinks_load(operand);
        if (!(sinks_load ? add_sunk_load(*cast<LoadInst>(operand)) : add(operand))) return false;
      }
    }
  }
  return true;
}

/* The address of a sunk load, if it is a constant offset computed in the same block. It is then sunk with the load. */
static const GetElementPtrInst *constant_offset_address(const LoadInst &load) {
  auto *address = dyn_cast<GetElementPtrInst>(load.getPointerOperand());
  return address && address->getParent() == load.getParent() && address->hasAllConstantIndices() ? address : nullptr;
}

bool ItemBody::Extractor::add_sunk_load(LoadInst &load) {
  assert(load.hasOneUse() && "a sunk load has only one user, in the body");
  const GetElementPtrInst *address = constant_offset_address(load);
  sunk_loads_.emplace_back(&load, cast<Instruction>(*load.user_begin()));
  return add(const_cast<Value *>(address ? address->getPointerOperand() : load.getPointerOperand()));
}

/* Copies the sunk loads to their users. Alias metadata is dropped: LICM would use it to hoist the loads out of the loop
 * again. */
void ItemBody::Extractor::copy_sunk_loads(ValueToValueMapTy &map) {
  for (auto [load, original_user] : sunk_loads_) {
    auto *user = cast<Instruction>(map[original_user]);
    Instruction *copy = load->clone();
    for (unsigned kind : {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_tbaa}) {
      copy->setMetadata(kind, nullptr);
    }
    if (const GetElementPtrInst *address = constant_offset_address(*load)) {
      Instruction *address_copy = address->clone();
      address_copy->insertBefore(user->getIterator());
      copy->setOperand(0, address_copy);
    }
    copy->insertBefore(user->getIterator());
    map[load] = copy;
  }
}

static bool is_annotation(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getType()->isVoidTy() && call->isAssumeLikeIntrinsic();
}

void drop_annotations(Function &body) {
  for (BasicBlock &block : body) {
    for (Instruction &instruction : make_early_inc_range(block)) {
      instruction.dropDbgRecords();
      if (is_annotation(instruction)) instruction.eraseFromParent();
    }
  }
}

/* `base` plus a constant, computed at the end of `block`; `base` is a pointer or an i64. */
static Value *create_offset(Value *base, int64_t distance, BasicBlock *block) {
  IRBuilder<> builder(block);
  Value *offset = builder.getInt64(uint64_t(distance));
  return base->getType()->isPointerTy() ? builder.CreateGEP(builder.getInt8Ty(), base, offset)
                                        : builder.CreateAdd(base, offset);
}

/* Whether a block lies in a cycle of the body. A live-out value of a divergent loop is kept until all work-items have
 * exited only if it has a user in the body after the loop. */
static bool is_in_cycle(const BasicBlock &block) {
  return any_of(successors(&block), [&](const BasicBlock *next) { return isPotentiallyReachable(next, &block); });
}

std::unique_ptr<ItemBody> ItemBody::Extractor::build() {
  std::unique_ptr<ItemBody> body(new ItemBody);
  Function &kernel = *loop_.header->getParent();
  LLVMContext &context = kernel.getContext();
  SmallVector<Type *, 16> types = {Type::getInt64Ty(context)};
  for (Value *parameter : parameters_) types.push_back(parameter->getType());
  if (y_loop_) {
    for (Value *parameter : parameters_) {
      bool is_computed = !y_loop_->varies_in_y(parameter) || y_loop_->stride_in_y(parameter);
      if (!is_computed) types.append(jam_factor - 1, parameter->getType());
    }
  }
  auto *type = FunctionType::get(Type::getVoidTy(context), types, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, "item_body", kernel.getParent());
  body->function_ = function;

  BasicBlock *entry = BasicBlock::Create(context, "entry", function);
  ValueToValueMapTy map;
  map[loop_.counter] = function->getArg(0);
  for (auto [index, parameter] : enumerate(parameters_)) {
    map[parameter] = function->getArg(unsigned(index) + 1);
    body->outside_[function->getArg(unsigned(index) + 1)] = parameter;
  }
  /* Jammed copies of a y-varying parameter: computed from it if its stride in y is known, else more parameters. */
  unsigned next = unsigned(parameters_.size()) + 1;
  for (auto [index, parameter] : enumerate(parameters_)) {
    if (!y_loop_ || !y_loop_->varies_in_y(parameter)) continue;
    Argument *first = function->getArg(unsigned(index) + 1);
    const int64_t stride = y_loop_->stride_in_y(parameter);
    for (unsigned copy_index = 1; copy_index < jam_factor; copy_index++) {
      body->jammed_copies_[first].push_back(stride ? create_offset(first, stride * copy_index, entry)
                                                   : function->getArg(next++));
    }
  }
  for (Instruction *address : addresses_) {
    Instruction *copy = address->clone();
    copy->insertInto(entry, entry->end());
    map[address] = copy;
  }
  assert(next == function->arg_size() && "each parameter of the body stands for a value");
  SmallVector<BasicBlock *, 32> copies(addresses_.empty() ? 0 : 1, entry);
  for (BasicBlock *block : loop_.loop->blocks()) {
    BasicBlock *copy = CloneBasicBlock(block, map, "", function);
    map[block] = copy;
    body->copies_[block] = copy;
    copies.push_back(copy);
  }
  auto *latch = cast<BasicBlock>(map[loop_.latch]);
  latch->getTerminator()->eraseFromParent();
  IRBuilder<>(latch).CreateRetVoid();
  auto *header = cast<BasicBlock>(map[loop_.header]);
  for (PHINode &phi : make_early_inc_range(header->phis())) phi.eraseFromParent();
  map[loop_.counter] = function->getArg(0);
  copy_sunk_loads(map);
  remapInstructionsInBlocks(copies, map);
  IRBuilder<>(entry).CreateBr(header);
  drop_annotations(*function);
  for (BasicBlock *block : loop_.loop->blocks()) {
    for (Instruction &instruction : *block) {
      bool is_live_out =
          any_of(instruction.users(), [&](User *user) { return !loop_.loop->contains(cast<Instruction>(user)); });
      if (!is_live_out) continue;
      /* The counter's copy is a parameter. */
      Value *inside = map.lookup(&instruction);
      auto *copy = dyn_cast<Instruction>(inside);
      if (!copy || is_in_cycle(*copy->getParent()))
        copy = cast<Instruction>(IRBuilder<>(latch->getTerminator()).CreateFreeze(inside));
      copy->setMetadata(live_out_mark, MDNode::get(context, {}));
      body->live_out_.emplace_back(&instruction, copy);
    }
  }
  return body;
}

std::unique_ptr<ItemBody> ItemBody::extract(const ItemLoop &loop, const YLoop *y_loop, const char *&why) {
  Extractor extractor(loop, y_loop);
  if (!extractor.collect()) {
    why = "an address may point to one of several private variables";
    return nullptr;
  }
  return extractor.build();
}

void ItemBody::place_jammed_copies(YLoop &y_loop, BasicBlock *block) {
  for (auto &[parameter, copies] : jammed_copies_) {
    for (auto [index, copy] : enumerate(copies)) {
      auto *argument = dyn_cast<Argument>(copy);
      if (!argument) continue; /* computed in the body from the first jammed copy's parameter */
      outside_[argument] = y_loop.value_in_copy(outside(cast<Argument>(parameter)), unsigned(index) + 1, block);
    }
  }
}

ItemBody::~ItemBody() {
  if (function_) function_->eraseFromParent();
}

}  // namespace quern
