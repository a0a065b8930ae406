/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Types and expressions as text. All is in parentheses: precedence is not what is looked at. */
#include "arithmetic.h"
#include "print.h"

/* ---------------------------------------------------------------- types */

static const char *space_name(space_t space) {
  static const char *const names[] = {"private ", "local ", "global ", "constant ", ""};
  return names[space];
}

void print_type(printer_t *printer, const type_t *type) {
  switch (type->form) {
    case TYPE_NUMBER:
      fputs(scalar_name(type->scalar), printer->out);
      if (type->width > 1) fprintf(printer->out, "%u", type->width);
      break;
    case TYPE_POINTER:
      fprintf(printer->out, "%s%s", space_name(type->space), type->is_read_only ? "const " : "");
      print_type(printer, type->element);
      fputs(" *", printer->out);
      break;
    default: fputs(type->name, printer->out);
  }
}

void print_declarator(printer_t *printer, const type_t *type, const char *name) {
  bool is_array = type->form == TYPE_ARRAY;
  print_type(printer, is_array ? type->element : type);
  fprintf(printer->out, " %s", name);
  if (is_array) fprintf(printer->out, "[%zu]", type->count);
}

/* ---------------------------------------------------------------- constants */

static void print_integer(printer_t *printer, const value_t *value, unsigned lane) {
  static const char *const suffixes[] = {"", "", "", "", "", "u", "L", "UL"};
  scalar_t scalar = value->type->scalar;
  wide_t integer = lane_integer(value, lane);
  if (scalar < SCALAR_I32) fprintf(printer->out, "(%s)", scalar_name(scalar));
  if (!scalar_is_signed(scalar)) {
    fprintf(printer->out, "%llu%s", (unsigned long long)integer, suffixes[scalar]);
  } else if (scalar == SCALAR_I64 && integer == INT64_MIN) {
    fputs("(-9223372036854775807L - 1)", printer->out);
  } else if (scalar == SCALAR_I32 && integer == INT32_MIN) {
    fputs("(-2147483647 - 1)", printer->out);
  } else {
    fprintf(printer->out, integer < 0 ? "(%lld%s)" : "%lld%s", (long long)integer, suffixes[scalar]);
  }
}

static void print_lane(printer_t *printer, const value_t *value, unsigned lane) {
  switch (value->type->scalar) {
    case SCALAR_F16: fprintf(printer->out, "(half)(%af)", lane_float(value, lane)); break;
    case SCALAR_F32: fprintf(printer->out, "(%af)", lane_float(value, lane)); break;
    case SCALAR_F64: fprintf(printer->out, "(%a)", lane_float(value, lane)); break;
    default: print_integer(printer, value, lane);
  }
}

static void print_constant(printer_t *printer, const expression_t *expression) {
  const type_t *type = expression->type;
  if (type->width == 1) {
    bool is_call = printer->program->is_cxx && type->scalar == SCALAR_I32 && expression->style == 1;
    fputs(is_call ? "number<" : "(", printer->out);
    print_lane(printer, expression->value, 0);
    fputs(is_call ? ">()" : ")", printer->out);
    return;
  }
  fputs("((", printer->out);
  print_type(printer, type);
  fputs(")(", printer->out);
  for (unsigned i = 0; i < type->width; i++) {
    if (i) fputs(", ", printer->out);
    print_lane(printer, expression->value, i);
  }
  fputs("))", printer->out);
}

/* ---------------------------------------------------------------- operators */

const char *print_operator(operator_t op) {
  static const char *const names[] = {"+",  "-", "*",  "/", "%",  "&",  "|",  "^", "<<", ">>", "==",
                                      "!=", "<", "<=", ">", ">=", "&&", "||", "-", "~",  "!",  "="};
  return names[op];
}

static const type_t *unsigned_of(const type_t *type) {
  return type_number(scalar_integer(type->scalar, false), type->width);
}

/* The value with the bits of the type; no conversion of vectors does as much. */
static void print_bits_as(printer_t *printer, const type_t *type, const expression_t *expression) {
  fputs(type->width == 1 ? "(" : "as_", printer->out);
  print_type(printer, type);
  fputs(type->width == 1 ? ")(" : "(", printer->out);
  print_expression(printer, expression);
  fputc(')', printer->out);
}

static void open_bits(printer_t *printer, const type_t *type) {
  fputs(type->width == 1 ? "((" : "(as_", printer->out);
  print_type(printer, type);
  fputs(type->width == 1 ? ")(" : "(", printer->out);
}

