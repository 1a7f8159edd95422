/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/heading.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"

void heading_init(struct heading *heading, const struct env *env)
{
	*heading = (struct heading){ .same_events = true };
	arena_init(&heading->arena, env);
}

void heading_release(struct heading *heading)
{
	arena_release(&heading->arena);
}

/* NULL is a text too, behind all others. */
static int compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return (a == NULL) - (b == NULL);
	return strcmp(a, b);
}

/* A copy that lasts; NULL stays NULL. */
static const char *keep(struct heading *heading, const char *text, bool *failed)
{
	const char *copy;

	if (!text)
		return NULL;
	copy = arena_copy(&heading->arena, text, strlen(text));
	*failed |= copy == NULL;
	return copy;
}

/* Room for n + 1 elements of size bytes. */
static void *make_array(struct heading *heading, size_t n, size_t size, bool *failed)
{
	void *array = arena_alloc(&heading->arena, (n + 1) * size, _Alignof(uint64_t));

	*failed |= array == NULL;
	return array;
}

/* -- desc lines ------------------------------------------------------------ */

static bool is_count(const struct part_desc *desc)
{
	return strcmp(desc->type, HEADING_MERGED) == 0;
}

static bool same_desc(const struct part_desc *a, const struct part_desc *b)
{
	return strcmp(a->type, b->type) == 0 && strcmp(a->value, b->value) == 0;
}

/* Caches first, in the order of Cachegrind. */
static int desc_rank(const struct part_desc *desc)
{
	static const char *const caches[] = { "I1 cache", "D1 cache", "LL cache" };
	int rank = 0;

	while (rank < 3 && strcmp(desc->type, caches[rank]) != 0)
		rank++;
	return rank;
}

static int compare_descs(const void *left, const void *right)
{
	const struct part_desc *a = left, *b = right;
	int order = desc_rank(a) - desc_rank(b);

	if (!order)
		order = strcmp(a->type, b->type);
	return order ? order : strcmp(a->value, b->value);
}

static bool has_desc(const struct part *part, const struct part_desc *desc)
{
	for (size_t i = 0; i < part->n_descs; i++)
		if (same_desc(&part->descs[i], desc))
			return true;
	return false;
}

/* Whether the part has these lines, in this order; counts do not matter. */
static bool same_descs(const struct heading *heading, const struct part *part)
{
	size_t n = 0;

	for (size_t i = 0; i < part->n_descs; i++) {
		if (is_count(&part->descs[i]))
			continue;
		if (n == heading->n_descs || !same_desc(&heading->descs[n], &part->descs[i]))
			return false;
		n++;
	}
	return n == heading->n_descs;
}

static void take_descs(struct heading *heading, const struct part *part, bool *failed)
{
	heading->descs = make_array(heading, part->n_descs, sizeof(*heading->descs), failed);
	for (size_t i = 0; i < part->n_descs && !*failed; i++) {
		const struct part_desc *desc = &part->descs[i];

		if (is_count(desc))
			continue;
		heading->descs[heading->n_descs++] =
			(struct part_desc){ keep(heading, desc->type, failed),
					    keep(heading, desc->value, failed) };
	}
}

/* Leaves the lines that are in the part too, each once. */
static void join_descs(struct heading *heading, const struct part *part)
{
	size_t kept = 0;

	if (same_descs(heading, part))
		return;
	if (heading->n_descs > 1)
		qsort(heading->descs, heading->n_descs, sizeof(*heading->descs), compare_descs);
	for (size_t i = 0; i < heading->n_descs; i++) {
		const struct part_desc *desc = &heading->descs[i];

		if (has_desc(part, desc) &&
		    (kept == 0 || !same_desc(&heading->descs[kept - 1], desc)))
			heading->descs[kept++] = *desc;
	}
	heading->n_descs = kept;
}

bool heading_is_cache(const struct part_desc *desc)
{
	size_t len = strlen(desc->type);

	return len >= 6 && strcmp(desc->type + len - 6, " cache") == 0;
}

