/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Calls of math functions with a constant argument.
 *
 * Errors in units of the last place: a product, a quotient or a root adds at most one, and passes on those of its
 * operands. */
#include "compiler/passes/library_calls.hpp"

#include <cmath>
#include <optional>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "compiler/passes/passes.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace quern {
namespace {

enum class Math { none, pow, powr, pown, rootn, exp2, fmod };

/* The name of a built-in function, and its mangled parameters; empty for others. */
std::pair<StringRef, StringRef> builtin_name(const Function &function) {
  StringRef name = function.getName();
  unsigned length = 0;
  if (!function.isDeclaration() || !name.consume_front("_Z") || name.consumeInteger(10, length)) return {};
  return {name.take_front(length), name.drop_front(std::min<size_t>(length, name.size()))};
}

Math math_function(const Function &function) {
  return StringSwitch<Math>(builtin_name(function).first)
      .Case("pow", Math::pow)
      .Case("powr", Math::powr)
      .Case("pown", Math::pown)
      .Case("rootn", Math::rootn)
      .Case("exp2", Math::exp2)
      .Case("fmod", Math::fmod)
      .Default(Math::none);
}

/* Whether a declaration has the types of the built-in function; SPIR-V may declare anything. */
bool has_types(const Function &function, Math math) {
  const FunctionType *type = function.getFunctionType();
  Type *result = type->getReturnType();
  const unsigned count = math == Math::exp2 ? 1 : 2;
  if (!result->isFPOrFPVectorTy() || type->getNumParams() != count || type->getParamType(0) != result) return false;
  if (count == 1) return true;
  Type *second = type->getParamType(1);
  const bool takes_int = math == Math::pown || math == Math::rootn;
  return takes_int ? second == result->getWithNewType(Type::getInt32Ty(function.getContext())) : second == result;
}

/* The value of a constant with equal components. */
std::optional<double> constant_number(const Value *value) {
  const APFloat *real;
  const APInt *integer;
  if (match(value, m_APInt(integer))) return double(integer->getSExtValue());
  if (!match(value, m_APFloat(real))) return std::nullopt;
  APFloat wide = *real;
  bool loses = false;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return wide.convertToDouble();
}

struct Converted {
  Value *integer;
  bool is_signed;
};

/* The integer that a floating-point number is made of, by an instruction or by convert_float4. */
std::optional<Converted> converted_integer(Value *x) {
  Value *integer;
  if (match(x, m_SIToFP(m_Value(integer)))) return Converted{integer, true};
  if (match(x, m_UIToFP(m_Value(integer)))) return Converted{integer, false};
  auto *call = dyn_cast<CallInst>(x);
  if (!call || !call->getCalledFunction() || call->arg_size() != 1) return std::nullopt;
  auto [name, parameters] = builtin_name(*call->getCalledFunction());
  const bool converts = name.consume_front("convert_float") || name.consume_front("convert_double");
  if (!converts || !all_of(name, isDigit) || !call->getArgOperand(0)->getType()->isIntOrIntVectorTy()) {
    return std::nullopt;
  }
  return Converted{call->getArgOperand(0), StringRef("csil").contains(parameters.back())};
}

/* The exponent of a number that is a power of two. */
std::optional<int> exponent_of_power(double number) {
  int exponent = 0;
  return std::frexp(number, &exponent) == 0.5 ? std::optional<int>(exponent - 1) : std::nullopt;
}

/* Whether floats are divided exactly in this program: built so, it has no !fpmath. EarlyCSE may take one division for
 * another that is the same but for its accuracy. */
bool divides_exactly(const Module &module) {
  for (const Function &function : module) {
    for (const Instruction &instruction : instructions(function)) {
      const bool is_division = instruction.getOpcode() == Instruction::FDiv;
      if (!is_division || !instruction.getType()->getScalarType()->isFloatTy()) continue;
      if (!instruction.getMetadata(LLVMContext::MD_fpmath)) return true;
    }
  }
  return false;
}

/* Powers of two that a float holds have smaller exponents. */
constexpr int most_exponent = 200;

class Folder {
 public:
  Folder(CallInst &call, bool divides_exactly) : call_(call), builder_(&call), type_(call.getType()) {
    if (isa<FPMathOperator>(call)) builder_.setFastMathFlags(call.getFastMathFlags());
    if (!divides_exactly && type_->getScalarType()->isFloatTy()) {
      division_accuracy_ = MDBuilder(call.getContext()).createFPMath(2.5f);
    }
  }

