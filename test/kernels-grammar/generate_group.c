/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What work-items of a group do together. Between two barriers, a byte of local memory is written by one work-item and
 * looked at by no other, or changed by atomic operations of one kind alone, or only read. */
#include "generate.h"

void add_barrier(generator_t *g, block_t *block) { add_statement(g, block, STMT_BARRIER); }

/* A place in a tile that no other work-item has: l, n - 1 - l, or (l + c) % n. */
static expression_t *own_place(generator_t *g) {
  const type_t *type = type_number(SCALAR_U32, 1);
  expression_t *lane = make_variable(g, g->lane), *size = make_variable(g, g->group_size);
  switch (random_below(g, 4)) {
    case 0: return lane;
    case 1: return make_binary(g, OP_SUBTRACT, make_binary(g, OP_SUBTRACT, size, make_constant(g, type, 1)), lane);
    case 2: {
      expression_t *shift = random_uniform(g, type, 1);
      shift = make_binary(g, OP_AND, shift, make_constant(g, type, 255));
      return make_binary(g, OP_REMAINDER, make_binary(g, OP_ADD, lane, shift), size);
    }
    default: return make_binary(g, OP_XOR, lane, make_constant(g, type, 0));
  }
}

static variable_t *free_tile(generator_t *g) {
  if (!g->tile_count || !g->lane) return NULL;
  variable_t *tile = g->tiles[random_below(g, g->tile_count)];
  return tile->is_busy ? NULL : tile;
}

static statement_t *new_phase(generator_t *g) {
  statement_t *phase = new_statement(g, STMT_BLOCK);
  phase->is_droppable = true;
  return phase;
}

/* Statements that nothing leaves before the barrier behind them. */
static void closed_block(generator_t *g, block_t *block, unsigned count) {
  bool in_loop = g->in_loop, in_breakable = g->in_breakable, may_return = g->may_return;
  g->in_loop = g->in_breakable = g->may_return = false;
  g->nesting++;
  random_block(g, block, count);
  g->nesting--;
  g->in_loop = in_loop;
  g->in_breakable = in_breakable;
  g->may_return = may_return;
}

/* Statements between barriers, in which the variable can be read. */
static void read_phase(generator_t *g, block_t *block, variable_t *variable, unsigned count) {
  unsigned scope = g->scope_count;
  variable->is_busy = true;
  enter_scope(g, variable);
  closed_block(g, block, count);
  g->scope_count = scope;
  variable->is_busy = false;
}

bool random_exchange(generator_t *g, block_t *block) {
  variable_t *tile = free_tile(g);
  if (!tile) return false;
  statement_t *phase = new_phase(g);
  block_t *inside = &phase->blocks[0];
  expression_t *target = make_element(g, make_variable(g, tile), own_place(g));
  if (type_is_number(target->type)) {
    statement_t *store = add_assignment(g, inside, target, random_expression(g, target->type, 2));
    if (random_chance(g, 30)) store->op = OP_XOR;
    if (type_is_float(target->type)) store->op = OP_ASSIGN;
  } else {
    target = make_member(g, target, 0);
    add_assignment(g, inside, target, random_expression(g, target->type, 2));
  }
  add_barrier(g, inside);
  read_phase(g, inside, tile, 1 + random_below(g, 4));
  add_barrier(g, inside);
  block_add(g, block, phase);
  return true;
}

/* Pointers into a tile, in local memory themselves. */
bool random_slots(generator_t *g, block_t *block) {
  variable_t *tile = g->tile_count ? g->tiles[0] : NULL;
  if (!tile || tile->is_busy || !g->slots || g->slots->is_busy || g->function != &g->program->kernel) return false;
  statement_t *phase = new_phase(g);
  block_t *inside = &phase->blocks[0];
  expression_t *element = make_element(g, make_variable(g, tile), make_variable(g, g->lane));
  if (type_is_number(element->type)) add_assignment(g, inside, element, random_expression(g, element->type, 2));
  expression_t *index = random_expression(g, type_number(SCALAR_U32, 1), 2);
  expression_t *pointee = make_element(g, make_variable(g, tile), index);
  expression_t *slot = make_element(g, make_variable(g, g->slots), own_place(g));
  add_assignment(g, inside, slot, make_address(g, pointee, SPACE_LOCAL));
  add_barrier(g, inside);
  tile->is_busy = true;
  read_phase(g, inside, g->slots, 1 + random_below(g, 3));
  tile->is_busy = false;
  add_barrier(g, inside);
  block_add(g, block, phase);
  return true;
}

static int64_t neutral_start(generator_t *g) { return (int64_t)random_below(g, 1000); }

