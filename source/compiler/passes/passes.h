/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * From kernels to work-group functions: the passes that all targets share, behind a C header.
 *
 * Order: passes_prepare, passes_optimize_scalar, passes_make_work_groups, then the target adds its entries, then
 * passes_optimize_final. */
#ifndef COMPILER_PASSES_H
#define COMPILER_PASSES_H

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include "base/text.h"
#include "compiler/compiler.h"
#include "compiler/image.h"
#include "compiler/program_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a target aligns argument blocks to, and local memory and barrier context that do not ask for more: no OpenCL C
 * type without an attribute wants more. */
#define PASSES_MEMORY_ALIGNMENT 128u

/** One argument of a kernel. */
typedef struct kernel_parameter_t {
  program_arg_kind_e kind;
  /** Of a value; 8 and 8 of anything that is passed as a pointer. */
  uint32_t size, alignment;
  /** Passed to the work-group function as a pointer to the value. */
  bool by_reference;
  /** Alignment of the memory behind a local pointer. */
  uint32_t pointee_alignment;
} kernel_parameter_t;

/** One kernel on its way. Its function, named after the kernel, has the kernel's parameters (a struct by value is a
 * pointer to it, which is only read), then the printf buffer when `uses_printf`, then those of work_group_parameter_e.
 * After passes_make_work_groups a call runs one whole work-group; in the end the function is the target's entry. */
typedef struct kernel_work_t {
  char *name;
  /** Name of its function in every copy of the module. */
  char *symbol;
  /** Its place in the program. */
  size_t index;
  LLVMValueRef function;
  kernel_parameter_t *parameters;
  size_t parameter_count;
  bool uses_printf;
  /** Denormal numbers may be zero. */
  bool flushes_denormals;
  /** Bytes of its own local variables. */
  uint64_t local_size;
  /** What local memory and barrier context must be aligned to; 0 when the target's own alignment does. */
  uint64_t memory_alignment;
  /** Bytes at the beginning of the barrier context, per work-item, that its work-group collectives need. */
  uint64_t collective_size;
  /** Bytes that one work-item needs across barriers, with those. */
  uint64_t scratch_per_item;
  /** Bytes of private memory of one work-item: stack and barrier context. */
  uint64_t private_size;
  /** Zeros when it has none. */
  uint32_t reqd_local_size[3];
  /** Calls functions of sub-groups. */
  bool uses_sub_groups;
  /** intel_reqd_sub_group_size, or 0. */
  uint32_t reqd_sub_group_size;
  /** Work-items in its sub-groups, as passes_optimize_final finds out. */
  uint32_t sub_group_size;
  /** Work-items that it runs at once, as passes_optimize_final finds out; 1 when one by one. */
  uint32_t width;
} kernel_work_t;

/** Parameters of a work-group function after those of the kernel. */
typedef enum work_group_parameter_e {
  /** host_ndrange_t of the command, read only. */
  work_group_ndrange,
  /** Local memory (address space 3): the kernel's own variables first. */
  work_group_local,
  /** Barrier context. */
  work_group_scratch,
  /** host_group_memory_t of the executing thread: the sizes of the two above. */
  work_group_memory,
  /** i64 each: number of the work-group, and its actual size, which may be smaller than the enqueued one. */
  work_group_id_x,
  work_group_id_y,
  work_group_id_z,
  work_group_size_x,
  work_group_size_y,
  work_group_size_z,
  work_group_parameter_count,
} work_group_parameter_e;

/** Offsets in the structures behind work_group_ndrange and work_group_memory, in bytes; the target gives its own. */
typedef struct work_group_layout_t {
  struct {
    unsigned global_size, global_offset, local_size, num_groups, work_dim;
    /** 32 bits: the MiB of results from which on a launch writes them past the caches. */
    unsigned streaming_mib;
  } ndrange;
  struct {
    unsigned local_size, scratch_size;
  } memory;
} work_group_layout_t;

/** Attribute of the parameter of a target's entry that becomes work_group_ndrange. An entry that says so runs code that
 * may store without order between threads (past the caches): the target puts a fence behind the entry. */
#define PASSES_NDRANGE_ATTRIBUTE "quern-ndrange"

/** Metadata, without operands, of the load in a target's entry that becomes work_group_id_x, when the work-group that
 * runs next has the number behind it. */
#define PASSES_GROUP_METADATA "quern-group"

/** Prefix of a second form of an entry, work-items one by one, for the target's runtime to choose: kernels of which it
 * is not known whether vectors pay have one. */
#define PASSES_SINGLE_PREFIX "__quern_single_"

