/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Declarations and functions as text. */
#include "print.h"

#include <stdarg.h>
#include <stdlib.h>

void print_indent(printer_t *printer) { fprintf(printer->out, "%*s", (int)(2 * printer->depth), ""); }

void print_line(printer_t *printer, const char *format, ...) {
  va_list arguments;
  print_indent(printer);
  va_start(arguments, format);
  vfprintf(printer->out, format, arguments);
  va_end(arguments);
  fputc('\n', printer->out);
}

/* ---------------------------------------------------------------- helpers of repaired expressions */

static void print_ordinary(printer_t *printer, const type_t *type) {
  fputs("static ", printer->out);
  print_type(printer, type);
  fputs(" ordinary_", printer->out);
  print_type(printer, type);
  fputc('(', printer->out);
  print_declarator(printer, type, "x");
  if (type->width == 1) {
    fprintf(printer->out, ") { return isnan(x) ? (%s)1 : x; }\n", scalar_name(type->scalar));
    return;
  }
  fputs(") { return select(x, (", printer->out);
  print_type(printer, type);
  fprintf(printer->out, ")((%s)1), isnan(x)); }\n", scalar_name(type->scalar));
}

static const char *lowest_literal(scalar_t scalar) {
  switch (scalar) {
    case SCALAR_I8: return "(char)-128";
    case SCALAR_I16: return "(short)-32768";
    case SCALAR_I32: return "(-2147483647 - 1)";
    default: return "(-9223372036854775807L - 1)";
  }
}

/* Divisors that give no result become 1. */
static void print_safe(printer_t *printer, const type_t *type, const char *name, char op) {
  const char *scalar = scalar_name(type->scalar);
  fputs("static ", printer->out);
  print_type(printer, type);
  fprintf(printer->out, " safe_%s_", name);
  print_type(printer, type);
  fputc('(', printer->out);
  print_declarator(printer, type, "x, ");
  print_declarator(printer, type, "y) { return x ");
  fprintf(printer->out, "%c ", op);
  if (type->width == 1) {
    fputs("(y == 0", printer->out);
    if (scalar_is_signed(type->scalar)) {
      fprintf(printer->out, " || (y == -1 && x == %s)", lowest_literal(type->scalar));
    }
    fprintf(printer->out, " ? (%s)1 : y); }\n", scalar);
    return;
  }
  fputs("select(y, (", printer->out);
  print_type(printer, type);
  fprintf(printer->out, ")((%s)1), (y == (%s)0)", scalar, scalar);
  if (scalar_is_signed(type->scalar)) {
    fprintf(printer->out, " | ((y == (%s)-1) & (x == (%s)%s))", scalar, scalar, lowest_literal(type->scalar));
  }
  fputs("); }\n", printer->out);
}

static void print_helpers(printer_t *printer) {
  static const unsigned widths[] = {1, 2, 3, 4, 8, 16};
  for (unsigned s = 0; s < SCALAR_COUNT; s++) {
    for (unsigned w = 0; w < 6; w++) {
      const type_t *type = type_number(s, widths[w]);
      if (printer->program->needs_ordinary[s][widths[w]]) print_ordinary(printer, type);
      if (!printer->program->needs_division[s][widths[w]]) continue;
      print_safe(printer, type, "divide", '/');
      print_safe(printer, type, "remainder", '%');
    }
  }
}

/* ---------------------------------------------------------------- what the program has outside of functions */

static void print_struct(printer_t *printer, const type_t *type) {
  const char *word = type->form == TYPE_UNION ? "union" : "struct";
  fprintf(printer->out, printer->program->is_cxx ? "%s %s {\n" : "typedef %s %s {\n", word, type->name);
  for (unsigned i = 0; i < type->member_count; i++) {
    fputs("  ", printer->out);
    print_declarator(printer, type->members[i].type, type->members[i].name);
    fputs(";\n", printer->out);
  }
  for (unsigned i = 0; i < type->member_count && printer->program->is_cxx; i++) {
    const member_t *member = &type->members[i];
    if (!type_is_number(member->type)) continue;
    fputs("  ", printer->out);
    print_type(printer, member->type);
    fprintf(printer->out, " get_%s() const { return %s; }\n", member->name, member->name);
  }
  fprintf(printer->out, printer->program->is_cxx ? "};\n" : "} %s;\n", type->name);
}

