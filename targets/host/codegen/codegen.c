/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The host target's code generator: entries and kernel table. */
#include "host/codegen/codegen.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/memory.h"
#include "host/abi.h"
#include "host/codegen/costs.h"
#include "host/codegen/passes/passes.h"
#include "host/image_code.h"

_Static_assert(HOST_LOCAL_ALIGNMENT == PASSES_MEMORY_ALIGNMENT, "the same memory");
_Static_assert(sizeof HOST_SINGLE_PREFIX == sizeof PASSES_SINGLE_PREFIX, "the same text");
_Static_assert(sizeof HOST_DISTINCT_PREFIX == sizeof PASSES_DISTINCT_PREFIX, "the same text");

static uint32_t arg_kind(program_arg_kind_e kind) {
  switch (kind) {
    case program_arg_local: return host_arg_local;
    case program_arg_value: return host_arg_value;
    case program_arg_image: return host_arg_image;
    case program_arg_sampler: return host_arg_sampler;
    default: return host_arg_buffer;
  }
}

bool host_args_layout(const kernel_work_t *kernel, host_args_layout_t *out) {
  uint32_t count = (uint32_t)kernel->parameter_count + (kernel->uses_printf ? 1 : 0);
  host_arg_record_t *records = calloc(count + 1, sizeof(*records));
  if (!records) return false;
  uint64_t offset = 0;
  for (uint32_t i = 0; i < count; i++) {
    kernel_parameter_t parameter = {.kind = program_arg_buffer, .size = 8, .alignment = 8};
    if (i < kernel->parameter_count) parameter = kernel->parameters[i];
    offset = align_up(offset, parameter.alignment);
    uint32_t alignment = parameter.kind == program_arg_local ? parameter.pointee_alignment : parameter.alignment;
    records[i] = (host_arg_record_t){
        .kind = arg_kind(parameter.kind), .offset = (uint32_t)offset, .size = parameter.size, .alignment = alignment};
    offset += parameter.size;
  }
  *out = (host_args_layout_t){records, count, (uint32_t)align_up(offset, 16)};
  return true;
}

static uint64_t memory_alignment(const kernel_work_t *kernel) {
  return kernel->memory_alignment > HOST_LOCAL_ALIGNMENT ? kernel->memory_alignment : HOST_LOCAL_ALIGNMENT;
}

static uint32_t record_flags(const kernel_work_t *kernel) {
  return (kernel->flushes_denormals ? HOST_KERNEL_FLUSHES_DENORMALS : 0) |
         (kernel->ignores_groups ? HOST_KERNEL_IGNORES_GROUPS : 0) |
         (kernel->uses_sub_groups ? HOST_KERNEL_USES_SUB_GROUPS : 0) |
         (kernel->reqd_sub_group_size ? 0 : HOST_KERNEL_HAS_SUB_GROUP_LINES) |
         (kernel->groups_follow_lanes ? HOST_KERNEL_GROUPS_FOLLOW_LANES : 0) |
         (kernel->expects_scalar ? HOST_KERNEL_EXPECTS_SCALAR : 0) |
         (kernel->distinct_expects_scalar ? HOST_KERNEL_DISTINCT_EXPECTS_SCALAR : 0);
}

void host_table_append(text_t *table, const kernel_work_t *kernel, const host_args_layout_t *layout,
                       uint64_t stack_size) {
  size_t name_length = strlen(kernel->name);
  size_t size = sizeof(host_kernel_record_t) + layout->count * sizeof(host_arg_record_t) + name_length;
  host_kernel_record_t record = {.record_size = (uint32_t)align_up(size, 8),
                                 .name_length = (uint32_t)name_length,
                                 .arg_count = layout->count,
                                 .args_size = layout->size,
                                 .local_size = kernel->local_size,
                                 .scratch_per_item = kernel->scratch_per_item,
                                 .work_width = kernel->width,
                                 .vector_dimension = kernel->vector_dimension,
                                 .min_lanes = kernel->min_lanes,
                                 .sub_group_size = kernel->sub_group_size,
                                 .flags = record_flags(kernel),
                                 .memory_alignment = memory_alignment(kernel),
                                 .stack_size = stack_size};
  memcpy(record.reqd_local_size, kernel->reqd_local_size, sizeof(record.reqd_local_size));
  text_append_bytes(table, (const char *)&record, sizeof(record));
  text_append_bytes(table, (const char *)layout->records, layout->count * sizeof(host_arg_record_t));
  text_append_bytes(table, kernel->name, name_length);
  text_append_bytes(table, "\0\0\0\0\0\0\0", record.record_size - size);
}

