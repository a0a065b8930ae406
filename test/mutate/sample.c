/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What test/mutate/operators.sh changes; compiled by nobody. if (a < b) in a comment is none. */
static int limit = 7;

int sample(int a, int b) {
  const char *text = "a < b";
  assert(a < b);
  if (a < b && text) pthread_cond_wait(&changed, &mutex);
  object_drop(a);
  limit = a + 1;
  return (a | b) == 3 ? true : limit;
}
