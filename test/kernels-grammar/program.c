/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A program's memory, and walking over its statements. */
#include "program.h"

#include <stdlib.h>

struct arena_block_t {
  struct arena_block_t *next;
  size_t used, size;
  _Alignas(128) unsigned char data[];
};

void *program_allocate(program_t *program, size_t size) {
  struct arena_block_t *block = program->arena.blocks;
  size = (size + 127) / 128 * 128;
  if (!block || block->used + size > block->size) {
    size_t capacity = size > 1 << 18 ? size : 1 << 18;
    size_t bytes = (sizeof(*block) + capacity + 127) / 128 * 128;
    block = aligned_alloc(128, bytes);
    if (!block) abort();
    memset(block, 0, bytes);
    block->next = program->arena.blocks;
    block->size = capacity;
    program->arena.blocks = block;
  }
  void *memory = block->data + block->used;
  block->used += size;
  return memory;
}

void program_free(program_t *program) {
  while (program->arena.blocks) {
    struct arena_block_t *next = program->arena.blocks->next;
    free(program->arena.blocks);
    program->arena.blocks = next;
  }
}

static void visit_block(block_t *block, void (*visit)(statement_t *, void *), void *data) {
  for (unsigned i = 0; i < block->count; i++) {
    statement_t *statement = block->statements[i];
    visit(statement, data);
    for (unsigned j = 0; j < 2; j++) visit_block(&statement->blocks[j], visit, data);
    for (unsigned j = 0; j < statement->case_count; j++) {
      visit_block(&statement->cases[j].body, visit, data);
      visit_block(&statement->stages[j], visit, data);
    }
  }
}

void program_visit(program_t *program, void (*visit)(statement_t *statement, void *data), void *data) {
  for (unsigned i = 0; i < program->function_count; i++) visit_block(&program->functions[i]->body, visit, data);
  visit_block(&program->kernel.body, visit, data);
}
