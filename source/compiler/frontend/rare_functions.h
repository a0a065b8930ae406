/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: functions that Clang does not declare, and few programs call: only those that name one of them get this
 * file. Those of cl_intel_subgroups and its kin for long, short and char; cl_khr_work_group_uniform_arithmetic;
 * cl_intel_bfloat16_conversions. */
#define __quern_function __attribute__((overloadable, convergent))

#ifdef cl_intel_subgroups
#define __quern_shuffles(T)                                                  \
  T __quern_function intel_sub_group_shuffle(T, uint);                       \
  T __quern_function intel_sub_group_shuffle_xor(T, uint);                   \
  T __quern_function intel_sub_group_shuffle_up(T, T, uint); \
  T __quern_function intel_sub_group_shuffle_down(T, T, uint);
#define __quern_vector_shuffles(T) \
  __quern_shuffles(T) __quern_shuffles(T##2) __quern_shuffles(T##3) __quern_shuffles(T##4) __quern_shuffles(T##8) \
  __quern_shuffles(T##16)
__quern_vector_shuffles(int)
__quern_vector_shuffles(uint)
__quern_vector_shuffles(float)
#ifdef cl_intel_subgroups_short
__quern_vector_shuffles(short)
__quern_vector_shuffles(ushort)
#endif
#ifdef cl_intel_subgroups_char
__quern_vector_shuffles(char)
__quern_vector_shuffles(uchar)
#endif
__quern_shuffles(long)
__quern_shuffles(ulong)
#ifdef cl_khr_fp64
__quern_shuffles(double)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__quern_shuffles(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif

#define __quern_arithmetic(T)                              \
  T __quern_function intel_sub_group_broadcast(T, uint);  \
  T __quern_function intel_sub_group_reduce_add(T);         \
  T __quern_function intel_sub_group_reduce_min(T);         \
  T __quern_function intel_sub_group_reduce_max(T);         \
  T __quern_function intel_sub_group_scan_inclusive_add(T); \
  T __quern_function intel_sub_group_scan_inclusive_min(T); \
  T __quern_function intel_sub_group_scan_inclusive_max(T); \
  T __quern_function intel_sub_group_scan_exclusive_add(T); \
  T __quern_function intel_sub_group_scan_exclusive_min(T); \
  T __quern_function intel_sub_group_scan_exclusive_max(T);
#ifdef cl_intel_subgroups_short
__quern_arithmetic(short)
__quern_arithmetic(ushort)
#endif
#ifdef cl_intel_subgroups_char
__quern_arithmetic(char)
__quern_arithmetic(uchar)
#endif

#define __quern_block(T, suffix, n)                                                      \
  T##n __quern_function intel_sub_group_block_read##suffix##n(const __global T *);       \
  void __quern_function intel_sub_group_block_write##suffix##n(__global T *, T##n);
#define __quern_image_block(T, suffix, n)                                                \
  T##n __quern_function intel_sub_group_block_read##suffix##n(read_only image2d_t, int2); \
  void __quern_function intel_sub_group_block_write##suffix##n(write_only image2d_t, int2, T##n);
#define __quern_read_write_block(T, suffix, n)                                           \
  T##n __quern_function intel_sub_group_block_read##suffix##n(read_write image2d_t, int2); \
  void __quern_function intel_sub_group_block_write##suffix##n(read_write image2d_t, int2, T##n);
#define __quern_each_count(M, T, suffix) M(T, suffix, ) M(T, suffix, 2) M(T, suffix, 4) M(T, suffix, 8)
#ifdef cl_intel_subgroups_short
#define __quern_each_short(M) __quern_each_count(M, ushort, _us) M(ushort, _us, 16)
#else
#define __quern_each_short(M)
#endif
#ifdef cl_intel_subgroups_char
#define __quern_each_char(M) __quern_each_count(M, uchar, _uc) M(uchar, _uc, 16)
#else
#define __quern_each_char(M)
#endif
#define __quern_each_block(M) __quern_each_count(M, uint, ) __quern_each_count(M, uint, _ui) \
  __quern_each_count(M, ulong, _ul) __quern_each_short(M) __quern_each_char(M)
__quern_each_block(__quern_block)
#ifdef __IMAGE_SUPPORT__
__quern_each_block(__quern_image_block)
#if defined(__opencl_c_read_write_images) || (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
__quern_each_block(__quern_read_write_block)
#endif
#endif

#undef __quern_shuffles
#undef __quern_vector_shuffles
#undef __quern_block
#undef __quern_image_block
#undef __quern_read_write_block
#undef __quern_each_count
#undef __quern_each_short
#undef __quern_each_char
#undef __quern_each_block
#undef __quern_arithmetic
#endif

#ifdef cl_khr_work_group_uniform_arithmetic
#define __quern_combination(T, name)                       \
  T __quern_function work_group_reduce_##name(T);         \
  T __quern_function work_group_scan_inclusive_##name(T); \
  T __quern_function work_group_scan_exclusive_##name(T);
#define __quern_combinations(T) __quern_combination(T, mul) __quern_combination(T, and) __quern_combination(T, or) \
  __quern_combination(T, xor)
__quern_combinations(int)
__quern_combinations(uint)
__quern_combinations(long)
__quern_combinations(ulong)
__quern_combination(float, mul)
#ifdef cl_khr_fp64
__quern_combination(double, mul)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__quern_combination(half, mul)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
__quern_combination(int, logical_and)
__quern_combination(int, logical_or)
__quern_combination(int, logical_xor)
#undef __quern_combination
#undef __quern_combinations
#endif

#ifdef cl_intel_bfloat16_conversions
#define __quern_conversions(n)                                                                               \
  ushort##n __attribute__((overloadable, const)) intel_convert_bfloat16##n##_as_ushort##n(float##n); \
  float##n __attribute__((overloadable, const)) intel_convert_as_bfloat16##n##_float##n(ushort##n);
__quern_conversions() __quern_conversions(2) __quern_conversions(3) __quern_conversions(4) __quern_conversions(8)
__quern_conversions(16)
#undef __quern_conversions
#endif

#undef __quern_function
