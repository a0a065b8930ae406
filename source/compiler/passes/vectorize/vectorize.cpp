/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The pass: which loops over work-items are vectorized, how wide, and what is around the vector form. */
#include "compiler/passes/vectorize/vectorize.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>

#include "base/log.h"
#include "compiler/passes/vectorize/strides.hpp"
#include "compiler/passes/vectorize/widener.hpp"

using namespace llvm;

namespace quern {

namespace {

/* Most bytes of private variables that all lanes may have on the stack. */
constexpr uint64_t largest_variables = 64 * 1024;

/* One loop over work-items on its way. */
class LoopVectorizer {
 public:
  LoopVectorizer(const ItemLoop &loop, const TargetTransformInfo &machine, const TargetLibraryInfo &library)
      : loop_(loop),
        function_(*loop.header->getParent()),
        context_(function_.getContext()),
        machine_(machine),
        library_(library) {}

  /** False, with the loop as it was, when that cannot be done; `why` tells. */
  bool run(unsigned width, const char *&why);

 private:
  unsigned choose_width() const;
  Value *vector_count(IRBuilder<> &builder, unsigned width);
  Value *test_premise(const Premise &premise, IRBuilder<> &builder);
  Value *precompute(Value *value, Value *counter, IRBuilder<> &builder, DenseMap<Value *, Value *> &known);
  void write_loop(const WidenInput &input);

