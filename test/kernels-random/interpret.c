/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random kernels interpreted: a work-group's items go through the statements side by side, those that a branch leaves
 * out waiting. */
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* Why an item waits, beyond the branches around. */
typedef enum signal_e { signal_none, signal_break, signal_continue, signal_return } signal_e;

typedef struct record_t {
  int32_t x;
  int16_t y[2];
  int8_t z;
} record_t;

typedef struct item_t {
  int32_t v[int_count], u[uniform_count], q[vector_count][4], arrays[2][array_length];
  int64_t w[long_count];
  float f[float_count];
  int8_t c;
  record_t records[record_count];
  int pointed;
  int32_t ids[id_count];
  size_t place;
  signal_e signal;
} item_t;

typedef struct group_t {
  const int32_t *input;
  int32_t n;
  int size;
  /** The range's size, and what strides store to. */
  int range;
  int64_t *strided;
  item_t items[max_items];
} group_t;

/* Which items run. */
typedef struct mask_t {
  bool on[max_items];
} mask_t;

/* Of the type that the expression has. */
typedef union value_t {
  int64_t i;
  float f;
} value_t;

static float tame(float x) { return x > -1e6f && x < 1e6f ? x : 1.5f; }
static int64_t narrow(type_e type, uint64_t bits) { return type == type_int ? (int32_t)bits : (int64_t)bits; }

static value_t binary_float(operator_e which, float a, float b) {
  float result = a * b;
  if (which == operator_add) result = a + b;
  if (which == operator_subtract) result = a - b;
  return (value_t){.f = tame(result)};
}

static uint64_t widest(type_e type, uint64_t bits) { return type == type_int ? (uint32_t)bits : bits; }

static int64_t binary_integer(operator_e which, type_e type, int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (which) {
    case operator_add: return narrow(type, x + y);
    case operator_subtract: return narrow(type, x - y);
    case operator_multiply: return narrow(type, x * y);
    case operator_less: return a < b;
    case operator_and: return a & b;
    case operator_or: return a | b;
    case operator_xor: return a ^ b;
    case operator_left: return narrow(type, x << (b & (type == type_int ? 31 : 63)));
    case operator_right: return a >> (b & 31);
    case operator_divide: return a / ((b & 15) | 1);
    case operator_remainder: return a % ((b & 15) | 1);
    case operator_equal: return a == b;
    case operator_min: return a < b ? a : b;
    case operator_max: return a > b ? a : b;
    case operator_unsigned_less: return x < y; /* the order of ints is that of their extensions by sign */
    case operator_unsigned_right: return narrow(type, widest(type, x) >> (b & (type == type_int ? 31 : 63)));
    default: return narrow(type, widest(type, x) / ((y & 255) | 1));
  }
}

static int32_t helper(int32_t a, int32_t b) {
  for (int i = 0; i < (b & 3); i++) a = a & 1 ? (int32_t)((uint32_t)a * 3 + (uint32_t)b) : a ^ (i + 1);
  return a;
}

static int32_t four(const int32_t *a) {
  return (int32_t)((uint32_t)a[0] + 3 * (uint32_t)a[1] + 5 * (uint32_t)a[2] + 7 * (uint32_t)a[3]);
}

static int32_t sum(const int32_t *a, int count) {
  uint32_t s = 0;
  for (int i = 0; i < count; i++) s = s * 5 + (uint32_t)a[i];
  return (int32_t)s;
}

static float huge(int32_t bits) {
  float f;
  bits |= 0x7F000000;
  memcpy(&f, &bits, sizeof(f));
  return f;
}

static int32_t compare_huge(compare_e which, int32_t x, int32_t y) {
  float a = huge(x), b = huge(y);
  switch (which) {
    case compare_less: return a < b;
    case compare_not_at_least: return !(a >= b);
    case compare_unequal: return a != b;
    default: return (a < b && b > 1) || a > b || (a != a && y & 1);
  }
}

