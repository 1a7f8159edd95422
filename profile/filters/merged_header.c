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
	rank_set_init(&header->ranks);
	rank_set_init(&header->expected);
}

void merged_header_release(struct merged_header *header)
{
	rank_set_release(&header->ranks);
	rank_set_release(&header->expected);
	arena_release(&header->arena);
}

/* NULL is a text too, behind all others. */
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

/* Room for n + 1 elements of size bytes. */
static void *make_array(struct merged_header *header, size_t n, size_t size)
{
	return arena_alloc(&header->arena, (n + 1) * size, _Alignof(uint64_t));
}

/* -- desc lines ------------------------------------------------------------ */

static bool is_count(const struct part_desc *desc)
{
	return strcmp(desc->type, MERGED_HEADER_DESC) == 0;
}

/* Whether a desc line is a list of ranks of this type. */
static bool is_rank_list(const struct part_desc *desc, const char *type)
{
	return strcmp(desc->type, type) == 0 && rank_set_is_list(desc->value);
}

/* Pairs of one run, by how often they met there, which says nothing of several. */
static bool is_conflicts(const struct part_desc *desc)
{
	return strcmp(desc->type, "Conflicts") == 0;
}

/* Whether a desc line is added up, or left out, and so none of header->descs. */
static bool is_summed(const struct part_desc *desc)
{
	return is_count(desc) || is_conflicts(desc) || is_rank_list(desc, RANK_DESC) ||
	       is_rank_list(desc, RANK_EXPECTED_DESC) || run_facts_has(desc);
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

static bool has_desc(const struct part *part, const struct part_desc *desc)
{
	for (size_t i = 0; i < part->n_descs; i++)
		if (same_desc(&part->descs[i], desc))
			return true;
	return false;
}

/* Whether the part has these lines, in this order; what is added up does not matter. */
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

static void take_descs(struct merged_header *header, const struct part *part)
{
	header->descs = make_array(header, part->n_descs, sizeof(*header->descs));
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];

		if (is_summed(desc))
			continue;
		header->descs[header->n_descs++] =
			(struct part_desc){ keep(header, desc->type), keep(header, desc->value) };
	}
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

		if (has_desc(part, desc) &&
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

/* Room for one more cache, in an array that doubles. */
static void reserve_cache(struct merged_header *header)
{
	size_t n = header->n_caches;
	struct part_desc *caches;

	if (n < header->caches_capacity)
		return;
	header->caches_capacity = n > 0 ? 2 * n : 4;
	caches = make_array(header, header->caches_capacity, sizeof(*caches));
	if (n > 0)
		memcpy(caches, header->caches, n * sizeof(*caches));
	header->caches = caches;
}

/* One of each type is kept: if all parts have only that one, it is the same whichever it is. */
static void add_cache(struct merged_header *header, const struct part_desc *desc)
{
	for (size_t i = 0; i < header->n_caches; i++) {
		if (strcmp(header->caches[i].type, desc->type) != 0)
			continue;
		header->caches_differ |= strcmp(header->caches[i].value, desc->value) != 0;
		return;
	}
	reserve_cache(header);
	header->caches[header->n_caches++] =
		(struct part_desc){ keep(header, desc->type), keep(header, desc->value) };
}

static void add_caches(struct merged_header *header, const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++)
		if (merged_header_is_cache(&part->descs[i]))
			add_cache(header, &part->descs[i]);
}

/* -- machines ---------------------------------------------------------------- */

#define MACHINE_DESC    "Machine"
#define MACHINE_BETWEEN " + " /* no name has a blank */

/* The bytes of a machine's name, before its description. */
static size_t name_len(const char *machine)
{
	return strcspn(machine, ",");
}

/* Whether the machine before this one has its name, too. */
static bool has_same_name(const struct merged_header *header, size_t i)
{
	const char *a = header->machines[i], *b = i > 0 ? header->machines[i - 1] : NULL;

	return b && name_len(a) == name_len(b) && strncmp(a, b, name_len(a)) == 0;
}

static size_t count_names(const struct merged_header *header)
{
	size_t n = 0;

	for (size_t i = 0; i < header->n_machines; i++)
		n += !has_same_name(header, i);
	return n;
}

/* Room for one more machine, in an array that doubles. */
static void reserve_machine(struct merged_header *header)
{
	size_t n = header->n_machines;
	const char **machines;

	if (n < header->machines_capacity)
		return;
	header->machines_capacity = n > 0 ? 2 * n : 4;
	machines = make_array(header, header->machines_capacity, sizeof(*machines));
	if (n > 0)
		memcpy(machines, header->machines, n * sizeof(*machines));
	header->machines = machines;
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
	reserve_machine(header);
	memmove(&header->machines[at + 1], &header->machines[at],
		(header->n_machines - at) * sizeof(*header->machines));
	header->machines[at] = arena_copy(&header->arena, text, len);
	header->n_machines++;
}

