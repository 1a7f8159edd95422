/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memmem() */
#include "cmds/curve/curvescope.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/option.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/self_costs.h"
#include "profile/common/error.h"

enum {
	SHOWN_NAMES = 3, /* of several that a word may mean */
	NAMES_TEXT = 400,
	LINE_DIGITS = 24,
	NOT_KNOWN = 0, /* number of a name */
};

void curvescope_init(struct curvescope *scope, const char *word, bool is_inclusive)
{
	const char *colon = word ? strrchr(word, ':') : NULL;
	unsigned long long line;

	*scope = (struct curvescope){ .kind = SCOPE_PROGRAM, .word = word };
	scope->is_inclusive = is_inclusive;
	if (!word)
		return;
	scope->kind = SCOPE_FUNCTION;
	/* ns::2 would be no function either. */
	if (colon && colon > word && colon[-1] != ':' &&
	    option_count(colon + 1, UINT32_MAX, &line)) {
		scope->kind = SCOPE_LINE;
		scope->file_len = (size_t)(colon - word);
		scope->line = line;
	}
}

/* -- names ------------------------------------------------------------------------------------ */

/* Which names of a kind the word means. */
struct matches {
	size_t n;
	uint32_t first;
	char names[NAMES_TEXT]; /* the first few */
};

static void add_match(struct matches *matches, const struct name *name, uint32_t number)
{
	const size_t len = strlen(matches->names);

	if (matches->n == 0)
		matches->first = number;
	if (matches->n < SHOWN_NAMES)
		snprintf(matches->names + len, NAMES_TEXT - len, "%s%.*s",
			 matches->n > 0 ? ", " : "", (int)(name->len < 100 ? name->len : 100),
			 name->text);
	matches->n++;
}

/* Of files, the dictionary has other spellings, too. */
static bool is_number(const struct model *model, enum name_kind kind, uint32_t number)
{
	return kind != NAME_FILE ||
	       (number < model->n_shown[kind] && model->shown[kind][number] != DICTIONARY_NONE);
}

static bool is_part(const struct name *name, enum name_kind kind, const char *text, size_t len)
{
	if (kind != NAME_FILE)
		return memmem(name->text, name->len, text, len) != NULL;
	return name->len > len && name->text[name->len - len - 1] == '/' &&
	       memcmp(name->text + name->len - len, text, len) == 0;
}

/* All names that are the text; if there is none, those that it is a part of, or, of files, the end of. */
static void match(struct matches *matches, const struct model *model, enum name_kind kind,
		  const char *text, size_t len)
{
	const uint32_t n = (uint32_t)model->names[kind].count;

	*matches = (struct matches){ .n = 0 };
	for (int in_part = 0; in_part <= 1 && matches->n == 0; in_part++) {
		for (uint32_t i = NOT_KNOWN + 1; i < n; i++) {
			const struct name name = model_name(model, kind, i);

			if (is_number(model, kind, i) &&
			    (in_part ? is_part(&name, kind, text, len)
				     : name.len == len && memcmp(name.text, text, len) == 0))
				add_match(matches, &name, i);
		}
	}
}

/* The only name that the text means; NOT_KNOWN after a message. */
static uint32_t find_name(const char *command, const struct model *model, enum name_kind kind,
			  const char *text, size_t len)
{
	const char *what = kind == NAME_FILE ? "file" : "function";
	struct matches matches;

	match(&matches, model, kind, text, len);
	if (matches.n == 1)
		return matches.first;
	if (matches.n == 0)
		complain(command, "expected a %s of the profile, found '%.*s'", what, (int)len,
			 text);
	else
		complain(command, "expected one %s, found '%.*s', which may be %zu: %s%s", what,
			 (int)len, text, matches.n, matches.names,
			 matches.n > SHOWN_NAMES ? ", ..." : "");
	return NOT_KNOWN;
}

/* -- functions -------------------------------------------------------------------------------- */

static int add_inclusive(uint64_t *costs, const char *command, const struct model *model,
			 uint32_t function)
{
	struct inclusive inclusive;
	int status = inclusive_compute(&inclusive, model, NULL);

	if (status == PROFILE_OK)
		memcpy(costs, inclusive_of(&inclusive, function), model->n_events * sizeof(*costs));
	inclusive_release(&inclusive);
	return status == PROFILE_OK ? EXIT_FINE : complain_status(command, NULL, status);
}

static int add_function(struct curvescope *scope, const char *command, const struct model *model,
			uint64_t *costs, struct arena *arena)
{
	const uint32_t number =
		find_name(command, model, NAME_FUNCTION, scope->word, strlen(scope->word));
	const struct name name = model_name(model, NAME_FUNCTION, number);
	uint64_t self[PROFILE_MAX_EVENTS];
	uint32_t function = 0;
	size_t n = 0;

	if (number == NOT_KNOWN)
		return EXIT_FAILED;
	scope->name = arena_copy(arena, name.text, name.len);
	if (!scope->name)
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	for (uint32_t i = 0; i < model->n_functions; i++) {
		if (model->functions[i].name != number)
			continue;
		function = i;
		n++;
		model_self(model, i, 0, self);
		if (!row_add(costs, self, model->n_events, false))
			return complain_status(command, NULL, PROFILE_RANGE);
	}
	if (n == 1 && model->functions[function].file != NOT_KNOWN) {
		const struct name file =
			model_name(model, NAME_FILE, model->functions[function].file);

		scope->file = arena_copy(arena, file.text, file.len);
		if (!scope->file)
			return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	if (!scope->is_inclusive)
		return EXIT_FINE;
	if (n > 1) {
		complain(
			command,
			"expected one function for inclusive costs, found %zu that are called '%s'",
			n, scope->name);
		return EXIT_FAILED;
	}
	return add_inclusive(costs, command, model, function);
}

/* -- lines ------------------------------------------------------------------------------------ */

static int add_line(struct curvescope *scope, const char *command, const struct model *model,
		    uint64_t *costs, struct arena *arena)
{
	const uint32_t file = find_name(command, model, NAME_FILE, scope->word, scope->file_len);
	const struct name name = model_name(model, NAME_FILE, file);
	bool has_any = false;
	char *text;

	if (file == NOT_KNOWN)
		return EXIT_FAILED;
	text = arena_alloc(arena, name.len + LINE_DIGITS, 1);
	if (!text)
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	snprintf(text, name.len + LINE_DIGITS, "%.*s:%" PRIu64, (int)name.len, name.text,
		 scope->line);
	scope->name = text;
	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			if (line.file != file || line.at.line != scope->line)
				continue;
			has_any = true;
			if (!row_add(costs, line.costs, line.n_costs, false))
				return complain_status(command, NULL, PROFILE_RANGE);
		}
	}
	if (has_any)
		return EXIT_FINE;
	complain(command, "expected a line with costs, found none at %s", scope->name);
	return EXIT_FAILED;
}

int curvescope_add(struct curvescope *scope, const char *command, const struct model *model,
		   uint64_t *costs, struct arena *arena)
{
	memset(costs, 0, model->n_events * sizeof(*costs));
	switch (scope->kind) {
	case SCOPE_PROGRAM:
		break;
	case SCOPE_FUNCTION:
		return add_function(scope, command, model, costs, arena);
	case SCOPE_LINE:
		return add_line(scope, command, model, costs, arena);
	}
	return model_totals(model, costs) ? EXIT_FINE
					  : complain_status(command, NULL, PROFILE_RANGE);
}