static void print_value_list(printer_t *printer, const variable_t *variable) {
  const type_t *element = variable->type->element;
  fputc('{', printer->out);
  for (size_t i = 0; i < variable->type->count; i++) {
    value_t value = {.type = element};
    expression_t constant = {.kind = EXPR_CONSTANT, .type = element, .value = &value};
    memcpy(value.bytes, variable->data + i * element->size, element->size);
    if (i) fputs(", ", printer->out);
    print_expression(printer, &constant);
  }
  fputs("};\n", printer->out);
}

static void print_constant_array(printer_t *printer, const variable_t *variable) {
  fputs("constant ", printer->out);
  print_declarator(printer, variable->type, variable->name);
  fputs(" = ", printer->out);
  print_value_list(printer, variable);
}

static void print_literal_sampler(printer_t *printer, const argument_t *argument) {
  static const char *const addressing[] = {"NONE", "CLAMP_TO_EDGE", "CLAMP", "REPEAT", "MIRRORED_REPEAT"};
  fprintf(printer->out, "constant sampler_t %s = CLK_NORMALIZED_COORDS_%s | CLK_ADDRESS_%s | CLK_FILTER_%s;\n",
          argument->parameter->name, argument->sampler.normalized ? "TRUE" : "FALSE",
          addressing[argument->sampler.addressing - CL_ADDRESS_NONE],
          argument->sampler.filter == CL_FILTER_NEAREST ? "NEAREST" : "LINEAR");
}

static void print_globals(printer_t *printer) {
  const program_t *program = printer->program;
  for (unsigned i = 0; i < program->type_count; i++) print_struct(printer, program->types[i]);
  for (unsigned i = 0; i < program->constant_count; i++) print_constant_array(printer, program->constants[i]);
  for (unsigned i = 0; i < program->argument_count; i++) {
    if (program->arguments[i].kind == ARGUMENT_LITERAL_SAMPLER) print_literal_sampler(printer, &program->arguments[i]);
  }
}

/* ---------------------------------------------------------------- functions */

static void print_parameter(printer_t *printer, const function_t *function, unsigned index) {
  const variable_t *parameter = function->parameters[index];
  bool is_cxx = printer->program->is_cxx;
  if (index) fputs(", ", printer->out);
  if (is_cxx && function->style == FUNCTION_TEMPLATE && index == 0) {
    fprintf(printer->out, "T %s%s", parameter->is_reference ? "&" : "", parameter->name);
    return;
  }
  print_type(printer, parameter->type);
  fprintf(printer->out, " %s%s", parameter->is_reference ? is_cxx ? "&" : "*" : "", parameter->name);
}

static void print_result_type(printer_t *printer, const function_t *function) {
  if (function->result_type) {
    print_type(printer, function->result_type);
  } else {
    fputs("void", printer->out);
  }
}

static void print_parameters(printer_t *printer, const function_t *function) {
  fputc('(', printer->out);
  for (unsigned i = 0; i < function->parameter_count; i++) print_parameter(printer, function, i);
  fputc(')', printer->out);
}

static void print_body(printer_t *printer, const function_t *function) {
  fputs(" {\n", printer->out);
  printer->depth++;
  print_block(printer, &function->body);
  printer->depth--;
  print_indent(printer);
  fputc('}', printer->out);
}

static void print_attributes(printer_t *printer, const function_t *function) {
  static const char *const inlining[] = {"static ", "static __attribute__((always_inline)) ",
                                         "static __attribute__((noinline)) "};
  bool is_method = printer->program->is_cxx && function->style == FUNCTION_METHOD;
  if (is_method) {
    fprintf(printer->out, "struct %s_class {\n  ", function->name);
  } else {
    if (printer->program->is_cxx && function->style == FUNCTION_TEMPLATE) fputs("template <typename T> ", printer->out);
    fputs(inlining[function->inlining], printer->out);
    if (function->is_overload && !printer->program->is_cxx) fputs("__attribute__((overloadable)) ", printer->out);
  }
}

