/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Lowering of printf: the call's record is built on the stack and passed to the target's runtime. */
#include "compiler/passes/printf.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/work_items.hpp"
extern "C" {
#include "base/memory.h"
#include "compiler/printf.h"
}

using namespace llvm;

namespace quern {
namespace {

/* Index of a string in the program's table; -1 when out of memory. */
int string_index(passes_t *passes, StringRef text) {
  for (size_t i = 0; i < passes->printf_string_count; i++) {
    if (text == passes->printf_strings[i]) return int(i);
  }
  if (!array_reserve(&passes->printf_strings, &passes->printf_string_capacity, passes->printf_string_count + 1,
                     sizeof(char *))) {
    return -1;
  }
  char *copy = strdup(text.str().c_str());
  if (!copy) return -1;
  passes->printf_strings[passes->printf_string_count] = copy;
  return int(passes->printf_string_count++);
}

/* At -O0 the front end passes strings through private variables: looks through a load of an alloca with one store. */
Value *look_through_slot(Value *value) {
  value = value->stripPointerCasts();
  auto *load = dyn_cast<LoadInst>(value);
  auto *slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()->stripPointerCasts()) : nullptr;
  if (!slot) return value;
  Value *stored = nullptr;
  for (User *user : slot->users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (!store || store->getPointerOperand() != slot) continue;
    if (stored) return value;
    stored = store->getValueOperand();
  }
  return stored ? stored->stripPointerCasts() : value;
}

bool constant_text(Value *value, StringRef &text) { return getConstantStringInfo(look_through_slot(value), text); }

/* An argument and the header of its entry in the record; `limit` is a string pointer's second element. */
struct PrintfArgument {
  Value *value;
  printf_arg_t header;
  Value *limit = nullptr;
};

printf_arg_t make_header(unsigned kind, unsigned element_size, unsigned count) {
  printf_arg_t header = {};
  header.kind = uint8_t(kind);
  header.element_size = uint8_t(element_size);
  header.element_count = uint8_t(count);
  header.data_size = uint32_t(alignTo(element_size * (count == 3 ? 4 : count), 8));
  return header;
}

/* Of a format, what its arguments depend on: a char pointer is a string if its letter is `s`, and need not end before
 * its precision. */
struct Conversion {
  char letter;
  uint64_t precision;
};

uint64_t precision_of(StringRef conversion) {
  uint64_t precision = UINT64_MAX;
  const size_t point = conversion.find('.');
  if (point == StringRef::npos) return precision;
  /* A point alone means 0; digits that are too many for a number, no bound. */
  conversion = conversion.substr(point + 1).take_while(isDigit);
  if (conversion.empty()) return 0;
  return conversion.getAsInteger(10, precision) ? UINT64_MAX : precision;
}

SmallVector<Conversion, 8> conversions_of(StringRef format) {
  SmallVector<Conversion, 8> conversions;
  for (size_t i = 0; i < format.size(); i++) {
    if (format[i] != '%') continue;
    size_t end = format.find_first_of("diouxXfFeEgGaAcspn%", i + 1);
    if (end == StringRef::npos) break;
    if (format[end] != '%') conversions.push_back({format[end], precision_of(format.slice(i + 1, end))});
    i = end;
  }
  return conversions;
}

PrintfArgument make_argument(passes_t *passes, Value *value, Conversion conversion, IRBuilder<> &builder) {
  Type *type = value->getType();
  Type *element = type->getScalarType();
  unsigned count = 1;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) count = vector->getNumElements();
  if (type->isPointerTy()) {
    StringRef text;
    if (conversion.letter != 's') return {value, make_header(printf_arg_pointer, 8, 1)};
    if (!constant_text(value, text)) {
      return {value, make_header(printf_arg_string_pointer, 8, 2), builder.getInt64(conversion.precision)};
    }
    return {builder.getInt64(uint64_t(string_index(passes, text))), make_header(printf_arg_string, 8, 1)};
  }
  unsigned kind = element->isFloatingPointTy() ? printf_arg_float : printf_arg_integer;
  return {value, make_header(kind, element->getScalarSizeInBits() / 8, count)};
}

