/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Generation of random kernels. */
#include <stdlib.h>

#include "program.h"

/* Where a statement stands. */
typedef struct place_t {
  bool uniform;
  /** break and continue are allowed: the loop around is uniform just as the place is. */
  bool can_break, can_continue;
  int depth, exchange_level;
} place_t;

typedef struct generator_t {
  program_t *program;
  uint64_t state;
  int statements_left;
} generator_t;

static uint64_t random_bits(generator_t *generator) {
  uint64_t z = generator->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int below(generator_t *generator, int limit) { return (int)(random_bits(generator) % (unsigned)limit); }

static bool one_in(generator_t *generator, int n) { return below(generator, n) == 0; }

static void *allocate(size_t size) {
  void *memory = calloc(1, size);
  if (!memory) abort();
  return memory;
}

static expression_t *make(expression_e kind, type_e type, int index) {
  expression_t *expression = allocate(sizeof(*expression));
  *expression = (expression_t){.kind = kind, .type = type, .from = type, .index = index};
  return expression;
}

static expression_t *make_constant(generator_t *generator, type_e type) {
  static const int64_t values[] = {0, 1, 2, 3, 7, -1, -5, 100, 0x55AA, 0x7FFFFFFF};
  expression_t *expression = make(expression_constant, type, 0);
  expression->value = values[below(generator, type == type_float ? 8 : 10)];
  return expression;
}

static expression_t *make_uniform_leaf(generator_t *generator) {
  switch (below(generator, 4)) {
    case 0: return make_constant(generator, type_int);
    case 1: return make(expression_argument, type_int, 0);
    case 2: return make(expression_id, type_int, id_group + below(generator, 2));
    default: return make(expression_uniform, type_int, below(generator, uniform_count));
  }
}

static expression_t *make_int_leaf(generator_t *generator) {
  switch (below(generator, 8)) {
    case 0: return make_uniform_leaf(generator);
    case 1: return make(expression_char, type_int, 0);
    case 2: return make(expression_id, type_int, below(generator, id_count));
    case 3: {
      expression_t *component = make(expression_component, type_int, below(generator, vector_count));
      component->value = below(generator, 3);
      return component;
    }
    default: return make(expression_variable, type_int, below(generator, int_count));
  }
}

static expression_t *make_leaf(generator_t *generator, type_e type, bool uniform) {
  if (uniform) return type == type_int ? make_uniform_leaf(generator) : make_constant(generator, type);
  if (type == type_int) return make_int_leaf(generator);
  if (one_in(generator, 4)) return make_constant(generator, type);
  return make(expression_variable, type, below(generator, type == type_long ? long_count : float_count));
}

static expression_t *make_expression(generator_t *generator, type_e type, bool uniform, int depth);

static expression_t *make_binary(generator_t *generator, type_e type, bool uniform, int depth) {
  int operators = type == type_float ? operator_multiply + 1 : operator_count;
  expression_t *expression = make(expression_binary, type, below(generator, operators));
  for (int i = 0; i < 2; i++) expression->operands[i] = make_expression(generator, type, uniform, depth - 1);
  return expression;
}

static expression_t *make_conversion(generator_t *generator, type_e type, bool uniform, int depth) {
  expression_t *expression = make(expression_convert, type, 0);
  expression->from = (type_e)((type + 1 + below(generator, 2)) % 3);
  expression->operands[0] = make_expression(generator, expression->from, uniform, depth - 1);
  return expression;
}

/* Of an array or a struct. */
static bool is_of_memory(expression_e kind) {
  return kind == expression_array || kind == expression_pointer || kind == expression_sum || kind == expression_record;
}

/* One of the kinds with `operand_count` operands, ints all of them. */
static expression_t *make_int_node(generator_t *generator, bool uniform, int depth) {
  static const expression_e kinds[] = {expression_input,   expression_popcount, expression_helper, expression_guarded,
                                       expression_logical, expression_compare,  expression_pair,   expression_narrow,
                                       expression_array,   expression_pointer,  expression_array,  expression_pointer,
                                       expression_element, expression_record,   expression_sum,    expression_block,
                                       expression_four};
  enum { kind_count = sizeof(kinds) / sizeof(kinds[0]), uniform_kinds = 8 };
  const int kind = below(generator, uniform ? uniform_kinds : kind_count);
  expression_t *expression = make(kinds[kind], type_int, below(generator, 2));
  if (generator->program->has_strides && is_of_memory(expression->kind)) expression->kind = expression_popcount;
  if (expression->kind == expression_narrow) expression->index = below(generator, narrow_count);
  if (expression->kind == expression_compare) expression->index = below(generator, compare_count);
  if (expression->kind == expression_record) expression->index = below(generator, record_fields);
  if (expression->kind == expression_block) {
    expression->index = below(generator, id_group);
    uniform = true;
  }
  int count = expression->kind >= expression_helper ? 2 : 1;
  for (int i = 0; i < count; i++) expression->operands[i] = make_expression(generator, type_int, uniform, depth - 1);
  return expression;
}

static expression_t *make_expression(generator_t *generator, type_e type, bool uniform, int depth) {
  if (depth == 0 || one_in(generator, 5)) return make_leaf(generator, type, uniform);
  int choice = below(generator, 8);
  if (choice < 4) return make_binary(generator, type, uniform, depth);
  if (choice == 4) return make_conversion(generator, type, uniform, depth);
  if (choice > 5 && type == type_int) return make_int_node(generator, uniform, depth);
  expression_t *expression = make(expression_choose, type, 0);
  expression->operands[0] = make_expression(generator, type_int, uniform, depth - 1);
  for (int i = 1; i < 3; i++) expression->operands[i] = make_expression(generator, type, uniform, depth - 1);
  return expression;
}

static statement_t *make_statement(statement_e kind, int index) {
  statement_t *statement = allocate(sizeof(*statement));
  statement->kind = kind;
  statement->index = index;
  return statement;
}

static statement_t *make_list(generator_t *generator, place_t place, int length);

static statement_t *make_assignment(generator_t *generator) {
  type_e type = (type_e)below(generator, 3);
  static const int counts[] = {int_count, long_count, float_count};
  statement_t *statement = make_statement(statement_set, below(generator, counts[type]));
  statement->value = make_expression(generator, type, false, 3);
  return statement;
}

int walk_first(const statement_t *statement) {
  bool is_byte = statement->element == narrow_char || statement->element == narrow_uchar;
  int elements = input_length * (int)sizeof(int32_t) / (is_byte ? 1 : 2);
  return statement->at_end ? elements - (walk_starts - 1) - walk_turns : 0;
}

static statement_t *make_walk(generator_t *generator) {
  statement_t *statement = make_statement(statement_walk, below(generator, int_count));
  statement->level = below(generator, walk_count);
  statement->element = (narrow_e)below(generator, narrow_count);
  statement->at_end = one_in(generator, 2);
  statement->value = make_expression(generator, type_int, false, 2);
  statement->other = make_expression(generator, type_int, one_in(generator, 4), 2);
  return statement;
}

static statement_t *make_stride(generator_t *generator) {
  statement_t *statement = make_statement(statement_stride, below(generator, int_count));
  statement->level = below(generator, stride_count);
  statement->index_type = below(generator, stride_types);
  const bool is_store = statement->level == stride_store;
  statement->is_global = is_store || one_in(generator, 2);
  statement->is_shifted = !is_store && one_in(generator, 3);
  statement->step = is_store ? step_global : (stride_step_e)below(generator, step_count);
  statement->value = make_expression(generator, type_int, true, 1);
  statement->other = make_expression(generator, type_int, !one_in(generator, 6), 2);
  return statement;
}

static statement_t *make_simple(generator_t *generator, place_t place) {
  const bool has_strides = generator->program->has_strides;
  if (has_strides && one_in(generator, 3)) return make_stride(generator);
  if (generator->program->has_walks && one_in(generator, 3)) return make_walk(generator);
  static const statement_e kinds[] = {statement_set_char,       statement_set_vector,   statement_combine_vector,
                                      statement_load_vector,    statement_point_vector, statement_store_vector,
                                      statement_squeeze_vector, statement_set_record,   statement_copy_record,
                                      statement_store,          statement_point,        statement_store_pointer};
  enum { kind_count = sizeof(kinds) / sizeof(kinds[0]) };
  static const int without_memory = 3;
  int choice = below(generator, kind_count + 9);
  if (has_strides && choice >= without_memory && choice < kind_count && kinds[choice] != statement_load_vector &&
      kinds[choice] != statement_squeeze_vector) {
    choice %= without_memory;
  }
  if (place.uniform && choice > kind_count + 5) {
    statement_t *statement = make_statement(statement_set_uniform, below(generator, uniform_count));
    statement->value = make_expression(generator, type_int, true, 2);
    return statement;
  }
  if (choice >= kind_count) return make_assignment(generator);
  statement_t *statement = make_statement(kinds[choice], below(generator, 2));
  statement->level = below(generator, record_fields);
  statement->value = make_expression(generator, type_int, false, 2);
  statement->other = make_expression(generator, type_int, false, 2);
  return statement;
}

static place_t inside(place_t place, bool uniform) {
  place.uniform &= uniform;
  place.depth++;
  return place;
}

/* Whether a condition here is the same for all; where work-items have parted it may be, for those that are here. */
static bool choose_uniform(generator_t *generator, place_t place) { return one_in(generator, 3) != place.uniform; }

static statement_t *make_if(generator_t *generator, place_t place) {
  bool uniform = choose_uniform(generator, place);
  statement_t *statement = make_statement(statement_if, 0);
  statement->value = make_expression(generator, type_int, uniform, 2);
  place_t arm = inside(place, uniform);
  if (place.uniform && !uniform) arm.can_break = arm.can_continue = false;
  statement->body = make_list(generator, arm, 3);
  if (one_in(generator, 2)) statement->otherwise = make_list(generator, arm, 3);
  return statement;
}

static statement_t *make_loop(generator_t *generator, place_t place) {
  bool uniform = choose_uniform(generator, place);
  statement_t *statement = make_statement(one_in(generator, 3) ? statement_do : statement_for, 0);
  statement->level = generator->program->loop_count++;
  statement->value = make_expression(generator, type_int, uniform, 2);
  place_t body = inside(place, uniform);
  body.can_break = body.can_continue = true;
  statement->body = make_list(generator, body, 4);
  return statement;
}

static statement_t *make_switch(generator_t *generator, place_t place) {
  bool uniform = choose_uniform(generator, place);
  statement_t *statement = make_statement(statement_switch, 0);
  statement->value = make_expression(generator, type_int, uniform, 2);
  place_t arm = inside(place, uniform);
  if (place.uniform && !uniform) arm.can_continue = false;
  arm.can_break = true;
  statement_t **end = &statement->body;
  for (int i = 0; i < 3; i++) {
    *end = make_statement(statement_if, i);
    (*end)->falls_through = one_in(generator, 3);
    (*end)->body = make_list(generator, arm, 2);
    end = &(*end)->next;
  }
  return statement;
}

static statement_t *make_jump(generator_t *generator, place_t place) {
  statement_e kind = place.can_break && one_in(generator, 2) ? statement_break : statement_continue;
  if (kind == statement_continue && !place.can_continue) kind = statement_break;
  statement_t *statement = make_statement(kind, 0);
  statement->value = make_expression(generator, type_int, place.uniform, 2);
  return statement;
}

static statement_t *make_exchange(generator_t *generator, place_t place) {
  statement_e kind = (statement_e)(statement_exchange + below(generator, 4));
  bool to_uniform = kind == statement_broadcast || kind == statement_reduce;
  statement_t *statement = make_statement(kind, below(generator, to_uniform ? uniform_count : int_count));
  statement->level = place.exchange_level;
  statement->reduction = (reduction_e)below(generator, reduction_count);
  statement->value = make_expression(generator, type_int, false, 2);
  statement->other = make_expression(generator, type_int, kind == statement_broadcast, 2);
  place_t body = inside(place, true);
  body.exchange_level++;
  body.can_break = body.can_continue = false; /* the second barrier must come */
  if (kind == statement_exchange) statement->body = make_list(generator, body, 3);
  return statement;
}

static statement_t *make_any(generator_t *generator, place_t place) {
  int choice = below(generator, 16);
  if (place.uniform && place.exchange_level < exchange_levels && choice < 4) return make_exchange(generator, place);
  if ((place.can_break || place.can_continue) && choice < 6) return make_jump(generator, place);
  if (place.depth < 5 && choice < 8) return make_if(generator, place);
  if (place.depth < 4 && choice < 10) return make_loop(generator, place);
  if (place.depth < 4 && choice == 10) return make_switch(generator, place);
  bool can_return =
      place.uniform ? place.exchange_level == 0 && one_in(generator, 3) : !generator->program->has_barriers;
  if (can_return && choice == 11) {
    statement_t *statement = make_statement(statement_return, 0);
    statement->value = make_expression(generator, type_int, place.uniform, 2);
    return statement;
  }
  return make_simple(generator, place);
}

static statement_t *make_list(generator_t *generator, place_t place, int length) {
  statement_t *first = NULL, **end = &first;
  int count = 1 + below(generator, length);
  for (int i = 0; i < count && generator->statements_left > 0; i++) {
    generator->statements_left--;
    *end = make_any(generator, place);
    end = &(*end)->next;
  }
  return first;
}

program_t *program_generate(uint64_t seed) {
  program_t *program = allocate(sizeof(*program));
  generator_t generator = {.program = program, .state = seed * 0x632BE59BD9B4E019u, .statements_left = 8};
  generator.statements_left += (int)(seed % 8) * 6; /* small ones too: those explain what is wrong */
  program->seed = seed;
  program->two_dimensions = one_in(&generator, 3);
  program->has_barriers = !one_in(&generator, 3);
  program->has_walks = seed % 3 == 1; /* other seeds make what they always made */
  program->has_strides = seed % 4 == 3;
  program->two_dimensions &= !program->has_strides;
  program->range = below(&generator, 3);
  statement_t *first = program->has_strides ? make_stride(&generator) : NULL;
  program->body = make_list(&generator, (place_t){.uniform = program->has_barriers}, 3 + (int)(seed % 8));
  if (!first) return program;
  first->next = program->body;
  program->body = first;
  return program;
}

static void free_expression(expression_t *expression) {
  for (int i = 0; expression && i < 3; i++) free_expression(expression->operands[i]);
  free(expression);
}

static void free_list(statement_t *statement) {
  while (statement) {
    statement_t *next = statement->next;
    free_expression(statement->value);
    free_expression(statement->other);
    free_list(statement->body);
    free_list(statement->otherwise);
    free(statement);
    statement = next;
  }
}

void program_free(program_t *program) {
  free_list(program->body);
  free(program);
}
