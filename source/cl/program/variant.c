/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Variants of kernels for the formats of images, for samplers and for local sizes. */
#include "cl/program/variant.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "cl/device/device.h"
#include "cl/program/executable.h"
#include "cl/program/program_cache.h"
#include "cl/program/program_compile.h"
#include "cl/program/specializer.h"

enum {
  /** A kernel whose launches differ more often stays general for the others. */
  most_variants = 16,
  /** Making one takes some tens of milliseconds of one thread; so many work-items take about as long. One launch alone,
   * however large, may be the only one. */
  worth_items = 1 << 21,
  worth_launches = 3,
  /** A known local size saves less of each work-item, and these cost less: the same kernel in more launches. */
  worth_items_of_size = 1 << 26,
  worth_launches_of_size = 16,
  /** Work-groups of one work-item become vectors, or scalar code instead of vectors of which one lane is active: that
   * saves more than each known format. */
  worth_items_of_single = 1 << 10,
  worth_launches_of_single = 2,
  /** However few work-items: each may take long. Programs for CPUs give each processor one, which has a loop. */
  enough_launches_of_single = 4,
};

/* ------------------------------------------------------------ finding */

static bool is_single(const uint32_t local_size[3]) {
  return local_size[0] == 1 && local_size[1] == 1 && local_size[2] == 1;
}

static bool has_format(const program_arg_info_t *argument) {
  return argument->kind == program_arg_image || argument->kind == program_arg_sampler;
}

/* Local memory is private in groups of one work-item, and then its size must be known. */
static bool is_known(const variant_launch_t *launch, uint32_t index) {
  const program_arg_info_t *argument = &launch->info->args[index];
  return has_format(argument) || (argument->kind == program_arg_local && is_single(launch->local_size));
}

static bool knows_something(const variant_launch_t *launch) {
  bool found = launch->local_size[0] != 0;
  for (uint32_t i = 0; !found && i < launch->info->arg_count; i++) found = is_known(launch, i);
  return found;
}

static compiler_known_argument_t known_of(const variant_launch_t *launch, uint32_t index) {
  const mux_descriptor_info_t *descriptor = &launch->descriptors[index];
  switch (launch->info->args[index].kind) {
    case program_arg_sampler:
      return (compiler_known_argument_t){
          .kind = compiler_known_sampler, .index = index, .sampler = descriptor->sampler_descriptor.sampler};
    case program_arg_local:
      return (compiler_known_argument_t){.kind = compiler_known_local_memory,
                                         .index = index,
                                         .local_memory = descriptor->shared_local_buffer_descriptor.size};
    default:
      return (compiler_known_argument_t){
          .kind = compiler_known_image, .index = index, .format = descriptor->image_descriptor.image->format};
  }
}

static bool same_lod(float a, float b) { return !(a < b) && !(a > b); }

static bool same_sampler(const mux_sampler_t *a, const mux_sampler_t *b) {
  return a->address_mode == b->address_mode && a->filter_mode == b->filter_mode &&
         a->normalize_coords == b->normalize_coords && a->mip_filter_mode == b->mip_filter_mode &&
         same_lod(a->min_lod, b->min_lod) && same_lod(a->max_lod, b->max_lod);
}

static bool same_known(const compiler_known_argument_t *a, const compiler_known_argument_t *b) {
  return a->format == b->format && a->local_memory == b->local_memory && same_sampler(&a->sampler, &b->sampler);
}

static bool is_for(const variant_t *variant, const variant_launch_t *launch) {
  if (memcmp(variant->local_size, launch->local_size, sizeof launch->local_size) != 0) return false;
  for (size_t i = 0; i < variant->known_count; i++) {
    if (variant->known[i].kind == compiler_known_local_size) continue;
    const compiler_known_argument_t known = known_of(launch, variant->known[i].index);
    if (!same_known(&known, &variant->known[i])) return false;
  }
  return true;
}

/* Code for a device serves its sub-devices, and these may go. */
static cl_device_id root_of(cl_device_id device) {
  while (device->parent) device = device->parent;
  return device;
}

static void know_local_size(variant_t *variant, const variant_launch_t *launch) {
  compiler_known_argument_t *known = &variant->known[variant->known_count++];
  known->kind = compiler_known_local_size;
  memcpy(variant->local_size, launch->local_size, sizeof variant->local_size);
  memcpy(known->local_size, launch->local_size, sizeof known->local_size);
}

