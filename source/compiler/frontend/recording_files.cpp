/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * A file system that remembers what it was asked for. */
#include "compiler/frontend/recording_files.hpp"

#include <llvm/Support/MemoryBuffer.h>

namespace {

/* A file that was read already, so that what is remembered of it is what the reader gets. */
class ReadFile : public llvm::vfs::File {
 public:
  ReadFile(llvm::vfs::Status status, std::unique_ptr<llvm::MemoryBuffer> content)
      : status_(std::move(status)), content_(std::move(content)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(content_->getBuffer(), name);
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  std::unique_ptr<llvm::MemoryBuffer> content_;
};

}  // namespace

/* What is known of a path only gets more: a file that was found may be read later. */
void RecordingFileSystem::note(const std::string &path, Answer answer) {
  auto [entry, is_new] = answers_.emplace(path, answer);
  if (!is_new && answer.kind == dependency_content) entry->second = answer;
}

llvm::ErrorOr<llvm::vfs::Status> RecordingFileSystem::status(const llvm::Twine &path) {
  auto status = ProxyFileSystem::status(path);
  dependency_kind_e kind = dependency_absent;
  if (status) kind = status->isDirectory() ? dependency_folder : dependency_file;
  note(path.str(), {kind, {}});
  return status;
}

bool RecordingFileSystem::exists(const llvm::Twine &path) { return bool(status(path)); }

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> RecordingFileSystem::openFileForRead(const llvm::Twine &path) {
  auto file = ProxyFileSystem::openFileForRead(path);
  if (!file) {
    if (!ProxyFileSystem::status(path)) note(path.str(), {dependency_absent, {}});
    return file;
  }
  auto status = (*file)->status();
  if (!status) return status.getError();
  auto content = (*file)->getBuffer(path);
  if (!content) return content.getError();
  hash128_t hash = hash_bytes_128((*content)->getBufferStart(), (*content)->getBufferSize());
  note(path.str(), {dependency_content, hash});
  return std::unique_ptr<llvm::vfs::File>(new ReadFile(*status, std::move(*content)));
}

void RecordingFileSystem::write(text_t &list) const {
  for (const auto &[path, answer] : answers_) dependency_append(&list, answer.kind, path.c_str(), answer.content);
}
