/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Makes a finding short. */
#ifndef OPENCL_C_REDUCE_H
#define OPENCL_C_REDUCE_H

#include "build.h"
#include "tokens.h"

/** Removes statements, operands and tokens as long as the build fails for the same cause; true when it failed at
 * all. */
bool reduce(const builder_t *builder, tokens_t *tokens, const char *options);

#endif
