/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What a kernel case is: the kernel, its inputs, and the same work in C.
 *
 * cases/NAME.cl has the kernel NAME; cases/NAME.c has the work in C, as BENCH_WORK(NAME), and after it, where
 * BENCH_DEFINES_CASE is defined, the set-up and the case itself. The file is compiled three times: plainly (the
 * reference that every result is checked against), with OpenMP as well as the compiler can (what the kernel is
 * compared with), and the same without vectorization (which tells whether the compiler gained anything by it). */
#ifndef BENCH_KERNELS_CASE_H
#define BENCH_KERNELS_CASE_H

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_MAX_ARGUMENTS = 12, BENCH_MAX_VALUE = 16 };

/** Classes of kernels, with the speed each should have relative to C; the table is in classes.c. */
typedef enum bench_class_e {
  CLASS_STREAMING,
  CLASS_MATH,
  CLASS_PAIRS,
  CLASS_DIVERGENT,
  CLASS_MATRIX,
  CLASS_STENCIL,
  CLASS_CONVOLUTION,
  CLASS_REDUCTION,
  CLASS_SPARSE,
  CLASS_TRANSPOSITION,
  CLASS_FILTER,
  CLASS_CLUSTERING,
  CLASS_HASHING,
  CLASS_RAYS,
  CLASS_NETWORK,
  CLASS_WALK,
  CLASSES
} bench_class_e;

typedef struct bench_class_t {
  const char *name;
  double bar;        /**< the kernel's speed divided by C's is to be at least this */
  double scalar_bar; /**< the same where the C compiler's vectorization gains nothing */
} bench_class_t;

extern const bench_class_t bench_classes[CLASSES];

typedef enum bench_type_e { BENCH_U8, BENCH_I32, BENCH_U32, BENCH_F32 } bench_type_e;

/** BENCH_IMAGE: a 2-D image of four channels (CL_RGBA): of eight bits (CL_UNORM_INT8, type BENCH_U8), or floats. */
typedef enum bench_kind_e { BENCH_ARRAY, BENCH_IMAGE, BENCH_VALUE, BENCH_LOCAL } bench_kind_e;

/** One argument of the kernel, and of the work in C: there, local memory is a null pointer. */
typedef struct bench_argument_t {
  bench_kind_e kind;
  bench_type_e type; /**< of the elements: arrays of structs and of vectors are arrays of their members */
  bool is_output;
  size_t count, bytes; /**< of the array, the value or the local memory; count: in elements */
  size_t width;        /**< of an image, in pixels */
  void *contents;      /**< the input, or what the reference gave; owned by the data */
  unsigned char value[BENCH_MAX_VALUE];
} bench_argument_t;

/** The arguments of a case and its range. */
typedef struct bench_data_t {
  size_t argument_count;
  bench_argument_t arguments[BENCH_MAX_ARGUMENTS];
  unsigned dimensions;
  size_t global[3], local[3]; /**< local[0] 0: left to the driver */
} bench_data_t;

/** The work in C. Arguments are those of the kernel: pointers to arrays, and to values. */
typedef void bench_work_t(void *const *arguments);

typedef struct bench_case_t {
  const char *name;
  bench_class_e class;
  const char *source;
  size_t size, check_size; /**< what set_up gets: for measuring, and for --check */
  void (*set_up)(bench_data_t *data, size_t size);
  bench_work_t *reference, *openmp, *scalar;
  /** A float may differ from the reference's by relative * |reference| + absolute, an integer by `absolute`. */
  double relative, absolute;
  /** Share of elements that may differ more: a last bit decides how often a chaotic loop runs. */
  double may_differ;
} bench_case_t;

/* ---- for set_up; arguments are added in the kernel's order */

