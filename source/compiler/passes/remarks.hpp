/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The vectorizer's optimization remarks, for build logs and files. */
#ifndef COMPILER_PASSES_REMARKS_HPP
#define COMPILER_PASSES_REMARKS_HPP

#include <memory>
#include <string>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include "base/text.h"

namespace quern {

/** What the vectorizer says of a loop. */
struct Remark {
  std::string function, text;
  /** FILE:LINE:COLUMN, or empty where the program has no debug information. */
  std::string location;
};

/** While it lives, it takes the vectorizer's remarks of a context; other diagnostics go where they went. */
class RemarkCollector {
 public:
  /** `yaml` gets all remarks in LLVM's form for files, analyses too, when this object goes; null: no such form is
   * wanted. The context and the text outlive this object. */
  RemarkCollector(llvm::LLVMContext &context, text_t *yaml);
  ~RemarkCollector();
  RemarkCollector(const RemarkCollector &) = delete;
  RemarkCollector &operator=(const RemarkCollector &) = delete;

  /** The remarks on a function so far, but for analyses. */
  llvm::SmallVector<Remark, 4> of_function(llvm::StringRef function) const;

 private:
  class Handler;

  llvm::LLVMContext &context_;
  text_t *yaml_;
  std::string yaml_text_;
  llvm::raw_string_ostream yaml_stream_;
  llvm::SmallVector<Remark, 8> remarks_;
  std::unique_ptr<llvm::DiagnosticHandler> previous_;
};

}  // namespace quern

#endif
