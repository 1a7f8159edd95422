/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a text is UTF-8 (RFC 3629). */
#ifndef CMDS_TEXT_UNICODE_H
#define CMDS_TEXT_UNICODE_H

#include <stddef.h>

#define UNICODE_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, in the place of a byte that is none */

/* Bytes of the character that text of len bytes (1 or more) begins with; 0 if it is none. */
size_t unicode_len(const char *text, size_t len);

#endif
