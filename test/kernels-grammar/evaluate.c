/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Statements, for all work-items of a group, and the ND-range. */
#include "evaluate.h"

#include <stdlib.h>

#include "arithmetic.h"

enum { STACK_SIZE = 1 << 16 };

/* ---------------------------------------------------------------- values of all work-items */

static int64_t integer_of(group_t *group, item_t *item, expression_t *expression) {
  value_t value;
  evaluate_expression(group, item, expression, &value);
  return (int64_t)lane_integer(&value, 0);
}

static bool truth_of(group_t *group, item_t *item, expression_t *expression) {
  value_t value;
  evaluate_expression(group, item, expression, &value);
  return value_is_true(&value);
}

static void check_all(const group_t *group, mask_t mask, const char *what) {
  if (!mask_equals(mask, group->all)) fail_msg("%s: not all work-items come here", what);
}

/* What must be the same for all of a group may depend on which work-items those are, whether it is repaired or happens
 * to be the same: then the program says how many. */
static void check_uniform(group_t *group, mask_t mask) {
  check_all(group, mask, "a condition for all");
  group->program->is_local_free = false;
}

/* Each work-item's number; one for all, the largest, where the statement needs that. */
static void integers_of(group_t *group, statement_t *statement, mask_t mask, int64_t *out) {
  bool is_first = true, differ = false;
  int64_t largest = 0;
  for (unsigned i = 0; i < group->count; i++) {
    if (!mask_has(&mask, i)) continue;
    out[i] = integer_of(group, &group->items[i], statement->value);
    differ |= !is_first && out[i] != largest;
    if (is_first || out[i] > largest) largest = out[i];
    is_first = false;
  }
  if (!statement->is_uniform) return;
  check_uniform(group, mask);
  if (differ) statement->repaired = true;
  for (unsigned i = 0; i < group->count; i++) out[i] = largest;
}

/* ---------------------------------------------------------------- simple statements */

static void initialise(group_t *group, item_t *item, statement_t *statement) {
  variable_t *variable = statement->variable;
  if (variable->space == SPACE_LOCAL) return;
  unsigned char *at = item->frame + variable->offset;
  value_t value;
  memset(at, 0, variable->type->size);
  if (statement->value) {
    evaluate_expression(group, item, statement->value, &value);
    memcpy(at, value.bytes, variable->type->size);
  }
  for (unsigned i = 0; i < statement->value_count; i++) {
    evaluate_expression(group, item, statement->values[i], &value);
    bool is_array = variable->type->form == TYPE_ARRAY;
    size_t offset = is_array ? i * variable->type->element->size : variable->type->members[i].offset;
    memcpy(at + offset, value.bytes, value.type->size);
  }
}

/* target = (type)(target op value). */
static void assign(group_t *group, item_t *item, statement_t *statement) {
  value_t value, old, converted;
  evaluate_expression(group, item, statement->value, &value);
  if (statement->op != OP_ASSIGN) {
    evaluate_expression(group, item, statement->target, &old);
    const type_t *common = type_common(old.type, value.type);
    value_t left = {.type = common}, right = {.type = common}, result = {.type = common};
    convert(&old, ROUND_DEFAULT, false, &left);
    convert(&value, ROUND_DEFAULT, false, &right);
    if (operate(statement->op, &left, &right, &result)) statement->repaired = true;
    converted.type = old.type;
    convert(&result, ROUND_DEFAULT, false, &converted);
    value = converted;
    if (type_is_float(old.type) && statement->repaired) {
      group->program->needs_ordinary[old.type->scalar][old.type->width] = true;
    }
  }
  evaluate_store(group, item, statement->target, &value);
}

static void vstore(group_t *group, item_t *item, statement_t *statement) {
  value_t value;
  expression_t *elements = statement->target;
  evaluate_expression(group, item, statement->value, &value);
  size_t width = value.type->width, fits = elements->type->count / width;
  uint64_t wanted = (uint64_t)integer_of(group, item, statement->index);
  if (wanted >= fits) statement->repaired = true;
  size_t size = width * scalar_size(value.type->scalar);
  memcpy(evaluate_address(group, item, elements) + wanted % fits * size, value.bytes, size);
}

