/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Build ids of ELF files (the note NT_GNU_BUILD_ID). */
#include "base/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

typedef ElfW(Ehdr) elf_header_t;
typedef ElfW(Phdr) elf_segment_t;
typedef ElfW(Nhdr) elf_note_t;

enum { max_segments = 64, max_notes_size = 4096 };

static bool read_at(int file, void *out, size_t size, uint64_t offset) {
  return pread(file, out, size, (off_t)offset) == (ssize_t)size;
}

static bool header_read(int file, elf_header_t *header) {
  return read_at(file, header, sizeof *header, 0) && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
         header->e_phentsize == sizeof(elf_segment_t) && header->e_phnum <= max_segments;
}

/* The build id among the notes, appended as hexadecimal digits. */
static bool notes_append(const unsigned char *notes, size_t size, text_t *out) {
  static const char owner[] = "GNU";
  for (size_t at = 0; size - at >= sizeof(elf_note_t);) {
    elf_note_t note;
    memcpy(&note, notes + at, sizeof note);
    size_t name = at + sizeof note, content = name + align_up(note.n_namesz, 4);
    if (content > size || note.n_descsz > size - content) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof owner && !memcmp(notes + name, owner, sizeof owner)) {
      for (size_t i = 0; i < note.n_descsz; i++) text_appendf(out, "%02x", notes[content + i]);
      return note.n_descsz != 0;
    }
    at = content + align_up(note.n_descsz, 4);
    if (at > size) return false;
  }
  return false;
}

static bool build_id_read(int file, const elf_header_t *header, text_t *out) {
  elf_segment_t segments[max_segments];
  if (!read_at(file, segments, header->e_phnum * sizeof *segments, header->e_phoff)) return false;
  for (size_t i = 0; i < header->e_phnum; i++) {
    unsigned char notes[max_notes_size];
    if (segments[i].p_type != PT_NOTE || segments[i].p_filesz > sizeof notes) continue;
    if (!read_at(file, notes, segments[i].p_filesz, segments[i].p_offset)) continue;
    if (notes_append(notes, segments[i].p_filesz, out)) return true;
  }
  return false;
}

static bool status_append(int file, text_t *out) {
  struct stat status;
  if (fstat(file, &status)) return false;
  text_appendf(out, "%llu.%llu.%lld.%lld.%ld.%lld.%ld", (unsigned long long)status.st_dev,
               (unsigned long long)status.st_ino, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
               status.st_mtim.tv_nsec, (long long)status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  return true;
}

bool build_id_append(const char *path, text_t *out) {
  elf_header_t header;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool done = header_read(file, &header) && (build_id_read(file, &header, out) || status_append(file, out));
  close(file);
  return done && !out->failed;
}