  /* The value of the call, or null where it stays. */
  Value *fold(Math math) {
    Value *x = call_.getArgOperand(0);
    if (math == Math::exp2) return exp2_of_integer(x);
    std::optional<double> second = constant_number(call_.getArgOperand(1));
    switch (math) {
      case Math::pow:
        if (second) return *second == 0 ? number(1) : power(x, *second);
        return power_of_constant(x, call_.getArgOperand(1));
      case Math::powr: return second && *second != 0 ? power_of_positive(x, *second) : nullptr;
      case Math::pown: return !second ? nullptr : *second == 0 ? number(1) : power(x, *second);
      case Math::rootn: return second ? root(x, int(*second)) : nullptr;
      case Math::fmod: return second ? remainder(x, std::fabs(*second)) : nullptr;
      default: return nullptr;
    }
  }

 private:
  Value *number(double value) { return ConstantFP::get(type_, value); }
  Value *infinity() { return ConstantFP::getInfinity(type_); }
  bool is_half() const { return type_->getScalarType()->isHalfTy(); }

  /* For half the limit is 4 places, else 16. Divisions and inverse roots are off by at most 1.1 (reciprocals.cpp). Of
   * half, only products are faster than the function. */
  unsigned most_power() const { return is_half() ? 4 : 16; }
  unsigned most_inverse_power() const { return is_half() ? 0 : 8; }

  Value *inverse(Value *x) {
    Value *quotient = builder_.CreateFDiv(number(1), x);
    if (auto *division = dyn_cast<Instruction>(quotient); division && division_accuracy_) {
      division->setMetadata(LLVMContext::MD_fpmath, division_accuracy_);
    }
    return quotient;
  }

  Value *square_root(Value *x) { return builder_.CreateUnaryIntrinsic(Intrinsic::sqrt, x); }

  /* x^n for n > 0 by squaring. Where a factor overflows the result does too, and where it underflows the result is less
   * than half of the smallest number, or off by less than that. */
  Value *product(Value *x, unsigned n) {
    Value *result = nullptr;
    for (Value *square = x;; square = builder_.CreateFMul(square, square)) {
      if (n & 1) result = result ? builder_.CreateFMul(result, square) : square;
      n >>= 1;
      if (!n) return result;
    }
  }

  /* A negative zero becomes a positive one. */
  Value *without_negative_zero(Value *x) {
    return builder_.getFastMathFlags().noSignedZeros() ? x : builder_.CreateFAdd(x, number(0));
  }

  /* x^(n + quarters / 4) of x >= 0 that is no negative zero. */
  Value *power_with_quarters(Value *x, unsigned n, unsigned quarters) {
    Value *root = square_root(x);
    Value *part = quarters == 2 ? root : square_root(root);
    if (quarters == 3) part = builder_.CreateFMul(root, part);
    return n ? builder_.CreateFMul(product(x, n), part) : part;
  }

  /* x^y for y a multiple of a quarter, not 0; of x >= 0 where it is no integer. */
  Value *power_of_magnitude(Value *x, double y) {
    const double magnitude = std::fabs(y), whole = std::floor(magnitude);
    const double quarters = (magnitude - whole) * 4;
    const bool inverts = y < 0;
    if (quarters != std::floor(quarters) || magnitude > (inverts ? most_inverse_power() : most_power())) return nullptr;
    if (quarters == 0) return product(inverts ? inverse(x) : x, unsigned(whole));
    if (is_half()) return nullptr;
    if (!inverts) {
      return whole <= 8 ? power_with_quarters(x, unsigned(whole), unsigned(quarters)) : nullptr;
    }
    /* x^n could overflow where the result is a number yet. */
    if (whole == 0) return inverse(power_with_quarters(x, 0, unsigned(quarters)));
    if (quarters != 2 || whole > 2) return nullptr;
    return product(inverse(square_root(x)), 2 * unsigned(whole) + 1);
  }

