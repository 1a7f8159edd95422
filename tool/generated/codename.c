/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/codename.h"

#include <stdbool.h>

#include "writer/freestanding.h"

/* Bytes that are not ended by a NUL. */
struct piece {
	const char *chars;
	size_t len;
};

static bool begins_with(struct piece text, const char *what, size_t len)
{
	if (text.len < len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (text.chars[i] != what[i])
			return false;
	return true;
}

static struct piece without(struct piece text, size_t n)
{
	return (struct piece){ text.chars + n, text.len - n };
}

static struct piece trimmed(struct piece text)
{
	while (text.len > 0 && (unsigned char)text.chars[0] <= ' ')
		text = without(text, 1);
	while (text.len > 0 && (unsigned char)text.chars[text.len - 1] <= ' ')
		text.len--;
	return text;
}

/* Where a byte is first; the text's length if nowhere. */
static size_t find(struct piece text, char c)
{
	size_t at = 0;

	while (at < text.len && text.chars[at] != c)
		at++;
	return at;
}

/* Appends to what has len bytes already; returns how many it has then. */
static size_t append(char to[CODENAME_SIZE], size_t len, struct piece text)
{
	for (size_t i = 0; i < text.len && len < CODENAME_SIZE - 1; i++) {
		to[len] = text.chars[i];
		if ((unsigned char)to[len] < ' ' || to[len] == 0x7f)
			to[len] = '?';
		len++;
	}
	to[len] = '\0';
	return len;
}

/* py::function:file */
static bool split_python(struct piece text, struct codename *name)
{
	struct piece rest;
	size_t colon;

	if (!begins_with(text, "py::", 4))
		return false;
	rest = without(text, 4);
	colon = find(rest, ':');
	if (colon == 0 || colon + 1 >= rest.len)
		return false;
	append(name->function, 0, (struct piece){ text.chars, 4 + colon });
	append(name->file, 0, without(rest, colon + 1));
	return true;
}

/* Takes ":number" from the end of a text, if it is there. */
static bool take_number(struct piece *text, uint32_t *number)
{
	size_t begin = text->len;
	uint32_t value = 0;

	while (begin > 0 && text->chars[begin - 1] >= '0' && text->chars[begin - 1] <= '9')
		begin--;
	if (begin == text->len || text->len - begin > 9 || begin == 0 ||
	    text->chars[begin - 1] != ':')
		return false;
	for (size_t i = begin; i < text->len; i++)
		value = value * 10 + (uint32_t)(text->chars[i] - '0');
	text->len = begin - 1;
	*number = value;
	return true;
}

static bool looks_like_file(struct piece text)
{
	return begins_with(text, "/", 1) || begins_with(text, "file:", 5) ||
	       begins_with(text, "node:", 5);
}

/* Where the file of "name file" is behind the blank: names of accessors have blanks, and paths may. */
static size_t find_file(struct piece text)
{
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.chars[i] == ' ' && looks_like_file(without(text, i + 1)))
			return i + 1;
	return find(text, ' ') + 1;
}

/* Bytes of the word that V8 begins the name of a function of a script with, its colon included; or 0. */
static size_t v8_kind(struct piece text)
{
	static const struct piece kinds[] = {
		{ "JS:", 3 },     { "LazyCompile:", 12 }, { "Function:", 9 },
		{ "Script:", 7 }, { "Eval:", 5 },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (begins_with(text, kinds[i].chars, kinds[i].len))
			return kinds[i].len;
	return 0;
}

static bool is_mark(char c)
{
	return c == '~' || c == '^' || c == '+' || c == '*' || c == '\'';
}

/* Kind:~function file:line:column */
static bool split_v8(struct piece text, struct codename *name)
{
	size_t begin = v8_kind(text), file, len;
	uint32_t last, line;
	struct piece place, function;

	if (begin == 0)
		return false;
	while (begin < text.len && is_mark(text.chars[begin]))
		begin++;
	place = without(text, begin);
	if (!take_number(&place, &last))
		return false;
	if (!take_number(&place, &line))
		line = last;
	file = find_file(place);
	if (file >= place.len)
		return false;
	function = trimmed((struct piece){ place.chars, file });
	place = without(place, file);
	if (begins_with(place, "file://", 7) && place.len > 7)
		place = without(place, 7);
	len = append(name->function, 0, (struct piece){ text.chars, begin });
	append(name->function, len,
	       function.len > 0 ? function : (struct piece){ "(anonymous)", 11 });
	append(name->file, 0, place);
	name->line = line;
	return true;
}

/* Lpackage/Class;::method; a class within another is in the file of that one. */
static bool split_java(struct piece text, struct codename *name)
{
	size_t end = find(text, ';'), len, outer;

	if (!begins_with(text, "L", 1) || end < 2 || !begins_with(without(text, end), ";::", 3) ||
	    end + 3 >= text.len || find(text, ' ') < end)
		return false;
	len = append(name->function, 0, (struct piece){ text.chars + 1, end - 1 });
	for (size_t i = 0; i < len; i++)
		if (name->function[i] == '/')
			name->function[i] = '.';
	append(name->function, len, without(text, end + 1));
	outer = find((struct piece){ text.chars + 1, end - 1 }, '$');
	if (outer == 0 || text.chars[outer] == '/')
		return true; /* not of a compiler */
	len = append(name->file, 0, (struct piece){ text.chars + 1, outer });
	append(name->file, len, (struct piece){ ".java", 5 });
	return true;
}

void codename_split(const char *text, size_t len, struct codename *name)
{
	const struct piece piece = trimmed((struct piece){ text, len });

	name->function[0] = '\0';
	name->file[0] = '\0';
	name->line = 0;
	if (!split_python(piece, name) && !split_v8(piece, name) && !split_java(piece, name))
		append(name->function, 0, piece);
}
