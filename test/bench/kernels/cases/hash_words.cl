/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Hashes words of different lengths byte by byte (FNV-1a). */
kernel void hash_words(global const uint *restrict starts, global const uchar *restrict text,
                       global uint *restrict hashes, uint count) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  uint hash = 0x811C9DC5;
  for (uint at = starts[i]; at < starts[i + 1]; at++) hash = (hash ^ text[at]) * 0x01000193;
  hashes[i] = hash;
}
