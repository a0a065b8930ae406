/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random expressions. */
#include "generate.h"

/* ---------------------------------------------------------------- nodes */

expression_t *new_expression(generator_t *g, expression_kind_t kind, const type_t *type) {
  expression_t *expression = program_allocate(g->program, sizeof(*expression));
  expression->kind = kind;
  expression->type = type;
  expression->sampler = -1;
  expression->style = random_below(g, 4);
  return expression;
}

static expression_t *with_operand(generator_t *g, expression_kind_t kind, const type_t *type, expression_t *operand) {
  expression_t *expression = new_expression(g, kind, type);
  expression->operands[expression->operand_count++] = operand;
  return expression;
}

static void add_operand(expression_t *expression, expression_t *operand) {
  expression->operands[expression->operand_count++] = operand;
}

expression_t *make_variable(generator_t *g, variable_t *variable) {
  expression_t *expression = new_expression(g, EXPR_VARIABLE, variable->type);
  expression->variable = variable;
  return expression;
}

static expression_t *new_constant(generator_t *g, const type_t *type) {
  expression_t *expression = new_expression(g, EXPR_CONSTANT, type);
  expression->value = program_allocate(g->program, sizeof(*expression->value));
  expression->value->type = type;
  return expression;
}

expression_t *make_constant(generator_t *g, const type_t *type, int64_t integer) {
  expression_t *expression = new_constant(g, type);
  memcpy(expression->value->bytes, &integer, type->size);
  return expression;
}

static expression_t *random_constant(generator_t *g, const type_t *type) {
  expression_t *expression = new_constant(g, type);
  random_value(g, expression->value);
  return expression;
}

expression_t *make_binary(generator_t *g, operator_t op, expression_t *left, expression_t *right) {
  bool shifts = op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT;
  const type_t *common = type_common(left->type, shifts ? left->type : right->type);
  bool compares = op >= OP_EQUAL && op <= OP_LOGICAL_OR;
  expression_t *expression = with_operand(g, EXPR_BINARY, compares ? type_of_comparison(common) : common, left);
  add_operand(expression, right);
  expression->op = op;
  return expression;
}

/* Integers of 32 bits and more become half by way of short. LLVM 22 takes fpext of sitofp for exact where few bits are
 * set, whatever the exponent, so that what should be infinite is not: convert_ulong_sat(convert_half(x << 25)). */
expression_t *make_convert(generator_t *g, const type_t *type, expression_t *operand) {
  if (type->scalar == SCALAR_F16 && type_is_integer(operand->type) && scalar_size(operand->type->scalar) > 2) {
    operand = make_convert(g, type_number(SCALAR_I16, type->width), operand);
  }
  expression_t *expression = with_operand(g, EXPR_CONVERT, type, operand);
  bool to_float = type_is_float(type), from_float = type_is_float(operand->type);
  bool directed = type->scalar == SCALAR_F32 || (from_float && !to_float);
  if (directed && random_chance(g, 20)) expression->rounding = ROUND_EVEN + random_below(g, 4);
  if (!to_float && random_chance(g, 20)) expression->is_saturating = true;
  return expression;
}

expression_t *make_element(generator_t *g, expression_t *array, expression_t *index) {
  expression_t *expression = with_operand(g, EXPR_ELEMENT, array->type->element, array);
  add_operand(expression, index);
  return expression;
}

expression_t *make_member(generator_t *g, expression_t *object, unsigned index) {
  expression_t *expression = with_operand(g, EXPR_MEMBER, object->type->members[index].type, object);
  expression->index = index;
  expression->style = 0;
  return expression;
}

expression_t *make_address(generator_t *g, expression_t *object, space_t space) {
  type_t *type = program_allocate(g->program, sizeof(*type));
  type_make_pointer(type, object->type, space, 1);
  return with_operand(g, EXPR_ADDRESS, type, object);
}

