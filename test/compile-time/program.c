/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Programs that grow in one dimension: `compile-time-program DIMENSION SIZE` prints one in OpenCL C,
 * `compile-time-program --list` a line per dimension: its name, the size that real programs reach, and what it counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*print_t)(long size);

static void open_kernel(const char *name) {
  printf(
      "kernel void %s(global int *out, global const int *in, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  int a = in[i], b = n;\n",
      name);
}

static void close_kernel(void) { puts("  out[i] = a ^ b;\n}"); }

/* One kernel, of `size` times what `print_part` prints. */
static void print_kernel(long size, void (*print_part)(long index)) {
  open_kernel("k");
  for (long index = 0; index < size; index++) print_part(index);
  close_kernel();
}

static void print_statement(long index) {
  printf("  a = a * %ld + b; b ^= in[(a & 255) + %ld];\n", 2 * index + 3, index);
}

static void print_statements(long size) { print_kernel(size, print_statement); }

/* Different work-items go different ways. */
static void print_if(long index) { printf("  if (a & %ld) b += in[i + %ld]; else a ^= b;\n", index | 1, index); }

static void print_ifs(long size) { print_kernel(size, print_if); }

/* All work-items go the same way. */
static void print_uniform_if(long index) {
  printf("  if (n & %ld) b += in[i + %ld]; else a ^= b;\n", index | 1, index);
}

static void print_uniform_ifs(long size) { print_kernel(size, print_uniform_if); }

static void print_early_return(long index) {
  printf("  a = a * 3 + b; if (a == %ld) { out[i] = b; return; }\n", index);
}

static void print_early_returns(long size) { print_kernel(size, print_early_return); }

static void print_else_ifs(long size) {
  open_kernel("k");
  for (long index = 0; index < size; index++) {
    printf("  %sif (a < in[%ld]) b = in[i + %ld];\n", index ? "else " : "", index, index);
  }
  close_kernel();
}

static void print_nested_ifs(long size) {
  open_kernel("k");
  for (long index = 0; index < size; index++) printf("  if (a & %ld) { b += in[i + %ld];\n", index | 1, index);
  for (long index = 0; index < size; index++) puts("  a += b; }");
  close_kernel();
}

static void print_ternaries(long size) {
  open_kernel("k");
  for (long index = 0; index < size; index++) printf("  a = a > b ? a - in[%ld] : b + %ld;\n", index, index);
  close_kernel();
}

static void print_cases(long size) {
  puts("  switch (a) {");
  for (long index = 0; index < size; index++) {
    printf("    case %ld: b = in[i + %ld] * %ld; break;\n", index, (index * 7) % 1013, index % 13 + 3);
  }
  puts("    default: b++;\n  }");
}

static void print_switch(long size) {
  open_kernel("k");
  print_cases(size);
  close_kernel();
}

/* What an interpreter is. */
static void print_switch_in_loop(long size) {
  open_kernel("k");
  puts("  for (int j = 0; j < n; j++) {\n  a = in[i * n + j];");
  print_cases(size);
  puts("  }");
  close_kernel();
}

static void print_switch_of_group(long size) {
  open_kernel("k");
  puts("  int c = a; a = n;");
  print_cases(size);
  puts("  a = c;");
  close_kernel();
}

static void open_local_kernel(void) {
  open_kernel("k");
  puts("  local int t[256];\n  int l = get_local_id(0);");
}

static void print_barriers(long size) {
  open_local_kernel();
  for (long index = 0; index < size; index++) {
    printf(
        "  t[l] = a + %ld; barrier(CLK_LOCAL_MEM_FENCE); a ^= t[l ^ %ld]; b += a; "
        "barrier(CLK_LOCAL_MEM_FENCE);\n",
        index, index % 63 + 1);
  }
  close_kernel();
}

/* Many values live across each barrier. */
static void print_values_across_barriers(long size) {
  open_local_kernel();
  for (long index = 0; index < size; index++) printf("  int v%ld = in[i * %ld];\n", index, index + 3);
  for (long index = 0; index < size; index++) {
    printf("  t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); a += t[l ^ 1] * v%ld; barrier(CLK_LOCAL_MEM_FENCE);\n", index);
  }
  close_kernel();
}

static void print_barrier_loops(long size) {
  open_local_kernel();
  for (long index = 0; index < size; index++) {
    printf(
        "  for (int j = 0; j < n; j++) { t[l] = a + j; barrier(CLK_LOCAL_MEM_FENCE); b += t[l ^ %ld];"
        " barrier(CLK_LOCAL_MEM_FENCE); }\n",
        index % 63 + 1);
  }
  close_kernel();
}

static void print_barrier_ifs(long size) {
  open_local_kernel();
  for (long index = 0; index < size; index++) {
    printf("  if (n & %ld) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); b += t[l ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); }\n",
           index | 1);
  }
  close_kernel();
}

