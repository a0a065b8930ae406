/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random kernels: their syntax tree, which is printed as OpenCL C and interpreted.
 *
 * Every work-item has the same few variables: ints v, longs w, floats f, a char c, vectors q (an int3 and an int4),
 * arrays a and b with a pointer p to one of them, structs s, and ints u that are the same for all work-items of a
 * group. Control flow that only u decide is uniform: barriers, and assignments to u, stand nowhere else. One program in
 * three has neither; there work-items part, and return, wherever they like. In one program of three, by the seed,
 * work-items walk over the input as an array of narrow elements, each from a place of its own, and as far. One program
 * of four has work-items that stride through a longer input side by side, in larger groups along x alone, and neither
 * arrays nor structs. */
#ifndef KERNELS_RANDOM_PROGRAM_H
#define KERNELS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  int_count = 4,
  long_count = 2,
  float_count = 2,
  vector_count = 2,
  uniform_count = 3,
  array_length = 8,
  record_count = 4,
  record_fields = 4,
  /** Work-items exchange values through an array of local memory per level of nesting. */
  exchange_levels = 3,
  /** Elements of the input, a power of two. */
  input_length = 64,
  /** Walks begin at one of so many elements, and have so many turns at most. */
  walk_starts = 64,
  walk_turns = 48,
  /** Elements of the output per work-item: everything it has. */
  output_length =
      int_count + long_count + float_count + 1 + 7 + 2 * array_length + uniform_count + record_count * record_fields,
  max_items = 256,
  /** Elements of the input that groups stride through, and of the output behind what work-items have. */
  stride_length = 2048,
};

typedef enum type_e { type_int, type_long, type_float } type_e;

typedef enum expression_e {
  /* leaves */
  expression_constant,
  expression_variable, /**< of its type */
  expression_char,
  expression_uniform,
  expression_component, /**< of vector `index`, component `value` */
  expression_argument,
  expression_id, /**< `index` in id_e */
  /* of one int */
  expression_array,   /**< a or b */
  expression_pointer, /**< p[...] */
  expression_input,
  expression_convert, /**< to its type, from `from` */
  expression_popcount,
  expression_sum,     /**< of the first elements of what p points to, by a function that is not inlined */
  expression_narrow,  /**< to the type `index` in narrow_e and back */
  expression_element, /**< of q1, by a number that may differ */
  expression_four,    /**< of four elements of the input, side by side */
  expression_block,   /**< the input's element at the place of id `index` in blocks of this size, mostly */
  expression_record,  /**< a field `index` of one of s */
  /* of two */
  expression_binary, /**< `index` in operator_e */
  expression_helper,
  expression_guarded, /**< the input's element by the first if there is one, else the second */
  expression_logical, /**< && or ||, by `index` */
  expression_compare, /**< as floats, which are huge, infinite or NaN; by `index` in compare_e */
  expression_pair,    /**< the input as an array of structs */
  /* of three */
  expression_choose,
} expression_e;

typedef enum id_e { id_local_x, id_local_y, id_global_x, id_global_y, id_linear, id_group, id_size, id_count } id_e;

typedef enum operator_e {
  operator_add,
  operator_subtract,
  operator_multiply,
  operator_less,
  /* not for float */
  operator_and,
  operator_or,
  operator_xor,
  operator_left,
  operator_right,
  operator_divide,
  operator_remainder,
  operator_equal,
  operator_min,
  operator_max,
  operator_unsigned_less,
  operator_unsigned_right,
  operator_unsigned_divide,
  operator_count
} operator_e;

typedef enum narrow_e { narrow_char, narrow_uchar, narrow_short, narrow_ushort, narrow_count } narrow_e;

typedef enum compare_e { compare_less, compare_not_at_least, compare_unequal, compare_apart, compare_count } compare_e;

typedef struct expression_t {
  expression_e kind;
  type_e type, from;
  int index;
  int64_t value;
  struct expression_t *operands[3];
} expression_t;

