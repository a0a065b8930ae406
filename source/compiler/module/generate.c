/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Code generation, by several threads where there are several kernels. */
#include "compiler/module/generate.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "compiler/library/builtins.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/dump.h"
#include "compiler/module/emit.h"
#include "compiler/module/fatal.h"
#include "compiler/passes/passes.h"

enum {
  max_parts = 8,
  /** IR instructions of kernels that are worth a thread of their own: a copy of the module costs about as much. */
  instructions_per_part = 400,
};

/* Kernels that one thread compiles. The first part is the program's own module, the others are copies in contexts of
 * their own. */
typedef struct part_t {
  const compiler_codegen_t *codegen;
  /** The prepared program, which of its kernels belong to which part, and this part's number. */
  const passes_t *whole;
  const size_t *part_of;
  size_t number;
  /** The program as all parts but the first read it; borrowed. */
  LLVMMemoryBufferRef bitcode;
  /** Null in the first part. */
  LLVMContextRef context;
  passes_t passes;
  LLVMMemoryBufferRef object;
  /** The vectorizer's, as YAML. */
  text_t remarks;
  compiler_result_t result;
  /** After a fatal error: nothing of LLVM's is touched. */
  bool has_given_up;
  text_t log;
  pthread_t thread;
  bool is_running;
} part_t;

void generate_retarget(LLVMModuleRef ir, LLVMTargetMachineRef machine) {
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetTarget(ir, triple);
  LLVMSetModuleDataLayout(ir, layout);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
}

static compiler_result_t emit(part_t *part) {
  LLVMModuleRef ir = part->passes.module;
  const uint64_t limit = options_get()->compiler_output;
  if (emit_constants_size(ir) >> 20 >= limit) {
    text_appendf(&part->log, "error: constants take %llu MiB and more (QUERN_COMPILER_OUTPUT)\n",
                 (unsigned long long)limit);
    return compiler_error_link_failure;
  }
  if (dump_wanted(dump_stage_asm)) dump_assembly(part->passes.machine, ir);
  part->object = emit_code(part->passes.machine, ir, LLVMObjectFile);
  if (!part->object) {
    text_append(&part->log, "error: there are no objects for this processor\n");
    return compiler_error_internal;
  }
  dump_bytes(dump_stage_object, LLVMGetBufferStart(part->object), LLVMGetBufferSize(part->object));
  return compiler_success;
}

static void write_plans(text_t *text, LLVMValueRef function) {
  static const char name[] = PASSES_PLANS_ATTRIBUTE;
  LLVMAttributeRef plans =
      LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof(name) - 1);
  unsigned length = 0;
  const char *lines = plans ? LLVMGetStringAttributeValue(plans, &length) : "";
  text_append_bytes(text, lines, length);
}

/* The version of a kernel for distinct arguments, or null. */
static LLVMValueRef distinct_version(const passes_t *passes, const kernel_work_t *kernel) {
  text_t name = {0};
  text_appendf(&name, "%s%s", PASSES_DISTINCT_PREFIX, LLVMGetValueName2(kernel->function, &(size_t){0}));
  LLVMValueRef version = LLVMGetNamedFunction(passes->module, text_string(&name));
  text_free(&name);
  return version;
}

/* The vectorizer's plans, a line for each loop over work-items. */
static void dump_plans(const passes_t *passes) {
  if (!dump_wanted(dump_stage_plan)) return;
  text_t text = {0};
  for (size_t i = 0; i < passes->kernel_count; i++) {
    text_appendf(&text, "kernel '%s':\n", passes->kernels[i].name);
    write_plans(&text, passes->kernels[i].function);
    LLVMValueRef distinct = distinct_version(passes, &passes->kernels[i]);
    if (!distinct) continue;
    text_appendf(&text, "kernel '%s', distinct arguments:\n", passes->kernels[i].name);
    write_plans(&text, distinct);
  }
  dump_bytes(dump_stage_plan, text_string(&text), text.length);
  text_free(&text);
}

