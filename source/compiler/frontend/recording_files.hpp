/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A file system that remembers what it was asked for. */
#ifndef COMPILER_FRONTEND_RECORDING_FILES_HPP
#define COMPILER_FRONTEND_RECORDING_FILES_HPP

#include <map>
#include <string>

#include <llvm/Support/VirtualFileSystem.h>

#include "compiler/info/dependency.h"

/* The answers of another file system, and a list of them. For one thread. */
class RecordingFileSystem : public llvm::vfs::ProxyFileSystem {
 public:
  explicit RecordingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files)
      : ProxyFileSystem(std::move(files)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  bool exists(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;

  /* Appends all answers as a list of dependencies. */
  void write(text_t &list) const;

 private:
  struct Answer {
    dependency_kind_e kind;
    hash128_t content;
  };
  void note(const std::string &path, Answer answer);

  /* By path. */
  std::map<std::string, Answer> answers_;
};

#endif