Value *store_record(CallBase &call, unsigned format, ArrayRef<PrintfArgument> arguments, uint64_t &size,
                    IRBuilder<> &builder) {
  size = sizeof(printf_record_t);
  for (const PrintfArgument &argument : arguments) size += sizeof(printf_arg_t) + argument.header.data_size;
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  IRBuilder<> at_entry(&entry, entry.begin());
  AllocaInst *record = at_entry.CreateAlloca(ArrayType::get(builder.getInt64Ty(), size / 8), nullptr, "record");
  record->setAlignment(Align(8));
  auto store_at = [&](uint64_t offset, Value *value) {
    builder.CreateAlignedStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset),
                               Align(8));
  };
  store_at(0, builder.getInt64(size | uint64_t(format) << 32));
  const uint64_t strings = uint64_t(count_if(arguments, [](const PrintfArgument &argument) { return argument.limit; }));
  store_at(8, builder.getInt64(arguments.size() | strings << 32));
  uint64_t offset = sizeof(printf_record_t);
  for (const PrintfArgument &argument : arguments) {
    uint64_t header;
    memcpy(&header, &argument.header, sizeof(header));
    store_at(offset, builder.getInt64(header));
    offset += sizeof(printf_arg_t);
    store_at(offset, argument.value);
    if (argument.limit) store_at(offset + 8, argument.limit);
    offset += argument.header.data_size;
  }
  return record;
}

compiler_result_t lower_call(CallBase &call, Value &buffer, passes_t *passes, text_t *log) {
  StringRef format;
  if (!constant_text(call.getArgOperand(0), format)) {
    text_append(log, "error: the format of printf must be a string literal\n");
    return compiler_error_link_failure;
  }
  int index = string_index(passes, format);
  if (index < 0) return compiler_error_out_of_memory;

  IRBuilder<> builder(&call);
  SmallVector<Conversion, 8> conversions = conversions_of(format);
  const Conversion none = {'d', UINT64_MAX};
  SmallVector<PrintfArgument, 8> arguments;
  for (unsigned i = 1; i < call.arg_size(); i++) {
    arguments.push_back(
        make_argument(passes, call.getArgOperand(i), i <= conversions.size() ? conversions[i - 1] : none, builder));
  }
  uint64_t size = 0;
  Value *record = store_record(call, unsigned(index), arguments, size, builder);
  Type *pointer = builder.getPtrTy();
  FunctionCallee target = call.getModule()->getOrInsertFunction(
      "__quern_printf", FunctionType::get(builder.getVoidTy(), {pointer, pointer, builder.getInt64Ty()}, false));
  builder.CreateCall(target, {builder.CreateAddrSpaceCast(&buffer, pointer), record, builder.getInt64(size)});
  call.replaceAllUsesWith(ConstantInt::get(call.getType(), 0));
  call.eraseFromParent();
  return compiler_success;
}

/* Whether the user calls this function with a type that differs in the address space of the format only. */
bool differs_in_format_space(const User &user, const Function &printf) {
  auto *call = dyn_cast<CallBase>(&user);
  if (!call || call->getCalledOperand() != &printf) return false;
  FunctionType *type = call->getFunctionType(), *declared = printf.getFunctionType();
  auto takes_format = [](FunctionType &type) {
    return type.isVarArg() && type.getNumParams() == 1 && type.getParamType(0)->isPointerTy();
  };
  return type != declared && type->getReturnType() == declared->getReturnType() && takes_format(*type) &&
         takes_format(*declared);
}

}  // namespace

void unify_printf(Module &module) {
  Function *printf = module.getFunction("printf");
  if (!is_printf(printf)) return;
  for (User *user : make_early_inc_range(printf->users())) {
    if (!differs_in_format_space(*user, *printf)) continue;
    auto *call = cast<CallBase>(user);
    IRBuilder<> builder(call);
    Type *format = printf->getFunctionType()->getParamType(0);
    call->setArgOperand(0, builder.CreateAddrSpaceCast(call->getArgOperand(0), format));
    call->setCalledFunction(printf);
  }
}

compiler_result_t lower_printf(Function &function, Value &buffer, passes_t *passes, text_t *log) {
  SmallVector<CallBase *, 8> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && is_printf(call->getCalledFunction())) calls.push_back(call);
  }
  for (CallBase *call : calls) {
    compiler_result_t result = lower_call(*call, buffer, passes, log);
    if (result != compiler_success) return result;
  }
  return compiler_success;
}

}  // namespace quern
