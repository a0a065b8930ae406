/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A random program: a syntax tree of a kernel, the functions it calls, its arguments and its ND-range.
 *
 * Three things look at it: the evaluator runs it, the printer writes it as OpenCL C or C++ for OpenCL, and the device
 * runs what was written. So that the two runs must agree, nothing may be undefined. Where an operator has operands for
 * which it would be (overflow, division by zero, an index out of bounds, a NaN), the tree gives it a meaning all the
 * same; the evaluator sees which nodes met such operands and marks them `repaired`, and the printer writes those with
 * that meaning spelled out, all others plainly. */
#ifndef KERNELS_GRAMMAR_PROGRAM_H
#define KERNELS_GRAMMAR_PROGRAM_H

#include "test_image.h"
#include "type.h"

enum {
  MAX_GROUP = 256,
  MAX_OPERANDS = 16,
  MAX_PARAMETERS = 8,
  MAX_ARGUMENTS = 48,
  MAX_FUNCTIONS = 12,
  MAX_TYPES = 8,
  MAX_CASES = 6,
  MAX_VALUE = 512,
};

typedef struct function_t function_t;
typedef struct statement_t statement_t;

typedef struct value_t {
  const type_t *type;
  union {
    unsigned char bytes[MAX_VALUE];
    uint64_t words[MAX_VALUE / 8];
    void *pointer;
  };
} value_t;

typedef struct variable_t {
  char name[12];
  const type_t *type;
  space_t space;
  bool is_uniform;   /* one value in all work-items of a group */
  bool is_read_only; /* not assigned by what is generated: loop counters, arguments */
  bool is_reference; /* an argument by which the caller's variable is changed: a pointer in C, a reference in C++ */
  bool is_volatile;
  bool is_constexpr;     /* written as constexpr in C++ */
  bool is_busy;          /* local memory between two barriers, which only reads */
  space_t pointee_space; /* of pointers into any address space: what theirs is */
  size_t offset;         /* private: in its function's frame; local: in the group's memory */
  unsigned char *data;   /* program scope: its contents */
  int argument;          /* of the kernel; -1: none */
} variable_t;

/* ---------------------------------------------------------------- expressions */

typedef enum expression_kind_t {
  EXPR_CONSTANT,    /* `value` */
  EXPR_VARIABLE,    /* `variable`, an lvalue */
  EXPR_MEMBER,      /* operand 0's member `index` */
  EXPR_ELEMENT,     /* operand 0, an array or pointer, at operand 1, modulo its count */
  EXPR_DEREFERENCE, /* what operand 0 points to */
  EXPR_ADDRESS,     /* of operand 0 */
  EXPR_SWIZZLE,     /* lanes of operand 0, as `lanes` says */
  EXPR_UNARY,
  EXPR_BINARY,
  EXPR_CONDITIONAL, /* ?: of scalars, vectors, pointers */
  EXPR_CONVERT,     /* operand 0 converted, `rounding`, `is_saturating` */
  EXPR_REINTERPRET, /* as_type */
  EXPR_VECTOR,      /* a literal of scalars and vectors */
  EXPR_BUILTIN,
  EXPR_CALL,       /* a function without barriers */
  EXPR_QUERY,      /* get_global_id and the like */
  EXPR_READ_IMAGE, /* `variable`, `sampler` (-1: none), operand 0: coordinates */
  EXPR_VLOAD,      /* vloadN(operand 1, operand 0), modulo what fits */
} expression_kind_t;

typedef enum operator_t {
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_REMAINDER,
  OP_AND,
  OP_OR,
  OP_XOR,
  OP_SHIFT_LEFT,
  OP_SHIFT_RIGHT,
  OP_EQUAL,
  OP_NOT_EQUAL,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_LOGICAL_AND,
  OP_LOGICAL_OR,
  OP_NEGATE,
  OP_COMPLEMENT,
  OP_NOT,
  OP_ASSIGN, /* of statements alone */
} operator_t;

