/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines are read into nodes of a tree whose functions have the numbers of the file; then
 * the model is given costs and calls; then numbers become the model's.
 */
#include "cmds/convert/formats.h"

#include <stdlib.h>
#include <string.h>

#include "profile/analysis/metric.h"
#include "profile/common/cost.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/model/build.h"

/* A function of the file. */
struct tree_function {
	uint32_t object, file, name; /* keys */
};

/* Names by id; 0 is not used. */
struct tree_names {
	uint32_t *keys; /* DICTIONARY_NONE = not named yet */
	size_t n, capacity;
};

struct tree_parsing {
	const char *line, *end; /* at work, without its line feed */
	uint64_t number;        /* of the line */
	const struct from_tree_options *options;
	struct model *model;
	struct pathtree *tree; /* costs are of all columns of the file */
	struct profile_error *error;
	struct arena texts;
	struct model columns; /* only its n_events counts: of the file */
	const char *events[PROFILE_MAX_EVENTS];
	struct tree_names objects, files;
	struct tree_function *functions; /* by number; 0 is "<rest>" */
	size_t n_functions, functions_capacity;
	uint32_t object, file; /* of functions named next: keys */
	uint32_t *path;        /* by depth: the node that is open */
	size_t depth, path_capacity;
	uint64_t totals[PROFILE_MAX_EVENTS], summary[PROFILE_MAX_EVENTS];
	bool has_summary, has_totals;
	struct part part;
	struct part_event derived; /* what is said about the event that was derived */
	struct part_desc *descs;
	size_t descs_capacity;
};

static int fail(const struct tree_parsing *parsing, const char *expected)
{
	parsing->error->line = parsing->number;
	return profile_error_set(parsing->error, PROFILE_SYNTAX, "expected %s", expected);
}

/* -- words ------------------------------------------------------------------------------ */

