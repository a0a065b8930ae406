/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Program information from the front end's metadata. */
#include <deque>
#include <string>
#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/work_items.hpp"

using namespace llvm;
using namespace quern;

namespace {

/* Owns the strings and arrays that a program_info_t points to until it is encoded. */
class Description {
 public:
  explicit Description(const passes_t &passes);
  const program_info_t &info() const { return info_; }

 private:
  const char *keep(std::string text) { return strings_.emplace_back(std::move(text)).c_str(); }
  program_kernel_info_t describe_kernel(const kernel_work_t &kernel);
  program_arg_info_t describe_arg(const Function &function, const kernel_parameter_t &parameter, unsigned index);

  std::deque<std::string> strings_;
  std::deque<std::vector<program_arg_info_t>> args_;
  std::vector<program_kernel_info_t> kernels_;
  program_info_t info_ = {};
};

std::string text_operand(const Function &function, const char *kind, unsigned index) {
  const MDNode *node = function.getMetadata(kind);
  if (!node || index >= node->getNumOperands()) return "";
  auto *text = dyn_cast<MDString>(node->getOperand(index));
  return text ? text->getString().str() : "";
}

program_address_qualifier_e address_qualifier(uint64_t address_space) {
  switch (address_space) {
    case 1: return program_address_global;
    case 2: return program_address_constant;
    case 3: return program_address_local;
    default: return program_address_private;
  }
}

uint32_t type_qualifiers(StringRef text) {
  uint32_t bits = 0;
  SmallVector<StringRef, 4> words;
  text.split(words, ' ', -1, false);
  for (StringRef word : words) {
    if (word == "const") bits |= program_type_qualifier_const;
    if (word == "restrict") bits |= program_type_qualifier_restrict;
    if (word == "volatile") bits |= program_type_qualifier_volatile;
    if (word == "pipe") bits |= program_type_qualifier_pipe;
  }
  return bits;
}

program_access_qualifier_e access_qualifier(StringRef text) {
  if (text == "read_only") return program_access_read_only;
  if (text == "write_only") return program_access_write_only;
  if (text == "read_write") return program_access_read_write;
  return program_access_none;
}

/* OpenCL C's name of the type in vec_type_hint. */
std::string hint_type_name(const Function &function) {
  const MDNode *node = function.getMetadata("vec_type_hint");
  auto *value = node && node->getNumOperands() == 2 ? dyn_cast<ValueAsMetadata>(node->getOperand(0)) : nullptr;
  if (!value) return "";
  Type *element = value->getType()->getScalarType();
  std::string name;
  if (element->isHalfTy()) name = "half";
  if (element->isFloatTy()) name = "float";
  if (element->isDoubleTy()) name = "double";
  if (element->isIntegerTy()) {
    bool is_signed = number_operand(function, "vec_type_hint", 1);
    unsigned bits = element->getIntegerBitWidth();
    name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
    if (!is_signed) name = "u" + name;
  }
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType())) name += std::to_string(vector->getNumElements());
  return name;
}

/* "reqd_work_group_size(8,1,1) vec_type_hint(float4)" */
std::string attributes(const Function &function) {
  std::string text;
  for (const char *kind : {"reqd_work_group_size", "work_group_size_hint"}) {
    if (!function.getMetadata(kind)) continue;
    if (!text.empty()) text += ' ';
    text += std::string(kind) + "(" + std::to_string(number_operand(function, kind, 0)) + "," +
            std::to_string(number_operand(function, kind, 1)) + "," +
            std::to_string(number_operand(function, kind, 2)) + ")";
  }
  if (function.getMetadata("intel_reqd_sub_group_size")) {
    if (!text.empty()) text += ' ';
    text +=
        "intel_reqd_sub_group_size(" + std::to_string(number_operand(function, "intel_reqd_sub_group_size", 0)) + ")";
  }
  std::string hint = hint_type_name(function);
  if (!hint.empty()) text += (text.empty() ? "vec_type_hint(" : " vec_type_hint(") + hint + ")";
  return text;
}

program_arg_info_t Description::describe_arg(const Function &function, const kernel_parameter_t &parameter,
                                             unsigned index) {
  program_arg_info_t arg = {};
  arg.kind = parameter.kind;
  arg.size = parameter.size;
  arg.address_qualifier = address_qualifier(number_operand(function, "kernel_arg_addr_space", index));
  arg.access_qualifier = access_qualifier(text_operand(function, "kernel_arg_access_qual", index));
  arg.type_qualifiers = type_qualifiers(text_operand(function, "kernel_arg_type_qual", index));
  arg.base_type = keep(text_operand(function, "kernel_arg_base_type", index));
  /* Clang writes names under -cl-kernel-arg-info only, types always; without the option neither is available (OpenCL
   * API, clGetKernelArgInfo). */
  if (!function.hasMetadata("kernel_arg_name")) {
    arg.type_name = arg.name = "";
    return arg;
  }
  arg.type_name = keep(text_operand(function, "kernel_arg_type", index));
  arg.name = keep(text_operand(function, "kernel_arg_name", index));
  return arg;
}

program_kernel_info_t Description::describe_kernel(const kernel_work_t &kernel) {
  const Function &function = *unwrap<Function>(kernel.function);
  program_kernel_info_t out = {};
  out.name = kernel.name;
  out.attributes = keep(attributes(function));
  for (unsigned d = 0; d < 3; d++) {
    out.reqd_work_group_size[d] = number_operand(function, "reqd_work_group_size", d);
    out.work_group_size_hint[d] = number_operand(function, "work_group_size_hint", d);
  }
  out.reqd_sub_group_size = kernel.reqd_sub_group_size;
  out.reqd_sub_group_count = uint32_t(number_operand(function, "reqd_num_sub_groups", 0));
  out.local_memory_size = kernel.local_size;
  out.uses_printf = kernel.uses_printf;
  out.arg_count = uint32_t(kernel.parameter_count);
  auto &args = args_.emplace_back();
  for (unsigned i = 0; i < out.arg_count; i++) args.push_back(describe_arg(function, kernel.parameters[i], i));
  out.args = args.data();
  return out;
}

Description::Description(const passes_t &passes) {
  for (size_t i = 0; i < passes.kernel_count; i++) kernels_.push_back(describe_kernel(passes.kernels[i]));
  info_.has_constructors = passes.has_constructors;
  info_.kernel_count = uint32_t(kernels_.size()) - info_.has_constructors;
  info_.kernels = kernels_.data();
  info_.printf_string_count = uint32_t(passes.printf_string_count);
  info_.printf_strings = const_cast<const char **>(passes.printf_strings);
  const Module &module = *unwrap(passes.module);
  for (const GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != 1 || variable.isDeclaration() || variable.hasAppendingLinkage()) continue;
    if (variable.hasLocalLinkage() && variable.use_empty()) continue; /* Clang emits unused variables in SPIR-V */
    info_.global_variable_size += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  }
}

}  // namespace

/* Encoding and decoding makes a copy that outlives the module. */
extern "C" program_info_t *passes_describe(const passes_t *passes) {
  Description description(*passes);
  void *data = nullptr;
  size_t size = 0;
  if (!program_info_encode(&description.info(), &data, &size)) return nullptr;
  program_info_t *info = program_info_decode(data, size);
  free(data);
  return info;
}
