/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Modules that are large in one way: what a compilation takes grows with them, or they are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "test_il.h"

enum {
  /** Each build, of the processor's time: the machine does other things too. */
  allowed_seconds = 10,
  allowed_kib = 1 << 20,
};

/* ------------------------------------------------------------ modules */

/** A module's text while it is written. */
typedef struct draft_t {
  FILE *file;
  char *text;
  size_t size;
} draft_t;

static const char capabilities[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\n";

static const char types[] =
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"
    "%pg = OpTypePointer CrossWorkgroup %uint\n%kt = OpTypeFunction %void %pg\n"
    "%uint_0 = OpConstant %uint 0\n%uint_1 = OpConstant %uint 1\n%ulong_0 = OpConstant %ulong 0\n";

static const char kernel_head[] = "%k = OpFunction %void None %kt\n%p = OpFunctionParameter %pg\n%entry = OpLabel\n";

static const char kernel_tail[] = "OpReturn\nOpFunctionEnd\n";

static void begin_plain(draft_t *draft) {
  draft->file = open_memstream(&draft->text, &draft->size);
  assert_non_null(draft->file);
  fputs(capabilities, draft->file);
}

/* With the kernel "k", which takes a pointer. */
static FILE *begin(draft_t *draft) {
  begin_plain(draft);
  fputs("OpEntryPoint Kernel %k \"k\"\n", draft->file);
  fputs(types, draft->file);
  return draft->file;
}

static struct rusage usage_now(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage;
}

static double seconds_of(const struct rusage *usage) {
  const struct timeval *user = &usage->ru_utime, *system = &usage->ru_stime;
  return (double)(user->tv_sec + system->tv_sec) + 1e-6 * (double)(user->tv_usec + system->tv_usec);
}

/* Builds the module, which is refused with `refusal` in the log unless that is null. */
static void build(draft_t *draft, const char *refusal) {
  size_t size = 0;
  fclose(draft->file);
  void *il = test_assemble_il(draft->text, &size);
  free(draft->text);
  cl_program program = test_create_with_il(il, size);
  struct rusage before = usage_now();
  cl_int error = clBuildProgram(program, 1, &dut.device, NULL, NULL, NULL);
  struct rusage after = usage_now();
  double seconds = seconds_of(&after) - seconds_of(&before);
  long grown = after.ru_maxrss - before.ru_maxrss;
  char *log = test_build_log(program);
  bool is_expected = refusal ? error == CL_BUILD_PROGRAM_FAILURE && strstr(log, refusal) : !error;
  print_message("%.2f s, %ld KiB: %s\n", seconds, grown, test_error_name(error));
  if (!is_expected) print_error("%.200s\n", log);
  free(log);
  free(il);
  ASSERT_CL(clReleaseProgram(program));
  assert_true(is_expected);
  assert_true(seconds <= allowed_seconds);
  assert_true(grown <= allowed_kib);
}

/* ------------------------------------------------------------ constants */

/* Sums of addresses, which only a linker knows, each of the one before. */
static void nest_constants(unsigned count, const char *refusal) {
  draft_t draft;
  FILE *file = begin(&draft);
  fputs(
      "%pgl = OpTypePointer CrossWorkgroup %ulong\n"
      "%g = OpVariable %pgl CrossWorkgroup %ulong_0\n%h = OpVariable %pgl CrossWorkgroup %ulong_0\n"
      "%i0 = OpSpecConstantOp %ulong ConvertPtrToU %g\n%j = OpSpecConstantOp %ulong ConvertPtrToU %h\n",
      file);
  for (unsigned i = 1; i <= count; i++) {
    fprintf(file, "%%i%u = OpSpecConstantOp %%ulong %s %%i%u %%j\n", i, i % 2 ? "IAdd" : "BitwiseXor", i - 1);
  }
  fprintf(file, "%s%%r = OpUConvert %%uint %%i%u\nOpStore %%p %%r Aligned 4\n%s", kernel_head, count, kernel_tail);
  build(&draft, refusal);
}

static void constants_nest_to_a_limit(void **state) {
  (void)state;
  nest_constants(250, NULL);
  nest_constants(20000, "constants are nested more than 255 deep");
}

/* The same sums in a function, where LLVM makes constants of them as well. */
static void sums_of_addresses_in_a_function(void **state) {
  (void)state;
  draft_t draft;
  FILE *file = begin(&draft);
  fputs(
      "%pgl = OpTypePointer CrossWorkgroup %ulong\n"
      "%g = OpVariable %pgl CrossWorkgroup %ulong_0\n%h = OpVariable %pgl CrossWorkgroup %ulong_0\n",
      file);
  fputs(kernel_head, file);
  fputs("%i0 = OpConvertPtrToU %ulong %g\n%j = OpConvertPtrToU %ulong %h\n", file);
  for (unsigned i = 1; i <= 20000; i++) {
    fprintf(file, "%%i%u = %s %%ulong %%i%u %%j\n", i, i % 2 ? "OpIAdd" : "OpBitwiseXor", i - 1);
  }
  fprintf(file, "%%r = OpUConvert %%uint %%i20000\nOpStore %%p %%r Aligned 4\n%s", kernel_tail);
  build(&draft, "constants are nested more than 255 deep");
}

/* Steps through a variable, as of a loop that was unrolled. */
static void steps_through_a_variable(void **state) {
  (void)state;
  draft_t draft;
  FILE *file = begin(&draft);
  fputs(
      "%length = OpConstant %uint 2000\n%array = OpTypeArray %uint %length\n"
      "%pga = OpTypePointer CrossWorkgroup %array\n%null = OpConstantNull %array\n"
      "%v = OpVariable %pga CrossWorkgroup %null\n",
      file);
  fputs(kernel_head, file);
  fputs("%i0 = OpInBoundsAccessChain %pg %v %uint_0\n", file);
  for (unsigned i = 1; i < 2000; i++) {
    fprintf(file, "OpStore %%i%u %%uint_1 Aligned 4\n%%i%u = OpInBoundsPtrAccessChain %%pg %%i%u %%uint_1\n", i - 1, i,
            i - 1);
  }
  fputs(kernel_tail, file);
  build(&draft, NULL);
}

/* ------------------------------------------------------------ composites */

/* An array of this many numbers. */
static void write_array(FILE *file, unsigned count) {
  fprintf(file, "%%length = OpConstant %%uint %u\n%%array = OpTypeArray %%uint %%length\n", count);
}

static void construct_of(unsigned count, const char *member, const char *refusal) {
  draft_t draft;
  FILE *file = begin(&draft);
  write_array(file, count);
  fprintf(file, "%s%%x = OpLoad %%uint %%p Aligned 4\n%%v = OpCompositeConstruct %%array", kernel_head);
  for (unsigned i = 0; i < count; i++) fputs(i == 7 ? member : " %uint_1", file);
  fprintf(file, "\n%%r = OpCompositeExtract %%uint %%v 7\nOpStore %%p %%r Aligned 4\n%s", kernel_tail);
  build(&draft, refusal);
}

static void construction_of_many_constants(void **state) {
  (void)state;
  construct_of(20000, " %uint_0", NULL);
  construct_of(4096, " %x", NULL);
  construct_of(20000, " %x", "has too many parts");
}

static void copy_parts(unsigned times, const char *refusal) {
  draft_t draft;
  FILE *file = begin(&draft);
  fputs(
      "%one = OpTypeStruct %uint\n%other = OpTypeStruct %uint\n%length = OpConstant %uint 2048\n"
      "%ones = OpTypeArray %one %length\n%others = OpTypeArray %other %length\n"
      "%p_ones = OpTypePointer CrossWorkgroup %ones\n",
      file);
  fprintf(file, "%s%%q = OpBitcast %%p_ones %%p\n%%x = OpLoad %%ones %%q Aligned 4\n", kernel_head);
  for (unsigned i = 0; i < times; i++) fprintf(file, "%%v%u = OpCopyLogical %%others %%x\n", i);
  fputs(kernel_tail, file);
  build(&draft, refusal);
}

static void copies_of_many_parts(void **state) {
  (void)state;
  copy_parts(10, NULL);
  copy_parts(20000, "too many parts of composites are copied");
}

static void insertions_into_constants(void **state) {
  (void)state;
  draft_t draft;
  FILE *file = begin(&draft);
  write_array(file, 4000);
  fputs("%v0 = OpConstantNull %array\n", file);
  fputs(kernel_head, file);
  for (unsigned i = 1; i <= 20000; i++) {
    fprintf(file, "%%c%u = OpIAdd %%uint %%%s%u %%uint_1\n", i, i == 1 ? "uint_" : "c", i - 1);
    fprintf(file, "%%v%u = OpCompositeInsert %%array %%c%u %%v%u 7\n", i, i, i - 1);
  }
  fprintf(file, "%%r = OpCompositeExtract %%uint %%v20000 7\nOpStore %%p %%r Aligned 4\n%s", kernel_tail);
  build(&draft, "too many parts of composites are copied");
}

/* ------------------------------------------------------------ variables */

/* All of them on one built-in variable, which is loaded as often. */
static void loads_and_decorations(void **state) {
  (void)state;
  draft_t draft;
  enum { count = 60000 };
  begin_plain(&draft);
  FILE *file = draft.file;
  fputs("OpEntryPoint Kernel %k \"k\" %dimensions\nOpDecorate %dimensions BuiltIn WorkDim\n", file);
  for (unsigned i = 0; i < count; i++) fputs("OpDecorate %dimensions Volatile\n", file);
  fprintf(file, "%s%%pi = OpTypePointer Input %%uint\n%%dimensions = OpVariable %%pi Input\n%s", types, kernel_head);
  for (unsigned i = 0; i < count; i++) fprintf(file, "%%d%u = OpLoad %%uint %%dimensions Aligned 4\n", i);
  fprintf(file, "OpStore %%p %%d7 Aligned 4\n%s", kernel_tail);
  build(&draft, NULL);
}

/* Each asks many built-in variables for their addresses, as a compiler does that leaves the variables to the driver. */
static void addresses_of_builtin_variables(void **state) {
  (void)state;
  draft_t draft;
  enum { count = 20000, uses = 40 };
  begin_plain(&draft);
  FILE *file = draft.file;
  fputs("OpEntryPoint Kernel %k \"k\"\n", file);
  for (unsigned i = 0; i < count; i++) fprintf(file, "OpDecorate %%d%u BuiltIn WorkDim\n", i);
  fprintf(file, "%s%%pi = OpTypePointer Input %%uint\n", types);
  for (unsigned i = 0; i < count; i++) fprintf(file, "%%d%u = OpVariable %%pi Input\n", i);
  fputs(kernel_head, file);
  for (unsigned i = 0; i < count * uses; i++) fprintf(file, "%%c%u = OpCopyObject %%pi %%d%u\n", i, i % count);
  fprintf(file, "%%x = OpLoad %%uint %%c7 Aligned 4\nOpStore %%p %%x Aligned 4\n%s", kernel_tail);
  build(&draft, NULL);
}

/* The element at the index that is in memory, of a variable with this initial value, plus another that is stored. */
static void initialize_with(const char *constant) {
  draft_t draft;
  FILE *file = begin(&draft);
  write_array(file, 20000);
  fputs("%pf = OpTypePointer Function %uint\n%pfa = OpTypePointer Function %array\n", file);
  fprintf(file, "%%value = %s", constant);
  for (unsigned i = 0; !strcmp(constant, "OpConstantComposite %array") && i < 20000; i++) {
    fprintf(file, " %%uint_%u", i % 2);
  }
  fprintf(file,
          "\n%s%%v = OpVariable %%pfa Function %%value\n%%i = OpLoad %%uint %%p Aligned 4\n"
          "%%at = OpInBoundsAccessChain %%pf %%v %%i\n%%x = OpLoad %%uint %%at Aligned 4\n"
          "OpStore %%at %%uint_1 Aligned 4\n"
          "%%first = OpInBoundsAccessChain %%pf %%v %%uint_1\n%%y = OpLoad %%uint %%first Aligned 4\n"
          "%%sum = OpIAdd %%uint %%x %%y\nOpStore %%p %%sum Aligned 4\n%s",
          kernel_head, kernel_tail);
  build(&draft, NULL);
}

static void initial_values_of_many_parts(void **state) {
  (void)state;
  initialize_with("OpConstantNull %array");
  initialize_with("OpUndef %array");
  initialize_with("OpConstantComposite %array");
}

/* ------------------------------------------------------------ kernels */

/* %f with this many parameters. */
static void write_shared_function(FILE *file, unsigned parameters) {
  fputs(types, file);
  fputs("%ft = OpTypeFunction %void", file);
  for (unsigned i = 0; i < parameters; i++) fputs(" %uint", file);
  fputs("\n%f = OpFunction %void None %ft\n", file);
  for (unsigned i = 0; i < parameters; i++) fprintf(file, "%%p%u = OpFunctionParameter %%uint\n", i);
  fprintf(file, "%%entry = OpLabel\n%s", kernel_tail);
}

static void share_function(unsigned kernels, unsigned parameters, unsigned modes, const char *refusal) {
  draft_t draft;
  begin_plain(&draft);
  FILE *file = draft.file;
  for (unsigned i = 0; i < kernels; i++) fprintf(file, "OpEntryPoint Kernel %%f \"k%u\"\n", i);
  for (unsigned i = 0; i < modes; i++) fputs("OpExecutionMode %f ContractionOff\n", file);
  write_shared_function(file, parameters);
  build(&draft, refusal);
}

static void kernels_that_share_a_function(void **state) {
  (void)state;
  share_function(1, 255, 0, NULL);
  share_function(1, 256, 0, "256 parameters are more than 255");
  share_function(16, 255, 10, NULL);
  share_function(10000, 255, 0, "the entry points have too many parameters and modes");
  share_function(10000, 0, 10000, "the entry points have too many parameters and modes");
}

/* As the translator from LLVM writes them. */
static void names_of_types(void **state) {
  (void)state;
  draft_t draft;
  begin_plain(&draft);
  FILE *file = draft.file;
  for (unsigned i = 0; i < 300; i++) fprintf(file, "OpEntryPoint Kernel %%f \"%01000u\"\n", i);
  for (unsigned i = 0; i < 4096; i++) {
    fprintf(file, "%%s%u = OpString \"kernel_arg_type.%01000u.uint,\"\n", i, i + 300);
  }
  write_shared_function(file, 250);
  build(&draft, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_nest_to_a_limit),
      cmocka_unit_test(sums_of_addresses_in_a_function),
      cmocka_unit_test(steps_through_a_variable),
      cmocka_unit_test(construction_of_many_constants),
      cmocka_unit_test(copies_of_many_parts),
      cmocka_unit_test(insertions_into_constants),
      cmocka_unit_test(loads_and_decorations),
      cmocka_unit_test(addresses_of_builtin_variables),
      cmocka_unit_test(initial_values_of_many_parts),
      cmocka_unit_test(kernels_that_share_a_function),
      cmocka_unit_test(names_of_types),
  };
  return cmocka_run_group_tests(tests, test_device_open, test_device_close);
}