/* safe_divide_int4(left, right). */
static void print_division(printer_t *printer, operator_t op, const type_t *type, const expression_t *left,
                           const expression_t *right) {
  fprintf(printer->out, "safe_%s_", op == OP_DIVIDE ? "divide" : "remainder");
  print_type(printer, type);
  fputc('(', printer->out);
  print_expression(printer, left);
  fputs(", ", printer->out);
  print_expression(printer, right);
  fputc(')', printer->out);
}

static void print_plain(printer_t *printer, operator_t op, const expression_t *left, const expression_t *right) {
  print_expression(printer, left);
  fprintf(printer->out, " %s ", print_operator(op));
  print_expression(printer, right);
}

void print_repaired(printer_t *printer, operator_t op, const type_t *type, const expression_t *left,
                    const expression_t *right) {
  if (type_is_float(type)) {
    fputs("ordinary_", printer->out);
    print_type(printer, type);
    fputc('(', printer->out);
    print_plain(printer, op, left, right);
    fputc(')', printer->out);
  } else if (op == OP_DIVIDE || op == OP_REMAINDER) {
    print_division(printer, op, type, left, right);
  } else {
    open_bits(printer, type);
    print_bits_as(printer, unsigned_of(type), left);
    fprintf(printer->out, " %s ", print_operator(op));
    print_bits_as(printer, unsigned_of(type), right);
    fputs("))", printer->out);
  }
}

/* Comparisons of scalars are bool in C++. */
static bool gives_truth(const printer_t *printer, const expression_t *expression) {
  bool compares = expression->op >= OP_EQUAL && expression->op <= OP_LOGICAL_OR;
  return printer->program->is_cxx && expression->type->width == 1 && (compares || expression->op == OP_NOT);
}

static void print_binary(printer_t *printer, const expression_t *expression) {
  if (expression->repaired) {
    print_repaired(printer, expression->op, expression->type, expression->operands[0], expression->operands[1]);
    return;
  }
  fputs(gives_truth(printer, expression) ? "(int)(" : "(", printer->out);
  print_plain(printer, expression->op, expression->operands[0], expression->operands[1]);
  fputc(')', printer->out);
}

static void print_unary(printer_t *printer, const expression_t *expression) {
  if (expression->repaired) {
    open_bits(printer, expression->type);
    fputs("-(", printer->out);
    print_bits_as(printer, unsigned_of(expression->type), expression->operands[0]);
    fputs(")))", printer->out);
    return;
  }
  fprintf(printer->out, "%s%s(", gives_truth(printer, expression) ? "(int)(" : "(", print_operator(expression->op));
  print_expression(printer, expression->operands[0]);
  fputs("))", printer->out);
}

/* ---------------------------------------------------------------- parts of objects */

static void print_element(printer_t *printer, const expression_t *expression) {
  print_expression(printer, expression->operands[0]);
  fputc('[', printer->out);
  print_expression(printer, expression->operands[1]);
  if (expression->repaired) fprintf(printer->out, " & %zu", expression->operands[0]->type->count - 1);
  fputc(']', printer->out);
}

static bool lanes_are(const expression_t *expression, unsigned first, unsigned step, unsigned count) {
  if (expression->type->width != count) return false;
  for (unsigned i = 0; i < count; i++) {
    if (expression->lanes[i] != first + i * step) return false;
  }
  return true;
}

/* lo, hi, even, odd; null: none of them. Vectors of three have a fourth lane there, which is undefined. */
static const char *half_name(const expression_t *expression) {
  unsigned width = expression->operands[0]->type->width, count = width / 2;
  if (width == 3) return NULL;
  if (lanes_are(expression, 0, 1, count)) return "lo";
  if (lanes_are(expression, count, 1, count)) return "hi";
  if (lanes_are(expression, 0, 2, count)) return "even";
  if (lanes_are(expression, 1, 2, count)) return "odd";
  return NULL;
}

static void print_swizzle(printer_t *printer, const expression_t *expression) {
  const char *name = expression->style & 1 ? half_name(expression) : NULL;
  bool is_short = expression->operands[0]->type->width <= 4 && expression->style & 2;
  fputc('(', printer->out);
  print_expression(printer, expression->operands[0]);
  fputs(").", printer->out);
  if (name) {
    fputs(name, printer->out);
    return;
  }
  if (!is_short) fputc('s', printer->out);
  for (unsigned i = 0; i < expression->type->width; i++) {
    fputc((is_short ? "xyzw" : "0123456789abcdef")[expression->lanes[i]], printer->out);
  }
}

static void print_member(printer_t *printer, const expression_t *expression) {
  const char *name = expression->operands[0]->type->members[expression->index].name;
  print_expression(printer, expression->operands[0]);
  fprintf(printer->out, printer->program->is_cxx && expression->style ? ".get_%s()" : ".%s", name);
}

