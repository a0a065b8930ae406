/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Addresses as linear expressions, to find constant distances between them. */
#ifndef COMPILER_PASSES_VECTORIZE_ANALYSIS_LINEAR_ADDRESSES_HPP
#define COMPILER_PASSES_VECTORIZE_ANALYSIS_LINEAR_ADDRESSES_HPP

#include <map>
#include <optional>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace quern {

/** Writes integers and addresses as linear expressions of other values, and caches these. Equal expressions prove equal
 * values, but equal values may have different expressions. The IR must not change while the object exists. distance()
 * corresponds to ScalarEvolution's getMinusSCEV() with a constant result. */
class LinearAddresses {
 public:
  explicit LinearAddresses(const llvm::DataLayout &layout) : layout_(layout) {}

  /** `to` - `from` in bytes if it is a compile-time constant, else empty. */
  std::optional<int64_t> distance(const llvm::Value *from, const llvm::Value *to);
  /** The constant term of the expression for `address`. */
  int64_t constant_term(const llvm::Value *address) { return int64_t(expression(address).constant); }

 private:
  /** A value and 0; or null and the number of an opaque term. */
  using Term = std::pair<const llvm::Value *, uint64_t>;
  /** Sum of the terms times their coefficients, plus the constant, modulo 2 to the bit width of the value. */
  struct LinearExpression {
    std::map<Term, uint64_t> coefficients;
    uint64_t constant = 0;
  };

  const LinearExpression &expression(const llvm::Value *value);
  LinearExpression build(const llvm::Value *value);
  LinearExpression build_address(const llvm::GEPOperator &address);
  LinearExpression build_operation(const llvm::BinaryOperator &operation);
  LinearExpression build_extension(const llvm::CastInst &extension);
  LinearExpression build_opaque(LinearExpression operand, unsigned bits, uint64_t mask_or_extension);
  static void add_scaled(LinearExpression &to, const LinearExpression &other, uint64_t factor);
  static void truncate(LinearExpression &expression, unsigned bits);

  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::Value *, std::unique_ptr<LinearExpression>> expressions_;
  /** Numbers of the opaque terms: results of extensions and masks, which are not linear in the operand. The key is the
   * operation and the operand's expression, so that equal operations share a term. */
  std::map<std::vector<uint64_t>, uint64_t> opaque_terms_;
};

}  // namespace quern

#endif
