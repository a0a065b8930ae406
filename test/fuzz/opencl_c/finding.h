/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What was found: a program, its options and its log for each cause, in a folder that all workers write to. */
#ifndef OPENCL_C_FINDING_H
#define OPENCL_C_FINDING_H

#include <stdio.h>

#include "base/text.h"

/** Notes one. The shortest program of a cause stays, as KIND-HASH.cl, .cl.options and .log, where KIND is the first
 * word of the cause. Thread and process safe. */
void finding_add(const char *folder, const char *cause, const char *source, const char *options, const char *log);
/** A line for each cause: how often, the file, the cause; the most frequent first. Returns how many there are. */
size_t findings_print(const char *folder, FILE *out);

#endif
