/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The container of program binaries. */
#include "cl/program/binary.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "cl/device/identity.h"

/** Followed by the target text, the program information, the payload and the portable object, each padded with zeros to
 * 8 bytes. */
typedef struct binary_header_t {
  char magic[8];
  /** Of this layout. */
  uint32_t version;
  /** Byte order and pointer size of the machine that wrote it. */
  uint32_t abi;
  /** Of all bytes after this member. */
  uint64_t checksum;
  uint32_t kind;
  uint32_t flags;
  uint64_t target_size;
  uint64_t info_size;
  uint64_t payload_size;
  uint64_t portable_size;
} binary_header_t;

static const char binary_magic[8] = {'Q', 'U', 'E', 'R', 'N', 'B', 'I', 'N'};
enum { binary_version = PLATFORM_BINARY_VERSION, binary_abi = 0x01020300 + sizeof(void *) };

static uint64_t checksum_of(const unsigned char *data, size_t size) {
  const size_t start = offsetof(binary_header_t, checksum) + sizeof(uint64_t);
  return hash_bytes(data + start, size - start);
}

static binary_t *allocate(size_t size) {
  size_t total;
  if (!size_add(size, sizeof(binary_t), &total)) return NULL;
  binary_t *binary = malloc(total);
  if (!binary) return NULL;
  atomic_init(&binary->references, 1);
  binary->size = size;
  return binary;
}

/** Writes a padded part and returns where the next one starts. */
static unsigned char *put(unsigned char *position, const void *data, size_t size) {
  size_t padded = align_up(size, 8);
  if (size) memcpy(position, data, size);
  memset(position + size, 0, padded - size);
  return position + padded;
}

binary_t *binary_encode(const char *target, const binary_content_t *content) {
  binary_header_t header = {.version = binary_version,
                            .abi = binary_abi,
                            .kind = content->kind,
                            .flags = content->flags,
                            .target_size = strlen(target),
                            .info_size = content->info_size,
                            .payload_size = content->payload_size,
                            .portable_size = content->portable_size};
  memcpy(header.magic, binary_magic, sizeof binary_magic);
  size_t size = sizeof header + align_up(header.target_size, 8) + align_up(header.info_size, 8) +
                align_up(header.payload_size, 8) + align_up(header.portable_size, 8);
  binary_t *binary = allocate(size);
  if (!binary) return NULL;
  unsigned char *position = put(binary->data, &header, sizeof header);
  position = put(position, target, header.target_size);
  position = put(position, content->info, header.info_size);
  position = put(position, content->payload, header.payload_size);
  put(position, content->portable, header.portable_size);
  header.checksum = checksum_of(binary->data, size);
  memcpy(binary->data, &header, sizeof header);
  return binary;
}

binary_t *binary_copy(const void *data, size_t size) {
  binary_t *binary = allocate(size);
  if (binary && size) memcpy(binary->data, data, size);
  return binary;
}

/** Takes a padded part of `size` bytes off the front of what is left. Null when there is not as much. */
static const unsigned char *take(const unsigned char **position, size_t *left, uint64_t size) {
  if (size > *left) return NULL;
  size_t padded = align_up(size, 8);
  if (padded > *left) return NULL;
  const unsigned char *part = *position;
  *position += padded;
  *left -= padded;
  return part;
}

static bool header_is_valid(const binary_header_t *header, const binary_t *binary) {
  return memcmp(header->magic, binary_magic, sizeof binary_magic) == 0 && header->version == binary_version &&
         header->abi == binary_abi && header->checksum == checksum_of(binary->data, binary->size) &&
         header->kind >= binary_kind_executable && header->kind <= binary_kind_library &&
         !(header->flags & ~BINARY_UNIFORM_WORK_GROUPS);
}

bool binary_decode(const binary_t *binary, const char *target, binary_content_t *out_content) {
  binary_header_t header;
  if (binary->size < sizeof header) return false;
  memcpy(&header, binary->data, sizeof header);
  if (!header_is_valid(&header, binary)) return false;

  const unsigned char *position = binary->data + sizeof header;
  size_t left = binary->size - sizeof header;
  const unsigned char *target_text = take(&position, &left, header.target_size);
  const unsigned char *info = target_text ? take(&position, &left, header.info_size) : NULL;
  const unsigned char *payload = info ? take(&position, &left, header.payload_size) : NULL;
  const unsigned char *portable = payload ? take(&position, &left, header.portable_size) : NULL;
  if (!portable || left) return false;
  if (header.target_size != strlen(target) || memcmp(target_text, target, header.target_size) != 0) return false;

  *out_content = (binary_content_t){.kind = (binary_kind_e)header.kind,
                                    .flags = header.flags,
                                    .info = info,
                                    .info_size = header.info_size,
                                    .payload = payload,
                                    .payload_size = header.payload_size,
                                    .portable = portable,
                                    .portable_size = header.portable_size};
  return true;
}

binary_t *binary_hold(binary_t *binary) {
  atomic_fetch_add_explicit(&binary->references, 1, memory_order_relaxed);
  return binary;
}

void binary_drop(binary_t *binary) {
  if (binary && atomic_fetch_sub_explicit(&binary->references, 1, memory_order_acq_rel) == 1) free(binary);
}
