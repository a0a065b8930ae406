/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Random functions, and the kernel's arguments with their contents. */
#include <stdio.h>

#include "arithmetic.h"
#include "generate.h"

/* ---------------------------------------------------------------- functions */

static function_t *new_function(generator_t *g) {
  function_t *function = program_allocate(g->program, sizeof(*function));
  snprintf(function->name, sizeof(function->name), "f%u", g->program->function_count);
  function->inlining = random_below(g, 4) % 3;
  g->function = function;
  g->scope_count = 0;
  for (unsigned i = 0; i < g->program->constant_count; i++) enter_scope(g, g->program->constants[i]);
  return function;
}

static variable_t *add_parameter(generator_t *g, const char *prefix, const type_t *type) {
  variable_t *parameter = new_private(g, prefix, type);
  g->function->parameters[g->function->parameter_count++] = parameter;
  return parameter;
}

static const type_t *random_struct_type(generator_t *g) {
  for (unsigned tries = 0; tries < 4 && g->program->type_count; tries++) {
    const type_t *type = g->program->types[random_below(g, g->program->type_count)];
    if (type->form == TYPE_STRUCT) return type;
  }
  return NULL;
}

static void random_parameter(generator_t *g, bool may_be_number_only) {
  unsigned choice = may_be_number_only ? 0 : random_below(g, 100);
  const type_t *a_struct = random_struct_type(g);
  if (choice > 85 && a_struct) {
    enter_scope(g, add_parameter(g, "x", a_struct));
  } else if (choice > 65) {
    type_t *pointer = program_allocate(g->program, sizeof(*pointer));
    type_make_pointer(pointer, type_number(random_scalar(g), 1), SPACE_GENERIC, 4);
    pointer->is_read_only = true;
    variable_t *parameter = add_parameter(g, "x", pointer);
    parameter->is_read_only = true;
    enter_scope(g, parameter);
  } else if (choice > 50) {
    /* The slot holds an address. */
    variable_t *parameter = add_parameter(g, "x", random_number_type(g));
    parameter->is_reference = true;
    if (parameter->type->size < 8) g->function->frame_size += 8;
    enter_scope(g, parameter);
  } else {
    enter_scope(g, add_parameter(g, "x", random_number_type(g)));
  }
}

static void finish_function(generator_t *g, function_t *function) {
  statement_t *result = add_statement(g, &function->body, STMT_RETURN);
  result->variable = function->result;
  result->value = random_expression(g, function->result_type, 2);
  g->program->functions[g->program->function_count++] = function;
}

static bool is_overload_taken(const generator_t *g, const type_t *type) {
  for (unsigned i = 0; i < g->program->function_count; i++) {
    const function_t *function = g->program->functions[i];
    if (function->is_overload && function->parameters[0]->type == type) return true;
  }
  return false;
}

static void random_style(generator_t *g, function_t *function) {
  const variable_t *first = function->parameters[0];
  bool has_number = type_is_number(first->type) && !first->is_reference;
  function->style = random_below(g, FUNCTION_LAMBDA + 1);
  if (function->style == FUNCTION_TEMPLATE && !has_number) function->style = FUNCTION_PLAIN;
  bool may_be_overload = function->style == FUNCTION_PLAIN && has_number && !is_overload_taken(g, first->type);
  function->is_overload = may_be_overload && random_chance(g, 30);
}

/* Its value depends on its arguments alone. */
static void random_value_function(generator_t *g) {
  function_t *function = new_function(g);
  unsigned count = 1 + random_below(g, 4);
  function->result_type = random_number_type(g);
  function->result = new_private(g, "result", function->result_type);
  for (unsigned i = 0; i < count; i++) random_parameter(g, i == 0 && random_chance(g, 50));
  g->is_uniform = false;
  g->is_pure = g->may_return = true;
  g->nesting = 2;
  unsigned budget = g->budget;
  g->budget = 6;
  random_block(g, &function->body, 1 + random_below(g, 4));
  g->budget = budget;
  random_style(g, function);
  finish_function(g, function);
  g->nesting = 0;
  g->is_pure = g->may_return = false;
}

