/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The Clang front end behind its C header. */
#include "compiler/frontend/frontend.h"

#include <string>
#include <vector>

#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include "base/options.h"
#include "compiler/frontend/host_files.hpp"
#include "compiler/frontend/recording_files.hpp"
#include "compiler/frontend/syntax_check.hpp"
#include "compiler/module/host.h"
extern "C" {
#include "compiler/frontend/resources.h"
}

namespace {

/* Where the front end finds Clang's own OpenCL header and the program: a folder that exists in memory only. */
constexpr const char *resource_folder = "/quern";
constexpr const char *base_header = "/quern/include/opencl-c-base.h";
constexpr const char *rare_header = "/quern/include/rare_functions.h";
constexpr const char *header_folder = "/quern/headers";
constexpr const char *main_file = "program.cl";

/* "cl_khr_a cl_khr_b" and "__opencl_c_x": all off but those. */
std::string extension_argument(const compiler_target_t &target) {
  std::string argument = "-cl-ext=-all";
  for (llvm::StringRef list : {llvm::StringRef(target.extensions), llvm::StringRef(target.features)}) {
    llvm::SmallVector<llvm::StringRef, 32> names;
    list.split(names, ' ', -1, false);
    for (llvm::StringRef name : names) argument += ",+" + name.str();
  }
  return argument;
}

/* Extensions that Clang has no name for, so that their macros are for us to define; opencl_additions.h and
 * rare_functions.h declare what they bring. Some are there but not among the device's names (docs/extensions.md). */
void define_additions(const frontend_input_t &input, std::vector<std::string> &arguments) {
  arguments.push_back("-Dcl_khr_async_work_group_copy_fence=1");
  if (input.options->cxx || input.options->language_version >= 200) {
    arguments.push_back("-Dcl_khr_work_group_uniform_arithmetic=1");
  }
  for (const char *name : {"cl_khr_extended_async_copies", "cl_intel_split_work_group_barrier"}) {
    if (llvm::StringRef(input.target->extensions).contains(name)) {
      arguments.push_back(std::string("-D") + name + "=1");
    }
  }
}

/* The names of the language versions that the options know. */
std::string standard_argument(const build_options_t &options) {
  const unsigned version = options.language_version;
  if (options.cxx) return version == 100 ? "-cl-std=CLC++1.0" : "-cl-std=CLC++2021";
  return "-cl-std=CL" + std::to_string(version / 100) + "." + std::to_string(version / 10 % 10);
}

/* True when the text may name one of the functions of rare_functions.h, perhaps by pasting parts together. */
bool names_rare_function(llvm::StringRef text) {
  if (text.contains("intel_sub_group") || text.contains("intel_convert_")) return true;
  if (text.contains("work_group_reduce_") || text.contains("work_group_scan_")) return true;
  return text.contains("##") && (text.contains("work_group") || text.contains("sub_group") || text.contains("intel_"));
}

/* True when the text includes a file that is not among the headers given: that may name anything. */
bool includes_other_files(llvm::StringRef text, const frontend_input_t &input) {
  for (size_t at = text.find("include"); at != llvm::StringRef::npos; at = text.find("include", at + 1)) {
    if (!text.take_front(at).rtrim(" \t").ends_with("#")) continue;
    llvm::StringRef name = text.drop_front(at).split('\n').first.drop_front(strlen("include")).trim();
    if (name.size() >= 2) name = name.drop_front().take_until([](char c) { return c == '"' || c == '>'; });
    auto is_given = [&](const compiler_header_t &header) { return name == header.name; };
    if (!llvm::any_of(llvm::ArrayRef(input.headers, input.header_count), is_given)) return true;
  }
  return false;
}

/* True when the program may call one of the functions of rare_functions.h: declaring them costs time, and nearly no
 * program does. */
bool may_use_rare_functions(const frontend_input_t &input) {
  auto may_use = [&](llvm::StringRef text) { return names_rare_function(text) || includes_other_files(text, input); };
  bool found = may_use(llvm::StringRef(input.source, input.length));
  for (size_t i = 0; i < input.header_count; i++) {
    found |= may_use(llvm::StringRef(input.headers[i].source, input.headers[i].length));
  }
  for (size_t i = 0; i < input.options->front_end_count; i++) {
    found |= names_rare_function(input.options->front_end[i]);
  }
  return found;
}

bool wants_remarks() { return options_get()->vectorize_remarks || options_set_has(options_get()->dump, "remarks"); }

std::vector<std::string> make_arguments(const frontend_input_t &input) {
  std::vector<std::string> arguments = {
      "-triple", "spir64-unknown-unknown", "-emit-llvm-bc", "-O2", "-disable-llvm-passes", "-discard-value-names",
      "-mrelocation-model", "static", "-ffp-contract=on", "-fno-rounding-math", "-fdeclare-opencl-builtins",
      "-finclude-default-header", "-nostdsysteminc", "-resource-dir", resource_folder, "-internal-isystem",
      "/quern/include", "-I", header_folder, "-D__ENDIAN_LITTLE__=1", "-D__OPENCL_VERSION__=300", "-ferror-limit", "50",
      /* No work-item waits for another one to have initialised a variable: both may be of one thread. */
      "-fno-threadsafe-statics",
      /* #pragma clang __debug is for Clang's own tests: it would end the process. */
      "-disable-pragma-debug-crash",
      /* Newer Clang takes these for errors; programs written against older ones are full of them. */
      "-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion", "-x", "cl"};
  arguments.push_back(standard_argument(*input.options));
  arguments.push_back(extension_argument(*input.target));
  define_additions(input, arguments);
  /* Programs read memory as what it was not written as, and OpenCL names an option for those that do not. */
  if (!input.options->strict_aliasing) arguments.push_back("-relaxed-aliasing");
  /* Clang takes it for granted that a SPIR device has images. */
  bool has_images = llvm::StringRef(input.target->features).contains("__opencl_c_images");
  if (!has_images) arguments.push_back("-U__IMAGE_SUPPORT__");
  /* Clang writes the places of instructions then, for remarks, without debug information for the object. */
  if (wants_remarks()) arguments.push_back("-Rpass=quern-vectorize");
  for (size_t i = 0; i < input.options->front_end_count; i++) arguments.push_back(input.options->front_end[i]);
  if (may_use_rare_functions(input)) arguments.insert(arguments.end(), {"-include", rare_header});
  arguments.push_back(main_file);
  return arguments;
}

/* The files of the process that builds, with the program, its headers and Clang's OpenCL header laid over it. */
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_files(const frontend_input_t &input,
                                                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto add = [&](const std::string &path, const char *text, size_t length) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text, length), path));
  };
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(real);
  if (auto folder = overlay->getCurrentWorkingDirectory()) memory->setCurrentWorkingDirectory(*folder);
  add(base_header, resource_opencl_base_header, resource_opencl_base_header_size());
  add(rare_header, resource_rare_functions, resource_rare_functions_size());
  add(main_file, input.source, input.length);
  /* In the program's own folder too: a file there must not come before a header that the application gives. */
  for (size_t i = 0; i < input.header_count; i++) {
    add(input.headers[i].name, input.headers[i].source, input.headers[i].length);
    add(std::string(header_folder) + "/" + input.headers[i].name, input.headers[i].source, input.headers[i].length);
  }
  overlay->pushOverlay(memory);
  return overlay;
}