/** An array that the kernel reads; the caller fills it. */
void *bench_add_input(bench_data_t *data, bench_type_e type, size_t count);
/** An image of width * height pixels that the kernel reads: four bytes each, in rows. The caller fills it. */
void *bench_add_image(bench_data_t *data, size_t width, size_t height);
/** The same of floats, four each. */
float *bench_add_float_image(bench_data_t *data, size_t width, size_t height);
/** An array that the kernel writes whole. */
void bench_add_output(bench_data_t *data, bench_type_e type, size_t count);
void bench_add_uint(bench_data_t *data, size_t value);
void bench_add_float(bench_data_t *data, float value);
/** Local memory of the kernel. */
void bench_add_local(bench_data_t *data, size_t bytes);
void bench_set_range(bench_data_t *data, size_t global, size_t local);
void bench_set_range_2d(bench_data_t *data, const size_t global[2], const size_t local[2]);
void bench_set_range_3d(bench_data_t *data, const size_t global[3], const size_t local[3]);

/** Fills with numbers that are the same in each run: floats from low to high, integers below a limit. */
void bench_fill_floats(float *array, size_t count, float low, float high);
void bench_fill_uints(unsigned *array, size_t count, unsigned limit);
void bench_fill_bytes(unsigned char *array, size_t count, unsigned limit);

/* ---- for the work in C */

#define BENCH_JOIN_(a, b) a##_##b
#define BENCH_JOIN(a, b) BENCH_JOIN_(a, b)
#define BENCH_NAMES_WORK(name) bench_work_t name##_reference, name##_openmp, name##_scalar
#define BENCH_WORK(name)  \
  BENCH_NAMES_WORK(name); \
  void BENCH_JOIN(name, BENCH_VARIANT)(void *const *arguments)

#define BENCH_UINT(index) ((size_t)*(const unsigned *)arguments[index])
#define BENCH_FLOAT(index) (*(const float *)arguments[index])

/* Before a loop: over threads, over threads and vectors, over vectors; with clauses of OpenMP. */
#define BENCH_PRAGMA(text) _Pragma(#text)
#if defined(_OPENMP) && defined(BENCH_WITH_VECTORS)
#define BENCH_PARALLEL(...) BENCH_PRAGMA(omp parallel for __VA_ARGS__)
#define BENCH_PARALLEL_SIMD(...) BENCH_PRAGMA(omp parallel for simd __VA_ARGS__)
#define BENCH_SIMD(...) BENCH_PRAGMA(omp simd __VA_ARGS__)
#elif defined(_OPENMP)
#define BENCH_PARALLEL(...) BENCH_PRAGMA(omp parallel for __VA_ARGS__)
#define BENCH_PARALLEL_SIMD(...) BENCH_PRAGMA(omp parallel for __VA_ARGS__)
#define BENCH_SIMD(...)
#else
#define BENCH_PARALLEL(...)
#define BENCH_PARALLEL_SIMD(...)
#define BENCH_SIMD(...)
#endif

/* ---- for the case */

/** The text of cases/NAME.cl, as bench_source_NAME. */
#define BENCH_EMBED(name)                                                                                        \
  __asm__(".section .rodata\n.globl bench_source_" #name "\n.hidden bench_source_" #name "\nbench_source_" #name \
          ":\n.incbin \"" BENCH_CASES_DIRECTORY "/" #name                                                        \
          ".cl\"\n"                                                                                              \
          ".byte 0\n.previous\n");                                                                               \
  extern const char bench_source_##name[]

/** Defines bench_case_NAME; what follows are further members of bench_case_t. */
#define BENCH_CASE(case_name, ...)                                                 \
  BENCH_EMBED(case_name);                                                          \
  extern const bench_case_t bench_case_##case_name;                                \
  const bench_case_t bench_case_##case_name = {.name = #case_name,                 \
                                               .source = bench_source_##case_name, \
                                               .set_up = set_up,                   \
                                               .reference = case_name##_reference, \
                                               .openmp = case_name##_openmp,       \
                                               .scalar = case_name##_scalar,       \
                                               __VA_ARGS__}

#endif