/* The number at *p, which moves past it and one blank; false if there is none. */
static bool next_number(const struct tree_parsing *parsing, const char **p, uint64_t *number)
{
	const char *at = *p;
	uint64_t value = 0;

	for (; at < parsing->end && *at >= '0' && *at <= '9'; at++) {
		unsigned digit = (unsigned)(*at - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (at == *p || (at < parsing->end && *at != ' '))
		return false;
	if (at < parsing->end && ++at == parsing->end)
		return false; /* a blank at the end */
	*number = value;
	*p = at;
	return true;
}

/* Numbers up to the end of the line, as many as there are columns at most; the rest is 0. */
static bool read_costs(const struct tree_parsing *parsing, const char *p, uint64_t *costs)
{
	size_t n = 0;

	memset(costs, 0, parsing->columns.n_events * sizeof(*costs));
	while (p < parsing->end)
		if (n == parsing->columns.n_events || !next_number(parsing, &p, &costs[n++]))
			return false;
	return true;
}

/* "(2) name" or "(2)", at p; sets the id and the name, whose len is 0 if there is none. */
static bool read_id(const struct tree_parsing *parsing, const char *p, uint64_t *id,
		    struct name *name)
{
	*name = (struct name){ .text = "" };
	*id = 0;
	if (p == parsing->end || *p++ != '(')
		return false;
	for (; p < parsing->end && *p >= '0' && *p <= '9'; p++) {
		*id = *id * 10 + (uint64_t)(*p - '0');
		if (*id > UINT32_MAX)
			return false;
	}
	if (p == parsing->end || *p++ != ')' || *id == 0)
		return false;
	if (p == parsing->end)
		return true;
	if (*p++ != ' ' || p == parsing->end)
		return false;
	*name = (struct name){ p, (size_t)(parsing->end - p), NAME_NO_KEY };
	return true;
}

/* -- names ------------------------------------------------------------------------------ */

static uint32_t intern(struct tree_parsing *parsing, enum name_kind kind, const struct name *name)
{
	return reader_intern(&parsing->model->names[kind], name->text, name->len);
}

/* An object or file by its id, which is named here or was before. */
static int read_name(struct tree_parsing *parsing, const char *p, enum name_kind kind,
		     struct tree_names *names, uint32_t *key)
{
	struct name name;
	uint64_t id;

	/* Ids count from 1, in the order in which they are defined. */
	if (!read_id(parsing, p, &id, &name) || id > names->n + 1)
		return fail(parsing, "'(id) name', or an id that has a name");
	if (id == names->n + 1) {
		if (name.len == 0)
			return fail(parsing, "a name after the new id");
		names->keys = heap_grow(names->keys, &names->capacity, names->n + 1,
					sizeof(*names->keys));
		names->keys[names->n++] = DICTIONARY_UNKNOWN;
	}
	if (name.len > 0)
		names->keys[id - 1] = intern(parsing, kind, &name);
	*key = names->keys[id - 1];
	return PROFILE_OK;
}

static void add_function(struct tree_parsing *parsing, uint32_t object, uint32_t file,
			 const struct name *name)
{
	parsing->functions = heap_grow(parsing->functions, &parsing->functions_capacity,
				       parsing->n_functions + 1, sizeof(*parsing->functions));
	parsing->functions[parsing->n_functions++] =
		(struct tree_function){ object, file, intern(parsing, NAME_FUNCTION, name) };
}

static int read_function(struct tree_parsing *parsing, const char *p)
{
	struct name name;
	uint64_t id;

	if (!read_id(parsing, p, &id, &name) || id != parsing->n_functions || name.len == 0)
		return fail(parsing, "the next number of a function, and its name");
	add_function(parsing, parsing->object, parsing->file, &name);
	return PROFILE_OK;
}

/* -- nodes ------------------------------------------------------------------------------- */

static int read_node(struct tree_parsing *parsing)
{
	const char *p = parsing->line;
	struct pathtree_node node = { .parent = PATHTREE_NONE };
	uint64_t depth, function, costs[PROFILE_MAX_EVENTS];
	uint32_t number;

	if (parsing->columns.n_events == 0)
		return fail(parsing, "'events:' before nodes");
	if (!next_number(parsing, &p, &depth) || depth > parsing->depth)
		return fail(parsing, "the depth of a node, one more than that before at most");
	if (!next_number(parsing, &p, &function) || function >= parsing->n_functions)
		return fail(parsing, "the number of a function that has a name");
	if (!next_number(parsing, &p, &node.count))
		return fail(parsing, "how often it was called");
	if (!read_costs(parsing, p, costs))
		return fail(parsing, "costs, as many as there are events at most");
	node.function = (uint32_t)function;
	if (depth > 0)
		node.parent = parsing->path[depth - 1];
	number = pathtree_add(parsing->tree, &node);
	if (number == PATHTREE_NONE) /* too many for a number */
		return PROFILE_RANGE;
	parsing->path = heap_grow(parsing->path, &parsing->path_capacity, depth + 1,
				  sizeof(*parsing->path));
	parsing->path[depth] = number;
	/* Nothing is below what was folded. */
	parsing->depth = function == 0 ? depth : depth + 1;
	memcpy(pathtree_costs(parsing->tree, number), costs,
	       parsing->columns.n_events * sizeof(*costs));
	for (size_t i = 0; i < parsing->columns.n_events; i++)
		if (!cost_add(&parsing->totals[i], costs[i], false))
			return PROFILE_RANGE;
	return PROFILE_OK;
}

/* -- lines with a key ----------------------------------------------------------------------- */

static int read_events(struct tree_parsing *parsing, char *text)
{
	size_t n = 0;

	if (parsing->columns.n_events > 0 || parsing->tree->n > 0)
		return fail(parsing, "one 'events:' line");
	for (char *word = text; *word != '\0'; n++) {
		char *end = word + strcspn(word, " ");

		if (end == word || n == PROFILE_MAX_EVENTS)
			return fail(parsing, "names of events, with a blank between");
		parsing->events[n] = word;
		word = *end != '\0' ? end + 1 : end;
		*end = '\0';
		if (!event_is_column(parsing->events[n]))
			return fail(parsing, "names of events, of graphic characters");
		/* The model would have one column for both. */
		for (size_t i = 0; i < n; i++)
			if (strcmp(event_name(parsing->events[i]),
				   event_name(parsing->events[n])) == 0)
				return fail(parsing, "each event once");
	}
	if (n == 0)
		return fail(parsing, "names of events");
	parsing->columns.n_events = n;
	return PROFILE_OK;
}

static int add_desc(struct tree_parsing *parsing, char *text)
{
	char *colon = strchr(text, ':');

	if (!colon || colon == text)
		return fail(parsing, "'desc: type: value'");
	parsing->descs = heap_grow(parsing->descs, &parsing->descs_capacity,
				   parsing->part.n_descs + 1, sizeof(*parsing->descs));
	*colon++ = '\0';
	colon += *colon == ' ';
	parsing->descs[parsing->part.n_descs++] = (struct part_desc){ text, colon };
	parsing->part.descs = parsing->descs;
	return PROFILE_OK;
}

/* "key: value"; unknown keys are skipped. */
static int read_key(struct tree_parsing *parsing)
{
	const char *colon = memchr(parsing->line, ':', (size_t)(parsing->end - parsing->line));
	const char *p = colon ? colon + 1 : parsing->end, *key;
	uint64_t number, totals[PROFILE_MAX_EVENTS];
	char *value;

	if (!colon || colon == parsing->line)
		return fail(parsing, "a node, a name, or 'key: value'");
	p += p < parsing->end && *p == ' ';
	key = arena_copy(&parsing->texts, parsing->line, (size_t)(colon - parsing->line));
	if (strlen(key) != (size_t)(colon - parsing->line))
		key = ""; /* a NUL is in no key that is known */
	value = arena_copy(&parsing->texts, p, (size_t)(parsing->end - p));
	if (strcmp(key, "version") == 0) {
		if (!next_number(parsing, &p, &number) || number != 1)
			return fail(parsing, "version 1");
	} else if (strcmp(key, "creator") == 0) {
		parsing->part.creator = value;
	} else if (strcmp(key, "cmd") == 0) {
		parsing->part.cmd = value;
	} else if (strcmp(key, "pid") == 0) {
		parsing->part.has_pid = next_number(parsing, &p, &parsing->part.pid);
	} else if (strcmp(key, "desc") == 0) {
		return add_desc(parsing, value);
	} else if (strcmp(key, "events") == 0) {
		return read_events(parsing, value);
	} else if (strcmp(key, "summary") == 0) {
		parsing->has_summary = read_costs(parsing, p, parsing->summary);
		return parsing->has_summary ? PROFILE_OK : fail(parsing, "costs by event");
	} else if (strcmp(key, "thread") == 0 || strcmp(key, "handlers") == 0) {
		parsing->depth = 0;
	} else if (strcmp(key, "totals") == 0) {
		parsing->has_totals = read_costs(parsing, p, totals) &&
				      memcmp(totals, parsing->totals,
					     parsing->columns.n_events * sizeof(*totals)) == 0;
		if (!parsing->has_totals)
			return fail(parsing, "what all nodes cost together");
	}
	return PROFILE_OK;
}

static int read_lines(struct tree_parsing *parsing, const struct reader_text *text)
{
	const char *p = text->data, *end = text->data + text->len;
	int status = PROFILE_OK;

	if (text->len < strlen(FROM_TREE_HEAD) ||
	    memcmp(p, FROM_TREE_HEAD, strlen(FROM_TREE_HEAD)) != 0) {
		parsing->number = 1;
		return fail(parsing, "'# costgrind call tree'");
	}
	while (p < end && !status) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));

		parsing->number++;
		if (!line_end)
			return fail(parsing, "a line feed at the end");
		parsing->line = p;
		parsing->end = line_end;
		p = line_end + 1;
		if (line_end == parsing->line || *parsing->line == '#')
			continue;
		if (parsing->has_totals)
			return fail(parsing, "nothing after 'totals:'");
		if (*parsing->line >= '0' && *parsing->line <= '9')
			status = read_node(parsing);
		else if (strncmp(parsing->line, "fn=", 3) == 0)
			status = read_function(parsing, parsing->line + 3);
		else if (strncmp(parsing->line, "fl=", 3) == 0)
			status = read_name(parsing, parsing->line + 3, NAME_FILE, &parsing->files,
					   &parsing->file);
		else if (strncmp(parsing->line, "ob=", 3) == 0)
			status = read_name(parsing, parsing->line + 3, NAME_OBJECT,
					   &parsing->objects, &parsing->object);
		else
			status = read_key(parsing);
	}
	if (!status && !parsing->has_totals)
		return fail(parsing, "'totals:' as the last line");
	return status;
}

