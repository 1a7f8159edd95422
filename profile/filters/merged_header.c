/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/merged_header.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/desc.h"
#include "profile/common/event_names.h"

void merged_header_init(struct merged_header *header)
{
	*header = (struct merged_header){ .same_events = true };
	arena_init(&header->arena);
	regions_init(&header->regions);
	rank_set_init(&header->ranks);
	rank_set_init(&header->expected);
}

void merged_header_release(struct merged_header *header)
{
	rank_set_release(&header->ranks);
	rank_set_release(&header->expected);
	regions_release(&header->regions);
	free(header->descs);
	free(header->caches);
	free(header->machines);
	free(header->data);
	free(header->definitions);
	arena_release(&header->arena);
}

/* NULL is a text too, after all others. */
static int compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return (a == NULL) - (b == NULL);
	return strcmp(a, b);
}

/* A copy that lasts; NULL stays NULL. */
static const char *keep(struct merged_header *header, const char *text)
{
	return text ? arena_copy(&header->arena, text, strlen(text)) : NULL;
}

/* -- desc lines ------------------------------------------------------------ */

#define MACHINE_DESC "Machine"

static bool is_of_type(const struct part_desc *desc, const char *type)
{
	return strcmp(desc->type, type) == 0;
}

/* True if a desc line is a list of ranks of this type. */
static bool is_rank_list(const struct part_desc *desc, const char *type)
{
	return is_of_type(desc, type) && rank_set_is_list(desc->value);
}

/*
 * True if a desc line is added up, or left out, and so none of header->descs.  Conflicts are pairs of one run,
 * by how often they met there, which says nothing about several.
 */
static bool is_summed(const struct part_desc *desc)
{
	return is_of_type(desc, MERGED_HEADER_DESC) || is_of_type(desc, "Conflicts") ||
	       is_rank_list(desc, RANK_DESC) || is_rank_list(desc, RANK_EXPECTED_DESC) ||
	       run_facts_has(desc);
}

static void add_ranks(struct merged_header *header, const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];

		if (is_rank_list(desc, RANK_DESC))
			rank_set_add_list(&header->ranks, desc->value);
		else if (is_rank_list(desc, RANK_EXPECTED_DESC))
			rank_set_add_list(&header->expected, desc->value);
	}
}

static bool same_desc(const struct part_desc *a, const struct part_desc *b)
{
	return strcmp(a->type, b->type) == 0 && strcmp(a->value, b->value) == 0;
}

/* The machine and its caches first, in the order of Cachegrind. */
static int desc_rank(const struct part_desc *desc)
{
	static const char *const first[] = { "Machine",  "I1 cache", "D1 cache",
					     "L2 cache", "L3 cache", "LL cache" };
	int n = sizeof(first) / sizeof(first[0]), rank = 0;

	while (rank < n && strcmp(desc->type, first[rank]) != 0)
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

/* The index of a line among n; n if it is not there. */
static size_t find_desc(const struct part_desc *descs, size_t n, const struct part_desc *desc)
{
	size_t i = 0;

	while (i < n && !same_desc(&descs[i], desc))
		i++;
	return i;
}

/* Where a line belongs among those that are left, and sorted. */
static size_t place_of(const struct merged_header *header, const struct part_desc *desc)
{
	size_t at = 0;

	while (at < header->n_descs && compare_descs(&header->descs[at], desc) < 0)
		at++;
	return at;
}

/* desc's texts last. */
static void insert_desc(struct merged_header *header, size_t at, struct part_desc desc)
{
	header->descs = heap_grow(header->descs, &header->descs_capacity, header->n_descs + 1,
				  sizeof(desc));
	memmove(&header->descs[at + 1], &header->descs[at], (header->n_descs - at) * sizeof(desc));
	header->descs[at] = desc;
	header->n_descs++;
}

static struct part_desc keep_desc(struct merged_header *header, const struct part_desc *desc)
{
	return (struct part_desc){ keep(header, desc->type), keep(header, desc->value) };
}

/* True if the part has these lines, in this order; what is added up does not matter. */
static bool same_descs(const struct merged_header *header, const struct part *part)
{
	size_t n = 0;

	for (size_t i = 0; i < part->n_descs; i++) {
		if (is_summed(&part->descs[i]))
			continue;
		if (n == header->n_descs || !same_desc(&header->descs[n], &part->descs[i]))
			return false;
		n++;
	}
	return n == header->n_descs;
}

/* Leaves the lines that are in the part too, each once. */
static void join_descs(struct merged_header *header, const struct part *part)
{
	size_t kept = 0;

	if (same_descs(header, part))
		return;
	if (header->n_descs > 1)
		qsort(header->descs, header->n_descs, sizeof(*header->descs), compare_descs);
	for (size_t i = 0; i < header->n_descs; i++) {
		const struct part_desc *desc = &header->descs[i];

		if (find_desc(part->descs, part->n_descs, desc) < part->n_descs &&
		    (kept == 0 || !same_desc(&header->descs[kept - 1], desc)))
			header->descs[kept++] = *desc;
	}
	header->n_descs = kept;
}

bool merged_header_is_cache(const struct part_desc *desc)
{
	size_t len = strlen(desc->type);

	return len >= 6 && strcmp(desc->type + len - 6, " cache") == 0;
}

/* One of each type is kept: if all parts have only that one, it is the same whichever it is. */
static void add_caches(struct merged_header *header, const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];
		const char *known;

		if (!merged_header_is_cache(desc))
			continue;
		known = desc_value(header->caches, header->n_caches, desc->type);
		header->caches_differ |= known && strcmp(known, desc->value) != 0;
		if (known)
			continue;
		header->caches = heap_grow(header->caches, &header->caches_capacity,
					   header->n_caches + 1, sizeof(*desc));
		header->caches[header->n_caches++] = keep_desc(header, desc);
	}
}