typedef struct passes_t {
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  work_group_layout_t layout;
  bool optimize;
  bool denorms_are_zero;
  /** The kernel of passes_gather_constructors until passes_prepare; null when nothing must be constructed. */
  LLVMValueRef constructors;
  /** The last of `kernels` runs the constructors. */
  bool has_constructors;
  kernel_work_t *kernels;
  size_t kernel_count;
  /** Strings of printf, by the index that records carry; owned. */
  char **printf_strings;
  size_t printf_string_count, printf_string_capacity;
} passes_t;

/** Renames what the program defines, before builtins are linked: a function or kernel may be called like one of the C
 * library that a builtin, or the code generator, calls. Aliases become what they stand for, and nothing is kept any
 * more for being marked as used. */
void passes_protect_names(LLVMModuleRef module);

/** Before builtins are linked: divisions that have to be rounded correctly, which are those of halves, and those of
 * floats in a program that is built so, are no products with inverses, even where the program may be approximate. The
 * inverse of a half may be too large or too small for one. */
void passes_keep_exact_divisions(LLVMModuleRef module);

/** Unprepared programs: true when a kernel has an image among its parameters. */
bool passes_have_images(LLVMModuleRef module);

/** Unprepared programs: drops all kernels but one, and what only they used; false when there is none of that name. */
COMPILER_MUST_CHECK bool passes_keep_kernel(LLVMModuleRef module, const char *name);

/** Unprepared programs: tells that an image parameter of a kernel will have the format that `image` has (all that hangs
 * on it: format, pixel_size, channel_order, channel_type), or a sampler parameter these bits. False when the kernel has
 * no such parameter. */
COMPILER_MUST_CHECK bool passes_know_image(LLVMModuleRef module, const char *kernel, uint32_t index,
                                           const image_description_t *image);
COMPILER_MUST_CHECK bool passes_know_sampler(LLVMModuleRef module, const char *kernel, uint32_t index, uint32_t bits);

/** Makes one kernel of the constructors of program-scope objects, which runs them all in their order; passes_prepare
 * puts it behind the program's own kernels. compiler_error_link_failure, and a line in the log: an object has a
 * destructor that would have to run when the program ends. */
COMPILER_MUST_CHECK compiler_result_t passes_gather_constructors(passes_t *passes, text_t *log);

/** Checks that every function and variable used is defined, or one of those that later steps lower, or passes
 * `has_symbol`, that no function holds assembly, and nothing wants to be aligned to more than a page; else
 * compiler_error_link_failure, and the log names each. */
COMPILER_MUST_CHECK compiler_result_t passes_check_symbols(LLVMModuleRef module, bool (*has_symbol)(const char *name),
                                                           text_t *log);

/** Finds the kernels and gives each its work-group function: everything that asks for a work-item id, holds a barrier
 * or a printf is inlined, local variables become offsets, structs by value private copies, printf calls records. */
COMPILER_MUST_CHECK compiler_result_t passes_prepare(passes_t *passes, text_t *log);

/** Simplifies one work-item's code; barriers stay where they are. */
void passes_optimize_scalar(passes_t *passes);

/** Loops over the work-items of a group around the regions between barriers. compiler_error_link_failure, and a line in
 * the log: private memory whose size is found at run time is used on both sides of one. */
COMPILER_MUST_CHECK compiler_result_t passes_make_work_groups(passes_t *passes, text_t *log);

/** Gives variables in global memory that the host may look for the symbols `prefix` NAME; for the target's tables. */
void passes_name_variables(passes_t *passes, const char *prefix);

/** Optimises the whole module for the target machine: kernels run several work-items at once. Says in `log` how, or why
 * not, when remarks are asked for (QUERN_VECTORIZE_REMARKS). compiler_error_link_failure: a kernel cannot have the
 * sub-groups that it asks for. */
COMPILER_MUST_CHECK compiler_result_t passes_optimize_final(passes_t *passes, text_t *log);

/** Instructions of one work-item's code: what the rest of the compilation costs, roughly. */
size_t passes_kernel_size(const kernel_work_t *kernel);

/** True when prepared kernels may be compiled apart from each other: they share no variable that can be written. */
bool passes_can_split(const passes_t *passes);

/** Makes `out` the part of the prepared program `from` that has the kernels with `part_of[index] == part`. `ir` is a
 * copy of from->module, or that module itself once all copies are made; other kernels are dropped from it. The part
 * borrows from `from` and is freed with passes_free_part; its machine is the caller's to set. */
COMPILER_MUST_CHECK compiler_result_t passes_take_part(const passes_t *from, LLVMModuleRef ir, const size_t *part_of,
                                                       size_t part, passes_t *out);
void passes_free_part(passes_t *part);

/** Program information of a prepared program but for private_memory_size, which the work-group pass finds out. The
 * caller frees it (program_info_free); null when out of memory. */
program_info_t *passes_describe(const passes_t *passes);

/** Frees what the struct owns, not the module or the machine. */
void passes_free(passes_t *passes);

#ifdef __cplusplus
}
#endif

#endif