  /* Zero and infinity have the sign of odd powers only. */
  Value *power(Value *x, double y) {
    if (y == std::floor(y)) return power_of_magnitude(x, y);
    Value *result = power_of_magnitude(without_negative_zero(x), y);
    if (!result || builder_.getFastMathFlags().noInfs()) return result;
    Value *is_infinite = builder_.CreateFCmpOEQ(x, ConstantFP::getInfinity(type_, /*Negative=*/true));
    return builder_.CreateSelect(is_infinite, y > 0 ? infinity() : number(0), result);
  }

  Value *power_of_positive(Value *x, double y) {
    Value *result = power_of_magnitude(without_negative_zero(x), y);
    if (!result || y != std::floor(y) || builder_.getFastMathFlags().noNaNs()) return result;
    return builder_.CreateSelect(builder_.CreateFCmpOLT(x, number(0)), ConstantFP::getNaN(type_), result);
  }

  /* c^y for c of 10, or 2^k where k y is exact. */
  Value *power_of_constant(Value *base, Value *y) {
    std::optional<double> c = constant_number(base);
    if (!c) return nullptr;
    if (*c == 1) return number(1);
    if (*c == 10) return call_builtin("exp10", {y});
    std::optional<int> k = exponent_of_power(*c);
    if (!k || !exponent_of_power(std::abs(*k))) return nullptr;
    if (*k != 1) y = *k == -1 ? builder_.CreateFNeg(y) : builder_.CreateFMul(y, number(*k));
    if (Value *exact = exp2_of_integer(y)) return exact;
    return call_builtin("exp2", {y});
  }

  Value *root(Value *x, int degree) {
    if (is_half()) return nullptr;
    const bool inverts = degree < 0;
    Value *result = nullptr;
    switch (std::abs(degree)) {
      case 1: result = x; break;
      case 2: result = square_root(without_negative_zero(x)); break;
      case 3: result = call_builtin("cbrt", {x}); break;
      case 4: result = square_root(square_root(without_negative_zero(x))); break;
      default: return nullptr;
    }
    return inverts ? inverse(result) : result;
  }

  /* 2^n of an integer, which is exact, for floats: doubles have no faster form. */
  Value *exp2_of_integer(Value *x) {
    std::optional<Converted> converted = converted_integer(x);
    if (!converted || !type_->getScalarType()->isFloatTy()) return nullptr;
    auto [n, is_signed] = *converted;
    /* Beyond these, powers are infinity or zero in any case, and LowerLdexpPass takes no others. */
    Type *type = n->getType();
    if (type->getScalarSizeInBits() > 8) {
      n = builder_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, n,
                                         ConstantInt::get(type, most_exponent));
      if (is_signed)
        n = builder_.CreateBinaryIntrinsic(Intrinsic::smax, n, ConstantInt::getSigned(type, -most_exponent));
    }
    n = builder_.CreateIntCast(n, type->getWithNewType(builder_.getInt32Ty()), is_signed);
    return builder_.CreateIntrinsic(Intrinsic::ldexp, {type_, n->getType()}, {number(1), n});
  }