static double milliseconds(uint64_t from, uint64_t to) { return (double)(to - from) * 1e-6; }

/* Prepared kernels to object code. */
static compiler_result_t part_compile(part_t *part) {
  passes_t *passes = &part->passes;
  uint64_t begin = clock_now_ns();
  passes_optimize_scalar(passes);
  dump_ir(dump_stage_optimized, passes->module);
  uint64_t simplified = clock_now_ns();
  compiler_result_t result = passes_run(passes, "work-groups", false, &part->log);
  if (result != compiler_success) return result;
  dump_ir(dump_stage_workgroup, passes->module);
  result = part->codegen->add_entries(passes, &part->log);
  if (result != compiler_success) return result;
  if (dump_wanted(dump_stage_remarks)) passes->remarks = &part->remarks;
  result = passes_optimize_final(passes, &part->log);
  if (result != compiler_success) return result;
  result = part->codegen->add_table(passes, &part->log);
  if (result != compiler_success) return result;
  dump_plans(passes);
  dump_bytes(dump_stage_remarks, text_string(&part->remarks), part->remarks.length);
  dump_ir(dump_stage_final, passes->module);
  uint64_t optimized = clock_now_ns();
  result = emit(part);
  log_write(log_compiler, "%zu kernels: scalar passes %.1f ms, work-group passes %.1f ms, code %.1f ms",
            passes->kernel_count, milliseconds(begin, simplified), milliseconds(simplified, optimized),
            milliseconds(optimized, clock_now_ns()));
  return result;
}

/* Takes the part's kernels: from the program's own module, or from a copy of it in a context of the part's own. */
static compiler_result_t part_open(part_t *part) {
  LLVMModuleRef ir = part->whole->module;
  if (part->context && LLVMParseBitcodeInContext2(part->context, part->bitcode, &ir)) return compiler_error_internal;
  compiler_result_t result = passes_take_part(part->whole, ir, part->part_of, part->number, &part->passes);
  if (result != compiler_success) {
    if (part->context) LLVMDisposeModule(ir);
    return result;
  }
  part->passes.machine = part->codegen->create_machine(part->whole->optimize, &part->log);
  return part->passes.machine ? compiler_success : compiler_error_internal;
}

static void part_run(void *data) {
  part_t *part = data;
  LLVMContextRef context = part->context ? part->context : LLVMGetModuleContext(part->whole->module);
  diagnostics_t diagnostics = {.log = &part->log};
  diagnostics_begin(context, &diagnostics);
  part->result = part_open(part);
  if (part->result == compiler_success) part->result = part_compile(part);
  diagnostics_end(context);
  if (part->result == compiler_success && diagnostics.has_errors) part->result = compiler_error_link_failure;
}

static void *part_thread(void *data) {
  part_t *part = data;
  if (fatal_run(part_run, part, &part->log)) return NULL;
  part->has_given_up = true;
  part->result = compiler_error_internal;
  return NULL;
}

/* The machine's processors that this thread may use. */
static size_t usable_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) ? 1 : (size_t)CPU_COUNT(&set);
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* How many parts pay. */
static size_t choose_part_count(const passes_t *whole) {
  /* Stages are dumped as one file each. */
  for (dump_stage_e stage = dump_stage_optimized; stage <= dump_stage_object; stage++) {
    if (dump_wanted(stage)) return 1;
  }
  if (*options_get()->print_after || !passes_can_split(whole)) return 1;
  size_t total = 0;
  for (size_t i = 0; i < whole->kernel_count; i++) total += passes_kernel_size(&whole->kernels[i]);
  size_t count = smaller(smaller(max_parts, usable_processors()), total / instructions_per_part);
  count = smaller(count, whole->kernel_count);
  return count ? count : 1;
}

typedef struct kernel_size_t {
  size_t kernel, size;
} kernel_size_t;

