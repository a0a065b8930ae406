/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Who may see a function or variable of the module. */
#ifndef COMPILER_SPIRV_LINKAGE_H
#define COMPILER_SPIRV_LINKAGE_H

#include "compiler/spirv/importer.h"

typedef enum linkage_e { linkage_none, linkage_import, linkage_export } linkage_e;

/** What LinkageAttributes say of `id`; the name by `*name`. */
linkage_e linkage_of(importer_t *im, uint32_t id, const char **name);

/** A name for what is not visible outside: the one for debugging, made unlike any builtin's. */
const char *linkage_local_name(importer_t *im, uint32_t id);

/** Gives a global value its name and visibility. */
linkage_e linkage_apply(importer_t *im, uint32_t id, LLVMValueRef value);

/** Keeps the address of a defined function that says that it is called through pointers, where the host finds it by the
 * name that the module exports it by. */
void linkage_keep_address(importer_t *im, uint32_t id, LLVMValueRef function);

/** Gives a variable in global memory the name by which its HostAccess decoration lets the host ask for it. */
void linkage_apply_host_access(importer_t *im, uint32_t id, LLVMValueRef variable);

#endif
