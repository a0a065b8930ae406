/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What the processor can execute, as a text that differs where machine code may. */
#ifndef HOST_RUNTIME_MACHINE_INSTRUCTION_SET_H
#define HOST_RUNTIME_MACHINE_INSTRUCTION_SET_H

enum { host_instruction_set_size = 64 };

/** Writes the text: the architecture, and a hash of the processor's model and of all its features. Thread safe. */
void host_instruction_set_read(char out[host_instruction_set_size]);

#endif