expression_t *make_query(generator_t *g, query_t query, unsigned dimension) {
  expression_t *expression =
      new_expression(g, EXPR_QUERY, type_number(query == QUERY_WORK_DIM ? SCALAR_U32 : SCALAR_U64, 1));
  expression->query = query;
  expression->index = dimension;
  return expression;
}

static expression_t *make_builtin(generator_t *g, builtin_t builtin, const type_t *type) {
  expression_t *expression = new_expression(g, EXPR_BUILTIN, type);
  expression->builtin = builtin;
  return expression;
}

/* ---------------------------------------------------------------- from type to type */

static expression_t *random_lanes(generator_t *g, expression_t *vector, unsigned width) {
  expression_t *expression = with_operand(g, EXPR_SWIZZLE, type_number(vector->type->scalar, width), vector);
  unsigned first = random_below(g, 2) ? 0 : width, step = random_below(g, 2) + 1;
  bool is_regular = random_chance(g, 40);
  for (unsigned i = 0; i < width; i++) {
    unsigned lane = is_regular ? first * (2 - step) + i * step : random_below(g, vector->type->width);
    expression->lanes[i] = (unsigned char)(lane % vector->type->width);
  }
  return expression;
}

static expression_t *splat(generator_t *g, expression_t *scalar, unsigned width) {
  return with_operand(g, EXPR_VECTOR, type_number(scalar->type->scalar, width), scalar);
}

expression_t *adapt(generator_t *g, expression_t *expression, const type_t *type) {
  if (expression->type == type) return expression;
  bool same_size = expression->type->size == type->size && expression->type->width != 3 && type->width != 3;
  if (same_size && random_chance(g, 40)) return with_operand(g, EXPR_REINTERPRET, type, expression);
  if (expression->type->width != type->width) {
    if (expression->type->width > 1) {
      expression = random_lanes(g, expression, type->width);
    } else {
      if (expression->type->scalar != type->scalar) {
        expression = make_convert(g, type_number(type->scalar, 1), expression);
      }
      return splat(g, expression, type->width);
    }
  }
  return expression->type == type ? expression : make_convert(g, type, expression);
}

/* ---------------------------------------------------------------- leaves */

enum { DEEPEST_INDEX = 16 };

/* An index may be read from an array, whose index may be, and so on. */
static expression_t *random_index(generator_t *g, unsigned depth) {
  static const scalar_t scalars[] = {SCALAR_I32, SCALAR_U32, SCALAR_U32, SCALAR_U8, SCALAR_I64, SCALAR_I16};
  if (g->lane && !g->wants_uniform && random_chance(g, 25)) return make_variable(g, g->lane);
  const type_t *type = type_number(scalars[random_below(g, 6)], 1);
  if (g->index_nesting == DEEPEST_INDEX) return random_constant(g, type);
  g->index_nesting++;
  expression_t *index = random_expression(g, type, depth > 0 ? depth - 1 : 0);
  g->index_nesting--;
  return index;
}

/* From an object to a number inside of it. */
static expression_t *descend(generator_t *g, expression_t *object, unsigned depth) {
  while (!type_is_number(object->type)) {
    const type_t *type = object->type;
    if (type->form == TYPE_ARRAY || (type->form == TYPE_POINTER && type->count > 1)) {
      object = make_element(g, object, random_index(g, depth));
    } else if (type->form == TYPE_POINTER) {
      object = with_operand(g, EXPR_DEREFERENCE, type->element, object);
    } else {
      object = make_member(g, object, random_below(g, type->member_count));
    }
  }
  return object;
}

static bool is_readable(const generator_t *g, const variable_t *variable) {
  return variable->type->form != TYPE_IMAGE && (!g->wants_uniform || variable->is_uniform);
}