/* -- the model -------------------------------------------------------------------------------- */

static struct place place_of(const struct tree_parsing *parsing, uint32_t function)
{
	const struct dictionary *names = parsing->model->names;
	const struct tree_function *f = &parsing->functions[function];
	const struct name file = dictionary_name(&names[NAME_FILE], f->file);

	return (struct place){
		.object = dictionary_name(&names[NAME_OBJECT], f->object),
		.file = file,
		.function = dictionary_name(&names[NAME_FUNCTION], f->name),
		.source = file,
		.has_object = f->object != DICTIONARY_UNKNOWN,
	};
}

/* Reports costs and calls. */
static int report_nodes(const struct tree_parsing *parsing, const uint64_t *inclusive,
			size_t column, size_t n_columns, const struct visitor *visitor)
{
	static const struct position nowhere = { 0, 0 };
	const struct pathtree *tree = parsing->tree;
	size_t n_events = parsing->columns.n_events;
	int status = PROFILE_OK;

	for (size_t i = 0; i < tree->n && !status; i++) {
		const struct pathtree_node *node = &tree->nodes[i];
		struct place place = place_of(parsing, node->function);
		struct call call = { .callee = place,
				     .count = node->count,
				     .costs = inclusive + i * n_events + column,
				     .n_costs = n_columns };

		status = visitor_place(visitor, &place);
		if (!status)
			status = visitor_cost(visitor, &nowhere,
					      tree->costs + i * n_events + column, n_columns);
		if (status || node->parent == PATHTREE_NONE)
			continue;
		place = place_of(parsing, tree->nodes[node->parent].function);
		status = visitor_place(visitor, &place);
		if (!status)
			status = visitor_call(visitor, &call);
	}
	return status;
}