/* Room for one more cache, in an array that doubles; false if memory ran out. */
static bool reserve_cache(struct heading *heading, bool *failed)
{
	size_t n = heading->n_caches;
	struct part_desc *caches;

	if (n < heading->caches_capacity)
		return true;
	heading->caches_capacity = n > 0 ? 2 * n : 4;
	caches = make_array(heading, heading->caches_capacity, sizeof(*caches), failed);
	if (*failed)
		return false;
	if (n > 0)
		memcpy(caches, heading->caches, n * sizeof(*caches));
	heading->caches = caches;
	return true;
}

/* One of each type is kept: if all parts have only that one, it is the same whichever it is. */
static void add_cache(struct heading *heading, const struct part_desc *desc, bool *failed)
{
	for (size_t i = 0; i < heading->n_caches; i++) {
		if (strcmp(heading->caches[i].type, desc->type) != 0)
			continue;
		heading->caches_differ |= strcmp(heading->caches[i].value, desc->value) != 0;
		return;
	}
	if (!reserve_cache(heading, failed))
		return;
	heading->caches[heading->n_caches++] =
		(struct part_desc){ keep(heading, desc->type, failed),
				    keep(heading, desc->value, failed) };
}

static void add_caches(struct heading *heading, const struct part *part, bool *failed)
{
	for (size_t i = 0; i < part->n_descs && !*failed; i++)
		if (heading_is_cache(&part->descs[i]))
			add_cache(heading, &part->descs[i], failed);
}

/* -- definitions of events --------------------------------------------------- */

static bool same_definition(const struct part_event *a, const struct part_event *b)
{
	return strcmp(a->name, b->name) == 0 && compare_texts(a->formula, b->formula) == 0 &&
	       compare_texts(a->long_name, b->long_name) == 0;
}