static int32_t read_pair(const int32_t *input, int32_t x, int32_t y) {
  const int32_t *one = input + 2 * (31 & x);
  int16_t second[2];
  memcpy(second, one + 1, sizeof(second));
  return y & 1 ? one[0] : second[1 & (y >> 1)];
}

static int32_t read_record(const record_t *record, int field) {
  return field == 0 ? record->x : field == 3 ? record->z : record->y[field - 1];
}

static void write_record(record_t *record, int field, int32_t value) {
  switch (field) {
    case 0: record->x = value; break;
    case 3: record->z = (int8_t)value; break;
    default: record->y[field - 1] = (int16_t)value; break;
  }
}

static int32_t to_narrow(narrow_e type, int32_t x) {
  switch (type) {
    case narrow_char: return (int8_t)x;
    case narrow_uchar: return (uint8_t)x;
    case narrow_short: return (int16_t)x;
    default: return (uint16_t)x;
  }
}

static value_t evaluate(const group_t *group, const item_t *item, const expression_t *expression);

static int32_t evaluate_int(const group_t *group, const item_t *item, const expression_t *expression) {
  return (int32_t)evaluate(group, item, expression).i;
}

static value_t convert(type_e from, type_e to, value_t value) {
  if (to == type_float) return (value_t){.f = tame((float)value.i)};
  if (from == type_float) return (value_t){.i = (int64_t)value.f};
  return (value_t){.i = narrow(to, (uint64_t)value.i)};
}

static value_t evaluate_binary(const group_t *group, const item_t *item, const expression_t *expression) {
  value_t a = evaluate(group, item, expression->operands[0]), b = evaluate(group, item, expression->operands[1]);
  operator_e which = (operator_e)expression->index;
  if (expression->type == type_float) return binary_float(which, a.f, b.f);
  return (value_t){.i = binary_integer(which, expression->type, a.i, b.i)};
}

static value_t evaluate_variable(const item_t *item, const expression_t *expression) {
  if (expression->type == type_float) return (value_t){.f = item->f[expression->index]};
  return (value_t){.i = expression->type == type_long ? item->w[expression->index] : item->v[expression->index]};
}

static int32_t evaluate_int_leaf(const group_t *group, const item_t *item, const expression_t *expression) {
  switch (expression->kind) {
    case expression_char: return item->c;
    case expression_uniform: return item->u[expression->index];
    case expression_component: return item->q[expression->index][expression->value];
    case expression_argument: return group->n;
    default: return item->ids[expression->index];
  }
}

static int32_t evaluate_two(const group_t *group, const item_t *item, const expression_t *expression, int32_t x) {
  int32_t y = evaluate_int(group, item, expression->operands[1]);
  switch (expression->kind) {
    case expression_guarded: return (uint32_t)x < input_length ? group->input[x] : y;
    case expression_logical: return expression->index ? x || y : x && y;
    case expression_compare: return compare_huge((compare_e)expression->index, x, y);
    case expression_pair: return read_pair(group->input, x, y);
    default: return helper(x, y);
  }
}

/* Of those that have one operand or two, ints. */
static int32_t evaluate_int_node(const group_t *group, const item_t *item, const expression_t *expression) {
  int32_t x = evaluate_int(group, item, expression->operands[0]);
  switch (expression->kind) {
    case expression_array: return item->arrays[expression->index][x & 7];
    case expression_pointer: return item->arrays[item->pointed][x & 7];
    case expression_input: return group->input[x & 63];
    case expression_four: return four(group->input + (x & 60));
    case expression_block: return group->input[item->ids[expression->index] & x & 63];
    case expression_popcount: return __builtin_popcount((unsigned)x);
    case expression_sum: return sum(item->arrays[item->pointed], x & 7);
    case expression_narrow: return to_narrow((narrow_e)expression->index, x);
    case expression_element: return item->q[1][x & 3];
    case expression_record: return read_record(&item->records[x & 3], expression->index);
    default: return evaluate_two(group, item, expression, x);
  }
}