static expression_t *random_read(generator_t *g, unsigned depth) {
  for (unsigned tries = 0; tries < 8 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    if (!is_readable(g, variable)) continue;
    expression_t *read = descend(g, make_variable(g, variable), depth);
    bool has_getter = read->kind == EXPR_MEMBER && variable->space == SPACE_PRIVATE &&
                      read->operands[0]->kind == EXPR_VARIABLE && !variable->is_volatile;
    if (has_getter && variable->type->form == TYPE_STRUCT) read->style = random_below(g, 2);
    return read;
  }
  return NULL;
}

static query_t random_query(generator_t *g) {
  static const query_t uniform[] = {QUERY_GROUP_ID,   QUERY_GLOBAL_SIZE,   QUERY_LOCAL_SIZE, QUERY_ENQUEUED_LOCAL_SIZE,
                                    QUERY_NUM_GROUPS, QUERY_GLOBAL_OFFSET, QUERY_WORK_DIM};
  static const query_t any[] = {QUERY_LOCAL_ID, QUERY_LOCAL_LINEAR_ID, QUERY_LOCAL_ID, QUERY_GLOBAL_ID,
                                QUERY_GLOBAL_LINEAR_ID};
  static const query_t free[] = {QUERY_GLOBAL_SIZE, QUERY_GLOBAL_OFFSET, QUERY_WORK_DIM, QUERY_GLOBAL_ID,
                                 QUERY_GLOBAL_LINEAR_ID};
  if (g->program->is_local_free) return free[random_below(g, g->wants_uniform ? 3 : 5)];
  return g->wants_uniform || random_chance(g, 40) ? uniform[random_below(g, 7)] : any[random_below(g, 5)];
}

static expression_t *random_leaf(generator_t *g, const type_t *type, unsigned depth) {
  unsigned choice = random_below(g, 100);
  if (choice < 12 && !g->is_pure) {
    return adapt(g, make_query(g, random_query(g), random_below(g, g->program->dimensions)), type);
  }
  expression_t *read = choice < 78 ? random_read(g, depth) : NULL;
  return read ? adapt(g, read, type) : random_constant(g, type);
}

/* ---------------------------------------------------------------- operators */

static expression_t *random_integer_operator(generator_t *g, const type_t *type, unsigned depth) {
  operator_t op = random_below(g, OP_SHIFT_RIGHT + 1);
  const type_t *left = type, *right = type;
  if (type->width == 1) {
    if (random_chance(g, 40)) left = type_number(random_integer_scalar(g), 1);
    if (random_chance(g, 40)) right = type_number(random_integer_scalar(g), 1);
  }
  expression_t *first = random_expression(g, left, depth - 1);
  return adapt(g, make_binary(g, op, first, random_expression(g, right, depth - 1)), type);
}

static expression_t *random_operator(generator_t *g, const type_t *type, unsigned depth) {
  if (type_is_integer(type)) return random_integer_operator(g, type, depth);
  operator_t op = OP_ADD + random_below(g, type->scalar == SCALAR_F64 ? 4 : 3);
  expression_t *left = random_expression(g, type, depth - 1);
  return make_binary(g, op, left, random_expression(g, type, depth - 1));
}

static expression_t *random_unary(generator_t *g, const type_t *type, unsigned depth) {
  expression_t *operand = random_expression(g, type, depth - 1);
  operator_t op = type_is_float(type) ? OP_NEGATE : OP_NEGATE + random_below(g, 3);
  const type_t *common = type_common(type, type);
  expression_t *expression = with_operand(g, EXPR_UNARY, op == OP_NOT ? type_of_comparison(type) : common, operand);
  expression->op = op;
  return adapt(g, expression, type);
}

static expression_t *random_comparison(generator_t *g, const type_t *type, unsigned depth) {
  operator_t op = OP_EQUAL + random_below(g, 6);
  const type_t *compared = type_number(random_scalar(g), type->width);
  if (type_is_integer(compared) && random_chance(g, 20)) op = OP_LOGICAL_AND + random_below(g, 2);
  expression_t *left = random_expression(g, compared, depth - 1);
  return adapt(g, make_binary(g, op, left, random_expression(g, compared, depth - 1)), type);
}

