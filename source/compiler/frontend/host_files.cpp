/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The files of the process that builds, as a file system of LLVM's. */
#include "compiler/frontend/host_files.hpp"

#include <sys/stat.h>

#include <llvm/Support/Chrono.h>
#include <llvm/Support/MemoryBuffer.h>

namespace {

using llvm::sys::fs::file_type;
using llvm::vfs::Status;

class IncludeErrors : public std::error_category {
 public:
  const char *name() const noexcept override { return "include"; }
  std::string message(int error) const override {
    return error == include_file_too_large ? "the file is too large to include" : "not a regular file";
  }
};

std::error_code error_code_of(int error) {
  static const IncludeErrors errors;
  return error < 0 ? std::error_code(error, errors) : std::error_code(error, std::generic_category());
}

file_type type_of(uint32_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return file_type::regular_file;
    case S_IFDIR: return file_type::directory_file;
    default: return file_type::type_unknown;
  }
}

Status status_of(const llvm::Twine &path, const include_file_t &file) {
  const llvm::sys::TimePoint<> modified{std::chrono::nanoseconds(file.modified)};
  return Status(path, llvm::sys::fs::UniqueID(file.device, file.inode), modified, 0, 0, file.size, type_of(file.mode),
                static_cast<llvm::sys::fs::perms>(file.mode & 07777));
}

/* A file whose bytes are here. */
class HostFile : public llvm::vfs::File {
 public:
  HostFile(Status status, text_t content) : status_(std::move(status)), content_(content) {}
  ~HostFile() override { text_free(&content_); }

  llvm::ErrorOr<Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text_string(&content_), content_.length), name);
  }
  std::error_code close() override { return {}; }

 private:
  Status status_;
  text_t content_;
};

}  // namespace

HostFileSystem::HostFileSystem(const compiler_host_t &host) : host_(host) {
  text_t folder = {};
  if (host_.working_folder(&folder)) working_folder_ = text_string(&folder);
  text_free(&folder);
}

llvm::ErrorOr<Status> HostFileSystem::status(const llvm::Twine &path) {
  include_file_t file;
  if (const int error = host_.file_status(path.str().c_str(), &file)) return error_code_of(error);
  return status_of(path, file);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> HostFileSystem::openFileForRead(const llvm::Twine &path) {
  include_file_t file;
  text_t content = {};
  if (const int error = host_.file_read(path.str().c_str(), &file, &content)) {
    text_free(&content);
    return error_code_of(error);
  }
  return std::unique_ptr<llvm::vfs::File>(new HostFile(status_of(path, file), content));
}

llvm::vfs::directory_iterator HostFileSystem::dir_begin(const llvm::Twine &, std::error_code &error) {
  error = std::make_error_code(std::errc::operation_not_supported);
  return {};
}

llvm::ErrorOr<std::string> HostFileSystem::getCurrentWorkingDirectory() const {
  if (working_folder_.empty()) return std::make_error_code(std::errc::no_such_file_or_directory);
  return working_folder_;
}

std::error_code HostFileSystem::setCurrentWorkingDirectory(const llvm::Twine &) {
  return std::make_error_code(std::errc::operation_not_supported);
}