static value_t evaluate(const group_t *group, const item_t *item, const expression_t *expression) {
  switch (expression->kind) {
    case expression_constant:
      if (expression->type == type_float) return (value_t){.f = (float)expression->value};
      return (value_t){.i = expression->value};
    case expression_variable: return evaluate_variable(item, expression);
    case expression_binary: return evaluate_binary(group, item, expression);
    case expression_convert:
      return convert(expression->from, expression->type, evaluate(group, item, expression->operands[0]));
    case expression_choose: {
      int32_t condition = evaluate_int(group, item, expression->operands[0]);
      return evaluate(group, item, expression->operands[condition ? 1 : 2]);
    }
    default: break;
  }
  bool is_leaf = !expression->operands[0];
  return (value_t){.i = is_leaf ? evaluate_int_leaf(group, item, expression)
                                : evaluate_int_node(group, item, expression)};
}

static void set_variable(item_t *item, const statement_t *statement, value_t value) {
  switch (statement->value->type) {
    case type_int: item->v[statement->index] = (int32_t)value.i; break;
    case type_long: item->w[statement->index] = value.i; break;
    case type_float: item->f[statement->index] = value.f; break;
  }
}

static void combine_vector(int32_t *q, int width, uint32_t with) {
  int32_t before[4];
  memcpy(before, q, sizeof(before));
  for (int i = 0; i < width; i++) q[i] = (int32_t)((uint32_t)before[i] * 5u + with) ^ before[width - 1 - i];
}

static int32_t read_narrow(const int32_t *input, narrow_e type, int at) {
  const char *bytes = (const char *)input;
  int16_t element;
  if (type == narrow_char || type == narrow_uchar) return to_narrow(type, bytes[at]);
  memcpy(&element, bytes + 2 * at, sizeof(element));
  return to_narrow(type, element);
}

static void run_walk(const group_t *group, item_t *item, const statement_t *statement, int32_t from, int32_t other) {
  const walk_e kind = (walk_e)statement->level;
  const int turns = (int)((uint32_t)other % (walk_turns + 1)), least = kind == walk_pointer ? 1 : 0;
  uint32_t v = (uint32_t)item->v[statement->index], last = 7, before = 8, i = 0;
  for (int turn = 0; turn < (turns > least ? turns : least); turn++) {
    int at = walk_first(statement) + (from & (walk_starts - 1)) + turn;
    uint32_t e = (uint32_t)read_narrow(group->input, statement->element, at);
    if (kind == walk_found && (e & 15) == 7) break;
    switch (kind) {
      case walk_counted: v = v * 31 + e; break;
      case walk_pointer: v = (v << 3 | v >> 29) ^ e; break;
      case walk_found: v = v * 5 - e; break;
      case walk_last:
        before = last;
        last = e;
        v += last ^ before << 3;
        break;
      default: v = (v >> 8) ^ (uint32_t)group->input[63 & (v ^ e)]; break;
    }
    i += kind != walk_pointer;
  }
  item->v[statement->index] = (int32_t)(v + last * 5 + before * 11 + i * 13);
}

static void run_stride(const group_t *group, item_t *item, const statement_t *statement, int32_t value, int32_t other) {
  const int steps[step_count] = {group->size, group->range, 128, 192 + (63 & value)};
  const int bound = (int)(stride_length - (uint32_t)other % (stride_length + 1));
  int i = item->ids[statement->is_global ? id_global_x : id_local_x] + (statement->is_shifted ? 63 & value : 0);
  uint32_t v = (uint32_t)item->v[statement->index], last = 7, before = 8;
  for (; i < bound; i += steps[statement->step]) {
    const uint32_t e = (uint32_t)group->input[i];
    switch (statement->level) {
      case stride_sum: v = v * 31 + e; break;
      case stride_two: *(e & 4 ? &v : &last) = e & 4 ? v * 3 + e : last + (e ^ v); break;
      case stride_last:
        before = last;
        last = e;
        v += last ^ before << 3;
        break;
      case stride_index: v ^= e + (uint32_t)i; break;
      default: group->strided[i] = (int64_t)(uint32_t)(e * 5 + v); break;
    }
  }
  v += last * 5 + before * 11 + (statement->level == stride_index ? (uint32_t)i * 13 : 0);
  item->v[statement->index] = (int32_t)v;
}