static expression_t *random_conditional(generator_t *g, const type_t *type, unsigned depth) {
  bool by_lane = type->width > 1 && random_chance(g, 60);
  const type_t *condition_type =
      by_lane ? type_number(scalar_integer(type->scalar, random_below(g, 2)), type->width) : type_number(SCALAR_I32, 1);
  expression_t *condition = random_expression(g, condition_type, depth - 1);
  expression_t *first = random_expression(g, type, depth - 1);
  expression_t *expression = with_operand(g, EXPR_CONDITIONAL, type_common(type, type), condition);
  if (expression->type != type) {
    /* char ? char : char is an int. */
    add_operand(expression, make_convert(g, expression->type, first));
    add_operand(expression, make_convert(g, expression->type, random_expression(g, type, depth - 1)));
    return make_convert(g, type, expression);
  }
  add_operand(expression, first);
  add_operand(expression, random_expression(g, type, depth - 1));
  return expression;
}

/* ---------------------------------------------------------------- functions of the language */

static expression_t *random_integer_builtin(generator_t *g, const type_t *type, unsigned depth) {
  static const builtin_t builtins[] = {
      BUILTIN_ABS,    BUILTIN_ABS_DIFF, BUILTIN_ADD_SAT, BUILTIN_SUB_SAT,  BUILTIN_HADD,      BUILTIN_RHADD,
      BUILTIN_MAX,    BUILTIN_MIN,      BUILTIN_CLAMP,   BUILTIN_CLZ,      BUILTIN_CTZ,       BUILTIN_POPCOUNT,
      BUILTIN_MUL_HI, BUILTIN_MAD_SAT,  BUILTIN_ROTATE,  BUILTIN_UPSAMPLE, BUILTIN_BITSELECT,
  };
  static const unsigned counts[] = {1, 2, 2, 2, 2, 2, 2, 2, 3, 1, 1, 1, 2, 3, 2, 2, 3};
  unsigned choice = random_below(g, sizeof(builtins) / sizeof(*builtins));
  const type_t *types[3] = {type, type, type};
  if (choice < 2) {
    if (scalar_is_signed(type->scalar))
      choice += 2;
    else
      types[0] = types[1] = type_number(type->scalar - random_below(g, 2), type->width);
  }
  if (builtins[choice] == BUILTIN_UPSAMPLE) {
    if (scalar_size(type->scalar) == 1) {
      choice = 2;
    } else {
      types[0] = type_number(type->scalar - 2, type->width);
      types[1] = type_number(scalar_integer(types[0]->scalar, false), type->width);
    }
  }
  expression_t *expression = make_builtin(g, builtins[choice], type);
  bool is_clamp = builtins[choice] == BUILTIN_CLAMP;
  for (unsigned i = 0; i < counts[choice]; i++) {
    bool is_bound = is_clamp && i > 0;
    add_operand(expression, is_bound ? random_constant(g, type) : random_expression(g, types[i], depth - 1));
  }
  return expression;
}

static expression_t *random_float_builtin(generator_t *g, const type_t *type, unsigned depth) {
  static const builtin_t builtins[] = {BUILTIN_FABS,  BUILTIN_FLOOR,    BUILTIN_CEIL, BUILTIN_TRUNC, BUILTIN_RINT,
                                       BUILTIN_ROUND, BUILTIN_COPYSIGN, BUILTIN_MAX,  BUILTIN_MIN,   BUILTIN_FMA};
  static const unsigned counts[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 3};
  unsigned choice = random_below(g, type->scalar == SCALAR_F16 ? 9 : 10);
  expression_t *expression = make_builtin(g, builtins[choice], type);
  for (unsigned i = 0; i < counts[choice]; i++) add_operand(expression, random_expression(g, type, depth - 1));
  return expression;
}

