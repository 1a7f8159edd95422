/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings of data: objects that most misses of a level are on, by a data profile, and structs whose hot members are on more lines
 * than need be, or which have holes.
 *
 * A data profile has misses only.  As a part of a profile's findings, objects share out what that waits for, or what its formula
 * makes of misses; alone, its own costs are what shares are of.
 */
#include "cmds/why/finder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/data/objects.h"
#include "cmds/emit/visible.h"
#include "cmds/types/typecosts.h"
#include "profile/common/desc.h"

/* Objects with less of a level's misses have no finding, nor have structs if an order saves less of their lines. */
static const double share_of_misses = 0.1, share_of_lines = 0.1;

enum {
	MOST_OF_DATA = 3,
	MOST_NAMED = 6, /* offsets and members */
	MOST_USERS = 4,
	MOST_LEVELS = 4,
};

/* -- objects ------------------------------------------------------------------------------------ */

/* A level that misses are of. */
struct data_level {
	const char *name;
	size_t events[2]; /* of reads and of writes; n_events = not recorded */
};

/* What all objects are seen by. */
struct data_view {
	struct finder *finder;
	const struct model *model; /* the data profile */
	const struct metric *metric;
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct data_level levels[MOST_LEVELS]; /* the last one first */
	size_t n_levels;
	double scale; /* what a unit of the metric is of the findings' */
};

static double cost_of(const struct data_view *view, const uint64_t *costs)
{
	return (double)metric_value(view->metric, costs, false);
}

static double misses_of(const struct data_view *view, const struct data_level *level,
			const uint64_t *costs)
{
	double sum = 0;

	for (int i = 0; i < 2; i++)
		if (level->events[i] < view->model->n_events)
			sum += (double)costs[level->events[i]];
	return sum;
}

static void find_levels(struct data_view *view)
{
	static const char *const names[MOST_LEVELS][3] = {
		{ "LL", "DLmr", "DLmw" },
		{ "L3", "L3dr", "L3dw" },
		{ "L2", "L2dr", "L2dw" },
		{ "D1", "D1mr", "D1mw" },
	};

	for (int i = 0; i < MOST_LEVELS; i++) {
		const struct data_level level = { names[i][0],
						  { model_event(view->model, names[i][1]),
						    model_event(view->model, names[i][2]) } };

		if (misses_of(view, &level, view->totals) > 0)
			view->levels[view->n_levels++] = level;
	}
}

/* The level that costs are of: the last one whose misses are half of them. */
static const struct data_level *level_of(const struct data_view *view, const uint64_t *costs)
{
	for (size_t i = 0; i < view->n_levels; i++) {
		double sum = 0;

		for (int k = 0; k < 2; k++) {
			const size_t event = view->levels[i].events[k];

			if (event < view->model->n_events)
				sum += (double)metric_factor(view->metric, event) *
				       (double)costs[event];
		}
		if (sum * 2 >= cost_of(view, costs))
			return &view->levels[i];
	}
	return view->n_levels > 0 ? &view->levels[view->n_levels - 1] : NULL;
}

static bool is_kind(struct name kind, const char *text)
{
	return kind.len == strlen(text) && memcmp(kind.text, text, kind.len) == 0;
}

/* Blocks that an allocator gave out, or its own; their names are the calls that asked for them. */
static bool has_chain(struct name kind)
{
	return is_kind(kind, "[heap]") || is_kind(kind, "[mappings]") ||
	       is_kind(kind, "[allocators]");
}

static struct name kind_of(const struct data_view *view, const struct object_row *row)
{
	return model_name(view->model, NAME_OBJECT, view->model->functions[row->function].object);
}

/* True of what nobody changes: code, files of libraries that the loader maps, variables of libraries. */
static bool is_of_others(const struct data_view *view, const struct object_row *row)
{
	const struct name kind = kind_of(view, row);
	const char *base = say(view->finder, "%.*s", (int)row->name.len, row->name.text);

	if (is_kind(kind, "[code]"))
		return true;
	if (is_kind(kind, "[files]"))
		return strstr(path_base(base), ".so") != NULL;
	return kind.len > 0 && kind.text[0] == '/' &&
	       !owncode_object_is_own(view->model, view->model->functions[row->function].object);
}

