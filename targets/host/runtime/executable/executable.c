/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * From bytes to callable kernels. */
#include "host/runtime/executable/executable.h"

#include <stdalign.h>

#include "base/log.h"
#include "mux/target.h"

static mux_result_t executable_load(host_executable_t *executable, const host_elf_t *elf) {
  host_load_t load;
  mux_result_t result = host_load_run(&load, elf);
  if (result) goto end_load;
  result = host_kernel_table_read(&executable->kernels, &load);
  if (result) host_image_unload(&load.image);
  else executable->image = load.image;

end_load:
  host_load_end(&load);
  return result;
}

mux_result_t host_create_executable(mux_device_t device, const void *binary, uint64_t binary_length,
                                    mux_allocator_info_t allocator, mux_executable_t *out_executable) {
  host_elf_t elf;
  mux_result_t result = host_elf_open(&elf, binary, binary_length);
  if (result) return result;
  host_executable_t *executable = mux_object_allocate(allocator, sizeof *executable, alignof(host_executable_t));
  result = mux_error_out_of_memory;
  if (!executable) goto close_elf;
  executable->base.id = mux_id_make(mux_object_id_executable, mux_id_target(device->id));
  result = executable_load(executable, &elf);
  if (result) goto free_executable;
  log_write(log_loader, "executable with %u kernels at %p, %llu bytes", executable->kernels.count,
            (void *)executable->image.base, (unsigned long long)executable->image.size);
  *out_executable = &executable->base;
  goto close_elf;

free_executable:
  mux_object_free(allocator, executable);
close_elf:
  host_elf_close(&elf);
  return result;
}

void host_destroy_executable(mux_device_t device, mux_executable_t handle, mux_allocator_info_t allocator) {
  (void)device;
  host_executable_t *executable = host_executable(handle);
  host_kernel_table_free(&executable->kernels);
  host_image_unload(&executable->image);
  mux_object_free(allocator, executable);
}
