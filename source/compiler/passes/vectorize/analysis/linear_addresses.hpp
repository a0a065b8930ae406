/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Addresses as sums, to tell how far apart two of them are. */
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

/** Writes integers and addresses as sums of multiples of other values and a constant, and remembers them. Values that
 * are the same are not always found to be so. */
class LinearAddresses {
 public:
  explicit LinearAddresses(const llvm::DataLayout &layout) : linearization_(layout) {}

  /** `to` - `from` in bytes, where that is the same whatever the values are. */
  std::optional<int64_t> distance(const llvm::Value *from, const llvm::Value *to);
  /** What is constant in the sum that `address` is. */
  int64_t constant(const llvm::Value *address) { return int64_t(sum(address).rest); }

 private:
  /** A value, or (where it is null) a part of a sum that has a number here. */
  using Term = std::pair<const llvm::Value *, uint64_t>;
  /** Modulo two to the number of bits of the value that it is. */
  struct Sum {
    std::map<Term, uint64_t> terms;
    uint64_t rest = 0;
  };

  const Sum &sum(const llvm::Value *value);
  Sum make_sum(const llvm::Value *value);
  Sum address(const llvm::GEPOperator &address);
  Sum operation(const llvm::BinaryOperator &operation);
  Sum extension(const llvm::CastInst &extension);
  Sum part(Sum whole, unsigned bits, uint64_t what);
  static void add(Sum &to, const Sum &other, uint64_t times);
  static void cut(Sum &sum, unsigned bits);

  const llvm::DataLayout &linearization_;
  llvm::DenseMap<const llvm::Value *, std::unique_ptr<Sum>> sums_;
  std::map<std::vector<uint64_t>, uint64_t> parts_;
};

}  // namespace quern

#endif
