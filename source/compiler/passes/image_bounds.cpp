/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Bounds checks of image writes. Writes outside of an image are undefined in OpenCL; GPUs drop them, and so do kernels
 * here. Nearly all coordinates are those of the work-item: then a few comparisons for the group replace two for each of
 * its work-items, and what remains is code without conditions. */
#include "compiler/passes/image_bounds.hpp"

#include <optional>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/passes/function_evolution.hpp"
#include "compiler/passes/specialize.hpp"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {
namespace {

constexpr const char *bounds_check_name = "__quern_is_inside";

/* On checks that hold in a group for which the condition does. */
constexpr const char *marked = "quern-inside";

/* A check costs three instructions or so. In larger kernels that is next to nothing, and a second loop costs time to
 * compile. */
constexpr size_t most_instructions_per_check = 256;

/* Longer expressions are no coordinates: levels, and values looked at for one check. */
constexpr unsigned most_depth = 12, most_values = 256;

/* The most dominating blocks whose branches are looked at. */
constexpr unsigned most_dominators = 64;

/* Values of i64, both included; null where there is no bound. */
struct Interval {
  Value *low = nullptr, *high = nullptr;
  bool is_bounded() const { return low && high; }
};

/* What a dominating branch says: `value` `predicate` `bound`. */
struct Fact {
  const Value *value;
  CmpInst::Predicate predicate;
  Value *bound;
};

/* Intervals of the values of one kernel, in a group. Each is right if the conditions hold: the numbers that it was
 * computed from are those of 32-bit integers, so that 64-bit arithmetic is exact. */
class Intervals {
 public:
  Intervals(Function &kernel, const GroupPosition &position, IRBuilder<> &builder)
      : position_(position), builder_(builder), evolution_(kernel) {}

  /** Adds to the conditions those under which the check holds. False, with the conditions as they were, when there are
   * none that a group could tell. */
  bool prove(CallBase &check);

  /** All conditions; true when there are none. */
  Value *condition() { return builder_.CreateAnd(conditions_); }

 private:
  Value *uniform(Value *value, unsigned depth = 0);
  Value *uniform_instruction(Instruction &instruction, unsigned depth);
  Value *wide(Value *value, bool is_signed);
  Value *number(int64_t value) { return builder_.getInt64(uint64_t(value)); }
  Value *least(Value *a, Value *b) {
    return a && b ? builder_.CreateBinaryIntrinsic(Intrinsic::smin, a, b) : a ? a : b;
  }
  Value *greatest(Value *a, Value *b) {
    return a && b ? builder_.CreateBinaryIntrinsic(Intrinsic::smax, a, b) : a ? a : b;
  }
  /* A condition may be poison where the kernel does not come to what it was computed from. Either version is right
   * then, as far as the other conditions hold: frozen, it does not make these poison too. */
  void require(Value *condition) { conditions_.push_back(builder_.CreateFreeze(condition)); }
  void require_not_negative(Value *value) { require(builder_.CreateICmpSGE(value, number(0))); }
  Interval narrow(Interval interval);
  void collect_facts(const BasicBlock &block);
  void add_facts(Value *condition, bool holds);
  void add_fact(const Value *value, CmpInst::Predicate predicate, Value *bound);
  void apply(const Fact &fact, Interval &interval);
  Interval of(Value *value, unsigned depth = 0);
  Interval of_instruction(Instruction &instruction, unsigned depth);
  Interval of_operator(BinaryOperator &instruction, unsigned depth);
  std::optional<Interval> of_operator_by(unsigned opcode, Value *value, int64_t constant, unsigned depth);
  Interval of_multiple(Value *value, int64_t factor, unsigned depth);
  Interval of_divided(Value *value, int64_t divisor, unsigned depth);
  Interval of_intrinsic(IntrinsicInst &call, unsigned depth);
  Interval of_position(CallBase &call);
  Interval of_range(Value *value);

  const GroupPosition &position_;
  IRBuilder<> &builder_;
  FunctionEvolution evolution_;
  SmallVector<Value *, 16> conditions_;
  /** That hold at the check at hand. */
  SmallVector<Fact, 8> facts_;
  /** Left for the check at hand. */
  unsigned values_ = 0;
};

/* ------------------------------------------------------------ uniform values */

/* Sizes of images are loads from their descriptions, which are there in every launch. */
bool is_image_member(const LoadInst &load) {
  auto *parameter = dyn_cast<Argument>(getUnderlyingObject(load.getPointerOperand()));
  return load.isSimple() && parameter && is_known_image(*parameter);
}

bool can_be_written_anywhere(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return is_image_member(*load);
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) return isa<MinMaxIntrinsic>(call);
  if (isa<BinaryOperator>(instruction)) return !instruction.isIntDivRem() && !instruction.isFPDivRem();
  return isa<CastInst, GetElementPtrInst, SelectInst, ICmpInst>(instruction);
}