static void atomic(group_t *group, item_t *item, statement_t *statement) {
  value_t operand, old, result;
  evaluate_expression(group, item, statement->value, &operand);
  evaluate_expression(group, item, statement->target, &old);
  result.type = old.type;
  wide_t a = lane_integer(&old, 0), b = lane_integer(&operand, 0);
  switch (statement->atomic) {
    case ATOMIC_ADD: a += b; break;
    case ATOMIC_SUB: a -= b; break;
    case ATOMIC_MIN: a = a < b ? a : b; break;
    case ATOMIC_MAX: a = a > b ? a : b; break;
    case ATOMIC_OR: a |= b; break;
    case ATOMIC_AND: a &= b; break;
    case ATOMIC_XOR: a ^= b; break;
  }
  lane_set_integer(&result, 0, a);
  evaluate_store(group, item, statement->target, &result);
}

/* The pixel at the work-item's own place in the ND-range. */
static void write_image(group_t *group, item_t *item, statement_t *statement) {
  argument_t *image = evaluate_image(group, statement->variable);
  value_t value;
  test_color_t color;
  evaluate_expression(group, item, statement->value, &value);
  memcpy(&color, value.bytes, sizeof(color));
  size_t at[3];
  for (unsigned i = 0; i < 3; i++) {
    at[i] = evaluate_query(group, item, QUERY_GLOBAL_ID, i) - group->program->offset[i];
  }
  const size_t *size = group->program->global;
  size_t index = (at[2] * size[1] + at[1]) * size[0] + at[0];
  test_pixel_encode(&image->pixels.format, &color, image->expected + index * test_pixel_size(&image->pixels.format));
}

static void simple(group_t *group, item_t *item, statement_t *statement) {
  switch (statement->kind) {
    case STMT_DECLARE: initialise(group, item, statement); break;
    case STMT_ASSIGN: assign(group, item, statement); break;
    case STMT_VSTORE: vstore(group, item, statement); break;
    case STMT_ATOMIC: atomic(group, item, statement); break;
    case STMT_WRITE_IMAGE: write_image(group, item, statement); break;
    default: fail_msg("not a simple statement: %d", statement->kind);
  }
}

static mask_t execute_simple(group_t *group, statement_t *statement, mask_t mask) {
  for (unsigned i = 0; i < group->count; i++) {
    if (mask_has(&mask, i)) simple(group, &group->items[i], statement);
  }
  return mask;
}

/* ---------------------------------------------------------------- control flow */

static mask_t execute_if(group_t *group, statement_t *statement, mask_t mask) {
  mask_t taken = {{0}};
  for (unsigned i = 0; i < group->count; i++) {
    if (mask_has(&mask, i) && truth_of(group, &group->items[i], statement->value)) mask_add(&taken, i);
  }
  if (statement->is_uniform) {
    check_uniform(group, mask);
    if (!mask_is_empty(taken) && !mask_equals(taken, mask)) {
      statement->repaired = true;
      taken = mask;
    }
  }
  mask_t rest = mask_and_not(mask, taken);
  taken = execute_block(group, &statement->blocks[0], taken);
  return mask_or(taken, execute_block(group, &statement->blocks[1], rest));
}

static void set_counter(item_t *item, const variable_t *counter, int64_t value) {
  int32_t number = (int32_t)value;
  memcpy(item->frame + counter->offset, &number, sizeof(number));
}

static int32_t counter_of(const item_t *item, const variable_t *counter) {
  int32_t number;
  memcpy(&number, item->frame + counter->offset, sizeof(number));
  return number;
}

static void start_loop(group_t *group, statement_t *loop, mask_t mask, const int64_t *bounds) {
  for (unsigned i = 0; i < group->count; i++) {
    if (mask_has(&mask, i)) {
      set_counter(&group->items[i], loop->variable, loop->loop_style == LOOP_DOWN ? bounds[i] : 0);
    }
  }
}

/* The work-items that run another turn. */
static mask_t turning(group_t *group, const statement_t *loop, mask_t mask, const int64_t *bounds) {
  mask_t live = {{0}};
  for (unsigned i = 0; i < group->count; i++) {
    if (!mask_has(&mask, i)) continue;
    int32_t counter = counter_of(&group->items[i], loop->variable);
    if (loop->loop_style == LOOP_DOWN ? counter > 0 : counter < bounds[i]) mask_add(&live, i);
  }
  return live;
}

static void step_loop(group_t *group, const statement_t *loop, mask_t mask) {
  int32_t step = loop->loop_style == LOOP_DOWN ? -(int32_t)loop->step : (int32_t)loop->step;
  for (unsigned i = 0; i < group->count; i++) {
    if (!mask_has(&mask, i)) continue;
    set_counter(&group->items[i], loop->variable, counter_of(&group->items[i], loop->variable) + step);
  }
}