const type_t *random_tile_element(generator_t *g) {
  return type_number(random_chance(g, 70) ? SCALAR_I32 : SCALAR_F32, 1);
}

/* Waits at barriers, and uses the caller's local memory. */
static void random_group_function(generator_t *g) {
  function_t *function = new_function(g);
  function->has_barriers = true;
  function->result_type = random_number_type(g);
  function->result = new_private(g, "result", function->result_type);
  type_t *pointer = program_allocate(g->program, sizeof(*pointer));
  type_make_pointer(pointer, random_tile_element(g), SPACE_LOCAL, group_room(g->program));
  variable_t *tile = add_parameter(g, "tile", pointer);
  tile->is_uniform = true;
  g->lane = add_parameter(g, "l", type_number(SCALAR_U32, 1));
  g->group_size = add_parameter(g, "n", type_number(SCALAR_U32, 1));
  g->lane->is_read_only = g->group_size->is_read_only = g->group_size->is_uniform = true;
  enter_scope(g, g->lane);
  enter_scope(g, g->group_size);
  variable_t *same = add_parameter(g, "x", type_number(SCALAR_I32, 1));
  same->is_uniform = true;
  enter_scope(g, same);
  enter_scope(g, add_parameter(g, "x", random_number_type(g)));
  g->tiles[0] = tile;
  g->tile_count = 1;
  g->is_uniform = g->may_return = true;
  g->nesting = 2;
  unsigned budget = g->budget;
  g->budget = 8;
  random_exchange(g, &function->body);
  random_block(g, &function->body, 1 + random_below(g, 4));
  finish_function(g, function);
  g->budget = budget;
  g->nesting = g->tile_count = 0;
  g->lane = g->group_size = NULL;
  g->is_uniform = g->may_return = false;
}

void random_functions(generator_t *g) {
  for (unsigned i = random_below(g, 5); i > 0; i--) random_value_function(g);
  if (g->program->is_local_free) return;
  for (unsigned i = random_below(g, 3); i > 0; i--) random_group_function(g);
}

/* ---------------------------------------------------------------- contents */

static void fill_randomly(generator_t *g, const type_t *type, unsigned char *bytes) {
  if (type_is_number(type)) {
    value_t value = {.type = type};
    random_value(g, &value);
    memcpy(bytes, value.bytes, type->size);
  } else if (type->form == TYPE_ARRAY) {
    for (size_t i = 0; i < type->count; i++) fill_randomly(g, type->element, bytes + i * type->element->size);
  } else {
    for (unsigned i = 0; i < type->member_count; i++) {
      fill_randomly(g, type->members[i].type, bytes + type->members[i].offset);
    }
  }
}

static argument_t *new_argument(generator_t *g, argument_kind_t kind, const char *prefix, const type_t *type) {
  argument_t *argument = &g->program->arguments[g->program->argument_count];
  argument->kind = kind;
  argument->parameter = new_private(g, prefix, type);
  argument->parameter->argument = (int)g->program->argument_count++;
  return argument;
}

static const type_t *pointer_to(generator_t *g, const type_t *element, space_t space, size_t count, bool is_const) {
  type_t *type = program_allocate(g->program, sizeof(*type));
  type_make_pointer(type, element, space, count);
  type->is_read_only = is_const;
  return type;
}

static void give_contents(generator_t *g, argument_t *argument, const type_t *element, size_t count) {
  argument->size = element->size * count;
  argument->initial = program_allocate(g->program, argument->size);
  argument->expected = program_allocate(g->program, argument->size);
  for (size_t i = 0; i < count; i++) fill_randomly(g, element, argument->initial + i * element->size);
  unsigned char *mask = program_allocate(g->program, argument->size);
  for (size_t i = 0; i < count; i++) type_mark_bytes(element, mask + i * element->size);
  argument->mask = mask;
}

static const type_t *random_element(generator_t *g) {
  const type_t *a_struct = random_struct_type(g);
  return a_struct && random_chance(g, 25) ? a_struct : random_number_type(g);
}

