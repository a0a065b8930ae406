/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Pipes: their instructions are the functions that the Clang front end calls (builtins/pipe.cl). */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "compiler/pipe.h"
#include "compiler/spirv/importer.h"

/* An instruction's function, and its operands in order: p pipe, i reservation, n number, a address; g is a scope, which
 * the function does not get. Packet size and alignment, always last, are two numbers. */
typedef struct pipe_call_t {
  const char *symbol;
  SpvAccessQualifier access;
  const char *operands;
} pipe_call_t;

enum { max_operands = 6 };
/* Of instructions that take a pipe of either kind: the function's name ends with the kind. */
static const SpvAccessQualifier any_access = SpvAccessQualifierReadWrite;
enum {
  call_read,
  call_write,
  call_reserved_read,
  call_reserved_write,
  call_reserve_read,
  call_reserve_write,
  call_commit_read,
  call_commit_write,
  call_packet_count,
  call_packet_limit,
  call_group_reserve_read,
  call_group_reserve_write,
  call_group_commit_read,
  call_group_commit_write,
  call_is_valid,
};

static const pipe_call_t calls[] = {
    [call_read] = {"__read_pipe_2", SpvAccessQualifierReadOnly, "pann"},
    [call_write] = {"__write_pipe_2", SpvAccessQualifierWriteOnly, "pann"},
    [call_reserved_read] = {"__read_pipe_4", SpvAccessQualifierReadOnly, "pinann"},
    [call_reserved_write] = {"__write_pipe_4", SpvAccessQualifierWriteOnly, "pinann"},
    [call_reserve_read] = {"__reserve_read_pipe", SpvAccessQualifierReadOnly, "pnnn"},
    [call_reserve_write] = {"__reserve_write_pipe", SpvAccessQualifierWriteOnly, "pnnn"},
    [call_commit_read] = {"__commit_read_pipe", SpvAccessQualifierReadOnly, "pinn"},
    [call_commit_write] = {"__commit_write_pipe", SpvAccessQualifierWriteOnly, "pinn"},
    [call_packet_count] = {"__get_pipe_num_packets_", SpvAccessQualifierReadWrite, "pnn"},
    [call_packet_limit] = {"__get_pipe_max_packets_", SpvAccessQualifierReadWrite, "pnn"},
    [call_group_reserve_read] = {"_reserve_read_pipe", SpvAccessQualifierReadOnly, "gpnnn"},
    [call_group_reserve_write] = {"_reserve_write_pipe", SpvAccessQualifierWriteOnly, "gpnnn"},
    [call_group_commit_read] = {"_commit_read_pipe", SpvAccessQualifierReadOnly, "gpinn"},
    [call_group_commit_write] = {"_commit_write_pipe", SpvAccessQualifierWriteOnly, "gpinn"},
    [call_is_valid] = {"_Z19is_valid_reserve_id13ocl_reserveid", SpvAccessQualifierReadWrite, "i"},
};

static bool is_reservation(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMTargetExtTypeKind && !strcmp(LLVMGetTargetExtTypeName(type), "spirv.ReserveId");
}

static uint32_t pipe_access(importer_t *im, uint32_t type) {
  return type_of_kind(im, type, SpvOpTypePipe, "a pipe")->definition[2];
}

static LLVMValueRef pipe_at(importer_t *im, const instruction_t *in, uint32_t index, SpvAccessQualifier access) {
  uint32_t has = pipe_access(im, operand_type(im, in, index));
  need(im, access == any_access || has == access, "the pipe has the access qualifier of the instruction");
  return operand_value(im, in, index);
}

static LLVMValueRef generic_address(importer_t *im, const instruction_t *in, uint32_t index) {
  uint32_t pointee;
  LLVMValueRef pointer = operand_pointer(im, in, index, &pointee);
  LLVMTypeRef generic = LLVMPointerTypeInContext(im->context, space_generic);
  return LLVMTypeOf(pointer) == generic ? pointer : LLVMBuildAddrSpaceCast(im->builder, pointer, generic, "");
}

static LLVMValueRef operand_of(importer_t *im, const instruction_t *in, uint32_t index, const pipe_call_t *call,
                               char kind) {
  if (kind == 'p') return pipe_at(im, in, index, call->access);
  if (kind == 'a') return generic_address(im, in, index);
  LLVMValueRef value = operand_value(im, in, index);
  if (kind == 'i') need(im, is_reservation(LLVMTypeOf(value)), "a reservation is wanted");
  if (kind == 'n') need(im, LLVMTypeOf(value) == LLVMInt32TypeInContext(im->context), "a number of 32 bits is wanted");
  return value;
}

/* Whose functions the scope asks for. */
static const char *group_prefix(importer_t *im, const instruction_t *in, uint32_t index) {
  uint64_t scope = constant_number(im, operand_word(im, in, index));
  need(im, scope == SpvScopeWorkgroup || scope == SpvScopeSubgroup, "the scope is the work-group or the sub-group");
  return scope == SpvScopeSubgroup ? "__sub_group" : "__work_group";
}

