/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * LLVM's code generation, with passes chosen by the module's size. */
extern "C" {
#include "compiler/module/emit.h"
}

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/RuntimeLibcallInfo.h>
#include <llvm/CodeGen/CodeGenTargetMachineImpl.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

/* The most instructions of a block for LLVM 22's MachineCombiner. It counts those of the block, one by one, each time
 * that it has shortened a chain of dependent instructions. */
static constexpr size_t most_combined = 2048;

static bool has_large_block(const Module &module) {
  return any_of(module, [](const Function &function) {
    return any_of(function, [](const BasicBlock &block) { return block.size() > most_combined; });
  });
}

/* The C library's functions that code may call. Without this PreISelIntrinsicLowering takes it that there are none, and
 * makes a loop over bytes of each memset and memcpy. */
static ModulePass *make_library_info(const CodeGenTargetMachineImpl &machine) {
  const TargetOptions &options = machine.Options;
  return new RuntimeLibraryInfoWrapper(machine.getTargetTriple(), options.ExceptionModel, options.FloatABIType,
                                       options.EABIVersion, options.MCOptions.ABIName, options.VecLib);
}

/* As CodeGenTargetMachineImpl::addPassesToEmitFile, which has no place for what is left out. */
static bool add_passes(CodeGenTargetMachineImpl &machine, legacy::PassManager &passes, bool combine,
                       raw_pwrite_stream &out, CodeGenFileType type) {
  auto *info = new MachineModuleInfoWrapperPass(&machine);
  TargetPassConfig *config = machine.createPassConfig(passes);
  if (!combine) config->disablePass(&MachineCombinerID);
  passes.add(make_library_info(machine));
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses()) return false;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, type, info->getMMI().getContext())) return false;
  passes.add(createFreeMachineFunctionPass());
  return true;
}

extern "C" LLVMMemoryBufferRef emit_code(LLVMTargetMachineRef machine, LLVMModuleRef ir, LLVMCodeGenFileType type) {
  auto &target = *reinterpret_cast<CodeGenTargetMachineImpl *>(machine);
  Module &module = *unwrap(ir);
  module.setDataLayout(target.createDataLayout());
  SmallString<0> code;
  raw_svector_ostream out(code);
  legacy::PassManager passes;
  const auto file_type = type == LLVMAssemblyFile ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (!add_passes(target, passes, !has_large_block(module), out, file_type)) return nullptr;
  passes.run(module);
  return wrap(new SmallVectorMemoryBuffer(std::move(code), /*RequiresNullTerminator=*/false));
}

extern "C" uint64_t emit_constants_size(LLVMModuleRef ir) {
  const Module &module = *unwrap(ir);
  uint64_t total = 0;
  for (const GlobalVariable &variable : module.globals()) {
    if (!variable.isConstant() || variable.isDeclaration()) continue;
    total = SaturatingAdd(total, module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue());
  }
  return total;
}
