/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * The null target's table: the one name that the rest of the build knows. */
#include "null/null.h"

extern const mux_target_t null_mux_target;

const mux_target_t null_mux_target = {.name = "null",
#define OPERATION_ENTRY(operation) .operation = null_##operation,
                                      NULL_OPERATION_LIST(OPERATION_ENTRY)
#undef OPERATION_ENTRY
};
