/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Work-item ids and sizes as arguments of the functions that ask for them. */
#include "compiler/passes/work_item_arguments.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/passes/function_bodies.hpp"
#include "compiler/passes/group_functions.hpp"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

namespace {

/* A work-item function and its dimension, which get_work_dim ignores. */
struct Query {
  Function *function;
  int dimension;

  Type *type() const { return function->getReturnType(); }
  bool operator==(const Query &other) const { return function == other.function && dimension == other.dimension; }
};

using Queries = SmallVector<Query, 4>;

void add(Queries &queries, ArrayRef<Query> more) {
  for (const Query &query : more) {
    if (!is_contained(queries, query)) queries.push_back(query);
  }
}

Query query_of(const CallBase &call) {
  return {call.getCalledFunction(), call.arg_empty() ? 0 : constant_dimension(call)};
}

/* The functions that get arguments, with what they and their callees ask for. */
class QueryCollector {
 public:
  explicit QueryCollector(Module &module) {
    CallGraph graph(module);
    for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc) {
      for (CallGraphNode *node : *scc) {
        Function *function = node->getFunction();
        if (function && !function->isDeclaration()) visit(*node, *function, scc.hasCycle());
      }
    }
  }

  MapVector<Function *, Queries> queries;

 private:
  void visit(CallGraphNode &node, Function &function, bool is_recursive) {
    bool is_inlined = false;
    Queries found;
    for (const auto &edge : node) {
      Function *callee = edge.second->getFunction();
      is_inlined |= inlined_.contains(callee);
      auto known = queries.find(callee);
      if (known != queries.end()) add(found, known->second);
    }
    if (needs_work_group(function)) {
      is_inlined |= !needs_only_position(function);
      for (Instruction &instruction : instructions(function)) {
        if (work_item_call(&instruction) != WorkItem::none) add(found, query_of(cast<CallBase>(instruction)));
      }
    }
    if (found.empty() && !is_inlined) return;
    if (is_inlined || is_recursive || is_kernel(function) || !is_only_called(function)) {
      inlined_.insert(&function);
    } else {
      queries[&function] = found;
    }
  }

  SmallPtrSet<Function *, 16> inlined_;
};

/* Functions with more arguments, and which of these is what. */
class ArgumentAdder {
 public:
  explicit ArgumentAdder(MapVector<Function *, Queries> &queries) : queries_(queries) {}

  void run() {
    for (auto &[function, queries] : queries_) extend(*function, queries);
    for (auto &[function, queries] : queries_) replace_calls(*function, queries);
    for (auto &[function, queries] : queries_) {
      replace_queries(*extended_[function]);
      function->eraseFromParent();
    }
  }

 private:
  void extend(Function &function, ArrayRef<Query> queries) {
    SmallVector<Type *, 16> types(function.getFunctionType()->params());
    for (const Query &query : queries) types.push_back(query.type());
    auto *type = FunctionType::get(function.getReturnType(), types, /*isVarArg=*/false);
    Function *extended = Function::Create(type, function.getLinkage(), function.getAddressSpace());
    function.getParent()->getFunctionList().insert(function.getIterator(), extended);
    extended->setComdat(function.getComdat());
    move_body(function, *extended);
    for (unsigned i = 0; i < queries.size(); i++) {
      extended->getArg(function.arg_size() + i)->setName(queries[i].function->getName());
      known_[extended].push_back({queries[i], extended->getArg(function.arg_size() + i)});
    }
    extended_[&function] = extended;
  }

  /* What a function knows of a query's answer, or null. */
  Argument *find(Function *function, const Query &query) {
    for (auto &[known, argument] : known_[function]) {
      if (known == query) return argument;
    }
    return nullptr;
  }

  Value *ask(CallInst &before, const Query &query) {
    if (Argument *known = find(before.getFunction(), query)) return known;
    IRBuilder<> builder(&before);
    SmallVector<Value *, 1> arguments;
    if (query.function->arg_size()) {
      arguments.push_back(ConstantInt::get(query.function->getArg(0)->getType(), uint64_t(query.dimension)));
    }
    CallInst *call = builder.CreateCall(query.function, arguments);
    call->setCallingConv(query.function->getCallingConv());
    return call;
  }

  void replace_calls(Function &function, ArrayRef<Query> queries) {
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      SmallVector<Value *, 16> arguments(call->args());
      for (const Query &query : queries) arguments.push_back(ask(*call, query));
      SmallVector<OperandBundleDef, 1> bundles;
      call->getOperandBundlesAsDefs(bundles);
      CallInst *longer = CallInst::Create(extended_[&function], arguments, bundles, "", call->getIterator());
      longer->setCallingConv(call->getCallingConv());
      longer->setAttributes(call->getAttributes());
      longer->setTailCallKind(call->getTailCallKind());
      longer->copyMetadata(*call);
      longer->takeName(call);
      call->replaceAllUsesWith(longer);
      call->eraseFromParent();
    }
  }

  void replace_queries(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      if (work_item_call(&instruction) == WorkItem::none) continue;
      Argument *known = find(&function, query_of(cast<CallBase>(instruction)));
      assert(known && "a function has an argument for each of its queries");
      instruction.replaceAllUsesWith(known);
      instruction.eraseFromParent();
    }
  }

  MapVector<Function *, Queries> &queries_;
  DenseMap<Function *, Function *> extended_;
  DenseMap<Function *, SmallVector<std::pair<Query, Argument *>, 4>> known_;
};

}  // namespace

uint64_t quern::count_inlined_instructions(Module &module) {
  CallGraph graph(module);
  DenseMap<Function *, uint64_t> sizes; /* of those that would be inlined */
  uint64_t total = 0;
  for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    for (CallGraphNode *node : *scc) {
      Function *function = node->getFunction();
      if (!function || function->isDeclaration()) continue;
      uint64_t size = function->getInstructionCount();
      bool is_inlined = needs_work_group(*function);
      for (const auto &edge : *node) {
        auto known = sizes.find(edge.second->getFunction());
        if (known == sizes.end()) continue;
        is_inlined = true;
        size = SaturatingAdd(size, known->second);
      }
      if (is_kernel(*function)) {
        total = SaturatingAdd(total, size);
      } else if (is_inlined) {
        sizes[function] = size;
      }
    }
  }
  return total;
}

void quern::add_work_item_arguments(Module &module) {
  QueryCollector collector(module);
  ArgumentAdder(collector.queries).run();
}
