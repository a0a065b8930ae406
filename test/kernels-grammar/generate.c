/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random numbers, types, variables and functions, and the kernel around the statements. */
#include "generate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "arithmetic.h"

/* ---------------------------------------------------------------- random numbers */

uint64_t random_bits(generator_t *g) {
  uint64_t bits = g->state += UINT64_C(0x9E3779B97F4A7C15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
  return bits ^ bits >> 31;
}

unsigned random_below(generator_t *g, unsigned limit) { return (unsigned)((random_bits(g) >> 32) * limit >> 32); }

bool random_chance(generator_t *g, unsigned percent) { return random_below(g, 100) < percent; }

scalar_t random_integer_scalar(generator_t *g) {
  return random_chance(g, 50) ? SCALAR_I32 + random_below(g, 2) : random_below(g, SCALAR_U64 + 1);
}

scalar_t random_scalar(generator_t *g) {
  static const scalar_t floats[] = {SCALAR_F32, SCALAR_F32, SCALAR_F64, SCALAR_F16};
  return random_chance(g, 72) ? random_integer_scalar(g) : floats[random_below(g, 4)];
}

static unsigned random_width(generator_t *g) {
  static const unsigned widths[] = {2, 2, 3, 4, 4, 8, 16};
  return random_chance(g, 60) ? 1 : widths[random_below(g, 7)];
}

const type_t *random_number_type(generator_t *g) {
  scalar_t scalar = random_scalar(g);
  return type_number(scalar, random_width(g));
}

const type_t *random_integer_type(generator_t *g) {
  scalar_t scalar = random_integer_scalar(g);
  return type_number(scalar, random_width(g));
}

static wide_t random_integer(generator_t *g, scalar_t scalar) {
  unsigned bits = scalar_bits(scalar);
  switch (random_below(g, 5)) {
    case 0: return (wide_t)random_bits(g);
    case 1: return ((wide_t)1 << random_below(g, bits)) - random_below(g, 2);
    case 2: return -(wide_t)random_below(g, 9);
    default: return random_below(g, 40);
  }
}

static double random_float(generator_t *g, scalar_t scalar) {
  double small = (double)random_below(g, 128) / 4 - 8;
  switch (random_below(g, 6)) {
    case 0: return ldexp((double)(random_bits(g) >> 11), scalar == SCALAR_F16 ? -48 : -30);
    case 1: return scalar == SCALAR_F16 ? small * 64 : small * 1e9;
    case 2: return ldexp(small, scalar == SCALAR_F16 ? -16 : -130);
    case 3: return random_chance(g, 10) ? -0.0 : (double)random_below(g, 3);
    default: return small;
  }
}

void random_value(generator_t *g, value_t *out) {
  scalar_t scalar = out->type->scalar;
  for (unsigned i = 0; i < out->type->width; i++) {
    if (scalar_is_float(scalar)) {
      lane_set_float(out, i, random_float(g, scalar));
    } else {
      lane_set_integer(out, i, random_integer(g, scalar));
    }
  }
}

/* ---------------------------------------------------------------- variables */

variable_t *new_variable(generator_t *g, const char *prefix, const type_t *type, space_t space) {
  variable_t *variable = program_allocate(g->program, sizeof(*variable));
  snprintf(variable->name, sizeof(variable->name), "%s%u", prefix, g->name_count++);
  variable->type = type;
  variable->space = space;
  variable->argument = -1;
  return variable;
}

variable_t *new_private(generator_t *g, const char *prefix, const type_t *type) {
  variable_t *variable = new_variable(g, prefix, type, SPACE_PRIVATE);
  size_t alignment = type->alignment ? type->alignment : 8;
  variable->offset = (g->function->frame_size + alignment - 1) / alignment * alignment;
  g->function->frame_size = variable->offset + (type->size ? type->size : 8);
  return variable;
}

static variable_t *new_local(generator_t *g, const char *prefix, const type_t *type) {
  variable_t *variable = new_variable(g, prefix, type, SPACE_LOCAL);
  variable->offset = (g->program->local_memory + 127) / 128 * 128;
  g->program->local_memory = variable->offset + type->size;
  variable->is_uniform = true;
  return variable;
}

void enter_scope(generator_t *g, variable_t *variable) {
  if (g->scope_count < MAX_SCOPE) g->scope[g->scope_count++] = variable;
}

/* ---------------------------------------------------------------- types and constants */

static const type_t *random_member_type(generator_t *g, size_t room) {
  unsigned choice = random_below(g, 10);
  const type_t *type = random_number_type(g);
  if (choice == 0 && g->program->type_count) {
    const type_t *nested = g->program->types[random_below(g, g->program->type_count)];
    if (nested->form == TYPE_STRUCT && nested->size <= room) return nested;
  }
  if (choice < 4) {
    type_t *array = program_allocate(g->program, sizeof(*array));
    type_make_array(array, type_number(random_scalar(g), random_chance(g, 80) ? 1 : 4), 2u << random_below(g, 2));
    if (array->size <= room) return array;
  }
  return type->size <= room ? type : type_number(SCALAR_I32, 1);
}

static void random_struct(generator_t *g) {
  type_t *type = program_allocate(g->program, sizeof(*type));
  type->form = TYPE_STRUCT;
  snprintf(type->name, sizeof(type->name), "s%u_t", g->program->type_count);
  type->member_count = 1 + random_below(g, 5);
  for (unsigned i = 0; i < type->member_count; i++) {
    snprintf(type->members[i].name, sizeof(type->members[i].name), "m%u", i);
    type->members[i].type = random_member_type(g, i == 0 ? 64 : 128 / type->member_count);
  }
  type_lay_out(type);
  if (type->size <= MAX_VALUE) g->program->types[g->program->type_count++] = type;
}

/* Members of one size: each byte belongs to all of them. */
static void random_union(generator_t *g) {
  type_t *type = program_allocate(g->program, sizeof(*type));
  type->form = TYPE_UNION;
  snprintf(type->name, sizeof(type->name), "u%u_t", g->program->type_count);
  type->member_count = 3;
  for (unsigned i = 0; i < 3; i++) {
    snprintf(type->members[i].name, sizeof(type->members[i].name), "m%u", i);
    type->members[i].type = type_number(2 * (i + 1) + random_below(g, 2), 4u >> i);
  }
  type_lay_out(type);
  g->program->types[g->program->type_count++] = type;
}

static void random_constant_array(generator_t *g) {
  type_t *type = program_allocate(g->program, sizeof(*type));
  type_make_array(type, random_number_type(g), 4u << random_below(g, 3));
  variable_t *variable = new_variable(g, "table", type, SPACE_CONSTANT);
  variable->is_uniform = variable->is_read_only = true;
  variable->data = program_allocate(g->program, type->size);
  for (size_t i = 0; i < type->count; i++) {
    value_t value = {.type = type->element};
    random_value(g, &value);
    memcpy(variable->data + i * type->element->size, value.bytes, type->element->size);
  }
  g->program->constants[g->program->constant_count++] = variable;
}

static void random_globals(generator_t *g) {
  for (unsigned i = random_below(g, 4); i > 0; i--) random_struct(g);
  if (!g->program->is_cxx && random_chance(g, 30)) random_union(g);
  for (unsigned i = random_below(g, 3); i > 0; i--) random_constant_array(g);
}

/* ---------------------------------------------------------------- the launch */

static void random_range(generator_t *g) {
  program_t *program = g->program;
  static const unsigned locals[] = {1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 16, 17, 24, 32, 33, 64, 64, 100, 128, 256};
  program->dimensions = 1 + (random_chance(g, 50) ? 0 : 1 + random_below(g, 2));
  bool divides = random_chance(g, 60);
  size_t items = 1, group = 1;
  for (unsigned i = 0; i < 3; i++) {
    bool is_used = i < program->dimensions;
    size_t limit = i == 0 ? program->dimensions == 1 ? 20 : 14 : 6;
    size_t local = is_used ? locals[random_below(g, (unsigned)limit)] : 1;
    while (group * local > MAX_GROUP) local /= 2;
    group *= local;
    size_t groups = is_used ? 1 + random_below(g, i ? 3 : 4) : 1, global = groups * local;
    if (!divides && is_used && local > 1) global -= random_below(g, (unsigned)local);
    while (items * global > 640 && groups > 1) global = --groups * local;
    items *= global;
    program->local[i] = local;
    program->global[i] = global;
    program->offset[i] = is_used && random_chance(g, 25) ? random_below(g, 50) : 0;
  }
  program->is_local_free = random_chance(g, 15);
  bool is_even = true;
  for (unsigned i = 0; i < 3; i++) is_even &= program->global[i] % program->local[i] == 0;
  program->is_local_required = is_even && !program->is_local_free && random_chance(g, 30);
  program->has_size_hint = random_chance(g, 10);
}

size_t group_room(const program_t *program) {
  size_t items = program->local[0] * program->local[1] * program->local[2], room = 4;
  while (room < items) room *= 2;
  return room;
}

/* ---------------------------------------------------------------- the kernel */

static expression_t *as_uint(generator_t *g, expression_t *value) {
  expression_t *convert = new_expression(g, EXPR_CONVERT, type_number(SCALAR_U32, 1));
  convert->operands[convert->operand_count++] = value;
  convert->style = 0;
  return convert;
}

static variable_t *declare_id(generator_t *g, const char *name, expression_t *value) {
  variable_t *variable = new_private(g, name, type_number(SCALAR_U32, 1));
  variable->is_read_only = true;
  add_declaration(g, &g->function->body, variable, as_uint(g, value));
  enter_scope(g, variable);
  return variable;
}

static expression_t *group_size(generator_t *g) {
  expression_t *size = make_query(g, QUERY_LOCAL_SIZE, 0);
  for (unsigned i = 1; i < g->program->dimensions; i++) {
    size = make_binary(g, OP_MULTIPLY, size, make_query(g, QUERY_LOCAL_SIZE, i));
  }
  return size;
}

static expression_t *lane_number(generator_t *g) {
  if (random_chance(g, 50)) return make_query(g, QUERY_LOCAL_LINEAR_ID, 0);
  unsigned last = g->program->dimensions - 1;
  expression_t *lane = make_query(g, QUERY_LOCAL_ID, last);
  for (unsigned i = last; i-- > 0;) {
    lane = make_binary(g, OP_MULTIPLY, lane, make_query(g, QUERY_LOCAL_SIZE, i));
    lane = make_binary(g, OP_ADD, lane, make_query(g, QUERY_LOCAL_ID, i));
  }
  return lane;
}

static void declare_local_memory(generator_t *g) {
  for (unsigned i = 1 + random_below(g, 2); i > 0 && g->tile_count < 3; i--) {
    type_t *type = program_allocate(g->program, sizeof(*type));
    const type_t *element = random_chance(g, 60) ? random_tile_element(g) : random_number_type(g);
    type_make_array(type, element, group_room(g->program));
    variable_t *tile = new_local(g, "tile", type);
    add_declaration(g, &g->function->body, tile, NULL);
    g->tiles[g->tile_count++] = tile;
  }
  type_t *pointer = program_allocate(g->program, sizeof(*pointer));
  type_t *slots = program_allocate(g->program, sizeof(*slots));
  type_make_pointer(pointer, g->tiles[0]->type->element, SPACE_LOCAL, 1);
  type_make_array(slots, pointer, group_room(g->program));
  g->slots = new_local(g, "slots", slots);
  add_declaration(g, &g->function->body, g->slots, NULL);
  for (unsigned i = 0; i < 2; i++) {
    g->cells[i] = new_local(g, "cell", type_number(i ? SCALAR_U32 : SCALAR_I32, 1));
    add_declaration(g, &g->function->body, g->cells[i], NULL);
  }
}

/* for (i = l; i < count; i += n) tile[i] = ...; */
static void fill(generator_t *g, variable_t *tile, const expression_t *content) {
  const type_t *index_type = type_number(SCALAR_U32, 1);
  statement_t *loop = add_statement(g, &g->function->body, STMT_LOOP);
  expression_t *rest = make_binary(g, OP_ADD, make_variable(g, g->group_size),
                                   make_constant(g, index_type, (int64_t)tile->type->count - 1));
  rest = make_binary(g, OP_SUBTRACT, rest, make_variable(g, g->lane));
  rest = make_binary(g, OP_DIVIDE, rest, make_variable(g, g->group_size));
  loop->value = make_convert(g, type_number(SCALAR_I32, 1), rest);
  loop->variable = new_private(g, "i", type_number(SCALAR_I32, 1));
  loop->variable->is_read_only = true;
  loop->step = 1;
  loop->is_fixed = true;
  expression_t *index =
      make_binary(g, OP_MULTIPLY, as_uint(g, make_variable(g, loop->variable)), make_variable(g, g->group_size));
  index = make_binary(g, OP_ADD, index, make_variable(g, g->lane));
  expression_t *value = program_allocate(g->program, sizeof(*value));
  *value = *content;
  add_assignment(g, &loop->blocks[0], make_element(g, make_variable(g, tile), index), value);
}

static void fill_local_memory(generator_t *g) {
  for (unsigned i = 0; i < g->tile_count; i++) {
    fill(g, g->tiles[i], random_expression(g, g->tiles[i]->type->element, 2));
  }
  expression_t *zero = make_constant(g, type_number(SCALAR_U32, 1), 0);
  expression_t *first = make_element(g, make_variable(g, g->tiles[0]), zero);
  fill(g, g->slots, make_address(g, first, SPACE_LOCAL));
  add_barrier(g, &g->function->body);
}

static void store_all(generator_t *g) {
  const type_t *index_type = type_number(SCALAR_U32, 1);
  for (unsigned o = 0; o < g->output_count; o++) {
    for (unsigned i = 0; i < g->outputs_of_item; i++) {
      expression_t *index =
          make_binary(g, OP_MULTIPLY, make_variable(g, g->item), make_constant(g, index_type, g->outputs_of_item));
      index = make_binary(g, OP_ADD, index, make_constant(g, index_type, i));
      expression_t *target = make_element(g, make_variable(g, g->outputs[o]), index);
      if (!type_is_number(target->type)) continue;
      statement_t *store = add_assignment(g, &g->function->body, target, random_expression(g, target->type, 1));
      store->is_droppable = true;
      if (type_is_integer(target->type) && random_chance(g, 50)) store->op = OP_XOR;
    }
  }
}

static void random_kernel(generator_t *g) {
  program_t *program = g->program;
  g->function = &program->kernel;
  g->scope_count = 0;
  for (unsigned i = 0; i < program->constant_count; i++) enter_scope(g, program->constants[i]);
  random_kernel_arguments(g);
  if (!program->is_local_free) declare_local_memory(g);
  g->item = declare_id(g, "item", make_query(g, QUERY_GLOBAL_LINEAR_ID, 0));
  if (!program->is_local_free) {
    g->lane = declare_id(g, "l", lane_number(g));
    g->group_size = declare_id(g, "n", group_size(g));
    g->group_size->is_uniform = true;
  }
  g->is_uniform = g->may_return = true;
  for (unsigned i = 0; i < 3; i++) random_declaration(g, &program->kernel.body);
  if (!program->is_local_free) fill_local_memory(g);
  /* What the kernel declares outermost stays in scope to its end. */
  for (unsigned i = 0; i < 5; i++) {
    random_declaration(g, &program->kernel.body);
    random_block(g, &program->kernel.body, 1 + random_below(g, 4));
  }
  g->is_uniform = false;
  g->is_tail = true;
  random_block(g, &program->kernel.body, random_below(g, 4));
  store_all(g);
}

void generate(program_t *program, uint64_t seed) {
  generator_t g = {.program = program, .state = seed * UINT64_C(0xD1342543DE82EF95) + 1};
  *program = (program_t){.seed = seed};
  program->is_cxx = random_chance(&g, 30);
  g.budget = 8 + random_below(&g, 30);
  random_range(&g);
  random_globals(&g);
  random_functions(&g);
  random_kernel(&g);
  /* The second half is for local arguments, in the evaluator. */
  program->local_memory = 2 * ((program->local_memory + (1 << 16)) / 128 * 128);
}