static void random_input(generator_t *g) {
  const type_t *element = random_chance(g, 40) ? type_number(random_scalar(g), 1) : random_element(g);
  bool is_constant = random_chance(g, 25);
  size_t count = 8u << random_below(g, 4);
  const type_t *type = pointer_to(g, element, is_constant ? SPACE_CONSTANT : SPACE_GLOBAL, count, !is_constant);
  argument_t *argument = new_argument(g, ARGUMENT_BUFFER, "in", type);
  give_contents(g, argument, element, count);
  argument->parameter->is_uniform = argument->parameter->is_read_only = true;
  enter_scope(g, argument->parameter);
}

static void random_number_argument(generator_t *g) {
  const type_t *type = random_element(g);
  argument_t *argument = new_argument(g, ARGUMENT_VALUE, "arg", type);
  give_contents(g, argument, type, 1);
  argument->parameter->is_uniform = true;
  enter_scope(g, argument->parameter);
}

static void random_output_argument(generator_t *g) {
  size_t count = 4, wanted = program_items(g->program) * g->outputs_of_item;
  while (count < wanted) count *= 2;
  const type_t *element = g->output_count == 0 ? type_number(SCALAR_U32, 1) : random_element(g);
  argument_t *argument = new_argument(g, ARGUMENT_BUFFER, "out", pointer_to(g, element, SPACE_GLOBAL, count, false));
  give_contents(g, argument, element, count);
  g->outputs[g->output_count++] = argument->parameter;
}

static void random_totals(generator_t *g) {
  const type_t *element = type_number(SCALAR_I32 + random_below(g, 2), 1);
  argument_t *argument = new_argument(g, ARGUMENT_BUFFER, "total", pointer_to(g, element, SPACE_GLOBAL, 8, false));
  give_contents(g, argument, element, 8);
  g->totals = argument->parameter;
  for (unsigned i = 0; i < 8; i++) g->total_atomics[i] = random_below(g, ATOMIC_XOR + 1);
}

static void random_local_argument(generator_t *g) {
  size_t room = group_room(g->program);
  const type_t *element = random_chance(g, 50) ? random_tile_element(g) : type_number(random_scalar(g), 1);
  argument_t *argument = new_argument(g, ARGUMENT_LOCAL, "tile", pointer_to(g, element, SPACE_LOCAL, room, false));
  argument->size = element->size * room;
  argument->parameter->is_uniform = true;
  g->tiles[g->tile_count++] = argument->parameter;
}

/* ---------------------------------------------------------------- images and samplers */

/* Formats of which every pixel is exact in what reads it. */
static const cl_image_format formats[] = {
    {CL_RGBA, CL_FLOAT},
    {CL_R, CL_FLOAT},
    {CL_RG, CL_FLOAT},
    {CL_RGBA, CL_HALF_FLOAT},
    {CL_RGBA, CL_SIGNED_INT8},
    {CL_RGBA, CL_SIGNED_INT16},
    {CL_RGBA, CL_SIGNED_INT32},
    {CL_R, CL_SIGNED_INT32},
    {CL_RG, CL_SIGNED_INT16},
    {CL_RGBA, CL_UNSIGNED_INT8},
    {CL_RGBA, CL_UNSIGNED_INT16},
    {CL_RGBA, CL_UNSIGNED_INT32},
    {CL_R, CL_UNSIGNED_INT8},
    {CL_RG, CL_UNSIGNED_INT32},
    {CL_R, CL_HALF_FLOAT},
};

static void fill_image(generator_t *g, argument_t *image) {
  test_pixels_t *pixels = &image->pixels;
  size_t count = pixels->width * pixels->height * pixels->depth * pixels->layers;
  size_t size = test_pixel_size(&pixels->format);
  image->size = count * size;
  image->initial = program_allocate(g->program, image->size);
  image->expected = program_allocate(g->program, image->size);
  for (size_t i = 0; i < count; i++) {
    test_color_t color;
    for (unsigned c = 0; c < 4; c++) {
      int number = (int)random_below(g, 100);
      if (test_pixel_kind(&pixels->format) == TEST_PIXEL_FLOAT) {
        color.f[c] = (float)(number - 50);
      } else {
        color.i[c] = number;
      }
    }
    test_pixel_encode(&pixels->format, &color, image->initial + i * size);
  }
  pixels->data = image->initial;
}