static mask_t execute_loop(group_t *group, statement_t *loop, mask_t mask) {
  int64_t bounds[MAX_GROUP] = {0};
  mask_t broken = group->broken, continued = group->continued, done = {{0}};
  integers_of(group, loop, mask, bounds);
  start_loop(group, loop, mask, bounds);
  mask_t live = loop->loop_style == LOOP_DO ? mask : turning(group, loop, mask, bounds);
  done = mask_and_not(mask, live);
  while (!mask_is_empty(live)) {
    memset(&group->broken, 0, sizeof(group->broken));
    memset(&group->continued, 0, sizeof(group->continued));
    live = execute_block(group, &loop->blocks[0], live);
    live = mask_or(live, group->continued);
    done = mask_or(done, group->broken);
    step_loop(group, loop, live);
    mask_t next = turning(group, loop, live, bounds);
    done = mask_or(done, mask_and_not(live, next));
    live = next;
  }
  group->broken = broken;
  group->continued = continued;
  return done;
}

static bool case_matches(const case_t *one, int64_t selector) {
  for (unsigned i = 0; i < one->label_count; i++) {
    if (one->labels[i] == selector) return true;
  }
  return false;
}

static unsigned case_of(const statement_t *statement, int64_t selector) {
  unsigned found = statement->case_count;
  for (unsigned i = 0; i < statement->case_count; i++) {
    if (case_matches(&statement->cases[i], selector)) return i;
    if (statement->cases[i].is_default) found = i;
  }
  return found;
}

static mask_t execute_switch(group_t *group, statement_t *statement, mask_t mask) {
  int64_t selectors[MAX_GROUP] = {0};
  mask_t broken = group->broken, running = {{0}}, behind = {{0}};
  integers_of(group, statement, mask, selectors);
  memset(&group->broken, 0, sizeof(group->broken));
  for (unsigned c = 0; c <= statement->case_count; c++) {
    for (unsigned i = 0; i < group->count; i++) {
      if (mask_has(&mask, i) && case_of(statement, selectors[i]) == c) mask_add(&running, i);
    }
    if (c == statement->case_count) break;
    running = execute_block(group, &statement->cases[c].body, running);
    if (!statement->cases[c].falls_through) {
      behind = mask_or(behind, running);
      memset(&running, 0, sizeof(running));
    }
  }
  behind = mask_or(mask_or(behind, running), group->broken);
  group->broken = broken;
  return behind;
}

static mask_t execute_duff(group_t *group, statement_t *statement, mask_t mask) {
  int64_t selectors[MAX_GROUP] = {0};
  integers_of(group, statement, mask, selectors);
  for (unsigned turn = 0; turn < statement->step; turn++) {
    mask_t running = {{0}};
    for (unsigned s = 0; s < statement->case_count; s++) {
      for (unsigned i = 0; i < group->count; i++) {
        if (!mask_has(&mask, i)) continue;
        /* Selectors without a stage of their own enter at the first. */
        int64_t entry = selectors[i] > 0 && selectors[i] < statement->case_count ? selectors[i] : 0;
        if (turn > 0 || entry <= s) mask_add(&running, i);
      }
      running = execute_block(group, &statement->stages[s], running);
    }
  }
  return mask;
}

static mask_t execute_return(group_t *group, statement_t *statement, mask_t mask) {
  if (statement->is_uniform) check_all(group, mask, "a return for all");
  for (unsigned i = 0; i < group->count && statement->value; i++) {
    if (!mask_has(&mask, i)) continue;
    value_t value;
    evaluate_expression(group, &group->items[i], statement->value, &value);
    memcpy(group->items[i].frame + statement->variable->offset, value.bytes, value.type->size);
  }
  return (mask_t){{0}};
}

static void enter_function(group_t *group, item_t *item, statement_t *statement, unsigned char *callers[]) {
  function_t *function = statement->function;
  unsigned char *callee = item->top;
  memset(callee, 0, function->frame_size);
  item->top += (function->frame_size + 127) / 128 * 128;
  for (unsigned i = 0; i < function->parameter_count; i++) {
    evaluate_parameter(group, item, function->parameters[i], statement->arguments[i], callee);
  }
  callers[item->index] = item->frame;
  item->frame = callee;
}

static void leave_function(group_t *group, item_t *item, statement_t *statement, unsigned char *caller) {
  function_t *function = statement->function;
  value_t result = {.type = function->result_type};
  if (result.type) memcpy(result.bytes, item->frame + function->result->offset, result.type->size);
  item->top -= (function->frame_size + 127) / 128 * 128;
  item->frame = caller;
  if (statement->target) evaluate_store(group, item, statement->target, &result);
}