static int32_t saturate(int32_t x) { return x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x; }

static void access_vector(const group_t *group, item_t *item, const statement_t *statement, int32_t x) {
  int width = 3 + statement->index;
  int32_t *q = item->q[statement->index], *p = item->arrays[item->pointed] + (3 & x);
  for (int i = 0; i < width; i++) {
    switch (statement->kind) {
      case statement_load_vector: q[i] = group->input[width * (15 & x) + i]; break;
      case statement_point_vector: q[i] = p[i]; break;
      case statement_store_vector: p[i] = q[i]; break;
      default: q[i] = saturate(q[i] ^ x); break;
    }
  }
}

/* Statements that look at one item alone. */
static void run_simple(const group_t *group, item_t *item, const statement_t *statement) {
  value_t value = evaluate(group, item, statement->value);
  int32_t x = (int32_t)value.i;
  int32_t other = statement->other ? evaluate_int(group, item, statement->other) : 0;
  int32_t *q = item->q[statement->index < vector_count ? statement->index : 0];
  switch (statement->kind) {
    case statement_set: set_variable(item, statement, value); break;
    case statement_set_char: item->c = (int8_t)x; break;
    case statement_walk: run_walk(group, item, statement, x, other); break;
    case statement_stride: run_stride(group, item, statement, x, other); break;
    case statement_set_uniform: item->u[statement->index] = x; break;
    case statement_set_vector:
      memcpy(q, (int32_t[]){(int32_t)((uint32_t)item->ids[id_linear] + (uint32_t)x), other, group->n, group->size}, 16);
      break;
    case statement_combine_vector: combine_vector(q, 3 + statement->index, (uint32_t)x); break;
    case statement_load_vector:
    case statement_point_vector:
    case statement_store_vector:
    case statement_squeeze_vector: access_vector(group, item, statement, x); break;
    case statement_set_record: write_record(&item->records[x & 3], statement->level, other); break;
    case statement_copy_record: item->records[x & 3] = item->records[other & 3]; break;
    case statement_store: item->arrays[statement->index][x & 7] = other; break;
    case statement_point: item->pointed = x & 1 ? 0 : 1; break;
    case statement_store_pointer: item->arrays[item->pointed][x & 7] = other; break;
    case statement_break: item->signal = x ? signal_break : signal_none; break;
    case statement_continue: item->signal = x ? signal_continue : signal_none; break;
    default: item->signal = x ? signal_return : signal_none; break;
  }
}

static bool is_running(const group_t *group, const mask_t *mask, int i) {
  return mask->on[i] && group->items[i].signal == signal_none;
}

static bool any_running(const group_t *group, const mask_t *mask) {
  bool any = false;
  for (int i = 0; i < group->size; i++) any |= is_running(group, mask, i);
  return any;
}

static void clear_signal(group_t *group, const mask_t *mask, signal_e signal) {
  for (int i = 0; i < group->size; i++) {
    if (mask->on[i] && group->items[i].signal == signal) group->items[i].signal = signal_none;
  }
}

static void run_list(group_t *group, const statement_t *statement, const mask_t *mask);

static void run_if(group_t *group, const statement_t *statement, const mask_t *mask) {
  mask_t taken = {0}, rest = {0};
  for (int i = 0; i < group->size; i++) {
    if (!is_running(group, mask, i)) continue;
    bool is_true = evaluate_int(group, &group->items[i], statement->value);
    (is_true ? &taken : &rest)->on[i] = true;
  }
  run_list(group, statement->body, &taken);
  run_list(group, statement->otherwise, &rest);
}

