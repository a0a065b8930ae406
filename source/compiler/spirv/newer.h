/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Numbers of the SPIR-V registry that the packaged headers are too old for. */
#ifndef COMPILER_SPIRV_NEWER_H
#define COMPILER_SPIRV_NEWER_H

enum {
  newer_op_fma_khr = 4427,
  newer_op_poison_khr = 5158,
  newer_op_freeze_khr = 5159,
  newer_op_convert_f_to_bf16_intel = 6116,
  newer_op_convert_bf16_to_f_intel = 6117,
  newer_op_arithmetic_fence_ext = 6145,
  newer_op_round_f_to_tf32_intel = 6426,
  newer_capability_poison_freeze_khr = 5156,
  newer_capability_fma_khr = 6030,
  newer_capability_float_controls_2 = 6029,
  newer_capability_bfloat16_type_khr = 5116,
  newer_capability_arithmetic_fence_ext = 6144,
  newer_capability_bfloat16_conversion_intel = 6115,
  /** What the translator from LLVM still writes for the capabilities 6187 and 6189, and the decorations 6188, 6190 and
   * 6191, from before these had numbers. */
  newer_capability_global_variable_decorations_intel = 6146,
  newer_decoration_early_host_access_intel = 6147,
  newer_decoration_early_init_mode_intel = 6148,
  newer_decoration_early_implement_in_csr_intel = 6149,
  newer_decoration_host_access_intel = 6188,
  newer_mode_fast_math_default = 6028,
  newer_mode_maximum_registers_intel = 6461,
  newer_mode_maximum_registers_id_intel = 6462,
  newer_mode_named_maximum_registers_intel = 6463,
};

#endif