/* The value at the builder's position, or null: an expression of arguments, constants, members of images, and what the
 * group knows. */
Value *Intervals::uniform(Value *value, unsigned depth) {
  if (isa<Constant>(value) || isa<Argument>(value)) return value;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth >= most_depth || !values_) return nullptr;
  values_--;
  return uniform_instruction(*instruction, depth + 1);
}

Value *Intervals::uniform_instruction(Instruction &instruction, unsigned depth) {
  const WorkItem which = work_item_call(&instruction);
  if (which == WorkItem::global_id || which == WorkItem::local_id || which == WorkItem::work_dim) return nullptr;
  if (which != WorkItem::none) {
    const int dimension = constant_dimension(cast<CallBase>(instruction));
    return dimension >= 0 && dimension < 3 ? position_.uniform(which, unsigned(dimension), builder_) : nullptr;
  }
  if (!can_be_written_anywhere(instruction)) return nullptr;
  SmallVector<Value *, 4> operands;
  for (Value *operand : instruction.operands()) {
    operands.push_back(uniform(operand, depth));
    if (!operands.back()) return nullptr;
  }
  Instruction *copy = instruction.clone();
  for (auto [index, operand] : enumerate(operands)) copy->setOperand(unsigned(index), operand);
  copy->dropPoisonGeneratingFlags();
  return builder_.Insert(copy);
}

Value *Intervals::wide(Value *value, bool is_signed) {
  return builder_.CreateIntCast(value, builder_.getInt64Ty(), is_signed);
}

/* ------------------------------------------------------------ facts */

/* The conditions of branches whose edges dominate the block. */
void Intervals::collect_facts(const BasicBlock &block) {
  facts_.clear();
  auto *node = evolution_.dominators.getNode(&block);
  for (unsigned i = 0; i < most_dominators && node && node->getIDom(); i++, node = node->getIDom()) {
    const BasicBlock *above = node->getIDom()->getBlock();
    auto *branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (unsigned side : {0u, 1u}) {
      if (evolution_.dominators.dominates(BasicBlockEdge(above, branch->getSuccessor(side)), &block))
        add_facts(branch->getCondition(), side == 0);
    }
  }
}

void Intervals::add_facts(Value *condition, bool holds) {
  Value *first, *second;
  if (match(condition, m_Not(m_Value(first)))) return add_facts(first, !holds);
  if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
            : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
    add_facts(first, holds);
    return add_facts(second, holds);
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy()) return;
  const CmpInst::Predicate predicate = holds ? compare->getPredicate() : compare->getInversePredicate();
  add_fact(compare->getOperand(0), predicate, compare->getOperand(1));
  add_fact(compare->getOperand(1), CmpInst::getSwappedPredicate(predicate), compare->getOperand(0));
}

/* What is said of a sign-extended value is said of the value. */
void Intervals::add_fact(const Value *value, CmpInst::Predicate predicate, Value *bound) {
  if (isa<Constant>(value)) return;
  facts_.push_back({value, predicate, bound});
  Value *inner;
  if (match(value, m_SExtLike(m_Value(inner)))) facts_.push_back({inner, predicate, bound});
}

/* An unsigned comparison with less than 2^31 excludes negative numbers. */
void Intervals::apply(const Fact &fact, Interval &interval) {
  const bool is_unsigned = CmpInst::isUnsigned(fact.predicate);
  const CmpInst::Predicate predicate = is_unsigned ? ICmpInst::getSignedPredicate(fact.predicate) : fact.predicate;
  const bool is_below = predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_SLE;
  const bool is_above = predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_SGE;
  if ((!is_below && predicate != CmpInst::ICMP_EQ) && (!is_above || is_unsigned)) return;
  Value *bound = uniform(fact.bound);
  if (!bound) return;
  bound = narrow({wide(bound, !is_unsigned), wide(bound, !is_unsigned)}).low;
  if (is_unsigned) interval.low = greatest(interval.low, number(0));
  const bool is_strict = predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_SGT;
  if (!is_above) interval.high = least(interval.high, is_strict ? builder_.CreateSub(bound, number(1)) : bound);
  if (!is_below) interval.low = greatest(interval.low, is_strict ? builder_.CreateAdd(bound, number(1)) : bound);
}