  /* The remainder of x by 2^k, k >= 0: both the multiple of 2^k and the difference are exact. */
  Value *remainder(Value *x, double divisor) {
    std::optional<int> k = exponent_of_power(divisor);
    const int most = 100;
    if (!k || *k < 0 || *k > most || is_half()) return nullptr;
    IRBuilder<>::FastMathFlagGuard guard(builder_);
    FastMathFlags flags = builder_.getFastMathFlags();
    flags.setAllowReassoc(false);
    builder_.setFastMathFlags(flags);
    Value *quotient = *k ? builder_.CreateFMul(x, number(1 / divisor)) : x;
    Value *multiple = builder_.CreateUnaryIntrinsic(Intrinsic::trunc, quotient);
    if (*k) multiple = builder_.CreateFMul(multiple, number(divisor));
    Value *rest = builder_.CreateFSub(x, multiple);
    return flags.noSignedZeros() ? rest : builder_.CreateBinaryIntrinsic(Intrinsic::copysign, rest, x);
  }

  /* How the Itanium ABI writes the type of the call with elements of another type. */
  std::string mangle(Type *element) const {
    const char *letter = element->isFloatTy() ? "f" : element->isDoubleTy() ? "d" : element->isHalfTy() ? "Dh" : "i";
    auto *vector = dyn_cast<FixedVectorType>(type_);
    return vector ? ("Dv" + Twine(vector->getNumElements()) + "_" + letter).str() : letter;
  }

  Value *call_builtin(StringRef name, ArrayRef<Value *> arguments) {
    std::string symbol = ("_Z" + Twine(name.size()) + name).str();
    SmallVector<Type *, 2> types;
    for (Value *argument : arguments) {
      types.push_back(argument->getType());
      symbol += mangle(argument->getType()->getScalarType());
    }
    Module &module = *call_.getModule();
    Function *callee = call_.getCalledFunction();
    FunctionCallee target = module.getOrInsertFunction(symbol, FunctionType::get(type_, types, false));
    auto *function = cast<Function>(target.getCallee());
    function->setCallingConv(callee->getCallingConv());
    function->addFnAttrs(AttrBuilder(module.getContext(), callee->getAttributes().getFnAttrs()));
    CallInst *call = builder_.CreateCall(target, arguments);
    call->setCallingConv(callee->getCallingConv());
    call->setAttributes(AttributeList::get(module.getContext(), call_.getAttributes().getFnAttrs(), {}, {}));
    return call;
  }

  CallInst &call_;
  IRBuilder<> builder_;
  Type *type_;
  MDNode *division_accuracy_ = nullptr;
};

using Calls = SmallVector<std::pair<CallInst *, Math>, 16>;

Calls find_calls(Module &module) {
  Calls calls;
  for (Function &function : module) {
    const Math math = math_function(function);
    if (math == Math::none || !has_types(function, math)) continue;
    for (User *user : function.users()) {
      auto *call = dyn_cast<CallInst>(user);
      if (call && call->getCalledFunction() == &function) calls.push_back({call, math});
    }
  }
  return calls;
}

/* Brings constants from variables to the calls. */
bool simplify_callers(Module &module, ModuleAnalysisManager &analyses) {
  SmallPtrSet<Function *, 8> callers;
  for (auto [call, math] : find_calls(module)) {
    const bool is_loaded = any_of(call->args(), [](const Use &argument) { return isa<Instruction>(argument); });
    if (is_loaded) callers.insert(call->getFunction());
  }
  if (callers.empty()) return false;
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass());
  for (Function &function : module) {
    if (callers.contains(&function)) functions.invalidate(function, passes.run(function, functions));
  }
  return true;
}

}  // namespace

PreservedAnalyses FoldLibraryCallsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  bool changed = simplify_callers(module, analyses);
  const Calls calls = find_calls(module);
  const bool exact = !calls.empty() && divides_exactly(module);
  for (auto [call, math] : calls) {
    Value *value = Folder(*call, exact).fold(math);
    if (!value) continue;
    if (isa<Instruction>(value) && !value->hasName()) value->takeName(call);
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace quern

extern "C" compiler_result_t passes_fold_library_calls(passes_t *passes, text_t *log) {
  if (quern::find_calls(*unwrap(passes->module)).empty()) return compiler_success;
  return passes_run(passes, "fold-library-calls", false, log);
}
