/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Types, operators and functions of OpenCL C. */
#include "words.h"

#include <string.h>

#define CLASS(name, ...)                           \
  static const char *const name[] = {__VA_ARGS__}; \
  enum { name##_count = sizeof name / sizeof name[0] }
#define EXPORT(public_name, name) const word_class_t public_name = {name, name##_count}

/* ------------------------------------------------------------ types */

CLASS(types, "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half", "bool",
      "size_t", "ptrdiff_t", "char2", "uchar4", "uchar16", "short8", "ushort3", "int2", "int3", "int4", "int8", "int16",
      "uint2", "uint4", "uint16", "long2", "long3", "ulong4", "long8", "ulong16", "float2", "float3", "float4",
      "float8", "float16", "double2", "double3", "double4", "double16", "half2", "half4", "half16", "char3", "void",
      "unsigned", "unsigned char", "long long", "atomic_int", "atomic_uint", "intptr_t");
CLASS(types_opaque, "image1d_t", "image1d_buffer_t", "image1d_array_t", "image2d_t", "image2d_array_t",
      "image2d_depth_t", "image2d_array_depth_t", "image3d_t", "sampler_t", "event_t", "pipe int", "queue_t",
      "reserve_id_t", "clk_event_t", "ndrange_t", "image2d_msaa_t");
EXPORT(word_types, types);
EXPORT(word_types_opaque, types_opaque);

static const char *const stems[] = {"char", "uchar", "short", "ushort", "int", "uint",
                                    "long", "ulong", "float", "double", "half"};

bool word_is_type(const token_t *token, size_t *out_stem) {
  static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
  for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
    const size_t length = strlen(stems[i]);
    if (token->length < length || memcmp(token->text, stems[i], length) != 0) continue;
    const token_t rest = {token->text + length, token->length - (uint32_t)length, token->kind};
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
      *out_stem = length;
      if (token_is(&rest, widths[k])) return true;
    }
  }
  return false;
}

/* ------------------------------------------------------------ words around declarations */

CLASS(spaces, "global", "local", "constant", "private", "generic", "__global", "__local", "__constant", "__private",
      "__generic", "__read_only", "read_only", "write_only", "read_write", "__write_only");
CLASS(qualifiers, "const", "volatile", "restrict", "static", "inline", "extern", "unsigned", "signed", "register",
      "typedef", "struct", "union", "enum", "kernel", "__kernel", "static inline", "const volatile");
EXPORT(word_spaces, spaces);
EXPORT(word_qualifiers, qualifiers);

/* What fits no place is an error of the program, and wanted too. */
CLASS(attributes, "__attribute__((reqd_work_group_size(8, 8, 1)))", "__attribute__((reqd_work_group_size(64, 1, 1)))",
      "__attribute__((reqd_work_group_size(1, 1, 1)))", "__attribute__((reqd_work_group_size(1024, 4, 3)))",
      "__attribute__((reqd_work_group_size(0, 1, 1)))", "__attribute__((work_group_size_hint(16, 4, 1)))",
      "__attribute__((vec_type_hint(float4)))", "__attribute__((intel_reqd_sub_group_size(8)))",
      "__attribute__((intel_reqd_sub_group_size(16)))", "__attribute__((intel_reqd_sub_group_size(3)))",
      "__attribute__((opencl_unroll_hint))", "__attribute__((opencl_unroll_hint(7)))",
      "__attribute__((opencl_unroll_hint(100000)))", "__attribute__((aligned(64)))", "__attribute__((aligned(4096)))",
      "__attribute__((aligned))", "__attribute__((packed))", "__attribute__((endian(host)))",
      "__attribute__((noinline))", "__attribute__((always_inline))", "__attribute__((overloadable))",
      "__attribute__((nosvm))", "__attribute__((const))", "__attribute__((pure))", "__attribute__((weak))",
      "__attribute__((optnone))", "__attribute__((flatten))", "__attribute__((cold))", "__attribute__((convergent))",
      "__attribute__((noduplicate))", "__attribute__((used))", "__attribute__((unused))", "__attribute__((noreturn))",
      "__attribute__((naked))", "__attribute__((section(\"s\")))", "__attribute__((visibility(\"hidden\")))",
      "__attribute__((alias(\"k\")))", "__attribute__((constructor))", "__attribute__((cleanup(f)))",
      "__attribute__((may_alias))", "__attribute__((vector_size(16)))", "__attribute__((ext_vector_type(5)))",
      "__attribute__((ext_vector_type(3)))", "__attribute__((address_space(3)))", "__attribute__((mode(QI)))",
      "__attribute__((transparent_union))", "__attribute__((disable_tail_calls))",
      "__attribute__((target(\"avx512f\")))", "__attribute__((regcall))", "__attribute__((vectorcall))",
      "__attribute__((ms_abi))", "__attribute__((nothrow))", "__attribute__((assume_aligned(32)))",
      "__attribute__((device_kernel))", "__attribute__((spir_kernel))", "__attribute__((minsize))");
