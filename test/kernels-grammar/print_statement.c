/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Statements as text. */
#include "print.h"

/* ---------------------------------------------------------------- simple statements */

static void print_list(printer_t *printer, const statement_t *statement) {
  fputs(" = {", printer->out);
  for (unsigned i = 0; i < statement->value_count; i++) {
    if (i) fputs(", ", printer->out);
    print_expression(printer, statement->values[i]);
  }
  fputs("}", printer->out);
}

static void print_declare(printer_t *printer, const statement_t *statement) {
  const variable_t *variable = statement->variable;
  bool points = variable->type->form == TYPE_ARRAY && variable->type->element->form == TYPE_POINTER;
  if (variable->space == SPACE_LOCAL && !points) fputs("local ", printer->out);
  if (variable->is_volatile) fputs("volatile ", printer->out);
  if (variable->is_constexpr) fputs(printer->program->is_cxx ? "constexpr " : "const ", printer->out);
  if (variable->space == SPACE_LOCAL && points) {
    print_type(printer, variable->type->element);
    fprintf(printer->out, "local %s[%zu]", variable->name, variable->type->count);
  } else {
    print_declarator(printer, variable->type, variable->name);
  }
  if (statement->value) {
    fputs(" = ", printer->out);
    print_expression(printer, statement->value);
  } else if (statement->value_count) {
    print_list(printer, statement);
  } else if (variable->space != SPACE_LOCAL) {
    fputs(type_is_number(variable->type) ? " = 0" : " = {}", printer->out);
  }
  fputs(";\n", printer->out);
}

static void print_assign(printer_t *printer, const statement_t *statement) {
  bool is_scalar = type_is_scalar(statement->target->type);
  print_expression(printer, statement->target);
  if (statement->op == OP_ASSIGN) {
    fputs(" = ", printer->out);
    print_expression(printer, statement->value);
  } else if (!statement->repaired) {
    fprintf(printer->out, " %s= ", print_operator(statement->op));
    print_expression(printer, statement->value);
  } else {
    fputs(is_scalar ? " = (" : " = ", printer->out);
    if (is_scalar) print_type(printer, statement->target->type);
    if (is_scalar) fputc(')', printer->out);
    const type_t *common = type_common(statement->target->type, statement->value->type);
    print_repaired(printer, statement->op, common, statement->target, statement->value);
  }
  fputs(";\n", printer->out);
}

static void print_atomic(printer_t *printer, const statement_t *statement) {
  static const char *const names[] = {"add", "sub", "min", "max", "or", "and", "xor"};
  const char *name = names[statement->atomic];
  if (statement->style == 0) {
    fprintf(printer->out, "atomic_%s(&", name);
  } else {
    bool is_local = statement->style == 1;
    fprintf(printer->out, "atomic_fetch_%s_explicit((volatile %s atomic_%s *)&", name, is_local ? "local" : "global",
            scalar_name(statement->target->type->scalar));
  }
  print_expression(printer, statement->target);
  fputs(", ", printer->out);
  print_expression(printer, statement->value);
  if (statement->style == 1) fputs(", memory_order_relaxed, memory_scope_work_group", printer->out);
  if (statement->style == 2) fputs(", memory_order_relaxed, memory_scope_device", printer->out);
  fputs(");\n", printer->out);
}

static void print_write_image(printer_t *printer, const statement_t *statement) {
  const type_t *type = statement->value->type;
  unsigned dimensions = printer->program->dimensions;
  const char *kind = type_is_float(type) ? "f" : scalar_is_signed(type->scalar) ? "i" : "ui";
  fprintf(printer->out, "write_image%s(%s, ", kind, statement->variable->name);
  fputs(dimensions == 1 ? "" : dimensions == 2 ? "(int2)(" : "(int4)(", printer->out);
  for (unsigned i = 0; i < dimensions; i++) {
    fprintf(printer->out, "%s(int)(get_global_id(%u) - get_global_offset(%u))", i ? ", " : "", i, i);
  }
  fputs(dimensions == 1 ? ", " : dimensions == 2 ? "), " : ", 0), ", printer->out);
  print_expression(printer, statement->value);
  fputs(");\n", printer->out);
}

static void print_vstore(printer_t *printer, const statement_t *statement) {
  unsigned width = statement->value->type->width;
  fprintf(printer->out, "vstore%u(", width);
  print_expression(printer, statement->value);
  fputs(", ", printer->out);
  print_expression(printer, statement->index);
  if (statement->repaired) fprintf(printer->out, " %% %zuu", statement->target->type->count / width);
  fputs(", ", printer->out);
  print_expression(printer, statement->target);
  fputs(");\n", printer->out);
}

