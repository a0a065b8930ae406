/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Types of OpenCL C as the random kernels use them, with the sizes that the specification gives them (OpenCL C sections
 * 6.3.1 to 6.3.5). Numbers are unique: equal types have equal addresses. The others belong to a program's arena. */
#ifndef KERNELS_GRAMMAR_TYPE_H
#define KERNELS_GRAMMAR_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum scalar_t {
  SCALAR_I8,
  SCALAR_U8,
  SCALAR_I16,
  SCALAR_U16,
  SCALAR_I32,
  SCALAR_U32,
  SCALAR_I64,
  SCALAR_U64,
  SCALAR_F16,
  SCALAR_F32,
  SCALAR_F64,
  SCALAR_COUNT
} scalar_t;

typedef enum type_form_t { TYPE_NUMBER, TYPE_ARRAY, TYPE_STRUCT, TYPE_UNION, TYPE_POINTER, TYPE_IMAGE } type_form_t;

typedef enum space_t { SPACE_PRIVATE, SPACE_LOCAL, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_GENERIC } space_t;

enum { MAX_LANES = 16, MAX_MEMBERS = 8, MAX_TYPE_NAME = 12 };

typedef struct type_t type_t;

typedef struct member_t {
  char name[12];
  const type_t *type;
  size_t offset;
} member_t;

struct type_t {
  type_form_t form;
  size_t size, alignment;
  /* numbers: scalars have one lane */
  scalar_t scalar;
  unsigned width;
  /* arrays and pointers; count: elements, of pointers those that may be read behind it */
  const type_t *element;
  size_t count;
  space_t space;
  bool is_read_only;
  /* structs and unions */
  char name[MAX_TYPE_NAME];
  member_t members[MAX_MEMBERS];
  unsigned member_count;
};

/** A scalar (width 1) or a vector (2, 3, 4, 8, 16). */
const type_t *type_number(scalar_t scalar, unsigned width);

static inline bool scalar_is_float(scalar_t scalar) { return scalar >= SCALAR_F16; }
static inline bool scalar_is_signed(scalar_t scalar) { return scalar_is_float(scalar) || scalar % 2 == 0; }
size_t scalar_size(scalar_t scalar);
static inline unsigned scalar_bits(scalar_t scalar) { return 8 * (unsigned)scalar_size(scalar); }
/** The integer of a scalar's size: what comparisons of vectors give (signed), or masks of shuffles (unsigned). */
scalar_t scalar_integer(scalar_t scalar, bool is_signed);
/** "int". */
const char *scalar_name(scalar_t scalar);

static inline bool type_is_number(const type_t *type) { return type->form == TYPE_NUMBER; }
static inline bool type_is_integer(const type_t *type) {
  return type_is_number(type) && !scalar_is_float(type->scalar);
}
static inline bool type_is_float(const type_t *type) { return type_is_number(type) && scalar_is_float(type->scalar); }
static inline bool type_is_scalar(const type_t *type) { return type_is_number(type) && type->width == 1; }

/** What both operands of an operator become: the usual arithmetic conversions of scalars, the type itself of vectors
 * (whose operands have one type). */
const type_t *type_common(const type_t *left, const type_t *right);
/** What comparing two values of the type gives: int of scalars, signed integers of the same size of vectors. */
const type_t *type_of_comparison(const type_t *type);

/** Fills in a struct or union whose members' names and types are set. */
void type_lay_out(type_t *type);
/** Fills in an array or a pointer. */
void type_make_array(type_t *type, const type_t *element, size_t count);
void type_make_pointer(type_t *type, const type_t *element, space_t space, size_t count);

/** Marks the bytes of a value of the type that hold it: `mask[i]` becomes 1 where byte i is no padding. */
void type_mark_bytes(const type_t *type, unsigned char *mask);

#endif
