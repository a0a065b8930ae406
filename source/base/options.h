/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Environment options, parsed once from source/base/options.def. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef bool option_flag_t;
typedef uint64_t option_number_t;
typedef uint64_t option_limit_t;
typedef const char *option_text_t;
typedef const char *option_set_t;

/** One member per option; strings live as long as the process and are never null. */
typedef struct options_t {
#define OPTION(type, name, default_value, accepted, text) option_##type##_t name;
#include "base/options.def"
#undef OPTION
} options_t;

/** The process's options; parsed at the first call. A bad value prints one warning that names the accepted values and
 * leaves the default; a QUERN_ variable that no option has prints one warning too. In a process with more rights than
 * its user all but limits have their defaults, and nothing is printed. Thread safe; never null. */
const options_t *options_get(void);

/** Appends the process's options, `NAME=value` and a NUL each, for options_take in another process. */
void options_write(text_t *out);

/** Makes what options_write gave the options of this process, or of the library that this is linked into, instead of
 * the environment. Before the first options_get; for one thread. A value that is not accepted leaves the default. */
void options_take(const char *list, size_t size);

/** Appends the variables that a program of the driver's own is started with, `NAME=value` and a NUL each: where the
 * linker looks for libraries, and the time zone. None in a process with more rights than its user. Thread safe. */
void options_program_environment(text_t *out);

/** The folder for the user's cached data as the environment names it ($XDG_CACHE_HOME, $HOME/.cache), without its
 * programs' own subfolders; appended to `out`. False when there is none, or when the process has more rights than the
 * user that started it, who then chooses no files. Thread safe. */
__attribute__((warn_unused_result)) bool options_user_cache_folder(text_t *out);

/** True when the comma-separated `set` contains `word`, or `all`. Thread safe. */
bool options_set_has(const char *set, const char *word);

/** Writes the table as Markdown (docs/environment.md). */
void options_write_markdown(FILE *file);

#ifdef __cplusplus
}
#endif

#endif