static void print_loop(long index) { printf("  for (int j = 0; j < n; j++) a += in[i * n + j] * (b + %ld);\n", index); }

static void print_loops(long size) { print_kernel(size, print_loop); }

static void print_divergent_loop(long index) {
  printf("  for (int j = 0; j < (a & 63); j++) b += in[i + j * %ld];\n  a += b;\n", index + 2);
}

static void print_divergent_loops(long size) { print_kernel(size, print_divergent_loop); }

static void print_nested_loops(long size) {
  open_kernel("k");
  for (long index = 0; index < size; index++) printf("  for (int j%ld = 0; j%ld < n; j%ld++) {\n", index, index, index);
  printf("  a += in[i + j0 + j%ld];\n", size - 1);
  for (long index = 0; index < size; index++) printf("  b ^= a + j%ld; }\n", size - 1 - index);
  close_kernel();
}

static void print_unroll(long size) {
  open_kernel("k");
  printf("#pragma unroll %ld\n  for (int j = 0; j < %ld; j++) a = a * in[i + j] + b;\n", size, size);
  close_kernel();
}

/* Loops that are to be unrolled inside of each other multiply. */
static void print_nested_unroll(long size) {
  open_kernel("k");
  for (int level = 0; level < 3; level++) {
    printf("#pragma unroll\n  for (int j%d = 0; j%d < %ld; j%d++)\n", level, level, size, level);
  }
  puts("  a = a * in[i + j0 * j1 + j2] + b;");
  close_kernel();
}

static void print_arguments(long size) {
  puts("kernel void k(global int *out, global const int *in");
  for (long index = 0; index < size; index++) printf("  , int n%ld\n", index);
  puts(") {\n  int i = get_global_id(0), a = in[i], b = 1;");
  for (long index = 0; index < size; index++) printf("  a = a * n%ld + b;\n", index);
  close_kernel();
}

static void print_kernels(long size) {
  for (long index = 0; index < size; index++) {
    char name[32];
    snprintf(name, sizeof(name), "k%ld", index);
    open_kernel(name);
    print_statement(index);
    print_if(index);
    close_kernel();
  }
}

static void print_function_body(long index) {
  printf("  int a = in[x & 255], b = x; if (a & %ld) b += a * %ld; return a ^ b;\n}\n", index | 1, index + 3);
}

static void print_functions(long size) {
  for (long index = 0; index < size; index++) {
    printf("int f%ld(global const int *in, int x) {\n", index);
    print_function_body(index);
  }
  open_kernel("k");
  for (long index = 0; index < size; index++) printf("  a += f%ld(in, a);\n", index);
  close_kernel();
}

/* Each function calls the next `calls` times; all ask for the work-item. */
static void print_calls(long size, int calls) {
  for (long index = 0; index < size; index++) {
    printf("int f%ld(global const int *in, int x) {\n  x += in[get_global_id(0) + %ld];\n", index, index);
    for (int call = 0; index && call < calls; call++) printf("  x ^= f%ld(in, x + %d);\n", index - 1, call);
    print_function_body(index);
  }
  open_kernel("k");
  printf("  a = f%ld(in, a);\n", size - 1);
  close_kernel();
}

static void print_chain(long size) { print_calls(size, 1); }

static void print_diamonds(long size) { print_calls(size, 2); }

static void print_structs(long size) {
  for (long index = 0; index < size; index++)
    printf("typedef struct { int a; float b[%ld]; } s%ld;\n", index + 1, index);
  open_kernel("k");
  for (long index = 0; index < size; index++) {
    printf("  a += ((global const s%ld *)in)[i].b[%ld];\n", index, index / 2);
  }
  close_kernel();
}

static void print_nested_structs(long size) {
  puts("typedef struct { int a; } s0;");
  for (long index = 1; index < size; index++) printf("typedef struct { s%ld inner; int a; } s%ld;\n", index - 1, index);
  open_kernel("k");
  printf("  s%ld s = ((global const s%ld *)in)[i];\n  a += s.a; ((global s%ld *)out)[i] = s;\n", size - 1, size - 1,
         size - 1);
  close_kernel();
}

static void print_constants(long size) {
  for (long index = 0; index < size; index++) {
    printf("constant int c%ld[4] = {%ld, %ld, 3, 4};\n", index, index, index + 1);
  }
  open_kernel("k");
  for (long index = 0; index < size; index++) printf("  a += c%ld[i & 3];\n", index);
  close_kernel();
}

static void print_constant_table(long size) {
  printf("constant int c[%ld] = {\n", size);
  for (long index = 0; index < size; index++) printf("%ld,%s", (index * 7919) % 65537, index % 16 == 15 ? "\n" : "");
  puts("};");
  open_kernel("k");
  printf("  a += c[i %% %ld];\n", size);
  close_kernel();
}