static expression_t *random_float_test(generator_t *g, const type_t *type, unsigned depth) {
  const type_t *tested = type_number(SCALAR_F16 + random_below(g, 3), type->width);
  builtin_t builtin = BUILTIN_SIGNBIT + random_below(g, 4);
  expression_t *expression = make_builtin(g, builtin, type_of_comparison(tested));
  add_operand(expression, random_expression(g, tested, depth - 1));
  if (builtin >= BUILTIN_ISLESS) add_operand(expression, random_expression(g, tested, depth - 1));
  return adapt(g, expression, type);
}

static expression_t *random_select(generator_t *g, const type_t *type, unsigned depth) {
  expression_t *expression = make_builtin(g, BUILTIN_SELECT, type);
  add_operand(expression, random_expression(g, type, depth - 1));
  add_operand(expression, random_expression(g, type, depth - 1));
  const type_t *condition = type_number(scalar_integer(type->scalar, random_below(g, 2)), type->width);
  add_operand(expression, random_expression(g, condition, depth - 1));
  return expression;
}

static expression_t *random_any(generator_t *g, const type_t *type, unsigned depth) {
  static const unsigned widths[] = {2, 3, 4, 8, 16};
  expression_t *expression = make_builtin(g, BUILTIN_ANY + random_below(g, 2), type_number(SCALAR_I32, 1));
  const type_t *vector = type_number(2 * random_below(g, 4), widths[random_below(g, 5)]);
  add_operand(expression, random_expression(g, vector, depth - 1));
  return adapt(g, expression, type);
}

static expression_t *random_shuffle(generator_t *g, const type_t *type, unsigned depth) {
  static const unsigned widths[] = {2, 4, 8, 16};
  bool of_two = random_below(g, 2);
  const type_t *source = type_number(type->scalar, widths[random_below(g, 4)]);
  expression_t *expression = make_builtin(g, of_two ? BUILTIN_SHUFFLE2 : BUILTIN_SHUFFLE, type);
  add_operand(expression, random_expression(g, source, depth - 1));
  if (of_two) add_operand(expression, random_expression(g, source, depth - 1));
  const type_t *mask = type_number(scalar_integer(type->scalar, false), type->width);
  add_operand(expression, random_chance(g, 60) ? random_constant(g, mask) : random_expression(g, mask, depth - 1));
  return expression;
}

static expression_t *random_builtin(generator_t *g, const type_t *type, unsigned depth) {
  unsigned choice = random_below(g, 10);
  if (choice < 2) return random_select(g, type, depth);
  if (choice < 4 && type->width != 1 && type->width != 3) return random_shuffle(g, type, depth);
  if (type_is_float(type)) return random_float_builtin(g, type, depth);
  if (choice == 4) return random_float_test(g, type, depth);
  if (choice == 5) return random_any(g, type, depth);
  return random_integer_builtin(g, type, depth);
}

/* ---------------------------------------------------------------- parts and wholes */

static expression_t *random_vector(generator_t *g, const type_t *type, unsigned depth) {
  static const unsigned widths[] = {8, 4, 3, 2, 1};
  if (type->width > 4 && random_chance(g, 30)) {
    return splat(g, random_expression(g, type_number(type->scalar, 1), depth - 1), type->width);
  }
  expression_t *expression = new_expression(g, EXPR_VECTOR, type);
  for (unsigned missing = type->width; missing;) {
    unsigned width = widths[random_below(g, 5)];
    if (width > missing || width == type->width) continue;
    add_operand(expression, random_expression(g, type_number(type->scalar, width), depth - 1));
    missing -= width;
  }
  return expression;
}

