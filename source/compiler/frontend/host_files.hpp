/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The files of the process that builds, as a file system of LLVM's. */
#ifndef COMPILER_FRONTEND_HOST_FILES_HPP
#define COMPILER_FRONTEND_HOST_FILES_HPP

#include <string>

#include <llvm/Support/VirtualFileSystem.h>

#include "compiler/interface.h"

/* Regular files of a bounded size can be read, folders cannot be listed: nothing that Clang does with a program of
 * OpenCL C wants to. For one thread. */
class HostFileSystem : public llvm::vfs::FileSystem {
 public:
  explicit HostFileSystem(const compiler_host_t &host);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &folder, std::error_code &error) override;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;
  std::error_code setCurrentWorkingDirectory(const llvm::Twine &path) override;

 private:
  const compiler_host_t &host_;
  /* Empty when it is not known. */
  std::string working_folder_;
};

#endif