/* Everybody comes back: what returns inside only leaves the function. */
static mask_t execute_call(group_t *group, statement_t *statement, mask_t mask) {
  unsigned char *callers[MAX_GROUP] = {0};
  mask_t broken = group->broken, continued = group->continued;
  for (unsigned i = 0; i < group->count; i++) {
    if (mask_has(&mask, i)) enter_function(group, &group->items[i], statement, callers);
  }
  execute_block(group, &statement->function->body, mask);
  for (unsigned i = 0; i < group->count; i++) {
    if (mask_has(&mask, i)) leave_function(group, &group->items[i], statement, callers[i]);
  }
  group->broken = broken;
  group->continued = continued;
  return mask;
}

/* ---------------------------------------------------------------- collectives */

static double number_of(const value_t *value) { return type_is_float(value->type) ? lane_float(value, 0) : 0; }

static bool is_less(const value_t *a, const value_t *b) {
  return type_is_float(a->type) ? number_of(a) < number_of(b) : lane_integer(a, 0) < lane_integer(b, 0);
}

static bool is_scan(collective_t collective) {
  return collective >= COLLECTIVE_SCAN_INCLUSIVE_ADD && collective <= COLLECTIVE_SCAN_INCLUSIVE_MIN;
}

/* All values so far, and the next one. */
static void combine(collective_t collective, value_t *sum, const value_t *next) {
  switch (collective) {
    case COLLECTIVE_REDUCE_ADD:
    case COLLECTIVE_SCAN_INCLUSIVE_ADD:
    case COLLECTIVE_SCAN_EXCLUSIVE_ADD: lane_set_integer(sum, 0, lane_integer(sum, 0) + lane_integer(next, 0)); break;
    case COLLECTIVE_REDUCE_MIN:
    case COLLECTIVE_SCAN_INCLUSIVE_MIN:
      if (is_less(next, sum)) *sum = *next;
      break;
    case COLLECTIVE_REDUCE_MAX:
    case COLLECTIVE_SCAN_INCLUSIVE_MAX:
      if (is_less(sum, next)) *sum = *next;
      break;
    case COLLECTIVE_ANY:
    case COLLECTIVE_SUB_ANY: lane_set_integer(sum, 0, value_is_true(sum) || value_is_true(next)); break;
    case COLLECTIVE_ALL: lane_set_integer(sum, 0, value_is_true(sum) && value_is_true(next)); break;
    default: break;
  }
}

static bool is_predicate(collective_t collective) {
  return collective == COLLECTIVE_ANY || collective == COLLECTIVE_ALL || collective == COLLECTIVE_SUB_ANY;
}

static void store_scan(group_t *group, statement_t *statement, item_t *item, const value_t *before,
                       const value_t *after) {
  bool is_exclusive = statement->collective == COLLECTIVE_SCAN_EXCLUSIVE_ADD;
  evaluate_store(group, item, statement->target, is_exclusive ? before : after);
}

static mask_t execute_collective(group_t *group, statement_t *statement, mask_t mask) {
  collective_t collective = statement->collective;
  value_t *values = calloc(group->count, sizeof(*values));
  value_t sum;
  assert_non_null(values);
  check_all(group, mask, "a function of the group");
  for (unsigned i = 0; i < group->count; i++) {
    evaluate_expression(group, &group->items[i], statement->value, &values[i]);
    if (is_predicate(collective)) lane_set_integer(&values[i], 0, value_is_true(&values[i]));
  }
  sum = values[collective == COLLECTIVE_BROADCAST && statement->step ? group->count - 1 : 0];
  value_t zero = {.type = sum.type};
  if (is_scan(collective)) store_scan(group, statement, &group->items[0], &zero, &sum);
  for (unsigned i = 1; i < group->count; i++) {
    value_t before = sum;
    combine(collective, &sum, &values[i]);
    if (is_scan(collective)) store_scan(group, statement, &group->items[i], &before, &sum);
  }
  for (unsigned i = 0; i < group->count && !is_scan(collective); i++) {
    const value_t *result = collective == COLLECTIVE_SUB_SELF ? &values[i] : &sum;
    evaluate_store(group, &group->items[i], statement->target, result);
  }
  free(values);
  return mask;
}

/* ---------------------------------------------------------------- all statements */