static const char *type_text(const struct data_view *view, const struct object_row *row)
{
	return say(view->finder, "%s%s", row->type->name, row->type->is_array ? "[]" : "");
}

/* "blocks of 152 B", "blocks of 40 B to 4,096 B", "arrays of 8 B each", "memory" */
static const char *size_text(const struct finder *finder, struct object_size size)
{
	const char *least = say_number(finder, (double)size.least);

	if (!size.is_known)
		return "memory";
	if (size.least == size.most)
		return say(finder, size.is_of_elements ? "arrays of %s B each" : "blocks of %s B",
			   least);
	return say(finder,
		   size.is_of_elements ? "arrays of %s B to %s B each" : "blocks of %s B to %s B",
		   least, say_number(finder, (double)size.most));
}

/* What an object is, within a sentence; *site is who allocated it, or its name. */
static const char *object_text(const struct data_view *view, const struct object_row *row,
			       const char **site)
{
	const struct finder *finder = view->finder;
	const struct name kind = kind_of(view, row);
	const char *name = say(finder, "%.*s", (int)row->name.len, row->name.text);
	size_t chain = row->name.len;
	struct object_size size = { .is_known = false };
	const char *next;

	if (has_chain(kind))
		size = objectname_size(row->name.text, row->name.len, &chain);
	next = strstr(name, " < ");
	*site = name;
	if (has_chain(kind))
		*site = say(finder, "%.*s",
			    (int)(next && (size_t)(next - name) < chain ? (size_t)(next - name)
									: chain),
			    name);
	if (is_kind(kind, "[allocators]"))
		return say(finder, "what the allocator that %s calls touches itself", *site);
	if (has_chain(kind))
		return say(finder, "%s allocated by %s",
			   row->type ? type_text(view, row) : size_text(finder, size), *site);
	if (is_kind(kind, "[stack]"))
		return say(finder, "the stack of %s", *site);
	if (kind.len > 0 && kind.text[0] == '[')
		return say(finder, "%s, %.*s", *site, (int)kind.len, kind.text);
	return say(finder, "%s of %s", *site, kind.len > 0 ? path_base(kind.text) : "(unknown)");
}

/* Bytes that were used of a line that came in, on average; 0 = not known. */
static double used_bytes(const struct data_view *view, const struct object_row *row, double line)
{
	const size_t lines = model_event(view->model, "Lines"),
		     lost = model_event(view->model, "SpLoss1");
	double used;

	if (lines == view->model->n_events || lost == view->model->n_events ||
	    row->costs[lines] == 0)
		return 0;
	used = line - (double)row->costs[lost] / (double)row->costs[lines];
	return used > 0 ? used : 0;
}

/* Bytes of a line of D1, as either profile says it. */
static double line_of(const struct data_view *view)
{
	const char *said = model_desc(view->model, "D1 line");
	const uint64_t line = said ? strtoull(said, NULL, 10) : 0;
	double size;

	if (line > 0 && line <= 4096)
		return (double)line;
	size = finder_line_size(view->finder, "D1 cache");
	return size > 0 ? size : 64;
}

