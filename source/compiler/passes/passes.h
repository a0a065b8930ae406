/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The passes that transform kernels into work-group functions, shared by all targets, as a C interface.
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
#include "compiler/target_description.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The alignment of argument blocks, and the minimum alignment of local memory and barrier context. No OpenCL C type
 * needs more without an attribute. */
#define PASSES_MEMORY_ALIGNMENT 128u

/** One argument of a kernel. */
typedef struct kernel_parameter_t {
  program_arg_kind_e kind;
  /** Size and alignment of a value; both are 8 for a parameter that is passed as a pointer. */
  uint32_t size, alignment;
  /** Passed to the work-group function as a pointer to the value. */
  bool by_reference;
  /** Alignment of the memory to which a local pointer points. */
  uint32_t pointee_alignment;
} kernel_parameter_t;

/** One kernel during compilation. Its function is named after the kernel. The parameters are those of the kernel (a
 * struct by value is a pointer to it, which is only read), then the printf buffer if `uses_printf`, then those of
 * work_group_parameter_e. After passes_make_work_groups a call runs one whole work-group. Finally the function is the
 * target's entry. */
typedef struct kernel_work_t {
  char *name;
  /** Name of its function in every copy of the module. */
  char *symbol;
  /** The index of the kernel in the program. */
  size_t index;
  LLVMValueRef function;
  kernel_parameter_t *parameters;
  size_t parameter_count;
  bool uses_printf;
  /** Denormal numbers may be flushed to zero. */
  bool flushes_denormals;
  /** Size of its own local variables, in bytes. */
  uint64_t local_size;
  /** The alignment of local memory and barrier context; 0 if the target's own alignment suffices. */
  uint64_t memory_alignment;
  /** Size of the start of the barrier context that is for work-group collectives, in bytes per work-item. */
  uint64_t collective_size;
  /** Size of the barrier context, in bytes per work-item, `collective_size` included. */
  uint64_t scratch_per_item;
  /** Size of the private memory of one work-item in bytes: stack and barrier context. */
  uint64_t private_size;
  /** The reqd_work_group_size attribute; zeros when there is none. */
  uint32_t reqd_local_size[3];
  /** Nothing in it depends on how the ND-range is divided into work-groups: it has neither barriers nor local memory,
   * asks for no position in a group, nor for the groups' number or size, and does not wait for other groups. Set by
   * passes_make_work_groups. */
  bool ignores_groups;
  /** The dimension whose work-items become lanes, in work-groups that have at least `min_lanes` of them in it; in the
   * others it is dimension 0. Set by passes_make_work_groups. */
  uint32_t vector_dimension, min_lanes;
  /** Work-groups that follow each other in that dimension use consecutive memory, as their lanes do. Not known where
   * the kernel makes indices of group ids by itself. Set by passes_make_work_groups. */
  bool groups_follow_lanes;
  /** The kernel calls sub-group functions. */
  bool uses_sub_groups;
  /** intel_reqd_sub_group_size, or 0. */
  uint32_t reqd_sub_group_size;
  /** The number of work-items in a sub-group; set by passes_optimize_final. */
  uint32_t sub_group_size;
  /** The largest vectorization factor, 1 for a scalar kernel; set by passes_optimize_final. */
  uint32_t width;
  /** Where the function has a scalar variant as well (PASSES_SINGLE_PREFIX), that is expected to be faster; the same
   * for the version for distinct arguments. Set by passes_optimize_final. */
  bool expects_scalar, distinct_expects_scalar;
} kernel_work_t;