static int report_tree(struct tree_parsing *parsing, size_t column, size_t n_columns)
{
	struct part *part = &parsing->part;
	struct builder builder;
	uint64_t *inclusive =
		heap_zeroed(parsing->tree->n * parsing->columns.n_events, sizeof(*inclusive));
	const struct pathtree *tree = parsing->tree;
	size_t n_events = parsing->columns.n_events;
	int status = PROFILE_OK;

	/* The costs of each node and all below it. */
	memcpy(inclusive, tree->costs, tree->n * n_events * sizeof(*inclusive));
	for (size_t i = tree->n; i > 0; i--) {
		uint32_t parent = tree->nodes[i - 1].parent;

		for (size_t j = 0; j < n_events && parent != PATHTREE_NONE; j++)
			if (!cost_add(&inclusive[parent * n_events + j],
				      inclusive[(i - 1) * n_events + j], false))
				status = PROFILE_RANGE;
	}
	builder_init(&builder, parsing->model, NULL);
	part->events = parsing->events + column;
	part->n_events = n_columns;
	part->positions = POSITION_LINE;
	part->summary = parsing->summary + column;
	part->n_summary = parsing->has_summary ? n_columns : 0;
	part->totals = parsing->totals + column;
	part->n_totals = n_columns;
	if (!status) {
		builder_begin_file(&builder, NULL, parsing->model->names);
		status = visitor_part(&builder.visitor, part);
	}
	if (!status)
		status = report_nodes(parsing, inclusive, column, n_columns, &builder.visitor);
	if (!status)
		status = visitor_part_end(&builder.visitor, part);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	free(inclusive);
	return status;
}