/* Members, or where these are not known offsets, that together have nine tenths of the misses, by offset; NULL = too many. */
static const char *places_text(const struct data_view *view, const struct object_row *row,
			       bool *has_members)
{
	const struct finder *finder = view->finder;
	const struct object_type *type = row->type;
	const size_t n_members = type ? type->n_members : 0;
	const size_t n = n_members > 0 ? n_members : row->n_pieces;
	bool *is_named = heap_zeroed(n + 1, sizeof(*is_named));
	const double enough = cost_of(view, row->costs) * 0.9;
	const char *text = NULL;
	size_t n_named = 0;
	double sum = 0;

	*has_members = n_members > 0;
	while (sum < enough && n_named <= MOST_NAMED) {
		size_t best = n;
		double most = 0;

		for (size_t i = 0; i < n; i++) {
			const double cost = cost_of(view, *has_members ? type->members[i].costs
								       : row->pieces[i].costs);

			if (!is_named[i] && cost > most) {
				most = cost;
				best = i;
			}
		}
		if (best == n)
			break;
		is_named[best] = true;
		n_named++;
		sum += most;
	}
	/* One offset alone says nothing about an object that has no members. */
	if (n_named <= MOST_NAMED && n_named > (*has_members ? 0 : 1))
		for (size_t i = 0; i < n; i++) {
			const char *comma = text ? ", " : "";

			if (!is_named[i])
				continue;
			if (!*has_members)
				text = say(finder, "%s%s%" PRIu64, text ? text : "", comma,
					   row->pieces[i].offset);
			else
				text = say(finder, "%s%s%s%s", text ? text : "", comma,
					   type->members[i].name[0] ? type->members[i].name
								    : "(anonymous)",
					   type->members[i].size > 0 ? say(finder, " (%" PRIu64 ")",
									   type->members[i].offset)
								     : "");
		}
	free(is_named);
	return text;
}

/* "6,000 of 8,000 LL misses, 8,000 of 11,000 D1 misses." */
static const char *levels_text(const struct data_view *view, const uint64_t *costs)
{
	const struct finder *finder = view->finder;
	const char *text = "";

	for (size_t i = 0; i < view->n_levels; i++)
		text = say(finder, "%s%s%s of %s %s misses", text, i > 0 ? ", " : "",
			   say_number(finder, misses_of(view, &view->levels[i], costs)),
			   say_number(finder, misses_of(view, &view->levels[i], view->totals)),
			   view->levels[i].name);
	return say(finder, "%s.", text);
}

/* "By count_idle (100.0 %)." */
static const char *users_text(const struct data_view *view, const struct object_row *row)
{
	const struct finder *finder = view->finder;
	const char *text = "";

	for (size_t i = 0; i < row->n_users && i < MOST_USERS; i++) {
		const struct model_function *user = &view->model->functions[row->users[i].function];

		text = say(finder, "%s%s%s (%s)", text, i > 0 ? ", " : "",
			   say_name(finder,
				    model_name(view->model, NAME_FUNCTION, user->name).text),
			   say_share(finder, cost_of(view, row->users[i].costs),
				     cost_of(view, row->costs)));
	}
	return row->n_users > 0 ? say(finder, "By %s.", text) : NULL;
}

static void explain_object(const struct data_view *view, const struct object_row *row)
{
	struct finder *finder = view->finder;
	const struct name kind = kind_of(view, row);
	const struct data_level *level = level_of(view, row->costs);
	const double line = line_of(view), used = used_bytes(view, row, line);
	struct finding finding = {
		.kind = FINDING_DATA,
		.cost = (int128)(cost_of(view, row->costs) * view->scale),
		.function = MODEL_NO_FUNCTION,
		.callee = MODEL_NO_FUNCTION,
		.file = DICTIONARY_UNKNOWN,
		.event = view->metric->name,
		.object = say(finder, "%.*s %.*s", (int)kind.len, kind.text, (int)row->name.len,
			      row->name.text),
	};
	const char *site, *object = object_text(view, row, &site), *places;
	bool has_members, is_spread;
	double misses;

	if (!level)
		return;
	misses = misses_of(view, level, row->costs);
	if (misses < misses_of(view, level, view->totals) * share_of_misses)
		return;
	places = places_text(view, row, &has_members);
	is_spread = used > 0 ? used < line / 2 : places && is_kind(kind, "[heap]");
	finding.data = row->type ? type_text(view, row) : site;
	finding.title = say(finder, "Data: %s misses", level->name);
	finding.claim =
		say(finder, "%s of all %s misses of data are on %s%s.",
		    say_share(finder, misses, misses_of(view, level, view->totals)), level->name,
		    object,
		    used > 0 ? say(finder, ": %.1f of %.0f bytes of each line are used", used, line)
			     : "");
	finding.advice =
		is_kind(kind, "[allocators]")
			? "Allocate less often: keep blocks, or take them from a pool."
		: is_spread ? "Put side by side what is used together, and the rest elsewhere."
			    : "Make it smaller, use it again sooner, or go through it in order.";
	if (places)
		finding_add_text(&finding.facts, say(finder, "Misses are %s %s.",
						     has_members ? "on" : "at offsets", places));
	finding_add_text(&finding.facts, levels_text(view, row->costs));
	finding_add_text(&finding.facts, users_text(view, row));
	if (has_chain(kind) && strstr(finding.object, " < ")) {
		size_t chain;

		(void)objectname_size(row->name.text, row->name.len, &chain);
		finding_add_text(&finding.facts,
				 say(finder, "Allocated by %.*s.", (int)chain, row->name.text));
	}
	finding.next = say_show_command(finder, "annotate --by=object");
	finder_add(finder, &finding);
}