static mask_t execute(group_t *group, statement_t *statement, mask_t mask) {
  switch (statement->kind) {
    case STMT_IF: return execute_if(group, statement, mask);
    case STMT_LOOP: return execute_loop(group, statement, mask);
    case STMT_SWITCH: return execute_switch(group, statement, mask);
    case STMT_DUFF: return execute_duff(group, statement, mask);
    case STMT_BREAK: group->broken = mask_or(group->broken, mask); return (mask_t){{0}};
    case STMT_CONTINUE: group->continued = mask_or(group->continued, mask); return (mask_t){{0}};
    case STMT_RETURN: return execute_return(group, statement, mask);
    case STMT_BLOCK: return execute_block(group, &statement->blocks[0], mask);
    case STMT_BARRIER: check_all(group, mask, "a barrier"); return mask;
    case STMT_COLLECTIVE: return execute_collective(group, statement, mask);
    case STMT_CALL: return execute_call(group, statement, mask);
    default: return execute_simple(group, statement, mask);
  }
}

mask_t execute_block(group_t *group, block_t *block, mask_t mask) {
  for (unsigned i = 0; i < block->count; i++) {
    if (mask_is_empty(mask)) break;
    if (group->steps < group->count) return (mask_t){{0}};
    group->steps -= group->count;
    if (!block->statements[i]->is_dropped) mask = execute(group, block->statements[i], mask);
  }
  return mask;
}

/* ---------------------------------------------------------------- the ND-range */

static void place_items(group_t *group) {
  const program_t *program = group->program;
  group->count = 0;
  memset(&group->all, 0, sizeof(group->all));
  for (unsigned i = 0; i < 3; i++) {
    size_t first = group->id[i] * program->local[i], rest = program->global[i] - first;
    group->size[i] = rest < program->local[i] ? rest : program->local[i];
  }
  for (size_t z = 0; z < group->size[2]; z++) {
    for (size_t y = 0; y < group->size[1]; y++) {
      for (size_t x = 0; x < group->size[0]; x++) {
        unsigned index = group->count++;
        unsigned char *stack = group->stacks + (size_t)index * STACK_SIZE;
        group->items[index] = (item_t){{x, y, z}, index, stack, stack + STACK_SIZE / 2};
        mask_add(&group->all, index);
      }
    }
  }
}

/* Parameters have the addresses of what the evaluator writes, or values. */
static void pass_arguments(group_t *group, item_t *item) {
  program_t *program = group->program;
  size_t local = program->local_memory / 2;
  memset(item->frame, 0, program->kernel.frame_size);
  for (unsigned i = 0; i < program->argument_count; i++) {
    argument_t *argument = &program->arguments[i];
    unsigned char *slot = item->frame + argument->parameter->offset, *pointer = argument->expected;
    if (argument->kind == ARGUMENT_LOCAL) {
      pointer = group->local + local;
      local += (argument->size + 127) / 128 * 128;
    }
    if (argument->kind == ARGUMENT_VALUE) {
      memcpy(slot, argument->initial, argument->size);
    } else if (argument->kind == ARGUMENT_BUFFER || argument->kind == ARGUMENT_LOCAL) {
      memcpy(slot, &pointer, sizeof(pointer));
    }
  }
}

static void run_group(group_t *group) {
  place_items(group);
  memset(group->local, 0xAB, group->program->local_memory);
  for (unsigned i = 0; i < group->count; i++) pass_arguments(group, &group->items[i]);
  execute_block(group, &group->program->kernel.body, group->all);
}

static void run_groups(group_t *group) {
  size_t counts[3];
  const program_t *program = group->program;
  for (unsigned i = 0; i < 3; i++) counts[i] = (program->global[i] + program->local[i] - 1) / program->local[i];
  for (group->id[2] = 0; group->id[2] < counts[2]; group->id[2]++) {
    for (group->id[1] = 0; group->id[1] < counts[1]; group->id[1]++) {
      for (group->id[0] = 0; group->id[0] < counts[0]; group->id[0]++) run_group(group);
    }
  }
}

bool evaluate(program_t *program) {
  enum { MAX_STEPS = 3000000 };
  group_t *group = calloc(1, sizeof(*group));
  assert_non_null(group);
  assert_true(program->kernel.frame_size <= STACK_SIZE / 2);
  group->program = program;
  group->steps = MAX_STEPS;
  group->local = aligned_alloc(128, program->local_memory);
  group->stacks = aligned_alloc(128, (size_t)MAX_GROUP * STACK_SIZE);
  assert_true(group->local && group->stacks);
  for (unsigned i = 0; i < program->argument_count; i++) {
    argument_t *argument = &program->arguments[i];
    if (argument->expected) memcpy(argument->expected, argument->initial, argument->size);
  }
  run_groups(group);
  bool is_done = group->steps >= MAX_GROUP;
  free(group->stacks);
  free(group->local);
  free(group);
  return is_done;
}