/** Parameters of a work-group function after those of the kernel. */
typedef enum work_group_parameter_e {
  /** Pointer to the target's structure of the ND-range, read only (work_group_layout_t). */
  work_group_ndrange,
  /** Local memory (address space 3): the kernel's own variables first. */
  work_group_local,
  /** Barrier context. */
  work_group_scratch,
  /** Pointer to the target's structure with the sizes of the two above (work_group_layout_t). */
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

/** Attribute of the parameter of a target's entry that becomes work_group_ndrange. The code of this entry may have
 * non-temporal stores, which are not ordered between threads: the target issues a fence after it. */
#define PASSES_NDRANGE_ATTRIBUTE "quern-ndrange"

/** Attribute of kernels: the plan of each loop over work-items, in one line each. */
#define PASSES_PLANS_ATTRIBUTE "quern-plans"

/** Attribute of functions that very large entries are divided into: the name of the entry, which calls them one at a
 * time. */
#define PASSES_PIECE_ATTRIBUTE "quern-piece"

/** Metadata, without operands, of the load in a target's entry that becomes work_group_id_x. It says that the next
 * work-group to run has the next higher number. */
#define PASSES_GROUP_METADATA "quern-group"

/** Metadata of the load in a target's entry that becomes a pointer argument. The operand is the number of the argument,
 * an i32. */
#define PASSES_ARGUMENT_METADATA "quern-argument"

/** Prefix of the version of an entry for arguments that point into buffers which do not overlap. Kernels have one if
 * their loops then have fewer loads and stores; the target chooses it for such launches. It may have a scalar variant
 * of its own. */
#define PASSES_DISTINCT_PREFIX "__quern_distinct_"

/** Prefix of the scalar variant of an entry. Kernels have one if the cost model cannot tell whether vectors are
 * profitable; the target's runtime measures and chooses. */
#define PASSES_SINGLE_PREFIX "__quern_single_"

typedef struct passes_t {
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  target_description_t target;
  /** Of its code generator; may be null. */
  const struct target_passes_t *target_passes;
  bool optimize;
  bool denorms_are_zero;
  /** The kernel that passes_gather_constructors made, until passes_prepare; null when there are no constructors. */
  LLVMValueRef constructors;
  /** The last of `kernels` runs the constructors. */
  bool has_constructors;
  kernel_work_t *kernels;
  size_t kernel_count;
  /** Format strings of printf, by the index that is in the records; owned. */
  char **printf_strings;
  size_t printf_string_count, printf_string_capacity;
  /** What passes_optimize_final and passes_run append the vectorizer's remarks to, in LLVM's YAML; null when they are
   * not wanted. Borrowed. */
  text_t *remarks;
} passes_t;

/** Renames the functions and kernels of the program, before builtins are linked: one may have the name of a C library
 * function that a builtin or the code generator calls. Replaces aliases by their aliasees, and removes llvm.used. */
void passes_protect_names(LLVMModuleRef module);

/** Replaces calls of built-in math functions that a constant argument makes simple, like pow(x, 2), before they are
 * linked, and before passes_keep_exact_divisions (library_calls.hpp). */
COMPILER_MUST_CHECK compiler_result_t passes_fold_library_calls(passes_t *passes, text_t *log);

/** Removes `arcp` from divisions that must be correctly rounded, before builtins are linked. These are divisions of
 * halves, and those of floats in a program that is built with correctly rounded division. They must not become products
 * with reciprocals, even with fast-math options: the reciprocal of a half may not be representable as a half. */
void passes_keep_exact_divisions(LLVMModuleRef module);

/** For programs before passes_prepare: true when a kernel has an image parameter. */
bool passes_have_images(LLVMModuleRef module);

/** For programs before passes_prepare: removes all kernels but `name`, and all that only they used. False when there is
 * no kernel of that name. */
COMPILER_MUST_CHECK bool passes_keep_kernel(LLVMModuleRef module, const char *name);

/** For programs before passes_prepare: specializes an image parameter of a kernel for the format of `image` (format,
 * pixel_size, channel_order, channel_type), or a sampler parameter for `bits`. False when the kernel has no image or
 * sampler parameter `index`. */
COMPILER_MUST_CHECK bool passes_know_image(LLVMModuleRef module, const char *kernel, uint32_t index,
                                           const image_description_t *image);
COMPILER_MUST_CHECK bool passes_know_sampler(LLVMModuleRef module, const char *kernel, uint32_t index, uint32_t bits);

/** For programs before passes_prepare: tells how many bytes of local memory a launch gives a local pointer parameter of
 * a kernel. False when the kernel has no such parameter `index`. */
COMPILER_MUST_CHECK bool passes_know_local_memory(LLVMModuleRef module, const char *kernel, uint32_t index,
                                                  uint64_t bytes);

/** For programs before passes_prepare: true when there is a variable in local memory, or a kernel has a parameter that
 * points to some. */
bool passes_have_local_memory(LLVMModuleRef module);

/** For programs before passes_prepare: true when a kernel, or a function, has a barrier or asks for something of its
 * work-group: then groups of one work-item may be worth a variant. */
bool passes_have_group_functions(LLVMModuleRef module);

/** Creates a kernel that calls the constructors of all program-scope objects in order. passes_prepare appends it to the
 * program's own kernels. Returns compiler_error_link_failure, with a line in the log, if an object has a destructor,
 * which would have to run when the program ends. */
COMPILER_MUST_CHECK compiler_result_t passes_gather_constructors(passes_t *passes, text_t *log);

/** Checks symbols. Each function and variable that is used must be defined, be lowered by later passes, or satisfy
 * `has_symbol`. No function may have inline assembly, and no object an alignment of more than a page. Otherwise returns
 * compiler_error_link_failure, and the log names each violation. */
COMPILER_MUST_CHECK compiler_result_t passes_check_symbols(LLVMModuleRef module, bool (*has_symbol)(const char *name),
                                                           text_t *log);

/** Finds the kernels and creates their work-group functions. Functions that use a work-item id, a barrier or printf are
 * inlined. Local variables become offsets in local memory, structs by value private copies, printf calls records. */
COMPILER_MUST_CHECK compiler_result_t passes_prepare(passes_t *passes, text_t *log);

/** Simplifies the code of one work-item. Barriers are not moved. */
void passes_optimize_scalar(passes_t *passes);

/** Creates loops over the work-items of a group around the regions between barriers. Returns
 * compiler_error_link_failure, with a line in the log, if private memory of dynamic size is live across a barrier. */
COMPILER_MUST_CHECK compiler_result_t passes_make_work_groups(passes_t *passes, text_t *log);

/** Gives the symbol `prefix` NAME to each program-scope variable that the host may query; for the target's tables. */
void passes_name_variables(passes_t *passes, const char *prefix);

/** Vectorizes kernels over work-items and optimizes the whole module for the target machine. With
 * QUERN_VECTORIZE_REMARKS, `log` gets a remark for each kernel: how it was vectorized, or why not. Returns
 * compiler_error_link_failure if a kernel cannot have the sub-group size that it requires. */
COMPILER_MUST_CHECK compiler_result_t passes_optimize_final(passes_t *passes, text_t *log);

/** Whether all passes that QUERN_DISABLE_PASSES and QUERN_PRINT_AFTER name exist, and none that correctness needs is to
 * be left out; else compiler_error_invalid_value, and the log names each. */
COMPILER_MUST_CHECK compiler_result_t passes_check_options(passes_t *passes, text_t *log);

/** Runs a pipeline in LLVM's text form, of passes of passes.def, of the target and of LLVM, on the module. With
 * `verify_each` it is checked after each pass; LLVM ends with a fatal error when it is broken (module/fatal.h). The
 * result is that of the first step that fails; compiler_error_invalid_value, and a line in the log, when there is no
 * such pipeline. */
COMPILER_MUST_CHECK compiler_result_t passes_run(passes_t *passes, const char *pipeline, bool verify_each, text_t *log);

/** Appends LLVM's statistics of this process: how often the vectorizer decided what. Thread safe. */
void passes_write_statistics(text_t *out);

/** Appends the names of all passes, those of the target too, a line for each. `target` may be null. */
void passes_write_names(const struct target_passes_t *target, text_t *out);

/** The number of instructions of one work-item's code: a rough estimate of the remaining compile time. */
size_t passes_kernel_size(const kernel_work_t *kernel);

/** True when prepared kernels may be compiled in separate modules: they share no variable that can be written. */
bool passes_can_split(const passes_t *passes);

/** Initializes `out` as the part of the prepared program `from` with the kernels for which `part_of[index] == part`.
 * `ir` is a copy of from->module, or that module itself after all copies are made; the other kernels are removed from
 * it. The part borrows from `from` and is freed with passes_free_part. The caller sets its machine. */
COMPILER_MUST_CHECK compiler_result_t passes_take_part(const passes_t *from, LLVMModuleRef ir, const size_t *part_of,
                                                       size_t part, passes_t *out);
void passes_free_part(passes_t *part);

/** The program information of a prepared program, without private_memory_size, which the work-group pass computes. The
 * caller frees it (program_info_free). Null when out of memory. */
program_info_t *passes_describe(const passes_t *passes);

/** Frees what the struct owns, not the module or the machine. */
void passes_free(passes_t *passes);

#ifdef __cplusplus
}
#endif

#endif
