/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random statements without control flow, and blocks of all. */
#include "generate.h"

statement_t *new_statement(generator_t *g, statement_kind_t kind) {
  statement_t *statement = program_allocate(g->program, sizeof(*statement));
  statement->kind = kind;
  statement->op = OP_ASSIGN;
  statement->style = random_below(g, 8);
  return statement;
}

void block_add(generator_t *g, block_t *block, statement_t *statement) {
  if (block->count == block->capacity) {
    unsigned capacity = block->capacity ? 2 * block->capacity : 8;
    statement_t **statements = program_allocate(g->program, capacity * sizeof(*statements));
    if (block->count) memcpy(statements, block->statements, block->count * sizeof(*statements));
    block->statements = statements;
    block->capacity = capacity;
  }
  block->statements[block->count++] = statement;
}

statement_t *add_statement(generator_t *g, block_t *block, statement_kind_t kind) {
  statement_t *statement = new_statement(g, kind);
  block_add(g, block, statement);
  return statement;
}

statement_t *add_declaration(generator_t *g, block_t *block, variable_t *variable, expression_t *value) {
  statement_t *statement = add_statement(g, block, STMT_DECLARE);
  statement->variable = variable;
  statement->value = value;
  return statement;
}

statement_t *add_assignment(generator_t *g, block_t *block, expression_t *target, expression_t *value) {
  statement_t *statement = add_statement(g, block, STMT_ASSIGN);
  statement->target = target;
  statement->value = value;
  return statement;
}

/* ---------------------------------------------------------------- declarations */

static const type_t *random_array_type(generator_t *g) {
  static const unsigned counts[] = {2, 4, 4, 8, 8, 16, 32};
  type_t *type = program_allocate(g->program, sizeof(*type));
  const type_t *element = random_chance(g, 70) ? type_number(random_scalar(g), 1) : random_number_type(g);
  if (g->program->type_count && random_chance(g, 15)) {
    element = g->program->types[random_below(g, g->program->type_count)];
    if (element->form != TYPE_STRUCT) element = type_number(SCALAR_I32, 1);
  }
  type_make_array(type, element, element->size > 64 ? 2 : counts[random_below(g, 7)]);
  return type;
}

static expression_t **list_of(generator_t *g, const type_t *type, unsigned count) {
  expression_t **values = program_allocate(g->program, count * sizeof(*values));
  for (unsigned i = 0; i < count; i++) {
    const type_t *value = type->form == TYPE_ARRAY ? type->element : type->members[i].type;
    values[i] = random_expression(g, value, 1);
  }
  return values;
}

static void declare_array(generator_t *g, block_t *block) {
  const type_t *type = random_array_type(g);
  variable_t *variable = new_private(g, "a", type);
  statement_t *statement = add_declaration(g, block, variable, NULL);
  if (type_is_number(type->element) && type->count <= 8) {
    statement->value_count = (unsigned)type->count;
    statement->values = list_of(g, type, statement->value_count);
  }
  enter_scope(g, variable);
}

static bool holds_numbers(const type_t *type) {
  for (unsigned i = 0; i < type->member_count; i++) {
    if (!type_is_number(type->members[i].type)) return false;
  }
  return type->form == TYPE_STRUCT;
}

static void declare_struct(generator_t *g, block_t *block) {
  const type_t *type = g->program->types[random_below(g, g->program->type_count)];
  variable_t *variable = new_private(g, "s", type);
  statement_t *statement = add_declaration(g, block, variable, NULL);
  if (holds_numbers(type)) {
    statement->value_count = type->member_count;
    statement->values = list_of(g, type, type->member_count);
  }
  enter_scope(g, variable);
}

/* Something in scope that a pointer of this kind may point to and read. */
static expression_t *random_pointee(generator_t *g, const type_t **out_type, space_t *space) {
  for (unsigned tries = 0; tries < 10 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    bool is_array = variable->type->form == TYPE_ARRAY && type_is_number(variable->type->element);
    bool is_plain = type_is_number(variable->type) && variable->space == SPACE_PRIVATE && !variable->is_reference;
    if (variable->is_volatile || variable->is_constexpr || variable->is_read_only) continue;
    if (!is_array && !is_plain) continue;
    if (is_plain && variable->is_uniform) continue;
    *space = variable->space;
    expression_t *object = make_variable(g, variable);
    if (is_array) object = make_element(g, object, random_expression(g, type_number(SCALAR_U32, 1), 1));
    *out_type = object->type;
    return object;
  }
  return NULL;
}