static void print_variable(printer_t *printer, const variable_t *variable) {
  bool is_pointer = variable->is_reference && !printer->program->is_cxx;
  fprintf(printer->out, is_pointer ? "(*%s)" : "%s", variable->name);
}

/* ---------------------------------------------------------------- calls */

static void print_rounding(printer_t *printer, rounding_t rounding) {
  static const char *const names[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  fputs(names[rounding], printer->out);
}

static bool is_plain_conversion(const expression_t *expression) {
  return expression->type->width == 1 && expression->rounding == ROUND_DEFAULT && !expression->is_saturating &&
         !expression->repaired && expression->style < 2;
}

static void print_convert(printer_t *printer, const expression_t *expression) {
  bool is_plain = is_plain_conversion(expression);
  bool is_static = is_plain && printer->program->is_cxx && expression->style;
  fputs(is_static ? "static_cast<" : is_plain ? "((" : "convert_", printer->out);
  print_type(printer, expression->type);
  if (!is_plain) {
    if (expression->is_saturating || expression->repaired) fputs("_sat", printer->out);
    print_rounding(printer, expression->rounding);
  }
  fputs(is_static ? ">(" : is_plain ? ")(" : "(", printer->out);
  print_expression(printer, expression->operands[0]);
  fputs(is_plain && !is_static ? "))" : ")", printer->out);
}

static void print_operands(printer_t *printer, const expression_t *expression) {
  for (unsigned i = 0; i < expression->operand_count; i++) {
    if (i) fputs(", ", printer->out);
    print_expression(printer, expression->operands[i]);
  }
}

/* The bounds of clamp in order; both are simple. */
static void print_clamp(printer_t *printer, const expression_t *expression) {
  fputs("clamp(", printer->out);
  print_expression(printer, expression->operands[0]);
  for (unsigned i = 0; i < 2; i++) {
    fputs(i ? ", max(" : ", min(", printer->out);
    print_expression(printer, expression->operands[1]);
    fputs(", ", printer->out);
    print_expression(printer, expression->operands[2]);
    fputc(')', printer->out);
  }
  fputc(')', printer->out);
}

static void print_builtin(printer_t *printer, const expression_t *expression) {
  static const char *const names[] = {
#define BUILTIN(id, name) [BUILTIN_##id] = name,
      BUILTINS(BUILTIN)
#undef BUILTIN
  };
  if (expression->builtin == BUILTIN_CLAMP) {
    print_clamp(printer, expression);
    return;
  }
  fprintf(printer->out, "%s(", names[expression->builtin]);
  print_operands(printer, expression);
  fputc(')', printer->out);
}

void print_argument(printer_t *printer, const variable_t *parameter, const expression_t *argument) {
  if (parameter->is_reference && !printer->program->is_cxx) fputc('&', printer->out);
  print_expression(printer, argument);
}

void print_function_name(printer_t *printer, const function_t *function) {
  function_style_t style = printer->program->is_cxx ? function->style : FUNCTION_PLAIN;
  fputs(function->is_overload ? "over" : function->name, printer->out);
  if (style == FUNCTION_TEMPLATE) {
    fputc('<', printer->out);
    print_type(printer, function->parameters[0]->type);
    fputc('>', printer->out);
  } else if (style == FUNCTION_METHOD) {
    fputs("_class().run", printer->out);
  }
}

static void print_call(printer_t *printer, const expression_t *expression) {
  print_function_name(printer, expression->function);
  fputc('(', printer->out);
  for (unsigned i = 0; i < expression->operand_count; i++) {
    if (i) fputs(", ", printer->out);
    print_argument(printer, expression->function->parameters[i], expression->operands[i]);
  }
  fputc(')', printer->out);
}

static void print_query(printer_t *printer, const expression_t *expression) {
  static const char *const names[] = {
#define QUERY(id, name) [QUERY_##id] = name,
      QUERIES(QUERY)
#undef QUERY
  };
  fprintf(printer->out, "%s(", names[expression->query]);
  if (expression->query < QUERY_WORK_DIM) fprintf(printer->out, "%u", expression->index);
  fputc(')', printer->out);
}

static void print_read_image(printer_t *printer, const expression_t *expression) {
  const char *kind = type_is_float(expression->type) ? "f" : scalar_is_signed(expression->type->scalar) ? "i" : "ui";
  fprintf(printer->out, "read_image%s(%s, ", kind, expression->variable->name);
  if (expression->sampler >= 0) {
    fprintf(printer->out, "%s, ", printer->program->arguments[expression->sampler].parameter->name);
  }
  print_expression(printer, expression->operands[0]);
  fputc(')', printer->out);
}

static void print_vload(printer_t *printer, const expression_t *expression) {
  fprintf(printer->out, "vload%u(", expression->type->width);
  print_expression(printer, expression->operands[0]);
  if (expression->repaired) {
    fprintf(printer->out, " %% %zuu", expression->operands[1]->type->count / expression->type->width);
  }
  fputs(", ", printer->out);
  print_expression(printer, expression->operands[1]);
  fputc(')', printer->out);
}

static void print_enclosed(printer_t *printer, const char *before, const expression_t *operand, const char *after) {
  fputs(before, printer->out);
  print_expression(printer, operand);
  fputs(after, printer->out);
}

/* In C++ a pointer into any address space is cast to the one that it points into, at times. */
static void print_dereference(printer_t *printer, const expression_t *expression) {
  const expression_t *pointer = expression->operands[0];
  bool is_variable = pointer->kind == EXPR_VARIABLE && pointer->type->space == SPACE_GENERIC;
  if (!printer->program->is_cxx || !is_variable || expression->style == 0) {
    print_enclosed(printer, "(*", pointer, ")");
    return;
  }
  fprintf(printer->out, "(*addrspace_cast<%s", space_name(pointer->variable->pointee_space));
  print_type(printer, expression->type);
  print_enclosed(printer, " *>(", pointer, "))");
}

/* ---------------------------------------------------------------- all expressions */

/* In C++ the lanes of an object in an address space seem to Clang to be of another type than other vectors, and so does
 * what is computed from them. */
static bool may_have_address_space(const expression_t *expression) {
  return expression->kind == EXPR_SWIZZLE || expression->kind == EXPR_UNARY || expression->kind == EXPR_BINARY;
}

static void print_choice(printer_t *printer, const expression_t *expression, const char *end) {
  bool is_odd = printer->program->is_cxx && expression->type->width > 1 && may_have_address_space(expression);
  if (is_odd) {
    fputs("((", printer->out);
    print_type(printer, expression->type);
    fputs(")(", printer->out);
  }
  print_expression(printer, expression);
  fprintf(printer->out, "%s%s", is_odd ? "))" : "", end);
}

static void print_conditional(printer_t *printer, const expression_t *expression) {
  print_enclosed(printer, "(", expression->operands[0], " ? ");
  print_choice(printer, expression->operands[1], " : ");
  print_choice(printer, expression->operands[2], ")");
}

static void print_typed(printer_t *printer, const char *before, const expression_t *expression, const char *between) {
  fputs(before, printer->out);
  print_type(printer, expression->type);
  fputs(between, printer->out);
  print_operands(printer, expression);
}

static void print_unwrapped(printer_t *printer, const expression_t *expression) {
  switch (expression->kind) {
    case EXPR_CONSTANT: print_constant(printer, expression); break;
    case EXPR_VARIABLE: print_variable(printer, expression->variable); break;
    case EXPR_MEMBER: print_member(printer, expression); break;
    case EXPR_ELEMENT: print_element(printer, expression); break;
    case EXPR_DEREFERENCE: print_dereference(printer, expression); break;
    case EXPR_ADDRESS: print_enclosed(printer, "(&", expression->operands[0], ")"); break;
    case EXPR_SWIZZLE: print_swizzle(printer, expression); break;
    case EXPR_UNARY: print_unary(printer, expression); break;
    case EXPR_BINARY: print_binary(printer, expression); break;
    case EXPR_CONDITIONAL: print_conditional(printer, expression); break;
    case EXPR_CONVERT: print_convert(printer, expression); break;
    case EXPR_REINTERPRET:
      print_typed(printer, "as_", expression, "(");
      fputc(')', printer->out);
      break;
    case EXPR_VECTOR:
      print_typed(printer, "((", expression, ")(");
      fputs("))", printer->out);
      break;
    case EXPR_BUILTIN: print_builtin(printer, expression); break;
    case EXPR_CALL: print_call(printer, expression); break;
    case EXPR_QUERY: print_query(printer, expression); break;
    case EXPR_READ_IMAGE: print_read_image(printer, expression); break;
    case EXPR_VLOAD: print_vload(printer, expression); break;
  }
}

/* Where a NaN came out, the function that makes 1 of it; operators see to that themselves. */
void print_expression(printer_t *printer, const expression_t *expression) {
  bool is_function = expression->kind == EXPR_BUILTIN || expression->kind == EXPR_REINTERPRET;
  if (!expression->repaired || !is_function) {
    print_unwrapped(printer, expression);
    return;
  }
  fputs("ordinary_", printer->out);
  print_type(printer, expression->type);
  fputc('(', printer->out);
  print_unwrapped(printer, expression);
  fputc(')', printer->out);
}