static void print_return(printer_t *printer, const statement_t *statement) {
  fputs("return", printer->out);
  if (statement->value) {
    fputc(' ', printer->out);
    print_expression(printer, statement->value);
  }
  fputs(";\n", printer->out);
}

static void print_call_statement(printer_t *printer, const statement_t *statement) {
  const function_t *function = statement->function;
  if (statement->target) {
    print_expression(printer, statement->target);
    fputs(" = ", printer->out);
  }
  print_function_name(printer, function);
  fputc('(', printer->out);
  for (unsigned i = 0; i < function->parameter_count; i++) {
    if (i) fputs(", ", printer->out);
    print_argument(printer, function->parameters[i], statement->arguments[i]);
  }
  fputs(");\n", printer->out);
}

static void print_barrier(printer_t *printer, const statement_t *statement) {
  static const char *const texts[] = {
      "barrier(CLK_LOCAL_MEM_FENCE)",
      "work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
      "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)",
      "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
  };
  fprintf(printer->out, "%s;\n", texts[statement->style % 4]);
}

/* ---------------------------------------------------------------- collectives */

static void print_broadcast_ids(printer_t *printer, const statement_t *statement) {
  for (unsigned i = 0; i < printer->program->dimensions; i++) {
    if (statement->step) {
      fprintf(printer->out, ", get_local_size(%u) - 1", i);
    } else {
      fputs(", 0", printer->out);
    }
  }
}

static void print_collective(printer_t *printer, const statement_t *statement) {
  static const char *const names[] = {
      [COLLECTIVE_REDUCE_ADD] = "work_group_reduce_add",
      [COLLECTIVE_REDUCE_MIN] = "work_group_reduce_min",
      [COLLECTIVE_REDUCE_MAX] = "work_group_reduce_max",
      [COLLECTIVE_SCAN_INCLUSIVE_ADD] = "work_group_scan_inclusive_add",
      [COLLECTIVE_SCAN_EXCLUSIVE_ADD] = "work_group_scan_exclusive_add",
      [COLLECTIVE_SCAN_INCLUSIVE_MAX] = "work_group_scan_inclusive_max",
      [COLLECTIVE_SCAN_INCLUSIVE_MIN] = "work_group_scan_inclusive_min",
      [COLLECTIVE_ANY] = "work_group_any",
      [COLLECTIVE_ALL] = "work_group_all",
      [COLLECTIVE_BROADCAST] = "work_group_broadcast",
      [COLLECTIVE_SUB_BROADCAST] = "sub_group_broadcast",
      [COLLECTIVE_SUB_REDUCE_MIN] = "sub_group_reduce_min",
      [COLLECTIVE_SUB_REDUCE_MAX] = "sub_group_reduce_max",
      [COLLECTIVE_SUB_ANY] = "sub_group_any",
      [COLLECTIVE_SUB_SELF] = "sub_group_shuffle",
  };
  print_expression(printer, statement->target);
  fprintf(printer->out, " = %s(", names[statement->collective]);
  print_expression(printer, statement->value);
  if (statement->collective == COLLECTIVE_BROADCAST) print_broadcast_ids(printer, statement);
  if (statement->collective == COLLECTIVE_SUB_BROADCAST) fputs(", 0", printer->out);
  if (statement->collective == COLLECTIVE_SUB_SELF) fputs(", get_sub_group_local_id()", printer->out);
  fputs(");\n", printer->out);
}

/* ---------------------------------------------------------------- control flow */

static void print_nested(printer_t *printer, const block_t *block) {
  printer->depth++;
  print_block(printer, block);
  printer->depth--;
}

static void print_braced(printer_t *printer, const block_t *block, const char *end) {
  fputs("{\n", printer->out);
  print_nested(printer, block);
  print_indent(printer);
  fprintf(printer->out, "}%s", end);
}

/* A number for all where work-items would differ. */
static void print_for_all(printer_t *printer, const statement_t *statement) {
  if (statement->repaired) fputs("work_group_reduce_max(", printer->out);
  print_expression(printer, statement->value);
  if (statement->repaired) fputc(')', printer->out);
}

static void print_if(printer_t *printer, const statement_t *statement) {
  fputs(statement->repaired ? "if (work_group_any(" : "if (", printer->out);
  print_expression(printer, statement->value);
  fputs(statement->repaired ? ")) " : ") ", printer->out);
  bool has_else = statement->blocks[1].count > 0;
  print_braced(printer, &statement->blocks[0], has_else ? " else " : "\n");
  if (has_else) print_braced(printer, &statement->blocks[1], "\n");
}