/* The table is a constant in a section of its own; external, so that nothing drops it. */
static void add_table(LLVMModuleRef module, const text_t *table) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef bytes = LLVMConstStringInContext2(context, table->data, table->length, true);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(bytes), "__quern_kernels");
  LLVMSetInitializer(global, bytes);
  LLVMSetGlobalConstant(global, true);
  LLVMSetSection(global, HOST_KERNEL_SECTION);
  LLVMSetAlignment(global, 8);
}

compiler_result_t host_add_entries(passes_t *passes, text_t *log) {
  (void)log;
  for (size_t i = 0; i < passes->kernel_count; i++) {
    host_args_layout_t layout;
    if (!host_args_layout(&passes->kernels[i], &layout)) return compiler_error_out_of_memory;
    passes->kernels[i].function = host_entry_add(passes->module, &passes->kernels[i], &layout);
    free(layout.records);
  }
  host_entry_probe_stacks(passes->module);
  return compiler_success;
}

compiler_result_t host_add_table(passes_t *passes, text_t *log) {
  (void)log;
  text_t table = {0};
  compiler_result_t result = compiler_error_out_of_memory;
  host_kernel_table_t head = {.magic = HOST_KERNEL_TABLE_MAGIC,
                              .abi_version = HOST_ABI_VERSION,
                              .kernel_count = (uint32_t)passes->kernel_count};
  uint64_t *stack_sizes = calloc(passes->kernel_count + 1, sizeof(*stack_sizes));
  if (!stack_sizes || !host_stack_sizes(passes->module, passes->kernels, passes->kernel_count, stack_sizes)) goto done;
  text_append_bytes(&table, (const char *)&head, sizeof(head));
  for (size_t i = 0; i < passes->kernel_count; i++) {
    host_args_layout_t layout;
    if (!host_args_layout(&passes->kernels[i], &layout)) goto done;
    host_table_append(&table, &passes->kernels[i], &layout, stack_sizes[i]);
    free(layout.records);
  }
  if (table.failed) goto done;
  add_table(passes->module, &table);
  passes_name_variables(passes, HOST_VARIABLE_PREFIX);
  result = compiler_success;
done:
  free(stack_sizes);
  text_free(&table);
  return result;
}

static void describe(LLVMTargetMachineRef machine, target_description_t *out) {
  out->layout = (work_group_layout_t){
      .ndrange = {.size = sizeof(host_ndrange_t),
                  .global_size = offsetof(host_ndrange_t, global_size),
                  .global_offset = offsetof(host_ndrange_t, global_offset),
                  .local_size = offsetof(host_ndrange_t, local_size),
                  .num_groups = offsetof(host_ndrange_t, num_groups),
                  .work_dim = offsetof(host_ndrange_t, work_dim),
                  .streaming_mib = offsetof(host_ndrange_t, streaming_mib)},
      .memory = {.local_size = offsetof(host_group_memory_t, local_size),
                 .scratch_size = offsetof(host_group_memory_t, scratch_size)},
  };
  out->max_work_group_size = HOST_MAX_WORK_GROUP_SIZE;
  out->costs = host_costs(machine);
}

static bool describe_format(mux_image_format_e format, image_description_t *out_image) {
  const host_image_format_t *stored = host_image_format_of(format);
  if (stored) host_image_describe_format(stored, out_image);
  return stored;
}

/* One object as it is; several behind a head. */
static void join(const compiler_object_t *objects, size_t count, text_t *binary) {
  if (count == 1) {
    text_append_bytes(binary, objects[0].data, objects[0].size);
    return;
  }
  host_executable_head_t head = {
      .magic = HOST_EXECUTABLE_MAGIC, .abi_version = HOST_ABI_VERSION, .object_count = (uint32_t)count};
  text_append_bytes(binary, (const char *)&head, sizeof(head));
  uint64_t offset = align_up(sizeof(head) + count * sizeof(host_object_entry_t), HOST_OBJECT_ALIGNMENT);
  for (size_t i = 0; i < count; i++) {
    host_object_entry_t entry = {offset, objects[i].size};
    text_append_bytes(binary, (const char *)&entry, sizeof(entry));
    offset = align_up(offset + objects[i].size, HOST_OBJECT_ALIGNMENT);
  }
  static const char zeros[HOST_OBJECT_ALIGNMENT];
  for (size_t i = 0; i < count; i++) {
    text_append_bytes(binary, objects[i].data, objects[i].size);
    text_append_bytes(binary, zeros, (size_t)(align_up(objects[i].size, HOST_OBJECT_ALIGNMENT) - objects[i].size));
  }
}

extern const compiler_codegen_t host_codegen;
const compiler_codegen_t host_codegen = {
    .name = "host",
    .create_machine = host_machine_create,
    .has_symbol = host_has_symbol,
    .describe = describe,
    .passes = &host_passes,
    .describe_format = describe_format,
    .sampler_bits = host_sampler_bits,
    .add_entries = host_add_entries,
    .add_table = host_add_table,
    .join = join,
};
