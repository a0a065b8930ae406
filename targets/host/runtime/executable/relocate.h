/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * x86-64 relocations. */
#ifndef HOST_RUNTIME_EXECUTABLE_RELOCATE_H
#define HOST_RUNTIME_EXECUTABLE_RELOCATE_H

#include "host/runtime/executable/elf_load.h"

/** Before the layout: checks every relocation, and finds out which symbols need GOT entries, jump stubs and low
 * addresses. */
MUX_MUST_CHECK mux_result_t host_relocations_scan(host_load_t *load);

/** After the layout, with all sections copied to writable memory: fills GOT and stubs, and patches all places. */
MUX_MUST_CHECK mux_result_t host_relocations_apply(host_load_t *load);

#endif