  const ItemLoop &loop_;
  Function &function_;
  LLVMContext &context_;
  const TargetTransformInfo &machine_;
  const TargetLibraryInfo &library_;
  std::unique_ptr<ItemBody> body_;
  std::unique_ptr<LaneAnalysis> analysis_;
};

/* Lanes of 32 bits in a vector register, or of 64 where most of what differs from lane to lane is that wide. */
unsigned LoopVectorizer::choose_width() const {
  uint64_t bits = machine_.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  unsigned wide = 0, narrow = 0;
  for (Instruction &instruction : instructions(body_->function())) {
    if (analysis_->shape(&instruction).kind != Shape::varying || isa<GetElementPtrInst>(instruction)) continue;
    Type *type = instruction.getType()->getScalarType();
    if (type->isIntegerTy(1) || !(type->isIntegerTy() || type->isFloatingPointTy())) continue;
    (type->getScalarSizeInBits() > 32 ? wide : narrow)++;
  }
  return unsigned(bits / (wide > narrow ? 64 : 32));
}

/* What `value` of the body is for the work-item `counter`. */
Value *LoopVectorizer::precompute(Value *value, Value *counter, IRBuilder<> &builder,
                                  DenseMap<Value *, Value *> &known) {
  if (isa<Constant>(value)) return value;
  if (value == body_->counter()) return counter;
  if (auto *argument = dyn_cast<Argument>(value)) return body_->outside(argument);
  Value *&result = known[value];
  if (result) return result;
  Instruction *copy = cast<Instruction>(value)->clone();
  for (Use &operand : copy->operands()) operand.set(precompute(operand, counter, builder, known));
  copy->dropPoisonGeneratingAnnotations();
  builder.Insert(copy);
  return known[value] = copy;
}

/* From the first work-item to the last the value grows by as much as the steps between them come to. */
Value *LoopVectorizer::test_premise(const Premise &premise, IRBuilder<> &builder) {
  Value *last = builder.CreateSub(loop_.count, builder.getInt64(1));
  Value *ends[2];
  Value *counters[2] = {builder.getInt64(0), last};
  for (unsigned i = 0; i < 2; i++) {
    DenseMap<Value *, Value *> known;
    Value *end = precompute(premise.value, counters[i], builder, known);
    ends[i] = premise.is_signed ? builder.CreateSExt(end, builder.getInt64Ty())
                                : builder.CreateZExt(end, builder.getInt64Ty());
  }
  Value *steps = builder.CreateMul(last, builder.getInt64(uint64_t(premise.stride)));
  return builder.CreateICmpEQ(builder.CreateSub(ends[1], ends[0]), steps);
}

/* Work-items that fill whole vectors; none when a premise fails. */
Value *LoopVectorizer::vector_count(IRBuilder<> &builder, unsigned width) {
  Value *count = builder.CreateAnd(loop_.count, builder.getInt64(~uint64_t(width - 1)), "in_vectors");
  for (const Premise &premise : analysis_->premises()) {
    count = builder.CreateSelect(test_premise(premise, builder), count, builder.getInt64(0));
  }
  return count;
}

/* preheader:  if (in_vectors == 0) goto rest
 * vectors:    for (i = 0; i < in_vectors; i += width) the vector form
 *             if (in_vectors == count) goto exit
 * rest:       the loop as it was, from in_vectors on */
void LoopVectorizer::write_loop(const WidenInput &input) {
  BasicBlock *vectors = BasicBlock::Create(context_, "vectors", &function_, loop_.header);
  BasicBlock *next = BasicBlock::Create(context_, "vectors.next", &function_, loop_.header);
  BasicBlock *done = BasicBlock::Create(context_, "vectors.done", &function_, loop_.header);
  BasicBlock *rest = BasicBlock::Create(context_, "rest", &function_, loop_.header);
  IRBuilder<> builder(loop_.preheader->getTerminator());
  Value *count = vector_count(builder, input.width);
  builder.CreateCondBr(builder.CreateICmpEQ(count, builder.getInt64(0)), rest, vectors);
  loop_.preheader->getTerminator()->eraseFromParent();

  builder.SetInsertPoint(vectors);
  PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
  first->addIncoming(builder.getInt64(0), loop_.preheader);
  Widener widener(input, function_);
  widener.write(vectors, next, first, nullptr);

  builder.SetInsertPoint(next);
  Value *second = builder.CreateAdd(first, builder.getInt64(input.width), "", true, true);
  first->addIncoming(second, next);
  SmallVector<std::pair<Instruction *, Value *>, 4> live_out;
  for (auto &[outside, inside] : body_->live_out()) {
    live_out.emplace_back(outside, widener.first_lane(inside));
  }
  builder.SetInsertPoint(next);
  builder.CreateCondBr(builder.CreateICmpULT(second, count), vectors, done);

  builder.SetInsertPoint(done);
  builder.CreateCondBr(builder.CreateICmpEQ(count, loop_.count), loop_.exit, rest);
  for (PHINode &phi : loop_.exit->phis()) {
    Value *value = phi.getIncomingValueForBlock(loop_.latch);
    for (auto &[outside, inside] : live_out) {
      if (outside == value) value = inside;
    }
    phi.addIncoming(value, done);
  }
  builder.SetInsertPoint(rest);
  PHINode *from = builder.CreatePHI(builder.getInt64Ty(), 2, "from");
  from->addIncoming(builder.getInt64(0), loop_.preheader);
  from->addIncoming(count, done);
  builder.CreateBr(loop_.header);
  int index = loop_.counter->getBasicBlockIndex(loop_.preheader);
  loop_.counter->setIncomingBlock(unsigned(index), rest);
  loop_.counter->setIncomingValue(unsigned(index), from);
}

bool LoopVectorizer::run(unsigned width, const char *&why) {
  body_ = ItemBody::extract(loop_, why);
  if (!body_) return false;
  PrivateMemory memory(*body_);
  auto shapes = memory.shapes();
  shapes[body_->counter()] = {Shape::strided, 1};
  analysis_ = std::make_unique<LaneAnalysis>(body_->function(), shapes, memory.parameters());
  if (!analysis_->run(why)) return false;
  Layout layout(*analysis_);
  why = "the control flow is too tangled";
  if (!layout.run()) return false;
  if (!width) width = choose_width();
  why = "the machine has no vectors";
  if (width < 2) return false;
  why = "private variables take too much memory";
  if (memory.size() * width > largest_variables) return false;
  write_loop({body_.get(), analysis_.get(), &layout, &memory, &library_, width});
  return true;
}

}  // namespace

PreservedAnalyses VectorizeItemsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &machine = analyses.getResult<TargetIRAnalysis>(function);
  auto &library = analyses.getResult<TargetLibraryAnalysis>(function);
  SmallVector<ItemLoop, 8> found;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const char *why;
    if (auto item_loop = ItemLoop::match(*loop, why)) {
      found.push_back(*item_loop);
    } else if (why) {
      log_write(log_compiler, "%s: not vectorized: %s", function.getName().str().c_str(), why);
    }
  }
  bool changed = false;
  for (const ItemLoop &loop : found) {
    const char *why;
    if (LoopVectorizer(loop, machine, library).run(width_, why)) {
      changed = true;
    } else {
      log_write(log_compiler, "%s: not vectorized: %s", function.getName().str().c_str(), why);
    }
  }
  if (!changed) return PreservedAnalyses::all();
  function.addFnAttr(done);
  return PreservedAnalyses::none();
}

}  // namespace quern