static int compare_definitions(const void *left, const void *right)
{
	const struct part_event *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static bool same_definitions(const struct heading *heading, const struct part *part)
{
	if (heading->n_definitions != part->n_definitions)
		return false;
	for (size_t i = 0; i < part->n_definitions; i++)
		if (!same_definition(&heading->definitions[i], &part->definitions[i]))
			return false;
	return true;
}

static struct part_event *find_definition(struct heading *heading, const char *name)
{
	for (size_t i = 0; i < heading->n_definitions; i++)
		if (strcmp(heading->definitions[i].name, name) == 0)
			return &heading->definitions[i];
	return NULL;
}

/* Of several texts for one event, the least stays. */
static void add_definition(struct heading *heading, const struct part_event *definition,
			   bool *failed)
{
	struct part_event *known = find_definition(heading, definition->name);

	if (!known) {
		known = &heading->definitions[heading->n_definitions++];
		*known = (struct part_event){ .name = keep(heading, definition->name, failed) };
	}
	if (compare_texts(definition->formula, known->formula) < 0)
		known->formula = keep(heading, definition->formula, failed);
	if (compare_texts(definition->long_name, known->long_name) < 0)
		known->long_name = keep(heading, definition->long_name, failed);
}

static void add_definitions(struct heading *heading, const struct part *part, bool *failed)
{
	size_t n = heading->n_definitions;
	struct part_event *all;

	if (heading->n_parts > 0 && same_definitions(heading, part))
		return;
	all = make_array(heading, n + part->n_definitions, sizeof(*all), failed);
	if (*failed)
		return;
	if (n > 0)
		memcpy(all, heading->definitions, n * sizeof(*all));
	heading->definitions = all;
	for (size_t i = 0; i < part->n_definitions && !*failed; i++)
		add_definition(heading, &part->definitions[i], failed);
	if (heading->n_parts > 0 && heading->n_definitions > 1)
		qsort(all, heading->n_definitions, sizeof(*all), compare_definitions);
}

/* -- events ------------------------------------------------------------------ */

size_t heading_find(const struct heading *heading, const char *name)
{
	size_t i = 0;

	while (i < heading->n_events &&
	       strcmp(event_name(heading->events[i]), event_name(name)) != 0)
		i++;
	return i;
}

static int add_event(struct heading *heading, const char *name, size_t column)
{
	size_t i = heading_find(heading, name);
	bool failed = false;

	if (i == PROFILE_MAX_EVENTS)
		return PROFILE_EVENTS;
	heading->same_events = heading->same_events && i == column;
	if (i == heading->n_events) {
		heading->same_events = heading->same_events && heading->n_parts == 0;
		heading->events[heading->n_events++] = keep(heading, name, &failed);
	} else if (strcmp(heading->events[i], name) != 0) {
		heading->events[i] = event_name(name); /* its new one, which is static */
	}
	heading->n_having[i]++;
	return failed ? PROFILE_NO_MEMORY : PROFILE_OK;
}

static int add_events(struct heading *heading, const struct part *part)
{
	int status = PROFILE_OK;

	for (size_t i = 0; i < part->n_events && !status; i++)
		status = add_event(heading, part->events[i], i);
	heading->same_events = heading->same_events && part->n_events == heading->n_events;
	return status;
}

bool heading_events_agree(const struct heading *heading)
{
	for (size_t i = 0; i < heading->n_events; i++)
		if (heading->n_having[i] != heading->n_parts)
			return false;
	return true;
}

/* Where an event stands among those that costgrind writes; behind them if it is none. */
static size_t rank_of(const char *name)
{
	size_t n, i = 0;
	const struct event_info *known = event_all(&n);

	while (i < n && strcmp(known[i].name, event_name(name)) != 0)
		i++;
	return i;
}

static bool is_before(const char *a, const char *b)
{
	size_t rank_a = rank_of(a), rank_b = rank_of(b);

	return rank_a != rank_b ? rank_a < rank_b : strcmp(a, b) < 0;
}

size_t heading_order(const struct heading *heading, bool common, size_t order[PROFILE_MAX_EVENTS])
{
	size_t n = 0;

	for (size_t i = 0; i < heading->n_events; i++) {
		size_t at = n;

		if (common && heading->n_having[i] != heading->n_parts)
			continue;
		while (!heading->same_events && at > 0 &&
		       is_before(heading->events[i], heading->events[order[at - 1]])) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
		n++;
	}
	return n;
}

/* -- parts ------------------------------------------------------------------- */

static void join_number(struct heading_number *number, bool is_first, bool has, uint64_t value)
{
	if (is_first)
		*number = (struct heading_number){ has, value };
	else if (!has || number->value != value)
		number->has = false;
}

void heading_begin_file(struct heading *heading)
{
	heading->merged += heading->has_file ? heading->file_merged : 0;
	heading->has_file = false;
	heading->file_merged = 1;
}

uint64_t heading_count(const struct heading *heading)
{
	return heading->merged + (heading->has_file ? heading->file_merged : 0);
}

/* Of the parts of a file, the one that says most. */
static void count_part(struct heading *heading, const struct part *part)
{
	heading->has_file = true;
	for (size_t i = 0; i < part->n_descs; i++) {
		char *end;
		unsigned long long count;

		if (!is_count(&part->descs[i]) || part->descs[i].value[0] < '0' ||
		    part->descs[i].value[0] > '9')
			continue;
		count = strtoull(part->descs[i].value, &end, 10);
		if (*end == '\0' && count > heading->file_merged && count < UINT32_MAX)
			heading->file_merged = count;
	}
}

int heading_add(struct heading *heading, const struct part *part)
{
	bool is_first = heading->n_parts == 0;
	bool failed = false;
	int status;

	count_part(heading, part);
	if (is_first) {
		heading->cmd = keep(heading, part->cmd, &failed);
		take_descs(heading, part, &failed);
	}
	if (!failed)
		add_caches(heading, part, &failed);
	if (!is_first && !heading->keeps_first) {
		if (compare_texts(heading->cmd, part->cmd) != 0)
			heading->cmd = NULL;
		join_descs(heading, part);
	}
	join_number(&heading->pid, is_first, part->has_pid, part->pid);
	join_number(&heading->number, is_first, part->has_number, part->number);
	join_number(&heading->thread, is_first, part->has_thread, part->thread);
	if (!failed)
		add_definitions(heading, part, &failed);
	status = failed ? PROFILE_NO_MEMORY : add_events(heading, part);
	heading->n_parts++;
	return status;
}
