/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random kernels as OpenCL C. */
#include <inttypes.h>

#include "program.h"

/* Functions that may stay calls. */
enum { apart_count = 10, seeds_alike = 64 };

/* Arithmetic wraps, floats stay small and are never NaN: all is defined, to the bit. */
static const char prelude[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "APART_0 float tame(float x) { return x > -1e6f && x < 1e6f ? x : 1.5f; }\n"
    "APART_1 int int_add(int a, int b) { return (int)((uint)a + (uint)b); }\n"
    "int int_subtract(int a, int b) { return (int)((uint)a - (uint)b); }\n"
    "int int_multiply(int a, int b) { return (int)((uint)a * (uint)b); }\n"
    "int int_left(int a, int b) { return (int)((uint)a << (b & 31)); }\n"
    "int int_unsigned_less(int a, int b) { return (uint)a < (uint)b; }\n"
    "int int_unsigned_right(int a, int b) { return (int)((uint)a >> (b & 31)); }\n"
    "APART_2 int int_unsigned_divide(int a, int b) { return (int)((uint)a / ((uint)b & 255 | 1)); }\n"
    "APART_3 long long_unsigned_less(long a, long b) { return (ulong)a < (ulong)b; }\n"
    "long long_unsigned_right(long a, long b) { return (long)((ulong)a >> (b & 63)); }\n"
    "long long_unsigned_divide(long a, long b) { return (long)((ulong)a / ((ulong)b & 255 | 1)); }\n"
    "long long_add(long a, long b) { return (long)((ulong)a + (ulong)b); }\n"
    "long long_subtract(long a, long b) { return (long)((ulong)a - (ulong)b); }\n"
    "APART_4 long long_multiply(long a, long b) { return (long)((ulong)a * (ulong)b); }\n"
    "long long_left(long a, long b) { return (long)((ulong)a << (b & 63)); }\n"
    "APART_5 int helper(int a, int b) {\n"
    "  for (int i = 0; i < (b & 3); i++) {\n"
    "    if (a & 1) a = int_add(int_multiply(a, 3), b); else a ^= i + 1;\n"
    "  }\n"
    "  return a;\n"
    "}\n"
    "typedef struct { int first; short second[2]; } pair_t;\n"
    "typedef struct { int x; short y[2]; char z; } record_t;\n"
    "APART_6 int guarded(global const int *in, int at, int other) { return (uint)at < 64u ? in[at] : other; }\n"
    "APART_7 int pair(global const int *in, int x, int y) {\n"
    "  global const pair_t *one = (global const pair_t *)in + (31 & x);\n"
    "  return y & 1 ? one->first : one->second[1 & y >> 1];\n"
    "}\n"
    "APART_8 float huge(int bits) { return as_float(bits | 0x7F000000); }\n"
    "int less(int x, int y) { return huge(x) < huge(y); }\n"
    "int not_at_least(int x, int y) { return !(huge(x) >= huge(y)); }\n"
    "int unequal(int x, int y) { return huge(x) != huge(y); }\n"
    "APART_9 int apart(int x, int y) {\n"
    "  return huge(x) < huge(y) && huge(y) > 1 || isgreater(huge(x), huge(y)) || isunordered(huge(x), 1.0f) && y & 1;\n"
    "}\n"
    "int four(global const int *a) { return (int)((uint)a[0] + 3u * a[1] + 5u * a[2] + 7u * a[3]); }\n"
    "__attribute__((noinline)) int sum(const int *a, int count) {\n"
    "  uint s = 0;\n"
    "  for (int i = 0; i < count; i++) s = s * 5 + (uint)a[i];\n"
    "  return (int)s;\n"
    "}\n"
    "int exchange(local int *l, int id, int at, int value) {\n"
    "  l[id] = value;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int other = l[at];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  return other;\n"
    "}\n";

static const char *const type_names[] = {"int", "long", "float"};
static const char variable_names[] = {'v', 'w', 'f'};
static const char *const fields[record_fields] = {"].x", "].y[0]", "].y[1]", "].z"};

static void print_expression(const expression_t *expression, FILE *file);

static void print_binary(const expression_t *expression, FILE *file) {
  static const char *const symbols[] = {"+", "-", "*", "<", "&", "|", "^", "<<", ">>", "/", "%", "==", "min(", "max("};
  operator_e which = (operator_e)expression->index;
  type_e type = expression->type;
  static const char *const names[operator_count] = {[operator_add] = "add",
                                                    [operator_subtract] = "subtract",
                                                    [operator_multiply] = "multiply",
                                                    [operator_left] = "left",
                                                    [operator_unsigned_less] = "unsigned_less",
                                                    [operator_unsigned_right] = "unsigned_right",
                                                    [operator_unsigned_divide] = "unsigned_divide"};
  const char *between = which <= operator_max ? symbols[which] : ",";
  if (type == type_float) {
    fputs("tame(", file);
  } else if (names[which]) {
    fprintf(file, "%s_%s(", type_names[type], names[which]);
    between = ",";
  } else if (which == operator_min || which == operator_max) {
    fputs(between, file);
    between = ",";
  } else {
    fprintf(file, "(%s)(", type_names[type]);
  }
  print_expression(expression->operands[0], file);
  fprintf(file, " %s ", between);
  if (which == operator_divide || which == operator_remainder) fputs("(15 & ", file);
  if (which == operator_right) fputs("(31 & ", file);
  print_expression(expression->operands[1], file);
  if (which == operator_divide || which == operator_remainder) fputs(" | 1)", file);
  if (which == operator_right) fputs(")", file);
  fputs(")", file);
}

static void print_constant(const expression_t *expression, FILE *file) {
  if (expression->type == type_float) {
    fprintf(file, "%" PRId64 ".0f", expression->value);
  } else {
    fprintf(file, "(%s)%" PRId64, type_names[expression->type], expression->value);
  }
}

static const char *const ids[] = {"lx", "ly", "gx", "gy", "id", "group", "size"};

static void print_leaf(const expression_t *expression, FILE *file) {
  switch (expression->kind) {
    case expression_constant: print_constant(expression, file); break;
    case expression_variable: fprintf(file, "%c%d", variable_names[expression->type], expression->index); break;
    case expression_char: fputs("(int)c", file); break;
    case expression_uniform: fprintf(file, "u%d", expression->index); break;
    case expression_component: fprintf(file, "q%d.%c", expression->index, "xyz"[expression->value]); break;
    case expression_argument: fputs("n", file); break;
    default: fputs(ids[expression->index], file); break;
  }
}

/* What stands before, between and behind the operands. */
static void print_node(const expression_t *expression, const char *before, const char *between, const char *behind,
                       FILE *file) {
  fputs(before, file);
  for (int i = 0; i < 3 && expression->operands[i]; i++) {
    if (i > 0) fputs(i == 1 || between[0] == ',' ? between : " : ", file);
    print_expression(expression->operands[i], file);
  }
  fputs(behind, file);
}

static void print_expression(const expression_t *expression, FILE *file) {
  static const char *const arrays[] = {"a[7 & ", "b[7 & "};
  static const char *const types[] = {"(char)(", "(uchar)(", "(short)(", "(ushort)("};
  static const char *const tests[] = {"less(", "not_at_least(", "unequal(", "apart("};
  static const char *const conversions[] = {"(int)(", "(long)(", "tame((float)("};
  switch (expression->kind) {
    case expression_array: print_node(expression, arrays[expression->index], "", "]", file); break;
    case expression_pointer: print_node(expression, "p[7 & ", "", "]", file); break;
    case expression_input: print_node(expression, "in[63 & ", "", "]", file); break;
    case expression_four: print_node(expression, "four(in + (60 & ", "", "))", file); break;
    case expression_block:
      fprintf(file, "in[%s & 63", ids[expression->index]);
      print_node(expression, " & ", "", "]", file);
      break;
    case expression_convert:
      print_node(expression, conversions[expression->type], "", expression->type == type_float ? "))" : ")", file);
      break;
    case expression_popcount: print_node(expression, "popcount(", "", ")", file); break;
    case expression_sum: print_node(expression, "sum(p, 7 & ", "", ")", file); break;
    case expression_binary: print_binary(expression, file); break;
    case expression_narrow:
      fputs("(int)", file);
      print_node(expression, types[expression->index], "", ")", file);
      break;
    case expression_element: print_node(expression, "q1[3 & ", "", "]", file); break;
    case expression_record: print_node(expression, "(int)s[3 & ", "", fields[expression->index], file); break;
    case expression_guarded: print_node(expression, "guarded(in, ", ", ", ")", file); break;
    case expression_logical: print_node(expression, "(", expression->index ? " || " : " && ", ")", file); break;
    case expression_compare: print_node(expression, tests[expression->index], ", ", ")", file); break;
    case expression_pair: print_node(expression, "pair(in, ", ", ", ")", file); break;
    case expression_helper: print_node(expression, "helper(", ", ", ")", file); break;
    case expression_choose: print_node(expression, "(", " ? ", ")", file); break;
    default: print_leaf(expression, file); break;
  }
}

static void indent(int depth, FILE *file) { fprintf(file, "%*s", 2 * depth, ""); }

static void print_list(const statement_t *statement, int depth, FILE *file);

/* `before` value `between` other `behind` */
static void print_values(const statement_t *statement, const char *before, const char *between, const char *behind,
                         FILE *file) {
  fputs(before, file);
  print_expression(statement->value, file);
  fputs(between, file);
  if (*behind) print_expression(statement->other, file);
  fprintf(file, "%s\n", behind);
}

static void print_block(const statement_t *body, int depth, FILE *file) {
  print_list(body, depth + 1, file);
  indent(depth, file);
  fputs("}", file);
}

static void print_switch(const statement_t *statement, int depth, FILE *file) {
  print_values(statement, "switch (3 & ", ") {", "", file);
  for (const statement_t *arm = statement->body; arm; arm = arm->next) {
    indent(depth, file);
    fprintf(file, "case %d:;\n", arm->index);
    print_list(arm->body, depth + 1, file);
    if (arm->falls_through) continue;
    indent(depth + 1, file);
    fputs("break;\n", file);
  }
  indent(depth, file);
  fputs("}\n", file);
}

static void print_loop(const statement_t *statement, int depth, FILE *file) {
  int i = statement->level;
  if (statement->kind == statement_for) {
    fprintf(file, "for (int i%d = 0; i%d < (3 & ", i, i);
    print_expression(statement->value, file);
    fprintf(file, ") + 1; i%d++) {\n", i);
    print_block(statement->body, depth, file);
    fputs("\n", file);
  } else {
    fprintf(file, "int i%d = 0;\n", i);
    indent(depth, file);
    fputs("do {\n", file);
    print_block(statement->body, depth, file);
    fprintf(file, " while (i%d++ < 4 && ", i);
    print_values(statement, "", ");", "", file);
  }
}

/* What each turn of a walk does to v, with the element e. */
static void print_turn(const statement_t *statement, int depth, FILE *file) {
  static const char *const turns[walk_count] = {
      [walk_counted] = "v = v * 31 + (uint)e;",
      [walk_pointer] = "v = (v << 3 | v >> 29) ^ (uint)e;",
      [walk_found] = "if ((e & 15) == 7) break; v = v * 5 - (uint)e;",
      [walk_last] = "before = last; last = (uint)e; v += last ^ before << 3;",
      [walk_inner] = "v = (v >> 8) ^ (uint)in[63 & (v ^ (uint)e)];",
  };
  indent(depth + 2, file);
  fprintf(file, "%s\n", turns[statement->level]);
}

static void print_walk(const statement_t *statement, int depth, FILE *file) {
  static const char *const types[narrow_count] = {"char", "uchar", "short", "ushort"};
  const char *type = types[statement->element];
  bool is_pointer = statement->level == walk_pointer;
  fprintf(file, "{\n%*sconst global %s *at = (const global %s *)in + %d + (%d & ", 2 * depth + 2, "", type, type,
          walk_first(statement), (int)walk_starts - 1);
  print_values(statement, "", ");", "", file);
  indent(depth + 1, file);
  fputs("const int turns = (int)((uint)(", file);
  print_expression(statement->other, file);
  fprintf(file, ") %% %du);\n", (int)walk_turns + 1);
  indent(depth + 1, file);
  fprintf(file, "uint v = (uint)v%d, last = 7, before = 8;\n", statement->index);
  indent(depth + 1, file);
  fputs("int i = 0, left = turns;\n", file);
  indent(depth + 1, file);
  fprintf(file, is_pointer ? "do { const %s e = *at++;\n" : "for (; i < turns; i++) { const %s e = at[i];\n", type);
  print_turn(statement, depth, file);
  indent(depth + 1, file);
  fputs(is_pointer ? "} while (--left > 0);\n" : "}\n", file);
  indent(depth + 1, file);
  fprintf(file, "v%d = (int)(v + last * 5 + before * 11 + (uint)i * 13);\n", statement->index);
  indent(depth, file);
  fputs("}\n", file);
}

/* What each turn of a stride does, with the element e. */
static void print_strided_turn(const statement_t *statement, int depth, FILE *file) {
  static const char *const turns[stride_count] = {
      [stride_sum] = "v = v * 31 + e;",
      [stride_two] = "if (e & 4) v = v * 3 + e; else last += e ^ v;",
      [stride_last] = "before = last; last = e; v += last ^ before << 3;",
      [stride_index] = "v ^= e + (uint)i;",
      [stride_store] = "strided[i] = (long)(e * 5 + v);",
  };
  indent(depth + 2, file);
  fprintf(file, "%s\n", turns[statement->level]);
}

static void print_step(const statement_t *statement, const char *type, FILE *file) {
  static const char *const steps[] = {"get_local_size(0)", "get_global_size(0)", "128"};
  fprintf(file, "i += (%s)", type);
  if (statement->step == step_uniform) {
    fputs("(192 + (63 & (", file);
    print_expression(statement->value, file);
    fputs("))))", file);
  } else {
    fprintf(file, "%s)", steps[statement->step]);
  }
}

static void print_stride(const statement_t *statement, int depth, FILE *file) {
  static const char *const types[stride_types] = {"uint", "int", "size_t"};
  const char *type = types[statement->index_type];
  fprintf(file, "{\n%*suint v = (uint)v%d, last = 7, before = 8;\n", 2 * depth + 2, "", statement->index);
  indent(depth + 1, file);
  fprintf(file, "const %s bound = %du - (uint)(", type, (int)stride_length);
  print_expression(statement->other, file);
  fprintf(file, ") %% %du;\n", (int)stride_length + 1);
  indent(depth + 1, file);
  fprintf(file, "%s i = get_%s_id(0)", type, statement->is_global ? "global" : "local");
  if (statement->is_shifted) {
    fputs(" + (63 & (", file);
    print_expression(statement->value, file);
    fputs("))", file);
  }
  fputs(";\n", file);
  indent(depth + 1, file);
  fputs("for (; i < bound; ", file);
  print_step(statement, type, file);
  fputs(" {\n", file);
  indent(depth + 2, file);
  fputs("const uint e = (uint)in[i];\n", file);
  print_strided_turn(statement, depth, file);
  indent(depth + 1, file);
  fputs("}\n", file);
  indent(depth + 1, file);
  fprintf(file, "v%d = (int)(v + last * 5 + before * 11", statement->index);
  if (statement->level == stride_index) fputs(" + (uint)i * 13", file);
  fputs(");\n", file);
  indent(depth, file);
  fputs("}\n", file);
}

static const char *const reductions[reduction_count] = {"add", "sub", "and", "or", "xor", "min", "max"};

static void print_exchange(const statement_t *statement, int depth, FILE *file) {
  int level = statement->level, index = statement->index;
  switch (statement->kind) {
    case statement_exchange_call:
      fprintf(file, "v%d = exchange(l%d, id, (int)((uint)(", index, level);
      print_expression(statement->other, file);
      print_values(statement, ") % (uint)size), ", ");", "", file);
      return;
    case statement_reduce:
      fprintf(file, "if (id == 0) atomic_xchg(&l%d[0], %d);\n", level, (int)reduction_start);
      indent(depth, file);
      fprintf(file, "barrier(CLK_LOCAL_MEM_FENCE);\n");
      indent(depth, file);
      fputs("if (", file);
      print_expression(statement->other, file);
      fprintf(file, ") atomic_%s(&l%d[0], ", reductions[statement->reduction], level);
      print_values(statement, "", ");", "", file);
      indent(depth, file);
      fprintf(file, "barrier(CLK_LOCAL_MEM_FENCE);\n");
      indent(depth, file);
      fprintf(file, "u%d = l%d[0];\n", index, level);
      break;
    default:
      fprintf(file, "l%d[id] = ", level);
      print_values(statement, "", ";", "", file);
      indent(depth, file);
      fprintf(file, "barrier(CLK_LOCAL_MEM_FENCE);\n");
      indent(depth, file);
      fprintf(file, "%c%d = l%d[(uint)(", statement->kind == statement_broadcast ? 'u' : 'v', index, level);
      print_expression(statement->other, file);
      fputs(") % (uint)size];\n", file);
      print_list(statement->body, depth, file);
  }
  indent(depth, file);
  fputs("barrier(CLK_LOCAL_MEM_FENCE);\n", file);
}

static void print_vector(const statement_t *statement, FILE *file) {
  int index = statement->index, width = 3 + index;
  if (statement->kind == statement_set_vector) {
    fprintf(file, "q%d = (int%d)(id + (", index, width);
    print_values(statement, "", "), ", index ? ", n, size);" : ", n);", file);
  } else {
    fprintf(file, "q%d = as_int%d(as_uint%d(q%d) * 5u + (uint%d)(uint)(", index, width, width, index, width);
    print_expression(statement->value, file);
    fprintf(file, ")) ^ q%d.%s;\n", index, index ? "wzyx" : "zyx");
  }
}

static void print_vector_access(const statement_t *statement, FILE *file) {
  int index = statement->index, width = 3 + index;
  if (statement->kind == statement_squeeze_vector) {
    /* Not by convert_short_sat: Clang's SPIR-V takes the numbers for unsigned ones. */
    fprintf(file, "q%d = clamp(q%d ^ (", index, index);
    print_values(statement, "", "), -32768, 32767);", "", file);
  } else if (statement->kind == statement_store_vector) {
    fprintf(file, "vstore%d(q%d, 0, p + (3 & (", width, index);
    print_values(statement, "", ")));", "", file);
  } else {
    bool is_private = statement->kind == statement_point_vector;
    fprintf(file, is_private ? "q%d = vload%d(0, p + (3 & (" : "q%d = vload%d(15 & (", index, width);
    print_values(statement, "", is_private ? ")));" : "), in);", "", file);
  }
}

static void print_record_access(const statement_t *statement, FILE *file) {
  bool is_copy = statement->kind == statement_copy_record;
  print_values(statement, "s[3 & (", is_copy ? ")] = s[3 & (" : ")", "", file);
  if (!is_copy) fprintf(file, "%s = ", fields[statement->level]);
  print_expression(statement->other, file);
  fputs(is_copy ? ")];\n" : ";\n", file);
}

static void print_statement(const statement_t *statement, int depth, FILE *file) {
  indent(depth, file);
  switch (statement->kind) {
    case statement_set:
      fprintf(file, "%c%d = ", variable_names[statement->value->type], statement->index);
      print_values(statement, "", ";", "", file);
      break;
    case statement_set_char: print_values(statement, "c = (char)(", ");", "", file); break;
    case statement_set_uniform:
      fprintf(file, "u%d = ", statement->index);
      print_values(statement, "", ";", "", file);
      break;
    case statement_set_vector:
    case statement_combine_vector: print_vector(statement, file); break;
    case statement_load_vector:
    case statement_point_vector:
    case statement_store_vector:
    case statement_squeeze_vector: print_vector_access(statement, file); break;
    case statement_set_record:
    case statement_copy_record: print_record_access(statement, file); break;
    case statement_store: print_values(statement, statement->index ? "b[7 & " : "a[7 & ", "] = ", ";", file); break;
    case statement_point: print_values(statement, "p = 1 & ", " ? a : b;", "", file); break;
    case statement_store_pointer: print_values(statement, "p[7 & ", "] = ", ";", file); break;
    case statement_if:
      print_values(statement, "if (", ") {", "", file);
      print_block(statement->body, depth, file);
      if (statement->otherwise) {
        fputs(" else {\n", file);
        print_block(statement->otherwise, depth, file);
      }
      fputs("\n", file);
      break;
    case statement_for:
    case statement_do: print_loop(statement, depth, file); break;
    case statement_switch: print_switch(statement, depth, file); break;
    case statement_walk: print_walk(statement, depth, file); break;
    case statement_stride: print_stride(statement, depth, file); break;
    case statement_break: print_values(statement, "if (", ") break;", "", file); break;
    case statement_continue: print_values(statement, "if (", ") continue;", "", file); break;
    case statement_return: print_values(statement, "if (", ") goto end;", "", file); break;
    default: print_exchange(statement, depth, file); break;
  }
}

static void print_list(const statement_t *statement, int depth, FILE *file) {
  for (; statement; statement = statement->next) print_statement(statement, depth, file);
}

/* Kernels that ask for nothing beyond x are made other code of. */
static void print_place(bool has_strides, FILE *file) {
  if (has_strides) {
    fprintf(file, "  global long *strided = out + get_global_size(0) * %d;\n", (int)output_length);
    fputs("  int lx = get_local_id(0), ly = 0, gx = get_global_id(0), gy = 0;\n", file);
    fputs("  int id = lx, size = get_local_size(0), group = get_group_id(0);\n", file);
    return;
  }
  fputs("  int lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);\n", file);
  fputs("  int id = ly * get_local_size(0) + lx, size = get_local_size(0) * get_local_size(1);\n", file);
  fputs("  int group = get_group_id(0) + 3 * get_group_id(1);\n", file);
}

static void print_variables(const program_t *program, FILE *file) {
  fprintf(file, "  local int l0[%d], l1[%d], l2[%d];\n", max_items, max_items, max_items);
  print_place(program->has_strides, file);
  fputs("  int v0 = gx, v1 = lx * 7 + 1, v2 = in[63 & gx], v3 = gy, u0 = n, u1 = 1, u2 = group;\n", file);
  fputs("  long w0 = gx * 1000003L, w1 = in[63 & (gx + 5)];\n", file);
  fputs("  float f0 = lx, f1 = 0.5f;\n", file);
  fputs("  char c = (char)in[63 & (gx + gy)];\n", file);
  fputs("  int3 q0 = (int3)(gx, 2, 3);\n  int4 q1 = (int4)(1, lx, 3, gy);\n", file);
  fputs("  int a[8], b[8], *p = a;\n", file);
  fputs("  record_t s[4];\n", file);
  fputs("  for (int i = 0; i < 8; i++) { a[i] = i * gx; b[i] = in[i] + id; }\n", file);
  fputs("  for (int i = 0; i < 4; i++) {\n", file);
  fputs("    s[i].x = gx + i; s[i].y[0] = (short)i; s[i].y[1] = (short)gy; s[i].z = (char)lx;\n  }\n", file);
}

static void print_results(FILE *file) {
  fputs("end:;\n", file);
  fprintf(file, "  out += (gy * (int)get_global_size(0) + gx) * %d;\n", (int)output_length);
  fputs("  *out++ = v0; *out++ = v1; *out++ = v2; *out++ = v3;\n", file);
  fputs("  *out++ = w0; *out++ = w1; *out++ = as_int(f0); *out++ = as_int(f1); *out++ = c;\n", file);
  fputs("  *out++ = q0.x; *out++ = q0.y; *out++ = q0.z;\n", file);
  fputs("  *out++ = q1.x; *out++ = q1.y; *out++ = q1.z; *out++ = q1.w;\n", file);
  fputs("  *out++ = u0; *out++ = u1; *out++ = u2;\n", file);
  fputs("  for (int i = 0; i < 8; i++) { *out++ = a[i]; *out++ = b[i]; }\n", file);
  fputs("  for (int i = 0; i < 4; i++) {\n", file);
  fputs("    *out++ = s[i].x; *out++ = s[i].y[0]; *out++ = s[i].y[1]; *out++ = s[i].z;\n  }\n", file);
}

void program_print_prelude(uint64_t seed, FILE *file) {
  const uint64_t bits = (seed / seeds_alike * 0x9E3779B97F4A7C15u) >> 32;
  for (int i = 0; i < apart_count; i++) {
    fprintf(file, "#define APART_%d %s\n", i, (bits >> (2 * i) & 3) == 0 ? "__attribute__((noinline))" : "");
  }
  fputs(prelude, file);
}

void program_print(const program_t *program, const char *name, FILE *file) {
  fprintf(file, "kernel void %s(global const int *in, global long *out, int n) {\n", name);
  print_variables(program, file);
  print_list(program->body, 1, file);
  print_results(file);
  fputs("}\n", file);
}