/* Little text, many bytes. */
static void print_constant_zeros(long size) {
  printf("constant int c[%ld] = {1, 2};\n", size);
  open_kernel("k");
  printf("  a += c[i %% %ld];\n", size);
  close_kernel();
}

static void print_globals(long size) {
  for (long index = 0; index < size; index++) printf("global int g%ld = %ld;\n", index, index);
  open_kernel("k");
  for (long index = 0; index < size; index++) printf("  a += g%ld; g%ld = a;\n", index, index);
  close_kernel();
}

static void print_private_arrays(long size) {
  open_kernel("k");
  for (long index = 0; index < size; index++)
    printf("  int p%ld[8]; p%ld[a & 7] = b; p%ld[b & 7] = a;\n", index, index, index);
  for (long index = 0; index < size; index++) printf("  a += p%ld[(a + %ld) & 7];\n", index, index);
  close_kernel();
}

static void print_private_bytes(long size) {
  open_kernel("k");
  printf("  int p[%ld]; for (int j = 0; j < %ld; j++) p[j] = in[i + j];\n  a = p[a %% %ld];\n", size, size, size);
  close_kernel();
}

/* Written element by element at known places. */
static void print_private_elements(long size) {
  open_kernel("k");
  printf("  int p[%ld];\n", size);
  for (long index = 0; index < size; index++) printf("  p[%ld] = in[i + %ld];\n", index, index);
  for (long index = 0; index < size; index++) printf("  a = a * 3 + p[%ld];\n", (index * 7) % size);
  close_kernel();
}

static void print_local_arrays(long size) {
  open_local_kernel();
  for (long index = 0; index < size; index++) printf("  local int t%ld[4]; t%ld[l & 3] = a;\n", index, index);
  puts("  barrier(CLK_LOCAL_MEM_FENCE);");
  for (long index = 0; index < size; index++) printf("  b += t%ld[(l + 1) & 3];\n", index);
  close_kernel();
}

/* All of them live at once. */
static void print_vectors(long size) {
  open_kernel("k");
  puts("  global const float16 *v = (global const float16 *)in;");
  for (long index = 0; index < size; index++) printf("  float16 v%ld = v[i + %ld];\n", index, index);
  for (long index = 0; index < size; index++) {
    printf("  v%ld = fma(v%ld, v%ld.s3210ba98fedc7654, v[%ld]);\n", index, (index + 1) % size, (index * 5 + 2) % size,
           index);
  }
  puts("  float16 s = 0;");
  for (long index = 0; index < size; index++) printf("  s += v%ld;\n", index);
  puts("  a += (int)(s.s0 + s.s9 * s.sf);");
  close_kernel();
}

static void print_math(long size) {
  open_kernel("k");
  puts("  float x = a;");
  for (long index = 0; index < size; index++) printf("  x = sin(x) + exp(x * %ld.5f) + pow(x, 1.5f);\n", index);
  puts("  a = (int)x;");
  close_kernel();
}

static void print_printf(long index) { printf("  printf(\"%ld: %%d %%d\\n\", a, b); a += b;\n", index); }

static void print_printfs(long size) { print_kernel(size, print_printf); }

static void print_atomic(long index) { printf("  a += atomic_add(out + %ld + (b & 3), a); b ^= a;\n", index); }

static void print_atomics(long size) { print_kernel(size, print_atomic); }

static void print_images(long size) {
  puts("kernel void k(global int *out, int n");
  for (long index = 0; index < size; index++) {
    printf("  , read_only image2d_t image%ld, sampler_t sampler%ld\n", index, index);
  }
  puts(") {\n  int i = get_global_id(0), a = n, b = 1; float4 sum = 0;");
  for (long index = 0; index < size; index++) {
    printf("  sum += read_imagef(image%ld, sampler%ld, (float2)(i * .25f, %ld));\n", index, index, index);
  }
  puts("  a += (int)(sum.x + sum.y + sum.z + sum.w);");
  close_kernel();
}

static void print_image_read(long index) {
  printf("  sum += read_imagef(image, s, (int2)(i + %ld, n)) * %ld.5f;\n", index, index);
}

