/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and sizes in the names of memory blocks. */
#include "cmds/data/objects.h"

#include <string.h>

/* A text that is parsed from its end. */
struct tail {
	const char *text;
	size_t len;
};

static bool take_end(struct tail *tail, const char *end)
{
	size_t len = strlen(end);

	if (tail->len < len || memcmp(tail->text + tail->len - len, end, len) != 0)
		return false;
	tail->len -= len;
	return true;
}

/* Takes digits at the end; more than 19 are no number. */
static bool take_number(struct tail *tail, uint64_t *number)
{
	uint64_t factor = 1;
	size_t n = 0;

	*number = 0;
	while (tail->len > 0 && tail->text[tail->len - 1] >= '0' &&
	       tail->text[tail->len - 1] <= '9') {
		if (++n > 19)
			return false;
		*number += factor * (uint64_t)(tail->text[--tail->len] - '0');
		factor *= 10;
	}
	return n > 0;
}

struct object_size objectname_size(const char *name, size_t len, size_t *chain)
{
	struct object_size size = { .is_known = false };
	struct tail tail = { name, len };

	*chain = len;
	if (!take_end(&tail, " B") || !take_number(&tail, &size.most))
		return size;
	size.least = size.most;
	if (take_end(&tail, " to ") && !take_number(&tail, &size.least))
		return (struct object_size){ .is_known = false };
	size.is_of_elements = take_end(&tail, ", elements of ");
	if (!size.is_of_elements && !take_end(&tail, ", "))
		return (struct object_size){ .is_known = false };
	size.is_known = true;
	*chain = tail.len;
	return size;
}

/* The length of "parse" in "parse parse.c:120". */
static size_t function_len(const char *site, size_t len)
{
	struct tail tail = { site, len };
	uint64_t line;

	if (!take_number(&tail, &line) || !take_end(&tail, ":"))
		return len;
	while (tail.len > 0 && tail.text[tail.len - 1] != ' ')
		tail.len--;
	return tail.len > 1 ? tail.len - 1 : len;
}

/* The next " < " at or after `from`, or len. */
static size_t next_call(const char *name, size_t from, size_t len)
{
	while (from + 3 <= len && memcmp(name + from, " < ", 3) != 0)
		from++;
	return from + 3 <= len ? from : len;
}

void objectname_add_chain(struct bytes *text, const char *name, size_t len)
{
	size_t chain, at = 0;

	(void)objectname_size(name, len, &chain);
	while (at < chain) {
		size_t end = next_call(name, at, chain);

		if (at > 0)
			bytes_add_text(text, " < ");
		bytes_add(text, name + at, function_len(name + at, end - at));
		at = end + (end < chain ? 3 : 0);
	}
}
