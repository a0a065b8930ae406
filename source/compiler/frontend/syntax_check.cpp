/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Checks of Clang's syntax tree. */
#include "compiler/frontend/syntax_check.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>

using namespace clang;

namespace quern {

void SyntaxCheck::refuse(SourceLocation place, const char *why) {
  diagnostics_.Report(place, diagnostics_.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << why;
}

static bool is_floating_point(QualType type) {
  const auto *vector = type->getAs<VectorType>();
  return (vector ? vector->getElementType() : type)->isRealFloatingType();
}

/* Clang 22 takes the conversions of a void and of a pointer to a vector, and then has no value to convert, or none that
 * has a conversion. */
void SyntaxCheck::check_cast(const CastExpr &cast) {
  const QualType from = cast.getSubExpr()->getType();
  if (from->isVoidType() && !cast.getType()->isVoidType())
    refuse(cast.getExprLoc(), "a void expression cannot be converted");
  if (from->isAnyPointerType() && is_floating_point(cast.getType()))
    refuse(cast.getExprLoc(), "a pointer cannot be converted to a floating-point type");
}

void SyntaxCheck::check_statements(const Stmt *root) {
  llvm::SmallVector<const Stmt *, 32> stack = {root};
  while (!stack.empty()) {
    const Stmt *statement = stack.pop_back_val();
    if (!statement) continue;
    if (auto *cast = llvm::dyn_cast<CastExpr>(statement)) check_cast(*cast);
    llvm::append_range(stack, statement->children());
  }
}

/* Clang 22 takes the type of a kernel as it is written for a function's type, which it is not with parentheses or a
 * calling convention around it. The convention, which it warns of and ignores, is that of other functions then. */
static void simplify_type(FunctionDecl &kernel) {
  const auto *type = kernel.getType()->castAs<FunctionType>();
  const FunctionType::ExtInfo info = type->getExtInfo().withCallingConv(CC_DeviceKernel);
  kernel.setType(QualType(kernel.getASTContext().adjustFunctionType(type, info), 0));
}

void SyntaxCheck::check(Decl *declaration) {
  if (auto *function = llvm::dyn_cast<FunctionDecl>(declaration)) {
    if (function->hasAttr<DeviceKernelAttr>()) simplify_type(*function);
    if (function->doesThisDeclarationHaveABody()) check_statements(function->getBody());
  } else if (auto *variable = llvm::dyn_cast<VarDecl>(declaration)) {
    check_statements(variable->getInit());
  } else if (llvm::isa<NamespaceDecl, LinkageSpecDecl, RecordDecl>(declaration)) {
    for (Decl *member : llvm::cast<DeclContext>(declaration)->decls()) check(member);
  }
}

bool SyntaxCheck::HandleTopLevelDecl(DeclGroupRef declarations) {
  for (Decl *declaration : declarations) check(declaration);
  return true;
}

}  // namespace quern
