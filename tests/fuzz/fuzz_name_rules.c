/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first line is a name, the others are options in order: "f" and "n" with an
 * expression for files and functions after them, "m" with a mapping.  Whatever they are, an
 * error has a column within the text, and the name that comes out is the same the second
 * time.
 *
 * First byte: flags of folding.
 */
#include "profile/names/name_rules.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum { MAX_INPUT = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void add_option(struct name_rules *rules, char *line)
{
	struct profile_error error = { .status = PROFILE_OK };
	int status = PROFILE_OK;

	if (line[0] == 'm')
		status = name_rules_add_map(rules, line + 1, &error);
	else if (line[0] == 'f')
		status = name_rules_add_expression(rules, NAME_FILE, line + 1, &error);
	else if (line[0] == 'n')
		status = name_rules_add_expression(rules, NAME_FUNCTION, line + 1, &error);
	require(status == PROFILE_OK || status == PROFILE_SYNTAX);
	if (status != PROFILE_SYNTAX)
		return;
	require(error.line == 1 && error.column >= 1 && error.column <= strlen(line + 1) + 1);
	require(error.text[0] != '\0' && !strchr(error.text, '\n'));
}

static void apply(struct name_rules *rules, enum name_kind kind, const char *name, size_t len)
{
	struct profile_error error = { .status = PROFILE_OK };
	const char *first = name, *second = name;
	size_t first_len = len, second_len = len;
	char *copy;
	int status = name_rules_apply(rules, kind, &first, &first_len, &error);

	require(status == PROFILE_OK || status == PROFILE_RANGE);
	if (status)
		return;
	copy = malloc(first_len + 1);
	require(copy != NULL);
	memcpy(copy, first, first_len);
	require(name_rules_apply(rules, kind, &second, &second_len, &error) == PROFILE_OK);
	require(second_len == first_len && memcmp(copy, second, first_len) == 0);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[MAX_INPUT + 1];
	struct name_rules rules;
	char *line = text;
	size_t name_len;

	if (size < 1 || size > MAX_INPUT)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	name_len = strcspn(text, "\n");
	name_rules_init(&rules);
	rules.symbols = data[0] & 15;
	rules.maps_objects = data[0] & 16;
	for (line += name_len; *line;) {
		size_t len;

		line++;
		len = strcspn(line, "\n");
		if (line[len]) {
			line[len] = '\0';
			add_option(&rules, line);
			line[len] = '\n';
		} else {
			add_option(&rules, line);
		}
		line += len;
	}
	apply(&rules, NAME_FILE, text, name_len);
	apply(&rules, NAME_FUNCTION, text, name_len);
	apply(&rules, NAME_OBJECT, text, name_len);
	name_rules_release(&rules);
	return 0;
}
