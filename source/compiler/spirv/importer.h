/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The importer's state, and what the files of instruction groups share.
 *
 * Every group has a table of rules, one per instruction: the least number of words, and a handler that returns the
 * result (null when the instruction has none). A handler may read the words that the rule promises without asking; all
 * else goes through the accessors below, which check. A module's first error ends its import: import_fail does not
 * return. So a handler that returns has built what LLVM accepts. */
#ifndef COMPILER_SPIRV_IMPORTER_H
#define COMPILER_SPIRV_IMPORTER_H

#include <setjmp.h>
#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/spirv/newer.h"
#include "compiler/spirv/spirv.h"

enum {
  /** Universal limits (specification section 2.17) or above. */
  import_max_bound = 0x3fffff,
  import_max_nesting = 255,
  import_max_parameters = 255,
  /** Values of more parts than this are for memory, not for loading at once. */
  import_max_parts = 4096,
  /** Parts of values that are copied one by one, in a module. */
  import_max_copied_parts = 1 << 22,
  /** Parameters and execution modes, counted for each entry point, since many may have one function. */
  import_max_described = 1 << 20,
  /** Edges of control flow, counted for each phi. */
  import_max_phi_edges = 1 << 24,
  /** Opcodes are below. */
  import_opcode_count = 8192,
};

/** Bytes of one variable, of all variables of a module. */
#define IMPORT_MAX_SIZE (UINT64_C(1) << 30)

typedef struct instruction_t {
  SpvOp opcode;
  uint32_t count;
  /** words[0] holds opcode and count. */
  const uint32_t *words;
  /** Ids; 0 when the instruction has none. */
  uint32_t type, result;
} instruction_t;

typedef struct execution_mode_t {
  struct execution_mode_t *next;
  instruction_t instruction;
} execution_mode_t;

typedef enum id_kind_e {
  id_unknown,
  id_type,
  id_value,
  id_function,
  id_block,
  id_string,
  id_set,
  id_group,
  /** An instruction of a set of debug information. */
  id_debug,
} id_kind_e;

/** What a decoration or execution mode says, as a list per id. */
typedef struct decoration_t {
  struct decoration_t *next;
  SpvDecoration kind;
  /** Member of a struct type, or -1. */
  int64_t member;
  const uint32_t *operands;
  uint32_t count;
} decoration_t;

typedef struct import_id_t {
  id_kind_e kind;
  /** Nesting of a type; of a constant that LLVM has not folded, of its operations. */
  uint32_t depth;
  /** The defining instruction; null when the id has none. */
  const uint32_t *definition;
  /** Values: the id of the type. */
  uint32_t type;
  /** Types: number of scalars, saturating, at least 1. Extended instruction sets: set_e. Functions: kernels that they
   * are. Blocks: which one of the function it is. */
  uint32_t parts;
  /** Types: bytes, saturating; 0 when the size is not known. */
  uint64_t size;
  union {
    LLVMTypeRef type;
    LLVMValueRef value;
    LLVMBasicBlockRef block;
    LLVMMetadataRef metadata;
  } llvm;
  const char *name;
  decoration_t *decorations;
  /** Built-in variables: which one; null for all else. */
  struct builtin_variable_t *builtin;
  /** Functions that are entry points. */
  execution_mode_t *modes;
  /** Functions: the id of what describes them to debuggers. */
  uint32_t debug;
  /** Imported functions that are LLVM intrinsics, see intrinsics.h; null for all else. */
  const struct intrinsic_t *intrinsic;
} import_id_t;

typedef enum set_e { set_opencl_std, set_opencl_debug, set_shader_debug, set_ignored } set_e;

struct importer_t;
typedef LLVMValueRef (*handler_t)(struct importer_t *im, const instruction_t *in, uint32_t data);

typedef struct rule_t {
  SpvOp opcode;
  uint32_t minimum;
  handler_t handler;
  uint32_t data;
} rule_t;

typedef struct rules_t {
  const rule_t *rules;
  size_t count;
} rules_t;

