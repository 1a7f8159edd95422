/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tool says to the user: one line, what, where, what was expected.  What a profile would not have
 * as it is in a name, such as a control character, is '?'.
 */
#ifndef TOOL_COMMON_MESSAGE_H
#define TOOL_COMMON_MESSAGE_H

#include "pub_tool_basics.h"

/*
 * "costgrind: ..." straight to file descriptor 2, then exit with status 1.
 * For what is wrong before the program starts: a log file (--log-file) would
 * hide it.
 */
__attribute__((noreturn)) void message_fatal(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* "==pid== costgrind: ..." where Valgrind writes its messages; also with -q. */
void message_error(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* "==pid== costgrind: ..." as message_error(), but silent with -q. */
void message_note(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* Makes a text of the program's fit to be printed by other means: as these do. */
void message_clean(HChar *text);

/* The reason behind a positive error number, as strerror() has it: "no space left on device". */
const HChar *message_reason(Int error);

#endif