/* T *p = &a[i], or an array of them; local memory only through pointers that end with the phase. */
static void declare_pointer(generator_t *g, block_t *block) {
  const type_t *element;
  space_t space;
  expression_t *object = random_pointee(g, &element, &space);
  if (!object || space == SPACE_CONSTANT) return;
  const space_t object_space = space;
  if (random_chance(g, 50)) space = SPACE_GENERIC;
  type_t *pointer = program_allocate(g->program, sizeof(*pointer));
  type_make_pointer(pointer, element, space, 1);
  expression_t *address = make_address(g, object, space);
  if (random_chance(g, 40)) {
    type_t *array = program_allocate(g->program, sizeof(*array));
    type_make_array(array, pointer, 2);
    variable_t *variable = new_private(g, "pp", array);
    statement_t *statement = add_declaration(g, block, variable, NULL);
    statement->value_count = 2;
    statement->values = program_allocate(g->program, 2 * sizeof(*statement->values));
    statement->values[0] = statement->values[1] = address;
    for (unsigned tries = 0; tries < 10; tries++) {
      const type_t *other;
      space_t other_space;
      expression_t *second = random_pointee(g, &other, &other_space);
      bool fits = second && other == element && (space == SPACE_GENERIC || other_space == space);
      if (fits && other_space != SPACE_CONSTANT) statement->values[1] = make_address(g, second, space);
    }
    variable->is_read_only = true;
    enter_scope(g, variable);
    return;
  }
  variable_t *variable = new_private(g, "p", pointer);
  add_declaration(g, block, variable, address);
  variable->is_read_only = object_space != SPACE_PRIVATE;
  variable->pointee_space = object_space;
  enter_scope(g, variable);
}

static void declare_constant(generator_t *g, block_t *block) {
  const type_t *type = type_number(random_integer_scalar(g), 1);
  variable_t *variable = new_private(g, "k", type);
  variable->is_uniform = variable->is_read_only = variable->is_constexpr = true;
  add_declaration(g, block, variable, make_constant(g, type, random_below(g, 100)));
  enter_scope(g, variable);
}

static void declare_number(generator_t *g, block_t *block) {
  const type_t *type = random_number_type(g);
  bool is_uniform = g->is_uniform && random_chance(g, 35);
  expression_t *value = is_uniform ? random_uniform(g, type, 3) : random_expression(g, type, 3);
  variable_t *variable = new_private(g, "v", type);
  variable->is_uniform = is_uniform;
  variable->is_volatile = !is_uniform && type->width == 1 && random_chance(g, 6);
  add_declaration(g, block, variable, value);
  enter_scope(g, variable);
}

void random_declaration(generator_t *g, block_t *block) {
  unsigned choice = random_below(g, 100);
  if (choice < 18) {
    declare_array(g, block);
  } else if (choice < 30 && g->program->type_count) {
    declare_struct(g, block);
  } else if (choice < 40) {
    declare_pointer(g, block);
  } else if (choice < 46) {
    declare_constant(g, block);
  } else {
    declare_number(g, block);
  }
}

/* ---------------------------------------------------------------- assignments */

static operator_t random_compound(generator_t *g, const type_t *type) {
  static const operator_t integers[] = {OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_AND, OP_OR, OP_XOR};
  return type_is_integer(type) ? integers[random_below(g, 6)] : OP_ADD + random_below(g, 3);
}

/* Lanes that are assigned must differ. */
static expression_t *random_lvalue_lanes(generator_t *g, expression_t *target) {
  static const unsigned widths[] = {1, 2, 3, 4, 8};
  unsigned width = widths[random_below(g, 5)], used = 0;
  if (target->type->width == 1 || width > target->type->width || random_chance(g, 60)) return target;
  expression_t *lanes = new_expression(g, EXPR_SWIZZLE, type_number(target->type->scalar, width));
  lanes->operands[lanes->operand_count++] = target;
  for (unsigned i = 0; i < width; i++) {
    unsigned lane;
    do lane = random_below(g, target->type->width);
    while (used >> lane & 1);
    used |= 1u << lane;
    lanes->lanes[i] = (unsigned char)lane;
  }
  return lanes;
}

