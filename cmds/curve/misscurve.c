/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The curve of a profile: columns, knees, what fits into which level; and the thresholds for these.
 */
#define _GNU_SOURCE /* memmem() */
#include "cmds/curve/curve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/machine/machine.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/desc.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"
#include "sim/machines/machinefile.h"
#include "writer/shared/size_event.h"

/* -- the curve ---------------------------------------------------------------------------------- */

static uint64_t weight_of(const struct model *model)
{
	uint64_t weight = 0;

	/* Merged parts that were sampled at different rates have a line each. */
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const struct part_desc *desc = &part->descs[j];

			if (strcmp(desc->type, CURVE_DESC) == 0 &&
			    curve_desc_weight(desc->value) > weight)
				weight = curve_desc_weight(desc->value);
		}
	}
	return weight;
}

/* In the table of events, sizes ascend. */
size_t misscurve_find(struct misscurve *curve, const struct model *model)
{
	size_t n;
	const struct event_info *all = event_all(&n);

	*curve = (struct misscurve){ .weight = weight_of(model) };
	for (size_t i = 0; i < n && curve->n < MISSCURVE_MOST; i++) {
		size_t event;

		if (all[i].origin != EVENT_ORIGIN_SIZE)
			continue;
		event = model_event(model, all[i].name);
		if (event < model->n_events)
			curve->points[curve->n++] = (struct misscurve_point){
				.size = size_event_bytes(all[i].name),
				.event = event,
			};
	}
	return curve->n;
}

/* The sum of events, false if they were not all recorded. */
static bool add_events(const struct model *model, const uint64_t *costs, const char *const *names,
		       uint64_t *sum)
{
	*sum = 0;
	for (; *names; names++) {
		size_t event = model_event(model, *names);

		if (event == model->n_events)
			return false;
		*sum += costs[event];
	}
	return true;
}

static void find_knees(struct misscurve *curve)
{
	bool was_drop = false;

	for (size_t i = 1; i < curve->n; i++) {
		const uint64_t before = curve->points[i - 1].misses, now = curve->points[i].misses;
		const bool is_drop = before > now &&
				     (double)(before - now) >=
					     MISSCURVE_DROP / 100.0 * (double)curve->most;

		if (is_drop && !was_drop)
			curve->knees[curve->n_knees++].before = i - 1;
		if (is_drop)
			curve->knees[curve->n_knees - 1].at = i;
		was_drop = is_drop;
	}
}

static void find_fit(struct misscurve *curve)
{
	const double most = MISSCURVE_LEFT / 100.0 * (double)curve->points[0].misses;

	for (curve->fits = 0; curve->fits < curve->n; curve->fits++) {
		/* What the largest size misses may be cold, but need not. */
		const bool is_guess = !curve->has_cold && curve->fits == curve->n - 1;
		const double cold = is_guess ? 0 : (double)curve->cold;

		if ((double)curve->points[curve->fits].misses - cold <= most)
			return;
	}
}

void misscurve_fill(struct misscurve *curve, const struct model *model, const uint64_t *costs)
{
	curve->most = 0;
	curve->n_knees = 0;
	for (size_t i = 0; i < curve->n; i++) {
		struct misscurve_point *point = &curve->points[i];

		point->misses = costs[point->event];
		if (point->misses > curve->most)
			curve->most = point->misses;
	}
	curve->has_references = add_events(model, costs, (const char *const[]){ "Dr", "Dw", NULL },
					   &curve->references);
	/* Lines that a prefetcher brought are in D1 when they are used for the first time. */
	curve->has_cold =
		model_event(model, "Pf") == model->n_events &&
		add_events(model, costs, (const char *const[]){ "D1cold", NULL }, &curve->cold);
	if (!curve->has_cold)
		curve->cold = curve->points[curve->n - 1].misses;
	find_knees(curve);
	find_fit(curve);
}

/* -- levels ------------------------------------------------------------------------------------- */

static void add(struct curvelevels *levels, const struct curvelevel *level)
{
	if (levels->n < CURVELEVELS_MOST)
		levels->all[levels->n++] = *level;
}

static void add_machine(struct curvelevels *levels, const struct machinefile *machine,
			struct arena *arena)
{
	const char *name = arena_copy(arena, machine->name, strlen(machine->name));
	struct cache_config cache;
	struct policy policy;

	for (unsigned kind = MACHINE_L1D; kind <= MACHINE_L4; kind++)
		if (machinefile_cache(machine, (enum machinefile_kind)kind, &policy, &cache))
			add(levels, &(const struct curvelevel){
					    .machine = name,
					    .name = machinefile_rows[kind].keyword,
					    .size = cache.geometry.size,
				    });
}

int curvelevels_find(struct curvelevels *levels, const char *command, const char *const *words,
		     size_t n, struct arena *arena)
{
	static struct machinesource source;
	const size_t n_machines = n > 0 ? n : n_machine_presets;
	int code = EXIT_FINE;

	levels->n = 0;
	for (size_t i = 0; i < n_machines && code == EXIT_FINE; i++) {
		const size_t before = levels->n;

		code = machinesource_read(&source, command,
					  n > 0 ? words[i] : machine_presets[i].name, true);
		if (code == EXIT_FINE)
			add_machine(levels, &source.machine, arena);
		if (code == EXIT_FINE && n > 0 && levels->n == before) {
			complain(command, "%s: expected a machine with caches of its own",
				 words[i]);
			code = EXIT_FAILED;
		}
		machinesource_release(&source);
	}
	return code;
}

/* By size; of one size the order stays. */
static void curvelevels_sort(struct curvelevels *levels)
{
	for (size_t i = 1; i < levels->n; i++) {
		const struct curvelevel level = levels->all[i];
		size_t at = i;

		for (; at > 0 && levels->all[at - 1].size > level.size; at--)
			levels->all[at] = levels->all[at - 1];
		levels->all[at] = level;
	}
}

void curvelevels_choose(const struct curvelevels *levels, uint64_t size, bool holds,
			struct curvelevels *chosen)
{
	chosen->n = 0;
	for (size_t i = 0; i < levels->n; i++) {
		const struct curvelevel *level = &levels->all[i];
		const bool is_first = i == 0 || level[-1].machine != level->machine;
		const bool is_last = i + 1 == levels->n || level[1].machine != level->machine;

		if (holds && level->size >= size && (is_first || level[-1].size < size))
			add(chosen, level);
		if (!holds && !is_first && level->size < size && (is_last || level[1].size >= size))
			add(chosen, level);
	}
	curvelevels_sort(chosen);
}

/* -- whose costs --------------------------------------------------------------------------------- */

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

/* The names of a kind that the word may mean. */
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

/* All names that are the text; if there is none, those that contain it, or, of files, end with it. */
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