static void print_function(printer_t *printer, const function_t *function) {
  bool is_method = printer->program->is_cxx && function->style == FUNCTION_METHOD;
  if (is_method) printer->depth++;
  print_attributes(printer, function);
  print_result_type(printer, function);
  fprintf(printer->out, " %s", is_method ? "run" : function->is_overload ? "over" : function->name);
  print_parameters(printer, function);
  if (is_method) fputs(" const", printer->out);
  print_body(printer, function);
  if (is_method) printer->depth--;
  fputs(is_method ? "\n};\n\n" : "\n\n", printer->out);
}

static bool is_lambda(const printer_t *printer, const function_t *function) {
  return printer->program->is_cxx && function->style == FUNCTION_LAMBDA;
}

static void print_lambdas(printer_t *printer) {
  for (unsigned i = 0; i < printer->program->function_count; i++) {
    const function_t *function = printer->program->functions[i];
    if (!is_lambda(printer, function)) continue;
    fprintf(printer->out, "  auto %s = []", function->name);
    print_parameters(printer, function);
    fputs(" -> ", printer->out);
    print_result_type(printer, function);
    printer->depth++;
    print_body(printer, function);
    printer->depth--;
    fputs(";\n", printer->out);
  }
}

/* ---------------------------------------------------------------- the kernel */

static void print_image_type(printer_t *printer, const argument_t *argument) {
  fprintf(printer->out, argument->kind == ARGUMENT_IMAGE ? "read_only %s " : "write_only %s ",
          test_image_type_name(argument->pixels.type, false));
}

static void print_kernel_parameter(printer_t *printer, const argument_t *argument) {
  if (argument->kind == ARGUMENT_SAMPLER) {
    fputs("sampler_t ", printer->out);
  } else if (argument->kind == ARGUMENT_IMAGE || argument->kind == ARGUMENT_WRITTEN_IMAGE) {
    print_image_type(printer, argument);
  } else {
    print_type(printer, argument->parameter->type);
    fputc(' ', printer->out);
  }
  fputs(argument->parameter->name, printer->out);
}

static void print_kernel(printer_t *printer) {
  const program_t *program = printer->program;
  const size_t *local = program->local;
  const char *separator = "";
  fputs("kernel ", printer->out);
  if (program->is_local_required || program->has_size_hint) {
    fprintf(printer->out, "__attribute__((%s(%zu, %zu, %zu))) ",
            program->is_local_required ? "reqd_work_group_size" : "work_group_size_hint", local[0], local[1], local[2]);
  }
  fputs("void grammar(", printer->out);
  for (unsigned i = 0; i < program->argument_count; i++) {
    if (program->arguments[i].kind == ARGUMENT_LITERAL_SAMPLER) continue;
    fputs(separator, printer->out);
    separator = ",\n    ";
    print_kernel_parameter(printer, &program->arguments[i]);
  }
  fputs(") {\n", printer->out);
  print_lambdas(printer);
  printer->depth++;
  print_block(printer, &program->kernel.body);
  fputs("}\n", printer->out);
}

char *print_program(const program_t *program) {
  char *text = NULL;
  size_t size = 0;
  printer_t printer = {.out = open_memstream(&text, &size), .program = program};
  assert_non_null(printer.out);
  fputs("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL FP_CONTRACT OFF\n", printer.out);
  if (program->is_cxx) fputs("template <int N> constexpr int number() { return N; }\n", printer.out);
  print_globals(&printer);
  print_helpers(&printer);
  fputc('\n', printer.out);
  for (unsigned i = 0; i < program->function_count; i++) {
    if (!is_lambda(&printer, program->functions[i])) print_function(&printer, program->functions[i]);
  }
  print_kernel(&printer);
  assert_int_equal(fclose(printer.out), 0);
  return text;
}