/* BUILTIN(name in the tree, name in OpenCL C). */
#define BUILTINS(BUILTIN)                         \
  BUILTIN(ABS, "abs")                             \
  BUILTIN(ABS_DIFF, "abs_diff")                   \
  BUILTIN(ADD_SAT, "add_sat")                     \
  BUILTIN(SUB_SAT, "sub_sat")                     \
  BUILTIN(HADD, "hadd")                           \
  BUILTIN(RHADD, "rhadd")                         \
  BUILTIN(MAX, "max")                             \
  BUILTIN(MIN, "min")                             \
  BUILTIN(CLAMP, "clamp") /* bounds are sorted */ \
  BUILTIN(CLZ, "clz")                             \
  BUILTIN(CTZ, "ctz")                             \
  BUILTIN(POPCOUNT, "popcount")                   \
  BUILTIN(MUL_HI, "mul_hi")                       \
  BUILTIN(MAD_SAT, "mad_sat")                     \
  BUILTIN(ROTATE, "rotate")                       \
  BUILTIN(UPSAMPLE, "upsample")                   \
  BUILTIN(BITSELECT, "bitselect")                 \
  BUILTIN(SELECT, "select")                       \
  BUILTIN(ANY, "any")                             \
  BUILTIN(ALL, "all")                             \
  BUILTIN(SHUFFLE, "shuffle")                     \
  BUILTIN(SHUFFLE2, "shuffle2")                   \
  BUILTIN(FABS, "fabs")                           \
  BUILTIN(FLOOR, "floor")                         \
  BUILTIN(CEIL, "ceil")                           \
  BUILTIN(TRUNC, "trunc")                         \
  BUILTIN(RINT, "rint")                           \
  BUILTIN(ROUND, "round")                         \
  BUILTIN(COPYSIGN, "copysign")                   \
  BUILTIN(FMA, "fma")                             \
  BUILTIN(SIGNBIT, "signbit")                     \
  BUILTIN(ISINF, "isinf")                         \
  BUILTIN(ISLESS, "isless")                       \
  BUILTIN(ISGREATEREQUAL, "isgreaterequal")

typedef enum builtin_t {
#define BUILTIN(id, name) BUILTIN_##id,
  BUILTINS(BUILTIN)
#undef BUILTIN
} builtin_t;

/* Queries of the work-item; those with `dimension` come first. */
#define QUERIES(QUERY)                                  \
  QUERY(GLOBAL_ID, "get_global_id")                     \
  QUERY(LOCAL_ID, "get_local_id")                       \
  QUERY(GROUP_ID, "get_group_id")                       \
  QUERY(GLOBAL_SIZE, "get_global_size")                 \
  QUERY(LOCAL_SIZE, "get_local_size")                   \
  QUERY(ENQUEUED_LOCAL_SIZE, "get_enqueued_local_size") \
  QUERY(NUM_GROUPS, "get_num_groups")                   \
  QUERY(GLOBAL_OFFSET, "get_global_offset")             \
  QUERY(WORK_DIM, "get_work_dim")                       \
  QUERY(GLOBAL_LINEAR_ID, "get_global_linear_id")       \
  QUERY(LOCAL_LINEAR_ID, "get_local_linear_id")

typedef enum query_t {
#define QUERY(id, name) QUERY_##id,
  QUERIES(QUERY)
#undef QUERY
} query_t;

typedef enum rounding_t { ROUND_DEFAULT, ROUND_EVEN, ROUND_ZERO, ROUND_UP, ROUND_DOWN } rounding_t;

typedef struct expression_t expression_t;
struct expression_t {
  expression_kind_t kind;
  const type_t *type;
  expression_t *operands[MAX_OPERANDS];
  unsigned operand_count;
  bool repaired;
  operator_t op;
  builtin_t builtin;
  query_t query;
  unsigned index; /* member; dimension of a query */
  unsigned char lanes[MAX_LANES];
  rounding_t rounding;
  bool is_saturating;
  int sampler;
  unsigned style; /* one of equal spellings */
  value_t *value;
  variable_t *variable;
  function_t *function;
};

/* ---------------------------------------------------------------- statements */

typedef struct block_t {
  statement_t **statements;
  unsigned count, capacity;
} block_t;

typedef enum statement_kind_t {
  STMT_DECLARE, /* `variable` with `value`, or `values` of an array or struct; zeros without */
  STMT_ASSIGN,  /* `target` op= `value` */
  STMT_IF,      /* `value`, `blocks[0]`, `blocks[1]` */
  STMT_LOOP,    /* `variable` from 0 to `value`, `blocks[0]`; see loop_style_t */
  STMT_SWITCH,  /* `value`, `cases` */
  STMT_DUFF,    /* a loop of `step` turns entered at the block that `value` says */
  STMT_BREAK,
  STMT_CONTINUE,
  STMT_RETURN, /* `value` or nothing */
  STMT_BLOCK,  /* `blocks[0]` */
  STMT_BARRIER,
  STMT_COLLECTIVE,  /* `target` = `collective` of `value` over the group */
  STMT_ATOMIC,      /* `atomic` of `target` with `value` */
  STMT_CALL,        /* `target` (or nothing) = `function` of `arguments` */
  STMT_WRITE_IMAGE, /* `variable` at the work-item's own pixel */
  STMT_VSTORE,      /* vstoreN(value, index, target), modulo what fits */
} statement_kind_t;

typedef enum loop_style_t { LOOP_UP, LOOP_DOWN, LOOP_WHILE, LOOP_DO, LOOP_STYLES } loop_style_t;

