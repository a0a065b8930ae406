/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * OpenCL C: the functions of cl_intel_subgroups and cl_intel_subgroups_long, which Clang does not declare by itself.
 * Only programs that name one of them get this file. */
#define __quern_function __attribute__((overloadable, convergent))

#define __quern_shuffles(T)                                                  \
  T __quern_function intel_sub_group_shuffle(T, uint);                       \
  T __quern_function intel_sub_group_shuffle_xor(T, uint);                   \
  T __quern_function intel_sub_group_shuffle_up(T previous, T current, uint); \
  T __quern_function intel_sub_group_shuffle_down(T current, T next, uint);
#define __quern_vector_shuffles(T) \
  __quern_shuffles(T) __quern_shuffles(T##2) __quern_shuffles(T##3) __quern_shuffles(T##4) __quern_shuffles(T##8) \
  __quern_shuffles(T##16)
__quern_vector_shuffles(int)
__quern_vector_shuffles(uint)
__quern_vector_shuffles(float)
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
#define __quern_each_block(M) __quern_each_count(M, uint, ) __quern_each_count(M, uint, _ui) \
  __quern_each_count(M, ulong, _ul)
__quern_each_block(__quern_block)
#ifdef __IMAGE_SUPPORT__
__quern_each_block(__quern_image_block)
#if defined(__opencl_c_read_write_images) || (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
__quern_each_block(__quern_read_write_block)
#endif
#endif

#undef __quern_function
#undef __quern_shuffles
#undef __quern_vector_shuffles
#undef __quern_block
#undef __quern_image_block
#undef __quern_read_write_block
#undef __quern_each_count
#undef __quern_each_block
