/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What modules say about the names of symbols. */
#ifndef COMPILER_PASSES_SYMBOL_NAMES_H
#define COMPILER_PASSES_SYMBOL_NAMES_H

/** On a variable: a node with the string by which the host asks for it, where that is not its name. */
#define HOST_NAME_METADATA "quern.host_name"

#endif
