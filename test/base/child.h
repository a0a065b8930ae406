/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Runs code in a child process with an environment of its own, and collects what it prints on stderr. */
#ifndef TEST_BASE_CHILD_H
#define TEST_BASE_CHILD_H

/** Runs `body` in a child that has the variables `environment` ("NAME=value", null-terminated) and no other QUERN_
 * one. Returns what it wrote to stderr, to be freed; fails the running test when the child does not exit with 0. */
char *child_run(const char *const *environment, void (*body)(void));

/** Number of lines in a text whose lines all end with a newline. */
unsigned child_count_lines(const char *text);

#endif
