/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Numbers of OpenCL's address spaces in IR, as Clang has them for SPIR. */
#ifndef COMPILER_PASSES_ADDRESS_SPACES_HPP
#define COMPILER_PASSES_ADDRESS_SPACES_HPP

namespace quern {

/** Memory of one of these has no address of another one, but for the generic one's. */
inline constexpr unsigned private_space = 0, global_space = 1, constant_space = 2, local_space = 3;

}  // namespace quern

#endif