/* ------------------------------------------------------------ intervals */

/* Requires that both ends are 32-bit integers: then truncations, extensions and sums change nothing. */
Interval Intervals::narrow(Interval interval) {
  if (interval.low) require(builder_.CreateICmpSGE(interval.low, number(INT32_MIN)));
  if (interval.high) require(builder_.CreateICmpSLE(interval.high, number(INT32_MAX)));
  return interval;
}

Interval Intervals::of(Value *value, unsigned depth) {
  const unsigned width = value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
  if (!width || width > 64 || depth > most_depth) return {};
  if (Value *same = uniform(value, depth)) return narrow({wide(same, true), wide(same, true)});
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !values_) return {};
  Interval interval = width < 32 ? Interval{} : of_instruction(*instruction, depth + 1);
  if (!interval.is_bounded()) interval = of_range(value);
  for (const Fact &fact : facts_) {
    if (fact.value == value) apply(fact, interval);
  }
  return interval.is_bounded() ? narrow(interval) : Interval{};
}

Interval Intervals::of_instruction(Instruction &instruction, unsigned depth) {
  if (work_item_call(&instruction) != WorkItem::none) return of_position(cast<CallBase>(instruction));
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) return of_intrinsic(*call, depth);
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) return of_operator(*binary, depth);
  if (isa<TruncInst, SExtInst>(instruction)) return of(instruction.getOperand(0), depth);
  if (isa<ZExtInst>(instruction)) {
    const Interval inner = of(instruction.getOperand(0), depth);
    if (inner.is_bounded()) require_not_negative(inner.low);
    return inner;
  }
  if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    const Interval a = of(select->getTrueValue(), depth), b = of(select->getFalseValue(), depth);
    if (!a.is_bounded() || !b.is_bounded()) return {};
    return {least(a.low, b.low), greatest(a.high, b.high)};
  }
  return {};
}

Interval Intervals::of_operator(BinaryOperator &instruction, unsigned depth) {
  Value *first = instruction.getOperand(0), *second = instruction.getOperand(1);
  const APInt *constant;
  if (match(second, m_APInt(constant)) && constant->isNonNegative() && constant->isSignedIntN(32)) {
    if (auto known = of_operator_by(instruction.getOpcode(), first, constant->getSExtValue(), depth)) return *known;
  }
  Value *negated;
  const bool is_not = match(&instruction, m_Not(m_Value(negated)));
  const bool is_sum = match(&instruction, m_AddLike(m_Value(), m_Value()));
  if (!is_not && !is_sum && instruction.getOpcode() != Instruction::Sub) return {};
  const Interval a = of(is_not ? negated : first, depth);
  if (!a.is_bounded()) return {};
  if (is_not) return {builder_.CreateNot(a.high), builder_.CreateNot(a.low)};
  const Interval b = of(second, depth);
  if (!b.is_bounded()) return {};
  if (is_sum) return {builder_.CreateAdd(a.low, b.low), builder_.CreateAdd(a.high, b.high)};
  return {builder_.CreateSub(a.low, b.high), builder_.CreateSub(a.high, b.low)};
}

/* Of an operation whose second operand is a constant, and not negative. */
std::optional<Interval> Intervals::of_operator_by(unsigned opcode, Value *value, int64_t constant, unsigned depth) {
  const bool is_shift = Instruction::isShift(opcode);
  if (is_shift && constant >= 31) return std::nullopt;
  const int64_t factor = is_shift ? int64_t(1) << constant : constant;
  switch (opcode) {
    case Instruction::And: return Interval{number(0), number(constant)};
    case Instruction::URem: return Interval{number(0), number(constant - 1)};
    case Instruction::Mul:
    case Instruction::Shl: return of_multiple(value, factor, depth);
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::LShr:
    case Instruction::AShr: return of_divided(value, factor, depth);
    default: return std::nullopt;
  }
}

Interval Intervals::of_multiple(Value *value, int64_t factor, unsigned depth) {
  const Interval inner = of(value, depth);
  if (!inner.is_bounded()) return {};
  return {builder_.CreateMul(inner.low, number(factor)), builder_.CreateMul(inner.high, number(factor))};
}

/* Of a number that is not negative, for which all divisions and shifts agree. */
Interval Intervals::of_divided(Value *value, int64_t divisor, unsigned depth) {
  const Interval inner = divisor ? of(value, depth) : Interval{};
  if (!inner.is_bounded()) return {};
  require_not_negative(inner.low);
  return {builder_.CreateSDiv(inner.low, number(divisor)), builder_.CreateSDiv(inner.high, number(divisor))};
}