typedef enum collective_t {
  COLLECTIVE_REDUCE_ADD,
  COLLECTIVE_REDUCE_MIN,
  COLLECTIVE_REDUCE_MAX,
  COLLECTIVE_SCAN_INCLUSIVE_ADD,
  COLLECTIVE_SCAN_EXCLUSIVE_ADD,
  COLLECTIVE_SCAN_INCLUSIVE_MAX,
  COLLECTIVE_SCAN_INCLUSIVE_MIN,
  COLLECTIVE_ANY,
  COLLECTIVE_ALL,
  COLLECTIVE_BROADCAST,     /* of the work-item `step` */
  COLLECTIVE_SUB_BROADCAST, /* of values that are uniform: those after it, too */
  COLLECTIVE_SUB_REDUCE_MIN,
  COLLECTIVE_SUB_REDUCE_MAX,
  COLLECTIVE_SUB_ANY,
  COLLECTIVE_SUB_SELF, /* a shuffle that gives each its own value */
  COLLECTIVE_COUNT
} collective_t;

typedef enum atomic_t { ATOMIC_ADD, ATOMIC_SUB, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_OR, ATOMIC_AND, ATOMIC_XOR } atomic_t;

typedef struct case_t {
  int labels[2];
  unsigned label_count;
  bool is_default, falls_through;
  block_t body;
} case_t;

struct statement_t {
  statement_kind_t kind;
  variable_t *variable;
  expression_t *target, *value, *index;
  expression_t **values;
  unsigned value_count;
  operator_t op;
  bool is_uniform; /* all work-items of a group go one way; the largest value of all decides where they would not */
  bool repaired;
  bool is_droppable, is_dropped; /* the reducer's */
  bool is_fixed;                 /* the reducer leaves its expressions alone: local memory is initialised by it */
  block_t blocks[2];
  case_t cases[MAX_CASES];
  block_t stages[MAX_CASES]; /* STMT_DUFF */
  unsigned case_count;
  loop_style_t loop_style;
  unsigned step, style;
  collective_t collective;
  atomic_t atomic;
  function_t *function;
  expression_t *arguments[MAX_PARAMETERS];
};

/* ---------------------------------------------------------------- programs */

typedef enum function_style_t { FUNCTION_PLAIN, FUNCTION_TEMPLATE, FUNCTION_METHOD, FUNCTION_LAMBDA } function_style_t;

struct function_t {
  char name[12];
  const type_t *result_type; /* null: void */
  variable_t *result;
  variable_t *parameters[MAX_ARGUMENTS];
  unsigned parameter_count;
  bool has_barriers, is_overload;
  function_style_t style; /* in C++ */
  unsigned inlining;      /* 0: as the compiler likes, 1: always, 2: never */
  size_t frame_size;
  block_t body;
};

typedef enum argument_kind_t {
  ARGUMENT_VALUE,
  ARGUMENT_BUFFER,
  ARGUMENT_LOCAL,
  ARGUMENT_IMAGE,
  ARGUMENT_WRITTEN_IMAGE,
  ARGUMENT_SAMPLER,
  ARGUMENT_LITERAL_SAMPLER /* declared in the program, and not passed */
} argument_kind_t;

typedef struct argument_t {
  argument_kind_t kind;
  variable_t *parameter;
  size_t size;
  unsigned char *initial, *expected; /* contents before, and what the evaluator makes of them */
  const unsigned char *mask;         /* bytes that are compared; null: all */
  test_pixels_t pixels;
  test_sampler_t sampler;
} argument_t;

typedef struct arena_t {
  struct arena_block_t *blocks;
} arena_t;

typedef struct program_t {
  arena_t arena;
  uint64_t seed;
  bool is_cxx;
  type_t *types[MAX_TYPES];
  unsigned type_count;
  variable_t *constants[MAX_TYPES]; /* program scope */
  unsigned constant_count;
  function_t *functions[MAX_FUNCTIONS]; /* callees first */
  unsigned function_count;
  function_t kernel;
  argument_t arguments[MAX_ARGUMENTS];
  unsigned argument_count;
  unsigned dimensions;
  size_t global[3], local[3], offset[3];
  bool is_local_free; /* no result depends on the local size: the driver chooses it */
  bool is_local_required, has_size_hint;
  size_t local_memory;
  /* types of which NaN is repaired, and those with divisors that are */
  bool needs_ordinary[SCALAR_COUNT][MAX_LANES + 1], needs_division[SCALAR_COUNT][MAX_LANES + 1];
} program_t;

/** Memory that lives as long as the program, all zeros. */
void *program_allocate(program_t *program, size_t size);
/** Frees everything. */
void program_free(program_t *program);

static inline size_t program_items(const program_t *program) {
  return program->global[0] * program->global[1] * program->global[2];
}

/** Calls `visit` for each statement, outer ones first; those of functions before the kernel's. */
void program_visit(program_t *program, void (*visit)(statement_t *statement, void *data), void *data);

#endif
