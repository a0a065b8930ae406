/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Writes a program, which has been evaluated, as OpenCL C or C++ for OpenCL. */
#ifndef KERNELS_GRAMMAR_PRINT_H
#define KERNELS_GRAMMAR_PRINT_H

#include <stdio.h>

#include "program.h"

/** The whole source; free() it. The kernel's name is "grammar". */
char *print_program(const program_t *program);

/* ---------------------------------------------------------------- between its files */

typedef struct printer_t {
  FILE *out;
  const program_t *program;
  unsigned depth; /* of indentation */
} printer_t;

void print_type(printer_t *printer, const type_t *type);
/** "int x[4]". */
void print_declarator(printer_t *printer, const type_t *type, const char *name);
void print_expression(printer_t *printer, const expression_t *expression);
/** An argument of a call: references as each language writes them. */
void print_argument(printer_t *printer, const variable_t *parameter, const expression_t *argument);
/** target op value, safe for all operands. */
void print_repaired(printer_t *printer, operator_t op, const type_t *type, const expression_t *left,
                    const expression_t *right);
const char *print_operator(operator_t op);
void print_function_name(printer_t *printer, const function_t *function);
void print_block(printer_t *printer, const block_t *block);
void print_line(printer_t *printer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void print_indent(printer_t *printer);

#endif
