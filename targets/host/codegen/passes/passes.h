/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The passes of the host target (compiler/passes/target_passes.hpp), for its compiler_codegen_t. */
#ifndef HOST_CODEGEN_PASSES_PASSES_H
#define HOST_CODEGEN_PASSES_PASSES_H

#ifdef __cplusplus
extern "C" {
#endif

extern const struct target_passes_t host_passes;

#ifdef __cplusplus
}
#endif

#endif