/* Items that have had `turn` turns go on when the loop's condition says so. */
static mask_t next_turn(group_t *group, const statement_t *statement, const mask_t *mask, int turn) {
  mask_t next = {0};
  bool is_for = statement->kind == statement_for;
  for (int i = 0; i < group->size; i++) {
    if (!is_running(group, mask, i)) continue;
    int32_t x = is_for || (turn > 0 && turn < 5) ? evaluate_int(group, &group->items[i], statement->value) : 0;
    next.on[i] = is_for ? turn < (x & 3) + 1 : turn == 0 || (turn < 5 && x);
  }
  return next;
}

static void run_loop(group_t *group, const statement_t *statement, const mask_t *mask) {
  mask_t in_loop = *mask;
  for (int i = 0; i < group->size; i++) in_loop.on[i] = is_running(group, mask, i);
  mask_t entered = in_loop;
  for (int turn = 0;; turn++) {
    in_loop = next_turn(group, statement, &in_loop, turn);
    if (!any_running(group, &in_loop)) break;
    run_list(group, statement->body, &in_loop);
    clear_signal(group, &in_loop, signal_continue);
  }
  clear_signal(group, &entered, signal_break);
}

static void run_switch(group_t *group, const statement_t *statement, const mask_t *mask) {
  mask_t running = {0}, entered = {0};
  int32_t values[max_items] = {0};
  for (int i = 0; i < group->size; i++) {
    entered.on[i] = is_running(group, mask, i);
    if (entered.on[i]) values[i] = evaluate_int(group, &group->items[i], statement->value) & 3;
  }
  for (const statement_t *arm = statement->body; arm; arm = arm->next) {
    for (int i = 0; i < group->size; i++) running.on[i] |= entered.on[i] && values[i] == arm->index;
    run_list(group, arm->body, &running);
    if (!arm->falls_through) running = (mask_t){0};
  }
  clear_signal(group, &entered, signal_break);
}

static int32_t reduce(reduction_e reduction, int32_t total, int32_t x) {
  switch (reduction) {
    case reduction_add: return (int32_t)((uint32_t)total + (uint32_t)x);
    case reduction_sub: return (int32_t)((uint32_t)total - (uint32_t)x);
    case reduction_and: return total & x;
    case reduction_or: return total | x;
    case reduction_xor: return total ^ x;
    case reduction_min: return total < x ? total : x;
    default: return total > x ? total : x;
  }
}

static void run_exchange(group_t *group, const statement_t *statement, const mask_t *mask) {
  int32_t values[max_items];
  int32_t total = reduction_start;
  if (!any_running(group, mask)) return;
  for (int i = 0; i < group->size; i++) {
    if (!is_running(group, mask, i)) abort(); /* the generator put a barrier where not all come by */
    values[i] = evaluate_int(group, &group->items[i], statement->value);
    if (statement->kind != statement_reduce || !evaluate_int(group, &group->items[i], statement->other)) continue;
    total = reduce(statement->reduction, total, values[i]);
  }
  for (int i = 0; i < group->size; i++) {
    item_t *item = &group->items[i];
    uint32_t at = (uint32_t)evaluate_int(group, item, statement->other) % (uint32_t)group->size;
    if (statement->kind == statement_reduce) {
      item->u[statement->index] = total;
    } else {
      (statement->kind == statement_broadcast ? item->u : item->v)[statement->index] = values[at];
    }
  }
  run_list(group, statement->body, mask);
}

static void run_statement(group_t *group, const statement_t *statement, const mask_t *mask) {
  switch (statement->kind) {
    case statement_if: run_if(group, statement, mask); return;
    case statement_for:
    case statement_do: run_loop(group, statement, mask); return;
    case statement_switch: run_switch(group, statement, mask); return;
    case statement_exchange:
    case statement_exchange_call:
    case statement_broadcast:
    case statement_reduce: run_exchange(group, statement, mask); return;
    default: break;
  }
  for (int i = 0; i < group->size; i++) {
    if (is_running(group, mask, i)) run_simple(group, &group->items[i], statement);
  }
}