#define RULES(name, table) const rules_t name = {table, sizeof(table) / sizeof((table)[0])}

/** Storage that lives as long as the import. */
typedef struct arena_block_t {
  struct arena_block_t *next;
  max_align_t data[];
} arena_block_t;

/** Entry points, in module order. */
typedef struct entry_point_t {
  struct entry_point_t *next;
  uint32_t function;
  const char *name;
} entry_point_t;

/** "kernel_arg_type.KERNEL.int*,float*," as the translator from LLVM writes it. */
typedef struct type_names_t {
  struct type_names_t *next;
  const char *text;
} type_names_t;

/** A phi waits for the end of its function. */
typedef struct pending_phi_t {
  struct pending_phi_t *next;
  instruction_t instruction;
  LLVMValueRef phi;
} pending_phi_t;

/** A declaration that a kernel took the place of; ids refer to it until all kernels are made. */
typedef struct unused_declaration_t {
  struct unused_declaration_t *next;
  LLVMValueRef function;
} unused_declaration_t;

typedef struct importer_t {
  const spirv_input_t *input;
  text_t *log;
  jmp_buf failure;
  arena_block_t *arena;

  const uint32_t *words;
  size_t word_count;
  /** 0x00010400 is 1.4. */
  uint32_t version;
  import_id_t *ids;
  uint32_t bound;
  /** Of the operands of the instruction at work, the constant that is nested deepest. */
  const import_id_t *deepest;
  /** For messages: the instruction at work. */
  const instruction_t *current;
  /** Indices into the rules, by opcode; null when not supported. */
  const rule_t **rules;
  /** By opcode: may stand outside of functions. */
  bool is_outside[import_opcode_count];

  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  /** Where instructions outside of functions go if they do not fold. */
  LLVMValueRef scratch;

  /** Bits by SpvCapability; those beyond are newer than what is known. */
  bool capabilities[import_opcode_count];
  entry_point_t *entry_points, **entry_points_end;
  unused_declaration_t *unused_declarations;
  /** No entry point forbids to fuse a multiplication with an addition. */
  bool contraction;
  uint64_t variable_bytes, copied_parts;
  size_t decoration_count;
  /** OpStrings that name the types of kernels' arguments. */
  type_names_t *type_names;
  unsigned type_name_count;

  /** Of the function at work. */
  LLVMValueRef function;
  uint32_t function_id;
  LLVMBasicBlockRef entry;
  /** Null between a terminator and the next label. */
  LLVMBasicBlockRef block;
  pending_phi_t *phis;
  size_t phi_edges;
  /** Null until there is debug information; see debug_info.h. */
  struct debug_t *debug;
  unsigned debug_depth;
  /** The name of the builtin at work. */
  text_t symbol;
} importer_t;

