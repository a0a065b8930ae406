/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Expressions, for one work-item. */
#include "arithmetic.h"
#include "evaluate.h"

size_t evaluate_query(const group_t *group, const item_t *item, query_t query, unsigned dimension) {
  const program_t *program = group->program;
  size_t local = item->local[dimension], id = group->id[dimension];
  switch (query) {
    case QUERY_GLOBAL_ID: return id * program->local[dimension] + local + program->offset[dimension];
    case QUERY_LOCAL_ID: return local;
    case QUERY_GROUP_ID: return id;
    case QUERY_GLOBAL_SIZE: return program->global[dimension];
    case QUERY_LOCAL_SIZE: return group->size[dimension];
    case QUERY_ENQUEUED_LOCAL_SIZE: return program->local[dimension];
    case QUERY_NUM_GROUPS:
      return (program->global[dimension] + program->local[dimension] - 1) / program->local[dimension];
    case QUERY_GLOBAL_OFFSET: return program->offset[dimension];
    case QUERY_WORK_DIM: return program->dimensions;
    case QUERY_LOCAL_LINEAR_ID: return item->index;
    case QUERY_GLOBAL_LINEAR_ID: break;
  }
  size_t linear = 0;
  for (unsigned i = 3; i-- > 0;) {
    linear = linear * program->global[i] + group->id[i] * program->local[i] + item->local[i];
  }
  return linear;
}

/* ---------------------------------------------------------------- memory */

static unsigned char *variable_address(group_t *group, item_t *item, const variable_t *variable) {
  if (variable->data) return variable->data;
  if (variable->space == SPACE_LOCAL) return group->local + variable->offset;
  unsigned char *slot = item->frame + variable->offset;
  if (!variable->is_reference) return slot;
  unsigned char *referent;
  memcpy(&referent, slot, sizeof(referent));
  return referent;
}

static unsigned char *pointer_value(group_t *group, item_t *item, expression_t *expression) {
  value_t pointer;
  evaluate_expression(group, item, expression, &pointer);
  return pointer.pointer;
}

/* The first element of an array or what a pointer points to. */
static unsigned char *elements_address(group_t *group, item_t *item, expression_t *expression) {
  bool is_array = expression->type->form == TYPE_ARRAY;
  return is_array ? evaluate_address(group, item, expression) : pointer_value(group, item, expression);
}

/* Indices outside are taken modulo the count, a power of two. */
static unsigned char *element_address(group_t *group, item_t *item, expression_t *expression) {
  unsigned char *elements = elements_address(group, item, expression->operands[0]);
  value_t index;
  evaluate_expression(group, item, expression->operands[1], &index);
  wide_t wanted = lane_integer(&index, 0);
  size_t count = expression->operands[0]->type->count, inside = (size_t)wanted & (count - 1);
  if (wanted != (wide_t)inside) expression->repaired = true;
  return elements + inside * expression->type->size;
}

unsigned char *evaluate_address(group_t *group, item_t *item, expression_t *expression) {
  switch (expression->kind) {
    case EXPR_VARIABLE: return variable_address(group, item, expression->variable);
    case EXPR_MEMBER:
      return evaluate_address(group, item, expression->operands[0]) +
             expression->operands[0]->type->members[expression->index].offset;
    case EXPR_ELEMENT: return element_address(group, item, expression);
    case EXPR_DEREFERENCE: return pointer_value(group, item, expression->operands[0]);
    default: fail_msg("not an lvalue: %d", expression->kind); return NULL;
  }
}

static void load(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  memcpy(out->bytes, evaluate_address(group, item, expression), expression->type->size);
}

void evaluate_store(group_t *group, item_t *item, expression_t *target, const value_t *value) {
  if (target->kind != EXPR_SWIZZLE) {
    memcpy(evaluate_address(group, item, target), value->bytes, target->type->size);
    return;
  }
  unsigned char *vector = evaluate_address(group, item, target->operands[0]);
  size_t size = scalar_size(target->type->scalar);
  for (unsigned i = 0; i < target->type->width; i++) {
    memcpy(vector + target->lanes[i] * size, value->bytes + i * size, size);
  }
}

