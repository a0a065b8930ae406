/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpExtInst: to the set that the instruction names. */
#include "compiler/spirv/debug_info.h"

static LLVMValueRef extended(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  import_id_t *set = id_at(im, in->words[3]);
  if (set->kind != id_set) import_fail(im, "%%%u is no set of instructions", in->words[3]);
  if (set->parts == set_ignored) {
    id_at(im, in->result)->kind = id_string; /* only others of its kind refer to it */
    return NULL;
  }
  if (set->parts == set_opencl_debug || set->parts == set_shader_debug) {
    debug_instruction(im, in, (set_e)set->parts);
    return NULL;
  }
  if (!im->function) import_fail(im, "this instruction stands in functions");
  return import_opencl_std(im, in);
}

static const rule_t table[] = {{SpvOpExtInst, 5, extended, 0}};
RULES(extension_rules, table);