static void random_image(generator_t *g) {
  static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE2D,
                                             CL_MEM_OBJECT_IMAGE3D,       CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                             CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER};
  static const type_t image_type = {.form = TYPE_IMAGE, .size = 8, .alignment = 8};
  argument_t *image = new_argument(g, ARGUMENT_IMAGE, "img", &image_type);
  test_pixels_t *pixels = &image->pixels;
  pixels->type = types[random_below(g, 6)];
  pixels->format = formats[random_below(g, sizeof(formats) / sizeof(*formats))];
  bool is_flat = pixels->type == CL_MEM_OBJECT_IMAGE1D || pixels->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                 pixels->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  bool is_array = pixels->type == CL_MEM_OBJECT_IMAGE1D_ARRAY || pixels->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  pixels->width = 2u << random_below(g, 4);
  pixels->height = is_flat ? 1 : 2u << random_below(g, 3);
  pixels->depth = pixels->type == CL_MEM_OBJECT_IMAGE3D ? 2u << random_below(g, 2) : 1;
  pixels->layers = is_array ? 2u << random_below(g, 2) : 1;
  fill_image(g, image);
}

static void random_written_image(generator_t *g) {
  static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D};
  static const type_t image_type = {.form = TYPE_IMAGE, .size = 8, .alignment = 8};
  argument_t *image = new_argument(g, ARGUMENT_WRITTEN_IMAGE, "wimg", &image_type);
  const size_t *global = g->program->global;
  image->pixels = (test_pixels_t){.type = types[g->program->dimensions - 1],
                                  .format = formats[random_below(g, 12)],
                                  .width = global[0],
                                  .height = global[1],
                                  .depth = global[2],
                                  .layers = 1};
  fill_image(g, image);
}

static void random_sampler(generator_t *g) {
  static const type_t sampler_type = {.form = TYPE_IMAGE, .size = 8, .alignment = 8};
  bool is_literal = random_chance(g, 40);
  argument_t *argument =
      new_argument(g, is_literal ? ARGUMENT_LITERAL_SAMPLER : ARGUMENT_SAMPLER, "smp", &sampler_type);
  argument->sampler.normalized = random_below(g, 2);
  argument->sampler.filter = random_chance(g, 65) ? CL_FILTER_NEAREST : CL_FILTER_LINEAR;
  unsigned modes = argument->sampler.normalized ? 4 : 2;
  argument->sampler.addressing = CL_ADDRESS_CLAMP_TO_EDGE + random_below(g, modes);
}

void random_kernel_arguments(generator_t *g) {
  g->outputs_of_item = 2 + random_below(g, 3);
  for (unsigned i = 1 + random_below(g, 4); i > 0; i--) random_input(g);
  for (unsigned i = 1 + random_below(g, 5); i > 0; i--) random_number_argument(g);
  for (unsigned i = 2 + random_below(g, 3); i > 0; i--) random_output_argument(g);
  if (random_chance(g, 60)) random_totals(g);
  if (!g->program->is_local_free && random_chance(g, 35)) random_local_argument(g);
  if (random_chance(g, 35)) {
    for (unsigned i = 1 + random_below(g, 7); i > 0; i--) random_image(g);
    for (unsigned i = random_below(g, 5); i > 0; i--) random_sampler(g);
  }
  if (random_chance(g, 25)) {
    for (unsigned i = 1 + random_below(g, 2); i > 0; i--) random_written_image(g);
  }
}

/* ---------------------------------------------------------------- reading images */

static const argument_t *random_argument_of(generator_t *g, argument_kind_t first, argument_kind_t second) {
  for (unsigned tries = 0; tries < 10 && g->program->argument_count; tries++) {
    const argument_t *argument = &g->program->arguments[random_below(g, g->program->argument_count)];
    if (argument->kind == first || argument->kind == second) return argument;
  }
  return NULL;
}

static bool sampler_fits(const argument_t *sampler, const argument_t *image) {
  bool is_float = test_pixel_kind(&image->pixels.format) == TEST_PIXEL_FLOAT;
  return image->pixels.type != CL_MEM_OBJECT_IMAGE1D_BUFFER &&
         (is_float || sampler->sampler.filter == CL_FILTER_NEAREST);
}