/* The machine of a part; of a sum of unlike ones, the names. */
static void add_machines(struct merged_header *header, const struct part *part)
{
	const char *text = NULL, *between;

	for (size_t i = 0; i < part->n_descs && !text; i++)
		if (strcmp(part->descs[i].type, MACHINE_DESC) == 0)
			text = part->descs[i].value;
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

/* The machines, or only their names, each once. */
static char *list_machines(struct merged_header *header, bool names_only, const char *between)
{
	size_t size = 1, len = 0;
	char *list;

	for (size_t i = 0; i < header->n_machines; i++)
		size += strlen(header->machines[i]) + strlen(between);
	list = arena_alloc(&header->arena, size, 1);
	for (size_t i = 0; i < header->n_machines; i++) {
		const char *machine = header->machines[i];
		size_t part = names_only ? name_len(machine) : strlen(machine);

		if (names_only && has_same_name(header, i))
			continue;
		if (len > 0) {
			memcpy(list + len, between, strlen(between));
			len += strlen(between);
		}
		memcpy(list + len, machine, part);
		len += part;
	}
	list[len] = '\0';
	return list;
}

/*
 * Of unlike machines, the lines that are left say nothing, and are sorted: the names become the first one, for which the
 * line of the first part has left room.  has_all: each part has a machine.
 */
static void put_machines(struct merged_header *header, bool has_all)
{
	const char *names;

	for (size_t i = 0; i < header->n_descs; i++)
		has_all &= strcmp(header->descs[i].type, MACHINE_DESC) != 0;
	if (header->n_machines < 2 || !has_all)
		return;
	names = list_machines(header, true, MACHINE_BETWEEN);
	memmove(&header->descs[1], header->descs, header->n_descs * sizeof(*header->descs));
	header->descs[0] = (struct part_desc){ MACHINE_DESC, names };
	header->n_descs++;
}

const char *merged_header_unlike(struct merged_header *header)
{
	static const char head[] = "machines: ";
	bool has_names = count_names(header) > 1;
	char *list, *text;

	if (!has_names && !header->caches_differ)
		return NULL;
	if (header->n_machines < 2)
		return "caches";
	list = list_machines(header, has_names, has_names ? ", " : "; ");
	text = arena_alloc(&header->arena, sizeof(head) + strlen(list), 1);
	memcpy(text, head, sizeof(head) - 1);
	memcpy(text + sizeof(head) - 1, list, strlen(list) + 1);
	return text;
}

/* -- curves of misses by size ------------------------------------------------ */

/* Keeps the least exact one of all parts. */
static void add_curve(struct merged_header *header, const struct part *part)
{
	const char *curve = NULL;

	for (size_t i = 0; i < part->n_descs && !curve; i++)
		if (strcmp(part->descs[i].type, CURVE_DESC) == 0)
			curve = part->descs[i].value;
	if (!curve || curve_desc_weight(curve) == 0)
		return;
	header->n_with_curve++;
	if (!header->curve || curve_desc_weight(curve) > curve_desc_weight(header->curve))
		header->curve = keep(header, curve);
}

/* Likewise where lines were left out, and are sorted: the line of the first part has left room. */
static void put_curve(struct merged_header *header)
{
	const struct part_desc desc = { CURVE_DESC, header->curve };
	size_t at = 0;

	if (header->n_with_curve != header->n_parts + 1)
		return;
	for (size_t i = 0; i < header->n_descs; i++)
		if (strcmp(header->descs[i].type, CURVE_DESC) == 0)
			return;
	while (at < header->n_descs && compare_descs(&header->descs[at], &desc) < 0)
		at++;
	memmove(&header->descs[at + 1], &header->descs[at],
		(header->n_descs - at) * sizeof(*header->descs));
	header->descs[at] = desc;
	header->n_descs++;
}

/* -- data profiles ------------------------------------------------------------- */

static void add_data(struct merged_header *header, const struct part *part)
{
	size_t n_before = header->n_with_data;

	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];
		size_t at = 0;

		if (strcmp(desc->type, DATA_PROFILE_DESC) != 0)
			continue;
		header->n_with_data = n_before + 1;
		while (at < header->n_data && !same_desc(&header->data[at], desc))
			at++;
		if (at < header->n_data)
			continue;
		if (at == header->data_capacity) {
			struct part_desc *data = make_array(header, 2 * at + 4, sizeof(*data));

			if (at > 0)
				memcpy(data, header->data, at * sizeof(*data));
			header->data = data;
			header->data_capacity = 2 * at + 4;
		}
		header->data[header->n_data++] = (struct part_desc){
			DATA_PROFILE_DESC,
			keep(header, desc->value),
		};
	}
}

