/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Wider elements for masks that live across blocks, for CPUs without mask registers. */
#include "host/codegen/passes/mask_phis.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/preserved.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {

/* The masks around a phi that are searched. */
static constexpr unsigned most_masks = 64;

/* Registers that masks may take beyond one for each phi. With four, values of a loop were spilled that had taken all
 * others. */
static constexpr unsigned most_further_registers = 2;

static bool is_mask(const Value &value) {
  auto *type = dyn_cast<FixedVectorType>(value.getType());
  return type && type->getElementType()->isIntegerTy(1) && type->getNumElements() >= 4;
}

/* The width of the elements that LLVM's type legalization gives a mask: they fill 128 bits, or are bytes. */
static unsigned legalized_bits(unsigned lanes) { return std::max(8U, 128 / lanes); }

/* What can be written for elements of any width. */
static bool is_mask_operation(const Instruction &mask) {
  if (auto *select = dyn_cast<SelectInst>(&mask))
    return !select->getCondition()->getType()->isVectorTy() || match(&mask, m_LogicalOp());
  return isa<PHINode, FreezeInst>(mask) || mask.isBitwiseLogicOp();
}

namespace {

/* A phi of a mask with the operations that it is connected to. */
class MaskWeb {
 public:
  explicit MaskWeb(PHINode &phi) {
    masks_.insert(&phi);
    for (size_t i = 0; i < masks_.size() && masks_.size() < most_masks; i++) visit(*masks_[i]);
  }
  ArrayRef<Instruction *> masks() const { return masks_.getArrayRef(); }
  unsigned count_phis() const { return unsigned(count_if(masks_, IsaPred<PHINode>)); }
  /** The most frequent width of elements that are compared to make these masks, or selected by them. 0: none. */
  unsigned element_bits() const {
    auto *most = std::max_element(std::begin(counts_), std::end(counts_));
    return *most ? 8U << (most - std::begin(counts_)) : 0;
  }

 private:
  void count(const Type &type) {
    for (unsigned i = 0; i < std::size(counts_); i++)
      if (type.getScalarSizeInBits() == 8U << i) counts_[i]++;
  }
  void visit(const Instruction &mask);
  void add(Value *value);

  SmallSetVector<Instruction *, 16> masks_;
  /** Of elements of 8, 16, 32 and 64 bits. */
  unsigned counts_[4] = {};
};

/* Writes the masks of a web again, with elements of `type`. */
class WebWidener {
 public:
  WebWidener(ArrayRef<Instruction *> masks, FixedVectorType &type) : masks_(masks), type_(type) {}
  void run();

 private:
  Value *widen(Value *mask, Instruction &user);
  Value *write(Instruction &mask);

  ArrayRef<Instruction *> masks_;
  FixedVectorType &type_;
  DenseMap<Value *, Value *> wide_;
};

}  // namespace

void MaskWeb::visit(const Instruction &mask) {
  for (Value *operand : mask.operands()) add(operand);
  for (const User *user : mask.users()) {
    if (auto *select = dyn_cast<SelectInst>(user); select && !is_mask(*select)) count(*select->getType());
    if (auto *access = dyn_cast<IntrinsicInst>(user))
      count(access->getType()->isVoidTy() ? *access->getArgOperand(0)->getType() : *access->getType());
    add(const_cast<User *>(user));
  }
}

void MaskWeb::add(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || instruction->getType() != masks_[0]->getType()) return;
  if (isa<CmpInst>(instruction)) count(*instruction->getOperand(0)->getType());
  if (is_mask_operation(*instruction)) masks_.insert(instruction);
}

/* A mask of the web, or another one, which is extended for `user`. */
Value *WebWidener::widen(Value *mask, Instruction &user) {
  if (Value *known = wide_.lookup(mask)) return known;
  auto *instruction = dyn_cast<Instruction>(mask);
  if (instruction && is_contained(masks_, instruction)) return write(*instruction);
  IRBuilder<> builder(&user);
  /* LLVM would extend a vector of bits. */
  if (Value *uniform = getSplatValue(mask))
    return builder.CreateVectorSplat(type_.getElementCount(), builder.CreateSExt(uniform, type_.getElementType()));
  return builder.CreateSExt(mask, &type_);
}

