/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/classname.h"

#include <stdbool.h>
#include <string.h>

/* Of operators (which may be of brackets) nothing behind their first letters counts. */
static bool is_operator(const char *text, size_t len, bool begins_word)
{
	static const char word[] = "operator";

	return begins_word && len > strlen(word) && memcmp(text, word, strlen(word)) == 0 &&
	       strchr("<>=!+-*/%^&|~,()[] ", text[strlen(word)]);
}

/* Whether a parenthesis is part of the name: "(anonymous namespace)::f". */
static bool is_named(const char *text, size_t len)
{
	static const char word[] = "(anonymous ";

	return len > strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static bool is_separator(const char *text, size_t len)
{
	return len > 1 && (memcmp(text, "::", 2) == 0 || memcmp(text, "->", 2) == 0);
}

const char *classname_find(const char *name, size_t name_len, size_t *len)
{
	size_t start = 0, end = 0, depth = 0;

	for (size_t i = 0; i < name_len; i++) {
		char c = name[i];
		size_t left = name_len - i;

		if (c == '(' && depth == 0 && i > start && !is_named(name + i, left))
			break;
		if (depth == 0 &&
		    (c == '\'' || is_operator(name + i, left, i == start || i == end + 2)))
			break;
		if (depth == 0 && is_separator(name + i, left))
			end = i++;
		else if (c == '<' || c == '(' || c == '{' || c == '[')
			depth++;
		else if ((c == '>' || c == ')' || c == '}' || c == ']') && depth > 0)
			depth--;
		else if (c == ' ' && depth == 0)
			start = end = i + 1; /* what was before is the type that is returned */
	}
	*len = end > start ? end - start : 0;
	return name + start;
}
