/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * One change after the other, largest first, until none is left that keeps the failure. */
#include "reduce.h"

typedef struct reducer_t {
  program_t *program;
  bool (*fails)(program_t *, void *);
  void *data;
  bool changed, drops; /* in this round; what it tries */
} reducer_t;

static bool still_fails(reducer_t *reducer) { return reducer->fails(reducer->program, reducer->data); }

static void drop(reducer_t *reducer, statement_t *statement) {
  if (!statement->is_droppable || statement->is_dropped) return;
  statement->is_dropped = true;
  if (still_fails(reducer)) {
    reducer->changed = true;
  } else {
    statement->is_dropped = false;
  }
}

/* ---------------------------------------------------------------- expressions */

static void simplify(reducer_t *reducer, expression_t *expression);

/* Of an lvalue only its indices and pointers. */
static void simplify_inside_lvalue(reducer_t *reducer, expression_t *expression) {
  switch (expression->kind) {
    case EXPR_ELEMENT:
      simplify_inside_lvalue(reducer, expression->operands[0]);
      simplify(reducer, expression->operands[1]);
      break;
    case EXPR_MEMBER:
    case EXPR_SWIZZLE:
    case EXPR_ADDRESS:
    case EXPR_DEREFERENCE: simplify_inside_lvalue(reducer, expression->operands[0]); break;
    default: break;
  }
}

static bool is_lvalue_operand(const expression_t *expression, unsigned index) {
  switch (expression->kind) {
    case EXPR_ELEMENT:
    case EXPR_MEMBER:
    case EXPR_ADDRESS:
    case EXPR_DEREFERENCE: return index == 0;
    case EXPR_VLOAD: return index == 1;
    case EXPR_CALL: return expression->function->parameters[index]->is_reference;
    default: return !type_is_number(expression->operands[index]->type);
  }
}

static bool becomes_zero(reducer_t *reducer, expression_t *expression) {
  expression_t before = *expression;
  value_t *zero = program_allocate(reducer->program, sizeof(*zero));
  zero->type = expression->type;
  *expression = (expression_t){.kind = EXPR_CONSTANT, .type = before.type, .value = zero, .sampler = -1};
  if (still_fails(reducer)) return true;
  *expression = before;
  return false;
}

/* An operand of the same type in place of the whole. */
static bool becomes_operand(reducer_t *reducer, expression_t *expression) {
  expression_t before = *expression;
  for (unsigned i = 0; i < before.operand_count; i++) {
    if (before.operands[i]->type != before.type) continue;
    *expression = *before.operands[i];
    if (still_fails(reducer)) return true;
    *expression = before;
  }
  return false;
}

static void simplify(reducer_t *reducer, expression_t *expression) {
  if (expression->kind == EXPR_CONSTANT) return;
  if (type_is_number(expression->type) && expression->kind != EXPR_VARIABLE) {
    if (becomes_zero(reducer, expression)) {
      reducer->changed = true;
      return;
    }
    while (becomes_operand(reducer, expression)) reducer->changed = true;
  }
  for (unsigned i = 0; i < expression->operand_count; i++) {
    if (is_lvalue_operand(expression, i)) {
      simplify_inside_lvalue(reducer, expression->operands[i]);
    } else {
      simplify(reducer, expression->operands[i]);
    }
  }
}

static void simplify_statement(reducer_t *reducer, statement_t *statement) {
  if (statement->value) simplify(reducer, statement->value);
  for (unsigned i = 0; i < statement->value_count; i++) simplify(reducer, statement->values[i]);
  if (statement->index) simplify(reducer, statement->index);
  for (unsigned i = 0; statement->function && i < statement->function->parameter_count; i++) {
    bool is_number = type_is_number(statement->arguments[i]->type);
    bool is_place = statement->function->has_barriers && i < 3;
    if (is_number && !is_place && !statement->function->parameters[i]->is_reference) {
      simplify(reducer, statement->arguments[i]);
    }
  }
}

/* ---------------------------------------------------------------- rounds */

static void visit(reducer_t *reducer, block_t *block) {
  for (unsigned i = block->count; i-- > 0;) {
    statement_t *statement = block->statements[i];
    if (reducer->drops) drop(reducer, statement);
    if (statement->is_dropped) continue;
    if (!reducer->drops && !statement->is_fixed) simplify_statement(reducer, statement);
    for (unsigned j = 0; j < 2; j++) visit(reducer, &statement->blocks[j]);
    for (unsigned j = 0; j < statement->case_count; j++) {
      visit(reducer, &statement->cases[j].body);
      visit(reducer, &statement->stages[j]);
    }
  }
}

static void visit_all(reducer_t *reducer) {
  visit(reducer, &reducer->program->kernel.body);
  for (unsigned i = 0; i < reducer->program->function_count; i++) visit(reducer, &reducer->program->functions[i]->body);
}

void reduce(program_t *program, bool (*fails)(program_t *program, void *data), void *data) {
  reducer_t reducer = {.program = program, .fails = fails, .data = data, .changed = true};
  while (reducer.changed) {
    reducer.changed = false;
    reducer.drops = true;
    visit_all(&reducer);
    reducer.drops = false;
    visit_all(&reducer);
  }
}