/* An operation after its operands: each cycle has a phi, which is there before. */
Value *WebWidener::write(Instruction &mask) {
  IRBuilder<> builder(&mask);
  SmallVector<Value *, 3> operands;
  for (Value *operand : mask.operands())
    operands.push_back(operand->getType() == mask.getType() ? widen(operand, mask) : operand);
  Value *made = nullptr;
  if (isa<FreezeInst>(mask)) {
    made = builder.CreateFreeze(operands[0]);
  } else if (match(&mask, m_LogicalAnd()) && isa<SelectInst>(mask)) {
    made = builder.CreateAnd(operands[0], builder.CreateFreeze(operands[1]));
  } else if (match(&mask, m_LogicalOr()) && isa<SelectInst>(mask)) {
    made = builder.CreateOr(operands[0], builder.CreateFreeze(operands[2]));
  } else if (isa<SelectInst>(mask)) {
    made = builder.CreateSelect(operands[0], operands[1], operands[2]);
  } else {
    made = builder.CreateBinOp(cast<BinaryOperator>(mask).getOpcode(), operands[0], operands[1]);
  }
  return wide_[&mask] = made;
}

/* What else uses a mask gets `icmp slt %wide, 0`, of which a blend takes the sign alone. */
void WebWidener::run() {
  for (Instruction *mask : masks_) {
    if (auto *phi = dyn_cast<PHINode>(mask))
      wide_[phi] = IRBuilder<>(phi).CreatePHI(&type_, phi->getNumIncomingValues(), phi->getName());
  }
  for (Instruction *mask : masks_) {
    auto *phi = dyn_cast<PHINode>(mask);
    if (!phi) {
      widen(mask, *mask);
      continue;
    }
    auto *wide = cast<PHINode>(wide_[phi]);
    for (BasicBlock *block : phi->blocks()) {
      const int same = wide->getBasicBlockIndex(block);
      wide->addIncoming(same < 0 ? widen(phi->getIncomingValueForBlock(block), *block->getTerminator())
                                 : wide->getIncomingValue(unsigned(same)),
                        block);
    }
  }
  for (Instruction *mask : masks_) {
    auto *wide = wide_[mask];
    IRBuilder<> builder(mask);
    if (isa<PHINode>(mask)) builder.SetInsertPoint(mask->getParent(), mask->getParent()->getFirstInsertionPt());
    auto is_outside = [&](const Use &use) { return !is_contained(masks_, use.getUser()); };
    if (any_of(mask->uses(), is_outside))
      mask->replaceUsesWithIf(builder.CreateICmpSLT(wide, Constant::getNullValue(&type_)), is_outside);
  }
  for (Instruction *mask : masks_) mask->dropAllReferences();
  for (Instruction *mask : masks_) mask->eraseFromParent();
}

static bool widen_masks(PHINode &phi, unsigned register_bits) {
  const unsigned lanes = cast<FixedVectorType>(phi.getType())->getNumElements();
  const MaskWeb web(phi);
  const unsigned bits = web.element_bits(), registers = std::max(1U, bits * lanes / register_bits);
  if (bits <= legalized_bits(lanes) || (registers - 1) * web.count_phis() > most_further_registers) return false;
  auto *element = IntegerType::get(phi.getContext(), bits);
  WebWidener(web.masks(), *FixedVectorType::get(element, lanes)).run();
  return true;
}

PreservedAnalyses WidenMaskPhisPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &tti = analyses.getResult<TargetIRAnalysis>(function);
  const auto register_bits =
      unsigned(tti.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  /* Null once they are replaced, with others of their web. */
  SmallVector<WeakVH, 8> phis;
  for (BasicBlock &block : function) append_range(phis, make_pointer_range(make_filter_range(block.phis(), is_mask)));
  bool changed = false;
  for (WeakVH &phi : phis)
    if (phi) changed |= widen_masks(*cast<PHINode>(phi), register_bits);
  return preserve_blocks(changed);
}

}  // namespace quern