/* Makes the tree one of the model: its functions, its columns. */
static void adopt(struct tree_parsing *parsing, size_t column, size_t n_columns)
{
	struct pathtree *tree = parsing->tree;
	size_t n_events = parsing->columns.n_events;
	uint32_t *functions = heap_zeroed(parsing->n_functions, sizeof(*functions));

	for (size_t i = 0; i < parsing->n_functions; i++) {
		const struct tree_function *f = &parsing->functions[i];

		functions[i] = pathtree_function(parsing->model, f->object, f->file, f->name);
	}
	for (size_t i = 0; i < tree->n; i++) {
		tree->nodes[i].function = functions[tree->nodes[i].function];
		memmove(tree->costs + i * n_columns, tree->costs + i * n_events + column,
			n_columns * sizeof(*tree->costs));
	}
	free(functions);
	tree->model = parsing->model;
	tree->is_exact = true;
}

/* Puts what is derived of these counts in place of the first one; a status. */
static int derive(const struct tree_parsing *parsing, const struct metric *metric, uint64_t *counts)
{
	int128 value = metric_value(metric, counts, false);

	if (value < 0)
		return profile_error_set(parsing->error, PROFILE_SYNTAX,
					 "expected no counts below 0 of '%.60s'", metric->name);
	if (value > (int128)UINT64_MAX)
		return PROFILE_RANGE;
	counts[0] = (uint64_t)value;
	return PROFILE_OK;
}

/* Which columns are kept: all, or the one that is wanted, which may be derived from others. */
static int choose(struct tree_parsing *parsing, size_t *column, size_t *n_columns)
{
	const char *wanted = parsing->options->event;
	const struct metric_source source = { .n_derived = 0 };
	const struct metric *metric;
	struct metrics metrics;
	int status = PROFILE_OK;

	*column = 0;
	*n_columns = wanted || parsing->options->first_only ? 1 : parsing->columns.n_events;
	if (!wanted)
		return PROFILE_OK;
	metrics_init_names(&metrics, parsing->events, parsing->columns.n_events, &source,
			   &parsing->texts);
	*column = metrics_find(&metrics, wanted, strlen(wanted));
	if (*column == metrics.n)
		return profile_error_set(parsing->error, PROFILE_SYNTAX,
					 "expected an event '%.60s', found none with that name",
					 wanted);
	if (*column < metrics.n_events)
		return PROFILE_OK;
	/* The event that is derived becomes the first column, of all there is. */
	metric = &metrics.all[*column];
	*column = 0;
	for (size_t i = 0; i < parsing->tree->n && !status; i++)
		status = derive(parsing, metric,
				parsing->tree->costs + i * parsing->columns.n_events);
	if (!status)
		status = derive(parsing, metric, parsing->totals);
	if (!status && parsing->has_summary)
		status = derive(parsing, metric, parsing->summary);
	parsing->events[0] = metric->name;
	if (metric->long_name) {
		parsing->derived = (struct part_event){ metric->name, NULL, metric->long_name };
		parsing->part.definitions = &parsing->derived;
		parsing->part.n_definitions = 1;
	}
	return status;
}

int from_tree_text(const struct reader_text *text, const struct from_tree_options *options,
		   struct model *model, struct pathtree *tree, struct profile_error *error)
{
	struct tree_parsing parsing = {
		.options = options, .model = model, .tree = tree, .error = error
	};
	const struct name rest = { "<rest>", strlen("<rest>"), NAME_NO_KEY };
	size_t column, n_columns;
	int status;

	*error = (struct profile_error){ .file = text->name };
	arena_init(&parsing.texts);
	pathtree_init(tree, &parsing.columns);
	add_function(&parsing, DICTIONARY_UNKNOWN, DICTIONARY_UNKNOWN, &rest); /* function 0 */
	status = read_lines(&parsing, text);
	if (!status)
		status = choose(&parsing, &column, &n_columns);
	if (!status)
		status = report_tree(&parsing, column, n_columns);
	if (!status)
		adopt(&parsing, column, n_columns);
	profile_error_complete(error, status);
	tree->model = model;
	free(parsing.objects.keys);
	free(parsing.files.keys);
	free(parsing.functions);
	free(parsing.path);
	free(parsing.descs);
	arena_release(&parsing.texts);
	return status;
}