EXPORT(word_attributes, attributes);

CLASS(pragmas, "#pragma unroll\n", "#pragma unroll 1\n", "#pragma unroll 13\n", "#pragma unroll 4096\n",
      "#pragma nounroll\n", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
      "#pragma OPENCL EXTENSION cl_khr_fp64 : disable\n", "#pragma OPENCL EXTENSION all : disable\n",
      "#pragma OPENCL FP_CONTRACT OFF\n", "#pragma OPENCL FP_CONTRACT ON\n",
      "#pragma clang loop vectorize(enable) interleave_count(4)\n", "#pragma clang loop unroll(full)\n",
      "#pragma clang loop distribute(enable)\n", "#pragma clang loop vectorize_width(3)\n",
      "#pragma clang fp contract(fast) reassociate(on)\n", "#pragma STDC FENV_ACCESS ON\n", "#pragma pack(1)\n",
      "#pragma pack()\n", "#pragma clang optimize off\n", "#pragma GCC visibility push(hidden)\n", "#undef float\n",
      "#define int long\n", "#define float double\n", "#define global local\n", "#if 0\n", "#else\n", "#endif\n",
      "#line 2147483647\n", "#include __FILE__\n");
EXPORT(word_pragmas, pragmas);

/* ------------------------------------------------------------ numbers and operators */

CLASS(constants, "0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "33", "63", "64", "65", "127", "128", "255",
      "256", "1023", "1024", "4096", "65535", "65536", "1048576", "2147483647", "2147483648", "0x80000000",
      "0xffffffff", "4294967296L", "0x7fffffffffffffff", "0x8000000000000000UL", "0xffffffffffffffffUL", "-1", "-2",
      "0.0f", "-0.0f", "1.0f", "0.5f", "1e-38f", "1e-45f", "3.4e38f", "1e40f", "0x1p-149f", "1.0", "1e300", "1e-320",
      "INFINITY", "NAN", "-INFINITY", "1.0h", "65504.0h", "1u", "3ul", "'a'", "true", "CHAR_MIN", "INT_MIN", "LONG_MIN",
      "FLT_MAX", "DBL_MIN", "M_PI_F");
EXPORT(word_constants, constants);

