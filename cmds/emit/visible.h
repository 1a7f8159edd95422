/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts from files, made safe to show: control characters, also of two bytes, become "\x1b" and
 * the like, so that a name can neither forge lines nor talk to the terminal; and long names cut short.
 */
#ifndef CMDS_EMIT_VISIBLE_H
#define CMDS_EMIT_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "profile/common/heap.h"

/* -- UTF-8 ----------------------------------------------------------------- */

/* What of a text is UTF-8 (RFC 3629). */

#define UNICODE_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, in place of a byte that is none */

/* Bytes of the character that text of len bytes (1 or more) begins with; 0 if it is none. */
size_t unicode_len(const char *text, size_t len);

/* True if a character of len bytes is U+FFFE or U+FFFF, which XML cannot have, as it has no control characters. */
bool unicode_is_noncharacter(const char *text, size_t len);

/* -- control characters ---------------------------------------------------- */

/* Bytes of the control character that text of len bytes (1 or more) begins with; 0 if it begins with none. */
size_t visible_control(const char *text, size_t len);

/*
 * Copies len bytes of text to a buffer of size bytes (at least 5), with a NUL; tabs are
 * escaped too.  What does not fit is left out.  Returns the length.
 */
size_t visible_copy(char *buffer, size_t size, const char *text, size_t len);

/* Prints len bytes, without a lock on the stream; tabs stay if keeps_tabs. */
void visible_print(FILE *out, const char *text, size_t len, bool keeps_tabs);

/*
 * Characters that visible_print() makes of len bytes, tabs escaped; wide ones and marks that combine
 * are taken for one.
 */
size_t visible_width(const char *text, size_t len);

/* Prints a string; tabs are escaped. */
void visible_text(FILE *out, const char *text);

/* Prints a string and blanks up to width. */
void visible_pad(FILE *out, const char *text, size_t width);

/* -- spreadsheets ---------------------------------------------------------- */

/*
 * True if a text in a field of CSV has to have a "'" in front: a spreadsheet could take it for a
 * formula, as it begins with = + - or @, perhaps after blanks, or it has a "'" there, which
 * would be taken off.  So who takes one "'" off the front of a text has what it was.
 */
bool visible_needs_quote(const char *text, size_t len);

/* -- shells ---------------------------------------------------------------- */

/* Characters that no shell reads as anything else. */
#define VISIBLE_IN_WORDS                                \
 "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" \
 "0123456789_-./=,:+@%"

/* True if a text, of these alone, can be pasted into a shell as one word, and is no option. */
bool visible_is_word(const char *text);

/* -- short names ----------------------------------------------------------- */

/* What follows the last slash of a path, in it; all of it if nothing does. */
const char *path_base(const char *path);

/*
 * Names of functions where there is little room, as on the page of costgrind report
 * (cmds/report/page/format.js): template arguments are folded first, the innermost before the others, then
 * what it returns, then its arguments, then classes around it are left out; what is still too long is cut in the
 * middle.  "..." is what was left out.  The address that is the name of a function without a symbol loses its zeros, 0x1b3a0.
 *
 * Puts the longest form of len bytes of a name that has at most `room` bytes into out, whose contents go and whose text is
 * then not NULL; room is 8 at least.
 */
void shortname_make(struct bytes *out, const char *name, size_t len, size_t room);

/* The same of a text with names in it, "f<int> a.c:3 < main, 64 B": template arguments are folded, then it is cut in the middle. */
void shorttext_make(struct bytes *out, const char *text, size_t len, size_t room);

/* A name, or a text with names in it, and what is shown of it. */
struct shortname {
	const char *name;
	size_t len;
	size_t room;  /* 8 at least */
	bool is_text; /* shorttext_make() shortens it */
	size_t group; /* only names of one group are to be told apart */
	/* Made: the text, the name itself or of an arena; it has no NUL after it. */
	const char *text;
	size_t text_len;
};

/*
 * Shortens n names so that different ones of a group are shown differently: where they would look alike, the form has
 * what tells a name apart from the ones most like it, "walk<std::vector<dou..." and "walk<std::vector<flo...".
 */
void shortnames_make(struct shortname *names, size_t n, struct arena *arena);

#endif