/* Takes the lines of several out again: the next part has others. */
static void remove_data(struct merged_header *header)
{
	size_t n = 0;

	if (header->n_data < 2)
		return;
	for (size_t i = 0; i < header->n_descs; i++)
		if (strcmp(header->descs[i].type, DATA_PROFILE_DESC) != 0)
			header->descs[n++] = header->descs[i];
	header->n_descs = n;
}

/* Of several, a sum has all; of one, its line was left where it is. */
static void put_data(struct merged_header *header)
{
	struct part_desc *descs = header->descs;
	size_t n, at = 0;

	if (header->n_with_data != header->n_parts + 1 || header->n_data < 2)
		return;
	remove_data(header);
	n = header->n_descs + header->n_data;
	/* Two more than these may be put there before the array is made anew. */
	if (n + 2 > header->descs_capacity) {
		header->descs_capacity = 2 * (n + 2);
		descs = make_array(header, header->descs_capacity, sizeof(*descs));
		memcpy(descs, header->descs, header->n_descs * sizeof(*descs));
		header->descs = descs;
	}
	while (at < header->n_descs && compare_descs(&descs[at], &header->data[0]) < 0)
		at++;
	memmove(&descs[at + header->n_data], &descs[at], (header->n_descs - at) * sizeof(*descs));
	memcpy(&descs[at], header->data, header->n_data * sizeof(*descs));
	header->n_descs = n;
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

static bool same_definitions(const struct merged_header *header, const struct part *part)
{
	if (header->n_definitions != part->n_definitions)
		return false;
	for (size_t i = 0; i < part->n_definitions; i++)
		if (!same_definition(&header->definitions[i], &part->definitions[i]))
			return false;
	return true;
}

static struct part_event *find_definition(struct merged_header *header, const char *name)
{
	for (size_t i = 0; i < header->n_definitions; i++)
		if (strcmp(header->definitions[i].name, name) == 0)
			return &header->definitions[i];
	return NULL;
}

/* Of several texts for one event, the least stays. */
static void add_definition(struct merged_header *header, const struct part_event *definition)
{
	struct part_event *known = find_definition(header, definition->name);

	if (!known) {
		known = &header->definitions[header->n_definitions++];
		*known = (struct part_event){ .name = keep(header, definition->name) };
	}
	if (compare_texts(definition->formula, known->formula) < 0)
		known->formula = keep(header, definition->formula);
	if (compare_texts(definition->long_name, known->long_name) < 0)
		known->long_name = keep(header, definition->long_name);
}

static void add_definitions(struct merged_header *header, const struct part *part)
{
	size_t n = header->n_definitions;
	struct part_event *all;

	if (header->n_parts > 0 && same_definitions(header, part))
		return;
	all = make_array(header, n + part->n_definitions, sizeof(*all));
	if (n > 0)
		memcpy(all, header->definitions, n * sizeof(*all));
	header->definitions = all;
	for (size_t i = 0; i < part->n_definitions; i++)
		add_definition(header, &part->definitions[i]);
	if (header->n_parts > 0 && header->n_definitions > 1)
		qsort(all, header->n_definitions, sizeof(*all), compare_definitions);
}

/* -- events ------------------------------------------------------------------ */

size_t merged_header_find(const struct merged_header *header, const char *name)
{
	return event_index(header->events, header->n_events, name);
}

static int add_event(struct merged_header *header, const char *name, size_t column)
{
	size_t i = merged_header_find(header, name);

	if (i == PROFILE_MAX_EVENTS)
		return PROFILE_EVENTS;
	header->same_events = header->same_events && i == column;
	if (i == header->n_events) {
		header->same_events = header->same_events && header->n_parts == 0;
		header->events[header->n_events++] = keep(header, name);
	} else if (strcmp(header->events[i], name) != 0) {
		header->events[i] = event_name(name); /* its new one, which is static */
	}
	header->n_having[i]++;
	return PROFILE_OK;
}

static int add_events(struct merged_header *header, const struct part *part)
{
	int status = PROFILE_OK;

	for (size_t i = 0; i < part->n_events && !status; i++)
		status = add_event(header, part->events[i], i);
	header->same_events = header->same_events && part->n_events == header->n_events;
	return status;
}

bool merged_header_events_agree(const struct merged_header *header)
{
	for (size_t i = 0; i < header->n_events; i++)
		if (header->n_having[i] != header->n_parts)
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

		if (!is_count(&part->descs[i]) || part->descs[i].value[0] < '0' ||
		    part->descs[i].value[0] > '9')
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
		take_descs(header, part);
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
	header->n_parts++;
	return status;
}