/* Notes that a date or time becomes part of the program. */
class TimeWatch : public clang::PPCallbacks {
 public:
  explicit TimeWatch(bool &uses_time) : uses_time_(uses_time) {}
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override {
    const clang::IdentifierInfo *identifier = name.getIdentifierInfo();
    if (!identifier) return;
    llvm::StringRef text = identifier->getName();
    uses_time_ |= text == "__DATE__" || text == "__TIME__" || text == "__TIMESTAMP__";
  }

 private:
  bool &uses_time_;
};

/* Makes IR of the program. Clang's own action for that runs LLVM's pipeline behind it, empty here, and so would bring
 * all passes that LLVM has into the library. */
class EmitAction : public clang::ASTFrontendAction {
 public:
  EmitAction(llvm::LLVMContext &context, bool &uses_time) : context_(context), uses_time_(uses_time) {}

  /* Null after an error. */
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

 protected:
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<TimeWatch>(uses_time_));
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override {
    std::unique_ptr<clang::CodeGenerator> generator = clang::CreateLLVMCodeGen(compiler, file, context_);
    generator_ = generator.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<quern::SyntaxCheck>(compiler.getDiagnostics()));
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override {
    if (generator_) module_ = generator_->ReleaseModule();
  }

 private:
  llvm::LLVMContext &context_;
  bool &uses_time_;
  /** The compiler's. */
  clang::CodeGenerator *generator_ = nullptr;
  std::unique_ptr<llvm::Module> module_;
};