static variant_t *variant_new(const variant_launch_t *launch) {
  uint32_t arg_count = launch->info->arg_count;
  variant_t *variant = calloc(1, sizeof *variant + ((size_t)arg_count + 1) * sizeof *variant->known);
  if (!variant) return NULL;
  variant->device = root_of(launch->device);
  variant->of = launch->executable;
  variant->info = launch->info;
  for (uint32_t i = 0; i < arg_count; i++) {
    if (is_known(launch, i)) variant->known[variant->known_count++] = known_of(launch, i);
  }
  if (launch->local_size[0]) know_local_size(variant, launch);
  return variant;
}

/* The bound and the list may be exceeded by one per thread, and hold an equal pair: nothing worse. */
static variant_t *variant_add(variants_t *variants, const variant_launch_t *launch) {
  if (atomic_load_explicit(&variants->count, memory_order_relaxed) >= most_variants) return NULL;
  variant_t *variant = variant_new(launch);
  if (!variant) return NULL;
  atomic_fetch_add_explicit(&variants->count, 1, memory_order_relaxed);
  variant->next = atomic_load_explicit(&variants->first, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&variants->first, &variant->next, variant, memory_order_release,
                                                memory_order_relaxed)) {
  }
  return variant;
}

static variant_t *variant_find(variants_t *variants, const variant_launch_t *launch) {
  variant_t *variant = atomic_load_explicit(&variants->first, memory_order_acquire);
  while (variant && !is_for(variant, launch)) variant = variant->next;
  return variant;
}

/* ------------------------------------------------------------ choosing */

static bool is_enough(const variant_t *variant, uint32_t launches, uint64_t items) {
  if (is_single(variant->local_size)) {
    return launches >= enough_launches_of_single ||
           (launches >= worth_launches_of_single && items >= worth_items_of_single);
  }
  bool of_size = variant->known[0].kind == compiler_known_local_size;
  return of_size ? launches >= worth_launches_of_size && items >= worth_items_of_size
                 : launches >= worth_launches && items >= worth_items;
}

/* True for the one launch that finds the variant worth making. */
static bool is_worth(variant_t *variant, uint64_t items) {
  uint32_t launches = atomic_fetch_add_explicit(&variant->launches, 1, memory_order_relaxed) + 1;
  uint64_t all = atomic_fetch_add_explicit(&variant->items, items, memory_order_relaxed) + items;
  bool at_once = options_get()->specialize > 1;
  if (!at_once && !is_enough(variant, launches, all)) return false;
  uint32_t expected = variant_state_counting;
  return atomic_compare_exchange_strong_explicit(&variant->state, &expected, variant_state_queued, memory_order_acq_rel,
                                                 memory_order_relaxed);
}

/* Work-groups of one work-item are lanes of one vector. Vectors of which few lanes are active are slower than scalar
 * code, and leave compute units without work: then each group runs by itself. */
static bool fills_vectors(const variant_t *variant, const variant_launch_t *launch) {
  const mux_kernel_t kernel = variant->code.mux_kernel;
  if (!is_single(variant->local_size) || !kernel->ignores_work_groups || kernel->scalar_work_items) return true;
  return launch->items / launch->device->info->compute_units >= variant->code.limits.width;
}

void variants_choose(variants_t *variants, const variant_launch_t *launch, variant_code_t *code) {
  if (!knows_something(launch)) return;
  variant_t *variant = variant_find(variants, launch);
  if (!variant) variant = variant_add(variants, launch);
  if (!variant) return;
  uint32_t state = atomic_load_explicit(&variant->state, memory_order_acquire);
  if (state == variant_state_counting && is_worth(variant, launch->items)) {
    specializer_submit(variant);
    state = atomic_load_explicit(&variant->state, memory_order_acquire);
  }
  if (state == variant_state_ready && fills_vectors(variant, launch)) *code = variant->code;
}

/* ------------------------------------------------------------ making */

static size_t sub_group_size(mux_kernel_t kernel) {
  size_t size, largest = kernel->device->info->max_work_group_size_x;
  return muxQuerySubGroupSizeForLocalSize(kernel, largest, 1, 1, &size) == mux_success ? size : 0;
}

/* What a kernel, or the application, can see of the code but its speed: the sub-groups, and how much local memory is
 * left for arguments. Kernels for groups of one work-item have no sub-groups, and may need less local memory. */