/* -- machines ---------------------------------------------------------------- */

#define MACHINE_BETWEEN " + " /* no name has a blank */

/* The bytes of a machine's name, before its description. */
static size_t name_len(const char *machine)
{
	return strcspn(machine, ",");
}

/* True if the machine before this one has its name, too. */
static bool has_same_name(const struct merged_header *header, size_t i)
{
	const char *a = header->machines[i], *b = i > 0 ? header->machines[i - 1] : NULL;

	return b && name_len(a) == name_len(b) && strncmp(a, b, name_len(a)) == 0;
}

/* Keeps len bytes of a text, if they are not known. */
static void add_machine(struct merged_header *header, const char *text, size_t len)
{
	size_t at = 0;

	while (at < header->n_machines && strncmp(header->machines[at], text, len) < 0)
		at++;
	if (at < header->n_machines && strncmp(header->machines[at], text, len) == 0 &&
	    header->machines[at][len] == '\0')
		return;
	header->machines = heap_grow(header->machines, &header->machines_capacity,
				     header->n_machines + 1, sizeof(*header->machines));
	memmove(&header->machines[at + 1], &header->machines[at],
		(header->n_machines - at) * sizeof(*header->machines));
	header->machines[at] = arena_copy(&header->arena, text, len);
	header->n_machines++;
}

/* The machine of a part; of a sum of unlike ones, the names. */
static void add_machines(struct merged_header *header, const struct part *part)
{
	const char *text = part_desc_of(part, MACHINE_DESC), *between;

	if (!text)
		return;
	header->n_with_machine++;
	while ((between = strstr(text, MACHINE_BETWEEN)) != NULL &&
	       (size_t)(between - text) < name_len(text)) {
		add_machine(header, text, (size_t)(between - text));
		text = between + strlen(MACHINE_BETWEEN);
	}
	add_machine(header, text, strlen(text));
}

/* The machines, or only their names, each once, after a head. */
static const char *list_machines(struct merged_header *header, const char *head, bool names_only,
				 const char *between)
{
	struct bytes list;
	const char *copy;

	bytes_init(&list);
	bytes_add_text(&list, head);
	for (size_t i = 0; i < header->n_machines; i++) {
		const char *machine = header->machines[i];

		if (names_only && has_same_name(header, i))
			continue;
		if (list.len > strlen(head))
			bytes_add_text(&list, between);
		bytes_add(&list, machine, names_only ? name_len(machine) : strlen(machine));
	}
	copy = arena_copy(&header->arena, list.text, list.len);
	bytes_release(&list);
	return copy;
}

/*
 * Of unlike machines, the lines that are left say nothing, and are sorted: the names become the first one.  has_all: each
 * part has a machine.
 */
static void put_machines(struct merged_header *header, bool has_all)
{
	if (header->n_machines < 2 || !has_all ||
	    desc_value(header->descs, header->n_descs, MACHINE_DESC))
		return;
	insert_desc(header, 0,
		    (struct part_desc){ MACHINE_DESC,
					list_machines(header, "", true, MACHINE_BETWEEN) });
}