/** Ends the import; the message gets word offset and instruction. */
_Noreturn void import_fail(importer_t *im, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** A line in the log. */
void import_warn(importer_t *im, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Zeroed storage for the import's life. */
void *import_alloc(importer_t *im, size_t count, size_t size);

/** The instruction at `words`, which reader_scan found whole. */
instruction_t read_instruction(const uint32_t *words);
/** Checks the header, brings the words into this machine's order, and finds every id's definition. */
void reader_scan(importer_t *im);
/** The literal string at word `index`, NUL-terminated within the instruction; `*next` is the word behind it. */
const char *read_string(importer_t *im, const instruction_t *in, uint32_t index, uint32_t *next);
/** A literal number of the width of type `type` (one or two words) at word `index`. */
uint64_t read_literal(importer_t *im, const instruction_t *in, uint32_t index, uint32_t type);

/** The words of a block, from its label to the next one or the function's end. */
typedef struct block_words_t {
  const uint32_t *begin, *end;
} block_words_t;

/** The blocks of the function at work, whose labels are known and whose body is at `words`, in an order in which each
 * one that can be reached comes behind those that dominate it: as they stand, where that is one. */
block_words_t *blocks_in_order(importer_t *im, const uint32_t *words, const uint32_t *end, size_t block_count);

/** Runs the rule of an instruction and defines its result. */
void import_instruction(importer_t *im, const instruction_t *in);
/** Runs the rule alone. */
LLVMValueRef import_value_of(importer_t *im, const instruction_t *in);
/** True for a constant address that is a step from another one. */
bool is_constant_step(LLVMValueRef value);

/** The entry of `id`; every id below the bound has one. */
import_id_t *id_at(importer_t *im, uint32_t id);
/** Makes `id` a value of type `type`, which must be that of `value`. */
void id_define_value(importer_t *im, uint32_t id, uint32_t type, LLVMValueRef value);
decoration_t *id_decoration(importer_t *im, uint32_t id, SpvDecoration kind);
/** The name for debugging, or "". */
const char *id_name(importer_t *im, uint32_t id);

/** Types: the entry, of any kind of type; of one kind; as LLVM's type, which has a size. */
import_id_t *type_at(importer_t *im, uint32_t id);
import_id_t *type_of_kind(importer_t *im, uint32_t id, SpvOp opcode, const char *what);
LLVMTypeRef type_llvm(importer_t *im, uint32_t id);
LLVMTypeRef type_data(importer_t *im, uint32_t id);
/** As type_data, of what code handles as a value: it has few enough parts. */
LLVMTypeRef type_value(importer_t *im, uint32_t id);
/** Of a pointer type: what it points to. */
uint32_t type_pointee(importer_t *im, uint32_t pointer_type);
/** Of a struct type: the type of a member that it has. */
uint32_t type_member(importer_t *im, uint32_t struct_type, uint32_t member);
SpvOp type_opcode(importer_t *im, uint32_t id);
/** Of a vector type the component type, else the type itself. */
uint32_t type_scalar(importer_t *im, uint32_t id);
unsigned type_address_space(importer_t *im, uint32_t storage_class);
/** The address space of generic pointers, and so on, as in spir64. */
enum { space_private, space_global, space_constant, space_local, space_generic };

bool is_int(LLVMTypeRef type);
bool is_float(LLVMTypeRef type);
bool is_pointer(LLVMTypeRef type);
bool is_vector(LLVMTypeRef type);
bool is_bool(LLVMTypeRef type);
/** Integers, floating point, pointers and vectors of them. */
LLVMTypeRef scalar_type(LLVMTypeRef type);
unsigned vector_size(LLVMTypeRef type);
/** The type with `count` components, or the scalar itself for 1. */
LLVMTypeRef vector_of(LLVMTypeRef scalar, unsigned count);
/** The scalar, or a vector of it with as many components as `shape`, which may be one. */
LLVMTypeRef vector_like(LLVMTypeRef shape, LLVMTypeRef scalar);
/** Both scalars, or vectors of as many components. */
bool same_shape(LLVMTypeRef a, LLVMTypeRef b);

/** Operands, by word index; the index is checked. */
uint32_t operand_word(importer_t *im, const instruction_t *in, uint32_t index);
LLVMValueRef operand_value(importer_t *im, const instruction_t *in, uint32_t index);
uint32_t operand_type(importer_t *im, const instruction_t *in, uint32_t index);
LLVMBasicBlockRef operand_block(importer_t *im, const instruction_t *in, uint32_t index);
LLVMValueRef value_at(importer_t *im, uint32_t id);
/** The pointer at word `index`; the type it points to by `*pointee`. */
LLVMValueRef operand_pointer(importer_t *im, const instruction_t *in, uint32_t index, uint32_t *pointee);
/** The value of a constant integer id; fails for anything else. */
uint64_t constant_number(importer_t *im, uint32_t id);
bool constant_number_known(importer_t *im, uint32_t id, uint64_t *out);
LLVMTypeRef result_type(importer_t *im, const instruction_t *in);
/** Fails unless the types are the same. */
void need_same(importer_t *im, LLVMTypeRef a, LLVMTypeRef b);
/** Fails with "`what` is wanted" unless `holds`. */
void need(importer_t *im, bool holds, const char *what);
LLVMValueRef constant_u32(importer_t *im, uint32_t value);

/** A call of an LLVM intrinsic that is overloaded over `types`. */
LLVMValueRef call_intrinsic(importer_t *im, const char *name, LLVMTypeRef *types, unsigned type_count,
                            LLVMValueRef *arguments, unsigned argument_count);
/** A call of a function named `symbol`, declared when it is not there. */
LLVMValueRef call_symbol(importer_t *im, const char *symbol, LLVMTypeRef result, LLVMValueRef *arguments,
                         unsigned count);

/** How the mangler is to see an argument; bits. */
typedef enum argument_e {
  argument_plain = 0,
  /** Integers, or what a pointer points to, are signed. */
  argument_signed = 1,
  /** A pointer to const. */
  argument_const = 2,
} argument_e;

typedef struct argument_t {
  LLVMValueRef value;
  /** SPIR-V type id. */
  uint32_t type;
  argument_e how;
  /** The number that a pointer counts as pointing to, whatever its type says; NULL: what its type says. */
  LLVMTypeRef pointee;
  /** Of a vector: how many components `value` has, where its type in the module has another number; 0: as that says. */
  unsigned components;
} argument_t;

static inline argument_t argument_of(LLVMValueRef value, uint32_t type, argument_e how) {
  return (argument_t){.value = value, .type = type, .how = how};
}

/** The instruction's operand in the word `index`, an id. */
static inline argument_t argument_at(importer_t *im, const instruction_t *in, uint32_t index, argument_e how) {
  LLVMValueRef value = operand_value(im, in, index);
  return argument_of(value, operand_type(im, in, index), how);
}

enum { builtin_max_arguments = 8 };

/** Appends the Itanium name of an OpenCL C builtin called with these arguments. */
void mangle(importer_t *im, const char *name, const argument_t *arguments, unsigned count, text_t *out);
/** Appends the code of a number's or vector's type. */
void mangle_type(importer_t *im, LLVMTypeRef type, bool is_signed, text_t *out);
/** A call of the builtin. */
LLVMValueRef call_builtin(importer_t *im, const char *name, LLVMTypeRef result, const argument_t *arguments,
                          unsigned count);

/** The groups. */
extern const rules_t module_rules, annotation_rules, type_rules, constant_rules, variable_rules, function_rules,
    control_rules, arithmetic_rules, bit_rules, relational_rules, conversion_rules, composite_rules, memory_rules,
    atomic_rules, barrier_rules, group_rules, sub_group_rules, image_rules, pipe_rules, pipe_storage_rules,
    extension_rules, hint_rules, alias_rules, clock_rules;

/** Extended instructions of OpenCL.std. */
LLVMValueRef import_opencl_std(importer_t *im, const instruction_t *in);

/** Declares and describes. */
LLVMValueRef function_declare(importer_t *im, uint32_t id);
/** True unless the function whose OpFunction is at `words` is an import. */
bool function_has_body(importer_t *im, const uint32_t *words);
/** Imports the bodies of all functions, then makes the kernels. */
void functions_import(importer_t *im);
void kernels_make(importer_t *im);

/** Memory of the function at work, made at its entry; the builder stays where it is. */
LLVMValueRef entry_alloca(importer_t *im, LLVMTypeRef type);

/** Alignment that memory operands or decorations give; 0 when none. */
unsigned decorated_alignment(importer_t *im, uint32_t id);
LLVMAtomicOrdering memory_order(importer_t *im, uint32_t semantics_id);
/** Marks a floating-point operation with what the decorations of `id` and the module allow. */
void apply_fast_math(importer_t *im, uint32_t id, LLVMValueRef value);

/** Specialization constants: the value given for the SpecId of `id`; false when there is none. */
bool specialized_value(importer_t *im, uint32_t id, unsigned bytes, uint64_t *out);

#endif
