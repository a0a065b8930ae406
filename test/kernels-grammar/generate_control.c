/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random control flow. Where all work-items of a group come, a statement sends them all one way, and what is inside may
 * wait at barriers; or each its own way, and nothing inside may. */
#include "generate.h"

/* What a nested block changes of the place it stands in. */
typedef struct place_t {
  bool is_uniform, may_return, in_loop, in_breakable, is_loop_uniform, is_breakable_uniform;
} place_t;

static place_t place_of(const generator_t *g) {
  return (place_t){g->is_uniform,   g->may_return,      g->in_loop,
                   g->in_breakable, g->is_loop_uniform, g->is_breakable_uniform};
}

static void restore(generator_t *g, place_t place) {
  g->is_uniform = place.is_uniform;
  g->may_return = place.may_return;
  g->in_loop = place.in_loop;
  g->in_breakable = place.in_breakable;
  g->is_loop_uniform = place.is_loop_uniform;
  g->is_breakable_uniform = place.is_breakable_uniform;
}

static statement_t *new_control(generator_t *g, statement_kind_t kind) {
  statement_t *statement = new_statement(g, kind);
  statement->is_uniform = g->is_uniform && random_chance(g, 65);
  statement->is_droppable = true;
  g->is_uniform = statement->is_uniform;
  return statement;
}

void random_if(generator_t *g, block_t *block) {
  place_t place = place_of(g);
  statement_t *statement = new_control(g, STMT_IF);
  statement->value = random_condition(g, statement->is_uniform);
  random_block(g, &statement->blocks[0], 1 + random_below(g, 4));
  if (random_chance(g, 40)) random_block(g, &statement->blocks[1], 1 + random_below(g, 3));
  restore(g, place);
  block_add(g, block, statement);
}

/* At most seven turns, or a few of an argument, an id or anything. */
static expression_t *random_bound(generator_t *g, bool for_all) {
  const type_t *type = type_number(SCALAR_I32, 1);
  unsigned limit = g->nesting > 2 ? 3 : 7;
  if (random_chance(g, 30)) return make_constant(g, type, 1 + random_below(g, limit));
  bool is_uniform = for_all && random_chance(g, 85);
  expression_t *value = is_uniform ? random_uniform(g, type, 2) : random_expression(g, type, 2);
  return make_binary(g, OP_AND, value, make_constant(g, type, limit));
}

static void enter_loop(generator_t *g, bool is_uniform) {
  g->in_loop = g->in_breakable = true;
  g->is_loop_uniform = g->is_breakable_uniform = is_uniform;
}

void random_loop(generator_t *g, block_t *block) {
  place_t place = place_of(g);
  statement_t *loop = new_control(g, STMT_LOOP);
  loop->loop_style = random_below(g, LOOP_STYLES);
  loop->step = random_chance(g, 80) ? 1 : 2;
  loop->value = random_bound(g, loop->is_uniform);
  loop->variable = new_private(g, "i", type_number(SCALAR_I32, 1));
  loop->variable->is_read_only = true;
  loop->variable->is_uniform = loop->is_uniform;
  enter_loop(g, loop->is_uniform);
  unsigned scope = g->scope_count;
  enter_scope(g, loop->variable);
  random_block(g, &loop->blocks[0], 2 + random_below(g, 4));
  g->scope_count = scope;
  restore(g, place);
  block_add(g, block, loop);
}

static expression_t *random_selector(generator_t *g, bool for_all, unsigned limit) {
  const type_t *type = type_number(SCALAR_I32, 1);
  bool is_uniform = for_all && random_chance(g, 85);
  expression_t *value = is_uniform ? random_uniform(g, type, 2) : random_expression(g, type, 2);
  return make_binary(g, OP_AND, value, make_constant(g, type, limit));
}

void random_switch(generator_t *g, block_t *block) {
  place_t place = place_of(g);
  statement_t *statement = new_control(g, STMT_SWITCH);
  statement->value = random_selector(g, statement->is_uniform, 7);
  statement->case_count = 2 + random_below(g, MAX_CASES - 2);
  unsigned the_default = random_chance(g, 75) ? random_below(g, statement->case_count) : MAX_CASES;
  int label = -1 + (int)random_below(g, 3);
  g->in_breakable = true;
  g->is_breakable_uniform = statement->is_uniform;
  for (unsigned i = 0; i < statement->case_count; i++) {
    case_t *one = &statement->cases[i];
    one->is_default = i == the_default;
    one->label_count = one->is_default ? random_below(g, 2) : 1 + random_below(g, 2);
    for (unsigned j = 0; j < one->label_count; j++) one->labels[j] = label++;
    one->falls_through = random_chance(g, 30);
    random_block(g, &one->body, 1 + random_below(g, 3));
  }
  restore(g, place);
  block_add(g, block, statement);
}

/* Nothing inside may leave: neither the turns nor the function. */
void random_duff(generator_t *g, block_t *block) {
  place_t place = place_of(g);
  statement_t *statement = new_control(g, STMT_DUFF);
  statement->value = random_selector(g, statement->is_uniform, 3);
  statement->variable = new_private(g, "d", type_number(SCALAR_I32, 1));
  statement->step = 1 + random_below(g, 3);
  statement->case_count = 2 + random_below(g, 2);
  g->in_loop = g->in_breakable = g->may_return = false;
  for (unsigned i = 0; i < statement->case_count; i++) {
    random_block(g, &statement->stages[i], 1 + random_below(g, 3));
  }
  restore(g, place);
  block_add(g, block, statement);
}

/* The jump itself is conditional: what stands behind it is not dead. */
static void add_jump(generator_t *g, block_t *block, statement_kind_t kind) {
  statement_t *condition = add_statement(g, block, STMT_IF);
  condition->is_uniform = g->is_uniform;
  condition->value = random_condition(g, g->is_uniform);
  condition->is_droppable = true;
  statement_t *jump = add_statement(g, &condition->blocks[0], kind);
  if (kind != STMT_RETURN) return;
  jump->is_uniform = g->is_uniform;
  if (!g->function->result_type) return;
  jump->variable = g->function->result;
  jump->value = random_expression(g, g->function->result_type, 2);
}

/* What leaves a loop with barriers does so with all others. */
void random_jump(generator_t *g, block_t *block) {
  unsigned choice = random_below(g, 100);
  if (choice < 45 && g->in_breakable && (g->is_uniform || !g->is_breakable_uniform)) {
    add_jump(g, block, STMT_BREAK);
  } else if (choice < 80 && g->in_loop && (g->is_uniform || !g->is_loop_uniform)) {
    add_jump(g, block, STMT_CONTINUE);
  } else if (g->may_return && (g->is_uniform || g->is_pure || g->is_tail)) {
    add_jump(g, block, STMT_RETURN);
  }
}