static void random_assignment(generator_t *g, block_t *block) {
  expression_t *target = random_target(g);
  if (!target) return;
  target = random_lvalue_lanes(g, target);
  statement_t *statement = add_assignment(g, block, target, random_expression(g, target->type, 3));
  if (random_chance(g, 35)) statement->op = random_compound(g, target->type);
  statement->is_droppable = true;
}

/* Variables that are the same for all stay so. */
static void random_uniform_assignment(generator_t *g, block_t *block) {
  for (unsigned tries = 0; tries < 6 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    bool fits = variable->is_uniform && !variable->is_read_only && type_is_number(variable->type);
    if (!fits || variable->space != SPACE_PRIVATE || variable->data) continue;
    add_assignment(g, block, make_variable(g, variable), random_uniform(g, variable->type, 2))->is_droppable = true;
    return;
  }
}

static void random_struct_assignment(generator_t *g, block_t *block) {
  for (unsigned tries = 0; tries < 20 && g->scope_count; tries++) {
    variable_t *to = g->scope[random_below(g, g->scope_count)], *from = g->scope[random_below(g, g->scope_count)];
    if (to->type->form != TYPE_STRUCT || to == from || from->type != to->type || to->is_read_only) continue;
    if (to->space != SPACE_PRIVATE || to->is_uniform) continue;
    add_assignment(g, block, make_variable(g, to), make_variable(g, from))->is_droppable = true;
    return;
  }
}

static void random_vstore(generator_t *g, block_t *block) {
  static const unsigned widths[] = {2, 3, 4, 8, 16};
  unsigned width = widths[random_below(g, 5)];
  for (unsigned tries = 0; tries < 10 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    const type_t *type = variable->type;
    bool is_array = type->form == TYPE_ARRAY && type_is_scalar(type->element) && type->count >= width;
    if (!is_array || variable->is_read_only || variable->space != SPACE_PRIVATE || variable->data) continue;
    if (variable->is_uniform) continue;
    statement_t *statement = add_statement(g, block, STMT_VSTORE);
    statement->target = make_variable(g, variable);
    statement->value = random_expression(g, type_number(type->element->scalar, width), 2);
    statement->index = random_expression(g, type_number(SCALAR_U32, 1), 1);
    statement->is_droppable = true;
    return;
  }
}

/* The work-item's own place in a buffer. */
static void random_output(generator_t *g, block_t *block) {
  if (!g->output_count || g->function != &g->program->kernel) return;
  variable_t *output = g->outputs[random_below(g, g->output_count)];
  const type_t *index_type = type_number(SCALAR_U32, 1);
  expression_t *index =
      make_binary(g, OP_MULTIPLY, make_variable(g, g->item), make_constant(g, index_type, g->outputs_of_item));
  index = make_binary(g, OP_ADD, index, make_constant(g, index_type, random_below(g, g->outputs_of_item)));
  expression_t *target = make_element(g, make_variable(g, output), index);
  if (!type_is_number(target->type)) target = make_member(g, target, random_below(g, target->type->member_count));
  while (!type_is_number(target->type)) {
    target = target->type->form == TYPE_ARRAY ? make_element(g, target, make_constant(g, index_type, 1))
                                              : make_member(g, target, 0);
  }
  statement_t *statement = add_assignment(g, block, target, random_expression(g, target->type, 2));
  statement->is_droppable = true;
}

static void random_total(generator_t *g, block_t *block) {
  if (!g->totals || g->function != &g->program->kernel) return;
  unsigned index = random_below(g, 8);
  const type_t *element = g->totals->type->element;
  statement_t *statement = add_statement(g, block, STMT_ATOMIC);
  statement->atomic = g->total_atomics[index];
  statement->target = make_element(g, make_variable(g, g->totals), make_constant(g, type_number(SCALAR_U32, 1), index));
  statement->value = random_expression(g, element, 2);
  statement->style = random_chance(g, 50) ? 0 : 2;
  statement->is_droppable = true;
}

