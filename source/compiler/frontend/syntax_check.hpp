/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What Clang's parser takes and its code generation crashes over. */
#ifndef COMPILER_FRONTEND_SYNTAX_CHECK_HPP
#define COMPILER_FRONTEND_SYNTAX_CHECK_HPP

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/Diagnostic.h>

namespace quern {

/** Looks at each declaration before Clang makes code of it: mends what it would crash over where the meaning is clear,
 * and reports an error where it is not. After an error no code is made. */
class SyntaxCheck : public clang::ASTConsumer {
 public:
  explicit SyntaxCheck(clang::DiagnosticsEngine &diagnostics) : diagnostics_(diagnostics) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override;

 private:
  void check(clang::Decl *declaration);
  void check_statements(const clang::Stmt *root);
  void check_cast(const clang::CastExpr &cast);
  void refuse(clang::SourceLocation place, const char *why);

  clang::DiagnosticsEngine &diagnostics_;
};

}  // namespace quern

#endif
