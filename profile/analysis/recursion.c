/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/recursion.h"

#include <string.h>

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Of the value of "desc: Options:": words between blanks. */
static bool options_separate(const char *options)
{
	static const char all[] = "--separate-recs=", some[] = "--separate-recs";

	for (const char *at = strstr(options, some); at; at = strstr(at + 1, some)) {
		const char *levels = begins_with(at, all) ? at + strlen(all) : at + strlen(some);

		if (*levels == '1' && (levels[1] < '0' || levels[1] > '9'))
			return false;
	}
	return true;
}

static bool part_is_told_apart(const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];

		/* Of merged profiles, options that differ are not said. */
		if (strcmp(desc->type, "Files compared") == 0 ||
		    strcmp(desc->type, "Merged profiles") == 0 ||
		    strcmp(desc->type, "Names folded") == 0 ||
		    (strcmp(desc->type, "Options") == 0 && !options_separate(desc->value)))
			return false;
	}
	return true;
}

bool recursion_is_told_apart(const struct model *model)
{
	bool is_ours = false;

	if (model->is_renamed)
		return false;
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		/* Said in the first part of a file only. */
		if (part->creator)
			is_ours = begins_with(part->creator, "costgrind-");
		if (!is_ours || !part_is_told_apart(part))
			return false;
	}
	return is_ours;
}

bool recursion_is_inner(const struct model *model, uint32_t function)
{
	static const char rest[] = "<rest>";
	struct name name = model_name(model, NAME_FUNCTION, model->functions[function].name);

	if (name.len == sizeof(rest) - 1 && memcmp(name.text, rest, name.len) == 0)
		return true;
	for (size_t i = 1; i + 1 < name.len; i++) {
		size_t digits = i + 1;

		if (name.text[i] != '\'')
			continue;
		while (digits < name.len && name.text[digits] >= '0' && name.text[digits] <= '9')
			digits++;
		/* Level 1 has no number; 'name is that of a caller. */
		if (digits > i + 1 && (digits == name.len || name.text[digits] == '\''))
			return true;
	}
	return false;
}