static void vload(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  unsigned char *elements = elements_address(group, item, expression->operands[1]);
  size_t width = expression->type->width, fits = expression->operands[1]->type->count / width;
  value_t offset;
  evaluate_expression(group, item, expression->operands[0], &offset);
  uint64_t wanted = (uint64_t)lane_integer(&offset, 0);
  if (wanted >= fits) expression->repaired = true;
  size_t size = width * scalar_size(expression->type->scalar);
  memcpy(out->bytes, elements + wanted % fits * size, size);
}

/* ---------------------------------------------------------------- images */

argument_t *evaluate_image(group_t *group, const variable_t *variable) {
  return &group->program->arguments[variable->argument];
}

static void read_pixel(argument_t *image, const float *coordinates, int sampler, const program_t *program,
                       double out[4]) {
  static const test_sampler_t plain = {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST};
  test_sample(&image->pixels, sampler < 0 ? &plain : &program->arguments[sampler].sampler, coordinates, out);
}

/* Integer coordinates lie inside, by construction; fractional ones are multiples of a quarter of a pixel. */
static void read_image(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  value_t coordinates;
  evaluate_expression(group, item, expression->operands[0], &coordinates);
  float position[4] = {0};
  for (unsigned i = 0; i < coordinates.type->width && i < 4; i++) {
    bool is_float = type_is_float(coordinates.type);
    position[i] = is_float ? (float)lane_float(&coordinates, i) : (float)lane_integer(&coordinates, i);
  }
  double color[4];
  read_pixel(evaluate_image(group, expression->variable), position, expression->sampler, group->program, color);
  for (unsigned i = 0; i < 4; i++) {
    if (type_is_float(out->type)) {
      lane_set_float(out, i, color[i]);
    } else {
      lane_set_integer(out, i, (wide_t)color[i]);
    }
  }
}

/* ---------------------------------------------------------------- calls */

void evaluate_parameter(group_t *group, item_t *item, const variable_t *parameter, expression_t *argument,
                        unsigned char *frame) {
  if (parameter->is_reference) {
    unsigned char *referent = evaluate_address(group, item, argument);
    memcpy(frame + parameter->offset, &referent, sizeof(referent));
    return;
  }
  value_t value;
  if (argument->type->form == TYPE_ARRAY) {
    value.pointer = evaluate_address(group, item, argument);
  } else {
    evaluate_expression(group, item, argument, &value);
  }
  memcpy(frame + parameter->offset, value.bytes, parameter->type->size);
}

static void call(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  function_t *function = expression->function;
  unsigned char *caller = item->frame, *callee = item->top;
  memset(callee, 0, function->frame_size);
  /* Arguments may call functions themselves, which must not overwrite the frame. */
  unsigned char *top = item->top;
  item->top += (function->frame_size + 127) / 128 * 128;
  for (unsigned i = 0; i < function->parameter_count; i++) {
    evaluate_parameter(group, item, function->parameters[i], expression->operands[i], callee);
  }
  item->frame = callee;
  mask_t broken = group->broken, continued = group->continued, mask = {{0}};
  mask_add(&mask, item->index);
  execute_block(group, &function->body, mask);
  group->broken = broken;
  group->continued = continued;
  memcpy(out->bytes, callee + function->result->offset, expression->type->size);
  item->frame = caller;
  item->top = top;
}

/* ---------------------------------------------------------------- values */

/* Scalars are converted to the type that both have in common. */
static void common_operand(group_t *group, item_t *item, expression_t *operand, const type_t *common, value_t *out) {
  value_t value;
  evaluate_expression(group, item, operand, &value);
  if (value.type == common) {
    *out = value;
    return;
  }
  out->type = common;
  convert(&value, ROUND_DEFAULT, false, out);
}

static bool is_shift(operator_t op) { return op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT; }

static void binary(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  expression_t **operands = expression->operands;
  const type_t *left_type = operands[0]->type, *right_type = operands[1]->type;
  bool shifts = is_shift(expression->op);
  value_t left, right;
  const type_t *common = shifts ? type_common(left_type, left_type) : type_common(left_type, right_type);
  common_operand(group, item, operands[0], common, &left);
  common_operand(group, item, operands[1], shifts ? type_common(right_type, right_type) : common, &right);
  if (operate(expression->op, &left, &right, out)) expression->repaired = true;
}

static void unary(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  value_t operand;
  const type_t *type = expression->operands[0]->type;
  common_operand(group, item, expression->operands[0], type_common(type, type), &operand);
  if (operate_unary(expression->op, &operand, out)) expression->repaired = true;
}

