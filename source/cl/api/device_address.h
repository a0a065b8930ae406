/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * cl_ext_buffer_device_address 1.0.2: what the OpenCL headers of many systems do not declare. */
#ifndef CL_API_DEVICE_ADDRESS_H
#define CL_API_DEVICE_ADDRESS_H

#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#endif

#endif
