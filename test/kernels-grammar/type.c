/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Sizes, alignments and conversions of types. */
#include "type.h"

#include <assert.h>
#include <string.h>

static const struct {
  const char *name;
  size_t size;
} scalars[SCALAR_COUNT] = {
    [SCALAR_I8] = {"char", 1},  [SCALAR_U8] = {"uchar", 1},  [SCALAR_I16] = {"short", 2},  [SCALAR_U16] = {"ushort", 2},
    [SCALAR_I32] = {"int", 4},  [SCALAR_U32] = {"uint", 4},  [SCALAR_I64] = {"long", 8},   [SCALAR_U64] = {"ulong", 8},
    [SCALAR_F16] = {"half", 2}, [SCALAR_F32] = {"float", 4}, [SCALAR_F64] = {"double", 8},
};

size_t scalar_size(scalar_t scalar) { return scalars[scalar].size; }

const char *scalar_name(scalar_t scalar) { return scalars[scalar].name; }

scalar_t scalar_integer(scalar_t scalar, bool is_signed) {
  static const scalar_t by_size[9] = {[1] = SCALAR_I8, [2] = SCALAR_I16, [4] = SCALAR_I32, [8] = SCALAR_I64};
  return by_size[scalar_size(scalar)] + (is_signed ? 0 : 1);
}

const type_t *type_number(scalar_t scalar, unsigned width) {
  static type_t types[SCALAR_COUNT][MAX_LANES + 1];
  assert(width == 1 || width == 2 || width == 3 || width == 4 || width == 8 || width == 16);
  type_t *type = &types[scalar][width];
  if (!type->size) {
    size_t size = scalar_size(scalar) * (width == 3 ? 4 : width);
    *type = (type_t){.form = TYPE_NUMBER, .size = size, .alignment = size, .scalar = scalar, .width = width};
  }
  return type;
}

static scalar_t promoted(scalar_t scalar) { return scalar < SCALAR_I32 ? SCALAR_I32 : scalar; }

/* int < uint < long < ulong < half < float < double, as they are numbered. Both ranks of 64 bits hold all of uint. */
const type_t *type_common(const type_t *left, const type_t *right) {
  if (left->width > 1) {
    assert(left == right);
    return left;
  }
  scalar_t a = promoted(left->scalar), b = promoted(right->scalar);
  return type_number(a > b ? a : b, 1);
}

const type_t *type_of_comparison(const type_t *type) {
  return type->width == 1 ? type_number(SCALAR_I32, 1) : type_number(scalar_integer(type->scalar, true), type->width);
}

static size_t round_up(size_t size, size_t alignment) { return (size + alignment - 1) / alignment * alignment; }

void type_lay_out(type_t *type) {
  type->size = 0;
  type->alignment = 1;
  for (unsigned i = 0; i < type->member_count; i++) {
    member_t *member = &type->members[i];
    if (member->type->alignment > type->alignment) type->alignment = member->type->alignment;
    member->offset = type->form == TYPE_UNION ? 0 : round_up(type->size, member->type->alignment);
    size_t end = member->offset + member->type->size;
    if (end > type->size) type->size = end;
  }
  type->size = round_up(type->size, type->alignment);
}

void type_make_array(type_t *type, const type_t *element, size_t count) {
  *type = (type_t){.form = TYPE_ARRAY,
                   .size = element->size * count,
                   .alignment = element->alignment,
                   .element = element,
                   .count = count};
}

void type_make_pointer(type_t *type, const type_t *element, space_t space, size_t count) {
  *type = (type_t){.form = TYPE_POINTER, .size = 8, .alignment = 8, .element = element, .count = count, .space = space};
}

void type_mark_bytes(const type_t *type, unsigned char *mask) {
  switch (type->form) {
    case TYPE_NUMBER: memset(mask, 1, scalar_size(type->scalar) * type->width); break;
    case TYPE_ARRAY:
      for (size_t i = 0; i < type->count; i++) type_mark_bytes(type->element, mask + i * type->element->size);
      break;
    case TYPE_STRUCT:
      for (unsigned i = 0; i < type->member_count; i++) {
        type_mark_bytes(type->members[i].type, mask + type->members[i].offset);
      }
      break;
    default: break;
  }
}