const char *merged_header_unlike(struct merged_header *header)
{
	size_t n_names = 0;

	for (size_t i = 0; i < header->n_machines; i++)
		n_names += !has_same_name(header, i);
	if (n_names < 2 && !header->caches_differ)
		return NULL;
	if (header->n_machines < 2)
		return "caches";
	return list_machines(header, "machines: ", n_names > 1, n_names > 1 ? ", " : "; ");
}

/* -- curves of misses by size ------------------------------------------------ */

/* Keeps the least exact one of all parts. */
static void add_curve(struct merged_header *header, const struct part *part)
{
	const char *curve = part_desc_of(part, CURVE_DESC);

	if (!curve || curve_desc_weight(curve) == 0)
		return;
	header->n_with_curve++;
	if (!header->curve || curve_desc_weight(curve) > curve_desc_weight(header->curve))
		header->curve = keep(header, curve);
}

/* The same where lines were left out, and are sorted. */
static void put_curve(struct merged_header *header)
{
	const struct part_desc desc = { CURVE_DESC, header->curve };

	if (header->n_with_curve == header->n_parts + 1 &&
	    !desc_value(header->descs, header->n_descs, CURVE_DESC))
		insert_desc(header, place_of(header, &desc), desc);
}

/* -- data profiles ------------------------------------------------------------- */

static void add_data(struct merged_header *header, const struct part *part)
{
	size_t n_before = header->n_with_data;

	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];

		if (!is_of_type(desc, DATA_PROFILE_DESC))
			continue;
		header->n_with_data = n_before + 1;
		if (find_desc(header->data, header->n_data, desc) < header->n_data)
			continue;
		header->data = heap_grow(header->data, &header->data_capacity, header->n_data + 1,
					 sizeof(*desc));
		header->data[header->n_data++] = keep_desc(header, desc);
	}
}

/* Takes the lines of several out again: the next part has others. */
static void remove_data(struct merged_header *header)
{
	size_t n = 0;

	if (header->n_data < 2)
		return;
	for (size_t i = 0; i < header->n_descs; i++)
		if (!is_of_type(&header->descs[i], DATA_PROFILE_DESC))
			header->descs[n++] = header->descs[i];
	header->n_descs = n;
}

