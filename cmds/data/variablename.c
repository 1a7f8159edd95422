/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/data/variablename.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/object/codeobject.h"

bool variablename_is_of_calls(struct name group)
{
	static const char *const groups[] = { "[heap]", "[allocators]", "[mappings]" };

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (group.len == strlen(groups[i]) && memcmp(group.text, groups[i], group.len) == 0)
			return true;
	return false;
}

bool variablename_add(struct bytes *text, struct name name, struct name group)
{
	const char *end = memchr(name.text, ' ', name.len);
	size_t len = end ? (size_t)(end - name.text) : name.len;
	char *symbol, *plain;
	bool is_mangled;

	if (len < 2 || memcmp(name.text, "_Z", 2) != 0 || variablename_is_of_calls(group))
		return false;
	symbol = strndup(name.text, len);
	plain = symbol ? demangle(symbol) : NULL;
	is_mangled = plain != NULL;
	if (is_mangled) {
		bytes_add_text(text, plain);
		bytes_add(text, name.text + len, name.len - len);
	}
	free(symbol);
	free(plain);
	return is_mangled;
}