static void print_bound(printer_t *printer, const statement_t *statement) {
  fprintf(printer->out, "const int %s_end = ", statement->variable->name);
  print_for_all(printer, statement);
  fputs(";\n", printer->out);
  print_indent(printer);
}

static void print_loop(printer_t *printer, const statement_t *statement) {
  const char *name = statement->variable->name;
  fputs("{\n", printer->out);
  printer->depth++;
  print_indent(printer);
  print_bound(printer, statement);
  bool has_hint = statement->style & 1 && statement->loop_style <= LOOP_DOWN;
  if (has_hint) fprintf(printer->out, "__attribute__((opencl_unroll_hint(%u))) ", statement->style);
  switch (statement->loop_style) {
    case LOOP_UP:
      fprintf(printer->out, "for (int %s = 0; %s < %s_end; %s += %u) ", name, name, name, name, statement->step);
      break;
    case LOOP_DOWN:
      fprintf(printer->out, "for (int %s = %s_end; %s > 0; %s -= %u) ", name, name, name, name, statement->step);
      break;
    case LOOP_WHILE:
      fprintf(printer->out, "int %s = -%u;\n", name, statement->step);
      print_indent(printer);
      fprintf(printer->out, "while ((%s += %u) < %s_end) ", name, statement->step, name);
      break;
    default:
      fprintf(printer->out, "int %s = 0;\n", name);
      print_indent(printer);
      fputs("do ", printer->out);
      break;
  }
  print_braced(printer, &statement->blocks[0], statement->loop_style == LOOP_DO ? "" : "\n");
  if (statement->loop_style == LOOP_DO) {
    fprintf(printer->out, " while ((%s += %u) < %s_end);\n", name, statement->step, name);
  }
  printer->depth--;
  print_line(printer, "}");
}

static void print_case(printer_t *printer, const case_t *one) {
  for (unsigned i = 0; i < one->label_count; i++) print_line(printer, "case %d:", one->labels[i]);
  if (one->is_default) print_line(printer, "default:");
  print_indent(printer);
  print_braced(printer, &one->body, "\n");
  if (!one->falls_through) print_line(printer, "  break;");
}

static void print_switch(printer_t *printer, const statement_t *statement) {
  fputs("switch (", printer->out);
  print_for_all(printer, statement);
  fputs(") {\n", printer->out);
  for (unsigned i = 0; i < statement->case_count; i++) print_case(printer, &statement->cases[i]);
  print_line(printer, "}");
}

/* A loop entered in its midst. */
static void print_duff(printer_t *printer, const statement_t *statement) {
  const char *name = statement->variable->name;
  fprintf(printer->out, "{\n");
  printer->depth++;
  print_line(printer, "int %s = %u;", name, statement->step);
  print_indent(printer);
  fputs("switch (", printer->out);
  print_for_all(printer, statement);
  fputs(") {\n", printer->out);
  print_line(printer, "default:");
  print_line(printer, "  do {");
  for (unsigned i = 0; i < statement->case_count; i++) {
    if (i) print_line(printer, "case %u:", i);
    print_indent(printer);
    print_braced(printer, &statement->stages[i], "\n");
  }
  print_line(printer, "  } while (--%s > 0);", name);
  print_line(printer, "}");
  printer->depth--;
  print_line(printer, "}");
}

/* ---------------------------------------------------------------- all statements */

static void print_statement(printer_t *printer, const statement_t *statement) {
  print_indent(printer);
  switch (statement->kind) {
    case STMT_DECLARE: print_declare(printer, statement); break;
    case STMT_ASSIGN: print_assign(printer, statement); break;
    case STMT_IF: print_if(printer, statement); break;
    case STMT_LOOP: print_loop(printer, statement); break;
    case STMT_SWITCH: print_switch(printer, statement); break;
    case STMT_DUFF: print_duff(printer, statement); break;
    case STMT_BREAK: fputs("break;\n", printer->out); break;
    case STMT_CONTINUE: fputs("continue;\n", printer->out); break;
    case STMT_RETURN: print_return(printer, statement); break;
    case STMT_BLOCK: print_braced(printer, &statement->blocks[0], "\n"); break;
    case STMT_BARRIER: print_barrier(printer, statement); break;
    case STMT_COLLECTIVE: print_collective(printer, statement); break;
    case STMT_ATOMIC: print_atomic(printer, statement); break;
    case STMT_CALL: print_call_statement(printer, statement); break;
    case STMT_WRITE_IMAGE: print_write_image(printer, statement); break;
    case STMT_VSTORE: print_vstore(printer, statement); break;
  }
}

void print_block(printer_t *printer, const block_t *block) {
  for (unsigned i = 0; i < block->count; i++) {
    if (!block->statements[i]->is_dropped) print_statement(printer, block->statements[i]);
  }
}