/* if (l == 0) cell = start; barrier; atomics; barrier; what all read; barrier. */
bool random_cell(generator_t *g, block_t *block) {
  variable_t *cell = g->cells[random_below(g, 2)];
  if (!cell || cell->is_busy || g->cell || !g->lane || g->function != &g->program->kernel) return false;
  statement_t *phase = new_phase(g);
  block_t *inside = &phase->blocks[0];
  statement_t *first = add_statement(g, inside, STMT_IF);
  expression_t *zero = make_constant(g, type_number(SCALAR_U32, 1), 0);
  first->is_fixed = true;
  first->value = make_binary(g, OP_EQUAL, make_variable(g, g->lane), zero);
  add_assignment(g, &first->blocks[0], make_variable(g, cell), make_constant(g, cell->type, neutral_start(g)));
  add_barrier(g, inside);
  g->cell = cell;
  g->cell_atomic = random_below(g, ATOMIC_XOR + 1);
  statement_t *middle = add_statement(g, inside, STMT_BLOCK);
  closed_block(g, &middle->blocks[0], 1 + random_below(g, 3));
  statement_t *statement = add_statement(g, inside, STMT_ATOMIC);
  statement->atomic = g->cell_atomic;
  statement->target = make_variable(g, cell);
  statement->value = random_expression(g, cell->type, 2);
  statement->style = random_below(g, 2);
  g->cell = NULL;
  add_barrier(g, inside);
  read_phase(g, inside, cell, 1 + random_below(g, 3));
  add_barrier(g, inside);
  block_add(g, block, phase);
  return true;
}

/* ---------------------------------------------------------------- functions of the group */

static bool is_of_sub_group(collective_t collective) { return collective >= COLLECTIVE_SUB_BROADCAST; }

static bool gives_same(collective_t collective) {
  bool is_scan = collective >= COLLECTIVE_SCAN_INCLUSIVE_ADD && collective <= COLLECTIVE_SCAN_INCLUSIVE_MIN;
  return !is_scan && collective != COLLECTIVE_SUB_SELF;
}

static scalar_t collective_scalar(generator_t *g, collective_t collective) {
  static const scalar_t scalars[] = {SCALAR_U32, SCALAR_U64, SCALAR_I32, SCALAR_I64, SCALAR_F32, SCALAR_F64};
  bool is_predicate = collective == COLLECTIVE_ANY || collective == COLLECTIVE_ALL || collective == COLLECTIVE_SUB_ANY;
  bool adds = collective == COLLECTIVE_REDUCE_ADD || collective == COLLECTIVE_SCAN_INCLUSIVE_ADD ||
              collective == COLLECTIVE_SCAN_EXCLUSIVE_ADD;
  bool moves =
      collective == COLLECTIVE_BROADCAST || collective == COLLECTIVE_SUB_BROADCAST || collective == COLLECTIVE_SUB_SELF;
  if (is_predicate) return SCALAR_I32;
  return scalars[random_below(g, adds ? 2 : moves ? 6 : 4)];
}

bool random_collective(generator_t *g, block_t *block) {
  if (g->program->is_local_free) return false;
  collective_t collective = random_below(g, COLLECTIVE_COUNT);
  const type_t *type = type_number(collective_scalar(g, collective), 1);
  bool needs_same = is_of_sub_group(collective) && collective != COLLECTIVE_SUB_SELF;
  expression_t *value = needs_same ? random_uniform(g, type, 2) : random_expression(g, type, 2);
  variable_t *variable = new_private(g, "c", type);
  variable->is_uniform = gives_same(collective);
  add_declaration(g, block, variable, NULL);
  statement_t *statement = add_statement(g, block, STMT_COLLECTIVE);
  statement->collective = collective;
  statement->target = make_variable(g, variable);
  statement->value = value;
  statement->step = random_below(g, 2);
  statement->is_droppable = true;
  enter_scope(g, variable);
  return true;
}

/* Its tile is one of the caller's, which nothing reads meanwhile. */
bool random_group_call(generator_t *g, block_t *block) {
  unsigned count = g->program->function_count;
  function_t *function = count ? g->program->functions[random_below(g, count)] : NULL;
  variable_t *tile = NULL;
  if (!function || !function->has_barriers || g->function != &g->program->kernel || !g->lane) return false;
  for (unsigned i = 0; i < g->tile_count; i++) {
    bool fits = g->tiles[i]->type->element == function->parameters[0]->type->element;
    if (fits && !g->tiles[i]->is_busy) tile = g->tiles[i];
  }
  if (!tile) return false;
  statement_t *statement = new_statement(g, STMT_CALL);
  statement->function = function;
  statement->arguments[0] = make_variable(g, tile);
  statement->arguments[1] = make_variable(g, g->lane);
  statement->arguments[2] = make_variable(g, g->group_size);
  for (unsigned i = 3; i < function->parameter_count; i++) {
    const variable_t *parameter = function->parameters[i];
    statement->arguments[i] =
        parameter->is_uniform ? random_uniform(g, parameter->type, 2) : random_expression(g, parameter->type, 2);
  }
  variable_t *variable = new_private(g, "g", function->result_type);
  add_declaration(g, block, variable, NULL);
  statement->target = make_variable(g, variable);
  statement->is_droppable = true;
  block_add(g, block, statement);
  enter_scope(g, variable);
  return true;
}
