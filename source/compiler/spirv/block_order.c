/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The order in which the blocks of a function are imported. SPIR-V wants blocks behind those that dominate them; the
 * translator of LLVM 15 writes loops whose first block stands behind others of the loop. */
#include "compiler/spirv/importer.h"

typedef struct block_t {
  block_words_t words;
  /** What ends it; OpNop when that branches nowhere. */
  instruction_t branch;
  /** A block that is reached branches here; none of those before it does. */
  bool is_reached, is_late;
  bool is_placed;
} block_t;

typedef struct order_t {
  importer_t *im;
  block_t *blocks;
  size_t count;
} order_t;

/** Which words of a branch are labels. */
typedef struct labels_t {
  uint32_t first, end, step;
} labels_t;

static bool is_branch(SpvOp opcode) {
  return opcode == SpvOpBranch || opcode == SpvOpBranchConditional || opcode == SpvOpSwitch;
}

/* Literals of a switch are as wide as its selector. */
static bool has_wide_cases(importer_t *im, const instruction_t *in) {
  const import_id_t *type = id_at(im, id_at(im, operand_word(im, in, 1))->type);
  return type->kind == id_type && is_int(type->llvm.type) && LLVMGetIntTypeWidth(scalar_type(type->llvm.type)) > 32;
}

static labels_t labels_of(importer_t *im, const instruction_t *in) {
  switch (in->opcode) {
    case SpvOpBranch: return (labels_t){1, 2, 1};
    case SpvOpBranchConditional: return (labels_t){2, 4, 1};
    case SpvOpSwitch: return (labels_t){2, in->count, has_wide_cases(im, in) ? 3 : 2};
    default: return (labels_t){0, 0, 1};
  }
}

/* Null for what is no block of this function; the branch is refused when it is imported. */
static block_t *block_of(const order_t *order, uint32_t id) {
  const import_id_t *entry = id_at(order->im, id);
  if (entry->kind != id_block || LLVMGetBasicBlockParent(entry->llvm.block) != order->im->function) return NULL;
  return &order->blocks[entry->parts];
}

/* Where the block branches to, at most `branch.count` places; the last one comes first. */
static size_t targets_of(const order_t *order, const block_t *block, block_t **targets) {
  size_t count = 0;
  order->im->current = &block->branch;
  labels_t labels = labels_of(order->im, &block->branch);
  for (uint32_t i = labels.first; i < labels.end; i += labels.step) {
    block_t *target = i < block->branch.count ? block_of(order, block->branch.words[i]) : NULL;
    if (target) targets[count++] = target;
  }
  order->im->current = NULL;
  for (size_t i = 0; i < count / 2; i++) {
    block_t *target = targets[i];
    targets[i] = targets[count - 1 - i];
    targets[count - 1 - i] = target;
  }
  return count;
}

static void find_blocks(order_t *order, const uint32_t *words, const uint32_t *end) {
  for (const uint32_t *w = words; w < end; w += w[0] >> SpvWordCountShift) {
    instruction_t in = read_instruction(w);
    if (in.opcode == SpvOpLabel) {
      id_at(order->im, in.result)->parts = (uint32_t)order->count;
      order->blocks[order->count++].words.begin = w;
    }
    block_t *block = &order->blocks[order->count - 1];
    if (is_branch(in.opcode)) block->branch = in;
    block->words.end = w + in.count;
  }
}

/* Each block that can be reached has a predecessor before it. A path of such predecessors leads to the first block, and
 * what dominates a block is on that path. */
static bool is_ordered(const order_t *order, block_t **targets) {
  order->blocks[0].is_reached = true;
  for (size_t i = 0; i < order->count; i++) {
    block_t *block = &order->blocks[i];
    block->is_late = !block->is_reached;
    size_t count = block->is_reached ? targets_of(order, block, targets) : 0;
    for (size_t t = 0; t < count; t++) {
      if (targets[t]->is_late) return false;
      targets[t]->is_reached = true;
    }
  }
  return true;
}

/* Depth first, from the first block. Blocks that are not reached come last, as they stand. */
static void place(const order_t *order, block_t **stack, block_words_t *out) {
  size_t depth = 0, placed = 0;
  stack[depth++] = &order->blocks[0];
  while (depth > 0) {
    block_t *block = stack[--depth];
    if (block->is_placed) continue;
    block->is_placed = true;
    out[placed++] = block->words;
    depth += targets_of(order, block, stack + depth);
  }
  for (size_t i = 0; i < order->count; i++) {
    if (!order->blocks[i].is_placed) out[placed++] = order->blocks[i].words;
  }
}

block_words_t *blocks_in_order(importer_t *im, const uint32_t *words, const uint32_t *end, size_t block_count) {
  order_t order = {.im = im, .blocks = import_alloc(im, block_count, sizeof(block_t))};
  /* No more targets than words. */
  block_t **targets = import_alloc(im, (size_t)(end - words) + 1, sizeof(block_t *));
  block_words_t *out = import_alloc(im, block_count, sizeof(*out));
  find_blocks(&order, words, end);
  if (!is_ordered(&order, targets)) {
    place(&order, targets, out);
    return out;
  }
  for (size_t i = 0; i < block_count; i++) out[i] = order.blocks[i].words;
  return out;
}