typedef enum statement_e {
  statement_set, /**< variable `index` of `value`'s type */
  statement_set_char,
  statement_set_uniform,
  statement_set_vector,     /**< all components from `value` */
  statement_combine_vector, /**< itself with `value`, by + * ^ */
  statement_load_vector,    /**< from the input, */
  statement_point_vector,   /**< or from where p points */
  statement_store_vector,   /**< to where p points */
  statement_squeeze_vector, /**< to what a short can be */
  statement_set_record,     /**< a field `level` of one of s */
  statement_copy_record,
  statement_store, /**< to array `index` */
  statement_point, /**< p = value & 1 ? a : b */
  statement_store_pointer,
  statement_if,
  statement_for, /**< `other` turns at most */
  statement_do,  /**< while `value`, eight turns at most */
  statement_switch,
  statement_walk,     /**< `level` in walk_e, from `value`, `other` turns, into v[index] */
  statement_stride,   /**< `level` in stride_e, from what `value` says, to `other`, into v[index] */
  statement_break,    /**< if `value` */
  statement_continue, /**< if `value` */
  statement_return,   /**< if `value` */
  statement_exchange, /**< value into local memory, barrier, another's out of it, body, barrier */
  statement_exchange_call,
  statement_broadcast, /**< the same into u[index] */
  statement_reduce,    /**< atomically into u[index], by `reduction`, from those for which `other` holds */
} statement_e;

typedef enum walk_e {
  walk_counted,
  walk_pointer, /**< at least one turn */
  walk_found,   /**< until an element that is looked for */
  walk_last,    /**< elements of the last turns are used behind it */
  walk_inner,   /**< each turn reads another element of the input as well */
  walk_count
} walk_e;

typedef enum stride_e {
  stride_sum,
  stride_two,   /**< one of two sums */
  stride_last,  /**< elements of the last turns are used behind it */
  stride_index, /**< so is the index */
  stride_store, /**< to the output, at a stride of the range's size */
  stride_count
} stride_e;

typedef enum stride_step_e { step_local, step_global, step_literal, step_uniform, step_count } stride_step_e;

enum { stride_types = 3 };

typedef enum reduction_e {
  reduction_add,
  reduction_sub,
  reduction_and,
  reduction_or,
  reduction_xor,
  reduction_min,
  reduction_max,
  reduction_count
} reduction_e;

enum { reduction_start = 0x0F0F0F0F };

typedef struct statement_t {
  statement_e kind;
  int index;
  /** Loops: name of the counter. Exchanges: level. */
  int level;
  bool falls_through;
  reduction_e reduction;
  /** Walks: what elements are, and whether the last place of all is the input's last one, not its first. */
  narrow_e element;
  bool at_end;
  /** Strides: type of the index, and whether it begins at the local or the global number, or further on. */
  int index_type;
  bool is_global, is_shifted;
  stride_step_e step;
  expression_t *value, *other;
  struct statement_t *body, *otherwise;
  struct statement_t *next;
} statement_t;

typedef struct program_t {
  uint64_t seed;
  statement_t *body;
  int loop_count;
  bool two_dimensions, has_barriers, has_walks, has_strides;
  /** Which ranges it is run on. */
  int range;
} program_t;

/** The kernel of this seed; never fails. */
program_t *program_generate(uint64_t seed);
void program_free(program_t *program);

/** The first element where the walk `statement` may begin, counted from the input's begin. */
int walk_first(const statement_t *statement);

/** What stands once before kernels, of which the first has this seed: other functions are kept from being inlined for
 * every few seeds. */
void program_print_prelude(uint64_t seed, FILE *file);

/** Its source: kernel void NAME(global const int *in, global long *out, int n). */
void program_print(const program_t *program, const char *name, FILE *file);

/** What it writes. The sizes of the range and of a work-group, which need not divide it. */
void program_interpret(const program_t *program, const size_t global[2], const size_t local[2],
                       const int32_t input[stride_length], int32_t n, int64_t *output);

#endif