/* Null, and a message in the log, when clang does not know an argument. */
std::shared_ptr<clang::CompilerInvocation> parse_arguments(const std::vector<std::string> &arguments,
                                                           llvm::raw_ostream &log) {
  clang::DiagnosticOptions options;
  clang::DiagnosticsEngine diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options,
                                       new clang::TextDiagnosticPrinter(log, options));
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments) pointers.push_back(argument.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  return clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, diagnostics) ? invocation : nullptr;
}

/* Clang 22 lists the constructor of an object that other modules may have too with the object in its own address space,
 * where LLVM wants a generic pointer: such a list could be written as bitcode, but not read. */
void repair_constructors(llvm::Module &module) {
  llvm::GlobalVariable *list = module.getGlobalVariable("llvm.global_ctors");
  auto *entries = list ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  if (!entries) return;
  auto *type = llvm::cast<llvm::StructType>(entries->getType()->getElementType());
  llvm::SmallVector<llvm::Constant *, 8> repaired;
  for (const llvm::Use &use : entries->operands()) {
    auto *entry = llvm::cast<llvm::Constant>(use.get());
    llvm::Constant *object =
        llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(entry->getAggregateElement(2u), type->getElementType(2));
    repaired.push_back(
        llvm::ConstantStruct::get(type, {entry->getAggregateElement(0u), entry->getAggregateElement(1u), object}));
  }
  list->setInitializer(llvm::ConstantArray::get(entries->getType(), repaired));
}

std::unique_ptr<llvm::Module> run_clang(llvm::LLVMContext &context, const frontend_input_t &input,
                                        frontend_dependencies_t &dependencies, llvm::raw_ostream &log) {
  auto real = llvm::makeIntrusiveRefCnt<RecordingFileSystem>(llvm::makeIntrusiveRefCnt<HostFileSystem>(*host_get()));
  auto files = make_files(input, real);
  auto invocation = parse_arguments(make_arguments(input), log);
  if (!invocation) return nullptr;
  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files);
  compiler.createDiagnostics(new clang::TextDiagnosticPrinter(log, invocation->getDiagnosticOpts()));
  compiler.createFileManager();
  compiler.createSourceManager();
  compiler.setVerboseOutputStream(llvm::nulls());

  EmitAction action(context, dependencies.uses_time);
  bool done = compiler.ExecuteAction(action);
  real->write(dependencies.files);
  std::unique_ptr<llvm::Module> module = done ? action.take_module() : nullptr;
  if (module) repair_constructors(*module);
  return module;
}

}  // namespace

extern "C" LLVMModuleRef frontend_compile(LLVMContextRef context, const frontend_input_t *input,
                                          frontend_dependencies_t *dependencies, text_t *log) {
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  std::unique_ptr<llvm::Module> module = run_clang(*llvm::unwrap(context), *input, *dependencies, stream);
  text_append_bytes(log, messages.data(), messages.size());
  return llvm::wrap(module.release());
}