static expression_t *random_vload(generator_t *g, const type_t *type, unsigned depth) {
  for (unsigned tries = 0; tries < 8 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    const type_t *array = variable->type;
    bool has_elements = array->form == TYPE_ARRAY || array->form == TYPE_POINTER;
    bool fits = has_elements && array->count >= type->width && array->element == type_number(type->scalar, 1);
    if (!fits || !is_readable(g, variable) || variable->is_volatile) continue;
    const type_t *offset = type_number(SCALAR_U32, 1);
    expression_t *expression = with_operand(g, EXPR_VLOAD, type, random_expression(g, offset, depth - 1));
    add_operand(expression, make_variable(g, variable));
    return expression;
  }
  return random_leaf(g, type, depth);
}

/* ---------------------------------------------------------------- calls */

static bool points_alike(const type_t *pointer, const type_t *array) {
  bool has_elements = array->form == TYPE_ARRAY || array->form == TYPE_POINTER;
  return has_elements && array->element == pointer->element && array->count >= pointer->count;
}

/* A function without qualifiers takes pointers into every address space but constant. */
static expression_t *random_pointer(generator_t *g, const type_t *pointer) {
  for (unsigned tries = 0; tries < 12 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    bool is_constant = variable->space == SPACE_CONSTANT || variable->type->space == SPACE_CONSTANT;
    if (!points_alike(pointer, variable->type) || !is_readable(g, variable)) continue;
    if (is_constant || variable->is_volatile) continue;
    return make_variable(g, variable);
  }
  return NULL;
}

static expression_t *random_reference(generator_t *g, const type_t *type) {
  for (unsigned tries = 0; tries < 12 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    bool is_writable = !variable->is_read_only && !variable->is_uniform && !variable->is_volatile;
    bool is_private = variable->space == SPACE_PRIVATE && !variable->data;
    if (variable->type == type && is_private && is_writable && !variable->is_reference) {
      return make_variable(g, variable);
    }
  }
  return NULL;
}

static expression_t *random_object(generator_t *g, const type_t *type) {
  for (unsigned tries = 0; tries < 12 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    if (variable->type == type && is_readable(g, variable) && !variable->is_volatile) {
      return make_variable(g, variable);
    }
  }
  return NULL;
}

static expression_t *random_actual(generator_t *g, const variable_t *parameter, unsigned depth) {
  if (parameter->is_reference) return g->wants_uniform ? NULL : random_reference(g, parameter->type);
  if (parameter->type->form == TYPE_POINTER) return random_pointer(g, parameter->type);
  if (parameter->type->form == TYPE_STRUCT) return random_object(g, parameter->type);
  if (parameter->is_uniform) return random_uniform(g, parameter->type, depth);
  return random_expression(g, parameter->type, depth);
}

/* A reference's variable is changed while the statement runs: nothing else of it may look at any variable. */
static bool has_reference(const function_t *function) {
  for (unsigned i = 0; i < function->parameter_count; i++) {
    if (function->parameters[i]->is_reference) return true;
  }
  return false;
}

bool random_arguments(generator_t *g, function_t *function, expression_t **out, unsigned depth) {
  for (unsigned i = 0; i < function->parameter_count; i++) {
    out[i] = random_actual(g, function->parameters[i], has_reference(function) ? 0 : depth);
    if (!out[i]) return false;
  }
  return true;
}

static expression_t *random_call(generator_t *g, const type_t *type, unsigned depth) {
  unsigned count = g->program->function_count;
  function_t *function = count ? g->program->functions[random_below(g, count)] : NULL;
  bool is_lambda = function && g->program->is_cxx && function->style == FUNCTION_LAMBDA;
  if (!function || function->has_barriers || has_reference(function) || !type_is_number(function->result_type)) {
    return random_leaf(g, type, depth);
  }
  if (is_lambda && g->function != &g->program->kernel) return random_leaf(g, type, depth);
  expression_t *expression = new_expression(g, EXPR_CALL, function->result_type);
  expression->function = function;
  expression->operand_count = function->parameter_count;
  if (!random_arguments(g, function, expression->operands, depth - 1)) return random_leaf(g, type, depth);
  return adapt(g, expression, type);
}