static void conditional(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  value_t condition, values[2];
  evaluate_expression(group, item, expression->operands[0], &condition);
  if (condition.type->width == 1) {
    evaluate_expression(group, item, expression->operands[value_is_true(&condition) ? 1 : 2], out);
    return;
  }
  for (unsigned i = 0; i < 2; i++) evaluate_expression(group, item, expression->operands[i + 1], &values[i]);
  size_t size = scalar_size(out->type->scalar);
  for (unsigned i = 0; i < out->type->width; i++) {
    memcpy(out->bytes + i * size, values[lane_is_true(&condition, i) ? 0 : 1].bytes + i * size, size);
  }
}

static void vector(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  size_t size = scalar_size(out->type->scalar), at = 0;
  for (unsigned i = 0; i < expression->operand_count; i++) {
    value_t part;
    evaluate_expression(group, item, expression->operands[i], &part);
    memcpy(out->bytes + at, part.bytes, size * part.type->width);
    at += size * part.type->width;
  }
  /* One scalar fills all lanes. */
  if (expression->operand_count > 1) return;
  for (unsigned i = 1; i < out->type->width; i++) memcpy(out->bytes + i * size, out->bytes, size);
}

static void swizzle(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  value_t whole;
  evaluate_expression(group, item, expression->operands[0], &whole);
  size_t size = scalar_size(out->type->scalar);
  for (unsigned i = 0; i < out->type->width; i++) {
    memcpy(out->bytes + i * size, whole.bytes + expression->lanes[i] * size, size);
  }
}

static void convert_operand(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  value_t operand;
  evaluate_expression(group, item, expression->operands[0], &operand);
  if (convert(&operand, expression->rounding, expression->is_saturating, out)) expression->repaired = true;
}

static void reinterpret(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  value_t operand;
  evaluate_expression(group, item, expression->operands[0], &operand);
  memcpy(out->bytes, operand.bytes, out->type->size);
  if (value_repair_nan(out)) expression->repaired = true;
}

static void builtin(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  value_t operands[3];
  for (unsigned i = 0; i < 3; i++) {
    if (i < expression->operand_count) {
      evaluate_expression(group, item, expression->operands[i], &operands[i]);
    } else {
      operands[i] = operands[0];
    }
  }
  if (call_builtin(expression->builtin, operands, out)) expression->repaired = true;
}

/* What the printer's repaired form calls. */
static void note_helper(group_t *group, const expression_t *expression) {
  const type_t *type = expression->type;
  bool divides = expression->kind == EXPR_BINARY && (expression->op == OP_DIVIDE || expression->op == OP_REMAINDER);
  if (!expression->repaired || !type_is_number(type)) return;
  if (type_is_float(type)) {
    group->program->needs_ordinary[type->scalar][type->width] = true;
  } else if (divides) {
    group->program->needs_division[type->scalar][type->width] = true;
  }
}

void evaluate_expression(group_t *group, item_t *item, expression_t *expression, value_t *out) {
  out->type = expression->type;
  switch (expression->kind) {
    case EXPR_CONSTANT: memcpy(out->bytes, expression->value->bytes, out->type->size); break;
    case EXPR_VARIABLE:
    case EXPR_MEMBER:
    case EXPR_ELEMENT:
    case EXPR_DEREFERENCE: load(group, item, expression, out); break;
    case EXPR_ADDRESS: out->pointer = evaluate_address(group, item, expression->operands[0]); break;
    case EXPR_SWIZZLE: swizzle(group, item, expression, out); break;
    case EXPR_UNARY: unary(group, item, expression, out); break;
    case EXPR_BINARY: binary(group, item, expression, out); break;
    case EXPR_CONDITIONAL: conditional(group, item, expression, out); break;
    case EXPR_CONVERT: convert_operand(group, item, expression, out); break;
    case EXPR_REINTERPRET: reinterpret(group, item, expression, out); break;
    case EXPR_VECTOR: vector(group, item, expression, out); break;
    case EXPR_BUILTIN: builtin(group, item, expression, out); break;
    case EXPR_CALL: call(group, item, expression, out); break;
    case EXPR_QUERY:
      lane_set_integer(out, 0, (wide_t)evaluate_query(group, item, expression->query, expression->index));
      break;
    case EXPR_READ_IMAGE: read_image(group, item, expression, out); break;
    case EXPR_VLOAD: vload(group, item, expression, out); break;
  }
  note_helper(group, expression);
}
