/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * SPV_KHR_shader_clock: there is one clock, whatever the scope. */
#include "compiler/spirv/importer.h"

static LLVMValueRef read_clock(importer_t *im, const instruction_t *in, uint32_t data) {
  (void)data;
  LLVMTypeRef type = result_type(im, in), scalar = scalar_type(type);
  uint64_t scope = constant_number(im, in->words[3]);
  need(im, scope == SpvScopeDevice || scope == SpvScopeWorkgroup || scope == SpvScopeSubgroup,
       "the scope is the device, the work-group or the sub-group");
  if (is_int(type) && !is_vector(type) && LLVMGetIntTypeWidth(scalar) == 64) {
    return call_builtin(im, "clock_read_device", type, NULL, 0);
  }
  need(im, is_int(type) && vector_size(type) == 2 && LLVMGetIntTypeWidth(scalar) == 32,
       "an integer of 64 bits or two of 32 are wanted");
  return call_builtin(im, "clock_read_hilo_device", type, NULL, 0);
}

static const rule_t table[] = {{SpvOpReadClockKHR, 4, read_clock, 0}};
RULES(clock_rules, table);