/* What the function gives; a bool and a number of packets are as the instruction has them. */
static LLVMTypeRef call_type(importer_t *im, const instruction_t *in, uint32_t which) {
  if (!in->type) return LLVMVoidTypeInContext(im->context);
  LLVMTypeRef type = result_type(im, in);
  bool reserves = which == call_reserve_read || which == call_reserve_write || which == call_group_reserve_read ||
                  which == call_group_reserve_write;
  if (reserves) {
    need(im, is_reservation(type), "the result is a reservation");
  } else if (which == call_is_valid) {
    need(im, type == LLVMInt1TypeInContext(im->context), "the result is a bool");
  } else {
    need(im, type == LLVMInt32TypeInContext(im->context), "the result is an integer of 32 bits");
  }
  return type;
}

static LLVMValueRef pipe_call(importer_t *im, const instruction_t *in, uint32_t which) {
  const pipe_call_t *call = &calls[which];
  LLVMTypeRef type = call_type(im, in, which);
  LLVMValueRef arguments[max_operands];
  unsigned count = 0;
  const char *prefix = "", *suffix = "";
  for (uint32_t i = 0, first = in->type ? 3 : 1; call->operands[i]; i++) {
    char kind = call->operands[i];
    if (kind == 'g') {
      prefix = group_prefix(im, in, first + i);
      continue;
    }
    arguments[count++] = operand_of(im, in, first + i, call, kind);
    if (kind == 'p' && call->access == any_access) {
      suffix = pipe_access(im, operand_type(im, in, first + i)) == SpvAccessQualifierReadOnly ? "ro" : "wo";
    }
  }
  char symbol[64];
  snprintf(symbol, sizeof(symbol), "%s%s%s", prefix, call->symbol, suffix);
  LLVMValueRef value = call_symbol(im, symbol, type, arguments, count);
  return in->type ? value : NULL;
}

/* A pipe of the program's own: global memory that begins with the header of an empty one. */
static LLVMValueRef pipe_storage(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  type_of_kind(im, in->type, SpvOpTypePipeStorage, "the type of pipe storage");
  uint32_t packet_size = in->words[3], capacity = in->words[5];
  need(im, packet_size > 0 && capacity > 0, "a pipe has at least one packet of one byte");
  uint64_t size = pipe_memory_size(packet_size, capacity);
  if (size > IMPORT_MAX_SIZE - im->variable_bytes) import_fail(im, "the module's variables are too large together");
  im->variable_bytes += size;
  uint64_t rest = size - offsetof(pipe_header_t, next_write);
  LLVMTypeRef number = LLVMInt32TypeInContext(im->context), wide = LLVMInt64TypeInContext(im->context);
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(im->context), offsetof(pipe_header_t, next_write) - 16);
  LLVMTypeRef zeros = LLVMArrayType2(LLVMInt8TypeInContext(im->context), rest);
  LLVMValueRef parts[] = {LLVMConstInt(number, packet_size, false), LLVMConstInt(number, capacity, false),
                          LLVMConstInt(wide, pipe_first_packet(capacity), false), LLVMConstNull(bytes),
                          LLVMConstNull(zeros)};
  LLVMValueRef content = LLVMConstStructInContext(im->context, parts, sizeof(parts) / sizeof(parts[0]), true);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(im->module, LLVMTypeOf(content), "", space_global);
  LLVMSetInitializer(variable, content);
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  LLVMSetAlignment(variable, pipe_packet_alignment);
  return variable;
}

/* The passes make one type of storage and pipe (passes/opaque_types.cpp). */
static LLVMValueRef pipe_of_storage(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  bool reads = pipe_access(im, in->type) == SpvAccessQualifierReadOnly;
  type_of_kind(im, operand_type(im, in, 3), SpvOpTypePipeStorage, "pipe storage");
  LLVMValueRef storage = operand_value(im, in, 3);
  return call_symbol(im, reads ? "__quern_pipe_readable" : "__quern_pipe_writable", result_type(im, in), &storage, 1);
}

static const rule_t outside_table[] = {{SpvOpConstantPipeStorage, 6, pipe_storage, 0}};
RULES(pipe_storage_rules, outside_table);

static const rule_t table[] = {
    {SpvOpReadPipe, 7, pipe_call, call_read},
    {SpvOpWritePipe, 7, pipe_call, call_write},
    {SpvOpReservedReadPipe, 9, pipe_call, call_reserved_read},
    {SpvOpReservedWritePipe, 9, pipe_call, call_reserved_write},
    {SpvOpReserveReadPipePackets, 7, pipe_call, call_reserve_read},
    {SpvOpReserveWritePipePackets, 7, pipe_call, call_reserve_write},
    {SpvOpCommitReadPipe, 5, pipe_call, call_commit_read},
    {SpvOpCommitWritePipe, 5, pipe_call, call_commit_write},
    {SpvOpIsValidReserveId, 4, pipe_call, call_is_valid},
    {SpvOpGetNumPipePackets, 6, pipe_call, call_packet_count},
    {SpvOpGetMaxPipePackets, 6, pipe_call, call_packet_limit},
    {SpvOpGroupReserveReadPipePackets, 8, pipe_call, call_group_reserve_read},
    {SpvOpGroupReserveWritePipePackets, 8, pipe_call, call_group_reserve_write},
    {SpvOpGroupCommitReadPipe, 6, pipe_call, call_group_commit_read},
    {SpvOpGroupCommitWritePipe, 6, pipe_call, call_group_commit_write},
    {SpvOpCreatePipeFromPipeStorage, 4, pipe_of_storage, 0},
};
RULES(pipe_rules, table);