Interval Intervals::of_intrinsic(IntrinsicInst &call, unsigned depth) {
  auto *choice = dyn_cast<MinMaxIntrinsic>(&call);
  if (!choice) return {};
  const Interval a = of(choice->getLHS(), depth), b = of(choice->getRHS(), depth);
  if (!a.is_bounded() || !b.is_bounded()) return {};
  if (!choice->isSigned()) {
    require_not_negative(a.low);
    require_not_negative(b.low);
  }
  const bool is_least = choice->getIntrinsicID() == Intrinsic::smin || choice->getIntrinsicID() == Intrinsic::umin;
  if (is_least) return {least(a.low, b.low), least(a.high, b.high)};
  return {greatest(a.low, b.low), greatest(a.high, b.high)};
}

Interval Intervals::of_position(CallBase &call) {
  const WorkItem which = work_item_call(&call);
  const int dimension = constant_dimension(call);
  if (dimension < 0 || dimension > 2 || (which != WorkItem::global_id && which != WorkItem::local_id)) return {};
  Value *last = builder_.CreateSub(position_.size[dimension], number(1));
  if (which == WorkItem::local_id) return {number(0), last};
  /* With this, the sum does not overflow. */
  require(builder_.CreateICmpULE(position_.base[dimension], number(INT32_MAX)));
  return {position_.base[dimension], builder_.CreateAdd(position_.base[dimension], last)};
}

/* That of an induction variable, or of what is not known. */
Interval Intervals::of_range(Value *value) {
  const ConstantRange range = evolution_.SE.getSignedRange(evolution_.SE.getSCEV(value));
  if (range.isEmptySet() || range.getBitWidth() < 2) return {};
  Interval interval;
  const APInt low = range.getSignedMin(), high = range.getSignedMax();
  if (!low.isMinSignedValue() && low.isSignedIntN(32)) interval.low = number(low.getSExtValue());
  if (!high.isMaxSignedValue() && high.isSignedIntN(32)) interval.high = number(high.getSExtValue());
  return interval;
}

bool Intervals::prove(CallBase &check) {
  const size_t before = conditions_.size();
  values_ = most_values;
  Value *size = uniform(check.getArgOperand(1));
  if (size) {
    collect_facts(*check.getParent());
    const Interval interval = of(check.getArgOperand(0));
    if (interval.is_bounded()) {
      require_not_negative(interval.low);
      require(builder_.CreateICmpSLT(interval.high, wide(size, false)));
      return true;
    }
  }
  conditions_.truncate(before);
  return false;
}

}  // namespace

bool is_bounds_check(const Function *function) {
  return function && function->isDeclaration() && function->getName() == bounds_check_name;
}

static CallBase *bounds_check(Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && is_bounds_check(call->getCalledFunction()) ? call : nullptr;
}

Value *write_bounds_condition(Function &kernel, const GroupPosition &position, IRBuilder<> &builder) {
  if (!knows_images(kernel)) return nullptr;
  SmallVector<CallBase *, 8> checks;
  for (Instruction &instruction : instructions(kernel)) {
    if (CallBase *check = bounds_check(instruction)) checks.push_back(check);
  }
  if (kernel.getInstructionCount() > checks.size() * most_instructions_per_check) return nullptr;
  Intervals intervals(kernel, position, builder);
  bool is_any = false;
  for (CallBase *check : checks) {
    if (!intervals.prove(*check)) continue;
    check->setMetadata(marked, MDNode::get(kernel.getContext(), {}));
    is_any = true;
  }
  return is_any ? intervals.condition() : nullptr;
}

void keep_bounds_checks(ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *block : blocks) {
    for (Instruction &instruction : *block) {
      if (CallBase *check = bounds_check(instruction)) check->setMetadata(marked, nullptr);
    }
  }
}

void lower_bounds_checks(Module &module) {
  Function *function = module.getFunction(bounds_check_name);
  if (!is_bounds_check(function)) return;
  for (User *user : make_early_inc_range(function->users())) {
    auto *instruction = dyn_cast<Instruction>(user);
    CallBase *check = instruction ? bounds_check(*instruction) : nullptr;
    if (!check) continue;
    IRBuilder<> builder(check);
    Value *value = check->hasMetadata(marked)
                       ? builder.getTrue()
                       : builder.CreateICmpULT(check->getArgOperand(0), check->getArgOperand(1), "is_inside");
    check->replaceAllUsesWith(value);
    check->eraseFromParent();
  }
}

}  // namespace quern
