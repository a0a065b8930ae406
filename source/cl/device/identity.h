/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * What platform and device call themselves. */
#ifndef CL_DEVICE_IDENTITY_H
#define CL_DEVICE_IDENTITY_H

#define PLATFORM_NAME "Quern"
#define PLATFORM_VENDOR "Quern"
#define PLATFORM_RELEASE "0.1.0"
#define PLATFORM_VERSION "OpenCL 3.0 " PLATFORM_NAME " " PLATFORM_RELEASE
#define PLATFORM_PROFILE "FULL_PROFILE"
/** Of the container that program binaries are in, raised with each change of it. */
#define PLATFORM_BINARY_VERSION 2u
#define PLATFORM_ICD_SUFFIX "QUERN"

#endif