/* ---------------------------------------------------------------- all expressions */

expression_t *random_expression(generator_t *g, const type_t *type, unsigned depth) {
  if (depth == 0) return random_leaf(g, type, 0);
  unsigned choice = random_below(g, 100);
  if (choice < 28) return random_operator(g, type, depth);
  if (choice < 40) return random_builtin(g, type, depth);
  if (choice < 46 && type_is_integer(type)) return random_comparison(g, type, depth);
  if (choice < 51) return random_conditional(g, type, depth);
  if (choice < 57) return adapt(g, random_expression(g, random_number_type(g), depth - 1), type);
  if (choice < 62) return random_unary(g, type, depth);
  if (choice < 70 && type->width > 1) return random_vector(g, type, depth);
  if (choice < 74 && type->width > 1) return random_vload(g, type, depth);
  if (choice < 81) return random_call(g, type, depth);
  if (choice < 85 && !g->is_pure) {
    expression_t *read = random_image_read(g, depth);
    if (read) return adapt(g, read, type);
  }
  return random_leaf(g, type, depth);
}

expression_t *random_uniform(generator_t *g, const type_t *type, unsigned depth) {
  bool wanted = g->wants_uniform;
  g->wants_uniform = true;
  expression_t *expression = random_expression(g, type, depth);
  g->wants_uniform = wanted;
  return expression;
}

/* Comparisons that hold for all, which only the launch shows. */
static expression_t *holding_condition(generator_t *g) {
  unsigned dimension = random_below(g, g->program->dimensions);
  const type_t *type = type_number(SCALAR_U64, 1);
  operator_t op = random_below(g, 2) ? OP_LESS : OP_GREATER_EQUAL;
  expression_t *local = make_query(g, QUERY_LOCAL_ID, dimension);
  switch (random_below(g, 5)) {
    case 0: return make_binary(g, op, local, make_query(g, QUERY_LOCAL_SIZE, dimension));
    case 1: return make_binary(g, op, local, make_constant(g, type, MAX_GROUP));
    case 2: return make_binary(g, op, make_query(g, QUERY_GLOBAL_ID, dimension), make_constant(g, type, 1 << 20));
    case 3: {
      expression_t *end = make_binary(g, OP_ADD, make_query(g, QUERY_GLOBAL_SIZE, dimension),
                                      make_query(g, QUERY_GLOBAL_OFFSET, dimension));
      return make_binary(g, op, make_query(g, QUERY_GLOBAL_ID, dimension), end);
    }
    default: return make_binary(g, op, make_variable(g, g->lane), make_variable(g, g->group_size));
  }
}

expression_t *random_condition(generator_t *g, bool for_all) {
  const type_t *type = type_number(SCALAR_I32, 1);
  if (for_all && g->lane && random_chance(g, 30)) return holding_condition(g);
  if (for_all && random_chance(g, 75)) {
    bool wanted = g->wants_uniform;
    g->wants_uniform = true;
    expression_t *condition = random_comparison(g, type, 2);
    g->wants_uniform = wanted;
    return condition;
  }
  return random_chance(g, 70) ? random_comparison(g, type, 2) : random_expression(g, type, 2);
}

/* ---------------------------------------------------------------- what may be written */

/* Through a pointer to one private object, too. */
static bool is_writable(const generator_t *g, const variable_t *variable) {
  if (variable->is_read_only || variable->type->form == TYPE_IMAGE) return false;
  return !variable->is_uniform && variable->space == SPACE_PRIVATE && !variable->data && !g->wants_uniform;
}

expression_t *random_target(generator_t *g) {
  for (unsigned tries = 0; tries < 10 && g->scope_count; tries++) {
    variable_t *variable = g->scope[random_below(g, g->scope_count)];
    if (!is_writable(g, variable)) continue;
    return descend(g, make_variable(g, variable), 1);
  }
  return NULL;
}
