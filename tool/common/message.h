/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages to the user, one line each.  Characters that a profile would not keep in a name, such as
 * control characters, become '?'.
 */
#ifndef TOOL_COMMON_MESSAGE_H
#define TOOL_COMMON_MESSAGE_H

#include "pub_tool_basics.h"

/*
 * "costgrind: ..." straight to file descriptor 2, then exit with status 1.  For errors before the
 * program starts: a log file (--log-file) would hide them.
 */
__attribute__((noreturn)) void message_fatal(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* "==pid== costgrind: ..." where Valgrind writes its messages; also with -q. */
void message_error(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* "==pid== costgrind: ..." as message_error(), but silent with -q. */
void message_note(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* Replaces such characters in a text that will be printed by other means. */
void message_clean(HChar *text);

/* The text of a positive error number, as by strerror(): "no space left on device".  Valid until the next call. */
const HChar *message_reason(Int error);

#endif