/* Of several, a sum has all; of one, its line was left where it is. */
static void put_data(struct merged_header *header)
{
	size_t at;

	if (header->n_with_data != header->n_parts + 1 || header->n_data < 2)
		return;
	remove_data(header);
	at = place_of(header, &header->data[0]);
	for (size_t i = 0; i < header->n_data; i++)
		insert_desc(header, at + i, header->data[i]);
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

/* Of several texts for one event, the least stays. */
static void add_definitions(struct merged_header *header, const struct part *part)
{
	bool is_same = header->n_parts > 0 && header->n_definitions == part->n_definitions;

	for (size_t i = 0; is_same && i < part->n_definitions; i++)
		is_same = same_definition(&header->definitions[i], &part->definitions[i]);
	if (is_same)
		return;
	for (size_t i = 0; i < part->n_definitions; i++) {
		const struct part_event *definition = &part->definitions[i];
		struct part_event *known;
		size_t at = 0;

		while (at < header->n_definitions &&
		       strcmp(header->definitions[at].name, definition->name) != 0)
			at++;
		if (at == header->n_definitions) {
			header->definitions = heap_grow(header->definitions,
							&header->definitions_capacity, at + 1,
							sizeof(*definition));
			header->definitions[header->n_definitions++] =
				(struct part_event){ .name = keep(header, definition->name) };
		}
		known = &header->definitions[at];
		if (compare_texts(definition->formula, known->formula) < 0)
			known->formula = keep(header, definition->formula);
		if (compare_texts(definition->long_name, known->long_name) < 0)
			known->long_name = keep(header, definition->long_name);
	}
	if (header->n_parts > 0 && header->n_definitions > 1)
		qsort(header->definitions, header->n_definitions, sizeof(*header->definitions),
		      compare_definitions);
}

/* -- events ------------------------------------------------------------------ */

size_t merged_header_find(const struct merged_header *header, const char *name)
{
	return event_index(header->events, header->n_events, name);
}

static int add_events(struct merged_header *header, const struct part *part)
{
	for (size_t column = 0; column < part->n_events; column++) {
		const char *name = part->events[column];
		size_t i = merged_header_find(header, name);

		if (i == PROFILE_MAX_EVENTS)
			return PROFILE_EVENTS;
		header->same_events &= i == column;
		if (i == header->n_events) {
			header->same_events &= header->n_parts == 0;
			header->events[header->n_events++] = keep(header, name);
		} else if (strcmp(header->events[i], name) != 0) {
			header->events[i] = event_name(name); /* its new one, which is static */
		}
		header->n_having[i]++;
	}
	header->same_events &= part->n_events == header->n_events;
	return PROFILE_OK;
}

bool merged_header_events_agree(const struct merged_header *header)
{
	for (size_t i = 0; i < header->n_events; i++)
		if (header->n_having[i] != header->n_parts)
			return false;
	return true;
}

/* True if an event is written before another: in costgrind's order, unknown ones by name after them. */
static bool is_before(const char *a, const char *b)
{
	const struct event_info *known_a = event_find(a), *known_b = event_find(b);

	if (known_a && known_b && known_a != known_b)
		return known_a < known_b; /* of one table */
	return !known_a == !known_b ? strcmp(a, b) < 0 : known_a != NULL;
}

size_t merged_header_order(const struct merged_header *header, bool common,
			   size_t order[PROFILE_MAX_EVENTS])
{
	size_t n = 0;

	for (size_t i = 0; i < header->n_events; i++) {
		size_t at = n;

		if (common && header->n_having[i] != header->n_parts)
			continue;
		while (!header->same_events && at > 0 &&
		       is_before(header->events[i], header->events[order[at - 1]])) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
		n++;
	}
	return n;
}

/* -- parts ------------------------------------------------------------------- */

/* The part's events are among the header's. */
static int add_regions(struct merged_header *header, const struct part *part)
{
	uint16_t columns[PROFILE_MAX_EVENTS];

	for (size_t i = 0; i < part->n_events; i++)
		columns[i] = (uint16_t)merged_header_find(header, part->events[i]);
	return regions_add(&header->regions, part, columns);
}

static void join_number(struct header_number *number, bool is_first, bool has, uint64_t value)
{
	if (is_first)
		*number = (struct header_number){ has, value };
	else if (!has || number->value != value)
		number->has = false;
}

void merged_header_begin_file(struct merged_header *header)
{
	header->merged += header->has_file ? header->file_merged : 0;
	header->has_file = false;
	header->file_merged = 1;
	regions_begin_file(&header->regions);
}

uint64_t merged_header_count(const struct merged_header *header)
{
	return header->merged + (header->has_file ? header->file_merged : 0);
}

/* Of the parts of a file, the one that says most. */
static void count_part(struct merged_header *header, const struct part *part)
{
	header->has_file = true;
	for (size_t i = 0; i < part->n_descs; i++) {
		char *end;
		unsigned long long count;

		if (!is_of_type(&part->descs[i], MERGED_HEADER_DESC) ||
		    part->descs[i].value[0] < '0' || part->descs[i].value[0] > '9')
			continue;
		count = strtoull(part->descs[i].value, &end, 10);
		if (*end == '\0' && count > header->file_merged && count < UINT32_MAX)
			header->file_merged = count;
	}
}

int merged_header_add(struct merged_header *header, const struct part *part)
{
	bool is_first = header->n_parts == 0;
	int status;

	count_part(header, part);
	if (is_first) {
		header->cmd = keep(header, part->cmd);
		for (size_t i = 0; i < part->n_descs; i++)
			if (!is_summed(&part->descs[i]))
				insert_desc(header, header->n_descs,
					    keep_desc(header, &part->descs[i]));
	}
	add_caches(header, part);
	add_machines(header, part);
	add_curve(header, part);
	add_data(header, part);
	add_ranks(header, part);
	run_facts_add(&header->facts, part, &header->arena);
	if (!is_first) {
		if (compare_texts(header->cmd, part->cmd) != 0)
			header->cmd = NULL;
		remove_data(header);
		join_descs(header, part);
		put_curve(header);
		put_data(header);
		put_machines(header, header->n_with_machine == header->n_parts + 1);
	}
	join_number(&header->pid, is_first, part->has_pid, part->pid);
	join_number(&header->number, is_first, part->has_number, part->number);
	join_number(&header->thread, is_first, part->has_thread, part->thread);
	add_definitions(header, part);
	status = add_events(header, part);
	if (!status)
		status = add_regions(header, part);
	header->n_parts++;
	return status;
}