CLASS(binary, "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "&&", "||", ",");
CLASS(assigning, "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=");
CLASS(stepping, "++", "--");
CLASS(unary, "!", "~");
EXPORT(word_operators, binary);

/* ------------------------------------------------------------ functions */

CLASS(items, "get_global_id", "get_local_id", "get_group_id", "get_global_size", "get_local_size", "get_num_groups",
      "get_global_offset", "get_enqueued_local_size");
CLASS(items_all, "get_work_dim", "get_sub_group_local_id", "get_sub_group_id", "get_sub_group_size",
      "get_num_sub_groups", "get_max_sub_group_size", "get_global_linear_id", "get_local_linear_id");
CLASS(maths, "sin", "cos", "tan", "exp", "exp2", "log", "sqrt", "rsqrt", "fabs", "floor", "ceil", "rint", "trunc",
      "round", "erf", "tgamma", "lgamma", "cbrt", "asin", "atanh", "native_sin", "native_exp", "half_log",
      "native_recip", "sinpi", "expm1", "logb", "degrees", "sign", "radians", "abs", "clz", "ctz", "popcount",
      "normalize", "length");
CLASS(maths_two, "pow", "atan2", "fmod", "remainder", "hypot", "fmin", "fmax", "copysign", "nextafter", "fdim", "min",
      "max", "step", "dot", "cross", "distance", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate", "abs_diff",
      "mul24", "powr", "native_divide", "maxmag", "upsample", "ldexp", "pown", "rootn");
CLASS(maths_three, "fma", "mad", "mix", "clamp", "smoothstep", "mad24", "mad_hi", "mad_sat", "bitselect", "select",
      "mad24");
CLASS(relations, "isnan", "isinf", "isfinite", "isnormal", "signbit", "any", "all", "isequal", "isless", "isordered",
      "isgreaterequal", "islessgreater");
CLASS(waits, "barrier", "work_group_barrier", "sub_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence");
CLASS(groups, "work_group_reduce_add", "work_group_scan_inclusive_add", "work_group_scan_exclusive_max",
      "work_group_any", "work_group_all", "sub_group_reduce_add", "sub_group_scan_inclusive_min", "sub_group_any",
      "sub_group_all", "sub_group_elect", "sub_group_reduce_max", "sub_group_ballot",
      "sub_group_non_uniform_reduce_add", "work_group_reduce_min");
CLASS(groups_two, "work_group_broadcast", "sub_group_broadcast", "sub_group_shuffle", "sub_group_shuffle_xor",
      "sub_group_shuffle_up", "sub_group_shuffle_down", "sub_group_rotate", "sub_group_clustered_reduce_add",
      "sub_group_non_uniform_broadcast", "intel_sub_group_shuffle");
CLASS(atomics, "atomic_add", "atomic_sub", "atomic_xchg", "atomic_min", "atomic_max", "atomic_and", "atomic_or",
      "atomic_xor", "atom_add", "atomic_fetch_add", "atomic_store", "atomic_exchange", "atomic_fetch_max");
CLASS(atomics_one, "atomic_inc", "atomic_dec", "atom_inc", "atomic_load", "atomic_flag_test_and_set");
CLASS(reads, "read_imagef", "read_imagei", "read_imageui", "read_imageh");
CLASS(writes, "write_imagef", "write_imagei", "write_imageui", "write_imageh");
CLASS(queries, "get_image_width", "get_image_height", "get_image_depth", "get_image_dim", "get_image_array_size",
      "get_image_channel_order", "get_image_channel_data_type", "get_image_num_mip_levels");
CLASS(loads, "vload2", "vload3", "vload4", "vload8", "vload16", "vload_half", "vload_half4", "vloada_half8",
      "vloada_half3");
CLASS(stores, "vstore2", "vstore3", "vstore4", "vstore8", "vstore16", "vstore_half", "vstore_half4", "vstorea_half8",
      "vstore_half3_rte");
CLASS(conversions, "convert_char", "convert_uchar_sat", "convert_short", "convert_int", "convert_uint_sat_rte",
      "convert_long", "convert_float", "convert_double", "convert_half", "convert_int4", "convert_uchar4_sat",
      "convert_float4", "convert_float8_rtz", "convert_ushort16_sat", "convert_half4", "as_int", "as_uint", "as_float",
      "as_int4", "as_float4", "as_uchar4", "as_double", "as_long2", "as_short8", "as_char16", "as_half2", "as_int3");
CLASS(members, "x", "y", "z", "w", "xy", "xyz", "wzyx", "xxxx", "lo", "hi", "even", "odd", "s0", "s7", "sF",
      "s01234567", "sfedcba9876543210", "rgba", "s00112233");
CLASS(flow, "if", "while", "switch");
CLASS(leaving, "break", "continue", "return");
CLASS(scopes, "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_IMAGE_MEM_FENCE", "memory_order_relaxed",
      "memory_order_acq_rel", "memory_order_seq_cst", "memory_scope_work_group", "memory_scope_device",
      "memory_scope_all_svm_devices", "memory_scope_sub_group");
CLASS(samplers, "CLK_ADDRESS_NONE", "CLK_ADDRESS_CLAMP", "CLK_ADDRESS_REPEAT", "CLK_ADDRESS_MIRRORED_REPEAT",
      "CLK_FILTER_NEAREST", "CLK_FILTER_LINEAR", "CLK_NORMALIZED_COORDS_TRUE", "CLK_NORMALIZED_COORDS_FALSE",
      "CLK_ADDRESS_CLAMP_TO_EDGE");

#define ROW(name) {name, name##_count}
static const word_class_t classes[] = {
    ROW(spaces),  ROW(binary),    ROW(assigning),   ROW(stepping),  ROW(unary),    ROW(items),       ROW(items_all),
    ROW(maths),   ROW(maths_two), ROW(maths_three), ROW(relations), ROW(waits),    ROW(groups),      ROW(groups_two),
    ROW(atomics), ROW(reads),     ROW(writes),      ROW(queries),   ROW(loads),    ROW(stores),      ROW(conversions),
    ROW(members), ROW(flow),      ROW(leaving),     ROW(scopes),    ROW(samplers), ROW(atomics_one), ROW(qualifiers),
};

const char *word_pick(const word_class_t *words, random_t *random) {
  return words->words[random_below(random, words->count)];
}

const word_class_t *word_class_of(const token_t *token) {
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    for (size_t k = 0; k < classes[i].count; k++) {
      if (token_is(token, classes[i].words[k])) return &classes[i];
    }
  }
  return NULL;
}