static bool is_alike(mux_kernel_t variant, mux_kernel_t general, bool has_single_items) {
  if (has_single_items) return variant->local_memory_size <= general->local_memory_size;
  return sub_group_size(variant) == sub_group_size(general) && variant->local_memory_size == general->local_memory_size;
}

static bool find_code(const variant_t *variant, executable_t *executable, variant_code_t *out_code) {
  mux_kernel_t general;
  int64_t index = executable_find_kernel(executable, variant->info->name);
  int64_t general_index = executable_find_kernel(variant->of, variant->info->name);
  if (index < 0 || executable->info->kernels[index].arg_count != variant->info->arg_count) return false;
  out_code->executable = executable;
  if (executable_get_kernel(executable, (uint32_t)index, &out_code->mux_kernel) != CL_SUCCESS ||
      executable_get_kernel(variant->of, (uint32_t)general_index, &general) != CL_SUCCESS) {
    return false;
  }
  out_code->limits = local_size_limits(out_code->mux_kernel, variant->device->info);
  return is_alike(out_code->mux_kernel, general, is_single(variant->local_size));
}

static void compile(const variant_t *variant, program_result_t *out_result) {
  const executable_t *of = variant->of;
  const char *name = variant->info->name;
  const program_key_t key = program_key_for_variant(variant->device, of->portable, of->portable_size, name,
                                                    variant->known, variant->known_count);
  if (program_cache_find(&key, variant->device, out_result)) return;
  compile_variant(variant->device, of->portable, of->portable_size, name, variant->known, variant->known_count,
                  out_result);
  program_cache_keep(&key, NULL, out_result);
}

static void report_known(text_t *text, const compiler_known_argument_t *known) {
  const mux_sampler_t *sampler = &known->sampler;
  const uint32_t *size = known->local_size;
  switch (known->kind) {
    case compiler_known_image:
      text_appendf(text, " %" PRIu32 ":format(0x%" PRIx32 ")", known->index, known->format);
      break;
    case compiler_known_sampler:
      text_appendf(text, " %" PRIu32 ":sampler(%d,%d,%d)", known->index, (int)sampler->address_mode,
                   (int)sampler->filter_mode, sampler->normalize_coords);
      if (sampler->mip_filter_mode == mux_filter_mode_linear) text_append(text, " between levels");
      break;
    case compiler_known_local_memory:
      text_appendf(text, " %" PRIu32 ":%" PRIu64 " bytes", known->index, known->local_memory);
      break;
    case compiler_known_local_size:
      text_appendf(text, " local size %" PRIu32 "x%" PRIu32 "x%" PRIu32, size[0], size[1], size[2]);
      break;
  }
}

/* A line for those who want to know why a kernel became faster. */
static void report(const variant_t *variant, bool is_made, uint64_t begin, const program_result_t *result) {
  if (!log_enabled(log_compiler)) return;
  text_t text = {0};
  for (size_t i = 0; i < variant->known_count; i++) report_known(&text, &variant->known[i]);
  log_write(log_compiler, "kernel '%s' %s for%s after %" PRIu32 " launches: %.1f ms %s", variant->info->name,
            is_made ? "specialized" : "not specialized", text_string(&text),
            atomic_load_explicit(&variant->launches, memory_order_relaxed), (double)(clock_now_ns() - begin) * 1e-6,
            result->log ? result->log : "");
  text_free(&text);
}

void variant_make(variant_t *variant) {
  program_result_t result = {.type = CL_PROGRAM_BINARY_TYPE_NONE};
  uint64_t begin = clock_now_ns();
  compile(variant, &result);
  bool is_made =
      result.error == CL_SUCCESS && result.executable && find_code(variant, result.executable, &variant->code);
  report(variant, is_made, begin, &result);
  if (result.executable && !is_made) object_drop(OBJECT(result.executable));
  free(result.log);
  binary_drop(result.binary);
  text_free(&result.dependencies);
  atomic_store_explicit(&variant->state, is_made ? variant_state_ready : variant_state_failed, memory_order_release);
}

void variants_clear(variants_t *variants) {
  variant_t *variant = atomic_load_explicit(&variants->first, memory_order_acquire);
  while (variant) {
    variant_t *next = variant->next;
    if (atomic_load_explicit(&variant->state, memory_order_acquire) == variant_state_ready) {
      object_drop(OBJECT(variant->code.executable));
    }
    free(variant);
    variant = next;
  }
}
