/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * QUERN_DUMP: what a program looks like after each stage, as files. */
#ifndef COMPILER_MODULE_DUMP_H
#define COMPILER_MODULE_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

/** Stage, word in QUERN_DUMP, file suffix. */
#define DUMP_STAGE_LIST(X)      \
  X(source, ".cl")              \
  X(spirv, ".spv")              \
  X(ir, ".ir.ll")               \
  X(optimized, ".optimized.ll") \
  X(workgroup, ".workgroup.ll") \
  X(plan, ".plan")              \
  X(remarks, ".remarks.yaml")   \
  X(final, ".final.ll")         \
  X(asm, ".s")                  \
  X(object, ".o")

typedef enum dump_stage_e {
#define DUMP_STAGE_ENUM(name, suffix) dump_stage_##name,
  DUMP_STAGE_LIST(DUMP_STAGE_ENUM)
#undef DUMP_STAGE_ENUM
} dump_stage_e;

/** True when QUERN_DUMP asks for the stage. */
bool dump_wanted(dump_stage_e stage);

/** Each gives the stage, when it is wanted, to the process that builds, which writes the file (loader/dump_files.h). */
void dump_bytes(dump_stage_e stage, const void *data, size_t size);
/** What a program is made from; it comes first. */
void dump_program(dump_stage_e stage, const void *data, size_t size);
void dump_ir(dump_stage_e stage, LLVMModuleRef module);
/** Emits assembly from a copy of the module, since emission changes it. */
void dump_assembly(LLVMTargetMachineRef machine, LLVMModuleRef module);

#endif