static int explain_objects(struct finder *finder, const struct model *model)
{
	const struct column_choice choice = { .estimate = finder->options->estimate };
	const struct typecosts_options options = {
		.objects = finder->options->objects,
		.oldest = finder->options->oldest,
	};
	struct data_view view = { .finder = finder, .model = model };
	struct object_types types = { .model = NULL };
	struct object_costs objects = { .n = 0 };
	struct self_costs self_costs;
	struct columns columns;
	const struct basis basis = {
		.model = model,
		.self_costs = &self_costs,
		.columns = &columns,
		.totals = view.totals,
		.arena = finder->arena,
	};
	const bool is_all = model == finder->model;
	int status;
	size_t n = 0;
	double whole;

	if (!model_totals(model, view.totals))
		return PROFILE_RANGE;
	columns_init(&columns, model, &choice, finder->arena);
	view.metric = &columns.metrics.all[metrics_main(&columns.metrics)];
	find_levels(&view);
	whole = cost_of(&view, view.totals);
	view.scale = is_all      ? 1
		     : whole > 0 ? parts_waits(finder, finder->findings->totals) / whole
				 : 0;
	status = self_costs_compute(&self_costs, model, finder->arena);
	if (!status)
		status = objectcosts_make(&objects, &basis);
	if (!status && !finder->options->no_code && finder_is_worth_it(finder, whole * view.scale))
		objecttypes_make(&types, &objects, model, &options);
	for (size_t i = 0; !status && i < objects.n && n < MOST_OF_DATA; i++) {
		if (is_of_others(&view, &objects.rows[i]))
			continue;
		n++;
		explain_object(&view, &objects.rows[i]);
	}
	objecttypes_release(&types);
	self_costs_release(&self_costs);
	return status;
}

/* -- structs ------------------------------------------------------------------------------------ */

/* "next, last_seen": hot ones in their order, or all as they are proposed. */
static const char *members_text(const struct finder *finder, const struct type_layout *layout,
				bool is_order)
{
	const char *text = "";
	size_t n = 0;

	for (size_t i = 0; i < layout->n; i++) {
		const struct layout_member *member =
			&layout->members[is_order ? layout->order[i] : i];

		if (!is_order && !member->is_hot)
			continue;
		if (n++ == MOST_NAMED)
			return say(finder, "%s and more", text);
		text = say(finder, "%s%s%s", text, text[0] ? ", " : "",
			   member->name[0] ? member->name : "(anonymous)");
	}
	return text;
}