/* An integer from `-before` on, of a range that is a power of two. */
static expression_t *bounded(generator_t *g, int64_t range, int64_t before, unsigned depth) {
  const type_t *type = type_number(SCALAR_I32, 1);
  expression_t *value = random_expression(g, type, depth - 1);
  value = make_binary(g, OP_AND, value, make_constant(g, type, range - 1));
  return before ? make_binary(g, OP_SUBTRACT, value, make_constant(g, type, before)) : value;
}

/* Quarters of a pixel, from one image's size before its beginning to two behind. */
static expression_t *fractional(generator_t *g, size_t size, bool is_layer, const test_sampler_t *sampler,
                                unsigned depth) {
  const type_t *type = type_number(SCALAR_F32, 1);
  int64_t range = is_layer ? (int64_t)size : 16 * (int64_t)size;
  expression_t *integer = bounded(g, range, is_layer ? 0 : 4 * (int64_t)size, depth);
  expression_t *number = new_expression(g, EXPR_CONVERT, type);
  number->operands[number->operand_count++] = integer;
  if (is_layer) return number;
  expression_t *unit = make_constant(g, type, 0);
  lane_set_float(unit->value, 0, sampler->normalized ? 0.25 / (double)size : 0.25);
  return make_binary(g, OP_MULTIPLY, number, unit);
}

/* Without the fourth one that vectors need. */
static unsigned coordinate_count(cl_mem_object_type type) {
  unsigned count = test_image_coordinates(type);
  return count == 4 ? 3 : count;
}

static expression_t *random_coordinate(generator_t *g, const argument_t *image, unsigned index,
                                       const argument_t *sampler, bool is_float, unsigned depth) {
  const test_pixels_t *pixels = &image->pixels;
  const size_t sizes[3] = {pixels->width, pixels->height, pixels->depth};
  bool is_layer = pixels->layers > 1 && index == coordinate_count(pixels->type) - 1;
  size_t size = is_layer ? pixels->layers : sizes[index];
  if (is_float) return fractional(g, size, is_layer, &sampler->sampler, depth);
  if (!sampler || is_layer) return bounded(g, (int64_t)size, 0, depth);
  return bounded(g, 4 * (int64_t)size, (int64_t)size, depth);
}

static expression_t *random_coordinates(generator_t *g, const argument_t *image, const argument_t *sampler,
                                        unsigned depth) {
  unsigned count = coordinate_count(image->pixels.type);
  bool needs_float = sampler && (sampler->sampler.normalized || sampler->sampler.filter == CL_FILTER_LINEAR);
  bool is_float = needs_float || (sampler && random_chance(g, 50));
  const type_t *scalar = type_number(is_float ? SCALAR_F32 : SCALAR_I32, 1);
  if (count == 1) return random_coordinate(g, image, 0, sampler, is_float, depth);
  expression_t *coordinates = new_expression(g, EXPR_VECTOR, type_number(scalar->scalar, count == 2 ? 2 : 4));
  for (unsigned i = 0; i < coordinates->type->width; i++) {
    coordinates->operands[coordinates->operand_count++] =
        i < count ? random_coordinate(g, image, i, sampler, is_float, depth) : make_constant(g, scalar, 0);
  }
  return coordinates;
}

expression_t *random_image_read(generator_t *g, unsigned depth) {
  static const scalar_t scalars[] = {SCALAR_F32, SCALAR_I32, SCALAR_U32};
  const argument_t *image = random_argument_of(g, ARGUMENT_IMAGE, ARGUMENT_IMAGE);
  if (!image || g->function != &g->program->kernel) return NULL;
  const argument_t *sampler = random_argument_of(g, ARGUMENT_SAMPLER, ARGUMENT_LITERAL_SAMPLER);
  if (sampler && (!sampler_fits(sampler, image) || random_chance(g, 20))) sampler = NULL;
  expression_t *read =
      new_expression(g, EXPR_READ_IMAGE, type_number(scalars[test_pixel_kind(&image->pixels.format)], 4));
  read->variable = image->parameter;
  read->sampler = sampler ? sampler->parameter->argument : -1;
  read->operands[read->operand_count++] = random_coordinates(g, image, sampler, depth);
  return read;
}