static void random_image_write(generator_t *g, block_t *block) {
  for (unsigned tries = 0; tries < 6 && g->function == &g->program->kernel; tries++) {
    argument_t *argument = &g->program->arguments[random_below(g, g->program->argument_count)];
    if (argument->kind != ARGUMENT_WRITTEN_IMAGE) continue;
    static const scalar_t scalars[] = {SCALAR_F32, SCALAR_I32, SCALAR_U32};
    statement_t *statement = add_statement(g, block, STMT_WRITE_IMAGE);
    statement->variable = argument->parameter;
    test_pixel_kind_t kind = test_pixel_kind(&argument->pixels.format);
    statement->value = random_expression(g, type_number(scalars[kind], 4), 2);
    statement->is_droppable = true;
    return;
  }
}

static void random_cell_atomic(generator_t *g, block_t *block) {
  if (!g->cell) return;
  statement_t *statement = add_statement(g, block, STMT_ATOMIC);
  statement->atomic = g->cell_atomic;
  statement->target = make_variable(g, g->cell);
  statement->value = random_expression(g, g->cell->type, 2);
  statement->style = random_below(g, 2);
  statement->is_droppable = true;
}

/* A function's call for what it does to its references. */
static void random_reference_call(generator_t *g, block_t *block) {
  if (!g->program->function_count) return;
  function_t *function = g->program->functions[random_below(g, g->program->function_count)];
  bool is_lambda = g->program->is_cxx && function->style == FUNCTION_LAMBDA;
  if (function->has_barriers || (is_lambda && g->function != &g->program->kernel)) return;
  statement_t *statement = new_statement(g, STMT_CALL);
  statement->function = function;
  if (!random_arguments(g, function, statement->arguments, 2)) return;
  variable_t *variable = new_private(g, "r", function->result_type);
  add_declaration(g, block, variable, NULL);
  statement->target = make_variable(g, variable);
  statement->is_droppable = true;
  block_add(g, block, statement);
  enter_scope(g, variable);
}

/* ---------------------------------------------------------------- blocks */

static void random_simple(generator_t *g, block_t *block) {
  unsigned choice = random_below(g, 100);
  if (choice < 30) {
    random_declaration(g, block);
  } else if (choice < 60) {
    random_assignment(g, block);
  } else if (choice < 66) {
    random_output(g, block);
  } else if (choice < 72) {
    random_vstore(g, block);
  } else if (choice < 77) {
    random_struct_assignment(g, block);
  } else if (choice < 81) {
    random_total(g, block);
  } else if (choice < 85) {
    random_image_write(g, block);
  } else if (choice < 90) {
    random_cell_atomic(g, block);
  } else if (choice < 95) {
    random_reference_call(g, block);
  } else if (g->is_uniform) {
    random_uniform_assignment(g, block);
  }
}

static void random_control(generator_t *g, block_t *block) {
  unsigned choice = random_below(g, 100);
  g->nesting++;
  if (choice < 40) {
    random_if(g, block);
  } else if (choice < 70) {
    random_loop(g, block);
  } else if (choice < 88) {
    random_switch(g, block);
  } else {
    random_duff(g, block);
  }
  g->nesting--;
}

static void random_group_statement(generator_t *g, block_t *block) {
  unsigned choice = random_below(g, 100);
  if (choice < 30 && random_exchange(g, block)) return;
  if (choice < 42 && random_slots(g, block)) return;
  if (choice < 56 && random_cell(g, block)) return;
  if (choice < 72 && random_collective(g, block)) return;
  if (choice < 88 && random_group_call(g, block)) return;
  add_barrier(g, block);
}

void random_block(generator_t *g, block_t *block, unsigned count) {
  unsigned scope = g->scope_count;
  for (unsigned i = 0; i < count && g->budget > 0; i++) {
    unsigned choice = random_below(g, 100);
    g->budget--;
    if (choice < 26 && g->nesting < 4) {
      random_control(g, block);
    } else if (choice < 48 && g->is_uniform) {
      random_group_statement(g, block);
    } else if (choice < 53) {
      random_jump(g, block);
    } else {
      random_simple(g, block);
    }
  }
  g->scope_count = scope;
}
