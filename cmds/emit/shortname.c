/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ever shorter forms are made, until one fits. */
#include "cmds/emit/shortname.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "profile/common/heap.h"

static const char dots[] = "...";

enum { DEEPEST = 2 }; /* template arguments within each other that are kept at first */

/* How many bytes of a sign that has angles, and is no bracket, are here; 0 = none. */
static size_t sign_length(const char *text, size_t len)
{
	static const char word[] = "operator";
	static const char *const signs[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>",
					     "<=",  ">=",  "->",  "<",   ">" };
	size_t before = 0;

	if (len > sizeof(word) && memcmp(text, word, sizeof(word) - 1) == 0)
		before = sizeof(word) - 1 + (text[sizeof(word) - 1] == ' ');
	else if (len >= 2 && memcmp(text, "->", 2) == 0)
		return 2;
	for (size_t i = 0; before > 0 && i < sizeof(signs) / sizeof(signs[0]); i++)
		if (len - before >= strlen(signs[i]) &&
		    memcmp(text + before, signs[i], strlen(signs[i])) == 0)
			return before + strlen(signs[i]);
	return 0;
}

/* Without template arguments that are nested deeper; what is not balanced stays as it is. */
static void fold_templates(struct bytes *out, const char *name, size_t len, size_t depth)
{
	size_t inside = 0, sign;

	bytes_reset(out);
	for (size_t i = 0; i < len; i += sign) {
		char before = '\0';
		bool is_list;

		if (i > 0)
			before = name[i - 1];
		is_list = isalnum((unsigned char)before) || strchr("_> ", before);
		sign = sign_length(name + i, len - i);
		/* Rust's <T as U>::f is a name. */
		if (sign == 0 && name[i] == '<' && (before == '\0' || !is_list))
			break;
		if (sign == 0 && name[i] == '<') {
			if (inside++ <= depth)
				bytes_add_text(out, inside == depth + 1 ? "<..." : "<");
			sign = 1;
		} else if (sign == 0 && name[i] == '>') {
			if (inside == 0)
				break;
			if (--inside <= depth)
				bytes_add_char(out, '>');
			sign = 1;
		} else {
			sign = sign > 0 ? sign : 1;
			if (inside <= depth)
				bytes_add(out, name + i, sign);
		}
		if (i + sign == len && inside == 0)
			return;
	}
	bytes_reset(out);
	bytes_add(out, name, len);
}

/* Where the list of arguments begins, which is the last one; len if there is none that is worth folding. */
static size_t find_arguments(const char *name, size_t len)
{
	size_t end = len, depth = 0;

	while (end > 0 && name[end - 1] != ')')
		end--;
	for (size_t i = end; i-- > 1;) {
		depth += name[i] == ')';
		depth -= name[i] == '(';
		if (depth == 0)
			return end - i > 3 && name[i - 1] != ' ' && name[i - 1] != ':' ? i : len;
	}
	return len;
}

/* The last parts of a name between "::" that is len long; all of it if there are no more. */
static size_t find_parts(const char *name, size_t len, int parts)
{
	size_t depth = 0;

	for (size_t i = len; i > 1; i--) {
		char c = name[i - 1];

		depth += c == ')' || c == '>';
		if ((c == '(' || c == '<') && depth > 0)
			depth--;
		if (depth == 0 && c == ':' && name[i - 2] == ':' && --parts == 0)
			return i;
	}
	return 0;
}

/* Bytes of a character are not torn apart. */
static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static void cut_middle(struct bytes *out, const char *name, size_t len, size_t room)
{
	size_t head = (room - strlen(dots)) * 3 / 5;
	size_t tail = len - (room - strlen(dots) - head);

	while (head > 0 && is_inside(name[head]))
		head--;
	while (tail < len && is_inside(name[tail]))
		tail++;
	bytes_reset(out);
	bytes_add(out, name, head);
	bytes_add_text(out, dots);
	bytes_add(out, name + tail, len - tail);
}

/* Of the name without template arguments: without arguments, then without what is around it. */
static void fold_rest(struct bytes *out, const struct bytes *folded, size_t room)
{
	const char *name = folded->text;
	size_t arguments = find_arguments(name, folded->len), behind = folded->len, from = 0;

	/* " const" of a method, "'2" of a level of recursion. */
	while (behind > arguments && name[behind - 1] != ')')
		behind--;
	if (arguments < folded->len && arguments + strlen("(...)") + folded->len - behind <= room) {
		bytes_reset(out);
		bytes_add(out, name, arguments);
		bytes_add_text(out, "(...)");
		bytes_add(out, name + behind, folded->len - behind);
		return;
	}
	for (int parts = 2; parts > 0 && arguments - from > room; parts--)
		from = find_parts(name, arguments, parts);
	if (arguments - from > room) {
		cut_middle(out, name + from, arguments - from, room);
		return;
	}
	bytes_reset(out);
	bytes_add(out, name + from, arguments - from);
}

void shortname_make(struct bytes *out, const char *name, size_t len, size_t room)
{
	struct bytes folded;

	bytes_reset(out);
	if (len <= room) {
		bytes_add(out, name, len);
		return;
	}
	bytes_init(&folded);
	for (size_t depth = DEEPEST + 1; depth-- > 0;) {
		fold_templates(&folded, name, len, depth);
		if (folded.len <= room)
			break;
	}
	if (folded.len <= room)
		bytes_add(out, folded.text, folded.len);
	else
		fold_rest(out, &folded, room);
	bytes_release(&folded);
}