/* The largest first, and of the same size the first one. */
static int compare_sizes(const void *first, const void *second) {
  const kernel_size_t *a = first, *b = second;
  if (a->size != b->size) return a->size < b->size ? 1 : -1;
  return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

/* The kernels by size, which is counted once for each; null when out of memory. The caller frees them. */
static kernel_size_t *sort_kernels(const passes_t *whole) {
  kernel_size_t *sizes = malloc(whole->kernel_count * sizeof(*sizes));
  if (!sizes) return NULL;
  for (size_t i = 0; i < whole->kernel_count; i++) {
    sizes[i] = (kernel_size_t){.kernel = i, .size = passes_kernel_size(&whole->kernels[i])};
  }
  qsort(sizes, whole->kernel_count, sizeof(*sizes), compare_sizes);
  return sizes;
}

/* Gives the kernels, the largest first, each to the part with the least work; all to the first one where one is enough.
 * `part_of` has zeros before. Returns how many parts there are. */
static size_t divide(const passes_t *whole, size_t *part_of) {
  size_t work[max_parts] = {0};
  const size_t count = choose_part_count(whole);
  kernel_size_t *sizes = count > 1 ? sort_kernels(whole) : NULL;
  if (!sizes) return 1;
  for (size_t i = 0; i < whole->kernel_count; i++) {
    size_t least = 0;
    for (size_t part = 1; part < count; part++) {
      if (work[part] < work[least]) least = part;
    }
    part_of[sizes[i].kernel] = least;
    work[least] += sizes[i].size;
  }
  free(sizes);
  return count;
}

/* Parts but the first work on copies, which they read themselves. */
static void part_init(part_t *part, const compiler_codegen_t *codegen, const passes_t *whole, const size_t *part_of,
                      size_t number, LLVMMemoryBufferRef bitcode) {
  *part = (part_t){.codegen = codegen, .whole = whole, .part_of = part_of, .number = number, .bitcode = bitcode};
  if (number == 0) return;
  part->context = LLVMContextCreate();
  LLVMContextSetDiscardValueNames(part->context, true);
}

static void part_free(part_t *part) {
  if (!part->has_given_up) {
    if (part->object) LLVMDisposeMemoryBuffer(part->object);
    if (part->passes.machine) LLVMDisposeTargetMachine(part->passes.machine);
    if (part->context && part->passes.module) LLVMDisposeModule(part->passes.module);
    if (part->context) LLVMContextDispose(part->context);
  }
  passes_free_part(&part->passes);
  text_free(&part->remarks);
  text_free(&part->log);
}

/* Runs all parts, the first on this thread; a part whose thread cannot be made is run here too. */
static compiler_result_t run_parts(part_t *parts, size_t count, text_t *log) {
  for (size_t i = 1; i < count; i++) {
    parts[i].is_running = thread_create(&parts[i].thread, 0, part_thread, &parts[i]) == 0;
  }
  for (size_t i = 0; i < count; i++) {
    if (!parts[i].is_running) part_thread(&parts[i]);
  }
  compiler_result_t result = compiler_success;
  for (size_t i = 0; i < count; i++) {
    if (parts[i].is_running) pthread_join(parts[i].thread, NULL);
    text_append(log, text_string(&parts[i].log));
    if (result == compiler_success) result = parts[i].result;
  }
  return result;
}

/* The parts' objects become one binary, their kernels' sizes part of the program information. */
static compiler_result_t collect(const part_t *parts, size_t count, program_info_t *info, executable_t *out) {
  compiler_object_t objects[max_parts];
  for (size_t i = 0; i < count; i++) {
    objects[i] = (compiler_object_t){LLVMGetBufferStart(parts[i].object), LLVMGetBufferSize(parts[i].object)};
    for (size_t k = 0; k < parts[i].passes.kernel_count; k++) {
      const kernel_work_t *kernel = &parts[i].passes.kernels[k];
      info->kernels[kernel->index].private_memory_size = kernel->private_size;
    }
  }
  parts[0].codegen->join(objects, count, &out->binary);
  bool complete = !out->binary.failed && program_info_encode(info, &out->info, &out->info_size);
  return complete ? compiler_success : compiler_error_out_of_memory;
}

static compiler_result_t compile_in_parts(const compiler_codegen_t *codegen, const passes_t *whole, executable_t *out,
                                          text_t *log) {
  part_t parts[max_parts] = {0};
  compiler_result_t result = compiler_error_out_of_memory;
  size_t count = 0;
  LLVMMemoryBufferRef bitcode = NULL;
  size_t *part_of = calloc(whole->kernel_count + 1, sizeof(*part_of));
  program_info_t *info = passes_describe(whole);
  if (!part_of || !info) goto done;
  count = divide(whole, part_of);
  if (count > 1) bitcode = LLVMWriteBitcodeToMemoryBuffer(whole->module);
  for (size_t i = 0; i < count; i++) part_init(&parts[i], codegen, whole, part_of, i, bitcode);
  result = run_parts(parts, count, log);
  out->has_given_up = parts[0].has_given_up;
  if (result == compiler_success) result = collect(parts, count, info, out);
done:
  for (size_t i = 0; i < count; i++) part_free(&parts[i]);
  if (bitcode) LLVMDisposeMemoryBuffer(bitcode);
  program_info_free(info);
  free(part_of);
  return result;
}

/* What comes before the parts. */
typedef struct prepare_run_t {
  const compiler_codegen_t *codegen;
  passes_t *whole;
  text_t *log;
  compiler_result_t result;
} prepare_run_t;

static compiler_result_t prepare_for_machine(const compiler_codegen_t *codegen, passes_t *whole, text_t *log) {
  LLVMModuleRef ir = whole->module;
  compiler_result_t result = passes_check_options(whole, log);
  if (result != compiler_success) return result;
  generate_retarget(ir, whole->machine);
  codegen->describe(whole->machine, &whole->target);
  uint64_t begin = clock_now_ns();
  diagnostics_t diagnostics = {.log = log};
  diagnostics_begin(LLVMGetModuleContext(ir), &diagnostics);
  passes_protect_names(ir);
  if (whole->optimize) result = passes_fold_library_calls(whole, log);
  passes_keep_exact_divisions(ir);
  if (result == compiler_success) result = builtins_link(ir, log);
  if (result == compiler_success) result = passes_gather_constructors(whole, log);
  if (result == compiler_success) result = passes_check_symbols(ir, codegen->has_symbol, log);
  if (result == compiler_success) result = passes_run(whole, "prepare", false, log);
  log_write(log_compiler, "builtins linked, kernels prepared: %.1f ms", milliseconds(begin, clock_now_ns()));
  diagnostics_end(LLVMGetModuleContext(ir));
  return result;
}

/* Parts have machines of their own. */
static compiler_result_t prepare(const compiler_codegen_t *codegen, passes_t *whole, text_t *log) {
  whole->machine = codegen->create_machine(whole->optimize, log);
  if (!whole->machine) return compiler_error_internal;
  compiler_result_t result = prepare_for_machine(codegen, whole, log);
  LLVMDisposeTargetMachine(whole->machine);
  whole->machine = NULL;
  return result;
}

static void prepare_run(void *data) {
  prepare_run_t *run = data;
  run->result = prepare(run->codegen, run->whole, run->log);
}

compiler_result_t generate_executable(const compiler_codegen_t *codegen, LLVMModuleRef ir, const object_flags_t *flags,
                                      executable_t *out, text_t *log) {
  passes_t whole = {.module = ir,
                    .target_passes = codegen->passes,
                    .optimize = flags->optimize,
                    .denorms_are_zero = flags->denorms_are_zero};
  prepare_run_t run = {.codegen = codegen, .whole = &whole, .log = log, .result = compiler_error_internal};
  out->has_given_up = !fatal_run(prepare_run, &run, log);
  compiler_result_t result = out->has_given_up ? compiler_error_internal : run.result;
  if (result == compiler_success) result = compile_in_parts(codegen, &whole, out, log);
  passes_free(&whole);
  return result;
}

void executable_free(executable_t *executable) {
  text_free(&executable->binary);
  free(executable->info);
  *executable = (executable_t){0};
}
