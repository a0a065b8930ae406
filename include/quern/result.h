/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Results of the interop library's functions. Include quern/interop.h. */
#ifndef QUERN_RESULT_H
#define QUERN_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

#define QUERN_API __attribute__((visibility("default")))
#define QUERN_MUST_CHECK __attribute__((warn_unused_result))

/** X(name, text). Values are part of the binary interface: new ones are added at the end. */
#define QUERN_RESULT_LIST(X)                                                                            \
  X(quern_success, "success")                                                                           \
  X(quern_error_invalid_argument, "an argument is invalid")                                             \
  X(quern_error_invalid_object, "a handle is null or of another kind")                                  \
  X(quern_error_invalid_operation, "the call is not allowed now")                                       \
  X(quern_error_feature_not_supported, "the backend has no such feature")                               \
  X(quern_error_backend_not_active, "the backend is not compiled in, or was left out when configuring") \
  X(quern_error_backend_not_available, "the backend is active but not present on this machine")         \
  X(quern_error_backend_mismatch, "the object belongs to another backend")                              \
  X(quern_error_backend_failure, "a call of the backend failed")                                        \
  X(quern_error_not_found, "no platform or device fits")                                                \
  X(quern_error_out_of_memory, "out of memory")                                                         \
  X(quern_error_wrong_context, "the object belongs to another context")                                 \
  X(quern_error_build_failed, "a program does not build")                                               \
  X(quern_error_task_failed, "a function given to the library failed")                                  \
  X(quern_error_timed_out, "the time to wait was over")

typedef enum quern_result_e {
#define QUERN_RESULT_ENUM(name, text) name,
  QUERN_RESULT_LIST(QUERN_RESULT_ENUM)
#undef QUERN_RESULT_ENUM
      quern_result_total
} quern_result_t;

/** What `result` means in general: the text of the list above; for a value that is not in it, a text that says so.
 * Never null; lives as long as the process. Thread safe. */
QUERN_API const char *quern_result_text(quern_result_t result);

/** The reason of the last failure on the calling thread: one line, without a newline; "" before the first failure.
 * Successful calls leave it as it is, so look at it after a failure only. It belongs to the library and stays until
 * the thread's next call of any function but this one and quern_result_text. Never null. Thread safe. */
QUERN_API const char *quern_last_error_message(void);

#ifdef __cplusplus
}
#endif

#endif