static void run_list(group_t *group, const statement_t *statement, const mask_t *mask) {
  for (; statement; statement = statement->next) run_statement(group, statement, mask);
}

static item_t make_item(const group_t *group, const int32_t ids[id_count]) {
  const int32_t *in = group->input;
  int32_t lx = ids[id_local_x], gx = ids[id_global_x], gy = ids[id_global_y];
  item_t item = {.v = {gx, lx * 7 + 1, in[63 & gx], gy},
                 .u = {group->n, 1, ids[id_group]},
                 .w = {gx * 1000003L, in[63 & (gx + 5)]},
                 .f = {(float)lx, 0.5f},
                 .c = (int8_t)in[63 & (gx + gy)],
                 .q = {{gx, 2, 3}, {1, lx, 3, gy}}};
  memcpy(item.ids, ids, sizeof(item.ids));
  for (int i = 0; i < record_count; i++) {
    item.records[i] = (record_t){gx + i, {(int16_t)i, (int16_t)ids[id_global_y]}, (int8_t)lx};
  }
  for (int i = 0; i < array_length; i++) {
    item.arrays[0][i] = i * gx;
    item.arrays[1][i] = (int32_t)((uint32_t)in[i] + (uint32_t)ids[id_linear]);
  }
  return item;
}

static void write_item(const item_t *item, int64_t *out) {
  for (int i = 0; i < int_count; i++) *out++ = item->v[i];
  for (int i = 0; i < long_count; i++) *out++ = item->w[i];
  for (int i = 0; i < float_count; i++) {
    int32_t bits;
    memcpy(&bits, &item->f[i], sizeof(bits));
    *out++ = bits;
  }
  *out++ = item->c;
  for (int i = 0; i < 3; i++) *out++ = item->q[0][i];
  for (int i = 0; i < 4; i++) *out++ = item->q[1][i];
  for (int i = 0; i < uniform_count; i++) *out++ = item->u[i];
  for (int i = 0; i < array_length; i++) {
    *out++ = item->arrays[0][i];
    *out++ = item->arrays[1][i];
  }
  for (int i = 0; i < record_count * record_fields; i++) {
    *out++ = read_record(&item->records[i / record_fields], i % record_fields);
  }
}

static void run_group(const program_t *program, group_t *group, const size_t global[2], const size_t first[2],
                      const size_t size[2], int32_t number, int64_t *output) {
  mask_t mask = {0};
  group->size = (int)(size[0] * size[1]);
  for (int i = 0; i < group->size; i++) {
    int32_t x = i % (int)size[0], y = i / (int)size[0];
    int32_t ids[id_count] = {x, y, (int32_t)first[0] + x, (int32_t)first[1] + y, i, number, group->size};
    group->items[i] = make_item(group, ids);
    group->items[i].place = (size_t)ids[id_global_y] * global[0] + (size_t)ids[id_global_x];
    mask.on[i] = true;
  }
  run_list(group, program->body, &mask);
  for (int i = 0; i < group->size; i++) write_item(&group->items[i], output + group->items[i].place * output_length);
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

void program_interpret(const program_t *program, const size_t global[2], const size_t local[2],
                       const int32_t input[stride_length], int32_t n, int64_t *output) {
  static group_t group;
  group.range = (int)(global[0] * global[1]);
  group.strided = output + global[0] * global[1] * output_length;
  group.input = input;
  group.n = n;
  for (size_t y = 0; y < global[1]; y += local[1]) {
    for (size_t x = 0; x < global[0]; x += local[0]) {
      size_t size[2] = {smaller(local[0], global[0] - x), smaller(local[1], global[1] - y)};
      int32_t number = (int32_t)(x / local[0] + 3 * (y / local[1]));
      run_group(program, &group, global, (size_t[]){x, y}, size, number, output);
    }
  }
}
