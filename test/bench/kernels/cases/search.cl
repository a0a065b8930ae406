/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Marks where a word occurs in a text: each work-item compares until a byte differs. */
kernel void search(global const uchar *restrict text, constant uchar *word, global uchar *restrict found,
                   uint positions, uint length) {
  const size_t i = get_global_id(0);
  if (i >= positions) return;
  uint same = 0;
  while (same < length && text[i + same] == word[same]) same++;
  found[i] = same == length;
}