static void print_image_reads(long size) {
  puts(
      "constant sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "kernel void k(global int *out, int n, read_only image2d_t image) {\n"
      "  int i = get_global_id(0), a = n, b = 1; float4 sum = 0;");
  for (long index = 0; index < size; index++) print_image_read(index);
  puts("  a += (int)(sum.x + sum.y + sum.z + sum.w);");
  close_kernel();
}

static void print_sub_group(long index) {
  printf("  a += sub_group_reduce_add(b + %ld); b ^= sub_group_broadcast(a, %ld);\n", index, index % 4);
}

static void print_sub_groups(long size) { print_kernel(size, print_sub_group); }

static void print_collective(long index) { printf("  a += work_group_reduce_add(b + %ld); b ^= a;\n", index); }

static void print_collectives(long size) { print_kernel(size, print_collective); }

static void print_macros(long size) {
  puts("#define M0(x) ((x) + 1)");
  for (long index = 1; index < size; index++) {
    printf("#define M%ld(x) %s\n", index, index % 16 ? "((x) * 3)" : "M0(M0(x))");
  }
  open_kernel("k");
  for (long index = 0; index < size; index++) printf("  a ^= M%ld(b);\n", index);
  close_kernel();
}

typedef struct dimension_t {
  const char *name;
  /** About the most that programs in use have. */
  long real;
  const char *unit;
  print_t print;
} dimension_t;

static const dimension_t dimensions[] = {
    {"statements", 2000, "statements in one block", print_statements},
    {"ifs", 200, "branches after each other, work-items part", print_ifs},
    {"uniform-ifs", 200, "branches after each other, of the group", print_uniform_ifs},
    {"early-returns", 100, "returns on conditions", print_early_returns},
    {"else-ifs", 200, "`else if` after each other", print_else_ifs},
    {"nested-ifs", 24, "branches inside of each other", print_nested_ifs},
    {"ternaries", 500, "conditional expressions", print_ternaries},
    {"switch", 800, "cases", print_switch},
    {"switch-of-group", 800, "cases, all work-items take the same", print_switch_of_group},
    {"switch-in-loop", 200, "cases in a loop", print_switch_in_loop},
    {"barriers", 200, "pairs of barriers", print_barriers},
    {"values-across-barriers", 64, "values that live across as many barriers", print_values_across_barriers},
    {"barrier-loops", 40, "loops with barriers", print_barrier_loops},
    {"barrier-ifs", 40, "branches with barriers", print_barrier_ifs},
    {"loops", 50, "loops after each other", print_loops},
    {"divergent-loops", 50, "loops of different lengths for each work-item", print_divergent_loops},
    {"nested-loops", 6, "loops inside of each other", print_nested_loops},
    {"unroll", 100, "iterations under `#pragma unroll`", print_unroll},
    {"nested-unroll", 8, "iterations of each of three loops under `#pragma unroll`", print_nested_unroll},
    {"arguments", 24, "arguments", print_arguments},
    {"kernels", 100, "kernels of one program", print_kernels},
    {"functions", 200, "functions that a kernel calls", print_functions},
    {"chain", 20, "functions that call each other, and ask for the work-item", print_chain},
    {"diamonds", 1, "the same, each calls the next twice", print_diamonds},
    {"structs", 100, "struct types", print_structs},
    {"nested-structs", 10, "structs inside of each other", print_nested_structs},
    {"constants", 100, "arrays in constant memory", print_constants},
    {"constant-table", 10000, "elements of one, written out", print_constant_table},
    {"constant-zeros", 1000000, "elements of one, not written out", print_constant_zeros},
    {"globals", 50, "variables in global memory", print_globals},
    {"private-arrays", 20, "private arrays", print_private_arrays},
    {"private-bytes", 1024, "elements of one, accessed in a loop", print_private_bytes},
    {"private-elements", 200, "elements of one, each accessed at its place", print_private_elements},
    {"local-arrays", 20, "arrays in local memory", print_local_arrays},
    {"vectors", 32, "float16 values that live at once", print_vectors},
    {"math", 50, "calls of sin, exp and pow each", print_math},
    {"printfs", 50, "calls of printf", print_printfs},
    {"atomics", 100, "atomic additions", print_atomics},
    {"images", 8, "images and samplers", print_images},
    {"image-reads", 50, "reads of one image", print_image_reads},
    {"sub-groups", 50, "pairs of sub-group functions", print_sub_groups},
    {"collectives", 20, "work-group functions", print_collectives},
    {"macros", 1000, "macros", print_macros},
};

enum { dimension_count = sizeof(dimensions) / sizeof(dimensions[0]) };

static const dimension_t *find(const char *name) {
  for (size_t i = 0; i < dimension_count; i++) {
    if (!strcmp(dimensions[i].name, name)) return &dimensions[i];
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--list")) {
    for (size_t i = 0; i < dimension_count; i++) {
      printf("%s %ld %s\n", dimensions[i].name, dimensions[i].real, dimensions[i].unit);
    }
    return EXIT_SUCCESS;
  }
  const dimension_t *dimension = argc == 3 ? find(argv[1]) : NULL;
  char *end = NULL;
  long size = dimension ? strtol(argv[2], &end, 10) : 0;
  if (size <= 0 || *end) {
    fprintf(stderr, "usage: compile-time-program --list | DIMENSION SIZE\n");
    return EXIT_FAILURE;
  }
  dimension->print(size);
  return EXIT_SUCCESS;
}