static void explain_type(struct finder *finder, const struct type_row *row,
			 const struct type_layout *layout, double saved)
{
	const double lines = (double)layout->lines / LAYOUT_PLACES,
		     better = (double)layout->new_lines / LAYOUT_PLACES;
	const double waits = parts_waits(finder, row->costs);
	const bool is_hot = 1 - better / lines >=
			    1 - (double)layout->new_size / (double)layout->size;
	const uint64_t spanned = (layout->size + LAYOUT_LINE - 1) / LAYOUT_LINE;
	struct finding finding = {
		.kind = FINDING_LAYOUT,
		.title = is_hot ? "Hot members on different lines" : "Holes in a struct",
		.cost = (int128)(waits * saved),
		.function = MODEL_NO_FUNCTION,
		.callee = MODEL_NO_FUNCTION,
		.file = DICTIONARY_UNKNOWN,
		.event = finder->findings->has_cycles ? "CyMem" : "D1m",
		.data = row->name,
		.type = row->name,
		.costs = row->costs,
	};
	const char *fewer =
		better < lines ? say(finder, ", %s fewer", say_share(finder, lines - better, lines))
			       : "";

	finding.claim =
		is_hot ? say(finder, "%s of %s are hot, and touch %.2f lines of %d B on average.",
			     members_text(finder, layout, false), row->name, lines, LAYOUT_LINE)
		       : say(finder, "%s has %s B of holes in %s B.", row->name,
			     say_number(finder, (double)layout->holes),
			     say_number(finder, (double)layout->size));
	finding.advice = say(finder, "Order %s: %.2f lines%s; %s B.",
			     members_text(finder, layout, true), better, fewer,
			     say_number(finder, (double)layout->new_size));
	finding_add_text(
		&finding.facts,
		say(finder,
		    "Of %s B, %s line%s; hot members have %d %% of all references to it. Of "
		    "all %s, %s are %s it.",
		    say_number(finder, (double)layout->size), say_number(finder, (double)spanned),
		    spanned == 1 ? "" : "s", LAYOUT_HOT_PERCENT, say_cost_word(finder),
		    say_share(finder, waits, (double)finder->findings->whole),
		    finder->findings->has_cycles ? "waits for" : "misses on"));
	finding_add_text(
		&finding.facts,
		"What begins as another struct does, is read by other programs, or is written by "
		"several threads, has its order for a reason.");
	finding.next = say_show_command(finder, "annotate --by=type");
	finding_add_count(finder, &finding, finder->findings->metric->name);
	finder_add(finder, &finding);
}

/* What an order saves of a struct's lines, or of its bytes, 0 to 1. */
static double saved_by(const struct type_layout *layout)
{
	const double lines = 1 - (double)layout->new_lines / (double)layout->lines,
		     bytes = 1 - (double)layout->new_size / (double)layout->size;

	return lines > bytes ? lines : bytes;
}

static void explain_layouts(struct finder *finder, const struct type_costs *types)
{
	size_t n = 0;

	for (size_t i = 0; i < types->n && n < MOST_OF_DATA; i++) {
		const struct type_row *row = &types->rows[i];
		struct type_layout layout;

		if (row->kind != ROW_TYPE ||
		    !typelayout_of_row(&layout, types, row, finder->arena) || layout.lines == 0 ||
		    !layout.is_worthwhile)
			continue;
		n++;
		if (saved_by(&layout) >= share_of_lines)
			explain_type(finder, row, &layout, saved_by(&layout));
	}
}

static int explain_types(struct finder *finder)
{
	const struct typecosts_options options = {
		.objects = finder->options->objects,
		.oldest = finder->options->oldest,
	};
	char message[TYPECOSTS_MESSAGE];
	struct type_costs types;
	int status;

	if (finder->options->types) {
		explain_layouts(finder, finder->options->types);
		return PROFILE_OK;
	}
	/* All code that refers to data has to be looked at: not for what cannot be worth it. */
	if (finder->options->no_code || typecosts_missing(finder->model, message) ||
	    !finder_is_worth_it(finder, parts_waits(finder, finder->findings->totals)))
		return PROFILE_OK;
	status = typecosts_make(&types, finder->model, &finder->findings->metrics,
				finder->findings->metric, &options);
	if (!status)
		explain_layouts(finder, &types);
	typecosts_release(&types);
	return status;
}

int data_explain(struct finder *finder)
{
	const struct model *data = finder->options->data;
	int status = PROFILE_OK;

	if (!finder->options->has_data || finder->options->function)
		return PROFILE_OK;
	if (!data && finder->findings->is_of_data)
		data = finder->model;
	if (data && objectcosts_are_in(data))
		status = explain_objects(finder, data);
	return status ? status : explain_types(finder);
}
